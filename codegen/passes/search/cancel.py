"""cancel: removes terms that are added and subtracted again, and factors that are divided by again."""

from collections import Counter
from collections.abc import Sequence
from functools import reduce

from codegen.ir.operations import Op
from codegen.ir.program import Node, Program
from codegen.ir.rewriting import Builder, rebuild

_SIGNS = {Op.ADD: 1, Op.SUB: -1}
"""The sign of the second term of a sum or difference."""

_MOST = 16
"""Limit on the factors of a product that are compared, so that the time stays linear."""


def cancel(program: Program) -> Program:
    """Turn (c - a) + a and (c + a) - a into c, a - (c + a) and (a - c) - a into -c, and so on.

    A factor by which the same product divides goes as well: b (a / b) is a, and (a / c) b / a is b / c. Where
    nothing but a constant would stay, the terms and factors do: functions and comparisons of it would be
    computed, and no comparison modulo primes knows that a floor(a / a) is a.
    """

    def rule(graph: Builder, node: Node, _: int) -> int:
        rest = _rest(graph, node)
        if rest is not None and graph.number(rest[1]) is None:
            sign, term = rest
            return term if sign > 0 else graph.add(Op.NEG, term)
        left = _lowest_terms(graph, node)
        return graph.keep(node) if left is None else left

    return rebuild(program, rule)


def _lowest_terms(graph: Builder, node: Node) -> int | None:
    """A product or quotient without the factors that are above and below the line; None where none is."""
    if node.op not in (Op.MUL, Op.DIV):
        return None
    above, below = _factors(graph, node)
    common = above & below
    if all(graph.number(i) is not None for i in common):  # other passes choose where a constant multiplies
        return None
    over, under = ([*(side - common).elements()] for side in (above, below))
    if all(graph.number(i) is not None for i in (*over, *under)):
        return None
    found = _product(graph, over)
    return graph.add(Op.DIV, found, _product(graph, under)) if under else found


def _factors(graph: Builder, node: Node) -> tuple[Counter[int], Counter[int]]:
    """The factors above and below the line of a product of products and quotients; none of a long one."""
    sides: tuple[Counter[int], Counter[int]] = Counter(), Counter()
    waiting = list(zip(node.args, (0, int(node.op is Op.DIV)), strict=True))
    while waiting:
        i, side = waiting.pop()
        op, args, _ = graph.nodes[i]
        if op in (Op.MUL, Op.DIV):
            waiting += zip(args, (side, side ^ int(op is Op.DIV)), strict=True)
        else:
            sides[side][i] += 1
        if len(waiting) + sides[0].total() + sides[1].total() > _MOST:
            return Counter(), Counter()
    return sides


def _product(graph: Builder, factors: Sequence[int]) -> int:
    if not factors:
        return graph.constant(1)
    return reduce(lambda a, b: graph.add(Op.MUL, a, b), factors)


def _rest(graph: Builder, node: Node) -> tuple[int, int] | None:
    """The sign and number of the one term that stays, where the others cancel."""
    if node.op not in _SIGNS:
        return None
    (a, b), sign = node.args, _SIGNS[node.op]
    for inner, outer, term, other in ((a, 1, b, sign), (b, sign, a, 1)):
        op, args, _ = graph.nodes[inner]
        if op in _SIGNS:
            (x, y), signs = args, (outer, outer * _SIGNS[op])
            if (x, signs[0]) == (term, -other):
                return signs[1], y
            if (y, signs[1]) == (term, -other):
                return signs[0], x
    return None
