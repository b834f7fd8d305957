# ruff: noqa: E501
"""Routines whose first readings differ: few turns one by one, helpers in line, memcpy, the order of arrays."""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """#include <stddef.h>
#include <string.h>

typedef struct {{
    float x;
    float y;
}} pair;

{top}void fc_f_f32(int n, int m, const float r[], const pair u[], pair v[], float s[])
{{
    float total = 0.0F;
    int i;
    {body}
    s[0] = total;
}}
"""
SUM = "for (i = 0; i < n; i++) { total += r[i]; }"
COPY = "for (i = 0; i < n; i++) { v[i] = u[i]; }"
HELPER = """static float sum_of(const float a[], int count)
{
    float sum = 0.0F;
    int k;
    for (k = 0; k < count; k++) {
        sum += a[k];
    }
    return sum;
}
"""
COPYING = """static void copy(pair *to, const pair *from, int count)
{
    while (count > 0) {
        *to++ = *from++;
        count--;
    }
}
"""
FEW = "for (i = 0; i < 3; i++) { float q = r[i]; total -= q; s[i + n] = total * q; }"
FIRST = "{ float q = r[0]; total -= q; s[n] = total * q; }"
LAST = FIRST.replace("0", "2").replace("[n]", "[n + 2]")
LOCAL = "float z[8]; for (i = 0; i < 8; i++) { z[i] = r[i]; } "
TO = LOCAL + "for (i = 0; i < n; i++) { s[i] = z[i]; }"
FROM = LOCAL + "for (i = 0; i < n; i++) { z[i] = s[i]; } total = z[m];"
ARRAYS = "float z[4]; float w[4]; z[0] = r[0]; z[n] = 1.0F; w[0] = r[1]; w[n] = z[n]; total = z[0] - w[m];"
ONE = "{ float z[2]; z[n] = r[0]; s[1] = z[0]; s[2] = z[n]; }"

TAKING = """static float taken(float *p)
{
    *p = 0.5F * *p;
    return 3.0F;
}
"""
TWICE = """static float twice(float z)
{
    float q = z;
    q += taken(&q);
    return q;
}
"""
BY_HAND = "float q = r[0]; q = 0.5F * q; q {}= 3.0F; total = q;"

SAME = [
    (f"float q = 0.0F; {SUM.replace('total', 'q')} total -= q;", "total -= sum_of(r, n);", HELPER),
    (BY_HAND.format("+"), "float q = r[0]; const float w = taken(&q); q += w; total = q;", TAKING),
    (SUM, "total = sum_of(r, n);", HELPER),
    (SUM, "const float all = sum_of(r, n); total = all;", HELPER),
    (SUM, "total = sum_of(&r[0], n);", HELPER.replace("static", "static inline")),
    (COPY, "copy(v, u, n);", COPYING),
    (COPY, "(void)m; copy(&v[0], u, n);", COPYING),
    (FEW, FIRST + FEW.replace("i = 0", "i = 1"), ""),
    (FEW, FEW.replace("i < 3", "i < 2") + LAST, ""),
    (FEW, FEW.replace("i = 0; i < 3", "int k = 1; k <= 3").replace("i", "(k - 1)").replace("(k - 1)nt", "int").replace("(k - 1)++", "k++"), ""),
    (FEW, FIRST + FEW.replace("i = 0; i < 3", "int k = 1; k < 2").replace("i", "k").replace("knt", "int") + LAST, ""),
    (TO, TO.replace("for (i = 0; i < n; i++) { s[i] = z[i]; }", "if (n > 0) { memcpy(s, z, (size_t)n * sizeof(s[0])); }"), ""),
    (FROM, FROM.replace("for (i = 0; i < n; i++) { z[i] = s[i]; }", "if (n > 0) { memcpy(z, s, (size_t)n * sizeof *z); }"), ""),
    (ARRAYS, ARRAYS.replace("float z[4]; float w[4];", "float w[4]; float z[4];"), ""),
]  # fmt: skip
OTHER = [
    # whether q is read before the call or after it
    *((BY_HAND.format(op), f"float q = r[0]; q {op}= taken(&q); total = q;", TAKING) for op in "+-*"),
    (BY_HAND.format("+"), "float q = r[0]; float *const p = &q; q += taken(p); total = q;", TAKING),
    (BY_HAND.format("+"), "float q = r[0]; q = q + taken(&q); total = q;", TAKING),
    (BY_HAND.format("+"), "float q = r[0]; total = q + taken(&q);", TAKING),
    (BY_HAND.format("+"), "float q = r[0]; total = taken(&q) + q;", TAKING),
    (BY_HAND.format("+"), "total = twice(r[0]);", TAKING + TWICE),
    (SUM, "total = sum_of(r, m);", HELPER),
    (SUM, "total = sum_of(r + 1, n);", HELPER),
    (SUM, "total = sum_of(s, n);", HELPER),
    (SUM, "total += sum_of(r, n) + 1.0F;", HELPER),
    (SUM, "total = sum_of(r, n);", HELPER.replace("k = 0", "k = 1")),
    (SUM, "total = sum_of(r, n);", HELPER.replace("k < count", "k <= count")),
    (SUM, "total = sum_of(r, n);", HELPER.replace("float sum", "static float sum")),
    (SUM, "total = sum_of(r, n);", HELPER.replace("a[]", "a[static 4]")),  # also where there are none
    (COPY, "copy(v, u, n);", COPYING.replace("pair *to, const pair *", "pair *restrict to, const pair *restrict ")),
    (SUM, "total = sum_of(r, n);", HELPER.replace("int k;", "int k; if (count > 3) { return 0.0F; }")),
    (COPY, "copy(v, u, n);", COPYING.replace("*to++ = *from++", "*++to = *from++")),
    (COPY, "copy(v, u, n);", COPYING.replace("count > 0", "count > 1")),
    (COPY, "copy(v, v, n);", COPYING),
    (COPY, "copy(v, u, n);", COPYING.replace("count--", "count -= 2")),
    (FEW, FIRST + FEW.replace("i = 0", "i = 2"), ""),
    (FEW, FEW.replace("i = 0", "i = 1") + FIRST, ""),
    (FEW, FEW.replace("i < 3", "i <= 3"), ""),
    (FEW, FEW.replace("i = 0; i < 3", "i = 1; i <= 3"), ""),
    (FEW, FIRST + FEW, ""),
    (FEW, FIRST + FEW.replace("i = 0", "i = 1") + "total += (float)(i - 2);", ""),
    (TO, TO.replace("for (i = 0; i < n; i++) { s[i] = z[i]; }", "memcpy(s, z, (size_t)n * sizeof(s[0]));"), ""),
    (TO, TO.replace("for (i = 0; i < n; i++) { s[i] = z[i]; }", "if (n > 0) { memcpy(s, z, (size_t)m * sizeof(s[0])); }"), ""),
    (TO, TO.replace("for (i = 0; i < n; i++) { s[i] = z[i]; }", "if (n > 0) { memcpy(s, z, (size_t)n * sizeof(s)); }"), ""),
    (TO, TO.replace("for (i = 0; i < n; i++) { s[i] = z[i]; }", "if (n > 0) { memcpy(s, z, (size_t)n * sizeof(double)); }"), ""),
    (TO, TO.replace("for (i = 0; i < n; i++) { s[i] = z[i]; }", "if (n > 0) { memcpy(s, r, (size_t)n * sizeof(s[0])); }"), ""),
    (TO, TO.replace("for (i = 0; i < n; i++) { s[i] = z[i]; }", "if (n > 0) { memcpy(z, s, (size_t)n * sizeof(s[0])); }"), ""),
    ("for (i = 0; i < n; i++) { s[i] = r[i]; }", "if (n > 0) { memcpy(s, r, (size_t)n * sizeof(s[0])); }", ""),  # they may overlap
    (ARRAYS, ARRAYS.replace("float z[4]; float w[4];", "float w[4]; float z[4];").replace("z[0] - w[m]", "w[0] - z[m]"), ""),
    (ARRAYS, ARRAYS.replace("float z[4]; float w[4];", "float w[4]; float z[3];"), ""),
    (ONE, "{ float z[2]; z[n] = r[0]; s[1] = z[0]; } { float z[2]; s[2] = z[n]; }", ""),  # another one
]  # fmt: skip


def kind(old: str, new: str, top: str) -> ChangeClass:
    before, after = {"a.c": FORM.format(body=old, top="")}, {"a.c": FORM.format(body=new, top=top)}
    (found,) = (c for c in compare_trees(before, after) if c.symbol == "fc_f_f32")
    return found.kind


@pytest.mark.parametrize(("old", "new", "top"), SAME)
def test_the_same_steps(old: str, new: str, top: str) -> None:
    assert kind(old, new, top) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new", "top"), OTHER)
def test_other_steps(old: str, new: str, top: str) -> None:
    assert kind(old, new, top) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)


@pytest.mark.parametrize(
    "head",
    [
        "int *const p = &i; for (i = 0; i < 2; i++) {{ {} }}",
        "for (i = 0; i < 2; i++) {{ {} i++; }}",
        "for (i = 0; i < 2; i++) {{ {} if (n > 3) {{ break; }} }}",
        "for (i = 0; i <= 2; i++) {{ {} }}",
        "float k; for (k = 0; k < 2; k++) {{ {} }}",
    ],
)
def test_turns_that_are_not_all_or_not_counted_by_a_number(head: str) -> None:
    step = "s[n] = total; total += s[1];"
    assert kind(head.format(step), f"{{ {step} }} {{ {step} }}", "") is not ChangeClass.COSMETIC


def test_an_unsigned_counter_is_never_above_a_number_below_0() -> None:
    """As an unsigned number, -1 is the largest one: the loop makes turns."""
    body = "{ unsigned k; for (k = 0; k < -1; k += 2) { s[k] = 1.0F; } }"
    assert kind("", body, "") is not ChangeClass.COSMETIC


def test_a_long_that_is_made_an_int_stays_one() -> None:
    """Beyond an int, most compilers keep its lower half: a result may be another one without that."""
    old = "{ const long k = (long)n * m; const int j = (int)k; s[0] = (float)j; }"
    assert kind(old, old.replace("(long)n * m", "(long)m * n"), "") is ChangeClass.COSMETIC
    assert kind(old, old.replace("(int)k", "k").replace("int j", "long j"), "") is ChangeClass.UNREADABLE


def test_a_helper_that_depends_on_what_a_build_defines() -> None:
    """Its number is none that is known: a build may define another one."""
    default = "#ifndef FC_N\n#define FC_N 8\n#endif\n"
    helper = "static void put(float *y, float x)\n{{\n    const int k = FC_N;\n    *y = x * (float){};\n}}\n"
    old = {"a.c": FORM.format(top=default, body="for (i = 0; i < n; i++) { s[i] = r[i] * (float)FC_N; }")}
    for number in ("8", "(0 * k + 8)"):
        top, body = default + helper.format(number), "for (i = 0; i < n; i++) { put(&s[i], r[i]); }"
        (found,) = (
            c for c in compare_trees(old, {"a.c": FORM.format(top=top, body=body)}) if c.symbol == "fc_f_f32"
        )
        assert found.kind is not ChangeClass.COSMETIC
