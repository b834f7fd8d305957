"""What is written about a kernel: the scalars of every expression in its definition, steps and equation."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from codegen.errors import FeatherError
from codegen.ir.expression import Expr
from codegen.ir.operations import LEAVES, Op, Sort
from codegen.ir.program import Arg, Program, program_of
from codegen.ir.types import Array
from codegen.modeling.equations.tables import setting_of
from codegen.modeling.equations.textbook import Shown, shown, spellings
from codegen.modeling.kernel import Kernel
from codegen.modeling.steps import Step
from codegen.notation.layout import Layout
from codegen.notation.meaning import Met
from codegen.notation.syntax import Equation, Kind, Node
from codegen.notation.unicode import line
from codegen.proof.derivation import TESTS, derivation
from codegen.provenance.points import Rows, at_points

DEFINITION = 1
"""The rank of the definition, which the code is not made from."""

CONDITIONS = 3
"""The rank of the conditions of the flags."""


@dataclass(frozen=True, eq=False)
class Text:
    """Equations that are written about a kernel: the step of its derivation, and how they are laid out.

    Texts of a lower `rank` are preferred: 0 a hand-written step, 1 the definition, 2 the equation, 3 the
    conditions of the flags with the equation. `before` are the equations of earlier texts of the same rank,
    `lists` the names of arguments whose elements have numbers, not the letters of axes.
    """

    step: int
    rank: int
    equations: tuple[Equation, ...]
    layout: Layout
    before: tuple[Equation, ...] = ()
    lists: frozenset[str] = frozenset()

    @cached_property
    def parameters(self) -> frozenset[str]:
        """The names of the parameters of functions that the text defines."""
        defined = (e.sides[0] for e in (*self.equations, *self.before) if len(e.sides) > 1)
        return frozenset(a.name for left in defined if left.kind is Kind.CALL for a in left.args)


@dataclass(frozen=True, eq=False)
class Place:
    """An element of an expression in a text, or, if not `whole`, an operation on the way to it.

    It is `implicit` if its value is computed from the results, as those of a condition that they meet. In the
    definition of a function, it is that of a `call`.
    """

    text: Text
    node: Node
    row: int
    column: int
    shape: tuple[int, int]
    whole: bool
    input: int | None = None
    implicit: bool = False
    call: Node | None = None

    @property
    def is_input(self) -> bool:
        """Whether it is a scalar of the inputs, that of the number `input`."""
        return self.input is not None

    @property
    def name(self) -> str:
        """The element as a textbook calls it: h_x, (R h)_x, R_01."""
        written = line(self.text.layout.box(self._entry or self.node))
        if self._entry or self.shape == (1, 1):
            return written
        numbered = self.shape[1] == 1 and self.node.name in self.text.lists
        suffix = str(self.row) if numbered else _suffix(self.row, self.column, self.shape)
        plain = self.node.kind is Kind.NAME and " " not in written
        return f"{written}_{suffix}" if plain else f"({written})_{suffix}"

    @property
    def equation(self) -> str:
        """The equation that defines the name, or else one that the expression is part of."""
        found = self._stated
        if found is None:
            return ""
        call = self.of_call
        return f"{line(self.text.layout.equation(found))}{call and f',{call}'}"

    @property
    def of_call(self) -> str:
        """The call that an expression in the definition of a function is for, if it has its parameters."""
        named = {n.name for n in self.node.nodes()}
        if self.call is None or named.isdisjoint(self.text.parameters):
            return ""
        return f" for {line(self.text.layout.box(self.call))}"

    @property
    def equation_of_angle(self) -> str:
        """The equation that has the sine or cosine of the name, or else the one that defines it."""
        own = self._entry or self.node
        for equation in self.text.equations:
            if any(_has_call(side, name, own) for side in equation.sides for name in ("sin", "cos")):
                return line(self.text.layout.equation(equation))
        return self.equation

    @cached_property
    def polar(self) -> Equation | None:
        """The equation that has the sine of an angle on one side, and its cosine on the other."""
        own = self._entry or self.node
        for equation in self.text.equations:
            left, *right = equation.sides
            for first, second in (("sin", "cos"), ("cos", "sin")):
                if _has_call(left, first, own) and any(_has_call(side, second, own) for side in right):
                    return equation
        return None

    @cached_property
    def _stated(self) -> Equation | None:
        found = self._with(self._entry or self.node)
        if found is None or not _is_alias(found):
            is_defined = found is not None and found.sides[0] == (self._entry or self.node)
            return found if is_defined else self.polar or found
        return self._with(found.sides[0], besides=found) or found

    def _with(self, node: Node, besides: Equation | None = None) -> Equation | None:
        """The equation that begins with an expression, or else the first one that has it."""
        left = (lambda e: node == e.sides[0], lambda e: node in e.sides[0].args)
        for fits in (*left, lambda e: _contains(e, node)):
            for equation in self.text.equations:
                if fits(equation) and equation != besides:
                    return equation
        return None

    @cached_property
    def _entry(self) -> Node | None:
        """The entry D[0] of a vector D that the text has only in entries."""
        entry = Node(Kind.ENTRY, (self.node,), ((self.row, self.row + 1, False),))
        return entry if self._has_entries and any(_contains(e, entry) for e in self.text.equations) else None

    @cached_property
    def _has_entries(self) -> bool:
        """Whether the text has entries of a vector, and no equation for all of it."""
        if not self.is_named or self.shape[0] == 1 or self.shape[1] > 1:
            return False
        nodes = (n for e in self.text.equations for side in e.sides for n in side.nodes())
        parts = any(n.kind is Kind.ENTRY and n.args == (self.node,) for n in nodes)
        return parts and not any(self.node in e.sides for e in self.text.equations)

    @cached_property
    def is_literal(self) -> bool:
        """Whether the text has the expression itself, not only one that begins with it or is its root."""
        return any(self.node == n for e in self.text.equations for side in e.sides for n in side.nodes())

    @property
    def is_defined(self) -> bool:
        """Whether the equation in which it stands begins with it."""
        return self._stated is not None and self._stated.sides[0] == (self._entry or self.node)

    def is_call_of(self, function: str) -> bool:
        """Whether it is a call of a function, or a name that is defined as one."""
        node = self.node
        if self.is_named and self.is_defined and self._stated is not None:
            node = self._stated.sides[-1]
        return self.whole and node.kind is Kind.CALL and node.name == function

    def definitions(self, given: Container[str]) -> list[Equation]:
        """The equations of its text that define the names in it, except those of arguments."""
        found: list[Equation] = []
        waiting = [n.name for n in self.node.nodes() if n.name]
        for name in waiting:
            if name not in given:
                equation = next((e for e in self.text.equations if _defines(e, name)), None)
                if equation is not None and equation not in found:
                    found.append(equation)
                    inside = (n.name for side in equation.sides for n in side.nodes() if n.name)
                    waiting += [n for n in inside if n not in waiting]
        return found

    @property
    def is_of_condition(self) -> bool:
        """Whether it is an element of what the condition of a flag names."""
        return self.is_named and self.text.rank == CONDITIONS

    @property
    def has_cases(self) -> bool:
        """Whether the equation in which it stands tells cases apart."""
        sides = self._stated.sides if self._stated else ()
        return any(n.kind is Kind.CASES for side in sides for n in side.nodes())

    @property
    def is_only_named(self) -> bool:
        """Whether the equation in which it stands only names the parts of a value: q = [w, u]."""
        return self._stated is None or _only_names(self._stated)

    @cached_property
    def is_repeated(self) -> bool:
        """Whether an earlier text of the rank states the same, or has an equation for the same unknown."""
        before = _told_before(self.text, self.node)
        if not self.is_only_named:
            again = self._has_entries and not self._entry
            unknown = self.is_named and self.implicit and not self.is_defined
            solved = unknown and any(side.kind is Kind.COLUMN for e in before for side in e.sides)
            stated = not unknown and self._stated in self.text.before
            return stated or again or solved
        return bool(before or not _telling(self.text.equations, self.node))

    @property
    def is_named(self) -> bool:
        """Whether it is an element of something that has a name."""
        return self.node.kind is Kind.NAME and self.whole


@cache
def _told_before(text: Text, node: Node) -> list[Equation]:
    """The equations before a text that have an expression: the same for all its elements."""
    return _telling(text.before, node)


def _telling(equations: Sequence[Equation], node: Node) -> list[Equation]:
    """The equations that have an expression and do not only name its parts."""
    return [e for e in equations if _contains(e, node) and not _only_names(e)]


def _has_call(side: Node, function: str, of: Node) -> bool:
    """Whether a side of an equation has this function of an expression."""
    return any(n.kind is Kind.CALL and n.name == function and n.args == (of,) for n in side.nodes())


def _defines(equation: Equation, name: str) -> bool:
    """Whether an equation begins with a name, or with parts or only names parts, of which it is one."""
    left = equation.sides[0]
    parts = (left, *(left.args if _is_pattern(left) else ()))
    if len(equation.sides) > 1 and name in (part.name for part in parts):
        return True
    inside = (n.name for side in equation.sides for n in side.nodes() if n.kind is Kind.NAME)
    return _only_names(equation) and name in inside


def _contains(equation: Equation, node: Node) -> bool:
    return any(_is_inside(node, n) for side in equation.sides for n in side.nodes())


def _is_inside(node: Node, n: Node) -> bool:
    """Whether an expression is n, its first factors, the square of a norm n, or in an inverse n."""
    if n.kind is Kind.INVERSE and node.name in ("adj", "det"):
        return node.args == n.args
    if node.kind is Kind.PRODUCT is n.kind:
        return n.args[: len(node.args)] == node.args
    return node == n or (node.kind is Kind.DOT and n.kind is Kind.NORM and node.args == n.args * 2)


def _only_names(equation: Equation) -> bool:
    """Whether an equation only names the parts of a value: rpy = [phi, theta, psi]."""
    nodes = [n for side in equation.sides for n in side.nodes()]
    plain = (Kind.NAME, Kind.COLUMN, Kind.NUMBER)
    return any(map(_is_pattern, nodes)) and all(n.kind in plain or _is_pattern(n) for n in nodes)


def _is_alias(equation: Equation) -> bool:
    """Whether an equation only shortens the name of a value: R = R_AB."""
    short, *others = equation.sides
    names = all(side.kind is Kind.NAME for side in equation.sides)
    return names and any(other.name.startswith(f"{short.name}_") for other in others)


def _is_pattern(node: Node) -> bool:
    return node.kind is Kind.COLUMN or node.name in ("cols", "rows")


def _suffix(row: int, column: int, shape: tuple[int, int]) -> str:
    if shape[1] > 1:
        return f"{row}{column}" if max(shape) < 10 else f"{row},{column}"
    return {3: "xyz", 4: "wxyz"}.get(shape[0], "0123456789")[row] if shape[0] <= 10 else str(row)


@dataclass(frozen=True, eq=False)
class Writing:
    """All places of a kernel's texts with their values at its points, and the terms of each sum in them.

    `own` are the places at which a scalar of the results is called by its own name and indices, with the
    numbers of their values.
    """

    places: tuple[Place, ...]
    values: Rows
    sums: Mapping[Place, Rows]
    own: Mapping[int, Sequence[tuple[Place, int]]]


_MOST_TERMS = 28
"""Sums of more terms are not taken apart; there must be more points than terms."""


@cache
def texts(kernel: Kernel) -> tuple[tuple[Text, Shown], ...]:
    """The texts of a kernel that are in the notation."""
    return tuple(_texts(kernel))


def _texts(kernel: Kernel) -> Iterator[tuple[Text, Shown]]:
    done, lists = set[str](), _lists(kernel)
    before: dict[int, tuple[Equation, ...]] = {}
    for k, step in enumerate(derivation(kernel)):
        rank, text = _ranked(kernel, step)
        if not text or text in done:
            continue
        done.add(text)
        with suppress(FeatherError):
            found = shown(text, kernel.all_inputs, kernel.outputs, setting_of(kernel))
            earlier = before.get(rank, ())
            before[rank] = (*earlier, *found.equations)
            yield Text(k, rank, found.equations, found.layout, earlier, lists), found


def _lists(kernel: Kernel) -> frozenset[str]:
    """The names of arguments that are arrays, as equations have them."""
    arrays = (a.name for a in (*kernel.all_inputs, *kernel.outputs) if isinstance(a.type, Array))
    return frozenset(spelling for name in arrays for spelling in spellings(name))


def _ranked(kernel: Kernel, step: Step) -> tuple[int, str]:
    """The rank of a step, and its equations; those of the conditions of flags begin with the equation."""
    if step.title == TESTS:
        cases = (case.unless for cases in kernel.failures.values() for case in cases)
        stated = list(dict.fromkeys(filter(None, cases)))
        return CONDITIONS, "; ".join([kernel.equation, *stated] if stated else [])
    if step in kernel.steps:
        return 0, step.equation
    if step.kind == "formula":
        return 2, step.form if isinstance(step.form, str) else kernel.equation
    written = {"step": 0, "definition": DEFINITION}
    return written.get(step.kind, 0), step.form if step.kind in written and isinstance(step.form, str) else ""


@cache
def constant_place(kernel: Kernel, number: int) -> Place | None:
    """The place of a scalar of the results that is a constant, in the last step of the lowest rank."""
    for text, found in sorted(texts(kernel), key=lambda t: (t[0].rank, -t[0].step)):
        for node, block, _ in found.meaning.met:
            if node.kind is Kind.NAME:
                for i, row in enumerate(block.rows):
                    for j, x in enumerate(row):
                        place = Place(text, node, i, j, block.shape, True)
                        if _is_constant(x) and number in _numbers(place, kernel.outputs):
                            return place
    return None


def _numbers(place: Place, outputs: tuple[Arg, ...]) -> list[int]:
    """The numbers of the scalars of the results that are at a place by its name and indices."""
    name, (rows, columns) = place.node.name, place.shape
    own = [
        first + place.row * columns + place.column
        for a, first in _firsts(outputs)
        if a.name == name and a.size == rows * columns
    ]
    known = _endings(outputs).get(f"{name}_{_letters(place)}", ())
    return own + [number for a, number in known if a.name != name]


@cache
def _firsts(outputs: tuple[Arg, ...]) -> list[tuple[Arg, int]]:
    """Each result with the number of its first scalar."""
    return list(zip(outputs, accumulate((a.size for a in outputs), initial=0), strict=False))


@cache
def _endings(outputs: tuple[Arg, ...]) -> dict[str, list[tuple[Arg, int]]]:
    """The scalars of the results, with and without the name of their argument: I_O_h_x, and h_x."""
    found: dict[str, list[tuple[Arg, int]]] = {}
    for a, first in _firsts(outputs):
        for own, scalar in enumerate(a.scalar_names):
            for ending in {scalar, scalar.removeprefix(f"{a.name}_")}:
                found.setdefault(ending, []).append((a, first + own))
    return found


def _is_constant(x: object) -> bool:
    return not isinstance(x, Expr) or (x.op in LEAVES and x.op is not Op.INPUT)


def _letters(place: Place) -> str:
    """The indices of a place as names of scalars have them: x of a vector, xy of a symmetric matrix."""
    rows, columns = place.shape
    if rows == columns == 3:
        return "".join(sorted("xyz"[k] for k in (place.row, place.column)))
    return "xyz"[place.row] if columns == 1 and rows == 3 else ""


def writing(kernel: Kernel, inputs: Rows, results: Rows) -> Writing:
    """The places of all texts, where inputs (of the signature) and results have these values."""
    places: list[Place] = []
    values: list[Rows] = []
    sums: dict[Place, Rows] = {}
    own: dict[int, list[tuple[Place, int]]] = {}
    given = {a.name: rows for a, rows in _split(kernel.all_inputs, inputs)}
    given |= {a.name: rows for a, rows in _split(kernel.outputs, results)}
    for part in _parts(kernel):
        rows = np.vstack([given[a.name] for a in part.known]) if part.known else inputs
        known = part.expressions.values(rows)
        for number, place, k in part.own:
            own.setdefault(number, []).append((place, len(places) + k))
        sums |= {place: np.array([known[id(t)] for t in terms]) for place, terms in part.sums.items()}
        places += [place for _, place in part.placed]
        values += [known[id(x)] for x, _ in part.placed]
    width = inputs.shape[1]
    return Writing(tuple(places), np.array(values).reshape(-1, width), sums, own)


class _Expressions(NamedTuple):
    """Expressions with the leaves in them, and the Program that computes them; None if there are none."""

    computed: Sequence[Expr]
    program: Program | None

    def values(self, rows: Rows) -> dict[int, Rows]:
        """The values of the expressions by their identity, where what is known has these values."""
        if self.program is None:
            return {}
        values = at_points(self.program, rows)
        return {id(x): values[r] for x, r in zip(self.computed, self.program.results, strict=True)}


class _Part(NamedTuple):
    """What one text has, whatever the values: its places with their expressions, and the terms of its sums.

    `own` are the scalars of the results that a place has by name: number, place, and the number of its
    expression among those that are placed.
    """

    known: tuple[Arg, ...]
    placed: Sequence[tuple[Expr, Place]]
    sums: Mapping[Place, Sequence[Expr]]
    own: Sequence[tuple[int, Place, int]]
    expressions: _Expressions


@cache
def _parts(kernel: Kernel) -> tuple[_Part, ...]:
    inputs = sum(a.size for a in kernel.all_inputs)
    return tuple(
        _part(text, found, inputs, kernel.outputs) for text, found in texts(kernel) if found.meaning.met
    )


def _part(text: Text, found: Shown, inputs: int, outputs: tuple[Arg, ...]) -> _Part:
    elements = list(_elements(text, found.meaning.met, inputs))
    placed = _placed(elements)
    done: dict[int, list[Expr]] = {}
    terms = {place: _terms(x, done) for x, place in placed.values() if place.whole}
    sums = {place: many for place, many in terms.items() if len(many) > 2}
    numbers = {i: k for k, i in enumerate(placed)}
    named = [(x, place) for x, place in elements if place.node.kind is Kind.NAME]
    own = [(number, place, numbers[id(x)]) for x, place in named for number in _numbers(place, outputs)]
    calls = [(x, place) for x, place in _calls(elements) if place.node != placed[id(x)][1].node]
    every = [*(x for x, _ in placed.values()), *(t for many in sums.values() for t in many)]
    return _Part(found.known, [*placed.values(), *calls], sums, own, _expressions(every, found.known))


def _split(arguments: Iterable[Arg], rows: Rows) -> Iterator[tuple[Arg, Rows]]:
    first = 0
    for a in arguments:
        yield a, rows[first : first + a.size]
        first += a.size


def _placed(elements: Sequence[tuple[Expr, Place]]) -> dict[int, tuple[Expr, Place]]:
    """Each computed scalar with its place: a name, or the smallest expression that it is an element of.

    Others are on the way to such an element.
    """
    found: dict[int, tuple[Expr, Place]] = {}
    for x, place in sorted(elements, key=lambda e: _preference(e[1])):
        found.setdefault(id(x), (x, place))
    waiting = list(found.values())
    for x, place in waiting:
        for y in x.args:
            if y.op not in LEAVES and y.op.result is Sort.REAL and id(y) not in found:
                part = replace(place, whole=False, input=None)
                found[id(y)] = y, part
                waiting.append((y, part))
    return found


def _elements(text: Text, met: Sequence[Met], inputs: int) -> Iterator[tuple[Expr, Place]]:
    """The scalars that are elements of expressions: of names the last first, of others the first first.

    The first `inputs` scalars are those of inputs.
    """
    own = {a for e in text.equations for a in e.sides[0].args if e.sides[0].kind is Kind.CALL}
    names = [m for m in reversed(met) if m.node.kind is Kind.NAME and m.node not in own]
    solved: dict[int, bool] = {}
    rounded: dict[int, bool] = {}
    for node, block, call in (*names, *(m for m in met if m.node.kind is not Kind.NAME)):
        for i, row in enumerate(block.rows):
            for j, x in enumerate(row):
                is_value = isinstance(x, Expr) and (x.op not in LEAVES or x.op is Op.INPUT)
                if is_value and not _has(x, _is_of_precision, rounded):
                    number = int(x.value or 0) if x.op is Op.INPUT else inputs
                    given = number if number < inputs else None
                    implicit = _has(x, lambda y: y.op is Op.INPUT and int(y.value or 0) >= inputs, solved)
                    of_call = None if node.kind is Kind.NAME else call
                    yield x, Place(text, node, i, j, block.shape, True, given, implicit, of_call)


def _calls(elements: Sequence[tuple[Expr, Place]]) -> Iterator[tuple[Expr, Place]]:
    """The calls of functions, each once, also those that are elements of what has a name."""
    seen = set[Node]()
    for x, place in elements:
        if place.node.kind is Kind.CALL and place.shape == (1, 1) and place.node not in seen:
            seen.add(place.node)
            yield x, place


def _has(x: Expr, found: Callable[[Expr], bool], done: dict[int, bool]) -> bool:
    """Whether a value is computed from one that is looked for; `done` are such answers."""
    if id(x) not in done:
        done[id(x)] = found(x) or any(_has(y, found, done) for y in x.args)
    return done[id(x)]


def _is_of_precision(x: Expr) -> bool:
    """Whether a value is a number that float and double have each of its own: eps, min or max."""
    return x.op is Op.NAMED and x.value != "pi"


def _preference(place: Place) -> int:
    """Scalars that have a name, then elements of what has one, then any expressions."""
    return 2 if place.node.kind is not Kind.NAME else int(place.shape != (1, 1))


def _expressions(expressions: Sequence[Expr], known: Sequence[Arg]) -> _Expressions:
    every = {id(x): x for e in expressions for x in (e, *e.args) if x.op.result is Sort.REAL}
    real = list(every.values())
    if not real:
        return _Expressions(real, None)
    whole = [Arg("written", Array((len(real),)), "1", "expressions")]
    return _Expressions(real, program_of(known, whole, real))


def _terms(x: Expr, done: dict[int, list[Expr]]) -> list[Expr]:
    """The terms of a sum with their signs, which may be sums themselves, times a factor or over a divisor.

    Too many are not told apart. `done` holds those of the expressions that were taken apart.
    """
    if id(x) not in done:
        found = _split_up(x, done)
        done[id(x)] = found if len(found) <= _MOST_TERMS else [x]
    return done[id(x)]


def _split_up(x: Expr, done: dict[int, list[Expr]]) -> list[Expr]:
    if x.op is Op.NEG:
        return [Expr(Op.NEG, (t,)) for t in _terms(x.args[0], done)]
    if x.op in (Op.ADD, Op.SUB):
        left, right = (_terms(a, done) for a in x.args)
        return [*left, *(right if x.op is Op.ADD else [Expr(Op.NEG, (t,)) for t in right])]
    if x.op in (Op.MUL, Op.DIV):
        a, b = x.args
        if len(of_a := _terms(a, done)) > 1:
            return [Expr(x.op, (t, b)) for t in of_a]
        if x.op is Op.MUL and len(of_b := _terms(b, done)) > 1:
            return [Expr(x.op, (a, t)) for t in of_b]
    return [x]
