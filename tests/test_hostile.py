"""Hostile input: no program of a stranger runs, nothing hangs, every refusal is one clear line."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from codegen.__main__ import FAILED, FINE, USER, run
from codegen.errors import FeatherError
from codegen.review.diff import Change, ChangeClass, compare, compare_trees
from codegen.review.diff.compare import both, compare_surroundings
from codegen.review.diff.text.source import Source
from codegen.review.files.compare import Trees, build_changes
from codegen.review.footprint import TARGET
from codegen.tree import snapshot
from codegen.tree.limits import MOST
from codegen.tree.snapshot import read_tree
from tests.conftest import Featherc, sampled, tools_of
from tests.test_trees import git
from tests.work import at_most


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of one kernel."""
    directory = tmp_path_factory.mktemp("generated") / "out"
    assert run(["generate", "quat_multiply", "-o", str(directory)]) == FINE
    return directory


@pytest.fixture
def old(generated: Path, place: Path) -> Path:
    """The tree, `old` in the current directory; `new` beside it is the same."""
    shutil.copytree(generated, place / "new")
    return Path(shutil.copytree(generated, place / "old"))


# Repositories


PROGRAMS = {
    "core.fsmonitor": "{0}",
    "core.hooksPath": "{1}",
    "core.pager": "{0}",
    "core.editor": "{0}",
    "core.sshCommand": "{0}",
    "core.gitProxy": "{0}",
    "core.askPass": "{0}",
    "credential.helper": "{0}",
    "pager.ls-tree": "{0}",
    "pager.cat-file": "{0}",
    "alias.ls-tree": "!{0}",
    "alias.cat-file": "!{0}",
    "filter.x.clean": "{0}",
    "filter.x.smudge": "{0}",
    "filter.x.process": "{0}",
    "filter.x.required": "true",
    "diff.x.textconv": "{0}",
    "diff.external": "{0}",
    "merge.x.driver": "{0}",
    "gpg.program": "{0}",
    "log.showSignature": "true",
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
    "remote.origin.url": "ext::{0}",
    "remote.origin.uploadpack": "{0}",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
}
"""Settings of a repository that name programs."""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose configuration names a program wherever it can; the program leaves a file `ran`."""
    place = tmp_path / "repository"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path / 'ran'}\n")
    program.chmod(0o755)
    for name in ("reference-transaction", "post-index-change", "post-checkout", "fsmonitor-watchman"):
        shutil.copy(program, hooks / name)
    (place / "out").mkdir(parents=True)
    (place / "out" / "a.c").write_text("int x;\n")
    (place / ".gitattributes").write_text("* filter=x diff=x merge=x ident\n")
    git(place, "init", "-q")
    git(place, "add", ".")
    git(place, "commit", "-q", "-m", "first")
    git(place, "config", "core.repositoryFormatVersion", "1")
    for key, value in PROGRAMS.items():
        git(place, "config", key, value.format(program, hooks))
    monkeypatch.chdir(place)
    return place


@pytest.mark.parametrize("name", ["HEAD:out", "HEAD^{/first}:out", "HEAD^{tree}:out", ":0:out", ":out"])
def test_no_program_of_a_repository_runs(name: str, repository: Path) -> None:
    if name.startswith(":"):
        with pytest.raises(FeatherError, match="neither a directory nor a tree"):
            read_tree(name)
    else:
        assert read_tree(name).files == {"a.c": b"int x;\n"}
    assert not (repository.parent / "ran").exists()


def without_a_blob(repository: Path) -> str:
    """The name of an object of the tree that was removed from the repository."""
    blob = git(repository, "rev-parse", "HEAD:out/a.c").strip()
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    return blob


def test_a_missing_object_is_not_fetched_by_a_program(repository: Path) -> None:
    blob = without_a_blob(repository)
    with pytest.raises(FeatherError, match=f"git does not have the object {blob}"):
        read_tree("HEAD:out")
    assert not (repository.parent / "ran").exists()


@pytest.mark.parametrize("arguments", [("ls-tree", "-r", ":0:out"), ("ls-tree", "-r", "-l", "HEAD:out")])
def test_the_repository_would_run_them(arguments: tuple[str, ...], repository: Path) -> None:
    """Without precautions, git runs what the repository names."""
    without_a_blob(repository)
    subprocess.run(["git", *arguments], cwd=repository, capture_output=True, check=False)
    assert (repository.parent / "ran").exists()


def test_objects_are_not_replaced(repository: Path) -> None:
    other = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"], input=b"int y;\n", capture_output=True, check=True
    )
    git(
        repository,
        "replace",
        git(repository, "rev-parse", "HEAD:out/a.c").strip(),
        other.stdout.decode().strip(),
    )
    assert read_tree("HEAD:out").files == {"a.c": b"int x;\n"}


@pytest.mark.exhaustive
def test_a_tree_of_trees_that_repeat_is_refused(repository: Path) -> None:
    """Ten levels of ten names for one tree are 10^10 files in eleven objects."""
    (repository.parent / "hooks" / "reference-transaction").unlink()
    content = git(repository, "rev-parse", "HEAD:out/a.c").strip()
    kind = "100644 blob"
    for _ in range(10):
        listing = "".join(f"{kind} {content}\tx{i}\n" for i in range(10))
        made = subprocess.run(["git", "mktree"], input=listing, capture_output=True, text=True, check=True)
        kind, content = "040000 tree", made.stdout.strip()
    with pytest.raises(FeatherError, match=f"holds more than {MOST} files"):
        read_tree(f"{content}:x0")


def test_git_that_does_not_answer(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = repository.parent / "bin"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nexec sleep 60\n")
    (slow / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(snapshot, "_SECONDS", 0.2)
    with pytest.raises(FeatherError, match=r"git did not answer in 0\.2 s"):
        read_tree("HEAD:out")


# Directories


def test_a_directory_of_directories_is_refused(tmp_path: Path) -> None:
    for i in range(2 * MOST + 1):
        (tmp_path / str(i)).mkdir()
    with pytest.raises(FeatherError, match=f"holds more than {MOST} files"):
        read_tree(str(tmp_path))


@pytest.mark.parametrize("depth", [1500, 2500])
def test_a_deep_directory_is_read_or_refused(
    depth: int, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(depth):
        os.mkdir("d")
        os.chdir("d")
    Path("x.c").write_text("int x;")
    monkeypatch.chdir(place)
    try:
        if depth < 2000:
            assert [path.count("/") for path in read_tree(".").files] == [depth]
        else:
            with pytest.raises(FeatherError, match="cannot list"):
                read_tree(".")
    finally:
        subprocess.run(["rm", "-rf", "d"], check=True)


# Configurations


def test_a_configuration_that_is_a_link_to_itself(featherc: Featherc, old: Path) -> None:
    Path("featherc.toml").symlink_to("featherc.toml")
    for command in (["diff", "old", "new"], ["check", "old"], ["generate", "-o", "more"]):
        done = featherc(*command)
        assert done.code == USER
        assert done.said("featherc.toml")


@pytest.mark.parametrize("kind", ["a pipe", "a device", "a directory", "a large file", "a link to nothing"])
@pytest.mark.parametrize("given", [True, False])
def test_a_configuration_that_is_no_file(kind: str, given: bool, featherc: Featherc, old: Path) -> None:
    path = Path("odd.toml" if given else "featherc.toml")
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a device":
        path.symlink_to("/dev/zero")
    elif kind == "a directory":
        path.mkdir()
    elif kind == "a link to nothing":
        path.symlink_to("nowhere")
    else:
        path.write_text("#" * (2**20 + 1))
    done = featherc("diff", "old", "new", *(["--config", path] if given else []))
    assert done.code == USER
    assert done.said(path.name)


@pytest.mark.parametrize("toml", [
    "[diff]\nfail-on = ['cost>1e999999999']", "[diff]\nbudget = { f = { cost = 1e999999999 } }",
    f"[diff]\nbudget = {{ f = {{ cost = {'9' * 5000} }} }}", "[diff]\nbudget = { f = { cost = inf } }",
    "x = 1e" + "9" * 5000,
    "[" * 100_000, "a = " + "[" * 100_000, "[diff]\nfail-on = [[]]", "diff.diff.diff = 1", "\ufeff[diff]",
    "[diff]\nbudget = { '[' = { cost = 5.5 } }", "x = 1979-05-27T07:32:00Z", "a.b.c = 1\na.b.c.d = 2",
])  # fmt: skip
def test_a_configuration_of_odd_values(toml: str, featherc: Featherc, old: Path) -> None:
    Path("featherc.toml").write_text(toml)
    done = featherc("diff", "old", "new")
    assert done.code == USER
    assert done.said()


# Manifests


@pytest.mark.parametrize("bound", [
    {"p": [float("inf")]}, {"p": [float("nan")] * 4}, {"p": ["1e9999999"] * 4}, {"p": ["1/0"] * 4},
    {"p": ["9" * 4001] * 4}, {"p": [1e400]}, {"p": "1"}, {"p": [["1"]]}, {"p": {"w": 1}}, {"p": [True] * 4},
    [1], "p", {"nothing": ["1"]}, {"p": ["1"]}, {"p": ["٣"] * 4},
])  # fmt: skip
def test_bound_values_of_a_manifest(bound: object, featherc: Featherc, old: Path) -> None:
    content = json.loads((old / "manifest.json").read_text())
    for function in content["functions"]:
        function["bound"] = bound
    (old / "manifest.json").write_text(json.dumps(content))
    done = featherc("check", "old")
    assert done.code == USER or (done.code == FAILED and "nothing" in str(bound))
    assert featherc("diff", "old", "new").code == FINE


# What lines begin with


NAMES = [
    "::error::x.c",
    "  ::set-output name=x::y.c",
    "##[group]x.c",
    "x ##vso[task.setvariable].c",
    "%0A::x.c",
]


@pytest.mark.parametrize("form", ["text", "json", "markdown", "junit", "sarif", "github"])
def test_no_name_is_a_command_to_the_machine_that_prints_it(form: str, featherc: Featherc, old: Path) -> None:
    """GitHub takes `::` after blanks at the beginning of a line, and `##[` anywhere; Azure takes `##vso[`."""
    for name in NAMES:
        Path("new", name).write_bytes(b"\xff")
        Path("new", name.removesuffix(".c") + ".cmake").write_text("x")
        Path("old", name).symlink_to("::error::nowhere")
    done = featherc("diff", "old", "new", "--fail-on", "unreadable,build", "--format", form)
    assert done.code == FAILED
    for line in (done.out + done.err).splitlines():
        ours = form == "github" and line.startswith("::error file=new/")
        assert ours or not line.lstrip().startswith("::"), line
        assert not re.search(r"##\w*\[", line), line
    if form == "json":
        symbols = {f["symbol"] for f in json.loads(done.out)["functions"]}
        assert set(NAMES) <= symbols, "what other programs read is exact"


def test_nothing_that_check_prints_is_a_command(featherc: Featherc, old: Path) -> None:
    text = (old / "fc.h").read_text()
    (old / "fc.h").write_text(text.replace("#ifndef", "  ::error::x\n##[error]x\n#ifndef"))
    (old / "::error::x.c").touch()
    done = featherc("check", "old", "--diff")
    assert done.code == FAILED
    assert "error" in done.out
    assert not [x for x in done.out.splitlines() if x.lstrip(" ").startswith("::") or "##" in x]
    for wrong in ("##[error]x", "HEAD:##vso[x]"):
        done = featherc("diff", wrong, "new")
        assert done.code == USER
        assert "##" not in done.err


# Comparisons of nothing


def test_trees_without_c(featherc: Featherc, old: Path) -> None:
    Path("empty").mkdir()
    Path("empty", "README.md").touch()
    for sides in (("old", "empty"), ("empty", "empty")):
        done = featherc("diff", *sides, "--fail-on", "changed")
        assert done.code == USER
        assert done.said("empty holds no C")
    done = featherc("diff", "empty", "new", "--fail-on", "changed")
    assert (done.code, done.err) == (
        FINE,
        "featherc: warning: empty holds no C, so that every function is new\n",
    )


@pytest.mark.parametrize("items", ["", " ", ",", " , "])
def test_a_policy_of_nothing(items: str, featherc: Featherc, old: Path) -> None:
    done = featherc("diff", "old", "new", "--fail-on", items)
    assert done.code == USER
    assert done.said("--fail-on is empty")


def test_a_budget_that_matches_nothing(featherc: Featherc, old: Path) -> None:
    Path("featherc.toml").write_text(
        "[diff]\nbudget = { 'fc_*_f32' = { cost = 99 }, fc_quat_f32 = { cost = 99 } }\n"
    )
    done = featherc("diff", "old", "new")
    assert done.code == USER
    assert done.said("the budget of fc_quat_f32 matches no function")


# What is made to take long


SCANNED = {
    "comments that do not end": "/* " * 33_000,
    "a comment of comments": "/* " * 33_000 + "*/",
    "spliced comments": "// \\\n" * 25_000,
    "quotation marks": '"' + 'a\\"' * 32_000,
    "escaped quotation marks": '"\\"' * 32_000,
    "apostrophes": "'\\'\"" * 25_000,
    "strings": '"a" ' * 25_000,
    "a long string": f'"{"a" * 100_000}"',
    "splices": "\\\n" * 50_000,
    "empty directives": "#\n" * 50_000,
    "definitions": "#define a b\\\n" * 7_000,
    "blanks": " " * 100_000 + "x",
    "line breaks": "\n" * 100_000 + "x;",
    "conditions": "#if 1\n" * 12_000,
    "guards in guards": "#ifndef A\n#define A\n" * 6_000 + "#endif\n" * 6_000,
    "blocks for C++": "#ifdef __cplusplus\n#endif\n" * 3_000,
    "semicolons": ";" * 100_000,
    "declarations": "x;" * 50_000,
    "types": "typedef int a;\n" * 6_000,
    "prototypes": "void f(void);\n" * 6_000,
    "functions": "".join(f"void f{i}(void){{}}\n" for i in range(3_000)),
    "one function": "void f(void){}\n" * 5_000,
    "digits": "1" * 100_000 + ";",
    "exponents": "1e+" * 32_000 + ";",
    "words": "a " * 50_000 + ";",
    "braces": "x{}" * 32_000,
    "comments and declarations": "/* x */ x;\n" * 7_000,
    "includes": "".join(f'#include "a{i}.h"\n' for i in range(3_000)),
}
"""C of 100 kB, which a scanner may read in time that grows with its square."""


PATHS = ("a.h", "CMakeLists.txt", "selftest.c")
SCANS = [(name, PATHS[(i + j) % 3]) for i, name in enumerate(SCANNED) for j in range(3)]


@pytest.mark.parametrize(
    ("name", "path"), [pytest.param(*p.values[0], marks=p.marks) for p in sampled(SCANS, every=5)]
)
def test_the_work_of_reading_grows_with_the_text(name: str, path: str) -> None:
    with at_most(3_000_000):
        assert list(surroundings({path: "x"}, {path: SCANNED[name]})) is not None


def surroundings(old: dict[str, str], new: dict[str, str]) -> Iterator[Change]:
    """Everything that is said of files without comparing functions."""
    yield from compare_surroundings(both(old, new))
    yield from build_changes(Trees(old, new, []))


FUNCTION = "typedef unsigned int fc_status;\n#define FC_A 1u\n{head}\n{{\n{body}\n}}\n"


def function(body: str, head: str = "void fc_g_f32(float x, float *y)") -> dict[str, str]:
    """A tree of one function."""
    return {"a.c": FUNCTION.format(head=head, body=body)}


STATUS = "fc_status fc_g_f32(float x)"
FIRST = "    const fc_status s0 = x > 1.0F ? FC_A : 0u;\n"
OUTPUT = "void fc_g_f32(float x, float *y)"


def sixty(line: str) -> str:
    """A line sixty times, with its number and the one before."""
    return "".join(line.format(i, i + 1) for i in range(60))


POINTERS = ", ".join(f"const float *x{i}, float *y{i}" for i in range(40))
LONG: dict[str, tuple[str, str, str]] = {
    "flags or-ed with themselves": (
        FIRST + sixty("    const fc_status s{1} = s{0} | s{0};\n") + "return s60;",
        STATUS, "status is"),
    "choices of a status": (
        FIRST + sixty("    const fc_status s{1} = x > {0}.5F ? s{0} : x < 0.5F ? s{0} : 0u;\n")
        + "return s60;", STATUS, "a status of more than 1000 flags"),
    "choices of an int": (
        "int s0 = x > 1.0F ? 1 : 0;\n" + sixty("int s{1} = x > {0}.5F ? s{0} : x < 0.5F ? s{0} : 2;\n")
        + "return s60;", STATUS, "a status of more than 1000 choices"),
    "a status raised with itself": (
        "fc_status s = FC_A;\n" + sixty("if (x > {0}.5F) {{ s |= s; }}\n") + "return s;",
        STATUS, "status is"),
    "loops": (
        "for (int k = 0; k < 4096; k += 1) { y[k] = x; }" * 200, "void fc_g_f32(float x, float y[4096])",
        "loops of more than 2000 turns"),
    "aliases": (
        "".join(f"*y{i} = *x{i};" for i in range(40)), f"void fc_g_f32({POINTERS})",
        "more than 100 pairs of objects that may be one"),
    "a large constant": ("*y = x * 1e999;", OUTPUT, "*y is"),
    "an extent of many terms": (
        "*y = x;", f"{OUTPUT[:-1]}, float z[{'1+' * 3000}1])", "nested"),
}  # fmt: skip
"""A function's body and head, and what is said of it beside a function that does next to nothing."""


@pytest.mark.parametrize("name", LONG)
def test_a_function_that_would_take_long(name: str) -> None:
    body, head, said = LONG[name]
    other = function("return 0u;" if head == STATUS else "(void)x;" if "float x," in head else "", head)
    for old, new in ((other, function(body, head)), (function(body, head), other)):
        with at_most(3_000_000):
            (change,) = compare_trees(old, new)
        assert change.kind in (ChangeClass.CHANGED, ChangeClass.UNREADABLE)
        assert said in change.detail


def test_a_process_that_the_system_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its function is unreadable; all others are compared, though the pool of processes is lost."""
    own, compared = os.getpid(), compare._compared

    def ended(symbol: str, sources: tuple[Source, Source]) -> Change:
        if symbol == "f3" and os.getpid() != own:
            os.kill(os.getpid(), signal.SIGKILL)
        return compared(symbol, sources)

    monkeypatch.setattr(compare, "_compared", ended)
    text = "".join(f"void f{i}(double x, double *y)\n{{\n    *y = x * {i}.0;\n}}\n" for i in range(20))
    changes = compare_trees({"f.c": text}, {"f.c": text.replace("= x *", "= 1.0 + x *")})
    kinds = {c.symbol: c.kind for c in changes}
    assert kinds.pop("f3") is ChangeClass.UNREADABLE
    assert {*kinds.values()} == {ChangeClass.CHANGED}
    assert len(kinds) == 19
    (lost,) = (c for c in changes if c.symbol == "f3")
    assert lost.detail == "cannot be compared: the system ended its process, as where memory runs out"


def test_an_extent_of_many_terms_in_a_prototype() -> None:
    tree = function("*y = x;")
    new = {**tree, "b.h": f"void fc_g_f32(float x, float *y, float z[{'1+' * 3000}1]);\n"}
    (change,) = compare_trees(tree, new)
    assert (change.kind, "nested too deeply" in change.detail) == (ChangeClass.UNREADABLE, True)


@pytest.mark.parametrize("limit", ["SECONDS", "MEGABYTES"])
def test_a_function_beyond_its_limits_is_an_entry(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What no other limit stops: the rest of the report is as it would be."""

    def endless(*_: object) -> None:
        kept: list[list[int]] = []
        while True:
            kept = [*kept, [0] * 10**6] if limit == "MEGABYTES" else []

    monkeypatch.setattr("codegen.review.diff.limits.SECONDS", 0.05 if limit == "SECONDS" else 30)
    monkeypatch.setattr("codegen.review.diff.limits.MEGABYTES", 80)
    monkeypatch.setattr("codegen.review.diff.compare.classify", endless)
    old = {"a.c": "void fc_a(void)\n{\n}\nvoid fc_b(void)\n{\n}\n"}
    new = {"a.c": "void fc_a(void)\n{\n}\n\nvoid fc_b(void)\n{\n    ;\n}\n"}
    first, second = compare_trees(old, new)
    assert first.kind is ChangeClass.IDENTICAL
    assert (second.symbol, second.kind, second.path, second.line) == (
        "fc_b",
        ChangeClass.UNREADABLE,
        "a.c",
        5,
    )
    assert second.unreadable is not None
    assert "it takes more than" in second.detail
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0
    assert resource.getrlimit(resource.RLIMIT_DATA)[0] == resource.RLIM_INFINITY


def test_an_error_in_a_comparison_is_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("no reason")

    monkeypatch.setattr("codegen.review.diff.compare.classify", fail)
    (change,) = compare_trees(function("*y = x;"), function("*y = -x;"))
    assert change.kind is ChangeClass.UNREADABLE
    assert change.detail == "cannot be compared: ZeroDivisionError: no reason"


def test_a_constant_that_is_not_finite_costs_no_other_function_its_figures(
    featherc: Featherc, old: Path
) -> None:
    tools_of(TARGET)
    source = Path("new/fc_rotation_f32.c")
    source.write_text(source.read_text().replace("p_w * q_w - p_x", "p_w * q_w + p_x") + INFINITE.format(""))
    Path("old/fc_rotation_f32.c").write_text(Path("old/fc_rotation_f32.c").read_text() + INFINITE.format("-"))
    rows = {
        r["symbol"]: r
        for r in json.loads(featherc("diff", "old", "new", "--format", "json").out)["functions"]
    }
    assert rows["fc_far_f32"]["class"] == rows["fc_quat_multiply_f32"]["class"] == "changed"
    assert "instructions" not in rows["fc_far_f32"]["after"]
    assert rows["fc_quat_multiply_f32"]["after"]["instructions"] > 0


INFINITE = "\nvoid fc_far_f32(float x, float *y)\n{{\n    *y = {}x * 1e999F;\n}}\n"


@pytest.mark.exhaustive
def test_a_counterexample_of_many_inputs_is_cut(featherc: Featherc, old: Path) -> None:
    head = "void fc_sum_f32(const float z[900], float *y)"
    for place, sign in (("old", "+"), ("new", "-")):
        terms = f" {sign} ".join(f"z[{i}]" for i in range(150))
        Path(place, "fc_sum_f32.c").write_text(f"{head}\n{{\n    *y = {terms};\n}}\n")
    done = featherc("diff", "old", "new")
    assert " and 500 more inputs" in done.out


# Characters that a reader does not see


REVERSED = '''
"""A model whose texts turn the direction of what follows them."""

from codegen import REAL, Arg, Failure, Status, kernel, require, select


@kernel(
    inputs=[Arg("x", REAL, "1", "a \\u202e factor \\u2066 to double", frame="\\u200fB")],
    outputs=[Arg("y", REAL, "1", "r\\u200besult")],
    equation="y = 2 x",
    source="A book \\U000e0041, page 1",
    requires="care \\u202d",
    failures={Status.OUTSIDE: Failure("x > 0", "y = 0", words="\\u2067too small\\u2069")},
)
def doubled(x):
    """Twice \\u202e a number.

    More \\ufeff words.
    """
    positive = require(x > 0, Status.OUTSIDE)
    return select(positive, 2 * x, 0)
'''


def test_characters_that_reverse_text_are_visible_wherever_it_is_shown(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """In C, pages, JSON, notebooks and on a terminal, they are written as `\\u202e`."""
    (place / "model.py").write_text(REVERSED)
    generated, book = ["doubled", "--model", "model.py", "-o", "out", "--trace"], ["book", "-o", "book"]
    assert run(["generate", *generated]) == FINE
    assert run([*book, "doubled", "--model", "model.py"]) == FINE
    texts = {f.name: f.read_text() for f in place.glob("*/*") if f.suffix != ".svg"}
    for form in ("text", "json", "markdown", "latex", "html"):
        capfd.readouterr()
        assert run(["inspect", "doubled", "--model", "model.py", "--as", form]) == FINE
        texts[form] = capfd.readouterr().out
    unseen = {name: bad for name, text in texts.items() if (bad := sorted(filter(_is_unseen, text)))}
    assert not unseen
    for name in ("fc_model_f64.h", "index.html", "kernel-doubled.html", "json"):
        assert r"\u202e" in texts[name], name


def _is_unseen(character: str) -> bool:
    return unicodedata.category(character) in ("Cf", "Zl", "Zp")
