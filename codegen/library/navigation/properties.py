"""Geodetic coordinates of a position: the property that defines them.

A property takes the arguments, then the results, and returns residuals that are all zero where the results
are right and no status flag is raised.
"""

from __future__ import annotations

from sympy import Expr, Matrix, cos, sqrt

from codegen.library.navigation.definitions import ecef_from_geodetic, prime_vertical
from codegen.library.shared.textbook import Scalars, flat


def geodetic_from_ecef(p_E: Scalars, lat: Expr, lon: Expr, h: Expr) -> list[Expr]:
    """The position of lat, lon and h is p, and (N + h) cos(lat) is not negative."""
    level = (prime_vertical(lat) + h) * cos(lat) - sqrt(p_E[0] ** 2 + p_E[1] ** 2)
    return [*flat(Matrix(ecef_from_geodetic(lat, lon, h)) - Matrix(p_E)), level]
