"""Elementary functions of real scalars: floats, mpmath numbers, exact scalars with methods."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_FLOAT_TYPES = (int, float, np.integer, np.floating)


def sqrt(x: Any) -> Any:
    """The square root of x."""
    return _call("sqrt", x)


def sin(x: Any) -> Any:
    """The sine of x."""
    return _call("sin", x)


def cos(x: Any) -> Any:
    """The cosine of x."""
    return _call("cos", x)


def tanh(x: Any) -> Any:
    """The hyperbolic tangent of x."""
    return _call("tanh", x)


def exp(x: Any) -> Any:
    """The exponential of x."""
    return _call("exp", x)


def log(x: Any) -> Any:
    """The natural logarithm of x."""
    return _call("log", x)


def arctan2(y: Any, x: Any) -> Any:
    """The angle of the point (x, y), in (-pi, pi]."""
    return _call("atan2", y, x)


def ceil(x: Any) -> Any:
    """The least whole number that is not below x."""
    return _call("ceil", x)


def rounds(x: Any) -> bool:
    """Whether x is a float or mpmath's, on which differences of nearly equal numbers lose digits."""
    return isinstance(x, _FLOAT_TYPES) or hasattr(x, "context")


def _call(name: str, *arguments: Any) -> Any:
    """Call the function where the arguments' number system keeps it; all systems use C's names."""
    special = [x for x in arguments if not isinstance(x, _FLOAT_TYPES)]
    if not special:
        try:
            return getattr(math, name)(*arguments)
        except ValueError:  # a domain error, for which C's libm returns NaN
            return math.nan
    if hasattr(special[0], "context"):  # an mpf knows the mpmath context that it was made in
        return getattr(special[0].context, name)(*arguments)
    return getattr(arguments[0], name)(*arguments[1:])
