"""The cases of status flags that a model does not state: written from its formula, and proven of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from codegen.emit.cases import cases_of
from codegen.emit.options import Options
from codegen.explain.inspection.content import failures
from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import REAL, Scalar
from codegen.library import library
from codegen.loading.python_file import load_model
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.scalar import let, require, select
from codegen.proof.derivation import derivation
from codegen.proof.guards import compare_conditions
from codegen.proof.outcomes import compare_outcomes
from tests.conftest import ROOT, Featherc


@cache
def quadrotor(name: str = "quadrotor_dynamics") -> Kernel:
    return load_model(ROOT / "examples" / "quadrotor.py")[name]


def test_the_flags_of_a_model_that_solves_equations_have_conditions_and_results() -> None:
    stated = {flag: [str(case) for case in cases] for flag, cases in cases_of(quadrotor()).items()}
    assert quadrotor().failures == {}
    assert stated[Status.MASS] == [
        "unless `m > min` (in rigid_body_dynamics_quat): `dv_B = 0`; "
        "`dw_B` is computed with a constant in place of each value that fails"
    ]
    assert stated[Status.SINGULAR][1].startswith(
        "rigid_body_dynamics_quat returns this flag: unless `J_xx > 0, "
    )
    assert stated[Status.SINGULAR][1].endswith(": `dw_B = 0`")
    assert stated[Status.NOT_FINITE][0] == (
        "unless `|sum(dp_N, dq)| <= max` (in rigid_body_dynamics_quat): `dp_N = 0, dq = 0`"
    )


def test_a_condition_on_a_value_of_many_shared_steps_is_written_at_once() -> None:
    """There are 2^200 ways from the condition to the input."""

    @kernel(
        inputs=[Arg("x", REAL, "1", "")], outputs=[Arg("z", REAL, "1", "")], equation="", source=""
    )  # fmt: skip
    def iterated(x: Scalar) -> Scalar:
        """Many steps, each of which uses the value before it twice."""
        y = x
        for _ in range(200):
            y = let("y", y * (1 - y))
        return select(require(y > 0, Status.OUTSIDE), y, 0)

    ((case,),) = cases_of(iterated).values()
    assert case.unless.startswith("y200 > 0, y200 = y199 (1 - y199), ")


def test_a_result_of_another_number_is_a_changed_one() -> None:
    """Python's hashes of -1 and -2 are equal."""

    @kernel(
        inputs=[Arg("x", REAL, "1", "")], outputs=[Arg("z", REAL, "1", "")], equation="", source=""
    )  # fmt: skip
    def sign_or_other(x: Scalar) -> Scalar:
        """-1 where x is positive."""
        return select(require(x > 0, Status.OUTSIDE), -1, -2)

    ((case,),) = cases_of(sign_or_other).values()
    assert str(case) == "unless `x > 0`: `z = -2`"


def test_the_conditions_and_results_are_those_of_the_formula() -> None:
    coded = replace(quadrotor(), failures=cases_of(quadrotor()))
    for verdict in (compare_conditions(coded), compare_outcomes(coded)):
        assert verdict is not None
        assert verdict.agreed, verdict


@pytest.mark.parametrize(
    "name", ["quat_normalize", "rpy_kinematics", "air_data_from_velocity", "rigid_body_dynamics_quat"]
)
def test_a_kernel_without_its_statements_has_the_same_conditions(name: str) -> None:
    """What is written from a formula is what a person states of it, which is proven."""
    bare = replace(library()[name], failures={})
    coded = replace(bare, failures=cases_of(bare))
    assert set(coded.failures) == set(library()[name].failures)
    verdict = compare_conditions(coded)
    assert verdict is not None
    assert verdict.agreed, verdict


def test_a_wrong_case_would_be_found() -> None:
    cases = dict(cases_of(quadrotor()))
    cases[Status.MASS] = (Failure("m > 2 min", "dv_B = 0"),)
    verdict = compare_conditions(replace(quadrotor(), failures=cases))
    assert verdict is not None
    assert not verdict.agreed


def test_a_condition_that_is_too_long_is_that_of_the_kernel_that_is_called() -> None:
    (first, second) = cases_of(quadrotor("quadrotor_jacobians"))[Status.SINGULAR]
    assert first.unless == "J_B_xx > 0, |J_B_xx| <= max"
    assert second.unless == ""
    assert second.words.startswith("rigid_body_dynamics_quat returns this flag: unless `J_xx > 0, ")


def test_a_statement_of_the_model_is_kept() -> None:
    solve = library()["inertia_solve"]
    stated = {f: tuple(replace(c, beside="") for c in cases) for f, cases in cases_of(solve).items()}
    assert stated == solve.failures


def test_inspect_the_step_and_the_card_print_them(featherc: Featherc) -> None:
    shown = {name: case.condition for name, case in failures(quadrotor(), Options())}
    assert shown["MASS"] == "unless `m > min` (in rigid_body_dynamics_quat)"
    (guard,) = (s for s in derivation(quadrotor()) if s.title == "Test the arguments and the results")
    assert "MASS: unless `m > min`" in guard.equation
    assert "see the status flags" not in guard.equation
