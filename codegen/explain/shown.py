"""The equations of kernels and steps, and formulas in prose, as boxes, which every format prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.modeling.textbook import laid_out, laid_out_in_prose
from codegen.notation.layout import Row
from codegen.notation.prose import pieces
from codegen.notation.reader import read
from codegen.provenance.parts import parts

Prose: TypeAlias = tuple[str | Row, ...]
"""Words and formulas."""


def rows(kernel: Kernel | Routine, text: str) -> tuple[Row, ...]:
    """The equations of a text about a kernel; none where it is not in the notation."""
    try:
        setting = kernel.setting if isinstance(kernel, Kernel) else None
        return tuple(laid_out(text, _all_inputs(kernel), kernel.outputs, setting))
    except FeatherError:
        return ()


def rows_of_parts(kernel: Kernel | Routine) -> list[tuple[Row, ...]]:
    """The equations in each part of a kernel's equation; none where it is not in the notation."""
    whole, texts = list(rows(kernel, kernel.equation)), parts(kernel)
    if not whole:
        return [() for _ in texts]
    counts = [len(read(text)) for text in texts]
    return [tuple(whole[sum(counts[:k]) : sum(counts[: k + 1])]) for k in range(len(counts))]


def prose(kernel: Kernel | Routine | None, text: str) -> Prose:
    """A text with formulas between backticks; what is no notation there stays as it is written."""
    return tuple(_formula(kernel, p.text) if p.is_formula else p.text for p in pieces(text))


def joined(parts: Prose, words: Callable[[str], str], formula: Callable[[Row], str]) -> str:
    """Prose in a format that sets words and formulas so."""
    return "".join(words(part) if isinstance(part, str) else formula(part) for part in parts)


def _formula(kernel: Kernel | Routine | None, text: str) -> str | Row:
    try:
        if kernel is None:
            return laid_out_in_prose(text, "", (), ())
        return laid_out_in_prose(text, kernel.equation, _all_inputs(kernel), kernel.outputs)
    except FeatherError:
        return text


def _all_inputs(kernel: Kernel | Routine) -> Sequence[Arg]:
    return (kernel.signature or kernel.inputs) if isinstance(kernel, Kernel) else kernel.inputs
