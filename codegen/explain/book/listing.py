"""The listing of a function in both precisions: each statement with its formula and its links.

Links use numbers of the statements in double. A statement in float is linked with those in double that
compute the same nodes: ids differ where constants depend on the precision, and statements may be split
differently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple
from xml.etree.ElementTree import Element

from markupsafe import Markup

from codegen.emit.function import Function
from codegen.emit.mathml import Piece, expression, identifier
from codegen.emit.render import declaration, statement, statement_groups
from codegen.errors import FeatherError
from codegen.explain.book.functions import OPTIONS, function_of
from codegen.explain.book.graph_image import image
from codegen.explain.book.spans import ranges
from codegen.explain.graph import graph
from codegen.explain.graph_values import readable
from codegen.explain.inspection.whereabouts import reason_rows
from codegen.ir.status import Status
from codegen.ir.systems import F32, F64
from codegen.modeling.kernel import Kernel
from codegen.notation.elements import element, inline, math, operator, row
from codegen.passes.pipeline import optimised
from codegen.provenance.trace import Trace, TracedStatement, identified, trace
from codegen.provenance.wording import limit_nodes


class Line(NamedTuple):
    """A statement of the C, as it is in the file, its keys, and whether a blank line precedes it."""

    keys: tuple[str, ...]
    c: str
    parted: bool


@dataclass(frozen=True)
class Code:
    """A function's C: its head, its unused arguments, and its statements."""

    symbol: str
    ctype: str
    head: str
    unused: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def keys(self) -> list[str]:
        """The first key of each line that has one."""
        return [line.keys[0] for line in self.lines if line.keys]


class ListedStatement(NamedTuple):
    """A statement as mathematics, and its card: the phrases of each of its texts by number."""

    key: str
    formula: Markup
    card: str


class Drawing(NamedTuple):
    """The drawing of the expression graph, and whether its nodes are named values, not operations."""

    image: Markup
    by_value: bool


@dataclass(frozen=True)
class Listing:
    """The content of a function's page: C, formulas, parts of the equation with their keys, graph.

    `said` are the phrases of which the texts on the cards of its rows consist, each once.
    `hows` are the kinds of the reasons of its statements in double, loads apart.
    """

    codes: tuple[Code, ...]
    rows: tuple[ListedStatement, ...]
    said: tuple[str, ...]
    equations: tuple[tuple[str, tuple[str, ...]], ...]
    steps: tuple[tuple[str, ...], ...]
    graph: Drawing | None
    functions: tuple[Function, ...]
    hows: tuple[str, ...]


_ENDS = ("kept", "store", "status")

_COMMA = ", "
"""What is between the phrases of a text."""


def listing(kernel: Kernel) -> Listing:
    """The listing of a kernel with the options of the library."""
    functions = tuple(function_of(kernel, p) for p in (F64, F32))
    double = trace(functions[0], OPTIONS)
    numbered = _numbered([double.statements, identified(functions[1], OPTIONS)])
    double = replace(double, statements=numbered[0])
    said: dict[str, int] = {}
    keys = _keys(numbered, functions)
    return Listing(
        tuple(_code(f, k) for f, k in zip(functions, keys, strict=True)),
        tuple(_rows(functions[0], double, said)),
        tuple(said),
        tuple((text, tuple(s.id for s in double.serving(i))) for i, text in enumerate(double.equations)),
        tuple(tuple(s.id for s in double.of_step(i)) for i in range(len(double.steps))),
        _graph(functions[0], double),
        functions,
        tuple(s.how for s in double.statements if s.kind != "load"),
    )


def _numbered(functions: Sequence[Sequence[TracedStatement]]) -> list[tuple[TracedStatement, ...]]:
    """The statements with numbers for ids, which are in every link of the page; equal ones stay equal."""
    numbers: dict[str, str] = {}
    for statements in functions:
        for s in statements:
            numbers.setdefault(s.id, str(len(numbers) + 1))
    return [tuple(replace(s, id=numbers[s.id]) for s in statements) for statements in functions]


def _graph(f: Function, t: Trace) -> Drawing | None:
    """The drawing of the expression graph; None where it is too large to draw."""
    every = graph(f.program, t)
    drawn = readable(every, f.program)
    try:
        return Drawing(Markup(image(drawn)), drawn is not every)
    except FeatherError:
        return None


def _keys(
    traced: Sequence[Sequence[TracedStatement]], functions: Sequence[Function]
) -> list[list[tuple[str, ...]]]:
    """The keys of each statement of each precision."""
    double = traced[0]
    shapes = [[(n.op, n.args) for n in f.program.nodes] for f in functions]
    return [
        [_led_to(s, double) if shape == shapes[0] else (s.id,) for s in statements]
        for statements, shape in zip(traced, shapes, strict=True)
    ]


def _led_to(s: TracedStatement, double: Sequence[TracedStatement]) -> tuple[str, ...]:
    """The statements in double that correspond to this one: by nodes; a store or status, by what it assigns.

    Those that assign the same outputs come first: two stores may print one negation.
    """
    given = {d.id: _assigned(d) == _assigned(s) for d in double}
    found = [d.id for d in double if set(s.nodes) & set(d.nodes) or (s.kind in _ENDS and given[d.id])]
    return tuple(sorted(found, key=lambda key: not given[key]))


def _assigned(s: TracedStatement) -> tuple[object, ...]:
    """The identity of a store or of a statement of the status; without a condition, its text."""
    untested = s.kind == "guard" or (s.kind == "status" and not s.roots)
    text = s.c if untested else _target(s) if s.kind == "kept" else ""
    return s.kind, s.outputs, s.flags, text


def _code(f: Function, keys: Sequence[tuple[str, ...]]) -> Code:
    printed = [(s, k == 0) for group in statement_groups(f, OPTIONS) for k, s in enumerate(group)]
    lines = [Line(keys[i], statement(s, "    "), i > 0 and begins) for i, (s, begins) in enumerate(printed)]
    returns = f"{OPTIONS.prefix}status" if f.returns_status else "void"
    head = declaration((f"{returns} {f.symbol}", [p.declaration for p in f.parameters]), "")
    return Code(f.symbol, f.precision.ctype, head, f.unused, tuple(lines))


def _rows(f: Function, t: Trace, said: dict[str, int]) -> list[ListedStatement]:
    """Every statement except the loads as a formula of the names that other statements assign.

    What their cards say is added to `said`, with its number.
    """
    held = {s.node: s.name for s in f.body.named if s.node is not None}
    limits = _limits(f)
    return [
        ListedStatement(
            s.id,
            Markup(math(_formula(f, s, held, limits))),
            ";".join(_phrases(text, said) for text in _card(s)),
        )
        for s in t.statements
        if s.roots and s.kind != "load"
    ]


def _phrases(text: str, said: dict[str, int]) -> str:
    """The numbers of the phrases of a text, which are added to `said`: many texts explain the same names."""
    return ranges(said.setdefault(phrase, len(said)) for phrase in text.split(_COMMA))


def _limits(f: Function) -> dict[Fraction, Piece]:
    """The constants of a precision that are expressions in eps, min, max and pi."""
    before = optimised(f.kernel, OPTIONS.checks)
    nodes = limit_nodes(before, f.precision)
    return {value: expression(before, i, {}, f.precision) for value, i in nodes.items()}


def _card(s: TracedStatement) -> list[str]:
    """Name, written equation, identity and unit of a value."""
    return [f"{name} {text}" for name, text in reason_rows(s)]


def _formula(
    f: Function, s: TracedStatement, held: Mapping[int, str], limits: Mapping[Fraction, Piece]
) -> Element:
    """`name = expression`; for the status each flag with the condition that must hold."""
    if s.kind == "status":
        flags = [
            _flag(f, flag, node, held, limits) for node, flag in f.program.status if flag.name in s.flags
        ]
        return row(*[part for flag in flags for part in (element("mtext", ";\u00a0"), flag)][1:])
    (root,) = s.roots
    if s.kind != "value" and root in held:
        return _equal(_target(s), identifier(held[root]))
    computed = expression(f.program, root, held, f.precision, limits).shown
    return _equal(held[root] if s.kind == "value" else _target(s), computed)


def _target(s: TracedStatement) -> str:
    """The object that a store assigns, as it is declared: I_O.J.xx."""
    assigned, is_assigned, _ = s.c.partition(" = ")
    return assigned.replace("->", ".").removeprefix("*") if is_assigned else s.outputs[0]


def _equal(name: str, value: Element) -> Element:
    return row(identifier(name), operator("="), *inline(value))


def _flag(
    f: Function, flag: Status, node: int, held: Mapping[int, str], limits: Mapping[Fraction, Piece]
) -> Element:
    shown = expression(f.program, node, held, f.precision, limits).shown
    met = identifier(held[node]) if node in held else shown
    return row(element("mtext", f"{flag.name} unless\u00a0"), met)
