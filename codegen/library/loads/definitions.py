"""Transfer of forces, moments, velocities and accelerations between points of a body, as matrix products."""

from __future__ import annotations

from sympy import Expr, Matrix

from codegen.library.shared.textbook import (
    Scalars,
    conjugate,
    flat,
    force_matrix,
    motion_matrix,
    sandwich,
    skew,
    symmetric,
)

_NO_ROTATION = (1, 0, 0, 0, 1, 0, 0, 0, 1)


def gravity_body(q_NB: Scalars, m: Expr, g_N: Scalars) -> list[Expr]:
    """m q* (x) [0, g_N] (x) q (Stevens & Lewis)."""
    return flat(sandwich(conjugate(q_NB)) * Matrix(g_N) * m)


def moment_transfer(M_P: Scalars, F: Scalars, r_P: Scalars, r_cm: Scalars) -> list[Expr]:
    """The moment of X* [M_P; F], X* the force transform from P to the centre of mass (Featherstone)."""
    p = Matrix(r_P) - Matrix(r_cm)
    return flat((force_matrix([*_NO_ROTATION, *p]) * Matrix([*M_P, *F]))[:3, :])


def cm_velocity(v_ref: Scalars, w: Scalars, r: Scalars, dr: Scalars) -> list[Expr]:
    """The velocity of X [w; v_ref], X the motion transform to the centre of mass, and dr (Goldstein)."""
    carried = motion_matrix([*_NO_ROTATION, *(-Matrix(r))]) * Matrix([*w, *v_ref])
    return flat(carried[3:, :] + Matrix(dr))


def reference_velocity(v: Scalars, w: Scalars, r: Scalars, dr: Scalars) -> list[Expr]:
    """The velocity of X [w; v - dr], X the motion transform to the reference point (Goldstein)."""
    material = Matrix(v) - Matrix(dr)
    return flat((motion_matrix([*_NO_ROTATION, *r]) * Matrix([*w, *material]))[3:, :])


def gyroscopic_moment(M: Scalars, w: Scalars, h_int: Scalars, dh_int: Scalars) -> list[Expr]:
    """M - (dh + w~ h), the rate of the rotors' momentum taken in N (Hughes 1986)."""
    return flat(Matrix(M) - (Matrix(dh_int) + skew(w) * Matrix(h_int)))


def mass_flow_force(dm: Expr, u_rel: Scalars) -> list[Expr]:
    """dm u_rel (Plastino & Muzzio 1992)."""
    return flat(dm * Matrix(u_rel))


def inertia_rate_moment(dJ: Scalars, w: Scalars) -> list[Expr]:
    """-dJ w, from d/dt (J w) + w x J w = M (Goldstein)."""
    return flat(-symmetric(dJ) * Matrix(w))


def lever_arm_acceleration(a_O: Scalars, w: Scalars, dw: Scalars, r: Scalars) -> list[Expr]:
    """a_O + (dw~ + w~ w~) r (Goldstein)."""
    return flat(Matrix(a_O) + (skew(dw) + skew(w) * skew(w)) * Matrix(r))
