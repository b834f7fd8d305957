"""What the figure of a kernel shows: axes, vectors, angles and the Earth, in the world of its example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from codegen.explain.book.figures.angles import Arc, arcs
from codegen.explain.book.figures.bodies import Ball, Span, balls, spans, surfaces
from codegen.explain.book.figures.example import Example
from codegen.explain.book.figures.examples import example
from codegen.explain.book.figures.globe import Globe
from codegen.explain.book.figures.lettering import Text
from codegen.explain.book.figures.points import beginning, is_from_attractor, position_tip
from codegen.explain.book.figures.statements import Join, Sort, Vector, scalar
from codegen.explain.book.figures.view import Array
from codegen.modeling.kernel import Kernel
from codegen.notation.layout import GREEK, Box, Row, Symbol
from codegen.notation.prose import plain
from codegen.notation.unicode import line
from codegen.provenance.shown import prose

NAMED_AXES: Mapping[str, tuple[str, str, str]] = {
    "N": ("north", "east", "down"),
    "B": ("forward", "right", "down"),
    "W": ("along the velocity", "", ""),
    "U": ("east", "north", "up"),
    "L": ("forward", "left", "up"),
    "E": ("0\N{DEGREE SIGN} lon", "90\N{DEGREE SIGN} E", "Earth's axis"),
    "I": ("", "", "Earth's axis"),
}
"""What the axes of a frame are called where the kernel is about a vehicle or the Earth."""

_LENGTHS = {Sort.STRAIGHT: 1.25, Sort.TURNING: 1.05}
"""The length of the longest arrow of a unit."""

_SHORTEST = 0.6
"""The share of this length that an arrow has at least."""


@dataclass(frozen=True)
class Axis:
    """An axis of a frame; `rank` is the number of the frame."""

    start: Array
    tip: Array
    rank: int
    text: Text


@dataclass(frozen=True)
class Arrow:
    """A vector that is drawn from `start` to `tip`; whether it `reaches` the origin of a frame."""

    vector: Vector
    start: Array
    tip: Array
    text: Text
    reaches: bool


@dataclass(frozen=True)
class Mark:
    """A centre of mass."""

    at: Array
    vector: Vector
    text: Text


@dataclass
class Sketch:
    """All that is drawn; a craft is a list of polygons, and so are surfaces."""

    frames: dict[str, tuple[str, str, str]]
    joins: list[Join]
    axes: list[Axis] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    arcs: list[Arc] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    craft: list[Array] = field(default_factory=list)
    globe: Globe | None = None
    balls: list[Ball] = field(default_factory=list)
    surfaces: list[Array] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)

    @property
    def vectors(self) -> list[Vector]:
        """The vectors that are drawn, as arrows or centres of mass."""
        return [*(a.vector for a in self.arrows), *(m.vector for m in self.marks)]


def sketch(kernel: Kernel) -> Sketch | None:
    """The sketch of a kernel; None where its arguments name no frame with something to draw in it."""
    shown = example(kernel)
    if not shown.joins and not shown.vectors:
        return None
    words = _names_of_axes(shown)
    made = Sketch({f: words.get(f, ("", "", "")) for f in shown.frames}, shown.joins)
    for rank, (frame, place) in enumerate(shown.places.items()):
        length = 0.8 if shown.on_earth else 1.0
        for k, letter in enumerate("xyz"):
            name = words.get(frame, ("", "", ""))[k]
            text: Text = (Symbol(letter, (frame,)), f" {name}") if name else (Symbol(letter, (frame,)),)
            made.axes.append(Axis(place.p, place.p + length * place.R[:, k], rank, text))
    if "B" in words:
        made.craft = [shown.places["B"].p + points @ shown.places["B"].R.T for points in _CRAFT]
    if shown.on_earth:
        made.globe = shown.globe
    _add_vectors(made, shown)
    made.arcs = arcs(shown)
    made.balls = list(balls(shown))
    made.surfaces = list(surfaces(shown))
    made.spans = list(spans(shown))
    return made


_CRAFT = (
    np.array([(0.62, 0, 0), (0.5, 0.05, 0), (-0.5, 0.04, 0), (-0.5, -0.04, 0), (0.5, -0.05, 0)]),
    np.array([(0.2, 0, 0), (-0.05, 0.65, 0), (-0.2, 0.65, 0), (-0.2, -0.65, 0), (-0.05, -0.65, 0)]),
    np.array([(-0.36, 0, 0), (-0.47, 0.24, 0), (-0.55, 0.24, 0), (-0.55, -0.24, 0), (-0.47, -0.24, 0)]),
    np.array([(-0.32, 0, 0), (-0.5, 0, -0.24), (-0.56, 0, -0.24), (-0.5, 0, 0)]),
)
"""Fuselage, wing, tailplane and fin of an aircraft in forward, right and down."""


def _names_of_axes(shown: Example) -> dict[str, tuple[str, str, str]]:
    """The names of the axes of each frame; none where the kernel takes any axes."""
    known = (
        shown.on_earth
        or not {"W", "U", "L"}.isdisjoint(shown.frames)
        or (shown.sequence is not None and any(turn.angle == "phi" for turn in shown.sequence[1]))
        or any(v.is_gravity for v in shown.vectors)
        or scalar(shown.arguments, "rad", "alpha", "theta") is not None
    )
    return {f: NAMED_AXES[f] for f in shown.frames if f in NAMED_AXES} if known else {}


# Vectors


def _add_vectors(made: Sketch, shown: Example) -> None:
    longest: dict[str, float] = {}
    values = {v: shown.value(v) for v in shown.vectors}
    values = {v: value for v, value in values.items() if np.isfinite(value).all()}
    for vector, value in values.items():
        longest[vector.unit] = max(longest.get(vector.unit, 0.0), float(np.linalg.norm(value)))
    for vector, value in values.items():
        place, length = shown.places[vector.frame], float(np.linalg.norm(value))
        if vector.sort is Sort.FIRST_MOMENT:
            mass = float(shown.values[vector.arg.name][vector.first - 1])
            at = beginning(shown, vector) + shown.scale * place.R @ value / mass
            made.marks.append(Mark(at, vector, symbol(shown.kernel, vector)))
        elif length > 1e-9 * longest[vector.unit]:
            start = beginning(shown, vector)
            if vector.sort is Sort.POSITION:
                tip = position_tip(shown, vector)
            else:
                drawn = _LENGTHS[vector.sort] * max(length / longest[vector.unit], _SHORTEST)
                tip = start + place.R @ value * (drawn / length)
            reaches = bool(vector.position_of) or is_from_attractor(shown, vector)
            made.arrows.append(Arrow(vector, start, tip, symbol(shown.kernel, vector), reaches))


def symbol(kernel: Kernel, vector: Vector) -> Text:
    """The vector in the notation of the kernel's page."""
    part = vector.part
    if vector.of_pose:
        return _flat(prose(kernel, f"`p_{vector.frame}{vector.position_of}_{vector.frame}`"))
    whole = _flat(prose(kernel, f"`{vector.arg.name}`"))
    if not part or vector.sort is Sort.FIRST_MOMENT:
        return whole
    letter = {"w": "omega"}.get(part, part)
    if len(whole) > 1:
        whole = ("(", *whole, ")")
    letter, *below = letter.split("_")
    return (*whole, ".", Symbol(GREEK.get(letter, letter), tuple(below), bold=True))


def _flat(parts: Sequence[Box | str]) -> Text:
    """The symbols of a name, and the signs between them."""
    found: list[Symbol | str] = []
    for part in parts:
        if isinstance(part, Row):
            found += _flat(part.parts)
        elif isinstance(part, (Symbol, str)):
            found.append(part)
        else:
            found.append(line(part))
    return tuple(found)


# In words


def description(made: Sketch) -> str:
    """What the figure shows, for readers who do not see it."""
    return plain(caption(made))


def caption(made: Sketch) -> str:
    """What the figure shows, with names of code between backticks."""
    frames = []
    for frame, names in made.frames.items():
        named = ", ".join(f"{letter} {name}" for letter, name in zip("xyz", names, strict=True) if name)
        frames.append(f"{frame} ({named})" if named else frame)
    found = [f"`{j.arg.name}` from {j.of} to {j.to}" for j in made.joins]
    sentences = [f"Frame{'s' * (len(frames) > 1)} {', '.join(frames)}."]
    if found:
        sentences.append(f"Coordinates are transformed by {'; '.join(found)}.")
    if made.globe and made.globe.is_flat:
        sentences.append("The flattening of the Earth is exaggerated.")
    for given, what in ((True, "Inputs"), (False, "Results")):
        listed = [f"{v.quantity} `{v.name}` in {v.frame}" for v in made.vectors if v.given is given]
        if listed:
            sentences.append(f"{what}: {'; '.join(listed)}.")
    return " ".join(sentences)
