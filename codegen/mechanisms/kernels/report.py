"""What the reader of a robot should know of it: what was merged, snapped, left out, or is impossible."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from codegen.ir.systems import brief
from codegen.mechanisms.description.exact import Angles
from codegen.mechanisms.description.limits import exact_range, range_of, speed_of
from codegen.mechanisms.description.mechanism import Mechanism, some
from codegen.mechanisms.description.negligible import dropped
from codegen.mechanisms.description.written import exact
from codegen.mechanisms.trees.tree import tree_of


def remarks(mechanism: Mechanism, snap: Fraction) -> Iterator[str]:
    """One line for each remark."""
    angles = Angles(snap)
    tree_of(mechanism, angles)
    fixed = sum(not j.moves for j in mechanism.joints)
    if fixed:
        yield (
            "1 link on a fixed joint is merged with the link that carries it"
            if fixed == 1
            else f"{fixed} links on fixed joints are merged with the links that carry them"
        )
    if angles.snapped:
        taken = (
            "1 angle is taken for a multiple"
            if angles.snapped == 1
            else f"{angles.snapped} angles are taken for multiples"
        )
        furthest = f"at most {float(angles.furthest):.1g} rad (--snap 0 keeps it)"
        yield f"{taken} of 90 degrees, with a difference of {furthest}"
    yield from dropped(mechanism)
    for what in ("velocity", "effort"):
        still = [j.name for j in mechanism.moving if getattr(j, what) == 0]
        if still:
            yield f"the largest {what} of joint {some(still)} is 0, as the description states"
    yield from _narrowed(mechanism)
    yield from mechanism.notes


def _narrowed(mechanism: Mechanism) -> Iterator[str]:
    """The joints whose limits are wider than those of joints that follow them allow."""
    for joint in mechanism.moving:
        own = [f for f in mechanism.followers if f.mimic == joint.name]
        because = f"as the limits of {some([f.name for f in own])}, which follows it, allow" if own else ""
        ends, speed = range_of(joint, own), speed_of(joint, own)
        if ends is not None and (joint.limits is None or ends != exact_range(joint)):
            yield f"joint {joint.name} moves from {brief(ends[0])} to {brief(ends[1])} only, {because}"
        if speed is not None and (joint.velocity is None or speed != exact(joint.velocity)):
            yield f"the largest velocity of joint {joint.name} is {brief(speed)}, {because}"
