"""What every kernel means: its textbook definition, or the property that defines it, in SymPy.

A definition takes each argument as a flat list of scalars in C order (a scalar argument as one
expression) and returns all results as one flat list in C order. It describes the value where no
failure status is raised. The forms are the books' own and never economical: dense 6x6 products,
sandwich products, adjugates. SymPy is imported when a definition is asked for, not before.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from sympy import Expr

    Definition = Callable[..., list[Expr]]

MODULES = ("rotation", "transform", "spatial", "inertia", "articulated", "rigid_body")


def definition(kernel: str) -> Definition | None:
    """The function arguments -> results that defines `kernel`, None if there is none."""
    return next(filter(None, (_own_function(module, kernel) for module in MODULES)), None)


def defining_property(kernel: str) -> Definition | None:
    """The function arguments, results -> residuals, all zero where the results are right."""
    return _own_function("properties", kernel)


def _own_function(module: str, name: str) -> Definition | None:
    """The function `name` that the module defines itself; what it only imports does not count."""
    owner = import_module(f"{__name__}.{module}")
    function: Definition | None = vars(owner).get(name)
    return function if getattr(function, "__module__", None) == owner.__name__ else None
