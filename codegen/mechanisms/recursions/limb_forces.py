"""Inverse dynamics with a loop over limbs that are alike: what is before it, and what a turn computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from codegen.frontends.formula import lower
from codegen.ir.loops import Looped, Part, Place
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program
from codegen.ir.types import REAL, Scalar
from codegen.mechanisms.recursions.dynamics import forces_of, movements_of
from codegen.mechanisms.recursions.formulas import base_of
from codegen.mechanisms.recursions.limb_parts import (
    MOTION,
    MOVEMENT,
    Split,
    array,
    movement_of,
    numbers_of,
    part,
    whole,
)
from codegen.mechanisms.recursions.limbs import Limbs, limb_forces
from codegen.mechanisms.trees.carriage import carriages, late_for_forces
from codegen.mechanisms.trees.coordinates import of_coordinates
from codegen.mechanisms.trees.turns import number
from codegen.passes import simplified

_ACCELERATION, _U = range(6, 9), range(9, 18)
"""The places of these in a movement."""

_POINT = "points"
"""The accelerations of the points of the base where limbs start."""

_WRENCH = array("wrench", 6, "wrench on the base")


def forces_in_loops(split: Split) -> Looped:
    """Inverse dynamics, with a loop for each group of limbs."""
    return _Forces(split).looped


@dataclass(frozen=True)
class _Forces:
    """Inverse dynamics of a tree."""

    split: Split

    @property
    def looped(self) -> Looped:
        """The Programs before the loops and in them.

        The base's movement, the accelerations of its points and the wrench are local arrays.
        """
        split = self.split
        before = self._before(self._felt)
        turns = [self._turn(k, g, self._felt) for k, g in enumerate(split.groups)]
        own = before.outputs[: len(before.outputs) - len(split.places)]
        wrench = next(a for a in own if a.name == _WRENCH.name)
        takes = tuple(Place(a.name) for a in split.inputs)
        gives = (*(Place(a.name) for a in own), *(Place(split.outputs[1].name, k) for k in split.places))
        loops = (self._loop(k, turn) for k, turn in enumerate(turns))
        end = part([whole(wrench)], [whole(split.outputs[0])], lambda total: total)
        return Looped(
            split.inputs, split.outputs, own, split.tables, (Part(before, takes, gives), *loops, end)
        )

    def _loop(self, index: int, turn: Program) -> Part:
        """The loop over a group of limbs."""
        limbs = self.split.groups[index]
        base, wrench, *rows = (a for a in turn.inputs if a.name not in MOTION)
        motion = (a for a in turn.inputs if a.name in MOTION)
        of_limb = [self.split.of_limb(index, a)[1] for a in (*motion, turn.outputs[1])]
        own = (Place(a.name, 0, a.size) for a in rows)
        takes = (Place(base.name), Place(wrench.name), *own, *of_limb[:-1])
        return Part(turn, takes, (Place(wrench.name), of_limb[-1]), len(limbs.rows))

    @cached_property
    def _fixed(self) -> Mapping[int, Fraction]:
        """The numbers of the base's movement that are constants, as at rest."""
        program = simplified(self._before(range(MOVEMENT)))
        nodes = (program.nodes[r] for r in program.results[:MOVEMENT])
        return {k: Fraction(n.value or 0) for k, n in enumerate(nodes) if n.op is Op.CONSTANT}

    @property
    def _turns(self) -> bool:
        """Whether the base turns, so that its points have accelerations of their own."""
        return any(k not in self._fixed for k in _U)

    @cached_property
    def _felt(self) -> list[int]:
        """The other numbers of the base's movement on which limbs depend, but for accelerations of points."""
        given = {*self._fixed, *(_ACCELERATION if self._turns else ())}
        moving = [k for k in range(MOVEMENT) if k not in given]
        used: set[int] = set()
        for i, limbs in enumerate(self.split.groups):
            program = simplified(self._turn(i, limbs, moving))
            used |= {int(n.value or 0) for n in program.nodes if n.op is Op.INPUT}
        return [k for i, k in enumerate(moving) if i in used]

    def _before(self, felt: Sequence[int]) -> Program:
        """What is before the loops: these numbers of the base's movement, and the forces of the trunk."""
        tau = self.split.outputs[1]
        own = [Arg(f"{tau.name}_{k}", REAL, tau.unit, tau.doc) for k in self.split.places]
        points = [] if len(felt) == MOVEMENT or not self._turns else self._points
        return lower(
            self.split.inputs,
            [*points, _base(felt), _WRENCH, *own],
            partial(self._trunk, felt, bool(points)),
            False,
        )

    @property
    def _points(self) -> list[Arg]:
        """For each group the accelerations of the points where its limbs start."""
        return [_points(k, len(limbs.rows)) for k, limbs in enumerate(self.split.groups)]

    def _trunk(self, felt: Sequence[int], with_points: bool, *values: Any) -> Any:
        """The formula of what is before the loops."""
        tree, given = self.split.trunk(values)
        q, v, a = (given.get(n, [0] * len(tree.jointed)) for n in ("q", "v", "a"))
        ways = carriages(tree, q, late_for_forces(tree))
        movements = movements_of(tree, ways, q, v, a, base_of(given))
        wrench, tau = forces_of(tree, ways, q, movements)
        assert wrench is not None
        numbers, base = numbers_of(movements[0]), movements[0]
        points = []
        for limbs in self.split.groups if with_points else ():
            arms = (self.split.tree.links[bodies[0]].p.map(number) for bodies in limbs.bodies)
            points.append([x for arm in arms for x in (base.a + base.U @ arm).scalars()])
        found = (*points, [numbers[k] for k in felt], [*wrench.n.scalars(), *wrench.f.scalars()])
        return (*found, *of_coordinates(tree, tau)) if self.split.places else found

    def _turn(self, index: int, limbs: Limbs, felt: Sequence[int]) -> Program:
        """What a turn computes, from these numbers of the base's movement."""
        motion = [self.split.of_limb(index, a)[0] for a in self.split.motion]
        inputs = [
            _base(felt),
            _WRENCH,
            self.split.table(index),
            *([_points(index, 1)] if self._turns else []),
            *motion,
        ]
        tau, _ = self.split.of_limb(index, self.split.outputs[1])
        names = [*([_POINT] if self._turns else []), *(a.name for a in motion)]
        formula = partial(_limb, limbs, felt, self._fixed, names)
        return lower(inputs, [_WRENCH, tau], formula, False)


def _limb(
    limbs: Limbs,
    felt: Sequence[int],
    fixed: Mapping[int, Fraction],
    names: Sequence[str],
    base: Sequence[Scalar],
    wrench: Sequence[Scalar],
    row: Sequence[Scalar],
    *others: Sequence[Scalar],
) -> Any:
    """The formula of a turn: the wrench with that of one more limb, and the forces of its joints."""
    known = {k: number(x) for k, x in fixed.items()} | dict(zip(felt, base, strict=True))
    moves = dict(zip(names, others, strict=True))
    known |= zip(_ACCELERATION, moves.pop(_POINT, ()), strict=False)
    still = [0] * len(limbs.tree.links)
    q, v, a = (moves.get(name, still) for name in ("q", "v", "a"))
    tree = limbs.with_numbers(row)
    own, tau = limb_forces(tree, movement_of([known.get(k, 0) for k in range(MOVEMENT)]), q, v, a)
    total = [x + y for x, y in zip(wrench, [*own.n.scalars(), *own.f.scalars()], strict=True)]
    return total, tau


def _points(index: int, count: int) -> Arg:
    """The accelerations of the points where so many limbs of a group start."""
    doc = "accelerations of the points of the base where the limbs start, less gravity"
    return array(f"{_POINT}_{index + 1}" if index else _POINT, 3 * count, doc)


def _base(felt: Sequence[int]) -> Arg:
    return array("base", len(felt), "movement of the base")
