"""Finding a kernel's independent form by its name: a function of a module, or a member of its FAMILY."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any


def own_function(package: str, modules: Iterable[str], name: str) -> Callable[..., Any] | None:
    """The function `name` that one of the package's modules defines itself, None if none does.

    What a module only imports does not count. A family of functions is a dict FAMILY by name.
    """
    for module in modules:
        owner = import_module(f"{package}.{module}")
        function: Callable[..., Any] | None = vars(owner).get(name)
        if function is not None and function.__module__ == owner.__name__:
            return function
        member: Callable[..., Any] | None = vars(owner).get("FAMILY", {}).get(name)
        if member is not None:
            return member
    return None
