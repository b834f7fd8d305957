"""Finds the independent forms of the library's kernels by the kernel's name.

A form is a function in a module of the kernel's subject, or a member of that module's dictionary FAMILY.
SymPy, CasADi and NumPy are imported only when a form is requested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from codegen.library import MODULES, library

if TYPE_CHECKING:
    from casadi import SX
    from sympy import Expr

    from codegen.ir.systems import Precision
    from codegen.library.shared.dense import Result
    from codegen.modeling.routine import Trial

    Definition = Callable[..., list[Expr]] | str
    Derivation = Callable[..., SX]


def definition(kernel: str) -> Definition | None:
    """The textbook definition, None where there is none.

    It is equations in the notation of `codegen.notation`, or a function in SymPy, arguments -> results.
    Arguments are flat lists of scalars in C order (a scalar argument is one expression), results one flat
    list. It gives the value where no status flag is raised, in the dense form that a book prints.
    """
    return _form("definitions", kernel)


def defining_property(kernel: str) -> Definition | None:
    """The property that defines the results: equations, or residuals in SymPy that must be zero."""
    return _form("properties", kernel)


def derivation(kernel: str) -> Derivation | None:
    """The derivation in CasADi from an energy, a power or a motion, None where there is none.

    Arguments are flat SX columns in C order (a scalar argument 1x1), the result is one flat, dense column.
    """
    return _function("derivations", kernel)


def reference(kernel: str) -> Callable[..., Result] | None:
    """The dense NumPy reference, None where there is none.

    It runs in float64, on mpmath numbers and on exact scalars; compiled C is compared with it.
    """
    return _function("reference", kernel)


def trials(routine: str) -> Callable[[Precision], Iterable[Trial]]:
    """The calls that verify a routine, for a precision."""
    found: Callable[[Precision], Iterable[Trial]] = next(
        module.TRIALS[routine] for module in _modules("trials") if routine in module.TRIALS
    )
    return found


def _function(kind: str, kernel: str) -> Callable[..., Any] | None:
    form = _form(kind, kernel)
    assert not isinstance(form, str), f"{kernel} has equations where a function is expected"
    return form


def _form(kind: str, kernel: str) -> Callable[..., Any] | str | None:
    """The equations or the function `kernel` of its subject's module; imported functions are ignored."""
    known = library().get(kernel)
    for module in _modules(kind, MODULES if known is None else (known.module,)):
        form: Callable[..., Any] | str | None = vars(module).get(kernel)
        if isinstance(form, str) or (form is not None and form.__module__ == module.__name__):
            return form
        member: Callable[..., Any] | str | None = vars(module).get("FAMILY", {}).get(kernel)
        if member is not None:
            return member
    return None


@cache
def _modules(kind: str, subjects: tuple[str, ...] = MODULES) -> tuple[ModuleType, ...]:
    """The modules of one kind, from each of the subjects that has one; no other is imported."""
    names = (f"{__package__}.{subject}.{kind}" for subject in subjects)
    return tuple(import_module(name) for name in names if find_spec(name))
