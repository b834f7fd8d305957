"""Whether a loop over limbs that are alike pays: it is less code, and its operations are hardly more."""

from __future__ import annotations

from dataclasses import dataclass

IN_LOOPS = frozenset({"rnea", "bias_forces", "gravity_forces"})
"""The functions that can have a loop over limbs."""

_MOST = 1.05
"""The operations that a loop may take, relative to straight lines, as it has fewer loads and stores."""


@dataclass(frozen=True)
class LimbChoice:
    """Inverse dynamics with a loop over limbs that are alike, relative to straight lines, before the search.

    `limbs` are the first bodies of the limbs. `operations` are those of all turns; `code` has those of one
    turn, and the numbers of the table.
    """

    limbs: tuple[str, ...]
    operations: float
    code: float

    @property
    def pays(self) -> bool:
        """Whether the loop is generated where nobody says otherwise."""
        return self.operations <= _MOST and self.code < 1

    def __str__(self) -> str:
        alike = f"the limbs that begin with {', '.join(self.limbs)} are alike"
        takes = f"about {self.code:.0%} of the code and {self.operations:.0%} of the operations"
        if self.pays:
            return f"{alike}: inverse dynamics is a loop, {takes} of straight lines (--no-limbs)"
        return f"{alike}: inverse dynamics is straight lines, as a loop would take {takes} (--limbs)"
