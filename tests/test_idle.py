"""Inputs on which no result depends: a note names them, except where they are there by design."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.emit.idle import idle_inputs
from codegen.library import library
from codegen.loading.python_file import load_model
from codegen.mechanisms import Mechanism, robot_kernels
from tests.conftest import ROOT, Featherc, sampled

HEAD = """
from codegen import *

X, T = Arg("x", REAL, "m", "a length"), Arg("t", REAL, "s", "a time")
Y, ABOUT = Arg("y", REAL, "m", "a length"), {"equation": "", "source": "a test"}
PAIR = record("pair", "two numbers", [X, T])
"""

BODIES = {
    "x": "f: no result depends on t",
    "x * (1 // 2)": "f: no result depends on x and t",
    "x + 0 * t": "f: no result depends on t",
    "select(t > 0, x, 0)": "",
}


def notes(model: str, place: Path) -> list[str]:
    (place / "mine.py").write_text(model)
    return list(idle_inputs(load_model(place / "mine.py").values(), True))


@pytest.mark.parametrize("result", BODIES)
def test_an_input_that_no_result_needs_is_named(result: str, tmp_path: Path) -> None:
    model = f"{HEAD}@kernel(inputs=[X, T], outputs=[Y], **ABOUT)\ndef f(x, t):\n    return {result}\n"
    assert notes(model, tmp_path) == [BODIES[result]] * bool(BODIES[result])


def test_a_member_that_no_result_needs_is_named(tmp_path: Path) -> None:
    model = f"""{HEAD}
@kernel(inputs=[PAIR.argument("p", "two")], outputs=[Y], **ABOUT)
def f(p):
    return p.x
"""
    assert notes(model, tmp_path) == ["f: no result depends on p.t"]


def test_what_is_tested_or_integrated_is_needed(tmp_path: Path) -> None:
    """A position beside its rate is a state, whose derivative may be asked for."""
    model = f"""{HEAD}
RATE = Arg("dx", REAL, "m/s", "rate of x")
V = Arg("v", REAL, "m/s", "a velocity")

@kernel(inputs=[X, V, T], outputs=[RATE], failures={{Status.MASS: Failure("t > 0", "dx = v")}}, **ABOUT)
def f(x, v, t):
    require(t > 0, Status.MASS)
    return v

slopes = jacobian(f, "slopes", ["dx"], {{"D": ["x", "v"]}})
"""
    assert notes(model, tmp_path) == []


BLOCK = """
@block(states=[State("x", REAL, "m", "a place"), State("kept", REAL, "m", "the last place")], inputs=[V, W],
       parameters=[K, Arg("idle", REAL, "1", "")], reset=start, **ABOUT)
def f(x, kept, v, w, k, idle):
    return x + k * v, x


"""


def test_a_block_needs_what_one_of_its_functions_needs(tmp_path: Path) -> None:
    model = f"""{HEAD}
V, W, K = Arg("v", REAL, "1", ""), Arg("w", REAL, "m", "where it begins"), Arg("k", REAL, "m", "")

def start(w):
    return w, w
{BLOCK}"""
    assert notes(model, tmp_path) == ["f: no result depends on parameters.idle"]


def test_generate_says_so(place: Path, featherc: Featherc) -> None:
    (place / "mine.py").write_text(
        f"{HEAD}@kernel(inputs=[X, T], outputs=[Y], **ABOUT)\ndef f(x, t):\n    return x\n"
    )
    done = featherc("generate", "--model", "mine.py", "-o", "c")
    assert (done.code, done.err) == (0, "note: f: no result depends on t\n")


SLOW = ("ekf", "error_state", "inertial", "ur5", "f16_aero")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(path.stem, marks=pytest.mark.exhaustive if path.stem in SLOW else ())
        for path in sorted((ROOT / "examples").glob("*.py"))
    ],
)
def test_examples_need_all_their_inputs(name: str) -> None:
    assert list(idle_inputs(load_model(ROOT / "examples" / f"{name}.py").values(), True)) == []


def test_robots_have_the_inputs_of_their_kind() -> None:
    """The accelerations of an arm that turns about one vertical axis do not depend on its position."""
    robot = Mechanism.from_urdf(ROOT / "examples/arm.urdf")
    assert list(idle_inputs(robot_kernels(robot, ["com"]), True)) == []


@pytest.mark.parametrize("name", sampled(library(), every=40))
def test_functions_of_the_library_are_not_looked_at(name: str) -> None:
    """Those of rigid bodies have a position, as their states do."""
    assert list(idle_inputs([library()[name]], True)) == []
