"""verify finds every error in C and reports no others; load makes Python functions of the C."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import codegen
from codegen.__main__ import FAILED, FINE, run
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.ir.systems import F32
from codegen.library import library
from codegen.modeling.bind import bind
from codegen.modeling.kernel import Kernel
from codegen.passes.pipeline import optimised
from codegen.tree.write import generate
from codegen.verify.libraries import Library
from codegen.verify.oracle import Expected, Oracle
from codegen.verify.verify import verify
from tests.conftest import ROOT, sampled

HANDFUL = (
    "quat_multiply", "quat_normalize", "rpy_kinematics", "motion_dot_force", "inertia_from_com",
    "inertia_to_matrix",
)  # fmt: skip


@pytest.fixture(scope="session")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place for trees of one kernel at one precision, each generated when it is first needed."""
    return tmp_path_factory.mktemp("originals")


def single(name: str, precision: str, originals: Path) -> Path:
    """The tree of one kernel; `f16` is the bound one."""
    directory = originals / f"{name}_{precision}"
    if not directory.exists():
        bound = ["rigid_body_dynamics_quat", "-b", str(ROOT / "examples" / "f16.toml")]
        arguments = bound if name == "f16" else [name]
        assert run(["generate", *arguments, "-p", precision, "-o", str(directory)]) == FINE
    return directory


# what is right


@pytest.mark.parametrize("options", [Options(), Options(layout="header-only", checks=False)], ids=["c", "h"])
def test_fresh_c_is_right(options: Options, tmp_path: Path) -> None:
    generate([library()[name] for name in HANDFUL], options, tmp_path)
    rows = list(verify(tmp_path, library(), count=8))
    assert [(r.kernel, r.precision) for r in rows] == [(n, p) for n in HANDFUL for p in ("f64", "f32")]
    for row in rows:
        assert row.ok, row
        assert row.problems == []
        assert row.proof == "proven"
        assert row.cases > 8
        assert row.worst_scaled <= row.tolerance == 4
        assert (row.worst_ulp > 0) == (row.cost is not None and row.cost.mul > 0)


HARMLESS = {
    "factors swapped": ("quat_multiply", "f64", r"p_w \* q_w", "q_w * p_w"),
    "terms swapped": ("motion_dot_force", "f32", r"(v_w_x \* f_n_x) \+ (v_w_y \* f_n_y)", r"\2 + \1"),
    "renamed": ("quat_normalize", "f64", r"\bscale\b", "factor"),
    "comment": ("quat_normalize", "f64", r"\n\{", "\n{ /* edited */"),
}


def mutated(case: tuple[str, str, str, str], originals: Path, place: Path, count: int = 1) -> Path:
    """A copy of a kernel's tree with the first (or, for 0, every) match of a pattern replaced in the C."""
    name, precision, pattern, replacement = case
    directory = place / "mutant"
    shutil.copytree(single(name, precision, originals), directory)
    (source,) = directory.glob("fc_*.c")
    parts = re.split(r"(/\*.*?\*/)", source.read_text(), flags=re.DOTALL)  # every second one is a comment
    found = 0
    for i in range(0, len(parts), 2):
        if not (count and found):
            parts[i], here = re.subn(pattern, replacement, parts[i], count=count)
            found += here
    text = "".join(parts)
    assert found
    assert text != source.read_text()
    source.write_text(text)
    return directory


@pytest.mark.parametrize("name", HARMLESS)
def test_another_way_of_writing_it_is_right(name: str, originals: Path, tmp_path: Path) -> None:
    (row,) = verify(mutated(HARMLESS[name], originals, tmp_path, count=0), library(), count=8)
    assert row.ok, row


# what is wrong

WRONG = {
    "sign": ("quat_multiply", "f64", r" - ", " + "),
    "sign of a whole result": ("quat_rotate_inverse", "f32", r"->y = ", "->y = -"),
    "operand": ("motion_cross", "f64", r"v_w_y \* m_w_z", "v_w_z * m_w_z"),
    "factor lost": ("inertia_bias_force", "f32", r" = \w+ \* ", " = "),
    "term lost": ("inertia_multiply", "f64", r" \+ \w+ \* \w+", ""),
    "parentheses lost": (
        "rigid_body_dynamics_quat_jacobian",
        "f64",
        r"1\.0 - \((\w+) \+ (\w+)\)",
        r"1.0 - \1 + \2",
    ),
    "index read": ("transform_point", "f32", r"R\.m\[3\]", "R.m[1]"),
    "index written": ("quat_to_dcm_unit", "f32", r"->m\[5\] =", "->m[7] ="),
    "input read twice": ("inertia_add", "f64", r"I_2->J\.yz", "I_2->J.xz"),
    "outputs swapped": ("quat_from_rpy", "f64", r"->y = (.*;\n\s+)q_NB->z = ", r"->z = \1q_NB->y = "),
    "output lost": ("rpy_kinematics_inverse", "f64", r"\n    w_B->z = .*;", ""),
    "function": ("dcm_from_rpy", "f32", r"sinf", "cosf"),
    "arguments swapped": ("rpy_from_dcm", "f64", r"atan2\((-\w+), (\w+)\)", r"atan2(\2, \1)"),
    "constant's 13th digit": ("f16", "f64", r"(\d\.\d{12})\d+e-5", r"\g<1>0e-5"),
    "constant's 5th digit": ("f16", "f32", r"(\d\.\d{3})\d+e-5F", r"\g<1>e-5F"),
    "half a trillionth": ("inertia_kinetic_energy", "f64", r"0\.5\b", "0.5000000000005"),
    "comparison": ("quat_normalize", "f64", r"n > ", "n < "),
    "threshold": ("rpy_kinematics", "f64", r"> 1\.49\d+e-8", "> 1.5e-3"),
    "flag": ("quat_inverse", "f32", r"FC_ZERO_NORM", "FC_MASS"),
    "result where it fails": ("quat_inverse", "f64", r"q_w : 1\.0", "q_w : 0.0"),
    "not a number": ("quat_normalize", "f64", r"sqrt\(", "sqrt(-"),
    "float literal without suffix": ("inertia_kinetic_energy", "f32", r"0\.5F", "0.5"),
    "double function in float": ("rpy_kinematics", "f32", r"sinf\(", "sin("),
    "uninitialised": ("quat_multiply", "f64", r"const double p_x = p->x;", "double p_x;"),
    "no C": ("quat_multiply", "f32", r"\{", "{{"),
}


@pytest.mark.parametrize("name", sampled(WRONG, every=2))
def test_every_mutation_is_found(
    name: str, originals: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = mutated(WRONG[name], originals, tmp_path)
    capsys.readouterr()
    assert run(["verify", str(directory)]) == FAILED
    *details, verdict = capsys.readouterr().err.splitlines()
    symbol = WRONG[name][0].replace("f16", "rigid_body_dynamics_quat") + "_" + WRONG[name][1]
    if details:
        assert [d.startswith(f"fc_{symbol}: ") for d in details] == [True]
        assert verdict == "featherc: 1 of 1 functions failed verification"
    else:
        assert re.match(r"featherc: (gcc|clang) rejects the generated C: .*error: ", verdict)


def test_a_problem_says_what_and_where(originals: Path, tmp_path: Path) -> None:
    (row,) = verify(mutated(WRONG["flag"], originals, tmp_path), library(), count=2)
    assert not row.ok
    assert row.problems[0] == "status 2 instead of 32 at q_w = 0, q_x = 0, q_y = 0, q_z = 0"


def test_a_kernel_whose_ways_differ_is_not_ok(tmp_path: Path) -> None:
    """Although its C is true to its formula."""
    from dataclasses import replace

    def conjugate(p: Any, q: Any) -> list[Any]:
        return [p[0] * q[0], 0, 0, 0]

    wrong = replace(library()["quat_multiply"], name="quat_product", definition=conjugate)
    generate([wrong], Options(precisions=("f64",)), tmp_path)
    (row,) = verify(tmp_path, {"quat_product": wrong}, count=2)
    assert row.problems == []
    assert row.proof.startswith("failed: ")
    assert not row.ok


# load


@pytest.fixture(scope="session", params=[("library", "struct"), ("header-only", "array")], ids=" ".join)
def loaded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Some functions in two variants, which look the same from Python but for shapes of structs."""
    layout, interface = request.param
    kernels = [*(library()[n] for n in HANDFUL), library()["inertia_to_array"], several_results()]
    place = tmp_path_factory.mktemp(layout)
    generate(kernels, Options(layout=layout, interface=interface), place)
    return codegen.load(str(place))


def several_results() -> Kernel:
    """The dynamics with everything fixed but attitude, rates and velocity."""
    names = ("p_N", "F_B", "M_B")
    values: dict[str, tuple[Fraction, ...]] = {n: (Fraction(0),) * 3 for n in names}
    one, none = Fraction(1), Fraction(0)
    values |= {"m": (one,), "baumgarte": (none,), "J_B": (one, none, none, one, none, one)}
    return bind(library()["rigid_body_dynamics_quat"], values)


def test_functions_have_the_names_of_their_kernels(loaded: Library) -> None:
    for precision, names in (("f64", vars(loaded.f64)), ("f32", vars(loaded.f32))):
        assert list(names) == [*HANDFUL, "inertia_to_array", "rigid_body_dynamics_quat"]
        assert all(f is loaded[f"fc_{name}_{precision}"] for name, f in names.items())
    assert repr(loaded.f32.quat_multiply) == "<fc_quat_multiply_f32(p, q) -> pq>"
    assert repr(loaded.f64.quat_normalize) == "<fc_quat_normalize_f64(q) -> q_unit, status>"
    with pytest.raises(AttributeError):
        _ = loaded.f64.quat_divide
    with pytest.raises(KeyError):
        _ = loaded["fc_quat_divide_f64"]


@pytest.mark.parametrize(("precision", "dtype"), [("f64", np.float64), ("f32", np.float32)])
def test_results_have_names_shapes_and_types(precision: str, dtype: Any, loaded: Library) -> None:
    functions = getattr(loaded, precision)
    (pq,) = functions.quat_multiply([0, 1, 0, 0], (0, 0, 1, 0))
    assert (pq.dtype, pq.tolist()) == (dtype, [0, 0, 0, 1])
    body = [2, 0.25, -0.5, 0.75, 1.25, 0.125, -0.125, 1.75, 0.25, 2]
    assert functions.inertia_to_matrix(body).M.shape == (6, 6)
    assert functions.inertia_to_array(body).array.tolist() == body
    power = functions.motion_dot_force(np.arange(6), np.ones(6, np.float32)).power
    assert (power.shape, float(power)) == ((), 15.0)
    rates = functions.rigid_body_dynamics_quat([1, 0, 0, 0], [1, 2, 3], np.zeros(3))
    assert rates._fields == ("dp_N", "dq", "dv_B", "dw_B", "status")
    assert rates.dp_N.tolist() == [1, 2, 3]


def test_status_comes_last(loaded: Library) -> None:
    unit = loaded.f64.quat_normalize([0, 3, 0, 4])
    assert unit._fields == ("q_unit", "status")
    np.testing.assert_allclose(unit.q_unit, [0, 0.6, 0, 0.8], rtol=1e-15)
    assert unit.status == 0
    nothing = loaded.f64.quat_normalize(np.zeros(4))
    assert (nothing.q_unit.tolist(), nothing.status) == ([1, 0, 0, 0], loaded.manifest["status"]["ZERO_NORM"])


def test_arrays_of_any_layout_are_taken_and_left_alone(loaded: Library) -> None:
    strided = np.array([[0.0, 9.0], [1.0, 9.0], [0.0, 9.0], [0.0, 9.0]])[:, 0]
    columns = np.asfortranarray([[0, 0], [1, 0]], dtype=np.int32)
    first = loaded.f64.quat_multiply(strided, columns).pq
    assert first.tolist() == [0, 0, 0, 1], "i j = k, whose rows are read one after the other"
    loaded.f64.quat_multiply(columns, strided)
    assert first.tolist() == [0, 0, 0, 1], "a later call has results of its own"
    assert strided.tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize(
    ("name", "arguments", "error", "says"),
    [
        ("quat_multiply", ([1, 0, 0, 0],), TypeError, "fc_quat_multiply_f64 takes 2 arguments: p, q"),
        ("quat_multiply", (), TypeError, "takes 2 arguments: p, q, but is not given p, q"),
        ("quat_multiply", (np.ones(4),) * 3, TypeError, "takes 2 arguments: p, q"),
        ("quat_multiply", ([1, 0, 0], [1, 0, 0, 0]), ValueError, "multiply_f64: p takes 4 numbers, not 3"),
        ("quat_multiply", ([1, 0, 0, 0], 1.0), ValueError, "q takes 4 numbers, not 1"),
        ("quat_multiply", ([1, 0, 0, 0], np.eye(4)), ValueError, "q takes 4 numbers, not 16"),
        ("quat_multiply", ([1, 0, 0, 0], "wxyz"), TypeError, "multiply_f64: q takes numbers, not 'wxyz'"),
        ("quat_multiply", ([1, 0, 0, 0], None), TypeError, "q takes numbers, not None"),
        ("quat_multiply", ([1, 0, 0, 0], [1, 0, 0, 1j]), TypeError, "q takes numbers, not"),
        ("inertia_from_com", ([1, 2], np.zeros(3), np.ones(6)), ValueError, "m takes 1 numbers, not 2"),
        ("inertia_from_com", ("heavy", np.zeros(3), np.ones(6)), TypeError, "m takes numbers, not 'heavy'"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_named(
    name: str, arguments: tuple[Any, ...], error: Any, says: str, loaded: Library
) -> None:
    with pytest.raises(error, match=re.escape(says)):
        getattr(loaded.f64, name)(*arguments)


def test_wrong_names_of_arguments_are_named(loaded: Library) -> None:
    for given, names, said in (
        ((), {"p": 1}, "but is not given q"),
        ((1,), {"r": 1}, "but has no r, but is not given q"),
        ((1,), {"p": 1, "q": 1}, "but has twice p"),
    ):
        with pytest.raises(TypeError, match=f"takes 2 arguments: p, q, {said}$"):
            loaded.f64.quat_multiply(*given, **names)


def test_load_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FeatherError, match=r"holds no manifest.json: generate into it first"):
        codegen.load(tmp_path)
    generate([library()["quat_multiply"]], Options(), tmp_path)
    source = tmp_path / "fc_rotation_f64.c"
    source.write_text(source.read_text().replace("fc_quat_multiply_f64", "renamed"))
    with pytest.raises(
        FeatherError, match=r"undefined symbol: fc_quat_multiply_f64\): generate the tree again"
    ):
        codegen.load(tmp_path)
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(FeatherError, match="'no-such-compiler' of \\$CC is not found"):
        codegen.load(tmp_path)


def test_a_loaded_library_outlives_its_directory(tmp_path: Path) -> None:
    generate([library()["quat_multiply"]], Options(precisions=("f32",)), tmp_path / "c")
    mine = codegen.load(tmp_path / "c")
    shutil.rmtree(tmp_path / "c")
    assert mine.f32.quat_multiply([1, 0, 0, 0], [0, 0, 0, 1]).pq.tolist() == [0, 0, 0, 1]
    assert vars(mine.f64) == {}


def test_long_formulas_have_a_bound_of_error() -> None:
    """Sizes of a product of products grow as a power of a power; the running error does not."""

    @codegen.kernel(
        inputs=[codegen.Arg("x", codegen.REAL, "1", "start", range=(0, 1))],
        outputs=[codegen.Arg("y", codegen.REAL, "1", "after nine turns")],
        equation="y = f(x)",
        source="the logistic map",
    )
    def logistic(x: Any) -> Any:
        """Nine turns of the logistic map, written out."""
        for _ in range(9):
            x = Fraction(7, 2) * x * (1 - x)
        return x

    expected = Oracle(logistic, F32, checks=True).expected(optimised(logistic), [Fraction(3, 8)])
    assert isinstance(expected, Expected)
    assert float(F32.eps) < expected.tolerances[0] < 0.1


@codegen.kernel(
    inputs=[codegen.Arg("x", codegen.REAL, "1", "a number"), codegen.Arg("y", codegen.REAL, "1", "another")],
    outputs=[codegen.Arg("z", codegen.REAL, "1", "quotient; 7 where y is small")],
    equation="",
    source="a test",
    failures={codegen.Status.DEGENERATE: "y is less than 1 / 2: z = 7"},
)
def quotient(x: Any, y: Any) -> Any:
    """A quotient."""
    large = codegen.require(y >= 0.5, codegen.Status.DEGENERATE)
    return codegen.select(large, x / codegen.select(large, y, 1), 7)


def test_a_reference_states_the_results_where_no_flag_is_returned(tmp_path: Path) -> None:
    """It takes the arguments alone, and says nothing of flags, as the documentation has it."""
    generate([quotient], Options(), tmp_path)

    def problems(reference: Any) -> list[str]:
        rows = verify(tmp_path, {"quotient": replace(quotient, reference=reference)})
        return [problem for row in rows for problem in row.problems]

    assert not problems(lambda x, y: x / y)
    assert not problems(lambda x, y, limits=None: x / y)
    wrong = problems(lambda x, y: 2 * x / y)
    assert wrong
    assert all("an error of" in problem for problem in wrong)
