"""Rotations: about coordinate axes, of quaternions, of axes on the Earth, and those that show axes best.

The world's axes point forward, right and down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import TypeAlias

import numpy as np

from codegen.explain.book.figures.statements import Turn
from codegen.explain.book.figures.view import Array, clearness

Rows: TypeAlias = tuple[tuple[float, ...], ...]
"""A matrix that can be a key."""

UP = np.diag([1.0, -1.0, -1.0])
"""The axes of a frame whose z axis points up, as columns."""

_DOWN = frozenset("NBWD")
"""Frames that are drawn with z down: navigation, body, wind and desired body axes."""

LATITUDE, LONGITUDE, EARTH_ANGLE = 0.6, 1.25, 0.75
"""The place of the example on the Earth, and the angle from inertial to Earth-fixed axes."""


def level(frame: str) -> Array:
    """The axes of a frame that is not turned, as columns."""
    return np.eye(3) if frame in _DOWN else UP


def elementary(axis: int, angle: float) -> Array:
    """The matrix of a rotation about a coordinate axis."""
    c, s = math.cos(angle), math.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


def composed(turns: Sequence[Turn], angles: Sequence[float]) -> Array:
    """The matrix of a sequence of elementary rotations."""
    R = np.eye(3)
    for turn in turns:
        R = R @ elementary(turn.axis, angles[turn.component])
    return R


def quaternion_of(R: Array) -> Array:
    """The unit quaternion of a rotation matrix, its scalar part not negative."""
    trace = np.trace(R)
    products = np.empty((4, 4))  # four times those of the quaternion's components
    products[0, 0] = 1 + trace
    products[0, 1:] = products[1:, 0] = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    products[1:, 1:] = R + R.T + (1 - trace) * np.eye(3)
    row = products[int(np.argmax(np.diag(products)))]
    return row / np.linalg.norm(row) * (1 if row[0] >= 0 else -1)


def matrix_of(q: Array) -> Array:
    """The rotation matrix of a quaternion of any norm but zero."""
    w, v = q[0] / np.linalg.norm(q), q[1:] / np.linalg.norm(q)
    skew = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * skew + 2 * skew @ skew


def local_axes() -> Array:
    """North, east and down at the place of the example as columns, in Earth-fixed axes."""
    return elementary(2, LONGITUDE) @ elementary(1, -LATITUDE - math.pi / 2)


EARTH = UP @ elementary(2, -2.45)
"""The Earth-fixed axes in the world: the place of the example is on the side that is seen."""

_TURNS = tuple(product((0.35, 0.55, 0.75), repeat=3))
"""Candidates for the angles of a sequence."""

_ATTITUDES = tuple(
    elementary(2, yaw) @ elementary(1, pitch) @ elementary(0, roll)
    for yaw, pitch, roll in product(
        (-0.4, -0.6, 0.2, 0.4, 0.6), (0.5, 0.3, -0.3, -0.5), (-0.2, -0.4, 0.2, 0.4)
    )
)
"""Candidates for attitudes, in forward, right and down."""


@cache
def clearest_angles(turns: tuple[Turn, ...], frame: str) -> tuple[float, ...]:
    """The angles of a sequence that show the axes of both frames best, the outer one of them level."""
    outer = level(frame)
    return max(_TURNS, key=lambda angles: clearness([*outer.T, *(outer @ composed(turns, angles)).T]))


def clearest_attitude(frame: str, outer: Array, present: Sequence[Array]) -> Array:
    """The attitude in a frame with these axes in the world that shows all axes best, with those present."""
    return _clearest(frame, _key(outer), _key(present))


@cache
def _clearest(frame: str, outer: Rows, present: Rows) -> Array:
    still = level(frame)
    others = [np.array(axis) for axis in dict.fromkeys(present)]
    return max(
        (still @ R @ still for R in _ATTITUDES), key=lambda R: clearness([*others, *(np.array(outer) @ R).T])
    )


def _key(rows: Sequence[Array]) -> Rows:
    return tuple(tuple(round(float(x), 9) for x in row) for row in rows)
