"""Whether the conditions that a formula tells of its limits and of its tests are those that it computes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.program import input_scalars, program_of
from codegen.ir.status import Status
from codegen.modeling.equations.textbook import arguments, traced_table
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.scalar import Told, replacements, tests
from codegen.notation.blocks import scalar
from codegen.notation.meaning import Meaning
from codegen.notation.reader import read
from codegen.proof.equivalence import Driven, compare


def check_told(kernel: Kernel) -> Iterator[str]:
    """The conditions of limits and tests that are told otherwise than the formula has them."""
    with replacements() as replaced:
        kernel.lower(False)
    with tests() as tested:
        kernel.lower(True)
    for told in (*replaced, *tested):
        if told.form:
            yield from differences(kernel, told)


def differences(kernel: Kernel, told: Told) -> Iterator[str]:
    """What is wrong with the form of one condition."""
    try:
        ways = {
            "formula": _requiring(kernel, [told.condition]),
            "form": _requiring(kernel, _stated(kernel, told)),
        }
    except FeatherError as error:
        yield f"the condition {told.form}: it cannot be compared: {error}"
        return
    verdict = compare(kernel.inputs, ways, kernel.name)
    if not verdict.proven:
        yield f"the condition {told.form}: the formula has another one: {verdict.shortcoming}"


def _requiring(kernel: Kernel, conditions: list[Any]) -> Driven:
    """Whether all conditions hold, as the one output of a way."""
    flag = Status.DEGENERATE
    program = program_of(kernel.inputs, (), [], [(condition, flag) for condition in conditions])
    return Driven(program, [flag])


def _stated(kernel: Kernel, told: Told) -> list[Any]:
    """The conditions of a form on the arguments and on its named values."""
    known = arguments(kernel.inputs, input_scalars(kernel.inputs), traced_table())
    known |= {name: scalar(value) for name, value in told.values.items()}
    equations = read(told.form)
    meaning = Meaning(equations, known, traced_table())
    return [meaning.holds(e.sides[0]) for e in equations if len(e.sides) == 1]
