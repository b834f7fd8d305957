"""Where vectors begin and end: at the tips of positions, as the moment about P at the tip of r_P.

Vectors of which nothing is said begin at the origin of their frame.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from codegen.explain.book.figures.example import Example
from codegen.explain.book.figures.statements import Vector
from codegen.explain.book.figures.view import Array

_BODY = dict.fromkeys(("v_B", "F_B", "M_B"), ("p_N", "p_E"))
"""What is of the centre of mass, or about it."""

BEGINNINGS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "rigid_body": {**_BODY, "v_E": ("p_E",), "F_E": ("p_E",)},
    "rigid_body_steps": _BODY,
    "loads": {
        "M_P": ("r_P",), "F": ("r_P",), "M_cm": ("r_cm",), "v": ("r",), "a_P": ("r",), "g_E": ("p_E",),
        "M_B": ("p_B",),
    },
    "contact": {"n": ("c_A",), "D_A.f_N": ("c_A",), "D_B.f_N": ("c_B",)},
    "inertia_forms": {"U_Q.c": ("p_PQ",)},
}  # fmt: skip
"""The positions at whose tip a vector begins, the first that a kernel has, by the subjects of the library."""

_FROM_ATTRACTOR = {("loads", "p_B")}
"""Positions that lead from an attracting body to the origin of the frame."""


def begins_at(made: Example, vector: Vector) -> Vector | None:
    """The position at whose tip a vector begins; None for the origin of its frame."""
    tips = BEGINNINGS.get(made.kernel.module, {}).get(vector.name, ())
    return next((v for v in made.vectors if v.name in tips), None)


def is_from_attractor(made: Example, vector: Vector) -> bool:
    """Whether a position leads from an attracting body to the origin of the frame."""
    return (made.kernel.module, vector.name) in _FROM_ATTRACTOR


def beginning(made: Example, vector: Vector) -> Array:
    """The point of the world at which a vector begins."""
    place, position = made.places[vector.frame], begins_at(made, vector)
    if is_from_attractor(made, vector):
        return place.p - made.scale * place.R @ made.value(vector)
    tip = position_tip(made, position) if position else place.p
    return tip if np.isfinite(tip).all() else place.p


def position_tip(made: Example, vector: Vector) -> Array:
    """The point of the world at which a position ends."""
    place = made.places[vector.frame]
    moved = made.scale * place.R @ made.value(vector)
    return beginning(made, vector) + moved + made.shift(vector)
