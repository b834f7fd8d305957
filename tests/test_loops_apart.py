# ruff: noqa: E501
"""Loops that are one though statements stand between them, and loops that call short functions.

What stands between them may stand before both or behind both where no loop tells anything of it. A short
function is read where it is called, so that it is known what it writes.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """typedef struct {{
    float low;
    float high;
}} ends;

/* the larger one of x and 0 */
static void above(float x, float *y)
{{
    float larger = x > 0.0F ? x : 0.0F;
    *y = larger;
}}

{top}void fc_f_f32(int n, int m, const float r[], const float x[], float s[], float t[], int *used)
{{
    float rate = r[n];
    float size;
    int i;
    {body}
    s[n] = rate;
    s[n + 1] = size;
}}
"""
ONE = "size = x[n]; for (i = 0; i < n; i++) { const float term = r[i] * x[i]; rate += term; size += term < 0.0F ? -term : term; }"
APART = "{ float sum = rate; for (i = 0; i < n; i++) { sum += r[i] * x[i]; } rate = sum; size = x[n]; } for (i = 0; i < n; i++) { const float term = r[i] * x[i]; size += term < 0.0F ? -term : term; }"
BETWEEN = APART.replace("} for (i = 0; i < n; i++) { const", "for (i = 0; i < n; i++) { const") + " }"
HELPER = """static float dot(const float a[], float start, const float b[], int k)
{
    float sum = start;
    int j;
    for (j = 0; j < k; j++) {
        sum += a[j] * b[j];
    }
    return sum;
}

"""
CALLED = "rate = dot(r, rate, x, n); size = x[n]; for (i = 0; i < n; i++) { const float term = r[i] * x[i]; size += term < 0.0F ? -term : term; }"
LOCAL = "float next[8]; size = 0.0F; if (n < 0 || n > 8) { return; } "
STORE = (
    LOCAL
    + "for (i = 0; i < n; i++) { next[i] = x[i]; if (r[i] > 1.0F) { above(r[i], &next[i]); } } for (i = 0; i < n; i++) { s[i] = next[i]; }"
)
SPLIT = (
    LOCAL
    + "for (i = 0; i < n; i++) { next[i] = x[i]; } for (i = 0; i < n; i++) { if (r[i] > 1.0F) { above(r[i], &next[i]); } } for (i = 0; i < n; i++) { s[i] = next[i]; }"
)
ELSE = STORE.replace("next[i] = x[i]; if", "if").replace(
    "&next[i]); }", "&next[i]); } else { next[i] = x[i]; }"
)

SAME = [
    (ONE, APART, ""),
    (ONE, BETWEEN, ""),
    (ONE, BETWEEN.replace("size = x[n];", "size = x[n] + 0.0F * 0.0F;").replace(" + 0.0F * 0.0F", ""), ""),
    (ONE, CALLED, HELPER),
    (STORE, SPLIT, ""),
]  # fmt: skip
OTHER = [
    (ONE, BETWEEN.replace("size = x[n]", "size = sum")),
    (ONE, BETWEEN.replace("size = x[n]", "size = rate")),
    (ONE, BETWEEN.replace("rate = sum;", "rate = sum + rate;")),
    (ONE, BETWEEN.replace("rate = sum;", "").replace("-term : term; }", "-term : term; } rate = sum + 1.0F;")),
    (ONE, BETWEEN.replace("sum += r[i]", "sum += r[i] * sum")),
    (ONE, BETWEEN.replace("size = x[n]", "size = x[n]; n = n - 1")),
    (ONE, BETWEEN.replace("size = x[n]", "n = n - 1; size = x[n]")),
    (ONE, BETWEEN.replace("size = x[n]", "i = n; size = x[i]").replace("x[n]", "x[i]")),
    (ONE, BETWEEN.replace("size = x[n]", "size = x[n]; sum = 0.0F").replace("rate = sum; ", "").replace("-term : term; }", "-term : term; } rate = sum;")),
    (ONE, BETWEEN.replace("size += term", "size += sum + term", 1)),
    (ONE.replace("rate += term", "s[i] = term"), BETWEEN.replace("sum += r[i] * x[i]", "s[i] = r[i] * x[i]").replace("rate = sum; ", "")),  # s may be x
    (ONE.replace("rate += term", "t[i] = 1.0F"), BETWEEN.replace("sum += r[i] * x[i]", "t[i] = 1.0F").replace("rate = sum; ", "")),  # t[0] may be x[n]
    ("size = x[n]; m = 2; for (i = 0; i < n; i++) { rate += r[i] * (float)m; size += r[i]; }", "size = x[n]; for (i = 0; i < n; i++) { rate += r[i] * (float)m; } m = 2; for (i = 0; i < n; i++) { size += r[i]; }"),
    ("float own[8]; own[0] = 1.0F; size = own[0]; for (i = 0; i < n; i++) { own[i] = r[i]; size += x[i]; }", "float own[8]; own[0] = 1.0F; for (i = 0; i < n; i++) { own[i] = r[i]; } size = own[0]; for (i = 0; i < n; i++) { size += x[i]; }"),
    ("size = x[n]; for (i = 0; i < n; i++) { rate += r[i]; size += x[i]; } size = rate;", "size = x[n]; for (i = 0; i < n; i++) { rate += r[i]; } size = rate; for (i = 0; i < n; i++) { size += x[i]; }"),
    ("float own[8]; float low; size = x[n]; own[0] = 1.0F; for (i = 0; i < n; i++) { rate += r[i]; own[i] = x[i]; } low = own[0] * rate; size = low;", "float own[8]; float low; size = x[n]; own[0] = 1.0F; for (i = 0; i < n; i++) { rate += r[i]; } low = own[0] * rate; for (i = 0; i < n; i++) { own[i] = x[i]; } size = low;"),
    (ONE, CALLED.replace("dot(r, rate, x, n)", "dot(r, rate, r, n)")),
    (ONE, CALLED.replace("dot(r, rate, x, n)", "dot(r, rate, x, n - 1)")),
    (ONE, CALLED.replace("dot(r, rate", "dot(r, r[0]")),
    (ONE, CALLED.replace("size = x[n]", "size = rate")),
    (STORE, SPLIT.replace("above(r[i], &next[i])", "above(r[i], &next[0])")),
    (STORE, SPLIT.replace("above(r[i]", "above(x[i]")),
    (STORE, SPLIT.replace("{ next[i] = x[i]; }", "{ next[i] = next[0]; }")),
    (STORE, SPLIT.replace("{ next[i] = x[i]; } for (i = 0; i < n", "{ next[i] = x[i]; } for (i = 1; i < n")),
    (STORE.replace("float next[8];", "float *next = t;"), SPLIT.replace("float next[8];", "float *next = t;")),  # t may be x + 1
    (STORE.replace("above(r[i], &next[i])", "above(next[0], &next[i])"), SPLIT.replace("above(r[i], &next[i])", "above(next[n - 1], &next[i])")),
    (STORE.replace("above(r[i], &next[i])", "above(next[n - 1 - i], &next[i])"), SPLIT.replace("above(r[i], &next[i])", "above(next[n - 1 - i], &next[i])")),
    (STORE, SPLIT.replace("if (r[i] > 1.0F)", "if (next[i] > 1.0F)")),
    (STORE, ELSE.replace("else { next[i] = x[i]; }", "else { next[i] = r[i]; }")),
    (STORE, ELSE.replace("else { next[i] = x[i]; }", "")),
    (STORE, ELSE.replace("r[i] > 1.0F", "r[i] >= 1.0F")),
]  # fmt: skip


def kind(old: str, new: str, top: str = HELPER) -> ChangeClass:
    before, after = ({"fc_f.c": FORM.format(body=body, top=top)} for body in (old, new))
    changes = {change.symbol: change.kind for change in compare_trees(before, after)}
    return changes.get("fc_f_f32", ChangeClass.IDENTICAL)


@pytest.mark.parametrize(("old", "new", "top"), SAME)
def test_loops_are_one_beside_what_they_tell_nothing_of(old: str, new: str, top: str) -> None:
    assert kind(old, new, top) is ChangeClass.COSMETIC
    assert kind(new, old, top) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_what_a_loop_tells_does_not_pass_it(old: str, new: str) -> None:
    for pair in ((old, new), (new, old)):
        assert kind(*pair) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)


def test_a_value_that_a_call_replaces_need_not_be_there_first() -> None:
    assert kind(STORE, ELSE) is ChangeClass.COSMETIC
    assert kind(ELSE, STORE) is ChangeClass.UNREADABLE  # which loads x[i] also where it does not matter
