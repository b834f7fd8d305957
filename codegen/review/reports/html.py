"""The report as one HTML file: readable without network and scripts; everything foreign is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from codegen.review.diff.changes import ChangeClass
from codegen.review.explanation import Edit
from codegen.review.reports.evidence import (
    UNCERTAIN,
    details,
    differing,
    extent,
    given,
    is_uncertain,
    reasons,
    waived_texts,
)
from codegen.review.reports.formula import formula
from codegen.review.reports.report import Entry, Report, level
from codegen.show import printable

MOST, EDITS = 1_000, 20
"""Limits on the entries with details, and on the places of different statements in each."""

QUANTITIES = {
    "cost": "operations, weighted", "mul": "multiplications", "add": "additions", "div": "divisions",
    "sqrt": "roots", "libm": "calls of <math.h>", "instructions": "instructions, Cortex-M4F",
    "flash": "flash, bytes", "stack": "stack, bytes",
}  # fmt: skip

_STYLE = """
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem }
table { border-collapse: collapse; margin: .6rem 0 } td, th { padding: .15rem .7rem; text-align: left;
vertical-align: top; border-bottom: 1px solid #8884 } td.n { text-align: right;
font-variant-numeric: tabular-nums }
code { font: 13px/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
details { border: 1px solid #8886; border-left: 5px solid #888; border-radius: 4px;
margin: .6rem 0; padding: .4rem 1rem }
details.error { border-left-color: #c62828 } details.warning { border-left-color: #e08e00 }
summary { cursor: pointer; font-weight: 600 } h3 { font-size: 1rem; margin: .8rem 0 0 }
.failed { color: #c62828; font-weight: 600 } .wide { overflow-x: auto } math { font-size: 1.15em }
math.id mi:not(.w) { font-family: ui-monospace, monospace; font-size: .86em; text-transform: none }
@media (prefers-color-scheme: dark) { .failed { color: #ff8a80 } a { color: #90caf9 } }
"""
_PAGE = Markup("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{command} {old} {new}</title>
<style>{style}</style>
</head>
<body>
<h1>Changes from <code>{old}</code> to <code>{new}</code></h1>
<p>{summary}: {verdict}.</p>
{warnings}{table}{entries}{more}</body>
</html>
""")


def render(report: Report) -> str:
    """The report as the text of an HTML file."""
    rows = report.notable
    failed = Markup('<strong class="failed">{}</strong>').format(report.verdict)
    left_out = len(rows) - MOST
    page = _PAGE.format(
        command=report.command,
        old=printable(report.old),
        new=printable(report.new),
        style=Markup(_STYLE),
        summary=report.summary,
        verdict=failed if report.outside else report.verdict,
        warnings=_join(
            Markup("<p>{}</p>\n").format(printable(w)) for w in (*report.warnings, *report.causes)
        ),
        table=_table(rows, report) if rows else "",
        entries=_join(_entry(i, row) for i, row in enumerate(rows[:MOST], 1)),
        more=Markup("<p>{} more entries are not shown.</p>\n").format(left_out) if left_out > 0 else "",
    )
    return str(page)


def _join(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)


def _table(rows: Sequence[Entry], report: Report) -> Markup:
    """The entries with class, cost and verdict, and links to their details."""
    quantities, policy = report.quantities(), ["policy"] * report.has_policy
    heads = ["function or file", "class", *quantities, *policy]
    lines = []
    for i, row in enumerate(rows[:MOST], 1):
        name = Markup('<a href="#entry-{}">{}</a>').format(i, row.title)
        figures = [Markup('<td class="n">{}</td>').format(row.figure(q)) for q in quantities]
        verdict = Markup('<td class="failed">failed</td>') if row.breaches else Markup("<td>ok</td>")
        cells = _join([_cell(name), _cell(row.change.kind.value), *figures, *(verdict for _ in policy)])
        lines.append(Markup("<tr>{}</tr>\n").format(cells))
    return _with_heads(heads, lines)


def _with_heads(heads: Sequence[str], lines: Iterable[Markup]) -> Markup:
    head = _join(Markup("<th>{}</th>").format(h) for h in heads)
    whole = Markup('<div class="wide"><table>\n<tr>{}</tr>\n{}</table></div>\n')
    return whole.format(head, _join(lines))


def _cell(content: object) -> Markup:
    return Markup("<td>{}</td>").format(content)


def _row(*cells: object) -> Markup:
    return Markup("<tr>{}</tr>\n").format(_join(map(_cell, cells)))


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(printable(text))


def _entry(number: int, row: Entry) -> Markup:
    whole = Markup('<details id="entry-{}" class="{}"{}>\n<summary>{}: {}</summary>\n{}</details>\n')
    is_open = Markup(" open") if row.change.kind not in (ChangeClass.COSMETIC, ChangeClass.ADDED) else ""
    parts = [_said(row), _statements(row), _counterexample(row), _cost(row), _callers(row)]
    return whole.format(
        number,
        level(row, "error", "warning", "note"),
        is_open,
        row.title,
        row.change.kind.value,
        _join(parts),
    )


def _said(row: Entry) -> Markup:
    """Where the function is, why it has its class, what is wrong with its C, and the verdict."""
    places = _join(Markup("<p>{}</p>\n").format(_code(e.where)) for e in row.both)
    texts = [*details(row), *waived_texts(row)]
    if problem := row.change.unreadable:
        texts.append(f"{printable(problem.path)}, line {problem.line}: {printable(problem.reason)}")
    said = _join(Markup("<p>{}</p>\n").format(text) for text in dict.fromkeys(texts))
    failed = _join(Markup('<p class="failed">{}</p>\n').format(text) for text in reasons(row))
    return places + said + failed


def _statements(row: Entry) -> Markup:
    """The statements that differ: before and after, as formulas and in C, with the equations they serve."""
    edits = row.explanation.edits
    if not edits:
        return Markup("")
    lines = [
        _row(e.old_line or "", _side(e.old), e.new_line or "", _side(e.new), _equations(e))
        for e in edits[:EDITS]
    ]
    more = len(edits) - EDITS
    rest = Markup("<p>{} more places are not shown.</p>\n").format(more) if more > 0 else Markup("")
    return (
        Markup("<h3>Statements</h3>\n")
        + _with_heads(["line", "before", "line", "after", "equation"], lines)
        + rest
    )


def _side(statements: Sequence[str]) -> Markup:
    shown = statements[:EDITS]
    formulas = (Markup("{}<br>").format(Markup(f)) for s in shown if (f := formula(printable(s))))
    code = (Markup("{}<br>").format(_code(s)) for s in shown)
    more = f"and {len(statements) - EDITS} more" if len(statements) > EDITS else ""
    return _join([*formulas, *code]) + more


def _equations(edit: Edit) -> Markup:
    return _join(Markup("{}<br>").format(printable(e)) for e in edit.equations)


def _counterexample(row: Entry) -> Markup:
    """The inputs with units and frames, the results on both sides, and how far they differ elsewhere."""
    witness = row.change.witness
    if witness is None:
        return Markup("")
    inputs = [_row(_code(g.name), g.value, g.unit, g.frame) for g in given(row, witness.inputs)]
    results = [_row(_code(name), old, new) for name, old, new in differing(row)[:MOST]]
    elsewhere = (
        Markup("<p>It {}.</p>\n").format(extent(row, witness.extent)) if witness.extent else Markup("")
    )
    doubt = Markup("<p>{}.</p>\n").format(UNCERTAIN.capitalize()) if is_uncertain(row.change) else Markup("")
    return (
        Markup("<h3>Counterexample</h3>\n")
        + _with_heads(["input", "value", "unit", "frame"], inputs)
        + _with_heads(["result", "before", "after"], results)
        + elsewhere
        + doubt
    )


def _cost(row: Entry) -> Markup:
    figures = [_row(text, row.figure(q)) for q, text in QUANTITIES.items() if row.figure(q)]
    return Markup("<h3>Cost</h3>\n") + _with_heads(["", ""], figures) if figures else Markup("")


def _callers(row: Entry) -> Markup:
    callers = list(dict.fromkeys(c for e in row.both for c in e.explanation.callers))
    listed = _join(Markup("<li>{}</li>\n").format(_code(c)) for c in callers[:MOST])
    return Markup("<h3>Callers</h3>\n<ul>\n{}</ul>\n").format(listed) if callers else Markup("")
