"""Steps of contacts: gaps and their gradients, and impulses on one body."""

from __future__ import annotations

from sympy import Expr, Matrix, Max, Piecewise, sqrt

from codegen.library.inertia_factors.steps import solved_by_adjugate
from codegen.library.shared.textbook import Scalars, flat, matrix3, symmetric
from codegen.modeling.steps import Step, step

TASORA = "Tasora and Anitescu, A matrix-free cone complementarity approach, CMAME 200, 2011"
STEWART = "Stewart and Trinkle, An implicit time-stepping scheme, IJNME 39, 1996"


@step(
    "Share one square root and one reciprocal among normal, gap and points",
    "root = sqrt(d.d), n = (1 / root) d, gap = root - r_A - r_B, c_A = x_A + r_A n, c_B = x_B - r_B n",
    by="|d| = sqrt(d.d); the closest points lie on the line through the centres",
    source=TASORA,
)
def _spheres(x_A: Scalars, r_A: Expr, x_B: Scalars, r_B: Expr) -> list[Expr]:
    a, b = Matrix(x_A), Matrix(x_B)
    root = sqrt((b - a).dot(b - a))
    n = (b - a) * (1 / root)
    return [*n, root - r_A - r_B, *(a + r_A * n), *(b - r_B * n)]


@step(
    "Share the height of the centre over the plane",
    "s = n.x_B - d; gap = s - r_B, c_A = x_B - s n, c_B = x_B - r_B n",
    by="n.n = 1: the foot point x_B - s n has n.x = d",
    source=TASORA,
)
def _plane(n: Scalars, d: Expr, x_B: Scalars, r_B: Expr) -> list[Expr]:
    normal, x = Matrix(n), Matrix(x_B)
    s = normal.dot(x) - d
    return [s - r_B, *(x - s * normal), *(x - r_B * normal)]


@step(
    "SympyForm the moments in N, then rotate them into body axes",
    "D_A = [-n; R_NA^T (n x (c_A - p_A))], D_B = [n; R_NB^T ((c_B - p_B) x n)]",
    by="(R^T a) x (R^T b) = R^T (a x b) for a rotation; -(a x b) = b x a",
    source=TASORA,
)
def _moments_in_N(
    R_NA: Scalars, R_NB: Scalars, n: Scalars, c_A: Scalars, c_B: Scalars, p_A: Scalars, p_B: Scalars
) -> list[Expr]:
    normal, arm_A, arm_B = Matrix(n), Matrix(c_A) - Matrix(p_A), Matrix(c_B) - Matrix(p_B)
    moment_A, moment_B = normal.cross(arm_A), arm_B.cross(normal)
    return flat(-normal, matrix3(R_NA).T * moment_A, normal, matrix3(R_NB).T * moment_B)


def _pushed(v: Matrix, m: Expr, J_B: Scalars, impulse: Matrix) -> list[Expr]:
    """v + M^-1 impulse by the adjugate, v for a static body."""
    change = [*(impulse[:3, :] / m), *solved_by_adjugate(symmetric(J_B), impulse[3:, :])]
    return [Piecewise((a + b, m > 0), (a, True)) for a, b in zip(v, change, strict=True)]


_ADJUGATE = "adj(J) J = det(J) 1, m > 0; a static body has M^-1 = 0"


@step(
    "Solve by the adjugate of a symmetric matrix, with one division",
    "twist = [f_N / m; adj(J_B) n_B / det(J_B)]",
    by=_ADJUGATE,
    source=TASORA,
)
def _mass_inverse(m: Expr, J_B: Scalars, wrench: Scalars) -> list[Expr]:
    return _pushed(Matrix([0] * 6), m, J_B, Matrix(wrench))


@step(
    "Compute the angular momentum first, then solve by the adjugate",
    "v_star = v + [dt f_N / m; adj(J_B) (dt (n_B - w_B x L)) / det(J_B)], L = J_B w_B",
    by=f"w~ J w = w x (J w); {_ADJUGATE}",
    source=STEWART,
)
def _free_velocity(v: Scalars, f: Scalars, m: Expr, J_B: Scalars, dt: Expr) -> list[Expr]:
    w = Matrix(v[3:])
    torque = Matrix(f[3:]) - w.cross(symmetric(J_B) * w)
    return _pushed(Matrix(v), m, J_B, dt * Matrix([*f[:3], *torque]))


@step(
    "Scale the column, then solve by the adjugate",
    "v_next = v + [(l f_N) / m; adj(J_B) (l n_B) / det(J_B)], D = [f_N; n_B], l the impulse",
    by=_ADJUGATE,
    source=TASORA,
)
def _applied(v: Scalars, m: Expr, J_B: Scalars, D: Scalars, impulse: Expr) -> list[Expr]:
    return _pushed(Matrix(v), m, J_B, impulse * Matrix(D))


def _power(D: Scalars, v: Scalars) -> Expr:
    """f_N.v_N + n_B.w_B."""
    return Matrix(D[:3]).dot(Matrix(v[:3])) + Matrix(D[3:]).dot(Matrix(v[3:]))


@step(
    "Split the rate of the gap by body, and by force and moment",
    "r = max(gap / dt, -max_push) + D_A.v_A + D_B.v_B, D.v = f_N.v_N + n_B.w_B",
    by="the column is [D_A; D_B], the velocity [v_A; v_B]",
    source=STEWART,
)
def _right_side(
    gap: Expr, dt: Expr, max_push: Expr, D_A: Scalars, D_B: Scalars, v_A: Scalars, v_B: Scalars
) -> list[Expr]:
    return [Max(gap / dt, -max_push) + _power(D_A, v_A) + _power(D_B, v_B)]


@step(
    "Add the parts of force and moment",
    "rate = f_N.v_N + n_B.w_B",
    by="the scalar product of six components, in two halves",
    source=TASORA,
)
def _dot(D: Scalars, v: Scalars) -> list[Expr]:
    return [_power(D, v)]


STEPS: dict[str, tuple[Step, ...]] = {
    "sphere_sphere_contact": (_spheres,),
    "sphere_plane_contact": (_plane,),
    "contact_jacobian": (_moments_in_N,),
    "contact_mass_inverse": (_mass_inverse,),
    "contact_free_velocity": (_free_velocity,),
    "contact_rhs": (_right_side,),
    "contact_dot": (_dot,),
    "contact_apply": (_applied,),
}
