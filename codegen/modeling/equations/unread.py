"""What an equation defines although no result depends on it, so that nothing compares it with the formula."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codegen.errors import FeatherError
from codegen.ir.program import Arg, input_scalars
from codegen.modeling.equations.textbook import arguments, is_notation, spellings, traced_table
from codegen.modeling.kernel import Kernel
from codegen.notation import functions
from codegen.notation.names import Names
from codegen.notation.reader import read
from codegen.notation.syntax import Equation, Kind, Node


def unread(kernel: Kernel) -> list[str]:
    """The names in a kernel's equation that it defines, and that neither its results, a condition nor a
    failure needs; of names that are taken from one value, those of which none is needed.

    The equations of the library's own families of bodies are not looked at.
    """
    if kernel.setting is not None or not is_notation(kernel.equation):
        return []
    return unread_in(kernel.equation, kernel)


def unread_in(text: str, kernel: Kernel) -> list[str]:
    """The names that other equations about a kernel, those of a step, define without any need."""
    equations = read(text)
    inputs = {a.name for a in kernel.all_inputs}
    needed = _reached(equations, {*_roots(kernel, equations), *_in_failures(kernel)}, inputs)
    return [n for names in _new(kernel, equations) if needed.isdisjoint(names) for n in names]


def idle_equations(text: str) -> list[int]:
    """The numbers, from 1, of equations that say nothing: with two equal sides, or stated before."""
    equations = read(text)
    return [
        n
        for n, equation in enumerate(equations, 1)
        if len({*equation.sides}) < len(equation.sides) or equation in equations[: n - 1]
    ]


def _new(kernel: Kernel, equations: Sequence[Equation]) -> list[list[str]]:
    """The names that each equation defines first, and that are no arguments."""
    known, found = {a.name for a in kernel.all_inputs}, list[list[str]]()
    for equation in equations:
        found.append([n for n in _defined(equation) if n not in known])
        known.update(found[-1])
    return found


def _defined(equation: Equation) -> list[str]:
    """The names that an equation defines, or takes from a value, if they are no arguments."""
    if len(equation.sides) == 1:
        return []
    left, right = (_names_taken(side) for side in equation.sides[:2])
    is_taken_apart = len(left) == 1 and len(right) > 1
    return right if is_taken_apart and left[0] not in right else left


def _names_taken(side: Node) -> list[str]:
    if side.kind is Kind.NAME or (side.kind is Kind.CALL and side.name not in functions.GIVEN):
        return [side.name]
    if side.kind is Kind.POWER:
        return _names_taken(side.args[0])
    is_pattern = side.kind in (Kind.COLUMN, Kind.BLOCKS) or side.name in ("cols", "rows")
    return [a.name for a in side.args if a.kind is Kind.NAME] if is_pattern else []


def _roots(kernel: Kernel, equations: Sequence[Equation]) -> Iterator[str]:
    """The names of results and of parts of them, and those in conditions."""
    rates = kernel.block.rates if kernel.block else None
    results = [*kernel.outputs, *(rates.outputs if rates else ())]
    stated = {n for e in equations for side in e.sides[:2] for n in _names_taken(side)}
    for name in stated:
        if any(_stands_for(name, a, stated) for a in results):
            yield name
    for equation, new in zip(equations, _new(kernel, equations), strict=True):
        if len(equation.sides) != 2 or not new:
            yield from (node.name for side in equation.sides for node in side.nodes())


def _stands_for(name: str, a: Arg, stated: set[str]) -> bool:
    """Whether a name is that of a result, or of a part of it; short names only where no other one is its."""
    if not stated.isdisjoint(spellings(a.name)):
        return name in spellings(a.name) or name.startswith(f"{a.name}_")
    given = Names(arguments([a], input_scalars([a]), traced_table()))
    try:
        return given.place(name.rstrip("'")) is not None
    except FeatherError:  # it may stand for several
        return True


def _in_failures(kernel: Kernel) -> Iterator[str]:
    for failure in (case for cases in kernel.failures.values() for case in cases):
        for text in (failure.unless, failure.results):
            for equation in read(text) if text else ():
                yield from (node.name for side in equation.sides for node in side.nodes())


def _reached(equations: Sequence[Equation], roots: set[str], given: set[str]) -> set[str]:
    """The names on which others depend, with these; on no equation does what is given."""
    found, pending = set[str](), {r for r in roots if r}
    while pending:
        found |= pending
        near = (e for e in equations if not pending.isdisjoint(_ends(e) - given))
        pending = {node.name for e in near for side in e.sides for node in side.nodes() if node.name} - found
    return found


def _ends(equation: Equation) -> set[str]:
    """The names whose values an equation tells: those that it defines, or takes apart."""
    return {n for side in equation.sides[:2] for n in _names_taken(side)}
