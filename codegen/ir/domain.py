"""Samples the input domain of a kernel, in any number system.

A rotation is orthonormal, an attitude a unit quaternion, a mass positive, an inertia that of a body: each
type draws its own random values (`codegen.ir.types`).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from codegen.ir.program import Arg
from codegen.ir.ranges import Ends, inside
from codegen.ir.types import Draw, Real, edges, sample


def floats(source: random.Random, span: float = 2.0) -> Draw:
    """Random floats, as exact fractions of a few decimals, so that products stay small."""
    return lambda: Fraction(round(source.uniform(-span, span) * 4096) or 1, 4096)


Case: TypeAlias = list[Fraction]
"""The flattened inputs of one call, as exact numbers."""


def cases(inputs: Sequence[Arg], count: int, seed: str) -> Iterator[Case]:
    """Random, then adversarial, then edge cases, the same for the same seed, inside declared ranges.

    Some random cases are in -13..13, where angles are of every quadrant of two turns.
    Two inputs of one type are also equal, and opposite where all numbers are values of the type.
    """
    source = random.Random(seed)
    for _ in range(count):
        yield [s for a in inputs for s in sample_of(a, floats(source))]
    for scale in (Fraction(1, 1000), Fraction(1000)):
        for _ in range(max(1, count // 8)):
            yield [s for a in inputs for s in sample_of(a, _mixed(source, scale))]
    yield from turned(inputs, max(1, count // 8), seed)
    for k, argument in enumerate(inputs):
        for edge in edges_of(argument):
            values = [edge if i == k else sample_of(a, floats(source)) for i, a in enumerate(inputs)]
            yield [Fraction(s) for value in values for s in value]
    yield [Fraction(s) for a in inputs for s in edges_of(a)[0]]
    if any(span for a in inputs for span in spans(a)):
        for _ in range(max(1, count // 4)):
            yield [s for a in inputs for s in _corner(a, source)]
    for i, j in _alike(inputs):
        for sign in (1, -1) if _is_free(inputs[j]) else (1,):
            values = [sample_of(a, floats(source)) for a in inputs]
            values[j] = [sign * s for s in values[i]]
            yield [s for value in values for s in value]


def turned(inputs: Sequence[Arg], count: int, seed: str) -> Iterator[Case]:
    """Random cases whose scalars without a range are in -13..13: angles of two turns to either side."""
    source = random.Random(f"turned {seed}")
    for _ in range(count):
        yield [s for a in inputs for s in sample_of(a, floats(source, 13.0))]


def edge_cases(inputs: Sequence[Arg], count: int, seed: str) -> Iterator[Case]:
    """Random edge cases of all inputs at once: two attitudes may then be half a turn apart.

    An input whose edges are not all values of its type, such as a mass of 0, is a random one instead.
    """
    source, known = random.Random(f"edges {seed}"), [_valid_edges(a) for a in inputs]
    for _ in range(count):
        values = zip(inputs, known, strict=True)
        each = (source.choice(edges) if edges else sample_of(a, floats(source)) for a, edges in values)
        yield [Fraction(s) for value in each for s in value]


def _valid_edges(argument: Arg) -> list[list[Any]]:
    """The edge cases of an argument; none where some may be no values of its type."""
    kind = argument.type
    if members := members_of(argument):
        return edges_of(argument) if all(map(_valid_edges, members)) else []
    if isinstance(kind, Real):
        return [] if kind.positive else edges_of(argument)
    is_constrained = isinstance(kind, type) and kind.constrained
    return edges_of(argument) if kind.independent or is_constrained else []


def _alike(inputs: Sequence[Arg]) -> Iterator[tuple[int, int]]:
    """The pairs of inputs that are structures or arrays of one type, with the same range."""
    for j, b in enumerate(inputs):
        for i, a in enumerate(inputs[:j]):
            if a.size > 1 and (a.type, a.ends) == (b.type, b.ends):
                yield i, j


def _is_free(argument: Arg) -> bool:
    """Whether its scalars may be any numbers, so that an opposite value is a value of its type."""
    is_bounded = any(spans(argument))
    return not is_bounded and not isinstance(argument.type, Real) and argument.type.independent


def drawn(inputs: Sequence[Arg], draw: Draw) -> list[Any]:
    """The flattened scalars of random values of all inputs, whatever their ranges."""
    return [scalar for argument in inputs for scalar in sample(argument.type, draw)]


def sample_of(argument: Arg, draw: Draw) -> list[Any]:
    """The scalars of a random value of an argument, inside its range, or those of the members of a record."""
    if members := members_of(argument):
        return [scalar for member in members for scalar in sample_of(member, draw)]
    return [inside(ends, draw()) for ends in argument.ends] or sample(argument.type, draw)


def in_words(inputs: Sequence[Arg], case: Sequence[Any], chosen: Iterable[int] | None = None) -> str:
    """The scalars of inputs, or the chosen ones of them, as text: `v_x = 1.5, rho = 2`."""
    names = [name for a in inputs for name in a.scalar_names]
    places = range(len(names)) if chosen is None else chosen
    return ", ".join(f"{names[i]} = {float(case[i]):.9g}" for i in places)


def spans(argument: Arg) -> list[Ends | None]:
    """The range of each scalar of an argument, or of the members of a record; None where none is declared."""
    if members := members_of(argument):
        return [span for member in members for span in spans(member)]
    return list(argument.ends) or [None] * argument.size


def edges_of(argument: Arg) -> list[list[Any]]:
    """The ends of an argument's range and the edges of its type that lie inside; all without a range.

    Those of a record are the edges of each member, beside the simplest values of the others.
    """
    if members := members_of(argument):
        return _edges_of_record(members)
    ends, found = argument.ends, edges(argument.type)
    if not ends:
        return found
    within = [e for e in found if all(low <= x <= high for x, (low, high) in zip(e, ends, strict=True))]
    return [list(side) for side in zip(*ends, strict=True)] + within


def members_of(argument: Arg) -> tuple[Arg, ...]:
    """The members of an argument that is a record."""
    return argument.type.members if isinstance(argument.type, type) else ()


def taken_apart(arguments: Iterable[Arg], before: str = "") -> Iterator[tuple[str, Arg]]:
    """Arguments by their paths, records as their members in C order: `state.q_NB`."""
    for a in arguments:
        if members := members_of(a):
            yield from taken_apart(members, f"{before}{a.name}.")
        else:
            yield f"{before}{a.name}", a


def _edges_of_record(members: Sequence[Arg]) -> list[list[Any]]:
    simplest = [edges_of(member)[0] for member in members]
    found = [simplest]
    for k, member in enumerate(members):
        found += [[*simplest[:k], edge, *simplest[k + 1 :]] for edge in edges_of(member)[1:]]
    return [[scalar for part in value for scalar in part] for value in found]


def _corner(argument: Arg, source: random.Random) -> list[Any]:
    """A value with each scalar at an end of its range; any value without a range."""
    if members := members_of(argument):
        return [scalar for member in members for scalar in _corner(member, source)]
    return [source.choice(ends) for ends in argument.ends] or sample(argument.type, floats(source))


def _mixed(source: random.Random, scale: Fraction) -> Draw:
    """Scalars of very different magnitude, which provoke cancellation."""
    plain = floats(source)
    return lambda: plain() * scale ** source.choice((-1, 0, 0, 1))
