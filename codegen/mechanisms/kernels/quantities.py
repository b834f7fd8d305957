"""The kernels of a mechanism's centre of mass, momentum, energies, and of the motion of its frames."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.types import REAL, Array, Scalar
from codegen.library.rotation.kernels import quat_to_dcm_unit
from codegen.mechanisms.definition import reference as by_definition
from codegen.mechanisms.description.exact import IDENTITY
from codegen.mechanisms.kernels.arguments import GRAVITY, PAYLOADS
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.acting import Acting, under
from codegen.mechanisms.recursions.quantities import (
    first_moment,
    kinetic_energy,
    momentum,
    momentum_columns,
    resting,
)
from codegen.mechanisms.trees.tree import Moments
from codegen.mechanisms.trees.turns import number
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Force, Vec3


@dataclass(frozen=True)
class Quantities:
    """The kernels of one robot."""

    robot: Robot

    @cached_property
    def _resting(self) -> Moments:
        """What does not move of a robot on a base that stands still."""
        return resting(self.robot.whole, self.robot.composed)

    @property
    def _mass(self) -> Any:
        """The constant mass of all bodies that move, kg; FeatherError when they never have a mass."""
        mass = sum(link.moments.m for link in self.robot.whole.links)
        if not mass and not self.robot.mechanism.inputs.inertias:
            raise FeatherError(
                f"{self.robot.mechanism.name}: no body that moves has a mass, so com and momentum have no "
                "answer: give a link an inertia, or leave them out"
            )
        return mass

    def _first_moment(self, q: Any, acting: Acting | None) -> Vec3:
        return first_moment(under(self.robot.composed, acting), q) + self._resting.h.map(number)

    def _centre(self, q: Any, acting: Acting | None) -> Vec3:
        """The centre of mass."""
        mass = self._mass
        share: Scalar = number(1 / mass) if acting is None else 1 / (number(mass) + acting.mass)
        centre: Vec3 = self._first_moment(q, acting) * share
        return centre

    def com(self) -> Kernel:
        """The centre of mass."""
        root, _ = self.robot.mechanism.root, self._mass
        fixed = "" if self.robot.mechanism.floating else " of all bodies that move"
        output = Arg("c", Vec3, "m", f"centre of mass{fixed}, from the origin of {root}", f"axes of {root}")
        return self.robot.made(
            "com", ("q", PAYLOADS), [output],
            lambda q, acting=None: (self._centre(q, acting),),
            lambda q, acting=None: by_definition.result(self.robot.definition.under(acting).centre(q)),
            f"Centre of mass{fixed}.", self.robot.equations.centre,
        )  # fmt: skip

    def momentum(self) -> Kernel:
        """Momentum, and angular momentum about the centre of mass."""
        root, _ = self.robot.mechanism.root, self._mass

        def formula(q: Any, v: Any, V_B: Any = None, acting: Acting | None = None) -> Any:
            whole = momentum(under(self.robot.composed, acting), q, v, V_B)
            c = self._centre(q, acting)
            return whole.n - c.cross(whole.f), whole.f

        def reference(q: Any, v: Any, V_B: Any = None, acting: Any = None) -> Any:
            L, P = self.robot.definition.under(acting).momentum(q, v, V_B)
            return by_definition.result(L, P)

        outputs = [
            Arg("L", Vec3, "kg m^2/s", "angular momentum about the centre of mass", f"axes of {root}"),
            Arg("P", Vec3, "kg m/s", "momentum", f"axes of {root}"),
        ]
        title = "Momentum, and angular momentum about the centre of mass, relative to the world."
        inputs = ("V_B", "q", "v", PAYLOADS)
        return self.robot.made(
            "momentum", inputs, outputs, formula, reference, title, self.robot.equations.momentum()
        )

    def momentum_matrix(self) -> Kernel:
        """The derivative of momentum by the velocities."""
        mechanism, _ = self.robot.mechanism, self._mass
        floats, n = 6 * mechanism.floating, mechanism.rows

        def formula(q: Any, acting: Acting | None = None) -> Any:
            columns = momentum_columns(under(self.robot.composed, acting), q)
            c = self._centre(q, acting)
            parts = [Force(p.n - c.cross(p.f), p.f).scalars() for p in columns]
            return ([part[k] for k in range(6) for part in parts],)

        def reference(q: Any, acting: Any = None) -> Any:
            define, one = self.robot.definition.under(acting), q[0] * 0 + 1
            units = np.eye(n, dtype=int).astype(object) * one
            columns = [
                np.concatenate(define.momentum(q, e[floats:], e[:6] if floats else None)) for e in units
            ]
            return by_definition.result(np.array(columns).T)

        of = "the base's twist, angular first, then the joints" if floats else "the joints"
        doc = f"angular momentum about the centre of mass, then momentum, per velocity of {of}"
        output = Arg("A", Array((6, n)), "mixed", doc, f"axes of {mechanism.root}")
        title = "Centroidal momentum matrix: the momentum is A times the velocities."
        return self.robot.made(
            "momentum_matrix",
            ("q", PAYLOADS),
            [output],
            formula,
            reference,
            title,
            self.robot.equations.momentum_matrix(),
        )

    def kinetic_energy(self) -> Kernel:
        """The kinetic energy."""

        def formula(q: Any, v: Any, V_B: Any = None, acting: Acting | None = None) -> Any:
            return (kinetic_energy(under(self.robot.composed, acting), q, v, V_B),)

        def reference(q: Any, v: Any, V_B: Any = None, acting: Any = None) -> Any:
            return by_definition.result(self.robot.definition.under(acting).kinetic_energy(q, v, V_B))

        output, title = Arg("T", REAL, "J", "kinetic energy"), "Kinetic energy."
        return self.robot.made(
            "kinetic_energy",
            ("V_B", "q", "v", PAYLOADS),
            [output],
            formula,
            reference,
            title,
            self.robot.equations.kinetic_energy(),
            about={"told": self.robot.bodies.motions("V")},
        )

    def potential_energy(self) -> Kernel:
        """The potential energy of weight."""
        root, g = self.robot.mechanism.root, self.robot.tree.gravity

        def formula(q: Any, q_WB: Any = None, acting: Acting | None = None) -> Any:
            h, R = self._first_moment(q, acting), IDENTITY if q_WB is None else quat_to_dcm_unit(q_WB)
            if acting is not None and acting.gravity is not None:
                return (under(self.robot.tree, acting).lift(R).dot(h),)
            up = h.z if q_WB is None else R.row(2).dot(h)
            return (up * number(g),)

        def reference(q: Any, q_WB: Any = None, acting: Any = None) -> Any:
            return by_definition.result(self.robot.definition.under(acting).potential_energy(q, q_WB))

        output = Arg(
            "U", REAL, "J", f"potential energy of weight, zero at the height of the origin of {root}"
        )
        title = f"Potential energy of weight, relative to the height of the origin of {root}."
        return self.robot.made(
            "potential_energy",
            ("q_WB", "q", GRAVITY, PAYLOADS),
            [output],
            formula,
            reference,
            title,
            self.robot.equations.potential_energy(),
            about={"told": self.robot.bodies.motions("o")},
        )
