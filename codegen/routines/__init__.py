"""The library's routines: loops over contacts and bodies that call its kernels."""

from functools import cache

from codegen.routine import Routine


@cache
def routines() -> dict[str, Routine]:
    """Every routine by name."""
    from codegen.routines import contact

    return {r.name: r for r in vars(contact).values() if isinstance(r, Routine)}
