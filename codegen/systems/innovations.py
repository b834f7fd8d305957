"""What a filter learns from a measured value: how far it is from the predicted one, perhaps as an angle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.expression import as_expr
from codegen.ir.program import Arg, Program, evaluate, input_scalars, program_of
from codegen.ir.systems import NumberSystem
from codegen.ir.types import REAL, Scalar
from codegen.modeling.types.scalar import wrap


@dataclass(frozen=True)
class Innovation:
    """An innovation: of a difference in formulas, its equation, its meaning, and whether it is an angle."""

    of: Callable[[Scalar], Scalar]
    equation: str
    doc: str
    is_angle: bool = False

    @cached_property
    def _program(self) -> Program:
        given = (Arg("difference", REAL, "", "measured value less the predicted one"),)
        (difference,) = input_scalars(given)
        return program_of(given, (Arg("innovation", REAL, "", self.doc),), [as_expr(self.of(difference))])

    def on(self, system: NumberSystem, difference: Any) -> Any:
        """The innovation of a difference in some number system."""
        return evaluate(self._program, system, [difference]).results[0]

    def check(self, measured: Arg) -> None:
        """FeatherError where the innovation of a result cannot be an angle."""
        if self.is_angle and any(unit.strip() != "rad" for unit in measured.unit.split(";")):
            raise FeatherError(f"{measured.name} is in {measured.unit or 'no unit'}, but an angle is in rad")


DIFFERENCE = Innovation(lambda x: x, "measured - h", "measured value less the predicted one")
ANGLE = Innovation(
    wrap, "wrap(measured - h)", "measured angle less the predicted one, the shorter way round", is_angle=True
)
