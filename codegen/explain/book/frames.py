"""The picture of a kernel's frames: their axes, the transforms between them, and the vectors in each.

The attitudes and positions are examples; the frames, the transforms between them and the frame of each
vector are those of the kernel.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from codegen.explain.book.drawing import FAINT, FIRST, INK, SECOND, THIRD, figure, svg
from codegen.ir.program import Arg
from codegen.modeling.algebra import Quaternion, Rotation, Transform


@dataclass(frozen=True)
class Scene:
    """Frames by letter, transforms `(of, in, names)`, and the names of the vectors in each frame."""

    frames: tuple[str, ...]
    joins: tuple[tuple[str, str, str], ...]
    expressed: tuple[tuple[str, str], ...]


def scene(arguments: Sequence[Arg]) -> Scene | None:
    """The frames that the arguments name, None when there are none."""
    joins: dict[tuple[str, str], list[str]] = {}
    expressed: dict[str, list[str]] = {}
    for arg in arguments:
        between = _between(arg)
        if between:
            joins.setdefault(between, []).append(arg.name)
        elif len(arg.frame) == 1:
            expressed.setdefault(arg.frame, []).append(arg.name)
    letters = dict.fromkeys([*(f for pair in joins for f in reversed(pair)), *expressed])
    if not letters:
        return None
    return Scene(
        tuple(letters),
        tuple((*pair, ", ".join(names)) for pair, names in joins.items()),
        tuple((frame, ", ".join(names)) for frame, names in expressed.items()),
    )


def _between(arg: Arg) -> tuple[str, str] | None:
    """The frames (B, A) that a rotation, attitude or pose takes coordinates from and to."""
    stated = re.fullmatch(r"(\w) to (\w)", arg.frame)
    if stated:
        return stated[1], stated[2]
    named = re.search(r"_([A-Z])([A-Z])$", arg.name)
    joins = isinstance(arg.type, type) and issubclass(arg.type, (Quaternion, Rotation, Transform))
    return (named[2], named[1]) if named and joins else None


@cache
def frames_picture(shown: Scene) -> str:
    """The SVG of a scene."""
    count = min(len(shown.frames), 3)
    height = _HEIGHTS[count]
    with figure(WIDTH, height) as drawn:
        square = (0, 0.5 - WIDTH / height / 2, 1, WIDTH / height)  # which the axes fill
        axes = drawn.add_axes(square, projection="3d", computed_zorder=False)
        axes.set_axis_off()
        axes.view_init(elev=22, azim=-56)
        for k, letter in enumerate(shown.frames):
            _draw_frame(axes, letter, _PLACES[k % len(_PLACES)], _TURNS[k % len(_TURNS)])
        places = {letter: _PLACES[k % len(_PLACES)] for k, letter in enumerate(shown.frames)}
        for of, in_, names in shown.joins:
            _draw_join(axes, places[in_], places[of], names)
        for frame, names in shown.expressed:
            _label(axes, places[frame], _wrapped(f"in {frame}: {names}"), -0.42)
        _fit(axes, list(places.values()), _ZOOMS[count])
        return svg(drawn)


def description(shown: Scene) -> str:
    """The description of the picture."""
    parts = [f"Frames {', '.join(shown.frames)}."]
    parts += [
        f"{names} {'take' if ', ' in names else 'takes'} coordinates from {of} to {in_}."
        for of, in_, names in shown.joins
    ]
    parts += [f"Expressed in {frame}: {names}." for frame, names in shown.expressed]
    return " ".join(parts)


WIDTH = 4.6
_HEIGHTS = {1: 2.4, 2: 2.5, 3: 3.4}
"""The size in inches, by the number of frames."""

_ZOOMS = {1: 0.8, 2: 1.05, 3: 1.15}

_PLACES = ((0.0, 0.0, 0.0), (3.6, 1.2, 0.9), (0.6, 3.4, 1.7), (4.2, 4.4, 0.2))
_TURNS = ((0.0, 0.0), (0.5, -0.4), (-0.6, 0.35), (1.1, 0.3))
"""Example positions of the frames, and their yaw and pitch."""


def _axes_of(yaw: float, pitch: float) -> list[tuple[float, float, float]]:
    """The three axes of a frame after yaw, then pitch."""
    c, s, d, t = math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch)
    return [(c * d, s * d, -t), (-s, c, 0.0), (c * t, s * t, d)]


def _draw_frame(axes: Any, letter: str, origin: Sequence[float], turn: Sequence[float]) -> None:
    for name, direction, colour in zip("xyz", _axes_of(*turn), (FIRST, SECOND, THIRD), strict=True):
        axes.quiver(*origin, *direction, color=colour, linewidth=1.8, arrow_length_ratio=0.16)
        tip = [o + 1.16 * d for o, d in zip(origin, direction, strict=True)]
        axes.text(*tip, name, color=colour, fontsize=8)
    _label(axes, origin, letter, -0.12, weight="bold")


def _draw_join(axes: Any, start: Sequence[float], end: Sequence[float], names: str) -> None:
    """A dashed line from the origin of the frame that coordinates go to, to that of the other."""
    axes.plot(*zip(start, end, strict=True), color=FAINT, linestyle="--", linewidth=1.2)
    middle = [(a + b) / 2 for a, b in zip(start, end, strict=True)]
    _label(axes, middle, _wrapped(names), 0.5)


def _label(axes: Any, place: Sequence[float], text: str, above: float, **style: Any) -> None:
    x, y, z = place
    axes.text(x, y, z + above, text, color=INK, fontsize=8, parse_math=False, ha="center", va="top", **style)


def _wrapped(names: str) -> str:
    return "\n".join(textwrap.wrap(names, 26, break_long_words=True))


def _fit(axes: Any, places: Sequence[Sequence[float]], zoom: float) -> None:
    """Set equal scales on all axes, with room for the arrows."""
    lows, highs = ([f(p[i] for p in places) for i in range(3)] for f in (min, max))
    spans = [h - low + 2.2 for low, h in zip(lows, highs, strict=True)]
    for set_limits, low, h in zip((axes.set_xlim, axes.set_ylim, axes.set_zlim), lows, highs, strict=True):
        set_limits(low - 1.1, h + 1.1)
    axes.set_box_aspect(spans, zoom=zoom)
