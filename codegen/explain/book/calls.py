"""The call graph: which kernels a kernel or routine calls, and which call it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine


def calls(subject: Kernel | Routine) -> set[str]:
    """The names of the kernels and routines that it calls, directly or through helper functions."""
    if isinstance(subject, Routine):
        return set(subject.calls)
    start: list[Callable[..., Any]] = [subject.lower, *([subject.formula] if subject.formula else [])]
    return {k.name for f in start for k in _reached(f, set())} - {subject.name}


def callers(everything: Mapping[str, Kernel | Routine]) -> dict[str, list[str]]:
    """For each name, its callers in the library's order."""
    found: dict[str, list[str]] = {name: [] for name in everything}
    for name, subject in everything.items():
        for called in calls(subject) & found.keys():
            found[called].append(name)
    return found


class Built(NamedTuple):
    """A function, and what it is built from; nothing below one that stands earlier on the page."""

    name: str
    of: tuple[Built, ...]
    is_repeated: bool


def trees(below: Mapping[str, Sequence[str]]) -> list[Built]:
    """The functions that call others and are called by none, with all that they are built from."""
    called = {name for names in below.values() for name in names}
    seen: set[str] = set()

    def built(name: str) -> Built:
        is_repeated = name in seen and bool(below.get(name))
        seen.add(name)
        return Built(name, () if is_repeated else tuple(map(built, below.get(name, ()))), is_repeated)

    return [built(name) for name, names in below.items() if names and name not in called]


def _reached(function: Any, seen: set[int]) -> Iterator[Kernel]:
    """The kernels that a function's code names, or that it closes over; helpers are searched, too."""
    if not isinstance(function, FunctionType) or id(function) in seen:
        return
    seen.add(id(function))
    closed = [cell.cell_contents for cell in function.__closure__ or ()]
    for value in (*_named(function), *closed):
        if isinstance(value, Kernel):
            yield value
        elif getattr(value, "__module__", "").partition(".")[0] == function.__module__.partition(".")[0]:
            yield from _reached(value, seen)


def _named(function: FunctionType) -> list[Any]:
    """The globals that its code, and functions inside it, name."""
    names: list[str] = []
    waiting: list[CodeType] = [function.__code__]
    while waiting:
        code = waiting.pop()
        names += code.co_names
        waiting += [c for c in code.co_consts if isinstance(c, CodeType)]
    return [function.__globals__[n] for n in dict.fromkeys(names) if n in function.__globals__]
