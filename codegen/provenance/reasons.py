"""Reasons: why each value of a printed function is computed, as its derivation says it.

A value is an element of a written expression, or a part of one; a named value of the formula; a condition, or
a value that only conditions need; the value of a case; or an intermediate value, which an identity made that
the passes applied. Values are compared at many points of the input domain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from codegen.ir.operations import LEAVES, Op, Sort
from codegen.ir.program import Program
from codegen.ir.systems import ARITHMETIC, Precision
from codegen.modeling.kernel import Kernel
from codegen.passes.pipeline import optimised
from codegen.proof.derivation import derivation
from codegen.provenance.identities import identity_of
from codegen.provenance.matching import Match, matches, part_of_sum
from codegen.provenance.points import Rows, at_points, points
from codegen.provenance.wording import Wording, limits

How: TypeAlias = Literal["written", "part", "named", "guard", "case", "rewritten", "computed"]


@dataclass(frozen=True)
class Reason:
    """Why a value is computed: `how` it was found, and the number of the derivation step that states it.

    `name` is what a textbook calls the value, `equation` the written equation in which it stands. `identity`
    says the rest: the condition that a guard tests, or before = after, with the identity that was used.
    """

    how: How
    step: int
    name: str = ""
    equation: str = ""
    identity: str = ""


class Reasons:
    """The reasons of the values of a printed Program of a kernel."""

    def __init__(self, kernel: Kernel, program: Program, precision: Precision, checks: bool) -> None:
        self._kernel, self._program = kernel, program
        self._nodes = program.nodes
        self._precision = precision
        steps = derivation(kernel)
        self._steps = [s.kind for s in steps]
        self._titles = [s.title for s in steps]
        self._wording = Wording(program, program.labels, limits(optimised(kernel, checks), precision))
        self._users: list[list[int]] = [[] for _ in program.nodes]
        for i, node in enumerate(program.nodes):
            for a in node.args:
                self._users[a].append(i)
        self._found: dict[int, Reason] = {}
        self._matches: dict[int, Match | None] = {}
        self._parts: dict[int, Match | None] = {}

    def of(self, i: int) -> Reason:
        """The reason of a node."""
        if i not in self._found:
            self._found[i] = self._reason(i)
        return self._found[i]

    def guard(self, name: str, identity: str) -> Reason:
        """The reason of what serves the status."""
        return Reason("guard", self._guard, name, "", identity)

    # The values, and what is written of them

    @cached_property
    def _values(self) -> Rows:
        return at_points(self._program, points(self._kernel), self._precision)

    @cached_property
    def _unit_values(self) -> Rows | None:
        """The values where quaternions have unit norm; None where there are no others."""
        given = points(self._kernel, True)
        if np.array_equal(given, points(self._kernel)):
            return None
        return at_points(self._program, given, self._precision)

    def _match(self, i: int) -> Match | None:
        if i not in self._matches:
            (found,) = matches(self._kernel, self._values[i : i + 1])
            if found is None and self._unit_values is not None:
                (found,) = matches(self._kernel, self._unit_values[i : i + 1], True)
            self._matches[i] = found
        return self._matches[i]

    def _whole(self, i: int) -> Match | None:
        match = self._match(i)
        return match if match is not None and not match.is_part else None

    def _part(self, i: int) -> Match | None:
        if i not in self._parts:
            self._parts[i] = self._match(i) or part_of_sum(self._kernel, self._values[i])
        return self._parts[i]

    # The reasons, the best first

    def _reason(self, i: int) -> Reason:
        node = self._nodes[i]
        if node.op.result is Sort.BOOLEAN:
            return self.guard(self._label(i), self._wording.condition(i))
        if node.op in LEAVES and node.op is not Op.INPUT:
            return Reason("written", self._formula, self._wording.value(i), "", "the result is a constant")
        return next(r for find in (
            self._written, self._named, self._part_of, self._reciprocal, self._of_condition, self._of_case,
            self._rewritten, self._computed,
        ) if (r := find(i)) is not None)  # fmt: skip

    def _label(self, i: int) -> str:
        return self._program.labels.get(i, "")

    def _written(self, i: int) -> Reason | None:
        match = self._whole(i)
        return _at(match, "written") if match else None

    def _named(self, i: int) -> Reason | None:
        label = self._label(i)
        if not label:
            return None
        part = self._part(i) or self._match_above(i)
        return Reason(
            "named",
            part.place.text.step if part else self._formula,
            label,
            part.place.equation if part else "",
            f"{label} = {self._wording.value(i, top=True)}",
        )

    def _part_of(self, i: int) -> Reason | None:
        match = self._part(i)
        return _at(match, "part") if match else None

    def _reciprocal(self, i: int) -> Reason | None:
        op, args, _ = self._nodes[i]
        if op is not Op.DIV or self._nodes[args[0]].op is not Op.CONSTANT:
            return None
        (match,) = matches(self._kernel, 1 / self._values[i : i + 1])
        if match is None or match.is_part:
            return None
        return Reason(
            "written",
            match.place.text.step,
            f"1 / ({match.name})",
            match.place.equation,
            "a / b = a (1 / b): a quotient is the product with the reciprocal",
        )

    def _of_condition(self, i: int) -> Reason | None:
        """The reason of a value that only conditions need."""
        if i in self._for_results:
            return None
        for _, above in self._upwards(i):
            if self._nodes[above].op.result is Sort.BOOLEAN:
                return self.guard("", f"only needed for the condition: {self._wording.condition(above)}")
        return None

    @cached_property
    def _for_results(self) -> set[int]:
        """The real values that results need, not only conditions."""
        found = set(self._program.results)
        for i in reversed(range(len(self._nodes))):
            if i in found:
                found.update(a for a in self._nodes[i].args if self._nodes[a].op.result is Sort.REAL)
        return found

    def _of_case(self, i: int) -> Reason | None:
        """The reason of a value that is used in one case only, such as that of a series near its centre."""
        for below, above in self._upwards(i):
            op, args, _ = self._nodes[above]
            if op is Op.SELECT and below in args[1:] and not self._is_chosen(below, above):
                first = below == args[1]
                condition = self._wording.condition(args[0])
                match = self._whole(above) or self._part(above)
                instead = match.name if match else self._label(above) or self._wording.value(above)
                holds = f"where {condition}" if first else f"unless {condition}"
                text = f"{holds}, it stands for {instead}"
                equation = match.place.equation if match else ""
                return Reason("case", self._series, "", equation, text)
        return None

    def _is_chosen(self, branch: int, select: int) -> bool:
        same: bool = np.array_equal(self._values[branch], self._values[select])
        return same

    def _rewritten(self, i: int) -> Reason | None:
        """The reason of a value that an identity made, on the way to one that is written."""
        above = self._written_above(i)
        if above is None:
            return None
        user, match = above
        before, after = match.name, self._wording.value(user, top=True)
        by = "both are the same number"
        if self._is_arithmetic(user):
            by = identity_of(self._kernel, match, user, self._program, self._precision)
        own = self._wording.value(i, top=True)
        return Reason(
            "rewritten", match.place.text.step, own, match.place.equation, f"{before} = {after}: {by}"
        )

    def _is_arithmetic(self, i: int) -> bool:
        """Whether a value is a sum, product or quotient of such, down to values that have a name."""
        op, args, _ = self._nodes[i]
        below = (a for a in args if not self._label(a) and not self._whole(a) and self._nodes[a].args)
        return op in ARITHMETIC and all(map(self._is_arithmetic, below))

    def _computed(self, i: int) -> Reason | None:
        return Reason("computed", self._formula, self._wording.value(i, top=True))

    # The way up to the results

    def _upwards(self, i: int) -> Iterator[tuple[int, int]]:
        """Values and their users, nearest first, up to those that are written."""
        seen, waiting = {i}, [i]
        while waiting:
            below = waiting.pop(0)
            for above in self._users[below]:
                yield below, above
                if above not in seen and not self._whole(above):
                    seen.add(above)
                    waiting.append(above)

    def _written_above(self, i: int) -> tuple[int, Match] | None:
        for find in (self._whole, self._part):
            for _, above in self._upwards(i):
                match = find(above) if self._nodes[above].op.result is Sort.REAL else None
                if match is not None and not match.place.is_input:
                    return above, match
        return None

    def _match_above(self, i: int) -> Match | None:
        above = self._written_above(i)
        return above[1] if above else None

    # The steps that are not written

    @cached_property
    def _formula(self) -> int:
        return self._steps.index("formula")

    @cached_property
    def _guard(self) -> int:
        return self._titled("Guard the arguments")

    @cached_property
    def _series(self) -> int:
        return self._titled("Replace 0/0 by its limit or series")

    def _titled(self, title: str) -> int:
        return self._titles.index(title) if title in self._titles else self._formula


def _at(match: Match, how: How) -> Reason:
    return Reason(how, match.place.text.step, match.name, match.place.equation)
