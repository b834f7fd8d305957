"""What a reviewer is shown of a change: plain counterexamples, units, statements, equations, callers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path

import pytest

from codegen.emit.options import Options
from codegen.ir.program import Arg
from codegen.ir.types import REAL
from codegen.library import library
from codegen.review.callers import read_calls
from codegen.review.comparison import compare
from codegen.review.diff.changes import Change, ChangeClass, Extent, Witness
from codegen.review.diff.declared import Quantity, declared_quantities
from codegen.review.diff.numbers.points import Sampler
from codegen.review.explanation import Explanation
from codegen.review.footprint import Footprint
from codegen.review.policy import Policy
from codegen.review.reports.evidence import UNCERTAIN, evidence
from codegen.review.reports.report import Entry
from codegen.review.review import review
from codegen.review.waivers import Waivers
from codegen.tree.assemble import render_tree
from tests.conftest import GENERATED

KERNELS = (
    "rpy_kinematics",
    "quat_rotate",
    "inertia_to_matrix",
    "motion_transform",
    "euler_xzx_intrinsic_from_quat",
)
ROTATION = "fc_rotation_f64.c"
EULER = "fc_euler_f64.c"
NONE = Waivers((), date(2024, 1, 1))


@pytest.fixture(scope="module")
def tree() -> dict[str, str]:
    """A generated tree with its trace."""
    return dict(render_tree([library()[name] for name in KERNELS], Options(trace=True)))


Reviewed = Callable[..., dict[str, Entry]]


@pytest.fixture
def reviewed(tree: dict[str, str], tmp_path: Path) -> Reviewed:
    """The entries of a review of edits in one file of the tree, of which some files may be left out."""

    def entries(path: str, *edits: tuple[str, str], without: tuple[str, ...] = ()) -> dict[str, Entry]:
        text = tree[path]
        for before, after in edits:
            assert before in text
            text = text.replace(before, after)
        for name, files in (("old", tree), ("new", {**tree, path: text})):
            (tmp_path / name).mkdir()
            for file, content in files.items():
                if file not in without:
                    (tmp_path / name / file).write_text(content)
        compared = compare(str(tmp_path / "old"), str(tmp_path / "new"), progress)
        sources = [p for p in [tmp_path / "app"] if p.exists()]
        report = review(compared, Policy(), NONE, read_calls(sources, compared.symbols))
        return {row.symbol: row for row in report.rows}

    return entries


def progress(symbols: Sequence[str]) -> Iterable[str]:
    return symbols


SIGN = ("w_B_x + sin(rpy_y) * dpsi", "w_B_x - sin(rpy_y) * dpsi")
INDEX = ("half_x = q_AB_y * v_B_z", "half_x = q_AB_z * v_B_z")


def test_a_changed_sign(reviewed: Reviewed) -> None:
    assert evidence(reviewed(ROTATION, SIGN)["fc_rpy_kinematics_f64"]) == [
        "drpy->x is -1.55740772 instead of 1.55740772",
        "at rpy = (0, 1, 0) rad, B to N",
        "   w_B = (0, 0, 1) rad/s, B",
        "drpy->x: 1.557407724654902 -> -1.557407724654902 rad/s",
        "differs at 95 % of 182 sampled points of the input domain: drpy->x by up to 6.809e+04 rad/s, "
        "at rpy = (0.3333, 1.571, -0.7143), w_B = (1.315, -0.7153, -1.951)",
        "was: const double dphi = w_B_x + sin(rpy_y) * dpsi;",
        "now: const double dphi = w_B_x - sin(rpy_y) * dpsi;",
        "equation: dphi = w_x + sin(theta) dpsi",
    ]


def test_the_counterexample_is_on_the_domain_and_plain(reviewed: Reviewed) -> None:
    witness = reviewed(ROTATION, INDEX)["fc_quat_rotate_f64"].change.witness
    assert witness is not None
    assert math.hypot(*(witness.inputs[f"q_AB->{c}"] for c in "wxyz")) == 1.0
    assert all(x in (-1.0, 0.0, 1.0) for x in witness.inputs.values())
    assert witness.ulp > 1e6


LIMIT = ("a_2 > 3.141592653589793)", "a_2 > 3.141592653589794)")


def test_a_counterexample_that_depends_on_the_library_says_so(reviewed: Reviewed) -> None:
    """An angle of pi is wrapped or not, as the last place of atan2 says."""
    row = reviewed(EULER, LIMIT)["fc_euler_xzx_intrinsic_from_quat_f64"]
    assert UNCERTAIN in evidence(row)


def test_without_trace_and_manifest(reviewed: Reviewed) -> None:
    """The manifest still tells which equation has the name of the value; without it, nothing does."""
    row = reviewed(ROTATION, SIGN, without=("trace.json",))["fc_rpy_kinematics_f64"]
    assert "equation: dphi = w_x + sin(theta) dpsi" in evidence(row)


@pytest.mark.parametrize(
    ("edit", "equation"),
    [
        (("v_B_x + q_AB_w * t_x", "v_B_x - q_AB_w * t_x"), "v_A = v_B + w t + u x t"),
        (("t_x = half_x + half_x", "t_x = half_x - half_x"), "t = 2 u x v_B"),
    ],
)
def test_an_element_has_the_equation_of_its_vector(
    reviewed: Reviewed, edit: tuple[str, str], equation: str
) -> None:
    """Also without a trace, and of a local value as of an argument."""
    row = reviewed(ROTATION, edit, without=("trace.json",))["fc_quat_rotate_f64"]
    assert f"equation: {equation}" in evidence(row)


def test_a_loop_over_arrays_leaves_the_quantities_of_all_functions() -> None:
    """The extent of its arrays is the name of an argument."""
    declared = declared_quantities((GENERATED / "manifest.json").read_text(encoding="utf-8"))
    assert declared["fc_quat_rotate_f64"]["v_B"] == Quantity("any", "B", ())
    assert declared["fc_contact_delassus_f64"]["m"] == Quantity("kg", "", ())
    assert declared["fc_inertia_to_matrix_f64"]["M"].shape == (6, 6)


def test_a_tree_of_c_alone(reviewed: Reviewed) -> None:
    row = reviewed(ROTATION, SIGN, without=("trace.json", "manifest.json"))["fc_rpy_kinematics_f64"]
    lines = evidence(row)
    assert "at rpy = (0, 1, 0)" in lines
    assert "now: const double dphi = w_B_x - sin(rpy_y) * dpsi;" in lines
    assert not any(line.startswith("equation") for line in lines)


def test_a_matrix_element_has_row_and_column(reviewed: Reviewed) -> None:
    edit = ("M[7] = I_O_J_yy", "M[7] = -I_O_J_yy")
    lines = evidence(reviewed("fc_inertia_f64.c", edit)["fc_inertia_to_matrix_f64"])
    assert any(line.startswith("M[7] (row 1, column 1): ") for line in lines)


def test_each_part_has_its_unit(reviewed: Reviewed) -> None:
    edit = ("v_A->w.x = ", "v_A->w.x = -")
    lines = evidence(reviewed("fc_transform_f64.c", edit)["fc_motion_transform_f64"])
    assert [line.partition(" = ")[0].split()[-1] for line in lines if " = " in line][:4] == [
        "T_AB.R", "T_AB.p", "v_B.w", "v_B.v",
    ]  # fmt: skip
    (rate,) = (line for line in lines if line.split()[0] == "v_B.w")
    assert rate.endswith(" rad/s, B")
    assert any(line.startswith("v_A->w.x: ") and line.endswith(" rad/s") for line in lines)


def test_a_range_holds_for_the_plain_counterexample() -> None:
    sampler = Sampler([Arg("alpha", REAL, "rad", "an angle", range=(0.25, 0.75))], float)
    for points in (sampler.simple(), sampler.plainer(sampler.simple()[:, :1])):
        assert points.shape[1]
        assert ((points >= 0.25) & (points <= 0.75)).all()


def test_callers_in_other_sources(reviewed: Reviewed, tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "loop.cpp").write_text(
        "/* fc_quat_rotate_f64 */\nint x;\nvoid f() { fc_quat_rotate_f64(q, v, u); }\n"
        "void g() { fc_quat_rotate_f64x(); }\n"
    )
    (tmp_path / "app" / "notes.md").write_text("fc_quat_rotate_f64\n")
    row = reviewed(ROTATION, INDEX)["fc_quat_rotate_f64"]
    assert evidence(row)[-1] == f"called by {tmp_path}/app/loop.cpp:3"


def test_callers_in_the_tree(tmp_path: Path) -> None:
    code = """\
void fc_low_f64(double x, double *y)
{
    *y = x + 1.0;
}

void fc_mid_f64(double x, double *y)
{
    fc_low_f64(x, y);
}

void fc_top_f64(double x, double *y)
{
    fc_mid_f64(x, y);
}
"""
    for name, text in (("old", code), ("new", code.replace("+", "-"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "fc_a.c").write_text(text)
    compared = compare(str(tmp_path / "old"), str(tmp_path / "new"), progress)
    rows = {row.symbol: row for row in review(compared, Policy(), NONE).rows}
    assert evidence(rows["fc_low_f64"])[-1] == "called by fc_mid_f64, fc_top_f64"


def test_what_a_stranger_wrote_in_a_manifest_is_printed_safely() -> None:
    nasty = "\x1b[31m\n::error::"
    change = Change(
        "fc_a_f64", ChangeClass.CHANGED, "", "a.c", 1,
        witness=Witness({"x": 1.0}, {"*y": 1.0}, {"*y": 2.0}, 9.0, Extent(5, 1.0, "*y", 1.0, {"x": 1.0})),
    )  # fmt: skip
    known = {name: Quantity(nasty, nasty, (2, 2)) for name in "xy"}
    row = Entry(change, Footprint(), "a.c", explanation=Explanation((), known, (nasty,)))
    assert not any("\x1b" in line or "\n" in line for line in evidence(row))


def test_each_part_of_a_value_has_its_own_unit() -> None:
    """A record states one unit for each member, an array one for each element; one for all stands once."""
    inputs = [
        *("p->k", "p->lim", "q[0]", "q[1]", "V->ang.x", "V->ang.y", "V->lin.x", "V->lin.y", "x[0]", "x[1]"),
        *("s->V.ang.x", "s->V.lin.x", "s->h[0]", "s->h[1]"),
    ]
    witness = Witness(
        dict.fromkeys(inputs, 1.0), {"r->t[1]": 2.0, "r->u": 2.0}, {"r->t[1]": 3.0, "r->u": 3.0}, 9.0
    )
    units = {
        "p": "1; m", "q": "rad; m", "V": "rad/s; m/s", "x": "kN",
        "s": "(rad/s; m/s); N m", "r": "s; (kg)/(m s)",
    }  # fmt: skip
    change = Change("fc_a_f64", ChangeClass.CHANGED, "", "a.c", 1, witness=witness)
    known = {name: Quantity(unit, "", ()) for name, unit in units.items()}
    assert evidence(Entry(change, Footprint(), "a.c", explanation=Explanation((), known))) == [
        "at p = (k 1, lim 1 m)",
        "   q = [1 rad, 1 m]",
        "   V.ang = (x 1, y 1) rad/s",
        "   V.lin = (x 1, y 1) m/s",
        "   x = [1, 1] kN",
        "   s.V.ang.x = 1 rad/s",
        "   s.V.lin.x = 1 m/s",
        "   s.h = [1, 1] N m",
        "r->t[1]: 2 -> 3 s",
        "r->u: 2 -> 3 (kg)/(m s)",
    ]


def test_what_was_read_for_the_comparison_is_not_read_again(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The footprint of a changed function comes from the readings that were compared."""

    def refuse(*_: object) -> None:
        raise AssertionError("read a second time")

    monkeypatch.setattr("codegen.review.footprint.read", refuse)
    row = reviewed(ROTATION, ("half_x + half_x", "2.0 * half_x"))["fc_quat_rotate_f64"]
    before, after = row.footprint.before, row.footprint.after
    assert (after["mul"] - before["mul"], after["add"] - before["add"]) == (1, -1)
