"""Formulas among words, about the equations of a kernel, which say with the formulas what a name is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from codegen.errors import FeatherError
from codegen.ir.program import Arg, input_scalars
from codegen.modeling.equations.textbook import arguments, is_notation, letters, no_rates, traced_table
from codegen.notation.blocks import Block
from codegen.notation.inferred import inferred
from codegen.notation.layout import Layout, Row, Shape, Sign
from codegen.notation.meaning import Meaning
from codegen.notation.reader import read, read_formulas
from codegen.notation.syntax import Equation, Kind, Node


def laid_out_in_prose(
    text: str, equations: Sequence[str], inputs: Sequence[Arg], outputs: Sequence[Arg]
) -> Row:
    """A formula about these equations, as it is printed; what a name is, the first ones say."""
    read_formulas(text)  # FeatherError where it is none
    (row,) = laid_out_together([text], equations, inputs, outputs)
    assert row is not None
    return row


def laid_out_together(
    texts: Sequence[str], equations: Iterable[str], inputs: Sequence[Arg], outputs: Sequence[Arg]
) -> list[Row | None]:
    """The formulas of one text, as they are printed; None for those that are no notation.

    What a name is, the formulas of the text say, and the first of the equations.
    """
    formulas = [_read(text) for text in texts]
    every = [f for found in formulas for f in found or ()]
    known = arguments([*inputs, *outputs], input_scalars([*inputs, *outputs]), traced_table())
    shapes = _evaluated(every, equations, known, [a.name for a in outputs])
    others = letters([*inputs, *outputs])
    usual = {**_usual([*inputs, *outputs]), **dict.fromkeys(others, (3, 1))}
    shapes = {**inferred(every, shapes), **shapes}
    shapes = {**_by_convention(every, shapes, usual, {n: b.shape for n, b in known.items()}), **shapes}
    shapes = {**inferred(every, shapes), **shapes}
    layout = Layout(shapes, others, no_rates([*inputs, *outputs]))
    return [None if found is None else _listed(layout, found) for found in formulas]


def _read(text: str) -> Sequence[Equation] | None:
    try:
        return read_formulas(text)
    except FeatherError:
        return None


def _listed(layout: Layout, formulas: Sequence[Equation]) -> Row:
    rows = (Row((Sign(","), layout.equation(f))) for f in formulas)
    return Row(tuple(part for row in rows for part in row.parts)[1:])


def _evaluated(
    formulas: Sequence[Equation],
    equations: Iterable[str],
    known: Mapping[str, Block],
    results: Sequence[str],
) -> dict[Node, Shape]:
    """The shapes of the expressions in formulas, with what the formulas and the equations define.

    Of the equations, later ones are asked for names that those before do not define. A formula that says
    that a value is 0 or 1 does not say whether it is a matrix.
    """
    nodes = [n for f in formulas for side in f.sides for n in side.nodes()]
    names = {n for n in nodes if n.kind is Kind.NAME}
    own = tuple(f for f in formulas if len(f.sides) > 1 and not any(s.value in (0, 1) for s in f.sides))
    shapes: dict[Node, Shape] = {}

    def look(around: Sequence[Equation]) -> None:
        with suppress(FeatherError):
            meaning = Meaning(around, known, traced_table(), results)
            for node in nodes:
                with suppress(FeatherError, KeyError):
                    meaning.evaluate(node)
            shapes.update({**meaning.shapes, **shapes})

    stated = filter(is_notation, equations)
    for equation in stated:
        for around in ((*read(equation), *own), tuple(read(equation))):
            look(around)
        if names <= shapes.keys():
            return shapes
    look(own)
    return shapes


def _by_convention(
    formulas: Sequence[Equation],
    shapes: Mapping[Node, Shape],
    usual: Mapping[str, Shape],
    known: Mapping[str, Shape],
) -> dict[Node, Shape]:
    """The shapes of names that no argument has, no equation defines and no operation shows.

    They are those of the value that changes at a rate, or of the `usual` letters; a term beside a scalar is
    one, too, and so is an element, as `J_xy`.
    """
    nodes = [n for f in formulas for side in f.sides for n in side.nodes()]
    stated = {**usual, **known}
    found: dict[Node, Shape] = {}
    for total in (n for n in nodes if n.kind is Kind.SUM):
        if any(shapes.get(a) == (1, 1) or a.kind is Kind.NUMBER for a in total.args):
            found |= {a: (1, 1) for a in total.args if a.kind is Kind.NAME}
    for node in (n for n in nodes if n.kind is Kind.NAME and n not in found):
        name = node.name.rstrip("'")
        head, _, below = name.partition("_")
        is_rate = head.startswith("d") and len(head) > 1
        shape = next(
            filter(None, (stated.get(n.removeprefix("d") if is_rate else n) for n in (name, head))), None
        )
        is_element = below.isdigit() or (below != "" and set(below) <= set("xyz"))
        if shape and not is_element and (is_rate or head in usual):
            found[node] = shape
    return found


_USUAL: Mapping[str, Shape] = {
    **dict.fromkeys(("p", "v", "r", "F", "M", "omega"), (3, 1)),
    **dict.fromkeys(("R", "J", "S"), (3, 3)),
    "q": (4, 1),
}
"""The shapes of letters that mean the same in the whole book, where a page says nothing else."""

_LOADS = frozenset("FM")
"""Letters that mean it on pages with forces only: M is a radius of curvature elsewhere."""


def _usual(arguments: Sequence[Arg]) -> dict[str, Shape]:
    loaded = not arguments or any("N" in a.unit.replace(";", " ").split() for a in arguments)
    return {letter: shape for letter, shape in _USUAL.items() if loaded or letter not in _LOADS}
