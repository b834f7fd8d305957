"""Sections as one HTML file, with the expression graph. The text of a model is untrusted: it is escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from codegen.explain.inspection.content import (
    Block,
    Equations,
    Formulas,
    Grid,
    Listing,
    Section,
    Sentence,
    Words,
)
from codegen.explain.inspection.terminal import lines
from codegen.notation import mathml
from codegen.provenance.shown import Prose, joined

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The content security policy: the page loads nothing and runs no script."""

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .2rem .8rem 0 0; border-bottom: 1px solid #8884; }
.wide { overflow-x: auto; padding: .2rem; }
pre, .graph { overflow-x: auto; padding: .6rem; border: 1px solid #8884; border-radius: 4px; }
"""


def document(title: str, sections: Iterable[Section], drawing: str = "") -> str:
    """The sections as an HTML page, with a drawing (SVG) at the end if one is given."""
    body = "\n".join(_section(s) for s in sections)
    graph = f'<section><h2>Graph</h2>\n<div class="graph" tabindex="0">{drawing}</div></section>\n'
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{html.escape(title)}</h1>\n{body}\n{graph if drawing else ''}</main>\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    heading = f"<h2>{html.escape(section.title)}</h2>\n" if section.title else ""
    return f"<section>{heading}{chr(10).join(map(block, section.blocks))}</section>"


def block(b: Block) -> str:
    """A block as HTML."""
    if isinstance(b, Words):
        return f"<p>{html.escape(b.text)}</p>"
    if isinstance(b, Grid):
        return _grid(b)
    if isinstance(b, Formulas):
        return "\n".join(f'<div class="wide" tabindex="0">{mathml.markup(row)}</div>' for row in b.rows)
    if isinstance(b, Equations):
        return _equations(b)
    if isinstance(b, Sentence):
        return f"<p>{in_line(b.parts)}</p>"
    language = f' class="language-{html.escape(b.language)}"' if isinstance(b, Listing) else ""
    return f'<pre tabindex="0"><code{language}>{html.escape(chr(10).join(lines(b)))}</code></pre>'


def in_line(cell: str | Prose) -> str:
    """Prose as HTML, its formulas as MathML."""
    return joined((cell,) if isinstance(cell, str) else cell, words, mathml.in_line)


def words(text: str) -> str:
    """Words as HTML: the exponents of units are raised, and numbers with an exponent are powers of ten."""
    raised = _EXPONENT.sub(r"<sup>\1</sup>", html.escape(text))
    return _POWER.sub(_power_of_ten, raised).replace("<sup>-", "<sup>\N{MINUS SIGN}")


_EXPONENT = re.compile(r"\^(-?\d+)")
_POWER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e(-?\d+)(?!\w)")


def _power_of_ten(number: re.Match[str]) -> str:
    multiple = "" if number[1] == "1" else f"{number[1]}\N{NO-BREAK SPACE}\N{DOT OPERATOR}\N{NO-BREAK SPACE}"
    return f"{multiple}10<sup>{number[2]}</sup>"


def _equations(b: Equations) -> str:
    """Formulas as MathML."""
    from sympy import Eq, Symbol
    from sympy import mathml as of_sympy

    shown = [of_sympy(Eq(Symbol(left), e, evaluate=False), printer="presentation") for left, e in b.rows]
    return "\n".join(f'<div class="wide" tabindex="0"><math>{equation}</math></div>' for equation in shown)


def _grid(grid: Grid) -> str:
    def row(cells: Iterable[str | Prose], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{in_line(cell)}</{tag}>" for cell in cells) + "</tr>"

    body = "\n".join(row(cells, "td") for cells in grid.rows)
    return f"<table>\n<thead>{row(grid.columns, 'th')}</thead>\n<tbody>\n{body}\n</tbody>\n</table>"
