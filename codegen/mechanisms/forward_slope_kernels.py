"""The kernel of the derivatives of forward dynamics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from codegen.ir.program import Arg
from codegen.ir.types import Array, Scalar
from codegen.mechanisms import reference as by_definition
from codegen.mechanisms.acting import Acting, under
from codegen.mechanisms.arguments import ACTING
from codegen.mechanisms.coordinates import of_links
from codegen.mechanisms.dynamics import Base, factored_masses, mass_elements
from codegen.mechanisms.dynamics_kernels import accelerating_back
from codegen.mechanisms.formulas import base_of
from codegen.mechanisms.robot import Robot
from codegen.mechanisms.slopes import Slopes, slopes
from codegen.mechanisms.sparse import Elements, product, square
from codegen.modeling.algebra import Motion
from codegen.modeling.kernel import Kernel

TOLERANCE = 32
"""In eps times the size of M da + d rnea: two eliminations follow each other."""


@dataclass(frozen=True)
class ForwardDerivatives:
    """The kernels of one robot."""

    robot: Robot

    def forward_dynamics_derivatives(self) -> Kernel:
        """The accelerations, and their derivatives by positions, velocities and forces of the joints."""
        inputs = ("q_WB", "V_B", "q", "v", "tau", "F_B", *ACTING)
        title = "Forward dynamics, with its derivatives by positions, velocities and forces of the joints."
        return self.robot.made(
            "forward_dynamics_derivatives", inputs, self._outputs(), self._formula, self._reference, title,
            self.robot.equations.forward_slopes(), about={"told": self.robot.bodies.motions("J")},
            invariants=self._checked(inputs), tolerance=TOLERANCE,
        )  # fmt: skip

    @property
    def _rows(self) -> int:
        """The rows of the mass matrix."""
        return self.robot.mechanism.count + 6 * self.robot.mechanism.floating

    def _outputs(self) -> list[Arg]:
        n, floats = self.robot.mechanism.count, self.robot.mechanism.floating
        found = self.robot.arguments.named("A_B", "a")
        for by, doc in (("q", self.robot.arguments.directions), ("v", "velocities")):
            if floats:
                base = f"derivatives of A_B, angular first, by joint {doc}"
                found.append(Arg(f"dA_d{by}", Array((6, n)), "mixed", base, "B"))
            found.append(Arg(f"da_d{by}", Array((n, n)), "mixed", f"derivatives of a by joint {doc}"))
        rows = "the base's wrench, moment first, then the joints" if floats else "the joints"
        doc = f"inverse mass matrix, derivatives by the forces of {rows}: upper triangle, row by row"
        return [*found, Arg("M_inv", Array((self._rows * (self._rows + 1) // 2,)), "mixed", doc)]

    def _formula(
        self, q: Any, v: Any, tau: Any, F_B: Any = None, acting: Acting | None = None, **of_base: Any
    ) -> Any:
        wrench = {} if F_B is None else {"F_B": F_B}
        pushing = {} if acting is None else {"acting": acting}
        found = self.robot.accelerating(q=q, v=v, tau=tau, **wrench, **pushing, **of_base)
        by_q, by_v = self._slopes(q, v, found, acting, of_base)
        tree = under(self.robot.composed, acting)
        M, n = factored_masses(tree, q), self._rows
        solved = [[M.solve([-x for x in column]) for column in columns] for columns in (by_q, by_v)]
        unit = [M.solve([int(i == k) for i in range(n)]) for k in range(n)]
        inverse = [unit[j][i] for i in range(n) for j in range(i, n)]
        return (*found, *(part for columns in solved for part in self._parted(columns)), inverse)

    def _slopes(
        self, q: Any, v: Any, found: Sequence[Any], acting: Acting | None, of_base: Any
    ) -> list[list[list[Scalar]]]:
        """The columns of the derivatives of inverse dynamics at these accelerations, by q and by v."""
        base = base_of(of_base)
        if base is not None:
            base = Base(base.R, base.V, Motion.of(found[0].scalars()))
        tree = under(self.robot.light, acting)
        rates: Slopes = slopes(tree, q, v, of_links(self.robot.tree, found[-1]), base)
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
        rows = [[column[i] for column in columns] for i in range(self._rows)]
        first = self._rows - self.robot.mechanism.count
        groups = [rows[:first], rows[first:]] if first else [rows]
        return [[x for row in group for x in row] for group in groups]

    def _reference(
        self, q: Any, v: Any, tau: Any, F_B: Any = None, acting: Any = None, **of_base: Any
    ) -> Any:
        define, floats = self.robot.definition.under(acting), F_B is not None
        a = define.accelerations(q, v, tau, by_definition.base_of(of_base, q[0]), F_B)
        at = {**of_base, "A_B": a[:6]} if floats else {}
        by_q, by_v = define.torque_slopes(q, v, a[6:] if floats else a, at)
        inverse = by_definition.inverse(define.mass_matrix(q, floats))
        moved = [-(inverse @ (S if floats else S[6:])) for S in (by_q, by_v)]
        parts = [part for S in moved for part in ([S[:6], S[6:]] if floats else [S])]
        found = [a[:6], a[6:]] if floats else [a]
        return by_definition.result(*found, *parts, by_definition.packed(inverse))

    def _checked(self, inputs: Sequence[str]) -> Callable[..., Any]:
        """What the results make of forces and derivatives: tau, zeros, and the unit matrix."""
        given = [a.name for a in self.robot.arguments.named(*inputs)]
        outputs = [a.name for a in self._outputs()]
        inverse_dynamics = accelerating_back(self.robot, given)

        def invariants(*values: Any) -> Any:
            known = self.robot.given(given, values[: len(given)])
            found = dict(zip(outputs, values[len(given) :], strict=True))
            accelerations = [found[n] for n in ("A_B", "a") if n in found]
            acting, of_base = known.get("acting"), {n: known[n] for n in ("q_WB", "V_B") if n in known}
            slopes = self._slopes(known["q"], known["v"], accelerations, acting, of_base)
            M = square(mass_elements(under(self.robot.composed, acting), known["q"]), self._rows)
            moved = [[*found.get(f"dA_d{by}", ()), *found[f"da_d{by}"]] for by in "qv"]
            left = [
                [x + column[i] for column, moving in zip(columns, _columns(flat, len(columns)), strict=True)
                 for i, x in enumerate(product(M, moving))]
                for columns, flat in zip(slopes, moved, strict=True)
            ]  # fmt: skip
            inverse = square(_elements(found["M_inv"], self._rows), self._rows)
            whole = [x for row in inverse for x in product(M, row)]
            return (*inverse_dynamics(*values[: len(given)], *accelerations), *left, whole)

        return invariants


def _elements(packed: Sequence[Scalar], n: int) -> Elements:
    """The elements of a symmetric matrix, of its upper triangle, row by row."""
    return dict(zip(((i, j) for i in range(n) for j in range(i, n)), packed, strict=True))


def _columns(flat: Sequence[Scalar], width: int) -> list[Sequence[Scalar]]:
    """The columns of a matrix that is given row by row."""
    return [flat[k::width] for k in range(width)]
