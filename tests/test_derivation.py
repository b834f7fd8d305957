"""Derivations: every kernel has one, every step follows from the one before, and a wrong step is found."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from itertools import pairwise
from typing import Any

import pytest
import sympy

import codegen
from codegen.ir.cost import cost, cost_text
from codegen.ir.program import evaluate
from codegen.ir.systems import fractions
from codegen.library import MODULES, library
from codegen.modeling.bind import bind
from codegen.modeling.kernel import Kernel
from codegen.modeling.steps import Step
from codegen.notation.prose import pieces
from codegen.passes import REGISTERS, SEARCH, SMALL_PASSES
from codegen.passes.pipeline import optimised
from codegen.proof.checks import check_steps
from codegen.proof.derivation import (
    SERIES,
    cross_check,
    derivation,
    equations,
    hand_written,
    machine_made,
    stated,
)
from tests.conftest import sampled
from tests.stated import in_sympy, zeros_in_sympy

PASSES = sorted({*SMALL_PASSES, SEARCH, REGISTERS}, key=lambda p: p.name)
KINDS = ("definition", "step", "formula", "cross-check", "passes")


MANY_PATHS = ("inertia_principal", "transform_interpolate")
"""Kernels whose steps take long to compare."""

STEPS = [
    pytest.param(name, marks=pytest.mark.exhaustive if i % 20 or name in MANY_PATHS else ())
    for i, name in enumerate(library())
]


@pytest.mark.parametrize("name", STEPS)
def test_every_step_follows(name: str) -> None:
    assert check_steps(library()[name]) == []


def test_every_kernel_has_a_definition_a_step_and_a_source() -> None:
    without: dict[str, list[str]] = {"definition": [], "step": [], "source": []}
    for kernel in library().values():
        kinds = [s.kind for s in stated(kernel)]
        if kinds[:1] != ["definition"]:
            without["definition"].append(kernel.name)
        if "step" not in kinds:
            without["step"].append(kernel.name)
        if not kernel.source or not all(s.source for s in stated(kernel)):
            without["source"].append(kernel.name)
    assert without == {"definition": [], "step": [], "source": []}


ONE_LINE = {
    "copies, sums and multiples": "quat_conjugate quat_from_xyzw quat_to_xyzw inertia_add inertia_subtract "
    "inertia_scale inertia_to_array inertia_from_array central_from_com unit_to_inertia inertia_to_unit "
    "inertia_com articulated_from_inertia articulated_add articulated_add_inertia articulated_to_matrix "
    "inertia_to_matrix inertia_to_matrix_linear_first inertia_to_pseudo inertia_from_pseudo quat_mean_add "
    "motion_cross_matrix mass_flow_force joint_prismatic point_mass_inertia",
    "one scalar product, or one product of matrices": "motion_dot_force contact_dot dcm_multiply dcm_rotate "
    "inertia_rate_moment articulated_multiply transform_point transform_compose motion_transform_matrix "
    "force_transform_matrix unit_from_central",
    "one elementary rotation": "dcm_eci_to_ecef dcm_frd_to_flu",
    "one factor or one length that is shared": "quat_from_axis_angle gravitation_point sphere_plane_contact",
    "a property that is solved in one line": "contact_project contact_descend contact_momentum",
    "a choice": "contact_violation",
}
"""The kernels whose derivation a lecturer writes in one line, by what this line is."""


def test_every_other_kernel_has_several_steps() -> None:
    single = {k.name for k in library().values() if len(hand_written(k)) == 1}
    assert single == {name for names in ONE_LINE.values() for name in names.split()}


def test_a_property_stands_before_the_form_that_solves_it() -> None:
    first, second, *_ = derivation(library()["contact_project"])
    assert (first.title, first.implicit) == ("Defining property", True)
    assert (second.title, second.equation) == (
        "Results that have this property",
        "lambda_next = max((N_ii lambda_i - rate) / N_ii, 0)",
    )


def test_every_hand_written_step_is_of_a_kernel_and_says_what_it_does_and_why() -> None:
    for module in MODULES:
        steps = import_module(f"codegen.library.{module}.steps").STEPS
        assert set(steps) == {k.name for k in library().values() if k.module == module}
        for name, written in steps.items():
            assert all(s.title and s.equation and s.by and s.source and s.form for s in written), name
            assert len({s.title for s in written}) == len(written), name


def test_no_step_says_simplify() -> None:
    """The title of a step names its operation; so do those of passes."""
    titles = {s.title for k in library().values() for s in hand_written(k)}
    titles |= {p.title for p in PASSES}
    assert [title for title in titles if "simpl" in title.lower()] == []


def _formulas_in_prose(step: Step) -> list[str]:
    """What stands between backticks in the title and the reason of a step, and is no name."""
    prose = (*pieces(step.title), *pieces(step.by))
    return [p.text for p in prose if p.is_formula and not p.text.removesuffix("'").isidentifier()]


def test_the_reason_of_a_step_has_names_between_backticks_and_no_formulas() -> None:
    """A formula is an equation of a step, which is checked; prose is not."""
    written = ((k, s) for k in library().values() for s in derivation(k) if s.kind != "passes")
    found = {(k.name, f) for k, s in written for f in _formulas_in_prose(s)}
    assert found == set()


def test_the_text_of_a_casadi_derivation_has_names_and_no_formulas() -> None:
    """It says how the code derives the results; nothing compares a formula in it."""
    found = {
        (k.name, f) for k in library().values() for s in cross_check(k) for f in _formulas_in_text(s.equation)
    }
    assert found == set()


def _formulas_in_text(text: str) -> list[str]:
    """What is no name between backticks, and numbers and signs among the words."""
    marked = [p.text for p in pieces(text) if p.is_formula and not p.text.removesuffix("'").isidentifier()]
    words = " ".join(p.text for p in pieces(text) if not p.is_formula)
    return marked + [w for w in words.split() if any(c in "0123456789=^*/<>+~|" for c in w) or w == "-"]


@pytest.mark.parametrize(
    "text", ["the norm `sqrt(q.q)`", "dq = 2 w", "27 particles", "mu / r", "a - b", "r^2"]
)
def test_a_formula_in_the_text_of_a_derivation_is_found(text: str) -> None:
    assert _formulas_in_text(text) != []


@pytest.mark.parametrize("formula", ["m a = F", "a x b", "cos(theta)", "v + u", "k s", "r~", "-B", "e^2"])
def test_a_formula_in_the_reason_of_a_step_is_found(formula: str) -> None:
    assert _formulas_in_prose(Step("Add", "y = x", f"with `x` and `w_B'`, `{formula}`")) == [formula]


def test_the_matrix_of_a_cross_product_has_one_name() -> None:
    texts = {f"{s.title}: {s.by}" for k in library().values() for s in hand_written(k)}
    assert [text for text in texts if "tilde" in text or "skew" in text.lower()] == []


def test_steps_come_in_the_order_of_the_derivation() -> None:
    for name in ("quat_rotate", "rpy_from_quat", "inertia_validate", "inertia_transform", "contact_dot"):
        kinds = [KINDS.index(s.kind) for s in derivation(library()[name])]
        assert kinds == sorted(kinds)
        formula = next(s for s in derivation(library()[name]) if s.kind == "formula")
        assert formula.equation == library()[name].equation


@pytest.mark.parametrize("name", ["rpy_from_quat", "quat_to_dcm", "rigid_body_dynamics_quat"])
def test_passes_count_operations_from_the_formula_to_the_printed_program(name: str) -> None:
    kernel = library()[name]
    counts = [s.equation.split(" -> ") for s in derivation(kernel) if s.kind == "passes"]
    assert counts[0][0] == cost_text(cost(kernel.program(True)))
    assert counts[-1][-1] == cost_text(cost(optimised(kernel)))
    assert all(before[-1] == after[0] for before, after in pairwise(counts))
    assert machine_made(kernel)[-1][1].nodes == optimised(kernel).nodes


def _with_steps(monkeypatch: pytest.MonkeyPatch, kernel: Kernel, steps: Sequence[Step]) -> list[str]:
    """The findings of the checks for a kernel with other hand-written steps."""
    module = import_module(f"codegen.library.{kernel.module}.steps")
    monkeypatch.setitem(module.STEPS, kernel.name, tuple(steps))
    return check_steps(kernel)


def _with_a_wrong_sign(kernel: Kernel, step: Step, position: int) -> Step:
    """The step with one of its results that is not 0 negated."""
    assert step.form is not None
    right = (zeros_in_sympy if step.implicit else in_sympy)(kernel, step.form)

    def form(*arguments: Any) -> list[Any]:
        results = list(right(*arguments))
        wrong = [i for i, x in enumerate(results) if x != 0][position]
        return [-x if i == wrong else x for i, x in enumerate(results)]

    return replace(step, form=form)


@pytest.mark.parametrize(
    "name", sampled(["quat_rotate", "articulated_reduce", "inertia_bias_force", "contact_rhs"], every=2)
)
@pytest.mark.parametrize("position", [0, -1])
def test_a_wrong_sign_is_found_and_its_step_named(
    monkeypatch: pytest.MonkeyPatch, name: str, position: int
) -> None:
    kernel = library()[name]
    steps = hand_written(kernel)
    for i, step in enumerate(steps):
        broken = [*steps[:i], _with_a_wrong_sign(kernel, step, position), *steps[i + 1 :]]
        (problem,) = _with_steps(monkeypatch, kernel, broken)
        assert problem.startswith(f"{name}: ")
        assert step.title in problem


def test_a_wrong_condition_is_found_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = library()["rpy_from_dcm"]
    first, second = hand_written(kernel)

    def wrong(R_NB: Sequence[Any], rpy: Sequence[Any]) -> list[Any]:
        return [R_NB[6] - sympy.sin(rpy[1])]  # it is -sin(theta)

    problems = _with_steps(monkeypatch, kernel, [first, replace(second, form=wrong)])
    assert problems == [f"rpy_from_dcm: {second.title}: it does not hold"]


def test_a_step_that_cannot_be_checked_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = library()["quat_conjugate"]
    (step,) = hand_written(kernel)
    problems = _with_steps(monkeypatch, kernel, [replace(step, form=None)])
    assert problems == [f"quat_conjugate: {step.title}: it has no form to check"]


def test_equations_name_the_results_or_are_zero() -> None:
    kernel = library()["inertia_com"]
    definition, by_reciprocal, *_ = derivation(kernel)
    assert [name for name, _ in equations(kernel, definition)] == ["c_x", "c_y", "c_z"]
    assert str(equations(kernel, by_reciprocal)[0][1]) == "I_O_h_x/I_O_m"
    angles = library()["rpy_from_dcm"]
    assert {name for name, _ in equations(angles, derivation(angles)[0])} == {"0"}
    assert equations(kernel, derivation(kernel)[-1]) == []


def _doubled(definition: Any = None) -> Kernel:
    @codegen.kernel(
        inputs=[codegen.Arg("x", codegen.REAL, "1", "number"), codegen.Arg("y", codegen.REAL, "1", "number")],
        outputs=[codegen.Arg("z", codegen.REAL, "1", "result")],
        equation="z = x y + x y",
        source="arithmetic",
        definition=definition,
    )
    def doubled(x: Any, y: Any) -> Any:
        """Twice a product."""
        return x * y + x * y

    return doubled


def test_a_users_model_with_a_definition() -> None:
    kernel = _doubled(lambda x, y: [2 * x * y])
    steps = derivation(kernel)
    assert [s.kind for s in steps[:2]] == ["definition", "formula"]
    assert steps[0].equation == "z = x y + x y"
    assert any(s.kind == "passes" and s.equation == "2 mul, 1 add -> 1 mul, 1 add" for s in steps)
    assert check_steps(kernel) == []


def test_a_definition_in_words_is_shown_by_the_models_equations() -> None:
    def in_sympy(x: Any, y: Any) -> list[Any]:
        """SymPy multiplies F P F^T."""
        return [2 * x * y]

    shown = derivation(_doubled(in_sympy))[0]
    assert shown.equation == "z = x y + x y"
    assert shown.by == "SymPy multiplies F P F^T; the code is not made from it, but compared with it"
    in_words = replace(_doubled(in_sympy), equation="twice the product")
    assert derivation(in_words)[0].equation == "SymPy multiplies F P F^T."


def test_a_users_wrong_definition_is_found() -> None:
    (problem,) = check_steps(_doubled(lambda x, y: [3 * x * y]))
    assert problem.startswith("doubled: ")
    assert "Formula of the code" in problem


def test_a_users_model_without_a_definition() -> None:
    steps = derivation(_doubled())
    assert steps[0].by.startswith("compared with the equation")
    assert check_steps(_doubled()) == []
    in_words = replace(_doubled(), equation="twice the product")
    assert derivation(in_words)[0].by == "stated by the model, without an independent form"


def test_a_sympy_model() -> None:
    x = sympy.Symbol("x")
    arguments = codegen.Arg("x", codegen.REAL, "rad", "angle"), codegen.Arg("y", codegen.REAL, "1", "result")
    kernel = codegen.from_sympy("wave", [(arguments[0], x)], [(arguments[1], sympy.sin(x) ** 2)])
    assert derivation(kernel)[0].kind == "formula"
    assert check_steps(kernel) == []


def test_a_kernel_with_bound_values_has_the_published_steps_then_its_values() -> None:
    published = library()["inertia_from_com"]
    kernel = bind(published, {"m": (Fraction(3, 2),), "c": (Fraction(0),) * 3})
    steps = derivation(kernel)
    assert [s.title for s in steps[:2]] == [s.title for s in derivation(published)[:2]]
    (values,) = (s for s in steps if s.title == "Bind values")
    assert values.equation == "m = 1.5\nc = 0, 0, 0"
    assert len(equations(kernel, steps[0])) == 10


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("inertia_com", {"I_O": tuple(map(Fraction, (2, 1, 0, 0, 1, 0, 0, 1, 0, 1)))}),
        pytest.param(
            "inertia_from_com",
            {"m": (Fraction(3, 2),), "c": (Fraction(0),) * 3},
            marks=pytest.mark.exhaustive,
        ),
    ],
)
def test_the_steps_of_a_kernel_with_bound_values_follow(
    name: str, values: dict[str, tuple[Fraction, ...]]
) -> None:
    assert check_steps(bind(library()[name], values)) == []


def test_values_that_are_not_those_bound_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    published = library()["inertia_com"]
    kernel = bind(published, {"I_O": tuple(map(Fraction, (2, 1, 0, 0, 1, 0, 0, 1, 0, 1)))})
    assert evaluate(kernel.program(False), fractions(), []).results[0] == Fraction(1, 2)
    wrong = replace(kernel, bound={"I_O": tuple(map(Fraction, (2, 2, 0, 0, 1, 0, 0, 1, 0, 1)))})
    assert any("Bind values" in problem for problem in check_steps(wrong))


def test_the_package_does_not_import_an_engine() -> None:
    code = "import codegen.proof.derivation, sys; sys.exit('sympy' in sys.modules or 'casadi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_step_of_limits_says_what_stands_for_the_closed_form() -> None:
    """Each kernel states its own: an angle is not wrapped by a limit, and no mass is no small angle."""

    def step(name: str) -> str:
        return next(s.equation for s in derivation(library()[name]) if s.title == SERIES)

    assert step("angle_wrap") == "where `-pi < angle <= pi`, the angle itself is returned, without rounding"
    assert "m_sum" in step("unit_add")
    assert "degree 6" in step("so3_left_jacobian")
    assert "degree 7" in step("so3_left_jacobian_inverse")
