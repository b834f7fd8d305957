"""The kernels of a robot in the layouts that are chosen for them: straight lines, or loops."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from codegen.errors import FeatherError, naming
from codegen.ir.loops import MOST_OPERATIONS
from codegen.mechanisms.kernels.budget import within
from codegen.mechanisms.kernels.forms import Form, Forms, kilobytes
from codegen.mechanisms.kernels.joints import LoopsOverJoints
from codegen.mechanisms.kernels.layouts import AUTO, IN_LOOPS, LIMBS, STRAIGHT, Layouts
from codegen.mechanisms.kernels.limbs import LoopsOverLimbs
from codegen.mechanisms.kernels.robot import Robot
from codegen.modeling.kernel import Kernel


class LaidOut(NamedTuple):
    """Kernels in their layouts, the layouts with loops by function, and what to know of the choice."""

    kernels: list[Kernel]
    in_loops: Mapping[str, str]
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class LayingOut:
    """The functions of one robot, the layouts that are wished for, and the bytes of flash that there are."""

    robot: Robot
    layouts: Layouts
    limit: int | None = None

    @cached_property
    def _makers(self) -> Sequence[LoopsOverLimbs | LoopsOverJoints]:
        return LoopsOverLimbs(self.robot), LoopsOverJoints(self.robot)

    def check(self, functions: Collection[str]) -> None:
        """FeatherError where a function cannot have its layout."""
        self.layouts.check(functions)
        for maker in self._makers:
            if self.layouts.ask_for(maker.layout, functions) and not maker.said:
                name = self.robot.mechanism.name
                raise FeatherError(f"{name} has {maker.missing}: leave out the layout {maker.layout}")

    def laid_out(self, made: Sequence[tuple[str, Kernel]]) -> LaidOut:
        """Kernels of functions in their layouts; their comments and notes say which, and why."""
        forms = {k.name: of for function, k in made if (of := self._forms(function, k)) is not None}
        choices = {k.name: self._choices(f, forms[k.name]) for f, k in made if k.name in forms}
        chosen = {name: own[0] for name, own in choices.items()}
        if self.limit is not None:
            with naming("--flash"):
                chosen = within(self.limit, choices)
        kernels = [_laid_out(k, forms[k.name], chosen[k.name]) if k.name in chosen else k for _, k in made]
        layouts = {function: chosen[k.name].layout for function, k in made if k.name in chosen}
        in_loops = {function: layout for function, layout in layouts.items() if layout != STRAIGHT}
        remarks = self._remarks([function for function, _ in made], chosen)
        return LaidOut(kernels, in_loops, tuple(remarks))

    def _forms(self, function: str, kernel: Kernel) -> Forms | None:
        """The forms that a function may get; None where there is nothing to choose and nothing to add up."""
        offered = [maker for maker in self._makers if self._offers(maker.layout, function) and maker.said]
        if not offered and self.limit is None:
            return None
        loops = [maker.form(function, kernel) for maker in offered]
        return Forms(Form.straight(kernel.program(False)), loops)

    def _offers(self, layout: str, function: str) -> bool:
        """Whether a function may get this layout with loops."""
        return function in IN_LOOPS[layout] and self._allows(layout, function)

    def _allows(self, layout: str, function: str) -> bool:
        """Whether the wish for a function allows this layout with loops.

        Loops over joints have more operations than straight lines, so only little flash asks for them.
        """
        wish = self.layouts.named(function)
        return wish == layout or (wish == AUTO and (layout == LIMBS or self.limit is not None))

    def _choices(self, function: str, of: Forms) -> Sequence[Form]:
        """The forms that a function may get, the best first; FeatherError where a proof cannot follow it."""
        if self.layouts.named(function) == AUTO:
            return of.choices
        for form in of.loops:
            if not form.provable:
                name, count = self.robot.mechanism.name, form.count
                raise FeatherError(
                    f"{name}: the loops of {function} have {count} operations in all turns, but at most "
                    f"{MOST_OPERATIONS} can be proven: choose {function}={STRAIGHT}"
                )
        return of.loops or [of.straight]

    def _remarks(self, functions: Sequence[str], chosen: Mapping[str, Form]) -> Iterator[str]:
        """Which limbs are alike, which joints in a row, what has straight lines only, and the flash."""
        offered = [m for m in self._makers if any(self._allows(m.layout, f) for f in functions)]
        found = [maker.said for maker in offered if maker.said]
        yield from found
        if offered and not found:
            yield f"{' and '.join(maker.missing for maker in offered)}: all functions are straight lines"
        others = [f for f in functions if not any(f in known for known in IN_LOOPS.values())]
        if found and others:
            yield f"{', '.join(dict.fromkeys(others))}: straight lines, their only layout"
        if self.limit is not None:
            flash = kilobytes(sum(form.size.flash for form in chosen.values()))
            yield f"the functions take about {flash} of flash on a Cortex-M4F in float"


def _laid_out(kernel: Kernel, of: Forms, form: Form) -> Kernel:
    """A kernel in a form that is chosen."""
    told, looped = of.told(form), form.looped
    if looped is None:
        return replace(kernel, notes=(told,))
    details = f"{kernel.details}\n\nLayout: {told}."
    return replace(kernel, notes=(told,), details=details, looped=lambda checks: looped)
