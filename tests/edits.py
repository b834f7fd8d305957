"""Edits of emitted C: single mutations, which change what a function computes, and rewrites, which do not.

They work on pycparser's tree of a function and print it with pycparser's own printer, so that nothing of the
code under test takes part. An edit is named by its kind and a number: the same number, the same edit.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pycparser import c_ast, c_generator, c_parser


@dataclass(frozen=True)
class Slot:
    """A place in the tree that holds a node."""

    parent: Any
    name: str
    node: Any

    def put(self, node: Any) -> None:
        """Replace the node."""
        found = re.fullmatch(r"(\w+)\[(\d+)\]", self.name)
        if found:
            getattr(self.parent, found[1])[int(found[2])] = node
        else:
            setattr(self.parent, self.name, node)


def parsed(text: str) -> Any:
    """The tree of a function's definition."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL)
    named = re.findall(r"\b\w+(?= \*)|\b\w+_status\b", text.partition("{")[0])
    types = sorted(set(named) - {"float", "double", "int"})
    stubs = "".join(f"typedef int {name};" for name in types)
    return c_parser.CParser().parse(stubs + text).ext[-1]


def printed(tree: Any) -> str:
    """The C of a tree."""
    return str(c_generator.CGenerator().visit(tree)).rstrip()


def slots(node: Any) -> Iterator[Slot]:
    """Every place below a node, in the order of the text."""
    for name, child in node.children():
        yield Slot(node, name, child)
        yield from slots(child)


def _values(function: Any) -> Iterator[Slot]:
    """The places in the body that hold expressions: no targets, names of functions, or members."""
    for slot in slots(function.body):
        inner = isinstance(slot.parent, (c_ast.StructRef, c_ast.ArrayRef))
        target = isinstance(slot.parent, c_ast.Assignment) and slot.name == "lvalue"
        called = isinstance(slot.parent, c_ast.FuncCall) and slot.name == "name"
        silenced = isinstance(slot.parent, c_ast.Cast)
        if not (inner or target or called or silenced):
            yield slot


def _of(function: Any, kind: type) -> list[Slot]:
    return [slot for slot in _values(function) if isinstance(slot.node, kind)]


def _sums(function: Any, operators: str = "+-") -> list[Slot]:
    return [slot for slot in _of(function, c_ast.BinaryOp) if slot.node.op in operators]


def _reals(function: Any) -> list[str]:
    """The local variables of floating-point type."""
    declared = [s for s in function.body.block_items if isinstance(s, c_ast.Decl)]
    return [d.name for d in declared if d.type.type.names[0] in ("float", "double")]


# Mutations: each gives the edits that can be made, as functions without arguments


Edits = list[Callable[[], None]]


def _sign(function: Any) -> Edits:
    def turn(slot: Slot) -> Callable[[], None]:
        return lambda: setattr(slot.node, "op", {"+": "-", "-": "+"}[slot.node.op])

    minus = [s for s in _of(function, c_ast.UnaryOp) if s.node.op == "-"]
    return [turn(s) for s in _sums(function)] + [_putting(s, s.node.expr) for s in minus]


def _putting(slot: Slot, node: Any) -> Callable[[], None]:
    return lambda: slot.put(node)


def _operand(function: Any) -> Edits:
    """Another variable that has a value there."""
    found, known = Edits(), list[str]()
    reals = set(_reals(function))
    for statement in function.body.block_items:
        for slot in _of(_only(statement), c_ast.ID):
            if slot.node.name in known and len(known) > 1:
                other = known[known.index(slot.node.name) - 1]
                found.append(_putting(slot, c_ast.ID(other)))
        if isinstance(statement, c_ast.Decl) and statement.name in reals:
            known.append(statement.name)
    return found


def _only(statement: Any) -> Any:
    """A function of one statement."""
    return c_ast.FuncDef(None, None, c_ast.Compound([statement]))


_NEXT = dict(zip("xyz", "yzx", strict=True)) | {"w": "x"}
_NEXT |= dict(zip(("xx", "xy", "xz", "yy", "yz", "zz"), ("xy", "xz", "yy", "yz", "zz", "xx"), strict=True))


def _index(function: Any) -> Edits:
    """The neighbouring member or element, of an input or an output."""
    found = Edits()
    for slot in slots(function.body):
        node, inner = slot.node, isinstance(slot.parent, (c_ast.StructRef, c_ast.ArrayRef))
        if isinstance(node, c_ast.StructRef) and not inner and node.field.name in _NEXT:
            found.append(_renaming(node.field, _NEXT[node.field.name]))
        if isinstance(node, c_ast.ArrayRef) and not inner:
            index = int(node.subscript.value)
            found.append(_valuing(node.subscript, str(index - 1 if index else 1)))
    return found


def _renaming(node: Any, name: str) -> Callable[[], None]:
    return lambda: setattr(node, "name", name)


def _valuing(node: Any, value: str) -> Callable[[], None]:
    return lambda: setattr(node, "value", value)


def _literals(function: Any) -> list[Any]:
    return [s.node for s in _of(function, c_ast.Constant) if s.node.type in ("float", "double")]


def _constant(function: Any) -> Edits:
    """A unit more or less in the last printed digit."""
    return [_valuing(n, _one_unit_off(n.value)) for n in _literals(function)]


def _one_unit_off(text: str) -> str:
    mantissa, rest = re.fullmatch(r"([\d.]+)(.*)", text).groups()  # type: ignore[union-attr]
    if mantissa.endswith(".0") and len(mantissa) > 3:  # printed because C wants a point
        mantissa, rest = mantissa[:-2], ".0" + rest
    digit = int(mantissa[-1])
    return f"{mantissa[:-1]}{digit - 1 if digit == 9 else digit + 1}{rest}"


def _dropped(function: Any) -> Edits:
    return [_putting(s, s.node.left) for s in _sums(function)]


def _doubled(function: Any) -> Edits:
    return [_putting(s, c_ast.BinaryOp(s.node.op, s.node, s.node.right)) for s in _sums(function)]


def _swapped(function: Any) -> Edits:
    stores = [s for s in function.body.block_items if isinstance(s, c_ast.Assignment)]

    def swap(a: Any, b: Any) -> Callable[[], None]:
        def edit() -> None:
            a.lvalue, b.lvalue = b.lvalue, a.lvalue

        return edit

    return [swap(a, b) for a, b in pairwise(stores) if printed(a.rvalue) != printed(b.rvalue)]


def _suffix(function: Any) -> Edits:
    """Without the F, numbers that a float does not hold exactly before others, which differ less often."""
    found = [n for n in _literals(function) if n.value.endswith("F")]
    inexact = [n for n in found if float(n.value[:-1]) % 2.0**-20 > 0]
    return [_valuing(n, n.value.rstrip("F")) for n in inexact or found]


_WRONG = {
    "sin": "cos", "cos": "sin", "tan": "sin", "asin": "sin", "acos": "cos", "sqrt": "fabs", "fabs": "sqrt",
    "exp": "log", "log": "exp",
}  # fmt: skip


def _library(function: Any) -> Edits:
    found = Edits()
    for slot in _of(function, c_ast.FuncCall):
        name = slot.node.name.name
        bare = name.removesuffix("f")
        if bare in _WRONG:
            found.append(_renaming(slot.node.name, _WRONG[bare] + name[len(bare) :]))
        elif bare == "atan2":
            found.append(slot.node.args.exprs.reverse)
    return found


_OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_OPPOSITE = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _comparison(function: Any) -> Edits:
    """A strict comparison made non-strict, and vice versa."""
    nodes = [s.node for s in _of(function, c_ast.BinaryOp) if s.node.op in _OTHER]

    def turn(node: Any, ops: Mapping[str, str]) -> Callable[[], None]:
        return lambda: setattr(node, "op", ops[node.op])

    return [turn(n, ops) for n in nodes for ops in (_OPPOSITE, _OTHER)]


MUTATIONS: Mapping[str, Callable[[Any], Edits]] = {
    "sign": _sign,
    "operand": _operand,
    "index": _index,
    "constant": _constant,
    "dropped term": _dropped,
    "doubled term": _doubled,
    "swapped outputs": _swapped,
    "literal without suffix": _suffix,
    "wrong function": _library,
    "comparison": _comparison,
}
"""Single mistakes, each somewhere in a function."""


# Rewrites


def _renamed(function: Any) -> Edits:
    def edit() -> None:
        names = {s.node.name for s in slots(function.body) if isinstance(s.node, c_ast.Decl)}
        for slot in list(slots(function.body)):
            if (_is_variable(slot) or isinstance(slot.node, c_ast.Decl)) and slot.node.name in names:
                slot.node.name = f"value_{slot.node.name}"
            if isinstance(slot.node, c_ast.TypeDecl) and slot.node.declname in names:
                slot.node.declname = f"value_{slot.node.declname}"

    return [edit]


def _reordered(function: Any) -> Edits:
    """Declarations in any order in which each comes after those that it names; stores in any order."""

    def edit() -> None:
        source = random.Random(1)
        items = function.body.block_items
        declared = [s for s in items if isinstance(s, c_ast.Decl) and "const" in s.quals]
        stores = [s for s in items if isinstance(s, c_ast.Assignment)]
        others = [s for s in items if s not in declared and s not in stores]
        needs = {d.name: {s.node.name for s in slots(d) if _is_variable(s)} for d in declared}
        done, order = set[str](), list[Any]()
        while len(order) < len(declared):
            free = [d for d in declared if d.name not in done and not (needs[d.name] & needs.keys()) - done]
            chosen = source.choice(free)
            order.append(chosen)
            done.add(chosen.name)
        source.shuffle(stores)
        function.body.block_items = order + stores + others  # last the status, step by step

    return [edit]


def _is_variable(slot: Slot) -> bool:
    return isinstance(slot.node, c_ast.ID) and slot.name != "field"


def _commuted(function: Any) -> Edits:
    def edit() -> None:
        for slot in _of(function, c_ast.BinaryOp):
            if slot.node.op in "+*":
                slot.node.left, slot.node.right = slot.node.right, slot.node.left

    return [edit] if _sums(function, "+*") else []


def _split(function: Any) -> Edits:
    """A variable of its own for a part of an expression."""

    def splitting(position: int, slot: Slot) -> Callable[[], None]:
        def edit() -> None:
            kind = c_ast.IdentifierType([_type_of(function)])
            declared = c_ast.TypeDecl("part", ["const"], None, kind)
            new = c_ast.Decl("part", ["const"], [], [], [], declared, slot.node, None)
            slot.put(c_ast.ID("part"))
            function.body.block_items.insert(position, new)

        return edit

    return [
        splitting(i, slot)
        for i, statement in enumerate(function.body.block_items)
        for slot in _sums(_only(statement), "+-*/")
    ]


def _type_of(function: Any) -> str:
    """The floating-point type of a function, by its name."""
    return "float" if function.decl.name.endswith("_f32") else "double"


def _inlined(function: Any) -> Edits:
    """A variable replaced by its expression; loads stay, since outputs may alias inputs."""

    def inlining(declared: Any) -> Callable[[], None]:
        def edit() -> None:
            for slot in list(slots(function.body)):
                if _is_variable(slot) and slot.node.name == declared.name:
                    slot.put(declared.init)
            function.body.block_items.remove(declared)

        return edit

    memory = (c_ast.StructRef, c_ast.ArrayRef, c_ast.UnaryOp)
    declared = [s for s in function.body.block_items if isinstance(s, c_ast.Decl) and "const" in s.quals]
    return [inlining(d) for d in declared if not isinstance(d.init, memory)]


def _reassociated(function: Any) -> Edits:
    """(a + b) + c as a + (b + c), and the same of products."""

    def turning(slot: Slot) -> Callable[[], None]:
        def edit() -> None:
            inner = slot.node.left
            below = c_ast.BinaryOp(slot.node.op, inner.right, slot.node.right)
            slot.put(c_ast.BinaryOp(slot.node.op, inner.left, below))

        return edit

    return [turning(s) for s in _sums(function, "+*") if getattr(s.node.left, "op", "") == s.node.op]


def _distributed(function: Any) -> Edits:
    """(a + b) * c as a * c + b * c, and c * (a + b)."""

    def distributing(slot: Slot, total: Any, factor: Any) -> Callable[[], None]:
        def edit() -> None:
            parts = [c_ast.BinaryOp("*", part, factor) for part in (total.left, total.right)]
            slot.put(c_ast.BinaryOp(total.op, *parts))

        return edit

    found = Edits()
    for slot in _sums(function, "*"):
        for total, factor in ((slot.node.left, slot.node.right), (slot.node.right, slot.node.left)):
            if isinstance(total, c_ast.BinaryOp) and total.op in "+-":
                found.append(distributing(slot, total, factor))
    return found


def _nothing(function: Any) -> Edits:
    """The printer's own layout and parentheses."""
    return [lambda: None]


COSMETIC: Mapping[str, Callable[[Any], Edits]] = {
    "layout": _nothing,
    "renaming": _renamed,
    "order of statements": _reordered,
    "commuting": _commuted,
    "splitting": _split,
    "inlining": _inlined,
}
REASSOCIATING: Mapping[str, Callable[[Any], Edits]] = {
    "re-association": _reassociated,
    "distribution": _distributed,
}
"""Rewrites that keep every bit, and those that keep the mathematics."""


def edited(text: str, kinds: Mapping[str, Callable[[Any], Edits]], kind: str, number: int) -> str | None:
    """The function with one edit, below its comment; None where it has no place for one of that kind."""
    comment, code = re.fullmatch(r"(\s*/\*.*?\*/\s*)?(.*)", text, re.DOTALL).groups("")  # type: ignore[union-attr]
    function = parsed(code.replace("FC_RESTRICT", "restrict"))
    edits = kinds[kind](function)
    if not edits:
        return None
    edits[number % len(edits)]()
    return comment + printed(function).replace("restrict", "FC_RESTRICT")


def restyled(text: str) -> str:
    """Another brace and comment style."""
    head, _, body = text.partition("\n{\n")
    lines = [
        "  " + line.strip() + ("  // a comment" if i % 5 == 0 else "")
        for i, line in enumerate(body.split("\n"))
    ]
    return f"/* Edited\n * by hand. */\n{head} {{\n" + "\n".join(lines[:-1]) + "\n}"
