"""The report as GitLab's code quality: an issue for each function that differs, shown in a merge request."""

from __future__ import annotations

import hashlib
from typing import Any

from codegen.review.reports.as_json import json_text
from codegen.review.reports.evidence import evidence
from codegen.review.reports.report import Entry, Report, level


def render(report: Report) -> str:
    """The report as the JSON text of a code quality artifact."""
    return json_text([_issue(row) for row in report.differing])


def _issue(row: Entry) -> dict[str, Any]:
    said = [f"{row.title}: {row.change.kind.value}", *evidence(row)]
    return {
        "description": "\n".join(said),
        "check_name": f"featherc diff: {row.change.kind.value}",
        "fingerprint": _fingerprint(row),
        "severity": level(row, "blocker", "major", "info"),
        "location": {"path": row.place, "lines": {"begin": max(1, row.change.line)}},
    }


def _fingerprint(row: Entry) -> str:
    """The same for a finding wherever it moves to in the file, so that GitLab takes it for the same one."""
    return hashlib.sha256(f"{row.symbol}\n{row.change.kind.value}".encode()).hexdigest()
