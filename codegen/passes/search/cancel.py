"""cancel: removes terms that are added and subtracted again."""

from codegen.ir.operations import Op
from codegen.ir.program import Node, Program
from codegen.ir.rewriting import Builder, rebuild

_SIGNS = {Op.ADD: 1, Op.SUB: -1}
"""The sign of the second term of a sum or difference."""


def cancel(program: Program) -> Program:
    """Turn (c - a) + a and (c + a) - a into c, a - (c + a) and (a - c) - a into -c, and so on."""

    def rule(graph: Builder, node: Node, _: int) -> int:
        rest = _rest(graph, node)
        if rest is None:
            return graph.add(node.op, *node.args, value=node.value)
        sign, term = rest
        return term if sign > 0 else graph.add(Op.NEG, term)

    return rebuild(program, rule)


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
