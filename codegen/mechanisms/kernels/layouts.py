"""The layouts that functions of a robot can have, and which of them each is to have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from codegen.errors import FeatherError

AUTO, STRAIGHT, LIMBS, JOINTS = "auto", "straight", "limbs", "joints"

LAYOUTS = (AUTO, STRAIGHT, LIMBS, JOINTS)
"""What featherc chooses, straight lines, a loop over limbs that are alike, or loops over joints in a row."""

_CHOICES = " or ".join((", ".join(LAYOUTS[:-1]), LAYOUTS[-1]))

IN_LOOPS: Mapping[str, Collection[str]] = {
    LIMBS: ("rnea", "bias_forces", "gravity_forces", "crba", "forward_dynamics", "rnea_derivatives"),
    JOINTS: ("rnea", "bias_forces", "gravity_forces", "crba", "forward_dynamics", "rnea_derivatives"),
}
"""The functions that can have each of the layouts with loops."""


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
                    f"there is a layout for {function}, which is not among the functions that are generated: "
                    f"leave it out, or choose it for {', '.join(functions)}"
                )
            known = IN_LOOPS.get(layout, functions)
            if function not in known:
                raise FeatherError(
                    f"{function} cannot have the layout {layout}: choose it for {', '.join(known)}"
                )

    def named(self, function: str) -> str:
        """The layout that a function is to have."""
        return self.own.get(function, self.others)

    def ask_for(self, layout: str, functions: Iterable[str]) -> bool:
        """Whether one of these functions has to have this layout, which has loops."""
        return any(self.named(f) == layout for f in functions if f in IN_LOOPS[layout])


ALL_STRAIGHT = Layouts(STRAIGHT, {})


def recorded_layout(in_loops: Mapping[str, str]) -> str:
    """The layouts as text where these functions have one with loops; empty where none has."""
    own = (f"{function}={layout}" for function, layout in in_loops.items())
    return ",".join([STRAIGHT, *own]) if in_loops else ""
