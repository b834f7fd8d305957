"""The symbols of equations that pages explain beside the arguments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from codegen.emit.options import Options
from codegen.explain.book.pages import Around
from codegen.explain.book.pages import page as page_of
from codegen.explain.inspection.content import whole
from codegen.explain.inspection.inspect import document
from codegen.explain.symbols import COUNTED, Symbol, counts_elements, introduced, symbols, texts, unexplained
from codegen.library import library
from codegen.library.constants import QUANTITIES
from codegen.library.routines import routines
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.notation.syntax import Kind
from codegen.notation.unicode import line
from codegen.provenance.matching import written_values
from codegen.provenance.shown import equations, joined
from codegen.provenance.written import Text
from tests.conftest import sampled

EVERY: dict[str, Kernel | Routine] = {**library(), **routines()}


def told(name: str) -> dict[str, str]:
    """The symbols of a page as text, each with meaning, unit and frame."""
    return {", ".join(s.names): as_text(s) for s in symbols(EVERY[name])}


def as_text(s: Symbol) -> str:
    return " | ".join((joined(s.plain, str, line), s.unit, s.frame))


def test_every_symbol_of_a_page_is_explained_there() -> None:
    """It is an argument, defined by an equation, or in the list of symbols."""
    assert {name: found for name, s in EVERY.items() if (found := unexplained(s))} == {}


def test_a_symbol_that_nothing_explains_is_found() -> None:
    kernel = replace(library()["inertia_com"], equation="c = h / m + 0 k_B")
    assert unexplained(kernel) == {"k_B"}


def test_parts_of_arguments_have_their_unit_and_frame() -> None:
    assert told("transform_point") == {
        "p_AB_A": "of T_AB: position of B's origin from A's, in A | m | B to A",
        "R_AB": "of T_AB: rotation matrix | 1 | B to A",
    }
    found = told("inertia_add")
    assert found["m_sum, m_1, m_2"] == "of I_sum, I_1 and I_2: mass | kg | "
    assert found["J_sum, J_1, J_2"].endswith("inertia matrix about the frame's origin | kg m^2 | A")


def test_arguments_without_their_frames_or_with_another_letter_are_named() -> None:
    assert told("quat_to_dcm")["q"] == "q_AB: attitude, of any norm | 1 | B to A"
    found = {s.names: line(s.printed[0]) for s in symbols(library()["rpy_kinematics"])}
    assert found[("w_B",)] == "ω_B"


def constants(subject: Kernel | Routine) -> Iterator[str]:
    """The names that equations define as numbers of more than three digits."""
    for stated in filter(None, (equations(subject, text) for text in texts(subject))):
        for left, *others in (e.sides for e in stated.equations):
            numbers = [n for side in others for n in side.nodes()]
            measured = any(n.kind is Kind.NUMBER and len(line_of(n.value)) > 3 for n in numbers)
            if measured and all(n.kind is not Kind.NAME for n in numbers):
                yield left.name


def line_of(number: object) -> str:
    return str(number).replace("/", "").strip("0")


def test_constants_have_a_meaning_and_a_unit() -> None:
    found = {(name, c) for name, s in EVERY.items() for c in constants(s)}
    assert len(found) >= 19
    for name, constant in sorted(found):
        (shown,) = [s for s in symbols(EVERY[name]) if constant in s.names]
        assert shown.unit, f"{name}: {constant}"


@pytest.mark.parametrize("name", ["rigid_body_step_rk4_quat", "inertia_from_com"])
def test_names_that_define_results_are_explained(name: str) -> None:
    shown = {n for s in symbols(library()[name]) for n in s.names}
    assert shown >= ({"p_N'", "q_NB'"} if name.endswith("quat") else {"m_O", "h", "J"})


def test_quantities_that_an_equation_defines_have_the_words_of_the_textbook() -> None:
    assert told("geodetic_from_ecef")["N"] == "radius of curvature in the prime vertical | m | "
    assert told("rigid_body_dynamics_quat")["H"].startswith("angular momentum about the centre of mass")


@pytest.mark.parametrize("module", QUANTITIES)
def test_every_quantity_in_words_is_on_a_page(module: str) -> None:
    """A letter that no kernel of the subject defines, or that depends on no argument, has no place there."""
    every = [s for s in EVERY.values() if s.module == module]
    found = {name for subject in every for s in symbols(subject) for name in s.names}
    assert set(QUANTITIES[module]) <= found


def test_a_symbol_is_explained_at_the_step_that_introduces_it() -> None:
    """Each symbol once, at the first of the texts of a page that has it."""
    for subject in EVERY.values():
        seen: list[str] = []
        for text, new in introduced(subject).items():
            stated = equations(subject, text)
            assert stated is not None
            nodes = (n for e in stated.equations for side in e.sides for n in side.nodes())
            assert {name for s in new for name in s.names} <= {n.name for n in nodes}
            seen += [name for s in new for name in s.names]
        assert len(seen) == len(set(seen))
    steps = list(introduced(library()["geodetic_from_ecef"]).values())
    assert [s.names for s in steps[1]] == [("rho",)]  # the definition has e


def values_of_letters(kernel: Kernel) -> dict[str, list[np.ndarray[Any, Any]]]:
    """For each name in the equations about a kernel its values, one for each text that has it."""
    known, _ = written_values(kernel)
    found: dict[tuple[str, Text, tuple[int, int]], dict[tuple[int, int], Any]] = {}
    for place, value in zip(known.places, known.values, strict=True):
        if place.is_named:
            own = found.setdefault((place.node.name, place.text, place.shape), {})
            own[place.row, place.column] = value
    values: dict[str, list[Any]] = {}
    for (name, _, shape), elements in found.items():
        block = np.full((*shape, known.values.shape[1]), np.nan)  # an element may be called otherwise
        for at, value in elements.items():
            block[at] = value
        values.setdefault(name, []).append(block)
    return values


def agree(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    """Whether two values are the same where both are known; a number is that times the unit matrix."""
    if a.shape[:2] == (1, 1) != b.shape[:2]:
        return agree(a * np.eye(*b.shape[:2])[:, :, None], b)
    if b.shape[:2] == (1, 1) != a.shape[:2]:
        return agree(b, a)
    both = np.isfinite(a) & np.isfinite(b)
    return a.shape == b.shape and np.allclose(a[both], b[both], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", sampled(sorted(library()), every=3))
def test_a_letter_has_one_meaning_on_a_page(name: str) -> None:
    """The definition, the steps and the equation of a kernel give each name the same value."""
    every = values_of_letters(library()[name])
    assert [x for x, values in every.items() if not all(agree(values[0], v) for v in values[1:])] == []


def test_a_letter_with_two_meanings_is_found() -> None:
    kernel = library()["rotvec_from_quat"]
    twice = replace(
        kernel, equation="r = k u; k = 2 atan2(|u|, w) / |u|; [w, u] = {-q if q_w < 0, q otherwise}"
    )
    values = values_of_letters(twice)["w"]
    assert not all(agree(values[0], v) for v in values[1:])


@pytest.mark.parametrize(
    ("name", "counted"),
    [
        ("dcm_rotate", True),
        ("rpy_from_quat", True),
        ("inertia_principal", True),
        ("quat_multiply", False),
        ("inertia_add", False),
    ],
)
def test_elements_are_said_to_be_counted_from_0_where_there_are_any(name: str, counted: bool) -> None:
    kernel = library()[name]
    assert counts_elements(kernel) is counted
    assert (COUNTED in document("", "html", [whole(kernel, Options())[0]])) is counted


def test_the_page_says_it() -> None:
    assert page_of(library()["dcm_to_quat"], Around([], [], {})).context["counted"] == COUNTED
