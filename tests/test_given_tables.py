"""Tables whose numbers are an argument: look-ups, NaN, aliasing, derivatives, binding, diff, mistakes."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator

import codegen
from codegen import AT_RUN_TIME, POSITIVE, REAL, Arg, Array, Axis, State, Table, block, jacobian, kernel
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.frontends.table_kernel import table_kernel
from codegen.ir.operations import Op
from codegen.ir.status import Status
from codegen.ir.systems import F64
from codegen.modeling.bind import bind
from codegen.modeling.kernel import Kernel
from codegen.modeling.tables.table import MOST_AT_RUN_TIME
from codegen.passes import optimise
from codegen.proof.proof import prove
from codegen.review.diff.changes import ChangeClass
from codegen.review.diff.compare import compare_trees
from codegen.tree.assemble import render_tree
from codegen.tree.write import generate
from codegen.verify.verify import verify
from tests.conftest import tool

AXES = {
    "alpha": Axis([-10, -5, 0, 5], "deg", "angle of attack"),
    "de": Axis([-24, 0, 10], "deg", "elevator"),
    "flap": Axis([0, 1], "1", "flap"),
}
WAYS = ("hold", "extrapolate", "flag")


def given(axes: int, outside: str = "hold") -> Table:
    """A table at run time over the first so many axes."""
    chosen = dict(list(AXES.items())[:axes])
    return Table(f"C{axes}_{outside}", chosen, AT_RUN_TIME, unit="1", outside=outside, doc="a coefficient")


TABLES = {(n, way): given(n, way) for n in (1, 2, 3) for way in WAYS}
C_m = Table("C_m", dict(list(AXES.items())[:2]), AT_RUN_TIME, unit="1", doc="a coefficient")


@kernel(
    inputs=[
        Arg("alpha", REAL, "deg", "angle of attack"),
        Arg("de", REAL, "deg", "elevator"),
        Arg("qS", REAL, "N", "pressure times area"),
        C_m.argument,
    ],
    outputs=[Arg("M", REAL, "N", "moment over length"), Arg("twice", REAL, "N", "twice as much")],
    equation="M is qS C_m(alpha, de)",
    source="a test",
)
def moment(alpha: Any, de: Any, qS: Any, C_m: Any) -> Any:
    """Moment by a table of the caller."""
    return qS * C_m(alpha, de), 2 * qS * C_m(alpha, de)


SLOPES = jacobian(moment, "slopes", ["M"], {"dM": ["alpha", "de"]})


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The compiled functions of all tables, of a model and of its derivative."""
    place = tmp_path_factory.mktemp("given")
    generate([*map(table_kernel, TABLES.values()), moment, SLOPES], Options(), place)
    return codegen.load(place)


def numbers(axes: int) -> Any:
    """Numbers of a table."""
    shape = [len(a.nodes) for a in list(AXES.values())[:axes]]
    return np.random.default_rng(axes).normal(size=shape).round(2)


def by_scipy(axes: int, outside: str, data: Any, point: tuple[float, ...]) -> float:
    """The number at a point, by SciPy."""
    nodes = [np.array(a.nodes, float) for a in list(AXES.values())[:axes]]
    where = list(point)
    if outside != "extrapolate":
        where = [min(max(x, n[0]), n[-1]) for x, n in zip(point, nodes, strict=True)]
    return float(RegularGridInterpolator(nodes, data, bounds_error=False, fill_value=None)(where)[0])


def source(kernels: list[Kernel]) -> str:
    """The C of kernels in float."""
    files = render_tree(kernels, Options(precisions=("f32",)))
    return next(str(text) for path, text in files.items() if path.endswith("_f32.c"))


def test_the_comment_names_the_tables_of_the_caller_too() -> None:
    """A function of the table itself has its name, and says no more."""
    assert function(moment, F64, Options()).tables == ["C_m"]
    fixed = Table("C_n", {"alpha": AXES["alpha"]}, [1, 2, 4, 5], unit="1", doc="a coefficient")

    @kernel(
        inputs=[*moment.inputs],
        outputs=[Arg("y", REAL, "1", "a product")],
        equation="y = C_m(alpha, de) C_n(alpha)",
        source="a test",
    )
    def both(alpha: Any, de: Any, qS: Any, C_m: Any) -> Any:
        """A look-up in two tables."""
        return C_m(alpha, de) * fixed(alpha)

    files = render_tree([both], Options(precisions=("f64",)))
    assert any("Looks up the tables C_m, C_n." in str(text) for text in files.values())


# Compiled look-ups


@pytest.mark.parametrize(("axes", "way"), TABLES, ids=str)
@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_compiled_look_ups_are_those_of_scipy(axes: int, way: str, precision: str, compiled: Any) -> None:
    function, data = getattr(getattr(compiled, precision), TABLES[axes, way].name), numbers(axes)
    source, eps = np.random.default_rng(3), 1e-5 if precision == "f32" else 1e-13
    nodes = [np.array(a.nodes, float) for a in list(AXES.values())[:axes]]
    for room in (None, 0.0, 0.5):
        for _ in range(20):
            point = tuple(
                float(
                    source.choice(n)
                    if room is None
                    else np.float32(n[0] + (n[-1] - n[0]) * source.uniform(-room, 1 + room))
                )
                for n in nodes
            )
            found = function(*point, data)
            assert found[0] == pytest.approx(by_scipy(axes, way, data, point), rel=eps, abs=20 * eps), point
            if way == "flag":
                outside = any(not n[0] <= x <= n[-1] for x, n in zip(point, nodes, strict=True))
                assert found.status == (Status.OUTSIDE if outside else 0)


def test_nan_in_the_data_shows_where_it_is_read_and_only_there(compiled: Any) -> None:
    data = numbers(2)
    data[3, 2] = math.nan
    for precision in (compiled.f64, compiled.f32):
        for alpha in (-10, -7.5, -5.0, -2.5, 0, 2.5, 5, 9):
            for de in (-24.0, -12.0, 0.0, 5.0, 10.0, 99.0):
                found = precision.moment(alpha, de, 2.0, data).M
                assert math.isnan(found) == (alpha >= 0 and de >= 0), (alpha, de)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, 1e30, -1e30])
def test_no_coordinate_reads_beyond_the_data(wrong: float, compiled: Any) -> None:
    guarded = np.full(12 + 40, 1e300)  # what lies around the numbers shows where it is read
    guarded[20:32] = numbers(2).flat
    data = guarded[20:32].reshape(4, 3)
    for point in ((wrong, 0.0), (0.0, wrong), (wrong, wrong)):
        found = compiled.f64.moment(*point, 1.0, data).M
        assert math.isnan(found) if math.isnan(wrong) else abs(found) < 10


@pytest.mark.parametrize("count", [1, 20])
def test_an_output_may_lie_in_the_data(count: int, tmp_path: Path) -> None:
    """Also in a function with so many inputs that it stores each result as soon as it is known."""

    @kernel(
        inputs=[Arg("x", Array((count,)), "deg", "numbers"), C_m.argument],
        outputs=[
            Arg("y", REAL, "deg", "sum"),
            Arg("z", REAL, "1", "a number"),
            Arg("u", REAL, "1", "another"),
        ],
        equation="",
        source="a test",
    )
    def many(x: Any, C_m: Any) -> Any:
        """Several results."""
        return sum(x), C_m(x[-1], x[0]), C_m(x[0], 2 * x[-1])

    generate([many], Options(precisions=("f64",)), tmp_path)
    (tmp_path / "main.c").write_text(
        "#include <stdio.h>\n"
        f'#include "{next(tmp_path.glob("*_f64.h")).name}"\n'
        "int main(void)\n{\n    double x[20], a[12], b[12], y, z, u;\n    int i;\n"
        "    for (i = 0; i < 20; i++) {\n        x[i] = i - 3.5;\n    }\n"
        "    for (i = 0; i < 12; i++) {\n        a[i] = b[i] = i * i;\n    }\n"
        "    fc_many_f64(x, a, &y, &z, &u);\n"
        "    fc_many_f64(x, b, &b[7], &b[11], &b[10]);\n"
        "    return b[7] == y && b[11] == z && b[10] == u ? 0 : 1;\n}\n"
    )
    cc, program = tool("cc"), str(tmp_path / "main")
    sources = sorted(map(str, tmp_path.glob("*.c")))
    subprocess.run([cc, "-std=c99", "-O2", *sources, "-o", program, "-lm"], check=True)
    assert subprocess.run([program], check=False).returncode == 0


def test_only_the_entries_of_the_cell_are_read() -> None:
    code = source([moment])
    assert code.count("= C_m[") == 4
    assert "C_m[0]" not in code


# Proof, derivatives, compositions


@pytest.mark.parametrize(("axes", "way"), TABLES, ids=str)
def test_a_look_up_is_proven_and_a_wrong_one_is_found(axes: int, way: str) -> None:
    right = table_kernel(TABLES[axes, way])
    definition: Any = right.definition
    assert prove(right).status == "proven"

    def mirrored(*inputs: Any) -> Any:
        """The definition with two numbers exchanged."""
        *where, data = inputs
        data = list(data)
        return definition(*where, [data[1], data[0], *data[2:]])

    assert prove(replace(right, definition=mirrored)).status.startswith("failed")


def test_verify_passes_and_finds_a_wrong_index(tmp_path: Path) -> None:
    kernels = [table_kernel(C_m), moment, SLOPES]
    generate(kernels, Options(), tmp_path)
    assert all(row.ok for row in verify(tmp_path, {k.name: k for k in kernels}))
    for path in tmp_path.glob("*.c"):
        path.write_text(path.read_text().replace("C_m[C_m_at + 3]", "C_m[C_m_at + 4]"))
    assert [row.ok for row in verify(tmp_path, {k.name: k for k in kernels})] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]


def test_derivatives_are_the_slopes_of_the_cell(compiled: Any) -> None:
    data, step = numbers(2), 1e-6
    for alpha, de in ((-7.0, 3.0), (1.0, -20.0), (-12.0, 5.0), (4.0, 12.0)):
        found = compiled.f64.slopes(alpha, de, 3.0, data).dM
        for i, (a, b) in enumerate(((step, 0.0), (0.0, step))):
            ahead, behind = (3 * by_scipy(2, "hold", data, (alpha + s * a, de + s * b)) for s in (1, -1))
            assert np.ravel(found)[i] == pytest.approx((ahead - behind) / (2 * step), abs=1e-6)


@pytest.mark.exhaustive
def test_derivatives_are_proven_whatever_the_number_of_entries_is() -> None:
    axes = {name: Axis(list(range(10)), "1", name) for name in ("a", "b", "c")}
    large = Table("large", axes, AT_RUN_TIME, unit="1", doc="a coefficient")
    slopes = jacobian(table_kernel(large), "slopes", ["large"], {"d": ["a", "b", "c"]})
    assert prove(slopes).status == "proven"


def test_derivatives_by_the_numbers_are_refused() -> None:
    with pytest.raises(FeatherError, match="derivatives by the numbers of table C_m are not available"):
        jacobian(moment, "by_all", ["M"], {"dM": ["C_m"]}).program()


def test_a_kernel_passes_its_table_on() -> None:
    @kernel(inputs=list(moment.inputs), outputs=[Arg("M", REAL, "N", "moment")], equation="", source="a test")
    def outer(alpha: Any, de: Any, qS: Any, C_m: Any) -> Any:
        """A kernel that calls another one."""
        return moment(alpha, de, qS, C_m)[0]

    code = source([outer])
    assert code.count("= C_m[") == 4


def test_a_table_may_be_a_parameter_of_a_block(tmp_path: Path) -> None:
    @block(
        states=[State("x", REAL, "m", "position")],
        inputs=[Arg("alpha", REAL, "deg", "angle")],
        outputs=[Arg("c", REAL, "1", "coefficient")],
        parameters=[TABLES[1, "hold"].argument, Arg("k", POSITIVE, "m/s", "gain")],
        sample_time="1/100",
        equation="c is the coefficient",
        source="a test",
    )
    def moved(x: Any, alpha: Any, C1_hold: Any, k: Any, dt: Any) -> Any:
        """A block."""
        c = C1_hold(alpha)
        return x + k * c * dt, c

    kernels = list(moved.kernels)
    generate(kernels, Options(), tmp_path)
    assert all(row.ok for row in verify(tmp_path, {k.name: k for k in kernels}))
    assert "parameters->C1_hold[alpha_cell + 1]" in source(kernels)
    old = dict(render_tree(kernels, Options(precisions=("f32",))))
    new = {p: str(t).replace("C1_hold[alpha_cell + 1]", "C1_hold[alpha_cell]") for p, t in old.items()}
    changes = {c.symbol: c.kind for c in compare_trees(old, new)}
    assert changes["fc_moved_step_f32"] is ChangeClass.CHANGED


# Binding


def test_bound_numbers_are_constants_of_the_file(tmp_path: Path, compiled: Any) -> None:
    data = numbers(2)
    bound = bind(moment, {"C_m": tuple(map(Fraction, data.flat))})
    generate([bound], Options(), tmp_path)
    assert all(row.ok for row in verify(tmp_path, {k.name: k for k in [bound]}))
    assert "static const double" in (tmp_path / "fc_test_given_tables_f64.c").read_text()
    for point in ((-7.0, 3.0), (1.0, -20.0), (99.0, 5.0)):
        fixed = codegen.load(tmp_path).f64.moment(*point, 2.0).M
        assert fixed == pytest.approx(compiled.f64.moment(*point, 2.0, data).M, rel=1e-14)


# Differences


@cache
def tree() -> dict[str, Any]:
    """A tree with a model and its derivative."""
    return dict(render_tree([moment, SLOPES], Options(precisions=("f32",))))


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("[C_m_at + 4]", "[C_m_at + 2]", ChangeClass.CHANGED),
        ("[C_m_at + 4]", "[C_m_at + 5]", ChangeClass.UNREADABLE),
        ("3 * alpha_cell + de_cell", "2 * alpha_cell + de_cell", ChangeClass.CHANGED),
        ("3 * alpha_cell + de_cell", "4 * alpha_cell + de_cell", ChangeClass.UNREADABLE),
        ("C_m[C_m_at]", "C_m[(int)qS]", ChangeClass.UNREADABLE),
        ("C_m[C_m_at]", "(&C_m[0])[C_m_at]", ChangeClass.COSMETIC),
        ("float C_m_0 = ", "float C_m_0 = 0.5F * 2.0F * ", ChangeClass.REASSOCIATED),
    ],
)
def test_an_edit_of_a_look_up_is_classified(before: str, after: str, kind: ChangeClass) -> None:
    files = {p: str(t).replace(before, after) if p.endswith(".c") else t for p, t in tree().items()}
    assert files != tree(), "the edit does not apply"
    found = {c.symbol: c for c in compare_trees(tree(), files)}
    assert found["fc_moment_f32"].kind is kind, found["fc_moment_f32"]
    assert found["fc_moment_f32"].witness is not None or kind is not ChangeClass.CHANGED


def test_the_same_tree_and_a_renamed_argument_are_no_change() -> None:
    assert {c.kind for c in compare_trees(tree(), tree())} == {ChangeClass.IDENTICAL}
    renamed = {p: str(t).replace("C_m[", "data[") for p, t in tree().items()}
    found = {c.symbol: c.kind for c in compare_trees(tree(), renamed)}
    assert found["fc_moment_f32"] in (ChangeClass.COSMETIC, ChangeClass.IDENTICAL)


# Mistakes


def test_mistakes_are_one_clear_line() -> None:
    axes = {"a": Axis([0, 1], "1")}
    with pytest.raises(FeatherError, match=f"table t: its 1025 numbers are more than {MOST_AT_RUN_TIME}"):
        Table("t", {"a": Axis(range(1025), "1")}, AT_RUN_TIME, unit="1")
    with pytest.raises(FeatherError, match="the numbers of table t are known: look it up"):
        _ = Table("t", axes, [1, 2], unit="1").argument
    with pytest.raises(FeatherError, match=r"table C_m are given at run time: take them as an input"):
        C_m(1, 2)


def composed(change: Callable[[Any], Any], table: Table = C_m) -> Kernel:
    """A kernel that calls another one with what it makes of its table."""

    @kernel(
        inputs=[*moment.inputs[:3], replace(table.argument, name="table")],
        outputs=[Arg("M", REAL, "N", "moment")],
        equation="",
        source="a test",
    )
    def outer(alpha: Any, de: Any, qS: Any, table: Any) -> Any:
        """A kernel that calls another one."""
        return moment(alpha, de, qS, change(table))[0]

    return outer


def test_a_table_that_is_computed_or_of_other_nodes_is_refused() -> None:
    with pytest.raises(FeatherError, match="the numbers of table C_m are not an input as a whole"):
        render_tree([composed(lambda t: [2 * x for x in t])], Options())
    with pytest.raises(FeatherError, match="it takes 12 numbers of a table, not 11"):
        composed(lambda t: t[:11]).program()
    other = Table(
        "other", {**dict(list(AXES.items())[:1]), "de": Axis([1, 2, 4], "deg")}, AT_RUN_TIME, unit="1"
    )
    with pytest.raises(FeatherError, match="table other has other nodes than table C_m"):
        composed(lambda t: t, other).program()


def test_a_value_has_its_own_name_only() -> None:
    """Below the first node, the place in the cell is 0, as is the number of the cell."""
    C_T = Table("C_T", {"J": Axis([0, 0.3, 0.6, 0.9], "1")}, AT_RUN_TIME, unit="1")
    inputs = [
        Arg("v", REAL, "m/s", ""),
        Arg("n", POSITIVE, "1/s", ""),
        Arg("D", POSITIVE, "m", ""),
        C_T.argument,
    ]

    def formula(v: Any, n: Any, D: Any, C_T: Any) -> Any:
        return n * n * D**4 * C_T(v / (n * D))

    thrust = kernel(inputs=inputs, outputs=[Arg("T", REAL, "m^4/s^2", "")], equation="", source="")(formula)
    program = optimise(thrust.program(True))
    named = {label: program.nodes[place].op for place, label in program.labels.items()}
    assert named.get("J_part", Op.SUB) is Op.SUB
    assert "J_cell" in named
