"""chains: merges nested sums into one chain for fused multiply-adds."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from codegen.ir.operations import Op
from codegen.ir.program import Node, Program
from codegen.ir.rewriting import Builder, rebuild


class Link(NamedTuple):
    """A term of a chain: a node of the old Program, and whether it is subtracted."""

    node: int
    negative: bool


def chains(program: Program) -> Program:
    """Turn a + (b c - d e) into a + b c - d e, and b c + d e + a into a + b c + d e.

    A nested sum without products is not merged, as its result may be exact.
    """
    products, inner = _products_and_inner_sums(program)
    made: list[int] = []

    def rule(graph: Builder, node: Node, old: int) -> int:
        if _is_sum(node) and old not in inner:
            made.append(_chain(graph, _arranged(list(_terms(program, old, inner)), products), made))
        else:
            made.append(graph.add(node.op, *node.args, value=node.value))
        return made[-1]

    return rebuild(program, rule)


def _is_sum(node: Node) -> bool:
    return node.op in (Op.ADD, Op.SUB)


def fusable(program: Program) -> set[int]:
    """The products that only sums use: a fused multiply-add can absorb them wherever they are used."""
    elsewhere = set(program.roots)
    for node in program.nodes:
        if not _is_sum(node):
            elsewhere.update(node.args)
    return {i for i, node in enumerate(program.nodes) if node.op is Op.MUL and i not in elsewhere}


def _products_and_inner_sums(program: Program) -> tuple[set[int], set[int]]:
    """The products that sums can absorb, and the sums that are part of another sum's chain."""
    uses, products = program.uses(), fusable(program)
    pure: set[int] = set()  # sums of such products
    inner: set[int] = set()
    for i, node in enumerate(program.nodes):
        if _is_sum(node):
            left = node.args[0]
            own = uses[i] == 1 and i not in program.labels
            inner.update(a for a in node.args if a in pure)
            if _is_sum(program.nodes[left]) and uses[left] == 1 and left not in program.labels:
                inner.add(left)
            if own and all(a in products or a in pure for a in node.args):
                pure.add(i)
    return products, inner


def _terms(program: Program, head: int, inner: set[int]) -> Iterator[Link]:
    """The terms of the chain that ends in a sum, in their order."""
    stack = [Link(head, False)]
    while stack:
        i, negative = stack.pop()
        if i == head or i in inner:
            op, (left, right), _ = program.nodes[i]
            stack += [Link(right, negative ^ (op is Op.SUB)), Link(left, negative)]
        else:
            yield Link(i, negative)


def _arranged(terms: list[Link], products: set[int]) -> list[Link]:
    """The terms with one that is not a product among the first two, as the start of the chain."""
    if all(term.node in products for term in terms[:2]):
        start = next((term for term in terms if term.node not in products), None)
        if start is not None:
            terms.remove(start)
            terms.insert(1 if start.negative else 0, start)
    return terms


def _chain(graph: Builder, terms: Sequence[Link], made: Sequence[int]) -> int:
    total = made[terms[0].node]
    for term in terms[1:]:
        total = graph.add(Op.SUB if term.negative else Op.ADD, total, made[term.node])
    return total
