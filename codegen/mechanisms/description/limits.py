"""The limits of a robot's joints, in the order of the arguments that they are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from codegen.ir.systems import PRECISIONS
from codegen.mechanisms.description.joints import Joint
from codegen.mechanisms.description.written import Number, exact
from codegen.modeling.limits import Limits

_Q_MIN, _Q_MAX, _V_MAX, _TAU_MAX = NAMES = ("Q_MIN", "Q_MAX", "V_MAX", "TAU_MAX")

TAKEN = frozenset(f"{name}_{precision}".upper() for name in NAMES for precision in PRECISIONS)
"""The names in C, which no joint can have."""


def limits_of(
    moving: Sequence[Joint], numbered: Sequence[Joint], units: Mapping[str, str]
) -> Mapping[str, Limits]:
    """The limits by name; a name of which the description states none is left out.

    `moving` are the joints with places in v and tau, `numbered` those with places in q. `units` are those of
    these arguments.
    """
    ends = [j.limits or (None, None) for j in numbered]
    lowest, highest = (_of_places(numbered, side) for side in zip(*ends, strict=True)) if ends else ((), ())
    speeds, efforts = (_of_places(moving, [getattr(j, n) for j in moving]) for n in ("velocity", "effort"))
    found = {
        _Q_MIN: Limits("the lowest positions, q", units.get("q", ""), lowest, above=False),
        _Q_MAX: Limits("the highest positions, q", units.get("q", ""), highest),
        _V_MAX: Limits("the largest magnitudes of velocities, v", units["v"], speeds),
        _TAU_MAX: Limits("the largest magnitudes of joint forces, tau", units["tau"], efforts),
    }
    return {name: limits for name, limits in found.items() if any(x is not None for x in limits.values)}


def _of_places(joints: Sequence[Joint], limits: Iterable[Number | None]) -> tuple[Fraction | None, ...]:
    """The limit at each place of some joints, of those of the joints."""
    return tuple(
        None if limit is None else exact(limit)
        for joint, limit in zip(joints, limits, strict=True)
        for _ in range(joint.freedoms)
    )
