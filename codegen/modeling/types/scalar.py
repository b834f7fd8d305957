"""The mathematical functions of formulas, on scalars of any kind.

`sqrt(x)` is C's sqrt on a traced expression, SymPy's on a SymPy symbol, CasADi's on an SX, and a number
on a number. `require` states a precondition of the result.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Any, NamedTuple, TypeVar

from codegen.errors import FormulaError
from codegen.ir.expression import EPS, MAX, MIN, PI, Expr, constant, power
from codegen.ir.operations import LEAVES, Op
from codegen.ir.status import Status
from codegen.ir.systems import apply
from codegen.ir.types import Scalar, flatten

__all__ = [
    "EPS",
    "MAX",
    "MIN",
    "PI",
    "Checks",
    "Told",
    "absolute",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bare",
    "ceil",
    "checking",
    "clip",
    "closed_forms",
    "constant",
    "copysign",
    "cos",
    "cosh",
    "equal",
    "every",
    "exp",
    "expm1",
    "finite",
    "floor",
    "fmod",
    "hypot",
    "let",
    "log",
    "log1p",
    "maximum",
    "minimum",
    "modulo",
    "power",
    "remainder",
    "removable",
    "replacements",
    "require",
    "requiring_for",
    "select",
    "sign",
    "sin",
    "sinh",
    "some",
    "sqrt",
    "tan",
    "tanh",
    "tested",
    "tests",
    "wrap",
]  # fmt: skip

T = TypeVar("T")


@dataclass
class Checks:
    """The requirements that were stated while a formula ran: (condition that must hold, flag otherwise).

    `origins` has for each of them what it was stated for, or None: see `requiring_for`.
    """

    enabled: bool = True
    requirements: list[tuple[Any, Status]] = field(default_factory=list)
    origins: list[Any] = field(default_factory=list)


@contextmanager
def holding(variable: ContextVar[Any], value: T) -> Iterator[T]:
    """Give a variable this value for the formulas run inside."""
    before = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(before)


_checks: ContextVar[Checks | None] = ContextVar("checks", default=None)


def checking(enabled: bool = True) -> AbstractContextManager[Checks]:
    """Collect the requirements of the formulas run inside; when not enabled, they hold by contract."""
    return holding(_checks, Checks(enabled))


def require(condition: Any, flag: Status) -> Any:
    """State that the function returns `flag` unless `condition` holds; returns the condition, to select by.

    Write conditions so that NaN fails them (`n > MIN`, never `not (n <= MIN)`). In code generated without
    checks, and outside `checking`, the condition is True: the caller must ensure it.
    """
    if not isinstance(flag, Status):
        raise FormulaError(f"require takes a Status as its flag, such as Status.SINGULAR, not {flag!r}")
    checks = _checks.get()
    if checks is None or not checks.enabled:
        return True
    checks.requirements.append((condition, flag))
    checks.origins.append(_required_for.get())
    return condition


_required_for: ContextVar[Any] = ContextVar("required_for", default=None)


def requiring_for(what: Any) -> AbstractContextManager[Any]:
    """State that the requirements inside are of a call of a kernel or a matrix; the outermost one counts."""
    return holding(_required_for, _required_for.get() or what)


def is_checked() -> bool:
    """Whether the requirements that a formula states are collected, rather than assumed to hold."""
    checks = _checks.get()
    return checks is not None and checks.enabled


_closed: ContextVar[bool] = ContextVar("closed", default=False)


def closed_forms() -> AbstractContextManager[bool]:
    """Run formulas with their closed forms everywhere, even where these are 0/0."""
    return holding(_closed, True)


class Told(NamedTuple):
    """A condition in a formula and how it is told.

    `form` is the condition in the notation, of the kernel's arguments and of the `values` that have names in
    it; a derivation compares both. `by` says the rest in prose, or all where there is no form.
    """

    condition: Any
    by: str
    form: str
    values: Mapping[str, Scalar]


_replaced: ContextVar[list[Told] | None] = ContextVar("replaced", default=None)
_tested: ContextVar[list[Told] | None] = ContextVar("tested", default=None)


def replacements() -> AbstractContextManager[list[Told]]:
    """Collect what `removable` is told of the formulas run inside."""
    return holding(_replaced, [])


def tests() -> AbstractContextManager[list[Told]]:
    """Collect what `tested` is told of the formulas run inside."""
    return holding(_tested, [])


def _tell(texts: ContextVar[list[Told] | None], told: Told) -> None:
    found = texts.get()
    if found is not None and told.by and told[1:3] not in [t[1:3] for t in found]:
        found.append(told)


def tested(condition: Any, by: str, form: str) -> Any:
    """State how `condition`, of a requirement, is tested: `form` in the notation, `by` in prose."""
    _tell(_tested, Told(condition, by, form, {}))
    return condition


def removable(
    condition: Any, by: str = "a limit or series of equal value", form: str = "", **values: Scalar
) -> Any:
    """State that `condition` selects a limit or series of equal value, like that of sin(x)/x near 0.

    `form` is the condition in the notation, of arguments and of `values`, and `by` says in prose what stands
    for what then; it is empty where the series tell so themselves (`codegen.modeling.series`). Returns the
    condition, or False within `closed_forms`, where mathematics is compared.
    """
    _tell(_replaced, Told(condition, by, form, values))
    return False if _closed.get() else condition


def select(condition: Any, then: T, otherwise: Any) -> T:
    """`then` where the condition holds, else `otherwise`; both are computed, on scalars or on values."""
    if isinstance(condition, bool):
        known: T = then if condition else otherwise
        return known
    if hasattr(then, "zip_with"):
        mixed: T = then.zip_with(otherwise, lambda a, b: apply(Op.SELECT, condition, a, b))
        return mixed
    chosen: T = apply(Op.SELECT, condition, then, otherwise)
    return chosen


def every(*conditions: Any) -> Any:
    """True when all conditions hold."""
    open_ = [c for c in conditions if c is not True]
    return reduce(lambda a, b: apply(Op.AND, a, b), open_) if open_ else True


def some(*conditions: Any) -> Any:
    """True when at least one condition holds."""
    if any(c is True for c in conditions):
        return True
    open_ = [c for c in conditions if c is not False]
    return reduce(lambda a, b: apply(Op.OR, a, b), open_) if open_ else False


_meant: ContextVar[dict[str, str] | None] = ContextVar("meant", default=None)


def meanings() -> AbstractContextManager[dict[str, str]]:
    """Collect what `let` is told that named values of the formulas run inside mean, by their names."""
    return holding(_meant, {})


_named: ContextVar[list[tuple[str, Any]] | None] = ContextVar("named", default=None)


def named_by_let() -> AbstractContextManager[list[tuple[str, Any]]]:
    """Collect the values that the formulas run inside name: scalars, structures and matrices."""
    return holding(_named, [])


def let(name: str, value: T, meaning: str = "") -> T:
    """`value`, named: the generated code uses the name for it; `meaning` says in words what it is."""
    known, named = _meant.get(), _named.get()
    if meaning and known is not None:
        known.setdefault(name, meaning)
    if named is not None:
        named.append((name, value))
    for label, leaf in named_leaves(name, value):
        if isinstance(leaf, Expr) and leaf.op not in LEAVES and leaf.label is None:
            leaf.label = label
    return value


def named_leaves(name: str, value: Any) -> list[tuple[str, Any]]:
    """The scalars of a value, of a structure or of a list of these, each with its name below `name`."""
    if hasattr(value, "named_leaves"):
        return value.named_leaves(name)  # type: ignore[no-any-return]
    if isinstance(value, (list, tuple)):
        return [leaf for i, x in enumerate(value) for leaf in named_leaves(f"{name}_{i}", x)]
    return [(name, value)]


def bare(x: Scalar) -> Scalar:
    """x, exempt from the check of units: for a sum of different quantities that is only tested."""
    return x.without_unit() if hasattr(x, "without_unit") else x


def finite(*values: Any) -> Any:
    """True when no scalar of the values is infinite or NaN, and their sum does not overflow."""
    return absolute(reduce(add, map(bare, flatten(values)))) <= MAX


def sqrt(x: Scalar) -> Scalar:
    """Square root; x >= 0."""
    return apply(Op.SQRT, x)


def sin(x: Scalar) -> Scalar:
    """Sine of x in radians."""
    return apply(Op.SIN, x)


def cos(x: Scalar) -> Scalar:
    """Cosine of x in radians."""
    return apply(Op.COS, x)


def tan(x: Scalar) -> Scalar:
    """Tangent of x in radians."""
    return apply(Op.TAN, x)


def asin(x: Scalar) -> Scalar:
    """Arc sine in [-pi/2, pi/2]; -1 <= x <= 1."""
    return apply(Op.ASIN, x)


def acos(x: Scalar) -> Scalar:
    """Arc cosine in [0, pi]; -1 <= x <= 1."""
    return apply(Op.ACOS, x)


def atan2(y: Scalar, x: Scalar) -> Scalar:
    """Angle of the point (x, y), in [-pi, pi]."""
    return apply(Op.ATAN2, y, x)


def exp(x: Scalar) -> Scalar:
    """Exponential."""
    return apply(Op.EXP, x)


def log(x: Scalar) -> Scalar:
    """Natural logarithm; x > 0."""
    return apply(Op.LOG, x)


def absolute(x: Scalar) -> Scalar:
    """Absolute value."""
    return apply(Op.ABS, x)


def atan(x: Scalar) -> Scalar:
    """Arc tangent in [-pi/2, pi/2]."""
    return apply(Op.ATAN2, x, 1)


def sinh(x: Scalar) -> Scalar:
    """Hyperbolic sine."""
    return apply(Op.SINH, x)


def cosh(x: Scalar) -> Scalar:
    """Hyperbolic cosine."""
    return apply(Op.COSH, x)


def tanh(x: Scalar) -> Scalar:
    """Hyperbolic tangent."""
    return apply(Op.TANH, x)


def asinh(x: Scalar) -> Scalar:
    """Inverse hyperbolic sine.

    log(x + sqrt(1 + x^2)), divided by 1 + x inside the logarithm and the root, so that nothing large is
    squared.
    """
    is_below = apply(Op.LT, x, 0)
    size = select(is_below, -x, x)  # its slope at 0 is 1, unlike that of the absolute value
    scale = 1 / (1 + size)
    part = size * scale
    found = log1p(size) + log1p(part * part / (scale + sqrt(part * part + scale * scale)))
    return select(is_below, -found, found)


def acosh(x: Scalar) -> Scalar:
    """Inverse hyperbolic cosine, not negative; x >= 1.

    log(x + sqrt(x^2 - 1)), divided by x inside the logarithm and the root, as that of asinh.
    """
    above, scale = x - 1, 1 / x
    return log1p(above) + log1p(sqrt(above * scale * (1 + scale)))


def atanh(x: Scalar) -> Scalar:
    """Inverse hyperbolic tangent; -1 < x < 1."""
    return (log1p(x) - log1p(-x)) / 2


def log1p(x: Scalar) -> Scalar:
    """log(1 + x), accurate for small x; x > -1."""
    return apply(Op.LOG1P, x)


def expm1(x: Scalar) -> Scalar:
    """exp(x) - 1, accurate for small x."""
    return apply(Op.EXPM1, x)


def floor(x: Scalar) -> Scalar:
    """The largest whole number that is not above x, a plain number; its derivative is 0."""
    return apply(Op.FLOOR, x)


def ceil(x: Scalar) -> Scalar:
    """The smallest whole number that is not below x, a plain number; its derivative is 0."""
    return -apply(Op.FLOOR, -x)


def fmod(x: Scalar, y: Scalar) -> Scalar:
    """x - y n with n = x/y without its fraction: it has the sign of x, as C's fmod; y is not zero.

    It is exact up to the round-off of the quotient, whereas C's fmod is exact.
    """
    quotient = x / y
    return x - y * select(apply(Op.LT, quotient, 0), ceil(quotient), floor(quotient))


def remainder(x: Scalar, y: Scalar) -> Scalar:
    """x - y n with n the whole number that is nearest to x/y, of two the even one; y is not zero.

    It is exact up to the round-off of the quotient, whereas C's remainder is exact.
    """
    above = x / y + constant(Fraction(1, 2))
    whole = floor(above)
    is_odd_half = apply(Op.LE, above, whole) & apply(Op.LT, 2 * floor(whole / 2), whole)
    return x - y * select(is_odd_half, whole - 1, whole)


def modulo(x: Scalar, y: Scalar) -> Scalar:
    """x - y floor(x/y): it has the sign of y, as Python's x % y; y is not zero.

    The error is that of the quotient times y: nothing is left where x is above y/eps.
    """
    return x - y * floor(x / y)


def wrap(x: Scalar, period: Scalar = 2 * PI) -> Scalar:
    """x less whole periods, from -period/2 up to, but not including, period/2: by default an angle.

    The error is that of x/period times the period: nothing is left where x is above period/eps.
    """
    return x - period * floor(x / period + constant(Fraction(1, 2)))


def sign(x: Scalar) -> Scalar:
    """1 for x > 0, -1 for x < 0, else 0, also for NaN."""
    return select(apply(Op.LT, 0, x), constant(1), select(apply(Op.LT, x, 0), constant(-1), constant(0)))


def copysign(x: Scalar, y: Scalar) -> Scalar:
    """abs(x) with the sign of y, of which 0 and -0 count as positive."""
    size = absolute(x)
    return select(apply(Op.LT, y, 0), -size, size)


def hypot(x: Scalar, y: Scalar) -> Scalar:
    """sqrt(x^2 + y^2); the squares must be in the range of the precision."""
    return sqrt(x * x + y * y)


def clip(x: Scalar, low: Scalar, high: Scalar) -> Scalar:
    """x, or `low` or `high` if it lies beyond; NaN stays."""
    return select(apply(Op.LT, x, low), low, select(apply(Op.LT, high, x), high, x))


def equal(a: Scalar, b: Scalar) -> Any:
    """Whether a equals b, as a condition: of computed numbers, compare the distance with a tolerance."""
    return apply(Op.AND, apply(Op.LE, a, b), apply(Op.LE, b, a))


def minimum(a: Scalar, *others: Scalar) -> Scalar:
    """The smallest of several, a < b ? a : b in C."""
    return reduce(lambda x, y: apply(Op.MIN, x, y), others, a)


def maximum(a: Scalar, *others: Scalar) -> Scalar:
    """The largest of several, b < a ? a : b in C."""
    return reduce(lambda x, y: apply(Op.MAX, x, y), others, a)
