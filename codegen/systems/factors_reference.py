"""References of the factored filter: the dense covariance is formed, predicted or updated, and factored.

They run on numbers of any kind, as the NumPy references of other kernels do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def product(factors: Any) -> Any:
    """U D U^T; D is the diagonal of a square array, U is above it."""
    n = len(factors)
    U = np.array(
        [[factors[i, j] if i < j else int(i == j) for j in range(n)] for i in range(n)], dtype=object
    )
    return U @ np.diag([factors[i, i] for i in range(n)]) @ U.T


def factors(P: Any) -> list[Any]:
    """The factors of a positive definite matrix, by elimination from the last row on; upper triangle."""
    n = len(P)
    rest, found = P.copy(), np.zeros((n, n), dtype=object)
    for j in reversed(range(n)):
        found[j, j] = rest[j, j]
        for i in range(j):
            found[i, j] = rest[i, j] / rest[j, j]
        for i in range(j):
            for k in range(j):
                rest[i, k] = rest[i, k] - found[i, j] * found[k, j] * found[j, j]
    return packed(found)


def predicted(before: Any, F: Any, noise: Sequence[tuple[Any, Sequence[Any]]]) -> list[Any]:
    """The factors after a step."""
    P = F @ product(before) @ F.T
    for G, variances in noise:
        P = P + G @ np.diag(list(variances)) @ G.T
    return factors(P)


def packed(before: Any) -> list[Any]:
    """The upper triangle of a square array, row by row."""
    return [before[i, j] for i in range(len(before)) for j in range(i, len(before))]


def divisors(before: Any, H: Any, R: Any) -> list[Any]:
    """R, and R with the variances of more and more columns of U: what an update divides by."""
    n, found = len(before), [R]
    for j in range(n):
        f = H[j] + sum(H[i] * before[i, j] for i in range(j))
        found.append(found[-1] + f * f * before[j, j])
    return found


def updated(before: Any, H: Any, R: Any) -> tuple[Any, Any, list[Any]]:
    """The gain, the variance of the innovation and the factors after a measurement."""
    P = product(before)
    S = H @ P @ H + R
    K = P @ H / S
    return K, S, factors(P - np.outer(K, H @ P))
