"""Applies the passes to kernels: the stages of the Program of each, computed once per process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

from codegen.ir.loops import Looped, unrolled
from codegen.ir.program import Program
from codegen.modeling.kernel import Kernel
from codegen.parallel import mapped
from codegen.passes import PARTS, Pass, optimise, stages
from codegen.passes.parts import in_parts

Stages: TypeAlias = tuple[tuple[Pass, Program], ...]
"""Each pass that changes a Program, and the Program after it."""

Portable: TypeAlias = list[tuple[Pass, dict[str, Any]]]
"""Stages whose Programs are without their arguments, whose types may be those of a model, which pickle cannot
import.
"""


def passed(kernel: Kernel, checks: bool) -> Stages:
    """The stages of a kernel's Program; with and without checks they are the same if nothing is checked."""
    key = _key(kernel, checks)
    if key not in _PASSED:
        looped = _optimised_loops(*key)
        made = stages(kernel.program(key[1]), kernel.as_written) if looped is None else _unrolled(looped)
        _PASSED[key] = tuple(made)
    return _PASSED[key]


def _unrolled(looped: Looped) -> Stages:
    return ((PARTS, unrolled(looped).program),)


def optimised_loops(kernel: Kernel, checks: bool) -> Looped | None:
    """The form with loops of a kernel that has one, each of its Programs after all passes."""
    return _optimised_loops(*_key(kernel, checks))


@cache
def _optimised_loops(kernel: Kernel, checks: bool) -> Looped | None:
    looped = kernel.loops(checks)
    return None if looped is None else in_parts(looped, lambda part: optimise(part, kernel.as_written))


def optimised(kernel: Kernel, checks: bool = True) -> Program:
    """The kernel's Program after all passes; with and without checks it is the same if nothing is checked."""
    changed = passed(kernel, checks)
    return changed[-1][1] if changed else kernel.program(checks)


def _key(kernel: Kernel, checks: bool) -> tuple[Kernel, bool]:
    """The key of the cache: the kernel, and whether its Program has checks."""
    return kernel, checks and bool(kernel.program(True).status)


_PASSED: dict[tuple[Kernel, bool], Stages] = {}
"""The stages of the Programs that this process, or a worker of it, has optimised."""


def portable(kernel: Kernel, checks: bool) -> Portable:
    """The stages of a kernel's Program, for another process."""
    names = ("nodes", "results", "status", "labels")
    return [(p, {name: getattr(program, name) for name in names}) for p, program in passed(kernel, checks)]


def prepared(kernels: Sequence[Kernel], checks: bool) -> Iterator[Kernel]:
    """Each kernel when its Program is optimised, in parallel, and stored for `passed`."""
    keys = {k: _key(k, checks) for k in kernels if k.loops(checks) is None}
    new = [key for key in dict.fromkeys(keys.values()) if key not in _PASSED]
    found = zip(new, mapped(lambda key: portable(*key), new), strict=True)
    for kernel in kernels:
        while kernel in keys and keys[kernel] not in _PASSED:
            key, parts = next(found)
            adopt(*key, parts)
        yield kernel


def adopt(kernel: Kernel, checks: bool, parts: Portable) -> None:
    """Store the stages of a kernel's Program that another process has made."""
    given = kernel.program(False)
    _PASSED[_key(kernel, checks)] = tuple((p, replace(given, **of)) for p, of in parts)
