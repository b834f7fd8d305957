"""What stands beside the vectors of a figure: spheres, a plane, an attracting body, and distances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from codegen.explain.book.figures.axes import EARTH, LATITUDE, LONGITUDE
from codegen.explain.book.figures.example import Example
from codegen.explain.book.figures.lettering import Text
from codegen.explain.book.figures.points import beginning, is_from_attractor, position_tip
from codegen.explain.book.figures.statements import Sort, Vector, scalar
from codegen.explain.book.figures.view import Array
from codegen.notation.layout import Symbol

_ATTRACTOR = 0.22
"""The radius of an attracting body, which is not to scale."""

_PLANE = 0.9
"""Half the width of the part of a plane that is drawn."""


@dataclass(frozen=True)
class Ball:
    """A sphere."""

    at: Array
    radius: float
    text: Text = ()


@dataclass(frozen=True)
class Span:
    """A distance between two points."""

    start: Array
    end: Array
    text: Text


def balls(shown: Example) -> Iterator[Ball]:
    """The spheres whose centres and radii are arguments, and the body that attracts."""
    for vector in shown.vectors:
        if is_from_attractor(shown, vector):
            yield Ball(beginning(shown, vector), _ATTRACTOR, ("attracting body",))
        radius = scalar(shown.arguments, "m", f"r_{vector.name.rpartition('_')[2]}")
        if vector.name.startswith("x_") and vector.sort is Sort.POSITION and radius:
            yield Ball(position_tip(shown, vector), float(shown.values[radius.name][0]))


def surfaces(shown: Example) -> Iterator[Array]:
    """A part of the plane `n.x = d` about the contact point on it."""
    normal, offset = _vector(shown, "n"), scalar(shown.arguments, "m", "d")
    at = _vector(shown, "c_A")
    if normal is None or offset is None or at is None:
        return
    n = shown.places[normal.frame].R @ shown.value(normal)
    across = np.cross(n, [1.0, 0.0, 0.0])
    across /= np.linalg.norm(across)
    along = np.cross(across, n)
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    yield np.array([position_tip(shown, at) + _PLANE * (i * across + j * along) for i, j in corners])


def spans(shown: Example) -> Iterator[Span]:
    """The gap between the contact points, and the height above the ellipsoid."""
    first, second = _vector(shown, "c_A"), _vector(shown, "c_B")
    if first and second:
        gap = Symbol("gap", upright=True)
        yield Span(position_tip(shown, first), position_tip(shown, second), (gap,))
    position = _vector(shown, "p_E")
    if position and scalar(shown.arguments, "m", "h") and shown.globe.is_flat:
        ground = EARTH @ shown.globe.surface(LATITUDE, LONGITUDE)
        yield Span(ground, position_tip(shown, position), (Symbol("h"),))


def _vector(shown: Example, name: str) -> Vector | None:
    return next((v for v in shown.vectors if v.name == name), None)
