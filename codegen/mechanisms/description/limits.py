"""The limits of a robot's joints, in the order of the arguments that they are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from codegen.errors import FeatherError
from codegen.ir.systems import PRECISIONS, brief
from codegen.mechanisms.description.joints import Joint
from codegen.mechanisms.description.written import Number, exact
from codegen.modeling.limits import Limits
from codegen.notation.prose import listed

_Q_MIN, _Q_MAX, _V_MAX, _TAU_MAX = NAMES = ("Q_MIN", "Q_MAX", "V_MAX", "TAU_MAX")

Range = tuple[Fraction, Fraction]
"""The lowest and the highest coordinate of a joint."""

TAKEN = frozenset(f"{name}_{precision}".upper() for name in NAMES for precision in PRECISIONS)
"""The names in C, which no joint can have."""


def limits_of(
    moving: Sequence[Joint], numbered: Sequence[Joint], followers: Sequence[Joint], units: Mapping[str, str]
) -> Mapping[str, Limits]:
    """The limits by name; a name of which the description states none is left out.

    `moving` are the joints with places in v and tau, `numbered` those with places in q, `followers` those
    that follow them, whose limits of positions and velocities are met, too. `units` are those of these
    arguments. FeatherError when no position meets all limits.
    """
    ends = [range_of(j, followers) or (None, None) for j in numbered]
    lowest, highest = (_of_places(numbered, side) for side in zip(*ends, strict=True)) if ends else ((), ())
    speeds = _of_places(moving, [speed_of(j, followers) for j in moving])
    efforts = _of_places(moving, [j.effort for j in moving])
    placed, fast, strong = (
        [f.name for f in followers if getattr(f, what) is not None]
        for what in ("limits", "velocity", "effort")
    )
    found = {
        _Q_MIN: Limits(f"the lowest positions, q{_also(placed)}", units.get("q", ""), lowest, above=False),
        _Q_MAX: Limits(f"the highest positions, q{_also(placed)}", units.get("q", ""), highest),
        _V_MAX: Limits(f"the largest magnitudes of velocities, v{_also(fast)}", units["v"], speeds),
        _TAU_MAX: Limits(
            f"the largest magnitudes of joint forces, tau{_without(strong)}", units["tau"], efforts
        ),
    }
    return {name: limits for name, limits in found.items() if any(x is not None for x in limits.values)}


def range_of(joint: Joint, followers: Iterable[Joint]) -> Range | None:
    """The coordinates at which a joint, and those that follow it, are within their limits; None for all.

    FeatherError when there is none.
    """
    found = None if joint.limits is None else exact_range(joint)
    for follower in followers:
        if follower.mimic == joint.name and follower.limits is not None:
            found = _narrowed(found, follower)
    return found


def exact_range(joint: Joint) -> Range:
    """The limits that a joint states, of which there are some."""
    assert joint.limits is not None
    low, high = map(exact, joint.limits)
    return low, high


def _narrowed(found: Range | None, follower: Joint) -> Range | None:
    """The coordinates, among those found, at which a joint that follows another is within its limits."""
    ratio, offset = exact(follower.multiplier), exact(follower.offset)
    low, high = exact_range(follower)
    if ratio:
        ends = sorted(((low - offset) / ratio, (high - offset) / ratio))
        found = (ends[0], ends[1]) if found is None else (max(found[0], ends[0]), min(found[1], ends[1]))
    if (found is not None and found[0] > found[1]) or not (ratio or low <= offset <= high):
        raise FeatherError(
            f"joint {follower.name} follows {follower.mimic} times {brief(ratio)} with the offset "
            f"{brief(offset)}, but no position of {follower.mimic} within its limits keeps it within its "
            f"own, {brief(low)} to {brief(high)}: mend limits, multiplier or offset in the description"
        )
    return found


def speed_of(joint: Joint, followers: Iterable[Joint]) -> Fraction | None:
    """The largest velocity at which a joint, and those that follow it, are within their limits."""
    own = [] if joint.velocity is None else [exact(joint.velocity)]
    those = [
        exact(f.velocity) / abs(exact(f.multiplier))
        for f in followers
        if f.mimic == joint.name and f.velocity is not None and exact(f.multiplier)
    ]
    return min(own + those, default=None)


def _of_places(joints: Sequence[Joint], limits: Iterable[Number | None]) -> tuple[Fraction | None, ...]:
    """The limit at each place of some joints, of those of the joints."""
    return tuple(
        None if limit is None else exact(limit)
        for joint, limit in zip(joints, limits, strict=True)
        for _ in range(joint.freedoms)
    )


def _also(followers: Sequence[str]) -> str:
    """What the meaning of limits says of followers whose own limits are met by them."""
    return f", at which {listed(followers)} {_is(followers)} within limits, too" if followers else ""


def _without(followers: Sequence[str]) -> str:
    """What the meaning of limits says of followers whose own limits are not in them."""
    return f", without the limits of {listed(followers)}" if followers else ""


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"
