"""Hints: the names of a formula's local variables, found again in the Program that is printed.

A value gets the name of a formula's variable where it is the same number at a random point of the input
domain, on 60 digits. Names are for readers only: a missing or wrong name changes nothing that is computed.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

import mpmath

from codegen.ir.loops import Looped
from codegen.ir.operations import LEAVES, LOOKUPS, Op, Sort
from codegen.ir.program import Program, evaluate
from codegen.ir.systems import NumberSystem, Precision, multiprecision
from codegen.ir.types import sample
from codegen.modeling.kernel import Kernel
from codegen.modeling.names import fits

Values: TypeAlias = Mapping[str, Sequence[Fraction]]

_DIGITS = 60
_SAME_BITS = 160
"""The number of bits, of 200, in which two values must agree to be the same."""

_SEEDS = 4


def hints(kernel: Kernel, program: Program, precision: Precision) -> dict[int, str]:
    """A name for each node of the kernel's Program whose value a local variable of its formula holds."""
    original = kernel.naming() if kernel.naming is not None else None
    if original is None:
        return {}
    return _hinted(original, program, kernel.name, kernel.bound, precision)


def hints_of_parts(
    kernel: Kernel, looped: Looped, precision: Precision, checks: bool
) -> list[dict[int, str]]:
    """The names of the nodes of each part of a function with loops: those of its formula's variables."""
    original = None if kernel.naming_loops is None else kernel.naming_loops(checks)
    if original is None or [part.takes for part in original.parts] != [part.takes for part in looped.parts]:
        return [{} for _ in looped.parts]
    pairs = zip(original.parts, looped.parts, strict=True)
    return [_hinted(named.program, part.program, kernel.name, {}, precision) for named, part in pairs]


def _hinted(
    original: Program, program: Program, name: str, bound: Values, precision: Precision
) -> dict[int, str]:
    """The labels of a Program, for the nodes of another one that have the same values at a random point."""
    system = _regular(multiprecision(precision, _DIGITS))
    for seed in range(_SEEDS):
        try:
            given = _point(name, bound, original, seed)
            known = _values(original, system, [given[a.name] for a in original.inputs])
            found = _values(program, system, [given[a.name] for a in program.inputs])
        except (ArithmeticError, ValueError, TypeError):
            continue
        return _matched(original, known, program, found)
    return {}


def _regular(system: NumberSystem) -> NumberSystem:
    """The system in which every comparison is true, so that every guard selects the guarded value."""
    holds = dict.fromkeys((Op.LT, Op.LE), lambda a, b: True)
    return replace(system, table={**system.table, **holds})


def _point(name: str, bound: Values, original: Program, seed: int) -> dict[str, Sequence[Any]]:
    """Scalars for each input of the formula: random ones, or the bound values."""
    source = random.Random(f"names {name} {seed}")

    def draw() -> Fraction:
        return Fraction(source.randint(1, 10**6), 10**6)

    return {a.name: list(bound[a.name]) if a.name in bound else sample(a.type, draw) for a in original.inputs}


def _values(program: Program, system: NumberSystem, given: Sequence[Sequence[Any]]) -> list[Any]:
    """The key of each node: its rounded value, or the keys of the operands of a condition."""
    values = evaluate(program, system, [system.constant(x) for scalars in given for x in scalars]).values
    found: list[Any] = []
    with mpmath.workprec(_SAME_BITS):
        for (op, args, _), value in zip(program.nodes, values, strict=True):
            below = [found[a] for a in args]
            joined = frozenset(below) if op in (Op.AND, Op.OR) else tuple(below)
            if op.result in (Sort.INDEX, Sort.ARRAY):
                found.append((op.result, value))
            else:
                found.append((op, joined) if isinstance(value, bool) else +value)
    return found


def _special(op: Op) -> Op | None:
    """An operation whose values may equal others at a point by chance, which tells nothing."""
    return op if op is Op.SELECT or op in LOOKUPS else None


def _matched(
    original: Program, known: Sequence[Any], program: Program, found: Sequence[Any]
) -> dict[int, str]:
    """The matching names, each on the first node with its value; a select matches only a select.

    A name that a node has kept as its label is no hint for another one.
    """
    names: dict[tuple[Any, Op | None], str] = {}
    for i, label in sorted(original.labels.items()):
        if fits(label):
            names.setdefault((known[i], _special(original.nodes[i].op)), label)
    hinted: dict[int, str] = {}
    given = set(program.labels.values())
    for i, (node, value) in enumerate(zip(program.nodes, found, strict=True)):
        name = names.get((value, _special(node.op))) if node.op not in LEAVES else None
        if name is not None and name not in given:
            hinted[i] = name
            given.add(name)
    return hinted
