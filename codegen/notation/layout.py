"""Syntax trees -> boxes: what stands beside, above and below what, whatever the format."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction as Exact
from functools import cached_property
from typing import TypeAlias

from codegen.notation.syntax import Equation, Kind, Node, is_integral

Shape: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Symbol:
    """A letter or word with what stands below it; bold for vectors and matrices, with a dot for a rate.

    Bold letters are slanted unless they are `upright`, as words and numbers are. `above` is a superscript
    that belongs to the name.
    """

    letter: str
    below: tuple[str, ...] = ()
    bold: bool = False
    upright: bool = False
    rate: bool = False
    primes: int = 0
    above: str = ""


@dataclass(frozen=True)
class Digits:
    """A number as it is written."""

    text: str


@dataclass(frozen=True)
class Sign:
    """An operator between two boxes, or before one; `text` is that of the notation."""

    text: str
    prefix: bool = False


@dataclass(frozen=True)
class Row:
    """Boxes side by side."""

    parts: tuple[Box, ...]


@dataclass(frozen=True)
class Over:
    """A fraction; where it is written in a line, `closed` says that it needs parentheses."""

    top: Box
    bottom: Box
    closed: bool = False


@dataclass(frozen=True)
class Raised:
    """A box with another one above it to the right."""

    base: Box
    above: Box


@dataclass(frozen=True)
class Lowered:
    """A box with another one below it to the right."""

    base: Box
    below: Box


@dataclass(frozen=True)
class Root:
    """A square root."""

    inside: Box


@dataclass(frozen=True)
class Tilde:
    """The cross-product matrix of a vector."""

    inside: Box


@dataclass(frozen=True)
class Fence:
    """A box in brackets."""

    left: str
    inside: Box
    right: str


@dataclass(frozen=True)
class Array:
    """A matrix; `stacked` if it is a single column."""

    rows: tuple[tuple[Box, ...], ...]
    stacked: bool = False


@dataclass(frozen=True)
class Integral:
    """A definite integral over a variable."""

    inside: Box
    variable: Box
    low: Box
    high: Box


@dataclass(frozen=True)
class Choice:
    """Cases: values with their conditions, the last one without."""

    cases: tuple[tuple[Box, Box | None], ...]


Box: TypeAlias = (
    Symbol | Digits | Sign | Row | Over | Raised | Lowered | Root | Tilde | Fence | Array | Integral | Choice
)

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eps": "ε", "theta": "θ",  # noqa: RUF001
    "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "omega": "ω", "Omega": "Ω", "phi": "φ", "pi": "π",  # noqa: RUF001
    "psi": "ψ", "rho": "ρ", "sigma": "σ", "tau": "τ", "xi": "ξ",  # noqa: RUF001
}  # fmt: skip
"""Greek letters by their names."""

SIGMA = "\N{N-ARY SUMMATION}"
"""The sign of a sum over an index."""

_CONDITION, _SUM, _TERM, _PRODUCT, _POWER, _ATOM = range(6)
"""How tightly the outermost operation of an expression binds."""

_BINDS = {
    Kind.SUM: _SUM, Kind.NEGATIVE: _SUM, Kind.CROSS: _TERM, Kind.DOT: _TERM, Kind.HAMILTON: _TERM,
    Kind.PRODUCT: _PRODUCT, Kind.QUOTIENT: _PRODUCT, Kind.POWER: _POWER, Kind.TRANSPOSE: _POWER,
    Kind.INVERSE: _POWER, Kind.CONJUGATE: _POWER, Kind.RELATION: _CONDITION, Kind.AND: _CONDITION,
    Kind.OR: _CONDITION, Kind.NOT: _CONDITION,
}  # fmt: skip


@dataclass(frozen=True)
class Layout:
    """Lays expressions out: `shapes` are those of the expressions that were evaluated, `letters` other
    letters for those of names, as omega for the w of an angular velocity. `no_rates` are names that begin
    like those of rates, as de for an elevator.
    """

    shapes: Mapping[Node, Shape] = field(default_factory=dict)
    letters: Mapping[str, str] = field(default_factory=dict)
    no_rates: frozenset[str] = frozenset()

    def equation(self, equation: Equation) -> Row:
        """An equation, with all its sides; 1 and 0 are matrices where another side is one."""
        of_matrices = any(map(self.is_matrix, equation.sides))
        sides = [_unit(s) if of_matrices and _is_unit(s) else self.box(s) for s in equation.sides]
        return Row(tuple(part for side in sides for part in (Sign("="), side))[1:])

    def box(self, node: Node, at_least: int = _CONDITION) -> Box:
        """An expression, in parentheses unless its operation binds at least as given."""
        found = _LAYOUTS[node.kind](self, node)
        if isinstance(found, Over) and at_least == _ATOM:
            return Fence("(", found, ")")
        if isinstance(found, Over):
            return Over(found.top, found.bottom, at_least > _PRODUCT)
        binds = _TERM if isinstance(found, Row) and node.kind is Kind.NAME else _BINDS.get(node.kind, _ATOM)
        return Fence("(", found, ")") if binds < at_least else found

    def is_matrix(self, node: Node) -> bool:
        """Whether an expression is a vector or matrix, as a name of a family of such is: r_1 beside r_0."""
        if node.kind is Kind.NAME and node not in self.shapes:
            return _family(node.name) in self._families_of_matrices
        return self.shapes.get(node, (1, 1)) != (1, 1)

    @cached_property
    def _families_of_matrices(self) -> frozenset[str]:
        """The letters of which all names with an index are vectors or matrices."""
        named = [(_family(n.name), s != (1, 1)) for n, s in self.shapes.items() if n.kind is Kind.NAME]
        scalar = {family for family, is_matrix in named if not is_matrix}
        return frozenset(family for family, is_matrix in named if is_matrix and family not in scalar)

    @cached_property
    def _functions_of_matrices(self) -> frozenset[str]:
        """The functions whose values are vectors or matrices, wherever they are evaluated."""
        return frozenset(n.name for n in self.shapes if n.kind is Kind.CALL and self.is_matrix(n))

    def function(self, name: str) -> Symbol:
        """The symbol of a function."""
        return self.symbol(name, name in self._functions_of_matrices)

    def symbol(self, name: str, bold: bool) -> Symbol:
        """A name as a symbol with its frames below."""
        primes = name.count("'")
        head, *below = name.rstrip("'").split("_")
        letter, rate = (head, False) if head in self.no_rates else without_rate(head)
        indexed = _INDEXED.fullmatch(letter)
        if indexed:
            letter, below = indexed["letter"], [indexed["index"], *below]
        if bold or below:  # and not the scalar part of a quaternion
            letter = self.letters.get(letter, letter)
        if bold:
            below = [self.letters.get(b, b) for b in below]
        below = [GREEK.get(b, b) for b in below]
        letter, above = _SUPERSCRIPTS.get(letter, (GREEK.get(letter, letter), ""))
        return Symbol(letter, tuple(below), bold, bold and len(letter) > 1, rate, primes, above)


_INDEXED = re.compile(r"(?P<letter>[A-Za-z])(?P<index>\d+|[xyz]{1,2}|c|com)")
"""Names that end in an index: `c0`, `Jxy`."""


_SUPERSCRIPTS = {name: (name[0], name[1]) for name in ("IA", "Ia", "pA", "pa")}
"""Featherstone's articulated-body quantities; in the names of arguments, which are ASCII, without a sign."""

_OF_BOTH = re.compile(r"(?P<left>[A-Za-z])_x_(?P<right>[A-Za-z])")
"""Names of cross products: `v_x_m`."""


def _family(name: str) -> str:
    """The letter of a name with an index, with a sign that no name has; else the name."""
    letter, is_indexed, _ = name.partition("_")
    return f"{letter}_" if is_indexed else name


def without_rate(head: str) -> tuple[str, bool]:
    """The letter of a rate, and whether it is one: `dq`, `dphi`."""
    letter = head.removeprefix("d")
    if letter != head and head != "dt" and (len(letter) == 1 or letter in GREEK):
        return letter, True
    return head, False


def _number(_: Layout, node: Node) -> Box:
    value = Exact(node.value)  # type: ignore[arg-type]
    text = str(value) if value.denominator == 1 else _decimal(value)
    digits, *exponents = (_scientific(text) if text.endswith(_MANY_ZEROS) else text).split("e")
    if not exponents:
        return Digits(digits)
    exponent = int(exponents[0])
    power = Digits(str(abs(exponent)))
    above = Row((Sign("-", prefix=True), power)) if exponent < 0 else power
    return Row((Digits(digits), Sign("*"), Raised(Digits("10"), above)))


_MANY_ZEROS = "0" * 5
"""Whole numbers that end so are written as a multiple of a power of ten."""


def _scientific(digits: str) -> str:
    """A whole number with one digit before its point: 3.986e14."""
    first, rest = digits[0], digits[1:].rstrip("0")
    return f"{first}{'.' * bool(rest)}{rest}e{len(digits) - 1}"


def _decimal(value: Exact) -> str:
    """The decimal that was written: its denominator divides a power of ten."""
    text = f"{float(value):.17g}"
    return next((t for n in range(1, 18) if Exact(t := f"{float(value):.{n}g}") == value), text)


def _name(layout: Layout, node: Node) -> Box:
    bold = layout.is_matrix(node)
    both = _OF_BOTH.fullmatch(node.name)
    if both is None:
        return layout.symbol(node.name, bold)
    return Row((layout.symbol(both["left"], bold), Sign("x"), layout.symbol(both["right"], bold)))


def _sum(layout: Layout, node: Node) -> Box:
    matrix = any(layout.is_matrix(a) for a in node.args)
    parts: list[Box] = []
    for k, term in enumerate(node.args):
        negative = term.kind is Kind.NEGATIVE
        inside = term.args[0] if negative else term
        if negative or k:
            parts.append(Sign("-" if negative else "+", prefix=not k))
        parts.append(_unit(inside) if matrix and inside.kind is Kind.NUMBER else layout.box(inside, _TERM))
    return Row(tuple(parts))


def _is_unit(node: Node) -> bool:
    return node.kind is Kind.NUMBER and node.value in (0, 1)


def _unit(node: Node) -> Box:
    """A number that stands for a multiple of the unit matrix."""
    return Symbol(str(node.value), bold=True, upright=True)


def _product(layout: Layout, node: Node) -> Box:
    parts: list[Box] = []
    last = len(node.args) - 1
    for k, factor in enumerate(node.args):
        if k:
            both = factor.kind is Kind.NUMBER and node.args[k - 1].kind is Kind.NUMBER
            parts.append(Sign("*" if both else " "))
        unit = k == last and factor.kind is Kind.NUMBER and factor.value == 1
        parts.append(_unit(factor) if unit else layout.box(factor, _POWER))
    return Row(tuple(parts))


def _infix(sign: str) -> Callable[[Layout, Node], Box]:
    def laid_out(layout: Layout, node: Node) -> Box:
        left, right = node.args
        chained = left.kind is node.kind is Kind.HAMILTON
        return Row(
            (layout.box(left, _TERM if chained else _PRODUCT), Sign(sign), layout.box(right, _PRODUCT))
        )

    return laid_out


def _quotient(layout: Layout, node: Node) -> Box:
    return Over(layout.box(node.args[0]), layout.box(node.args[1]))


def _raised(above: Box) -> Callable[[Layout, Node], Box]:
    return lambda layout, node: Raised(layout.box(node.args[0], _ATOM), above)


def _power(layout: Layout, node: Node) -> Box:
    return Raised(layout.box(node.args[0], _ATOM), Digits(str(node.value)))


def _entry(layout: Layout, node: Node) -> Box:
    spans: Sequence[tuple[int, int, bool]] = node.value  # type: ignore[assignment]
    texts = [f"{first}:{end}" if written else str(first) for first, end, written in spans]
    joined = "".join(texts) if all(len(t) == 1 for t in texts) else ",".join(texts)
    base = layout.box(node.args[0], _ATOM)
    if isinstance(base, Symbol):
        return replace(base, below=(*base.below, joined), bold=False)
    return Lowered(base, Digits(joined))


def _listed(boxes: Sequence[Box]) -> Row:
    return Row(tuple(part for b in boxes for part in (Sign(","), b))[1:])


def _sized(node: Node) -> Symbol:
    """A matrix of zeros or the unit matrix, with its numbers of rows and columns below."""
    sizes = [str(a.value) for a in node.args]
    number, below = ("0", sizes) if node.name == "zeros" else ("1", sizes * 2)
    return Symbol(number, ("×".join(below),), bold=True, upright=True)  # noqa: RUF001


def _call(layout: Layout, node: Node) -> Box:
    arguments = [layout.box(a) for a in node.args]
    if node.name == "sqrt":
        return Root(arguments[0])
    if node.name == "abs":
        return Fence("|", arguments[0], "|")
    if node.name in ("zeros", "identity"):
        return _sized(node)
    if node.name == "cols":
        return Array((tuple(arguments),))
    if is_integral(node):
        return _integral(layout, node)
    if node.name == "rows":
        return Array(tuple((Raised(layout.box(a, _ATOM), _T),) for a in node.args))
    name: Box = Symbol(node.name, upright=True)
    if node.name in ("Rx", "Ry", "Rz"):
        name = Symbol("R", (node.name[1],), bold=True)
    elif node.name.startswith("max_"):
        name = Symbol("max", (node.name.removeprefix("max_"),), upright=True)
    elif node.name.startswith("sum_"):
        name = Symbol(SIGMA, (node.name.removeprefix("sum_"),))
    elif "_" in node.name or len(node.name) == 1:
        name = layout.function(node.name)
    return Row((name, Fence("(", _listed(arguments), ")")))


def _integral(layout: Layout, node: Node) -> Box:
    """The integrals over ranges [variable, from, to], the first of them inmost."""
    integrand, *ranges = node.args
    found = layout.box(integrand, _TERM)
    for span in ranges:
        variable, low, high = map(layout.box, span.args)
        found = Integral(found, variable, low, high)
    return found


def _column(layout: Layout, node: Node) -> Box:
    return Array(tuple((layout.box(a),) for a in node.args), stacked=True)


def _blocks(layout: Layout, node: Node) -> Box:
    width = int(node.value)  # type: ignore[arg-type]
    grid = [node.args[k : k + width] for k in range(0, len(node.args), width)]
    sizes = {a: layout.shapes.get(a, (1, 1)) for a in node.args if not _is_unit(a)}
    widths = [_extent([sizes[a][1] for a in across if a in sizes]) for across in zip(*grid, strict=True)]
    rows = []
    for across in grid:
        square = [w for a, w in zip(across, widths, strict=True) if a.value == 1]
        height = _extent([sizes[a][0] for a in across if a in sizes] or square)
        bold = [_is_unit(a) and (height > 1 or w > 1) for a, w in zip(across, widths, strict=True)]
        rows.append(tuple(_unit(a) if b else layout.box(a) for a, b in zip(across, bold, strict=True)))
    return Array(tuple(rows))


def _extent(extents: Sequence[int]) -> int:
    """The extent of blocks side by side; 1 where only numbers stand there."""
    return max(extents, default=1)


def _cases(layout: Layout, node: Node) -> Box:
    *pairs, otherwise = node.args
    cases = [(layout.box(pairs[k]), layout.box(pairs[k + 1])) for k in range(0, len(pairs), 2)]
    return Choice((*cases, (layout.box(otherwise), None)))


def _relation(layout: Layout, node: Node) -> Box:
    left, right = (layout.box(a, _SUM) for a in node.args)
    return Row((left, Sign(str(node.value)), right))


def _conjunction(layout: Layout, node: Node) -> Box:
    """Both conditions, as a chain of comparisons where the first ends with what the second begins with."""
    first, second = node.args
    follows = second.args[0] if second.kind is Kind.AND else second
    if first.kind is follows.kind is Kind.RELATION and first.args[1] == follows.args[0]:
        chain = layout.box(second)
        assert isinstance(chain, Row)
        return Row((layout.box(first.args[0], _SUM), Sign(str(first.value)), *chain.parts))
    return _logical("and")(layout, node)


def _logical(sign: str) -> Callable[[Layout, Node], Box]:
    def laid_out(layout: Layout, node: Node) -> Box:
        boxes = [
            Fence("(", layout.box(a), ")") if a.kind in (Kind.AND, Kind.OR) and a.kind is not node.kind
            else layout.box(a)
            for a in node.args
        ]  # fmt: skip
        return Row((boxes[0], Sign(sign), boxes[1]))

    return laid_out


_T = Symbol("T", upright=True)

_LAYOUTS: Mapping[Kind, Callable[[Layout, Node], Box]] = {
    Kind.NUMBER: _number,
    Kind.NAME: _name,
    Kind.SUM: _sum,
    Kind.NEGATIVE: lambda layout, node: Row((Sign("-", prefix=True), layout.box(node.args[0], _TERM))),
    Kind.PRODUCT: _product,
    Kind.QUOTIENT: _quotient,
    Kind.CROSS: _infix("x"),
    Kind.DOT: _infix("."),
    Kind.HAMILTON: _infix("(x)"),
    Kind.POWER: _power,
    Kind.TRANSPOSE: _raised(_T),
    Kind.INVERSE: _raised(Row((Sign("-", prefix=True), Digits("1")))),
    Kind.CONJUGATE: _raised(Sign("conjugate")),
    Kind.SKEW: lambda layout, node: Tilde(layout.box(node.args[0], _ATOM)),
    Kind.NORM: lambda layout, node: Fence("|", layout.box(node.args[0]), "|"),
    Kind.CALL: _call,
    Kind.COLUMN: _column,
    Kind.BLOCKS: _blocks,
    Kind.ENTRY: _entry,
    Kind.CASES: _cases,
    Kind.RELATION: _relation,
    Kind.AND: _conjunction,
    Kind.OR: _logical("or"),
    Kind.NOT: lambda layout, node: Row((Sign("not", prefix=True), Fence("(", layout.box(node.args[0]), ")"))),
}
