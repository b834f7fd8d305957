"""Expr: the scalar on which a formula is traced.

An Expr is a node of an expression graph that keeps the structure exactly as the formula wrote it:
nothing is folded, shared or reordered here. `Program` turns graphs of it into straight-line code.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

from codegen.ir.operations import NAMED_CONSTANTS, Op, Sort

Value: TypeAlias = Fraction | str | int | bool | None


class Expr:
    """One operation applied to expressions; `value` is that of a leaf, `label` a name for readers."""

    __slots__ = ("args", "label", "op", "value")

    def __init__(self, op: Op, args: tuple[Expr, ...] = (), value: Value = None) -> None:
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

    def __pow__(self, exponent: int) -> Expr:
        if not isinstance(exponent, int):
            raise TypeError("an exponent must be a whole number; write sqrt(x) for a root")
        raised: Expr = power(self, exponent)
        return raised

    def __neg__(self) -> Expr:
        return Expr(Op.NEG, (self,))

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:
        return Expr(Op.ABS, (self,))

    def __lt__(self, other: Any) -> Any:
        return _binary(Op.LT, self, other)

    def __le__(self, other: Any) -> Any:
        return _binary(Op.LE, self, other)

    def __gt__(self, other: Any) -> Any:
        return _binary(Op.LT, other, self)

    def __ge__(self, other: Any) -> Any:
        return _binary(Op.LE, other, self)

    def __and__(self, other: Expr | bool) -> Expr:
        return Expr(Op.AND, (self, as_boolean(other)))

    def __rand__(self, other: Expr | bool) -> Expr:
        return Expr(Op.AND, (as_boolean(other), self))

    def __or__(self, other: Expr | bool) -> Expr:
        return Expr(Op.OR, (self, as_boolean(other)))

    def __ror__(self, other: Expr | bool) -> Expr:
        return Expr(Op.OR, (as_boolean(other), self))

    def __invert__(self) -> Expr:
        return Expr(Op.NOT, (self,))

    def __bool__(self) -> bool:
        raise TypeError("a formula cannot branch on a computed value; write select(condition, a, b)")

    def __repr__(self) -> str:
        if self.value is not None:
            return f"{self.op.label}({self.value})"
        return f"{self.op.label}({', '.join(map(repr, self.args))})"


def constant(number: Fraction | int | float) -> Expr:
    """An exact constant; a float stands for the decimal number that Python prints for it (0.1 is 1/10)."""
    try:
        exact = Fraction(repr(number)) if isinstance(number, float) else Fraction(number)
    except ValueError:
        raise TypeError(f"{number!r} is not a finite constant") from None
    return Expr(Op.CONSTANT, (), exact)


def as_expr(number: Any) -> Expr:
    """`number` itself if it is an expression, otherwise the exact constant; TypeError if neither."""
    if isinstance(number, Expr):
        return number
    if isinstance(number, bool) or not isinstance(number, (int, float, Fraction)):
        raise TypeError(f"{number!r} ({type(number).__name__}) cannot stand in a formula")
    return constant(number)


def as_boolean(truth: Expr | bool) -> Expr:
    """`truth` itself if it is a boolean expression, otherwise the constant."""
    if isinstance(truth, Expr) and truth.op.result is Sort.BOOLEAN:
        return truth
    if isinstance(truth, bool):
        return Expr(Op.TRUTH, (), truth)
    raise TypeError(f"{truth!r} is not a condition")


def power(base: Any, exponent: int) -> Any:
    """`base` to a whole power by repeated squaring (x*x, never a call), for any scalar."""
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
    for side in (left, right):
        if isinstance(side, bool) or not isinstance(side, (Expr, int, float, Fraction)):
            from codegen.ir.systems import apply, foreign_system

            return apply(op, left, right) if foreign_system(side) else NotImplemented
    return Expr(op, (as_expr(left), as_expr(right)))


EPS, MIN, MAX, PI = (Expr(Op.NAMED, (), name) for name in NAMED_CONSTANTS)
