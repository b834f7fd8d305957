"""Kernels that invert another function: the property of their results that defines them.

A property takes the arguments, then the results, and returns residuals that are all zero where
the results are right and no failure status is raised.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sympy import Abs, And, Eq, Expr, Matrix, Piecewise, acos, atan2, cos, diag, eye, pi, sin, sqrt

from .air_data import velocity_from_air_data as air_velocity
from .euler import Turn, dcm_from_euler, sequences
from .navigation import ecef_from_geodetic, prime_vertical
from .rotation import dcm_from_rpy, quat_to_dcm, quat_to_dcm_unit
from .textbook import (
    Scalars,
    conjugate,
    flat,
    homogeneous,
    left_product,
    matrix3,
    symmetric,
    vee,
)
from .transform import transform_inverse


def dcm_to_quat(R_AB: Scalars, q_AB: Scalars) -> list[Expr]:
    """R(q) = R and q.q = 1; which of q and -q is a convention that the definition fixes."""
    q = Matrix(q_AB)
    return [*flat(Matrix(quat_to_dcm_unit(q_AB)) - Matrix(R_AB)), q.dot(q) - 1]


def rpy_from_dcm(R_NB: Scalars, rpy: Scalars) -> list[Expr]:
    """Rz(psi) Ry(theta) Rx(phi) = R, and cos(theta) = sqrt(R00^2 + R10^2) is not negative.

    The second condition leaves one of the two triples that give the same matrix, the one with
    theta in [-pi/2, pi/2].
    """
    residual = Matrix(dcm_from_rpy(rpy)) - Matrix(R_NB)
    return [*flat(residual), cos(rpy[1]) - sqrt(R_NB[0] ** 2 + R_NB[3] ** 2)]


def rpy_from_quat(q_NB: Scalars, rpy: Scalars) -> list[Expr]:
    """The property of rpy_from_dcm for the rotation matrix of q, which need not be unit."""
    return rpy_from_dcm(quat_to_dcm(q_NB), rpy)


def angle_wrap(angle: Expr, wrapped: Expr) -> list[Expr]:
    """Both angles have the same sine and cosine, and wrapped is in (-pi, pi]."""
    outside = Piecewise((0, And(wrapped > -pi, wrapped <= pi)), (1, True))
    return [sin(wrapped) - sin(angle), cos(wrapped) - cos(angle), outside]


def rotvec_from_quat(q: Scalars, r: Scalars) -> list[Expr]:
    """The axis r / |r| and the angle |r| are those of q; where r = 0, q is a multiple of 1."""
    length = _norm(r)
    safe = length + Piecewise((0, length > 0), (1, True))
    return _turn([x / safe for x in r], length, q)


def axis_angle_from_quat(q: Scalars, axis: Scalars, angle: Expr) -> list[Expr]:
    """A turn by the angle about the axis, a unit vector, is the rotation of q; 0 <= angle <= pi."""
    return [_norm(axis) - 1, *_turn(axis, angle, q)]


def quat_error(q_NB: Scalars, q_ND: Scalars, e_B: Scalars) -> list[Expr]:
    """R_NB exp(e_B~) = R_ND, and |e_B| <= pi: the property of rotvec_from_quat for q_NB* q_ND."""
    return rotvec_from_quat(flat(left_product(flat(conjugate(q_NB))) * Matrix(q_ND)), e_B)


def _turn(axis: Scalars, angle: Expr, q: Scalars) -> list[Expr]:
    """The rotation matrix of [cos(h), sin(h) axis], h = angle / 2, is that of q, and h in [0, pi/2].

    The range follows from cos(h) = |w| / |q| and sin(h) = |u| / |q| of q = [w, u], h in [-pi, pi].
    """
    c, s = cos(angle / 2), sin(angle / 2)
    same = Matrix(quat_to_dcm([c, *(s * x for x in axis)])) - Matrix(quat_to_dcm(q))
    in_range = [c - Abs(q[0]) / _norm(q), s - _norm(q[1:]) / _norm(q), angle / 2 - atan2(s, c)]
    return [*flat(same), *in_range]


def _norm(v: Scalars) -> Expr:
    return sqrt(Matrix(v).dot(Matrix(v)))


def air_data_from_velocity(v_air_B: Scalars, V: Expr, alpha: Expr, beta: Expr) -> list[Expr]:
    """The velocity of V, alpha and beta is v, and cos(beta) is not negative."""
    level = V * cos(beta) - sqrt(v_air_B[0] ** 2 + v_air_B[2] ** 2)
    return [*flat(Matrix(air_velocity(V, alpha, beta)) - Matrix(v_air_B)), level]


def geodetic_from_ecef(p_E: Scalars, lat: Expr, lon: Expr, h: Expr) -> list[Expr]:
    """The position of lat, lon and h is p, and (N + h) cos(lat) is not negative."""
    level = (prime_vertical(lat) + h) * cos(lat) - sqrt(p_E[0] ** 2 + p_E[1] ** 2)
    return [*flat(Matrix(ecef_from_geodetic(lat, lon, h)) - Matrix(p_E)), level]


def euler_from_dcm(factors: list[Turn], R_AB: Scalars, angles: Scalars) -> list[Expr]:
    """The product of the turns is R, and the middle angle is in its range.

    That of a proper sequence (first letter = last) is [0, pi], of others [-pi/2, pi/2].
    """
    proper, middle = factors[0][0] == factors[2][0], angles[1]
    side = sin(middle) if proper else cos(middle)
    in_range = [side - Abs(side), middle - atan2(sin(middle), cos(middle))]
    return [*flat(Matrix(dcm_from_euler(factors, angles)) - Matrix(R_AB)), *in_range]


def euler_from_quat(factors: list[Turn], q_AB: Scalars, angles: Scalars) -> list[Expr]:
    """The property of euler_from_dcm for the rotation matrix of q, which need not be unit."""
    return euler_from_dcm(factors, quat_to_dcm(q_AB), angles)


def inertia_factor(I_com: Scalars, L: Scalars, D: Scalars, perm: Scalars, rank: Expr) -> list[Expr]:
    """L D L^T is I_com with its axes in the order of perm, and the first pivots, rank of them, are not 0."""
    lower = Matrix([[1, 0, 0], [L[0], 1, 0], [L[1], L[2], 1]])
    P = Matrix(3, 3, lambda i, j: Piecewise((1, Eq(perm[i], j)), (0, True)))
    missing = [Piecewise((d, k >= rank), (0, d > 0), (1, True)) for k, d in enumerate(D)]
    return [*flat(lower * diag(*D) * lower.T - P * symmetric(I_com) * P.T), *missing]


def inertia_principal(I_com: Scalars, moments: Scalars, R_BP: Scalars) -> list[Expr]:
    """R diag(moments) R^T = I_com, R is orthonormal with determinant 1, and the moments ascend."""
    R, (low, middle, high) = matrix3(R_BP), moments
    ascend = Piecewise((0, And(low <= middle, middle <= high)), (1, True))
    rebuilt = R * diag(*moments) * R.T - symmetric(I_com)
    return [*flat(rebuilt, R.T * R - eye(3)), R.det() - 1, ascend]


FAMILY: dict[str, Callable[..., list[Expr]]] = {
    f"euler_{suffix}_from_{attitude}": partial(property_, factors)
    for suffix, factors in sequences().items()
    for attitude, property_ in (("dcm", euler_from_dcm), ("quat", euler_from_quat))
}


def transform_interpolate(T_A0: Scalars, T_A1: Scalars, t: Expr, T_At: Scalars) -> list[Expr]:
    """T_0t = T_A0^-1 T_At is on the screw of T_01 = T_A0^-1 T_A1, t times as far.

    Displacements commute when they have one screw axis; the angle's cosine is in the trace, its sine in the
    axial vector, and what a displacement slides along the axis is p's part there.
    """
    to_0 = homogeneous(transform_inverse(T_A0))
    T_01, T_0t = to_0 * homogeneous(T_A1), to_0 * homogeneous(T_At)
    R_01, R_0t = T_01[:3, :3], T_0t[:3, :3]
    axial_01, axial_0t = vee(R_01 - R_01.T) / 2, vee(R_0t - R_0t.T) / 2
    angle = acos((R_01.trace() - 1) / 2)
    return [
        *flat(T_01 * T_0t - T_0t * T_01, R_0t * R_0t.T - eye(3)),
        (R_0t.trace() - 1) / 2 - cos(t * angle),
        axial_0t.dot(axial_01) - sin(t * angle) * sin(angle),
        axial_01.dot(T_0t[:3, 3]) - t * axial_01.dot(T_01[:3, 3]),
    ]
