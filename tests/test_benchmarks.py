"""The benchmark: the forms of a problem and the code written by hand agree, and the tables add up."""

from __future__ import annotations

import ctypes
import json
import math
import os
import time
from pathlib import Path

import numpy as np
import pytest

from benchmarks import pinocchio
from benchmarks.calls import objects, plain, pointers
from benchmarks.candidates import Candidate, by_hand, of_peer, ours
from benchmarks.measure import Measured, counted
from benchmarks.newton_euler import JOINTS
from benchmarks.peers import PEERS, Peer
from benchmarks.problems import Problem, problem, problems
from benchmarks.px4.errors import caller, library
from benchmarks.px4.theirs import GENERATED, functions
from benchmarks.records import M4F_INSTRUCTIONS, OPERATIONS
from benchmarks.report import OPERATIONS as OPERATIONS_TABLE
from benchmarks.report import as_json, as_markdown, least
from benchmarks.timing import run
from benchmarks.workers import graph
from codegen.ir.domain import cases
from codegen.ir.program import evaluate
from codegen.ir.systems import F64, floating
from codegen.measure.static import Static
from tests.conftest import tool

pytestmark = pytest.mark.exhaustive

SMALL = ("central_transform", "motion_cross", "quat_to_dcm_unit")
PLAIN = {"O0": ["-O0"]}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


@pytest.mark.parametrize("name", OPERATIONS)
def test_all_forms_say_the_same(name: str) -> None:
    stated, system = problem(name), floating(F64)
    inputs = [system.constant(x) for x in next(cases(stated.kernel.inputs, 1, f"forms of {name}"))]
    expert, *others = (
        np.array(evaluate(form.ours.program(False), system, inputs).results) for form in stated.forms.values()
    )
    assert others
    assert all(abs(other - expert).max() <= 1e-12 * abs(expert).max() for other in others)


def test_records_are_of_problems() -> None:
    assert [p.kernel.name for p in problems()] == list(OPERATIONS)
    assert M4F_INSTRUCTIONS.keys() <= OPERATIONS.keys()
    assert problem("ur5_inverse_dynamics").best_m4f == 737
    assert problem("covariance_prediction").best_m4f is None


def test_all_forms_and_the_hand_compute_the_same(place: Path) -> None:
    tool("gcc")
    stated = [problem(name) for name in SMALL]
    measured = counted([*ours(stated, place), *by_hand(stated, place)])
    assert run(stated, measured, place, 1, PLAIN) == []
    assert len(measured) == 3 * len(stated) == 3 * len(SMALL)
    assert all(ns > 0 for m in measured for ns in m.times.values())


def test_what_the_hand_has_not_written_is_no_candidate(place: Path) -> None:
    stated = [problem("motion_cross"), problem("covariance_prediction")]
    assert [c.problem.kernel.name for c in by_hand(stated, place)] == ["motion_cross"]


def test_a_wrong_result_is_found(place: Path) -> None:
    tool("gcc")
    stated = problem("motion_cross")
    measured = counted([*ours([stated], place), *by_hand([stated], place)])
    source = measured[-1].candidate.sources["f64"]
    source.write_text(source.read_text().replace("w[1] * u[5] - w[2] * u[4]", "w[1] * u[5] + w[2] * u[4]"))
    (line,) = run([stated], measured, place, 1, PLAIN)
    assert line.startswith("hand_motion_cross_f64 is off by")


def answers(*given: object) -> object:
    """A peer that answers so."""
    return lambda peer, problems: {"version": "1.0", "answers": list(given)}


def test_a_peer_that_fails_on_one_problem_is_kept_for_the_others(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool("gcc")
    unknown = dict.fromkeys(("f32", "f64"), "void f(void);\nvoid f(void) { g(); }\n")
    good = dict.fromkeys(("f32", "f64"), "void f(void);\n")
    slow = {"error": "it takes more than 180 s"}
    four = ({"code": good, "seconds": 1}, slow, {"code": unknown, "seconds": 1}, {"code": good, "seconds": 1})
    monkeypatch.setattr("benchmarks.candidates.generated", answers(*four))
    found = of_peer(Peer("other", ()), [problem("motion_cross"), problem("force_cross")], place)
    assert [(c.problem.kernel.name, c.form) for c in found.candidates] == [
        ("motion_cross", "expert"),
        ("force_cross", "textbook"),
    ]
    assert found.failures["other on motion_cross in its textbook form"] == "it takes more than 180 s"
    assert "implicit" in found.failures["other on force_cross in its expert form"]


def test_a_peer_that_takes_too_long_crashes_or_fails_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def generate(problem: graph.Problem, values: list[object]) -> dict[str, str]:
        if problem["name"] == "slow":
            time.sleep(60)
        if problem["name"] == "crash":
            os._exit(1)
        return {"f32": problem["code"], "f64": problem["code"]}

    def given(**fields: str) -> dict[str, object]:
        return graph._apart(lambda _: [], generate, fields)

    assert given(name="crash") == {"error": "it crashes"}
    assert given(name="other") == {"error": "KeyError: 'code'"}
    assert given(name="good", code="void f(void);")["code"] == dict.fromkeys(("f32", "f64"), "void f(void);")
    monkeypatch.setattr(graph, "LIMIT", 0.2)
    assert given(name="slow") == {"error": "it takes more than 0.2 s"}


def test_calls_are_as_each_wants_them() -> None:
    kernel = problem("quat_to_dcm_unit").kernel
    assert plain(kernel, "f").call == "f(x0 + 4 * i, y0);"
    assert "const real *arg[] = {x0 + 4 * i};" in pointers(kernel, "f").call
    assert objects(kernel, "f").before == "f_given(x0, CALLS);"
    assert objects(kernel, "f").after == "f_found(y0);"
    assert [p.name for p in PEERS if p.convention is not plain] == ["casadi"]


def test_pinocchio_says_what_it_has() -> None:
    named = set(pinocchio.NAMED.findall(pinocchio.SOURCE.read_text()))
    assert {"motion_cross", "ur5_inverse_dynamics"} < named < OPERATIONS.keys()
    assert len(JOINTS) == 6


@pytest.fixture
def three(place: Path) -> tuple[Problem, list[Measured]]:
    """Ours in both forms, and the hand, with made-up instructions."""
    stated = problem("inertia_transform")
    measured = counted([*ours([stated], place), *by_hand([stated], place)])
    for m, instructions in zip(measured, (90, 200, 100), strict=True):
        m.compiled["m4f"] = Static(instructions, 4 * instructions, 0)
    return stated, measured


def test_tables_show_the_least_figure_and_its_ratio(three: tuple[Problem, list[Measured]]) -> None:
    stated, measured = three
    expert, _, hand = measured
    assert least(measured, stated, "featherc", lambda m: m.compiled["m4f"].instructions) == 90
    text = as_markdown([stated], measured, {"other": "1.0"}, {"absent": "it is gone"})
    assert "| inertia_transform | 90 | 100 | 110 | 0.900 |" in text
    assert "- absent is not measured: it is gone." in text
    ours_least = least(measured, stated, "featherc", OPERATIONS_TABLE.figure)
    assert f"| inertia_transform | {ours_least} | {hand.total} | 95 |" in text
    content = json.loads(as_json(measured, {}, {}))
    assert [c["form"] for c in content["candidates"]] == ["expert", "textbook", "expert"]
    assert content["candidates"][0]["total"] == expert.total
    assert content["candidates"][2]["checks"] is None


def test_the_summary_has_checks_and_the_mean_over_textbook_forms(place: Path) -> None:
    stated = [problem("motion_cross"), problem("rigid_body_dynamics_quat")]
    measured = counted([*ours(stated, place), *by_hand(stated, place)])
    for m, figure in zip(list(measured), (30, 30, 172, 180, 30, 172), strict=True):
        m.total = figure
    for form, totals in (("textbook", (60, 360)), ("expert", (40, 200))):
        for p, figure in zip(stated, totals, strict=True):
            candidate = Candidate(p, "other", form, {}, {})
            measured.append(Measured(candidate, total=figure))
    text = as_markdown(stated, measured, {}, {})
    row = "| motion_cross | 30 | 0 | 0 | 30 | hand | 1.000 | 30 | 1.000 | 30 | 60 | other | 0.500 |"
    assert row in text
    checks = next(m.checks for m in measured if m.candidate.problem is stated[1])
    assert checks is not None
    assert checks["cmp"] > 0
    assert f"| rigid_body_dynamics_quat | 172 | {checks['cmp']} | {checks['select']} | 172 | hand |" in text
    assert f"|  |  |  | {math.sqrt(0.5 * 0.5):.3f} |" in text


def test_what_is_not_c_has_no_operations() -> None:
    sources = {"f64": Path("a.cpp"), "f32": Path("b.cpp")}
    (m,) = counted([Candidate(problem("motion_cross"), "pin", "expert", sources, {})])
    assert m.total is None
    assert m.operations == {}


HEADER = """
 * Symbolic function: half_and_rows
template <typename Scalar>
matrix::Matrix<Scalar, 2, 2> HalfAndRows(const matrix::Matrix<Scalar, 2, 2>& P, const Scalar R,
                                         Scalar* const half = nullptr) {
  // Input arrays
  const Scalar _tmp0 = std::pow(P(1, 0), Scalar(2));
  matrix::Matrix<Scalar, 2, 2> _res;
  _res.setZero();
  _res(0, 1) = _tmp0 * R;
  if (half != nullptr) {
    Scalar& _half = (*half);
    _half = math::min<Scalar>(0, R) / 2;
  }
  return _res;
}  // NOLINT(readability/fn_size)
"""


def test_templates_of_px4_are_read(tmp_path: Path) -> None:
    tool("gcc")
    (tmp_path / GENERATED[0]).mkdir(parents=True)
    (tmp_path / GENERATED[0] / "half_and_rows.h").write_text(HEADER)
    (found,) = functions(tmp_path).values()
    source = tmp_path / "f.c"
    source.write_text(found.c("float", "f"))
    call = caller(library(source)["f"], [False, True], [1, 4], ctypes.c_float)
    half, rows = call([np.array([1, 2, 3, 4]), np.array([-5])])
    assert (list(half), list(rows)) == ([-2.5], [0, -45, 0, 0])
