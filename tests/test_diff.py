"""What the comparison of two trees says: each class, its reasons and witnesses, and hostile trees."""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from codegen import POSITIVE, REAL, Arg, State, UnitQuaternion, Vec3, block
from codegen.emit.options import Options
from codegen.library import library
from codegen.library.rotation.kernels import quat_rotate_inverse
from codegen.library.routines import routines
from codegen.review.diff import Change, ChangeClass, compare_trees
from codegen.review.diff.compare import both, compare_functions, compare_surroundings
from codegen.review.diff.functions.reader import read
from codegen.review.diff.numbers.equality import compare_readings
from codegen.review.diff.text.lexing import LARGEST, Token, lines_of_tokens
from codegen.review.diff.text.source import read_source
from codegen.tree.assemble import render_tree
from codegen.tree.write import generate
from codegen.verify.native import PLAIN, compilers
from tests.conftest import GENERATED, sampled
from tests.work import at_most

KERNELS = [
    "quat_multiply", "quat_normalize", "quat_to_dcm_unit", "rpy_kinematics", "transform_inverse",
]  # fmt: skip

Tree = dict[str, str | bytes]


def read_tree(directory: Path) -> dict[str, str]:
    return {p.name: p.read_text(encoding="utf-8") for p in directory.iterdir() if p.is_file()}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    directory = tmp_path_factory.mktemp("tree")
    generate([*(library()[n] for n in KERNELS), routines()["contact_residual"]], Options(), directory)
    return read_tree(directory)


def changed(tree: dict[str, str], path: str, *edits: tuple[str, str]) -> Tree:
    text = tree[path]
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return {**tree, path: text}


def only(old: Tree | dict[str, str], new: Tree | dict[str, str]) -> Change:
    """The one function that is not identical."""
    found = [c for c in compare_trees(old, new) if c.kind is not ChangeClass.IDENTICAL]
    assert len(found) == 1, found
    return found[0]


ROTATION = "fc_rotation_f32.c"


def test_identical(tree: dict[str, str]) -> None:
    found = compare_trees(tree, dict(tree))
    assert {c.kind for c in found} == {ChangeClass.IDENTICAL}
    names = {c.symbol for c in found}
    assert {f"fc_{n}_{p}" for n in (*KERNELS, "contact_residual") for p in ("f32", "f64")} <= names
    assert [(c.path, c.line) for c in found] == sorted((c.path, c.line) for c in found)


def test_a_file_that_both_trees_have_is_read_once(
    tree: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read_ones = list[str]()

    def lines(path: str, text: str) -> list[list[Token]]:
        read_ones.append(path)
        return lines_of_tokens(path, text)

    monkeypatch.setattr("codegen.review.diff.text.source.lines_of_tokens", lines)
    both(tree, changed(tree, ROTATION, ("const float cos_theta", "const  float cos_theta")))
    assert sorted(read_ones) == sorted(
        [*(p for p in tree if p.endswith((".c", ".h")) and "self" not in p), ROTATION]
    )


def test_cosmetic(tree: dict[str, str]) -> None:
    comment = changed(tree, ROTATION, ("const float cos_theta", "/* off lock */ const float cos_theta"))
    change = only(tree, comment)
    assert (change.kind, change.symbol) == (ChangeClass.COSMETIC, "fc_rpy_kinematics_f32")
    assert change.old_cost is None, "the same code is not parsed"
    documented = changed(tree, "fc_rotation_f32.h", ("Rates of roll", "The rates of roll"))
    assert only(tree, documented).kind is ChangeClass.COSMETIC


def test_reassociated(tree: dict[str, str]) -> None:
    new = changed(
        tree, ROTATION, ("cos_phi * w_B_y - sin_phi * w_B_z", "-(sin_phi * w_B_z - cos_phi * w_B_y)")
    )
    change = only(tree, new)
    assert change.kind is ChangeClass.REASSOCIATED
    assert "constraint set of rpy_kinematics" in change.detail
    assert change.witness is not None
    assert change.new_cost is not None
    assert change.new_cost.neg == 1


def test_mathematics_of_the_constraint_set(tree: dict[str, str]) -> None:
    """Equal for unit quaternions only: what the kernel's argument is, but not what callers may pass."""
    path = "fc_rotation_f64.c"
    old = re.search(r"R_AB->m\[8\] = .*", tree[path])[0]  # type: ignore[index]
    new = "R_AB->m[8] = q_AB_w * q_AB_w + q_AB_z * q_AB_z - q_AB_x * q_AB_x - q_AB_y * q_AB_y;"
    change = only(tree, changed(tree, path, (old, new)))
    assert change.kind is ChangeClass.GUARDS
    assert change.detail.startswith(
        "equal on the constraint set of quat_to_dcm_unit; elsewhere R_AB->m[8] is "
    )


def test_mathematics_of_the_types_that_a_model_states(tree: dict[str, str]) -> None:
    """The manifests of both trees must tell that the argument is a unit quaternion."""
    path = "fc_rotation_f64.c"
    old = re.search(r"R_AB->m\[8\] = .*", tree[path])[0]  # type: ignore[index]
    new = "R_AB->m[8] = q_AB_w * q_AB_w + q_AB_z * q_AB_z - q_AB_x * q_AB_x - q_AB_y * q_AB_y;"
    own = {p: t.replace("quat_to_dcm_unit", "own_quat_to_dcm") for p, t in tree.items()}
    edited = changed(own, path, (old, new))
    change = only(own, edited)
    assert change.kind is ChangeClass.GUARDS
    assert change.detail.startswith(
        "equal on the constraint set of own_quat_to_dcm; elsewhere R_AB->m[8] is "
    )
    for kind in ('"kind": "Quaternion"', '"kind": "Rotation"', '"kind": 7', '"kindly": "UnitQuaternion"'):
        other = {"manifest.json": own["manifest.json"].replace('"kind": "UnitQuaternion"', kind)}
        for sides in ((own, {**edited, **other}), ({**own, **other}, edited)):
            (change,) = (c for c in compare_trees(*sides) if c.symbol == "fc_own_quat_to_dcm_f64")
            assert change.kind is ChangeClass.CHANGED


@pytest.fixture(scope="module")
def block_tree() -> dict[str, str]:
    """A block with an attitude in its state, and a positive number among its parameters."""

    @block(
        states=[State("v_B", Vec3, "m/s", "velocity", "B"), State("q_NB", UnitQuaternion, "1", "attitude")],
        inputs=[Arg("w_B", Vec3, "rad/s", "angular velocity", "B")],
        parameters=[Arg("tau", POSITIVE, "s", "time constant")],
        integrator="euler",
        equation="",
        source="a test",
    )
    def glide(v_B: Any, q_NB: Any, w_B: Any, tau: Any) -> Any:
        """A body that glides."""
        return quat_rotate_inverse(q_NB, Vec3(0, 0, 9.80665)) - v_B / tau, w_B

    return dict(render_tree(list(glide.kernels), Options(precisions=("f64",))))


def test_the_input_domain_of_a_structure_is_that_of_its_members(block_tree: dict[str, str]) -> None:
    (path,) = (p for p, text in block_tree.items() if p.startswith("fc_") and "9.80665" in text)
    change = only(block_tree, changed(block_tree, path, ("9.80665", "9.80666")))
    assert change.witness is not None
    attitude = [x for name, x in change.witness.inputs.items() if "q_NB" in name]
    assert sum(x * x for x in attitude) == pytest.approx(1)


def test_another_fixed_value_is_said_of_what_is_fixed() -> None:
    @block(
        states=[State("x", REAL, "m", "place")],
        outputs=[Arg("y", REAL, "m", "place before")],
        sample_time="1/100",
        equation="x' = x + dt; y = x",
        source="a test",
    )
    def drift(x: Any, dt: Any) -> Any:
        """A place that moves on."""
        return x + dt, x

    tree = dict(render_tree(list(drift.kernels), Options(precisions=("f64",))))
    path = next(p for p, text in tree.items() if "(SI units): dt = 0.01." in text)
    fixed = "Fixed when generated (SI units): "
    for written, said in [
        ("dt = 0.02.", 'dt, fixed when generated, is "0.02" instead of "0.01"'),
        ("dt.", 'what is fixed when generated is "dt." instead of not stated'),
    ]:
        change = only(tree, changed(tree, path, (f"{fixed}dt = 0.01.", f"{fixed}{written}")))
        assert change.kind is ChangeClass.CONTRACT
        assert said in change.detail
        assert "argument" not in change.detail


def test_another_type_of_a_member_is_another_contract(block_tree: dict[str, str]) -> None:
    path, unit = "manifest.json", '"q_NB": "UnitQuaternion"'
    wide = changed(block_tree, path, (unit, '"q_NB": "Quaternion"'))
    assert only(block_tree, wide).kind is ChangeClass.CONTRACT
    assert only(wide, block_tree).kind is ChangeClass.CONTRACT
    earlier = {**block_tree, path: block_tree[path].replace('"members"', '"membership"')}
    assert all(c.kind is ChangeClass.IDENTICAL for c in compare_trees(earlier, block_tree))


def test_another_type_or_precondition_in_the_manifest_is_another_contract(tree: dict[str, str]) -> None:
    path, unit = "manifest.json", '"kind": "UnitQuaternion"'
    wide = changed(tree, path, (unit, '"kind": "Quaternion"'))
    none = changed(tree, path, (unit, '"kindly": ""'))
    needed = '"returns": "void",\n   "requires": "small"'
    required = changed(tree, path, ('"returns": "void"', needed))
    other = changed(tree, path, ('"returns": "void"', needed.replace("small", "large")))
    told = (
        (tree, wide),
        (wide, tree),
        (tree, none),
        (none, tree),
        (required, other),
        (required, tree),
        (tree, required),
    )
    for old, new in told:
        assert only(old, new).kind is ChangeClass.CONTRACT
    damaged = changed(tree, path, ('"unit": ', '"unity": '), ('"equation": ', '"equations": '))
    assert {c.kind for c in compare_trees(tree, damaged)} == {ChangeClass.IDENTICAL, ChangeClass.CONTRACT}
    earlier = {**none, path: str(none[path]).replace('"positive"', '"positively"')}
    for new in (tree, required):  # what earlier versions did not state
        assert all(c.kind is ChangeClass.IDENTICAL for c in compare_trees(earlier, new))


def test_changed(tree: dict[str, str]) -> None:
    change = only(tree, changed(tree, ROTATION, ("- sin_phi * w_B_z", "+ sin_phi * w_B_z")))
    assert change.kind is ChangeClass.CHANGED
    assert change.detail.startswith("drpy->y is ")
    assert change.path == ROTATION
    assert change.old_body in tree[ROTATION]
    witness = change.witness
    assert witness is not None
    assert list(witness.inputs) == [f"{v}->{c}" for v in ("rpy", "w_B") for c in "xyz"]
    assert list(witness.old) == ["drpy->x", "drpy->y", "drpy->z", "status"]
    assert witness.old["drpy->x"] == witness.new["drpy->x"]
    assert witness.old["drpy->y"] != witness.new["drpy->y"]
    assert witness.ulp > 1000


def test_arithmetic_in_double(tree: dict[str, str]) -> None:
    change = only(tree, changed(tree, ROTATION, ("> 0.00034526698F", "> 0.00034526698")))
    assert change.kind is ChangeClass.CHANGED
    assert "it computes in float and double instead of float" in change.detail


@pytest.mark.parametrize(("old", "new", "detail"), [
    ("fc_rpy_kinematics_f32(const fc_vec3_f32 *rpy, const fc_vec3_f32 *w_B,",
     "fc_rpy_kinematics_f32(const fc_vec3_f32 *w_B, const fc_vec3_f32 *rpy,",
     "arguments in the order w_B, rpy"),
    ("const fc_vec3_f32 *w_B, fc_vec3_f32 *drpy)\n{",
     "const fc_vec3_f32 *w_B, float g, fc_vec3_f32 *drpy)\n{",
     "argument 3, g: float instead of fc_vec3_f32 *; argument 4, drpy, was added"),
    ("const fc_vec3_f32 *w_B, fc_vec3_f32 *drpy)\n{", "fc_vec3_f32 *w_B, fc_vec3_f32 *drpy)\n{",
     "argument 2, w_B: fc_vec3_f32 * instead of const fc_vec3_f32 *"),
    ("fc_status fc_rpy_kinematics_f32(", "static fc_status fc_rpy_kinematics_f32(", "is static now"),
])  # fmt: skip
def test_interface(tree: dict[str, str], old: str, new: str, detail: str) -> None:
    """With the prototype changed likewise."""
    edit = (old.rstrip("\n{"), new.rstrip("\n{"))
    both = {**changed(tree, ROTATION, edit), **changed(tree, "fc_rotation_f32.h", edit)}
    both |= {p: changed(tree, p, edit)[p] for p in (ROTATION, "fc_rotation_f32.h")}
    change = only(tree, both)
    assert (change.kind, change.symbol) == (ChangeClass.INTERFACE, "fc_rpy_kinematics_f32")
    assert detail in change.detail


def test_status_is_interface(tree: dict[str, str], tmp_path: Path) -> None:
    generate([library()["quat_normalize"]], Options(checks=False), tmp_path / "new")
    generate([library()["quat_normalize"]], Options(), tmp_path / "old")
    found = compare_trees(read_tree(tmp_path / "old"), read_tree(tmp_path / "new"))
    assert {c.kind for c in found} == {ChangeClass.INTERFACE}
    assert found[0].detail.startswith("returns void instead of fc_status; ")
    assert {c.also for c in found} == {(ChangeClass.CONTRACT,)}, "no status is documented"


def test_added_and_removed(tree: dict[str, str], tmp_path: Path) -> None:
    generate([library()["quat_normalize"]], Options(precisions=("f32",)), tmp_path / "old")
    generate([library()["quat_multiply"]], Options(precisions=("f32",)), tmp_path / "new")
    found = {c.kind: c for c in compare_trees(read_tree(tmp_path / "old"), read_tree(tmp_path / "new"))}
    assert found.keys() == {ChangeClass.ADDED, ChangeClass.REMOVED}
    assert found[ChangeClass.ADDED].symbol == "fc_quat_multiply_f32"
    assert found[ChangeClass.ADDED].old_cost is None
    assert found[ChangeClass.ADDED].new_cost is not None
    assert found[ChangeClass.REMOVED].old_cost is not None
    assert found[ChangeClass.REMOVED].new_body == ""


# Choices and their edges

CHOICE = """\
#include <math.h>
int f(double x, double y, double *z)
{
    const int far = fabs(x - 3.0) > 9.5367431640625e-7;
    *z = (far && y < 2.5) ? x : y * y;
    return far ? 0 : 4;
}
"""


def run_both(old: str, new: str, change: Change, directory: Path) -> list[tuple[float, int]]:
    """What both return, compiled, for the witness."""
    assert change.witness is not None
    (directory / "f.c").write_text(old.replace("int f(", "int g(") + new, encoding="utf-8")
    subprocess.run(
        [compilers()[0], *PLAIN, "-shared", "-fPIC", "f.c", "-o", "f.so", "-lm"], cwd=directory, check=True
    )
    compiled = ctypes.CDLL(str(directory / "f.so"))
    found = []
    for function in (compiled.g, compiled.f):
        z = ctypes.c_double()
        status = function(*map(ctypes.c_double, change.witness.inputs.values()), ctypes.byref(z))
        found.append((z.value, status))
    return found


@pytest.mark.parametrize(("before", "after"), [
    ("> 9.5", ">= 9.5"),
    ("> 9.5367431640625e-7", "> 9.536743164062498e-7"),
    ("> 9.5", "> 9.6"),
    ("y < 2.5", "y <= 2.5"),
    ("y < 2.5", "2.5 > y + 1.0e-15"),
    ("far && y", "far || y"),
    ("4;", "8;"),
    ("y * y", "y * y + (far ? 0.0 : 1.0)"),
])  # fmt: skip
def test_changes_next_to_a_branch(before: str, after: str, tmp_path: Path) -> None:
    new = CHOICE.replace(before, after)
    change = only({"f.c": CHOICE}, {"f.c": new})
    assert change.kind is ChangeClass.CHANGED
    old_values, new_values = run_both(CHOICE, new, change, tmp_path)
    assert old_values != new_values
    assert change.witness is not None
    assert old_values == (change.witness.old["*z"], change.witness.old["status"])
    assert new_values == (change.witness.new["*z"], change.witness.new["status"])


@pytest.mark.parametrize(("before", "after"), [
    ("y < 2.5", "2.5 > y"),
    ("far && y < 2.5", "y < 2.5 && far"),
    ("(far && y < 2.5) ? x : y * y", "!(far && y < 2.5) ? y * y : x"),
    ("far ? 0 : 4", "!far ? 4 : 0"),
    ("x - 3.0", "-(3.0 - x)"),
])  # fmt: skip
def test_choices_written_otherwise(before: str, after: str) -> None:
    assert before in CHOICE
    assert only({"f.c": CHOICE}, {"f.c": CHOICE.replace(before, after)}).kind in (
        ChangeClass.COSMETIC,
        ChangeClass.REASSOCIATED,
    )


def test_a_change_that_no_input_reaches_is_named() -> None:
    text = "#include <math.h>\nvoid f(double x, double *z)\n{\n    *z = (sin(x) > 1.5) ? 2.0 : x;\n}\n"
    change = only({"f.c": text}, {"f.c": text.replace("2.0", "3.0")})
    assert change.kind is ChangeClass.CHANGED
    assert change.witness is None
    assert "no counterexample was found" in change.detail


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("2.0 : x", "3.0 : x", ChangeClass.CHANGED),
        ("+ y + 1.0", "+ (y + 1.0)", ChangeClass.REASSOCIATED),
    ],
)
def test_a_branch_that_is_never_taken_has_to_agree(before: str, after: str, expected: ChangeClass) -> None:
    text = "void f(double x, double y, double *z)\n{\n    *z = ((x < x) ? 2.0 : x) + y + 1.0;\n}\n"
    assert only({"f.c": text}, {"f.c": text.replace(before, after)}).kind is expected


def test_a_safe_value_that_never_counts() -> None:
    """It may stand in both, whatever else is written otherwise, and may be any."""
    text = (
        "void f(double x, double y, double *z)\n{\n    const int ok = x > 1.0;\n"
        "    *z = ok ? y / (ok ? x : 1.0) + y + x : 0.0;\n}\n"
    )
    assert only({"f.c": text}, {"f.c": text.replace("+ y + x", "+ (y + x)")}).kind is ChangeClass.REASSOCIATED
    assert only({"f.c": text}, {"f.c": text.replace(": 1.0)", ": 2.0)")}).kind is ChangeClass.REASSOCIATED


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("x * (y + z)", ChangeClass.REASSOCIATED),  # infinite where the old form may be NaN
        ("(y <= 1.7976931348623157e308 ? x * y : 0.0) + x * z", ChangeClass.CHANGED),  # alone finite
    ],
)
def test_what_is_not_finite_in_either_form(value: str, kind: ChangeClass) -> None:
    text = "void f(double x, double y, double z, double *s)\n{\n    *s = x * y + x * z;\n}\n"
    assert only({"f.c": text}, {"f.c": text.replace("x * y + x * z", value)}).kind is kind


def test_a_comparison_that_hardly_ever_counts() -> None:
    """The last of twelve nested conditions."""
    conditions = " && ".join(f"x{i} < 1.0" for i in range(12))
    arguments = ", ".join(f"double x{i}" for i in range(12))
    text = f"void f({arguments}, double *z)\n{{\n    *z = ({conditions}) ? 1.0 : 0.0;\n}}\n"
    assert only({"f.c": text}, {"f.c": text.replace("x11 < 1.0", "x11 < 1.5")}).kind is ChangeClass.CHANGED


def test_a_root_that_no_point_has() -> None:
    """Roots of many things at once exist at few points of a prime field."""
    roots = " + ".join(f"sqrt(x + {i}.0)" for i in range(40))
    text = f"#include <math.h>\nvoid f(double x, double *z)\n{{\n    *z = {roots};\n}}\n"
    assert (
        only({"f.c": text}, {"f.c": text.replace("= sqrt(x + 0.0) +", "= -sqrt(x + 0.0) +")}).kind
        is ChangeClass.CHANGED
    )
    swapped = text.replace("sqrt(x + 0.0) + sqrt(x + 1.0) + ", "").replace(
        ";", " + (sqrt(x + 1.0) + sqrt(x + 0.0));"
    )
    assert only({"f.c": text}, {"f.c": swapped}).kind is ChangeClass.REASSOCIATED


def test_an_output_that_is_an_input(tree: dict[str, str]) -> None:
    """Reading an input after an output of its type is written changes what in-place calls return."""
    path = "fc_rotation_f64.c"
    first = "    pq->w = p_w * q_w - p_x * q_x - p_y * q_y - p_z * q_z;\n"
    late = changed(tree, path, ("p_x * q_w;" if "p_x * q_w;" in tree[path] else "p_w * q_x", "p->w * q_x"))
    assert first in tree[path]
    change = only(tree, late)
    assert change.kind is ChangeClass.CHANGED
    assert change.detail.startswith("where p and pq are the same object, ")


def test_an_output_that_is_two_inputs(tree: dict[str, str]) -> None:
    """What vanishes unless both factors are one object with the result shows if a quaternion is squared."""
    path, last = "fc_rotation_f64.c", "    pq->z = "
    late = changed(tree, path, (last, f"{last}(p->w - p_w) * (q->w - q_w) + "))
    change = only(tree, late)
    assert change.kind is ChangeClass.CHANGED
    assert "where p and pq and q and pq are the same object, pq->z is " in change.detail


def test_more_ways_to_share_objects_than_are_compared() -> None:
    names = [f"v_{i}" for i in range(7)]
    given = ", ".join(f"const float {n}[2]" for n in names)
    early = "".join(f"    const float c_{n} = {n}[1];\n" for n in names)
    factors = " * ".join(f"({n}[1] - c_{n})" for n in names)
    text = f"void f({given}, float out[2])\n{{\n{early}    out[1] = c_v_0;\n    out[0] = 1.0F;\n}}\n"
    old, new = {"f.c": text}, {"f.c": text.replace("1.0F", f"1.0F + {factors}")}
    change = only(old, new)
    assert change.kind is ChangeClass.UNREADABLE
    assert "more than 100 ways" in change.detail


def test_a_number_that_is_always_tiny_excuses_nothing() -> None:
    """Round-off is not judged where a number underflows: one that does so everywhere would excuse all."""
    tiny = "1e-20F * 1e-17F - 1e-20F * 1e-17F"
    text = f"void f(float x, float *r)\n{{\n    *r = 0.5F * x + ({tiny});\n}}\n"
    change = only({"f.c": text}, {"f.c": text.replace("* x", "* (x + 1e6F - 1e6F)")})
    assert change.kind is ChangeClass.CHANGED
    assert "more than round-off apart" in change.detail


def test_unwritten_output(tree: dict[str, str]) -> None:
    change = only(tree, changed(tree, ROTATION, ("    drpy->z = bounded ? dpsi : 0.0F;\n", "")))
    assert change.kind is ChangeClass.CHANGED
    assert change.witness is not None
    assert "drpy->z before the call" in change.witness.inputs


# Routines and calls


def test_a_routine_is_as_changed_as_what_it_calls(tree: dict[str, str]) -> None:
    path = "fc_contact_solver_f32.c"
    new = changed(tree, path, ("(lambda_i < rate) ? lambda_i", "(lambda_i < rate) ? 2.0F * lambda_i"))
    found = {c.symbol: c for c in compare_trees(tree, new) if c.kind is not ChangeClass.IDENTICAL}
    assert found.keys() == {"fc_contact_violation_f32", "fc_contact_residual_f32"}
    assert found["fc_contact_residual_f32"].kind is ChangeClass.CHANGED
    assert found["fc_contact_residual_f32"].detail == "calls fc_contact_violation_f32: changed"


def test_a_function_that_says_something_else_is_as_changed_as_what_it_calls() -> None:
    def written(kind: str, said: str, gain: str = "2.0", x: str = "double x") -> dict[str, str]:
        helper = f"static {kind} gain(double x)\n{{\n    return {gain} * x;\n}}\n"
        caller = f"/** {said} */\nvoid fc_left_f64({x}, double *y)\n{{\n    *y = gain(x);\n}}\n"
        return {"fc_left_f64.c": helper + caller}

    old = written("double", "Twice a number.")
    for new, kind, also in (
        (written("float", "Double the number."), ChangeClass.CHANGED, (ChangeClass.CONTRACT,)),
        (written("double", "Double the number.", "3.0"), ChangeClass.UNREADABLE, (ChangeClass.CONTRACT,)),
        (written("float", "Twice a number.", x="float x"), ChangeClass.CHANGED, (ChangeClass.INTERFACE,)),
    ):
        found = {c.symbol: c for c in compare_trees(old, new)}["fc_left_f64"]
        assert (found.kind, found.also) == (kind, also)
        assert found.detail.startswith(f"calls gain: {kind.value}; ")


def test_a_new_function_that_is_called_is_part_of_the_comparison() -> None:
    """Also where the documentation changes, and where the function cannot be read."""
    plain = "/** Twice a number. */\nvoid f(const double *x, double *y)\n{\n    *y = 2.0 * *x;\n}\n"
    helper = "static double twice(double x)\n{\n    return 2.0 * x;\n}\n"
    called = plain.replace("2.0 * *x", "twice(*x)")
    pointed = plain.replace("*y = 2.0 * *x", "double (*const g)(double) = twice;\n    *y = g(*x)")
    for new, kind in (
        (helper + called, ChangeClass.COSMETIC),
        (helper + called.replace("Twice", "Double"), ChangeClass.CONTRACT),
        (helper.replace("2.0", "3.0") + called.replace("Twice", "Double"), ChangeClass.CHANGED),
        (helper + pointed, ChangeClass.UNREADABLE),
    ):
        found = {c.symbol: c for c in compare_trees({"f.c": plain}, {"f.c": new})}
        assert (found["f"].kind, found["twice"].kind) == (kind, ChangeClass.ADDED), found["f"].detail


def test_a_plain_comment_of_a_declaration_in_a_source_documents_nothing() -> None:
    note, head = "/* y is twice x. */\n", "void f(const double *x, double *y)"
    source = f"{note}{head}\n{{\n    *y = 2.0 * *x;\n}}\n"
    tree = {"f.h": f"/** Twice a number. */\n{head};\n", "f.c": source}
    assert (
        only(tree, {**tree, "f.c": source.replace(head, f"{head};\n{head}", 1)}).kind is ChangeClass.COSMETIC
    )
    header = tree["f.h"].replace("/**", f"/** Any note. */\n{head};\n/**")
    assert only(tree, {**tree, "f.h": header}).kind is ChangeClass.CONTRACT


def test_what_a_file_includes_is_not_known_where_it_cannot_be_read(tree: dict[str, str]) -> None:
    new = changed(tree, ROTATION, ("#include <math.h>\n", "#include <math.h>\n// why ??/ ?\n"))
    assert {c.kind for c in compare_functions(both(tree, new), iter)} >= {ChangeClass.UNREADABLE}
    assert list(compare_surroundings(both(tree, new))) == []


def test_what_a_function_says_is_no_change_of_its_callers(tree: dict[str, str]) -> None:
    new = changed(
        tree, "fc_contact_solver_f32.h", ("distance from complementarity", "square of the distance")
    )
    change = only(tree, new)
    assert (change.symbol, change.kind) == ("fc_contact_violation_f32", ChangeClass.CONTRACT)


def test_a_routine_s_text(tree: dict[str, str]) -> None:
    path = "fc_contact_solver_f32.c"
    layout = changed(tree, path, ("for (j = 0; j < nc; j++) {", "for (j = 0; j < nc; j++)\n{"))
    assert only(tree, layout).kind is ChangeClass.COSMETIC
    change = only(tree, changed(tree, path, ("for (j = 0; j < nc; j++)", "for (j = 1; j < nc; j++)")))
    assert change.kind is ChangeClass.UNREADABLE
    assert change.unreadable is not None
    assert change.unreadable.path == path


# What surrounds functions


def test_another_form_overflows_where_a_threshold_is_the_largest_number(tree: dict[str, str]) -> None:
    """The thresholds of the norm are the smallest and the largest number: no value overflows."""
    old, new = "1.0F / sqrtf(n_safe)", "1.0F / sqrtf(n_safe * n_safe / n_safe)"
    change = only(tree, changed(tree, "fc_rotation_f32.c", (old, new)))
    assert change.kind is ChangeClass.CHANGED, change.detail  # any four numbers are a quaternion
    assert change.witness is not None


def test_meanings_from_elsewhere(tree: dict[str, str]) -> None:
    types = "fc_types.h"
    flag = {
        c.symbol: c for c in compare_trees(tree, changed(tree, types, ("GIMBAL_LOCK 16", "GIMBAL_LOCK 2")))
    }
    assert flag["fc_rpy_kinematics_f32"].kind is ChangeClass.CHANGED
    assert flag["fc_rpy_kinematics_f32"].witness is not None
    assert flag["fc_quat_multiply_f32"].kind is ChangeClass.IDENTICAL
    order = changed(tree, types, ("    double w;\n    double x;", "    double x;\n    double w;"))
    assert {c.symbol: c.kind for c in compare_trees(tree, order)}[
        "fc_quat_multiply_f64"
    ] is ChangeClass.INTERFACE


@pytest.mark.parametrize("line", [
    "#define cosf sinf", "#define float double", "#pragma GCC optimize(\"fast-math\")",
    "#include \"elsewhere.h\"", "#undef FC_GIMBAL_LOCK", "#if FAST\n#endif", "#include NAME",
    "static float table = 1.0F;",
    "static float cosf(float x)\n{\n    return x;\n}", "_Pragma(\"x\")",
])  # fmt: skip
def test_strange_surroundings(tree: dict[str, str], line: str) -> None:
    new = changed(tree, ROTATION, ("#include <math.h>\n", f"#include <math.h>\n{line}\n"))
    found = {c.symbol: c for c in compare_trees(tree, new)}
    change = found["fc_rpy_kinematics_f32"]
    assert change.kind is ChangeClass.UNREADABLE or change.detail.startswith("calls cosf"), change


ASKED = '#define FC_SCALAR __attribute__((optimize("no-tree-slp-vectorize")))'
BLOCK = f"""
/* For functions in which a host's gcc would gather scalars into vectors, at a loss. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
{ASKED}
#else
#define FC_SCALAR
#endif
"""
"""What stood in the files of earlier versions, before functions that had it in front of them."""

ASKING = "FC_SCALAR\nvoid fc_quat_multiply_f32("


@pytest.fixture
def asking(tree: dict[str, str]) -> dict[str, str]:
    """The tree as earlier versions wrote it."""
    text = tree[ROTATION]
    for plain, older in (
        ("#include <math.h>\n", f"#include <math.h>\n{BLOCK}"),
        ("\nvoid fc_quat_multiply_f32(", f"\n{ASKING}"),
    ):
        assert text.count(plain) == 1
        text = text.replace(plain, older)
    return {**tree, ROTATION: text}


def test_what_functions_ask_of_gcc_is_nobodys_change(tree: dict[str, str], asking: dict[str, str]) -> None:
    for old, new in ((asking, tree), (tree, asking)):
        kinds = {c.kind for c in compare_trees(old, new)}
        assert kinds <= {ChangeClass.IDENTICAL, ChangeClass.COSMETIC}


@pytest.mark.parametrize("edit", [
    (ASKED, ASKED.replace("no-tree-slp-vectorize", "fast-math")),
    (ASKED, f"float t;\n{ASKED}"),
    (ASKED, f"{ASKED}\n#define cosf sinf"),
    (ASKED, "#define FC_SCALAR static"),
    ("#define FC_SCALAR\n", "#define FC_SCALAR static\n"),
    ("#define FC_SCALAR\n#endif", f"#define FC_SCALAR\n#endif\n#undef FC_SCALAR\n{ASKED}"),
    ("#define FC_SCALAR\n#endif", "#define FC_SCALAR\n#endif\n#define FC_SCALAR static"),
    ("&& defined(__x86_64__)", "|| 1"),
    (ASKING, f"OTHER {ASKING}"),
    (ASKING, ASKING.replace("SCALAR", "SCALARS")),
    (ASKING, f"FC_SCALAR {ASKING}"),
    (f"{ASKING}const", f"{ASKING}FC_SCALAR const"),
])  # fmt: skip
def test_other_requests_are_not_read(asking: dict[str, str], edit: tuple[str, str]) -> None:
    assert edit[0] in asking[ROTATION]
    found = {c.symbol: c for c in compare_trees(asking, changed(asking, ROTATION, edit))}
    assert found["fc_quat_multiply_f32"].kind in (ChangeClass.UNREADABLE, ChangeClass.INTERFACE)


def test_included_files_that_are_not_c(tree: dict[str, str]) -> None:
    old = {
        **changed(tree, ROTATION, ("#include <math.h>\n", '#include <math.h>\n#include "x.inc"\n')),
        "x.inc": "",
    }
    assert {c.kind for c in compare_trees(old, dict(old))} == {ChangeClass.IDENTICAL}
    kinds = {c.symbol: c.kind for c in compare_trees(old, {**old, "x.inc": b"#define cosf sinf"})}
    assert kinds["fc_rpy_kinematics_f32"] is ChangeClass.UNREADABLE
    assert kinds["fc_rpy_kinematics_f64"] is ChangeClass.IDENTICAL


def test_a_header_that_disagrees(tree: dict[str, str]) -> None:
    new = changed(tree, "fc_rotation_f32.h", ("fc_rpy_kinematics_f32(const", "fc_rpy_kinematics_f32("))
    change = only(tree, new)
    assert change.kind is ChangeClass.UNREADABLE
    assert "its declaration does not match its definition" in change.detail


# Hostile trees


def brackets(n: int) -> str:
    return f"void f(float x, float *y)\n{{\n    *y = {'(' * n}x{')' * n};\n}}\n"


HOSTILE: list[Any] = [
    b"\x7fELF\x02\x01\x00\xff",
    b"\xff\xfe\xfa",
    "void f(void) {\x00}",
    "int x = 0; " * (LARGEST // 10),
    "x" * 10_000_000,
    pytest.param(brackets(1_000_000), marks=pytest.mark.exhaustive),
    brackets(99_000),
    "void f(void)\n{",
    "void f(void) /* never closed\n{}",
    "// hidden \\\nvoid g(void);\n",
    "/\\\n* hidden *\\\n/",
    "// hidden ??/\nvoid f(void) {}",
    "void f(void) <% %>",
    "void f(void) {} }",
    "void f(void) ) {}",
    "#define X /\\\n* hidden\nvoid f(void) {}",
    "void f() \\\n {}",
    "} {",
    "void f(x) int x; {}",
    "#if 0\nvoid f(void) {}\n",
    "#define X\n" * 10_000,
    f"{BLOCK}FC_SCALAR\nvoid f(void) {{}}\n" * 1000,
    pytest.param(BLOCK + "FC_SCALAR\nvoid f(void) {}\n" * 5000, marks=pytest.mark.exhaustive),
    f"void f(float *y)\n{{\n{'for (int k = 0; k < 900000000; k += 1) y[0] = 1.0F;' * 100}\n}}\n",
    "typedef struct {",
    "= = = ;",
    ";;;",
    "",
]


@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_files(tree: dict[str, str], content: str | bytes) -> None:
    """Nothing is raised, and what was there is not called equal."""
    with at_most(900_000 + 2 * len(content)):
        found = compare_trees(tree, {**tree, ROTATION: content})
    kinds = {c.symbol: c.kind for c in found}
    assert kinds["fc_rpy_kinematics_f32"] in (ChangeClass.UNREADABLE, ChangeClass.REMOVED)
    assert kinds["fc_rpy_kinematics_f64"] is ChangeClass.IDENTICAL
    assert compare_trees({ROTATION: content}, tree)
    same = compare_trees({ROTATION: content}, {ROTATION: content})
    assert {c.kind for c in same} <= {ChangeClass.IDENTICAL}


@pytest.mark.parametrize("body", [
    pytest.param("*y = x" + " + x" * 100_000 + ";", marks=pytest.mark.exhaustive),
    "*y = " + " -" * 20_000 + "x;",
    "const float t0 = x;"
    + "".join(f"const float t{i + 1} = t{i} * t{i};" for i in range(3000))
    + "*y = t3000;",
    pytest.param("*y = " + "sqrtf(" * 90 + "x" + ")" * 90 + ";", marks=pytest.mark.exhaustive),
], ids=["sum", "minus", "squares", "roots"])  # fmt: skip
def test_hostile_functions(body: str) -> None:
    """Whatever they cost to understand, there is an answer after so much work."""
    text = f"#include <math.h>\nvoid f(float x, float *y)\n{{\n    {body}\n}}\n"
    with at_most(5_000_000):
        change = only({"f.c": text}, {"f.c": text.replace("*y = ", "*y = 1.0F + ")})
    assert change.kind in (ChangeClass.CHANGED, ChangeClass.UNREADABLE)


@pytest.mark.parametrize("path", ["a b.c", "a\nb.c", "d/../d/x.c", "'\";rm.c", "é.c"])
def test_strange_names(tree: dict[str, str], path: str) -> None:
    text = "void f(float x, float *y)\n{\n    *y = x;\n}\n"
    change = only({**tree, path: text}, {**tree, path: text.replace("= x", "= -x")})
    assert (change.kind, change.path) == (ChangeClass.CHANGED, path)


def test_two_definitions(tree: dict[str, str]) -> None:
    again = "int fc_rpy_kinematics_f32(float x)\n{\n    return 0;\n}\n"
    change = only(tree, {**tree, "other.c": again})
    assert change.kind is ChangeClass.UNREADABLE
    assert "a second time" in change.detail


def test_an_octal_extent_is_no_decimal_one() -> None:
    """m[010] has eight elements, and m[012] has ten."""
    text = "typedef struct {\n    float m[10];\n} t;\nvoid f(const t *a, float *y)\n{\n    *y = a->m[1];\n}\n"
    kinds = {"010": ChangeClass.INTERFACE, "012": ChangeClass.COSMETIC, "0xa": ChangeClass.COSMETIC}
    for extent, kind in kinds.items():
        change = only({"f.c": text}, {"f.c": text.replace("m[10]", f"m[{extent}]")})
        assert change.kind is kind, extent


# The whole library


@pytest.mark.parametrize("files", sampled(["fc_inertia*_f32.c", "fc_*.c"], every=2))
def test_many_functions_are_compared_at_once(files: str) -> None:
    """With progress shown, in several processes."""
    old = read_tree(GENERATED)
    new = {p: t.replace(" * ", " * 1.5F * ") if fnmatch(p, files) else t for p, t in old.items()}
    shown: list[str] = []

    def progress(symbols: Sequence[str]) -> Iterable[str]:
        for symbol in symbols:
            shown.append(symbol)
            yield symbol

    found = compare_trees(old, new, progress)
    assert len(shown) == len(found) >= 590
    changes = [c for c in found if c.kind is ChangeClass.CHANGED]
    assert len(changes) >= 20
    read_ones = [c for c in changes if c.unreadable is None and "calls" not in c.detail]
    assert all(c.witness for c in read_ones)


UNDECIDED = "inertia_principal"
"""It has more paths than can be followed: what is written otherwise counts as changed."""


@pytest.mark.parametrize("first", sampled(range(12), every=12))
def test_the_comparison_proves_functions_equal_to_themselves(first: int) -> None:
    """Every branch is driven: none is left out of the comparison."""
    source = read_source(read_tree(GENERATED))
    for kernel in list(library().values())[first::12]:
        reading = read(source.functions[f"fc_{kernel.name}_f32"][0], source)
        inputs = [*kernel.inputs, *reading.program.inputs[len(kernel.inputs) :]]
        found = compare_readings(reading, reading, inputs)
        undecided = kernel.name == UNDECIDED and "(tested at" in found.finding
        assert found.equal or undecided, kernel.name


UNREACHED = """#include <math.h>
void f(float x, float a, float b, float *y)
{
    const float r = x * x + 1.0F;
    const float s = sqrtf(r);
    const int some = expf(b) > 0.0F;
    *y = (some ? a * b * r : 3.0F) + (some ? a : 2.0F) / r;
}
"""
"""The exponential is positive, but for underflow; the root cancels only where paths are followed."""


@pytest.mark.parametrize(
    ("code", "condition", "equal"),
    [
        ("(some ? a * (b * r) : 3.0F) + (some ? a : 2.0F) / (s * s)", "> 0.0F", True),
        ("(some ? a * (b * r) : 2.0F) + (some ? a : 3.0F) / (s * s)", "> 0.0F", False),
        ("(some ? a * (b * r) : 3.5F) + (some ? a : 2.0F) / (s * s)", "> 0.0F", False),
        ("(some ? a * (b * r) : 3.0F) + (some ? a : 2.0F) / (s * s)", "> -1.0F", False),
        ("(some ? a * (b * r) : 3.0F) + (some ? a : 2.0F) / (s * s)", ">= 0.0F", False),
    ],
)
def test_what_no_point_reaches_is_compared_as_a_result(code: str, condition: str, equal: bool) -> None:
    new = UNREACHED.replace("> 0.0F", condition)
    new = new.replace("(some ? a * b * r : 3.0F) + (some ? a : 2.0F) / r", code)
    sources = [read_source({"f.c": text}) for text in (UNREACHED, new)]
    old, changed = (read(source.functions["f"][0], source) for source in sources)
    assert compare_readings(old, changed, old.program.inputs).equal is equal


def test_the_sign_of_a_zero_that_decides_an_angle_is_seen() -> None:
    """Where q_1 is zero, |cosine| is +0 and the choice in its place -0, so that the angle is pi and not 0."""
    names = ("fc_types.h", "fc_rotation_vector_f64.h", "fc_rotation_vector_f64.c")
    old = {name: (GENERATED / name).read_text(encoding="utf-8") for name in names}
    model = old[names[-1]].replace("atan2(s, fabs(cosine))", "atan2(s, cosine < 0.0 ? -cosine : cosine)")
    changes = compare_trees(old, {**old, names[-1]: model})
    (change,) = (c for c in changes if c.kind is not ChangeClass.IDENTICAL)
    assert change.kind is ChangeClass.GUARDS, change.detail


_CALLER = (
    "static void gain(double x, double *y)\n{\n    *y = 2.0 * x;\n}\n\n"
    "void f(double x, double *y)\n{\n@}\n\n"
    "void g(double gain, double *y)\n{\n    *y = gain;\n}\n"
)


def with_other_gain(body: str) -> dict[str, ChangeClass]:
    """The classes of functions of which one has this body, where `gain` changes."""
    old = _CALLER.replace("@", body)
    return {c.symbol: c.kind for c in compare_trees({"f.c": old}, {"f.c": old.replace("2.0", "3.0")})}


@pytest.mark.parametrize(
    "body",
    [
        "    {\n        const double gain = x;\n        *y = gain;\n    }\n    gain(x, y);\n",
        "    gain(x, y);\n    const double gain = *y;\n    *y = gain;\n",
        "    void (*of)(double, double *) = gain;\n    of(x, y);\n",
        "    struct {\n        double gain;\n    } s;\n    gain(x, y);\n    s.gain = *y;\n",
    ],
)
def test_a_function_that_a_variable_does_not_hide_is_called(body: str) -> None:
    assert with_other_gain(body)["f"] is ChangeClass.CHANGED


@pytest.mark.parametrize(
    "body", ["    const double gain = x;\n    *y = gain;\n", "    double gain[1];\n    gain[0] = *y;\n"]
)
def test_a_variable_of_the_name_of_a_function_calls_none(body: str) -> None:
    same = ChangeClass.IDENTICAL
    assert with_other_gain(body) == {"gain": ChangeClass.CHANGED, "f": same, "g": same}


def with_cost(old: str, new: str, product: str = "") -> Change:
    """The change of the product of quaternions where its header states another cost, or its code differs."""
    names = ("fc_types.h", "fc_rotation_f64.h", "fc_rotation_f64.c")
    files = {name: (GENERATED / name).read_text(encoding="utf-8") for name in names}
    stated, code = "Cost: 16 mul, 12 add.", "pq->w = p_w * q_w - p_x * q_x - p_y * q_y - p_z * q_z;"
    before = {**files, names[1]: files[names[1]].replace(stated, old, 1)}
    after = {
        names[0]: files[names[0]],
        names[1]: files[names[1]].replace(stated, new, 1),
        names[2]: files[names[2]].replace(code, product or code, 1),
    }
    assert stated in files[names[1]]
    assert code in files[names[2]]
    return next(c for c in compare_trees(before, after) if c.symbol == "fc_quat_multiply_f64")


RIGHT, WRONG = "Cost: 16 mul, 12 add.", "Cost: 6 mul, 12 add."
DOUBLED = "pq->w = p_w * q_w - p_x * q_x - p_y * q_y - p_z * q_z * 1.5;"


@pytest.mark.parametrize(
    ("old", "new", "product", "is_told"),
    [
        (RIGHT, WRONG, "", True),
        (RIGHT, WRONG, DOUBLED, True),
        (RIGHT, "Cost: 17 mul, 12 add.", "", True),
        (RIGHT, "Cost: 17 mul, 12 add.", DOUBLED, False),
        (WRONG, RIGHT, "", False),
        (WRONG, "Cost: 7 mul.", "", False),
        (RIGHT, "Cost: 16 mul,\n * 12 add.", "", False),
        (RIGHT, "", "", False),
    ],
)
def test_a_cost_that_is_wrong_now_is_a_contract(old: str, new: str, product: str, is_told: bool) -> None:
    change = with_cost(old, new, product)
    assert (ChangeClass.CONTRACT in change.kinds) is is_told, change.detail
    assert ("the cost is" in change.detail) is is_told
