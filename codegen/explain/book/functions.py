"""The functions that a book is about, each made once: with the options of the library."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from codegen.emit.function import Function, function
from codegen.emit.options import Options
from codegen.ir.systems import Precision
from codegen.modeling.kernel import Kernel
from codegen.passes.pipeline import prepared

OPTIONS = Options()


@cache
def function_of(kernel: Kernel, precision: Precision) -> Function:
    """The function of a kernel."""
    return function(kernel, precision, OPTIONS)


def functions_of(kernels: Sequence[Kernel]) -> list[Function]:
    """The functions of all kernels, precision by precision; their Programs are optimised in parallel."""
    done = list(prepared(kernels, OPTIONS.checks))
    return [function_of(k, p) for p in OPTIONS.formats for k in done]
