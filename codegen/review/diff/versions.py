"""Two versions of one function, and where their values differ for sure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from codegen.ir.operations import LIBM
from codegen.ir.program import Arg
from codegen.review.diff.arithmetic import Points, differ, run
from codegen.review.diff.reading import Reading


class Versions(NamedTuple):
    """Two readings of one function, and the constraint set of their inputs."""

    old: Reading
    new: Reading
    inputs: Sequence[Arg]


def surely(versions: Versions, points: Points, different: Any) -> Any:
    """The points where both differ for any last place of the libm results."""
    if not any(n.op in LIBM for r in (versions.old, versions.new) for n in r.program.nodes):
        return different
    for shift in (-1, 1):
        different = different & differ(run(versions.old, points, shift), run(versions.new, points, shift))
    return different
