"""Every kernel's physics: its formula, evaluated on units, comes out in the units that it declares.

A sum of a length and a mass is an error in the formula; so is the sine of a length. Zero, and only zero, has
every dimension.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from codegen.frontends.define import kernel
from codegen.ir.operations import LIBM, Op
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import NumberSystem
from codegen.ir.types import REAL, Array, Real
from codegen.library import library
from codegen.modeling.kernel import Kernel
from codegen.modeling.units import Dimension, parse
from codegen.proof.proof import closed_form

ANY: Any = None
"""The dimension of zero, and of a result that is declared with none in particular."""

PLAIN: Dimension = (0, 0, 0)


class Inconsistent(ArithmeticError):
    """A formula that adds or compares what cannot be added or compared."""


def check_dimensions(program: Program) -> None:
    """Raise Inconsistent unless the results come out in the units that the outputs declare.

    Programs with an argument in mixed or any units are taken as they are.
    """
    units = [_scalar_units(a) for a in (*program.inputs, *program.outputs)]
    if any(u is None for u in units):
        return
    scalars = [d for u in units[: len(program.inputs)] for d in u or ()]
    expected = [d for u in units[len(program.inputs) :] for d in u or ()]
    names = [name for a in program.outputs for name in a.scalar_names]
    results = evaluate(program, dimensions(), scalars).results
    for name, wanted, found in zip(names, expected, results, strict=True):
        if found is not ANY and found != wanted:
            raise Inconsistent(f"{name} comes out in {_text(found)} instead of {_text(wanted)}")


def _scalar_units(argument: Arg) -> list[Dimension] | None:
    """The dimension of each scalar; None where the unit is `mixed` or `any`."""
    if argument.unit in ("mixed", "any"):
        return None
    parts = [parse(text).dimension for text in argument.unit.split(";")]
    if len(parts) == 1 or isinstance(argument.type, (Real, Array)):
        return [parts[0]] * argument.size
    sizes = [Arg("part", part, "1", "").size for part in argument.type.layout.values()]
    return [d for d, size in zip(parts, sizes, strict=True) for _ in range(size)]


@cache
def dimensions() -> NumberSystem:
    """The number system of dimensions."""

    def same(a: Any, b: Any) -> Any:
        if a is not ANY and b is not ANY and a != b:
            raise Inconsistent(f"{_text(a)} meets {_text(b)}")
        return b if a is ANY else a

    def times(sign: int) -> Callable[[Any, Any], Any]:
        def combine(a: Any, b: Any) -> Any:
            if a is ANY or b is ANY:
                return ANY
            return tuple(x + sign * y for x, y in zip(a, b, strict=True))

        return combine

    def root(a: Any) -> Any:
        if a is not ANY and any(x % 2 for x in a):
            raise Inconsistent(f"a square root of {_text(a)}")
        return a if a is ANY else tuple(x // 2 for x in a)

    def plain(*args: Any) -> Any:
        for a in args:
            same(a, PLAIN)
        return PLAIN

    table: Mapping[Op, Callable[..., Any]] = {
        **dict.fromkeys((Op.ADD, Op.SUB, Op.MIN, Op.MAX), same),
        **dict.fromkeys((Op.LT, Op.LE), lambda a, b: same(a, b) is same(a, b)),
        **dict.fromkeys((Op.AND, Op.OR), lambda a, b: True),
        **dict.fromkeys(LIBM, plain),
        Op.ATAN2: lambda y, x: plain() if same(y, x) is ANY else PLAIN,
        Op.MUL: times(1),
        Op.DIV: times(-1),
        Op.NEG: lambda a: a,
        Op.ABS: lambda a: a,
        Op.NOT: lambda a: True,
        Op.SQRT: root,
        Op.SELECT: lambda condition, a, b: same(a, b),
    }
    return NumberSystem(
        "dimensions", table, lambda number: PLAIN if number != Fraction(0) else ANY, lambda name: PLAIN
    )


def _text(dimension: Dimension) -> str:
    parts = [f"{unit}^{power}" for unit, power in zip(("kg", "m", "s"), dimension, strict=True) if power]
    return " ".join(parts) or "a plain number"


A_LENGTH = "constants of WGS 84 have units: a is in m, g_e in m/s^2"
A_SAFE_ONE = "a static body's mass and inertia are replaced by 1 before they divide"
EXEMPT = {
    "ecef_from_geodetic": A_LENGTH,
    "geodetic_from_ecef": A_LENGTH,
    "gravity_wgs84": A_LENGTH,
    "contact_mass_inverse": A_SAFE_ONE,
    "contact_free_velocity": A_SAFE_ONE,
    "contact_apply": A_SAFE_ONE,
    "inertia_factor": "a pivot that is taken as zero is replaced by 1 before it divides",
    "inertia_principal": "an isotropic inertia's spread is replaced by 1 before it divides",
}
"""Kernels whose formula has a number in it that has units, and why."""


@pytest.mark.parametrize("name", [n for n in library() if n not in EXEMPT])
def test_units_of_every_kernel(name: str) -> None:
    check_dimensions(closed_form(library()[name]))


@pytest.mark.parametrize("name", EXEMPT)
def test_no_kernel_is_exempt_without_need(name: str) -> None:
    with pytest.raises(Inconsistent):
        check_dimensions(closed_form(library()[name]))


def test_most_kernels_have_units_throughout() -> None:
    arguments = [(*k.inputs, *k.outputs) for k in library().values()]
    assert sum(all(_scalar_units(a) for a in args) for args in arguments) >= 40


@kernel(
    inputs=[Arg("mass", REAL, "kg", "m"), Arg("speed", REAL, "m/s", "v")],
    outputs=[Arg("energy", REAL, "J", "E")],
    equation="E = m v (wrong)",
    source="",
)
def wrong_power(mass: Any, speed: Any) -> Any:
    """Should have been m v^2 / 2."""
    return mass * speed / 2


@kernel(
    inputs=[Arg("mass", REAL, "kg", "m"), Arg("speed", REAL, "m/s", "v")],
    outputs=[Arg("energy", REAL, "J", "E")],
    equation="E = m + v (wrong)",
    source="",
)
def wrong_sum(mass: Any, speed: Any) -> Any:
    """Nonsense."""
    return mass + speed


@pytest.mark.parametrize("wrong", [wrong_power, wrong_sum])
def test_wrong_physics_is_caught(wrong: Kernel) -> None:
    with pytest.raises(Inconsistent):
        check_dimensions(wrong.program())
