"""Fixtures and helpers of all tests.

`library` and `fc` are the committed library, `fc` at one precision; `objects` are its files, compiled one by
one. Both are compiled once a session, whatever number of processes the tests run in. `featherc` is the
command in this process, `place` an empty current directory, `rng` random numbers. `sampled` parametrizes a
test with cases of which `make test` runs some; `tool` skips a test where a tool is missing.
"""

from __future__ import annotations

import fcntl
import gc
import os
import pickle
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from codegen.__main__ import COLLECTIONS, run
from codegen.library import library as standard_library
from codegen.measure.targets import Target
from codegen.parallel import mapped
from codegen.passes import pipeline
from codegen.verify.libraries import Library
from codegen.verify.manifest import read_manifest
from codegen.verify.native import STRICT

ROOT = Path(__file__).parent.parent
GENERATED = ROOT / "generated"
IN_CI = os.environ.get("CI") == "true"

settings.register_profile("default", max_examples=50, deadline=None, derandomize=True)
settings.load_profile("default")

gc.set_threshold(*COLLECTIONS)  # as the command does


def pytest_collection_finish() -> None:
    """What is loaded and collected lives as long as the session: no cycles need to be looked for there."""
    gc.freeze()


def sampled(cases: Iterable[Any], every: int, exhaustive: int = 1) -> list[Any]:
    """Cases to parametrize a test with, of which `make test` runs the first of every so many.

    `make test-all` runs these and the first of every `exhaustive` cases, `make fuzz` those that are left:
    the three kinds together are all cases, and none runs twice.
    """

    def marks(i: int) -> Any:
        if i % every == 0:
            return ()
        return pytest.mark.fuzz if i % exhaustive else pytest.mark.exhaustive

    return [pytest.param(c, marks=marks(i)) for i, c in enumerate(cases)]


def sampled_rows(cases: Iterable[tuple[Any, ...]], every: int, exhaustive: int = 1) -> list[Any]:
    """The same for cases of several values each."""
    return [pytest.param(*p.values[0], marks=p.marks) for p in sampled(cases, every, exhaustive)]


def prove_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let proofs compare formulas as they are written; other tests prove that the passes keep those."""
    monkeypatch.setattr("codegen.proof.proof.optimised", lambda kernel, checks: kernel.program(checks))


@dataclass(frozen=True)
class Compiled:
    """The core library at one precision: `fc.call.quat_multiply(p, q).pq`, and its epsilon."""

    name: str
    call: Any
    eps: float
    min: float
    max: float
    dtype: Any


Make = Callable[[Path], object]
Shared = Callable[[str, Make], Path]


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """A directory by its name; the first process of the session that requests it fills it."""
    own = tmp_path_factory.getbasetemp()
    root = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def made(name: str, make: Make) -> Path:
        directory = root / f"shared-{name}"
        with open(root / f"shared-{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not directory.exists():
                partial = root / f"shared-{name}.partial"
                shutil.rmtree(partial, ignore_errors=True)
                partial.mkdir()
                make(partial)
                partial.rename(directory)
        return directory

    return made


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compiled trees are kept in a directory of the session."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session", autouse=True)
def optimised_once(shared: Shared) -> None:
    """Where tests run in several processes, the library's Programs are optimised in the first one for all."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    known = standard_library()

    def optimise(place: Path) -> None:
        keys = list(product(known, (True, False)))
        parts = mapped(lambda key: pipeline.portable(known[key[0]], key[1]), keys)
        (place / "programs").write_bytes(pickle.dumps(dict(zip(keys, parts, strict=True))))

    found = pickle.loads((shared("optimised", optimise) / "programs").read_bytes())
    for (name, checks), parts in found.items():
        pipeline.adopt(known[name], checks, parts)


def compiled(command: Sequence[str], place: Path) -> None:
    """Run a compiler in a directory."""
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def objects(shared: Shared) -> Path:
    """The committed library and its self-test as object files, which gcc compiles without warnings."""

    def compile_all(place: Path) -> None:
        sources = sorted(GENERATED.glob("*.c"))
        flags = [*STRICT, "-DFC_SELFTEST_MAIN", "-O2", "-fno-stack-protector", "-fPIC"]
        compiled([tool("gcc"), *flags, "-c", *map(str, sources)], place)

    return shared("objects", compile_all)


@pytest.fixture(scope="session")
def shared_object(objects: Path, shared: Shared) -> Path:
    """The committed library as a shared object."""

    def link(place: Path) -> None:
        linked = [str(p) for p in sorted(objects.glob("fc_*.o"))]
        compiled([tool("gcc"), "-shared", *linked, "-lm", "-o", "library.so"], place)

    return shared("library", link) / "library.so"


@pytest.fixture(scope="session")
def library(shared_object: Path) -> Library:
    """The committed library, compiled."""
    return Library(GENERATED, read_manifest(GENERATED), shared_object)


@pytest.fixture(scope="session", params=["f64", "f32"])
def fc(request: pytest.FixtureRequest, library: Library) -> Compiled:
    """The core library in double, then in float."""
    dtype = np.float64 if request.param == "f64" else np.float32
    info = np.finfo(dtype)
    return Compiled(
        request.param,
        getattr(library, request.param),
        float(info.eps),
        float(info.tiny),
        float(info.max),
        dtype,
    )


@pytest.fixture
def rng() -> np.random.Generator:
    """Random numbers, the same in every run."""
    return np.random.default_rng(20080131)


@dataclass(frozen=True)
class Outcome:
    """The result of a run of featherc."""

    code: int
    out: str
    err: str

    def said(self, *fragments: str) -> bool:
        """Whether it said one line on stderr, with all of these in it, and no traceback."""
        (line,) = self.err.splitlines()
        return line.startswith("featherc: ") and all(f in line for f in fragments) and "Traceback" not in line


Featherc = Callable[..., Outcome]
Files = dict[str, bytes]


@pytest.fixture
def featherc(capsys: pytest.CaptureFixture[str]) -> Featherc:
    """featherc in this process."""

    def call(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = run([str(a) for a in arguments])
        return Outcome(code, *capsys.readouterr())

    return call


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current directory, without a compiler or colours from the environment."""
    monkeypatch.chdir(tmp_path)
    for name in ("CC", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def snapshot(directory: Path) -> Files:
    """Every file below a directory."""
    return {str(p.relative_to(directory)): p.read_bytes() for p in directory.rglob("*") if p.is_file()}


def tool(name: str) -> str:
    """The path of a tool; the test is skipped where it is not installed, which CI does not allow."""
    path = shutil.which(name)
    if path is None:
        if IN_CI:
            pytest.fail(f"{name} is not installed; CI must install it")
        pytest.skip(f"{name} is not installed")
    return path


def tools_of(*targets: Target, run: bool = False) -> None:
    """The test is skipped where a tool of a target is missing, which CI does not allow."""
    for target in targets:
        tool(target.compiler)
        tool(target.objdump)
    if run:
        tool("qemu-system-arm")
