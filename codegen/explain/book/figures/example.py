"""Examples: places of the frames of a kernel in the world, and values of its arguments."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from codegen.explain.book.figures.axes import EARTH, LATITUDE, LONGITUDE, clearest_angles, level
from codegen.explain.book.figures.globe import METRES, RADIUS, Globe, real, shown
from codegen.explain.book.figures.statements import Join, Sort, Turn, Vector, joins, scalar, turns, vectors
from codegen.explain.book.figures.view import Array
from codegen.ir.program import Arg
from codegen.modeling.kernel import Kernel


@dataclass(frozen=True)
class Place:
    """The axes of a frame as columns, and its origin, in the world."""

    R: Array
    p: Array


@dataclass
class Example:
    """Places of the frames of a kernel, and values of its arguments.

    World axes point forward, right and down, in lengths of the axes of a frame. The values of free vectors
    differ with `variant`.
    """

    kernel: Kernel
    variant: int
    places: dict[str, Place] = field(default_factory=dict)
    values: dict[str, Array] = field(default_factory=dict)

    @cached_property
    def joins(self) -> list[Join]:
        """The transforms between the frames."""
        return joins(self.kernel.inputs, self.kernel.outputs)

    @cached_property
    def vectors(self) -> list[Vector]:
        """The vectors, those of the inputs first."""
        return vectors(self.kernel.inputs, self.kernel.outputs)

    @cached_property
    def arguments(self) -> list[Arg]:
        """The inputs and outputs."""
        return [*self.kernel.inputs, *self.kernel.outputs]

    @cached_property
    def frames(self) -> list[str]:
        """The letters of the frames, those that coordinates are taken to before the others."""
        pairs = [frame for join in self.joins for frame in (join.to, join.of)]
        return list(dict.fromkeys([*pairs, *(v.frame for v in self.vectors)]))

    @cached_property
    def sequence(self) -> tuple[Join, tuple[Turn, ...]] | None:
        """The angles of a sequence of three rotations, and its factors."""
        found = ((join, turns(join.arg)) for join in self.joins if join.is_sequence)
        return next((pair for pair in found if len(pair[1]) == 3), None)

    @property
    def turned(self) -> tuple[float, ...]:
        """The values of the angles of the sequence."""
        assert self.sequence
        return clearest_angles(self.sequence[1], self.sequence[0].to)

    @cached_property
    def on_earth(self) -> bool:
        """Whether the Earth is drawn."""
        return "E" in self.frames or self._has_latitude

    @property
    def _has_latitude(self) -> bool:
        return scalar(self.arguments, "rad", "lat", "lat_0") is not None

    @cached_property
    def globe(self) -> Globe:
        """The Earth as it is drawn."""
        return shown(geodetic=self._has_latitude)

    def shift(self, vector: Vector) -> Array:
        """How far positions from the Earth's centre are moved, so that points are as high above the surface
        that is drawn as they are above that of the Earth.
        """
        if not self.globe.is_flat or vector.frame != "E":
            return np.zeros(3)
        return EARTH @ (self.globe.surface(LATITUDE, LONGITUDE) - real().surface(LATITUDE, LONGITUDE))

    @property
    def scale(self) -> float:
        """The length in the world of a metre."""
        return RADIUS / METRES if self.on_earth else 1.0

    @cached_property
    def anchored(self) -> dict[str, str]:
        """The frames whose origins are at the tips of vectors, by the names of the vectors.

        A body is at the only position, where that is expressed in the frame that its attitude refers to.
        """
        positions = [v for v in self.vectors if v.sort is Sort.POSITION and not v.name.endswith("_next")]
        found = {v.name: v.position_of for v in positions if v.position_of in self.frames}
        bodies = {j.of for j in self.joins if all(v.frame == j.to for v in positions)}
        if len(positions) == len(bodies) == 1 and not found:
            found[positions[0].name] = min(bodies)
        return found

    def value(self, vector: Vector) -> Array:
        """The coordinates of a vector in its frame; not finite where the example has none."""
        found = self.values.get(vector.arg.name)
        return np.full(3, math.nan) if found is None else found[vector.first : vector.first + 3]

    def angle(self, *names: str) -> float | None:
        """The value of a scalar angle that has one of these names, None where there is none."""
        found = scalar(self.arguments, "rad", *names)
        value = self.values.get(found.name) if found else None
        return None if value is None or not math.isfinite(value[0]) else float(value[0])

    def start(self, frame: str) -> Place:
        """The place of a frame that no other one determines: with the axes of the first frame."""
        return Place(level(frame if frame in self.joined else self.frames[0]), np.zeros(3))

    @cached_property
    def joined(self) -> set[str]:
        """The frames that a transform has."""
        return {frame for join in self.joins for frame in (join.to, join.of)}

    def axes_at(self, origin: Array) -> list[Array]:
        """The axes that begin at a point of the world."""
        places = (place for place in self.places.values() if np.allclose(place.p, origin))
        return [axis for place in places for axis in place.R.T]
