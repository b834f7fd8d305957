"""featherc diff from end to end: revisions, the verdict in every format, hostile trees, the action."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from codegen.__main__ import FAILED, FINE, USER, run
from codegen.review.diff.changes import Change, ChangeClass
from codegen.review.diff.text.source import read_source
from codegen.review.footprint import TARGET, footprints
from codegen.tree.snapshot import read_tree
from tests import pull_request
from tests.conftest import ROOT, Featherc, sampled, snapshot, tool, tools_of
from tests.test_trees import git

SOURCE = "fc_rotation_f32.c"
FORMATS = ["text", "json", "markdown", "junit", "sarif", "github", "gitlab", "html"]


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of three kernels."""
    directory = tmp_path_factory.mktemp("generated") / "out"
    names = ["quat_multiply", "quat_inverse", "rpy_kinematics"]
    assert run(["generate", *names, "-o", str(directory)]) == FINE
    return directory


@pytest.fixture
def old(generated: Path, place: Path) -> Path:
    """The tree, `old` in the current directory; `new` beside it is the same."""
    shutil.copytree(generated, place / "new")
    return Path(shutil.copytree(generated, place / "old"))


def edit(before: str, after: str, path: str = f"new/{SOURCE}") -> None:
    """Replace a text at the first place where a file has it."""
    text = Path(path).read_text()
    assert before in text
    Path(path).write_text(text.replace(before, after, 1))


SIGN = ("p_w * q_x + p_x * q_w", "p_w * q_x - p_x * q_w")
ORDER = ("p_w * q_x + p_x * q_w + p_y * q_z", "p_w * q_x + (p_x * q_w + p_y * q_z)")


def classes(featherc: Featherc, *arguments: str) -> dict[str, str]:
    """Function -> class, as the JSON says, of what is not identical."""
    done = featherc("diff", "old", "new", "--format", "json", *arguments)
    functions = json.loads(done.out)["functions"]
    return {f["symbol"]: f["class"] for f in functions if f["class"] != "identical"}


def test_the_same_tree_is_identical(featherc: Featherc, old: Path) -> None:
    done = featherc("diff", "old", "new", "--fail-on", "changed,interface,added,removed,cosmetic,cost>0")
    assert (done.code, done.out, done.err) == (FINE, "6 identical\n", "")


def test_each_class_is_shown_with_its_cost(featherc: Featherc, old: Path) -> None:
    edit(*SIGN)
    edit("return", "/* a comment */ return", "new/fc_rotation_f64.c")
    edit(*ORDER, "new/fc_rotation_f64.c")
    done = featherc("diff", "old", "new")
    assert done.code == FINE
    assert classes(featherc) == {
        "fc_quat_multiply_f32": "changed",
        "fc_quat_multiply_f64": "re-associated",
        "fc_quat_inverse_f64": "cosmetic",
    }
    row = next(line.split() for line in done.out.splitlines() if line.startswith("fc_quat_multiply_f32"))
    assert row[1:4] == ["changed", "28", "0"]
    counts = "1 changed, 1 re-associated, 1 cosmetic, 3 identical"
    assert done.out.endswith(f"{counts}; no policy is set, so nothing fails\n")
    assert "policy" not in done.out.splitlines()[0]
    judged = featherc("diff", "old", "new", "--fail-on", "interface")
    assert judged.out.splitlines()[0].split()[-1] == "policy"
    assert judged.out.endswith(f"{counts}\n")


def test_a_status_is_told_by_the_names_of_its_flags(featherc: Featherc, old: Path) -> None:
    edit("1.1754944e-38F", "1.0F", "new/fc_rotation_f32.c")
    done = featherc("diff", "old", "new")
    assert "status: FC_OK -> FC_ZERO_NORM\n" in done.out
    assert "status is FC_ZERO_NORM instead of FC_OK\n" in done.out


def test_the_compiler_measures_what_was_read_and_not_the_text(featherc: Featherc, old: Path) -> None:
    tools_of(TARGET)
    edit("const float cos_theta = cosf(rpy_y);", "const float cos_theta = cosf(rpy_y) * sinf(w_B_z);")
    row = json.loads(featherc("diff", "old", "new", "--format", "json").out)
    (function,) = (f for f in row["functions"] if f["class"] == "changed")
    before, after = function["before"], function["after"]
    assert (before["libm"], after["libm"]) == (4, 5)
    assert 0 < before["instructions"] < after["instructions"] < 200
    assert 0 < before["flash"] < after["flash"] < 1000
    assert 0 < before["stack"] < 200


def test_a_pair_of_sine_and_cosine_is_measured_as_one_call(
    featherc: Featherc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With libm, the same function calls twice as often for the same operations."""
    tools_of(TARGET)
    monkeypatch.chdir(tmp_path)
    model = str(ROOT / "examples" / "arm.urdf")
    for choice in ("pairs", "libm"):
        featherc("generate", "arm_gravity_forces", "--model", model, "--sincos", choice, "-o", choice)
    done = featherc("diff", "pairs", "libm", "--format", "json")
    for function in (f for f in json.loads(done.out)["functions"] if f["class"] == "re-associated"):
        before, after = function["before"], function["after"]
        assert before["libm"] == after["libm"] == 6
        assert before["instructions"] + 3 <= after["instructions"]


def test_equal_functions_measure_alike(generated: Path) -> None:
    """The compiler must not make one of them a jump to the other."""
    tools_of(TARGET)
    source = read_source(read_tree(str(generated)).files)
    symbol = "fc_quat_multiply_f32"
    changes = [Change(symbol, ChangeClass.CHANGED, "", SOURCE, 1)] * 2
    one, other = footprints(changes, (source, source), {symbol})
    assert one.before == one.after == other.before == other.after
    assert one.after["instructions"] > 28


@pytest.mark.parametrize("form", FORMATS)
def test_files_are_entries_of_their_own(form: str, featherc: Featherc, old: Path) -> None:
    edit("set(scope PUBLIC)", "add_compile_options(-ffast-math)\nset(scope PUBLIC)", "new/CMakeLists.txt")
    edit("row-major", "column-major", "new/fc_types.h")
    said = featherc("diff", "old", "new", "--format", form)
    words = ("CMakeLists.txt", "build", "contract", "fc_types.h", "compiles with")
    assert (said.code, [word for word in words if word not in said.out]) == (FINE, [])
    for item in ("build", "contract"):
        done = featherc("diff", "old", "new", "--format", form, "--fail-on", item)
        assert done.code == FAILED
        assert done.said("1 of 8 functions and files are outside the policy")
    other = "changed,interface,cost>5%,stack>0"
    assert featherc("diff", "old", "new", "--format", form, "--fail-on", other).code == FINE


def test_a_function_that_is_gone_is_where_it_was(featherc: Featherc, old: Path) -> None:
    text = (old.parent / "new" / SOURCE).read_text()
    start = text.index("fc_status fc_quat_inverse_f32")
    end = text.index("\n}\n", start) + 3
    (old.parent / "new" / SOURCE).write_text(text[:start] + text[end:])
    (row,) = json.loads(featherc("diff", "old", "new", "--format", "sarif").out)["runs"][0]["results"]
    assert row["ruleId"] == "removed"
    place = row["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == f"old/{SOURCE}"
    line = (old / SOURCE).read_text().splitlines()[place["region"]["startLine"] - 1]
    assert line.startswith("fc_status fc_quat_inverse_f32(")


@pytest.mark.parametrize("name", [SOURCE, "manifest.json", "more.H"])
def test_a_file_that_is_not_read_is_an_entry_of_its_own(name: str, featherc: Featherc, old: Path) -> None:
    path = old.parent / "new" / name
    path.unlink(missing_ok=True)
    path.symlink_to("/etc/passwd")
    (old.parent / "new" / "notes.txt").symlink_to("/etc/passwd")
    for sides in (("old", "new"), ("new", "old")):
        done = featherc("diff", *sides, "--fail-on", "changed", "--format", "json")
        entries = {f["symbol"]: f for f in json.loads(done.out)["functions"]}
        assert done.code == FAILED
        assert entries[name]["class"] == "unreadable"
        assert "a symbolic link" in entries[name]["unreadable"]["reason"]
        assert "notes.txt" not in entries


@pytest.mark.parametrize("form", sampled(FORMATS, every=4))
@pytest.mark.parametrize(("items", "code"), [("changed", FAILED), ("interface", FINE), ("added", FINE)])
def test_the_verdict_is_the_policys_in_every_format(
    form: str, items: str, code: int, featherc: Featherc, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(*SIGN)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(old.parent / "nowhere" / "summary.md"))
    for more in ([], ["--summary"]):
        done = featherc("diff", "old", "new", "--fail-on", items, "--format", form, *more)
        assert done.code == code
        assert "fc_quat_multiply_f32" in done.out
        if code == FAILED:
            assert "featherc: 1 of 6 functions are outside the policy" in done.err
    if form == "json":
        assert json.loads(done.out)["within_policy"] is (code == FINE)
    if form == "junit":
        assert len(ElementTree.fromstring(done.out).findall("testcase")) == 6


def test_a_report_is_written_to_a_file(featherc: Featherc, old: Path) -> None:
    edit(*SIGN)
    done = featherc("diff", "old", "new", "--fail-on", "changed", "--format", "html", "-o", "report.html")
    assert (done.code, done.out) == (FAILED, "")
    written = Path("report.html").read_text(encoding="utf-8")
    assert "fc_quat_multiply_f32: changed" in written
    assert '<math class="id"><' in written
    done = featherc("diff", "old", "new", "--format", "html", "-o", "nowhere/report.html")
    assert (done.code, done.err) == (
        USER,
        "featherc: nowhere/report.html cannot be written: No such file or directory\n",
    )
    done = featherc("diff", "old", "new", "-o", "report.txt")
    assert (done.code, done.out) == (FINE, "")
    assert Path("report.txt").read_text() == featherc("diff", "old", "new").out


def test_limits_and_budgets_of_the_configuration(featherc: Featherc, old: Path) -> None:
    edit("p_w * q_w", "p_w * q_w * 1.5F")
    toml = Path("featherc.toml")
    toml.write_text('[diff]\nfail-on = ["cost>5%"]\n')
    assert featherc("diff", "old", "new").code == FINE
    toml.write_text('[diff]\nfail-on = ["interface", "cost>3%"]\n')
    assert featherc("diff", "old", "new").code == FAILED
    assert featherc("diff", "old", "new", "--fail-on", "interface").code == FINE
    toml.write_text('[diff]\nbudget = { "fc_*_f32" = { cost = 60 }, fc_quat_multiply_f32 = { mul = 16 } }\n')
    done = featherc("diff", "old", "new")
    assert done.code == FAILED
    assert "outside the policy: mul 17 is over its budget of 16" in done.out
    edit("cost = 60", "cost = 30", "featherc.toml")
    over = "outside the policy: cost 31 is over its budget of 30"
    assert over in featherc("diff", "old", "new").out, "also where a function has not changed"


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('[diff]\nfail-on = ["chnaged"]\n', ["fail-on: 'chnaged'"]),
        ('[diff]\nfail-on = "changed"\n', ["fail-on must be a list of strings"]),
        ("[diff]\nbudget = 5\n", ["budget must be a table"]),
        ("[diff]\nbudget = { fc_f = { stck = 5 } }\n", ["budget of fc_f", "'stck'"]),
        ("[diff]\nfail_on = []\n", ["unknown key 'fail_on'", "fail-on"]),
        ("[dif]\n", ["unknown table [dif]; known are [generate], [diff], [release] and [[waiver]]"]),
        ("diff = 5\n", ["diff must be a table"]),
        ('[diff]\nfail-on = [""]\n', ["fail-on of the configuration is empty"]),
        ('[diff]\nfail-on = ["ulp>5%"]\n', ["fail-on: 'ulp>5%' is neither a class"]),
    ],
)
def test_a_wrong_policy_is_named(toml: str, said: list[str], featherc: Featherc, old: Path) -> None:
    Path("featherc.toml").write_text(toml)
    done = featherc("diff", "old", "new")
    assert done.code == USER
    assert done.said(*said)
    assert done.out == ""


def test_a_limit_that_cannot_be_measured_is_an_error(
    featherc: Featherc, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codegen.review.review.can_measure", lambda: False)
    assert featherc("diff", "old", "new", "--fail-on", "stack>64").code == FINE
    edit(*SIGN)
    done = featherc("diff", "old", "new", "--fail-on", "stack>64")
    assert done.code == USER
    assert done.said("fc_quat_multiply_f32", "install arm-none-eabi-gcc")


def test_a_limit_on_round_off(featherc: Featherc, old: Path) -> None:
    edit(*ORDER)
    entry = next(x for x in featherc("diff", "old", "new").out.splitlines() if "ulp apart" in x)
    ulp = float(entry.split("at most ")[1].split()[0])
    assert 0 < ulp < 1e6
    assert featherc("diff", "old", "new", "--fail-on", f"ulp>{2 * ulp:.6f}").code == FINE
    done = featherc("diff", "old", "new", "--fail-on", f"ulp>{ulp / 2:.6f}")
    assert done.code == FAILED
    assert f"outside the policy: ulp>{ulp / 2:.6f}: {ulp:.3g} ulp apart" in done.out


def test_revisions_and_directories_are_compared(featherc: Featherc, old: Path) -> None:
    git(old.parent, "init", "-q")
    git(old.parent, "add", "new")
    git(old.parent, "commit", "-q", "-m", "first")
    edit(*SIGN)
    git(old.parent, "commit", "-q", "-a", "-m", "second")
    for names in (("HEAD~1:new", "HEAD:new"), ("HEAD~1:new", "new"), ("old", "HEAD:new")):
        done = featherc("diff", *names, "--format", "github", "--fail-on", "changed")
        assert done.code == FAILED
        assert "::error file=new/fc_rotation_f32.c,line=" in done.out
    for wrong in ("HEAD~9:new", "HEAD:nowhere", "nowhere", "--help:new"):
        done = featherc("diff", "--", wrong, "new")
        assert done.code == USER
        assert done.said(wrong)


def test_the_summary_goes_where_github_says(
    featherc: Featherc, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(*SIGN)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    assert featherc("diff", "old", "new", "--summary").code == FINE
    said = Path("summary.md").read_text()
    assert said == featherc("diff", "old", "new", "--format", "markdown").out
    assert "| `fc_quat_multiply_f32` | changed |" in said


def test_the_readme_shows_the_real_output() -> None:
    """The table has figures of the compiler that Debian 12 has; other compilers have others."""
    shown, real = pull_request.block("text"), pull_request.output()
    assert pull_request.changed_lines() == pull_request.block("diff")
    assert shown.split("\n\n")[1:] == real.split("\n\n")[1:], "run python -m tests.pull_request"
    version = subprocess.run(
        [tool(TARGET.compiler), "-dumpversion"], capture_output=True, text=True, check=True
    )
    if version.stdout.startswith("12.2"):
        assert shown == real, "run python -m tests.pull_request"


# hostile trees


def _replaced(name: str, content: bytes) -> Callable[[Path], None]:
    def spoil(tree: Path) -> None:
        (tree / name).write_bytes(content)

    return spoil


def _linked(tree: Path) -> None:
    (tree / SOURCE).unlink()
    (tree / SOURCE).symlink_to("/etc/passwd")


def _truncated(tree: Path) -> None:
    text = (tree / SOURCE).read_bytes()
    (tree / SOURCE).write_bytes(text[: text.index(b"fc_quat_inverse_f32(") + 300])


HOSTILE: dict[str, Callable[[Path], None]] = {
    "truncated": _truncated,
    "binary": _replaced(SOURCE, bytes(range(256)) * 400),
    "empty": _replaced(SOURCE, b""),
    "a line of 10 MB": _replaced(SOURCE, b"x" * 10**7),
    "a line of 7 MB": _replaced(SOURCE, b"int x = " + b"+ 1 " * 1_750_000 + b";"),
    "deep parentheses": _replaced(
        SOURCE, b"float f(void) { return " + b"(" * 50_000 + b")" * 50_000 + b"; }"
    ),
    "deep braces": _replaced(SOURCE, b"void f(void) " + b"{" * 50_000 + b"}" * 50_000),
    "deep calls": _replaced(SOURCE, b"void f(void) { x = " + b"f(" * 20_000 + b"1" + b")" * 20_000 + b"; }"),
    "a symbolic link": _linked,
    "a deep manifest": _replaced("manifest.json", b"[" * 10**6),
    "no manifest": lambda tree: (tree / "manifest.json").unlink(),
}


@pytest.mark.parametrize("name", sampled(HOSTILE, every=3))
def test_a_hostile_file_is_an_error_or_a_named_entry(name: str, featherc: Featherc, old: Path) -> None:
    new = old.parent / "new"
    HOSTILE[name](new)
    before = snapshot(old.parent)
    for sides in (("old", "new"), ("new", "old")):
        done = featherc("diff", *sides, "--fail-on", "changed,interface,removed,added", "--format", "json")
        if done.code == USER:
            assert done.said()
        elif "manifest" not in name:
            assert done.code == FAILED
            worse = [f for f in json.loads(done.out)["functions"] if f["class"] != "identical"]
            named = {f["symbol"] for f in worse} | {f["file"] for f in worse}
            assert any("_f32" in text for text in named)
            assert "root:" not in done.out
    assert snapshot(old.parent) == before


@pytest.mark.parametrize("name", ["a b.c", "line\nbreak \x1b[31m.c", "-o.c", "\udcff.c"])
def test_odd_names_are_compared_and_shown_safely(name: str, featherc: Featherc, old: Path) -> None:
    path = old.parent / "new" / name
    path.write_text("float fc_odd_f32(float x)\n{\n    return x;\n}\n")
    for form in FORMATS:
        done = featherc("diff", "old", "new", "--fail-on", "added,changed", "--format", form)
        assert done.code == FAILED
        assert "\x1b" not in done.out
        done.out.encode()
    assert "fc_odd_f32" in classes(featherc) or any(".c" in symbol for symbol in classes(featherc))


# the action


def scripts() -> dict[str, str]:
    """The action's own steps: name -> script."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    return {s["name"]: s["run"] for s in action["runs"]["steps"] if "run" in s}


def step(name: str, place: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a step as a job of GitHub does; its calls of featherc are answered by this process."""
    bin_ = place.parent / "bin"
    shutil.rmtree(bin_, ignore_errors=True)
    bin_.mkdir()
    (bin_ / "featherc").write_text(CALL)
    (bin_ / "featherc").chmod(0o755)
    os.mkfifo(bin_ / "asked")
    os.mkfifo(bin_ / "code")
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", scripts()[name]]
    with pytest.MonkeyPatch.context() as patch:
        for variable, value in {"PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}", **variables}.items():
            patch.setenv(variable, value)
        with subprocess.Popen(
            command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as running:
            try:
                answer(running, bin_, place)
            except BaseException:
                running.kill()  # it waits for an answer
                raise
            out, err = running.communicate()
    return subprocess.CompletedProcess(command, running.returncode, out, err)


CALL = """\
#!/bin/sh
here=$(dirname "$0")
printf '%s\\0' "$@" >"$here/asked"
read -r code <"$here/code"
cat "$here/out"
cat "$here/err" >&2
exit "$code"
"""
"""In place of featherc: hands its arguments over, and prints what it is told."""


def answer(running: subprocess.Popen[str], bin_: Path, place: Path) -> None:
    """Run featherc for each call until the caller ends."""
    asked = os.open(bin_ / "asked", os.O_RDONLY | os.O_NONBLOCK)
    while running.poll() is None:
        given = b""
        with contextlib.suppress(BlockingIOError):  # the caller has opened the pipe and not yet written
            given = os.read(asked, 65536)
        if given:
            out, err = io.StringIO(), io.StringIO()
            with contextlib.chdir(place), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = run(given.decode().split("\0")[:-1])
            (bin_ / "out").write_text(out.getvalue())
            (bin_ / "err").write_text(err.getvalue())
            (bin_ / "code").write_text(f"{code}\n")
        time.sleep(0.01)
    os.close(asked)


def base(place: Path, branch: str = "main") -> str:
    """Run the step that fetches the base branch, and give the path of its policy."""
    said = place.parent / "output"
    done = step("base", place, BASE=branch, GITHUB_OUTPUT=str(said))
    assert done.returncode == FINE, done.stderr
    name, _, path = said.read_text().splitlines()[-1].partition("=")
    assert name == "policy"
    return path


def test_the_action_checks_and_compares_with_the_base_branch(old: Path, tmp_path: Path) -> None:
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    origin.mkdir()
    shutil.move(tmp_path / "new", origin / "generated")
    git(origin, "init", "-q", "-b", "main")
    git(origin, "add", ".")
    git(origin, "commit", "-q", "-m", "first")
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{origin}", "clone")
    given = {"DIRECTORY": "generated", "BASE": "refs/remotes/origin/main", "FAIL_ON": "changed"}
    given |= {"POLICY": base(clone), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    assert step("check", clone, DIRECTORY="generated", ARGUMENTS="").returncode == FINE
    done = step("diff", clone, **given)
    assert (done.returncode, done.stdout) == (FINE, "6 identical\n")
    edit(*SIGN, str(clone / "generated" / SOURCE))
    assert step("check", clone, DIRECTORY="generated", ARGUMENTS="--diff").returncode == FAILED
    done = step("diff", clone, **given)
    assert done.returncode == FAILED
    assert done.stdout.startswith(f"::error file=generated/{SOURCE},line=")
    assert step("diff", clone, **{**given, "FAIL_ON": ""}).returncode == FINE
    assert "**1 outside the policy**" in (tmp_path / "summary.md").read_text()
    toml = clone / "featherc.toml"
    toml.write_text('[diff]\nfail-on = ["changed"]\n')

    def mine() -> int:
        return step("diff", clone, **{**given, "FAIL_ON": "", "POLICY": base(clone)}).returncode

    assert mine() == FINE, "the policy of the pull request does not count"
    shutil.copy(toml, origin)
    git(origin, "add", ".")
    git(origin, "commit", "-q", "-m", "second")
    toml.write_text("[diff]\nfail-on = []\n")
    assert mine() == FAILED, "that of the base branch does"
    offered = ["diff", str(origin / "generated"), "generated", "--fail-on", "changed", "--format", "waivers"]
    with contextlib.chdir(clone), contextlib.redirect_stdout(io.StringIO()) as out:
        run(offered)
    waived = out.getvalue().replace('reason = ""', 'reason = "reviewed"')
    toml.write_text('[diff]\nfail-on = ["changed"]\n' + waived)
    assert mine() == FAILED, "waivers of the pull request do not count"
    shutil.copy(toml, origin)
    git(origin, "commit", "-q", "-a", "-m", "third")
    toml.unlink()
    assert mine() == FINE, "those of the base branch do"
    done = step("diff", clone, **{**given, "DIRECTORY": "elsewhere"})
    assert (done.returncode, done.stdout.startswith("elsewhere is new")) == (FINE, True)


def test_the_action_checks_the_version(old: Path, tmp_path: Path) -> None:
    origin = tmp_path / "origin"
    origin.mkdir()
    shutil.move(tmp_path / "new", origin / "generated")
    git(origin, "init", "-q", "-b", "main")
    git(origin, "add", ".")
    git(origin, "commit", "-q", "-m", "first")
    git(origin, "tag", "v1.2.0")
    git(origin, "commit", "-q", "--allow-empty", "-m", "second")
    git(tmp_path, "clone", "-q", "--depth=1", "--no-tags", f"file://{origin}", "clone")
    clone = tmp_path / "clone"
    given = {"DIRECTORY": "generated", "BASELINE": "v1.2.0", "VERSION": "1.2.1", "POLICY": base(clone)}
    given["GITHUB_STEP_SUMMARY"] = str(tmp_path / "summary.md")
    edit(*SIGN, str(clone / "generated" / SOURCE))
    done = step("release", clone, **given)
    assert done.returncode == FAILED
    assert done.stdout.startswith(f"::error file=generated/{SOURCE},line=")
    assert "require a minor release: 1.3.0 or higher; 1.2.1 is not" in done.stderr
    assert "### featherc release" in (tmp_path / "summary.md").read_text()
    assert step("release", clone, **{**given, "VERSION": "1.3.0"}).returncode == FINE
    done = step("release", clone, **{**given, "VERSION": ""})
    assert (done.returncode, "a minor release" in done.stderr) == (FINE, True)
    toml = clone / "featherc.toml"
    toml.write_text('[release]\nbump = { changed = "patch" }\n')
    assert step("release", clone, **given).returncode == FAILED, (
        "the policy of the pull request does not count"
    )
    assert step("release", clone, **{**given, "POLICY": ""}).returncode == FINE
    shutil.copy(toml, origin)
    git(origin, "add", ".")
    git(origin, "commit", "-q", "-m", "third")
    toml.unlink()
    given["POLICY"] = base(clone)
    assert step("release", clone, **given).returncode == FINE, "that of the base branch does"
    assert step("release", clone, **{**given, "BASELINE": "v9"}).returncode not in (FINE, FAILED)


def test_the_action_takes_no_policy_of_the_pull_request_where_that_of_its_base_cannot_be_read() -> None:
    steps = {s.get("name"): s for s in yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]}
    assert "steps.base.outcome != 'failure'" in steps["release"]["if"]
    assert "steps.base.outputs.policy" in steps["diff"]["if"]
