"""The kernels of a robot's inverse and forward dynamics, and of its mass matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from codegen.mechanisms.definition import reference as by_definition
from codegen.mechanisms.kernels.arguments import ACTING, GRAVITY, PAYLOADS
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.dynamics import mass_elements, mass_elements_in_ground_axes
from codegen.mechanisms.recursions.formulas import forces, packed_masses
from codegen.mechanisms.trees.carriage import on_the_ground
from codegen.modeling.kernel import Kernel

OF_RNEA = ("q_WB", "V_B", "A_B", "q", "v", "a", *ACTING)
"""The arguments of inverse dynamics, those that a robot has."""

TOLERANCE = 16
"""In eps times the size of inverse dynamics at the accelerations found: elimination is less exact."""


@dataclass(frozen=True)
class Dynamics:
    """The kernels of one robot."""

    robot: Robot

    def rnea(self) -> Kernel:
        """Inverse dynamics."""
        title = "Inverse dynamics: the joint forces of a motion, gravity included."
        return self._inverse("rnea", OF_RNEA, title, self.robot.equations.inverse_dynamics("tau = {}"))

    def bias_forces(self) -> Kernel:
        """Inverse dynamics without acceleration."""
        title = "Bias forces: the joint forces without acceleration, gravity included."
        return self._inverse(
            "bias_forces",
            ("q_WB", "V_B", "q", "v", *ACTING),
            title,
            self.robot.equations.inverse_dynamics("tau = {}", "", False),
        )

    def gravity_forces(self) -> Kernel:
        """Inverse dynamics at rest."""
        pushed = ", without external wrenches" if self.robot.mechanism.inputs.forces else ""
        title = f"Gravity forces: the joint forces at rest{pushed}."
        return self._inverse(
            "gravity_forces", ("q_WB", "q", GRAVITY, PAYLOADS), title, self.robot.equations.at_rest()
        )

    def _inverse(self, name: str, inputs: Sequence[str], title: str, equation: str) -> Kernel:
        """A case of inverse dynamics: motions that are no input are zero."""
        given, found = self.robot.arguments.named(*inputs), self.robot.arguments.named("F_B", "tau")
        still, tree = (0,) * len(self.robot.tree.jointed), self.robot.light
        places = (0,) * self.robot.mechanism.count

        def formula(q: Any, v: Any = still, a: Any = still, **of_base: Any) -> Any:
            return forces(tree, q=q, v=v, a=a, **of_base)

        def reference(q: Any, v: Any = None, a: Any = None, acting: Any = None, **of_base: Any) -> Any:
            zero, base = by_definition.lifted(places, q), by_definition.base_of(of_base, q[0])
            F, tau = self.robot.definition.under(acting).torques(
                q, zero if v is None else v, zero if a is None else a, True, base
            )
            return by_definition.result(F, tau) if of_base else by_definition.result(tau)

        return self.robot.kernel(name, given, found, formula, reference, title, equation)

    def crba(self) -> Kernel:
        """The mass matrix."""
        floating = self.robot.mechanism.floating

        def reference(q: Any, acting: Any = None) -> Any:
            define = self.robot.definition.under(acting)
            return by_definition.result(by_definition.packed(define.mass_matrix(q, floating)))

        output = self.robot.arguments.packed_masses
        title = "The joint-space mass matrix, from composite bodies."
        inputs = self.robot.arguments.named("q", PAYLOADS)
        recursions = [mass_elements]
        if on_the_ground(self.robot.composed):
            recursions.append(mass_elements_in_ground_axes)
        formulas = [partial(packed_masses, recursion, self.robot.composed) for recursion in recursions]
        price = partial(self.robot.work, inputs, [output])
        formula = min(formulas, key=price) if formulas[1:] else formulas[0]
        return self.robot.kernel(
            "crba",
            inputs,
            [output],
            formula,
            reference,
            title,
            self.robot.equations.of_masses(),
            about={"told": self.robot.bodies.motions("J")},
        )

    def forward_dynamics(self) -> Kernel:
        """The accelerations for given forces."""

        def reference(q: Any, v: Any, tau: Any, F_B: Any = None, acting: Any = None, **of_base: Any) -> Any:
            define = self.robot.definition.under(acting)
            a = define.accelerations(q, v, tau, by_definition.base_of(of_base, q[0]), F_B)
            return by_definition.result(a) if F_B is None else by_definition.result(a[:6], a[6:])

        inputs = self.robot.arguments.named("q_WB", "V_B", "q", "v", "tau", "F_B", *ACTING)
        title = "Forward dynamics: the accelerations that joint forces cause, gravity included."
        return self.robot.kernel(
            "forward_dynamics", inputs, self.robot.arguments.named("A_B", "a"), self.robot.accelerating,
            reference, title, self.robot.equations.inverse_dynamics("tau = {}"),
            invariants=accelerating_back(self.robot, [a.name for a in inputs]), tolerance=TOLERANCE,
        )  # fmt: skip


def accelerating_back(robot: Robot, inputs: Sequence[str]) -> Callable[..., Any]:
    """The forces of the accelerations that were found, which are those given for every right answer."""
    names = [*inputs, *(["A_B"] if robot.mechanism.floating else []), "a"]

    def invariants(*values: Any) -> Any:
        given = robot.given(names, values)
        return forces(robot.light, **{n: x for n, x in given.items() if n not in ("tau", "F_B")})

    return invariants
