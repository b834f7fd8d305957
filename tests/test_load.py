"""codegen.load: calls by position and name, batches in C, and compiled trees that are kept."""

from __future__ import annotations

import inspect
import math
import re
from collections import namedtuple
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import codegen
from codegen import REAL, Arg, Array, Matrix, Symmetric, UnitQuaternion, Vec3, bare, kernel, record
from codegen.emit.options import Options
from codegen.library import library
from codegen.tree.write import generate
from codegen.verify import kept, libraries, native
from codegen.verify.libraries import Library

NAMES = (
    "quat_rotate",
    "quat_normalize",
    "quat_integrate",
    "quat_to_xyzw",
    "inertia_from_pseudo",
    "contact_delassus",
)
FORMS = {
    "library": Options(),
    "header-only": Options(layout="header-only"),
    "arrays": Options(interface="array"),
    "no alias": Options(no_alias=True),
}


@pytest.fixture(scope="module", params=FORMS)
def lib(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Library:
    tree = tmp_path_factory.mktemp("tree")
    known = library()
    generate([known[name] for name in NAMES if name in known], FORMS[request.param], tree)
    return codegen.load(tree)


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("name", [n for n in NAMES if n != "contact_delassus"])
def test_a_batch_is_its_calls(lib: Library, name: str, precision: str, rng: np.random.Generator) -> None:
    function = getattr(getattr(lib, precision), name)
    inputs = [rng.standard_normal((5, *a.extents({}))) for a in function.inputs]
    inputs[0][3] = 0  # some of the functions report a failure here
    found = function.batch(*inputs)
    one_by_one = [function(*(x[i] for x in inputs)) for i in range(5)]
    for column, *values in zip(found, *one_by_one, strict=True):
        np.testing.assert_array_equal(column, np.array(values))


def test_one_value_serves_all_calls(lib: Library, rng: np.random.Generator) -> None:
    q, v = rng.standard_normal((4, 4)), rng.standard_normal(3)
    rotate = lib.f64.quat_rotate
    np.testing.assert_array_equal(rotate.batch(q, v).v_A, rotate.batch(q, np.tile(v, (4, 1))).v_A)
    np.testing.assert_array_equal(rotate.batch(v_B=v, q_AB=q).v_A, rotate.batch(q, v).v_A)
    assert rotate.batch(q[:0], v).v_A.shape == (0, 3)
    assert rotate.batch(q[:1], v).v_A.shape == (1, 3)


@pytest.mark.parametrize(
    ("q", "v", "message"),
    [
        (np.zeros(4), np.zeros(3), "one number of rows, not none"),
        (np.zeros((2, 4)), np.zeros((3, 3)), "one number of rows, not q_AB 2, v_B 3"),
        (
            np.zeros((2, 4)),
            np.zeros((2, 2)),
            "v_B takes 3 numbers for each call, not an array of shape (2, 2)",
        ),
        (np.zeros((2, 4)), 1.0, "v_B takes 3 numbers for each call, not an array of shape ()"),
    ],
)
def test_a_batch_of_the_wrong_shape(lib: Library, q: Any, v: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(").replace(")", r"\)")):
        lib.f64.quat_rotate.batch(q, v)


def test_a_function_or_argument_that_is_not_there_is_named(lib: Library) -> None:
    with pytest.raises(
        AttributeError, match=r"no function quat_rotat in this precision: is it quat_rotate\?"
    ):
        _ = lib.f64.quat_rotat
    with pytest.raises(AttributeError, match=r"no function zzz in .*: it has .*quat_rotate"):
        _ = lib.f64.zzz
    with pytest.raises(TypeError, match="quat_rotate_f64 takes 2 arguments: q_AB, v_B, but has no v_C"):
        lib.f64.quat_rotate([0, 1, 0, 0], v_C=[1, 2, 3])


def test_arguments_by_name(lib: Library) -> None:
    rotate = lib.f64.quat_rotate
    q, v = [0, 1, 0, 0], [1, 2, 3]
    assert rotate(v_B=v, q_AB=q).v_A.tolist() == rotate(q, v_B=v).v_A.tolist() == [1, -2, -3]
    assert str(inspect.signature(rotate)) == "(q_AB, v_B)"
    assert "v_B: " in rotate.__doc__
    assert "frame B, vector" in rotate.__doc__
    assert "Requires: q_AB is a unit quaternion." in rotate.__doc__
    for positional, named in (([q], {}), ([q, v], {"x": 1}), ([q, v], {"v_B": v})):
        with pytest.raises(TypeError, match="quat_rotate_f64 takes 2 arguments: q_AB, v_B"):
            rotate(*positional, **named)


@pytest.mark.parametrize("q", [[1j, 0, 0, 0], ["1", "0", "0", "0"], [None, 0, 0, 0], "abcd"])
def test_what_is_no_number(lib: Library, q: Any) -> None:
    for call in (lib.f64.quat_rotate, lib.f64.quat_rotate.batch):
        with pytest.raises(TypeError, match="q_AB takes numbers, not"):
            call(q, np.zeros((1, 3)))


def test_documentation_has_the_ranges_of_the_header(tmp_path: Path) -> None:
    members = [Arg("k", REAL, "1", "", range=(0, 1)), Arg("q_B", Vec3, "m", "", range=(2, 3))]

    @kernel(
        inputs=[
            Arg("alpha", REAL, "rad", "angle", range=(-math.pi, 0.5)),
            Arg("v", Vec3, "m/s", "velocity", "B", range=[(0, 1), (0, 1), (-3.2, 3.2)]),
            Arg("u", Array((2,)), "1", "commands", range=(-1, 1)),
            record("pair", "a pair", members).argument("p", "places"),
        ],
        outputs=[Arg("y", REAL, "m/s", "a result")],
        equation="",
        source="",
    )
    def f(alpha: Any, v: Any, u: Any, p: Any) -> Any:
        """A sum."""
        return v.x * u[0] * p.k * alpha

    generate([f], Options(precisions=("f64",)), tmp_path / "tree")
    said = codegen.load(tmp_path / "tree").f64.f.__doc__
    assert "alpha: double, in rad, -pi to 0.5, angle" in said
    assert "v: fc_vec3_f64, in m/s, x and y 0 to 1, z -3.2 to 3.2, frame B, velocity" in said
    assert "u: double[2], in 1, each -1 to 1, commands" in said
    assert "p: fc_pair_f64, in 1; m, k 0 to 1, q_B.x and q_B.y and q_B.z 2 to 3, places" in said


# --- structures by the names of their members -------------------------------------------------------------

Pose = record(
    "pose",
    "a pose",
    [
        Arg("q_AB", UnitQuaternion, "1", "attitude"),
        Arg("p_A", Vec3, "m", "place"),
        Arg("m", REAL, "kg", "mass"),
        Arg("P", Symmetric(2), "1", "covariance"),
    ],
)


@pytest.fixture(scope="module")
def posed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    @kernel(
        inputs=[Pose.argument("x", "a pose"), Arg("k", REAL, "1", "factor")],
        outputs=[Arg("y", Array((11,)), "mixed", "its scalars")],
        equation="",
        source="",
    )
    def scaled(x: Any, k: Any) -> Any:
        """All scalars of a structure, times a factor."""
        return [k * bare(s) for s in (*x.q_AB.scalars(), *x.p_A.scalars(), x.m, *x.P.scalars())]

    tree = tmp_path_factory.mktemp("posed") / "tree"
    generate([scaled], Options(), tree)
    return codegen.load(tree).f64.scaled


Q = namedtuple("Q", "z y x w")  # in another order than C has
WHOLE = {"P": [9, 10, 11], "m": 8, "p_A": {"x": 5, "y": 6, "z": 7}, "q_AB": Q(4, 3, 2, 1)}


def test_a_structure_is_given_by_the_names_of_its_members(posed: Any) -> None:
    assert posed(WHOLE, 1).y.tolist() == list(range(1, 12))
    assert posed(k=1, x={**WHOLE, "q_AB": np.arange(1, 5)}).y.tolist() == list(range(1, 12))
    assert posed(range(1, 12), 1).y.tolist() == list(range(1, 12))


@kernel(
    inputs=[Arg("A", Matrix(2, 3), "1", "a matrix"), Arg("P", Symmetric(3), "1", "a symmetric one")],
    outputs=[Arg("B", Matrix(3, 2), "1", "its transpose"), Arg("t", REAL, "1", "trace")],
    equation="B = A^T",
    source="a test",
)
def transposed(A: Any, P: Any) -> Any:
    """A transpose and a trace."""
    return A.T, P.trace


@pytest.fixture(scope="module")
def transpose(tmp_path_factory: pytest.TempPathFactory) -> Any:
    place = tmp_path_factory.mktemp("transposed")
    generate([transposed], Options(), place)
    return codegen.load(place).f64.transposed


def test_a_matrix_is_given_in_its_shape_or_as_one_row(transpose: Any) -> None:
    A, P = np.arange(6.0).reshape(2, 3), [1, 0, 0, 2, 0, 3]
    for same in (A, A.ravel(), A.tolist(), A[None]):
        np.testing.assert_array_equal(transpose(same, P).B, A.T)
    np.testing.assert_array_equal(transpose.batch([A, A, A, A], P).B, [A.T] * 4)


@pytest.mark.parametrize(
    ("A", "P", "message"),
    [
        (np.zeros((3, 2)), np.zeros(6), "A takes 2 x 3 numbers, not 3 x 2; flatten them"),
        (np.zeros((2, 3)), np.zeros((2, 3)), "P takes 6 numbers, not 2 x 3"),
        (np.zeros((4, 3, 2)), np.zeros(6), "A takes 2 x 3 numbers, not 3 x 2"),
        (np.zeros((4, 2, 3)), np.zeros((4, 3, 2)), "P takes 6 numbers, not 3 x 2"),
    ],
    ids=str,
)
def test_numbers_in_another_order_are_refused(transpose: Any, A: Any, P: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        (transpose.batch if A.ndim > 2 else transpose)(A, P)


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Any:
    @kernel(
        inputs=[Pose.argument("x", "a pose"), Arg("k", REAL, "1", "factor")],
        outputs=[Pose.argument("y", "the pose with another mass")],
        equation="",
        source="",
    )
    def heavier(x: Any, k: Any) -> Any:
        """A pose with another mass."""
        return Pose(x.q_AB, x.p_A, k * x.m, x.P)  # type: ignore[call-arg]

    tree = tmp_path_factory.mktemp("moved") / "tree"
    generate([heavier], Options(), tree)
    return codegen.load(tree).f64.heavier


def test_members_of_a_result_have_names(moved: Any) -> None:
    """Also in the rows of a batch; the result is an array still, which the next call takes."""
    y = moved(WHOLE, 2).y
    assert y.tolist() == [1, 2, 3, 4, 5, 6, 7, 16, 9, 10, 11]
    assert y["p_A"].tolist() == [5, 6, 7]
    assert (y["p_A"]["y"], y["m"], y["q_AB"]["w"]) == (6, 16, 1)
    assert moved(y, 2).y["m"] == 32
    many = moved.batch({**WHOLE, "m": [8, 80]}, 2).y
    assert many["m"].tolist() == [16, 160]
    assert many["p_A"]["y"].tolist() == [6, 6]
    assert many[1]["m"] == 160
    assert (y + many)["m"].tolist() == [32, 176]


def test_scalars_in_another_order_have_no_names(moved: Any) -> None:
    y = moved(WHOLE, 2).y
    many = moved.batch({**WHOLE, "m": list(range(11))}, 2).y
    for made in (y[::-1], y[np.argsort(-y)], np.eye(11)[::-1] @ y, many.T, np.sort(many), many[:, ::-1]):
        with pytest.raises(KeyError, match="the members are none"):
            made["m"]
    assert many[np.arange(11) > 8]["m"].tolist() == [18, 20]
    assert many[[0, 10]]["m"].tolist() == [0, 20]


def test_what_is_no_member_of_a_result_is_named(moved: Any) -> None:
    y = moved(WHOLE, 2).y
    with pytest.raises(KeyError, match="'p' is not a member; the members are q_AB, p_A, m, P"):
        y["p"]
    with pytest.raises(KeyError, match="the members are none"):
        y[:4]["p_A"]


def test_a_member_has_rows_in_a_batch(posed: Any) -> None:
    found = posed.batch({**WHOLE, "m": [8, 80], "p_A": {"x": [5, 50], "y": 6, "z": 7}}, 1).y
    assert found.tolist() == [list(range(1, 12)), [1, 2, 3, 4, 50, 6, 7, 80, 9, 10, 11]]


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"mass": 8}, TypeError, "scaled_f64: x has the members q_AB, p_A, m, P, not P, m, p_A, q_AB, mass"),
        ({"m": [8, 8]}, ValueError, "scaled_f64: x takes 11 numbers, not 22"),
        ({"P": [9, 10]}, ValueError, "scaled_f64: x.P takes 3 numbers, not 2"),
        ({"m": "heavy"}, TypeError, "scaled_f64: x.m takes numbers, not 'heavy'"),
        ({"p_A": {"x": 5}}, TypeError, "scaled_f64: x.p_A has the members x, y, z, not x"),
        ({"m": [8, 8], "P": np.ones((3, 3))}, ValueError, "x has members with different numbers of rows"),
    ],
)
def test_members_that_do_not_fit_are_named(posed: Any, changed: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        posed({**WHOLE, **changed}, 1)


def test_a_routine_has_no_batches(library: Library) -> None:
    with pytest.raises(TypeError, match="call it once for each problem"):
        library.f64.contact_residual.batch()
    assert "lambda_" in inspect.signature(library.f64.contact_residual).parameters


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    generate([library()["quat_conjugate"]], Options(), tmp_path / "tree")
    return tmp_path / "tree"


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that were compiled."""
    made: list[Path] = []

    def build(directory: Path, manifest: Mapping[str, Any], target: Path, more: str) -> Path:
        made.append(target)
        return original(directory, manifest, target, more=more)

    original = native.build
    monkeypatch.setattr(libraries, "build", build)
    return made


def test_a_tree_is_compiled_once(tree: Path, compilations: list[Path]) -> None:
    assert codegen.load(tree).f64.quat_conjugate([1, 2, 3, 4]).q_conj.tolist() == [1, -2, -3, -4]
    codegen.load(tree)
    assert len(compilations) == 1


def test_a_changed_tree_is_compiled_again(tree: Path, compilations: list[Path]) -> None:
    codegen.load(tree)
    source = tree / "fc_rotation_f64.c"
    changed = source.read_text().replace("= -q_x", "= q_x")
    assert changed != source.read_text()
    source.write_text(changed)
    assert codegen.load(tree).f64.quat_conjugate([1, 2, 3, 4]).q_conj.tolist() == [1, 2, -3, -4]
    assert len(compilations) == 2


def test_a_damaged_file_is_compiled_again(tree: Path, compilations: list[Path], tmp_path: Path) -> None:
    place = tmp_path / "cache" / "featherc"
    place.mkdir(mode=0o700, parents=True)
    (place / f"{kept._digest(tree)}{kept._SUFFIX}").write_bytes(b"no library")
    codegen.load(tree)
    assert len(compilations) == 1
    codegen.load(tree)
    assert len(compilations) == 1


def test_what_others_may_write_to_is_not_used(tree: Path, compilations: list[Path], tmp_path: Path) -> None:
    place = tmp_path / "cache" / "featherc"
    place.mkdir(parents=True)
    place.chmod(0o777)
    for _ in range(2):
        codegen.load(tree)
    assert len(compilations) == 2
    assert not list(place.iterdir())


def test_the_oldest_are_forgotten(tree: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kept, "_MOST", 1)
    codegen.load(tree)
    (first,) = (tmp_path / "cache" / "featherc").iterdir()
    (tree / "fc_rotation_f64.c").write_text((tree / "fc_rotation_f64.c").read_text() + "\n")
    codegen.load(tree)
    (second,) = (tmp_path / "cache" / "featherc").iterdir()
    assert first != second
