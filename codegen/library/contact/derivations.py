"""Contact normals and columns as gradients of gaps, impulses by Gauss's principle of least constraint."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
from casadi import SX

from codegen.library.inertia.derivations import inertia_bias_force, kinetic_energy
from codegen.library.shared.calculus import flat, gradient, hessian, inverse3, matrix3, rate


def sphere_sphere_contact(x_A: SX, r_A: SX, x_B: SX, r_B: SX) -> SX:
    """`n` is the gradient of the gap as B moves; the closest points lie opposite to the gradients."""

    def gap(x: SX) -> SX:
        return ca.sqrt(ca.dot(x[3:] - x[:3], x[3:] - x[:3])) - r_A - r_B

    x = ca.vertcat(x_A, x_B)
    g = gradient(gap, x)
    return flat(g[3:], gap(x), x_A - r_A * g[:3], x_B - r_B * g[3:])


def sphere_plane_contact(n: SX, d: SX, x_B: SX, r_B: SX) -> SX:
    """The foot point of the centre and the lowest point lie opposite to the gradient of the height."""

    def height(x: SX) -> SX:
        return ca.dot(n, x) - d

    up, s = gradient(height, x_B), height(x_B)
    return flat(s - r_B, x_B - s * up, x_B - r_B * up)


def contact_jacobian(R_NA: SX, R_NB: SX, n: SX, c_A: SX, c_B: SX, p_A: SX, p_B: SX) -> SX:
    """The gradient of the gap along `n` with respect to shifts in N and rotations in the body.

    The contact points move with their bodies; the rotation of `n` has no effect, because the gap is along it.
    """

    def moved(R: SX, c: SX, p: SX, displacement: SX) -> SX:
        s = matrix3(R).T @ (c - p)
        return p + displacement[:3] + matrix3(R) @ (s + ca.cross(displacement[3:], s))

    def gap(displacements: SX) -> SX:
        return ca.dot(n, moved(R_NB, c_B, p_B, displacements[6:]) - moved(R_NA, c_A, p_A, displacements[:6]))

    return flat(gradient(gap, SX.zeros(12)))


def contact_mass_inverse(m: SX, J_B: SX, wrench: SX) -> SX:
    """Gauss's principle from rest."""
    return flat(_least_constrained(m, J_B, SX.zeros(6), lambda v: ca.dot(wrench, v)))


def contact_free_velocity(v: SX, f: SX, m: SX, J_B: SX, dt: SX) -> SX:
    """Gauss's principle under the force less the gyroscopic moment."""
    still = ca.vertcat(m, SX.zeros(3), J_B)
    bias = inertia_bias_force(still, ca.vertcat(v[3:], SX.zeros(3)))
    force = ca.vertcat(f[:3], f[3:] - bias[:3])
    return flat(_least_constrained(m, J_B, v, lambda u: dt * ca.dot(force, u)))


def contact_rhs(gap: SX, dt: SX, max_push: SX, D_A: SX, D_B: SX, v_A: SX, v_B: SX) -> SX:
    """The rate of the gap along the free motion, and the rate that closes it, within `max_push`."""
    moving = rate(lambda t: gap + ca.dot(D_A, t * v_A) + ca.dot(D_B, t * v_B))
    return flat(ca.if_else(gap / dt < -max_push, -max_push, gap / dt) + moving)


def contact_apply(v: SX, m: SX, J_B: SX, D: SX, impulse: SX) -> SX:
    """Gauss's principle under the impulse times the rate of the gap."""
    return flat(_least_constrained(m, J_B, v, lambda u: impulse * ca.dot(D, u)))


def _least_constrained(m: SX, J_B: SX, v: SX, work: Callable[[SX], SX]) -> SX:
    """The velocity that minimises the kinetic energy of the change less the work; v for a static body."""
    inertia = ca.vertcat(m, SX.zeros(3), J_B)

    def constraint(u: SX) -> SX:
        change = u - v
        return kinetic_energy(inertia, ca.vertcat(change[3:], change[:3])) - work(u)

    slope, curvature = gradient(constraint, v), hessian(constraint, v)
    step = ca.vertcat(inverse3(curvature[:3, :3]) @ slope[:3], inverse3(curvature[3:, 3:]) @ slope[3:])
    return v - ca.if_else(m > 0, step, SX.zeros(6))
