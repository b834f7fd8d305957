"""What the terminal shows: tables and progress, plain in pipes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

T = TypeVar("T")


class Output(Console):
    """The console; a reader that goes away is an error like any other, not rich's exit with code 1."""

    def on_broken_pipe(self) -> None:
        """Let the caller know."""
        raise BrokenPipeError


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> None:
    """Print a table; in a pipe without colours and as wide as it needs to be."""
    console = Output(highlight=False)
    if not console.is_terminal:
        width = sum(max(len(cell) for cell in column) + 3 for column in zip(columns, *rows, strict=True))
        console = Output(width=width + 8, highlight=False)
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        shown.add_column(name, justify="right" if name in right else "left", no_wrap=not console.is_terminal)
    for row in rows:
        failed = row[-1].startswith("FAIL")
        shown.add_row(*(Text(cell, style="red" if failed else "") for cell in row))
    console.print(shown)


@contextmanager
def working(what: str) -> Iterator[None]:
    """A spinner on a terminal's stderr for as long as the work inside takes."""
    console = Console(stderr=True)
    if console.is_terminal:
        with console.status(what):
            yield
    else:
        yield


def progress(items: Sequence[T], what: str) -> Iterator[T]:
    """The items, with a bar on a terminal's stderr while they are worked through."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from items
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        yield from bar.track(items, description=what)
