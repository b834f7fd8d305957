# ruff: noqa: E501
"""Loops that keep a sum in an element, or in a variable that is stored once behind the loop.

Both are the same where nothing that the loop touches may be that element. Where it may, where the store is
left out on a way, or where another element is stored, they are not.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """typedef struct {{
    float x;
    float y;
}} pair;

void fc_f_f32(int n, int m, const float N[], const float r[], const pair u[], const int at[], float s[], double w[])
{{
    float z[16];
    float o[16];
    float total = 0.0F;
    int i;
    int j;
    for (i = 0; i < 16; i++) {{
        z[i] = r[i];
        o[i] = r[i];
    }}
    {body}
    s[0] = total + z[m] + o[n];
}}
"""
IN_ELEMENT = (
    "for (i = 0; i < n; i++) { z[i] = r[i]; for (j = 0; j < m; j++) { z[i] += N[m * i + j] * o[j]; } }"
)
IN_VARIABLE = "for (i = 0; i < n; i++) { float t = r[i]; for (j = 0; j < m; j++) { t += N[m * i + j] * o[j]; } z[i] = t; }"
PLAIN = "z[3] = 0.0F; for (j = 0; j < m; j++) { z[3] += N[j]; }"
KEPT = "float t = 0.0F; for (j = 0; j < m; j++) { t += N[j]; } z[3] = t;"
WIDE = IN_ELEMENT.replace("z[i]", "w[i]")
WIDE_KEPT = "for (i = 0; i < n; i++) { double t = r[i]; for (j = 0; j < m; j++) { t += N[m * i + j] * o[j]; } w[i] = t; }"
GIVEN = IN_ELEMENT.replace("z[i]", "s[i]")
GIVEN_KEPT = IN_VARIABLE.replace("z[i]", "s[i]")
SAME = [
    (IN_ELEMENT, IN_VARIABLE),
    (IN_ELEMENT, IN_VARIABLE.replace("t +=", "t = t +").replace("j++", "++j")),
    (IN_ELEMENT, "for (i = 0; i < n; i++) { float *const t = &z[i]; *t = r[i]; for (j = 0; j < m; j++) { *t += N[m * i + j] * o[j]; } }"),
    (IN_ELEMENT, IN_VARIABLE.replace("for (j = 0; j < m; j++) {", "j = 0; while (j < m) {").replace("o[j]; }", "o[j]; j++; }")),
    (PLAIN, KEPT),
    (PLAIN.replace("0.0F; for", "0.0F; o[4] = 1.0F; for"), KEPT.replace("float t", "o[4] = 1.0F; float t")),
    (PLAIN.replace("N[j]", "N[j] * z[5]"), KEPT.replace("N[j]", "N[j] * z[5]")),
    (PLAIN.replace("{ z[3] += N[j]; }", "{ if (N[j] > 2.0F) { break; } z[3] += N[j]; }"), KEPT.replace("{ t += N[j]; }", "{ if (N[j] > 2.0F) { break; } t += N[j]; }")),
    (WIDE, WIDE_KEPT),
]  # fmt: skip
OTHER = [
    (IN_ELEMENT, IN_VARIABLE.replace("j < m;", "j < m - 1;")),
    (IN_ELEMENT, IN_VARIABLE.replace("j = 0;", "j = 1;")),
    (IN_ELEMENT, IN_VARIABLE.replace("t = r[i]", "t = r[0]")),
    (IN_ELEMENT, IN_VARIABLE.replace("z[i] = t", "z[i + 1] = t")),
    (IN_ELEMENT, IN_VARIABLE.replace("z[i] = t;", "if (m > 0) { z[i] = t; }")),
    (IN_ELEMENT, IN_VARIABLE.replace("z[i] = t;", "if (t > 0.0F) { z[i] = t; }")),
    (IN_ELEMENT, IN_VARIABLE.replace("float t", "double t")),
    (IN_ELEMENT.replace("o[j]", "z[j]"), IN_VARIABLE.replace("o[j]", "z[j]")),  # z[i] is read where j is i
    (IN_ELEMENT.replace("* o[j]", "* s[j] + z[n]"), IN_VARIABLE.replace("* o[j]", "* s[j] + z[n]")),
    (IN_ELEMENT.replace("z[i] +=", "z[j] = 1.0F; z[i] +="), IN_VARIABLE.replace("t +=", "z[j] = 1.0F; t +=")),
    (GIVEN, GIVEN_KEPT),  # N may be s
    (PLAIN.replace("z[3]", "s[3]"), KEPT.replace("z[3]", "s[3]")),
    (PLAIN.replace("z[3] = 0.0F; ", ""), KEPT),
    (PLAIN.replace("z[3] = 0.0F; ", ""), KEPT.replace("0.0F", "z[2]")),
    (PLAIN, KEPT.replace("z[3] = t;", "")),
    (PLAIN.replace("m; j++", "m; z[3] *= 2.0F, j++"), KEPT),
    (PLAIN.replace("z[3] += N[j];", "if (N[j] > 2.0F) { return; } z[3] += N[j];"), KEPT.replace("t += N[j];", "if (N[j] > 2.0F) { s[1] = t; return; } t += N[j];")),
    (PLAIN.replace("j = 0;", "j = 0, z[3] = 1.0F;"), KEPT),
    (WIDE.replace("N[m * i + j]", "w[m * i + j]"), WIDE_KEPT.replace("N[m * i + j]", "w[m * i + j]")),
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    (change,) = compare_trees({"fc_f.c": FORM.format(body=old)}, {"fc_f.c": FORM.format(body=new)})
    return change.kind


@pytest.mark.parametrize(("old", "new"), SAME)
def test_an_element_or_a_variable_keeps_a_sum(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_another_element_or_sum_is_not_the_same(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.UNREADABLE
    assert kind(new, old) is ChangeClass.UNREADABLE
