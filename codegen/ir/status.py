"""Status: the flags that a C function returns."""

from __future__ import annotations

from difflib import get_close_matches
from enum import EnumMeta, IntFlag
from typing import TYPE_CHECKING, Never

from codegen.errors import FeatherError


class NoFlag(FeatherError, AttributeError):
    """There is no status flag of this name; the message says which there are."""


class _Flags(EnumMeta):
    """The type of Status, which names its flags where a model misspells one."""

    if not TYPE_CHECKING:  # what a type checker finds is better

        def __getattr__(cls, name: str) -> Never:
            if name.startswith("_"):
                raise AttributeError(name)
            meant = get_close_matches(name, cls.__members__, 1)
            written = meant[0] if meant else f"one of {', '.join(cls.__members__)}"
            raise NoFlag(f"Status.{name} is no status flag; write {written}")


class Status(IntFlag, metaclass=_Flags):
    """The flags that a C function returns when a precondition fails, or-ed."""

    NOT_FINITE = 1
    MASS = 2
    SINGULAR = 4
    NOT_PHYSICAL = 8
    GIMBAL_LOCK = 16
    ZERO_NORM = 32
    DEGENERATE = 64
    NOT_CONVERGED = 128
    OUTSIDE = 256
