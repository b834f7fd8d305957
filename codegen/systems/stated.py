"""The equations of a filter, in the notation, and what their letters stand for.

The derivatives are taken of the formulas of its process and measurements, by the rules of calculus, whatever
the code does: xi is the error of the states after a step, h a predicted measurement, and delta the error of
the states that both are differentiated by, as they are by the noise n_k.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from codegen.ir.program import Arg
from codegen.library.shared.works import SOLA
from codegen.modeling.steps import Step
from codegen.notation.blocks import Block, column, scalar
from codegen.notation.families import Setting
from codegen.systems.block_updates import BlockMeasurement
from codegen.systems.covariance import Covariance, ScalarMeasurement
from codegen.systems.tangent import Linearised, error_places, is_attitude, zeros

_DERIVATIVES = "F = jacobian(xi, delta); G_k = jacobian(xi, n_k)"
_NOISE = "sum_k(G_k diag(Q_k) G_k^T)"


def predicted(kept: Covariance) -> str:
    """The equations of a prediction."""
    return f"{kept.predicted} + {_NOISE}; {_DERIVATIVES}"


def predicted_by(kept: Covariance, noise: int, matrices: str) -> str:
    """The same with the equations of F and of so many matrices G_k."""
    terms = [kept.predicted, *(f"G_{k} diag(Q_{k}) G_{k}^T" for k in range(1, noise + 1))]
    return f"{' + '.join(terms)}; {matrices}"


def updated(kept: Covariance, innovation: str, row: str = "H = jacobian(h, delta)") -> str:
    """The equations of an update, with this innovation and the equation of H."""
    return f"{kept.updated}; innovation = {innovation}; {row}"


PROCESS = "Differentiate the process by the errors of the states and by the noise"
MEASUREMENT = "Differentiate the measurement by the errors of the states"


_BY_CALCULUS = "the states are independent of each other; where elements are long, a block stays a derivative"
_CALCULUS = SOLA.at("section 5")


def differentiated(title: str, equation: str) -> tuple[Step, ...]:
    """The step of a derivation that writes the matrices of derivatives out."""
    return (Step(title, equation, _BY_CALCULUS, _CALCULUS, kind="formula"),)


LETTERS_OF_UPDATE = "`h` is the measurement that the states predict, `delta` the error of the states."
"""What the equations of an update leave to words."""


def letters_of_prediction(noise: Sequence[Arg], variances: Sequence[Arg], at: str) -> str:
    """What the equations of a prediction leave to words: the errors, the number of each noise, and where."""
    pairs = enumerate(zip(noise, variances, strict=True), 1)
    numbered = [f"`n_{k}` is {n.name}, with the variances `Q_{k}` = {q.name}" for k, (n, q) in pairs]
    errors = "`delta` is the error of the states before the step, `xi` the one after it"
    return " ".join(filter(None, [f"{'; '.join([errors, *numbered])}.", at]))


_LETTERS = re.compile("F|H|K|S|D|U|P|h|xi|delta|[GQnE]_[0-9]+")
"""What the equations of a filter define, or what stands for something else than an argument in them."""


def _seen(given: Mapping[str, Block]) -> dict[str, Block]:
    """The arguments that equations may call by their names."""
    return {name: value for name, value in given.items() if not _LETTERS.fullmatch(name)}


def of_prediction(step: Linearised, variances: Sequence[Arg], kept: Covariance) -> Setting:
    """What the equations of a prediction are about."""

    def values(given: Mapping[str, Block]) -> dict[str, Block]:
        scalars = {a.name: _scalars(given, a) for a in step.inputs}
        after, error, noise = step.traced(scalars)
        found = {**_seen(given), "xi": column(after), "delta": column(error)}
        for k, (n, variance) in enumerate(zip(noise, variances, strict=True), 1):
            found |= {f"n_{k}": column(n), f"Q_{k}": column(_scalars(given, variance))}
        return found | kept.letters(given)

    return Setting(values, ranges={"k": range(1, len(variances) + 1)}, hidden=True)


def of_update(seen: ScalarMeasurement, variance: Arg, kept: Covariance) -> Setting:
    """What the equations of an update by one scalar of a measurement are about."""
    rows = seen.rows

    def values(given: Mapping[str, Block]) -> dict[str, Block]:
        results, error, _ = rows.traced({a.name: _scalars(given, a) for a in rows.inputs})
        variances = {"S": given["S"]} if "S" in given else {}
        return {
            **_seen(given),
            **variances,
            "h": scalar(results[seen.index]),
            "R": given[variance.name],
            "delta": column(seen.of_all(error, zeros)),
            **kept.letters(given),
        }

    return Setting(values, hidden=True)


def of_block_update(seen: BlockMeasurement) -> Setting:
    """What the equations of an update by a whole measurement are about."""
    rows = seen.scalars[0].rows

    def values(given: Mapping[str, Block]) -> dict[str, Block]:
        results, error, _ = rows.traced({a.name: _scalars(given, a) for a in rows.inputs})
        R = seen.covariance(_scalars(given, seen.variance))
        return {
            **_seen(given),
            "h": column(results),
            "R": Block(tuple(map(tuple, R))),
            "delta": column(seen.scalars[0].of_all(error, zeros)),
            "P": given["P"],
        }

    return Setting(values, hidden=True)


def corrections(states: Sequence[Arg]) -> str:
    """The equations of states with a correction, one or two for each."""
    found = []
    for s, places in zip(states, error_places(states), strict=True):
        part = part_of("correction", places)
        if is_attitude(s):
            d, t = f"d_{places.start}", f"theta_{places.start}"
            turn = f"[cos({t} / 2), sin({t} / 2) {d} / {t}]"
            found.append(f"{s.name}_new = {s.name} (x) {turn}; {t} = |{d}|; {d} = {part}")
        else:
            found.append(f"{s.name}_new = {s.name} + {part}")
    return "; ".join(found)


def part_of(name: str, places: range) -> str:
    """The part of a column at these places."""
    return f"{name}[{places.start}:{places.stop}]" if len(places) > 1 else f"{name}[{places.start}]"


def _scalars(given: Mapping[str, Block], a: Arg) -> list[object]:
    return list(given[a.name].scalars) if a.name in given else [0] * a.size
