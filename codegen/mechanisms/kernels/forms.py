"""The forms that a function of a robot can have, one a layout, and what they take before the search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from codegen.ir.loops import MOST_OPERATIONS, Looped
from codegen.ir.program import Program
from codegen.mechanisms.kernels.layouts import JOINTS, LIMBS, STRAIGHT
from codegen.passes import nearly_simplified
from codegen.passes.flash import flash, flash_of_loops
from codegen.passes.parts import in_parts
from codegen.passes.search.search import price

CALLED = {
    STRAIGHT: "straight lines",
    LIMBS: "a loop over limbs that are alike",
    JOINTS: "loops over joints in a row",
}
"""The layouts in words."""

_MOST = 1.05
"""The operations that loops may take, relative to straight lines, as they have fewer loads and stores."""

_SMALLER = 0.9
"""The flash that loops may take, relative to straight lines, as it is an estimate."""


class Size(NamedTuple):
    """What a form of a function takes: the price of its operations, and about how many bytes of flash."""

    work: float
    flash: float


@dataclass(frozen=True)
class Form:
    """A function in a layout; `looped` is its form with loops, where it has any.

    `count` are the operations in all their turns, nearly simplified.
    """

    layout: str
    size: Size
    looped: Looped | None = None
    count: int = 0

    @classmethod
    def straight(cls, program: Program) -> Form:
        """The form in straight lines."""
        near = nearly_simplified(program)
        return cls(STRAIGHT, Size(price(near).work, flash(near)))

    @classmethod
    def with_loops(cls, layout: str, looped: Looped) -> Form:
        """A form with loops."""
        near = in_parts(looped, nearly_simplified)
        works = (price(part.program).work * len(part.all_turns) for part in near.parts)
        return cls(layout, Size(sum(works), flash_of_loops(near)), looped, near.count)

    @property
    def provable(self) -> bool:
        """Whether a proof can follow all its turns."""
        return self.count <= MOST_OPERATIONS


@dataclass(frozen=True)
class Forms:
    """A function in straight lines, and its forms with loops."""

    straight: Form
    loops: Sequence[Form] = ()

    @property
    def fastest(self) -> Form:
        """The form that is generated where nobody says otherwise.

        Loops are taken where they are smaller and have hardly more operations. Where they have too many for a
        proof, they are not chosen.
        """
        paying = (form for form in self.loops if form.provable and self._pays(form))
        return min(paying, key=lambda form: form.size.work, default=self.straight)

    @property
    def choices(self) -> Sequence[Form]:
        """The forms between which a limit of flash decides, the fastest first."""
        first = self.fastest
        return [first, *(x for x in (self.straight, *self.loops) if x is not first and x.provable)]

    def _pays(self, form: Form) -> bool:
        smaller = form.size.flash <= _SMALLER * self.straight.size.flash
        return smaller and self.operations(form) <= _MOST

    def operations(self, form: Form) -> float:
        """The operations of a form, relative to straight lines."""
        return form.size.work / self.straight.size.work if self.straight.size.work else 1.0

    def told(self, form: Form) -> str:
        """The layout of a form, and why: what it takes, and what the others would."""
        size = f"{CALLED[form.layout]}: about {kilobytes(form.size.flash)} of flash on a Cortex-M4F in float"
        if form.layout != STRAIGHT:
            straight = kilobytes(self.straight.size.flash)
            return f"{size} instead of {straight}, and {self._share(form)} of straight lines"
        return f"{size}{self._beside(self.loops)}"

    def _beside(self, loops: Iterable[Form]) -> str:
        """What loops would take."""
        others = (
            f"{CALLED[form.layout]} would take {kilobytes(form.size.flash)} and {self._share(form)}"
            f"{'' if form.provable else ', too many to be proven'}"
            for form in loops
        )
        text = ", and ".join(others)
        return f", where {text}" if text else ""

    def _share(self, form: Form) -> str:
        return f"before the search {self.operations(form) * 100:.0f} % of the operations"


def kilobytes(flash: float) -> str:
    """Bytes in words."""
    return f"{flash / 1000:.1f} kB"
