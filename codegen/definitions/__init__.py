"""What every kernel means: its textbook definition, or the property that defines it, in SymPy.

A definition takes each argument as a flat list of scalars in C order (a scalar argument as one
expression) and returns all results as one flat list in C order. It describes the value where no
failure status is raised. The forms are the books' own and never economical: dense 6x6 products,
sandwich products, adjugates. SymPy is imported when a definition is asked for, not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegen.kernels import MODULES
from codegen.lookup import own_function

if TYPE_CHECKING:
    from collections.abc import Callable

    from sympy import Expr

    Definition = Callable[..., list[Expr]]


def definition(kernel: str) -> Definition | None:
    """The function arguments -> results that defines `kernel`, None if there is none."""
    return own_function(__name__, MODULES, kernel)


def defining_property(kernel: str) -> Definition | None:
    """The function arguments, results -> residuals, all zero where the results are right."""
    return own_function(__name__, ["properties"], kernel)
