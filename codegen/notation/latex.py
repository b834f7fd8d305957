"""Boxes as LaTeX, with amsmath."""

from __future__ import annotations

from functools import singledispatch

from codegen.notation.layout import (
    GREEK,
    SIGMA,
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
    "x": r" \times ", ".": r" \cdot ", "(x)": r" \otimes ", "<=": r" \le ", ">=": r" \ge ", " ": r"\,",
    "*": r" \cdot ", ",": ", ", "conjugate": "*", "and": r" \land ", "or": r" \lor ", "not": r"\lnot ",
}  # fmt: skip
_NAMES = {SIGMA: "sum", **{letter: name for name, letter in GREEK.items() if name != "eps"}}


@singledispatch
def latex(box: Box) -> str:
    """The LaTeX of a box."""
    raise TypeError(box)


@latex.register
def _(box: Symbol) -> str:
    text = f"\\{_NAMES[box.letter]}" if box.letter in _NAMES else box.letter
    if box.bold:
        text = f"\\boldsymbol{{{text}}}" if not box.upright else f"\\mathbf{{{text}}}"
    elif box.upright:
        text = f"\\operatorname{{{text}}}" if len(text) > 1 else f"\\mathrm{{{text}}}"
    elif len(box.letter) > 1:
        text = f"\\mathit{{{text}}}"
    if box.rate:
        text = f"\\dot{{{text}}}"
    named = (f"\\{_NAMES[b]}" if b in _NAMES else b for b in box.below)
    below = r"\,".join(named).replace("\N{MULTIPLICATION SIGN}", r"\times ")
    above = f"^{{{box.above}}}" if box.above else ""
    return text + above + (f"_{{{below}}}" if below else "") + "'" * box.primes


@latex.register
def _(box: Digits) -> str:
    return box.text


@latex.register
def _(box: Sign) -> str:
    sign = _SIGNS.get(box.text, f" {box.text} ")
    return sign.strip() + " " * box.text.isalpha() if box.prefix else sign


@latex.register
def _(box: Row) -> str:
    return "".join(map(latex, box.parts))


@latex.register
def _(box: Over) -> str:
    return f"\\frac{{{latex(box.top)}}}{{{latex(box.bottom)}}}"


@latex.register
def _(box: Raised) -> str:
    return f"{{{latex(box.base)}}}^{{{latex(box.above)}}}"


@latex.register
def _(box: Lowered) -> str:
    return f"{{{latex(box.base)}}}_{{{latex(box.below)}}}"


@latex.register
def _(box: Root) -> str:
    return f"\\sqrt{{{latex(box.inside)}}}"


@latex.register
def _(box: Tilde) -> str:
    return f"\\widetilde{{{latex(box.inside)}}}"


@latex.register
def _(box: Fence) -> str:
    return f"\\left{box.left}{latex(box.inside)}\\right{box.right}"


@latex.register
def _(box: Array) -> str:
    rows = r" \\ ".join(" & ".join(map(latex, row)) for row in box.rows)
    return f"\\begin{{bmatrix}}{rows}\\end{{bmatrix}}"


@latex.register
def _(box: Integral) -> str:
    low, high, inside, variable = map(latex, (box.low, box.high, box.inside, box.variable))
    return f"\\int_{{{low}}}^{{{high}}}{{{inside}}}\\,\\mathrm{{d}}{{{variable}}}"


@latex.register
def _(box: Choice) -> str:
    rows = (f"{latex(value)} & {_when(when)}" for value, when in box.cases)
    return "\\begin{cases}" + r" \\ ".join(rows) + "\\end{cases}"


def _when(condition: Box | None) -> str:
    return r"\text{otherwise}" if condition is None else f"\\text{{if }} {latex(condition)}"
