"""Inverse dynamics with loops over joints in a row: one from the base on, and one back to it.

A turn of the first loop computes the movement of a body and the wrench that it needs, one of the second the
wrench across its joint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from codegen.ir.loops import Looped, Part
from codegen.ir.types import Scalar
from codegen.mechanisms.description.exact import Z
from codegen.mechanisms.recursions.chain_movements import (
    FIRST_FORCE,
    WRENCH,
    JointMotion,
    Movements,
    Row,
    lost,
)
from codegen.mechanisms.recursions.chains import Chain
from codegen.mechanisms.recursions.dynamics import forces_of, movements_of
from codegen.mechanisms.recursions.limb_parts import part, whole
from codegen.mechanisms.trees.carriage import carriages, late_for_forces
from codegen.mechanisms.trees.coordinates import of_coordinates
from codegen.mechanisms.trees.turns import Turn
from codegen.modeling.types.algebra import Force, Vec3
from codegen.modeling.types.scalar import let


def forces_along(row: Row) -> Looped:
    """Inverse dynamics, with a loop over the joints from the base on and one back to it."""
    return _Forces(row).looped


@dataclass(frozen=True)
class _Forces:
    """Inverse dynamics of a tree."""

    row: Row

    @property
    def looped(self) -> Looped:
        """The Programs before the loops, in them, between and behind them."""
        row, out = self.row, self._movements
        held = [out.movement, out.turned, out.loads, WRENCH]
        parts = [out.before, out.loop, self._behind, self._inward]
        if row.chain.base is not None:
            held.append(FIRST_FORCE)
            taken = [whole(FIRST_FORCE), whole(WRENCH)]
            parts.append(part(taken, [row.of_base(row.outputs[0])], self._carried))
        return Looped(row.inputs, row.outputs, tuple(held), row.tables, tuple(parts))

    @cached_property
    def _movements(self) -> Movements:
        return Movements(self.row)

    @property
    def _behind(self) -> Part:
        """What is behind the row, on its last body."""
        row = self.row
        taken = map(whole, (self._movements.movement, *row.inputs))
        return part(taken, [whole(WRENCH), *row.behind(row.outputs[0])], self._rest)

    def _rest(self, numbers: Sequence[Scalar], *values: Any) -> Any:
        """The formula of what is behind the row: its wrench on the last body, and its joints' forces."""
        rest = self.row.rest(self.row.known(values), JointMotion._fields)
        if rest is None:
            return [0] * WRENCH.size
        tree, (q, v, a) = rest
        ways = carriages(tree, q, late_for_forces(tree))
        movements = movements_of(tree, ways, q, v, a, None, self._movements.of_last(numbers))
        total, tau = forces_of(tree, ways, q, movements)
        assert total is not None
        return [*total.n.scalars(), *total.f.scalars()], of_coordinates(tree, tau)

    @property
    def _inward(self) -> Part:
        """The loop back to the base."""
        row, taken = self.row, [whole(WRENCH), *self._movements.back]
        formula = partial(_transmit, row.chain, [a.name for a in row.motion])
        return part(taken, [whole(WRENCH), *row.joints_back(row.outputs)], formula, row.chain.count)

    def _carried(self, own: Sequence[Scalar], wrench: Sequence[Scalar]) -> list[Scalar]:
        """The formula of the force of the joint before the loops, which carries this wrench."""
        of, n, f = self.row.chain.base, Vec3(*wrench[:3]), Vec3(*wrench[3:])
        assert of is not None
        return [(own[0] + (n + of.arm.cross(f)).z) * of.sign]


def _transmit(
    chain: Chain,
    names: Sequence[str],
    wrench: Sequence[Scalar],
    row: Sequence[Scalar],
    turned: Sequence[Scalar],
    load: Sequence[Scalar],
    *motion: Sequence[Scalar],
) -> Any:
    """The formula of a turn back to the base: the wrench across the joint, and the joint's force."""
    of, n, f = chain.segment(row), Vec3(*wrench[:3]), Vec3(*wrench[3:])
    joint, turn = JointMotion.of(names, motion), Turn(0, *turned)
    total = Force(Vec3(*load[:3]) + n + of.arm.cross(f), Vec3(*load[3:]) + f)
    let("f", total, "the wrench that the joint transmits to the link, about its origin")
    own = total.n.z * of.turns + total.f.z * of.slides + lost(chain, of, joint)
    about = total.n + Z.cross(total.f) * (joint.q * of.sign * of.slides)
    n, f = of.R @ turn.ahead(about), of.R @ turn.ahead(total.f)
    return [*n.scalars(), *f.scalars()], [own * of.sign]
