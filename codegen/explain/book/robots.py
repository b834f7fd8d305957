"""The page of a robot: a picture of its mechanism where q is zero, its joints, and its bodies before and
after the reduction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from codegen.explain.book.drawing import FAINT, FIRST, INK, SECOND, THIRD, figure, svg
from codegen.mechanisms.description.record import mechanism_of
from codegen.mechanisms.description.written import exact
from codegen.mechanisms.kernels.arguments import joint_text
from codegen.mechanisms.kernels.robot import Robot
from codegen.mechanisms.trees.tree import Moments, Place, Tree
from codegen.modeling.kernel import Kernel

Poses = Sequence[tuple[Any, Any]]
"""For each body of a tree its rotation and its origin in axes of the root, where q is zero, quaternions 1."""


@dataclass(frozen=True)
class RobotPage:
    """The context of a robot's page, and its picture."""

    context: Mapping[str, Any]
    picture: str


def robots_of(kernels: Iterable[Any]) -> dict[str, list[Kernel]]:
    """The kernels of robots by their module."""
    found: dict[str, list[Kernel]] = {}
    for kernel in kernels:
        if isinstance(kernel, Kernel) and kernel.robot is not None:
            found.setdefault(kernel.module, []).append(kernel)
    return found


def robot_file(module: str, ending: str = "html") -> str:
    """The file name of a robot's page, or of its picture."""
    return f"robot-{module}.{ending}"


def robot_page(kernels: Sequence[Kernel]) -> RobotPage:
    """The page of the robot whose kernels these are."""
    record = kernels[0].robot
    assert record is not None
    robot = Robot(mechanism_of(record), exact(record["snap"]))
    mechanism, whole, reduced = robot.mechanism, robot.whole, robot.light
    context = {
        "name": mechanism.name,
        "module": kernels[0].module,
        "root": mechanism.root,
        "floats": mechanism.floating,
        "gravity": f"{float(exact(mechanism.gravity)):.10g}",
        "picture": robot_file(kernels[0].module, "svg"),
        "functions": [k.name for k in kernels],
        "joints": [
            (mechanism.places.get(j.name, ""), j.name, joint_text(j), j.parent, j.child)
            for j in mechanism.ordered
            if j.moves
        ],
        "bodies": [
            (
                i,
                link.name,
                _described(link.moments, whole.frames[link.name]),
                _frame(reduced, i),
                _numbers(reduced.links[i].moments),
            )
            for i, link in enumerate(whole.links)
        ],
        "alt": f"{mechanism.name} where q is zero: {len(whole.links)} bodies, their frames and axes.",
    }
    return RobotPage(context, picture(whole, reduced))


def poses_at_zero(tree: Tree) -> Poses:
    """The poses of the bodies where q is zero, quaternions 1."""
    found: list[tuple[Any, Any]] = []
    for link in tree.links:
        R, p = found[link.parent] if link.parent >= 0 else (np.eye(3), np.zeros(3))
        c, s = map(float, link.phase)
        own = np.array(link.R.m, dtype=float).reshape(3, 3)
        turned = own @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        found.append((R @ turned, p + R @ np.array(link.p.scalars(), dtype=float)))
    return found


def picture(whole: Tree, reduced: Tree) -> str:
    """The SVG of a mechanism: links as lines, centres of mass, axes, and the frames of the reduced bodies."""
    described, frames = poses_at_zero(whole), poses_at_zero(reduced)
    origins = [p for _, p in described]
    centres = [_centre(pose, link.moments) for pose, link in zip(described, whole.links, strict=True)]
    size = max(float(np.ptp([np.zeros(3), *origins], axis=0).max()), 1e-9)
    with figure(_WIDTH, _HEIGHT) as drawn:
        axes = drawn.add_axes((0, 0, 1, 1), projection="3d", computed_zorder=False)
        axes.set_axis_off()
        axes.view_init(elev=22, azim=-56)
        for i, link in enumerate(whole.links):
            start = origins[link.parent] if link.parent >= 0 else np.zeros(3)
            axes.plot(*zip(start, origins[i], strict=True), color=INK, linewidth=1.6)
            _axis(axes, described[i], link.slides, link.free, size)
            axes.plot(*zip(origins[i], centres[i], strict=True), color=INK, linewidth=0.7)
            axes.plot(*([x] for x in centres[i]), color=INK, marker="o", markersize=3, linestyle="none")
            _triad(axes, frames[i], 0.09 * size)
            axes.text(*(origins[i] + 0.02 * size), str(i), color=INK, fontsize=8)
        _triad(axes, (np.eye(3), np.zeros(3)), 0.16 * size)
        _fit(axes, [np.zeros(3), *origins, *centres, *(p for _, p in frames)], size)
        return svg(drawn)


_WIDTH, _HEIGHT = 5.6, 4.6
"""The size in inches."""


def _axis(axes: Any, pose: tuple[Any, Any], slides: bool, free: bool, size: float) -> None:
    """The axis of a joint: dashed where it turns, dotted where it slides."""
    if free:
        return
    R, p = pose
    ends = [p - 0.13 * size * R[:, 2], p + 0.13 * size * R[:, 2]]
    axes.plot(*zip(*ends, strict=True), color=FAINT, linestyle=":" if slides else "--", linewidth=1.4)


def _centre(pose: tuple[Any, Any], body: Moments) -> Any:
    """The centre of mass of a body in axes of the root; of one without mass its origin."""
    R, p = pose
    return p + R @ (np.array(body.h.scalars(), dtype=float) / float(body.m)) if body.m else p


def _triad(axes: Any, pose: tuple[Any, Any], length: float) -> None:
    R, p = pose
    for k, colour in enumerate((FIRST, SECOND, THIRD)):
        axes.plot(*zip(p, p + length * R[:, k], strict=True), color=colour, linewidth=1.3)


def _fit(axes: Any, points: Sequence[Any], size: float) -> None:
    """Set equal scales on all axes."""
    low, high = np.min(points, axis=0) - 0.15 * size, np.max(points, axis=0) + 0.15 * size
    for set_limits, ends in zip(
        (axes.set_xlim, axes.set_ylim, axes.set_zlim), zip(low, high, strict=True), strict=True
    ):
        set_limits(*ends)
    axes.set_box_aspect(high - low, zoom=1.25)


# Tables


def _described(body: Moments, place: Place) -> str:
    """The mass and the centre of mass of a body, in the frame of its link, which has this place on it."""
    if not body.m:
        return "none"
    centre = place.R.transpose @ (body.h * (1 / body.m) - place.p)
    return f"{_short(body.m)} kg at {_row(centre.scalars())} m"


def _frame(tree: Tree, i: int) -> str:
    """Where the frame of a reduced body is."""
    link = tree.links[i]
    where = f"body {link.parent}" if link.parent >= 0 else "base"
    return f"{where}, {_row(link.p.scalars())} m"


def _numbers(body: Moments) -> list[str]:
    """The numbers of a reduced body that are not zero."""
    S, h = body.S, body.h
    named = {
        "m": body.m, "h_x": h.x, "h_y": h.y, "h_z": h.z, "S_xx": S.xx, "S_xy": S.xy, "S_xz": S.xz,
        "S_yy": S.yy, "S_yz": S.yz, "S_zz": S.zz,
    }  # fmt: skip
    return [f"{name} {_short(x)}" for name, x in named.items() if x]


def _row(numbers: Iterable[Any]) -> str:
    return f"[{', '.join(map(_short, numbers))}]"


def _short(number: Any) -> str:
    return f"{float(number):.4g}"
