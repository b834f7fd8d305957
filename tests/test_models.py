"""Models of users: the quadrotor and the F-16 obey physics, and SymPy and CasADi models become C."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.spatial.transform import Rotation

import codegen
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.library import library
from codegen.loading.python_file import load_model
from codegen.modeling.kernel import Kernel
from codegen.modeling.vehicle import bind_vehicle
from codegen.tree.write import generate
from codegen.verify.libraries import Library
from codegen.verify.native import STRICT
from codegen.verify.verify import verify
from tests.conftest import ROOT, Featherc, tool

Vector = npt.NDArray[np.float64]
EXAMPLES = ROOT / "examples"
G = 9.80665
LEVEL = np.array([1.0, 0.0, 0.0, 0.0])
ZERO = np.zeros(3)

VEHICLE: dict[str, Any] = tomllib.loads((EXAMPLES / "quadrotor.toml").read_text())["bind"]
M, ARM, K_THRUST = (float(VEHICLE[name]) for name in ("m", "arm", "k_thrust"))
J = [float(VEHICLE["J_B"][name]) for name in ("xx", "xy", "xz", "yy", "yz", "zz")]
HOVER = math.sqrt(M * G / (4 * K_THRUST))
"""The speed at which the four rotors carry the weight."""

PX4 = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]])
"""Forward and right of each rotor, in PX4's order: front right, rear left, front left, rear right."""
CLOCKWISE = np.array([-1, -1, 1, 1])
"""Sense of rotation of each, seen from above; in axes with z down that is the sign about z."""


@pytest.fixture(scope="session")
def quadrotor() -> dict[str, Kernel]:
    """The kernels of the example."""
    return load_model(EXAMPLES / "quadrotor.py")


def built(kernels: Sequence[Kernel], options: Options, place: Path) -> Library:
    """The kernels, generated and compiled."""
    generate(kernels, options, place)
    return codegen.load(place)


@pytest.fixture(scope="session")
def free(quadrotor: dict[str, Kernel], tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The quadrotor with its parameters as arguments."""
    return built(list(quadrotor.values()), Options(), tmp_path_factory.mktemp("quadrotor") / "c")


@pytest.fixture(scope="session")
def bound(quadrotor: dict[str, Kernel], tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The quadrotor of the example's vehicle file."""
    kernels = bind_vehicle(list(quadrotor.values()), EXAMPLES / "quadrotor.toml")
    return built(kernels, Options(interface="array"), tmp_path_factory.mktemp("vehicle") / "c")


def parameters(**changed: Any) -> list[Any]:
    """The arguments after the rotor speeds: those of the vehicle file, some changed."""
    values = {**VEHICLE, "J_B": J, **changed}
    return [values[n] for n in ("m", "J_B", "arm", "k_thrust", "k_torque", "J_rotor", "drag")]


def random_state(rng: np.random.Generator) -> tuple[Vector, Vector, Vector, Vector]:
    """Position, attitude, velocity and angular velocity."""
    q = rng.standard_normal(4)
    return rng.standard_normal(3), q / np.linalg.norm(q), 5 * rng.standard_normal(3), rng.standard_normal(3)


def matrix(q: Vector) -> Vector:
    """R_NB of an attitude [w, x, y, z], by SciPy."""
    return np.asarray(Rotation.from_quat(np.roll(q, -1)).as_matrix())


def dense(inertia: Sequence[float] | Vector) -> Vector:
    """The matrix of six numbers."""
    xx, xy, xz, yy, yz, zz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


# the quadrotor


VERIFIED = {
    "free, header-only": Options(precisions=("f32",), checks=False, layout="header-only"),
    "bound": Options(),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("form", ["bound", "free, header-only"])
def test_the_examples_verify(form: str, quadrotor: dict[str, Kernel], tmp_path: Path) -> None:
    """Against 50 digits, under the strict flags."""
    bound = bind_vehicle(list(quadrotor.values()), EXAMPLES / "quadrotor.toml")
    options = VERIFIED[form]
    generate(bound if form == "bound" else list(quadrotor.values()), options, tmp_path)
    rows = list(verify(tmp_path, quadrotor, count=2))
    assert [row.symbol for row in rows] == [f"fc_{n}_{p}" for n in quadrotor for p in options.precisions]
    assert [row.problems for row in rows] == [[]] * len(rows)
    assert all(row.ok for row in rows)


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_it_hovers(precision: str, bound: Library) -> None:
    """At the speed that weight and thrust give nothing changes, wherever it is and faces."""
    dynamics = getattr(bound, precision).quadrotor_dynamics
    for heading in (0.0, 1.0, -3.0):
        q = [math.cos(heading / 2), 0, 0, math.sin(heading / 2)]
        rates = dynamics([10, -20, -30], q, ZERO, ZERO, [HOVER] * 4)
        assert rates.status == 0
        for rate in rates[:4]:
            np.testing.assert_allclose(rate, 0, atol=1e-14 if precision == "f64" else 1e-5)


def test_more_thrust_climbs_and_less_sinks(bound: Library) -> None:
    for factor, sign in ((1.01, -1), (0.99, 1)):
        rates = bound.f64.quadrotor_dynamics(ZERO, LEVEL, ZERO, ZERO, [factor * HOVER] * 4)
        assert np.sign(rates.dv_B[2]) == sign, "z is down"
        np.testing.assert_allclose(rates.dv_B[2], G * (1 - factor**2), rtol=1e-12)


@pytest.mark.parametrize("rotor", range(4))
def test_each_rotor_tilts_and_turns_the_body_as_it_must(rotor: int, bound: Library, free: Library) -> None:
    """Its thrust lifts its own corner; its drag rotates the body against its direction of rotation."""
    forward, right = PX4[rotor]
    speeds = np.full(4, HOVER)
    speeds[rotor] += 10
    rate = bound.f64.quadrotor_dynamics(ZERO, LEVEL, ZERO, ZERO, speeds).dw_B
    assert np.sign(rate[0]) == -right, "a right-hand rotor rolls to the left"
    assert np.sign(rate[1]) == forward, "a front rotor pitches the nose up"
    assert np.sign(rate[2]) == -CLOCKWISE[rotor], "a clockwise rotor yaws anticlockwise"

    alone = np.zeros(4)
    alone[rotor] = HOVER
    thrust, torque = K_THRUST * HOVER**2, float(VEHICLE["k_torque"]) * HOVER**2
    lever = np.array([forward * ARM, right * ARM, 0])
    moment = np.cross(lever, [0, 0, -thrust]) + np.array([0, 0, -CLOCKWISE[rotor] * torque])
    found = free.f64.quadrotor_dynamics(ZERO, LEVEL, ZERO, ZERO, alone, *parameters())
    np.testing.assert_allclose(dense(J) @ found.dw_B, moment, rtol=1e-12, atol=1e-15)


def test_it_falls_freely_with_its_rotors_off(free: Library, rng: np.random.Generator) -> None:
    """Without drag its acceleration in N is gravity, whatever its attitude and motion."""
    for _ in range(10):
        p, q, v, w = random_state(rng)
        rates = free.f64.quadrotor_dynamics(p, q, v, w, np.zeros(4), *parameters(drag=ZERO))
        np.testing.assert_allclose(matrix(q) @ (rates.dv_B + np.cross(w, v)), [0, 0, G], atol=1e-12)
        np.testing.assert_allclose(rates.dp_N, matrix(q) @ v, atol=1e-12)
        np.testing.assert_allclose(dense(J) @ rates.dw_B, -np.cross(w, dense(J) @ w), atol=1e-12)


def test_drag_opposes_motion_along_each_axis(bound: Library, free: Library) -> None:
    """It depends on the velocity, and it dissipates energy."""
    drag = np.array(VEHICLE["drag"], float)
    at_rest = bound.f64.quadrotor_dynamics(ZERO, LEVEL, ZERO, ZERO, [HOVER] * 4).dv_B
    for axis, k in zip(np.eye(3), drag, strict=True):
        moving = bound.f64.quadrotor_dynamics(ZERO, LEVEL, 4 * axis, ZERO, [HOVER] * 4).dv_B
        np.testing.assert_allclose(moving - at_rest, -4 * k / M * axis, atol=1e-13)
    v = np.array([3.0, -4.0, 5.0])
    power = v @ free.f64.quadrotor_dynamics(ZERO, LEVEL, v, [1, 2, 3], np.zeros(4), *parameters()).dv_B
    assert power < G * v[2]


def angular_momentum(q: Vector, w: Vector, inertia: Vector, spin: float) -> Vector:
    """Of body and rotors, in N."""
    return matrix(q) @ (inertia @ w + [0, 0, spin])


def rk4(rate: Callable[[Vector], Vector], state: Vector, step: float, count: int) -> Vector:
    """`count` steps of the classical method."""
    for _ in range(count):
        a = rate(state)
        b = rate(state + step / 2 * a)
        c = rate(state + step / 2 * b)
        d = rate(state + step * c)
        state = state + step / 6 * (a + 2 * b + 2 * c + d)
    return state


def test_rotors_are_gyroscopes(free: Library) -> None:
    """With no air there is no moment: body and rotors together keep their angular momentum in N.

    The rotors' part in it is large here, and the same with its sign turned would not be kept.
    """
    inertia, J_rotor = np.array([0.02, 0.001, 0, 0.03, -0.002, 0.04]), 1e-3
    speeds = np.array([10.0, 30.0, 200.0, 150.0])
    spin = J_rotor * float(CLOCKWISE @ speeds)
    vacuum = parameters(k_thrust=1e-30, k_torque=1e-30, J_B=inertia, J_rotor=J_rotor, drag=ZERO)

    def rate(state: Vector) -> Vector:
        q, w = state[:4], state[4:]
        rates = free.f64.quadrotor_dynamics(ZERO, q, ZERO, w, speeds, *vacuum)
        return np.concatenate([rates.dq, rates.dw_B])

    start = np.concatenate([Rotation.from_rotvec([0.3, -0.2, 0.5]).as_quat()[[3, 0, 1, 2]], [2.0, -3.0, 1.0]])
    end = rk4(rate, start, 1e-3, 500)
    body = dense(inertia)
    before, after = (angular_momentum(s[:4], s[4:], body, spin) for s in (start, end))
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-9)
    assert np.linalg.norm(end[4:] - start[4:]) > 1, "it has tumbled"
    before, after = (angular_momentum(s[:4], s[4:], body, -spin) for s in (start, end))
    assert np.linalg.norm(after - before) > 0.1 * abs(spin)


def central_differences(function: Callable[[Vector], Vector], at: Vector, step: float = 1e-5) -> Vector:
    """The matrix of derivatives; exact but for rounding where the function is quadratic."""
    columns = []
    for axis in np.eye(at.size):
        h = step * max(1.0, float(abs(at @ axis)))
        columns.append((function(at + h * axis) - function(at - h * axis)) / (2 * h))
    return np.column_stack(columns)


@pytest.mark.parametrize("sample", range(3))
def test_every_entry_of_the_jacobians(sample: int, bound: Library) -> None:
    """Against central differences of the compiled dynamics."""
    rng = np.random.default_rng(sample)
    state, rotor = np.concatenate(random_state(rng)), HOVER * rng.uniform(0.5, 1.5, 4)

    def rates(x: Vector, u: Vector) -> Vector:
        parts = np.split(x, [3, 7, 10])
        return np.concatenate(bound.f64.quadrotor_dynamics(*parts, u)[:4])

    found = bound.f64.quadrotor_jacobians(*np.split(state, [3, 7, 10]), rotor)
    assert (found.A.shape, found.B.shape) == ((13, 13), (13, 4))
    A = central_differences(lambda x: rates(x, rotor), state)
    B = central_differences(lambda u: rates(state, u), rotor)
    np.testing.assert_allclose(found.A, A, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(found.B, B, rtol=1e-7, atol=1e-9)
    assert np.count_nonzero(found.A) > 50
    assert np.count_nonzero(found.B) == 4 * 4, "each rotor acts on the force along z and on the moments"


def test_the_free_jacobians_are_the_bound_ones(free: Library, bound: Library) -> None:
    p, q, v, w = random_state(np.random.default_rng(5))
    speeds = HOVER * np.array([0.9, 1.0, 1.1, 1.2])
    left = free.f64.quadrotor_jacobians(p, q, v, w, speeds, *parameters())
    right = bound.f64.quadrotor_jacobians(p, q, v, w, speeds)
    np.testing.assert_allclose(left.A, right.A, rtol=1e-13, atol=1e-12)
    np.testing.assert_allclose(left.B, right.B, rtol=1e-13, atol=1e-12)


# the F-16, flown by a C program

FLIGHT = """
#include "fc.h"
#include <stdio.h>

typedef struct { fc_vec3_f64 p; fc_quat_f64 q; fc_vec3_f64 v; fc_vec3_f64 w; } state;
enum { SCALARS = sizeof(state) / sizeof(double) };

static state rate(const state *x)
{
    static const fc_vec3_f64 none = {0.0, 0.0, 0.0};
    state d;
    fc_rigid_body_dynamics_quat_f64(&x->p, &x->q, &x->v, &x->w, &none, &none, 0.0, &d.p, &d.q, &d.v, &d.w);
    return d;
}

static state ahead(const state *x, const state *d, double h)
{
    state y = *x;
    double *to = (double *)&y;
    const double *slope = (const double *)d;
    for (int i = 0; i < SCALARS; i++) to[i] += h * slope[i];
    return y;
}

int main(void)
{
    const double h = 0.01;
    state x = {{0.0, 0.0, -3000.0}, {0.6, 0.0, 0.8, 0.0}, {150.0, 5.0, 10.0}, {2.0, 0.3, -0.4}};
    for (int step = 0; step <= 500; step++) {
        const double *s = (const double *)&x;
        if (step % 100 == 0) {
            for (int i = 0; i < SCALARS; i++) printf("%.17g ", s[i]);
            printf("\\n");
        }
        state k1 = rate(&x), x2 = ahead(&x, &k1, h / 2), k2 = rate(&x2), x3 = ahead(&x, &k2, h / 2);
        state k3 = rate(&x3), x4 = ahead(&x, &k3, h), k4 = rate(&x4);
        x = ahead(&x, &k1, h / 6);
        x = ahead(&x, &k2, h / 3);
        x = ahead(&x, &k3, h / 3);
        x = ahead(&x, &k4, h / 6);
    }
    return 0;
}
"""


def test_an_f16_left_alone_keeps_its_momenta_and_energy(tmp_path: Path) -> None:
    """Five seconds of tumbling without force or moment, integrated in C from the generated C alone."""
    kernels = bind_vehicle([library()["rigid_body_dynamics_quat"]], EXAMPLES / "f16.toml")
    generate(kernels, Options(precisions=("f64",)), tmp_path / "c")
    (tmp_path / "flight.c").write_text(FLIGHT)
    strict = [flag for flag in STRICT if flag != "-Wcast-qual"]
    sources = [str(tmp_path / "flight.c"), str(tmp_path / "c" / "fc_rigid_body_f64.c")]
    command = [tool("gcc"), *strict, "-O2", f"-I{tmp_path / 'c'}", *sources, "-o", str(tmp_path / "flight")]
    subprocess.run(command, check=True)
    flown = subprocess.run([str(tmp_path / "flight")], capture_output=True, text=True, check=True).stdout
    states = [np.array(line.split(), float) for line in flown.splitlines()]
    assert len(states) == 6
    inertia = dense([float(x) for x in kernels[0].bound["J_B"]])

    def kept(s: Vector) -> Vector:
        q, v, w = s[3:7], s[7:10], s[10:]
        moment = matrix(q) @ inertia @ w
        return np.concatenate([moment, matrix(q) @ v, [w @ inertia @ w / 2, np.linalg.norm(q)]])

    for state in states[1:]:
        np.testing.assert_allclose(kept(state), kept(states[0]), rtol=1e-5, atol=1e-4)
    angles = [np.linalg.norm(s[10:] - states[0][10:]) for s in states]
    assert max(angles) > 0.5, "it has tumbled"
    straight = states[0][:3] + 5 * matrix(states[0][3:7]) @ states[0][7:10]
    np.testing.assert_allclose(states[-1][:3], straight, rtol=1e-5)


# models that exist already

SYMPY_MODEL = """
import sympy

from codegen import REAL, Arg, Array, Vec3, from_sympy

theta, rate, torque, length, mass = sympy.symbols("theta rate torque length mass")
acceleration = (torque / (mass * length**2)) - sympy.Float("9.81") / length * sympy.sin(theta)

pendulum = from_sympy(
    "pendulum",
    [
        (Arg("x", Array((2,)), "mixed", "angle and its rate"), sympy.Matrix([theta, rate])),
        (Arg("u", REAL, "N m", "torque"), torque),
        (Arg("l", REAL, "m", "length"), length),
        (Arg("m", REAL, "kg", "mass"), mass),
    ],
    [
        (Arg("dx", Array((2,)), "mixed", "rate of x"), sympy.Matrix([rate, acceleration])),
        (
            Arg("A", Array((2, 2)), "mixed", "d(dx)/dx"),
            sympy.Matrix([rate, acceleration]).jacobian([theta, rate]),
        ),
    ],
    title="A driven pendulum.", equation="m l^2 theta'' = u - m g l sin(theta)",
)

v = sympy.MatrixSymbol("v", 3, 1)
limited = from_sympy(
    "limited",
    [(Arg("v", Vec3, "", "speed", "B"), v)],
    [
        (
            Arg("s", REAL, "1", "saturated"),
            sympy.Piecewise((1, v[0] > 1), (-1, v[0] < -1), (v[0] ** 3, True)) + sympy.Max(v[1], v[2]) / 3,
        ),
        (Arg("r", REAL, "m/s", "norm"), sympy.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)),
    ],
)
"""

CASADI_MODEL = """
import casadi

from codegen import REAL, Arg, Array, from_casadi

x, k = casadi.SX.sym("x", 2), casadi.SX.sym("k", 2, 2)
friction = casadi.if_else(x[1] > 0, 0.3, casadi.if_else(x[1] < 0, -0.3, 0))
spring = casadi.Function(
    "spring",
    [x, k],
    [casadi.vertcat(x[1], -casadi.mtimes(k, x)[0] - friction - 0.1 * x[1] ** 2), casadi.fmax(x[0], 1) / 7],
)
spring = from_casadi(
    spring,
    [Arg("x", Array((2,)), "mixed", "state"), Arg("k", Array((2, 2)), "mixed", "stiffness")],
    [Arg("dx", Array((2,)), "mixed", "rate of x"), Arg("e", REAL, "1", "a sevenths")],
    title="A spring with dry friction.",
)
"""


def user_library(text: str, place: Path) -> tuple[dict[str, Kernel], Library]:
    """The kernels of a model file, and their C compiled."""
    (place / "mine.py").write_text(text)
    kernels = load_model(place / "mine.py")
    return kernels, built(list(kernels.values()), Options(), place / "c")


@pytest.mark.parametrize("text", [SYMPY_MODEL, CASADI_MODEL], ids=["sympy", "casadi"])
def test_models_of_both_engines_verify(text: str, tmp_path: Path) -> None:
    kernels, _ = user_library(text, tmp_path)
    rows = list(verify(tmp_path / "c", kernels, count=12))
    assert len(rows) == 2 * len(kernels)
    assert [row.problems for row in rows] == [[]] * len(rows)


def test_a_sympy_model_computes_what_sympy_says(tmp_path: Path, rng: np.random.Generator) -> None:
    import math as m

    _, mine = user_library(SYMPY_MODEL, tmp_path)
    for theta, rate, torque, length, mass in rng.uniform(0.2, 2, (20, 5)):
        found = mine.f64.pendulum([theta, rate], torque, length, mass)
        acceleration = torque / (mass * length**2) - 9.81 / length * m.sin(theta)
        np.testing.assert_allclose(found.dx, [rate, acceleration], rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(
            found.A, [[0, 1], [-9.81 / length * m.cos(theta), 0]], rtol=1e-13, atol=1e-13
        )
    for first, wanted in ((2.0, 1.0), (-2.0, -1.0), (0.5, 0.125)):
        found = mine.f64.limited([first, 3.0, 6.0])
        assert found.s == pytest.approx(wanted + 2.0, rel=1e-15)
        assert found.r == pytest.approx(m.hypot(first, 3.0, 6.0), rel=1e-15)


def test_a_casadi_model_computes_what_casadi_says(tmp_path: Path, rng: np.random.Generator) -> None:
    """Constants and both branches, a matrix taken row by row."""
    import casadi

    scope: dict[str, Any] = {}
    exec(CASADI_MODEL.partition("spring = from_casadi")[0], scope)
    _, mine = user_library(CASADI_MODEL, tmp_path)
    speeds = [*rng.standard_normal(10), 0.0]
    for speed in speeds:
        x, k = np.array([3 * rng.standard_normal(), speed]), rng.standard_normal((2, 2))
        dx, e = (np.array(casadi.DM(value)).ravel() for value in scope["spring"](x, k))
        found = mine.f64.spring(x, k)
        np.testing.assert_allclose(found.dx, dx, rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(found.e, e[0], rtol=1e-15)


def test_a_jacobian_of_a_library_kernel_is_a_model(tmp_path: Path) -> None:
    text = (
        "from codegen import jacobian\nfrom codegen.library.rotation.kernels import quat_rotate\n"
        "slope = jacobian(quat_rotate, name='quat_rotate_slope', outputs=['v_A'], inputs={'D': ['v_B']})\n"
    )
    kernels, mine = user_library(text, tmp_path)
    assert list(kernels) == ["quat_rotate_slope"]
    q = np.array([0.6, 0.0, 0.8, 0.0])
    np.testing.assert_allclose(mine.f64.quat_rotate_slope(q, ZERO).D, matrix(q), atol=1e-15)


def test_a_model_file_gives_its_own_kernels_in_order(quadrotor: dict[str, Kernel]) -> None:
    """And not those that it composes them from."""
    assert list(quadrotor) == ["quadrotor_dynamics", "quadrotor_jacobians"]
    assert {k.module for k in quadrotor.values()} == {"quadrotor"}


def test_kernels_in_lists_of_tuples_are_the_models(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from codegen import jacobian\nfrom codegen.library.rotation.kernels import quat_rotate\n"
        "def slopes(name):\n    return (jacobian(quat_rotate, name, ['v_A'], {'D': ['v_B']}),)\n"
        "made = [slopes('first'), slopes('second')[0]]\nby_name = {'third': slopes('third')}\n"
    )
    assert list(load_model(tmp_path / "mine.py")) == ["first", "second", "third"]


def test_a_mistake_in_one_kernel_does_not_block_another(tmp_path: Path, featherc: Featherc) -> None:
    model, tree = tmp_path / "mine.py", tmp_path / "c"
    model.write_text(
        "from codegen import *\nx, y = [Arg('x', REAL, 'm', '')], [Arg('y', REAL, 'm', '')]\n"
        "@kernel(inputs=x, outputs=y, equation='y = 2 x', source='')\ndef good(x):\n    return 2 * x\n"
        "@kernel(inputs=x, outputs=y, equation='', source='')\ndef area(x):\n    return x * x\n"
        "@kernel(inputs=x, outputs=y, equation='', source='')\ndef branch(x):\n    return x if x > 0 else 0\n"
        f"@kernel(inputs=x, outputs=y, equation='', source='')\ndef {'long' * 33}(x):\n    return x\n"
    )
    for names, says in (
        ([], "kernel area: "),
        (["long" * 33], "it is longer than 128 characters"),
        (["good", "area"], "kernel area: "),
        (["branch"], "cannot branch"),
    ):
        ended = featherc("generate", *names, "--model", model, "-o", tree)
        assert (ended.code, says in ended.err) == (2, True), ended.err
    for command in (("generate", "good", "-o"), ("verify",), ("check",)):
        ended = featherc(*command, tree, "--model", model)
        assert ended.code == 0, ended.err
    for shown in ("inspect", "cost"):
        assert featherc(shown, "good", "--model", model).code == 0
    assert featherc("book", "good", "--model", model, "-o", tmp_path / "book").code == 0


def test_a_function_that_casadi_cannot_expand_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import casadi\nfrom codegen import *\nx = casadi.MX.sym('x')\n"
        "solved = casadi.solve(casadi.blockcat([[x, 1], [2, x]]), casadi.vertcat(x, 1))[0]\n"
        "f = from_casadi(casadi.Function('f', [x], [solved]), [Arg('x', REAL, '1', '')], "
        "[Arg('y', REAL, '1', '')])\n"
    )
    with pytest.raises(FeatherError, match=r"mine\.py:5: CasADi cannot write f with scalars, as eval_sx"):
        load_model(tmp_path / "mine.py")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("[(Arg('x', REAL, '1', ''), x)], [(Arg('y', REAL, '1', ''), x + z)]", "symbol z is not among"),
        ("[(Arg('x', Vec3, '1', ''), x)], [(Arg('y', REAL, '1', ''), x)]", "x has 3 scalars, but 1 expr"),
        ("[(Arg('x', REAL, '1', ''), x)], [(Arg('y', REAL, '1', ''), sympy.gamma(x))]", "gamma is not"),
        ("[(Arg('x', REAL, '1', ''), x)], [(Arg('y', Vec3, '1', ''), sympy.Matrix([x, x]))]", "y has 3"),
        ("[(Arg('x', REAL, '1', ''), x)], [(Arg('y', REAL, '1', ''), sympy.Piecewise((x, x > 0)))]", "last"),
    ],
)
def test_a_sympy_model_that_does_not_fit_is_refused(body: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        f"import sympy\nfrom codegen import *\nx, z = sympy.symbols('x z')\nf = from_sympy('f', {body})\n"
    )
    with pytest.raises(FeatherError, match=rf"mine\.py.*: .*{says}"):
        load_model(tmp_path / "mine.py")


def test_an_edit_of_the_same_length_in_the_same_second_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's cache of compiled files goes by size and second; nothing is left beside the model, either."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "mine.py"
    for title in ("first", "again"):
        path.write_text(SYMPY_MODEL.replace("A driven pendulum.", title))
        os.utime(path, (1_700_000_000, 1_700_000_000))
        assert load_model(path)["pendulum"].title == title
    assert [p.name for p in tmp_path.iterdir()] == ["mine.py"]


# all examples


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", sorted(p.stem for p in EXAMPLES.glob("*.py")))
def test_each_model_of_the_examples_verifies(name: str, tmp_path: Path) -> None:
    kernels = load_model(EXAMPLES / f"{name}.py")
    generate(list(kernels.values()), Options(precisions=("f32",)), tmp_path)
    rows = verify(tmp_path, kernels, count=8)
    assert [r.failure for r in rows if not r.ok] == []
    assert {r.proof for r in rows} <= {"proven"}
