"""The kernels of inverse dynamics with a loop over limbs that are alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.mechanisms.kernels.dynamics import OF_RNEA
from codegen.mechanisms.kernels.limb_choice import LimbChoice
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.formulas import base_of, forces
from codegen.mechanisms.recursions.limb_loops import Alike, LimbLoops, best_loops, trees_with_limbs
from codegen.mechanisms.recursions.limbs import Limbs
from codegen.mechanisms.trees.reduce import for_forces, for_limbs, for_masses, pointed, regrouped
from codegen.mechanisms.trees.tree import Tree
from codegen.modeling.kernel import Kernel
from codegen.passes.search.search import price


@dataclass(frozen=True)
class LimbKernels:
    """The kernels of one robot."""

    robot: Robot

    def check(self) -> None:
        """FeatherError where no limbs are alike."""
        if not self._trees:
            raise FeatherError(
                f"{self.robot.mechanism.name} has no two limbs on a floating base that are alike, "
                "without spherical joints and followers: leave out --limbs"
            )

    def looped(self, kernel: Kernel) -> Kernel:
        """A case of inverse dynamics with a loop over limbs that are alike."""
        best = self._loops(kernel.inputs, kernel.outputs)
        return replace(kernel, looped=lambda checks: best.looped)

    @cached_property
    def _trees(self) -> list[Alike]:
        """The reduced trees of the robot that have limbs that are alike."""
        framed = (self.robot.tree, for_limbs(self.robot.whole)) if not self.robot.mechanism.balls else ()
        reduced = [reduce(t) for t in framed for reduce in (for_masses, for_forces, regrouped, pointed)]
        return trees_with_limbs(reduced, self.robot.mechanism.inputs.links)

    @cached_property
    def _loops(self) -> Callable[[tuple[Arg, ...], tuple[Arg, ...]], LimbLoops]:
        """The loops of a case of inverse dynamics, searched once for each."""
        return cache(self._best)

    def _best(self, inputs: tuple[Arg, ...], outputs: tuple[Arg, ...]) -> LimbLoops:
        def make(tree: Tree, groups: Sequence[Limbs]) -> LimbLoops:
            return LimbLoops(tree, groups, inputs, outputs, self.robot.arguments.by_coordinate, base_of)

        return best_loops(self._trees, make)

    @property
    def choice(self) -> LimbChoice | None:
        """What a loop over limbs does to inverse dynamics; None where no limbs are alike."""
        if not self._trees:
            return None
        inputs, outputs = (tuple(self.robot.arguments.named(*names)) for names in (OF_RNEA, ("F_B", "tau")))
        loops = self._loops(inputs, outputs)
        firsts = tuple(
            self.robot.tree.links[bodies[0]].name for limbs in loops.groups for bodies in limbs.bodies
        )
        straight = price(self.robot.straight(inputs, outputs, partial(forces, self.robot.light))).work
        return LimbChoice(firsts, loops.work / straight, loops.length / straight)
