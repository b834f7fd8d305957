"""The order of a function's statements."""

import pytest

from codegen.emit.body import TURN, Fill, Load, Statement, Store, by_kind, filled, woven

A, B, C = (Load("float", name, f"in[{i}]") for i, name in enumerate("abc"))
T, U = Statement("float", "t", "a + b"), Statement("float", "u", "t * c")
EARLY, MIDDLE, LATE = (Store("", f"out[{i}]", value, results=(i,)) for i, value in enumerate("atu"))
LOOP = Fill("", "rows", "0.0F", results=tuple(range(3, 40)), size=40)


def test_after_the_last_load_a_store_follows_what_it_stores() -> None:
    known = [1, 4, 5, 5]
    found = woven([A, B, C, T, U], [LATE, MIDDLE, EARLY, LOOP], [known[2], known[1], known[0], known[3]])
    assert found == ((A, B, C), (LOOP, EARLY, T, MIDDLE, U, LATE))


def test_values_that_are_computed_between_loads_are_stored_after_the_last_one() -> None:
    assert woven([A, B, T, C, U], [MIDDLE, LATE], [3, 5]) == ((A, B, T, C), (MIDDLE, U, LATE))


def test_without_loads_stores_follow_at_once() -> None:
    assert woven([T, U], [MIDDLE, LATE], [1, 2]) == ((T, MIDDLE, U, LATE),)


def test_kinds_stand_apart() -> None:
    found = by_kind([C, T, A, B, U], [LOOP, LATE], [f"in[{i}]" for i in range(3)])
    assert found == ((A, B, C), (T, U), (LOOP, LATE))
    assert by_kind([], [LATE], []) == ((LATE,),)


@pytest.mark.parametrize(
    ("zeros", "others", "size"),
    [(32, 0, 32), (32, 32, 64), (33, 32, 64), (31, 0, 0), (32, 33, 0), (39, 1, 40)],
)
def test_many_zeros_are_filled(zeros: int, others: int, size: int) -> None:
    """The last elements, fewer than a turn, are stored one by one."""
    texts = ["0.0F"] * zeros + ["x"] * others
    stores = [Store("", f"rows[{i}]", text, 7, (100 + i,)) for i, text in enumerate(texts)]
    found = filled(stores, "rows", "0.0F", "k")
    loops = [s for s in found if isinstance(s, Fill)]
    assert [(s.name, s.size, s.node) for s in loops] == ([("rows", size, 7)] if size else [])
    assert sorted(k for s in found for k in s.results) == [100 + i for i in range(zeros + others)]
    assert found[len(loops) :] == [s for s in stores if not loops or s.results[0] not in loops[0].results]
    assert not loops or loops[0].results == tuple(100 + i for i in range(min(zeros, size)))


def test_members_of_a_structure_are_not_filled() -> None:
    stores = [Store("", f"rows->m{i}", "0.0F", 7, (i,)) for i in range(64)]
    assert filled(stores, "rows", "0.0F", "k") == stores


def test_a_loop_in_lines_and_in_one() -> None:
    lines = LOOP.lines
    assert lines[:3] == (
        f"for (int k = 0; k < 40; k += {TURN}) {{",
        "    rows[k] = 0.0F;",
        "    rows[k + 1] = 0.0F;",
    )
    assert (len(lines), lines[-1]) == (TURN + 2, "}")
    assert LOOP.c == " ".join(line.strip() for line in lines)
