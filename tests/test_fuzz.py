"""Random trees, manifests, revisions and configurations: exit codes 0 to 2, within 30 s and 1 GB."""

from __future__ import annotations

import contextlib
import functools
import gc
import html
import inspect
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from codegen.__main__ import COLLECTIONS, FAILED, FINE, USER, run
from codegen.errors import FeatherError
from codegen.mechanisms import Mechanism
from codegen.mechanisms.description.exact import SNAP
from codegen.mechanisms.kernels.regular import check_regular
from codegen.mechanisms.kernels.report import remarks
from codegen.mechanisms.kernels.robot import Robot
from codegen.review.diff.text import source
from tests.conftest import ROOT
from tests.test_trees import git

FEW, MANY, ROUNDS = 25, 2_500, 10
"""Examples of each test in `make test`, and in each round of `make fuzz`, whose rounds have other seeds."""

SEED = int(os.environ.get("FUZZ_SEED", "0"))
"""The seed of the first round."""

SECONDS, BYTES = 30, 2**30


class Hang(BaseException):
    """A run takes longer than it may; nothing in it catches this."""


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Limits on the time and memory of the work inside: a hang is no slow test but an error."""

    def stop(*_: object) -> None:
        raise Hang

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    pages = int(Path("/proc/self/statm").read_text().split()[5])
    previous = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    resource.setrlimit(resource.RLIMIT_DATA, (pages * resource.getpagesize() + BYTES, hard))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def judged(*arguments: str) -> int:
    """The exit code of a command, which is neither that of a bug nor late; what it says is one line."""
    out, err = io.StringIO(), io.StringIO()
    with bounded(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(list(arguments))
    assert code in (FINE, FAILED, USER), err.getvalue()
    assert "Traceback" not in err.getvalue()
    assert all(line.startswith(("featherc: ", "note: ")) for line in err.getvalue().splitlines())
    return code


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A repository with a tree `old` of two kernels; it is the current directory.

    What makes trials cheap changes no result: files of the same content are split once, and the garbage
    collector is set as the command sets it.
    """
    directory = tmp_path_factory.mktemp("fuzz") / "repository"
    directory.mkdir()
    thresholds = gc.get_threshold()
    gc.set_threshold(*COLLECTIONS)
    assert (
        run(["generate", "quat_multiply", "quat_normalize", "-p", "f32", "-o", str(directory / "old")])
        == FINE
    )
    git(directory, "init", "-q")
    git(directory, "add", ".")
    git(directory, "commit", "-q", "-m", "first")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory)
        patch.setattr("codegen.review.footprint.can_measure", lambda: False)  # each compilation takes longer
        patch.setattr(source, "_split", remembered(source._split))
        yield directory
    gc.set_threshold(*thresholds)


def remembered(split: Callable[..., Any]) -> Callable[..., Any]:
    """The function that splits a file, which keeps what it found in those that stay the same."""
    known = functools.lru_cache(64)(lambda path, content, words: split(path, content, dict(words)))
    return lambda path, content, words: known(path, content, tuple(sorted(words.items())))


def often(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=examples == FEW,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


Test = Callable[..., None]


def both(given_: Callable[[Test], Test], test: Test) -> tuple[Test, Test]:
    """The test with few examples, which are always the same, and in rounds with many, drawn from SEED on."""

    def many(round_: int, request: pytest.FixtureRequest) -> None:
        needed = {"place": request.getfixturevalue("place")} if "place" in names else {}
        seed(SEED + round_)(often(MANY)(given_(test)))(**needed)

    names = inspect.signature(test).parameters
    return often(FEW)(given_(test)), pytest.mark.fuzz(pytest.mark.parametrize("round_", range(ROUNDS))(many))


# Trees


C = [
    "/*", "*/", "//", "\"", "'", "\\\n", "\\", "#if 0\n", "#endif\n", "#define a ", "#include \"x.h\"\n",
    "\n#", "{", "}", "(", ")", "[", "]", ";", ",", "*", "&", "0", "1e999F", "0x1p-9F", "-", "+", "/", "<",
    "?", ":", "= ", "float ", "double ", "static ", "inline ", "extern \"C\" {", "const ", "int ", "void ",
    "return ", "for (", "if (", "typedef ", "struct {", "restrict ", "__asm__(", "_Pragma(", "??/",
    "\u0000", "\f", "\u00e4", "\ufeff", "fabsf(", "sinf(", "status |= ", "FC_OK", "p->w", "q_w", "x[0]",
    "x[1+1]", "goto a;", "while (1)", "@param ",
]  # fmt: skip
"""What is put into files."""

NAMES = [
    "fc_rotation_f32.c",
    "fc_rotation_f32.h",
    "fc_types.h",
    "fc.h",
    "CMakeLists.txt",
    "selftest.c",
    "manifest.json",
]
MORE = [
    "math.h",
    "sub/x.c",
    "::x.c",
    "x.S",
    "Makefile",
    "sub/manifest.json",
    "sub/selftest.c",
    ".gitattributes",
]


def spoilt(text: str, seed: int, edits: int) -> str:
    """The text with pieces put in, left out, repeated and exchanged."""
    chance = random.Random(seed)
    for _ in range(edits):
        at, to = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        to = min(to, at + chance.choice((1, 10, 300)))
        piece = chance.choice((chance.choice(C), text[at:to], ""))
        text = text[:at] + piece * chance.choice((1, 1, 1, 2, 50)) + text[chance.choice((at, to)) :]
    return text


def trees(place: Path, paths: list[str], seed: int, edits: int, form: str) -> None:
    shutil.rmtree("new", ignore_errors=True)
    shutil.copytree("old", "new")
    for i, path in enumerate(paths):
        Path("new", path).parent.mkdir(exist_ok=True)
        text = Path("old", path if path in NAMES else NAMES[seed % len(NAMES)]).read_text()
        Path("new", path).write_text(spoilt(text, seed + i, edits), errors="surrogateescape")
    there = ["old", "new"] if seed % 2 else ["new", "old"]
    judged("diff", *there, "--format", form, "--fail-on", "changed,interface,cost>5%")
    judged("release", *there[::-1], "--format", form, "--baseline-version", "1.2.3", "--version", "1.2.4")


TREES = given(
    paths=st.lists(st.sampled_from([*NAMES, *NAMES[:2], *MORE]), min_size=1, max_size=3),
    seed=st.integers(0, 2**32),
    edits=st.integers(0, 6),
    form=st.sampled_from(["text", "json", "markdown", "junit", "sarif", "github", "waivers"]),
)
test_trees, test_many_trees = both(TREES, trees)


# Manifests


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8),
    st.sampled_from(["1e9999999", "Infinity", "1/0", "9" * 5000, "double", "fc_", "../x", "struct", "f64"]),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text(max_size=5), v, max_size=4),
    max_leaves=8,
)


def replaced(content: object, steps: list[int], value: object) -> object:
    """The JSON with another value at a place that the steps lead to, or without it."""
    if not steps or not isinstance(content, (dict, list)) or not content:
        return value
    step, *rest = steps
    if isinstance(content, list):
        at = step % len(content)
        return [replaced(x, rest, value) if i == at else x for i, x in enumerate(content)]
    key = list(content)[step % len(content)]
    if step % 7 == 0:
        return {k: v for k, v in content.items() if k != key}
    return {k: replaced(v, rest, value) if k == key else v for k, v in content.items()}


def manifests(place: Path, changes: list[tuple[list[int], object]]) -> None:
    shutil.rmtree("new", ignore_errors=True)
    shutil.copytree("old", "new")
    content: object = json.loads(Path("old/manifest.json").read_text())
    for steps, value in changes:
        content = replaced(content, steps, value)
    Path("new/manifest.json").write_text(json.dumps(content))
    judged("diff", "old", "new")
    judged("diff", "new", "old")
    judged("check", "new")


MANIFESTS = given(
    changes=st.lists(st.tuples(st.lists(st.integers(0, 99), max_size=6), VALUES), min_size=1, max_size=3)
)
test_manifests, test_many_manifests = both(MANIFESTS, manifests)


# Revisions and configurations


def revisions(place: Path, name: str) -> None:
    judged("diff", "--", name, "old")
    judged("diff", "--", "old", f"HEAD:{name}")


REVISIONS = given(name=st.one_of(
    st.text(max_size=20),
    st.lists(st.sampled_from([*":@{}^~/-.!?*[\\\0\n", "HEAD", "old", "..", "0", "main", "refs/heads/",
                              "^{tree}"]),
             max_size=6).map("".join),
))  # fmt: skip
test_revisions, test_many_revisions = both(REVISIONS, revisions)

TOML = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from([
            "[diff]", "[generate]", "fail-on = ", "budget = ", "[", "]", "{", "}", '"changed"', '"cost>5%"',
            "cost",
            " = ", "1e9999999", "inf", "9" * 5000, "\n", ",", "[[diff]]", "output = ", "prefix = ", '"\x00"',
            "'*'",
            "model = ", "kernels = ", "true", "1979-05-27", "diff.x = 1", "precision = ", '["f32"]',
            "license = ",
            "[release]", "bump = ", '"major"', "[[waiver]]", "function = ", "class = ", "reason = ",
            "expires = ",            "digest = ", "waiver = ",
        ]), max_size=12).map("".join),
)  # fmt: skip


def configurations(place: Path, toml: str) -> None:
    path = Path("odd.toml")
    path.write_text(toml, errors="surrogatepass" if toml.isprintable() else "ignore")
    judged("diff", "old", "old", "--config", str(path))
    judged("check", "old", "--config", str(path))
    judged("release", "old", "old", "--config", str(path))


CONFIGURATIONS = given(toml=TOML)
test_configurations, test_many_configurations = both(CONFIGURATIONS, configurations)


# Descriptions of robots


ARM = (ROOT / "examples" / "arm.urdf").read_text()
WRITTEN = [
    "0", "-1", "1e99", "1e-99", "1e999999999", "nan", "-inf", "", "0 0 0", "1 2", "1e99 1 1e-99", "0x10",
    "9" * 150, "9" * 5000, "base", "tip", "elbow", "revolute", "prismatic", "fixed", "planar", "floating",
]  # fmt: skip


def descriptions(place: Path, edits: list[tuple[float, str]]) -> None:
    """The arm with other values of attributes is read, or refused in one line."""
    text = ARM
    for at, value in edits:
        values = [m.span(1) for m in re.finditer(r'="([^"]*)"', text)]
        start, end = values[int(at * (len(values) - 1))]
        text = text[:start] + html.escape(value) + text[end:]
    Path("arm.urdf").write_text(text)
    with bounded(), contextlib.suppress(FeatherError):
        mechanism = Mechanism.from_urdf("arm.urdf")
        assert all("\n" not in remark for remark in remarks(mechanism, SNAP))
        check_regular(Robot(mechanism))


DESCRIPTIONS = given(
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.sampled_from(WRITTEN) | st.text(max_size=6)), min_size=1, max_size=3
    )
)
test_descriptions, test_many_descriptions = both(DESCRIPTIONS, descriptions)


# Archives and versions


@functools.cache
def packed(name: str) -> bytes:
    """An archive of the tree, in memory."""
    file = io.BytesIO()
    if name.endswith(".zip"):
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(Path("old").iterdir()):
                archive.write(path, f"out/{path.name}")
    else:
        with tarfile.open(fileobj=file, mode="w:gz" if name.endswith("gz") else "w") as archive_:
            archive_.add("old", "out")
    return file.getvalue()


def archives(place: Path, name: str, edits: list[tuple[float, int]], cut: float, path: str) -> None:
    content = bytearray(packed(name)[: int(cut * len(packed(name)))])
    for place_, value in edits:
        if content:
            content[int(place_ * (len(content) - 1))] = value
    Path(name).write_bytes(content)
    judged("release", "--", name + path, "old")


ARCHIVES = given(
    name=st.sampled_from(["a.zip", "a.tar", "a.tar.gz"]),
    edits=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=8),
    cut=st.just(1.0) | st.floats(0, 1),
    path=st.sampled_from(["", ":out", ":", ":..", ":/", ":out/out"]),
)
test_archives, test_many_archives = both(ARCHIVES, archives)


def versions(place: Path, old: str, new: str) -> None:
    judged("release", "old", "old", f"--baseline-version={old}", f"--version={new}")


VERSION = st.text(max_size=12) | st.lists(st.sampled_from([*"0123456789.v-+", "rc1"]), max_size=9).map(
    "".join
)
VERSIONS = given(old=VERSION, new=VERSION)
test_versions, test_many_versions = both(VERSIONS, versions)


def test_a_hang_is_noticed() -> None:
    """The limits of these tests hold."""

    def endless() -> None:
        with bounded():
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
            while True:
                pass

    with pytest.raises(Hang):
        endless()
    with pytest.raises(MemoryError), bounded():
        os.urandom(2 * BYTES)
