"""--no-alias: outputs overlap no inputs, pointers are restrict, and results are stored as they come."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from codegen.emit.body import Load, Store, spun
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.systems import F32
from codegen.ir.types import REAL
from codegen.library import library
from codegen.library.routines import routines
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.modeling.types.matrix_types import Vector
from codegen.modeling.types.scalar import cos, sin, sqrt
from codegen.review.diff.changes import ChangeClass
from codegen.review.diff.compare import compare_trees
from codegen.tree.assemble import render_tree
from codegen.tree.write import generate
from codegen.verify.native import STRICT, compilers
from tests.conftest import Featherc, tool
from tests.test_body import EARLY, LATE, MIDDLE, A, B, C, T, U

NAMES = ("quat_multiply", "rpy_kinematics", "articulated_transform", "contact_apply")
CHOSEN: list[Kernel | Routine] = [*(library()[name] for name in NAMES), routines()["contact_velocity_update"]]


@pytest.fixture(scope="module", params=["struct", "array"])
def tree(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Functions of few and of many inputs, and a routine that updates in place."""
    interface: str = request.param
    place = tmp_path_factory.mktemp("apart") / interface
    generate(CHOSEN, Options(prefix="nav_", no_alias=True, interface=interface), place)
    return place


def test_it_compiles_and_passes_its_own_test(tree: Path, tmp_path: Path) -> None:
    sources = [str(path) for path in sorted(tree.glob("*.c"))]
    program = tmp_path / "selftest"
    options = ["-O2", "-Dnav_SELFTEST_MAIN", "-DNAV_SELFTEST_MAIN", f"-I{tree}", "-o", str(program)]
    for compiler in compilers():
        subprocess.run([compiler, *STRICT, *options, *sources, "-lm"], check=True)
        subprocess.run([str(program)], check=True)


def test_cxx_reads_its_headers(tree: Path, tmp_path: Path) -> None:
    """In C++, which has no restrict."""
    (tmp_path / "main.cpp").write_text('#include "nav.h"\nint main() { return 0; }\n')
    flags = ["-Wall", "-Wextra", "-Werror", "-pedantic-errors", f"-I{tree}", "-fsyntax-only"]
    subprocess.run([tool("g++"), *flags, str(tmp_path / "main.cpp")], check=True)


def test_it_is_recorded_and_honoured(tree: Path, featherc: Featherc) -> None:
    assert json.loads((tree / "manifest.json").read_text())["no_alias"] is True
    assert featherc("check", str(tree)).code == 0


@pytest.mark.exhaustive
def test_it_verifies(tree: Path, featherc: Featherc) -> None:
    assert featherc("verify", str(tree)).code == 0


def test_headers_say_so(tree: Path) -> None:
    for header in tree.glob("nav_*_f32.h"):
        text = header.read_text()
        kernels = text.count(" * Cost:") - text.count("Calls:")
        assert text.count("@pre Outputs must not overlap inputs.") == kernels
    for name in ("nav.h", "nav_types.h"):
        text = " ".join((tree / name).read_text().replace("\n *", " ").split())
        assert "Outputs must overlap neither inputs nor each other" in text
        assert "the same object as an input" not in text


def test_the_contract_is_one_of_the_interface() -> None:
    kernels = [library()[name] for name in NAMES]
    either, apart = (render_tree(kernels, Options(precisions=("f32",), no_alias=x)) for x in (False, True))
    for old, new in ((either, apart), (apart, either)):
        assert {c.kind for c in compare_trees(old, new)} == {ChangeClass.INTERFACE}
    same = {
        name: text.replace("@pre Outputs must not", "@pre Outputs do not") for name, text in apart.items()
    }
    assert {c.kind for c in compare_trees(apart, same)} == {ChangeClass.CONTRACT}


def test_another_meaning_of_the_macro_is_not_read() -> None:
    tree = render_tree([library()["quat_multiply"]], Options(precisions=("f32",), no_alias=True))
    types = tree["fc_types.h"].replace("#define FC_RESTRICT restrict", "#define FC_RESTRICT const")
    found = compare_trees(tree, {**tree, "fc_types.h": types})
    assert {c.kind for c in found} == {ChangeClass.UNREADABLE}


def test_results_are_stored_as_they_come() -> None:
    assert spun([A, B, T, C, U], [LATE, MIDDLE, EARLY], [5, 3, 1]) == ((A, EARLY, B, T, MIDDLE, C, U, LATE),)
    options = Options(no_alias=True)
    body = function(library()["articulated_transform"], F32, options).body
    kinds = [type(s) for s in body.statements]
    assert kinds.index(Store) < max(i for i, kind in enumerate(kinds) if kind is Load)


@pytest.mark.parametrize(
    ("name", "interface", "apart"),
    [
        ("articulated_multiply", "struct", True),  # a motion to a force
        ("articulated_multiply", "array", False),  # six numbers to six numbers
        ("articulated_to_matrix", "array", False),  # an array may be a part of another
        ("contact_jacobian", "struct", False),  # a wrench has vectors
        ("rigid_body_dynamics_quat_jacobian", "struct", True),
        ("articulated_transform", "struct", False),
    ],
)
def test_results_that_no_input_can_hold_are_stored_as_they_come(
    name: str, interface: str, apart: bool
) -> None:
    body = function(library()[name], F32, Options(interface=interface)).body
    kinds = [type(s) for s in body.statements]
    assert (kinds.index(Store) < max(i for i, kind in enumerate(kinds) if kind is Load)) is apart


def test_the_configuration_has_it(
    tmp_path: Path, featherc: Featherc, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("featherc.toml").write_text(
        '[generate]\noutput = "c"\nkernels = ["quat_multiply"]\nno-alias = true\n', encoding="utf-8"
    )
    assert featherc("generate").code == 0
    assert "RESTRICT" in Path("c/fc_rotation_f32.h").read_text()
    assert featherc("check").code == 0
    assert featherc("generate", "--alias").code == 0
    assert "RESTRICT" not in Path("c/fc_rotation_f32.h").read_text()


@pytest.mark.parametrize("apart", [True, False])
def test_what_no_call_needs_is_read_after_the_calls(apart: bool) -> None:
    """A value that is read before a call of libm must be kept during it."""
    X = Vector(2)
    given, made = [Arg("a", REAL, "rad", "angle"), Arg("x", X, "m", "position")], [Arg("y", X, "m", "turned")]
    turned = kernel(inputs=given, outputs=made, equation="", source="", name="turned")(
        lambda a, x: [cos(a) * x[0] - sin(a) * x[1], sin(a) * x[0] + cos(a) * x[1]]
    )
    body = function(turned, F32, Options(no_alias=apart)).body
    kinds = [[type(s).__name__ for s in group] for group in body.groups]
    calls, loads, stores = (["Statement"] * 2, ["Load"] * 2, ["Store"] * 2)
    assert kinds == ([calls, loads, stores] if apart else [loads, calls, stores])


@pytest.mark.parametrize("apart", [True, False], ids=["apart", "aliased"])
def test_a_square_root_is_a_call(apart: bool) -> None:
    """It is called to set errno; what is used only after it is read after its statement."""
    given = [Arg("a", REAL, "", "first"), Arg("x", Vector(2), "", "second")]
    scaled = kernel(
        inputs=given, outputs=[Arg("y", Vector(2), "", "scaled")], equation="", source="", name="scaled"
    )(lambda a, x: [x[0] / (2 * sqrt(a)), x[1] / (2 * sqrt(a))])
    body = function(scaled, F32, Options(no_alias=apart, checks=False)).body
    kinds = [[type(s).__name__ for s in group] for group in body.groups]
    call, loads, stores = ["Statement"], ["Load"] * 2, ["Store"] * 2
    assert kinds == ([call, loads, stores] if apart else [loads, call, stores])
