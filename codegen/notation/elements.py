"""Elements of Presentation MathML; all text is escaped."""

from __future__ import annotations

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


def brackets(left: str, inside: Element, right: str) -> Element:
    """A formula in brackets, which stretch where it is more than a line high."""
    size = {} if _TALL.intersection(e.tag for e in inside.iter()) else {"stretchy": "false"}
    return element("mrow", operator(left, **size), inside, operator(right, **size))


def is_bracketed(part: Element) -> bool:
    """Whether a row begins with a bracket, which stretches with the row."""
    return len(part) > 0 and part[0].tag == "mo" and part[0].text in ("(", "[", "{", "|")


_TALL = frozenset(("mfrac", "mtable", "msqrt"))


def math(content: Element, **attributes: str) -> str:
    """The markup of a whole formula, which is a row by itself."""
    is_row = content.tag == "mrow" and not content.attrib
    whole = element("math", *(content if is_row else (content,)), **attributes)
    return tostring(whole, encoding="unicode").replace(" />", "/>")  # text has no >, but &gt;
