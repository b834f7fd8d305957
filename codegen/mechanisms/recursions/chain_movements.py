"""The loop over joints in a row from the base on: the movement of each body, and the wrench that it needs.

The movement of the last body is that of a base for all that is behind it. A body before the loops is computed
before the first one, but for what it carries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias

from codegen.ir.loops import Part, Place
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program
from codegen.ir.types import Array, Scalar
from codegen.mechanisms.description.exact import IDENTITY, Z
from codegen.mechanisms.recursions.acting import under
from codegen.mechanisms.recursions.chains import Chain, Segment, rest_of
from codegen.mechanisms.recursions.dynamics import Movement, inertial, sense, whirl
from codegen.mechanisms.recursions.limb_parts import MOTION, Given, Placed, array, part, whole
from codegen.mechanisms.trees.coordinates import of_links
from codegen.mechanisms.trees.tree import Tree
from codegen.mechanisms.trees.turns import Turn
from codegen.modeling.types.algebra import Force, Vec3
from codegen.modeling.types.elimination import is_zero
from codegen.modeling.types.scalar import cos, let, sin
from codegen.passes import simplified

_NUMBERS = 9
"""The numbers of a movement: w, dw, the acceleration of the next body's origin."""

_ACCELERATION = range(6, 9)
"""The places of these in a movement."""

WRENCH = array("wrench", 6, "wrench across a joint, in axes of the body before it")
FIRST_FORCE = array("first_force", 1, "force of the first joint without what its body carries")

Vectors: TypeAlias = tuple[Vec3, Vec3, Vec3]
"""Angular velocity and acceleration of a body, and the acceleration of a point of it, less gravity."""


@dataclass(frozen=True)
class Row:
    """A function of a tree that starts with joints in a row, and its arguments, which `given` reads."""

    tree: Tree
    chain: Chain
    inputs: tuple[Arg, ...]
    outputs: tuple[Arg, ...]
    given: Given

    @property
    def motion(self) -> list[Arg]:
        """The inputs that have an element for each joint."""
        return [a for a in self.inputs if a.name in MOTION]

    @property
    def table(self) -> Arg:
        """The numbers of a body, as what a turn takes."""
        return Arg("joints", Array((self.chain.width,)), "mixed", "numbers of a joint and its body")

    @property
    def tables(self) -> dict[str, tuple[Any, ...]]:
        """The numbers of all bodies in the loops."""
        return {self.table.name: tuple(x for own in self.chain.rows for x in own)}

    def held(self, name: str, size: int, doc: str) -> Arg:
        """An array with so many elements for each joint in the loops."""
        return array(name, size * self.chain.count, doc)

    def on(self, a: Arg, size: int) -> Placed:
        """So many elements of an array in each turn from the base on."""
        return replace(a, type=Array((size,))), Place(a.name, 0, size)

    def back(self, a: Arg, size: int) -> Placed:
        """So many elements of an array in each turn back to the base."""
        return replace(a, type=Array((size,))), Place(a.name, size * (self.chain.count - 1), -size)

    def joints_on(self, arguments: Iterable[Arg]) -> list[Placed]:
        """Arguments with an element for each joint, in turns from the base on."""
        return [(_single(a), Place(a.name, self.chain.start, 1)) for a in arguments]

    def joints_back(self, arguments: Iterable[Arg]) -> list[Placed]:
        """Arguments with an element for each joint, in turns back to the base."""
        return [(_single(a), Place(a.name, self.chain.end - 1, -1)) for a in arguments]

    def of_base(self, a: Arg) -> Placed:
        """The element of an argument that is that of the joint before the loops."""
        return _single(a), Place(a.name)

    def behind(self, a: Arg) -> list[Placed]:
        """The elements of an argument that are those of joints behind the row, if there are any."""
        end = self.chain.end
        return [(array(f"{a.name}_{end}", a.size - end, a.doc), Place(a.name, end))] if a.size > end else []

    def known(self, values: Sequence[Any]) -> Mapping[str, Any]:
        """The arguments of a formula by name."""
        return self.given([a.name for a in self.inputs], values)

    def rest(self, known: Mapping[str, Any], names: Iterable[str]) -> tuple[Tree, list[Any]] | None:
        """What is behind the row, under what acts on it, and motions of its links; None for nothing.

        A motion that is no argument is zero.
        """
        tree, end = rest_of(self.tree, self.chain.end), self.chain.end
        if tree is None:
            return None
        tree = under(tree, known.get("acting"))
        still = [0] * len(tree.jointed)
        return tree, [of_links(tree, [*known[n]][end:]) if n in known else still for n in names]


def _single(a: Arg) -> Arg:
    return replace(a, type=Array((1,)), range=None)


class JointMotion(NamedTuple):
    """Position, velocity and acceleration of a joint."""

    q: Scalar
    v: Scalar
    a: Scalar

    @classmethod
    def of(cls, names: Sequence[str], motion: Sequence[Sequence[Scalar]]) -> JointMotion:
        """The first numbers of arguments, zero where they are none."""
        known = dict(zip(names, motion, strict=True))
        return cls(*(known[name][0] if name in known else 0 for name in cls._fields))


class Moved(NamedTuple):
    """What a turn computes."""

    tip: Vectors
    turn: Turn
    body: Movement
    load: Force


Kept: TypeAlias = tuple[Arg, Callable[[Moved], list[Scalar]]]
"""An array, and the numbers of a body that it holds."""


@dataclass(frozen=True)
class Movements:
    """The loop from the base on, and what is before it.

    It also leaves numbers of the movement of each body in the arrays `kept`.
    """

    row: Row
    kept: Sequence[Kept] = ()

    @property
    def movement(self) -> Arg:
        """The array of the numbers of a movement that are not zero for all bodies."""
        return _array_of(self._moving)

    @property
    def turned(self) -> Arg:
        """The array of the rotations of joints."""
        return self.row.held("turned", 2, "cosines and sines of the angles")

    @property
    def loads(self) -> Arg:
        """The array of the wrenches that bodies need."""
        return self.row.held("loads", 6, "wrenches that the bodies need")

    @cached_property
    def _moving(self) -> list[int]:
        """The numbers of a movement that are not zero for all bodies."""
        moving = {*_ACCELERATION, *_not_zero(self._first(range(_NUMBERS)).program)}
        while True:
            order = sorted(moving)
            found = moving.union(_not_zero(self._turns(order, range(_NUMBERS)).program))
            if found == moving:
                return order
            moving = found

    @property
    def before(self) -> Part:
        """What is before the loops."""
        return self._first(self._moving)

    @property
    def loop(self) -> Part:
        """The loop, which leaves the movement of the last body, rotations and wrenches."""
        return self._turns(self._moving, self._moving)

    @property
    def back(self) -> list[Placed]:
        """What a turn back to the base takes of a joint: numbers, rotation, wrench, elements of arguments."""
        row = self.row
        own = [row.back(row.table, row.chain.width), row.back(self.turned, 2), row.back(self.loads, 6)]
        return [*own, *row.joints_back(row.motion)]

    def of_last(self, numbers: Sequence[Scalar]) -> Movement:
        """The movement of the last body that has these numbers."""
        w, dw, a = _vectors(self._moving, numbers)
        return Movement(w, dw, a, whirl(dw, w))

    def _first(self, left: Sequence[int]) -> Part:
        """The movement from which the loop starts, of which these numbers are left."""
        row = self.row
        own = [whole(FIRST_FORCE)] if row.chain.base is not None else []
        return part(map(whole, row.inputs), [whole(_array_of(left)), *own], partial(self._started, left))

    def _started(self, left: Sequence[int], *values: Any) -> Any:
        """The formula of the movement from which the loop starts, and of the force of the joint before it."""
        row = self.row
        known = row.known(values)
        still = Vec3.zero(), Vec3.zero(), under(row.tree, known.get("acting")).lift(IDENTITY)
        if row.chain.base is None:
            return [_scalars(still)[k] for k in left]
        of, joint = row.chain.base, JointMotion.of([*known], [*known.values()])
        moved = _moved(of, still, joint)
        own = moved.load.n.z + lost(row.chain, of, joint)
        return [_scalars(moved.tip)[k] for k in left], [own]

    def _turns(self, moving: Sequence[int], left: Sequence[int]) -> Part:
        """The loop with these numbers of a movement, of which others are left."""
        row = self.row
        motion = [a for a in row.motion if a.name in JointMotion._fields]
        taken = [whole(_array_of(moving)), row.on(row.table, row.chain.width), *row.joints_on(motion)]
        gives = [whole(_array_of(left)), row.on(self.turned, 2), row.on(self.loads, 6)]
        gives += [row.on(a, a.size // row.chain.count) for a, _ in self.kept]
        formula = partial(_move, row.chain, self.kept, moving, left, [a.name for a in motion])
        return part(taken, gives, formula, row.chain.count)


def lost(chain: Chain, of: Segment, joint: JointMotion) -> Scalar:
    """What damping, friction and armature take of a joint's force, about its axis."""
    rate = joint.v * of.sign
    found = rate * of.damping + joint.a * of.sign * of.armature
    return found + sense(rate, chain.first) * of.friction if chain.first.friction else found


def _array_of(numbers: Sequence[int]) -> Arg:
    return array("movement", len(numbers), "movement of a body, at the origin of the next one")


def _not_zero(program: Program) -> set[int]:
    """Which of the numbers of a movement, the first results of a Program, are not always zero."""
    small = simplified(program)
    nodes = [small.nodes[r] for r in small.results[:_NUMBERS]]
    return {k for k, node in enumerate(nodes) if node.op is not Op.CONSTANT or node.value}


def _move(
    chain: Chain,
    kept: Sequence[Kept],
    moving: Sequence[int],
    left: Sequence[int],
    names: Sequence[str],
    numbers: Sequence[Scalar],
    row: Sequence[Scalar],
    *motion: Sequence[Scalar],
) -> Any:
    """The formula of a turn: a body's movement, its rotation, and the wrench it needs."""
    moved = _moved(chain.segment(row), _vectors(moving, numbers), JointMotion.of(names, motion))
    found, load = _scalars(moved.tip), moved.load
    others = [of_body(moved) for _, of_body in kept]
    wrench = [*load.n.scalars(), *load.f.scalars()]
    return [found[k] for k in left], [moved.turn.c, moved.turn.s], wrench, *others


def _moved(of: Segment, before: Vectors, joint: JointMotion) -> Moved:
    """What a body does on one that moves so."""
    q, v, a = (x * of.sign for x in joint)
    turn = Turn(q * of.turns, cos(q * of.turns), sin(q * of.turns))
    R = of.R.transpose
    w, dw, origin = (turn.back(R @ x) for x in before)
    rate = v * of.turns
    dw = Vec3(dw.x + w.y * rate, dw.y - w.x * rate, dw.z + a * of.turns)
    w = w + Z * rate
    U = whirl(dw, w)
    if not is_zero(of.slides):
        twice = (v + v) * of.slides
        origin = origin + U.column(2) * (q * of.slides) + Vec3(w.y * twice, -w.x * twice, a * of.slides)
    let("w", w, "the angular velocity of the link, in its working axes, z along its joint")
    let("dw", dw, "the angular acceleration of the link")
    let("a", origin, "the acceleration, less gravity, of the link's origin")
    let("U", U, "the matrix dw~ + w~ w~ of the link, w being its angular velocity")
    body = Movement(w, dw, origin, U)
    return Moved((w, dw, origin + U @ of.arm), turn, body, inertial(body, of.body))


def _vectors(moving: Sequence[int], numbers: Sequence[Scalar]) -> Vectors:
    """The vectors of a movement that has these numbers, the others being zero."""
    known = dict(zip(moving, numbers, strict=True))
    x = [known.get(k, 0) for k in range(_NUMBERS)]
    return Vec3(*x[:3]), Vec3(*x[3:6]), Vec3(*x[6:])


def _scalars(vectors: Vectors) -> list[Scalar]:
    return [x for vector in vectors for x in vector.scalars()]
