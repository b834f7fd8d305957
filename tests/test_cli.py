"""The command line: the output of each command, its exit codes, and its messages for hostile input."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from codegen.__main__ import BROKEN_PIPE, BUG, FAILED, FINE, INTERRUPTED, USER, run
from codegen.errors import FeatherError
from codegen.explain.inspection.content import STAGES
from codegen.library import library
from codegen.library.routines import routines
from codegen.show import growing_table, table
from codegen.tree.write import write_tree
from codegen.verify.manifest import read_manifest
from tests.conftest import ROOT, Featherc, Files, Outcome, sampled, snapshot

FEATHERC = [sys.executable, "-m", "codegen"]
QUADROTOR = ROOT / "examples" / "quadrotor.py"
ESCAPE = "\x1b"

USER_MODEL = '''
import casadi
import sympy

from codegen import REAL, Arg, Vec3, from_casadi, from_sympy, jacobian, kernel


@kernel(
    inputs=[Arg("v_B", Vec3, "m/s", "velocity", "B"), Arg("k", REAL, "N s^2/m^2", "coefficient")],
    outputs=[Arg("F_B", Vec3, "N", "force", "B")],
    equation="F_B = -k [v_B_x^2, v_B_y^2, v_B_z^2]", source="a textbook",
)
def air_drag(v_B, k):
    """Quadratic drag along each axis."""
    return Vec3(*(-k * x * x for x in v_B.scalars()))


air_drag_slope = jacobian(air_drag, name="air_drag_slope", outputs=["F_B"], inputs={"D": ["v_B"]})

a, b = sympy.symbols("a b")
hypotenuse = from_sympy(
    "hypotenuse",
    [(Arg("a", REAL, "m", "leg"), a), (Arg("b", REAL, "m", "leg"), b)],
    [(Arg("c", REAL, "m", "long side"), sympy.sqrt(a**2 + b**2))],
)

x = casadi.SX.sym("x")
ramp = from_casadi(
    casadi.Function("ramp", [x], [casadi.if_else(x > 0, x, 0)]),
    [Arg("x", REAL, "1", "argument")], [Arg("y", REAL, "1", "x where it is positive")],
)
'''
USER_KERNELS = ("air_drag", "air_drag_slope", "hypotenuse", "ramp")


@pytest.fixture
def user_model(place: Path) -> Path:
    """A model file with a kernel of each kind."""
    path = place / "user.py"
    path.write_text(USER_MODEL)
    return path


@pytest.fixture(scope="module")
def small_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of two kernels."""
    directory = tmp_path_factory.mktemp("small") / "out"
    assert run(["generate", "quat_multiply", "quat_inverse", "-o", str(directory)]) == FINE
    return directory


@pytest.fixture
def earlier(small_tree: Path, place: Path) -> Path:
    """`out`: an earlier tree and a file of the user."""
    out = place / "out"
    shutil.copytree(small_tree, out)
    (out / "notes.txt").write_text("mine")
    return out


def symbols(directory: Path) -> list[str]:
    """The functions of a tree."""
    return [f["symbol"] for f in read_manifest(directory)["functions"]]


def child(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """featherc as a process of its own."""
    command = [*FEATHERC, *map(str, arguments)]
    return subprocess.run(command, **{"capture_output": True, "text": True, "check": False, **options})


# list


def test_list_is_a_table_of_the_library(featherc: Featherc, place: Path) -> None:
    done = featherc("list")
    head, *rows = done.out.splitlines()
    assert (done.code, done.err) == (FINE, "")
    assert head.split() == ["module", "kernel", "inputs", "outputs", "title"]
    assert [row.split()[1] for row in rows] == [*library(), *routines()]
    assert ESCAPE not in done.out


def test_list_in_json_with_a_model(featherc: Featherc, user_model: Path) -> None:
    done = featherc("list", "--json", "--model", user_model)
    listed = json.loads(done.out)
    assert [k["kernel"] for k in listed] == [*USER_KERNELS, *library(), *routines()]
    assert listed[len(USER_KERNELS) - 4] == {
        "module": "user",
        "kernel": "air_drag",
        "inputs": "v_B, k",
        "outputs": "F_B",
        "title": "Quadratic drag along each axis.",
    }


# generate


def test_names_choose_kernels_in_any_order(featherc: Featherc, place: Path) -> None:
    """Also when kernels of one module are not adjacent."""
    done = featherc("generate", "quat_multiply", "motion_cross", "quat_rotate", "quat_multiply", "-o", "c")
    assert (done.code, done.out, done.err) == (FINE, "c: 3 kernels in 13 files\n", "")
    names = ("quat_multiply", "motion_cross", "quat_rotate")
    assert symbols(place / "c") == [f"fc_{n}_{p}" for p in ("f64", "f32") for n in names]
    for stem in ("fc_rotation_f64", "fc_rotation_f32"):
        for name in ("quat_multiply", "quat_rotate"):
            assert f"fc_{name}_{stem[-3:]}(" in (place / "c" / f"{stem}.c").read_text()


def test_no_name_means_the_library(featherc: Featherc, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def generate(subjects: Sequence[Any], *_: object) -> dict[str, str]:
        asked.extend(s.name for s in subjects)
        return {}

    monkeypatch.setattr("codegen.tree.write.generate", generate)
    assert featherc("generate", "-p", "f32", "-o", "c").code == FINE
    assert asked == [*library(), *routines()]


def test_with_a_model_no_name_means_the_model(featherc: Featherc, user_model: Path) -> None:
    assert featherc("generate", "-m", user_model, "-o", "c", "--precision", "f64").code == FINE
    assert symbols(Path("c")) == [f"fc_{name}_f64" for name in USER_KERNELS]


def test_a_name_chooses_from_library_and_model(featherc: Featherc, user_model: Path) -> None:
    assert featherc("generate", "ramp", "quat_rotate", "-m", user_model, "-o", "c").code == FINE
    assert {f["kernel"] for f in read_manifest(Path("c"))["functions"]} == {"ramp", "quat_rotate"}


CHOICES: dict[str, tuple[list[str], str, Callable[[Path], bool]]] = {
    "precision": (["--precision", "f32"], 'precision = ["f64"]', lambda c: not list(c.glob("*f64*"))),
    "prefix": (["--prefix", "nav_"], 'prefix = "x"', lambda c: (c / "nav.h").is_file()),
    "layout": (["--layout", "header-only"], 'layout = "library"', lambda c: not list(c.glob("fc*.c"))),
    "interface": (
        ["--interface", "array"],
        'interface = "struct"',
        lambda c: "const double q[4]" in (c / "fc_rotation_f64.h").read_text(),
    ),
    "no checks": (
        ["--no-checks"],
        "checks = true",
        lambda c: "void fc_quat_inverse_f64" in (c / "fc_rotation_f64.h").read_text(),
    ),
    "checks": (
        ["--checks"],
        "checks = false",
        lambda c: "fc_status fc_quat_inverse_f64" in (c / "fc_rotation_f64.h").read_text(),
    ),
    "license": (
        ["--license", "BSD-3-Clause OR MIT"],
        'license = "CC0-1.0"',
        lambda c: all(
            "SPDX-License-Identifier: BSD-3-Clause OR MIT" in p.read_text().splitlines()[0]
            for p in c.iterdir()
            if p.suffix in (".h", ".c", ".txt")
        ),
    ),
}


@pytest.mark.parametrize("name", CHOICES)
def test_an_option_does_what_it_says_and_overrides_the_file(
    name: str, featherc: Featherc, place: Path
) -> None:
    arguments, otherwise, holds = CHOICES[name]
    assert featherc("generate", "quat_inverse", "-o", "option", *arguments).code == FINE
    assert holds(place / "option")
    (place / "featherc.toml").write_text(f"[generate]\n{otherwise}\n")
    assert featherc("generate", "quat_inverse", "-o", "file").code == FINE
    assert not holds(place / "file")
    assert featherc("generate", "quat_inverse", "-o", "both", *arguments).code == FINE
    assert snapshot(place / "both") == snapshot(place / "option")


def test_a_file_says_all_that_options_can(featherc: Featherc, user_model: Path) -> None:
    """Paths in it are relative to it, wherever the command runs."""
    project = user_model.parent / "project"
    project.mkdir()
    user_model.rename(project / "user.py")
    (project / "k.toml").write_text('[bind]\nk = "0.25 N s^2/m^2"\n')
    (project / "featherc.toml").write_text(
        """
        [generate]
        output = "c"
        kernels = ["air_drag", "quat_rotate"]
        model = ["user.py"]
        bind = ["k.toml"]
        precision = ["f64"]
        prefix = "nav_"
        layout = "header-only"
        interface = "array"
        checks = false
        license = "0BSD"
        """
    )
    assert featherc("generate", "--config", project / "featherc.toml").code == FINE
    manifest = read_manifest(project / "c")
    assert [f["symbol"] for f in manifest["functions"]] == ["nav_air_drag_f64", "nav_quat_rotate_f64"]
    assert [a["name"] for a in manifest["functions"][0]["arguments"]] == ["v_B", "F_B"]
    assert (manifest["layout"], manifest["interface"], manifest["checks"]) == ("header-only", "array", False)
    assert "0BSD" in (project / "c" / "nav.h").read_text()
    assert featherc("generate", "ramp", "--config", project / "featherc.toml", "-o", "d").said("'k' to bind")


def test_options_override_the_lists_of_a_file(featherc: Featherc, user_model: Path) -> None:
    Path("other.py").write_text(USER_MODEL.replace("ramp", "ramp_up"))
    Path("featherc.toml").write_text(
        '[generate]\noutput = "c"\nkernels = ["ramp"]\nmodel = ["user.py"]\nprecision = ["f64"]\n'
    )
    assert featherc("generate").code == FINE
    assert symbols(Path("c")) == ["fc_ramp_f64"]
    assert featherc("generate", "ramp_up", "-m", "other.py", "-o", "d").code == FINE
    assert symbols(Path("d")) == ["fc_ramp_up_f64"]


def test_bind_takes_inputs_out_of_the_signature(featherc: Featherc, place: Path) -> None:
    example = ROOT / "examples" / "f16.toml"
    assert featherc("generate", "rigid_body_dynamics_quat", "-b", example, "-o", "c").code == FINE
    (double, _) = read_manifest(place / "c")["functions"]
    assert not {"m", "J_B"} & {a["name"] for a in double["arguments"]}
    assert featherc("verify", "c").code == FINE


# verify


def test_verify_prints_a_row_for_each_function(featherc: Featherc, earlier: Path) -> None:
    done = featherc("verify", "out")
    head, *rows, summary, evidence = done.out.splitlines()
    assert (done.code, done.err) == (FINE, "")
    assert summary == "4 functions: 4 proven"
    assert re.match(r"proven: a difference goes unnoticed with a chance below 2\^-\d{3} ", evidence)
    columns = ["function", "mathematics", "cases", "left out", "ulp", "scaled", "limit", "verdict", "cost"]
    assert re.split(r" {2,}", head.strip()) == columns
    assert sorted(row.split()[0] for row in rows) == sorted(symbols(earlier))
    assert [row.split()[0].rpartition("_")[2] for row in rows] == ["f64", "f32"] * 2
    assert all(row.split()[1] == "proven" and row.split()[7] == "ok" for row in rows)
    assert "16 mul, 12 add" in rows[0]


def test_verify_in_json(featherc: Featherc, earlier: Path) -> None:
    rows = json.loads(featherc("verify", "out", "--json").out)
    assert sorted(r["symbol"] for r in rows) == sorted(symbols(earlier))
    for row in rows:
        assert row["ok"] is True
        assert row["problems"] == []
        assert row["cases"] > 40
        assert 0 < row["worst_scaled"] <= row["tolerance"]
        assert row["cost"]["mul"] > 0
        assert row["chance"] < -100
        assert "seed " in row["evidence"]


def test_verify_of_some_kernels(featherc: Featherc, earlier: Path) -> None:
    names = [f["kernel"] for f in read_manifest(earlier)["functions"]]
    done = featherc("verify", "out", names[0], "--json")
    assert done.code == FINE
    assert [row["kernel"] for row in json.loads(done.out)] == [names[0]] * 2
    missing = featherc("verify", "out", "rpy_kinematics")
    assert (missing.code, missing.err) == (
        USER,
        "featherc: out holds no function of kernel rpy_kinematics: generate it there first\n",
    )
    assert "did you mean quat_multiply?" in featherc("verify", "out", "quat_multipl").err


def test_verify_of_a_vehicle_and_of_a_block_by_their_names(featherc: Featherc, place: Path) -> None:
    model = ROOT / "examples" / "controllers.py"
    assert featherc("generate", "--model", model, "rate_limiter", "pid", "-p", "f32", "-o", "c").code == FINE
    done = featherc("verify", "c", "rate_limiter", "--model", model, "--json")
    assert sorted(row["kernel"] for row in json.loads(done.out)) == [
        "rate_limiter_init", "rate_limiter_reset", "rate_limiter_step",
    ]  # fmt: skip
    f16 = f"falcon={ROOT / 'examples' / 'f16.toml'}"
    assert featherc("generate", "rigid_body_dynamics_quat", "-b", f16, "-p", "f32", "-o", "v").code == FINE
    (row,) = json.loads(featherc("verify", "v", "rigid_body_dynamics_quat", "--json").out)
    assert row["symbol"] == "fc_rigid_body_dynamics_quat_falcon_f32"


LIMIT = '''
from codegen import REAL, Arg, kernel

@kernel(
    inputs=[Arg("x", REAL, "1", "x"), Arg("m", REAL, "1", "m", range=(1, 2))],
    outputs=[Arg("y", REAL, "1", "y")],
    equation="y = |m| x",
    source="",
)
def scaled(x, m):
    """Scaled."""
    return m * x
'''


def test_a_long_reason_stands_below_the_table(featherc: Featherc, place: Path) -> None:
    Path("limit.py").write_text(LIMIT)
    assert featherc("generate", "--model", "limit.py", "-o", "c").code == FINE
    head, *rows, reason, _ = featherc("verify", "--model", "limit.py", "c").out.splitlines()[:5]
    assert all(row.index(" ok ") == head.index("verdict") - 1 for row in rows)
    assert re.match(r"scaled: tested at \d+ points inside the declared ranges, not proven: ", reason)


POWER = """\
from codegen import REAL, Arg, Vec3, kernel

@kernel(
    inputs=[Arg("r_N", Vec3, "m", "position", "N", range=[(6.4e6, 4e7), (-4e7, 4e7), (-4e7, 4e7)])],
    outputs=[Arg("g", REAL, "", "part of gravity")],
    equation="g = mu (x/r) (R/r)^4 (z/r)^4 / r^2; r = |r_N|; r_N = [x, y, z]; mu = 3.986e14; R = 6378137",
    source="",
)
def power(r_N):
    \"\"\"Eleven powers of a rounded length.\"\"\"
    r = r_N.norm
    s, a = r_N.z / r, 6378137 / r
    return 3.986e14 * (r_N.x / r) * a**4 * s**4 / (r * r)
"""


def test_verify_says_what_a_high_power_needs(featherc: Featherc, place: Path) -> None:
    Path("power.py").write_text(POWER)
    assert featherc("generate", "--model", "power.py", "-o", "c").code == FINE
    failed = featherc("verify", "--model", "power.py", "c")
    assert failed.code == FAILED
    hint = r"^note: fc_power_f32: the scaled error .* state tolerance=(\d+) in @kernel$"
    (needed,) = re.findall(hint, failed.err, re.MULTILINE)
    Path("power.py").write_text(POWER.replace('source="",', f'source="", tolerance={needed},'))
    assert featherc("generate", "--model", "power.py", "-o", "c").code == FINE
    assert featherc("verify", "--model", "power.py", "c").code == FINE


def test_verify_looks_at_generated_by_default(featherc: Featherc, earlier: Path) -> None:
    earlier.rename("generated")
    assert featherc("verify").code == FINE


def test_verify_fails_on_mutated_c(featherc: Featherc, earlier: Path) -> None:
    source = earlier / "fc_rotation_f32.c"
    in_a_statement = r"(?m)^(    \w[^\n]*?) \+ "
    source.write_text(re.sub(in_a_statement, r"\1 - ", source.read_text(), count=1))
    done = featherc("verify", "out")
    assert done.code == FAILED
    assert re.search(r"^fc_quat_multiply_f32 .* FAILED \d+ ", done.out, re.MULTILINE)
    detail, verdict = done.err.splitlines()
    assert detail.startswith("fc_quat_multiply_f32: an error of ")
    assert verdict == "featherc: 1 of 4 functions failed verification"
    failed = featherc("verify", "out", "--json")
    assert failed.code == FAILED
    wrong = [r["symbol"] for r in json.loads(failed.out) if not r["ok"]]
    assert wrong == ["fc_quat_multiply_f32"]


def test_verify_fails_on_c_with_a_warning(featherc: Featherc, earlier: Path) -> None:
    source = earlier / "fc_rotation_f32.c"
    source.write_text(source.read_text().replace("return ", "float unused = 0.5F;\n    return ", 1))
    done = featherc("verify", "out")
    assert done.code == FAILED
    assert done.said("rejects the generated C", "unused")


def test_verify_needs_the_model_of_a_model_tree(featherc: Featherc, user_model: Path) -> None:
    assert featherc("generate", "hypotenuse", "-m", user_model, "-o", "c").code == FINE
    for named in ([], ["hypotenuse"]):
        done = featherc("verify", "c", *named)
        assert done.code == USER
        assert done.said(
            "functions of kernel hypotenuse", f"add --model {Path(user_model).name}, with the path"
        )
    assert featherc("verify", "c", "-m", user_model).code == FINE


def test_verify_takes_tree_and_model_of_the_options_file(featherc: Featherc, user_model: Path) -> None:
    Path("featherc.toml").write_text(f"[generate]\noutput = 'c'\nmodel = ['{user_model}']\n")
    assert featherc("generate", "hypotenuse").code == FINE
    assert featherc("verify").code == FINE
    assert featherc("verify", "c", "hypotenuse").code == FINE


# inspect

LIBRARY_SAMPLE = ("quat_multiply", "quat_inverse", "rpy_from_dcm", "rigid_body_dynamics_rpy")
MARKS = {
    ("formula", "text"): "",
    ("definition", "text"): " = ",
    ("program", "text"): "\n# ",
    ("c", "text"): "@param[out]",
    ("definition", "latex"): "\\begin{flushleft}",
    ("formula", "latex"): "\\begin{flushleft}",
    ("program", "latex"): "\\texttt{",
    ("c", "latex"): "\\begin{verbatim}",
}


@pytest.mark.parametrize("form", ["text", "latex"])
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("kernel", sampled([*LIBRARY_SAMPLE, *USER_KERNELS], every=3))
def test_inspect_shows_every_stage(
    kernel: str, stage: str, form: str, featherc: Featherc, user_model: Path
) -> None:
    done = featherc("inspect", kernel, "--stage", stage, "--as", form, "-m", user_model)
    if (kernel, stage) == ("air_drag", "definition"):  # a formula of the user's has no other form
        assert done.code == USER
        assert done.said("air_drag", "--stage formula")
        return
    assert (done.code, done.err) == (FINE, "")
    assert kernel in done.out
    assert MARKS[stage, form] in done.out
    assert done.out.endswith("\n")
    if form == "latex":
        assert done.out.count("{") == done.out.count("}")


def test_inspect_shows_what_it_says(featherc: Featherc, user_model: Path) -> None:
    definition = featherc("inspect", "quat_multiply", "--stage", "definition").out
    assert "pq_w = p_w*q_w - p_x*q_x - p_y*q_y - p_z*q_z" in definition
    assert "return Vec3(*(-k * x * x" in featherc("inspect", "air_drag", "-m", user_model).out
    program = featherc("inspect", "hypotenuse", "-m", user_model, "--stage", "program").out
    assert "# 2 mul, 1 add, 1 sqrt" in program
    c = featherc("inspect", "quat_rotate", "--stage", "c", "-p", "f32").out
    assert "void fc_quat_rotate_f32(const fc_quat_f32 *q_AB" in c
    assert "double" not in c


# exit codes of the process


def test_help_and_version_go_to_stdout() -> None:
    for arguments in (["--help"], ["generate", "-h"], ["--version"]):
        done = child(*arguments)
        assert (done.returncode, done.stderr) == (FINE, "")
        assert "featherc" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "Missing command"),
        (["nonsense"], "nonsense"),
        (["generate", "--nonsense"], "--nonsense"),
        (["generate", "-o"], "-o"),
        (["inspect"], "KERNEL"),
        (["inspect", "quat_multiply", "--stage", "assembly"], "assembly"),
        (["list", "extra"], "extra"),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], says: str) -> None:
    done = child(*arguments)
    assert done.returncode == USER
    assert done.stdout == ""
    assert Outcome(done.returncode, done.stdout, done.stderr).said(says, "--help)")


@pytest.mark.parametrize(
    "arguments", [["list"], ["list", "--json"], ["inspect", "quat_multiply"], ["--help"]], ids=" ".join
)
def test_a_broken_pipe_is_silent(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as nobody:
        done = child(*arguments, capture_output=False, stdout=nobody, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (BROKEN_PIPE, "")


def test_a_reader_may_leave_early() -> None:
    script = f"{sys.executable} -m codegen list --json | head -1"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[\n", "")


def test_a_full_disk_behind_stdout() -> None:
    with open("/dev/full", "w") as full:
        done = child("list", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == USER
    assert done.stderr == "featherc: cannot write: No space left on device\n"


def test_stdout_need_not_know_every_letter() -> None:
    done = child("list", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (FINE, "")
    assert "Pl\\xfccker" in done.stdout


def test_an_interrupt_is_130(place: Path) -> None:
    """Ctrl-C while a model file runs; in the background, where a shell ignores it, it is let through."""
    let_through = "import os, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    Path("slow.py").write_text(f"{let_through}os.kill(os.getpid(), {int(signal.SIGINT)})\n")
    done = child("generate", "-m", "slow.py", "-o", "out")
    assert (done.returncode, done.stdout, done.stderr) == (INTERRUPTED, "", "featherc: interrupted\n")
    assert not Path("out").exists()


def test_a_bug_is_one_line_and_a_log(
    featherc: Featherc, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("one\ntwo")

    monkeypatch.setattr("codegen.tree.write.render_tree", broken)
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    done = featherc("generate", "quat_multiply", "-o", "out")
    (log,) = place.glob("featherc-*.log")
    assert done.code == BUG
    assert done.said("this is a bug (RuntimeError: one two)", "report", str(log))
    assert 'raise RuntimeError("one\\ntwo")' in log.read_text()


# terminals and pipes


def on_a_terminal(stream: str, *arguments: object) -> tuple[str, str]:
    """(what a terminal at this stream shows, what comes out of a pipe at the other)."""
    ours, theirs = pty.openpty()
    streams: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: theirs}
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(
        [*FEATHERC, *map(str, arguments)], env=environment, text=True, **streams
    ) as process:
        os.close(theirs)
        shown = b"".join(iter(lambda: _read(ours), b""))
        piped = process.stdout or process.stderr
        assert piped is not None
        output = piped.read()
    os.close(ours)
    assert process.returncode == FINE
    return shown.decode(), output


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # how Linux says that the other side has closed
        return b""


@pytest.mark.exhaustive
def test_progress_is_for_terminals_only(earlier: Path) -> None:
    terminal, output = on_a_terminal("stderr", "verify", "out")
    assert "verifying fc_quat_multiply_f64" in terminal
    assert ESCAPE in terminal
    assert ESCAPE not in output
    assert output.splitlines()[0].startswith("function")
    piped = child("verify", "out")
    assert (piped.stdout, piped.stderr) == (output, "")


def test_a_row_is_printed_when_it_is_made(capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[str] = []

    def rows() -> Iterator[tuple[str, str]]:
        for row in [("first", "1"), ("second", "12"), ("longer than the column", "FAILED")]:
            shown.append(capsys.readouterr().out)
            yield row

    growing_table({"name": 8, "count": 0}, rows(), right=("count",))
    assert shown == ["name       count\n", "first          1\n", "second        12\n"]
    assert capsys.readouterr().out == "longer than the column   FAILED\n"


def test_a_terminal_sees_that_generation_works(place: Path) -> None:
    terminal, output = on_a_terminal("stderr", "generate", "quat_multiply", "-o", "c")
    assert "optimising quat_multiply" in terminal
    assert "writing the C of 1 kernels" in terminal
    assert "0:00:00" in terminal
    assert output == "c: 1 kernels in 9 files\n"


def test_a_table_on_a_terminal_cuts_no_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "codegen.show.Output", lambda **_: Console(force_terminal=True, width=60, color_system=None)
    )
    table(["kernel", "inputs"], [["a" * 100, "b" * 40]])
    shown = capsys.readouterr().out
    assert (shown.count("a"), shown.count("b")) == (100, 40)
    assert max(map(len, shown.splitlines())) <= 60


def test_a_table_on_a_terminal_has_colours(place: Path) -> None:
    terminal, errors = on_a_terminal("stdout", "list")
    assert ESCAPE in terminal
    assert errors == ""


# hostile input


Contents = dict[str, str | bytes]


@dataclass(frozen=True)
class Refusal:
    """Files, a command line that goes wrong with them, and what its one line must name."""

    arguments: str
    says: tuple[str, ...]
    files: Contents


def model_text(argument: str = "x", name: str = "f", body: str = "return 2 * {a}", result: str = "y") -> str:
    """A model file of one kernel of one number."""
    return (
        "from codegen import *\nfrom codegen.modeling.types.scalar import sqrt\n\n"
        f"@kernel(inputs=[Arg('{argument}', REAL, '1', 'in')], outputs=[Arg('{result}', REAL, '1', 'out')],\n"
        "        equation='', source='')\n"
        f"def {name}({argument}):\n    {body.format(a=argument)}\n"
    )


def config(text: str) -> Contents:
    """A featherc.toml with this in its table."""
    return {"featherc.toml": f"[generate]\n{text}\n"}


def refusals() -> Iterator[tuple[str, Refusal]]:
    """All options that `generate` refuses."""
    here = "quat_multiply -o out"
    said: tuple[str, ...]
    yield "unknown kernel", Refusal("quat_multipyl -o out", ("'quat_multipyl'", "quat_multiply?"), {})
    yield "no such kernel", Refusal("zzz -o out", ("'zzz'", "featherc list"), {})
    yield "no directory", Refusal("quat_multiply", ("-o DIR",), {})

    for name, (text, says) in {
        "not TOML": ("output = ", "not valid TOML"),
        "deep": ("x = " + "[" * 20000, "not valid TOML"),
        "endless number": (f"x = {'1' * 5000}", "not valid TOML"),
        "unknown table": ("[generat]", "[generat]"),
        "not a table": ("generate = 3", "must be a table"),
    }.items():
        yield f"config: {name}", Refusal(here, ("featherc.toml", says), {"featherc.toml": text})
    yield "config: binary", Refusal(here, ("featherc.toml", "UTF-8"), {"featherc.toml": b"\xff\xfe\x00"})
    yield "config: missing", Refusal(f"{here} --config no.toml", ("no.toml", "No such file"), {})
    yield "config: a directory", Refusal(f"{here} --config .", ("Is a directory",), {})
    for key, value, wanted in (
        ("output", "3", "a string"), ("kernels", '"quat_multiply"', "a list of strings"),
        ("kernels", "[1]", "a list of strings"), ("model", "true", "a list of strings"),
        ("bind", "{}", "a list of strings"), ("precision", '"f64"', "a list of strings"),
        ("prefix", "1.5", "a string"), ("layout", "[]", "a string"), ("interface", "1979-05-27", "a string"),
        ("checks", '"yes"', "true or false"), ("checks", "1", "true or false"), ("license", "0", "a string"),
    ):  # fmt: skip
        said = ("featherc.toml", f"{key} must be {wanted}")
        yield f"config: {key} = {value}", Refusal(here, said, config(f"{key} = {value}"))
    yield "config: unknown key", Refusal(here, ("'outputs'", "output"), config('outputs = "c"'))
    yield "config: unknown kernel", Refusal("-o out", ("'q'",), config('kernels = ["q"]'))
    yield "config: no precision", Refusal(here, ("f64, f32 or both",), config("precision = []"))
    yield "config: model missing", Refusal("-o out", ("no.py",), config('model = ["no.py"]'))

    for option, value, says in (
        ("precision", "f16", "choose f64 or f32"), ("layout", "flat", "library or header-only"),
        ("interface", "tuple", "struct or array"), ("license", "'*/'", "SPDX"), ("license", "''", "SPDX"),
        ("precision", "f64 -p f64", "each once"), ("prefix", "'my lib_'", "letters, digits"),
        ("prefix", "_x", "letter"), ("prefix", "''", "letter"), ("prefix", "fc__", "double underscores"),
        ("prefix", "_", "letter"), ("prefix", "9_", "letter"), ("prefix", "é_", "letter"),
        ("prefix", "int", "C or its headers"), ("prefix", "I_", "C or its headers"),
        ("prefix", "m_", "CMake"), ("prefix", "test", "CMake"), ("prefix", "a" * 60, "longer than"),
    ):  # fmt: skip
        yield f"{option} {value}", Refusal(f"{here} --{option} {value}", (says,), {})

    a_vector = model_text(name="vec3", body="return {a}").replace("REAL", "Vec3")
    two_declared = model_text().replace("'out')]", "'out'), Arg('z', REAL, '1', 'out')]")
    again = model_text().partition("\n\n")[2]
    named = again.replace("source=''", "source='', name='f'").replace("def f", "def g")
    qualified = model_text() + "import codegen\n" + again.replace("@", "@codegen.") + "f = 3\n"
    replaced = model_text() + "def f(x):\n    return x\n" + again.replace("def f", "def g")
    other = "from sympy import Symbol\nu = Arg('u', REAL, '1', ''), Symbol('u')\n"
    other += "v = Arg('v', REAL, '1', ''), u[1]\ng = from_sympy('f', [u], [v])\n"
    for name, text, said in (
        ("C keyword as argument", model_text("register"), ("'register'", "choose another name")),
        ("C++ keyword as argument", model_text("template"), ("'template'", "choose another name")),
        ("I as argument", model_text("I"), ("'I'", "choose another name")),
        ("underscore first", model_text("_x"), ("'_x'", "take a letter")),
        ("double underscore", model_text("a__b"), ("'a__b'", "choose another name")),
        ("libm name", model_text("sinf"), ("'sinf'", "choose another name")),
        ("C keyword as result", model_text(result="double"), ("'double'", "choose another name")),
        ("C keyword as kernel", model_text(name="switch"), ("'switch'", "choose another name")),
        ("argument twice", model_text(result="x"), ("two arguments called x",)),
        ("name of a library kernel", model_text(name="quat_rotate"), ("in the library", "rename")),
        ("name of a type", a_vector, ("vec3", "rename")),
        ("syntax error", "def f(:\n", ("model.py:1: ",)),
        ("null bytes", "\0", ("model.py", "null bytes")),
        ("raising", "\nraise ValueError('no\\nairframe')", ("model.py:2: ValueError: no airframe",)),
        ("leaving", "import sys\nsys.exit(0)", ("model.py:2: SystemExit",)),
        ("importing what is not there", "import no_such_module", ("model.py:1: ", "no_such_module")),
        ("no kernels", "x = 1", ("model.py", "@kernel")),
        ("branch on a value", model_text(body="return {a} if {a} > 0 else -{a}"), ("model.py:7: ", "select")),
        ("too few results", two_declared, ("returns 1 results, but 2 outputs",)),
        ("wrong size of result", model_text(body="return ({a}, {a})"), ("output y has 1 scalars, but",)),
        ("other parameters", model_text().replace("def f(x)", "def f(z)"), ("takes z", "inputs are x")),
        ("not a number", model_text(body="return {a} * float('nan')"), ("model.py:7: ",)),
        ("two of one name", model_text() + other, ("two kernels called f (line 4)",)),
        ("a name given twice", model_text() + named, ("two kernels called f (line 4, line 8)", "rename")),
        ("defined twice", model_text() * 2, ("model.py:13: ", "kernel f, which line 6", "rename")),
        ("defined twice by codegen.kernel", qualified, ("model.py:11: ", "kernel f, which line 6", "rename")),
        ("kernel replaced by a function", replaced, ("model.py:8: ", "kernel f, which line 6", "rename")),
        ("constant out of range", model_text(body="return {a} * 1e300"), ("f_f32", "1.0e+300")),
    ):  # fmt: skip
        yield f"model: {name}", Refusal("-m model.py -o out", said, {"model.py": text})
    yield "model: missing", Refusal("-m no.py -o out", ("no.py", "no model file"), {})
    yield "model: a directory", Refusal("-m . -o out", ("no model file",), {})
    yield "model: not Python", Refusal("-m m.txt -o out", ("m.txt", ".py"), {"m.txt": "x"})
    yield "model: binary", Refusal("-m m1.py -o out", ("m1.py",), {"m1.py": b"\x80\x81\xff"})
    yield "model: library module", Refusal("-m rotation.py -o out", ("module rotation",), {"rotation.py": ""})
    yield "model: C keyword", Refusal("-m auto.py -o out", ("'auto'",), {"auto.py": model_text()})
    yield "model: spaces", Refusal("-m 'my model.py' -o out", ("'my model'",), {"my model.py": model_text()})
    two: Contents = {"a.py": model_text(), "b.py": model_text()}
    yield "models: one name", Refusal("-m a.py -m b.py -o out", ("b.py", "kernel f", "rename"), two)

    yield "bind: missing", Refusal(f"{here} -b no.toml", ("no.toml", "No such file"), {})
    yield "bind: nothing", Refusal(f"{here} -b b.toml", ("b.toml", "nothing to bind"), {"b.toml": ""})

    yield "output: a file", Refusal("quat_multiply -o file", ("file is a file",), {"file": "mine"})
    yield "output: below a file", Refusal("quat_multiply -o file/c", ("cannot write",), {"file": "mine"})
    yield "output: no such device", Refusal("quat_multiply -o /dev/null/c", ("cannot write",), {})
    yield "output: read-only", Refusal("quat_multiply -o /proc/featherc/c", ("cannot write",), {})
    for name in ("fc.h", "selftest.c", "CMakeLists.txt", "fc_rotation_f64.c"):
        foreign: Contents = {f"lib/{name}": "mine"}
        said = (f"lib/{name} is an unmanaged file", "move it away")
        yield f"output: foreign {name}", Refusal("quat_multiply -o lib", said, foreign)
    for name, text in {
        "empty": "", "cut off": '{"schema": 1, "files": [', "list": "[]", "deep": "[" * 100000,
        "another program's": '{"name": "app", "version": "1.0"}',
        "another program's with files": '{"files": [{"path": "keep.h"}]}',
        "of strings": '{"schema": 1, "prefix": "fc_", "files": ["fc.h"]}',
    }.items():  # fmt: skip
        damaged: Contents = {"lib/manifest.json": text, "lib/keep.h": "mine"}
        said = ("manifest.json is damaged or not from featherc", "choose another")
        yield f"output: manifest {name}", Refusal("quat_multiply -o lib", said, damaged)


REFUSALS = dict(refusals())


@pytest.mark.parametrize("name", REFUSALS)
def test_hostile_input_is_refused_in_one_line(
    name: str, featherc: Featherc, place: Path, earlier: Path
) -> None:
    case = REFUSALS[name]
    for path, content in case.files.items():
        (place / path).parent.mkdir(exist_ok=True)
        (place / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    before = snapshot(place)
    done = featherc("generate", *shlex.split(case.arguments))
    assert done.code == USER, done.err
    assert done.said(*case.says), done.err
    assert done.out == ""
    assert {k: v for k, v in snapshot(place).items() if not k.endswith(".pyc")} == before
    assert not [p for p in earlier.iterdir() if p.is_dir()]


@pytest.mark.parametrize(
    ("compiler", "path", "says"),
    [
        ("no-such-compiler -O2", None, ("'no-such-compiler -O2'", "gcc or clang")),
        ("'", None, ("of $CC is not found", "set CC")),
        (None, "", ("no C compiler found", "install gcc or clang")),
    ],
)
def test_no_compiler(
    compiler: str | None,
    path: str | None,
    says: tuple[str, ...],
    featherc: Featherc,
    earlier: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in (("CC", compiler), ("PATH", path)):
        if value is not None:
            monkeypatch.setenv(name, value)
    done = featherc("verify", "out")
    assert done.code == USER
    assert done.said(*says)


def test_cc_may_have_arguments(featherc: Featherc, earlier: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "env gcc -g")
    assert featherc("verify", "out").code == FINE


DAMAGE: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "schema": (lambda m: m.update(schema=2), "schema is not 1"),
    "functions gone": (lambda m: m.pop("functions"), "lacks 'functions'"),
    "checks gone": (lambda m: m.pop("checks"), "lacks 'checks'"),
    "prefix a number": (lambda m: m.update(prefix=3), "'prefix' is damaged"),
    "function a number": (lambda m: m["functions"].append(1), "'functions' is damaged"),
    "symbol gone": (lambda m: m["functions"][0].pop("symbol"), "lacks 'symbol'"),
    "argument a string": (lambda m: m["functions"][0]["arguments"].append("x"), "'arguments' is damaged"),
    "shape of words": (lambda m: m["functions"][0]["arguments"][0].update(shape=["a"]), "'shape' is damaged"),
    "unknown layout": (lambda m: m.update(layout="flat"), "layout 'flat'"),
    "unknown kernel": (lambda m: m["functions"][0].update(kernel="quat_add"), "quat_add"),
    "symbol not in the C": (lambda m: m["functions"][0].update(symbol="fc_x"), "fc_x"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_verify_of_a_damaged_manifest(name: str, featherc: Featherc, earlier: Path) -> None:
    damage, says = DAMAGE[name]
    manifest = json.loads((earlier / "manifest.json").read_text())
    damage(manifest)
    (earlier / "manifest.json").write_text(json.dumps(manifest))
    done = featherc("verify", "out")
    assert done.code == USER, done.err
    assert done.said(says), done.err


@pytest.mark.parametrize("text", ["", "\ufeff{}", "[" * 100000, "null", "3"])
def test_verify_of_what_is_no_manifest(text: str, featherc: Featherc, earlier: Path) -> None:
    (earlier / "manifest.json").write_text(text)
    done = featherc("verify", "out")
    assert done.code == USER
    assert done.said("manifest.json", "generate the tree again")


def test_verify_of_no_tree(featherc: Featherc, place: Path) -> None:
    for directory in ("nowhere", "."):
        done = featherc("verify", directory)
        assert done.code == USER
        assert done.said("holds no manifest.json", "featherc generate")


def test_verify_of_a_tree_without_its_source(featherc: Featherc, earlier: Path) -> None:
    (earlier / "fc_rotation_f32.c").unlink()
    done = featherc("verify", "out")
    assert done.code == FAILED
    assert done.said("fc_rotation_f32.c")


# output is whole or says that it is not


def tree_of(**files: str) -> dict[str, str]:
    """A tree of C files, with its manifest."""
    named = {f"{name}.c": text for name, text in files.items()}
    listed = [{"path": name} for name in named]
    return {**named, "manifest.json": json.dumps({"schema": 1, "prefix": "x", "files": listed})}


OLD = tree_of(a="old a", b="old b", stale="old")
NEW = tree_of(a="new a", b="new b", c="new c")
MINE = {"mine.txt": "mine", "sub/a.c": "mine"}


def as_bytes(*trees: dict[str, str]) -> Files:
    return {name: text.encode() for tree in trees for name, text in tree.items()}


@pytest.fixture
def old(place: Path) -> Path:
    """An old tree, and files of the user's."""
    directory = place / "tree"
    write_tree(OLD, directory)
    (directory / "sub").mkdir()
    for name, text in MINE.items():
        (directory / name).write_text(text)
    return directory


def fails_at(count: int, function: Callable[..., Any], error: BaseException) -> Callable[..., Any]:
    """The function, which raises at its count-th call."""
    calls = iter(range(1, count))

    def failing(*arguments: Any) -> Any:
        if next(calls, None) is None:
            raise error
        return function(*arguments)

    return failing


def test_a_new_tree_replaces_the_old_one_only(old: Path) -> None:
    write_tree(NEW, old)
    assert snapshot(old) == as_bytes(NEW, MINE)


@pytest.mark.parametrize("count", range(1, 6))
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=repr)
def test_a_failure_while_writing_leaves_the_old_tree(
    error: BaseException, count: int, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", fails_at(count, Path.write_bytes, error))
        with pytest.raises((FeatherError, KeyboardInterrupt)):
            write_tree(NEW, old)
        with pytest.raises((FeatherError, KeyboardInterrupt)):
            write_tree(NEW, old.parent / "first" / "time")
    assert snapshot(old) == as_bytes(OLD, MINE)
    assert not (old.parent / "first" / "time").exists()


@pytest.mark.parametrize("count", range(1, 6))
@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), KeyboardInterrupt()], ids=repr)
def test_a_failure_while_moving_in_is_told_and_heals(
    error: BaseException, count: int, old: Path, featherc: Featherc, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fails_at(count, os.replace, error))
        with pytest.raises((FeatherError, KeyboardInterrupt)) as failure:
            write_tree(NEW, old)
    if count == 1:
        assert snapshot(old) == as_bytes(OLD, MINE)
    else:
        assert isinstance(error, KeyboardInterrupt) or failure.match("incomplete now .*generate again")
        told = featherc("verify", old)
        assert told.code == USER
        assert told.said("incomplete", "generate the tree again")
    write_tree(NEW, old)
    assert snapshot(old) == as_bytes(NEW, MINE)


@pytest.mark.parametrize("count", sampled([2, 1, 5], every=3))
def test_a_killed_run_is_healed_by_the_next(count: int, earlier: Path, featherc: Featherc) -> None:
    """Also where the killed run was the first one in its directory."""
    killed = (
        "import os, sys\nfrom codegen.__main__ import run\n"
        f"replace, left = os.replace, iter(range(1, {count}))\n"
        "os.replace = lambda *a: os._exit(9) if next(left, None) is None else replace(*a)\n"
        "run(sys.argv[1:])\n"
    )
    arguments = ["generate", "motion_cross", "quat_multiply", "-o"]
    assert featherc(*arguments, "whole").code == FINE
    for directory, before in (("out", snapshot(earlier)), ("first", {})):
        done = subprocess.run([sys.executable, "-c", killed, *arguments, directory], check=False)
        assert done.returncode == 9
        told = featherc("verify", directory)
        if count == 1:
            assert before.items() <= snapshot(Path(directory)).items()
        else:
            assert told.code == USER
            assert told.said("incomplete", "generate the tree again")
        assert featherc(*arguments, directory).code == FINE
        assert snapshot(Path(directory)).items() - snapshot(Path("whole")).items() <= {("notes.txt", b"mine")}
        assert featherc("verify", directory).code == FINE


def test_the_directory_may_be_a_link_or_the_current_one(featherc: Featherc, earlier: Path) -> None:
    Path("link").symlink_to(earlier, target_is_directory=True)
    assert featherc("generate", "quat_multiply", "-o", "link").code == FINE
    assert symbols(earlier) == ["fc_quat_multiply_f64", "fc_quat_multiply_f32"]
    os.chdir(earlier)
    assert featherc("generate", "quat_inverse", "-o", ".").code == FINE
    assert symbols(earlier) == ["fc_quat_inverse_f64", "fc_quat_inverse_f32"]


def test_nothing_is_written_beside_the_directory(
    featherc: Featherc, earlier: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The directory may be the only place that can be written, or another file system."""
    made: list[Path] = []
    make = tempfile.mkdtemp

    def noted(*, prefix: str, dir: Path) -> str:
        made.append(dir)
        return make(prefix=prefix, dir=dir)

    monkeypatch.setattr(tempfile, "mkdtemp", noted)
    assert featherc("generate", "quat_multiply", "-o", "out").code == FINE
    assert made == [earlier]
