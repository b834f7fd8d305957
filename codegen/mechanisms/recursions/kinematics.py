"""Forward kinematics of named frames, and their Jacobians."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from codegen.ir.types import Scalar
from codegen.library.spatial.kernels import motion_cross
from codegen.mechanisms.description.exact import IDENTITY
from codegen.mechanisms.trees.carriage import Carriage, carriages, position_of, runs
from codegen.mechanisms.trees.coordinates import of_coordinates
from codegen.mechanisms.trees.tree import Place, Tree
from codegen.mechanisms.trees.turns import Step, Turn, number
from codegen.modeling.types.algebra import Mat3, Motion, Rotation, Transform, Vec3
from codegen.modeling.types.scalar import let


def chain(tree: Tree, body: int) -> list[int]:
    """The bodies from the base to this one."""
    found: list[int] = []
    while body >= 0:
        found.insert(0, body)
        body = tree.links[body].parent
    return found


def frame_pose(tree: Tree, place: Place, q: Sequence[Scalar]) -> Transform:
    """The pose of a frame in that of the root."""
    R, p, _ = _to_frame(tree, place, q)
    return Transform(Rotation(R.m), p)


def frame_jacobian(tree: Tree, place: Place, q: Sequence[Scalar]) -> list[Scalar]:
    """The Jacobian of a frame, row by row: its angular velocity and that of its origin, in axes of the root.

    There is a column for each joint; those of joints that do not move the frame are zero.
    """
    _, p, axes = _to_frame(tree, place, q)
    columns: dict[int, Motion] = {}
    for i, (axis, origin) in axes.items():
        z = axis * tree.links[i].sign
        columns[i] = Motion(Vec3.zero(), z) if tree.links[i].slides else Motion(z, z.cross(p - origin))
    return by_rows(tree, columns)


def point_rows(tree: Tree, place: Place, q: Sequence[Scalar]) -> list[list[Scalar]]:
    """The velocity of a frame's origin, in axes of the root, per velocity: three rows.

    The columns of a floating base's twist come first, the angular ones before the others.
    """
    jacobian, p = frame_jacobian(tree, place, q), frame_pose(tree, place, q).p
    linear = [jacobian[k * tree.count : (k + 1) * tree.count] for k in (3, 4, 5)]
    if not tree.floating:
        return linear
    of_base = _rows_of_base(IDENTITY.columns, p)[3:]
    return [[*base, *row] for base, row in zip(of_base, linear, strict=True)]


def base_jacobian(tree: Tree, place: Place, q: Sequence[Scalar]) -> list[Scalar]:
    """The motion of a frame at its origin per twist of a floating root, row by row, in axes of the root."""
    rows = _rows_of_base(IDENTITY.columns, frame_pose(tree, place, q).p)
    return [x for row in rows for x in row]


def local_base_jacobian(tree: Tree, place: Place, q: Sequence[Scalar]) -> list[Scalar]:
    """The motion of a frame per twist of a floating root, row by row, in axes of the frame."""
    pose = frame_pose(tree, place, q)
    return [x for row in _rows_of_base(pose.R.columns, pose.p) for x in row]


def _rows_of_base(axes: Iterable[Vec3], p: Vec3) -> list[list[Scalar]]:
    """Angular velocity about axes of the root, then velocity along them of its point p, per its twist."""
    along = list(axes)
    turns = [[*e.scalars(), 0, 0, 0] for e in along]
    return [*turns, *([*p.cross(e).scalars(), *e.scalars()] for e in along)]


def jacobian_rate(tree: Tree, place: Place, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """The derivative of that Jacobian by time, row by row, relative to the root.

    An axis z changes by w x z with the angular velocity w of its body, and its origin with the joints before.
    The axes of a spherical joint are those of the body behind it.
    """
    _, p, axes = _to_frame(tree, place, q)
    w, moving = Vec3.zero(), Vec3.zero()  # of the body so far, and the velocity of its point at the frame
    rates: dict[int, tuple[Vec3, Vec3]] = {}
    for i, (axis, origin) in axes.items():
        z = axis * tree.links[i].sign
        rate, arm = v[i - tree.jointed.start], p - origin
        rates[i] = _spin(tree, i, axes, v, w).cross(z), moving - w.cross(arm)  # of the axis, of its origin
        if tree.links[i].slides:
            moving = moving + z * rate
        else:
            w, moving = w + z * rate, moving + z.cross(arm) * rate
        link = tree.links[i]
        let(f"w_{i}", w, f"the angular velocity of link {link.name}, in the root's axes")
        let(f"v_{i}", moving, f"the velocity of the frame's origin as a point of link {link.name}")
    columns: dict[int, Motion] = {}
    for i, (axis, origin) in axes.items():
        z, (turned, before) = axis * tree.links[i].sign, rates[i]
        if tree.links[i].slides:
            columns[i] = Motion(Vec3.zero(), turned)
        else:
            columns[i] = Motion(turned, turned.cross(p - origin) + z.cross(moving - before))
    return by_rows(tree, columns)


def _spin(tree: Tree, i: int, axes: Mapping[int, tuple[Vec3, Vec3]], v: Sequence[Scalar], w: Vec3) -> Vec3:
    """The angular velocity of the axis of link i, where that of the body before is w."""
    ball = tree.links[i].ball
    for k in () if ball is None else range(i, i + 3 - ball):
        w = w + axes[k][0] * v[k - tree.jointed.start]
    return w


def by_rows(tree: Tree, columns: Mapping[int, Motion]) -> list[Scalar]:
    """The elements, row by row, of a matrix with a column per coordinate, from those of the links' joints.

    Columns of links that are not given are zero.
    """
    none: Sequence[Scalar] = [0] * 6
    scalars = {i: column.scalars() for i, column in columns.items()}
    rows = [of_coordinates(tree, [scalars.get(i, none)[k] for i in tree.jointed]) for k in range(6)]
    return [x for row in rows for x in row]


def spatial_jacobian(tree: Tree, place: Place, q: Sequence[Scalar]) -> list[Scalar]:
    """The Jacobian of a frame at the root's origin, row by row, in axes of the root."""
    return by_rows(tree, _spatial_columns(tree, place, q))


def spatial_jacobian_rate(tree: Tree, place: Place, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """The derivative of that Jacobian by time, row by row, relative to the root.

    The columns of a joint are fixed in the body behind it, and change with its motion; one alone does not
    change with the motion along itself.
    """
    columns, rates = _spatial_columns(tree, place, q), dict[int, Motion]()
    V = Motion(Vec3.zero(), Vec3.zero())
    for joint in _by_joint(tree, columns):
        before, V = V, _with_rates(tree, V, joint, v)
        let(f"V_{max(joint)}", V, f"the twist of link {tree.links[max(joint)].name} at the root's origin")
        rates |= {i: motion_cross(V if joint.keys() - {i} else before, column) for i, column in joint.items()}
    return by_rows(tree, rates)


def local_jacobian(tree: Tree, place: Place, q: Sequence[Scalar]) -> list[Scalar]:
    """The Jacobian of a frame, row by row, in axes of the frame."""
    return by_rows(tree, _local_columns(tree, place, q))


def local_jacobian_rate(tree: Tree, place: Place, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """The derivative of that Jacobian by time, row by row.

    The columns of a joint are fixed in the body behind it, and change with the motion of the frame relative
    to that body.
    """
    columns, rates = _local_columns(tree, place, q), dict[int, Motion]()
    V = Motion(Vec3.zero(), Vec3.zero())
    for joint in _by_joint(tree, columns):
        rates |= {i: motion_cross(column, V) for i, column in joint.items()}
        V = _with_rates(tree, V, joint, v)
        let(
            f"V_{min(joint)}",
            V,
            f"the twist of the frame by the joints from {tree.links[min(joint)].name} on",
        )
    return by_rows(tree, rates)


def _by_joint(tree: Tree, columns: Mapping[int, Motion]) -> Iterator[Mapping[int, Motion]]:
    """The columns of each joint: of a spherical one three, of another one."""
    for _, links in groupby(columns, lambda i: i - (tree.links[i].ball or 0)):
        yield {i: columns[i] for i in links}


def _with_rates(tree: Tree, V: Motion, columns: Mapping[int, Motion], v: Sequence[Scalar]) -> Motion:
    """A twist and what the motion along these columns adds to it."""
    for i, column in columns.items():
        rate = v[i - tree.jointed.start]
        V = Motion(V.w + column.w * rate, V.v + column.v * rate)
    return V


def _spatial_columns(tree: Tree, place: Place, q: Sequence[Scalar]) -> dict[int, Motion]:
    """For each link from the root to a frame the motion at the root's origin per velocity of its joint."""
    columns: dict[int, Motion] = {}
    for i, (axis, origin) in _to_frame(tree, place, q)[2].items():
        z = axis * tree.links[i].sign
        columns[i] = Motion(Vec3.zero(), z) if tree.links[i].slides else Motion(z, origin.cross(z))
    return columns


def _local_columns(tree: Tree, place: Place, q: Sequence[Scalar]) -> dict[int, Motion]:
    """For each link from a frame to the root the frame's motion, in its axes, per velocity of its joint."""
    ways = carriages(tree, q, [i for row in runs(tree) for i in row])
    rows = list(place.R.map(number).transpose.rows)  # those of the rotation from a body to the frame
    offset = place.R.transpose.map(number) @ place.p.map(number)  # from the body's origin to the frame
    if place.body >= 0 and (pending := ways[place.body].pending) is not None:
        rows = [pending.ahead(row) for row in rows]
    columns: dict[int, Motion] = {}
    for i in reversed(chain(tree, place.body)):
        way = ways[i]
        if way.link.free:
            break
        z = let(f"z_{i}", Vec3(*(row.z for row in rows)), f"the joint's axis of link {way.link.name}")
        axis = z * way.link.sign
        columns[i] = Motion(Vec3.zero(), axis) if way.link.slides else Motion(axis, axis.cross(offset))
        if way.link.slides:
            offset = offset + z * position_of(tree, i, q)
        rows = [way.ahead(row) for row in rows]
        offset = offset + Vec3(*(row.dot(way.arm) for row in rows))
    return columns


def _to_frame(
    tree: Tree, place: Place, q: Sequence[Scalar]
) -> tuple[Mat3, Vec3, dict[int, tuple[Vec3, Vec3]]]:
    """Rotation and position of a frame in the root's, and of each joint on the way its axis and origin."""
    ways = carriages(tree, q, [i for row in runs(tree) for i in row])
    R, p, axes = IDENTITY, Vec3.zero(), dict[int, tuple[Vec3, Vec3]]()
    for i in chain(tree, place.body):
        way = ways[i]
        p = p + R @ way.arm
        R = let(f"R_{i}", _rotated(R, way), f"the rotation from {way.link.called}, to the root's axes")
        if way.link.free:
            continue
        axes[i] = R.column(2), p
        if way.link.slides:
            p = p + R.column(2) * position_of(tree, i, q)
        let(f"p_{i}", p, f"the position of the origin of link {way.link.name} in the root's frame")
    if place.body >= 0 and (pending := ways[place.body].pending) is not None:
        R = _turned(R, pending)
    own = place.R.map(number)
    return R @ own, p + R @ place.p.map(number), axes


def _rotated(R: Mat3, way: Carriage) -> Mat3:
    """The rotation of a body's working frame, from that of its parent's."""
    for step in way.steps:
        R = _turned(R, step)
    return R


def _turned(R: Mat3, step: Step) -> Mat3:
    if not isinstance(step, Turn):
        return R @ step.R
    x, y, z = R.columns
    return Mat3.from_columns(x * step.c + y * step.s, y * step.c - x * step.s, z)
