"""The tree of moving bodies of a mechanism: fixed bodies merged, every joint about or along its z axis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from codegen.errors import FeatherError
from codegen.mechanisms.description.exact import (
    IDENTITY,
    ORIGIN,
    Angles,
    Z,
    congruent,
    moved,
    second_moments,
    turn,
)
from codegen.mechanisms.description.joints import Joint, planar_axes
from codegen.mechanisms.description.mechanism import Body, Mechanism
from codegen.mechanisms.description.written import exact
from codegen.modeling.types.algebra import Force, Mat3, SymMat3, Vec3
from codegen.modeling.types.scalar import constant

NO_MOMENTS = SymMat3(0, 0, 0, 0, 0, 0)


class Place(NamedTuple):
    """Where a frame is: a moving body (-1 is the base that stands still), and the pose in that body's
    frame.
    """

    body: int
    R: Mat3
    p: Vec3

    def then(self, R: Mat3, p: Vec3) -> Place:
        """A frame that is posed in this one."""
        return Place(self.body, self.R @ R, self.p + self.R @ p)


@dataclass(frozen=True)
class Moments:
    """Zeroth, first and second moments of mass of a body, in its frame: m, integral of r dm and of r r^T
    dm.
    """

    m: Fraction = field(default_factory=Fraction)
    h: Vec3 = ORIGIN
    S: SymMat3 = NO_MOMENTS

    def plus(self, other: Moments) -> Moments:
        """Both bodies together."""
        return Moments(self.m + other.m, self.h + other.h, self.S + other.S)

    def minus(self, other: Moments) -> Moments:
        """This body without the other."""
        return Moments(self.m - other.m, self.h - other.h, self.S - other.S)

    def seen(self, R: Mat3, p: Vec3) -> Moments:
        """The same body in axes that see its frame at p, rotated by R."""
        S, h = moved(self.S, self.h, self.m, R, p)
        return Moments(self.m, h, S)


@dataclass(frozen=True)
class Link:
    """A moving body, and its joint to the parent: a body before it, or -1, the base that stands still.

    Its frame has the pose (R, p) in the parent's frame; then it turns about its z axis by `sign` q and the
    constant angle whose cosine and sine are `phase`, or slides along z where `slides`. A `free` body is the
    floating base, whose parent is the world.

    q is `ratio` times the coordinate at `place`. A joint with several degrees of freedom is a row of links,
    of which the last carries the body. Those of a spherical joint are three at one point: `ball` counts them.
    The first turns by the joint's quaternion, and none by an angle; each has the velocity about its z axis.
    """

    name: str
    joint: str
    parent: int
    R: Mat3
    p: Vec3
    moments: Moments
    slides: bool = False
    sign: int = 1
    free: bool = False
    phase: tuple[Fraction, Fraction] = (Fraction(1), Fraction(0))
    damping: Fraction = Fraction(0)
    armature: Fraction = Fraction(0)
    friction: Fraction = Fraction(0)
    creep: Fraction = Fraction(0)
    place: int = 0
    ratio: Fraction = Fraction(1)
    ball: int | None = None

    @property
    def called(self) -> str:
        """What it is called in words, with the axes in which recursions work."""
        return f"link {self.name}, in its working axes, z along its joint"

    @property
    def turns(self) -> bool:
        """Whether it turns about its z axis by an angle."""
        return not (self.slides or self.free or self.ball is not None)

    @property
    def adds(self) -> bool:
        """Whether its angle may be added to others: proofs know the sines of sums of whole multiples."""
        return self.ratio.denominator == 1


@dataclass(frozen=True)
class Tree:
    """Moving bodies, each after its parent; where the links of the description are; gravity, in m/s^2.

    `late` are the bodies that recursions of forces compute in the frame before their turn, None where a rule
    says so. At run time, `pull` is the acceleration of gravity in axes of the world in place of the constant,
    `pushes` are external wrenches on bodies and `extra` moments that are added to theirs, in their frames;
    `arms` are the places of joints in the frames of the bodies before them, in place of the constants.
    With `by_momenta`, bodies on spherical joints are turned as the mass matrix needs it, by their momenta.
    """

    links: tuple[Link, ...]
    frames: Mapping[str, Place]
    gravity: Fraction
    late: frozenset[int] | None = None
    pull: Vec3 | None = None
    pushes: Mapping[int, Force] = field(default_factory=dict)
    extra: Mapping[int, Moments] = field(default_factory=dict)
    arms: Mapping[int, Vec3] = field(default_factory=dict)
    by_momenta: bool = False

    @property
    def floating(self) -> bool:
        """Whether the first body is a floating base."""
        return self.links[0].free

    @property
    def jointed(self) -> range:
        """The bodies with a joint: all but a floating base, in the order of q."""
        return range(int(self.floating), len(self.links))

    @property
    def count(self) -> int:
        """The number of coordinates."""
        return max(self.links[i].place for i in self.jointed) + 1

    @property
    def rows(self) -> int:
        """The rows of the mass matrix: those of a base that floats, then the joints'."""
        return self.count + 6 * self.floating

    @property
    def shared(self) -> frozenset[int]:
        """The places of coordinates that move several links, or one by a multiple of theirs."""
        places = [self.links[i].place for i in self.jointed]
        scaled = {link.place for link in self.links if link.ratio != 1}
        return frozenset(scaled.union(p for p in places if places.count(p) > 1))

    @property
    def plain(self) -> bool:
        """Whether the links have the coordinates in their order, each one of its own."""
        return not self.shared and [self.links[i].place for i in self.jointed] == [*range(self.count)]

    def lift(self, R: Mat3) -> Vec3:
        """The acceleration against gravity, in axes of a frame whose attitude is R."""
        if self.pull is not None:
            return -(R.transpose @ self.pull)
        g = int(self.gravity) if self.gravity in (0, 1) else constant(self.gravity)
        return R.row(2) * g

    @property
    def weightless(self) -> Tree:
        """The tree without gravity."""
        return replace(self, gravity=Fraction(0), pull=None)

    def children(self, i: int) -> list[int]:
        """The bodies whose joint starts from this one."""
        return [k for k, link in enumerate(self.links) if link.parent == i]

    def with_link(self, i: int, link: Link) -> Tree:
        """The tree with another body in this place."""
        return replace(self, links=(*self.links[:i], link, *self.links[i + 1 :]))


_MOST_FIXED = 100
"""Limit on fixed joints in a row: each makes the exact numbers of the pose longer."""


def tree_of(mechanism: Mechanism, angles: Angles | None = None) -> Tree:
    """The tree of a mechanism with exact numbers; `angles` says which angles are snapped, and notes them.

    FeatherError for more fixed joints in a row than any robot has.
    """
    angles = angles or Angles()
    _check_rows_of_fixed_joints(mechanism)
    root = mechanism.root
    places = {root: Place(0 if mechanism.floating else -1, IDENTITY, ORIGIN)}
    links: list[Link] = []
    if mechanism.floating:
        links.append(Link(root, "", -1, IDENTITY, ORIGIN, Moments(), free=True))
    for joint in mechanism.ordered:
        before = places[joint.parent].then(angles.rpy(joint.rpy), Vec3(*joint.xyz))  # type: ignore[arg-type]
        for move in _moves(joint):
            axis = angles.axis(Vec3(*move.axis))
            place = _offset(before.then(axis, ORIGIN), joint, move, angles)
            at = mechanism.places[joint.name] + move.which
            links.append(_link(joint, place, move, at))
            before = Place(len(links) - 1, axis.transpose, ORIGIN)
        places[joint.child] = before
    for body in mechanism.bodies:
        place = places[body.name]
        if (body.m and place.body >= 0) or any(body.J):
            links = _loaded(links, place, _moments(body, angles))
    return Tree(tuple(links), places, Fraction(mechanism.gravity))


def _check_rows_of_fixed_joints(mechanism: Mechanism) -> None:
    rows: dict[str, int] = {}
    for joint in mechanism.ordered:
        rows[joint.child] = rows.get(joint.parent, 0) + 1 if joint.kind == "fixed" else 0
        if rows[joint.child] > _MOST_FIXED:
            raise FeatherError(
                f"{mechanism.name}: link {joint.child} hangs on more than {_MOST_FIXED} fixed joints in a "
                "row: make these links one"
            )


class Move(NamedTuple):
    """A motion about or along an axis: which of the joint's coordinates moves it, and by which ratio."""

    axis: tuple[Any, ...]
    slides: bool = False
    which: int = 0
    ratio: Fraction = Fraction(1)
    ball: int | None = None


def _moves(joint: Joint) -> list[Move]:
    """The motions that a joint is a row of."""
    axis, ratio = tuple(joint.axis), exact(joint.multiplier)
    match joint.kind:
        case "fixed":
            return []
        case "prismatic":
            return [Move(axis, True, 0, ratio)]
        case "helical":
            return [Move(axis, True, 0, ratio * exact(joint.pitch)), Move(axis, False, 0, ratio)]
        case "universal":
            return [Move(axis), Move(tuple(joint.axis2), which=1)]
        case "planar":
            first, second = planar_axes(joint.axis)
            return [Move(first, True), Move(second, True, 1), Move(axis, which=2)]
        case "spherical":
            axes = enumerate(((0, 0, 1), (1, 0, 0), (0, 1, 0)))  # z first: the rotation precedes its axis
            return [Move(axis, which=(k + 2) % 3, ball=k) for k, axis in axes]
        case _:
            return [Move(axis, False, 0, ratio)]


def _offset(place: Place, joint: Joint, move: Move, angles: Angles) -> Place:
    """The place where the motion starts, from that where its joint's position is zero."""
    if not joint.offset:
        return place
    if move.slides:
        along = exact(joint.pitch) if joint.kind == "helical" else Fraction(1)
        return place.then(IDENTITY, Z * (along * exact(joint.offset)))
    return place.then(turn("z", *angles.point(exact(joint.offset))), ORIGIN)


def _link(joint: Joint, place: Place, move: Move, at: int) -> Link:
    """A link of a joint; losses of a joint with one freedom act on its last link."""
    lossy = joint.kind != "helical" or not move.slides
    losses = (exact(x) if lossy else Fraction(0) for x in (joint.damping, joint.armature, joint.friction))
    damping, armature, friction = losses
    return Link(
        joint.child, joint.name, place.body, place.R, place.p, Moments(), slides=move.slides,
        damping=damping, armature=armature, friction=friction, creep=exact(joint.creep),
        place=at, ratio=move.ratio, ball=move.ball,
    )  # fmt: skip


def _loaded(links: list[Link], place: Place, moments: Moments) -> list[Link]:
    if place.body < 0:
        return links
    link = links[place.body]
    together = link.moments.plus(moments.seen(place.R, place.p))
    return [*links[: place.body], replace(link, moments=together), *links[place.body + 1 :]]


def _moments(body: Body, angles: Angles) -> Moments:
    """The moments of a described body about its frame."""
    central = second_moments(congruent(SymMat3(*body.J), angles.rpy(body.rpy)))  # type: ignore[arg-type]
    return Moments(body.m, ORIGIN, central).seen(IDENTITY, Vec3(*body.centre))
