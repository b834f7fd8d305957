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
    verdict = f"{len(report.outside)} outside the policy" if report.outside else "within the policy"
    head = (
        f"### {report.command} {_code(report.old)} {_code(report.new)}\n\n{report.summary}: **{verdict}**.\n"
    )
    parts = [head]
    if report.causes:
        parts.append("".join(f"- {_plain(cause)}\n" for cause in report.causes))
    if rows:
        parts += [_table(rows[:MOST], report.quantities()), *map(_details, report.differing[:MOST])]
    if len(rows) > MOST:
        parts.append(f"{len(rows) - MOST} more functions are not shown.\n")
    return "\n".join(parts)


def _table(rows: Sequence[Entry], quantities: Sequence[str]) -> str:
    lines = [
        ["function", "class", *(SHOWN[q] for q in quantities), "policy"],
        ["---", "---", *("---:" for _ in quantities), "---"],
    ]
    for row in rows:
        figures = [row.figure(q).replace("->", "→") for q in quantities]
        policy = "**failed**" if row.breaches else "ok"
        lines.append([_code(row.title), row.change.kind.value, *figures, policy])
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
