"""Bodies that move freely beside others: all six degrees of freedom as a row of joints."""

from __future__ import annotations

from collections.abc import Sequence

from codegen.mechanisms.description.joints import Joint
from codegen.mechanisms.description.mechanism import Body
from codegen.mechanisms.description.written import Number

_HERE = (0, 0, 0)


def free_joints(
    name: str, parent: str, child: str, xyz: Sequence[Number] = _HERE, rpy: Sequence[Number] = _HERE
) -> tuple[list[Body], list[Joint]]:
    """The joints that leave a child all motions relative to a parent, and the bodies between, without mass.

    From a frame at `xyz` (m) in the parent's, turned by `rpy` (rad), the child slides along x, y and z by the
    joints `name`_x, `name`_y and `name`_z (m), and turns about its origin by the spherical joint `name`. So
    its linear velocity is in the axes of that frame, and its angular velocity in its own.
    """
    first, second, third = between = [f"{child}.{axis}" for axis in "xyz"]
    joints = [
        Joint(f"{name}_x", "prismatic", parent, first, xyz, rpy, axis=(1, 0, 0)),
        Joint(f"{name}_y", "prismatic", first, second, axis=(0, 1, 0)),
        Joint(f"{name}_z", "prismatic", second, third, axis=(0, 0, 1)),
        Joint(name, "spherical", third, child),
    ]
    return [Body(name) for name in between], joints
