"""The equations of kernels and steps, and formulas in prose, as boxes, which every format prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.modeling.equations.prose_formulas import laid_out_together
from codegen.modeling.equations.tables import setting_of
from codegen.modeling.equations.textbook import Shown, shown
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.modeling.steps import Step
from codegen.notation.layout import Row
from codegen.notation.prose import pieces
from codegen.notation.reader import read
from codegen.proof.derivation import stated
from codegen.provenance.parts import parts

Prose: TypeAlias = tuple[str | Row, ...]
"""Words and formulas."""


def rows(kernel: Kernel | Routine, text: str) -> tuple[Row, ...]:
    """The equations of a text about a kernel; none where it is not in the notation."""
    found = equations(kernel, text)
    return () if found is None else tuple(map(found.layout.equation, found.equations))


@lru_cache(maxsize=64)
def equations(kernel: Kernel | Routine, text: str) -> Shown | None:
    """The equations of a text about a kernel, with their values; None where it is not in the notation."""
    try:
        setting = setting_of(kernel) if isinstance(kernel, Kernel) else None
        return shown(text, all_inputs(kernel), all_outputs(kernel), setting)
    except FeatherError:
        return None


def rows_of_parts(kernel: Kernel | Routine) -> list[tuple[Row, ...]]:
    """The equations in each part of a kernel's equation; none where it is not in the notation."""
    whole, texts = list(rows(kernel, kernel.equation)), parts(kernel)
    if not whole:
        return [() for _ in texts]
    counts = [len(read(text)) for text in texts]
    return [tuple(whole[sum(counts[:k]) : sum(counts[: k + 1])]) for k in range(len(counts))]


def prose(kernel: Kernel | Routine | None, text: str, equation: str = "") -> Prose:
    """A text with formulas between backticks; what is no notation there stays as it is written.

    `equation` is the one that the text explains, if it is not the kernel's.
    """
    parts = list(pieces(text))
    formulas = [p.text for p in parts if p.is_formula]
    if not formulas:
        return tuple(p.text for p in parts)
    laid_out = iter(_formulas(kernel, formulas, equation))
    return tuple((next(laid_out) or p.text) if p.is_formula else p.text for p in parts)


def prose_of_step(kernel: Kernel, step: Step, text: str) -> Prose:
    """A text about a step; the letters in the rule of a pass are not the kernel's."""
    return prose(None, text) if step.kind == "passes" else prose(kernel, text, step.equation)


def joined(parts: Prose, words: Callable[[str], str], formula: Callable[[Row], str]) -> str:
    """Prose in a format that sets words and formulas so."""
    return "".join(words(part) if isinstance(part, str) else formula(part) for part in parts)


def _formulas(kernel: Kernel | Routine | None, formulas: Sequence[str], equation: str) -> list[Row | None]:
    if kernel is None:
        return laid_out_together(formulas, (), (), ())
    around = (equation, kernel.equation, *(_steps(kernel) if equation else ()))
    return laid_out_together(formulas, around, all_inputs(kernel), all_outputs(kernel))


@lru_cache(maxsize=64)
def _steps(kernel: Kernel | Routine) -> tuple[str, ...]:
    """The equations of the steps of a kernel's derivation, in which names of the text may be defined."""
    return tuple(step.equation for step in stated(kernel)) if isinstance(kernel, Kernel) else ()


def all_inputs(kernel: Kernel | Routine) -> Sequence[Arg]:
    """What equations are about besides results: the inputs, those that are bound included, and symbols."""
    if isinstance(kernel, Kernel):
        return kernel.all_inputs
    return [*map(kernel.whole, kernel.inputs), *kernel.symbols]


def all_outputs(kernel: Kernel | Routine) -> Sequence[Arg]:
    """The results that equations are about."""
    return kernel.outputs if isinstance(kernel, Kernel) else [*map(kernel.whole, kernel.outputs)]
