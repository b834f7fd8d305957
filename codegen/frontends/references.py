"""What NumPy references take and return."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from inspect import Parameter
from typing import Any, NamedTuple

import numpy as np

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.types import Array


class Outcome(NamedTuple):
    """The results of a reference, and its status; None where the reference says nothing of flags."""

    outputs: tuple[Any, ...]
    status: int | None = 0


def outcome_of(returned: Any, outputs: int) -> Outcome:
    """What a NumPy reference returns for so many outputs, as an Outcome.

    A reference of a model may return its outputs as a tuple or list, or its only output as it is.
    FeatherError if it returns nothing.
    """
    if returned is None:
        raise FeatherError("it returns nothing; end it with return and the outputs in their order")
    if hasattr(returned, "outputs"):
        return Outcome(tuple(returned.outputs), returned.status)
    several = outputs != 1 and isinstance(returned, (tuple, list))
    return Outcome(tuple(returned) if several else (returned,), None)


def limits_for(reference: Callable[..., Any], limits: Mapping[str, Any]) -> Mapping[str, Any]:
    """The limits of a precision, if a reference takes them."""
    parameters = inspect.signature(reference).parameters.values()
    takes = any(p.name == "limits" or p.kind is Parameter.VAR_KEYWORD for p in parameters)
    return limits if takes else {}


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
