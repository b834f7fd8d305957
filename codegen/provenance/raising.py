"""The flags of a printed Program: their conditions, and the values that they choose or replace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from codegen.ir.operations import Op, Sort
from codegen.ir.program import Program


class Raising:
    """Where the flags of a Program enter its values."""

    def __init__(self, program: Program) -> None:
        self._program, self._nodes = program, program.nodes

    @cached_property
    def of_conditions(self) -> list[list[str]]:
        """For each condition, the flags whose requirements contain it, or of which it is made."""
        found: list[list[str]] = [[] for _ in self._nodes]
        for root, flag in self._program.status:
            found[root].append(flag.name or "")
        for i in reversed(range(len(self._nodes))):
            for a in self.conditions_in(i):
                found[a] = list(dict.fromkeys([*found[a], *found[i]]))
        for i in range(len(self._nodes)):
            inside = [found[a] for a in self.conditions_in(i)]
            if not found[i] and inside and all(inside):
                found[i] = list(dict.fromkeys(flag for flags in inside for flag in flags))
        return found

    def conditions_in(self, i: int) -> list[int]:
        """The conditions of which a condition is made."""
        op, args, _ = self._nodes[i]
        return [a for a in args if op.result is self._nodes[a].op.result is Sort.BOOLEAN]

    def choosing(self, nodes: Sequence[int]) -> tuple[str, ...]:
        """The flags whose conditions choose among the values in a statement, which computes these nodes."""
        chosen = [self._nodes[i].args[0] for i in nodes if self._nodes[i].op is Op.SELECT]
        every = [c for choice in chosen for c in (choice, *self.conditions_in(choice))]
        return tuple(dict.fromkeys(flag for c in every for flag in self.of_conditions[c]))

    def of_choice(self, i: int) -> list[str]:
        """The flags whose conditions choose a value, if it is a choice."""
        op, args, _ = self._nodes[i]
        return self.of_conditions[args[0]] if op is Op.SELECT else []

    def has_several_conditions(self, flag: str) -> bool:
        """Whether a flag is raised by one of several conditions."""
        return self._requirements[flag] > 1

    @cached_property
    def _requirements(self) -> Counter[str]:
        return Counter(flag.name or "" for _, flag in self._program.status)

    @cached_property
    def deciding(self) -> list[tuple[str, ...]]:
        """For each value or condition, the flags that choose among the values of which it is computed."""
        found: list[tuple[str, ...]] = []
        for i, (op, args, _) in enumerate(self._nodes):
            inside = [a for a in args if op.result is Sort.BOOLEAN or self._nodes[a].op.result is Sort.REAL]
            below = (flag for a in inside for flag in found[a])
            found.append(tuple(dict.fromkeys((*self.of_choice(i), *below))))
        return found

    def changing(self, i: int) -> list[str]:
        """The flags at which a value is another one than without them, those of its own choice left out."""
        told = self.of_choice(i)
        return [flag for flag in self.deciding[i] if flag not in told]
