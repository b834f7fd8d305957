"""Steps of modified Rodrigues parameters, by way of the unit quaternion that they project."""

from __future__ import annotations

from codegen.library.shared.works import SCHAUB
from codegen.modeling.steps import Step, stated, stated_condition

SECTION = SCHAUB

_projected = (
    stated(
        "Project the quaternion, or its opposite",
        "s_AB = {-u / (1 - w) if w < 0, u / (1 + w) otherwise}; q_AB = [w, u]",
        by="a quaternion and its opposite are one attitude; the projection is from the point with the scalar "
        "part -1, and the farther of both from it has the shorter parameters",
        source=SECTION,
    ),
    stated(
        "Divide by one denominator for both signs",
        "s_AB = {-u / (1 + |w|) if w < 0, u / (1 + |w|) otherwise}; q_AB = [w, u]",
        by="where the scalar part is negative, its opposite is its absolute value",
        source=SECTION,
    ),
)

_inverted = stated_condition(
    "Invert the projection of a unit quaternion",
    "s (1 + w) = u, w^2 + u.u = 1; q_AB = [w, u]",
    by="the parameters are the vector part over one plus the scalar part",
    source=SECTION,
)

_lifted = stated(
    "Write the scalar part with the scale of the others",
    "q_AB = [k - 1, k s]; k = 2 / (1 + s.s)",
    by="one is added to the scalar part and subtracted again",
    source=SECTION,
)

_by_quaternion = (
    stated(
        "Substitute the quaternion of the parameters into the matrix of a unit quaternion",
        "R_AB = 1 + 2 (w u~ + u~ u~); [w, u] = [1 - s.s, 2 s] / (1 + s.s)",
        by="the matrix of a unit quaternion is that of its sandwich product",
        source=SECTION,
    ),
    stated(
        "Share the scale of the quaternion",
        "R_AB = 1 + 2 ((k - 1) k s~ + k^2 s~ s~); k = 2 / (1 + s.s)",
        by="the quaternion has the scalar part `k` less 1, and the vector part `s` times `k`",
        source=SECTION,
    ),
)

_rate = (
    stated(
        "Apply the matrices to `w_B` as vectors",
        "ds = ((1 - s.s) w_B + 2 s x w_B + 2 (s.w_B) s) / 4",
        by="a cross-product matrix times a vector is their cross product, a dyad times a vector a multiple "
        "of its first",
        source=SECTION,
    ),
    stated(
        "Halve the angular velocity first",
        "ds = (1 - s.s) h / 2 + s x h + (s.h) s; h = w_B / 2",
        by="all terms are linear in the angular velocity",
        source=SECTION,
    ),
)

_body_rate = (
    stated(
        "Invert the matrix by its transpose",
        "w_B = 4 ((1 - s.s) 1 - 2 s~ + 2 s s^T) ds / (1 + s.s)^2; s = s_AB",
        by="the matrix is a rotation matrix times one plus the squared length of `s`",
        source=SECTION,
    ),
    stated(
        "Apply the matrices to `ds` as vectors, with the quaternion's scale",
        "w_B = k (k (1 - s.s) ds - 2 y x ds + 2 (s.ds) y); y = k s; k = 2 / (1 + s.s); s = s_AB",
        by="a cross-product matrix times a vector is their cross product, a dyad times a vector a multiple "
        "of its first",
        source=SECTION,
    ),
)

_opposite = stated(
    "Take the parameters of the opposite quaternion",
    "s_short = {-u / (1 - w) if s.s > 1, u / (1 + w) otherwise};\n"
    "w = (1 - s.s) / (1 + s.s); u = 2 s / (1 + s.s)",
    by="a quaternion and its opposite are one attitude; the parameters are the vector part over 1 plus the "
    "scalar part, and beyond half a turn the scalar part of the opposite is positive",
    source=SECTION,
)

_shadow = stated(
    "Select the scale instead of the vector",
    "s_short = k s; k = {-1 / (s.s) if s.s > 1, 1 otherwise}",
    by="both sets of parameters are along the axis of the rotation",
    source=SECTION,
)

STEPS: dict[str, tuple[Step, ...]] = {
    "mrp_from_quat": _projected,
    "quat_from_mrp": (_inverted, _lifted),
    "dcm_from_mrp": _by_quaternion,
    "mrp_kinematics": _rate,
    "mrp_kinematics_inverse": _body_rate,
    "mrp_shadow": (_opposite, _shadow),
}
