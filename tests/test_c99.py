"""The C: difficult cases of printing compiled and compared, literals, symbols, and warnings of compilers."""

from __future__ import annotations

import ctypes
import itertools
import math
import re
import subprocess
from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import neg
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import example, given, settings
from hypothesis import strategies as st

from codegen.emit.body import Load
from codegen.emit.c99 import emit, literal
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.emit.render import Tree
from codegen.errors import FeatherError
from codegen.frontends.define import from_sympy, kernel
from codegen.ir.expression import EPS, MAX, MIN, PI
from codegen.ir.operations import LIBM
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import F32, F64, Precision, floating, multiprecision
from codegen.ir.types import REAL, Array
from codegen.library import library as kernels
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Vec3
from codegen.modeling.types.scalar import (
    absolute,
    atan2,
    constant,
    cos,
    let,
    maximum,
    minimum,
    select,
    sin,
    sqrt,
)
from codegen.passes import optimise
from codegen.passes.specialise import specialise
from codegen.tree.assemble import render_tree
from codegen.verify.libraries import Library
from codegen.verify.manifest import read_manifest
from codegen.verify.native import STRICT, build, compilers
from tests.conftest import GENERATED, sampled, tool
from tests.test_passes import INPUTS, program_from, programs

PRECISIONS = (F64, F32)
each_precision = pytest.mark.parametrize("precision", PRECISIONS, ids=lambda p: str(p.name))

Formula = Callable[[Any, Any, Any], Any]


def number(name: str) -> Arg:
    return Arg(name, REAL, "1", "a number")


RESULT = number("y")


def written(name: str, formula: Formula) -> Kernel:
    """A kernel of a formula in a, b and c."""
    formula.__name__ = name
    return kernel(inputs=INPUTS, outputs=[RESULT], equation="the formula", source="a test")(formula)


def written_to(directory: Path, tree: Tree) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    for path, text in tree.items():
        (directory / path).write_text(text)
    return directory


def compiled(directory: Path, members: Sequence[Kernel], *flags: str) -> Library:
    """The kernels as a compiled library, without a warning of any kind."""
    written_to(directory, render_tree(members, Options()))
    manifest = read_manifest(directory)
    return Library(
        directory, manifest, build(directory, manifest, directory / "test.so", flags=[*STRICT, *flags])
    )


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """The output of a command, which must succeed without a warning."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=cwd, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


# The printer: fewest parentheses, the Program's own association


def printed(program: Program, precision: Precision = F64) -> str:
    """A Program of one result as C, without any pass."""
    body = emit(specialise(program, precision), precision, ["a", "b", "c"], ["y"])
    return "; ".join(f"{s.name} = {s.expression}" for s in body.statements if not isinstance(s, Load))


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (lambda a, b, c: a - (b - c), "y = a - (b - c)"),
        (lambda a, b, c: a - b - c, "y = a - b - c"),
        (lambda a, b, c: a + (b + c), "y = a + (b + c)"),
        (lambda a, b, c: a * (b * c), "y = a * (b * c)"),
        (lambda a, b, c: a / (b * c), "y = a / (b * c)"),
        (lambda a, b, c: a / b * c, "y = a / b * c"),
        (lambda a, b, c: (a + b) * -c, "y = (a + b) * -c"),
        (lambda a, b, c: a - -b, "y = a - -b"),
        (lambda a, b, c: -(a**2), "y = -(a * a)"),
        (lambda a, b, c: (-a) ** 2, "y = -a * -a"),
        (lambda a, b, c: a - Fraction(-1, 2), "y = a - -0.5"),
        (lambda a, b, c: -(a - 2), "y = -(a - 2.0)"),
        (lambda a, b, c: absolute(a - b), "y = fabs(a - b)"),
        (lambda a, b, c: minimum(a, -b), "minus_b = -b; y = (a < minus_b) ? a : minus_b"),
        (lambda a, b, c: minimum(a, b * c), "b_c = b * c; y = (a < b_c) ? a : b_c"),
        (lambda a, b, c: maximum(a, b) - c, "y = ((a > b) ? a : b) - c"),
        (lambda a, b, c: select(constant(0) < a, a, b), "y = (a > 0.0) ? a : b"),
        (lambda a, b, c: select(~(a <= b), a, b + c), "y = (a <= b) ? b + c : a"),
        (lambda a, b, c: select(a < b, select(b < c, a, b), c), "y = (a < b) ? ((b < c) ? a : b) : c"),
        (lambda a, b, c: select((a < b) & (b < c) & (a < c), a, b), "y = (a < b && b < c && a < c) ? a : b"),
        (
            lambda a, b, c: select((a < b) & ((b < c) | (a < c)), 1, b),
            "y = (a < b && (b < c || a < c)) ? 1.0 : b",
        ),
        (
            lambda a, b, c: select((a < b) & (b < c) | (c < a), 1, b),
            "y = ((a < b && b < c) || c < a) ? 1.0 : b",
        ),
        (
            lambda a, b, c: select((a < b) | (b < c) | (c < a), 1, b),
            "y = (a < b || b < c || c < a) ? 1.0 : b",
        ),
        (lambda a, b, c: (lambda p: p * p)(a + b), "a_plus_b = a + b; y = a_plus_b * a_plus_b"),
    ],
)
def test_printed(formula: Formula, expected: str) -> None:
    assert printed(program_from(formula)) == expected


@pytest.mark.parametrize(
    ("formula", "f64", "f32"),
    [
        (lambda a, b, c: a + 0.1, "a + 0.1", "a + 0.1F"),
        (lambda a, b, c: a / 3, "a / 3.0", "a / 3.0F"),
        (lambda a, b, c: a * Fraction(1, 3), "a * 0.3333333333333333", "a * 0.33333334F"),
        (lambda a, b, c: a * PI, "a * 3.141592653589793", "a * 3.1415927F"),
        (lambda a, b, c: a * EPS, "a * 2.220446049250313e-16", "a * 1.1920929e-7F"),
        (lambda a, b, c: a * sqrt(EPS), "a * 1.4901161193847656e-8", "a * 0.00034526698F"),
        (lambda a, b, c: a + MIN, "a + 2.2250738585072014e-308", "a + 1.1754944e-38F"),
        (lambda a, b, c: a - MAX, "a - 1.7976931348623157e+308", "a - 3.4028235e+38F"),
        (lambda a, b, c: atan2(sqrt(a), abs(b)), "atan2(sqrt(a), fabs(b))", "atan2f(sqrtf(a), fabsf(b))"),
        (lambda a, b, c: sin(a) * cos(b), "sin(a) * cos(b)", "sinf(a) * cosf(b)"),
    ],
)
def test_each_precision_has_its_own_words(formula: Formula, f64: str, f32: str) -> None:
    program = program_from(formula)
    assert (printed(program, F64), printed(program, F32)) == (f"y = {f64}", f"y = {f32}")


# The traps, compiled


a, b, c = sympy.symbols("a b c", real=True)
HALF = sympy.Rational(1, 2)

SYMBOLIC: dict[str, Any] = {
    "power_3_2": (a + b) ** (3 * HALF),
    "power_minus_1_2": (a + b) ** -HALF,
    "power_minus_3_2": (a + b) ** (-3 * HALF),
    "power_minus_1": (a + b) ** -1,
    "power_minus_2": c**-2,
    "square": c**2,
    "seventh_power": c**7,
    "minus_square": -(c**2),
    "minus_minus": sympy.Mul(-1, sympy.Mul(-1, a, evaluate=False), evaluate=False),
    "a_third": a / 3 + sympy.pi * b,
    "extremes": sympy.Max(a, b, c) - 2 * sympy.Min(a, b, c) + sympy.Abs(c),
    "pieces": sympy.Piecewise((a, a < b), (b, sympy.And(b < c, a > 0)), (c, True)),
    "irrational_constant": sympy.sqrt(2) * a + sympy.E * b,
    "arc_tangent": sympy.atan(a) + sympy.atan2(b, c),
}
"""Expected by SymPy's own evaluation."""

WRITTEN: dict[str, Formula] = {
    "nested_difference": lambda a, b, c: a - (b - c),
    "nested_quotient": lambda a, b, c: a / (b * c) + a / (b / c),
    "nested_minus": lambda a, b, c: neg(neg(-a)) - -b - neg(-c),
    "square_of_minus": lambda a, b, c: (-a) ** 2 - (-b) ** 3,
    "third_and_tenth": lambda a, b, c: a * Fraction(1, 3) - b * Fraction(1, 10),
    "extreme_of_extreme": lambda a, b, c: minimum(a, maximum(b, c)) - absolute(minimum(a, -b)),
    "select_in_select": lambda a, b, c: select(
        select(a < b, b, c) < maximum(a, c), select(a < c, b, -c) * a, select(b <= c, a, b) + c
    ),
    "angle": lambda a, b, c: atan2(b, c),
    "conditions": lambda a, b, c: select((a < b) & (b < c) | (c < a), a, select((a < 0) | (b < 0), b, c)),
}  # fmt: skip
"""Expected by Python, running the same text on numbers of 50 digits."""

POINTS = [(2.0, 3.0, 7.0), (0.5, 0.25, -3.0), (-1.25, 6.0, 0.75), (3.0, -2.5, -8.0), (4.0, 4.0, 4.0)]
"""Exact in float; a + b > 0."""

TRAPS = [
    *(from_sympy(name, list(zip(INPUTS, (a, b, c), strict=True)), [(RESULT, e)], source="a test")
      for name, e in SYMBOLIC.items()),
    *(written(name, formula) for name, formula in WRITTEN.items()),
]  # fmt: skip


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def traps(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Library:
    return compiled(tmp_path_factory.mktemp("traps"), TRAPS, request.param)


def exactly(name: str, point: tuple[float, ...]) -> Any:
    if name in WRITTEN:
        return WRITTEN[name](*map(multiprecision(F64).constant, map(Fraction, point)))
    values = dict(zip((a, b, c), map(sympy.Rational, point), strict=True))
    return mpmath.mpf(sympy.N(SYMBOLIC[name].subs(values), 40))


@each_precision
@pytest.mark.parametrize("name", [*SYMBOLIC, *WRITTEN])
def test_trap(traps: Library, name: str, precision: Precision) -> None:
    call = getattr(getattr(traps, precision.name), name)
    for point in POINTS:
        expected, found = exactly(name, point), float(call(*point).y)
        assert abs(found - expected) <= 4 * float(precision.eps) * abs(expected), (point, found, expected)


# Arguments and results


@kernel(
    inputs=[Arg("v", Vec3, "1", "a vector"), number("unused")],
    outputs=[Arg("same", Vec3, "1", "v"), number("x"), number("two"), Arg("pair", Array((2,)), "1", "ends")],
    equation="same = v; x = v_x; two = 2; pair = v_x, v_z",
    source="a test",
)
def copies(v: Vec3, unused: Any) -> Any:
    """Results that are inputs or constants, and an unused input."""
    return v, v.x, 2, (v.x, v.z)


@kernel(
    inputs=[
        Arg("v", Vec3, "1", "a vector"),
        number("v_x"),
        number("t1"),
        Arg("v_y", Array((2,)), "1", "pair"),
    ],
    outputs=[number("v_z"), number("t2")],
    equation="v_z, t2: sums in which names meet",
    source="a test",
)
def names_meet(v: Vec3, v_x: Any, t1: Any, v_y: Any) -> Any:
    """Scalars of structures, arguments and intermediate values with conflicting names."""
    total = let("v_x", v.x * v_x + t1)
    product = let("double", total * v.y)
    third = let("sinf", product + v.z * v_y[0])
    fourth = third - v_y[1]
    return total * product, third * fourth * fourth


CONSTANTS: dict[str, Any] = {
    "a third": Fraction(1, 3),
    "a tenth": 0.1,
    "17 digits": 0.1 + 0.2,
    "9 digits in float": 1.00000012,
    "pi": PI,
    "pi exactly": Fraction("3.141592653589793238462643383279502884"),
    "eps": EPS,
    "min": MIN,
    "max": MAX,
    "denormal in float": 1e-45,
    "last in float": Fraction("3.40282356e38"),
    "minus": -7,
    "half an ulp up in float": 1 + Fraction(1, 2**24) + Fraction(1, 10**30),  # its double is a tie
}


@kernel(
    inputs=[],
    outputs=[Arg("all", Array((len(CONSTANTS),)), "1", "the constants")],
    equation="all = 1/3, 0.1, ...",
    source="a test",
)
def constants() -> Any:
    """Constants only."""
    return tuple(CONSTANTS.values())


SHAPES = {"A": (6, 7), "B": (6, 6), "C": (6, 6), "D": (5, 5)}


@kernel(
    inputs=[Arg("k", Array((20,)), "1", "numbers")],
    outputs=[Arg(name, Array(shape), "1", "a matrix") for name, shape in SHAPES.items()],
    equation="A = numbers here and there; B = few zeros; C = 0; D = two numbers",
    source="a test",
)
def mostly_zero(k: Any) -> Any:
    """Large outputs that are mostly zero, hardly, and altogether; and a small one, of a value of its own."""
    A, B = [0] * 42, [k[0] + i for i in range(36)]
    A[::5] = [k[i] * k[19 - i] for i in range(9)]
    B[:15] = [0] * 15
    total = A[0] + A[40]
    return A, B, [0] * 36, [total * total, total - k[0], *[0] * 23]


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return compiled(tmp_path_factory.mktemp("odd"), [copies, names_meet, constants, mostly_zero], "-O2")


@each_precision
def test_each_zero_of_a_large_output_is_stored_once(odd: Library, precision: Precision) -> None:
    """A loop would execute more instructions: its control, and what is stored twice."""
    k = np.arange(1.0, 21.0)
    found = getattr(odd, precision.name).mostly_zero(k)
    expected = {name: np.zeros(shape) for name, shape in SHAPES.items()}
    expected["A"].ravel()[::5] = k[:9] * k[:-10:-1]
    expected["B"].ravel()[15:] = k[0] + np.arange(15, 36)
    expected["D"].ravel()[:2] = [128**2, 127]  # 1 20 + 9 12
    for name, shape in SHAPES.items():
        np.testing.assert_array_equal(np.reshape(getattr(found, name), shape), expected[name])
    stores = function(mostly_zero, precision, Options()).body.stores
    assert sorted(s.result for s in stores) == list(range(42 + 36 + 36 + 25))


def test_results_are_stored_once_everything_is_read_and_as_soon_as_they_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As where an output may be the same object as an input."""
    monkeypatch.setattr("codegen.emit.function._may_alias", lambda inputs, outputs: True)
    body = function(mostly_zero, F64, Options()).body
    kinds = [type(s).__name__ for s in body.statements]
    last = max(i for i, kind in enumerate(kinds) if kind == "Load")
    assert "Store" not in kinds[:last]
    names = [s.name for s in body.statements]
    zeros = [i for i, s in enumerate(body.statements) if s.expression == "0.0"]
    others = len(names) - (33 + 15 + 36 + 23)
    assert zeros == [*range(others, len(names))]
    assert names[names.index("A_55") + 1] == "A[40]"
    assert names[names.index("total") + 1 : others] == ["D[0]", "D[1]"]
    assert names.index("A_00") < last < names.index("A[0]") < names.index("A_55") < names.index("B[15]")


@each_precision
def test_results_that_are_inputs_or_constants(odd: Library, precision: Precision) -> None:
    found = getattr(odd, precision.name).copies([1.5, 2.5, -3.5], 9)
    assert [list(found.same), found.x, found.two, list(found.pair)] == [[1.5, 2.5, -3.5], 1.5, 2, [1.5, -3.5]]


@each_precision
def test_names_that_meet_are_told_apart(odd: Library, precision: Precision) -> None:
    found = getattr(odd, precision.name).names_meet([2, 3, 5], 7, 11, [13, 17])
    total = 2 * 7 + 11
    third = total * 3 + 5 * 13
    assert list(found) == [total * (total * 3), third * (third - 17) ** 2]


@each_precision
def test_constants_are_the_nearest_numbers(odd: Library, precision: Precision) -> None:
    exact = [multiprecision(precision, 60).lift(x) for x in CONSTANTS.values()]
    found = getattr(odd, precision.name).constants().all
    for name, x, value in zip(CONSTANTS, exact, found, strict=True):
        here, last = abs(mpmath.mpf(float(value)) - x), np.finfo(found.dtype).max
        for limit in (-last, last):
            assert here <= abs(mpmath.mpf(float(np.nextafter(value, limit))) - x), name


@pytest.mark.parametrize(
    ("constant", "precision", "complaint"),
    [
        (3.5e38, "f32", "3.5e+38, which is not finite in float; use other units, or only double"),
        (1e-46, "f32", "1.0e-46, which vanishes in float; use other units, or only double"),
        (Fraction(10) ** 400, "f64", "1.0e+400, which is not finite in double; use other units"),
        (Fraction(10) ** -400, "f64", "1.0e-400, which vanishes in double; use other units"),
    ],
)
def test_a_constant_that_a_precision_lacks_is_named(constant: Any, precision: str, complaint: str) -> None:
    bad = written("bad", lambda a, b, c: a * constant)
    needs = rf"test_c99.py:\d+: fc_bad_{precision}: kernel bad: output y\w* needs the constant "
    with pytest.raises(FeatherError, match=needs + re.escape(complaint)):
        render_tree([bad], Options(precisions=(precision,)))


def test_a_constant_of_double_only_is_fine_in_double() -> None:
    big = written("big", lambda a, b, c: a + 3.5e38)
    assert "a + 3.5e+38;" in render_tree([big], Options(precisions=("f64",)))["fc_test_c99_f64.c"]


@pytest.mark.parametrize(
    "name",
    ["double", "restrict", "inline", "class", "this", "sin", "sinf", "fabs", "NULL", "I", "errno", "main",
     "_x", "__x", "x__y", "x_", "1x", "x y", "x-y", "", "\u00e4"],
)  # fmt: skip
def test_names_that_c_or_cpp_keep_are_refused(name: str) -> None:
    makers: dict[str, Callable[[], Kernel]] = {
        "a kernel": lambda: from_sympy(name, [], [(RESULT, a)]),
        "an argument of kernel takes": lambda: from_sympy("takes", [(number(name), a)], [(RESULT, a)]),
        "an argument of kernel gives": lambda: from_sympy("gives", [(RESULT, a)], [(number(name), a)]),
    }
    for what, make in makers.items():
        with pytest.raises(FeatherError, match=f"cannot name {what}"):
            make()


@pytest.mark.parametrize("label", ["my value", "_x", "x__y", "x" * 130])
def test_an_intermediate_value_needs_a_name_that_c_takes(label: str) -> None:
    bad = written("bad", lambda a, b, c: let(label, a + b) ** 2)
    with pytest.raises(FeatherError, match=f"fc_bad_f64: kernel bad: '{label[:20]}.* cannot name a value"):
        function(bad, F64, Options())


@each_precision
@pytest.mark.parametrize(("y", "x"), list(itertools.product([0.0, -0.0, 1.0, -1.0], repeat=2)))
def test_atan2_keeps_the_quadrants_and_the_zeros_of_c(
    traps: Library, y: float, x: float, precision: Precision
) -> None:
    """At (0, 0) as well: 0 or pi by the sign of x's zero, and the sign of y's."""
    found, expected = float(getattr(traps, precision.name).angle(0.0, y, x).y), math.atan2(y, x)
    assert abs(found - expected) <= float(precision.eps) * abs(expected)
    assert math.copysign(1, found) == math.copysign(1, expected)


# Literals


C = ctypes.CDLL(None)
C.strtod.restype, C.strtof.restype = ctypes.c_double, ctypes.c_float
READ = {F64: C.strtod, F32: C.strtof}
FLOATING_CONSTANT = re.compile(r"-?(\d+\.\d+)(?:e[+-]?[1-9]\d*)?(F?)")


def read_back(text: str, precision: Precision) -> float:
    """The number that a C compiler reads from the literal."""
    return float(READ[precision](text.removesuffix("F").encode(), None))


def check_literal(x: float, precision: Precision) -> None:
    text = literal(Fraction(x), precision)
    shape = FLOATING_CONSTANT.fullmatch(text)
    assert shape, text
    assert shape[2] == ("F" if precision is F32 else "")
    assert read_back(text, precision) == x
    kind: Any = np.float64 if precision is F64 else np.float32
    shortest = np.format_float_scientific(kind(x), unique=True, trim="-")
    assert significant(shape[1]) == significant(shortest.partition("e")[0])


def significant(mantissa: str) -> int:
    return len(mantissa.replace(".", "").replace("-", "").strip("0"))


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(5e-324)
@example(9007199254740993.0)
def test_double_literals_read_back_and_are_shortest(x: float) -> None:
    check_literal(x, F64)


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
@example(16777216.0)
def test_float_literals_read_back_and_are_shortest(x: float) -> None:
    check_literal(x, F32)


def test_float_literals_at_powers_of_two() -> None:
    """Below a power of two floats lie twice as close as above: the nearest short decimal may miss it."""
    for exponent in range(-149, 128):
        power = np.float32(2.0**exponent)
        for x in (power, np.nextafter(power, np.float32(0)), np.nextafter(power, np.float32(np.inf))):
            check_literal(float(x), F32)


@given(st.fractions(), st.sampled_from(PRECISIONS))
@example(1 + Fraction(1, 2**24) + Fraction(1, 10**30), F32)  # its double is a tie, which would go down
def test_a_literal_is_the_nearest_number(exact: Fraction, precision: Precision) -> None:
    assert Fraction(read_back(literal(exact, precision), precision)) == precision.rounded(exact)


# Random Programs: what the compiler makes of the text is what the interpreter makes of the Program


NUMBERS = [0.0, -0.0, 1.0, -1.5, 3.25, 1e-40, -1e30, math.inf, math.nan]


def c_function(name: str, program: Program, precision: Precision) -> str:
    """A C function that runs the Program on n points, one after another."""
    results = len(program.results)
    body = emit(program, precision, [f"in[{i}]" for i in range(3)], [f"out[{i}]" for i in range(results)])
    t, lines = precision.ctype, "\n".join(s.c for s in body.statements)
    return (
        f"void {name}(int n, const {t} *in, {t} *out);\n"
        f"void {name}(int n, const {t} *in, {t} *out)\n"
        f"{{ (void)in; for (; n > 0; n--, in += 3, out += {results}) {{ {lines} }} }}\n"
    )


@settings(max_examples=6)
@given(members=st.lists(programs(), min_size=12, max_size=12))
def test_compiled_programs_equal_the_interpreter_to_the_bit(
    tmp_path_factory: pytest.TempPathFactory, members: list[Program]
) -> None:
    functions = {
        f"f{i}_{precision.name}_{kind}": (precision, change(specialise(program, precision)))
        for i, program in enumerate(members)
        for precision in PRECISIONS
        for kind, change in (("raw", lambda p: p), ("optimised", optimise))
    }
    directory = tmp_path_factory.mktemp("random")
    source = directory / "random.c"
    source.write_text(
        "#include <math.h>\n"
        + "".join(c_function(n, p, precision) for n, (precision, p) in functions.items())
    )
    points = np.array(list(itertools.product(NUMBERS, repeat=3)))
    for level in ("-O0", "-O2"):
        target = directory / f"random{level}.so"
        flags = [f for f in STRICT if f != "-Wfloat-equal"]
        run(
            compilers()[0],
            *flags,
            "-ffp-contract=off",
            level,
            "-shared",
            "-fPIC",
            source,
            "-o",
            target,
            "-lm",
        )
        binary = ctypes.CDLL(str(target))
        for name, (precision, program) in functions.items():
            kind = np.float64 if precision is F64 else np.float32
            given_ = np.ascontiguousarray(points, dtype=kind)
            found = np.empty((len(points), len(program.results)), dtype=kind)
            getattr(binary, name)(
                len(points), ctypes.c_void_p(given_.ctypes.data), ctypes.c_void_p(found.ctypes.data)
            )
            with np.errstate(all="ignore"):
                results = evaluate(program, floating(precision), list(given_.T)).results
            for k, expected in enumerate(results):
                assert same_bits(found[:, k], np.broadcast_to(expected, len(points))), c_function(
                    name, program, precision
                )


def same_bits(x: Any, y: Any) -> bool:
    """Equal numbers with equal signs; all NaNs are equal."""
    return x.dtype == y.dtype and bool(
        np.all((np.isnan(x) & np.isnan(y)) | ((x == y) & (np.signbit(x) == np.signbit(y))))
    )


# What the objects need from elsewhere


LIBM_NAMES = {op.label for op in LIBM} | {"sqrt", "fabs", "sincos"}
"""gcc itself joins a sine and a cosine of one angle."""

CORTEX_M4F = ["-mcpu=cortex-m4", "-mthumb", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"]


def undefined_symbols(directory: Path, precision: Precision, tools: str) -> set[str]:
    """The undefined symbols of the generated objects of one precision."""
    found = sorted(directory.glob(f"*_{precision.name}.o"))
    assert len(found) == len(list(GENERATED.glob(f"*_{precision.name}.c"))) > 0
    listed = run(tool(f"{tools}nm"), "-u", "-A", *found)
    return {line.split()[-1] for line in listed.splitlines()}


def compile_objects(directory: Path, precision: Precision, tools: str, flags: Sequence[str]) -> None:
    """The generated sources of one precision as objects."""
    sources = sorted(GENERATED.glob(f"*_{precision.name}.c"))
    run(tool(f"{tools}gcc"), "-std=c99", "-fno-stack-protector", *flags, "-c", *sources, cwd=directory)


def provided(precision: Precision) -> set[str]:
    """What routines may call: the library's own functions, and what every compiler copies structs with."""
    return {f"fc_{name}_{precision.name}" for name in kernels()} | {"memcpy", "memset"}


@pytest.mark.parametrize(
    "plain",
    [pytest.param(True, marks=pytest.mark.exhaustive), False],
    ids=["-O0 -fno-builtin", "-O2"],
)
@each_precision
def test_objects_call_nothing_but_their_own_libm(
    precision: Precision, plain: bool, objects: Path, tmp_path: Path
) -> None:
    """No pow for a square, no double function from float code, no helper of the compiler."""
    suffix = "f" if precision is F32 else ""
    if plain:
        compile_objects(tmp_path, precision, "", ["-O0", "-fno-builtin"])
    found = undefined_symbols(tmp_path if plain else objects, precision, "")
    assert found - provided(precision) <= {name + suffix for name in LIBM_NAMES}
    assert found >= {name + suffix for name in ("atan2", "sqrt")}


@pytest.mark.parametrize("level", sampled(["-O2", "-O0", "-Os"], every=3))
def test_float_objects_need_no_double_on_a_cortex_m4f(tmp_path: Path, level: str) -> None:
    """Its unit is single precision: a double operation would be a call of __aeabi_d..."""
    compile_objects(tmp_path, F32, "arm-none-eabi-", [*CORTEX_M4F, level])
    found = undefined_symbols(tmp_path, F32, "arm-none-eabi-")
    assert found - provided(F32) <= {f"{name}f" for name in LIBM_NAMES}
    assert "atan2f" in found


# What compilers say


FEW = [
    kernels()[name]
    for name in (
        "quat_normalize", "dcm_to_quat", "rpy_from_quat", "transform_compose", "inertia_from_com",
        "inertia_to_matrix", "inertia_kinetic_energy", "articulated_multiply", "rigid_body_dynamics_quat",
    )
]  # fmt: skip

VARIANTS = {
    "header-only": Options(layout="header-only"),
    "arrays": Options(interface="array"),
    "unchecked": Options(checks=False),
    "header-only arrays in float, unchecked": Options(
        layout="header-only", interface="array", checks=False, precisions=("f32",), prefix="my_"
    ),
}


@pytest.fixture(scope="module")
def sources(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The C files of a tree, and a file for each header that includes it alone."""
    directory = GENERATED
    scratch = tmp_path_factory.mktemp("tree")
    if request.param != "committed":
        directory = written_to(
            scratch / "tree", render_tree([*FEW, copies, names_meet], VARIANTS[request.param])
        )
    for header in directory.glob("*.h"):
        (scratch / f"include_{header.stem}.c").write_text(f'#include "{header}"\nextern int not_empty;\n')
    return [*sorted(directory.glob("*.c")), *sorted(scratch.glob("*.c"))]


SELFTEST = ["-DFC_SELFTEST_MAIN", "-DMY_SELFTEST_MAIN"]
C_ONLY = ("-std=c99", "-Wmissing-prototypes", "-Wstrict-prototypes")
CPP = [flag for flag in STRICT if flag not in C_ONLY]

STYLE = [
    "-Wno-declaration-after-statement",  # C90's rule; C99 declares where a value is known
]
"""Groups of clang's -Weverything that are about taste."""


COMPILERS = {
    "clang, everything": ("clang", ["-std=c99", "-Werror", "-Weverything", *STYLE]),
    "g++ 11": ("g++", ["-x", "c++", "-std=c++11", *CPP, "-Wold-style-cast", "-Wuseless-cast"]),
    "gcc": ("gcc", STRICT),
    "gcc without builtins": ("gcc", [*STRICT, "-fno-builtin"]),
    "clang": ("clang", STRICT),
    "g++ 20": ("g++", ["-x", "c++", "-std=c++20", *CPP]),
    "clang++ 11": ("clang++", ["-x", "c++", "-std=c++11", *CPP]),
}


def each_tree_and_compiler() -> list[Any]:
    """Every tree with every compiler; the sample has another compiler for each tree."""
    return [
        pytest.param(
            tree,
            *COMPILERS[name],
            id=f"{tree}-{name}",
            marks=pytest.mark.exhaustive if (i - k) % len(COMPILERS) else (),
        )
        for k, tree in enumerate(("committed", *VARIANTS))
        for i, name in enumerate(COMPILERS)
    ]


@pytest.mark.parametrize(("sources", "compiler", "flags"), each_tree_and_compiler(), indirect=["sources"])
def test_no_compiler_has_anything_to_say(sources: list[Path], compiler: str, flags: list[str]) -> None:
    if "-Wold-style-cast" in flags:  # the self-test is C, and casts ints as C does
        sources = [path for path in sources if path.stem != "selftest"]
    run(tool(compiler), *flags, *SELFTEST, "-fsyntax-only", *sources)


@pytest.mark.parametrize("compiler", sampled(["gcc", "clang"], every=2))
def test_no_optimiser_has_anything_to_say(compiler: str, objects: Path, tmp_path: Path) -> None:
    """Only an analysis of the data flow finds unset variables and endless loops."""
    if compiler == "clang":
        run(tool(compiler), *STRICT, *SELFTEST, "-O2", "-c", *GENERATED.glob("*.c"), cwd=tmp_path)
    made = tmp_path if compiler == "clang" else objects
    assert {p.stem for p in made.glob("*.o")} == {p.stem for p in GENERATED.glob("*.c")}


SANITIZERS = [
    "-fsanitize=undefined,address,float-divide-by-zero,float-cast-overflow",
    "-fno-sanitize-recover=all",
]


@pytest.mark.exhaustive
def test_selftest_runs_under_the_sanitizers(tmp_path: Path) -> None:
    """No undefined behaviour and no division by zero, at edge cases as well, and every vector is met."""
    target = tmp_path / "selftest"
    run(
        compilers()[0],
        *STRICT,
        "-O0",
        *SANITIZERS,
        *SELFTEST,
        "-DFC_SELFTEST_PRINT",
        *GENERATED.glob("*.c"),
        "-o",
        target,
        "-lm",
    )
    assert run(target) == ""
