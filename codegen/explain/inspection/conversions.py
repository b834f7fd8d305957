"""Finds conversions between the arguments of two kernels, and compares their results through these.

An argument of one kernel matches one of the other when name and type are the same, or when kernels of the
library convert one type into the other. Results are compared like the forms of a kernel in its proof, at
random points of the constraint set modulo random primes, else on 60 digits; rates by the derivative of a
conversion.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from codegen.frontends.define import jacobian
from codegen.ir.domain import drawn, floats
from codegen.ir.exploration import Way
from codegen.ir.program import Arg, Program
from codegen.ir.systems import F64, NumberSystem, multiprecision
from codegen.ir.types import Array, Component
from codegen.library import library
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Quaternion, UnitQuaternion
from codegen.proof.equivalence import Driven, compare
from codegen.proof.proof import NEARLY_ZERO, closed_form
from codegen.proof.thresholds import DIGITS

CONVERSIONS = (
    "quat_from_rpy", "dcm_from_rpy", "quat_to_dcm", "quat_from_mrp", "dcm_from_mrp", "mrp_from_quat",
    "quat_from_rotvec", "inertia_to_central", "central_to_inertia", "inertia_to_unit", "unit_to_inertia",
    "articulated_from_inertia",
)  # fmt: skip
"""Kernels that convert one form into another, without inverse functions, which a proof cannot decide."""

_POINTS = 3
"""Points at which results are compared on 60 digits."""

Route: TypeAlias = tuple[str, ...]
"""Names of conversions in the order of application; empty where none is necessary."""


class Agreement(NamedTuple):
    """A result of each kernel, the conversion through which they are compared, and the outcome.

    `found` is `proven`, `equal on 60 digits`, `different`, or empty where the other has no such result.
    """

    left: str
    right: str
    through: str
    found: str


@dataclass(frozen=True)
class Matching:
    """The conversions of one kernel's arguments into those of another; some may have no counterpart."""

    source: Kernel
    target: Kernel
    routes: dict[str, tuple[str, Route]]  # target's argument -> source's argument, conversions

    @property
    def conversions(self) -> list[str]:
        """The conversions that are used, each once."""
        return list(dict.fromkeys(name for _, route in self.routes.values() for name in route))


def route(source: Component, target: Component) -> Route | None:
    """The shortest chain of conversions from one type to another, if there is one."""
    waiting: list[tuple[Component, Route]] = [(source, ())]
    seen: list[Component] = []
    for kind, way in waiting:  # which grows meanwhile
        if _fits(kind, target):
            return way
        if kind not in seen:
            seen.append(kind)
            steps = (library()[name] for name in CONVERSIONS)
            waiting += [(k.outputs[0].type, (*way, k.name)) for k in steps if _fits(kind, k.inputs[0].type)]
    return None


def _fits(given: Component, wanted: Component) -> bool:
    if isinstance(given, type) and isinstance(wanted, type):
        return issubclass(given, wanted)
    return given == wanted


def matching(left: Kernel, right: Kernel) -> Matching | None:
    """The matching, in the direction that lets more results be compared; None where there is none."""
    found = [m for m in (_matching(left, right), _matching(right, left)) if m]
    return max(found, key=lambda m: sum(bool(row.left and row.right) for row in _pairs(m)), default=None)


def _matching(source: Kernel, target: Kernel) -> Matching | None:
    routes: dict[str, tuple[str, Route]] = {}
    for own_name in (True, False):
        for a in target.inputs:
            for b in source.inputs:
                used = any(b.name == name for name, _ in routes.values())
                way = route(b.type, a.type) if (a.name == b.name) is own_name and not used else None
                if way is not None and a.name not in routes:
                    routes[a.name] = (b.name, way)
    given = {name for name, _ in routes.values()}
    left_over = [b.name for b in source.inputs if b.name not in given]
    missing = [a.name for a in target.inputs if a.name not in routes]
    if (left_over and missing) or not routes:
        return None
    return Matching(source, target, routes)


def agreements(m: Matching) -> list[Agreement]:
    """Each result of the source beside that of the target, compared."""
    return [_compared(m, pair.left, pair.right) for pair in _pairs(m)]


class _Pair(NamedTuple):
    """A result of the source and the one of the target to compare it with, if there is one."""

    left: Arg | None
    right: Arg | None


def _pairs(m: Matching) -> list[_Pair]:
    others = list(m.target.outputs)
    pairs = []
    for out in m.source.outputs:
        same_name = [o for o in others if o.name == out.name]
        other = next((o for o in (*same_name, *others) if _through(m, out, o)), None)
        others = [o for o in others if o is not other]
        pairs.append(_Pair(out, other))
    return pairs + [_Pair(None, other) for other in others]


@dataclass(frozen=True)
class _Point:
    """A point at which both kernels run: the source's arguments by name, in a number system."""

    system: NumberSystem
    arguments: dict[str, list[Any]]


class _Bridge(NamedTuple):
    """A conversion of a result of the source into one of the target: its text, and its function."""

    words: str
    convert: Callable[[_Point, list[Any]], list[Any]]


def _through(m: Matching, out: Arg, other: Arg) -> list[_Bridge]:
    """The conversions of a result of the source into one of the target, the simplest first."""
    found = []
    way = route(out.type, other.type)
    if way is not None:
        found.append(_Bridge(", ".join(way), lambda point, values: _converted(way, point.system, values)))
    found += [
        _Bridge(f"derivative of {', '.join(conversion)}", _Rate(b, conversion))
        for a, (b, conversion) in m.routes.items()
        if conversion and _is_rate(out.name, b) and _is_rate(other.name, a)
    ]
    if out.type == other.type == Array((6, 6)):
        found.append(_Bridge("angular and linear exchanged", lambda _, values: _exchanged(values)))
    return found


def _is_rate(name: str, of: str) -> bool:
    return name.split("_")[0] == "d" + of.split("_")[0]


def _compared(m: Matching, out: Arg | None, other: Arg | None) -> Agreement:
    """The first conversion through which the results agree, else a finding that they differ."""
    if out is None or other is None:
        return Agreement(out.name if out else "", other.name if other else "", "", "")
    for bridge in _through(m, out, other):
        if found := _found(m, out, other, bridge):
            return Agreement(out.name, other.name, bridge.words, found)
    return Agreement(out.name, other.name, "", "different")


def _found(m: Matching, out: Arg, other: Arg, bridge: _Bridge) -> str:
    """The finding that the converted result equals the target's; empty if it does not."""
    free = [a for a in m.target.inputs if a.name not in m.routes]
    own = sum(a.size for a in m.source.inputs)
    programs = closed_form(m.source), closed_form(m.target)
    source, target = map(Driven, programs)

    def left(system: NumberSystem, scalars: Sequence[Any]) -> list[Any]:
        point = _Point(system, _split(m.source.inputs, scalars[:own]))
        results = source(system, scalars[:own])
        return bridge.convert(point, _split(m.source.outputs, results)[out.name])

    def right(system: NumberSystem, scalars: Sequence[Any]) -> list[Any]:
        given = _split(m.source.inputs, scalars[:own])
        arguments = _split(free, scalars[own:])
        for name, (origin, way) in m.routes.items():
            arguments[name] = _converted(way, system, given[origin])
        inputs = [x for a in m.target.inputs for x in arguments[a.name]]
        return _split(m.target.outputs, target(system, inputs))[other.name]

    inputs = [_unit(a) for a in (*m.source.inputs, *free)]
    subject = f"{m.conversions} {out.name} {other.name} {[p.nodes for p in programs]}"
    if compare(inputs, {"source": left, "target": right}, subject).proven:
        return "proven"
    return f"equal on {DIGITS} digits" if _equal_on_digits(inputs, left, right) else ""


def _unit(a: Arg) -> Arg:
    """The argument; the quaternion of an attitude is normalized."""
    return replace(a, type=UnitQuaternion) if a.type is Quaternion else a


def _equal_on_digits(inputs: Sequence[Arg], left: Way, right: Way) -> bool:
    """Whether both sides agree in high precision, where half angles and similar are evaluated."""
    system, source = multiprecision(F64, DIGITS), random.Random("comparison")
    for _ in range(_POINTS):
        point = [system.constant(Fraction(x)) for x in drawn(inputs, floats(source))]
        try:
            pairs = list(zip(left(system, point), right(system, point), strict=True))
        except (ArithmeticError, ValueError):  # a root or logarithm that is not real there
            return False
        if not all(abs(a - b) < NEARLY_ZERO * (1 + abs(a)) for a, b in pairs):
            return False
    return True


def _split(arguments: Iterable[Arg], scalars: Sequence[Any]) -> dict[str, list[Any]]:
    """The flattened scalars, argument by argument."""
    rest = iter(scalars)
    return {a.name: list(islice(rest, a.size)) for a in arguments}


def _converted(way: Route, system: NumberSystem, values: list[Any]) -> list[Any]:
    for name in way:
        values = Driven(closed_form(library()[name]))(system, values)
    return values


def _exchanged(matrix: list[Any]) -> list[Any]:
    """P M P, P = [[0, 1], [1, 0]] in blocks of three."""
    return [matrix[6 * ((i + 3) % 6) + (j + 3) % 6] for i in range(6) for j in range(6)]


@dataclass(frozen=True)
class _Rate:
    """Converts the rate of an argument of the source by the derivative of the argument's conversions."""

    argument: str
    way: Route

    def __call__(self, point: _Point, rate: list[Any]) -> list[Any]:
        place = point.arguments[self.argument]
        for name in self.way:
            matrix = Driven(_derivative(name))(point.system, place)
            rows = range(0, len(matrix), len(rate))
            rate = [sum((matrix[r + k] * x for k, x in enumerate(rate)), start=0 * rate[0]) for r in rows]
            place = _converted((name,), point.system, place)
        return rate


@cache
def _derivative(name: str) -> Program:
    """The derivative of a conversion, by CasADi."""
    k = library()[name]
    return jacobian(k, "derivative", [k.outputs[0].name], {"D": [k.inputs[0].name]}).program(False)
