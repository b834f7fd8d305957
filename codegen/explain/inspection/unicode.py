"""Plain-text notation -> Unicode for terminals: Greek letters, powers, products."""

# ruff: noqa: RUF001 - signs are meant

from __future__ import annotations

import re

from codegen.notation.layout import GREEK

_NAMES = re.compile(rf"(?<![A-Za-z_])(d?)({'|'.join(GREEK)})(?![A-Za-z_])")
_POWERS = str.maketrans("0123456789-+T*n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵀ*ⁿ")
_POWER = re.compile(r"\^(-?\d+|-?T|n)\b")
_SIGNS = ((" (x) ", " ⊗ "), (" x ", " × "), (" . ", " · "), ("<=", "≤"), (">=", "≥"), ("+-", "±"),
          ("->", "→"), ("sqrt(", "√("), ("1/2 ", "½ "))  # fmt: skip


def unicode_notation(text: str) -> str:
    """The text with Greek letters and mathematical signs in place of their names."""
    text = _NAMES.sub(lambda m: m[1] + GREEK[m[2]], text)
    text = _POWER.sub(lambda m: m[1].translate(_POWERS), text)
    for plain, sign in _SIGNS:
        text = text.replace(plain, sign)
    return text
