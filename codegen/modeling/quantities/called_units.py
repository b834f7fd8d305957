"""The units of what a kernel is called with and of what it returns.

They are known where the formula that calls it is evaluated on units instead of numbers
(`codegen.frontends.dimensions`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.types import scalars_of, value_of
from codegen.modeling.quantities.units import scalar_units


@dataclass(frozen=True)
class CalledUnits:
    """Whether all units are known to be those that a kernel declares for its arguments, and which is not.

    A product, such as that of an inertia with an acceleration in place of a velocity, may be called with
    other quantities than it declares: its result has another unit then. Where a constant in the formula hides
    the unit of a result, they must be those that are declared.
    """

    are_declared: bool
    other: FeatherError | None

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """An error inside is that of the call, if an argument has another unit than it declares."""
        try:
            yield
        except FeatherError:
            if self.other is not None:
                raise self.other from None
            raise

    def of_results(self, outputs: Sequence[Arg], results: Any) -> Any:
        """Results, of which those without a unit of their own have the one that the kernel declares.

        FeatherError where an argument has another one. Only scalars and structures have units of their own:
        the lists and matrices that a formula returns may have any form.
        """
        if self.other is None and not self.are_declared:
            return results
        if len(outputs) == 1:
            return self._of_result(outputs[0], results)
        if type(results) not in (tuple, list) or len(results) != len(outputs):
            return results
        return type(results)(self._of_result(a, part) for a, part in zip(outputs, results, strict=True))

    def _of_result(self, output: Arg, value: Any) -> Any:
        if type(value) is not output.type and not hasattr(value, "in_unit"):
            return value
        units = list(zip(scalars_of(output.type, value), scalar_units(output), strict=True))
        if self.other is not None and any(u is not None and _is_hidden(x) for x, u in units):
            raise self.other
        if not self.are_declared:
            return value
        declared = [
            x.in_unit(u, output.name) if u is not None and hasattr(x, "in_unit") else x for x, u in units
        ]
        return value_of(output.type, declared)


def _is_hidden(x: Any) -> bool:
    """Whether a constant hides the unit of a computed value; a number is none."""
    return hasattr(x, "in_unit") and not x.is_measured


def called_units(kernel: str, arguments: Sequence[Arg], values: Sequence[Any]) -> CalledUnits:
    """The units of the values that a kernel is called with.

    FeatherError for one in another unit of the same quantity, such as rad where deg is declared.
    """
    given = [scalars_of(a.type, value) for a, value in zip(arguments, values, strict=True)]
    if not any(hasattr(x, "in_unit") for scalars in given for x in scalars):
        return CalledUnits(False, None)
    are_declared, other = True, None
    for argument, scalars in zip(arguments, given, strict=True):
        # a list that is too long or too short is refused by the call itself
        for x, unit in zip(scalars, scalar_units(argument), strict=False):
            if unit is None:
                continue
            are_declared &= hasattr(x, "in_unit") and not _is_hidden(x)
            if hasattr(x, "in_unit"):
                try:
                    x.in_unit(unit, f"{argument.name} of kernel {kernel}")
                except FeatherError as error:
                    if x.unit.dimension == unit.dimension:
                        raise
                    are_declared, other = False, other or error
    return CalledUnits(are_declared, other)
