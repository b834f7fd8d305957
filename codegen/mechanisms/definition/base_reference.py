"""The definition of a robot's base parameters over 4x4 matrices of moments: integrals of [r; 1] [r; 1]^T dm.

What a joint keeps in place is a block of them: the points of a revolute joint's axis, the directions of a
sliding body, the origin of a joint that turns about several axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from codegen.library.shared.dense import identity, zeros
from codegen.mechanisms.definition.reference import lifted, pseudo_inertia
from codegen.mechanisms.recursions.base_parameters import Coordinate, Kept, stages_of
from codegen.mechanisms.trees.tree import Tree
from codegen.modeling.types.algebra import Mat3, Vec3

_BLOCKS = {
    Kept.NONE: slice(0, 0),
    Kept.ORIGIN: slice(3, 4),
    Kept.AXIS: slice(2, 4),
    Kept.ALONG: slice(2, 3),
    Kept.DIRECTIONS: slice(0, 3),
}
"""Rows and columns of the matrix of what each joint keeps in place."""


def coordinates_left(tree: Tree, links: Sequence[str], parameters: Any) -> list[Any]:
    """The coordinates of all bodies, from the root on, of m, h and J of each link."""
    nothing = zeros(4, 4).astype(object) * (parameters[0] * 0)
    bodies = [nothing for _ in tree.links]
    for k, name in enumerate(links):
        place = tree.frames[name]
        T = lifted(_pose(place.R, place.p), parameters)
        bodies[place.body] = T @ pseudo_inertia(parameters[10 * k : 10 * k + 10]) @ T.T
    found: list[list[Any]] = []
    for stage in reversed(stages_of(tree)):
        own, kept, block = bodies[stage.body], nothing.copy(), _BLOCKS[stage.kept]
        kept[block, block] = own[block, block]
        found.append(_named(own - kept, stage.kept.left))
        if stage.parent >= 0:
            T = lifted(_pose(stage.R, stage.p), parameters)
            bodies[stage.parent] = bodies[stage.parent] + T @ kept @ T.T
    return [x for row in reversed(found) for x in row]


def units_in_links(tree: Tree, links: Sequence[str], coordinates: Sequence[Coordinate]) -> Any:
    """m, h and J of the links, in columns, of which one coordinate is 1 and the others are 0."""
    of_body = {tree.frames[name].body: k for k, name in enumerate(links)}
    found = np.full((10 * len(links), len(coordinates)), Fraction(0), dtype=object)
    for column, (body, _, unit) in enumerate(coordinates):
        k = of_body[body]
        R, p = tree.frames[links[k]][1:]
        back = _pose(R.transpose, -(R.transpose @ p))
        own = np.array(unit.S.dense.m, dtype=object).reshape(3, 3)
        first = np.array([unit.h.scalars()], dtype=object)
        whole = back @ np.block([[own, first.T], [first, np.array([[unit.m]], dtype=object)]]) @ back.T
        found[10 * k : 10 * k + 10, column] = _named(whole, Kept.NONE.left)
    return found


def _named(moments: Any, names: Sequence[str]) -> list[Any]:
    """The numbers of these names: m, h, elements of J = tr(S) 1 - S."""
    J = identity() * np.trace(moments[:3, :3]) - moments[:3, :3]
    values = {"m": moments[3, 3], "J_xx-J_yy": J[0, 0] - J[1, 1]}
    values |= {f"h_{axis}": moments[k, 3] for k, axis in enumerate("xyz")}
    values |= {f"J_{a}{b}": J[i, j] for i, a in enumerate("xyz") for j, b in enumerate("xyz")}
    return [values[name] for name in names]


def _pose(R: Mat3, p: Vec3) -> Any:
    T = identity(4).astype(object)
    T[:3, :3], T[:3, 3] = np.array(R.m, dtype=object).reshape(3, 3), list(p.scalars())
    return T
