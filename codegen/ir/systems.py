"""Number systems: the meaning of each operation on floats, exact fractions, expressions, SymPy, CasADi ...

A number system is a table from operation to function and a rule for constants. Evaluating a Program
(`evaluate`) and running a formula on scalars of some kind (`apply`) both read such a table; a new
analysis of Programs is a new table. Systems that need a heavy library build their table when first used.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from typing import Any

import codegen.ir.expression as expression
from codegen.errors import FormulaError
from codegen.ir.arrays import columns, lookups
from codegen.ir.expression import Expr, as_expr
from codegen.ir.numpy_operands import python_number
from codegen.ir.opaque import casadi_lookups, sympy_lookups
from codegen.ir.operations import LIBM, Op, Sort


@dataclass(frozen=True, eq=False)
class NumberSystem:
    """A table from operation to function, with the values of exact and named constants.

    `constant` takes a Fraction, `named` one of eps, min, max, pi.
    """

    name: str
    table: Mapping[Op, Callable[..., Any]]
    constant: Callable[[Fraction], Any]
    named: Callable[[str], Any]

    def lift(self, scalar: Any) -> Any:
        """A scalar of this system: itself, or the value of an int, Fraction, float or constant Expr."""
        if isinstance(scalar, Expr):
            return self._constant_expression(scalar, {})
        if isinstance(scalar, (int, float, Fraction)) and not isinstance(scalar, bool):
            return self._constant_expression(as_expr(scalar), {})
        return scalar

    def _constant_expression(self, expr: Expr, known: dict[int, Any]) -> Any:
        """The value of a constant expression; what it has in common with itself is computed once."""
        if expr.op is Op.CONSTANT:
            return self.constant(expr.value)
        if expr.op is Op.NAMED:
            return self.named(str(expr.value))
        if expr.op in self.table:
            if id(expr) not in known:
                parts = [self._constant_expression(x, known) for x in expr.args]
                known[id(expr)] = self.table[expr.op](*parts)
            return known[id(expr)]
        raise FormulaError(
            f"an argument of a formula cannot be mixed with {self.name} expressions; "
            "use from_sympy or from_casadi for a whole model in these"
        )


ARITHMETIC: Mapping[Op, Callable[..., Any]] = {
    Op.ADD: operator.add,
    Op.SUB: operator.sub,
    Op.MUL: operator.mul,
    Op.DIV: operator.truediv,
    Op.NEG: operator.neg,
}
"""The five operations that are the same operators for every scalar type."""

ORDER: Mapping[Op, Callable[..., Any]] = {
    Op.ABS: abs,
    Op.MIN: lambda a, b: a if a < b else b,
    Op.MAX: lambda a, b: a if b < a else b,
    Op.LT: operator.lt,
    Op.LE: operator.le,
    Op.AND: lambda a, b: a and b,
    Op.OR: lambda a, b: a or b,
    Op.NOT: operator.not_,
    Op.SELECT: lambda condition, a, b: a if condition else b,
}
"""Comparisons and choices where a comparison is a Python bool."""


def traced() -> NumberSystem:
    """The expressions themselves: applying an operation records it."""

    def record(op: Op) -> Callable[..., Expr]:
        def node(*args: Any) -> Expr:
            sorts = op.sorts(len(args))
            return Expr(op, tuple(_LIFT[sort](a) for a, sort in zip(args, sorts, strict=True)))

        return node

    table = {op: record(op) for op in Op if op.arguments}
    return NumberSystem("expression", table, as_expr, lambda name: Expr(Op.NAMED, (), name))


_LIFT: Mapping[Sort, Callable[[Any], Expr]] = {
    Sort.REAL: as_expr,
    Sort.BOOLEAN: expression.as_boolean,
    Sort.INDEX: lambda i: i if isinstance(i, Expr) else Expr(Op.WHOLE, (), i),
    Sort.ARRAY: lambda a: a if isinstance(a, Expr) else Expr(Op.ARRAY, (), a),
}


@dataclass(frozen=True)
class Precision:
    """A floating-point format of C: its suffix here, its C type, and its limits as exact numbers."""

    name: str
    ctype: str
    digits: int  # bits of the significand
    exponent: int  # of the largest binade: max < 2^exponent

    @cached_property
    def eps(self) -> Fraction:
        """Distance from 1 to the next number."""
        return Fraction(1, 2 ** (self.digits - 1))

    @cached_property
    def min(self) -> Fraction:
        """Smallest normal number."""
        return Fraction(1, 2 ** (self.exponent - 2))

    @cached_property
    def max(self) -> Fraction:
        """Largest finite number."""
        return (2 - self.eps) * Fraction(2) ** (self.exponent - 1)

    def named(self, name: str) -> Fraction:
        """The value of a named constant, pi to sixty digits."""
        return PI_60 if name == "pi" else Fraction(getattr(self, name))

    def rounded(self, exact: Fraction) -> Fraction:
        """`exact` rounded to nearest, ties to even; OverflowError where it is not finite."""
        if self.digits == 53:
            return Fraction(exact.numerator / exact.denominator)  # Python rounds this once, correctly
        double = exact.numerator / exact.denominator
        if self.digits == 24 and abs(double) >= self.min and not _is_halfway(double):
            return Fraction(_FLOAT.unpack(_FLOAT.pack(double))[0])
        return self._rounded_once(exact)

    def floor(self, exact: Fraction) -> Fraction:
        """The largest number of the format that is not above `exact`; OverflowError where all are above."""
        if exact < -self.max:
            raise OverflowError(f"not finite in {self.ctype}")
        if exact == 0 or exact >= self.max:
            return min(exact, self.max)
        spacing = Fraction(2) ** self._shift(exact)
        return exact // spacing * spacing

    def ceiling(self, exact: Fraction) -> Fraction:
        """The smallest number of the format that is not below `exact`; OverflowError where all are below."""
        return -self.floor(-exact)

    def _shift(self, exact: Fraction) -> int:
        """The power of two that is the distance of the numbers of the format about one that is not 0."""
        above, below = abs(exact.numerator), exact.denominator
        binade = above.bit_length() - below.bit_length()  # of the number, or one above it
        if above << max(-binade, 0) < below << max(binade, 0):
            binade -= 1
        return max(binade - self.digits + 1, 3 - self.exponent - self.digits)

    def _rounded_once(self, exact: Fraction) -> Fraction:
        """`rounded` for a number near the middle between two of the format, or below the normal ones."""
        above, below, shift = abs(exact.numerator), exact.denominator, self._shift(exact)
        divisor = below << max(shift, 0)
        units, rest = divmod(above << max(-shift, 0), divisor)
        units += 2 * rest > divisor or (2 * rest == divisor and units % 2)
        nearest = Fraction(units << max(shift, 0), 1 << max(-shift, 0))
        nearest = nearest if exact > 0 else -nearest
        if abs(nearest) > self.max:
            raise OverflowError(f"not finite in {self.ctype}")
        return nearest


_FLOAT, _DOUBLE, _BITS = struct.Struct("<f"), struct.Struct("<d"), struct.Struct("<Q")


def _is_halfway(double: float) -> bool:
    """Whether a double is the middle between two floats: what was rounded to it may lie on either side."""
    return int(_BITS.unpack(_DOUBLE.pack(double))[0]) & 0x1FFFFFFF == 0x10000000


def number_text(value: object) -> str:
    """A leaf's value as text; a fraction of more digits than Python prints is in hexadecimal."""
    try:
        return str(value)
    except ValueError:
        assert isinstance(value, Fraction)
        return f"{value.numerator:#x}/{value.denominator:#x}"


def brief(number: Fraction) -> str:
    """About six digits of a number that may be too large or small for a float."""
    import mpmath

    return str(mpmath.nstr(mpmath.mpf(number.numerator) / number.denominator, 6))


PI_60 = Fraction("3.14159265358979323846264338327950288419716939937510582097494")
F64 = Precision("f64", "double", 53, 1024)
F32 = Precision("f32", "float", 24, 128)
PRECISIONS = {p.name: p for p in (F64, F32)}


class Irrational(ArithmeticError):
    """A value that exact rational arithmetic cannot hold."""


def _rational_sqrt(x: Fraction) -> Fraction:
    if x >= 0:
        root = Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
        if root * root == x:
            return root
    raise Irrational(f"the square root of {x} is not rational")


def _irrational(name: str) -> Callable[..., Fraction]:
    def fail(*args: Fraction) -> Fraction:
        if name == "floor":
            return Fraction(math.floor(args[0]))
        if name in ("cos", "cosh", "exp"):
            exact = Fraction(1) if args[0] == 0 else None
        elif name == "atan2":
            exact = Fraction(0) if args[0] == 0 and args[1] > 0 else None
        elif name in ("acos", "log"):
            exact = Fraction(0) if args[0] == 1 else None
        else:
            exact = Fraction(0) if args[0] == 0 else None
        if exact is None:
            raise Irrational(f"{name} is not rational")
        return exact

    return fail


@cache
def fractions(precision: Precision | None = None) -> NumberSystem:
    """Exact rationals, `Irrational` where a value is not one; eps, min and max are those of a precision."""

    def named(name: str) -> Fraction:
        if precision is None or name == "pi":
            raise Irrational(f"{name} is not a rational number without a precision")
        return precision.named(name)

    libm = {op: _irrational(op.label) for op in LIBM}
    node = None if precision is None else precision.rounded
    looked_up = lookups(Fraction, math.floor, node)
    table = {**ARITHMETIC, **ORDER, **libm, **looked_up, Op.SQRT: _rational_sqrt}
    return NumberSystem("fraction", table, Fraction, named)


_DIGITS = 50
"""Significant digits of mpmath's numbers, where nothing else is said."""


@cache
def multiprecision(precision: Precision, digits: int = _DIGITS) -> NumberSystem:
    """mpmath's numbers with `digits` significant digits; eps, min, max of the C precision.

    ValueError where a function has no finite real value.
    """
    import mpmath
    from mpmath.libmp import from_rational, round_nearest

    context = mpmath.mp.clone()
    context.dps = digits

    @lru_cache(4096)  # the constants of a Program are asked for at each of its evaluations
    def constant(exact: Fraction) -> Any:
        ratio = exact.numerator, exact.denominator
        return context.make_mpf(from_rational(*ratio, context.prec, round_nearest))

    def real(name: str) -> Callable[..., Any]:
        def value(*args: Any) -> Any:
            if name in _PERIODIC_OR_STEEP and context.mag(args[0]) > _LARGEST_BINADE:
                if name in _LIMITS:
                    limit = _LIMITS[name][0 if args[0] < 0 else 1]
                    if limit is not None:
                        return context.mpf(limit)
                raise ValueError(f"{name} of a number above 2^{_LARGEST_BINADE} has no value here")
            found = getattr(context, name)(*args)
            if isinstance(found, context.mpc) or not context.isfinite(found):
                raise ValueError(f"{name} has no real value here")
            return found

        return value

    functions = {op: real(op.label) for op in Op if op.label in _LIBRARY_NAMES}
    looked_up = lookups(constant, lambda x: int(context.floor(x)), lambda x: constant(precision.rounded(x)))
    table = {**ARITHMETIC, **ORDER, **functions, **looked_up}
    return NumberSystem(
        f"mpmath{digits}",
        table,
        constant,
        lambda name: +context.pi if name == "pi" else constant(precision.named(name)),
    )


_PERIODIC_OR_STEEP = ("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "expm1")
_LIMITS: Mapping[str, tuple[int | None, int | None]] = {
    "exp": (0, None),
    "expm1": (-1, None),
    "tanh": (-1, 1),
}
"""The values of functions far below and above zero, where these are finite."""
_LARGEST_BINADE = 4096
"""Of arguments of these functions: the time and memory that their value takes grow with the argument."""

_LIBRARY_NAMES = (
    "sqrt", "sin", "cos", "tan", "asin", "acos", "atan2", "exp", "log", "sinh", "cosh", "tanh", "log1p",
    "expm1", "floor",
)  # fmt: skip


def exact_of(number: Any) -> Fraction:
    """An mpmath number as the exact fraction that it is."""
    sign, mantissa, exponent, _ = number._mpf_
    return Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** int(exponent)


@cache
def floating(precision: Precision) -> NumberSystem:
    """IEEE arithmetic of a C precision on NumPy scalars or arrays, each operation rounded once."""
    import numpy as np

    kind = np.float64 if precision is F64 else np.float32
    numpy_names = {Op.ASIN: "arcsin", Op.ACOS: "arccos", Op.ATAN2: "arctan2"}
    functions = {op: getattr(np, numpy_names.get(op, op.label)) for op in Op if op.label in _LIBRARY_NAMES}
    choices: dict[Op, Callable[..., Any]] = {
        Op.ABS: np.abs,
        Op.MIN: lambda a, b: np.where(a < b, a, b),
        Op.MAX: lambda a, b: np.where(b < a, a, b),
        Op.LT: operator.lt,
        Op.LE: operator.le,
        Op.AND: np.logical_and,
        Op.OR: np.logical_or,
        Op.NOT: np.logical_not,
        Op.SELECT: np.where,
    }

    def constant(exact: Fraction) -> Any:
        return kind(float(precision.rounded(exact)))

    looked_up = columns(kind, precision.rounded)
    table: dict[Op, Callable[..., Any]] = {**ARITHMETIC, **functions, **choices, **looked_up}
    return NumberSystem(precision.name, table, constant, lambda n: constant(precision.named(n)))


@cache
def sympy_system() -> NumberSystem:
    """The system of SymPy expressions; named constants are the symbols eps, min and max, and SymPy's pi."""
    import sympy
    from sympy.codegen import cfunctions

    def named(name: str) -> Any:
        return sympy.pi if name == "pi" else sympy.Symbol(name, positive=True)

    table: dict[Op, Callable[..., Any]] = {
        **ARITHMETIC,
        **{
            op: getattr(sympy, op.label)
            for op in Op
            if op.label in _LIBRARY_NAMES
            if hasattr(sympy, op.label)
        },
        Op.LOG1P: cfunctions.log1p,
        Op.EXPM1: cfunctions.expm1,
        Op.ABS: sympy.Abs,
        Op.MIN: sympy.Min,
        Op.MAX: sympy.Max,
        Op.LT: sympy.StrictLessThan,
        Op.LE: sympy.LessThan,
        Op.AND: sympy.And,
        Op.OR: sympy.Or,
        Op.NOT: sympy.Not,
        Op.SELECT: lambda c, a, b: sympy.Piecewise((a, c), (b, True)),
        **sympy_lookups(),
    }
    return NumberSystem("sympy", table, lambda f: sympy.Rational(f.numerator, f.denominator), named)


@cache
def casadi_system() -> NumberSystem:
    """CasADi SX expressions.

    SX constants are doubles, and CasADi computes with them, so a constant is a symbol named by its
    fraction, and eps, min, max, pi are symbols too; lowering puts the exact values back. Minimum, maximum
    and absolute value are selects, whose derivative is that of the branch taken.
    """
    import casadi

    @cache
    def symbol(name: str) -> Any:
        return casadi.SX.sym(name)

    def constant(exact: Fraction) -> Any:
        trivial = exact in (-1, 0, 1)
        return casadi.SX(int(exact)) if trivial else literal(exact)

    def literal(exact: Fraction) -> Any:
        return symbol(f"={exact.numerator}/{exact.denominator}")

    def select(condition: Any, a: Any, b: Any) -> Any:
        return casadi.if_else(condition, a, b)

    table: dict[Op, Callable[..., Any]] = {
        **ARITHMETIC,
        **{op: _unrounded(op, literal) for op in Op if op.label in _LIBRARY_NAMES},
        Op.FLOOR: casadi.floor,
        Op.ABS: lambda a: select(a < 0, -a, a),
        Op.MIN: lambda a, b: select(a < b, a, b),
        Op.MAX: lambda a, b: select(b < a, a, b),
        Op.LT: operator.lt,
        Op.LE: operator.le,
        Op.AND: casadi.logic_and,
        Op.OR: casadi.logic_or,
        Op.NOT: casadi.logic_not,
        Op.SELECT: select,
        **casadi_lookups(),
    }
    return NumberSystem("casadi", table, constant, lambda name: symbol(f"={name}"))


def _unrounded(op: Op, literal: Callable[[Fraction], Any]) -> Callable[..., Any]:
    """CasADi's function, but of literals in place of numbers, whose function CasADi would round."""
    import casadi

    function: Callable[..., Any] = getattr(casadi, op.label)

    def value(*scalars: Any) -> Any:
        numbers = [casadi.SX(s) for s in scalars]
        if all(n.is_constant() and math.isfinite(float(n)) for n in numbers):
            exact = [Fraction(float(n)) for n in numbers]
            return function(*(scalars if exact in _EXACT.get(op, ([0],)) else map(literal, exact)))
        return function(*scalars)

    return value


_EXACT: Mapping[Op, Sequence[Any]] = {
    Op.SQRT: ([0], [1]),
    Op.LOG: ([0], [1]),
    Op.ACOS: ([1],),
    Op.ATAN2: ([0, 1],),
}
"""The whole numbers of which a function is whole or infinite; only [0] for the others."""

TRACED = traced()

_BY_LIBRARY: Mapping[str, Callable[[], NumberSystem]] = {
    "sympy": sympy_system,
    "casadi": casadi_system,
    "numpy": lambda: floating(F64),
}


def foreign_system(scalar: Any) -> Callable[[], NumberSystem] | None:
    """The system of a scalar of another library; None for expressions and plain Python numbers."""
    if hasattr(scalar, "number_system"):
        return scalar.number_system  # type: ignore[no-any-return]
    library = type(scalar).__module__.partition(".")[0]
    if library == "mpmath":  # a function of a number is to have all digits of the number
        return partial(multiprecision, F64, max(_DIGITS, scalar.context.dps))
    return _BY_LIBRARY.get(library)


def system_of(scalars: tuple[Any, ...]) -> NumberSystem:
    """The number system that the scalars have in common; constants join any."""
    for scalar in scalars:
        foreign = foreign_system(scalar)
        if foreign is not None:
            return foreign()
    if any(isinstance(scalar, Expr) for scalar in scalars):
        return TRACED
    if any(isinstance(scalar, float) for scalar in scalars):
        return floating(F64)
    return fractions() if any(isinstance(scalar, Fraction) for scalar in scalars) else TRACED


def apply(op: Op, *scalars: Any) -> Any:
    """`op` on scalars of any kind; together with a computed value, NumPy's count as plain numbers."""
    if op in _UNDEFINED and type(scalars[0]) is float and _UNDEFINED[op](scalars[0]):
        raise FormulaError(f"{op.label}({scalars[0]!r}) has no real value")
    if any(hasattr(scalar, "number_system") for scalar in scalars):
        scalars = tuple(map(python_number, scalars))
    system = system_of(scalars)
    if system is not TRACED:
        try:
            scalars = tuple(map(system.lift, scalars))
        except FormulaError:
            scalars = tuple(map(python_number, scalars))
            system = system_of(scalars)
            if system is not TRACED:
                raise
    return system.table[op](*scalars)


_UNDEFINED: Mapping[Op, Callable[[float], bool]] = {
    Op.SQRT: lambda x: x < 0,
    Op.LOG: lambda x: x <= 0,
    Op.LOG1P: lambda x: x <= -1,
    Op.ASIN: lambda x: abs(x) > 1,
    Op.ACOS: lambda x: abs(x) > 1,
}
"""The inputs at which a function of a Python float, which is evaluated at once, has no real value."""
