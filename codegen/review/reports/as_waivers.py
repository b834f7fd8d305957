"""The waivers that would excuse what fails, to be pasted into featherc.toml with a reason for each."""

from __future__ import annotations

from codegen.review.reports.report import Report
from codegen.review.waivers import as_toml


def render(report: Report) -> str:
    """The entries as TOML; a comment for what fails and cannot be waived."""
    parts = []
    for row in report.outside:
        parts.append(as_toml(row.offered))
        if len(row.offered) < len(row.breaches):
            why = "limits, budgets and files that are not read cannot be waived"
            parts.append(f"# {row.symbol}: {why}\n")
    return "\n".join(filter(None, parts)) or "# nothing fails\n"
