"""Whether two functions are the same mathematics: compared modulo 2^127 - 1 on the constraint set.

As in `codegen.proof.equivalence`, agreement at random points is a proof up to a probability of error below
2^-100. A comparison is an arbitrary function of the difference of its sides, so that one with another
threshold, or < for <=, is another function. Comparisons are steered: every choice goes both ways while its
result counts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from codegen.ir.modular import NoRoot, P, Residue, modular, random_residue, residues
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Evaluation, Program, evaluate
from codegen.ir.systems import NumberSystem
from codegen.ir.types import sample
from codegen.review.diff.arithmetic import scalars_of
from codegen.review.diff.reading import Reading

POINTS = 3
_SEEDS = 1000
_BUDGET = 2_000_000
"""Operations to spend, about."""
_RETRIES = 10
"""So often a step is tried with other numbers before roots become arbitrary functions."""
_DOUBTS = 24
"""So many differences under arbitrary roots count as one."""
_SINGLES = 40
"""So many comparisons at most are turned the other way alone; after that come this many random points."""
_RANDOM = 24

Way = tuple[int, str]
"""A choice, and how it was made."""


class Equality(NamedTuple):
    """Whether two functions were found equal, and what differs if not."""

    equal: bool
    difference: str = ""


def compare(old: Reading, new: Reading, inputs: Sequence[Arg]) -> Equality:
    """Compare results and status on the inputs' constraint set."""
    comparison = _Comparison(old.program, new.program)
    nodes = len(old.program.nodes) + len(new.program.nodes)
    for seed in range(min(_SEEDS, 30 + _BUDGET // (1 + nodes))):
        wrong = comparison.difference_at(seed, list(_point(inputs, seed)))
        if wrong is not None:
            names = scalars_of(old)[1]
            return Equality(False, names[wrong] if wrong < len(names) else "the status")
        if comparison.finished:
            return comparison.judgement()
    return Equality(False, "a value that no point of the constraint set was found to have")


def _point(inputs: Sequence[Arg], seed: int) -> Iterator[Any]:
    draw = residues(seed)
    for argument in inputs:
        yield from sample(argument.type, draw)


class _Comparison:
    """Two Programs, and what has been found of them so far."""

    def __init__(self, old: Program, new: Program) -> None:
        self.old, self.new = _Side(old), _Side(new)
        self.agreed = self.step = self.failures = self.met = self.doubts = 0

    def difference_at(self, seed: int, point: Sequence[Any]) -> int | None:
        """The number of the first result that differs there, the status counting as the last; else None.

        Where a root does not exist time and again, roots are arbitrary functions, too: then agreement counts,
        and a difference only when it comes again and again.
        """
        steering = _Steering(self.step, self.met, self.failures >= _RETRIES)
        system = steering.system(seed)
        try:
            old = evaluate(self.old.program, system, point)
            steering.fresh = set()
            new = evaluate(self.new.program, system, point)
        except (NoRoot, ZeroDivisionError):
            self._fail()
            return None
        pairs = zip([*old.results, _status(old)], [*new.results, _status(new)], strict=True)
        wrong = next((i for i, (a, b) in enumerate(pairs) if a != b), None)
        if wrong is not None and steering.opaque_roots:
            self._fail()
            self.doubts += 1
            return wrong if self.doubts > _DOUBTS else None
        self.old.remember(old, set())
        self.new.remember(new, steering.fresh)
        self.agreed, self.step, self.failures = self.agreed + 1, self.step + 1, 0
        self.met = max(self.met, steering.met)
        return wrong

    def _fail(self) -> None:
        """Try the step again with other numbers, but not for ever."""
        self.failures += 1
        if self.failures > _RETRIES + 2:  # these comparisons cannot go this way together
            self.step, self.failures = self.step + 1, 0

    @property
    def finished(self) -> bool:
        """Whether everything has been seen, or enough has been tried."""
        if self.agreed < POINTS:
            return False
        seen = not self.old.open and not self.new.open and not self.new.visits
        tried = self.step - 2 * min(self.met, _SINGLES)
        return seen or tried >= (_RANDOM if self.new.settled else 6 * _RANDOM)

    def judgement(self) -> Equality:
        """Equal, unless something was never reached, or hardly ever.

        A choice may have gone one way only where its result did not count, as it is with the safe values of
        guards; but then it must be there in both, between the same values.
        """
        shared = self.old.undriven() <= self.new.choices() and self.new.undriven() <= self.old.choices()
        if not shared or self.old.unseen or self.new.unseen:
            return Equality(False, "a branch that no point of the constraint set reached")
        return Equality(True) if self.new.settled else Equality(False, "a comparison that hardly ever counts")


def _status(found: Evaluation) -> int:
    status = 0
    for met, flag in found.status:
        status |= 0 if met else int(flag)
    return status


class _Side:
    """A Program, and its choices that have not yet gone each way while their result counted.

    `unseen` are the truth values that no condition has had anywhere; `visits` says how often each fresh
    comparison has counted: one that the other Program does not make.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        choices = [i for i, node in enumerate(program.nodes) if node.op in _TAKEN]
        self.between: dict[int, list[object]] = {i: [program.nodes[i].op] for i in choices}
        self.open: set[Way] = {(i, way) for i in choices for way in _WAYS[program.nodes[i].op]}
        conditions = {program.nodes[i].args[0] for i in choices if program.nodes[i].op is Op.SELECT}
        conditions |= {node for node, _ in program.status}
        self.unseen = {(c, truth) for c in conditions for truth in (False, True)}
        self.visits: dict[int, int] = {}

    def remember(self, found: Evaluation, fresh: set[int]) -> None:
        """Take note of what counted at a point."""
        live = self._live(found)
        for i, values in self.between.items():
            values += [found.values[a] for a in self.program.nodes[i].args]
        self.unseen -= {(c, bool(found.values[c])) for c, _ in self.unseen}
        for i, (op, args, _) in enumerate(self.program.nodes):
            if op in (Op.LT, Op.LE) and fresh:
                a, b = (found.values[k].value for k in args)
                if {(b - a) % P, (a - b) % P} & fresh:
                    self.visits[i] = self.visits.get(i, 0) + (i in live)

    @property
    def settled(self) -> bool:
        """Whether each fresh comparison has counted often enough for a difference to show."""
        return min(self.visits.values(), default=_ENOUGH) >= _ENOUGH

    def choices(self) -> set[tuple[object, ...]]:
        """Between which values each choice is, at all points."""
        return set(map(tuple, self.between.values()))

    def undriven(self) -> set[tuple[object, ...]]:
        """Those of the choices that never went one way."""
        return {tuple(self.between[i]) for i, _ in self.open}

    def _live(self, found: Evaluation) -> set[int]:
        """The nodes on which the results depend at this point; the choices that they make are driven."""
        live = set(self.program.roots)
        for i in range(len(self.program.nodes) - 1, -1, -1):
            if i in live:
                op, args, _ = self.program.nodes[i]
                if op in _TAKEN:
                    way, taken = _TAKEN[op](*(found.values[a] for a in args))
                    self.open.discard((i, way))
                    live.update(args[k] for k in taken)
                else:
                    live.update(args)
        return live


_ENOUGH = 12


def _select(condition: Any, a: Any, b: Any) -> tuple[str, tuple[int, ...]]:
    return ("then", (0, 1)) if condition else ("else", (0, 2))


def _and(a: Any, b: Any) -> tuple[str, tuple[int, ...]]:
    if a and b:
        return "both", (0, 1)
    return ("right", (1,)) if a else ("left" if b else "neither", (0,))


def _or(a: Any, b: Any) -> tuple[str, tuple[int, ...]]:
    if not a and not b:
        return "both", (0, 1)
    return ("right", (1,)) if not a else ("left" if not b else "neither", (0,))


_TAKEN: dict[Op, Callable[..., tuple[str, tuple[int, ...]]]] = {Op.SELECT: _select, Op.AND: _and, Op.OR: _or}
"""How a choice is made, and the arguments on which its result depends then."""

_WAYS = {Op.SELECT: ("then", "else"), Op.AND: ("both", "left", "right"), Op.OR: ("both", "left", "right")}
"""How each choice has to be made for all of it to be seen: by each side of && and || alone, too."""


class _Steering:
    """Decides comparisons at one point: all true, all false, all but one, then at random.

    Those that only the second function makes, the fresh ones, are decided at random.
    """

    def __init__(self, step: int, comparisons: int, opaque_roots: bool) -> None:
        self.step = step
        self.opaque_roots = opaque_roots
        self.singles = min(comparisons, _SINGLES)
        self.met = 0
        self.fresh: set[int] | None = None  # differences that the first function does not have
        self.truths: dict[int, bool] = {}
        self.random = random.Random(step)

    def system(self, seed: int) -> NumberSystem:
        """Arithmetic modulo P with comparisons that are steered, and roots everywhere if they are opaque."""
        table: dict[Op, Callable[..., Any]] = {
            **modular(seed).table,
            Op.LT: self._less,
            Op.LE: self._at_most,
            Op.SQRT: self._root,
        }
        return replace(modular(seed), table=table)

    def _root(self, x: Residue) -> Residue:
        try:
            return x.sqrt()
        except NoRoot:
            if not self.opaque_roots:
                raise
            return random_residue(x.seed, "root", x.value)

    def _less(self, a: Residue, b: Residue) -> bool:
        return a.value != b.value and self._decided((b.value - a.value) % P, True)

    def _at_most(self, a: Residue, b: Residue) -> bool:
        """Not b < a."""
        return a.value == b.value or not self._decided((a.value - b.value) % P, False)

    def _decided(self, difference: int, wanted: bool) -> bool:
        """Whether this difference counts as positive; `wanted` if the comparison is to hold."""
        if difference not in self.truths:
            if self.fresh is not None:
                self.fresh.add(difference)
            holds = self._holds() if self.fresh is None else self.random.random() < 0.5
            self.truths[difference] = holds == wanted
            self.met += 1
        return self.truths[difference]

    def _holds(self) -> bool:
        """Whether the next comparison that is met for the first time is to hold."""
        if self.step < 2:
            return self.step == 0
        one, most = divmod(self.step - 2, 2)
        if one < self.singles:
            return (self.met == one) != (most == 0)
        return self.random.random() < (0.5, 0.8, 0.2)[self.step % 3]
