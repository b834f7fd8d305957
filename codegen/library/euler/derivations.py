"""Euler angles: rotations as Jacobians of rotated vectors, rates as time derivatives."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import casadi as ca
from casadi import SX

from codegen.library.shared.calculus import flat, inverse3, jacobian, rate, vee


def _turned(letters: str, intrinsic: bool, angles: SX, v: SX) -> SX:
    """v after the three rotations, each about a fixed axis by Rodrigues' formula.

    An intrinsic sequence is the same rotations about the fixed axes in the opposite order.
    """
    order = (2, 1, 0) if intrinsic else (0, 1, 2)
    for n in order:
        axis = SX.eye(3)[:, "xyz".index(letters[n])]
        c, s = ca.cos(angles[n]), ca.sin(angles[n])
        v = c * v + s * ca.cross(axis, v) + (1 - c) * ca.dot(axis, v) * axis
    return v


def _matrix(letters: str, intrinsic: bool, angles: SX) -> SX:
    """The Jacobian of v -> v after the three rotations."""
    return jacobian(lambda v: _turned(letters, intrinsic, angles, v), SX.zeros(3))


def dcm_from_euler(letters: str, intrinsic: bool, angles: SX) -> SX:
    """The Jacobian of a vector after the three rotations."""
    return flat(_matrix(letters, intrinsic, angles))


def euler_kinematics_inverse(letters: str, intrinsic: bool, angles: SX, dangles: SX) -> SX:
    """The vector of the antisymmetric matrix that is the transposed rotation times its rate."""
    R = _matrix(letters, intrinsic, angles)
    dR = rate(lambda t: ca.vec(_matrix(letters, intrinsic, angles + t * dangles)))
    return flat(vee(R.T @ ca.reshape(dR, 3, 3)))


def euler_kinematics(letters: str, intrinsic: bool, angles: SX, w_B: SX) -> SX:
    """The rates whose angular velocity is `w_B`: the inverse of its Jacobian by `dangles`."""
    velocity = partial(euler_kinematics_inverse, letters, intrinsic, angles)
    return flat(inverse3(jacobian(velocity, SX.zeros(3))) @ w_B)


SEQUENCES = {
    letters + suffix: (letters, intrinsic)
    for letters in (a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c)
    for suffix, intrinsic in (("", False), ("_intrinsic", True))
}

FAMILY: dict[str, Callable[..., SX]] = {
    name: partial(derivation, *sequence)
    for suffix, sequence in SEQUENCES.items()
    for name, derivation in (
        (f"dcm_from_euler_{suffix}", dcm_from_euler),
        (f"euler_{suffix}_kinematics", euler_kinematics),
        (f"euler_{suffix}_kinematics_inverse", euler_kinematics_inverse),
    )
}
