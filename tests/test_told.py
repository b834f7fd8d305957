"""Conditions that are told of limits and of tests are those that the formulas compute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from codegen.library import library
from codegen.modeling.kernel import Kernel
from codegen.modeling.types import scalar
from codegen.proof.checks import check_equations
from codegen.proof.told import check_told, differences
from tests.conftest import sampled


def told_of(kernel: Kernel) -> list[scalar.Told]:
    with scalar.replacements() as replaced:
        kernel.lower(False)
    with scalar.tests() as tested:
        kernel.lower(True)
    return [told for told in (*replaced, *tested) if told.form]


TOLD = {name: told_of(kernel) for name, kernel in library().items() if told_of(kernel)}
FIRST = {told.form: (name, told) for name, every in reversed(TOLD.items()) for told in every}
"""One kernel of each condition."""


def test_limits_and_tests_of_many_kernels_are_told() -> None:
    assert len(TOLD) > 20
    assert len(FIRST) >= 8


@pytest.mark.parametrize("name", sampled([*TOLD], every=8))
def test_the_conditions_are_those_of_the_formula(name: str) -> None:
    assert list(check_told(library()[name])) == []


_CHANGES = (
    (r"(?<= )>=(?= )", ">"), (r"(?<= )>(?= )", ">="), (r"(?<= )<=(?= )", "<"), (r"(?<= )<(?= )", "<="),
    (r"\bmin\b", "eps"), (r"\bmin\b", "2 min"), (r"\beps\b", "2 eps"), (r"(?<= )\+(?= )", "-"),
    (r"(?<= )-(?= )", "+"), (r"\^2", "^3"), (r"^-", ""), (r"\b4\b", "5"), (r"\b3\b(?!\])", "4"),
    (r"\b16\b", "15"), (r"\btr\((\w+)\) / 2", r"tr(\1) / 3"), (r"^\|(\w+)\|", r"\1"), (r" and ", " or "),
)  # fmt: skip


def changes() -> Iterator[tuple[str, scalar.Told]]:
    """Every change of a sign, a comparison or a constant of a condition."""
    for name, told in FIRST.values():
        for pattern, instead in _CHANGES:
            for found in re.finditer(pattern, told.form):
                before, after = told.form[: found.start()], told.form[found.end() :]
                form = before + found.expand(instead) + after
                yield name, told._replace(form=form)


def runs() -> list[Any]:
    """The changes, of which the quick run takes a few; those of how pivots are compared take long to see."""
    short = [c for c in changes() if not _is_long(c[1].form)]
    long = [pytest.param(c, marks=pytest.mark.fuzz) for c in changes() if _is_long(c[1].form)]
    return [*sampled(short, every=6), *long]


def _is_long(form: str) -> bool:
    return form.startswith("G") and not form.startswith("G[0, 0] >= 0, u >= 0, v >= 0, u v >= w^2, ")


@pytest.mark.parametrize("change", runs(), ids=lambda c: f"{c[0]}: {c[1].form}")
def test_a_change_of_a_condition_is_seen(change: tuple[str, scalar.Told]) -> None:
    name, changed = change
    assert list(differences(library()[name], changed)) != []


def test_conditions_that_are_told_are_among_the_equations_that_are_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = TOLD["angle_wrap"][0]._replace(form="-pi <= angle <= pi")
    monkeypatch.setattr("codegen.proof.checks.check_told", lambda kernel: differences(kernel, other))
    (said,) = check_equations(library()["angle_wrap"])
    assert said.startswith("angle_wrap: the condition -pi <= angle <= pi: the formula has another one")


def test_a_condition_without_a_value_is_named() -> None:
    (told,) = TOLD["angle_wrap"]
    (said,) = differences(library()["angle_wrap"], told._replace(form="angles < 1"))
    assert said == (
        "the condition angles < 1: it cannot be compared: angles is neither an argument nor defined by an "
        "equation"
    )
