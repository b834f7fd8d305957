"""An update of a covariance by all scalars of a measurement at once, in Joseph's form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.systems import sympy_system
from codegen.ir.types import INTEGER, POSITIVE, Scalar, flatten
from codegen.library.shared.works import BUCY, MAYBECK
from codegen.modeling.failures import Failure
from codegen.modeling.quantities.units import scalar_units
from codegen.modeling.types.elimination import backward, factors, forward, inner, times
from codegen.modeling.types.matrices import SymmetricValue, from_upper, mirrored, upper
from codegen.modeling.types.matrix_types import Matrix, Symmetric, Vector
from codegen.modeling.types.scalar import MAX, every, let, require, select
from codegen.systems import error_units
from codegen.systems.covariance import ScalarMeasurement, if_used, listed, plus
from codegen.systems.tangent import error_size

INSIDE = "innovation^T S^-1 innovation <= gate^2"
"""When a measurement is used."""

EQUATION = (
    f"P' = {{(1 - K H) P (1 - K H)^T + K R K^T if {INSIDE}, P otherwise}}; "
    f"correction = {{K innovation if {INSIDE}, 0 otherwise}}; used = {{1 if {INSIDE}, 0 otherwise}}; "
    "innovation = measured - h; S = H P H^T + R; K = P H^T S^-1; H = jacobian(h, delta)"
)
"""The equations of an update by a whole measurement."""

SINGULAR = Failure(
    words="`S` is not positive definite, or rounding cannot tell, or it is not finite",
    results="correction = 0, P_next = P, used = 0, K = 0",
)

SOURCE = f"{BUCY}; {MAYBECK}"

LARGEST = 6
"""Measurements of more scalars are taken one after the other."""


class Update(NamedTuple):
    """What an update by several scalars gives."""

    correction: list[Scalar]
    after: SymmetricValue
    innovation: list[Scalar]
    variance: SymmetricValue
    used: Any
    H: list[list[Scalar]]
    K: list[list[Scalar]]


@dataclass(frozen=True)
class BlockMeasurement:
    """All scalars of a measurement, with their variances or their covariance."""

    scalars: tuple[ScalarMeasurement, ...]
    variance: Arg

    @property
    def inputs(self) -> tuple[Arg, ...]:
        """The inputs of the measurement."""
        return self.scalars[0].inputs

    @property
    def given(self) -> tuple[Arg, ...]:
        """The inputs besides those of the measurement and P: what was measured, its variance and the gate."""
        units = error_units.of_errors(self.scalars[0].rows.of.outputs)
        return (
            Arg("measured", Vector(len(self.scalars)), units, "measured values"),
            self.variance,
            Arg("gate", POSITIVE, "1", "largest distance in standard deviations that is used"),
        )

    @property
    def told(self) -> tuple[Arg, ...]:
        """The outputs besides the correction and P."""
        outputs, count = self.scalars[0].rows.of.outputs, len(self.scalars)
        size = sum(map(error_size, self.scalars[0].states))
        return (
            Arg("innovation", Vector(count), error_units.of_errors(outputs), "measured less predicted"),
            Arg("S", Symmetric(count), error_units.of_covariance(outputs), "covariance of the innovation"),
            Arg("used", INTEGER, "1", "1 inside the gate, 0 outside"),
            Arg("H", Matrix(count, size), "mixed", "derivatives of the measurement", optional=True),
            Arg("K", Matrix(size, count), "mixed", "gain, also outside the gate", optional=True),
        )

    def check(self) -> None:
        """FeatherError where the variances are not those of the scalars, or these are too many."""
        count, given = len(self.scalars), self.variance
        if count > LARGEST:
            raise FeatherError(
                f"it has {count} scalars, but one update takes at most {LARGEST}: use update, which takes "
                "one after the other"
            )
        wanted = Symmetric(count).size if isinstance(given.type, Symmetric) else count
        if given.size not in (1, wanted):
            raise FeatherError(
                f"{given.name} has {given.size} numbers, but must have one for all scalars, {count} "
                f"variances or the covariance Symmetric({count}, positive=True)"
            )
        measured = self.scalars[0].rows.of
        units = [unit for a in measured.outputs for unit in scalar_units(a)]
        found = scalar_units(given)
        if isinstance(given.type, Symmetric):
            found = [unit for unit, (i, j) in zip(found, upper(count), strict=True) if i == j]
        each = found if len(found) == count else found * count
        error_units.check_squares(given, each, measured.name, units)

    def covariance(self, given: Any) -> list[list[Any]]:
        """R, a square matrix, of the argument of the variances."""
        count, numbers = len(self.scalars), listed(given) if not hasattr(given, "shape") else _entries(given)
        if isinstance(self.variance.type, Symmetric):
            return mirrored(numbers, count)
        each = numbers if len(numbers) == count else numbers * count
        return [[each[i] if i == j else 0 for j in range(count)] for i in range(count)]

    def update(self, values: Sequence[Any], after: Sequence[Any], predicted: Sequence[Scalar]) -> Update:
        """The results for measured values, variances, the gate and P, which come after the inputs."""
        measured, variances, gate, P = after
        pairs = zip(self.scalars, flatten(measured), predicted, strict=True)
        innovation = [s.innovation.of(z - h) for s, z, h in pairs]
        H = [s.row(values) for s in self.scalars]
        return _joseph(P, H, innovation, self.covariance(variances), gate)

    def definition(self, *values: Any) -> list[Any]:
        """The update with dense matrices in SymPy."""
        import sympy

        given = list(map(listed, values[: len(self.inputs)]))
        measured, variances, gate, before = values[len(self.inputs) :]
        H = sympy.Matrix([s.row_by_sympy(given) for s in self.scalars])
        system = sympy_system()
        e = sympy.Matrix(
            [
                s.innovation.on(system, z - s.predicted(system, given))
                for s, z in zip(self.scalars, listed(measured), strict=True)
            ]
        )
        R = sympy.Matrix(self.covariance(variances))
        S, size = H * before * H.T + R, H.shape[1]
        inverse = _inverse(S)
        K = before * H.T * inverse
        left = sympy.eye(size) - K * H
        after = left * before * left.T + K * R * K.T
        inside = (e.T * inverse * e)[0] <= gate**2
        correction = K * e

        def chosen(x: Any, otherwise: Any) -> Any:
            return sympy.Piecewise((x, inside), (otherwise, True))

        return [
            *(chosen(x, 0) for x in correction),
            *(chosen(after[at], before[at]) for at in upper(size)),
            *e,
            *(S[at] for at in upper(len(e))),
            chosen(1, 0),
            *H,
            *K,
        ]


def _inverse(S: Any) -> Any:
    """The inverse by cofactors of symbols, in whose place the elements are put."""
    import sympy

    count = S.shape[0]
    plain = sympy.Matrix(count, count, lambda i, j: sympy.Dummy(f"S_{i}{j}", real=True))
    elements = dict(zip(plain, S, strict=True))
    inverse = plain.adjugate(method="berkowitz") / plain.det(method="berkowitz")
    return inverse.xreplace(elements)


def _entries(matrix: Any) -> list[Any]:
    """The upper triangle of a square matrix of SymPy, or the elements of a column."""
    rows, columns = matrix.shape
    return [matrix[at] for at in upper(rows)] if columns > 1 else list(matrix)


def _joseph(
    P: SymmetricValue,
    H: list[list[Scalar]],
    innovation: list[Scalar],
    R: list[list[Scalar]],
    gate: Scalar,
) -> Update:
    """(1 - K H) P (1 - K H)^T + K R K^T, where the innovation is inside of the gate."""
    n, m = len(P.rows), len(H)
    PH = let("PH", [[inner(row, h) for h in H] for row in P.rows])
    S = let("S", from_upper([plus(inner(H[a], [row[b] for row in PH]), R[a][b]) for a, b in upper(m)]))
    L, _, reciprocals, positive = factors(S.rows)
    positive = positive & require(every(*(S.rows[a][a] <= MAX for a in range(m))), Status.SINGULAR)
    far = forward(L, innovation)
    distance = let("distance", inner([y * y for y in far], reciprocals))
    used = positive & (distance <= gate * gate)
    solved = let("gain", [backward(L, list(map(times, forward(L, row), reciprocals))) for row in PH])
    K = let("K_used", [if_used(used, row) for row in solved])
    rows, columns = [if_used(used, h) for h in H], [if_used(used, row) for row in PH]
    spread = [if_used(used, row) for row in R]
    A = [[P.rows[i][j] - inner(K[i], columns[j]) for j in range(n)] for i in range(n)]
    rest = let(
        "rest",
        [[inner(K[i], [r[b] for r in spread]) - inner(A[i], rows[b]) for b in range(m)] for i in range(n)],
    )
    after = from_upper([A[i][j] + inner(rest[i], K[j]) for i, j in upper(n)])
    y = let("y", if_used(used, innovation))
    gain = [if_used(positive, row) for row in solved]
    return Update([inner(row, y) for row in K], after, innovation, S, select(used, 1, 0), H, gain)
