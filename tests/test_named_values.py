"""The step that a model's derivation has from its structure: the values that its formula names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from codegen import REAL, Arg, Matrix, Quaternion, SymMat3, Symmetric, Vec3, Vector, kernel, let
from codegen.ir.operations import Op
from codegen.loading.model_file import load_kernels
from codegen.modeling.equations import written as module
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.scalar import select, sqrt
from codegen.notation.unicode import line
from codegen.proof.derivation import NAMED_VALUES, derivation
from codegen.proof.named_values import named_values
from codegen.provenance.shown import rows
from tests.conftest import ROOT

INPUTS = [
    Arg("v_B", Vec3, "m/s", "velocity"),
    Arg("k", REAL, "1", "gain"),
    Arg("J_B", SymMat3, "kg m^2", "J"),
]


def made(formula: Any, *outputs: Arg) -> Kernel:
    return kernel(inputs=INPUTS, outputs=outputs, equation="", source="a book", name="model")(formula)


def test_named_values_stand_below_the_results_that_need_them() -> None:
    def drag(v_B: Vec3, k: Any, J_B: SymMat3) -> Any:
        speed = let("speed", sqrt(v_B.dot(v_B)))
        return (v_B * let("factor", -k * speed), select(speed > 3, speed, 1 / k))

    text = named_values(made(drag, Arg("F_B", Vec3, "N", "drag"), Arg("limited", REAL, "m/s", "limited")))
    assert text.splitlines() == [
        "F_B = [v_B_x factor, v_B_y factor, v_B_z factor];",
        "limited = {speed if speed > 3, 1 / k otherwise};",
        "speed = sqrt(v_B_x^2 + v_B_y^2 + v_B_z^2);",
        "factor = (-k) speed",
    ]


def test_names_that_a_formula_gives_twice_are_counted() -> None:
    def twice(v_B: Vec3, k: Any, J_B: SymMat3) -> Any:
        return let("t_x", v_B.x * k) + let("t_x", v_B.y * k)

    assert named_values(made(twice, Arg("y", REAL, "", ""))).splitlines() == [
        "y = t_x + t2_x;", "t_x = v_B_x k;", "t2_x = v_B_y k",
    ]  # fmt: skip


def test_what_is_written_is_compared_with_the_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    def plain(v_B: Vec3, k: Any, J_B: SymMat3) -> Any:
        return let("a", v_B.x * k) - J_B.xy

    right = made(plain, Arg("y", REAL, "", ""))
    assert named_values(right) == "y = a - J_B_xy;\na = v_B_x k"
    monkeypatch.setitem(module._SIGNS, Op.SUB, (" + ", 1))
    assert named_values(right) == ""


def test_vectors_and_matrices_are_written_as_such() -> None:
    inputs = [
        Arg("x", Vector(2), "m; m/s", "height and climb rate"),
        Arg("P", Symmetric(2), "mixed", "covariance"),
        Arg("dt", REAL, "s", "step"),
        Arg("r", REAL, "m^2", "variance"),
    ]
    outputs = [Arg("x_next", Vector(2), "m; m/s", "state")]

    @kernel(inputs=inputs, outputs=outputs, equation="a Kalman filter", source="a book")
    def step(x: Any, P: Any, dt: Any, r: Any) -> Any:
        F = let("F", Matrix.from_rows([[1, dt], [0, 1]]))
        P_p = let("P_p", F @ P @ F.T)
        K = let("K", P_p[:, 0] / let("S", P_p[0, 0] + r))
        return F @ x + K * (F @ x)[0]

    assert named_values(step).splitlines() == [
        "x_next = [x[0] + dt x[1] + K[0] (x[0] + dt x[1]), x[1] + K[1] (x[0] + dt x[1])];",
        "F = [[1, dt], [0, 1]];",
        "P_p = [[P[0, 0] + dt P[0, 1] + P_p_01 dt, P_p_01], [P_p_01, P[1, 1]]];",
        "K = [P_p[0, 0] / S, P_p_01 / S];",
        "P_p_01 = P[0, 1] + dt P[1, 1];",
        "S = P_p[0, 0] + r",
    ]


def test_a_model_without_an_equation_has_that_of_its_formula() -> None:
    def unnamed(v_B: Vec3, k: Any, J_B: SymMat3) -> Any:
        return v_B.x * k

    without = made(unnamed, Arg("y", REAL, "", ""))
    assert named_values(without) == "y = v_B_x k"
    assert named_values(replace(without, equation="y = k v_B_x")) == ""
    (first, *_) = derivation(without)
    assert first.equation


def test_a_model_that_is_too_long_has_no_such_step() -> None:

    def long(v_B: Vec3, k: Any, J_B: SymMat3) -> Any:
        total = let("first", v_B.x * k)
        for i in range(400):
            total = let(f"step_{i}", total * k + v_B.y)
        return total

    assert named_values(made(long, Arg("y", REAL, "", ""))) == ""


@pytest.mark.parametrize("name", ["quadrotor.quadrotor_dynamics", "inertial.strapdown"])
def test_an_example_shows_its_structure(name: str) -> None:
    file, function = name.split(".")
    model = load_kernels(ROOT / "examples" / f"{file}.py")[function]
    (step,) = (s for s in derivation(model) if s.title == NAMED_VALUES)
    shown = [line(row) for row in rows(model, step.equation)]
    assert len(shown) > 10
    if function == "quadrotor_dynamics":  # whose equation calls the speed of a rotor a
        assert next(s for s in shown if s.startswith("a")) == "a_2 = torque_x inv_Jxx"


def test_the_inputs_of_the_formula_keep_their_components() -> None:
    inputs = [Arg("q_AB", Quaternion, "1", "attitude"), Arg("s", REAL, "1", "scale")]
    formula = kernel(inputs=inputs, outputs=[Arg("y", REAL, "", "")], equation="", source="", name="model")
    found = formula(lambda q_AB, s: let("a", q_AB.w * s) + q_AB.z)
    assert named_values(found) == "y = a + q_AB_z;\na = q_AB_w s"
