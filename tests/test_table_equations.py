"""Equations that call tables: what a header shows of a model with tables is compared with its formula."""

from __future__ import annotations

from typing import Any

import pytest

from codegen import AT_RUN_TIME, REAL, Arg, Axis, State, Table, block, jacobian, kernel, repeat
from codegen.emit.options import Options
from codegen.modeling.equations.uncompared import why_uncompared
from codegen.modeling.kernel import Kernel
from codegen.proof.proof import prove
from codegen.tree.assemble import render_tree

AXES = {
    "alpha": Axis([-10, 0, 10, 30], "deg", "angle of attack"),
    "de": Axis([-20, 0, 20], "deg", "elevator"),
}
DATA = [[1, 2, 5], [3, 7, 4], [6, 8, 9], [0, 2, 1]]
INPUTS = [Arg("alpha", REAL, "deg", "angle of attack"), Arg("de", REAL, "deg", "elevator")]
MOMENT = [Arg("M", REAL, "1", "moment")]
EQUATION = "M = 2 C_m(alpha, d) - C_q(alpha); d = 3 de"

C_q = Table("C_q", {"alpha": AXES["alpha"]}, [1, 4, 2, 3], unit="1", doc="damping")


def model(table: Table, equation: str = EQUATION) -> Kernel:
    """A moment by two tables, the first of which may be given at run time."""
    inputs = [*INPUTS, table.argument] if table.is_given else INPUTS
    a_kernel = kernel(inputs=inputs, outputs=MOMENT, equation=equation, source="a test")

    def moment(alpha: Any, de: Any) -> Any:
        """A moment."""
        return 2 * table(alpha, 3 * de) - C_q(alpha)

    def moment_of(alpha: Any, de: Any, C_m: Any) -> Any:
        """A moment."""
        return 2 * C_m(alpha, 3 * de) - C_q(alpha)

    return a_kernel(moment_of if table.is_given else moment)


def known(**options: Any) -> Table:
    return Table("C_m", AXES, DATA, unit="1", doc="coefficient", **options)


GIVEN = Table("C_m", AXES, AT_RUN_TIME, unit="1", doc="coefficient")
WAYS = [(outside, method) for outside in ("hold", "extrapolate", "flag") for method in ("linear", "cubic")]
TABLES = {f"{o} {m}": known(outside=o, method=m) for o, m in WAYS} | {"given": GIVEN}


@pytest.mark.parametrize("table", TABLES)
def test_an_equation_that_calls_tables_is_compared(table: str) -> None:
    proof = prove(model(TABLES[table]))
    assert (proof.status, "equation" in proof.ways) == ("proven", True)


@pytest.mark.parametrize("table", ["hold linear", "extrapolate cubic", "given"])
@pytest.mark.parametrize(
    "wrong",
    [
        "M = 2 C_m(d, alpha) - C_q(alpha); d = 3 de",
        "M = 2 C_m(alpha, de) - C_q(alpha)",
        "M = 2 C_m(alpha, d) - C_q(d); d = 3 de",
        "M = 2 C_m(alpha, d) + C_q(alpha); d = 3 de",
        "M = 2 C_m(alpha, d) - C_q(alpha); d = 3 de; C_q(x) = x",
    ],
)
def test_a_wrong_equation_that_calls_tables_is_found(wrong: str, table: str) -> None:
    assert prove(model(TABLES[table], wrong)).status.startswith("failed")


@pytest.mark.parametrize(
    ("equation", "why"),
    [
        ("M = 2 C_n(alpha, de)", "C_n is no function of the notation, nor a table of this name that"),
        ("M = 2 C_m(alpha)", "table C_m is looked up with 1 values for alpha, de"),
        ("M = 2 C_m([alpha, de], 1)", "a scalar is expected, not a vector of 2"),
    ],
)
@pytest.mark.parametrize("table", ["hold linear", "given"])
def test_what_is_no_look_up_is_not_compared(equation: str, why: str, table: str) -> None:
    assert why in why_uncompared(model(TABLES[table], equation))


def test_derivatives_of_a_model_with_tables_are_proven() -> None:
    slopes = jacobian(model(known()), "slopes", ["M"], {"dM": ["alpha", "de"]})
    assert prove(slopes).status == "proven"


@pytest.mark.parametrize(
    ("equation", "lines"),
    [
        ("M = 2 C_m(alpha, d) -\n  C_q(alpha); d = 3 de", ["M = 2 C_m(alpha, d) - C_q(alpha)", "d = 3 de"]),
        ("M = 2 C_m(alpha, d) - C_q(alpha)\n\n d = 3 de\n", ["M = 2 C_m(alpha, d) - C_q(alpha)", "d = 3 de"]),
        ("M = 2 a - C_q(alpha), a = C_m(alpha,\n 3 de)", ["M = 2 a - C_q(alpha), a = C_m(alpha, 3 de)"]),
        ("M = a;a = f(1);f(x) = x de", ["M = a", "a = f(1)", "f(x) = x de"]),
        ("M is read\nfrom C_m; as it is", ["M is read from C_m", "as it is"]),
    ],
)
def test_each_equation_stands_on_a_line_of_its_own_in_the_header(equation: str, lines: list[str]) -> None:
    tree = render_tree([model(known(), equation)], Options())
    text = next(str(text) for text in tree.values() if " * A moment." in str(text))
    found = text[text.index("A moment.") :].splitlines()
    assert [line.removeprefix(" *     ") for line in found[2 : 2 + len(lines)]] == lines
    assert found[2 + len(lines)] == " *"


def test_tables_of_a_block_are_functions_of_its_equation() -> None:
    gain = Table("gain", {"V": Axis([0, 10, 30], "m/s", "speed")}, AT_RUN_TIME, unit="1/s", doc="gain")

    def scheduled(equation: str) -> Kernel:
        @block(
            states=[State("total", REAL, "rad", "sum of errors")],
            inputs=[Arg("V", REAL, "m/s", "speed"), Arg("e", REAL, "rad", "error")],
            outputs=[Arg("u", REAL, "rad", "command")],
            parameters=[gain.argument],
            sample_time="1/100",
            equation=equation,
            source="a test",
        )
        def controller(total: Any, V: Any, e: Any, gain: Any, dt: Any) -> Any:
            """A controller."""
            return total + gain(V) * dt * e, C_q(V) * total

        return controller.step

    right, wrong = (
        "u = C_q(V) total; total' = total + gain(V) dt e",
        "u = C_q(V) total; total' = total + gain(V) e",
    )
    assert prove(scheduled(right)).status == "proven"
    assert prove(scheduled(wrong)).status.startswith("failed")


def test_a_table_that_raises_a_flag_beside_a_loop_is_proven() -> None:
    """The Program of each part has the condition of the flag."""

    @kernel(inputs=INPUTS, outputs=MOMENT, equation="M = C_f(alpha) + de^4", source="a test")
    def moment(alpha: Any, de: Any) -> Any:
        """A moment."""
        return C_f(alpha) + repeat(3, lambda power: power * de, de)

    C_f = Table("C_f", {"alpha": AXES["alpha"]}, [1, 4, 2, 3], unit="1", doc="damping", outside="flag")
    assert prove(moment).status == "proven"
