"""Dimensional analysis: every kernel's formula gives the units that its outputs declare.

A sum of a length and a mass is an error in the formula; so is the sine of a length. Zero, and only zero, has
every dimension.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from codegen.errors import FeatherError
from codegen.frontends.define import kernel
from codegen.frontends.dimensions import Inconsistent, check_program, check_units, of_pure_formula
from codegen.ir.program import Arg
from codegen.ir.types import REAL
from codegen.library import library
from codegen.loading.python_file import load_model
from codegen.modeling.kernel import Kernel
from codegen.modeling.quantities.units import scalar_units
from codegen.proof.proof import closed_form

A_LENGTH = "constants of WGS 84 have units: a is in m, g_e in m/s^2"
AIR = "constants of air have units: sea level's are in K, Pa and m/s"
A_SAFE_ONE = "a static body's mass and inertia are replaced by 1 before they divide"
EXEMPT = {
    "ecef_from_geodetic": A_LENGTH,
    "geodetic_from_ecef": A_LENGTH,
    "gravity_wgs84": A_LENGTH,
    "curvature_radii": A_LENGTH,
    "transport_rate_ned": A_LENGTH,
    "ned_from_ecef": A_LENGTH,
    "ecef_from_ned": A_LENGTH,
    "inertia_from_log_cholesky": "the parameters are logarithms of numbers in SI units",
    "inertia_to_log_cholesky": "the parameters are logarithms of numbers in SI units",
    "isa_atmosphere": AIR,
    "airspeeds": AIR,
    "contact_mass_inverse": A_SAFE_ONE,
    "contact_free_velocity": A_SAFE_ONE,
    "contact_apply": A_SAFE_ONE,
    "contact_violation": "the smaller of an impulse and a speed is its definition",
    "inertia_factor": "a pivot that is taken as zero is replaced by 1 before it divides",
    "inertia_principal": "an isotropic inertia's spread is replaced by 1 before it divides",
}
"""Kernels whose formula has a number in it that has units, and why."""


@pytest.mark.parametrize("name", [n for n in library() if n not in EXEMPT])
def test_units_of_every_kernel(name: str) -> None:
    check_program(closed_form(library()[name]), of_pure_formula)


@pytest.mark.parametrize("name", EXEMPT)
def test_no_kernel_is_exempt_without_need(name: str) -> None:
    with pytest.raises(Inconsistent):
        check_program(closed_form(library()[name]), of_pure_formula)


@pytest.mark.parametrize("name", library())
def test_every_kernel_may_be_part_of_a_model(name: str) -> None:
    """Whose constants may be quantities."""
    check_units(library()[name])


def test_most_kernels_have_units_throughout() -> None:
    arguments = [(*k.inputs, *k.outputs) for k in library().values()]
    assert sum(all(all(scalar_units(a)) for a in args) for args in arguments) >= 40


@kernel(
    inputs=[Arg("mass", REAL, "kg", "m"), Arg("speed", REAL, "m/s", "v")],
    outputs=[Arg("energy", REAL, "J", "E")],
    equation="E = m v (wrong)",
    source="",
)
def wrong_power(mass: Any, speed: Any) -> Any:
    """Should have been m v^2 / 2."""
    return mass * speed / 2


@kernel(
    inputs=[Arg("mass", REAL, "kg", "m"), Arg("speed", REAL, "m/s", "v")],
    outputs=[Arg("energy", REAL, "J", "E")],
    equation="E = m + v (wrong)",
    source="",
)
def wrong_sum(mass: Any, speed: Any) -> Any:
    """Nonsense."""
    return mass + speed


@pytest.mark.parametrize("wrong", [wrong_power, wrong_sum])
def test_wrong_physics_is_caught(wrong: Kernel) -> None:
    with pytest.raises(Inconsistent):
        check_program(wrong.program(), of_pure_formula)
    with pytest.raises(FeatherError):
        check_units(wrong)


# Models of users


def model(inputs: str, outputs: str, *body: str) -> str:
    """A model of one kernel; the first statement of its body is line 8."""
    names = ", ".join(re.findall(r"Arg\('(\w+)'", inputs))
    head = [
        "import casadi",
        "import sympy",
        "from codegen import *",
        "from codegen.library.rotation.kernels import quat_rotate",
        "from codegen.library.rigid_body.kernels import rigid_body_dynamics_quat",
        f"@kernel(inputs=[{inputs}], outputs=[{outputs}], equation='', source='')",
        f"def f({names}):",
    ]
    return "\n".join([*head, *(f"    {line}" for line in body), ""])


def arg(name: str, unit: str, kind: str = "REAL") -> str:
    return f"Arg('{name}', {kind}, '{unit}', '')"


def load(text: str, place: Path) -> dict[str, Kernel]:
    (place / "mine.py").write_text(text)
    return load_model(place / "mine.py")


ATTITUDE = arg("q", "1", "UnitQuaternion")
X, V, T, M = arg("x", "m"), arg("v", "m/s"), arg("t", "s"), arg("m", "kg")
FORMULAS = {
    "x + v": "x + v adds m and m/s",
    "x - v * t * t": "x - v * t * t subtracts m and m s",
    "x + v * (t + x / v)": None,
    "x + 1": None,
    "1.5 - x": None,
    "2 * x + v * t / 2 - v**2 / (9.80665 * 2)": None,
    "x + 9.80665 * t": None,  # the constant may be a quantity
    "x + 2 * t": "x + 2 * t adds m and s",
    "x + t / 3": "x + t / 3 adds m and s",
    "0 * t + x": None,
    "sin(x)": "sin(x) is of m, but must be of a plain number or of radians",
    "x * exp(v * t / x)": None,
    "x * log(t)": "log(t) is of s, but must be of a plain number",
    "x * atan2(x, v)": "atan2(x, v) compares m and m/s",
    "x * atan2(x, v * t)": None,
    "sqrt(x * x) + sqrt(x) * sqrt(x)": None,
    "select(x > v, x, 0)": "v < x compares m/s and m",
    "select(x > 0.001, x, v)": "chooses between m and m/s",
    "maximum(x, t)": "max(x, t) compares m and s",
    "abs(x) + abs(-v)": "abs(x) + abs(neg(v)) adds m and m/s",
    "bare(v) + x": None,
    "x * m": "output y comes out in kg m, but its unit is m",
    "x**2 / x": None,
    "sum([x, x, v * t])": None,
    "x * (PI + 1) * (EPS + x / x)": None,
    "select((EPS < 1) & (x > v * t), x, v * t)": None,
    "select((EPS < 1) | (x > v), x, 0)": "v < x compares m/s and m",
    "np.float64(2) * x + np.array([1.0, 2.0])[1] * x": None,
    "np.dot([1, 2], np.array([x, v]))": "adds m and m/s",
    "(Vec3(x, x, x) + Vec3(t, t, t)).x": "x + t adds m and s",
}
"""Formulas of x in m, v in m/s, t in s and m in kg for a result in m, and what is wrong with them."""


@pytest.mark.parametrize("formula", FORMULAS)
def test_units_of_a_formula(formula: str, tmp_path: Path) -> None:
    text = model(f"{X}, {V}, {T}, {M}", arg("y", "m"), "import numpy as np", f"return {formula}")
    complaint = FORMULAS[formula]
    if complaint is None:
        load(text, tmp_path)
        return
    line = r"mine\.py:6" if complaint.startswith("output") else r"mine\.py:9"
    with pytest.raises(
        FeatherError, match=rf"{line}: kernel f: .*{re.escape(complaint)}.*; correct one of them"
    ):
        load(text, tmp_path)


@pytest.mark.parametrize(
    ("inputs", "output", "formula", "complaint"),
    [
        (
            arg("a", "rad") + "," + arg("b", "deg"),
            "rad",
            "a - b",
            "a - b subtracts a plain number (or radians) and deg",
        ),
        (arg("x", "m") + "," + arg("h", "ft"), "m", "x + h", "x + h adds m and ft"),
        (arg("x", "m") + "," + arg("h", "ft"), "m", "x + 0.3048 * h", None),
        (arg("h", "ft"), "m", "2 * h", "output y comes out in ft, but its unit is m"),
        (
            arg("a", "deg"),
            "1",
            "sin(a)",
            "sin(a) is of deg, but must be of a plain number or of radians",
        ),
        (arg("a", "deg"), "1", "sin(a * (PI / 180))", None),
        (arg("U", "V") + "," + arg("i", "A"), "W", "U * i", None),
        (
            arg("U", "V") + "," + arg("i", "A"),
            "ohm",
            "i / U",
            "output y comes out in s^3 A^2/kg/m^2, but its",
        ),
        (arg("p", "Pa") + "," + arg("T", "K"), "kg/m^3", "p / (287.05 * T)", None),
        (arg("x", "m; m/s", "Array((2,))"), "m", "x[0] + x[1]", "x_0 + x_1 adds m and m/s"),
        (arg("x", "m; ", "Array((2,))"), "m", "x[0] + x[1]", None),
        (arg("x", "mixed", "Array((2,))"), "m", "x[0] * sin(x[1])", None),
        (arg("x", ""), "m", "sin(x) + 1", "output y comes out in 1, but its unit is m"),
        (arg("x", "") + "," + arg("v", "m"), "m", "x + v", None),
        (arg("v", "rad/s; m/s", "Motion"), "m/s", "v.v.x + v.w.x", "v_v_x + v_w_x adds m/s and 1/s"),
        (
            arg("q", "1", "UnitQuaternion") + "," + arg("v", "m", "Vec3"),
            "m/s",
            "quat_rotate(q, v).x",
            "output y",
        ),
    ],
)
def test_units_of_arguments(
    inputs: str, output: str, formula: str, complaint: str | None, tmp_path: Path
) -> None:
    text = model(inputs, arg("y", output), f"return {formula}")
    if complaint is None:
        load(text, tmp_path)
        return
    with pytest.raises(FeatherError, match=rf"mine\.py.*: kernel f: {re.escape(complaint)}"):
        load(text, tmp_path)


def test_swapped_arguments_of_a_kernel_are_found_at_the_call(tmp_path: Path) -> None:
    """The line is that of the call."""
    units = {"p": "m", "v": "m/s", "w": "rad/s", "F": "N", "M": "N m"}
    vectors = [arg(name, unit, "Vec3") for name, unit in units.items()]
    others = [
        arg("q", "1", "UnitQuaternion"),
        arg("J", "kg m^2", "InertiaTensor"),
        arg("m", "kg", "POSITIVE"),
    ]
    inputs = ", ".join([*vectors, *others])
    call = "rigid_body_dynamics_quat(p, q, v, w, {}, m, J, 0)[2]"
    output = arg("dv", "m/s^2", "Vec3")
    declared = r"F_B of kernel rigid_body_dynamics_quat is declared as kg m/s\^2"
    complaint = rf"{declared}, but is called with M_x, kg m\^2/s\^2"
    with pytest.raises(FeatherError, match=rf"mine\.py:8: kernel f: {complaint}"):
        load(model(inputs, output, f"return {call.format('M, F')}"), tmp_path)


CALLED = (
    "@kernel(inputs=[Arg('alpha', REAL, 'deg', '')], outputs=[Arg('lift', REAL, 'N', '')], "
    "equation='', source='')\n"
    "def called(alpha):\n    return 7.5 * alpha\n"
)
"""A kernel whose constant hides its units from the formula that calls it."""


@pytest.mark.parametrize(
    ("formula", "complaint"),
    [
        ("called(x)", "alpha of kernel called is declared as deg, but is called with x, a plain number"),
        ("called(2 * x)", "alpha of kernel called is declared as deg, but is called with 2 * x, a plain"),
        ("called(a) / 2 + m", "adds"),
        ("called(bare(x))", None),
        ("called(57.3 * x)", None),
        ("called(3)", None),
        ("called(m)", "alpha of kernel called is declared as deg, but is called with m, kg"),
        ("called(a)", None),
    ],
)
def test_units_at_the_call_of_a_kernel(formula: str, complaint: str | None, tmp_path: Path) -> None:
    """Radians where the kernel declares degrees; a result is in the unit that the called kernel declares."""
    inputs = f"{arg('x', 'rad')}, {arg('a', 'deg')}, {arg('m', 'kg')}"
    text = model(inputs, arg("y", "N"), f"return {formula}").replace("@kernel", CALLED + "@kernel", 1)
    if complaint is None:
        assert "f" in load(text, tmp_path)
        return
    with pytest.raises(FeatherError, match=rf"mine\.py:\d+: kernel f: .*{re.escape(complaint)}"):
        load(text, tmp_path)


def test_a_product_may_be_of_other_quantities_than_it_declares(tmp_path: Path) -> None:
    """A spatial inertia times an acceleration is a force, and its power of a motion is one."""
    text = (
        "from codegen import *\nfrom codegen.library.inertia.kernels import inertia_multiply\n"
        "from codegen.library.spatial.kernels import motion_dot_force\n"
        "@kernel(inputs=[Arg('I_O', Inertia, 'kg; kg m; kg m^2', ''), Arg('a', Motion, 'rad/s^2; m/s^2', ''),"
        " Arg('v', Motion, 'rad/s; m/s', '')], outputs=[Arg('p', REAL, '{}', '')], equation='', source='')\n"
        "def f(I_O, a, v):\n    return motion_dot_force(v, inertia_multiply(I_O, a))\n"
    )
    assert list(load(text.format("W"), tmp_path)) == ["f"]
    with pytest.raises(
        FeatherError, match=r"output p comes out in kg m\^2/s\^3, but its unit is kg m\^2/s\^2"
    ):
        load(text.format("J"), tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "from_sympy('f', [(X, s), (V, t)], [(Y, s + t)])",
        "from_casadi(casadi.Function('f', [u, w], [u + w]), [X, V], [Y])",
    ],
)
def test_units_of_an_engines_model(text: str, tmp_path: Path) -> None:
    head = (
        "import casadi, sympy\nfrom codegen import *\n"
        "X, V, Y = Arg('x', REAL, 'm', ''), Arg('v', REAL, 'm/s', ''), Arg('y', REAL, 'm', '')\n"
        "s, t = sympy.symbols('s t')\nu, w = casadi.SX.sym('u'), casadi.SX.sym('w')\n"
    )
    with pytest.raises(FeatherError, match=r"mine\.py: kernel f: x \+ v adds m and m/s; correct one of them"):
        load(f"{head}f = {text}\n", tmp_path)


def test_derivatives_have_the_units_of_their_kernel(tmp_path: Path) -> None:
    """The sums in a library kernel, which tests a sum of all results for finiteness, and in a model."""
    text = (
        "from codegen import *\nfrom codegen.library.inertia_forms.kernels import inertia_to_central\n"
        "D = jacobian(inertia_to_central, 'D', ['C_O'], {'D': ['I_O']})\n"
    )
    assert list(load(text, tmp_path)) == ["D"]
    with pytest.raises(FeatherError, match="x - v subtracts m and m/s"):
        load(
            model(f"{X}, {V}", arg("y", "m"), "return x - v") + "D = jacobian(f, 'D', ['y'], {'A': ['x']})",
            tmp_path,
        )


@pytest.mark.parametrize(
    ("unit", "kind", "complaint"),
    [
        (
            "furlong",
            "REAL",
            "argument x: 'furlong' is not a unit; write one like kg m^2/s or N m/(rad s), of",
        ),
        ("m/s; rad", "REAL", "argument x: 'm/s; rad' must be one unit, or one for each of its 1 parts"),
        ("m; m; m", "Transform", "argument x: 'm; m; m' must be one unit, or one for each of its 2 parts"),
        ("1; furlong", "Transform", "argument x: 'furlong' is not a unit"),
        ("kg*m", "REAL", "argument x: 'kg*m' is not a unit"),
        ("degrees", "Vec3", "if it has none or is not to be checked"),
    ],
)
def test_a_unit_that_does_not_parse_is_an_error(unit: str, kind: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(FeatherError, match=rf"mine\.py:6: kernel f: .*{re.escape(complaint)}"):
        load(model(arg("x", unit, kind), arg("y", "1"), "return 1"), tmp_path)
