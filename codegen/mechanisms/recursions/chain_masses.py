"""The mass matrix with a loop over joints in a row, from the last one back to the base, and one in its turns.

A turn adds a body to the composite body of those behind it, and has the momentum that its joint's unit rate
gives them. The loop in it reads what acts on the joint of this momentum and of those of the joints behind, a
row of the packed triangle, and carries all of them to the body before. Nothing depends on the position of the
first joint, whose row is read at last: before that, no element is written to a place that the positions have
where both are the same object.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from codegen.ir.loops import Looped, Part, Place
from codegen.ir.program import Arg
from codegen.ir.types import Array, Scalar
from codegen.mechanisms.description.exact import Z
from codegen.mechanisms.recursions.chain_movements import Row
from codegen.mechanisms.recursions.chains import Chain, Segment
from codegen.mechanisms.recursions.dynamics import (
    in_rows,
    mass_matrix,
    momentum_of_sliding,
    momentum_of_turning,
    shifted_moments,
)
from codegen.mechanisms.recursions.limb_parts import Placed, array, part, whole
from codegen.mechanisms.trees.carriage import late_for_masses
from codegen.mechanisms.trees.tree import Moments
from codegen.mechanisms.trees.turns import Given, Turn
from codegen.modeling.types.algebra import Force, SymMat3, Vec3
from codegen.modeling.types.elimination import is_zero
from codegen.modeling.types.scalar import cos, let, sin

_MASS = array("mass", 1, "mass of the composite body")
_COMPOSITE = array("composite", 9, "moments of the composite body about the origin of the body before it")
_TURNED = array("turned", 2, "cosine and sine of the joint's angle")
_SLID = array("slid", 1, "what the joint slides")
_SIX = 6
"""The numbers of a momentum."""

_MOMENTUM = "momentum that a joint's unit rate gives what is behind it"


def masses_along(row: Row) -> Looped:
    """The packed mass matrix, with a loop over the joints and one in its turns."""
    return _Masses(row).looped


@dataclass(frozen=True)
class _Masses:
    """The mass matrix of a tree."""

    row: Row

    @property
    def looped(self) -> Looped:
        """The Programs before the loops, in them and behind them."""
        row = self.row
        held = (_MASS, _COMPOSITE, self._momenta, _TURNED, _SLID)
        parts = [self._behind, self._bodies, self._elements, *self._rotors, self._first, self._first_row]
        return Looped(row.inputs, row.outputs, held, row.tables, tuple(parts))

    @property
    def _masses(self) -> Arg:
        (masses,) = self.row.outputs
        return masses

    @property
    def _others(self) -> int:
        """The number of joints behind the row."""
        return self.row.tree.count - self.row.chain.end

    @property
    def _momenta(self) -> Arg:
        """The array of the momenta of unit rates, that of the last joint first."""
        count = self.row.tree.count - self.row.chain.start
        return array("momenta", _SIX * count, "momenta that unit rates of joints give what is behind them")

    @property
    def _behind(self) -> Part:
        """What is behind the row, on its last body."""
        row, others, M = self.row, self._others, self._masses
        gives = [whole(_MASS), whole(_COMPOSITE)]
        if others:
            own = _triangle(others)
            gives.append((array("behind", _SIX * others, self._momenta.doc), Place(self._momenta.name)))
            gives.append((array("last", own, M.doc), Place(M.name, M.size - own)))
        return part(map(whole, row.inputs), gives, self._rest)

    def _rest(self, *values: Any) -> Any:
        """The formula of its moments, momenta and elements."""
        rest = self.row.rest(self.row.known(values), ["q"])
        if rest is None:
            return [0], [0] * _COMPOSITE.size
        tree, (q,) = rest
        found = mass_matrix(tree, q, late_for_masses(tree))
        assert found.base is not None
        elements, joints = in_rows(found), range(_SIX, _SIX + self._others)
        momenta = [elements[i, j] for j in reversed(joints) for i in range(_SIX)]
        own = [elements.get((i, j), 0) for i in joints for j in joints if i <= j]
        return [found.base.m], _numbers(found.base), momenta, own

    @property
    def _bodies(self) -> Part:
        """The loop back to the base."""
        row, typical = self.row, self.row.chain.typical
        table = row.back(row.table, row.chain.width)
        taken = [whole(_MASS), whole(_COMPOSITE), table, *row.joints_back(row.motion)]
        kept = [*([] if is_zero(typical.body.m) else [_MASS]), *([] if is_zero(typical.slides) else [_SLID])]
        own = array("momentum", _SIX, _MOMENTUM), Place(self._momenta.name, _SIX * self._others, _SIX)
        gives = [whole(_COMPOSITE), whole(_TURNED), own, *map(whole, kept)]
        formula = partial(_body, row.chain, [a.name for a in kept])
        return part(taken, gives, formula, row.chain.count)

    @property
    def _elements(self) -> Part:
        """The loop over the momenta in a turn of it."""
        row, before = self.row, self._others + 1
        place = Place(self._momenta.name, _SIX * self._others, _SIX, -_SIX)
        momentum = array("momentum", _SIX, _MOMENTUM), place
        joint = [row.back(row.table, row.chain.width), whole(_TURNED)]
        joint += [] if is_zero(row.chain.typical.slides) else [whole(_SLID)]
        element = self._element(self._end - before, -before, 1, -1)
        made = part([momentum, *joint], [momentum, element], partial(_carry, row.chain), row.chain.count)
        return replace(made, steps=before)

    @property
    def _rotors(self) -> list[Part]:
        """The loop that adds the inertias of the joints' rotors to the elements on the diagonal, if any."""
        row, before = self.row, self._others + 1
        if is_zero(row.chain.typical.armature):
            return []
        element = self._element(self._end - before, -before, growth=-1)
        taken = [element, row.back(row.table, row.chain.width)]
        return [part(taken, [element], partial(_with_rotor, row.chain), row.chain.count)]

    @property
    def _first(self) -> Part:
        """What the first joint moves."""
        return part([whole(_MASS), whole(_COMPOSITE)], [self._element(0, 0)], partial(_moved, self._base))

    @property
    def _first_row(self) -> Part:
        """The loop over what acts on the first joint of the momenta."""
        count = self.row.tree.count - 1
        taken = [(array("momentum", _SIX, _MOMENTUM), Place(self._momenta.name, 0, _SIX))]
        return part(taken, [self._element(count, -1)], partial(_felt, self._base), count)

    @property
    def _base(self) -> Segment:
        base = self.row.chain.base
        assert base is not None
        return base

    @property
    def _end(self) -> int:
        """Where the elements of joints behind the row begin in the packed triangle."""
        return self._masses.size - _triangle(self._others)

    def _element(self, first: int, stride: int, step: int = 0, growth: int = 0) -> Placed:
        """An element of the packed triangle."""
        return replace(self._masses, type=Array((1,))), Place(self._masses.name, first, stride, step, growth)


def _triangle(count: int) -> int:
    return count * (count + 1) // 2


def _numbers(body: Moments) -> list[Scalar]:
    """The first and second moments of a body."""
    return [*body.h.scalars(), *body.S.scalars()]


def _whole(of: Segment, mass: Sequence[Scalar], composite: Sequence[Scalar]) -> Moments:
    """A body with those behind it, about its origin."""
    return of.body.plus(Moments(mass[0], Vec3(*composite[:3]), SymMat3(*composite[3:])))


def _along(of: Segment, momentum: Force) -> Scalar:
    """What a momentum is about or along the axis of a joint, with the sign of its position."""
    return (momentum.n.z * of.turns + momentum.f.z * of.slides) * of.sign


def _unit(of: Segment, body: Moments) -> Force:
    """The momentum that the joint's unit rate gives a body."""
    turning, sliding = momentum_of_turning(body, body.S.xx + body.S.yy), momentum_of_sliding(body)
    n, f = turning.n * of.turns + sliding.n * of.slides, turning.f * of.turns + sliding.f * of.slides
    return Force(n * of.sign, f * of.sign)


def _body(
    chain: Chain,
    kept: Sequence[str],
    mass: Sequence[Scalar],
    composite: Sequence[Scalar],
    row: Sequence[Scalar],
    position: Sequence[Scalar],
) -> Any:
    """The formula of a turn: the composite body for the body before it, and what its joint moves."""
    of = chain.segment(row)
    body, q = _whole(of, mass, composite), position[0] * of.sign
    let("h", body.h, "the first moment of mass of the link and of all behind it about the link's origin")
    let("S", body.S, "the second moment of mass of the link and of all behind it about the link's origin")
    turn, slid = Turn(q * of.turns, cos(q * of.turns), sin(q * of.turns)), q * of.slides
    S, h = body.S, body.h
    if not is_zero(of.slides):
        S, h = shifted_moments(S, h, body.m, Z * slid)
    h, S = of.R @ turn.ahead(h), Given(of.R).tensor(turn.tensor(S))
    S, h = shifted_moments(S, h, body.m, of.arm)
    found = {_MASS.name: [body.m], _SLID.name: [slid]}
    own = _unit(of, body)
    return _numbers(Moments(body.m, h, S)), [turn.c, turn.s], own.scalars(), *(found[name] for name in kept)


def _carry(
    chain: Chain,
    momentum: Sequence[Scalar],
    row: Sequence[Scalar],
    turned: Sequence[Scalar],
    slid: Sequence[Scalar] = (0,),
) -> Any:
    """The formula of a turn in it: a momentum, as the body before has it, and an element of the matrix."""
    of, turn, own = chain.segment(row), Turn(0, *turned), Force(Vec3(*momentum[:3]), Vec3(*momentum[3:]))
    n, f = of.R @ turn.ahead(own.n + Z.cross(own.f) * slid[0]), of.R @ turn.ahead(own.f)
    return [*(n + of.arm.cross(f)).scalars(), *f.scalars()], [_along(of, own)]


def _with_rotor(chain: Chain, element: Sequence[Scalar], row: Sequence[Scalar]) -> list[Scalar]:
    """The formula of an element on the diagonal with the inertia of the joint's rotor."""
    return [element[0] + chain.segment(row).armature]


def _moved(of: Segment, mass: Sequence[Scalar], composite: Sequence[Scalar]) -> list[Scalar]:
    """The formula of what the first joint moves."""
    return [_along(of, _unit(of, _whole(of, mass, composite))) + of.armature]


def _felt(of: Segment, momentum: Sequence[Scalar]) -> list[Scalar]:
    """The formula of what acts on the first joint of a momentum."""
    return [_along(of, Force(Vec3(*momentum[:3]), Vec3(*momentum[3:])))]
