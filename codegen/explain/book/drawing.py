"""Deterministic SVG, by matplotlib or directly, in colours that follow the reader's light or dark theme."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

INK, FIRST, SECOND, THIRD, FAINT = "#010101", "#010102", "#010103", "#010104", "#010105"
"""Placeholder colours, which the style sheet of the SVG replaces by those of the reader's theme."""

_LIGHT = {INK: "#1b1b1b", FIRST: "#0b57b0", SECOND: "#b3430a", THIRD: "#1d7a3c", FAINT: "#c4c4c4"}
_DARK = {INK: "#e6e6e6", FIRST: "#82b6ff", SECOND: "#ffa06b", THIRD: "#7bd88f", FAINT: "#555b63"}

_STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "featherc",
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.titlesize": 9,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": FAINT,
    "grid.linewidth": 0.5,
    "axes.formatter.use_mathtext": False,
    "path.simplify": False,
}


@contextmanager
def figure(width: float, height: float) -> Iterator[Any]:
    """An empty figure in the book's style, of a size in inches; the user's matplotlibrc has no effect."""
    import matplotlib.style
    from matplotlib.figure import Figure

    with matplotlib.style.context(["default", _STYLE]):
        yield Figure(figsize=(width, height))


def svg(drawn: Any) -> str:
    """The figure as the text of an SVG file; call it within the context of the figure's style."""
    stream = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    drawn.savefig(stream, format="svg", transparent=True, metadata=nothing)
    text = stream.getvalue()
    return themed(text[text.index("<svg") :])


def themed(text: str) -> str:
    """An SVG with colours for a light and a dark background in place of the placeholders."""
    text = re.sub(r"(<svg[^>]*>)", rf"\1{_theme()}", text, count=1)
    for stand_in in _LIGHT:
        text = text.replace(stand_in, f"var({_variable(stand_in)})")
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip()) + "\n"


def _variable(stand_in: str) -> str:
    return f"--c{stand_in[-1]}"


def _theme() -> str:
    light, dark = (
        "".join(f"{_variable(c)}:{value};" for c, value in colours.items()) for colours in (_LIGHT, _DARK)
    )
    return (
        f"<style>:root{{{light}color-scheme:light dark}}"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}</style>"
    )
