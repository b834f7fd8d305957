"""Euler angles of the 12 sequences, extrinsic and intrinsic, as products of elementary rotations.

Extrinsic angles (a_0, a_1, a_2) of the letters i, j, k: R_AB = R_k(a_2) R_j(a_1) R_i(a_0); intrinsic ones:
R_AB = R_i(a_0) R_j(a_1) R_k(a_2) (Diebel 2006, section 5). Each rate is about its own axis, which is rotated
back by all factors to its right.
"""

from __future__ import annotations

Turn = tuple[str, int]
"""A letter, and the index of the angle about its axis."""

ANGLES = "angles = [a_0, a_1, a_2]"


def sequences() -> dict[str, list[Turn]]:
    """All 24: the factors of the product from left to right."""
    found = {}
    for letters in (a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c):
        factors = [(letter, n) for n, letter in enumerate(letters)]
        found[letters], found[f"{letters}_intrinsic"] = factors[::-1], factors
    return found


def product(factors: list[Turn]) -> str:
    """The product of the elementary matrices."""
    return " ".join(f"R{letter}(a_{n})" for letter, n in factors)


def dcm_from_euler(factors: list[Turn]) -> str:
    """R_AB, the product of the elementary matrices."""
    return f"R_AB = {product(factors)}; {ANGLES}"


def quat_from_euler(factors: list[Turn]) -> str:
    """q_AB, the product of the quaternions of the three rotations."""
    turns = [f"q_{n} = [cos(a_{n} / 2), sin(a_{n} / 2) e_{letter}]" for letter, n in factors]
    return f"q_AB = {' (x) '.join(f'q_{n}' for _, n in factors)}; {'; '.join(turns)}; {ANGLES}"


def _rate_axes(factors: list[Turn]) -> str:
    """E, the axes of the three rates in B as columns."""
    columns = [""] * 3
    for k, (letter, n) in enumerate(factors):
        to_B = "".join(f"R{other}(a_{m})^T " for other, m in factors[:k:-1])
        columns[n] = f"{to_B}e_{letter}"
    return f"E = cols({', '.join(columns)}); {ANGLES}"


def euler_kinematics(factors: list[Turn]) -> str:
    """The rates, by the inverse matrix."""
    return f"dangles = E^-1 w_B; {_rate_axes(factors)}"


def euler_kinematics_inverse(factors: list[Turn]) -> str:
    """The sum of the rates about their axes."""
    return f"w_B = E dangles; {_rate_axes(factors)}"


FAMILY = {
    name: definition(factors)
    for suffix, factors in sequences().items()
    for name, definition in (
        (f"quat_from_euler_{suffix}", quat_from_euler),
        (f"dcm_from_euler_{suffix}", dcm_from_euler),
        (f"euler_{suffix}_kinematics", euler_kinematics),
        (f"euler_{suffix}_kinematics_inverse", euler_kinematics_inverse),
    )
}
