"""products: multiplies the factors of a product in an order in which no partial product grows much.

q d^2 may overflow where neither the factors of q d^2 (1/d^2) nor the product do: the guard rejects a form
that begins with it. In another order, the same factors take as many operations.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from codegen.ir.operations import Op
from codegen.ir.program import Node, Program
from codegen.ir.rewriting import Builder, rebuild
from codegen.passes.search.growth import Growth, growths, product, steepness

_COMPARED = 16
"""The number of factors of which a pair is chosen at a time: of a long product, the first ones."""


class Factor(NamedTuple):
    """An operand of a product: its node in the new Program, and how its value grows with the inputs."""

    node: int
    growth: Growth


def moderated(program: Program) -> Program:
    """The Program with the factors of each product multiplied in pairs, each time the two that grow least."""
    growth, partial = growths(program), _partial(program)
    moved: list[int] = []

    def factors(whole: int) -> Iterator[Factor]:
        left = list(program.nodes[whole].args)
        while left:
            a = left.pop(0)
            if a in partial:
                left[:0] = program.nodes[a].args
            else:
                yield Factor(moved[a], growth[a])

    def rule(graph: Builder, node: Node, old: int) -> int:
        if node.op is Op.MUL and old not in partial:
            moved.append(_multiplied(graph, list(factors(old))))
        else:
            moved.append(graph.keep(node))
        return moved[-1]

    return rebuild(program, rule)


def _partial(program: Program) -> set[int]:
    """The products that are used once, by another product."""
    uses, nodes = program.uses(), program.nodes
    used = (a for node in nodes if node.op is Op.MUL for a in node.args)
    return {a for a in used if nodes[a].op is Op.MUL and uses[a] == 1 and a not in program.labels}


def _multiplied(graph: Builder, factors: list[Factor]) -> int:
    while len(factors) > 1:
        a, b = min(combinations(factors[:_COMPARED], 2), key=_steepness)
        factors.remove(a)
        factors.remove(b)
        factors.append(Factor(graph.add(Op.MUL, a.node, b.node), product(a.growth, b.growth)))
    return factors[0].node


def _steepness(pair: tuple[Factor, Factor]) -> float:
    return steepness(product(pair[0].growth, pair[1].growth))
