"""Requirements that kernels share: results are finite, or are replaced by zeros."""

from typing import Any, TypeVar

from codegen.ir.status import Status
from codegen.ir.types import Scalar, Value, flatten
from codegen.modeling.types.scalar import bare, every, finite, let, require, select

NO_NORMAL_DET = (
    "is no normal number: in float, the geometric mean of the moments is outside of 2.3e-13 .. 7e12 kg m^2"
)
"""Refers to the determinant of an inertia that is inverted by it, a product of three moments."""

DEFINITE = ("J_xx > 0", "J_xx J_yy - J_xy^2 > 0", "det(J_B) > min", "det(J_B) > 16 eps J_xx J_yy J_zz")
"""What holds where the inertia J_B is inverted by its determinant."""

NOT_DEFINITE = f"`J_B` is not positive definite, or its determinant is lost in rounding, or {NO_NORMAL_DET}"

T = TypeVar("T", bound=Value)
U = TypeVar("U", bound=Value)


def total(*values: Any) -> Scalar:
    """The sum of all scalars, whatever their units: infinite or NaN where one of them is."""
    return sum(map(bare, flatten(values)))


def bounded(sum_: Scalar) -> Scalar:
    """The requirement that a sum is finite: one that is infinite or NaN makes every sum with it so."""
    return let("bounded", require(finite(sum_), Status.NOT_FINITE))


def finite_or_zero(ok: Scalar, value: T) -> T:
    """The value, or zeros where it is not `ok` or a scalar of it is not finite."""
    return select(every(ok, bounded(select(ok, total(value), 0))), value, value.map(lambda _: 0))


def both_or_zero(first: T, second: U) -> tuple[T, U]:
    """Two values, or zeros for both where a scalar of them is not finite."""
    ok = bounded(total(first, second))
    return select(ok, first, first.map(lambda _: 0)), select(ok, second, second.map(lambda _: 0))
