"""Expr: the symbolic scalar with which a formula is traced into an expression graph.

An Expr is a node of an expression graph that keeps the structure exactly as the formula wrote it:
nothing is folded, shared or reordered here. `Program` turns graphs of it into straight-line code.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, TypeAlias

from codegen.errors import FormulaError
from codegen.ir.numpy_operands import elementwise, is_array, python_number, ufunc
from codegen.ir.operations import NAMED_CONSTANTS, Op, Sort
from codegen.ir.refusals import NoNumber

LeafValue: TypeAlias = Any
"""An exact Fraction, the name of a constant, the index of an input, a truth, an int or Constants."""


class Expr(NoNumber):
    """One operation on expressions; `value` is that of a leaf, `label` a name that the generated C uses."""

    __slots__ = ("args", "label", "op", "value")

    def __init__(self, op: Op, args: tuple[Expr, ...] = (), value: LeafValue = None) -> None:
        self.op = op
        self.args = args
        self.value = value
        self.label: str | None = None

    def __add__(self, other: Any) -> Any:
        return _binary(Op.ADD, self, other)

    def __radd__(self, other: Any) -> Any:
        return _binary(Op.ADD, other, self)

    def __sub__(self, other: Any) -> Any:
        return _binary(Op.SUB, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _binary(Op.SUB, other, self)

    def __mul__(self, other: Any) -> Any:
        return _binary(Op.MUL, self, other)

    def __rmul__(self, other: Any) -> Any:
        return _binary(Op.MUL, other, self)

    def __truediv__(self, other: Any) -> Any:
        return _binary(Op.DIV, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _binary(Op.DIV, other, self)

    def __pow__(self, exponent: Any) -> Expr:
        whole = python_number(exponent)
        if isinstance(whole, bool) or not isinstance(whole, (int, float, Fraction)) or whole != int(whole):
            raise FormulaError(
                "an exponent must be a whole number; write sqrt(x) for a root and exp(y * log(x)) for x**y"
            )
        raised: Expr = power(self, int(whole))
        return raised

    def __neg__(self) -> Expr:
        return Expr(Op.NEG, (as_expr(self),))

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:
        return Expr(Op.ABS, (as_expr(self),))

    def __lt__(self, other: Any) -> Any:
        return _binary(Op.LT, self, other)

    def __le__(self, other: Any) -> Any:
        return _binary(Op.LE, self, other)

    def __gt__(self, other: Any) -> Any:
        return _binary(Op.LT, other, self)

    def __ge__(self, other: Any) -> Any:
        return _binary(Op.LE, other, self)

    def __and__(self, other: Any) -> Expr:
        if hasattr(other, "number_system"):
            return NotImplemented  # its own operator knows what a constant condition is to it
        return Expr(Op.AND, (as_boolean(self), as_boolean(other)))

    def __rand__(self, other: Expr | bool) -> Expr:
        return Expr(Op.AND, (as_boolean(other), as_boolean(self)))

    def __or__(self, other: Any) -> Expr:
        if hasattr(other, "number_system"):
            return NotImplemented  # its own operator knows what a constant condition is to it
        return Expr(Op.OR, (as_boolean(self), as_boolean(other)))

    def __ror__(self, other: Expr | bool) -> Expr:
        return Expr(Op.OR, (as_boolean(other), as_boolean(self)))

    def __invert__(self) -> Expr:
        return Expr(Op.NOT, (as_boolean(self),))

    def __array_ufunc__(self, function: Any, method: str, *operands: Any, **options: Any) -> Any:
        return ufunc(function, method, operands, options)

    def __repr__(self) -> str:
        return self._shown(3)

    def _shown(self, depth: int) -> str:
        if self.value is not None:
            return f"{self.op.label}({self.value})"
        return f"{self.op.label}({', '.join(a._shown(depth - 1) for a in self.args) if depth else '...'})"


def constant(number: Fraction | int | float) -> Expr:
    """An exact constant; a float stands for a decimal number (`decimal_of`), 0.1 for 1/10."""
    return Expr(Op.CONSTANT, (), decimal_of(number) if isinstance(number, float) else Fraction(number))


_SHORT = 12
"""Digits. A float is the round-off of a decimal that is at most this long, if 15 digits of it are that."""


def decimal_of(number: float) -> Fraction:
    """The decimal number that a float stands for; FormulaError for infinities and NaN.

    It is the shortest decimal that reads back as the float (0.1 is 1/10), except where that takes 16 or 17
    digits and the float rounded to 15 significant digits has at most 12: then it is the latter. Python has
    computed such a float from shorter ones, and rounded: 0.168 - 0.205 gives -0.03699999999999998, which
    stands for -0.037. 15 digits are what every double keeps, so what was typed with 15 is never changed.
    """
    if not math.isfinite(number):
        raise FormulaError(f"{number!r} is not a finite constant")
    shortest, rounded = repr(float(number)), f"{number:.15g}"
    return Fraction(rounded if digits(shortest) > 15 and digits(rounded) <= _SHORT else shortest)


def digits(decimal: str) -> int:
    """The number of significant digits of a decimal as Python prints it."""
    mantissa = decimal.lstrip("-").partition("e")[0].replace(".", "")
    return len(mantissa.strip("0"))


def as_expr(number: Any) -> Expr:
    """`number` itself if it is a real expression, otherwise the exact constant; FormulaError if neither."""
    if isinstance(number, Expr):
        if number.op.result is Sort.BOOLEAN:
            raise FormulaError("a condition is not a number; write select(condition, 1, 0)")
        return number
    plain = python_number(number)
    if isinstance(plain, bool) or not isinstance(plain, (int, float, Fraction)):
        apart = "; write equations for real and imaginary parts" if isinstance(plain, complex) else ""
        raise FormulaError(f"{_brief(number)} ({type(number).__name__}) cannot stand in a formula{apart}")
    return constant(plain)


def _brief(thing: Any) -> str:
    """The text of an object in one short line."""
    text = " ".join(repr(thing).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def as_boolean(truth: Expr | bool) -> Expr:
    """`truth` itself if it is a boolean expression, otherwise the constant."""
    if isinstance(truth, Expr) and truth.op.result is Sort.BOOLEAN:
        return truth
    plain = python_number(truth)
    if isinstance(plain, bool):
        return Expr(Op.TRUTH, (), plain)
    what = "a computed number" if isinstance(truth, Expr) else _brief(truth)
    raise FormulaError(f"{what} is not a condition; write a comparison such as x > 0")


_LARGEST_POWER = 1024


def power(base: Any, exponent: int) -> Any:
    """`base` to a whole power by repeated squaring (x*x, never a call), for any scalar."""
    if abs(exponent) > _LARGEST_POWER:
        raise FormulaError(f"an exponent of {exponent} is too large: write exp(n * log(x))")
    if exponent < 0:
        return 1 / power(base, -exponent)
    if exponent == 0:
        return as_expr(1) if isinstance(base, Expr) else 1
    half = power(base, exponent // 2) if exponent > 1 else None
    square = None if half is None else half * half
    if square is None:
        return base
    return square * base if exponent % 2 else square


def _binary(op: Op, left: Any, right: Any) -> Any:
    left, right = python_number(left), python_number(right)
    for side in (left, right):
        if isinstance(side, bool):
            raise FormulaError(f"{side} cannot stand in a formula; write 1 or 0")
        if not isinstance(side, (Expr, int, float, Fraction)):
            return _with_foreign(op, left, right, side)
    return Expr(op, (as_expr(left), as_expr(right)))


def _with_foreign(op: Op, left: Any, right: Any, foreign: Any) -> Any:
    """An operation with a scalar or array of another library, where the expression is a constant."""
    from codegen.ir.systems import apply, foreign_system

    if isinstance(foreign, complex) or type(foreign).__module__ == "builtins":
        as_expr(foreign)  # FormulaError
    if foreign_system(foreign) is None:
        return NotImplemented
    if is_array(foreign):
        return elementwise(lambda a, b: _binary(op, a, b), (left, right))
    return apply(op, left, right)


EPS, MIN, MAX, PI = (Expr(Op.NAMED, (), name) for name in NAMED_CONSTANTS)
