"""The mass matrix with loops over limbs that are alike.

A limb fills its columns in the rows of the base, and adds its moments to those of the base's composite body.
The blocks of its own joints are not evenly spaced in the packed triangle: an array holds them until the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from codegen.ir.loops import Looped, Part, Place
from codegen.ir.program import Arg
from codegen.ir.types import Scalar
from codegen.mechanisms.recursions.dynamics import in_rows, mass_matrix, of_base_alone
from codegen.mechanisms.recursions.limb_parts import Placed, Split, array, mounted, part, whole
from codegen.mechanisms.recursions.limbs import Limbs
from codegen.mechanisms.trees.carriage import late_for_masses
from codegen.mechanisms.trees.tree import Moments
from codegen.modeling.types.algebra import SymMat3, Vec3

_COMPOSITE = array("composite", 9, "moments of all bodies about the base's origin")
_ANGLES = "positions"
_BASE = 6
"""The rows of the base."""


def masses_in_loops(split: Split) -> Looped:
    """The packed mass matrix, with a loop for each group of limbs.

    The positions are copied first: the matrix, which may be the same object, is filled by the loops.
    """
    (q,), joints = split.motion, len(split.places)
    angles = array(_ANGLES, q.size, q.doc)
    trunk = array("trunk", 1 + _BASE * joints + _triangle(joints), "the mass, and elements of the trunk")
    blocks = [
        array(f"blocks_{k + 1}", len(g.rows) * _triangle(len(g.tree.links)), "elements of the limbs")
        for k, g in enumerate(split.groups)
    ]
    at_first = partial(_trunk, split, [a.name for a in split.inputs].index("q"))
    first = part(map(whole, split.inputs), map(whole, (angles, _COMPOSITE, trunk)), at_first)
    loops = [_loop(split, k, angles, own) for k, own in enumerate(blocks)]
    end = part(map(whole, (_COMPOSITE, trunk, *blocks)), _filled(split), partial(_end, split))
    held = (angles, _COMPOSITE, trunk, *blocks)
    return Looped(split.inputs, split.outputs, held, split.tables, (first, *loops, end))


def _triangle(n: int) -> int:
    return n * (n + 1) // 2


def _trunk(split: Split, at: int, *values: Any) -> Any:
    """The positions, the composite body of the trunk, the mass of the robot, and elements of the trunk."""
    tree, given = split.trunk(values)
    found = mass_matrix(tree, given["q"], late_for_masses(tree))
    assert found.base is not None
    limbs = (split.tree.links[i].moments.m for g in split.groups for bodies in g.bodies for i in bodies)
    mass = found.base.m + sum(limbs)
    elements = in_rows(found) if split.places else {}
    n = _BASE + len(split.places)
    own = [elements.get((i, j), 0) for i in range(n) for j in range(max(i, _BASE), n)]
    return [*values[at]], [*found.base.h.scalars(), *found.base.S.scalars()], [mass, *own]


def _loop(split: Split, index: int, angles: Arg, blocks: Arg) -> Part:
    """The loop over a group of limbs."""
    limbs = split.groups[index]
    joints, (M,) = len(limbs.tree.links), split.outputs
    n = _BASE + split.joints
    rows = [
        (array(f"row_{i}", joints, M.doc), Place(M.name, _at(n, i, _BASE + limbs.first), limbs.stride))
        for i in range(_BASE)
    ]
    size = _triangle(joints)
    block = array("block", size, blocks.doc), Place(blocks.name, 0, size)
    table = split.table(index)
    takes = [whole(_COMPOSITE), (table, Place(table.name, 0, table.size)), split.of_limb(index, angles)]
    return part(takes, [whole(_COMPOSITE), *rows, block], partial(_limb, limbs), len(limbs.rows))


def _limb(limbs: Limbs, composite: Sequence[Scalar], row: Sequence[Scalar], q: Sequence[Scalar]) -> Any:
    """The moments of the base with one more limb, its columns and its block."""
    tree = mounted(limbs.with_numbers(row))
    found = mass_matrix(tree, q, late_for_masses(tree))
    assert found.base is not None
    own = [*found.base.h.scalars(), *found.base.S.scalars()]
    joints = range(len(limbs.tree.links))
    columns = [found.columns[j].scalars() for j in joints]
    block = [found.elements.get((i, j), 0) for i in joints for j in joints[i:]]
    return (
        [x + y for x, y in zip(composite, own, strict=True)],
        *([column[i] for column in columns] for i in range(_BASE)),
        block,
    )


def _at(n: int, i: int, j: int) -> int:
    """Where the element (i, j), i <= j, of n rows is in the packed triangle."""
    return i * n - i * (i - 1) // 2 + j - i


def _filled(split: Split) -> Iterator[Placed]:
    """What the end fills: the base's own elements, the trunk's columns, and the rows of the joints."""
    (M,), n = split.outputs, _BASE + split.joints
    for i in range(_BASE):
        yield array(f"base_{i}", _BASE - i, M.doc), Place(M.name, _at(n, i, i))
        for k in split.places:
            yield array(f"base_{i}_{k}", 1, M.doc), Place(M.name, _at(n, i, _BASE + k))
    yield array("joints", _triangle(split.joints), M.doc), Place(M.name, _at(n, _BASE, _BASE))


def _end(
    split: Split, composite: Sequence[Scalar], trunk: Sequence[Scalar], *blocks: Sequence[Scalar]
) -> Any:
    """These elements, of the arrays that parts have left."""
    mass, *rest = trunk
    own, places = iter(rest), [_BASE + k for k in split.places]
    n = _BASE + split.joints
    elements = of_base_alone(Moments(mass, Vec3(*composite[:3]), SymMat3(*composite[3:])))
    rows = [*range(_BASE), *places]
    elements |= {(i, j): next(own) for i in rows for j in places if i < _BASE or i <= j}
    for limbs, block in zip(split.groups, blocks, strict=True):
        elements |= _of_limbs(limbs, block)
    found: list[list[Scalar]] = []
    for i in range(_BASE):
        found += [[elements[i, j] for j in range(i, _BASE)], *([elements[i, j]] for j in places)]
    return *found, [elements.get((i, j), 0) for i in range(_BASE, n) for j in range(i, n)]


def _of_limbs(limbs: Limbs, block: Sequence[Scalar]) -> Mapping[tuple[int, int], Scalar]:
    """The elements of the joints of all limbs of a group."""
    values, joints = iter(block), range(len(limbs.tree.links))
    found: dict[tuple[int, int], Scalar] = {}
    for turn in range(len(limbs.rows)):
        first = _BASE + limbs.first + turn * limbs.stride
        found |= {(first + i, first + j): next(values) for i in joints for j in joints[i:]}
    return found
