"""Floating-point literals of C."""

from __future__ import annotations

import re
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
