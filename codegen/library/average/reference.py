"""Averages of attitudes by eigenvectors: of M^T M for matrices, of the sum of dyads for quaternions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from codegen.library.shared.dense import (
    Array,
    Limits,
    Result,
    Scalar,
    Status,
    determinant,
    eigensystem,
    identity,
    result,
    skew,
)

__all__ = ["dcm_nearest", "quat_mean", "quat_mean_add", "quat_mean_pair"]

NO_TURN = np.array([1, 0, 0, 0])


def dcm_nearest(M_AB: Array, limits: Limits | None = None) -> Result:
    """U V^T of the singular value decomposition M = U diag(s) V^T; U and V have the determinant 1.

    The columns of V are eigenvectors of M^T M; those of U have the directions of M V, and the last one, of
    the least singular value, is normal to the others.
    """
    M = M_AB.reshape(3, 3)
    if limits is not None and not _is_in_range(M_AB, limits):
        return result(identity(), status=Status.DEGENERATE)
    _, V = eigensystem(M.T @ M)
    V = V[:, ::-1] if determinant(V[:, ::-1]) > 0 else -V[:, ::-1]
    first, second = _unit(M @ V[:, 0]), _unit(M @ V[:, 1])
    U = np.column_stack([first, second, skew(first) @ second])
    values = [column @ (M @ axis) for column, axis in zip(U.T, V.T, strict=True)]
    if limits is not None and not _is_clear(values, limits):
        return result(identity(), status=Status.DEGENERATE)
    return result(U @ V.T)


def quat_mean_add(A: Array, q_NB: Array, w: Scalar) -> Result:
    """The upper triangle of A + w q q^T."""
    return result((A + np.outer(q_NB, q_NB) * w)[np.triu_indices(4)])


def quat_mean(A: Array, limits: Limits | None = None) -> Result:
    """The eigenvector of the largest eigenvalue, its first element positive.

    The singular values of the sum of w R(q) are sums and differences of the eigenvalues.
    """
    if limits is not None and not _is_in_range(A[np.triu_indices(4)], limits):
        return result(NO_TURN, status=Status.DEGENERATE)
    values, vectors = eigensystem(A)
    singular = [
        values[3] + values[i] - values[j] - values[k] for i, j, k in ((2, 1, 0), (1, 2, 0), (0, 2, 1))
    ]
    if limits is not None and not _is_clear(singular, limits):
        return result(NO_TURN, status=Status.DEGENERATE)
    q = vectors[:, 3]
    return result(-q if q[0] < 0 else q)


def quat_mean_pair(q_1: Array, w_1: Scalar, q_2: Array, w_2: Scalar, limits: Limits | None = None) -> Result:
    """The eigenvector of w_1 q_1 q_1^T + w_2 q_2 q_2^T with the largest eigenvalue, on the side of q_1."""
    size = w_1 + w_2
    if limits is not None and not (min(w_1, w_2) >= 0 and size > limits.min and size * limits.min <= 1):
        return result(NO_TURN, status=Status.DEGENERATE)
    values, vectors = eigensystem(np.outer(q_1, q_1) * w_1 + np.outer(q_2, q_2) * w_2)
    if limits is not None and not values[3] - values[2] > 16 * limits.eps * size:
        return result(NO_TURN, status=Status.DEGENERATE)
    q = vectors[:, 3]
    return result(-q if q @ q_1 < 0 else q)


def _is_in_range(elements: Array, limits: Limits) -> bool:
    size = sum(abs(x) for x in elements)
    return bool(size > limits.min and size * limits.min <= 1)


def _is_clear(s: Sequence[Scalar], limits: Limits) -> bool:
    """Whether the sum of the two smaller singular values is clear of rounding."""
    product = (s[0] + s[1]) * (s[0] + s[2]) * (s[1] + s[2]) ** 2 * 8
    return bool(product > limits.eps**0.5 * sum(x * x for x in s) ** 2)


def _unit(v: Array) -> Array:
    return v / (v @ v) ** 0.5
