"""Tokens of plain-text notation -> MathML. It never fails: an unknown token is shown as a symbol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from codegen.emit.mathml import identifier, number
from codegen.notation.elements import brackets, element, operator, row, space

_SYMBOLS = {
    "-": "\u2212", "+-": "\u00b1", "->": "\u2192", "<=": "\u2264", ">=": "\u2265", "!=": "\u2260",
    "(x)": "\u2297", ".": "\u22c5", "*": "\u2217", "x": "\u00d7",
}  # fmt: skip
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_MARKS = 8
"""Limit on the marks of an atom."""

_POSTFIX = {"'": "\u2032", "*": "\u2217"}


class Token(NamedTuple):
    """A number, name, word or symbol, and whether white space precedes it."""

    kind: str
    text: str
    gap: bool


def formula(tokens: Sequence[Token]) -> Element:
    """The formula of the tokens."""
    return row(*_Reader(tokens).sequence()) if tokens else element("mrow")


class _Reader:
    """Reads tokens from left to right; `at` is the next one."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.at = 0

    def peek(self, ahead: int = 0) -> Token:
        """The next token, an empty one at the end."""
        i = self.at + ahead
        return self.tokens[i] if i < len(self.tokens) else Token("end", "", True)

    def take(self) -> Token:
        """Consume the next token."""
        self.at += 1
        return self.tokens[self.at - 1]

    def sequence(self, closing: str = "") -> list[Element]:
        """The formula up to a closing bracket or the end, with a small space between factors."""
        found: list[Element] = []
        operand = False
        while self.at < len(self.tokens) and self.peek().text not in (closing or "end", ")", "]", "}"):
            if self._is_operator(operand):
                found.append(self._operator(first=not found, operand=operand))
                operand = False
            else:
                touching = not self.peek().gap and self.peek().text in ("(", "[")
                if operand and not touching:
                    found.append(space())
                found.append(self._operand())
                operand = True
        if not closing:
            found += [operator(self.take().text) for _ in range(len(self.tokens) - self.at)]
        return found or [element("mrow")]

    def _is_operator(self, after_operand: bool) -> bool:
        token = self.peek()
        if token.text == "x" and after_operand and token.gap:
            following = self.peek(1)
            return (
                following.text == "*"
                or (following.gap and following.kind in ("name", "number"))
                or (following.text in ("(", "|", "[") and following.gap)
            )
        return token.kind == "symbol" and token.text not in ("(", "[", "{", "|")

    def _operator(self, first: bool, operand: bool) -> Element:
        text = self.take().text
        symbol = _SYMBOLS.get(text, text)
        if text == "x" and self.peek().text == "*":
            self.take()
            symbol += "\u2217"
        if not operand and text in ("-", "+"):
            if not first or self.peek().gap is False:
                return operator(symbol, form="prefix")
            return operator(symbol, form="infix", lspace="0em")
        return operator(symbol, form="infix", lspace="0em") if first else operator(symbol)

    def _operand(self) -> Element:
        """An atom with its marks: primes, stars, tildes, exponents."""
        base = self._atom()
        for _ in range(_MARKS):
            if self.peek().gap or self.peek().text not in ("^", "~", "'", "*"):
                break
            mark = self.take().text
            if mark == "~":
                base = element("mover", base, operator("~", stretchy="false"))
            elif mark == "^":
                base = element("msup", base, self._exponent())
            else:
                base = element("msup", base, operator(_POSTFIX[mark]))
        return base

    def _exponent(self) -> Element:
        if self.peek().text == "-":
            self.take()
            return row(operator("\u2212", form="prefix"), self._atom())
        return self._atom()

    def _atom(self) -> Element:
        token = self.take() if self.at < len(self.tokens) else Token("end", "", True)
        if token.kind == "number":
            return self._number(token)
        if token.text == "sqrt" and self.peek().text == "(":
            self.take()
            return element("msqrt", row(*self._closed(")")))
        if token.kind in ("name", "word"):
            return identifier(token.text)
        if token.text == "|":
            return self._bars()
        if token.text == "[" and self.peek().text == "[":
            return self._matrix()
        if token.text in _CLOSING:
            closing = _CLOSING[token.text]
            return brackets(token.text, row(*self._closed(closing)), closing)
        return operator(token.text)

    def _number(self, token: Token) -> Element:
        over = self.peek().text == "/" and not self.peek().gap
        if over and self.peek(1).kind == "number" and not self.peek(1).gap:
            self.take()
            return element("mfrac", number(token.text), number(self.take().text))
        return number(token.text)

    def _closed(self, closing: str) -> list[Element]:
        """The formula up to the closing bracket, which is consumed too if it is there."""
        inside = self.sequence(closing)
        if self.peek().text == closing:
            self.take()
        return inside

    def _bars(self) -> Element:
        """An absolute value or norm."""
        end = self.at
        while end < len(self.tokens) and self.tokens[end].text != "|":
            end += 1
        if end == len(self.tokens):
            return operator("|", stretchy="false")
        inside = _Reader(self.tokens[self.at : end]).sequence()
        self.at = end + 1
        return brackets("|", row(*inside), "|")

    def _matrix(self) -> Element:
        """Rows in brackets, within brackets."""
        rows = []
        while self.peek().text == "[":
            self.take()
            cells = [self._cell()]
            while self.peek().text == ",":
                self.take()
                cells.append(self._cell())
            self._skip("]")
            rows.append(element("mtr", *(element("mtd", cell) for cell in cells)))
            self._skip(",")
        self._skip("]")
        return brackets("[", element("mtable", *rows), "]")

    def _cell(self) -> Element:
        """The formula up to a comma or the end of the row."""
        end, depth = self.at, 0
        while end < len(self.tokens):
            text = self.tokens[end].text
            if depth == 0 and text in (",", "]"):
                break
            depth += (text in _CLOSING) - (text in _CLOSING.values())
            end += 1
        inside = _Reader(self.tokens[self.at : end]).sequence()
        self.at = end
        return row(*inside)

    def _skip(self, text: str) -> None:
        if self.peek().text == text:
            self.take()
