"""A first model: the force and moment of four rotors in X configuration."""

from codegen import POSITIVE, Arg, Array, Vec3, kernel


@kernel(
    inputs=[
        Arg("rotor", Array((4,)), "rad/s", "speeds: front right, rear left, front left, rear right"),
        Arg("arm", POSITIVE, "m", "distance of each rotor from the x axis, and from the y axis"),
        Arg("k_thrust", POSITIVE, "N s^2", "thrust of a rotor, divided by its speed squared"),
        Arg("k_torque", POSITIVE, "N m s^2", "torque of a rotor, divided by its speed squared"),
    ],
    outputs=[Arg("F_B", Vec3, "N", "force", "B"), Arg("M_B", Vec3, "N m", "moment", "B")],
    equation="F_B = T(a) + T(b) + T(c) + T(d), rotor = [a, b, c, d], T(s) = [0, 0, -k_thrust s^2]; "
    "M_B = arm (e x T(a) - e x T(b) + f x T(c) - f x T(d)) + k_torque [0, 0, a^2 + b^2 - c^2 - d^2], "
    "e = e_x + e_y, f = e_x - e_y",
    source="Mahony, Kumar and Corke, Multirotor Aerial Vehicles, IEEE RAM 19(3), 2012",
)
def mixing(rotor, arm, k_thrust, k_torque):  # type: ignore[no-untyped-def]
    """Force and moment of four rotors; body axes forward, right, down."""
    a, b, c, d = (speed * speed for speed in rotor)
    lever = arm * k_thrust
    force = Vec3(0, 0, -k_thrust * (a + b + c + d))
    return force, Vec3(lever * (b + c - a - d), lever * (a + c - b - d), k_torque * (a + b - c - d))
