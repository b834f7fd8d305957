"""The Earth as figures show it: an ellipsoid, flatter than the real one where latitude is geodetic.

Its normals do not pass through the centre then, as those of the real one, where no figure could show it.
Coordinates are in Earth-fixed axes, in lengths of the axes of a frame.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from codegen.explain.book.figures.axes import EARTH, LONGITUDE, elementary
from codegen.explain.book.figures.view import CAMERA, VIEWER, Array

RADIUS, METRES = 1.9, 6378137.0
"""The radius of the equator in the world of an example, and in metres."""

WGS84 = 1 / 298.257223563
_SHOWN = 0.3
"""The flattening of the Earth, and that of figures with a geodetic latitude."""


@dataclass(frozen=True)
class Globe:
    """The Earth with a flattening; it is a sphere where nothing says how flat it is."""

    flattening: float

    @property
    def is_flat(self) -> bool:
        """Whether it is flatter than the real Earth."""
        return self.flattening > 0

    def surface(self, lat: float, lon: float) -> Array:
        """The point of the surface with a geodetic latitude and a longitude."""
        across, up = self._meridian(lat)
        return np.array([across * math.cos(lon), across * math.sin(lon), up])

    def foot(self, lat: float, lon: float) -> Array:
        """The point of the equatorial plane on the normal of the surface there."""
        across, up = self._meridian(lat)
        reach = across - up * math.cos(lat) / math.sin(lat)
        return np.array([reach * math.cos(lon), reach * math.sin(lon), 0.0])

    def _meridian(self, lat: float) -> tuple[float, float]:
        """The distances from the axis and from the equatorial plane."""
        ratio = (1 - self.flattening) ** 2
        curvature = RADIUS / math.sqrt(math.cos(lat) ** 2 + ratio * math.sin(lat) ** 2)
        return curvature * math.cos(lat), ratio * curvature * math.sin(lat)

    def rings(self) -> Iterator[list[tuple[Array, bool]]]:
        """The equator and the meridian of the example: points of the world, and whether they are seen."""
        around, half = np.linspace(0, 2 * np.pi, 49), np.linspace(-np.pi / 2, np.pi / 2, 25)
        polar = RADIUS * (1 - self.flattening)
        turned = elementary(2, LONGITUDE)
        equator = RADIUS * np.stack([np.cos(around), np.sin(around), 0 * around], axis=1)
        meridian = np.stack([RADIUS * np.cos(half), 0 * half, polar * np.sin(half)], axis=1)
        for ring in (equator, meridian):
            normals = ring / [1, 1, (1 - self.flattening) ** 2]
            seen = normals @ (EARTH @ turned).T @ VIEWER >= -1e-9
            yield list(zip(ring @ (EARTH @ turned).T, map(bool, seen), strict=True))

    @property
    def outline(self) -> tuple[float, float]:
        """Half the width and half the height of its outline on the page, on which its axis is upright."""
        axis = CAMERA @ EARTH[:, 2]
        upright = float(axis @ axis)  # the squared cosine of the angle from the page to the axis
        return RADIUS, RADIUS * math.sqrt(1 - upright + upright * (1 - self.flattening) ** 2)


def real() -> Globe:
    """The Earth of WGS 84."""
    return Globe(WGS84)


def shown(geodetic: bool) -> Globe:
    """The Earth of a figure."""
    return Globe(_SHOWN if geodetic else 0.0)
