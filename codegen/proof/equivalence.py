"""Equivalence: whether several ways of computing a kernel are the same mathematics.

Along every path through their decisions, all ways run on the same random points of the constraint set,
modulo random primes of 127 bits. The seed of points and primes comes from what is compared, so that nothing
can be made to fit them. The chance that a difference goes unnoticed is computed from the degrees and
coefficients of the polynomials (Schwartz 1980, Zippel 1979); below 2^-100 the ways are proven equal. Where
values are rational they also agree in exact fractions, and in double within a running bound of the rounding.
A difference counts if a real point confirms it.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from codegen.ir.domain import drawn, floats
from codegen.ir.exploration import POINTS, Explorer, Found, TooManyPaths, Way
from codegen.ir.modular import CHANCE_OF_RATIO, CHOICE, SMALLEST, World, digest
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program, evaluate, value_numbers
from codegen.ir.status import Status
from codegen.ir.systems import Irrational, NumberSystem, fractions
from codegen.proof import confirmation
from codegen.proof.at_once import divides_safely, outputs_at, size_of
from codegen.proof.balls import Ball, balls
from codegen.proof.confirmation import certain_difference, differ_at_a_real_point, difference_at_a_tie
from codegen.proof.extents import Account, Extents, extents
from codegen.proof.extremes import with_extremes
from codegen.proof.ondemand import UNKNOWN, OnDemand

CERTAIN = -100
"""What is proven is wrong with a chance below 2^-100."""

MOST_PATHS = 512
"""Paths of one output; fewer where each takes long, of all outputs at once fewer still."""

_FEW_PATHS = 64
_LEAST_PATHS = 16
_WORK = 80_000
"""Nodes of all Programs, times paths, of each comparison."""

_WORK_OF_ONE = 2_400_000
"""The same where there is one output only, such as a look-up over four axes has."""

_LEAST_CHANCE = 2.0**-1000

SAMPLES = 100
"""Paths that are followed where they are too many."""

FLOATS = 8

_REPEATS = 4
"""Further comparisons where the bound of one is too weak for a proof, as that of long formulas is."""


@dataclass
class Verdict:
    """What the comparison found: where the ways agree, what was left out, and the first disagreement.

    `chance` is the logarithm to base 2 of the chance that a difference went unnoticed.
    """

    modular_points: int = 0
    seed: str = ""
    at_once: int = 0  # outputs that agree on all paths at once
    paths: int = 0
    ties: int = 0
    fraction_points: int = 0
    float_points: int = 0
    chance: float = 0.0
    sampled: bool = False  # there are more paths than were followed
    left_out: Counter[str] = field(default_factory=Counter)
    difference: str = ""
    output: int = -1  # that differs
    undriven: list[str] = field(default_factory=list)
    inside: int = 0  # points of the declared ranges, where ways agree that differ elsewhere

    def note(self, found: _Difference | None, outputs: Sequence[int], where: str = "") -> None:
        """Take note of a difference, if it is the first one."""
        if found is not None and not self.difference:
            self.output = outputs[found.output] if found.output >= 0 else -1
            self.difference = (
                found.words + (f" in output scalar {self.output}" if found.output >= 0 else "") + where
            )

    @property
    def proven(self) -> bool:
        """Whether all ways are equal, with the chance of error that a proof may have."""
        return self.agreed and not self.sampled and self.chance < CERTAIN

    @property
    def agreed(self) -> bool:
        """Whether all ways agree wherever they were compared, proven or not."""
        return not self.difference and not self.undriven

    def proves_with(self, more: int) -> bool:
        """Whether so many more comparisons like this one are a proof: their points are independent."""
        return self.agreed and not self.sampled and self.chance * (1 + more) < CERTAIN

    def add(self, other: Verdict) -> None:
        """Take note of another comparison, at points of its own."""
        if not self.difference:
            self.difference, self.output = other.difference, other.output
        self.modular_points += other.modular_points
        self.chance += other.chance
        self.sampled |= other.sampled
        self.left_out += other.left_out
        self.undriven += other.undriven

    @property
    def points(self) -> int:
        """The number of points at which the ways were compared, in whatever numbers."""
        return self.modular_points + self.fraction_points + self.float_points

    @property
    def shortcoming(self) -> str:
        """Why it is not proven; empty if it is."""
        if self.proven or self.difference:
            return self.difference
        why = "; ".join(dict.fromkeys(self.undriven)) or "more paths than can be followed" * self.sampled
        why = why or f"the chance of error is only known to be below 2^{self.chance:.0f}"
        return f"{self.tested}: {why}"

    @property
    def tested(self) -> str:
        """At how many points the ways agree; inside the declared ranges, if only there."""
        if self.inside:
            return f"tested at {self.inside} points inside the declared ranges, not proven"
        return f"tested at {self.modular_points} points"

    def __str__(self) -> str:
        parts = [
            f"{self.modular_points} points, each modulo a prime of its own",
            f"{self.at_once} results on all paths at once" if self.at_once else "",
            f"{self.paths} paths" if self.paths else "",
            f"{self.ties} paths of equal sides" if self.ties else "",
            f"{self.fraction_points} points in fractions" if self.fraction_points else "",
            f"{self.float_points} points in double",
            f"{self.inside} points inside the declared ranges" if self.inside else "",
            f"chance of error below 2^{self.chance:.0f}",
            f"seed {self.seed}",
            *(f"left out: {n} times {why}" for why, n in sorted(self.left_out.items())),
        ]
        return "; ".join(p for p in parts if p)


class Driven:
    """A Program as a way.

    Its outputs are the results, then for each of the flags whether it is not raised, as one or zero. Only
    what they depend on is computed, so that a path has no more decisions than count on it.
    """

    def __init__(self, program: Program, flags: Sequence[Status] = ()) -> None:
        self.program = with_extremes(program)
        self.flags = flags
        self.reached: set[tuple[int, int]] = set()
        self.truths: set[tuple[int, bool]] = set()  # conditions, and how they have come out
        self.decided: set[tuple[int, int, bool]] = set()  # && or ||, the operand that decided it, and how
        self._decisive = _decisive(self.program)

    @property
    def size(self) -> int:
        """The number of outputs."""
        return len(self.program.results) + len(self.flags)

    def reach(self, outputs: Iterable[int]) -> None:
        """Take note that these outputs have been compared however the decisions come out."""
        met = [[n for n, raised in self.program.status if raised == flag] for flag in self.flags]
        roots = [*([result] for result in self.program.results), *met]
        nodes = self.program.nodes
        stack = [root for i in outputs for root in roots[i]]
        seen: set[int] = set()
        while stack:
            i = stack.pop()
            if i not in seen:
                seen.add(i)
                stack += nodes[i].args
                self.reached |= {(i, side) for side in nodes[i].args[1:] if nodes[i].op is Op.SELECT}
        self.truths |= {(i, truth) for i in seen & self._decisive for truth in (True, False)}
        for i in seen:
            if nodes[i].op in (Op.AND, Op.OR):
                self.decided |= {(i, a, truth) for a in nodes[i].args for truth in (True, False)}

    @property
    def unmet(self) -> list[tuple[int, bool]]:
        """The conditions, and how they came out at no point, of those that came out at some."""
        met = [(i, holds) for i, holds in sorted(self.truths) if (i, not holds) not in self.truths]
        return [(i, not holds) for i, holds in met]

    @property
    def unreached(self) -> set[tuple[int, int]]:
        """The selects and their sides that no point has taken."""
        nodes = enumerate(self.program.nodes)
        return {
            (i, side) for i, node in nodes if node.op is Op.SELECT for side in node.args[1:]
        } - self.reached

    @property
    def undecided(self) -> list[tuple[int, list[tuple[int, bool]]]]:
        """Each && or || that was evaluated, with truths of operands that decided it at no point."""
        found = list[tuple[int, list[tuple[int, bool]]]]()
        for i in sorted({i for i, _, _ in self.decided}):
            op, (first, second), _ = self.program.nodes[i]
            goes_on = op is Op.AND
            if (i, first, not goes_on) not in self.decided:
                found.append((i, [(first, not goes_on)]))
            for truth in (True, False):
                if (i, second, truth) not in self.decided:
                    found.append((i, [(first, goes_on), (second, truth)]))
        return found

    @property
    def has_unmet(self) -> bool:
        """Whether a condition, a side of a choice or an operand was met at no point."""
        return bool(self.unmet or self.unreached or self.undecided)

    @property
    def has_points_apart(self) -> bool:
        """Whether several equalities at once have not been met, as x == 3 && y == 4 is at single points."""
        several = [i for i, holds in self.unmet if holds and self.program.nodes[i].op is Op.AND]
        numbers = value_numbers(self.program, {}) if several else []
        return any(self._equalities(node, numbers) > 1 for node in several)

    def _equalities(self, node: int, numbers: Sequence[int]) -> int:
        """In how many pairs `a <= b` and `b <= a` both have to hold for a condition."""
        nodes, found, open_ = self.program.nodes, set[tuple[int, ...]](), [node]
        while open_:
            op, args, _ = nodes[open_.pop()]
            if op is Op.AND:
                open_ += args
            elif op is Op.LE:
                found.add(tuple(numbers[a] for a in args))
        return sum(args[::-1] in found for args in found) // 2

    def __call__(self, system: NumberSystem, inputs: Sequence[Any]) -> list[Any]:
        """The outputs for these inputs; extents are those of both sides of every choice."""
        if isinstance(system, Extents):
            return evaluate(self.program, system, inputs).results
        return self.some(range(self.size), system, inputs)

    def some(self, outputs: Iterable[int], system: NumberSystem, inputs: Sequence[Any]) -> list[Any]:
        """Some of the outputs, by their numbers."""
        run = OnDemand(self.program, system, inputs)
        found = [self._output(run, i) for i in outputs]
        self.reached |= run.reached
        nodes = self.program.nodes
        self.decided |= {(i, a, bool(run.values[i])) for i, a in run.reached if nodes[i].op is not Op.SELECT}
        self.truths |= {(i, bool(v)) for i in self._decisive if (v := run.values[i]) is not UNKNOWN}
        return found

    def _output(self, run: OnDemand, i: int) -> Any:
        results = self.program.results
        if i < len(results):
            return run.value(results[i])
        flag = self.flags[i - len(results)]
        held = all(run.value(met) for met, raised in self.program.status if raised == flag)
        return run.system.constant(Fraction(held))


def _decisive(program: Program) -> frozenset[int]:
    """The conditions on which anything is decided: those of choices and of flags, and their operands."""
    found = {node for node, _ in program.status}
    for op, args, _ in program.nodes:
        if op in (Op.AND, Op.OR):
            found.update(args)
        elif op is Op.SELECT:
            found.add(args[0])
    return frozenset(found)


# The comparison


def compare(inputs: Sequence[Arg], ways: Mapping[str, Way], subject: str = "") -> Verdict:
    """Compare all ways at points of the inputs' constraint set; the points depend on the subject, too."""
    seed, account = _seed(inputs, ways, subject), Account()
    verdict = _explored(inputs, ways, seed, account)
    for i in range(_REPEATS):
        if verdict.proven or not verdict.proves_with(_REPEATS - i):
            break
        verdict.add(_explored(inputs, ways, f"{seed} and {i}", account))
    if not verdict.difference:
        _compare_fractions(inputs, ways, verdict)
    if not verdict.difference:
        _compare_floats(inputs, ways, verdict)
    if verdict.undriven and not verdict.difference:
        found = difference_at_a_tie(inputs, ways, verdict.seed)
        if found is not None:
            words = f"{found.first} and {found.other} differ"
            verdict.note(_Difference(words, found.output), range(found.output + 1))
    return verdict


def _explored(inputs: Sequence[Arg], ways: Mapping[str, Way], seed: str, account: Account) -> Verdict:
    """The comparison modulo primes, at points of this seed."""
    verdict = Verdict(seed=seed)
    comparison = _Comparison(inputs, ways, verdict, account)
    comparison.run()
    is_real = verdict.output < 0 or comparison.is_certain
    if not is_real and not differ_at_a_real_point(inputs, ways, seed):
        verdict.difference, verdict.undriven = "", [*verdict.undriven, _NOT_REAL]
    return verdict


_NOT_REAL = f"they differ modulo primes, but are equal at {confirmation.POINTS} real points"
_EQUAL_SIDES = "a comparison of numbers that are equal everywhere, and a branch that no point reaches"


class _Comparison:
    """All outputs at once; those that differ so, along all paths or, where these are too many, one by one."""

    def __init__(
        self, inputs: Sequence[Arg], ways: Mapping[str, Way], verdict: Verdict, account: Account
    ) -> None:
        self.inputs, self.ways, self.verdict, self.account = inputs, ways, verdict, account
        self.at_once: list[list[bool]] = []  # at each point, which outputs are equal on all paths at once
        self.outputs: Sequence[int] = ()
        self.misses = 0.0
        self.is_certain = False  # that they differ
        self.has_equal_sides = False  # on a path on which no point makes them differ
        self.driven = [way for way in ways.values() if isinstance(way, Driven)]
        self.few = min(self._affordable(_WORK), _FEW_PATHS)

    def _affordable(self, work: int) -> int:
        """The paths that may be followed for so much work."""
        nodes = 1 + sum(len(way.program.nodes) for way in self.driven)
        return min(max(work // nodes, _LEAST_PATHS), MOST_PATHS)

    def run(self) -> None:
        """Fill in the verdict."""
        if len(self.driven) == len(self.ways) and len({way.size for way in self.driven}) == 1:
            outputs = range(self.driven[0].size)
            count = next((n for n in range(1, POINTS + 1) if len(self._equal_at_once(n)) < len(outputs)), 0)
            self.is_certain = count > 0 and self._differ_for_certain()
            if not self.is_certain:
                equal = self._equal_at_once(POINTS)
                proven = set(equal if self._divide_safely(equal) else ())
                rest = [i for i in outputs if i not in proven]
                if rest:
                    self._on_paths({name: _Part(way, rest) for name, way in self.ways.items()})
        else:
            self._on_paths(self.ways)
        if self.has_equal_sides and any(way.unreached for way in self.driven):
            # which round-off may reach
            self.verdict.undriven = [*self.verdict.undriven, _EQUAL_SIDES]
        self.verdict.chance = math.log2(max(self.misses, _LEAST_CHANCE))

    def _equal_at_once(self, count: int) -> Sequence[int]:
        """The outputs that are equal on all paths at once, at so many points.

        None are known to be where a divisor is zero at one of these.
        """
        try:
            for i in range(len(self.at_once), count):
                world = World(f"{self.verdict.seed} at once {i}", opaque=True)
                values = [outputs_at(world, self.inputs, w.program, w.flags) for w in self.driven]
                self.at_once.append([_all_equal(each) for each in zip(*values, strict=True)])
        except ZeroDivisionError:
            return []
        return [i for i, equal in enumerate(zip(*self.at_once[:count], strict=True)) if all(equal)]

    def _divide_safely(self, equal: Sequence[int]) -> bool:
        """Whether no divisor is zero everywhere on a path; the outputs that are equal are then proven."""
        ways, verdict = self.driven, self.verdict
        if not equal or not all(divides_safely(verdict.seed, self.inputs, way.program) for way in ways):
            return False
        account = Account()
        for way in ways:
            size_of(account, self.inputs, way.program, way.flags)
            way.reach(equal)
        told_apart = 2 * ways[0].size * (len(ways) - 1) + account.functions**2
        self.misses += min(1.0, told_apart * _coincidence(account)) ** POINTS
        verdict.at_once = len(equal)
        verdict.modular_points += POINTS
        return True

    def _differ_for_certain(self) -> bool:
        """Whether the ways differ at a real point, so that no path needs to be followed."""
        found = certain_difference(self.inputs, self.ways, self.verdict.seed)
        if found is not None:
            words = f"{found.first} and {found.other} differ"
            self.verdict.note(_Difference(words, found.output), range(self.driven[0].size))
        return found is not None

    def _on_paths(self, ways: Mapping[str, Way]) -> None:
        """Compare these ways along all paths; roots, absolute values and extremes may be left arbitrary."""
        followed = self._all(ways, self.few)
        missing, self.verdict.undriven = self.verdict.undriven, []
        if (missing or not followed) and not self._all(ways, self.few, opaque=True):
            self.verdict.undriven = missing
            if not followed:
                self._one_by_one()

    def _one_by_one(self) -> None:
        """Follow all paths of each output or, where one has too many, some of all."""
        most = self._affordable(_WORK if len(self.outputs) > 1 else _WORK_OF_ONE)
        parts = ({name: _Part(way, [i]) for name, way in self.ways.items()} for i in self.outputs)
        if not all(self._all(p, self.few, opaque=True) or self._all(p, most) for p in parts):
            self._sample()

    def _all(self, ways: Mapping[str, Way], most: int, opaque: bool = False) -> bool:
        """Compare the ways on all paths; False if these are too many.

        Ways that agree even if roots, absolute values and extremes are arbitrary functions have fewer paths,
        and more points; where they do not agree, or divide by different numbers, nothing is decided: an
        arbitrary root differs from what the root could cancel with.
        """
        verdict, before = self.verdict, (replace(self.verdict), self.misses)
        explorer = self._explorer(ways, opaque)
        try:
            for found in _all_paths(explorer, verdict, most):
                self._take(found, ways)
                if opaque and any(divisors != found.divisors[0] for divisors in found.divisors):
                    self._reset(*before)
                    return False
                if verdict.difference:
                    break
        except TooManyPaths:
            self._reset(*before)
            return False
        if opaque and (verdict.difference or verdict.undriven):
            self._reset(*before)
            return False
        return True

    def _explorer(self, ways: Mapping[str, Way], opaque: bool = False) -> Explorer:
        return Explorer(self.inputs, ways, self.verdict.seed, _differ, self.verdict.left_out, opaque)

    def _reset(self, verdict: Verdict, misses: float) -> None:
        """Forget what an exploration found that decides nothing."""
        self.verdict.difference, self.verdict.undriven, self.misses = (
            verdict.difference,
            verdict.undriven,
            misses,
        )

    def _take(self, found: Found, ways: Mapping[str, Way]) -> None:
        """Take note of a path."""
        verdict = self.verdict
        verdict.paths += 1
        verdict.modular_points += len(found.points)
        first = next(iter(ways.values()))
        self.outputs = first.outputs if isinstance(first, _Part) else range(_longest(found.points[0]))
        for values in found.points:
            verdict.note(_difference(values), self.outputs)
        if all(w.equals for w in found.worlds) and not found.is_tie:
            self.has_equal_sides = True
        for name, way in self.ways.items():
            self._measure(name, way, found.answers.get(name, ()))
        self.misses += _miss(self.account, found, len(self.outputs) * len(ways))

    def _measure(self, name: str, way: Way, answers: Sequence[bool]) -> None:
        """Take note of the extents of a way, whose comparisons have these answers."""
        key = name, () if isinstance(way, Driven) else tuple(answers)
        if key not in self.account.measured:
            self.account.measured.add(key)
            self.account.answers = list(key[1])
            self.account.note_all(way(extents(self.account), drawn(self.inputs, self.account.unknown)))

    def _sample(self) -> None:
        """Follow some of the paths, which proves nothing."""
        self.verdict.sampled = True
        for found in self._explorer(self.ways).samples(SAMPLES):
            self._take(found, self.ways)
            if self.verdict.difference:
                break


class _Part:
    """Some outputs of a way."""

    def __init__(self, way: Way, outputs: Sequence[int]) -> None:
        self.way, self.outputs = way, outputs

    def __call__(self, system: NumberSystem, inputs: Sequence[Any]) -> list[Any]:
        if isinstance(self.way, Driven):
            return self.way.some(self.outputs, system, inputs)
        values = self.way(system, inputs)
        return [values[i] for i in self.outputs]


def _longest(values: Mapping[str, list[Any]]) -> int:
    return max(map(len, values.values()))


def _all_equal(values: Iterable[Any]) -> bool:
    first, *others = values
    return all(_agree(first, other) for other in others)


def _seed(inputs: Sequence[Arg], ways: Mapping[str, Way], subject: str) -> str:
    """A digest of what is compared."""
    parts = [subject, *(f"{a.name} {a.type}" for a in inputs)]
    for name, way in ways.items():
        program = getattr(way, "program", None)
        nodes = () if program is None else (f"{op.label}{args}{value}" for op, args, value in program.nodes)
        parts += [name, *nodes, str(() if program is None else program.roots)]
    return f"{digest(*parts) % 2**64:016x}"


def _all_paths(explorer: Explorer, verdict: Verdict, most: int) -> Iterator[Found]:
    """Every path, and those on which both sides of a comparison are equal."""
    for found in explorer.paths(most):
        if found is None:
            verdict.undriven = [*verdict.undriven, "a path that no point was found to take"]
            continue
        if found.is_mixed:
            verdict.undriven = [*verdict.undriven, "a path that depends on the sign of a root"]
        if found.is_undefined:
            verdict.undriven = [*verdict.undriven, "a divisor that is zero on a part of the input domain"]
        if not found.points:
            continue  # all of its points are on other paths
        yield found
        for tie in explorer.ties(found):
            if tie is None:
                verdict.undriven = [
                    *verdict.undriven,
                    "< and <= at equal sides, for which no point was found",
                ]
            else:
                verdict.ties += 1
                yield tie


def _miss(account: Account, found: Found, outputs: int) -> float:
    """The chance that a difference on this path went unnoticed at all of its points.

    Two of the values that have to be told apart agree by chance at a zero of a polynomial, or where a prime
    divides its coefficients; two numbers have one sign by chance. The norm over the roots multiplies the size
    of a polynomial by 2 for each.
    """
    functions = account.functions + any(w.opaque for w in found.worlds) * account.roots
    told_apart = outputs + account.comparisons**2 + functions**2
    conjugates = 2.0 ** (max(len(w.roots) for w in found.worlds) + 1)
    chance = conjugates * told_apart * (_coincidence(account) + CHANCE_OF_RATIO)
    by_chance = math.prod(min(1.0, tries * chance) for tries in found.tries)
    hidden = (1 - 0.5**found.doubts) ** len(found.points) if found.doubts else 0.0
    return by_chance + hidden


def _coincidence(account: Account) -> float:
    """The chance that the largest polynomial is zero at a random point modulo a random prime."""
    zeros = min(max(account.largest.degree, 1), SMALLEST) / SMALLEST
    return zeros + min(account.largest.bits / 126 / 2.0**CHOICE, 1.0)


def _compare_fractions(inputs: Sequence[Arg], ways: Mapping[str, Way], verdict: Verdict) -> None:
    source = random.Random(f"fractions {verdict.seed}")
    for _ in range(POINTS):
        point = [Fraction(s) for s in drawn(inputs, floats(source))]
        values = {}
        for name, way in ways.items():
            try:
                values[name] = way(_short_fractions(), point)
            except _TooLong:  # another way, which computes with plain fractions, would not end
                verdict.left_out[f"{name} in fractions (numbers of more than {_LONGEST} bits)"] += 1
                break
            except (
                ArithmeticError,
                AttributeError,
            ) as error:  # a Fraction has no sqrt for NumPy code to call
                verdict.left_out[f"{name} in fractions ({_why(error)})"] += 1
        if len(values) > 1:
            verdict.fraction_points += 1
            verdict.note(_difference(values), range(_longest(values)))


_LONGEST = 100_000
"""Limit on the bits of a fraction: each turn of a loop may double them."""


class _TooLong(ArithmeticError):
    """A fraction has more bits than the limit."""


@cache
def _short_fractions() -> NumberSystem:
    """Exact rationals; `_TooLong` beyond the limit."""
    exact = fractions()

    def short(operation: Callable[..., Any]) -> Callable[..., Any]:
        def computed(*operands: Any) -> Any:
            found = operation(*operands)
            if isinstance(found, Fraction) and found.denominator.bit_length() > _LONGEST:
                raise _TooLong
            return found

        return computed

    return replace(exact, table={op: short(operation) for op, operation in exact.table.items()})


def _why(error: Exception) -> str:
    return "irrational" if isinstance(error, (Irrational, AttributeError)) else type(error).__name__


def _compare_floats(inputs: Sequence[Arg], ways: Mapping[str, Way], verdict: Verdict) -> None:
    """Compare in double, where every value carries a bound of its rounding error."""
    source = random.Random(f"floats {verdict.seed}")
    for _ in range(FLOATS):
        point = [balls().constant(Fraction(s)) for s in drawn(inputs, floats(source))]
        try:
            values = {name: way(balls(), point) for name, way in ways.items()}
        except (ArithmeticError, ValueError) as error:
            verdict.left_out[f"in double: {error}"] += 1
            continue
        verdict.float_points += 1
        verdict.note(_difference(values), range(_longest(values)), " in double")


class _Difference(NamedTuple):
    """Two ways that disagree, and in which output; -1 if in how many there are."""

    words: str
    output: int


def _difference(values: Mapping[str, list[Any]]) -> _Difference | None:
    """The first pair of ways that disagree."""
    (first, expected), *others = values.items()
    for name, found in others:
        if len(found) != len(expected):
            return _Difference(f"{first} gives {len(expected)} scalars, {name} {len(found)}", -1)
        for i, (a, b) in enumerate(zip(expected, found, strict=True)):
            if not _agree(a, b):
                return _Difference(f"{first} and {name} differ", i)
    return None


def _differ(values: Mapping[str, list[Any]]) -> bool:
    return _difference(values) is not None


def _agree(a: Any, b: Any) -> bool:
    if isinstance(a, Ball) and isinstance(b, Ball):
        return abs(a.value - b.value) <= (a.error + b.error) * 1.01
    return bool(a == b)
