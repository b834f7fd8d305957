"""Reads the description of a robot, a URDF or an MJCF file."""

from __future__ import annotations

from pathlib import Path

from codegen.errors import FeatherError
from codegen.mechanisms.description.mechanism import STANDARD_GRAVITY, Mechanism
from codegen.mechanisms.description.written import Number
from codegen.modeling.xml import read_xml


def read_robot(
    path: Path,
    *,
    floating: bool = False,
    gravity: Number | None = None,
    name: str = "",
    damping: bool = False,
    friction: Number | None = None,
) -> Mechanism:
    """The mechanism of a file whose root element says which format it has.

    Without `gravity` it is that of an MJCF file, and standard for a URDF. An MJCF file states by a free joint
    whether its base floats; `floating` is an error for one that does not.
    """
    if not path.is_file():
        raise FeatherError(f"there is no file {path}")
    if read_xml(path).tag != "mujoco":
        own = STANDARD_GRAVITY if gravity is None else gravity
        return Mechanism.from_urdf(
            path, floating=floating, gravity=own, name=name, damping=damping, friction=friction
        )
    made = Mechanism.from_mjcf(path, gravity=gravity, name=name, damping=damping, friction=friction)
    if floating and not made.floating:
        raise FeatherError(f"{path}: its base stands still: give its body a <freejoint/> to let it float")
    return made
