"""The factors of a covariance P = U D U^T: U is unit upper triangular, D diagonal.

They are packed like a covariance, D on the diagonal and U above it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from codegen.errors import FeatherError
from codegen.frontends.references import Outcome
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.systems import system_of
from codegen.ir.types import Draw, Real, Scalar, flatten
from codegen.library.shared.works import BIERMAN
from codegen.modeling.kernel import OnNumbers
from codegen.modeling.types.elimination import inner, is_zero, times
from codegen.modeling.types.matrices import MatrixValue, SymmetricValue, from_upper, upper
from codegen.modeling.types.matrix_types import Symmetric
from codegen.modeling.types.scalar import MIN, absolute, let, removable, select
from codegen.notation.blocks import Block
from codegen.systems import factors_reference
from codegen.systems.covariance import (
    INSIDE,
    OF_UPDATE,
    Covariance,
    Noise,
    ScalarMeasurement,
    Update,
    accepted,
    if_used,
    listed,
    plus,
)
from codegen.systems.joseph import Joseph
from codegen.systems.tangent import Linearised


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


class Factors(Covariance):
    """The factors U and D of the covariance."""

    held = "Factors of the covariance"
    meaning = "factors U, D of the covariance, D on the diagonal,"
    unit_rule = "the unit of D is that of a variance, the unit of U (i, j) that of i over that of j"
    requires = "D is positive"
    predicted = "U' D' U'^T = F U D U^T F^T"
    updated = f"U' D' U'^T = {{(1 - K H) P if {INSIDE}, P otherwise}}; {OF_UPDATE}; P = U D U^T"

    def kind(self, size: int) -> Symmetric:
        """The factors of a positive definite matrix."""
        return Factored(size)

    def unit(self, states: Sequence[Arg]) -> str:
        """D and U differ in their units."""
        return "mixed"

    def predict(self, kept: SymmetricValue, F: MatrixValue, noise: Noise) -> SymmetricValue:
        """By weighted Gram-Schmidt orthogonalisation."""
        return thornton(kept, F, noise)

    def update(
        self, kept: SymmetricValue, H: Sequence[Scalar], innovation: Scalar, R: Scalar, gate: Scalar
    ) -> Update:
        """By rank-one updates, one for each column of U."""
        return bierman(kept, H, innovation, R, gate)

    def letters(self, given: Mapping[str, Block]) -> dict[str, Block]:
        """The factors before and after, where these are given."""
        found: dict[str, Block] = {}
        for name, prime in (("P", ""), ("P_next", "'")):
            if name in given:
                rows, places = given[name].rows, range(len(given[name].rows))
                U = [[rows[i][j] if i < j else int(i == j) for j in places] for i in places]
                D = [[rows[i][j] if i == j else 0 for j in places] for i in places]
                found |= {f"U{prime}": _block(U), f"D{prime}": _block(D)}
        return found

    def prediction(self, step: Linearised) -> dict[str, Any]:
        """It is compared with the factors of a dense covariance, and by the product of its results."""

        def reference(*values: Any, **limits: Any) -> Outcome:
            given, (*qs, before) = step.apart(values)
            slopes = step.derivatives({name: listed(value) for name, value in given.items()})
            F, *G = map(_dense, slopes)
            noise = [(g, listed(q)) for g, q in zip(G, qs, strict=True)]
            return Outcome((factors_reference.predicted(before, F, noise),))

        def covariances(*values: Any) -> list[SymmetricValue]:
            """That of the new factors plus F P F^T with its noise, whose size is that of the errors of F."""
            given, (*qs, before, after) = step.apart(values)
            F, *G = step.derivatives(given)
            noise = [(g, flatten(q)) for g, q in zip(G, qs, strict=True)]
            pairs = zip(
                product(after).scalars(), Joseph().predict(product(before), F, noise).scalars(), strict=True
            )
            return [from_upper([plus(a, b) for a, b in pairs])]

        return {
            "source": BIERMAN,
            "reference": reference,
            "invariants": covariances,
            "as_written": True,
            "tolerance": 64,
        }

    def correction(self, seen: ScalarMeasurement) -> dict[str, Any]:
        """It is compared with the factors of a dense covariance."""
        return {"source": BIERMAN, "reference": OnNumbers(_reference(seen))}


def bierman(UD: SymmetricValue, H: Sequence[Scalar], innovation: Scalar, R: Scalar, gate: Scalar) -> Update:
    """The factors after a measurement; D is the diagonal of UD, the unit upper triangular U is above it."""
    n = len(UD.rows)
    D = [UD.rows[j][j] for j in range(n)]
    f = let("f", [_total([*(times(H[i], UD.rows[i][j]) for i in range(j)), H[j]]) for j in range(n)])
    g = let("g", [times(D[j], f[j]) for j in range(n)])
    alpha = [R]
    for j in range(n):
        alpha.append(let(f"alpha_{j}", plus(times(f[j], g[j]), alpha[-1])))
    variance = alpha[-1]
    positive, used = accepted(alpha, innovation, variance, gate)
    safe = [select(positive, a, 1) for a in alpha]
    g = let("part", if_used(used, g))
    gain: list[Scalar] = []
    after: dict[tuple[int, int], Scalar] = {}
    for j in range(n):
        after[j, j] = times(D[j], select(used, safe[j] / safe[j + 1], 1))
        p = 0 if is_zero(f[j]) else let(f"p_{j}", select(used, -f[j] / safe[j], 0))
        for i in range(j):
            after[i, j] = plus(UD.rows[i][j], times(gain[i], p))
        gain = [*(plus(times(UD.rows[i][j], g[j]), gain[i]) for i in range(j)), g[j]]
    scale = let("scale", select(used, innovation / safe[-1], 0))
    return Update([times(b, scale) for b in gain], [after[i, j] for i, j in upper(n)], variance, used)


def _total(terms: Sequence[Scalar]) -> Scalar:
    total: Scalar = 0
    for term in terms:
        total = plus(total, term)
    return total


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


def _reference(seen: ScalarMeasurement) -> Callable[..., Outcome]:
    """The update of the factors by a dense covariance, on numbers."""

    def reference(*values: Any, **limits: Any) -> Outcome:
        given = list(map(listed, values[: len(seen.inputs)]))
        measured, R, gate, before = values[len(seen.inputs) :]
        row = np.array(seen.row(given), dtype=object)
        system = system_of(tuple(x for scalars in given for x in scalars))
        innovation = seen.innovation.on(system, measured - seen.predicted(system, given))
        divisors = factors_reference.divisors(before, row, R)
        positive = all(d > limits["limits"].min for d in divisors) and divisors[-1] <= limits["limits"].max
        told = [innovation], [divisors[-1]]
        if not positive or not innovation**2 <= gate * gate * divisors[-1]:
            status = 0 if positive else int(Status.SINGULAR)
            return Outcome(([0] * len(row), factors_reference.packed(before), *told, [0]), status)
        K, _, after = factors_reference.updated(before, row, R)
        return Outcome((list(K * innovation), after, *told, [1]))

    return reference


def _dense(matrix: Any) -> Any:
    """A matrix as a NumPy array of its scalars."""
    return np.array([list(row) for row in matrix.rows], dtype=object)


def _block(rows: Sequence[Sequence[object]]) -> Block:
    return Block(tuple(map(tuple, rows)))
