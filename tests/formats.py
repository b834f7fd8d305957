"""Reads formulas back from Unicode, LaTeX and MathML into the notation, to compare what each format says."""

# ruff: noqa: RUF001 - mathematical signs are meant

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from xml.etree.ElementTree import Element, fromstring

from codegen.notation.layout import GREEK, Layout
from codegen.notation.reader import read
from codegen.notation.syntax import Equation, Kind, Node

_LETTERS = {letter: name for name, letter in GREEK.items() if name != "eps"} | {"ω": "w", "ᴬ": "A", "ᵃ": "a"}
_SIGNS = {
    "×": " x ", "⋅": " . ", "⊗": " (x) ", "−": "-", "≤": "<=", "≥": ">=", "∗": "*", "∧": " and ", "∨": " or ",
    "¬": "not ",
}  # fmt: skip


def canonical(node: Node) -> Node:
    """The expression as all formats show it: indices in names, columns and rows as matrices."""
    args = tuple(map(canonical, node.args))
    if node.kind is Kind.NAME and (both := re.fullmatch(r"(\w)_x_(\w)", node.name)):
        return Node(Kind.CROSS, tuple(Node(Kind.NAME, (), name) for name in both.groups()))
    if node.kind is Kind.NAME:
        return Node(Kind.NAME, (), _name(node.name))
    if node.kind is Kind.ENTRY and args[0].kind is Kind.NAME:
        spans: Sequence[tuple[int, int, bool]] = node.value  # type: ignore[assignment]
        texts = [f"{first}:{end}" if written else str(first) for first, end, written in spans]
        joined = "".join(texts) if all(len(t) == 1 for t in texts) else ",".join(texts)
        return Node(Kind.NAME, (), f"{args[0].name}_{joined}".replace(":", "to").replace(",", "by"))
    if node.kind is Kind.CALL and node.name == "cols":
        return Node(Kind.BLOCKS, args, len(args))
    if node.kind is Kind.CALL and node.name == "rows":
        return Node(Kind.BLOCKS, tuple(Node(Kind.TRANSPOSE, (a,)) for a in args), 1)
    if node.kind is Kind.CALL and node.name == "abs":
        return Node(Kind.NORM, args)
    if node.kind is Kind.CALL:
        return Node(Kind.CALL, args, _name({"Rx": "R_x", "Ry": "R_y", "Rz": "R_z"}.get(node.name, node.name)))
    if node.kind is Kind.SUM and len(args) == 1:  # brackets around a negative, which a tree needs none of
        return args[0]
    if node.kind is Kind.BLOCKS and node.value == 1 and len(args) > 1 and args[0].kind is not Kind.TRANSPOSE:
        return Node(Kind.COLUMN, args)
    return Node(node.kind, args, node.value)


def _name(name: str) -> str:
    """The name as its symbol shows it: `Jc` has its index below."""
    symbol = Layout({}, {}).symbol(name, bold=False)
    letter = _LETTERS.get(symbol.letter, symbol.letter)
    below = [_LETTERS.get(b, b) for b in symbol.below]
    return "d" * symbol.rate + "_".join((letter + symbol.above, *below)) + "'" * symbol.primes


def _scientific(text: str) -> str:
    """Multiples of a power of ten as numbers: 7.3e-5."""
    return re.sub(r"(\d+(?:\.\d+)?)\s*\.\s*10\^\s*(-?)\s*(\d+)", r"\1e\2\3", text)


def canonical_equation(text: str) -> tuple[Node, ...]:
    """The sides of an equation of the notation."""
    equation: Equation
    (equation,) = read(_scientific(text))
    return tuple(map(canonical, equation.sides))


def _below(base: str, below: str) -> str:
    """What is written below a base: part of a name, the size of a zero, or the indices of an expression."""
    size = re.fullmatch(r"(\d+)[ _]*[×x][ _]*(\d+)", below)
    if size:
        return f"zeros({size[1]}, {size[2]})" if base == "0" else f"identity({size[1]})"
    if re.fullmatch(r"[A-Za-z]\w*'?", base):
        return f"{base}_{below}".replace(":", "to").replace(",", "by")
    indices = below if ":" in below or "," in below else ",".join(below)
    return f"{base}[{indices}]"


# Unicode


def from_unicode(line: str) -> str:
    """The notation of a line of Unicode."""
    line = re.sub(r"\b0_(\d+)×(\d+)", r"zeros(\1, \2)", line)
    line = re.sub(r"\b1_(\d+)×\1", r"identity(\1)", line)
    line = re.sub(r"(.)\u0307", lambda m: f"d{m[1]}", line)
    line = re.sub(
        r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵀ]+",
        lambda m: "^" + m[0].translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵀ", "0123456789-T")),
        line,
    )
    line = re.sub(
        r"(?<=_)\d+(:\d+)?,\d+(:\d+)?|(?<=_)\d+:\d+",
        lambda m: m[0].replace(":", "to").replace(",", "by"),
        line,
    )
    line = re.sub(r"((?:∫\[[^\]]*\] )+)(.*?)((?: d[^\W\d_]\w*)+)$", _integral, line)
    line = re.sub(r"(?<=[\w\)\]~'])\*", "^*", line)
    line = line.replace(" · ", ".").replace("√", "sqrt").replace("×", " x ").replace("⊗", "(x)")
    line = line.replace("≤", "<=").replace("≥", ">=")
    line = re.sub(
        r"(?<=_)\d+(?::\d+)?(?:,\d+(?::\d+)?)?",
        lambda m: m[0].replace(":", "to").replace(",", "by") if ":" in m[0] else m[0],
        line,
    )
    line = re.sub(
        r"\[((?:[^\[\]]|\[[^\[\];]*\])*;(?:[^\[\]]|\[[^\[\];]*\])*)\]",
        lambda m: "[" + ", ".join(f"[{row}]" for row in m[1].split(";")) + "]",
        line,
    )
    return "".join(_LETTERS.get(c, c) for c in line)


def _integral(found: re.Match[str]) -> str:
    """Integrals over ranges, the last one inmost."""
    limits = reversed(re.findall(r"∫\[([^\]]*)\]", found[1]))
    variables = (word.removeprefix("d") for word in found[3].split())
    ranges = (f"[{x}, {ends}]" for x, ends in zip(variables, limits, strict=True))
    return f"integral({found[2]}, {', '.join(ranges)})"


# MathML


def from_mathml(markup: str) -> str:
    """The notation of a formula in MathML."""
    return _of(fromstring("".join(map(_plain, markup))))


def _plain(character: str) -> str:
    """The letter that a bold one stands for."""
    return unicodedata.normalize("NFKC", character) if character >= "\U0001d400" else character


def is_gap(e: Element) -> bool:
    """Whether an element only stands for space."""
    return e.tag == "mtext" and e.text == "\N{THIN SPACE}"


def _of(e: Element) -> str:
    kids = list(e)
    tag = e.tag
    if tag in ("math", "mrow"):
        return _row(kids)
    if tag in ("mi", "mn"):
        return _LETTERS.get(e.text or "", e.text or "")
    if is_gap(e):
        return " "
    if tag == "mo":
        text = e.text or ""
        return text if text in "()[]|" else _SIGNS.get(text, f" {text} ")
    if tag == "mover":
        mark = kids[1].text
        return f"d{_of(kids[0])}" if mark == "˙" else f"{_of(kids[0])}~"
    if tag == "msub":
        base, below = kids
        if below.tag == "mo":  # the matrix of a cross product
            return f"({_of(base)[1:-1]})~"
        parts = [
            _LETTERS.get(p.text or "", p.text or "")
            for p in ([below] if below.tag != "mrow" else below)
            if not is_gap(p)
        ]
        prime = "'" if base.tag == "msup" and base[1].text == "′" else ""
        return _below(_of(base).rstrip("'"), "_".join(parts)) + prime
    if tag == "msup":
        above = _of(kids[1]).replace(" ", "")
        if above in ("A", "a"):
            return f"{_of(kids[0])}{above}"
        return (
            f"{_of(kids[0])}{above.replace('′', chr(39))}"
            if "′" in above
            else f"{_of(kids[0])}^{_power(above)}"
        )
    if tag == "mfrac":
        return f"(({_of(kids[0])}) / ({_of(kids[1])}))"
    if tag == "msqrt":
        return f"sqrt({_row(kids)})"
    raise AssertionError(tag)


def _row(kids: Sequence[Element]) -> str:
    if kids and kids[0].tag == "msubsup":
        (_, low, high), inside, _, (_, variable) = kids
        return _over(_of(inside), f"[{_of(variable)}, {_of(low)}, {_of(high)}]")
    if len(kids) == 3 and kids[1].tag == "mtable":
        rows = [[_row(list(cell)) for cell in row] for row in kids[1]]
        return _matrix(rows)
    if len(kids) == 2 and kids[1].tag == "mtable":
        return _choice([[_cell(list(cell)) for cell in row] for row in kids[1]])
    return "".join(map(_of, kids))


def _cell(kids: Sequence[Element]) -> str:
    if len(kids) == 1 and kids[0].tag == "mtext":
        return "otherwise"
    if kids[0].tag == "mtext" and not is_gap(kids[0]):
        return "if " + _row(kids[1:])
    return _row(kids)


def _over(inside: str, span: str) -> str:
    """The integral over a range, of what may be an integral already."""
    held = inside.startswith("integral(")
    return f"{inside[:-1]}, {span})" if held else f"integral({inside}, {span})"


def _matrix(rows: Sequence[Sequence[str]]) -> str:
    if len(rows[0]) == 1 and not all(row[0].endswith("^T") for row in rows):
        return "[" + ", ".join(row[0] for row in rows) + "]"
    return "[" + ", ".join(f"[{', '.join(row)}]" for row in rows) + "]"


def _choice(rows: Sequence[Sequence[str]]) -> str:
    return "{" + ", ".join(" ".join(row) for row in rows) + "}"


# LaTeX

_COMMANDS = {
    "times": " x ", "cdot": ".", "otimes": "(x)", "le": "<=", "ge": ">=", "land": " and ", "lor": " or ",
    "lnot": "not ", "left": "", "right": "", "text": None, "mathrm": None, "mathbf": None, "mathit": None,
    "boldsymbol": None, "operatorname": None,
}  # fmt: skip


def _power(above: str) -> str:
    """An exponent; a fraction is in brackets, which stand for its height."""
    return f"({above})" if re.fullmatch(r"\d+/\d+", above) else above


def from_latex(text: str) -> str:
    """The notation of a formula in LaTeX."""
    return _Tex(text).sequence("")


class _Tex:
    def __init__(self, text: str) -> None:
        self.tokens: list[str] = re.findall(r"\\[A-Za-z]+|\\.|[{}&^_]|[^\\{}&^_]", text)
        self.at = 0

    def sequence(self, end: str) -> str:
        found = ""
        while self.at < len(self.tokens) and self.tokens[self.at] != end:
            token = self.take()
            found = self.item(token, found)
        self.at += 1
        return found

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def group(self) -> str:
        assert self.take() == "{"
        return self.sequence("}")

    def after(self, mark: str) -> str:
        assert self.take() == mark
        return self.group()

    def item(self, token: str, before: str) -> str:
        if token == "{":
            return before + self.sequence("}")
        if token == "^":
            above = self.group()
            return before + above if above in ("A", "a") else f"{before}^{_power(above)}"
        if token == "_":
            below = self.group().strip().replace(" ", "_")
            base = re.search(r"(?:[A-Za-z]\w*|(?<![\w.])[01])$", before)
            return before[: base.start()] + _below(base[0], below) if base else _below(before, below)
        if token == "\\,":
            return before + " "
        if token == "\\frac":
            return f"{before}(({self.group()}) / ({self.group()}))"
        if token == "\\sqrt":
            return f"{before}sqrt({self.group()})"
        if token == "\\int":
            low, high = self.after("_"), self.after("^")
            inside = self.group()
            assert "".join(self.take() for _ in range(5)) == "\\,\\mathrm{d}"
            return before + _over(inside, f"[{self.group()}, {low}, {high}]")
        if token == "\\dot":
            return f"{before}d{self.group()}"
        if token == "\\widetilde":
            return f"{before}{self.group()}~"
        if token == "\\begin":
            return before + self.table(self.group())
        name = token.removeprefix("\\")
        if token.startswith("\\") and name in _COMMANDS:
            replaced = _COMMANDS[name]
            return before + (self.group() if replaced is None else replaced)
        return before + (("w" if name == "omega" else name) if token.startswith("\\") else token)

    def table(self, kind: str) -> str:
        rows: list[list[str]] = [[""]]
        while self.tokens[self.at] != "\\end":
            token = self.take()
            if token == "&":
                rows[-1].append("")
            elif token == "\\\\":
                rows.append([""])
            else:
                rows[-1][-1] = self.item(token, rows[-1][-1])
        self.take()
        self.group()
        return _choice(rows) if kind == "cases" else _matrix([[cell.strip() for cell in row] for row in rows])
