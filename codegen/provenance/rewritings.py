"""What the passes did: the statements that are computed in another way than the formula is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from codegen.emit.function import Function
from codegen.ir.operations import LEAVES, Op, Sort
from codegen.ir.program import Program
from codegen.passes.pipeline import optimised
from codegen.provenance.identities import (
    EQUAL,
    QUOTIENT,
    REGROUPED,
    Constraint,
    equal,
    identity,
    lifted_points,
)
from codegen.provenance.points import Rows, at_points, directions, points, ratio
from codegen.provenance.wording import SYMBOLS, Wording, limits


class Rewriting(NamedTuple):
    """A value as the formula computes it, as the function does, and the identity by which both are equal.

    `before` is empty for a value that the formula does not have: the passes made it.
    """

    name: str
    before: str
    after: str
    identity: str


_LONGEST = 400
"""Longer expressions are not shown."""

MADE = "an intermediate value that the rewritten sums share"
SHARED = "the reciprocal that all quotients with this divisor share"


def rewritings(f: Function, checks: bool = True) -> list[Rewriting]:
    """The statements of a function whose operations are not those of its formula, in their order.

    Those that only choose between values are left out.
    """
    formula, given = f.kernel.program(checks), points(f.kernel)
    known = _Known(formula, at_points(formula, given, f.precision))
    values = at_points(f.program, given, f.precision)
    computed = {s.node: s.name for s in f.body.statements if s.node is not None and _is_computed(f, s.node)}
    held = {s.node: s.name for s in f.body.named if s.node in computed}
    words = limits(optimised(f.kernel, checks), f.precision)
    margins = _margins(formula, {}), _margins(f.program, words)
    same = {
        i: [
            j
            for j in known.of(values[i], f.program.nodes[i].op is Op.SELECT)
            if (j in margins[0]) is (i in margins[1])
        ]
        for i in computed
    }
    names = {j: name for i, name in held.items() for j in same[i]}
    variables = {s.node: s.name for s in f.body.named if s.node is not None}
    old = Wording(formula, {**formula.labels, **names}, {}, longest=_LONGEST)
    new = Wording(f.program, held, words, variables, longest=_LONGEST)
    without = _Without(f, formula)
    found = []
    for i, name in computed.items():
        if f.program.nodes[i].op is Op.SELECT:
            continue
        before, after = [old.value(j, top=True) for j in same[i]], new.value(i, top=True)
        alike = any(_terms(text) == _terms(after) for text in before)
        if not alike and not any("..." in text for text in (after, *before[:1])):
            op = f.program.nodes[i].op
            by = SHARED if op is Op.DIV else MADE
            for j in same[i][:1]:
                by = without.identity(j, i, _regrouped(formula.nodes[j].op, op, before[0], after))
            found.append(Rewriting(name, before[0] if before else "", after, by))
    return found


def _regrouped(old: Op, new: Op, before: str, after: str) -> str:
    """How a value is computed in another way, if no constraint is used."""
    if old is Op.DIV and new is Op.MUL:
        return QUOTIENT
    return EQUAL if " / " in before or " / " in after else REGROUPED


class _Without:
    """The values of a function and of its formula at points that do not meet constraints of its inputs."""

    def __init__(self, f: Function, formula: Program) -> None:
        self._f, self._formula = f, formula
        self._found: dict[tuple[Constraint, ...], tuple[Rows, Rows]] = {}

    def identity(self, before: int, after: int, regrouped: str) -> str:
        """The identity by which a value of the formula and one of the function are equal: `regrouped`, or a
        constraint of the inputs.
        """

        def holds(lifted: tuple[Constraint, ...]) -> bool:
            old, new = self._values(lifted)
            return equal(old[before], new[after])

        return identity(self._f.kernel, holds, regrouped)

    def _values(self, lifted: tuple[Constraint, ...]) -> tuple[Rows, Rows]:
        if lifted not in self._found:
            given, precision = lifted_points(self._f.kernel, lifted), self._f.precision
            old, new = (at_points(p, given, precision) for p in (self._formula, self._f.program))
            self._found[lifted] = old, new
        return self._found[lifted]


def _is_computed(f: Function, i: int) -> bool:
    node = f.program.nodes[i]
    return node.op not in LEAVES and node.op.result is Sort.REAL


def _margins(program: Program, words: Mapping[Fraction, str]) -> set[int]:
    """The values with a multiple of eps in them, which makes too small a difference to be seen at points."""
    found: set[int] = set()
    for i, (op, args, value) in enumerate(program.nodes):
        is_eps = op is Op.NAMED and value == "eps"
        is_multiple = isinstance(value, Fraction) and SYMBOLS["eps"] in words.get(value, "")
        if is_eps or is_multiple or found.intersection(args[1:] if op is Op.SELECT else args):
            found.add(i)
    return found


class _Known:
    """The values of a Program, found by their values at the points."""

    def __init__(self, program: Program, values: Rows) -> None:
        computed = (i for i, n in enumerate(program.nodes) if n.op not in LEAVES)
        self._program = program
        self._nodes = [i for i in computed if program.nodes[i].op.result is Sort.REAL]
        self._values = values[self._nodes]
        self._directions = directions(self._values)

    def of(self, value: Rows, chosen: bool) -> list[int]:
        """The nodes with a value; a guard's choice, which is the same where no requirement fails, is not the
        value itself.
        """
        (direction,) = directions(value[None])
        near = np.flatnonzero(self._directions @ direction > 1 - 1e-12)
        equal = (ratio(value, self._values[k]) for k in near)
        found = [self._nodes[k] for k, t in zip(near, equal, strict=True) if t and abs(t - 1) < 1e-9]
        return [i for i in found if (self._program.nodes[i].op is Op.SELECT) is chosen]


_UNCHANGED = (
    (r"(?<= )0 \+ |^0 \+ | [+-] 0(?= |$)", ""),
    (r"\+ -1 ", "- "),
    (r"\+ -(?=\S)", "- "),
    (r"^0 - ", "-"),
)
"""Operations that change nothing, or are written in two ways, and what stands for them."""


def _terms(text: str) -> tuple[str, ...]:
    """What an expression is made of, in any order, without operations that change nothing."""
    plain = text.replace("(", "").replace(")", "")
    for before, after in _UNCHANGED:
        plain = re.sub(before, after, plain)
    return tuple(sorted(plain.split()))
