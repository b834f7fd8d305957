"""Boxes as Presentation MathML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch
from xml.etree.ElementTree import Element

from codegen.notation.elements import brackets, element, inline, math, row, space
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
    "x": "×", ".": "⋅", "(x)": "⊗", "-": "−", "<=": "≤", ">=": "≥", "*": "⋅", "conjugate": "∗",  # noqa: RUF001
    "and": "∧", "or": "∨", "not": "¬",  # noqa: RUF001
}  # fmt: skip


def markup(box: Box) -> str:
    """The MathML of a whole formula."""
    return math(mathml(box))


def in_line(box: Row) -> str:
    """The MathML of a formula among words, where a line may break before its relations and terms."""
    pieces: list[list[Box]] = [[]]
    for part in _flat(box):
        if isinstance(part, Sign) and part.text in _BREAKS and not part.prefix:
            pieces.append([part])
        else:
            pieces[-1].append(part)
        if part == Sign(","):
            pieces.append([])
    return " ".join(
        math(row(*map(_at_start, piece[:1]), *map(mathml, piece[1:]))) for piece in pieces if piece
    )


_BREAKS = frozenset(("=", "<", ">", "<=", ">=", "+", "-", "and", "or"))


def _flat(box: Box) -> Iterator[Box]:
    """The boxes of a row, of those within it, too."""
    if isinstance(box, Row):
        for part in box.parts:
            yield from _flat(part)
    else:
        yield box


def _at_start(box: Box) -> Element:
    """The element of a box that may begin a line; an operator between two boxes keeps its space, of which the
    blank before it is the left one.
    """
    made = mathml(box)
    if isinstance(box, Sign) and not box.prefix:
        made.set("form", "infix")
        made.set("lspace", "0")
        made.set("rspace", ".28em")
    return made


def _alphabet(capitals: int, small: int, greek: int) -> dict[int, int]:
    """Mathematical letters by the plain ones: browsers show these, but not mathvariant="bold"."""
    latin = {ord(first) + i: to + i for first, to in (("A", capitals), ("a", small)) for i in range(26)}
    capital_greek, small_greek = (
        {ord(first) + i: to + i for i in range(25)}
        for first, to in (
            ("\N{GREEK CAPITAL LETTER ALPHA}", greek),
            ("\N{GREEK SMALL LETTER ALPHA}", greek + 26),
        )
    )
    digits = {ord("0") + i: 0x1D7CE + i for i in range(10)}
    return latin | capital_greek | small_greek | digits


_BOLD = _alphabet(0x1D400, 0x1D41A, 0x1D6A8)
_BOLD_ITALIC = _alphabet(0x1D468, 0x1D482, 0x1D71C)


@singledispatch
def mathml(box: Box) -> Element:
    """The element of a box."""
    raise TypeError(box)


@mathml.register
def _(box: Symbol) -> Element:
    letter = box.letter.translate(_BOLD if box.upright else _BOLD_ITALIC) if box.bold else box.letter
    is_slanted = box.upright and not box.bold and len(letter) == 1  # unless the page says that it is not
    variant = {"mathvariant": "normal"} if is_slanted else {}
    base = element("mn" if box.letter.isdigit() else "mi", letter, **variant)
    if box.rate:
        base = element("mover", base, element("mo", "˙"), accent="true")
    if box.above:
        base = element("msup", base, element("mi", box.above))
    if box.primes:
        base = element("msup", base, element("mo", "′" * box.primes))  # noqa: RUF001
    if not box.below:
        return base
    parts: list[Element] = []
    for text in box.below:
        parts += [space()] if parts else []
        parts.append(element("mn" if text.isdigit() else "mi", text))
    return element("msub", base, row(*parts))


@mathml.register
def _(box: Digits) -> Element:
    return element("mn", box.text)


@mathml.register
def _(box: Sign) -> Element:
    if box.text == " ":
        return space()
    form = {"form": "prefix"} if box.prefix else {}
    return element("mo", _SIGNS.get(box.text, box.text), **form)


@mathml.register
def _(box: Row) -> Element:
    return row(*map(mathml, _flat(box)))


@mathml.register
def _(box: Over) -> Element:
    return element("mfrac", mathml(box.top), mathml(box.bottom))


@mathml.register
def _(box: Raised) -> Element:
    return element("msup", mathml(box.base), mathml(box.above))


@mathml.register
def _(box: Lowered) -> Element:
    return element("msub", mathml(box.base), mathml(box.below))


@mathml.register
def _(box: Root) -> Element:
    return element("msqrt", mathml(box.inside))


@mathml.register
def _(box: Tilde) -> Element:
    """A tilde above a letter; of a sum, which no tilde covers, brackets with a cross below."""
    if isinstance(box.inside, Fence):
        return element("msub", brackets("[", mathml(box.inside.inside), "]"), element("mo", _SIGNS["x"]))
    return element("mover", mathml(box.inside), element("mo", "~", stretchy="true"), accent="true")


@mathml.register
def _(box: Fence) -> Element:
    return brackets(box.left, mathml(box.inside), box.right)


@mathml.register
def _(box: Array) -> Element:
    rows = (element("mtr", *(element("mtd", *inline(mathml(cell))) for cell in row)) for row in box.rows)
    left, right = (element("mo", sign, fence="true") for sign in "[]")
    return element("mrow", left, element("mtable", *rows), right)


@mathml.register
def _(box: Integral) -> Element:
    sign = element("msubsup", element("mo", "∫"), mathml(box.low), mathml(box.high))
    variable = row(element("mi", "d", mathvariant="normal"), mathml(box.variable))
    return element("mrow", sign, mathml(box.inside), space(), variable)


@mathml.register
def _(box: Choice) -> Element:
    rows = (
        element("mtr", element("mtd", *inline(mathml(value))), element("mtd", *_when(when)))
        for value, when in box.cases
    )
    table = element("mtable", *rows, **{"class": "cases"})
    return element("mrow", element("mo", "{", fence="true"), table)


def _when(condition: Box | None) -> Sequence[Element]:
    if condition is None:
        return [element("mtext", "otherwise")]
    return [element("mtext", "if\u00a0"), *inline(mathml(condition))]
