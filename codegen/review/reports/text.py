"""The report for a terminal: a table of the functions that are not identical, then the evidence."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.review.reports.evidence import evidence
from codegen.review.reports.report import SHOWN, Entry, Report, level
from codegen.show import lines, printable, table


def show(report: Report) -> None:
    """Print the report; colours on a terminal only."""
    rows, quantities = report.notable, report.quantities()
    if rows:
        heads = [SHOWN[q] for q in quantities]
        policy = ["policy"] * report.has_policy
        table(
            ("function", "class", *heads, *policy),
            [
                (
                    row.title,
                    row.change.kind.value,
                    *map(row.figure, quantities),
                    *("FAILED" if row.breaches else "ok" for _ in policy),
                )
                for row in rows
            ],
            right=heads,
            styles=[level(row, "red", "yellow", "") for row in rows],
        )
    lines((text for row in report.differing for text in _paragraph(row)), {"    outside": "red"})
    lines(["", *map(printable, report.causes)] if report.causes else [], {})
    verdict = "" if report.has_policy else f"; {report.verdict}"
    lines([*([""] if rows else []), f"{report.summary}{verdict}"], {})


def _paragraph(row: Entry) -> Iterator[str]:
    yield from ("", f"{row.title} ({row.where}): {row.change.kind.value}")
    for text in evidence(row):
        yield f"    {text}"
