"""Forward dynamics by the elimination of joints: articulated bodies, of which each leaf joint is freed in
turn.

The bias is that of a motion with joint accelerations that make it simple, of a base that falls freely; what
is found is relative to it, so that the recursion has no velocities. Featherstone, Rigid Body Dynamics
Algorithms (2008), section 7.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from codegen.ir.types import Scalar
from codegen.mechanisms.description.exact import Z
from codegen.mechanisms.recursions.dynamics import (
    Base,
    Movement,
    in_free_fall,
    loads_of,
    movements_of,
    of_joint,
    with_gains,
)
from codegen.mechanisms.recursions.sparse import solve_sparse
from codegen.mechanisms.trees.carriage import Carriage, Point, carriages, late_for_forces, position_of, signed
from codegen.mechanisms.trees.coordinates import of_coordinates
from codegen.mechanisms.trees.tree import Link, Moments, Tree
from codegen.mechanisms.trees.turns import Step, number
from codegen.modeling.types.algebra import Force, Mat3, Motion, SymMat3, Vec3
from codegen.modeling.types.scalar import let


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

    def freed(self, U: Force, per: Force, link: Link) -> Articulated:
        """The body with a joint that is free: less U U^T / D, `per` being U / D.

        It has nothing along z but what the joint's armature holds.
        """
        n, f = per.n, per.f
        J, H, M = self.J - _dyad(n, U.n), self.H - _outer(n, U.f), self.M - _dyad(f, U.f)
        if link.armature:
            return Articulated(J, H, M)
        if link.slides:
            M = SymMat3(M.xx, M.xy, 0, M.yy, 0, 0)
            return Articulated(J, Mat3.from_columns(*H.columns[:2], Vec3.zero()), M)
        J = SymMat3(J.xx, J.xy, 0, J.yy, 0, 0)
        return Articulated(J, Mat3.from_rows(*H.rows[:2], Vec3.zero()), M)

    def seen(self, step: Step) -> Articulated:
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
    """What the way back needs of an eliminated joint: its gain where the body's origin does not accelerate,
    and U / D, what each component of that acceleration takes of it.
    """

    gain: Scalar
    per: Force


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
    falling = in_free_fall(tree, base) if base is not None else None
    found = Eliminated.of(tree, q, v, tau, falling)
    if falling is None or wrench is None:
        return None, found.accelerations(None)
    gained = freely(*found.at_base, wrench)
    return gained + falling.A, found.accelerations(gained)


@dataclass(frozen=True)
class Eliminated:
    """A tree whose joints are eliminated."""

    tree: Tree
    q: Sequence[Scalar]
    ways: Sequence[Carriage]
    movements: Sequence[Movement]
    felt: _Felt
    freed: Mapping[int, _Freed]

    @classmethod
    def of(
        cls,
        tree: Tree,
        q: Sequence[Scalar],
        v: Sequence[Scalar],
        tau: Sequence[Scalar],
        base: Base | None,
        ground: Movement | None = None,
    ) -> Eliminated:
        """The tree with this base or, where its movement is known, on this ground."""
        ways = carriages(tree, q, late_for_forces(tree))
        movements = movements_of(tree, ways, q, v, None, base, ground)
        felt = _Felt.of(ways, loads_of(tree, ways, movements))
        freed: dict[int, _Freed] = {}
        for i in reversed(tree.jointed):
            freed[i] = _eliminate(
                ways, felt, i, position_of(tree, i, q),
                signed(tau[ways[i].link.place], ways[i].link) - of_joint(ways[i].link, movements[i]),
            )  # fmt: skip
        return cls(tree, q, ways, movements, felt, freed)

    @property
    def at_base(self) -> tuple[Articulated, Force]:
        """What the base is with all behind it, and the wrench that they need."""
        return self.felt.of_body(0)

    def accelerations(self, gained: Motion | None) -> list[Scalar]:
        """Those of the coordinates; `gained` is what a floating base gains over its bias."""
        links = _accelerations(self.tree, self.ways, self.q, self.freed, [] if gained is None else [gained])
        return with_gains(self.tree, self.movements, of_coordinates(self.tree, links))


@dataclass
class _Felt:
    """What each body feels of those behind it: their articulated inertia, and the wrench that they need.

    `passed` has, for each body, what those whose joints start from one point of it pass on together.
    """

    ways: Sequence[Carriage]
    loads: Sequence[Force]
    passed: list[dict[Point, tuple[Vec3, Articulated, Force]]]

    @classmethod
    def of(cls, ways: Sequence[Carriage], loads: Sequence[Force]) -> _Felt:
        """That of bodies of which none has passed on anything."""
        return cls(ways, loads, [{} for _ in ways])

    def is_leaf(self, i: int) -> bool:
        """Whether nothing is passed on to a body."""
        return not self.passed[i]

    def of_body(self, i: int, resting: bool = False) -> tuple[Articulated, Force]:
        """A body with those behind it, and the wrench that they need; `resting` in the body's own frame."""
        way, load = self.ways[i], self.loads[i]
        whole = Articulated.of(way.resting if resting else way.moments)
        for arm, body, wrench in self.passed[i].values():
            whole = whole.plus(body.shifted(arm))
            load = load + Force(wrench.n + arm.cross(wrench.f), wrench.f)
        return whole, load

    def pass_on(self, i: int, body: Articulated, wrench: Force) -> None:
        """Add what the parent of body i feels of it, about the origin of body i and in the parent's axes."""
        way = self.ways[i]
        group, at = self.passed[way.link.parent], way.point
        if at in group:
            _, others, theirs = group[at]
            body, wrench = others.plus(body), theirs + wrench
        group[at] = way.arm, body, wrench


def _eliminate(
    ways: Sequence[Carriage],
    felt: _Felt,
    i: int,
    position: Scalar,
    push: Scalar,
) -> _Freed:
    """Free the joint of body i, on which `push` acts, and pass on to its parent what that feels of it."""
    way = ways[i]
    leaf = felt.is_leaf(i) and way.pending is not None
    body, load = felt.of_body(i, leaf)
    slides = way.link.slides
    U = _felt(body, slides)
    called = f"the articulated inertia of link {way.link.name} along its joint"
    inverse = let(
        f"inverse_{i}",
        1 / ((U.f.z if slides else U.n.z) + number(way.link.armature)),
        f"one divided by {called}, with the armature",
    )
    per = along(Force(U.n * inverse, U.f * inverse), 1, way.link)
    left = body.freed(U, per, way.link)
    if leaf and way.pending is not None:
        left, per = left.seen(way.pending), Force(way.pending.ahead(per.n), way.pending.ahead(per.f))
    load = let(f"p_{i}", load, f"the bias force of {way.link.called}")
    rest = push - (load.f.z if slides else load.n.z)
    if way.link.parent >= 0:
        whole = along(load + Force(per.n * rest, per.f * rest), push, way.link)
        n, f = whole.n, whole.f
        if slides:
            left, n = left.shifted(Z * position), n + Z.cross(f) * position
        for step in reversed(way.steps):
            left, n, f = left.seen(step), step.ahead(n), step.ahead(f)
        felt.pass_on(i, left, Force(n, f))
    return _Freed(rest * inverse, per)


def along(wrench: Force, value: Scalar, link: Link) -> Force:
    """The wrench with the value along the joint that is known where it has no armature."""
    n, f = wrench.n, wrench.f
    if link.armature:
        return wrench
    if link.slides:
        return Force(n, Vec3(f.x, f.y, value))
    return Force(Vec3(n.x, n.y, value), f)


def _felt(body: Articulated, slides: bool) -> Force:
    """The wrench U of a unit acceleration along the joint."""
    if slides:
        return Force(body.H.column(2), body.M.rows[2])
    return Force(body.J.rows[2], body.H.row(2))


def freely(body: Articulated, load: Force, wrench: Force) -> Motion:
    """The acceleration of a floating base on which a wrench acts, by elimination in its inertia."""
    rows = [
        *([*j.scalars(), *h.scalars()] for j, h in zip(body.J.rows, body.H.rows, strict=True)),
        *([0, 0, 0, *m.scalars()] for m in body.M.rows),
    ]
    elements = {(i, j): rows[i][j] for i in range(6) for j in range(i, 6)}
    return Motion.of(solve_sparse(elements, range(-1, 5), (wrench - load).scalars()))


def _accelerations(
    tree: Tree,
    ways: Sequence[Carriage],
    q: Sequence[Scalar],
    freed: Mapping[int, _Freed],
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
        gain = joint.gain - joint.per.n.dot(w) - joint.per.f.dot(a)
        gained.append(Motion(w, a + Z * gain) if way.link.slides else Motion(w + Z * gain, a))
        found.append(signed(gain, way.link))
    return found
