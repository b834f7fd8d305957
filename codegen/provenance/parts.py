"""The parts of a kernel's equation, and the part that defines each value, by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.modeling.equations.tables import setting_of
from codegen.modeling.equations.textbook import shown, stated_parts
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.notation.reader import apart, read
from codegen.notation.syntax import Equation, Kind

_ELEMENT = re.compile(r"_(?:[wxyz]{1,2}|\d+)$")


def parts(kernel: Kernel | Routine) -> tuple[str, ...]:
    """The parts of the equation."""
    return apart(kernel.equation)


def parts_by_name(equation: Sequence[str]) -> dict[str, int]:
    """The part that first defines each name."""
    found: dict[str, int] = {}
    for i, part in enumerate(equation):
        for name in _defined(part):
            found.setdefault(name, i)
    return found


def _defined(part: str) -> Iterator[str]:
    """The names that are a side of an equation by themselves, or functions there, but for the last side."""
    yield from (side.name for equation in _read(part) for side in equation.sides[:-1] if side.name)


def _read(part: str) -> tuple[Equation, ...]:
    with suppress(FeatherError):
        return read(part)
    return ()


def letters_of_values(equation: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The letters that a part gives to the numbers of a value, by its name: rpy = [phi, theta, psi]."""
    sides = (e.sides for part in equation for e in _read(part) if len(e.sides) == 2)
    return {
        value.name: tuple(n.name for n in column.args)
        for value, column in sides
        if value.kind is Kind.NAME
        and column.kind is Kind.COLUMN
        and all(n.kind is Kind.NAME for n in column.args)
    }


def parts_with(equation: Sequence[str], letter: str) -> set[int]:
    """The parts that have a letter."""
    return {
        i
        for i, part in enumerate(equation)
        for e in _read(part)
        if any(n.kind is Kind.NAME and n.name == letter for side in e.sides for n in side.nodes())
    }


def part_of_label(label: str, named: Mapping[str, int]) -> int | None:
    """The part that defines a named value, or the vector or matrix that it is an element of: Jc for Jc_xy."""
    return named.get(label, named.get(_ELEMENT.sub("", label)))


def stated_names(kernel: Kernel) -> dict[str, str]:
    """The names by which the equation defines scalars of the results, by the names that these begin with."""
    with suppress(FeatherError):
        found = shown(kernel.equation, kernel.all_inputs, kernel.outputs, setting_of(kernel))
        places = stated_parts(found.meaning, kernel.outputs).items()
        return {"_".join(filter(None, (p.argument, p.part, p.component))): name for name, p in places}
    return {}


def parts_of_output(
    arg: Arg, scalar: str, equation: Sequence[str], stated: Mapping[str, str]
) -> set[int] | None:
    """The part that defines a scalar of an output, or those with its letter; None if names are ambiguous."""
    named, letters = parts_by_name(equation), letters_of_values(equation).get(arg.name, ())
    letter = letters[arg.scalar_names.index(scalar)] if len(letters) == arg.size else ""
    own = [name for start, name in stated.items() if f"{scalar}_".startswith(f"{start}_")]
    if letter and letter not in named:
        return parts_with(equation, letter)
    for name in (letter, *own, *_names(arg, scalar)):
        if name in named:
            return {named[name]}
    return None


def _names(arg: Arg, scalar: str) -> list[str]:
    """The names that equations may use for an output's scalar: v_N_next is v', dR_NB is dR, a_w_x is w."""
    head = arg.name.split("_")[0]
    plain = [f"{head}'", f"{arg.name.removesuffix('_next')}'"] if arg.name.endswith("_next") else [head]
    inside = scalar.removeprefix(f"{arg.name}_").split("_")[0]
    return [arg.name, arg.name.removesuffix("_nonzeros"), inside, *plain]
