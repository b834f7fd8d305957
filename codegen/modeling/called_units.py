"""The units of what a kernel is called with and of what it returns.

They are known where the formula that calls it is evaluated on units instead of numbers
(`codegen.frontends.dimensions`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from codegen.ir.program import Arg
from codegen.ir.types import scalars_of, value_of
from codegen.modeling.units import scalar_units


def are_in_declared_units(kernel: str, arguments: Sequence[Arg], values: Sequence[Any]) -> bool:
    """Whether all values are known to have the units that a kernel declares for its arguments.

    FeatherError names an argument whose value has another unit. A constant may have any unit, so that the
    unit of what is computed from it may not be known.
    """
    known = True
    for argument, value in zip(arguments, values, strict=True):
        # a list that is too long or too short is refused by the call itself
        for x, unit in zip(scalars_of(argument.type, value), scalar_units(argument), strict=False):
            if unit is not None and hasattr(x, "in_unit"):
                known &= x.in_unit(unit, f"{argument.name} of kernel {kernel}") == x
            else:
                known &= unit is None
    return known


def in_declared_units(outputs: Sequence[Arg], results: Any) -> Any:
    """Results, of which those without a unit of their own have the one that the kernel declares.

    Only scalars and structures have it: the lists and matrices that a formula returns may have any form.
    """
    if len(outputs) == 1:
        return _in_declared_units(outputs[0], results)
    if type(results) not in (tuple, list) or len(results) != len(outputs):
        return results
    return type(results)(_in_declared_units(a, part) for a, part in zip(outputs, results, strict=True))


def _in_declared_units(output: Arg, value: Any) -> Any:
    if type(value) is not output.type and not hasattr(value, "in_unit"):
        return value
    units = zip(scalars_of(output.type, value), scalar_units(output), strict=True)
    declared = [
        x.in_unit(unit, output.name) if unit is not None and hasattr(x, "in_unit") else x for x, unit in units
    ]
    return value_of(output.type, declared)
