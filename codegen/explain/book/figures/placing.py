"""Places the frames of an example: those of the inputs, on the Earth, and where the results say."""

from __future__ import annotations

import numpy as np

from codegen.explain.book.figures.axes import (
    EARTH,
    EARTH_ANGLE,
    LATITUDE,
    LONGITUDE,
    clearest_attitude,
    composed,
    elementary,
    level,
    local_axes,
    matrix_of,
)
from codegen.explain.book.figures.example import Example, Place
from codegen.explain.book.figures.statements import Join
from codegen.explain.book.figures.view import Array
from codegen.ir.types import size

POSITIONS = ((1.7, 1.9, -0.75), (2.1, 0.3, -1.0), (0.4, 2.2, 0.5))
"""Positions of frames in others, in forward, right and down."""


def place_inputs(made: Example) -> None:
    """Place the frames of the inputs, and those that no result places."""
    if made.on_earth:
        _place_on_earth(made)
    sequence = made.sequence[0].arg if made.sequence else None
    for k, join in enumerate(j for j in made.joins if j.given or j.arg is sequence):
        _place(made, join, *_relative(made, join, k))
    for frame in made.frames:
        if frame not in made.places and all(j.of != frame for j in made.joins):
            made.places[frame] = made.start(frame)


def place_results(made: Example) -> None:
    """Place the frames whose poses are results."""
    for join in made.joins:
        found = made.values.get(join.arg.name)
        if not join.given and found is not None and np.isfinite(found).all():
            _place(made, join, *_pose(join, found))
    for frame in made.frames:
        made.places.setdefault(frame, made.start(frame))
    move_origins(made, given=False)


def move_origins(made: Example, given: bool) -> None:
    """Place the origins that are at the tips of inputs, or of results."""
    for vector in made.vectors:
        target, value = made.anchored.get(vector.name), made.value(vector)
        if target and vector.given is given and not vector.of_pose and np.isfinite(value).all():
            base = made.places[vector.frame]
            made.places[target] = Place(made.places[target].R, base.p + made.scale * base.R @ value)


def _place(made: Example, join: Join, R: Array, p: Array) -> None:
    """Place the frames of a join that have no place yet, by the pose of the inner one in the outer one."""
    places = made.places
    if join.to not in places and join.of in places:
        inner = places[join.of]
        places[join.to] = Place(inner.R @ R.T, inner.p - inner.R @ R.T @ p)
    base = places.setdefault(join.to, made.start(join.to))
    places.setdefault(join.of, Place(base.R @ R, base.p + base.R @ p))


def _relative(made: Example, join: Join, k: int) -> tuple[Array, Array]:
    """The example of a pose: its rotation and position."""
    if made.sequence and (made.sequence[0].of, made.sequence[0].to) == (join.of, join.to):
        return composed(made.sequence[1], made.turned), np.zeros(3)
    outer = made.places.get(join.to, made.start(join.to)).R
    if made.on_earth and join.to == "E":
        R = local_axes() @ clearest_attitude("N", outer @ local_axes(), [])
    else:
        drawn = [axis for place in made.places.values() for axis in place.R.T]
        R = clearest_attitude(join.to, outer, [*outer.T, *drawn])
    p = POSITIONS[k % len(POSITIONS)] if join.is_pose else (0.0, 0.0, 0.0)
    return R, level(join.to) @ np.array(p)


def _place_on_earth(made: Example) -> None:
    """Place E and I at the Earth's centre, N on its surface."""
    local = EARTH @ local_axes()
    known = {
        "E": Place(EARTH, np.zeros(3)),
        "I": Place(EARTH @ elementary(2, -EARTH_ANGLE), np.zeros(3)),
        "N": Place(local, EARTH @ made.globe.surface(LATITUDE, LONGITUDE)),
    }
    made.places.update({frame: known[frame] for frame in made.frames if frame in known})


def _pose(join: Join, scalars: Array) -> tuple[Array, Array]:
    """The rotation and position that a value of a join states."""
    if size(join.arg.type) >= 9:
        return scalars[:9].reshape(3, 3), np.append(scalars[9:], np.zeros(3))[:3]
    if size(join.arg.type) == 4:
        return matrix_of(scalars), np.zeros(3)
    return matrix_of(np.append(1 - scalars @ scalars, 2 * scalars)), np.zeros(3)
