# ruff: noqa: E501
"""Returns in the place of breaks.

Their neighbours return something else, or do something between.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """int fc_f_f32(int n, int m, const float *r, const float *x, float *s, float *t, int *a, int *used)
{{
    float total = 0.0F;
    int count = 0;
    int i;
    int j;
    {body}
}}
"""
BREAK = "for (i = 0; i < n; i++) { if (x[i] > r[i]) { count = 1; break; } s[i] = r[i]; } return count;"
RETURN = "for (i = 0; i < n; i++) { if (x[i] > r[i]) { return 1; } s[i] = r[i]; } return 0;"
STORED = "i = 0; while (i < n) { if (x[i] > r[i]) { count = 2; break; } if (r[i] < 0.0F) { break; } s[i] = r[i]; i++; } *used = i; t[0] = 1.0F; return count;"
STORED_RETURN = "i = 0; while (i < n) { if (x[i] > r[i]) { *used = i; t[0] = 1.0F; return 2; } if (r[i] < 0.0F) { *used = i; t[0] = 1.0F; return 0; } s[i] = r[i]; i++; } *used = i; t[0] = 1.0F; return 0;"
INNER = "for (i = 0; i < n; i++) { for (j = 0; j < m; j++) { if (r[j] < 0.0F) { break; } total += r[j]; } if (total > x[i]) { count = 2; break; } s[i] = total; } t[0] = total; return count;"
INNER_RETURN = "for (i = 0; i < n; i++) { for (j = 0; j < m; j++) { if (r[j] < 0.0F) { break; } total += r[j]; } if (total > x[i]) { t[0] = total; return 2; } s[i] = total; } t[0] = total; return 0;"

SAME = [
    (BREAK, RETURN),
    (BREAK, RETURN.replace("{ return 1; }", "{ count = 1; return count; }")),
    (STORED, STORED_RETURN),
    (INNER, INNER_RETURN),
]  # fmt: skip
OTHER = [
    (BREAK, RETURN.replace("return 1", "return 0")),
    (BREAK, RETURN.replace("return 0", "return 1")),
    (BREAK, RETURN.replace("return 1", "return 2")),
    (BREAK, RETURN.replace("{ return 1; }", "{ s[i] = 1.0F; return 1; }")),
    (BREAK, RETURN.replace("s[i] = r[i]; }", "s[i] = r[i]; return 1; }").replace("{ return 1; } s", "{ break; } s")),
    (BREAK, BREAK.replace("break;", "continue;")),
    (BREAK.replace("return count;", "count++; return count;"), RETURN),
    (STORED, STORED_RETURN.replace("*used = i; ", "", 1)),
    (STORED, STORED_RETURN.replace("*used = i; t[0] = 1.0F; return 0; }", "t[0] = 1.0F; return 0; }")),
    (STORED, STORED_RETURN.replace("return 2", "return 0")),
    (STORED, STORED_RETURN.replace("{ *used = i; t[0] = 1.0F; return 2; }", "{ *used = i + 1; t[0] = 1.0F; return 2; }")),
    (STORED, STORED_RETURN.replace("t[0] = 1.0F; return 2", "t[0] = 2.0F; return 2")),
    (STORED, STORED_RETURN.replace("{ *used = i; t", "{ int i = 3; *used = i; t", 1)),
    (INNER, INNER_RETURN.replace("{ break; }", "{ t[0] = total; return 0; }")),
    (INNER, INNER_RETURN.replace("{ t[0] = total; return 2; }", "{ return 2; }")),
    (INNER, INNER_RETURN.replace("s[i] = total; }", "s[i] = total; t[0] = total; }")),
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    changes = compare_trees({"fc_f.c": FORM.format(body=old)}, {"fc_f.c": FORM.format(body=new)})
    return changes[0].kind if changes else ChangeClass.IDENTICAL


@pytest.mark.parametrize(("old", "new"), SAME)
def test_a_return_is_a_break(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_another_return_is_not_taken_for_it(old: str, new: str) -> None:
    assert kind(old, new) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
    assert kind(new, old) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
