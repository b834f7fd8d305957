"""The functions of formulas: compiled against Python's, derivatives, SymPy, CasADi, units, exact values."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import casadi
import mpmath
import numpy as np
import pytest
import sympy

import codegen
from codegen import REAL, Arg, from_casadi, from_sympy, jacobian, kernel, select
from codegen.emit.options import Options
from codegen.errors import FeatherError, FormulaError
from codegen.frontends.dimensions import check_units
from codegen.ir.cost import cost
from codegen.ir.program import evaluate
from codegen.ir.systems import F64, floating
from codegen.loading.python_file import load_model
from codegen.modeling.kernel import Kernel
from codegen.passes.pipeline import optimised
from codegen.proof.equivalence import Driven, compare
from codegen.proof.proof import prove
from codegen.tree.write import generate
from codegen.verify.verify import verify


def modulo(x: float, y: float) -> float:
    return x - y * math.floor(x / y)


def wrap(x: float, period: float = 2 * math.pi) -> float:
    return x - period * math.floor(x / period + 0.5)


def clip(x: float, low: float, high: float) -> float:
    return min(max(x, low), high)


def sign(x: float) -> float:
    return float(x > 0) - float(x < 0)


FUNCTIONS: dict[str, tuple[int, Callable[..., float]]] = {
    "atan": (1, math.atan), "sinh": (1, math.sinh), "cosh": (1, math.cosh), "tanh": (1, math.tanh),
    "log1p": (1, math.log1p), "expm1": (1, math.expm1), "floor": (1, math.floor), "ceil": (1, math.ceil),
    "sign": (1, sign), "wrap": (1, wrap), "hypot": (2, math.hypot), "copysign": (2, math.copysign),
    "asinh": (1, math.asinh), "acosh": (1, math.acosh), "atanh": (1, math.atanh),
    "fmod": (2, math.fmod), "modulo": (2, modulo), "remainder": (2, math.remainder), "clip": (3, clip),
    "minimum": (3, min), "maximum": (3, max),
}  # fmt: skip
"""Each function with the number of its arguments, and Python's."""

NAMED = pytest.mark.parametrize("name", FUNCTIONS)
JUMPS = ("floor", "ceil", "sign", "wrap", "fmod", "modulo", "remainder")


def kernel_of(name: str) -> Kernel:
    """A kernel of one function, inside ranges in which it has values."""
    count, _ = FUNCTIONS[name]
    first = {"log1p": (-0.9, 9), "acosh": (1.5, 9), "atanh": (-0.9, 0.9)}.get(name, (-9.0, 9))
    ranges = [first, (0.5, 3), (4, 5)] if name != "copysign" else [first, (-3, 3)]
    inputs = [Arg(f"x{i}", REAL, "1", "", range=ranges[i]) for i in range(count)]
    function = getattr(codegen, name)
    formulas: dict[int, Callable[..., Any]] = {
        1: lambda x0: function(x0),
        2: lambda x0, x1: function(x0, x1),
        3: lambda x0, x1, x2: function(x0, x1, x2),
    }
    made = kernel(
        inputs=inputs, outputs=[Arg("y", REAL, "1", "")], equation="y = f(x)", source="", name=f"a_{name}"
    )
    return made(formulas[count])


KERNELS = {name: kernel_of(name) for name in FUNCTIONS}
SLOPES = {
    name: jacobian(k, f"d_{name}", ["y"], {"dy": [a.name for a in k.inputs]}) for name, k in KERNELS.items()
}


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The generated functions and their derivatives."""
    directory = tmp_path_factory.mktemp("functions")
    generate([*KERNELS.values(), *SLOPES.values()], Options(), directory)
    return directory


@pytest.fixture(scope="session")
def compiled(place: Any) -> Any:
    return codegen.load(place)


def points(name: str) -> list[list[float]]:
    """Points inside the ranges, in multiples of 1/64, which floats hold."""
    source = np.random.default_rng(3)
    ends = [a.ends[0] for a in KERNELS[name].inputs]
    drawn = source.integers(-10_000, 10_000, (80, len(ends))) / 64
    return [
        [float(low) + abs(x) % float(high - low) for x, (low, high) in zip(p, ends, strict=True)]
        for p in drawn
    ]


@NAMED
@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_compiled_functions_are_those_of_python(name: str, precision: str, compiled: Any) -> None:
    _, expected = FUNCTIONS[name]
    function = getattr(getattr(compiled, precision), f"a_{name}")
    kind = np.float32 if precision == "f32" else np.float64
    eps = 1e-5 if precision == "f32" else 1e-13
    for point in points(name):
        given = [float(kind(x)) for x in point]
        found = float(np.ravel(function(*given))[0])
        assert found == pytest.approx(expected(*given), rel=eps, abs=eps), given


@NAMED
def test_derivatives_are_the_slopes(name: str, compiled: Any) -> None:
    function, step = getattr(compiled.f64, f"d_{name}"), 1e-6
    _, value = FUNCTIONS[name]
    for point in points(name):
        ways = [
            [*point[:i], point[i] + s * step, *point[i + 1 :]] for i in range(len(point)) for s in (1, -1)
        ]
        rises = [(value(*a) - value(*b)) / (2 * step) for a, b in zip(ways[::2], ways[1::2], strict=True)]
        if any(abs(r) > 1e5 for r in rises):
            continue  # across a jump
        assert np.ravel(function(*point)) == pytest.approx(rises, rel=1e-6, abs=1e-4 * math.cosh(9)), point


@NAMED
def test_passes_and_casadi_keep_the_function(name: str) -> None:
    assert prove(KERNELS[name]).status == "own formula only"


def test_the_generated_functions_are_verified(place: Any) -> None:
    rows = list(verify(place, {k.name: k for k in (*KERNELS.values(), *SLOPES.values())}))
    assert [(r.symbol, r.failure) for r in rows if not r.ok] == []
    assert {
        r.symbol: r.trials_left_out for r in rows if r.kernel.startswith("a_") and r.trials_left_out > 15
    } == {}


# Other front ends


X, Y = sympy.symbols("x y", real=True)
SYMPY: dict[str, tuple[Any, Callable[..., Any]]] = {
    "tanh": (sympy.tanh(X), lambda x, y: codegen.tanh(x)),
    "odd": (sympy.sinh(-X) + sympy.cosh(-X), lambda x, y: codegen.cosh(x) - codegen.sinh(x)),
    "square": (sympy.cosh(X) ** 2 - sympy.sinh(X) ** 2, lambda x, y: 1 + 0 * x),
    "atan": (sympy.atan(X * Y), lambda x, y: codegen.atan(x * y)),
    "floor": (sympy.floor(X) + sympy.ceiling(Y), lambda x, y: codegen.floor(x) + codegen.ceil(y)),
    "sign": (sympy.sign(X), lambda x, y: codegen.sign(x)),
    "Heaviside": (sympy.Heaviside(X), lambda x, y: select(x > 0, 1, select(x < 0, 0, Fraction(1, 2)))),
    "Mod": (sympy.Mod(X, Y), lambda x, y: codegen.modulo(x, y)),
    "Max": (sympy.Max(X, Y, 2), lambda x, y: codegen.maximum(x, 2, y)),
    "inverse": (
        sympy.asinh(X) + sympy.acosh(1 + Y**2) + sympy.atanh(X / 2),
        lambda x, y: codegen.asinh(x) + codegen.acosh(1 + y * y) + codegen.atanh(x / 2),
    ),
    "sec": (sympy.sec(X) * sympy.csc(Y), lambda x, y: 1 / (codegen.cos(x) * codegen.sin(y))),
    "cot": (sympy.cot(X), lambda x, y: 1 / codegen.tan(x)),
    "acot": (
        sympy.acot(X) + sympy.asec(X + 2) * sympy.acsc(Y + 2),
        lambda x, y: (
            select(x < 0, -codegen.atan2(1, -x), codegen.atan2(1, x))
            + codegen.acos(1 / (x + 2)) * codegen.asin(1 / (y + 2))
        ),
    ),
    "acsch": (
        sympy.acsch(X) + sympy.asech(1 / (1 + Y**2)) + sympy.acoth(2 / X),
        lambda x, y: codegen.asinh(1 / x) + codegen.acosh(1 + y * y) + codegen.atanh(x / 2),
    ),
    "sech": (
        sympy.sech(X) * sympy.csch(Y) * sympy.coth(X),
        lambda x, y: 1 / (codegen.sinh(x) * codegen.sinh(y)),
    ),
    "frac": (sympy.frac(X), lambda x, y: x - codegen.floor(x)),
    "Xor": (
        sympy.Piecewise((X, sympy.Xor(X > 0, Y > 1)), (Y, True)),
        lambda x, y: select(((x > 0) & ~(y > 1)) | (~(x > 0) & (y > 1)), x, y),
    ),
    "ITE": (
        sympy.Piecewise((X, sympy.ITE(X > 0, Y > 1, Y > 2)), (Y, True)),
        lambda x, y: select(((x > 0) & (y > 1)) | (~(x > 0) & (y > 2)), x, y),
    ),
}


def formula_program(formula: Callable[..., Any]) -> tuple[list[Arg], Driven]:
    inputs = [Arg("x", REAL, "1", ""), Arg("y", REAL, "1", "")]
    made = kernel(inputs=inputs, outputs=[Arg("z", REAL, "1", "")], equation="z = f", source="", name="f")
    return inputs, Driven(made(lambda x, y: formula(x, y)).program(False))


@pytest.mark.parametrize("name", SYMPY)
def test_sympy_functions_are_those_of_formulas(name: str) -> None:
    expression, formula = SYMPY[name]
    inputs, right = formula_program(formula)
    symbols = list(zip(inputs, (X, Y), strict=True))
    model = from_sympy("model", symbols, [(Arg("z", REAL, "1", ""), expression)])
    verdict = compare(inputs, {"formula": right, "sympy": Driven(model.program(False))})
    assert verdict.agreed, verdict.difference


def test_sympys_sinc_and_its_slope_have_values_at_zero() -> None:
    inputs = [(Arg("x", REAL, "1", ""), X)]
    model = from_sympy("model", inputs, [(Arg("z", REAL, "1", ""), sympy.sinc(X))])
    slope = jacobian(model, "slope", ["z"], {"dz": ["x"]})
    for x in (-2.0, 0.0, 1e-3, 3.0):
        expected = [math.sin(x) / x, (math.cos(x) - math.sin(x) / x) / x] if x else [1, 0]
        found = [evaluate(k.program(False), floating(F64), [x]).results[0] for k in (model, slope)]
        assert found == pytest.approx(expected, rel=1e-9)


CASADI: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "tanh": (lambda x, y: casadi.tanh(x) * casadi.sinh(y), lambda x, y: codegen.tanh(x) * codegen.sinh(y)),
    "log1p": (
        lambda x, y: casadi.log1p(x) + casadi.expm1(y),
        lambda x, y: codegen.log1p(x) + codegen.expm1(y),
    ),
    "floor": (lambda x, y: casadi.floor(x) - casadi.ceil(y), lambda x, y: codegen.floor(x) - codegen.ceil(y)),
    "inverse": (
        lambda x, y: casadi.asinh(x) + casadi.acosh(1 + y * y) + casadi.atanh(x),
        lambda x, y: codegen.asinh(x) + codegen.acosh(1 + y * y) + codegen.atanh(x),
    ),
    "hypot": (lambda x, y: casadi.hypot(x, y), lambda x, y: codegen.hypot(x, y)),
    "fmod": (lambda x, y: casadi.fmod(x, y), lambda x, y: codegen.fmod(x, y)),
    "remainder": (lambda x, y: casadi.remainder(x, y), lambda x, y: codegen.remainder(x, y)),
    "copysign": (lambda x, y: casadi.copysign(x, y), lambda x, y: codegen.copysign(x, y)),
}


@pytest.mark.parametrize("name", CASADI)
def test_casadi_functions_are_those_of_formulas(name: str) -> None:
    theirs, formula = CASADI[name]
    inputs, right = formula_program(formula)
    x, y = casadi.SX.sym("x"), casadi.SX.sym("y")
    model = from_casadi(casadi.Function("f", [x, y], [theirs(x, y)]), inputs, [Arg("z", REAL, "1", "")])
    assert compare(inputs, {"formula": right, "casadi": Driven(model.program(False))}).agreed


@pytest.mark.parametrize(("name", "near"), [("asinh", 1e-12), ("atanh", 1e-12)])
def test_odd_functions_keep_small_numbers_and_have_a_slope_at_zero(
    name: str, near: float, compiled: Any
) -> None:
    for x in (near, -near):
        assert getattr(compiled.f64, f"a_{name}")(x)[0] == pytest.approx(x, rel=1e-15)
    assert getattr(compiled.f64, f"d_{name}")(0.0)[0] == 1


@pytest.mark.parametrize("format", ["f32", "f64"])
@pytest.mark.parametrize("name", ["asinh", "acosh"])
def test_inverse_hyperbolic_functions_are_right_over_the_whole_range(
    name: str, format: str, compiled: Any
) -> None:
    limits: Any = np.finfo({"f32": np.dtype(np.float32), "f64": np.dtype(np.float64)}[format])
    last = math.log2(float(limits.max))
    first = 0.0 if name == "acosh" else math.log2(float(limits.tiny))
    library, root = getattr(compiled, format), {"asinh": 1, "acosh": -1}[name]
    for exponent in np.linspace(first, last, 200)[1:-1]:
        x = float(limits.dtype.type(2.0**exponent))
        exact = mpmath.mpf(x)
        (found,), (slope,) = getattr(library, f"a_{name}")(x), getattr(library, f"d_{name}")(x)
        expected = getattr(mpmath, name)(exact)
        assert abs(found - expected) < 3 * limits.eps * expected, x
        assert abs(slope * mpmath.sqrt(exact**2 + root) - 1) < 12 * limits.eps, x
    assert getattr(library, f"a_{name}")(float(limits.max))[0] == pytest.approx(
        math.log(2) + last * math.log(2)
    )


def test_a_wrong_function_is_found() -> None:
    inputs, right = formula_program(lambda x, y: codegen.modulo(x, y))
    _, wrong = formula_program(lambda x, y: codegen.fmod(x, y))
    assert not compare(inputs, {"right": right, "wrong": wrong}).agreed


# Numbers, units, C


def test_functions_of_exact_numbers_are_exact() -> None:
    half = Fraction(1, 2)
    assert codegen.floor(-7 * half) == -4
    assert codegen.ceil(-7 * half) == -3
    assert codegen.fmod(-7 * half, Fraction(2)) == Fraction(-3, 2)
    assert codegen.clip(5 * half, Fraction(0), Fraction(2)) == 2
    assert codegen.sinh(Fraction(0)) == 0
    with pytest.raises(FormulaError, match="log1p"):
        codegen.log1p(-1.0)


def test_equal_is_a_condition() -> None:
    _, chosen = formula_program(lambda x, y: select(codegen.equal(x, y), 1, 0))
    system = floating(F64)
    assert [chosen(system, [1.0, y])[0] for y in (1.0, 2.0)] == [1, 0]


def of_one(function: Callable[..., Any]) -> Callable[..., Any]:
    """A formula of a function of one number."""
    return lambda x: function(x)


def test_functions_take_plain_numbers() -> None:
    lengths = [Arg("x", REAL, "m", "")]
    for function in (codegen.tanh, codegen.floor, codegen.log1p):
        made = kernel(inputs=lengths, outputs=[Arg("y", REAL, "1", "")], equation="", source="", name="f")

        with pytest.raises(FeatherError, match="must be of a plain number"):
            check_units(made(of_one(function)))


def test_an_arc_tangent_of_one_number_is_one_call() -> None:
    assert cost(optimised(KERNELS["atan"])).libm == {"atan": 1}


LACKING = """
from fractions import Fraction
import numpy as np
from codegen import REAL, Arg, kernel, select, wrap

@kernel(inputs=[Arg("x", REAL, "1", "x")], outputs=[Arg("y", REAL, "1", "y")], equation="y", source="a test")
def f(x):
    return FORMULA
"""


@pytest.mark.parametrize(
    "formula",
    [
        "select((x < 3) & (x > 1), x, 0)",
        "select(~(x < 3), x, 0)",
        "x * Fraction(1, 3)",
        "select(x < Fraction(1, 3), 1, 0)",
        "wrap(x, Fraction(1, 3))",
        "sum(np.array([0.5, 1]) * x)",
    ],
)
def test_what_casadi_lacks_is_proven_from_the_recorded_formula(formula: str, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(LACKING.replace("FORMULA", formula))
    proof = prove(load_model(tmp_path / "m.py")["f"])
    assert not proof.status.startswith("failed"), proof.status
    assert "casadi" in proof.ways
