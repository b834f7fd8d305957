"""What functions with loops over limbs share: the trunk, the tables of the limbs, places of arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from codegen.frontends.formula import lower
from codegen.ir.loops import Part, Place
from codegen.ir.program import Arg
from codegen.ir.types import Array, Scalar
from codegen.mechanisms.description.exact import IDENTITY, ORIGIN
from codegen.mechanisms.recursions.acting import Acting, under
from codegen.mechanisms.recursions.dynamics import Movement
from codegen.mechanisms.recursions.limbs import Limbs, trunk_of
from codegen.mechanisms.trees.coordinates import of_links
from codegen.mechanisms.trees.tree import Link, Moments, Tree
from codegen.modeling.types.algebra import Mat3, Vec3

MOVEMENT = 18
"""The numbers of a movement: w, dw, the acceleration of the origin, U."""

MOTION = ("q", "v", "a", "tau")
"""The arguments that have an element for each joint."""

Given: TypeAlias = Callable[[Sequence[str], Sequence[Any]], Mapping[str, Any]]
"""(names, values) -> the arguments of a formula: positions, velocities and accelerations by coordinate."""

Placed: TypeAlias = tuple[Arg, Place]
"""An argument of a part with its place."""


@dataclass(frozen=True)
class Split:
    """A function of a tree whose limbs are in loops, and its arguments, which `given` reads."""

    tree: Tree
    groups: Sequence[Limbs]
    inputs: tuple[Arg, ...]
    outputs: tuple[Arg, ...]
    given: Given

    @cached_property
    def places(self) -> list[int]:
        """The places of the trunk's coordinates in those of the robot."""
        return trunk_of(self.tree, self.groups)[1]

    @property
    def joints(self) -> int:
        """The number of the robot's coordinates."""
        return self.tree.count

    @property
    def motion(self) -> list[Arg]:
        """The inputs that have an element for each joint."""
        return [a for a in self.inputs if a.name in MOTION]

    def trunk(self, values: Sequence[Any]) -> tuple[Tree, dict[str, Any]]:
        """What is left of the tree, under what acts on it, and its arguments."""
        given = dict(self.given([a.name for a in self.inputs], values))
        acting: Acting | None = given.pop("acting", None)
        tree = under(trunk_of(self.tree, self.groups)[0], acting)
        of_joints = {n: [given[n][k] for k in self.places] for n in MOTION if n in given}
        return tree, given | {n: of_links(tree, x) if n != "tau" else x for n, x in of_joints.items()}

    def table(self, index: int) -> Arg:
        """The numbers of a limb of a group, as what a turn takes."""
        name = f"limbs_{index + 1}" if index else "limbs"
        return Arg(name, Array((len(self.groups[index].rows[0]),)), "mixed", "numbers of a limb")

    @property
    def tables(self) -> dict[str, tuple[Fraction, ...]]:
        """The numbers of all limbs of each group."""
        return {self.table(k).name: tuple(x for r in g.rows for x in r) for k, g in enumerate(self.groups)}

    def of_limb(self, index: int, a: Arg, array: str = "") -> Placed:
        """The part of an argument for each joint, or of the `array` that holds it, that is a limb's."""
        limbs = self.groups[index]
        own = replace(a, type=Array((len(limbs.tree.links),)), range=None)
        return own, Place(array or a.name, limbs.first, limbs.stride)


def part(
    takes: Iterable[Placed],
    gives: Iterable[Placed],
    formula: Callable[..., Any],
    turns: int | None = None,
) -> Part:
    """The part that computes a formula from arguments at their places."""
    inputs, outputs = [*takes], [*gives]
    program = lower([a for a, _ in inputs], [a for a, _ in outputs], formula, False)
    return Part(program, tuple(p for _, p in inputs), tuple(p for _, p in outputs), turns)


def whole(a: Arg) -> Placed:
    """An argument and its place, all of an array."""
    return a, Place(a.name)


def array(name: str, size: int, doc: str) -> Arg:
    """An array of a part."""
    return Arg(name, Array((size,)), "mixed", doc)


def gaps(a: Arg, covered: Iterable[range]) -> list[Placed]:
    """What is left of an array beside these elements, in runs."""
    taken = {j for own in covered for j in own}
    found: list[Placed] = []
    start = 0
    for j in range(a.size + 1):
        if j in taken or j == a.size:
            if j > start:
                found.append((array(f"{a.name}_{start}", j - start, a.doc), Place(a.name, start)))
            start = j + 1
    return found


def mounted(tree: Tree) -> Tree:
    """The tree of a limb on a base that floats and has no mass."""
    base = Link("base", "", -1, IDENTITY, ORIGIN, Moments(), free=True)
    return replace(
        tree,
        links=(base, *(replace(link, parent=link.parent + 1) for link in tree.links)),
        late=None if tree.late is None else frozenset(i + 1 for i in tree.late),
        arms={i + 1: arm for i, arm in tree.arms.items()},
        extra={i + 1: moments for i, moments in tree.extra.items()},
    )


def numbers_of(movement: Movement) -> list[Scalar]:
    """The numbers of a movement."""
    vectors = (movement.w, movement.dw, movement.a)
    return [*(x for vector in vectors for x in vector.scalars()), *movement.U.m]


def movement_of(x: Sequence[Scalar]) -> Movement:
    """The movement that has these numbers."""
    return Movement(Vec3(*x[:3]), Vec3(*x[3:6]), Vec3(*x[6:9]), Mat3(tuple(x[9:])))
