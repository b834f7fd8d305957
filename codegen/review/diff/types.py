"""The scalar types of C that are read."""

from __future__ import annotations

from typing import Any, NamedTuple

from codegen.review.diff.reading import SCALARS, Held
from codegen.review.diff.signature import is_status, meant
from codegen.review.diff.source import Source
from codegen.review.diff.syntax import type_names


class Scalar(NamedTuple):
    """A scalar type. One that is unsigned holds flags, also sizes; one that is narrow, small numbers.

    The width of a size, or of a long integer, depends on the compiler, or is more than that of int.
    """

    held: Held
    unsigned: bool = False
    is_narrow: bool = False
    is_size: bool = False


INTEGERS = {
    "unsigned": Scalar(Held.INT, True),
    "int unsigned": Scalar(Held.INT, True),
    "uint32_t": Scalar(Held.INT, True),
    "size_t": Scalar(Held.INT, True, False, True),
    "signed": Scalar(Held.INT),
    "int signed": Scalar(Held.INT),
    "int32_t": Scalar(Held.INT),
    "_Bool": Scalar(Held.TRUTH),
    "bool": Scalar(Held.TRUTH),
} | {
    name: Scalar(Held.INT, False, True)
    for name in (
        "char", "char signed", "char unsigned", "int8_t", "uint8_t",
        "short", "int short", "short signed", "int short signed", "short unsigned", "int short unsigned",
        "int16_t", "uint16_t"
    )
} | {
    name: Scalar(Held.INT, False, True, True)
    for name in (
        "long", "int long", "long signed", "int long signed", "long unsigned", "int long unsigned",
        "long long", "int long long", "long long signed", "int long long signed", "long long unsigned",
        "int long long unsigned", "int64_t", "uint64_t"
    )
}  # fmt: skip
"""By the words of the type in alphabetical order, as C takes them in any."""


def scalar_type(kind: Any, source: Source) -> Scalar | None:
    """The scalar type of a declaration or cast, as pycparser has it; None for any other."""
    name = meant(" ".join(type_names(kind)), source)
    if name in SCALARS:
        return Scalar(SCALARS[name])
    own = INTEGERS.get(" ".join(sorted(name.split())))
    if own is not None:
        return own if name not in source.types else None
    return Scalar(Held.INT, True) if is_status(name, source) else None
