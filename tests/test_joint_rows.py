"""Functions with loops over joints in a row: the same as by virtual work, smaller, and chosen by flash."""

from __future__ import annotations

from collections.abc import Mapping
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
from codegen.ir.modular import World, modular, residues
from codegen.ir.program import evaluate
from codegen.ir.systems import F32, F64, Precision
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
from codegen.review.diff.functions.reader import read
from codegen.review.diff.reading import Reading
from codegen.review.diff.text.source import read_source
from codegen.tree.assemble import render_tree
from codegen.tree.write import generate
from codegen.verify.verify import check
from tests.conftest import ROOT
from tests.test_limbs import as_printed

ARM = ROOT / "examples" / "arm.urdf"
SOLID = ("0.02", "0.001", "-0.002", "0.03", "0.0005", "0.025")
FUNCTIONS = ("rnea", "gravity_forces", "forward_dynamics")
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
    assert {part.turns for part in looped.loops} == {4 if kinds == "all" else 3}  # the waist is before them
    proof = prove(made)
    assert (proof.status, {"passes", "reference"} <= {*proof.ways}) == ("proven", True)


@pytest.mark.parametrize("name", ["rnea", "forward_dynamics"])
def test_losses_and_what_acts_at_run_time_are_in_the_loops(name: str) -> None:
    inputs = Inputs(gravity=True, forces=("left",), payloads=("right",))
    made = made_of(lossy(arm("revolute")).with_inputs(inputs), name)
    looped = made.loops()
    assert looped is not None
    assert {part.turns for part in looped.loops} == {4}  # gravity may have any direction
    assert prove(made).status == "proven"


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
    compiled = codegen.load(tmp_path / "c")[f"fc_crane_{name}_{precision.name}"]
    row = check(function(made, precision, options), compiled, checks=True, count=6)
    assert (row.problems, row.left_out, row.proof) == ([], [], "proven")


@pytest.mark.parametrize("name", ["rnea", pytest.param("forward_dynamics", marks=pytest.mark.exhaustive)])
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


def test_rows_that_are_too_short_are_refused() -> None:
    told = (
        "crane has no 3 joints in a row on a base that stands still, without spherical joints and followers"
    )
    with pytest.raises(FeatherError, match=told):
        made_of(replace(arm(), floating=True), "rnea")
    with pytest.raises(
        FeatherError, match="crba cannot have the layout joints: choose it for rnea, bias_forces"
    ):
        robot_kernels(arm(), ["crba"], layout="crba=joints")
    assert Layouts.of("joints").named("crba") == "joints"
