"""A lint over printed formulas: brackets are balanced, and nothing of the notation is left over."""

from __future__ import annotations

import re
from functools import cache

import pytest

from codegen.ir.status import Status
from codegen.library import library
from codegen.library.routines import routines
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.notation.latex import latex
from codegen.notation.layout import Row
from codegen.notation.mathml import markup
from codegen.notation.prose import pieces
from codegen.notation.unicode import line
from codegen.proof.derivation import hand_written
from codegen.provenance.shown import prose, rows
from tests.conftest import sampled
from tests.texts import texts

EVERY = 20
"""Every so many pages belong to one batch."""

each_batch = pytest.mark.parametrize("first", sampled(range(EVERY), every=EVERY))


@cache
def printed(first: int) -> tuple[tuple[str, Row], ...]:
    """The formulas of a batch of pages: of the equation, the steps and the prose."""
    subjects: list[Kernel | Routine] = [*library().values(), *routines().values()]
    found: list[tuple[str, Row]] = []
    for subject in subjects[first::EVERY]:
        equations = [subject.equation]
        if isinstance(subject, Kernel):
            equations += [step.equation for step in hand_written(subject)]
        found += [(subject.name, row) for text in equations for row in rows(subject, text)]
        in_prose = (part for text in texts(subject) for part in prose(subject, text))
        found += [(subject.name, part) for part in in_prose if isinstance(part, Row)]
    return tuple(found)


@each_batch
def test_brackets_are_balanced(first: int) -> None:
    assert len(printed(first)) > 50
    for name, row in printed(first):
        for shown in (line(row), latex(row).replace("\\left", "").replace("\\right", "")):
            open_: list[str] = []
            for character in shown:
                if character in "([{":
                    open_.append(character)
                elif character in ")]}":
                    assert open_, f"{name}: {shown}"
                    assert open_.pop() + character in ("()", "[]", "{}"), f"{name}: {shown}"
            assert not open_, f"{name}: {shown}"


@each_batch
def test_nothing_of_the_notation_is_left_over(first: int) -> None:
    for name, row in printed(first):
        for text in re.findall(r">([^<]+)<", markup(row)):
            assert not re.search(r"[_^`\\]|<=|>=|\(x\)", text), f"{name}: {text}"
        assert not re.search(r"\^|(?<![^ (\[|])_|_(?![\w.])|`|<=|>=|\(x\)", line(row)), f"{name}: {line(row)}"


@each_batch
def test_a_letter_of_a_quaternions_scalar_part_is_not_that_of_an_angular_velocity(first: int) -> None:
    for name, row in printed(first):
        assert "[ω, u]" not in line(row), f"{name}: {line(row)}"


NAMES = {*library(), *routines(), *(s.name or "" for s in Status), "geometry_msgs", "MAX_CONTACTS"}
"""Names of code, which prose may have among its words."""


def test_formulas_in_prose_are_marked_as_such() -> None:
    """No index, exponent, product, derivative, relation or Greek letter by its name is among the words."""
    subjects: list[Kernel | Routine] = [*library().values(), *routines().values()]
    for subject, text in ((s, text) for s in subjects for text in texts(s)):
        words = "".join(piece.text for piece in pieces(text) if not piece.is_formula)
        indexed = {name for name in re.findall(r"[A-Za-z]\w*_\w+", words) if not name.startswith("M_")}
        assert indexed <= NAMES, f"{subject.name}: {words}"
        found = re.search(r"<=|>=|[)\]]\^|\b(pi|alpha|beta|phi|psi|theta|lambda|omega)\b", words)
        assert not found, f"{subject.name}: {words}"
        found = re.search(r"[A-Za-z]\.[a-z]|\(x\)|\bd2?/d|\w~|[a-wyz]\*|\|\w| = -?\w+ [A-Za-z]\b", words)
        assert not found, f"{subject.name}: {words}"
