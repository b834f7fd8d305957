"""The parallel projection of figures, and which directions are told apart best in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = Any
"""A vector or matrix of NumPy."""


def _camera() -> Array:
    azimuth, height = math.radians(127), math.radians(24)
    down = (math.cos(azimuth) * math.sin(height), math.sin(azimuth) * math.sin(height), math.cos(height))
    return np.array([(math.sin(azimuth), -math.cos(azimuth), 0), down])


CAMERA = _camera()
"""The rows that project the world, forward, right and down, to the right and down on the page."""

VIEWER = np.cross(CAMERA[1], CAMERA[0])
"""The direction from the page to its viewer."""


def clearness(directions: Sequence[Array]) -> float:
    """How well unit vectors are told apart: the least angle between two, less where one is foreshortened."""
    flat = [CAMERA @ d for d in directions]
    angles = sorted(math.atan2(y, x) for x, y in flat)
    gaps = [b - a for a, b in zip(angles, [*angles[1:], angles[0] + math.tau], strict=True)]
    return round(min(*gaps, *(0.8 * math.hypot(x, y) for x, y in flat)), 6)


def clearest(candidates: Array, present: Sequence[Array]) -> Array:
    """The first of the unit vectors, in rows, that are told apart best from those present."""
    return candidates[int(np.argmax(apart(candidates, present)))]


def apart(directions: Array, present: Sequence[Array]) -> Array:
    """For each of the unit vectors in rows, the least angle on the page to those present, less where it is
    foreshortened.
    """
    x, y = CAMERA @ directions.T
    least = 0.8 * np.hypot(x, y)
    if present:
        u, v = CAMERA @ np.transpose(present)
        between = np.arctan2(y, x)[:, None] - np.arctan2(v, u)
        least = np.minimum(least, np.abs((between + np.pi) % (2 * np.pi) - np.pi).min(axis=1))
    return np.round(least, 6)
