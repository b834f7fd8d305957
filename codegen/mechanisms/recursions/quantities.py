"""Centre of mass, momentum, energies, and the motion of frames.

They are sums over the bodies of the reduced tree: what was moved between bodies lay on their joint's axis, so
that it moves as before. What was moved to a base that stands still is `resting`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from codegen.ir.types import Scalar
from codegen.mechanisms.description.exact import IDENTITY, ORIGIN, Z
from codegen.mechanisms.recursions.dynamics import Base, Movement, mass_matrix, movements_of
from codegen.mechanisms.recursions.kinematics import frame_pose
from codegen.mechanisms.trees.carriage import (
    Carriage,
    carriages,
    late_for_forces,
    late_for_masses,
    position_of,
)
from codegen.mechanisms.trees.coordinates import of_coordinates
from codegen.mechanisms.trees.tree import Moments, Place, Tree
from codegen.mechanisms.trees.turns import number
from codegen.modeling.types.algebra import Force, Mat3, Motion, SymMat3, Vec3
from codegen.modeling.types.scalar import let


def resting(whole: Tree, tree: Tree) -> Moments:
    """The moments that the passes from the whole tree to this one have moved to the base that stands still.

    They are the difference of all moments at the joints' phases, about the base's origin.
    """
    return _all_moments(whole).minus(_all_moments(tree))


def _all_moments(tree: Tree) -> Moments:
    places: list[Place] = []
    total = Moments()
    for link in tree.links:
        before = places[link.parent] if link.parent >= 0 else Place(-1, IDENTITY, ORIGIN)
        c, s = link.phase
        turned = Mat3((c, -s, Fraction(0), s, c, Fraction(0), Fraction(0), Fraction(0), Fraction(1)))
        places.append(before.then(link.R @ turned, link.p))
        total = total.plus(link.moments.seen(places[-1].R, places[-1].p))
    return total


def first_moment(tree: Tree, q: Sequence[Scalar]) -> Vec3:
    """The first moment of all bodies about the root's origin, in its axes."""
    ways = carriages(tree, q, late_for_forces(tree))
    h, m = [way.moments.h for way in ways], [way.resting.m for way in ways]
    total = h[0] if tree.floating else Vec3.zero()
    for i in reversed(tree.jointed):
        way, parent = ways[i], tree.links[i].parent
        own = let(f"h_{i}", h[i])
        if way.link.slides:
            own = own + Z * (m[i] * position_of(tree, i, q))
        carried = way.ahead(own) + way.arm * m[i]
        if parent < 0:
            total = total + carried
        else:
            h[parent], m[parent] = h[parent] + carried, m[parent] + m[i]
            total = h[0] if parent == 0 and tree.floating else total
    return total


def velocities(
    tree: Tree, ways: Sequence[Carriage], q: Sequence[Scalar], v: Sequence[Scalar], base: Motion | None
) -> list[Motion]:
    """The twist of each body about its origin, in its working frame."""
    made: list[Motion] = []
    for i, way in enumerate(ways):
        if way.link.free:
            assert base is not None
            made.append(base)
            continue
        before = made[way.link.parent] if way.link.parent >= 0 else Motion(Vec3.zero(), Vec3.zero())
        rate = position_of(tree, i, v)
        w, along = way.back(before.w), way.back(before.v + before.w.cross(way.arm))
        if way.link.slides:
            made.append(Motion(w, along + w.cross(Z) * position_of(tree, i, q) + Z * rate))
        else:
            made.append(Motion(w + Z * rate, along))
        let(f"w_{i}", made[i].w, f"the angular velocity of {way.link.called}")
        let(f"v_{i}", made[i].v, f"the velocity of the origin of {way.link.called}")
    return made


def kinetic_energy(tree: Tree, q: Sequence[Scalar], v: Sequence[Scalar], base: Motion | None) -> Scalar:
    """Half the sum of the bodies' momenta times their twists."""
    ways = carriages(tree, q, late_for_forces(tree))
    total: Scalar = 0
    for way, V in zip(ways, velocities(tree, ways, q, v, base), strict=True):
        p = _momentum(way.moments, V)
        total = total + p.n.dot(V.w) + p.f.dot(V.v)
    for i in tree.jointed:
        if tree.links[i].armature:
            rate = position_of(tree, i, v)
            total = total + rate * rate * number(tree.links[i].armature)
    return total / 2


def _momentum(body: Moments, V: Motion) -> Force:
    """Angular momentum about the body's origin, and momentum."""
    J = SymMat3.isotropic(body.S.trace) - body.S
    return Force(J @ V.w + body.h.cross(V.v), V.v * body.m + V.w.cross(body.h))


def momentum(tree: Tree, q: Sequence[Scalar], v: Sequence[Scalar], base: Motion | None) -> Force:
    """Angular momentum about the root's origin, and momentum, of all bodies in the root's axes."""
    ways = carriages(tree, q, late_for_forces(tree))
    moving = velocities(tree, ways, q, v, base)
    sums = [_momentum(way.moments, V) for way, V in zip(ways, moving, strict=True)]
    total = Force(Vec3.zero(), Vec3.zero())
    for i in reversed(tree.jointed):
        way, n, f = ways[i], sums[i].n, sums[i].f
        if way.link.slides:
            n = n + Z.cross(f) * position_of(tree, i, q)
        n, f = way.ahead(n), way.ahead(f)
        carried = Force(n + way.arm.cross(f), f)
        if way.link.parent < 0:
            total = total + carried
        else:
            sums[way.link.parent] += carried
    return sums[0] if tree.floating else total


def momentum_columns(tree: Tree, q: Sequence[Scalar]) -> list[Force]:
    """Momentum, about the root's origin in its axes, for unit velocities.

    Those of a floating base come first, the angular ones before the others, then those of the coordinates.
    """
    M = mass_matrix(tree, q, late_for_masses(tree))
    parts = [[M.columns[j].scalars()[k] for j in range(len(M.columns))] for k in range(6)]
    columns = zip(*(of_coordinates(tree, part) for part in parts), strict=True)
    of_joints = [Force(Vec3(*x[:3]), Vec3(*x[3:])) for x in columns]
    if M.base is None:
        return of_joints
    units = [Vec3(*(int(j == k) for j in range(3))) for k in range(3)]
    still = Vec3.zero()
    of_base = [
        _momentum(M.base, V) for V in (*(Motion(e, still) for e in units), *(Motion(still, e) for e in units))
    ]
    return [*of_base, *of_joints]


def frame_twist(
    tree: Tree, place: Place, q: Sequence[Scalar], v: Sequence[Scalar], base: Motion | None
) -> Motion:
    """The twist of a frame relative to the world, in the frame."""
    ways = carriages(tree, q, late_for_forces(tree))
    if place.body < 0:
        return Motion(Vec3.zero(), Vec3.zero())
    return _at_frame(ways[place.body], place, velocities(tree, ways, q, v, base)[place.body])


def point_acceleration(
    tree: Tree,
    ways: Sequence[Carriage],
    movements: Sequence[Movement],
    place: Place,
    q: Sequence[Scalar],
    up: Vec3,
) -> Vec3:
    """The acceleration of a frame's origin in axes of the root, `up` being that against gravity in them."""
    way, movement, p = ways[place.body], movements[place.body], place.p.map(number)
    at = p if way.pending is None else way.pending.ahead(p)
    own = _own(way, movement.a + movement.U @ at)
    return frame_pose(tree, Place(place.body, IDENTITY, ORIGIN), q).R @ own - up


def _at_frame(way: Carriage, place: Place, V: Motion) -> Motion:
    """A twist of a body's working frame at a frame of the body."""
    w, v = _own(way, V.w), _own(way, V.v)
    R = place.R.map(number).transpose
    return Motion(R @ w, R @ (v + w.cross(place.p.map(number))))


def _own(way: Carriage, v: Vec3) -> Vec3:
    return v if way.pending is None else way.pending.back(v)


def frame_acceleration(
    tree: Tree,
    place: Place,
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    acceleration: Sequence[Scalar],
    base: Base | None,
) -> Motion:
    """The spatial acceleration of a frame, the derivative of its twist in the frame."""
    if place.body < 0:
        return Motion(Vec3.zero(), Vec3.zero())
    calm = tree.weightless
    ways = carriages(calm, q, late_for_forces(calm))
    movement = movements_of(calm, ways, q, v, acceleration, base)[place.body]
    way = ways[place.body]
    V = _at_frame(way, place, velocities(calm, ways, q, v, base.V if base else None)[place.body])
    p = place.p.map(number)
    at = p if way.pending is None else way.pending.ahead(p)
    R = place.R.map(number).transpose
    dw, a = R @ _own(way, movement.dw), R @ _own(way, movement.a + movement.U @ at)
    return Motion(dw, a - V.w.cross(V.v))
