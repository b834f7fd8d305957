"""Gives the arguments of an example their values: the inputs, and the results of the kernel's Program."""

from __future__ import annotations

import math
from itertools import count, product

import numpy as np

from codegen.explain.book.arrays import rounded
from codegen.explain.book.figures.axes import (
    EARTH,
    EARTH_ANGLE,
    LATITUDE,
    LONGITUDE,
    elementary,
    level,
    local_axes,
    quaternion_of,
)
from codegen.explain.book.figures.contacts import contact
from codegen.explain.book.figures.example import Example
from codegen.explain.book.figures.globe import METRES, RADIUS, real
from codegen.explain.book.figures.placing import POSITIONS, move_origins
from codegen.explain.book.figures.points import begins_at, is_from_attractor
from codegen.explain.book.figures.statements import Join, Sort, Vector, scalar
from codegen.explain.book.figures.view import Array, clearest
from codegen.ir.program import Arg, evaluate
from codegen.ir.systems import F64
from codegen.ir.types import Real, sample, size

_ALPHA, _BETA = 0.45, 0.5

_ANGLES = {
    "alpha": _ALPHA, "beta": _BETA, "lat": LATITUDE, "lat_0": LATITUDE, "lon": LONGITUDE, "lon_0": LONGITUDE,
    "theta": EARTH_ANGLE,
}  # fmt: skip
"""Values of scalar angles by their names."""

_SCALARS = {"rad": 0.5, "m": 0.6, "kg": 2.0, "s": 0.4, "rad/s": 0.8, "kg/s": -0.5, "m/s": 40.0}
"""Values of other scalars by unit."""

_FAR = 1.8
"""How far an attracting body is."""

_EARTH_RATE = 7.292115e-5

_DIRECTIONS = np.array(
    [np.array(d) / math.hypot(*d) for d in product((1, 0.65, 0.3, 0, -0.3, -0.65, -1), repeat=3) if any(d)]
)
"""Directions that vectors may have."""

_FORWARD, _NEARLY = (1.0, 0.0, 0.0), 0.9
"""The direction that velocities have nearly, and the least cosine of the angle to it."""


def give(made: Example) -> None:
    """Give each input a value that agrees with the places of the frames."""
    joined = {j.arg.name: j for j in made.joins}
    for arg in made.kernel.inputs:
        if arg.name in joined:
            made.values[arg.name] = _joined(made, joined[arg.name])
        elif isinstance(arg.type, Real):
            made.values[arg.name] = np.array([_scalar(made, arg)])
        else:
            made.values[arg.name] = _sampled(arg, len(made.values))
    free = [v for v in made.vectors if v.given and v.arg.name not in joined]
    known = contact({v.name: v for v in made.vectors})
    for k, vector in enumerate(v for v in free if v.name in made.anchored):
        made.value(vector)[:] = _origin(made, vector, k)
    for vector in (v for v in free if v.name in known):
        made.value(vector)[:] = known[vector.name]
    move_origins(made, given=True)
    placed = [v for v in free if v.frame in made.places]  # the results place the other frames
    others = [v for v in placed if v.name not in made.anchored and v.name not in known]
    _give_vectors(made, [v for v in others if v.sort is not Sort.FIRST_MOMENT])


def compute(made: Example) -> None:
    """Add the results."""
    scalars = [np.array([x]) for arg in made.kernel.inputs for x in made.values[arg.name]]
    with np.errstate(all="ignore"):
        results = evaluate(made.kernel.program(), rounded(F64), scalars).results
    numbers = iter([float(np.asarray(r, dtype=float).ravel()[0]) for r in results])
    for arg in made.kernel.outputs:
        made.values[arg.name] = np.array([next(numbers) for _ in range(arg.size)])


def _joined(made: Example, join: Join) -> Array:
    """The value of an input that the places of two frames determine."""
    if join.is_sequence:
        return np.array(made.turned if made.sequence else (0.0, 0.0, 0.0))
    outer, inner = made.places[join.to], made.places[join.of]
    R, p = outer.R.T @ inner.R, outer.R.T @ (inner.p - outer.p)
    if size(join.arg.type) >= 9:
        return np.append(R.ravel(), p)[: size(join.arg.type)]
    q = quaternion_of(R)
    return q if size(join.arg.type) == 4 else q[1:] / (1 + q[0])


def _scalar(made: Example, arg: Arg) -> float:
    """The value of a scalar; the origin of N is on the Earth's surface."""
    if arg.unit == "rad" and arg.name in _ANGLES:
        return _ANGLES[arg.name]
    if made.on_earth and arg.unit in ("m", "rad/s"):
        height = 0.0 if arg.name.endswith("_0") else 0.4 * METRES
        return height if arg.unit == "m" else _EARTH_RATE
    return _SCALARS.get(arg.unit, 0.5)


def _sampled(arg: Arg, first: int) -> Array:
    """A sample of a type for fixed numbers, which differ with the first one."""
    numbers = count(first)
    scalars = sample(arg.type, lambda: 0.2 + 0.7 * math.sin(2.4 * next(numbers)) ** 2)
    return np.array([float(x) for x in scalars])


# Vectors


def _origin(made: Example, vector: Vector, k: int) -> Array:
    """The position of a frame's origin."""
    return (
        _above_earth(made, vector) if made.on_earth else level(vector.frame) @ POSITIONS[k % len(POSITIONS)]
    )


def _give_vectors(made: Example, free: list[Vector]) -> None:
    """Give vectors values that are told apart from each other and from the axes of the frames."""
    present: dict[tuple[float, ...] | str, list[Array]] = {}
    for vector in free:
        place, position = made.places[vector.frame], begins_at(made, vector)
        drawn = (
            present.setdefault(position.name, []) if position
            else present.setdefault(tuple(place.p), made.axes_at(place.p))
        )  # fmt: skip
        if made.on_earth and vector.sort is Sort.POSITION:
            value = _above_earth(made, vector)
        elif made.on_earth and vector.frame == "E" and vector.unit == "rad/s":
            value = np.array([0.0, 0.0, _EARTH_RATE])
        elif vector.unit == "m/s" and scalar(made.arguments, "rad", "alpha"):
            value = elementary(1, -_ALPHA) @ elementary(2, _BETA) @ _FORWARD
        else:
            world = clearest(_candidates(made, vector) @ (place.R @ level(vector.frame)).T, drawn)
            value = place.R.T @ world
        drawn.append(place.R @ value / np.linalg.norm(value))
        made.value(vector)[:] = _FAR * value if is_from_attractor(made, vector) else value


def _candidates(made: Example, vector: Vector) -> Array:
    """Directions that a vector may have, in forward, right and down."""
    if vector.is_gravity:
        return np.array([[0.0, 0.0, 1.0]])
    nearly = vector.unit == "m/s"
    found = _DIRECTIONS[_DIRECTIONS @ _FORWARD > _NEARLY] if nearly else _DIRECTIONS
    return found[made.variant :: 1 + made.variant]


def _above_earth(made: Example, vector: Vector) -> Array:
    """A point above the surface, in metres, in the axes of its frame."""
    above = np.array([0.25, 0.55, -0.3]) * METRES if "N" in made.places else np.array([0, 0, -0.4]) * METRES
    if vector.frame == "N":
        return above
    ground = METRES / RADIUS * real().surface(LATITUDE, LONGITUDE)
    return made.places[vector.frame].R.T @ EARTH @ (ground + local_axes() @ above)
