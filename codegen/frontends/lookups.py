"""Look-ups in tables that come back from SymPy and CasADi, where they are functions or symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codegen.ir.arrays import Constants
from codegen.ir.expression import Expr
from codegen.ir.opaque import MARK, Lookup, noted
from codegen.ir.operations import Op

LOOKUP = MARK
"""Begins the names of CasADi's symbols that stand for look-ups."""


def scalars_of(symbol: str) -> list[Any]:
    """The CasADi scalars that a look-up depends on."""
    return _scalars(noted(symbol))


def _scalars(part: Any) -> list[Any]:
    if isinstance(part, Lookup):
        return [scalar for arg in part.args for scalar in _scalars(arg)]
    return [] if isinstance(part, (Constants, int)) else [part]


def looked_up(symbol: str, lowered: Callable[[Any], Expr], known: dict[int, Expr]) -> Expr:
    """The expression of a look-up; `lowered` gives that of a CasADi scalar.

    `known` are the indices that were met before, so that the entries of a cell share it.
    """
    return _expression(noted(symbol), lowered, known)


def _expression(part: Any, lowered: Callable[[Any], Expr], known: dict[int, Expr]) -> Expr:
    if isinstance(part, Lookup):
        if id(part) not in known:
            known[id(part)] = Expr(part.op, tuple(_expression(arg, lowered, known) for arg in part.args))
        return known[id(part)]
    if isinstance(part, Constants):
        return Expr(Op.ARRAY, (), part)
    return Expr(Op.WHOLE, (), part) if isinstance(part, int) else lowered(part)
