"""Filters: derivatives, prediction, updates in both forms, gates; positive after many updates; flight."""

from __future__ import annotations

import inspect
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import codegen
from codegen import (
    POSITIVE,
    REAL,
    Arg,
    Filter,
    Quaternion,
    Status,
    Symmetric,
    UnitQuaternion,
    Vec3,
    Vector,
    atan2,
    kernel,
    sqrt,
    wrap,
)
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.ir.domain import cases
from codegen.ir.operations import Op
from codegen.ir.program import evaluate
from codegen.ir.systems import F64, floating
from codegen.library.rotation.kernels import quat_multiply, quat_rotate
from codegen.library.rotation_vector.kernels import quat_from_rotvec
from codegen.loading.python_file import load_model
from codegen.modeling.kernel import Kernel
from codegen.passes.pipeline import optimised
from codegen.proof.derivation import derivation
from codegen.proof.proof import prove
from codegen.systems.tangent import Linearised
from codegen.tree.write import generate
from codegen.verify.libraries import Library
from codegen.verify.verify import verify
from tests.conftest import ROOT, Featherc, sampled, tool

FORMS = pytest.mark.parametrize("form", ["joseph", "ud"])
PRECISIONS = pytest.mark.parametrize("precision", ["f64", "f32"])


@kernel(
    inputs=[
        Arg("x", REAL, "m", "position"),
        Arg("v", REAL, "m/s", "velocity"),
        Arg("b", REAL, "m/s^2", "bias"),
        Arg("a", REAL, "m/s^2", "measured acceleration"),
        Arg("n", REAL, "m/s^2", "noise"),
        Arg("step", REAL, "m/s^2", "step of the bias"),
        Arg("dt", POSITIVE, "s", "time step"),
    ],
    outputs=[Arg(n, REAL, u, "") for n, u in (("x1", "m"), ("v1", "m/s"), ("b1", "m/s^2"))],
    equation="",
    source="a test",
)
def carriage(x: Any, v: Any, b: Any, a: Any, n: Any, step: Any, dt: Any) -> Any:
    """A carriage on a rail."""
    pushed = a - b - n
    return x + v * dt + pushed * (dt * dt / 2), v + pushed * dt, b + step


@kernel(
    inputs=[Arg("x", REAL, "m", "position"), Arg("height", POSITIVE, "m", "height of the beacon")],
    outputs=[Arg("distance", REAL, "m", "distance")],
    equation="",
    source="a test",
)
def distance_to(x: Any, height: Any) -> Any:
    """Distance to a beacon."""
    return sqrt(x * x + height * height)


VARIANCES = {
    "n": Arg("q", POSITIVE, "m^2/s^4", "variance of the noise"),
    "step": Arg("walk", POSITIVE, "m^2/s^4", "variance of the step"),
}
R = Arg("R", POSITIVE, "m^2", "variance of the distance")


def filtered(form: str) -> list[Kernel]:
    f = Filter(carriage, ("x", "v", "b"), VARIANCES, form)
    made = [f.prediction(f"predict_{form}"), *f.update(distance_to, f"fuse_{form}", R)]
    return [*made, f.correction("correct")] if form == "joseph" else made


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("filters") / "c"
    generate([carriage, distance_to, *filtered("joseph"), *filtered("ud")], Options(), place)
    return place


@pytest.fixture(scope="module")
def compiled(tree: Path) -> Library:
    return codegen.load(tree)


def whole(packed: Any) -> Any:
    n = int((2 * len(packed)) ** 0.5)
    P = np.zeros((n, n))
    P[np.triu_indices(n)] = packed
    return P + np.triu(P, 1).T


def packed(P: Any) -> Any:
    return P[np.triu_indices(len(P))]


def product(factors: Any) -> Any:
    """U D U^T of packed factors."""
    P = np.triu(whole(factors))
    U = P - np.diag(np.diag(P)) + np.eye(len(P))
    return U @ np.diag(np.diag(P)) @ U.T


def factors(P: Any) -> Any:
    """The packed factors U D U^T of a matrix, by elimination from the last row on."""
    n = len(P)
    P, found = P.copy(), np.zeros((n, n))
    for j in reversed(range(n)):
        found[j, j] = P[j, j]
        u = P[:j, j] / P[j, j]
        found[:j, j] = u
        P[:j, :j] -= np.outer(u, u) * P[j, j]
    return packed(found)


def covariance(seed: int, n: int = 3) -> Any:
    A = np.random.default_rng(seed).normal(size=(n, n))
    return A @ A.T + 0.1 * np.eye(n)


F = np.array([[1, 0.1, -0.005], [0, 1, -0.1], [0, 0, 1]])
Q = np.outer([-0.005, -0.1, 0], [-0.005, -0.1, 0]) * 0.3 + np.diag([0, 0, 0.02])


@PRECISIONS
def test_the_prediction_is_that_of_matrices(compiled: Library, precision: str) -> None:
    lib, P = getattr(compiled, precision), covariance(1)
    expected = F @ P @ F.T + Q
    accuracy = 1e-12 if precision == "f64" else 1e-5
    found = lib.predict_joseph(0.1, 0.3, 0.02, packed(P)).P_next
    assert whole(found) == pytest.approx(expected, rel=accuracy)
    found = lib.predict_ud(0.1, 0.3, 0.02, factors(P)).P_next
    assert product(found) == pytest.approx(expected, rel=accuracy * 10)


@PRECISIONS
@FORMS
def test_an_update_is_that_of_matrices(compiled: Library, precision: str, form: str) -> None:
    P, x, height, measured, variance = covariance(2), 3.0, 4.0, 6.5, 0.7
    H = np.array([3 / 5, 0, 0])
    S = H @ P @ H + variance
    K = P @ H / S
    given = packed(P) if form == "joseph" else factors(P)
    fuse = getattr(getattr(compiled, precision), f"fuse_{form}")
    found = fuse(x, height, measured, variance, 3, given)
    accuracy = 1e-12 if precision == "f64" else 2e-6
    assert found.correction == pytest.approx(K * 1.5, rel=accuracy)
    assert (found.innovation, found.S) == pytest.approx((1.5, S), rel=accuracy)
    after = whole(found.P_next) if form == "joseph" else product(found.P_next)
    assert after == pytest.approx(P - np.outer(K, H @ P), abs=accuracy * 10)
    assert (found.used, found.status) == (1, 0)


@FORMS
def test_outside_of_the_gate_nothing_changes(compiled: Library, form: str) -> None:
    P = covariance(3)
    given = packed(P) if form == "joseph" else factors(P)
    fuse = getattr(compiled.f64, f"fuse_{form}")
    spread = float(np.sqrt(fuse(3, 4, 5, 0.5, 3, given).S))
    for measured, used in ((5 + 2.9 * spread, 1), (5 + 3.1 * spread, 0), (5 - 3.1 * spread, 0), (np.nan, 0)):
        found = fuse(3, 4, measured, 0.5, 3, given)
        assert found.used == used
        assert (found.P_next.tolist() == given.tolist()) == (not used)
        assert bool(np.any(found.correction)) == bool(used)


@FORMS
@PRECISIONS
def test_derivatives_that_are_no_numbers_change_nothing(form: str, precision: str, compiled: Library) -> None:
    P = covariance(6)
    given = packed(P) if form == "joseph" else factors(P)
    fuse = getattr(getattr(compiled, precision), f"fuse_{form}")
    for position in (0, np.inf, np.nan):
        found = fuse(position, 0, 1, 0.5, 3, given)
        if position:
            assert found.used == 0
            assert found.P_next.tolist() == np.asarray(given, found.P_next.dtype).tolist()
        assert np.all(np.isfinite([*found.P_next, *found.correction]))


@FORMS
def test_a_variance_that_is_not_positive_changes_nothing(compiled: Library, form: str) -> None:
    given = packed(np.diag([-3.0, 1, 1]))
    found = getattr(compiled.f64, f"fuse_{form}")(3, 4, 5.5, 0.1, 3, given)
    assert (found.used, found.status) == (0, codegen.Status.SINGULAR)
    assert found.P_next.tolist() == given.tolist()
    assert found.correction.tolist() == [0, 0, 0]


def test_filters_are_proven_against_matrices_of_sympy_and_verified(tree: Path) -> None:
    kernels = {k.name: k for k in (carriage, distance_to, *filtered("joseph"), *filtered("ud"))}
    rows = {row.symbol: row for row in verify(tree, kernels, count=4)}
    assert all(row.ok for row in rows.values()), [r.failure for r in rows.values() if not r.ok]
    proven = {s.removesuffix("_f32") for s, r in rows.items() if r.proof == "proven" and s.endswith("f32")}
    assert {"fc_predict_joseph", "fc_fuse_joseph", "fc_predict_ud"} <= proven


@kernel(
    inputs=[
        Arg("angle", REAL, "rad", "angle"),
        Arg("offset", Vec3, "m", "place"),
        Arg("n", REAL, "rad", "step of the angle"),
        Arg("steps", Vec3, "m", "steps of the place"),
    ],
    outputs=[Arg("angle_next", REAL, "rad", "angle"), Arg("offset_next", Vec3, "m", "place")],
    equation="angle_next = wrap(angle + n); offset_next = offset + steps",
    source="a test",
)
def wandering(angle: Any, offset: Any, n: Any, steps: Any) -> Any:
    """An angle and a place that wander."""
    return wrap(angle + n), offset + steps


@kernel(
    inputs=[Arg("angle", REAL, "rad", "angle"), Arg("offset", Vec3, "m", "place")],
    outputs=[Arg("bearing", REAL, "rad", "bearing of the origin")],
    equation="bearing = wrap(atan2(-offset_y, -offset_x) - angle)",
    source="a test",
)
def bearing(angle: Any, offset: Any) -> Any:
    """Bearing of the origin."""
    return wrap(atan2(-offset.y, -offset.x) - angle)


ANGLE_VARIANCE = Arg("R", POSITIVE, "1", "variance of the bearing")


def wanderer(form: str) -> Filter:
    steps = Arg("q_steps", Vec3, "m^2", "variances of the steps")
    return Filter(
        wandering, ("angle", "offset"), {"n": Arg("q", POSITIVE, "1", "variance of n"), "steps": steps}, form
    )


@FORMS
def test_angles_are_measured_the_shorter_way_round(form: str, tmp_path: Path) -> None:
    f = wanderer(form)
    made = [f.prediction("predict"), *f.update_angle(bearing, "fuse", ANGLE_VARIANCE)]
    generate(made, Options(), tmp_path / "c")
    rows = list(verify(tmp_path / "c", {k.name: k for k in made}, count=4))
    assert all(row.ok for row in rows), [r.failure for r in rows if not r.ok]
    diagonal = packed(np.diag([0.01, 1.0, 1, 1]))
    found = codegen.load(tmp_path / "c").f64.fuse(-3.1, [-5, 0, 0], -3.1, 0.01, 5, diagonal)
    assert found.innovation == pytest.approx(2 * np.pi - 6.2)
    assert found.used == 1


def test_an_update_by_an_angle_states_the_shorter_way_and_is_proven() -> None:
    (fuse,) = wanderer("joseph").update_angle(bearing, "fuse", ANGLE_VARIANCE)
    assert "innovation = wrap(measured - h); " in fuse.equation
    assert prove(fuse).status == "proven"
    (plain,) = wanderer("joseph").update(bearing, "fuse", ANGLE_VARIANCE)
    assert prove(plain).status == "proven"


def test_only_what_is_in_radians_is_measured_as_an_angle() -> None:
    with pytest.raises(FeatherError, match="distance_to: distance is in m, but an angle is in rad"):
        Filter(carriage, ("x", "v", "b"), VARIANCES).update_angle(distance_to, "fuse", R)


def test_the_joseph_form_is_compiled_as_it_is_written(tree: Path) -> None:
    """The cheaper form that is equal in exact arithmetic lacks the term that keeps P positive."""
    text = (tree / "fc_test_filters_f32.c").read_text()
    body = text[text.index("fc_fuse_joseph_f32(") :]
    assert re.search(r"rest_0 = spread \* K_0 - ", body)
    assert "+ rest_0 * K_0" in body


# attitudes


@kernel(
    inputs=[
        Arg("q", UnitQuaternion, "1", "attitude"),
        Arg("w", Vec3, "rad/s", "angular velocity"),
        Arg("n", Vec3, "rad/s", "noise"),
        Arg("dt", POSITIVE, "s", "time step"),
    ],
    outputs=[Arg("q1", Quaternion, "1", "attitude")],
    equation="",
    source="a test",
)
def turning(q: Any, w: Any, n: Any, dt: Any) -> Any:
    """A body that turns."""
    return quat_multiply(q, quat_from_rotvec((w - n) * dt))


@kernel(
    inputs=[Arg("q", UnitQuaternion, "1", "attitude")],
    outputs=[Arg("down", REAL, "1", "how far the body axis x points down")],
    equation="down = 2 (q_w q_y - q_x q_z)",
    source="a test",
)
def dip(q: Any) -> Any:
    """What one scalar measures of an attitude."""
    w, x, y, z = q.scalars()
    return 2 * (w * y - x * z)


def test_an_attitude_measured_by_one_scalar_is_proven() -> None:
    """CasADi's scalars have an iterator: the only row of derivatives was taken for a list of rows."""
    f = Filter(turning, ("q",), {"n": Arg("var", Vec3, "1/s^2", "variances")})
    (fuse,) = f.update(dip, "fuse", Arg("R", POSITIVE, "1", "variance"))
    assert prove(fuse).status == "proven"


def test_an_equation_of_a_filter_explains_its_letters() -> None:
    predict, fuse = filtered("joseph")[:2]
    assert "`n_1` is n, with the variances `Q_1` = q; `n_2` is step" in predict.details
    assert "`h` is the measurement that the states predict" in fuse.details


def written_out(kernel: Kernel) -> str:
    """The step of the matrices of derivatives; empty where the derivation has none."""
    return next((step.equation for step in derivation(kernel) if step in kernel.steps), "")


@pytest.mark.parametrize("form", sampled(["joseph", "ud"], every=2))
def test_the_matrices_of_a_filter_are_written_out_in_blocks(form: str) -> None:
    predict, fuse = filtered(form)[:2]
    assert "F = [[1, dt, -(dt^2 / 2)], [0, 1, -dt], [0, 0, 1]]; G_1 = " in written_out(predict)
    assert "H = [[x / sqrt(x^2 + height^2), 0, 0]]" in written_out(fuse)
    noise = {"n": Arg("var", Vec3, "1/s^2", "variances")}
    turned = Filter(turning, ("q",), noise, form).prediction("predict")
    assert "F = jacobian(xi, delta); G_1 = jacobian(xi, n_1)" in written_out(turned)
    wandering = wanderer(form).prediction("predict")
    assert written_out(wandering).endswith(
        "F = [[1, 0], [0, identity(3)]]; G_1 = [[1], [zeros(3, 1)]]; G_2 = [[0], [identity(3)]]"
    )


@pytest.mark.parametrize("form", ["joseph", "ud"])
def test_a_matrix_that_is_not_that_of_the_filter_is_not_shown(form: str) -> None:
    predict = filtered(form)[0]
    (step,) = predict.steps
    wrong = replace(step, equation=step.equation.replace("[0, 1, -dt]", "[0, 1, dt]"))
    assert wrong.equation != step.equation
    assert not written_out(replace(predict, steps=(wrong,)))


def test_a_derivation_says_that_the_factors_are_compared_with_the_covariance() -> None:
    first = derivation(filtered("ud")[0])[0]
    assert (first.title, "compared" in first.by) == ("Conditions that the results meet", True)


@kernel(
    inputs=[Arg("F", REAL, "m", "position"), Arg("K", REAL, "m/s", "velocity"), Arg("n", REAL, "m", "noise")],
    outputs=[Arg("F1", REAL, "m", "")],
    equation="",
    source="a test",
)
def lettered(F: Any, K: Any, n: Any) -> Any:
    """A process whose inputs have the letters of a filter."""
    return F * K + n


def test_inputs_may_have_the_letters_of_a_filter() -> None:
    predict = Filter(lettered, ("F",), {"n": Arg("Q_1", POSITIVE, "m^2", "variance")}).prediction("predict")
    assert prove(predict).status == "proven"
    assert not written_out(predict)


def test_the_error_of_an_attitude_is_a_rotation_vector(tmp_path: Path) -> None:
    f = Filter(turning, ("q",), {"n": Arg("var", Vec3, "1/s^2", "variances")})
    predict, fix = f.prediction("predict"), f.correction("fix")
    assert predict.outputs[0].size == 6
    generate([predict, fix], Options(precisions=("f64",)), tmp_path)
    lib = codegen.load(tmp_path).f64
    q, w, dt, var, P = np.array([0.5, -0.5, 0.5, 0.5]), [0.4, -2, 1.1], 0.3, [0.1, 0.2, 0.3], covariance(4)
    given = {a.name: v for a, v in zip(predict.inputs, (q, w, dt, var, packed(P)), strict=False)}
    found = lib.predict(**{**given, "w": w, "dt": dt, "var": var, "P": packed(P)})
    turn = np.array(w) * dt
    F = Rotation.from_rotvec(-turn).as_matrix()
    length = np.linalg.norm(turn)
    K = np.array([[0, -turn[2], turn[1]], [turn[2], 0, -turn[0]], [-turn[1], turn[0], 0]])
    right = np.eye(3) - (1 - np.cos(length)) / length**2 * K
    right += (length - np.sin(length)) / length**3 * K @ K  # the right Jacobian of SO(3)
    expected = F @ P @ F.T + (right * dt) @ np.diag(var) @ (right * dt).T
    assert whole(found.P_next) == pytest.approx(expected, rel=1e-11)
    after = lib.fix(q, [0.1, -0.2, 0.3]).q_new
    start = Rotation.from_quat([*q[1:], q[0]])
    assert Rotation.from_quat([*after[1:], after[0]]).as_matrix() == pytest.approx(
        (start * Rotation.from_rotvec([0.1, -0.2, 0.3])).as_matrix()
    )


@PRECISIONS
def test_the_covariance_is_predicted_at_rest(precision: str, tmp_path: Path) -> None:
    """The exponential of no rotation has a derivative, although that of its angle has none."""
    f = Filter(turning, ("q",), {"n": Arg("var", Vec3, "1/s^2", "variances")})
    generate([f.prediction("predict")], Options(precisions=(precision,)), tmp_path)
    P = covariance(5)
    for size in (0, 1e-30, 1e-22, 1e-10):
        predict = getattr(codegen.load(tmp_path), precision).predict
        given = {"q": [1, 0, 0, 0], "w": [size, 0, 0], "dt": 0.5, "var": [1, 2, 3], "P": packed(P)}
        found = predict(**{a.name: given[a.name] for a in predict.inputs})
        assert whole(found.P_next) == pytest.approx(P + np.diag([0.25, 0.5, 0.75]), rel=1e-5), size


def test_structural_zeros_and_ones_cost_nothing() -> None:
    names = {a.name: a for a in carriage.inputs}
    states = tuple(names[n] for n in ("x", "v", "b"))
    step = Linearised(carriage, states, (names["n"], names["step"]), states)
    assert [a.name for a in step.needed] == ["dt"]
    plain = step.derivatives({"dt": 2})
    assert plain[0].rows[2] == (0, 0, 1)
    assert [type(x) for x in plain[0].rows[2]] == [int, int, int]
    assert plain[1].rows[2] == (0,)


# many updates


LOOP = """#include <stdio.h>
#include "fc.h"
int main(void) {{
    static const {real} start[6] = {{{start}}};
    {real} P[6], x[3], y, s, least = 1, position = 0;
    long k;
    int i, used, bad = 0;
    for (i = 0; i < 6; i++) {{
        P[i] = start[i];
    }}
    for (k = 0; k < {steps}L; k++) {{
        fc_predict_{form}_{p}(({real})0.01, ({real})1e-4, ({real})1e-12, P, P);
        if (k % 7 == 0) {{
            position = ({real})((k * 7919L) % 2000 - 1000);
            bad |= (int)fc_fuse_{form}_{p}(position, ({real})50, position, ({real})1e-4, 10, P, x, P, &y,
                                           &s, &used);
        }}
        least = s < least ? s : least;
        if (k % ({steps}L / 20) == 0) {{
            printf("%.17g %.17g %.17g %.17g %.17g %.17g\\n", (double)P[0], (double)P[1], (double)P[2],
                   (double)P[3], (double)P[4], (double)P[5]);
        }}
    }}
    return bad;
}}
"""


def covariances(tree: Path, place: Path, form: str, precision: str, steps: int, start: Any) -> list[Any]:
    """Twenty covariances along so many predictions, with an update after each seventh."""
    real = {"f32": "float", "f64": "double"}[precision]
    text = LOOP.format(
        real=real, p=precision, form=form, steps=steps, start=", ".join(map(repr, map(float, start)))
    )
    (place / "main.c").write_text(text)
    sources = [str(p) for p in tree.glob("fc_*.c")]
    command = [tool("cc"), "-std=c99", "-O2", f"-I{tree}", str(place / "main.c"), *sources, "-lm"]
    subprocess.run([*command, "-o", str(place / "run")], check=True)
    done = subprocess.run([str(place / "run")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, "a status was returned"
    rows = [np.array(list(map(float, line.split()))) for line in done.stdout.splitlines()]
    return [whole(row) if form == "joseph" else product(row) for row in rows]


@pytest.mark.parametrize("steps", [20_000, pytest.param(1_000_000, marks=pytest.mark.exhaustive)])
@PRECISIONS
@FORMS
def test_covariances_stay_positive(form: str, precision: str, steps: int, tree: Path, tmp_path: Path) -> None:
    """The first variance is 1e8 times that of a measurement: P - K H P is not positive after one in float."""
    P = np.diag([1e4, 1e2, 1e-2])
    start = packed(P) if form == "joseph" else factors(P)
    found = covariances(tree, tmp_path, form, precision, steps, start)
    assert len(found) == 20
    for P in found:
        scale = np.sqrt(np.diag(P))
        assert np.linalg.eigvalsh(P / np.outer(scale, scale)).min() > 0
    exact = covariances(tree, tmp_path, "ud", "f64", steps, factors(np.diag([1e4, 1e2, 1e-2])))
    assert np.diag(found[-1]) == pytest.approx(np.diag(exact[-1]), rel=1e-9 if precision == "f64" else 0.02)


def test_a_function_without_kernel_is_refused() -> None:
    def height(x: Any) -> Any:
        return x

    R, named = Arg("R", POSITIVE, "m^2", "variance"), "is of a kernel, but height is none: write @kernel"
    rail = Filter(carriage, states=("x", "v", "b"), noise={})
    tries: list[Callable[[], Any]] = [
        lambda: Filter(height, states=("x",), noise={}),  # type: ignore[arg-type]
        lambda: rail.update(height, "fuse", R),  # type: ignore[arg-type]
        lambda: rail.update_angle(height, "fuse", R),  # type: ignore[arg-type]
        lambda: rail.update_block(height, "fuse", R),  # type: ignore[arg-type]
        lambda: codegen.jacobian(height, "slopes", ["y"], {"dy": ["x"]}),  # type: ignore[arg-type]
    ]
    for wrong in tries:
        with pytest.raises(FeatherError, match=named):
            wrong()
    with pytest.raises(FeatherError, match="has of = 1, but that must be a Kernel"):
        codegen.jacobian(1, "slopes", ["y"], {"dy": ["x"]})  # type: ignore[arg-type]


# the example


@pytest.mark.parametrize("sign", sampled(["-", "+"], every=2))
def test_one_limit_guards_the_turn_of_a_step(sign: str, tmp_path: Path) -> None:
    """Once, in the value and in each derivative by a component, whatever the sign of the noise."""
    model = (ROOT / "examples" / "inertial.py").read_text()
    (tmp_path / "inertial.py").write_text(
        model.replace("gyro_bias - gyro_noise", f"gyro_bias {sign} gyro_noise")
    )
    program = optimised(load_model(tmp_path / "inertial.py", ["predict_covariance"])["predict_covariance"])
    used = Counter(node.op for node in program.nodes)
    assert used[Op.LE] == 1
    assert used[Op.SELECT] <= 24


@pytest.mark.exhaustive
def test_the_inertial_filter_is_consistent_in_flight(tmp_path: Path) -> None:
    kernels = load_model(ROOT / "examples" / "inertial.py")
    generate(list(kernels.values()), Options(), tmp_path)
    sources = [ROOT / "examples" / "flight.c", *tmp_path.glob("fc_*.c")]
    command = [
        tool("cc"),
        "-std=c99",
        "-O2",
        f"-I{tmp_path}",
        *map(str, sources),
        "-lm",
        "-o",
        str(tmp_path / "run"),
    ]
    subprocess.run(command, check=True)
    run = [str(tmp_path / "run"), str(tmp_path / "nees.svg")]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    drawn = [
        re.findall(r"-?\d+\.\d+,-?\d+\.\d+", (place / "nees.svg").read_text())
        for place in (tmp_path, ROOT / "examples")
    ]
    assert [len(points) for points in drawn] == [300, 300]
    (average,) = re.findall(r"NEES (\S+) on average", done.stdout)
    assert float(average) == pytest.approx(15, abs=1.5)


# variants and units


def test_a_dropped_state_is_an_input_that_is_taken_for_exact() -> None:
    """F, G and P lose the rows and columns of the bias; its noise goes, too."""
    short = Filter(carriage, ("x", "v", "b"), VARIANCES).without("b")
    predict = short.prediction("predict_short")
    assert [a.name for a in predict.inputs] == ["dt", "q", "P"]
    assert not prove(predict).verdict.difference
    dt, q = 0.1, 0.5
    P, F, G = covariance(3, 2), np.array([[1, dt], [0, 1]]), np.array([[dt * dt / 2], [dt]])
    after = evaluate(predict.program(False), floating(F64), [dt, q, *packed(P)]).results
    assert np.allclose(whole(after), F @ P @ F.T + G * q @ G.T)
    (fuse,) = short.update(distance_to, "fuse_short", R)
    assert {a.name: a.size for a in fuse.outputs}["correction"] == 2


def test_a_dropped_state_stays_an_input_where_others_depend_on_it() -> None:
    @kernel(
        inputs=[Arg("v", REAL, "m/s", ""), Arg("drag", REAL, "1/m", ""), Arg("dt", POSITIVE, "s", "")],
        outputs=[Arg("v1", REAL, "m/s", ""), Arg("drag1", REAL, "1/m", "")],
        equation="",
        source="a test",
    )
    def glide(v: Any, drag: Any, dt: Any) -> Any:
        """A glide."""
        return v - drag * v * v * dt, drag

    short = Filter(glide, ("v", "drag"), {}).without("drag").prediction("predict_glide")
    assert [a.name for a in short.inputs] == ["v", "drag", "dt", "P"]


@FORMS
def test_units_of_a_covariance_are_those_of_its_states(form: str) -> None:
    f = Filter(carriage, ("x", "v", "b"), VARIANCES, form)
    P = f.prediction("predict").inputs[-1]
    assert P.unit == "mixed"
    assert "x 0 [m], v 1 [m/s], b 2 [m/s^2]; the unit of " in P.doc
    (fuse,) = f.update(distance_to, "fuse", R)
    units = {a.name: a.unit for a in fuse.outputs}
    assert units["correction"] == "m; m/s; m/s^2"
    assert units["S"] == "m^2"
    alone = f.without("v", "b").prediction("alone").inputs[-1]
    assert alone.unit == ("m^2" if form == "joseph" else "mixed")


# messages


def measured_in(state: str, unit: str, kind: Any, frame: str = "") -> Kernel:
    """A measurement of a state, as it declares it."""

    def seen(value: Any) -> Any:
        return value

    seen.__signature__ = inspect.Signature([inspect.Parameter(state, inspect.Parameter.POSITIONAL_ONLY)])  # type: ignore[attr-defined]
    decorate = kernel(
        inputs=[Arg(state, kind, unit, "a state", frame)],
        outputs=[Arg("z", kind, unit, "its value", frame)],
        equation=f"z = {state}",
        source="a test",
    )
    return decorate(seen)


def in_frames(after: str, variances: str) -> Filter:
    """A filter of a place, with the frames of the place after a step and of the variances of its noise."""

    @kernel(
        inputs=[Arg("p", Vec3, "m", "place", "N"), Arg("n", Vec3, "m", "noise", "N")],
        outputs=[Arg("p_next", Vec3, "m", "place", after)],
        equation="p_next = p + n",
        source="a test",
    )
    def moved(p: Any, n: Any) -> Any:
        return p + n

    return Filter(moved, ("p",), {"n": Arg("q", Vec3, "m^2", "variances", variances)})


def wrong(**changed: Any) -> Callable[[], Any]:
    given: dict[str, Any] = {"process": carriage, "states": ("x", "v", "b"), "noise": VARIANCES, **changed}
    return lambda: Filter(**given)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (wrong(states=("x", "v", "z")), "the filter of carriage: the process has no input z"),
        (wrong(noise={"m": R}), "the process has no input m"),
        (wrong(noise={"n": Arg("q", Vec3, "1", "")}), "q has 3 variances, but n 1 scalars"),
        (wrong(states=("x", "v")), "it has 2 states, but 3 outputs: the outputs of the process must be its"),
        (
            wrong(states=("v", "x", "b")),
            "output x1 stands for the state v, but is in m instead of m/s: the outputs of the process",
        ),
        (
            lambda: wrong()().update(measured_in("x", "km", REAL), "u", R),
            "seen has an input x, which is a state of the filter, but is in km instead of m",
        ),
        (
            lambda: wrong()().update(measured_in("x", "m", Vec3), "u", R),
            "seen has an input x, which is a state of the filter, but has 3 scalars instead of 1",
        ),
        (
            lambda: in_frames("N", "N").update(measured_in("p", "m", Vec3, "B"), "u", R),
            "seen has an input p, which is a state of the filter, but is in the frame B instead of N",
        ),
        (lambda: in_frames("N", "B"), "q has the variances of n, but is in the frame B, and n in N"),
        (lambda: in_frames("B", "B"), "output p_next stands for the state p, but is in the frame B instead"),
        (wrong(form="sqrt"), "its form is 'sqrt', but must be one of joseph, ud"),
        (wrong(noise={"n": R}), "R is the variance of n: its unit is m^2/s^4, not m^2"),
        (
            lambda: wrong()().update(distance_to, "u", VARIANCES["n"]),
            "q is the variance of distance: its unit is m^2, not m^2/s^4",
        ),
        (lambda: wrong()().without("z"), "the filter of carriage has no state z: it has x, v, b"),
        (lambda: wrong()().without("x", "v", "b"), "the filter of carriage has no state left"),
        (
            lambda: wrong(noise={})().update(turning, "u", R),
            "turning has no input of the states x, v, b",
        ),
    ],
)
def test_mistakes_in_a_filter(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(FeatherError) as error:
        make()
    assert message in str(error.value)


FALLING = (
    Arg("v", Vec3, "m/s", "velocity", "N"),
    Arg("q", UnitQuaternion, "1", "attitude", "B to N"),
    Arg("force", Vec3, "m/s^2", "specific force", "B"),
)
FALLEN = (
    Arg("v_next", Vec3, "m/s", "velocity", "N"),
    Arg("q_next", UnitQuaternion, "1", "attitude", "B to N"),
)


@kernel(
    inputs=[*FALLING, Arg("n", Vec3, "m/s^2", "noise of force", "B")],
    outputs=FALLEN,
    equation="",
    source="a test",
)
def falling(v: Any, q: Any, force: Any, n: Any) -> Any:
    """A velocity after a second."""
    return v + quat_rotate(q, force - n), q


@kernel(inputs=FALLING, outputs=FALLEN, equation="", source="a test")
def mistaken(v: Any, q: Any, force: Any) -> Any:
    """The same without an input for the noise."""
    return v + quat_rotate(q, force), q


def test_measured_values_that_are_taken_for_noise_are_told() -> None:
    """The derivatives by the attitude vanish at a specific force of 0."""
    var = Arg("var", Vec3, "m^2/s^4", "variances", "B")
    right = Filter(falling, ("v", "q"), {"n": var}).prediction("right")
    wrong = Filter(mistaken, ("v", "q"), {"force": var}).prediction("wrong")
    assert not right.notes
    assert "taken at n = 0." in right.details
    (note,) = wrong.notes
    assert "taken at force = 0" in note
    assert "force_noise" in note


MISTAKEN = """
from codegen import REAL, Arg, Filter, kernel

@kernel(inputs=[Arg("x", REAL, "m", "place"), Arg("v", REAL, "1", "factor")],
        outputs=[Arg("y", REAL, "m", "place")], equation="y = x v^2", source="a test")
def moved(x, v):
    return x * v * v

predict = Filter(moved, ("x",), {"v": Arg("q", REAL, "1", "variance")}).prediction("predict")
"""


def test_generate_tells_of_them(featherc: Featherc, tmp_path: Path) -> None:
    (tmp_path / "mistaken.py").write_text(MISTAKEN)
    made = featherc("generate", "--model", str(tmp_path / "mistaken.py"), "-o", str(tmp_path / "out"))
    assert "note: predict: the derivatives are taken at v = 0" in made.err


def test_an_update_requires_no_input_that_it_does_not_have() -> None:
    f = Filter(falling, ("v", "q"), {"n": Arg("var", Vec3, "m^2/s^4", "variances", "B")})
    fuse = f.update(measured_in("v", "m/s", Vec3, "N"), "fuse", Arg("R", POSITIVE, "m^2/s^2", ""))[0]
    assert fuse.requires == "P is positive definite"
    assert f.prediction("predict").requires.startswith("q is a unit quaternion; ")


def test_a_process_without_a_formula() -> None:
    of: Sequence[Any] = [*carriage.inputs]
    import sympy

    symbols = [sympy.Symbol(a.name) for a in of]
    outputs = [(a, s) for a, s in zip(carriage.outputs, symbols, strict=False)]
    opaque = codegen.from_sympy("opaque", list(zip(of, symbols, strict=True)), outputs)
    with pytest.raises(FeatherError, match="kernel opaque has no formula: a filter needs one"):
        prove(Filter(opaque, ("x", "v", "b"), VARIANCES).prediction("p"))


@kernel(
    inputs=[
        Arg("v", Vec3, "m/s", "velocity"),
        Arg("wind", Vec3, "m/s", "wind"),
        Arg("push", Vec3, "m/s", "noise of v"),
        Arg("walk", Vec3, "m/s", "step of the wind"),
        Arg("pull", REAL, "m/s", "noise of both"),
    ],
    outputs=[Arg("v1", Vec3, "m/s", ""), Arg("wind1", Vec3, "m/s", "")],
    equation="",
    source="a test",
)
def drifting(v: Any, wind: Any, push: Any, walk: Any, pull: Any) -> Any:
    """Drift in the wind."""
    along = Vec3(pull, pull, pull)
    return v + wind + push + along, wind + walk + along


def test_variances_of_vectors_are_not_negative(tmp_path: Path) -> None:
    """With negative ones, the factors of a covariance that is none lose all digits."""
    noise = {
        "push": Arg("push_var", Vec3, "m^2/s^2", ""),
        "walk": Arg("walk_var", Vec3, "m^2/s^2", "", range=(0.5, 2)),
        "pull": Arg("pull_var", REAL, "m^2/s^2", ""),
    }
    predict = Filter(drifting, ("v", "wind"), noise, "ud").prediction("predict")
    of = {a.name: a for a in predict.inputs}
    assert all(min(case[:3]) >= 0 for case in cases([of["push_var"]], 40, "variances"))
    assert of["walk_var"] == noise["walk"]
    assert of["pull_var"].type == POSITIVE
    generate([predict], Options(), tmp_path)
    assert [row.problems for row in verify(tmp_path, {"predict": predict})] == [[], []]


def test_derivatives_of_a_prediction_do_not_have_its_step() -> None:
    predict = filtered("joseph")[0]
    slopes = codegen.jacobian(predict, "slopes", ["P_next"], {"by_dt": ["dt"]})
    assert predict.steps
    assert not slopes.steps


@kernel(
    inputs=[
        Arg("q", UnitQuaternion, "1", "attitude", "B to N"),
        Arg("bias", REAL, "rad/s", "bias of the yaw gyro"),
        Arg("w", Vec3, "rad/s", "measured angular velocity", "B"),
        Arg("n", Vec3, "rad/s", "its noise", "B"),
        Arg("dt", POSITIVE, "s", "time step"),
    ],
    outputs=[
        Arg("q_next", UnitQuaternion, "1", "attitude", "B to N"),
        Arg("bias_next", REAL, "rad/s", "bias of the yaw gyro"),
    ],
    equation="",
    source="a test",
)
def spinning(q: Any, bias: Any, w: Any, n: Any, dt: Any) -> Any:
    """An attitude after a step, by an exponential whose angle may be many turns."""
    return quat_multiply(q, quat_from_rotvec((w + n - Vec3(0, 0, bias)) * dt)), bias


@pytest.mark.exhaustive
def test_factors_of_an_attitude_that_turns_by_exponentials_are_verified(tmp_path: Path) -> None:
    """Its derivatives have sines of angles of any size, with errors of the size of the angle."""
    noise = {"n": Arg("var", Vec3, "1/s^2", "variances")}
    predict = Filter(spinning, ("q", "bias"), noise, "ud").prediction("predict")
    generate([predict], Options(), tmp_path)
    rows = verify(tmp_path, {"predict": predict})
    assert [row.problems for row in rows] == [[], []]
    assert not any(row.proof.startswith("failed") for row in rows)


@FORMS
@PRECISIONS
@pytest.mark.parametrize(
    ("given", "number"),
    [("R", np.nan), ("R", np.inf), ("measured", np.nan), ("measured", np.inf), ("gate", np.nan)],
)
def test_a_number_that_is_not_finite_leaves_the_covariance_as_it_is(
    compiled: Library, form: str, precision: str, given: str, number: float
) -> None:
    """Otherwise, one bad measurement destroys the filter, whatever flag is returned."""
    P = np.array([2.0, 0.1, 0.2, 3.0, 0.3, 4.0])
    values = {"measured": 1.0, "R": 0.5, "gate": 3.0, given: number}
    found = getattr(getattr(compiled, precision), f"fuse_{form}")(x=0.1, height=0.3, P=P, **values)
    assert np.array_equal(found.P_next, P.astype(found.P_next.dtype))
    assert not found.correction.any()
    assert not found.used


@kernel(
    inputs=[
        Arg("x", REAL, "m", "position"),
        Arg("v", REAL, "m/s", "velocity"),
        Arg("height", POSITIVE, "m", "height of the beacon"),
    ],
    outputs=[Arg("seen", Vector(2), "m; m/s", "distance to the beacon, and speed along the rail")],
    equation="",
    source="a test",
)
def radar(x: Any, v: Any, height: Any) -> Any:
    """What a radar on a beacon measures."""
    return Vector.of([sqrt(x * x + height * height), v])


CORRELATED = Arg("R", Symmetric(2, positive=True), "m^2; m^2/s; m^2/s^2", "covariance of radar")
"""Errors of distance and speed that are not independent."""


@pytest.fixture(scope="module")
def block_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("blocks") / "c"
    made = Filter(carriage, ("x", "v", "b"), VARIANCES).update_block(radar, "fuse_radar", CORRELATED)
    generate([made], Options(), place)
    rows = verify(place, {"fuse_radar": made})
    assert [(row.proof, row.problems) for row in rows] == [("proven", []), ("proven", [])]
    return place


@pytest.fixture(scope="module")
def fuse_radar(block_tree: Path) -> Any:
    return codegen.load(block_tree).f64.fuse_radar


RADAR = {"x": 3.0, "v": 0.2, "height": 4.0, "measured": [5.5, 0.4], "R": [0.5, 0.1, 0.3], "gate": 5.0}


def test_a_block_of_measurements_is_used_as_matrices_say(fuse_radar: Any) -> None:
    P, H, R = covariance(5), np.array([[0.6, 0, 0], [0, 1, 0]]), whole([0.5, 0.1, 0.3])
    S = H @ P @ H.T + R
    K = P @ H.T @ np.linalg.inv(S)
    found = fuse_radar(**RADAR, P=packed(P))
    assert found.status == 0
    assert found.used
    np.testing.assert_allclose(found.H, H)
    np.testing.assert_allclose(found.K, K)
    np.testing.assert_allclose(whole(found.S), S)
    np.testing.assert_allclose(found.correction, K @ [0.5, 0.2])
    np.testing.assert_allclose(whole(found.P_next), P - K @ S @ K.T)


def test_the_gate_of_a_block_is_the_distance_of_all_its_scalars(fuse_radar: Any) -> None:
    P = covariance(5)
    S, e = whole(fuse_radar(**RADAR, P=packed(P)).S), np.array([0.5, 0.2])
    distance = np.sqrt(e @ np.linalg.inv(S) @ e)
    inside, outside = (fuse_radar(**{**RADAR, "gate": g * distance}, P=packed(P)) for g in (1.001, 0.999))
    assert (inside.used, outside.used) == (1, 0)
    np.testing.assert_array_equal(outside.P_next, packed(P))
    assert not outside.correction.any()


@pytest.mark.parametrize(
    ("changed", "flag"),
    [
        ({"R": [np.nan, 0.1, 0.3]}, Status.SINGULAR),
        ({"R": [0.5, np.nan, 0.3]}, Status.SINGULAR),
        ({"R": [np.inf, 0.1, 0.3]}, Status.SINGULAR),
        ({"R": [0.5, 0.1, np.inf]}, Status.SINGULAR),
        ({"R": [-9.0, 0.1, 0.3]}, Status.SINGULAR),
        ({"measured": [np.nan, 0.4]}, 0),
        ({"measured": [5.5, np.inf]}, 0),
        ({"gate": np.nan}, 0),
        ({"x": np.nan}, Status.SINGULAR),
    ],
    ids=str,
)
def test_a_block_that_cannot_be_used_leaves_the_covariance(
    fuse_radar: Any, changed: dict[str, Any], flag: int
) -> None:
    P = packed(covariance(5))
    found = fuse_radar(**{**RADAR, **changed}, P=P)
    np.testing.assert_array_equal(found.P_next, P)
    assert found.status == flag
    assert not found.correction.any()
    assert not found.used


@pytest.mark.parametrize(
    ("form", "variance", "message"),
    [
        ("ud", CORRELATED, "a filter with form='ud' takes one scalar after the other: use update"),
        ("joseph", Arg("R", Vec3, "", ""), "R has 3 numbers, but must have one for all scalars, 2 variances"),
        (
            "joseph",
            Arg("R", Vector(2), "m^2; m^2", ""),
            "variance of radar: its unit is m^2/s^2, not m^2; m^2",
        ),
    ],
)
def test_mistakes_in_an_update_by_a_block(form: str, variance: Arg, message: str) -> None:
    with pytest.raises(FeatherError) as error:
        Filter(carriage, ("x", "v", "b"), VARIANCES, form).update_block(radar, "fuse", variance)
    assert message in str(error.value)
