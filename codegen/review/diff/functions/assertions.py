"""Static assertions: one that surely holds means nothing, and with any other, a file may not compile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codegen.review.diff.changes import Unreadable
from codegen.review.diff.functions.sizes import bytes_of
from codegen.review.diff.text.integers import Integer, constant
from codegen.review.diff.text.source import Source
from codegen.review.diff.text.syntax import Refused, tree_of

_FORMATS = {"CHAR_BIT": 8, "FLT_RADIX": 2, "FLT_MANT_DIG": 24, "DBL_MANT_DIG": 53}
"""What <limits.h> and <float.h> say where float and double are those of IEEE 754, and bytes have 8 bits."""


def surely_holds(assertion: Any, source: Source) -> bool:
    """Whether an assertion about the sizes of types and the formats of numbers surely holds."""

    def known(expr: Any) -> Integer | None:
        if type(expr).__name__ == "ID":
            return Integer(_FORMATS[expr.name], False) if expr.name in _FORMATS else None
        try:
            return Integer(bytes_of(expr.expr, source), True, True)
        except Refused:
            return None

    def is_true(test: Any) -> bool:
        if type(test).__name__ == "BinaryOp" and test.op == "&&":
            return is_true(test.left) and is_true(test.right)
        found = constant(test, known)
        return found is not None and found.value != 0

    return is_true(assertion.cond)


def unproven(source: Source) -> Iterator[Unreadable]:
    """The assertions outside of functions that are not known to hold."""
    for item in source.assertions:
        try:
            is_known = surely_holds(tree_of(item, source), source)
        except (Refused, RecursionError):
            is_known = False
        if not is_known:
            yield Unreadable(item.path, item.line, "a static assertion that is not known to hold")
