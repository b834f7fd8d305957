"""The inequalities that are shown say as much as they can, and weaker ones are seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from codegen.library import library
from codegen.modeling.equations.textbook import equation_condition, equation_program
from codegen.modeling.kernel import Kernel
from codegen.modeling.steps import Form
from codegen.proof.derivation import _definition, hand_written
from tests.conftest import sampled
from tests.inequalities import weak_inequalities
from tests.solutions import leaves_open, solutions

SEQUENCES = ("zyx", "zxz_intrinsic")
"""A sequence of each kind, as all 24 are made by one function."""


def kernels() -> dict[str, Kernel]:
    """The kernels that have results, of the Euler sequences some."""
    chosen = tuple(f"euler_{sequence}_from" for sequence in SEQUENCES)
    return {
        name: kernel
        for name, kernel in library().items()
        if kernel.outputs and (kernel.module != "euler" or name.startswith(chosen))
    }


def shown() -> list[tuple[str, str]]:
    """Each equation of the library that states an inequality of results, with its kernel."""
    found = []
    for name, kernel in kernels().items():
        steps = (*_definition(kernel), *hand_written(kernel))
        texts = [kernel.equation, *(s.form for s in steps if isinstance(s.form, str))]
        found += [(name, text) for text in texts if any(inequalities(text))]
    return list(dict.fromkeys(found))


def definitions() -> list[tuple[str, Form]]:
    """The conditions that define the results of a kernel: its property, and its equation if it states any."""
    found: list[tuple[str, Form]] = []
    for name, kernel in kernels().items():
        found += [(name, s.form) for s in _definition(kernel) if s.form and s.implicit]
        if equation_program(kernel) is None and equation_condition(kernel) is not None:
            found.append((name, kernel.equation))
    return list(dict.fromkeys(found))


def inequalities(text: str) -> Iterator[re.Match[str]]:
    """The places of an equation where inequalities are stated, other than as conditions of a choice."""
    outside = re.sub(r"\{[^{}]*\}", lambda choice: "_" * len(choice[0]), text)
    return re.finditer(r"[^;,\n]*[<>][^;,\n]*", outside)


WIDER = {
    "<= pi / 2": "<= pi",
    "<= pi": "<= 4",
    "-pi <": "-4 <",
    "0 <": "-1 <",
    "> 0": "> -1",
    ">= 0": ">= -1",
}


def weaker(text: str) -> Iterator[str]:
    """The text with one inequality that holds of more: another bound, no sign, or a part of a chain."""
    for found in inequalities(text):
        for less in _weaker(found[0].strip()):
            yield f"{text[: found.start()]} {less}{text[found.end() :]}"


def _weaker(inequality: str) -> Iterator[str]:
    yield from (inequality.replace(bound, wider) for bound, wider in WIDER.items() if bound in inequality)
    if absolute := re.search(r"\|(\w+)\| <", inequality):
        yield f"{absolute[1]} <{inequality[absolute.end() :]}"
    if len(chain := re.split(r" <=? ", inequality)) == 3:
        a, b, c = chain
        yield from (f"{a} <= {b}", f"{b} <= {c}", f"{a} <= {c}, {b} <= {c}", f"{a} <= {b}, {a} <= {c}")


@pytest.mark.parametrize("stated", sampled(shown(), 16))
def test_an_inequality_says_as_much_as_it_can(stated: tuple[str, str]) -> None:
    name, text = stated
    assert not weak_inequalities(library()[name], text)


WEAKER = [(name, less) for name, text in shown() for less in weaker(text)]


@pytest.mark.parametrize("weakened", sampled(WEAKER, 16))
def test_a_weaker_inequality_is_seen(weakened: tuple[str, str]) -> None:
    name, less = weakened
    assert weak_inequalities(library()[name], less)


@pytest.mark.parametrize("stated", sampled(definitions(), 16))
def test_a_definition_determines_the_results(stated: tuple[str, Form]) -> None:
    name, conditions = stated
    assert any(s.found.size for s in solutions(library()[name], conditions))
    assert not leaves_open(library()[name], conditions)


LESS = [
    (name, f"{text[: found.start()]}{text[found.end() :].lstrip(';,')}")
    for name, text in definitions()
    if isinstance(text, str)
    for found in inequalities(text)
]


@pytest.mark.parametrize("stated", sampled(LESS, 16))
def test_a_definition_without_one_of_its_inequalities_leaves_results_open(stated: tuple[str, str]) -> None:
    name, less = stated
    assert leaves_open(library()[name], less)


def test_chains_and_bounds_are_weakened() -> None:
    assert [*weaker("R = 1; a <= b <= c"), *weaker("|a| <= pi; x = {a if a < b, b otherwise}")] == [
        "R = 1; a <= b",
        "R = 1; b <= c",
        "R = 1; a <= c, b <= c",
        "R = 1; a <= b, a <= c",
        " |a| <= 4; x = {a if a < b, b otherwise}",
        " a <= pi; x = {a if a < b, b otherwise}",
    ]
