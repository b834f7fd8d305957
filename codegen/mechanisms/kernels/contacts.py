"""The kernels of a robot whose links touch the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import POSITIVE, REAL, Array, Scalar
from codegen.mechanisms.definition import reference as by_definition
from codegen.mechanisms.kernels.arguments import ACTING, PAYLOADS
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.acting import Acting, under
from codegen.mechanisms.recursions.contacts import (
    Touching,
    contact_accelerations,
    contact_dynamics,
    contact_rows,
    impulse_response,
)
from codegen.mechanisms.recursions.dynamics import Base, mass_elements
from codegen.mechanisms.recursions.formulas import base_of
from codegen.mechanisms.recursions.sparse import product, square
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Motion
from codegen.modeling.types.elimination import inner
from codegen.modeling.types.matrices import MOST_PIVOTS

TOLERANCE = 32
"""In eps times the sizes of both equations at the results: two eliminations follow each other."""


@dataclass(frozen=True)
class Contacts:
    """The kernels of one robot."""

    robot: Robot

    @property
    def _links(self) -> tuple[str, ...]:
        """The links in contact; FeatherError when there are none, or too many."""
        links, name = self.robot.mechanism.inputs.contacts, self.robot.mechanism.name
        if not links:
            raise FeatherError(f"{name}: name the links that touch the ground by --contact")
        if 3 * len(links) > MOST_PIVOTS:
            raise FeatherError(f"{name}: there may be {MOST_PIVOTS // 3} contacts, not {len(links)}")
        return links

    @property
    def _of(self) -> str:
        return f"x, y, z of the origins of {', '.join(self._links)}"

    def _of_points(self, name: str, unit: str, doc: str) -> Arg:
        axes = f"axes of {self.robot.mechanism.root}"
        return Arg(name, Array((3 * len(self._links),)), unit, f"{doc}: {self._of}", axes)

    @property
    def _softness(self) -> Arg:
        return Arg("softness", POSITIVE, "1/kg", "softness of the contacts, added to the diagonal of N")

    def _failures(self, left: str) -> dict[Status, str]:
        return {Status.SINGULAR: f"N + softness 1 is not positive definite up to rounding: {left}"}

    def _twists(self, names: Sequence[str]) -> list[Arg]:
        """Arguments that are velocities: of a base that floats, and of the joints."""
        named = self.robot.arguments.named("V_B", "v")
        return [replace(a, name=name) for a, name in zip(named, names[-len(named) :], strict=True)]

    def delassus(self) -> Kernel:
        """The Delassus matrix."""
        links, n = self._links, 3 * len(self._links)
        rows = self.robot.mechanism.rows

        def formula(q: Any, acting: Acting | None = None) -> Any:
            touching = Touching.of(under(self.robot.composed, acting), links, q)
            N = touching.delassus()
            columns = [touching.M.up(touching.M.scaled(z)) for z in touching.across]
            return [N[i][j] for i in range(n) for j in range(i, n)], [
                c[i] for i in range(rows) for c in columns
            ]

        def reference(q: Any, acting: Any = None) -> Any:
            define = self.robot.definition.under(acting)
            J = define.point_rows(q, links)
            moved = by_definition.inverse(define.mass_matrix(q, self.robot.mechanism.floating)) @ J.T
            return by_definition.result(by_definition.packed(J @ moved), moved)

        def invariants(*values: Any) -> Any:
            given = self.robot.given([a.name for a in inputs], values[:-2])
            M, J = self._matrices(given["q"], given.get("acting"))
            columns = [values[-1][k::n] for k in range(n)]
            left = [
                x - row[i] for c, row in zip(columns, J, strict=True) for i, x in enumerate(product(M, c))
            ]
            upper = iter(values[-2])
            return left, [inner(J[i], columns[j]) - next(upper) for i in range(n) for j in range(i, n)]

        inputs = self.robot.arguments.named("q", PAYLOADS)
        axes = f"in axes of {self.robot.mechanism.root}"
        doc = f"Delassus matrix of {self._of}, {axes}: upper triangle, row by row"
        moved = "changes of the velocities (of the base's twist first, where it floats) per impulse, M^-1 J^T"
        outputs = [
            Arg("N", Array((n * (n + 1) // 2,)), "mixed", doc), Arg("dv", Array((rows, n)), "mixed", moved)
        ]  # fmt: skip
        title = "Delassus matrix: the changes of the points' velocities per impulse on them."
        return self.robot.made(
            "delassus", ("q", PAYLOADS), outputs, formula, reference, title, self.robot.equations.delassus(),
            about={"points": links, "told": self.robot.bodies.motions("J")},
            invariants=invariants, tolerance=TOLERANCE,
        )  # fmt: skip

    def _matrices(self, q: Any, acting: Acting | None) -> tuple[list[list[Scalar]], list[list[Scalar]]]:
        """The mass matrix, and the rows of J."""
        tree = under(self.robot.composed, acting)
        M = square(mass_elements(tree, q), tree.rows)
        return M, contact_rows(tree, self._links, q)

    def forward_dynamics_in_contact(self) -> Kernel:
        """The accelerations and the contact forces for given joint forces."""
        links = self._links

        def formula(
            q: Any, v: Any, tau: Any, a_C: Any, softness: Any, F_B: Any = None, acting: Acting | None = None,
            **of_base: Any,
        ) -> Any:  # fmt: skip
            light, composed = (under(tree, acting) for tree in (self.robot.light, self.robot.composed))
            A, a, f = contact_dynamics(
                light, composed, links, q, v, tau, a_C, softness, F_B, base_of(of_base)
            )
            return (a, f) if A is None else (A, a, f)

        def reference(
            q: Any, v: Any, tau: Any, a_C: Any, softness: Any, F_B: Any = None, acting: Any = None,
            limits: Any = None, **of_base: Any,
        ) -> Any:  # fmt: skip
            define, base = self.robot.definition.under(acting), by_definition.base_of(of_base, q[0])
            F, bias = define.torques(q, v, v * 0, True, base)
            forces = tau - bias if F_B is None else np.concatenate([F_B - F, tau - bias])
            M, J = define.mass_matrix(q, F_B is not None), define.point_rows(q, links)
            drift = define.point_accelerations(q, v, of_base.get("V_B"), links)
            x, f, status = by_definition.held(M, J, forces, a_C - drift, softness[0], limits)
            parts = [x] if F_B is None else [x[:6], x[6:]]
            return by_definition.result(*parts, f, status=status)

        def invariants(*values: Any) -> Any:
            names = [a.name for a in (*inputs, *outputs)]
            given = self.robot.given(names, values)
            base = base_of(given)
            if base is not None:
                base = Base(base.R, base.V, Motion.of(given["A_B"].scalars()))
            tree, acting = self.robot.light, given.get("acting")
            points, forces = contact_accelerations(
                under(tree, acting), links, given["q"], given["v"], given["a"], base
            )
            J = contact_rows(tree, links, given["q"])
            pushed = [x - inner([row[i] for row in J], given["f"]) for i, x in enumerate(forces)]
            return pushed, [x + given["softness"] * f for x, f in zip(points, given["f"], strict=True)]

        robot = self.robot.arguments
        wanted = self._of_points("a_C", "m/s^2", "accelerations of the points relative to the world")
        moving, acting = robot.named("q_WB", "V_B", "q", "v", "tau"), robot.named("F_B", *ACTING)
        inputs = [*moving, wanted, self._softness, *acting]
        outputs = [*robot.named("A_B", "a"), self._of_points("f", "N", "contact forces on the robot")]
        title = "Forward dynamics with points that touch the ground: accelerations and contact forces."
        return self.robot.kernel(
            "forward_dynamics_in_contact", inputs, outputs, formula, reference, title,
            self.robot.equations.in_contact(), about={"points": links},
            invariants=invariants, tolerance=TOLERANCE,
            failures=self._failures("f = 0, and the robot moves without contact"),
        )  # fmt: skip

    def impulse_response(self) -> Kernel:
        """The velocities after an impact, and the impulses."""
        links = self._links

        def formula(
            q: Any, v: Any, e: Any, softness: Any, V_B: Any = None, acting: Acting | None = None
        ) -> Any:
            before = [*(V_B.scalars() if V_B is not None else []), *self._coordinates(v)]
            tree = under(self.robot.composed, acting)
            after, impulses = impulse_response(tree, links, q, before, e, softness)
            parts = [after] if V_B is None else [Motion.of(after[:6]), after[6:]]
            return (*parts, impulses)

        def reference(
            q: Any, v: Any, e: Any, softness: Any, V_B: Any = None, acting: Any = None, limits: Any = None
        ) -> Any:
            define = self.robot.definition.under(acting)
            before = v if V_B is None else np.concatenate([V_B, v])
            M, J = define.mass_matrix(q, V_B is not None), define.point_rows(q, links)
            rates = J @ before * (1 + e[0])
            change, impulses, status = by_definition.held(M, J, before * 0, -rates, softness[0], limits)
            after = before + change
            parts = [after] if V_B is None else [after[:6], after[6:]]
            return by_definition.result(*parts, impulses, status=status)

        def invariants(*values: Any) -> Any:
            given = self.robot.given([a.name for a in inputs], values[: len(inputs)])
            found = [y for x in values[len(inputs) : -1] for y in _flat(x)]
            before = [*_flat(given.get("V_B", ())), *self._coordinates(given["v"])]
            M, J = self._matrices(given["q"], given.get("acting"))
            change = [a - b for a, b in zip(found, before, strict=True)]
            pushed = [x - inner([row[i] for row in J], values[-1]) for i, x in enumerate(product(M, change))]
            e, softness = given["e"], given["softness"]
            left = [
                inner(row, found) + e * inner(row, before) + softness * x
                for row, x in zip(J, values[-1], strict=True)
            ]
            return pushed, left

        robot = self.robot.arguments
        restitution = Arg("e", REAL, "1", "coefficient of restitution: 0 where the points stay in contact")
        inputs = [*robot.named("V_B", "q", "v"), restitution, self._softness, *robot.named(PAYLOADS)]
        outputs = [*self._twists(("V_after", "v_after")), self._of_points("impulse", "N s", "impulses")]
        title = "Impact of points on the ground: the velocities after it, and the impulses on the robot."
        return self.robot.kernel(
            "impulse_response", inputs, outputs, formula, reference, title, self.robot.equations.impact(),
            about={"points": links},
            invariants=invariants, tolerance=TOLERANCE,
            failures=self._failures("impulse = 0, and the velocities stay"),
        )  # fmt: skip

    def _coordinates(self, of_links: Sequence[Scalar]) -> list[Scalar]:
        """The velocities of the coordinates, of those of links."""
        tree = self.robot.tree
        found: dict[int, Scalar] = {}
        for i, x in zip(tree.jointed, of_links, strict=True):
            if tree.links[i].ratio == 1:
                found.setdefault(tree.links[i].place, x)
        return [found[k] for k in range(tree.count)]


def _flat(x: Any) -> list[Scalar]:
    return list(x.scalars()) if hasattr(x, "scalars") else list(x)
