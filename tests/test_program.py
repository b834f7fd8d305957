"""Programs: malformed ones, their evaluation in each number system, and the rounding of precisions."""

from __future__ import annotations

import ctypes
import math
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from codegen.frontends import from_casadi
from codegen.frontends.formula import lower
from codegen.ir.expression import EPS, MAX, MIN, PI, Expr
from codegen.ir.modular import World, modular
from codegen.ir.operations import NAMED_CONSTANTS, Op
from codegen.ir.program import Arg, InvalidProgram, Node, Program, evaluate, evaluate_beside, validate
from codegen.ir.status import Status
from codegen.ir.systems import (
    F32,
    F64,
    PI_60,
    Irrational,
    NumberSystem,
    Precision,
    casadi_system,
    floating,
    fractions,
    multiprecision,
    sympy_system,
)
from codegen.ir.types import REAL, Array
from codegen.modeling.types.scalar import (
    absolute,
    acos,
    asin,
    atan2,
    cos,
    exp,
    log,
    maximum,
    minimum,
    select,
    sin,
    sqrt,
    tan,
)
from codegen.proof.balls import balls
from codegen.proof.extents import Account, extents

INPUTS = tuple(Arg(name, REAL, "1", "a number") for name in "abc")


def traced(formula: Callable[..., Any], results: int = 1) -> Program:
    return lower(INPUTS, [Arg("y", Array((results,)), "1", "results")], formula, checks=True)


def test_what_another_input_changes_is_evaluated_again() -> None:
    """As often as all of it would be, and no more than depends on it."""
    program = traced(lambda a, b, c: [sin(a) + b * c, select(a < b, c, a), sqrt(c) + abs(a)], results=3)
    system, count = floating(F64), Counter[Op]()

    def counted(op: Op) -> Callable[..., Any]:
        def operate(*args: Any) -> Any:
            count[op] += 1
            return system.table[op](*args)

        return operate

    counting = replace(system, table={op: counted(op) for op in system.table})
    point = [np.float64(x) for x in (0.5, 2.0, 3.0)]
    here = evaluate(program, system, point)
    for place in range(3):
        beside = [*point[:place], np.float64(0.25), *point[place + 1 :]]
        found = evaluate_beside(program, counting, here, place, beside[place])
        assert found.values == evaluate(program, system, beside).values
        assert found.results == evaluate(program, system, beside).results
    assert here.results == evaluate(program, system, point).results
    assert count[Op.SIN] == 1
    assert count[Op.SQRT] == 1
    assert count[Op.MUL] == 2


# The verifier


GOOD = Program(
    inputs=INPUTS,
    outputs=(Arg("y", REAL, "1", "result"),),
    nodes=(
        Node(Op.INPUT, (), 0),
        Node(Op.INPUT, (), 1),
        Node(Op.LT, (0, 1)),
        Node(Op.ADD, (0, 1)),
        Node(Op.SELECT, (2, 3, 0)),
    ),
    results=(4,),
    status=((2, Status.SINGULAR),),
    labels={3: "sum"},
)


def test_a_well_formed_program_passes() -> None:
    validate(GOOD)


@pytest.mark.parametrize(
    ("node", "complaint"),
    [
        (Node(Op.ADD, (0,)), "wrong number of arguments"),
        (Node(Op.NEG, (0, 1)), "wrong number of arguments"),
        (Node(Op.INPUT, (0,), 0), "wrong number of arguments"),
        (Node(Op.ADD, (0, 5)), "does not come before"),
        (Node(Op.ADD, (0, 6)), "does not come before"),
        (Node(Op.ADD, (0, -1)), "does not come before"),
        (Node(Op.ADD, (0, 2)), "argument is not real"),
        (Node(Op.SELECT, (0, 0, 1)), "argument is not boolean"),
        (Node(Op.SELECT, (2, 2, 2)), "argument is not real"),
        (Node(Op.NOT, (3,)), "argument is not boolean"),
        (Node(Op.ADD, (0, 1), 7), "value on the wrong operation"),
        (Node(Op.CONSTANT), "value on the wrong operation"),
        (Node(Op.CONSTANT, (), 7), "7 is no constant"),
        (Node(Op.CONSTANT, (), "1/2"), "'1/2' is no constant"),
        (Node(Op.NAMED, (), "tau"), "'tau' is no named"),
        (Node(Op.TRUTH, (), 1), "1 is no truth"),
        (Node(Op.INPUT, (), "a"), "'a' is no input"),
        (Node(Op.INPUT, (), 3), "no such input"),
        (Node(Op.INPUT, (), -1), "no such input"),
    ],
    ids=str,
)
def test_verifier_rejects_a_malformed_node(node: Node, complaint: str) -> None:
    """The bad node is the sixth; the message counts from 0."""
    with pytest.raises(InvalidProgram, match=f"^node 5: .*{complaint}"):
        validate(replace(GOOD, nodes=(*GOOD.nodes, node)))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"results": ()}, "results missing"),
        ({"results": (4, 4)}, "results missing"),
        ({"results": (5,)}, "no such node"),
        ({"results": (-1,)}, "no such node"),
        ({"results": (2,)}, "root is not real"),
        ({"status": ((4, Status.MASS),)}, "root is not boolean"),
        ({"status": ((9, Status.MASS),)}, "no such node"),
        ({"labels": {0: "a"}}, "a leaf has a label"),
        ({"inputs": INPUTS[:1]}, "no such input"),
    ],
    ids=str,
)
def test_verifier_rejects_malformed_roots(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidProgram, match=complaint):
        validate(replace(GOOD, **change))


# Number systems


POINT = (Fraction(3, 7), Fraction(-5, 2), Fraction(4))


def rational(a: Any, b: Any, c: Any) -> Any:
    """Arithmetic only, with constants that no float holds."""
    return (a + b / 3) * (a - c) / (1 + b * b) - (-c) * Fraction(1, 10), a**3 - 2 / b


def root(a: Any, b: Any, c: Any) -> Any:
    """A root that is rational at the point: that of (a^2 - b^2)^2 + (2 a b)^2."""
    real, imaginary = a * a - b * b, 2 * a * b
    return sqrt(real * real + imaginary * imaginary), c * sqrt(a * a)


def choices(a: Any, b: Any, c: Any) -> Any:
    """Every comparison and choice, with both outcomes."""
    between = (b < a) & (a <= c)
    outside = ~between | (c < b)
    return (
        select(between, a + b, a - b) + select(outside, a, c),
        minimum(a, b) + 2 * minimum(b, c),
        maximum(a, b) - 3 * maximum(b, c),
        absolute(a) + absolute(b),
        select(a >= c, select(a > b, a, b), select(b <= b, c, a)),
    )


def functions(a: Any, b: Any, c: Any) -> Any:
    """Every function of the mathematics library."""
    return (
        sin(a) + cos(b) + tan(c),
        asin(a) + acos(a),
        atan2(b, c) + atan2(a, b) + atan2(-c, b),
        exp(b) * log(c),
    )


FUNCTIONS_AT_POINT = (
    math.sin(3 / 7) + math.cos(-2.5) + math.tan(4),
    math.pi / 2,
    math.atan2(-2.5, 4) + math.atan2(3 / 7, -2.5) + math.atan2(-4, -2.5),
    math.exp(-2.5) * math.log(4),
)
"""The values of `functions` at POINT by Python's own library."""


def by_fraction(program: Program) -> list[Fraction]:
    return evaluate(program, fractions(), POINT).results


def by_float64(program: Program) -> list[Fraction]:
    results = evaluate(program, floating(F64), [np.float64(x) for x in POINT]).results
    return [Fraction(float(x)) for x in results]


def by_float32(program: Program) -> list[Fraction]:
    results = evaluate(program, floating(F32), [np.float32(x) for x in POINT]).results
    assert {x.dtype for x in results} == {np.dtype(np.float32)}  # nothing was promoted on the way
    return [Fraction(float(x)) for x in results]


def by_mpmath(program: Program) -> list[Fraction]:
    system = multiprecision(F64)
    results = evaluate(program, system, [system.constant(x) for x in POINT]).results
    return [Fraction(str(x)) for x in results]


def by_sympy(program: Program) -> list[Fraction]:
    """On symbols, which get their values afterwards: the expressions themselves are right."""
    import sympy

    symbols = sympy.symbols("a b c", real=True)
    results = evaluate(program, sympy_system(), symbols).results
    numbers = dict(zip(symbols, (sympy.Rational(x.numerator, x.denominator) for x in POINT), strict=True))
    return [Fraction(str(sympy.N(r.subs(numbers), 40))) for r in results]


def by_casadi(program: Program) -> list[Fraction]:
    """CasADi computes with doubles; the symbols of exact constants are given the nearest ones."""
    import casadi

    symbols = [casadi.SX.sym(a.name) for a in program.inputs]
    results = evaluate(program, casadi_system(), symbols).results
    function = from_casadi.function_of("f", symbols, [casadi.vertcat(*results)])
    constants = [
        float(Fraction(function.sx_in(k).name().removeprefix("="))) for k in range(3, function.n_in())
    ]
    found = function(*map(float, POINT), *constants)
    return [Fraction(float(x)) for x in found.full().ravel()]


System = Callable[[Program], list[Fraction]]

SYSTEMS: dict[System, float] = {
    by_float64: 1e-15,
    by_float32: 4e-7,
    by_mpmath: 1e-48,
    by_sympy: 1e-38,
    by_casadi: 1e-15,
}
"""Each system with the relative error that its arithmetic may make on these short Programs."""


def assert_close(found: Sequence[Fraction], expected: Sequence[Fraction], tolerance: float) -> None:
    for x, exact in zip(found, expected, strict=True):
        assert abs(x - exact) <= tolerance * (1 + abs(exact)), (float(x), float(exact))


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(("formula", "results"), [(rational, 2), (root, 2), (choices, 5)])
def test_systems_agree_with_exact_fractions(
    formula: Callable[..., Any], results: int, system: System
) -> None:
    program = traced(formula, results)
    assert_close(system(program), by_fraction(program), SYSTEMS[system])


@pytest.mark.parametrize("system", SYSTEMS)
def test_systems_agree_on_functions(system: System) -> None:
    tolerance = max(SYSTEMS[system], 4e-15)  # the reference is double
    assert_close(system(traced(functions, 4)), [Fraction(x) for x in FUNCTIONS_AT_POINT], tolerance)


def test_fractions_are_what_python_makes_of_the_formula() -> None:
    """The Program against the formula run on plain Fractions, without any Program."""
    assert by_fraction(traced(rational, 2)) == list(rational(*POINT))


def test_choices_take_the_side_that_holds() -> None:
    a, b, c = POINT
    assert by_fraction(traced(choices, 5)) == [a + b + c, 3 * b, a - 3 * c, a - b, c]


@pytest.mark.parametrize("seed", range(3))
def test_modular_values_are_the_rational_ones(seed: int) -> None:
    program, world = traced(rational, 2), World(seed)
    inputs = [world.number(world.integer(x)) for x in POINT]
    assert evaluate(program, modular(world), inputs).results == by_fraction(program)


@pytest.mark.parametrize(
    "system",
    [
        floating(F64),
        floating(F32),
        fractions(),
        multiprecision(F64),
        modular(World(0)),
        balls(),
        extents(Account()),
        sympy_system(),
        casadi_system(),
    ],
    ids=lambda s: str(s.name),
)
def test_every_system_knows_every_operation(system: NumberSystem) -> None:
    assert set(system.table) == {op for op in Op if op.arguments}


def test_fractions_refuse_what_is_not_rational() -> None:
    program = traced(lambda a, b, c: sqrt(c + 1))
    with pytest.raises(Irrational):
        by_fraction(program)


@pytest.mark.parametrize("function", [sqrt, asin, acos, log], ids=lambda f: str(f.__name__))
def test_many_digits_refuse_what_is_not_real(function: Callable[..., Any]) -> None:
    """C gives NaN here: there is no real value to compare with."""
    with pytest.raises(ValueError, match="no real value"):
        by_mpmath(traced(lambda a, b, c: function(b)))


@pytest.mark.parametrize("precision", [F64, F32], ids=lambda p: str(p.name))
def test_named_constants(precision: Precision) -> None:
    info = np.finfo(np.float64 if precision is F64 else np.float32)
    program = traced(lambda a, b, c: (EPS, MIN, MAX, PI), 4)
    found = evaluate(program, floating(precision), [0, 0, 0]).results
    assert [float(x) for x in found] == [info.eps, info.tiny, info.max, info.dtype.type(np.pi)]
    exact = [precision.named(name) for name in NAMED_CONSTANTS]
    assert exact[:3] == [Fraction(float(x)) for x in (info.eps, info.tiny, info.max)]
    assert abs(multiprecision(precision, 60).named("pi") - exact[3]) < 1e-59
    assert exact[3] == PI_60


@pytest.mark.parametrize(
    ("a", "b"), [(math.nan, 1.0), (1.0, math.nan), (0.0, -0.0), (-0.0, 0.0), (2.0, 1.0), (1.0, 2.0)]
)
def test_minimum_and_maximum_are_the_conditional_expressions_of_c(a: float, b: float) -> None:
    """a < b ? a : b and a > b ? a : b: which zero and which NaN comes out is part of the meaning."""
    program = traced(lambda a, b, c: (minimum(a, b), maximum(a, b)), 2)
    found = evaluate(program, floating(F64), [np.float64(a), np.float64(b), 0]).results
    expected = [a if a < b else b, a if a > b else b]
    assert [struct.pack("d", x) for x in found] == [struct.pack("d", x) for x in expected]


def test_a_formula_runs_on_scalars_of_any_library() -> None:
    import casadi
    import sympy

    x = sympy.Symbol("x", positive=True)
    assert sqrt(x * x) == x
    assert isinstance(sin(casadi.SX.sym("x")), casadi.SX)
    assert maximum(Fraction(1, 3), 1) == 1
    assert isinstance(cos(1.0), np.float64)
    recorded = sqrt(2)
    assert isinstance(recorded, Expr)
    assert recorded.op is Op.SQRT


# Rounding


def as_c_float(x: float) -> float | None:
    """`x` in IEEE single precision by the struct module, None where it overflows."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", x))[0])
    except OverflowError:
        return None


def rounded(precision: Precision, exact: Fraction) -> float | None:
    try:
        return float(precision.rounded(exact))
    except OverflowError:
        return None


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(2.0**24 + 1)  # ties go to even: down ...
@example(2.0**24 + 3)  # ... and up
@example(2.0**-149 * 1.5)  # a tie between denormals
@example(2.0**-150)  # a tie between nought and the least denormal
@example(math.nextafter(2.0**-150, 1))
@example(2.0**-126 - 2.0**-151)  # from denormal to normal
@example(float(F32.max) + 2.0**103)  # the tie at the end of the range: overflow
@example(math.nextafter(float(F32.max) + 2.0**103, 0))
def test_float_rounds_doubles_as_c_does(x: float) -> None:
    expected = as_c_float(x)
    assert rounded(F32, Fraction(x)) == expected
    assert expected is None or ctypes.c_float(x).value == expected


decimals = st.builds(
    lambda digits, exponent: f"{digits}e{exponent}",
    st.integers(-(10**25), 10**25),
    st.integers(-350, 300),
)


@given(decimals)
@example("179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587"
         "207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711"
         "531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093"
         "042880177904174497791")  # just below the tie at the end of double's range  # fmt: skip
@example("4.940656458412465441765687928682213723651e-324")
@example("2.4703282292062327208828439643411e-324")  # just below the tie at the least denormal
@example("2.4703282292062327208828439643412e-324")
@example("9007199254740993")
def test_double_rounds_decimals_as_strtod_does(text: str) -> None:
    nearest = float(text)
    assert rounded(F64, Fraction(text)) == (nearest if math.isfinite(nearest) else None)


@given(st.fractions() | decimals.map(Fraction), st.sampled_from([F64, F32]))
@example(Fraction(1, 3), F32)
@example(1 + Fraction(1, 2**24) + Fraction(1, 2**60), F32)  # a tie once it has been rounded to double
@example(Fraction(2**25 + 2**24 + 1), F32)
def test_rounding_is_to_the_nearest(exact: Fraction, precision: Precision) -> None:
    """By definition: neither neighbour is nearer, and where one is as near the result is even."""
    nearest = rounded(precision, exact)
    if nearest is None:
        assert abs(exact) >= precision.max + precision.max * precision.eps / 4
        return
    kind: Any = np.float64 if precision is F64 else np.float32
    x = kind(nearest)
    assert float(x) == nearest
    for limit in (-np.inf, np.inf):
        neighbour = np.nextafter(x, kind(limit))
        if np.isfinite(neighbour):
            here, there = abs(exact - Fraction(float(x))), abs(exact - Fraction(float(neighbour)))
            assert here < there or (here == there and is_even(x))


def is_even(x: Any) -> bool:
    return int.from_bytes(x.tobytes(), "little") % 2 == 0


def test_functions_of_enormous_numbers_take_neither_time_nor_memory() -> None:
    system = multiprecision(F64)
    enormous = system.table[Op.EXP](system.table[Op.EXP](system.constant(Fraction(1000))))
    for op in (Op.EXP, Op.SIN, Op.COS, Op.TAN):
        with pytest.raises(ValueError, match=f"{op.label} of a number above"):
            system.table[op](enormous)
    assert system.table[Op.EXP](-enormous) == 0
    assert system.table[Op.LOG](enormous) > 2 * 10**5


def test_functions_of_numbers_with_many_digits_have_as_many() -> None:
    """Otherwise, forms that call them differ from the formula in the last of the digits that are compared."""
    fine = multiprecision(F64, 200)
    x = fine.constant(Fraction(1, 3))
    assert sin(x) == fine.table[Op.SIN](x)
