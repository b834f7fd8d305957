"""Recursions over a tree of bodies: inverse dynamics, mass matrix, and forward dynamics from both.

Newton's and Euler's equations in three-vectors, about the bodies' origins, without linear velocities:
U = dw~ + w~ w~ gives the acceleration a + U r of a body's point at r, and with the second moments S of its
mass the moment of the inertial forces, the axial vector of U S - (U S)^T. Gravity is an acceleration of the
base.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from codegen.ir.types import Scalar
from codegen.mechanisms.description.exact import IDENTITY, Z
from codegen.mechanisms.recursions.sparse import Factored, factored
from codegen.mechanisms.trees.carriage import (
    Carriage,
    Point,
    carriages,
    late_for_forces,
    late_for_masses,
    on_the_ground,
    position_of,
    signed,
)
from codegen.mechanisms.trees.coordinates import ancestors_of, in_coordinates, of_coordinates
from codegen.mechanisms.trees.tree import Link, Moments, Tree
from codegen.mechanisms.trees.turns import OfMomenta, OfMoments, Step, number
from codegen.modeling.types.algebra import Force, Mat3, Motion, SymMat3, Vec3
from codegen.modeling.types.scalar import constant, let, sign, tanh


@dataclass(frozen=True)
class Base:
    """The motion of a floating base: attitude R_WB, twist and spatial acceleration, both in the base's
    frame.
    """

    R: Mat3
    V: Motion
    A: Motion


@dataclass(frozen=True)
class Movement:
    """Angular velocity and its derivative, acceleration of the origin less gravity, U = dw~ + w~ w~.

    `gain` is the acceleration of the body's joint, `rate` its velocity. `outer` is the angular velocity with
    which the joint's axis turns where it is not that of the body before it, as in a spherical joint.
    """

    w: Vec3
    dw: Vec3
    a: Vec3
    U: Mat3
    gain: Scalar = 0
    rate: Scalar = 0
    outer: Vec3 | None = None


def whirl(dw: Vec3, w: Vec3) -> Mat3:
    """U = dw~ + w~ w~: the acceleration of a body's point at r, from that of its origin, is U r."""
    xx, yy, zz, xy, xz, yz = w.x * w.x, w.y * w.y, w.z * w.z, w.x * w.y, w.x * w.z, w.y * w.z
    return Mat3((
        -(yy + zz), xy - dw.z, xz + dw.y,
        xy + dw.z, -(xx + zz), yz - dw.x,
        xz - dw.y, yz + dw.x, -(xx + yy),
    ))  # fmt: skip


def moment(w: Vec3, U: Mat3, S: SymMat3) -> Vec3:
    """The axial vector of U S - (U S)^T: integral of r x U r dm.

    The elements of U's diagonal differ by squares of w.
    """
    _, xy, xz, yx, _, yz, zx, zy, _ = U.m
    xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
    return Vec3(
        S.yy * zy - S.zz * yz + S.yz * (zz - yy) + S.xy * zx - S.xz * yx,
        S.zz * xz - S.xx * zx + S.xz * (xx - zz) + S.yz * xy - S.xy * zy,
        S.xx * yx - S.yy * xy + S.xy * (yy - xx) + S.xz * yz - S.yz * xz,
    )


def inertial(movement: Movement, body: Moments) -> Force:
    """The force and the moment about the origin that move a body so."""
    a = movement.a
    return Force(moment(movement.w, movement.U, body.S) + body.h.cross(a), a * body.m + movement.U @ body.h)


# Inverse dynamics


def inverse_dynamics(
    tree: Tree,
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    acceleration: Sequence[Scalar],
    base: Base | None,
    late: Collection[int],
) -> tuple[Force | None, list[Scalar]]:
    """The wrench on a floating base, about its origin and in its frame, and the forces of the joints."""
    ways = carriages(tree, q, late)
    return forces_of(tree, ways, q, movements_of(tree, ways, q, v, acceleration, base))


def forces_of(
    tree: Tree, ways: Sequence[Carriage], q: Sequence[Scalar], movements: Sequence[Movement]
) -> tuple[Force | None, list[Scalar]]:
    """The wrench on a floating base and the forces of the joints that cause these movements."""
    totals = totals_of(tree, ways, q, movements)
    return (totals[0] if tree.floating else None), along_joints(tree, ways, movements, totals)


def along_joints(
    tree: Tree, ways: Sequence[Carriage], movements: Sequence[Movement], totals: Sequence[Force]
) -> list[Scalar]:
    """The forces of the joints, across which there are these wrenches."""
    tau: list[Scalar] = []
    for i in tree.jointed:
        link, total = ways[i].link, totals[i]
        tau.append(signed((total.f.z if link.slides else total.n.z) + of_joint(link, movements[i]), link))
    return tau


def loads_of(tree: Tree, ways: Sequence[Carriage], movements: Sequence[Movement]) -> list[Force]:
    """The wrench that each body needs of its joints: that of its inertia less what pushes it."""
    loads = [inertial(m, way.moments) for m, way in zip(movements, ways, strict=True)]
    for i, wrench in tree.pushes.items():
        loads[i] = loads[i] - ways[i].seen(wrench)
    return loads


def totals_of(
    tree: Tree, ways: Sequence[Carriage], q: Sequence[Scalar], movements: Sequence[Movement]
) -> list[Force]:
    """The wrench across each joint, on its body and those behind it, about the body's origin."""
    loads = loads_of(tree, ways, movements)
    passed: list[dict[Point, tuple[Vec3, Force]]] = [{} for _ in ways]
    for i in reversed(range(len(ways))):
        for arm, theirs in passed[i].values():
            loads[i] += Force(theirs.n + arm.cross(theirs.f), theirs.f)
        way, total = ways[i], loads[i]
        let(f"f_{i}", total, f"the wrench that the joint transmits to {way.link.called}, about its origin")
        if way.link.parent >= 0:
            own, group = passed_on(tree, way, i, q, total), passed[way.link.parent]
            group[way.point] = way.arm, group[way.point][1] + own if way.point in group else own
    return loads


def passed_on(tree: Tree, way: Carriage, i: int, q: Sequence[Scalar], total: Force) -> Force:
    """The wrench across body i's joint in the parent's working frame, about the point where it starts."""
    n = total.n + Z.cross(total.f) * position_of(tree, i, q) if way.link.slides else total.n
    return Force(way.ahead(n), way.ahead(total.f))


def of_joint(link: Link, movement: Movement) -> Scalar:
    """What damping, friction and armature take of a joint's force."""
    lost = movement.rate * number(link.damping) if link.damping else 0
    if link.friction:
        lost = lost + sense(movement.rate, link) * number(link.friction)
    return lost + movement.gain * number(link.armature) if link.armature else lost


def slope_of_losses(link: Link, movement: Movement) -> Scalar:
    """The derivative by velocity of what damping and friction take of a joint's force."""
    slope: Scalar = number(link.damping) if link.damping else 0
    if link.friction and link.creep:
        way = sense(movement.rate, link)
        slope = slope + (1 - way * way) * number(link.friction / link.creep)
    return slope


def sense(rate: Scalar, link: Link) -> Scalar:
    """The direction of a joint's velocity, between -1 and 1."""
    return tanh(rate / number(link.creep)) if link.creep else sign(rate)


def movements_of(
    tree: Tree,
    ways: Sequence[Carriage],
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    acceleration: Sequence[Scalar] | None,
    base: Base | None,
    ground: Movement | None = None,
) -> list[Movement]:
    """The movement of each body in its working frame; `ground` is that of what the tree is mounted on, or of
    a floating base whose movement is known.

    Without `acceleration`, joints turn with that for which the element yx of U vanishes, and slide with none.
    So do joints that share a coordinate. Bodies on spherical joints have no angular acceleration then.
    """
    shared = tree.shared if acceleration is None else ()
    still = ground or Movement(Vec3.zero(), Vec3.zero(), tree.lift(IDENTITY), Mat3((0,) * 9))
    made: list[Movement] = []
    for i, way in enumerate(ways):
        if way.link.free:
            made.append(ground or of_base(base, tree))
            continue
        before = made[way.link.parent] if way.link.parent >= 0 else still
        rate = position_of(tree, i, v)
        gain = position_of(tree, i, acceleration) if acceleration is not None else None
        if way.link.place in shared or (gain is None and way.link.ball is not None):
            gain = 0
        if way.link.slides:
            made.append(_slid(before, way, position_of(tree, i, q), rate, 0 if gain is None else gain))
        else:
            made.append(_turned(before, way, rate, gain))
        if acceleration is None and way.link.ball == 2:
            made[-3:] = _without_angular_acceleration(made[-3:], ways[i - 2 : i + 1])
        _let_movement(i, made[i], way.link)
    return made


def _let_movement(i: int, of: Movement, link: Link) -> None:
    """Name the movement of a body."""
    let(f"w_{i}", of.w, f"the angular velocity of {link.called}")
    let(f"dw_{i}", of.dw, f"the angular acceleration of {link.called}")
    let(f"a_{i}", of.a, f"the acceleration, less gravity, of the origin of {link.called}")
    let(f"U_{i}", of.U, f"the matrix dw~ + w~ w~ of {link.called}, w being its angular velocity")


def of_base(base: Base | None, tree: Tree) -> Movement:
    """The movement of a floating base: its origin's acceleration is dv + w x v, less gravity."""
    assert base is not None
    w, dw = base.V.w, base.A.w
    a = base.A.v - in_free_fall(tree, base).A.v
    return Movement(w, dw, a, whirl(dw, w))


def _turned(before: Movement, way: Carriage, rate: Scalar, gain: Scalar | None) -> Movement:
    """The movement after a revolute joint."""
    carried, dw = way.back(before.w), way.back(before.dw)
    w, outer = carried + Z * rate, None
    if way.link.ball is not None:
        carried = outer = way.back(before.outer) if way.link.ball and before.outer is not None else carried
    a = way.back(before.a + before.U @ way.arm)
    spin = dw.z + gain if gain is not None else -(w.x * w.y)
    own = spin - dw.z if gain is None else gain
    axis = way.axis
    if axis is None:
        dw = Vec3(dw.x + carried.y * rate, dw.y - carried.x * rate, spin)
        return Movement(w, dw, a, whirl(dw, w), own, rate, outer)
    return replace(_spun(w, spin, a, way.back(before.U @ axis)), gain=own, rate=rate)


def _without_angular_acceleration(row: Sequence[Movement], ways: Sequence[Carriage]) -> list[Movement]:
    """The movements of the three links of a spherical joint, whose accelerations are those for which the
    last one, which carries the body, has no angular acceleration.
    """
    first, second, last = row
    axes = ways[2].back(ways[1].back(Z)), ways[2].back(Z)
    gains = [-axis.dot(last.dw) for axis in axes]
    still = replace(last, dw=Vec3.zero(), U=whirl(Vec3.zero(), last.w), gain=-last.dw.z)
    return [replace(first, gain=gains[0]), replace(second, gain=gains[1]), still]


def _spun(w: Vec3, spin: Scalar, a: Vec3, along: Vec3) -> Movement:
    """The movement of a body with dw_z = `spin`, from U z = `along`, its parent's: points of the axis are of
    both bodies. The rest of U and dw follow from these and w.
    """
    xx, yy, zz, xy, xz, yz = w.x * w.x, w.y * w.y, w.z * w.z, w.x * w.y, w.x * w.z, w.y * w.z
    dw = Vec3(yz - along.y, along.x - xz, spin)
    U = Mat3((
        -(yy + zz), xy - dw.z, along.x,
        xy + dw.z, -(xx + zz), along.y,
        xz - dw.y, yz + dw.x, along.z,
    ))  # fmt: skip
    return Movement(w, dw, a, U)


def _slid(before: Movement, way: Carriage, position: Scalar, rate: Scalar, gain: Scalar) -> Movement:
    """The movement after a prismatic joint."""
    w, dw = way.back(before.w), way.back(before.dw)
    U, twice = whirl(dw, w), rate + rate
    coriolis = Vec3(w.y * twice, -w.x * twice, gain)
    a = way.back(before.a + before.U @ way.arm) + U.column(2) * position + coriolis
    return Movement(w, dw, a, U, gain, rate)


# Mass matrix


@dataclass(frozen=True)
class MassMatrix:
    """The mass matrix of a tree: `elements` are those of its links' joints by (row, column), row <= column.

    There is no entry where two joints do not act on each other. `columns` are the wrenches on the base of
    unit accelerations, about its origin, and `base` is the composite body of one that floats.
    """

    tree: Tree

    elements: dict[tuple[int, int], Scalar]
    columns: dict[int, Force]
    base: Moments | None


def mass_matrix(tree: Tree, q: Sequence[Scalar], late: Collection[int]) -> MassMatrix:
    """The mass matrix, from composite bodies: each is rotated first, then its joint's column is read from
    it.
    """
    ways = carriages(tree, q, late)
    bodies = [way.moments for way in ways]
    passed: list[dict[Point, tuple[Vec3, Moments]]] = [{} for _ in ways]
    elements: dict[tuple[int, int], Scalar] = {}
    columns: dict[int, Force] = {}
    first = tree.jointed.start
    for i in reversed(tree.jointed):
        way = ways[i]
        called = f"{way.link.called}, and of all links behind it"
        whole = let_moments(f"{i}", _together(bodies[i], passed[i].values()), called)
        steps, about = list(way.steps), whole.S.xx + whole.S.yy
        if way.link.turns and way.pending is None:
            turn = steps.pop()
            whole = Moments(whole.m, turn.ahead(whole.h), turn.tensor(whole.S))
        column = momentum_of_sliding(whole) if way.link.slides else momentum_of_turning(whole, about)
        own = column.f.z if way.link.slides else column.n.z
        elements[i - first, i - first] = own + number(way.link.armature) if way.link.armature else own
        _carry_body(passed, way, steps, whole, position_of(tree, i, q))
        _read(tree, ways, q, i, column, steps, elements, columns)
    base = _together(bodies[0], passed[0].values()) if tree.floating else None
    return MassMatrix(tree, elements, columns, base)


_AT_THE_ORIGIN: Point = ()
"""The point of bodies whose moments are those about the parent's origin already."""


def _together(body: Moments, others: Iterable[tuple[Vec3, Moments]]) -> Moments:
    """A body with those whose origins are at points of it."""
    for p, other in others:
        S, h = shifted_moments(other.S, other.h, other.m, p)
        body = body.plus(Moments(other.m, h, S))
    return body


def let_moments(name: str, body: Moments, of: str) -> Moments:
    """Name the numbers of a composite body, which is `of` some links in words."""
    return Moments(
        let(f"m_{name}", body.m, f"the mass of {of}"),
        let(f"h_{name}", body.h, f"the first moment of mass about the origin of {of}"),
        let(f"S_{name}", body.S, f"the second moment of mass about the origin of {of}"),
    )


def momentum_of_turning(body: Moments, about: Scalar) -> Force:
    """The momentum of a body that turns about z at unit rate; its moment of inertia is the same at any
    angle.
    """
    return Force(Vec3(-body.S.xz, -body.S.yz, about), Vec3(-body.h.y, body.h.x, 0))


def momentum_of_sliding(body: Moments) -> Force:
    """The momentum of a body that slides along z at unit rate, about its origin."""
    return Force(Vec3(body.h.y, -body.h.x, 0), Vec3(0, 0, body.m))


def _carry_body(
    passed: list[dict[Point, tuple[Vec3, Moments]]],
    way: Carriage,
    steps: Sequence[Step],
    whole: Moments,
    position: Scalar,
) -> None:
    """Pass a composite body on to its parent."""
    parent = way.link.parent
    if parent < 0:
        return
    h, S, m = whole.h, whole.S, whole.m
    if way.link.slides:
        S, h = shifted_moments(S, h, m, Z * position)
    point, arm = way.point, way.arm
    for step in reversed(steps):
        if isinstance(step, OfMomenta):
            shifted = step.body(Moments(m, h, S))
            h, S, point, arm = shifted.h, shifted.S, _AT_THE_ORIGIN, Vec3.zero()
        else:
            h, S = step.ahead(h), step.tensor(S)
    own, group = Moments(m, h, S), passed[parent]
    group[point] = arm, group[point][1].plus(own) if point in group else own


def shifted_moments(S: SymMat3, h: Vec3, m: Scalar, p: Vec3) -> tuple[SymMat3, Vec3]:
    """Second and first moments about an origin from which the body's is at p: S + h p^T + p h^T + m p p^T."""
    after = h + p * m
    a, b, c = after.scalars(), p.scalars(), h.scalars()

    def gain(i: int, j: int) -> Scalar:
        return a[i] * b[j] + b[i] * c[j]

    pairs = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
    return S + SymMat3(*(gain(i, j) for i, j in pairs)), after


def _read(
    tree: Tree,
    ways: Sequence[Carriage],
    q: Sequence[Scalar],
    i: int,
    column: Force,
    steps: Sequence[Step],
    elements: dict[tuple[int, int], Scalar],
    columns: dict[int, Force],
) -> None:
    """Carry a column towards the root, and read at each joint what acts on it."""
    first, k = tree.jointed.start, i
    n, f = column.n, column.f
    if ways[i].link.slides:
        n = n + Z.cross(f) * position_of(tree, i, q)
    while True:
        arm, own = ways[k].arm, k == i - (ways[i].link.ball or 0)
        for step in reversed(steps):
            if isinstance(step, OfMoments) or (own and isinstance(step, OfMomenta)):
                moved, arm = step.wrench(Force(n, f)), Vec3.zero()
                n, f = moved.n, moved.f
            else:
                n, f = step.ahead(n), step.ahead(f)
        n = n + arm.cross(f)
        k = ways[k].link.parent
        if k < 0 or ways[k].link.free:
            columns[i - first] = Force(n * ways[i].link.sign, f * ways[i].link.sign)
            return
        way = ways[k]
        both = way.link.sign * ways[i].link.sign
        elements[k - first, i - first] = (f.z if way.link.slides else n.z) * both
        if way.link.slides:
            n = n + Z.cross(f) * position_of(tree, k, q)
        steps = way.steps


# Forward dynamics


def forward_dynamics(
    tree: Tree,
    composed: Tree,
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    tau: Sequence[Scalar],
    wrench: Force | None = None,
    base: Base | None = None,
) -> tuple[Motion | None, list[Scalar]]:
    """The spatial acceleration of a floating base, on which a wrench acts, and those of the joints.

    The mass matrix, of the tree `composed`, gives them relative to a motion that is simple, of a base in free
    fall (`movements_of`), whose forces are those of `tree`. The acceleration in `base` is not used.
    """
    falling = in_free_fall(tree, base) if base is not None else None
    ways = carriages(tree, q, late_for_forces(tree))
    movements = movements_of(tree, ways, q, v, None, falling)
    F, bias = forces_of(tree, ways, q, movements)
    right = [t - b for t, b in zip(tau, of_coordinates(tree, bias), strict=True)]
    if F is not None and wrench is not None:
        right = [*(a - b for a, b in zip(wrench.scalars(), F.scalars(), strict=True)), *right]
    found = factored_masses(composed, q).solve(right)
    if falling is None:
        return None, with_gains(tree, movements, found)
    return Motion.of(found[:6]) + falling.A, with_gains(tree, movements, found[6:])


def mass_elements(tree: Tree, q: Sequence[Scalar]) -> dict[tuple[int, int], Scalar]:
    """The elements of the mass matrix of a tree for recursions of composite bodies, as in `in_rows`.

    They do not depend on the angles of bodies that turn on a base that stands still: these are at zero.
    """
    ground = on_the_ground(tree)
    level = replace(tree, links=tuple(_unturned(x) if i in ground else x for i, x in enumerate(tree.links)))
    angles = [constant(0) if i in ground else x for i, x in zip(tree.jointed, q, strict=True)]
    return in_rows(mass_matrix(level, angles, late_for_masses(tree)))


def mass_elements_in_ground_axes(tree: Tree, q: Sequence[Scalar]) -> dict[tuple[int, int], Scalar]:
    """The same elements, from bodies behind joints on the base that are computed in its axes.

    The search may find more to save in them.
    """
    return in_rows(mass_matrix(tree, q, late_for_masses(tree) | on_the_ground(tree)))


def _unturned(link: Link) -> Link:
    return replace(link, phase=(Fraction(1), Fraction(0)))


def factored_masses(tree: Tree, q: Sequence[Scalar]) -> Factored:
    """The factors of the mass matrix of a tree for recursions of composite bodies."""
    elements = mass_elements(tree, q)
    return factored(elements, _rows_before(tree, elements))


def _rows_before(tree: Tree, elements: dict[tuple[int, int], Scalar]) -> list[int]:
    """For each row of the mass matrix the last one before it that its elimination changes, or -1."""
    if not tree.plain:
        return ancestors_of(elements, tree.rows)
    if tree.floating:
        return [*range(-1, 5), *(link.parent + 5 for link in tree.links[1:])]
    return [link.parent for link in tree.links]


def with_gains(tree: Tree, movements: Sequence[Movement], found: Sequence[Scalar]) -> list[Scalar]:
    """The coordinates' accelerations, from those that were found relative to these movements.

    Of a coordinate that moves several links, these movements have none.
    """
    gains = {link.place: signed(m.gain, link) for link, m in zip(tree.links, movements, strict=True)}
    return [a + (0 if k in tree.shared else gains[k]) for k, a in enumerate(found)]


def in_free_fall(tree: Tree, base: Base) -> Base:
    """The base with the spatial acceleration for which its origin's acceleration is that of gravity."""
    a = -(base.V.w.cross(base.V.v) + tree.lift(base.R))
    return replace(base, A=Motion(Vec3.zero(), a))


def in_rows(M: MassMatrix) -> dict[tuple[int, int], Scalar]:
    """The elements (i, j), i <= j, in the order of coordinates, with six rows of a floating base first."""
    of_joints = in_coordinates(M.tree, M.elements)
    if M.base is None:
        return of_joints
    elements = of_base_alone(M.base)
    for i in range(6):
        parts = [M.columns[j].scalars()[i] for j in range(len(M.columns))]
        elements |= {(i, j + 6): x for j, x in enumerate(of_coordinates(M.tree, parts))}
    return elements | {(i + 6, j + 6): x for (i, j), x in of_joints.items()}


def of_base_alone(body: Moments) -> dict[tuple[int, int], Scalar]:
    """The elements (i, j), i <= j, of a floating base that is the composite body of the tree."""
    m, h, S = body.m, body.h, body.S
    J = SymMat3.isotropic(S.trace) - S
    rows = [
        *([*row.scalars(), *skew.scalars()] for row, skew in zip(J.rows, Mat3.skew(h).rows, strict=True)),
        [0, 0, 0, m, 0, 0], [0, 0, 0, 0, m, 0], [0, 0, 0, 0, 0, m],
    ]  # fmt: skip
    return {(i, j): rows[i][j] for i in range(6) for j in range(i, 6)}
