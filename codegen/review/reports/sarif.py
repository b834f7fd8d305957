"""The report as SARIF 2.1.0, for code scanning: a result for each function that differs."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from codegen import __version__
from codegen.review.diff.changes import Kind
from codegen.review.reports.report import Report, Row, evidence, level

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_MEANING = {
    Kind.IDENTICAL: "The function has not changed.",
    Kind.COSMETIC: "The function's text differs; it does the same operations in the same order.",
    Kind.REASSOCIATED: "The function is mathematically equal; its round-off may differ.",
    Kind.CHANGED: "The function returns other values, or could not be read.",
    Kind.INTERFACE: "The function's interface has changed.",
    Kind.ADDED: "The function is new.",
    Kind.REMOVED: "The function was removed.",
}


def render(report: Report) -> str:
    """The report as SARIF text."""
    rules = [{"id": kind.value, "shortDescription": {"text": text}} for kind, text in _MEANING.items()]
    driver = {"name": "featherc", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_result(row) for row in report.differing]}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _result(row: Row) -> dict[str, Any]:
    said = [f"{row.symbol}: {row.change.kind.value}", *evidence(row)]
    return {
        "ruleId": row.change.kind.value,
        "ruleIndex": list(_MEANING).index(row.change.kind),
        "level": level(row, "error", "warning", "note"),
        "message": {"text": "\n".join(said)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(row.place)},
                    "region": {"startLine": max(1, row.change.line)},
                }
            }
        ],
        "partialFingerprints": {"function/v1": row.symbol},
    }


def _uri(place: str) -> str:
    return Path(place).as_uri() if os.path.isabs(place) else quote(os.fsencode(place))
