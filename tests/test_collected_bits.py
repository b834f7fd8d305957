# ruff: noqa: E501
"""Bits that a loop collects: in the variable that has others already, or in one of their own.

Their neighbours use the variable for something else, or collect other bits, elsewhere or not at all.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """int fc_f_f32(int n, int m, const float *r, const float *x, float *s, float *t, int *a, int *used)
{{
    int flags = 0;
    int i;
    int j;
    {body}
    return flags;
}}
"""
ALL = "for (i = 0; i < n; i++) { s[i] = r[i]; for (j = 0; j < m; j++) { if (x[j] > s[i]) { flags |= 4; } t[j] = s[i]; } }"
OWN = "for (i = 0; i < n; i++) { int own = 0; s[i] = r[i]; for (j = 0; j < m; j++) { if (x[j] > s[i]) { own |= 4; } t[j] = s[i]; } flags |= own; }"
GIVEN = "flags = m; for (i = 0; i < n; i++) { if (r[i] > 0.0F) { flags |= a[i]; } else { flags |= 2; } }"
APART = "int own = 0; flags = m; for (i = 0; i < n; i++) { if (r[i] > 0.0F) { own |= a[i]; } else { own |= 2; } } flags |= own;"
BIT = "flags = m; for (i = 0; i < n; i++) { if (r[i] > 0.0F) { flags |= 8; } }"
SET = "int own = 0; flags = m; for (i = 0; i < n; i++) { if (r[i] > 0.0F) { own = 8; } } flags |= own;"
EXIT = "flags = m; for (i = 0; i < n; i++) { if (r[i] > 2.0F) { break; } if (r[i] > 0.0F) { flags |= 8; } s[i] = 1.0F; } *used = i;"
EXIT_SET = "int own = 0; flags = m; for (i = 0; i < n; i++) { if (r[i] > 2.0F) { break; } if (r[i] > 0.0F) { own = 8; } s[i] = 1.0F; } *used = i; flags |= own;"
FIRST = "for (j = 0; j < n; j++) { if (x[j] > 1.0F) { flags |= 2; } } "
AFTER = FIRST + "for (i = 0; i < m; i++) { if (r[i] > 0.0F) { flags |= 4; } s[i] = r[i]; }"
AFTER_DO = (
    FIRST + "if (0 < m) { i = 0; do { if (r[i] > 0.0F) { flags |= 4; } s[i] = r[i]; i++; } while (i < m); }"
)

SAME = [
    (ALL, OWN),
    (ALL, OWN.replace("own |= 4", "own = 4")),
    (GIVEN, APART),
    (BIT, SET),
    (BIT, SET.replace("own = 8", "own |= 8").replace("flags |= own", "flags = own | flags")),
    (BIT, SET.replace("own = 8", "own = own | 8")),
    (EXIT, EXIT_SET),
    (AFTER, AFTER_DO),
]  # fmt: skip
OTHER = [
    (ALL, OWN.replace("int own = 0;", "int own = 1;")),
    (ALL, OWN.replace("flags |= own", "flags = own")),
    (ALL, OWN.replace("flags |= own", "flags += own")),
    (ALL, OWN.replace("flags |= own; }", "} ").replace("int own = 0; ", "").replace("own |=", "flags =").replace("{ flags = 4; }", "{ flags = flags + 4; }")),
    (ALL, OWN.replace("own |= 4", "own |= 5")),
    (ALL, OWN.replace("t[j] = s[i];", "t[j] = (float)own;")),
    (ALL, OWN.replace("x[j] > s[i]", "x[j] > s[i] && own == 0").replace("t[j] = s[i]", "t[j] = own > 0 ? 1.0F : s[i]")),
    (ALL, OWN.replace("{ own |= 4; }", "{ own |= 4; } else { own = 0; }")),
    (ALL, OWN.replace("flags |= own;", "if (i > 0) { flags |= own; }")),
    (GIVEN, APART.replace("own |= a[i]", "own = a[i]")),
    (GIVEN, APART.replace("own |= 2", "own = 2")),
    (GIVEN, APART.replace("flags |= own;", "")),
    (GIVEN, APART.replace("flags |= own;", "flags = own;")),
    (GIVEN, APART.replace("flags = m;", "").replace("flags |= own;", "flags = m & own;")),
    (BIT, SET.replace("own = 8", "own = 8; flags = 0")),
    (BIT, SET.replace("own = 8", "own = own ? 16 : 8")),
    (BIT, SET.replace("{ own = 8; }", "{ own = 8; } else if (r[i] < -1.0F) { own = 4; }")),
    (BIT, SET.replace("int own = 0", "int own = 4")),
    (BIT, SET.replace("{ own = 8; }", "{ own = 8; } else { own = 0; }")),
    (BIT, BIT.replace("flags |= 8", "flags = 8")),
    (BIT, BIT.replace("flags |= 8;", "flags |= 8; *used = flags;")),
    (EXIT, EXIT_SET.replace("{ break; }", "{ own = 0; break; }")),
    (EXIT, EXIT_SET.replace("{ break; }", "{ own = 16; break; }")),
    (EXIT, EXIT_SET.replace("{ break; }", "{ return flags; }")),
    (EXIT, EXIT_SET.replace("{ break; }", "{ return own; }")),
    (AFTER, AFTER_DO.replace("if (0 < m)", "if (0 < n)")),
    (AFTER, AFTER_DO.replace("{ i = 0;", "{ i = 0; flags = 0;")),
    (AFTER, AFTER_DO.replace("i++; }", "i++; flags |= 8; }")),
    (AFTER, AFTER_DO + " else { flags = 0; }"),
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    (change,) = compare_trees({"fc_f.c": FORM.format(body=old)}, {"fc_f.c": FORM.format(body=new)})
    return change.kind


@pytest.mark.parametrize(("old", "new"), SAME)
def test_bits_are_collected_in_a_variable_of_their_own(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_other_bits_are_not_taken_for_them(old: str, new: str) -> None:
    assert kind(old, new) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
    assert kind(new, old) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
