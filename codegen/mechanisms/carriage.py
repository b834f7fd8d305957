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
from codegen.mechanisms.exact import IDENTITY
from codegen.mechanisms.tree import Link, Moments, Tree
from codegen.modeling.algebra import Force, Mat3, SymMat3, Vec3
from codegen.modeling.scalar import atan2, constant, cos, sin


@dataclass(frozen=True)
class Turn:
    """A rotation about z by its angle's cosine and sine: v_A = R v_B."""

    angle: Scalar
    c: Scalar
    s: Scalar

    def ahead(self, v: Vec3) -> Vec3:
        """R v."""
        return Vec3(self.c * v.x - self.s * v.y, self.s * v.x + self.c * v.y, v.z)

    def back(self, v: Vec3) -> Vec3:
        """R^T v."""
        return Vec3(self.c * v.x + self.s * v.y, self.c * v.y - self.s * v.x, v.z)

    def tensor(self, S: SymMat3) -> SymMat3:
        """R S R^T: xx' = xx - s u, yy' = yy + s u, xy' = c u - xy with u = s (xx - yy) + 2 c xy."""
        u = self.s * (S.xx - S.yy) + self.c * (S.xy + S.xy)
        across = self.ahead(Vec3(S.xz, S.yz, 0))
        return SymMat3(S.xx - self.s * u, self.c * u - S.xy, across.x, S.yy + self.s * u, across.y, S.zz)

    def matrix(self, A: Mat3) -> Mat3:
        """R A R^T: its upper left quarter keeps the trace and the difference of the other two elements."""
        a, b, x, d, e, y, p, q, zz = A.m
        u = self.s * (a - e) + self.c * (b + d)
        right, below = self.ahead(Vec3(x, y, 0)), self.ahead(Vec3(p, q, 0))
        return Mat3((
            a - self.s * u, self.c * u - d, right.x, self.c * u - b, e + self.s * u, right.y, below.x,
            below.y, zz, ))  # fmt: skip


@dataclass(frozen=True)
class Given:
    """A rotation by any matrix: v_A = R v_B."""

    R: Mat3

    def ahead(self, v: Vec3) -> Vec3:
        """R v."""
        return self.R @ v

    def back(self, v: Vec3) -> Vec3:
        """R^T v."""
        return self.R.transpose @ v

    def matrix(self, A: Mat3) -> Mat3:
        """R A R^T."""
        return self.R @ (A @ self.R.transpose)

    def tensor(self, S: SymMat3) -> SymMat3:
        """R S R^T."""
        return S.rotated(self.R)


@dataclass(frozen=True)
class OfMomenta(Given):
    """A rotation of a body whose momenta at unit rates are rotated by it, too: the columns of R J."""

    def tensor(self, S: SymMat3) -> SymMat3:
        """R S R^T, from that of J = tr(S) 1 - S; the trace stays."""
        trace = S.xx + S.yy + S.zz
        J = ((S.yy + S.zz, -S.xy, -S.xz), (-S.xy, S.xx + S.zz, -S.yz), (-S.xz, -S.yz, S.xx + S.yy))
        x, y, _ = Mat3.from_columns(*(self.ahead(Vec3(*column)) for column in J)).rows
        e_x, e_y, e_z = self.R.rows
        xx, yy = trace - x.dot(e_x), trace - y.dot(e_y)
        return SymMat3(xx, -x.dot(e_y), -x.dot(e_z), yy, -y.dot(e_z), trace - xx - yy)


@dataclass(frozen=True)
class Constant(Given):
    """A constant rotation; R is the matrix for formulas, `exact` that of its numbers."""

    exact: Mat3

    @classmethod
    def of(cls, exact: Mat3) -> Constant:
        """The rotation by this matrix of exact numbers."""
        return cls(exact.map(number), exact)

    def tensor(self, S: SymMat3) -> SymMat3:
        """R S R^T."""
        if all(sum(map(bool, row.scalars())) == 1 for row in self.exact.rows):
            return _permuted(S, self.exact)
        return super().tensor(S)


Step = Turn | Given
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

    The position of the first link of a spherical joint is its rotation; those of the others are not used.
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
            turned = OfMomenta(position) if tree.by_momenta else Given(position)
            own = [turned] if link.ball == 0 else []
            steps = [*([before] if before else []), *_constant(link.R), *own]
            made.append(Carriage(link, steps, arm, None))
        else:
            made.append(_turning(link, before, arm, _angle(position, link), i in late))
    return [replace(way, extra=tree.extra[i]) if i in tree.extra else way for i, way in enumerate(made)]


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


def number(x: Fraction) -> Scalar:
    """An exact number for formulas, on scalars of any kind."""
    return int(x) if x in (-1, 0, 1) else constant(x)


def _permuted(S: SymMat3, R: Mat3) -> SymMat3:
    """R S R^T for an R that only permutes and negates axes."""
    rows = S.dense.rows
    place = [next((j, int(x)) for j, x in enumerate(row.scalars()) if x) for row in R.rows]

    def element(a: int, b: int) -> Scalar:
        (i, x), (j, y) = place[a], place[b]
        return x * y * rows[i].scalars()[j]

    return SymMat3(*(element(a, b) for a, b in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))))
