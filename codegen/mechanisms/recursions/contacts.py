"""Dynamics with points that touch the ground: the Delassus matrix, contact forces and impulses.

The rows of the contact Jacobian J are the velocities of the points, x, y and z of each, in axes of the root.
The Delassus matrix is N = J M^-1 J^T, as in the module `contact`: N lambda is what impulses lambda change of
these velocities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codegen.ir.types import Scalar
from codegen.mechanisms.description.exact import IDENTITY
from codegen.mechanisms.recursions.dynamics import (
    Base,
    factored_masses,
    forces_of,
    in_free_fall,
    movements_of,
    with_gains,
)
from codegen.mechanisms.recursions.kinematics import point_rows
from codegen.mechanisms.recursions.quantities import point_acceleration
from codegen.mechanisms.recursions.sparse import Factored
from codegen.mechanisms.trees.carriage import carriages, late_for_forces
from codegen.mechanisms.trees.coordinates import of_coordinates
from codegen.mechanisms.trees.tree import Tree
from codegen.modeling.types.algebra import Force, Motion
from codegen.modeling.types.elimination import inner
from codegen.modeling.types.matrices import SymmetricValue
from codegen.modeling.types.scalar import let

Rows = list[list[Scalar]]


@dataclass(frozen=True)
class Touching:
    """A robot's contact points: its factored mass matrix, the rows of J, and those of J L^-1."""

    M: Factored
    rows: Rows
    across: Rows

    @classmethod
    def of(cls, tree: Tree, links: Sequence[str], q: Sequence[Scalar]) -> Touching:
        """That of a regrouped tree and the links whose origins are the points."""
        M, rows = factored_masses(tree, q), contact_rows(tree, links, q)
        return cls(M, rows, [let(f"Z_{k}", M.down(row)) for k, row in enumerate(rows)])

    def delassus(self) -> Rows:
        """N, without the elements below its diagonal."""
        scaled = [self.M.scaled(row) for row in self.across]
        n = len(scaled)
        return [[inner(self.across[i], scaled[j]) if j >= i else 0 for j in range(n)] for i in range(n)]

    def freely(self, right: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        """What forces do, up to L^-1 D^-1, and what they would do to the points if these were free."""
        y = self.M.down(right)
        scaled = self.M.scaled(y)
        return y, [inner(row, scaled) for row in self.across]

    def answers(self, rates: Sequence[Scalar], softness: Scalar) -> list[Scalar]:
        """The lambda of (N + softness 1) lambda = -rates; zero where that is singular."""
        N = self.delassus()
        n = len(N)
        whole = [[N[min(i, j)][max(i, j)] + (softness if i == j else 0) for j in range(n)] for i in range(n)]
        found = SymmetricValue(whole).ldlt().solve([-x for x in rates])
        return let("lambda", list(found.scalars()))

    def moved(self, y: Sequence[Scalar], answers: Sequence[Scalar]) -> list[Scalar]:
        """M^-1 (right + J^T lambda) with y = L^-T right."""
        pushed = [a + inner([row[i] for row in self.across], answers) for i, a in enumerate(y)]
        return self.M.up(self.M.scaled(pushed))


def contact_rows(tree: Tree, links: Sequence[str], q: Sequence[Scalar]) -> Rows:
    """The rows of J."""
    return [row for link in links for row in point_rows(tree, tree.frames[link], q)]


def contact_accelerations(
    tree: Tree,
    links: Sequence[str],
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    acceleration: Sequence[Scalar] | None,
    base: Base | None,
) -> tuple[list[Scalar], list[Scalar]]:
    """The accelerations of the points in a motion, and the forces that it takes: of a floating base first.

    Without `acceleration` it is the simple motion of `movements_of`.
    """  # fmt: skip
    ways = carriages(tree, q, late_for_forces(tree))
    movements = movements_of(tree, ways, q, v, acceleration, base)
    up = tree.lift(base.R if base is not None else IDENTITY)
    points = [point_acceleration(tree, ways, movements, tree.frames[link], q, up) for link in links]
    F, tau = forces_of(tree, ways, q, movements)
    forces = [*(F.scalars() if F is not None else []), *of_coordinates(tree, tau)]
    return [x for point in points for x in point.scalars()], forces


def contact_dynamics(
    tree: Tree,
    composed: Tree,
    links: Sequence[str],
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    tau: Sequence[Scalar],
    wanted: Sequence[Scalar],
    softness: Scalar,
    wrench: Force | None,
    base: Base | None,
) -> tuple[Motion | None, list[Scalar], list[Scalar]]:
    """The accelerations of a floating base and of the joints, and the contact forces.

    The points accelerate as is `wanted`, less softness times the force: J a + dJ v + softness f = wanted.
    """  # fmt: skip
    falling = in_free_fall(tree, base) if base is not None else None
    drift, bias = contact_accelerations(tree, links, q, v, None, falling)
    given = [*(wrench.scalars() if wrench is not None else []), *tau]
    touching = Touching.of(composed, links, q)
    y, free = touching.freely([t - b for t, b in zip(given, bias, strict=True)])
    rates = [x + d - a for x, d, a in zip(free, drift, wanted, strict=True)]
    f = touching.answers(rates, softness)
    found = touching.moved(y, f)
    movements = movements_of(tree, carriages(tree, q, late_for_forces(tree)), q, v, None, falling)
    if falling is None:
        return None, with_gains(tree, movements, found), f
    return Motion.of(found[:6]) + falling.A, with_gains(tree, movements, found[6:]), f


def impulse_response(
    composed: Tree,
    links: Sequence[str],
    q: Sequence[Scalar],
    before: Sequence[Scalar],
    restitution: Scalar,
    softness: Scalar,
) -> tuple[list[Scalar], list[Scalar]]:
    """The velocities after an impact, of a floating base first, and the impulses on the points.

    J v_after + softness impulse = -restitution J v.
    """  # fmt: skip
    touching = Touching.of(composed, links, q)
    rates = [inner(row, before) * (1 + restitution) for row in touching.rows]
    impulses = touching.answers(rates, softness)
    changes = touching.moved([0] * len(before), impulses)
    return [a + b for a, b in zip(before, changes, strict=True)], impulses
