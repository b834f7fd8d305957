"""The arguments of a robot's functions, the places of its joints in them, and what comments say of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

from codegen.ir.program import Arg
from codegen.ir.types import Array
from codegen.mechanisms.description.joints import Joint, planar_axes
from codegen.mechanisms.description.limits import TAKEN, limits_of
from codegen.mechanisms.description.mechanism import Mechanism
from codegen.mechanisms.recursions.acting import Acting, Carried
from codegen.modeling.limits import Limits
from codegen.modeling.types.algebra import Force, Motion, UnitQuaternion, Vec3
from codegen.modeling.types.scalar import bare

_BASE = {
    "q_WB": Arg("q_WB", UnitQuaternion, "1", "attitude of the base", "B to W"),
    "V_B": Arg("V_B", Motion, "rad/s; m/s", "twist of the base's frame relative to the world", "B"),
    "A_B": Arg("A_B", Motion, "rad/s^2; m/s^2", "spatial acceleration of the base, dV_B/dt", "B"),
    "F_B": Arg("F_B", Force, "N m; N", "wrench on the base, about its origin", "B"),
}
_JOINTS = {
    "q": ("joint positions", "rad", "m"),
    "v": ("joint velocities", "rad/s", "m/s"),
    "a": ("joint accelerations", "rad/s^2", "m/s^2"),
    "tau": ("joint forces", "N m", "N"),
}
"""What the values of the joints are, and their units for joints that turn and that slide."""

GRAVITY, FORCES, PAYLOADS = "gravity", "forces", "payloads"
"""The groups of arguments that a robot has only where its description says so."""

ACTING = (GRAVITY, FORCES, PAYLOADS)
"""What acts on a robot besides its joints, where that is known at run time only."""

_TRAVEL = 100
"""How far a sliding joint without limits moves to either side, in m."""

_TURNING = 100
"""The angle of a turning joint beside one that slides, to either side, in rad: limits do not restrict it."""

_COUNT = "JOINTS"
"""The name of the number of joints."""


def identifier(name: str) -> str:
    """A name of a robot, link or joint as part of a C name."""
    words = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower()
    return words if words[:1].isalpha() else f"r_{words}".strip("_")


@dataclass(frozen=True)
class Arguments:
    """The arguments of a mechanism's functions."""

    mechanism: Mechanism

    def named(self, *names: str) -> list[Arg]:
        """The arguments with these names; those of a floating base only where the base floats.

        "gravity", "forces" and "payloads" are the arguments for what the functions take of these at run time.
        The positions q are followed by a quaternion for each spherical joint, and absent where there is no
        other joint.
        """
        found: list[Arg] = []
        for name in names:
            if name in (GRAVITY, FORCES, PAYLOADS):
                found += self._at_run_time[name]
            elif name in _JOINTS:
                found += self._of_joints(name)
            elif self.mechanism.floating:
                found.append(_BASE[name])
            if name == "q":
                found += [
                    Arg(own, UnitQuaternion, "1", f"position of joint {j.name}", f"{j.child} to {j.parent}")
                    for own, j in self._balls.items()
                ]
        return found

    @cached_property
    def _at_run_time(self) -> Mapping[str, list[Arg]]:
        """The arguments for gravity, external wrenches, and inertias."""
        inputs, mechanism = self.mechanism.inputs, self.mechanism
        axes = "W" if mechanism.floating else f"axes of {mechanism.root}"
        gravity = [Arg("g", Vec3, "m/s^2", "acceleration of gravity", axes)] if inputs.gravity else []
        forces = [
            Arg(f"F_{identifier(n)}", Force, "N m; N", f"wrench on {n}, about its origin", f"axes of {n}")
            for n in inputs.forces
        ]
        return {GRAVITY: gravity, FORCES: forces, PAYLOADS: [arg for _, arg in self._inertias]}

    @cached_property
    def _inertias(self) -> list[tuple[str, Arg]]:
        """The links whose inertia is an argument, or has one added, with these arguments."""
        inputs, unit = self.mechanism.inputs, "kg; kg m; kg m^2"
        added = [("payload", n, f"inertia that {n} carries besides its own") for n in inputs.payloads]
        own = [("inertia", n, f"inertia of {n}") for n in inputs.inertias]
        return [
            (n, Arg(f"{what}_{identifier(n)}", Carried, unit, f"{doc}, about its origin", f"axes of {n}"))
            for what, n, doc in (*added, *own)
        ]

    def acting(self, given: dict[str, Any]) -> Acting | None:
        """What is given of gravity, wrenches and inertias, which is taken out; None where nothing is."""
        names = [arg.name for group in self._at_run_time.values() for arg in group]
        found = {name: given.pop(name) for name in names if name in given}
        if not found:
            return None
        forces = zip(self.mechanism.inputs.forces, self._at_run_time[FORCES], strict=True)
        return Acting(
            found.get("g"),
            [(link, found[arg.name]) for link, arg in forces if arg.name in found],
            [(link, found[arg.name]) for link, arg in self._inertias if arg.name in found],
        )

    def _of_joints(self, name: str) -> list[Arg]:
        doc, turns, slides = _JOINTS[name]
        joints = self._scalar if name == "q" else self.mechanism.moving
        units = [slides if s else turns for j in joints for s in j.slides]
        unit = units[0] if len(set(units)) == 1 else "; ".join(units)
        ranges = _ranges(joints) if name == "q" else None
        return [Arg(name, Array((len(units),)), unit, doc, range=ranges)] if units else []

    @property
    def _scalar(self) -> list[Joint]:
        """The joints whose positions are numbers in q."""
        return [j for j in self.mechanism.moving if j.kind != "spherical"]

    @cached_property
    def _balls(self) -> Mapping[str, Joint]:
        """The spherical joints by the names of their arguments."""
        names = (f"q_{name.lower()}" for name in _distinct([j.name for j in self.mechanism.balls], {"Q_WB"}))
        return dict(zip(names, self.mechanism.balls, strict=True))

    def each_place(self, given: Mapping[str, Any]) -> list[Any]:
        """What the positions that are given say of each coordinate.

        Of a spherical joint the quaternion is at its last place, and None at the others.
        """
        numbers, balls = iter(given.get("q", ())), iter(self._balls)
        found: list[Any] = []
        for joint in self.mechanism.moving:
            if joint.kind == "spherical":
                found += [None, None, given[next(balls)]]
            else:
                found += [next(numbers) for _ in range(joint.freedoms)]
        return found

    def by_coordinate(self, names: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
        """The arguments of a formula: positions, velocities and accelerations for each coordinate.

        The position of a spherical joint is its quaternion, at its last coordinate.
        """
        found = dict(zip(names, map(_bare, values), strict=True))
        if self.positions[0] in found:
            places = self.each_place(found)
            for name in self.positions:
                del found[name]
            found["q"] = places
        acting = self.acting(found)
        if acting is not None:
            found["acting"] = acting
        return found

    def described(self, names: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
        """The arguments of a definition: all positions in one array, with the four numbers of quaternions."""
        import numpy as np

        found = {n: np.atleast_1d(x) for n, x in zip(names, values, strict=True)}
        if self.positions[0] in found:
            places = [np.atleast_1d(x) for x in self.each_place(found) if x is not None]
            for name in self.positions:
                del found[name]
            found["q"] = np.concatenate(places)
        acting = self.acting(found)
        return found if acting is None else found | {"acting": acting}

    @property
    def packed_masses(self) -> Arg:
        """The mass matrix, packed, as an output."""
        floating = self.mechanism.floating
        n = self.mechanism.rows
        rows = "the base's twist, angular first, then the joints" if floating else "the joints"
        return Arg(
            "M", Array((n * (n + 1) // 2,)), "mixed", f"mass matrix of {rows}: upper triangle, row by row"
        )

    @property
    def directions(self) -> str:
        """What derivatives by positions are taken by."""
        return "positions" + (" (if spherical, turns about the child's axes)" if self.mechanism.balls else "")

    @property
    def positions(self) -> list[str]:
        """The names of the arguments that are positions of joints."""
        return [a.name for a in self.named("q")]

    @cached_property
    def indices(self) -> Mapping[str, int]:
        """The first place of each joint in v, by its name in capitals, and the number of velocities.

        With spherical joints, whose positions are not in q, the places there have names that end in _Q.
        """
        joints = self.mechanism.moving
        names = _distinct([j.name for j in joints], {_COUNT, *TAKEN})
        found = {n: self.mechanism.places[j.name] for n, j in zip(names, joints, strict=True)}
        found[_COUNT] = self.mechanism.count
        if self.mechanism.balls:
            at = 0
            for name, joint in zip(names, joints, strict=True):
                if joint.kind != "spherical":
                    found[_free(f"{name}_Q", found)] = at
                    at += joint.freedoms
        return found

    @cached_property
    def limits(self) -> Mapping[str, Limits]:
        """The limits of the joints, by name."""
        units = {name: arg.unit for name in ("q", "v", "tau") for arg in self._of_joints(name)}
        return limits_of(self.mechanism.moving, self._scalar, self.mechanism.followers, units)

    @property
    def details(self) -> str:
        """What the comment of every function says of the base, of gravity and of the joints."""
        root, gravity = self.mechanism.root, _decimal(self.mechanism.gravity)
        places = self.mechanism.places
        rows = ", ".join(f"{_place(j, places)} {joint_text(j)}" for j in self.mechanism.moving)
        rows += "".join(f", {joint_text(j)}" for j in self.mechanism.followers)
        fixed = f"gravity is {gravity} m/s^2 along -z of {root}"
        if self.mechanism.inputs.gravity:
            fixed, falls = "gravity is the argument g", "and gravity the argument g"
        else:
            falls = f"with gravity {gravity} m/s^2 along -z"
        if any(j.kind in ("planar", "universal") for j in self.mechanism.moving):
            rows += ". Axes are those of the child where its joint is at zero"
        base = f"The base (link {root}) stands still; {fixed}."
        if self.mechanism.floating:
            base = f"The base (link {root}) floats: B is its frame, W the world, {falls}."
        return f"{base}\n\nJoints: {rows}."


def _ranges(joints: Sequence[Joint]) -> list[tuple[float, float]] | None:
    """The range of each position, where a joint slides: rounding errors grow with the distance.

    The functions are verified there. Without a joint that slides there is no range.
    """
    if not any(s for j in joints for s in j.slides):
        return None
    return [_ends(j) if slides else (-_TURNING, _TURNING) for j in joints for slides in j.slides]


def _ends(joint: Joint) -> tuple[float, float]:
    """The limits of a sliding joint, else the travel that is assumed."""
    low, high = map(float, joint.limits or (-_TRAVEL, _TRAVEL))
    return (low, high) if low < high else (-_TRAVEL, _TRAVEL)


def _place(joint: Joint, places: Mapping[str, int]) -> str:
    """The places of a joint in v."""
    first, more = places[joint.name], joint.freedoms - 1
    return f"{first} to {first + more}" if more else str(first)


def _distinct(names: Sequence[str], taken: Iterable[str]) -> list[str]:
    """The names in capitals, with a number where two are the same or one is taken."""
    words, taken = [identifier(name).upper() for name in names], {*taken}
    found: list[str] = []
    for i, name in enumerate(words):
        known = {*found, *words, *taken}
        clashes = name in found or name in taken
        found.append(next(n for k in count(i) if (n := f"{name}_{k}") not in known) if clashes else name)
    return found


def _free(name: str, taken: Iterable[str]) -> str:
    while name in taken:
        name += "_"
    return name


def joint_text(joint: Joint) -> str:
    """A joint for a comment: its name, kind, limits and losses, and what its coordinates are."""
    slides = all(joint.slides)
    told = [joint.kind + _coordinates(joint)]
    if joint.limits is not None:
        told[0] += " from {} to {} {}".format(*map(_decimal, joint.limits), "m" if slides else "rad")
    told += _largest(joint)
    if joint.mimic:
        told.append(f"follows {joint.mimic} times {_decimal(joint.multiplier)}")
    if joint.offset:
        told.append(f"offset {_decimal(joint.offset)} {'m' if slides else 'rad'}")
    if joint.kind == "helical":
        told.append(f"pitch {_decimal(joint.pitch)} m/rad")
    for what, units in (
        ("damping", ("N m s/rad", "N s/m")),
        ("armature", ("kg m^2", "kg")),
        ("friction", ("N m", "N")),
        ("creep", ("rad/s", "m/s")),
    ):
        if getattr(joint, what):
            told.append(f"{what} {_decimal(getattr(joint, what))} {units[slides]}")
    return f"{joint.name} ({', '.join(told)})"


def _largest(joint: Joint) -> Iterator[str]:
    """The limits of the velocity and the effort, those of a planar joint with the units of all directions."""
    for what, turns, slides in (("velocity", "rad/s", "m/s"), ("effort", "N m", "N")):
        limit = getattr(joint, what)
        if limit is not None:
            units = dict.fromkeys(slides if s else turns for s in joint.slides)
            yield f"{what} at most {_decimal(limit)} {' or '.join(units)}"


def _coordinates(joint: Joint) -> str:
    """What the coordinates of a joint with several degrees of freedom are."""
    match joint.kind:
        case "planar":
            first, second = planar_axes(joint.axis)
            return (
                f" along {_direction(first)}, along {_direction(second)}, then about {_direction(joint.axis)}"
            )
        case "universal":
            return f" about {_direction(joint.axis)}, then about {_direction(joint.axis2)}"
        case "spherical":
            return f", velocities about x, y and z of {joint.child}"
    return ""


def _direction(axis: Sequence[Any]) -> str:
    """An axis: a letter where it is one of the frame, else its elements."""
    if sum(map(bool, axis)) > 1:
        return f"[{', '.join(map(_decimal, axis))}]"
    letter, x = next((letter, x) for letter, x in zip("xyz", axis, strict=True) if x)
    return f"-{letter}" if x < 0 else letter


def _decimal(number: Any) -> str:
    return f"{float(number):.10g}"


def _bare(value: Any) -> Any:
    """An argument without its unit: constants of a robot have units that a formula does not state."""
    if hasattr(value, "map"):
        return value.map(bare)
    return [bare(x) for x in value] if isinstance(value, Sequence) else bare(value)
