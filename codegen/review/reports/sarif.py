"""The report as SARIF 2.1.0, for code scanning: a result for each function that differs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from codegen import __version__
from codegen.review.diff.changes import ChangeClass
from codegen.review.reports.as_json import json_text
from codegen.review.reports.report import Entry, Report, evidence, level

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_MEANING = {
    ChangeClass.IDENTICAL: "The function has not changed.",
    ChangeClass.COSMETIC: "The function's text differs; it does the same operations in the same order.",
    ChangeClass.REASSOCIATED: "The function is mathematically equal; its round-off may differ.",
    ChangeClass.GUARDS: "The function returns other values outside its input domain only.",
    ChangeClass.UNREADABLE: "The function differs, and its C could not be read.",
    ChangeClass.CHANGED: "The function returns other values.",
    ChangeClass.INTERFACE: "The function's interface has changed.",
    ChangeClass.CONTRACT: "Callers are told another unit, frame, precondition or equation.",
    ChangeClass.BUILD: "The file changes what a build compiles, or what the self-test or the manifest says.",
    ChangeClass.ADDED: "The function is new.",
    ChangeClass.REMOVED: "The function was removed.",
}


def render(report: Report) -> str:
    """The report as SARIF text."""
    rules = [{"id": kind.value, "shortDescription": {"text": text}} for kind, text in _MEANING.items()]
    driver = {"name": "featherc", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_result(row) for row in report.differing]}
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _result(row: Entry) -> dict[str, Any]:
    said = [f"{row.title}: {row.change.kind.value}", *evidence(row)]
    return {
        "ruleId": row.change.kind.value,
        "ruleIndex": list(_MEANING).index(row.change.kind),
        "level": level(row, "error", "warning", "note"),
        "message": {"text": "\n".join(said)},
        "locations": [_location(e) for e in row.both],
        "partialFingerprints": {"function/v1": row.symbol},
    }


def _location(row: Entry) -> dict[str, Any]:
    artifact, region = {"uri": _uri(row.place)}, {"startLine": max(1, row.change.line)}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _uri(place: str) -> str:
    return Path(place).as_uri() if os.path.isabs(place) else quote(os.fsencode(place))
