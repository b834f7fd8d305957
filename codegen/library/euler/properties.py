"""Euler angles of an attitude: the properties that define them.

A property states equations between the arguments and the results, which hold where the results are right and
no status flag is raised.
"""

from __future__ import annotations

from codegen.library.euler.definitions import ANGLES, Turn, product, sequences


def _range(factors: list[Turn]) -> str:
    """That of the middle angle: [0, pi] of a proper sequence (first letter = last), else [-pi/2, pi/2]."""
    return "0 <= a_1 <= pi" if factors[0][0] == factors[2][0] else "|a_1| <= pi / 2"


def euler_from_dcm(factors: list[Turn]) -> str:
    """The product of the rotations is R, and the middle angle is in its range."""
    return f"{product(factors)} = R_AB; {_range(factors)}; {ANGLES}"


def euler_from_quat(factors: list[Turn]) -> str:
    """The property of euler_from_dcm for the rotation matrix of q, which need not be unit."""
    images = "; ".join(f"[0, b_{k}] = q_AB (x) [0, e_{axis}] (x) q_AB^*" for k, axis in enumerate("xyz"))
    return f"(q.q) {product(factors)} = cols(b_0, b_1, b_2); {images}; {_range(factors)}; {ANGLES}"


FAMILY = {
    f"euler_{suffix}_from_{attitude}": property_(factors)
    for suffix, factors in sequences().items()
    for attitude, property_ in (("dcm", euler_from_dcm), ("quat", euler_from_quat))
}
