"""Boxes as one line of Unicode, for terminals."""

from __future__ import annotations

from functools import singledispatch

from codegen.notation.layout import (
    Array,
    Box,
    Choice,
    Digits,
    Fence,
    Integral,
    Lowered,
    Over,
    Raised,
    Root,
    Row,
    Sign,
    Symbol,
    Tilde,
)

_SIGNS = {
    "x": " × ", ".": " · ", "(x)": " ⊗ ", "-": " - ", "<=": " ≤ ", ">=": " ≥ ", " ": " ", "*": " · ",  # noqa: RUF001
    ",": ", ", "conjugate": "*", "and": " and ", "or": " or ", "not": "not ",
}  # fmt: skip
_ABOVE = str.maketrans("0123456789-T*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵀ*")

_SUPERSCRIPTS = {"A": "\N{MODIFIER LETTER CAPITAL A}", "a": "\N{MODIFIER LETTER SMALL A}"}


def power(number: int) -> str:
    """A whole number as an exponent."""
    return str(number).translate(_ABOVE)


@singledispatch
def line(box: Box) -> str:
    """The line of a box."""
    raise TypeError(box)


@line.register
def _(box: Symbol) -> str:
    dot = "\u0307" if box.rate else ""
    head = box.letter[:1] + dot + box.letter[1:] + _SUPERSCRIPTS.get(box.above, "")
    *below, last = box.below or ("",)
    cut = f"[{last}]" if ":" in last else f"_{last}" if last else ""
    return "_".join((head, *below)) + cut + "'" * box.primes


@line.register
def _(box: Digits) -> str:
    return box.text


@line.register
def _(box: Sign) -> str:
    sign = _SIGNS.get(box.text, f" {box.text} ")
    return sign.strip() + (" " if box.text == "not" else "") if box.prefix else sign


@line.register
def _(box: Row) -> str:
    return "".join(map(line, box.parts))


@line.register
def _(box: Over) -> str:
    top, bottom = line(box.top), line(box.bottom)
    if _is_long(box.top):
        top = f"({top})"
    if _is_long(box.bottom) or isinstance(box.bottom, Over):
        bottom = f"({bottom})"
    written = f"{top} / {bottom}"
    return f"({written})" if box.closed else written


def _is_long(box: Box) -> bool:
    """Whether parentheses are needed beside a division."""
    return isinstance(box, Row) and any(isinstance(p, Sign) for p in box.parts)


@line.register
def _(box: Raised) -> str:
    above = line(box.above).strip()
    base = f"({line(box.base)})" if isinstance(box.base, Raised) else line(box.base)
    return base + (above.translate(_ABOVE) if all(c in "0123456789-T*" for c in above) else f"^({above})")


@line.register
def _(box: Lowered) -> str:
    return f"{line(box.base)}[{line(box.below)}]"


@line.register
def _(box: Root) -> str:
    return f"√({line(box.inside)})"


@line.register
def _(box: Tilde) -> str:
    return f"{line(box.inside)}~"


@line.register
def _(box: Fence) -> str:
    return f"{box.left}{line(box.inside)}{box.right}"


@line.register
def _(box: Array) -> str:
    if box.stacked:
        return f"[{', '.join(line(row[0]) for row in box.rows)}]"
    if len(box.rows) == 1:
        return f"cols({', '.join(map(line, box.rows[0]))})"
    return f"[{'; '.join(', '.join(map(line, row)) for row in box.rows)}]"


@line.register
def _(box: Integral) -> str:
    low, high, inside, variable = map(line, (box.low, box.high, box.inside, box.variable))
    return f"∫[{low}, {high}] {inside} d{variable}"


@line.register
def _(box: Choice) -> str:
    parts = (
        f"{line(value)} " + ("otherwise" if when is None else f"if {line(when)}") for value, when in box.cases
    )
    return f"{{{', '.join(parts)}}}"
