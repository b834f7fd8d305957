"""Linear interpolants of CasADi become tables, and calls of Functions their formulas."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import casadi
import numpy as np
import pytest

from codegen.errors import FeatherError
from codegen.frontends.define import from_casadi, jacobian
from codegen.frontends.interpolants import tables_of
from codegen.ir.program import Arg, evaluate
from codegen.ir.systems import F64, floating
from codegen.ir.types import REAL
from codegen.modeling.kernel import Kernel

X1, X2, X3 = [0.0, 1.0, 3.5], [0.0, 0.1, 0.2, 0.4], [-1.0, 1.0]
X, Y = casadi.MX.sym("x"), casadi.MX.sym("y")
INPUTS = [Arg("x", REAL, "", ""), Arg("y", REAL, "", "")]
RESULT = [Arg("u", REAL, "", "")]
POINTS = [(0.5, 0.3), (-1, 0.05), (9, 0.9), (2, -3), (1, 0.1), (3.5, 0.4)]


def drawn(*sizes: int) -> Any:
    return np.random.default_rng(1).uniform(-1, 1, sizes).round(3)


LIFT = casadi.interpolant("lift", "linear", [X1, X2], drawn(3, 4).ravel(order="F"))
PAIR = casadi.interpolant("pair", "linear", [X1], [1, 10, 2, 20, 3, 40])


def expanded(*results: Any) -> Any:
    """The SX Function of results in x and y."""
    return casadi.Function("model", [X, Y], results).expand()


def numbers(of: Kernel, *given: float) -> list[float]:
    return [float(x) for x in evaluate(of.program(), floating(F64), given).results]


@pytest.mark.parametrize("point", POINTS, ids=str)
def test_they_have_casadis_values_inside_and_outside(point: tuple[float, float]) -> None:
    both = PAIR(Y)
    model = expanded(2 * LIFT(casadi.vertcat(X, Y)) + casadi.sin(both[0]) * both[1])
    of = from_casadi(model, INPUTS, RESULT)
    assert numbers(of, *point) == pytest.approx([float(model(*point))], rel=1e-12)


def test_axes_and_results_keep_their_order() -> None:
    data = drawn(3, 4, 2)
    (table,) = tables_of(casadi.interpolant("f", "linear", [X1, X2, X3], data.ravel(order="F")))
    assert [[float(x) for x in axis.nodes.values] for axis in table.axes] == [X1, X2, X3]
    assert np.array_equal(np.reshape([float(x) for x in table.numbers], data.shape), data)
    assert [[float(x) for x in t.numbers] for t in tables_of(PAIR)] == [[1, 2, 3], [10, 20, 40]]


def test_a_function_that_is_called_is_its_formula() -> None:
    s = casadi.SX.sym("s")
    inner = casadi.Function("inner", [s], [s * s, casadi.sin(s)], {"never_inline": True})
    square, sine = inner(X)
    of = from_casadi(expanded(square + 3 * inner(sine * Y)[0]), INPUTS, RESULT)
    assert numbers(of, 0.7, 2.0) == pytest.approx([0.49 + 12 * np.sin(0.7) ** 2], rel=1e-14)


def test_derivatives_are_the_slopes_of_the_cell() -> None:
    of = from_casadi(expanded(LIFT(casadi.vertcat(X, Y))), INPUTS, RESULT)
    found = numbers(jacobian(of, "slopes", ["u"], {"J": ["x", "y"]}), 2.0, 0.15)
    step = 1e-3
    expected = [
        (numbers(of, 2 + step * i, 0.15 + step * j)[0] - numbers(of, 2 - step * i, 0.15 - step * j)[0])
        / (2 * step)
        for i, j in ((1, 0), (0, 1))
    ]
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("result", "complaint"),
    [
        (casadi.interpolant("bump", "bspline", [[0, 1, 2, 3, 5]], [1, 2, 3, 5, 8])(X),
         "CasADi calls bump, of the class BSplineInterpolant: make it 'linear', or call a codegen.Table"),
        (casadi.interpolant("at_run_time", "linear", [[0, 1, 2]], 1)(X, casadi.vertcat(X, Y, Y)),
         "interpolant at_run_time: its grid and values must be numbers, not arguments of the function"),
        (casadi.Function("kept", [X], [2 * X], {"never_inline": True})(Y),
         "CasADi calls kept, of the class MXFunction: leave out its option never_inline"),
    ],
)  # fmt: skip
def test_what_has_no_table_is_named(result: Any, complaint: str) -> None:
    with pytest.raises(FeatherError, match=complaint):
        from_casadi(expanded(result), INPUTS, RESULT).program()


def test_a_model_with_an_interpolant_is_verified(tmp_path: Path, featherc: Callable[..., Any]) -> None:
    expanded(LIFT(casadi.vertcat(X, Y)))
    model = tmp_path / "model.py"
    model.write_text(
        "import casadi\n"
        "from codegen import REAL, Arg, from_casadi\n"
        "lift = casadi.interpolant('lift', 'linear', [[0, 1, 3.5]], [1.25, 2, -3])\n"
        "x = casadi.MX.sym('x')\n"
        "function = casadi.Function('force', [x], [x * lift(x)]).expand()\n"
        "force = from_casadi(function, [Arg('x', REAL, '', 'x')], [Arg('f', REAL, '', 'f')])\n"
    )
    tree = tmp_path / "c"
    assert featherc("generate", "--model", str(model), "-o", str(tree)).code == 0
    assert "static const double fc_model_lift_f64[3]" in (tree / "fc_model_f64.c").read_text()
    ended = featherc("verify", "--model", str(model), str(tree))
    assert ended.code == 0, ended.out
