"""Look-ups among the expressions of SymPy and CasADi, for which they are functions of unknown content.

An index is constant within a cell, so that an entry of an array has no derivative. For SymPy, an entry is a
function whose derivative is zero. For CasADi, whose scalars have no such functions, it is a free symbol,
and what it stands for is noted beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import count
from typing import Any, NamedTuple

from codegen.errors import FeatherError
from codegen.ir.arrays import Constants
from codegen.ir.operations import LOOKUPS, Op


class Lookup(NamedTuple):
    """An operation of a look-up on CasADi's scalars, indices, arrays and ints."""

    op: Op
    args: tuple[Any, ...]


_NOTED: dict[str, Lookup] = {}
_numbers = count()
MARK = "#"
"""Begins the names of the symbols that stand for the entries of arrays."""


def noted(symbol: str) -> Lookup:
    """What a symbol of CasADi stands for."""
    return _NOTED[symbol]


def casadi_lookups() -> Mapping[Op, Callable[..., Any]]:
    """The operations on CasADi's scalars: those with a real result are symbols."""
    import casadi

    def index(op: Op) -> Callable[..., Lookup]:
        return lambda *args: Lookup(op, args)

    def symbol(op: Op) -> Callable[..., Any]:
        def stand_in(*args: Any) -> Any:
            name = f"{MARK}{next(_numbers):09d}"
            _NOTED[name] = Lookup(op, args)
            return casadi.SX.sym(name)

        return stand_in

    return {op: symbol(op) if op in (Op.ENTRY, Op.REAL) else index(op) for op in LOOKUPS}


@cache
def sympy_functions() -> Mapping[Op, Any]:
    """A SymPy function for each operation of a look-up."""
    import sympy

    def zero(self: Any, argindex: int = 1) -> Any:
        return sympy.Integer(0)

    def refused(self: Any, argindex: int = 1) -> Any:
        raise FeatherError(f"it cannot be differentiated by {self.args[argindex - 1]}, a number of a table")

    content = {"is_real": True, "is_commutative": True}
    fdiff = {op: refused if op is Op.LIST else zero for op in LOOKUPS}
    return {
        op: type(f"lookup_{op.label}", (sympy.Function,), {**content, "fdiff": fdiff[op]}) for op in LOOKUPS
    }


_ARRAYS: dict[str, Constants] = {}


def sympy_lookups() -> Mapping[Op, Callable[..., Any]]:
    """The operations on SymPy's expressions; an array is a symbol of its digest."""
    import sympy

    def applied(op: Op) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            return sympy_functions()[op](*map(plain, args))

        return call

    def plain(arg: Any) -> Any:
        if not isinstance(arg, Constants):
            return sympy.sympify(arg)
        name = f"array {arg.digest}"
        _ARRAYS.setdefault(name, arg)
        return sympy.Symbol(name)

    return {op: applied(op) for op in LOOKUPS}


def array_of(symbol: str) -> Constants | None:
    """The array that a symbol of SymPy stands for."""
    return _ARRAYS.get(symbol)
