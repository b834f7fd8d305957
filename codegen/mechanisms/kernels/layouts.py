"""The layouts that a function of a robot can have, which of them it is to have, and what they take."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from codegen.errors import FeatherError
from codegen.ir.loops import Looped
from codegen.mechanisms.recursions.limb_accelerations import accelerations_in_loops
from codegen.mechanisms.recursions.limb_forces import forces_in_loops
from codegen.mechanisms.recursions.limb_masses import masses_in_loops
from codegen.mechanisms.recursions.limb_parts import Split
from codegen.mechanisms.recursions.limb_slopes import slopes_in_loops

AUTO, STRAIGHT, LIMBS = "auto", "straight", "limbs"

LAYOUTS = (AUTO, STRAIGHT, LIMBS)
"""The better of both, straight lines, or a loop over limbs that are alike."""

_CHOICES = " or ".join((", ".join(LAYOUTS[:-1]), LAYOUTS[-1]))

IN_LOOPS: Mapping[str, Callable[[Split], Looped]] = {
    **dict.fromkeys(("rnea", "bias_forces", "gravity_forces"), forces_in_loops),
    "crba": masses_in_loops,
    "forward_dynamics": accelerations_in_loops,
    "rnea_derivatives": slopes_in_loops,
}
"""The functions that can have loops over limbs, and what makes them."""

_MOST = 1.05
"""The operations that loops may take, relative to straight lines, as they have fewer loads and stores."""

_SMALLER = 0.9
"""The flash that loops may take, relative to straight lines, as it is an estimate."""


@dataclass(frozen=True)
class Layouts:
    """The layout that each function is to have: that under its name, else `others`."""

    others: str
    own: Mapping[str, str]

    @classmethod
    def of(cls, text: str) -> Layouts:
        """Those of a text such as `auto` or `straight,rnea=limbs`; FeatherError where it names no layout."""
        others, own = list[str](), dict[str, str]()
        for word in (word.strip() for word in text.split(",")):
            function, equals, layout = word.rpartition("=")
            if layout not in LAYOUTS:
                raise FeatherError(f"there is no layout {layout!r} of functions; choose {_CHOICES}")
            if not equals:
                others.append(layout)
            elif own.setdefault(function, layout) != layout:
                raise FeatherError(f"{function} has two layouts, {own[function]} and {layout}: choose one")
        if len(others) > 1:
            raise FeatherError(f"the layouts {' and '.join(others)} are both for all functions: choose one")
        return cls(others[0] if others else AUTO, own)

    def check(self, functions: Collection[str]) -> None:
        """FeatherError where a function has a layout of its own that it cannot have, or is not wanted."""
        for function, layout in self.own.items():
            if function not in functions:
                raise FeatherError(
                    f"there is a layout for {function}, which is not among the functions that are generated"
                )
            if layout == LIMBS and function not in IN_LOOPS:
                raise FeatherError(
                    f"{function} has straight lines only: choose the layout limbs for {', '.join(IN_LOOPS)}"
                )

    def named(self, function: str) -> str:
        """The layout that a function is to have."""
        return self.own.get(function, self.others)

    def ask_for_limbs(self, functions: Iterable[str]) -> bool:
        """Whether one of these functions has to have loops over limbs."""
        return any(self.named(f) == LIMBS for f in functions if f in IN_LOOPS)


ALL_STRAIGHT = Layouts(STRAIGHT, {})


def recorded_layout(in_loops: Sequence[str]) -> str:
    """The layouts as text where these functions have loops; empty where none has."""
    return ",".join([STRAIGHT, *(f"{function}={LIMBS}" for function in in_loops)]) if in_loops else ""


class Size(NamedTuple):
    """What a form of a function takes: the price of its operations, and about how many bytes of flash."""

    work: float
    flash: float


@dataclass(frozen=True)
class Choice:
    """A function with loops over limbs that are alike beside its straight lines, both before the search.

    Where loops have too many operations for a proof, they are not chosen.
    """

    straight: Size
    loops: Size
    provable: bool = True

    @property
    def operations(self) -> float:
        """The operations of the loops, relative to straight lines."""
        return self.loops.work / self.straight.work

    @property
    def pays(self) -> bool:
        """Whether the loops are generated where nobody says otherwise."""
        smaller = self.loops.flash <= _SMALLER * self.straight.flash
        return self.provable and smaller and self.operations <= _MOST

    def told(self, looped: bool) -> str:
        """The layout, and why: what it takes, and what the other one would."""
        own, other = (self.loops, self.straight) if looped else (self.straight, self.loops)
        size = f"about {_kilobytes(own.flash)} of flash on a Cortex-M4F in float"
        share = f"before the search {_percent(self.operations)} of the operations"
        if looped:
            takes = f"{size} instead of {_kilobytes(other.flash)}, and {share} of straight lines"
            return f"a loop over limbs that are alike: {takes}"
        why = "" if self.provable else ", too many to be proven"
        takes = f"{_kilobytes(other.flash)} and {share}{why}"
        return f"straight lines: {size}, where a loop over limbs that are alike takes {takes}"


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"


def _kilobytes(flash: float) -> str:
    return f"{flash / 1000:.1f} kB"
