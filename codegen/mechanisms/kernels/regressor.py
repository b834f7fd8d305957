"""The kernel of a robot's regressor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from codegen.ir.program import Arg
from codegen.ir.types import Array
from codegen.mechanisms.definition import reference as by_definition
from codegen.mechanisms.description.mechanism import Mechanism
from codegen.mechanisms.kernels.arguments import GRAVITY
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.acting import Acting, under
from codegen.mechanisms.recursions.formulas import base_of
from codegen.mechanisms.recursions.regressor import regressor, units
from codegen.modeling.kernel import Kernel


@dataclass(frozen=True)
class Regressors:
    """The kernel of one robot."""

    robot: Robot

    def regressor(self) -> Kernel:
        """The matrix that gives the joint forces of a motion from the inertias of the links."""
        mechanism = self.robot.mechanism
        links = moving_links(mechanism)
        floats, n, count = mechanism.floating, mechanism.count, 10 * len(links)

        def formula(q: Any, v: Any, a: Any, acting: Acting | None = None, **of_base: Any) -> Any:
            base, tree = base_of(of_base), under(self.robot.tree, acting)
            bodies = [(tree.frames[name], units()) for name in links]
            wrenches, forces = regressor(tree, bodies, q, v, a, base)
            parts = [wrench.scalars() for wrench in wrenches]
            of_root = [[part[k] for k in range(6) for part in parts]] if floats else []
            return (*of_root, [column[k] for k in range(n) for column in forces])

        def reference(q: Any, v: Any, a: Any, acting: Any = None, **of_base: Any) -> Any:
            base = by_definition.base_of(of_base, q[0])
            Y = self.robot.definition.under(acting).regressor(q, v, a, base, links)
            return by_definition.result(*([Y[:6], Y[6:]] if floats else [Y[6:]]))

        columns = f"m, h and J about their origins of {', '.join(links)}, with what is fixed to them"
        output = Arg("Y", Array((n, count)), "mixed", f"derivatives of tau by {columns}")
        wrench = Arg("Y_F", Array((6, count)), "mixed", "those of the base's wrench, angular first", "B")
        inputs, title = (
            ("q_WB", "V_B", "A_B", "q", "v", "a", GRAVITY),
            "Regressor of inverse dynamics, without losses.",
        )
        outputs = [wrench, output] if floats else [output]
        return self.robot.made("regressor", inputs, outputs, formula, reference, title,
            self.robot.equations.regressor(), about={"identified": links},
        )  # fmt: skip


def moving_links(mechanism: Mechanism) -> list[str]:
    """The links that joints move, and a base that floats."""
    root = [mechanism.root] if mechanism.floating else []
    return [*root, *(j.child for j in mechanism.ordered if j.moves)]
