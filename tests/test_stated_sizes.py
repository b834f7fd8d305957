"""A pointer among the parameters of a definition is an array of the size that its prototypes state."""

from __future__ import annotations

import pytest

from codegen.review.diff import Change, ChangeClass, compare_trees

HEAD = "void fc_f_f64(const double A[4], double y[2])"
BODY = "\n{\n    y[0] = A[3] * A[1];\n    y[1] = A[2];\n}\n"
POINTERS = "void fc_f_f64(const double *A, double *y)"


def change(prototype: str, head: str, body: str = BODY) -> Change:
    old = {"a.h": f"{HEAD};\n", "a.c": f'#include "a.h"\n\n{HEAD}{BODY}'}
    new = {"a.h": f"{prototype}\n", "a.c": f'#include "a.h"\n\n{head}{body}'}
    (found,) = (c for c in compare_trees(old, new) if c.symbol == "fc_f_f64")
    return found


@pytest.mark.parametrize(
    "head",
    [
        POINTERS,
        "void fc_f_f64(const double *A, double y[2])",
        "void fc_f_f64(const double *const A, double *const y)",
        "void fc_f_f64(const double A[], double y[])",
    ],
)
def test_a_pointer_of_a_definition_has_the_stated_size(head: str) -> None:
    assert change(f"{HEAD};", head).kind is ChangeClass.COSMETIC
    assert change(f"{HEAD};", head, BODY.replace("A[1]", "A[0]")).kind is ChangeClass.CHANGED
    assert change(f"{HEAD};", head, BODY.replace("A[1]", "A[4]")).kind is ChangeClass.UNREADABLE


@pytest.mark.parametrize(
    "prototype",
    [
        f"{HEAD.replace('A[4]', 'A[3]')};",
        f"{HEAD.replace('A[4]', 'A[5]')};",
        f"{HEAD.replace('const ', '')};",
        f"{HEAD.replace('double A', 'float A')};",
        f"{HEAD}; {HEAD.replace('A[4]', 'A[3]')};",
        f"{HEAD.replace('A[4], double y[2]', 'A[4]')};",
    ],
)
def test_another_size_is_another_interface(prototype: str) -> None:
    found = change(prototype, POINTERS)
    assert found.kinds & {ChangeClass.INTERFACE, ChangeClass.UNREADABLE}


def test_without_a_size_the_reason_says_so() -> None:
    found = change(f"{POINTERS};", POINTERS)
    said = "a.c, line 5: element 3 of A, which is a pointer that states no number of elements"
    assert (found.kind, found.detail) == (ChangeClass.UNREADABLE, f"cannot be read: {said}")


def test_restrict_is_kept() -> None:
    found = change(f"{HEAD};", "void fc_f_f64(const double *restrict A, double *y)")
    assert found.kind in (ChangeClass.INTERFACE, ChangeClass.UNREADABLE)
