"""The arguments of a robot's functions, the places of its joints in them, and what comments say of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

from codegen.ir.program import Arg
from codegen.ir.types import Array
from codegen.mechanisms.description import Joint, Mechanism
from codegen.modeling.algebra import Force, Motion, UnitQuaternion

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
        """The arguments with these names; those of a floating base only where the base floats."""
        kept = [n for n in names if n in _JOINTS or self.mechanism.floating]
        return [self._of_joints(n) if n in _JOINTS else _BASE[n] for n in kept]

    def _of_joints(self, name: str) -> Arg:
        doc, turns, slides = _JOINTS[name]
        units = [slides if j.kind == "prismatic" else turns for j in self.mechanism.moving]
        unit = units[0] if len(set(units)) == 1 else "; ".join(units)
        return Arg(name, Array((len(units),)), unit, doc)

    @cached_property
    def indices(self) -> Mapping[str, int]:
        """The place of each joint in q, by its name in capitals, and the number of joints."""
        names = [identifier(joint.name).upper() for joint in self.mechanism.moving]
        found: dict[str, int] = {}
        for i, name in enumerate(names):
            taken = {*found, *names, _COUNT}
            clashes = name in found or name == _COUNT
            found[next(n for k in count(i) if (n := f"{name}_{k}") not in taken) if clashes else name] = i
        return {**found, _COUNT: len(names)}

    @property
    def details(self) -> str:
        """What the comment of every function says of the base, of gravity and of the joints."""
        root, gravity = self.mechanism.root, _decimal(self.mechanism.gravity)
        rows = ", ".join(f"{i} {joint_text(j)}" for i, j in enumerate(self.mechanism.moving))
        base = f"The base {root} stands still; gravity is {gravity} m/s^2 along -z of {root}."
        if self.mechanism.floating:
            base = (
                f"The base {root} floats: B is its frame, W the world, with gravity {gravity} m/s^2 along -z."
            )
        return f"{base}\n\nJoints: {rows}."


def joint_text(joint: Joint) -> str:
    """A joint for a comment: its name, kind and limits."""
    unit = "m" if joint.kind == "prismatic" else "rad"
    ends = ""
    if joint.limits is not None:
        ends = " from {} to {} {}".format(*map(_decimal, joint.limits), unit)
    for what, units in (("damping", ("N m s/rad", "N s/m")), ("armature", ("kg m^2", "kg"))):
        if getattr(joint, what):
            ends += f", {what} {_decimal(getattr(joint, what))} {units[joint.kind == 'prismatic']}"
    return f"{joint.name} ({joint.kind}{ends})"


def _decimal(number: Any) -> str:
    return f"{float(number):.10g}"
