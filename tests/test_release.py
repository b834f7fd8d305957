"""The release gate: the bump that a history requires, versions, the policy, wrong and hostile input."""

from __future__ import annotations

import json
import shutil
import tarfile
from pathlib import Path

import pytest

from codegen.__main__ import FAILED, FINE, USER, run
from codegen.errors import FeatherError
from codegen.review.diff.callers.documentation import Difference
from codegen.review.files import cmake
from codegen.review.release import wording
from codegen.review.release.versions import (
    Version,
    baseline_version,
    bumped,
    declared_bump,
    parse_version,
    scaled,
    version,
)
from codegen.review.reports import FORMATS
from codegen.review.rules import RULES, Bump
from tests.conftest import ROOT, Featherc
from tests.test_trees import git

HEADER = """#ifndef FC_AERO_F32_H
#define FC_AERO_F32_H
/* Matrices are row-major. */
typedef struct { float x, y, z; } fc_vec3_f32;
/**
 * Drag of a body.
 *
 * @param[in] v_B velocity of B relative to N, in B [m/s]
 * @param[in] k coefficient [kg/m]
 * @param[out] F_B force on B, in B [N]
 * @pre k > 0.
 */
void fc_drag_f32(const fc_vec3_f32 *v_B, float k, fc_vec3_f32 *F_B);
void fc_lift_f32(float q, float c, float *L);
#endif
"""
SOURCE = """#include "fc_aero_f32.h"

static void half(float x, float *y)
{
    *y = 0.5F * x;
}

void fc_drag_f32(const fc_vec3_f32 *v_B, float k, fc_vec3_f32 *F_B)
{
    const float x = v_B->x;
    const float y = v_B->y;
    const float z = v_B->z;
    F_B->x = -(k * x);
    F_B->y = -(k * y);
    F_B->z = -(k * z);
}

void fc_lift_f32(float q, float c, float *L)
{
    *L = q * c * 3.0F;
}
"""
BASE = {"fc_aero_f32.h": HEADER, "fc_aero_f32.c": SOURCE, "notes.txt": "first\n"}
H, C = "fc_aero_f32.h", "fc_aero_f32.c"

UNREAD = (C, "q * c * 3.0F;\n}", "q * c;\nagain:\n    *L = 0.0F;\n    goto again;\n}")
HISTORY = [
    ([("notes.txt", "first", "second")], "patch", {"files"}),
    ([(C, "const float z = v_B->z;", "const float z = v_B->z; /* down */")], "patch", {"cosmetic"}),
    ([(C, "q * c * 3.0F", "q * (c * 3.0F)")], "patch", {"re-associated"}),
    ([(H, "Drag of a body", "Drag of that body")], "patch", {"wording"}),
    ([(C, "static void half(float x, float *y)\n{\n    *y = 0.5F * x;\n}\n", "")],
     "patch", {"internal"}),
    ([(H, "#endif", "void fc_side_f32(float q, float *Y);\n#endif"),
      (C, "static", "void fc_side_f32(float q, float *Y)\n{\n    *Y = q;\n}\n\nstatic")], "minor", {"added"}),
    ([(C, "F_B->x = -(k * x)", "F_B->x = k * x")], "minor", {"changed"}),
    ([(C, "*y = 0.5F * x", "*y = 0.25F * x")], "minor", {"changed"}),
    ([(H, "Drag of a body.", "Drag of a body, right to 1e-6.")], "minor", {"documentation"}),
    ([(H, " * @pre k > 0.\n", "")], "minor", {"documentation"}),
    ([(H, "k > 0.", "k > 0; v_B is not 0.")], "major", {"contract"}),
    ([(H, "in B [m/s]", "in N [m/s]")], "major", {"contract"}),
    ([(H, "[m/s]", "[ft/s]")], "major", {"contract"}),
    ([(H, "row-major", "column-major")], "major", {"contract"}),
    ([(C, "F_B->x = -(k * x)", "F_B->x = k * x"), (H, "[kg/m]", "[g/m]")], "major", {"changed", "contract"}),
    ([(H, "fc_lift_f32(float q, float c", "fc_lift_f32(float c, float q"),
      (C, "fc_lift_f32(float q, float c", "fc_lift_f32(float c, float q")],
     "major", {"interface"}),
    ([(H, "void fc_lift_f32(float q, float c, float *L);\n", "")], "major", {"interface"}),
    ([UNREAD],
     "minor", {"unread body"}),
    ([UNREAD, (H, "float x, y, z;", "float z, y, x;"),
      (C, "-(k * x)", "-(k * x);\nagain:\n    F_B->x = 0.0F;\n    goto again")],
     "major", {"unreadable", "unread body"}),
    ([UNREAD, (C, "#include", "#define FOUR 4.0F\n#include"), (C, "q * c;", "q * c * FOUR;")],
     "minor", {"unread body"}),
    ([UNREAD, (C, "static", "typedef double real;\n#define c 1.0F * k\nstatic")], "major", {"unreadable"}),
    ([UNREAD, (C, "static", "#if X\n#define c 1\n#endif\nstatic")],
     "major", {"unreadable"}),
    ([(H, "Drag of a body", "Aerodynamic drag of a body")], "minor", {"documentation"}),
]  # fmt: skip
"""Edits of a release, the bump that they require, and the rules."""


def edited(*edits: tuple[str, str, str]) -> dict[str, str]:
    tree = dict(BASE)
    for path, old, new in edits:
        assert old in tree[path], old
        tree[path] = tree[path].replace(old, new, 1)
    return tree


def write(directory: str | Path, tree: dict[str, str]) -> Path:
    shutil.rmtree(directory, ignore_errors=True)
    Path(directory).mkdir()
    for name, text in tree.items():
        Path(directory, name).write_text(text)
    return Path(directory)


@pytest.fixture
def repository(place: Path) -> Path:
    """A repository with the release v1.2.3 of BASE in `out`."""
    write("out", BASE)
    git(place, "init", "-q")
    git(place, "add", ".")
    git(place, "commit", "-q", "-m", "release")
    git(place, "tag", "v1.2.3")
    return place


def commit(place: Path, tree: dict[str, str]) -> None:
    write("out", tree)
    git(place, "add", ".")
    git(place, "commit", "-q", "-m", "change")


NEXT = {"patch": "1.2.4", "minor": "1.3.0", "major": "2.0.0"}


def rules(out: str) -> set[str]:
    return {r for f in json.loads(out)["functions"] for r in f["rules"]} - {"identical"}


@pytest.mark.parametrize(("edits", "bump", "names"), HISTORY)
def test_the_version_of_a_history(
    edits: list[tuple[str, str, str]], bump: str, names: set[str], featherc: Featherc, repository: Path
) -> None:
    commit(repository, edited(*edits))
    done = featherc("release", "v1.2.3:out", "HEAD:out", "--version", NEXT[bump])
    assert done.code == FINE, done.out + done.err
    assert done.out.endswith(f"require a {bump} release: {NEXT[bump]} or higher; {NEXT[bump]} is enough\n")
    done = featherc("release", "v1.2.3:out", "HEAD:out", "--format", "json")
    said = json.loads(done.out)
    assert (done.code, said["required"], said["smallest_version"]) == (FINE, bump, NEXT[bump])
    assert rules(done.out) >= names - {"files"}
    assert names - {"files"} or said["differing_file"] == "notes.txt"
    lower = {"patch": "1.2.3", "minor": "1.2.4", "major": "1.3.0"}[bump]
    done = featherc("release", "v1.2.3:out", "out", "--version", lower)
    assert done.code == FAILED
    assert done.said(
        f"the changes since 1.2.3 require a {bump} release: {NEXT[bump]} or higher; {lower} is not"
    )


def test_two_releases_in_a_row(featherc: Featherc, repository: Path) -> None:
    """A release needs what was changed since the last one, not what an earlier one has announced."""
    commit(repository, edited(*HISTORY[11][0]))
    git(repository, "tag", "v2.0.0")
    assert featherc("release", "v1.2.3:out", "HEAD:out", "--version", "v2.0.0").code == FINE
    assert featherc("release", "v1.2.3:out", "v2.0.0:out").out.endswith("2.0.0 is enough\n")
    git(repository, "tag", "v1.3.0")
    assert featherc("release", "v1.2.3:out", "v1.3.0:out").code == FAILED
    done = featherc("release", "v1.2.3:out", "v1.3.0:out", "--version", "2.0.0")
    assert done.code == USER
    assert done.said("v1.3.0:out is version v1.3.0, not 2.0.0: omit --version")
    tree = edited(*HISTORY[11][0])
    tree["notes.txt"] = "third"
    commit(repository, tree)
    assert featherc("release", "v2.0.0:out", "out", "--version", "2.0.1").code == FINE
    assert featherc("release", "v1.2.3:out", "out", "--version", "2.0.1").code == FINE
    assert featherc("release", "v1.2.3:out", "out", "--version", "1.2.4").code == FAILED


def test_digits_are_no_version(featherc: Featherc, repository: Path) -> None:
    """They may be the short name of a commit."""
    git(repository, "branch", "7700058", "v1.2.3")
    done = featherc("release", "7700058:out", "7700058:out", "--baseline-version", "1.2.3")
    assert (done.code, done.err) == (FINE, "")


def test_the_same_tree_needs_no_version(featherc: Featherc, repository: Path) -> None:
    for more in ([], ["--version", "1.2.3"], ["--version", "1.2.3+build.5"]):
        done = featherc("release", "v1.2.3:out", "out", *more)
        assert (done.code, done.err) == (FINE, "")
        assert "no file differs: no new version is required" in done.out


def test_the_readme_shows_the_real_output(featherc: Featherc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "tests" / "data" / "pull_request")
    command = "release main branch --baseline-version 1.2.3 --version 1.2.4"
    done = featherc(*command.split())
    said = "".join(f"{line.rstrip()}\n" for line in done.out.splitlines())
    shown = f"```\n$ featherc {command}\n{said}{done.err}```\n"
    assert shown in (ROOT / "README.md").read_text(encoding="utf-8"), shown


def test_archives_directories_and_tags_are_the_same_baseline(featherc: Featherc, repository: Path) -> None:
    with tarfile.open("fc-1.2.3.tar.gz", "w:gz") as packed:
        packed.add("out", "fc-1.2.3/out")
    shutil.copytree("out", "old")
    write("out", edited(*HISTORY[6][0]))
    said = []
    for baseline in ("v1.2.3:out", "old", "fc-1.2.3.tar.gz", "fc-1.2.3.tar.gz:out"):
        done = featherc("release", baseline, "out", "--baseline-version", "1.2.3", "--version", "1.2.9")
        assert done.code == FAILED
        said.append((done.out, done.err))
    assert len(set(said)) == 1
    done = featherc("release", "old", "out", "--version", "1.3.0")
    assert done.code == USER
    assert done.said("the version of old is not known", "--baseline-version")


@pytest.mark.parametrize("form", ["text", *FORMATS])
def test_the_verdict_is_the_same_in_every_format(form: str, featherc: Featherc, repository: Path) -> None:
    write("out", edited(*HISTORY[6][0]))
    for new, code in (("1.2.4", FAILED), ("1.3.0", FINE), (None, FINE)):
        done = featherc(
            "release", "v1.2.3:out", "out", "--format", form, *(["--version", new] if new else [])
        )
        assert done.code == code
        assert "fc_drag_f32" in done.out or (form == "waivers" and code == FINE)
        assert ("changed requires version 1.3.0 (minor), not 1.2.4" in done.out) == (
            code == FAILED and form not in ("text", "json", "waivers")
        )


def test_a_report_is_written_to_a_file(featherc: Featherc, repository: Path) -> None:
    write("out", edited(*HISTORY[6][0]))
    for form in ("html", "json"):
        done = featherc(
            "release", "v1.2.3:out", "out", "--version", "1.2.4", "--format", form, "-o", "report"
        )
        assert (done.code, done.out) == (FAILED, "")
        assert "fc_drag_f32" in Path("report").read_text()
    assert (
        "<title>featherc release v1.2.3:out out</title>"
        in featherc("release", "v1.2.3:out", "out", "--format", "html").out
    )
    done = featherc("release", "v1.2.3:out", "out", "-o", "report")
    assert done.code == FINE
    assert "fc_drag_f32" in Path("report").read_text()


# The policy


def test_the_policy_sets_the_bump(featherc: Featherc, repository: Path) -> None:
    write("out", edited(*HISTORY[6][0]))
    toml = Path("featherc.toml")
    for bump in ("none", "patch", "minor", "major"):
        toml.write_text(f'[release]\nbump = {{ changed = "{bump}", "re-associated" = "major" }}\n')
        done = featherc("release", "v1.2.3:out", "out", "--format", "json")
        assert json.loads(done.out)["required"] == (bump if bump != "none" else "patch"), "files differ"
    toml.write_text('[release]\nbump = { changed = "none", files = "none" }\n')
    assert json.loads(featherc("release", "v1.2.3:out", "out", "--format", "json").out)["required"] == "none"


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('[release]\nbump = { chnaged = "major" }\n', "'chnaged' is no rule; known are identical"),
        ('[release]\nbump = { changed = "huge" }\n', "changed must be one of none, patch, minor, major"),
        ("[release]\nbump = { changed = 2 }\n", "changed must be one of"),
        ("[release]\nbump = { changed = [] }\n", "changed must be one of"),
        ('[release]\nversion = "1.2.3"\n', "unknown key 'version'; known are bump"),
        ("[release]\nbump = 5\n", "bump must be a table"),
    ],
)
def test_a_wrong_policy_is_named(toml: str, said: str, featherc: Featherc, repository: Path) -> None:
    Path("featherc.toml").write_text(toml)
    done = featherc("release", "v1.2.3:out", "out")
    assert done.code == USER
    assert done.said(said)


# Versions


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1.2.3", (1, 2, 3)), ("v1.2.3", (1, 2, 3)), ("1.0", (1, 0, 0)), ("v2", (2, 0, 0)),
        ("1.2.3-rc1", (1, 2, 3, True)), ("v1.2.3-rc1", (1, 2, 3, True)), ("1.2-rc.1+x", (1, 2, 0, True)),
        ("1.2.3+x", (1, 2, 3)), ("0.0.0", (0, 0, 0)), ("2026.11.22", (2026, 11, 22)),
    ],
)  # fmt: skip
def test_a_version_is_read(text: str, found: tuple[int, int, int]) -> None:
    assert parse_version(text) == Version(*found)


@pytest.mark.parametrize(
    "text",
    ["", "v", "1.", ".1", "1..2", "1.2.3.4", "01.2.3", "1.02", "-1.2", "1.2.3-", "1.2.3rc1", "V1.2", " 1.2",
     "1.2\n",      "1.\u0662", "1.2.3-\u00e4", "latest", "1" * 10, "1.2.3-" + "x" * 101,
     "1e3", "1,2", "--help", "\x1b[31m"],
)  # fmt: skip
def test_what_is_no_version_is_an_error(text: str) -> None:
    with pytest.raises(FeatherError, match="is not a version such as"):
        version(text)


@pytest.mark.parametrize(
    ("old", "bump", "smallest"),
    [
        ("1.2.3", Bump.MAJOR, "2.0.0"), ("1.2.3", Bump.MINOR, "1.3.0"), ("1.2.3", Bump.PATCH, "1.2.4"),
        ("1.2.3", Bump.NONE, "1.2.3"), ("0.3.1", Bump.MAJOR, "0.4.0"), ("0.3.1", Bump.MINOR, "0.3.2"),
        ("0.3.1", Bump.PATCH, "0.3.2"), ("0.0.5", Bump.MAJOR, "0.0.6"), ("0.0.5", Bump.MINOR, "0.0.6"),
        ("0.0.5", Bump.PATCH, "0.0.6"), ("0.0.5", Bump.NONE, "0.0.5"), ("0.3", Bump.NONE, "0.3.0"),
    ],
)  # fmt: skip
def test_the_smallest_version_of_a_bump(old: str, bump: Bump, smallest: str) -> None:
    before, after = version(old), version(smallest)
    assert bumped(before, scaled(bump, before)) == after
    assert declared_bump(before, after) >= scaled(bump, before)


@pytest.mark.parametrize(
    ("old", "new", "bump"),
    [
        ("1.2.3", "1.2.3", Bump.NONE), ("1.2.3", "1.2.4", Bump.PATCH), ("1.2.3", "1.3", Bump.MINOR),
        ("1.2.3", "1.9.9", Bump.MINOR), ("1.2.3", "2", Bump.MAJOR), ("1.2.3", "7.1.0", Bump.MAJOR),
        ("1.2.3", "1.3.0-rc1", Bump.MINOR), ("1.2.3", "2.0.0-alpha", Bump.MAJOR),
        ("0.9.9", "1.0.0", Bump.MAJOR),
        ("1.2.3", "1.2.4-rc1", Bump.PATCH), ("1.9", "1.10", Bump.MINOR), ("1.2.3", "1.2.3+x", Bump.NONE),
    ],
)  # fmt: skip
def test_the_declared_bump(old: str, new: str, bump: Bump) -> None:
    assert declared_bump(version(old), version(new)) is bump


@pytest.mark.parametrize("new", ["1.2.2", "1.1.9", "0.9", "1.2.3-rc1", "1.2", "1"])
def test_a_lower_version_is_an_error(new: str, featherc: Featherc, repository: Path) -> None:
    done = featherc("release", "v1.2.3:out", "out", "--version", new)
    assert done.code == USER
    assert done.said("is lower than the baseline's 1.2.3")


def test_the_version_of_the_baseline() -> None:
    assert baseline_version("v1.2:out", None) == Version(1, 2, 0)
    assert baseline_version("refs/tags/1.2.3:out", None) == Version(1, 2, 3)
    assert baseline_version("v1.2:out", "1.2.0") == Version(1, 2, 0)
    assert baseline_version("main:out", "1.2") == Version(1, 2, 0)
    for unknown in ("main:out", "out", "v1.2", "v1.2~1:out", "x.tar.gz:1.2", "1.2.zip", "x/v1.2:out"):
        assert baseline_version(unknown, None) is None
    with pytest.raises(FeatherError, match=r"v1.2:out is version v1.2, not 0.9: omit --baseline-version"):
        baseline_version("v1.2:out", "0.9")
    for tree, given in (("v1.2.3-rc1:out", None), ("main:out", "1.2.3-rc1")):
        with pytest.raises(FeatherError, match="pre-release, which promises nothing"):
            baseline_version(tree, given)


@pytest.mark.parametrize(
    "arguments",
    [["v9.9:out", "out"], ["v1.2.3:nowhere", "out"], ["v1.2.3:out", "nowhere"], ["v1.2.3", "out"],
     ["v1.2.3:out", "out", "--version", "x"], ["v1.2.3:out", "out", "--baseline-version", "1.2.4"],
     ["v1.2.3:out", "out", "--today", "soon"], ["--upload-pack=x:out", "out"]],
)  # fmt: skip
def test_wrong_input_is_one_line(arguments: list[str], featherc: Featherc, repository: Path) -> None:
    done = featherc("release", *arguments)
    assert done.code == USER
    assert done.said()
    assert done.out == ""


def test_a_baseline_without_c_is_an_error(featherc: Featherc, repository: Path) -> None:
    """Else every function would be new, and a minor release enough."""
    write("empty", {"README": ""})
    done = featherc("release", "empty", "out")
    assert done.code == USER
    assert done.said("empty holds no C: name the generated tree of the last release")


def test_another_prefix_is_another_interface(featherc: Featherc, place: Path) -> None:
    for prefix in ("fc_", "nav_"):
        assert run(["generate", "quat_multiply", "--prefix", prefix, "-o", prefix]) == FINE
    done = featherc("release", "fc_", "nav_", "--baseline-version", "1.4", "--version", "1.5")
    assert done.code == FAILED
    assert done.said("require a major release: 2.0.0")


def test_a_public_function_that_becomes_static_is_lost(featherc: Featherc, repository: Path) -> None:
    line = "void fc_lift_f32(float q, float c, float *L)"
    write("out", edited((H, f"{line};\n", ""), (C, line, f"static {line}")))
    done = featherc("release", "v1.2.3:out", "out", "--format", "json")
    assert json.loads(done.out)["required"] == "major"


def test_a_static_function_of_an_included_file_is_public(featherc: Featherc, place: Path) -> None:
    function = "void fc_f_f32(float x, float *y)\n{\n    *y = x;\n}\n"
    tree = {"fc.h": '#include "impl.c"\n', "fc_a_f32.c": function.replace("_f_", "_a_")}
    write("old", {**tree, "impl.c": f"static {function}"})
    write("new", {**tree, "impl.c": ""})
    assert json.loads(featherc("release", "old", "new", "--format", "json").out)["required"] == "major"


def test_a_unit_is_not_hidden_behind_another_comment(featherc: Featherc, place: Path) -> None:
    """The manifest counts also where comments differ in words only."""
    for side in ("old", "new"):
        assert run(["generate", "rpy_kinematics", "-p", "f32", "-o", side]) == FINE
    header = Path("new/fc_rotation_f32.h")
    header.write_text(header.read_text().replace("Rates of roll", "Rates, that is of roll"))
    done = featherc("release", "old", "new", "--format", "json")
    assert rules(done.out) >= {"wording"}
    manifest = Path("new/manifest.json")
    text = manifest.read_text()
    assert '"unit": "rad/s"' in text
    manifest.write_text(text.replace('"unit": "rad/s"', '"unit": "deg/s"', 1))
    done = featherc("release", "old", "new", "--format", "json")
    assert rules(done.out) >= {"contract"}


@pytest.mark.parametrize(("static", "required"), [("static ", "minor"), ("", "major")])
def test_a_callee_that_returns_another_type(
    static: str, required: str, featherc: Featherc, place: Path
) -> None:
    """Its callers return other values; whether anybody else can call it decides about the rest."""
    for side, kind in (("old", "double"), ("new", "float")):
        gain = f"{static}{kind} fc_gain(double x)\n{{\n    return 2.0 * x;\n}}\n"
        call = "\nvoid fc_call_f64(double x, double *y)\n{\n    *y = fc_gain(x);\n}\n"
        write(side, {"fc_types.h": "#ifndef T\n#define T\n#endif\n", "fc.c": gain + call})
    said = json.loads(featherc("release", "old", "new", "--format", "json").out)
    assert said["required"] == required
    assert {"internal" if static else "interface", "changed"} <= rules(json.dumps(said))


def test_another_type_in_the_manifest_is_another_contract(featherc: Featherc, place: Path) -> None:
    """A caller that passes any vector now passes what are no angles; the C stays the same."""
    for side in ("old", "new"):
        assert run(["generate", "rpy_kinematics", "-p", "f32", "-o", side]) == FINE
    manifest = Path("old/manifest.json")
    text = manifest.read_text()
    assert '"kind": "Angles"' in text
    manifest.write_text(text.replace('"kind": "Angles"', '"kind": "Vec3"'))
    done = featherc("release", "old", "new", "--format", "json")
    assert json.loads(done.out)["required"] == "major"
    assert rules(done.out) == {"contract"}


@pytest.mark.parametrize(
    ("words", "required", "rule"),
    [
        ("Largest number of contacts; build everything with the same value.", "patch", "wording"),
        ("Capacity; to change it, never define another value.", "minor", "documentation"),
        ("Capacity in metres; to change it, define another value.", "major", "contract"),
    ],
)
def test_other_words_for_a_capacity(
    words: str, required: str, rule: str, featherc: Featherc, place: Path
) -> None:
    """A comment of a number of elements, whose name and value are compared as C."""
    said, macro = (
        "Capacity; to change it, define another value.",
        "#ifndef FC_MAX\n#define FC_MAX 64\n#endif\n",
    )
    for side, text in (("old", said), ("new", words)):
        write(side, edited((H, "void fc_lift", f"/* {text} */\n{macro}void fc_lift")))
    done = featherc("release", "old", "new", "--format", "json")
    assert (json.loads(done.out)["required"], rules(done.out)) == (required, {rule})
    write("new", edited((H, "void fc_lift", f"/* {said} */\n{macro.replace('64', '65')}void fc_lift")))
    assert json.loads(featherc("release", "old", "new", "--format", "json").out)["required"] == "major"


def test_a_directory_does_not_stand_in_for_a_revision(featherc: Featherc, repository: Path) -> None:
    """A pull request could bring its own baseline."""
    write("out", edited(*HISTORY[10][0]))
    shutil.copytree("out", "v1.2.3:out")
    for command in ("release", "diff"):
        done = featherc(command, "v1.2.3:out", "out")
        assert done.code == USER
        assert done.said("there is a file v1.2.3:out, and REVISION:PATH is written like that")
        assert featherc(command, "./v1.2.3:out", "out").code == FINE


def test_the_last_day_of_all(featherc: Featherc, repository: Path) -> None:
    write("out", edited(*HISTORY[10][0]))
    latest = ["--today", "9999-12-31", "--format", "waivers", "--version", "1.2.4"]
    assert "expires = 9999-12-31" in featherc("release", "v1.2.3:out", "out", *latest).out


def test_a_file_that_is_not_read_is_not_known_to_be_the_same(featherc: Featherc, repository: Path) -> None:
    for name in ("old", "new"):
        write(name, BASE)
        Path(name, "more.c").symlink_to("/etc/passwd")
    done = featherc("release", "old", "new", "--format", "json")
    assert json.loads(done.out)["required"] == "major"


# Options of the build


OPTION = 'option(fc_SMALL "Small code" OFF)\n'
BLOCK = "if(fc_SMALL AND GCC)\n  if(X)\n    set(Y 1)\n  else()\n    set(Y 2)\n  endif()\nendif()\n"
LIBRARY = "add_library(fc fc.c)\nset(Z fc_KNOWN)\n"


@pytest.mark.parametrize(
    ("new", "only"),
    [
        (OPTION + LIBRARY + BLOCK, True),
        (LIBRARY + OPTION, True),
        (LIBRARY + OPTION + BLOCK + BLOCK, True),
        (LIBRARY + BLOCK, False),
        (LIBRARY, False),
        (OPTION + BLOCK, False),
        (OPTION + LIBRARY + BLOCK + "set(fc_SMALL ON)\n", False),
        (OPTION + LIBRARY + BLOCK + "include(more.cmake)\n", False),
        (OPTION + LIBRARY + BLOCK.replace("AND", "OR"), False),
        (OPTION + LIBRARY + BLOCK.replace("AND", "STREQUAL"), False),
        (OPTION + LIBRARY + "if(fc_SMALL STREQUAL OFF)\n  set(Y 1)\nendif()\n", False),
        (OPTION + LIBRARY + BLOCK.replace("GCC", "${Z}"), False),
        (OPTION + LIBRARY + BLOCK.replace("GCC", "a;OR;1"), False),
        (OPTION + LIBRARY + BLOCK.replace("GCC", "(GCC) OR 1"), False),
        (OPTION + LIBRARY + "if(fc_SMALL)\n  set(Y 1)\nendif()\n", True),
        (OPTION + LIBRARY + "if()\nendif()\n", False),
        (OPTION + LIBRARY + "option()\n", False),
        (OPTION.replace("OFF", "ON") + OPTION + LIBRARY + BLOCK, False),
        (OPTION.replace("fc_SMALL", "SMALL") + LIBRARY, False),
        (OPTION.replace("fc_SMALL", "LINUX") + LIBRARY, False),
        (OPTION.replace("fc_SMALL", "PROJECT_NAME") + LIBRARY, False),
        (OPTION.replace("fc_SMALL", "fc_IS_TOP_LEVEL") + LIBRARY, False),
        (OPTION.replace("fc_SMALL", "fc_SOURCE_DIR") + LIBRARY, False),
        (OPTION + LIBRARY + BLOCK.replace("AND GCC", "AND NOT GCC"), False),
        (OPTION + LIBRARY + BLOCK.replace("(fc_SMALL", "(NOT fc_SMALL"), False),
        (OPTION + LIBRARY + BLOCK.replace("endif()\nendif()", "endif()\nelse()\n  set(W 1)\nendif()"), False),
        (OPTION + LIBRARY + BLOCK.removesuffix("endif()\n"), False),
        (OPTION.replace("OFF", "ON") + LIBRARY + BLOCK, False),
        (OPTION.replace("fc_SMALL", "CMAKE_BUILD_TYPE") + LIBRARY, False),
        (OPTION.replace("fc_SMALL", "fc_KNOWN") + LIBRARY, False),
        (OPTION + LIBRARY.replace("fc.c", "fc.c more.c"), False),
    ],
)
def test_an_option_that_is_off_changes_no_build(new: str, only: bool) -> None:
    assert cmake.adds_options_only(LIBRARY, new, "fc_") is only


def test_an_option_needs_a_prefix_of_the_tree(featherc: Featherc, place: Path) -> None:
    """CMake knows some names from others; the prefix is that of the old tree."""
    for prefix in ("", "LINUX", "CMAKE_", "BUILD_"):
        new = (LIBRARY + OPTION + BLOCK).replace("fc_SMALL", f"{prefix}SMALL")
        assert not cmake.adds_options_only(LIBRARY, new, prefix)
    for side, text, prefix in (("old", LIBRARY, "fc_"), ("new", LIBRARY + OPTION, "f")):
        files = {**BASE, "CMakeLists.txt": text, "manifest.json": json.dumps({"prefix": prefix})}
        write(side, files)
    assert rules(featherc("release", "old", "new", "--format", "json").out) >= {"build", "option"}


# The self-test


GUARDED = '#include "fc.h"\n#ifdef FC_SELFTEST_MAIN\nint main(void)\n{\n    return 1;\n}\n#endif\n'


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("return 1", "return 0", "self-test"),
        ("int main", "#if X\n#else\nint x;\n#endif\nint main", "self-test"),
        ("int main", "#elif 1\nint main", "build"),
        ("int main", "#else\nint main", "build"),
        ("int main", "#endif\n#if 1\nint main", "build"),
        ("int main", "%:endif\n%:if 1\nint main", "build"),
        ("int main", "??=endif\n??=if 1\nint main", "build"),
        ("int main", "#end\\\nif\n#if 1\nint main", "build"),
        ("#ifdef", "double sin(double x)\n{\n    return x;\n}\n#ifdef", "build"),
        ("#ifdef", "static void call_f(void) __attribute__((constructor));\n#ifdef", "build"),
        ("#endif", "#endif\nint x;", "build"),
        ("#ifdef", "#define FC_SELFTEST_MAIN\n#ifdef", "build"),
        ("#ifdef FC_SELFTEST_MAIN", "#ifndef FC_SELFTEST_MAIN", "build"),
        ("fc.h", "other.h", "build"),
    ],
)  # fmt: skip
def test_only_what_is_inside_of_its_guard_is_a_self_test(
    old: str, new: str, rule: str, featherc: Featherc, place: Path
) -> None:
    assert old in GUARDED
    for side, text in (("old", GUARDED), ("new", GUARDED.replace(old, new))):
        write(side, {**BASE, "selftest.c": text, "manifest.json": '{"prefix": "fc_"}'})
    done = featherc("release", "old", "new", "--format", "json")
    assert rules(done.out) - {"identical"} == {rule}


UNGUARDED = (
    '#include "fc.h"\nstatic int f(void)\n{\n    return 1;\n}\nint main(void)\n{\n    return f();\n}\n'
)


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("return 1", "return 0", "self-test"),
        ("int main", "static int g(void);\nint main", "self-test"),
        ("int main", "int other", "build"),
        ("int main", "double sin(double x)\n{\n    return x;\n}\nint main", "build"),
        ("int main", "int x;\nint main", "build"),
        ("int main", "static void g(void) __attribute__((constructor));\nint main", "build"),
        ("int main", "#define main sin\nint main", "build"),
        ("int main", "%:define main sin\nint main", "build"),
        ("int main", "??=define main sin\nint main", "build"),
        ("int main", "#def\\\nine main sin\nint main", "build"),
        ("int main", "#pragma weak sin\nint main", "build"),
        ("int main", '#include "other.c"\nint main', "build"),
        ("fc.h", "other.h", "build"),
    ],
)
def test_a_program_of_its_own_is_a_self_test_without_a_guard(
    old: str, new: str, rule: str, featherc: Featherc, place: Path
) -> None:
    """Earlier versions generated such self-tests; no program with another main can contain one."""
    assert old in UNGUARDED
    for side, text in (("old", UNGUARDED), ("new", UNGUARDED.replace(old, new))):
        write(side, {**BASE, "selftest.c": text, "manifest.json": '{"prefix": "fc_"}'})
    done = featherc("release", "old", "new", "--format", "json")
    assert rules(done.out) - {"identical"} == {rule}


# Wording


@pytest.mark.parametrize(
    ("what", "old", "new", "rule"),
    [
        ("the description", "Rate that is a sum of x, y.", "Rate that is a sum of x or y.", "documentation"),
        ("the description", "A is relative to B.", "is relative to B.", "documentation"),
        ("the description", "Rate that is the sum of x, y.", "The rate, which is a sum of x; y", "wording"),
        ("the description", "Rates of roll and pitch.", "Rates of pitch and roll.", "documentation"),
        ("the description", "A body rate.", "A world rate.", "documentation"),
        ("the description", "increased to 2", "increased by 2", "documentation"),
        ("the description", "F = m a", "F = m", "documentation"),
        ("the description", "dx = a-b", "dx = a b", "documentation"),
        ("the description", "dx = x' y", "dx = x y", "documentation"),
        ("the description", "Nm per rad", "nm per rad", "documentation"),
        ("argument w", "velocity of B relative to N", "acceleration of B under N", "contract"),
        ("argument w", "velocity of B", "acceleration of B", "documentation"),
        ("argument rpy", "roll, pitch, yaw: R_NB", "yaw, pitch, roll: R_NB", "contract"),
        ("@pre", "q is unit.", "q is symmetric.", "contract"),
        ("the description", "Rates of roll and pitch.", "Derivatives of roll and pitch.", "documentation"),
        ("the description", "It turns. dx = sin(phi) w", "Then it rotates: dx = sin(phi) w", "documentation"),
        ("the description", "dx = sin(phi) w", "dx = cos(phi) w", "documentation"),
        ("the description", "dx = (a + b) c", "dx = a + b c", "documentation"),
        ("the description", "right to 2 eps", "right to 3 eps", "documentation"),
        ("the description", "It is checked.", "It is not checked.", "documentation"),
        ("argument w", "rate of B [rad/s]", "speed of rotation of B [rad/s]", "documentation"),
        ("argument w", "rate of B [rad/s]", "rate of B [deg/s]", "contract"),
        ("argument w", "rate of B [rad/s]", "rate of B", "contract"),
        ("argument w", "rate of B, in B [1]", "rate of B, in N [1]", "contract"),
        ("argument q", "rotation q_AB from B to A", "rotation q_AB from A to B", "contract"),
        ("argument q", "rotation q_AB", "rotation q_BA", "contract"),
        ("argument q", "stored by rows", "stored by columns", "contract"),
        ("argument q", "not zero [1]", "of any norm [1]", "documentation"),
        ("argument q", "", "in B [m]", "documentation"),
        ("@pre", "m > 0; q is unit.", "q is unit.", "documentation"),
        ("@pre", "q is unit.", "m > 0; q is unit.", "contract"),
        ("@pre", "m > 0.", "m > 1.", "contract"),
        ("@pre", "", "m > 0.", "contract"),
        ("@pre", "m > 0.", "", "documentation"),
        ("@return", "1, where x is finite", "1 if x is finite", "documentation"),
        ("@return", "0: x is above 1", "0: x is below 1", "documentation"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_function(what: str, old: str, new: str, rule: str) -> None:
    assert wording._of_function(Difference(what, old, new), ()) is RULES[rule]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("max abs((N lambda + r)_i) [m]", "largest rate of a contact [m]", "documentation"),
        ("gradient N y + r [m]", "gradient of the cost [m]", "documentation"),
        ("force of A - N y, in N [m]", "force [m]", "contract"),
        ("rate of N relative to A", "rate of A relative to N", "contract"),
        ("rotation N to A", "rotation", "contract"),
        ("force, N and A", "force", "contract"),
        ("rows of N", "rows", "contract"),  # doubtful: of may stand before a frame
        ("rate w_N", "rate", "contract"),
        ("A x [m]", "x [m]", "contract"),  # A is no argument
    ],
)
def test_the_name_of_an_argument_is_no_frame(old: str, new: str, rule: str) -> None:
    assert wording._of_function(Difference("argument x", old, new), {"N", "x"}) is RULES[rule]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("A pose T_AB: where B is, seen from A.", "A pose T_AB: position of B relative to A.", "contract"),
        ("Matrices are row-major.", "Matrices are column-major.", "contract"),
        ("Quaternions are [w, x, y, z].", "Quaternions are [x, y, z, w].", "contract"),
        ("Angles are in radians.", "Angles are in degrees.", "contract"),
        ("", "Trees share types.", "documentation"),
        ("Units are SI.", "", "contract"),
        ("Spatial vectors are angular first.", "Spatial vectors are linear first.", "contract"),
        ("The tests for NaN are void.", "The tests for NaN are valid.", "documentation"),
        ("An output may be the same object as an input.", "An output must be another object than an input.",
         "contract"),
        ("Units are SI.", "The units are SI", "wording"),
    ],
)  # fmt: skip
def test_what_is_said_in_a_header(old: str, new: str, rule: str) -> None:
    assert wording._of_header(Difference("the header", old, new)) is RULES[rule]
