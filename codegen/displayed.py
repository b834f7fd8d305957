"""What notebooks display of kernels, Programs, steps and reports.

The classes are far below what draws them, so that the package itself sets the function that does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Draw: TypeAlias = Callable[[Any, str], str | None]
"""(object, "html", "latex", "markdown" or "plain") -> its text, None where there is none in this format."""

_drawing: list[Draw] = []


def draw_with(draw: Draw) -> None:
    """Set the function that draws."""
    _drawing[:] = [draw]


class Displayed:
    """An object that Jupyter and other notebooks display by its formulas, tables and code."""

    def _repr_html_(self) -> str | None:
        return _drawn(self, "html")

    def _repr_latex_(self) -> str | None:
        return _drawn(self, "latex")

    def _repr_markdown_(self) -> str | None:
        return _drawn(self, "markdown")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """The object in every format that it has, by MIME type."""
        formats = {f"text/{form}": form for form in ("plain", "html", "latex", "markdown")}
        wanted = {t: f for t, f in formats.items() if t in (include or formats) and t not in (exclude or ())}
        return {t: text for t, f in wanted.items() if (text := _drawn(self, f)) is not None}


def _drawn(what: Displayed, form: str) -> str | None:
    return _drawing[0](what, form) if _drawing else None
