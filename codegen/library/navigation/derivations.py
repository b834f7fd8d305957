"""The ellipsoid as the gradient of its support function, local axes as derivatives of its normal."""

from __future__ import annotations

from fractions import Fraction

import casadi as ca
from casadi import SX

from codegen.ir.systems import casadi_system
from codegen.library.shared.calculus import flat, gradient, jacobian, matrix3, rate, vee


def dcm_ecef_to_ned(lat: SX, lon: SX) -> SX:
    """North and east are where the normal moves with `lat` and `lon`, down is opposite to it."""
    changes = jacobian(lambda s: normal(s[0], s[1]), ca.vertcat(lat, lon))
    return flat(ca.horzcat(changes[:, 0], changes[:, 1] / ca.cos(lat), -normal(lat, lon)).T)


def ecef_from_geodetic(lat: SX, lon: SX, h: SX) -> SX:
    """A convex body's point with a given normal is the gradient of its support function, moved out by `h`."""
    n = normal(lat, lon)
    return flat(gradient(support, n) + h * n)


def curvature_radii(lat: SX) -> SX:
    """How far the foot of the normal moves north with `lat`, and east with `lon` per cosine of `lat`."""
    north, east = _metres(lat, SX(0), SX(0))
    return flat(north, east / ca.cos(lat))


def earth_rate_ned(lat: SX, Omega: SX) -> SX:
    """`Omega` times the components of the Earth's axis: its derivatives along north, east and down."""
    return flat(Omega * matrix3(dcm_ecef_to_ned(lat, SX(0)))[:, 2])


def transport_rate_ned(lat: SX, h: SX, v_N: SX) -> SX:
    """The vector of the turning axes' antisymmetric matrix, with the rates of `lat` and `lon` by `v_N`."""
    north, east = _metres(lat, SX(0), h)
    dlat, dlon = v_N[0] / north, v_N[1] / east
    dR_NE = rate(lambda t: dcm_ecef_to_ned(lat + dlat * t, dlon * t))
    return flat(vee(matrix3(dcm_ecef_to_ned(lat, SX(0))) @ matrix3(dR_NE).T))


def ned_from_ecef(p_E: SX, lat_0: SX, lon_0: SX, h_0: SX) -> SX:
    """Minus half the gradient of the squared distance with respect to a displacement of the origin in N."""
    origin, axes = ecef_from_geodetic(lat_0, lon_0, h_0), matrix3(dcm_ecef_to_ned(lat_0, lon_0))

    def square(x: SX) -> SX:
        return ca.sumsqr(p_E - origin - axes.T @ x)

    return flat(-gradient(square, SX.zeros(3)) / 2)


def ecef_from_ned(p_N: SX, lat_0: SX, lon_0: SX, h_0: SX) -> SX:
    """From the origin along the gradients of the north, east and down coordinates."""
    axes = jacobian(lambda p_E: ned_from_ecef(p_E, lat_0, lon_0, h_0), SX.zeros(3))
    return flat(ecef_from_geodetic(lat_0, lon_0, h_0) + axes.T @ p_N)


def dcm_eci_to_ecef(theta: SX) -> SX:
    """The columns are I's axes in E: the first, and its rate of change with `theta`, minus the second."""

    def x_axis(angle: SX) -> SX:
        return ca.vertcat(ca.cos(angle), -ca.sin(angle), 0)

    return flat(ca.horzcat(x_axis(theta), -jacobian(x_axis, theta), ca.vertcat(0, 0, 1)))


def ecef_from_eci(p_I: SX, v_I: SX, theta: SX, Omega: SX) -> SX:
    """The position and its rate of change in axes that turn."""

    def position(t: SX) -> SX:
        return matrix3(dcm_eci_to_ecef(theta + Omega * t)) @ (p_I + v_I * t)

    return flat(position(SX(0)), rate(position))


def eci_from_ecef(p_E: SX, v_E: SX, theta: SX, Omega: SX) -> SX:
    """The position and its rate of change in axes that stand still."""

    def position(t: SX) -> SX:
        return matrix3(dcm_eci_to_ecef(theta + Omega * t)).T @ (p_E + v_E * t)

    return flat(position(SX(0)), rate(position))


def _metres(lat: SX, lon: SX, h: SX) -> tuple[SX, SX]:
    """How far a point moves north per latitude and east per longitude."""
    change = jacobian(lambda s: ecef_from_geodetic(s[0], s[1], h), ca.vertcat(lat, lon))
    moved = matrix3(dcm_ecef_to_ned(lat, lon)) @ change
    return moved[0, 0], moved[1, 1]


def normal(lat: SX, lon: SX) -> SX:
    """The unit vector at a latitude and longitude."""
    return ca.vertcat(ca.cos(lat) * ca.cos(lon), ca.cos(lat) * ca.sin(lon), ca.sin(lat))


def support(n: SX) -> SX:
    """max of n.x over the ellipsoid x^2/a^2 + y^2/a^2 + z^2/b^2 = 1: |[a n_x, a n_y, b n_z]|."""
    b_of_a = casadi_system().constant(1 - 1 / Fraction("298.257223563"))  # exact, as no SX number is
    flattened = b_of_a * n[2]
    radius: SX = 6378137 * ca.sqrt(n[0] ** 2 + n[1] ** 2 + flattened**2)
    return radius
