"""What an equation states is compared with the formula, or it is said that it is not."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from codegen import (
    POSITIVE,
    REAL,
    Arg,
    Matrix,
    Rotation,
    State,
    SymMat3,
    Symmetric,
    Vec3,
    Vector,
    block,
    ceil,
    expm1,
    hypot,
    kernel,
    log1p,
    modulo,
    record,
    select,
    sin,
)
from codegen.library import library
from codegen.modeling.equations.uncompared import misread_equations, uncompared
from codegen.modeling.equations.unread import unread
from codegen.modeling.kernel import Kernel
from codegen.proof.proof import prove
from tests.conftest import Featherc

V = Arg("v", Vec3, "1", "velocity")
S = Arg("s", POSITIVE, "1", "size")
X = Arg("x", REAL, "1", "number")
UNKNOWN = "neither an argument nor defined by an equation"


def made(equation: str, inputs: list[Arg], outputs: list[Arg], formula: Any) -> Kernel:
    formula.__doc__ = "A test."
    return kernel(inputs=inputs, outputs=outputs, equation=equation, source="a test", name="f")(formula)


def status(equation: str, inputs: list[Arg], outputs: list[Arg], formula: Any) -> str:
    return prove(made(equation, inputs, outputs, formula)).status


@pytest.mark.parametrize(
    ("equation", "is_right"),
    [
        ("F_B = v; F_B_x = v_x", True),
        ("F_B = v; F_B_x = 2 v_x", False),
        ("F_B = v; F_B_z = v_y", False),
        ("F_B_x = v_x; F_B_y = v_y; F_B_z = v_z", True),
    ],
)
def test_a_component_that_is_stated_besides_its_vector_is_compared(equation: str, is_right: bool) -> None:
    found = status(equation, [V], [Arg("F_B", Vec3, "1", "force", "B")], lambda v: v)
    assert found == ("proven" if is_right else "failed: the equation in its documentation does not hold")


@pytest.mark.parametrize(
    ("equation", "is_right"),
    [("u = q; u_1 = q[1]", True), ("u = q; u_1 = q[2]", False), ("u' = q; u_1 = q[2]", True)],
)
def test_so_is_an_element_of_a_vector_of_any_size(equation: str, is_right: bool) -> None:
    outputs = [Arg("u_next" if "'" in equation else "u", Vector(4), "1", "commands")]
    found = status(equation, [Arg("q", Vector(4), "1", "numbers")], outputs, lambda q: q)
    assert found.startswith("proven" if is_right else "failed")


Point = record(
    "stated_point", "a point", [Arg("p_N", Vec3, "m", "place", "N"), Arg("h", REAL, "m", "height")]
)
Route = record(
    "stated_route", "two points", [Point.argument("start", "first"), Point.argument("end", "last")]
)


@pytest.mark.parametrize(
    ("equation", "is_right"),
    [
        ("d_p_N = b_p_N - a_p_N; d_h = b_h - a_h", True),
        ("d_p_N = b_p_N - a_p_N; d_h = a_h - b_h", False),
        ("d_p_N = b_p_N - a_p_N; d_h = b_h - a_h; d_p_N_x = 0", False),
        ("d_p_N = [b_p_N_x - a_p_N_x, b_p_N_y - a_p_N_y, b_p_N_z - a_p_N_z]; d_h = b_h - a_h", True),
        (
            "d_p_N_x = b_p_N_x - a_p_N_x; d_p_N_y = b_p_N_y - a_p_N_y; d_p_N_z = b_p_N_z - a_p_N_z; "
            "d_h = b_h - a_h",
            True,
        ),
        ("d = b - a; d_h = b_h + a_h", False),
    ],
)
def test_the_parts_of_a_record_go_by_its_name_and_theirs(equation: str, is_right: bool) -> None:
    """So that those of two records of one type can be told from each other."""
    inputs = [Point.argument("a", "first"), Point.argument("b", "second")]

    def difference(a: Any, b: Any) -> Any:
        return Point.of([*(b.p_N - a.p_N), b.h - a.h])

    found = status(equation, inputs, [Point.argument("d", "difference")], difference)
    assert found.startswith("proven" if is_right else "failed")


@pytest.mark.parametrize(("part", "is_right"), [("end_h", True), ("start_h", False), ("end_p_N_z", False)])
def test_so_do_those_of_a_record_in_a_record(part: str, is_right: bool) -> None:
    found = status(
        f"y = route_{part}",
        [Route.argument("route", "route")],
        [Arg("y", REAL, "m", "height")],
        lambda route: route.end.h,
    )
    assert found.startswith("proven" if is_right else "failed")


@pytest.mark.parametrize(
    ("equation", "expected"),
    [
        ("[a, b] = [v, s]", "proven"),
        ("[b, a] = [s, v]", "proven"),
        ("[a, b] = [v, -s]", "failed: formula and equation differ in output scalar 3"),
    ],
)
def test_a_column_of_results_is_taken_apart_by_their_sizes(equation: str, expected: str) -> None:
    outputs = [Arg("a", Vec3, "1", "vector"), Arg("b", REAL, "1", "number")]
    assert status(equation, [V, S], outputs, lambda v, s: (v, s)) == expected


@pytest.mark.parametrize(
    ("equation", "expected"),
    [
        ("s a = x; b = 2", "certified numerically"),
        ("s a = -x; b = 2", "failed: the equation in its documentation does not hold"),
        ("s a + b = x + 2; b - s a = 2 - x", "certified numerically"),
        ("s a + b = x + 2", "own formula only"),
        ("s a - x + b = s a - x + b", "own formula only"),
    ],
)
def test_an_equation_that_conditions_the_results_is_a_form_where_it_determines_them(
    equation: str, expected: str
) -> None:
    outputs = [Arg("a", REAL, "1", "quotient"), Arg("b", REAL, "1", "number")]
    assert status(equation, [X, S], outputs, lambda x, s: (x / s, 2)).partition(" at ")[0] == expected


@pytest.mark.parametrize(
    ("equation", "names"),
    [
        ("F_B = 2 v; z = 3 v", ["z"]),
        ("F_B = 2 v; F = 3 v", ["F"]),
        ("F_B = 2 v; f(q) = 3 q; z = f(v)", ["f", "z"]),
        ("F_B = [a, b, c]; [a, b, c] = 2 v", []),
        ("F_B = [a, b, 2 v_z]; [a, b, c] = 2 v", []),
        ("F_B = 2 v; [a, b, c] = 2 v", ["a", "b", "c"]),
        ("F_B = 2 v; v = [a, b, c]", ["a", "b", "c"]),
        ("F_B = 2 [a, b, v_z]; v = [a, b, c]", []),
        ("F_B = c v; c = 2", []),
        ("F_B = 2 v; c = 2; c v_x = F_B_x", []),
    ],
)
def test_what_no_result_depends_on_is_said_to_be_stated_only(equation: str, names: list[str]) -> None:
    model = made(equation, [V], [Arg("F_B", Vec3, "1", "force", "B")], lambda v: v * 2)
    assert prove(model).status == "proven"
    assert unread(model) == names
    if names:
        those = " and ".join(", ".join(names).rsplit(", ", 1))
        said = f"{those} is stated, not compared with the formula: no result depends on it"
        assert list(misread_equations([model])) == [f"{model.name}: what its equation says of {said}"]
        assert uncompared(model) == f"What the equation says of {said}."
    else:
        assert uncompared(model) == ""


def test_every_equation_of_the_library_is_needed() -> None:
    assert {name: unread(k) for name, k in library().items() if unread(k)} == {}


def test_a_formula_without_values_is_not_called_tested() -> None:
    """Its matrix is singular whatever the inputs are, so that no form could be compared with it."""

    def solved(v: Any) -> Any:
        A = Matrix.from_rows([[v.x, v.y, v.y], [v.x, v.z, v.z], [v.z, 1, 1]])
        return A.solve(v)

    found = status("u = 7 v", [V], [Arg("u", Vector(3), "1", "solution")], solved)
    assert found == "failed: formula has no value at any point that was tried: a division by zero"


@pytest.mark.parametrize(
    ("formula", "equation", "wrong"),
    [
        (lambda x, s: modulo(x, s), "y = modulo(x, s)", "y = x - s floor(x / s + 1)"),
        (lambda x, s: ceil(x), "y = ceil(x)", "y = floor(x) + 1"),
        (lambda x, s: hypot(x, s), "y = hypot(x, s)", "y = hypot(x, 2 s)"),
        (lambda x, s: expm1(x), "y = expm1(x)", "y = exp(x)"),
        (lambda x, s: log1p(s), "y = log1p(s)", "y = log(s)"),
        (
            lambda x, s: modulo(x, s),
            "y = modulo(x, s); modulo(a, b) = a - b floor(a / b)",
            "y = modulo(s, x)",
        ),
    ],
)
def test_an_equation_has_the_functions_that_formulas_have(formula: Any, equation: str, wrong: str) -> None:
    outputs = [Arg("y", REAL, "1", "result")]
    assert status(equation, [X, S], outputs, formula) == "proven"
    assert status(wrong, [X, S], outputs, formula).startswith("failed")


@pytest.mark.parametrize(
    ("kind", "initial", "equation"),
    [
        (Symmetric(3), [4, 0, 0, 4, 0, 9], "z = diag(4, 4, 9)"),
        (Symmetric(2), ["1/2", 1, 3], "z = [[0.5, 1], [1, 3]]"),
        (Matrix(2, 3), [1, 2, 3, 4, 5, 6], "z = [[1, 2, 3], [4, 5, 6]]"),
        (Matrix(1, 2), [1, 2], "z = [[1, 2]]"),
        (Vector(2), [1, 2], "z = [1, 2]"),
        (Rotation, [1, 0, 0, 0, 1, 0, 0, 0, 1], "z = diag(1, 1, 1)"),
        (SymMat3, [1, 2, 3, 4, 5, 6], "z = [[1, 2, 3], [2, 4, 5], [3, 5, 6]]"),
        (Point, [1, 2, 3, 4], "z = [1, 2, 3, 4]"),
        (REAL, "1/3", "z = (1 / 3)"),
    ],
)
def test_the_initial_value_of_a_state_of_any_type_is_proven(kind: Any, initial: Any, equation: str) -> None:
    def same(z: Any, dt: Any) -> Any:
        """A state that stays."""
        return z

    exact = [Fraction(x) for x in initial] if isinstance(initial, list) else Fraction(initial)
    states = [State("z", kind, "any", "a state", initial=exact)]
    kept = block(states=states, inputs=[], outputs=[], equation="z' = z", source="a test")(same)
    assert kept.init.equation == equation
    assert prove(kept.init).status == "proven"


@pytest.mark.parametrize(
    ("equation", "expected"),
    [
        ("y = s x[1]^2 + x[0]", "proven"),
        ("y = s x[0]^2 + x[1]", "failed"),
        ("y = -(v x [0, x[1], 0])[0]; v = [0, 0, s x[1]] + [0, 0, x[0] / x[1]]", "proven"),
        ("y = -(v x x[2:5])[0]; v = [0, 0, 1]", "failed"),
    ],
)
def test_a_state_x_has_elements_in_products(equation: str, expected: str) -> None:
    """It is the most common name of a state, and the sign of the cross product."""
    inputs = [Arg("x", Vector(5), "1", "state"), S]
    found = status(equation, inputs, [Arg("y", REAL, "1", "sum")], lambda x, s: s * x[1] ** 2 + x[0])
    assert found.startswith(expected)


@pytest.mark.parametrize(
    ("condition", "formula"),
    [
        ("|x| > s", lambda x, s, c: (abs(x), s)),
        ("c x + 1 > s", lambda x, s, c: (c * x + 1, s)),
        ("|x / s| > 1", lambda x, s, c: (abs(x / s), 1)),
        ("sqrt(x^2 + s^2) > c", lambda x, s, c: (hypot(x, s), c)),
        ("sin(x) + s > c", lambda x, s, c: (sin(x) + s, c)),
    ],
)
def test_a_limit_that_is_an_input_belongs_to_one_side(condition: str, formula: Any) -> None:
    """At equal sides, which random points do not have, the result is that of one of the two."""

    def strict(x: Any, s: Any, c: Any) -> Any:
        left, right = formula(x, s, c)
        return select(left > right, 1, 0)

    def wide(x: Any, s: Any, c: Any) -> Any:
        left, right = formula(x, s, c)
        return select(left >= right, 1, 0)

    inputs, outputs = [X, S, Arg("c", REAL, "1", "limit")], [Arg("y", REAL, "1", "whether it is above")]
    equation = f"y = {{1 if {condition}, 0 otherwise}}"
    assert not status(equation, inputs, outputs, strict).startswith("failed")
    assert status(equation, inputs, outputs, wide) == "failed: formula and equation differ in output scalar 0"


@pytest.mark.parametrize(
    ("unless", "results", "said"),
    [
        ("y > 1", "x = 0", ""),
        (
            "z > 1",
            "y = 0",
            "the condition of DEGENERATE: z is neither an argument nor defined by an equation",
        ),
        ("x > 1", "y = z", "the results of DEGENERATE: z is neither an argument nor defined by an equation"),
        (
            "x > 1",
            "y = [x, 1, x]",
            "the results of DEGENERATE: a vector of 3 stands where a scalar is needed",
        ),
    ],
)
def test_a_failure_that_makes_no_sense_is_refused_before_anything_is_written(
    unless: str, results: str, said: str, featherc: Featherc, place: Path
) -> None:
    """verify refused the model that generate had accepted."""
    (place / "mine.py").write_text(f"""
from codegen import REAL, Arg, Failure, Status, kernel, require, select

@kernel(
    inputs=[Arg("x", REAL, "1", "number")],
    outputs=[Arg("y", REAL, "1", "number")],
    equation="y = x",
    source="a test",
    failures={{Status.DEGENERATE: Failure("{unless}", "{results}")}},
)
def f(x):
    \"\"\"A number above 1.\"\"\"
    return select(require(x > 1, Status.DEGENERATE), x, 0)
""")
    generated = featherc("generate", "--model", "mine.py", "-o", "c")
    assert generated.code == (2 if said else 0)
    assert generated.err == (f"featherc: kernel f: {said}\n" if said else "")
    assert (place / "c").exists() is not bool(said)


@pytest.mark.parametrize(
    ("definition", "is_right"),
    [
        ("u = 2 v; |u| = 2 |v|", True),
        ("u = 2 v; |u| = 3 |v|", False),
        ("u = 2 v = v + v", True),
        ("u = 2 v = 3 v", False),
        ("u = 2 v; u_x = 2 v_y", False),
        ("u = 2 v; 0 <= |u|", True),
        ("u = 2 v; 1 <= |u|", False),
    ],
)
def test_all_that_a_definition_states_is_compared(definition: str, is_right: bool) -> None:
    def f(v: Any) -> Any:
        """Twice the vector."""
        return v * 2

    outputs = [Arg("u", Vec3, "1", "vector")]
    model = kernel(inputs=[V], outputs=outputs, equation="", source="a test", definition=definition)(f)
    expected = "failed: its definition states more than the results, which does not hold"
    assert prove(model).status == ("proven" if is_right else expected)


PLACE = record("place", "a place", [Arg("p", Vec3, "1", "position"), Arg("h", REAL, "1", "height")])
BOTH = [Arg("F", Vec3, "1", "force"), Arg("T", REAL, "1", "energy")]


@pytest.mark.parametrize(
    ("equation", "verdict", "omitted"),
    [
        ("F = s v", "proven in part: T has the own formula only", "T (no equation defines T)"),
        ("F = -s v", "failed: formula and equation differ in output scalar 0", "T (no equation defines T)"),
        ("T = s v.v", "proven in part: F has the own formula only", "F (no equation defines F)"),
        (
            "T = 2 s v.v",
            "failed: formula and equation differ in output scalar 3",
            "F (no equation defines F)",
        ),
        ("T = s v.u; F = s v", "proven in part: T has the own formula only", f"T (u is {UNKNOWN})"),
        ("F = s v; F_x = s v_x", "proven in part: T has the own formula only", "T (no equation defines T)"),
        (
            "F = s v; F_x = s v_y",
            "failed: the equation in its documentation does not hold",
            "T (no equation defines T)",
        ),
        ("F = s v; T = s v.v", "proven", ""),
    ],
)
def test_the_results_that_an_equation_gives_are_compared(equation: str, verdict: str, omitted: str) -> None:
    own = made(equation, [V, S], BOTH, lambda v, s: (s * v, s * v.dot(v)))
    assert prove(own).status == verdict
    said = f"The equation is compared with the formula, except for {omitted}." if omitted else ""
    assert uncompared(own) == said
    assert list(misread_equations([own])) == ([f"f: its {said[4:-1]}"] if said else [])


def test_the_members_of_a_record_that_an_equation_gives_are_compared() -> None:
    out = [PLACE.argument("y", "place")]
    for equation, verdict in (
        ("y_p = s v", "proven in part: h has the own formula only"),
        ("y_p = 2 s v", "failed: formula and equation differ in output scalar 0"),
        ("y_h = 2 s", "failed: formula and equation differ in output scalar 3"),
    ):
        assert status(equation, [V, S], out, lambda v, s: PLACE(s * v, s)).startswith(verdict)  # type: ignore[call-arg]


def test_results_that_another_form_gives_are_proven() -> None:
    """An equation of some results takes nothing from the proof of all by a definition."""
    decorate = kernel(
        inputs=[X],
        outputs=[Arg("y", REAL, "1", ""), Arg("z", REAL, "1", "")],
        equation="y = 2 x",
        source="a test",
        name="f",
        definition=lambda x: [2 * x, 3 * x],
    )
    assert prove(decorate(lambda x: (x + x, 3 * x))).status == "proven"
