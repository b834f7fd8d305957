"""Blocks with states: the examples against SciPy and simulations, integrators, binding, differences."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import signal
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import codegen
from codegen import POSITIVE, REAL, Arg, State, UnitQuaternion, Vec3, block, jacobian
from codegen.emit.function import functions
from codegen.emit.options import Options
from codegen.errors import FeatherError, naming
from codegen.frontends.dimensions import check_units
from codegen.ir.operations import Op
from codegen.ir.program import evaluate
from codegen.ir.systems import fractions
from codegen.loading.python_file import load_model
from codegen.modeling.equations.uncompared import misread_equations
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.matrix_types import Matrix, Symmetric
from codegen.modeling.vehicle import bind_vehicle
from codegen.proof.proof import closed_form, prove
from codegen.review.diff.changes import ChangeClass
from codegen.review.diff.compare import compare_trees
from codegen.systems.blocks import Block
from codegen.systems.integrators import rate_of
from codegen.tree.assemble import render_tree
from codegen.tree.write import generate
from codegen.verify.leftout import inputs_in_words
from codegen.verify.libraries import Library
from codegen.verify.verify import verify
from tests.conftest import ROOT, Featherc, tool

CONTROLLERS = ROOT / "examples" / "controllers.py"
PRECISIONS = pytest.mark.parametrize("precision", ["f64", "f32"])
ACCURACY = {"f64": 1e-12, "f32": 3e-5}


@pytest.fixture(scope="module")
def controllers() -> dict[str, Kernel]:
    return load_model(CONTROLLERS)


@pytest.fixture(scope="module")
def compiled(controllers: dict[str, Kernel], tmp_path_factory: pytest.TempPathFactory) -> Library:
    place = tmp_path_factory.mktemp("controllers") / "c"
    generate(list(controllers.values()), Options(), place)
    return codegen.load(place)


def run(
    compiled: Library,
    precision: str,
    name: str,
    inputs: Sequence[Sequence[float]],
    *after: Any,
    start: Any = None,
) -> list[list[float]]:
    """The outputs of a block over a sequence of inputs, from its initial state or from another."""
    functions = getattr(compiled, precision)
    state = getattr(functions, f"{name}_init")().state if start is None else start
    found = []
    for given in inputs:
        state, *outputs = getattr(functions, f"{name}_step")(state, *given, *after)
        found.append([float(x) for x in outputs])
    return found


def signal_of(count: int) -> Any:
    return np.random.default_rng(5).normal(size=count).cumsum() / 4


# the examples


@PRECISIONS
def test_the_low_pass_is_scipys_bilinear_filter(compiled: Library, precision: str) -> None:
    tau, dt, u = 0.3, 1 / 50, signal_of(400)
    expected = signal.lfilter(*signal.bilinear([1], [tau, 1], 1 / dt), u)
    found = run(compiled, precision, "low_pass", [[x] for x in u], [tau])
    assert np.ravel(found) == pytest.approx(expected, abs=ACCURACY[precision] * 10)


@PRECISIONS
def test_the_notch_is_scipys_bilinear_filter(compiled: Library, precision: str) -> None:
    w0, width, depth, dt = 900.0, 120.0, 0.05, 1e-3
    warped = w0 / math.tan(w0 * dt / 2)  # scipy's rule has 2 / dt there
    b, a = signal.bilinear([1, depth * width, w0**2], [1, width, w0**2], warped / 2)
    u = signal_of(500)
    found = run(compiled, precision, "notch", [[x] for x in u], [w0, width, depth])
    assert np.ravel(found) == pytest.approx(signal.lfilter(b, a, u), abs=ACCURACY[precision] * 30)
    _, (centre,) = signal.freqz(b, a, [w0 * dt])
    assert abs(centre) == pytest.approx(depth)


@PRECISIONS
@pytest.mark.parametrize(
    ("name", "given", "parameters", "steady"),
    [
        ("low_pass", (3.7,), [0.3], 3.7),
        ("notch", (-1.2,), [900.0, 120.0, 0.05], -1.2),
        ("rate_limiter", (0.4,), [1.0, 2.0], 0.4),
    ],
)
def test_a_reset_begins_without_a_jump(
    compiled: Library, precision: str, name: str, given: tuple[float], parameters: list[float], steady: float
) -> None:
    reset = getattr(getattr(compiled, precision), f"{name}_reset")
    extra = [parameters] if len(reset.inputs) > 1 else []
    found = run(compiled, precision, name, [given] * 5, parameters, start=reset(*given, *extra).next)
    assert np.ravel(found) == pytest.approx([steady] * 5, rel=ACCURACY[precision])


@PRECISIONS
def test_the_rate_limiter_keeps_its_rates(compiled: Library, precision: str) -> None:
    u = np.where(np.arange(800) % 400 < 200, 1.0, -0.5)
    found = np.ravel(run(compiled, precision, "rate_limiter", [[x] for x in u], [2.0, 0.8]))
    expected, y = [], 0.0
    for x in u:
        y += min(max(x - y, -0.8 / 400), 2.0 / 400)
        expected.append(y)
    assert found == pytest.approx(expected, abs=1e-4 if precision == "f32" else 1e-12)
    assert np.diff(found).max() * 400 == pytest.approx(2.0, rel=1e-3)


GAINS = {"k_p": 8.0, "k_i": 6.0, "k_d": 1.5, "lag": 0.01, "t_track": 0.2, "least": -1.0, "most": 1.0}


def closed_loop(step: Callable[[float, float], float]) -> list[float]:
    """The angle of an inertia of 0.5 kg m^2 that a controller turns to 1 rad, at 400 Hz."""
    angle, rate, path = 0.0, 0.0, []
    for _ in range(2400):
        rate += step(1.0, angle) / 0.5 / 400
        angle += rate / 400
        path.append(angle)
    return path


def by_hand(windup: bool) -> Callable[[float, float], float]:
    """The controller as a filter of SciPy for the derivative, and sums; windup without back-calculation."""
    b, a = [GAINS["k_d"], -GAINS["k_d"]], [GAINS["lag"] + 1 / 400, -GAINS["lag"]]
    memory, integral = np.zeros(1), 0.0

    def step(reference: float, y: float) -> float:
        nonlocal memory, integral
        (d,), memory = signal.lfilter(b, a, [y], zi=memory)
        v = GAINS["k_p"] * (reference - y) + integral - d
        u = float(np.clip(v, GAINS["least"], GAINS["most"]))
        integral += (GAINS["k_i"] * (reference - y) + (0 if windup else (u - v) / GAINS["t_track"])) / 400
        return u

    return step


@PRECISIONS
def test_the_pid_in_a_loop_is_the_one_by_hand_and_does_not_wind_up(compiled: Library, precision: str) -> None:
    functions = getattr(compiled, precision)
    state = functions.pid_init().state

    def step(reference: float, y: float) -> float:
        nonlocal state
        state, torque = functions.pid_step(state, reference, y, list(GAINS.values()))
        return float(torque)

    found = closed_loop(step)
    assert found == pytest.approx(closed_loop(by_hand(False)), abs=1e-10 if precision == "f64" else 1e-3)
    assert max(found) < 1.2 < 1.5 < max(closed_loop(by_hand(True)))


def test_the_pid_takes_over_a_torque(compiled: Library) -> None:
    state = compiled.f64.pid_reset(0.4, 0.1, -0.25, list(GAINS.values())).next
    found = compiled.f64.pid_step(state, 0.4, 0.1, list(GAINS.values()))
    assert found.torque == pytest.approx(-0.25)


def test_the_examples_verify(controllers: dict[str, Kernel], tmp_path: Path) -> None:
    bound = bind_vehicle(
        [controllers[f"pid_{n}"] for n in ("init", "step")], CONTROLLERS.with_suffix(".toml")
    )
    for i, kernels in enumerate([list(controllers.values()), bound]):
        generate(kernels, Options(), tmp_path / str(i))
        rows = {row.symbol: row for row in verify(tmp_path / str(i), controllers, count=6)}
        assert all(row.ok for row in rows.values())
        steps = {r.proof for s, r in rows.items() if "_step_" in s and "limiter" not in s}
        assert steps == {"proven"}


def test_the_header_names_the_parameters_that_are_bound(controllers: dict[str, Kernel]) -> None:
    (step,) = bind_vehicle([controllers["pid_step"]], CONTROLLERS.with_suffix(".toml"))
    text = "".join(render_tree([step], Options(precisions=("f32",))).values())
    assert "parameters.k_p = 2.4, parameters.k_i = 0.9" in " ".join(text.replace("*", "").split())


def test_steps_in_place_and_self_test(controllers: dict[str, Kernel], tmp_path: Path) -> None:
    generate([controllers["pid_init"], controllers["pid_step"]], Options(precisions=("f32",)), tmp_path)
    (tmp_path / "main.c").write_text(
        """#include "fc.h"
        int main(void) {
            const fc_pid_parameters_f32 p = {8, 6, 1.5F, 0.01F, 0.2F, -1, 1};
            fc_pid_state_f32 a, b, other;
            float u, v;
            int k;
            fc_pid_init_f32(&a);
            fc_pid_init_f32(&b);
            for (k = 0; k < 100; k++) {
                fc_pid_step_f32(&a, 1, 0.01F * (float)k, &p, &a, &u);
                fc_pid_step_f32(&b, 1, 0.01F * (float)k, &p, &other, &v);
                b = other;
                if (u != v || a.integral != b.integral || a.slope != b.slope) {
                    return 1;
                }
            }
            return a.integral == 0;
        }"""
    )
    sources = [str(p) for p in sorted(tmp_path.glob("*.c"))]
    common = [tool("cc"), "-std=c99", "-O2", f"-I{tmp_path}"]
    for flags in ([*sources], ["-DFC_SELFTEST_MAIN", *(s for s in sources if not s.endswith("main.c"))]):
        subprocess.run([*common, *flags, "-lm", "-o", str(tmp_path / "run")], check=True)
        assert subprocess.run([str(tmp_path / "run")], check=False).returncode == 0


def test_structures_state_units_frames_and_ranges(controllers: dict[str, Kernel]) -> None:
    tree = render_tree(list(controllers.values()), Options())
    types = tree["fc_types.h"]
    assert "/** time constant [s], 0.001 to 100 */\n    float tau;\n} fc_low_pass_parameters_f32;" in types
    assert "    /** integral action [N m] */\n    double integral;\n" in types
    steps = [f for f in json.loads(tree["manifest.json"])["functions"] if f["kernel"] == "notch_step"]
    assert {(f["block"], f["bound"]["dt"][0]) for f in steps} == {("notch", "1/1000")}


@pytest.mark.parametrize(
    "options", [Options(interface="array"), Options(layout="header-only", no_alias=True)]
)
def test_other_interfaces_and_layouts(
    options: Options, controllers: dict[str, Kernel], tmp_path: Path
) -> None:
    generate([controllers["notch_init"], controllers["notch_step"]], options, tmp_path)
    assert all(row.ok for row in verify(tmp_path, controllers, count=3))


def test_a_block_is_chosen_by_its_name(featherc: Featherc, place: Path) -> None:
    done = featherc("generate", "-m", CONTROLLERS, "notch", "rate_limiter_step", "-o", place / "c")
    assert "4 kernels" in done.out


# integrators


def damped(integrator: str, equation: str) -> Block:
    """A body whose speed dies out, with its attitude and its height."""

    @block(
        name="damped",
        states=[
            State("v_B", Vec3, "m/s", "velocity", "B"),
            State("q_NB", UnitQuaternion, "1", "attitude", "B to N"),
        ],
        inputs=[Arg("w_B", Vec3, "rad/s", "angular velocity", "B")],
        outputs=[Arg("drag_B", Vec3, "m/s^2", "deceleration", "B")],
        parameters=[Arg("k", POSITIVE, "1/s", "drag over momentum")],
        sample_time="1/100",
        integrator=integrator,
        equation=equation,
        source="definition",
    )
    def formula(v_B: Any, q_NB: Any, w_B: Any, k: Any) -> Any:
        """Velocity and attitude."""
        return -k * v_B - w_B.cross(v_B), w_B, k * v_B

    return formula


RATES = "rate_v_B = -drag_B - w_B x v_B; rate_q_NB = w_B; drag_B = k v_B"


IN_PARTS = "rate_v_B = -drag_B - w_B x [a, b, c]; v_B = [a, b, c]; rate_q_NB = w_B; drag_B = k v_B"


@pytest.mark.parametrize("integrator", ["euler", "semi_implicit", "rk4"])
@pytest.mark.parametrize("equation", [RATES, IN_PARTS])
def test_an_equation_of_rates_is_compared_with_the_step(integrator: str, equation: str) -> None:
    step = damped(integrator, equation).step
    proof = prove(step)
    assert not list(misread_equations([step]))
    assert "equation" in proof.ways
    assert proof.status == "proven"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("- w_B x", "+ w_B x"), ("rate_q_NB = w_B", "rate_q_NB = -w_B"), ("drag_B = k", "drag_B = 2 k")],
)
def test_a_wrong_equation_of_rates_is_found(right: str, wrong: str) -> None:
    for integrator in ("euler", "rk4"):
        failed = prove(damped(integrator, RATES.replace(right, wrong)).step).status
        assert failed.startswith("failed: closed form and equation differ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (RATES.replace("rate_q_NB = w_B; ", ""), "no equation defines rate_q_NB"),
        (
            RATES + "; w_B = v_B",
            "it states more than the rates and the outputs, which are compared alone",
        ),
    ],
)
def test_why_an_equation_of_rates_is_not_compared(text: str, reason: str) -> None:
    (note,) = misread_equations([damped("rk4", text).step])
    assert note == f"damped_step: its equation is not compared with the formula: {reason}"


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("x' = (v", ["in \"x' = (v\": after \"x' = (v\", ')' is expected"]),
        ("rate_x = (v", ["in 'rate_x = (v': after 'rate_x = (v', ')' is expected"]),
        ("the place moves (by v dt", []),
    ],
)
def test_a_misspelt_equation_of_a_result_is_no_text(text: str, notes: list[str]) -> None:
    found = list(misread_equations([moved(text, "euler").step]))
    assert found == [f"moved_step: its equation is not compared with the formula: {n}" for n in notes]


def test_an_equation_of_rates_that_states_more_is_no_proof() -> None:
    """The states after the step stood beside the rates, whatever they were, and nothing compared them."""
    step = moved("rate_x = v; x' = x + v dt", "euler").step
    (note,) = misread_equations([step])
    assert note.endswith("it states rates as well as states after the step: state one of the two")
    assert prove(step).status == "own formula only"
    for text in (
        "rate_x = v; x' = x - 5 v dt",
        "rate_x = v; x_next = x - 5 v dt",
        "rate_x = -v; x' = x + v dt",
    ):
        assert prove(moved(text, "euler").step).status != "proven"


def test_many_inputs_of_a_trial_are_shown_argument_by_argument() -> None:
    (step,) = functions([damped("euler", RATES).step], Options(precisions=("f64",)))
    assert inputs_in_words(step, [Fraction(n) for n in range(11)]) == (
        "state.v_B = (0, 1, 2), state.q_NB = (3, 4, 5, 6), w_B = (7, 8, 9), parameters.k = 10"
    )


def test_an_equation_may_state_the_states_after_a_step_with_an_integrator() -> None:
    assert prove(moved("x' = x + v dt", "euler").step).status == "proven"
    assert prove(moved("x' = x - v dt", "euler").step).status.startswith(
        "failed: formula and equation differ"
    )


def moved(equation: str, integrator: str) -> Block:
    """A place that an input changes."""

    @block(
        name="moved",
        states=[State("x", REAL, "m", "place")],
        inputs=[Arg("v", REAL, "m/s", "speed")],
        integrator=integrator,
        equation=equation,
        source="definition",
    )
    def formula(x: Any, v: Any) -> Any:
        """A place."""
        return v

    return formula


def test_an_attitude_is_advanced_in_closed_form_where_the_time_step_is_bound() -> None:
    step = damped("euler", RATES).step
    assert Op.SELECT in {n.op for n in step.program(False).nodes}
    assert Op.SELECT not in {n.op for n in closed_form(step).nodes}


def top(integrator: str, name: str = "top") -> Block:
    """A body that turns freely: attitude and angular velocity."""
    J = (1, 2, 3)

    @block(
        name=name,
        states=[
            State("w_B", Vec3, "rad/s", "angular velocity", "B", initial=(0.3, 2, -0.4)),
            State("q_NB", UnitQuaternion, "1", "attitude", "B to N"),
            State("angle", REAL, "rad", "integral of w_z"),
        ],
        outputs=[Arg("energy", REAL, "1/s^2", "kinetic energy over 1 kg m^2")],
        integrator=integrator,
        equation="dw = J^-1 (J w x w)",
        source="Euler",
    )
    def formula(w_B: Any, q_NB: Any, angle: Any) -> Any:
        """Free rotation."""
        h = Vec3(*(j * x for j, x in zip(J, w_B, strict=True)))
        m = h.cross(w_B)
        return Vec3(m.x / J[0], m.y / J[1], m.z / J[2]), w_B, w_B.z, h.dot(w_B) / 2

    return formula


@pytest.fixture(scope="module")
def tops(tmp_path_factory: pytest.TempPathFactory) -> Library:
    place = tmp_path_factory.mktemp("tops") / "c"
    made = [top(n, n) for n in ("euler", "semi_implicit", "rk4")]
    generate([k for b in made for k in b.kernels], Options(), place)
    return codegen.load(place)


def after_two_seconds(tops: Library, name: str, steps: int) -> Any:
    functions = tops.f64
    state = getattr(functions, f"{name}_init")().state
    for _ in range(steps):
        state, _ = getattr(functions, f"{name}_step")(state, 2.0 / steps)
    return state


@pytest.fixture(scope="module")
def exact_top() -> Any:
    """The state after two seconds by SciPy, on rotation matrices."""

    def rates(_: float, x: Any) -> Any:
        w, R = x[:3], x[3:12].reshape(3, 3)
        skew = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        J = np.array([1, 2, 3])
        return np.concatenate([np.cross(J * w, w) / J, (R @ skew).ravel(), [w[2]]])

    start = np.concatenate([[0.3, 2, -0.4], np.eye(3).ravel(), [0]])
    return solve_ivp(rates, (0, 2), start, rtol=1e-12, atol=1e-12).y[:, -1]


def error_of(state: Any, exact: Any) -> float:
    R = Rotation.from_quat([*state[4:7], state[3]]).as_matrix()
    return float(np.abs(np.concatenate([state[:3], R.ravel(), state[7:]]) - exact).max())


@pytest.mark.parametrize(("name", "order"), [("euler", 1), ("semi_implicit", 1), ("rk4", 4)])
def test_integrators_have_their_order_also_on_the_group(
    name: str, order: int, tops: Library, exact_top: Any
) -> None:
    errors = [error_of(after_two_seconds(tops, name, n), exact_top) for n in (100, 200)]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.25)
    assert errors[1] < {1: 0.1, 4: 1e-7}[order]


@pytest.mark.parametrize("name", ["euler", "semi_implicit", "rk4"])
def test_attitudes_stay_unit_quaternions(name: str, tops: Library) -> None:
    state = after_two_seconds(tops, name, 1000)
    assert np.linalg.norm(state[3:7]) == pytest.approx(1, abs=1e-12)


def oscillator(integrator: str) -> Block:
    @block(
        name="spring",
        states=[
            State("v", REAL, "m/s", "velocity"),
            State("x", REAL, "m", "position", initial=1),
        ],
        parameters=[Arg("w2", POSITIVE, "1/s^2", "stiffness over mass")],
        integrator=integrator,
        sample_time="1/20",
        equation="v' = -w2 x, x' = v",
        source="Hooke",
    )
    def spring(v: Any, x: Any, w2: Any) -> Any:
        """Mass on a spring."""
        return -w2 * x, v

    return spring


def test_semi_implicit_advances_the_first_state_first() -> None:
    v, x = Fraction(3, 10), Fraction(7, 10)
    found = oscillator("semi_implicit").step
    h, w2 = Fraction(1, 20), Fraction(9)
    new = evaluate(found.program(), fractions(), [v, x, w2]).results
    assert new == [v - h * w2 * x, x + h * (v - h * w2 * x)]


def test_rk4_without_attitudes_is_the_classical_method() -> None:
    h, w2, y = Fraction(1, 20), Fraction(9), np.array([Fraction(3, 10), Fraction(7, 10)])

    def f(z: Any) -> Any:
        return np.array([-w2 * z[1], z[0]])

    k1 = f(y)
    k2 = f(y + h / 2 * k1)
    k3 = f(y + h / 2 * k2)
    k4 = f(y + h * k3)
    found = evaluate(oscillator("rk4").step.program(), fractions(), [*y, w2]).results
    assert found == list(y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))


def test_the_rates_can_be_differentiated(tmp_path: Path) -> None:
    rates = oscillator("rk4").rates
    assert rates is not None
    generate([jacobian(rates, "linear", ["rate_v", "rate_x"], {"A": ["v", "x"]})], Options(), tmp_path)
    assert codegen.load(tmp_path).f64.linear(1, 2, 9).A.tolist() == [[0, -9], [1, 0]]


# states of other types, and blocks in blocks


def test_matrices_are_states_and_blocks_hold_blocks(tmp_path: Path) -> None:
    @block(
        states=[State("mean", REAL, "m", "mean"), State("count", REAL, "1", "samples", initial=1)],
        inputs=[Arg("x", REAL, "m", "sample")],
        equation="mean+ = mean + (x - mean) / count",
        source="Welford",
    )
    def mean_of(mean: Any, count: Any, x: Any) -> Any:
        """Running mean."""
        return mean + (x - mean) / count, count + 1

    @block(
        states=[
            State("inner", mean_of.state, "", "a mean"),
            State("P", Symmetric(2), "m^2", "sum of squares"),
            State("A", Matrix(2, 2), "1", "a matrix", initial=[[1, 0], [2, 1]]),
        ],
        inputs=[Arg("x", REAL, "m", "sample")],
        outputs=[Arg("y", REAL, "m", "mean")],
        equation="",
        source="a test",
        definition=lambda inner, P, A, x: [
            inner[0] + (x - inner[0]) / inner[1],
            inner[1] + 1,
            *(P[0, 0] + x * x, P[0, 1], P[1, 1]),
            *(A * A),
            inner[0] + (x - inner[0]) / inner[1],
        ],
    )
    def outer(inner: Any, P: Any, A: Any, x: Any) -> Any:
        """A block in a block."""
        after = mean_of.step(inner, x)
        squares = Symmetric.from_upper([x * x, 0, 0])
        return after, (P + squares).symmetric, A @ A, after.mean

    assert prove(outer.step).status == "proven"
    generate([*outer.kernels], Options(), tmp_path)
    assert all(row.ok for row in verify(tmp_path, {k.name: k for k in outer.kernels}, count=3))
    library = codegen.load(tmp_path)
    start = library.f64.outer_init().state
    assert start.tolist() == [0, 1, 0, 0, 0, 1, 0, 2, 1]
    state, mean = library.f64.outer_step(start, 4)
    state, mean = library.f64.outer_step(state, 8)
    assert (float(mean), state[2]) == (6, 80)


@pytest.mark.parametrize("dt", ["1/2", "1/400", 1])
def test_a_step_with_a_sample_time_is_called_by_another_block(dt: Any, tmp_path: Path) -> None:
    @block(
        states=[State("y", REAL, "rad", "angle")],
        inputs=[Arg("u", REAL, "rad/s", "rate")],
        sample_time=dt,
        equation="y' = u",
        source="a test",
    )
    def integral(y: Any, u: Any, dt: Any) -> Any:
        """Integral."""
        return y + dt * u

    @block(
        states=[State("inner", integral.state, "", "an integral")],
        inputs=[Arg("w", REAL, "rad/s", "rate")],
        equation="y' = 2 w",
        source="a test",
    )
    def twice(inner: Any, w: Any) -> Any:
        """Calls the other."""
        return integral.step(inner, 2 * w)

    check_units(twice.step)
    found = evaluate(twice.step.program(), fractions(), [Fraction(3), Fraction(5)]).results
    assert found == [3 + 10 * Fraction(dt)]


# sequences of steps


def counter(flaw: int = 0) -> Block:
    """A counter whose reference differs from it in states that only a sequence of steps reaches."""

    def reference(n: Any, u: Any) -> Any:
        return (n + u + (flaw if n > 40 else 0),)

    @block(
        states=[State("n", REAL, "1", "sum", initial=30)],
        inputs=[Arg("u", REAL, "1", "step", range=(1, 2))],
        equation="n+ = n + u",
        source="a test",
        reference=codegen.modeling.kernel.OnNumbers(reference),
    )
    def count(n: Any, u: Any) -> Any:
        """Sum."""
        return n + u

    return count


@pytest.mark.parametrize("flaw", [0, 1])
def test_verify_follows_a_sequence_of_steps(flaw: int, tmp_path: Path) -> None:
    made = counter(flaw)
    generate([made.step], Options(precisions=("f32",)), tmp_path)
    (alone,) = verify(tmp_path, {"count_step": replace(made.step, block=None)}, count=30)
    (row,) = verify(tmp_path, {"count_step": made.step}, count=30)
    assert row.cases >= alone.cases + 50
    assert row.ok == (flaw == 0)


# binding


def test_parameters_are_bound_by_name(controllers: dict[str, Kernel], tmp_path: Path) -> None:
    path = tmp_path / "v.toml"
    path.write_text('[bind]\ntau = "300 ms"\n')
    (step,) = bind_vehicle([controllers["low_pass_step"]], path)
    assert step.bound["parameters"] == (Fraction(3, 10),)
    assert [a.name for a in step.inputs] == ["state", "pressure"]
    path.write_text("[bind]\nparameters = { tau = 0.3 }\n")
    assert bind_vehicle([controllers["low_pass_step"]], path)[0].bound == step.bound


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("k_p = 2", "pid_step: the file gives some of its parameters, but not k_i"),
        ("parameters = { k_p = 2 }", "parameters is incomplete: k_i, k_d"),
        ("parameters = { k_x = 2 }", "parameters has no element 'k_x'"),
        ("slope = 2", "no chosen kernel has an input 'slope'"),
        (
            "k_p = -1\nk_i = 1\nk_d = 1\nlag = 0.1\nt_track = 1\nleast = -1\nmost = 1",
            "parameters.k_p must be positive",
        ),
        (
            "k_p = 1\nk_i = 1\nk_d = 1\nlag = 0.1\nt_track = 1\nleast = 1\nmost = 1",
            "parameters.least = 1 is outside its declared range",
        ),
    ],
)
def test_a_vehicle_file_that_does_not_fit(
    text: str, message: str, controllers: dict[str, Kernel], tmp_path: Path
) -> None:
    path = tmp_path / "v.toml"
    path.write_text(f"[bind]\n{text}\n")
    with pytest.raises(FeatherError) as error:
        bind_vehicle([controllers["pid_step"]], path)
    assert message in str(error.value)


# differences


def changed(old: str, new: str, tmp_path: Path) -> dict[str, Any]:
    """The changes of the examples' functions, in float, when their text is edited."""
    trees: list[dict[str, Any]] = []
    for i, text in enumerate([CONTROLLERS.read_text(), CONTROLLERS.read_text().replace(old, new)]):
        assert i == 0 or text != CONTROLLERS.read_text()
        path = tmp_path / str(i) / "controllers.py"
        path.parent.mkdir()
        path.write_text(text)
        kernels = [k for k in load_model(path).values() if k.name.startswith("low_pass")]
        trees.append(dict(render_tree(kernels, Options(precisions=("f32",)))))
    return {
        c.symbol: c.kind for c in compare_trees(trees[0], trees[1]) if c.kind is not ChangeClass.IDENTICAL
    }


@pytest.mark.parametrize(
    ("old", "new", "function", "kind"),
    [
        ('"filtered pressure"),\n', '"filtered pressure", initial=1),\n', "init", ChangeClass.CHANGED),
        ('sample_time="1/50"', 'sample_time="1/60"', "step", ChangeClass.CHANGED),
        ("return smooth, pressure, smooth", "return pressure, smooth, smooth", "step", ChangeClass.CHANGED),
        ('"before", REAL, "Pa"', '"before", REAL, ""', "step", ChangeClass.CONTRACT),
        ('pressure one step before"', 'pressure one step before", "B"', "step", ChangeClass.CONTRACT),
    ],
)
def test_changes_of_a_block(old: str, new: str, function: str, kind: ChangeClass, tmp_path: Path) -> None:
    found = changed(old, new, tmp_path)
    assert found[f"fc_low_pass_{function}_f32"] is kind


# messages


ONE = (State("x", REAL, "1", ""),)


def declared(states: Any = ONE, formula: Any = None, **rest: Any) -> Block:
    def plain(x: Any, u: Any) -> Any:
        return u

    given: dict[str, Any] = {"inputs": [Arg("u", REAL, "1", "")], "equation": "", "source": "", **rest}
    return block(name="b", states=states, **given)(formula or plain)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: declared(states=[]), "block b: it has no states: a function without states is a @kernel"),
        (lambda: declared(states=[Arg("x", REAL, "1", "")]), "is not a State(name, type, unit, doc)"),
        (lambda: declared(inputs=["u"]), "block b: 'u' is not an Arg"),
        (lambda: declared(inputs=[Arg("next", REAL, "1", "")]), "next is an argument of every block"),
        (lambda: declared(inputs=[Arg("x", REAL, "1", "")]), "are called x: rename one"),
        (lambda: declared(formula=lambda x, y: x), "takes y, which is no state, input or parameter"),
        (lambda: declared(integrator="rk5"), "its integrator is 'rk5', but must be one of euler"),
        (lambda: declared(sample_time=0.1), "its formula does not use dt"),
        (
            lambda: declared(sample_time="soon", formula=lambda x, u, dt: x),
            "its sample time: 'soon' is not a",
        ),
        (lambda: declared(sample_time=0, formula=lambda x, u, dt: x), "dt must be positive"),
        (lambda: declared(states=[State("x", POSITIVE, "1", "")]), "the initial value of state x"),
        (lambda: declared(states=[State("x", REAL, "1", "", range=(1, 2))]), "outside its declared range"),
        (lambda: declared(states=[State("x", Vec3, "1", "", initial=[1, 2])]), "x takes 3 numbers, but 2"),
        (lambda: declared(states=[State("x", REAL, "1", "", initial="a")]), "'a' is not a number"),
        (
            lambda: declared(states=[State("x", REAL, "1", "", initial="1e999999999")]),
            "is not a finite number",
        ),
        (lambda: declared(states=[State("scalars", REAL, "1", "")]), "every structure has one"),
        (
            lambda: declared(formula=lambda x, u: (x, u)).step.program(),
            "output x has 1 scalars, but the result has 2",
        ),
        (
            lambda: declared(integrator="euler", formula=lambda x, u: (x, u)).step.program(),
            "the formula returns 2 results, not the rate of x",
        ),
        (
            lambda: declared(
                states=[State("x", UnitQuaternion, "1", "")], integrator="euler", formula=lambda x, u: u
            ).step.program(),
            "the rate of state x has 1 scalars: return its angular velocity, a Vec3",
        ),
        (
            lambda: State("x", REAL, "1", "", 0),  # type: ignore[arg-type]
            "its frame is 0, but must be a string; write State(name, type, unit, doc, frame, initial=...)",
        ),
    ],
)
def test_mistakes_in_a_block(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(FeatherError) as error:
        make()
    assert message in str(error.value)


def test_two_structures_of_one_name() -> None:
    other = declared(states=[State("z", REAL, "1", "")], formula=lambda z, u: u)
    with pytest.raises(FeatherError, match="two structures are called b_state"):
        render_tree([declared().step, replace(other.step, name="other")], Options())


def test_a_message_names_a_thing_once() -> None:
    expected = pytest.raises(FeatherError, match=r"^kernel f: output y: wrong$")
    with expected, naming("kernel f"), naming("kernel f"), naming("output y"):
        raise FeatherError("wrong")


def test_rates_have_units_and_frames() -> None:
    """Of an angle's rate, a momentum and a quaternion, whose rate is the angular velocity."""
    states = [
        State("w_B", Vec3, "rad/s", "angular velocity", "B"),
        State("h", Vec3, "N m s", "momentum of the wheels", "B"),
        State("q_NB", UnitQuaternion, "1", "attitude", "B to N"),
        State("x", REAL, "mixed", "a number"),
    ]
    rates = [rate_of(s) for s in states]
    assert [r.unit for r in rates] == ["rad/s^2", "N m", "rad/s", "mixed"]
    assert [r.frame for r in rates] == ["B", "B", "B", ""]
    assert [r.size for r in rates] == [3, 3, 3, 1]


def resets(equation: str) -> Kernel:
    """The reset of a block whose outputs begin at twice the input."""

    def double(u: Any) -> Any:
        """Begins at twice u."""
        return 2 * u

    def follow(x: Any, u: Any) -> Any:
        """Follows."""
        return x + u

    made = block(
        states=[State("x", REAL, "1", "state")],
        inputs=[Arg("u", REAL, "1", "input")],
        equation="x' = x + u",
        source="a test",
        reset=double,
        reset_equation=equation,
    )(follow)
    assert made.reset is not None
    return made.reset


def test_a_reset_is_compared_with_its_equation() -> None:
    assert prove(resets("x' = u + u")).status == "proven"
    assert prove(resets("x' = 3 u")).status == "failed: formula and equation differ in output scalar 0"
    assert resets("x' = 2 u").equation == "x' = 2 u"
    assert prove(resets("")).status == "own formula only"


def test_an_equation_of_a_reset_needs_a_reset() -> None:
    with pytest.raises(FeatherError, match="block follow: it has an equation of a reset, but no reset"):

        @block(states=[State("x", REAL, "1", "")], equation="", source="", reset_equation="x' = 0")
        def follow(x: Any) -> Any:
            """Follows."""
            return x


def test_the_definition_of_a_block_may_be_equations() -> None:
    def follow(x: Any, u: Any) -> Any:
        """Follows."""
        return x + 2 * u

    for definition, status in (
        ("x' = x + u + u", "proven"),
        ("x' = x - 2 u", "failed: formula and definition differ in output scalar 0"),
    ):
        made = block(
            states=[State("x", REAL, "1", "state")],
            inputs=[Arg("u", REAL, "1", "input")],
            equation="",
            source="a test",
            definition=definition,
        )(follow)
        assert prove(made.step).status == status
