"""Reads the text of equations; errors name the place and what was expected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from codegen.errors import FeatherError
from codegen.notation.syntax import Equation, Kind, Node, Span

_TOKEN = re.compile(
    r"""(?P<gap>\s*)(?:
      (?P<number>\d+(?:\.\d+)?(?:e-?\d{1,3}(?!\d))?)
    | (?P<name>[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*'?)
    | (?P<symbol>(?<=\s)\(x\)(?=\s)|\^-1|\^T|\^\*|<=|>=|[-+/.^~|()\[\]{}=,;:<>])
    )""",
    re.VERBOSE,
)
_WORDS = frozenset(("x", "if", "otherwise", "and", "or", "not"))
"""Names that are operators; x only between two operands."""

_RELATIONS = frozenset(("<", "<=", ">", ">="))

LONGEST = 5000
"""Limit on the characters of a text."""

_LARGEST = 99
"""Limit on exponents and indices."""

_DEEPEST = 40
"""Limit on the nesting of brackets."""


class _Token(NamedTuple):
    kind: str
    text: str
    gap: bool
    place: int


def read(text: str) -> tuple[Equation, ...]:
    """The equations of a text; FeatherError with the place where it cannot be read."""
    return _read(text)[0]


@cache
def _read(text: str) -> tuple[tuple[Equation, ...], Sequence[int]]:
    """The equations of a text, and where one ends that no comma follows."""
    if len(text) > LONGEST:
        raise FeatherError(f"an equation has at most {LONGEST} characters, but this has {len(text)}")
    reader = _Reader(text)
    return reader.equations(), reader.ends


@cache
def read_formulas(text: str) -> tuple[Equation, ...]:
    """The equations, conditions and expressions of a text; an expression is an equation's only side."""
    return _Reader(text).equations(lone=True)


def apart(text: str) -> tuple[str, ...]:
    """The parts of a text of equations: what stands between semicolons, or in the notation on its own line.

    Equations that commas separate are one part, and a line inside of brackets ends none.
    """
    try:
        _, ends = _read(text)
    except FeatherError:  # it is in words, or one of the equations is misspelt
        return tuple(part for part in _roughly_apart(text) if part)
    places = [0, *ends, len(text)]
    parts = (" ".join(text[start:end].split()).removesuffix(";").rstrip() for start, end in pairwise(places))
    return tuple(part for part in parts if part)


def _roughly_apart(text: str) -> Iterator[str]:
    """The parts of a text that is not in the notation; a line that has an equals sign begins one."""
    for part in text.split("; "):
        begun = ""
        for line in part.splitlines():
            if "=" in line and begun:
                yield begun.removesuffix(";")
                begun = ""
            begun = " ".join((begun, *line.split())).strip()
        yield begun


def _around(text: str, place: int) -> tuple[str, str]:
    """What stands on the line of a place, between semicolons, and the end of that up to the place."""
    start = 1 + max(text.rfind(";", 0, place), text.rfind("\n", 0, place))
    ends = (text.find(mark, place) for mark in ";\n")
    end = min((i for i in ends if i >= 0), default=len(text))
    return " ".join(text[start:end].split()), " ".join(text[max(start, place - 23) : place + 1].split())


def _tokens(text: str) -> Iterator[_Token]:
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            if not text[place:].strip():
                break
            place += len(text[place:]) - len(text[place:].lstrip())
            wrong = " ".join(text[place : place + 12].split())
            raise FeatherError(f"in {_around(text, place)[0]!r}: {wrong!r} is no notation for equations")
        kind, word = str(found.lastgroup), found[str(found.lastgroup)]
        newline = "\n" in found["gap"]
        if newline and place:
            yield _Token("symbol", "\n", True, place)
        yield _Token("symbol" if word in _WORDS else kind, word, bool(found["gap"]), found.end())
        place = found.end()
    yield _Token("end", "end", True, len(text))


class _Reader:
    """Recursive descent over the tokens of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_tokens(text))
        self._at = 0
        self._depth = 0
        self._norms = 0
        self._outer: list[int] = []
        self.ends: list[int] = []  # where an equation ends that no comma follows

    @property
    def _next(self) -> _Token:
        while self._depth and self._tokens[self._at].text == "\n":
            self._at += 1
        return self._tokens[self._at]

    def _is(self, *texts: str) -> bool:
        token = self._next
        return token.kind == "symbol" and token.text in texts

    def _take(self) -> _Token:
        token = self._next
        self._at += 1
        return token

    def _take_operator(self) -> str:
        """Take an operator, after which a line may end."""
        text = self._take().text
        while self._is("\n"):
            self._take()
        return text

    def expect(self, what: str) -> None:
        """Take a token, which must be this one."""
        if (self._next.text, self._next.kind) not in ((what, "symbol"), (what, "end")):
            self._fail(f"{what!r} is expected")
        self._take()

    def _fail(self, why: str) -> None:
        line, before = _around(self._text, len(self._text[: self._next.place].rstrip()) - 1)
        raise FeatherError(f"in {line!r}: after {before!r}, {why}")

    def equations(self, lone: bool = False) -> tuple[Equation, ...]:
        """Equations up to the end; expressions, too, if they may stand alone."""
        found = []
        while True:
            while self._is(";", ",", "\n"):
                self._take()
            if self._next.kind == "end":
                break
            found.append(self._equation(lone))
            if self._is(";", "\n"):
                self.ends.append(self._next.place)
            if self._next.kind != "end" and not self._is(";", ",", "\n"):
                self._fail(f"an operator or the end of the equation is expected, not {self._next.text!r}")
        if not found:
            self._fail("an equation is expected")
        return tuple(found)

    def _equation(self, lone: bool) -> Equation:
        if self._is("not") or self._is_finite():
            return Equation((self._condition(),))
        sides = [self.sum()]
        if self._is(*_RELATIONS):
            return Equation((self._condition(sides[0]),))
        while self._is("="):
            self._take_operator()
            sides.append(self.sum())
        if len(sides) == 1 and not lone:
            self._fail("an equals sign is expected")
        return Equation(tuple(sides))

    def sum(self) -> Node:
        """Terms that are added or subtracted."""
        terms = [self._signed()]
        while self._is("+", "-"):
            terms.append(self._signed())
        return terms[0] if len(terms) == 1 else Node(Kind.SUM, tuple(terms))

    def _signed(self) -> Node:
        negative = self._is("-")
        if self._is("+", "-"):
            self._take_operator()
        term = self._term()
        return Node(Kind.NEGATIVE, (term,)) if negative else term

    def _term(self) -> Node:
        """Products by signs of operation, of products without sign."""
        left, left_operator = self._product(), None
        operators = {"x": Kind.CROSS, ".": Kind.DOT, "(x)": Kind.HAMILTON}
        while self._is(".", "(x)") or self._crosses():
            kind = operators[self._take_operator()]
            if left_operator not in (None, Kind.HAMILTON) or left_operator not in (None, kind):
                self._fail("parentheses are needed between two products of vectors")
            left_operator = kind
            left = Node(kind, (left, self._product()))
        return left

    def _crosses(self) -> bool:
        """Whether an x is the sign of the cross product, and not a name: an operand follows.

        In `l x[3]`, without a blank, x is a vector with an index.
        """
        if not self._is("x"):
            return False
        following = self._tokens[self._at + 1]
        if following.text == "[" and not following.gap:
            return False
        return following.kind in ("number", "name") or following.text in ("(", "[", "{", "|", "x", "\n")

    def _product(self) -> Node:
        factors = [self._factor()]
        while True:
            if self._is("/"):
                self._take_operator()
                factors = [Node(Kind.QUOTIENT, (_product(factors), self._factor()))]
                if (self._starts_factor() or self._is("/")) and not _is_number(factors[0]):
                    self._fail("parentheses are needed: a / b c is (a / b) c or a / (b c)")
            elif self._starts_factor():
                factors.append(self._factor())
            else:
                return _product(factors)

    def _starts_factor(self) -> bool:
        token = self._next
        opens = self._is("(", "[", "{") or (self._is("|") and not self._norms)
        return opens or token.kind in ("number", "name") or (self._is("x") and not self._crosses())

    def _factor(self) -> Node:
        """A value with what is written after it: powers, transposes, indices."""
        base = self._primary()
        while True:
            if self._is("~"):
                self._take()
                base = Node(Kind.SKEW, (base,))
            elif self._is("^T"):
                self._take()
                base = Node(Kind.TRANSPOSE, (base,))
            elif self._is("^*"):
                self._take()
                base = Node(Kind.CONJUGATE, (base,))
            elif self._is("^-1"):
                self._take()
                base = Node(Kind.INVERSE, (base,))
            elif self._is("^"):
                self._take()
                base = Node(Kind.POWER, (base,), self._exponent())
            elif self._is("[") and not self._next.gap:
                base = Node(Kind.ENTRY, (base,), self._indices())
            else:
                return base

    def _exponent(self) -> int | Fraction:
        """A whole number, or a fraction in parentheses."""
        if not self._is("("):
            return self._whole()
        self._open("(")
        above = self._whole()
        self.expect("/")
        below = self._whole()
        self._close(")")
        if below == 0:
            self._fail("an exponent is divided by zero")
        exponent = Fraction(above, below)
        return exponent.numerator if exponent.denominator == 1 else exponent

    def _whole(self) -> int:
        token = self._take()
        if token.kind != "number" or not token.text.isdigit() or int(token.text) > _LARGEST:
            self._at -= 1
            self._fail(f"a whole number up to {_LARGEST} is expected")
        return int(token.text)

    def _indices(self) -> tuple[Span, ...]:
        self._open("[")
        spans = [self._span()]
        while self._is(","):
            self._take()
            spans.append(self._span())
        self._close("]")
        return tuple(spans)

    def _span(self) -> Span:
        first = self._whole()
        if not self._is(":"):
            return first, first + 1, False
        self._take()
        return first, self._whole(), True

    def _open(self, bracket: str) -> None:
        self.expect(bracket)
        self._depth += 1
        if self._depth > _DEEPEST:
            self._fail(f"brackets are nested deeper than {_DEEPEST}")
        self._outer.append(self._norms)
        self._norms = 0

    def _close(self, bracket: str) -> None:
        self.expect(bracket)
        self._depth -= 1
        self._norms = self._outer.pop()

    def _primary(self) -> Node:
        token = self._next
        if token.kind == "number":
            return Node(Kind.NUMBER, (), Fraction(self._take().text))
        if token.kind == "name" or self._is("x"):
            self._take()
            if self._is("(") and not self._next.gap:
                return Node(Kind.CALL, self._list("(", ")"), token.text)
            return Node(Kind.NAME, (), token.text)
        if self._is("("):
            self._open("(")
            inside = self.sum()
            self._close(")")
            return Node(Kind.SUM, (inside,)) if inside.kind is Kind.NEGATIVE else inside
        if self._is("["):
            return self._matrix()
        if self._is("{"):
            return self._cases()
        if self._is("|"):
            return self._norm()
        self._fail(f"a value is expected, not {token.text!r}")
        raise AssertionError

    def _norm(self) -> Node:
        self._take()
        self._norms += 1
        inside = self.sum()
        self._norms -= 1
        self.expect("|")
        return Node(Kind.NORM, (inside,))

    def _list(self, left: str, right: str) -> tuple[Node, ...]:
        self._open(left)
        found = [self.sum()]
        while self._is(","):
            self._take()
            found.append(self.sum())
        self._close(right)
        return tuple(found)

    def _matrix(self) -> Node:
        entries = self._list("[", "]")
        if not all(e.kind is Kind.COLUMN for e in entries):
            return Node(Kind.COLUMN, entries)
        widths = {len(e.args) for e in entries}
        if len(widths) != 1:
            self._fail("the rows of this matrix have different lengths")
        return Node(Kind.BLOCKS, tuple(x for e in entries for x in e.args), widths.pop())

    def _cases(self) -> Node:
        self._open("{")
        parts = []
        while True:
            parts.append(self.sum())
            if self._is("otherwise"):
                self._take()
                break
            self.expect("if")
            parts.append(self._condition())
            self.expect(",")
        self._close("}")
        return Node(Kind.CASES, tuple(parts))

    def _condition(self, first: Node | None = None) -> Node:
        """A condition, of whose first comparison the first side may have been read."""
        left = self._conjunction(first)
        while self._is("or"):
            self._take()
            left = Node(Kind.OR, (left, self._conjunction()))
        return left

    def _conjunction(self, first: Node | None = None) -> Node:
        left = self._relation(first)
        while self._is("and"):
            self._take()
            left = Node(Kind.AND, (left, self._relation()))
        return left

    def _is_finite(self) -> bool:
        return (self._next.text, self._next.kind) == ("finite", "name")

    def _relation(self, first: Node | None = None) -> Node:
        if first is None and self._is("not"):
            self._take()
            return Node(Kind.NOT, (self._relation(),))
        if first is None and self._is_finite():
            return self._primary()
        left = first or self.sum()
        if not self._is(*_RELATIONS):
            self._fail("a comparison is expected")
        return self._chain(left)

    def _chain(self, left: Node) -> Node:
        """Comparisons after their first side; a < b < c is a < b and b < c."""
        operator = self._take_operator()
        right = self.sum()
        first = Node(Kind.RELATION, (left, right), operator)
        return Node(Kind.AND, (first, self._chain(right))) if self._is(*_RELATIONS) else first


def _is_number(node: Node) -> bool:
    return all(n.kind in (Kind.NUMBER, Kind.QUOTIENT) for n in node.nodes())


def _product(factors: list[Node]) -> Node:
    return factors[0] if len(factors) == 1 else Node(Kind.PRODUCT, tuple(factors))
