"""The result of a comparison of two generated trees: a Change for each function or file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from codegen.ir.cost import Cost
from codegen.review.diff.reading import Reading

SourceTree = Mapping[str, str | bytes]
"""The files of a tree: relative path -> content."""


LONGEST = 1_000
"""Limit on the operations of a reading that is kept."""


class ChangeClass(Enum):
    """The class of a change; those from identical to changed in order of severity, `BUILD` is that of files.

    Unreadable: both versions differ, and one of them is C that the reader does not accept.
    """

    IDENTICAL = "identical"
    COSMETIC = "cosmetic"
    REASSOCIATED = "re-associated"
    GUARDS = "guards changed"
    UNREADABLE = "unreadable"
    CHANGED = "changed"
    INTERFACE = "interface"
    CONTRACT = "contract"
    BUILD = "build"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True)
class Extent:
    """How far two versions differ over the input domain, as far as sampled points tell.

    `share` is that of the `points` at which they differ; `most` is the largest difference, of `output` at
    `inputs`, in the output's unit.
    """

    points: int
    share: float
    output: str
    most: float
    inputs: Mapping[str, float]


@dataclass(frozen=True)
class Witness:
    """A counterexample: an input at which two versions of a function return different values.

    Scalars have their names in C (`q_NB->w`, `R->m[4]`, `*h`); the returned status is `status`. Where an
    output is not written, its content before the call is an input: `q->w before the call`. `ulp` is the
    largest difference, in ulp of an output's largest component; infinite where only one side is NaN.
    `extent` is None where the versions do not differ at the sampled points of the input domain. A witness
    is not `certain` where the last place of a function of <math.h> decides whether the results differ.
    """

    inputs: Mapping[str, float]
    old: Mapping[str, float | int]
    new: Mapping[str, float | int]
    ulp: float
    extent: Extent | None = None
    certain: bool = True


class Unreadable(NamedTuple):
    """C that the reader does not accept: file, line and reason."""

    path: str
    line: int
    reason: str


@dataclass(frozen=True)
class Change:
    """The change of one function, or of a file, whose path is the symbol then.

    `detail` explains the class in one line; `path` and `line` are those of the new side, or of the old side
    where the function was removed. Costs are None where the side is missing or its C was not read, as for
    functions of the same code and those with loops.
    `also` are further classes that hold: a policy may fail one of them. `old_symbol` is the function's name
    in the old tree, empty where it is the same. `readings` are both versions as they were read;
    None where a version is missing, was not read, or has more than LONGEST operations. `covered` are the
    functions that were read in place of their calls where both versions were compared.
    The bodies are the C text of the function on each side, empty where it is missing.
    """

    symbol: str
    kind: ChangeClass
    detail: str
    path: str
    line: int
    old_cost: Cost | None = None
    new_cost: Cost | None = None
    witness: Witness | None = None
    unreadable: Unreadable | None = None
    old_body: str = ""
    new_body: str = ""
    also: tuple[ChangeClass, ...] = ()
    old_symbol: str = ""
    readings: tuple[Reading | None, Reading | None] = field(default=(None, None), compare=False, repr=False)
    covered: frozenset[str] = field(default=frozenset(), compare=False, repr=False)

    @property
    def kinds(self) -> frozenset[ChangeClass]:
        """All classes of the change."""
        return frozenset({self.kind, *self.also})
