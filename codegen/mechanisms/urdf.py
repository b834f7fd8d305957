"""Reads a URDF: numbers as their decimals, errors with their line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

from codegen.errors import FeatherError
from codegen.mechanisms.description import KINDS, Body, Joint, Mechanism, Number, exact, some
from codegen.modeling.xml import Element, read_xml

_MOST = 1000
"""Links of one mechanism."""


def read_urdf(path: Path, floating: bool, gravity: Number, name: str) -> Mechanism:
    """The mechanism of a URDF file; FeatherError names the line, the link or joint, and what is wrong."""
    robot = read_xml(path)
    if robot.tag != "robot":
        raise FeatherError(
            f"{path}:{robot.line}: the root element is <{robot.tag}>, but that of a URDF is <robot>"
        )
    links = robot.all("link")
    if len(links) > _MOST:
        raise FeatherError(f"{path}: it has {len(links)} links; at most {_MOST} can be generated")
    bodies, joints = [], []
    for element in links:
        with _at(path, element, "link"):
            bodies.append(_body(element))
    for element in robot.all("joint"):
        with _at(path, element, "joint"):
            joints.append(_joint(element))
    notes = [*(b.doubt for b in bodies if b.doubt), *_left_out(robot.all("joint"))]
    called = name or robot.attributes.get("name", "") or path.stem
    try:
        return Mechanism(called, bodies, joints, floating, gravity, notes)
    except FeatherError as error:
        raise FeatherError(f"{path}: {error}") from None


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


def _joint(element: Element) -> Joint:
    name, kind = element.attribute("name"), element.attribute("type")
    parent, child = element.one("parent"), element.one("child")
    if parent is None or child is None:
        raise FeatherError("it needs a <parent> and a <child>")
    if kind not in KINDS:
        raise FeatherError(f"joints of type {kind} cannot be generated; known are {', '.join(KINDS)}")
    xyz, rpy = _origin(element)
    axis, limit = element.one("axis"), element.one("limit")
    ends, velocity, effort = _limits(kind, limit)
    direction = _vector(axis, "xyz") if axis is not None else (Fraction(1), Fraction(0), Fraction(0))
    damping = _damping(element) if kind != "fixed" else Fraction(0)
    return Joint(
        name, kind, parent.attribute("link"), child.attribute("link"), xyz, rpy, direction, ends,
        velocity, effort, damping,
    )  # fmt: skip


def _damping(joint: Element) -> Fraction:
    dynamics = joint.one("dynamics")
    given = dynamics is not None and "damping" in dynamics.attributes
    return _number(dynamics, "damping") if dynamics is not None and given else Fraction(0)


def _left_out(joints: Sequence[Element]) -> Iterator[str]:
    """What the elements of joints say that is not modelled."""
    moving = [j for j in joints if j.attributes.get("type") != "fixed"]
    rubbing = [
        j.attributes["name"]
        for j in moving
        for d in j.all("dynamics")
        if d.attributes.get("friction", "0").strip(" 0.")
    ]
    mimics = [j.attributes["name"] for j in moving if j.all("mimic")]
    for names, what in (
        (rubbing, "friction of"),
        (mimics, "<mimic>, so that it moves freely, of"),
    ):
        if names:
            yield f"not modelled: {what} joint {some(names)}"


def _limits(
    kind: str, limit: Element | None
) -> tuple[tuple[Number, Number] | None, Number | None, Number | None]:
    """The ends of the position, the velocity and the effort of a joint."""
    if limit is None or kind == "fixed":
        return None, None, None
    velocity, effort = (_number(limit, n) if n in limit.attributes else None for n in ("velocity", "effort"))
    given = kind != "continuous" and ("lower" in limit.attributes or "upper" in limit.attributes)
    ends = tuple(_number(limit, n) if n in limit.attributes else 0 for n in ("lower", "upper"))
    return ((ends[0], ends[1]) if given else None), velocity, effort


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
