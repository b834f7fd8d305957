"""Lengths and products of inertia that are residues of rounding in the program that wrote a description.

Such numbers, as 2.7e-51 m, cost operations, and their products vanish in single precision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from codegen.mechanisms.description.joints import Joint
from codegen.mechanisms.description.mechanism import Body, Mechanism, some
from codegen.mechanisms.description.written import exact

_ROUNDING = Fraction(1, 2**53)
"""A double holds a number up to this part of it."""


def tidied(mechanism: Mechanism) -> Mechanism:
    """The mechanism with zero for what is lost when a double holds the numbers beside it.

    These are the coordinates of a joint or a centre of mass that are at most 2^-53 times the longest on the
    bodies that move, and products of inertia that are at most 2^-53 times both moments of inertia of their
    axes. The definition and the recursions both take these numbers.
    """
    least = _ROUNDING * _longest(mechanism)
    return replace(
        mechanism,
        joints=tuple(replace(j, xyz=_cut(j.xyz, least)) for j in mechanism.joints),
        bodies=tuple(
            replace(b, centre=_cut(b.centre, least), inertia=_cut_products(b)) for b in mechanism.bodies
        ),
    )


def dropped(mechanism: Mechanism) -> Iterator[str]:
    """One line for each kind of number that `tidied` takes for zero."""
    tidy = tidied(mechanism)
    lengths = [
        *_changed("joint", "xyz", mechanism.joints, tidy.joints),
        *_changed("link", "centre", mechanism.bodies, tidy.bodies),
    ]
    if lengths:
        size = float(_longest(mechanism))
        yield _told(lengths, f"less than the rounding of a double at {size:.3g} m, the longest length", "m")
    products = [*_changed("link", "inertia", mechanism.bodies, tidy.bodies)]
    if products:
        yield _told(products, "less than the rounding of the moments of inertia beside them", "kg m^2")


def _told(found: Sequence[tuple[str, Fraction]], why: str, unit: str) -> str:
    names = list(dict.fromkeys(name for name, _ in found))
    most = float(max(abs(x) for _, x in found))
    count = "1 number is" if len(found) == 1 else f"{len(found)} numbers are"
    return f"{count} taken for zero, at most {most:.2g} {unit}, {why}: {some(names)}"


def _changed(
    what: str, field: str, before: Sequence[Joint | Body], after: Sequence[Joint | Body]
) -> Iterator[tuple[str, Fraction]]:
    """The numbers of a field that are zero now, each with what it belongs to."""
    for old, new in zip(before, after, strict=True):
        for x, y in zip(getattr(old, field), getattr(new, field), strict=True):
            if x != y:
                yield f"{what} {old.name}", exact(x)


def _longest(mechanism: Mechanism) -> Fraction:
    """The longest coordinate of a joint or a centre of mass in the frame of a body that moves."""
    still = mechanism.still
    places = [j.xyz for j in mechanism.joints if j.parent not in still]
    places += [b.centre for b in mechanism.bodies if b.name not in still]
    return max((abs(exact(x)) for place in places for x in place), default=Fraction(0))


def _cut(place: Sequence[object], least: Fraction) -> tuple[Fraction, ...]:
    numbers = (exact(x) for x in place)  # type: ignore[arg-type]
    return tuple(Fraction(0) if abs(x) <= least else x for x in numbers)


def _cut_products(body: Body) -> tuple[Fraction, ...]:
    xx, xy, xz, yy, yz, zz = body.J

    def felt(x: Fraction, a: Fraction, b: Fraction) -> Fraction:
        return Fraction(0) if abs(x) <= _ROUNDING * min(abs(a), abs(b)) else x

    return xx, felt(xy, xx, yy), felt(xz, xx, zz), yy, felt(yz, yy, zz), zz
