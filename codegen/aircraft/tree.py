"""Formulas of aircraft files as trees, and their values on scalars of any kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, TypeAlias

from codegen.errors import FeatherError
from codegen.ir.operations import Op
from codegen.ir.systems import apply, system_of
from codegen.ir.types import Scalar
from codegen.modeling.tables.table import Table
from codegen.modeling.types.scalar import (
    absolute,
    acos,
    asin,
    atan,
    atan2,
    ceil,
    cos,
    every,
    exp,
    floor,
    fmod,
    log,
    maximum,
    minimum,
    power,
    select,
    sin,
    some,
    sqrt,
    tan,
)


@dataclass(frozen=True)
class Number:
    """A number of the file."""

    value: Fraction


@dataclass(frozen=True)
class Variable:
    """An input, by its name."""

    name: str


@dataclass(frozen=True)
class Lookup:
    """A table at its coordinates."""

    table: Table
    coordinates: tuple[Node, ...]


@dataclass(frozen=True)
class Operation:
    """An operation on other formulas, by the name of its XML element."""

    name: str
    parts: tuple[Node, ...]


Node: TypeAlias = Number | Variable | Lookup | Operation

LookUp: TypeAlias = Callable[[Table, Sequence[Scalar]], Scalar]
"""How a table is looked up at coordinates."""


def product(*factors: Node) -> Operation:
    """The product of formulas."""
    return Operation("product", factors)


def checked(name: str, parts: Sequence[Node]) -> Operation:
    """An operation; FeatherError when it is unknown here, or cannot have so many parts."""
    if name not in _PARTS:
        raise FeatherError(f"<{name}> cannot be read; what can is {', '.join(sorted(_PARTS))}")
    least, most = _PARTS[name]
    if not least <= len(parts) <= most:
        wanted = (
            str(least) if least == most else f"at least {least}" if most == _ANY else f"{least} to {most}"
        )
        raise FeatherError(f"<{name}> has {len(parts)} parts, but takes {wanted}")
    if name in ("toradians", "todegrees"):
        pi, turn = Operation("pi", ()), Number(Fraction(180))
        scale = (pi, turn) if name == "toradians" else (turn, pi)
        return product(*parts, Operation("quotient", scale))
    return Operation(name, tuple(parts))


class Values:
    """The values of formulas at given inputs; a formula that is met again keeps its value."""

    def __init__(self, inputs: Mapping[str, Scalar], look_up: LookUp) -> None:
        self._inputs, self._look_up = inputs, look_up
        self._system = system_of(tuple(inputs.values()))
        self._known: dict[int, tuple[Node, Scalar]] = {}

    def of(self, node: Node) -> Scalar:
        """The value of a formula."""
        if id(node) not in self._known:
            self._known[id(node)] = node, self._computed(node)
        return self._known[id(node)][1]

    def _computed(self, node: Node) -> Scalar:
        if isinstance(node, Number):
            return self._system.constant(node.value)
        if isinstance(node, Variable):
            return self._inputs[node.name]
        if isinstance(node, Lookup):
            return self._look_up(node.table, [self.of(x) for x in node.coordinates])
        if node.name in CONDITIONS:
            return select(self._condition(node), 1, 0)
        if node.name == "pi":
            return self._system.named("pi")
        if node.name == "ifthen":
            choice, then, otherwise = node.parts
            return select(self._condition(choice), self.of(then), self.of(otherwise))
        if node.name == "pow":
            return self._power(*node.parts)
        return _NUMBERS[node.name][2](*map(self.of, node.parts))

    def _power(self, base: Node, exponent: Node) -> Scalar:
        """A power: by products and a root where it is a small multiple of 1/2, else by logarithms."""
        x = self.of(base)
        if not isinstance(exponent, Number) or not _is_by_products(exponent.value):
            return exp(self.of(exponent) * log(x))
        n = exponent.value
        return power(x, int(n)) if n.denominator == 1 else power(sqrt(x), int(2 * n))

    def _condition(self, node: Node) -> Any:
        """A formula as a condition: any number but 0 is true."""
        if not isinstance(node, Operation) or node.name not in CONDITIONS:
            return apply(Op.LT, _TRUE, absolute(self.of(node)))
        meaning = CONDITIONS[node.name][2]
        if node.name in _OF_CONDITIONS:
            return meaning(*map(self._condition, node.parts))
        return meaning(*map(self.of, node.parts))


_ANY = 10**6
_TRUE = Fraction(1, 10**9)


def _is_by_products(exponent: Fraction) -> bool:
    """Whether a power is computed from products, and perhaps a square root, of its base."""
    return abs(exponent) <= 16 and (2 * exponent).denominator == 1


def _truncated(x: Scalar) -> Scalar:
    """The whole number of x towards zero."""
    return select(apply(Op.LT, x, 0), ceil(x), floor(x))


_Rule: TypeAlias = tuple[int, int, Callable[..., Any]]
"""The least and the largest number of parts of an operation, and its meaning."""

_OF_CONDITIONS = ("and", "or", "not")

CONDITIONS: Mapping[str, _Rule] = {
    "lt": (2, 2, lambda a, b: apply(Op.LT, a, b)),
    "le": (2, 2, lambda a, b: apply(Op.LE, a, b)),
    "gt": (2, 2, lambda a, b: apply(Op.LT, b, a)),
    "ge": (2, 2, lambda a, b: apply(Op.LE, b, a)),
    "eq": (2, 2, lambda a, b: every(apply(Op.LE, a, b), apply(Op.LE, b, a))),
    "nq": (2, 2, lambda a, b: some(apply(Op.LT, a, b), apply(Op.LT, b, a))),
    "and": (2, _ANY, every),
    "or": (2, _ANY, some),
    "not": (1, 1, lambda a: apply(Op.NOT, a)),
}
"""The operations that are 1 where a condition holds, else 0."""

_NUMBERS: Mapping[str, _Rule] = {
    "sum": (1, _ANY, lambda *parts: reduce(lambda a, b: a + b, parts)),
    "product": (1, _ANY, lambda *parts: reduce(lambda a, b: a * b, parts)),
    "difference": (1, _ANY, lambda *parts: reduce(lambda a, b: a - b, parts)),
    "quotient": (2, 2, lambda a, b: a / b),
    "avg": (1, _ANY, lambda *parts: reduce(lambda a, b: a + b, parts) / len(parts)),
    "min": (1, _ANY, minimum),
    "max": (1, _ANY, maximum),
    "sqrt": (1, 1, sqrt),
    "exp": (1, 1, exp),
    "ln": (1, 1, log),
    "abs": (1, 1, absolute),
    "sign": (1, 1, lambda x: select(apply(Op.LT, x, 0), -1, 1)),
    "sin": (1, 1, sin),
    "cos": (1, 1, cos),
    "tan": (1, 1, tan),
    "asin": (1, 1, asin),
    "acos": (1, 1, acos),
    "atan": (1, 1, atan),
    "atan2": (2, 2, atan2),
    "floor": (1, 1, floor),
    "ceil": (1, 1, ceil),
    "integer": (1, 1, _truncated),
    "fraction": (1, 1, lambda x: x - _truncated(x)),
    "fmod": (2, 2, fmod),
}
"""The operations whose result is a number, by the values of their parts."""

_SPECIAL: Mapping[str, tuple[int, int]] = {
    "pow": (2, 2), "ifthen": (3, 3), "pi": (0, 0), "toradians": (1, 1), "todegrees": (1, 1),
}  # fmt: skip
"""The least and the largest number of parts of operations whose meaning depends on the parts' form."""

_PARTS: Mapping[str, tuple[int, int]] = {
    **_SPECIAL,
    **{name: rule[:2] for name, rule in {**CONDITIONS, **_NUMBERS}.items()},
}
"""The least and the largest number of parts of every operation."""
