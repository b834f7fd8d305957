"""What is written about a kernel: the scalars of every expression in its definition, steps and equation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

import numpy as np

from codegen.errors import FeatherError
from codegen.ir.expression import Expr
from codegen.ir.operations import LEAVES, Op, Sort
from codegen.ir.program import Arg, program_of
from codegen.ir.types import Array
from codegen.modeling.kernel import Kernel
from codegen.modeling.textbook import Shown, shown
from codegen.notation.blocks import Block
from codegen.notation.layout import Layout
from codegen.notation.syntax import Equation, Kind, Node
from codegen.notation.unicode import line
from codegen.proof.derivation import derivation
from codegen.provenance.points import Rows, at_points


@dataclass(frozen=True, eq=False)
class Text:
    """Equations that are written about a kernel: the step of its derivation, and how they are laid out.

    Texts of a lower `rank` are preferred: 0 a hand-written step, 1 the definition, 2 the equation.
    """

    step: int
    rank: int
    equations: tuple[Equation, ...]
    layout: Layout


@dataclass(frozen=True, eq=False)
class Place:
    """An element of an expression in a text, or, if not `whole`, an operation on the way to it."""

    text: Text
    node: Node
    row: int
    column: int
    shape: tuple[int, int]
    whole: bool
    is_input: bool = False

    @property
    def name(self) -> str:
        """The element as a textbook calls it: h_x, (R h)_x, R_01."""
        written = line(self.text.layout.box(self.node))
        if self.shape == (1, 1):
            return written
        suffix = _suffix(self.row, self.column, self.shape)
        plain = self.node.kind is Kind.NAME
        return f"{written}_{suffix}" if plain else f"({written})_{suffix}"

    @property
    def equation(self) -> str:
        """The equation that defines the name, or else one that the expression is part of."""
        left = (lambda e: self.node == e.sides[0], lambda e: self.node in e.sides[0].args)
        for fits in (*left, lambda e: any(self.node == n for side in e.sides for n in side.nodes())):
            for equation in self.text.equations:
                if fits(equation):
                    return line(self.text.layout.equation(equation))
        return ""

    @property
    def is_named(self) -> bool:
        """Whether it is an element of something that has a name."""
        return self.node.kind is Kind.NAME and self.whole


def _suffix(row: int, column: int, shape: tuple[int, int]) -> str:
    if shape[1] > 1:
        return f"{row}{column}" if max(shape) < 10 else f"{row},{column}"
    return {3: "xyz", 4: "wxyz"}.get(shape[0], "0123456789")[row] if shape[0] <= 10 else str(row)


@dataclass(frozen=True, eq=False)
class Writing:
    """All places of a kernel's texts with their values at its points, and the terms of each sum in them."""

    places: tuple[Place, ...]
    values: Rows
    sums: tuple[tuple[Place, Rows], ...]


_MOST_TERMS = 24
"""Sums of more terms are not taken apart; there must be more points than terms."""


@cache
def texts(kernel: Kernel) -> tuple[tuple[Text, Shown], ...]:
    """The texts of a kernel that are in the notation."""
    return tuple(_texts(kernel))


def _texts(kernel: Kernel) -> Iterator[tuple[Text, Shown]]:
    ranks = {"step": 0, "definition": 1, "formula": 2}
    inputs, done = kernel.signature or kernel.inputs, set[str]()
    for k, step in enumerate(derivation(kernel)):
        text = step.form if isinstance(step.form, str) else kernel.equation if step.kind == "formula" else ""
        if step.kind not in ranks or not text or text in done:
            continue
        done.add(text)
        with suppress(FeatherError):
            found = shown(text, inputs, kernel.outputs)
            yield Text(k, ranks[step.kind], found.equations, found.layout), found


def writing(kernel: Kernel, inputs: Rows, results: Rows) -> Writing:
    """The places of all texts, where inputs (of the signature) and results have these values."""
    places: list[Place] = []
    values: list[Rows] = []
    sums: list[tuple[Place, Rows]] = []
    given = {a.name: rows for a, rows in _split(kernel.signature or kernel.inputs, inputs)}
    given |= {a.name: rows for a, rows in _split(kernel.outputs, results)}
    for text, found in texts(kernel):
        if not found.meaning.met:
            continue
        placed = _placed(text, found.meaning.met, len(inputs))
        rows = np.vstack([given[a.name] for a in found.known]) if found.known else inputs
        known = _values([x for x, _ in placed.values()], found.known, rows)
        for x, place in placed.values():
            places.append(place)
            values.append(known[id(x)])
            terms = _terms(x) if place.whole else []
            if 2 < len(terms) <= _MOST_TERMS and all(id(t) in known for t in terms):
                sums.append((place, np.array([known[id(t)] for t in terms])))
    width = inputs.shape[1]
    return Writing(tuple(places), np.array(values).reshape(-1, width), tuple(sums))


def _split(arguments: Iterable[Arg], rows: Rows) -> Iterator[tuple[Arg, Rows]]:
    first = 0
    for a in arguments:
        yield a, rows[first : first + a.size]
        first += a.size


def _placed(text: Text, met: Sequence[tuple[Node, Block]], inputs: int) -> dict[int, tuple[Expr, Place]]:
    """Each computed scalar with its place: a name, or the smallest expression that it is an element of.

    Others are on the way to such an element. The first `inputs` scalars are those of inputs.
    """
    found: dict[int, tuple[Expr, Place]] = {}
    for x, place in sorted(_elements(text, met, inputs), key=lambda e: _preference(e[1])):
        found.setdefault(id(x), (x, place))
    waiting = list(found.values())
    for x, place in waiting:
        for y in x.args:
            if y.op not in LEAVES and y.op.result is Sort.REAL and id(y) not in found:
                part = Place(text, place.node, place.row, place.column, place.shape, False)
                found[id(y)] = y, part
                waiting.append((y, part))
    return found


def _elements(text: Text, met: Sequence[tuple[Node, Block]], inputs: int) -> Iterator[tuple[Expr, Place]]:
    """The scalars that are elements of expressions: of names the last first, of others the first first."""
    names = [m for m in reversed(met) if m[0].kind is Kind.NAME]
    for node, block in (*names, *(m for m in met if m[0].kind is not Kind.NAME)):
        for i, row in enumerate(block.rows):
            for j, x in enumerate(row):
                if isinstance(x, Expr) and (x.op not in LEAVES or x.op is Op.INPUT):
                    given = x.op is Op.INPUT and int(x.value or 0) < inputs
                    yield x, Place(text, node, i, j, block.shape, True, given)


def _preference(place: Place) -> int:
    """Scalars that have a name, then elements of what has one, then any expressions."""
    return 2 if place.node.kind is not Kind.NAME else int(place.shape != (1, 1))


def _values(expressions: Sequence[Expr], known: Sequence[Arg], rows: Rows) -> dict[int, Rows]:
    """The values of expressions, and of the leaves in them."""
    every = {id(x): x for e in expressions for x in (e, *e.args) if x.op.result is Sort.REAL}
    real = list(every.values())
    if not real:
        return {}
    whole = [Arg("written", Array((len(real),)), "1", "expressions")]
    program = program_of(known, whole, real)
    values = at_points(program, rows)
    return {id(x): values[r] for x, r in zip(real, program.results, strict=True)}


def _terms(x: Expr) -> list[Expr]:
    """The terms of a sum, which may be sums themselves."""
    if x.op not in (Op.ADD, Op.SUB):
        return []
    terms, waiting = [], [x]
    while waiting:
        y = waiting.pop()
        if y.op in (Op.ADD, Op.SUB, Op.NEG):
            waiting += y.args
        else:
            terms.append(y)
    return terms
