"""C is read back into the Program that it was printed from, and everything else is refused with a reason."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from codegen.emit.function import Function, function
from codegen.emit.options import Options
from codegen.ir.cost import cost
from codegen.ir.operations import Op, Sort
from codegen.ir.program import Program, conjuncts
from codegen.ir.systems import F32, PRECISIONS
from codegen.library import MODULES, library
from codegen.review.diff.functions.normal import Normal, plain, same_computation
from codegen.review.diff.functions.reader import Unread, read
from codegen.review.diff.numbers.arithmetic import run
from codegen.review.diff.reading import Held, Overlap, Reading
from codegen.review.diff.text.source import Source, read_source
from codegen.tree.write import generate
from tests.conftest import GENERATED, sampled

SAMPLE = [
    "quat_multiply", "quat_normalize", "rpy_kinematics", "rpy_from_quat", "inertia_factor",
    "inertia_principal", "inertia_transform", "rigid_body_dynamics_quat", "contact_project", "angle_wrap",
]  # fmt: skip


def tree(directory: Path) -> dict[str, str]:
    return {p.name: p.read_text(encoding="utf-8") for p in directory.iterdir() if p.is_file()}


@pytest.fixture(scope="module")
def committed() -> Source:
    return read_source(tree(GENERATED))


def assert_round_trip(f: Function, source: Source) -> None:
    """The Program read from a function's text is the printed one, up to the order of nodes."""
    found = plain(read(source.functions[f.symbol][0], source))
    normal = Normal()
    assert _meaning(normal, found, f) == _meaning(normal, f.program, f)
    assert cost(found) == f.cost


def _meaning(normal: Normal, program: Program, f: Function) -> object:
    real = Held.FLOAT if f.precision is F32 else Held.DOUBLE
    held = [Held.TRUTH if n.op.result is Sort.BOOLEAN else real for n in program.nodes]
    numbers = normal.numbers(program, held)
    met = {(numbers[i], flag) for n, flag in program.status for i in conjuncts(program, n)}
    return [numbers[r] for r in program.results], met


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("module", sampled(MODULES, every=4))
def test_the_whole_library_is_read_back(committed: Source, module: str, precision: str) -> None:
    for kernel in (k for k in library().values() if k.module == module):
        assert_round_trip(function(kernel, PRECISIONS[precision], Options()), committed)


@pytest.mark.parametrize("choice", sampled([
    {"layout": "header-only"}, {"interface": "array"}, {"checks": False}, {"prefix": "nav_"},
    {"layout": "header-only", "interface": "array", "checks": False, "prefix": "x_"},
], every=2), ids=lambda choice: "-".join(map(str, choice.values())))  # fmt: skip
def test_every_form_is_read_back(choice: Mapping[str, object], tmp_path: Path) -> None:
    options = Options(**choice)  # type: ignore[arg-type]
    kernels = [library()[name] for name in SAMPLE]
    generate(kernels, options, tmp_path)
    source = read_source(tree(tmp_path))
    assert source.prefix == options.prefix
    assert not source.odd
    assert not source.broken
    for kernel in kernels:
        for precision in options.formats:
            assert_round_trip(function(kernel, precision, options), source)


HEADER = """\
#define FC_MASS 2
#define FC_SINGULAR 4
#define SQUARE(x) ((x) * (x))
typedef float number;
typedef struct {
    float x;
    float y;
} pair;
typedef struct {
    pair a;
    float m[2];
} both;
"""


def reading(body: str, signature: str = "void f(const pair *p, float s, pair *out)") -> Reading:
    """The reading of a function with this body."""
    text = f"{HEADER}{signature}\n{{\n{body}\n}}\n"
    source = read_source({"f.c": text})
    assert not source.broken, source.broken
    (name,) = source.functions
    return read(source.functions[name][0], source)


def refused(body: str, signature: str = "void f(const pair *p, float s, pair *out)") -> str:
    with pytest.raises(Unread) as caught:
        reading(body, signature)
    return str(caught.value.args[0].reason)


STORES = "out->x = 0.0F; out->y = 0.0F;"


def test_types_are_kept() -> None:
    single = reading("out->x = p->x * 0.1F; out->y = s;")
    double = reading("out->x = p->x * 0.1; out->y = s;")
    assert single.types == {Held.FLOAT}
    assert double.types == {Held.FLOAT, Held.DOUBLE}
    assert Held.DOUBLE in double.held
    constants = [n.value for r in (single, double) for n in r.program.nodes if n.op is Op.CONSTANT]
    assert constants[0] != constants[1] == Fraction(0.1)  # as a double holds it
    assert reading("out->x = sin(s); out->y = s;").types == {Held.FLOAT, Held.DOUBLE}
    assert reading("out->x = 2 * s; out->y = s;").types == {Held.FLOAT}


@pytest.mark.parametrize(("body", "short"), [
    ("out->x = 2.0 * s;", "out->x = 2.0F * s;"),
    ("out->x = (float)((double)s * (double)p->x);", "out->x = s * p->x;"),
    ("out->x = (double)s / p->x;", "out->x = s / p->x;"),
    ("out->x = (float)fabs((double)s);", "out->x = fabsf(s);"),
    ("out->x = (float)sqrt(s);", "out->x = sqrtf(s);"),
    ("out->x = sqrt(fabs(s));", "out->x = sqrtf(fabsf(s));"),
    ("out->x = fabs(s) + p->x;", "out->x = fabsf(s) + p->x;"),
    ("out->x = -(2.0 * s);", "out->x = -(2.0F * s);"),
    ("out->x = fabs(s) > 0.5 ? s : 0.0F;", "out->x = fabsf(s) > 0.5F ? s : 0.0F;"),
    ("const double t = s > 0.0F ? 2.0 * s : 0.0; out->x = t;", "out->x = s > 0.0F ? 2.0F * s : 0.0F;"),
    ("const double t = s; out->x = t + p->x;", "out->x = s + p->x;"),
    ("out->x = (double)(float)(double)s;", "out->x = s;"),
    ("out->x = s < (double)INFINITY ? s : 0.0F;", "out->x = s < INFINITY ? s : 0.0F;"),
])  # fmt: skip
def test_arithmetic_in_double_that_rounds_as_in_float_is_read_in_float(body: str, short: str) -> None:
    wide, narrow = reading(f"{body} out->y = s;"), reading(f"{short} out->y = s;")
    assert wide.types == narrow.types == {Held.FLOAT}
    assert same_computation(wide, narrow)


@pytest.mark.parametrize("body", [
    "out->x = 2.0 * s - 0.5;",  # rounded twice in float
    "out->x = (float)((double)s * p->x + p->y);",
    "out->x = s * 0.1;",
    "out->x = s > 0.1 ? s : 0.0F;",
    "const double t = s * p->x; const double u = s / (double)p->x; out->x = t * u;",
    "out->x = (float)fabs((double)s * p->x - 1.0);",
    "out->x = sqrt(s * 0.1);",
    "out->x = sqrt(s) * 0.1F;",
    "out->x = sqrt(s) > 0.1F ? s : 0.0F;",
    "out->x = (float)sin(s);",  # not rounded correctly
    "out->x = sinf(2.0 * s) > (double)s * p->x ? s : 0.0F;",
])  # fmt: skip
def test_other_arithmetic_in_double_is_in_double(body: str) -> None:
    assert Held.DOUBLE in reading(f"{body} out->y = s;").types


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "sqrt"])
def test_an_operation_rounds_as_in_float_if_it_is_rounded_to_double_first(op: str) -> None:
    bits = np.random.default_rng(7).integers(0, 2**32, (2, 200_000), dtype=np.uint32)
    ends = np.array([0, 1, 0x7FFFFF, 0x800000, 0x800001, 0x3F800001, 0x7F7FFFFF, 0x7F800000], dtype=np.uint32)
    near = bits[:, :100_000] & 0x803FFFFF  # subnormal, or little more: what is rounded to fewer digits
    x, y = np.hstack([bits, near, np.array(np.meshgrid(ends, ends)).reshape(2, -1)]).view(np.float32)
    in_c = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "sqrt": np.sqrt}[op]
    given = [x, y][: in_c.nin]
    with np.errstate(all="ignore"):
        once, twice = in_c(*given), in_c(*(g.astype(float) for g in given)).astype(np.float32)
    np.testing.assert_array_equal(once, twice)


def test_operations_written_in_double_are_counted() -> None:
    """Their values are those in float; a reviewer is told of the cost."""
    assert reading("out->x = (float)sqrt(s); out->y = 2.0 * s;").wide == 2
    assert reading("out->x = sqrtf(s); out->y = 2.0F * s;").wide == 0
    assert reading("out->x = sqrt(s) * 0.1; out->y = s;").wide == 0  # in double


def test_a_value_is_rounded_before_it_is_used_in_double_again() -> None:
    found = reading("const float t = s * 0.1; out->x = t * 0.3; out->y = s;")
    results = run(found, np.array([[0.0], [0.0], [1.7], [0.0], [0.0]], dtype=np.float32)).results
    s, t = np.float32(1.7), np.float32(float(np.float32(1.7)) * 0.1)
    assert results[:, 0].tolist() == [np.float32(float(t) * 0.3), s]


def test_statements_that_mean_the_same() -> None:
    plain_ = reading("out->x = p->x + s; out->y = p->y;")
    others = [
        "const float a = p->x, b = s; (void)p; out->x = a + b; ; out->y = (*p).y;",
        "float a; a = p[0].x + s; out[0].x = (float)a; (*out).y = +p->y; return;",
        "float a = p->x + s; const float t = a; out->y = p->y; out->x = t;",
    ]
    for body in others:
        assert reading(body).program == plain_.program or cost(reading(body).program) == cost(plain_.program)
        normal = Normal()
        assert normal.of(reading(body)) == normal.of(plain_), body


@pytest.mark.parametrize(("integer", "value"), [
    ("1 / 2", 0), ("-7 / 2", -3), ("010", 8), ("0x10", 16), ("(1 << 3)", 8), ("~0 + 2", 1), ("3 ^ 1", 2),
    ("(int)2.7", 2), ("(int)-2.7F", -2), ("'3' - '0'", 3), ("'<'", 60), ("(unsigned char)257", 1),
    ("(unsigned short)-1", 65535), ("(short)7 / 2", 3), ("(signed char)-100 * 2", -200),
])  # fmt: skip
def test_constant_integers(integer: str, value: int) -> None:
    """As C evaluates them."""
    normal = Normal()
    assert normal.of(reading(f"out->x = s * ({integer});")) == normal.of(reading(f"out->x = s * {value}.0F;"))


@pytest.mark.parametrize(("body", "plain_body"), [
    ("float a = s; a *= p->x; out->x = a;", "out->x = s * p->x;"),
    ("out->x = s; out->x -= 1.0F;", "out->x = s - 1.0F;"),
    ("out->x = s * 0x1.8p1F;", "out->x = s * 3.0F;"),
    ("{ const float a = s; out->x = a; } { const float a = p->x; out->y = a; }",
     "out->x = s; out->y = p->x;"),
    ("if (s < 1.0F) { out->x = s; } else { out->x = 2.0F; }", "out->x = s < 1.0F ? s : 2.0F;"),
    ("out->x = 2.0F; if (s < 1.0F) out->x = s;", "out->x = s < 1.0F ? s : 2.0F;"),
    ("if (s < 1.0F) { out->x = s; }", "out->x = s < 1.0F ? s : out->x;"),
    ("int low = 1; if (s > 1.0F) { low = 0; } out->x = low ? s : 2.0F;",
     "out->x = !(s > 1.0F) ? s : 2.0F;"),
    ("int a = s < 1.0F; if (p->x < s) a = 0; out->x = a ? s : 2.0F;",
     "out->x = !(p->x < s) && s < 1.0F ? s : 2.0F;"),
    ("float a; if (s < 1.0F) { if (s < 0.0F) { a = 1.0F; } else { a = s; } } else { a = 2.0F; } out->x = a;",
     "out->x = s < 1.0F ? (s < 0.0F ? 1.0F : s) : 2.0F;"),
    ("register const float a = s; static const float b = 2.0F; out->x = a * b;", "out->x = s * 2.0F;"),
    ("out->x = SQUARE(SQUARE(s));", "out->x = (s * s) * (s * s);"),
    ("do { out->x = s; } while (0); while (0) { out->x = 2.0F; }", "out->x = s;"),
    ("for (int k = 0; k < 2; k++) { out->x = s; if (k == 1) { out->y = p->x; } }",
     "out->x = s; out->y = p->x;"),
    ("int k = 3; while (k > 1) { --k; } out->x = k * s;", "out->x = 1 * s;"),
    ("unsigned k; float a[3]; for (k = 0; k < 3; k++) { a[k] = s; } out->x = a[0] * a[2];",
     "out->x = s * s;"),
    ("if (s < 1.0F) { out->x = s; return; } out->x = 2.0F;", "out->x = s < 1.0F ? s : 2.0F;"),
    ("if (s < 1.0F) { if (p->x < s) { return; } out->x = s; } out->y = s;",
     "out->x = s < 1.0F ? (p->x < s ? out->x : s) : out->x; "
     "out->y = s < 1.0F ? (p->x < s ? out->y : s) : s;"),
    ("out->x = *&p->x; out->y = (&*p)->y;", "out->x = p->x; out->y = p->y;"),
    ("const pair *const q = p; pair *r = &out[0]; r->x = q->x;", "out->x = p->x;"),
    ("const pair q = *p; out->x = q.y; out->y = q.x;", "const float x = p->x; out->x = p->y; out->y = x;"),
    ("*out = *p;", "const float x = p->x; const float y = p->y; out->x = x; out->y = y;"),
    ("*out = (pair){s, 2.0F};", "out->x = s; out->y = 2.0F;"),
    ("pair q = {.y = s}; q.x = 3.0F; *out = q;", "out->x = 3.0F; out->y = s;"),
    ("const float a[2] = {s, 2.0F}; out->x = *(a + 1) * 0[a];", "out->x = 2.0F * s;"),
    ("both b = {s, 1.0F, 2.0F, 3.0F}; float *m = b.m; *m += s; out->x = b.m[0]; out->y = b.a.y;",
     "out->x = 2.0F + s; out->y = 1.0F;"),
    ("out->x = out->y = s;", "out->y = s; out->x = s;"),
    ("out->x = s, out->y = p->x;", "out->x = s; out->y = p->x;"),
    ("enum { ONE = 1 }; float a[2]; a[ONE] = s; out->x = a[1];", "out->x = s;"),
    ("const int a = s < 1.0F; const int b = p->x < s; out->x = a & b ? s : 2.0F;",
     "out->x = s < 1.0F && p->x < s ? s : 2.0F;"),
    ("const _Bool a = s < 1.0F; out->x = a == 0 ? s : 2.0F;", "out->x = s < 1.0F ? 2.0F : s;"),
    ("out->x = isnan(s) ? 0.0F : s; out->y = isfinite(s) ? s : 1.0F;",
     "out->x = s <= s ? s : 0.0F; out->y = fabsf(s) <= 3.4028235e+38F ? s : 1.0F;"),
    ("out->x = (float)0.5 * s;", "out->x = 0.5F * s;"),
    ("out->x = fabsf(s) < INFINITY ? s : 1.0F; out->y = -HUGE_VALF < s ? s : 1.0F;",
     "out->x = fabsf(s) <= FLT_MAX ? s : 1.0F; out->y = -FLT_MAX <= s ? s : 1.0F;"),
    ("out->x = s >= INFINITY ? s : 1.0F; out->y = s != -INFINITY ? s : 1.0F;",
     "out->x = FLT_MAX < s ? s : 1.0F; out->y = !(s < -FLT_MAX) ? s : 1.0F;"),
    ("out->x = (isnan(s) || isinf(s)) ? 1.0F : s; out->y = !isnan(s) && !isinf(s) ? s : 1.0F;",
     "out->x = isfinite(s) ? s : 1.0F; out->y = isfinite(s) ? s : 1.0F;"),
    ("out->x = s >= -FLT_MAX && s <= FLT_MAX ? s : 1.0F; out->y = s > FLT_MAX || s < -FLT_MAX ? s : 1.0F;",
     "out->x = isfinite(s) ? s : 1.0F; out->y = isinf(s) ? s : 1.0F;"),
    ("out->x = !(s <= FLT_MAX) || !(-FLT_MAX <= s) ? s : 1.0F;", "out->x = isfinite(s) ? 1.0F : s;"),
    ("out->x = s < 0.5F && p->x > 0.0F && -0.5F < s ? s : 1.0F; out->y = s <= -0.1F || 0.1F <= s ? s : 1.0F;",
     "out->x = fabsf(s) < 0.5F && 0.0F < p->x ? s : 1.0F; out->y = 0.1F <= fabsf(s) ? s : 1.0F;"),
    ("out->x = !(FLT_MAX < s) && !(s < -FLT_MAX) ? s : 1.0F;", "out->x = isinf(s) ? 1.0F : s;"),
    ("out->x = s - s == 0.0F ? s : 1.0F; out->y = 0 != s - s ? s : 1.0F;",
     "out->x = isfinite(s) ? s : 1.0F; out->y = isfinite(s) ? 1.0F : s;"),
    ("const int k = isinf(s), n = isfinite(s) != 0; out->x = k ? s : 1.0F; out->y = n ? s : 1.0F;",
     "out->x = isinf(s) ? s : 1.0F; out->y = isfinite(s) ? s : 1.0F;"),
    ("out->x = s * s; out->y = s < 1.0F ? s < 1.0F ? 2.0F : s : p->x;",
     "out->x = s * s; out->y = s < 1.0F ? 2.0F : p->x;"),
    ("float a = s; if (s < 1.0F) { a = s < 1.0F ? 2.0F : p->x; } out->x = a;",
     "out->x = s < 1.0F ? 2.0F : s;"),
    ("volatile float a = s; volatile int n = 2; a += n; out->x = a;", "out->x = s + 2.0F;"),
    ("s += p->x; out->x = s;", "out->x = s + p->x;"),
    ("out->x = s * '\\\\' + '\\n' * '\\'' / '\\x0A';", "out->x = s * 92.0F + 39.0F;"),
    ("out->x = s == s && !(s > 2.0F) ? s : 1.0F;", "out->x = s <= 2.0F ? s : 1.0F;"),
    ("out->x = s == s && p->x < 2.0F ? s : 1.0F;", "out->x = s <= s && p->x < 2.0F ? s : 1.0F;"),
    ("out->x = (double)1e39F < 1e300 ? s : 1.0F;", "out->x = (double)INFINITY < 1e300 ? s : 1.0F;"),
    ("const int k = s < 1.0F ? 5 : s < 2.0F ? 6 : 7; out->x = k == 6 ? s : 1.0F;",
     "out->x = !(s < 1.0F) && s < 2.0F ? s : 1.0F;"),
    ("const unsigned k = (unsigned)(s < 1.0F) << 1 | (s < 0.0F); out->x = k == 2u ? s : 1.0F;",
     "out->x = s < 1.0F && !(s < 0.0F) ? s : 1.0F;"),
    ("switch (s < 1.0F) { case 1: out->x = s; return; default: break; } out->x = 2.0F;",
     "out->x = s < 1.0F ? s : 2.0F;"),
    ("pair q; memcpy(&q.x, &p->x, 2 * sizeof q.y); *out = q;",
     "const float x = p->x; const float y = p->y; out->x = x; out->y = y;"),
    ("const float a[2][2] = {{s, 2.0F}, {3.0F}}; out->x = a[0][1] * a[1][0]; out->y = *a[1] * (*a)[0];",
     "out->x = 2.0F * 3.0F; out->y = 3.0F * s;"),
    ("float a[2][2] = {s, 2.0F, 3.0F}; const float *b = a[1]; a[1][0] = p->x; out->x = b[0] * a[0][1];",
     "out->x = p->x * 2.0F;"),
    ("const float a[][2] = {{s}, {2.0F}}; float b[2][2]; memcpy(b, a, sizeof a); out->x = b[1][0] * **b;",
     "out->x = 2.0F * s;"),
    ("const both b = {.a = {s, 2.0F}, .m = {3.0F}}; out->x = b.a.y * b.m[0]; out->y = b.a.x;",
     "out->x = 2.0F * 3.0F; out->y = s;"),
    ("const float a[3] = {[1] = s, [0] = 2.0F}, b[2][2] = {[1] = {3.0F, s}, [0][1] = 4.0F};"
     " out->x = a[1] * a[0]; out->y = b[1][1] * b[0][1];", "out->x = s * 2.0F; out->y = s * 4.0F;"),
    ("float a, b = s, *q = &b; *(&a) = p->x; *q += a; out->x = b;", "out->x = s + p->x;"),
    ("float a = s; { const float *q = &a; out->y = *q; } if (s < 1.0F) { a = 2.0F; } out->x = a;",
     "out->y = s; out->x = s < 1.0F ? 2.0F : s;"),
    ("number a = s; number b[1] = {2.0F}; out->x = (number)a * *b;", "out->x = s * 2.0F;"),
    ("out->x = 1.0F < 2.0F && 0.5F == 0.5F ? s : 2.0F; out->y = 2.0F < 1.0F || s < 1.0F ? s : 2.0F;",
     "out->x = s; out->y = s < 1.0F ? s : 2.0F;"),
    ("int k = 3u; out->x = k - 4 < 0 ? s : 2.0F; unsigned n = 3; out->y = n - 4 < 0 ? 2.0F : s;",
     "out->x = s; out->y = s;"),
    ("out->x = (s < 1.0F) + (p->x < s) == 2 ? s : 2.0F; out->y = (s < 1.0F) + (p->x < s) > 0 ? s : 2.0F;",
     "out->x = s < 1.0F && p->x < s ? s : 2.0F; out->y = s < 1.0F || p->x < s ? s : 2.0F;"),
    ("int k = -7; if (s < 1.0F) k += 2; out->x = k / 2 == -2 ? s : 2.0F; out->y = k % 4 == -1 ? s : 2.0F;",
     "out->x = s < 1.0F ? s : 2.0F; out->y = s < 1.0F ? s : 2.0F;"),
    ("out->x = s ? 1.0F : 2.0F; if (!p->x) { out->y = s; }",
     "out->x = s != 0.0F ? 1.0F : 2.0F; if (p->x == 0.0F) { out->y = s; }"),
    ("out->x = (s < 1.0F) + 0.0F ? s : 2.0F; out->y = 1.0F - (s < 1.0F) ? s : 2.0F;",
     "out->x = s < 1.0F ? s : 2.0F; out->y = s < 1.0F ? 2.0F : s;"),
    ("out->x = fabsf(s) * fabsf(s); out->y = -s * -s;", "out->x = s * s; out->y = s * s;"),
    ("out->x = atan2f(-p->x, s); out->y = -atan2f(-s, p->x);",
     "out->x = -atan2f(p->x, s); out->y = atan2f(s, p->x);"),
])  # fmt: skip
def test_statements_in_other_words(body: str, plain_body: str) -> None:
    assert same_computation(reading(body), reading(plain_body))
    assert reading(body).types == reading(plain_body).types


@pytest.mark.parametrize(("body", "other"), [
    ("out->x = fabsf(s) * s;", "out->x = s * s;"),
    ("out->x = -s * s;", "out->x = s * s;"),
    ("out->x = atan2f(p->x, -s);", "out->x = -atan2f(p->x, s);"),
    ("out->x = atan2f(fabsf(s), p->x);", "out->x = fabsf(atan2f(s, p->x));"),
    ("out->x = atan2f(0.0F - s, p->x);", "out->x = -atan2f(s, p->x);"),
    ("out->x = (s < 1.0F) - 1.0F ? s : 2.0F;", "out->x = s < 1.0F ? s : 2.0F;"),
    ("out->x = s ? 1.0F : 2.0F;", "out->x = s > 0.0F ? 1.0F : 2.0F;"),
])  # fmt: skip
def test_signs_and_conditions_that_matter(body: str, other: str) -> None:
    assert not same_computation(reading(body), reading(other))


def test_an_integer_of_a_choice_keeps_its_value() -> None:
    """2 is no truth value, though it counts as true."""
    chosen = "const int n = (s < 1.0F) ? (p->x < s) : {}; out->x = n * s;"
    assert not same_computation(reading(chosen.format(2)), reading(chosen.format(1)))


def test_a_store_in_a_branch_and_an_input_that_is_the_output() -> None:
    found = reading("if (s < 1.0F) { out->x = s; } out->y = p->x;")
    assert [(o.input, o.output) for o in found.overlaps] == [("p", "out")]


def test_members_and_elements() -> None:
    found = reading("*out = b->a.y + b->m[1];", "void f(const both *b, float *out)")
    inputs = [n.value for n in found.program.nodes if n.op is Op.INPUT]
    assert inputs == [1, 3]
    assert found.signature.parameters[0].scalars == ["b->a.x", "b->a.y", "b->m[0]", "b->m[1]"]
    assert found.signature.parameters[1].scalars == ["*out"]


@pytest.mark.parametrize(("returned", "expected"), [
    ("ok ? 0 : FC_MASS", {("lt", 2)}),
    ("ok ? FC_MASS : 0", {("not", 2)}),
    ("(ok ? 0 : FC_MASS) | (s < 2.0F ? 0 : 4)", {("lt", 2), ("lt", 4)}),
    ("ok ? 0 : (s < 2.0F ? FC_MASS : FC_SINGULAR)", {("not", 2), ("not", 4)}),
    ("0", set()),
])  # fmt: skip
def test_status(returned: str, expected: set[tuple[str, int]]) -> None:
    found = reading(f"const int ok = 0.0F < s; return {returned};", "int f(float s)")
    assert {(found.program.nodes[n].op.label, int(flag)) for n, flag in found.program.status} == expected


STATUS = """\
typedef unsigned int fc_status;
#define FC_OK 0u
#define FC_MASS 2u
#define FC_SINGULAR 4u
"""


def status_of(body: str, header: str = STATUS) -> set[tuple[str, int]]:
    """The flags of a function with this body, each with the operation that averts it."""
    source = read_source({"f.c": f"{header}fc_status f(float s)\n{{\n{body}\n}}\n"})
    found = read(source.functions["f"][0], source)
    return {(found.program.nodes[n].op.label, int(flag)) for n, flag in found.program.status}


@pytest.mark.parametrize(("body", "expected"), [
    ("return 0.0F < s ? FC_OK : FC_MASS;", {("lt", 2)}),
    ("return 0.0F < s ? 0 : FC_MASS;", {("lt", 2)}),
    ("fc_status status = FC_OK; if (!(0.0F < s)) { status |= FC_MASS; } return status;", {("lt", 2)}),
    ("fc_status status = FC_OK; if (0.0F < s) status |= FC_MASS; return status;", {("not", 2)}),
    ("fc_status status = FC_OK; status |= 0.0F < s ? FC_OK : FC_MASS; return status;", {("lt", 2)}),
    ("fc_status status = 0.0F < s ? FC_OK : FC_MASS; if (!(s < 2.0F)) { status |= FC_SINGULAR; } "
     "return status;", {("lt", 2), ("lt", 4)}),
    ("fc_status status = FC_OK; if (0.0F < s) { status |= s < 2.0F ? FC_OK : FC_MASS; } return status;",
     {("or", 2)}),
    ("fc_status status = FC_MASS; return status;", {("truth", 2)}),
    ("fc_status status = 0.0F < s ? FC_OK : FC_MASS; if (!(s < 2.0F)) { status += FC_SINGULAR; } "
     "return status;", {("lt", 2), ("lt", 4)}),
    ("if (!(0.0F < s)) { return FC_MASS; } return FC_OK;", {("lt", 2)}),
    ("const int low = !(0.0F < s); return (fc_status)(low * FC_MASS);", {("lt", 2)}),
    ("fc_status status = (unsigned)!(0.0F < s) << 1; return status & 6u;", {("lt", 2)}),
    ("return -(fc_status)!(0.0F < s) & FC_MASS;", {("lt", 2)}),
    ("switch (0.0F < s) { case 0: return FC_MASS; default: return FC_OK; }", {("lt", 2)}),
    ("return FC_OK;", set()),
])  # fmt: skip
def test_a_status_is_read_step_by_step(body: str, expected: set[tuple[str, int]]) -> None:
    assert status_of(body) == expected


@pytest.mark.parametrize(("body", "reason"), [
    ("const fc_status status = FC_OK; status |= FC_MASS; return status;", "an assignment to status"),
    ("fc_status status; status |= FC_MASS; return status;", "used before it has a value"),
    ("fc_status status = s < 2.0F; status += 1u; return status;", "flags used as a number"),
    ("fc_status status = FC_OK; status |= 0.5F; return status;", "not a combination of flags"),
    ("fc_status status = FC_OK; if (0.0F < s) { return status; }",
     "it does not return a value on every way"),
    ("fc_status status = FC_OK; if (0.0F < s) { return; } return status;",
     "it does not return a value on every way"),
    ("return -FC_MASS;", "the status 4294967294"),
    ("return -(fc_status)!(0.0F < s) | FC_MASS;", "a flag that no status holds"),
    ("return -(1.0F < -INFINITY) & 2;", "integer arithmetic"),
    ("switch (s) { case 1: return FC_MASS; } return FC_OK;", "a switch over a number that is no integer"),
    ("switch (0.0F < s) { float k; case 1: return 1; } return FC_OK;", "statements outside of its cases"),
    ("switch (0.0F < s) { case 1: ; int k = 2; return k; } return FC_OK;", "a declaration in a case"),
])  # fmt: skip
def test_a_status_of_another_form_is_not_read(body: str, reason: str) -> None:
    with pytest.raises(Unread) as caught:
        status_of(body)
    assert reason in str(caught.value.args[0].reason)


@pytest.mark.parametrize("declared", ["int fc_status", "unsigned char fc_status", "float fc_status"])
def test_a_status_of_another_type_is_not_read(declared: str) -> None:
    with pytest.raises(Unread):
        status_of("return FC_OK;", STATUS.replace("unsigned int fc_status", declared))


def test_an_output_that_is_not_written_keeps_what_it_held() -> None:
    found = reading("out->x = s;")
    last = found.program.nodes[found.program.results[1]]
    assert (last.op, last.value) == (Op.INPUT, 4)  # after p->x, p->y, s, out->x


def test_an_input_that_is_read_after_an_output_is_written() -> None:
    late = reading("out->x = p->y; out->y = p->x;")
    assert late.overlaps == (Overlap("p", "out"),)
    assert reading("const float x = p->x; out->x = p->y; out->y = x;").overlaps == ()
    other = reading("*out = p->y; out[0] = p->x;", "void f(const pair *p, float *out)")
    assert other.overlaps == ()  # not the same type


ROW = "void f(const float x[2], float row[4])"


def test_a_loop_over_an_array_is_read_turn_by_turn() -> None:
    loop = reading("for (int k = 0; k < 4; k += 2) { row[k] = 0.5F; row[k + 1] = x[1]; } row[1] = x[0];", ROW)
    bare = "for (int k = 0; k < 4; k += 2) row[k] = 0.5F; for (int k = 0; k < 4; k += 2) row[1 + k] = x[1];"
    plain_ = reading("row[0] = 0.5F; row[1] = x[0]; row[2] = 0.5F; row[3] = x[1];", ROW)
    normal = Normal()
    assert normal.of(loop) == normal.of(plain_) == normal.of(reading(f"{bare} row[1] = x[0];", ROW))


@pytest.mark.parametrize(("loop", "reason"), [
    ("for (int k = 0; k < 6; k += 2) { row[k] = 0.0F; }", "row has no [4]"),
    ("for (int k = 0; k < 4; k += 2) { row[k + 3] = 0.0F; }", "row has no [5]"),
    ("for (int k = 0; k < 2; k += 1) { x[k] = 0.0F; }", "x is an input"),
    ("for (int k = 0; k < 4; k += 1) { row[j] = 0.0F; }", "an index that is not a plain number"),
    ("for (int k = 0; k < 4; k += 1) { row[k ? 4 : 1] = 0.0F; }", "row has no [4]"),
    ("for (int k = 0; k < 4; k += 1) { row[k] %= 2; }", "an unsupported form of assignment"),
    ("for (int k = 0; k < 4; k += 1) { k = 1; }", "loops of more than 2000 turns"),
    ("for (int k = 0; k < 4; k += 1) { if (k) break; }", "a break"),
    ("for (int k = 0; k < 4; k += 1) { if (x[0] > 1.0F) { return; } }", "a return or a goto in a loop"),
    ("for (int k = 0; x[0] > 1.0F; k += 1) { row[0] = x[1]; }", "a loop whose turns are not known"),
    ("for (const int k = 0; k < 4; k += 1) { row[0] = x[1]; }", "an assignment to k"),
    ("for (int k = 0; k < 900000000; k += 1) { row[0] = 0.0F; }", "loops of more than 2000 turns"),
    ("for (int k = 0; k < 4; k += 0) { row[k] = 0.0F; }", "loops of more than 2000 turns"),
    ("for (int k = 0; j < 4; k += 1) { row[k] = 0.0F; }", "a loop whose turns are not known"),
    ("for (float k = 0; k < 4; k += 1) { row[k] = 0.0F; }", "a loop whose turns are not known"),
    ("for (int k = 0; k < 4; k += 1) { } row[k] = 0.0F;", "an index that is not a plain number"),
    ("while (0) { row[4] = 0.0F; }", "row has no [4]"),
])  # fmt: skip
def test_other_loops_over_arrays_are_not_read(loop: str, reason: str) -> None:
    with pytest.raises(Unread) as caught:
        reading(loop, ROW)
    assert str(caught.value.args[0].reason).startswith(reason)


def test_a_loop_does_not_hide_a_wrong_element() -> None:
    loop = reading("for (int k = 0; k < 4; k += 2) { row[k] = 0.5F; row[k + 1] = 0.0F; }", ROW)
    plain_ = reading("row[0] = 0.5F; row[1] = 0.0F; row[2] = 0.0F; row[3] = 0.0F;", ROW)
    normal = Normal()
    assert normal.of(loop) != normal.of(plain_)


@pytest.mark.parametrize(("body", "reason"), [
    ("for (;;) { }", "a loop"),
    ("while (s > 0.0F) { }", "a loop"),
    ("if (s > 0.0F) { float a = s; } out->x = a;", "the name a"),
    ("float a; if (s > 0.0F) { a = s; } out->x = a;", "a is used before it has a value"),
    ("{ float a = s; } out->x = a;", "the name a"),
    ("again: out->x = s; goto again;", "a goto"),
    ("goto end; out->x = s; end: ;", "a statement that is never reached"),
    ("float a[1]; if (s < 1.0F) goto end; pair q = *p; end: out->x = q.x;",
     "a goto past the declaration of q"),
    ("while (s < 1.0F) { out->x = s; { break; } }", "a loop whose turns are not known"),
    ("for (static int k = 0; s < 1.0F;) { out->x = s; break; }", "the declaration of k"),
    ("for (;;) { if (s < 1.0F) continue; break; }", "a loop whose turns are not known"),
    ("typedef float number; number a = s;", "the type number"),
    ("typedef const float real; real a = s;", "the type real"),
    ("typedef float real[2]; real a = {s};", "the type real"),
    ("typedef float real; int real = 1;", "invalid C"),
    ("typedef float real; { float real = s; }", "the type real"),
    ("out->x = helper(s);", "a call of helper"),
    ("out->x = sinf(s, s);", "a call of sinf"),
    ("out->x = powf(s, 3.0F);", "a call of powf"),
    ("out->x = SQUARE(s, s);", "the macro SQUARE"),
    ("out->x = SQUARE;", "the macro SQUARE"),
    ("out->x = *(&p->x + 1);", "pointer arithmetic on p"),
    ("out->x = (p + 1)->x;", "pointer arithmetic on p"),
    ("out->x = p[1].x;", "pointer arithmetic on p"),
    ("out->z = s;", "out has no .z"),
    ("p->x = s;", "p is an input"),
    ("out->x %= s;", "an unsupported form of assignment"),
    ("p->x += s;", "p is an input"),
    ("const float a = s; a = 1.0F; out->x = a;", "an assignment to a"),
    ("p = out;", "an assignment to p"),
    ("float a; out->x = a;", "a is used before it has a value"),
    ("out->x = b; float b = s;", "the name b"),
    ("float a = s; float a = s;", "a is declared twice"),
    ("float s = 1.0F;", "s is declared twice"),
    ("static float a = 1.0F;", "a is static: calls at the same time share it"),
    ("volatile float a = s; const volatile float *b = &a;", "the declaration of a"),
    ("volatile float a[2] = {s};", "the declaration of a"),
    ("register volatile float a = s;", "the declaration of a"),
    ("static volatile const float a = 1.0F;", "the declaration of a"),
    ("const int n = isinf(s); out->x = n + 1;", "a number of which only is known where it is 0"),
    ("const int n = isinf(s); out->x = n == 1 ? s : 2.0F;", "integer arithmetic"),
    ("unsigned n = 1u; n |= isnan(s); out->x = n ? s : 2.0F;", "a status that is not"),
    ("unsigned char n = isnan(s); out->x = n ? s : 2.0F;", "an integer of another type"),
    ("out->x = s < 1.0F ? isnan(s) : 2;", "a number of which only is known where it is 0"),
    ("float a[];", "the declaration of a"),
    ("long double a = s;", "the declaration of a"),
    ("out->x = s * 1.0L;", "the constant 1.0L"),
    ("out->x = s * 08;", "invalid C"),
    ("out->x = s * (int)s;", "a real number made an integer"),
    ("out->x = s * (int)3.0e9;", "a real number made an integer"),
    ("const int n = s; out->x = n * s;", "a real number made an integer"),
    ("out->x = s * (1 << 31);", "integer arithmetic"),
    ("out->x = s * 0x1p3L;", "the constant 0x1p3L"),
    ("out->x = s * 0x1p99999F;", "the constant 0x1p99999F"),
    ("out->x = s * 1e99999F;", "the constant 1e99999F"),
    ("out->x = 1 / 0 * s;", "integer arithmetic"),
    ("out->x = (s = 2.0F, 1.0F) * s;", "an unsupported form of assignment"),
    ("out->x = s++ * s;", "the operator"),
    ("out->x = s; return; out->y = s;", "statements after a return"),
    ("return 1;", "a return that does not match the return type"),
    ("out->x = ; ", "invalid C"),
    ("out->x = (float){s, s};", "a compound literal that is no number"),
    ("out->x = (float){{s}};", "a compound literal that is no number"),
    ("out->x = (const float){s};", "a cast"),
    ("out->x = 'ss';", "the constant"),
    ("out->x = '\\200';", "the constant"),
    ("__asm__(\"nop\");", "__asm__ is not C99"),
    ("const float a[2][2] = {{s}, 2.0F};", "an initialiser that is no plain list"),
    ("const float a[1][2] = {{s}, {2.0F}};", "an initialiser that is no plain list"),
    ("const float a[1][2] = {{s, 2.0F, 3.0F}};", "an initialiser that is no plain list"),
    ("const float a[2][2] = {{s}}; out->x = a[0][2];", "a has no [0][2]"),
    ("const float a[2][] = {{s}, {s}};", "the declaration of a"),
    ("float a[2][2]; a[0][0] = s; out->x = a[0][1];", "a[0][1] is used before it has a value"),
    ("float a; const float *q = &a; out->x = *q;", "a is used before it has a value"),
    ("float a; if (s < 1.0F) { *&a = s; } out->x = a;", "a is used before it has a value"),
    ("const float a = s; float *q = &a; *q = 2.0F;", "a pointer to a constant that is none"),
    ("double a = s; const float *q = &a;", "a pointer to float that points to another type"),
    ("float a = s; out->x = (&a)[1];", "pointer arithmetic on a"),
    ("out->x = 0.0F == -0.0F ? s : r;", "the name r"),
    ("out->x = (s < 1.0F) * 2147483647 + (p->x < s);", "integer arithmetic"),
    ("out->x = s * (2 + 2147483647);", "integer arithmetic"),
    ("int k = s < 1.0F; k = k - 1; k = k / k; out->x = k;", "integer arithmetic"),
    ("unsigned k = s < 1.0F; out->x = k - 1 < 0 ? s : 2.0F;", "flags used as a number"),
])  # fmt: skip
def test_what_is_not_read(body: str, reason: str) -> None:
    assert reason in refused(body)


@pytest.mark.parametrize(("signature", "reason"), [
    ("float f(float s)", "it returns float"),
    ("void f(int n)", "a parameter of the type int"),
    ("void f(const float x[0])", "an array without a constant size"),
    ("void f(const float **x)", "the type of the parameter x"),
    ("void f(const unknown *x)", "invalid C"),
    ("void f(float)", "a parameter without a name"),
    ("void f(volatile float x)", "the type of the parameter x"),
    ("__attribute__((weak)) void f(float x)", "__attribute__ is not C99"),
])  # fmt: skip
def test_signatures_that_are_not_read(signature: str, reason: str) -> None:
    assert reason in refused("", signature)


@pytest.mark.parametrize("body", [
    f"out->x = {'-' * 5000} s;",
    f"out->x = {'! ' * 5000} s;",
    f"out->x = s{' + s' * 50000};",
    f"out->x = {'s < 1.0F ? s : ' * 5000} s;",
    f"out->x = {'(' * 50}s{')' * 50} * {'2.0F * ' * 60000} s;",
    "".join(f"const float t{i} = {f't{i - 1}' if i else 's'} * s;" for i in range(30000)),
], ids=["minus", "not", "sum", "select", "product", "many"])  # fmt: skip
def test_large_functions_are_refused(body: str) -> None:
    assert refused(body)


def test_the_place_is_told() -> None:
    source = read_source({"a/b.c": HEADER + "\nvoid f(float s, float *out)\n{\n\n    *out = g(s);\n}\n"})
    with pytest.raises(Unread) as caught:
        read(source.functions["f"][0], source)
    assert caught.value.args[0] == ("a/b.c", HEADER.count("\n") + 5, "a call of g")
