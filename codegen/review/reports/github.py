"""The report as workflow commands: GitHub shows them as annotations at the lines of a pull request."""

from __future__ import annotations

from codegen.review.reports.evidence import evidence
from codegen.review.reports.report import Entry, Report, level


def render(report: Report) -> str:
    """The report as lines for the log of a GitHub job."""
    return "".join(map(_annotation, report.differing)) + f"{report.summary}\n"


def _annotation(row: Entry) -> str:
    command = level(row, "error", "warning", "notice")
    title = f"{row.title}: {row.change.kind.value}"
    place = f"file={_property(row.file)},line={max(1, row.change.line)},title={_property(title)}"
    return f"::{command} {place}::{_data(chr(10).join(evidence(row)) or title)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
