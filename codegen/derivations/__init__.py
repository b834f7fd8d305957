"""What every kernel follows from: the derivative of an energy, a power or a motion, in CasADi.

A second way to each value, independent of the definitions: momenta are gradients of the kinetic
energy, inertias its Hessians, forces gradients of power, cross products rates of change. A
derivation takes each argument as a flat SX column in C order (a scalar argument 1x1) and returns
all results as one flat, dense SX column in C order. It describes the value where no failure
status is raised. CasADi is imported when a derivation is asked for, not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegen.kernels import MODULES
from codegen.lookup import own_function

if TYPE_CHECKING:
    from collections.abc import Callable

    from casadi import SX

    Derivation = Callable[..., SX]


def derivation(kernel: str) -> Derivation | None:
    """The function arguments -> results that derives `kernel`, None where nothing is derived."""
    return own_function(__name__, MODULES, kernel)
