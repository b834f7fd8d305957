"""Packaging: the wheel generates outside the checkout, and CMake projects include generated trees."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from codegen.emit.options import Options
from codegen.library import library
from codegen.tree.write import generate
from tests.conftest import GENERATED, ROOT, sampled, tool

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


def run(command: Sequence[str | Path], place: Path) -> str:
    """The output of a command, which must succeed without a checkout or settings in its environment."""
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "CC", "CFLAGS", "LDFLAGS")}
    done = subprocess.run(
        [str(word) for word in command], cwd=place, env=clean, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# the wheel


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    place = tmp_path_factory.mktemp("wheel")
    here = importlib.util.find_spec("hatchling") is not None  # otherwise pip fetches it
    options = ["--no-deps", *(["--no-build-isolation"] if here else [])]
    run([*PIP, "wheel", "--quiet", *options, ROOT], place)
    (built,) = place.glob("featherc-*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of a fresh environment with the wheel; dependencies are taken from where the tests run."""
    place = tmp_path_factory.mktemp("installed")
    venv.create(place, symlinks=True)
    python = place / "bin" / "python"
    run([*PIP, "--python", python, "install", "--quiet", "--no-deps", wheel], place)
    (packages,) = place.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text("\n".join(p for p in sys.path if p.endswith("site-packages")))
    return place / "bin"


def test_the_wheel_holds_the_package_and_its_templates(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    templates = {f"codegen/{p.relative_to(ROOT)}" for p in (ROOT / "templates").rglob("*") if p.is_file()}
    modules = {str(p.relative_to(ROOT)) for p in (ROOT / "codegen").rglob("*.py")}
    assert {n for n in names if ".dist-info/" not in n} == templates | modules | {"codegen/py.typed"}
    assert any(n.endswith(".dist-info/licenses/LICENSE") for n in names)


def test_the_installed_package_is_the_wheels(installed: Path, tmp_path: Path) -> None:
    found = run([installed / "python", "-c", "import codegen; print(codegen.__file__)"], tmp_path)
    assert Path(found.strip()).is_relative_to(installed.parent)


@pytest.mark.parametrize("modules", sampled([["transform"], []], every=2), ids=["transform", "library"])
def test_the_installed_wheel_generates_what_is_committed(
    modules: list[str], installed: Path, tmp_path: Path
) -> None:
    names = [k.name for k in library().values() if k.module in modules]
    run([installed / "featherc", "generate", *names, "-o", "c"], tmp_path)
    fresh = {p.name: p.read_bytes() for p in (tmp_path / "c").iterdir()}
    of_modules = {f"fc_{module}_{p}.c" for module in modules for p in ("f64", "f32")}
    committed = {p.name: p.read_bytes() for p in GENERATED.iterdir()}
    assert of_modules <= fresh.keys()
    compared = of_modules or committed.keys() | fresh.keys()
    assert {n: fresh.get(n) for n in compared} == {n: committed.get(n) for n in compared}


def test_the_installed_wheel_takes_a_model_and_verifies_it(installed: Path, tmp_path: Path) -> None:
    for name in ("mixing.py", "f16.toml"):
        shutil.copy(ROOT / "examples" / name, tmp_path)
    run([installed / "featherc", "generate", "-m", "mixing.py", "-o", "c"], tmp_path)
    table = run([installed / "python", "-m", "codegen", "verify", "c", "-m", "mixing.py"], tmp_path)
    rows = [line for line in table.splitlines() if line.startswith("fc_")]
    assert rows
    assert all(" ok " in row for row in rows)


def test_the_installed_command_knows_its_version(installed: Path, wheel: Path, tmp_path: Path) -> None:
    version = run([installed / "featherc", "--version"], tmp_path).split()[-1]
    assert wheel.name == f"featherc-{version}-py3-none-any.whl"


# CMake

MAIN = """
#include <fc.h>
#include <stdio.h>
int main(void)
{
    const fc_quat_f64 q = {0.6, 0.0, 0.0, 0.8};
    const fc_vec3_f64 v = {1.0, 2.0, 3.0};
    fc_vec3_f64 r;
    fc_quat_rotate_f64(&q, &v, &r);
    printf("%.3f %.3f %.3f\\n", r.x, r.y, r.z);
    return 0;
}
"""
ANSWER = "-2.200 0.400 3.000\n"

HEAD = "cmake_minimum_required(VERSION 3.14)\nproject(flight LANGUAGES C)\n"
TAIL = "add_executable(flight main.c)\ntarget_link_libraries(flight PRIVATE fc::fc)\n"
WAYS = {
    "add_subdirectory": "add_subdirectory({tree} fc)",
    "FetchContent of a directory": "include(FetchContent)\n"
    "FetchContent_Declare(fc SOURCE_DIR {tree})\nFetchContent_MakeAvailable(fc)",
    "FetchContent of an archive": "include(FetchContent)\n"
    "FetchContent_Declare(fc URL {tree}.tar.gz)\nFetchContent_MakeAvailable(fc)",
    "find_package": "find_package(fc 1.0 CONFIG REQUIRED)",
}


@pytest.fixture(scope="session", params=["library", "header-only"])
def tree(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small tree of each layout, its archive beside it, and an installation of it."""
    place = tmp_path_factory.mktemp(request.param)
    kernels = [library()[name] for name in ("quat_rotate", "rpy_from_dcm", "motion_cross")]
    generate(kernels, Options(layout=request.param, precisions=("f64",)), place / "c")
    with tarfile.open(place / "c.tar.gz", "w:gz") as archive:
        archive.add(place / "c", "fc-1.0")
    cmake(place / "c", place / "build", "-Dfc_SELFTEST=ON", f"-DCMAKE_INSTALL_PREFIX={place / 'prefix'}")
    run([tool("cmake"), "--install", place / "build"], place)
    return place / "c"


def cmake(source: Path, build: Path, *options: str) -> None:
    """Configure and build with warnings as errors."""
    flags = [f"-DCMAKE_{language}_FLAGS=-Wall -Wextra -Werror" for language in ("C", "CXX")]
    quiet = "-DCMAKE_WARN_UNUSED_CLI=OFF"
    run([tool("cmake"), "-S", source, "-B", build, *flags, quiet, *options], source)
    run([tool("cmake"), "--build", build, "--parallel", "2"], source)


@pytest.mark.parametrize("way", sampled(WAYS, every=4))
def test_a_cmake_project_takes_the_library_in(way: str, tree: Path, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(f"{HEAD}{WAYS[way].format(tree=tree)}\n{TAIL}")
    (tmp_path / "main.c").write_text(MAIN)
    cmake(tmp_path, tmp_path / "build", f"-DCMAKE_PREFIX_PATH={tree.parent / 'prefix'}")
    assert run([tmp_path / "build" / "flight"], tmp_path) == ANSWER


def test_a_directory_may_stand_in_for_what_is_fetched(tree: Path, tmp_path: Path) -> None:
    """FETCHCONTENT_SOURCE_DIR_FC, for work without a network."""
    fetch = "include(FetchContent)\nFetchContent_Declare(fc GIT_REPOSITORY https://invalid.invalid/fc.git)\n"
    (tmp_path / "CMakeLists.txt").write_text(f"{HEAD}{fetch}FetchContent_MakeAvailable(fc)\n{TAIL}")
    (tmp_path / "main.c").write_text(MAIN)
    cmake(tmp_path, tmp_path / "build", f"-DFETCHCONTENT_SOURCE_DIR_FC={tree}")
    assert run([tmp_path / "build" / "flight"], tmp_path) == ANSWER


@pytest.mark.parametrize("chosen", ["ON", "OFF"])
def test_scalar_stores_are_an_option_of_the_target(chosen: str, tmp_path: Path) -> None:
    """For gcc on x86-64; nothing in the C asks for it."""
    generate([library()["motion_cross"]], Options(prefix="nav_", precisions=("f32",)), tmp_path / "c")
    options = ["-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", f"-Dnav_SCALAR_STORES={chosen}"]
    run([tool("cmake"), "-S", tmp_path / "c", "-B", tmp_path / "build", *options], tmp_path)
    commands = (tmp_path / "build" / "compile_commands.json").read_text()
    system = (tmp_path / "build" / "CMakeCache.txt").read_text()
    gcc_on_x86 = platform.machine() == "x86_64" and "gcc" in system.partition("CMAKE_C_COMPILER_AR")[2]
    assert ("-fno-tree-slp-vectorize" in commands) == (chosen == "ON" and gcc_on_x86)
    assert not any("__attribute__" in path.read_text() for path in (tmp_path / "c").iterdir())


def test_the_selftest_is_a_ctest(tree: Path) -> None:
    listing = run([tool("ctest"), "--test-dir", tree.parent / "build"], tree)
    assert "100% tests passed, 0 tests failed out of 1" in listing


def test_an_installation_is_whole(tree: Path) -> None:
    """Every header, the package files, and the archive where there is anything to archive."""
    prefix = tree.parent / "prefix"
    files = {p.name for p in prefix.rglob("*") if p.is_file()}
    assert {p.name for p in tree.glob("*.h")} <= files
    assert {"fcConfig.cmake", "fcConfigVersion.cmake"} <= files
    assert ("libfc.a" in files) == bool(list(tree.glob("fc*.c")))
    assert not list(prefix.rglob("selftest*"))


def test_an_installation_serves_cxx(tree: Path, tmp_path: Path) -> None:
    head, tail = HEAD.replace("LANGUAGES C", "LANGUAGES CXX"), TAIL.replace("main.c", "main.cpp")
    (tmp_path / "CMakeLists.txt").write_text(f"{head}find_package(fc REQUIRED)\n{tail}")
    (tmp_path / "main.cpp").write_text(MAIN)
    cmake(tmp_path, tmp_path / "build", f"-DCMAKE_PREFIX_PATH={tree.parent / 'prefix'}")
    assert run([tmp_path / "build" / "flight"], tmp_path) == ANSWER


def test_two_libraries_live_in_one_project(tmp_path: Path) -> None:
    """Under two prefixes, as two parts of one firmware may bring them."""
    for prefix in ("fc_", "nav"):
        options = Options(prefix=prefix, precisions=("f64",))
        generate([library()["quat_rotate"]], options, tmp_path / prefix)
    both = "add_subdirectory(fc_)\nadd_subdirectory(nav)\n"
    (tmp_path / "CMakeLists.txt").write_text(f"{HEAD}{both}{TAIL.replace('fc::fc', 'fc::fc nav::nav')}")
    (tmp_path / "main.c").write_text(f"#include <nav.h>\n{MAIN}")
    cmake(tmp_path, tmp_path / "build", "-Dfc_SELFTEST=ON", "-Dnav_SELFTEST=ON")
    assert run([tmp_path / "build" / "flight"], tmp_path) == ANSWER
