"""The accuracy plots of the book: their arithmetic, what bounds the errors, and what they leave out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.emit.render import template_directory
from codegen.explain.book.accuracy import Panel, panels, rounds
from codegen.explain.book.arrays import in_double
from codegen.explain.book.chart import TOP, WIDTH, _number
from codegen.explain.book.inputs import DRAWS
from codegen.explain.book.pairs import Pair, pairs
from codegen.explain.book.plots import _top, accuracy_plot, description, left_out
from codegen.explain.book.sweeps import POINTS, sweeps
from codegen.ir.domain import cases
from codegen.ir.operations import Op
from codegen.ir.program import evaluate
from codegen.ir.sizes import column_sizes, exact_input, sizes
from codegen.ir.systems import F64, multiprecision
from codegen.library import library
from tests.conftest import sampled

NUMBERS = np.random.default_rng(4)
FINE = multiprecision(F64, 60)


def column(low: float, high: float) -> Pair:
    """Numbers of many sizes between powers of ten, with digits beyond those of a double."""
    first = 10 ** NUMBERS.uniform(low, high, 300) * NUMBERS.choice([-1, 1], 300)
    return Pair(first, first * NUMBERS.uniform(-0.5, 0.5, 300) * 2.0**-53)


def in_digits(numbers: Pair) -> Any:
    zero = FINE.constant(Fraction(0))
    return (numbers.high.astype(object) + zero) + (numbers.low.astype(object) + zero)


def positive(numbers: Pair) -> Pair:
    return pairs().table[Op.ABS](numbers)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("op", "of"),
    [
        pytest.param(Op.ADD, lambda: (column(-3, 3), column(-3, 3)), id="sum"),
        pytest.param(Op.SUB, lambda: (column(0, 0.1), column(0, 0.1)), id="difference"),
        pytest.param(Op.MUL, lambda: (column(-50, 50), column(-50, 50)), id="product"),
        pytest.param(Op.DIV, lambda: (column(-50, 50), column(-50, 50)), id="quotient"),
        pytest.param(Op.SQRT, lambda: (positive(column(-50, 50)),), id="root"),
        pytest.param(Op.SIN, lambda: (column(-8, 2.9),), id="sine"),
        pytest.param(Op.COS, lambda: (column(-8, 2.9),), id="cosine"),
        pytest.param(Op.SIN, lambda: (column(3, 8.9),), id="large-sine"),
        pytest.param(Op.ATAN2, lambda: (column(-8, 8), column(-8, 8)), id="angle"),
        pytest.param(Op.EXP, lambda: (column(-8, 2),), id="exponential"),
        pytest.param(Op.MAX, lambda: (column(-3, 3), column(-3, 3)), id="larger"),
    ],
    ids=str,
)
def test_pairs_have_twice_the_digits_of_a_double(op: Op, of: Callable[[], tuple[Pair, ...]]) -> None:
    numbers = of()
    expected = np.frompyfunc(FINE.table[op], len(numbers), 1)(*map(in_digits, numbers))
    found = in_digits(pairs().table[op](*numbers))
    size = abs(in_digits(numbers[0])) if op in (Op.ADD, Op.SUB) else abs(expected)  # which may cancel
    assert max(abs(found - expected) / size) < 1e-26


@pytest.mark.parametrize("op", [Op.SIN, Op.COS])
def test_angles_of_all_sizes_have_sines_as_certain_as_they_are(op: Op) -> None:
    """Those beyond 10^9 are computed one by one, and known to 32 digits."""
    angles = column(-3, 20)
    expected = np.frompyfunc(FINE.table[op], 1, 1)(in_digits(angles))
    found = in_digits(pairs().table[op](angles))
    assert max(abs(found - expected) / (1e5 + abs(in_digits(angles)))) < 1e-31


def test_what_is_no_number_and_what_overflows_stay_so() -> None:
    table, beyond = pairs().table, Pair(np.array([1e300, -1.0]), np.zeros(2))
    with np.errstate(all="ignore"):
        product, root = table[Op.MUL](beyond, beyond), table[Op.SQRT](beyond)
    assert np.isinf(product.high).tolist() == [True, False]
    assert np.isnan(root.high).tolist() == [False, True]


@pytest.mark.parametrize("name", ["rpy_from_quat", "inertia_solve", "quat_slerp", "angle_wrap"])
def test_the_sizes_of_columns_are_those_of_their_numbers(name: str) -> None:
    kernel = library()[name]
    program = function(kernel, F64, Options()).program
    drawn = [[float(x) for x in case] for case in cases(kernel.inputs, 20, name)]
    system = in_double(F64)
    with np.errstate(all="ignore"):
        columns = evaluate(program, column_sizes(system), [*map(exact_input, np.array(drawn).T)]).results
        for i, case in enumerate(drawn):
            single = evaluate(program, sizes(system), [exact_input(np.float64(x)) for x in case]).results
            for whole, one in zip(columns, single, strict=True):
                found = np.broadcast_to(whole.size, len(drawn))[i]
                np.testing.assert_allclose(float(found), float(one.size), rtol=1e-12)


@cache
def panels_of(name: str) -> tuple[Panel, ...]:
    """The panels of a kernel, which are drawn once for all tests of a process."""
    return tuple(panels(library()[name]))


def panel(name: str, what: str) -> Panel:
    return next(p for p in panels_of(name) if what in p.sweep.what)


WITHOUT_BOUND = {"quat_mean"}
"""Kernels of which no finite bound of the error is known at the points that are drawn."""


@pytest.mark.parametrize(
    "name", sampled(["transport_rate_ned", "inertia_factor", "contact_apply", *library()], every=60)
)
def test_verify_accepts_all_errors_that_are_drawn(name: str) -> None:
    """Round-off decides the rank of a thin rod: that is another result, no error."""
    kernel = library()[name]
    shares = [c.share for p in panels(kernel) for c in p.curves if c.share is not None]
    is_exact = not kernel.outputs or not kernel.inputs or not rounds(kernel)
    assert is_exact or shares or name in WITHOUT_BOUND
    assert all(share <= 1 for share in shares)


def test_a_point_has_a_hundred_draws_whose_median_lies_between_the_least_and_the_largest_error() -> None:
    for curve in panel("quat_rotate", "size").curves:
        assert curve.draws == POINTS * DRAWS >= 100 * POINTS
        heights = [*zip(curve.least, curve.medians, curve.errors, curve.scales, strict=True)]
        assert all(low < middle < high <= bound for low, middle, high, bound in heights)  # type: ignore[operator]


def test_a_plot_has_a_line_for_the_condition_and_one_for_verifys_limit() -> None:
    found = panel("quat_rotate", "size")
    drawn = accuracy_plot(found)
    assert all(f">{name}</text>" in drawn for name in ("double", "float", "condition", "verify limit"))
    assert drawn.count('fill-opacity=".22"') == 2
    assert found.tolerance == library()["quat_rotate"].tolerance


def test_bounds_without_a_limit_end_at_the_edge_of_the_plot() -> None:
    found = panel("quat_rotate", "size")
    curves = tuple(replace(c, scales=tuple(1e308 for _ in c.scales)) for c in found.curves)
    heights = re.findall(r"[ML][\d.]+ (-?[\d.]+)", accuracy_plot(replace(found, curves=curves)))
    assert all(float(y) >= TOP or y in ("9", "20") for y in heights), "the legend stands above the axes"


def test_a_sweep_stays_where_the_kernel_has_results() -> None:
    """Mass is not negative, and a speed beyond the speed of sound has no calibrated airspeed."""
    mass = next(p for p in panels(library()["contact_free_velocity"]) if p.sweep.arg.name == "m")
    assert mass.sweep.what == "size"
    assert [c.with_flag for c in mass.curves] == [0, 0]
    speed = next(p for p in panels_of("airspeeds") if p.sweep.arg.name == "V")
    assert 300 < speed.sweep.points[-1] < 1000
    assert all(c.with_flag < 0.2 * c.draws for c in speed.curves)


def test_a_single_large_bound_does_not_set_the_scale() -> None:
    speed = next(p for p in panels_of("airspeeds") if p.sweep.arg.name == "V")
    limits = [4 * b for b in speed.curves[0].scales if b is not None]
    assert max(limits) > 1e6
    assert _top([c.errors for c in speed.curves], tuple(limits)) < 1e5


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (200000.0, "2\N{DOT OPERATOR}10^5"), (1e5, "10^5"), (1e-6, "10^\N{MINUS SIGN}6"), (0.0, "0"),
        (1000.0, "1000"), (0.1, "0.1"), (-2.5e6, "-2.5\N{DOT OPERATOR}10^6"),
    ],
)  # fmt: skip
def test_large_numbers_of_an_axis_are_multiples_of_powers_of_ten(value: float, text: str) -> None:
    assert re.sub(r"<tspan[^>]*>(.*?)</tspan>", r"^\1", _number(value)) == text


def test_numbers_of_the_axes_are_inside_the_picture_and_apart_from_their_names() -> None:
    for name in ("airspeeds", "articulated_reduce_three"):
        for found in panels_of(name):
            for x, anchor, text in re.findall(
                r'<text x="([\d.]+)" y="[\d.]+" fill="[^"]+" text-anchor="(\w+)">(.*?)</text>',
                accuracy_plot(found),
            ):
                width = 5.8 * len(re.sub("<[^>]*>", "", text))
                if anchor == "end":
                    assert float(x) - width > 10, (name, text)
                elif re.fullmatch(r"[\d.\N{DOT OPERATOR}]*", re.sub("<[^>]*>", "", text)):
                    assert float(x) + width / 2 < WIDTH, (name, text)


def test_units_of_an_axis_have_raised_exponents() -> None:
    drawn = accuracy_plot(next(p for p in panels_of("airspeeds") if p.sweep.arg.name == "rho"))
    assert "^" not in drawn
    assert ">3</tspan>" in drawn


def test_inputs_that_cannot_matter_have_no_plot() -> None:
    """The position does not enter the equations of motion."""
    kernel = library()["rigid_body_dynamics_quat"]
    swept = {p.sweep.arg.name for p in panels(kernel)}
    assert {a.name for a in kernel.inputs} - swept == {"p_N"}


def test_a_description_says_how_large_the_errors_were_and_bounds_nothing() -> None:
    said = description(panel("quat_rotate", "size"))
    assert "double largest error found " in said
    assert " of what verify accepts there or less, medians " in said
    assert "at most" not in said
    assert left_out(panel("inertia_factor", "least principal")).endswith("2 where rounding decides a case.")


def test_the_condition_is_the_scale_of_an_error_and_only_the_limit_bounds_it() -> None:
    """Several roundings add up to more than eps times the condition; verify accepts a multiple of it."""
    found = panel("inertia_transform", "length of the displacement")
    pairs = [(e, s) for c in found.curves for e, s in zip(c.errors, c.scales, strict=True) if e and s]
    assert any(error > scale for error, scale in pairs)
    assert all(error <= found.tolerance * scale for error, scale in pairs)
    page = (template_directory() / "book" / "kernel.html.j2").read_text(encoding="utf-8")
    assert "the scale of its error and not a bound" in page


def test_a_length_that_is_positive_is_swept_with_its_sign() -> None:
    for name in ("sphere_sphere_contact", "sphere_plane_contact"):
        for arg in (a for a in library()[name].inputs if a.name.startswith("r_")):
            assert [sweep.what for sweep in sweeps(arg)] == ["value"]
