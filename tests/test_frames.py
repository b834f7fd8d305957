"""Frames: a value is used in the frame that its argument declares, and a mistake names both frames."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codegen import (
    REAL,
    Arg,
    InertiaTensor,
    Kernel,
    Mat3,
    Motion,
    Quaternion,
    Rotation,
    State,
    Transform,
    UnitQuaternion,
    Vec3,
    block,
    cos,
    in_frame,
    jacobian,
    kernel,
    record,
    repeat,
    select,
    sin,
)
from codegen.errors import FeatherError
from codegen.frontends.framed import check_frames
from codegen.library import library
from codegen.library.rotation.kernels import (
    dcm_from_rpy,
    quat_multiply,
    quat_rotate,
    quat_rotate_inverse,
    quat_to_dcm_unit,
)

REMEDY = "rotate one of them, or state by in_frame(value, frame) in which frame it is to be seen"

v_N = Arg("v_N", Vec3, "1", "velocity", "N")
w_N = Arg("w_N", Vec3, "1", "wind", "N")
v_B = Arg("v_B", Vec3, "1", "velocity", "B")
F_B = Arg("F_B", Vec3, "1", "force", "B")
q_NB = Arg("q_NB", UnitQuaternion, "1", "attitude", "B to N")
q_BC = Arg("q_BC", UnitQuaternion, "1", "mounting", "C to B")
R_NB = Arg("R_NB", Rotation, "1", "attitude", "B to N")
J_B = Arg("J_B", InertiaTensor, "1", "inertia", "B")
T_NB = Arg("T_NB", Transform, "1", "pose", "B to N")
V_B = Arg("V_B", Motion, "1", "twist", "B")
s = Arg("s", REAL, "1", "number")
rpy = Arg("rpy", Vec3, "rad", "roll, pitch, yaw")


def made(inputs: list[Arg], frame: str, formula: Callable[..., Any], kind: Any = Vec3) -> Kernel:
    output = Arg("y", kind, "1", "result", frame)
    decorate = kernel(inputs=inputs, outputs=[output], equation="", source="", name="mine")
    names = ", ".join(a.name for a in inputs)
    return decorate(eval(f"lambda {names}: _f({names})", {"_f": formula}))


def mistake(inputs: list[Arg], frame: str, formula: Callable[..., Any], kind: Any = Vec3) -> str:
    with pytest.raises(FeatherError) as caught:
        check_frames(made(inputs, frame, formula, kind))
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("name", library())
def test_library_mixes_no_frames(name: str) -> None:
    check_frames(library()[name])


COMBINED = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a.cross(b),
    lambda a, b: a * a.dot(b),
    lambda a, b: select(a.x > 0, a, b),
    lambda a, b: Vec3(0, 0, 9.8) - a + 2 * (b * b.norm),
    lambda a, b: sum([a, b], Vec3.zero()),
]


@pytest.mark.parametrize("formula", COMBINED)
def test_vectors_of_two_frames_are_not_combined(formula: Callable[..., Any]) -> None:
    told = mistake([v_N, v_B], "N", formula)
    assert " in N" in told
    assert " in B" in told
    assert told.endswith(REMEDY)
    check_frames(made([v_N, w_N], "N", formula))


def test_the_message_names_the_kernel_and_both_vectors() -> None:
    assert mistake([v_N, v_B], "N", lambda a, b: a + b) == (
        f"kernel mine: v_N in N is combined with v_B in B: {REMEDY}"
    )


def test_a_rotation_turns_vectors_of_its_frame_only() -> None:
    told = mistake([R_NB, v_N], "N", lambda R, v: R @ v)
    assert told == (
        "kernel mine: R_NB from B to N is multiplied by v_N in N: "
        f"write R_NB.transpose, which is from N to B, or {REMEDY}"
    )
    assert "from N to B" in mistake([R_NB, v_B], "N", lambda R, v: R.transpose @ v)
    check_frames(made([R_NB, v_N], "B", lambda R, v: R.transpose @ v))
    check_frames(made([R_NB, v_N], "B", lambda R, v: R.solve(v)))
    assert "y is declared in N" in mistake([R_NB, v_N], "N", lambda R, v: R.transpose @ v)
    assert "multiplied" in mistake([R_NB, v_B], "N", lambda R, v: R.solve(v))


def test_rows_and_columns_of_a_rotation_are_axes() -> None:
    check_frames(made([R_NB, v_B], "B", lambda R, v: R.row(2) + v))
    check_frames(made([R_NB, v_N], "N", lambda R, v: R.column(2) + v))
    assert "combined" in mistake([R_NB, v_N], "N", lambda R, v: R.row(2) + v)


def test_a_kernel_is_called_with_frames_that_fit_together() -> None:
    told = mistake([q_NB, v_N], "N", lambda q, v: quat_rotate(q, v))
    assert told == (
        "kernel mine: kernel quat_rotate takes q_AB from B to A and v_B in B, but is called with q_NB from B "
        "to N, so that its B is B, and with v_N in N, so that its B is N: write q_NB.conjugate, which is "
        f"from N to B, or {REMEDY}"
    )
    assert "conjugate" not in mistake([q_NB, v_N], "N", lambda q, v: quat_rotate(q, in_frame(v, "C")))
    assert f"its B is N: {REMEDY}" in mistake(
        [q_NB, v_N], "N", lambda q, v: quat_rotate(in_frame(q, "B to N"), v)
    )
    check_frames(made([q_NB, v_B], "N", lambda q, v: quat_rotate(q, v)))
    check_frames(made([q_NB, v_N], "B", lambda q, v: quat_rotate_inverse(q, v)))
    check_frames(made([q_NB, v_N], "B", lambda q, v: quat_rotate(q.conjugate, v)))
    assert "called with" in mistake([q_NB, v_B], "B", lambda q, v: quat_rotate(q.conjugate, v))


def test_the_result_of_a_kernel_is_in_the_callers_frame() -> None:
    assert "declared in B" in mistake([q_NB, v_B], "B", lambda q, v: quat_rotate(q, v))
    assert "combined" in mistake([q_NB, v_B], "B", lambda q, v: quat_rotate(q, v) + v)
    assert "multiplied" in mistake([q_NB, v_N], "N", lambda q, v: quat_to_dcm_unit(q) @ v)


def test_a_kernel_of_the_model_returns_what_it_declares() -> None:
    @kernel(inputs=[s], outputs=[Arg("F", Vec3, "1", "force", "B")], equation="", source="")
    def thrust(s: Any) -> Any:
        """Thrust."""
        return Vec3(s, 0, 0)

    assert "combined" in mistake([s, v_N], "N", lambda x, v: thrust(x) + v)
    check_frames(made([s, v_B], "B", lambda x, v: thrust(x) + v))


def test_letters_of_the_library_stand_for_any_frame() -> None:
    a_B = Arg("a", Vec3, "1", "vector", "camera")
    check_frames(made([rpy, a_B], "gimbal", lambda angles, v: dcm_from_rpy(angles) @ v))


def test_rotations_compose_where_they_meet() -> None:
    for product in (lambda p, q: p @ q, lambda p, q: quat_multiply(p, q)):
        check_frames(made([q_NB, q_BC], "C to N", product, Quaternion))
        assert "from C to N" in mistake([q_NB, q_BC], "N to C", product, Quaternion)
        assert "from C to B is multiplied by q_NB" in mistake([q_BC, q_NB], "C to N", product, Quaternion)


def test_tensors_are_in_a_frame() -> None:
    check_frames(made([J_B, v_B], "B", lambda J, w: w.cross(J @ w)))
    check_frames(made([J_B, v_B], "B", lambda J, w: J.solve(w)))
    check_frames(made([J_B, R_NB, v_N], "N", lambda J, R, w: J.rotated(R) @ w))
    assert "multiplied" in mistake([J_B, v_N], "N", lambda J, w: J @ w)
    assert "multiplied" in mistake([J_B, R_NB], "N", lambda J, R: J.rotated(R.transpose).rows[0])


def test_parts_of_structures_are_in_its_frame() -> None:
    check_frames(made([V_B, v_B], "B", lambda V, w: V.w + w))
    check_frames(made([T_NB, v_B], "N", lambda T, p: T.R @ p + T.p))
    assert "combined" in mistake([V_B, v_N], "N", lambda V, w: V.w + w)
    assert "combined" in mistake([T_NB, v_B], "N", lambda T, p: p + T.p)
    whole = mistake([V_B, v_N], "B", lambda V, w: Motion(w, V.v), Motion)
    assert "output y is declared in B, but its result is v_N in N" in whole


STATE = record("moving", "state", [q_NB, v_N, Arg("height", REAL, "1", "height")])


def test_members_of_records_have_their_own_frames() -> None:
    x = STATE.argument("x", "state")
    assert "v_N in N is combined with v_B in B" in mistake([x, v_B], "N", lambda x, v: x.v_N + v)
    check_frames(made([x, v_B], "N", lambda x, v: x.v_N + quat_rotate(x.q_NB, v)))
    wrong = mistake([x, v_B], "", lambda x, v: STATE(x.q_NB, v, x.height), STATE)  # type: ignore[call-arg]
    assert "output v_N is declared in N, but its result is v_B in B" in wrong


def sandwich(q: Quaternion, v: Vec3) -> Any:
    half = q.vector.cross(v)
    return v + 2 * (q.w * half + q.vector.cross(half))


def turned_by_components(v: Vec3, a: Any) -> Vec3:
    return Vec3(cos(a) * v.x - sin(a) * v.y, sin(a) * v.x + cos(a) * v.y, v.z)


RIGHT: list[tuple[list[Arg], str, Callable[..., Any]]] = [
    ([q_NB, v_B], "N", sandwich),
    ([v_B, s], "N", turned_by_components),
    ([v_B], "flu", lambda v: Vec3(v.x, -v.y, -v.z)),
    ([q_NB, v_B], "N", lambda q, v: (q @ Quaternion.from_parts(0, v) @ q.conjugate).vector),
    ([v_N, s], "N", lambda v, g: v + Vec3(0, 0, g)),
    ([q_NB, v_B, w_N], "N", lambda q, v, w: w + Mat3.identity() @ sandwich(q, v)),
    ([v_N, v_B], "N", lambda a, b: a + in_frame(b, "N")),
    ([v_N, v_B], "N", lambda a, b: a + in_frame(b, "")),
    ([v_N, v_B], "N", lambda a, b: Vec3(a.x, a.y, b.z)),
    ([v_N], "N", lambda v: repeat(3, lambda x: x + v, v)),
]


@pytest.mark.parametrize(("inputs", "frame", "formula"), RIGHT)
def test_no_false_alarm(inputs: list[Arg], frame: str, formula: Callable[..., Any]) -> None:
    check_frames(made(inputs, frame, formula))


def test_a_stated_frame_is_checked() -> None:
    assert "a Vec3 in B" in mistake([v_N, s], "N", lambda v, g: v + in_frame(Vec3(0, 0, g), "B"))


@pytest.mark.parametrize(
    ("value", "frame", "told"),
    [
        (Vec3(1, 2, 3), "B to N", "in_frame of a Vec3 has the frame 'B to N'"),
        (UnitQuaternion(1, 0, 0, 0), "N", "in_frame of a UnitQuaternion has the frame 'N'"),
        (Vec3(1, 2, 3), 7, "in_frame of a Vec3 has the frame 7"),
        (3, "N", "in_frame takes a vector, matrix or quaternion, not a int"),
    ],
)
def test_in_frame_takes_what_can_be_in_it(value: Any, frame: Any, told: str) -> None:
    with pytest.raises(FeatherError) as caught:
        in_frame(value, frame)
    assert str(caught.value).startswith(told)


def test_in_frame_changes_no_value() -> None:
    v = Vec3(1, 2, 3)
    assert in_frame(v, "N") is v


@pytest.mark.parametrize("integrator", ["euler", "rk4", "semi_implicit"])
def test_rates_of_a_block_are_in_the_frame_of_their_states(integrator: str) -> None:
    def motion(p_N: Any, v_B: Any, q_NB: Any, dt: Any) -> Any:
        """Motion."""
        return v_B

    p_N = State("p_N", Vec3, "m", "position", "N")
    declared: dict[str, Any] = {
        "states": [p_N],
        "inputs": [Arg("v_B", Vec3, "m/s", "velocity", "B"), q_NB],
        "outputs": [],
        "equation": "",
        "source": "",
        "integrator": integrator,
    }
    wrong = block(**declared)(motion)
    with pytest.raises(FeatherError, match="rate_p_N is declared in N, but its result is v_B in B"):
        check_frames(wrong.step)

    def moved(p_N: Any, v_B: Any, q_NB: Any, dt: Any) -> Any:
        """Motion."""
        return quat_rotate(q_NB, v_B)

    check_frames(block(**declared)(moved).step)


def test_the_formula_that_is_differentiated_is_checked() -> None:
    wrong = made([v_N, v_B], "N", lambda a, b: a + b)
    with pytest.raises(FeatherError, match="combined"):
        check_frames(jacobian(wrong, "slopes", ["y"], {"D": ["v_N"]}))


MODEL = '''from codegen import Arg, Vec3, kernel


@kernel(
    inputs=[Arg("v_N", Vec3, "m/s", "velocity", "N"), Arg("wind_B", Vec3, "m/s", "wind", "B")],
    outputs=[Arg("v", Vec3, "m/s", "airspeed", "N")],
    equation="v = v_N - wind_B",
    source="definition",
)
def relative(v_N, wind_B):
    """Velocity relative to the air."""
    return v_N - wind_B
'''


def test_generate_refuses_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MODEL)
    command = [sys.executable, "-m", "codegen", "generate", "--model", "mine.py", "-o", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.strip().endswith(
        f"mine.py:12: kernel relative: v_N in N is combined with wind_B in B: {REMEDY}"
    )
