"""Sections as Markdown. The text of a model is untrusted: it is escaped."""

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
from codegen.notation.latex import latex
from codegen.provenance.shown import Prose, joined

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+.!|~$-])")


def document(title: str, sections: Iterable[Section]) -> str:
    """The sections as Markdown with tables, code and formulas."""
    parts = [f"# {escaped(title)}"]
    for section in sections:
        parts += [f"## {escaped(section.title)}"] if section.title else []
        parts += [block(b) for b in section.blocks]
    return "\n\n".join(parts) + "\n"


def block(b: Block) -> str:
    """A block as Markdown."""
    if isinstance(b, Words):
        return escaped(b.text)
    if isinstance(b, Sentence):
        return in_line(b.parts)
    if isinstance(b, Grid):
        return _grid(b)
    if isinstance(b, Formulas):
        return _aligned(map(latex, b.rows))
    if isinstance(b, Equations):
        return _equations(b)
    return fenced("\n".join(lines(b)), b.language if isinstance(b, Listing) else "text")


def _equations(b: Equations) -> str:
    import sympy

    from codegen.explain.inspection.latex import name

    rows = [f"{name(left)} &= {sympy.latex(expression)}" for left, expression in b.rows]
    return _aligned(rows)


def _aligned(rows: Iterable[str]) -> str:
    return "$$\n\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}\n$$"


def _grid(grid: Grid) -> str:
    rows = [grid.columns, tuple("---" for _ in grid.columns)]
    rows += [tuple(map(in_line, row)) for row in grid.rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def in_line(cell: str | Prose) -> str:
    """Prose as Markdown, its formulas in line."""
    return escaped(cell) if isinstance(cell, str) else joined(cell, _spaced, lambda row: f"${latex(row)}$")


def _spaced(words: str) -> str:
    """Words beside formulas, from which spaces separate them."""
    before, after = (" " * part.isspace() for part in (words[:1], words[-1:]))
    return f"{before}{escaped(words)}{after}" if words.strip() else before


def escaped(text: str) -> str:
    """Text escaped for Markdown and HTML, on one line."""
    return html.escape(_SPECIAL.sub(r"\\\1", " ".join(text.split())), quote=False)


def fenced(text: str, language: str) -> str:
    """A code block whose fence is longer than any in the text."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
