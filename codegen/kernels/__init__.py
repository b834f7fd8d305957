"""The standard library: one module of kernels for each subject."""

import importlib
from functools import cache

from codegen.describe import Kernel

MODULES = ("rotation", "transform", "spatial", "inertia", "articulated", "rigid_body")


@cache
def library() -> dict[str, Kernel]:
    """Every kernel of the library by name, module by module in the order of its source."""
    modules = [importlib.import_module(f"codegen.kernels.{name}") for name in MODULES]
    return {
        k.name: k
        for module in modules
        for k in vars(module).values()
        if isinstance(k, Kernel) and k.module == module.__name__.rpartition(".")[2]
    }
