"""The scalar types of C that are read."""

from __future__ import annotations

from typing import Any, NamedTuple

from codegen.review.diff.functions.signature import is_status, meant
from codegen.review.diff.reading import SCALARS, Held
from codegen.review.diff.text.integers import MOST_INT
from codegen.review.diff.text.source import Source
from codegen.review.diff.text.syntax import type_names


class Scalar(NamedTuple):
    """A scalar type. One that is unsigned holds flags, also sizes.

    `most` is the largest number that an integer of another width than int surely holds, 0 for other types.
    The width of a size, or of a long integer, depends on the compiler, or is more than that of int.
    """

    held: Held
    unsigned: bool = False
    most: int = 0
    is_size: bool = False


_NARROW = {
    2**7 - 1: "char, char signed, int8_t, int_least8_t",
    2**8 - 1: "char unsigned, uint8_t, uint_least8_t",
    2**15 - 1: "short, int short, short signed, int short signed, int16_t, int_least16_t",
    2**16 - 1: "short unsigned, int short unsigned, uint16_t, uint_least16_t",
}
"""The types that C makes int where it calculates, by the largest number that they surely hold."""

_SIGNED = (
    "long, int long, long signed, int long signed, long long, int long long, long long signed, "
    "int long long signed, int64_t, int_least64_t, int_fast32_t, int_fast64_t, intmax_t, "
    "ptrdiff_t"
)
_UNSIGNED = (
    "size_t, long unsigned, int long unsigned, long long unsigned, int long long unsigned, uint64_t, "
    "uint_least64_t, uint_fast32_t, uint_fast64_t, uintmax_t"
)

_BY_SCALAR = {
    Scalar(Held.INT): "signed, int signed, int32_t, int_least32_t",
    Scalar(Held.INT, True): "unsigned, int unsigned, uint32_t, uint_least32_t",
    Scalar(Held.TRUTH): "_Bool, bool",
    **{Scalar(Held.INT, False, most): names for most, names in _NARROW.items()},
    Scalar(Held.INT, False, MOST_INT, True): _SIGNED,
    Scalar(Held.INT, True, 0, True): _UNSIGNED,
    **{Scalar(Held.INT, False, 2 ** (bits - 1) - 1, True): f"int_fast{bits}_t" for bits in (8, 16)},
    **{Scalar(Held.INT, True, 2**bits - 1, True): f"uint_fast{bits}_t" for bits in (8, 16)},
}

INTEGERS = {name: scalar for scalar, names in _BY_SCALAR.items() for name in names.split(", ")}
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


def narrow_range(name: str) -> tuple[int, int] | None:
    """The least and the largest number of a type narrower than int; None for other types.

    A char without a sign is either of two types, and `int_least8_t` may be any that is wide enough.
    """
    scalar = INTEGERS.get(name)
    if scalar is None or scalar.is_size or scalar.most not in _NARROW or name == "char" or "least" in name:
        return None
    is_signed = scalar.most in (2**7 - 1, 2**15 - 1)
    return (-scalar.most - 1 if is_signed else 0), scalar.most
