"""What is shown is what is checked: no change of an equation's text leaves the checks of its kernel green."""

from __future__ import annotations

import math
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pytest

from codegen.errors import FeatherError
from codegen.ir.domain import floats, sample_of
from codegen.ir.expression import as_expr
from codegen.ir.program import Arg, evaluate, input_scalars, program_of
from codegen.ir.systems import F64, floating
from codegen.ir.types import Array, Value
from codegen.library import MODULES, forms, library
from codegen.modeling.equations import textbook
from codegen.modeling.equations.textbook import equation_condition, equation_program, is_notation
from codegen.modeling.equations.unread import idle_equations
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Mat3, Quaternion, Rotation, Transform, UnitQuaternion
from codegen.modeling.types.scalar import closed_forms
from codegen.notation import functions
from codegen.notation.meaning import Meaning
from codegen.notation.names import Names
from codegen.notation.reader import read
from codegen.notation.syntax import Kind
from codegen.proof.checks import check_equations
from codegen.proof.derivation import _definition, derivation, hand_written, stated
from codegen.proof.equivalence import Driven, compare
from codegen.proof.needed import unneeded_inequalities
from codegen.proof.others import other_results
from codegen.proof.proof import prove
from tests.conftest import sampled
from tests.inequalities import weak_inequalities
from tests.solutions import leaves_open
from tests.test_notation import TABLE


class Edit(NamedTuple):
    """A change of an equation that is shown: of a step, or at a negative number of something else.

    That is -1 for the equation of the kernel, -2 for its definition, and -3 for the property that defines it.
    """

    kernel: str
    step: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.kernel} {self.step}: {self.after}"


def mutants(text: str) -> Iterator[str]:
    """The text with a sign turned or left out, operands exchanged, or a number changed, be it an index."""
    for found in re.finditer(r"(?:(?<=[\[({])|(?<=[=,;] )|(?<=\n)|^)-(?=\S)", text):
        yield text[: found.start()] + text[found.end() :]
    for found in re.finditer(r" ([-+]) ", text):
        yield text[: found.start(1)] + {"+": "-", "-": "+"}[found[1]] + text[found.end(1) :]
    for found in re.finditer(r"([A-Za-z']+(?:_\w+)?) ([x.]|\(x\)) ([A-Za-z']+(?:_\w+)?)", text):
        if found[2] != ".":
            yield f"{text[: found.start()]}{found[3]} {found[2]} {found[1]}{text[found.end() :]}"
    for found in re.finditer(r"\^-(?=\d)", text):
        yield f"{text[: found.start()]}^{text[found.end() :]}"
    indices = [found.span() for found in re.finditer(r"(?<=[\w)\]'])\[[^\[\]]*\]", text)]
    for found in re.finditer(r"(?<![\w.])(?<!\^-)\d+(?:\.\d+)?(?!\w)", text):
        number = Fraction(found[0])
        if not any(first < found.start() < end for first, end in indices):
            yield text[: found.start()] + str(number + 1) + text[found.end() :]
        elif ":" not in text[found.start() - 1] + text[found.end()]:  # a range would have another length
            yield text[: found.start()] + str(number - 1 if number else 1) + text[found.end() :]


def is_evaluated(kernel: Kernel) -> bool:
    """Whether the equation in a kernel's documentation gives its results, or conditions on them."""
    return equation_program(kernel) is not None or equation_condition(kernel) is not None


SAME = {
    ("quat_mean", -1, "+ 2 v~", "- 2 v~"),
    ("quat_mean", -3, "+ 2 v~", "- 2 v~"),
    ("quat_inverse", -3, "q (x) q_inv", "q_inv (x) q"),
    ("quat_inverse", -3, "q_inv (x) q", "q (x) q_inv"),
    ("inertia_principal", 2, "min(|r|, 1)", "min(|r|, 2)"),
    *(("inertia_factor", step, f"n(D[{i}])", f"n(D[{j}])") for step in (-1, -3) for i, j in ((0, 1), (1, 0))),
    ("thin_rod_inertia", 0, "s_x + s_y)", "s_x - s_y)"),
}
"""Changes that state the same.

M is only in a property by invariants, which its transpose has, too; an inverse from the left is one from the
right; |r| is never more than 1, but for rounding; a rod has no extent along x and y; and of
an inertia no pivot is above 0, as of a point, or two, as of a rod, or all three.
"""


def says_the_same(edit: Edit) -> bool:
    """Whether a change makes another statement of the same."""
    return any(
        (edit.kernel, edit.step) == (name, step) and edit.after == edit.before.replace(old, new, 1)
        for name, step, old, new in SAME
    )


def edits() -> list[Edit]:
    """Every change of the equations that are shown of the library's kernels.

    The conditions of a kernel without results are left out; below they are compared in both directions.
    """
    found = []
    for name, kernel in library().items():
        if kernel.outputs:
            found += [Edit(name, -1, kernel.equation, m) for m in mutants(kernel.equation)]
        for i, step in [
            *((-3 if s.implicit else -2, s) for s in _definition(kernel)),
            *enumerate(hand_written(kernel)),
        ]:
            if isinstance(step.form, str) and kernel.outputs:
                found += [Edit(name, i, step.equation, m) for m in mutants(step.equation)]
    return [edit for edit in found if not says_the_same(edit)]


def chosen() -> list[Any]:
    """The edits: about every 320th in the quick run, every 40th (265) in the exhaustive, all in `make fuzz`.

    Which these are depends on the edit alone, so that a change of one kernel chooses no others of the rest.
    """
    return [pytest.param(edit, marks=_run(zlib.crc32(str(edit).encode()))) for edit in edits()]


def _run(number: int) -> Any:
    if number % 40:
        return pytest.mark.fuzz
    return pytest.mark.exhaustive if number % 320 else ()


@pytest.mark.parametrize("edit", chosen(), ids=str)
def test_a_change_of_what_is_shown_is_seen(edit: Edit, monkeypatch: pytest.MonkeyPatch) -> None:
    assert problems(edit, monkeypatch)


def problems(edit: Edit, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the checks of a kernel's equations say of a change, or that it allows for other results."""
    return said_of(edit, monkeypatch) or weakness(edit)


def weakness(edit: Edit) -> str:
    """What other results an equation allows for after a change, although it holds of the formula's."""
    kernel = replace(library()[edit.kernel], equation=edit.after)
    defines = edit.step == -3 or (edit.step == -1 and equation_program(kernel) is None)
    if weak := weak_inequalities(kernel, edit.after):
        return weak
    return "other results meet it" if defines and leaves_open(kernel, edit.after) else ""


def said_of(edit: Edit, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the checks of a kernel's equations say of a change."""
    kernel = library()[edit.kernel]
    if edit.step in (-2, -3):
        kind = "properties" if edit.step == -3 else "definitions"
        form = forms._form

        def changed(module: str, name: str) -> Any:
            return edit.after if (module, name) == (kind, kernel.name) else form(module, name)

        monkeypatch.setattr(forms, "_form", changed)
        return "; ".join(check_equations(kernel)) or unclear_names(kernel)
    if edit.step == -1:
        try:
            return said_of_definition(kernel, edit.after, monkeypatch)
        except FeatherError as error:  # it cannot be read, or a condition of a failure has lost its value
            return str(error)
    steps = hand_written(kernel)
    step = replace(steps[edit.step], equation=edit.after, form=edit.after)
    module = import_module(f"codegen.library.{kernel.module}.steps")
    without_a_change = said_of_step(kernel.name, edit.step)
    monkeypatch.setitem(module.STEPS, kernel.name, (step,))  # the others do not change
    if found := [said for said in check_equations(kernel) if said not in without_a_change]:
        return "; ".join(found)
    monkeypatch.setitem(module.STEPS, kernel.name, (*steps[: edit.step], step, *steps[edit.step + 1 :]))
    return unclear_names(kernel)


def said_of_definition(kernel: Kernel, equation: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the checks of a kernel say of it with another equation in its documentation."""
    if idle := unneeded_inequalities(kernel, equation):
        return f"inequalities {idle} hold of all results of which the others hold"
    if idle := idle_equations(equation):
        return f"equations {idle} say nothing"
    own = {"formula": Driven(kernel.program(False))}  # what the other forms are equal to
    monkeypatch.setattr("codegen.proof.proof.own_ways", lambda kernel: own)
    monkeypatch.setattr("codegen.proof.proof.independent_ways", lambda kernel: {})
    other = replace(kernel, equation=equation)
    status = prove(other).status
    others = other_results(other, equation) if equation_program(other) is None else ""
    is_proven = status == "proven" or status.startswith("certified")
    return others or ("" if is_proven else status) or names_met_once(other)


@cache
def said_of_step(name: str, step: int) -> tuple[str, ...]:
    """What the checks say of a kernel that has only one of its steps: the documentation may need another."""
    kernel = library()[name]
    module = import_module(f"codegen.library.{kernel.module}.steps")
    with pytest.MonkeyPatch.context() as alone:
        alone.setitem(module.STEPS, name, (hand_written(kernel)[step],))
        return tuple(check_equations(kernel))


def unclear_names(kernel: Kernel) -> str:
    """The names that have another value in an equation than elsewhere on the page, or none."""
    return ", ".join(sorted(ambiguous(kernel))) or names_met_once(kernel)


def names_met_once(kernel: Kernel) -> str:
    """The names that are neither arguments nor parts of these, and that occur only once on the page.

    So `[w, u] = q` names nothing that no equation uses; `rpy = [phi, theta, psi]` is written in full also
    where an angle does not matter, but with one name for it.
    """
    texts = dict.fromkeys((kernel.equation, *(s.equation for s in stated(kernel))))
    nodes = [n for t in texts if is_notation(t) for e in read(t) for side in e.sides for n in side.nodes()]
    met = Counter(n.name for n in nodes if n.kind is Kind.NAME and n.name not in GIVEN_NAMES)
    known = [*kernel.all_inputs, *kernel.outputs]
    given = Names(textbook.arguments(known, input_scalars(known), textbook.traced_table()))
    return ", ".join(name for name, times in met.items() if times == 1 and not is_argument(name, given))


GIVEN_NAMES = {*functions.CONSTANTS, "e_x", "e_y", "e_z"}


def is_argument(name: str, given: Names) -> bool:
    """Whether a name is that of an argument, or of a part of one, or of several."""
    try:
        return given.place(name.rstrip("'")) is not None
    except FeatherError:
        return True


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (
            Edit("inertia_com", -1, "", "c = h / n"),
            "failed: the equation in its documentation cannot be compared: "
            "c: n is neither an argument nor defined by an equation",
        ),
        (
            Edit("inertia_com", 0, "", "c = k h; k = 1 / n"),
            "inertia_com: Divide once: it cannot be compared: kernel inertia_com: definition: "
            "c: k: n is neither an argument nor defined by an equation",
        ),
        (
            Edit("inertia_principal", 1, "", "moments[0] = n"),
            "inertia_principal: Solve it by a cosine: it cannot be compared: "
            "n is neither an argument nor defined by an equation",
        ),
        (
            Edit(
                "contact_project", -3, "", "mim(lambda_next, b) = 0; b = rate + N_ii (lambda_next - lambda_i)"
            ),
            "contact_project: Defining property: it defines mim and b, on which no result depends",
        ),
        (
            Edit("angle_wrap", 1, "", "wraped = angle"),
            "angle_wrap: Take the principal value: it defines wraped, on which no result depends",
        ),
        (
            Edit("angle_wrap", -3, "", "sin(wrapped) = sin(angle), cos(wrapped) = cos(angle), -pi < pi"),
            "angle_wrap: Defining property: inequality 1 holds of all results of which the others hold",
        ),
        (Edit("gravity_gradient_moment", 0, "", "M_B = 3 mu p_B x P p_B / |p_B|^5; P = J_B"), "P"),
    ],
)
def test_an_equation_that_nothing_is_compared_with_fails_the_check(
    edit: Edit, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert problems(edit, monkeypatch) == said


@pytest.mark.parametrize(
    ("weaker", "numbers"),
    [
        ("moments[0] <= moments[1] <= moments[2]", []),
        ("moments[0] <= moments[2] <= moments[2]", [2]),
        ("moments[0] <= moments[0] <= moments[2]", [1]),
        ("moments[0] <= moments[1] and moments[0] <= moments[1] <= moments[2]", [1, 2]),
        ("moments[0] <= moments[1] <= moments[2]; moments[0] <= moments[2]", [3]),
        ("0 <= |moments|", [1]),
    ],
)
def test_an_inequality_that_no_results_break_alone_says_nothing(weaker: str, numbers: list[int]) -> None:
    assert unneeded_inequalities(library()["inertia_principal"], weaker) == numbers


@pytest.mark.parametrize("element", ["R[1, 2]", "R[2, 1]"])
def test_a_wrong_part_of_a_choice_is_seen(element: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It decides alone at a twelfth of all rotations: where z is the largest component, and w the second."""
    before = hand_written(library()["transform_log"])[1].equation
    after = before.replace("R[2, 2], g_1 if", f"{element}, g_1 if", 1)
    assert after != before
    assert problems(Edit("transform_log", 1, before, after), monkeypatch)


@pytest.mark.parametrize(
    ("name", "step", "before", "after"),
    [
        ("mrp_from_quat", -1, "w < 0", "w <= 0"),
        ("mrp_shadow", -1, "s.s > 1", "s.s >= 1"),
        ("quat_error", 1, "w < 0", "w <= 0"),
        ("transform_log", 1, "sqrt(m) < 0", "sqrt(m) <= 0"),
        ("contact_mass_inverse", -1, "m > 0", "m >= 0"),
    ],
)
def test_a_choice_that_is_another_at_its_boundary_is_seen(
    name: str, step: int, before: str, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half turns decide, which a quaternion or a matrix is only where several of its numbers are right."""
    edit = edit_of(name, step, before, after)
    assert problems(edit, monkeypatch)


@pytest.mark.parametrize(
    ("name", "step", "before", "after", "said"),
    [
        ("quat_mean", -3, "min(0, q_NB[0]) = 0;", "", "those with the other sign of all results"),
        ("inertia_principal", -3, "; det(R_BP) = 1", "", "those with the other sign of R_BP"),
        ("dcm_nearest", -3, "; S^T = S", "", "others nearby"),
        ("articulated_reduce", -1, "u = tau - S.pA; ", "", "others nearby"),
    ],
)
def test_conditions_that_leave_results_open_are_seen(
    name: str, step: int, before: str, after: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said in problems(edit_of(name, step, before, after), monkeypatch)


@pytest.mark.parametrize(
    ("name", "step", "before", "after", "said"),
    [
        ("quat_inverse", -3, "q_inv (x) q =", "q (x) q_inv =", "equation 2 says nothing"),
        (
            "angle_wrap",
            -1,
            "cos(wrapped) = cos(angle)",
            "cos(angle) = cos(angle)",
            "equations [2] say nothing",
        ),
    ],
)
def test_an_equation_that_says_nothing_is_seen(
    name: str, step: int, before: str, after: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said in problems(edit_of(name, step, before, after), monkeypatch)


@pytest.mark.parametrize(
    ("name", "step", "before", "after"),
    [
        ("quat_rotate", -2, "[0, v_A]", "[other, v_A]"),
        ("rpy_kinematics", -1, "[phi, theta, psi]", "[phi, theta, other]"),
        ("motion_transform", -1, "[w_B, v_OB]", "[other, v_OB]"),
    ],
)
def test_a_name_that_is_used_nowhere_is_seen(
    name: str, step: int, before: str, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert problems(edit_of(name, step, before, after), monkeypatch) == "other"


def test_a_function_does_not_see_the_arguments_of_the_one_that_calls_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert problems(edit_of("articulated_transform_inverse", 2, "u(S) = [", "u(K) = ["), monkeypatch)


def edit_of(name: str, step: int, before: str, after: str) -> Edit:
    """The edit of a text that is shown of a kernel."""
    kernel = library()[name]
    definitions = {(-3 if s.implicit else -2): s.equation for s in _definition(kernel)}
    texts = {-1: kernel.equation, **definitions}
    texts |= {i: s.equation for i, s in enumerate(hand_written(kernel))}
    assert before in texts[step]
    return Edit(name, step, texts[step], texts[step].replace(before, after, 1))


@pytest.mark.exhaustive
def test_most_changes_of_what_is_shown_are_compared() -> None:
    """Those that leave no value fail the check, too, but say less of it."""
    changed = [replace(library()[e.kernel], equation=e.after) for e in edits() if e.step == -1]
    assert len(changed) >= 900
    assert sum(not is_evaluated(k) for k in changed) < len(changed) / 10


def is_physical(text: str, bodies: Sequence[Sequence[float]]) -> list[bool]:
    inputs = library()["inertia_validate"].inputs
    systems = (textbook.arguments(inputs, scalars, TABLE) for scalars in bodies)
    try:
        return [
            not np.any(np.abs(Meaning(read(text), known, TABLE).residuals()) > 1e-15) for known in systems
        ]
    except FeatherError:
        return []


@pytest.mark.parametrize("step", [-1, 0, 1])
def test_a_change_of_what_a_physical_inertia_must_meet_is_seen(step: int) -> None:
    kernel = library()["inertia_validate"]
    text = kernel.equation if step < 0 else hand_written(kernel)[step].equation
    random, bodies, expected = np.random.default_rng(3), [], []
    for k in range(200):
        axes, _ = np.linalg.qr(random.normal(size=(4, 4)))
        signs = random.choice([-1, 1], 4) if k % 2 else np.ones(4)
        P = axes @ np.diag(signs * random.uniform(0.02, 0.2, 4)) @ axes.T
        J = np.trace(P[:3, :3]) * np.eye(3) - P[:3, :3]
        bodies.append([P[3, 3], *P[:3, 3], *(J[i, j] for i in range(3) for j in range(i, 3))])
        expected.append(bool(np.linalg.eigvalsh(P)[0] >= 0))
    assert is_physical(text, bodies) == expected
    assert [m for m in mutants(text) if is_physical(m, bodies) == expected] == []


# One meaning for each name on a page


def values_of_names(text: str, kernel: Kernel, numbers: Mapping[str, Sequence[float]]) -> Iterator[Named]:
    """What each name stands for in equations about a kernel, at values of its arguments and results."""
    found = textbook.shown(text, kernel.inputs, kernel.outputs)
    scalars = [x for a in found.known for x in numbers[a.name]]
    local = {a.name for e in found.equations for a in e.sides[0].args if e.sides[0].kind is Kind.CALL}
    defined = {n: found.meaning.value(n) for n in found.meaning.defined if found.meaning.has_value(n)}
    used = {n.name: block for n, block, _ in found.meaning.met if n.kind is Kind.NAME and n.name not in local}
    for name, block in {**used, **defined}.items():
        whole = [Arg("value", Array((len(block.flat()),)), "1", "of a name")]
        program = program_of(found.known, whole, [*map(as_expr, block.flat())])
        with suppress(ArithmeticError):
            yield name, block.shape, np.array(evaluate(program, floating(F64), scalars).results, float)


Named: TypeAlias = tuple[str, tuple[int, int], Any]
"""A name, the rows and columns of its value, and its numbers."""


def same(a: Named, b: Named) -> bool:
    """Whether a name has one value; a number may stand for a zero or a multiple of the unit matrix."""
    if a[1] != b[1]:
        return (1, 1) in (a[1], b[1]) and bool(np.allclose(*map(as_matrix, (a, b), (b[1], a[1]))))
    return bool(np.allclose(a[2], b[2], rtol=1e-6, atol=1e-9, equal_nan=True))


def as_matrix(a: Named, shape: tuple[int, int]) -> Any:
    """The numbers of a value; a scalar's are those of its multiple of the unit matrix of a shape."""
    return a[2][0] * np.eye(*shape).ravel() if a[1] == (1, 1) else a[2]


class Shown(NamedTuple):
    """What names stand for at a point: in the C, and on the page, where some have several values."""

    labels: dict[str, float]
    shown: dict[str, Named]
    several: set[str]


def names_at_a_point(kernel: Kernel) -> Shown:
    draw = floats(random.Random(kernel.name))
    inputs = {a.name: list(map(float, sample_of(a, draw))) for a in kernel.inputs}
    flat = [x for numbers in inputs.values() for x in numbers]
    program = kernel.program(False)
    run = evaluate(program, floating(F64), flat)
    results = iter(run.results)
    numbers = {**inputs, **{a.name: [float(next(results)) for _ in range(a.size)] for a in kernel.outputs}}
    nodes = sorted(program.labels.items(), reverse=True)  # the C numbers all of a name but the first
    labels = {label: float(run.values[node]) for node, label in nodes}
    names = Shown(labels, {}, set())
    for text in dict.fromkeys((kernel.equation, *(s.equation for s in stated(kernel)))):
        for named in values_of_names(text, kernel, numbers) if is_notation(text) else ():
            if not same(names.shown.setdefault(named[0], named), named):
                names.several.add(named[0])
    names.several.update(name for name in names.shown if not is_power(name, names.shown))
    return names


def is_power(name: str, shown: Mapping[str, Named]) -> bool:
    """Whether what equations define as a power, as in e^2 = f (2 - f), is one of what else has its letter."""
    base, _, exponent = name.partition("^")
    if not exponent or base not in shown:
        return True
    _, shape, numbers = shown[base]
    return same(shown[name], (name, shape, numbers ** int(exponent)))


def ambiguous(kernel: Kernel) -> set[str]:
    """The names that stand for several values in the equations on a kernel's page, or there and in its C."""
    labels, shown, several = names_at_a_point(kernel)
    return several | {label for label, value in labels.items() if not is_as_shown(label, value, shown)}


def is_as_shown(label: str, value: float, shown: Mapping[str, Named]) -> bool:
    """Whether a value that is named in the C is the scalar of this name on the page, or the element."""
    if label in shown:
        named = (label, (1, 1), np.array([value]))
        turns = (value - float(shown[label][2][0])) / (2 * np.pi)  # an angle is determined up to whole ones
        return same(shown[label], named) or abs(turns - round(turns)) < 1e-9 <= abs(round(turns))
    name, _, index = label.rpartition("_")
    if name not in shown or not _INDEX.fullmatch(index):
        return True
    size = shown[name][1]
    by_number = [f"{i}{j}" for i in range(size[0]) for j in range(size[1])]
    if index not in (elements := by_number if index.isdigit() else ELEMENTS.get(size, [])):
        return size == (1, 1) or label in WIDER
    element = shown[name][2][elements.index(index)]
    return same((label, (1, 1), np.array([element])), (label, (1, 1), np.array([value])))


ELEMENTS: dict[tuple[int, int], list[str]] = {
    (3, 1): [*"xyz"],
    (4, 1): [*"wxyz"],
    (3, 3): [a + b for a in "xyz" for b in "xyz"],
}
"""How the C names the elements of a vector, a quaternion and a symmetric matrix."""

_INDEX = re.compile(r"[wxyz]{1,2}|\d\d")

WIDER = {"q_w"}
"""Elements in the C of what has fewer on the page: [cos(phi), q] is a quaternion."""


@pytest.mark.parametrize("module", sampled(MODULES, every=3))
def test_a_name_is_used_where_it_is_no_argument(module: str) -> None:
    kernels = (k for k in library().values() if k.module == module)
    assert {k.name: found for k in kernels if (found := names_met_once(k))} == {}


@pytest.mark.parametrize("module", sampled(MODULES, every=3))
def test_a_name_has_one_meaning_on_a_page(module: str) -> None:
    kernels = (k for k in library().values() if k.module == module)
    assert {k.name: found for k in kernels if (found := ambiguous(k))} == {}


def test_a_name_with_two_meanings_is_found() -> None:
    kernel = library()["mrp_from_quat"]
    other = "s_AB = u / (1 + w); [w, u] = {-q_AB if q_w < 0, q_AB otherwise}"
    assert ambiguous(replace(kernel, equation=other)) == {"w", "u"}
    kernel = library()["so3_left_jacobian"]
    other = f"{kernel.equation}; n = |r|"
    assert "n" in ambiguous(replace(kernel, equation=other)), "a vector in other equations"
    kernel = library()["curvature_radii"]
    other = f"{kernel.equation}; f^2 = 2"
    assert ambiguous(replace(kernel, equation=other)) == {"f^2"}


def test_a_name_of_the_c_that_means_another_value_on_the_page_is_found() -> None:
    kernel = library()["rigid_body_dynamics_quat"]
    other = f"{kernel.equation}; S_det = m; t = M_B"
    assert ambiguous(replace(kernel, equation=other)) == {"S_det", "t_x", "t_y", "t_z"}


def probes(text: str, kernel: Kernel) -> dict[str, str]:
    """For each function that equations define, a call with numbers of the largest shapes of its arguments."""
    found = textbook.shown(text, kernel.inputs, kernel.outputs)
    local = {e.sides[0].name for e in found.equations if e.sides[0].kind is Kind.CALL} - functions.GIVEN
    shapes = {n.node: n.value.shape for n in found.meaning.met}
    met = [n.node for n in found.meaning.met if n.node.kind is Kind.CALL]
    calls = {n.name: n for n in sorted(met, key=lambda n: [shapes[a] for a in n.args if a in shapes])}
    return {
        name: f"{name}({', '.join(_of_shape(*shapes[a]) for a in calls[name].args)})"
        for name in local & calls.keys()
    }


def _of_shape(rows: int, columns: int) -> str:
    """Numbers of a scalar, a column or a matrix."""
    numbers = [[f"{(3 * i + 5 * j) % 7 + 2}/9" for j in range(columns)] for i in range(rows)]
    if rows == columns == 1:
        return numbers[0][0]
    if columns == 1:
        return f"[{', '.join(row[0] for row in numbers)}]"
    return f"[{', '.join(f'[{chr(44).join(row)}]' for row in numbers)}]"


def functions_with_two_meanings(kernel: Kernel) -> set[str]:
    """The names of functions that texts of a page define differently: by their values at some arguments."""
    draw = floats(random.Random(kernel.name))
    numbers = {a.name: list(map(float, sample_of(a, draw))) for a in (*kernel.inputs, *kernel.outputs)}
    known: dict[str, tuple[str, Named]] = {}
    several = set()
    for text in dict.fromkeys((kernel.equation, *(s.equation for s in stated(kernel)))):
        for name, call in probes(text, kernel).items() if is_notation(text) else ():
            named = {n[0]: n for n in values_of_names(f"{text}; probed = {call}", kernel, numbers)}
            first_call, first = known.setdefault(name, (call, named["probed"]))
            if first_call != call or not same(first, named["probed"]):
                several.add(name)
    return several


@pytest.mark.parametrize("module", sampled(MODULES, every=3))
def test_a_function_has_one_meaning_on_a_page(module: str) -> None:
    kernels = (k for k in library().values() if k.module == module)
    assert {k.name: found for k in kernels if (found := functions_with_two_meanings(k))} == {}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("R(q) = 1 +", "R(q) = 1 -"),
        ("f(y) = [R(y[3:7])", "f(y) = [2 R(y[3:7])"),
        ("k_1 = f(Y)", "k_1 = f([Y, 0])"),
    ],
)
def test_a_function_with_two_meanings_is_found(before: str, after: str) -> None:
    kernel = library()["rigid_body_step_rk4_quat"]
    other = kernel.equation.replace(before, after)
    assert functions_with_two_meanings(replace(kernel, equation=other)) & {"R", "f"}


FUNCTIONS: dict[str, Callable[[float], float]] = {
    "cos": math.cos, "sin": math.sin,
    "inv": lambda x: 1 / x, "half": lambda x: x / 2, "twice": lambda x: 2 * x,
}  # fmt: skip


def misnamed(kernel: Kernel) -> set[str]:
    """The names in the C such as cos_theta that stand for something else than this function of theta.

    One may stand for 1 instead, where a condition replaces a divisor.
    """
    labels, shown, _ = names_at_a_point(kernel)
    known = {**{name: float(x[0]) for name, size, x in shown.values() if size == (1, 1)}, **labels}
    expected = {label: _called(label, known) for label in labels}
    return {
        label
        for label, x in expected.items()
        if x is not None and labels[label] != 1 and not math.isclose(labels[label], x, rel_tol=1e-9)
    }


def _called(label: str, known: Mapping[str, float]) -> float | None:
    """The function that begins the name, of what the rest names; None where it is no such name."""
    function, _, rest = label.partition("_")
    x = known.get(rest, _called(rest, known)) if function in FUNCTIONS else None
    return None if x is None else FUNCTIONS[function](x)


@pytest.mark.parametrize("module", sampled(MODULES, every=3))
def test_a_name_of_the_c_that_begins_with_a_function_is_this_function(module: str) -> None:
    kernels = (k for k in library().values() if k.module == module)
    assert {k.name: found for k in kernels if (found := misnamed(k))} == {}


def test_a_name_of_a_function_that_is_another_value_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FUNCTIONS, "cos", math.tan)
    assert misnamed(library()["quat_from_euler_xyz"]) == {f"cos_half_a_{i}" for i in range(3)}


# Preconditions

FREE: dict[type, type[Value] | Array] = {UnitQuaternion: Quaternion, Rotation: Mat3, Transform: Array((12,))}
"""For each type with a constraint on an attitude, one of the same scalars without it."""


def needed(kernel: Kernel) -> list[str]:
    """The inputs without whose constraints the formula would not be equal to the equation that is shown."""
    found, shown = [], equation_program(kernel)
    if shown is None:
        return []
    with closed_forms():
        formula = kernel.lower(False)
    for i, a in enumerate(kernel.inputs):
        if isinstance(a.type, type) and a.type in FREE:
            inputs = (*kernel.inputs[:i], replace(a, type=FREE[a.type]), *kernel.inputs[i + 1 :])
            ways = {
                "formula": Driven(replace(formula, inputs=inputs)),
                "equation": Driven(replace(shown, inputs=inputs)),
            }
            if compare(inputs, ways, kernel.name).difference:
                found.append(a.name.replace("T_", "R_") if a.type is Transform else a.name)
    return found


def test_a_constraint_that_a_formula_needs_is_a_precondition_that_is_shown() -> None:
    """Where R R^T = 1 or q.q = 1 is used, the documentation says so."""
    kernels = [k for k in library().values() if k.outputs]
    every = [(k, name) for k in kernels for name in needed(k)]
    assert len(every) >= 17
    for kernel, name in every:
        named = rf"`{name}`(?: and `\w+`)?|`\w+` and `{name}`"
        said = re.search(rf"(?:{named}) (?:is|are) (?:orthonormal|(?:a )?unit)", kernel.requires)
        assert said, f"{kernel.name}: {name}"


@pytest.mark.parametrize("module", sampled(MODULES, every=6))
def test_the_form_of_a_stated_step_is_its_text(module: str) -> None:
    for kernel in (k for k in library().values() if k.module == module):
        for step in derivation(kernel):
            if isinstance(step.form, str):
                assert step.form == step.equation
                assert read(step.equation)


@pytest.mark.parametrize(
    ("name", "equation", "holds"),
    [
        ("motion_cross_matrix", "M = crm(v) = [[w~, 0], [v_O~, w~]]; v = [w, v_O]", True),
        ("motion_cross_matrix", "M = crm(v) = [[w~, 0], [v_O~, -w~]]; v = [w, v_O]", False),
        ("inertia_scale", "I_scaled = s [[J, h~], [-h~, m 1]]", True),
        ("inertia_scale", "I_scaled = s [[J, h~], [h~, m 1]]", False),
        ("inertia_scale", "m' = s m; h' = s h; J' = s J + e_z e_y^T - e_z e_y^T", True),
        ("inertia_scale", "m' = s m; h' = s h; J' = s J + e_z e_y^T", False),
        ("quat_conjugate", "q_conj^* = q", True),
        ("quat_conjugate", "q_conj^* = -q", False),
    ],
)
def test_every_side_of_an_equation_is_checked(name: str, equation: str, holds: bool) -> None:
    proof = prove(replace(library()[name], equation=equation))
    assert proof.equation_residual is not None
    assert proof.status == ("proven" if holds else "failed: the equation in its documentation does not hold")


def test_a_condition_on_some_scalars_of_the_results_is_no_equation_for_all() -> None:
    kernel = library()["quat_conjugate"]
    assert is_evaluated(replace(kernel, equation="q_conj^* = q"))
    assert not is_evaluated(replace(kernel, equation="q_conj[0] = q[0]"))


def test_a_side_that_cannot_be_evaluated_is_no_equation() -> None:
    assert not is_evaluated(replace(library()["quat_conjugate"], equation="q_conj = q^* = q_AB^T q x q"))


@pytest.mark.exhaustive
def test_the_equation_of_a_certified_kernel_is_evaluated_on_60_digits() -> None:
    kernel = library()["transform_interpolate"]
    assert prove(kernel).equation_residual is not None
    wrong = replace(kernel, equation=kernel.equation.replace("V(1)^-1 p_01", "V(1)^-1 (p_01 + n)"))
    assert prove(wrong).status == "failed: the equation in its documentation does not hold"
