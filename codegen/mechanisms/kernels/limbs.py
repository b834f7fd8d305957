"""The kernels of a robot in the layouts that are chosen for them: straight lines, or loops over limbs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from codegen.errors import FeatherError
from codegen.ir.loops import MOST_OPERATIONS, Looped
from codegen.mechanisms.kernels.layouts import AUTO, IN_LOOPS, LIMBS, Choice, Layouts, Size
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.limb_parts import Split
from codegen.mechanisms.recursions.limbs import Limbs, alike
from codegen.mechanisms.trees.reduce import for_forces, for_limbs, for_masses, pointed, regrouped
from codegen.mechanisms.trees.tree import Tree
from codegen.modeling.kernel import Kernel
from codegen.passes import nearly_simplified
from codegen.passes.flash import flash
from codegen.passes.parts import in_parts
from codegen.passes.search.search import price


class Alike(NamedTuple):
    """A tree with its groups of limbs that are alike."""

    tree: Tree
    groups: list[Limbs]

    @property
    def bodies(self) -> int:
        """The number of bodies of these limbs."""
        return sum(len(bodies) for limbs in self.groups for bodies in limbs.bodies)


class LaidOut(NamedTuple):
    """A kernel in its layout, and whether that has loops over limbs."""

    kernel: Kernel
    in_loops: bool


class _Loops(NamedTuple):
    """A function with loops, and what it takes before the search."""

    looped: Looped
    bodies: int
    size: Size


@dataclass(frozen=True)
class LimbKernels:
    """The kernels of one robot in the layouts that are wished for."""

    robot: Robot
    layouts: Layouts

    def check(self, functions: Collection[str]) -> None:
        """FeatherError where a function cannot have its layout."""
        self.layouts.check(functions)
        if self.layouts.ask_for_limbs(functions) and not self._trees:
            raise FeatherError(
                f"{self.robot.mechanism.name} has no two limbs on a floating base that are alike, "
                "without spherical joints and followers: leave out the layout limbs"
            )

    def laid_out(self, function: str, kernel: Kernel) -> LaidOut:
        """A kernel of a function in its layout; its comment and its notes say which it is, and why."""
        if function not in IN_LOOPS or not self._trees:
            return LaidOut(kernel, False)
        loops = self._best(function, kernel)
        choice = _choice(kernel, loops)
        wish = self.layouts.named(function)
        in_loops = choice.pays if wish == AUTO else wish == LIMBS
        told = choice.told(in_loops)
        made = replace(kernel, details=f"{kernel.details}\n\nLayout: {told}.", notes=(told,))
        if in_loops:
            made = replace(made, looped=lambda checks: loops.looped)
        return LaidOut(made, in_loops)

    @cached_property
    def _trees(self) -> list[Alike]:
        """The reduced trees of the robot that have limbs that are alike.

        A link with arguments of its own is in no such limb.
        """
        mechanism = self.robot.mechanism
        framed = (self.robot.tree, for_limbs(self.robot.whole)) if not mechanism.balls else ()
        reduced = [reduce(t) for t in framed for reduce in (for_masses, for_forces, regrouped, pointed)]
        own = mechanism.inputs.links
        found = (Alike(tree, alike(tree, {tree.frames[name].body for name in own})) for tree in reduced)
        return [tree for tree in found if tree.groups]

    def _best(self, function: str, kernel: Kernel) -> _Loops:
        """The loops that cover most bodies, with the least work among the trees."""
        arguments = kernel.inputs, kernel.outputs, self.robot.arguments.by_coordinate
        made = (
            _measured(IN_LOOPS[function](Split(tree.tree, tree.groups, *arguments)), tree.bodies)
            for tree in self._trees
        )
        return min(made, key=lambda loops: (-loops.bodies, loops.size.work))

    def remarks(self, functions: Collection[str]) -> Iterator[str]:
        """Which limbs are alike, and which of the functions have straight lines only."""
        others = [f for f in functions if f not in IN_LOOPS]
        if not self._trees:
            yield "no two limbs on a floating base are alike: all functions are straight lines"
            return
        best = max(self._trees, key=lambda tree: tree.bodies)
        firsts = [best.tree.links[b[0]].name for limbs in best.groups for b in limbs.bodies]
        yield f"the limbs that begin with {', '.join(firsts)} are alike"
        if others:
            yield f"{', '.join(others)}: straight lines, their only layout"


def _measured(looped: Looped, bodies: int) -> _Loops:
    """A function with loops, and what it takes in a form nearly as simple as the last one."""
    near = in_parts(looped, nearly_simplified)
    works = (price(part.program).work * (part.turns or 1) for part in near.parts)
    numbers = sum(map(len, near.tables.values()))
    return _Loops(looped, bodies, Size(sum(works), 4 * numbers + sum(flash(p.program) for p in near.parts)))


def _choice(kernel: Kernel, loops: _Loops) -> Choice:
    """The loops of a kernel beside its straight lines."""
    straight = nearly_simplified(kernel.program(False))
    steps = sum(len(part.program.nodes) * (part.turns or 1) for part in loops.looped.parts)
    return Choice(Size(price(straight).work, flash(straight)), loops.size, steps <= MOST_OPERATIONS)
