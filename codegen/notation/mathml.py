"""Boxes as Presentation MathML."""

from __future__ import annotations

from functools import singledispatch
from xml.etree.ElementTree import Element, tostring

from codegen.notation.layout import (
    Array,
    Box,
    Choice,
    Digits,
    Fence,
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
    return tostring(_element("math", mathml(box)), encoding="unicode", short_empty_elements=False)


def _element(tag: str, *content: Element | str, **attributes: str) -> Element:
    made = Element(tag, attributes)
    for part in content:
        if isinstance(part, str):
            made.text = (made.text or "") + part
        else:
            made.append(part)
    return made


def _row(parts: list[Element]) -> Element:
    return parts[0] if len(parts) == 1 else _element("mrow", *parts)


@singledispatch
def mathml(box: Box) -> Element:
    """The element of a box."""
    raise TypeError(box)


@mathml.register
def _(box: Symbol) -> Element:
    variant = {"mathvariant": "bold" if box.bold and box.upright else "bold-italic" if box.bold else "normal"}
    plain = not box.bold and not box.upright
    base = _element("mn" if box.letter.isdigit() else "mi", box.letter, **({} if plain else variant))
    if box.rate:
        base = _element("mover", base, _element("mo", "˙"), accent="true")
    if box.primes:
        base = _element("msup", base, _element("mo", "′" * box.primes))  # noqa: RUF001
    if not box.below:
        return base
    parts: list[Element] = []
    for text in box.below:
        parts += [_element("mspace", width="0.15em")] if parts else []
        parts.append(_element("mn" if text.isdigit() else "mi", text))
    return _element("msub", base, _row(parts))


@mathml.register
def _(box: Digits) -> Element:
    return _element("mn", box.text)


@mathml.register
def _(box: Sign) -> Element:
    if box.text == " ":
        return _element("mspace", width="0.2em")
    form = {"form": "prefix"} if box.prefix else {}
    return _element("mo", _SIGNS.get(box.text, box.text), **form)


@mathml.register
def _(box: Row) -> Element:
    return _row([mathml(part) for part in box.parts])


@mathml.register
def _(box: Over) -> Element:
    return _element("mfrac", mathml(box.top), mathml(box.bottom))


@mathml.register
def _(box: Raised) -> Element:
    return _element("msup", mathml(box.base), mathml(box.above))


@mathml.register
def _(box: Lowered) -> Element:
    return _element("msub", mathml(box.base), mathml(box.below))


@mathml.register
def _(box: Root) -> Element:
    return _element("msqrt", mathml(box.inside))


@mathml.register
def _(box: Tilde) -> Element:
    return _element("mover", mathml(box.inside), _element("mo", "~", stretchy="true"), accent="true")


@mathml.register
def _(box: Fence) -> Element:
    left, right = (_element("mo", sign, fence="true") for sign in (box.left, box.right))
    return _element("mrow", left, mathml(box.inside), right)


@mathml.register
def _(box: Array) -> Element:
    rows = (_element("mtr", *(_element("mtd", mathml(cell)) for cell in row)) for row in box.rows)
    left, right = (_element("mo", sign, fence="true") for sign in "[]")
    return _element("mrow", left, _element("mtable", *rows), right)


@mathml.register
def _(box: Choice) -> Element:
    rows = (
        _element("mtr", _element("mtd", mathml(value)), _element("mtd", _when(when)))
        for value, when in box.cases
    )
    table = _element("mtable", *rows, **{"class": "cases"})
    return _element("mrow", _element("mo", "{", fence="true"), table)


def _when(condition: Box | None) -> Element:
    if condition is None:
        return _element("mtext", "otherwise")
    return _element("mrow", _element("mtext", "if\u00a0"), mathml(condition))
