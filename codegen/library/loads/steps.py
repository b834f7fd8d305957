"""Steps of loads and motions at other points of a body: matrix products as cross products."""

from __future__ import annotations

from codegen.library.shared.works import FEATHERSTONE, GOLDSTEIN, HUGHES, MONTENBRUCK, PLASTINO, STEVENS
from codegen.modeling.steps import Step, stated

MOVING = GOLDSTEIN

_weight = (
    stated(
        "Multiply the sandwich product out, with the inverse rotation",
        "F_B = m (w^2 - u.u) g_N + 2 m (u.g_N) u - 2 m w u x g_N; q_NB = [w, u]",
        by="the product of pure quaternions has minus their scalar product as its scalar part and their "
        "cross product as its vector part",
        source=STEVENS,
    ),
    stated(
        "Scale the vector first, then rotate it",
        "F_B = f - 2 w u x f + 2 u x (u x f); f = m g_N; q_NB = [w, u]",
        by="the quaternion has unit norm, and a rotation is linear",
        source=STEVENS,
    ),
)


def _shifted(expanded: str, crossed: str, by: str, source: str) -> tuple[Step, Step]:
    """The block row of a change of the reference point, multiplied out, then with a cross product."""
    return (
        stated(
            "Multiply the block row", expanded, by="the angular part is the same at all points", source=source
        ),
        stated("Write the matrix as a cross product", crossed, by=by, source=source),
    )


_moment = _shifted(
    "M_cm = M_P + p~ F; p = r_P - r_cm",
    "M_cm = M_P + (r_P - r_cm) x F",
    "a cross-product matrix times a vector is their cross product",
    FEATHERSTONE.at("section 2.5"),
)

_EXCHANGED = "exchanging the factors of a cross product changes its sign"

_cm_velocity = _shifted("v = v_ref - r~ w + dr", "v = v_ref + dr + w x r", _EXCHANGED, MOVING)

_reference_velocity = _shifted("v_ref = v - dr + r~ w", "v_ref = v - dr - w x r", _EXCHANGED, MOVING)

_gyroscopic = (
    stated(
        "Set the rate in N of the momentum of body and rotors equal to the moment",
        "M_eff = M - dh_N; dh_N = dh_int + w x h_int",
        by="what the rotors' momentum takes of the moment is missing to the body; a rate in N is that in B "
        "plus the cross product with the angular velocity",
        source=HUGHES,
    ),
    stated(
        "Subtract both parts of the rate, one after the other",
        "M_eff = M - dh_int - w x h_int",
        by="minus a sum is the difference of its terms",
        source=HUGHES,
    ),
)

_flow = stated(
    "Take the force as the momentum that the passing mass brings, by components",
    "F = [dm u_x, dm u_y, dm u_z]; u_rel = [u_x, u_y, u_z]",
    by="in a short time, a mass of its own velocity becomes part of the body, and the momentum of both "
    "together changes by the other forces only. To first order in this time, mass times acceleration is the "
    "sum of the other forces and of `dm` times `u_rel`, the velocity of the passing mass less that of the "
    "body",
    source=PLASTINO,
)

_rate_moment = stated(
    "Move the rate of the inertia to the side of the moments, row by row",
    "M = -[r_0.w, r_1.w, r_2.w]; dJ = rows(r_0, r_1, r_2)",
    by="the rate of the angular momentum due to the changing inertia moves to the side of the moments",
    source=GOLDSTEIN,
)

_lever_arm = (
    stated(
        "Apply the matrices to `r`, which gives the velocity `u` of the point relative to the origin",
        "a_P = a_O + dw x r + w x u; u = w x r",
        by="a cross-product matrix times a vector is their cross product, and `u` is the rate in N of `r`, "
        "which is fixed to the body",
        source=GOLDSTEIN,
    ),
    stated(
        "Insert this velocity: the tangential and the centripetal acceleration",
        "a_P = a_O + dw x r + w x (w x r)",
        by="the rate of `u` is due to the rate of the angular velocity and to the rotation of `r`",
        source=GOLDSTEIN,
    ),
)

GRAVITATION = MONTENBRUCK.at("section 3.2")

_potential = stated(
    "Differentiate the potential",
    "g_E = jacobian(mu / |p_E|, [p_E])^T",
    by="the acceleration is the gradient of the potential, and the gradient of the distance is the direction",
    source=GRAVITATION,
)

_point = stated(
    "Divide by the distance first",
    "g_E = -(mu / r^2) n; n = p_E / r, r = |p_E|",
    by="the direction and the square of the distance are in the range of numbers longer than its cube",
    source=GRAVITATION,
)

_oblate = (
    stated(
        "Differentiate by the chain rule: by the distance, and by the sine of the latitude",
        "g_E = V_r n + (V_s / r) (e_z - s n); s = n_z, [n_x, n_y, n_z] = n, n = p_E / r, r = |p_E|;\n"
        "V_r = -(mu / r^2) (1 - 3 J_2 (r_eq / r)^2 (3 s^2 - 1) / 2), V_s = -(3 mu / r) J_2 (r_eq / r)^2 s",
        by="the gradient of the distance is the direction `n`, that of the sine `s` of the latitude is the "
        "part of the axis normal to `n`, over the distance",
        source=GRAVITATION,
    ),
    stated(
        "Collect what multiplies the direction, and what multiplies the axis",
        "g_E = -(mu / r^2) ((1 + k (1 - 5 n_z^2)) n + 2 k n_z e_z); [n_x, n_y, n_z] = n, n = p_E / r;\n"
        "k = (3 / 2) J_2 (r_eq / r)^2, r = |p_E|",
        by="both derivatives are multiples of the attraction of a point mass, which is taken out",
        source=GRAVITATION,
    ),
    stated(
        "Write the components, which have one factor but for the last",
        "g_E = -(mu / r^2) [c n_x, c n_y, (c + 2 k) n_z]; [n_x, n_y, n_z] = (1 / r) p_E;\n"
        "c = 1 + k (1 - 5 n_z^2), k = (3 / 2) J_2 (r_eq / r)^2, r = |p_E|",
        by="the third component of the direction is the sine of the latitude",
        source=GRAVITATION,
    ),
)

_gradient = (
    stated(
        "Differentiate the attraction by the position",
        "M_B = vee(G P - P G); G = (mu / r^5) (3 p_B p_B^T - r^2 1); P = (tr(J_B) / 2) 1 - J_B; r = |p_B|",
        by="the product rule: the derivative of the position is the unit matrix, that of the distance the "
        "direction",
        source=HUGHES,
    ),
    stated(
        "Drop the multiples of the unit matrix, and write the difference of dyads as a cross product",
        "M_B = (3 mu / r^5) p_B x (J_B p_B); r = |p_B|",
        by="every matrix commutes with the unit matrix; the difference of the dyads of two vectors in both "
        "orders is the cross-product matrix of their cross product",
        source=HUGHES,
    ),
    stated(
        "Divide by the distance first",
        "M_B = (3 mu / (r^2 r)) n x (J_B n); n = (1 / r) p_B, r = |p_B|",
        by="the moment is quadratic in the direction",
        source=HUGHES,
    ),
)

STEPS: dict[str, tuple[Step, ...]] = {
    "gravity_body": _weight,
    "moment_transfer": _moment,
    "cm_velocity": _cm_velocity,
    "reference_velocity": _reference_velocity,
    "gyroscopic_moment": _gyroscopic,
    "mass_flow_force": (_flow,),
    "inertia_rate_moment": (_rate_moment,),
    "lever_arm_acceleration": _lever_arm,
    "gravitation_point": (_potential, _point),
    "gravitation_j2": _oblate,
    "gravity_gradient_moment": _gradient,
}
