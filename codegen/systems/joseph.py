"""A covariance as a packed symmetric matrix, updated by Joseph's form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from codegen.ir.program import Arg
from codegen.ir.systems import sympy_system
from codegen.ir.types import Scalar
from codegen.library.shared.works import BUCY, MAYBECK
from codegen.modeling.types.elimination import inner, times
from codegen.modeling.types.matrices import MatrixValue, SymmetricValue, from_upper, upper
from codegen.modeling.types.matrix_types import Symmetric
from codegen.modeling.types.scalar import let, select
from codegen.notation.blocks import Block
from codegen.systems import error_units
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
from codegen.systems.tangent import Linearised

JOSEPH = f"{BUCY}; {MAYBECK}"


class Joseph(Covariance):
    """The covariance P itself."""

    held = "Covariance"
    meaning = "covariance"
    unit_rule = "the unit of (i, j) is the product of those of i and j"
    requires = "P is positive definite"
    predicted = "P' = F P F^T"
    updated = f"P' = {{(1 - K H) P (1 - K H)^T + K R K^T if {INSIDE}, P otherwise}}; {OF_UPDATE}"

    def kind(self, size: int) -> Symmetric:
        """A positive definite matrix."""
        return Symmetric(size, positive=True)

    def unit(self, states: Sequence[Arg]) -> str:
        """That of all elements, where it is the same."""
        return error_units.of_covariance(states)

    def predict(self, kept: SymmetricValue, F: MatrixValue, noise: Noise) -> SymmetricValue:
        """F P F^T + G diag(q) G^T for each noise."""
        found: SymmetricValue = F @ kept @ F.T
        for G, variances in noise:
            scaled = [[times(x, q) for x, q in zip(row, variances, strict=True)] for row in G.rows]
            n = len(G.rows)
            added = from_upper([inner(scaled[i], G.rows[j]) for i, j in upper(n)])
            found = from_upper([plus(a, b) for a, b in zip(found.scalars(), added.scalars(), strict=True)])
        return found

    def update(
        self, kept: SymmetricValue, H: Sequence[Scalar], innovation: Scalar, R: Scalar, gate: Scalar
    ) -> Update:
        """(1 - K H) P (1 - K H)^T + K R K^T, by two products of the sparse row H."""
        n = len(kept.rows)
        PH = let("PH", [inner(row, H) for row in kept.rows])
        variance = let("variance", plus(inner(H, PH), R))
        positive, used = accepted([variance], innovation, variance, gate)
        row, column = if_used(used, H), let("column", if_used(used, PH))
        scale = let("scale", 1 / select(positive, variance, 1))
        K = let("K", [times(x, scale) for x in column])
        A = [[kept.rows[i][j] - K[i] * column[j] for j in range(n)] for i in range(n)]
        spread = let("spread", select(used, R, 0))  # an R that is NaN leaves P as it is
        rest = let("rest", [spread * K[i] - inner(A[i], row) for i in range(n)])
        after = [A[i][j] + rest[i] * K[j] for i, j in upper(n)]
        y = let("y", select(used, innovation, 0))
        return Update([k * y for k in K], after, variance, used)

    def letters(self, given: Mapping[str, Block]) -> dict[str, Block]:
        """P is the argument."""
        return {"P": given["P"]}

    def prediction(self, step: Linearised) -> dict[str, Any]:
        """It is compared with matrices that SymPy differentiates and multiplies."""

        def definition(*values: Any) -> Any:
            import sympy

            given, (*qs, covariance) = step.apart(values)
            F, *G = step.by_sympy({name: listed(value) for name, value in given.items()})
            parts = (g * sympy.diag(*listed(q)) * g.T for g, q in zip(G, qs, strict=True))
            return sum(parts, F * covariance * F.T)

        return {"source": MAYBECK, "definition": definition, "tolerance": 16}

    def correction(self, seen: ScalarMeasurement) -> dict[str, Any]:
        """It is compared with dense matrices in SymPy."""
        return {"source": JOSEPH, "definition": _definition(seen)}


def _definition(seen: ScalarMeasurement) -> Any:
    """The update with dense matrices in SymPy."""

    def definition(*values: Any) -> list[Any]:
        import sympy

        given = list(map(listed, values[: len(seen.inputs)]))
        measured, R, gate, before = values[len(seen.inputs) :]
        row = sympy.Matrix([seen.row_by_sympy(given)])
        innovation = seen.innovation.on(sympy_system(), measured - seen.predicted(sympy_system(), given))
        S = (row * before * row.T)[0] + R
        K = before * row.T / S
        left = sympy.eye(len(K)) - K * row
        after = left * before * left.T + K * R * K.T
        inside = innovation**2 <= gate**2 * S
        used = [sympy.Piecewise((k * innovation, inside), (0, True)) for k in K]
        kept = [sympy.Piecewise((after[at], inside), (before[at], True)) for at in upper(len(K))]
        return [*used, *kept, innovation, S, sympy.Piecewise((1, inside), (0, True))]

    return definition
