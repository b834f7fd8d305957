"""A page of SVG: lines with heads, signs, and labels that do not cover each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise, product
from typing import Any, TypeAlias

import numpy as np

from codegen.explain.book.drawing import FAINT, INK, themed
from codegen.explain.book.figures.lettering import FONT, Text, spans, width
from codegen.explain.book.figures.view import CAMERA

Point: TypeAlias = Any
"""A place on the page."""

Box: TypeAlias = tuple[float, float, float, float]
"""A rectangle: its left and upper edges, its width and its height."""

WIDTH = 460

_LEGEND = 18
"""The height of the legend, in which no label is."""

_APART = 6
"""The least distance of labels on one line, or they would read as one."""

_PLACES = tuple(product((4, 9, 16, 25, 36), (0, 0.5, -0.5, 1.0, -1.0, 1.6, -1.6, 2.4, -2.4, 3.14)))
"""Distances of a label from its place, and angles from the preferred direction."""


@dataclass(frozen=True)
class Style:
    """A line's colour, width and dashes, and the sort of its head: none, filled or open."""

    colour: str
    width: float
    dashes: str = ""
    head: str = ""


@dataclass
class Sheet:
    """The elements of an SVG, and the parts of the page that lines and labels take."""

    scale: float
    origin: Point
    height: float
    parts: list[str] = field(default_factory=list)
    taken: list[Box] = field(default_factory=list)
    labels: list[Box] = field(default_factory=list)

    def at(self, point: Any) -> Point:
        """The place of a point of the world."""
        return self.origin + self.scale * (CAMERA @ point)

    def all(self, points: Any) -> Any:
        """The places of points of the world."""
        return np.array([self.at(p) for p in points])

    def line(self, places: Any, style: Style, heads: int = 1) -> None:
        """A line through places, with one or two heads at its end."""
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        dashes = f' stroke-dasharray="{style.dashes}"' if style.dashes else ""
        self.parts.append(
            f'<path d="{path}" fill="none" stroke="{style.colour}" stroke-width="{style.width}"{dashes}/>'
        )
        for start, end in pairwise(places):
            steps = max(int(np.hypot(*(end - start)) / 5), 1)
            self.taken += [(*(start + (end - start) * k / steps - 1.5), 3.0, 3.0) for k in range(steps + 1)]
        if style.head:
            for k in range(heads):
                self._head(places[-2], places[-1], style, 6.5 * k)

    def _head(self, start: Point, end: Point, style: Style, back: float) -> None:
        along = (end - start) / max(float(np.hypot(*(end - start))), 1e-9)
        across = np.array([-along[1], along[0]])
        length = 4.5 + 1.8 * style.width
        tip = end - back * along
        base = tip - length * along
        self.taken.append((*((tip + base) / 2 - 5), 10.0, 10.0))
        corners = [base + 0.42 * length * across, tip, base - 0.42 * length * across]
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners)
        look = (
            f'fill="{style.colour}"' if style.head == "filled"
            else f'fill="none" stroke="{style.colour}" stroke-width="1.4"'
        )  # fmt: skip
        self.parts.append(f'<path d="{path}{"z" * (style.head == "filled")}" {look}/>')

    def outline(self, centre: Point, across: float, down: float) -> None:
        """An outline of the globe."""
        x, y = centre
        self.parts.append(
            f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{across:.1f}" ry="{down:.1f}" fill="none" '
            f'stroke="{FAINT}"/>'
        )

    def ball(self, centre: Point, radius: float) -> None:
        """A sphere of an example."""
        x, y = centre
        self.parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{FAINT}" fill-opacity=".35" '
            f'stroke="{FAINT}"/>'
        )

    def polygon(self, places: Any) -> None:
        """A filled part of the craft, or of a plane."""
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        self.parts.append(f'<path d="{path}z" fill="{FAINT}" fill-opacity=".6" stroke="{FAINT}"/>')

    def mark(self, place: Point) -> None:
        """The sign of a centre of mass: a circle with two opposite quarters filled."""
        x, y = place
        self.parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="none" stroke="{INK}"/>'
            f'<path d="M{x:.1f} {y:.1f}v-5a5 5 0 0 1 5 5h-10a5 5 0 0 0 5 5z" fill="{INK}"/>'
        )
        self.taken.append((x - 5, y - 5, 10.0, 10.0))

    def words(self, x: float, y: float, text: str) -> None:
        """Small words that begin at a place."""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="10">{escape(text)}</text>')

    def label(self, place: Point, toward: Point, text: Text) -> None:
        """A text near a place, where it covers least, preferably in a direction."""
        preferred, size = math.atan2(toward[1], toward[0]), (width(text), FONT + 2.0)
        boxes = np.array([_beside(place, gap, preferred + turn, size) for gap, turn in _PLACES])
        costs = _covered(boxes, self.taken) + 5 * _covered(boxes, self.labels) + self._outside(boxes)
        costs += [0.9 * gap + 3 * abs(turn) for gap, turn in _PLACES]
        x, y = map(float, boxes[int(np.argmin(np.round(costs, 3))), :2])
        self.labels.append((x - _APART, y, size[0] + 2 * _APART, size[1]))
        self.parts.append(f'<text x="{x:.1f}" y="{y + FONT - 1:.1f}">{"".join(spans(text))}</text>')

    def _outside(self, boxes: Any) -> Any:
        """A cost for each of the boxes that is not on the page."""
        x, y, across, down = boxes.T
        inside = (x >= 2) & (y >= 1) & (x + across <= WIDTH - 2) & (y + down <= self.height - _LEGEND)
        return np.where(inside, 0.0, 1e4)

    def drawn(self, text: str) -> str:
        """The text of the SVG."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{self.height:.0f}" '
            f'viewBox="0 0 {WIDTH} {self.height:.0f}" role="img" aria-labelledby="t d" '
            f'font-family="DejaVu Sans,sans-serif" font-size="{FONT}" fill="{INK}">'
        )
        named = ('<title id="t">Frames and vectors</title>', f'<desc id="d">{escape(text)}</desc>')
        return themed("\n".join((head, *named, *self.parts, "</svg>", "")))


def _beside(place: Point, gap: float, angle: float, size: tuple[float, float]) -> Box:
    """The rectangle of this size at a distance from a place, in a direction."""
    c, s = math.cos(angle), math.sin(angle)
    x = float(place[0]) + gap * c + (c - 1) / 2 * size[0]
    y = float(place[1]) + gap * s + (s - 1) / 2 * size[1]
    return x, y, *size


def _covered(boxes: Any, others: Sequence[Box]) -> Any:
    """For each of the boxes, the area that others take of it."""
    taken = np.reshape(others, (-1, 4))
    low = np.maximum(boxes[:, None, :2], taken[None, :, :2])
    high = np.minimum((boxes[:, :2] + boxes[:, 2:])[:, None], (taken[:, :2] + taken[:, 2:])[None])
    return np.prod(np.maximum(high - low, 0), axis=2).sum(axis=1)
