"""Functions with loops over joints in a row: the same as by virtual work, smaller, and chosen by flash."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from pathlib import Path

import pytest

import codegen
from codegen.__main__ import run
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.explain.book.listing import listing
from codegen.explain.inspection.whereabouts import Answer, find
from codegen.ir.loops import Looped
from codegen.ir.modular import World, modular, residues
from codegen.ir.program import evaluate
from codegen.ir.systems import F32, F64, Precision
from codegen.measure.static import assembly, static
from codegen.measure.targets import TARGETS, compilable
from codegen.mechanisms import Body, Joint, Mechanism, robot_kernels
from codegen.mechanisms.description.inputs import Inputs
from codegen.mechanisms.kernels.budget import flash_limit, within
from codegen.mechanisms.kernels.forms import Form, Size
from codegen.mechanisms.kernels.layouts import JOINTS, LIMBS, STRAIGHT, Layouts
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.chains import chain_of
from codegen.mechanisms.trees.reduce import regrouped
from codegen.modeling.kernel import Kernel
from codegen.proof.proof import prove
from codegen.provenance.trace import trace
from codegen.review.diff.changes import ChangeClass
from codegen.review.diff.compare import compare_trees
from codegen.review.diff.functions.reader import read
from codegen.review.diff.reading import Reading
from codegen.review.diff.text.source import read_source
from codegen.tree.assemble import render_tree
from codegen.tree.write import generate
from codegen.verify.native import STRICT
from codegen.verify.verify import check
from tests.conftest import ROOT, compiled, sampled, tool
from tests.test_limbs import as_printed

ARM = ROOT / "examples" / "arm.urdf"
SOLID = ("0.02", "0.001", "-0.002", "0.03", "0.0005", "0.025")
DERIVATIVES = pytest.param("rnea_derivatives", marks=pytest.mark.exhaustive)
FUNCTIONS = ("rnea", "gravity_forces", "crba", "forward_dynamics", DERIVATIVES)
AXES: Mapping[str, tuple[tuple[int | str, int | str, int | str], str]] = {
    "waist": ((0, 0, 1), "revolute"),
    "shoulder": ((0, 1, 0), "revolute"),
    "rail": ((1, 0, 0), "prismatic"),
    "elbow": ((0, 0, -1), "revolute"),
    "wrist": ((0, "0.6", "0.8"), "revolute"),
}


def arm(kinds: str = "all", hand: bool = True) -> Mechanism:
    """An arm of joints that turn and, without `kinds`, one that slides, with a hand of two fingers."""
    names = [n for n, (_, kind) in AXES.items() if kinds == "all" or kind == "revolute"]
    bodies, joints = [Body("stand")], list[Joint]()
    for k, name in enumerate(names):
        axis, kind = AXES[name]
        parent, offset = bodies[-1].name, ("0.1", 0, Fraction(k + 1, 10))
        bodies.append(Body(f"{name}_link", Fraction(9 - k, 4), ("0.02", "0.01", Fraction(k, 20)), SOLID))
        joints.append(Joint(name, kind, parent, f"{name}_link", offset, axis=axis))
    for side, y in (("left", "0.05"), ("right", "-0.05")) if hand else ():
        bodies.append(Body(side, "0.1", (0, y, 0), SOLID))
        place = bodies[len(names)].name, side, (0, y, "0.1")
        finger = Joint(f"{side}_finger", "prismatic", *place, axis=(0, 1, 0))
        follows = replace(finger, mimic="left_finger", multiplier=-1)
        joints.append(follows if side == "right" else finger)
    return Mechanism("crane", bodies, joints)


def lossy(mechanism: Mechanism) -> Mechanism:
    """The mechanism with losses in all joints that do not follow others."""
    joints = [
        replace(j, damping="0.1", armature="0.01", friction="0.2", creep="0.01") for j in mechanism.joints
    ]
    return replace(mechanism, joints=joints)


def snake(count: int) -> Mechanism:
    """Joints in a row about the three axes in turn."""
    bodies, joints = [Body("stand")], list[Joint]()
    for k in range(count):
        axis = ((0, 0, 1), (0, 1, 0), (1, 0, 0))[k % 3]
        bodies.append(Body(f"link_{k}", Fraction(20 - k, 8), ("0.02", "0.01", Fraction(k + 1, 20)), SOLID))
        offset = ("0.1", "0.02", Fraction(k + 1, 50))
        joints.append(Joint(f"j{k}", "revolute", bodies[k].name, f"link_{k}", offset, axis=axis))
    return Mechanism("snake", bodies, joints)


@cache
def kernel(name: str) -> Kernel:
    """A function of the arm with loops over its joints."""
    return made_of(arm("revolute"), name)


def made_of(mechanism: Mechanism, name: str) -> Kernel:
    """A function with loops over joints."""
    (made,) = robot_kernels(mechanism, [name], layout="joints")
    return made


# Mathematics


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(
    ("kinds", "hand"),
    [
        ("all", True),
        pytest.param("revolute", True, marks=pytest.mark.exhaustive),
        pytest.param("all", False, marks=pytest.mark.exhaustive),
        pytest.param("revolute", False, marks=pytest.mark.exhaustive),
    ],
)
def test_loops_are_proven_by_virtual_work(name: str, kinds: str, hand: bool) -> None:
    made = made_of(arm(kinds, hand), name)
    looped = made.loops()
    assert looped is not None
    turns = {part.turns for part in looped.loops[:2]}  # the last loop of crba is over the waist's row
    beside = name != "rnea_derivatives"  # the waist is beside the others
    assert turns == {(5 if kinds == "all" else 4) - beside}
    proof = prove(made)
    assert (proof.status, {"passes", "reference"} <= {*proof.ways}) == ("proven", True)


@pytest.mark.parametrize("name", ["rnea", "forward_dynamics", DERIVATIVES])
def test_losses_and_what_acts_at_run_time_are_in_the_loops(name: str) -> None:
    inputs = Inputs(gravity=True, forces=("left",), payloads=("right",))
    made = made_of(lossy(arm("revolute")).with_inputs(inputs), name)
    looped = made.loops()
    assert looped is not None
    assert {part.turns for part in looped.loops} == {4}  # gravity may have any direction
    assert prove(made).status == "proven"


@pytest.mark.parametrize("first", ["revolute", pytest.param("prismatic", marks=pytest.mark.exhaustive)])
def test_rotors_and_payloads_are_in_the_mass_matrix_and_losses_are_not(first: str) -> None:
    whole = lossy(arm())
    joints = [replace(j, armature=Fraction(k, 50), damping=k) for k, j in enumerate(whole.joints)]
    joints[0] = replace(joints[0], kind=first, armature="0.3")
    wanted = replace(whole, joints=joints).with_inputs(Inputs(payloads=("right",)))
    looped = made_of(wanted, "crba").loops()
    assert looped is not None
    assert [(part.turns, part.steps) for part in looped.loops] == [(4, None), (4, 2), (4, None), (5, None)]
    assert prove(made_of(wanted, "crba")).status == "proven"
    damped = [replace(j, damping=0) for j in joints]
    other = made_of(replace(wanted, joints=damped), "crba").loops()
    assert other is not None
    assert other.tables == looped.tables


@pytest.mark.parametrize("creep", sampled([0, "0.01"], every=2))
def test_derivatives_have_the_slopes_of_losses(creep: int | str) -> None:
    whole = lossy(arm())
    joints = [replace(j, damping=k, creep=creep) for k, j in enumerate(whole.joints[:3])]
    made = made_of(replace(whole, bodies=whole.bodies[:4], joints=joints), "rnea_derivatives")
    looped = made.loops()
    assert looped is not None
    assert [(part.turns, part.steps) for part in looped.loops] == [(3, None), (3, None), (3, 1), (3, None)]
    assert prove(made).status == "proven"


def test_a_row_of_bodies_that_differ_in_nothing_has_a_table() -> None:
    offset = (0, 0, "0.3")
    bodies = [Body("stand"), *(Body(f"link_{k}") for k in range(3)), Body("bead", 1)]
    joints = [Joint(f"j{k}", "revolute", bodies[k].name, bodies[k + 1].name, offset) for k in range(3)]
    joints.append(Joint("slide", "prismatic", "link_2", "bead", axis=(1, 0, 0)))
    made = made_of(Mechanism("string", bodies, joints).with_inputs(Inputs(payloads=("bead",))), "crba")
    looped = made.loops()
    assert looped is not None
    assert [part.turns for part in looped.loops] == [2, 2, 3]
    assert prove(made).status == "proven"
    assert listing(made).codes


def _always(form: Looped, checks: bool) -> Looped:
    return form


def test_a_wrong_number_or_turn_is_no_mass_matrix() -> None:
    made = kernel("crba")
    looped = made.loops()
    assert looped is not None
    ((name, numbers),) = looped.tables.items()
    inner = next(part for part in looped.parts if part.steps is not None)
    stuck = replace(inner, takes=(replace(inner.takes[0], step=0), *inner.takes[1:]))
    forms = {
        "proven": looped,
        "a number": replace(looped, tables={name: (*numbers[:-1], numbers[-1] + Fraction(1, 10**9))}),
        "a turn": looped.with_parts(stuck if part is inner else part for part in looped.parts),
    }
    found = {what: prove(replace(made, looped=partial(_always, form))) for what, form in forms.items()}
    assert found["proven"].status == "proven"
    assert all(found[what].verdict.difference for what in ("a number", "a turn"))


def test_gravity_alone_moves_no_velocities_through_the_loop() -> None:
    looped = kernel("gravity_forces").loops()
    assert looped is not None
    assert {a.name: a.size for a in looped.locals}["movement"] == 3


def test_a_row_ends_where_bodies_branch_or_coordinates_are_shared() -> None:
    def length(mechanism: Mechanism, *alone: int) -> int:
        chain = chain_of(regrouped(Robot(mechanism).tree), alone)
        return 0 if chain is None else chain.end

    assert length(arm()) == 5
    assert length(arm(), 4) == 4
    assert length(arm(), 2) == 0
    whole = arm(hand=False)
    assert length(whole) == 5
    assert length(replace(whole, floating=True)) == 0
    following = [replace(j, mimic="shoulder") if j.name == "wrist" else j for j in whole.joints]
    assert length(replace(whole, joints=following)) == 0
    other = replace(whole.joints[-1], name="other", parent="stand", child="mast")
    two = replace(
        whole, bodies=[*whole.bodies, Body("mast", 1, (0, 0, 1), SOLID)], joints=[*whole.joints, other]
    )
    assert length(two) == 0


# C


def reading_of(made: Kernel, options: Options) -> Reading:
    """The generated C of a kernel, read back."""
    source = read_source(dict(render_tree([made], options)))
    (found,) = source.functions[f"fc_{made.name}_{options.precisions[0]}"]
    return read(found, source)


@pytest.mark.parametrize("precision", [F64, F32])
@pytest.mark.parametrize("interface", ["struct", "array"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_c_is_the_unrolled_program_modulo_random_primes(
    name: str, precision: Precision, interface: str
) -> None:
    options = Options(precisions=(precision.name,), interface=interface)
    f = function(kernel(name), precision, options)
    reading = reading_of(f.kernel, options)
    assert not reading.overlaps  # tau may be the same object as q, v or a
    world = World("one")
    draw = residues(world)
    given = [draw() for _ in range(sum(a.size for a in reading.program.inputs))]
    expected = evaluate(as_printed(f.program, precision), modular(world), given).results
    assert evaluate(reading.program, modular(world), given).results == expected


@pytest.mark.parametrize("precision", [F64, F32])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_loops_are_verified(name: str, precision: Precision, tmp_path: Path) -> None:
    made, options = kernel(name), Options(precisions=(precision.name,))
    generate([made], options, tmp_path / "c")
    called = codegen.load(tmp_path / "c")[f"fc_crane_{name}_{precision.name}"]
    row = check(function(made, precision, options), called, checks=True, count=6)
    assert (row.problems, row.left_out, row.proof) == ([], [], "proven")


@pytest.mark.parametrize(
    "name", ["rnea", "crba", DERIVATIVES, pytest.param("forward_dynamics", marks=pytest.mark.exhaustive)]
)
def test_each_line_of_the_loops_is_traced(name: str) -> None:
    f = function(kernel(name), F64, Options())
    found = trace(f, Options()).statements
    assert len({s.id for s in found}) == len(found)


def test_the_way_back_counts_down() -> None:
    found = trace(function(kernel("rnea"), F64, Options()), Options()).statements
    (store,) = (s for s in found if s.c.startswith("tau[3 - turn] = "))
    assert store.outputs == ("tau_3", "tau_2", "tau_1")
    lines = [line.c.strip() for line in listing(kernel("rnea")).codes[0].lines]
    assert lines.count("for (turn = 0; turn < 3; turn++) {") == 2


@pytest.mark.parametrize("precision", [F64, F32])
@pytest.mark.parametrize("name", ["crba", "rnea_derivatives"])
def test_a_result_may_be_the_same_object_as_an_argument(
    name: str, precision: Precision, tmp_path: Path
) -> None:
    import numpy as np

    made = kernel(name)
    generate([made], Options(precisions=(precision.name,)), tmp_path)
    sources = [path.name for path in tmp_path.glob("fc_*.c")]
    compiled([tool("gcc"), *STRICT, "-O2", "-shared", "-fPIC", *sources, "-lm", "-o", "c.so"], tmp_path)
    called = ctypes.CDLL(str(tmp_path / "c.so"))[f"fc_crane_{name}_{precision.name}"]
    real, rng = np.float64 if precision is F64 else np.float32, np.random.default_rng(8)
    given = [rng.uniform(0.3, 1.1, a.size).astype(real) for a in made.inputs]

    def results(*shared: int) -> list[bytes]:
        """The results, each of which is the same object as the argument of this number, if there is one."""
        found = [np.zeros(a.size, real) for a in made.outputs]
        own = [x.copy() for x in given]
        for output, number in zip(found, shared, strict=False):
            output[: own[number].size] = own[number]
            own[number] = output
        called(*(ctypes.c_void_p(x.ctypes.data) for x in (*own, *found)))
        assert all(np.count_nonzero(x) > 5 for x in found)
        return [x.tobytes() for x in found]

    apart = results()
    assert all(results(k) == apart for k in range(len(given)))
    assert all(results(k, j) == apart for k in range(len(given)) for j in range(len(given)) if j != k)


@pytest.mark.parametrize(
    ("old", "new"), [("turn + 2; step", "turn + 1; step"), ("0.365, ", "0.366, "), ("joints[32", "joints[31")]
)
def test_a_change_of_a_loop_or_of_the_table_is_found(old: str, new: str) -> None:
    tree = dict(render_tree([kernel("crba")], Options(precisions=("f64",))))
    (path,) = (path for path in tree if path.endswith("_f64.c"))
    assert old in tree[path]
    found = compare_trees(tree, tree | {path: tree[path].replace(old, new, 1)})
    assert [x.kind for x in found if x.symbol.endswith("crba_f64")] == [ChangeClass.CHANGED]


def test_a_row_of_the_mass_matrix_is_filled_in_each_turn() -> None:
    found = trace(function(kernel("crba"), F64, Options()), Options()).statements
    (store,) = (s for s in found if s.c.startswith("M[step + "))
    assert store.outputs == tuple(f"M_{k}" for k in (12, 13, 9, 10, 11, 5, 6, 7, 8))
    shown = listing(kernel("crba")).codes
    assert all(
        line.keys for code in shown for line in code.lines if line.c.lstrip().startswith(("M[", "momenta["))
    )
    assert sum(line.c.lstrip().startswith("momenta[") for line in shown[1].lines) == 18
    lines = [line.c.strip() for line in shown[0].lines]
    assert "for (step = 0; step < turn + 2; step++) {" in lines


def test_what_loops_keep_is_neither_an_input_nor_an_output(tmp_path: Path) -> None:
    """A line that a loop repeats is explained by its last turn: in the first one it may be a constant."""
    made = kernel("crba")
    generate([made], Options(), tmp_path / "c")
    (path,) = (tmp_path / "c").glob("fc_*_f64.c")
    lines = path.read_text().splitlines()

    def told(text: str) -> Answer:
        number = next(i for i, line in enumerate(lines, 1) if line.strip().startswith(text))
        return find(f"{path}:{number}", {made.name: made})

    assert told("momenta[6 * turn + 6] = ").what.startswith("the element momenta[6 * turn + 6], which later")
    assert told("const double composite_0 = ").what.startswith("the element composite[0] of a table")
    assert told("M[step + ").what.startswith("the output M_12, ")
    assert "q" in told("const double q_0").what
    for s in trace(function(made, F64, Options()), Options()).statements:
        assert s.kind != "store" or s.c.startswith(("M[", "*M"))
        assert not any(u.startswith("M_") for u in s.users if s.c.startswith("const double composite_0"))


# Where flash is short


def test_amounts_of_flash_are_read() -> None:
    assert [flash_limit(x) for x in ("20000", "32K", "32 kB", " 1m ")] == [20000, 32768, 32768, 1048576]
    for wrong in ("", "0", "K", "-1", "1.5K", "32G", "\u0663K", "9" * 5000):
        with pytest.raises(FeatherError, match="is no amount of flash: state bytes, as 20000, or 32K"):
            flash_limit(wrong)


def forms(*sizes: tuple[str, float, float]) -> list[Form]:
    """Forms with these operations and bytes."""
    return [Form(layout, Size(work, flash)) for layout, work, flash in sizes]


def test_the_fastest_forms_that_fit_are_chosen() -> None:
    choices = {
        "rnea": forms((STRAIGHT, 100, 4000), (JOINTS, 150, 1000)),
        "bias": forms((STRAIGHT, 90, 3000), (JOINTS, 100, 1500)),
        "crba": forms((LIMBS, 104, 1000), (STRAIGHT, 100, 2000)),
        "com": forms((STRAIGHT, 10, 500)),
    }

    def chosen(limit: int) -> str:
        return " ".join(form.layout for form in within(limit, choices).values())

    assert chosen(8500) == "straight straight limbs straight"
    assert chosen(8499) == "straight joints limbs straight"
    assert chosen(6999) == "joints straight limbs straight"
    assert chosen(4000) == "joints joints limbs straight"
    with pytest.raises(FeatherError, match=r"take about 4\.0 kB of flash") as error:
        within(3999, choices)
    told = (
        "at least, more than 3999 bytes: leave out functions, of which bias is largest with 1.5 kB, or allow"
    )
    assert told in str(error.value)


def test_flash_decides_for_each_function_where_auto_may_choose() -> None:
    names = ("rnea", "gravity_forces", "forward_dynamics", "com")

    def layouts(flash: str | int | None, layout: str = "auto") -> str:
        made = robot_kernels(arm("revolute", hand=False), names, layout=layout, flash=flash)
        return str((made[0].robot or {}).get("layout", ""))

    assert layouts(None) == layouts("1M") == ""
    assert layouts(4700) == "straight,rnea=joints"
    assert layouts("1M", "straight,rnea=joints") == "straight,rnea=joints"
    with pytest.raises(
        FeatherError, match=r"--flash: the functions take about .* leave out functions, of which"
    ):
        layouts(2000)


def test_flash_puts_the_mass_matrix_of_a_long_arm_in_loops_and_leaves_that_of_a_short_one() -> None:
    def layout(mechanism: Mechanism, flash: str) -> str:
        (made,) = robot_kernels(mechanism, ["crba"], layout="auto", flash=flash)
        return str((made.robot or {}).get("layout", ""))

    assert layout(arm("revolute", hand=False), "2K") == ""
    assert layout(snake(12), "1M") == ""
    assert layout(snake(12), "2K") == "straight,crba=joints"


def test_loops_over_the_joints_of_a_long_arm_are_a_quarter_of_the_straight_lines(tmp_path: Path) -> None:
    target = TARGETS["m4f"]
    if not compilable(target):
        pytest.skip("the compiler for the Cortex-M4F is not installed")

    def flash(layout: str) -> int:
        place = tmp_path / layout
        generate(robot_kernels(snake(12), ["crba"], layout=layout), Options(precisions=("f32",)), place)
        return static(assembly([*place.glob("fc_*_f32.c")], place, target, place), target)[
            "fc_snake_crba_f32"
        ].flash

    assert 4 * flash("joints") < flash("straight")


def test_loops_are_not_computed_where_straight_lines_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Form:
        raise AssertionError

    monkeypatch.setattr(Form, "with_loops", refuse)
    (made,) = robot_kernels(arm(), ["rnea"], layout="straight")
    assert (made.loops(), made.notes, "Layout" in made.details) == (None, (), False)
    assert robot_kernels(arm(), ["rnea"], layout="straight", flash="1M")[0].notes != ()
    assert robot_kernels(arm(), ["rnea"], layout="auto")[0].notes == ()


def test_the_command_says_what_flash_decided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*options: str) -> tuple[int, str]:
        code = run(["robot", str(ARM), "-p", "f32", "-o", str(tmp_path / "c"), *options])
        return code, capsys.readouterr().err

    code, text = said("-f", "rnea,com", "--layout", "joints")
    assert code == 0
    assert "note: com: straight lines, their only layout" in text
    assert "joints from " in text
    assert "note: arm_rnea: loops over joints in a row: about " in text
    assert "Layout: loops over joints in a row: about " in (tmp_path / "c" / "fc_arm_f32.h").read_text()
    assert run(["check", str(tmp_path / "c")]) == 0
    code, text = said("-f", "rnea,com", "--flash", "64K")
    assert code == 0
    assert "note: the functions take about " in text
    assert "note: arm_rnea: straight lines: about " in text
    assert "where loops over joints in a row would take " in text
    assert "note: arm_com: straight lines: about " in text
    code, text = said("-f", "rnea,com", "--flash", "100")
    assert (code, text.count("\n")) == (2, 1)
    assert "--flash: the functions take about " in text
    assert said("-f", "com", "--flash", "much")[0] == 2


def test_an_arm_with_a_spherical_joint_has_straight_lines() -> None:
    whole = arm(hand=False)
    ball = Joint("ball", "spherical", whole.bodies[-1].name, "bulb", (0, 0, "0.1"))
    bodies = [*whole.bodies, Body("bulb", 1, (0, 0, "0.1"), SOLID)]
    with pytest.raises(FeatherError, match="crane has no 3 joints in a row"):
        made_of(replace(whole, bodies=bodies, joints=[*whole.joints, ball]), "rnea")


def test_what_cannot_have_loops_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    told = (
        "crane has no 3 joints in a row on a base that stands still, without spherical joints and followers"
    )
    with pytest.raises(FeatherError, match=told):
        made_of(replace(arm(), floating=True), "rnea")
    with pytest.raises(
        FeatherError, match=r"com cannot have the layout joints: choose it for rnea, bias_forces, .*, crba"
    ):
        robot_kernels(arm(), ["com"], layout="com=joints")
    assert Layouts.of("joints").named("com") == "joints"
    monkeypatch.setattr("codegen.mechanisms.kernels.forms.MOST_OPERATIONS", 100)
    with pytest.raises(
        FeatherError, match=r"crane: the loops of rnea have \d+ operations .*: choose rnea=straight"
    ):
        made_of(arm(), "rnea")
    assert robot_kernels(arm(), ["rnea"], layout="auto", flash="64K")[0].loops() is None
    alone = Mechanism("lift", arm().bodies[:2], arm().joints[:1])
    with pytest.raises(FeatherError, match=r"lift has no 3 joints in a row .*: leave out the layout joints"):
        robot_kernels(alone, ["crba"], layout="crba=joints")
