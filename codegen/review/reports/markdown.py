"""The report as Markdown, for a pull request's comment or the summary of a GitHub job."""

from __future__ import annotations

import re
from collections.abc import Sequence

from codegen.review.reports.evidence import evidence
from codegen.review.reports.report import SHOWN, Entry, Report
from codegen.show import printable

MOST = 200
"""Rows that are shown; GitHub cuts a summary off at 1 MB."""


def render(report: Report) -> str:
    """The report as Markdown text."""
    rows = report.notable
    trees = f"{_code(report.old)} {_code(report.new)}"
    parts = [f"### {report.command} {trees}\n\n{report.summary}: **{report.verdict}**.\n"]
    if report.causes:
        parts.append("".join(f"- {_plain(cause)}\n" for cause in report.causes))
    if rows:
        parts += [_table(rows[:MOST], report), *map(_details, report.differing[:MOST])]
    if len(rows) > MOST:
        parts.append(f"{len(rows) - MOST} more functions are not shown.\n")
    return "\n".join(parts)


def _table(rows: Sequence[Entry], report: Report) -> str:
    quantities, policy = report.quantities(), ["policy"] * report.has_policy
    lines = [
        ["function", "class", *(SHOWN[q] for q in quantities), *policy],
        ["---", "---", *("---:" for _ in quantities), *("---" for _ in policy)],
    ]
    for row in rows:
        figures = [row.figure(q).replace("->", "→") for q in quantities]
        verdict = "**failed**" if row.breaches else "ok"
        lines.append([_code(row.title), row.change.kind.value, *figures, *(verdict for _ in policy)])
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _details(row: Entry) -> str:
    items = "".join(f"- {_plain(text)}\n" for text in evidence(row))
    title = f"{_plain(row.title)}: {row.change.kind.value}"
    return f"<details><summary>{title}</summary>\n\n{_code(row.where)}\n\n{items}\n</details>\n"


def _plain(text: str) -> str:
    """The text with everything escaped that Markdown or HTML would interpret, mentions and links included."""
    return re.sub(r"[^\w\s,.;=()/-]|_", lambda mark: f"&#{ord(mark[0])};", text)


def _code(text: str) -> str:
    """The text as code, also within a table."""
    return "`" + printable(text).replace("`", "'").replace("|", "¦") + "`"
