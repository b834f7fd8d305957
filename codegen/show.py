"""Terminal output: tables, coloured lines and progress bars; plain text in pipes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

import click
from rich.console import Console, JustifyMethod
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table
from rich.text import Text

from codegen.characters import escape

T = TypeVar("T")


class Output(Console):
    """The console; a closed pipe raises BrokenPipeError instead of rich's exit with code 1."""

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError."""
        raise BrokenPipeError


def printable(text: str) -> str:
    """The text on one line, without unprintable characters or a command to a machine that logs it.

    GitHub takes `::` after blanks at the beginning of a line for one, and `##[` anywhere, as Azure does
    `##vso[`.
    """
    shown = text
    if not text.isprintable():
        shown = "".join(c if c.isprintable() else escape(c) for c in text)
    return re.sub(r"\A(\s*):(?=:)", r"\1\\x3a", shown).replace("##", r"#\x23")


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[str] = (),
    styles: Sequence[str] = (),
) -> None:
    """Print a table; in a pipe without colours and without a limit on its width; it cuts no word.

    `styles` gives each row a colour; without it, rows whose last cell begins with FAIL are red.
    """
    console = Output(highlight=False)
    if not console.is_terminal:
        width = sum(max(len(cell) for cell in column) + 3 for column in zip(columns, *rows, strict=True))
        console = Output(width=width + 8, highlight=False)
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        side: JustifyMethod = "right" if name in right else "left"
        shown.add_column(name, justify=side, no_wrap=not console.is_terminal, overflow="fold")
    styles = styles or ["red" if row[-1].startswith("FAIL") else "" for row in rows]
    for row, style in zip(rows, styles, strict=True):
        shown.add_row(*(Text(cell, style=style) for cell in row))
    console.print(shown)


def growing_table(
    columns: Mapping[str, int], rows: Iterable[Sequence[str]], right: Sequence[str] = ()
) -> None:
    """Print a table row by row, each at once when it is made.

    A column is at least as wide as its name and its given width; a longer cell shifts the rest of its row. A
    row with a cell that begins with FAILED is red on a terminal.
    """
    console = Output(highlight=False)

    def line(cells: Sequence[str], style: str) -> None:
        wide = zip(cells, columns, columns.values(), strict=True)
        padded = (
            cell.rjust(max(width, len(name))) if name in right else cell.ljust(max(width, len(name)))
            for cell, name, width in wide
        )
        text = "   ".join(padded).rstrip()
        console.print(Text(text, style=style), soft_wrap=True)

    line(list(columns), "bold")
    for cells in rows:
        line(cells, "red" if any(cell.startswith("FAILED") for cell in cells) else "")


DIFF = {"+": "green", "-": "red", "@@": "cyan"}
"""Styles of the lines of a unified diff."""


def lines(texts: Iterable[str], styles: Mapping[str, str]) -> None:
    """Print lines; on a terminal in the style that `styles` has for the beginning of the line."""
    console = Output(highlight=False)
    for text in map(printable, texts):
        style = next((style for start, style in styles.items() if text.startswith(start)), "")
        if console.is_terminal:
            console.print(Text(text, style=style), soft_wrap=True)
        else:
            click.echo(text)


@contextmanager
def working(what: str) -> Iterator[None]:
    """A spinner and the time on a terminal's stderr for as long as the work inside takes."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as spinner:
        spinner.add_task(what, total=None)
        yield


def progress(items: Sequence[T], what: str, name: Callable[[T], str] = lambda _: "") -> Iterator[T]:
    """Yield the items; on a terminal, a bar on stderr counts them, with the time and the current name."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from items
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(what, total=len(items))
        for item in items:
            bar.update(task, description=f"{what} {name(item)}".rstrip())
            yield item
            bar.advance(task)
