"""The verdict of the release gate: for a terminal, as JSON, and as a report in the formats of a diff."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codegen.review.footprint import Footprint
from codegen.review.release.gate import Requirement, Verdict
from codegen.review.release.versions import Version
from codegen.review.reports.as_json import json_text
from codegen.review.reports.evidence import waived_texts
from codegen.review.reports.report import Entry, Report, verdict_of, with_twins
from codegen.review.rules import Bump
from codegen.review.waivers import Waivers
from codegen.show import lines, printable, table


def as_report(verdict: Verdict, waivers: Waivers) -> Report:
    """The verdict as a report: what requires more than the declared version is outside the policy."""
    rows = []
    for needed in verdict.requirements:
        failing = [
            k for k, rule in needed.rules.items() if not verdict.declared.enough(verdict.bumps[rule.name])
        ]
        reasons = tuple(f"{needed.rules[k].name} requires {_needs(verdict, k, needed)}" for k in failing)
        offered = waivers.offered(needed.change, failing, verdict.compared)
        waived = tuple(needed.waived.values())
        rows.append(Entry(needed.change, Footprint(), needed.place, reasons, waived=waived, offered=offered))
    compared = verdict.compared
    return Report(compared.old, compared.new, rows, tuple(verdict.remarks), "featherc release")


def _needs(verdict: Verdict, kind: Any, needed: Requirement) -> str:
    bump = verdict.bumps[needed.rules[kind].name]
    return f"version {verdict.declared.smallest(bump)} ({bump}), not {verdict.declared.new}"


def conclusion(verdict: Verdict) -> str:
    """The required version, and whether the declared one is high enough, in one line."""
    required, declared = verdict.required, verdict.declared
    if required is Bump.NONE:
        what = "no file differs: no new version is required"
    else:
        smallest = f": {declared.smallest(required)} or higher" if declared.old else ""
        what = f"the changes since {declared.old or 'the baseline'} require a {required} release{smallest}"
    if declared.new is None:
        return f"{what} (no version was declared)"
    return f"{what}; {declared.new} is {'enough' if verdict.passes else 'not'}"


def show(verdict: Verdict, report: Report) -> None:
    """Print the verdict; colours on a terminal only."""
    needs = {id(e.change): r for r, e in zip(verdict.requirements, report.rows, strict=True)}
    notable = [e for r, e in zip(verdict.requirements, report.rows, strict=True) if r.bump or r.waived]
    entries = with_twins(notable, lambda e: (verdict_of(e), _names(needs[id(e.change)])))
    pairs = sorted(((needs[id(e.change)], e) for e in entries), key=lambda pair: -pair[0].bump)
    rows = [(e.title, r.change.kind.value, ", ".join(_names(r)), str(r.bump)) for r, e in pairs]
    if rows:
        table(("function", "class", "rules", "requires"), rows)
    lines((text for r, e in pairs if r.bump > Bump.PATCH or r.waived for text in _paragraph(r, e)), {})
    if verdict.differing and not any(r.bump for r in verdict.requirements):
        lines([f"{verdict.differing} differs: files requires {verdict.bumps['files']}"], {})
    lines([*([""] if rows else []), report.summary], {})


def _names(needed: Requirement) -> list[str]:
    found = dict.fromkeys(rule.name for rule in needed.rules.values())
    return [*found, *(f"{kind.value} (waived)" for kind in needed.waived)]


def _paragraph(needed: Requirement, entry: Entry) -> Iterator[str]:
    yield from ("", f"{entry.title} ({entry.where}): {', '.join(_names(needed))}: requires {needed.bump}")
    detail = [printable(needed.change.detail)] if needed.change.detail else []
    yield from (f"    {text}" for text in (*detail, *waived_texts(entry)))


def as_json(verdict: Verdict) -> str:
    """The verdict as JSON, with all fields."""
    declared = verdict.declared
    content = {
        "schema": 1,
        "baseline": verdict.compared.old,
        "tree": verdict.compared.new,
        "baseline_version": _text(declared.old),
        "version": _text(declared.new),
        "declared": str(declared.bump) if declared.bump is not None else None,
        "required": str(verdict.required),
        "smallest_version": _text(declared.smallest(verdict.required)),
        "passes": verdict.passes,
        "differing_file": verdict.differing or None,
        "remarks": list(verdict.remarks),
        "functions": [_function(needed) for needed in verdict.requirements],
    }
    return json_text(content)


def _text(version: Version | None) -> str | None:
    return str(version) if version else None


def _function(needed: Requirement) -> dict[str, Any]:
    change = needed.change
    return {
        "symbol": change.symbol,
        "class": change.kind.value,
        "also": [kind.value for kind in change.also],
        "rules": list(dict.fromkeys(rule.name for rule in needed.rules.values())),
        "waived": [kind.value for kind in needed.waived],
        "requires": str(needed.bump),
        "detail": change.detail,
        "file": needed.place,
        "line": change.line,
    }
