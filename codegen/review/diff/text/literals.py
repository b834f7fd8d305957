"""Floating-point literals of C."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction

from codegen.review.diff.reading import INFINITE, Held

_LITERAL = re.compile(r"(\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE]([+-]?\d{1,3}))?([fF]?)", re.ASCII)
_HEXADECIMAL = re.compile(r"0[xX]([\da-fA-F]*)\.?([\da-fA-F]*)[pP]([+-]?\d{1,4})([fF]?)", re.ASCII)
_LONGEST = 400


def exact_literal(text: str) -> tuple[Fraction | None, bool]:
    """The number that a floating-point literal stands for, and whether it is a float; None for others."""
    if len(text) >= _LONGEST:
        return None, False
    if found := _LITERAL.fullmatch(text):
        return Fraction(found[1]) * Fraction(10) ** int(found[2] or 0), bool(found[3])
    found = _HEXADECIMAL.fullmatch(text)
    if found is None or not found[1] + found[2]:
        return None, False
    digits = Fraction(int(found[1] + found[2], 16), 16 ** len(found[2]))
    return digits * Fraction(2) ** int(found[3]), bool(found[4])


_LIMITS = {
    f"{prefix}_{name}": (held.precision.named(of), held)
    for prefix, held in (("FLT", Held.FLOAT), ("DBL", Held.DOUBLE))
    for name, of in (("MAX", "max"), ("MIN", "min"), ("EPSILON", "eps"))
}
_INFINITIES = {"INFINITY": Held.FLOAT, "HUGE_VALF": Held.FLOAT, "HUGE_VAL": Held.DOUBLE}


def limit(name: str) -> tuple[Fraction, Held] | None:
    """The value and type of a macro of <float.h> or <math.h> in IEEE arithmetic; None for other names."""
    return (INFINITE, _INFINITIES[name]) if name in _INFINITIES else _LIMITS.get(name)


_MATHEMATICAL = {
    "M_PI": math.pi, "M_PI_2": math.pi / 2, "M_PI_4": math.pi / 4, "M_1_PI": 1 / math.pi, "M_E": math.e,
    "M_SQRT2": math.sqrt(2.0), "M_SQRT1_2": math.sqrt(0.5), "M_LN2": math.log(2.0),
}  # fmt: skip
"""The numbers that <math.h> of POSIX defines, and that of ISO C does not, rounded to double."""


def is_mathematical(name: str, body: Sequence[str]) -> bool:
    """Whether a macro is a number of <math.h>, and stands for just that double, in brackets or not."""
    words = body[1:-1] if len(body) == 3 and (body[0], body[2]) == ("(", ")") else body
    exact, is_float = exact_literal(words[0]) if len(words) == 1 else (None, False)
    known = _MATHEMATICAL.get(name)
    is_small = exact is not None and not is_float and 0 < exact < 10
    return known is not None and is_small and float(exact or 0) == known
