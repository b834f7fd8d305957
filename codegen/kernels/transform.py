"""Poses: points, compositions, and the Plücker transforms of motions and forces."""

from codegen.algebra import Force, Motion, Transform, Vec3
from codegen.describe import kernel
from codegen.kernels.arguments import force, motion, pose, vector
from codegen.scalar import let

RIGHT = "R_AB is orthonormal"


@kernel(
    inputs=[pose("T_AB"), vector("p_B", "m", "point, measured from B's origin", "B")],
    outputs=[vector("p_A", "m", "the same point, measured from A's origin", "A")],
    equation="p_A = p_AB_A + R_AB p_B",
    source="Featherstone, Rigid Body Dynamics Algorithms (2008), section 2.8",
)
def transform_point(T_AB: Transform, p_B: Vec3) -> Vec3:
    """Coordinates of a point in A from those in B."""
    return T_AB.R @ p_B + T_AB.p


@kernel(
    inputs=[pose("T_AB"), vector("p_A", "m", "point, measured from A's origin", "A")],
    outputs=[vector("p_B", "m", "the same point, measured from B's origin", "B")],
    equation="p_B = R_AB^T (p_A - p_AB_A)",
    source="Featherstone, Rigid Body Dynamics Algorithms (2008), section 2.8",
    requires=RIGHT,
)
def transform_point_inverse(T_AB: Transform, p_A: Vec3) -> Vec3:
    """Coordinates of a point in B from those in A."""
    return T_AB.R.transpose @ let("d", p_A - T_AB.p)


@kernel(
    inputs=[pose("T_AB"), pose("T_BC")],
    outputs=[pose("T_AC")],
    equation="T_AC = T_AB T_BC = (R_AB R_BC, p_AB_A + R_AB p_BC_B)",
    source="Featherstone, Rigid Body Dynamics Algorithms (2008), section 2.8",
)
def transform_compose(T_AB: Transform, T_BC: Transform) -> Transform:
    """Pose of C in A from the poses of B in A and of C in B."""
    return Transform(T_AB.R @ T_BC.R, T_AB.R @ T_BC.p + T_AB.p)


@kernel(
    inputs=[pose("T_AB")],
    outputs=[pose("T_BA")],
    equation="T_BA = (R_AB^T, -R_AB^T p_AB_A)",
    source="Featherstone, Rigid Body Dynamics Algorithms (2008), section 2.8",
    requires=RIGHT,
)
def transform_inverse(T_AB: Transform) -> Transform:
    """Pose of A in B from the pose of B in A."""
    R_BA = T_AB.R.transpose
    return Transform(R_BA, -(R_BA @ T_AB.p))


@kernel(
    inputs=[pose("T_AB"), motion("v_B", "B")],
    outputs=[motion("v_A", "A", "the same spatial velocity")],
    equation="v_A = X_AB v_B: w_A = R w_B, v_A = R v_B + p x (R w_B)",
    source="Featherstone, Rigid Body Dynamics Algorithms (2008), section 2.8",
)
def motion_transform(T_AB: Transform, v_B: Motion) -> Motion:
    """Plücker transform of a spatial motion vector from B to A."""
    w = let("w", T_AB.R @ v_B.w)
    return Motion(w, T_AB.R @ v_B.v + T_AB.p.cross(w))


@kernel(
    inputs=[pose("T_AB"), motion("v_A", "A")],
    outputs=[motion("v_B", "B", "the same spatial velocity")],
    equation="v_B = X_AB^-1 v_A: w_B = R^T w_A, v_B = R^T (v_A - p x w_A)",
    source="Featherstone, Rigid Body Dynamics Algorithms (2008), section 2.8",
    requires=RIGHT,
)
def motion_transform_inverse(T_AB: Transform, v_A: Motion) -> Motion:
    """Plücker transform of a spatial motion vector from A to B."""
    R_BA = T_AB.R.transpose
    return Motion(R_BA @ v_A.w, R_BA @ let("d", v_A.v - T_AB.p.cross(v_A.w)))


@kernel(
    inputs=[pose("T_AB"), force("f_B", "B")],
    outputs=[force("f_A", "A", "the same spatial force")],
    equation="f_A = X*_AB f_B: f_A = R f_B, n_A = R n_B + p x (R f_B)",
    source="Featherstone, Rigid Body Dynamics Algorithms (2008), section 2.8",
)
def force_transform(T_AB: Transform, f_B: Force) -> Force:
    """Plücker transform of a spatial force vector from B to A."""
    f = let("f", T_AB.R @ f_B.f)
    return Force(T_AB.R @ f_B.n + T_AB.p.cross(f), f)


@kernel(
    inputs=[pose("T_AB"), force("f_A", "A")],
    outputs=[force("f_B", "B", "the same spatial force")],
    equation="f_B = X*_AB^-1 f_A: f_B = R^T f_A, n_B = R^T (n_A - p x f_A)",
    source="Featherstone, Rigid Body Dynamics Algorithms (2008), section 2.8",
    requires=RIGHT,
)
def force_transform_inverse(T_AB: Transform, f_A: Force) -> Force:
    """Plücker transform of a spatial force vector from A to B."""
    R_BA = T_AB.R.transpose
    return Force(R_BA @ let("d", f_A.n - T_AB.p.cross(f_A.f)), R_BA @ f_A.f)
