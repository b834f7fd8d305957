"""Applies the passes to kernels: the optimised Program of each, computed once per process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from codegen.ir.loops import Looped, unrolled
from codegen.ir.program import Program
from codegen.modeling.kernel import Kernel
from codegen.parallel import mapped
from codegen.passes import PARTS, Pass, optimise, stages
from codegen.passes.parts import in_parts


@cache
def passed(kernel: Kernel, checks: bool) -> tuple[tuple[Pass, Program], ...]:
    """Each pass that changes the kernel's Program, and the Program after it."""
    looped = optimised_loops(kernel, checks)
    if looped is not None:
        return ((PARTS, unrolled(looped).program),)
    return tuple(stages(kernel.program(checks), kernel.as_written))


def optimised_loops(kernel: Kernel, checks: bool) -> Looped | None:
    """The form with loops of a kernel that has one, each of its Programs after all passes."""
    return _optimised_loops(*_key(kernel, checks))


@cache
def _optimised_loops(kernel: Kernel, checks: bool) -> Looped | None:
    looped = kernel.loops(checks)
    return None if looped is None else in_parts(looped, lambda part: optimise(part, kernel.as_written))


def optimised(kernel: Kernel, checks: bool = True) -> Program:
    """The kernel's Program after all passes; with and without checks it is the same if nothing is checked."""
    key = _key(kernel, checks)
    if key not in _OPTIMISED:
        changed = passed(*key)
        _OPTIMISED[key] = changed[-1][1] if changed else kernel.program(key[1])
    return _OPTIMISED[key]


def _key(kernel: Kernel, checks: bool) -> tuple[Kernel, bool]:
    """The key of the cache: the kernel, and whether its Program has checks."""
    return kernel, checks and bool(kernel.program(True).status)


_OPTIMISED: dict[tuple[Kernel, bool], Program] = {}
"""The Programs that this process, or a worker of it, has optimised."""


def portable(program: Program) -> dict[str, Any]:
    """A Program without its arguments, whose types may be defined in a model, which pickle cannot import."""
    return {name: getattr(program, name) for name in ("nodes", "results", "status", "labels")}


def prepared(kernels: Sequence[Kernel], checks: bool) -> Iterator[Kernel]:
    """Each kernel when its Program is optimised, in parallel, and stored for `optimised`."""
    keys = {k: _key(k, checks) for k in kernels if k.loops(checks) is None}
    new = [key for key in dict.fromkeys(keys.values()) if key not in _OPTIMISED]
    found = zip(new, mapped(lambda key: portable(optimised(*key)), new), strict=True)
    for kernel in kernels:
        while kernel in keys and keys[kernel] not in _OPTIMISED:
            key, parts = next(found)
            adopt(*key, parts)
        yield kernel


def adopt(kernel: Kernel, checks: bool, parts: dict[str, Any]) -> None:
    """Store the parts of a kernel's Program that another process has optimised."""
    _OPTIMISED[_key(kernel, checks)] = replace(kernel.program(False), **parts)
