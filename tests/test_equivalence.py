"""Equivalence: every kernel is proven, and every kind of mistake in any one way of computing it is caught."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from codegen.frontends.define import kernel
from codegen.frontends.formula import lower
from codegen.ir.exploration import POINTS
from codegen.ir.modular import NoRoot, Residue, World, modular, prime
from codegen.ir.modular import residues as random_numbers
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program
from codegen.ir.types import REAL, Array, sample
from codegen.library import forms, library
from codegen.library.shared.dense import Result
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Mat3, Rotation, SymMat3, UnitQuaternion
from codegen.modeling.types.scalar import (
    absolute,
    acos,
    asin,
    cos,
    every,
    exp,
    log,
    maximum,
    minimum,
    select,
    sin,
    some,
    sqrt,
    tan,
)
from codegen.passes.pipeline import optimised
from codegen.proof import proof
from codegen.proof.at_once import divides_safely
from codegen.proof.domains import compare_where_used
from codegen.proof.equivalence import CERTAIN, Driven, Verdict, compare
from codegen.proof.extents import Account
from codegen.proof.proof import definition_of, independent_forms, prove, reference_of
from tests.conftest import sampled
from tests.stated import in_sympy, zeros_in_sympy

SEQUENCES = [a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c]
BY_PROPERTY = {
    "rpy_from_dcm", "rpy_from_quat", "angle_wrap", "axis_angle_from_quat", "geodetic_from_ecef",
    "inertia_factor", "inertia_principal", "quat_error", "rotvec_from_quat", "transform_interpolate",
    "transform_log", "dcm_nearest", "quat_mean", "quat_mean_pair",
    *(f"euler_{s}{kind}_from_{x}" for s in SEQUENCES for kind in ("", "_intrinsic") for x in ("dcm", "quat")),
}  # fmt: skip
"""Kernels whose results are arcs or conventions: no algebra connects them with the reference's, only their
property does."""

STATUS_ONLY = {"inertia_validate"}

MANY_PATHS = {"inertia_principal", "dcm_nearest", "quat_mean"}
"""Kernels with more paths through their choices than can be followed."""

each_kernel = pytest.mark.parametrize("name", library())


# What is true is proven


@pytest.mark.parametrize("name", sampled(sorted(library(), key=lambda name: name in MANY_PATHS), every=8))
def test_every_kernel_is_proven(name: str) -> None:
    found = prove(library()[name])
    by_property = name in BY_PROPERTY | STATUS_ONLY
    assert re.fullmatch(
        r"certified numerically( at \d+ of \d+ points)?" if by_property else "proven", found.status
    )
    assert set(found.ways) >= {"formula", "passes"} | (set() if name in STATUS_ONLY else {"casadi"})
    assert found.verdict.modular_points >= POINTS * found.verdict.paths * (not found.verdict.sampled)
    assert found.verdict.sampled == (name in MANY_PATHS)
    assert found.verdict.sampled or found.verdict.chance < CERTAIN
    assert found.verdict.float_points > 0
    assert found.certified == (by_property or forms.defining_property(name) is not None)
    by_a_property = bool(library()[name].outputs and found.property_residual)
    independent = [way for way in found.ways if way in ("definition", "derivation", "reference", "equation")]
    assert independent_forms(library()[name]) == independent + ["property"] * by_a_property


@each_kernel
def test_every_kernel_has_a_textbook_form_and_a_reference(name: str) -> None:
    known = library()[name]
    assert reference_of(known) is not None
    assert (definition_of(known) is None) == (name in BY_PROPERTY | STATUS_ONLY)
    assert definition_of(known) or forms.defining_property(name) or name in STATUS_ONLY


@pytest.mark.parametrize("name", ["quat_multiply", "inertia_transform", "quat_normalize", "quat_inverse"])
def test_rational_kernels_are_compared_in_fractions_too(name: str) -> None:
    """Roots of squares among them: random quaternions have a rational norm."""
    assert prove(library()[name]).verdict.fraction_points == POINTS


@pytest.mark.parametrize("equation", ["y = a/0", "y = a/(a - a)"])
def test_an_equation_without_values_is_not_called_tested(equation: str) -> None:
    @kernel(inputs=A, outputs=Y, equation=equation, source="a test")
    def same(a: Any) -> Any:
        return a

    status = prove(same).status
    assert re.fullmatch(
        r"failed: equation has no value at \d+ of \d+ points at which formula has one", status
    ), status


def test_a_kernel_with_nothing_to_compare_with_is_not_called_proven() -> None:
    @kernel(inputs=A, outputs=Y, equation="twice a", source="a test")
    def twice(a: Any) -> Any:
        return a + a

    assert prove(twice).status == "own formula only"
    assert prove(replace(twice, equation="y = 2 a")).status == "proven"
    assert prove(replace(twice, equation="y = 3 a")).status.startswith("failed: formula and equation differ")
    right = replace(twice, definition=lambda a: [2 * a])
    assert prove(right).status == "proven"
    wrong = replace(twice, definition=lambda a: [3 * a])
    assert prove(wrong).status == "failed: formula and definition differ in output scalar 0"


# What is wrong is caught


SUBJECTS = ["quat_rotate", "quat_to_dcm", "transform_compose", "inertia_transform", "articulated_transform",
            "inertia_bias_force", "rigid_body_dynamics_quat"]  # fmt: skip
"""Kernels that have every way there is."""

each_subject = pytest.mark.parametrize("name", SUBJECTS)


def sums(program: Program) -> list[int]:
    return [i for i, node in enumerate(program.nodes) if node.op in (Op.ADD, Op.SUB)]


def flipped(program: Program, at: int) -> Program:
    """The Program with one sum turned into a difference, or the other way round."""
    nodes = list(program.nodes)
    nodes[at] = Node({Op.ADD: Op.SUB, Op.SUB: Op.ADD}[nodes[at].op], nodes[at].args)
    return replace(program, nodes=tuple(nodes))


def middle_flipped(program: Program) -> Program:
    """The Program with the sign of a sum near its middle turned, one that its value depends on."""
    places = sums(program)
    later_first = places[len(places) // 2 :] + places[: len(places) // 2]
    mutants = (flipped(program, at) for at in later_first)
    return next(m for m in mutants if differ(program, m))


def differ(right: Program, wrong: Program) -> bool:
    return not compare(right.inputs, {"right": Driven(right), "wrong": Driven(wrong)}).proven


@pytest.mark.parametrize("name", sampled(library(), every=28, exhaustive=3))
def test_each_sign_of_each_program_matters(name: str) -> None:
    """Mutation by mutation: no sum of any kernel can become a difference unnoticed."""
    known = library()[name]
    program = optimised(known, checks=False)
    assert [at for at in sums(program) if not differ(program, flipped(program, at))] == []


def wrong_definition(right: Callable[..., Any]) -> Callable[..., Any]:
    """The SymPy definition with one term's sign turned."""
    import sympy

    def define(*arguments: Any) -> list[Any]:
        results = list(right(*arguments))
        at = next(i for i, e in enumerate(results) if sympy.expand(e).is_Add)
        results[at] -= 2 * sympy.expand(results[at]).args[-1]
        return results

    return define


def wrong_derivation(right: Callable[..., Any]) -> Callable[..., Any]:
    """The CasADi derivation with one sum turned into a difference."""
    import casadi

    def derive(*arguments: Any) -> Any:
        first, *others = casadi.vertsplit(right(*arguments))
        return casadi.vertcat(turned(first), *others)

    def turned(e: Any) -> Any:
        if e.op() == casadi.OP_DIV:
            return turned(e.dep(0)) / e.dep(1)
        return {casadi.OP_ADD: e.dep(0) - e.dep(1), casadi.OP_SUB: e.dep(0) + e.dep(1)}[e.op()]

    return derive


def wrong_reference(right: Callable[..., Any]) -> Callable[..., Any]:
    """The NumPy reference with one sign of its last result turned."""

    def refer(*arguments: Any) -> Result:
        outputs, status = right(*arguments)
        last = outputs[-1].copy()
        last[-1] = -last[-1]
        return Result((*outputs[:-1], last), status)

    return refer


def wrong_formula(right: Callable[..., Any]) -> Callable[..., Any]:
    """The formula itself with a sign turned: traced, optimised and run on CasADi all alike."""

    def formula(*values: Any) -> Any:
        results = right(*values)
        first, *others = results if isinstance(results, tuple) else (results,)
        scalars = first.scalars()
        turned = type(first).of([-scalars[0], *scalars[1:]])
        return (turned, *others) if others else turned

    return formula


def with_formula(known: Kernel, formula: Callable[..., Any]) -> Kernel:
    return replace(
        known,
        formula=formula,
        lower=lambda checks: lower(known.inputs, known.outputs, formula, checks),
        definition=definition_of(known),
        reference=reference_of(known),
    )


@each_subject
def test_right_ways_given_by_hand_are_proven(name: str) -> None:
    """The wrappers below change nothing but what they say they change."""
    known = library()[name]
    assert known.formula is not None
    same = with_formula(known, lambda *values: known.formula(*values))  # type: ignore[misc]
    assert prove(same).status == "proven"


@each_subject
def test_a_wrong_formula_is_caught(name: str) -> None:
    known = library()[name]
    assert known.formula is not None
    wrong = with_formula(known, wrong_formula(known.formula))
    assert prove(wrong).status.startswith("failed: formula and definition differ")


@each_subject
def test_a_wrong_program_is_caught(name: str) -> None:
    """As a mistake in tracing would give it: CasADi runs the formula itself."""
    known = library()[name]
    wrong = replace(known, lower=lambda checks: middle_flipped(known.program(False)))
    assert prove(wrong).status.startswith("failed: formula and casadi differ")


@each_subject
def test_a_wrong_definition_is_caught(name: str) -> None:
    known = library()[name]
    right = definition_of(known)
    assert right is not None
    wrong = replace(known, definition=wrong_definition(in_sympy(known, right)))
    assert prove(wrong).status.startswith("failed: formula and definition differ")


@each_subject
def test_a_wrong_derivation_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = forms.derivation(name)
    assert right is not None
    wrong = wrong_derivation(right)
    monkeypatch.setattr(forms, "derivation", lambda _: wrong)
    assert prove(library()[name]).status.startswith("failed: formula and derivation differ")


@each_subject
def test_a_wrong_reference_is_caught(name: str) -> None:
    known = library()[name]
    right = reference_of(known)
    assert right is not None
    wrong = replace(known, reference=wrong_reference(right))
    assert prove(wrong).status.startswith("failed: formula and reference differ")


@pytest.mark.parametrize(
    ("factor", "status"), [("", "tested at "), ("2 ", "failed: closed form and equation ")]
)
def test_independent_forms_of_a_series_are_compared_where_the_own_ones_are_not_proven(
    factor: str, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = iter([True, False])

    def sampled_first(*given: Any) -> Verdict:
        return replace(compare_where_used(*given), sampled=next(compared))

    monkeypatch.setattr(proof, "compare_where_used", sampled_first)
    known = library()["quat_from_rotvec"]
    stated = replace(known, equation=known.equation.replace("q = [", f"q = {factor}["))
    assert prove(stated).status.startswith(status)


@each_subject
@pytest.mark.parametrize(
    ("way", "maker"),
    [("passes", "optimised"), ("casadi", "casadi_program"), ("derivation", "derivation_program")],
)
def test_a_wrong_program_of_any_way_is_caught(
    name: str, way: str, maker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = getattr(proof, maker)
    monkeypatch.setattr(proof, maker, lambda *args, **options: middle_flipped(make(*args, **options)))
    assert prove(library()[name]).status.startswith(f"failed: formula and {way} differ")


@pytest.mark.parametrize(
    "name", ["rpy_from_dcm", "rpy_from_quat", "euler_zxz_from_dcm", "euler_yzx_from_quat"]
)
def test_a_property_that_does_not_hold_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stated = forms.defining_property(name)
    assert stated is not None
    right = zeros_in_sympy(library()[name], stated)

    def mirrored(argument: Any, rpy: Sequence[Any]) -> Any:
        return right(argument, [*rpy[:2], -rpy[2]])

    monkeypatch.setattr(forms, "defining_property", lambda _: mirrored)
    assert prove(library()[name]).status == "failed: its property does not hold"


# The comparison itself


A = (Arg("a", REAL, "1", "a number"),)
Y = (Arg("y", REAL, "1", "the result"),)


def driven(formula: Callable[[Any], Any]) -> Driven:
    return Driven(lower(A, Y, formula, checks=True))


def verdict(**formulas: Callable[[Any], Any]) -> Verdict:
    return compare(A, {name: driven(formula) for name, formula in formulas.items()})


def test_a_constant_off_by_1e_30_is_caught() -> None:
    third = Fraction(1, 3)
    near = third * (1 + Fraction(1, 10**30))
    assert verdict(right=lambda a: a * third, same=lambda a: a / 3).proven
    assert verdict(right=lambda a: a * third, near=lambda a: a * near).difference


@pytest.mark.parametrize(
    "factor",
    [*(Fraction(2) ** k for k in range(-200, 201, 8) if k), 2**61 - 1, 2**89 - 1, 2**107 - 1, 2**127 - 1],
    ids=str,
)
def test_no_constant_factor_is_proven_away(factor: Fraction) -> None:
    assert not verdict(right=lambda a: a * a, wrong=lambda a: a * a * factor).proven
    assert not verdict(right=lambda a: a * a, wrong=lambda a: a * a + factor - 1).proven


def test_the_primes_that_a_comparison_draws_do_not_fit_what_is_made_of_them() -> None:
    """The seed is a digest of what is compared, so a formula that knows its primes is another formula."""
    found = verdict(right=lambda a: a, same=lambda a: a + 0)
    product = 1
    for number in range(1, 50):
        product *= prime(f"{found.seed} {number}")
    assert found.proven
    assert verdict(right=lambda a: a, wrong=lambda a: a + product).difference


def test_a_select_that_never_turns_is_not_proven() -> None:
    """Its other side might be anything, and rounding may take it."""
    found = verdict(right=lambda a: select(a <= a + 0, a, a), unseen=lambda a: select(a <= a + 0, a, 7 * a))
    assert found.difference == ""
    assert "a comparison of numbers that are equal everywhere" in found.shortcoming
    assert not found.proven
    assert verdict(right=lambda a: select(a <= 0, a, -a), same=lambda a: -abs(a)).proven


def test_both_sides_of_a_select_are_compared() -> None:
    """The wrong side is taken at one point in two: points are drawn until it has been."""
    assert verdict(right=lambda a: select(a < 3, a, -a), wrong=lambda a: select(a < 3, a, a)).difference
    assert verdict(right=lambda a: select(a < 3, a, -a), wrong=lambda a: select(a < 3, -a, -a)).difference


def test_roots_are_taken_where_the_field_has_them() -> None:
    """Half of the numbers have none: those points are left out and others drawn."""
    assert verdict(right=lambda a: sqrt(a * a), wrong=lambda a: a).difference
    assert verdict(right=lambda a: sqrt(sqrt(a) + 1), same=lambda a: sqrt(1 + sqrt(a))).proven
    found = verdict(right=lambda a: sqrt(a) * sqrt(a), same=lambda a: a)
    assert found.proven
    assert found.left_out["a root that the field does not have"] > 0


@pytest.mark.parametrize("roots", [1, 4, 8, 12])
@pytest.mark.parametrize("factor", [1, 2, 38, -1, Fraction(1001, 1000)], ids=str)
def test_points_are_not_lost_to_roots(roots: int, factor: Fraction) -> None:
    """Each of the roots exists for half of the numbers; the comparison behind them still counts."""

    def way(k: Fraction | int) -> Driven:
        def formula(a: Any) -> Any:
            return sum((sqrt(x) for x in a[:roots]), 0) + select(k * a[roots] < a[roots + 1], *a[roots:])

        return Driven(lower(inputs, Y, formula, checks=True))

    inputs = (Arg("a", Array((roots + 2,)), "1", "numbers"),)
    assert compare(inputs, {"right": way(1), "other": way(factor)}).proven == (factor == 1)


def raised(a: Any, squarings: int) -> Any:
    return a if squarings == 0 else raised(a * a, squarings - 1)


@pytest.mark.parametrize("squarings", [60, 100, 110, 122])
def test_formulas_of_high_degree_are_compared_at_more_points(squarings: int) -> None:
    """The bound is a quotient of degree and prime: at three points it is too weak from 2^94 on.

    Where it is hardly smaller than 1 many more points would not do.
    """
    found = verdict(
        right=lambda a: raised(a, squarings) * (a + 1),
        same=lambda a: raised(a, squarings) * a + raised(a, squarings),
    )
    assert found.agreed
    assert found.proven == (squarings < 122)
    assert found.modular_points == POINTS * {60: 1, 100: 2, 110: 3, 122: 1}[squarings]
    assert (found.chance < CERTAIN) == found.proven
    assert verdict(right=lambda a: raised(a, squarings), wrong=lambda a: raised(a, squarings) + a).difference


def test_a_formula_whose_coefficients_outgrow_the_primes_is_not_proven() -> None:
    """All of them may divide its coefficients: at no number of points is the chance below 1."""

    found = verdict(
        right=lambda a: raised(a + 1, 110) * (a + 2),
        same=lambda a: raised(a + 1, 110) * a + 2 * raised(a + 1, 110),
    )
    assert found.agreed
    assert found.chance == 0
    assert not found.proven


def pairs_told_apart(ways: int) -> float:
    """How many pairs of numbers the bound for so many Programs and one result counts at each point."""
    found = verdict(**{str(k): lambda a: raised(a, 80) for k in range(ways)})
    assert found.modular_points == POINTS
    return float(2.0 ** (found.chance / POINTS + 126 - 80))


@pytest.mark.parametrize("ways", [2, 3, 5])
def test_the_bound_counts_each_way_that_the_first_is_compared_with(ways: int) -> None:
    """The difference of a fraction and another one has up to twice the degree of either's parts together."""
    assert pairs_told_apart(ways) >= 2 * (ways - 1)


def test_roots_that_are_arbitrary_functions_are_told_apart_in_pairs() -> None:
    """No point has so many roots of independent numbers, so each root is a function of its number."""
    numbers, count = range(7), 60
    inputs = [Arg(f"x{k}", REAL, "-", "a number") for k in numbers]

    def way(system: Any, x: Any) -> list[Any]:
        return [sum(sqrt(x[0] + k * x[k % 7] + k) for k in range(count))]

    found = compare(inputs, {"one": way, "other": way})
    assert found.proven
    assert 2.0 ** (found.chance / POINTS + 103) >= count * (count - 1) / 2


def test_a_constant_divisor_bounds_as_its_reciprocal_does() -> None:
    """Sums over constant divisors, as of a robot's parameters, have no degree below."""
    a = Account().unknown()
    quotients = sum((a / k for k in range(3, 43)), a)
    products = sum((a * Fraction(1, k) for k in range(3, 43)), a)
    assert quotients.top == products.top
    assert quotients.below.powers == products.below.powers
    assert quotients.below.size.degree == 0
    assert (a / 12 + a / 40).below.size.bits == pytest.approx(math.log2(120))


def test_strict_comparisons_are_told_from_others() -> None:
    """By points at which both sides are equal, where it matters."""
    assert verdict(right=lambda a: select(a < 3, 1, 2), wrong=lambda a: select(a <= 3, 1, 2)).difference
    found = verdict(right=lambda a: select(a < 3, a, 2 * a - 3), same=lambda a: select(a <= 3, a, 2 * a - 3))
    assert found.proven
    assert found.ties > 0


def test_a_condition_dropped_from_many_is_caught() -> None:
    def way(count: int) -> Driven:
        def formula(a: Any) -> Any:
            return select(every(*(x < 1 for x in a[:count])), a[12], 0)

        return Driven(lower(inputs, Y, formula, checks=True))

    inputs = (Arg("a", Array((13,)), "1", "numbers"),)
    assert compare(inputs, {"right": way(12), "same": way(12)}).proven
    assert compare(inputs, {"right": way(12), "wrong": way(11)}).difference


VANISHING = {
    "select": lambda a: select(a < 3, a, 0),
    "absolute value": lambda a: abs(a) - a,
    "root": lambda a: sqrt(a * a) - a,
    "extreme": lambda a: maximum(a, 1) - a,
}
"""Zero for half of the numbers."""


@pytest.mark.parametrize("divisor", VANISHING.values(), ids=VANISHING.keys())
def test_a_divisor_that_vanishes_on_a_path_is_not_cancelled(divisor: Callable[[Any], Any]) -> None:
    """As polynomials with unknown answers, the quotient of a number and itself is one."""
    assert not verdict(right=lambda a: a / a, wrong=lambda a: divisor(a) / divisor(a)).proven
    assert verdict(right=lambda a: 1 / (divisor(a) - 5), same=lambda a: (1 + a - a) / (divisor(a) - 5)).proven


def test_comparisons_are_compared_on_all_paths_at_once() -> None:
    """Where that does not show equality, along every path: an answer times itself is the answer."""

    def ramps(a: Any, turn: Callable[[Any, Any, Any], Any]) -> Any:
        return sum((turn(select(x < k, x, 1), k, x) for k, x in enumerate(a)), 0)

    inputs = (Arg("a", Array((12,)), "1", "numbers"),)

    def way(turn: Callable[[Any, Any, Any], Any]) -> Driven:
        return Driven(lower(inputs, Y, lambda a: ramps(a, turn), checks=True))

    once, otherwise = way(lambda s, k, x: 3 * s), way(lambda s, k, x: s + 2 * s)
    assert compare(inputs, {"right": once, "same": otherwise}).at_once == 1
    assert compare(inputs, {"right": once, "wrong": way(lambda s, k, x: 3 * s + k // 11)}).difference
    nested = verdict(
        right=lambda a: select(a < 3, a, 1), same=lambda a: select(a < 3, select(a < 3, a, 7), 1)
    )
    assert nested.proven
    assert nested.at_once == 0


def over_guarded(other: Callable[[Any], Any]) -> bool:
    """Whether it is safe to divide by what a formula makes of a square, which is zero where a guard fails."""

    def formula(a: Any) -> Any:
        safe = select(a < 3, a, 0)
        return a / other(safe * safe)

    return divides_safely("seed", A, driven(formula).program)


def test_answers_that_constants_contradict_do_not_count() -> None:
    """Where the guard fails, another number is chosen; not if zero is within round-off of the limit."""
    assert over_guarded(lambda square: select(square <= 1, 2, square))
    assert over_guarded(lambda square: select(square <= Fraction(1, 10**30), 2, square))
    assert over_guarded(lambda square: maximum(square, 1))
    assert over_guarded(lambda square: maximum(Fraction(1, 10**30), square))
    assert not over_guarded(lambda square: select(square <= 0, 2, square))
    assert not over_guarded(lambda square: select(square < -1, 2, square))
    assert not over_guarded(lambda square: minimum(square, 1))
    assert not over_guarded(lambda square: minimum(1, square))


@pytest.mark.parametrize(("roots", "safe"), [(2, True), (8, False)])
def test_a_divisor_with_a_value_at_hardly_any_point_is_not_known_to_differ_from_zero(
    roots: int, safe: bool
) -> None:
    """Modulo a prime every second number has a root, and the divisor has a value where all are there."""
    way = driven(lambda a: 1 / sum(sqrt(a + k) for k in range(1, roots + 1)))
    assert divides_safely("seed", A, way.program) is safe


def test_what_is_positive_everywhere_takes_no_other_path() -> None:
    assert verdict(right=lambda a: abs(a * a + 1), same=lambda a: a * a + 1).proven
    assert verdict(right=lambda a: maximum(exp(a), 0), same=exp).proven
    assert verdict(right=lambda a: minimum(Fraction("0.168"), 3) * a, same=lambda a: a * 168 / 1000).proven
    assert verdict(right=lambda a: maximum(a * a * a, 0), wrong=lambda a: a * a * a).difference
    assert verdict(right=lambda a: abs(a * a - 1), wrong=lambda a: a * a - 1).difference


def test_a_square_may_be_zero() -> None:
    assert verdict(
        right=lambda a: select(a * a < 0, 1, 2), wrong=lambda a: select(a * a <= 0, 1, 2)
    ).difference
    assert verdict(right=lambda a: select(a * a > 0, 1, 2), wrong=lambda a: 1 + 0 * a).difference
    assert verdict(right=lambda a: select(a * a > 0, a * a, 0), same=lambda a: a * a).proven
    assert verdict(
        right=lambda a: select(some(a * a > 0, a**2 * a**2 > 0), 1, 2), wrong=lambda a: 1 + 0 * a
    ).difference


def test_ways_must_give_as_many_results() -> None:
    pair = lower(A, [Arg("y", Array((2,)), "1", "pair")], lambda a: (a, a), checks=True)
    found = compare(A, {"one": driven(lambda a: a), "two": Driven(pair)})
    assert found.difference == "one gives 1 scalars, two 2"


# Numbers modulo a prime


def numbers_of_a_world(count: int) -> st.SearchStrategy[list[Residue]]:
    """Numbers of a new world, in which nothing is decided yet."""
    values = st.lists(st.integers(0, 2**127), min_size=count, max_size=count)
    return st.builds(lambda seed, drawn: _numbers(World(seed), drawn), st.integers(0, 3), values)


def _numbers(world: World, values: Sequence[int]) -> list[Residue]:
    return list(map(world.number, values))


residues = numbers_of_a_world(1).map(lambda drawn: drawn[0])
same_world = numbers_of_a_world(2)


@pytest.mark.parametrize("seed", range(8))
def test_primes_are_primes_near_2_127(seed: int) -> None:
    import sympy

    p = prime(str(seed))
    assert sympy.isprime(p)
    assert 2**126 < p < 2**127
    assert [pow(n, (p - 1) // 2, p) for n in (2, 3, 5, 7, -1)] == [1, 1, 1, 1, p - 1]


@given(residues)
def test_angles_are_points_of_the_circle(x: Residue) -> None:
    assert sin(x) * sin(x) + cos(x) * cos(x) == 1
    assert (sin(-x), cos(-x)) == (-sin(x), cos(x))
    assert tan(x) * cos(x) == sin(x)


@pytest.mark.parametrize("seed", range(4))
def test_zero_is_what_it_always_is(seed: int) -> None:
    world = World(seed)
    zero, one = world.number(0), world.number(1)
    assert (sin(zero), cos(zero), tan(zero)) == (zero, one, zero)
    assert sqrt(zero) == zero == abs(zero)
    assert not zero < zero
    assert zero <= zero


@given(residues)
def test_roots_square_to_their_number(x: Residue) -> None:
    assert sqrt(x * x) == absolute(x)
    assert absolute(x) >= 0
    try:
        root = sqrt(x)
    except NoRoot:
        root = sqrt(-x)  # -1 has no root, so one of the two has
        x = -x
    assert root * root == x
    assert root >= 0


@given(st.integers(0, 2**126), st.integers(0, 2**126), st.integers(0, 50))
def test_the_root_of_a_product_is_the_product_of_roots(a: int, b: int, seed: int) -> None:
    world = World(f"products {seed}")
    x, y = world.number(a) ** 2, world.number(b) ** 2
    assert sqrt(x * y) == sqrt(x) * sqrt(y)
    assert sqrt(x * 4) == sqrt(x) * 2


@given(same_world)
def test_the_order_is_total_and_odd(numbers: list[Residue]) -> None:
    a, b = numbers
    assert (a < b) + (b < a) + (a == b) == 1
    assert (a <= b) == (not b < a)
    assert (a > b) == (b < a)
    assert (a < b) == (-b < -a) == (a - b < 0)
    assert (a < 0) == (2 * a < 0) == (a / 2 < 0)
    assert {minimum(a, b), maximum(a, b)} == {a, b}
    assert minimum(a, b) <= maximum(a, b)


@given(st.integers(0, 2**126), st.integers(0, 2**126), st.integers(0, 2**126), st.integers(0, 1000))
def test_what_is_added_up_of_positive_numbers_is_positive(a: int, b: int, c: int, seed: int) -> None:
    world = World(f"sums {seed}")
    x, y, z = map(world.number, (a, b, c))
    assert not (x < y and y < z) or x < z


@given(same_world)
def test_other_functions_are_functions_and_nothing_more(numbers: list[Residue]) -> None:
    """Equal arguments give equal results; anything else is chance, and differs between worlds."""
    a, b = numbers
    assume(a != b and not {a.value, b.value} & {0, 1})  # exp(0) is 1
    other = World("other")
    for f in (asin, acos, exp, log):
        assert f(a) == f(a + b - b)
        assert f(a) != f(b)
        assert f(a).value != f(other.number(a.value)).value
    assert len({f(a).value for f in (asin, acos, exp, log, sin, cos)}) == 6


@given(st.integers(0, 2**64), st.integers(-48, 48))
def test_cosines_of_parts_of_a_half_turn_are_those_of_textbooks(seed: int, twelfths: int) -> None:
    world = World(seed)
    pi = modular(world).named("pi")
    angle = pi * Fraction(twelfths, 12)
    assume(Fraction(twelfths, 12).denominator in (1, 2, 3, 4, 6))
    c, s = angle.cos(), angle.sin()
    assert c * c + s * s == 1
    assert (2 * c) ** 2 == round((2 * math.cos(math.pi * twelfths / 12)) ** 2)
    assert (angle + pi).cos() == -c
    assert (angle - pi / 2).cos() == s
    assert (-angle).sin() == -s
    assert (angle / 5 * 5).cos() == c


@given(same_world)
def test_the_length_of_a_rotation_vector_is_the_sum_of_two_halves(numbers: list[Residue]) -> None:
    """Its sine and cosine are those of a double angle, as every formula with half the angle needs it."""
    a, b = numbers
    try:
        angle = sqrt(a * a + b * b)
    except NoRoot:
        assume(False)
    half = angle / 2
    assert cos(angle) == cos(half) ** 2 - sin(half) ** 2
    assert sin(angle) == 2 * sin(half) * cos(half)
    assert sin(-angle) == -sin(angle)
    assert cos(angle) != cos(half) or angle == 0


PHASES = {
    "cos(x - pi / 2)": (lambda x: sin(x), lambda x: -sin(x)),
    "tan(x + pi / 2)": (lambda x: -cos(x) / sin(x), lambda x: sin(x) / cos(x)),
    "cos(x - pi / 4)": (lambda x: (sin(x) + cos(x)) / sqrt(2), lambda x: (sin(x) + cos(x)) / sqrt(3)),
    "cos(x - 2 pi / 3)": (
        lambda x: -cos(x) / 2 + sqrt(3) * sin(x) / 2,
        lambda x: -cos(x) / 2 - sqrt(3) * sin(x) / 2,
    ),
    "sin(x + 7 pi / 6)": (
        lambda x: -sqrt(3) * sin(x) / 2 - cos(x) / 2,
        lambda x: -sin(x) / 2 - sqrt(3) * cos(x) / 2,
    ),
    "cos(x + 180 pi / 180)": (lambda x: -cos(x), lambda x: cos(x)),
}
"""Angles with a constant phase, as Park's transform has them, and what they are and are not."""


@pytest.mark.parametrize("equation", PHASES)
def test_constant_phases_are_proven(equation: str) -> None:
    right, wrong = (
        kernel(
            inputs=[Arg("x", REAL, "rad", "")], outputs=[Arg("y", REAL, "1", "")], name="phase",
            equation=f"y = {equation}", source="",
        )(formula)
        for formula in PHASES[equation]
    )  # fmt: skip
    assert prove(right).status == "proven"
    assert prove(wrong).status.startswith("failed")


def test_named_constants_are_any_number() -> None:
    systems = [modular(World(seed)) for seed in (0, 1)]
    values = [system.named(name).value for system in systems for name in ("eps", "min", "max", "pi")]
    assert len(set(values)) == len(values)


# Points of the constraint set


@pytest.mark.parametrize("seed", range(3))
def test_random_rotations_and_quaternions_are_exact(seed: int) -> None:
    """Constraints hold modulo P, or a formula that uses them would not be proven."""
    world = World(seed)
    draw = random_numbers(world)
    R = Mat3(tuple(sample(Rotation, draw)))
    one, zero = world.number(1), world.number(0)
    assert (R @ R.transpose).m == (one, zero, zero, zero, one, zero, zero, zero, one)
    assert R.row(0).cross(R.row(1)) == R.row(2)
    assert sum(x * x for x in sample(UnitQuaternion, draw)) == one
    assert len({x.value for x in sample(SymMat3, draw)}) == 6
