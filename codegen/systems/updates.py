"""One scalar measurement in a Kalman filter, and one prediction, over packed covariances or their factors.

In exact arithmetic all forms give the same. In rounded arithmetic the Joseph form and the factors U D U^T
keep a covariance positive where P - K H P loses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from codegen.errors import FeatherError
from codegen.ir.status import Status
from codegen.ir.types import Draw, Real, Scalar
from codegen.modeling.elimination import inner, is_zero, times
from codegen.modeling.matrices import MatrixValue, SymmetricValue, from_upper, upper
from codegen.modeling.matrix_types import Symmetric
from codegen.modeling.scalar import MIN, absolute, every, let, removable, require, select

BIERMAN = "Bierman, Factorization Methods for Discrete Sequential Estimation, sections V.3 and VI.4"
JOSEPH = "Bucy and Joseph, Filtering for Stochastic Processes; Maybeck, Stochastic Models vol. 1, chapter 5"


class Factored(Symmetric):
    """The factors of a positive definite n x n matrix, packed like it: D on the diagonal, U above it."""

    def __init__(self, n: int) -> None:
        super().__init__(n, positive=True)

    def __repr__(self) -> str:
        return f"Factored({self.n})"

    def sample(self, draw: Draw) -> list[Scalar]:
        """A positive D and any U."""
        positive = Real(positive=True)
        return [x for i, j in upper(self.n) for x in ([draw()] if i < j else positive.sample(draw))]

    def edges(self) -> list[list[Scalar]]:
        """The factors of zero, of the identity, and of a matrix that nearly has no inverse."""
        diagonal = [i == j for i, j in upper(self.n)]
        return [[0] * self.size, list(map(int, diagonal)), [1] * self.size]

    def check(self, name: str, scalars: Sequence[Scalar]) -> None:
        """FeatherError unless D is positive."""
        if any(x <= 0 for x, (i, j) in zip(scalars, upper(self.n), strict=True) if i == j):
            raise FeatherError(f"{name} must have positive elements of D, on its diagonal")


class Update(NamedTuple):
    """The correction of the states, the new covariance or factors, the variance, and whether it is used."""

    correction: list[Scalar]
    after: list[Scalar]
    variance: Scalar
    used: Any


def _accepted(
    divisors: Sequence[Scalar], innovation: Scalar, variance: Scalar, gate: Scalar
) -> tuple[Any, Any]:
    """Whether all divisors are positive, and whether besides the innovation is inside the gate."""
    positive = require(every(*(d > MIN for d in divisors)), Status.SINGULAR)
    inside = innovation * innovation <= gate * gate * variance
    return positive, positive & inside


def joseph(P: SymmetricValue, H: Sequence[Scalar], innovation: Scalar, R: Scalar, gate: Scalar) -> Update:
    """P' = (1 - K H) P (1 - K H)^T + K R K^T, by two products of the sparse row H."""
    n = len(P.rows)
    PH = let("PH", [inner(row, H) for row in P.rows])
    variance = let("variance", _plus(inner(H, PH), R))
    positive, used = _accepted([variance], innovation, variance, gate)
    row, column = _kept(used, H), let("column", _kept(used, PH))
    scale = let("scale", 1 / select(positive, variance, 1))
    K = let("K", [times(x, scale) for x in column])
    A = [[P.rows[i][j] - K[i] * column[j] for j in range(n)] for i in range(n)]
    rest = let("rest", [R * K[i] - inner(A[i], row) for i in range(n)])
    after = [A[i][j] + rest[i] * K[j] for i, j in upper(n)]
    y = let("y", select(used, innovation, 0))
    return Update([k * y for k in K], after, variance, used)


def bierman(UD: SymmetricValue, H: Sequence[Scalar], innovation: Scalar, R: Scalar, gate: Scalar) -> Update:
    """The factors after a measurement; D is the diagonal of UD, the unit upper triangular U is above it."""
    n = len(UD.rows)
    D = [UD.rows[j][j] for j in range(n)]
    f = let("f", [_sum([*(times(H[i], UD.rows[i][j]) for i in range(j)), H[j]]) for j in range(n)])
    g = let("g", [times(D[j], f[j]) for j in range(n)])
    alpha = [R]
    for j in range(n):
        alpha.append(let(f"alpha_{j}", _plus(times(f[j], g[j]), alpha[-1])))
    variance = alpha[-1]
    positive, used = _accepted(alpha, innovation, variance, gate)
    safe = [select(positive, a, 1) for a in alpha]
    g = let("part", _kept(used, g))
    gain: list[Scalar] = []
    after: dict[tuple[int, int], Scalar] = {}
    for j in range(n):
        after[j, j] = times(D[j], select(used, safe[j] / safe[j + 1], 1))
        p = 0 if is_zero(f[j]) else let(f"p_{j}", select(used, -f[j] / safe[j], 0))
        for i in range(j):
            after[i, j] = _plus(UD.rows[i][j], times(gain[i], p))
        gain = [*(_plus(times(UD.rows[i][j], g[j]), gain[i]) for i in range(j)), g[j]]
    scale = let("scale", select(used, innovation / safe[-1], 0))
    return Update([times(b, scale) for b in gain], [after[i, j] for i, j in upper(n)], variance, used)


def _kept(used: Any, scalars: Sequence[Scalar]) -> list[Scalar]:
    """The computed scalars, or zeros where a measurement is not used: they may then be no numbers."""
    return [x if isinstance(x, int) else select(used, x, 0) for x in scalars]


def _plus(a: Scalar, b: Scalar) -> Scalar:
    return b if is_zero(a) else a if is_zero(b) else a + b


def _sum(terms: Sequence[Scalar]) -> Scalar:
    total: Scalar = 0
    for term in terms:
        total = _plus(total, term)
    return total


def predicted(P: SymmetricValue, F: MatrixValue, noise: Sequence[tuple[MatrixValue, Any]]) -> SymmetricValue:
    """F P F^T and G diag(q) G^T for each noise."""
    found: SymmetricValue = F @ P @ F.T
    for G, variances in noise:
        scaled = [[times(x, q) for x, q in zip(row, variances, strict=True)] for row in G.rows]
        n = len(G.rows)
        added = from_upper([inner(scaled[i], G.rows[j]) for i, j in upper(n)])
        found = from_upper([_plus(a, b) for a, b in zip(found.scalars(), added.scalars(), strict=True)])
    return found


def thornton(UD: SymmetricValue, F: MatrixValue, noise: Sequence[tuple[MatrixValue, Any]]) -> SymmetricValue:
    """The factors of F U D U^T F^T + G diag(q) G^T, by weighted Gram-Schmidt orthogonalisation.

    A column of U beside an element of D that is zero is zero. A negative variance has no meaning, but the
    product of the factors is right for it, too.
    """
    n = len(UD.rows)
    U = MatrixValue([[UD.rows[i][j] if i < j else int(i == j) for j in range(n)] for i in range(n)])
    moved = F @ U
    rows = [[*moved.rows[i], *(x for G, _ in noise for x in G.rows[i])] for i in range(n)]
    weights = [UD.rows[j][j] for j in range(n)] + [q for _, variances in noise for q in variances]
    after: dict[tuple[int, int], Scalar] = {}
    for j in reversed(range(n)):
        weighted = let(f"weighted_{j}", [times(x, w) for x, w in zip(rows[j], weights, strict=True)])
        d = let(f"d_{j}", inner(rows[j], weighted))
        none = removable(absolute(d) <= MIN)
        inverse = let(f"inv_d_{j}", select(none, 0, 1) / select(none, 1, d))
        after[j, j] = d
        for i in range(j):
            u = let(f"u_{i}_{j}", times(inner(rows[i], weighted), inverse))
            after[i, j] = u
            rows[i] = [_minus(x, times(u, y)) for x, y in zip(rows[i], rows[j], strict=True)]
    return from_upper([after[i, j] for i, j in upper(n)])


def product(UD: SymmetricValue) -> SymmetricValue:
    """U D U^T."""
    n = len(UD.rows)
    U = MatrixValue([[UD.rows[i][j] if i < j else int(i == j) for j in range(n)] for i in range(n)])
    D = [UD.rows[j][j] for j in range(n)]
    scaled = [[times(x, d) for x, d in zip(row, D, strict=True)] for row in U.rows]
    return from_upper([inner(scaled[i], U.rows[j]) for i, j in upper(n)])


def _minus(a: Scalar, b: Scalar) -> Scalar:
    return a if is_zero(b) else a - b
