"""C in double written in float."""

from __future__ import annotations

import re


def in_float(text: str) -> str:
    """The same text with float in place of double, in literals, functions of <math.h> and names, too."""
    suffixed = re.sub(r"\d+\.\d+|\de-?\d+", r"\g<0>F", text)
    called = re.sub(r"\b(sqrt|fabs|acos|asin|log)\(", r"\1f(", suffixed)
    return called.replace("double", "float").replace("f64", "f32")
