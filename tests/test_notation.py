"""The notation of equations: what each construct means, what is refused, and how it is printed."""

# ruff: noqa: RUF001 - mathematical signs are meant

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from codegen.errors import FeatherError
from codegen.frontends.define import kernel
from codegen.frontends.from_sympy import notation_table
from codegen.ir.program import Arg, input_scalars
from codegen.ir.types import POSITIVE, REAL, Array
from codegen.library import library
from codegen.modeling.equations import textbook
from codegen.modeling.equations.prose_formulas import laid_out_in_prose
from codegen.modeling.equations.textbook import equation_program
from codegen.modeling.types.algebra import Inertia, Motion, Quaternion, Rotation, SymMat3, Transform, Vec3
from codegen.modeling.types.records import record
from codegen.modeling.types.scalar import clip
from codegen.notation import functions
from codegen.notation.blocks import Block, column, scalar
from codegen.notation.latex import latex
from codegen.notation.layout import Row, Symbol
from codegen.notation.mathml import in_line, markup
from codegen.notation.meaning import Meaning
from codegen.notation.prose import pieces
from codegen.notation.reader import apart, read
from codegen.notation.unicode import line
from codegen.passes import REGISTERS, SEARCH, SMALL_PASSES
from codegen.proof.derivation import stated
from codegen.proof.proof import prove
from codegen.provenance.shown import prose, rows
from tests.test_fuzz import both

TABLE: Mapping[str, Any] = {
    "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "sin": np.sin, "cos": np.cos, "atan2": np.arctan2,
    "abs": abs, "min": min, "max": max,
    "number": float, "constant": {"pi": np.pi}.__getitem__,
    "select": lambda condition, a, b: a if condition else b,
}  # fmt: skip

ARGUMENTS = [
    Arg("a_B", Vec3, "1", "a"), Arg("b_B", Vec3, "1", "b"), Arg("q_AB", Quaternion, "1", "q"),
    Arg("R_AB", Rotation, "1", "R"), Arg("J_B", SymMat3, "kg m^2", "J"), Arg("T_AC", Transform, "any", "T"),
    Arg("I_1", Inertia, "any", "I"), Arg("V", Motion, "any", "V"), Arg("k", REAL, "1", "k"),
    Arg("list", Array((5,)), "1", "list"),
]  # fmt: skip


def test_a_value_with_a_sign_keeps_its_parentheses(values: dict[str, Block]) -> None:
    (row,) = prose(None, "`a + (-b) c - (-(d))`")
    assert isinstance(row, Row)
    assert line(row) == "a + (-b) c - (-d)"
    assert np.allclose(value("k + (-k) - (-1)", values), 1)


@pytest.mark.parametrize("rule", [p.rule for p in (*SMALL_PASSES, SEARCH, REGISTERS)])
def test_the_two_sides_of_the_rule_of_a_pass_are_printed_differently(rule: str) -> None:
    printed = [line(part) for part in prose(None, rule) if isinstance(part, Row)]
    assert len(set(printed)) == len(printed) == sum(p.is_formula for p in pieces(rule))


LINES = """p = a b;
      g(i) = {d[i] + e[i] if |m[i]| < u, d[i] otherwise}; u = {};
      y = a # b"""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (LINES, "in 'y = a # b': '# b' is no notation for equations"),
        (
            LINES.replace(" # ", " "),
            "in 'g(i) = {d[i] + e[i] if |m[i]| < u, d[i] otherwise}': after 'g(i) = {d[i', a whole number",
        ),
        ("y = a;\n   z = (b\n", "in 'z = (b': after 'z = (b', ')' is expected"),
        ("y = ", "in 'y =': after 'y =', a value is expected, not 'end'"),
    ],
)  # fmt: skip
def test_a_message_quotes_the_line_at_fault(text: str, says: str) -> None:
    with pytest.raises(FeatherError, match=f"^{re.escape(says)}"):
        read(text)


def test_equations_that_cannot_be_read_are_apart_as_they_are_written() -> None:
    assert apart(LINES) == (
        "p = a b", "g(i) = {d[i] + e[i] if |m[i]| < u, d[i] otherwise}", "u = {}", "y = a # b",
    )  # fmt: skip
    assert apart("the sum of\n    all; y is 1") == ("the sum of all", "y is 1")


@pytest.fixture(scope="module")
def values() -> dict[str, Block]:
    scalars = np.random.default_rng(7).uniform(-2, 2, sum(a.size for a in ARGUMENTS))
    return textbook.arguments(ARGUMENTS, list(scalars), TABLE)


def value(text: str, known: Mapping[str, Block]) -> Any:
    """The value of an expression, or of `result` in equations, as NumPy has it."""
    text = text if "result =" in text else f"result = {text}"
    found = np.array(Meaning(read(text), known, TABLE).value("result").rows, dtype=float)
    return found[0, 0] if found.shape == (1, 1) else found[:, 0] if found.shape[1] == 1 else found


def skew(v: Any) -> Any:
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def turned(axis: int, angle: float) -> Any:
    """The rotation by an angle, from the exponential series."""
    generator, term, total = skew(np.eye(3)[axis] * angle), np.eye(3), np.eye(3)
    for n in range(1, 40):
        term = term @ generator / float(n)
        total = total + term
    return total


MEANINGS: dict[str, Callable[..., Any]] = {
    "a_B + 2 b_B - b_B / 4": lambda a, b, q, R, J, k: a + 2 * b - b / 4,
    "result = k x + x x a + f(x); f(v) = 2 v, x = b": lambda a, b, q, R, J, k: k * b + np.cross(b, a) + 2 * b,
    "-a x b": lambda a, b, q, R, J, k: -np.cross(a, b),
    "a.b": lambda a, b, q, R, J, k: a @ b,
    "2 k a.b": lambda a, b, q, R, J, k: 2 * k * (a @ b),
    "k a x J b": lambda a, b, q, R, J, k: np.cross(k * a, J @ b),
    "(a.b) a - a x (a x b)": lambda a, b, q, R, J, k: (a @ b) * a - np.cross(a, np.cross(a, b)),
    "R^T J R": lambda a, b, q, R, J, k: R.T @ J @ R,
    "J^-1 a": lambda a, b, q, R, J, k: np.linalg.solve(J, a),
    "adj(J)": lambda a, b, q, R, J, k: np.linalg.det(J) * np.linalg.inv(J),
    "det(R) tr(J) - J_xy J_zz": lambda a, b, q, R, J, k: np.linalg.det(R) * np.trace(J) - J[0, 1] * J[2, 2],
    "a~ b~": lambda a, b, q, R, J, k: skew(a) @ skew(b),
    "vee(R - R^T)": lambda a, b, q, R, J, k: np.array(
        [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]
    ),
    "a b^T": lambda a, b, q, R, J, k: np.outer(a, b),
    "1 + 2 R": lambda a, b, q, R, J, k: np.eye(3) + 2 * R,
    "(a.b) 1 - J": lambda a, b, q, R, J, k: (a @ b) * np.eye(3) - J,
    "[[J, a~], [0, k 1]]": lambda a, b, q, R, J, k: np.block(
        [[J, skew(a)], [np.zeros((3, 3)), k * np.eye(3)]]
    ),
    "[k, a]": lambda a, b, q, R, J, k: np.array([k, *a]),
    "cols(a, b, a x b)": lambda a, b, q, R, J, k: np.column_stack([a, b, np.cross(a, b)]),
    "rows(a, b)": lambda a, b, q, R, J, k: np.array([a, b]),
    "diag(a) b": lambda a, b, q, R, J, k: a * b,
    "|a| - |k| + |a - b| |b|": lambda a, b, q, R, J, k: (
        np.linalg.norm(a) - abs(k) + np.linalg.norm(a - b) * np.linalg.norm(b)
    ),
    "R[2, 1] + R[0:2, 1:3][1, 0] - a[2]": lambda a, b, q, R, J, k: R[2, 1] + R[1, 1] - a[2],
    "q_v x a + q_w a - q_z b": lambda a, b, q, R, J, k: np.cross(q[1:], a) + q[0] * a - q[3] * b,
    "q^*": lambda a, b, q, R, J, k: q * [1, -1, -1, -1],
    "q (x) q^*": lambda a, b, q, R, J, k: np.array([q @ q, 0, 0, 0]),
    "k^3 + R[0, 0]^2": lambda a, b, q, R, J, k: k**3 + R[0, 0] ** 2,
    "R^2": lambda a, b, q, R, J, k: R @ R,
    "(1 + k^2)^(7/2) - 2 (1 + k^2)^(2/7)": lambda a, b, q, R, J, k: (
        (1 + k**2) ** 3.5 - 2 * (1 + k**2) ** (2 / 7)
    ),
    "k^(4/2)": lambda a, b, q, R, J, k: k**2,
    "Rx(k) Ry(2 k) Rz(pi / 3)": lambda a, b, q, R, J, k: (
        turned(0, k) @ turned(1, 2 * k) @ turned(2, np.pi / 3)
    ),
    "1/2 k a": lambda a, b, q, R, J, k: k * a / 2,
    "1.25 k - 3e-2": lambda a, b, q, R, J, k: 1.25 * k - 0.03,
    "e_x x e_y": lambda a, b, q, R, J, k: np.array([0, 0, 1]),
    "{a if k > 0, 0 a if k > -1 and not k < -1, b otherwise}": lambda a, b, q, R, J, k: (
        a if k > 0 else 0 * a if k > -1 else b
    ),
    "result = 2 u + w v; q_AB = [w, u], v = a x u": lambda a, b, q, R, J, k: (
        2 * q[1:] + q[0] * np.cross(a, q[1:])
    ),
    "result = u; q_AB = [u, 1]": lambda a, b, q, R, J, k: q[:3],
    "result = f(a, k) - f(b, 2); f(v, s) = s v + v x b": lambda a, b, q, R, J, k: (
        k * a + np.cross(a, b) - 2 * b
    ),
    "result = c x d; R_AB = cols(c, d, e)": lambda a, b, q, R, J, k: np.cross(R[:, 0], R[:, 1]),
    "result = c x d; rows(c, d, e) = R_AB": lambda a, b, q, R, J, k: np.cross(R[0], R[1]),
}


@pytest.mark.parametrize("text", MEANINGS)
def test_what_it_means(text: str, values: dict[str, Block]) -> None:
    a, b, q = (np.array(values[n].column) for n in ("a_B", "b_B", "q_AB"))
    R: Any = np.array(values["R_AB"].rows)
    J: Any = np.array(values["J_B"].rows)
    k = values["k"].scalar
    known = {n: v for n, v in values.items() if n in ("a_B", "b_B", "q_AB", "R_AB", "J_B", "k")}
    assert value(text, known) == pytest.approx(MEANINGS[text](a, b, q, R, J, k), rel=1e-12, abs=1e-12)


def test_parts_of_structures_have_their_frames(values: dict[str, Block]) -> None:
    T, body, V = values["T_AC"], values["I_1"], values["V"]
    assert value("R_AC p_AC_A", values) == pytest.approx(value("M[0:3, 0:3] p", {"M": T, "p": T.parts["p"]}))
    assert value("m_1 h_1", values) == pytest.approx(
        body.parts["m"].scalar * np.array(body.parts["h"].column)
    )
    whole: Any = np.array(body.rows)
    assert value("I_1 V", values) == pytest.approx(whole @ np.array(V.column))
    assert whole[3:, 3:] == pytest.approx(body.parts["m"].scalar * np.eye(3))
    assert value("crm(V) V", values) == pytest.approx(np.zeros(6))
    assert value("list[4] - list_4", values) == 0


def test_the_unit_matrix_of_a_size_is_a_one_with_the_size(values: dict[str, Block]) -> None:
    assert value("[[identity(3)], [zeros(1, 3)]]", values) == pytest.approx(np.eye(4, 3))
    assert value("[[0, k identity(2)], [identity(2), 0]]", values) == pytest.approx(
        np.kron([[0, values["k"].scalar], [1, 0]], np.eye(2))
    )
    (row,) = textbook.laid_out("A = [[0, identity(3)], [identity(3), 0]]", [], [])
    assert line(row) == "A = [0, 1_3×3; 1_3×3, 0]"
    assert latex(row).count("\\mathbf{1}_{3\\times 3}") == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = b +", r"after 'a = b \+', a value is expected"),
        ("a b", "an equals sign is expected"),
        ("k < 1 = r", "an operator or the end of the equation is expected"),
        ("r = a x b x a", "parentheses are needed between two products of vectors"),
        ("r = a.b x a", "parentheses are needed between two products of vectors"),
        ("r = k / 2 a", r"parentheses are needed: a / b c is"),
        ("r = [[a, b], [k]]", "the rows of this matrix have different lengths"),
        ("r = a ? b", r"'\? b' is no notation for equations"),
        ("r = " + "(" * 50 + "a" + ")" * 50, "brackets are nested deeper than 40"),
        ("r = " + "a + " * 2000 + "a", "an equation has at most 5000 characters"),
        ("r = a + k", "a vector of 3 and a scalar are added"),
        ("r = R_AB a^T", "a 3x3 matrix is multiplied by a 1x3 matrix$"),
        ("r = a.b a", r"a vector of 3 is multiplied by a vector of 3: write a\.b, a x b, or \(a\.b\) c with"),
        ("r = k x a", "a cross product is of vectors of 3, not of a scalar"),
        ("r = a / b", "a scalar is expected, not a vector of 3"),
        ("r = 1 / (1 - 1)", "it divides by zero"),
        ("r = atan2(k)", "atan2 has 2 arguments, but is given 1"),
        ("r = vee(a)", "vee is of a 3x3 matrix, not of a vector of 3"),
        ("r = a^-1", "a vector has no inverse"),
        ("r = spin a", "spin is neither an argument nor defined by an equation$"),
        ("r = [s_x, 0]; s = 2 a", r"s_x is neither .*: its elements are s\[0\], s\[1\], .*s\[1:4\]"),
        (
            "r = spin(a)",
            "spin is no function of the notation, nor a table of this name that the formula looks up",
        ),
        ("r = s; s = r", "is defined by itself"),
        ("r = 1; r = 2", "r is defined twice"),
        ("r = k^100", "a whole number up to 99 is expected"),
        ("r = k^(1/0)", "an exponent is divided by zero"),
        ("r = k^(1/2 + 1)", r"'\)' is expected"),
        ("r = 1e9999 k", "e9999 is neither an argument nor defined"),
        ("r = f(k); f(a) = 1 + f(a)", "or a function itself"),
        (
            "; ".join(["r = a0", *(f"a{i} = 1 + a{i + 1}" for i in range(300)), "a300 = k"]),
            "more than 120 deep",
        ),
        (
            "; ".join(
                ["r = f0(k)", *(f"f{i}(a) = f{i + 1}(a) + f{i + 1}(a)" for i in range(20)), "f20(a) = a"]
            ),
            "more than 20000",
        ),
        ("r = R_AB[3, 0]", "an index is outside of a 3x3 matrix"),
        ("r = s; q_AB = [s, t, u]", "a vector of 4 cannot be taken apart into 3 parts"),
        ("r = {a if k, b otherwise}", "a comparison is expected"),
    ],
)
def test_what_is_no_equation_is_refused(text: str, message: str, values: dict[str, Block]) -> None:
    with pytest.raises(FeatherError, match=message) as caught:
        Meaning(read(text), values, TABLE).value("r")
    assert "\n" not in str(caught.value)


def test_a_letter_of_two_arguments_needs_its_frames() -> None:
    known = textbook.arguments([Arg("v_A", Vec3, "1", ""), Arg("v_B", Vec3, "1", "")], list(range(6)), TABLE)
    with pytest.raises(FeatherError, match="v may stand for v_A, v_B: write its frames"):
        value("v", known)
    assert value("v_B", known)[0] == 3


def test_a_member_of_a_structure_is_one_thing_under_its_own_name() -> None:
    state = record("turning_state", "a state", [Arg("w_A", Vec3, "1", ""), Arg("v_A", Vec3, "1", "")])
    known = textbook.arguments(
        [state.argument("state", ""), Arg("v_B", Vec3, "1", "")], list(range(9)), TABLE
    )
    assert (value("w", known)[0], value("w_y", known)) == (0, [1])
    with pytest.raises(FeatherError, match=r"v may stand for v_A, v_B: write its frames$"):
        value("v", known)


@pytest.mark.parametrize(
    ("equation", "status"),
    [
        ("y = clip(x, -m, m)", "proven"),
        ("y = clip(x); clip(a) = {-m if a < -m, m if a > m, a otherwise}", "proven"),
        ("y = min(max(x, -m), m)", "tested"),
    ],
)
def test_a_value_between_limits_of_any_sign_is_proven(equation: str, status: str) -> None:
    def limited(x: Any, m: Any) -> Any:
        """x between -m and m."""
        return clip(x, -m, m)

    inputs = [Arg("x", REAL, "1", ""), Arg("m", POSITIVE, "1", "")]
    model = kernel(inputs=inputs, outputs=[Arg("y", REAL, "1", "")], equation=equation, source="")(limited)
    assert prove(model).status.partition(" ")[0] == status


def test_a_function_of_the_notation_has_a_number_of_arguments(values: dict[str, Block]) -> None:
    with pytest.raises(FeatherError, match="clip has 3 arguments, but is given 2"):
        value("clip(k, 2)", values)


def test_conditions_are_what_defines_nothing() -> None:
    known = textbook.arguments([Arg("v_A", Vec3, "1", ""), Arg("w_A", Vec3, "1", "")], list(range(6)), TABLE)
    meaning = Meaning(read("v_A + u = w_A, u = [3, 3, 4] = w_A - v_A"), known, TABLE)
    assert meaning.residuals() == [0, 0, 1, 0, 0, 1]


@pytest.mark.parametrize(
    ("text", "holds"), [("0 <= k < 1", False), ("0 < k <=\n1", True), ("k > 1", False), ("-1 <= k", True)]
)
def test_an_inequality_is_a_condition(text: str, holds: bool) -> None:
    known = textbook.arguments([Arg("k", REAL, "1", "")], [1.0], TABLE)
    assert Meaning(read(text), known, TABLE).residuals() == [0 if holds else 1]


def test_a_chain_of_comparisons_is_a_condition_of_cases() -> None:
    known = textbook.arguments([Arg("k", REAL, "1", "")], [0.5], TABLE)
    assert value("{1 if 0 < k < 1, 2 otherwise} + {4 if 0 < k < 0.5, 8 otherwise}", known) == 9


def test_a_homogeneous_matrix_is_taken_apart_into_its_blocks(values: dict[str, Block]) -> None:
    found = Meaning(read("[[S, t], [0, 1]] = T; T = [[R_AB, a_B], [0, 1]]"), values, TABLE)
    assert found.value("S").rows == values["R_AB"].rows
    assert found.value("t").rows == values["a_B"].rows
    assert found.residuals() == [0, 0, 0, 0]
    with pytest.raises(FeatherError, match="a 3x3 matrix cannot be taken apart into four blocks"):
        Meaning(read("[[S, t], [0, 1]] = R_AB"), values, TABLE).value("S")


def test_a_second_equation_for_a_function_is_a_condition() -> None:
    known = {"k": Block(((3,),))}
    assert Meaning(read("f(a) = a - 1; f(k) = 0"), known, TABLE).residuals() == [2]


def test_numbers_are_exact() -> None:
    exact = {**TABLE, "number": Fraction}
    meaning = Meaning(read("r = 0.1 k; s = 1 / 3; t = 7^-1 k"), {"k": Block(((Fraction(1, 3),),))}, exact)
    assert meaning.value("r").scalar == Fraction(1, 30)
    assert meaning.value("s").scalar == Fraction(1, 3)
    assert meaning.value("t").scalar == Fraction(1, 21)
    assert Meaning(read("r = 2/3 + 3^-1"), {}, exact).value("r").scalar == 1


def test_integrals_are_symbolic() -> None:
    from codegen.frontends.from_sympy import notation_table

    table = notation_table()
    text = "r = integral(p [1, p^2] f(q), [p, 0, q], [q, 0, 2]); f(a) = 3 a"
    assert Meaning(read(text), {}, table).value("r").column == [6, 8]
    for wrong, message in {
        "r = integral(1, [1, 2])": r"an integral is written as integral\(f, \[x, a, b\]\)",
        "r = integral(1)": "an integral is written as",
    }.items():
        with pytest.raises(FeatherError, match=message):
            Meaning(read(wrong), {}, table).value("r")
    with pytest.raises(FeatherError, match="an integral can only be evaluated symbolically"):
        Meaning(read("r = integral(s, [s, 0, 1])"), {}, TABLE).value("r")


def test_an_equation_may_define_a_power(values: dict[str, Block]) -> None:
    assert value("result = k e^2 + 1; e^2 = 0.25", values) == pytest.approx(0.25 * values["k"].scalar + 1)
    assert value("result = k^2; e^2 = 0.25", values) == pytest.approx(values["k"].scalar ** 2)
    with pytest.raises(FeatherError, match="e is neither an argument nor defined"):
        value("result = e; e^2 = 0.25", values)


def test_a_root_of_a_constant_is_traced() -> None:
    kernel = library()["quat_conjugate"]
    assert equation_program(replace(kernel, equation="q_conj = sqrt(2) sqrt(2) q^* / 2")) is not None


# How it is printed


def printed(text: str) -> tuple[str, str, str]:
    """An equation between the arguments above, as Unicode, LaTeX and MathML."""
    (row, *_) = textbook.laid_out(text, ARGUMENTS, [])
    return line(row), latex(row), markup(row)


@pytest.mark.parametrize(
    ("text", "unicode", "tex"),
    [
        ("r = (a_B.b_B) k", "r = (a_B · b_B) k", r"\left(\boldsymbol{a}_{B} \cdot \boldsymbol{b}_{B}\right)"),
        ("r = ((k + 1) / (2 k)) k", "r = ((k + 1) / (2 k)) k", r"\frac{k + 1}{2\,k}\,k"),
        ("r = k (1 + 2 a_B~)", "r = k (1 + 2 a_B~)", r"\mathbf{1} + 2\,\widetilde{\boldsymbol{a}_{B}}"),
        ("r = (k + 1)^(2/7)", "r = (k + 1)^(2/7)", r"{\left(k + 1\right)}^{2/7}"),
        ("r = k^-1 (k / 2)^2", "r = k⁻¹ (k / 2)²", r"{\left(\frac{k}{2}\right)}^{2}"),
        ("r = a_B x (R_AB a_B)", "r = a_B × R_AB a_B", r"\boldsymbol{a}_{B} \times \boldsymbol{R}_{AB}"),
        ("r = sqrt(k / 3) + |a_B|", "r = √(k / 3) + |a_B|", r"\sqrt{\frac{k}{3}}"),
        ("r = {k if k > 0 and k <= 2, -k otherwise}", "r = {k if k > 0 and k ≤ 2, -k otherwise}", "{cases}"),
        ("dphi = R_AB[0, 1] + 0.25", "φ̇ = R_AB_01 + 0.25", r"\dot{\phi} = R_{AB\,01} + 0.25"),
        ("r = integral(k s^2, [s, 0, k], [p, 0, pi])", "r = ∫[0, π] ∫[0, k] k s² ds dp", r"\int_{0}^{\pi}{"),
        ("r = 7.25e-5 k - 3200000", "r = 7.25 · 10⁻⁵ k - 3.2 · 10⁶", r"7.25 \cdot {10}^{-5}\,k"),
        ("R_AB R_AB^T = 1", "R_AB R_ABᵀ = 1", r"= \mathbf{1}"),
        ("[[S, p], [0, 1]] = [[R_AB, a_B], [0, 1]]", "[S, p; 0, 1] = [R_AB, a_B; 0, 1]", r"\mathbf{0} & 1\e"),
        ("S(s) = s R_AB; r = tr(S(k))", "S(s) = s R_AB", r"\boldsymbol{S}\left(s\right)"),
        ("a_x_b = a_B x b_B", "a × b = a_B × b_B", r"\boldsymbol{a} \times \boldsymbol{b} ="),
        ("turn = [k, a_B]; pA = a_B", "turn = [k, a_B]", r"\mathbf{turn}"),
        ("pA_B = a_B", "pᴬ_B = a_B", r"\boldsymbol{p}^{A}_{B}"),
    ],
)  # fmt: skip
def test_how_it_is_printed(text: str, unicode: str, tex: str) -> None:
    assert printed(text)[0] == unicode
    assert tex in printed(text)[1]


def test_vectors_matrices_and_the_unit_matrix_are_letters_that_every_browser_shows_bold() -> None:
    _, _, shown = printed("R_AB = 1 + a_B a_B^T")
    bold = [c for c in shown if c >= "\U0001d400"]
    names = [unicodedata.name(c).removeprefix("MATHEMATICAL ") for c in bold]
    assert names == ["BOLD ITALIC CAPITAL R", "BOLD DIGIT ONE", *["BOLD ITALIC SMALL A"] * 2]
    (row, *_) = textbook.laid_out("Omega = a_B", ARGUMENTS, [])
    assert unicodedata.normalize("NFKC", markup(row)).startswith(
        "<math><mi>\N{GREEK CAPITAL LETTER OMEGA}</mi>"
    )


# Hostile texts

WORDS = [
    "a", "b", "q", "R", "J", "I_1", "k", "x", "list", "w", "u", "(", ")", "[", "]", "{", "}", "|", "+",
    "-", "/", "^", "~", ".", "=", ";", ",", "<", "<=", "if", "otherwise", "and", "or", "not", "0", "1",
    "2.5", "(x)", "^2", "^T", "^-1", "^*", "\n", "[0]", "[0:3,1]", "f(", "det(", "tr(", "adj(", "vee(",
    "cols(", "rows(", "diag(", "crm(", "Rx(", "atan2(", "sqrt(",
]  # fmt: skip


def judged(words: list[str]) -> None:
    """Reading, printing and evaluating a text ends, and with no other error than that of a user."""
    known, table = input_scalars(ARGUMENTS), textbook.traced_table()
    for text in (" ".join(words), f"w_B = {' '.join(words)}".replace(" ( ", "(")):
        with suppress(FeatherError):
            textbook.laid_out(text, ARGUMENTS, [])
        with suppress(FeatherError):
            textbook.residuals(text, ARGUMENTS, [], known, table)


TEXTS = given(words=st.lists(st.sampled_from(WORDS), max_size=25))
test_texts, test_many_texts = both(TEXTS, judged)


@pytest.mark.parametrize("name", sorted(functions.KNOWN))
def test_a_function_of_any_arguments_has_a_value_or_says_why_not(name: str) -> None:
    values = ["0", "1/2", "k", "a", "J", "T", "[a, k]"]
    for arguments in (*values, *(f"{a}, {b}" for a, b in itertools.product(values, values))):
        judged([f"{name}({arguments})"])


def test_parts_that_are_defined_already_are_conditions() -> None:
    known = textbook.arguments([Arg("v", Vec3, "1", ""), Arg("u", Vec3, "1", "")], list(range(6)), TABLE)
    assert Meaning(read("v = [a, b, c]; a = 7, b = 1, c = 3"), known, TABLE).residuals() == [-7, 0, -1]
    assert Meaning(read("v = [a, b, c]; u = [c, b, a]"), known, TABLE).residuals() == [1, 3, 5]


def test_a_formula_among_words_may_break_before_its_relations_and_terms() -> None:
    row = laid_out_in_prose("a = b + c, d <= (e + f) g", "", (), ())
    pieces = in_line(row).split(" <math>")
    assert [re.sub("<[^>]*>", "", piece) for piece in pieces] == [
        "a",
        "=b",
        "+c,",
        "d",
        "≤(e+f)\N{THIN SPACE}g",
    ]
    assert all('form="infix"' in piece for piece in pieces if piece.startswith("<mrow><mo") or "≤" in piece)


def test_conditions_have_connectives_constants_and_functions_of_all_numbers() -> None:
    known = [Arg("c", Vec3, "m", "c"), Arg("k", REAL, "1", "k"), Arg("J", SymMat3, "any", "J")]
    text = "not k > eps or finite(c) and |sum(J)| <= max; k > min"
    assert [line(laid_out_in_prose(part, "", known, ())) for part in text.split("; ")] == [
        "not (k > ε) or (finite(c) and |sum(J)| ≤ max)",
        "k > min",
    ]
    given = textbook.arguments(known, [1.0, 2.0, 3.0, 0.5, 1, 2, 3, 4, 5, 6], TABLE)
    assert value("sum(J)", given) == 21, "each number once"
    assert value("sum(c, k)", given) == 6.5


def test_derivatives_are_by_arguments() -> None:
    x, y = sympy.symbols("x y")
    known = {"x": scalar(x), "y": scalar(y), "u": column([x, y])}
    found = Meaning(read("D = jacobian([x y, sin(x), 2], u)"), known, notation_table()).value("D")
    assert found.rows == ((y, x), (sympy.cos(x), 0), (0, 0))
    for wrong, says in [
        ("jacobian([x], [x y])", "by an argument, not by x\\*y"),
        ("jacobian(u)", r"jacobian\(f, x\)"),
    ]:
        with pytest.raises(FeatherError, match=says):
            Meaning(read(f"D = {wrong}"), known, notation_table()).value("D")
    with pytest.raises(FeatherError, match="only be evaluated symbolically"):
        value("jacobian([2], [3])", {})


def test_structural_nonzeros_are_those_of_the_matrix_an_equation_defines() -> None:
    inputs = [Arg("a", Vec3, "1", "")]
    traced, system = input_scalars(inputs), textbook.traced_table()
    outputs = [Arg("A_nonzeros", Array((6,)), "1", "")]
    found = textbook.results("A = 0 1 + 3 a~ / 3", inputs, outputs, [2, 4, 8], TABLE)
    assert found == [-8, 4, 8, -2, -4, 2]
    assert len(textbook.results("A = 3 a~ / a_x", inputs, outputs, traced, system)) == 6
    outputs = [Arg("A_nonzeros", Array((3,)), "1", "")]
    with pytest.raises(FeatherError, match="A_nonzeros has 3 elements, but 6 elements"):
        textbook.results("A = a~", inputs, outputs, traced, system)


def test_minors_and_the_smallest_of_several(values: dict[str, Block]) -> None:
    assert list(value("minors([[2, 1], [1, 3]])", values)) == [2, 3, 5]
    assert value("min(7, minors([[2, 1], [1, 3]]))", values) == 2
    with pytest.raises(FeatherError, match="principal minors are of a square matrix"):
        value("minors([[2, 1]])", values)


def test_a_unit_vector_is_never_taken_for_a_component() -> None:
    known = [Arg("e_B", Vec3, "1", "error"), Arg("k", REAL, "1", "k")]
    given = textbook.arguments(known, [1.0, 2.0, 3.0, 0.5], TABLE)
    assert value("e_B_x", given) == 1
    with pytest.raises(FeatherError, match="e_x may be a unit vector or a component"):
        value("e_x.e_B", given)


def test_the_equation_of_a_physical_inertia_says_that_its_pseudo_inertia_is_semidefinite() -> None:
    kernel, random = library()["inertia_validate"], np.random.default_rng(3)
    found = set()
    for _ in range(200):
        points, masses = random.normal(size=(4, 5)), random.uniform(-0.1, 1, 5)
        points[3] = 1
        P = points @ np.diag(masses) @ points.T
        S = P[:3, :3]
        J = np.trace(S) * np.eye(3) - S
        scalars = [P[3, 3], *P[:3, 3], *(J[i, j] for i in range(3) for j in range(i, 3))]
        meaning = Meaning(read(kernel.equation), textbook.arguments(kernel.inputs, scalars, TABLE), TABLE)
        holds = not any(meaning.residuals())
        assert holds == (np.linalg.eigvalsh(P)[0] >= 0)
        found.add(holds)
    assert found == {True, False}


def test_a_name_of_a_family_of_vectors_is_bold() -> None:
    """Also where only one of the columns is computed on: r_1 beside r_0."""
    kernel = library()["dcm_orthonormalize"]
    (pattern,) = textbook.laid_out(
        "R = cols(c_0, c_1, c_2); R_unit = cols(c_0, c_1, c_0 x c_1)", kernel.inputs, kernel.outputs
    )[:1]
    assert in_line(pattern).count("<mi>\N{MATHEMATICAL BOLD ITALIC SMALL C}</mi>") == 3


def bold(name: str, text: str, equation: str = "") -> list[str]:
    """The bold symbols of the formulas in a text of a kernel."""
    boxes = [part for part in prose(library()[name], text, equation) if not isinstance(part, str)]
    return [s.letter for box in boxes for s in _symbols(box) if s.bold]


def _symbols(box: Any) -> Iterator[Symbol]:
    if isinstance(box, Symbol):
        yield box
    elif isinstance(box, tuple):
        for part in box:
            yield from _symbols(part)
    elif is_dataclass(box):
        for part in fields(box):
            yield from _symbols(getattr(box, part.name))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("articulated_reduce_three", "by `a - c`: `D_inv (u - U^T a)`", "a c D u U a"),
        ("rigid_body_dynamics_spatial", "`dv_O = dv_c + c x dw`", "v v c ω"),
        ("rigid_body_dynamics_spatial", "`Jc = J - h h^T / m`, unless `Jc` is", "J J h h J"),
        ("lever_arm_acceleration", "`dv + w x v`", "v ω v"),
        ("mass_flow_force", "`m v + dm dt (v + u_rel) = (m + dm dt) (v + a dt)`", "v v u v a"),
        ("mass_flow_force", "`m a = F_other + dm u_rel`", "a F u"),
        ("contact_jacobian", "`s x R^T n = R^T ((c - p) x n)`", "s R n R c p n"),
        ("dcm_nearest", "the sum of `w_i a_i b_i^T` of directions `a_i`", "a b a"),
        ("inertia_rotate", "with `R^T omega_A`", "R ω"),
        ("inertia_rate_moment", "`w.(J + dJ t) w / 2`", "ω J J ω"),
        ("transport_rate_ned", "radii of curvature `M` and `N`", ""),
        ("inertia_from_principal", "`J_xy` is minus the integral of `x y`", ""),
        ("sphere_sphere_contact", "unless `d.d > min`; as for `d = 0`", "d d d 0"),
        ("isa_atmosphere", "`z r / (r + z)` with `r = 6356766`", ""),
    ],
)
def test_vectors_are_bold_in_sentences(name: str, text: str, expected: str) -> None:
    assert bold(name, text) == expected.split()


def test_sentences_of_a_step_know_the_names_of_the_other_steps() -> None:
    (by,) = (s.by for s in stated(library()["dcm_nearest"]) if "polynomial of `K`" in s.by)
    assert "K" in bold("dcm_nearest", by, "x = 1")


def shown_bold(name: str, start: str) -> list[str]:
    """The bold symbols of the first line that begins so, among those of the kernel's steps."""
    lines = (row for step in stated(library()[name]) for row in rows(library()[name], step.equation))
    return [s.letter for s in _symbols(next(row for row in lines if line(row).startswith(start))) if s.bold]


def test_a_name_that_an_equation_defines_is_no_part_of_an_argument() -> None:
    """The force `pA` has a moment `n`, too."""
    assert shown_bold("articulated_reduce_three", "L = [") == ["L"]
    assert shown_bold("articulated_reduce_three", "n = ") == []


def test_what_integrals_define_is_bold() -> None:
    assert shown_bold("solid_cone_inertia", "[m_O, h] = ") == ["h"]
    assert shown_bold("solid_capsule_inertia", "[m_O, h] = ") == ["h", "M", "M", "M"]
    assert shown_bold("solid_capsule_inertia", "S_0 = ") == ["S", "Q"]
