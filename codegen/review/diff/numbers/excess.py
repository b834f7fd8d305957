"""Inputs at which two forms of the same mathematics differ by more than round-off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from codegen.ir.operations import Op
from codegen.review.diff.changes import Witness
from codegen.review.diff.numbers.arithmetic import Points, Run, run, scalar_type
from codegen.review.diff.numbers.branches import at_edges, at_rare_choices
from codegen.review.diff.numbers.ends import beyond_ends, own_ends
from codegen.review.diff.numbers.freedom import are_inside
from codegen.review.diff.numbers.losses import compared_numbers, is_cut_short, where_digits_are_lost
from codegen.review.diff.numbers.points import Sampler, thinned
from codegen.review.diff.numbers.roundoff import (
    MULTIPLE,
    Bound,
    Bounds,
    are_usual,
    bounds,
    bounds_of_sums,
    errors_as_decided,
    own_errors,
    slack,
)
from codegen.review.diff.numbers.sides import Side, at_rare_sides
from codegen.review.diff.numbers.vanishing import near_zeros
from codegen.review.diff.numbers.versions import Versions
from codegen.review.diff.numbers.witness import MOST_COMPARISONS, most_different, own_comparisons
from codegen.review.diff.numbers.zeros import Zeros, where_divisors_vanish
from codegen.review.diff.reading import Reading


class Excess(NamedTuple):
    """An input at which two functions differ by more than round-off, and whether it is on the domain.

    It may belong to a branch that no point `is_found` to take: it is where its conditions are assumed.
    """

    witness: Witness
    is_on_domain: bool
    is_found: bool = True


class Unsearched(NamedTuple):
    """What a search has left out: conditions and divisors, as there are too many, and digits that are lost.

    On so many `branches` it has found no point.
    """

    conditions: int = 0
    divisors: int = 0
    branches: int = 0
    has_few_losses: bool = False


class Search(NamedTuple):
    """What a search has found and left out.

    `rare` are points at which sides of choices are taken that few points take.
    """

    excess: Excess | None
    rare: Points
    unsearched: Unsearched


def find_excess(versions: Versions) -> Search:
    """An input at which results differ too much, or status or finiteness differ.

    It is on the input domain if there is such an input.
    """
    search, unmet = _searched(versions, max(_FEW, _SEARCHES // _size(versions)))
    most = max(1, min(_UNMET, _ASSUMED // _size(versions)))
    for assumed in unmet[:most] if search.excess is None else ():
        excess = _searched(assumed, _FEW)[0].excess
        if excess is not None and excess.is_on_domain:
            return search._replace(excess=excess._replace(is_found=False))
    return search


_SEARCHES, _FEW = 3_000, 4
"""Limit on the rare sides that are searched times the operations of a function, and the sides in any one."""

_LOSING = 2_000
"""Limit on the assumed sides that are searched for lost digits, times the operations of a function."""

_ASSUMED = 800
"""Limit on the sides that are compared where they are assumed times the operations of a function."""

_UNMET, _SIDES = 16, 4
"""Limits on the sides that are compared where they are assumed, and searched for lost digits one by one."""


def _searched(versions: Versions, most: int) -> tuple[Search, Sequence[Versions]]:
    """The search among inputs, also on so many rare sides at most.

    Besides, both versions as if all points took a side that none was found on.
    """
    sampler = Sampler(versions.inputs, scalar_type(versions.old))
    typical = sampler.typical()
    if typical.shape[1] and (witness := _excess(versions, typical, _USUAL)):
        return Search(Excess(witness, is_on_domain=True), typical[:, :0], Unsearched()), ()
    own, ends = own_comparisons(versions), own_ends(versions)
    beyond = sum(max(0, count - MOST_COMPARISONS) for count in (*map(len, own), len(ends[1])))
    compared = [each[:MOST_COMPARISONS] for each in own]
    rare = at_rare_sides(versions, compared, sampler, typical, most)
    there = np.hstack([typical[:, :0], *(side.points for side in rare.sides)])
    lost = _where_compared_digits_are_lost(versions, sampler, typical)
    near = [at_edges(versions, compared, sampler, start) for start in (typical, lost) if start.shape[1]]
    edges = np.hstack([lost, *near, *(side.edges for side in rare.sides)])
    zeros = where_divisors_vanish(versions, sampler, typical, there)
    at_ends = beyond_ends(versions, ends[1][:MOST_COMPARISONS], sampler, typical)
    vanishing = near_zeros(versions, ends[0], sampler, typical)
    met = np.hstack([zeros.on_domain, at_ends, vanishing])
    zeros = zeros._replace(on_domain=met[:, _is_moderate(met).all(axis=0)])
    found = _excess_elsewhere(versions, sampler, _Points(typical, there, edges, zeros), rare.sides)
    left_out = rare.left_out + beyond, zeros.left_out, len(rare.unmet)
    search = Search(found, there, Unsearched(*left_out, is_cut_short(versions)))
    return search, [assumed for assumed in rare.unmet if assumed is not None]


def _where_compared_digits_are_lost(versions: Versions, sampler: Sampler, typical: Points) -> Points:
    """Points at which what comparisons compare has lost digits: there, they may come out otherwise."""
    compared = compared_numbers(versions)
    if compared is None:
        return typical[:, :0]
    start = np.hstack([typical, sampler.twins()])
    return where_digits_are_lost(compared, sampler, start, sampler.is_loose)


class _Points(NamedTuple):
    """Usual points, those on rare sides of choices, at boundaries of comparisons, and zeros of divisors."""

    typical: Points
    rare: Points
    edges: Points
    zeros: Zeros


def _excess_elsewhere(
    versions: Versions, sampler: Sampler, known: _Points, sides: Sequence[Side]
) -> Excess | None:
    """Such an input where few come, of every size, or off the input domain."""
    typical, rare, edges, zeros = known
    twins = sampler.twins()
    around = sampler.near(thinned(rare, _MOST), _AROUND)
    special = sampler.spoilt(np.hstack([at_rare_choices(versions.new, sampler, typical), around]))
    losing = [where_digits_are_lost(versions, sampler, np.hstack([typical, twins]), sampler.is_loose)]
    apart = [side for side in sides if side.assumed is None]
    losing += [_losing(side, versions, sampler) for side in apart[:_SIDES]]
    if further := [part for side in apart[_SIDES:] for part in side[:2]]:
        start = thinned(np.hstack(further), _MOST)
        losing.append(where_digits_are_lost(versions, sampler, start, sampler.is_loose))
    near = _some(versions, edges, twins, np.hstack(losing), rare, around, zeros.on_domain)
    far = np.hstack([sampler.wide(), zeros.anywhere, _some(versions, sampler.joint(), special)])
    far = far[:, _is_moderate(far).all(axis=0)]
    inside = are_inside(versions.inputs, far, typical)
    for points in (near, far[:, inside]):
        if (found := _excess_in_parts(versions, points)) is not None:
            return Excess(found, is_on_domain=True)
    if found := _in_one_form(versions, sampler, np.hstack([typical, near])):
        return Excess(found, is_on_domain=True)
    moved = zeros.anywhere[:, are_inside(versions.inputs, zeros.anywhere, typical)]
    vanishing = np.hstack([zeros.on_domain, moved])
    both = [(side, side.assumed) for side in sides if side.assumed is not None]
    most = max(_SIDES, _LOSING // _size(versions))
    for k, (side, assumed) in enumerate(both):
        lost = _lost_on(side, assumed, sampler) if k < most else []
        if found := _excess_on(side, assumed, sampler, [side.taken_by(vanishing), *lost]):
            return Excess(found, is_on_domain=True)
    found = _excess_in_parts(versions, far[:, ~inside])
    return Excess(found, is_on_domain=False) if found else None


def _is_moderate(points: Points) -> Any:
    """Which numbers are in the range of sizes where forms are compared: a quarter of the exponents."""
    limit = 2.0 ** (np.finfo(points.dtype).maxexp // 4)
    sizes = np.abs(points)
    return (sizes == 0) | ~np.isfinite(points) | (sizes <= limit) & (sizes >= 1 / limit)


def _excess_on(side: Side, assumed: Versions, sampler: Sampler, further: Sequence[Points]) -> Witness | None:
    """A point on a side of a choice where results differ too much, given that its conditions hold.

    They do so in both versions, however close they are to being decided otherwise. `further` points are
    there where divisors vanish, or digits are lost.
    """
    near = _some(assumed, side.points, side.twins, side.edges, *further)
    return _excess_in_parts(assumed, near) or _in_one_form(assumed, sampler, near)


def _lost_on(side: Side, assumed: Versions, sampler: Sampler) -> list[Points]:
    """Points there at which results of the new version, or what it compares, lose digits."""
    return [_losing(side, of, sampler) for of in (assumed, compared_numbers(assumed)) if of is not None]


def _losing(side: Side, versions: Versions, sampler: Sampler) -> Points:
    """Points on a side of a choice at which the new version loses digits."""
    return where_digits_are_lost(versions, sampler, np.hstack([side.points, side.twins]), side.free)


def _in_one_form(versions: Versions, sampler: Sampler, points: Points) -> Witness | None:
    """A point at which only one form is finite, or takes a decision that no order of the old one takes."""
    runs = run(versions.old, points), run(versions.new, points)
    return _loss(versions, sampler, points, *runs) or _other_decision(versions, points, *runs)


_AROUND = 8
"""So many points are tried around each that takes a rare side of a choice."""


def _excess_in_parts(versions: Versions, points: Points) -> Witness | None:
    """The first point of which `_excess` tells, in parts whose values fit into memory."""
    parts = (part for part in _in_parts(versions, points) if part.shape[1])
    return next((found for part in parts if (found := _excess(versions, part, 0.0))), None)


def _some(versions: Versions, *points: Points) -> Points:
    """The points, of a large function some of each kind, so that the time stays within bounds."""
    most = max(1, _WORK // _size(versions))
    return np.hstack([thinned(p, most) for p in points])


def _in_parts(versions: Versions, points: Points) -> Sequence[Points]:
    """The points in parts, so that the memory for the values of all operations stays within bounds."""
    count = 1 + points.shape[1] * _size(versions) // _WORK
    return np.array_split(points, count, axis=1)


def _size(versions: Versions) -> int:
    return max(len(version.program.nodes) for version in (versions.old, versions.new))


_WORK = 2_000_000
"""Limit on the points of a kind, or of a part, times the operations of a function."""


def _loss(versions: Versions, sampler: Sampler, points: Points, a: Run, b: Run) -> Witness | None:
    """A point of the constraint set at which only one form is finite, though the old one keeps its digits.

    There is none where the new form keeps digits that the old one loses, too: of two orders of a sum, none is
    the better one.
    """
    found = _only_one_finite(versions, points, a, b)
    if found is None:
        return None
    back = Versions(versions.new, versions.old, versions.inputs, (versions.flags[1], versions.flags[0]))
    return None if where_digits_are_lost(back, sampler, points, sampler.is_loose).shape[1] else found


def _only_one_finite(versions: Versions, points: Points, a: Run, b: Run) -> Witness | None:
    """The point at which a result is finite in one version only, and this is certain of the old one."""
    apart = np.isfinite(a.results) != np.isfinite(b.results)
    if not apart.any():
        return None
    known = bounds(versions.old, a, points)
    counts = (apart & _is_certain(versions.old, a, points)).any(axis=0) & known.has_room & known.is_normal
    return most_different(versions, points, counts, a, b)


def _is_certain(old: Reading, found: Run, points: Points) -> Any:
    """Of each result, where it is certain to be finite, or not to be, in the order of its operations."""
    return np.isfinite(own_errors(old, found, points, MULTIPLE))


def _other_decision(versions: Versions, points: Points, a: Run, b: Run) -> Witness | None:
    """A point at which the new version decides otherwise than the old one does in any order of its sums.

    This is how a condition comes out, on which side of a pole it is, or whether a flag is raised. Results
    that are off by no more than the round-off of any order do not count.
    """
    with np.errstate(all="ignore"):
        apart = np.abs(a.results - b.results) / np.abs(a.results)
    apart = np.where(np.isfinite(apart), apart, 0.0).max(axis=0, initial=0.0)
    apart = np.where(a.status != b.status, np.inf, apart)
    points = thinned(points[:, apart > _SEEN * np.finfo(points.dtype).eps], _MOST)
    if not points.shape[1]:
        return None
    a, b = run(versions.old, points), run(versions.new, points)
    with np.errstate(all="ignore"):
        sizes = np.abs(a.results - b.results)
    certain = bounds_of_sums(versions.old, a, points)
    different = _flags_differ(versions, a, b, certain)
    limits = errors_as_decided(versions.old, a, points)
    largest = _SEEN * np.finfo(points.dtype).eps * np.maximum(np.abs(a.results), np.abs(b.results))
    for k, (node, size, limit) in enumerate(zip(versions.old.program.results, sizes, limits, strict=True)):
        is_more = size > certain[node].error + largest[k]
        different |= np.isfinite(size) & is_more & ~((size <= limit) & np.isfinite(limit))
    usual = are_usual(versions.old, a) & are_usual(versions.new, b)
    return most_different(versions, points, different & usual, a, b)


_SEEN = 64.0
"""Results that are closer together than so many ulp tell nothing of a condition that comes out otherwise."""

_MOST = 1024
"""Limit on the points at which decisions are compared."""


_USUAL = 0.5
"""Share of the usual points at which no number comes close to overflow or underflow, in a usual function.

Where there are fewer, all points count: else one number that is always tiny would hide everything.
"""


def _excess(versions: Versions, points: Points, share: float) -> Witness | None:
    """The point at which results differ most; all count if fewer than this share are of usual sizes."""
    a, b = run(versions.old, points), run(versions.new, points)
    known = bounds(versions.old, a, points)
    every = (known.has_room & known.is_normal).mean() < share
    different = _results_differ(versions.old, a, b, known) | _flags_differ(versions, a, b, known.nodes)
    counts = (known.has_room & known.is_normal) | every
    different = different & counts | _is_spoilt_in_one(versions, a, b, points)
    return most_different(versions, points, different, a, b)


def _is_spoilt_in_one(versions: Versions, a: Run, b: Run, points: Points) -> Any:
    """Where an input that is no number makes one of a result in one version only, and that is certain.

    With a number in its place, both have one there, or neither has, and all choices are certain.
    """
    apart = np.isnan(a.results) != np.isnan(b.results)
    if not apart.any():
        return apart.any(axis=0)
    plain = np.where(np.isnan(points), 1, points)
    numbers = [np.isnan(run(version, plain).results) for version in (versions.old, versions.new)]
    certain = (apart & (numbers[0] == numbers[1]) & _is_certain(versions.old, a, points)).any(axis=0)
    certain &= _choices_are_certain(versions.old, plain)
    return certain & np.isnan(points).any(axis=0) & ~_overflows(a, points) & ~_overflows(b, points)


def _choices_are_certain(old: Reading, points: Points) -> Any:
    """Where all conditions of choices come out the same in any order of the operations."""
    known = bounds(old, run(old, points), points).nodes
    conditions = {node.args[0] for node in old.program.nodes if node.op is Op.SELECT}
    return np.all([np.ones(points.shape[1], dtype=bool), *(known[c].error == 0 for c in conditions)], axis=0)


def _overflows(found: Run, points: Points) -> Any:
    """Where a value is infinite: elsewhere, what is no number is so for an input that is none."""
    infinite = np.zeros(points.shape[1], dtype=bool)
    for value in found.values:
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            infinite |= np.isinf(value)
    return infinite


def _results_differ(old: Reading, a: Run, b: Run, known: Bounds) -> Any:
    """Where a result is off by more than a multiple of its bound, or finite in one version only."""
    different = np.zeros(a.results.shape[1], dtype=bool)
    for node, x, y in zip(old.program.results, a.results, b.results, strict=True):
        bound = known.nodes[node]
        with np.errstate(all="ignore"):
            apart = np.abs(x - y) > MULTIPLE * slack(old.held[node], bound)
        certain = np.isfinite(bound.error)
        different |= certain & np.where(
            np.isfinite(x) & np.isfinite(y), apart, np.isfinite(x) != np.isfinite(y)
        )
    return different


def _flags_differ(versions: Versions, a: Run, b: Run, known: Sequence[Bound]) -> Any:
    """Where a flag that the old version surely raises, or surely does not, is another in the new one."""
    different = np.zeros(a.results.shape[1], dtype=bool)
    for flag, surely in _sure_flags(versions.old, a, known):
        raised, raised_now = (r.status & flag != 0 for r in (a, b))
        different |= surely & (raised != raised_now)
    others = {int(flag) for _, flag in versions.new.program.status}
    for flag in others - {int(flag) for _, flag in versions.old.program.status}:
        different |= b.status & flag != 0
    return different


def _sure_flags(old: Reading, a: Run, known: Sequence[Bound]) -> Iterator[tuple[int, Any]]:
    """The flags of a version, and where it is certain whether each is raised."""
    for flag in sorted({int(flag) for _, flag in old.program.status}):
        nodes = [node for node, raised in old.program.status if int(raised) == flag]
        sure = [known[node].error == 0 for node in nodes]
        fails = [s & ~np.asarray(a.values[node], bool) for s, node in zip(sure, nodes, strict=True)]
        yield flag, np.all(sure, axis=0) | np.any(fails, axis=0)
