"""The expression graph of a Program: its values as nodes, with shared values marked; output for Graphviz."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from codegen.ir.operations import LEAVES, Op, Sort
from codegen.ir.program import Program
from codegen.ir.systems import number_text
from codegen.provenance.flow import scalar_names
from codegen.provenance.trace import Trace, TracedStatement

NodeKind: TypeAlias = Literal["input", "value", "condition", "output", "status"]


@dataclass(frozen=True)
class GraphNode:
    """A value: its key in the graph, its kind, the operation or name to show, and its name in the formula.

    `shared` values are used more than once. `statement` is the id of the C statement that computes it, where
    the statements are known.
    """

    key: str
    kind: NodeKind
    label: str
    name: str = ""
    shared: bool = False
    statement: str = ""


@dataclass(frozen=True)
class GraphEdge:
    """An edge from an operand to its operation; `role` names the operand where the order matters."""

    source: str
    target: str
    role: str = ""


@dataclass(frozen=True)
class Graph:
    """The graph of a Program, from inputs to outputs and status."""

    title: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]


SYMBOLS: Mapping[Op, str] = {
    Op.ADD: "+", Op.SUB: "-", Op.MUL: "\N{MULTIPLICATION SIGN}", Op.DIV: "÷", Op.LT: "<", Op.LE: "≤",
    Op.AND: "and", Op.OR: "or", Op.NEG: "-x", Op.NOT: "not", Op.SQRT: "√", Op.ABS: "|x|", Op.SELECT: "if",
}  # fmt: skip
"""The symbols of operations; other operations show their name."""

_ROLES: Mapping[Op, Sequence[str]] = {
    Op.SUB: ("left", "right"), Op.DIV: ("left", "right"), Op.LT: ("left", "right"), Op.LE: ("left", "right"),
    Op.ATAN2: ("y", "x"), Op.SELECT: ("if", "then", "else"),
}  # fmt: skip
_CONSTANTS = LEAVES - {Op.INPUT}


def graph(program: Program, traced: Trace | None = None) -> Graph:
    """The graph of a Program; with its function's trace, the nodes refer to their statements.

    Constants stand in the nodes that use them: `1 ÷ ·`.
    """
    statements = traced.statements if traced else ()
    owners = {n: s.id for s in reversed(statements) for n in s.nodes}
    return Graph(
        traced.symbol if traced else "",
        (*_values(program, owners), *_ends(program, statements)),
        tuple(_edges(program)),
    )


def _values(program: Program, owners: Mapping[int, str]) -> Iterator[GraphNode]:
    inputs, uses = scalar_names(program.inputs), program.uses()
    for i, (op, args, value) in enumerate(program.nodes):
        shared, statement = uses[i] > 1, owners.get(i, "")
        if op is Op.INPUT:
            yield GraphNode(f"n{i}", "input", inputs[int(value or 0)], "", shared, statement)
        elif op not in LEAVES:
            kind: NodeKind = "condition" if op.result is Sort.BOOLEAN else "value"
            label = _label(op, [_constant(program, a) for a in args])
            yield GraphNode(f"n{i}", kind, label, program.labels.get(i, ""), shared, statement)


def _label(op: Op, constants: Sequence[str]) -> str:
    """An operation's symbol, with the operands that are constants in their places."""
    sign = SYMBOLS.get(op, op.label)
    operands = [c or "·" for c in constants]
    if not any(constants):
        return sign
    if op is Op.SELECT:
        return "if {} then {} else {}".format(*operands)
    return f" {sign} ".join(operands) if op in SYMBOLS else f"{sign}({', '.join(operands)})"


def _constant(program: Program, i: int) -> str:
    """The text of a constant, exact if it is short; empty for other nodes."""
    op, _, value = program.nodes[i]
    if op not in _CONSTANTS:
        return ""
    text = number_text(value)
    return text if len(text) <= 9 or not isinstance(value, Fraction) else f"{float(value):.6g}"


def _ends(program: Program, statements: Sequence[TracedStatement]) -> Iterator[GraphNode]:
    """The outputs and the status flags."""
    stores = {name: s.id for s in statements if s.kind == "store" for name in s.outputs}
    raised = {flag: s.id for s in statements if s.kind == "status" and s.roots for flag in s.flags}
    for i, (name, root) in enumerate(zip(scalar_names(program.outputs), program.results, strict=True)):
        fixed = _constant(program, root)
        label = f"{name} = {fixed}" if fixed else name
        yield GraphNode(f"out{i}", "output", label, statement=stores.get(name, ""))
    for i, (_, flag) in enumerate(program.status):
        yield GraphNode(f"flag{i}", "status", flag.name or "", statement=raised.get(flag.name or "", ""))


def _edges(program: Program) -> Iterator[GraphEdge]:
    ends = [(f"out{i}", (root,), ("",)) for i, root in enumerate(program.results)]
    ends += [(f"flag{i}", (condition,), ("if not",)) for i, (condition, _) in enumerate(program.status)]
    users: list[tuple[str, tuple[int, ...], Sequence[str]]] = [
        (f"n{i}", node.args, _ROLES.get(node.op, [""] * len(node.args)))
        for i, node in enumerate(program.nodes)
    ]
    for target, args, roles in [*users, *ends]:
        for arg, role in zip(args, roles, strict=True):
            if program.nodes[arg].op not in _CONSTANTS:
                yield GraphEdge(f"n{arg}", target, role)


_SHAPES: Mapping[NodeKind, str] = {
    "input": "shape=box", "value": "shape=ellipse", "condition": "shape=diamond",
    "output": "shape=box, peripheries=2", "status": "shape=octagon",
}  # fmt: skip


def dot(g: Graph) -> str:
    """The graph in Graphviz's language."""
    lines = [f"digraph {_quoted(g.title)} {{", "  rankdir=TB;"]
    for n in g.nodes:
        bold = ", style=bold" if n.shared and n.kind != "input" else ""
        lines.append(f"  {n.key} [label={_quoted(caption(n))}, {_SHAPES[n.kind]}{bold}];")
    for e in g.edges:
        role = f" [label={_quoted(e.role)}]" if e.role else ""
        lines.append(f"  {e.source} -> {e.target}{role};")
    return "\n".join([*lines, "}"]) + "\n"


def caption(n: GraphNode) -> str:
    """The caption of a node: its operation, with its name in the formula."""
    return f"{n.name}: {n.label}" if n.name else n.label


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
