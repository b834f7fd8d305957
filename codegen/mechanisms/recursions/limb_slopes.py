"""The derivatives of inverse dynamics by positions and velocities, with loops over limbs that are alike.

Where the movement of the base is known, limbs do not depend on each other: a turn fills the rows of its
joints, and their columns in the derivatives of the base's wrench.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from codegen.ir.loops import Looped, Part, Place, Turn
from codegen.ir.program import Arg
from codegen.ir.types import Scalar
from codegen.mechanisms.recursions.dynamics import of_base
from codegen.mechanisms.recursions.formulas import base_of
from codegen.mechanisms.recursions.limb_parts import (
    MOVEMENT,
    Placed,
    Split,
    array,
    gaps,
    mounted,
    movement_of,
    numbers_of,
    part,
    whole,
)
from codegen.mechanisms.recursions.limbs import Limbs
from codegen.mechanisms.recursions.slopes import Slopes, slopes
from codegen.mechanisms.trees.coordinates import of_links

_BASE = array("base", MOVEMENT, "movement of the base")
_ROWS = 6
"""The rows of the base's wrench."""


def slopes_in_loops(split: Split) -> Looped:
    """The derivatives, with a loop for each group of limbs.

    The motion is copied first: results, which may be the same objects, are filled by the loops.
    """
    copies = [array(f"own_{a.name}", a.size, a.doc) for a in split.motion]
    names = [a.name for a in split.inputs]
    places = [names.index(a.name) for a in split.motion]
    rest = [placed for a in split.outputs for placed in _of_trunk(split, a)]
    first = part(
        map(whole, split.inputs), [*map(whole, (*copies, _BASE)), *rest], partial(_trunk, split, places)
    )
    loops = [_loop(split, k, copies) for k in range(len(split.groups))]
    return Looped(split.inputs, split.outputs, (*copies, _BASE), split.tables, (first, *loops))


def _rows(split: Split, a: Arg) -> int:
    """The rows of a matrix of derivatives: those of the base's wrench, or of the joints."""
    return a.size // split.joints


def _of_limb(split: Split, index: int, a: Arg) -> Iterator[Placed]:
    """For each row of a matrix that a limb has, its columns."""
    limbs, n = split.groups[index], split.joints
    joints, first, stride = len(limbs.tree.links), limbs.first, limbs.stride
    own = a.name.startswith("dtau")
    for i in range(joints if own else _ROWS):
        row, step = (first + i, stride * n) if own else (i, 0)
        yield array(f"{a.name}_{i}", joints, a.doc), Place(a.name, row * n + first, stride + step)


def _of_trunk(split: Split, a: Arg) -> list[Placed]:
    """What no limb fills of a matrix."""
    covered: list[range] = []
    for k, limbs in enumerate(split.groups):
        for own, place in _of_limb(split, k, a):
            covered += [place.elements(Turn(turn), own.size) for turn in range(len(limbs.rows))]
    return gaps(a, covered)


def _trunk(split: Split, places: Sequence[int], *values: Any) -> Any:
    """The motion, the movement of the base, and what no limb fills."""
    tree, given = split.trunk(values)
    movement = of_base(base_of(given), tree)
    found = None
    if split.places:
        found = slopes(tree, given["q"], given["v"], given["a"], None, movement)
    matrices = {a.name: _filled(split, a, found) for a in split.outputs}
    runs = (
        [matrices[a.name][place.first + j] for j in range(own.size)]
        for a in split.outputs
        for own, place in _of_trunk(split, a)
    )
    return *([*values[k]] for k in places), numbers_of(movement), *runs


def _filled(split: Split, a: Arg, found: Slopes | None) -> list[Scalar]:
    """A matrix with the derivatives of the trunk, and zeros."""
    n = split.joints
    matrix: list[Scalar] = [0] * a.size
    for j, column in enumerate(split.places):
        assert found is not None
        own = _column(found, a.name, j)
        rows = split.places if a.name.startswith("dtau") else range(_ROWS)
        for i, x in zip(rows, own, strict=True):
            matrix[i * n + column] = x
    return matrix


def _column(found: Slopes, name: str, j: int) -> list[Scalar]:
    """A column of the matrix of this name."""
    by_q = name.endswith("q")
    if name.startswith("dtau"):
        return [row[j] for row in (found.by_q if by_q else found.by_v)]
    return [*(found.base_by_q if by_q else found.base_by_v)[j].scalars()]


def _loop(split: Split, index: int, copies: Sequence[Arg]) -> Part:
    """The loop over a group of limbs."""
    limbs, table = split.groups[index], split.table(index)
    motion = [split.of_limb(index, a, copy.name) for a, copy in zip(split.motion, copies, strict=True)]
    takes = [whole(_BASE), (table, Place(table.name, 0, table.size)), *motion]
    gives = [placed for a in split.outputs for placed in _of_limb(split, index, a)]
    return part(takes, gives, partial(_limb, limbs, [a.name for a in split.outputs]), len(limbs.rows))


def _limb(
    limbs: Limbs,
    names: Sequence[str],
    base: Sequence[Scalar],
    row: Sequence[Scalar],
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    a: Sequence[Scalar],
) -> Any:
    """The rows that a limb fills of each matrix."""
    tree = mounted(limbs.with_numbers(row))
    q, v, a = (of_links(tree, x) for x in (q, v, a))
    found = slopes(tree, q, v, a, None, movement_of(base))
    results: list[list[Scalar]] = []
    for name in names:
        columns = [_column(found, name, j) for j in range(len(q))]
        results += [list(row) for row in zip(*columns, strict=True)]
    return tuple(results)
