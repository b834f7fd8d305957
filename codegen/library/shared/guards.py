"""Requirements that kernels share: results are finite, or are replaced by zeros."""

from typing import TypeVar

from codegen.ir.status import Status
from codegen.ir.types import Scalar, Value, flatten
from codegen.modeling.scalar import every, finite, let, require, select

T = TypeVar("T", bound=Value)
U = TypeVar("U", bound=Value)


def bounded(total: Scalar) -> Scalar:
    """The requirement that a sum is finite: one that is infinite or NaN makes every sum with it so."""
    return let("bounded", require(finite(total), Status.NOT_FINITE))


def finite_or_zero(ok: Scalar, value: T) -> T:
    """The value, or zeros where it is not `ok` or a scalar of it is not finite."""
    total = select(ok, sum(flatten(value)), 0)
    return select(every(ok, bounded(total)), value, value.map(lambda _: 0))


def both_or_zero(first: T, second: U) -> tuple[T, U]:
    """Two values, or zeros for both where a scalar of them is not finite."""
    ok = bounded(sum(flatten((first, second))))
    return select(ok, first, first.map(lambda _: 0)), select(ok, second, second.map(lambda _: 0))
