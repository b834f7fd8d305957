"""featherc check: its finding for each difference, how it finds what to compare with, and its time."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from codegen.__main__ import FAILED, FINE, USER, run
from codegen.emit.options import Options
from codegen.library import library
from codegen.tree.assemble import render_tree
from tests.conftest import ROOT, Featherc, Outcome, snapshot
from tests.work import at_most

SOURCE, HEADER = "fc_rotation_f32.c", "fc_rotation_f64.h"
MODEL = '''
from codegen import REAL, Arg, kernel


@kernel(
    inputs=[Arg("x", REAL, "m", "length"), Arg("k", REAL, "1", "factor")],
    outputs=[Arg("y", REAL, "m", "longer length")], equation="y = k x", source="a textbook",
)
def stretch(x, k):
    """A length, stretched."""
    return k * x
'''


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of two kernels, as generated."""
    directory = tmp_path_factory.mktemp("fresh") / "out"
    assert run(["generate", "quat_multiply", "quat_inverse", "-o", str(directory)]) == FINE
    return directory


@pytest.fixture
def tree(fresh: Path, place: Path) -> Path:
    """A copy of it, `out` in the current directory."""
    return Path(shutil.copytree(fresh, place / "out"))


def states(done: Outcome) -> dict[str, str]:
    """The state of each file that the table shows."""
    rows = done.out.split("\n---")[0].splitlines()[1:]
    cells = [row.rstrip().split("  ") for row in rows]
    return {c[0]: next(x.strip() for x in c[1:] if x) for c in cells if len(c) > 1}


def recorded(tree: Path, **changes: Any) -> None:
    """Change the manifest."""
    path = tree / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}, indent=1) + "\n")


# what it finds


def test_a_fresh_tree_is_up_to_date(featherc: Featherc, tree: Path) -> None:
    done = featherc("check", "out")
    assert (done.code, done.out, done.err) == (FINE, "out: 9 up to date\n", "")


def test_an_edited_file_is_told_from_a_stale_one(
    featherc: Featherc, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / HEADER).write_text((tree / HEADER).read_text().replace("Hamilton", "Other"))
    retitled = replace(library()["quat_multiply"], title="Another title.")
    monkeypatch.setitem(library(), "quat_multiply", retitled)
    done = featherc("check", "out")
    assert done.code == FAILED
    assert states(done) == {
        "fc_rotation_f32.h": "stale",
        "fc_rotation_f64.h": "hand-edited",
        "manifest.json": "stale",
    }
    assert "its definitions have changed as well" in done.out
    assert done.said("out: 6 up to date, 2 stale, 1 hand-edited")


def test_an_edit_that_is_not_stale_is_said_to_be_undone(featherc: Featherc, tree: Path) -> None:
    (tree / SOURCE).write_text((tree / SOURCE).read_text().replace(" + ", " - ", 1))
    done = featherc("check", "out")
    assert (done.code, states(done)) == (FAILED, {SOURCE: "hand-edited"})
    assert "generating the tree again undoes the edit" in done.out


def test_an_edit_whose_hash_was_edited_too_is_found(featherc: Featherc, tree: Path) -> None:
    import hashlib

    before = (tree / SOURCE).read_text()
    after = before.replace(" + ", " - ", 1)
    (tree / SOURCE).write_text(after)
    text = (tree / "manifest.json").read_text()
    old, new = (hashlib.sha256(t.encode()).hexdigest() for t in (before, after))
    (tree / "manifest.json").write_text(text.replace(old, new))
    done = featherc("check", "out")
    assert (done.code, states(done)) == (FAILED, {SOURCE: "stale", "manifest.json": "stale"})


def test_line_ends_are_named(featherc: Featherc, tree: Path) -> None:
    (tree / SOURCE).write_bytes((tree / SOURCE).read_bytes().replace(b"\n", b"\r\n"))
    done = featherc("check", "out")
    assert (done.code, states(done)) == (FAILED, {SOURCE: "hand-edited"})
    assert "only its line endings" in done.out


def test_a_missing_file_is_named(featherc: Featherc, tree: Path) -> None:
    (tree / SOURCE).unlink()
    done = featherc("check", "out")
    assert (done.code, states(done)) == (FAILED, {SOURCE: "missing"})


def test_a_file_that_is_no_longer_generated_is_left_over(featherc: Featherc, tree: Path) -> None:
    manifest = json.loads((tree / "manifest.json").read_text())
    kept = [f for f in manifest["functions"] if f["precision"] == "f64"]
    recorded(tree, functions=kept)
    done = featherc("check", "out")
    assert done.code == FAILED
    assert states(done)[SOURCE] == "left over"
    assert states(done)["manifest.json"] == "stale"
    assert HEADER not in states(done)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("notes.txt", FINE),
        (".clang-format", FINE),
        ("extra.c", FAILED),
        ("sub/x.H", FAILED),
        ("fc_types.h.gch", FAILED),
        ("fc_rotation_f32.o", FAILED),
        ("libfc.a", FAILED),
        ("sub/libfc.SO", FAILED),
        ("fc.h.gch/c99", FAILED),
    ],
)
def test_an_unmanaged_file_is_named_and_fails_if_programs_are_built_of_it(
    name: str, code: int, featherc: Featherc, tree: Path
) -> None:
    (tree / name).parent.mkdir(exist_ok=True)
    (tree / name).write_text("int x;")
    done = featherc("check", "out")
    assert (done.code, states(done)) == (code, {name: "unmanaged"})
    assert (": move it away" in done.out) == (code == FAILED)


def test_an_unmanaged_file_in_the_way_fails(featherc: Featherc, tree: Path) -> None:
    files = json.loads((tree / "manifest.json").read_text())["files"]
    recorded(tree, files=[f for f in files if f["path"] != SOURCE])
    (tree / SOURCE).write_text("mine")
    done = featherc("check", "out")
    assert (done.code, states(done)[SOURCE]) == (FAILED, "unmanaged")
    assert "it has the name of a generated file" in done.out


def test_diff_shows_what_would_change(featherc: Featherc, tree: Path) -> None:
    text = (tree / SOURCE).read_text()
    (tree / SOURCE).write_text(text.replace("#include", "#import \x1b[31m \u202e", 1))
    (tree / "fc.h").unlink()
    lines = featherc("check", "out", "--diff").out.splitlines()
    assert lines[lines.index(f"--- {SOURCE}") + 1] == f"+++ {SOURCE}"
    included = next(line for line in text.splitlines() if line.startswith("#include"))
    removed = next(line for line in lines if line.startswith("-#import"))
    assert removed == "-" + included.replace("#include", r"#import \x1b[31m \u202e")
    assert f"+{included}" in lines
    assert lines.count("+++ fc.h") == 1
    assert "--- /dev/null" in lines


# what it compares with


@pytest.mark.parametrize(
    "options",
    [
        ["--prefix", "nav_", "--precision", "f32"],
        ["--layout", "header-only", "--interface", "array", "--license", "0BSD OR MIT"],
        ["--no-checks", "--gitattributes", "--trace", "-p", "f32", "-p", "f64"],
    ],
)
def test_the_manifest_knows_the_options(options: list[str], featherc: Featherc, place: Path) -> None:
    names = ["quat_inverse", "motion_cross", "rpy_from_dcm", "contact_solve_pgs"]
    assert featherc("generate", *names, "-o", "out", *options).code == FINE
    done = featherc("check", "out")
    assert (done.code, done.err) == (FINE, "")


def test_bound_values_are_those_of_the_manifest_or_of_the_file(featherc: Featherc, place: Path) -> None:
    shutil.copy(ROOT / "examples" / "f16.toml", place / "f16.toml")
    name = "rigid_body_dynamics_quat"
    assert featherc("generate", name, "-b", "f16.toml", "-o", "out", "-p", "f32").code == FINE
    assert featherc("check", "out").code == FINE
    assert featherc("check", "out", "--bind", "f16.toml").code == FINE
    text = (place / "f16.toml").read_text()
    (place / "f16.toml").write_text(text.replace("20500 lb", "20501 lb"))
    assert text != (place / "f16.toml").read_text()
    assert featherc("check", "out").code == FINE
    assert featherc("check", "out", "--bind", "f16.toml").code == FAILED


def test_a_model_is_named_where_the_tree_needs_one(featherc: Featherc, place: Path) -> None:
    Path("user.py").write_text(MODEL)
    assert featherc("generate", "-m", "user.py", "-o", "out").code == FINE
    assert featherc("check", "out").said("functions of kernel stretch", "add --model user.py")
    assert featherc("check", "out", "--model", "user.py").code == FINE
    Path("user.py").write_text(MODEL.replace("k * x", "k * x * 2"))
    done = featherc("check", "out", "--model", "user.py")
    assert done.code == FAILED
    assert states(done)["fc_user_f32.c"] == "stale"


def test_a_kernel_that_the_tree_lacks_is_named(featherc: Featherc, place: Path) -> None:
    Path("user.py").write_text(MODEL)
    assert featherc("generate", "-m", "user.py", "-o", "out").code == FINE
    Path("user.py").write_text(MODEL + MODEL.replace("stretch", "shrink"))
    done = featherc("check", "out", "--model", "user.py")
    assert (done.code, done.err) == (FINE, "note: the tree does not contain the kernel shrink\n")


def test_the_output_of_a_configuration_is_what_the_configuration_says(
    featherc: Featherc, place: Path
) -> None:
    """All of a model's kernels, and the file's options, whatever the manifest says."""
    Path("user.py").write_text(MODEL)
    toml = '[generate]\noutput = "out"\nmodel = ["user.py"]\nprecision = ["f32"]\nprefix = "nav_"\n'
    Path("featherc.toml").write_text(toml)
    assert featherc("generate").code == FINE
    assert featherc("check").out == "out: 7 up to date\n"
    Path("user.py").write_text(MODEL + MODEL.replace("stretch", "shrink"))
    for arguments in ([], ["out"], [place / "out"]):
        done = featherc("check", *arguments)
        assert (done.code, states(done)["nav_user_f32.c"]) == (FAILED, "stale")
    Path("user.py").write_text(MODEL)
    Path("featherc.toml").write_text(toml.replace("nav_", "imu_"))
    done = featherc("check")
    assert (done.code, states(done)["imu_user_f32.c"]) == (FAILED, "missing")
    assert states(done)["nav_user_f32.c"] == "left over"


# what it does not do


HOSTILE: dict[str, tuple[Callable[[Path], object], str]] = {
    "no directory": (shutil.rmtree, "cannot list out: No such file"),
    "no manifest": (lambda t: (t / "manifest.json").unlink(), "out holds no manifest.json"),
    "truncated": (lambda t: _cut(t / "manifest.json"), "manifest.json cannot be read"),
    "binary": (lambda t: (t / "manifest.json").write_bytes(b"\0\xff" * 99), "manifest.json cannot be read"),
    "deep": (lambda t: (t / "manifest.json").write_text("[" * 99999), "manifest.json cannot be read"),
    "no functions": (lambda t: recorded(t, functions=[]), "precisions must be"),
    "bad prefix": (lambda t: recorded(t, prefix="a b"), "prefix"),
    "large": (lambda t: (t / "manifest.json").write_bytes(b"[" * 10**7), "10.0 MB, which is more than"),
    "link": (lambda t: _link(t / "manifest.json"), "manifest.json is a symbolic link"),
}


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:2000])


def _link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_manifest_that_says_nothing_is_one_clear_error(name: str, featherc: Featherc, tree: Path) -> None:
    spoil, message = HOSTILE[name]
    spoil(tree)
    before = snapshot(tree)
    done = featherc("check", "out")
    assert done.code == USER
    assert done.said(message)
    assert snapshot(tree) == before


@pytest.mark.parametrize("values", [["x"], "5", {"q": 3}, {"q": ["1/0"]}, {"k": None}, {"k": [[]]}])
def test_damaged_bound_values_are_one_clear_error(values: Any, featherc: Featherc, tree: Path) -> None:
    functions = json.loads((tree / "manifest.json").read_text())["functions"]
    recorded(tree, functions=[{**f, "bound": values} for f in functions])
    done = featherc("check", "out")
    assert done.code == USER
    assert done.said("the bound values of quat_multiply are damaged")


def test_hostile_files_are_named(featherc: Featherc, tree: Path) -> None:
    secret = tree.parent / "secret.c"
    secret.write_text("secret")
    (tree / SOURCE).unlink()
    (tree / SOURCE).symlink_to(secret)
    (tree / "fc.h").write_bytes(b"\0\xff\x1b[2J" * 1000)
    (tree / "fc_types.h").write_bytes(b"x" * 10**7)
    (tree / "line\nbreak \x1b[2J.c").write_text("")
    (tree / "selftest.c").write_bytes((tree / "selftest.c").read_bytes()[:999])
    done = featherc("check", "out", "--diff")
    assert done.code == FAILED
    assert states(done) == {
        SOURCE: "hand-edited",
        "fc.h": "hand-edited",
        "fc_types.h": "hand-edited",
        "line\\nbreak \\x1b[2J.c": "unmanaged",
        "selftest.c": "hand-edited",
    }
    assert "\x1b" not in done.out
    assert "secret" not in done.out


def test_nothing_is_written(featherc: Featherc, tree: Path) -> None:
    (tree / SOURCE).write_text("mine")
    (tree / HEADER).unlink()
    before, times = snapshot(tree.parent), {p: p.stat().st_mtime_ns for p in tree.parent.rglob("*")}
    featherc("check", "out", "--diff")
    assert snapshot(tree.parent) == before
    assert {p: p.stat().st_mtime_ns for p in tree.parent.rglob("*")} == times


def test_it_is_little_work_beside_generating(
    featherc: Featherc, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading and comparing the whole library, generating apart."""
    tree = ROOT / "generated"
    expected = {p.name: p.read_text() for p in tree.iterdir()}
    shutil.copytree(tree, place / "out")
    selftest = place / "out" / "selftest.c"
    selftest.write_text(selftest.read_text().replace("0.5", "0.25"))
    monkeypatch.setattr("codegen.review.check.render_tree", lambda *_: expected)
    with at_most(200_000):
        done = featherc("check", "out")
    assert (done.code, states(done)) == (FAILED, {"selftest.c": "hand-edited"})


# what is committed


@pytest.mark.parametrize("arguments", [(), ("examples/mixing", "--model", "examples/mixing.py")])
def test_what_is_committed_is_up_to_date(
    arguments: tuple[str, ...], featherc: Featherc, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make generate` brings the library up to date."""
    monkeypatch.chdir(ROOT)
    done = featherc("check", *arguments)
    assert (done.code, done.err) == (FINE, ""), done.out


# ready to use


def test_the_hook_runs_check(featherc: Featherc, tree: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["pass_filenames"] is False
    assert hook["language"] == "python"
    command, *arguments = hook["entry"].split()
    assert command == "featherc"
    os.rename("out", "generated")
    assert featherc(*arguments).code == FINE
    (Path("generated") / SOURCE).write_text("mine")
    assert featherc(*arguments).code == FAILED


def test_gitattributes_are_generated_and_never_overwrite(featherc: Featherc, tree: Path) -> None:
    names = ["quat_multiply", "quat_inverse", "-o", "out"]
    (tree / ".gitattributes").write_text("mine")
    assert featherc("generate", *names, "--gitattributes").said(".gitattributes is an unmanaged file")
    assert (tree / ".gitattributes").read_text() == "mine"
    assert featherc("generate", *names).code == FINE
    assert (tree / ".gitattributes").read_text() == "mine"
    (tree / ".gitattributes").unlink()
    assert featherc("generate", *names, "--gitattributes").code == FINE
    assert "* linguist-generated text eol=lf\n" in (tree / ".gitattributes").read_text()
    assert featherc("check", "out").code == FINE
    assert featherc("generate", *names).code == FINE
    assert not (tree / ".gitattributes").exists()


def test_the_manifest_records_the_license() -> None:
    tree = render_tree([library()["quat_multiply"]], Options(license="0BSD"))
    assert json.loads(tree["manifest.json"])["license"] == "0BSD"
