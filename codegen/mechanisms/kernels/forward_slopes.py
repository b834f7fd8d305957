"""The kernels of the derivatives of forward dynamics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.types import Array, Scalar
from codegen.mechanisms.definition import reference as by_definition
from codegen.mechanisms.kernels.arguments import ACTING
from codegen.mechanisms.kernels.dynamics import accelerating_back
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.recursions.acting import Acting, under
from codegen.mechanisms.recursions.dynamics import Base, factored_masses, mass_elements
from codegen.mechanisms.recursions.formulas import base_of
from codegen.mechanisms.recursions.slopes import base_seeds, slopes
from codegen.mechanisms.recursions.sparse import Elements, product, square
from codegen.mechanisms.trees.coordinates import of_links
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Motion

TOLERANCE = 32
"""In eps times the size of M da + d rnea: two eliminations follow each other."""


INPUTS = ("q_WB", "V_B", "q", "v", "tau", "F_B", *ACTING)

JOINTS, BASE = ("q", "v"), ("phi", "V")
"""What derivatives are by: positions and velocities of the joints, attitude and twist of the base."""


@dataclass(frozen=True)
class ForwardDerivatives:
    """The kernels of one robot."""

    robot: Robot

    def forward_dynamics_derivatives(self) -> Kernel:
        """The accelerations, and their derivatives by positions, velocities and forces of the joints."""
        n, m = self.robot.mechanism.rows, self.robot.mechanism.count
        rows = "the base's wrench, moment first, then the joints" if n > m else "the joints"
        doc = f"inverse mass matrix, derivatives by the forces of {rows}: upper triangle, row by row"
        inverse = Arg("M_inv", Array((n * (n + 1) // 2,)), "mixed", doc)
        docs = (f"joint {self.robot.arguments.directions}", "joint velocities")
        outputs = [*self._outputs(JOINTS, (m, m), docs), inverse]

        def formula(q: Any, acting: Acting | None = None, **given: Any) -> Any:
            M = factored_masses(under(self.robot.composed, acting), q)
            unit = [M.solve([int(i == k) for i in range(n)]) for k in range(n)]
            packed = [unit[j][i] for i in range(n) for j in range(i, n)]
            return (*self._moving(JOINTS, q=q, acting=acting, **given), packed)

        def reference(q: Any, acting: Any = None, **given: Any) -> Any:
            define = self.robot.definition.under(acting)
            inverse = by_definition.inverse(define.mass_matrix(q, n > m))
            moving = self._defined(define.torque_slopes, define, q, **given)
            return by_definition.result(*moving, by_definition.packed(inverse))

        moving = self._checked(JOINTS, outputs)

        def invariants(*values: Any) -> Any:
            known = self._known(outputs, values)
            M, inverse = self._masses(known), square(_elements(known["M_inv"], n), n)
            return (*moving(*values), [x for row in inverse for x in product(M, row)])

        title = "Forward dynamics, with its derivatives by positions, velocities and forces of the joints."
        return self._made("forward_dynamics_derivatives", outputs, formula, reference, title,
            self.robot.equations.forward_slopes(), invariants,
        )  # fmt: skip

    def forward_dynamics_base_derivatives(self) -> Kernel:
        """The accelerations, and their derivatives by the attitude and the twist of a floating base."""
        if not self.robot.mechanism.floating:
            raise FeatherError(
                "forward_dynamics_base_derivatives are for a floating base: generate with --floating"
            )
        docs = ("a rotation of the base about its own axes", "the twist of the base")
        outputs = self._outputs(BASE, (3, 6), docs)

        def formula(**given: Any) -> Any:
            return tuple(self._moving(BASE, **given))

        def reference(q: Any, acting: Any = None, **given: Any) -> Any:
            define = self.robot.definition.under(acting)
            return by_definition.result(*self._defined(define.base_slopes, define, q, **given))

        title = "Forward dynamics, with its derivatives by attitude and twist of the base."
        return self._made("forward_dynamics_base_derivatives", outputs, formula, reference, title,
            self.robot.equations.forward_base_slopes(), self._checked(BASE, outputs),
        )  # fmt: skip

    def _made(
        self, name: str, outputs: Sequence[Arg], formula: Any, reference: Any, title: str, equation: str,
        invariants: Callable[..., Any],
    ) -> Kernel:  # fmt: skip
        return self.robot.made(
            name, INPUTS, outputs, formula, reference, title, equation,
            about={"told": self.robot.bodies.motions("J")}, invariants=invariants, tolerance=TOLERANCE,
        )  # fmt: skip

    def _outputs(self, by: Sequence[str], widths: Sequence[int], docs: Sequence[str]) -> list[Arg]:
        """The accelerations, and their derivatives, whose columns are as many as `widths` say."""
        n, floats = self.robot.mechanism.count, self.robot.mechanism.floating
        found = self.robot.arguments.named("A_B", "a")
        for name, width, doc in zip(by, widths, docs, strict=True):
            if floats:
                base = f"derivatives of A_B, angular first, by {doc}"
                found.append(Arg(f"dA_d{name}", Array((6, width)), "mixed", base, "B"))
            found.append(Arg(f"da_d{name}", Array((n, width)), "mixed", f"derivatives of a by {doc}"))
        return found

    def _moving(
        self,
        by: Sequence[str],
        q: Any,
        v: Any,
        tau: Any,
        F_B: Any = None,
        acting: Acting | None = None,
        **of_base: Any,
    ) -> list[Any]:
        """The accelerations and their derivatives."""
        wrench = {} if F_B is None else {"F_B": F_B}
        pushing = {} if acting is None else {"acting": acting}
        found = self.robot.accelerating(q=q, v=v, tau=tau, **wrench, **pushing, **of_base)
        M = factored_masses(under(self.robot.composed, acting), q)
        rates = self._slopes(by, q, v, found, acting, of_base)
        solved = [[M.solve([-x for x in column]) for column in columns] for columns in rates]
        return [*found, *(part for columns in solved for part in self._parted(columns))]

    def _slopes(
        self, by: Sequence[str], q: Any, v: Any, found: Sequence[Any], acting: Acting | None, of_base: Any
    ) -> list[list[list[Scalar]]]:
        """The columns of the derivatives of inverse dynamics at these accelerations."""
        base = base_of(of_base)
        if base is not None:
            base = Base(base.R, base.V, Motion.of(found[0].scalars()))
        tree = under(self.robot.light, acting)
        rates = slopes(tree, q, v, of_links(self.robot.tree, found[-1]), base)
        if by == BASE:
            assert base is not None
            return [
                [
                    [*rates.of_base.change(seed).scalars(), *(f.of(seed) for f in rates.forms)]
                    for seed in seeds
                ]
                for seeds in base_seeds(tree, base)
            ]
        parts = ((rates.by_q, rates.base_by_q), (rates.by_v, rates.base_by_v))
        return [
            [
                [*(wrenches[k].scalars() if wrenches else []), *(row[k] for row in rows)]
                for k in range(self.robot.mechanism.count)
            ]
            for rows, wrenches in parts
        ]

    def _parted(self, columns: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
        """The elements row by row: those of the base's rows, where it floats, and of the joints'."""
        rows = [[column[i] for column in columns] for i in range(self.robot.mechanism.rows)]
        first = self.robot.mechanism.rows - self.robot.mechanism.count
        groups = [rows[:first], rows[first:]] if first else [rows]
        return [[x for row in group for x in row] for group in groups]

    def _defined(
        self,
        slopes: Callable[..., Any],
        define: by_definition.Definition,
        q: Any,
        v: Any,
        tau: Any,
        F_B: Any = None,
        **of_base: Any,
    ) -> list[Any]:
        """The accelerations and their derivatives, of those of inverse dynamics by its definition."""
        floats = F_B is not None
        a = define.accelerations(q, v, tau, by_definition.base_of(of_base, q[0]), F_B)
        at = {**of_base, "A_B": a[:6]} if floats else {}
        rates = slopes(q, v, a[6:] if floats else a, at)
        inverse = by_definition.inverse(define.mass_matrix(q, floats))
        moved = [-(inverse @ (S if floats else S[6:])) for S in rates]
        parts = [part for S in moved for part in ([S[:6], S[6:]] if floats else [S])]
        found = [a[:6], a[6:]] if floats else [a]
        return [*found, *parts]

    def _known(self, outputs: Sequence[Arg], values: Sequence[Any]) -> dict[str, Any]:
        """The arguments of formulas, and the results, by their names."""
        given = [a.name for a in self.robot.arguments.named(*INPUTS)]
        results = zip((a.name for a in outputs), values[len(given) :], strict=True)
        return self.robot.given(given, values[: len(given)]) | dict(results)

    def _masses(self, known: Mapping[str, Any]) -> Any:
        """The mass matrix."""
        tree = under(self.robot.composed, known.get("acting"))
        return square(mass_elements(tree, known["q"]), self.robot.mechanism.rows)

    def _checked(self, by: Sequence[str], outputs: Sequence[Arg]) -> Callable[..., Any]:
        """What the results make of forces and derivatives: tau, and zeros."""
        given = [a.name for a in self.robot.arguments.named(*INPUTS)]
        inverse_dynamics = accelerating_back(self.robot, given)

        def invariants(*values: Any) -> Any:
            known = self._known(outputs, values)
            accelerations = [known[n] for n in ("A_B", "a") if n in known]
            acting, of_base = known.get("acting"), {n: known[n] for n in ("q_WB", "V_B") if n in known}
            slopes = self._slopes(by, known["q"], known["v"], accelerations, acting, of_base)
            M, moved = self._masses(known), [[*known.get(f"dA_d{n}", ()), *known[f"da_d{n}"]] for n in by]
            left = [
                [x + column[i] for column, moving in zip(columns, _columns(flat, len(columns)), strict=True)
                 for i, x in enumerate(product(M, moving))]
                for columns, flat in zip(slopes, moved, strict=True)
            ]  # fmt: skip
            return (*inverse_dynamics(*values[: len(given)], *accelerations), *left)

        return invariants


def _elements(packed: Sequence[Scalar], n: int) -> Elements:
    """The elements of a symmetric matrix, of its upper triangle, row by row."""
    return dict(zip(((i, j) for i in range(n) for j in range(i, n)), packed, strict=True))


def _columns(flat: Sequence[Scalar], width: int) -> list[Sequence[Scalar]]:
    """The columns of a matrix that is given row by row."""
    return [flat[k::width] for k in range(width)]
