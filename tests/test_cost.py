"""The cost of functions: counted independently, recorded, measured; the same bits on each target."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from codegen.emit.function import Function, function
from codegen.emit.options import Options
from codegen.errors import CheckFailed, FeatherError
from codegen.ir.program import Arg
from codegen.ir.systems import F32, F64
from codegen.ir.types import Array
from codegen.library import library
from codegen.measure.cycles import cycles
from codegen.measure.emulation import bits_program, link, run
from codegen.measure.inputs import usual
from codegen.measure.measure import Measured, Measurement, measure
from codegen.measure.report import as_json, markdown, missing_text, table
from codegen.measure.static import assembly, static
from codegen.measure.targets import TARGETS, Lack, Target, chosen
from tests import costs
from tests.conftest import GENERATED, ROOT, tool, tools_of
from tests.count import OPERATIONS, functions, total

HOST, M4F, M7 = TARGETS["host"], TARGETS["m4f"], TARGETS["m7"]
SOURCES = sorted(GENERATED.glob("fc_*.c"))


# The independent counter


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("return a * b + c - a / b;", {"mul": 1, "add": 2, "div": 1}),
        ("return -a * -0.5 + -(b - c);", {"mul": 1, "add": 2, "neg": 2}),
        ("return -a * b + -a * c;", {"mul": 2, "add": 1, "neg": 1}),
        ("return 1.0 / 2.0 * a;", {"mul": 1}),
        ("return sqrtf(a) + sqrt(b);", {"sqrt": 2, "add": 1}),
        ("return pow(a, 2) + powf(b, -1) + pow(c, 0.5);", {"mul": 1, "div": 1, "sqrt": 1, "add": 2}),
        ("return pow(a, 3) * pow(b, -3.0/2.0) * pow(c, a);", {"mul": 5, "sqrt": 1, "div": 1, "pow": 1}),
        ("return fabsf(a) + atan2f(b, sinf(c));", {"abs": 1, "add": 1, "atan2": 1, "sin": 1}),
        ("return (a < b ? a : b) * fmax(a, c);", {"cmp": 2, "select": 2, "mul": 1}),
        ("double x[3]; x[1 + 2] = a; x[0] += b * c; return x[2 * 1];", {"add": 1, "mul": 1}),
        ("return *(&a) * (double)b; /* + c */ // - c", {"mul": 1}),
        ("#define SQ(x) ((x) * (x))\nreturn SQ(a + b);", {"mul": 1, "add": 2}),
    ],
)
def test_the_counter_counts(statements: str, expected: dict[str, int]) -> None:
    text = f"#include <math.h>\ndouble f(double a, double b, double c)\n{{\n{statements}\n}}\n"
    assert functions(text) == {"f": Counter(expected)}


def test_the_counter_reads_casadi() -> None:
    import casadi

    x, y = casadi.SX.sym("x", 3), casadi.SX.sym("y")
    f = casadi.Function("f", [x, y], [casadi.sumsqr(x) * y, casadi.sin(x[0]) / casadi.sqrt(y)])
    source = casadi.CodeGenerator("f", {"with_header": False})
    source.add(f)
    found = functions(source.dump())["f"]
    expected = {"mul": 4, "add": 2, "div": 1, "sqrt": 1, "sin": 1}
    assert {kind: found[kind] for kind in expected} == expected


# Costs as stated


@cache
def counted() -> dict[str, Counter[str]]:
    """The operations of every function of the committed library, read from its text."""
    return {name: c for s in SOURCES for name, c in functions(s.read_text(), GENERATED).items()}


@pytest.mark.exhaustive
def test_the_manifest_tells_what_is_in_the_text() -> None:
    manifest = json.loads((GENERATED / "manifest.json").read_text())
    stated = {f["symbol"]: f["cost"] for f in manifest["functions"] if f["cost"]}
    assert len(stated) > 500
    for symbol, cost in stated.items():
        operations = {kind: cost[kind] for kind in OPERATIONS} | cost["libm"]
        assert +Counter(operations) == +counted()[symbol], symbol


def test_the_headers_tell_what_is_in_the_text() -> None:
    pattern = re.compile(r"\* Cost: ([^.]*)\.(?:(?!\*/).)*\*/\s*\w+ (\w+)\(", re.DOTALL)
    stated = {
        name: text for path in GENERATED.glob("fc_*.h") for text, name in pattern.findall(path.read_text())
    }
    kernels = [f"fc_{name}_{p.name}" for name in library() for p in (F64, F32)]
    assert not set(kernels) - set(stated)
    for symbol in kernels:
        terms = re.findall(r"(\d+) (\w+)", stated[symbol])
        assert Counter({kind: int(n) for n, kind in terms}) == +counted()[symbol], symbol


def test_costs_change_only_with_their_record() -> None:
    changed = list(costs.changes(costs.recorded()["operations"], costs.current()))
    assert not changed, "\n".join(
        [*changed, "if that is meant: make costs, and commit tests/data/costs.json"]
    )


@pytest.mark.exhaustive
def test_instructions_change_only_with_their_record() -> None:
    """With another version of gcc they differ."""
    tools_of(M4F, run=True)
    record = costs.recorded()
    if costs.compiler() != record["compiler"]:
        pytest.skip(f"the record was measured with {record['compiler']}")
    changed = list(costs.changes(record["m4f"], costs.executed()))
    assert not changed, "\n".join([*changed, "if that is meant: make costs"])


BEST_KNOWN = {
    "inertia_transform": 110, "inertia_multiply": 48, "motion_transform": 50, "force_transform": 50,
    "motion_cross": 43, "force_cross": 43, "inertia_bias_force": 72, "articulated_transform": 286,
    "rigid_body_dynamics_quat": 146, "rigid_body_dynamics_quat_jacobian": 494, "quat_to_dcm_unit": 41,
}  # fmt: skip
"""Instructions of other generators' and hand-written functions on a Cortex-M4F, where they call nothing; of
the dense Jacobian, with its 152 zeros, those that it executed before zeros were stored by a loop.
"""


@pytest.mark.parametrize("name", BEST_KNOWN)
def test_what_is_executed_is_not_above_the_best_known(name: str) -> None:
    """By the record, which the preceding test compares with measurements."""
    found = costs.recorded()["m4f"][name]
    assert found["executed"] <= BEST_KNOWN[name]
    assert found["executed"] == found["static"]


def test_a_rise_is_named() -> None:
    before = {"k": {"mul": 3, "add": 2, "div": 0, "sqrt": 0, "total": 5}}
    after = {"k": {"mul": 2, "add": 2, "div": 1, "sqrt": 0, "total": 14}, "n": before["k"]}
    assert list(costs.changes(before, after)) == [
        "k rises: 3 -> 2 mul, 0 -> 1 div, 5 -> 14 total",
        "n is new",
    ]


# Measured on targets


SMALL = """
float sum(float a, float b);
float sum(float a, float b) { return a + b; }
int filled(void);
int filled(void) { volatile char room[400]; room[3] = 1; return room[3]; }
float third(float a);
float third(float a) { return a * 0.33333334F; }
"""


def test_what_is_compiled_is_counted(tmp_path: Path) -> None:
    tools_of(M4F)
    source = tmp_path / "small.c"
    source.write_text(SMALL)
    found = static(assembly([source], tmp_path, M4F, tmp_path / "m4f"), M4F)
    assert found["sum"].instructions == 2  # vadd, bx
    assert found["sum"].flash in (6, 8)  # with or without padding
    assert found["sum"].stack == 0
    assert 400 <= found["filled"].stack <= 416  # type: ignore[operator]
    assert found["third"].instructions == 3  # vldr, vmul, bx; and the constant
    assert found["third"].flash in (14, 16)


TABLES = """
static const float shared[40] = {1.0F};
float first(int i);
float first(int i) { static const float own[10] = {2.0F}; return shared[i] + own[i]; }
float second(int i);
float second(int i) { return shared[i]; }
float none(float a);
float none(float a) { return a; }
"""


@pytest.mark.parametrize("target", [M4F, HOST], ids=lambda target: target.name)
def test_tables_are_flash_of_each_function_that_reads_them(target: Target, tmp_path: Path) -> None:
    tools_of(target)
    source = tmp_path / "tables.c"
    source.write_text(TABLES)
    found = static(assembly([source], tmp_path, target, tmp_path / "out"), target)
    assert 4 * (40 + 10) < found["first"].flash < 4 * (40 + 10) + 40
    assert 4 * 40 < found["second"].flash < 4 * 40 + 40
    assert found["none"].flash < 10


def test_straight_code_executes_its_instructions_once() -> None:
    """QEMU counts what the disassembler counts, to the last one, on both boards."""
    tools_of(M4F, M7, run=True)
    straight = [library()[name] for name in ("motion_cross", "inertia_transform", "quat_to_dcm_unit")]
    for row in measure(straight, Options(precisions=("f32",)), [M4F, M7], run=True):
        for measured in row.measured.values():
            assert measured.executed == measured.compiled.instructions


def test_what_is_called_is_executed_but_not_compiled_in() -> None:
    tools_of(M4F, run=True)
    (row,) = measure([library()["quat_from_rpy"]], Options(precisions=("f32",)), [M4F], run=True)
    measured = row.measured["m4f"]
    assert measured.executed > 2 * measured.compiled.instructions  # type: ignore[operator]


def test_cycles_are_estimated(tmp_path: Path) -> None:
    tools_of(M4F)
    tool("llvm-mca")
    sources = [s for s in SOURCES if s.name in ("fc_spatial_f32.c", "fc_inertia_f32.c")]
    assembled = assembly(sources, GENERATED, M4F, tmp_path)
    found, compiled = cycles(assembled, M4F), static(assembled, M4F)
    assert set(found) == set(compiled)
    assert found["fc_motion_cross_f32"] < found["fc_inertia_transform_f32"]
    assert all(found[s] >= compiled[s].instructions for s in found)  # one a cycle at best


# The same bits everywhere


def exactly(target: Target, place: Path) -> list[Path]:
    """The committed library for a target, without contraction; optimised there, not here."""
    flags = ("-std=c99", "-O2" if target.board else "-O0", "-ffp-contract=off")
    return assembly(SOURCES, GENERATED, target, place / target.name, flags)


def program(target: Target, source: Path, assembled: list[Path], place: Path) -> Path:
    """The source linked with the library."""
    flags = ["-std=c99", "-O0", "-DFC_SELFTEST_MAIN", "-DFC_SELFTEST_PRINT", f"-I{GENERATED}"]
    return link(target, [source, *assembled], place / f"{source.stem}_{target.name}.elf", flags)


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", [M4F, M7], ids=lambda t: t.name)
def test_the_board_passes_the_selftest_with_the_same_bits_as_here(target: Target, tmp_path: Path) -> None:
    tools_of(HOST, target, run=True)
    options = Options()
    exact = [f for f in all_functions(options) if not f.cost.libm]
    source = tmp_path / "bits.c"
    source.write_text(bits_program(exact, options, 3))
    with ThreadPoolExecutor() as pool:
        jobs = [pool.submit(exactly, t, tmp_path) for t in (HOST, target)]
        local, remote = (job.result() for job in jobs)
    assert run(target, program(target, GENERATED / "selftest.c", remote, tmp_path)) == ""
    there = run(target, program(target, source, remote, tmp_path)).splitlines()
    printed = subprocess.run(
        [program(HOST, source, local, tmp_path)], capture_output=True, text=True, check=True
    )
    here = printed.stdout.splitlines()
    assert len(here) == 3 * len(exact) > 700
    assert [(a, b) for a, b in zip(here, there, strict=True) if a != b] == []


def all_functions(options: Options) -> list[Function]:
    """Every function of the library."""
    return [function(k, p, options) for p in options.formats for k in library().values()]


def test_a_program_that_fails_on_the_board_is_named(tmp_path: Path) -> None:
    tools_of(M4F, run=True)
    source = tmp_path / "broken.c"
    source.write_text("int main(void) { return *(volatile int *)0xF0000000 ? 1 : 2; }\n")
    broken = link(M4F, [source], tmp_path / "broken.elf", ["-O1"])
    with pytest.raises(CheckFailed, match=r"broken\.elf fails on the Cortex-M4F"):
        run(M4F, broken)


# The command


def featherc(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """The command, with another PATH if one is given."""
    environment = None if path is None else {"PATH": path}
    command = [sys.executable, "-m", "codegen", "cost", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_without_tools_the_operations_are_shown_and_the_rest_is_named(tmp_path: Path) -> None:
    done = featherc("motion_cross", "--no-checks", path=str(tmp_path))
    head, f64, f32 = done.stdout.splitlines()
    assert (done.returncode, head.split()) == (0, ["function", "mul", "add", "total"])
    assert f64.split() == ["fc_motion_cross_f64", "18", "12", "30"]
    assert f32.split()[0] == "fc_motion_cross_f32"
    assert len(done.stderr.splitlines()) == 1
    assert "m0plus, m4f, m7: arm-none-eabi-gcc is not installed (Debian: gcc-arm-none-eabi)" in done.stderr


@pytest.mark.exhaustive
def test_the_command_measures_bound_models() -> None:
    tools_of(HOST)
    arguments = ("--bind", "examples/f16.toml", "--target", "host", "-p", "f64")
    done = featherc("rigid_body_dynamics_quat", *arguments, "--json")
    content = json.loads(done.stdout)
    (f,) = content["functions"]
    bound = featherc("rigid_body_dynamics_quat", "-p", "f64", "--target", "host", "--json")
    (free,) = json.loads(bound.stdout)["functions"]
    assert (content["checks"], content["missing"]) == (True, [])
    assert f["cost"]["total"] < free["cost"]["total"]
    assert f["targets"]["host"]["instructions"] < free["targets"]["host"]["instructions"]


def test_the_command_measures_models() -> None:
    done = featherc("--model", "examples/quadrotor.py", "-p", "f32", "--target", "host", "--markdown")
    head, ruler, *rows = done.stdout.splitlines()
    assert head.startswith("| function | mul | add |")
    assert ruler.count("---") == head.count("|") - 1
    assert {"fc_quadrotor_dynamics_f32", "fc_quadrotor_jacobians_f32"} <= {row.split()[1] for row in rows}


def test_an_unknown_target_is_named() -> None:
    with pytest.raises(FeatherError, match="there is no target 'm5'; choose among m0plus, m4f, m7, host"):
        chosen(["m4f,m5"])
    assert chosen(["m7,host", "m7"]) == [M7, HOST]


# Reports


def rows() -> list[Measurement]:
    """Two functions, the second of which could not be measured in every way."""
    cost = function(library()["rpy_kinematics"], F32, Options()).cost
    small = Measured(static_of(10), 12, None)
    return [Measurement("f", "k", "f32", cost, {"m4f": small}), Measurement("g", "r", "f32", None, {})]


def static_of(instructions: int) -> Any:
    from codegen.measure.static import Static

    return Static(instructions, 40, 8)


def test_the_table_has_no_empty_columns() -> None:
    shown = table(rows())
    assert "m4f cycles" not in shown.columns
    first = dict(zip(shown.columns, shown.rows[0], strict=True))
    assert first["total"] == "20"
    assert first["libm"] == "2 sin, 2 cos"
    assert [first[f"m4f {m}"] for m in ("executed", "static", "flash", "stack")] == ["12", "10", "40", "8"]
    assert set(shown.rows[1][1:]) == {""}
    assert markdown(shown).splitlines()[0] == f"| {' | '.join(shown.columns)} |"


def test_json_holds_everything() -> None:
    missing = [Lack("m7", "executed", "it is not installed")]
    content = json.loads(as_json(rows(), False, missing))
    assert content["missing"] == [asdict(missing[0])]
    assert content["functions"][0]["targets"] == {
        "m4f": {"instructions": 10, "flash": 40, "stack": 8, "executed": 12, "cycles": None}
    }
    assert content["functions"][0]["cost"]["total"] == total(counted()["fc_rpy_kinematics_f32"])
    assert content["functions"][1]["cost"] == {}


def test_what_is_missing_takes_one_line() -> None:
    missing = [Lack("m4f", "executed", "no q"), Lack("m7", "executed", "no q"), Lack("m7", "cycles", "no m")]
    assert missing_text(missing) == "no executed for m4f, m7: no q; no cycles for m7: no m"
    assert missing_text([]) == ""


@pytest.mark.parametrize(
    ("ends", "most"),
    [((-1000, 1000), 100), ((5, 1000), 100), ((99, 2000), 100), ((500, 1000), 1000), (None, 100)],
)
def test_instructions_are_counted_at_angles_of_few_turns(ends: tuple[int, int] | None, most: float) -> None:
    """Where the range has others, too: libm takes a thousand instructions to reduce an angle of 500 rad."""
    given = Arg("q", Array((2,)), "rad; m", "positions", range=ends and (ends, (0, 900)))
    drawn = [usual([given], str(seed)) for seed in range(40)]
    assert all(abs(angle) <= most for angle, _ in drawn)
    assert ends is None or all(ends[0] <= angle <= ends[1] for angle, _ in drawn)
    assert ends is None or any(place > 100 for _, place in drawn)
