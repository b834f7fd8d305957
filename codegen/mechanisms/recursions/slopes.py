"""Derivatives of inverse dynamics by positions and velocities, from composite bodies.

To turn or slide the bodies that joint j moves changes the acceleration of each of their points, seen from
these bodies, by da + b x r + 2 dw x V, with the point at r from the joint's origin and its velocity V
relative to that origin. These seeds (da, b, dw) are made of what inverse dynamics computes at j:

- by the angle: (-z x a, U z, -z x w), by its rate: (0, -2 z x w, z);
- by the displacement: (U z, 0, 0), by its rate: (2 w x z, 0, 0);
- by a small turn about an axis z of the body on a spherical joint, with U and angular velocity o of the body
  before it: (-z x a, U z, -z x o), by the velocity about that axis: (0, (o + w) x z, z).

With the moments m, h, S of the bodies, their momentum P and the integral W of V r^T dm, the change of the
wrench that moves them is linear in the seeds. Passed to the joints before j it gives their rows; the rows of
the joints behind it are the same linear forms, of their own bodies, passed to j.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codegen.ir.types import Scalar
from codegen.mechanisms.description.exact import Z
from codegen.mechanisms.recursions.dynamics import (
    Base,
    Movement,
    movements_of,
    slope_of_losses,
    totals_of,
    whirl,
)
from codegen.mechanisms.trees.carriage import Carriage, carriages, late_for_forces, position_of, signed
from codegen.mechanisms.trees.coordinates import of_coordinates
from codegen.mechanisms.trees.tree import Moments, Tree
from codegen.mechanisms.trees.turns import Step
from codegen.modeling.types.algebra import Force, Mat3, SymMat3, Vec3
from codegen.modeling.types.scalar import let

Row = list[Scalar]


@dataclass(frozen=True)
class Seed:
    """What the accelerations of some bodies' points change by: da + b x r + 2 dw x V."""

    da: Vec3
    b: Vec3
    dw: Vec3


@dataclass(frozen=True)
class Flow:
    """Some bodies about an origin: moments, momentum P relative to it, W = integral of V r^T dm."""

    body: Moments
    P: Vec3
    W: Mat3

    def plus(self, other: Flow) -> Flow:
        """Both together, about the same origin."""
        return Flow(self.body.plus(other.body), self.P + other.P, _plus(self.W, other.W))

    def ahead(self, steps: Sequence[Step]) -> Flow:
        """The bodies in axes from which their own are turned."""
        h, S, P, W = self.body.h, self.body.S, self.P, self.W
        for step in reversed(steps):
            h, S, P, W = step.ahead(h), step.tensor(S), step.ahead(P), step.matrix(W)
        return Flow(Moments(self.body.m, h, S), P, W)

    def shifted(self, p: Vec3, V: Vec3) -> Flow:
        """The bodies about an origin from which their own is at p, with the velocity V."""
        body, m, h = self.body, self.body.m, self.body.h
        after = h + p * m
        a, b, c = after.scalars(), p.scalars(), h.scalars()
        pairs = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
        S = body.S + SymMat3(*(a[i] * b[j] + b[i] * c[j] for i, j in pairs))
        rows = [after * x + p * y for x, y in zip(V.scalars(), self.P.scalars(), strict=True)]
        return Flow(Moments(m, after, S), self.P + V * m, _plus(self.W, Mat3.from_rows(*rows)))

    def change(self, seed: Seed) -> Force:
        """The change of the wrench that moves the bodies."""
        h, S, W, b, dw = self.body.h, self.body.S, self.W, seed.b, seed.dw
        whirled = _whirled(W, dw)
        turned = _rotary(S, b) + whirled + whirled
        pushed = dw.cross(self.P)
        return Force(h.cross(seed.da) + turned, seed.da * self.body.m + b.cross(h) + pushed + pushed)


def _whirled(W: Mat3, dw: Vec3) -> Vec3:
    """tr(W) dw - W dw."""
    xx, xy, xz, yx, yy, yz, zx, zy, zz = W.m
    return Vec3(
        (yy + zz) * dw.x - xy * dw.y - xz * dw.z,
        (xx + zz) * dw.y - yx * dw.x - yz * dw.z,
        (xx + yy) * dw.z - zx * dw.x - zy * dw.y,
    )


def _rotary(S: SymMat3, b: Vec3) -> Vec3:
    """(tr S 1 - S) b."""
    return Vec3(
        (S.yy + S.zz) * b.x - S.xy * b.y - S.xz * b.z,
        (S.xx + S.zz) * b.y - S.xy * b.x - S.yz * b.z,
        (S.xx + S.yy) * b.z - S.xz * b.x - S.yz * b.y,
    )


@dataclass(frozen=True)
class Form:
    """A linear form of seeds: f . da + n . b + c . dw."""

    f: Vec3
    n: Vec3
    c: Vec3

    def shifted(self, p: Vec3, V: Vec3) -> Form:
        """The form about an origin from which its own is at p, with the velocity V."""
        moved = V.cross(self.f)
        return Form(self.f, self.n + p.cross(self.f), self.c + moved + moved)

    def ahead(self, steps: Sequence[Step]) -> Form:
        """The form in axes from which its own are turned."""
        f, n, c = self.f, self.n, self.c
        for step in reversed(steps):
            f, n, c = step.ahead(f), step.ahead(n), step.ahead(c)
        return Form(f, n, c)

    def of(self, seed: Seed) -> Scalar:
        """Its value."""
        return self.f.dot(seed.da) + self.n.dot(seed.b) + self.c.dot(seed.dw)


@dataclass(frozen=True)
class Slopes:
    """Derivatives by each coordinate: rows of the coordinates' forces, and columns of the base's wrench.

    `forms` give those of the coordinates' forces by a seed at the base, `of_base` that of the base's wrench.
    """

    by_q: list[Row]
    by_v: list[Row]
    base_by_q: list[Force]
    base_by_v: list[Force]
    forms: list[Form]
    of_base: Flow


def slopes(
    tree: Tree,
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    gains: Sequence[Scalar],
    base: Base | None,
    ground: Movement | None = None,
) -> Slopes:
    """The derivatives of inverse dynamics by positions and velocities of the joints.

    `ground` is the movement of a floating base, where it is known.
    """
    ways = carriages(tree, q, late_for_forces(tree))
    movements = movements_of(tree, ways, q, v, gains, base, ground)
    totals = totals_of(tree, ways, q, movements)
    flows = _flows(tree, ways, q, movements)
    seeds = [_seeds(ways, movements, i) for i in range(len(ways))]
    table = _Table(tree, ways, q, movements, seeds)
    for j in reversed(tree.jointed):
        table.read_before(j, flows[j], totals[j])
        table.read_behind(j, flows[j])
    return table.result(flows[0])


def base_seeds(tree: Tree, base: Base) -> tuple[list[Seed], list[Seed]]:
    """What all bodies change by with rotations of a floating base about its axes, and with its twist."""
    none, w, v, down = Vec3.zero(), base.V.w, base.V.v, tree.lift(base.R)
    units = [Vec3(*(int(j == k) for j in range(3))) for k in range(3)]
    turned = [Seed(down.cross(e), none, none) for e in units]
    spun = [Seed(e.cross(v), w.cross(e), e) for e in units]
    return turned, [*spun, *(Seed(w.cross(e), none, none) for e in units)]


def _seeds(ways: Sequence[Carriage], movements: Sequence[Movement], i: int) -> tuple[Seed, Seed]:
    """What the bodies behind a joint change by with its position, and with its velocity."""
    m, none = movements[i], Vec3.zero()
    sideways, pushed = across(m.w), across(m.a)
    if ways[i].link.slides:
        return Seed(m.U.column(2), none, none), Seed(sideways + sideways, none, none)
    if ways[i].link.ball is None:
        return Seed(pushed, m.U.column(2), sideways), Seed(none, sideways + sideways, Z)
    o, U, w = _around(ways, movements, i)
    return Seed(pushed, U.column(2), across(o)), Seed(none, across(o + w), Z)


def across(v: Vec3) -> Vec3:
    """v x z."""
    return Vec3(v.y, -v.x, 0)


def _around(ways: Sequence[Carriage], movements: Sequence[Movement], i: int) -> tuple[Vec3, Mat3, Vec3]:
    """In the frame of link i of a spherical joint the angular velocity and U of the body before the joint,
    and the angular velocity of the body behind it.
    """
    first = i - (ways[i].link.ball or 0)
    parent, w = ways[first].link.parent, movements[first + 2].w
    for way in reversed(ways[i + 1 : first + 3]):
        w = way.ahead(w)
    if parent < 0:
        return Vec3.zero(), Mat3((0,) * 9), w
    o, do = movements[parent].w, movements[parent].dw
    for way in ways[first : i + 1]:
        o, do = way.back(o), way.back(do)
    return o, whirl(do, o), w


def _flows(
    tree: Tree, ways: Sequence[Carriage], q: Sequence[Scalar], movements: Sequence[Movement]
) -> list[Flow]:
    """The bodies behind each joint, and its own, about the origin of its body."""
    found = [flow_of(way.moments, m.w) for way, m in zip(ways, movements, strict=True)]
    for i in reversed(tree.jointed):
        way, own = ways[i], found[i]
        found[i] = own = _named(i, own)
        if way.link.parent < 0:
            continue
        if way.link.slides:
            at = Z * position_of(tree, i, q)
            own = own.shifted(at, movements[i].w.cross(at) + Z * movements[i].rate)
        moved = own.ahead(way.steps).shifted(way.arm, movements[way.link.parent].w.cross(way.arm))
        found[way.link.parent] = found[way.link.parent].plus(moved)
    return found


def _named(i: int, flow: Flow) -> Flow:
    body = Moments(flow.body.m, let(f"h_{i}", flow.body.h), let(f"S_{i}", flow.body.S))
    return Flow(body, let(f"P_{i}", flow.P), let(f"W_{i}", flow.W))


def flow_of(body: Moments, w: Vec3) -> Flow:
    """A body that turns about its origin: V = w x r."""
    columns = [w.cross(Vec3(*row.scalars())) for row in body.S.dense.rows]
    return Flow(body, w.cross(body.h), Mat3.from_columns(*columns))


def _plus(A: Mat3, B: Mat3) -> Mat3:
    return Mat3(tuple(a + b for a, b in zip(A.m, B.m, strict=True)))


class _Table:
    """Collects the derivatives of the links' joints."""

    def __init__(
        self,
        tree: Tree,
        ways: Sequence[Carriage],
        q: Sequence[Scalar],
        movements: Sequence[Movement],
        seeds: Sequence[tuple[Seed, Seed]],
    ) -> None:
        self.tree, self.ways, self.q, self.movements, self.seeds = tree, ways, q, movements, seeds
        self.by_q: dict[tuple[int, int], Scalar] = {}
        self.by_v: dict[tuple[int, int], Scalar] = {}
        self.base: dict[int, tuple[Force, Force]] = {}
        self.forms: dict[int, Form] = {}

    def read_before(self, j: int, flow: Flow, total: Force) -> None:
        """The rows of joint j and of those before it, in the column of joint j."""
        by_q, by_v = (flow.change(seed) for seed in self.seeds[j])
        self._put(j, j, self._along(j, by_q), self._along(j, by_v))
        if self.ways[j].link.slides:
            moved = Force(Z.cross(total.f), Vec3.zero())
        else:
            moved = Force(Z.cross(total.n), Z.cross(total.f))
        k = j
        while self.ways[k].link.parent >= 0:
            if self.ways[k].link.ball:  # the rows of this joint are in axes that turn with its body
                moved = self._carried(k, moved)
            else:
                by_q, moved = by_q + moved, Force(Vec3.zero(), Vec3.zero())
            by_q, by_v = (self._carried(k, wrench) for wrench in (by_q, by_v))
            k = self.ways[k].link.parent
            if self.ways[k].link.free:
                self.base[j] = by_q, by_v
                return
            self._put(k, j, self._along(k, by_q), self._along(k, by_v))

    def read_behind(self, i: int, flow: Flow) -> None:
        """The row of joint i, in the columns of the joints before it."""
        way, body, W, P = self.ways[i], flow.body, flow.W, flow.P
        if way.link.slides:
            c = Vec3(P.y, -P.x, 0)
            form = Form(Vec3(0, 0, body.m), Vec3(body.h.y, -body.h.x, 0), c + c)
        else:
            c = Vec3(-W.m[6], -W.m[7], W.m[0] + W.m[4])
            S = body.S
            form = Form(Vec3(-body.h.y, body.h.x, 0), Vec3(-S.xz, -S.yz, S.xx + S.yy), c + c)
        k = i
        while self.ways[k].link.parent >= 0:
            form = self._passed(k, form)
            k = self.ways[k].link.parent
            if self.ways[k].link.free:
                self.forms[i] = form
                return
            self._put(i, k, *(form.of(seed) for seed in self.seeds[k]))

    def _put(self, i: int, j: int, by_q: Scalar, by_v: Scalar) -> None:
        if self.ways[i].link.sign != self.ways[j].link.sign:
            by_q, by_v = -by_q, -by_v
        if i == j:
            by_v = by_v + slope_of_losses(self.ways[i].link, self.movements[i])
        self.by_q[i, j], self.by_v[i, j] = let(f"q_{i}_{j}", by_q), let(f"v_{i}_{j}", by_v)

    def _along(self, i: int, wrench: Force) -> Scalar:
        return wrench.f.z if self.ways[i].link.slides else wrench.n.z

    def _carried(self, k: int, wrench: Force) -> Force:
        """A wrench on body k about its origin, about that of its parent and in the parent's frame."""
        way, n, f = self.ways[k], wrench.n, wrench.f
        if way.link.slides:
            n = n + Z.cross(f) * position_of(self.tree, k, self.q)
        f = way.ahead(f)
        return Force(way.ahead(n) + way.arm.cross(f), f)

    def _passed(self, k: int, form: Form) -> Form:
        """A form of seeds at body k as one of seeds at its parent."""
        way = self.ways[k]
        if way.link.slides:
            at = Z * position_of(self.tree, k, self.q)
            form = form.shifted(at, self.movements[k].w.cross(at) + Z * self.movements[k].rate)
        V = self.movements[way.link.parent].w.cross(way.arm)
        return form.ahead(way.steps).shifted(way.arm, V)

    def result(self, of_base: Flow) -> Slopes:
        """The derivatives by the coordinates."""
        by_q, by_v = (self._rows(elements) for elements in (self.by_q, self.by_v))
        if not self.tree.floating:
            return Slopes(by_q, by_v, [], [], [], of_base)
        return Slopes(by_q, by_v, self._columns(0), self._columns(1), self._forms(), of_base)

    def _forms(self) -> list[Form]:
        links = [self.ways[j].link for j in self.tree.jointed]
        parts = [
            [signed(x, link) for v in (f.f, f.n, f.c) for x in v.scalars()]
            for f, link in zip((self.forms[j] for j in self.tree.jointed), links, strict=True)
        ]
        rows = [of_coordinates(self.tree, [part[k] for part in parts]) for k in range(9)]
        return [
            Form(*(Vec3(*(row[k] for row in rows[i : i + 3])) for i in (0, 3, 6)))
            for k in range(self.tree.count)
        ]

    def _rows(self, elements: dict[tuple[int, int], Scalar]) -> list[Row]:
        links = self.tree.jointed
        rows = [of_coordinates(self.tree, [elements.get((i, j), 0) for j in links]) for i in links]
        count = self.tree.count
        columns = [of_coordinates(self.tree, [row[k] for row in rows]) for k in range(count)]
        return [[column[k] for column in columns] for k in range(count)]

    def _columns(self, which: int) -> list[Force]:
        parts = [
            [signed(x, self.ways[j].link) for x in self.base[j][which].scalars()] for j in self.tree.jointed
        ]
        rows = [of_coordinates(self.tree, [part[k] for part in parts]) for k in range(6)]
        return [
            Force(Vec3(*(row[k] for row in rows[:3])), Vec3(*(row[k] for row in rows[3:])))
            for k in range(self.tree.count)
        ]
