"""Kirchhoff's equations of one rigid body, from its kinetic energy T(w, v) alone."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
from casadi import SX

from codegen.library.inertia.derivations import kinetic_energy
from codegen.library.rotation.derivations import (
    elementary_product,
    quat_kinematics,
    quat_rotate,
    quat_rotate_inverse,
    quat_to_dcm,
    rpy_kinematics,
)
from codegen.library.rotation_vector.derivations import quat_integrate
from codegen.library.shared.calculus import flat, gradient, hessian, inverse3, jacobian, matrix3, rate, skew


def rigid_body_dynamics_quat(
    p_N: SX, q_NB: SX, v_B: SX, w_B: SX, F_B: SX, M_B: SX, m: SX, J_B: SX, baumgarte: SX
) -> SX:
    """The rate of position, that of attitude as derived for quat_kinematics, then Kirchhoff's equations.

    Off the unit sphere, the matrix of the equation is that of the sandwich product with a multiple of one.
    """
    velocity = quat_rotate(q_NB, v_B) + (1 - ca.dot(q_NB, q_NB)) * v_B
    attitude_rate = quat_kinematics(q_NB, w_B, baumgarte)
    return flat(velocity, attitude_rate, _kirchhoff(v_B, w_B, F_B, M_B, m, J_B))


def rigid_body_dynamics_rpy(p_N: SX, rpy: SX, v_B: SX, w_B: SX, F_B: SX, M_B: SX, m: SX, J_B: SX) -> SX:
    """The rate of position, that of the angles as derived for rpy_kinematics, then Kirchhoff's equations."""
    velocity = elementary_product(rpy) @ v_B
    return flat(velocity, rpy_kinematics(rpy, w_B), _kirchhoff(v_B, w_B, F_B, M_B, m, J_B))


def _kirchhoff(v_B: SX, w_B: SX, F_B: SX, M_B: SX, m: SX, J_B: SX) -> SX:
    """dv, dw of dP + w x P = F and dL + w x L + v x P = M, P = dT/dv, L = dT/dw.

    T has no mixed second derivatives because B's origin is the centre of mass.
    """
    inertia = ca.vertcat(m, SX.zeros(3), J_B)

    def energy(motion: SX) -> SX:
        return kinetic_energy(inertia, motion)

    motion = ca.vertcat(w_B, v_B)
    momentum, mass = gradient(energy, motion), hessian(energy, motion)
    L, P = momentum[:3], momentum[3:]
    dP = F_B - ca.cross(w_B, P)
    dL = M_B - ca.cross(w_B, L) - ca.cross(v_B, P)
    return flat(inverse3(mass[3:, 3:]) @ dP, inverse3(mass[:3, :3]) @ dL)


def rigid_body_dynamics_dcm(p_N: SX, R_NB: SX, v_B: SX, w_B: SX, F_B: SX, M_B: SX, m: SX, J_B: SX) -> SX:
    """The rates of position and axes of a body that moves with `v` and `w`, then Kirchhoff's equations."""
    R = matrix3(R_NB)
    velocity = rate(lambda t: R @ (t * v_B))
    turning = jacobian(lambda t: ca.vec((R @ (SX.eye(3) + t * skew(w_B))).T), SX(0))
    return flat(velocity, turning, _kirchhoff(v_B, w_B, F_B, M_B, m, J_B))


def rigid_body_dynamics_mrp(p_N: SX, s_NB: SX, v_B: SX, w_B: SX, F_B: SX, M_B: SX, m: SX, J_B: SX) -> SX:
    """By the quaternion of the parameters: `ds` is the rate of its stereographic projection."""
    n = ca.dot(s_NB, s_NB)
    q = ca.vertcat(1 - n, 2 * s_NB) / (1 + n)
    ds = jacobian(lambda x: x[1:] / (1 + x[0]), q) @ quat_kinematics(q, w_B, SX(0))
    return flat(quat_rotate(q, v_B), ds, _kirchhoff(v_B, w_B, F_B, M_B, m, J_B))


def rigid_body_dynamics_spatial(T_NB: SX, v: SX, f: SX, I_B: SX) -> SX:
    """`dR` and `dp` as rates of a moving body's points, and Kirchhoff's equations with the mixed energy.

    The Hessian of the energy is solved by eliminating `dv`.
    """
    R = matrix3(T_NB[:9])
    w, v_O = v[:3], v[3:]
    turning = jacobian(lambda t: ca.vec((R @ (SX.eye(3) + t * skew(w))).T), SX(0))
    momentum = gradient(lambda u: kinetic_energy(I_B, u), v)
    M = hessian(lambda u: kinetic_energy(I_B, u), v)
    L, P = momentum[:3], momentum[3:]
    dL = f[:3] - ca.cross(w, L) - ca.cross(v_O, P)
    dP = f[3:] - ca.cross(w, P)
    to_w = M[:3, 3:] @ inverse3(M[3:, 3:])
    dw = inverse3(M[:3, :3] - to_w @ M[3:, :3]) @ (dL - to_w @ dP)
    dv = inverse3(M[3:, 3:]) @ (dP - M[3:, :3] @ dw)
    return flat(turning, R @ v_O, dw, dv)


def rigid_body_dynamics_ecef(
    p_E: SX,
    q_EB: SX,
    v_E: SX,
    w_B: SX,
    F_E: SX,
    M_B: SX,
    m: SX,
    J_B: SX,
    Omega_E: SX,
    baumgarte: SX,
) -> SX:
    """Lagrange's equations of the energy relative to inertial axes, Kirchhoff's for the rotation.

        The rate of its gradient by `v` is by the chain rule, through `v` and `p`. The attitude is that in N,
    rotated back at the Earth's rate.
    """

    def energy(x: SX) -> SX:
        velocity = x[3:] + ca.cross(Omega_E, x[:3])
        return m * ca.dot(velocity, velocity) / 2

    x = ca.vertcat(p_E, v_E)
    slope, curvature = gradient(energy, x), hessian(energy, x)
    dv = inverse3(curvature[3:, 3:]) @ (F_E + slope[:3] - curvature[3:, :3] @ v_E)
    earth_B = quat_rotate_inverse(q_EB, Omega_E) / ca.dot(q_EB, q_EB)
    dq = quat_kinematics(q_EB, w_B - earth_B, baumgarte)
    dw = _kirchhoff(SX.zeros(3), w_B, F_E, M_B, m, J_B)[3:]
    return flat(v_E, dq, dv, dw)


def rigid_body_dynamics_quat_jacobian(
    p_N: SX, q_NB: SX, v_B: SX, w_B: SX, F_B: SX, M_B: SX, m: SX, J_B: SX, baumgarte: SX
) -> SX:
    """CasADi's Jacobians of the derived rigid_body_dynamics_quat by the state, and by force and moment."""

    def rates(x: SX) -> SX:
        p, q, v, w, F, M = ca.vertsplit(x, [0, 3, 7, 10, 13, 16, 19])
        return rigid_body_dynamics_quat(p, q, v, w, F, M, m, J_B, baumgarte)

    both = jacobian(rates, ca.vertcat(p_N, q_NB, v_B, w_B, F_B, M_B))
    return flat(both[:, :13], both[:, 13:])


def rigid_body_step_rk4_quat(
    p_N: SX, q_NB: SX, v_B: SX, w_B: SX, F_B: SX, M_B: SX, m: SX, J_B: SX, dt: SX
) -> SX:
    """The classical Runge-Kutta method on the derivation of rigid_body_dynamics_quat."""

    def rates(y: SX) -> SX:
        p, q, v, w = ca.vertsplit(y, [0, 3, 7, 10, 13])
        return rigid_body_dynamics_quat(p, q, v, w, F_B, M_B, m, J_B, SX(0))

    end = runge_kutta(rates, ca.vertcat(p_N, q_NB, v_B, w_B), dt)
    norm = ca.sqrt(ca.dot(end[3:7], end[3:7]))
    return flat(end[:3], end[3:7] / norm, end[7:])


def runge_kutta(rates: Callable[[SX], SX], start: SX, dt: SX) -> SX:
    """The classical Runge-Kutta method by its tableau."""
    y, end = start, start
    for weight, ahead in ((1, SX(1) / 2), (2, SX(1) / 2), (2, SX(1)), (1, SX(0))):
        slope = rates(y)
        y, end = start + ahead * dt * slope, end + weight * dt / 6 * slope
    return end


def rigid_body_energy(v_B: SX, w_B: SX, m: SX, J_B: SX) -> SX:
    """The integral of half the square of the velocity over the body's mass, whose centre is at its origin."""
    return flat(kinetic_energy(ca.vertcat(m, SX.zeros(3), J_B), ca.vertcat(w_B, v_B)))


def rigid_body_momentum(q_NB: SX, v_B: SX, w_B: SX, m: SX, J_B: SX) -> SX:
    """The gradients of the kinetic energy with respect to the velocities in N."""
    to_N = matrix3(quat_to_dcm(q_NB))

    def energy(x: SX) -> SX:
        return rigid_body_energy(to_N.T @ x[:3], to_N.T @ x[3:], m, J_B)

    return flat(gradient(energy, ca.vertcat(to_N @ v_B, to_N @ w_B)))


def rigid_body_step_semi_implicit_quat(
    p_N: SX, q_NB: SX, v_B: SX, w_B: SX, F_B: SX, M_B: SX, m: SX, J_B: SX, dt: SX
) -> SX:
    """From Kirchhoff's equations, with the translation in fixed axes."""
    still = _kirchhoff(v_B, SX.zeros(3), F_B, M_B, m, J_B)
    turning = _kirchhoff(v_B, w_B, F_B, M_B, m, J_B)
    w = w_B + dt * turning[3:]
    u_N = quat_rotate(q_NB, v_B + dt * still[:3])
    q = quat_integrate(q_NB, w, dt)
    return flat(p_N + dt * u_N, q, quat_rotate_inverse(q, u_N), w)
