"""The README's own commands, code and samples."""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import codegen
from codegen import REAL, Arg, Array, Symmetric, Vec3, kernel
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.frontends.dimensions import check_units
from codegen.library import library
from codegen.tree.write import generate
from tests.conftest import GENERATED, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place that looks like a checkout after `make`, with those kernels that the README names."""
    place = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "examples", place / "examples")
    named = set(re.findall(r"\w+", README))
    generate([k for name, k in library().items() if name in named], Options(), place / "generated")
    activate = place / ".venv" / "bin" / "activate"
    activate.parent.mkdir(parents=True)
    activate.write_text("")  # the environment of the tests is active already
    return place


def run(script: str, place: Path) -> str:
    """What a script prints, run as a user would; it must succeed."""
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": scripts + os.pathsep + os.environ["PATH"]}
    done = subprocess.run(
        ["sh", "-e", "-c", script], cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def scripts() -> list[Any]:
    """The shell blocks; those that take long are exhaustive."""
    return [
        pytest.param(
            s,
            marks=pytest.mark.exhaustive
            if re.search("featherc (book|robot)|inertial|verify --model|inspect --compare|f16", s)
            else (),
            id=f"{i}",
        )
        for i, s in enumerate(blocks("sh"))
    ]


@pytest.mark.parametrize("script", scripts())
def test_every_shell_block_runs(script: str, clone: Path) -> None:
    output = run(script, clone)
    assert "FAILED" not in output
    if "hover" in script:
        acceleration = re.search(r"vertical acceleration (\S+) m/s", output)
        assert acceleration
        assert abs(float(acceleration[1])) < 1e-3


def test_the_sample_is_what_is_generated() -> None:
    sample = blocks("c")[0]
    comment, _, code = sample.partition("*/\n")
    assert comment + "*/" in (GENERATED / "fc_rotation_f32.h").read_text()
    assert code in (GENERATED / "fc_rotation_f32.c").read_text()


def test_the_model_is_the_example_and_is_short() -> None:
    model = blocks("python")[0]
    example = (ROOT / "examples" / "mixing.py").read_text()
    assert example.endswith(model)
    assert len(model.split("\n\n\n")[1].splitlines()) <= 20


def test_the_block_is_the_example_and_has_these_functions(clone: Path) -> None:
    assert blocks("python")[2] in (ROOT / "examples" / "controllers.py").read_text()
    run("featherc generate --model examples/controllers.py rate_limiter -p f32 -o limiter", clone)
    header = (clone / "limiter" / "fc_controllers_f32.h").read_text()
    for prototype in re.findall(r"^void.*?;", blocks("c")[1], re.MULTILINE | re.DOTALL):
        assert prototype in header


def mistakes() -> list[tuple[str, str]]:
    """The rows of the table of mistakes: what is written, and the message."""
    table = README[README.index("### The most likely mistakes") : README.index("### Blocks with states")]
    rows = re.findall(r"^\| `(.+?)` \| (.+): .+ \|$", table, re.MULTILINE)
    assert len(rows) >= 10
    return rows


@pytest.mark.parametrize(("written", "message"), mistakes())
def test_a_mistake_has_the_message_in_the_table(written: str, message: str) -> None:
    units = {"x": "m", "y": "m", "t": "s", "angle": "rad"}
    inputs = [Arg(n, REAL, u, "") for n, u in units.items()]
    inputs += [Arg("v", Vec3, "m", ""), Arg("a", Array((3,)), "m", ""), Arg("P", Symmetric(3), "1", "")]
    in_degrees = Arg("alpha", REAL, "deg", ""), Arg("L", REAL, "N", "")

    def lift(alpha: Any) -> Any:
        return 7 * alpha

    called = kernel(inputs=in_degrees[:1], outputs=in_degrees[1:], equation="", source="")(lift)
    known = {name: getattr(codegen, name) for name in codegen.__all__} | {"math": math, "lift": called}

    def formula(x: Any, y: Any, t: Any, angle: Any, v: Any, a: Any, P: Any) -> Any:
        local = {"x": x, "y": y, "t": t, "angle": angle, "v": v, "a": a, "P": P}
        return eval(written, known, local)

    made = kernel(inputs=inputs, outputs=[Arg("z", REAL, "", "")], equation="", source="")(formula)

    def loaded() -> None:
        made.program(True)
        check_units(made)

    with pytest.raises(FeatherError) as error:
        loaded()
    assert message in str(error.value)


def test_the_filter_is_the_example() -> None:
    example = (ROOT / "examples" / "inertial.py").read_text()
    assert blocks("python")[3] in example
    assert "NEES" in (ROOT / "examples" / "flight.c").read_text()


def test_the_python_session_runs(clone: Path) -> None:
    session = blocks("python")[1]
    assert "[-22.  11.  11. -28.  23.  24.]" in run(f"python - <<'END'\n{session}END\n", clone)


def test_the_configuration_is_accepted(clone: Path) -> None:
    (toml,) = blocks("toml")
    (clone / "featherc.toml").write_text(toml)
    run("featherc generate", clone)
    (clone / "featherc.toml").unlink()
    assert (clone / "build/firmware/nav_rotation_f32.c").is_file()
    assert not list((clone / "build/firmware").glob("*_f64*"))


MAP = README[README.index("## Where to change what") :]


def test_the_map_names_every_package() -> None:
    named = set(re.findall(r"`(codegen/[a-z0-9_/.]*)`", MAP))
    modules = [p for p in (ROOT / "codegen").glob("*.py") if p.name != "__init__.py"]
    packages = [p for p in (ROOT / "codegen").iterdir() if (p / "__init__.py").is_file()]
    assert {f"codegen/{p.name}" for p in modules} | {f"codegen/{p.name}/" for p in packages} <= named


@pytest.mark.parametrize("row", [row for row in MAP.splitlines() if row.startswith("| ")])
def test_a_row_of_the_map_names_only_what_is_there(row: str) -> None:
    """A name without a folder is in the folder of the path before it."""
    folder = ROOT / "nowhere"
    for name in re.findall(r"`((?:codegen|templates|tests)/[\w/.*]+|[\w*]+\.(?:py|j2|js|css))`", row):
        if "/" in name:
            path = ROOT / name.replace("SUBJECT", "rotation")
            folder = path if name.endswith("/") else path.parent
            assert path.exists(), name
        else:
            assert list(folder.glob(name)), f"{name} is not in {folder}"
