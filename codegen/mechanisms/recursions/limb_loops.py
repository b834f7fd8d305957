"""Inverse dynamics with a loop over limbs that are alike: what is before it, and what a turn computes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeAlias

from codegen.frontends.formula import lower
from codegen.ir.loops import Looped, Part, Place
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program
from codegen.ir.types import REAL, Array, Scalar
from codegen.mechanisms.recursions.acting import Acting, under
from codegen.mechanisms.recursions.dynamics import Base, Movement, forces_of, movements_of
from codegen.mechanisms.recursions.limbs import Limbs, alike, limb_forces, trunk_of
from codegen.mechanisms.trees.carriage import carriages, late_for_forces
from codegen.mechanisms.trees.coordinates import of_coordinates, of_links
from codegen.mechanisms.trees.tree import Tree
from codegen.mechanisms.trees.turns import number
from codegen.modeling.types.algebra import Mat3, Vec3
from codegen.passes import nearly_simplified, simplified
from codegen.passes.search.search import price

_MOVEMENT = 18
"""The numbers of a movement: w, dw, the acceleration of the origin, U."""

_ACCELERATION, _U = range(6, 9), range(9, 18)
"""The places of these in a movement."""

_POINT = "points"
"""The accelerations of the points of the base where limbs start."""

_WRENCH = Arg("wrench", Array((6,)), "mixed", "wrench on the base")

_MOTION = ("q", "v", "a")

Given = Callable[[Sequence[str], Sequence[Any]], Mapping[str, Any]]
"""(names, values) -> the arguments of a formula: positions, velocities and accelerations by coordinate."""


@dataclass(frozen=True)
class LimbLoops:
    """Inverse dynamics of a tree, from `inputs` to `outputs`, with a loop for each group of limbs.

    `given` reads the arguments; `base_of` takes the motion of the base from them.
    """

    tree: Tree
    groups: Sequence[Limbs]
    inputs: Sequence[Arg]
    outputs: Sequence[Arg]
    given: Given
    base_of: Callable[[Mapping[str, Any]], Base | None]

    @cached_property
    def looped(self) -> Looped:
        """The Programs before the loops and in them.

        The base's movement, the accelerations of its points and the wrench are local arrays.
        """
        before, turns = self._programs
        _, places = trunk_of(self.tree, self.groups)
        own = before.outputs[: len(before.outputs) - len(places)]
        wrench = next(a for a in own if a.name == _WRENCH.name)
        takes = tuple(Place(a.name) for a in self.inputs)
        gives = (*(Place(a.name) for a in own), *(Place(self.outputs[1].name, k) for k in places))
        loops = (self._loop(limbs, turn) for limbs, turn in zip(self.groups, turns, strict=True))
        end = lower([wrench], self.outputs[:1], lambda total: total, False)
        parts = (
            Part(before, takes, gives),
            *loops,
            Part(end, (Place(wrench.name),), (Place(self.outputs[0].name),)),
        )
        tables = {
            turn.inputs[2].name: tuple(x for row in limbs.rows for x in row)
            for limbs, turn in zip(self.groups, turns, strict=True)
        }
        return Looped(tuple(self.inputs), tuple(self.outputs), own, tables, parts)

    def _loop(self, limbs: Limbs, turn: Program) -> Part:
        """The loop over a group of limbs."""
        base, wrench, *rows = (a for a in turn.inputs if a.name not in _MOTION)
        motion = (a for a in turn.inputs if a.name in _MOTION)
        of_limb = [Place(a.name, limbs.first, limbs.stride) for a in (*motion, turn.outputs[1])]
        own = (Place(a.name, 0, a.size) for a in rows)
        takes = (Place(base.name), Place(wrench.name), *own, *of_limb[:-1])
        return Part(turn, takes, (Place(wrench.name), of_limb[-1]), len(limbs.rows))

    @cached_property
    def _programs(self) -> tuple[Program, list[Program]]:
        """What is before the loops, and a turn of each."""
        return self._before(self._felt), [self._turn(k, g, self._felt) for k, g in enumerate(self.groups)]

    @cached_property
    def _works(self) -> tuple[float, list[tuple[int, float]]]:
        """The price of what is before the loops, and of each loop its turns and the price of one.

        It is that of forms nearly as simple as the last ones.
        """
        before, turns = self._programs
        works = [price(nearly_simplified(program)).work for program in (before, *turns)]
        return works[0], [(len(g.rows), turn) for g, turn in zip(self.groups, works[1:], strict=True)]

    @property
    def work(self) -> float:
        """The price of all turns."""
        before, loops = self._works
        return before + sum(turns * work for turns, work in loops)

    @property
    def length(self) -> float:
        """The price of one turn of each loop, and one for each number of the tables."""
        before, loops = self._works
        return before + sum(work for _, work in loops) + sum(len(row) for g in self.groups for row in g.rows)

    @cached_property
    def _fixed(self) -> Mapping[int, Fraction]:
        """The numbers of the base's movement that are constants, as at rest."""
        program = simplified(self._before(range(_MOVEMENT)))
        nodes = (program.nodes[r] for r in program.results[:_MOVEMENT])
        return {k: Fraction(n.value or 0) for k, n in enumerate(nodes) if n.op is Op.CONSTANT}

    @property
    def _turns(self) -> bool:
        """Whether the base turns, so that its points have accelerations of their own."""
        return any(k not in self._fixed for k in _U)

    @cached_property
    def _felt(self) -> list[int]:
        """The other numbers of the base's movement on which limbs depend, but for accelerations of points."""
        given = {*self._fixed, *(_ACCELERATION if self._turns else ())}
        moving = [k for k in range(_MOVEMENT) if k not in given]
        used: set[int] = set()
        for i, limbs in enumerate(self.groups):
            program = simplified(self._turn(i, limbs, moving))
            used |= {int(n.value or 0) for n in program.nodes if n.op is Op.INPUT}
        return [k for i, k in enumerate(moving) if i in used]

    def _before(self, felt: Sequence[int]) -> Program:
        """What is before the loops: these numbers of the base's movement, and the forces of the trunk."""
        _, places = trunk_of(self.tree, self.groups)
        tau = self.outputs[1]
        own = [Arg(f"{tau.name}_{k}", REAL, tau.unit, tau.doc) for k in places]
        points = [] if len(felt) == _MOVEMENT or not self._turns else self._points
        return lower(
            self.inputs,
            [*points, _base(felt), _WRENCH, *own],
            partial(self._trunk, felt, bool(points)),
            False,
        )

    @property
    def _points(self) -> list[Arg]:
        """For each group the accelerations of the points where its limbs start."""
        return [_points(k, len(limbs.rows)) for k, limbs in enumerate(self.groups)]

    def _trunk(self, felt: Sequence[int], with_points: bool, *values: Any) -> Any:
        """The formula of what is before the loops."""
        given = dict(self.given([a.name for a in self.inputs], values))
        trunk, places = trunk_of(self.tree, self.groups)
        acting: Acting | None = given.pop("acting", None)
        tree = under(trunk, acting)
        q, v, a = ([given[n][k] if n in given else 0 for k in places] for n in _MOTION)
        q, v, a = (of_links(tree, x) for x in (q, v, a))
        ways = carriages(tree, q, late_for_forces(tree))
        movements = movements_of(tree, ways, q, v, a, self.base_of(given))
        wrench, tau = forces_of(tree, ways, q, movements)
        assert wrench is not None
        numbers, base = _scalars(movements[0]), movements[0]
        points = []
        for limbs in self.groups if with_points else ():
            arms = (self.tree.links[bodies[0]].p.map(number) for bodies in limbs.bodies)
            points.append([x for arm in arms for x in (base.a + base.U @ arm).scalars()])
        found = (*points, [numbers[k] for k in felt], [*wrench.n.scalars(), *wrench.f.scalars()])
        return (*found, *of_coordinates(tree, tau)) if places else found

    def _turn(self, index: int, limbs: Limbs, felt: Sequence[int]) -> Program:
        """What a turn computes, from these numbers of the base's movement."""
        joints = len(limbs.tree.links)
        table = f"limbs_{index + 1}" if index else "limbs"
        motion = [Arg(a.name, Array((joints,)), a.unit, a.doc) for a in self.inputs if a.name in _MOTION]
        inputs = [
            _base(felt),
            _WRENCH,
            Arg(table, Array((len(limbs.rows[0]),)), "mixed", "numbers of a limb"),
            *([_points(index, 1)] if self._turns else []),
            *motion,
        ]
        tau = Arg("tau", Array((joints,)), self.outputs[1].unit, self.outputs[1].doc)
        names = [*([_POINT] if self._turns else []), *(a.name for a in motion)]
        formula = partial(_limb, limbs, felt, self._fixed, names)
        return lower(inputs, [_WRENCH, tau], formula, False)


Alike: TypeAlias = tuple[Tree, Sequence[Limbs]]
"""A tree with its groups of limbs that are alike."""


def trees_with_limbs(trees: Iterable[Tree], alone: Iterable[str]) -> list[Alike]:
    """Those of the trees that have limbs that are alike.

    Links in `alone` have arguments of their own, so that no other limb is alike.
    """
    names = [*alone]
    found = ((tree, alike(tree, {tree.frames[name].body for name in names})) for tree in trees)
    return [(tree, groups) for tree, groups in found if groups]


def best_loops(trees: Iterable[Alike], make: Callable[[Tree, Sequence[Limbs]], LimbLoops]) -> LimbLoops:
    """The loops that cover most bodies, with the least work among these trees."""

    def order(loops: LimbLoops) -> tuple[int, float]:
        return -sum(len(bodies) for group in loops.groups for bodies in group.bodies), loops.work

    return min((make(tree, groups) for tree, groups in trees), key=order)


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
    q, v, a = (moves.get(name, still) for name in _MOTION)
    tree = limbs.with_numbers(row)
    own, tau = limb_forces(tree, _movement([known.get(k, 0) for k in range(_MOVEMENT)]), q, v, a)
    total = [x + y for x, y in zip(wrench, [*own.n.scalars(), *own.f.scalars()], strict=True)]
    return total, tau


def _points(index: int, count: int) -> Arg:
    """The accelerations of the points where so many limbs of a group start."""
    doc = "accelerations of the points of the base where the limbs start, less gravity"
    return Arg(f"{_POINT}_{index + 1}" if index else _POINT, Array((3 * count,)), "mixed", doc)


def _base(felt: Sequence[int]) -> Arg:
    return Arg("base", Array((len(felt),)), "mixed", "movement of the base")


def _scalars(movement: Movement) -> list[Scalar]:
    """The numbers of a movement."""
    vectors = (movement.w, movement.dw, movement.a)
    return [*(x for vector in vectors for x in vector.scalars()), *movement.U.m]


def _movement(x: Sequence[Scalar]) -> Movement:
    return Movement(Vec3(*x[:3]), Vec3(*x[3:6]), Vec3(*x[6:9]), Mat3(tuple(x[9:])))
