"""Accuracy plots: one picture for each sweep, with the error in ulp over the input, in double and float."""

from __future__ import annotations

import math
from typing import Any

from codegen.explain.book.accuracy import Curve, Panel
from codegen.explain.book.drawing import FAINT, FIRST, SECOND, figure, svg

LEAST = 0.1
"""The lower end of the logarithmic axis, ulp; smaller errors are drawn there."""

_STYLES = {"f64": (FIRST, "-"), "f32": (SECOND, "--")}


def accuracy_plot(panel: Panel) -> str:
    """The SVG of one panel."""
    sweep = panel.sweep
    with figure(3.6, 2.4) as drawn:
        axes = drawn.add_axes((0.16, 0.2, 0.8, 0.76))
        for curve in panel.curves:
            _draw(axes, panel, curve)
        _shade(axes, panel)
        axes.set_yscale("log")
        axes.set_ylim(LEAST * 0.8, max(_largest(panel) * 2, 10))
        axes.set_xscale("log" if sweep.logarithmic else "linear")
        axes.set_xlim(sweep.points[0], sweep.points[-1])
        axes.set_xlabel(f"{sweep.arg.name}: {sweep.what} [{sweep.unit}]", parse_math=False)
        axes.set_ylabel("error [ulp]")
        axes.minorticks_off()
        axes.xaxis.set_major_formatter(_tick)
        axes.yaxis.set_major_formatter(_tick)
        axes.grid(True)
        axes.legend(loc="upper left", fontsize=7, framealpha=0.0, ncols=3)
        return svg(drawn)


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


def _tick(value: float, position: int) -> str:
    """A number on an axis, in plain text: matplotlib's powers of ten would take most of a plot's time."""
    mantissa, _, exponent = f"{value:g}".partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def _rounded(error: float) -> str:
    return f"{error:.2g}"


def _draw(axes: Any, panel: Panel, curve: Curve) -> None:
    colour, line = _STYLES[curve.precision.name]
    heights = [math.nan if e is None else max(e, LEAST) for e in curve.errors]
    axes.plot(
        panel.sweep.points, heights, line, color=colour, linewidth=1.2, label=_NAMES[curve.precision.name]
    )


def _shade(axes: Any, panel: Panel) -> None:
    """The points at which either precision raises a status flag."""
    points = panel.sweep.points
    flagged = [a or b for a, b in zip(*_flags(panel), strict=True)]
    if any(flagged):
        axes.fill_between(
            points, 0, 1, where=flagged, step="mid", color=FAINT, alpha=0.5, linewidth=0,
            transform=axes.get_xaxis_transform(), label="status flag",
        )  # fmt: skip


def _flags(panel: Panel) -> list[tuple[bool, ...]]:
    return [curve.flagged for curve in panel.curves]


def _largest(panel: Panel) -> float:
    return max((e for curve in panel.curves for e in curve.errors if e is not None), default=1.0)
