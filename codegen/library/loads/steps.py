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

_moment = stated(
    "Multiply the block row",
    "M_cm = M_P + (r_P - r_cm) x F",
    by="a cross-product matrix times a vector is their cross product",
    source=FEATHERSTONE.at("section 2.5"),
)

_cm_velocity = stated(
    "Multiply the block row",
    "v = v_ref + dr + w x r",
    by="exchanging the factors of a cross product changes its sign",
    source=MOVING,
)

_reference_velocity = stated(
    "Multiply the block row",
    "v_ref = v - dr - w x r",
    by="exchanging the factors of a cross product changes its sign",
    source=MOVING,
)

_gyroscopic = stated(
    "Move the rate of the rotors' momentum in N to the other side",
    "M_eff = M - dh_int - w x h_int",
    by="the total moment is the rate in N of the momentum of body and rotors, and a rate in N is that in B "
    "plus the cross product with the angular velocity",
    source=HUGHES,
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

_lever_arm = stated(
    "Write the matrices as cross products, the inner one first",
    "a_P = a_O + dw x r + w x (w x r)",
    by="a cross-product matrix times a vector is their cross product; `r` is fixed to the body",
    source=GOLDSTEIN,
)

GRAVITATION = MONTENBRUCK.at("section 3.2")

_point = stated(
    "Divide by the distance first",
    "g_E = -(mu / r^2) n; n = p_E / r, r = |p_E|",
    by="the direction and the square of the distance are in the range of numbers longer than its cube",
    source=GRAVITATION,
)

_oblate = stated(
    "Divide by the distance first",
    "g_E = -(mu / r^2) [c n_x, c n_y, (c + 2 k) n_z]; [n_x, n_y, n_z] = p_E / r;\n"
    "c = 1 + k (1 - 5 n_z^2), k = (3 / 2) J_2 (r_eq / r)^2, r = |p_E|",
    by="the third component of the direction is the sine of the latitude",
    source=GRAVITATION,
)

_gradient = stated(
    "Divide by the distance first",
    "M_B = (3 mu / r^3) n x (J_B n); n = p_B / r, r = |p_B|",
    by="the moment is quadratic in the direction",
    source=HUGHES,
)

STEPS: dict[str, tuple[Step, ...]] = {
    "gravity_body": _weight,
    "moment_transfer": (_moment,),
    "cm_velocity": (_cm_velocity,),
    "reference_velocity": (_reference_velocity,),
    "gyroscopic_moment": (_gyroscopic,),
    "mass_flow_force": (_flow,),
    "inertia_rate_moment": (_rate_moment,),
    "lever_arm_acceleration": (_lever_arm,),
    "gravitation_point": (_point,),
    "gravitation_j2": (_oblate,),
    "gravity_gradient_moment": (_gradient,),
}
