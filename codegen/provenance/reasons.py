"""Reasons: why each value of a printed function is computed, as its derivation says it.

A value is an element of a written expression, or a part of one; a named value of the formula; a condition, or
a value that only conditions need; the value of a case; or an intermediate value, which an identity made that
the passes applied. Values are compared at many points of the input domain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from codegen.ir.operations import LEAVES, LIBM, Op, Sort
from codegen.ir.program import Program
from codegen.ir.systems import ARITHMETIC, Precision
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.scalar import meanings
from codegen.notation.reader import read
from codegen.notation.syntax import Kind
from codegen.notation.unicode import line
from codegen.passes.pipeline import optimised
from codegen.proof.derivation import SERIES, TESTS, derivation
from codegen.provenance.conditions import stated_conditions
from codegen.provenance.identities import QUOTIENT, computed_first, identity_of
from codegen.provenance.matching import Match, matches, own_match, part_of_sum, phase
from codegen.provenance.points import Rows, at_points, far_points, points
from codegen.provenance.raising import Raising
from codegen.provenance.scales import Scaled, Scales
from codegen.provenance.standing import Aside, Standing
from codegen.provenance.users import Users
from codegen.provenance.wording import Wording, limits
from codegen.provenance.written import CONDITIONS, DEFINITION, constant_place

How: TypeAlias = Literal["written", "part", "named", "guard", "case", "rewritten", "computed"]


_CONSTANT = "the result is a constant: the equation has it there"
_SERIES = "a limit or series stands for the closed form where that is 0/0 or loses digits"
_COMPONENTS = {"n": "the moment of", "f": "the force of"}
"""The parts of wrenches in words."""

_MOST_USERS = 4
"""Named values that are told of those which need a value."""

_ANGLES = (Op.ADD, Op.SUB, Op.MUL, Op.SELECT, *LIBM)
"""The operations of which an angle is computed."""

_VARIES = 0.5
"""Turns by which an angle varies if it is known up to turns only."""

_TURNS = "the turn that brings it into [-pi, pi] is subtracted"


@dataclass(frozen=True)
class Reason:
    """Why a value is computed: `how` it was found, and the number of the derivation step that states it.

    `name` is what a textbook calls the value, `equation` the written equation in which it stands. `identity`
    says the rest: the condition that a guard tests, or before = after, with the identity that was used.
    `where` are the definitions of the names in it that the step does not state.
    """

    how: How
    step: int
    name: str = ""
    equation: str = ""
    identity: str = ""
    where: tuple[str, ...] = ()


class Reasons:
    """The reasons of the values of a printed Program of a kernel."""

    def __init__(
        self,
        kernel: Kernel,
        program: Program,
        precision: Precision,
        checks: bool,
        variables: Mapping[int, str],
    ) -> None:
        self._kernel, self._program = kernel, program
        self._nodes = program.nodes
        self._precision = precision
        steps = derivation(kernel)
        self._steps = [s.kind for s in steps]
        self._titles = [s.title for s in steps]
        self.raising = Raising(program)
        self.words = limits(optimised(kernel, checks), precision)
        self._stated = stated_conditions(kernel, program)
        self._variables = variables
        self._checks = checks
        self._users = Users(program)
        self._found: dict[int, Reason] = {}
        self._matches: dict[int, Match | None] = {}
        self._arithmetic: dict[int, bool] = {}
        self._parts: dict[int, Match | None] = {}
        self._known_scaled: dict[int, Scaled | None] = {}

    def of(self, i: int) -> Reason:
        """The reason of a node."""
        if i not in self._found:
            self._found[i] = self._reason(i)
        return self._found[i]

    def guard(self, name: str, identity: str, where: tuple[str, ...] = ()) -> Reason:
        """The reason of what serves the status."""
        return Reason("guard", self._guard, name, "", identity, where)

    def raised(self, flags: Sequence[str], conditions: Sequence[int]) -> Reason:
        """The reason of a statement of the status, which tests these conditions."""
        text, known = " or ".join(flags), self._stated.of_flags
        if known.keys() >= set(flags):
            aside = Aside()
            tests = [known[flag] for flag in flags]
        else:
            aside = self._standing.beside(*conditions)
            tests = [self._wording.condition(c) for c in conditions]
        others = [flag for c in conditions for flag in self.raising.deciding[c] if flag not in flags]
        where = (
            *self._where(aside, self._guard),
            *([_without(list(dict.fromkeys(others)))] if others else ()),
        )
        return self.guard("status", f"{text} unless {' and '.join(tests)}{aside.text}", where)

    def of_result(self, number: int, i: int) -> Reason:
        """The reason of a scalar of the results; a constant stands in the equation of its block."""
        place = constant_place(self._kernel, number) if self._is_constant(i) else None
        if place is not None:
            return Reason("written", place.text.step, place.name, place.equation, _CONSTANT)
        own = own_match(self._kernel, number, self._values[i])
        if own is not None and self._is_elsewhere(i, own):
            return self._with_flags(i, _at(own, "written"))
        found = self.of(i)
        if own is not None and found.how == "written" and own.name != found.name:
            found = replace(found, name=f"{own.name} = {found.name}")
        return self._with_flags(i, found)

    def _is_elsewhere(self, i: int, own: Match) -> bool:
        """Whether a value is found as another element of the matrix than that of the result, as an input, or
        not whole.
        """
        found = self._whole(i)
        if found is None or found.place.is_input:
            return True
        return found.place.node == own.place.node and found.name != own.name

    def of_statement(self, i: int) -> Reason:
        """The reason of a printed value, with the flags at which it is something else."""
        return self._with_flags(i, self.of(i))

    def _with_flags(self, i: int, found: Reason) -> Reason:
        """The reason with the flags at which the value is another one."""
        found, flags = self._where_raised(i, found), self.raising.changing(i)
        told = found.how in ("written", "part", "named", "guard")
        return replace(found, where=(*found.where, _without(flags))) if flags and told else found

    def _where_raised(self, i: int, found: Reason) -> Reason:
        op, args, _ = self._nodes[i]
        if op is not Op.SELECT or found.how not in ("written", "part"):
            return found
        value, other = (self._wording.value(a) for a in args[1:])
        flags = " or ".join(self.raising.of_conditions[args[0]])
        shown = i if not flags else args[1]
        is_named = flags and self._wording.name(args[1])
        aside = Aside() if is_named else self._standing.beside_words(shown)
        text = f"{value}, but {other} where {flags} is raised{aside.text}"
        if flags and any(map(self.raising.has_several_conditions, self.raising.of_conditions[args[0]])):
            case = self._wording.case(args[0])
            text = f"{value}, but {other} where {flags} is raised, unless {case}{aside.text}"
        if not flags:
            by = f": {_SERIES}" if self._has_series and self.of(args[0]).step == self._series else ""
            text = f"{value} if {self._wording.condition(args[0])}, else {other}{aside.text}{by}"
        return replace(found, identity=text, where=self._where(aside, found.step))

    def _where(self, aside: Aside, step: int, *others: Match | None) -> tuple[str, ...]:
        """The definitions of what is beside an expression, or in other matches, where a step does not."""
        places = [*aside.places, *(m.place for m in others if m is not None)]
        rows = dict[str, None]()
        for place in places:
            if place.text.step != step:
                found = place.definitions(self._arguments)
                rows.update(dict.fromkeys(line(place.text.layout.equation(e)) for e in found))
        if aside.above:
            rows.setdefault(f"{', '.join(aside.above)}: computed by statements of their own")
        return tuple(rows)

    @cached_property
    def _arguments(self) -> set[str]:
        kernel = self._kernel
        return {a.name for a in (*kernel.all_inputs, *kernel.outputs)}

    # The values, and what is written of them

    @cached_property
    def _values(self) -> Rows:
        return at_points(self._program, points(self._kernel), self._precision)

    @cached_property
    def _far_values(self) -> Rows:
        return at_points(self._program, far_points(self._kernel), self._precision)

    def _match(self, i: int) -> Match | None:
        if i not in self._matches:
            terms, op = [self._values[t] for t in self._terms(i)], self._nodes[i].op
            function = op.label if op in LIBM else ""
            found = matches(self._kernel, self._values[i], terms=terms, function=function)
            found = [m for m in found if not m.place.is_input or self._is_input(i, m)]
            if not self._is_guarded_input(i):
                found = computed_first(self._kernel, found)
            if i in self._users.for_results:
                found = [m for m in found if m.place.is_of_condition or m.place.text.rank != CONDITIONS]
            else:
                found.sort(key=lambda m: not m.place.is_of_condition or m.times != 1)
            self._matches[i] = found[0] if found else None
        return self._matches[i]

    def _terms(self, i: int) -> list[int]:
        """The terms of a sum, up to values that have a name or several users."""
        op, args, _ = self._nodes[i]
        if op not in (Op.ADD, Op.SUB, Op.NEG):
            return []
        shared = (self._label(a) or len(self._users[a]) > 1 for a in args)
        inside = ([] if whole else self._terms(a) for a, whole in zip(args, shared, strict=True))
        return [t for a, terms in zip(args, inside, strict=True) for t in terms or [a]]

    def _is_input(self, i: int, match: Match) -> bool:
        """Whether a value is an input also far out: not where an angle is wrapped, or a value limited."""
        number = match.place.input
        given = far_points(self._kernel)
        if self._kernel.bound or not given.shape[1] or self._is_guarded_input(i):
            return True
        return bool(np.allclose(self._far_values[i], float(match.times) * given[number]))

    def _is_guarded_input(self, i: int) -> bool:
        """Whether a value is an input, or one that a guard replaces by a constant."""
        op, args, _ = self._nodes[i]
        if op is Op.SELECT:
            chosen = [a for a in args[1:] if self._nodes[a].op is not Op.CONSTANT]
            return len(chosen) == 1 and self._is_guarded_input(chosen[0])
        return op is Op.INPUT

    def _whole(self, i: int) -> Match | None:
        match = self._match(i)
        return match if match is not None and not match.is_part else None

    def _part(self, i: int) -> Match | None:
        if i not in self._parts:
            match = self._match(i)
            if match is None or (match.is_part and match.place.text.rank):  # a step is better
                sums = part_of_sum(self._kernel, self._values[i])
                match = min(filter(None, (match, sums)), key=lambda m: m.place.text.rank, default=None)
            self._parts[i] = match
        return self._parts[i]

    # The reasons, the best first

    def _reason(self, i: int) -> Reason:
        node = self._nodes[i]
        if node.op.result is Sort.BOOLEAN:
            return self._condition(i)
        if self._is_constant(i):
            return Reason("written", self._formula, self._wording.value(i), "", _CONSTANT)
        return next(r for find in (
            self._of_series, self._written, self._of_condition, self._scaled, self._phase, self._turn,
            self._named, self._part_of, self._reciprocal, self._of_case, self._inside, self._rewritten,
            self._computed,
        ) if (r := find(i)) is not None)  # fmt: skip

    def _is_constant(self, i: int) -> bool:
        return self._nodes[i].op in LEAVES and self._nodes[i].op is not Op.INPUT

    @cached_property
    def _wording(self) -> Wording:
        """The words for the values; one whose name is a letter of a flag's condition is called otherwise."""
        cases = (c for stated in self._kernel.failures.values() for c in stated if c.unless)
        equations = [e for case in cases for e in read(case.unless) if len(e.sides) > 1]
        letters = {e.sides[0].name for e in equations}
        names = {i: self._other_name(i) if x in letters else self._label(i) for i, x in self._labels}
        return Wording(self._program, names, self.words, self._variables)

    @property
    def _labels(self) -> Iterable[tuple[int, str]]:
        return self._program.labels.items()

    def _other_name(self, i: int) -> str:
        """The scalar product that a value is, or its own name if it is none."""
        match = self._whole(i)
        is_product = match is not None and match.place.node.kind is Kind.DOT and match.times == 1
        return match.name if match is not None and is_product else self._label(i)

    @cached_property
    def _standing(self) -> Standing:
        known = self._program, self._wording, self._values, self._precision, self._checks
        return Standing(self._kernel, *known)

    def _label(self, i: int) -> str:
        """The name of a value in the formula or, if it gives that to several, in the C."""
        label = self._program.labels.get(i, "")
        return self._variables.get(i, label) if label in self._ambiguous else label

    @cached_property
    def _ambiguous(self) -> set[str]:
        counts = Counter(label for _, label in self._labels)
        return {label for label, count in counts.items() if count > 1}

    def _written(self, i: int) -> Reason | None:
        match = self._whole(i)
        if match is None:
            return None
        place = match.place
        is_elsewhere = (place.is_input and place.is_only_named) or place.text.rank == DEFINITION
        above = self._match_above(i) if is_elsewhere else None
        if above is None or self._nodes[i].op is Op.INPUT or i not in self._users.for_results:
            return _at(match, "written")
        name = match.name if place.is_input else self._standing.textbook(i)
        if not name or (place.text.rank == DEFINITION and above.place.text.rank):
            return _at(match, "written")
        return Reason("written", above.place.text.step, name, above.place.equation)

    def _named(self, i: int) -> Reason | None:
        label = self._label(i)
        if not label:
            return None
        part = self._part(i)
        if part and not part.is_part:
            return _at(part, "written")
        term = f", {part.name}" if part else ""
        part = min(filter(None, (part, self._match_above(i))), key=_distance, default=None)
        step, aside = part.place.text.step if part else self._formula, self._standing.beside(i)
        return Reason(
            "named",
            step,
            self._meaning(self._program.labels[i]) or self._standing.textbook(i) or label,
            part.place.equation if part else "",
            f"{label} = {self._standing.definition(i)}{term}{aside.text}",
            self._where(aside, step),
        )

    def _scaled(self, i: int) -> Reason | None:
        """The reason of a value that is what is written times a power of a scale."""
        scaled = self._scaled_as(i)
        return self._times(scaled, scaled.name) if scaled else None

    def _scaled_as(self, i: int) -> Scaled | None:
        """What a value is but for a scale; values that are below it ask, too."""
        if i not in self._known_scaled:
            self._known_scaled[i] = self._scales.of(i, self._values[i])
        return self._known_scaled[i]

    def _times(self, scaled: Scaled, name: str) -> Reason:
        place, scale, label = scaled.match.place, scaled.scale, self._label(scaled.scale)
        return Reason(
            "written",
            place.text.step,
            name,
            "" if place.is_input else place.equation,
            f"{label} = {self._standing.textbook(scale) or self._standing.definition(scale)}",
        )

    @cached_property
    def _scales(self) -> Scales:
        labels = {i: self._label(i) for i, _ in self._labels}
        return Scales(self._kernel, self._nodes, labels, self._values)

    def _phase(self, i: int) -> Reason | None:
        """The reason of an angle that is a written one but for whole or half turns."""
        if self._nodes[i].op not in _ANGLES:
            return None
        found = phase(self._kernel, self._values[i])
        if found is None:
            return None
        match, turns = found
        place, name = match.place, f"{match.name} up to {turns}"
        where = tuple(line(place.text.layout.equation(e)) for e in place.definitions(self._arguments))
        return Reason("written", place.text.step, name, place.equation_of_angle, where=where)

    def _meaning(self, label: str) -> str:
        """What a named value is, in words; empty if the formula does not say it."""
        stem = max(
            (s for s in self._meanings if label == s or label.startswith(f"{s}_")), key=len, default=""
        )
        parts = label.removeprefix(stem).split("_")[1:]
        words = [_COMPONENTS.get(p, f"element {p} of" if p.isdigit() else f"{p} of") for p in reversed(parts)]
        return " ".join((*words, self._meanings[stem])) if stem else ""

    @cached_property
    def _meanings(self) -> dict[str, str]:
        with meanings() as found:
            self._kernel.lower(self._checks)
        return found

    def _part_of(self, i: int) -> Reason | None:
        match = self._part(i) or self._sum_above(i)
        return _at(match, "part" if match.is_part else "written") if match else None

    def _sum_above(self, i: int) -> Match | None:
        """The written sum of which a value is a term, as all that is computed from it are sums."""
        while len(self._users[i]) == 1:
            (i,) = self._users[i]
            match = self._whole(i)
            if self._nodes[i].op not in (Op.ADD, Op.SUB, Op.NEG) or (match and match.place.is_input):
                return None
            if match:
                return replace(match, is_part=True)
        return None

    def _reciprocal(self, i: int) -> Reason | None:
        op, args, _ = self._nodes[i]
        if op is not Op.DIV or self._nodes[args[0]].op is not Op.CONSTANT:
            return None
        found = matches(self._kernel, 1 / self._values[i])
        if found and not found[0].is_part:
            whole = _at(found[0], "written")
            return replace(whole, name=f"1 / ({whole.name})", identity=QUOTIENT)
        scaled = self._scales.of(i, 1 / self._values[i])
        return self._times(scaled, f"1 / ({scaled.name})") if scaled else None

    # Conditions

    def _condition(self, i: int) -> Reason:
        """The reason of a condition: the status needs it, or it tells cases apart."""
        label, aside = self._label(i), self._beside_tested(i)
        text = f"{self._tested(i)}{aside.text}"
        if self.raising.of_conditions[i] or not self._users.tell_cases_apart(i):
            return self.guard(label, text, self._where(aside, self._guard))
        written = list(self._chosen_by(i))
        cases = sorted((m for m in written if m.place.has_cases), key=lambda m: not m.place.is_named)
        if self._has_series and self._compares_with_number(i) and not cases:
            return Reason("guard", self._series, label, "", text, self._where(aside, self._series))
        step = [*cases, *written][0].place.text.step if written else self._formula
        return Reason("guard", step, label, "", text, self._where(aside, step))

    def _tested(self, i: int) -> str:
        """A condition as it is stated, or else as it is computed."""
        return self._stated_of(i) or self._wording.condition(i)

    def _stated_of(self, i: int) -> str:
        """What is stated of a requirement, or of several; empty where nothing is stated of one of them."""
        op, args, _ = self._nodes[i]
        if op is Op.AND and i not in self._stated.of_requirements:
            parts = [self._stated_of(a) for a in args]
            return " and ".join(parts) if all(parts) else ""
        return self._stated.of_requirements.get(i, "")

    def _beside_tested(self, *nodes: int) -> Aside:
        """What the names in values and conditions stand for; a stated condition defines its own names."""
        return self._standing.beside(*(i for i in nodes if not self._stated_of(i)))

    def _compares_with_number(self, i: int) -> bool:
        """Whether a condition compares a value with a threshold, as that of a series does."""
        args = self._nodes[i].args
        return any(self._is_constant(a) and self._nodes[a].value != 0 for a in args) or any(
            map(self._compares_with_number, self.raising.conditions_in(i))
        )

    def _chosen_by(self, i: int) -> Iterator[Match]:
        """What is written of the values that a condition chooses, and of those that need them."""
        seen, waiting = {i}, [i]
        for below in waiting:
            conditions = self._nodes[below].op.result is Sort.BOOLEAN
            for above in self._users[below]:
                kept = above in self._users.for_results or (conditions and self._is_condition(above))
                match = self._whole(above) if kept and not self._is_condition(above) else None
                if match is not None and not match.place.is_input:
                    yield match
                known = match is not None and match.place.is_named
                if kept and not known and above not in seen:
                    seen.add(above)
                    waiting.append(above)

    def _is_condition(self, i: int) -> bool:
        return self._nodes[i].op.result is Sort.BOOLEAN

    def _of_condition(self, i: int) -> Reason | None:
        """The reason of a value that only conditions need."""
        if i in self._users.for_results:
            return None
        for _, above in self._upwards(i):
            if self._nodes[above].op.result is Sort.BOOLEAN:
                flags = " and ".join(self.raising.of_conditions[above])
                purpose = f"the condition of {flags}" if flags else "the condition"
                others = "".join(f", and for {name}" for name in self._needed_by(i))
                only = (
                    "needed for several conditions, first"
                    if self._users.are_several_conditions(i)
                    else "only needed for"
                )
                aside = self._beside_tested(i, above)
                needed = f"{only} {purpose}: {self._tested(above)}{aside.text}{others}"
                name, own = self._wording.name(i), self._standing.definition(i)
                text = f"{name} = {own}; {needed}" if name else needed
                step = self.of(above).step
                return Reason("guard", step, self._label(i), "", text, self._where(aside, step))
        return None

    def _needed_by(self, i: int) -> list[str]:
        """The named values that are computed from a value which a condition needs directly, too."""
        names, direct, waiting = set[str](), False, [i]
        while waiting:
            for above in self._users[waiting.pop()]:
                if self._nodes[above].op.result is Sort.BOOLEAN:
                    direct = True
                elif self._label(above):
                    names.add(self._label(above))
                else:
                    waiting.append(above)
        return sorted(names) if direct else []

    def _of_case(self, i: int) -> Reason | None:
        """The reason of a value that is used in one case only, such as that of a series near its centre."""
        for below, above in self._upwards(i):
            op, args, _ = self._nodes[above]
            if op is Op.SELECT and below in args[1:] and not self._is_chosen(below, above):
                if not self._users.are_inside(i, below, above):
                    continue
                return self._case(i, below, above)
        return None

    def _case(self, i: int, branch: int, select: int) -> Reason:
        """The reason of a value that only a branch of a select needs."""
        _, args, _ = self._nodes[select]
        condition = self._wording.condition(args[0])
        match = self._whole(select) or self._part(select)
        instead = match.name if match else self._label(select)
        holds = f"where {condition}" if branch == args[1] else f"unless {condition}"
        stands = "it stands" if i == branch else "it is a part of what stands"
        equation = match.place.equation if match else ""
        step = self.of(args[0]).step
        aside = self._standing.beside(args[0])
        other = self._wording.value(args[2] if branch == args[1] else args[1])
        text = f"{holds}{aside.text}: {stands} {f'for {instead}' if instead else f'here, else {other}'}"
        return Reason("case", step, "", equation, text, self._where(aside, step, match))

    def _is_chosen(self, branch: int, select: int) -> bool:
        same: bool = np.array_equal(self._values[branch], self._values[select])
        return same

    def _of_series(self, i: int) -> Reason | None:
        """The reason of a value that only a series needs, which is close to what it stands for."""
        return self._case(i, *self._in_series[i]) if i in self._in_series else None

    @cached_property
    def _in_series(self) -> dict[int, tuple[int, int]]:
        """The values that only the branch of a select needs which is a series, with both."""
        found: dict[int, tuple[int, int]] = {}
        for select, (op, args, _) in enumerate(self._nodes):
            if op is not Op.SELECT or not self._is_threshold_of_series(args[0]):
                continue
            waiting = [args[1]]
            for below in waiting:
                is_own = self._nodes[below].op not in LEAVES and self._users.are_inside(
                    below, args[1], select
                )
                if is_own and below not in found:
                    found[below] = args[1], select
                    waiting += self._nodes[below].args
        return found

    def _is_threshold_of_series(self, condition: int) -> bool:
        return (
            self._has_series
            and not self.raising.of_conditions[condition]
            and self._compares_with_number(condition)
        )

    def _inside(self, i: int) -> Reason | None:
        """The reason of a value that only named ones need which no text has: it is a part of these."""
        every = list(self._names_above(i))
        named = [n for n in every if n is not None]
        if not named or len(named) < len(every) or any(map(self._whole, named)):
            return None
        first = named[0]
        above, label = self.of(first), self._label(first)
        called = f"{label}, which is {above.name}" if above.name else label
        if above.name.startswith(label):
            called = above.name
        labels = dict.fromkeys(filter(None, map(self._label, named[1:])))
        others = "".join(f", and of {name}" for name in list(labels)[: _MOST_USERS - 1])
        aside = self._standing.beside(first)
        text = f"{label} = {self._standing.definition(first)}{aside.text}" if label else above.identity
        where = self._where(aside, above.step)
        return Reason("part", above.step, f"a part of {called}{others}", above.equation, text, where)

    def _names_above(self, i: int) -> Iterator[int | None]:
        """The values that have a name, or are written but for a scale, which are computed from a value before
        any others; None stands for a result.
        """
        seen, waiting = {i}, [i]
        while waiting:
            below = waiting.pop(0)
            if below in self._program.results:
                yield None
            for above in self._users[below]:
                if above in self._users.for_results and above not in seen:
                    seen.add(above)
                    if self._label(above) or self._scaled_as(above):
                        yield above
                    else:
                        waiting.append(above)

    def _rewritten(self, i: int) -> Reason | None:
        """The reason of a value that an identity made, on the way to one that is written."""
        above = self._written_above(i)
        if above is None:
            return None
        user, match = above
        before, after = match.name, self._wording.value(user, top=True)
        aside = self._standing.beside_words(user)
        by = f"{before} = {after}{aside.text}: {self._identity(i, user, match)}"
        step, own = match.place.text.step, self._wording.value(i, top=True)
        return Reason("rewritten", step, own, match.place.equation, by, self._where(aside, step))

    def _turn(self, i: int) -> Reason | None:
        """The reason of whole turns that bring an angle into its range."""
        above = self._written_above(i) if _is_whole_turns(self._values[i]) else None
        if above is None or self._nodes[above[0]].op not in (Op.ADD, Op.SUB):
            return None
        place, own = above[1].place, self._wording.value(i, top=True)
        by = f"{above[1].name} is determined up to 2 pi: {_TURNS}"
        return Reason("rewritten", place.text.step, own, place.equation, by)

    def _identity(self, i: int, user: int, match: Match) -> str:
        """The identity by which what is computed from a value is what is written."""
        if self._is_arithmetic(user):
            return identity_of(self._kernel, match, user, self._program, self._precision)
        if self._nodes[i].op is Op.SELECT:
            return "the case is chosen in a factor or term, not in the result"
        return f"both are equal by the properties of {' and '.join(self._functions(user))}"

    def _functions(self, i: int) -> list[str]:
        """The operations other than sums, products and quotients of which a value is computed."""
        found, waiting, seen = dict[str, None](), [i], set[int]()
        while waiting:
            k = waiting.pop()
            if k in seen:
                continue
            seen.add(k)
            op, args, _ = self._nodes[k]
            if op not in ARITHMETIC and args:
                found.setdefault("the cases" if op is Op.SELECT else op.label)
            waiting += [a for a in args if not self._label(a) and not self._whole(a)]
        return list(found)

    def _is_arithmetic(self, i: int) -> bool:
        """Whether a value is a sum, product or quotient of such, down to values that have a name.

        So is one that a guard replaces where a flag is raised.
        """
        if i not in self._arithmetic:
            op, args, _ = self._nodes[i]
            chosen = self.raising.of_choice(i)
            below = [a for a in args if not self._label(a) and not self._whole(a) and self._nodes[a].args]
            plain = chosen or op in ARITHMETIC or not args
            self._arithmetic[i] = plain and all(map(self._is_arithmetic, [args[1]] if chosen else below))
        return self._arithmetic[i]

    def _computed(self, i: int) -> Reason | None:
        return Reason("computed", self._formula, self._wording.value(i, top=True))

    # The way up to the results

    def _upwards(self, i: int) -> Iterator[tuple[int, int]]:
        """Values and their users, nearest first, up to those that are written."""
        seen, waiting = {i}, [i]
        while waiting:
            below = waiting.pop(0)
            for above in self._users[below]:
                if i in self._users.for_results and self._nodes[above].op.result is Sort.BOOLEAN:
                    continue  # its reason is the result
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
        return self._titled(TESTS)

    @cached_property
    def _series(self) -> int:
        return self._titled(SERIES)

    @property
    def _has_series(self) -> bool:
        return SERIES in self._titles

    def _titled(self, title: str) -> int:
        return self._titles.index(title) if title in self._titles else self._formula


def _without(flags: Sequence[str]) -> str:
    """Where none of these flags is raised."""
    return f"neither {' nor '.join(flags)} is raised" if flags[1:] else f"{flags[0]} is not raised"


def _is_whole_turns(values: Rows) -> bool:
    """Whether values are whole turns, not all of them 0."""
    turns = values / (2 * np.pi)
    return bool(np.ptp(turns) > _VARIES and np.allclose(turns, np.round(turns), rtol=0, atol=1e-6))


def _distance(match: Match) -> tuple[object, ...]:
    """How far from what a person wrote about a value an equation is: less for an explicit one in a step."""
    return match.place.implicit, match.place.text.rank


def _at(match: Match, how: How) -> Reason:
    return Reason(how, match.place.text.step, match.name, match.place.equation)
