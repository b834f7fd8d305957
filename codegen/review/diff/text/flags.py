"""The names of status flags, by which a report says what a function returned."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

from codegen.review.diff.text.macros import Macros

Flags: TypeAlias = Mapping[int, str]
"""The names of status values in a tree: of each flag, and of 0."""

_VALUE = re.compile(r"([0-9]{1,10})[uU]")


def flags_of(macros: Macros, prefix: str) -> Flags:
    """The flags that a tree's headers define, `#define FC_MASS 2u`; `prefix` is that of its names."""
    found: dict[int, str] = {}
    for name in sorted(macros.beginning(prefix.upper())):
        value = _VALUE.fullmatch(macros.meaning(name, ()))
        if value is not None and int(value[1]).bit_count() < 2:
            found.setdefault(int(value[1]), name)
    return found


def named(status: int, flags: Flags) -> str:
    """A status in the names of its flags, and the number of those without a name: `FC_MASS | 1024`."""
    if status in flags:
        return flags[status]
    bits = [1 << k for k in range(status.bit_length()) if status >> k & 1]
    known = [flags[bit] for bit in bits if bit in flags]
    rest = sum(bit for bit in bits if bit not in flags)
    return " | ".join([*known, *([str(rest)] if rest or not known else [])])
