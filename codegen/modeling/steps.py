"""Step: one form of a kernel's mathematics on the way from its definition to its formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["definition", "step", "formula", "passes", "cross-check"]

Form: TypeAlias = Callable[..., Sequence[Any]]
"""Arguments (each a flat list of SymPy scalars in C order, a scalar argument the scalar itself) -> results,
as one flat list in C order. An implicit form takes the results, too, and returns what is then zero."""


@dataclass(frozen=True)
class Step:
    """One form of a kernel's mathematics, and why it is the one before it.

    `title` says what is done; `equation` is what comes out, in the house's notation, perhaps on several
    lines; `by` names the identity or assumption used; `source` is the book and section, or paper. Frames and
    units are those of the kernel's arguments. `form` is the same in SymPy; None for what the machine makes,
    the formula, the passes and the cross-check. An `implicit` step states conditions on the results that
    are zero where these are right, as the property that defines a kernel does. `equations` shows a form.
    """

    title: str
    equation: str
    by: str = ""
    source: str = ""
    form: Form | None = field(default=None, repr=False)
    kind: Kind = "step"
    implicit: bool = False


def step(title: str, equation: str, *, by: str, source: str) -> Callable[[Form], Step]:
    """Make a hand-written step of its form."""
    return lambda form: Step(title, equation, by, source, form)


def condition(title: str, equation: str, *, by: str, source: str) -> Callable[[Form], Step]:
    """Make an implicit hand-written step of its form: arguments, results -> residuals."""
    return lambda form: Step(title, equation, by, source, form, implicit=True)
