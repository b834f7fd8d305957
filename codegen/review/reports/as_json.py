"""The report as JSON, with all fields of each function; infinite and NaN numbers are strings."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from itertools import permutations
from typing import Any

from codegen.review.reports.report import Entry, Report


def render(report: Report) -> str:
    """The report as JSON text."""
    twins = {
        e.symbol: other.symbol for row in report.notable if row.twin for e, other in permutations(row.both)
    }
    content = {
        "schema": 1,
        "old": report.old,
        "new": report.new,
        "within_policy": not report.outside,
        "causes": list(report.causes),
        "functions": [{**_function(row), "twin": twins.get(row.symbol)} for row in report.rows],
    }
    return json_text(_finite(content))


def json_text(content: Any) -> str:
    """The JSON, of which no line is a command to a machine that logs it."""
    return json.dumps(content, indent=1, allow_nan=False).replace("##", r"#\u0023") + "\n"


def _function(row: Entry) -> dict[str, Any]:
    change = row.change
    return {
        "symbol": change.symbol,
        "old_symbol": change.old_symbol or change.symbol,
        "class": change.kind.value,
        "also": [kind.value for kind in change.also],
        "detail": change.detail,
        "file": row.place,
        "line": change.line,
        "outside_policy": list(row.breaches),
        "waived": [w.kind.value for w in row.waived],
        "before": dict(row.footprint.before),
        "after": dict(row.footprint.after),
        "witness": asdict(change.witness) if change.witness else None,
        "statements": [edit._asdict() for edit in row.explanation.edits],
        "arguments": {name: q._asdict() for name, q in row.explanation.arguments.items()},
        "callers": list(row.explanation.callers),
        "unreadable": change.unreadable._asdict() if change.unreadable else None,
    }


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
