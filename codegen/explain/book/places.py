"""Where the functions of a book stand in the files that are generated for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from codegen.emit.function import Function
from codegen.emit.render import library_files
from codegen.emit.routine import RoutineFunction
from codegen.explain.book.functions import OPTIONS, functions_of
from codegen.library.routines import with_calls
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.provenance import lines


class Place(NamedTuple):
    """The file of a function, and the first and last of its lines, counted from 1."""

    file: str
    first: int
    last: int


def places(subjects: Sequence[Kernel | Routine]) -> dict[str, Place]:
    """The places of the functions by symbol, if the files are generated for exactly these subjects."""
    kernels, routines = with_calls(subjects)
    made: list[Function | RoutineFunction] = [
        *functions_of(kernels),
        *(RoutineFunction(r, p, OPTIONS) for p in OPTIONS.formats for r in routines),
    ]
    files = {path: text for path, text in library_files(made, OPTIONS).items() if path.endswith(".c")}
    return {
        f.text: Place(path, f.first, f.last)
        for path, text in files.items()
        for f in lines.functions(text.splitlines())
    }
