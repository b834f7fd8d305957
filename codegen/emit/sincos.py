"""The C of the function that computes a sine and a cosine together, as `sines` describes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from codegen.emit.body import Statement
from codegen.emit.c99 import held_literal, literal
from codegen.emit.layout import guard
from codegen.emit.sines import COEFFICIENTS, LARGEST, ULP, pair_name, pair_type
from codegen.ir.systems import F32, PI_60, Precision


def pair_context(precision: Precision, scope: str) -> dict[str, Any]:
    """The values for the template of the function."""
    suffix = "f" if precision is F32 else ""
    least, most = (
        held_literal(COEFFICIENTS[precision].least, precision),
        literal(Fraction(LARGEST), precision),
    )
    name, statements = pair_name(precision, scope), list(_statements(precision))
    return {
        "name": name,
        "guard": guard(name, (s.c for s in statements)),
        "type": pair_type(precision, scope),
        "suffix": suffix,
        "comment": _comment(suffix),
        "size": [Statement(precision.ctype, "size", f"fabs{suffix}(x)")],
        "reduced": f"size >= {least} && size <= {most}",
        "statements": statements,
    }


def _comment(suffix: str) -> str:
    return (
        "The sine and the cosine of x [rad]: |x| = n pi/2 + r, |r| <= pi/4, a polynomial of r for each, and "
        "the addition theorem, as sin(n pi/2) and cos(n pi/2) are 0, 1 or -1. "
        f"Both are within {ULP} units in the last place; under -ffast-math, or where FLT_EVAL_METHOD is not "
        "0, their error is that of a change of x by a unit in its last place. "
        f"Beyond {LARGEST} rad, close to 0 and for NaN, sin{suffix} and cos{suffix} are called."
    )


def _statements(precision: Precision) -> Iterator[Statement]:
    known, real = COEFFICIENTS[precision], precision.ctype
    zero, half, one = (literal(x, precision) for x in (Fraction(0), Fraction(1, 2), Fraction(1)))
    quarter = literal(2 / PI_60, precision)
    first, second, third = (held_literal(part, precision) for part in known.parts)
    sine, cosine = (_polynomial(p, precision) for p in (known.sine, known.cosine))
    yield Statement("int", "n", f"(int)(size * {quarter} + {half})")
    yield Statement(real, "quarters", f"({real})n")
    yield Statement(real, "above", f"size - quarters * {first}")
    yield Statement(real, "below", f"quarters * {second}")
    yield Statement(real, "r", "above - below")
    yield Statement(real, "rest", f"((above - r) - below) - quarters * {third}")
    yield Statement(real, "square", "r * r")
    yield Statement(real, "half", f"{half} * square")
    yield Statement(real, "start", f"{one} - half")
    yield Statement(real, "s", f"r + (r * square * ({sine}) + rest * start)")
    correction = f"square * square * ({cosine}) - r * rest"
    yield Statement(real, "c", f"start + ((({one} - start) - half) + ({correction}))")
    yield from _whole_turns(real, zero)


def _whole_turns(real: str, zero: str) -> Iterator[Statement]:
    """The sine and the cosine of r, turned by n quarter turns, whose own are 0, 1 or -1.

    A processor with a long pipeline would predict every other choice wrongly: products take less than half
    the time.
    """
    yield Statement("int", "odd", "n & 1")
    yield Statement("int", "sign", "1 - (n & 2)")
    yield Statement(real, "sin_n", f"({real})(sign * odd)")
    yield Statement(real, "cos_n", f"({real})(sign - sign * odd)")
    yield Statement("", "angle.sin", f"({real})((x < {zero}) ? -1 : 1) * (cos_n * s + sin_n * c)")
    yield Statement("", "angle.cos", "cos_n * c - sin_n * s")


def _polynomial(coefficients: Sequence[Fraction], precision: Precision) -> str:
    """A polynomial of the square, in Horner's form."""
    text = held_literal(coefficients[-1], precision)
    for coefficient in reversed(coefficients[:-1]):
        text = f"{held_literal(coefficient, precision)} + square * {_grouped(text)}"
    return text


def _grouped(text: str) -> str:
    return f"({text})" if " " in text else text
