"""Equations of a kernel as functions of SymPy's scalars, so that tests can make them wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codegen.frontends import from_sympy
from codegen.modeling.kernel import Kernel
from codegen.modeling.steps import Form


def _flat(arguments: tuple[Any, ...]) -> list[Any]:
    return [x for a in arguments for x in (a if isinstance(a, (list, tuple)) else [a])]


def in_sympy(kernel: Kernel, form: Form) -> Callable[..., list[Any]]:
    """An explicit form: arguments -> results."""
    return lambda *given: list(from_sympy.applied(form, kernel.inputs, kernel.outputs, _flat(given)))


def zeros_in_sympy(kernel: Kernel, form: Form) -> Callable[..., list[Any]]:
    """An implicit form: arguments and results -> residuals."""
    return lambda *given: list(from_sympy.residuals(form, kernel.inputs, kernel.outputs, _flat(given)))
