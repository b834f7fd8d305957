"""Forward dynamics with loops over joints in a row, by the elimination of joints.

The first loop computes the movements of bodies whose joints do not accelerate, from the base on. The second
frees one joint after the other, from the last one: what a body feels is the articulated inertia of those
behind it, and the wrench that they need. The third finds the accelerations, from the base on, from the
numbers that the second has kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, NamedTuple

from codegen.frontends.formula import lower
from codegen.ir.loops import Looped, Part, Place
from codegen.ir.program import Arg
from codegen.ir.types import Scalar, flatten
from codegen.mechanisms.description.exact import Z
from codegen.mechanisms.recursions.chain_movements import FIRST_FORCE, JointMotion, Movements, Row, lost
from codegen.mechanisms.recursions.chains import Chain, Segment
from codegen.mechanisms.recursions.dynamics import forces_of, mass_elements, movements_of
from codegen.mechanisms.recursions.elimination import Articulated, along
from codegen.mechanisms.recursions.limb_parts import array, part, whole
from codegen.mechanisms.recursions.sparse import Elements
from codegen.mechanisms.trees.carriage import carriages, late_for_forces
from codegen.mechanisms.trees.coordinates import of_coordinates
from codegen.mechanisms.trees.tree import Link
from codegen.mechanisms.trees.turns import Given, Turn
from codegen.modeling.types.algebra import Force, Mat3, SymMat3, Vec3
from codegen.modeling.types.elimination import is_zero
from codegen.modeling.types.scalar import let
from codegen.passes import nearly_simplified
from codegen.passes.halves import halves

_FELT = array("felt", 27, "what a body feels of those behind: articulated inertia, and the wrench they need")
_GAINED = array("gained", 6, "acceleration of the next body's origin that joints add")


def accelerations_along(row: Row) -> Looped:
    """Forward dynamics, with three loops over the joints."""
    return _Accelerations(row).looped


class _Parts(NamedTuple):
    """The two parts of bodies, and the array in which the first keeps numbers."""

    first: Part
    second: Part
    kept: Arg


@dataclass(frozen=True)
class _Accelerations:
    """Forward dynamics of a tree."""

    row: Row

    @property
    def looped(self) -> Looped:
        """The Programs before the loops, in them, between and behind them."""
        row, out = self.row, self._movements
        bodies, behind = self._bodies, self._behind
        held = [out.movement, out.turned, out.loads, _FELT, _GAINED, bodies.kept]
        parts = [out.before, out.loop, self._end if behind is None else behind.first, bodies.first]
        parts += [self._at_base, bodies.second]
        if row.chain.base is not None:
            held.append(FIRST_FORCE)
        if behind is not None:
            held.append(behind.kept)
            parts.append(behind.second)
        return Looped(row.inputs, row.outputs, tuple(held), row.tables, tuple(parts))

    @cached_property
    def _movements(self) -> Movements:
        return Movements(self.row)

    @property
    def _end(self) -> Part:
        """What the last body feels where nothing is behind it."""
        return part([], [whole(_FELT)], lambda: [0] * _FELT.size)

    @property
    def _behind(self) -> _Parts | None:
        """What is behind the row, on its last body; None for nothing."""
        row = self.row
        found = row.behind(row.outputs[0])
        if not found:
            return None
        ((a, at),) = found
        inputs = [self._movements.movement, *row.inputs, _GAINED]
        program = nearly_simplified(lower(inputs, [_FELT, a], self._rest, False))
        cut = halves(program, 1, {_GAINED.name}, (), "kept_behind")
        kept = cut.first.outputs[-1]
        first = Part(
            cut.first, tuple(Place(x.name) for x in inputs[:-1]), (Place(_FELT.name), Place(kept.name))
        )
        return _Parts(first, Part(cut.second, (Place(kept.name), Place(_GAINED.name)), (at,)), kept)

    def _rest(self, numbers: Sequence[Scalar], *values: Any) -> Any:
        """The formula of what is behind the row: what the last body feels, and its joints' accelerations."""
        *given, gained = values
        known = self.row.known(given)
        rest = self.row.rest(known, ("q", "v"))
        assert rest is not None
        tree, (q, v) = rest
        ways = carriages(tree, q, late_for_forces(tree))
        still = [0] * len(tree.jointed)
        movements = movements_of(tree, ways, q, v, still, None, self._movements.of_last(numbers))
        total, bias = forces_of(tree, ways, q, movements)
        assert total is not None
        tau = zip([*known["tau"]][self.row.chain.end :], of_coordinates(tree, bias), strict=True)
        needed = [*(-x for x in total.scalars()), *(own - b for own, b in tau)]
        return _without_joints(mass_elements(tree, q), needed, gained)

    @property
    def _bodies(self) -> _Parts:
        """The loops that free the joints, and find their accelerations."""
        row, out = self.row, self._movements
        taken = [whole(_FELT), *out.back]
        ((a, at),) = row.joints_on(row.outputs)
        inputs = [*(x for x, _ in taken), _GAINED]
        formula = partial(_free, row.chain, [x.name for x in row.motion])
        program = nearly_simplified(lower(inputs, [_FELT, a, _GAINED], formula, False))
        again = {row.table.name, out.turned.name}
        cut = halves(program, 1, {_GAINED.name}, again, "kept")
        own = cut.first.outputs[-1]
        kept = row.held(own.name, own.size, own.doc)
        first = Part(
            cut.first,
            tuple(place for _, place in taken),
            (Place(_FELT.name), row.back(kept, own.size)[1]),
            row.chain.count,
        )
        places = (row.on(kept, own.size), row.on(row.table, row.chain.width), row.on(out.turned, 2))
        onward = (*(place for _, place in places), Place(_GAINED.name))
        return _Parts(first, Part(cut.second, onward, (at, Place(_GAINED.name)), row.chain.count), kept)

    @property
    def _at_base(self) -> Part:
        """What is between the loops: the acceleration of the joint before them."""
        row = self.row
        of = row.chain.base
        if of is None:
            return part([], [whole(_GAINED)], lambda: [0] * _GAINED.size)
        (tau,) = (row.of_base(x) for x in row.motion if x.name == "tau")
        taken = [whole(_FELT), whole(FIRST_FORCE), tau]
        return part(taken, [whole(_GAINED), row.of_base(row.outputs[0])], partial(_first, of))


def _first(of: Segment, felt: Sequence[Scalar], own: Sequence[Scalar], tau: Sequence[Scalar]) -> Any:
    """The formula of the acceleration of the joint before the loops, and of what it adds behind it."""
    body, load = _carried(of, felt)
    gain = (tau[0] * of.sign - own[0] - load.n.z) / (body.J.zz + of.armature)
    spin = Z * gain
    return [*spin.scalars(), *spin.cross(of.arm).scalars()], [gain * of.sign]


def _free(
    chain: Chain,
    names: Sequence[str],
    felt: Sequence[Scalar],
    row: Sequence[Scalar],
    turned: Sequence[Scalar],
    loads: Sequence[Scalar],
    *values: Sequence[Scalar],
) -> Any:
    """The formula of turns: what the body before feels, the joint's acceleration, and what it adds."""
    *motion, gained = values
    of, joint, turn = chain.segment(row), JointMotion.of(names, motion), Turn(0, *turned)
    at = Z * (joint.q * of.sign * of.slides)
    whole, load = _carried(of, felt)
    load = load + Force(Vec3(*loads[:3]), Vec3(*loads[3:]))
    let("p", load, "the bias force of the link")
    push = dict(zip(names, motion, strict=True))["tau"][0] * of.sign - lost(chain, of, joint)
    link = _kind(chain, of)
    U = Force(
        whole.J.rows[2] * of.turns + whole.H.column(2) * of.slides,
        whole.H.row(2) * of.turns + whole.M.rows[2] * of.slides,
    )
    inverse = 1 / (U.n.z * of.turns + U.f.z * of.slides + of.armature)
    let("inverse", inverse, "one divided by the articulated inertia along the joint, with the armature")
    per = along(Force(U.n * inverse, U.f * inverse), 1, link)
    rest = push - load.n.z * of.turns - load.f.z * of.slides
    total = along(load + Force(per.n * rest, per.f * rest), push, link)
    left, n = whole.freed(U, per, link), total.n + at.cross(total.f)
    left = left if is_zero(of.slides) else left.shifted(at)
    left = left.seen(turn).seen(Given(of.R))
    n, f = of.R @ turn.ahead(n), of.R @ turn.ahead(total.f)
    R = of.R.transpose
    w, a = turn.back(R @ Vec3(*gained[:3])), turn.back(R @ Vec3(*gained[3:]))
    a = a + w.cross(at)
    gain = rest * inverse - per.n.dot(w) - per.f.dot(a)
    w, a = w + Z * (gain * of.turns), a + Z * (gain * of.slides)
    tip = a + w.cross(of.arm)
    return _numbers(left, Force(n, f)), [gain * of.sign], [*w.scalars(), *tip.scalars()]


def _without_joints(
    elements: Elements, right: Sequence[Scalar], gained: Sequence[Scalar]
) -> tuple[list[Scalar], list[Scalar]]:
    """What a base feels of a mass matrix whose joints are eliminated, and what these gain with the base."""
    M, x, count = dict(elements), list(right), len(right)
    per: dict[int, list[Scalar]] = {}
    for k in reversed(range(_BASE, count)):
        inverse = 1 / M[k, k]
        per[k] = [M.get((i, k), 0) * inverse for i in range(k)]
        for i, own in enumerate(per[k]):
            M |= {(i, j): M.get((i, j), 0) - own * M.get((j, k), 0) for j in range(i, k)}
            x[i] = x[i] - own * x[k]
        x[k] = x[k] * inverse
    found = [*gained]
    for k in range(_BASE, count):
        found.append(x[k] - sum(own * other for own, other in zip(per[k], found, strict=True)))
    J, H, m = ([(i, j) for i in rows for j in columns] for rows, columns in _BLOCKS)
    body = [M[at] for at in (*_upper(J), *H, *_upper(m))]
    return [*body, *(-own for own in x[:_BASE])], found[_BASE:]


_BASE = 6
"""The rows of a base."""

_BLOCKS = ((range(3), range(3)), (range(3), range(3, 6)), (range(3, 6), range(3, 6)))


def _upper(elements: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(i, j) for i, j in elements if i <= j]


def _carried(of: Segment, felt: Sequence[Scalar]) -> tuple[Articulated, Force]:
    """A body with those behind it, about its origin, and the wrench that those behind it need."""
    J, H, M = SymMat3(*felt[:6]), Mat3(tuple(felt[6:15])), SymMat3(*felt[15:21])
    n, f = Vec3(*felt[21:24]), Vec3(*felt[24:])
    whole = Articulated.of(of.body).plus(Articulated(J, H, M).shifted(of.arm))
    return whole, Force(n + of.arm.cross(f), f)


def _kind(chain: Chain, of: Segment) -> Link:
    """What elimination knows of all joints alike: their kind, or, as with an armature, nothing."""
    same = is_zero(of.armature) and (is_zero(of.slides) or is_zero(of.turns))
    return replace(chain.first, slides=is_zero(of.turns), armature=Fraction(not same))


def _numbers(body: Articulated, load: Force) -> list[Scalar]:
    """The numbers of what a body feels."""
    return flatten([body.J, body.H, body.M, load])
