"""Exploration: several ways of computing the same, run along every path through their decisions.

A path says of each number whose sign is asked for, in the order in which that happens, whether it is
positive. The ways share it: what one has asked, the next finds answered. On each path all ways run at
random points, each modulo a prime of its own, until the chance that a difference there went unnoticed is
small enough.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

from codegen.ir.domain import drawn
from codegen.ir.modular import Infeasible, NoRoot, Residue, Unsuited, World, modular
from codegen.ir.program import Arg
from codegen.ir.systems import NumberSystem
from codegen.ir.types import Draw

Way: TypeAlias = Callable[[NumberSystem, Sequence[Any]], list[Any]]
"""(number system, flattened inputs) -> flattened outputs."""

Script: TypeAlias = tuple[int, ...]

POINTS = 3
"""On each path, at least."""

_PATIENCE = 600
"""Points tried without getting any further, before a path counts as one that no point takes."""

_STEADY = 0.8
"""How often a step back is taken back; else roots that exist only together would never be found."""

_RESTART = 64
"""Points after which another prime is tried."""

_DIVISION = "a division by zero"

_MOST_TIES = 64
"""Paths that begin with the same equal sides."""

_DOUBTFUL = 110
"""Bits: where roots may hide a sign, so small must the chance be that no point had it right."""

_MOST_DOUBTS = 4
"""More roots that may hide a sign take too many points."""


@dataclass
class Found:
    """What the exploration of one path found: its decisions, the values at its points, what was tried."""

    trail: Script
    points: list[Mapping[str, list[Any]]]
    worlds: list[World]
    tries: list[int]
    doubts: int  # roots that may hide a sign
    answers: Mapping[str, Sequence[bool]]  # what the comparisons of each way were answered
    forced: Collection[int] = ()  # decisions that take for zero what cannot be negative
    divisors: Sequence[set[int]] = ()  # of each way, at the last point
    is_undefined: bool = False  # where roots have certain signs, a divisor is zero
    others: set[Script] = field(default_factory=set)  # scripts of paths that another sign of a root leads to
    is_mixed: bool = False  # too many of its points are on others
    is_tie: bool = False  # both sides of a comparison are equal, or taken for equal


class _Lead(NamedTuple):
    """A script to follow: exactly, or with zero wherever a number cannot be negative."""

    script: Script
    exactly: bool = False

    def leads_to(self, trail: Script) -> bool:
        """Whether a trail has all decisions of the script."""
        pairs = zip(trail, self.script, strict=False)
        return len(trail) >= len(self.script) and all(
            t == s or (t == 0 and not self.exactly) for t, s in pairs
        )


@dataclass
class Explorer:
    """Random points of the inputs' constraint set, and all ways at them."""

    inputs: Sequence[Arg]
    ways: Mapping[str, Way]
    seed: str
    differ: Callable[[Mapping[str, list[Any]]], bool] = lambda values: False
    left_out: Counter[str] = field(default_factory=Counter)
    opaque: bool = False
    drawn: int = 0
    sides: dict[Script, set[bool]] = field(default_factory=dict)  # on which sides zero was counted

    def paths(self, most: int) -> Iterator[Found | None]:
        """Every path once, None for one that no point takes."""
        for found in self._below((), None, most):
            if found is not None and found.forced and any(map(self.differ, found.points)):
                yield from self._at_zero(found)
            else:
                yield found

    def _at_zero(self, found: Found) -> Iterator[Found | None]:
        """The paths on which a number that was taken for zero is zero; the path itself if none is found."""
        place = max(found.forced)
        made = list(self._below(found.trail[:place], place, _MOST_TIES))
        yield from made if made and None not in made else [found]

    def samples(self, count: int) -> Iterator[Found]:
        """One point each of so many paths, drawn at random."""
        source = random.Random(f"paths {self.seed}")
        for _ in range(count):
            self.drawn += 1
            script = tuple(source.choice((1, -1)) for _ in range(200))
            point = self._possible(script)
            if point is not None:
                yield Found(
                    tuple(point.world.trail),
                    [point.values],
                    [point.world],
                    [point.tries],
                    0,
                    point.answers,
                )

    def _possible(self, script: Script) -> _Point | None:
        """A point of the path of a script whose impossible decisions are taken the other way."""
        while True:
            point = _Point(self, f"{self.seed} {self.drawn}", script, set())
            try:
                return point if point.find() else None
            except _Impossible as impossible:
                place = len(impossible.trail) - 1
                script = (*impossible.trail[:place], -script[place], *script[place + 1 :])

    def any_point(self) -> Mapping[str, list[Any]] | None:
        """The values of all ways at a random point, its decisions arbitrary; None where none was found."""
        self.drawn += 1
        point = _Point(self, f"{self.seed} {self.drawn}", None, set())
        return point.values if point.find() else None

    def ties(self, found: Found) -> Iterator[Found | None]:
        """The paths on which both sides of a comparison are equal, where the ways count that differently.

        At first they are only taken for equal; where the ways differ then, they are made equal.
        """
        world = found.worlds[0]
        for place, value in enumerate(world.asked):
            prefix, key = tuple(world.trail[:place]), min(value, world.prime - value)
            sides = self.sides.setdefault(prefix, set())
            if len(sides) < 2 and len(sides | {s == (key == value) for s in world.ties.get(key, ())}) == 2:
                taken = list(self._below((*prefix, 0), None, _MOST_TIES))
                agreed = all(f and not any(map(self.differ, f.points)) for f in taken)
                yield from taken if agreed else self._below(prefix, place, _MOST_TIES)
            sides |= {s == (key == value) for s in world.ties.get(key, ())}

    def _below(self, prefix: Script, tie: int | None, most: int) -> Iterator[Found | None]:
        """Every path that begins with these decisions, at most so many.

        Where another sign of a root leads to another path, that path is followed, too.
        """
        waiting, done = [_Lead(prefix)], set[Script]()
        while waiting:
            lead = waiting.pop()
            if any(lead.leads_to(trail) for trail in done):
                continue
            if most == 0:
                raise TooManyPaths
            try:
                found = self._follow(lead, tie)
            except _Impossible as impossible:
                done |= {lead.script, impossible.trail}
                waiting += _alternatives(impossible.trail, len(prefix))
                continue
            trail = found.trail if found else lead.script
            done.add(trail)
            waiting += [_Lead(other, exactly=True) for other in sorted(found.others if found else ())]
            waiting += _alternatives(trail, len(prefix))
            most -= 1
            yield found

    def _follow(self, lead: _Lead, tie: int | None) -> Found | None:
        """The path that begins with the script and goes on with positive numbers."""
        script = lead.script
        found = Found((), [], [], [], 0, {}, is_tie=tie is not None or 0 in script)
        failed: set[int] = set()
        needed, drawn, refused, strayed, divided = POINTS, [], 0, 0, self.left_out[_DIVISION]
        while len(found.points) < needed:
            self.drawn += 1
            point = _Point(self, f"{self.seed} {self.drawn}", script, failed)
            try:
                if not (point.find() if tie is None else point.find_tie(tie)):
                    return None
            except _Impossible:
                refused += 1
                if refused == POINTS:  # one could be a coincidence
                    raise
                continue
            trail = tuple(point.world.trail)
            found.others |= set(map(_turned, point.unsuited))
            if tie is None and (trail != found.trail if found.points else not lead.leads_to(trail)):
                found.others.add(trail)
                strayed += 1
                found.is_mixed = strayed == _PATIENCE
                if found.is_mixed:
                    break
                continue
            found.trail = trail
            found.points.append(point.values)
            found.worlds.append(point.world)
            found.tries.append(point.tries)
            drawn.append(point)
            found.answers, found.divisors = point.answers, point.divisors
            found.forced = point.world.forced
            found.is_tie = found.is_tie or bool(found.forced)
            if self.differ(point.values):
                break  # more points would only make it more certain that there is no difference
            if len(found.points) >= POINTS:
                doubtful = set(range(len(point.world.roots))) - failed
                agreed = all(self._agree_anyway(p, doubtful, found) for p in drawn[:POINTS])
                found.doubts = 0 if agreed else len(doubtful)
                needed = _needed(found.doubts)
        found.is_undefined = tie is None and self.left_out[_DIVISION] > divided
        return found

    def _agree_anyway(self, point: _Point, doubtful: set[int], found: Found) -> bool:
        """Whether the ways agree at a point whichever signs these roots have; other paths are noted."""
        if len(doubtful) > _MOST_DOUBTS:
            return False
        for flipped in _subsets(doubtful):
            has_values = point.run(flipped)
            if has_values and tuple(point.world.trail) != found.trail:
                found.others.add(tuple(point.world.trail))
            elif not has_values or self.differ(point.values):
                return False
        return True


def inputs_in(world: World, inputs: Sequence[Arg], draw: Draw) -> list[Any]:
    """The scalars of values of all inputs in a world."""
    scalars = drawn(inputs, draw)
    world.bounded.clear()  # what is so for the samples of a type is not so for all of its values
    return scalars


class TooManyPaths(Exception):
    """There are more paths than may be followed."""


class _Impossible(Exception):
    """A path whose last decision takes a square root, or what is positive everywhere, for negative."""

    def __init__(self, trail: Sequence[int]) -> None:
        super().__init__()
        self.trail = tuple(trail)


def _subsets(roots: Collection[int]) -> Iterator[tuple[int, ...]]:
    """The roots whose signs may be the others; at least one."""
    return (flipped for n in range(1, len(roots) + 1) for flipped in combinations(roots, n))


def _needed(doubts: int) -> int:
    """Points, so that at one of them every hidden sign is right."""
    if not doubts:
        return POINTS
    return math.ceil(-_DOUBTFUL / math.log2(1 - 0.5 ** min(doubts, _MOST_DOUBTS)))


def _alternatives(trail: Script, kept: int) -> list[_Lead]:
    """The scripts in which one decision after those kept goes the other way, the last one first to pop."""
    return [_Lead((*trail[:place], -1)) for place in range(kept, len(trail)) if trail[place] > 0]


def _turned(trail: Script) -> Script:
    """The script whose last decision goes the other way."""
    return (*trail[:-1], -trail[-1])


class _Point:
    """A point in the making: where a root does not exist, one of its parameters is drawn again."""

    def __init__(self, explorer: Explorer, seed: str, script: Script | None, failed: set[int]) -> None:
        self.explorer, self.seed, self.script, self.failed = explorer, seed, script, failed
        self.world = World(seed, script)
        self.values: Mapping[str, list[Any]] = {}
        self.answers: dict[str, list[bool]] = {}
        self.divisors: list[set[int]] = []
        self.given: dict[int, int] = {}  # parameters that were drawn again
        self.zeros: set[int] = set()  # places of the trail where a root is zero
        self.unsuited: set[Script] = set()  # trails that ended at a root of the other sign
        self.tries = self.parameters = 0
        self.source = random.Random(seed)

    def find(self) -> bool:
        """Draw until all ways have values; False where none seems to be found."""
        furthest, best, since, stalled, undo = -1, -1, 0, 0, self.given
        while since < _PATIENCE:
            if self.run():
                return True
            self._refuse()
            self._refuse_negative_root()
            since = since + 1 if self.world.progress <= furthest else 0
            furthest = max(furthest, self.world.progress)
            stalled = stalled + 1 if self.world.progress <= best else 0
            if stalled == _RESTART:  # with another prime
                self.seed += "+"
                best, stalled, self.given = -1, 0, {}
            elif self.world.progress < best and self.source.random() < _STEADY:
                self.given = undo
            else:
                best = self.world.progress
            undo = self.given
            if self.parameters:
                again = self.source.randrange(self.parameters)
                self.given = {**self.given, again: self.source.randrange(self.world.prime)}
        return False

    def _refuse(self) -> None:
        """Leave a path that takes for negative what is positive, whichever signs the roots have."""
        trail, world = self.infeasible, self.world
        if trail is None:
            return
        if len(world.roots) <= _MOST_DOUBTS:
            for flipped in _subsets(range(len(world.roots))):
                self.run(flipped)
                if self.infeasible != trail:
                    self.world = world
                    return
            raise _Impossible(trail)

    def _refuse_negative_root(self) -> None:
        """Leave the path if it takes a root for negative, not just a number that happens to be one.

        Only then is the number the opposite where the root is taken with the other sign.
        """
        world = self.world
        if world.unsuited >= 0:
            self.run({world.unsuited})
            place, other = len(world.trail) - 1, self.world
            self.world = world
            if len(other.asked) > place and (other.asked[place] + world.asked[place]) % world.prime == 0:
                self.zeros.add(place)

    def run(self, flipped: Collection[int] = ()) -> bool:
        """Whether all ways have values at the point, these roots with the other sign."""
        self.tries += 1
        self.infeasible: Script | None = None
        self.world = world = World(self.seed, self.script, flipped, self.explorer.opaque, self.zeros)
        system, inputs = modular(world), self._inputs(world)
        try:
            values, answered, self.divisors = {}, 0, []
            for name, way in self.explorer.ways.items():
                values[name] = way(system, inputs)
                self.answers[name] = world.answers[answered:]
                answered = len(world.answers)
                self.divisors.append(world.divisors)
                world.divisors = set()
        except NoRoot:
            if not flipped:
                self.failed.add(len(world.roots))
            return self._leave_out("a root that the field does not have")
        except Unsuited:
            self.unsuited.add(tuple(world.trail))
            return self._leave_out("a root of the other sign")
        except Infeasible:
            self.infeasible = tuple(world.trail)
            return False
        except ZeroDivisionError:
            return self._leave_out(_DIVISION)
        self.values = values
        return True

    def _leave_out(self, why: str) -> bool:
        self.explorer.left_out[why] += 1
        return False

    def _inputs(self, world: World) -> list[Any]:
        self.parameters = 0

        def draw() -> Residue:
            i = self.parameters
            self.parameters += 1
            return world.unknown(self.given[i] if i in self.given else world.draw("input", i))

        return inputs_in(world, self.explorer.inputs, draw)

    # Ties

    def find_tie(self, place: int) -> bool:
        """Move one parameter to where the number asked for at this place of the trail is zero."""
        for _ in range(4):
            self.given = {}
            self.seed += "'"
            if not self.find():
                return False
            start = self.given
            order = self.source.sample(range(self.parameters), self.parameters)
            for parameter in order[:24]:
                for value in self._zeros(place, parameter, start):
                    self.given = {**start, parameter: value}
                    if self.run() and place in self.world.zeros:
                        return True
        return False

    def _zeros(self, place: int, parameter: int, start: dict[int, int]) -> Iterator[int]:
        """Where the number is zero, if it is (a + b t)/(1 + c t) or a + b t + c t^2 of the parameter t."""
        samples = []
        base = self.source.randrange(2**64)
        for t in (1, 2, 3):
            self.given = {**start, parameter: base + t}
            self.run()
            if len(self.world.asked) <= place:
                return
            samples.append(self.world.asked[place])
        p = self.world.prime
        u, v, w = samples
        # d (1 + c t) = a + b t at three points: second differences of d and of t d cancel
        first, second = u - 2 * v + w, u - 4 * v + 3 * w
        if first % p and second % p:
            c = -first * pow(second, -1, p)
            a_b = [x * (1 + c * t) for t, x in enumerate(samples, 1)]
            b = a_b[1] - a_b[0]
            if b % p:
                yield (base + 1 - a_b[0] * pow(b, -1, p)) % p
        elif first % p == 0 and (v - u) % p:
            yield (base + 1 - u * pow(v - u, -1, p)) % p
        if first % p:
            half = pow(2, -1, p)
            c = first * half % p
            b = (v - u - 3 * c) % p
            a = (u - b - c) % p
            root = pow(b * b - 4 * a * c, (p + 1) // 4, p)
            yield from ((base + (-b + s) * pow(2 * c, -1, p)) % p for s in (root, -root))
