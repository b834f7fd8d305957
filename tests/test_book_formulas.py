"""The formulas of the pages that are the same in every book hold for what the library computes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import pytest

from codegen.errors import FeatherError
from codegen.explain.book.glossary import FORMULAS, GLOSSARY, LETTERS
from codegen.ir.program import Arg
from codegen.ir.systems import F32, F64
from codegen.ir.types import REAL
from codegen.library.forms import reference
from codegen.library.shared.dense import skew
from codegen.modeling.equations.textbook import arguments
from codegen.notation.blocks import Block, added
from codegen.notation.meaning import Meaning
from codegen.notation.reader import read_formulas
from codegen.notation.syntax import Kind, Node
from tests.conftest import ROOT
from tests.test_notation import TABLE
from tests.test_shown import mutants

Numbers: TypeAlias = dict[str, Any]
"""The numbers of each letter."""

KNOWN = {a.name: a for a in LETTERS}


def computed(kernel: str, *given: Any) -> Any:
    """The first result of the independent reference of a kernel of the library."""
    form = reference(kernel)
    assert form is not None
    return form(*(x if np.ndim(x) == 0 else np.ravel(x) for x in given)).outputs[0]


def rate(function: Any) -> Any:
    """The derivative of a function of time at 0."""
    return np.imag(function(1e-30j)) / 1e-30


@cache
def drawn() -> Numbers:
    """Random numbers of letters that nothing determines."""
    rng = np.random.default_rng(11)
    vectors = ("v_B", "p_AB_A", "p_B", "w_B", "a", "c", "v", "n", "f", "u_rel", "M_B", "dh", "Omega", "omega")
    scalars = ("k", "m", "phi", "theta", "psi", "dm")
    return {**{n: rng.uniform(-2, 2, 3) for n in vectors}, **{n: rng.uniform(0.5, 2) for n in scalars}}


def attitude(v: Numbers) -> Numbers:
    """Rotations, poses and their rates."""
    q, q_BC = (x / np.linalg.norm(x) for x in np.random.default_rng(3).uniform(-2, 2, (2, 4)))
    R = computed("quat_to_dcm", q)
    pose, other = np.array([*R, *v["p_AB_A"]]), np.array([*computed("quat_to_dcm", q_BC), 1, -2, 0.5])
    return {
        **v, "R_AB": R, "R": R, "R_BA": computed("quat_to_dcm", computed("quat_conjugate", q)),
        "q": q, "q_AB": q, "q_BC": q_BC, "q_AC": computed("quat_multiply", q, q_BC),
        "v_A": computed("quat_rotate", q, v["v_B"]), "w_A": computed("quat_rotate", q, v["w_B"]),
        "p": v["p_AB_A"], "p_A": computed("transform_point", pose, v["p_B"]),
        "T_AB": homogeneous(pose), "T_BC": homogeneous(other),
        "T_AC": homogeneous(computed("transform_compose", pose, other)),
        "dR_AB": computed("dcm_kinematics", R, v["w_B"]), "dq": computed("quat_kinematics", q, v["w_B"], 0),
        "R_NB": computed("dcm_from_rpy", [v["phi"], v["theta"], v["psi"]]),
        "X_AB": computed("motion_transform_matrix", pose), "pose": pose,
    }  # fmt: skip


def homogeneous(pose: Any) -> Any:
    return np.vstack([np.column_stack([pose[:9].reshape(3, 3), pose[9:]]), [0, 0, 0, 1]])


def books(v: Numbers) -> Numbers:
    """E and r of the inverse transform of motions, [[E, 0], [-E r~, E]]."""
    X = np.linalg.inv(v["X_AB"].reshape(6, 6))
    E = X[:3, :3]
    offset = -E.T @ X[3:, :3]
    return {**v, "E": E, "r": np.array([offset[2, 1], offset[0, 2], offset[1, 0]])}


def spatial(v: Numbers) -> Numbers:
    """A spatial velocity, acceleration, force and inertia."""
    V, A = np.random.default_rng(5).uniform(-2, 2, (2, 6))
    J = np.array([[3, 0.2, -0.3], [0.2, 4, 0.1], [-0.3, 0.1, 5]])
    body = np.array([v["m"], *(v["m"] * v["c"]), 3, 0.2, -0.3, 4, 0.1, 5])
    F = computed("inertia_multiply", body, A) + computed("inertia_bias_force", body, V)
    return {
        **v, "V": V, "A": A, "omega": V[:3], "v_O": V[3:], "F": F, "n_O": F[:3], "f_O": F[3:],
        "h": body[1:4], "J": J, "I": computed("inertia_to_matrix", body), "body": body,
        "H": np.arange(9) - 3.5, "M": np.array([7, 1, -1, 1, 8, 0.5, -1, 0.5, 9]),
    }  # fmt: skip


def contacts(v: Numbers) -> Numbers:
    """Velocities of contacts after impulses, of which each contact has one or the other."""
    rng = np.random.default_rng(2)
    jacobian, masses = rng.uniform(-1, 1, (4, 4)), np.diag(rng.uniform(1, 2, 4))
    u, impulses = np.array([0.3, 0, 0, 1.5]), np.array([0, 0.7, 1.1, 0])
    change = np.linalg.solve(masses, jacobian.T)
    before = np.linalg.solve(jacobian, u) - change @ impulses
    return {**v, "u": u, "lambda": impulses, "N": jacobian @ change, "b": jacobian @ before}


@cache
def values() -> Numbers:
    v = attitude(drawn())
    return contacts(books({**spatial(v), "J_C": [2, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 4]}))


def special(name: str) -> Numbers:
    """Numbers of letters that mean something else in one formula."""
    v = values()
    if name == "quaternion_rate":  # of one that is not unit
        return {"q_AB": 1.25 * v["q"], "dq_AB": computed("quat_kinematics", 1.25 * v["q"], v["w_B"], v["k"])}
    if name == "parallel_axes":
        packed = np.ravel(v["J_C"])[[0, 1, 2, 4, 5, 8]]
        total = computed("inertia_from_com", v["m"], v["c"], packed)[4:]
        return {"J_O": total[[0, 1, 2, 1, 3, 4, 2, 4, 5]]}
    if name == "unit_inertia":
        return {"G": computed("inertia_to_unit", v["body"])[[4, 5, 6, 5, 7, 8, 6, 8, 9]]}
    if name == "variable_mass":
        return {"f": rate(lambda t: (v["m"] + t * v["dm"]) * (v["v"] + t * v["a"]))}
    if name == "at_rest":
        return {"b": -v["N"] @ v["lambda"]}
    return {}


def turning(v: Numbers) -> Any:
    """The second derivative of a point that moves in a turning frame, without that of a frame at rest."""
    turn = skew(v["Omega"])
    return turn @ turn @ v["p"], 2 * turn @ v["v"]


def expected(name: str) -> Any:
    """The value of an expression that is no equation."""
    v = values()
    return {
        "power": computed("motion_dot_force", v["V"], v["F"]),
        "bias": computed("inertia_bias_force", v["body"], v["V"]),
        "articulated": computed("articulated_to_matrix", packed_articulated(v)),
        "screw": [*v["v"], *v["omega"]], "coscrew": [*v["f"], *v["n"]],
        "mass_times_centre": v["body"][1:4], "norm": np.linalg.norm(v["q"]) ** 2,
        "centrifugal": -turning(v)[0], "coriolis": -turning(v)[1],
        "rotors": computed("gyroscopic_moment", v["M_B"], v["omega"], v["h"], v["dh"]),
        "jet": computed("mass_flow_force", v["dm"], v["u_rel"]),
    }[name]  # fmt: skip


def packed_articulated(v: Numbers) -> Any:
    upper = np.triu_indices(3)
    return np.array([*v["J"][upper], *np.ravel(v["H"]), *v["M"].reshape(3, 3)[upper]])


def blocks(v: Numbers) -> dict[str, Block]:
    named = [KNOWN.get(n) or Arg(n, REAL, "1", n) for n in v if n not in ("body", "pose")]
    return arguments(named, [float(x) for a in named for x in np.ravel(v[a.name])], TABLE)


def holds(name: str, text: str) -> bool:
    """Whether a formula, or a change of it, states what the library computes."""
    try:
        (formula,) = read_formulas(text)
        meaning = Meaning((), blocks({**values(), **special(name)}), TABLE)
        if len(formula.sides) > 1:
            left, right = map(meaning.evaluate, formula.sides)
            return is_zero(added([left, right.each(lambda x: -x)]))
        (side,) = formula.sides
        if side.kind is Kind.RELATION:  # of each element
            above = added([meaning.evaluate(side.args[0]), meaning.evaluate(side.args[1]).each(lambda x: -x)])
            return str(side.value) == ">=" and min(above.flat()) >= 0
        return np.allclose(np.ravel(np.array(meaning.evaluate(side).rows, float)), np.ravel(expected(name)))
    except FeatherError:  # the shapes of a change need not fit
        return False


def is_zero(difference: Block) -> bool:
    return bool(np.max(np.abs(np.array(difference.rows, float))) < 1e-12)


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_is_what_the_library_computes(name: str) -> None:
    assert holds(name, FORMULAS[name])


def changes(text: str) -> Iterator[str]:
    """The text with another sign, order or number, or without a transpose, an inverse or a tilde."""
    yield from mutants(text)
    for found in re.finditer(r"\^T|\^-1|\^\*|~", text):
        yield text[: found.start()] + text[found.end() :]
    for found in re.finditer(r"\b([A-Z]\w*(?:\(\w+\))?)( )([A-Z]\w*(?:\(\w+\))?)|\b(\w+)(, )(\w+)\b", text):
        first, between, second = filter(None, found.groups())
        yield f"{text[: found.start()]}{second}{between}{first}{text[found.end() :]}"


CHANGES = [(name, changed) for name, text in FORMULAS.items() for changed in changes(text) if changed != text]


def test_no_change_of_a_formula_holds() -> None:
    assert len(CHANGES) > 60
    assert [changed for name, changed in CHANGES if holds(name, changed)] == []


@pytest.mark.parametrize("page", ["conventions", "systems"])
def test_the_pages_have_no_other_formulas(page: str) -> None:
    """Only names are written on the page itself."""
    text = (ROOT / "templates/book" / f"{page}.html.j2").read_text()
    written = re.findall(r'"([^"]*)" \| notation', text)
    assert all(is_name(formula) for formula in written)
    assert " = " not in re.sub(r"{%.*?%}", "", text)


def is_name(text: str) -> bool:
    (formula,) = read_formulas(text)
    (side,) = formula.sides
    return isinstance(side, Node) and side.kind is Kind.NAME


def test_the_limits_of_numbers_are_those_of_the_precisions() -> None:
    said = dict(GLOSSARY)
    for name, double, single in (("eps", "2^-52", "2^-23"), ("min", "2^-1022", "2^-126")):
        assert eval_power(double) == getattr(F64, name)
        assert eval_power(single) == getattr(F32, name)
        assert said[name].endswith(f": {double} in double and {single} in float.")
    assert said["max"].endswith(": about 1.8e308 in double and about 3.4e38 in float.")


def eval_power(text: str) -> Fraction:
    base, _, exponent = text.partition("^")
    return Fraction(base) ** int(exponent)
