"""Mistakes in a model: each is one clear line with file, line, kernel and remedy, and exit code 2."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.frontends.define import jacobian, kernel
from codegen.frontends.formula import lower
from codegen.ir.expression import Expr, decimal_of
from codegen.ir.operations import Op
from codegen.ir.program import Arg, evaluate, input_scalars
from codegen.ir.systems import F64, floating, fractions
from codegen.ir.types import REAL, Array, Elements
from codegen.library import library
from codegen.loading.python_file import load_model
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Vec3
from codegen.modeling.types.scalar import atan2, select
from codegen.proof.differences import difference_in_words
from codegen.proof.proof import prove
from codegen.tree.assemble import render_tree
from codegen.verify.oracle import Expected, Oracle
from tests.conftest import ROOT, Featherc

HEAD = """
import math
import casadi
import numpy as np
import sympy
from codegen import *
from codegen.ir.types import Real, Value
from codegen.library.rotation.kernels import quat_rotate

X, Y = Arg("x", REAL, "1", "a number"), Arg("y", REAL, "1", "a result")
A, B = Arg("a", REAL, "1", "a number"), Arg("b", REAL, "1", "a number")
V, W = Arg("v", Vec3, "1", "a vector"), Arg("w", Vec3, "1", "a vector")
K, Q, M = Arg("k", Array((2, 2)), "1", ""), Arg("q", Quaternion, "1", ""), Arg("m", Motion, "1", "")
ABOUT = {"equation": "y = f(x)", "source": "a test"}
s, t = sympy.symbols("s t")
u = casadi.SX.sym("u")

"""


def formula(inputs: str, outputs: str, body: str) -> str:
    """A model of one kernel `f`; its body is line 20 of the file."""
    decorator = f"@kernel(inputs=[{inputs}], outputs=[{outputs}], **ABOUT)"
    return f"{HEAD}{decorator}\ndef f({inputs.lower()}):\n    {body}\n"


def refused(featherc: Featherc, place: Path, model: str, *fragments: str) -> None:
    """The model is refused by one line that has all of these in it, and nothing is written."""
    (place / "mine.py").write_text(model)
    outcome = featherc("generate", "--model", "mine.py", "-o", "c")
    assert outcome.code == 2, outcome
    assert outcome.said(*fragments), outcome.err
    assert not (place / "c").exists()


LIKE_A_NUMBER = {
    "select(a == 0, b, a)": "write abs(a - b) <= tolerance, or equal(a, b)",
    "select(a != b, b, a)": "write abs(a - b) <= tolerance",
    "select(a in (b, 0), b, a)": "write abs(a - b) <= tolerance",
    "a if a > 0 else b": "write select(condition, a, b) for if",
    "select(a > 0 and b > 0, a, b)": "(a < b) & (b < c) for `and` and a < b < c",
    "select(a > 0 or b > 0, a, b)": "| for `or`",
    "select(not a > 0, a, b)": "~ for `not`",
    "select(0 < a < b, a, b)": "and a < b < c",
    "max(a, b)": "maximum(a, b) and minimum(a, b) for max and min",
    "sorted([a, b])[0]": "maximum(a, b) and minimum(a, b) for max and min",
    "round(a, 2)": "floor(x) or floor(x + 0.5) in place of int and round",
    "int(a)": "floor(x) or floor(x + 0.5) in place of int and round",
    "float(a)": "and leave out float",
    "math.floor(a)": "and leave out float",
    "math.sin(a)": "write sin(x), sqrt(x) ... with `from codegen import sin`",
    "math.fsum([a, b])": "a computed value is not a number yet",
    "sum(range(a))": "a computed value is no index and no number of turns; write repeat(n, step, x)",
    "[1, 2][a]": "or a Table for a look-up",
    "np.sin(a)": "numpy.sin cannot take a computed value; write sin, with `from codegen import sin`",
    "np.arcsin(a)": "numpy.arcsin cannot take a computed value; write asin",
    "np.sin(np.array([a, b]))[0]": "numpy.sin cannot take a computed value; write sin",
    "np.linalg.norm([a, b])": "numpy.sqrt cannot take a computed value; write sqrt",
    "np.where(a > 0, a, b)": "numpy.where cannot take a computed value; write select",
    "np.linalg.inv([[a, b], [b, a]])[0, 0]": "numpy.linalg.inv cannot take a computed value; write A.inverse",
    "np.linalg.solve([[a, b], [b, a]], [a, b])[0]": "numpy.linalg.solve cannot take a computed value; write",
    "np.linalg.det([[a, b], [b, a]])": "numpy.linalg.det cannot take a computed value; write A",
    "np.linalg.eigvalsh([[a, b], [b, a]])[0]": "write it with operators and the functions of codegen",
    "np.logaddexp(a, b)": "numpy.logaddexp cannot take a computed value; write it with operators",
    "np.array([0.0, 1.0]) == a": "write abs(a - b) <= tolerance",
    "a % 2": "write floor(a / b) and modulo(a, b)",
    "a // b": "write floor(a / b) and modulo(a, b)",
    "a ** 0.5": "an exponent must be a whole number; write sqrt(x) for a root and exp(y * log(x))",
    "a ** b": "an exponent must be a whole number",
    "2 ** a": "write exp(x * log(a)) for a**x",
    "a ** 100000": "an exponent of 100000 is too large: write exp(n * log(x))",
    "a * math.inf": "inf is not a finite constant",
    "a * np.float32('nan')": "nan is not a finite constant",
    "a + '1'": "'1' (str) cannot stand in a formula",
    "a * 1j": "1j (complex) cannot stand in a formula; write equations for real and imaginary parts",
    "a * np.complex128(1j)": "(complex128) cannot stand in a formula; write equations for real and",
    "None < a": "None (NoneType) cannot stand in a formula",
    "float(f'{a:.2f}')": "a computed value has no digits to print as '.2f' yet: leave the format out",
    "a * acos(-1.5)": "acos(-1.5) has no real value",
    "a * log(0.0)": "log(0.0) has no real value",
    "a * True": "True cannot stand in a formula; write 1 or 0",
    "-(a < b)": "a condition is not a number; write select(condition, 1, 0)",
    "select(a, a, b)": "a computed number is not a condition; write a comparison such as x > 0",
    "select(~a, a, b)": "a computed number is not a condition",
    "select(a & b, a, b)": "a computed number is not a condition",
    "a + s": "cannot be mixed with sympy expressions; use from_sympy",
    "u + a": "cannot be mixed with casadi expressions; use from_sympy or from_casadi",
    "require(a > 0, 'zero')": "require takes a Status as its flag, such as Status.SINGULAR, not 'zero'",
    "a.x": "a scalar has no .x; declare the argument as a type that has one",
    "a()": "properties such as v.norm and R.transpose have no brackets",
    "a[0]": "a scalar has no elements",
    "[x for x in a]": "a scalar has no elements",
}
"""What Python's numbers can do and computed values cannot: expression of a and b, and the remedy."""


@pytest.mark.parametrize("expression", LIKE_A_NUMBER)
def test_a_computed_value_is_no_number(expression: str, featherc: Featherc, place: Path) -> None:
    model = formula("A, B", "Y", f"return {expression}")
    refused(featherc, place, model, "mine.py:20: kernel f: ", LIKE_A_NUMBER[expression])


STRUCTURED = [
    (
        "K",
        "Y",
        "k[0][1]",
        "an Array is one flat tuple, row by row: element (i, j) of Array((m, n)) is a[n * i + j]",
    ),
    ("V", "Y", "v.norm()", "properties such as v.norm and R.transpose have no brackets"),
    ("V", "Y", "v().x", "properties such as v.norm and R.transpose have no brackets"),
    ("K", "Y", "k[4]", "index 4 is outside of an Array of 4; the last one is 3"),
    ("V", "Y", "v[-4]", "index -4 is outside of a Vec3; the last one is 2"),
    ("K", "Y", "k[0, 1]", "an Array is flat: element (i, j) of Array((m, n)) is a[n * i + j]"),
    (
        "K",
        "Y",
        "(2 * k)[0]",
        "an Array has no +, * or ==; write them for its elements, as in [2 * a for a in x]",
    ),
    ("K", "Y", "(k[:2] + k[2:])[0]", "an Array has no +, * or =="),
    ("K", "Y", "(np.float64(2) * k)[0]", "an Array has no +, * or =="),
    ("K, X", "Y", "select(k == 0, 1, x)", "an Array has no +, * or =="),
    ("V", "Y", "v * v", "Vec3 * Vec3: one side must be a scalar; write a.dot(b) or a.cross(b)"),
    ("V", "Y", "f'{v:g}'", "a Vec3 has no digits to print as 'g': leave the format out"),
    ("V", "W", "v / v", "Vec3 / Vec3: one side must be a scalar"),
    ("V", "W", "v + 1", "Vec3 + a scalar: both sides must be of one type"),
    ("V", "W", "sum([v, v])", "a scalar + Vec3: sum(values, start) needs a start of their type"),
    ("V, Q", "W", "v + q", "Vec3 + Quaternion: both sides must be of one type"),
    ("V, X", "Y", "select(v == 0, 1, x)", "== and != cannot compare Vec3 and a scalar"),
    ("V, W", "Y", "select(v == w, 1, 2)", "== and != cannot compare computed values"),
    (
        "V, Q",
        "W",
        "quat_rotate(v, q)",
        "kernel quat_rotate is called with a Vec3 for q_AB, which is a UnitQuat",
    ),
    (
        "X, V",
        "W",
        "quat_rotate(x, v)",
        "kernel quat_rotate is called with a number for q_AB, which is a Unit",
    ),
    (
        "V, K",
        "W",
        "quat_rotate(Matrix.identity(3), v)",
        "kernel quat_rotate is called with a Symmetric(3) for q_AB, which is a UnitQuaternion",
    ),
    ("V, Q", "W", "quat_rotate(q, v, v)", "kernel quat_rotate is called with 3 values, but takes q_AB, v_B"),
]
"""Inputs, outputs, expression, and the remedy."""


CHANGES = [
    ("V", "v.x = 1", "a value does not change; make a new one of its parts, as in Vec3(1, v.y, v.z)"),
    ("V", "v[0] = 1", "a Vec3 does not change: make a new one of its parts, as in Vec3(1, v.y, v.z)"),
    ("K", "k[0] = 1", "an Array does not change: list its elements, as in x = [*a], and change the list"),
    ("P", "p[0, 1] = 0", "a Matrix(2, 3) does not change: write A = A.with_block(i, j, [[x]]), which is"),
    ("P", "p[0][1] = 0", "a Vector(3) does not change: list its elements, as in x = [*v], and change the"),
    ("X", "x[0] = 0", "a scalar has no elements, and does not change: give a new value"),
]
"""Input, statement that changes a part of it, and the remedy."""

MATRIX = 'P = Arg("p", Matrix(2, 3), "1", "")\n'


@pytest.mark.parametrize(("inputs", "statement", "says"), CHANGES)
def test_values_do_not_change(
    inputs: str, statement: str, says: str, featherc: Featherc, place: Path
) -> None:
    model = formula(inputs, "Y", f"{statement}; return 1").replace("K, Q", f"{MATRIX}K, Q")
    refused(featherc, place, model, "mine.py:21: kernel f: ", says)


def test_what_a_message_says_of_changes_is_so(place: Path) -> None:
    model = f"""{HEAD}{MATRIX}
R = [Arg("w", Vec3, "1", ""), Arg("r", Matrix(2, 3), "1", ""), Arg("l", Array((2, 2)), "1", "")]

@kernel(inputs=[V, P, K], outputs=R, **ABOUT)
def f(v, p, k):
    x = [*k]
    x[0] = 1
    return Vec3(1, v.y, v.z), p.with_block(0, 1, [[0]]), x
"""
    (place / "mine.py").write_text(model)
    program = load_model(place / "mine.py")["f"].program()
    found = evaluate(program, floating(F64), list(np.arange(2.0, 15))).results
    assert found == [1, 3, 4, 5, 0, 7, 8, 9, 10, 1, 12, 13, 14]


@pytest.mark.parametrize("body", ["return f(x)", "return g(x)"])
def test_a_kernel_that_calls_itself_is_refused(body: str, featherc: Featherc, place: Path) -> None:
    other = "@kernel(inputs=[X], outputs=[Y], **ABOUT)\ndef g(x):\n    return f(x)\n"
    remedy = "calls itself, without end: a formula has no recursion; write the repetition as a loop of Python"
    refused(featherc, place, formula("X", "Y", body) + other, "mine.py:", "kernel f: kernel ", remedy)


def test_numpy_matrices_are_operands_of_structures(place: Path) -> None:
    """On either side, as lists of lists are."""
    model = f"""{HEAD}
R = np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1.5]])
ROWS = R.tolist()
U, Z = Arg("u", Vec3, "1", ""), Arg("z", Vec3, "1", "")
OUT = [U, *(Arg(name, Matrix(3, 3), "1", "") for name in "BCD"), Z]

@kernel(inputs=[V, Arg("A", Mat3, "1", ""), Arg("S", SymMat3, "1", "")], outputs=OUT, **ABOUT)
def f(v, A, S):
    return R @ v, R @ A, S @ R, ROWS @ S @ ROWS, A @ np.array([1.0, 2.0, 3.0])
"""
    (place / "mine.py").write_text(model)
    program = load_model(place / "mine.py")["f"].program()
    R = np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1.5]])
    v, A, (a, b, c, d, e, g) = np.arange(1.0, 4), np.arange(9.0).reshape(3, 3), np.arange(2.0, 8)
    S = np.array([[a, b, c], [b, d, e], [c, e, g]])
    wanted = [R @ v, R @ A, S @ R, R @ S @ R, A @ [1.0, 2.0, 3.0]]
    found = evaluate(program, floating(F64), [*v, *A.ravel(), a, b, c, d, e, g]).results
    assert found == pytest.approx(np.concatenate([w.ravel() for w in wanted]))


@pytest.mark.parametrize(("inputs", "outputs", "expression", "says"), STRUCTURED)
def test_structured_values_do_not_mix(
    inputs: str, outputs: str, expression: str, says: str, featherc: Featherc, place: Path
) -> None:
    model = formula(inputs, outputs, f"return {expression}")
    refused(featherc, place, model, "mine.py:20: kernel f: ", says)


RESULTS = [
    ("X", "Y", "2 * x", "the formula returns nothing; end it with return and the outputs in their order"),
    ("X", "Y", "return x, x", "output y has 1 scalars, but the result has 2"),
    ("X", "Y, W", "return x", "the formula returns 1 results, but 2 outputs are declared (y, w)"),
    ("X", "A, B", "return x, None", "output b: None (NoneType) cannot stand in a formula"),
    ("X", "Y", "return 'x'", "output y: 'x' (str) cannot stand in a formula"),
    ("X", "Y", "return x < 1", "output y: a condition is not a number; write select(condition, 1, 0)"),
    ("X", "W", "return Vec3(x, x, x < 1)", "output w_z: a condition is not a number"),
    ("V", "M", "return Force(v, v)", "output m is a Motion, but the result Force"),
    ("X", "Y", "return x / 0", "output y divides by zero whatever the inputs are"),
    ("X", "A, B", "return x, log(-1)", "output b takes the logarithm of a number that is not positive"),
    ("X", "Y", "return x * sqrt(-1)", "output y takes the square root of a negative number"),
    ("X", "Y", "return sqrt(sin(4)) + x", "output y takes the square root of a negative number"),
    ("X", "Y", "return asin(2) + x", "output y takes the arc sine of a number outside [-1, 1]"),
    ("X", "Y", "return acos(-2) + x", "output y takes the arc cosine of a number outside [-1, 1]"),
    (
        "X",
        "Y",
        "require(x > 1 / sqrt(-1), Status.MASS); return x",
        "the requirement of MASS takes the square root",
    ),
]
"""Inputs, outputs, body, and the remedy."""


@pytest.mark.parametrize(("inputs", "outputs", "body", "says"), RESULTS)
def test_results_must_be_what_is_declared(
    inputs: str, outputs: str, body: str, says: str, featherc: Featherc, place: Path
) -> None:
    """The line is that where the formula begins, as the error is of no line in it."""
    refused(featherc, place, formula(inputs, outputs, body), "mine.py:18: kernel f: ", says)


@pytest.mark.parametrize(
    ("outputs", "inputs", "says"),
    [
        (
            ["v"],
            ["q_AB"],
            "quat_rotate has no output or input v to differentiate so: its outputs are v_A, its ",
        ),
        (["v_A"], [], "kernel slopes: D has nothing to differentiate: name outputs and inputs"),
        ([], ["q_AB"], "kernel slopes: it has nothing to differentiate: name outputs and inputs"),
        ("v_A", ["q_AB"], r"kernel slopes: names stand in a list, \['v_A'\]"),
        (["v_A"], "q_AB", r"kernel slopes: names stand in a list, \['q_AB'\]"),
    ],
)
def test_a_jacobian_of_nothing_is_refused(outputs: Sequence[str], inputs: Sequence[str], says: str) -> None:
    with pytest.raises(FeatherError, match=says):
        jacobian(library()["quat_rotate"], "slopes", outputs, {"D": inputs})


IN_A_PRECISION = {
    "a * 1e-60": "fc_f_f32: kernel f: output y needs the constant 1.0e-60, which vanishes in float",
    "a * 1e60": "fc_f_f32: kernel f: output y needs the constant 1.0e+60, which is not finite in float",
    "a * Fraction(10) ** 400": "fc_f_f64: kernel f: output y needs the constant 1.0e+400, which is not",
    "a + exp(exp(100))": "fc_f_f64: kernel f: a constant is about 2^",
    "a / (b - b)": "fc_f_f64: kernel f: output y divides by zero whatever the inputs are",
    "a / (1 - cos(0 * b))": "fc_f_f64: kernel f: output y divides by zero whatever the inputs are",
}
"""What is only known once constants are folded for a precision."""


@pytest.mark.parametrize("expression", IN_A_PRECISION)
def test_constants_must_exist_in_the_precision(expression: str, featherc: Featherc, place: Path) -> None:
    model = "from fractions import Fraction" + formula("A, B", "Y", f"return {expression}")
    refused(featherc, place, model, "mine.py:18: ", IN_A_PRECISION[expression])


def test_what_a_select_leaves_out_may_be_undefined(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(formula("X", "Y", "return select(EPS > 1, x / 0, 2 * x)"))
    program = load_model(tmp_path / "mine.py")["f"].program()
    assert program.outputs[0].name == "y"


ABOUT = "**ABOUT)\ndef f"
DECLARATIONS = {
    "Arg('x', float, '1', '')": "argument x: float is not the type of an argument: write REAL",
    "Arg('x', 'Vec3', '1', '')": "argument x: 'Vec3' is not the type of an argument: write REAL",
    "Arg('x', Vec3(), '1', '')": "Vec3() lacks x, y, z: as the type of an argument, write Vec3 without",
    f"@kernel(inputs=[Arg('x_', REAL, '1', '')], outputs=[Y], {ABOUT}(x_): 0": "'x_' cannot name an argument "
    "of kernel f: with the underscore at its end, names in C that begin with it have double underscores,",
    "Arg('x', [3], '1', '')": "argument x: [3] is not the type of an argument: write REAL",
    "Arg('x', Array(3), '1', '')": "Array(3): the shape is a tuple of whole numbers from 1, as in Array(",
    "Arg('x', Array((0,)), '1', '')": "Array((0,)): the shape is a tuple of whole numbers from 1",
    "Arg('x', Array((2.0,)), '1', '')": "Array((2.0,)): the shape is a tuple of whole numbers from 1",
    "Arg('x', REAL, 1, '')": "argument x: its unit is 1, but must be a string; write Arg(name, type, unit",
    "Arg(1, REAL, '1', '')": "argument 1: its name is 1, but must be a string",
    f"@kernel(inputs=['x'], outputs=[Y], {ABOUT}(x): pass": "kernel f takes x, but its inputs are 'x'",
    f"@kernel(inputs=[X], outputs=['y'], {ABOUT}(x): pass": "kernel f: 'y' is not an Arg(name, type",
    f"@kernel(inputs=[A, B], outputs=[Y], {ABOUT}(b, a): pass": "kernel f takes b, a, but its inputs",
    f"@kernel(inputs=[], outputs=[Y], {ABOUT}(x): pass": "kernel f takes x, but its inputs are none",
    f"@kernel(inputs=[A], outputs=[A], {ABOUT}(a): pass": "kernel f has two arguments called a",
    f"@kernel(inputs=[X], outputs=[Y], tolerance=0, {ABOUT}(x): pass": "kernel f: its tolerance is",
    f"@kernel(inputs=[X], outputs=[Y], failures={{1: 'm'}}, {ABOUT}(x): pass": "kernel f: its failures",
    f"@kernel(inputs=[X], outputs=[Y], requires=1, {ABOUT}(x): pass": "kernel f: its requires is 1",
    f"@kernel(inputs=[Arg('x', Real(integer=True), '1', '')], outputs=[Y], {ABOUT}(x): 0": "input x is an",
    "Arg('x', Value, '1', '')": "argument x: Value is not complete: a Value has a c_name and a layout",
    "@kernel(inputs=[X], outputs=[Y], source='s')\ndef f(x): pass": "kernel f: it lacks its equation; write",
    "@kernel(inputs=[X], outputs=[Y], equation='y = x')\ndef f(x): pass": "kernel f: it lacks its source",
    "f = kernel(inputs=[X], outputs=[Y], **ABOUT)(lambda x: x)": "a lambda has no name: define the",
}
"""Declarations on line 18 of a model, and the remedy."""


@pytest.mark.parametrize("declaration", DECLARATIONS)
def test_declarations_say_what_they_need(declaration: str, featherc: Featherc, place: Path) -> None:
    refused(featherc, place, HEAD + declaration, "mine.py:18: ", DECLARATIONS[declaration])


def test_a_look_up_in_another_unit_is_told_with_the_conversion(featherc: Featherc, place: Path) -> None:
    table = 'T = Table("T", {"alpha": Axis([0, 1, 2], "deg")}, [1, 2, 3], unit="1")'
    head = f'{table}\nX = Arg("x", REAL, "rad", "")\n'
    model = formula("X", "Y", "return T(x)").replace("@kernel", f"{head}@kernel")
    says = (
        "mine.py:22: kernel f: alpha of table T is declared as deg, but is called with x, a plain number (or "
        "radians); multiply it by 57.29577951, or exempt it with bare(...)"
    )
    refused(featherc, place, model, says)


def test_a_tree_of_another_model_is_refused_before_its_table(featherc: Featherc, place: Path) -> None:
    (place / "mine.py").write_text(formula("X", "Y", "return x"))
    (place / "other.py").write_text(formula("X", "Y", "return x").replace("def f", "def g"))
    assert featherc("generate", "--model", "mine.py", "-o", "c").code == 0
    refusal = featherc("verify", "--model", "other.py", "c")
    assert (refusal.code, refusal.out) == (2, "")
    assert "kernel f, which neither the library nor a named model defines: add --model mine.py" in refusal.err


ENGINES = {
    "from_sympy('f', [(X, s)], [(A, s), (B, sympy.gamma(s))])": "output b: gamma is not a function",
    "from_sympy('f', [(X, s)], [(A, s), (B, s + sympy.oo)])": "output b: oo is not a finite constant",
    "from_sympy('f', [(X, s)], [(A, s), (B, s + t)])": "output b: the symbol t is not among the arguments",
    "from_sympy('f', [(X, s)], [(A, sympy.Function('g')(t).diff(t))])": "output a: Derivative(g(t), t) is "
    "not among the arguments: make it one, or replace it with subs",
    "from_sympy('f', [(X, s)], [(A, s + sympy.Function('g')(t))])": "output a: g(t) is not among the",
    "from_sympy('f', [(X, s)], [(A, s), (B, object())])": "output b: object is not a SymPy expression",
    "from_sympy('f', [(X, s)], [(A, 1 / sympy.Float(0) + s)])": "output a: zoo is not a finite constant",
    "from_sympy('f', [(X, s)], [(A, None)])": "output a: NoneType is not a SymPy expression",
    "from_sympy('f', [(X, s), (Y, s)], [(A, s)])": "one symbol stands for two input scalars",
    "from_sympy('f', [(V, s)], [(A, s)])": "v has 3 scalars, but 1 expressions",
    "from_casadi(casadi.Function('f', [u], [u, casadi.erf(u)]), [X], [A, B])": "output b: CasADi's OP_ERF",
    "from_casadi(casadi.Function('f', [u], [u, u * casadi.SX(math.inf)]), [X], [A, B])": "output b: inf is",
    "from_casadi(casadi.Function('f', [u], [u]), [V], [A])": "the CasADi function takes fewer than the 3",
    "from_casadi(casadi.Function('f', [u], [casadi.log(-1 + 0 * u)]), [X], [A])": "output a: nan is",
}
"""Models of the engines, and the remedy."""


@pytest.mark.parametrize("model", ENGINES)
def test_refusals_of_the_engines_name_kernel_and_output(model: str, featherc: Featherc, place: Path) -> None:
    refused(featherc, place, f"{HEAD}f = {model}\n", "mine.py: kernel f: ", ENGINES[model])


# What works


FORMS = {
    "definition=lambda a, b: a + b": "definition: it returns Add, but must return a list",
    "definition=lambda a, b: (a, b)": "definition: it returns 2 expressions for 1 output scalars",
    "definition=lambda a: [a]": "definition: .*mine.py:18: TypeError",
    "definition=lambda a, b: [a if a > b else b]": "definition: .*mine.py:18: TypeError",
    "definition='y'": "definition: in 'y': after 'y', an equals sign is expected",
    "reference=lambda a, b: None": "reference: it returns nothing",
    "reference=lambda a, b: (a, b)": "reference: it returns 2 numbers for 1 output scalars",
    "reference=lambda a: a": "reference: .*mine.py:18: TypeError",
    "reference=lambda a, b: math.sin(a)": "reference: .*mine.py:18: TypeError",
    "reference=lambda a, b: np.log(a)": "reference: .*mine.py:18: .* from codegen, not from NumPy",
}


def with_form(form: str, place: Path) -> Kernel:
    model = f"{HEAD}@kernel(inputs=[A, B], outputs=[Y], {form}, **ABOUT)\ndef f(a, b):\n    return a + b\n"
    (place / "mine.py").write_text(model)
    return load_model(place / "mine.py")["f"]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_that_fails_is_named(form: str, tmp_path: Path) -> None:
    with pytest.raises(FeatherError, match=f"^kernel f: {FORMS[form]}"):
        prove(with_form(form, tmp_path))


@pytest.mark.parametrize("form", ["reference=lambda a, b: a + b", "definition=lambda a, b: [a + b]"])
def test_a_form_may_return_what_the_formula_returns(form: str, tmp_path: Path) -> None:
    kernel = with_form(form, tmp_path)
    assert prove(kernel).status == "proven"
    (expected,) = expected_values(kernel, [Fraction(1), Fraction(2)])
    assert expected == 3


def expected_values(kernel: Kernel, case: list[Fraction]) -> Any:
    expected = Oracle(kernel, F64, checks=True).expected(kernel.program(True), case)
    assert isinstance(expected, Expected)
    return expected.values


def test_a_formula_that_casadi_makes_infinite_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(formula("A", "Y", "return log(modulo(a, a))"))
    with pytest.raises(FeatherError, match=r"^kernel f: its formula in CasADi: output y: -inf is not"):
        prove(load_model(tmp_path / "mine.py")["f"])


def test_an_equation_that_is_not_compared_is_noted(featherc: Featherc, place: Path) -> None:
    """It is written as equations, but gives no results: neither command is silent about it."""
    arguments = 'Arg("v", Vec3, "m/s", "velocity", "B")', 'Arg("F", Vec3, "", "drag", "B")'
    body = 'def f(v):\n    """Drag."""\n    return -v.dot(v) * v\n'
    for equation, reason in (
        ("F = -(v.v) u", "F: u is neither an argument nor defined by an equation"),
        ("F = -(v.v) v", ""),
    ):
        given = f'inputs=[{arguments[0]}], outputs=[{arguments[1]}], equation="{equation}", source="a book"'
        model = f"from codegen import Arg, Vec3, kernel\n\n@kernel({given})\n{body}"
        (place / "mine.py").write_text(model)
        generated = featherc("generate", "--model", "mine.py", "-o", "c")
        verified = featherc("verify", "c", "--model", "mine.py")
        said = f"note: f: its equation is not compared with the formula: {reason}"
        assert [generated.code, verified.code] == [0, 0]
        assert [said in generated.err, said in verified.err] == [bool(reason)] * 2
        assert ("own formula only" in verified.out) is bool(reason)
        assert ("stated, not compared" in read_comment(place / "c" / "fc_mine_f64.h")) is bool(reason)


SINGULAR = {
    "Matrix.from_rows([[1, 2], [2, 4]]).solve(Vector.of([x, 1]))[0]": "a 2x2 matrix is singular",
    "Matrix.from_rows([[x, 0], [2 * x, 0]]).inverse()[0, 0]": "a 2x2 matrix is singular",
    "Matrix.from_rows([[1, 2], [2, 4]]).symmetric.ldlt().solve(Vector.of([x, 1]))[0]": "a 2x2 matrix is not "
    "positive definite",
}
"""Expressions with a matrix that is singular for every x."""


@pytest.mark.parametrize("expression", SINGULAR)
def test_a_matrix_that_is_never_regular_is_refused(expression: str, featherc: Featherc, place: Path) -> None:
    said = f"mine.py:20: kernel f: {SINGULAR[expression]} whatever the inputs are; correct its elements"
    refused(featherc, place, formula("X", "Y", f"return {expression}"), said)


@pytest.mark.parametrize(
    ("flag", "meant"),
    [("SINGULR", "write SINGULAR"), ("TOO_HOT", "write one of NOT_FINITE, MASS, SINGULAR, ")],
)
def test_a_flag_that_there_is_not_is_refused(flag: str, meant: str, featherc: Featherc, place: Path) -> None:
    said = f"Status.{flag} is no status flag; {meant}"
    inside = formula("X", "Y", f"require(x > 0, Status.{flag}); return x")
    refused(featherc, place, inside, f"mine.py:20: kernel f: {said}")
    declared = formula("X", "Y", "return x").replace("**ABOUT", f"failures={{Status.{flag}: ''}}, **ABOUT")
    refused(featherc, place, declared, f"mine.py:18: {said}")


SHAPES = {
    "F = -v.v v": "F: a vector of 3 is multiplied by a vector of 3: write a.b, a x b, or (a.b) c",
    "F = -(v.v) v + 2 v.v": "F: a vector of 3 and a scalar are added",
    "F = [v_x, v_y]": "F: a vector of 2 stands where a vector of 3 is needed",
    "F = tr(v) v": "F: the trace is of a square matrix, not of a vector of 3",
    "F = adj(v) v": "F: the adjugate is of a square matrix, not of a vector of 3",
    "F = -(v.v) v; cols(v, [1, 2]) v = F": "a matrix is made of vectors of one length, "
    "not of a vector of 3 and a vector of 2",
    "F = -(v.v) v + zeros(0, 1)": "F: numbers of rows and columns are whole numbers from 1 on",
    "F = -(v.v) v; F x [0, 1] = v": "a cross product is of vectors of 3, not of a vector of 2",
}
"""Equations of a vector F of a vector v whose shapes do not fit, and what is said of them."""


@pytest.mark.parametrize("equation", SHAPES)
def test_an_equation_whose_shapes_do_not_fit_is_refused(
    equation: str, featherc: Featherc, place: Path
) -> None:
    about = f"outputs=[Arg('F', Vec3, '1', '')], equation={equation!r}, source='a test'"
    body = f"@kernel(inputs=[V], {about})\ndef f(v):\n    return -v.dot(v) * v\n"
    said = f"mine.py:18: kernel f: the shapes in its equation do not fit: {SHAPES[equation]}"
    refused(featherc, place, HEAD + body, said, "; correct it, or write it in words")


def read_comment(header: Path) -> str:
    """The text of a header with its comments' lines joined."""
    return " ".join(line.strip(" *") for line in header.read_text().splitlines())


def test_a_header_says_that_an_equation_in_words_is_not_compared(featherc: Featherc, place: Path) -> None:
    arguments = 'Arg("x", REAL, "m", "level")', 'Arg("y", REAL, "m", "level, doubled")'
    given = f'inputs=[{arguments[0]}], outputs=[{arguments[1]}], equation="y is twice x", source="a book"'
    formula = 'def f(x):\n    """Twice."""\n    return 2 * x\n'
    (place / "mine.py").write_text(f"from codegen import REAL, Arg, kernel\n\n@kernel({given})\n{formula}")
    assert featherc("generate", "--model", "mine.py", "-o", "c").code == 0
    said = "The equation is stated, not compared with the formula: it is in words."
    assert said in read_comment(place / "c" / "fc_mine_f64.h")


def test_a_failure_that_the_formula_never_returns_is_refused(featherc: Featherc, place: Path) -> None:
    arguments = 'Arg("x", REAL, "m", "level")', 'Arg("y", REAL, "m", "level, doubled")'
    given = f'inputs=[{arguments[0]}], outputs=[{arguments[1]}], equation="y = 2 x", source="a book"'
    given += ', failures={Status.MASS: Failure("x > 0", "y = 0")}'
    formula = 'def f(x):\n    """Twice."""\n    return 2 * x\n'
    names = "REAL, Arg, Failure, Status, kernel"
    (place / "mine.py").write_text(f"from codegen import {names}\n\n@kernel({given})\n{formula}")
    done = featherc("generate", "--model", "mine.py", "-o", "c")
    assert done.code == 2
    assert done.err == (
        "featherc: mine.py:3: fc_f_f64: kernel f: failures= states MASS, which the formula never returns: "
        "remove it, or add require(condition, Status.MASS) to the formula\n"
    )


def test_equations_of_bound_kernels_are_compared(featherc: Featherc, place: Path) -> None:
    models = str(ROOT / "examples" / "quadrotor.py"), str(ROOT / "examples" / "quadrotor.toml")
    done = featherc("generate", "--model", models[0], "--bind", models[1], "-o", "c", "-p", "f32")
    assert (done.code, done.err) == (0, "")
    verified = featherc("verify", "c", "--model", models[0])
    assert (verified.code, verified.err) == (0, "")
    assert "2 functions: 2 proven" in verified.out


def test_forms_that_differ_have_a_counterexample(featherc: Featherc, place: Path) -> None:
    given = (
        'inputs=[Arg("x", REAL, "", "a number", range=(1, 2))], outputs=[Arg("y", REAL, "", "its square")]'
    )
    model = (
        f'from codegen import REAL, Arg, kernel\n\n@kernel({given}, equation="y = x^3", source="a book")\n'
    )
    (place / "mine.py").write_text(f'{model}def f(x):\n    """A square."""\n    return x * x\n')
    assert featherc("generate", "--model", "mine.py", "-o", "c").code == 0
    verified = featherc("verify", "c", "--model", "mine.py")
    found = re.search(
        r"fc_f_f64: failed: .* differ in output scalar 0; "
        r"at x = (\S+), y is (\S+) \(formula\) but (\S+) \(equation\)\n",
        verified.err,
    )
    assert verified.code == 1
    assert found is not None
    x, y, other = map(float, found.groups())
    assert 1 <= x <= 2
    assert [y, other] == pytest.approx([x**2, x**3], rel=1e-8)


def test_a_counterexample_tells_constants_apart_that_python_has_rounded() -> None:
    """A product of floats is the shortest decimal that it may stand for, unless it has too many digits."""
    given, result = Arg("x", REAL, "", "a number"), Arg("y", REAL, "", "a multiple")

    @kernel(inputs=[given], outputs=[result], equation="y = 3.14159 0.9 x", source="a test")
    def multiple(x: Any) -> Any:
        """A multiple."""
        return 3.14159 * 0.9 * x

    assert difference_in_words(multiple) == ""

    @kernel(inputs=[given], outputs=[result], equation="y = 3.14159265358979 0.9 15.2 x", source="a test")
    def other(x: Any) -> Any:
        """Another multiple."""
        return 3.14159265358979 * 0.9 * 15.2 * x

    said = difference_in_words(other)
    small = r"y is (\S+) \(formula\) but (\S+) [+-] \S+e-1\d \(equation\); so small a difference"
    found = re.search(small, said)
    assert found is not None
    assert found[1] == found[2]
    assert said.endswith("write PI, or Fraction('15.2')")


def test_a_counterexample_where_a_requirement_fails_says_so(featherc: Featherc, place: Path) -> None:
    """The forms differ only there, because the equation states the results of a failure."""
    given = 'inputs=[Arg("V", REAL, "m/s", "speed")], outputs=[Arg("y", REAL, "s/m", "its inverse")]'
    flags = 'failures={Status.DEGENERATE: Failure("V >= 1", "y = 0")}'
    names = "REAL, Arg, Failure, Status, kernel, require, select"
    model = (
        f"from codegen import {names}\n\n\n@kernel({given}, equation=EQUATION, source='a book', {flags})\n"
    )
    model += 'def f(V):\n    """An inverse."""\n    ok = require(V >= 1, Status.DEGENERATE)\n'
    model += "    return select(ok, 1 / select(ok, V, 1), 0)\n"
    for equation, said in (("y = {0 if V < 1, 1 / V otherwise}", True), ("y = 2 / V", False)):
        (place / "mine.py").write_text(model.replace("EQUATION", f'"{equation}"'))
        assert featherc("generate", "--model", "mine.py", "-o", "c").code == 0
        verified = featherc("verify", "c", "--model", "mine.py")
        assert verified.code == 1
        assert "fc_f_f64: failed: formula and equation differ in output scalar 0; at V = " in verified.err
        assert ("state the results of a failure in failures=, not in the equation" in verified.err) is said


FUNCTIONS_OF_NUMBERS = (
    "sin(1)", "exp(1)", "4 * atan(1)", "tanh(1)", "acos(0)", "cos(a - a + 2)", "sqrt(2 + 0 * a)"
)  # fmt: skip


@pytest.mark.parametrize("number", FUNCTIONS_OF_NUMBERS)
def test_a_function_of_a_number_is_not_rounded_by_casadi(number: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(formula("A", "Y", f"return {number} * a"))
    assert prove(load_model(tmp_path / "mine.py")["f"]).status == "own formula only"


def test_the_self_test_takes_a_tolerance_beyond_the_range(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(formula("A", "Y", "return cosh(modulo(1e30, a))"))
    tree = dict(render_tree([load_model(tmp_path / "mine.py")["f"]], Options()))
    assert "1.7976931348623157e+308" in tree["selftest.c"]


def test_a_constant_of_thousands_of_digits_is_shown(featherc: Featherc, place: Path) -> None:
    """Python prints no integer of more than 4300 digits."""
    body = "for _ in range(2200): x = x * 1.001 + 1\n    return x"
    (place / "mine.py").write_text(formula("X", "Y", body))
    assert featherc("inspect", "--model", "mine.py", "f", "--stage", "program").code == 0


def test_a_kernel_may_return_its_status_alone(tmp_path: Path) -> None:
    body = "require(x > 0, Status.MASS)"
    text = formula("X", "", body).replace("**ABOUT", "failures={Status.MASS: 'x is not positive'}, **ABOUT")
    (tmp_path / "mine.py").write_text(text)
    assert load_model(tmp_path / "mine.py")["f"].program().status


def program_of(function: Callable[..., Any], count: int = 3) -> list[Fraction]:
    """The results of a formula of three numbers at 2, 3, 5."""
    inputs = [Arg(name, REAL, "1", "") for name in "abc"]
    outputs = [Arg("y", Array((count,)), "1", "")]
    return evaluate(
        lower(inputs, outputs, function, True), fractions(), [Fraction(n) for n in (2, 3, 5)]
    ).results


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (
            lambda a, b, c: (np.float64(2) * a, a * np.float64("0.1"), np.float32("0.1") - a),
            (4, "0.2", "-1.9"),
        ),
        (lambda a, b, c: (np.int64(3) / b, b ** np.int8(2), a**2.0), (1, 9, 4)),
        (lambda a, b, c: np.array([1.0, 0.1, 3]) * a, (2, "0.2", 6)),
        (lambda a, b, c: a - np.array([1.0, 0.1, 3]), (1, "1.9", -1)),
        (lambda a, b, c: np.array([[1, 0.5, 0], [0, 1, 0], [0, 0, 2]]) @ np.array([a, b, c]), ("3.5", 3, 10)),
        (lambda a, b, c: -np.array([a, b, c]) / np.array([2, 3, 5]), (-1, -1, -1)),
        (lambda a, b, c: (np.dot([1, 2, 3], [a, b, c]), sum([a, b, c]), abs(a - b)), (23, 10, 1)),
        (lambda a, b, c: (select(np.float64(2.5) < b, a, c), select(np.bool_(True), a, b), +a), (2, 2, 2)),
        (lambda a, b, c: ({a: b}[a], [a, b, c].index(a), a in [a]), (3, 0, 1)),
    ],
)
def test_numpy_numbers_and_arrays_are_as_pythons(function: Callable[..., Any], expected: Any) -> None:
    def numbers(a: Any, b: Any, c: Any) -> Any:
        return [int(x) if isinstance(x, bool) else x for x in function(a, b, c)]

    assert program_of(numbers) == [Fraction(x) for x in expected]


def test_numpy_numbers_may_stand_in_a_function() -> None:
    x = Expr(Op.INPUT, (), 0)
    assert atan2(x, np.float64(0.5)).args[1].value == Fraction(1, 2)


def test_a_numpy_number_scales_a_vector() -> None:
    x, y, z = input_scalars([Arg("v", Vec3, "1", "")])
    assert [s.args[0].value for s in (np.float64(0.1) * Vec3(x, y, z)).scalars()] == [Fraction(1, 10)] * 3


def test_values_are_equal_by_their_scalars() -> None:
    x, y, z = input_scalars([Arg("v", Vec3, "1", "")])
    assert Vec3(x, y, z) == Vec3(x, y, z)
    assert Vec3(1, 2, 3) == Vec3(1, 2, 3) != Vec3(1, 2, 4)
    assert len({Vec3(x, y, z), Vec3(x, y, z), Vec3(1, 2, 3)}) == 2


def test_an_array_is_a_tuple_otherwise() -> None:
    elements = Elements(input_scalars([Arg("k", Array((4,)), "1", "")]))
    first, *others = elements
    assert isinstance(elements, tuple)
    assert (elements[0], list(elements[1:])) == (first, others)
    assert np.array(elements).shape == (4,)


@pytest.mark.parametrize(
    ("number", "decimal"),
    [
        (0.168 - 0.205, "-0.037"),
        (0.1 + 0.2, "0.3"),
        (3 * 1.1e-7, "3.3e-7"),
        (0.1 * 3 / 0.3, "1"),
        (123456.789012 + 1e-16, "123456.789012"),
        (0.1, "0.1"),
        (1 / 3, "0.3333333333333333"),  # 15 digits are no shorter
        (3.141592653589793, "3.141592653589793"),
        (0.123456789012345, "0.123456789012345"),  # was typed so
        (100.1 - 100, "0.09999999999999432"),  # lost more than the last digit
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e308"),
    ],
)
def test_a_float_stands_for_a_short_decimal(number: float, decimal: str) -> None:
    assert decimal_of(number) == Fraction(decimal)


def test_what_is_typed_with_fifteen_digits_is_kept(rng: np.random.Generator) -> None:
    """And no float is moved by more than the half unit of its fifteenth digit."""
    for number in rng.standard_normal(2000) * 10.0 ** rng.integers(-300, 300, 2000):
        for digits in (1, 5, 12, 13, 14, 15):
            typed = f"{number:.{digits - 1}e}"
            assert decimal_of(float(typed)) == Fraction(typed)
        exact = Fraction(repr(float(number)))
        assert abs(decimal_of(float(number)) - exact) <= abs(exact) * Fraction(5, 10**15)


# Modules beside a model

HELPER = """
from codegen import REAL, Arg, kernel

def drag(name, power):
    @kernel(name=name, inputs=[Arg("v", REAL, "m/s", "speed")], outputs=[Arg("d", REAL, "", "drag")],
            equation="d = v^n", source="a test")
    def formula(v):
        return v ** power / SCALE ** power

    return formula

SCALE = %s
linear = drag("linear", 1)
"""


def beside(place: Path, name: str, scale: int) -> Path:
    """A directory with a model and a module that it imports."""
    (place / name).mkdir()
    (place / name / "helper.py").write_text(HELPER % scale)
    model = "from helper import drag, linear\nquadratic = drag('quadratic', 2)\nmore = [drag('cubic', 3)]\n"
    (place / name / "mine.py").write_text(model)
    return place / name / "mine.py"


def test_a_factory_in_a_module_beside_makes_the_models_kernels(tmp_path: Path) -> None:
    """What the module has made under a name of its own is the module's."""
    kernels = load_model(beside(tmp_path, "one", 2))
    assert {name: k.module for name, k in kernels.items()} == {"quadratic": "mine", "cubic": "mine"}
    assert sorted(p.name for p in (tmp_path / "one").iterdir()) == ["helper.py", "mine.py"], (
        "nothing is cached"
    )


def test_models_of_two_directories_have_modules_of_their_own(tmp_path: Path) -> None:
    import sys

    before = set(sys.modules), list(sys.path), list(sys.meta_path)
    for name, scale in (("one", 2), ("two", 5)):
        kernel = load_model(beside(tmp_path, name, scale))["quadratic"]
        assert evaluate(kernel.program(), fractions(), [Fraction(10)]).results == [Fraction(10, scale) ** 2]
    assert set(sys.modules) - before[0] <= {"featherc_model_mine"}
    assert (list(sys.path), list(sys.meta_path)) == before[1:]


def test_packages_beside_a_model_are_found(tmp_path: Path) -> None:
    model = beside(tmp_path, "one", 2)
    (tmp_path / "one" / "parts").mkdir()
    (tmp_path / "one" / "helper.py").rename(tmp_path / "one" / "parts" / "helper.py")
    model.write_text(model.read_text().replace("from helper", "from parts.helper"))
    assert list(load_model(model)) == ["quadratic", "cubic"]  # a directory without __init__.py
    (tmp_path / "one" / "parts" / "__init__.py").write_text("from .helper import SCALE\n")
    assert list(load_model(model)) == ["quadratic", "cubic"]


def test_a_mistake_in_a_module_beside_is_found_there(tmp_path: Path) -> None:
    model = beside(tmp_path, "one", 2)
    helper = tmp_path / "one" / "helper.py"
    helper.write_text(helper.read_text().replace("v ** power /", "abs(v) ** 0.5 /"))
    with pytest.raises(FeatherError, match=r"helper\.py:8: kernel quadratic: an exponent must be a whole"):
        load_model(model)
    helper.write_text("import\n")
    with pytest.raises(FeatherError, match=r"helper\.py:1: invalid syntax"):
        load_model(model)


def test_a_module_may_be_imported_inside_a_formula(tmp_path: Path) -> None:
    """Also when the formula is run again without its checks."""
    (tmp_path / "helper.py").write_text("SCALE = 3\n")
    body = "from helper import SCALE; require(x > 0, Status.MASS); return SCALE * x"
    (tmp_path / "mine.py").write_text(formula("X", "Y", body))
    kernel = load_model(tmp_path / "mine.py")["f"]
    assert kernel.program(True).status
    assert not kernel.program(False).status
