"""The forms of a robot's functions with loops over limbs of a floating base that are alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from codegen.ir.loops import Looped
from codegen.mechanisms.kernels.forms import Form
from codegen.mechanisms.kernels.layouts import LIMBS
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.limb_accelerations import accelerations_in_loops
from codegen.mechanisms.recursions.limb_forces import forces_in_loops
from codegen.mechanisms.recursions.limb_masses import masses_in_loops
from codegen.mechanisms.recursions.limb_parts import Split
from codegen.mechanisms.recursions.limb_slopes import slopes_in_loops
from codegen.mechanisms.recursions.limbs import Limbs, alike
from codegen.mechanisms.trees.reduce import for_forces, for_limbs, for_masses, pointed, regrouped
from codegen.mechanisms.trees.tree import Tree
from codegen.modeling.kernel import Kernel

_MAKERS: Mapping[str, Callable[[Split], Looped]] = {
    **dict.fromkeys(("rnea", "bias_forces", "gravity_forces"), forces_in_loops),
    "crba": masses_in_loops,
    "forward_dynamics": accelerations_in_loops,
    "rnea_derivatives": slopes_in_loops,
}


class _Alike(NamedTuple):
    """A tree with its groups of limbs that are alike."""

    tree: Tree
    groups: list[Limbs]

    @property
    def bodies(self) -> int:
        """The number of bodies of these limbs."""
        return sum(len(bodies) for limbs in self.groups for bodies in limbs.bodies)


@dataclass(frozen=True)
class LoopsOverLimbs:
    """The loops over the limbs of one robot."""

    robot: Robot

    layout = LIMBS

    @cached_property
    def _trees(self) -> list[_Alike]:
        """The reduced trees of the robot whose limbs that are alike have most bodies.

        A link with arguments of its own is in no such limb.
        """
        mechanism = self.robot.mechanism
        framed = (self.robot.tree, for_limbs(self.robot.whole)) if not mechanism.balls else ()
        reduced = [reduce(t) for t in framed for reduce in (for_masses, for_forces, regrouped, pointed)]
        own = mechanism.inputs.links
        found = [_Alike(tree, alike(tree, {tree.frames[name].body for name in own})) for tree in reduced]
        most = max((tree.bodies for tree in found), default=0)
        return [tree for tree in found if tree.groups and tree.bodies == most]

    @property
    def said(self) -> str:
        """Which limbs are alike; empty where none are."""
        if not self._trees:
            return ""
        best = self._trees[0]
        firsts = [best.tree.links[b[0]].name for limbs in best.groups for b in limbs.bodies]
        return f"the limbs that begin with {', '.join(firsts)} are alike"

    @property
    def missing(self) -> str:
        """What a robot has that can have no such loops."""
        return "no two limbs on a floating base that are alike, without spherical joints and followers"

    def form(self, function: str, kernel: Kernel) -> Form:
        """The form of a function with least work among the trees."""
        arguments = kernel.inputs, kernel.outputs, self.robot.arguments.by_coordinate
        made = (
            Form.with_loops(LIMBS, _MAKERS[function](Split(tree.tree, tree.groups, *arguments)))
            for tree in self._trees
        )
        return min(made, key=lambda form: form.size.work)
