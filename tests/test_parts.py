"""A Program in two halves, and the local arrays of functions with loops, keep what they compute."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from codegen.frontends.formula import lower
from codegen.ir.loops import Looped, Part, Place, unrolled
from codegen.ir.program import Arg, evaluate, validate
from codegen.ir.systems import F64, fractions
from codegen.ir.types import REAL, Array
from codegen.passes.flash import flash
from codegen.passes.halves import halves
from codegen.passes.parts import in_parts

EXACT = fractions(F64)


def arg(name: str, size: int = 0) -> Arg:
    return Arg(name, Array((size,)) if size else REAL, "1", name)


def both(x: Any, row: Any, late: Any) -> Any:
    """Something that is known at first, and something that is known late."""
    shared = x[0] * x[1] + 3
    return [shared, x[1] * row[0]], shared * late + row[1] * late + x[0]


def test_halves_compute_what_the_whole_does() -> None:
    whole = lower([arg("x", 2), arg("row", 2), arg("late")], [arg("first", 2), arg("second")], both, False)
    first, second = halves(whole, 1, {"late"}, {"row"}, "kept")
    assert [a.name for a in first.inputs] == ["x", "row"]
    assert [a.name for a in second.inputs] == ["kept", "row", "late"]
    assert first.outputs[-1] == second.inputs[0]
    assert second.inputs[0].size == 2  # x[0] and what both halves need
    for part in (first, second):
        validate(part)
    x, row, late = ([Fraction(k, 7) for k in numbers] for numbers in ((2, 3), (5, 11), (13,)))
    a, b, *kept = evaluate(first, EXACT, [*x, *row]).results
    (c,) = evaluate(second, EXACT, [*kept, *row, *late]).results
    assert [a, b, c] == evaluate(whole, EXACT, [*x, *row, *late]).results


def test_elements_that_no_part_reads_are_left_out() -> None:
    def squares(x: Any) -> Any:
        return ([a * a for a in x],)

    def some(held: Any) -> Any:
        return held[1] + held[3]

    x, held, y = arg("x", 4), arg("held", 4), arg("y")
    before, after = lower([x], [held], squares, False), lower([held], [y], some, False)
    parts = (Part(before, (Place("x"),), (Place("held"),)), Part(after, (Place("held"),), (Place("y"),)))
    looped = Looped((x,), (y,), (held,), {}, parts)
    narrow = in_parts(looped, lambda program: program)
    assert [a.size for a in narrow.locals] == [2]
    assert [len(part.program.results) for part in narrow.parts] == [2, 1]
    given = [Fraction(k, 3) for k in (1, 2, 4, 5)]
    results = [evaluate(unrolled(form).program, EXACT, given).results for form in (looped, narrow)]
    assert results[0] == results[1] == [Fraction(4 + 25, 9)]


def test_columns_of_tables_that_no_part_reads_are_left_out() -> None:
    """Whether a loop reads the rows from the first one on or from the last one back."""
    x, held, y, row, one = arg("x", 3), arg("held", 3), arg("y", 3), arg("row", 4), arg("one", 1)
    on = lower([row, one], [one], lambda row, one: ([row[3] * one[0]],), False)
    back = lower([row, one], [one], lambda row, one: ([row[1] + one[0]],), False)
    each, last = Place("x", 0, 1), Place("held", 2, -1)
    parts = (
        Part(on, (Place("table", 0, 4), each), (Place("held", 0, 1),), 3),
        Part(back, (Place("table", 8, -4), last), (Place("y", 2, -1),), 3),
    )
    numbers = tuple(Fraction(k) for k in range(12))
    narrow = in_parts(Looped((x,), (y,), (held,), {"table": numbers}, parts), lambda program: program)
    assert narrow.tables == {"table": tuple(map(Fraction, (1, 3, 5, 7, 9, 11)))}
    given = [Fraction(2), Fraction(3), Fraction(5)]
    found = evaluate(unrolled(narrow).program, EXACT, given).results
    assert found == [3 * 2 + 1, 7 * 3 + 5, 11 * 5 + 9]


def test_a_loop_in_the_turns_of_another_fills_a_triangle() -> None:
    x, y, doubles, waste = arg("x", 3), arg("y", 6), arg("doubles", 3), arg("waste", 1)
    one, own, element = arg("one", 1), arg("own", 1), arg("element", 1)
    outer = lower([one], [own, waste], lambda one: ([one[0] * 2], [one[0] + 1]), False)
    inner = lower([own, one], [element], lambda own, one: ([own[0] * one[0]],), False)
    each = Place("x", 0, 1)
    parts = (
        Part(outer, (each,), (Place("doubles", 0, 1), Place("waste")), 3),
        Part(inner, (Place("doubles", step=1), each), (Place("y", step=1, growth=1),), 3, 1),
    )
    looped = Looped((x,), (y,), (doubles, waste), {}, parts)
    assert [len(part.all_turns) for part in parts] == [3, 6]
    narrow = in_parts(looped, lambda program: program)
    assert [a.name for a in narrow.locals] == ["doubles"]
    given = [Fraction(k, 3) for k in (1, 2, 4)]
    found = [evaluate(unrolled(form).program, EXACT, given).results for form in (looped, narrow)]
    assert found[0] == found[1] == [2 * a * b for k, a in enumerate(given) for b in given[: k + 1]]


def test_a_loop_stays_for_the_sake_of_one_in_its_turns() -> None:
    x, y, waste = arg("x", 2), arg("y", 3), arg("waste", 1)
    copied = lower([arg("one", 1)], [arg("own", 1)], lambda one: ([one[0]],), False)
    parts = (
        Part(copied, (Place("x", 0, 1),), (Place("waste"),), 2),
        Part(copied, (Place("x", 0, 1),), (Place("y", step=1, growth=1),), 2, 1),
    )
    narrow = in_parts(Looped((x,), (y,), (waste,), {}, parts), lambda program: program)
    assert [(part.turns, part.steps) for part in narrow.parts] == [(2, None), (2, 1)]
    assert not narrow.parts[0].program.outputs
    assert evaluate(unrolled(narrow).program, EXACT, [Fraction(5), Fraction(7)]).results == [5, 7, 7]


def test_longer_programs_take_more_flash() -> None:
    def sums(count: int) -> float:
        x = arg("x", 2)

        def formula(x: Any) -> Any:
            total = x[0]
            for k in range(count):
                total = total * x[1] + k
            return total

        return flash(lower([x], [arg("y")], formula, False))

    assert 50 < sums(10) < sums(100) < sums(1000)
    assert sums(1000) - sums(900) > sums(100) - sums(0)  # values spill
