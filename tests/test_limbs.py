"""Functions with loops over limbs that are alike: the same as by virtual work, and smaller."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import codegen
from codegen.__main__ import run
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.explain.book.listing import listing
from codegen.ir.cost import cost
from codegen.ir.loops import Place
from codegen.ir.modular import World, modular, residues
from codegen.ir.operations import Op
from codegen.ir.program import Program, evaluate
from codegen.ir.systems import F32, F64, Precision
from codegen.mechanisms import Body, Joint, Mechanism, robot_kernels
from codegen.mechanisms.description.inputs import Inputs
from codegen.mechanisms.description.record import changes
from codegen.mechanisms.kernels.forms import Form, Forms, Size
from codegen.mechanisms.kernels.layouts import Layouts
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.limbs import Limbs, alike
from codegen.modeling.kernel import Kernel
from codegen.passes.pipeline import optimised
from codegen.proof.proof import prove
from codegen.provenance.trace import trace
from codegen.review.diff.functions.reader import read
from codegen.review.diff.reading import Reading
from codegen.review.diff.text.source import read_source
from codegen.tree.assemble import render_tree
from codegen.tree.write import generate
from codegen.verify.verify import check
from tests.conftest import ROOT

ARM = ROOT / "examples" / "arm.urdf"
URDF = """<robot name="pair"><link name="trunk"><inertial><mass value="2"/>
<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial></link>
""" + "".join(
    f"""<link name="{name}"><inertial><origin xyz="0 0 -0.2"/><mass value="{mass}"/>
<inertia ixx="0.01" iyy="0.01" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="{name}_hip" type="continuous"><parent link="trunk"/><child link="{name}"/>
<origin xyz="{x} 0 0"/><axis xyz="0 1 0"/></joint>"""
    for name, x, mass in (("front", "0.3", "0.5"), ("rear", "-0.3", "0.6"))
) + "</robot>"  # fmt: skip
LONG = pytest.param("rnea_derivatives", marks=pytest.mark.exhaustive)
LONG_MOTION = pytest.param("forward_dynamics", marks=pytest.mark.exhaustive)
SOLID = ("0.02", "0.001", "-0.002", "0.03", "0.0005", "0.025")
LEGS = {"right": (-1, "1.3"), "left": (1, "1.3"), "spare": (3, "1.2")}


def leg(name: str, side: int, mass: str) -> tuple[list[Body], list[Joint]]:
    """A leg of two joints, mirrored about the plane y = 0 where the side is negative."""
    y = Fraction(side, 10)
    bodies = [
        Body(f"{name}_thigh", mass, ("0.1", y / 5, "0.05"), SOLID),
        Body(f"{name}_foot", "0.7", (0, "0.05", y), SOLID),
    ]
    joints = [
        Joint(f"{name}_hip", "revolute", "trunk", f"{name}_thigh", ("0.2", y, 0), (0, 0, 0), (1, 0, 0)),
        Joint(f"{name}_knee", "revolute", f"{name}_thigh", f"{name}_foot", (0, "0.1", -y), axis=(0, 1, 0)),
    ]
    return bodies, joints


def walker(floating: bool = True, neck: bool = True) -> Mechanism:
    """A trunk on three legs, with a neck between the first leg and the others."""
    bodies, joints = [Body("trunk", 3, ("0.01", "0.02", "0.03"), SOLID)], list[Joint]()
    for name, (side, mass) in LEGS.items():
        own, hinges = leg(name, side, mass)
        bodies, joints = [*bodies, *own], [*joints, *hinges]
    if neck:
        bodies.append(Body("head", "0.9", ("0.1", 0, "0.1"), SOLID))
        joints.append(Joint("neck", "revolute", "trunk", "head", (0, 0, "0.2"), ("0.3", 0, 0), (0, 0, 1)))
    return Mechanism("walker", bodies, joints, floating)


@cache
def kernel(name: str) -> Kernel:
    """A function of the walker with a loop over its legs."""
    return made_of(walker(), name)


def made_of(mechanism: Mechanism, name: str) -> Kernel:
    """A function with a loop over legs."""
    (made,) = robot_kernels(mechanism, [name], layout="limbs")
    return made


# Mathematics


@pytest.mark.parametrize(
    "name", ["rnea", pytest.param("bias_forces", marks=pytest.mark.exhaustive), "gravity_forces"]
)
def test_loops_are_proven_by_virtual_work(name: str) -> None:
    made = kernel(name)
    looped = made.loops()
    assert looped is not None
    (loop,) = looped.loops
    assert (loop.turns, loop.gives[1]) == (3, Place("tau", 0, 2))
    proof = prove(made)
    assert (proof.status, {"passes", "reference"} <= {*proof.ways}) == ("proven", True)


def biped(name: str) -> Mechanism:
    """A trunk on two legs without anything else, or with a neck."""
    own = walker(neck=name == "neck")
    bodies = [body for body in own.bodies if "spare" not in body.name]
    return replace(own, bodies=bodies, joints=[j for j in own.joints if "spare" not in j.name])


@pytest.mark.parametrize("name", ["crba", LONG_MOTION, LONG])
@pytest.mark.parametrize("trunk", ["neck", pytest.param("alone", marks=pytest.mark.exhaustive)])
def test_loops_of_other_functions_are_proven(name: str, trunk: str) -> None:
    made = made_of(biped(trunk), name)
    looped = made.loops()
    assert looped is not None
    assert {part.turns for part in looped.loops} == {2}
    proof = prove(made)
    assert (proof.status, {"passes", "reference"} <= {*proof.ways}) == ("proven", True)


@pytest.mark.parametrize("name", ["crba", LONG_MOTION])
def test_what_acts_on_the_trunk_and_in_the_joints_reaches_the_limbs(name: str) -> None:
    one = biped("alone")
    lossy = [replace(j, damping="0.1", armature="0.01") for j in one.joints]
    inputs = Inputs(gravity=True, forces=("trunk",), payloads=("trunk",))
    made = made_of(replace(one, joints=lossy).with_inputs(inputs), name)
    assert made.loops() is not None
    assert prove(made).status == "proven"


def test_a_joint_of_the_trunk_may_follow_another_one() -> None:
    one = walker()
    crest = Joint("crest", "revolute", "trunk", "mast", ("0.1", 0, 0), axis=(0, 1, 0))
    joints = [*one.joints, replace(crest, mimic="neck")]
    following = replace(one, bodies=[*one.bodies, Body("mast", "0.5", (0, 0, "0.1"), SOLID)], joints=joints)
    assert prove(made_of(following, "gravity_forces")).status == "proven"


def test_operations_and_numbers_are_few() -> None:
    made = kernel("rnea")
    (straight,) = robot_kernels(walker(), ["rnea"])
    assert cost(optimised(made)).total <= 1.08 * cost(optimised(straight)).total
    looped = made.loops()
    assert looped is not None
    assert len(looped.tables["limbs"]) <= 14 * 3
    assert looped.locals[0].size <= 13  # w, a, U and the derivative of w about the hips
    at_rest = kernel("gravity_forces").loops()
    assert at_rest is not None
    assert at_rest.locals[0].size == 3  # gravity in axes of the base


# C


def readings(made: Kernel, options: Options) -> dict[str, Reading]:
    """The generated C of a kernel, read back, by its symbol."""
    source = read_source(dict(render_tree([made], options)))
    return {
        symbol: read(items[0], source)
        for symbol, items in source.functions.items()
        if "_walker_sincos_" not in symbol
    }


def as_printed(program: Program, precision: Precision) -> Program:
    """A Program with the constants that its C holds."""
    nodes = (
        n._replace(value=precision.rounded(n.value)) if n.op is Op.CONSTANT else n for n in program.nodes
    )
    return replace(program, nodes=tuple(nodes))


@pytest.mark.parametrize("precision", [F64, F32])
@pytest.mark.parametrize("interface", ["struct", "array"])
@pytest.mark.parametrize("name", ["rnea", "crba", LONG_MOTION, LONG])
def test_the_c_is_the_unrolled_program_modulo_random_primes(
    name: str, precision: Precision, interface: str
) -> None:
    options = Options(precisions=(precision.name,), interface=interface)
    f = function(kernel(name), precision, options)
    (reading,) = readings(f.kernel, options).values()
    assert not reading.overlaps  # tau may be the same object as q, v or a
    for seed in ("one", "two"):
        world = World(seed)
        draw = residues(world)
        given = [draw() for _ in range(sum(a.size for a in reading.program.inputs))]  # with old outputs
        expected = evaluate(as_printed(f.program, precision), modular(world), given).results
        assert evaluate(reading.program, modular(world), given).results == expected


@pytest.mark.parametrize("name", ["rnea", "crba", LONG_MOTION])
def test_compiled_loops_are_verified(name: str, tmp_path: Path) -> None:
    made, options = kernel(name), Options(precisions=("f32",), no_alias=True)
    generate([made], options, tmp_path / "c")
    compiled = codegen.load(tmp_path / "c")[f"fc_walker_{name}_f32"]
    row = check(function(made, F32, options), compiled, checks=True, count=6)
    assert (row.problems, row.left_out, row.proof) == ([], [], "proven")


def test_each_line_of_a_loop_is_traced() -> None:
    f = function(kernel("rnea"), F64, Options())
    found = trace(f, Options()).statements
    (first,) = (s for s in found if s.c == "tau[2 * turn] = f_0_n_z;")
    assert first.outputs == ("tau_0", "tau_2", "tau_4")
    (load,) = (s for s in found if s.c == "const double a_1 = a[2 * turn + 1];")
    assert load.inputs == ("a_1", "a_3", "a_5")
    (head,) = (s for s in found if s.c.startswith("for"))
    assert (head.kind, head.c) == ("loop", "for (turn = 0; turn < 3; turn++) {")
    assert len({s.id for s in found}) == len(found)


def test_pages_show_the_loop() -> None:
    lines = [line.c.strip() for line in listing(kernel("rnea")).codes[0].lines]
    assert "for (turn = 0; turn < 3; turn++) {" in lines
    assert "const double a_1 = a[2 * turn + 1];" in lines


# Which limbs are alike


def groups(mechanism: Mechanism) -> list[Limbs]:
    """The limbs that are alike, on a trunk with simple frames."""
    return alike(Robot(mechanism).tree)


def test_limbs_are_alike_that_differ_in_numbers_alone() -> None:
    (legs,) = groups(walker())
    assert legs.bodies == ((1, 2), (3, 4), (5, 6))
    one = walker()
    damped = [replace(j, damping=1) if j.name == "left_knee" else j for j in one.joints]
    (others,) = groups(replace(one, joints=damped))
    assert (others.bodies, others.first, others.stride) == (((1, 2), (5, 6)), 0, 4)
    oblique = [replace(j, axis=(0, 1, 1)) if j.name == "spare_knee" else j for j in one.joints]
    (pair,) = groups(replace(one, joints=oblique))
    assert pair.bodies == ((1, 2), (3, 4))
    assert not groups(walker(floating=False))


def test_joints_at_one_point_are_alike_where_they_are_in_each_limb() -> None:
    bodies, joints = [*walker().bodies], [*walker().joints]
    for name in LEGS:
        for k, x in enumerate(("0.1", "0.2" if name == "left" else "0.1")):
            bodies.append(Body(f"{name}_toe_{k}", "0.1", (0, 0, "0.1"), SOLID))
            turning = (f"{name}_foot", f"{name}_toe_{k}", (x, 0, 0), (0, 0, 0), (0, 0, 1))
            joints.append(Joint(f"{name}_bend_{k}", "revolute", *turning))
    order = sorted(joints, key=lambda j: j.name.partition("_")[0])
    (pair,) = groups(replace(walker(), bodies=bodies, joints=order))
    assert [bodies[0] for bodies in pair.bodies] == [6, 10]


def test_a_limb_with_arguments_of_its_own_is_alone() -> None:
    pushed = walker().with_inputs(Inputs(gravity=True, forces=("spare_foot", "trunk"), payloads=("head",)))
    made = made_of(pushed, "rnea")
    looped = made.loops()
    assert looped is not None
    assert looped.loops[0].turns == 2
    assert prove(made).status == "proven"


def test_legs_that_are_not_alike_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(FeatherError, match="walker has no two limbs on a floating base that are alike"):
        made_of(walker(floating=False), "rnea")
    assert run(["robot", str(ARM), "--layout", "limbs", "-f", "rnea", "-o", str(tmp_path / "c")]) == 2
    assert (
        "arm has no two limbs on a floating base that are alike, without spherical joints and followers: "
        "leave out the layout limbs"
    ) in capsys.readouterr().err


def test_the_manifest_records_the_layouts(tmp_path: Path) -> None:
    description, tree = tmp_path / "walker.urdf", tmp_path / "c"
    description.write_text(URDF)
    options = ["--floating", "--layout", "header-only, limbs", "-f", "rnea,com", "-p", "f32"]
    assert run(["robot", str(description), *options, "-o", str(tree)]) == 0
    assert not [*tree.glob("fc_*.c")]
    assert "turn < 2" in next(tree.glob("fc_*_f32.h")).read_text()
    assert run(["check", str(tree)]) == 0
    record = json.loads((tree / "manifest.json").read_text())["robots"][0]
    assert record["layout"] == "straight,rnea=limbs"
    straight = {n: x for n, x in record.items() if n != "layout"}
    assert changes(straight, record) == ["layout: default -> straight,rnea=limbs"]
    (tree / "manifest.json").write_text(
        (tree / "manifest.json").read_text().replace("rnea=limbs", "rnea=legs")
    )
    assert run(["check", str(tree)]) == 2


# Where loops pay


def test_layouts_are_read() -> None:
    own = Layouts.of("straight, crba=limbs")
    assert [own.named(name) for name in ("rnea", "crba")] == ["straight", "limbs"]
    assert Layouts.of("crba=limbs").named("rnea") == "auto"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("lims", "there is no layout 'lims' of functions; choose auto, straight, limbs or joints"),
        ("limbs,auto", "the layouts limbs and auto are both for all functions: choose one"),
        ("crba=limbs,crba=auto", "crba has two layouts, limbs and auto: choose one"),
        ("com=limbs", "com cannot have the layout limbs: choose it for rnea, bias_forces"),
        ("crba=limbs", "there is a layout for crba, which is not among the functions that are generated"),
        ("library,header-only", "the layouts library and header-only are both for files: choose one"),
    ],
)
def test_a_layout_that_cannot_be_is_refused(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "walker.urdf").write_text(URDF)
    command = ["robot", str(tmp_path / "walker.urdf"), "--floating", "-f", "com", "--layout", text]
    assert run([*command, "-o", str(tmp_path / "c")]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "c").exists()


def test_loops_are_chosen_by_flash_and_operations() -> None:
    straight = Form("straight", Size(1000, 5000))

    def chosen(work: float, flash: float) -> str:
        return Forms(straight, [Form("limbs", Size(work, flash))]).fastest.layout

    loops = Form("limbs", Size(1040, 2000))
    choice = Forms(straight, [loops])
    assert choice.fastest is loops
    assert choice.told(loops) == (
        "a loop over limbs that are alike: about 2.0 kB of flash on a Cortex-M4F in float instead of 5.0 kB, "
        "and before the search 104 % of the operations of straight lines"
    )
    assert choice.told(straight) == (
        "straight lines: about 5.0 kB of flash on a Cortex-M4F in float, where a loop over limbs that are "
        "alike would take 2.0 kB and before the search 104 % of the operations"
    )
    assert (chosen(1040, 2000), chosen(1060, 2000), chosen(1000, 4600)) == ("limbs", "straight", "straight")


def test_loops_that_are_too_many_to_be_proven_are_not_chosen() -> None:
    looped = kernel("rnea").loops()
    assert looped is not None
    many = looped.with_parts(replace(p, turns=p.turns and 10_000) for p in looped.parts)
    loops = Form("limbs", Size(1, 1), many, many.count)
    choice = Forms(Form("straight", Size(1000, 5000)), [loops])
    assert choice.choices == [choice.straight]
    assert choice.told(choice.straight).endswith("0 % of the operations, too many to be proven")


def test_functions_are_laid_out_alike_each_time_and_say_why() -> None:
    functions = ("rnea", "com", "crba")
    first, second = (robot_kernels(walker(), functions, layout="auto") for _ in range(2))
    in_loops = [kernel.name for kernel in first if kernel.loops() is not None]
    assert in_loops == [f"walker_{f}" for f in functions if f != "com"]
    assert [(k.details, k.notes) for k in first] == [(k.details, k.notes) for k in second]
    rnea, com = (next(k for k in first if k.name == f"walker_{f}") for f in ("rnea", "com"))
    wanted = {"straight": None, "crba=limbs,straight": "straight,crba=limbs"}
    for text, recorded in wanted.items():
        (made,) = robot_kernels(walker(), ["crba"], layout=text)
        assert (made.robot or {}).get("layout") == recorded
        assert (made.loops() is not None) == (recorded is not None)
    assert "Layout: a loop over limbs that are alike: about " in rnea.details
    assert (com.notes, "Layout" in com.details) == ((), False)
    standing = robot_kernels(walker(floating=False), functions, layout="auto")
    assert [(kernel.loops(), kernel.notes) for kernel in standing] == [(None, ())] * len(functions)


def test_the_command_says_which_it_chose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    description = tmp_path / "walker.urdf"
    description.write_text(URDF)

    def said(*options: str) -> str:
        command = ["robot", str(description), "--floating", "-f", "gravity_forces,com", "-p", "f32", *options]
        assert run([*command, "-o", str(tmp_path / "c")]) == 0
        return capsys.readouterr().err

    text = said("--layout", "limbs")
    assert "note: the limbs that begin with front, rear are alike" in text
    assert "note: com: straight lines, their only layout" in text
    assert "note: pair_gravity_forces: a loop over limbs that are alike: about " in text
    header = (tmp_path / "c" / "fc_pair_f32.h").read_text()
    assert "Layout: a loop over limbs that are alike" in header
    assert "pair_gravity_forces" not in said("--layout", "straight")
    assert "turn <" not in (tmp_path / "c" / "fc_pair_f32.c").read_text()
    assert run(["robot", str(ARM), "-f", "com", "--layout", "auto", "-o", str(tmp_path / "arm")]) == 0
    assert (
        "no two limbs on a floating base that are alike, without spherical joints and followers: "
        "all functions are straight lines" in capsys.readouterr().err
    )
