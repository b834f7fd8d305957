"""What all tests share: the committed library, compiled once a session, and a precision to run at."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

import codegen
from codegen.__main__ import run
from codegen.measure.targets import Target
from codegen.verify.native import Library

ROOT = Path(__file__).parent.parent
GENERATED = ROOT / "generated"
IN_CI = os.environ.get("CI") == "true"

settings.register_profile("default", max_examples=50, deadline=None, derandomize=True)
settings.load_profile("default")


def sampled(cases: Iterable[Any], every: int) -> list[Any]:
    """Cases to parametrize a test with, of which `make test` runs the first of every so many.

    The others are marked as exhaustive: both kinds together are all cases, and none runs twice.
    """
    return [pytest.param(c, marks=pytest.mark.exhaustive if i % every else ()) for i, c in enumerate(cases)]


@dataclass(frozen=True)
class Compiled:
    """The core library at one precision: `fc.call.quat_multiply(p, q).pq`, and its epsilon."""

    name: str
    call: Any
    eps: float
    min: float
    max: float
    dtype: Any


@pytest.fixture(scope="session")
def library() -> Library:
    """The committed library, compiled."""
    return codegen.load(GENERATED)


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
    """What a run of featherc gave."""

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
    """An empty current directory, and no compiler or colours from outside."""
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
