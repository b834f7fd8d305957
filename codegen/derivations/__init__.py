"""What every kernel follows from: the derivative of an energy, a power or a motion, in CasADi.

A second way to each value, independent of the definitions: momenta are gradients of the kinetic
energy, inertias its Hessians, forces gradients of power, cross products rates of change. A
derivation takes each argument as a flat SX column in C order (a scalar argument 1x1) and returns
all results as one flat, dense SX column in C order. It describes the value where no failure
status is raised. CasADi is imported when a derivation is asked for, not before.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from casadi import SX

    Derivation = Callable[..., SX]

MODULES = ("rotation", "transform", "spatial", "inertia", "articulated", "rigid_body")


def derivation(kernel: str) -> Derivation | None:
    """The function arguments -> results that derives `kernel`, None where nothing is derived."""
    return next(filter(None, (_own_function(module, kernel) for module in MODULES)), None)


def _own_function(module: str, name: str) -> Derivation | None:
    """The function `name` that the module defines itself; what it only imports does not count."""
    owner = import_module(f"{__name__}.{module}")
    function: Derivation | None = vars(owner).get(name)
    return function if getattr(function, "__module__", None) == owner.__name__ else None
