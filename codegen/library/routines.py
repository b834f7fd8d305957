"""Finds the library's routines: loops over contacts and bodies that call its kernels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from codegen.errors import FeatherError
from codegen.library import library
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine


@cache
def routines() -> dict[str, Routine]:
    """Every routine by name."""
    from codegen.library.contact_solver import routines as contact

    return {r.name: r for r in vars(contact).values() if isinstance(r, Routine)}


def with_calls(chosen: Sequence[Kernel | Routine]) -> tuple[list[Kernel], list[Routine]]:
    """The chosen kernels and routines, and those that the routines call, in the library's order.

    FeatherError when a routine would call a kernel with bound inputs.
    """
    kernels = [k for k in chosen if isinstance(k, Kernel)]
    wanted = [r for r in chosen if isinstance(r, Routine)]
    for routine in wanted:  # which grows meanwhile
        for k in kernels:
            if k.name in routine.calls and k.bound:
                raise FeatherError(
                    f"{routine.name} calls {k.name}, which has bound inputs: name the kernels to generate"
                )
        called = [routines()[name] for name in routine.calls if name in routines()]
        wanted += [r for r in called if r not in wanted]
        there = {k.name for k in kernels}
        kernels += [library()[n] for n in routine.calls if n in library() and n not in there]
    return kernels, [r for r in routines().values() if r in wanted]
