"""The aerodynamics of the F-16 by its published tables: force and moment, and their Jacobian.

The model is that of Stevens and Lewis: coefficients over angle of attack, sideslip and elevator, from tests
in a wind tunnel at low speed. The nodes are at angles of attack from -10 to 45 degrees and at sideslip up to
30 degrees; beyond them a look-up goes on along the line of the last cell, as in the book. Body axes are
forward, right, down.
"""

from collections.abc import Sequence

from codegen import PI, POSITIVE, REAL, Arg, Axis, Scalar, Table, Vec3, jacobian, kernel

ALPHA = Axis(range(-10, 46, 5), "deg", "angle of attack")
ELEVATOR = Axis(range(-24, 25, 12), "deg", "elevator")
BETA = Axis(range(-30, 31, 10), "deg", "sideslip")
SIDES = Axis(range(-30, 31, 5), "deg", "sideslip")

AREA, SPAN, CHORD = 27.870912, 9.144, 3.450336
"""Of the wing, in m^2 and m: 300 square feet, 30 feet and 11.32 feet."""

EQUATION = f"""
F_B = qbar S [X, Y, Z]; M_B = qbar S [b L, c M, b N];
X = C_X(e, a) + C_Xq(a) q;
Y = -0.02 s + 0.021 d_a + 0.086 d_r + C_Yr(a) r + C_Yp(a) p;
Z = C_Z(a) (1 - (s / 57.3)^2) - 0.19 e / 25 + C_Zq(a) q;
L = C_l(s, a) + C_l_aileron(s, a) d_a + C_l_rudder(s, a) d_r + C_lr(a) r + C_lp(a) p;
M = C_m(e, a) + C_mq(a) q + (0.35 - x_cg) Z;
N = C_n(s, a) + C_n_aileron(s, a) d_a + C_n_rudder(s, a) d_r + C_nr(a) r + C_np(a) p -
  (0.35 - x_cg) (c / b) Y;
[p, q, r] = [b w_B[0], c w_B[1], b w_B[2]] / (2 V);
a = 180 alpha / pi; s = 180 beta / pi; e = 180 elevator / pi;
d_a = 9 aileron / pi; d_r = 6 rudder / pi;
S = {AREA}; b = {SPAN}; c = {CHORD}
"""


def table(name: str, axis: Axis, doc: str, data: Sequence[Sequence[float]]) -> Table:
    """A table over an axis and the angle of attack: a row for each node of the axis, as in the book."""
    key = "elevator" if axis is ELEVATOR else "beta"
    return Table(name, {key: axis, "alpha": ALPHA}, data, unit="1", outside="extrapolate", doc=doc)


def odd(half: Sequence[Sequence[float]]) -> list[list[float]]:
    """The rows of both sides, of those for sideslip 0, 5 ... 30: they change their sign with sideslip.

    So the slope by sideslip exists at zero, where a product with sign(beta) has none.
    """
    return [[-x for x in row] for row in half[:0:-1]] + [list(row) for row in half]


C_X = table("C_X", ELEVATOR, "force coefficient along x", [
    [-0.099, -0.081, -0.081, -0.063, -0.025, 0.044, 0.097, 0.113, 0.145, 0.167, 0.174, 0.166],
    [-0.048, -0.038, -0.04, -0.021, 0.016, 0.083, 0.127, 0.137, 0.162, 0.177, 0.179, 0.167],
    [-0.022, -0.02, -0.021, -0.004, 0.032, 0.094, 0.128, 0.13, 0.154, 0.161, 0.155, 0.138],
    [-0.04, -0.038, -0.039, -0.025, 0.006, 0.062, 0.087, 0.085, 0.1, 0.11, 0.104, 0.091],
    [-0.083, -0.073, -0.076, -0.072, -0.046, 0.012, 0.024, 0.025, 0.043, 0.053, 0.047, 0.04],
])  # fmt: skip
C_Z = Table("C_Z", {"alpha": ALPHA}, [
    0.77, 0.241, -0.1, -0.416, -0.731, -1.053, -1.366, -1.646, -1.917, -2.12, -2.248, -2.229,
], unit="1", outside="extrapolate", doc="force coefficient along z")  # fmt: skip
C_m = table("C_m", ELEVATOR, "pitching-moment coefficient", [
    [0.205, 0.168, 0.186, 0.196, 0.213, 0.251, 0.245, 0.238, 0.252, 0.231, 0.198, 0.192],
    [0.081, 0.077, 0.107, 0.11, 0.11, 0.141, 0.127, 0.119, 0.133, 0.108, 0.081, 0.093],
    [-0.046, -0.02, -0.009, -0.005, -0.006, 0.01, 0.006, -0.001, 0.014, 0, -0.013, 0.032],
    [-0.174, -0.145, -0.121, -0.127, -0.129, -0.102, -0.097, -0.113, -0.087, -0.084, -0.069, -0.006],
    [-0.259, -0.202, -0.184, -0.193, -0.199, -0.15, -0.16, -0.167, -0.104, -0.076, -0.041, -0.005],
])  # fmt: skip
C_l = table("C_l", SIDES, "rolling-moment coefficient", odd([
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [-0.001, -0.004, -0.008, -0.012, -0.016, -0.022, -0.022, -0.021, -0.015, -0.008, -0.013, -0.015],
    [-0.003, -0.009, -0.017, -0.024, -0.03, -0.041, -0.045, -0.04, -0.016, -0.002, -0.01, -0.019],
    [-0.001, -0.01, -0.02, -0.03, -0.039, -0.054, -0.057, -0.054, -0.023, -0.006, -0.014, -0.027],
    [0, -0.01, -0.022, -0.034, -0.047, -0.06, -0.069, -0.067, -0.033, -0.036, -0.035, -0.035],
    [0.007, -0.01, -0.023, -0.034, -0.049, -0.063, -0.081, -0.079, -0.06, -0.058, -0.062, -0.059],
    [0.009, -0.011, -0.023, -0.037, -0.05, -0.068, -0.089, -0.088, -0.091, -0.076, -0.077, -0.076],
]))  # fmt: skip
C_n = table("C_n", SIDES, "yawing-moment coefficient", odd([
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0.018, 0.019, 0.018, 0.019, 0.019, 0.018, 0.013, 0.007, 0.004, -0.014, -0.017, -0.033],
    [0.038, 0.042, 0.042, 0.042, 0.043, 0.039, 0.03, 0.017, 0.004, -0.035, -0.047, -0.057],
    [0.056, 0.057, 0.059, 0.058, 0.058, 0.053, 0.032, 0.012, 0.002, -0.046, -0.071, -0.073],
    [0.064, 0.077, 0.076, 0.074, 0.073, 0.057, 0.029, 0.007, 0.012, -0.034, -0.065, -0.041],
    [0.074, 0.086, 0.093, 0.089, 0.08, 0.062, 0.049, 0.022, 0.028, -0.012, -0.002, -0.013],
    [0.079, 0.09, 0.106, 0.106, 0.096, 0.08, 0.068, 0.03, 0.064, 0.015, 0.011, -0.001],
]))  # fmt: skip
C_l_aileron = table("C_l_aileron", BETA, "rolling moment by 20 degrees of aileron", [
    [-0.041, -0.052, -0.053, -0.056, -0.05, -0.056, -0.082, -0.059, -0.042, -0.038, -0.027, -0.017],
    [-0.041, -0.053, -0.053, -0.053, -0.05, -0.051, -0.066, -0.043, -0.038, -0.027, -0.023, -0.016],
    [-0.042, -0.053, -0.052, -0.051, -0.049, -0.049, -0.043, -0.035, -0.026, -0.016, -0.018, -0.014],
    [-0.04, -0.052, -0.051, -0.052, -0.048, -0.048, -0.042, -0.037, -0.031, -0.026, -0.017, -0.012],
    [-0.043, -0.049, -0.048, -0.049, -0.043, -0.042, -0.042, -0.036, -0.025, -0.021, -0.016, -0.011],
    [-0.044, -0.048, -0.048, -0.047, -0.042, -0.041, -0.02, -0.028, -0.013, -0.014, -0.011, -0.01],
    [-0.043, -0.049, -0.047, -0.045, -0.042, -0.037, -0.003, -0.013, -0.01, -0.003, -0.007, -0.008],
])  # fmt: skip
C_l_rudder = table("C_l_rudder", BETA, "rolling moment by 30 degrees of rudder", [
    [0.005, 0.017, 0.014, 0.01, -0.005, 0.009, 0.019, 0.005, 0, -0.005, -0.011, 0.008],
    [0.007, 0.016, 0.014, 0.014, 0.013, 0.009, 0.012, 0.005, 0, 0.004, 0.009, 0.007],
    [0.013, 0.013, 0.011, 0.012, 0.011, 0.009, 0.008, 0.005, 0, 0.005, 0.003, 0.005],
    [0.018, 0.015, 0.015, 0.014, 0.014, 0.014, 0.014, 0.015, 0.013, 0.011, 0.006, 0.001],
    [0.015, 0.014, 0.013, 0.013, 0.012, 0.011, 0.011, 0.01, 0.008, 0.008, 0.007, 0.003],
    [0.021, 0.011, 0.01, 0.011, 0.01, 0.009, 0.008, 0.01, 0.006, 0.005, 0, 0.001],
    [0.023, 0.01, 0.011, 0.011, 0.011, 0.01, 0.008, 0.01, 0.006, 0.014, 0.02, 0],
])  # fmt: skip
C_n_aileron = table("C_n_aileron", BETA, "yawing moment by 20 degrees of aileron", [
    [0.001, -0.027, -0.017, -0.013, -0.012, -0.016, 0.001, 0.017, 0.011, 0.017, 0.008, 0.016],
    [0.002, -0.014, -0.016, -0.016, -0.014, -0.019, -0.021, 0.002, 0.012, 0.016, 0.015, 0.011],
    [-0.006, -0.008, -0.006, -0.006, -0.005, -0.008, -0.005, 0.007, 0.004, 0.007, 0.006, 0.006],
    [-0.011, -0.011, -0.01, -0.009, -0.008, -0.006, 0, 0.004, 0.007, 0.01, 0.004, 0.01],
    [-0.015, -0.015, -0.014, -0.012, -0.011, -0.008, -0.002, 0.002, 0.006, 0.012, 0.011, 0.011],
    [-0.024, -0.01, -0.004, -0.002, -0.001, 0.003, 0.014, 0.006, -0.001, 0.004, 0.004, 0.006],
    [-0.022, 0.002, -0.003, -0.005, -0.003, -0.001, -0.009, -0.009, -0.001, 0.003, -0.002, 0.001],
])  # fmt: skip
C_n_rudder = table("C_n_rudder", BETA, "yawing moment by 30 degrees of rudder", [
    [-0.018, -0.052, -0.052, -0.052, -0.054, -0.049, -0.059, -0.051, -0.03, -0.037, -0.026, -0.013],
    [-0.028, -0.051, -0.043, -0.046, -0.045, -0.049, -0.057, -0.052, -0.03, -0.033, -0.03, -0.008],
    [-0.037, -0.041, -0.038, -0.04, -0.04, -0.038, -0.037, -0.03, -0.027, -0.024, -0.019, -0.013],
    [-0.048, -0.045, -0.045, -0.045, -0.044, -0.045, -0.047, -0.048, -0.049, -0.045, -0.033, -0.016],
    [-0.043, -0.044, -0.041, -0.041, -0.04, -0.038, -0.034, -0.035, -0.035, -0.029, -0.022, -0.009],
    [-0.052, -0.034, -0.036, -0.036, -0.035, -0.028, -0.024, -0.023, -0.02, -0.016, -0.01, -0.014],
    [-0.062, -0.034, -0.027, -0.028, -0.027, -0.027, -0.023, -0.023, -0.019, -0.009, -0.025, -0.01],
])  # fmt: skip

DAMPING = [
    Table(name, {"alpha": ALPHA}, row, unit="1", outside="extrapolate", doc=f"damping derivative {name}")
    for name, row in zip(
        ["C_Xq", "C_Yr", "C_Yp", "C_Zq", "C_lr", "C_lp", "C_mq", "C_nr", "C_np"],
        [
            [-0.267, -0.11, 0.308, 1.34, 2.08, 2.91, 2.76, 2.05, 1.5, 1.49, 1.83, 1.21],
            [0.882, 0.852, 0.876, 0.958, 0.962, 0.974, 0.819, 0.483, 0.59, 1.21, -0.493, -1.04],
            [-0.108, -0.108, -0.188, 0.11, 0.258, 0.226, 0.344, 0.362, 0.611, 0.529, 0.298, -0.227],
            [-8.8, -25.8, -28.9, -31.4, -31.2, -30.7, -27.7, -28.2, -29, -29.8, -38.3, -35.3],
            [-0.126, -0.026, 0.063, 0.113, 0.208, 0.23, 0.319, 0.437, 0.68, 0.1, 0.447, -0.33],
            [-0.36, -0.359, -0.443, -0.42, -0.383, -0.375, -0.329, -0.294, -0.23, -0.21, -0.12, -0.1],
            [-7.21, -5.4, -5.23, -5.26, -6.11, -6.64, -5.69, -6, -6.2, -6.4, -6.6, -6],
            [-0.38, -0.363, -0.378, -0.386, -0.37, -0.453, -0.55, -0.582, -0.595, -0.637, -1.02, -0.84],
            [0.061, 0.052, 0.052, -0.012, -0.013, -0.024, 0.05, 0.15, 0.13, 0.158, 0.24, 0.15],
        ],
        strict=True,
    )
]  # fmt: skip


@kernel(
    inputs=[
        Arg("V", POSITIVE, "m/s", "true airspeed", range=(30, 300)),
        Arg("alpha", REAL, "rad", "angle of attack", range=(-0.175, 0.786)),
        Arg("beta", REAL, "rad", "sideslip", range=(-0.524, 0.524)),
        Arg("w_B", Vec3, "rad/s", "angular velocity", "B"),
        Arg("qbar", REAL, "Pa", "dynamic pressure", range=(0, 100000)),
        Arg("elevator", REAL, "rad", "elevator, positive with its trailing edge down", range=(-0.437, 0.437)),
        Arg("aileron", REAL, "rad", "aileron", range=(-0.375, 0.375)),
        Arg("rudder", REAL, "rad", "rudder", range=(-0.524, 0.524)),
        Arg("x_cg", REAL, "1", "centre of mass, in chords aft of their leading edge", range=(0, 1)),
    ],
    outputs=[
        Arg("F_B", Vec3, "N", "aerodynamic force", "B"),
        Arg("M_B", Vec3, "N m", "aerodynamic moment about the centre of mass", "B"),
    ],
    equation=EQUATION,
    source="Stevens and Lewis, Aircraft Control and Simulation; Nguyen et al., NASA TP 1538",
    requires="V is positive",
)
def f16_aerodynamics(
    V: Scalar,
    alpha: Scalar,
    beta: Scalar,
    w_B: Vec3,
    qbar: Scalar,
    elevator: Scalar,
    aileron: Scalar,
    rudder: Scalar,
    x_cg: Scalar,
) -> tuple[Vec3, Vec3]:
    """Aerodynamic force and moment of the F-16.

    In the equation, X, Y and Z are the coefficients of the force, L, M and N those of the moment. The tables
    are over the angle of attack `a`, the sideslip `s` and the elevator `e` in degrees; `d_a` and `d_r` are
    shares of 20 degrees of aileron and of 30 degrees of rudder, `p`, `q` and `r` the rates without units.
    """
    degrees = 180 / PI
    a, b, e = alpha * degrees, beta * degrees, elevator * degrees
    ail, rud = aileron * degrees / 20, rudder * degrees / 30
    d = {table.name: table(a) for table in DAMPING}
    span, chord = SPAN / (2 * V), CHORD / (2 * V)
    p, r, q = w_B.x * span, w_B.z * span, w_B.y * chord

    x = C_X(e, a) + d["C_Xq"] * q
    y = -0.02 * b + 0.021 * ail + 0.086 * rud + d["C_Yr"] * r + d["C_Yp"] * p
    z = C_Z(a) * (1 - (b / 57.3) ** 2) - 0.19 * e / 25 + d["C_Zq"] * q
    roll = C_l(b, a) + C_l_aileron(b, a) * ail + C_l_rudder(b, a) * rud + d["C_lr"] * r + d["C_lp"] * p
    pitch = C_m(e, a) + d["C_mq"] * q + z * (0.35 - x_cg)
    yaw = C_n(b, a) + C_n_aileron(b, a) * ail + C_n_rudder(b, a) * rud + d["C_nr"] * r + d["C_np"] * p
    yaw -= y * (0.35 - x_cg) * CHORD / SPAN

    load = qbar * AREA
    return Vec3(load * x, load * y, load * z), Vec3(
        load * SPAN * roll, load * CHORD * pitch, load * SPAN * yaw
    )


f16_jacobian = jacobian(
    f16_aerodynamics,
    name="f16_jacobian",
    outputs=["F_B", "M_B"],
    inputs={"J": ["V", "alpha", "beta", "w_B", "elevator", "aileron", "rudder"]},
)
