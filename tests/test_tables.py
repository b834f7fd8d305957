"""Tables: look-ups against NumPy in compiled C, derivatives, proofs, units, sharing, messages."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import casadi
import numpy as np
import pytest
import sympy
from scipy.interpolate import RegularGridInterpolator

import codegen
from codegen import REAL, Arg, Axis, Table, from_casadi, from_sympy, jacobian, kernel
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.frontends.dimensions import check_units
from codegen.frontends.from_casadi import function_of
from codegen.frontends.table_kernel import table_kernel
from codegen.ir.operations import Op
from codegen.ir.status import Status
from codegen.modeling.kernel import Kernel
from codegen.passes.pipeline import optimised
from codegen.proof.proof import prove
from codegen.tree.write import generate
from codegen.verify.verify import verify
from tests.conftest import sampled, tool

AXES = {
    "alpha": Axis([0.1, 0.2, 0.3, 0.4, 0.5], "rad", "angle of attack"),
    "mach": Axis([0.1, 0.35, 0.7, 1.1], "1", "Mach number"),
    "flap": Axis([0, 1], "1"),
    "h": Axis([0, 1000, 5000], "m", "altitude"),
}
SHAPE = (5, 4, 2, 3)
WAYS = ("hold", "extrapolate", "flag")


def table(axes: int, outside: str = "hold") -> Table:
    """A table over the first so many axes; zeros and large numbers are neighbours."""
    source = np.random.default_rng(axes)
    data = np.where(source.random(SHAPE[:axes]) < 0.3, 0, source.normal(size=SHAPE[:axes]).round(3) * 100)
    chosen = dict(list(AXES.items())[:axes])
    return Table(f"t{axes}_{outside}", chosen, data.tolist(), unit="N", outside=outside, doc="a force")


TABLES = {(n, way): table(n, way) for n in (1, 2, 3, 4) for way in WAYS}
SLOPES = {
    (n, way): jacobian(t, f"d_{t.name}", [t.name], {"dt": [a.name for a in t.axes]})
    for (n, way), t in TABLES.items()
}
EVERY = pytest.mark.parametrize(("axes", "way"), TABLES, ids=str)
PRECISIONS = pytest.mark.parametrize("precision", ["f64", "f32"])


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The compiled functions of all tables and of their derivatives."""
    place = tmp_path_factory.mktemp("tables")
    generate([*map(table_kernel, TABLES.values()), *SLOPES.values()], Options(), place)
    return codegen.load(place)


def coordinates(axes: int, precision: str) -> list[tuple[float, ...]]:
    """Points at nodes, between them, at the ends and beyond, as numbers of the precision."""
    kind = np.float32 if precision == "f32" else np.float64
    source = np.random.default_rng(7)
    nodes = [np.array(a.nodes, float) for a in list(AXES.values())[:axes]]
    points = [tuple(source.choice(n) for n in nodes) for _ in range(40)]
    for room in (0.0, 0.6):
        points += [
            tuple(n[0] + (n[-1] - n[0]) * source.uniform(-room, 1 + room) for n in nodes) for _ in range(60)
        ]
    return [tuple(float(kind(x)) for x in point) for point in points]


def by_scipy(t: Table, point: Sequence[float]) -> float:
    """The number at a point, by SciPy."""
    nodes = [np.array([float(x) for x in a.nodes.values]) for a in t.axes]
    data = np.array([float(x) for x in t.data.values]).reshape([len(n) for n in nodes])
    where = list(point)
    if t.outside != "extrapolate":
        where = [min(max(x, n[0]), n[-1]) for x, n in zip(point, nodes, strict=True)]
    return float(RegularGridInterpolator(nodes, data, bounds_error=False, fill_value=None)(where)[0])


def called(
    compiled: Any, name: str, precision: str, point: Sequence[float]
) -> tuple[np.ndarray[Any, Any], int]:
    """Results and status of a compiled function with one output."""
    found = getattr(getattr(compiled, precision), name)(*point)
    return np.ravel(found[0]), int(found[-1]) if len(found) > 1 else 0


@EVERY
@PRECISIONS
def test_compiled_look_ups_are_those_of_scipy(axes: int, way: str, precision: str, compiled: Any) -> None:
    t = TABLES[axes, way]
    eps = 1e-5 if precision == "f32" else 1e-13
    for point in coordinates(axes, precision):
        (found,), status = called(compiled, t.name, precision, point)
        assert found == pytest.approx(by_scipy(t, point), rel=eps, abs=400 * eps * 4**axes), point
        beyond = [
            x < np.float32(n[0]) or x > np.float32(n[-1]) if precision == "f32" else not n[0] <= x <= n[-1]
            for x, n in zip(point, ([float(v) for v in a.nodes.values] for a in t.axes), strict=True)
        ]
        assert status == (Status.OUTSIDE if way == "flag" and any(beyond) else 0), point


@EVERY
def test_derivatives_are_the_slopes_of_the_cell(axes: int, way: str, compiled: Any) -> None:
    t, step = TABLES[axes, way], 1e-6
    nodes = [np.array([float(x) for x in a.nodes.values]) for a in t.axes]
    for point in coordinates(axes, "f64")[40:]:
        if any(np.min(abs(n - x)) < 2e-3 * (n[-1] - n[0]) for n, x in zip(nodes, point, strict=True)):
            continue  # SciPy has no one slope at a border
        found, _ = called(compiled, SLOPES[axes, way].name, "f64", point)
        for i, n in enumerate(nodes):
            apart = step * (n[-1] - n[0])
            ahead, behind = ([*point[:i], point[i] + s * apart, *point[i + 1 :]] for s in (1, -1))
            slope = (by_scipy(t, ahead) - by_scipy(t, behind)) / (2 * apart)
            assert found[i] == pytest.approx(slope, rel=1e-5, abs=1e-4), point


@EVERY
@PRECISIONS
def test_coordinates_that_are_no_numbers_are_not_hidden(
    axes: int, way: str, precision: str, compiled: Any
) -> None:
    t = TABLES[axes, way]
    inside = [float(a.nodes.values[0]) for a in t.axes]
    for i in range(axes):
        for wrong in (math.nan, math.inf, -math.inf, 1e30, -1e30):
            point = [*inside[:i], wrong, *inside[i + 1 :]]
            (found,), status = called(compiled, t.name, precision, point)
            if way == "flag":
                assert status == Status.OUTSIDE
                assert math.isfinite(found)
            elif math.isnan(wrong):
                assert math.isnan(found)
            elif way == "hold":
                assert found == pytest.approx(
                    by_scipy(t, [min(max(x, -1e9), 1e9) for x in point]), rel=1e-5, abs=1e-3
                )


@EVERY
def test_interpolation_is_proven(axes: int, way: str) -> None:
    assert prove(table_kernel(TABLES[axes, way])).status == "proven"


def test_generated_tables_are_verified_at_every_node(tmp_path: Path) -> None:
    kernels = [table_kernel(TABLES[2, way]) for way in WAYS] + [SLOPES[2, "hold"]]
    generate(kernels, Options(precisions=("f32",)), tmp_path)
    rows = list(verify(tmp_path, {k.name: k for k in kernels}))
    assert all(row.ok for row in rows), [row.failure for row in rows]
    nodes = [[x[0] for x in a.type.edges()] for a in kernels[0].inputs]
    assert [len(n) for n in nodes] == [5 + 2, 4 + 2]
    assert rows[0].trials_left_out == 0
    jumps = [x for x in rows[-1].left_out if " is decided by rounding, and a result" in x.example]
    assert jumps
    assert rows[-1].cases > 40


def wrong_weights(t: Table) -> Kernel:
    """The kernel of a table whose definition takes the wrong end of the first axis."""
    from codegen.ir.systems import system_of

    def definition(*x: Any) -> list[Any]:
        system = system_of(x)
        places = t.places(system, x)
        corners = t.corners(system, t.data, [cell for cell, _ in places])
        return [t.interpolated(corners, [1 - places[0][1], *(part for _, part in places[1:])])]

    return replace(table_kernel(t), definition=definition)


def test_a_wrong_interpolation_is_found() -> None:
    assert prove(wrong_weights(TABLES[2, "extrapolate"])).status.startswith("failed")


# In formulas


def scalars(**units: str) -> list[Arg]:
    return [Arg(name, REAL, unit, name) for name, unit in units.items()]


def test_tables_over_one_axis_search_its_cell_once() -> None:
    mach = Axis([0.1, 0.35, 0.7, 1.1], "1")
    tables = [Table(n, {"mach": mach}, [i, 2, 3, i * i], unit="1") for i, n in enumerate(("C_x", "C_z"), 4)]

    @kernel(inputs=scalars(mach="1"), outputs=scalars(y="1"), equation="y = C_x + C_z", source="a test")
    def both(mach: Any) -> Any:
        return tables[0](mach) + tables[1](mach)

    ops = [node.op for node in optimised(both).nodes]
    assert ops.count(Op.CELL) == 1
    assert ops.count(Op.ENTRY) == 2 + 4


def test_a_uniform_axis_needs_no_search() -> None:
    program = optimised(table_kernel(TABLES[1, "hold"]))
    assert not any(node.op is Op.CELL for node in program.nodes)


@pytest.mark.parametrize("uses", ["sympy", "casadi"])
def test_look_ups_come_back_from_sympy_and_casadi(uses: str) -> None:
    t = TABLES[2, "hold"]
    inputs, outputs = scalars(alpha="rad", mach="1"), [Arg("y", REAL, "N^2", "")]
    if uses == "sympy":
        x, y = sympy.symbols("alpha mach", real=True)
        made = from_sympy("model", list(zip(inputs, (x, y), strict=True)), [(outputs[0], x * t(x, y) ** 2)])
    else:
        a, b = casadi.SX.sym("a"), casadi.SX.sym("b")
        made = from_casadi(function_of("model", [a, b], [a * t(a, b) ** 2]), inputs, outputs)

    @kernel(inputs=inputs, outputs=outputs, equation="y = alpha t^2", source="a test")
    def same(alpha: Any, mach: Any) -> Any:
        return alpha * t(alpha, mach) ** 2

    from codegen.proof.equivalence import Driven, compare

    ways = {"model": Driven(made.program(False)), "formula": Driven(same.program(False))}
    assert compare(inputs, ways).proven


def test_numbers_are_looked_up_at_once() -> None:
    t = TABLES[2, "hold"]
    assert float(t(0.23, 0.5)) == pytest.approx(by_scipy(t, (0.23, 0.5)), rel=1e-14)
    many = np.linspace(0.0, 0.7, 9)
    assert t(many, 0.5 + 0 * many) == pytest.approx([by_scipy(t, (x, 0.5)) for x in many])


def test_units_of_coordinates_and_result_are_checked() -> None:
    t = TABLES[2, "hold"]

    @kernel(inputs=scalars(alpha="deg", mach="1"), outputs=scalars(F="N"), equation="F = t", source="a test")
    def in_degrees(alpha: Any, mach: Any) -> Any:
        return t(alpha, mach)

    @kernel(inputs=scalars(alpha="rad", mach="1"), outputs=scalars(F="m"), equation="F = t", source="a test")
    def in_metres(alpha: Any, mach: Any) -> Any:
        return t(alpha, mach)

    with pytest.raises(
        FeatherError, match=r"alpha of table t2_hold is declared as a plain number .* called with alpha, deg"
    ):
        check_units(in_degrees)
    with pytest.raises(FeatherError, match=r"output F comes out in"):
        check_units(in_metres)


MODEL = """
from codegen import REAL, Arg, Axis, Table, kernel

C_m = Table("C_m", {"alpha": Axis([-0.2, 0, 0.3, 0.5], "rad")}, [0.1, 0.0, -0.3, -0.2], unit="1", outside=%r)

@kernel(inputs=[Arg("alpha", REAL, "rad", "", range=(-0.5, 0.8))], outputs=[Arg("c", REAL, "1", "")],
        equation="c = 2 C_m", source="a test")
def twice(alpha):
    return 2 * C_m(alpha)
"""


@pytest.mark.parametrize(
    "options",
    sampled(
        [
            (),
            ("--layout", "header-only"),
            ("--prefix", "my_", "--no-alias", "--interface", "array"),
            ("--no-checks",),
        ],
        every=2,
    ),
    ids=" ".join,
)
@pytest.mark.parametrize("way", ["hold", "flag"])
def test_a_model_with_a_table_passes_every_command(
    options: tuple[str, ...], way: str, tmp_path: Path, featherc: Callable[..., Any]
) -> None:
    model, out = tmp_path / "aero.py", tmp_path / "out"
    model.write_text(MODEL % way)
    assert featherc("generate", "--model", model, "-o", out, *options).code == 0
    verified = featherc("verify", "--model", model, out)
    assert verified.code == 0, verified
    assert featherc("check", "--model", model, out).code == 0
    header = next(out.glob("*aero_f32.h")).read_text()
    assert "4 nodes from -0.2 to 0.5 [rad]" in header
    assert header.count("Looks up the tables C_m.") == 1


def test_trials_beyond_the_nodes_stay_in_the_range_of_the_format(
    tmp_path: Path, featherc: Callable[..., Any]
) -> None:
    model, out = tmp_path / "wide.py", tmp_path / "out"
    model.write_text(
        "from codegen import Axis, Table\n"
        "T = Table('T', {'x': Axis([-3e38, 0, 3e38], '1')}, [5, 9, 2], unit='1')\n"
    )
    assert featherc("generate", "--model", model, "-o", out, "-p", "f32").code == 0


def test_inspect_trace_and_book_show_tables(tmp_path: Path, featherc: Callable[..., Any]) -> None:
    model, out = tmp_path / "aero.py", tmp_path / "out"
    model.write_text(MODEL % "hold")
    assert featherc("generate", "--model", model, "-o", out, "--trace").code == 0
    source = (out / "fc_aero_f32.c").read_text().splitlines()
    line = next(i for i, text in enumerate(source, 1) if "fc_aero_cell_f32(fc_" in text)
    traced = featherc("trace", f"{out}/fc_aero_f32.c:{line}", "--model", model)
    assert "the value alpha_cell" in traced.out
    assert "entry(C_m, alpha_cell, 1)" in featherc("inspect", "--model", model, "twice").out
    assert featherc("book", "--model", model, "-o", tmp_path / "book").code == 0


# Mistakes


NODES = [0, 1, 2]
MISTAKES: dict[str, tuple[Callable[[], Any], str]] = {
    "not increasing": (lambda: Axis([0, 2, 2], "rad"), "axis a: node 3, 2, is not above 2"),
    "one node": (lambda: Axis([0], "rad"), "at least 2 nodes"),
    "not a number": (lambda: Axis([0, math.nan, 2], "rad"), "node 2 is nan"),
    "no unit": (lambda: [0, 1, 2], r"axis a: it has no unit: write Axis\(\[...\], 'rad'\)"),
    "unknown unit": (lambda: Axis(NODES, "radians"), "'radians' is not a unit"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_axis_is_one_clear_line(mistake: str) -> None:
    axis, message = MISTAKES[mistake]
    with pytest.raises(FeatherError, match=f"^table t: .*{message}") as caught:
        Table("t", {"a": axis()}, NODES, unit="1")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([1, 2], r"its data are 2, but must be 3 x 2 \(a x b\)"),
        ([[1, 2], [3, 4]], r"its data are 2 x 2, but must be 3 x 2"),
        ([[1, 2], [3, 4], [5]], r"data\[2\] has another length"),
        ([[1, 2], [3, math.inf], [5, 6]], r"data\[1\]\[1\] is inf"),
        ([[1, 2], [3, "x"], [5, 6]], r"data\[1\]\[1\] is 'x'"),
        (7, "its data are no list"),
    ],
)
def test_wrong_data_are_one_clear_line(data: Any, message: str) -> None:
    with pytest.raises(FeatherError, match=f"^table t: {message}"):
        Table("t", {"a": Axis(NODES, "rad"), "b": Axis([0, 1], "1")}, data, unit="1")


def test_other_mistakes_name_the_table() -> None:
    axis = {"a": Axis(NODES, "rad")}
    with pytest.raises(FeatherError, match="table t: its numbers have no unit: write unit='N', with '1' for"):
        Table("t", axis, NODES)
    with pytest.raises(FeatherError, match="table t: outside is 'clamp': choose hold"):
        Table("t", axis, NODES, unit="1", outside="clamp")
    with pytest.raises(FeatherError, match="table t is looked up with 2 values for a"):
        Table("t", axis, NODES, unit="1")(1, 2)
    with pytest.raises(FeatherError, match="one to 4 axes"):
        Table("t", {}, NODES, unit="1")


def test_nodes_that_a_float_cannot_tell_apart_are_refused(tmp_path: Path) -> None:
    t = Table("t", {"a": Axis([0, 1, 1 + 1e-9, 3], "rad")}, [0, 1, 2, 3], unit="1")
    with pytest.raises(FeatherError, match=r"two nodes at 1\.0 are equal in float"):
        generate([table_kernel(t)], Options(), tmp_path)
    generate([table_kernel(t)], Options(precisions=("f64",)), tmp_path)


def test_two_tables_of_one_name_are_refused(tmp_path: Path) -> None:
    tables = [Table("t", {"a": Axis(NODES, "rad")}, [0, 1, x], unit="1") for x in (2, 3)]

    @kernel(inputs=scalars(a="rad"), outputs=scalars(y="1"), equation="y = t + t", source="a test")
    def both(a: Any) -> Any:
        return tables[0](a) + tables[1](a)

    with pytest.raises(FeatherError, match="two tables have an array t"):
        generate([both], Options(), tmp_path)


def test_an_array_and_a_function_of_one_name_are_refused(tmp_path: Path) -> None:
    t = Table("t", {"a": Axis(NODES, "rad")}, [0, 1, 2], unit="1")

    @kernel(inputs=scalars(a="rad"), outputs=scalars(y="1"), equation="y = t", source="a test", name="m_t")
    def same(a: Any) -> Any:
        return t(a)

    with pytest.raises(FeatherError, match="a kernel is called fc_m_t_f64 in C"):
        generate([replace(same, module="m")], Options(), tmp_path)


SPACED = {"alpha": Axis(range(-10, 50, 5), "deg"), "de": Axis(range(-24, 25, 12), "deg")}


def test_a_table_is_no_larger_than_one_by_hand(tmp_path: Path) -> None:
    """488 bytes: 240 of numbers, and the code of a look-up by hand with clamps (gcc 12, -Os)."""
    compiler = tool("arm-none-eabi-gcc")
    t = Table("C_m", SPACED, [[0.1 * i - 0.2 * j for j in range(5)] for i in range(12)], unit="1")
    generate([table_kernel(t)], Options(precisions=("f32",)), tmp_path)
    flags = ["-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard", "-mthumb", "-Os", "-std=c99", "-c"]
    (source,) = tmp_path.glob("*_f32.c")
    subprocess.run([compiler, *flags, source.name, "-o", "c_m.o"], cwd=tmp_path, check=True)
    sizes = subprocess.run(
        [tool("arm-none-eabi-size"), tmp_path / "c_m.o"], capture_output=True, text=True, check=True
    )
    text, data, bss = map(int, sizes.stdout.splitlines()[1].split()[:3])
    assert (data, bss) == (0, 0)
    assert text <= 488


# Files

TOML = """
[C_m]
unit = "1"
doc = "moment"
outside = "flag"
data = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
axes.alpha = { nodes = [-10, 0, 10.5], unit = "deg", doc = "angle of attack" }
axes.de = { nodes = [-24, 24], unit = "deg" }
"""
LONG = "alpha, de, C_m\n-10,-24,0.1\n0,-24,0.3\n10.5,-24,0.5\n\n-10,24,0.2\n0,24,0.4\n10.5,24,0.6\n"
CROSSED = "alpha / de, -24, 24\n-10, 0.1, 0.2\n0, 0.3, 0.4\n10.5, 0.5, 0.6\n"
UNITS = {"alpha": "deg", "de": "deg"}


def test_files_hold_the_same_table(tmp_path: Path) -> None:
    (tmp_path / "aero.toml").write_text(TOML)
    (from_toml,) = codegen.tables_from_toml(tmp_path / "aero.toml").values()
    assert (from_toml.name, from_toml.outside, from_toml.doc) == ("C_m", "flag", "moment")
    for text in (LONG, CROSSED):
        (tmp_path / "aero.csv").write_text(text)
        read = codegen.table_from_csv(tmp_path / "aero.csv", "C_m", UNITS, unit="1")
        assert read.data == from_toml.data
        assert [a.nodes for a in read.axes] == [a.nodes for a in from_toml.axes]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('unit = "1"', "", r"table C_m: its unit is missing"),
        ('doc = "moment"', "dok = 1", r"table C_m: it has no dok: its keys are axes"),
        ("axes.de = { nodes", "axes.de = { knots", r"axis de: it has no knots"),
        ("10.5]", "nan]", r"axis alpha: node 3 is .*NaN.*, which is not a finite number"),
        ("10.5]", "1e999999999]", r"axis alpha: node 3 is .*E\+999999999.*, which is not a finite number"),
        ("[0.5, 0.6]", "[0.5]", r"data\[2\] has another length"),
        ("[C_m]", "[C_m", "is not valid TOML"),
    ],
)
def test_a_wrong_toml_file_is_one_clear_line(before: str, after: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "aero.toml").write_text(TOML.replace(before, after))
    with pytest.raises(FeatherError, match=f"aero.toml.*{message}") as caught:
        codegen.tables_from_toml(tmp_path / "aero.toml")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LONG.replace("0,24,0.4\n", ""), r"it has no number at alpha = 0, de = 24"),
        (LONG.replace("0.4", "four"), r"line 7: 'four' is not a number"),
        (LONG.replace("0.4", "1e999999999"), r"line 7: '1e999999999' is not a number"),
        (LONG + "0,24,0.4\n", r"line 9 has the nodes of a line before"),
        (LONG.replace("alpha,", "beta,"), r"its first line is beta, de, C_m, but must be alpha, de, C_m"),
        (CROSSED.replace(", 0.4", ""), r"line 3 has 2 columns, but the first one has 3"),
        ("alpha, de, C_m\n", "it has no line of numbers"),
    ],
)
def test_a_wrong_csv_file_is_one_clear_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "aero.csv").write_text(text)
    with pytest.raises(FeatherError, match=f"aero.csv: {message}"):
        codegen.table_from_csv(tmp_path / "aero.csv", "C_m", UNITS, unit="1")


def test_a_file_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(FeatherError, match=r"cannot read .*aero.csv: No such file"):
        codegen.table_from_csv(tmp_path / "aero.csv", "C_m", UNITS, unit="1")
