"""The frames in which recursions compute, and how vectors pass between them.

The frame of a body turns with its joint. A late body is computed in the frame before the turn, in which its
moments depend on the angle: parallel joints in a row then need one rotation, by the sum of their angles, and
a leaf rotates its few numbers instead of velocity, accelerations, force and moment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from codegen.ir.types import Scalar
from codegen.library.rotation.kernels import quat_to_dcm_unit
from codegen.mechanisms.description.exact import IDENTITY
from codegen.mechanisms.trees.tree import Link, Moments, Tree
from codegen.mechanisms.trees.turns import (
    Constant,
    Given,
    OfMomenta,
    OfMoments,
    Step,
    Turn,
    behind,
    number,
)
from codegen.modeling.types.algebra import Force, Mat3, UnitQuaternion, Vec3
from codegen.modeling.types.scalar import atan2, constant, cos, sin

Point = tuple[Fraction, ...]
"""A point of a body, in its frame: what bodies whose joints start from one point pass on is added first."""


@dataclass(frozen=True)
class Carriage:
    """Where a body is computed: the rotations from the parent's working frame, in order, to its own.

    `arm` is the place of the body's origin in the parent's working frame. `pending` is the turn that is left
    out where the body is late, `extra` the moments that are added to the body's at run time.
    """

    link: Link
    steps: Sequence[Step]
    arm: Vec3
    pending: Turn | None
    extra: Moments | None = None

    @property
    def point(self) -> Point:
        """The point of the parent from which the joint starts."""
        return tuple(self.link.p.scalars())

    def back(self, v: Vec3) -> Vec3:
        """A vector of the parent's working frame in this body's."""
        for step in self.steps:
            v = step.back(v)
        return v

    def ahead(self, v: Vec3) -> Vec3:
        """A vector of this body's working frame in the parent's."""
        for step in reversed(self.steps):
            v = step.ahead(v)
        return v

    @property
    def axis(self) -> Vec3 | None:
        """The joint's axis in the parent's working frame where it is an axis of that frame, else None.

        None for a spherical joint, whose links' own angular accelerations are those of no body.
        """
        if self.link.ball is not None:
            return None
        turned = isinstance(self.steps[0], Turn) if len(self.steps) > 1 else False
        axis = self.link.R.column(2)
        along = sum(map(bool, axis.scalars())) == 1
        return axis.map(number) if along and not turned else None

    @property
    def resting(self) -> Moments:
        """The body's moments in its own frame: constants, and what is added at run time."""
        exact = self.link.moments
        own = Moments(number(exact.m), exact.h.map(number), exact.S.map(number))
        return own if self.extra is None else own.plus(self.extra)

    @property
    def moments(self) -> Moments:
        """The body's moments in its working frame."""
        own = self.resting
        if self.pending is None:
            return own
        return Moments(own.m, self.pending.ahead(own.h), self.pending.tensor(own.S))

    def seen(self, wrench: Force) -> Force:
        """A wrench in the body's frame, in its working frame."""
        if self.pending is None:
            return wrench
        return Force(self.pending.ahead(wrench.n), self.pending.ahead(wrench.f))


def runs(tree: Tree) -> list[list[int]]:
    """The rows of two or more revolute joints with parallel axes, each the parent of the next."""
    rows: dict[int, list[int]] = {}
    for i in tree.jointed:
        link = tree.links[i]
        if not link.turns:
            continue
        row = rows.get(link.parent) if link.R == IDENTITY and link.adds else None
        if row is not None and row[-1] == link.parent:
            row.append(i)
            rows[i] = row
        else:
            rows[i] = [i]
    return [row for row in {id(r): r for r in rows.values()}.values() if len(row) > 1]


def late_for_forces(tree: Tree) -> frozenset[int]:
    """The bodies that recursions of forces had better not turn.

    Without a choice for this tree they are rows of parallel joints, and leaves.
    """
    return frozenset(_leaves(tree).union(*runs(tree))) if tree.late is None else tree.late


def choices_of_late(tree: Tree) -> Iterator[list[frozenset[int]]]:
    """For each row of parallel joints which of its bodies may be late: those of the row, but for its last,
    or none; leaves always are.
    """
    leaves = _leaves(tree)
    for row in runs(tree):
        yield [frozenset(s) | (leaves & {*row}) for s in (row, row[:-1], ())]


def _leaves(tree: Tree) -> frozenset[int]:
    return frozenset(i for i in tree.jointed if not tree.children(i) and tree.links[i].turns)


def late_for_masses(tree: Tree) -> frozenset[int]:
    """The bodies that the recursion of composite bodies had better not turn: rows, but for their last."""
    return frozenset(i for row in runs(tree) for i in row[:-1])


def on_the_ground(tree: Tree) -> frozenset[int]:
    """The bodies that turn on a base that stands still: no mass depends on their position."""
    return frozenset(i for i in tree.jointed if tree.links[i].parent < 0 and tree.links[i].turns)


def carriages(tree: Tree, q: Sequence[Any], late: Collection[int]) -> list[Carriage]:
    """How each body is computed, at these positions of links; `late` are the bodies that are not turned.

    The position of the first link of a spherical joint is its quaternion; those of the others are not used.
    """
    made: list[Carriage] = []
    positions = [0, *q] if tree.floating else q
    for i, (link, position) in enumerate(zip(tree.links, positions, strict=True)):
        before = made[link.parent].pending if link.parent >= 0 else None
        p = tree.arms[i] if i in tree.arms else link.p.map(number)
        arm = p if before is None else before.ahead(p)
        if link.free:
            made.append(Carriage(link, (), arm, None))
        elif link.slides:
            made.append(_sliding(link, before, arm))
        elif link.ball is not None:
            own = _first_of_ball(tree, link, p, position) if link.ball == 0 else _constant(link.R)
            made.append(Carriage(link, [*([before] if before else []), *own], arm, None))
        else:
            made.append(_turning(link, before, arm, _angle(position, link), i in late))
    return [replace(way, extra=tree.extra[i]) if i in tree.extra else way for i, way in enumerate(made)]


def _first_of_ball(tree: Tree, link: Link, start: Vec3, position: UnitQuaternion) -> list[Step]:
    """The rotations of the first link of a spherical joint, which starts from a point of its parent.

    Behind a body that turns, a product of quaternions spares each vector the constant rotation.
    """
    if _turns(tree, link.parent):
        first, turned = behind(link.R, position)
    else:
        first, turned = link.R, quat_to_dcm_unit(position)
    before = _constant(first)
    if not tree.by_momenta:
        return [*before, Given(turned)]
    for step in before:
        start = step.back(start)
    return [*before, (OfMoments if _on_a_pivot(tree, link.parent) else OfMomenta)(turned, start)]


def _turns(tree: Tree, i: int) -> bool:
    """Whether some joint up to that of body i turns it."""
    return i >= 0 and (not tree.links[i].slides or _turns(tree, tree.links[i].parent))


def _on_a_pivot(tree: Tree, i: int) -> bool:
    """Whether body i turns on the base that stands still, so that no force on it matters."""
    first = i - (tree.links[i].ball or 0)
    return i < 0 or (not (tree.links[i].slides or tree.links[i].free) and tree.links[first].parent < 0)


def _sliding(link: Link, before: Turn | None, arm: Vec3) -> Carriage:
    return Carriage(link, [*([before] if before else []), *_constant(link.R)], arm, None)


def _turning(link: Link, before: Turn | None, arm: Vec3, angle: Scalar, late: bool) -> Carriage:
    steps: list[Step] = []
    if before is not None and link.R == IDENTITY and link.adds:
        angle = before.angle + angle
    else:
        steps = [*([before] if before else []), *_constant(link.R)]
    turn = Turn(angle, cos(angle), sin(angle))
    return Carriage(link, steps if late else [*steps, turn], arm, turn if late else None)


def _angle(position: Scalar, link: Link) -> Scalar:
    """The angle by which a link turns about its z axis."""
    c, s = link.phase
    angle = signed(position, link)
    return angle + atan2(constant(s), constant(c)) if s else angle


def _constant(R: Mat3) -> list[Step]:
    return [] if R == IDENTITY else [Constant.of(R)]


def signed(value: Scalar, link: Link) -> Scalar:
    """A value of a link's joint, about or along the z axis of its frame."""
    return -value if link.sign < 0 else value


def position_of(tree: Tree, i: int, values: Sequence[Scalar]) -> Scalar:
    """The value of body i's joint, about or along the z axis of the body's frame."""
    return signed(values[i - tree.jointed.start], tree.links[i])
