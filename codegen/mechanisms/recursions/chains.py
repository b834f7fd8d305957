"""Joints in a row, each on the body before it: one body for all, and a table of the numbers of each.

The row starts at a base that stands still, and carries the rest of the robot. Each body is computed in the
frame that turns with its joint. A first joint on whose position nothing depends, such as one about a vertical
axis, is computed beside the loops.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from codegen.ir.types import Scalar
from codegen.mechanisms.description.exact import IDENTITY, ORIGIN
from codegen.mechanisms.recursions.slots import Slot, numbers_of_body, slot_of
from codegen.mechanisms.trees.carriage import late_for_forces
from codegen.mechanisms.trees.tree import Link, Moments, Tree
from codegen.mechanisms.trees.turns import number
from codegen.modeling.types.algebra import Mat3, SymMat3, Vec3

FEWEST = 3
"""The joints of the shortest row that is computed in a loop."""


@dataclass(frozen=True)
class Segment:
    """A body of the row, its joint and an offset, in numbers of a turn or of all turns.

    R is the attitude in which the joint is zero, in the frame of the body before it. `arm` is the origin of
    the next body in the frame of this one or, in a row for the mass matrix, that of this body in the frame of
    the one before it; in a row for derivatives, which need both, that is `start`. The joint turns by `turns`
    times its position, which is with the sign of its axis, and slides by `slides` times it.
    """

    R: Mat3
    arm: Vec3
    body: Moments
    turns: Scalar
    slides: Scalar
    sign: Scalar
    damping: Scalar
    armature: Scalar
    friction: Scalar
    start: Vec3

    @classmethod
    def of(cls, x: Sequence[Scalar]) -> Segment:
        """The segment that has these numbers, in the order of `_numbers`."""
        body = Moments(x[12], Vec3(*x[13:16]), SymMat3(*x[16:22]))
        turns, slides, sign, damping, armature, friction = x[22:28]
        joint = turns, slides, sign, damping, armature, friction
        return cls(Mat3(tuple(x[:9])), Vec3(*x[9:12]), body, *joint, Vec3(*x[28:]))


@dataclass(frozen=True)
class Chain:
    """The first bodies of a tree, which are a row: `rows` has a row of numbers for each that is in the loops.

    `slots` says where the numbers of a body are; those that all share are in `common`. `base` is the body
    before them, if there is one, which is computed beside the loops.
    """

    base: Segment | None
    rows: tuple[tuple[Fraction, ...], ...]
    slots: tuple[Slot | None, ...]
    common: tuple[Fraction, ...]
    first: Link

    @property
    def count(self) -> int:
        """The number of joints in the loops."""
        return len(self.rows)

    @property
    def start(self) -> int:
        """The number of the first joint in the loops."""
        return int(self.base is not None)

    @property
    def end(self) -> int:
        """The number of the first joint behind the row."""
        return self.start + self.count

    @property
    def width(self) -> int:
        """The numbers of a row."""
        return len(self.rows[0])

    @property
    def typical(self) -> Segment:
        """A body of which only those numbers are zero that are zero for all."""
        return self.segment([Fraction(1)] * self.width)

    def segment(self, row: Sequence[Scalar]) -> Segment:
        """The body that has these numbers."""
        both = zip(self.slots, self.common, strict=True)
        return Segment.of([row[slot.column] * slot.sign if slot else number(x) for slot, x in both])


def chain_of(tree: Tree, alone: Collection[int] = (), steady: bool = True) -> Chain | None:
    """The row of joints at the start of a tree, up to the bodies that stay `alone`; None for a short one.

    `steady` says that gravity is known.
    """
    count = _length(tree, alone)
    arms = [*(link.p for link in tree.links[1:count]), ORIGIN]
    return _row(tree, arms, steady and _is_vertical(tree)) if count >= FEWEST else None


def chain_for_masses(tree: Tree, alone: Collection[int] = ()) -> Chain | None:
    """The same row for the mass matrix, which has no losses and does not depend on the first position."""
    count = _length(tree, alone)
    links = tuple(replace(link, damping=Fraction(0), friction=Fraction(0)) for link in tree.links)
    arms = [link.p for link in links[:count]]
    return _row(replace(tree, links=links), arms, True) if count >= FEWEST else None


def chain_for_slopes(tree: Tree, alone: Collection[int] = ()) -> Chain | None:
    """The same row for derivatives, where the first body is in the loops, too."""
    count = _length(tree, alone)
    arms = [*(link.p for link in tree.links[1:count]), ORIGIN]
    return _row(tree, arms, False, [link.p for link in tree.links]) if count >= FEWEST else None


def _row(tree: Tree, arms: Sequence[Vec3], apart: bool, starts: Sequence[Vec3] = ()) -> Chain:
    """The row of the first bodies of a tree, with these offsets; the first of them is `apart`."""
    offsets = zip(arms, starts or (ORIGIN for _ in arms), strict=False)
    bodies = [_numbers(link, *own) for link, own in zip(tree.links, offsets, strict=False)]
    base = Segment.of([*map(number, bodies.pop(0))]) if apart else None
    columns: list[tuple[Fraction, ...]] = []
    values = [*zip(*bodies, strict=True)]
    slots = tuple([slot_of(columns, own) for own in values])
    rows = tuple(zip(*(columns or values[:1]), strict=True))  # a table has a number
    return Chain(base, rows, slots, tuple(own[0] for own in values), tree.links[0])


def rest_of(tree: Tree, count: int) -> Tree | None:
    """What is behind so many bodies in a row, on the last of them as a base without mass."""
    left = range(count, len(tree.links))
    if not left:
        return None
    base = Link("base", "", -1, IDENTITY, ORIGIN, Moments(), free=True)
    first = count - 1
    links = [
        replace(tree.links[i], parent=tree.links[i].parent - first, place=tree.links[i].place - count)
        for i in left
    ]
    frames = {name: p._replace(body=p.body - first) for name, p in tree.frames.items() if p.body >= count}
    late = frozenset(i - first for i in late_for_forces(tree) if i >= count)
    return replace(tree, links=(base, *links), frames=frames, late=late)


def _is_vertical(tree: Tree) -> bool:
    """Whether the first joint turns about the axis along which gravity acts."""
    first = tree.links[0]
    return first.turns and abs(first.R.column(2).z) == 1


def _length(tree: Tree, alone: Collection[int]) -> int:
    """The number of bodies in a row from the base, which have coordinates in their order."""
    if tree.floating or len(tree.children(-1)) != 1:
        return 0
    first, shared = tree.links[0], tree.shared
    for i, link in enumerate(tree.links):
        single = i == 0 or tree.children(i - 1) == [i]
        plain = link.ball is None and link.place == i and i not in shared
        same = (bool(link.friction), link.creep) == (bool(first.friction), first.creep)
        if not (single and plain and same and link.phase[0] == 1) or i in alone:
            return i
    return len(tree.links)


def _numbers(link: Link, arm: Vec3, start: Vec3) -> list[Fraction]:
    """The numbers of a body of a row, in the order of `Segment`."""
    joint = (int(not link.slides), int(link.slides), link.sign)
    losses = link.damping, link.armature, link.friction
    exact = (*link.R.m, *arm.scalars(), *numbers_of_body(link), *joint, *losses, *start.scalars())
    return [Fraction(x) for x in exact]
