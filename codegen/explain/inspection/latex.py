"""Sections as a LaTeX document. The text of a model is untrusted: it is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from codegen.explain.inspection.content import (
    Block,
    Equations,
    Formulas,
    Grid,
    Operations,
    Section,
    Sentence,
    Words,
)
from codegen.explain.inspection.terminal import lines
from codegen.notation.latex import latex
from codegen.provenance.shown import Prose, joined
from codegen.show import printable

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", **{c: f"\\{c}" for c in "#$%&_"},
}  # fmt: skip
_WIDEST = 1500
"""Limit on the characters of an expression in TeX; a longer one is shown as plain text."""

_HEAD = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{amsmath}
\usepackage[margin=2cm]{geometry}
\begin{document}
\sloppy
"""


def document(title: str, sections: Iterable[Section]) -> str:
    """The sections as a LaTeX document."""
    body = "\n".join(_section(section) for section in sections)
    return f"% {printable(title)}\n{_HEAD}\\section*{{{escaped(title)}}}\n{body}\n\\end{{document}}\n"


def _section(section: Section) -> str:
    blocks = "\n\n".join(block(b) for b in section.blocks)
    return f"\\subsection*{{{escaped(section.title)}}}\n{blocks}\n" if section.title else f"{blocks}\n"


def block(b: Block) -> str:
    """A block as LaTeX."""
    if isinstance(b, Words):
        return escaped(b.text)
    if isinstance(b, Sentence):
        return in_line(b.parts)
    if isinstance(b, Formulas):
        return _lines(f"$\\displaystyle {latex(row)}$" for row in b.rows)
    if isinstance(b, Equations):
        return _equations(b)
    if isinstance(b, Operations):
        return _lines(f"${name(left)}$ = \\texttt{{{escaped(right)}}}" for left, right in b.rows)
    if isinstance(b, Grid):
        return _grid(b)
    return verbatim(b.text)


def _equations(b: Equations) -> str:
    import sympy

    rows = [
        (line, f"{name(left)} = {sympy.latex(e)}") for line, (left, e) in zip(lines(b), b.rows, strict=True)
    ]
    blocks = []
    for wide, members in groupby(rows, key=lambda row: len(row[1]) > _WIDEST):
        found = list(members)
        plain = verbatim("\n".join(line for line, _ in found))
        blocks.append(plain if wide else _lines(f"$\\displaystyle {math}$" for _, math in found))
    return "\n".join(blocks)


def _lines(rows: Iterable[str]) -> str:
    """Rows that TeX may break; the empty group keeps a bracket from being the break's argument."""
    return "\\begin{flushleft}\n" + " \\\\{}\n".join(rows) + "\n\\end{flushleft}"


def _grid(grid: Grid) -> str:
    """A table as a list, whose items may be long."""
    items = []
    for row in grid.rows:
        cells = zip(grid.columns[1:], row[1:], strict=True)
        about = "; ".join(f"{escaped(head)}: {in_line(cell)}" for head, cell in cells if cell)
        items.append(f"\\item[{in_line(row[0])}] {about}")
    return "\\begin{description}\n" + "\n".join(items) + "\n\\end{description}"


def in_line(cell: str | Prose) -> str:
    """Prose as LaTeX, its formulas in line."""
    return joined((cell,) if isinstance(cell, str) else cell, escaped, lambda row: f"${latex(row)}$")


def name(text: str) -> str:
    """A name of the code as a symbol: `p_AB_A` has all but its first letter below."""
    head, _, below = text.partition("_")
    subscript = below.replace("_", "\\,")
    return f"{head}_{{{subscript}}}" if below else head


def escaped(text: str) -> str:
    """Text escaped for TeX; characters that its fonts may lack are replaced by their names."""
    return "".join(_SPECIAL.get(c, _known(c)) for c in text)


def _known(character: str) -> str:
    if character in "\n\t":
        return " "
    return character if character.isprintable() and character < "\u0180" else f"U+{ord(character):04X}"


def verbatim(text: str) -> str:
    """Verbatim text, line by line; it cannot end the environment that it is in."""
    safe = "\n".join("".join(map(_known, line)) for line in text.expandtabs().splitlines())
    ended = safe.replace("\\end{verbatim}", "\\end {verbatim}")
    return f"{{\\footnotesize\n\\begin{{verbatim}}\n{ended}\n\\end{{verbatim}}\n}}"
