"""Hazards: operations that a Program's results need and whose value is undefined or overflows.

The evaluation follows the C: a select needs only the chosen operand, so that an undefined value in the other
operand is ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

import numpy as np

from codegen.ir.operations import Op
from codegen.ir.program import Program
from codegen.ir.systems import NumberSystem

UNDEFINED: Final = object()
"""Marks an undefined value; in C it is infinite or NaN."""


@cache
def partial(system: NumberSystem) -> NumberSystem:
    """The system with `UNDEFINED`, the value of operations that have none or need an undefined operand."""
    table = {op: _partial(op, apply) for op, apply in system.table.items()}
    return replace(system, name=f"partial {system.name}", table=table)


def _partial(op: Op, apply: Callable[..., Any]) -> Callable[..., Any]:
    def chosen(*args: Any) -> Any:
        needed = [args[k] for k in _needed(op, args)]
        if any(x is UNDEFINED for x in needed):
            return UNDEFINED
        return needed[-1] if len(needed) < len(args) else operate(*args)

    def operate(*args: Any) -> Any:
        for x in args:
            if x is UNDEFINED:
                return UNDEFINED
        try:
            return apply(*args)
        except (ZeroDivisionError, ValueError):
            return UNDEFINED

    return chosen if op in _CHOOSING else operate


_CHOOSING = frozenset({Op.SELECT, Op.AND, Op.OR})
"""The operations that do not need all of their operands."""


def _needed(op: Op, args: Sequence[Any]) -> Sequence[int]:
    """The indices of the arguments that decide an operation; if not all do, the last one is its value."""
    if args[0] is UNDEFINED:
        return (0,)
    if op not in _CHOOSING:
        return range(len(args))
    if op is Op.SELECT:
        return (0, 1) if args[0] else (0, 2)
    if (op is Op.AND and not args[0]) or (op is Op.OR and args[0]):
        return (0,)
    return range(len(args))


def followed(
    program: Program, values: Sequence[Any], roots: Iterable[int], stops: Container[int] = ()
) -> list[int]:
    """The nodes that the roots need, in their order, where the Program's nodes have these values.

    The nodes in `stops`, and nodes that only they need, are left out.
    """
    found: set[int] = set()
    stack = list(roots)
    while stack:
        i = stack.pop()
        if i not in found and i not in stops:
            found.add(i)
            op, args, _ = program.nodes[i]
            stack += [args[k] for k in _needed(op, [values[a] for a in args])] if args else []
    return sorted(found)


def first_infinite(program: Program, values: Sequence[Any]) -> int | None:
    """The first operation that the results need and that is infinite or NaN, of operands that are not.

    The values are those of a floating-point system.
    """

    def is_infinite(i: int) -> bool:
        kind = getattr(values[i], "dtype", None)
        return kind is not None and kind.kind == "f" and not np.all(np.isfinite(values[i]))

    needed = followed(program, values, program.results)
    return next(
        (i for i in needed if is_infinite(i) and not any(map(is_infinite, program.nodes[i].args))), None
    )


def first_undefined(program: Program, values: Sequence[Any]) -> int | None:
    """The first undefined operation that the results or the status need."""
    return next((i for i in followed(program, values, program.roots) if values[i] is UNDEFINED), None)
