"""The ellipsoid as the gradient of its support function, local axes as derivatives of its normal."""

from __future__ import annotations

from fractions import Fraction

import casadi as ca
from casadi import SX

from codegen.ir.systems import casadi_system
from codegen.library.shared.calculus import flat, gradient, jacobian


def dcm_ecef_to_ned(lat: SX, lon: SX) -> SX:
    """North and east are the directions of the normal's change with lat and lon, down is opposite to it."""
    changes = jacobian(lambda s: normal(s[0], s[1]), ca.vertcat(lat, lon))
    return flat(ca.horzcat(changes[:, 0], changes[:, 1] / ca.cos(lat), -normal(lat, lon)).T)


def ecef_from_geodetic(lat: SX, lon: SX, h: SX) -> SX:
    """The point of a convex body with normal n is the gradient at n of max_x n.x, plus h n."""
    n = normal(lat, lon)
    return flat(gradient(support, n) + h * n)


def normal(lat: SX, lon: SX) -> SX:
    """The unit vector at a latitude and longitude."""
    return ca.vertcat(ca.cos(lat) * ca.cos(lon), ca.cos(lat) * ca.sin(lon), ca.sin(lat))


def support(n: SX) -> SX:
    """max of n.x over the ellipsoid x^2/a^2 + y^2/a^2 + z^2/b^2 = 1: |[a n_x, a n_y, b n_z]|."""
    b_of_a = casadi_system().constant(1 - 1 / Fraction("298.257223563"))  # exact, as no SX number is
    flattened = b_of_a * n[2]
    radius: SX = 6378137 * ca.sqrt(n[0] ** 2 + n[1] ** 2 + flattened**2)
    return radius
