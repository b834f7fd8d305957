"""The tree of moving bodies of a mechanism: fixed bodies merged, every joint about or along its z axis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from codegen.mechanisms.description import Body, Joint, Mechanism
from codegen.mechanisms.exact import IDENTITY, ORIGIN, Angles, congruent, moved, second_moments
from codegen.modeling.algebra import Mat3, SymMat3, Vec3

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


@dataclass(frozen=True)
class Tree:
    """Moving bodies, each after its parent; where the links of the description are; gravity, in m/s^2."""

    links: tuple[Link, ...]
    frames: Mapping[str, Place]
    gravity: Fraction

    @property
    def floating(self) -> bool:
        """Whether the first body is a floating base."""
        return self.links[0].free

    @property
    def jointed(self) -> range:
        """The bodies with a joint: all but a floating base, in the order of q."""
        return range(int(self.floating), len(self.links))

    def children(self, i: int) -> list[int]:
        """The bodies whose joint starts from this one."""
        return [k for k, link in enumerate(self.links) if link.parent == i]

    def with_link(self, i: int, link: Link) -> Tree:
        """The tree with another body in this place."""
        return replace(self, links=(*self.links[:i], link, *self.links[i + 1 :]))


def tree_of(mechanism: Mechanism, angles: Angles | None = None) -> Tree:
    """The tree of a mechanism with exact numbers; `angles` says which angles are snapped, and notes them."""
    angles = angles or Angles()
    root = mechanism.root
    places = {root: Place(0 if mechanism.floating else -1, IDENTITY, ORIGIN)}
    links: list[Link] = []
    if mechanism.floating:
        links.append(Link(root, "", -1, IDENTITY, ORIGIN, Moments(), free=True))
    for joint in mechanism.ordered:
        before = places[joint.parent].then(angles.rpy(joint.rpy), Vec3(*joint.xyz))  # type: ignore[arg-type]
        if joint.moves:
            axis = angles.axis(Vec3(*joint.axis))
            links.append(_link(joint, before.then(axis, ORIGIN)))
            places[joint.child] = Place(len(links) - 1, axis.transpose, ORIGIN)
        else:
            places[joint.child] = before
    for body in mechanism.bodies:
        place = places[body.name]
        if (body.m and place.body >= 0) or any(body.J):
            links = _loaded(links, place, _moments(body, angles))
    return Tree(tuple(links), places, Fraction(mechanism.gravity))


def _link(joint: Joint, place: Place) -> Link:
    return Link(
        joint.child, joint.name, place.body, place.R, place.p, Moments(), slides=joint.kind == "prismatic",
        damping=Fraction(joint.damping), armature=Fraction(joint.armature),
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
