"""The prose that the library has about its functions, which tests read for mistakes."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.proof.derivation import cross_check, hand_written


def texts(kernel: Kernel | Routine) -> Iterator[str]:
    """The prose about a kernel."""
    yield from (kernel.title, kernel.requires, kernel.details, kernel.source)
    yield from (a.doc for a in (*kernel.inputs, *kernel.outputs))
    yield from (str(case) for cases in kernel.failures.values() for case in cases)
    if isinstance(kernel, Kernel):
        yield from (text for step in hand_written(kernel) for text in (step.title, step.by, step.source))
        yield from (step.equation for step in cross_check(kernel))
