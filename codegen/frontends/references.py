"""What NumPy references take and return."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.types import Array


class Outcome(NamedTuple):
    """The results of a reference, and its status."""

    outputs: tuple[Any, ...]
    status: int = 0


def outcome_of(returned: Any, outputs: int) -> Outcome:
    """What a NumPy reference returns for so many outputs, as an Outcome.

    A reference of a model may return its outputs as a tuple or list, or its only output as it is.
    FeatherError if it returns nothing.
    """
    if returned is None:
        raise FeatherError("it returns nothing; end it with return and the outputs in their order")
    if hasattr(returned, "outputs"):
        return Outcome(tuple(returned.outputs), returned.status)
    return Outcome(tuple(returned) if outputs != 1 and isinstance(returned, (tuple, list)) else (returned,))


def reference_input(argument: Arg, scalars: list[Any]) -> Any:
    """The scalars of an argument as a NumPy reference takes them.

    It takes a number for one scalar, a matrix of shape (rows, columns) for a Matrix or Symmetric, and a flat
    array for anything else.
    """
    kind = argument.type
    rows = kind.matrix(scalars) if isinstance(kind, Array) else None
    if isinstance(kind, Array) and rows and kind.shape != (len(rows),):
        return np.array(rows, dtype=object)
    return scalars[0] if len(scalars) == 1 else np.array(scalars, dtype=object)
