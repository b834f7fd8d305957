"""Euler angles of the 12 sequences, extrinsic and intrinsic, as products of elementary rotations.

Extrinsic angles (a0, a1, a2) of the letters i, j, k: R_AB = R_k(a2) R_j(a1) R_i(a0); intrinsic ones:
R_AB = R_i(a0) R_j(a1) R_k(a2) (Diebel 2006, section 5).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce

from sympy import Expr, Matrix, cos, eye, sin

from codegen.library.shared.textbook import (
    Scalars,
    flat,
    inverse,
    left_product,
    rotation_x,
    rotation_y,
    rotation_z,
)

ELEMENTARY = {"x": rotation_x, "y": rotation_y, "z": rotation_z}

Turn = tuple[str, int]
"""A letter, and the index of the angle about its axis."""


def sequences() -> dict[str, list[Turn]]:
    """All 24: the factors of the product from left to right."""
    found = {}
    for letters in (a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c):
        factors = [(letter, n) for n, letter in enumerate(letters)]
        found[letters], found[f"{letters}_intrinsic"] = factors[::-1], factors
    return found


def dcm_from_euler(factors: list[Turn], angles: Scalars) -> list[Expr]:
    """R_AB, the product of the elementary matrices."""
    return flat(reduce(lambda R, turn: R * ELEMENTARY[turn[0]](angles[turn[1]]), factors, eye(3)))


def quat_from_euler(factors: list[Turn], angles: Scalars) -> list[Expr]:
    """q_AB, the product of [cos(a/2), sin(a/2) axis]."""
    q = Matrix([1, 0, 0, 0])
    for letter, n in reversed(factors):
        half = angles[n] / 2
        q = left_product([cos(half), *(sin(half) * eye(3)["xyz".index(letter), :])]) * q
    return flat(q)


def _rate_axes(factors: list[Turn], angles: Scalars) -> Matrix:
    """The axes of the three rates in B as columns: each axis rotated back by all factors to its right."""
    to_B, columns = eye(3), [None] * 3
    for letter, n in reversed(factors):
        columns[n] = to_B * eye(3)[:, "xyz".index(letter)]
        to_B = to_B * ELEMENTARY[letter](angles[n]).T
    return Matrix.hstack(*columns)


def euler_kinematics(factors: list[Turn], angles: Scalars, w_B: Scalars) -> list[Expr]:
    """dangles = E^-1 w_B, E the matrix of the inverse."""
    return flat(inverse(_rate_axes(factors, angles)) * Matrix(w_B))


def euler_kinematics_inverse(factors: list[Turn], angles: Scalars, dangles: Scalars) -> list[Expr]:
    """w_B = E dangles: each rate is about its own axis."""
    return flat(_rate_axes(factors, angles) * Matrix(dangles))


FAMILY: dict[str, Callable[..., list[Expr]]] = {
    name: partial(definition, factors)
    for suffix, factors in sequences().items()
    for name, definition in (
        (f"quat_from_euler_{suffix}", quat_from_euler),
        (f"dcm_from_euler_{suffix}", dcm_from_euler),
        (f"euler_{suffix}_kinematics", euler_kinematics),
        (f"euler_{suffix}_kinematics_inverse", euler_kinematics_inverse),
    )
}
