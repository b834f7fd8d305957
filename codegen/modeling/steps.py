"""Step: one equation in the derivation of a kernel's formula from its definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from codegen.displayed import Displayed

StepKind: TypeAlias = Literal["definition", "step", "formula", "passes", "cross-check"]

SympyForm: TypeAlias = Callable[..., Sequence[Any]]
"""Arguments (each a flat list of SymPy scalars in C order, a scalar argument the scalar itself) -> results,
as one flat list in C order. An implicit form takes the results, too, and returns residuals that are zero."""

Form: TypeAlias = SympyForm | str
"""What a step states: in SymPy, or as equations in the notation of `codegen.notation`."""


@dataclass(frozen=True)
class Step(Displayed):
    """One equation of a derivation, and the reason why it follows from the one before.

    `title` names the operation; `equation` is the result in plain-text notation, perhaps on several
    lines; `by` names the identity or assumption used; `source` is the book and section, or paper. Frames and
    units are those of the kernel's arguments. `form` is what the equation states, in SymPy or in the
    notation of equations; None for the generated steps: the formula, the passes and the cross-check. An
    `implicit` step gives residuals of the results, which are zero where the results are right, like the
    property that defines a kernel.
    """

    title: str
    equation: str
    by: str = ""
    source: str = ""
    form: Form | None = field(default=None, repr=False)
    kind: StepKind = "step"
    implicit: bool = False


def stated(title: str, equation: str, *, by: str, source: str) -> Step:
    """A hand-written step whose equations, in the notation, are shown and checked."""
    return Step(title, equation, by, source, equation)


def stated_condition(title: str, equation: str, *, by: str, source: str) -> Step:
    """An implicit hand-written step: equations between arguments and results."""
    return Step(title, equation, by, source, equation, implicit=True)
