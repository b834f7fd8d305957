"""Steps of contacts: gaps and their gradients, and impulses on one body."""

from __future__ import annotations

from codegen.library.shared.works import STEWART, TASORA
from codegen.modeling.steps import Step, stated

_spheres = (
    stated(
        "Measure the gap along the normal, from one of the closest points to the other",
        "gap = n.(c_B - c_A), c_A = x_A + r_A n, c_B = x_B - r_B n; n = d / |d|, d = x_B - x_A",
        by="the closest points lie on the line through the centres, at the radii from them, so that the "
        "normal is the direction of this line",
        source=TASORA,
    ),
    stated(
        "Share one square root and one reciprocal among normal, gap and points",
        "n = (1 / s) d, gap = s - r_A - r_B, c_A = x_A + r_A n, c_B = x_B - r_B n;\n"
        "s = sqrt(d.d), d = x_B - x_A",
        by="the normal is a unit vector, so that its scalar product with itself is 1",
        source=TASORA,
    ),
)

_plane = stated(
    "Share the height of the centre over the plane",
    "gap = s - r_B, c_A = x_B - s n, c_B = x_B - r_B n; s = n.x_B - d",
    by="the normal has unit length, so that the foot point lies in the plane",
    source=TASORA,
)

_arms_in_N = stated(
    "Write the products of both vectors of a body in N",
    "D_A = [-n, -R_NA^T ((c_A - p_A) x n)]; D_B = [n, R_NB^T ((c_B - p_B) x n)]",
    by="the cross product of two rotated vectors is the rotated cross product",
    source=TASORA,
)

_moments_in_N = stated(
    "Form the moments in N, then rotate them into body axes",
    "D_A = [-n, R_NA^T m_A], m_A = n x (c_A - p_A);\nD_B = [n, R_NB^T m_B], m_B = (c_B - p_B) x n",
    by="exchanging the factors of a cross product changes its sign",
    source=TASORA,
)

_ADJUGATE = (
    "the inverse is the adjugate over the determinant; a static body, whose mass is given as 0, is not moved"
)

_mass_inverse = (
    stated(
        "Invert the mass matrix block by block",
        "twist = {[f_N / m, J_B^-1 n_B] if m > 0, 0 otherwise}",
        by="the mass matrix is block diagonal",
        source=TASORA,
    ),
    stated(
        "Solve by the adjugate of a symmetric matrix, with one division",
        "twist = {[f_N / m, adj(J_B) n_B / det(J_B)] if m > 0, 0 otherwise}",
        by=_ADJUGATE,
        source=TASORA,
    ),
)

_free_velocity = (
    stated(
        "Invert the mass matrix block by block",
        "v_star = {v + dt [f_N / m, J_B^-1 (n_B - w_B x J_B w_B)] if m > 0, v otherwise}",
        by="the mass matrix is block diagonal",
        source=STEWART,
    ),
    stated(
        "Compute the angular momentum first, then solve by the adjugate",
        "v_star = {v + [dt f_N / m, adj(J_B) (dt (n_B - w_B x L)) / det(J_B)] if m > 0, v otherwise};\n"
        "L = J_B w_B",
        by=_ADJUGATE,
        source=STEWART,
    ),
)

_applied = (
    stated(
        "Invert the mass matrix block by block",
        "v_next = {v + impulse [f_N / m, J_B^-1 n_B] if m > 0, v otherwise}; D = [f_N, n_B]",
        by="the mass matrix is block diagonal",
        source=TASORA,
    ),
    stated(
        "Scale the column, then solve by the adjugate",
        "v_next = {v + [f / m, adj(J_B) n / det(J_B)] if m > 0, v otherwise};\n[f, n] = impulse D",
        by=_ADJUGATE,
        source=TASORA,
    ),
)

_right_side = (
    stated(
        "Split the rate of the gap by body",
        "r = max(gap / dt, -max_push) + D_A.v_A + D_B.v_B",
        by="a column of the Jacobian and the velocity consist of the parts of both bodies",
        source=STEWART,
    ),
    stated(
        "Split the rate of the gap by force and moment",
        "r = max(gap / dt, -max_push) + f_A.u_A + n_A.w_A + f_B.u_B + n_B.w_B;\n"
        "D_A = [f_A, n_A], v_A = [u_A, w_A], D_B = [f_B, n_B], v_B = [u_B, w_B]",
        by="the scalar product of six components is that of both halves",
        source=STEWART,
    ),
)

_dot = stated(
    "Add the parts of force and moment",
    "rate = f_N.v_N + n_B.w_B",
    by="the scalar product of six components is that of both halves",
    source=TASORA,
)

STEPS: dict[str, tuple[Step, ...]] = {
    "sphere_sphere_contact": _spheres,
    "sphere_plane_contact": (_plane,),
    "contact_jacobian": (_arms_in_N, _moments_in_N),
    "contact_mass_inverse": _mass_inverse,
    "contact_free_velocity": _free_velocity,
    "contact_rhs": _right_side,
    "contact_dot": (_dot,),
    "contact_apply": _applied,
}
