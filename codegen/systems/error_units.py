"""The units of the errors of states and of their covariance, from those of the states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.types import POSITIVE, REAL
from codegen.modeling.quantities.units import PLAIN, Unit, parse, scalar_units
from codegen.modeling.types.algebra import Variances, Vec3
from codegen.systems.tangent import error_size, is_attitude

_UNKNOWN = "mixed"


def of_errors(states: Sequence[Arg]) -> str:
    """The unit of each component of the states' errors: rad for those of attitudes."""
    return _listed(_text(unit) for unit in _units(states))


def of_covariance(states: Sequence[Arg]) -> str:
    """The unit of all elements of the covariance of the errors; mixed where they differ."""
    first, *others = {*_units(states)}
    return _UNKNOWN if others or first is None else _text(first**2)


def of_state(state: Arg) -> str:
    """The unit of a state's error as the documentation of a covariance names it."""
    return "rad" if is_attitude(state) else state.unit


def check_variance(variance: Arg, of: str, units: Sequence[Unit | None]) -> None:
    """FeatherError unless a variance has the squares of the units of the scalars of `of`."""
    found = scalar_units(variance)
    check_squares(variance, found if len(found) > 1 else found * len(units), of, units)


def check_squares(variance: Arg, found: Sequence[Unit | None], of: str, units: Sequence[Unit | None]) -> None:
    """FeatherError unless the units that are found of variances are the squares of these."""
    for own, unit in zip(found, units, strict=True):
        if own is not None and unit is not None and own != unit**2:
            raise FeatherError(
                f"{variance.name} is the variance of {of}: its unit is {unit**2}, not {variance.unit}"
            )


def as_variance(variance: Arg) -> Arg:
    """The argument, of a type that is not negative where it declares no range."""
    is_vector, is_free = variance.type is Vec3, variance.range is None
    kind = Variances if is_vector else POSITIVE
    return replace(variance, type=kind) if is_free and (is_vector or variance.type == REAL) else variance


def _units(states: Sequence[Arg]) -> list[Unit | None]:
    return [unit for s in states for unit in ([PLAIN] * error_size(s) if is_attitude(s) else scalar_units(s))]


def _text(unit: Unit | None) -> str:
    """A unit as an argument states it; mixed where no text does."""
    if unit is None:
        return _UNKNOWN
    text = str(unit)
    try:
        return text if parse(text) == unit else _UNKNOWN
    except FeatherError:
        return _UNKNOWN


def _listed(units: Iterable[str]) -> str:
    """One unit for all, or that of each."""
    texts = list(units)
    return texts[0] if len(set(texts)) == 1 else "; ".join(texts)
