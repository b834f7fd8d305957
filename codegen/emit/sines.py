"""Sines and cosines in pairs: which angles need both, and the constants of the function that computes them.

|x| = n pi/2 + r, with n the nearest integer and pi/2 in three parts, of which n times the first two is exact
(Cody, Waite: Software Manual for the Elementary Functions, 1980). With r + e, where e is the round-off of r:

    sin(r + e) = r + r^3 P(r^2) + e (1 - r^2/2),    cos(r + e) = 1 - r^2/2 + r^4 Q(r^2) - r e

P and Q are the polynomials of the least relative error for |r| <= pi/4, with coefficients that the precision
holds. Beyond LARGEST, and where x is so small that sin x rounds to x, the functions of <math.h> are called.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from codegen.emit.body import Body, Pair
from codegen.ir.operations import Op
from codegen.ir.program import Program
from codegen.ir.systems import F32, F64, Precision

LARGEST = 100
"""The largest angle that is reduced here, in rad: up to it, n times a part of pi/2 is exact."""

ULP = 0.8
"""The largest error, in units in the last place: of all floats up to LARGEST, and of samples in double."""


class Coefficients(NamedTuple):
    """The constants of the function in a precision.

    `least` is the smallest angle that is not passed on; `parts` are those of pi/2, `sine` and `cosine` the
    coefficients of P and Q, by rising powers.
    """

    least: Fraction
    parts: tuple[Fraction, ...]
    sine: tuple[Fraction, ...]
    cosine: tuple[Fraction, ...]


def _held(*numbers: str) -> tuple[Fraction, ...]:
    return tuple(Fraction(float.fromhex(number)) for number in numbers)


COEFFICIENTS: Mapping[Precision, Coefficients] = {
    F32: Coefficients(
        Fraction(1, 2**12),
        _held("0x1.921fp+0", "0x1.6a88p-17", "0x1.0b4610p-34"),
        _held("-0x1.555546p-3", "0x1.110778p-7", "-0x1.995406p-13"),
        _held("0x1.55554ap-5", "-0x1.6c0c2cp-10", "0x1.99e9eep-16"),
    ),
    F64: Coefficients(
        Fraction(1, 2**27),
        _held("0x1.921fb54442d00p+0", "0x1.8469898cc5100p-48", "0x1.c06e0e6894812p-94"),
        _held(
            "-0x1.5555555555548p-3",
            "0x1.111111110f764p-7",
            "-0x1.a01a019bf35d6p-13",
            "0x1.71de35603c726p-19",
            "-0x1.ae5e5576529e2p-26",
            "0x1.5d8e839439381p-33",
        ),
        _held(
            "0x1.555555555554bp-5",
            "-0x1.6c16c16c15015p-10",
            "0x1.a01a019c8f252p-16",
            "-0x1.27e4f7f1911f9p-22",
            "0x1.1ee9dbced9d6bp-29",
            "-0x1.8fa6847537ffap-37",
        ),
    ),
}


def angles(program: Program) -> dict[int, list[int]]:
    """The nodes of which both the sine and the cosine are computed, each with the nodes of these."""
    found = dict[int, list[int]]()
    for i, node in enumerate(program.nodes):
        if node.op in (Op.SIN, Op.COS):
            found.setdefault(node.args[0], []).append(i)
    return {angle: both for angle, both in found.items() if len({program.nodes[i].op for i in both}) == 2}


def pair_type(precision: Precision, scope: str) -> str:
    """The C name of the type that holds a sine and a cosine."""
    return f"{scope}angle_{precision.name}"


def pair_name(precision: Precision, scope: str) -> str:
    """The C name of the function that computes a sine and a cosine."""
    return f"{scope}sincos_{precision.name}"


def pairs_in(body: Body) -> int:
    """How many sines and cosines a function computes together, in all turns of its loops."""
    return sum(1 + len(s.again) for s in body.statements if isinstance(s, Pair))
