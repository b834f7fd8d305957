"""Guards and clamps in front of roots, arcs, logarithms and quotients, and forms that slip past them."""

from __future__ import annotations

import pytest

from codegen.review.diff import Change, ChangeClass, compare_trees
from tests.floats import in_float

FORM = """#include <math.h>
void fc_f_f64(double x, double y, double z, double u, double v, double w, double *r)
{{
    {body}
}}
"""

D = "const double d = u + v - w;"
UNIT = "const double d = 1.0 - (x * x + y * y + z * z);"
DOT = "const double d = x * u + y * v + z * w;"
HALF = "const double d = 2.0 * u - 3.0;"

SLIPS = [
    (
        f"{UNIT} *r = d > 0.0 ? sqrt(d) : 0.0;",
        f"{UNIT} *r = d > 0.0 ? sqrt(1.0 - x * x - y * y - z * z) : 0.0;",
    ),
    (
        "const double d = 1.0 - x * x - y * y - z * z; *r = d > 0.0 ? sqrt(d) : 0.0;",
        "const double n = x * x + y * y + z * z; *r = n < 1.0 ? sqrt(1.0 - x * x - y * y - z * z) : 0.0;",
    ),
    (
        f"{DOT} const double k = d > 1.0 ? 1.0 : d; *r = k > -1.0 ? acos(k) : 3.0;",
        f"{DOT} const double k = d > 1.0 ? 1.0 : x * u + (y * v + z * w); *r = k > -1.0 ? acos(k) : 3.0;",
    ),
    (
        f"{DOT} const double k = d > 1.0 ? 1.0 : (d < -1.0 ? -1.0 : d); *r = acos(k);",
        f"{DOT} const double k = d > 1.0 ? 1.0 : (d < -1.0 ? -1.0 : x * u + (y * v + z * w)); *r = acos(k);",
    ),
    (f"{D} *r = d > 0.0 ? x / d : 0.0;", f"{D} *r = d > 0.0 ? x / (u - w + v) : 0.0;"),
    (f"{D} *r = d != 0.0 ? x / d : 0.0;", f"{D} *r = d != 0.0 ? x / (u - w + v) : 0.0;"),
    (f"{D} *r = d > 0.0 ? log(d) : 0.0;", f"{D} *r = d > 0.0 ? log(u - w + v) : 0.0;"),
]
"""The guard tests one order of a sum, and the operation takes another one."""

SUM = "const double s = x + y + w;"
FURTHER = [
    *(
        tuple(f"{SUM} *r = {guard} ? {value.format(s)} : 0.0;" for s in ("s", "(x + (y + w))"))
        for guard, value in (
            ("s > 0.0", "u / (2.0 * {})"),
            ("s > 0.0", "u / (v * {})"),
            ("s > 0.0", "log(3.0 * {})"),
            ("s > 0.0", "u * sqrt(1.0 / {})"),
            ("s != 0.0", "u / fabs({})"),
            ("s != 0.0", "u / ({0} * {0})"),
            ("s < 0.0", "log(-{})"),
            ("2.0 * s > 0.0", "log({})"),
            ("s * s > 0.0", "u / {}"),
        )
    ),
    (
        "const double s = 1.0 - x * x - y * y; *r = s > 0.0 ? u / sqrt(s) : 0.0;",
        "const double s = 1.0 - x * x - y * y; *r = s > 0.0 ? u / sqrt(1.0 - (x * x + y * y)) : 0.0;",
    ),
    (f"{SUM} *r = s >= 2.0 ? sqrt(s - 2.0) : 0.0;", f"{SUM} *r = s >= 2.0 ? sqrt(x + (y + w) - 2.0) : 0.0;"),
    (f"{SUM} *r = s > z ? sqrt(s - z) : 0.0;", f"{SUM} *r = s > z ? sqrt(x + (y + w - z)) : 0.0;"),
]  # fmt: skip
"""The same where what the guard tests reaches the operation through others."""

LESS_GUARDED = [
    (
        f"{HALF} *r = fabs(u) < 1e30 && fabs(d) > 0.001 ? x / d + v : v;",
        f"{HALF} *r = fabs(u) < 1e30 ? ((fabs(d) > 0.001 ? x : 0.0) + v * d) / d : v;",
    ),
    (f"{HALF} *r = fabs(d) > 0.001 ? x / d : 0.0;", f"{HALF} *r = (fabs(d) > 0.001 ? x : 0.0) / d;"),
    (
        "const double d = x * x + y * y - 2.5; *r = fabs(d) > 0.001 ? z / d : 0.0;",
        "const double d = x * x + y * y - 2.5; *r = (fabs(d) > 0.001 ? z : 0.0) / d;",
    ),
    (f"{D} *r = d > 0.0 ? x / d : 0.0;", f"{D} *r = (d > 0.0 ? x : 0.0) / d;"),
    (
        f"{HALF} const double m = fabs(d) > 0.001 ? 1.0 : 0.0; *r = fabs(d) > 0.001 ? v + x / d : v;",
        f"{HALF} const double m = fabs(d) > 0.001 ? 1.0 : 0.0; *r = v + m * (x / d);",
    ),
]
"""A quotient has left its guard."""

AS_GOOD = [
    (
        f"{UNIT} *r = d > 0.0 ? sqrt(d) : 0.0;",
        "const double d = 1.0 - x * x - y * y - z * z; *r = d > 0.0 ? sqrt(d) : 0.0;",
    ),
    (
        f"{DOT} const double k = d > 1.0 ? 1.0 : (d < -1.0 ? -1.0 : d); *r = acos(k);",
        f"{DOT.replace('x * u + y * v + z * w', 'x * u + (y * v + z * w)')}"
        " const double k = d > 1.0 ? 1.0 : (d < -1.0 ? -1.0 : d); *r = acos(k);",
    ),
    (
        "const double n = x * x + y * y + z * z; *r = n > 0.0 ? u / sqrt(n) : 0.0;",
        "const double n = x * x + (y * y + z * z); *r = n > 0.0 ? u / sqrt(n) : 0.0;",
    ),
    (f"{D} *r = d > 0.0 ? x / d : 0.0;", "const double d = u - w + v; *r = d > 0.0 ? x / d : 0.0;"),
    (f"{D} *r = d != 0.0 ? x / d : 0.0;", "const double d = u - w + v; *r = d != 0.0 ? x / d : 0.0;"),
    (f"{D} *r = d == 0.0 ? 0.0 : x / d;", "const double d = u + (v - w); *r = d == 0.0 ? 0.0 : x / d;"),
    (f"{D} *r = d > 0.0 ? log(d) : 0.0;", "const double d = u - w + v; *r = d > 0.0 ? log(d) : 0.0;"),
    (
        f"{D} *r = fabs(d) > 0.001 ? x / d : 0.0;",
        f"{D} const double k = fabs(d) > 0.001 ? d : 1.0; *r = fabs(d) > 0.001 ? x / k : 0.0;",
    ),
]
"""Guard and operand are written in another order together."""

NORM = "const double n = x * x + y * y + z * z;"
OTHER_NORM = "const double n = x * x + (y * y + z * z);"
AS_GOOD += [
    *(
        (f"{NORM} *r = n > {t} ? u / n : v;", f"{OTHER_NORM} *r = n > {t} ? u / n : v;")
        for t in ("1e-12", "1e-8")
    ),
    (f"{NORM} *r = sqrt(n);", f"{NORM} *r = sqrt(n < 0.0 ? 0.0 : n);"),
    (f"{NORM} *r = sqrt(n);", f"{NORM} *r = n < 0.0 ? 0.0 : sqrt(n);"),
]

NO_NUMBER = [
    *(
        (
            f"const double t = {value}; *r = t < 1.0 ? u : v;",
            f"const double t = {value}; *r = t >= 1.0 ? v : u;",
        )
        for value in ("x / y", "x / (y * z)", "x / fabs(y)", "1.0 / y - 1.0 / z", "(x / y) * z")
    ),
    *(
        (
            f"const double t = x / (y - z); *r = {guard} ? (t < 1.0 ? u : v) : z;",
            f"const double t = x / (y - z); *r = {guard} ? (t >= 1.0 ? v : u) : z;",
        )
        for guard in ("w > 3.0", "w == 3.0 && u == 4.0")
    ),
]
"""A comparison with 0/0 comes out otherwise."""

SQUARE, EXPANDED = "(x - 2.0 * y) * (x - 2.0 * y)", "x * x - 4.0 * x * y + 4.0 * y * y"
LOST = [
    (
        "*r = sqrt((x - 6378137.0) * (x - 6378137.0));",
        "*r = sqrt(x * x - 12756274.0 * x + 40680631590769.0);",
    ),
    *(
        (
            f"*r = fabs(x + y - 5.0) < {width} ? sqrt((x - y) * (x - y)) : z;",
            f"*r = fabs(x + y - 5.0) < {width} ? sqrt(x * x - 2.0 * x * y + y * y) : z;",
        )
        for width in ("0.01", "1.0")
    ),
    *(
        (
            f"*r = fabs(x) < 1e6 && fabs(y) < 1e6 ? {form.format(SQUARE)} : 0.0;",
            f"*r = fabs(x) < 1e6 && fabs(y) < 1e6 ? {form.format(EXPANDED)} : 0.0;",
        )
        for form in ("z * ({} > 0.01 ? 1.0003 : 1.0)", "288.0 + ({} > 0.01 ? 0.1 : 0.0)")
    ),
]
"""Digits are lost near a constant, on a rare side of the same inputs, or in a decision of small effect."""


def compared(old: str, new: str, kind: str) -> Change:
    texts = [FORM.format(body=body) for body in (old, new)]
    if kind == "float":
        texts = [in_float(text) for text in texts]
    before, after = ({"fc_f.c": text} for text in texts)
    (change,) = compare_trees(before, after)
    return change


@pytest.mark.parametrize("kind", ["double", "float"])
@pytest.mark.parametrize(("old", "new"), [*SLIPS, *FURTHER, *LESS_GUARDED, *NO_NUMBER, *LOST])
def test_an_operand_that_its_guard_does_not_protect_is_a_change(old: str, new: str, kind: str) -> None:
    change = compared(old, new, kind)
    assert change.kind is ChangeClass.CHANGED
    assert change.witness is not None


@pytest.mark.parametrize("kind", ["double", "float"])
@pytest.mark.parametrize(("old", "new"), AS_GOOD)
def test_guard_and_operand_may_be_written_in_another_order(old: str, new: str, kind: str) -> None:
    assert compared(old, new, kind).kind is ChangeClass.REASSOCIATED


TYPES = """typedef struct {
    double w;
    double x;
    double y;
    double z;
} fc_quat_f64;
typedef struct {
    double x;
    double y;
    double z;
} fc_vec3_f64;
"""
QUATERNIONS = """#include "fc_types.h"
#include <math.h>
void fc_quat_error_f64(const fc_quat_f64 *q_NB, const fc_quat_f64 *q_ND, fc_vec3_f64 *e_B)
{
    const double dw = q_NB->w - q_ND->w;
    const double dx = q_NB->x - q_ND->x;
    const double dy = q_NB->y - q_ND->y;
    const double dz = q_NB->z - q_ND->z;
    const double s = q_NB->w * q_ND->w + q_NB->x * q_ND->x + q_NB->y * q_ND->y + q_NB->z * q_ND->z;
    e_B->x = VALUE;
    e_B->y = dw + s;
    e_B->z = 0.0;
}
"""

OF_UNIT = [
    ("sqrt(dw * dw + dx * dx + dy * dy + dz * dz)", "sqrt(2.0 - 2.0 * s)"),
    (
        "sqrt((q_NB->w - q_NB->y) * (q_NB->w - q_NB->y) + (q_NB->x + q_NB->z) * (q_NB->x + q_NB->z))",
        "sqrt(1.0 - 2.0 * (q_NB->w * q_NB->y - q_NB->x * q_NB->z))",
    ),
]
"""The distance of two unit quaternions, and the sine of a pitch angle near 90 degrees."""


@pytest.mark.parametrize(("old", "new"), OF_UNIT)
def test_digits_lost_between_nearly_equal_rotations_are_found(old: str, new: str) -> None:
    before, after = (
        {"fc_types.h": TYPES, "fc_f.c": QUATERNIONS.replace("VALUE", value)} for value in (old, new)
    )
    (change,) = (c for c in compare_trees(before, after) if c.symbol == "fc_quat_error_f64")
    assert change.kind is ChangeClass.CHANGED
    assert change.witness is not None
    for name in ("q_NB", "q_ND"):
        norm = sum(value**2 for scalar, value in change.witness.inputs.items() if scalar.startswith(name))
        assert abs(norm - 1) < 1e-12
