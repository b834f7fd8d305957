"""Contact at the velocity level: c = N lambda + r, N = D^T M^-1 D (Tasora and Anitescu 2011)."""

from __future__ import annotations

from sympy import Expr, Matrix, Max, Piecewise, sqrt

from codegen.library.shared.textbook import Scalars, flat, inverse, matrix3, skew, symmetric


def sphere_sphere_contact(x_A: Scalars, r_A: Expr, x_B: Scalars, r_B: Expr) -> list[Expr]:
    """n = d / |d| from A to B, gap = |d| - r_A - r_B, and the points of both spheres on the line."""
    d = Matrix(x_B) - Matrix(x_A)
    distance = sqrt(d.dot(d))
    n = d / distance
    return [*n, distance - r_A - r_B, *(Matrix(x_A) + r_A * n), *(Matrix(x_B) - r_B * n)]


def sphere_plane_contact(n: Scalars, d: Expr, x_B: Scalars, r_B: Expr) -> list[Expr]:
    """gap = n.x_B - d - r_B, the foot point of the centre on the plane, the lowest point of the sphere."""
    normal, x = Matrix(n), Matrix(x_B)
    foot = x + (d - normal.dot(x)) * normal
    return [normal.dot(x) - d - r_B, *foot, *(x - r_B * normal)]


def contact_jacobian(
    R_NA: Scalars, R_NB: Scalars, n: Scalars, c_A: Scalars, c_B: Scalars, p_A: Scalars, p_B: Scalars
) -> list[Expr]:
    """D_A = [-n; -s~_A R_NA^T n], D_B = [n; s~_B R_NB^T n], s = R^T (c - p)."""

    def moment(R: Scalars, c: Scalars, p: Scalars) -> Matrix:
        to_body = matrix3(R).T
        return skew(to_body * (Matrix(c) - Matrix(p))) * to_body * Matrix(n)

    normal = Matrix(n)
    return flat(-normal, -moment(R_NA, c_A, p_A), normal, moment(R_NB, c_B, p_B))


def contact_mass_inverse(m: Expr, J_B: Scalars, wrench: Scalars) -> list[Expr]:
    """[f_N / m; J^-1 n_B], zero for a static body."""
    change = [*(f / m for f in wrench[:3]), *(inverse(symmetric(J_B)) * Matrix(wrench[3:]))]
    return [Piecewise((x, m > 0), (0, True)) for x in change]


def contact_free_velocity(v: Scalars, f: Scalars, m: Expr, J_B: Scalars, dt: Expr) -> list[Expr]:
    """v + dt M^-1 [f_N; n_B - w~ J w]."""
    w = Matrix(v[3:])
    gyroscopic = skew(v[3:]) * symmetric(J_B) * w
    impulse = dt * Matrix([*f[:3], *(Matrix(f[3:]) - gyroscopic)])
    return flat(Matrix(v) + Matrix(contact_mass_inverse(m, J_B, list(impulse))))


def contact_rhs(
    gap: Expr, dt: Expr, max_push: Expr, D_A: Scalars, D_B: Scalars, v_A: Scalars, v_B: Scalars
) -> list[Expr]:
    """b + D^T v*, b = gap / dt, not below -max_push."""
    column, velocity = Matrix([*D_A, *D_B]), Matrix([*v_A, *v_B])
    return [Max(gap / dt, -max_push) + column.dot(velocity)]


def contact_dot(D: Scalars, v: Scalars) -> list[Expr]:
    """D^T v."""
    return [Matrix(D).dot(Matrix(v))]


def contact_apply(v: Scalars, m: Expr, J_B: Scalars, D: Scalars, impulse: Expr) -> list[Expr]:
    """v + M^-1 D lambda."""
    change = contact_mass_inverse(m, J_B, list(Matrix(D) * impulse))
    return flat(Matrix(v) + Matrix(change))
