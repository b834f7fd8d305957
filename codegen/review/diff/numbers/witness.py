"""Searches counterexamples: inputs at which two versions of a function return different values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from codegen.ir.operations import Op
from codegen.review.diff.changes import Extent, Witness
from codegen.review.diff.numbers.arithmetic import Points, Run, differ, run, scalar_type, scalars_of, units
from codegen.review.diff.numbers.plain import plainest
from codegen.review.diff.numbers.points import COMPARING, JUMPING, Sampler, one_sided
from codegen.review.diff.numbers.versions import Versions, numbered, surely
from codegen.review.diff.reading import Reading


def find_witness(versions: Versions) -> Witness | None:
    """An input at which both versions differ as much as possible, of the constraint set if there is one.

    Where ranges are declared, points inside of them are tried first. A point where the last place of a
    libm result decides is taken only where no other is found.
    """
    doubtful: Witness | None = None
    extent: Extent | None = None
    for place, points in enumerate(_places_to_look(versions)):
        a, b = run(versions.old, points), run(versions.new, points)
        different = differ(a, b)
        if not different.any():
            continue
        extent = _extent(versions, points, a, b) if place == 0 else extent
        point = points[:, [_most_different(versions, points, different, a, b)]]
        found = _at(versions, point)
        if found.certain:
            plain = plainest(versions, point)
            return replace(found if plain is point else _at(versions, plain), extent=extent)
        doubtful = doubtful or found
    return doubtful and replace(doubtful, extent=extent)


def _at(versions: Versions, point: Points) -> Witness:
    """What both versions return at a point, which is one column."""
    return _witness(versions, point, 0, run(versions.old, point), run(versions.new, point))


def _extent(versions: Versions, points: Points, a: Run, b: Run) -> Extent:
    """How far both versions differ at the sampled points of the constraint set."""
    finite = np.isfinite(a.results) & np.isfinite(b.results)
    with np.errstate(all="ignore"):
        apart = np.where(finite, np.abs(a.results - b.results), 0.0)
    count, share = points.shape[1], float(differ(a, b).mean())
    if not apart.any():
        return Extent(count, share, "", 0.0, {})
    row, column = np.unravel_index(int(np.argmax(apart)), apart.shape)
    output = scalars_of(versions.old)[1][int(row)]
    return Extent(count, share, output, float(apart[row, column]), _inputs(versions, points, int(column)))


def largest_difference(versions: Versions, rare: Points) -> tuple[Witness, int]:
    """Where two mathematically equal functions differ most, and at how many points they were compared.

    These are sampled points of the constraint set, and `rare` ones that take sides of choices that few take.
    """
    points = np.hstack([Sampler(versions.inputs, scalar_type(versions.old)).typical(), rare])
    a, b = run(versions.old, points), run(versions.new, points)
    meaningful = np.isfinite(a.results).all(axis=0)
    apart = np.where(meaningful, units(versions.old, a.results, b.results), -1.0)
    return _witness(versions, points, int(np.argmax(apart)), a, b), points.shape[1]


def _places_to_look(versions: Versions) -> Iterator[Points]:
    """Sets of points, the cheap ones first: the constraint set, all sizes, then boundaries of comparisons."""
    sampler = Sampler(versions.inputs, scalar_type(versions.old))
    typical = sampler.typical()
    yield typical
    changed = own_comparisons(versions)
    if sampler.ranged:
        yield sampler.many()
        for reading, own in zip((versions.old, versions.new), changed, strict=True):
            yield sampler.within(sampler.near_edges(reading, own[:MOST_COMPARISONS], typical))
    wide = sampler.wide()
    yield wide
    yield sampler.many()
    every = np.hstack([typical, wide])
    for start in (typical, every):
        for reading, own in zip((versions.old, versions.new), changed, strict=True):
            yield sampler.near_edges(reading, own[:MOST_COMPARISONS], start)
    for reading in (versions.old, versions.new):
        yield sampler.near_edges(reading, one_sided(reading, every)[:MOST_COMPARISONS], every)


MOST_COMPARISONS = 16
"""Limit on the comparisons near whose boundaries points are tried."""


def own_comparisons(versions: Versions) -> list[list[int]]:
    """For each version, the comparisons and jumps between whole numbers that the other one does not have."""
    numbers = numbered(versions)
    common = set(numbers[0]) & set(numbers[1])
    return [
        [i for i, n in enumerate(reading.program.nodes) if n.op in _DECIDING and own[i] not in common]
        for reading, own in zip((versions.old, versions.new), numbers, strict=True)
    ]


_DECIDING = (*COMPARING, *JUMPING)


def most_different(versions: Versions, points: Points, different: Any, a: Run, b: Run) -> Witness | None:
    """The point, of those marked as different, where both differ most.

    Points where the last place of a libm result decides come last.
    """
    if not different.any():
        return None
    return _witness(versions, points, _most_different(versions, points, different, a, b), a, b)


def _most_different(versions: Versions, points: Points, different: Any, a: Run, b: Run) -> int:
    finite = np.isfinite(a.results).all(axis=0) & np.isfinite(b.results).all(axis=0)
    apart = units(versions.old, a.results, b.results)
    rank = np.log2(1 + np.minimum(apart, 1e9)) + 40 * (a.status != b.status)
    rank += 100 * np.isfinite(points).all(axis=0) + 200 * finite + 1000 * surely(versions, points, different)
    return int(np.argmax(np.where(different, rank, -1.0)))


def _inputs(versions: Versions, points: Points, column: int) -> dict[str, float]:
    """The inputs of a point by their C names, and what outputs hold before the call where that is read."""
    inputs, outputs = scalars_of(versions.old)
    programs = (versions.old.program, versions.new.program)
    used = {node.value for program in programs for node in program.nodes if node.op is Op.INPUT}
    before = len(inputs) - len(outputs)  # the outputs' contents before the call follow the inputs
    names = [name if i < before else f"{name} before the call" for i, name in enumerate(inputs)]
    return {n: float(points[i, column]) for i, n in enumerate(names) if i < before or i in used}


def _witness(versions: Versions, points: Points, column: int, a: Run, b: Run) -> Witness:
    apart = units(versions.old, a.results[:, [column]], b.results[:, [column]])
    return Witness(
        _inputs(versions, points, column),
        _returned(versions.old, a, column),
        _returned(versions.new, b, column),
        float(apart[0]),
        certain=bool(surely(versions, points[:, [column]], np.array([True])).all()),
    )


def _returned(reading: Reading, found: Run, column: int) -> dict[str, float | int]:
    """The outputs at one point, and the status."""
    names = scalars_of(reading)[1]
    values: dict[str, float | int] = {
        n: float(x) for n, x in zip(names, found.results[:, column], strict=True)
    }
    if reading.signature.returns != "void":
        values["status"] = int(found.status[column])
    return values
