"""What is shown of robots and filters is checked: every equation is proven, and no change of one is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from codegen import Axis, Table
from codegen.errors import FeatherError
from codegen.frontends.table_kernel import table_kernel
from codegen.loading.model_file import load_kernels
from codegen.mechanisms import Mechanism, robot_kernels
from codegen.mechanisms.description.inputs import Inputs
from codegen.mechanisms.kernels.functions import FUNCTIONS, ON_REQUEST
from codegen.modeling.equations.textbook import equation_condition, equation_program, unevaluated
from codegen.modeling.kernel import Kernel
from codegen.proof.equivalence import Driven, compare
from codegen.proof.proof import closed_form, residual
from tests.conftest import ROOT, prove_as_written
from tests.test_filters import filtered
from tests.test_joint_types import JOINTS, pair
from tests.test_mechanism_inputs import ALL
from tests.test_mechanisms import branches
from tests.test_shown import is_evaluated, mutants


@pytest.fixture(autouse=True)
def _as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    prove_as_written(monkeypatch)


def holds(kernel: Kernel) -> bool:
    """Whether the equation that is shown is evaluated, and found to be right, as a proof does it."""
    program, condition = equation_program(kernel), equation_condition(kernel)
    if program is not None:
        ways = {"formula": Driven(closed_form(kernel)), "equation": Driven(program)}
        if not compare(kernel.inputs, ways, kernel.name).agreed:
            return False
    if condition is not None and not residual(kernel, condition).holds:
        return False
    return program is not None or condition is not None


CONTACT = Inputs(contacts=("c",))


def winding(floating: bool = False) -> Mechanism:
    """A joint that screws, and one that turns after it."""
    robot = pair("offset", floating)
    screw = replace(robot.joints[0], kind="helical", pitch="0.05")
    return replace(robot, joints=(screw, *robot.joints[1:]))


ROBOTS: dict[str, Callable[[], Any]] = {
    "fixed": lambda: pair("friction").with_inputs(CONTACT),
    "floating": lambda: pair("friction", True).with_inputs(CONTACT),
    "arguments": lambda: branches().with_inputs(ALL),
    "floating with arguments": lambda: branches(True).with_inputs(ALL),
    "winding": winding,
    "floating winding": partial(winding, True),
    "armature": lambda: pair("mimic").with_armature(first="0.02", second="0.01"),
    **{name: partial(pair, name) for name in JOINTS},
    **{f"floating {name}": partial(pair, name, True) for name in JOINTS},
}


def functions_of(robot: str) -> Iterator[Kernel]:
    """All functions that there are of a robot."""
    for name in (*FUNCTIONS, *ON_REQUEST):
        made: list[Kernel] = []
        with suppress(FeatherError):
            made = robot_kernels(ROBOTS[robot](), [name])
        yield from made


def test_no_equation_of_a_robot_is_only_a_text() -> None:
    every = list(functions_of("fixed"))
    assert len(every) >= 16
    assert {k.name: unevaluated(k) for k in every if not is_evaluated(k)} == {}


RARE = ["floating winding", "mimic", "offset", "friction", *(f"floating {name}" for name in JOINTS)]
"""Robots whose equations differ little from those of others, as joints of each type do on a free base."""


@pytest.mark.parametrize(
    "robot",
    [pytest.param(r, marks=pytest.mark.fuzz if r in RARE else pytest.mark.exhaustive) for r in ROBOTS],
)
def test_what_is_shown_of_every_function_of_a_robot_holds(robot: str) -> None:
    assert [k.name for k in functions_of(robot) if not holds(k)] == []


ALPHA, MACH = Axis([-10, 0, 10, 20], "deg", "angle"), Axis([0, 1, 3], "1", "number")
TABLES: dict[str, tuple[dict[str, Axis], list[Any]]] = {
    "alpha": ({"alpha": ALPHA}, [1, 2, 4, 3]),
    "mach": ({"mach": MACH}, [1, 5, 2]),
    "pair": ({"side": Axis([0, 1], "1", "side")}, [2, 3]),
    "both": ({"alpha": ALPHA, "mach": MACH}, [[1, 2, 3], [4, 5, 9], [0, 2, 5], [3, 3, 1]]),
}
MODELS = [
    *(
        (robot, function)
        for function in (*FUNCTIONS, *ON_REQUEST)
        for robot in ("floating", "fixed")
        if function != "base_parameters"
    ),  # its equation is a product of two names
    *(("inertial", name) for name in ("fuse_heading", "fuse_position_y", "correct")),
    *(("filter", name) for name in ("predict_joseph", "predict_ud", "fuse_ud")),
    ("armature", "kinetic_energy"),
    *(("controllers", f"{name}_step") for name in ("low_pass", "notch", "rate_limiter", "pid")),
    *(("ekf", name) for name in ("state_prediction", "covariance_prediction")),
    *(("inertial", "strapdown"), ("quadrotor", "quadrotor_dynamics"), ("mixing", "mixing")),
    ("f16_aero", "f16_aerodynamics"),
    *(("tables", f"{outside}_{over}") for outside in ("hold", "extrapolate") for over in TABLES),
]
OF_SLIDES = {
    "jacobian_spatial": "winding",
    "jacobian_local_rate": "helical",
    "jacobian_spatial_rate": "winding",
}
"""Robots whose screws slide, which these functions show: at the base or at the frame they do not."""
for name, robot in OF_SLIDES.items():
    MODELS = [*(m for m in MODELS if m[1] != name), (robot, name), (f"floating {robot}", name)]
OF_BASES = (
    "rnea_base_derivatives", "forward_dynamics_base_derivatives", "jacobian_base", "jacobian_local_base"
)  # fmt: skip
"""Functions of robots whose base floats."""
MODELS = [(robot, name) for robot, name in MODELS if robot != "fixed" or name not in OF_BASES]
LONG = ("floating", "forward_dynamics_base_derivatives")
"""A function whose equations take long, and are made of those of two others."""
QUICK = [
    ("floating", "rnea"),
    ("fixed", "forward_dynamics"),
    ("inertial", "fuse_position_y"),
    ("controllers", "low_pass_step"),
    ("tables", "hold_both"),
]


def kernel_of(model: str, function: str) -> Kernel:
    if model == "filter":
        return next(k for form in ("joseph", "ud") for k in filtered(form) if k.name == function)
    if model == "tables":
        outside, _, over = function.partition("_")
        axes, data = TABLES[over]
        return table_kernel(Table("C", axes, data, unit="1", outside=outside, doc="coefficient"))
    if model in ROBOTS:
        return robot_kernels(ROBOTS[model](), [function])[0]
    return load_kernels(ROOT / "examples" / f"{model}.py")[function]


ALIKE = (
    "[[E_i, 1]", "[[s_k~", "[1, C_f]]", "d_k - alpha_k", "u_k - omega_k", "s_k x alpha_k", "s_k x omega_k",
)  # fmt: skip
"""Changes that are none for these robots: their points of contact are origins of bodies, so that s_k is 0,
and the first body only turns about a fixed point."""


def survivors(model: str, function: str, first: int, every: int) -> list[str]:
    """Changes of the equation that are not seen: every so many of them, from one on."""
    kernel = kernel_of(model, function)
    every_one = [text for text in mutants(kernel.equation) if not any(part in text for part in ALIKE)]
    texts = every_one[first::every]
    assert texts
    return [text for text in texts if holds(replace(kernel, equation=text))]


@pytest.mark.parametrize(("model", "function"), QUICK)
def test_a_few_changes_of_what_is_shown_of_a_model_are_seen(model: str, function: str) -> None:
    assert survivors(model, function, 0, 9) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize(("model", "function"), [model for model in MODELS if model != LONG])
def test_changes_of_what_is_shown_of_a_model_are_seen(model: str, function: str) -> None:
    assert survivors(model, function, 0, 8) == []


@pytest.mark.fuzz
@pytest.mark.parametrize(("model", "function"), MODELS)
def test_no_change_of_what_is_shown_of_a_model_is_missed(model: str, function: str) -> None:
    assert survivors(model, function, 0, 1) == []
