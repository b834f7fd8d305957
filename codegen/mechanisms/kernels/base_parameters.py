"""The kernels of a robot's base parameters and of the regressor by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from codegen.errors import naming
from codegen.frontends.formula import lower
from codegen.ir.program import Arg
from codegen.ir.types import Array
from codegen.mechanisms.definition import reference as by_definition
from codegen.mechanisms.definition.base_reference import coordinates_left, units_in_links
from codegen.mechanisms.description.exact import IDENTITY, ORIGIN
from codegen.mechanisms.kernels.arguments import GRAVITY
from codegen.mechanisms.kernels.regressor import moving_links
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.acting import Acting, under
from codegen.mechanisms.recursions.base_parameters import BaseSet, base_of_columns, coordinates_of, left_of
from codegen.mechanisms.recursions.formulas import base_of
from codegen.mechanisms.recursions.regressor import lifted, regressor
from codegen.mechanisms.trees.tree import Place
from codegen.mechanisms.trees.turns import number
from codegen.modeling.kernel import Kernel
from codegen.notation.blocks import Block
from codegen.notation.families import Setting

_INPUTS = ("q_WB", "V_B", "A_B", "q", "v", "a", GRAVITY)


@dataclass(frozen=True)
class BaseParameters:
    """The kernels of one robot."""

    robot: Robot

    def base_regressor(self) -> Kernel:
        """The matrix that gives the joint forces of a motion from the base parameters."""
        base, floats = self.base_set, self.robot.mechanism.floating

        def formula(**given: Any) -> Any:
            return self._columns(base.kept, **given)

        def reference(q: Any, v: Any, a: Any, acting: Any = None, **of_base: Any) -> Any:
            moving = by_definition.base_of(of_base, q[0])
            define, links = self.robot.definition.under(acting), moving_links(self.robot.mechanism)
            units = units_in_links(base.tree, links, base.coordinates)
            Y = define.regressor(q, v, a, moving, links) @ by_definition.lifted(units, q)
            return by_definition.result(*([Y[:6], Y[6:]] if floats else [Y[6:]]))

        return self.robot.made(
            "base_regressor", _INPUTS, self._outputs(len(base.kept)), formula, reference,
            "Regressor of inverse dynamics by base parameters, without losses.",
            self.robot.equations.base_regressor(),
            about={"identified": moving_links(self.robot.mechanism), "grouping": self._grouping},
        )  # fmt: skip

    def base_parameters(self) -> Kernel:
        """The base parameters of the links' inertias."""
        base, links = self.base_set, moving_links(self.robot.mechanism)

        def formula(parameters: Any) -> Any:
            return (base.merged(left_of(base.tree, links, parameters), number),)

        def reference(parameters: Any) -> Any:
            left = coordinates_left(base.tree, links, parameters)
            beta = base.merged(left, lambda x: by_definition.lifted([x], parameters)[0])
            return by_definition.result(np.array(beta))

        given = Arg(
            "parameters", Array((10 * len(links),)), "mixed",
            f"m, h and J about their origins of {', '.join(links)}, with what is fixed to them",
        )  # fmt: skip
        doc = (
            "base parameters, in the links' frames turned so that z is the joint's axis, with what is "
            f"grouped in them; {base.told()}"
        )
        made = self.robot.kernel(
            "base_parameters", [given], [Arg("beta", Array((len(base.kept),)), "mixed", doc)], formula,
            reference, "Base parameters: what joint forces tell of the inertias of the links.",
            "beta = K parameters",
        )  # fmt: skip
        return replace(made, setting=Setting(lambda given: {"K": self._grouping}))

    @cached_property
    def _grouping(self) -> Block:
        """The matrix from the parameters of all links to the base parameters, by its definition."""
        base, links = self.base_set, moving_links(self.robot.mechanism)
        size = range(10 * len(links))
        units = [[Fraction(int(i == j)) for i in size] for j in size]
        columns = [base.merged(coordinates_left(base.tree, links, unit), lambda x: x) for unit in units]
        return Block(tuple(zip(*([x or 0 for x in column] for column in columns), strict=True)))

    @cached_property
    def base_set(self) -> BaseSet:
        """The base parameters of the robot."""
        tree = self.robot.whole
        count = len(coordinates_of(tree))
        inputs = self.robot.arguments.named(*_INPUTS)

        def formula(*values: Any) -> Any:
            return self._columns(range(count), **self.robot.given([a.name for a in inputs], values))

        with naming(self.robot.mechanism.name):
            return base_of_columns(tree, lower(inputs, self._outputs(count), formula, False))

    def _outputs(self, count: int) -> list[Arg]:
        n, floats = self.robot.mechanism.count, self.robot.mechanism.floating
        doc = "derivatives of tau by the base parameters, as base_parameters gives them"
        output = Arg("Y", Array((n, count)), "mixed", doc)
        wrench = Arg("Y_F", Array((6, count)), "mixed", "those of the base's wrench, angular first", "B")
        return [wrench, output] if floats else [output]

    def _columns(
        self, chosen: Sequence[int], q: Any, v: Any, a: Any, acting: Acting | None = None, **of_base: Any
    ) -> Any:
        """The forces of unit values of these coordinates."""
        tree = under(self.robot.whole, acting)
        known = coordinates_of(tree)
        bodies = [(Place(known[k].body, IDENTITY, ORIGIN), [lifted(known[k].unit)]) for k in chosen]
        wrenches, forces = regressor(tree, bodies, q, v, a, base_of(of_base))
        parts = [wrench.scalars() for wrench in wrenches]
        of_root = [[part[k] for k in range(6) for part in parts]] if tree.floating else []
        return (*of_root, [column[k] for k in range(self.robot.mechanism.count) for column in forces])
