"""Cubic tables: values by SciPy, continuous slopes, exact parabolas, tangents beyond the nodes, proofs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.interpolate import CubicHermiteSpline

import codegen
from codegen import AT_RUN_TIME, REAL, Arg, Axis, Table, jacobian, kernel, table_from_csv, tables_from_toml
from codegen.__main__ import run
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.frontends.table_kernel import table_kernel
from codegen.ir.status import Status
from codegen.ir.systems import fractions
from codegen.modeling.tables import cubic
from codegen.proof.proof import prove
from codegen.review.diff.changes import ChangeClass
from codegen.review.diff.compare import compare_trees
from codegen.tree.assemble import render_tree
from codegen.tree.write import generate
from codegen.verify.verify import verify
from tests.conftest import sampled

AXES = {
    "alpha": Axis([-10, -5, 0, 5, 10, 15], "deg"),
    "mach": Axis([0.1, 0.35, 0.7, 1.1, 1.2], "1"),
    "flap": Axis([0, 30], "deg"),
    "gear": Axis([0, 0.5, 1], "1"),
}
CASES = [*((n, way) for n in (1, 2) for way in ("hold", "extrapolate", "flag")), (3, "hold"), (4, "hold")]
SLOPES = [(1, "hold"), (1, "extrapolate"), (1, "flag"), (2, "extrapolate")]


def over(axes: int) -> dict[str, Axis]:
    """The first so many axes; as a single one, that with unequal distances."""
    return {"mach": AXES["mach"]} if axes == 1 else dict(list(AXES.items())[:axes])


def table(axes: int, outside: str) -> Table:
    """A table over so many axes."""
    chosen = over(axes)
    shape = [len(a.nodes) for a in chosen.values()]
    data = np.random.default_rng(axes).normal(size=shape).round(3)
    return Table(f"c{axes}_{outside}", chosen, data, unit="N", outside=outside, method="cubic")


TABLES = {case: table(*case) for case in CASES}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Any:
    place = tmp_path_factory.mktemp("cubic")
    chosen = [t for case, t in TABLES.items() if case in SLOPES]
    slopes = [jacobian(t, f"d_{t.name}", [t.name], {"J": [a.name for a in t.axes]}) for t in chosen]
    generate([*map(table_kernel, TABLES.values()), *slopes], Options(), place)
    return codegen.load(place)


def along(nodes: Any, f: Any, x: float, outside: str, order: int = 0) -> Any:
    """The value or slope at x along the first axis of numbers, by SciPy's spline of NumPy's slopes."""
    slope = np.gradient(f, nodes, axis=0, edge_order=2 if len(nodes) > 2 else 1)
    spline = CubicHermiteSpline(nodes, f, slope)
    if nodes[0] <= x <= nodes[-1]:
        return spline(x, order)
    end = 0 if x < nodes[0] else -1
    if outside == "extrapolate":
        return slope[end] if order else f[end] + (x - nodes[end]) * slope[end]
    return np.zeros_like(f[0]) if order else f[end]


def by_scipy(t: Table, point: Sequence[float], by: int = -1) -> float:
    """The number of a table at a point, or its slope by one of the coordinates."""
    data: Any = np.array([float(x) for x in t.numbers]).reshape([a.size for a in t.axes])
    for i, (axis, x) in enumerate(zip(t.axes, point, strict=True)):
        data = along(np.array([float(n) for n in axis.nodes.values]), data, x, t.outside, int(i == by))
    return float(data)


def points(t: Table) -> list[list[float]]:
    """Points at nodes, between them and beyond both ends."""
    source = np.random.default_rng(3)
    nodes = [np.array([float(n) for n in a.nodes.values]) for a in t.axes]
    at = [[float(source.choice(n)) for n in nodes] for _ in range(10)]
    return at + [[float(n[0] + (n[-1] - n[0]) * source.uniform(-0.5, 1.5)) for n in nodes] for _ in range(60)]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_values_and_slopes_are_those_of_scipy(case: Any, precision: str, compiled: Any) -> None:
    t, eps = TABLES[case], 1e-12 if precision == "f64" else 1e-4
    for point in points(t):
        point = [float(np.float32(x)) for x in point] if precision == "f32" else point
        value = getattr(getattr(compiled, precision), t.name)(*point)
        assert value[0] == pytest.approx(by_scipy(t, point), rel=eps, abs=eps * 10)
        kind = np.float64 if precision == "f64" else np.float32
        ends = [
            (float(kind(float(a.nodes.values[0]))), float(kind(float(a.nodes.values[-1])))) for a in t.axes
        ]
        inside = all(low <= x <= high for x, (low, high) in zip(point, ends, strict=True))
        if t.outside == "flag":
            assert value[-1] == (0 if inside else Status.OUTSIDE)
        if case not in SLOPES or any(
            min(abs(x - end) for end in both) < 1e-6 for x, both in zip(point, ends, strict=True)
        ):
            continue  # the slope of a value that is held jumps at the ends
        slopes = np.ravel(getattr(getattr(compiled, precision), f"d_{t.name}")(*point)[0])
        expected = [by_scipy(t, point, i) for i in range(len(t.axes))]
        assert slopes == pytest.approx(expected, rel=100 * eps, abs=1000 * eps)


@pytest.mark.parametrize("nodes", [range(6), [0, 1, 3, 4, 9, 11]], ids=["equal", "unequal"])
def test_value_and_slope_are_continuous(nodes: Sequence[int]) -> None:
    """The cubics of two cells meet at their node, whatever the numbers are."""
    exact = [Fraction(n) for n in nodes]
    numbers = sympy.symbols(f"f0:{len(exact)}")
    rows = cubic.extended([Fraction(0)] * len(exact), [exact])
    assert len(rows) == len(exact) + 2
    shares, t = cubic.shares(exact), sympy.Symbol("t")
    units = [
        cubic.extended([Fraction(int(i == k)) for i in range(len(exact))], [exact]) for k in range(len(exact))
    ]
    stored = [
        sum(sympy.Rational(u[i]) * f for u, f in zip(units, numbers, strict=True)) for i in range(len(rows))
    ]
    cells = []
    for i in range(len(exact) - 1):
        own = [sympy.Rational(x) for x in shares[4 * i : 4 * i + 4]]
        weights = cubic.weights(fractions(), t, cubic.Slopes(*own), None)
        cells.append(sum(w * f for w, f in zip(weights, stored[i : i + 4], strict=True)))
    for i, (left, right) in enumerate(pairwise(cells)):
        lengths = [sympy.Rational(exact[k + 1] - exact[k]) for k in (i, i + 1)]
        assert sympy.expand(left.subs(t, 1) - numbers[i + 1]) == 0
        assert sympy.expand(right.subs(t, 0) - numbers[i + 1]) == 0
        meeting = left.diff(t).subs(t, 1) / lengths[0] - right.diff(t).subs(t, 0) / lengths[1]
        assert sympy.expand(meeting) == 0


def test_parabolas_are_exact() -> None:
    nodes = [Fraction(n) for n in (-3, -1, 0, 2, 7)]

    def parabola(x: Any, y: Any) -> Any:
        return 3 * x * x - 2 * x * y + y * y - x + 5

    data = [[parabola(x, y) for y in nodes] for x in nodes]
    t = Table("q", {"x": Axis(nodes, "1"), "y": Axis(nodes, "1")}, data, unit="1", method="cubic")
    for x in (Fraction(-5, 2), Fraction(1, 3), Fraction(13, 2)):
        assert t(x, Fraction(1, 7)) == parabola(x, Fraction(1, 7))


@pytest.mark.parametrize("case", sampled([*CASES, (4, "extrapolate")], 5), ids=str)
def test_look_ups_are_proven(case: Any) -> None:
    assert prove(table_kernel(table(*case))).status == "proven"


@pytest.mark.parametrize("case", [(1, "hold"), (2, "extrapolate"), (2, "flag")], ids=str)
def test_coordinates_that_are_no_numbers_are_not_hidden(case: Any, compiled: Any) -> None:
    t = TABLES[case]
    inside = [float(a.nodes.values[0]) for a in t.axes]
    for i in range(len(t.axes)):
        for wrong in (math.nan, math.inf, -math.inf, 1e30):
            value = getattr(compiled.f64, t.name)(*inside[:i], wrong, *inside[i + 1 :])
            if t.outside == "flag":
                assert value[-1] == Status.OUTSIDE
            elif math.isnan(wrong):
                assert math.isnan(value[0])
            elif t.outside == "hold":
                assert math.isfinite(value[0])
            else:
                assert math.isnan(value[0]) == math.isinf(wrong)


def test_a_changed_number_is_a_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, number, method in (("a", 1, "cubic"), ("b", 2, "cubic"), ("c", 1, "linear")):
        t = Table("C", {"x": Axis([0, 1, 2, 4], "1")}, [0, number, 5, 3], unit="1", method=method)
        generate([table_kernel(t)], Options(), tmp_path / name)
    for other in "bc":
        assert run(["diff", str(tmp_path / "a"), str(tmp_path / other), "--fail-on", "changed"]) == 1
        assert "changed" in capsys.readouterr().out


def test_the_method_is_read_from_files(tmp_path: Path) -> None:
    toml = tmp_path / "t.toml"
    toml.write_text(
        '[C]\nunit = "1"\nmethod = "cubic"\ndata = [0, 1, 8]\naxes.x = { nodes = [0, 1, 2], unit = "1" }\n'
    )
    (tmp_path / "t.csv").write_text("x,C\n0,0\n1,1\n2,8\n")
    given = [
        tables_from_toml(toml)["C"],
        table_from_csv(tmp_path / "t.csv", "C", {"x": "1"}, unit="1", method="cubic"),
    ]
    assert [t(Fraction(1, 2)) for t in given] == [by_scipy(given[0], [0.5])] * 2


@pytest.mark.parametrize(
    ("axes", "method", "message"),
    [
        (1, "spline", "table C: method is 'spline': choose linear, cubic"),
        (1, None, "table C: method is None: choose linear, cubic"),
        (5, "cubic", "table C: it needs one to 4 axes"),
    ],
)
def test_a_wrong_table_is_one_clear_line(axes: int, method: Any, message: str) -> None:
    with pytest.raises(FeatherError, match=message):
        Table("C", {f"x{i}": Axis([0, 1], "1") for i in range(axes)}, [0] * 2**axes, unit="1", method=method)


# Numbers of the caller


def at_run_time(known: Table) -> Table:
    """The table whose numbers the caller gives."""
    axes = {a.name: Axis(a.nodes.values, a.unit) for a in known.axes}
    return Table(f"r_{known.name}", axes, AT_RUN_TIME, unit="N", outside=known.outside, method="cubic")


FEW = Table("few", {"x": Axis([1, 2, 4], "1"), "y": Axis([0, 1], "1")}, [0, 1, 5, 3, 2, 7], unit="N",
              method="cubic", outside="extrapolate")  # fmt: skip
EVEN = Table("even", {"x": Axis(range(4), "1")}, [0, 3, 1, 2], unit="N", method="cubic", outside="flag")
KNOWN = (*TABLES.values(), FEW, EVEN)
GIVEN = {t.name: at_run_time(t) for t in KNOWN}


def sloped(t: Table) -> Any:
    """The kernel of the derivatives of a table by its coordinates."""
    return jacobian(table_kernel(t), f"d_{t.name}", [t.name], {"J": [a.name for a in t.axes]})


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Any:
    place = tmp_path_factory.mktemp("given_cubic")
    few = [sloped(t) for t in GIVEN.values() if len(t.axes) < 3]
    generate([*map(table_kernel, GIVEN.values()), *few], Options(), place)
    return codegen.load(place)


@pytest.mark.parametrize("known", sampled(KNOWN, every=3), ids=lambda t: t.name)
@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_numbers_of_the_caller_give_the_same_cubics(known: Table, precision: str, given: Any) -> None:
    functions, eps = getattr(given, precision), 1e-12 if precision == "f64" else 1e-4
    data = np.array([float(x) for x in known.numbers]).reshape([a.size for a in known.axes])
    for point in points(known):
        point = [float(np.float32(x)) for x in point] if precision == "f32" else point
        found = getattr(functions, f"r_{known.name}")(*point, data)
        assert found[0] == pytest.approx(by_scipy(known, point), rel=eps, abs=eps * 10)
        ends = [(a.nodes.values[0], a.nodes.values[-1]) for a in known.axes]
        at_end = any(
            min(abs(x - float(end)) for end in both) < 1e-6 for x, both in zip(point, ends, strict=True)
        )
        if len(known.axes) < 3 and not at_end:
            slopes = np.ravel(getattr(functions, f"d_r_{known.name}")(*point, data)[0])
            expected = [by_scipy(known, point, i) for i in range(len(known.axes))]
            assert slopes == pytest.approx(expected, rel=100 * eps, abs=1000 * eps)


@pytest.mark.parametrize("name", sampled(list(GIVEN), 3))
def test_look_ups_in_numbers_of_the_caller_are_proven(name: str) -> None:
    assert prove(table_kernel(GIVEN[name])).status == "proven"


def test_verify_leaves_out_no_trial_of_numbers_of_the_caller(tmp_path: Path) -> None:
    kernels = [f(GIVEN["c2_extrapolate"]) for f in (table_kernel, sloped)]
    generate(kernels, Options(), tmp_path)
    rows = verify(tmp_path, {k.name: k for k in kernels})
    assert all(row.ok and not row.left_out for row in rows)


def test_nan_among_the_numbers_shows_where_the_cubic_takes_it(given: Any) -> None:
    """Three numbers make the slope at an end: the fourth is not read there."""
    for precision in (given.f64, given.f32):
        for k in range(5):
            data = np.arange(5.0)
            data[k] = math.nan
            for i, x in enumerate((0.2, 0.5, 1.0, 1.15)):
                found = precision.r_c1_hold(x, data)[0]
                assert math.isnan(found) == (i - 1 <= k <= i + 2), (k, i)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, 1e30, -1e30])
def test_no_coordinate_reads_beyond_the_numbers_of_the_caller(wrong: float, given: Any) -> None:
    guarded = np.full(30 + 80, 1e300)  # what lies around the numbers shows where it is read
    guarded[40:70] = np.linspace(-1, 1, 30)
    data = guarded[40:70].reshape(6, 5)
    for way in ("hold", "flag"):
        for point in ((wrong, 0.5), (0.0, wrong), (wrong, wrong)):
            found = getattr(given.f64, f"r_c2_{way}")(*point, data)[0]
            assert math.isnan(found) == (math.isnan(wrong) and way == "hold")
            assert not abs(found) > 10


def test_edits_of_a_look_up_in_numbers_of_the_caller_are_changes() -> None:
    t = GIVEN["c2_hold"]

    @kernel(
        inputs=[Arg("alpha", REAL, "deg", ""), Arg("mach", REAL, "1", ""), t.argument],
        outputs=[Arg("F", REAL, "N", "")],
        equation="",
        source="a test",
    )
    def twice(alpha: Any, mach: Any, r_c2_hold: Any) -> Any:
        """Twice the number of the table."""
        return 2 * r_c2_hold(alpha, mach)

    old = dict(render_tree([twice], Options(precisions=("f64",))))
    assert {c.kind for c in compare_trees(old, old)} == {ChangeClass.IDENTICAL}
    for before, after in (
        ("5 * alpha_cell + mach_before", "5 * alpha_before + mach_before"),
        ("0.8166666666666667", "0.9166666666666667"),
        (" 2.5", " 1.5"),
    ):
        new = {p: str(x).replace(before, after, 1) if p.endswith(".c") else x for p, x in old.items()}
        assert new != old, before
        kinds = {c.kind for c in compare_trees(old, new)}
        assert kinds & {ChangeClass.CHANGED, ChangeClass.UNREADABLE}, before
