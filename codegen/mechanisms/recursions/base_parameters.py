"""The base parameters of a robot: the fewest combinations of its inertias that its motion depends on.

Moments that are the same on either side of a joint are moved to the parent (Khalil and Dombre
2002). What is left of each link are coordinates; where some still depend on each other, as near a base that
stands still, exact ranks modulo a prime show it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

from codegen.errors import FeatherError
from codegen.ir.exploration import inputs_in
from codegen.ir.modular import World, modular, residues
from codegen.ir.program import Program, evaluate
from codegen.ir.types import Scalar
from codegen.mechanisms.description.exact import IDENTITY, ORIGIN
from codegen.mechanisms.recursions.acting import moments_at
from codegen.mechanisms.recursions.regressor import of_parameters
from codegen.mechanisms.trees.tree import Link, Moments, Tree
from codegen.modeling.types.algebra import Mat3, SymMat3, Vec3


class Kept(Enum):
    """Which moments of a body a joint keeps in place: those are the parent's, too. Values name the others."""

    NONE = "m h_x h_y h_z J_xx J_xy J_xz J_yy J_yz J_zz"
    ORIGIN = "h_x h_y h_z J_xx J_xy J_xz J_yy J_yz J_zz"
    AXIS = "h_x h_y J_xx-J_yy J_xy J_xz J_yz J_zz"
    ALONG = "m h_x h_y h_z J_xx-J_yy J_xy J_xz J_yz J_zz"
    DIRECTIONS = "m h_x h_y h_z"

    @property
    def left(self) -> list[str]:
        """The names of the coordinates that are left."""
        return self.value.split()

    def moments(self, body: Moments) -> Moments:
        """What the joint keeps in place: a mass at its origin, on its axis, the directions of a body."""
        m, h, S = body.m, body.h, body.S
        along = SymMat3(0, 0, 0, 0, 0, S.zz)
        match self:
            case Kept.AXIS:
                return Moments(m, Vec3(0, 0, h.z), along)
            case Kept.ORIGIN:
                return Moments(m)
            case Kept.ALONG:
                return Moments(Fraction(0), ORIGIN, along)
            case Kept.DIRECTIONS:
                return Moments(Fraction(0), ORIGIN, S)
            case Kept.NONE:
                return Moments()

    def coordinates(self, body: Moments) -> list[Scalar]:
        """The coordinates that are left of a body's moments."""
        m, h, S, across = body.m, body.h, body.S, self in (Kept.AXIS, Kept.ALONG)
        inertia = (S.yy - S.xx,) if across else (S.yy + S.zz,)
        rest = (-S.xy, -S.xz, *(() if across else (S.xx + S.zz,)), -S.yz, S.xx + S.yy)
        values = [m, *h.scalars(), *inertia, *rest]
        names = (Kept.ALONG if across else Kept.NONE).left
        return [x for name, x in zip(names, values, strict=True) if name in self.left]


class Stage(NamedTuple):
    """A body that carries a link: the one before it, the pose in it when the joint is at zero, what is kept.

    A joint with several degrees of freedom is a row of bodies, of which the last carries the link.
    """

    body: int
    parent: int
    R: Mat3
    p: Vec3
    kept: Kept


class Coordinate(NamedTuple):
    """A number that is left of a body's moments: its name, and the moments of which it is 1, others 0."""

    body: int
    name: str
    unit: Moments


@dataclass(frozen=True)
class BaseSet:
    """The base parameters of a tree: `kept` coordinates, to each of which multiples of others are added.

    `added` has, for the place of a kept coordinate, the places of others with their factors. Places are those
    in `coordinates_of`.
    """

    tree: Tree
    kept: tuple[int, ...]
    added: Mapping[int, Sequence[tuple[int, Fraction]]]

    @property
    def coordinates(self) -> list[Coordinate]:
        """The coordinates that are kept."""
        known = coordinates_of(self.tree)
        return [known[k] for k in self.kept]

    def merged(self, left: Sequence[Any], number: Callable[[Fraction], Any]) -> list[Any]:
        """The base parameters, of all coordinates; `number` makes factors numbers like them."""
        found = []
        for k in self.kept:
            total = left[k]
            for c, factor in self.added.get(k, ()):
                total = total + (left[c] if factor == 1 else left[c] * number(factor))
            found.append(total)
        return found

    def told(self) -> str:
        """The parameters of each link, with their places."""
        rows, at = [], 0
        for body, group in groupby(self.coordinates, key=lambda c: c.body):
            names = [c.name for c in group]
            last = at + len(names) - 1
            places = f"{at} to {last}" if last > at else f"{at}"
            rows.append(f"{places} {', '.join(names)} of {self.tree.links[body].name}")
            at = last + 1
        return "; ".join(rows)


def stages_of(tree: Tree) -> list[Stage]:
    """The bodies that carry links, each after the one before it."""
    found: list[Stage] = []
    for _, group in groupby(enumerate(tree.links), key=lambda at: at[1].joint):
        row = list(group)
        R, p = IDENTITY, ORIGIN
        for _, link in row:
            R, p = R @ link.R, p + R @ link.p
        found.append(Stage(row[-1][0], row[0][1].parent, R, p, _kept([link for _, link in row])))
    return found


def _kept(row: Sequence[Link]) -> Kept:
    """What the joint that is this row keeps in place; the last of it turns, or slides alone."""
    if row[0].free:
        return Kept.NONE
    if len(row) == 1:
        return Kept.DIRECTIONS if row[0].slides else Kept.AXIS
    return Kept.ALONG if any(link.slides for link in row) else Kept.ORIGIN


def coordinates_of(tree: Tree) -> list[Coordinate]:
    """The coordinates of all bodies that carry links, each in its frame, from the root on."""
    return [
        Coordinate(stage.body, name, of_parameters(*map(Fraction, _UNITS[name, stage.kept in _ACROSS])))
        for stage in stages_of(tree)
        for name in stage.kept.left
    ]


_ACROSS = (Kept.AXIS, Kept.ALONG)
_HALF = Fraction(1, 2)
_PARAMETERS = Kept.NONE.left
_UNITS: Mapping[tuple[str, bool], Sequence[Any]] = {
    **{(n, across): [int(n == x) for x in _PARAMETERS] for n in _PARAMETERS for across in (False, True)},
    ("J_xx-J_yy", True): (0, 0, 0, 0, _HALF, 0, 0, -_HALF, 0, 0),
    ("J_zz", True): (0, 0, 0, 0, _HALF, 0, 0, _HALF, 0, 1),
}
"""m, h and J of the unit of a coordinate; about a joint's axis, the second moments along it are zero."""


def left_of(tree: Tree, links: Sequence[str], parameters: Sequence[Scalar]) -> list[Scalar]:
    """The coordinates of all bodies when the moments that joints keep in place are moved to the parents.

    `parameters` are m, h and J of each of the links, about the origin of its frame and in its axes.
    """
    bodies = dict[int, Moments]()
    for k, name in enumerate(links):
        place = tree.frames[name]
        own = of_parameters(*parameters[10 * k : 10 * k + 10])
        bodies[place.body] = moments_at(own, place.R, place.p)
    found: list[list[Scalar]] = []
    for stage in reversed(stages_of(tree)):
        body = bodies[stage.body]
        found.append(stage.kept.coordinates(body))
        if stage.parent >= 0:
            more = moments_at(stage.kept.moments(body), stage.R, stage.p)
            bodies[stage.parent] = bodies[stage.parent].plus(more)
    return [x for row in reversed(found) for x in row]


# Ranks


def base_of_columns(tree: Tree, columns: Program) -> BaseSet:
    """The base parameters of a tree: `columns` gives the forces of unit values of its coordinates.

    They are a matrix, row by row. What depends on others does so by fractions: they are found modulo one
    prime after another, until they hold modulo a prime that was not used. FeatherError when they have too
    many digits.
    """
    again, width = World("base parameters, again"), len(coordinates_of(tree))
    control = _rows(again, columns, width, residues(again))
    known: dict[tuple[int, int], tuple[int, int]] = {}
    for attempt in range(_MOST_PRIMES):
        world = World(f"base parameters {attempt}")
        draw, rows = residues(world), list[list[int]]()
        while len(rows) < width + _MORE:
            rows += _rows(world, columns, width, draw)
        kept, factors = _dependent(rows, width, world.prime)
        known = {at: _joined(known.get(at, (0, 1)), (x, world.prime)) for at, x in factors.items()}
        added: dict[int, list[tuple[int, Fraction]]] = {}
        for (k, column), (residue, modulus) in known.items():
            if residue:
                added.setdefault(k, []).append((column, _fraction(residue, modulus)))
        found = BaseSet(tree, tuple(kept), added)
        if all(_holds(found, row, again) for row in control):
            return found
    raise FeatherError(
        "its base parameters depend on each other by numbers of too many digits: round the angles and "
        "offsets of its joints"
    )


_MOST_PRIMES = 12
"""The factors have at most so many times 63 bits above and below."""

_MORE = 8
"""So many more rows than columns: a random matrix modulo a large prime has full rank without them."""


def _rows(world: World, columns: Program, width: int, draw: Callable[[], Any]) -> list[list[int]]:
    """The rows of the matrix at a random state modulo the prime of a world."""
    inputs = inputs_in(world, columns.inputs, draw)
    results = [int(x.value) for x in evaluate(columns, modular(world), inputs).results]
    return [results[k : k + width] for k in range(0, len(results), width)]


def _dependent(
    rows: Sequence[Sequence[int]], width: int, p: int
) -> tuple[list[int], dict[tuple[int, int], int]]:
    """The first columns that do not depend on others, and by (such a column, another) the factors.

    By Gauss's and Jordan's elimination modulo a prime.
    """
    rest, pivots = [list(row) for row in rows], list[int]()
    for column in range(width):
        done = len(pivots)
        at = next((r for r in range(done, len(rest)) if rest[r][column]), None)
        if at is None:
            continue
        rest[done], rest[at] = rest[at], rest[done]
        scale = pow(rest[done][column], -1, p)
        own = rest[done] = [x * scale % p for x in rest[done]]
        for r, row in enumerate(rest):
            if r != done and (factor := row[column]):
                rest[r] = [(x - factor * y) % p for x, y in zip(row, own, strict=True)]
        pivots.append(column)
    others = [c for c in range(width) if c not in {*pivots}]
    return pivots, {(k, c): rest[r][c] for c in others for r, k in enumerate(pivots)}


def _joined(known: tuple[int, int], more: tuple[int, int]) -> tuple[int, int]:
    """The residue of two residues, each given with its modulus, and the product of the moduli."""
    (a, p), (b, q) = known, more
    return a + p * ((b - a) * pow(p, -1, q) % q), p * q


def _fraction(residue: int, p: int) -> Fraction:
    """The fraction of numbers below the root of p / 2 that is this modulo p (Wang 1981)."""
    a, b, x, y = p, residue, 0, 1
    while 2 * b * b > p:
        a, b, x, y = b, a % b, y, x - a // b * y
    return Fraction(b, y)


def _holds(base: BaseSet, row: Sequence[int], world: World) -> bool:
    """Whether the columns depend on each other so in this row."""
    total = {c: 0 for c in range(len(row)) if c not in {*base.kept}}
    for k, more in base.added.items():
        for c, factor in more:
            total[c] += row[k] * world.integer(factor)
    return not any((x - row[c]) % world.prime for c, x in total.items())
