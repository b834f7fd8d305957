"""A quadrotor in X configuration: motor mixing, rotor gyroscopics, drag, gravity, six degrees of freedom.

Body axes are forward-right-down, N is north-east-down. The rotors are numbered as in PX4.
"""

from codegen import (
    POSITIVE,
    Arg,
    Array,
    InertiaTensor,
    Quaternion,
    Scalar,
    UnitQuaternion,
    Vec3,
    jacobian,
    kernel,
    let,
)
from codegen.library.rigid_body.kernels import rigid_body_dynamics_quat
from codegen.library.rotation.kernels import quat_rotate_inverse

ROTORS = ((1, 1, -1), (-1, -1, -1), (1, -1, 1), (-1, 1, 1))
"""Of each rotor: forward and right position in units of `arm`, sense of rotation about z."""


@kernel(
    inputs=[
        Arg("p_N", Vec3, "m", "position", "N"),
        Arg("q_NB", UnitQuaternion, "1", "attitude", "B to N"),
        Arg("v_B", Vec3, "m/s", "velocity relative to the air, which is at rest in N", "B"),
        Arg("w_B", Vec3, "rad/s", "angular velocity relative to N", "B"),
        Arg("rotor", Array((4,)), "rad/s", "speeds of the four rotors"),
        Arg("m", POSITIVE, "kg", "mass"),
        Arg("J_B", InertiaTensor, "kg m^2", "inertia about the centre of mass, rotors included", "B"),
        Arg("arm", POSITIVE, "m", "distance of each rotor from the x axis, and from the y axis"),
        Arg("k_thrust", POSITIVE, "N s^2", "thrust of a rotor divided by its speed squared"),
        Arg("k_torque", POSITIVE, "N m s^2", "torque of a rotor divided by its speed squared"),
        Arg("J_rotor", POSITIVE, "kg m^2", "inertia of a rotor about its axis"),
        Arg("drag", Vec3, "N s/m", "linear drag along each body axis", "B"),
    ],
    outputs=[
        Arg("dp_N", Vec3, "m/s", "rate of p_N", "N"),
        Arg("dq", Quaternion, "1/s", "rate of q_NB"),
        Arg("dv_B", Vec3, "m/s^2", "componentwise rate of v_B", "B"),
        Arg("dw_B", Vec3, "rad/s^2", "componentwise rate of w_B", "B"),
    ],
    equation="dp_N = R v_B, R = 1 + 2 (q_w q_v~ + q_v~ q_v~); dq = q_NB (x) [0, w_B] / 2; "
    "dv_B = F / m - w_B x v_B; dw_B = J_B^-1 (M - w_B x (J_B w_B)); "
    "F = T(a) + T(b) + T(c) + T(d) - diag(drag) v_B + 9.80665 m R^T e_z; "
    "M = arm (e x T(a) - e x T(b) + f x T(c) - f x T(d)) + k_torque [0, 0, a^2 + b^2 - c^2 - d^2] - w_B x h; "
    "T(s) = [0, 0, -k_thrust s^2], e = e_x + e_y, f = e_x - e_y; "
    "h = J_rotor [0, 0, c + d - a - b], rotor = [a, b, c, d]",
    source="Mahony, Kumar and Corke, Multirotor Aerial Vehicles, IEEE RAM 19(3), 2012",
    requires="q_NB is a unit quaternion; rotor speeds change slowly",
)
def quadrotor_dynamics(
    p_N: Vec3,
    q_NB: UnitQuaternion,
    v_B: Vec3,
    w_B: Vec3,
    rotor: tuple[Scalar, ...],
    m: Scalar,
    J_B: InertiaTensor,
    arm: Scalar,
    k_thrust: Scalar,
    k_torque: Scalar,
    J_rotor: Scalar,
    drag: Vec3,
) -> tuple[Vec3, Quaternion, Vec3, Vec3]:
    """State derivative of a quadrotor."""
    square = let("square", [speed * speed for speed in rotor])
    thrust = let("thrust", k_thrust * sum(square))
    roll, pitch = (sum(r[i] * w for r, w in zip(ROTORS, square, strict=True)) for i in (1, 0))
    yaw = sum(s * w for (_, _, s), w in zip(ROTORS, square, strict=True))
    spin = sum(s * speed for (_, _, s), speed in zip(ROTORS, rotor, strict=True))

    lever = let("lever", arm * k_thrust)
    h = Vec3(0, 0, let("h", J_rotor * spin))
    moment = Vec3(-lever * roll, lever * pitch, -k_torque * yaw) - w_B.cross(h)
    weight = quat_rotate_inverse(q_NB, Vec3(0, 0, 9.80665 * m))
    resistance = Vec3(drag.x * v_B.x, drag.y * v_B.y, drag.z * v_B.z)
    force = Vec3(0, 0, -thrust) - resistance + weight
    result: tuple[Vec3, Quaternion, Vec3, Vec3] = rigid_body_dynamics_quat(
        p_N, q_NB, v_B, w_B, force, moment, m, J_B, 0
    )
    return result


quadrotor_jacobians = jacobian(
    quadrotor_dynamics,
    name="quadrotor_jacobians",
    outputs=["dp_N", "dq", "dv_B", "dw_B"],
    inputs={"A": ["p_N", "q_NB", "v_B", "w_B"], "B": ["rotor"]},
)
