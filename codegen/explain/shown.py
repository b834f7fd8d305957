"""The equations of kernels and steps as boxes, which every format prints."""

from __future__ import annotations

from collections.abc import Sequence

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.modeling.textbook import laid_out
from codegen.notation.layout import Row
from codegen.notation.reader import read
from codegen.provenance.parts import parts


def rows(kernel: Kernel | Routine, text: str) -> tuple[Row, ...]:
    """The equations of a text about a kernel; none where it is not in the notation."""
    try:
        return tuple(laid_out(text, _all_inputs(kernel), kernel.outputs))
    except FeatherError:
        return ()


def rows_of_parts(kernel: Kernel | Routine) -> list[tuple[Row, ...]]:
    """The equations in each part of a kernel's equation; none where it is not in the notation."""
    whole, texts = list(rows(kernel, kernel.equation)), parts(kernel)
    if not whole:
        return [() for _ in texts]
    counts = [len(read(text)) for text in texts]
    return [tuple(whole[sum(counts[:k]) : sum(counts[: k + 1])]) for k in range(len(counts))]


def _all_inputs(kernel: Kernel | Routine) -> Sequence[Arg]:
    return (kernel.signature or kernel.inputs) if isinstance(kernel, Kernel) else kernel.inputs
