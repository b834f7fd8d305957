"""Bounds on the round-off of a function at many points: a running error analysis.

After Wilkinson, The Algebraic Eigenvalue Problem (1965); but an operation counts with the sizes
of its terms, not with that of its result, so that the bound holds for any order of the same operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from codegen.ir.arrays import Constants, Listed
from codegen.ir.operations import LIBM, Op
from codegen.review.diff.numbers.arithmetic import Itself, Points, Run, values_within
from codegen.review.diff.numbers.protected import Protected, Range, protected
from codegen.review.diff.reading import Held, Reading

_ROOM = 2.0**-12
"""Sizes beyond this share of the largest number may overflow in another order of the operations.

Those below its reciprocal may underflow.
"""

MULTIPLE = 64.0
"""Two forms of the same mathematics differ by less than so many times the bound of the old one."""

_LIBM_UNITS = 4.0
"""A function of <math.h> is off by less than so many half units in the last place."""


class Bound(NamedTuple):
    """How far a value is off at most, at each point, and the size of its terms.

    Of a value that is not finite, and of a truth, the error is 0 if it is certain, else infinity.
    """

    error: Any
    size: Any


class Bounds(NamedTuple):
    """The bounds of all nodes, and the points at which nothing comes close to overflow or to underflow."""

    nodes: Sequence[Bound]
    has_room: Any
    is_normal: Any


class _Operand(NamedTuple):
    value: Any
    error: Any
    size: Any


def bounds(reading: Reading, found: Run, points: Points) -> Bounds:
    """The bounds of the values that a function has at some points."""
    found, limits = _within(reading, found, points), protected(Itself(reading))
    values = _in_doubles(found, points)
    nodes = _followed(reading, found, points, _UNIT, _RULES, limits, lambda op, bound, value: bound.size)
    has_room, is_normal = (np.ones(points.shape[1], dtype=bool) for _ in range(2))
    with np.errstate(all="ignore"):
        for value, node, bound, held in zip(values, reading.program.nodes, nodes, reading.held, strict=True):
            if held in _UNIT and node.op is not Op.CONSTANT:  # a threshold may be the largest number
                certain = (bound.error == 0) & ~np.isfinite(value)
                has_room &= certain | (bound.size < _MOST[held] * _ROOM)
                is_normal &= (value == 0) | ~(np.abs(value) < 1 / (_MOST[held] * _ROOM))
        for i, (high, low) in _products(reading, values, nodes).items():
            limit = np.log2(_MOST[reading.held[i]] * _ROOM)
            has_room &= (high < limit) | ~np.isfinite(values[i])
            is_normal &= (low > -limit) | ~np.isfinite(values[i])
    return Bounds(nodes, has_room, is_normal)


def _products(reading: Reading, values: Sequence[Any], nodes: Sequence[Bound]) -> dict[int, tuple[Any, Any]]:
    """For products and quotients, the largest and smallest size in any order of the factors, as logarithms.

    A factor that is zero counts as 1: other factors may be multiplied before it.
    """
    found = dict[int, tuple[Any, Any]]()
    for i, (op, args, _) in enumerate(reading.program.nodes):
        if op not in (Op.MUL, Op.DIV) or reading.held[i] not in _UNIT:
            continue
        sizes = [found.get(a) or _logarithms(np.abs(values[a]), nodes[a].size) for a in args]
        (high, low), (above, below) = sizes
        found[i] = (high + above, low + below) if op is Op.MUL else (high - below, low - above)
    return found


def _logarithms(value: Any, size: Any) -> tuple[Any, Any]:
    """The binary logarithms of the size of a value's terms, from 0 upwards, and of the value, from 0 down.

    What is infinite counts as 1: it is so in any order.
    """
    high, low = (np.log2(np.where((x > 0) & np.isfinite(x), x, 1.0)) for x in (size, value))
    return np.maximum(high, 0.0), np.minimum(low, 0.0)


def own_errors(reading: Reading, found: Run, points: Points, multiple: float) -> Any:
    """Bounds on the errors of the results for the function's order; `multiple` scales the unit round-off."""
    found, limits = _within(reading, found, points), protected(Itself(reading))
    units = _scaled(multiple)
    own = _followed(reading, found, points, units, _RULES, limits, lambda op, bound, value: np.abs(value))
    return _of_results(reading, points, {node: own[node].error for node in reading.program.results})


def bounds_of_sums(reading: Reading, found: Run, points: Points) -> Sequence[Bound]:
    """The bounds for any order of the terms of each sum, with the multiple of the unit round-off.

    x*y - x*z is x*(y - z) in another order; x*x - 2*x*y + y*y is no other order of (x - y)*(x - y).
    """
    return _followed(
        reading,
        _within(reading, found, points),
        points,
        _scaled(MULTIPLE),
        {
            **_RULES,
            **_jumps(1.0),
            Op.MUL: _product_of_values,
            Op.LT: _comparison_of_bounds,
            Op.LE: _comparison_of_bounds,
        },
        protected(Itself(reading)),
        lambda op, bound, value: bound.size if op in _SUMS else np.abs(value),
    )


def errors_as_decided(reading: Reading, found: Run, points: Points) -> Any:
    """The multiple of the round-off that results may have for any order, if all conditions stay as they are.

    It is infinite where that of a divisor or of the operand of a root may be as large as the value, though it
    may be protected.
    """
    rules = {**_RULES, Op.SELECT: _as_decided}
    nodes = _followed(reading, found, points, _UNIT, rules, {}, lambda op, bound, value: bound.size)
    with np.errstate(all="ignore"):
        slacks = {node: MULTIPLE * slack(reading.held[node], nodes[node]) for node in reading.program.results}
    return _of_results(reading, points, slacks)


def are_usual(reading: Reading, found: Run) -> Any:
    """At which points no number comes close to overflow or underflow, in the function's order.

    What is no number, as the root of a negative one, does neither.
    """
    usual = np.ones(found.results.shape[1], dtype=bool)
    with np.errstate(all="ignore"):
        for value, node, held in zip(found.values, reading.program.nodes, reading.held, strict=True):
            if held in _UNIT and node.op is not Op.CONSTANT:
                size, most = np.abs(value), _MOST[held] * _ROOM
                is_zero = size == 0
                if node.op in (Op.MUL, Op.DIV):  # else it has vanished
                    a, b = (np.equal(found.values[operand], 0) for operand in node.args)
                    is_zero &= a | b
                usual &= np.isnan(size) | (size < most) & ((size > 1 / most) | is_zero)
    return usual


def _of_results(reading: Reading, points: Points, of_nodes: Mapping[int, Any]) -> Any:
    """What is known of the results, row by row."""
    errors = [of_nodes[node] for node in reading.program.results]
    return np.array(errors, dtype=np.float64).reshape(len(errors), points.shape[1])


def _scaled(multiple: float) -> Mapping[Held, float]:
    return {held: multiple * unit for held, unit in _UNIT.items()}


def _in_doubles(found: Run, points: Points) -> Sequence[Any]:
    """The values of all nodes at all points; an array has none."""
    numbers = [0.0 if isinstance(v, (Constants, Listed)) else v for v in found.values]
    return [np.broadcast_to(np.asarray(v, np.float64), points.shape[1]) for v in numbers]


def _followed(
    reading: Reading,
    found: Run,
    points: Points,
    units: Mapping[Held, float],
    rules: Mapping[Op, Callable[..., Bound]],
    limits: Mapping[int, Protected],
    size: Callable[[Op, Bound, Any], Any],
) -> list[Bound]:
    """The bounds of all nodes; operands stay within `limits`, and `size` gives that of a node's terms."""
    nodes, values = list[Bound](), _in_doubles(found, points)
    with np.errstate(all="ignore"):
        for i, (node, held) in enumerate(zip(reading.program.nodes, reading.held, strict=True)):
            operands = [_Operand(values[a], *nodes[a]) for a in node.args]
            rule: Callable[..., Bound] = rules.get(node.op, _leaf)
            array = [found.values[a] for a in node.args[:1] if node.op in (Op.CELL, Op.ENTRY)]
            bound = rule(values[i], *array, *operands)
            if i in limits:
                kept = _kept(node.op, values[i], operands, limits[i].range, bound, _MOST.get(held, np.inf))
                counts = limits[i].counts(values)
                bound = Bound(*(np.where(counts, x, y) for x, y in zip(kept, bound, strict=True)))
            bound = bound._replace(size=size(node.op, bound, values[i]))
            if node.op in _ARITHMETIC:
                margin = MULTIPLE * _UNIT[held] / units[held]  # which scaled units have already
                bound = _rounded(node.op, values[i], operands, bound, units[held], _TINY[held], margin)
            nodes.append(bound)
    return nodes


_UNIT = {held: float(np.finfo(kind).eps) / 2 for held, kind in ((Held.FLOAT, "f4"), (Held.DOUBLE, "f8"))}
_MOST = {Held.FLOAT: float(np.finfo("f4").max), Held.DOUBLE: float(np.finfo("f8").max)}
_TINY = {Held.FLOAT: 2.0**-149, Held.DOUBLE: 5e-324}


def _within(reading: Reading, found: Run, points: Points) -> Run:
    """The values of all nodes, where those that a guard protects are computed as if it held."""
    nodes, limits = reading.program.nodes, protected(Itself(reading))
    operands = {i: np.asarray(found.values[nodes[i].args[-1]]) for i in limits}
    if all(np.all(limit.range.holds(operands[i])) for i, limit in limits.items()):
        return found

    def moved(limit: Protected) -> Callable[[Any], Any]:
        return lambda x: np.where(limit.counts(found.values), limit.range.moved(x), x)

    values = values_within(reading, points, {i: moved(limit) for i, limit in limits.items()})
    return Run(values, found.results, found.status)


def _kept(op: Op, value: Any, operands: Sequence[_Operand], limit: Range, bound: Bound, most: float) -> Bound:
    """The bound of an operation whose operand stays on its domain, so that the value is a number.

    A quotient may have any one, and none if it may overflow where little is left of its divisor.
    """
    a = operands[-1]
    if op is Op.DIV:
        has_room = np.isfinite(value) & (operands[0].size < most * _ROOM * _LEFT * a.error)
        error = np.where(has_room, np.minimum(bound.error, _ANY), bound.error)
        return Bound(error, np.where(np.isfinite(bound.size), bound.size, np.abs(value)))
    function = _MONOTONE[op]
    ends = (np.clip(x, limit.low, limit.high) for x in (a.value - a.error, a.value + a.error))
    spread = np.max([np.abs(function(x) - value) for x in ends], axis=0)
    spread = np.where(np.isfinite(spread), spread, np.where(np.isfinite(a.error), _ANY, np.inf))
    return bound._replace(error=np.minimum(bound.error, spread))


_ANY, _LEFT = 1e300, 2.0**-12
"""The error of a number that may be any one, and the part of its error that a difference still is."""

_MONOTONE: Mapping[Op, Callable[[Any], Any]] = {
    Op.SQRT: np.sqrt, Op.LOG: np.log, Op.LOG1P: np.log1p, Op.ASIN: np.arcsin, Op.ACOS: np.arccos,
}  # fmt: skip


def slack(held: Held, bound: Bound) -> Any:
    """The round-off of a value with that of one more operation."""
    return bound.error + _UNIT.get(held, 0.0) * bound.size + _TINY.get(held, 0.0)


# What an operation makes of the errors of its operands


def _leaf(value: Any) -> Bound:
    return Bound(np.zeros(value.shape), np.abs(value))


def _sum(value: Any, a: _Operand, b: _Operand) -> Bound:
    return Bound(a.error + b.error, a.size + b.size)


def _product(value: Any, a: _Operand, b: _Operand) -> Bound:
    spread = [np.where(e == 0, 0.0, s * e) for s, e in ((a.size, b.error), (b.size, a.error))]
    return Bound(spread[0] + spread[1] + a.error * b.error, a.size * b.size)


def _product_of_values(value: Any, a: _Operand, b: _Operand) -> Bound:
    """The bound of a product whose factors keep the digits that they have."""
    spread = [np.where(e == 0, 0.0, np.abs(v) * e) for v, e in ((a.value, b.error), (b.value, a.error))]
    return Bound(spread[0] + spread[1] + a.error * b.error, np.abs(value))


def _quotient(value: Any, a: _Operand, b: _Operand) -> Bound:
    least = np.abs(b.value) * (1 - _OWN) - b.error
    spread = (a.error + np.where(b.error == 0, 0.0, np.abs(value) * b.error)) / least
    return Bound(np.where(least > 0, spread, np.inf), a.size / np.abs(b.value))


_OWN = 4 * float(np.finfo(np.float64).eps)
"""The round-off of bounds, which are calculated in double."""


def _same(value: Any, a: _Operand) -> Bound:
    return Bound(a.error, a.size)


def _function(slope: Callable[[Any, _Operand], Any]) -> Callable[[Any, _Operand], Bound]:
    """The bound of a function; `slope` is its steepest slope between the operand's bounds."""

    def rule(value: Any, a: _Operand) -> Bound:
        return Bound(np.where(a.error == 0, 0.0, a.error * slope(value, a)), np.abs(value))

    return rule


def _root_slope(value: Any, a: _Operand) -> Any:
    return np.where(a.value > a.error, 1 / value, np.inf)


def _tangent_slope(value: Any, a: _Operand) -> Any:
    steep = 1 + value * value
    return np.where(a.error * steep < 0.1, 2 * steep, np.inf)


def _arc_slope(value: Any, a: _Operand) -> Any:
    furthest = np.abs(a.value) + a.error
    return np.where(furthest < 1, 1 / np.sqrt(1 - furthest * furthest), np.inf)


def _log_slope(value: Any, a: _Operand) -> Any:
    return np.where(a.value > a.error, 1 / (a.value - a.error), np.inf)


def _log1p_slope(value: Any, a: _Operand) -> Any:
    return np.where(a.value + 1 > a.error, 1 / (1 + a.value - a.error), np.inf)


def _angle(value: Any, y: _Operand, x: _Operand) -> Bound:
    error = y.error + x.error
    nearest = np.hypot(y.value, x.value) - error
    other = (nearest <= 0) | ((x.value <= x.error) & (np.abs(y.value) <= y.error) & (y.error > 0))
    spread = np.where(other, np.inf, error / nearest)
    return Bound(np.where(error == 0, 0.0, spread), np.abs(value))


def _choice(value: Any, c: _Operand, a: _Operand, b: _Operand) -> Bound:
    """Either side, where the condition is not certain."""
    chosen = [np.where(c.value != 0, x, y) for x, y in ((a.error, b.error), (a.size, b.size))]
    either = np.abs(a.value - b.value) + np.maximum(a.error, b.error)
    either = np.where(np.isnan(either), np.inf, either)
    certain = c.error == 0
    return Bound(
        np.where(certain, chosen[0], either), np.where(certain, chosen[1], np.maximum(a.size, b.size))
    )


def _as_decided(value: Any, c: _Operand, a: _Operand, b: _Operand) -> Bound:
    """The side that is chosen."""
    return Bound(*(np.where(c.value != 0, x, y) for x, y in ((a.error, b.error), (a.size, b.size))))


def _comparison(value: Any, a: _Operand, b: _Operand) -> Bound:
    return _compared(value, a, b, MULTIPLE * (a.error + b.error))


def _comparison_of_bounds(value: Any, a: _Operand, b: _Operand) -> Bound:
    """The bound of a comparison where the unit round-off of all operations has its multiple already."""
    return _compared(value, a, b, a.error + b.error)


def _compared(value: Any, a: _Operand, b: _Operand, error: Any) -> Bound:
    certain = (error == 0) | (np.abs(a.value - b.value) > error)
    for x in (a, b):
        certain |= np.isnan(x.value) & (x.error == 0)
    return Bound(np.where(certain, 0.0, np.inf), np.zeros(value.shape))


def _both(decides: bool) -> Callable[[Any, _Operand, _Operand], Bound]:
    """The bound of && or ||: one operand that `decides` is enough."""

    def rule(value: Any, a: _Operand, b: _Operand) -> Bound:
        certain = (a.error == 0) & (b.error == 0)
        for x in (a, b):
            certain |= ((x.value != 0) == decides) & (x.error == 0)
        return Bound(np.where(certain, 0.0, np.inf), np.zeros(value.shape))

    return rule


def _jumps(margin: float) -> Mapping[Op, Callable[..., Bound]]:
    """The bounds of whole numbers, which are uncertain where errors so many times larger lead to another."""

    def cell(value: Any, array: Constants, _: _Operand, x: _Operand) -> Bound:
        """The index of a cell: uncertain where the number may be on the other side of a node."""
        inner = np.array([float(node) for node in array.values[1:-1]])
        nearest = np.abs(x.value[:, None] - inner).min(axis=1, initial=np.inf)
        return Bound(np.where((x.error == 0) | (nearest > margin * x.error), 0.0, 1.0), np.abs(value))

    def step(value: Any, x: _Operand, last: _Operand) -> Bound:
        """The whole part of a number: uncertain where the number may be on the other side of a whole one."""
        error = margin * x.error
        nearest = np.abs(x.value - np.round(x.value))
        beyond = x.value - error >= last.value
        return Bound(np.where((x.error == 0) | (nearest > error) | beyond, 0.0, 1.0), np.abs(value))

    def whole(value: Any, x: _Operand) -> Bound:
        """The largest whole number below: uncertain where the number may be on the other side of one."""
        error = margin * x.error
        nearest = np.abs(x.value - np.round(x.value))
        return Bound(np.where((x.error == 0) | (nearest > error), 0.0, np.ceil(error) + 1), np.abs(value))

    return {Op.CELL: cell, Op.STEP: step, Op.FLOOR: whole}


def _flat(value: Any, i: _Operand, stride: _Operand, j: _Operand) -> Bound:
    return Bound(i.error * stride.value + j.error, np.abs(value))


def _listed(value: Any, _: _Operand, *given: _Operand) -> Bound:
    """An array of an argument: the largest bound of its numbers."""
    return Bound(*(np.max([x[k] for x in given], axis=0) for k in (1, 2)))


def _entry(
    value: Any, array: Constants | Listed, listed: _Operand, index: _Operand, offset: _Operand
) -> Bound:
    """An entry: any one of the array where the index is uncertain."""
    numbers = np.array(np.broadcast_arrays(*(np.asarray(x, np.float64) for x in array.values)))
    spread, size = np.max(numbers, axis=0) - np.min(numbers, axis=0), np.max(np.abs(numbers), axis=0)
    spread = np.where(np.isnan(spread), np.inf, spread)
    if isinstance(array, Listed):
        own, size = listed.error, np.maximum(size, listed.size)
    else:
        own = np.zeros(value.shape)
    certain = index.error == 0
    return Bound(np.where(certain, own, own + spread), np.where(certain & (own == 0), np.abs(value), size))


_RULES: Mapping[Op, Callable[..., Bound]] = {
    Op.ADD: _sum, Op.SUB: _sum, Op.MUL: _product, Op.DIV: _quotient, Op.NEG: _same, Op.ABS: _same,
    Op.SQRT: _function(_root_slope), Op.TAN: _function(_tangent_slope), Op.LOG: _function(_log_slope),
    Op.ASIN: _function(_arc_slope), Op.ACOS: _function(_arc_slope), Op.ATAN2: _angle,
    Op.SIN: _function(lambda value, a: 1.0), Op.COS: _function(lambda value, a: 1.0),
    Op.EXP: _function(lambda value, a: value * np.exp(a.error)),
    Op.SINH: _function(lambda value, a: np.cosh(np.abs(a.value) + a.error)),
    Op.COSH: _function(lambda value, a: np.sinh(np.abs(a.value) + a.error)),
    Op.TANH: _function(lambda value, a: 1.0), Op.EXPM1: _function(lambda value, a: np.exp(a.value + a.error)),
    Op.LOG1P: _function(_log1p_slope),
    Op.SELECT: _choice, Op.LT: _comparison, Op.LE: _comparison,
    Op.AND: _both(False), Op.OR: _both(True), Op.NOT: _same,
    **_jumps(MULTIPLE), Op.FLAT: _flat, Op.LIST: _listed, Op.ENTRY: _entry, Op.REAL: _same,
}  # fmt: skip

_SUMS = frozenset({Op.ADD, Op.SUB, Op.NEG, Op.ABS, Op.SELECT})
"""Operations on the terms of sums."""

_ARITHMETIC = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.ABS, Op.SQRT, *LIBM})
_EXACT = frozenset({Op.NEG, Op.ABS, Op.FLOOR})
_SIGNED = frozenset({Op.MUL, Op.DIV, Op.ATAN2})


def _rounded(
    op: Op,
    value: Any,
    operands: Sequence[_Operand],
    bound: Bound,
    unit: float,
    tiny: float,
    margin: float,
) -> Bound:
    """The bound with the rounding of the operation itself, and with what is certain of special values.

    A pole is certain if it is so for errors that are larger by the margin.
    """
    unit = 0.0 if op in _EXACT else unit * (_LIBM_UNITS if op in LIBM else 1.0)
    tiny = 0.0 if op in _EXACT or op in (Op.ADD, Op.SUB) else tiny
    is_zero = (bound.size == 0) & ~_may_underflow(op, operands)
    error = bound.error + np.where(is_zero, 0.0, unit * bound.size + tiny)
    given = np.any([~np.isfinite(x.value) for x in operands], axis=0)
    certain = np.all([_is_certain(op, x) for x in operands], axis=0) & (
        given | _is_pole(op, operands, margin)
    )
    for x in operands:
        certain |= np.isnan(x.value) & (x.error == 0)
    special = given | ~np.isfinite(value)
    error = np.where(special, np.where(certain, 0.0, np.inf), error)
    return Bound(np.where(np.isnan(error), np.inf, error), bound.size)


def _may_underflow(op: Op, operands: Sequence[_Operand]) -> Any:
    """Whether the result of an operation may be zero though its exact value is not."""
    if op is Op.EXP:
        return np.ones(operands[0].value.shape, dtype=bool)
    if op not in (Op.MUL, Op.DIV):
        return np.zeros(operands[0].value.shape, dtype=bool)
    factors = operands if op is Op.MUL else operands[:1]
    return np.all([x.value != 0 for x in factors], axis=0)


def _is_certain(op: Op, x: _Operand) -> Any:
    """Whether the result at special values does not depend on the operand's round-off."""
    known = (np.abs(x.value) > x.error) if op in _SIGNED else np.isfinite(x.error)
    return (x.error == 0) | (np.isfinite(x.value) & known)


def _is_pole(op: Op, operands: Sequence[_Operand], margin: float) -> Any:
    """Whether an operation of finite numbers has no finite value, whatever their round-off."""
    x = operands[-1]
    error = margin * x.error
    if op is Op.DIV:
        return (x.value == 0) & (error == 0)
    if op is Op.SQRT:
        return x.value < -error
    if op is Op.LOG:
        return (x.value < -error) | ((x.value == 0) & (error == 0))
    if op is Op.LOG1P:
        return (x.value < -1 - error) | ((x.value == -1) & (error == 0))
    return np.abs(x.value) - error > 1 if op in (Op.ASIN, Op.ACOS) else np.zeros(x.value.shape, dtype=bool)
