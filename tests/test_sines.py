"""--sincos pairs: a sine and a cosine of one angle, computed together by a generated function."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

import codegen
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.emit.sines import COEFFICIENTS, LARGEST, ULP
from codegen.errors import FeatherError
from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.systems import F32, F64, PRECISIONS, Precision
from codegen.ir.types import REAL, Array
from codegen.mechanisms import Mechanism, robot_kernels
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.scalar import cos, sin
from codegen.review.diff.changes import ChangeClass
from codegen.review.diff.compare import compare_trees
from codegen.tree.assemble import render_tree
from codegen.tree.write import generate
from codegen.verify.native import STRICT, compilers
from tests.conftest import Featherc, tool
from tests.test_mechanisms import ARM

PAIRS = Options(sincos="pairs")


def both() -> Kernel:
    """A kernel that needs the sine and the cosine of one angle, and the sine of another."""

    @kernel(
        inputs=[Arg("a", REAL, "rad", ""), Arg("b", REAL, "rad", "")],
        outputs=[Arg("s", REAL, "1", ""), Arg("c", REAL, "1", ""), Arg("t", REAL, "1", "")],
        equation="s = sin(a); c = cos(a); t = sin(b)",
        source="a test",
    )
    def turned(a: Any, b: Any) -> Any:
        return sin(a), cos(a), sin(b)

    return turned


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("sines") / "c"
    generate([both()], PAIRS, place)
    return place


# How accurate it is, and where it calls the functions of <math.h>

MEASURED = """
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "fc.h"

static double ulps(float found, double exact, double of)
{
    int exponent;
    (void)frexp(of, &exponent);
    return fabs((double)found - exact) / ldexp(1.0, exponent - 24);
}

int main(void)
{
    const float first = %(least)s, last = %(largest)s;
    uint32_t u, v;
    double worst = 0.0, of_angle = 0.0;
    long count = 0;
    memcpy(&u, &first, sizeof u);
    memcpy(&v, &last, sizeof v);
    for (; u <= v; u += %(stride)d) {
        float x, s, c, t;
        double sine, cosine, size;
        memcpy(&x, &u, sizeof x);
        x = (u & 1) ? x : -x;
        fc_turned_f32(x, 0.0F, &s, &c, &t);
        sine = sin((double)x);
        cosine = cos((double)x);
        size = fmax(1.0, fabs((double)x));
        worst = fmax(worst, fmax(ulps(s, sine, sine), ulps(c, cosine, cosine)));
        of_angle = fmax(of_angle, fmax(ulps(s, sine, size), ulps(c, cosine, size)));
        count++;
    }
    printf("%%.4f %%.4f %%ld\\n", worst, of_angle, count);
    return 0;
}
"""


def worst_of_floats(tree: Path, place: Path, stride: int, *flags: str) -> tuple[float, float, int]:
    """The largest error in float, in ulp of the result and in those of the angle, or of 1 if that is more.

    Also how many angles there were.
    """
    least, largest = float(COEFFICIENTS[F32].least), float(LARGEST)
    (place / "main.c").write_text(
        MEASURED % {"least": f"{least!r}F", "largest": f"{largest!r}F", "stride": stride}
    )
    sources = [str(place / "main.c"), *map(str, sorted(tree.glob("fc_*_f32.c")))]
    command = [
        tool("gcc"),
        "-std=c99",
        "-O2",
        *flags,
        f"-I{tree}",
        "-o",
        str(place / "main"),
        *sources,
        "-lm",
    ]
    subprocess.run(command, check=True)
    done = subprocess.run([str(place / "main")], check=True, capture_output=True, text=True)
    worst, of_angle, count = done.stdout.split()
    return float(worst), float(of_angle), int(count)


@pytest.mark.parametrize("flags", [(), ("-ffp-contract=fast", "-mfma")], ids=["strict", "fused"])
def test_floats_are_within_the_bound_that_is_stated(
    tree: Path, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    worst, _, count = worst_of_floats(tree, tmp_path, 101, *flags)
    assert 0.6 < worst < ULP
    assert count > 1_500_000


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the options are those of x86")
@pytest.mark.parametrize("flags", [("-O3", "-ffast-math"), ("-mfpmath=387",)], ids=["fast", "wide"])
def test_where_the_compiler_is_free_the_error_is_that_of_an_ulp_of_the_angle(
    tree: Path, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    assert worst_of_floats(tree, tmp_path, 101, *flags)[1] < 1


@pytest.mark.exhaustive
def test_every_float_is_within_the_stated_bound(tree: Path, tmp_path: Path) -> None:
    worst, _, count = worst_of_floats(tree, tmp_path, 1)
    assert worst < ULP
    assert count == 155_713_537  # all from 2^-12 to 100, half of them negative


@cache
def in_c(tree: Path, precision: Precision, place: Path) -> Callable[[float], tuple[float, float]]:
    """The sine and the cosine of an angle by the generated C."""
    import ctypes

    shared = place / f"{precision.name}.so"
    sources = map(str, sorted(tree.glob(f"fc_*_{precision.name}.c")))
    subprocess.run(
        [tool("gcc"), *STRICT, "-O1", "-fPIC", "-shared", f"-I{tree}", "-o", str(shared), *sources, "-lm"],
        check=True,
    )
    real = ctypes.c_double if precision is F64 else ctypes.c_float
    called = getattr(ctypes.CDLL(str(shared)), f"fc_turned_{precision.name}")
    called.argtypes = [real, real, *[ctypes.POINTER(real)] * 3]

    def pair(x: float) -> tuple[float, float]:
        s, c, t = real(), real(), real()
        called(x, 0.0, s, c, t)
        return s.value, c.value

    return pair


def test_doubles_are_within_the_bound_also_next_to_multiples_of_a_quarter_turn(
    tree: Path, tmp_path: Path, rng: np.random.Generator
) -> None:
    pair = in_c(tree, F64, tmp_path)
    near = [k * np.pi / 2 * (1 + j * 2.0**-52) for k in range(1, 64) for j in (-2, -1, 0, 1, 2)]
    edges = [LARGEST, float(COEFFICIENTS[F64].least), np.pi / 4, np.nextafter(np.pi / 4, 1), 1e-7]
    drawn = [*rng.uniform(-100, 100, 3000), *rng.uniform(-0.8, 0.8, 3000), *near, *edges]
    worst = 0.0
    with mpmath.workprec(300):
        for x in drawn:
            for found, exact in zip(pair(x), (mpmath.sin(x), mpmath.cos(x)), strict=True):
                unit = mpmath.mpf(2) ** (mpmath.frexp(exact)[1] - 53)
                worst = max(worst, float(abs(found - exact) / unit))
    assert 0.6 < worst < ULP


@pytest.mark.parametrize("precision", PRECISIONS.values(), ids=PRECISIONS)
def test_zero_keeps_its_sign_and_other_angles_are_those_of_the_library(
    tree: Path, tmp_path: Path, precision: Precision
) -> None:
    pair = in_c(tree, precision, tmp_path)
    assert [str(s) for s, _ in map(pair, (0.0, -0.0))] == ["0.0", "-0.0"]
    assert pair(float(precision.min) / 4) == (float(precision.min) / 4, 1.0)
    assert np.isnan([*pair(np.inf), *pair(-np.inf), *pair(np.nan)]).all()
    eps = float(precision.eps)
    for x in (1e6, -1e6, float(precision.max), LARGEST * (1 + eps)):
        angle = float(np.float32(x)) if precision is F32 else x
        assert pair(x) == pytest.approx((np.sin(angle), np.cos(angle)), abs=eps)


@pytest.mark.parametrize("precision", PRECISIONS.values(), ids=PRECISIONS)
def test_the_parts_of_a_quarter_turn_are_short_and_their_sum_is_exact_enough(
    precision: Precision,
) -> None:
    first, second, third = COEFFICIENTS[precision].parts
    quarters = round(LARGEST / 1.5707963)
    for part in (first, second):
        for n in range(quarters + 1):
            assert precision.rounded(n * part) == n * part
    with mpmath.workprec(400):
        known = sum(mpmath.mpf(part.numerator) / part.denominator for part in (first, second, third))
        assert abs(mpmath.pi / 2 - known) * quarters < mpmath.mpf(2) ** -(2 * precision.digits)


# What is generated


def test_only_angles_that_need_both_are_paired(tree: Path) -> None:
    source = next(tree.glob("fc_*_f32.c")).read_text()
    assert source.count("sincos_f32(") == 2  # its definition and the call
    assert "sinf(b)" in source
    assert function(both(), F32, PAIRS).cost.libm == {"sin": 1}
    assert function(both(), F32, PAIRS).cost.sincos == 1
    header = next(tree.glob("fc_*_f32.h")).read_text()
    assert "Cost: 1 sincos, 1 sin." in header


def test_robots_have_pairs_unless_the_library_is_asked_for(tmp_path: Path, featherc: Featherc) -> None:
    for given, expected in (((), True), (("--sincos", "libm"), False)):
        out = tmp_path / str(expected)
        assert featherc("robot", ARM, "-o", out, "--functions", "rnea", *given).code == 0
        source = next(out.glob("fc_*_f32.c")).read_text()
        assert ("sincos_f32(" in source) is expected
        assert ("const float sin_q" in source) is True
        recorded = json.loads((out / "manifest.json").read_text())
        assert recorded.get("sincos") == (None if expected else "libm")
        assert featherc("check", out).code == 0
        assert featherc("verify", out).code == 0


@pytest.mark.parametrize("layout", ["library", "header-only"])
def test_it_compiles_without_a_warning_and_passes_its_own_test(layout: str, tmp_path: Path) -> None:
    tree, program = tmp_path / "c", tmp_path / "selftest"
    (rnea,) = robot_kernels(Mechanism.from_urdf(ARM), ["rnea"])
    generate([rnea, both()], Options(prefix="my_", layout=layout, sincos="pairs"), tree)
    sources = [str(path) for path in sorted(tree.glob("*.c"))]
    options = ["-O2", "-DMY_SELFTEST_MAIN", f"-I{tree}", "-o", str(program)]
    for compiler in compilers():
        subprocess.run([compiler, *STRICT, *options, *sources, "-lm"], check=True)
        subprocess.run([str(program)], check=True)
    (tmp_path / "main.cpp").write_text('#include "my.h"\nint main() { return 0; }\n')
    flags = ["-Wall", "-Wextra", "-Werror", "-pedantic-errors", f"-I{tree}", "-fsyntax-only"]
    subprocess.run([tool("g++"), *flags, str(tmp_path / "main.cpp")], check=True)


def test_loops_have_a_pair_in_each_turn() -> None:
    (rnea,) = robot_kernels(Mechanism.from_urdf(ARM), ["rnea"], layout="joints")
    made = function(rnea, F32, Options())
    (of_each_turn,) = {one.sincos for _, one in made.turns if one.sincos}
    assert of_each_turn == 1
    assert made.cost.sincos == sum(count for count, one in made.turns if one.sincos)
    assert not {"sin", "cos"} & made.cost.libm.keys()


def test_headers_of_two_trees_of_a_robot_can_be_part_of_one_program(tmp_path: Path) -> None:
    for name in ("rnea", "crba"):
        kernels = robot_kernels(Mechanism.from_urdf(ARM), [name])
        generate(kernels, Options(layout="header-only"), tmp_path / name)
    (tmp_path / "main.c").write_text(
        '#include "rnea/fc.h"\n#include "crba/fc.h"\nint main(void) { return 0; }\n'
    )
    subprocess.run([tool("gcc"), *STRICT, "-fsyntax-only", str(tmp_path / "main.c")], check=True)


@pytest.mark.parametrize("optional", [False, True], ids=["always", "optional"])
def test_the_variable_of_a_pair_holds_it_where_it_is_read(
    optional: bool, tmp_path: Path, rng: np.random.Generator
) -> None:
    """One variable has all pairs in turn, unless statements are moved to an optional result."""

    @kernel(
        inputs=[Arg("q", Array((3,)), "rad", "")],
        outputs=[
            Arg("x", REAL, "1", ""),
            Arg("y", REAL, "1", "", optional=optional),
            Arg("z", REAL, "1", "", optional=optional),
        ],
        equation="x = sin(q_0) + cos(q_1); y = cos(q_0) sin(q_2); z = sin(q_1) cos(q_2)",
        source="a test",
    )
    def mixed(q: Any) -> Any:
        return sin(q[0]) + cos(q[1]), cos(q[0]) * sin(q[2]), sin(q[1]) * cos(q[2])

    generate([mixed], Options(sincos="pairs", precisions=("f64",)), tmp_path / "c")
    text = next((tmp_path / "c").glob("fc_*_f64.c")).read_text()
    assert text.count("_angle_f64 angle = ") == 1
    assert ("angle_2 = " in text) is optional
    called = codegen.load(tmp_path / "c")["fc_mixed_f64"]
    for q in rng.uniform(-7, 7, (20, 3)):
        s, c = np.sin(q), np.cos(q)
        assert called(q) == pytest.approx((s[0] + c[1], c[0] * s[2], s[1] * c[2]), abs=1e-14)


@pytest.mark.parametrize("module", ["", "elsewhere"], ids=["same module", "other module"])
def test_a_kernel_with_its_name_is_refused(module: str) -> None:
    taken = both()
    x, y = Arg("x", REAL, "1", ""), Arg("y", REAL, "1", "")

    @kernel(
        inputs=[x],
        outputs=[y],
        equation="y = 2 x",
        source="a test",
        name=f"{taken.module}_sincos",
    )
    def other(x: Any) -> Any:
        return 2 * x

    with pytest.raises(FeatherError, match="rename it"):
        render_tree([taken, replace(other, module=module or taken.module)], PAIRS)


def test_trace_says_what_a_line_of_the_function_belongs_to(tree: Path, featherc: Featherc) -> None:
    path = next(tree.glob("fc_*_f32.c"))
    line = next(i for i, text in enumerate(path.read_text().splitlines(), 1) if "above - below;" in text)
    assert "the sine and the cosine of an angle together" in featherc("trace", f"{path}:{line}").out


# What a diff says


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("const float sin_a = angle.sin;", "const float sin_a = sinf(a);", ChangeClass.REASSOCIATED),
        ("const float sin_a = angle.sin;", "const float sin_a = angle.cos;", ChangeClass.CHANGED),
        ("sincos_f32(a);", "sincos_f32(-a);", ChangeClass.CHANGED),
        ("? -1 : 1", "? 1 : -1", ChangeClass.UNREADABLE),
        ("2.4432766e-5F", "2.4432767e-5F", ChangeClass.UNREADABLE),
        ("    float sin;\n    float cos;", "    float cos;\n    float sin;", ChangeClass.UNREADABLE),
    ],
)
def test_a_diff_knows_the_pair(old: str, new: str, kind: ChangeClass) -> None:
    before = render_tree([both()], PAIRS)
    (path,) = (path for path in before if path.endswith("_f32.c"))
    assert old in before[path]
    after = {**before, path: before[path].replace(old, new, 1)}
    found = {c.symbol: c.kind for c in compare_trees(before, after)}
    assert found["fc_turned_f32"] is kind


def test_a_diff_does_not_know_the_pair_where_a_macro_is_one_of_its_words() -> None:
    before, after = (render_tree([both()], Options(sincos=where)) for where in ("libm", "pairs"))
    (path,) = (path for path in after if path.endswith("_f32.c"))
    head = "#include <math.h>\n"
    assert head in after[path]
    for macro in ("#define square r", "#define c s"):
        other = {**after, path: after[path].replace(head, f"{head}{macro}\n", 1)}
        found = {c.symbol: c.kind for c in compare_trees(before, other)}
        assert found["fc_turned_f32"] is ChangeClass.UNREADABLE


def test_a_diff_counts_pairs_and_believes_the_header() -> None:
    before, after = (render_tree([both()], Options(sincos=where)) for where in ("libm", "pairs"))
    found = {c.symbol: c for c in compare_trees(before, after)}["fc_turned_f32"]
    assert found.kind is ChangeClass.REASSOCIATED
    assert "cost" not in found.detail
    assert "sin and cos come from another function: last bits differ" in found.detail
    assert found.old_cost is not None
    assert found.new_cost is not None
    assert (found.old_cost.libm, found.old_cost.sincos) == ({"sin": 2, "cos": 1}, 0)
    assert (found.new_cost.libm, found.new_cost.sincos) == ({"sin": 1}, 1)
    (path,) = (path for path in after if path.endswith("_f32.h"))
    wrong = {**after, path: after[path].replace("Cost: 1 sincos", "Cost: 2 sincos")}
    kinds = {c.symbol: c.kind for c in compare_trees(after, wrong)}
    assert kinds["fc_turned_f32"] is ChangeClass.CONTRACT
