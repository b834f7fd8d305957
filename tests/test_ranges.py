"""Ranges of arguments, and trials without an expected result, all of which are counted."""

from __future__ import annotations

import json
import math
import random
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sympy import Abs

from codegen.__main__ import FAILED, FINE, USER, run
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.explain.book.accuracy import panels
from codegen.explain.book.plots import left_out
from codegen.explain.book.sweeps import sweeps
from codegen.frontends.define import jacobian, kernel
from codegen.ir.domain import cases, edges_of
from codegen.ir.program import Arg, evaluate
from codegen.ir.ranges import inside, pairs
from codegen.ir.status import Status
from codegen.ir.systems import F32, F64, multiprecision
from codegen.ir.types import POSITIVE, REAL, Array, edges
from codegen.library import library
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import InertiaTensor, Transform, UnitQuaternion, Vec3
from codegen.modeling.types.records import record
from codegen.modeling.types.scalar import exp, floor, log, require, select, sin, sqrt
from codegen.proof.equivalence import Verdict
from codegen.proof.proof import Proof, Residual, prove, residual
from codegen.review.diff.compare import compare_trees
from codegen.review.diff.declared import declared_ranges
from codegen.review.diff.numbers import constraint
from codegen.review.diff.numbers.points import Sampler
from codegen.tree.snapshot import read_tree
from codegen.tree.write import generate
from codegen.verify.hazards import UNDEFINED, followed, partial
from codegen.verify.native import STRICT
from codegen.verify.verify import Verification, left_out_in_words, verify
from tests.conftest import tool

WING = '''
from codegen import POSITIVE, REAL, Arg, Vec3, kernel
from codegen.modeling.types.scalar import cos, exp, select, sin

M, ALPHA_0 = 50, 0.4712


@kernel(
    inputs=[
        Arg("alpha", REAL, "rad", "angle of attack"),
        Arg("q_S", POSITIVE, "N", "dynamic pressure times wing area"),
    ],
    outputs=[Arg("F_B", Vec3, "N", "lift and drag", "B")],
    equation="C_L = (1 - s) (C_L0 + C_La alpha) + s 2 sign(alpha) sin(alpha)^2 cos(alpha)",
    source="Beard and McLain, Small Unmanned Aircraft",
)
def wing(alpha, q_S):
    """Lift and drag of a wing, blended into those of a flat plate beyond the stall."""
    below, above = exp(-M * (alpha - ALPHA_0)), exp(M * (alpha + ALPHA_0))
    blend = (1 + below + above) / ((1 + below) * (1 + above))
    plate = 2 * select(alpha < 0, -1, 1) * sin(alpha) * sin(alpha) * cos(alpha)
    C_L, C_D = (1 - blend) * (0.28 + 3.45 * alpha) + blend * plate, 0.03 + 0.3 * alpha * alpha
    return q_S * Vec3(C_L * sin(alpha) - C_D * cos(alpha), 0, -C_D * sin(alpha) - C_L * cos(alpha))
'''
"""A wing whose sigmoid leaves the range of float beyond about two radians."""


def made(formula: Callable[..., Any], range: Any = None, type: Any = REAL, **rest: Any) -> Kernel:
    """A kernel from x, with a range, to y."""
    inputs = [Arg("x", type, "1", "a number", range=range)]
    described = {"equation": "", "source": "", "name": "made", **rest}
    return kernel(inputs=inputs, outputs=[Arg("y", REAL, "1", "a result")], **described)(formula)


def verified(k: Kernel, place: Path, precision: str = "f32", **options: Any) -> Verification:
    """The row of a kernel's function at one precision."""
    generate([k], Options(precisions=(precision,), **options), place)
    (row,) = verify(place, {**library(), k.name: k})
    assert row.cases + row.trials_left_out == len(list(cases(k.inputs, 40, "")))
    return row


def written(text: str, place: Path, old: str = "", new: str = "") -> str:
    """A model file, with one piece of its text replaced."""
    assert old in text
    place.write_text(text.replace(old, new))
    return str(place)


# what a range is


@pytest.mark.parametrize(
    ("type", "declared", "ends"),
    [
        (REAL, (-3.2, 3.2), [(Fraction(-16, 5), Fraction(16, 5))]),
        (REAL, [Decimal("-0.1"), Fraction(1, 8)], [(Fraction(-1, 10), Fraction(1, 8))]),
        (REAL, np.array([0.5, 1.0]), [(Fraction(1, 2), 1)]),
        (REAL, ((0, 1e300),), [(0, 10**300)]),
        (POSITIVE, (1e-3, 7), [(Fraction(1, 1000), 7)]),
        (Vec3, (0, 1), [(0, 1)] * 3),
        (Vec3, [(0, 1), (2, 3), (-1, 4)], [(0, 1), (2, 3), (-1, 4)]),
        (Array((2, 2)), (0, 1), [(0, 1)] * 4),
    ],
)
def test_a_range_has_exact_ends_for_each_scalar(type: Any, declared: Any, ends: Any) -> None:
    argument = Arg("x", type, "1", "", range=declared)
    assert list(argument.ends) == ends
    assert hash(argument) == hash(Arg("x", type, "1", "", range=declared))


@pytest.mark.parametrize(
    ("type", "declared", "says"),
    [
        (REAL, (3, -3), "the range of x, 3 to -3, is empty: give the lower end first"),
        (REAL, (1, 1), "is empty"),
        (REAL, (1, 2, 3), "the range of x has 3 numbers in a pair: give (low, high)"),
        (REAL, (), "the range of x is (): give a pair (low, high)"),
        (REAL, 5, "the range of x is 5: give a pair (low, high)"),
        (REAL, ((0, 1), 2), "give a pair (low, high)"),
        (REAL, "ab", "has an end 'a', which is not a number"),
        (REAL, (True, 2), "has an end True, which is not a number"),
        (REAL, (float("nan"), 1), "the range of x has an end that is not finite: give numbers"),
        (REAL, (0, float("inf")), "not finite"),
        (REAL, (0, 10**400), "not finite"),
        (REAL, (Fraction(1, 3), 1), "has an end 1/3, which no double holds: round it"),
        (REAL, ((0, 1), (1, 2)), "has 2 pairs for 1 scalars: give one pair for all, or one for each"),
        (Vec3, ((0, 1), (1, 2)), "has 2 pairs for 3 scalars"),
        (POSITIVE, (0, 1), "the range of x starts at 0, but x is positive: start it above 0"),
        (UnitQuaternion, (0, 1), "x has scalars that depend on each other and takes no range: remove it"),
        (InertiaTensor, (0, 1), "takes no range: remove it"),
        (Transform, (0, 1), "takes no range: remove it"),
        (Array((2,), integer=True), (0, 1), "x is an int, as only outputs can be"),
    ],
)
def test_what_is_no_range_is_refused(type: Any, declared: Any, says: str) -> None:
    with pytest.raises(FeatherError, match=re.escape(says)) as refused:
        made(lambda x: 1, declared, type)
    assert str(refused.value).startswith("kernel made: ")


def test_a_result_takes_no_range() -> None:
    with pytest.raises(FeatherError, match="kernel made: y is a result and takes no range: remove it"):
        kernel(
            inputs=[Arg("x", REAL, "1", "")], outputs=[Arg("y", REAL, "1", "", range=(0, 1))],
            equation="", source="", name="made",
        )(lambda x: x)  # fmt: skip


@pytest.mark.parametrize("ends", [("-3.2", "3.2"), (2, 40), (-9, -1), (0, 1), (-1, 1000)])
def test_numbers_of_any_size_are_brought_inside(ends: Any) -> None:
    ends = low, high = (Fraction(ends[0]), Fraction(ends[1]))
    draws = [Fraction(n, 4096) for n in range(-(2**13), 2**13 + 1)]
    found = [inside(ends, t) for t in draws]
    assert (min(found), max(found)) == ends, "draws in -2..2 reach both ends"
    for t in (*draws[::512], Fraction(10**6), Fraction(-12345), Fraction("1e-9")):
        assert ends[0] <= inside(ends, t) <= ends[1]
        assert float(inside(ends, float(t))) == pytest.approx(float(inside(ends, t)), abs=1e-6)
    nearest = min(ends, key=abs) if ends[0] * ends[1] > 0 else 0
    assert abs(inside(ends, Fraction(1, 10**6)) - nearest) < (high - low) / 10**6


def test_trials_lie_inside_and_reach_the_ends_and_corners() -> None:
    inputs = [
        Arg("a", REAL, "1", "", range=(-3.2, 3.2)),
        Arg("v", Vec3, "1", "", range=((0, 1), (5, 6), (-2, -1))),
        Arg("free", REAL, "1", ""),
    ]
    ends = [e for a in inputs for e in a.ends]
    drawn = list(cases(inputs, 40, "seed"))
    assert drawn == list(cases(inputs, 40, "seed"))
    for case in drawn:
        assert all(low <= x <= high for x, (low, high) in zip(case, ends, strict=False))
    for i, (low, high) in enumerate(ends):
        assert {low, high} <= {case[i] for case in drawn}
    corners = {tuple(case[:4]) for case in drawn if all(x in e for x, e in zip(case, ends, strict=False))}
    assert len(corners) > 6
    assert {float(case[4]) for case in drawn} >= {-1.0, 0.0, 1.0}, "what has no range has its own edges"


PARTLY = record(
    "partly", "Ranges of some.", [Arg("a", REAL, "1", "", range=(2, 3)), Arg("b", REAL, "1", "any")]
)


def test_trials_of_records_lie_inside_the_ranges_of_their_members() -> None:
    """Opposite and equal values of two records, too, and the corners."""
    found = list(cases([PARTLY.argument("p", "first"), PARTLY.argument("q", "second")], 40, "members"))
    assert all(2 <= a <= 3 and 2 <= c <= 3 for a, _, c, _ in found)
    assert {2, 3} <= {a for a, _, _, _ in found}


LAG = """from codegen import REAL, Arg, State, block


@block(
    states=[State("x", REAL, "1", "state", range=(0, 1))],
    inputs=[],
    outputs=[Arg("y", REAL, "1", "output")],
    parameters=[Arg("a", REAL, "1", "gain", range=(2, 3)), Arg("b", REAL, "1", "other")],
    equation="x' = x / a; y = b x",
    source="a test",
)
def lag(x, a, b):
    return x / a, b * x
"""


def test_states_and_parameters_of_a_block_have_ranges(tmp_path: Path) -> None:
    """That of all states does not become one of a result, and that of some parameters is in the header."""
    (tmp_path / "mine.py").write_text(LAG)
    assert run(["generate", "--model", str(tmp_path / "mine.py"), "-o", str(tmp_path / "c")]) == FINE
    header = (tmp_path / "c" / "fc_mine_f64.h").read_text()
    assert "@param[in] state state: x state [1], 0 to 1\n" in header
    assert "@param[in] parameters parameters: a gain, b other [1; 1], a 2 to 3\n" in header
    assert "@param[out] next state after the step: x state [1]\n" in header


def test_edges_of_a_type_stay_where_they_lie_inside() -> None:
    assert edges_of(Arg("x", REAL, "1", "", range=(0, 2))) == [[0], [2], [0], [1]]
    assert edges_of(Arg("x", REAL, "1", "")) == edges(REAL)


# what is left out


def test_a_wing_without_a_range_says_what_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before, the table said ok and nothing else."""
    model = written(WING, tmp_path / "wing.py")
    place = str(tmp_path / "c")
    assert run(["generate", "--model", model, "wing", "-o", place]) == FINE
    capsys.readouterr()
    assert run(["verify", "--model", model, place]) == FINE
    head, double, single, *rest = capsys.readouterr().out.splitlines()
    assert re.search(r"cases +left out +ulp", head)
    counts = [re.search(r" (\d+) +(\d+) ", row) for row in (double, single)]
    assert [tuple(map(int, c.groups())) for c in counts if c] == [(59, 3), (35, 27)]
    assert rest[2] == (
        "fc_wing_f32: 27 of 62 trials left out: t1 = 1.0F + expf(-(5.0e+1F * (alpha - 0.4712F))) "
        "leaves the range of float at alpha = -1.66625977"
    )
    assert rest[3].startswith("A range, as in Arg(..., range=(-3.2, 3.2)), keeps trials to")
    assert run(["verify", "--model", model, place, "--json"]) == FINE
    rows = json.loads(capsys.readouterr().out)
    assert [[(x["reason"], x["count"]) for x in row["left_out"]] for row in rows] == [
        [("overflow", 3)], [("overflow", 27)],
    ]  # fmt: skip


def test_a_wing_fails_where_it_overflows_inside_its_range(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = written(WING, tmp_path / "wing.py", 'of attack"', 'of attack", range=(-3.2, 3.2)')
    place = str(tmp_path / "c")
    assert run(["generate", "--model", model, "wing", "-o", place]) == FINE
    capsys.readouterr()
    assert run(["verify", "--model", model, place]) == FAILED
    shown = capsys.readouterr()
    assert re.search(r"fc_wing_f64 .* \d+ +0 .* ok", shown.out)
    note, detail, verdict = shown.err.splitlines()
    assert note == "note: wing: its equation is not compared with the formula: no equation defines F_B"
    assert re.fullmatch(
        r"fc_wing_f32: t1 = 1\.0F \+ expf\(.*\) leaves the range of float at alpha = -2\.\d+, "
        r"inside the declared range: write it in a form that stays in it, such as .*tanh.*, or narrow .*",
        detail,
    )
    assert verdict == "featherc: 1 of 2 functions failed verification"


@pytest.mark.exhaustive
def test_a_wing_is_judged_everywhere_inside_a_range_that_it_is_made_for(tmp_path: Path) -> None:
    from codegen.loading.python_file import load_model

    model = written(WING, tmp_path / "wing.py", 'of attack"', 'of attack", range=(-0.8, 0.8)')
    wing = load_model(Path(model))["wing"]
    row = verified(wing, tmp_path / "c")
    assert (row.ok, row.trials_left_out) == (True, 0)


def test_what_stands_on_the_side_that_is_not_chosen_does_no_harm(tmp_path: Path) -> None:
    """The exponential is infinite there, but it is not used."""
    softplus = made(lambda x: select(x < 80, log(1 + exp(x)), x), (-80, 200))
    row = verified(softplus, tmp_path / "softplus")
    assert (row.problems, row.left_out) == ([], [])
    sinc = made(lambda x: select(x * x < 1e-4, 1 - x * x / 6, sin(x) / x), (-3, 3))
    row = verified(sinc, tmp_path / "sinc")
    assert (row.problems, row.left_out) == ([], [])


def test_a_singularity_inside_a_range_is_a_finding_unless_a_precondition_excludes_it(tmp_path: Path) -> None:
    row = verified(made(lambda x: 1 / x, (-1, 1)), tmp_path / "found")
    assert row.problems
    assert row.problems[0] == "*y = 1.0F / x has no real value at x = 0, inside the declared range"
    row = verified(made(lambda x: 1 / x, (-1, 1), requires="x is not 0"), tmp_path / "required")
    assert row.ok
    assert [(x.reason, x.count, x.example) for x in row.left_out] == [
        ("no value", 1, "*y = 1.0F / x has no real value at x = 0")
    ]
    row = verified(made(lambda x: log(x)), tmp_path / "free")
    assert row.ok
    assert row.left_out[0].example.startswith("*y = logf(x) has no real value at x = -")


def test_an_overflow_that_hangs_on_an_input_without_a_range_is_left_out(tmp_path: Path) -> None:
    inputs = [Arg("x", REAL, "1", "", range=(-1, 1)), Arg("z", REAL, "1", "")]
    outputs = [Arg("y", REAL, "1", "")]
    both = kernel(inputs=inputs, outputs=outputs, equation="", source="", name="both")
    row = verified(both(lambda x, z: exp(60 * x + z)), tmp_path)
    assert row.problems == []
    assert row.left_out[0].reason == "overflow"
    assert re.search(r"at x = \S+, z = \S+$", row.left_out[0].example)


def steep(x: Any) -> Any:
    """The square root of what is zero in float below -104; its derivative divides by it."""
    return sqrt(exp(x))


def test_a_derivative_that_divides_by_an_underflow_is_left_out(tmp_path: Path) -> None:
    slope = jacobian(made(steep), "slope", ["y"], {"dy": ["x"]})
    row = verified(slope, tmp_path)
    assert row.problems == []
    (left,) = (x for x in row.left_out if x.reason == "underflow")
    assert re.fullmatch(r"\w+ = expf\(x\) is too close to zero for float at x = -\S+", left.example)
    assert list(left_out_in_words([row]))[-1].startswith("A range, ")


def test_an_underflow_inside_a_range_is_a_finding_that_names_the_operation(tmp_path: Path) -> None:
    slope = jacobian(made(steep, (-200, -150)), "slope", ["y"], {"dy": ["x"]})
    row = verified(slope, tmp_path)
    assert re.fullmatch(
        r"\w+ = expf\(x\) is too close to zero for float at x = -\S+, inside the declared range: "
        "write it in a form that does not need it, or narrow the range",
        row.problems[0],
    )


def test_a_result_that_is_not_finite_is_named_with_the_inputs(tmp_path: Path) -> None:
    """It is no excuse for a function that returns a status."""

    def checked(x: Any) -> Any:
        return 1 / sqrt(exp(select(require(x < 9, Status.OUTSIDE), x, 0)))

    row = verified(made(checked, (-140, -110), failures={Status.OUTSIDE: "x is large"}), tmp_path)
    assert re.fullmatch(
        r"y is inf at x = -\d\S+: \*y = 1\.0F? / sqrtf?\(.*\) is inf there, "
        r"although the formula has a value: write another form, .*, "
        r"or declare a range that leaves such inputs out",
        row.problems[0],
    )


def test_an_error_is_named_with_the_result(tmp_path: Path) -> None:
    generate([library()["quat_multiply"]], Options(precisions=("f64",)), tmp_path)
    source = tmp_path / "fc_rotation_f64.c"
    text = source.read_text()
    assert "pq->x = " in text
    source.write_text(text.replace("pq->x = ", "pq->x = 1.001 * ", 1))
    (row,) = verify(tmp_path, library())
    assert re.match(r"an error of \S+ in pq_x at p = \(.*\), q = \(", row.problems[0])


def test_unchecked_functions_count_what_is_outside_of_their_precondition(tmp_path: Path) -> None:
    row = verified(library()["quat_normalize"], tmp_path, checks=False)
    assert row.ok
    assert [(x.reason, x.count) for x in row.left_out] == [("precondition", 2)]
    assert row.left_out[0].example == "the precondition does not hold at q_w = 0, q_x = 0, q_y = 0, q_z = 0"
    assert list(left_out_in_words([row])) == [
        f"{row.symbol}: 2 of 68 trials left out: {row.left_out[0].example}"
    ]


def test_a_guarded_overflow_is_judged(tmp_path: Path) -> None:
    """The condition of the flag detects the overflow."""

    def guarded(x: Any) -> Any:
        fits = require(exp(x) < 1e30, Status.NOT_FINITE)
        return exp(select(fits, x, 0))

    row = verified(made(guarded, (-200, 200), failures={Status.NOT_FINITE: "exp(x) is large"}), tmp_path)
    assert (row.problems, row.left_out) == ([], [])


def test_a_function_of_which_nothing_can_be_judged_fails(tmp_path: Path) -> None:
    hopeless = made(lambda x: exp(1000 * (1 + x * x)))
    row = verified(hopeless, tmp_path)
    assert not row.ok
    assert row.failure.startswith("no trial could be judged; *y = expf(")
    text = (tmp_path / "selftest.c").read_text()
    assert "fc_made_f32 is not tested here: no input is left." in " ".join(text.replace(" *", " ").split())
    command = [
        tool("gcc"),
        *STRICT,
        "-DFC_SELFTEST_MAIN",
        f"-I{tmp_path}",
        *map(str, tmp_path.glob("*.c")),
        "-lm",
    ]
    subprocess.run([*command, "-o", str(tmp_path / "selftest")], check=True)
    subprocess.run([str(tmp_path / "selftest")], check=True)


def test_only_what_the_results_need_is_followed() -> None:
    program, system = made(lambda x: select(x < 0, log(x), x * 2)).program(), multiprecision(F64)
    for number, expected in ((2, 4), (-2, UNDEFINED)):
        values = evaluate(program, partial(system), [system.constant(Fraction(number))]).values
        assert values[program.results[0]] == expected
        used = {program.nodes[i].op.label for i in followed(program, values, program.results)}
        assert ("log" in used, "mul" in used) == (number < 0, number > 0)


def test_a_property_is_certified_where_no_requirement_fails_and_there_only() -> None:
    def root(least: float) -> Kernel:
        return made(lambda x: sqrt(select(require(x > least, Status.NOT_FINITE), x, 1)))

    for least, holds in ((0, True), (1e9, False)):
        found = residual(root(least), lambda x, y: [y * y - x])
        assert found.cases + found.left_out == len(list(cases(root(least).inputs, 24, "")))
        assert (found.cases > 0, found.holds) == (holds, holds)
        assert found.left_out > 3
    proof = Proof("root", (), Verdict(100), Residual(0, 41, 2))
    assert proof.status == "certified numerically at 41 of 43 points"


def test_a_residual_of_large_numbers_is_judged_by_its_terms() -> None:
    """60 digits of 10^60 end far above the bound for numbers near 1."""
    diagonal = made(lambda x: x * sqrt(2), (10**30, 2 * 10**30))
    assert residual(diagonal, lambda x, y: [y * y - 2 * x * x]).holds
    assert not residual(diagonal, lambda x, y: [y * y - 2 * x * x - x]).holds


# what differs only outside of a range

ELSEWHERE = "elsewhere, formula and equation differ in output scalar 0"


@pytest.mark.parametrize(
    ("formula", "equation", "range"),
    [
        (lambda x: x, "y = |x|", (0, 1)),
        (lambda x: x, "y = sqrt(x^2)", ("0.001", 1e6)),
        (lambda x: select(x > 999.7, x + 1, x), "y = x", (0, 999)),
    ],
)
def test_a_difference_outside_of_the_range_is_no_failure_and_no_proof(
    formula: Any, equation: str, range: Any
) -> None:
    ends = tuple(map(float, range))
    status = prove(made(formula, ends, equation=equation)).status
    assert re.fullmatch(rf"tested at \d+ points inside the declared ranges, not proven: {ELSEWHERE}", status)
    assert prove(made(formula, equation=equation)).status.startswith("failed: formula and equation differ")


@pytest.mark.parametrize(
    ("formula", "equation", "range"),
    [
        (lambda x: x, "y = |x|", (-1, 1)),
        (lambda x: x, "y = |x|", (-0.001, 1e6)),
        (lambda x: x + 1e-100, "y = |x|", (0, 1)),
        (lambda x: select(x > 999.7, x + 1, x), "y = x", (0, 1000)),
        (lambda x: select((x >= 0.3) & (x <= 0.3), x + 1, x), "y = x", (0, 1)),
        (lambda x: select(x > 500, x, log(-1 - x)), "y = |x|", (0, 1)),
    ],
)
def test_a_difference_inside_of_the_range_is_a_failure(formula: Any, equation: str, range: Any) -> None:
    status = prove(made(formula, range, equation=equation)).status
    assert status.startswith("failed: formula and equation differ"), status


def test_a_reference_with_roots_of_numpy_is_compared_inside_of_the_range(tmp_path: Path) -> None:
    rooted = made(lambda x: x, (0, 1), reference=lambda x: np.sqrt(x * x))
    row = verified(rooted, tmp_path)
    assert row.ok, row
    assert re.fullmatch(r"tested at \d+ points .* formula and reference differ in output scalar 0", row.proof)
    assert prove(replace(rooted, reference=lambda x: 2 * np.sqrt(x * x))).status.startswith("failed")


def test_the_range_of_a_member_and_stated_conditions_are_compared_inside() -> None:
    flat = record("flat", "A pair", [Arg("x", REAL, "1", "", range=(1, 2)), Arg("y", REAL, "1", "")])
    absolute = made(lambda x: x.x, type=flat, definition=lambda x: [Abs(x[0])])
    assert prove(absolute).status.startswith("tested at ")
    assert prove(replace(absolute, definition=lambda x: [Abs(x[1])])).status.startswith("failed")

    def guarded(x: Any) -> Any:
        return sqrt(select(require(x > 0, Status.NOT_FINITE), x, 1))

    def status(unless: str) -> str:
        stated = {Status.NOT_FINITE: Failure(unless, "y = 1")}
        return prove(made(guarded, (0.5, 2), equation="y = sqrt(x)", failures=stated)).status

    assert status("x > 0") == "proven"
    assert re.match(
        r"tested at \d+ points inside the declared ranges, not proven: .* flags", status("|x| > 0")
    )
    assert status("x > 1").startswith("failed: the formula has other conditions")
    assert status("x > 1").endswith("than its documentation, see NOT_FINITE")


# where a range is shown and kept


RANGED = ('of attack"', 'of attack", range=(-0.8, 0.6)')


@pytest.fixture(scope="module")
def ranged(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The wing with a range that it is made for, and its tree."""
    place = tmp_path_factory.mktemp("ranged")
    model = written(WING, place / "wing.py", *RANGED)
    assert run(["generate", "--model", model, "wing", "-o", str(place / "c")]) == FINE
    return model, place / "c"


def test_headers_and_manifest_have_the_range(ranged: tuple[str, Path]) -> None:
    model, tree = ranged
    header = (tree / "fc_wing_f32.h").read_text()
    assert " * @param[in] alpha angle of attack [rad], -0.8 to 0.6\n" in header
    assert " * @param[in] q_S dynamic pressure times wing area [N]\n" in header
    manifest = json.loads((tree / "manifest.json").read_text())
    assert [a.get("range") for a in manifest["functions"][0]["arguments"]] == [[-0.8, 0.6], None, None]
    assert run(["check", "--model", model, str(tree)]) == FINE


@pytest.mark.parametrize(
    ("declared", "shown", "kept"),
    [
        ((0, 40), "each 0 to 40", [0, 40]),
        ((-math.pi / 2, 2 * math.pi), "each -pi/2 to 2 pi", [-math.pi / 2, 2 * math.pi]),
        ((-1.57, 3 * math.pi / 4), "each -1.57 to 3 pi/4", [-1.57, 3 * math.pi / 4]),
        (((0, 40), (-5, 5), (-5, 5)), "v_x 0 to 40, v_y and v_z -5 to 5", [[0, 40], [-5, 5], [-5, 5]]),
    ],
)
def test_ranges_of_several_scalars_in_words_and_in_the_manifest(declared: Any, shown: str, kept: Any) -> None:
    argument = Arg("v", Vec3, "m/s", "", range=declared)
    assert argument.range_in_words == shown
    assert pairs(argument.ends) == kept
    assert Arg("v", Vec3, "m/s", "", range=kept).ends == argument.ends


def test_inspect_and_book_show_the_range(
    ranged: tuple[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["inspect", "--model", ranged[0], "wing"]) == FINE
    assert re.search(r"rad +-0.8 to 0.6 ", capsys.readouterr().out)
    assert run(["inspect", "--model", ranged[0], "wing", "--as", "json"]) == FINE
    assert json.loads(capsys.readouterr().out)["inputs"][0]["range"] == [-0.8, 0.6]


def test_a_value_outside_of_its_range_cannot_be_bound(
    ranged: tuple[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, code in ((0.6, FINE), (0.61, USER)):
        (tmp_path / "bound.toml").write_text(f"[bind]\nalpha = {number}\n")
        arguments = ["--model", ranged[0], "--bind", str(tmp_path / "bound.toml"), "-o", str(tmp_path / "c")]
        assert run(["generate", "wing", *arguments]) == code
    assert capsys.readouterr().err.endswith(
        "bound.toml: alpha = 0.61 is outside its declared range, -0.8 to 0.6: "
        "bind a value inside it, or change the range in the model\n"
    )


@pytest.mark.parametrize("declared", [(0, 1e60), (1e-60, 1e-50), (1, 1.000000001)])
def test_a_range_that_float_does_not_hold_is_refused_there_alone(declared: Any, tmp_path: Path) -> None:
    k = made(lambda x: x + 1, declared)
    assert verified(k, tmp_path / "double", "f64").ok
    with pytest.raises(FeatherError, match=r"^kernel made: float does not hold the range of x, "):
        generate([k], Options(), tmp_path / "both")


# diff


def differing(tree: Path, old: str, new: str) -> dict[str, Any]:
    """What diff says of a tree with one function in float after an edit of its C."""
    before = {path: text for path, text in read_tree(str(tree)).files.items() if "f64" not in path}
    (path,) = (path for path in before if path.endswith("_f32.c"))
    source = before[path].decode()
    assert old in source
    (change,) = compare_trees(before, {**before, path: source.replace(old, new).encode()})
    assert change.witness is not None
    return {"kind": change.kind.value, "detail": change.detail, **change.witness.inputs}


def test_a_counterexample_lies_inside_the_declared_range(ranged: tuple[str, Path]) -> None:
    found = differing(ranged[1], "0.28F", "0.29F")
    assert found["kind"] == "changed"
    low, high = float(np.float32(-0.8)), float(np.float32(0.6))  # the ends, as float holds them
    assert low <= found["alpha"] <= high
    assert "outside" not in found["detail"]
    beyond = differing(ranged[1], "(alpha < 0.0F) ? -1.0F", "(alpha < -0.9F) ? -1.0F")
    assert low <= beyond["alpha"] < 0
    hidden = differing(ranged[1], "sinf(alpha)", "((alpha < -0.9F) ? 0.0F : sinf(alpha))")
    assert hidden["kind"] == "changed"
    assert hidden["alpha"] < -0.9
    assert hidden["detail"].endswith(", outside the declared range")


def test_counterexamples_inside_are_looked_for_before_others(tmp_path: Path) -> None:
    """Beyond the range both differ almost everywhere, inside on a two-thousandth."""
    generate([made(lambda x: x * x, (0, 1000))], Options(precisions=("f32",)), tmp_path)
    rare = "(x > 1001.0F || (x > 999.3F && x < 999.8F)) ? 0.0F : x * x"
    assert 999.3 < differing(tmp_path, "x * x", rare)["x"] < 999.8


def test_points_of_a_comparison_reach_the_ends_of_ranges() -> None:
    points = Sampler([Arg("x", REAL, "", "", range=(-3, 70)), Arg("z", REAL, "", "")], np.float32).typical()
    assert (points[0].min(), points[0].max()) == (-3, 70)
    assert np.abs(points[1]).max() > 100


@pytest.mark.parametrize(
    ("old", "new", "kind", "detail"),
    [
        ((-1, 1), (-1, 1), "identical", "the same text"),
        ((-1, 1), (-2, 1), "interface", "the declared range of x is [-2, 1] instead of [-1, 1]"),
        (None, (-2, 1), "interface", "the declared range of x is [-2, 1] instead of none"),
        ((-1, 1), None, "interface", "the declared range of x is none instead of [-1, 1]"),
    ],
)
def test_another_range_is_another_interface(
    old: Any, new: Any, kind: str, detail: str, tmp_path: Path
) -> None:
    for place, declared in ((tmp_path / "old", old), (tmp_path / "new", new)):
        generate([made(lambda x: x * x, declared)], Options(precisions=("f32",)), place)
    before, after = (read_tree(str(tmp_path / place)).files for place in ("old", "new"))
    (change,) = compare_trees(before, after)
    assert (change.kind.value, change.detail.partition("; argument")[0]) == (kind, detail)
    del before["manifest.json"]
    (change,) = compare_trees(before, after)
    stated = "identical" if old == new else "contract"
    assert change.kind.value == stated, "without a manifest, only comments state the range"


def test_a_damaged_manifest_declares_nothing(ranged: tuple[str, Path]) -> None:
    text = (ranged[1] / "manifest.json").read_text()
    assert declared_ranges(text)["fc_wing_f32"] == {"alpha": [-0.8, 0.6]}
    for damaged in ("", "[]", "{}", '{"functions": 3}', '{"functions": [{"symbol": "f"}]}', "[" * 100_000):
        assert declared_ranges(damaged) == {}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([-1, 2], [-2, 1], ((-2, 2),)),
        ([-1, 2], None, ()),
        (None, [-1, 2], ()),
        ([-1, 2], [2, -1], ()),
        ([-1, 2], [-1e60, 2], ()),
        ([-1, 2], {"x": 1}, ()),
    ],
)
def test_two_trees_are_compared_on_what_holds_both_ranges(old: Any, new: Any, expected: Any) -> None:
    assert constraint.ranged(Arg("x", REAL, "", ""), [old, new], F32).ends == expected


# the book


@pytest.mark.parametrize(
    ("argument", "logarithmic"),
    [
        (Arg("x", REAL, "rad", "", range=(-0.8, 0.6)), False),
        (Arg("x", POSITIVE, "kg", "", range=(0.002, 5)), True),
        (Arg("x", Vec3, "m/s", "", range=((0, 40), (-5, 5), (-3, -1))), False),
    ],
)
def test_sweeps_stay_inside_the_range_and_reach_its_ends(argument: Arg, logarithmic: bool) -> None:
    (sweep,) = sweeps(argument)
    assert sweep.logarithmic is logarithmic
    draw = random.Random(1)
    found = [sweep.at(x, lambda: draw.uniform(-2, 2)) for x in sweep.points for _ in range(20)]
    for scalars, (low, high) in zip(zip(*found, strict=True), argument.ends, strict=True):
        assert float(low) <= min(scalars)
        assert max(scalars) <= float(high)
        assert max(scalars) - min(scalars) > 0.9 * float(high - low)


def test_plots_say_what_they_leave_out() -> None:
    (panel,) = panels(made(lambda x: log(x)))
    assert [(c.draws, c.with_flag) for c in panel.curves] == [(2500, 0), (2500, 0)]
    for curve in panel.curves:
        assert 800 < curve.not_finite < 1750, "about half of the numbers are negative"
    n, m = (c.not_finite for c in panel.curves)
    text = f"Left out of 2500 inputs: double {n} without a finite result; float {m} without a finite result."
    assert left_out(panel) == text
    (panel,) = panels(made(lambda x: log(x), (0.5, 4)))
    assert left_out(panel) == ""


def test_what_rounding_decides_is_named_with_the_inputs_that_it_depends_on(tmp_path: Path) -> None:
    """All numbers of all arguments were shown, and no statement."""

    @kernel(
        inputs=[Arg("a", Array((9,)), "1", "numbers"), Arg("b", REAL, "1", "a number")],
        outputs=[Arg("y", REAL, "1", "whole part of a sum, and more")],
        equation="y = floor(10^5 (a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6])) + a[7] a[8] + b",
        source="none",
    )
    def whole(a: Any, b: Any) -> Any:
        """The whole part of a sum."""
        return floor(100_000 * sum((a[k] for k in range(1, 7)), a[0])) + a[7] * a[8] + b

    generate([whole], Options(precisions=("f32",)), tmp_path)
    (row,) = verify(tmp_path, {"whole": whole})
    (decided,) = [x.example for x in row.left_out if x.reason == "cell"]
    assert re.fullmatch(
        r"\*y = floorf\(.* is decided by rounding, and a result jumps with it, "
        r"at a_0 = [^,]*(, a_[1-6] = [^,]*){6}",
        decided,
    )
