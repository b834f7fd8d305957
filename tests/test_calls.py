"""Kernels of SymPy, of CasADi and of derivatives, called in the formula of another kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import casadi
import pytest
import sympy

import codegen
from codegen import REAL, Arg, Array, Quaternion, Status, Symmetric, Vector, repeat, require, select, sqrt
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.frontends.define import from_casadi, from_sympy, jacobian, kernel
from codegen.frontends.dimensions import check_units
from codegen.ir.systems import F64
from codegen.proof.proof import prove
from codegen.tree.write import generate

X, Y = Arg("x", REAL, "m", "east"), Arg("y", REAL, "m", "north")
x, y = sympy.symbols("x y")
POLAR = from_sympy(
    "polar",
    [(X, x), (Y, y)],
    [
        (Arg("r", REAL, "m", "distance"), sympy.sqrt(x**2 + y**2)),
        (Arg("bearing", REAL, "rad", "from east"), sympy.atan2(y, x)),
    ],
)
SLOPES = jacobian(POLAR, "polar_slopes", ["r", "bearing"], {"H": ["x", "y"]})

angles = casadi.SX.sym("q", 2)
ARM = from_casadi(
    casadi.Function(
        "arm", [angles], [casadi.vertcat(casadi.cos(angles[0]), casadi.sin(angles[0] + angles[1]))]
    ),
    [Arg("q", Vector(2), "rad", "angles")],
    [Arg("p", Vector(2), "1", "position")],
)
ARM_SLOPES = jacobian(ARM, "arm_slopes", ["p"], {"J": ["q"]})


@kernel(
    inputs=[X, Y, Arg("P", Symmetric(2), "m^2", "covariance")],
    outputs=[Arg("S", Symmetric(2), "mixed", "covariance of distance and bearing")],
    equation="",
    source="first order",
    definition=lambda x, y, P: _polar_covariance(x, y, P),
)
def covariance(x: Any, y: Any, P: Any) -> Any:
    """Covariance in polar coordinates."""
    H = SLOPES(x, y)
    return H @ P @ H.T


def _polar_covariance(x: Any, y: Any, P: Any) -> list[Any]:
    H = sympy.Matrix([[x, y], [-y / sympy.sqrt(x**2 + y**2), x / sympy.sqrt(x**2 + y**2)]])
    S = H * sympy.Matrix(P) * H.T / (x**2 + y**2)
    return [S[0, 0], S[0, 1], S[1, 1]]


def test_derivatives_of_a_sympy_kernel_are_a_matrix_in_a_formula() -> None:
    assert prove(covariance).status == "proven"
    check_units(covariance)


def test_a_casadi_kernel_and_its_derivatives_are_called_in_a_loop() -> None:
    @kernel(
        inputs=[Arg("q", Vector(2), "rad", "angles"), Arg("v", Vector(2), "rad", "change")],
        outputs=[Arg("p", Vector(2), "1", "position")],
        equation="",
        source="own",
        definition=_by_hand,
    )
    def along(q: Any, v: Any) -> Any:
        """A position after three linear steps."""
        return repeat(3, lambda p: p + ARM_SLOPES(q + v) @ v, ARM(q))

    looped = along.loops()
    assert looped is not None
    assert [part.turns for part in looped.loops] == [3]
    check_units(along)
    assert prove(along).status == "proven"


def _by_hand(q: Any, v: Any) -> list[Any]:
    """A position after three linear steps, in SymPy."""
    (a, b), (c, d) = list(q), list(v)
    return [
        sympy.cos(a) - 3 * sympy.sin(a + c) * c,
        sympy.sin(a + b) + 3 * sympy.cos(a + b + c + d) * (c + d),
    ]


@kernel(
    inputs=[Arg("q", Quaternion, "", "quaternion")],
    outputs=[Arg("s", REAL, "", "1/|q|")],
    equation="",
    source="own",
    failures={Status.ZERO_NORM: "q is zero"},
)
def scale(q: Any) -> Any:
    """The inverse norm."""
    square = q.w**2 + q.x**2 + q.y**2 + q.z**2
    return 1 / sqrt(select(require(square > 1e-6, Status.ZERO_NORM), square, 1))


SCALE_SLOPES = jacobian(scale, "scale_slopes", ["s"], {"J": ["q"]})


@kernel(
    inputs=[Arg("a", REAL, "", "number")],
    outputs=[Arg("y", REAL, "", "slope")],
    equation="",
    source="own",
    failures={Status.ZERO_NORM: "a is zero"},
)
def slope(a: Any) -> Any:
    """A slope with a requirement of its own."""
    return SCALE_SLOPES(Quaternion(a, 0, 0, 0))[0, 0]


def test_requirements_of_derivatives_are_those_of_the_formula(tmp_path: Path) -> None:
    generate([slope], Options(), tmp_path / "c")
    called = codegen.load(tmp_path / "c").f64.slope
    assert called(2.0).y == pytest.approx(-0.25)
    assert called(2.0).status == 0
    assert called(0.0).status == Status.ZERO_NORM
    assert "status" not in function(slope, F64, Options(checks=False)).body.statements[-1].c


def test_values_have_the_names_of_the_program() -> None:
    assert "H_01" in {s.name for s in function(covariance, F64, Options()).body.statements}


def test_units_of_a_called_kernel_are_checked() -> None:
    @kernel(inputs=[X, Y], outputs=[Arg("d", REAL, "s", "")], equation="", source="")
    def wrong(x: Any, y: Any) -> Any:
        return POLAR(x, y)[0]

    with pytest.raises(FeatherError, match="output d comes out in m, but its unit is s"):
        check_units(wrong)


def test_a_call_with_other_values_is_refused() -> None:
    with pytest.raises(FeatherError, match="kernel polar is called with 1 values, but takes x, y"):
        POLAR(1)
    pair = from_sympy("pair", [(Arg("z", Array((2,)), "m", ""), [x, y])], [(Arg("s", REAL, "m", ""), x + y)])
    with pytest.raises(FeatherError, match="kernel pair: z has 2 scalars, but is called with 3"):
        pair([1, 2, 3])
