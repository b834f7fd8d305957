"""The standard library: one package for each subject.

A subject has its `kernels`, and beside them their independent forms: `definitions` (SymPy), `properties` of
inverse functions (SymPy), `derivations` (CasADi), `reference` (NumPy), and the `steps` between definition and
formula.
"""

import importlib
from collections.abc import Iterator
from functools import cache

from codegen.modeling.kernel import Kernel

MODULES = (
    "rotation",
    "euler",
    "rotation_vector",
    "rodrigues",
    "average",
    "transform",
    "spatial",
    "inertia",
    "inertia_forms",
    "inertia_factors",
    "shapes",
    "joints",
    "articulated",
    "rigid_body",
    "rigid_body_steps",
    "loads",
    "air_data",
    "navigation",
    "contact",
    "contact_solver",
)


@cache
def library() -> dict[str, Kernel]:
    """Every kernel of the library by name, module by module in the order of its source."""
    return {k.name: k for name in MODULES for k in _kernels_of(name)}


def _kernels_of(name: str) -> Iterator[Kernel]:
    """The kernels that a module makes itself, alone or as a tuple (a family)."""
    module = importlib.import_module(f"codegen.library.{name}.kernels")
    for value in vars(module).values():
        for k in value if isinstance(value, tuple) else (value,):
            if isinstance(k, Kernel) and k.module == name:
                yield k
