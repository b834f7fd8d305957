"""Shared parts of the NumPy references: results, limits, and dense algebra in three dimensions.

Arrays are float64 or dtype=object (mpmath numbers, exact scalars). Constants are integers, so that
they are exact in every number system, and arrays stand left of scalars, so that NumPy broadcasts.
"""

from __future__ import annotations

from enum import IntFlag
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Scalar: TypeAlias = Any


class Status(IntFlag):
    """The flags that a kernel that can fail returns or-ed."""

    NOT_FINITE = 1
    MASS = 2
    SINGULAR = 4
    NOT_PHYSICAL = 8
    GIMBAL_LOCK = 16
    ZERO_NORM = 32
    DEGENERATE = 64
    NOT_CONVERGED = 128
    OUTSIDE = 256


class Limits(NamedTuple):
    """Machine epsilon, smallest normal and largest finite number of the precision under test."""

    eps: Scalar
    min: Scalar
    max: Scalar


class Result(NamedTuple):
    """A kernel's outputs, each flat, and its status."""

    outputs: tuple[Array, ...]
    status: int = 0


def result(*outputs: Array | Scalar, status: int = 0) -> Result:
    """Flatten the outputs, in C order and as copies; a scalar becomes an array of one element."""
    return Result(tuple(np.array(output).reshape(-1) for output in outputs), status)


def zeros(*shape: int) -> Array:
    """An array of integer zeros, which adopts the number system of the arrays that it is combined with."""
    return np.zeros(shape, dtype=int)


def identity(n: int = 3) -> Array:
    """The unit matrix, of integers."""
    return np.eye(n, dtype=int)


def skew(a: Array) -> Array:
    """The matrix a~ of the cross product: a~ b = a x b."""
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def axial(A: Array) -> Array:
    """The vector a of a matrix A = a~, read from one element of each pair."""
    return np.array([A[2, 1], A[0, 2], A[1, 0]])


def symmetric(s: Array) -> Array:
    """The full 3x3 matrix of [xx, xy, xz, yy, yz, zz]."""
    xx, xy, xz, yy, yz, zz = s
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def pack_symmetric(A: Array) -> Array:
    """The upper triangle [xx, xy, xz, yy, yz, zz] of a 3x3 matrix, row by row."""
    return A[np.triu_indices(3)]


def determinant(A: Array) -> Scalar:
    """det A of a 3x3 matrix, the triple product of its rows."""
    return A[0] @ (skew(A[1]) @ A[2])


def solve(A: Array, b: Array) -> Array:
    """The solution x of the 3x3 system A x = b by Cramer's rule, x = adj(A) b / det A.

    The columns of adj(A) are the cross products of A's rows. Unlike elimination this compares
    nothing, so it also runs where numbers have no order.
    """
    adjugate = np.array([skew(A[1]) @ A[2], skew(A[2]) @ A[0], skew(A[0]) @ A[1]]).T
    x: Array = adjugate @ b / determinant(A)
    return x


def eliminate(A: Array, b: Array) -> Array:
    """The solution x of A x = b for a definite A of any size: Gaussian elimination with positive pivots.

    It compares nothing, so it also runs where numbers have no order.
    """
    n, rows = len(b), np.column_stack([A, b])
    for k in range(n):
        rows[k] = rows[k] / rows[k, k]
        for i in range(n):
            if i != k:
                rows[i] = rows[i] - rows[k] * rows[i, k]
    return rows[:, n]


def eigenvalues(S: Array) -> list[Scalar]:
    """The eigenvalues of a symmetric matrix, in mpmath if its elements are, else in float64."""
    context = getattr(S[0, 0], "context", None)
    if context is None:
        return list(np.linalg.eigvalsh(S.astype(float)))
    return list(context.eigsy(context.matrix(S.tolist()), eigvals_only=True))


def eigensystem(S: Array) -> tuple[Array, Array]:
    """The eigenvalues of a symmetric matrix, ascending, and the orthonormal matrix of its eigenvectors."""
    context = getattr(S[0, 0], "context", None)
    if context is None:
        return np.linalg.eigh(S.astype(float))
    values, vectors = context.eigsy(context.matrix(S.tolist()))
    order = sorted(range(len(values)), key=lambda i: values[i])
    columns = np.array(vectors.tolist(), dtype=object)
    return np.array([values[i] for i in order]), columns[:, order]
