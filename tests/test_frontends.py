"""Front ends: Programs from SymPy, CasADi and traced formulas, and messages for refused models."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import casadi
import numpy as np
import pytest
import sympy

from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.frontends import from_casadi as casadi_frontend
from codegen.frontends import from_sympy as sympy_frontend
from codegen.frontends.define import from_casadi, from_sympy, jacobian, kernel
from codegen.ir.domain import cases
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.status import Status
from codegen.ir.systems import F32, F64, casadi_system, floating, fractions, multiprecision
from codegen.ir.types import REAL, Array
from codegen.library import library
from codegen.modeling.types.algebra import UnitQuaternion, Vec3
from codegen.modeling.types.matrix_types import Vector
from codegen.modeling.types.scalar import every, maximum, minimum, require, select, sqrt
from codegen.passes import simplified
from codegen.passes.fold import fold
from codegen.proof.equivalence import Driven, compare
from codegen.proof.proof import definition_of, prove
from codegen.tree.assemble import render_tree
from codegen.tree.write import generate
from tests.conftest import Featherc
from tests.test_c99 import printed
from tests.test_passes import INPUTS, program_from

RESULT = Arg("y", REAL, "1", "the result")


# SymPy


a, b, c, d = sympy.symbols("a b c d", real=True)
HALF = sympy.Rational(1, 2)


def of_sympy(expression: Any) -> Program:
    return sympy_frontend.lower(INPUTS, [RESULT], [a, b, c], [expression])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (c + b + a, "a + b + c"),
        (b - a, "b - a"),
        (-a - b, "-(a + b)"),
        (a - b * c - 2, "a - 2.0 - b * c"),
        (c * b * a, "a * b * c"),
        (-a * b, "-(a * b)"),
        (a * b / c, "a * b / c"),
        (a / (b * c), "a / (b * c)"),
        (1 / a, "1.0 / a"),
        (a / 3, "0.3333333333333333 * a"),
        (sympy.pi * a, "3.141592653589793 * a"),
        (a**2, "a * a"),
        (a**-2, "1.0 / (a * a)"),
        ((a + b) ** -1, "1.0 / (a + b)"),
        (sympy.sqrt(a), "sqrt(a)"),
        (1 / sympy.sqrt(a), "1.0 / sqrt(a)"),
        ((a + b) ** (3 * HALF), "a_plus_b = a + b; y = a_plus_b * sqrt(a_plus_b)"),
        ((a + b) ** (-3 * HALF), "a_plus_b = a + b; y = 1.0 / (a_plus_b * sqrt(a_plus_b))"),
        (a**b, "exp(b * log(a))"),
        (a**2.0, "a * a"),
        (a**-1.0, "1.0 / a"),
        (a**0.5, "sqrt(a)"),
        (a**-0.5, "1.0 / sqrt(a)"),
        (a**2.5, "a * a * sqrt(a)"),
        (a**1.4, "exp(1.4 * log(a))"),
        (sympy.exp(a) + sympy.log(b), "exp(a) + log(b)"),
        (sympy.sin(a) * sympy.cos(b) * sympy.tan(c), "sin(a) * cos(b) * tan(c)"),
        (sympy.asin(a) + sympy.acos(b) + sympy.atan(c), "asin(a) + acos(b) + atan(c)"),
        (sympy.atan2(b, a), "atan2(b, a)"),
        (sympy.Abs(a), "fabs(a)"),
        (sympy.Min(b, a), "(a < b) ? a : b"),
        (sympy.Max(b, a, c), "a_max_b = (a > b) ? a : b; y = (a_max_b > c) ? a_max_b : c"),
        (sympy.Piecewise((a, a < b), (c, True)), "(a < b) ? a : c"),
        (sympy.Piecewise((a, a < b), (b, b <= c), (c, True)), "(a < b) ? a : ((b <= c) ? b : c)"),
        (sympy.Piecewise((a, sympy.And(a > b, b >= c)), (c, True)), "(b < a && c <= b) ? a : c"),
        (sympy.Piecewise((a, sympy.Or(a > b, b >= c)), (c, True)), "(b < a || c <= b) ? a : c"),
        (sympy.Piecewise((a, sympy.Eq(a, b)), (c, True)), "(a <= b && b <= a) ? a : c"),
        (sympy.Piecewise((a, sympy.Ne(a, b)), (c, True)), "(a < b || b < a) ? a : c"),
        (sympy.Float(0.1) * a, "0.1 * a"),
        (sympy.Float(0.1 + 0.2) * a, "0.3 * a"),  # as SymPy prints it
        (sympy.Float("1e-320") + a, "1.0e-320 + a"),
        (sympy.Integer(7), "7.0"),
    ],
    ids=str,
)
def test_sympy_becomes(expression: Any, expected: str) -> None:
    assert printed(of_sympy(expression)) == (expected if "; y" in expected else f"y = {expected}")


def test_sympy_numbers_of_many_digits_keep_them_all() -> None:
    digits = "0.1234567890123456789012345678901234567"
    [found] = [n.value for n in of_sympy(sympy.Float(digits, 40) * a).nodes if n.op is Op.CONSTANT]
    assert isinstance(found, Fraction)
    assert abs(found - Fraction(digits)) < Fraction(1, 10**40)


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        (sympy.gamma(a), "gamma is not a function .*: write it by others, .* make its value an argument, or"),
        (sympy.erf(a), "erf is not a function .*: write it by others, as with .rewrite"),
        (sympy.Derivative(sympy.sin(a), a), "is not evaluated: write .doit"),
        (sympy.Integral(sympy.sin(d), (d, 0, a)), "is not evaluated: write .doit"),
        (sympy.Sum(d * a, (d, 1, 3)), "is not evaluated: write .doit"),
        (sympy.Function("f")(a), "f is not a function"),
        (sympy.I * a, "ImaginaryUnit is not a function .*: declare the symbols with real=True"),
        (sympy.oo, "output y: oo is not a finite constant"),
        (a < b, r"the condition a < b is no number: write Piecewise\(\(1, a < b\), \(0, True\)\)$"),
        (sympy.Eq(a, b), "an equation is no value: return its side, e.rhs, or the difference e.lhs - e.rhs"),
        (a + d, "the symbol d is not among the arguments"),
        (sympy.Symbol("a") + b, "the symbol a is not among the arguments"),  # not the real one
        (sympy.Piecewise((a, a < b)), "a Piecewise needs a last case"),
        (sympy.Piecewise((a, sympy.Implies(a < b, b < c)), (b, True)), "is not a condition"),
    ],
    ids=str,
)
def test_sympy_that_is_no_c_is_named(expression: Any, complaint: str) -> None:
    with pytest.raises(FeatherError, match=complaint):
        of_sympy(expression)


@pytest.mark.parametrize(
    ("join", "parts"),
    [
        (sympy.Add, [a * b, c, a, sympy.sin(b), 2 * c**2, sympy.Integer(3)]),
        (sympy.Mul, [a + b, c, sympy.sin(a), 1 / b, sympy.Rational(2, 3)]),
    ],
)
def test_programs_do_not_depend_on_sympys_order(join: Any, parts: Sequence[Any]) -> None:
    """Unevaluated, SymPy keeps the order in which the parts are given: all orders give one Program."""
    written = [
        join(*order, evaluate=False) for order in itertools.islice(itertools.permutations(parts), 0, None, 7)
    ]
    assert len(set(written)) == len(written)
    assert len({printed(of_sympy(e)) for e in written}) == 1


@pytest.mark.parametrize(
    "expression",
    [
        a * b + c + a * c**2 + 3,
        (a + b) * c * (b + c) / (a * c),
        sympy.Max(a, b * c, c) - sympy.Min(b, c),
        sympy.Piecewise((a, sympy.And(a < b, b < c)), (b, sympy.Or(c < 0, a < 0)), (c, True)),
        (a + b) * (a - b) * (a + b**2) * (a + 2 * b),
    ],
    ids=str,
)
def test_programs_do_not_depend_on_names(expression: Any) -> None:
    """SymPy sorts by name; the Program's order is that of the inputs, whatever they are called."""
    names = sympy.symbols("z m a", real=True)
    renamed = expression.xreplace(dict(zip((a, b, c), names, strict=True)))
    program = sympy_frontend.lower(INPUTS, [RESULT], names, [renamed])
    assert printed(program) == printed(of_sympy(expression))


def test_inputs_need_not_be_plain_symbols() -> None:
    """Functions of time, as SymPy's mechanics has them, and elements of a matrix; in the inputs' order."""
    t = sympy.Symbol("t")
    z, y = sympy.Function("z")(t), sympy.Function("y")(t)
    m = sympy.MatrixSymbol("m", 2, 2)
    program = sympy_frontend.lower(INPUTS, [RESULT], [z, y, m[0, 1]], [y + m[0, 1] + z])
    assert printed(program) == "y = a + b + c"


def test_equal_subexpressions_are_lowered_once() -> None:
    e = sympy.sin(a) + b
    program = of_sympy(e * c + sympy.sqrt(e))
    assert sum(n.op is Op.SIN for n in program.nodes) == 1


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (a - b + c * sympy.sign(a - b), "h = a - b; y = h + SIGN * c"),
        (b - a + c * sympy.sign(a - b), "h = a - b; y = SIGN * c - h"),
        (-a + b - c * sympy.sign(a - b), "h = a - b; y = -(h + SIGN * c)"),
        (a - b + c + abs(a - b) + abs(a - b + c), "h = a - b; hc = h + c; y = hc + fabs(h) + fabs(hc)"),
    ],
)
def test_a_sum_that_a_function_takes_is_part_of_other_sums(expression: Any, expected: str) -> None:
    names = {"a_minus_b": "h", "h_plus_c": "hc", "((h > 0.0) ? 1.0 : ((h < 0.0) ? -1.0 : 0.0))": "SIGN"}
    text = printed(of_sympy(expression))
    for name, short in names.items():
        text = text.replace(name, short)
    assert text == expected


def test_a_difference_of_nearly_equal_inputs_keeps_its_digits() -> None:
    program = of_sympy(a - b + c * sympy.sign(a - b))
    (found,) = evaluate(
        program, floating(F32), [np.float32(1 + 2**-20), np.float32(1), np.float32(2**-30)]
    ).results
    assert found == 2**-20 + 2**-30


def test_matrices_of_sympy_are_read_row_by_row() -> None:
    v = sympy.Matrix(sympy.symbols("v:3", real=True))
    A = sympy.Matrix(2, 3, sympy.symbols("A:6", real=True))
    product = from_sympy(
        "product",
        [(Arg("A", Array((2, 3)), "1", "a matrix"), A), (Arg("v", Vec3, "1", "a vector"), v)],
        [(Arg("Av", Array((2,)), "1", "their product"), A * v), (Arg("At", Array((3, 2)), "1", "A^T"), A.T)],
    )
    found = evaluate(product.program(), fractions(), list(map(Fraction, range(1, 10)))).results
    assert found == [1 * 7 + 2 * 8 + 3 * 9, 4 * 7 + 5 * 8 + 6 * 9, 1, 4, 2, 5, 3, 6]


def test_sympy_shapes_must_fit() -> None:
    v = Arg("v", Vec3, "1", "a vector")
    few = from_sympy("few", [(v, sympy.Matrix([a, b]))], [(RESULT, a)])
    with pytest.raises(FeatherError, match="kernel few: v has 3 scalars, but 2 expressions"):
        few.program()
    with pytest.raises(FeatherError, match="2 symbols were given for 3 input scalars"):
        sympy_frontend.lower(INPUTS, [RESULT], [a, b], [a])


# CasADi


x, y, z = (casadi.SX.sym(name) for name in "abc")


def of_casadi(expression: Any) -> Program:
    return casadi_frontend.lower(INPUTS, [RESULT], casadi_frontend.function_of("f", [x, y, z], [expression]))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (casadi.if_else(x < y, x, y), "(a < b) ? a : b"),
        (casadi.if_else(x < y, x * y, z) + z, "((a < b) ? a * b : c) + c"),
        (casadi.if_else(x <= y, casadi.if_else(y < z, x, y), z), "(a <= b) ? ((b < c) ? a : b) : c"),
        (casadi.if_else(casadi.logic_and(x < y, y < z), x, z), "(a < b && b < c) ? a : c"),
        (casadi.if_else(casadi.logic_or(x < y, y < z), x, z), "(a < b || b < c) ? a : c"),
        (casadi.if_else(casadi.logic_not(x < y), x, z), "(a < b) ? c : a"),
        (casadi.if_else(x, y, z), "(a < 0.0 || a > 0.0) ? b : c"),  # a number that serves as a truth value
        (casadi.if_else(x == y, x, z), "(a <= b && b <= a) ? a : c"),
        (casadi.if_else(x != y, x, z), "(a < b || b < a) ? a : c"),
        ((x < y) * z, "((a < b) ? 1.0 : 0.0) * c"),  # and a truth value that serves as a number
        (x + x, "a + a"),
        (x * x, "a * a"),
        (1 / x, "1.0 / a"),
        (-x - y, "-(a + b)"),
        (x - (y - z), "a - (b - c)"),
        (x**3, "a * (a * a)"),
        (x**1.5, "sqrt(a) * a"),
        (x**-1.5, "1.0 / (sqrt(a) * a)"),
        (x**y, "exp(b * log(a))"),
        (casadi.fmin(x, y), "(a < b) ? a : b"),
        (casadi.fmax(x, y), "(a > b) ? a : b"),
        (casadi.fabs(x), "fabs(a)"),
        (casadi.if_else(x < 0, -x, x), "fabs(a)"),
        (casadi.if_else(x < 0, -y, y), "(a < 0.0) ? -b : b"),
        (casadi.if_else(x < 1, -x, x), "(a < 1.0) ? -a : a"),
        (casadi.if_else(x < 0, x, -x), "(a < 0.0) ? a : -a"),
        (casadi.sign(x), "(a > 0.0) ? 1.0 : ((a < 0.0) ? -1.0 : 0.0)"),
        (casadi.atan(x), "atan(a)"),
        (casadi.atan2(x, y), "atan2(a, b)"),
        (casadi.sin(x) * casadi.cos(y) * casadi.tan(z), "sin(a) * cos(b) * tan(c)"),
        (casadi.asin(x) + casadi.acos(y), "asin(a) + acos(b)"),
        (casadi.exp(x) + casadi.log(y) + casadi.sqrt(z), "exp(a) + log(b) + sqrt(c)"),
        (0.1 * x, "0.1 * a"),
        (casadi.SX(7), "7.0"),
    ],
    ids=str,
)
def test_casadi_becomes(expression: Any, expected: str) -> None:
    assert printed(fold(of_casadi(expression))) == f"y = {expected}"


def test_an_if_else_is_one_select() -> None:
    """CasADi writes it as a sum of two products."""
    program = of_casadi(casadi.if_else(x < y, casadi.if_else(z, x, y), z))
    assert [n.op for n in program.nodes].count(Op.SELECT) == 2
    assert not any(n.op in (Op.ADD, Op.NOT) for n in program.nodes)


def test_derivatives_of_extremes_are_those_of_the_branch_taken() -> None:
    """CasADi's own is a quotient of comparisons; on the system for formulas it is a select."""
    table = casadi_system().table
    for op, values in ((Op.MAX, [1, 0]), (Op.MIN, [0, 1])):
        gradient = of_casadi(casadi.gradient(table[op](x, y), x))
        assert [at(gradient, p) for p in (2, 0)] == values
        assert not any(n.op is Op.DIV for n in gradient.nodes)
    own = of_casadi(casadi.gradient(casadi.fmax(x, y), x))
    assert [at(own, p) for p in (2, 1, 0)] == [1, Fraction(1, 2), 0]


@pytest.mark.parametrize(
    "formula", [maximum, lambda x, y: maximum(y, x), minimum, lambda x, y: maximum(x, 0) / y]
)
def test_derivatives_of_extremes_are_those_of_the_equation_where_both_are_equal(formula: Any) -> None:
    def extreme(x: Any, y: Any) -> Any:
        """An extreme."""
        return formula(x, y)

    inputs = [Arg("x", REAL, "1", "x"), Arg("y", REAL, "1", "y")]
    model = kernel(inputs=inputs, outputs=[Arg("z", REAL, "1", "z")], equation="", source="")(extreme)
    assert prove(jacobian(model, "slopes", ["z"], {"dz": ["x", "y"]})).status == "proven"


def at(program: Program, first: int) -> Any:
    """The value for a = first, b = 1, c = 0."""
    return evaluate(program, fractions(), [Fraction(first), Fraction(1), Fraction(0)]).results[0]


def test_constants_of_a_formula_go_through_casadi_exactly() -> None:
    """As symbols: a double is not 1/3, and eps is not known before a precision is."""
    system = casadi_system()
    third, eps = system.constant(Fraction(1, 3)), system.named("eps")
    program = of_casadi((x + third) * eps)
    assert [n.value for n in program.nodes if n.op in (Op.CONSTANT, Op.NAMED)] == [Fraction(1, 3), "eps"]
    assert casadi_frontend.exact_constant("=pi").value == "pi"
    assert casadi_frontend.exact_constant("=-7/2").value == Fraction(-7, 2)


def test_sparse_matrices_are_read_row_by_row() -> None:
    """CasADi stores by columns and leaves zeros out: the scalars here are all of them, by rows."""
    lower = casadi.SX.sym("L", casadi.Sparsity.lower(2))
    full = casadi.SX.sym("F", 2, 3)
    function = casadi.Function("f", [lower, full], [lower @ full, lower.T])
    model = from_casadi(
        function,
        [Arg("L", Array((2, 2)), "1", "lower triangular"), Arg("F", Array((2, 3)), "1", "full")],
        [Arg("LF", Array((2, 3)), "1", "product"), Arg("U", Array((2, 2)), "1", "upper triangular")],
    )
    scalars = list(map(Fraction, [2, 99, 3, 5, *range(1, 7)]))  # 99 stands where L has a structural zero
    expected = [2 * 1, 2 * 2, 2 * 3, 3 * 1 + 5 * 4, 3 * 2 + 5 * 5, 3 * 3 + 5 * 6, 2, 3, 0, 5]
    assert evaluate(model.program(), fractions(), scalars).results == expected


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        (
            casadi.erf(x),
            "OP_ERF is not an operation that C can be generated for: write it by others, make its value an",
        ),
        (x * casadi.SX(math.inf), "output y: inf is not a finite constant"),
        (casadi.if_else(x < y, casadi.SX(math.nan), x), "output y: nan is not a finite constant"),
        (casadi.vertcat(x, y), "the CasADi function gives 2 scalars, but the outputs take 1"),
    ],
    ids=str,
)
def test_casadi_that_is_no_c_is_named(expression: Any, complaint: str) -> None:
    with pytest.raises(FeatherError, match=complaint):
        of_casadi(expression)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [([x, y], "takes fewer than the 3"), ([x, y, z, casadi.SX.sym("d")], "more than")],
)
def test_casadi_arguments_must_fit(arguments: list[Any], complaint: str) -> None:
    with pytest.raises(FeatherError, match=complaint):
        casadi_frontend.lower(INPUTS, [RESULT], casadi.Function("f", arguments, [x]))


def test_casadi_functions_over_mx_are_expanded() -> None:
    m = casadi.MX.sym("m", 2)
    pair = [Arg("m", Vector(2), "1", "")]
    solved = casadi.solve(casadi.diag(m) + 1, casadi.vertcat(4, 7), "symbolicqr")
    made = from_casadi(casadi.Function("f", [m], [solved[0] * solved[1]]), pair, [RESULT])
    (result,) = evaluate(made.program(), floating(F64), [np.float64(2), np.float64(5)]).results
    assert abs(result - 1) < 1e-12


def test_what_casadi_integrates_has_no_formula_but_its_own_steps_have() -> None:
    m, s = casadi.MX.sym("m", 1), casadi.SX.sym("s")
    whole = casadi.integrator("whole", "rk", {"x": s, "ode": -s}, 0, 0.1)
    pair = [Arg("m", Vector(1), "1", "")], [Arg("n", Vector(1), "1", "")]
    with pytest.raises(FeatherError, match=r"CasADi calls whole, .*: write an expression .* casadi.simpleRK"):
        from_casadi(casadi.Function("f", [m], [whole(x0=m)["xf"]]), *pair).program()
    step = casadi.simpleRK(casadi.Function("rate", [s, casadi.SX.sym("p", 0)], [-s]), 1, 4)
    made = from_casadi(casadi.Function("f", [m], [step(m, casadi.MX(0, 1), 0.1)]), *pair)
    assert evaluate(made.program(), floating(F64), [np.float64(1)]).results[0] == pytest.approx(0.9048375)


def test_casadi_functions_without_scalars_are_named() -> None:
    m = casadi.MX.sym("m", 2)
    function = casadi.Function("f", [m], [casadi.solve(casadi.diag(m) + 1, m)[0]])
    with pytest.raises(FeatherError, match=r"cannot write f with scalars, as eval_sx .*: define it over"):
        from_casadi(function, INPUTS[:1], [RESULT])
    with pytest.raises(FeatherError, match=r"f needs a casadi.Function, not the MX itself"):
        from_casadi(m, INPUTS[:1], [RESULT], name="f")


# Traced formulas


@pytest.mark.parametrize(
    ("formula", "complaint"),
    [
        (lambda v, s: (v, s, s), "the formula returns 3 results, but 2 outputs are declared"),
        (lambda v, s: v, "the formula returns 1 results, but 2 outputs are declared"),
        (lambda v, s: (s, s), "output u has 3 scalars, but the result has 1"),
        (lambda v, s: (v, (s, s)), "output r has 1 scalars, but the result has 2"),
    ],
)
def test_a_formula_must_return_what_it_declares(formula: Callable[..., Any], complaint: str) -> None:
    with pytest.raises(FeatherError, match=complaint):
        traced(formula)


def traced(formula: Callable[..., Any]) -> Program:
    from codegen.frontends.formula import lower

    v, s = Arg("v", Vec3, "1", "a vector"), Arg("s", REAL, "1", "a number")
    u, r = Arg("u", Vec3, "1", "a vector"), Arg("r", REAL, "1", "a number")
    return lower([v, s], [u, r], formula, checks=True)


@pytest.mark.parametrize(
    ("formula", "complaint"),
    [
        (lambda a, b, c: a if a < b else b, "cannot branch on a computed value; write select"),
        (lambda a, b, c: max(a, b), "cannot branch on a computed value; write select"),
        (lambda a, b, c: a and b, "cannot branch on a computed value; write select"),
        (lambda a, b, c: a**0.5, "an exponent must be a whole number; write sqrt"),
        (lambda a, b, c: select(a, b, c), "is not a condition"),
        (lambda a, b, c: a + float("nan"), "nan is not a finite constant"),
        (lambda a, b, c: a + True, "True cannot stand in a formula; write 1 or 0"),
    ],
)
def test_a_formula_that_is_none_says_what_to_write(formula: Callable[..., Any], complaint: str) -> None:
    with pytest.raises(TypeError, match=complaint):
        program_from(formula)


def test_a_formula_keeps_its_structure() -> None:
    """The structure is as written: no rule of any engine has changed it."""
    program = program_from(lambda a, b, c: (a + 0) * 1 - (b - (c - -a)))
    assert printed_raw(program) == "y = (a + 0.0) * 1.0 - (b - (c - -a))"


def printed_raw(program: Program) -> str:
    from codegen.emit.c99 import emit

    body = emit(program, F64, ["a", "b", "c"], ["y"])
    return f"y = {body.stores[0].expression}"


def test_parameters_must_be_the_inputs() -> None:
    with pytest.raises(FeatherError, match="kernel swapped takes b, a, but its inputs are a, b"):

        @kernel(inputs=INPUTS[:2], outputs=[RESULT], equation="y = a + b", source="a test")
        def swapped(b: Any, a: Any) -> Any:
            return a + b


# Derivatives


DERIVED = {
    "quat_normalize": (["q_unit"], {"D": ["q"]}),
    "dcm_to_quat": (["q_AB"], {"D": ["R_AB"]}),
    "inertia_transform": (["I_A"], {"by_inertia": ["I_B"], "by_pose": ["T_AB"]}),
    "rpy_kinematics": (["drpy"], {"D": ["w_B", "rpy"]}),
    "rigid_body_dynamics_quat": (["dw_B", "dq"], {"A": ["w_B", "q_NB"], "B": ["M_B", "m", "baumgarte"]}),
}
"""Kernel: outputs to differentiate, and matrices with the inputs to differentiate by, in any order."""


def positions(arguments: Sequence[Arg], names: Sequence[str]) -> list[int]:
    """Where the scalars of these arguments are among all of them."""
    every = [a.name for a in arguments for _ in range(a.size)]
    return [i for name in names for i, owner in enumerate(every) if owner == name]


@pytest.mark.parametrize("checks", [True, False], ids=["checks", "no checks"])
@pytest.mark.parametrize("name", DERIVED)
def test_jacobians_are_the_limits_of_differences(name: str, checks: bool) -> None:
    of, (outputs, inputs) = library()[name], DERIVED[name]
    derived = jacobian(of, f"{name}_jacobian", outputs, inputs)
    system, step = multiprecision(F64), Fraction(1, 10**15)
    rows = positions(of.outputs, outputs)

    def values(point: Sequence[Fraction]) -> list[Any]:
        results = evaluate(of.program(checks), system, [system.constant(s) for s in point]).results
        return [results[row] for row in rows]

    for point in itertools.islice(cases(of.inputs, 2, f"jacobian of {name}"), 2):
        found = evaluate(derived.program(checks), system, [system.constant(s) for s in point]).results
        slopes: dict[int, list[Any]] = {}
        for column in positions(of.inputs, [n for names in inputs.values() for n in names]):
            ahead, behind = list(point), list(point)
            ahead[column] += step
            behind[column] -= step
            pairs = zip(values(ahead), values(behind), strict=True)
            slopes[column] = [(p - m) / system.constant(2 * step) for p, m in pairs]
        expected = [
            slopes[column][row]
            for names in inputs.values()
            for row in range(len(rows))
            for column in positions(of.inputs, names)
        ]
        for x, slope in zip(found, expected, strict=True):
            assert abs(x - slope) < 1e-22 * (1 + abs(slope))


@pytest.mark.parametrize(
    "name", ["quat_to_dcm", "quat_kinematics", "rpy_kinematics", "inertia_kinetic_energy"]
)
def test_jacobians_are_sympys_derivatives(name: str) -> None:
    """Of the definition: another engine, another form, the same values modulo P."""
    of = library()[name]
    define = definition_of(of)
    assert define is not None
    by = [arg.name for arg in of.inputs]
    derived = jacobian(of, "derived", [arg.name for arg in of.outputs], {"D": by})
    symbols = sympy_frontend.symbols_for(of.inputs)
    results = sympy.Matrix(sympy_frontend.applied(define, of.inputs, of.outputs, symbols))
    by_sympy = sympy_frontend.lower(of.inputs, derived.outputs, symbols, list(results.jacobian(symbols)))
    ways = {"casadi": Driven(derived.program(False)), "sympy": Driven(by_sympy)}
    verdict = compare(of.inputs, ways)
    assert verdict.proven, verdict


def test_a_jacobian_keeps_the_status_of_its_kernel() -> None:
    of = library()["quat_normalize"]
    derived = jacobian(of, "derived", ["q_unit"], {"D": ["q"]})
    assert [flag for _, flag in derived.program(True).status] == [flag for _, flag in of.program(True).status]
    assert derived.program(False).status == ()
    system = multiprecision(F64)
    failing = [system.constant(Fraction(0))] * 4
    met = [bool(holds) for holds, _ in evaluate(derived.program(True), system, failing).status]
    assert met == [bool(holds) for holds, _ in evaluate(of.program(True), system, failing).status]


GUARDED = [Arg("m", REAL, "1", "a mass"), Arg("k", REAL, "1", "a stiffness"), Arg("x", REAL, "1", "a place")]


@kernel(
    inputs=GUARDED,
    outputs=[Arg("a", REAL, "1", "a rate"), Arg("b", REAL, "1", "another"), Arg("c", REAL, "1", "free")],
    equation="a = k x / m; b = sqrt(k) / (k m) + x^2; c = x",
    source="a test",
    failures={Status.MASS: "m is not positive: a = b = 0", Status.SINGULAR: "k is not positive: b = 0"},
)
def guarded(m: Any, k: Any, x: Any) -> Any:
    """Results with one, two and no requirements, safe arguments and a guard on a guarded value."""
    massive = require(m > 0, Status.MASS)
    stiff = require(k > 0, Status.SINGULAR)
    mass, stiffness = select(massive, m, 1), select(stiff, k, 1)
    both = every(massive, stiff)
    product = select(both, stiffness * mass, 1)
    return select(massive, k * x / mass, 0), select(both, sqrt(stiffness) / product + x * x, 0), x


def slopes_of_guarded() -> Program:
    """The derivatives of all results by all inputs."""
    return jacobian(guarded, "derived", ["a", "b", "c"], {"D": ["m", "k", "x"]}).program(True)


@pytest.mark.parametrize(
    ("m", "k", "a", "b"),
    [
        (Fraction(2), Fraction(4), (Fraction(-3), Fraction(3, 2), 2), (Fraction(-1, 8), Fraction(-1, 32), 6)),
        (Fraction(0), Fraction(4), (0, 0, 0), (0, 0, 0)),
        (Fraction(2), Fraction(0), (0, Fraction(3, 2), 0), (0, 0, 0)),
        (Fraction(-1), Fraction(-1), (0, 0, 0), (0, 0, 0)),
    ],
)
def test_derivatives_where_requirements_hold_and_fail(m: Fraction, k: Fraction, a: Any, b: Any) -> None:
    """A row is zero where a requirement of its result fails, and as in the closed form elsewhere; by hand."""
    point = [m, k, Fraction(3)]
    found = evaluate(slopes_of_guarded(), fractions(), point)  # which divides by no zero on the way
    assert found.results == [*a, *b, 0, 0, 1]
    assert [met for met, _ in found.status] == [m > 0, k > 0]


def test_guards_are_not_differentiated() -> None:
    """A select for each of the six derivatives that depend on requirements, and those of the arguments."""
    program = simplified(slopes_of_guarded())
    nodes = program.nodes
    selects = [node for node in nodes if node.op is Op.SELECT]
    assert len(selects) == 6 + 3
    for _, then, otherwise in (node.args for node in selects):
        assert nodes[then].op is not Op.SELECT
        assert nodes[otherwise].op is Op.CONSTANT


@pytest.mark.parametrize(
    ("name", "fewer"),
    [("rigid_body_dynamics_quat", 112), ("inertia_solve", 110), ("central_merge", 160)],
)
def test_the_library_differentiates_into_fewer_selects(name: str, fewer: int) -> None:
    """With the guards differentiated, too, there were 164, 205 and 184."""
    of = library()[name]
    derived = jacobian(of, "derived", [a.name for a in of.outputs], {"D": [a.name for a in of.inputs]})
    assert sum(n.op is Op.SELECT for n in simplified(derived.program(True)).nodes) <= fewer


def test_a_jacobian_does_not_state_the_results_of_its_kernel() -> None:
    """It has the same flags, but other results."""
    slopes = jacobian(library()["inertia_com"], "slopes", ["c"], {"dc": ["I_O"]})
    cases = [case for cases in slopes.failures.values() for case in cases]
    assert [case.unless for case in cases] == ["m > 0", "finite(c)"]
    assert not any(case.results or case.note for case in cases)


def test_a_jacobian_is_a_matrix_with_names() -> None:
    derived = jacobian(library()["rigid_body_dynamics_quat"], "derived", *DERIVED["rigid_body_dynamics_quat"])
    assert [(m.name, m.type) for m in derived.outputs] == [("A", Array((7, 7))), ("B", Array((7, 5)))]
    assert derived.equation == (
        "A = jacobian([dw_B, dq], [w_B, q_NB]); B = jacobian([dw_B, dq], [M_B, m, baumgarte])"
    )
    with pytest.raises(FeatherError, match="kernel derived is called with 0 values"):
        derived()


@pytest.mark.parametrize(("outputs", "inputs"), [(["nothing"], ["q"]), (["q_unit"], ["nothing"])])
def test_a_jacobian_of_what_is_not_there_is_refused(outputs: list[str], inputs: list[str]) -> None:
    with pytest.raises(FeatherError, match="kernel quat_normalize has no output or input nothing"):
        jacobian(library()["quat_normalize"], "derived", outputs, {"D": inputs})


def test_a_jacobian_of_a_sympy_model() -> None:
    model = from_sympy(
        "model", list(zip(INPUTS, (a, b, c), strict=True)), [(RESULT, a**3 * b + sympy.sqrt(c))]
    )
    derived = jacobian(model, "derived", ["y"], {"D": ["c", "a"]})
    point = [Fraction(2), Fraction(5), Fraction(9)]
    assert evaluate(derived.program(), fractions(), point).results == [Fraction(1, 6), 3 * 4 * 5]


@pytest.mark.parametrize("factor", [2**60, 2.0**60, 11.32 / 30 * 7, 1e22, 0.1 + 0.2])
def test_constants_that_casadi_rounds_do_not_fail_the_proof(factor: Any) -> None:
    @kernel(inputs=[Arg("x", REAL, "1", "x")], outputs=[Arg("y", REAL, "1", "y")], equation="", source="")
    def scaled(x: Any) -> Any:
        """A multiple."""
        return x * 3 * factor + factor * x

    assert prove(scaled).status == "own formula only"


def test_the_jacobian_of_the_exponential_is_finite_at_rest() -> None:
    slope = jacobian(library()["quat_from_rotvec"], "slope", ["q"], {"J": ["r"]}).program()
    for r in (0.0, 1e-170, 1e-9, 0.5):
        result = [float(x) for x in evaluate(slope, multiprecision(F64), [r, 0, 0]).results]
        half = r / 2
        expected = [[0.0] * 3 for _ in range(4)]
        expected[0][0], expected[1][0] = -math.sin(half) / 2, math.cos(half) / 2
        expected[2][1] = expected[3][2] = math.sin(half) / r if r else 0.5
        assert result == pytest.approx([x for row in expected for x in row], rel=1e-12, abs=1e-150)


class Foreign:
    """A symbol or expression of another engine, such as SymForce's, that converts itself to SymPy."""

    def __init__(self, expression: Any) -> None:
        self.expression = expression

    def _sympy_(self) -> Any:
        return self.expression


class ForeignRotation:
    """A rotation like SymForce's: a quaternion with x, y, z, w in storage."""

    def __init__(self, x: Any, y: Any, z: Any, w: Any) -> None:
        self.xyz, self.w = [x, y, z], w

    def to_storage(self) -> list[Any]:
        return [*self.xyz, self.w]


def test_symbols_and_rotations_of_another_engine() -> None:
    names = sympy.symbols("qx qy qz qw v")
    x, y, z, w, v = map(Foreign, names)
    rotation = ForeignRotation(x, y, z, w)
    turned = ForeignRotation(*(Foreign(2 * s) for s in names[:4]))
    by_storage = from_sympy(
        "stored",
        [(Arg("q", Array((4,)), "", ""), rotation), (Arg("v", REAL, "", ""), v)],
        [(Arg("p", Array((4,)), "", ""), turned), (Arg("s", REAL, "", ""), Foreign(names[0] * names[4]))],
    )
    assert evaluate(by_storage.program(), fractions(), [1, 2, 3, 4, 5]).results == [2, 4, 6, 8, 5]
    as_quaternion = from_sympy(
        "typed",
        [(Arg("q", UnitQuaternion, "", ""), rotation)],
        [(Arg("p", UnitQuaternion, "", ""), turned), (Arg("first", REAL, "", ""), x)],
    )
    assert evaluate(as_quaternion.program(), fractions(), [1, 2, 3, 4]).results == [2, 4, 6, 8, 2]


def test_signs_that_are_never_zero() -> None:
    x, y = sympy.symbols("x y")
    no_zero, copied = sympy.Function("SignNoZero"), sympy.Function("CopysignNoZero")
    inputs = [(Arg("x", REAL, "", ""), x), (Arg("y", REAL, "", ""), y)]
    outputs = [(Arg("s", REAL, "", ""), no_zero(x)), (Arg("c", REAL, "", ""), copied(x, y))]
    program = from_sympy("signs", inputs, outputs).program()
    for given, expected in (((0, 0), [1, 0]), ((-2, 3), [-1, 2]), ((2, -3), [1, -2]), ((-2, 0), [-1, 2])):
        assert evaluate(program, fractions(), [Fraction(g) for g in given]).results == expected


def test_a_definition_may_return_a_matrix() -> None:
    @kernel(
        inputs=[Arg("x", REAL, "1", "x")],
        outputs=[Arg("y", Array((2,)), "1", "y")],
        equation="",
        source="",
        definition=lambda x: sympy.Matrix([[x + 1], [2 * x]]),
    )
    def both(x: Any) -> Any:
        """Two numbers."""
        return [1 + x, x + x]

    assert prove(both).status == "proven"


@kernel(
    inputs=[Arg(n, t, "", n) for n, t in (("v", Vec3), ("m", REAL), ("V", REAL))],
    outputs=[Arg("p", Vec3, "", "p"), Arg("e", REAL, "", "e")],
    equation="",
    source="",
)
def momentum(v: Any, m: Any, V: Any) -> Any:
    """Momentum and energy of a body."""
    return v * m, m * v.dot(v) / 2 + V * V


def test_macros_say_where_rows_and_columns_of_derivatives_begin() -> None:
    slopes = jacobian(momentum, "slopes", ["e", "p"], {"A": ["m", "v"], "B": ["V", "v", "m"]})
    header = render_tree([slopes], Options(interface="array"))["fc_test_frontends_f32.h"]
    macros = dict(re.findall(r"#define FC_SLOPES_(\w+) (\d+)\n", header))
    places = {"ROW_E": 0, "ROW_P": 1, "A_STRIDE": 4, "A_COLUMN_M": 0, "A_COLUMN_V": 1}
    assert {k: int(n) for k, n in macros.items()} == {**places, "B_STRIDE": 5, "B_COLUMN_M": 4}  # v is not V
    found = evaluate(slopes.program(), fractions(), [1, 2, 3, 5, 7]).results
    first = {name: int(n) for name, n in macros.items()}
    at = first["ROW_P"] * first["A_STRIDE"]
    assert found[at + first["A_COLUMN_M"]] == 1  # of p_x by m
    assert found[at + first["A_COLUMN_V"]] == 5  # of p_x by v_x


def test_another_place_of_a_column_is_found_by_diff(tmp_path: Path, featherc: Featherc) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for place in (old, new):
        generate([jacobian(momentum, "slopes", ["e"], {"A": ["m", "v"]})], Options(), place)
    header = new / "fc_test_frontends_f32.h"
    header.write_text(header.read_text().replace("SLOPES_A_COLUMN_V 1", "SLOPES_A_COLUMN_V 2"))
    said = featherc("diff", str(old), str(new)).out
    assert "FC_SLOPES_A_COLUMN_V is 2 instead of 1" in said
    assert "1 interface" in said


def test_a_choice_is_kept_as_it_is_written() -> None:
    """SymPy would turn the condition round, after a walk through all that it holds."""
    x = sympy.Symbol("x", real=True)
    choice = sympy_frontend.notation_table()["select"](-x < -1, x, 0)
    assert [tuple(pair) for pair in choice.args] == [(x, -x < -1), (0, sympy.true)]
