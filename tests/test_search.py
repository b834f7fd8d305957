"""The search for cheaper forms: what it finds, what it must not change, and what it must not accept."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from benchmarks.problems import problem
from codegen.frontends.define import from_sympy
from codegen.frontends.formula import lower, typed_values
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program, evaluate, input_scalars
from codegen.ir.systems import F32, F64, floating
from codegen.ir.types import REAL, Array, Component, Scalar, flatten
from codegen.modeling.types.algebra import Mat3, Rotation, UnitQuaternion, Vec3
from codegen.modeling.types.matrix_types import Matrix, Symmetric, Vector
from codegen.modeling.types.scalar import select, sqrt
from codegen.passes import optimise
from codegen.passes.search.guard import trustworthy


def program(formula: Callable[..., Any], *types: Component) -> Program:
    """The Program of a formula of arguments of these types."""
    inputs = [Arg(f"x{i}", t, "1", "an argument") for i, t in enumerate(types)]
    size = len(flatten(formula(*typed_values(inputs, input_scalars(inputs)))))
    outputs = [Arg("y", Array((size,)), "1", "results")]
    return lower(inputs, outputs, formula, checks=True)


def operations(p: Program) -> int:
    """Multiplications, additions and subtractions count 1, divisions and roots 10."""
    counts = Counter(node.op for node in p.nodes)
    return counts[Op.MUL] + counts[Op.ADD] + counts[Op.SUB] + 10 * (counts[Op.DIV] + counts[Op.SQRT])


# What it finds

BEST_ENGINE = {
    "inertia_transform": 123,
    "inertia_multiply": 42,
    "motion_transform": 42,
    "force_transform": 42,
    "motion_cross": 30,
    "force_cross": 30,
    "inertia_bias_force": 72,
    "articulated_transform": 411,
    "rigid_body_dynamics_quat": 187,
    "rigid_body_dynamics_quat_jacobian": 254,
    "quat_from_rpy": 19,
    "quat_to_dcm_unit": 30,
    "covariance_prediction": 2905,
    "ur5_inverse_dynamics": 798,
}
"""Operations that the best of SymPy, CasADi, wrenfold and SymForce was known to make of a textbook form: of
any. Of the very forms here, dense matrices, they make more: benchmarks/results.md.
"""


LARGE = ("articulated_transform", "covariance_prediction", "ur5_inverse_dynamics")
SMALL = pytest.param([name for name in BEST_ENGINE if name not in LARGE], id="small")
ALL = pytest.param(list(BEST_ENGINE), marks=pytest.mark.exhaustive, id="all")


@pytest.fixture(scope="module")
def textbook(request: pytest.FixtureRequest) -> dict[str, int]:
    """Operations of kernels' textbook forms; for Jacobians, of the dynamics' form differentiated."""
    stated = {name: problem(name).forms for name in request.param}
    forms = {name: of.get("derived", of["textbook"]) for name, of in stated.items()}
    return {name: operations(optimise(form.ours.program(False))) for name, form in forms.items()}


@pytest.mark.parametrize("textbook", [SMALL, ALL], indirect=True)
def test_textbook_forms_cost_no_more_than_in_the_best_engine(textbook: dict[str, int]) -> None:
    assert {n: c for n, c in textbook.items() if c > BEST_ENGINE[n]} == {}


@pytest.mark.parametrize("textbook", [ALL], indirect=True)
def test_textbook_forms_cost_clearly_less_in_the_geometric_mean(textbook: dict[str, int]) -> None:
    ratios = [count / BEST_ENGINE[name] for name, count in textbook.items()]
    assert math.prod(ratios) ** (1 / len(ratios)) < 0.92


def test_what_a_rotation_keeps_costs_nothing() -> None:
    """|R v|^2 = v.v, and R v x R w = R (v x w)."""
    assert operations(optimise(program(lambda R, v: [(R @ v).dot(R @ v)], Rotation, Vec3))) == 5
    assert operations(optimise(program(lambda M, v: [(M @ v).dot(M @ v)], Mat3, Vec3))) == 20
    turned = program(lambda R, v, w: (R @ v).cross(R @ w), Rotation, Vec3, Vec3)
    assert operations(optimise(turned)) == 24


def test_what_a_unit_quaternion_keeps_costs_nothing() -> None:
    length = program(lambda q: [q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z], UnitQuaternion)
    assert operations(optimise(length)) == 0


def test_common_sums_are_found_in_expanded_products() -> None:
    """(a + b - c) d and (a + b - c)(a + 1), multiplied out."""

    def expanded(a: Scalar, b: Scalar, c: Scalar, d: Scalar) -> list[Scalar]:
        return [a * d + b * d - c * d, a * a + a * b - a * c + a + b - c]

    assert operations(optimise(program(expanded, REAL, REAL, REAL, REAL))) == 5


def test_a_form_whose_products_grow_in_one_order_only_is_found_in_another() -> None:
    """(a + b)(c + d), multiplied out, beside x y z / (c^2 + d^2), where x y z is of the third power."""

    def expanded(a: Scalar, b: Scalar, c: Scalar, d: Scalar, x: Scalar, y: Scalar, z: Scalar) -> list[Scalar]:
        return [x + y + z, a * c + b * d + a * d + b * c, x * (1 / (c * c + d * d)) * y * z]

    assert operations(optimise(program(expanded, *[REAL] * 7))) == 2 + 3 + 3 + 10 + 3


def test_a_quadratic_form_of_a_direction_keeps_the_direction() -> None:
    """d.P d of d = v/|v|, with d: 3 products, 15 for P d, 5 for d.(P d), and 25 for 1/|v|.

    v.P v / |v|^2 leaves the range of floats where the terms with d do not.
    """

    def variance(v: Vec3, P: Any) -> list[Any]:
        length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z)
        rows = [[P[i, j] * v[i] / length * v[j] / length for j in range(3)] for i in range(3)]
        return [sum(x for row in rows for x in row), v.x / length, v.y / length, v.z / length]

    found = optimise(program(variance, Vec3, Matrix(3, 3)))
    assert operations(found) <= 3 + 15 + 5 + 25


def test_a_quadratic_form_takes_each_factor_of_two_once() -> None:
    """d.P d + r with a symmetric P takes 6 sums, 9 products and 2 factors of two in the form by hand.

    x (P_xx x + 2 (P_xy y + P_xz z)) + y (P_yy y + 2 P_yz z) + P_zz z z + r
    """

    def variance(d: Vec3, P: Any, r: Scalar) -> list[Any]:
        return [sum(P[i, j] * d[i] * d[j] for i in range(3) for j in range(3)) + r]

    assert operations(optimise(program(variance, Vec3, Symmetric(3), REAL))) == 6 + 9 + 2


def test_constants_of_large_units_are_not_merged_beyond_the_range_of_floats() -> None:
    """mu J (R/r)^4 x / r^3 in metres: mu R^4 is 7e41, but no value of the formula is above 4e14."""

    def gravity(r: Vec3) -> list[Scalar]:
        length = sqrt(r.x * r.x + r.y * r.y + r.z * r.z)
        a = 6378137 / length
        return [3.986004418e14 * (r.x / length) * a * a * a * a * -1.62e-6 * 35 / (length * length)]

    written = program(gravity, Vec3)
    point = [np.float32(x) for x in (7e6, 1e6, 2e6)]
    (found,) = evaluate(optimise(written), floating(F32), point).results
    (expected,) = evaluate(written, floating(F64), [np.float64(x) for x in point]).results
    assert abs(found / expected - 1) < 1e-5


@pytest.mark.parametrize(("inner", "outer"), [(1e-25, 1e-20), (1e25, 1e20)])
def test_constants_are_not_merged_to_one_that_floats_do_not_hold(inner: float, outer: float) -> None:
    """1e-45 is 1.4e-45 as a float, and 1e45 is none."""

    def formula(x: Scalar, y: Scalar) -> list[Scalar]:
        return [outer * (inner * x) + y, outer * (inner * x + inner * y) * y]

    found = optimise(program(formula, REAL, REAL))
    sizes = [abs(node.value) for node in found.nodes if isinstance(node.value, Fraction)]
    assert sizes
    assert all(1e-30 < size < 1e30 for size in sizes)


@pytest.mark.exhaustive
def test_variances_of_drag_are_found_where_small_changes_of_the_form_help_no_more() -> None:
    """H P H' of c r_x |r| and c r_y |r|, r = v - (w, 0): 92 where rounds keep what saves 20 operations."""
    v, w, c = sympy.symbols("v:3", real=True), sympy.symbols("w:2", real=True), sympy.Symbol("c", real=True)
    P = sympy.Matrix(6, 6, sympy.symbols("P:36", real=True))
    r = sympy.Matrix([v[0] - w[0], v[1] - w[1], v[2]])
    drag = [c * r[k] * sympy.sqrt(r.dot(r)) for k in range(2)]
    slopes = [sympy.Matrix([f]).jacobian([*v, *w, c]) for f in drag]
    variances = Arg("variances", Vector(2), "", "of the two components")
    states = [
        (Arg("v", Vector(3), "", "v"), v),
        (Arg("w", Vector(2), "", "w"), w),
        (Arg("c", REAL, "", "c"), c),
    ]
    inputs = [*states, (Arg("P", Symmetric(6), "", "covariance"), P)]
    kernel = from_sympy("drag", inputs, [(variances, [(H * P * H.T)[0] for H in slopes])])
    assert operations(optimise(kernel.program(False))) <= 89


# What it must not touch


def test_what_a_comparison_looks_at_stays_as_it_is_written() -> None:
    def sum_of_products(a: Scalar, b: Scalar, c: Scalar) -> Scalar:
        return a * b + c * c + a * c

    free = program(lambda a, b, c: [sum_of_products(a, b, c)], REAL, REAL, REAL)
    bound = program(lambda a, b, c: [select(sum_of_products(a, b, c) < 1, a, b)], REAL, REAL, REAL)
    assert operations(optimise(free)) == operations(free) - 1
    assert operations(optimise(bound)) == operations(bound)


# What it must not accept


def _interleaved(v: Vec3, w: Vec3) -> Scalar:
    return v.x * v.x + v.y * v.y - w.x * w.x + v.z * v.z - w.y * w.y - w.z * w.z


def guarded(wanted: Callable[..., Any], other: Callable[..., Any], *types: Component) -> tuple[bool, bool]:
    """Whether the other form may stand in for the wanted one, and the other way round."""
    good, bad = program(wanted, *types), program(other, *types)
    return trustworthy(bad, good), trustworthy(good, bad)


@pytest.mark.parametrize(
    ("wanted", "other", "types"),
    [
        pytest.param(
            lambda a, b: [(a - b) * (a + b)], lambda a, b: [a * a - b * b], (REAL, REAL), id="cancellation"
        ),
        pytest.param(
            lambda a, b, c: [a + b * c], lambda a, b, c: [(a * c + b * c * c) / c], (REAL, REAL, REAL),
            id="exact where b is nothing",
        ),
        pytest.param(
            lambda v, w: v.dot(v) - w.dot(w), lambda v, w: _interleaved(v, w), (Vec3, Vec3),
            id="exact where v is w",
        ),
        pytest.param(
            lambda a, b, c: [a * (b / c)], lambda a, b, c: [a * b / c], (REAL, REAL, REAL), id="overflow"
        ),
    ],
)  # fmt: skip
def test_the_guard_tells_a_form_from_a_worse_one(
    wanted: Callable[..., Any], other: Callable[..., Any], types: tuple[Component, ...]
) -> None:
    assert guarded(wanted, other, *types) == (False, True)


def test_the_guard_does_not_ask_what_no_attitude_in_float_can_give() -> None:
    """Where all scalars of the quaternion are equal, an element of the rotation is nothing but round-off."""

    def wanted(q: UnitQuaternion) -> list[Scalar]:
        element = 1 - 2 * (q.x * q.x + q.z * q.z)
        return [element * element]

    def expanded(q: UnitQuaternion) -> list[Scalar]:
        part = q.x * q.x + q.z * q.z
        return [1 - 4 * part + 4 * part * part]

    assert guarded(wanted, expanded, UnitQuaternion) == (True, True)


def test_the_guard_knows_small_angles() -> None:
    def wanted(q: UnitQuaternion) -> list[Scalar]:
        return [q.y * q.y + q.z * q.z]

    def other(q: UnitQuaternion) -> list[Scalar]:
        return [1 - q.w * q.w - q.x * q.x]

    assert guarded(wanted, other, UnitQuaternion) == (False, True)
