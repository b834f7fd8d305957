"""The page `examples/README.md`: its files and commands, the names it lists, and its mistakes."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import codegen
from codegen.__main__ import run
from codegen.emit.options import Options
from codegen.loading.python_file import load_model
from codegen.proof.proof import prove
from codegen.tree.write import generate
from tests.conftest import ROOT, sampled

PAGE = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def ran(command: list[str], place: Path) -> str:
    """What a command prints; it must succeed."""
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": scripts + os.pathsep + os.environ["PATH"]}
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def written(place: Path) -> Path:
    """A directory with the files of the page."""
    for _, name, text in BLOCKS:
        if name:
            (place / name).write_text(text)
    return place


@pytest.mark.parametrize("script", sampled([text for language, _, text in BLOCKS if language == "sh"], 5))
def test_every_command_works(script: str, tmp_path: Path) -> None:
    assert "FAILED" not in ran(["sh", "-e", "-c", script], written(tmp_path))


def test_every_file_is_a_model_with_equations_that_hold(tmp_path: Path) -> None:
    written(tmp_path)
    kernels = [k for _, name, _ in BLOCKS if name for k in load_model(tmp_path / name).values()]
    assert len(kernels) >= 12
    assert not [k.name for k in kernels if prove(k).status.startswith("failed")]


def test_the_first_model_is_called_from_python(tmp_path: Path) -> None:
    generate(
        list(load_model(written(tmp_path) / "pendulum.py").values()), Options(), tmp_path / "build/pendulum"
    )
    (code,) = [text for language, name, text in BLOCKS if language == "python" and not name]
    printed = ran([sys.executable, "-c", code], tmp_path)
    assert float(printed) == pytest.approx(-9.80665 * math.sin(0.1) / 2)


def test_every_public_name_is_listed() -> None:
    listed = set(re.findall(r"`(\w+)`", PAGE[PAGE.index("## What there is") : PAGE.index("## When verify")]))
    assert set(codegen.__all__) <= listed
    assert all(hasattr(codegen, name) for name in listed)


DECORATED = '@kernel(inputs=[X], outputs=[Y], equation="", source="")\n'
HEAD = 'from codegen import REAL, Arg, kernel\nX, Y = Arg("x", REAL, "m", "x"), Arg("y", REAL, "m", "y")\n'
MISTAKES = [
    DECORATED.replace("[X]", '[X, Arg("a", REAL, "m", "a")]') + "def f(a, x):\n    return a - x\n",
    DECORATED + "def f(x):\n    return x * x\n",
    DECORATED.replace("[X]", '[Arg("x", REAL, "meter", "x")]') + "def f(x):\n    return x\n",
    DECORATED + "def f(x):\n    return x, x\n",
    DECORATED + "def f(x):\n    y = 2 * x\n",
    "def f(x):\n    return x\n",
    f"{DECORATED}def f(x):\n    return x\n\n\n{DECORATED}def f(x):\n    return 2 * x\n",
    DECORATED + "def exp(x):\n    return x\n",
    DECORATED.replace("[X]", '[Arg("x", REAL, "m", "x", range=(2, 1))]') + "def f(x):\n    return x\n",
    DECORATED + "def f(x):\n    for i in range(x):\n        x = x + i\n    return x\n",
]
TABLE = "from codegen import AT_RUN_TIME, Axis, Table\n"
TABLE += 'C_m = Table("C_m", {"x": Axis([0, 1], "m")}, AT_RUN_TIME, '
MISTAKES += [
    f'{TABLE}unit="m")\n{DECORATED}def f(x):\n    return C_m(x)\n',
    DECORATED.replace("[X]", '[Arg("x", REAL, "m", "x", optional=True)]') + "def f(x):\n    return x\n",
    TABLE.replace('{"x": Axis([0, 1], "m")}', '{a: Axis(range(40), "m") for a in "xz"}') + 'unit="m")\n',
]
VECTORS = (
    "from codegen import Vec3\nV, F = (Arg(n, Vec3, '1', '', frame) for n, frame in (('v', ''), ('F', '')))\n"
)
MISTAKES += [
    f'{VECTORS}@kernel(inputs=[V], outputs=[F], equation="F = v v", source="")\ndef f(v):\n    return v\n',
    VECTORS.replace("'v', ''", "'v_N', 'N'").replace("'F', ''", "'w_B', 'B'")
    + '@kernel(inputs=[V, F], outputs=[Arg("y", Vec3, "1", "")], equation="", source="")\n'
    "def f(v_N, w_B):\n    return v_N + w_B\n",
]
MESSAGES = re.findall(r"^\| .+ \| (.+) \|$", PAGE[PAGE.index("| in the file") :], re.MULTILINE)[1:]


@pytest.mark.parametrize(("written", "message"), list(zip(MISTAKES, MESSAGES, strict=True)))
def test_a_mistake_has_the_message_of_the_page(
    written: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(HEAD + written)
    assert run(["generate", "--model", str(tmp_path / "mine.py"), "-o", str(tmp_path / "c")]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert len(said.splitlines()) == 1
