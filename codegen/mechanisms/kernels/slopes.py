"""The kernels of a mechanism's derivatives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.types import Array
from codegen.mechanisms.definition import reference as by_definition
from codegen.mechanisms.kernels.arguments import ACTING
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.acting import Acting, under
from codegen.mechanisms.recursions.formulas import base_of, forces
from codegen.mechanisms.recursions.slopes import base_seeds, slopes
from codegen.mechanisms.trees.coordinates import of_links
from codegen.modeling.kernel import Kernel
from codegen.notation.blocks import Block, column


@dataclass(frozen=True)
class Derivatives:
    """The kernels of one robot."""

    robot: Robot

    def rnea_derivatives(self) -> Kernel:
        """The derivatives of inverse dynamics by positions and velocities of the joints."""
        n, floats = self.robot.mechanism.count, self.robot.mechanism.floating

        def formula(q: Any, v: Any, a: Any, acting: Acting | None = None, **of_base: Any) -> Any:
            found = slopes(under(self.robot.light, acting), q, v, a, base_of(of_base))
            results = []
            for rows, wrenches in ((found.by_q, found.base_by_q), (found.by_v, found.base_by_v)):
                parts = [wrench.scalars() for wrench in wrenches]
                results += [[part[k] for k in range(6) for part in parts]] if floats else []
                results.append([x for row in rows for x in row])
            return tuple(results)

        def reference(q: Any, v: Any, a: Any, acting: Any = None, **of_base: Any) -> Any:
            by_q, by_v = self.robot.definition.under(acting).torque_slopes(q, v, a, of_base)
            split = (part for S in (by_q, by_v) for part in ([S[:6], S[6:]] if floats else [S[6:]]))
            return by_definition.result(*split)

        outputs = []
        for by, doc in (("q", self.robot.arguments.directions), ("v", "velocities")):
            if floats:
                wrench = f"derivatives of the base's wrench, angular first, by joint {doc}"
                outputs.append(Arg(f"dF_d{by}", Array((6, n)), "mixed", wrench, "B"))
            outputs.append(Arg(f"dtau_d{by}", Array((n, n)), "mixed", f"derivatives of tau by joint {doc}"))
        title = "Derivatives of inverse dynamics by positions and velocities; that by a is the mass matrix."
        inputs = ("q_WB", "V_B", "A_B", "q", "v", "a", *ACTING)
        return self.robot.made("rnea_derivatives", inputs, outputs, formula, reference, title,
            self.robot.equations.slopes(), about={"told": self._told_forces},
        )  # fmt: skip

    def rnea_base_derivatives(self) -> Kernel:
        """The derivatives of inverse dynamics by the attitude and the twist of a floating base."""
        if not self.robot.mechanism.floating:
            raise FeatherError("rnea_base_derivatives are for a floating base: generate with --floating")
        n = self.robot.mechanism.count

        def formula(q: Any, v: Any, a: Any, acting: Acting | None = None, **of_base: Any) -> Any:
            tree, base = under(self.robot.light, acting), base_of(of_base)
            assert base is not None
            found = slopes(tree, q, v, a, base)
            results = []
            for seeds in base_seeds(tree, base):
                wrenches = [found.of_base.change(seed).scalars() for seed in seeds]
                results.append([wrench[k] for k in range(6) for wrench in wrenches])
                results.append([form.of(seed) for form in found.forms for seed in seeds])
            return tuple(results)

        def reference(q: Any, v: Any, a: Any, acting: Any = None, **of_base: Any) -> Any:
            by_phi, by_V = self.robot.definition.under(acting).base_slopes(q, v, a, of_base)
            return by_definition.result(by_phi[:6], by_phi[6:], by_V[:6], by_V[6:])

        outputs = []
        for by, columns, doc in (
            ("phi", 3, "a rotation of the base about its own axes"), ("V", 6, "the twist of the base")
        ):  # fmt: skip
            wrench = f"derivatives of the base's wrench, angular first, by {doc}"
            outputs.append(Arg(f"dF_d{by}", Array((6, columns)), "mixed", wrench, "B"))
            outputs.append(Arg(f"dtau_d{by}", Array((n, columns)), "mixed", f"derivatives of tau by {doc}"))
        title = "Derivatives of inverse dynamics by attitude and twist of the base."
        inputs = ("q_WB", "V_B", "A_B", "q", "v", "a", *ACTING)
        return self.robot.made("rnea_base_derivatives", inputs, outputs, formula, reference, title,
            self.robot.equations.base_slopes(), about={"told": self._told_forces},
        )  # fmt: skip

    def _told_forces(self, found: Mapping[str, Any], given: Mapping[str, Block]) -> dict[str, Block]:
        """The joint forces, and the wrench of a base that floats, in equations for their derivatives."""
        q, v, a = (of_links(self.robot.tree, found[n]) for n in ("q", "v", "a"))
        of_base: dict[str, Any] = {n: x for n, x in found.items() if n not in ("q", "v", "a")}
        *wrench, tau = forces(self.robot.light, q, v, a, **of_base)
        told = {"tau": column(tau)}
        for F in wrench:
            told["F_0"] = column(list(F.scalars()))
        return told
