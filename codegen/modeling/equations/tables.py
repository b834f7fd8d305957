"""The tables that the equation of a kernel calls as functions, C_m(alpha, de): those of its formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial

from codegen.errors import FeatherError
from codegen.ir.domain import members_of
from codegen.ir.program import Arg, input_scalars
from codegen.modeling.kernel import Kernel
from codegen.modeling.tables.table import TableData, TableNumbers, look_ups
from codegen.modeling.types.records import split
from codegen.notation.blocks import Block
from codegen.notation.families import Function, Setting
from codegen.notation.functions import KNOWN
from codegen.notation.reader import read
from codegen.notation.syntax import Kind


@cache
def setting_of(kernel: Kernel) -> Setting | None:
    """What the equation of a kernel is about besides its arguments: the bodies of a robot, or tables.

    A table is a function by its name where the formula looks it up, or by that of the input or parameter that
    holds its numbers.
    """
    if kernel.setting is not None or not _calls_others(kernel.equation):
        return kernel.setting
    functions = partial(_functions, kernel.all_inputs, _looked_up(kernel))
    return Setting(lambda given: {}, required=False, functions=functions)


def _looked_up(kernel: Kernel) -> Mapping[str, Function]:
    """The tables with known numbers that the formula looks up."""
    kernel.program(False)  # so that a formula that fails has said why
    with look_ups() as found:
        if kernel.formula is not None:
            kernel.formula(*split(kernel.all_inputs, input_scalars(kernel.all_inputs)))
    return found


def _calls_others(text: str) -> bool:
    """Whether equations call functions that the notation does not have."""
    try:
        nodes = [n for equation in read(text) for side in equation.sides for n in side.nodes()]
    except FeatherError:
        return False
    return any(n.kind is Kind.CALL and n.name not in KNOWN for n in nodes)


def _functions(
    inputs: Sequence[Arg], known: Mapping[str, Function], given: Mapping[str, Block]
) -> Mapping[str, Function]:
    """The functions by name, where the arguments have these values."""
    arguments = [m for a in inputs for m in (a, *members_of(a))]
    own = {a.name: a.type.table for a in arguments if isinstance(a.type, TableData)}
    return {**known, **{name: TableNumbers(given[name].scalars, table) for name, table in own.items()}}
