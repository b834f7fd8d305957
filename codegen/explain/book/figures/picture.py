"""Draws sketches: a parallel projection from above, with a legend."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np

from codegen.explain.book.drawing import FAINT, FIRST, INK, SECOND
from codegen.explain.book.figures.globe import Globe
from codegen.explain.book.figures.lettering import Text
from codegen.explain.book.figures.sheet import WIDTH, Point, Sheet, Style
from codegen.explain.book.figures.sketch import Arrow, Sketch
from codegen.explain.book.figures.statements import Sort
from codegen.explain.book.figures.view import CAMERA, VIEWER

_MOST_HEIGHT = 340
_LARGEST = 125
"""The most points that an axis of a frame is long."""

_SIDE, _ABOVE, _BELOW = 58, 24, 40
"""The margins around the drawing; the legend is below."""

GIVEN, RESULT = Style(FIRST, 2, "", "filled"), Style(SECOND, 2, "6 3", "open")
_AXES = (Style(INK, 0.9, "", "filled"), Style(INK, 1.8, "", "filled"), Style(INK, 1.4, "8 2 1.5 2", "filled"))
"""The axes of the first frame, of the second, and of others."""

_SPAN = Style(INK, 2.4)
"""A distance that is an argument."""

_ARC, _LEG = Style(INK, 0.9, "", "filled"), Style(INK, 0.7, "1 3")


def picture(made: Sketch, text: str) -> str:
    """The SVG of a sketch, with a description."""
    page = _sheet(made)
    if made.globe:
        _draw_globe(page, made.globe)
    for ball in made.balls:
        page.ball(page.at(ball.at), ball.radius * page.scale)
    for polygon in made.surfaces:
        page.polygon(page.all(polygon))
    for polygon in made.craft:
        page.polygon(page.all(polygon))
    for arc in made.arcs:
        for leg in arc.legs:
            page.line(page.all(leg), _LEG)
    for axis in made.axes:
        page.line(page.all([axis.start, axis.tip]), _AXES[min(axis.rank, 2)])
    for arc in made.arcs:
        page.line(page.all(arc.points), _ARC)
    for span in made.spans:
        page.line(page.all([span.start, span.end]), _SPAN)
    arrows = _merged(page, made.arrows)
    for shift, arrow, _ in arrows:
        _draw_arrow(page, arrow, shift)
    for mark in made.marks:
        page.mark(page.at(mark.at))
    _label(page, made, arrows)
    _legend(page, made)
    return page.drawn(text)


def _draw_globe(page: Sheet, globe: Globe) -> None:
    """Its outline, and its rings, dashed where they are behind it."""
    for ring in globe.rings():
        for seen, points in groupby(ring, key=lambda p: p[1]):
            page.line(page.all([p for p, _ in points]), Style(FAINT, 1.2, "" if seen else "3 3"))
    page.outline(page.at(np.zeros(3)), *(page.scale * r for r in globe.outline))


def _sheet(made: Sketch) -> Sheet:
    """A page on which the sketch has room."""
    points = [p for axis in made.axes for p in (axis.start, axis.tip)]
    points += [p for arrow in made.arrows for p in (arrow.start, arrow.tip)]
    points += [m.at for m in made.marks] + [p for polygon in (*made.craft, *made.surfaces) for p in polygon]
    flat = [CAMERA @ p for p in points]
    rounds = [(ball.at, (ball.radius, ball.radius)) for ball in made.balls]
    if made.globe:
        rounds.append((np.zeros(3), made.globe.outline))
    flat += [CAMERA @ at + sign * np.array(radii) for at, radii in rounds for sign in (-1, 1)]
    low, high = np.min(flat, axis=0), np.max(flat, axis=0)
    span = high - low
    room = (WIDTH - 2 * _SIDE, _MOST_HEIGHT - _ABOVE - _BELOW)
    scale = min(_LARGEST, room[0] / span[0], room[1] / span[1])
    left = (WIDTH - scale * span[0]) / 2 - scale * low[0]
    return Sheet(scale, np.array([left, _ABOVE - scale * low[1]]), scale * span[1] + _ABOVE + _BELOW)


def _merged(page: Sheet, arrows: Sequence[Arrow]) -> list[tuple[float, Arrow, Text]]:
    """Arrows with their shifts to the side and their labels: those that coincide lie beside each other and
    have one label.
    """
    groups: dict[tuple[int, ...], list[Arrow]] = {}
    for arrow in arrows:
        ends = [tuple(np.round(page.at(p) / 3).astype(int)) for p in (arrow.start, arrow.tip)]
        groups.setdefault((*ends[0], *ends[1]), []).append(arrow)
    found: list[tuple[float, Arrow, Text]] = []
    for key, group in groups.items():
        text = tuple(part for arrow in group for part in (", ", *arrow.text))[1:]
        for k, arrow in enumerate(group):
            back = (*key[2:], *key[:2]) in groups
            found.append((2.0 if back else 4.0 * k - 2.0 * (len(group) - 1), arrow, () if k else text))
    return found


def _draw_arrow(page: Sheet, arrow: Arrow, shift: float) -> None:
    style = GIVEN if arrow.vector.given else RESULT
    if arrow.vector.sort is Sort.POSITION:
        style = replace(style, width=1.3)
    ends = page.all([arrow.start, arrow.tip])
    along = ends[1] - ends[0]
    length = float(np.hypot(*along)) or 1.0
    ends = ends + shift * np.array([-along[1], along[0]]) / length
    turning = arrow.vector.sort is Sort.TURNING
    page.line(ends, style, 2 if turning else 1)
    if turning:
        page.line(_turning(ends, arrow), Style(style.colour, 1.3, "", style.head))


def _turning(ends: Any, arrow: Arrow) -> Any:
    """The near half of a circle around an arrow, in the sense in which the vector turns.

    It is drawn as if the arrow did not lie in the plane of the page, where the circle would be a line.
    """
    axis = (arrow.tip - arrow.start) / np.linalg.norm(arrow.tip - arrow.start)
    depth = float(axis @ VIEWER)
    depth = math.copysign(max(abs(depth), 0.4), depth)
    along = (ends[1] - ends[0]) / max(float(np.hypot(*(ends[1] - ends[0]))), 1e-9)
    across = np.array([along[1], -along[0]])
    steps = np.linspace(-0.8, 3.9, 17)[:, None]
    circle = np.cos(steps) * across - depth * np.sin(steps) * along
    return ends[0] + 0.64 * (ends[1] - ends[0]) + 11 * circle


# Labels


def _label(page: Sheet, made: Sketch, arrows: Sequence[tuple[float, Arrow, Text]]) -> None:
    """Label all, the vectors first."""
    for mark in _marks(page, made):
        page.label(*mark)
    for ball in made.balls:
        if ball.text:
            page.label(
                page.at(ball.at) + np.array([0.0, ball.radius * page.scale]), np.array([0.0, 1.0]), ball.text
            )
    for span in made.spans:
        start, end = page.at(span.start), page.at(span.end)
        page.label((start + end) / 2, np.array([end[1] - start[1], start[0] - end[0]]), span.text)
    for _, arrow, text in arrows:
        start, tip = page.at(arrow.start), page.at(arrow.tip)
        along = tip - start
        if text and arrow.reaches:
            page.label((start + tip) / 2, np.array([-along[1], along[0]]), text)
        elif text:
            page.label(tip, along, text)
    for arc in made.arcs:
        middle = page.at(arc.points[len(arc.points) // 2])
        page.label(middle, middle - page.at(arc.legs[0][0]), arc.text)
    for axis in made.axes:
        page.label(page.at(axis.tip), page.at(axis.tip) - page.at(axis.start), axis.text)


def _marks(page: Sheet, made: Sketch) -> Iterator[tuple[Point, Point, Text]]:
    """The labels of centres of mass, one for those that coincide."""
    groups: dict[tuple[int, ...], list[Text]] = {}
    for mark in made.marks:
        groups.setdefault(tuple(np.round(page.at(mark.at)).astype(int)), []).append(mark.text)
    for place, texts in groups.items():
        text = tuple(part for own in texts for part in (", ", *own))[1:]
        yield np.array(place, dtype=float), np.array([1.0, 1.0]), text


def _legend(page: Sheet, made: Sketch) -> None:
    """What the lines and signs mean, those that are drawn."""
    x, y = 8.0, page.height - 8
    entries: list[tuple[str, Style | None, int]] = [
        (words, style, 1)
        for given, style, words in ((True, GIVEN, "input"), (False, RESULT, "result"))
        if any(a.vector.given is given for a in made.arrows)
    ]
    if any(a.vector.sort is Sort.TURNING for a in made.arrows):
        entries.append(("turns about the arrow", Style(INK, 1.4, "", "filled"), 2))
    if made.marks:
        entries.append(("centre of mass", None, 1))
    if made.globe and made.globe.is_flat:
        entries.append(("flattening exaggerated", None, 0))
    for words, sample, heads in entries:
        if sample:
            page.line(np.array([(x, y - 3), (x + 26, y - 3)]), sample, heads)
        elif heads:
            page.mark(np.array([x + 14, y - 3]))
        x += 32 if heads else 0
        page.words(x, y, words)
        x += 12 + 5.2 * len(words)
