"""Accuracy plots: one picture for each sweep, with the error in ulp over the input, in double and float."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from codegen.explain.book.accuracy import Curve, Panel
from codegen.explain.book.chart import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Chart, Scale
from codegen.explain.book.drawing import FAINT, FIRST, SECOND

LEAST = 0.1
"""The lower end of the logarithmic axis, ulp; smaller errors are drawn there."""

_STYLES = {"f64": (FIRST, ""), "f32": (SECOND, "4 2")}
"""The colour and the dashes of each line."""


def accuracy_plot(panel: Panel) -> str:
    """The SVG of one panel."""
    sweep = panel.sweep
    chart = Chart(
        Scale(sweep.points[0], sweep.points[-1], sweep.logarithmic, LEFT, WIDTH - RIGHT),
        Scale(LEAST * 0.8, max(_largest(panel) * 2, 10), True, HEIGHT - BOTTOM, TOP),
    )
    flagged = [a or b for a, b in zip(*_flags(panel), strict=True)]
    shaded = [chart.band(*ends, colour=FAINT) for ends in _flagged_ranges(sweep.points, flagged)]
    lines = [_line(chart, panel, curve) for curve in panel.curves]
    legend = [(_NAMES[c.precision.name], *_STYLES[c.precision.name]) for c in panel.curves]
    legend += [("status flag", FAINT, "")] if any(flagged) else []
    below = f"{sweep.arg.name}: {sweep.what} [{sweep.unit}]"
    return chart.drawn([*shaded, *lines], below, "error [ulp]", legend)


def _line(chart: Chart, panel: Panel, curve: Curve) -> str:
    colour, dashes = _STYLES[curve.precision.name]
    heights = [None if e is None else max(e, LEAST) for e in curve.errors]
    return chart.line(panel.sweep.points, heights, colour, dashes)


def _flagged_ranges(points: Sequence[float], flagged: Sequence[bool]) -> Iterator[tuple[float, float]]:
    """The ranges of points with a flag, each up to half the distance to the next point without one."""
    middles = [points[0], *((a + b) / 2 for a, b in pairwise(points)), points[-1]]
    for k, is_flagged in enumerate(flagged):
        if is_flagged:
            yield middles[k], middles[k + 1]


def description(panel: Panel) -> str:
    """The description of the picture, for readers who cannot see it."""
    found = ", ".join(map(_largest_error, panel.curves))
    flagged = ", with status flags over a part of the range" if any(map(any, _flags(panel))) else ""
    return f"Error over {panel.sweep.arg.name}, {panel.sweep.what}: {found}{flagged}."


def _largest_error(curve: Curve) -> str:
    errors = [e for e in curve.errors if e is not None]
    worst = f"at most {_rounded(max(errors))} ulp" if errors else "no measurable error"
    return f"{_NAMES[curve.precision.name]} {worst}"


def left_out(panel: Panel) -> str:
    """The number of inputs that are left out, and the reasons; empty where none are."""
    counted = [
        f"{_NAMES[curve.precision.name]} {', '.join(why)}"
        for curve in panel.curves
        if (why := [f"{n} {what}" for n, what in _reasons(curve) if n])
    ]
    return f"Left out of {panel.curves[0].draws} inputs: {'; '.join(counted)}." if counted else ""


def _reasons(curve: Curve) -> tuple[tuple[int, str], ...]:
    return (curve.with_flag, "with a status flag"), (curve.not_finite, "without a finite result")


_NAMES = {"f64": "double", "f32": "float"}


def _rounded(error: float) -> str:
    return f"{error:.2g}"


def _flags(panel: Panel) -> list[tuple[bool, ...]]:
    return [curve.flagged for curve in panel.curves]


def _largest(panel: Panel) -> float:
    return max((e for curve in panel.curves for e in curve.errors if e is not None), default=1.0)
