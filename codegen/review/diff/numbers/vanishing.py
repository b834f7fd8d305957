"""Inputs near which the old version's results or operands vanish: there, another form may lose all digits.

The root of (x - k)^2 is exact near x = k, where x^2 - 2 k x + k^2 has no digits. What vanishes is searched on
each way to it, also where scalars depend on each other: two unit quaternions that are nearly equal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from codegen.review.diff.numbers.arithmetic import Points
from codegen.review.diff.numbers.conditions import around, ways_to
from codegen.review.diff.numbers.ends import End, chosen_from
from codegen.review.diff.numbers.points import Sampler
from codegen.review.diff.numbers.versions import Versions, numbered

_SEARCHES, _WORK = 8, 6_000
"""Limits on the searches, and on these times the operations of a function; there are two at least."""


def near_zeros(versions: Versions, ends: Sequence[End], sampler: Sampler, points: Points) -> Points:
    """Points near those at which results of the old version alone vanish, or operands at ends of domains."""
    old, new = numbered(versions)
    vanishing = {leaf: None for r in versions.old.program.results for leaf in chosen_from(versions.old, r)}
    vanishing |= {operand: None for operand, end in ends if end == 0}
    ways = ways_to(versions.old)
    searches = [(way, t) for t in vanishing if old[t] not in {*new} for way in ways.get(t, ())]
    most = max(2, min(_SEARCHES, _WORK // len(versions.old.program.nodes)))
    found = [around(versions.old, [*way, (t, 0.0)], sampler, points) for way, t in searches[:most]]
    return np.hstack([points[:, :0], *found])
