"""The tables that the equation of a kernel calls as functions, C_m(alpha, de): those of its formula."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial

from codegen.errors import FeatherError
from codegen.modeling.kernel import Kernel
from codegen.modeling.tables import TableData, TableNumbers, look_ups
from codegen.notation.blocks import Block
from codegen.notation.families import Function, Setting
from codegen.notation.functions import KNOWN
from codegen.notation.reader import read
from codegen.notation.syntax import Kind


@cache
def setting_of(kernel: Kernel) -> Setting | None:
    """What the equation of a kernel is about besides its arguments: the bodies of a robot, or tables.

    A table is a function by its name where the formula looks it up, or by that of the input that holds its
    numbers.
    """
    if kernel.setting is not None or not _calls_others(kernel.equation):
        return kernel.setting
    with look_ups() as found:
        kernel.lower(False)
    return Setting(lambda given: {}, required=False, functions=partial(_functions, kernel, found))


def _calls_others(text: str) -> bool:
    """Whether equations call functions that the notation does not have."""
    try:
        nodes = [n for equation in read(text) for side in equation.sides for n in side.nodes()]
    except FeatherError:
        return False
    return any(n.kind is Kind.CALL and n.name not in KNOWN for n in nodes)


def _functions(
    kernel: Kernel, known: Mapping[str, Function], given: Mapping[str, Block]
) -> Mapping[str, Function]:
    own = {a.name: a.type.table for a in kernel.signature or kernel.inputs if isinstance(a.type, TableData)}
    return {**known, **{name: TableNumbers(given[name].scalars, table) for name, table in own.items()}}
