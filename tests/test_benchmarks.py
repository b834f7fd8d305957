"""The benchmark: the forms of a problem and the code written by hand agree, and the tables add up."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from benchmarks.candidates import by_hand, ours
from benchmarks.measure import Measured, counted, run
from benchmarks.problems import problems
from benchmarks.report import as_json, as_markdown, least
from codegen.cost.static import Static
from tests.conftest import tool

SMALL = {"central_transform", "motion_cross", "quat_to_dcm_unit"}
PLAIN = {"O0": ["-O0"]}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


def test_all_forms_and_the_hand_compute_the_same(place: Path) -> None:
    tool("gcc")
    stated = [p for p in problems() if p.kernel.name in SMALL]
    measured = counted([*ours(stated, place), *by_hand(stated, place)])
    assert run(stated, measured, place, 1, PLAIN) == []
    assert len(measured) == 3 * len(stated) == 3 * len(SMALL)
    assert all(time > 0 for m in measured for time in m.times.values())


def test_a_wrong_result_is_found(place: Path) -> None:
    tool("gcc")
    (problem,) = (p for p in problems() if p.kernel.name == "motion_cross")
    measured = counted([*ours([problem], place), *by_hand([problem], place)])
    source = measured[-1].candidate.sources["f64"]
    source.write_text(source.read_text().replace("w[1] * u[5] - w[2] * u[4]", "w[1] * u[5] + w[2] * u[4]"))
    (line,) = run([problem], measured, place, 1, PLAIN)
    assert line.startswith("hand_motion_cross_f64 is off by")


def test_tables_show_the_least_figure_and_its_ratio(place: Path) -> None:
    stated = problems()[:1]
    ours_expert, ours_textbook = counted(ours(stated, place))
    (hand,) = counted(by_hand(stated, place))
    for m, instructions in ((ours_expert, 90), (ours_textbook, 200), (hand, 100)):
        m.compiled["m4f"] = Static(instructions, 4 * instructions, 0)
    measured: list[Measured] = [ours_expert, ours_textbook, hand]
    assert least(measured, stated[0], "featherc", lambda m: m.compiled["m4f"].instructions) == 90
    text = as_markdown(stated, measured, {"other": "1.0"}, {"absent": "it is gone"})
    assert "| inertia_transform | 90 | 100 | 0.90 |" in text
    assert "- absent is not measured: it is gone." in text
    assert f"| inertia_transform | {ours_expert.total} | {hand.total} | 95 |" in text
    content = json.loads(as_json(measured, {}, {}))
    assert [c["form"] for c in content["candidates"]] == ["expert", "textbook", "expert"]
    assert math.isclose(content["candidates"][2]["total"], hand.total)
