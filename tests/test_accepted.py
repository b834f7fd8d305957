"""Trials, self-tests and headers know the results of a function whose requirements rarely hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codegen import REAL, Arg, Status, kernel, require, select
from codegen.emit.untested import untested
from codegen.ir.accepted import accepted, returns_no_flag
from codegen.modeling.kernel import Kernel
from tests.conftest import Featherc, sampled

MODEL = """
from codegen import REAL, Arg, Failure, Status, kernel, require, select

@kernel(
    inputs=[Arg("p", REAL, "Pa", "pressure"), Arg("z", REAL, "Pa", "offset")],
    outputs=[Arg("y", REAL, "Pa", "sum")],
    equation="y = p + z",
    source="a test",
    failures={{Status.DEGENERATE: Failure("p > {least}", "y = 0")}},
)
def gauge(p, z):
    \"\"\"Sum of two pressures.\"\"\"
    ok = require(p > {least}, Status.DEGENERATE)
    return select(ok, p + z, 0)
"""


def gauge(least: int) -> Kernel:
    def gauge(p, z):  # type: ignore[no-untyped-def]
        """Sum of two pressures."""
        return select(require(p > least, Status.DEGENERATE), p + z, 0)

    inputs = [Arg("p", REAL, "Pa", "pressure"), Arg("z", REAL, "Pa", "offset")]
    outputs = [Arg("y", REAL, "Pa", "sum")]
    return kernel(inputs=inputs, outputs=outputs, equation="y = p + z", source="a test")(gauge)


@pytest.mark.parametrize("least", sampled([10, 1000, 100_000], every=3))
def test_cases_are_found_at_which_a_requirement_holds(least: int) -> None:
    of = gauge(least)
    found = accepted(of.inputs, of.program(True), 5, "a test")
    assert len(found) == 5
    assert all(returns_no_flag(of.program(True), found))
    assert found == accepted(of.inputs, of.program(True), 5, "a test")
    assert untested(of) == (("p", "z"), ("y",))


def test_none_is_found_where_it_holds_nowhere() -> None:
    of = gauge(10**9)
    assert accepted(of.inputs, of.program(True), 5, "a test") == []


def verified(featherc: Featherc, place: Path, least: int) -> tuple[str, dict[str, float]]:
    """What `verify` says, and its row of the function in float."""
    (place / "mine.py").write_text(MODEL.format(least=least))
    assert featherc("generate", "--model", "mine.py", "-o", "c").code == 0
    said = featherc("verify", "c", "--model", "mine.py")
    rows = json.loads(featherc("verify", "--json", "c", "--model", "mine.py").out)
    assert said.code == 0
    return said.out + said.err, next(row for row in rows if row["precision"] == "f32")


def test_verify_measures_the_results_that_a_requirement_guards(featherc: Featherc, place: Path) -> None:
    said, row = verified(featherc, place, 1000)
    assert row["worst_ulp"] > 0  # a sum of numbers of 12 digits is rounded, the 0 of a failure is not
    assert "no input was found" not in said
    assert "With FC_OK, y may be infinite or NaN" in (place / "c" / "fc_mine_f32.h").read_text()
    (vector, *_) = (place / "c" / "selftest.c").read_text().split("table_fc_gauge_f64[] = {\n")[1:]
    assert vector.split()[0] == "0.0,"  # its status


def test_verify_says_where_no_input_is_accepted(featherc: Featherc, place: Path) -> None:
    said, row = verified(featherc, place, 10**9)
    assert row["worst_ulp"] == 0
    assert "fc_gauge_f32: no input was found at which it returns no flag" in said
    assert "No input was found at which it returns FC_OK" in (place / "c" / "fc_mine_f32.h").read_text()
