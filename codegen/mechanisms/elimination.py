"""Forward dynamics by the elimination of joints: articulated bodies, of which each leaf joint is freed in
turn.

The bias is that of a motion without joint acceleration, of a base that falls freely; what is found is
relative to it, so that the recursion has no velocities. Featherstone, Rigid Body Dynamics Algorithms (2008),
chapter 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from codegen.ir.types import Scalar
from codegen.mechanisms.carriage import Carriage, Constant, Turn, carriages, late_for_forces, signed
from codegen.mechanisms.dynamics import (
    Base,
    in_free_fall,
    inertial,
    movements_of,
    position_of,
    solve_sparse,
)
from codegen.mechanisms.tree import Moments, Tree
from codegen.modeling.algebra import Force, Mat3, Motion, SymMat3, Vec3
from codegen.modeling.scalar import let

Z = Vec3(0, 0, 1)


@dataclass(frozen=True)
class Articulated:
    """An articulated body's inertia about an origin: n = J w + H v, f = H^T w + M v."""

    J: SymMat3
    H: Mat3
    M: SymMat3

    @classmethod
    def of(cls, body: Moments) -> Articulated:
        """That of a rigid body."""
        S = body.S
        J = SymMat3(S.yy + S.zz, -S.xy, -S.xz, S.xx + S.zz, -S.yz, S.xx + S.yy)
        return cls(J, Mat3.skew(body.h), SymMat3.isotropic(body.m))

    def plus(self, other: Articulated) -> Articulated:
        """Both bodies, held together."""
        return Articulated(self.J + other.J, self.H + other.H, self.M + other.M)

    def freed(self, U: Force, inverse: Scalar, slides: bool) -> Articulated:
        """The body with a joint that is free: less U U^T / D; what acts along the joint is zero."""
        n, f = U.n * inverse, U.f * inverse
        J, H, M = self.J - _dyad(n, U.n), self.H - _outer(n, U.f), self.M - _dyad(f, U.f)
        if slides:
            M = SymMat3(M.xx, M.xy, 0, M.yy, 0, 0)
            return Articulated(J, Mat3.from_columns(*H.columns[:2], Vec3.zero()), M)
        J = SymMat3(J.xx, J.xy, 0, J.yy, 0, 0)
        return Articulated(J, Mat3.from_rows(*H.rows[:2], Vec3.zero()), M)

    def seen(self, step: Turn | Constant) -> Articulated:
        """The same in axes from which its own are turned."""
        return Articulated(step.tensor(self.J), step.matrix(self.H), step.tensor(self.M))

    def shifted(self, p: Vec3) -> Articulated:
        """The same about an origin from which its own is at p: H' = H + p~ M, J' = J - H p~ + p~ H'^T."""
        across = Mat3.skew(p)
        H = self.H + across @ self.M.dense
        left, right = self.H @ across, across @ H.transpose
        m = [a - b for a, b in zip(right.m, left.m, strict=True)]
        return Articulated(self.J + SymMat3(m[0], m[1], m[2], m[4], m[5], m[8]), H, self.M)


def _dyad(a: Vec3, b: Vec3) -> SymMat3:
    return SymMat3(a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.y, a.y * b.z, a.z * b.z)


def _outer(a: Vec3, b: Vec3) -> Mat3:
    return Mat3.from_rows(*(b * x for x in a.scalars()))


@dataclass(frozen=True)
class _Freed:
    """What the way back needs of an eliminated joint: U, 1/D and the force that is left for it."""

    U: Force
    inverse: Scalar
    u: Scalar


def eliminated_dynamics(
    tree: Tree,
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    tau: Sequence[Scalar],
    wrench: Force | None = None,
    base: Base | None = None,
) -> tuple[Motion | None, list[Scalar]]:
    """The spatial acceleration of a floating base, on which a wrench acts, and those of the joints.

    The acceleration in `base` is not used.
    """
    ways = carriages(tree, q, late_for_forces(tree))
    falling = None if base is None else in_free_fall(tree, base)
    moving = None if base is None or falling is None else Base(base.R, base.V, falling)
    movements = movements_of(tree, ways, q, v, [0] * len(v), moving)
    loads = [inertial(m, way.moments) for m, way in zip(movements, ways, strict=True)]
    bodies: list[Articulated | None] = [None] * len(ways)
    freed: dict[int, _Freed] = {}
    for i in reversed(tree.jointed):
        freed[i] = _eliminate(
            tree, ways, bodies, loads, i, position_of(tree, i, q), position_of(tree, i, tau)
        )
    gained: list[Motion] = []
    if wrench is not None:
        whole = _with_children(ways[0].moments, bodies[0])
        gained.append(_of_base(whole, wrench - loads[0]))
    found = _accelerations(tree, ways, q, freed, gained)
    return (gained[0] + falling if falling is not None else None), found


def _with_children(own: Moments, children: Articulated | None) -> Articulated:
    return Articulated.of(own) if children is None else Articulated.of(own).plus(children)


def _eliminate(
    tree: Tree,
    ways: Sequence[Carriage],
    bodies: list[Articulated | None],
    loads: list[Force],
    i: int,
    position: Scalar,
    tau: Scalar,
) -> _Freed:
    """Free the joint of body i, and add what its parent feels of it to the parent."""
    way = ways[i]
    leaf = bodies[i] is None and way.pending is not None
    body = _with_children(way.resting if leaf else way.moments, bodies[i])
    U, inverse = _felt(body, way.link.slides)
    inverse = let(f"inverse_{i}", inverse)
    left = body.freed(U, inverse, way.link.slides)
    if leaf and way.pending is not None:
        left, U = left.seen(way.pending), Force(way.pending.ahead(U.n), way.pending.ahead(U.f))
    load = let(f"p_{i}", loads[i])
    u = signed(tau, way.link) - (load.f.z if way.link.slides else load.n.z)
    if way.link.parent >= 0:
        share = u * inverse
        n, f = load.n + U.n * share, load.f + U.f * share
        if way.link.slides:
            left, n = left.shifted(Z * position), n + Z.cross(f) * position
        for step in reversed(way.steps):
            left, n, f = left.seen(step), step.ahead(n), step.ahead(f)
        loads[way.link.parent] += Force(n + way.arm.cross(f), f)
        left = left.shifted(way.arm)
        others = bodies[way.link.parent]
        bodies[way.link.parent] = left if others is None else others.plus(left)
    return _Freed(U, inverse, u)


def _felt(body: Articulated, slides: bool) -> tuple[Force, Scalar]:
    """The wrench U of a unit acceleration along the joint, and the inverse of its component there."""
    if slides:
        return Force(body.H.column(2), body.M.rows[2]), 1 / body.M.zz
    return Force(body.J.rows[2], body.H.row(2)), 1 / body.J.zz


def _of_base(body: Articulated, wrench: Force) -> Motion:
    """The acceleration of a floating base, by elimination in its articulated inertia."""
    rows = [
        *([*j.scalars(), *h.scalars()] for j, h in zip(body.J.rows, body.H.rows, strict=True)),
        *([0, 0, 0, *m.scalars()] for m in body.M.rows),
    ]
    elements = {(i, j): rows[i][j] for i in range(6) for j in range(i, 6)}
    return Motion.of(solve_sparse(elements, range(-1, 5), wrench.scalars()))


def _accelerations(
    tree: Tree,
    ways: Sequence[Carriage],
    q: Sequence[Scalar],
    freed: dict[int, _Freed],
    gained: list[Motion],
) -> list[Scalar]:
    """The joints' accelerations from the base on; `gained` grows by what each body gains over the bias."""
    found = []
    for i in tree.jointed:
        way, joint = ways[i], freed[i]
        w, a = Vec3.zero(), Vec3.zero()
        if way.link.parent >= 0:
            before = gained[way.link.parent]
            w, a = way.back(before.w), way.back(before.v + before.w.cross(way.arm))
        if way.link.slides:
            a = a + w.cross(Z) * position_of(tree, i, q)
        gain = (joint.u - joint.U.n.dot(w) - joint.U.f.dot(a)) * joint.inverse
        gained.append(Motion(w, a + Z * gain) if way.link.slides else Motion(w + Z * gain, a))
        found.append(signed(gain, way.link))
    return found
