"""What is computed from the values of a printed Program."""

from __future__ import annotations

from functools import cached_property

from codegen.ir.operations import Sort
from codegen.ir.program import Program


class Users:
    """The operations that take each value of a Program."""

    def __init__(self, program: Program) -> None:
        self._program, self._nodes = program, program.nodes
        self._users: list[list[int]] = [[] for _ in program.nodes]
        for i, node in enumerate(program.nodes):
            for a in node.args:
                self._users[a].append(i)

    def __getitem__(self, i: int) -> list[int]:
        return self._users[i]

    @cached_property
    def for_results(self) -> set[int]:
        """The real values that results need, not only conditions."""
        found = set(self._program.results)
        for i in reversed(range(len(self._nodes))):
            if i in found:
                found.update(a for a in self._nodes[i].args if self._nodes[a].op.result is Sort.REAL)
        return found

    def tell_cases_apart(self, condition: int) -> bool:
        """Whether a condition chooses values that results need."""
        for above in self[condition]:
            if self._is_condition(above):
                if self.tell_cases_apart(above):
                    return True
            elif above in self.for_results:
                return True
        return False

    def are_several_conditions(self, i: int) -> bool:
        """Whether several comparisons need a value."""
        seen, waiting, found = {i}, [i], set[int]()
        for below in waiting:
            for above in self[below]:
                if self._is_condition(above):
                    found.add(above)
                elif above not in seen:
                    seen.add(above)
                    waiting.append(above)
        return len(found) > 1

    def are_inside(self, i: int, branch: int, select: int) -> bool:
        """Whether every use of a value, for results or conditions, goes through a branch of a select."""
        seen, waiting = {i}, [i]
        while waiting:
            below = waiting.pop()
            if below in self._program.results:
                return False
            for above in self[below]:
                if above == select and below == branch:
                    continue
                if self._is_condition(above):
                    return False
                if above not in seen:
                    seen.add(above)
                    waiting.append(above)
        return True

    def _is_condition(self, i: int) -> bool:
        return self._nodes[i].op.result is Sort.BOOLEAN
