"""Reads a URDF: numbers as their decimals, errors with their line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

from codegen.errors import FeatherError
from codegen.mechanisms.description.free import free_joints
from codegen.mechanisms.description.joints import SINGLE, Joint
from codegen.mechanisms.description.mechanism import MOST_BODIES, Body, Mechanism, some
from codegen.mechanisms.description.written import Number, exact
from codegen.modeling.xml import Element, of_file, read_xml

_KINDS = ("revolute", "continuous", "prismatic", "fixed", "planar")
"""Types of joints that URDF has and that can be generated."""


def read_urdf(path: Path, floating: bool, gravity: Number, name: str) -> Mechanism:
    """The mechanism of a URDF file; FeatherError names the line, the link or joint, and what is wrong."""
    robot = read_xml(path)
    if robot.tag != "robot":
        raise FeatherError(
            f"{path}:{robot.line}: the root element is <{robot.tag}>, but that of a URDF is <robot>"
        )
    links, jointed, base = _free_from(robot.all("link"), robot.all("joint"))
    if len(links) > MOST_BODIES:
        raise FeatherError(f"{path}: it has {len(links)} links; at most {MOST_BODIES} can be generated")
    bodies: list[Body] = []
    joints: list[Joint] = []
    for element in links:
        with _at(path, element, "link"):
            bodies.append(_body(element))
    for element in jointed:
        with _at(path, element, "joint"):
            between, found = _joints(element)
            bodies += between
            joints += found
    notes = [*(b.doubt for b in bodies if b.doubt), *base, *_beside(jointed), *_unread(links, jointed)]
    called = name or robot.attributes.get("name", "") or path.stem
    with of_file(path, {"link": links, "joint": jointed}):
        return Mechanism(called, bodies, joints, floating or bool(base), gravity, notes)


@contextmanager
def _at(path: Path, element: Element, what: str) -> Iterator[None]:
    """Put the file, the line and the element before an error's message."""
    name = element.attributes.get("name", "")
    try:
        yield
    except FeatherError as error:
        called = f"{what} {name}" if name else what
        message = str(error).removeprefix(f"{called}: ")
        raise FeatherError(f"{path}:{element.line}: {called}: {message}") from None


def _body(link: Element) -> Body:
    name, inertial = link.attribute("name"), link.one("inertial")
    if inertial is None:
        return Body(name)
    mass, inertia = inertial.one("mass"), inertial.one("inertia")
    if mass is None:
        raise FeatherError("its <inertial> has no <mass>")
    xyz, rpy = _origin(inertial)
    moments: tuple[Number, ...] = (0,) * 6
    if inertia is not None:
        moments = tuple(_number(inertia, n) for n in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    return Body(name, _number(mass, "value"), xyz, moments, rpy)


def _joints(element: Element) -> tuple[list[Body], list[Joint]]:
    """The joints of an element, and the bodies without mass between these."""
    name, kind = element.attribute("name"), element.attribute("type")
    parent, child = element.one("parent"), element.one("child")
    if parent is None or child is None:
        raise FeatherError("it needs a <parent> and a <child>")
    ends = parent.attribute("link"), child.attribute("link")
    if kind == "floating":
        if element.one("mimic") is not None:
            raise FeatherError("a joint that moves freely follows no other one: leave out its <mimic>")
        return free_joints(name, *ends, *_origin(element))
    if kind not in _KINDS:
        raise FeatherError(
            f"joints of type {kind} cannot be generated; known are {', '.join(_KINDS)}, floating, and in a "
            f"model file Joint(...) with spherical, universal and helical"
        )
    return [], [_joint(element, name, kind, *ends)]


def _joint(element: Element, name: str, kind: str, parent: str, child: str) -> Joint:
    xyz, rpy = _origin(element)
    axis, limit = element.one("axis"), element.one("limit")
    ends, velocity, effort = _limits(kind, limit)
    direction = _vector(axis, "xyz") if axis is not None else (Fraction(1), Fraction(0), Fraction(0))
    stays = kind == "fixed"
    damping, friction = (Fraction(0) if stays else _loss(element, n) for n in ("damping", "friction"))
    mimic, multiplier, offset = ("", Fraction(1), Fraction(0)) if stays else _mimic(element)
    return Joint(
        name, kind, parent, child, xyz, rpy, direction, ends,
        velocity, effort, damping, friction=friction, mimic=mimic, multiplier=multiplier, offset=offset,
    )  # fmt: skip


def _loss(joint: Element, name: str) -> Fraction:
    dynamics = joint.one("dynamics")
    given = dynamics is not None and name in dynamics.attributes
    return _number(dynamics, name) if dynamics is not None and given else Fraction(0)


def _mimic(joint: Element) -> tuple[str, Fraction, Fraction]:
    """The joint that it follows, with its multiplier and offset."""
    mimic = joint.one("mimic")
    if mimic is None:
        return "", Fraction(1), Fraction(0)
    given = {n: _number(mimic, n) for n in ("multiplier", "offset") if n in mimic.attributes}
    return mimic.attribute("joint"), given.get("multiplier", Fraction(1)), given.get("offset", Fraction(0))


def _limits(
    kind: str, limit: Element | None
) -> tuple[tuple[Number, Number] | None, Number | None, Number | None]:
    """The ends of the position, the velocity and the effort of a joint with one degree of freedom."""
    if limit is None or kind not in SINGLE:
        return None, None, None
    velocity, effort = (_number(limit, n) if n in limit.attributes else None for n in ("velocity", "effort"))
    given = kind in ("revolute", "prismatic") and ("lower" in limit.attributes or "upper" in limit.attributes)
    ends = tuple(_number(limit, n) if n in limit.attributes else 0 for n in ("lower", "upper"))
    return ((ends[0], ends[1]) if given else None), velocity, effort


def _free_from(
    links: Sequence[Element], joints: Sequence[Element]
) -> tuple[list[Element], list[Element], list[str]]:
    """The links and joints without a floating joint that carries all others, and a note on it.

    It starts from a link that is only a name for the world: without inertia, and without another joint.
    """
    for joint in _floating(joints):
        world = _end(joint, "parent")
        others = [j for j in joints if j is not joint and world in (_end(j, "parent"), _end(j, "child"))]
        heavy = [x for x in links if x.attributes.get("name") == world and x.one("inertial") is not None]
        if not others and not heavy and world != _end(joint, "child"):
            rest = [x for x in links if x.attributes.get("name") != world]
            note = f"joint {joint.attributes.get('name', '')}: the base, link {_end(joint, 'child')}, floats"
            return rest, [j for j in joints if j is not joint], [note]
    return list(links), list(joints), []


def _floating(joints: Iterable[Element]) -> list[Element]:
    return [j for j in joints if j.attributes.get("type") == "floating"]


def _beside(joints: Iterable[Element]) -> Iterator[str]:
    """A note on links that move freely relative to others."""
    if free := [_end(joint, "child") for joint in _floating(joints)]:
        yield f"on slides and a spherical joint, as it moves freely: link {some(free)}"
    if lossy := [j.attributes.get("name", "") for j in _floating(joints) if j.one("dynamics") is not None]:
        yield f"not modelled: <dynamics> of the floating joint {some(lossy)}"


def _end(joint: Element, tag: str) -> str:
    """The link at an end of a joint; empty where it names none."""
    end = joint.one(tag)
    return "" if end is None else end.attributes.get("link", "")


_KNOWN = {
    "link": ("inertial", "visual", "collision"),
    "joint": ("origin", "parent", "child", "axis", "calibration", "dynamics", "limit", "mimic",
              "safety_controller"),
}  # fmt: skip
"""The elements that URDF has in links and joints."""


def _unread(links: Sequence[Element], joints: Sequence[Element]) -> Iterator[str]:
    """Notes on elements of another name, which may be misspelt, and on limits without a meaning."""
    found: dict[str, list[str]] = {}
    for element in (*links, *joints):
        for tag in dict.fromkeys(child.tag for child in element.children):
            if tag not in _KNOWN[element.tag]:
                found.setdefault(f"<{tag}> of {element.tag}", []).append(element.attributes.get("name", ""))
    planar = [
        j.attributes.get("name", "")
        for j in joints
        if j.attributes.get("type") == "planar" and j.one("limit")
    ]
    yield from (f"not read: {what} {some(names)}" for what, names in found.items())
    if planar:
        yield f"not read: <limit> of the planar joint {some(planar)}: URDF does not say what it limits"


def _origin(element: Element) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Position and angles of <origin>; zero where they are not given."""
    origin = element.one("origin")
    zero = (Fraction(0),) * 3
    if origin is None:
        return zero, zero
    if "quat_xyzw" in origin.attributes:
        raise FeatherError("<origin> has a quaternion, which URDF 1.0 does not know: give rpy")
    xyz, rpy = (_vector(origin, n) if n in origin.attributes else zero for n in ("xyz", "rpy"))
    return xyz, rpy


def _vector(element: Element, name: str) -> tuple[Fraction, ...]:
    words = element.attribute(name).split()
    if len(words) != 3:
        raise FeatherError(f"<{element.tag}> {name}={element.attribute(name)[:40]!r} is not three numbers")
    return tuple(exact(word) for word in words)


def _number(element: Element, name: str) -> Fraction:
    try:
        return exact(element.attribute(name))
    except FeatherError as error:
        raise FeatherError(f"<{element.tag}> {name}: {error}") from None
