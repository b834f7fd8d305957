"""Elements of Presentation MathML; all text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, tostring


def element(tag: str, *content: Element | str, **attributes: str) -> Element:
    """An element with children, or with text."""
    made = Element(tag, attributes)
    for part in content:
        if isinstance(part, str):
            made.text = (made.text or "") + part
        else:
            made.append(part)
    return made


def row(*parts: Element) -> Element:
    """Elements side by side; a single one is itself."""
    return parts[0] if len(parts) == 1 else element("mrow", *parts)


def operator(symbol: str, **attributes: str) -> Element:
    """An operator."""
    return element("mo", symbol, **attributes)


def space() -> Element:
    """The gap between two factors, or between two indices: a thin space, shorter than an mspace."""
    return element("mtext", "\N{THIN SPACE}")


def inline(part: Element) -> Sequence[Element]:
    """The elements of a part in a row of its own, if they may stand in a longer row: brackets may not."""
    return [part] if part.tag != "mrow" or _is_bracketed(part) else list(part)


def brackets(left: str, inside: Element, right: str) -> Element:
    """A formula in brackets, which stretch where it is more than a line high, but not for what is raised or
    lowered; of a formula of the height of a letter they stretch to their own size.
    """
    tags = {e.tag for e in inside.iter()}
    size = {"stretchy": "false"} if tags & _SCRIPTS and not tags & _TALL else {}
    return element("mrow", operator(left, **size), *inline(inside), operator(right, **size))


def _is_bracketed(part: Element) -> bool:
    """Whether a row begins with a bracket, which stretches with the row."""
    return len(part) > 0 and part[0].tag == "mo" and part[0].text in ("(", "[", "{", "|")


_TALL = frozenset(("mfrac", "mtable", "msqrt"))
_SCRIPTS = frozenset(("msub", "msup", "msubsup", "mover"))


def math(content: Element, **attributes: str) -> str:
    """The markup of a whole formula, which is a row by itself."""
    is_row = content.tag == "mrow" and not content.attrib
    whole = element("math", *(content if is_row else (content,)), **attributes)
    return tostring(whole, encoding="unicode").replace(" />", "/>")  # text has no >, but &gt;
