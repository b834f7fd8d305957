"""The angles that a figure shows as arcs: Euler angles, flow angles, and angles on the Earth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from codegen.explain.book.figures.axes import EARTH, LONGITUDE, elementary
from codegen.explain.book.figures.example import Example
from codegen.explain.book.figures.globe import RADIUS
from codegen.explain.book.figures.lettering import Text
from codegen.explain.book.figures.statements import scalar
from codegen.explain.book.figures.view import Array
from codegen.notation.layout import GREEK, Symbol


@dataclass(frozen=True)
class Arc:
    """An angle: the points of its arc, and the lines that it is measured from and to."""

    points: Array
    legs: tuple[Array, ...]
    text: Text


def arcs(shown: Example) -> list[Arc]:
    """All angles of an example."""
    return [*_of_sequence(shown), *_of_wind(shown), *_of_earth(shown)]


def _arc(
    at: Array, first: Array, axis: Array, angle: float, radius: float, text: Text, reach: float = 1
) -> Arc:
    """The arc of a radius from a unit vector that turns about a perpendicular axis."""
    other = np.cross(axis, first)
    steps = np.linspace(0, angle, 13)[:, None]
    points = at + radius * (np.cos(steps) * first + np.sin(steps) * other)
    ends = (at + reach / radius * (points[k] - at) for k in (0, -1))
    return Arc(points, tuple(np.array([at, end]) for end in ends), text)


def _of_sequence(shown: Example) -> Iterator[Arc]:
    """The turns from the outer frame to the inner one, each about an axis that the turns before moved."""
    if shown.sequence is None:
        return
    join, turns = shown.sequence
    place = shown.places[join.to]
    R = place.R
    angles = shown.values.get(join.arg.name)
    if angles is None or not np.isfinite(angles).all():
        return
    by_letter = {t.angle: angles[t.component] for t in turns}
    rate = any(a.name == f"d{join.arg.name}" for a in shown.arguments)
    for k, turn in enumerate(turns):
        moved = next(axis for axis in _MOVED[turn.axis] if k or axis != turns[1].axis)
        name, *below = turn.angle.split("_")
        letter = GREEK.get(name, name)
        text: Text = (Symbol(letter, tuple(below)),)
        if rate:
            text = (*text, ", ", Symbol(letter, tuple(below), rate=True))
        yield _arc(place.p, R[:, moved], R[:, turn.axis], by_letter[turn.angle], 0.62 + 0.12 * k, text)
        R = R @ elementary(turn.axis, by_letter[turn.angle])


_MOVED = ((2, 1), (0, 2), (0, 1))
"""The axes that show a turn about each axis, the better one first."""


def _of_wind(shown: Example) -> Iterator[Arc]:
    """Angle of attack in the plane of symmetry, sideslip from there to the velocity."""
    alpha, beta = shown.angle("alpha"), shown.angle("beta")
    if alpha is None or beta is None or "B" not in shown.places:
        return
    place = shown.places["B"]
    x, y, z = place.R.T
    level = np.cos(alpha) * x + np.sin(alpha) * z
    yield _arc(place.p, x, -y, alpha, 0.85, (Symbol(GREEK["alpha"]),))
    yield _arc(place.p, level, np.cross(level, y), beta, 0.72, (Symbol(GREEK["beta"]),))


def _of_earth(shown: Example) -> Iterator[Arc]:
    """Longitude in the equator's plane, the angle of the surface's normal with it, and sidereal time."""
    lat, lon, theta = shown.angle("lat", "lat_0"), shown.angle("lon", "lon_0"), shown.angle("theta")
    centre, (x, _, z) = np.zeros(3), EARTH.T
    below = ("0",) if scalar(shown.arguments, "rad", "lat_0") else ()
    if lon is not None:
        yield _arc(centre, x, z, lon, 0.75, (Symbol("lon", below, upright=True),), RADIUS)
    if lat is not None:
        meridian, foot = (EARTH @ elementary(2, LONGITUDE))[:, 0], EARTH @ shown.globe.foot(lat, LONGITUDE)
        end = EARTH @ shown.globe.surface(lat, LONGITUDE)
        text = (Symbol("lat", below, upright=True),)
        found = _arc(foot, meridian, np.cross(meridian, z), lat, 0.55, text)
        yield replace(found, legs=(np.array([centre, RADIUS * meridian]), np.array([foot, end])))
    if theta is not None and "I" in shown.places:
        yield _arc(centre, shown.places["I"].R[:, 0], z, theta, 0.6, (Symbol(GREEK["theta"]),))
