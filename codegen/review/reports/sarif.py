"""The report as SARIF 2.1.0, for code scanning: a result for each function that differs."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from codegen import __version__
from codegen.review.reports.as_json import json_text
from codegen.review.reports.evidence import evidence
from codegen.review.reports.report import Entry, Report, level
from codegen.review.rules import RULES, Rule, as_markdown, as_text

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(report: Report) -> str:
    """The report as SARIF text."""
    driver = {"name": "featherc", "version": __version__, "rules": [_rule(r) for r in RULES.values()]}
    run = {"tool": {"driver": driver}, "results": [_result(row) for row in report.differing]}
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.name,
        "name": "".join(word.capitalize() for word in re.split("[ -]", rule.name)),
        "shortDescription": {"text": rule.meaning},
        "fullDescription": {"text": f"{rule.meaning} {rule.why}"},
        "help": {"text": as_text(rule), "markdown": as_markdown(rule)},
    }


def _result(row: Entry) -> dict[str, Any]:
    said = [f"{row.title}: {row.change.kind.value}", *evidence(row)]
    return {
        "ruleId": row.change.kind.value,
        "ruleIndex": list(RULES).index(row.change.kind.value),
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
