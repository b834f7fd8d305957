"""Names of variables in C: those of the formula's locals, else from the operation; values are the same."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import codegen
from codegen.emit.body import Load
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.emit.render import declaration
from codegen.errors import FeatherError
from codegen.frontends.define import jacobian, kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.systems import F32, F64
from codegen.ir.types import POSITIVE, REAL
from codegen.loading.python_file import load_model
from codegen.modeling.bind import bind
from codegen.modeling.kernel import Kernel
from codegen.modeling.names import LONGEST_NAME, LONGEST_PREFIX, LONGEST_SYMBOL
from codegen.modeling.types.algebra import Vec3
from codegen.modeling.types.scalar import MIN, every, finite, require, select, sin
from codegen.tree.write import generate
from codegen.verify.verify import verify
from tests.conftest import GENERATED

X, Y, M = Arg("x", REAL, "m", "x"), Arg("y", REAL, "m", "y"), Arg("m", POSITIVE, "kg", "mass")
V = Arg("v", Vec3, "m/s", "velocity", "B")


def made(formula: Callable[..., Any], *inputs: Arg, outputs: int = 1) -> Kernel:
    results = [Arg(f"z{i}", REAL, "1", "result") for i in range(outputs)]
    return kernel(inputs=list(inputs), outputs=results, equation="z = f", source="test")(formula)


def variables(of: Kernel) -> list[str]:
    """The names of the values that the C computes."""
    return [s.name for s in function(of, F64, Options()).body.named if not isinstance(s, Load)]


def test_a_value_has_the_name_of_the_local_variable_that_holds_it() -> None:
    def power(x: Any, y: Any) -> Any:
        lift = sin(x) * y + 1
        return lift * lift

    assert variables(made(power, X, Y)) == ["lift"]


def _stretched(v: Vec3) -> Vec3:
    stretched = v + v
    return Vec3(sin(stretched.x), sin(stretched.y), sin(stretched.z))


def test_functions_that_are_called_give_names_and_the_outermost_name_counts() -> None:
    def bent(v: Vec3) -> tuple[Any, Any]:
        waves = _stretched(v)
        return waves.x * waves.x, waves.x + waves.y * waves.y

    assert variables(made(bent, V, outputs=2)) == ["waves_x", "waves_y"]


def test_what_has_no_local_variable_is_named_after_its_operation() -> None:
    def formula(x: Any, y: Any, m: Any) -> tuple[Any, ...]:
        return (1 - x) * sin(1 - x), (y / m) * sin(y / m), (x * y) / sin(x * y)

    found = variables(made(formula, X, Y, M, outputs=3))
    assert {"one_minus_x", "y_over_m", "x_y"} <= set(found)
    assert not [name for name in found if re.fullmatch(r"t\d+", name)]


def test_a_sum_is_in_no_other_name() -> None:
    """`y_minus_x_minus_m` could be y - x - m; x_minus_m_plus_y can only be (x - m) + y."""

    def formula(x: Any, y: Any, m: Any) -> tuple[Any, ...]:
        return (
            (y - (x - m)) * sin(y - (x - m)),
            (1 / (x - m)) * sin(1 / (x - m)),
            sin(x - m + y) * (x - m + y),
        )

    found = variables(made(formula, X, Y, M, outputs=3))
    assert {"x_minus_m", "x_minus_m_plus_y"} <= set(found)
    assert sum(bool(re.fullmatch(r"t\d+", name)) for name in found) == 2


def test_a_name_that_c_cannot_have_is_not_used() -> None:
    def formula(x: Any, y: Any) -> Any:
        double = sin(x) + y
        _hidden = sin(y) + x
        trailing_ = sin(x) * y
        return double * double + _hidden * _hidden + trailing_ * trailing_

    for name in variables(made(formula, X, Y)):
        assert name not in ("double", "_hidden", "trailing_")


def test_conditions_have_names() -> None:
    def formula(x: Any, m: Any) -> Any:
        heavy = require(every(finite(x), m > MIN, finite(x * m), finite(x + m)), Status.MASS)
        return select(heavy, x / select(heavy, m, 1), 0)

    assert "heavy" in variables(made(formula, X, M))


def test_derivatives_and_bound_kernels_have_the_names_of_the_formula() -> None:
    def formula(x: Any, y: Any) -> Any:
        lift = sin(x) * y + 1
        return lift * lift * lift

    cubed = made(formula, X, Y)
    assert "lift" in variables(jacobian(cubed, "slope", ["z0"], {"dz": ["x"]}))
    assert "lift" in variables(bind(cubed, {"y": (3,)}))  # type: ignore[dict-item]


def test_names_change_no_value() -> None:
    def plain(x: Any, y: Any) -> Any:
        return (sin(x) * y + 1) * (sin(x) * y + 1)

    def named(x: Any, y: Any) -> Any:
        lift = sin(x) * y + 1
        return lift * lift

    for precision in (F32, F64):
        programs = [function(made(f, X, Y), precision, Options()).program for f in (plain, named)]
        assert programs[0].nodes == programs[1].nodes


def test_who_watches_the_calls_of_python_still_does_afterwards() -> None:
    def watching(*_: Any) -> None:
        return None

    def formula(x: Any) -> Any:
        wave = sin(x)
        return wave * wave

    before = sys.getprofile()
    sys.setprofile(watching)
    try:
        variables(made(formula, X))
        assert sys.getprofile() is watching
    finally:
        sys.setprofile(before)


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_few_variables_of_the_library_are_only_numbered(precision: str) -> None:
    """A quarter of them were."""
    text = "".join(p.read_text() for p in GENERATED.glob(f"fc_*_{precision}.c"))
    declared = re.findall(r"^ +const (?:float|double|int) (\w+) = (.*)", text, re.MULTILINE)
    loads = re.compile(r"\w+->[\w.\[\]]+;|\w+\[\d+\];")
    names = [name for name, value in declared if not loads.fullmatch(value)]
    numbered = [name for name in names if re.fullmatch(r"t\d+", name)]
    assert len(names) > 3000
    assert len(numbered) < len(names) / 10


LONGEST = f"{'wind_from_airspeed_and_sideslip_' * 4}"[:-1] + "s"
"""A name with as many characters as one may have."""


def test_a_name_may_be_as_long_as_compilers_tell_apart(tmp_path: Path) -> None:
    """Two kernels and two arguments that differ in their last letter only."""
    (tmp_path / "mine.py").write_text(
        "from codegen import *\n"
        f"a, b = (Arg('{LONGEST[:-1]}' + x, REAL, 'm', '') for x in 'ab')\n"
        "y = [Arg('y', REAL, 'm', '')]\n"
        + "".join(
            f"@kernel(inputs=[a, b], outputs=y, equation='', source='')\n"
            f"def {LONGEST[:-1]}{end}({LONGEST[:-1]}a, {LONGEST[:-1]}b):\n"
            f"    return {LONGEST[:-1]}a {sign} {LONGEST[:-1]}b\n"
            for end, sign in (("p", "+"), ("m", "-"))
        )
    )
    kernels = list(load_model(tmp_path / "mine.py").values())
    assert {len(k.name) for k in kernels} == {LONGEST_NAME}
    prefix = "p" * (LONGEST_PREFIX - 1) + "_"
    generate(kernels, Options(prefix=prefix, gitattributes=True), tmp_path / "c")
    assert all(row.ok for row in verify(tmp_path / "c", {k.name: k for k in kernels}))
    symbols = [f.symbol for k in kernels for f in [function(k, F32, Options(prefix=prefix))]]
    assert max(map(len, symbols)) <= LONGEST_SYMBOL
    functions = codegen.load(tmp_path / "c").f64
    assert [getattr(functions, k.name)(5.0, 3.0)[0] for k in kernels] == [8.0, 2.0]


def test_parameters_of_a_long_name_stay_on_the_page() -> None:
    head, first, last = declaration((f"void {LONGEST}", ["double x" * 5, "double *y" * 8]), "").splitlines()
    assert head == f"void {LONGEST}("
    assert (first, last) == (" " * 8 + "double x" * 5 + ",", " " * 8 + "double *y" * 8 + ")")


def test_a_name_that_is_too_long_says_why() -> None:
    longer = kernel(inputs=[X], outputs=[Y], equation="y = x", source="", name=f"{LONGEST}x")(lambda x: x)
    with pytest.raises(FeatherError, match=f"kernel {LONGEST}x: .* it is longer than 128 characters, and "):
        function(longer, F32, Options())
