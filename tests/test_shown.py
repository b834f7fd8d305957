"""What is shown is what is checked: no change of an equation's text leaves the checks of its kernel green."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import pytest

from codegen.errors import FeatherError
from codegen.ir.types import Array, Value
from codegen.library import library
from codegen.modeling import textbook
from codegen.modeling.algebra import Mat3, Quaternion, Rotation, Transform, UnitQuaternion
from codegen.modeling.kernel import Kernel
from codegen.modeling.scalar import closed_forms
from codegen.modeling.steps import Step
from codegen.modeling.textbook import equation_condition, equation_program, is_notation
from codegen.notation.meaning import Meaning
from codegen.notation.reader import read
from codegen.proof.checks import check_steps
from codegen.proof.derivation import derivation, hand_written
from codegen.proof.equivalence import Driven, compare
from codegen.proof.proof import prove
from tests.conftest import sampled
from tests.test_notation import TABLE


class Edit(NamedTuple):
    """A change of an equation that is shown: of a step, or at -1 of the kernel itself."""

    kernel: str
    step: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.kernel} {self.step}: {self.after}"


def mutants(text: str) -> Iterator[str]:
    """The text with a sign turned, operands exchanged, or a number changed."""
    for found in re.finditer(r" ([-+]) ", text):
        yield text[: found.start(1)] + {"+": "-", "-": "+"}[found[1]] + text[found.end(1) :]
    for found in re.finditer(r"([A-Za-z_']+(?:_\w+)?) ([x.]|\(x\)) ([A-Za-z_']+(?:_\w+)?)", text):
        if found[2] != ".":
            yield f"{text[: found.start()]}{found[3]} {found[2]} {found[1]}{text[found.end() :]}"
    for found in re.finditer(r"(?<![\w.\[:^])\d+(?![\w.\]:])", text):
        yield text[: found.start()] + str(int(found[0]) + 1) + text[found.end() :]


def is_evaluated(kernel: Kernel) -> bool:
    """Whether the equation in a kernel's documentation gives its results, or conditions on them."""
    return equation_program(kernel) is not None or equation_condition(kernel) is not None


def edits() -> list[Edit]:
    """Every change of the equations that are shown of the library's kernels.

    The conditions of a kernel without results are left out; below they are compared in both directions.
    """
    found = []
    for name, kernel in library().items():
        if is_notation(kernel.equation):
            found += [Edit(name, -1, kernel.equation, m) for m in mutants(kernel.equation)]
        for i, step in enumerate(hand_written(kernel)):
            if isinstance(step.form, str) and kernel.outputs:
                found += [Edit(name, i, step.equation, m) for m in mutants(step.equation)]
    return found


def chosen() -> list[Any]:
    """The edits: every 160th in the quick run, every eighth in the exhaustive one, all in `make fuzz`."""
    every, others = edits(), pytest.mark.fuzz
    return [
        *sampled(every[::8], every=40),
        *(pytest.param(e, marks=others) for i, e in enumerate(every) if i % 8),
    ]


@pytest.mark.parametrize("edit", chosen(), ids=str)
def test_a_change_of_what_is_shown_is_seen(edit: Edit, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = library()[edit.kernel]
    if edit.step < 0:
        wrong = replace(kernel, equation=edit.after)
        assert not is_evaluated(wrong) or prove(wrong).status.startswith("failed")
        return
    steps = hand_written(kernel)
    step = steps[edit.step]
    wrong_step = replace(step, equation=edit.after, form=edit.after)
    assert _problems(monkeypatch, kernel, [*steps[: edit.step], wrong_step, *steps[edit.step + 1 :]])


def _problems(monkeypatch: pytest.MonkeyPatch, kernel: Kernel, steps: Sequence[Step]) -> bool:
    """Whether the checks of a kernel with other steps find something."""
    module = import_module(f"codegen.library.{kernel.module}.steps")
    monkeypatch.setitem(module.STEPS, kernel.name, tuple(steps))
    try:
        return bool(check_steps(kernel))
    except FeatherError:  # what cannot be evaluated cannot be shown, either
        return True


def is_physical(text: str, bodies: Sequence[Sequence[float]]) -> list[bool]:
    inputs = library()["inertia_validate"].inputs
    systems = (textbook.arguments(inputs, scalars, TABLE) for scalars in bodies)
    try:
        return [not np.any(np.abs(Meaning(read(text), known, TABLE).residuals()) > 1e-9) for known in systems]
    except FeatherError:
        return []


@pytest.mark.parametrize("step", [0, 1])
def test_a_change_of_what_a_physical_inertia_must_meet_is_seen(step: int) -> None:
    text = hand_written(library()["inertia_validate"])[step].equation
    random, bodies, expected = np.random.default_rng(3), [], []
    for _ in range(100):
        points, masses = random.normal(size=(4, 5)), random.uniform(-0.1, 1, 5)
        points[3] = 1
        P = points @ np.diag(masses) @ points.T
        J = np.trace(P[:3, :3]) * np.eye(3) - P[:3, :3]
        bodies.append([P[3, 3], *P[:3, 3], *(J[i, j] for i in range(3) for j in range(i, 3))])
        expected.append(bool(np.linalg.eigvalsh(P)[0] >= 0))
    assert is_physical(text, bodies) == expected
    assert [m for m in mutants(text) if is_physical(m, bodies) == expected] == []


# Preconditions

FREE: dict[type, type[Value] | Array] = {UnitQuaternion: Quaternion, Rotation: Mat3, Transform: Array((12,))}
"""For each type with a constraint on an attitude, one of the same scalars without it."""


def needed(kernel: Kernel) -> list[str]:
    """The inputs without whose constraints the formula would not be equal to the equation that is shown."""
    found, stated = [], equation_program(kernel)
    if stated is None:
        return []
    with closed_forms():
        formula = kernel.lower(False)
    for i, a in enumerate(kernel.inputs):
        if isinstance(a.type, type) and a.type in FREE:
            inputs = (*kernel.inputs[:i], replace(a, type=FREE[a.type]), *kernel.inputs[i + 1 :])
            ways = {
                "formula": Driven(replace(formula, inputs=inputs)),
                "equation": Driven(replace(stated, inputs=inputs)),
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
        stated = re.search(rf"(?:{named}) (?:is|are) (?:orthonormal|(?:a )?unit)", kernel.requires)
        assert stated, f"{kernel.name}: {name}"


def test_the_form_of_a_stated_step_is_its_text() -> None:
    for kernel in library().values():
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
