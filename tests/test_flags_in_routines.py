# ruff: noqa: E501
"""Flags that loops collect with |, in another order or another grouping, and functions whose result is returned.

Bits that are added depend on neither. A flag that is assigned, counted, or read on the way does.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """{top}unsigned int fc_f_f32(int n, int m, const float r[], const float x[], float s[], float t[])
{{
    unsigned int flags = 0U;
    int i;
    {body}
}}
"""
UP = "for (i = 0; i < n; i++) { if (!(r[i] > 0.0F)) { flags |= 4U; } if (x[i] > 1.0F) { flags |= 2U; } } "
DOWN = UP.replace("i = 0; i < n; i++", "i = n; i > 0; i--").replace("[i]", "[i - 1]")
COPY = "for (i = 0; i < n; i++) { s[i] = x[i]; } "
TWO = "if (r[0] > 0.0F) { flags |= 1U; } if (r[1] > 0.0F) { flags |= 2U; }"
CHOSEN = "flags |= (r[0] > 0.0F ? 1U : 0U) | (r[1] > 0.0F ? 2U : 0U);"
CALL = "static unsigned int put(float x, float s[])\n{\n    s[0] = x;\n    return x > 0.0F ? 1U : 2U;\n}\n\n"

SAME = [
    (COPY + UP, COPY + DOWN),
    (TWO, CHOSEN),
    (TWO, "if (r[1] > 0.0F) { flags |= 2U; } flags |= r[0] > 0.0F ? 1U : 0U;"),
    (TWO, "if (r[1] > 0.0F) { flags |= 2U; if (r[0] > 0.0F) { flags |= 1U; } } else { if (r[0] > 0.0F) { flags |= 1U; } }"),
    (TWO, TWO + " if (r[0] > 0.0F) { flags |= 1U; }"),
    ("flags = put(r[0], s);", "return put(r[0], s);"),
]  # fmt: skip
OTHER = [
    (COPY + UP, COPY + DOWN.replace("i > 0", "i > 1")),
    (COPY + UP, COPY + DOWN.replace("i = n;", "i = m;")),
    (COPY + UP, COPY + DOWN.replace("flags |= 4U", "flags = 4U")),
    (COPY + UP.replace("flags |= 4U", "flags = 4U"), COPY + DOWN.replace("flags |= 4U", "flags = 4U")),
    (COPY + UP.replace("flags |= 4U", "flags += 4U"), COPY + DOWN.replace("flags |= 4U", "flags += 4U")),
    (COPY + UP.replace("flags |= 4U", "flags |= flags + 1U"), COPY + DOWN.replace("flags |= 4U", "flags |= flags + 1U")),
    (COPY + UP.replace("x[i] > 1.0F", "flags == 4U"), COPY + DOWN.replace("x[i - 1] > 1.0F", "flags == 4U")),
    (COPY + UP.replace("flags |= 4U;", "flags |= 4U; break;"), COPY + DOWN.replace("flags |= 4U;", "flags |= 4U; break;")),
    (COPY + UP.replace("flags |= 4U;", "flags |= 4U; s[i] = r[i];"), COPY + DOWN.replace("flags |= 4U;", "flags |= 4U; s[i - 1] = r[i - 1];")),  # s may be x + 1
    (COPY + UP.replace("flags |= 4U;", "flags |= 4U; s[i] = flags;"), COPY + DOWN.replace("flags |= 4U;", "flags |= 4U; s[i - 1] = flags;")),
    (TWO, TWO.replace("1U", "3U")),
    (TWO, TWO.replace("if (r[1]", "else if (r[1]")),
    (TWO, CHOSEN.replace(") | (", ") & (")),
    (TWO, CHOSEN.replace("0U", "4U", 1)),
    (TWO, CHOSEN.replace("flags |=", "flags =").replace("1U", "2U")),
    (TWO, TWO.replace("flags |= 2U", "flags += 2U").replace("flags |= 1U", "flags |= 3U")),
    ("flags = put(r[0], s);", "return put(r[1], s);"),
    ("flags = put(r[0], s); s[0] = 1.0F;", "return put(r[0], s);"),
    ("flags = put(r[0], s);", "flags |= r[0] > 0.0F ? 1U : 2U;"),
    ("flags = put(r[0], s) | put(r[1], t);", "flags = put(r[1], t) | put(r[0], s);"),
]  # fmt: skip


def _whole(body: str) -> str:
    return body if "return" in body else f"{body} return flags;"


def kind(old: str, new: str) -> ChangeClass:
    before, after = ({"fc_f.c": FORM.format(body=_whole(body), top=CALL)} for body in (old, new))
    changes = {change.symbol: change.kind for change in compare_trees(before, after)}
    return changes.get("fc_f_f32", ChangeClass.IDENTICAL)


@pytest.mark.parametrize(("old", "new"), SAME)
def test_bits_are_added_in_any_order(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_what_an_order_or_a_condition_tells_is_not_lost(old: str, new: str) -> None:
    for pair in ((old, new), (new, old)):
        assert kind(*pair) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
