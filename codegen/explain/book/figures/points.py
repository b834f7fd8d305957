"""Where vectors begin and end: at the points that arguments name, as the moment about P at the tip of r_P.

A position says whose it is, another vector what it is of, about or from. Vectors that name no point begin at
the origin of their frame.
"""

from __future__ import annotations

import re

import numpy as np

from codegen.explain.book.figures.example import Example
from codegen.explain.book.figures.statements import Sort, Vector
from codegen.explain.book.figures.view import Array
from codegen.notation.prose import plain

_POINT = r"(?:the point )?(?P<point>the centre of mass|[A-Z])\b(?!')"
_POSITION = re.compile(rf"(?:position of|contact point on) {_POINT}")
_FROM = re.compile(rf"\bfrom {_POINT}")
_AT = re.compile(rf"\b(?:of|about|from) {_POINT}")


def begins_at(made: Example, vector: Vector) -> Vector | None:
    """The position at whose tip a vector begins; None for the origin of its frame."""
    positions = [v for v in made.vectors if v.sort is Sort.POSITION and v is not vector]
    if vector.is_gravity:
        given = [v for v in positions if v.given]
        return given[0] if len(given) == 1 and not is_from_attractor(given[0]) else None
    point = _named(vector)
    if not point and vector.unit == "N" and vector.given:  # a force that is given with a moment about a point
        moments = {_named(v) for v in made.vectors if v.unit == "N m" and v.given}
        point = moments.pop() if len(moments) == 1 else ""
    if point in ("", vector.frame):
        return None
    return next((v for v in positions if _is_position_of(v, point)), None)


def _named(vector: Vector) -> str:
    """The point that the documentation of a vector says it is of, about or from."""
    found = (_FROM if vector.sort is Sort.POSITION else _AT).search(plain(vector.arg.doc))
    return found["point"] if found else ""


def _is_position_of(vector: Vector, point: str) -> bool:
    found = _POSITION.match(plain(vector.arg.doc))
    return found is not None and found["point"] == point


def is_from_attractor(vector: Vector) -> bool:
    """Whether a position leads from an attracting body to the origin of the frame."""
    return vector.sort is Sort.POSITION and "from the attracting body's centre" in vector.arg.doc


def beginning(made: Example, vector: Vector) -> Array:
    """The point of the world at which a vector begins."""
    place, position = made.places[vector.frame], begins_at(made, vector)
    if is_from_attractor(vector):
        return place.p - made.scale * place.R @ made.value(vector)
    tip = position_tip(made, position) if position else place.p
    return tip if np.isfinite(tip).all() else place.p


def position_tip(made: Example, vector: Vector) -> Array:
    """The point of the world at which a position ends."""
    place = made.places[vector.frame]
    moved = made.scale * place.R @ made.value(vector)
    return beginning(made, vector) + moved + made.shift(vector)
