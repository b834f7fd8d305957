"""Binding: exact units, vehicle files, refused values, and the code that is generated."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import codegen
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.systems import F64, PRECISIONS
from codegen.ir.types import REAL, Array
from codegen.library import library
from codegen.modeling.bind import bind
from codegen.modeling.kernel import Kernel
from codegen.modeling.quantities import units
from codegen.modeling.vehicle import Binding, bind_all, bind_vehicle, read_value
from codegen.proof.proof import prove
from codegen.tree.write import generate
from codegen.verify.libraries import Library
from codegen.verify.verify import verify
from tests.conftest import ROOT, Featherc

F16 = ROOT / "examples" / "f16.toml"
DYNAMICS = library()["rigid_body_dynamics_quat"]

LB = Fraction(45359237, 10**8)  # kg, by the agreement of 1959
FT = Fraction(3048, 10**4)  # m, by the same
G0 = Fraction(980665, 10**5)  # m/s^2, standard gravity
SLUG = LB * G0 / FT  # what a pound-force accelerates by 1 ft/s^2


# units


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("", 1),
        ("kg", 1),
        ("g", Fraction(1, 1000)),
        ("lb", LB),
        ("slug", SLUG),
        ("ft", FT),
        ("in", Fraction(254, 10**4)),
        ("mm", Fraction(1, 1000)),
        ("lbf", LB * G0),
        ("slug ft^2", SLUG * FT**2),
        ("lb ft^2", LB * FT**2),
        ("ft/s", FT),
        ("ft / s^2", FT),
        ("lbf ft", LB * G0 * FT),
        ("slug/ft^3", SLUG / FT**3),
        ("1/in^2", 1 / Fraction(254, 10**4) ** 2),
        ("m^-2 ft^2", FT**2),
    ],
)
def test_factors_are_exact(text: str, factor: Fraction) -> None:
    assert units.parse(text).factor == factor


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("N m", "J"),
        ("N m/s", "W"),
        ("kg m^2/s^2", "J"),
        ("lbf", "slug ft/s^2"),
        ("rad/s", "1/s"),
        ("N m/(rad s)", "W"),
        ("kg m^2/( s^2 A )", "Wb"),
        ("kg/(m) /s^2", "Pa"),
    ],
)
def test_dimensions_follow_from_the_definitions(left: str, right: str) -> None:
    assert units.parse(left).dimension == units.parse(right).dimension


@pytest.mark.parametrize(
    "text",
    [
        *("furlong", "kg/", "/", "kg//s", "kg^", "kg^0", "m^99", "m**2", "kgm", "LB"),
        *("(m)", "m/()", "m/(s", "m/s)", "m/(2 s)", "m/(kg/s)"),
    ],
)
def test_what_is_no_unit_is_refused(text: str) -> None:
    with pytest.raises(
        FeatherError, match="is not a unit; write one like kg m\\^2/s or N m/\\(rad s\\), of 1, A, H"
    ):
        units.parse(text)


def test_a_system_of_units_scales_by_dimension() -> None:
    assert units.to_si("slug-ft", units.parse("kg m^2").dimension) == SLUG * FT**2
    assert units.to_si("slug-ft", units.parse("N").dimension) == LB * G0
    assert units.to_si("si", units.parse("W").dimension) == 1


def test_every_argument_of_the_library_has_units_that_parse() -> None:
    for kernel in library().values():
        for a in (*kernel.inputs, *kernel.outputs):
            for part in a.unit.split("; "):
                assert part in ("mixed", "any") or units.parse(part), (kernel.name, a.name)


# the F-16


@pytest.fixture(scope="session")
def f16() -> Kernel:
    """The example vehicle."""
    (bound,) = bind_vehicle([DYNAMICS], F16)
    return bound


def test_the_values_are_exact(f16: Kernel) -> None:
    """20 500 lb; 9496, 55 814, 63 100 and, negated, 982 slug ft^2."""
    inertia = SLUG * FT**2
    assert f16.bound["m"] == (20500 * LB,)
    assert f16.bound["J_B"] == tuple(inertia * x for x in (9496, 0, -982, 55814, 0, 63100))
    assert abs(float(inertia) - 1.3558179483) < 1e-10, "as tables print it"


@pytest.mark.parametrize("checks", [True, False], ids=["checks", "no checks"])
def test_a_bound_vehicle_is_visibly_cheaper(checks: bool, f16: Kernel) -> None:
    """From 84 mul, 59 add, 2 div to 65 mul, 43 add without checks, from 86, 69, 2 to 64, 57, 0 with them: the
    products of inertia that are zero are gone, and what is left to check is only that no rate overflows.
    """
    unbound, bound = (function(k, F64, Options(checks=checks)) for k in (DYNAMICS, f16))
    before, after = unbound.cost, bound.cost
    assert (before.mul, before.add, before.div) == ((86, 69, 2) if checks else (84, 59, 2))
    assert (after.mul, after.add, after.div) == ((64, 57, 0) if checks else (65, 43, 0))
    assert after.total < 0.7 * before.total
    assert after.cmp == (3 if checks else 0)
    assert [flag for flag, _ in bound.flags] == ([Status.NOT_FINITE] if checks else [])
    assert len(unbound.flags) == (3 if checks else 0)


@pytest.fixture(scope="session")
def compiled(f16: Kernel, tmp_path_factory: pytest.TempPathFactory) -> tuple[Library, Library]:
    """The F-16 and the unbound dynamics, compiled."""
    place = tmp_path_factory.mktemp("f16")
    generate([f16], Options(), place / "bound")
    generate([DYNAMICS], Options(), place / "unbound")
    return codegen.load(place / "bound"), codegen.load(place / "unbound")


def states(rng: np.random.Generator, count: int) -> Iterator[list[Any]]:
    """p_N, q_NB, v_B, w_B, F_B, M_B of an aeroplane."""
    for _ in range(count):
        q = rng.standard_normal(4)
        scales = (1000, 200, 2, 1e5, 1e5)
        p, v, w, F, M = (scale * rng.standard_normal(3) for scale in scales)
        yield [p, q / np.linalg.norm(q), v, w, F, M]


@pytest.mark.parametrize("precision", PRECISIONS)
def test_bound_c_is_the_unbound_c_with_the_values(
    precision: str, compiled: tuple[Library, Library], f16: Kernel, rng: np.random.Generator
) -> None:
    bound, unbound = (getattr(lib, precision).rigid_body_dynamics_quat for lib in compiled)
    eps = float(PRECISIONS[precision].eps)
    m, J = float(f16.bound["m"][0]), [float(x) for x in f16.bound["J_B"]]
    for state in states(rng, 50):
        found, wanted = bound(*state, 0.5), unbound(*state, m, J, 0.5)
        assert wanted.status == 0
        for name in found._fields:
            size = float(np.max(np.abs(getattr(wanted, name)))) + 1
            np.testing.assert_allclose(
                getattr(found, name), getattr(wanted, name), rtol=0, atol=64 * eps * size
            )


def test_the_signature_lacks_what_is_bound(compiled: tuple[Library, Library]) -> None:
    for f in compiled[0].functions.values():
        inputs = [a.name for a in f.inputs]
        assert inputs == ["p_N", "q_NB", "v_B", "w_B", "F_B", "M_B", "baumgarte"]


def test_the_inverse_inertia_is_numpys(compiled: tuple[Library, Library], f16: Kernel) -> None:
    xx, xy, xz, yy, yz, zz = (float(x) for x in f16.bound["J_B"])
    inverse = np.linalg.inv([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    zero = np.zeros(3)
    columns = [
        compiled[0].f64.rigid_body_dynamics_quat(zero, [1, 0, 0, 0], zero, zero, zero, axis, 0).dw_B
        for axis in np.eye(3)
    ]
    np.testing.assert_allclose(np.column_stack(columns), inverse, rtol=1e-14, atol=1e-20)


def test_the_product_of_inertia_acts_as_in_the_book(
    compiled: tuple[Library, Library], rng: np.random.Generator
) -> None:
    """The rates of the book's own F16 subroutine, in slug, ft and lbf; its AXZ is the printed +982."""
    xx, yy, zz, xz = 9496.0, 55814.0, 63100.0, 982.0
    gam, xpq = xx * zz - xz**2, xz * (xx - yy + zz)
    xqr, zpq = zz * (zz - yy) + xz**2, (xx - yy) * xx + xz**2
    newton_metres = float(LB * G0 * FT)
    for state in states(rng, 10):
        (p, q, r), (roll, pitch, yaw) = state[3], state[5] / newton_metres
        book = [
            (xpq * p * q - xqr * q * r + zz * roll + xz * yaw) / gam,
            ((zz - xx) * p * r - xz * (p**2 - r**2) + pitch) / yy,
            (zpq * p * q - xpq * q * r + xz * roll + xx * yaw) / gam,
        ]
        found = compiled[0].f64.rigid_body_dynamics_quat(*state, 0).dw_B
        np.testing.assert_allclose(found, book, rtol=1e-11, atol=1e-13)


def test_a_rolling_moment_yaws_by_the_product_of_inertia(compiled: tuple[Library, Library]) -> None:
    """The axis of least inertia points forward and down; a rotation about it yaws the nose to the right."""
    zero = np.zeros(3)
    rates = compiled[0].f64.rigid_body_dynamics_quat(zero, [1, 0, 0, 0], zero, zero, zero, [1e4, 0, 0], 0)
    assert rates.dw_B[0] > 0
    assert rates.dw_B[2] > 0


def test_the_bound_code_verifies(f16: Kernel, tmp_path: Path) -> None:
    generate([f16], Options(interface="array"), tmp_path)
    assert [row.ok for row in verify(tmp_path, library(), count=16)] == [True, True]


# vehicle files


def bound_by(text: str, place: Path, *kernels: str) -> dict[str, tuple[Fraction, ...]]:
    """The values that a vehicle file binds in the kernels."""
    path = place / "vehicle.toml"
    path.write_text(text)
    chosen = [library()[name] for name in kernels or ["rigid_body_dynamics_quat"]]
    return {name: value for k in bind_vehicle(chosen, path) for name, value in k.bound.items()}


DIGITS = "0.12345678901234567890123456789012345678901"


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("m = 3", "m", (3,)),
        ("m = 0.1", "m", (Fraction(1, 10),)),
        ("m = 1e-7", "m", (Fraction(1, 10**7),)),
        (f"m = {DIGITS}", "m", (Fraction(DIGITS),)),
        ("m = '2.5 lb'", "m", (Fraction("2.5") * LB,)),
        ("m = ' 2.5   lb '", "m", (Fraction("2.5") * LB,)),
        ("baumgarte = '0.5 1/s'", "baumgarte", (Fraction(1, 2),)),
        ("F_B = [1, '2 lbf', 0.5]", "F_B", (1, 2 * LB * G0, Fraction(1, 2))),
        ("v_B = { z = 3, x = 1, y = '2 ft/s' }", "v_B", (1, 2 * FT, 3)),
        ("q_NB = [0.6, 0, 0.8, 0]", "q_NB", (Fraction(3, 5), 0, Fraction(4, 5), 0)),
        ("J_B = [2, 0, 0, 3, 0, 4]", "J_B", (2, 0, 0, 3, 0, 4)),
        ("J_B = { zz = 4, xx = 2, yy = 3, xy = 0.5, xz = 0, yz = 0 }", "J_B", (2, 0.5, 0, 3, 0, 4)),
        (
            "J_B = { xx = 2, yy = 3, zz = 4, xy = 0.1, products = { xz = '0.5 kg m^2', yz = -0.25 } }",
            "J_B",
            (2, Fraction(1, 10), Fraction(-1, 2), 3, Fraction(1, 4), 4),
        ),
    ],
)  # fmt: skip
def test_values_are_read_exactly(text: str, name: str, value: tuple[Any, ...], tmp_path: Path) -> None:
    assert bound_by(f"[bind]\n{text}\n", tmp_path)[name] == value


def test_products_keep_every_digit(tmp_path: Path) -> None:
    text = f"[bind]\nJ_B = {{ xx = 2, yy = 3, zz = 4, xy = 0, yz = 0, products = {{ xz = {DIGITS} }} }}\n"
    assert bound_by(text, tmp_path)["J_B"][2] == -Fraction(DIGITS)


def test_parts_with_units_of_their_own_are_scaled_one_by_one(tmp_path: Path) -> None:
    """Mass, first moment and inertia of a spatial inertia, in slug and ft."""
    text = 'units = "slug-ft"\n[bind]\nI_O = [2, 0.2, 0, "1 kg m", 3, 0, 0, 3, 0, 4]\n'
    value = bound_by(text, tmp_path, "inertia_multiply")["I_O"]
    assert list(value[:4]) == [2 * SLUG, Fraction("0.2") * SLUG * FT, Fraction(0), Fraction(1)]
    assert value[4] == 3 * SLUG * FT**2


def test_each_kernel_is_bound_where_it_has_the_input(tmp_path: Path) -> None:
    path = tmp_path / "v.toml"
    path.write_text("[bind]\nbaumgarte = 1\nm = 2\n")
    names = ("quat_kinematics", "rigid_body_dynamics_rpy", "quat_multiply")
    kernels = bind_vehicle([library()[n] for n in names], path)
    assert [set(k.bound) for k in kernels] == [{"baumgarte"}, {"m"}, set()]


def test_binding_twice_adds_up() -> None:
    once = bind(DYNAMICS, {"m": (Fraction(2),)})
    twice = bind(once, {"baumgarte": (Fraction(0),)})
    assert set(twice.bound) == {"m", "baumgarte"}
    assert [a.name for a in twice.signature] == [a.name for a in DYNAMICS.inputs]
    assert len(twice.inputs) == len(DYNAMICS.inputs) - 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("m = 0", "m must be positive, not 0"),
        ("m = -1.5", "m must be positive, not -1.5"),
        ("m = '-3 lb'", "m must be positive"),
        ("m = nan", "m: NaN is not a finite number"),
        ("m = inf", "m: Infinity is not a finite number"),
        ("m = -inf", "m: -Infinity is not a finite number"),
        ("m = 1e999999999", r"m: 1e\+999999999 is not a finite number that C can hold"),
        ("m = 1e-400", "is not a finite number that C can hold"),
        ("m = 'nan kg'", "m: NaN is not a finite"),
        ("m = '1e400 kg'", "is not a finite number"),
        ("m = 'heavy kg'", "m: 'heavy' is not a number"),
        ("m = '3kg'", "cannot be in 'no unit'"),
        ("m = '3'", "m cannot be in 'no unit'"),
        ("m = '3 ft'", "m cannot be in 'ft'"),
        ("m = '3 stone'", "'stone' is not a unit"),
        ("m = true", "m must be a number"),
        ("m = [1]", "m must be a number"),
        ("m = 1979-05-27", "m must be a number"),
        ("m = { kg = 1 }", "m must be a number"),
        ("F_B = 3", "F_B takes a list of 3 numbers or a table"),
        ("F_B = [1, 2]", "F_B takes 3 numbers, not 2"),
        ("F_B = [1, 2, 3, 4]", "F_B takes 3 numbers, not 4"),
        ("F_B = [1, [2], 3]", r"F_B\[1\] must be a number"),
        ("F_B = [1, 2, '3 slug']", r"F_B\[2\] cannot be in 'slug'"),
        ("F_B = { x = 1, y = 2 }", "F_B is incomplete: z missing"),
        ("F_B = { x = 1, y = 2, z = 3, w = 4 }", "F_B has no element 'w'; it has x, y, z"),
        ("F_B = { x = 1, y = 2, z = 3, products = { xy = 1 } }", "F_B has no products of inertia"),
        ("J_B = { xx = 2, yy = 3, zz = 4, xz = 0 }", "J_B is incomplete: xy, yz missing"),
        ("J_B = { xx = 2, yy = 3, zz = 4, products = { xz = 0 } }", "J_B is incomplete: xy, yz missing"),
        (
            "J_B = { xx = 2, yy = 3, zz = 4, xy = 0, xz = 0, yz = 0, products = { xz = 0 } }",
            "J_B.xz is given twice, as element and as product",
        ),
        (
            "J_B = { xx = 2, yy = 3, zz = 4, products = { xx = 0 } }",
            "J_B.products is a table of xy, xz and yz",
        ),
        ("J_B = { xx = 2, yy = 3, zz = 4, products = 3 }", "J_B.products is a table"),
        ("J_B = { xx = 2, yy = 3, zz = 4, products = { xy = [1] } }", "J_B.products.xy must be a number"),
        ("J_B = { xx = '2 kg', yy = 3, zz = 4, xy = 0, xz = 0, yz = 0 }", "J_B.xx cannot be in 'kg'"),
        ("J_B = [0, 0, 0, 0, 0, 0]", "J_B is not positive definite"),
        ("J_B = [-1, 0, 0, 1, 0, 1]", "J_B is not positive definite"),
        ("J_B = [1, 0, 0, 1, 1, 1]", "J_B is not positive definite"),
        ("J_B = [1, 0.9, 0.9, 1, -0.9, 1]", "J_B is not positive definite"),
        ("J_B = [1, 0, 0, 1, 0, 2.0001]", "J_B is not a body's inertia: one principal moment exceeds"),
        ("J_B = [2, 0.9, 0, 2, 0, 1]", "J_B is not a body's inertia"),
        ("thrust = 3", "no chosen kernel has an input 'thrust' to bind"),
        ("dv_B = [1, 2, 3]", "no chosen kernel has an input 'dv_B'"),
    ],
)
def test_what_is_not_physical_or_incomplete_is_refused(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(FeatherError, match=rf"vehicle\.toml: {says}|vehicle\.toml: .*{says}"):
        bound_by(f"[bind]\n{text}\n", tmp_path)


@pytest.mark.parametrize(
    "text", ["[1, 0, 0, 1, 0, 2]", "[1, 0, 0, 1, 0, 1]", "[7, 2, -1, 10, -2, 7]"], ids=str
)
def test_a_thin_body_is_a_body(text: str, tmp_path: Path) -> None:
    """A disc, whose greatest moment is the sum of the others; a ball; an oblique disc."""
    assert bound_by(f"[bind]\nJ_B = {text}\n", tmp_path)["J_B"]


@pytest.mark.parametrize(
    ("text", "kernel", "says"),
    [
        ("I_O = [0, 0, 0, 0, 1, 0, 0, 1, 0, 1]", "inertia_multiply", "I_O.m must be positive"),
        ("I_O = [1, 2, 0, 0, 1, 0, 0, 1, 0, 1]", "inertia_multiply", "I_O.J is not a body's inertia"),
        ("q_AB = [1, 0, 0.1, 0]", "quat_to_dcm_unit", "q_AB is not a unit quaternion"),
        ("T_AB = [1, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0]", "transform_point", "T_AB.R is not a rotation"),
        ("T_AB = [1, 0, 0, 0, 1, 0, 0, 0.1, 1, 0, 0, 0]", "transform_point", "T_AB.R is not a rotation"),
        ("array = { _0 = 1 }", "inertia_from_array", "array takes a list of 10 numbers"),
    ],
)
def test_spatial_values_must_be_possible(text: str, kernel: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(FeatherError, match=says):
        bound_by(f"[bind]\n{text}\n", tmp_path, kernel)


def test_possible_spatial_values_are_taken(tmp_path: Path) -> None:
    """A point mass off the origin, and a pose to seven decimals."""
    point = bound_by("[bind]\nI_O = [2, 2, 0, 0, 0, 0, 0, 2, 0, 2]\n", tmp_path, "inertia_multiply")
    assert point["I_O"][0] == 2
    pose = "[0.7071068, -0.7071068, 0, 0.7071068, 0.7071068, 0, 0, 0, 1, 1, 2, 3]"
    assert bound_by(f"[bind]\nT_AB = {pose}\n", tmp_path, "transform_point")["T_AB"][11] == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing to bind"),
        ("[bind]", "nothing to bind"),
        ("bind = 3", "nothing to bind"),
        ("units = 'metric'\n[bind]\nm = 1", "units must be one of si, slug-ft"),
        ("units = 1\n[bind]\nm = 1", "units must be one of"),
        ("mass = 1", "unknown key 'mass'; known are units and"),
        ("[bind]\nm = 1\nm = 2", "is not valid TOML: .*overwrite"),
        ("[bind]\nm = ", "is not valid TOML"),
    ],
)
def test_files_that_are_wrong(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(FeatherError, match=rf"vehicle\.toml:? {says}"):
        bound_by(text, tmp_path)


def test_the_kernel_is_untouched_by_a_refusal() -> None:
    with pytest.raises(FeatherError, match="J_B takes 6 numbers, but 2 are bound"):
        bind(DYNAMICS, {"J_B": (Fraction(1), Fraction(1))})
    assert bind(DYNAMICS, {"nothing": (Fraction(1),)}) is DYNAMICS


# arguments in units outside of SI


@pytest.mark.parametrize(
    ("unit", "value", "bound"),
    [
        ("ft", "20 ft", 20),
        ("ft", "0.3048 m", 1),
        ("deg", "10 deg", 10),
        ("kPa", "101325 Pa", Fraction("101.325")),
        ("rad; ft/s", ["0.5 rad", "3.048 m/s"], [Fraction(1, 2), 10]),
    ],
)
def test_a_value_is_bound_in_the_unit_of_its_argument(unit: str, value: Any, bound: Any) -> None:
    listed = isinstance(value, list)
    argument = Arg("x", Array((2,)) if listed else REAL, unit, "")
    assert read_value(argument, value, "si") == tuple(bound if listed else [bound])


def test_a_bare_number_for_an_argument_outside_of_si_is_refused() -> None:
    with pytest.raises(FeatherError, match="x is not in a unit of SI: give it with its unit"):
        read_value(Arg("x", REAL, "ft", ""), 3, "si")


# several vehicles in one tree


def test_vehicles_side_by_side(featherc: Featherc, place: Path) -> None:
    model = ROOT / "examples" / "controllers.py"
    gains = model.with_suffix(".toml").read_text()
    (place / "small.toml").write_text(gains)
    (place / "big.toml").write_text(gains.replace("k_p = 2.4", "k_p = 24"))
    arguments = ("--model", model, "pid", "-p", "f32", "-b", "small=small.toml", "-b", "big=big.toml")
    assert featherc("generate", *arguments, "-o", "c").code == 0
    manifest = json.loads((place / "c" / "manifest.json").read_text())
    assert {f["symbol"]: f.get("vehicle") for f in manifest["functions"]} == {
        "fc_pid_init_f32": None,
        "fc_pid_reset_small_f32": "small",
        "fc_pid_reset_big_f32": "big",
        "fc_pid_step_small_f32": "small",
        "fc_pid_step_big_f32": "big",
    }
    assert (place / "c" / "fc_controllers_f32.h").read_text().count("Vehicle: big.") == 2
    library = codegen.load(place / "c").f32
    state = [0, 0, 0]
    assert float(library.pid_step_small(state, 0.01, 0).torque) == pytest.approx(0.024)
    assert float(library.pid_step_big(state, 0.01, 0).torque) == pytest.approx(0.24)
    for command in (
        ("verify", "c"),
        ("check", "c"),
        ("check", "c", "-b", "small=small.toml", "-b", "big=big.toml"),
    ):
        assert featherc(*command, "--model", model).code == 0, command
    (place / "big.toml").write_text(gains)
    bindings = ("-b", "small=small.toml", "-b", "big=big.toml")
    assert featherc("check", "c", "--model", model, *bindings).code == 1
    assert featherc("generate", *arguments, "-o", "d").code == 0
    classes = json.loads(featherc("diff", "c", "d", "--format", "json").out)
    changed = {f["symbol"] for f in classes["functions"] if f["class"] != "identical"}
    assert changed == {"fc_pid_reset_big_f32", "fc_pid_step_big_f32"}


def test_a_library_kernel_of_a_vehicle_is_proven_like_the_bound_one(tmp_path: Path) -> None:
    (small,) = bind_all([library()["quat_rotate"]], [])
    assert small.vehicle == ""
    bound = bind_all([DYNAMICS], [Binding(F16, "f16")])
    assert [(k.name, k.base_name) for k in bound] == [("rigid_body_dynamics_quat_f16", DYNAMICS.name)]
    assert prove(bound[0]).ways == prove(bind_vehicle([DYNAMICS], F16)[0]).ways


@pytest.mark.parametrize(
    ("name", "argument", "value", "right", "wrong"),
    [
        ("quat_integrate", "w_B", (1, "-1/3", "1/5"), "[cos(", "[-cos("),  # with a series
        ("se3_right_jacobian_inverse", "rho", (1, "-1/3", "1/5"), "d = r.rho", "d = -r.rho"),
        ("inertia_multiply", "v", (1, 2, 3, 5, 7, 11), "m v_O - h", "m v_O + h"),
        ("rigid_body_dynamics_quat", "m", ("3/2",), "dv_B = F_B", "dv_B = -F_B"),
    ],
)
def test_the_equation_of_a_bound_kernel_is_compared(
    name: str, argument: str, value: tuple[Any, ...], right: str, wrong: str
) -> None:
    bound = bind(library()[name], {argument: tuple(map(Fraction, value))})
    proof = prove(bound)
    assert proof.status == "proven"
    assert "equation" in proof.ways
    assert right in bound.equation
    edited = replace(bound, equation=bound.equation.replace(right, wrong))
    status = prove(edited).status
    assert status.startswith("failed: ")
    assert "equation" in status


@pytest.mark.parametrize(
    ("bindings", "message"),
    [
        (("a=v.toml", "a=v.toml"), "two vehicle files are called a"),
        (("1a=v.toml",), "'1a' cannot name a vehicle"),
        (("a=w.toml",), "cannot read w.toml"),
        (("for=v.toml",), "'for' cannot name a vehicle"),
    ],
)
def test_vehicles_that_cannot_be_named(
    bindings: tuple[str, ...], message: str, featherc: Featherc, place: Path
) -> None:
    (place / "v.toml").write_text("[bind]\nm = 1\n")
    given = [x for b in bindings for x in ("-b", b)]
    done = featherc("generate", "inertia_multiply", *given, "-o", "c")
    assert done.code == 2
    assert done.said(message)


def test_a_file_with_an_equals_sign_is_no_vehicle(featherc: Featherc, place: Path) -> None:
    (place / "a=b.toml").write_text("[bind]\nbaumgarte = 1\n")
    done = featherc("generate", DYNAMICS.name, "-b", "a=b.toml", "-o", "c", "-p", "f32")
    assert done.code == 0
    assert "rigid_body_dynamics_quat_f32(" in (place / "c" / "fc_rigid_body_f32.h").read_text()


def test_a_value_with_which_every_call_fails_is_refused(featherc: Featherc, place: Path) -> None:
    (place / "v.toml").write_text('[bind]\nmax_push = "-1 m/s"\n')
    done = featherc("generate", "contact_rhs", "-b", "v.toml", "-o", "c")
    assert done.code == 2
    assert done.err == (
        "featherc: fc_contact_rhs_f64: each call would return DEGENERATE (dt > 0, max_push >= 0), as the "
        "requirement fails for all inputs: bind other values to max_push\n"
    )
    assert not (place / "c").exists()
