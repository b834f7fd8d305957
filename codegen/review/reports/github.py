"""The report as workflow commands: GitHub shows them as annotations at the lines of a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from codegen.review.reports.evidence import evidence
from codegen.review.reports.report import Entry, Report, level

MOST = 50
"""With more annotations than this, there is one for each file: GitHub shows no more of a job."""


def render(report: Report) -> str:
    """The report as lines for the log of a GitHub job."""
    rows = report.differing
    lines = map(_of_file, _by_file(rows)) if len(rows) > MOST else map(_annotation, rows)
    return "".join(lines) + f"{report.summary}\n"


def _by_file(rows: Sequence[Entry]) -> list[list[Entry]]:
    """The entries of each file, the worst first."""
    files = dict[str, list[Entry]]()
    for row in rows:
        files.setdefault(row.file, []).append(row)
    return list(files.values())


def _of_file(rows: Sequence[Entry]) -> str:
    """One annotation for all entries of a file, as severe as the first, with the evidence of that."""
    first, *others = rows
    if not others:
        return _annotation(first)
    listed = [f"{row.title}: {row.change.kind.value}" for row in rows]
    title = (
        f"{len(rows)} functions differ" if all(_is_function(r) for r in rows) else f"{len(rows)} differences"
    )
    return _command(first, title, [*listed[:MOST], *_rest(listed), "", listed[0], *evidence(first)])


def _rest(listed: Sequence[str]) -> list[str]:
    return [f"and {len(listed) - MOST} more"] if len(listed) > MOST else []


def _is_function(row: Entry) -> bool:
    return row.change.symbol != row.change.path


def _annotation(row: Entry) -> str:
    title = f"{row.title}: {row.change.kind.value}"
    return _command(row, title, evidence(row) or [title])


def _command(row: Entry, title: str, lines: Sequence[str]) -> str:
    command = level(row, "error", "warning", "notice")
    place = f"file={_property(row.file)},line={max(1, row.change.line)},title={_property(title)}"
    return f"::{command} {place}::{_data(chr(10).join(lines))}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
