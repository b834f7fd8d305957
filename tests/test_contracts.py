"""What callers are told: units, frames, preconditions and equations, in comments and in the manifest."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from codegen.emit.options import Options
from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.types import POSITIVE, REAL, Real
from codegen.library import library
from codegen.modeling.types.algebra import Vec3
from codegen.modeling.types.records import record
from codegen.review.diff import Change, ChangeClass, compare_trees
from codegen.review.diff.compare import both, compare_surroundings
from codegen.review.diff.text.comments import separate, words
from codegen.review.footprint import Footprint
from codegen.review.policy import breaches, parse_policy
from codegen.tree.assemble import render_tree

Tree = dict[str, str]
HEADER, SOURCE, MANIFEST = "fc_rotation_f32.h", "fc_rotation_f32.c", "manifest.json"


@pytest.fixture(scope="module")
def tree() -> Tree:
    kernels = [library()[name] for name in ("quat_multiply", "rpy_kinematics")]
    return dict(render_tree(kernels, Options(precisions=("f32",))))


def edited(tree: Tree, path: str, old: str, new: str) -> Tree:
    assert old in tree[path], old
    return {**tree, path: tree[path].replace(old, new, 1)}


def only(old: Any, new: Any) -> Change:
    (found,) = (c for c in compare_trees(old, new) if c.kind is not ChangeClass.IDENTICAL)
    return found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("in B [rad/s]", "in B [deg/s]", 'N, in B [deg/s]" instead of "'),
        ("relative to N, in B", "relative to N, in N", "argument w_B is"),
        ("[out] drpy time", "[out] drpy negated time", "argument drpy is"),
        ("FC_OK, or these", "FC_OK, never these", "@return is"),
        ("FC_GIMBAL_LOCK unless |cos", "FC_GIMBAL_LOCK unless 2 |cos", "@return is"),
        ("Rates of roll", "Derivatives of roll", "the description is"),
        ("- sin(phi) w_z\n *  ", "+ sin(phi) w_z\n *  ", "the description is"),
        ("*w_B, fc_vec3_f32 *drpy", "*w_B /* deg/s */, fc_vec3_f32 *drpy", "the description is"),
        ("select, 2 sin, 2 cos.", "select, 2 sin, 2 cos, all in degrees.", "the remark is"),
        ("equation 79", "equation 80", "the remark is"),
        ("@param[in] w_B", "@param[out] w_B", 'the direction of w_B is "out" instead of "in"'),
        ("@param[out] drpy", "@param[in,out] drpy", "the direction of drpy is"),
        ("*rpy, const fc_vec3_f32 *w_B", "*w_B, const fc_vec3_f32 *rpy", "order of the arguments is"),
        ("*w_B, fc_vec3_f32 *drpy", "*w_N, fc_vec3_f32 *drpy",
         'the frame in the names of arguments is "w_N" instead of "w_B"'),
        (" * Cost: 5 mul, 5 add", " * Cost: 6 mul, 5 add", 'the cost is "6 mul, 5 add'),
        ("5 select, 2 sin, 2 cos.", "5 select, with 6 turns of 1 mul, 1 sin, and 3 turns of copies only.",
         'instead of "5 mul, 5 add'),
    ],
)  # fmt: skip
def test_other_words_are_another_contract(old: str, new: str, said: str, tree: Tree) -> None:
    before, after = tree[HEADER].split("/**\n * Rates of roll")
    documented = f"/**\n * Rates of roll{after}"
    assert old in documented
    change = only(tree, {**tree, HEADER: before + documented.replace(old, new, 1)})
    assert (change.symbol, change.kind) == ("fc_rpy_kinematics_f32", ChangeClass.CONTRACT)
    assert said in change.detail


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Rates of roll", "The rates of roll"),
        (" * @param[in] w_B angular velocity", " * @param[in] w_B\n *        angular velocity"),
        (" * Rates of roll", " * @brief Rates of roll"),
        (" * Rates of roll", " * \\short Rates of roll"),
        ("/**\n * Rates", "/*!\n   Rates"),
    ],
)
def test_what_tells_nothing_else_is_cosmetic(old: str, new: str, tree: Tree) -> None:
    change = only(tree, edited(tree, HEADER, old, new))
    assert change.kind is ChangeClass.COSMETIC


def test_a_tag_before_the_description_of_a_type_tells_nothing(tree: Tree) -> None:
    new = edited(tree, "fc_types.h", "/** ", "/** @brief ")
    assert not list(compare_surroundings(both(tree, new)))
    assert list(compare_surroundings(both(tree, edited(tree, "fc_types.h", "/** ", "/** @pre "))))


def test_another_licence_of_a_source_file(tree: Tree) -> None:
    old = {**tree, SOURCE: f"/* SPDX-License-Identifier: MIT */\n{tree[SOURCE].split('*/', 1)[1]}"}
    for licence, is_told in (("GPL-3.0-only", True), ("MIT", False)):
        new = edited(old, SOURCE, "Identifier: MIT */", f"Identifier:  {licence} */")
        found = list(compare_surroundings(both(old, new)))
        assert [c.kind for c in found] == [ChangeClass.CONTRACT] * is_told
    bare = {**tree, SOURCE: tree[SOURCE].split("*/", 1)[1]}
    assert not list(compare_surroundings(both(bare, old)))
    (change,) = compare_surroundings(both(old, bare))
    assert change.detail == "states no licence instead of MIT"


def test_a_name_of_two_letters_is_no_article(tree: Tree) -> None:
    """`a` may be an acceleration, `A` a frame."""
    for name in ("a", "A"):
        old = edited(tree, HEADER, "Rates of roll", f"Rates of I {name} + roll")
        assert (
            only(old, edited(tree, HEADER, "Rates of roll", "Rates of I + roll")).kind is ChangeClass.CONTRACT
        )


def test_renamed_arguments_are_not_another_contract(tree: Tree) -> None:
    renamed = {path: re.sub(r"\bw_B\b", "rate", text) for path, text in tree.items()}
    assert only(tree, renamed).kind is ChangeClass.COSMETIC


def spun(unit: str, frame: str) -> Tree:
    @kernel(
        inputs=[Arg("w", Vec3, unit, "angular velocity", frame)],
        outputs=[Arg("a", Vec3, "m/s^2", "acceleration", "B")],
        equation="a = w",
        source="none",
        definition=lambda w: list(w),
        reference=lambda w: w,
    )
    def spin(w: Any) -> Any:
        """Acceleration."""
        return w

    return dict(render_tree([spin], Options(precisions=("f32",))))


@pytest.mark.parametrize("other", [("deg/s", "B"), ("rad/s", "N")])
@pytest.mark.parametrize("where", ["everywhere", "the manifest"])
def test_units_and_frames_of_a_model(other: tuple[str, str], where: str) -> None:
    old, new = spun("rad/s", "B"), spun(*other)
    if where == "the manifest":
        new = {**old, MANIFEST: new[MANIFEST]}
    change = only(old, new)
    assert change.kind is ChangeClass.CONTRACT
    assert change.detail.startswith("argument w is")


def halved(mass: Real) -> Tree:
    """The tree of a kernel whose argument is a record with a mass."""
    body = record("body", "A body.", [Arg("m", mass, "kg", "mass"), Arg("k", REAL, "N/m", "stiffness")])

    @kernel(
        inputs=[body.argument("b", "body")],
        outputs=[Arg("half", REAL, "kg", "half of the mass")],
        equation="half = m/2",
        source="none",
        definition=lambda b: [b.m / 2],
        reference=lambda b: b[0] / 2,
    )
    def half_mass(b: Any) -> Any:
        """Half of a mass."""
        return b.m / 2

    return dict(render_tree([half_mass], Options(precisions=("f32",))))


def test_a_member_that_must_be_positive_now_or_no_longer() -> None:
    """The manifest alone says it: the functions are the same."""
    real, positive = halved(REAL), halved(POSITIVE)
    assert {path for path in real if real[path] != positive[path]} == {MANIFEST, "selftest.c"}
    positive = {**real, MANIFEST: positive[MANIFEST]}
    for old, new, said in (
        (real, positive, '"b.m" instead of "none"'),
        (positive, real, '"none" instead of'),
    ):
        change = only(old, new)
        assert change.kind is ChangeClass.CONTRACT
        assert change.detail.startswith(f"what must be positive in b is {said}")
    earlier = re.sub(r',\s*"positive": \[[^]]*\]', "", real[MANIFEST])
    assert all(c.kind is ChangeClass.IDENTICAL for c in compare_trees({**real, MANIFEST: earlier}, positive))


def test_a_class_that_holds_as_well_is_in_the_policy(tree: Tree) -> None:
    new = edited(tree, HEADER, "Rates of roll", "Negated rates of roll")
    regrouped = edited(
        new, SOURCE, "cos_phi * w_B_y - sin_phi * w_B_z", "-(sin_phi * w_B_z - cos_phi * w_B_y)"
    )
    change = only(tree, regrouped)
    assert (change.kind, change.also) == (ChangeClass.CONTRACT, (ChangeClass.REASSOCIATED,))
    negated = edited(new, SOURCE, "cos_phi * w_B_y - sin", "cos_phi * w_B_y + sin")
    worse = only(tree, negated)
    assert (worse.kind, worse.also) == (ChangeClass.CHANGED, (ChangeClass.CONTRACT,))
    for found in (change, worse):
        for item in ("contract", found.kind.value):
            assert breaches(found, Footprint(), parse_policy([item], {})), item
        assert not breaches(found, Footprint(), parse_policy(["added"], {}))
    assert breaches(change, Footprint(), parse_policy(["re-associated"], {}))


def test_a_damaged_manifest_tells_nothing(tree: Tree) -> None:
    for text in ("", "[]", '{"functions": [{"symbol": 1}]}', '{"functions": [[]]}', "[" * 100_000):
        assert {c.kind for c in compare_trees(tree, {**tree, MANIFEST: text})} == {ChangeClass.IDENTICAL}
    content = json.loads(tree[MANIFEST])
    content["functions"][0]["arguments"][0] |= {"unit": [1], "doc": None}
    assert compare_trees(tree, {**tree, MANIFEST: json.dumps(content)})


def test_comments_are_separated_from_code() -> None:
    text = 'a /* 1 */ "/* 2 */" b // 3 \\\n\'"\' /**\n * 4\n */ c /* 5'
    code, comments = separate(text)
    assert [words(c.text).strip() for c in comments] == ["1", "3 \\", "4", "5"]
    assert len(code) == len(text)
    assert code.split() == ["a", '"/*', "2", '*/"', "b", "'\"'", "c"]
