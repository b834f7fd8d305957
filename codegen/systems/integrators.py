"""One step of an ordinary differential equation, in formulas: explicit methods, on the group for attitudes.

The state is a list of values and their rates another. A unit quaternion is advanced by the exponential of a
rotation vector, so that it stays a unit quaternion: its rate is the angular velocity in its right-hand frame
(w_B for q_NB). Inputs are constant during the step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.types import Array, Scalar, flatten, scalars_of, value_of
from codegen.library.rotation.kernels import quat_multiply
from codegen.library.rotation_vector.kernels import quat_from_rotvec
from codegen.modeling.quantities.units import UNCHECKED
from codegen.modeling.types.algebra import UnitQuaternion, Vec3

Rates: TypeAlias = Callable[[Sequence[Any]], list[Any]]
"""States -> their rates at the inputs of the step."""

Method: TypeAlias = Callable[[Sequence[Arg], Sequence[Any], Rates, Scalar], list[Any]]
"""The states' arguments and values, their rates, and the length of the step -> the states after it."""


def euler(arguments: Sequence[Arg], states: Sequence[Any], rates: Rates, dt: Scalar) -> list[Any]:
    """Explicit Euler, of first order: x + dt f(x)."""
    return _moved(arguments, states, [_scaled(dt, k) for k in _rates(arguments, rates, states)])


def semi_implicit(arguments: Sequence[Arg], states: Sequence[Any], rates: Rates, dt: Scalar) -> list[Any]:
    """Semi-implicit (symplectic) Euler, of first order.

    The states are advanced in their order, each at the new values of those before it: velocities first.
    """
    advanced = list(states)
    for i, argument in enumerate(arguments):
        rate = _rates(arguments, rates, advanced)[i]
        advanced[i] = _advanced(argument, advanced[i], _scaled(dt, rate))
    return advanced


def rk4(arguments: Sequence[Arg], states: Sequence[Any], rates: Rates, dt: Scalar) -> list[Any]:
    """The classical Runge-Kutta method of fourth order; on the group without commutators.

    Celledoni, Marthinsen and Owren, Commutator-free Lie group methods, FGCS 19 (2003): for states without a
    unit quaternion it is the classical method.
    """
    half = dt / 2
    k1 = _rates(arguments, rates, states)
    second = _moved(arguments, states, [_scaled(half, k) for k in k1])
    k2 = _rates(arguments, rates, second)
    third = _moved(arguments, states, [_scaled(half, k) for k in k2])
    k3 = _rates(arguments, rates, third)
    fourth = [
        _advanced(a, y, _combined(dt, (1, c), (Fraction(-1, 2), b)))
        if _on_group(a)
        else _advanced(a, x, _scaled(dt, c))
        for a, x, y, b, c in zip(arguments, states, second, k1, k3, strict=True)
    ]
    k4 = _rates(arguments, rates, fourth)
    return [
        _fourth_order(a, x, dt / 6, stages)
        for a, x, *stages in zip(arguments, states, k1, k2, k3, k4, strict=True)
    ]


def _fourth_order(argument: Arg, state: Any, sixth: Scalar, stages: Sequence[list[Scalar]]) -> Any:
    """The state after the step, from the rates of the four stages."""
    a, b, c, d = stages
    if not _on_group(argument):
        return _advanced(argument, state, _combined(sixth, (1, a), (2, _sum(b, c)), (1, d)))
    more, less = Fraction(3, 2), Fraction(-1, 2)
    middle = _sum(b, c)
    halfway = _advanced(argument, state, _combined(sixth, (more, a), (1, middle), (less, d)))
    return _advanced(argument, halfway, _combined(sixth, (less, a), (1, middle), (more, d)))


METHODS: Mapping[str, Method] = {"euler": euler, "semi_implicit": semi_implicit, "rk4": rk4}
"""The integrators by name."""


def rate_size(state: Arg) -> int:
    """Number of scalars of a state's rate: an angular velocity has three."""
    return 3 if _on_group(state) else state.size


def rate_of(state: Arg) -> Arg:
    """The rate of a state as a result: of a quaternion, the angular velocity."""
    name, shape = f"rate_{state.name}", Array((rate_size(state),))
    if _on_group(state):
        body = state.frame.partition(" to ")[0]
        return Arg(name, shape, "rad/s", f"angular velocity, which turns {state.name}", body)
    unit = state.unit if state.unit in UNCHECKED else "; ".join(map(_per_second, state.unit.split(";")))
    return Arg(name, shape, unit, f"rate of {state.name}", state.frame)


def _per_second(unit: str) -> str:
    text = unit.strip()
    if text.endswith(" s"):
        return text.removesuffix(" s")
    return f"{text}^2" if text.endswith("/s") else f"{text}/s"


def _on_group(argument: Arg) -> bool:
    return isinstance(argument.type, type) and issubclass(argument.type, UnitQuaternion)


def _rates(arguments: Sequence[Arg], rates: Rates, states: Sequence[Any]) -> list[list[Scalar]]:
    """The scalars of each state's rate; FeatherError when there are too few or too many."""
    found = []
    for argument, rate in zip(arguments, rates(states), strict=True):
        scalars = flatten(rate)
        wanted = rate_size(argument)
        if len(scalars) != wanted:
            what = "its angular velocity, a Vec3" if _on_group(argument) else f"{wanted} scalars"
            raise FeatherError(f"the rate of state {argument.name} has {len(scalars)} scalars: return {what}")
        found.append(scalars)
    return found


def _moved(arguments: Sequence[Arg], states: Sequence[Any], increments: Sequence[list[Scalar]]) -> list[Any]:
    return [_advanced(a, x, d) for a, x, d in zip(arguments, states, increments, strict=True)]


def _advanced(argument: Arg, state: Any, increment: list[Scalar]) -> Any:
    """The state plus an increment; a unit quaternion times the exponential of a rotation vector."""
    if _on_group(argument):
        return quat_multiply(state, quat_from_rotvec(Vec3(*increment)))
    pairs = zip(scalars_of(argument.type, state), increment, strict=True)
    return value_of(argument.type, [x + d for x, d in pairs])


def _scaled(factor: Scalar, rate: list[Scalar]) -> list[Scalar]:
    return [factor * x for x in rate]


def _sum(a: list[Scalar], b: list[Scalar]) -> list[Scalar]:
    return [x + y for x, y in zip(a, b, strict=True)]


def _combined(factor: Scalar, *terms: tuple[Any, list[Scalar]]) -> list[Scalar]:
    """factor * sum of weight * rate."""
    rows = zip(*(rate for _, rate in terms), strict=True)
    weights = [weight for weight, _ in terms]
    return [factor * sum(_weighted(w, x) for w, x in zip(weights, row, strict=True)) for row in rows]


def _weighted(weight: Any, x: Scalar) -> Scalar:
    return x if weight == 1 else weight * x
