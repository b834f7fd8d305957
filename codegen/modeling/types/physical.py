"""Checks of bound values in exact arithmetic: inertias of bodies, unit quaternions, rotations."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from codegen.errors import FeatherError

_SIGN = "products of inertia are matrix elements here"


def check_definite(name: str, tensor: Sequence[Any]) -> None:
    """FeatherError unless the matrix [xx, xy, xz, yy, yz, zz] is positive definite (it has an inverse)."""
    if any(minor <= 0 for minor in _principal_minors(*tensor)):
        raise FeatherError(f"{name} is not positive definite; {_SIGN}")


def check_moments(name: str, tensor: Sequence[Any]) -> None:
    """FeatherError unless the second moments, tr(J)/2 1 - J of [xx, xy, xz, yy, yz, zz], are semidefinite."""
    xx, xy, xz, yy, yz, zz = tensor
    half = (xx + yy + zz) / 2
    if any(minor < 0 for minor in _principal_minors(half - xx, -xy, -xz, half - yy, -yz, half - zz)):
        raise FeatherError(
            f"{name} is not a body's inertia: one principal moment exceeds the sum of the others; {_SIGN}"
        )


def is_one(number: Any) -> bool:
    """Whether a norm is 1 within 1e-6, the accuracy of a data sheet's decimals."""
    return bool(abs(number - 1) < Fraction(1, 10**6))


def _principal_minors(xx: Any, xy: Any, xz: Any, yy: Any, yz: Any, zz: Any) -> list[Any]:
    determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
    return [xx, yy, zz, xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz, determinant]
