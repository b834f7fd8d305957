"""The example of a contact: two spheres, a sphere and a plane, or two bodies with a gap between them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from codegen.explain.book.figures.axes import level
from codegen.explain.book.figures.statements import Vector
from codegen.explain.book.figures.view import Array

_NORMAL = np.array([0.8, 0.55, -0.15]) / np.linalg.norm([0.8, 0.55, -0.15])
_UPWARD = np.array([0.15, 0.2, -1.0]) / np.linalg.norm([0.15, 0.2, -1.0])
"""The normals between two bodies and of a plane, in forward, right and down."""

_FIRST, _APART = np.array([0.6, -0.3, -1.3]), 1.9
"""The place of the first of two bodies, and their distance."""

_BELOW, _ON_FIRST, _ON_SECOND = np.array([0.0, 0.0, 0.35]), 0.75, 1.25
"""The contact points: how far below the line between the bodies, and how far along it from the first."""


def contact(vectors: Mapping[str, Vector]) -> dict[str, Array]:
    """Values of the inputs of a contact by their names; none where the inputs are about something else."""
    names = {name for name, vector in vectors.items() if vector.given}
    if {"x_A", "x_B"} <= names:
        found = {"x_A": _FIRST, "x_B": _FIRST + _APART * _NORMAL}
    elif {"n", "x_B"} <= names:
        found = {"n": _UPWARD, "x_B": np.array([1.1, 0.6, 0.0]) + 1.9 * _UPWARD}
    elif {"n", "c_A", "c_B", "p_A", "p_B"} <= names:
        found = {
            "n": _NORMAL,
            "p_A": _FIRST,
            "p_B": _FIRST + (_APART + 0.3) * _NORMAL,
            "c_A": _FIRST + _ON_FIRST * _NORMAL + _BELOW,
            "c_B": _FIRST + _ON_SECOND * _NORMAL + _BELOW,
        }
    else:
        return {}
    return {name: level(vectors[name].frame) @ value for name, value in found.items()}
