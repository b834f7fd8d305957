"""Kalman filters from process and measurement formulas: prediction, scalar updates with a gate, correction.

The covariance is about the errors of the states (`tangent`), so that the same code makes an extended filter
and an error-state filter. Its kernels are proven against matrices that SymPy differentiates and multiplies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from codegen.errors import FeatherError, naming
from codegen.frontends.define import formula_kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import INTEGER, POSITIVE, REAL, flatten
from codegen.library.shared.works import SOLA
from codegen.misuse import explained
from codegen.modeling.failures import Failure, failures_of
from codegen.modeling.kernel import Kernel, check_kernel
from codegen.modeling.quantities.units import scalar_units
from codegen.modeling.types.matrices import from_upper
from codegen.modeling.types.matrix_types import Vector
from codegen.modeling.types.scalar import select
from codegen.systems import block_updates, error_units, in_blocks, stated
from codegen.systems.agreement import check_measurement, check_process
from codegen.systems.block_updates import BlockMeasurement
from codegen.systems.covariance import Covariance, ScalarMeasurement
from codegen.systems.factors import Factors
from codegen.systems.innovations import ANGLE, DIFFERENCE, Innovation
from codegen.systems.joseph import Joseph
from codegen.systems.noise import noise_at_zero, perhaps_measured
from codegen.systems.reduced import with_results
from codegen.systems.tangent import Linearised, corrected, error_places, error_size, errors_of, is_attitude

SINGULAR = Failure(
    words="`S`, or a part of its sum, is not positive, or `S` is not finite",
    results="correction = 0, P_next = P, used = 0",
)
P = "P"
"""The argument of the covariance or of its factors."""

FORMS: Mapping[str, Covariance] = {"joseph": Joseph(), "ud": Factors()}
"""The ways in which a filter may keep its covariance."""


@explained
@dataclass(frozen=True, eq=False)
class Filter:
    """A Kalman filter for a process: a kernel that gives the states after a step, in their order.

    `states` are the names of its inputs that are states, `noise` the inputs that are zero on average, each
    with the argument of its variances. `form` is "joseph", with the covariance as a packed symmetric matrix,
    or "ud", with its factors U D U^T in the same place: D on the diagonal, U above it.
    """

    process: Kernel
    states: tuple[str, ...]
    noise: Mapping[str, Arg]
    form: str = "joseph"

    def __post_init__(self) -> None:
        check_kernel(self.process, "a filter")
        with naming(f"the filter of {self.process.name}"):
            self._check()
        noise = {name: error_units.as_variance(variance) for name, variance in self.noise.items()}
        object.__setattr__(self, "noise", noise)

    def _check(self) -> None:
        check_process(self.process, self.states, self.noise)
        inputs = {a.name: a for a in self.process.inputs}
        for name, variance in self.noise.items():
            error_units.check_variance(variance, name, scalar_units(inputs[name]))
        if self.form not in FORMS:
            raise FeatherError(f"its form is {self.form!r}, but must be one of {', '.join(FORMS)}")

    @property
    def _kept(self) -> Covariance:
        return FORMS[self.form]

    @property
    def arguments(self) -> tuple[Arg, ...]:
        """The states, as the inputs of the process."""
        inputs = {a.name: a for a in self.process.inputs}
        return tuple(inputs[name] for name in self.states)

    @property
    def size(self) -> int:
        """Number of components of the errors of all states."""
        return sum(map(error_size, self.arguments))

    def without(self, *dropped: str) -> Filter:
        """The filter of fewer states: those that are dropped are inputs, which it takes for exact.

        Noise that no other state depends on is dropped with them. Kernels of the variants need names of
        their own.
        """
        unknown = [name for name in dropped if name not in self.states]
        kept = tuple(name for name in self.states if name not in dropped)
        if unknown or not kept:
            left = f"no state {unknown[0]}" if unknown else "no state left"
            raise FeatherError(
                f"the filter of {self.process.name} has {left}: it has {', '.join(self.states)}"
            )
        process = with_results(self.process, [self.states.index(name) for name in kept])
        read = {a.name for a in process.program(False).read}
        noise = {name: variance for name, variance in self.noise.items() if name in read}
        return replace(self, process=process, states=kept, noise=noise)

    def prediction(self, name: str) -> Kernel:
        """The kernel of the covariance, or of its factors, after a step of the process."""
        quiet = tuple(a for a in self.process.inputs if a.name in self.noise)
        step = Linearised(self.process, self.arguments, quiet, self.arguments)
        variances = [self.noise[a.name] for a in quiet]

        def formula(*values: Any) -> Any:
            given, (*qs, covariance) = step.apart(values)
            F, *G = step.derivatives(given)
            return self._kept.predict(covariance, F, [(g, flatten(q)) for g, q in zip(G, qs, strict=True)])

        formula.__wrapped__ = self.process.formula  # type: ignore[attr-defined]  # the source that is shown
        return formula_kernel(
            formula,
            module=self.process.module,
            name=name,
            title=f"{self._kept.held} of {self._errors} after a step of {self.process.name}.",
            details=self._details(stated.letters_of_prediction(quiet, variances, noise_at_zero(step))),
            equation=stated.predicted(self._kept),
            setting=stated.of_prediction(step, variances, self._kept),
            steps=stated.differentiated(
                stated.PROCESS,
                stated.predicted_by(self._kept, len(quiet), in_blocks.of_process(step)),
            ),
            requires=self._requires(step.needed),
            inputs=(*step.needed, *variances, self.covariance(P, "")),
            outputs=(self.covariance("P_next", " after the step"),),
            notes=perhaps_measured(step),
            **self._kept.prediction(step),
        )

    def update(self, measurement: Kernel, name: str, variance: Arg) -> tuple[Kernel, ...]:
        """A kernel for each scalar that a measurement gives: its innovation, gate, gain and update.

        Its inputs are those of the measurement, what was measured, its variance, the gate in standard
        deviations, and P. Its outputs are the correction of the states' errors, P, the innovation with its
        variance, and whether the measurement is inside the gate; outside, the correction is 0 and P stays.
        """
        return self._updates(measurement, name, variance, DIFFERENCE)

    def update_angle(self, measurement: Kernel, name: str, variance: Arg) -> tuple[Kernel, ...]:
        """The same for measured angles: the innovation goes the shorter way round, from -pi to pi."""
        return self._updates(measurement, name, variance, ANGLE)

    def update_block(self, measurement: Kernel, name: str, variance: Arg) -> Kernel:
        """One kernel for all scalars of a measurement, at most six, with H and the gain K where asked for.

        `variance` is one for all scalars, as many as there are, or their covariance, `Symmetric(n)`. The gate
        is the largest distance of the innovation in standard deviations, by its covariance S.
        """
        check_kernel(measurement, "an update")
        with naming(f"the update by {measurement.name}"):
            if self.form != "joseph":
                raise FeatherError(
                    f"a filter with form={self.form!r} takes one scalar after the other: use update"
                )
            check_measurement(measurement, self.arguments)
            seen = self._whole(measurement, variance)
            seen.check()
        inputs = seen.inputs

        def formula(*values: Any) -> Any:
            predicted = flatten(measurement.formula(*values[: len(inputs)]))  # type: ignore[misc]
            found = seen.update(values[: len(inputs)], values[len(inputs) :], predicted)
            return *found[:5], flatten(found.H), flatten(found.K)

        formula.__wrapped__ = measurement.formula  # type: ignore[attr-defined]  # the source that is shown
        return formula_kernel(
            formula,
            module=measurement.module,
            name=name,
            title=f"Update of {self._errors} by all that {measurement.name} measures.",
            details=self._details(stated.LETTERS_OF_UPDATE),
            equation=block_updates.EQUATION,
            setting=stated.of_block_update(seen),
            requires=self._requires(inputs),
            failures=failures_of({Status.SINGULAR: block_updates.SINGULAR}),
            tolerance=16,
            as_written=True,
            inputs=(*inputs, *seen.given, self.covariance(P, "")),
            outputs=(self._correction, self.covariance("P_next", " after the measurement"), *seen.told),
            source=block_updates.SOURCE,
            definition=seen.definition,
        )

    def _whole(self, measurement: Kernel, variance: Arg) -> BlockMeasurement:
        rows = Linearised(measurement, tuple(self._own(measurement)))
        names = [n for a in measurement.outputs for n in a.scalar_names]
        each = (ScalarMeasurement(n, rows, i, self.arguments, DIFFERENCE) for i, n in enumerate(names))
        return BlockMeasurement(tuple(each), error_units.as_variance(variance))

    def _updates(
        self, measurement: Kernel, name: str, variance: Arg, innovation: Innovation
    ) -> tuple[Kernel, ...]:
        check_kernel(measurement, "an update")
        rows = Linearised(measurement, tuple(self._own(measurement)))
        names = [n for a in measurement.outputs for n in a.scalar_names]
        suffixes = [""] if len(names) == 1 else [f"_{n.rpartition('_')[2]}" for n in names]
        with naming(f"the update by {measurement.name}"):
            check_measurement(measurement, self.arguments)
            for a in measurement.outputs:
                innovation.check(a)
                error_units.check_variance(variance, a.name, scalar_units(a))
        units = [a.unit for a in measurement.outputs for _ in range(a.size)]
        return tuple(
            self._scalar_update(
                ScalarMeasurement(scalar, rows, i, self.arguments, innovation),
                name + suffix,
                variance,
                Arg("measured", REAL, unit, f"measured value of `{scalar}`"),
            )
            for i, (suffix, scalar, unit) in enumerate(zip(suffixes, names, units, strict=True))
        )

    def _own(self, measurement: Kernel) -> list[Arg]:
        """The inputs of a measurement that are states of the filter."""
        found = [a for a in measurement.inputs if a.name in self.states]
        if not found:
            raise FeatherError(f"{measurement.name} has no input of the states {', '.join(self.states)}")
        return found

    def _scalar_update(self, seen: ScalarMeasurement, name: str, variance: Arg, measured: Arg) -> Kernel:
        measurement, inputs = seen.rows.of, seen.inputs
        gate = Arg("gate", POSITIVE, "1", "largest innovation in standard deviations that is used")

        def formula(*values: Any) -> Any:
            value, R, limit, covariance = values[len(inputs) :]
            h = flatten(measurement.formula(*values[: len(inputs)]))[seen.index]  # type: ignore[misc]
            innovation = seen.innovation.of(value - h)
            H = seen.row(values[: len(inputs)])
            correction, elements, S, inside = self._kept.update(covariance, H, innovation, R, limit)
            return correction, from_upper(elements), innovation, S, select(inside, 1, 0)

        formula.__wrapped__ = measurement.formula  # type: ignore[attr-defined]  # the source that is shown
        row = in_blocks.of_measurement(seen.rows, seen.index, self.arguments)
        return formula_kernel(
            formula,
            module=measurement.module,
            name=name,
            title=f"Update of {self._errors} by the measured `{seen.name}` of {measurement.name}.",
            details=self._details(stated.LETTERS_OF_UPDATE),
            equation=stated.updated(self._kept, seen.innovation.equation),
            steps=stated.differentiated(
                stated.MEASUREMENT, stated.updated(self._kept, seen.innovation.equation, row)
            ),
            setting=stated.of_update(seen, variance, self._kept),
            requires=self._requires(inputs),
            failures=failures_of({Status.SINGULAR: SINGULAR}),
            tolerance=16,
            as_written=True,
            inputs=(*inputs, measured, variance, gate, self.covariance(P, "")),
            outputs=(
                self._correction,
                self.covariance("P_next", " after the measurement"),
                Arg("innovation", REAL, measured.unit, seen.innovation.doc),
                Arg("S", REAL, variance.unit, "variance of the innovation"),
                Arg("used", INTEGER, "1", "1 inside the gate, 0 outside"),
            ),
            **self._kept.correction(seen),
        )

    def correction(self, name: str) -> Kernel:
        """The kernel of the states with the correction that an update gives."""
        states = self.arguments

        def formula(*values: Any) -> Any:
            *estimates, error = values
            triples = zip(states, estimates, errors_of(states, flatten(error)), strict=True)
            found = tuple(corrected(s, x, d) for s, x, d in triples)
            return found if len(found) > 1 else found[0]

        formula.__wrapped__ = corrected  # type: ignore[attr-defined]  # the source that is shown
        return formula_kernel(
            formula,
            module=self.process.module,
            name=name,
            title=f"States of {self.process.name} with a correction of their errors.",
            equation=stated.corrections(states),
            source=SOLA.at("section 6"),
            inputs=(*states, self._correction),
            outputs=tuple(
                Arg(f"{s.name}_new", s.type, s.unit, f"{s.doc}, corrected", s.frame) for s in states
            ),
        )

    def covariance(self, name: str, when: str) -> Arg:
        """An argument of the covariance, or of its factors."""
        doc = f"{self._kept.meaning} of the errors of the states{when}: {self._order}"
        kind, unit = self._kept.kind(self.size), self._kept.unit(self.arguments)
        return Arg(name, kind, unit, f"{doc}; {self._kept.unit_rule}")

    @property
    def _correction(self) -> Arg:
        units = error_units.of_errors(self.arguments)
        return Arg("correction", Vector(self.size), units, f"error of the states: {self._order}")

    @property
    def _order(self) -> str:
        """The places of the states' errors, and their units: `p_N 0 to 2 [m], v_N 3 to 5 [m/s]`."""
        found = []
        for s, at in zip(self.arguments, error_places(self.arguments), strict=True):
            places = f"{at[0]} to {at[-1]}" if len(at) > 1 else str(at[0])
            found.append(f"{s.name} {places} [{error_units.of_state(s)}]")
        return ", ".join(found)

    @property
    def _errors(self) -> str:
        return f"the errors of {len(self.states)} states" if len(self.states) > 1 else "the errors of a state"

    def _details(self, letters: str) -> str:
        """What a comment says after its title: the letters of the equations, and the errors of attitudes."""
        turned = [s.name for s in self.arguments if is_attitude(s)]
        if not turned:
            return letters
        return (
            f"{letters} The error of {' and '.join(turned)} is a rotation vector in the right-hand frame: "
            "q = q_estimated exp(error)."
        )

    def _requires(self, inputs: Sequence[Arg]) -> str:
        """What a function with these inputs requires of them."""
        unit = [f"{a.name} is a unit quaternion" for a in inputs if is_attitude(a)]
        return "; ".join([*unit, self._kept.requires])
