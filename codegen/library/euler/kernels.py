"""Euler angles of the 12 sequences, extrinsic and intrinsic: attitudes, and rates of the angles."""

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.library.rotation.kernels import normalised, quaternion_failures
from codegen.library.shared.angles import (
    angles_of_matrix,
    angles_of_quaternion,
    matrix_of_angles,
    quaternion_of_angles,
    rates_of_angles,
    velocity_of_angles,
)
from codegen.library.shared.arguments import attitude, quaternion, rotation, vector
from codegen.library.shared.sequences import SEQUENCES, Sequence
from codegen.modeling.algebra import Angles, Quaternion, Rotation, Vec3
from codegen.modeling.kernel import Kernel
from codegen.modeling.scalar import let

DIEBEL = "Diebel, Representing Attitude (2006), sections 5 and 6"
MATRIX_NOT_FINITE = "an element that the angles depend on is not finite: angles = 0"
W_B = vector("w_B", "rad/s", "angular velocity of B relative to A", "B")


def _angles(sequence: Sequence) -> Arg:
    return Arg("angles", Angles, "rad", f"a0, a1, a2: R_AB = {sequence.product('R')}", "B to A")


def _rates() -> Arg:
    return Arg("dangles", Vec3, "rad/s", "time derivatives of a0, a1, a2")


def _kind(sequence: Sequence) -> str:
    """The sequence in words: `extrinsic xyz`."""
    return f"{'intrinsic' if sequence.intrinsic else 'extrinsic'} {sequence.letters}"


def _range(sequence: Sequence) -> str:
    return "a1 in [0, pi]" if sequence.proper else "a1 in [-pi/2, pi/2]"


def _lock(sequence: Sequence) -> str:
    trig = "sin" if sequence.proper else "cos"
    return f"{trig}(a1) is not above 4 eps (gimbal lock): a2 = 0, a0 contains the rotation about both axes"


def _velocity(sequence: Sequence) -> str:
    """The angular velocity as the sum of the rates about their axes, in B."""
    body = sequence.from_the_body
    (a, b, c), (first, middle, last) = list(body.letters), body.names
    return f"w_B = e_{a} d{first} + R{a}({first})^T (e_{b} d{middle} + R{b}({middle})^T e_{c} d{last})"


def quat_from_euler(sequence: Sequence) -> Kernel:
    """The kernel angles -> quaternion of a sequence."""

    def formula(angles: Angles) -> Quaternion:
        return quaternion_of_angles(sequence, angles)

    formula.__doc__ = f"Attitude quaternion of Euler angles, {_kind(sequence)}."
    return kernel(
        name=f"quat_from_euler_{sequence.suffix}",
        inputs=[_angles(sequence)],
        outputs=[attitude("q_AB")],
        equation=f"q_AB = {sequence.product('q_')}, q_i(a) = [cos(a/2), sin(a/2) e_i]",
        source=DIEBEL,
    )(formula)


def dcm_from_euler(sequence: Sequence) -> Kernel:
    """The kernel angles -> rotation matrix of a sequence."""

    def formula(angles: Angles) -> Rotation:
        return matrix_of_angles(sequence, angles)

    formula.__doc__ = f"Rotation matrix of Euler angles, {_kind(sequence)}."
    return kernel(
        name=f"dcm_from_euler_{sequence.suffix}",
        inputs=[_angles(sequence)],
        outputs=[rotation("R_AB")],
        equation=f"R_AB = {sequence.product('R')}, active elementary matrices",
        source=DIEBEL,
    )(formula)


def euler_from_quat(sequence: Sequence) -> Kernel:
    """The kernel quaternion -> angles of a sequence."""

    def formula(q_AB: Quaternion) -> Angles:
        return angles_of_quaternion(sequence, let("q", normalised(q_AB)))

    formula.__doc__ = f"""Euler angles of a quaternion of any norm, {_kind(sequence)}; {_range(sequence)}.

    The angles reproduce the attitude accurately at any distance from gimbal lock.
    """
    nothing = "angles = 0" + (" and GIMBAL_LOCK" if sequence.proper else "")
    return kernel(
        name=f"euler_{sequence.suffix}_from_quat",
        inputs=[quaternion("q_AB", "attitude, of any norm")],
        outputs=[_angles(sequence)],
        equation=f"{sequence.product('q_')} = q_AB / sqrt(q.q), {_range(sequence)}",
        source="Bernardes and Viollet, Quaternion to Euler angles conversion, PLoS ONE 17(11), 2022",
        failures={**quaternion_failures(nothing), Status.GIMBAL_LOCK: _lock(sequence)},
    )(formula)


def euler_from_dcm(sequence: Sequence) -> Kernel:
    """The kernel rotation matrix -> angles of a sequence."""

    def formula(R_AB: Rotation) -> Angles:
        return angles_of_matrix(sequence, R_AB)

    formula.__doc__ = f"""Euler angles of a rotation matrix, {_kind(sequence)}; {_range(sequence)}.

    a0 is computed from the rows rotated back by a2, so that the angles reproduce R_AB accurately at any
    distance from gimbal lock.
    """
    return kernel(
        name=f"euler_{sequence.suffix}_from_dcm",
        inputs=[rotation("R_AB")],
        outputs=[_angles(sequence)],
        equation=f"{sequence.product('R')} = R_AB, {_range(sequence)}",
        source=f"the inverse of dcm_from_euler_{sequence.suffix}",
        failures={Status.NOT_FINITE: MATRIX_NOT_FINITE, Status.GIMBAL_LOCK: _lock(sequence)},
    )(formula)


def euler_kinematics(sequence: Sequence) -> Kernel:
    """The kernel body rate -> rates of the angles of a sequence."""

    def formula(angles: Angles, w_B: Vec3) -> Vec3:
        return rates_of_angles(sequence, angles, w_B)

    formula.__doc__ = f"Rates of Euler angles at a body rate, {_kind(sequence)}."
    trig = "sin" if sequence.proper else "cos"
    return kernel(
        name=f"euler_{sequence.suffix}_kinematics",
        inputs=[_angles(sequence), W_B],
        outputs=[_rates()],
        equation=f"dangles solves {_velocity(sequence)}",
        source=DIEBEL,
        failures={
            Status.NOT_FINITE: "a rate is not finite: dangles = 0",
            Status.GIMBAL_LOCK: f"abs({trig}(a1)) is not above sqrt(eps) (gimbal lock): da2 = 0, "
            "da0 and da1 are the least-squares solution",
        },
    )(formula)


def euler_kinematics_inverse(sequence: Sequence) -> Kernel:
    """The kernel rates of the angles -> body rate of a sequence."""

    def formula(angles: Angles, dangles: Vec3) -> Vec3:
        return velocity_of_angles(sequence, angles, dangles)

    formula.__doc__ = f"Body rate at given rates of Euler angles, {_kind(sequence)}."
    return kernel(
        name=f"euler_{sequence.suffix}_kinematics_inverse",
        inputs=[_angles(sequence), _rates()],
        outputs=[W_B],
        equation=_velocity(sequence),
        source=DIEBEL,
    )(formula)


FAMILIES = (
    quat_from_euler,
    dcm_from_euler,
    euler_from_quat,
    euler_from_dcm,
    euler_kinematics,
    euler_kinematics_inverse,
)

EULER = tuple(family(sequence) for sequence in SEQUENCES for family in FAMILIES)
"""The kernels of all sequences."""
