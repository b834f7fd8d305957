"""The arrays of constants of a C file, and the search for the cell of an axis."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from codegen.emit.c99 import array_name, literal, search_name
from codegen.emit.function import Function
from codegen.errors import FeatherError, naming
from codegen.ir.arrays import Constants
from codegen.ir.systems import Precision
from codegen.notation.prose import plain

_WIDTH = 99


def arrays_context(functions: Sequence[Function], scope: str, precision: Precision) -> dict[str, Any]:
    """The values for the templates: the definitions of the arrays, and the name of the search, if any.

    FeatherError when two arrays, or an array and a function, have one name, or when a number is none in the
    precision.
    """
    arrays: dict[str, Constants] = {}
    for array in (a for f in functions for a in f.arrays):
        if arrays.setdefault(array.name, array) != array:
            raise FeatherError(f"two tables have an array {array.name}: give one of them another name")
    searching = any(f.searches for f in functions)
    taken = {f.symbol for f in functions}
    for name in [*(array_name(a, precision, scope) for a in arrays.values()), search_name(precision, scope)]:
        if name in taken and (searching or name != search_name(precision, scope)):
            raise FeatherError(
                f"a kernel is called {name} in C, as is an array or search of a table: rename it"
            )
    return {
        "arrays": [definition(a, precision, scope) for a in arrays.values()],
        "search": search_name(precision, scope) if searching else "",
        "real": precision.ctype,
    }


def definition(array: Constants, precision: Precision, scope: str) -> str:
    """The C of an array of constants, a line for each row of a table, after a comment."""
    with naming(f"table {array.name}"):
        numbers = [literal(value, precision) for value in array.values]
    rows = [", ".join(numbers[i : i + array.row]) for i in range(0, len(numbers), array.row)]
    lines = [f"    {line}" for row in rows for line in textwrap.wrap(f"{row},", _WIDTH - 4)]
    lines[-1] = lines[-1].removesuffix(",")
    head = f"static const {precision.ctype} {array_name(array, precision, scope)}[{len(numbers)}] = {{"
    return "\n".join((_comment(array), head, *lines, "};"))


def _comment(array: Constants) -> str:
    text = plain(f"{array.doc} [{array.unit}]").replace("*/", "* /").replace("/*", "/ *")
    return "/* " + "\n   ".join(textwrap.wrap(text, _WIDTH - 6)) + " */"
