"""Sections for the terminal, coloured there and plain in a pipe; a single stage as plain text."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from codegen.explain.inspection.content import (
    Block,
    Equations,
    Formulas,
    Grid,
    Listing,
    Operations,
    Section,
    Sentence,
    Words,
)
from codegen.notation.unicode import line
from codegen.provenance.shown import Prose, joined
from codegen.show import Output, printable

_PIPE = 110
"""The width of prose and tables in a pipe, in characters; code is never wrapped."""


def text(title: str, sections: Iterable[Section]) -> str:
    """The sections for the standard output; on a terminal with colours and as wide as it is."""
    terminal = sys.stdout.isatty()
    console = Output(file=io.StringIO(), force_terminal=terminal, highlight=False)
    console.width = Console().width if terminal else _PIPE
    console.print(Text(printable(title), style="bold"), soft_wrap=True)
    for section in sections:
        console.print()
        console.print(Text(printable(section.title), style="bold cyan"), soft_wrap=True)
        for block in section.blocks:
            _print(block, console)
    shown: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "".join(f"{line.rstrip()}\n" for line in shown.splitlines())


def _print(block: Block, console: Console) -> None:
    if isinstance(block, (Words, Sentence)):
        console.print(Padding(Text(printable(" ".join(lines(block)))), (0, 0, 0, 2)))
    elif isinstance(block, Grid):
        console.print(Padding(_table(block), (0, 0, 0, 2)))
    elif isinstance(block, Listing) and console.is_terminal:
        console.print(
            Syntax(
                "\n".join(map(printable, block.text.splitlines())),
                block.language,
                theme="ansi_dark",
                background_color="default",
            )
        )
    else:
        style = "green" if isinstance(block, Formulas) else ""
        for text in lines(block):
            console.print(Text(f"  {printable(text)}", style=style), soft_wrap=True)


def _table(grid: Grid) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in grid.columns:
        table.add_column(column)
    for row in grid.rows:
        table.add_row(*(Text(printable(in_line(cell))) for cell in row))
    return table


def in_line(cell: str | Prose) -> str:
    """Prose as one line of Unicode."""
    return cell if isinstance(cell, str) else joined(cell, str, line)


def lines(block: Block) -> Sequence[str]:
    """A block as plain lines."""
    if isinstance(block, Formulas):
        return list(map(line, block.rows))
    if isinstance(block, Equations):
        return [f"{name} = {expression}" for name, expression in block.rows]
    if isinstance(block, Operations):
        return [f"{name:12} = {operation}" for name, operation in block.rows]
    if isinstance(block, Grid):
        return ["  ".join(map(in_line, row)) for row in (block.columns, *block.rows)]
    if isinstance(block, Sentence):
        return in_line(block.parts).splitlines()
    return block.text.splitlines()
