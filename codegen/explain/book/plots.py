"""Accuracy plots: a picture for each sweep, with median, range, scale and limit of the error in ulp."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from codegen.explain.book.accuracy import Curve, Heights, Panel
from codegen.explain.book.chart import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Chart, Scale
from codegen.explain.book.drawing import FAINT, FIRST, INK, SECOND, THIRD

LEAST = 0.1
"""The lower end of the logarithmic axis, ulp; smaller errors are drawn there."""

MOST = 1e12
"""The largest upper end of the axis, ulp."""

_ABOVE = 100
"""How far the axis goes beyond the errors, and beyond most of the limits, at most; a result near 0 may have
a larger one, which is drawn at its end.
"""

_STYLES = {"f64": (FIRST, ""), "f32": (SECOND, "4 2")}
_SCALE, _LIMIT = (THIRD, "1 2"), (INK, "6 2")
"""The colour and the dashes of each line."""


def accuracy_plot(panel: Panel) -> str:
    """The SVG of one panel."""
    sweep, scales, limits = panel.sweep, _scales(panel), _limits(panel)
    chart = Chart(
        Scale(sweep.points[0], sweep.points[-1], sweep.logarithmic, LEFT, WIDTH - RIGHT),
        Scale(LEAST * 0.8, _top(_errors(panel), limits), True, HEIGHT - BOTTOM, TOP),
    )
    flagged = [a or b for a, b in zip(*_flags(panel), strict=True)]
    content = [chart.band(*ends, colour=FAINT) for ends in _flagged_ranges(sweep.points, flagged)]
    content += [_envelope(chart, panel, curve) for curve in panel.curves]
    content += [_line(chart, panel, c.medians, *_STYLES[c.precision.name]) for c in panel.curves]
    legend = [(_NAMES[c.precision.name], *_STYLES[c.precision.name]) for c in panel.curves]
    if any(scales):
        content += [_line(chart, panel, scales, *_SCALE), _line(chart, panel, limits, *_LIMIT)]
        legend += [("condition", *_SCALE), ("verify limit", *_LIMIT)]
    legend += [("status flag", FAINT, "")] if any(flagged) else []
    return chart.drawn(content, sweep.arg.name, f"{sweep.what} [{sweep.unit}]", "error [ulp]", legend)


def _top(errors: Sequence[Heights], limits: Heights) -> float:
    """The upper end of the axis."""
    largest = max((y for line in errors for y in line if y), default=1.0)
    bounded = sorted(y for y in limits if y) or [0.0]  # look-ups and loops have no bounds
    usual = max(largest, bounded[len(bounded) // 2])
    return min(max(2 * max(largest, bounded[-1]), 10), _ABOVE * usual, MOST)


def _line(chart: Chart, panel: Panel, heights: Heights, colour: str, dashes: str) -> str:
    return chart.line(panel.sweep.points, _drawn(chart, heights), colour, dashes)


def _envelope(chart: Chart, panel: Panel, curve: Curve) -> str:
    """What lies between the least and the largest error."""
    colour, _ = _STYLES[curve.precision.name]
    return chart.between(panel.sweep.points, _drawn(chart, curve.least), _drawn(chart, curve.errors), colour)


def _drawn(chart: Chart, heights: Heights) -> Heights:
    """The heights, those beyond the ends of the axis there."""
    return tuple(None if y is None else min(max(y, LEAST), chart.y.high) for y in heights)


def _errors(panel: Panel) -> list[Heights]:
    return [curve.errors for curve in panel.curves]


def _scales(panel: Panel) -> Heights:
    """The larger of those of the precisions, which differ by less than a factor of two."""
    found = zip(*(curve.scales for curve in panel.curves), strict=True)
    return tuple(max((s for s in both if s is not None), default=None) for both in found)


def _limits(panel: Panel) -> Heights:
    """The largest errors that verify accepts."""
    return tuple(None if scale is None else panel.tolerance * scale for scale in _scales(panel))


def _flagged_ranges(points: Sequence[float], flagged: Sequence[bool]) -> Iterator[tuple[float, float]]:
    """The ranges of points with a flag, each up to half the distance to the next point without one."""
    middles = [points[0], *((a + b) / 2 for a, b in pairwise(points)), points[-1]]
    for k, is_flagged in enumerate(flagged):
        if is_flagged:
            yield middles[k], middles[k + 1]


def description(panel: Panel) -> str:
    """The description of the picture, for readers who cannot see it."""
    found = "; ".join(map(_error_found, panel.curves))
    flagged = ", with status flags over a part of the range" if any(map(any, _flags(panel))) else ""
    return f"Error over {panel.sweep.arg.name}, {panel.sweep.what}: {found}{flagged}."


def _error_found(curve: Curve) -> str:
    name, errors = _NAMES[curve.precision.name], [e for e in curve.errors if e is not None]
    if not errors:
        return f"{name} no measurable error"
    medians = [m for m in curve.medians if m is not None]
    share = (
        "" if curve.share is None else f", which is {curve.share:.2g} of what verify accepts there or less"
    )
    return (
        f"{name} largest error found {_rounded(max(errors))} ulp{share}, "
        f"medians {_rounded(min(medians))} to {_rounded(max(medians))} ulp"
    )


def left_out(panel: Panel) -> str:
    """The number of inputs that are left out, and the reasons; empty where none are."""
    counted = [
        f"{_NAMES[curve.precision.name]} {', '.join(why)}"
        for curve in panel.curves
        if (why := [f"{n} {what}" for n, what in _reasons(curve) if n])
    ]
    return f"Left out of {panel.curves[0].draws} inputs: {'; '.join(counted)}." if counted else ""


def _reasons(curve: Curve) -> tuple[tuple[int, str], ...]:
    return (
        (curve.with_flag, "with a status flag"),
        (curve.not_finite, "without a finite result"),
        (curve.decided, "where rounding decides a case"),
    )


_NAMES = {"f64": "double", "f32": "float"}


def _rounded(error: float) -> str:
    return f"{error:.2g}"


def _flags(panel: Panel) -> list[tuple[bool, ...]]:
    return [curve.flagged for curve in panel.curves]
