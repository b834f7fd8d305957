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


_WORDS = {
    "unsigned": Scalar(Held.INT, True),
    "unsigned int": Scalar(Held.INT, True),
    "uint32_t": Scalar(Held.INT, True),
    "size_t": Scalar(Held.INT, True, False, True),
    "signed": Scalar(Held.INT),
    "signed int": Scalar(Held.INT),
    "int32_t": Scalar(Held.INT),
    "_Bool": Scalar(Held.TRUTH),
    "bool": Scalar(Held.TRUTH),
} | {
    name: Scalar(Held.INT, False, True)
    for name in (
        "short", "unsigned short", "unsigned char", "signed char", "int8_t", "uint8_t", "int16_t", "uint16_t"
    )
} | {
    name: Scalar(Held.INT, False, True, True)
    for name in (
        "long", "long int", "signed long", "signed long int", "long long", "long long int", "int64_t",
        "unsigned long", "unsigned long int", "unsigned long long", "unsigned long long int", "uint64_t"
    )
}  # fmt: skip


def scalar_type(kind: Any, source: Source) -> Scalar | None:
    """The scalar type of a declaration or cast, as pycparser has it; None for any other."""
    name = meant(" ".join(type_names(kind)), source)
    if name in SCALARS:
        return Scalar(SCALARS[name])
    if name in _WORDS:
        return _WORDS[name] if name not in source.types else None
    return Scalar(Held.INT, True) if is_status(name, source) else None
