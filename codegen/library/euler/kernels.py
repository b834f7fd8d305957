"""Euler angles of the 12 sequences, extrinsic and intrinsic: attitudes, and rates of the angles."""

from math import prod

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
from codegen.library.shared.works import BERNARDES, DIEBEL
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Angles, Quaternion, Rotation, Vec3
from codegen.modeling.types.scalar import let

RATES = DIEBEL.at("section 5.2")
W_B = vector("w_B", "rad/s", "angular velocity of B relative to A", "B")


def _angles(sequence: Sequence) -> Arg:
    return Arg("angles", Angles, "rad", f"`a_0, a_1, a_2`: `R_AB = {sequence.product()}`", "B to A")


def _rates() -> Arg:
    return Arg("dangles", Vec3, "rad/s", "time derivatives of `a_0, a_1, a_2`")


def _kind(sequence: Sequence) -> str:
    """The sequence in words: `extrinsic xyz`."""
    return f"{'intrinsic' if sequence.intrinsic else 'extrinsic'} {sequence.letters}"


def _range(sequence: Sequence) -> str:
    return "0 <= a_1 <= pi" if sequence.proper else "|a_1| <= pi / 2"


def _lock(distance: str, sequence: Sequence) -> Failure:
    """The failure at gimbal lock, given the sine or cosine of the middle angle."""
    trig = "sine" if sequence.proper else "cosine"
    return Failure(
        f"d > 4 eps, {distance}",
        "a_2 = 0",
        f"`d` is the {trig} of `a_1`; otherwise, gimbal lock",
        "`a_0` contains the rotation about both axes",
    )


def _finite_elements(sequence: Sequence) -> Failure:
    """The elements of the matrix that the angles are computed from, summed up."""
    (upper, sign), centre, lower = ((2, -1), 1, 0) if sequence.proper else ((0, 1), 1, 2)
    R = sequence.own_element
    (x, y, z), (c_x, c_y, c_z) = ([R(row, j) for j in range(3)] for row in (upper, centre))
    up = (sign, "")
    sine = _difference((c_x, up, z), (up, x, c_z))
    cosine = _difference((up, x, c_y), (c_x, up, y))
    minus, last = R(lower, 0)
    return Failure(
        f"|d {'+' if minus > 0 else '-'} {last} + s + k| <= max, {_distance(sequence)}, s = {sine}, "
        f"k = {cosine}",
        "angles = 0",
    )


def _distance(sequence: Sequence) -> str:
    """The sine or cosine of the middle angle from elements of the matrix."""
    upper = 2 if sequence.proper else 0
    return f"d = sqrt({sequence.own_element(upper, 0)[1]}^2 + {sequence.own_element(1, 0)[1]}^2)"


def _difference(first: tuple[tuple[int, str], ...], second: tuple[tuple[int, str], ...]) -> str:
    """The difference of two products of signed factors."""
    minus, plus = ("-" if prod(sign for sign, _ in first) < 0 else "", prod(sign for sign, _ in second) < 0)
    a, b = (" ".join(text for _, text in factors if text) for factors in (first, second))
    return f"{minus}{a} {'+' if plus else '-'} {b}"


def _written_velocity(sequence: Sequence) -> str:
    """The angular velocity in B as a matrix times the rates: each column is the axis of one rate."""
    body = sequence.from_the_body
    first, middle, _ = body.names
    minus, opposite = ("", "-") if body.sign > 0 else ("-", "")
    if body.proper:
        last = [f"cos({middle})", f"sin({first}) sin({middle})", f"{minus}cos({first}) sin({middle})"]
    else:
        last = [
            f"{opposite}sin({middle})",
            f"{minus}sin({first}) cos({middle})",
            f"cos({first}) cos({middle})",
        ]
    columns = [["1", "0", "0"], ["0", f"cos({first})", f"{opposite}sin({first})"], last]
    rows = list(zip(*columns[:: -1 if sequence.intrinsic else 1], strict=True))
    written = ", ".join(f"[{', '.join(rows[body.axes.index(i)])}]" for i in range(3))
    return f"w_B = [{written}] dangles; {sequence.pattern}"


def _written_rates(sequence: Sequence) -> str:
    """The rates, the last of them first, from the components of the angular velocity."""
    body = sequence.from_the_body
    first, middle, last = body.names
    s, c = f"sin({first})", f"cos({first})"
    w_1, w_2, w_3 = (f"w_{'xyz'[i]}" for i in body.axes)
    plus, minus = ("+", "-") if body.sign > 0 else ("-", "+")
    if body.proper:
        of_last, of_first = f"({s} {w_2} {plus} {c} {w_3}) / sin({middle})", f"- cos({middle})"
    else:
        sum_of_both = f"{s} {w_2} + {c} {w_3}" if body.sign > 0 else f"{c} {w_3} - {s} {w_2}"
        of_last, of_first = f"({sum_of_both}) / cos({middle})", f"{plus} sin({middle})"
    return (
        f"d{last} = {of_last}; d{first} = {w_1} {of_first} d{last}; "
        f"d{middle} = {c} {w_2} {minus} {s} {w_3}; {sequence.rate_pattern}; {sequence.pattern}"
    )


def quat_from_euler(sequence: Sequence) -> Kernel:
    """The kernel angles -> quaternion of a sequence."""

    def formula(angles: Angles) -> Quaternion:
        return quaternion_of_angles(sequence, angles)

    formula.__doc__ = f"Attitude quaternion of Euler angles, {_kind(sequence)}."
    return kernel(
        name=f"quat_from_euler_{sequence.suffix}",
        inputs=[_angles(sequence)],
        outputs=[attitude("q_AB")],
        equation=f"q_AB = {sequence.quaternion_product()}; q(a, n) = [cos(a / 2), sin(a / 2) n]; "
        f"{sequence.pattern}",
        source=DIEBEL.at("section 5", "section 6"),
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
        equation=f"R_AB = {sequence.product()}; {sequence.pattern}",
        source=DIEBEL.at("section 5"),
    )(formula)


def euler_from_quat(sequence: Sequence) -> Kernel:
    """The kernel quaternion -> angles of a sequence."""

    def formula(q_AB: Quaternion) -> Angles:
        return angles_of_quaternion(sequence, let("unit", normalised(q_AB)))

    formula.__doc__ = f"""Euler angles of a quaternion of any norm, {_kind(sequence)}; `{_range(sequence)}`.

    The angles reproduce the attitude accurately at any distance from gimbal lock.
    """
    return kernel(
        name=f"euler_{sequence.suffix}_from_quat",
        inputs=[quaternion("q_AB", "attitude, of any norm")],
        outputs=[_angles(sequence)],
        equation=f"{sequence.product()} = 1 + (2 / (q.q)) (w u~ + u~ u~); {_range(sequence)}; "
        f"{sequence.pattern}; q_AB = [w, u]",
        source=BERNARDES,
        failures={
            **quaternion_failures("angles = 0"),
            Status.GIMBAL_LOCK: _lock(sequence.distance_from_lock(), sequence),
        },
    )(formula)


def euler_from_dcm(sequence: Sequence) -> Kernel:
    """The kernel rotation matrix -> angles of a sequence."""

    def formula(R_AB: Rotation) -> Angles:
        return angles_of_matrix(sequence, R_AB)

    formula.__doc__ = f"""Euler angles of a rotation matrix, {_kind(sequence)}; `{_range(sequence)}`.

    `a_0` is computed from the rows rotated back by `a_2`, so that the angles reproduce `R_AB` accurately at
    any distance from gimbal lock.
    """
    return kernel(
        name=f"euler_{sequence.suffix}_from_dcm",
        inputs=[rotation("R_AB")],
        outputs=[_angles(sequence)],
        equation=f"{sequence.product()} = R_AB; {_range(sequence)}; {sequence.pattern}",
        source=f"the inverse of dcm_from_euler_{sequence.suffix}",
        requires="`R_AB` is orthonormal with determinant 1",
        failures={
            Status.NOT_FINITE: _finite_elements(sequence),
            Status.GIMBAL_LOCK: _lock(_distance(sequence), sequence),
        },
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
        equation=_written_rates(sequence),
        source=RATES,
        failures={
            Status.NOT_FINITE: Failure("|sum(dangles)| <= max", "dangles = 0"),
            Status.GIMBAL_LOCK: Failure(
                f"|{trig}(a_1)| > sqrt(eps)",
                "da_2 = 0",
                "otherwise, gimbal lock",
                "`da_0` and `da_1` are the least-squares solution",
            ),
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
        equation=_written_velocity(sequence),
        source=RATES,
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
