"""What functions ask of gcc does what it says: gcc's own option makes the same code."""

import subprocess
from pathlib import Path

import pytest

from codegen.emit.gcc import definition
from codegen.emit.options import Options
from codegen.ir.systems import F32, F64, Precision
from codegen.library import library
from codegen.tree.assemble import render_tree
from tests.conftest import GENERATED

STRICT = ["gcc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{GENERATED}"]
HOST = subprocess.run(["gcc", "-dumpmachine"], capture_output=True, text=True, check=True).stdout
IS_ASKED = HOST.startswith("x86_64")
WITH_AVX = ["-O3 -mavx2 -mfma"] if IS_ASKED else []


def assembly(text: str, options: str, place: Path) -> list[str]:
    """What gcc makes of a file of the library."""
    source = place / "unit.c"
    source.write_text(text)
    command = [*STRICT, *options.split(), "-S", "-o-", str(source)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [line for line in printed.splitlines() if ".file" not in line]


@pytest.mark.parametrize("level", ["-O2", "-O3 -ffast-math", "-Os", *WITH_AVX])
@pytest.mark.parametrize("precision", [F32, F64], ids=lambda p: p.name)
def test_scalars_stay_scalars(precision: Precision, level: str, tmp_path: Path) -> None:
    """On x86-64; elsewhere nothing changes."""
    asking = (GENERATED / f"fc_spatial_{precision.name}.c").read_text()
    block = "\n".join(definition("FC_SCALAR", precision))
    assert asking.count(block) == 1
    assert asking.count("\nFC_SCALAR\nvoid ") == 2
    plain = asking.replace(block, "#define FC_SCALAR")
    asked = IS_ASKED and (precision is F32 or level in WITH_AVX)
    option = " -fno-tree-slp-vectorize" if asked else ""
    found = assembly(asking, level, tmp_path)
    assert found == assembly(plain, level + option, tmp_path)
    if level in WITH_AVX:
        assert found != assembly(plain, level, tmp_path)


@pytest.mark.parametrize("layout", ["library", "header-only"])
def test_a_header_asks_nothing_of_those_who_include_it(layout: str) -> None:
    tree = render_tree([library()["motion_cross"]], Options(layout=layout))
    headers = [text for path, text in tree.items() if path.endswith(".h")]
    assert "motion_cross" in "".join(headers)
    assert "SCALAR" not in "".join(headers)


def test_functions_that_move_and_scale_what_lies_side_by_side_do_not_ask() -> None:
    text = "".join((GENERATED / f"fc_{module}_f32.c").read_text() for module in ("inertia", "articulated"))
    moving = [
        "inertia_add",
        "inertia_scale",
        "inertia_from_array",
        "articulated_add",
        "inertia_kinetic_energy",
    ]
    computing = ["inertia_multiply", "inertia_transform", "articulated_transform"]
    asking = [name for name in (*moving, *computing) if f"\nFC_SCALAR\nvoid fc_{name}_f32(" in text]
    assert [name for name in moving if f"\n\nvoid fc_{name}_f32(" in text] == moving
    assert asking == computing
