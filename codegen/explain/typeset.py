"""A Program as equations in LaTeX: its named and shared values, its results, and its requirements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count
from xml.etree.ElementTree import Element

from codegen.emit.mathml import WORD, expression, identifier
from codegen.explain.inspection.latex import escaped
from codegen.ir.operations import LEAVES
from codegen.ir.program import Program
from codegen.ir.systems import F64
from codegen.notation.layout import GREEK

_MOST = 500
"""Programs with more values than this are not typeset."""

_BREAK, _FIXED = r" \\ ", "\N{NO-BREAK SPACE}"
_LETTERS = {letter: f"\\{name}" for name, letter in GREEK.items()} | {GREEK["eps"]: r"\varepsilon"}
_SIGNS = {
    "\u2212": "-", "\u22c5": r"\cdot", "\u00d7": r"\times", "\u2264": r"\le", "\u2227": r"\land",
    "\u2228": r"\lor", "\u00ac": r"\lnot", "\u2217": "*", "<": "<", "{": r"\{",
}  # fmt: skip


def typeset(program: Program) -> str | None:
    """The equations in LaTeX, one on each line; None where there are too many."""
    if len(program.nodes) > _MOST:
        return None
    lines = [rf"{left} &= {right}" for left, right in _equations(program)]
    lines += [rf"\text{{{escaped(flag)}}} &\text{{ unless }} {met}" for flag, met in _requirements(program)]
    return rf"$$\begin{{aligned}} {_BREAK.join(lines)} \end{{aligned}}$$"


def _names(program: Program) -> dict[int, str]:
    """The names of the values that stand on a line of their own: those of the formula, and shared ones."""
    uses = Counter(a for node in program.nodes for a in node.args)
    uses.update([*program.results, *(node for node, _ in program.status)])
    taken = {*program.labels.values(), *(n for a in program.inputs for n in a.scalar_names)}
    free = (name for i in count(1) if (name := f"t{i}") not in taken)
    found = {}
    for i, node in enumerate(program.nodes):
        if node.op not in LEAVES and (i in program.labels or uses[i] > 1):
            found[i] = program.labels.get(i) or next(free)
    return found


def _equations(program: Program) -> Iterator[tuple[str, str]]:
    names = _names(program)
    for i, name in names.items():
        yield tex(identifier(name)), tex(expression(program, i, names, F64).shown)
    outputs = [name for a in program.outputs for name in a.scalar_names]
    for name, i in zip(outputs, program.results, strict=True):
        if names.get(i) != name:
            yield tex(identifier(name)), _shown(program, i, names)


def _requirements(program: Program) -> Iterator[tuple[str, str]]:
    names = _names(program)
    return ((flag.name or "", _shown(program, i, names)) for i, flag in program.status)


def _shown(program: Program, i: int, names: Mapping[int, str]) -> str:
    return tex(identifier(names[i]) if i in names else expression(program, i, names, F64).shown)


def tex(e: Element) -> str:
    """Presentation MathML of a Program's expression as LaTeX."""
    text, kids = e.text or "", list(e)
    if e.tag == "mi" and e.get("class") != WORD:
        return rf"\mathtt{{{escaped(text)}}}"
    if e.tag in ("mi", "mn"):
        return _LETTERS.get(text) or (escaped(text) if len(text) == 1 else rf"\mathrm{{{escaped(text)}}}")
    if e.tag == "mtext":
        return r"\," if text == "\N{THIN SPACE}" else rf"\text{{{escaped(text.replace(_FIXED, ' '))}}}"
    if e.tag == "mo":
        return _SIGNS.get(text, escaped(text))
    if e.tag == "mfrac":
        return rf"\frac{{{tex(kids[0])}}}{{{tex(kids[1])}}}"
    if e.tag == "msub":
        return f"{{{tex(kids[0])}}}_{{{tex(kids[1])}}}"
    if e.tag == "msup":
        return f"{{{tex(kids[0])}}}^{{{tex(kids[1])}}}"
    if e.tag == "msubsup":
        return f"{{{tex(kids[0])}}}_{{{tex(kids[1])}}}^{{{tex(kids[2])}}}"
    if e.tag == "mtable":
        return rf"\begin{{cases}} {_BREAK.join(' & '.join(map(tex, line)) for line in kids)} \end{{cases}}"
    return _row(e, kids)


def _row(e: Element, kids: list[Element]) -> str:
    """Elements side by side; the brackets at both ends, and the brace of cases, stretch."""
    if kids and kids[-1].tag == "mtable":
        return tex(kids[-1])
    if kids and kids[0].tag == "mo" and (ends := (kids[0].text, kids[-1].text)) in (("(", ")"), ("|", "|")):
        return rf"\left{ends[0]} {' '.join(map(tex, kids[1:-1]))} \right{ends[1]}"
    inside = " ".join(map(tex, kids))
    return rf"\sqrt{{{inside}}}" if e.tag == "msqrt" else inside
