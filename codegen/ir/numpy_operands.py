"""NumPy operands of expressions: numbers are treated like Python's, arrays element by element."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Never

from codegen.errors import FormulaError

_OPERATORS: Mapping[str, Callable[..., Any]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
    "power": operator.pow, "negative": operator.neg, "positive": operator.pos, "absolute": abs,
    "less": operator.lt, "less_equal": operator.le, "greater": operator.gt, "greater_equal": operator.ge,
    "equal": operator.eq, "not_equal": operator.ne, "bitwise_and": operator.and_,
    "bitwise_or": operator.or_, "invert": operator.invert, "floor_divide": operator.floordiv,
    "remainder": operator.mod,
}  # fmt: skip
"""The ufuncs behind Python's operators."""

FUNCTIONS: Mapping[str, str] = {
    **{name: name for name in ("sqrt", "sin", "cos", "tan", "exp", "log", "minimum", "maximum")},
    "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh",
    "arcsin": "asin", "arccos": "acos", "arctan2": "atan2", "fmin": "minimum", "fmax": "maximum",
    "fabs": "absolute", "where": "select", "arctan": "atan", "clip": "clip", "mod": "modulo",
    **{name: name for name in ("sinh", "cosh", "tanh", "log1p", "expm1", "floor", "ceil", "sign")},
    **{name: name for name in ("hypot", "fmod", "copysign")},
}  # fmt: skip
"""Functions of NumPy, and their counterparts in a formula."""

_CONVERTERS: Mapping[str, Callable[[Any], Any]] = {
    "b": bool, "i": int, "u": int, "f": lambda x: float(str(x)),
}  # fmt: skip
"""Conversions by NumPy's kind of number; a float of any precision is the decimal that NumPy prints."""


def python_number(number: Any) -> Any:
    """A NumPy scalar as the Python number of the same decimal; anything else as it is."""
    if type(number).__module__ != "numpy" or getattr(number, "shape", None) != ():
        return number
    convert = _CONVERTERS.get(number.dtype.kind)
    return number if convert is None else convert(number)


def is_array(thing: Any) -> bool:
    """Whether it is a NumPy array with at least one axis."""
    return type(thing).__module__ == "numpy" and bool(getattr(thing, "ndim", 0))


def ufunc(function: Any, method: str, operands: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
    """The result of a ufunc with an expression as an operand; FormulaError unless it is an operator's."""
    operate = _OPERATORS.get(function.__name__)
    if operate is not None and method == "__call__" and not options:
        return elementwise(operate, operands)
    refuse_function(function.__name__)


def _refused(name: str, remedy: str) -> str:
    return f"numpy.{name} cannot take a computed value; {remedy}"


_OTHERWISE = "write it with operators and the functions of codegen"


def refuse_function(name: str) -> Never:
    """FormulaError for a function of NumPy; the message names the alternative."""
    ours = FUNCTIONS.get(name)
    remedy = f"write {ours}, with `from codegen import {ours}`" if ours else _OTHERWISE
    raise FormulaError(_refused(name, remedy))


_OF_MATRICES: Mapping[str, str] = {
    "solve": "A.solve(b) of a Matrix or Symmetric",
    "inv": "A.inverse() of a Matrix or Symmetric, or A.solve(b)",
    "det": "A.determinant() of a Matrix",
    "cholesky": "A.cholesky() of a Symmetric",
}
"""What to write in place of a function of numpy.linalg."""


def refusal(error: BaseException) -> str | None:
    """What to write where a function of numpy.linalg has refused formulas; None of any other error."""
    name = getattr(getattr(error, "ufunc", None), "__name__", None)
    if name is None or type(error).__module__.partition(".")[0] != "numpy":
        return None
    known = next((ours for ours in _OF_MATRICES if str(name).startswith(ours)), None)
    remedy = f"write {_OF_MATRICES[known]}" if known else _OTHERWISE
    return _refused(f"linalg.{known or name}", remedy)


def elementwise(operate: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
    """An operator on expressions, numbers and arrays: an array of expressions where one is an array."""
    if not any(map(is_array, operands)):
        return operate(*map(python_number, operands))
    import numpy as np

    boxes = []
    for operand in operands:
        box = np.empty((), dtype=object)
        box[()] = operand
        boxes.append(operand if is_array(operand) else box)
    return np.frompyfunc(operate, len(boxes), 1)(*boxes)
