"""Derivatives of inverse dynamics with loops over joints in a row.

The first loop computes the movements of bodies, from the base on. The second goes back to it with the
composite bodies and their momenta, which give for each joint how the wrench that moves what is behind it
changes with its position and its velocity, and its force as a linear form of changes of motion (`slopes`). A
loop in its turns reads a row and a column of the matrices from those of the joint and of the joints behind
it, and carries all to the body before. Where a result is the same object as an argument, only the last turn
writes to the elements of both, after it has read the argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from codegen.ir.loops import Looped, Part, Place
from codegen.ir.program import Arg
from codegen.ir.types import Scalar
from codegen.mechanisms.description.exact import Z
from codegen.mechanisms.recursions.chain_movements import WRENCH, JointMotion, Moved, Movements, Row
from codegen.mechanisms.recursions.chains import Chain, Segment
from codegen.mechanisms.recursions.dynamics import forces_of, movements_of, sense
from codegen.mechanisms.recursions.limb_parts import Placed, array, part, whole
from codegen.mechanisms.recursions.slopes import Flow, Form, Seed, across, flow_of, slopes
from codegen.mechanisms.trees.carriage import carriages, late_for_forces
from codegen.mechanisms.trees.tree import Moments
from codegen.mechanisms.trees.turns import Given, Turn, number
from codegen.modeling.types.algebra import Force, Mat3, SymMat3, Vec3
from codegen.modeling.types.elimination import is_zero

_MASS = array("mass", 1, "mass of the composite body")
_FLOW = array("flow", 21, "moments, momentum and its moments of the composite body")
_SPEEDS = array("speeds", 6, "velocities of origins: of the joint's slide, and of where it starts")
_SEED = 9
"""The numbers of a body's movement on which changes of motion depend: w, a, U z."""

_COLUMN = 21
"""The numbers that are carried of a joint: two wrenches and a form."""

_CHANGES = "changes of the wrench with a joint's position and velocity, and the form of its force"


def slopes_along(row: Row) -> Looped:
    """The derivatives, with three loops over the joints, of which one is in the turns of another."""
    return _Slopes(row).looped


@dataclass(frozen=True)
class _Slopes:
    """The derivatives of the joints' forces of a tree."""

    row: Row

    @property
    def looped(self) -> Looped:
        """The Programs before the loops, in them, between and behind them."""
        row, out = self.row, self._movements
        held = [out.movement, out.turned, out.loads, self._moved, WRENCH, _MASS, _FLOW, _SPEEDS]
        held += [self._columns, self._lost]
        parts = [out.before, out.loop, self._behind, self._bodies, self._elements, *self._losses]
        return Looped(row.inputs, row.outputs, tuple(held), row.tables, tuple(parts))

    @cached_property
    def _movements(self) -> Movements:
        return Movements(self.row, [(self._moved, _of_seeds)])

    @property
    def _moved(self) -> Arg:
        return self.row.held("moved", _SEED, "angular velocities, accelerations, and columns of U")

    @property
    def _lost(self) -> Arg:
        return self.row.held("lost", 1, "derivatives of losses by velocities")

    @property
    def _columns(self) -> Arg:
        """What is carried of each joint, the last one first."""
        return array("columns", _COLUMN * self.row.tree.count, _CHANGES)

    @property
    def _others(self) -> int:
        """The number of joints behind the row."""
        return self.row.tree.count - self.row.chain.end

    @property
    def _behind(self) -> Part:
        """What is behind the row, on its last body."""
        row, others = self.row, self._others
        gives = [whole(WRENCH), whole(_MASS), whole(_FLOW)]
        if others:
            gives.append((array("behind", _COLUMN * others, _CHANGES), Place(self._columns.name)))
            gives += self._last_rows()
        taken = map(whole, (self._movements.movement, *row.inputs))
        return part(taken, gives, self._rest)

    def _last_rows(self) -> Iterator[Placed]:
        """The elements of the joints behind the row."""
        n, end = self.row.tree.count, self.row.chain.end
        for a in self.row.outputs:
            for i in range(end, n):
                yield array(f"{a.name}_{i}", n - end, a.doc), Place(a.name, i * n + end)

    def _rest(self, numbers: Sequence[Scalar], *values: Any) -> Any:
        """The formula of what is behind the row: its wrench on the last body, its composite body, the
        changes that it makes there, and its elements.
        """
        rest = self.row.rest(self.row.known(values), JointMotion._fields)
        if rest is None:
            return [0] * WRENCH.size, [0], [0] * _FLOW.size
        tree, (q, v, a) = rest
        ground = self._movements.of_last(numbers)
        ways = carriages(tree, q, late_for_forces(tree))
        total, _ = forces_of(tree, ways, q, movements_of(tree, ways, q, v, a, None, ground))
        found = slopes(tree, q, v, a, None, ground)
        assert total is not None
        joints = zip(found.base_by_q, found.base_by_v, found.forms, strict=True)
        columns = [x for own in reversed([*joints]) for x in _column(*own)]
        return (
            total.scalars(),
            [found.of_base.body.m],
            _numbers(found.of_base),
            columns,
            *found.by_q,
            *found.by_v,
        )

    @property
    def _bodies(self) -> Part:
        """The loop back to the base."""
        row, chain, out = self.row, self.row.chain, self._movements
        motion = [a for a in row.motion if a.name in ("q", "v")]
        taken = [whole(WRENCH), whole(_MASS), whole(_FLOW), row.back(row.table, chain.width)]
        taken += [row.back(out.turned, 2), row.back(out.loads, 6), row.back(self._moved, _SEED)]
        own = array("column", _COLUMN, _CHANGES), Place(self._columns.name, _COLUMN * self._others, _COLUMN)
        kept = [] if is_zero(chain.typical.body.m) else [whole(_MASS)]
        kept += [row.back(self._lost, 1)] if self._losses else []
        gives = [whole(WRENCH), whole(_FLOW), whole(_SPEEDS), own, *kept]
        formula = partial(_body, chain, [a.name for a, _ in kept], [a.name for a in motion])
        return part([*taken, *row.joints_back(motion)], gives, formula, chain.count)

    @property
    def _elements(self) -> Part:
        """The loop over the joints behind in a turn of it."""
        row, count = self.row, self.row.chain.count
        place = Place(self._columns.name, _COLUMN * self._others, _COLUMN, -_COLUMN)
        column = array("column", _COLUMN, _CHANGES), place
        joint = [row.back(row.table, row.chain.width), row.back(self._movements.turned, 2)]
        positions = row.joints_back(a for a in row.motion if a.name == "q")
        taken = [column, *joint, row.back(self._moved, _SEED), whole(_SPEEDS)]
        gives = [column, *self._of_turn("column", row.tree.count), *self._of_turn("row", 1)]
        made = part([*taken, *positions], gives, partial(_carry, row.chain), count)
        return replace(made, steps=self._others + 1)

    @property
    def _losses(self) -> list[Part]:
        """The loop that adds the derivatives of losses to the elements on the diagonal, if there are any."""
        row, first = self.row, self.row.chain.first
        if is_zero(row.chain.typical.damping) and not (first.friction and first.creep):
            return []
        element = self._of_turn("own", 0)[1]
        return [part([element, row.back(self._lost, 1)], [element], _added, row.chain.count)]

    def _of_turn(self, what: str, step: int) -> list[Placed]:
        """An element of each matrix in a row and column of joint, from that on the diagonal on."""
        n, last = self.row.tree.count, self.row.chain.end - 1
        return [
            (array(f"{a.name}_{what}", 1, a.doc), Place(a.name, last * (n + 1), -(n + 1), step))
            for a in self.row.outputs
        ]


def _of_seeds(moved: Moved) -> list[Scalar]:
    """The numbers of a body's movement on which changes of motion depend."""
    body = moved.body
    return [*body.w.scalars(), *body.a.scalars(), *body.U.column(2).scalars()]


def _seeds(of: Segment, moved: Sequence[Scalar]) -> tuple[Seed, Seed]:
    """What the bodies behind a joint change by with its position, and with its velocity."""
    w, a, Uz = Vec3(*moved[:3]), Vec3(*moved[3:6]), Vec3(*moved[6:])
    sideways = across(w)
    twice = sideways + sideways
    by_q = Seed(across(a) * of.turns + Uz * of.slides, Uz * of.turns, sideways * of.turns)
    return by_q, Seed(twice * of.slides, twice * of.turns, Z * of.turns)


def _form(of: Segment, flow: Flow) -> Form:
    """The force of a joint as a linear form of what the bodies behind it change by."""
    h, S, P, W = flow.body.h, flow.body.S, flow.P, flow.W.m
    turned = Vec3(-W[6], -W[7], W[0] + W[4]) * of.turns
    c = turned + Vec3(P.y, -P.x, 0) * of.slides
    f = Vec3(-h.y, h.x, 0) * of.turns + Z * (flow.body.m * of.slides)
    n = Vec3(-S.xz, -S.yz, S.xx + S.yy) * of.turns + Vec3(h.y, -h.x, 0) * of.slides
    return Form(f * of.sign, n * of.sign, (c + c) * of.sign)


def _column(by_q: Force, by_v: Force, form: Form) -> list[Scalar]:
    """The numbers that are carried of a joint."""
    vectors = by_q.n, by_q.f, by_v.n, by_v.f, form.f, form.n, form.c
    return [x for vector in vectors for x in vector.scalars()]


def _numbers(flow: Flow) -> list[Scalar]:
    """The moments, the momentum and its moments of bodies."""
    return [*flow.body.h.scalars(), *flow.body.S.scalars(), *flow.P.scalars(), *flow.W.m]


def _flow(m: Scalar, x: Sequence[Scalar]) -> Flow:
    """The bodies that have this mass and these numbers."""
    return Flow(Moments(m, Vec3(*x[:3]), SymMat3(*x[3:9])), Vec3(*x[9:12]), Mat3(tuple(x[12:])))


def _body(
    chain: Chain,
    kept: Sequence[str],
    names: Sequence[str],
    wrench: Sequence[Scalar],
    mass: Sequence[Scalar],
    flow: Sequence[Scalar],
    row: Sequence[Scalar],
    turned: Sequence[Scalar],
    load: Sequence[Scalar],
    moved: Sequence[Scalar],
    *motion: Sequence[Scalar],
) -> Any:
    """The formula of a turn back to the base: wrench and composite body for the body before, velocities of
    origins, and what is carried of the joint.
    """
    of, joint, turn = chain.segment(row), JointMotion.of(names, motion), Turn(0, *turned)
    w = Vec3(*moved[:3])
    own = flow_of(of.body, w).plus(_flow(mass[0], flow))
    total = Force(Vec3(*load[:3]) + Vec3(*wrench[:3]), Vec3(*load[3:]) + Vec3(*wrench[3:]))
    by_q, by_v = (own.change(seed) for seed in _seeds(of, moved))
    n, f = Z.cross(total.n) * of.turns + Z.cross(total.f) * of.slides, Z.cross(total.f) * of.turns
    by_q = by_q + Force(n, f)
    by_q, by_v = (Force(x.n * of.sign, x.f * of.sign) for x in (by_q, by_v))
    at, rate = Z * (joint.q * of.sign * of.slides), joint.v * of.sign
    slid = w.cross(at) + Z * (rate * of.slides)
    before = of.R @ turn.ahead(w - Z * (rate * of.turns))
    started = before.cross(of.start)
    steps = Given(of.R), turn
    passed = own if is_zero(of.slides) else own.shifted(at, slid)
    passed = passed.ahead(steps).shifted(of.start, started)
    found = {_MASS.name: [passed.body.m], "lost": [_lost(chain, of, rate)]}
    wrench = _carried(of, turn, at, total).scalars()
    speeds = [*slid.scalars(), *started.scalars()]
    return (
        wrench,
        _numbers(passed),
        speeds,
        _column(by_q, by_v, _form(of, own)),
        *(found[name] for name in kept),
    )


def _lost(chain: Chain, of: Segment, rate: Scalar) -> Scalar:
    """The derivative by velocity of what damping and friction take of a joint's force."""
    first = chain.first
    if not (first.friction and first.creep):
        return of.damping
    way = sense(rate, first)
    return of.damping + (1 - way * way) * of.friction * number(1 / first.creep)


def _carry(
    chain: Chain,
    column: Sequence[Scalar],
    row: Sequence[Scalar],
    turned: Sequence[Scalar],
    moved: Sequence[Scalar],
    speeds: Sequence[Scalar],
    q: Sequence[Scalar],
) -> Any:
    """The formula of a turn in it: what is carried, as the body before has it, and elements of matrices."""
    of, turn = chain.segment(row), Turn(0, *turned)
    vectors = [Vec3(*column[k : k + 3]) for k in range(0, _COLUMN, 3)]
    by_q, by_v, form = Force(*vectors[:2]), Force(*vectors[2:4]), Form(*vectors[4:])
    own = [[form.of(seed) * of.sign] for seed in _seeds(of, moved)]
    others = [[(x.n.z * of.turns + x.f.z * of.slides) * of.sign] for x in (by_q, by_v)]
    at, steps = Z * (q[0] * of.sign * of.slides), (Given(of.R), turn)
    if not is_zero(of.slides):
        form = form.shifted(at, Vec3(*speeds[:3]))
    form = form.ahead(steps).shifted(of.start, Vec3(*speeds[3:]))
    by_q, by_v = (_carried(of, turn, at, x) for x in (by_q, by_v))
    return _column(by_q, by_v, form), *own, *others


def _carried(of: Segment, turn: Turn, at: Vec3, wrench: Force) -> Force:
    """A wrench about a body's origin, about that of the body before it and in its axes."""
    n, f = of.R @ turn.ahead(wrench.n + at.cross(wrench.f)), of.R @ turn.ahead(wrench.f)
    return Force(n + of.start.cross(f), f)


def _added(element: Sequence[Scalar], lost: Sequence[Scalar]) -> list[Scalar]:
    """The formula of an element with a derivative of losses."""
    return [element[0] + lost[0]]
