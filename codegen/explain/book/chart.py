"""Charts of lines over linear or logarithmic axes, written as SVG directly, as a library takes too long.

Coordinates are in points, to a tenth, so that the text is the same on every machine.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from codegen.explain.book.drawing import FAINT, INK, themed

WIDTH, HEIGHT = 260, 196
LEFT, RIGHT, TOP, BOTTOM = 42, 16, 29, 34
"""The margins of the axes in the picture."""

_MOST_TICKS = 7


@dataclass(frozen=True)
class Scale:
    """An axis: its ends, and their places in the picture."""

    low: float
    high: float
    logarithmic: bool
    start: float
    end: float

    def place(self, value: float) -> float:
        """The place of a value in the picture."""
        low, high, x = (math.log10(v) if self.logarithmic else v for v in (self.low, self.high, value))
        return round(self.start + (x - low) / (high - low) * (self.end - self.start), 1)

    @property
    def ticks(self) -> list[float]:
        """Powers of ten, or multiples of 1, 2 or 5 times one."""
        if self.logarithmic:
            lowest, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            each = -((lowest - last - 1) // _MOST_TICKS)
            return [float(f"1e{k}") for k in range(lowest, last + 1, each)]
        step = next(s for s in self._steps() if (self.high - self.low) / s < _MOST_TICKS)
        first = math.ceil(self.low / step - 1e-9)
        count = math.floor(self.high / step + 1e-9) - first
        return [float(f"{(first + k) * step:.12g}") for k in range(count + 1)]

    def _steps(self) -> Iterator[float]:
        power = math.floor(math.log10(self.high - self.low)) - 1
        while True:
            yield from (float(f"{digit}e{power}") for digit in (1, 2, 5))
            power += 1


@dataclass(frozen=True)
class Chart:
    """Two axes, on which lines and bands are drawn."""

    x: Scale
    y: Scale

    def line(self, xs: Sequence[float], ys: Sequence[float | None], colour: str, dashes: str) -> str:
        """A line through points; it is interrupted where there is no value."""
        path, pen = [], "M"
        for x, y in zip(xs, ys, strict=True):
            path.append("" if y is None else f"{pen}{self.x.place(x)} {self.y.place(y)}")
            pen = "M" if y is None else "L"
        return _path("".join(path), colour, 1.2, dashes)

    def between(
        self, xs: Sequence[float], lows: Sequence[float | None], highs: Sequence[float | None], colour: str
    ) -> str:
        """What lies between two lines, shaded; it is interrupted where there is no value."""
        edges: list[list[tuple[float, float, float]]] = [[]]
        for x, low, high in zip(xs, lows, highs, strict=True):
            if low is None or high is None:
                edges.append([])
            else:
                edges[-1].append((self.x.place(x), self.y.place(low), self.y.place(high)))
        path = "".join(_outline(edge) for edge in edges if edge)
        return f'<path d="{path}" fill="{colour}" fill-opacity=".22"/>'

    def band(self, first: float, last: float, colour: str) -> str:
        """The range between two values of x, shaded."""
        a, b = self.x.place(first), self.x.place(last)
        return f'<path d="M{a} {TOP}H{b}V{HEIGHT - BOTTOM}H{a}z" fill="{colour}" fill-opacity=".5"/>'

    def drawn(
        self,
        content: Sequence[str],
        name: str,
        below: str,
        beside: str,
        legend: Sequence[tuple[str, str, str]],
    ) -> str:
        """The SVG, with its axes, what they are of, and a legend of names, colours and dashes.

        Below it, the name of an argument is set as code.
        """
        top, bottom, right = TOP, HEIGHT - BOTTOM, WIDTH - RIGHT
        frame = _path(f"M{LEFT} {top}H{right}V{bottom}H{LEFT}z", INK, 0.8)
        middle = (top + bottom) / 2
        parts = [
            *self._grid(),
            *content,
            frame,
            _text((LEFT + right) / 2, HEIGHT - 6, f"{_code(name)}: {_with_exponents(below)}", "middle"),
            f'<g transform="rotate(-90 10 {middle})">{_text(10, middle, escape(beside), "middle")}</g>',
            *_legend(legend),
        ]
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}pt" height="{HEIGHT}pt" '
        view = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="DejaVu Sans,sans-serif" font-size="9">'
        return themed("\n".join((head + view, *parts, "</svg>", "")))

    def _grid(self) -> Iterator[str]:
        for tick in self.x.ticks:
            at = self.x.place(tick)
            yield _path(f"M{at} {TOP}V{HEIGHT - BOTTOM}", FAINT, 0.5)
            yield _text(at, HEIGHT - BOTTOM + 12, _number(tick), "middle")
        for tick in self.y.ticks:
            at = self.y.place(tick)
            yield _path(f"M{LEFT} {at}H{WIDTH - RIGHT}", FAINT, 0.5)
            yield _text(LEFT - 4, at + 3, _number(tick), "end")


def _outline(edge: Sequence[tuple[float, float, float]]) -> str:
    above = "L".join(f"{x} {high}" for x, _, high in edge)
    return f"M{above}L{'L'.join(f'{x} {low}' for x, low, _ in reversed(edge))}z"


def _legend(entries: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """Names above the axes, three to a row."""
    for k, (name, colour, dashes) in enumerate(entries):
        x, y = LEFT + 76 * (k % 3), 9 + 11 * (k // 3)
        yield _path(f"M{x} {y}h16", colour, 1.2, dashes)
        yield _text(x + 20, y + 3, escape(name), "start", 7)


def _path(path: str, colour: str, width: float, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}/>'


def _text(x: float, y: float, text: str, anchor: str, size: int = 9) -> str:
    """A text, which is markup."""
    smaller = f' font-size="{size}"' if size != 9 else ""
    return f'<text x="{x:g}" y="{y:g}" fill="{INK}" text-anchor="{anchor}"{smaller}>{text}</text>'


def _number(value: float) -> str:
    """A number as the content of a text: large and small ones as multiples of a power of ten."""
    if not value or _LEAST <= abs(value) < _MOST:
        return f"{value:g}"
    digits, _, exponent = f"{value:e}".partition("e")
    mantissa = f"{float(digits):g}"
    multiple = "" if mantissa == "1" else f"{mantissa}\N{DOT OPERATOR}"
    sign = "\N{MINUS SIGN}" if int(exponent) < 0 else ""
    return f"{multiple}10{_UP}{sign}{abs(int(exponent))}</tspan>"


def _code(name: str) -> str:
    return f'<tspan font-family="DejaVu Sans Mono,monospace">{escape(name)}</tspan>'


def _with_exponents(text: str) -> str:
    """A text with the exponents of its units raised."""
    return re.sub(r"\^(-?\d+)", rf"{_UP}\1</tspan>{_DOWN}", escape(text))


_UP, _DOWN = '<tspan dy="-3.5" font-size="6.5">', '<tspan dy="3.5">\N{ZERO WIDTH SPACE}</tspan>'
"""The beginning of an exponent, and the way back to the line."""

_LEAST, _MOST = 0.01, 10_000
"""Numbers that are written without a power of ten."""
