"""Joints by type: pose of the successor S in the predecessor P, and motion subspace in axes of S.

The twist of S relative to P is the motion subspace times the joint's velocities.
"""

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.types import REAL, Array, Scalar
from codegen.library.rotation.kernels import quat_to_dcm_unit, skew_polynomial
from codegen.library.shared.arguments import attitude, motion, pose, vector
from codegen.library.shared.works import FEATHERSTONE
from codegen.modeling.quantities.frames import in_frame
from codegen.modeling.types.algebra import Motion, Rotation, Transform, UnitQuaternion, Vec3
from codegen.modeling.types.scalar import cos, let, sin

SECTION = FEATHERSTONE.at("section 4.4")
AXIS = vector("axis", "1", "unit vector along the joint's axis", "S")
REQUIRES = "`axis` is a unit vector"
ANGLE = Arg("q", REAL, "rad", "angle of the joint")
TURN = "R_PS = 1 + sin(q) axis~ + (1 - cos(q)) axis~ axis~"


def _pose() -> Arg:
    return pose("T_PS", "pose of the successor S in the predecessor P")


def _subspace(unit: str, doc: str) -> Arg:
    return motion("S_q", "S", f"motion subspace: twist of S for a unit rate of the joint, {doc}", unit)


def _columns(count: int, doc: str) -> Arg:
    return Arg(
        "S_q", Array((6, count)), "mixed", f"motion subspace: its columns are the twists of {doc}", "S"
    )


def _turned(axis: Vec3, q: Scalar) -> Rotation:
    """The rotation about an axis by an angle."""
    R = skew_polynomial(let("s_axis", sin(q) * axis), axis, let("versine", 1 - cos(q)) * axis)
    return Rotation(R.m)


@kernel(
    inputs=[AXIS, ANGLE],
    outputs=[_pose(), _subspace("1; m", "which is constant")],
    equation=f"{TURN}; p_PS_P = 0; S_q = [axis, 0, 0, 0]",
    source=SECTION,
    requires=REQUIRES,
)
def joint_revolute(axis: Vec3, q: Scalar) -> tuple[Transform, Motion]:
    """Joint that turns about an axis."""
    return Transform(_turned(axis, q), Vec3.zero()), Motion(axis, Vec3.zero())


@kernel(
    inputs=[AXIS, Arg("q", REAL, "m", "displacement of the joint")],
    outputs=[_pose(), _subspace("1/m; 1", "which is constant")],
    equation="R_PS = 1; p_PS_P = q axis; S_q = [0, 0, 0, axis]",
    source=SECTION,
    requires=REQUIRES,
)
def joint_prismatic(axis: Vec3, q: Scalar) -> tuple[Transform, Motion]:
    """Joint that slides along an axis."""
    return Transform(Rotation.identity(), q * in_frame(axis, "P")), Motion(Vec3.zero(), axis)


@kernel(
    inputs=[AXIS, Arg("pitch", REAL, "m/rad", "displacement along the axis per angle"), ANGLE],
    outputs=[_pose(), _subspace("1; m", "which is constant")],
    equation=f"{TURN}; p_PS_P = pitch q axis; S_q = [axis, pitch axis]",
    source=SECTION,
    requires=REQUIRES,
)
def joint_helical(axis: Vec3, pitch: Scalar, q: Scalar) -> tuple[Transform, Motion]:
    """Joint that turns about an axis and slides along it, as a screw."""
    return Transform(_turned(axis, q), pitch * q * in_frame(axis, "P")), Motion(axis, pitch * axis)


@kernel(
    inputs=[
        Arg("x", REAL, "m", "displacement along P's x axis"),
        Arg("y", REAL, "m", "displacement along P's y axis"),
        ANGLE,
    ],
    outputs=[_pose(), _columns(3, "unit rates of x, y and q")],
    equation="R_PS = Rz(q); p_PS_P = [x, y, 0]; S_q = [[0, 0, e_z], [Rz(q)^T e_x, Rz(q)^T e_y, 0]]",
    source=SECTION,
)
def joint_planar(x: Scalar, y: Scalar, q: Scalar) -> tuple[Transform, list[Scalar]]:
    """Joint that moves in P's plane of x and y, and turns about its normal."""
    s, c = let("s", sin(q)), let("c", cos(q))
    T_PS = Transform(Rotation((c, -s, 0, s, c, 0, 0, 0, 1)), Vec3(x, y, 0))
    return T_PS, [*([0] * 6), *(0, 0, 1), *(c, s, 0), *(-s, c, 0), *(0, 0, 0)]


@kernel(
    inputs=[
        Arg("q_1", REAL, "rad", "angle about P's x axis"),
        Arg("q_2", REAL, "rad", "angle about the y axis of the cross"),
    ],
    outputs=[_pose(), _columns(2, "unit rates of `q_1` and `q_2`")],
    equation="R_PS = Rx(q_1) Ry(q_2); p_PS_P = 0; "
    "S_q = cols(c_0, c_1); c_0 = [Ry(q_2)^T e_x, 0, 0, 0], c_1 = [e_y, 0, 0, 0]",
    source=SECTION,
)
def joint_universal(q_1: Scalar, q_2: Scalar) -> tuple[Transform, list[Scalar]]:
    """Joint that turns about x and then about y, as a Cardan joint."""
    s_1, c_1 = let("sin_1", sin(q_1)), let("cos_1", cos(q_1))
    s_2, c_2 = let("sin_2", sin(q_2)), let("cos_2", cos(q_2))
    R = Rotation((*(c_2, 0, s_2), *(s_1 * s_2, c_1, -(s_1 * c_2)), *(-(c_1 * s_2), s_1, c_1 * c_2)))
    return Transform(R, Vec3.zero()), [*(c_2, 0), *(0, 1), *(s_2, 0), *([0] * 6)]


@kernel(
    inputs=[attitude("q_PS")],
    outputs=[_pose(), _columns(3, "unit angular velocities about S's axes")],
    equation="R_PS = 1 + 2 (w u~ + u~ u~); p_PS_P = 0; S_q = [[identity(3)], [zeros(3, 3)]]; q_PS = [w, u]",
    source=SECTION,
    requires="`q_PS` is a unit quaternion",
)
def joint_spherical(q_PS: UnitQuaternion) -> tuple[Transform, list[Scalar]]:
    """Joint that turns about a point; its velocity is the angular velocity in axes of S."""
    units = [int(i == j) for i in range(3) for j in range(3)]
    return Transform(quat_to_dcm_unit(q_PS), Vec3.zero()), [*units, *([0] * 9)]
