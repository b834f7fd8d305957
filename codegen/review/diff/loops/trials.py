"""Reads statements by way of trial, to see whether others may stand in their place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from typing import Any, TypeVar

from codegen.review.diff.loops.counted import Read
from codegen.review.diff.loops.memory_chains import without_locals
from codegen.review.diff.loops.neighbours import (
    Begun,
    Forgotten,
    Made,
    Placed,
    Tested,
    names_in,
    names_of,
    turn_of,
)
from codegen.review.diff.loops.routine_loops import Ways, assigned
from codegen.review.diff.loops.routine_values import State, Variable
from codegen.review.diff.loops.signs import Signs
from codegen.review.diff.text.syntax import Refused
from codegen.review.diff.text.trees import nodes_of

_MOST_TURNS = 8
"""Limit on the turns of a loop that one turn of another one makes."""

_STATE = (
    *("doubts", "within", "path", "state", "outer", "ints", "counts", "objects"),
    *("loops", "depth", "met", "read_last", "visited"),
)
"""What a reader knows of what it has read."""

_Found = TypeVar("_Found")

Doubts = Mapping[tuple[int, int], int]
"""What may be undefined, by the loop in which it is, and where."""


_Law = Callable[[Any, Sequence[Any]], list[Any] | None]


class Trials(Signs):
    """Reads a version, some statements of which are tried."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.forgotten = 0  # how often: a value that is not known is another one each time
        self.is_rolling = (
            False  # while loops are read as they stand, to see of which single turns they are made
        )
        self.found_before = dict[tuple[Any, ...], tuple[list[Any], list[Any] | None]]()

    def _made(self, statement: Made) -> None:
        """A statement that no C has."""
        if isinstance(statement, Tested):
            self._truth(statement.condition)
        elif isinstance(statement, Placed):
            for name, value in statement.values.items():
                self._set([name], lambda _, value=value: value)  # type: ignore[misc]
        elif isinstance(statement, Begun):
            begun = Variable(statement.type, False, statement.value)
            self.state = State({**self.state.names, statement.name: begun}, statement.memory)
        else:
            self.forgotten += 1
            for name in self.state.names.keys() & {*statement.names}:
                lost = self.choices.node("lost", statement.place, name, self.forgotten)
                self._set([name], lambda _, lost=lost: lost)  # type: ignore[misc]

    def _tried(self, law: Callable[[], _Found]) -> _Found | None:
        """The statements that a law puts in place of others; nothing is read but by way of trial."""
        kept = [copy(getattr(self, name)) for name in _STATE]
        self.within = {}
        try:
            return law()
        except Refused:
            return None
        finally:
            for name, value in zip(_STATE, kept, strict=True):
                setattr(self, name, value)

    def _enter(self) -> None:
        """Read what follows as a part of a turn of a loop, which has its own objects."""
        self.depth += 1
        self.outer, self.path = (*self.outer, self.path), self.choices.truth(True).node

    def _steps(self, statements: Sequence[Any]) -> Doubts:
        """Read statements after which the next one follows; what they may leave undefined."""
        outside = self.doubts, self.within
        self.doubts, self.within = {}, {}
        self._run(statements, Ways(lambda: 0, None, None, self._returned))
        never, found = self.choices.truth(False).node, {**self.within, 0: self.doubts}
        self.doubts, self.within = outside
        return {(k, what): at for k, part in found.items() for what, at in part.items() if at != never}

    def _is_quiet(self, statements: Sequence[Any]) -> bool:
        """Whether statements, which are read, store nothing and leave nothing undefined."""
        memory = self.state.memory
        return not self._steps(statements) and self.state.memory == memory

    def _is(self, condition: Any, holds: bool, known: Collection[int] = ()) -> bool:
        """Whether a condition surely is what is asked; its test leaves undefined at most what is known."""
        truth, doubts = self._test_of(condition)
        return doubts <= {*known} and truth == self.choices.truth(holds).node

    def _test_of(self, condition: Any) -> tuple[int, set[int]]:
        """Whether a condition holds, and what its test may leave undefined."""
        outside, self.doubts = self.doubts, {}
        truth = self._decided(self._truth(condition).node)
        found, self.doubts = self.doubts, outside
        return truth, {*found}

    def _differing(self, a: State, b: State) -> set[str] | None:
        """The variables that differ; None where memory does, or a pointer of another kind."""
        memories = {without_locals(self.choices, state.memory, self.depth) for state in (a, b)}
        found = {n for n, what in a.names.items() if n in b.names and what != b.names[n]}
        is_known = all(isinstance(state.names[n], Variable) for n in found for state in (a, b))
        return found if len(memories) == 1 and is_known else None

    def _lost_after(self, first: Any, names: Collection[str]) -> list[Any] | None:
        """What forgets variables behind what is put in place of a statement; None where one is used."""
        line, column = getattr(first.coord, "line", 0) or 0, getattr(first.coord, "column", 0) or 0
        place = -(line * 10_000 + column) - 1
        is_used = any((place, name) in self.live for name in names)
        return None if is_used else [Forgotten(place, sorted(names))] if names else []

    # Loops

    def _known(self, law: _Law, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """What a law puts in place of statements; what it did where all was the same, it does again."""
        names = frozenset(self.state.names.items())
        signed = frozenset(self.signed.items())
        held = (
            names,
            self.state.memory,
            self.path,
            self.outer,
            self.depth,
            self.objects,
            signed,
            self.is_rolling,
        )
        key = (law.__name__, id(first), *map(id, rest), *held)
        if key not in self.found_before:
            self.found_before[key] = ([first, *rest], law(first, rest))  # which keeps the ids
        return self.found_before[key][1]

    def _as_many(self, whole: Any, made: State, doubts: Doubts, kept: set[str]) -> set[str] | None:
        """The variables that differ after the turns of a loop that make of the state what was made of it."""
        found, never = dict[tuple[int, int], int](), self.choices.truth(False).node
        for _ in range(_MOST_TURNS):
            if not self._is(whole.cond, True):
                return None
            for what, where in self._steps(turn_of(whole)).items():
                found[what] = self.choices.either(found.get(what, never), where)
            differing = self._differing(made, self.state)
            if differing is not None and not differing & kept and found == doubts:
                return differing
        return None

    def _read_alone(self, loop: Any) -> Read | None:
        """A loop as it is read; None where it is read as something else."""
        self.read_last = None
        self._steps([loop])
        found: Read | None = self.read_last
        return found if found is not None and found.loop is loop else None

    def _is_alike(self, statements: Sequence[Any], loop: Any) -> bool:
        """Whether statements may be turns of a loop: they name the same, and loop and call as often."""
        counted = assigned(loop.next) if getattr(loop, "next", None) is not None else set[str]()
        counted |= names_in([loop.cond])
        known = {n for n in names_of(loop.stmt) if n in self.state.names}
        if not known - counted <= names_in(statements):
            return False
        one, many = _parts([loop.stmt]), _parts(statements)
        return one.keys() == many.keys() and len({(many[n] % one[n], many[n] // one[n]) for n in one}) <= 1


def _parts(statements: Sequence[Any]) -> Counter[str]:
    """How often statements have loops, and calls of each function."""
    found = Counter[str]()
    for node in (node for s in statements if not isinstance(s, Made) for node in nodes_of(s)):
        kind = type(node).__name__
        found[kind] += kind in ("For", "While", "DoWhile")
        if kind == "FuncCall":
            found[f"call of {getattr(node.name, 'name', '')}"] += 1
    return +found
