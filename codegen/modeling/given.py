"""The functions that a model gives beside its formula: a definition, a reference."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from codegen.errors import FeatherError


@contextmanager
def errors_of(function: Callable[..., Any], *expected: type[Exception]) -> Iterator[None]:
    """Turn an error inside a model's function into a FeatherError that names its place.

    Errors of the expected types pass, and all errors of featherc's own functions, which are bugs.
    """
    try:
        yield
    except Exception as error:
        is_own = str(getattr(function, "__module__", "")).startswith("codegen.")
        if is_own or isinstance(error, (FeatherError, *expected)):
            raise
        raise FeatherError(f"{_place(function, error)}{type(error).__name__}: {error}") from error


def _place(function: Callable[..., Any], error: Exception) -> str:
    """`mine.py:12: `, the last line of the function's file that the error passed; empty if none is known."""
    code = getattr(function, "__code__", None)
    if code is None:
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == code.co_filename]
    return f"{code.co_filename}:{lines[-1] if lines else code.co_firstlineno}: "
