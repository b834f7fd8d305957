"""How a filter keeps the covariance of the errors of its states: itself, or its factors.

In exact arithmetic all ways give the same. In rounded arithmetic the Joseph form and the factors U D U^T
keep a covariance positive where P - K H P loses it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from codegen.ir.composite import Composite
from codegen.ir.program import Arg, evaluate
from codegen.ir.status import Status
from codegen.ir.systems import NumberSystem
from codegen.ir.types import Scalar, flatten
from codegen.modeling.types.elimination import is_zero
from codegen.modeling.types.matrices import MatrixValue, SymmetricValue
from codegen.modeling.types.matrix_types import Symmetric
from codegen.modeling.types.scalar import MAX, MIN, every, require, select
from codegen.notation.blocks import Block
from codegen.systems.innovations import Innovation
from codegen.systems.tangent import Linearised, error_size, errors_of

INSIDE = "innovation^2 <= gate^2 S"
"""When a measurement is used."""

OF_UPDATE = (
    f"correction = {{K innovation if {INSIDE}, 0 otherwise}}; used = {{1 if {INSIDE}, 0 otherwise}}; "
    "S = H P H^T + R; K = P H^T / S"
)
"""The equations of an update that are those of every way."""


@dataclass(frozen=True)
class ScalarMeasurement:
    """One scalar of a measurement, and its derivatives by the errors of all states of a filter."""

    name: str
    rows: Linearised
    index: int
    states: tuple[Arg, ...]
    innovation: Innovation

    @property
    def inputs(self) -> tuple[Arg, ...]:
        """The inputs of the measurement."""
        return self.rows.of.inputs

    def row(self, values: Sequence[Any]) -> list[Scalar]:
        """H for these inputs, on scalars of any kind."""
        (H,) = self.rows.derivatives(self._by_name(values))
        return self.of_all(H.rows[self.index], _without)

    def row_by_sympy(self, values: Sequence[Any]) -> list[Any]:
        """H as SymPy differentiates the measurement."""
        (H,) = self.rows.by_sympy(self._by_name(values))
        return self.of_all(H[self.index, :], _without)

    def predicted(self, system: NumberSystem, values: Sequence[Any]) -> Any:
        """The scalar that the states predict, in a number system."""
        scalars = [x for value in values for x in listed(value)]
        return evaluate(self.rows.of.program(False), system, scalars).results[self.index]

    def _by_name(self, values: Sequence[Any]) -> dict[str, Any]:
        return dict(zip((a.name for a in self.inputs), values, strict=True))

    def of_all(self, own: Sequence[Any], absent: Callable[[int], list[Any]]) -> list[Any]:
        """Scalars of the errors of the measurement's states, among those that the others have, `absent`."""
        parts = errors_of(self.rows.states, list(own))
        of = dict(zip((s.name for s in self.rows.states), parts, strict=True))
        return [x for s in self.states for x in of.get(s.name) or absent(error_size(s))]


def _without(count: int) -> list[Any]:
    """The derivatives by states that a measurement does not depend on."""
    return [0] * count


class Update(NamedTuple):
    """The correction of the states, the new covariance or factors, the variance, and whether it is used."""

    correction: list[Scalar]
    after: list[Scalar]
    variance: Scalar
    used: Any


Noise = Sequence[tuple[MatrixValue, Any]]
"""The derivatives by each noise, with its variances."""


class Covariance(ABC):
    """A way to keep a covariance: its type, rules and equations, and what these are compared with."""

    held: str
    """What titles call it."""

    meaning: str
    """What the documentation of an argument says before "of the errors of the states"."""

    unit_rule: str
    """How the unit of an element follows from those of the errors."""

    requires: str

    predicted: str
    """The equation of a prediction, without the noise."""

    updated: str
    """The equations of an update."""

    @abstractmethod
    def kind(self, size: int) -> Symmetric:
        """The type of an argument."""

    @abstractmethod
    def unit(self, states: Sequence[Arg]) -> str:
        """The unit of an argument."""

    @abstractmethod
    def predict(self, kept: SymmetricValue, F: MatrixValue, noise: Noise) -> SymmetricValue:
        """What is kept after a step with the derivatives F."""

    @abstractmethod
    def update(
        self, kept: SymmetricValue, H: Sequence[Scalar], innovation: Scalar, R: Scalar, gate: Scalar
    ) -> Update:
        """What is kept after a scalar measurement."""

    @abstractmethod
    def letters(self, given: Mapping[str, Block]) -> dict[str, Block]:
        """What the letters of the equations stand for."""

    @abstractmethod
    def prediction(self, step: Linearised) -> dict[str, Any]:
        """The source of a kernel that predicts, its independent form and its tolerance."""

    @abstractmethod
    def correction(self, seen: ScalarMeasurement) -> dict[str, Any]:
        """The source of a kernel that updates, and its independent form."""


def accepted(
    divisors: Sequence[Scalar], innovation: Scalar, variance: Scalar, gate: Scalar
) -> tuple[Any, Any]:
    """Whether all divisors are positive and finite, and whether besides the innovation is inside the gate.

    The last divisor is the sum of all that are added to the variance of the measurement.
    """
    positive = require(every(*(d > MIN for d in divisors), divisors[-1] <= MAX), Status.SINGULAR)
    inside = innovation * innovation <= gate * gate * variance
    return positive, positive & inside


def if_used(used: Any, scalars: Sequence[Scalar]) -> list[Scalar]:
    """The computed scalars, or zeros where a measurement is not used: they may then be no numbers."""
    return [x if isinstance(x, int) else select(used, x, 0) for x in scalars]


def plus(a: Scalar, b: Scalar) -> Scalar:
    """The sum, without zeros that are known."""
    return b if is_zero(a) else a if is_zero(b) else a + b


def listed(value: Any) -> list[Any]:
    """The scalars of an argument of a form that is not the formula."""
    if isinstance(value, (list, tuple, Composite)):
        return flatten(value)
    return list(value) if hasattr(value, "tolist") else [value]
