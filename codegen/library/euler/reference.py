"""Euler angles of the 12 sequences: products of elementary rotations, and the images of the axes.

Sources: Diebel 2006 "Representing Attitude"; Shuster & Markley 2003 "Generalization of the Euler Angles".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce

import numpy as np

from codegen.library.rotation.reference import (
    hamilton,
    norm_status,
    quat_to_dcm,
    rotation_x,
    rotation_y,
    rotation_z,
)
from codegen.library.shared.dense import (
    Array,
    Limits,
    Result,
    Scalar,
    Status,
    axial,
    identity,
    result,
    skew,
    solve,
)
from codegen.library.shared.elementary import arctan2, cos, sin, sqrt

__all__ = ["FAMILY"]

Sequence = tuple[str, bool]
"""The letters in the order of the angles; whether they are intrinsic."""

ELEMENTARY = {"x": rotation_x, "y": rotation_y, "z": rotation_z}


def _product(sequence: Sequence, factors: list[Array], multiply: Callable[[Array, Array], Array]) -> Array:
    """The product of the factors of the three letters: from left to right if intrinsic, else reversed."""
    _, intrinsic = sequence
    product: Array = reduce(multiply, factors if intrinsic else factors[::-1])
    return product


def _proper(sequence: Sequence) -> bool:
    """Whether the last letter is the first again."""
    letters, _ = sequence
    return letters[0] == letters[2]


def _axis(letter: str) -> Array:
    """The unit vector of a letter."""
    axis: Array = identity()["xyz".index(letter)]
    return axis


def quat_from_euler(sequence: Sequence, angles: Array) -> Result:
    """The Hamilton product of the elementary [cos(a/2), sin(a/2) e]."""
    letters, _ = sequence
    halves = [
        np.array([cos(a / 2), *_axis(letter) * sin(a / 2)]) for letter, a in zip(letters, angles, strict=True)
    ]
    return result(_product(sequence, halves, hamilton))


def _matrices(sequence: Sequence, angles: Array) -> list[Array]:
    return [ELEMENTARY[letter](a) for letter, a in zip(sequence[0], angles, strict=True)]


def dcm_from_euler(sequence: Sequence, angles: Array) -> Result:
    """The product of the elementary matrices."""
    return result(_product(sequence, _matrices(sequence, angles), np.matmul))


def _velocity_columns(sequence: Sequence, angles: Array) -> Array:
    """The columns w_B per rate: the axial vectors of R^T dR/da, where dF/da = e~ F of a factor F."""
    letters, _ = sequence
    factors = _matrices(sequence, angles)
    R = _product(sequence, factors, np.matmul)
    columns = []
    for n, letter in enumerate(letters):
        changed = [skew(_axis(letter)) @ F if i == n else F for i, F in enumerate(factors)]
        columns.append(axial(R.T @ _product(sequence, changed, np.matmul)))
    return np.column_stack(columns)


def euler_kinematics(sequence: Sequence, angles: Array, w_B: Array, limits: Limits | None = None) -> Result:
    """The rates with E dangles = w_B.

    At lock, where sin or cos of the middle angle is at most sqrt(eps), the third rate is 0 and the normal
    equations of the first two columns of E give the others.
    """
    E = _velocity_columns(sequence, angles)
    distance = sin(angles[1]) if _proper(sequence) else cos(angles[1])
    if limits is not None and not abs(distance) > sqrt(limits.eps):
        A = E[:, :2]
        (p, q), (_, r) = A.T @ A
        u, v = A.T @ w_B
        determinant = p * r - q * q
        rates = [(r * u - q * v) / determinant, (p * v - q * u) / determinant, 0]
        return result(np.array(rates), status=Status.GIMBAL_LOCK)
    return result(solve(E, w_B))


def euler_kinematics_inverse(sequence: Sequence, angles: Array, dangles: Array) -> Result:
    """w_B = E dangles."""
    return result(_velocity_columns(sequence, angles) @ dangles)


def euler_from_dcm(sequence: Sequence, R_AB: Array, limits: Limits | None = None) -> Result:
    """The angles of a rotation matrix, from the images of the axes.

    Of an extrinsic sequence R = F2 F1 F0 about the axes e2, e1, e0, v = R e0 = F2 F1 e0 gives the middle
    and the last angle, and F0^T e1 = (F2^T R)^T e1 the first. An intrinsic one is R^T = F2^T F1^T F0^T:
    rotations about -e2, -e1, -e0.
    """
    letters, intrinsic = sequence
    R = R_AB.reshape(3, 3)
    e0, e1, e2 = (-_axis(a) if intrinsic else _axis(a) for a in letters)
    R = R.T if intrinsic else R
    proper = _proper(sequence)
    v, normal = R @ e0, skew(e1) @ e0  # F1 e0 = cos(a1) e0 + sin(a1) normal
    across = skew(e2) @ v
    distance = sqrt(across @ across)
    middle = arctan2(distance, v @ e2) if proper else arctan2((v @ e2) * (normal @ e2), distance)
    locked = limits is not None and not distance > 4 * limits.eps
    zero = normal if proper else e0  # where v lies, seen along e2, when the last angle is 0
    last = 0 if locked else arctan2(v @ (skew(e2) @ zero), v @ zero)
    back = _turned(e1, e2, last) if last else e1  # F2 e1
    image = R.T @ back
    first = arctan2(-(image @ (skew(e0) @ e1)), image @ e1)
    return result(np.array([first, middle, last]), status=Status.GIMBAL_LOCK if locked else 0)


def _turned(v: Array, axis: Array, angle: Scalar) -> Array:
    """v rotated about a unit axis (Rodrigues)."""
    c = cos(angle)
    turned: Array = v * c + (skew(axis) @ v) * sin(angle) + axis * ((axis @ v) * (1 - c))
    return turned


def euler_from_quat(sequence: Sequence, q_AB: Array, limits: Limits | None = None) -> Result:
    """The angles of the rotation of q_AB, which need not be a unit quaternion.

    A quaternion that cannot be normalised counts as the identity, where proper sequences are in gimbal lock.
    """
    if status := norm_status(q_AB, limits):
        lock = Status.GIMBAL_LOCK if _proper(sequence) else 0
        return result(np.zeros(3, q_AB.dtype), status=status | lock)
    return euler_from_dcm(sequence, quat_to_dcm(q_AB).outputs[0], limits)


SEQUENCES = {
    letters + suffix: (letters, intrinsic)
    for letters in (a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c)
    for suffix, intrinsic in (("", False), ("_intrinsic", True))
}

FAMILY: dict[str, Callable[..., Result]] = {
    name: partial(function, sequence)
    for suffix, sequence in SEQUENCES.items()
    for name, function in (
        (f"quat_from_euler_{suffix}", quat_from_euler),
        (f"dcm_from_euler_{suffix}", dcm_from_euler),
        (f"euler_{suffix}_from_quat", euler_from_quat),
        (f"euler_{suffix}_from_dcm", euler_from_dcm),
        (f"euler_{suffix}_kinematics", euler_kinematics),
        (f"euler_{suffix}_kinematics_inverse", euler_kinematics_inverse),
    )
}
"""The reference of every sequence's kernels, by name."""
