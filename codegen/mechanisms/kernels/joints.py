"""The forms of a robot's functions with loops over joints in a row on a base that stands still."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from codegen.ir.loops import Looped
from codegen.mechanisms.kernels.forms import Form
from codegen.mechanisms.kernels.layouts import JOINTS
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.chain_accelerations import accelerations_along
from codegen.mechanisms.recursions.chain_forces import forces_along
from codegen.mechanisms.recursions.chain_masses import masses_along
from codegen.mechanisms.recursions.chain_movements import Row
from codegen.mechanisms.recursions.chain_slopes import slopes_along
from codegen.mechanisms.recursions.chains import (
    FEWEST,
    Chain,
    chain_for_masses,
    chain_for_slopes,
    chain_of,
)
from codegen.mechanisms.trees.reduce import regrouped
from codegen.mechanisms.trees.tree import Tree
from codegen.modeling.kernel import Kernel

_MAKERS: Mapping[str, Callable[[Row], Looped]] = {
    **dict.fromkeys(("rnea", "bias_forces", "gravity_forces"), forces_along),
    "crba": masses_along,
    "forward_dynamics": accelerations_along,
    "rnea_derivatives": slopes_along,
}


_CHAINS: Mapping[str, Callable[[Tree, Collection[int]], Chain | None]] = {
    "crba": chain_for_masses,
    "rnea_derivatives": chain_for_slopes,
}
"""What makes the rows of functions whose tables are their own."""


@dataclass(frozen=True)
class LoopsOverJoints:
    """The loops over the joints of one robot."""

    robot: Robot

    layout = JOINTS

    @cached_property
    def _tree(self) -> Tree:
        """The tree whose bodies have no mass on their axes: each has the same few numbers."""
        return regrouped(self.robot.tree)

    @cached_property
    def _chain(self) -> Chain | None:
        """The row of joints at the base. A link with arguments of its own is in no row.

        Behind a row are no spherical joints, whose positions are arguments of their own.
        """
        if self.robot.mechanism.balls:
            return None
        return chain_of(self._tree, self._alone, not self.robot.mechanism.inputs.gravity)

    @property
    def _alone(self) -> set[int]:
        """The bodies of links with arguments of their own."""
        return {self._tree.frames[name].body for name in self.robot.mechanism.inputs.links}

    @property
    def said(self) -> str:
        """Which joints are in a row; empty where none are."""
        if self._chain is None:
            return ""
        first, last = (self._tree.links[i].joint for i in (0, self._chain.end - 1))
        return f"the {self._chain.end} joints from {first} to {last} are in a row"

    @property
    def missing(self) -> str:
        """What a robot has that can have no such loops."""
        row = f"no {FEWEST} joints in a row on a base that stands still"
        return f"{row}, without spherical joints and followers"

    def form(self, function: str, kernel: Kernel) -> Form:
        """The form of a function."""
        own = _CHAINS.get(function)
        chain = self._chain if own is None else own(self._tree, self._alone)
        assert chain is not None
        arguments = kernel.inputs, kernel.outputs, self.robot.arguments.by_coordinate
        return Form.with_loops(JOINTS, _MAKERS[function](Row(self._tree, chain, *arguments)))
