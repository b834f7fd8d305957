"""Derivatives of traced expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.expression import Expr, as_expr
from codegen.ir.operations import LEAVES, Op, Sort

_Slope = Any
"""The derivative of an expression; None for zero."""


def derivatives(of: Sequence[Any], by: Any) -> list[Any]:
    """The derivative of each expression by another one in them, such as an argument: 0, or an expression."""
    if not isinstance(by, Expr) or by.op is Op.CONSTANT:
        raise FeatherError("a derivative is by an argument or a named value, not by a constant")
    slopes: dict[int, _Slope] = {id(by): 1}
    found = [_slope(f, slopes) if isinstance(f, Expr) else None for f in of]
    return [0 if slope is None else slope for slope in found]


def _slope(f: Expr, slopes: dict[int, _Slope]) -> _Slope:
    """The derivative of an expression, after those of its parts, which are kept."""
    pending = [f]
    while pending:
        e = pending[-1]
        missing = [a for a in e.args if id(a) not in slopes and id(e) not in slopes]
        if missing:
            pending += missing
            continue
        pending.pop()
        if id(e) not in slopes:
            slopes[id(e)] = _of(e, [slopes[id(a)] for a in e.args])
    return slopes[id(f)]


_CONSTANT = LEAVES | {Op.FLOOR, Op.REAL}
"""Operations whose results are constant, or constant in each cell."""


def _of(e: Expr, slopes: Sequence[_Slope]) -> _Slope:
    if e.op in _CONSTANT or e.op.result in (Sort.BOOLEAN, Sort.INDEX) or all(s is None for s in slopes):
        return None
    if e.op is Op.SELECT:
        condition, _, _ = e.args
        a, b = (as_expr(0 if s is None else s) for s in slopes[1:])
        return Expr(Op.SELECT, (condition, a, b))
    if e.op not in _RULES:
        raise FeatherError(f"a derivative of {e.op.label} is not defined")
    parts = _RULES[e.op](e, *e.args)
    terms = [_times(s, part) for s, part in zip(slopes, parts, strict=True) if s is not None]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def _times(slope: _Slope, part: Any) -> Any:
    """Their product; those of whole numbers need no operation."""
    for one, other in ((slope, part), (part, slope)):
        if isinstance(one, int) and one == 1:
            return other
    return slope * part


def _fraction(e: Expr, a: Expr, b: Expr) -> tuple[Any, ...]:
    return 1 / b, -(e / b)


def _angle(e: Expr, y: Expr, x: Expr) -> tuple[Any, ...]:
    squared = x * x + y * y
    return x / squared, -(y / squared)


def _either(condition: Expr, a: int, b: int) -> Expr:
    return Expr(Op.SELECT, (condition, as_expr(a), as_expr(b)))


def _one(op: Op, x: Expr) -> Expr:
    return Expr(op, (x,))


_RULES: Mapping[Op, Callable[..., Sequence[Any]]] = {
    Op.ADD: lambda e, a, b: (1, 1),
    Op.SUB: lambda e, a, b: (1, -1),
    Op.MUL: lambda e, a, b: (b, a),
    Op.DIV: _fraction,
    Op.NEG: lambda e, a: (-1,),
    Op.SQRT: lambda e, a: (1 / (2 * e),),
    Op.SIN: lambda e, a: (_one(Op.COS, a),),
    Op.COS: lambda e, a: (-_one(Op.SIN, a),),
    Op.TAN: lambda e, a: (1 + e * e,),
    Op.ASIN: lambda e, a: (1 / _one(Op.SQRT, 1 - a * a),),
    Op.ACOS: lambda e, a: (-1 / _one(Op.SQRT, 1 - a * a),),
    Op.ATAN2: _angle,
    Op.EXP: lambda e, a: (e,),
    Op.LOG: lambda e, a: (1 / a,),
    Op.EXPM1: lambda e, a: (e + 1,),
    Op.LOG1P: lambda e, a: (1 / (1 + a),),
    Op.SINH: lambda e, a: (_one(Op.COSH, a),),
    Op.COSH: lambda e, a: (_one(Op.SINH, a),),
    Op.TANH: lambda e, a: (1 - e * e,),
    Op.ABS: lambda e, a: (_either(a < 0, -1, 1),),
    Op.MIN: lambda e, a, b: (_either(a < b, 1, 0), _either(a < b, 0, 1)),
    Op.MAX: lambda e, a, b: (_either(b < a, 1, 0), _either(b < a, 0, 1)),
}
"""The derivatives of an operation by each argument; of equal ones, MIN and MAX take the last."""
