"""Reports on a comparison: one for the terminal, and text for the programs that read them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from codegen.errors import FeatherError
from codegen.review.reports import as_json, as_waivers, github, gitlab, html, junit, markdown, sarif
from codegen.review.reports.report import Report

FORMATS: Mapping[str, Callable[[Report], str]] = {
    "json": as_json.render,
    "markdown": markdown.render,
    "junit": junit.render,
    "sarif": sarif.render,
    "github": github.render,
    "gitlab": gitlab.render,
    "html": html.render,
    "waivers": as_waivers.render,
}

SUMMARY = "GITHUB_STEP_SUMMARY"


def write_report(place: Path, content: str) -> None:
    """Write the text of a report to a file; FeatherError where that fails."""
    try:
        place.write_text(content, encoding="utf-8", newline="\n")
    except OSError as error:
        raise FeatherError(f"{place} cannot be written: {error.strerror}") from None


def append_summary(report: Report) -> None:
    """Append the report to the summary of the GitHub job; a failure to write is printed, not raised."""
    place = os.environ.get(SUMMARY)
    try:
        if not place:
            raise FileNotFoundError(0, f"${SUMMARY} is not set")
        with open(place, "a", encoding="utf-8") as file:
            file.write(markdown.render(report))
    except OSError as error:
        print(f"featherc: no summary was written: {error.strerror}", file=sys.stderr)
