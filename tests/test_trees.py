"""Reading trees that nobody vouches for: odd names, links, large files, revisions that are not there."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from codegen.errors import FeatherError
from codegen.tree.limits import LARGEST, MOST
from codegen.tree.snapshot import location, read_tree
from tests.conftest import tool

NAMES = ["a b.c", "line\nbreak.c", "tab\tand\\.c", "Umlaut ä.h", "-rf.c", "sub/deep/x.c", ":colon.c"]


def git(place: Path, *arguments: str) -> str:
    """What git prints; independent of the user's own configuration."""
    who = ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL")
    nothing = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    environment = {**os.environ, **nothing, **{f"GIT_{name}": "t@example.org" for name in who}}
    command = [tool("git"), *arguments]
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit of `out`, which has files of all names, and its work tree."""
    out = tmp_path / "out"
    for name in NAMES:
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode() + b"\0\xff\r\n")
    (tmp_path / "secret").write_text("secret")
    (out / "link.c").symlink_to("../secret")
    (out / "away").symlink_to(tmp_path)
    (out / "gone.h").symlink_to("nowhere")
    (out / "large.c").write_bytes(b"x" * (LARGEST + 1))
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["out", "HEAD:out", "HEAD:./out", "@{0}:out"])
def test_names_and_bytes_are_read_as_they_are(name: str, place: Path) -> None:
    tree = read_tree(name)
    assert tree.files == {n: n.encode() + b"\0\xff\r\n" for n in NAMES}


@pytest.mark.parametrize("name", ["out", "HEAD:out"])
def test_links_and_large_files_are_named_and_not_read(name: str, place: Path) -> None:
    skipped = read_tree(name).skipped
    assert sorted(skipped) == ["away", "gone.h", "large.c", "link.c"]
    assert all("symbolic link" in skipped[n] for n in ("away", "gone.h", "link.c"))
    assert skipped["large.c"] == "8.4 MB, which is more than any generated file"


def test_what_is_no_regular_file_does_not_block(place: Path) -> None:
    os.mkfifo(place / "out" / "pipe.c")
    assert read_tree("out").skipped["pipe.c"] == "not a regular file"


def test_a_file_that_may_not_be_read_is_named(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object, *_: object) -> int:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "open", refuse)
    assert read_tree("out").skipped["a b.c"] == "cannot be read: Permission denied"


def test_a_submodule_is_named(place: Path) -> None:
    head = git(place, "rev-parse", "HEAD").strip()
    git(place, "update-index", "--add", "--cacheinfo", f"160000,{head},out/module")
    git(place, "commit", "-q", "-m", "second")
    assert read_tree("HEAD:out").skipped["module"] == "a submodule"
    assert "module" not in read_tree("HEAD~1:out").skipped


def test_a_revision_is_read_from_anywhere_in_the_repository(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place / "out" / "sub")
    assert read_tree("HEAD:out").files.keys() == set(NAMES)
    assert list(read_tree("HEAD:./deep").files) == ["x.c"]


def test_what_is_staged_is_a_tree_of_git_too(place: Path) -> None:
    (place / "out" / "a b.c").write_text("new")
    git(place, "add", ".")
    assert read_tree(f"{git(place, 'write-tree').strip()}:out").files["a b.c"] == b"new"


WRONG = {
    "nowhere": "there is no directory nowhere; a git revision is written REVISION:PATH",
    "HEAD~9:out": r"HEAD~9:out is neither a directory nor a tree in git",
    "no such revision:out": "neither a directory nor a tree in git",
    "HEAD:nowhere": "neither a directory nor a tree in git",
    "HEAD:secret": r"neither a directory nor a tree in git \(not a tree object\)",
    "HEAD:out/away": "neither a directory nor a tree in git",
    "--output=stolen:out": "a revision cannot begin with -",
    "secret": "secret is not a directory: name one, or an archive",
    "": "there is no directory",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_there_is_one_clear_error(name: str, place: Path) -> None:
    before = sorted(place.rglob("*"))
    with pytest.raises(FeatherError, match=WRONG[name]):
        read_tree(name)
    assert sorted(place.rglob("*")) == before


def test_a_revision_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(FeatherError, match="not a git repository"):
        read_tree("HEAD:out")


def test_a_revision_without_git(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(FeatherError, match="git is not installed"):
        read_tree("HEAD:out")


def test_an_object_that_is_missing_is_not_fetched(place: Path) -> None:
    blob = git(place, "rev-parse", "HEAD:out/a b.c").strip()
    (place / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(FeatherError, match=f"HEAD:out: git does not have the object {blob}; fetch"):
        read_tree("HEAD:out")


def test_a_directory_of_too_many_files_is_refused(tmp_path: Path) -> None:
    for i in range(MOST + 2):
        (tmp_path / str(i)).touch()
    with pytest.raises(FeatherError, match=rf"holds more than {MOST} files: name the directory"):
        read_tree(str(tmp_path))


def test_too_many_bytes_are_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codegen.tree.limits.ALL", 20)
    for name in ("out", "HEAD:out"):
        with pytest.raises(FeatherError, match="holds more than"):
            read_tree(name)


def test_the_location_of_a_file_is_that_in_the_repository(place: Path) -> None:
    assert location("out", "x.c") == location("HEAD~3:out", "x.c") == os.path.join("out", "x.c")
    assert location(".", "x.c") == location("HEAD:", "x.c") == "x.c"
