"""What a comparison of two generated trees says: one Change for each function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from codegen.ir.cost import Cost

Tree = Mapping[str, str | bytes]
"""The files of a tree: relative path -> content."""


class Kind(Enum):
    """What became of a function; the first four in order of severity."""

    IDENTICAL = "identical"
    COSMETIC = "cosmetic"
    REASSOCIATED = "re-associated"
    CHANGED = "changed"
    INTERFACE = "interface"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True)
class Witness:
    """An input at which two versions of a function return different values.

    Scalars have the names that C gives them (`q_NB->w`, `R->m[4]`, `*h`); the returned status is `status`.
    An output that is not written has its content as an input: `q->w before the call`. `ulp` is the largest
    difference in last places of an output's largest component; infinite where only one side is a number.
    """

    inputs: Mapping[str, float]
    old: Mapping[str, float | int]
    new: Mapping[str, float | int]
    ulp: float


class Unreadable(NamedTuple):
    """C that could not be read as a function of the generator."""

    path: str
    line: int
    reason: str


@dataclass(frozen=True)
class Change:
    """What became of one function.

    `detail` is one line that says what or why; `path` and `line` are those of the new side, or of the old
    where the function was removed. Costs are None where the C was not read, as in identical functions and
    those with loops, or the side is missing.
    The bodies are the C text of the function on each side, empty where it is missing.
    """

    symbol: str
    kind: Kind
    detail: str
    path: str
    line: int
    old_cost: Cost | None = None
    new_cost: Cost | None = None
    witness: Witness | None = None
    unreadable: Unreadable | None = None
    old_body: str = ""
    new_body: str = ""
