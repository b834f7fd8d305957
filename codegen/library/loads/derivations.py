"""Loads and motions at other points of a body, from positions, potentials, power and momentum."""

from __future__ import annotations

import casadi as ca
from casadi import SX

from codegen.library.rotation.derivations import quat_rotate
from codegen.library.shared.calculus import flat, gradient, rate, skew, symmetric


def gravity_body(q_NB: SX, m: SX, g_N: SX) -> SX:
    """Minus the gradient of the potential energy in the field `g` with respect to a displacement in B."""
    return flat(gradient(lambda x_B: m * ca.dot(g_N, quat_rotate(q_NB, x_B)), SX.zeros(3)))


def moment_transfer(M_P: SX, F: SX, r_P: SX, r_cm: SX) -> SX:
    """The gradient of the power of `M_P` and `F` with respect to a rotation about the centre of mass."""

    def power(w: SX) -> SX:
        return ca.dot(M_P, w) + ca.dot(F, ca.cross(w, r_P - r_cm))

    return flat(gradient(power, SX.zeros(3)))


def cm_velocity(v_ref: SX, w: SX, r: SX, dr: SX) -> SX:
    """The rate of the centre's position: the reference point moves, the body turns, the centre shifts."""
    return flat(rate(lambda t: v_ref * t + _turned(w, t) @ (r + dr * t)))


def reference_velocity(v: SX, w: SX, r: SX, dr: SX) -> SX:
    """The rate of the reference point's position: the centre moves, the body turns, the centre shifts."""
    return flat(rate(lambda t: v * t - _turned(w, t) @ (r + dr * t)))


def gyroscopic_moment(M: SX, w: SX, h_int: SX, dh_int: SX) -> SX:
    """The rate of the angular impulse less the rotors' momentum, in N."""
    return flat(rate(lambda t: M * t - _turned(w, t) @ (h_int + dh_int * t)))


def mass_flow_force(dm: SX, u_rel: SX) -> SX:
    """Minus the rate of the momentum, relative to the body, of the mass that has left."""
    return flat(-rate(lambda t: (-dm * t) * u_rel))


def inertia_rate_moment(dJ: SX, w: SX) -> SX:
    """Minus the rate, at constant `w`, of the momentum, which is the gradient by `w` of the energy."""

    def momentum(t: SX) -> SX:
        return gradient(lambda u: ca.dot(u, symmetric(dJ * t) @ u) / 2, w)

    return flat(-rate(momentum))


def lever_arm_acceleration(a_O: SX, w: SX, dw: SX, r: SX) -> SX:
    """The second rate of a point's position: the origin is accelerated, and the body's rate changes."""

    def velocity(t: SX) -> SX:
        return a_O * t + _turned(w, t) @ ca.cross(w + dw * t, r)

    return flat(rate(velocity))


def _turned(w: SX, t: SX) -> SX:
    """R(t) of a body that rotates at w from R = 1, correct to first order in t."""
    return SX.eye(3) + t * skew(w)


def gravitation_point(p_E: SX, mu: SX) -> SX:
    """The gradient of the potential of a point mass."""
    return flat(gradient(lambda p: mu / ca.norm_2(p), p_E))


def gravitation_j2(p_E: SX, mu: SX, J_2: SX, r_eq: SX) -> SX:
    """The attraction of a point mass, and of a quadrupole: the second derivative of one along the axis."""

    def attraction(p: SX) -> SX:
        return gradient(lambda x: mu / ca.norm_2(x), p)

    def moved(h: SX) -> SX:
        return rate(lambda t: attraction(p_E - (h + t) * SX([0, 0, 1])))

    return flat(attraction(p_E) - J_2 * r_eq**2 / 2 * rate(moved))


def gravity_gradient_moment(p_B: SX, mu: SX, J_B: SX) -> SX:
    """Minus the derivative of MacCullagh's potential energy by a rotation of the body."""

    def energy(turned: SX) -> SX:
        p = p_B - ca.cross(turned, p_B)
        r = ca.norm_2(p)
        return 3 * mu / (2 * r**5) * ca.dot(p, symmetric(J_B) @ p) - mu * ca.trace(symmetric(J_B)) / (
            2 * r**3
        )

    return flat(-gradient(energy, SX.zeros(3)))
