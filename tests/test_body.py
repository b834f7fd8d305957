"""The order of a function's statements."""

from codegen.emit.body import Load, Statement, Store, by_kind, woven

A, B, C = (Load("float", name, f"in[{i}]") for i, name in enumerate("abc"))
T, U = Statement("float", "t", "a + b"), Statement("float", "u", "t * c")
EARLY, MIDDLE, LATE = (Store("", f"out[{i}]", value, result=i) for i, value in enumerate("atu"))
ZERO = Store("", "out[3]", "0.0F", result=3)


def test_after_the_last_load_a_store_follows_what_it_stores() -> None:
    found = woven([A, B, C, T, U], [LATE, MIDDLE, EARLY, ZERO], [5, 4, 1, 0])
    assert found == ((A, B, C), (EARLY, ZERO, T, MIDDLE, U, LATE))


def test_values_that_are_computed_between_loads_are_stored_after_the_last_one() -> None:
    assert woven([A, B, T, C, U], [MIDDLE, LATE], [3, 5]) == ((A, B, T, C), (MIDDLE, U, LATE))


def test_without_loads_stores_follow_at_once() -> None:
    assert woven([T, U], [MIDDLE, LATE], [1, 2]) == ((T, MIDDLE, U, LATE),)


def test_kinds_stand_apart() -> None:
    found = by_kind([C, T, A, B, U], [ZERO, LATE], [f"in[{i}]" for i in range(3)])
    assert found == ((A, B, C), (T, U), (ZERO, LATE))
    assert by_kind([], [LATE], []) == ((LATE,),)
