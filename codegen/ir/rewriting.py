"""Rewriting of Programs: a rule rebuilds them node by node in a new graph."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from codegen.ir.expression import LeafValue
from codegen.ir.operations import LEAVES, Op
from codegen.ir.program import Node, Program


class Builder:
    """The nodes of a Program under construction."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def add(self, op: Op, *args: int, value: LeafValue = None) -> int:
        """Append a node and return its number."""
        return self.keep(Node(op, args, value))

    def keep(self, node: Node) -> int:
        """Append a node as it is and return its number."""
        self.nodes.append(node)
        return len(self.nodes) - 1

    def constant(self, number: Fraction | int) -> int:
        """A node that holds an exact constant."""
        return self.add(Op.CONSTANT, value=Fraction(number))

    def truth(self, value: bool) -> int:
        """A node that holds True or False."""
        return self.add(Op.TRUTH, value=value)

    def number(self, i: int) -> Fraction | None:
        """The value of node i if it is an exact constant."""
        node = self.nodes[i]
        return node.value if isinstance(node.value, Fraction) else None

    def operands(self, i: int, op: Op) -> tuple[int, ...] | None:
        """The arguments of node i if it is this operation."""
        return self.nodes[i].args if self.nodes[i].op is op else None


Rule = Callable[[Builder, Node, int], int]
"""(new graph, node with its arguments in the new graph, its old number) -> its new number."""


def rebuild(program: Program, rule: Rule) -> Program:
    """The Program rebuilt under the rule, without dead nodes."""
    graph = Builder()
    moved: list[int] = []
    for i, (op, args, value) in enumerate(program.nodes):
        moved.append(rule(graph, Node(op, tuple([moved[a] for a in args]), value), i))
    return replayed(program, graph, moved)


def replayed(program: Program, graph: Builder, moved: Sequence[int] | Mapping[int, int]) -> Program:
    """The Program over the graph's nodes, given the new number of each old node that has one."""
    known = moved if isinstance(moved, Mapping) else range(len(moved))
    labels: dict[int, str] = {}
    for i in sorted(program.labels):
        if i in known and graph.nodes[moved[i]].op not in LEAVES:
            labels.setdefault(moved[i], program.labels[i])
    status = tuple(
        (moved[n], flag) for n, flag in program.status if graph.nodes[moved[n]] != Node(Op.TRUTH, (), True)
    )
    results = tuple(moved[r] for r in program.results)
    rebuilt = replace(program, nodes=tuple(graph.nodes), results=results, status=status, labels=labels)
    alive = needed(rebuilt)
    return rebuilt if len(alive) == len(graph.nodes) else arrange(rebuilt, sorted(alive))


def needed(program: Program) -> set[int]:
    """The live nodes: those on which the results and requirements depend."""
    alive = set(program.roots)
    for i in range(len(program.nodes) - 1, -1, -1):
        if i in alive:
            alive.update(program.nodes[i].args)
    return alive


def depth_first(roots: Iterable[int], below: Callable[[int], Sequence[int]]) -> Iterator[int]:
    """All nodes below the roots once, operands first, in the order of the roots."""
    done: set[int] = set()
    for root in roots:
        stack = [(root, False)]
        while stack:
            i, ready = stack.pop()
            if ready:
                yield i
            elif i not in done:
                done.add(i)
                stack.append((i, True))
                stack.extend((a, False) for a in reversed(below(i)) if a not in done)


def arrange(program: Program, order: Iterable[int]) -> Program:
    """The same nodes in another order, which must keep arguments before uses; others are dropped."""
    new: dict[int, int] = {}
    nodes: list[Node] = []
    for old in order:
        op, args, value = program.nodes[old]
        new[old] = len(nodes)
        nodes.append(Node(op, tuple([new[a] for a in args]), value))
    return replace(
        program,
        nodes=tuple(nodes),
        results=tuple(new[r] for r in program.results),
        status=tuple((new[n], flag) for n, flag in program.status),
        labels={new[i]: label for i, label in program.labels.items() if i in new},
    )
