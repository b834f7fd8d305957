"""Inverse dynamics of a UR5 arm: the joint torques for a motion, by the Newton-Euler equations.

Each link has a frame at its joint, with z along the axis, as in the robot's ROS description; only the frame
of wrist 3 is shifted along its axis by 82.3 mm, from the flange to the frame of wrist 2, where it has no
lever arm. The geometry is compiled in: rotations by 0 and 90 degrees and zero lever arms cost no
multiplication.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from codegen import Arg, Array, Force, Inertia, Mat3, SymMat3, Vec3, kernel
from codegen.ir.types import Scalar
from codegen.library.inertia.kernels import inertia_translate
from codegen.library.inertia_forms.reference import inertia_to_pseudo
from codegen.library.shared import elementary
from codegen.library.shared.dense import Result, identity, result, zeros
from codegen.modeling.types.scalar import constant, cos, let, sin

GRAVITY = Fraction("9.80665")


@dataclass(frozen=True)
class Joint:
    """A joint's pose in the previous link's frame: at p, in m, rotated about x by `turn` right angles."""

    turn: int
    p: tuple[Fraction, ...]

    @property
    def upright(self) -> int:
        """1 where the axis is parallel to z, 0 where it is +-y."""
        return 1 - abs(self.turn)


def joint(turn: int, *p: str) -> Joint:
    """A joint with its position as decimals, m."""
    return Joint(turn, tuple(map(Fraction, p)))


JOINTS = (
    joint(0, "0", "0", "0.089159"),
    joint(1, "0", "0", "0"),
    joint(0, "-0.425", "0", "0"),
    joint(0, "-0.39225", "0", "0.10915"),
    joint(1, "0", "-0.09465", "0"),
    joint(-1, "0", "0", "0"),
)
"""Universal Robots, DH parameters for calculations of kinematics and dynamics."""


def link(m: str, c: Sequence[str], J: Sequence[str]) -> Inertia:
    """A link of mass m, in kg, with its centre of mass at c, in m, and principal moments J, in kg m^2."""
    xx, yy, zz = map(Fraction, J)
    centred = Inertia(Fraction(m), Vec3.zero(), SymMat3(xx, 0, 0, yy, 0, zz))
    placed: Inertia = inertia_translate(Vec3(*map(Fraction, c)), centred)
    return placed


LINKS = (
    link("3.7", ("0", "-0.00193", "-0.02561"), ("0.0149724", "0.0149724", "0.0104063")),
    link("8.393", ("-0.2125", "0", "0.11336"), ("0.0151074", "0.1338858", "0.1338858")),
    link("2.33", ("-0.24225", "0", "0.0265"), ("0.004095", "0.0312168", "0.0312168")),
    link("1.219", ("0", "-0.01634", "-0.0018"), ("0.0020139", "0.0020139", "0.0021942")),
    link("1.219", ("0", "0.01634", "-0.0018"), ("0.001831", "0.001831", "0.0021942")),
    link("0.1879", ("0", "0", "0.081141"), ("0.0000806", "0.0000806", "0.0001321")),
)
"""Masses and centres of mass from the same page; moments of the cylinders in the robot's ROS description."""


def lagrange(q: Any, dq: Any, ddq: Any, *bodies: Any) -> Result:
    """Lagrange's equations over homogeneous matrices: tau_k = sum_i tr(dT_i/dq_k S_i T_i''^T).

    S_i is a link's pseudo-inertia; gravity is an acceleration of the base. Paul, Robot Manipulators
    (1981).
    """
    one, spin = q[0] * 0 + 1, zeros(4, 4)
    spin[1, 0], spin[0, 1] = 1, -1
    T, dT, ddT, tau = identity(4) * one, zeros(4, 4) * one, zeros(4, 4) * one, zeros(len(JOINTS)) * one
    ddT[2, 3] = _times(one, GRAVITY)
    slopes: list[Any] = []
    for k, (place, body) in enumerate(zip(JOINTS, bodies, strict=True)):
        A = _pose(place, q[k], one)
        slopes = [slope @ A for slope in (*slopes, T)]
        slopes[k] = slopes[k] @ spin
        turned = spin * ddq[k] + spin @ spin * (dq[k] * dq[k])
        ddT = ddT @ A + (dT @ A @ spin) * (2 * dq[k]) + T @ A @ turned
        T, dT = T @ A, dT @ A + T @ A @ spin * dq[k]
        S = inertia_to_pseudo(body).outputs[0].reshape(4, 4)
        for i, slope in enumerate(slopes):
            tau[i] = tau[i] + np.trace(slope @ S @ ddT.T)
    return result(tau)


def lagrange_nominal(q: Any, dq: Any, ddq: Any) -> Result:
    """Lagrange's equations with the published links."""
    one = q[0] * 0 + 1
    return lagrange(q, dq, ddq, *(np.array([_times(one, x) for x in body.scalars()]) for body in LINKS))


def _pose(place: Joint, angle: Any, one: Any) -> Any:
    """The pose of the link's frame in that of the previous link, 4x4."""
    c, s = elementary.cos(angle), elementary.sin(angle)
    turn, spun = identity(4) * one, identity(4) * one
    turn[1:3, 1:3] = np.array([[place.upright, -place.turn], [place.turn, place.upright]]) * one
    turn[:3, 3] = [_times(one, x) for x in place.p]
    spun[:2, :2] = [[c, -s], [s, c]]
    return turn @ spun


def _times(one: Any, exact: Fraction | int) -> Any:
    """A constant as a number like `one`."""
    return one * exact.numerator / exact.denominator


ANGLES = Array((len(JOINTS),))
MOTION = (
    Arg("q", ANGLES, "rad", "joint angles, from the base to the flange"),
    Arg("dq", ANGLES, "rad/s", "joint velocities"),
    Arg("ddq", ANGLES, "rad/s^2", "joint accelerations"),
)
BODIES = tuple(
    Arg(name, Inertia, "kg; kg m; kg m^2", "inertia about the origin of the link's frame", name)
    for name in ("shoulder", "upper_arm", "forearm", "wrist_1", "wrist_2", "wrist_3")
)
TORQUES = Arg("tau", ANGLES, "N m", "joint torques")
EQUATION = (
    "w_i = R_i^T w_(i-1) + dq_i z, dw_i = R_i^T dw_(i-1) + w_i x dq_i z + ddq_i z, "
    "a_i = R_i^T (a_(i-1) + U_(i-1) p_i), U_i = dw_i~ + w_i~ w_i~; "
    "f_i = m_i a_i + U_i h_i + R_(i+1) f_(i+1), "
    "n_i = J_i dw_i + w_i x J_i w_i + h_i x a_i + R_(i+1) n_(i+1) + p_(i+1) x R_(i+1) f_(i+1); tau_i = z.n_i"
)
SOURCE = (
    "Craig, Introduction to Robotics, 3rd ed. (2005), about the frames' origins; "
    "Khalil and Dombre, Modeling, Identification and Control of Robots (2002), for the grouping"
)


@kernel(
    inputs=[*MOTION, *BODIES],
    outputs=[TORQUES],
    equation=EQUATION,
    source=SOURCE,
    reference=lagrange,
)
def ur5_inverse_dynamics(
    q: Sequence[Scalar],
    dq: Sequence[Scalar],
    ddq: Sequence[Scalar],
    shoulder: Inertia,
    upper_arm: Inertia,
    forearm: Inertia,
    wrist_1: Inertia,
    wrist_2: Inertia,
    wrist_3: Inertia,
) -> list[Scalar]:
    """Joint torques of a UR5 with these links, gravity included; a tool is part of wrist_3.

    A link's frame is that of the robot's ROS description, on the link's joint with z along the axis; only
    wrist_3's is moved along z to wrist_2's origin, 82.3 mm behind the flange.
    """
    bodies = grouped([shoulder, upper_arm, forearm, wrist_1, wrist_2, wrist_3])
    turns = [turn(place, angle) for place, angle in zip(JOINTS, q, strict=True)]
    wrenches = []
    w, dw, a, U = Vec3.zero(), Vec3.zero(), Vec3(0, 0, constant(GRAVITY)), Mat3((0,) * 9)
    for i, (place, R, body) in enumerate(zip(JOINTS, turns, bodies, strict=True)):
        a = let(f"a_{i}", R.transpose @ (a + U @ lever(place)))
        w = let(f"w_{i}", R.transpose @ w + Vec3(0, 0, dq[i]))
        dw = let(f"dw_{i}", R.transpose @ dw + w.cross(Vec3(0, 0, dq[i])) + Vec3(0, 0, ddq[i]))
        squares = SymMat3(w.x * w.x, w.x * w.y, w.x * w.z, w.y * w.y, w.y * w.z, w.z * w.z)
        U = let(f"U_{i}", whirl(dw, squares))
        force = a * body.m + U @ body.h
        wrenches.append(Force(moment(body.J, dw, squares, U) + body.h.cross(a), force))

    tau: list[Scalar] = []
    total = Force(Vec3.zero(), Vec3.zero())
    for i in reversed(range(len(JOINTS))):
        total = let(f"f_{i}", total + wrenches[i])
        tau.insert(0, total.n.z)
        f = turns[i] @ total.f
        total = Force(turns[i] @ total.n + lever(JOINTS[i]).cross(f), f)
    return tau


@kernel(inputs=MOTION, outputs=[TORQUES], equation=EQUATION, source=SOURCE, reference=lagrange_nominal)
def ur5_nominal_dynamics(q: Sequence[Scalar], dq: Sequence[Scalar], ddq: Sequence[Scalar]) -> list[Scalar]:
    """Joint torques of a UR5 without a tool, with the published masses, gravity included."""
    tau: list[Scalar] = ur5_inverse_dynamics(q, dq, ddq, *(body.map(constant) for body in LINKS))
    return tau


def grouped(bodies: Sequence[Inertia]) -> list[Inertia]:
    """An equivalent arm with fewer parameters: each link's mass, h_z and J_yy moved to the previous link.

    A body {m, [0, 0, h_z], diag(J_yy, J_yy, 0)} is the same however far its joint turns, about z.
    """
    moved = list(bodies)
    for i in range(len(bodies) - 1, 0, -1):
        place, m, h, J = JOINTS[i], moved[i].m, moved[i].h, moved[i].J
        moved[i] = Inertia(0, Vec3(h.x, h.y, 0), SymMat3(J.xx - J.yy, J.xy, J.xz, 0, J.yz, J.zz))
        along = Vec3(0, -place.turn * h.z, place.upright * h.z)
        across = SymMat3(J.yy, 0, 0, place.upright * J.yy, 0, abs(place.turn) * J.yy)
        moved[i - 1] = moved[i - 1] + inertia_translate(lever(place), Inertia(m, along, across))
    return moved


def turn(place: Joint, angle: Scalar) -> Mat3:
    """R that transforms coordinates from the link's frame to that of the previous link."""
    c, s, k, u = cos(angle), sin(angle), place.turn, place.upright
    return Mat3((c, -s, 0, u * s, u * c, -k, k * s, k * c, u))


def lever(place: Joint) -> Vec3:
    """p as the formula's constants."""
    return Vec3(*(constant(x) for x in place.p))


def whirl(dw: Vec3, ww: SymMat3) -> Mat3:
    """U = dw~ + w~ w~ of w w^T: the acceleration of a body's point at r, from that of its origin, is U r."""
    return Mat3((
        -(ww.yy + ww.zz), ww.xy - dw.z, ww.xz + dw.y,
        ww.xy + dw.z, -(ww.xx + ww.zz), ww.yz - dw.x,
        ww.xz - dw.y, ww.yz + dw.x, -(ww.xx + ww.yy),
    ))  # fmt: skip


def moment(J: SymMat3, dw: Vec3, ww: SymMat3, U: Mat3) -> Vec3:
    """J dw + w x J w with the elements of w w^T and of U."""
    _, xy, xz, yx, _, yz, zx, zy, _ = U.m
    return Vec3(
        J.xx * dw.x + (J.zz - J.yy) * ww.yz + J.xz * yx - J.xy * zx + J.yz * (ww.yy - ww.zz),
        J.yy * dw.y + (J.xx - J.zz) * ww.xz + J.xy * zy - J.yz * xy + J.xz * (ww.zz - ww.xx),
        J.zz * dw.z + (J.yy - J.xx) * ww.xy + J.yz * xz - J.xz * yz + J.xy * (ww.xx - ww.yy),
    )
