"""factor: factors common factors out of sums and merges the constants of products."""

from fractions import Fraction

from codegen.ir.operations import Op
from codegen.ir.program import Node, Program
from codegen.ir.rewriting import Builder, rebuild


def factor(program: Program) -> Program:
    """Turn a b + a c into a (b + c), c1 (c2 x) into (c1 c2) x, and c (c1 x + c2 y) into c c1 x + c c2 y.

    Only where the intermediate results have no other use, so that every step saves a multiplication.
    """
    uses = program.uses()
    own: set[int] = set()  # new nodes that serve one use only

    def rule(graph: Builder, node: Node, old: int) -> int:
        op, args, _ = node
        better = None
        if op in (Op.ADD, Op.SUB) and own.issuperset(args):
            better = _common_factor(graph, op, *args)
        elif op is Op.MUL:
            better = _scaled(graph, args, own)
        new = graph.keep(node) if better is None else better
        if uses[old] == 1 and old not in program.labels:
            own.add(new)
        return new

    return rebuild(program, rule)


def _common_factor(graph: Builder, op: Op, a: int, b: int) -> int | None:
    left, right = graph.operands(a, Op.MUL), graph.operands(b, Op.MUL)
    if not left or not right:
        return None
    for i, common in enumerate(left):
        if common in right:
            rest = graph.add(op, left[1 - i], right[1 - right.index(common)])
            return graph.add(Op.MUL, common, rest)
    return None


def _scaled(graph: Builder, args: tuple[int, ...], own: set[int]) -> int | None:
    """A product of a constant with an operand that can absorb the constant."""
    for scale, other in (args, args[::-1]):
        number = graph.number(scale)
        if number is not None and _takes(graph, other, own, number):
            return _times(graph, scale, other)
    return None


_LARGEST = 2**120
"""Constants whose product, or its reciprocal, is larger stay apart: floats end at 2^128 and 2^-126."""


def _takes(graph: Builder, i: int, own: set[int], scale: Fraction) -> bool:
    """Whether multiplying node i by a constant is free: its terms are constants times something."""
    op, args, _ = graph.nodes[i]
    if i not in own:
        return False
    if op is Op.MUL:
        known = next((n for n in map(graph.number, args) if n is not None), None)
        return known is not None and _is_in_range(scale * known)
    if op is Op.NEG:
        return _takes(graph, args[0], own, scale)
    return op in (Op.ADD, Op.SUB) and all(_takes(graph, a, own, scale) for a in args)


def _is_in_range(constant: Fraction) -> bool:
    return constant == 0 or 1 <= abs(constant) * _LARGEST <= _LARGEST**2


def _times(graph: Builder, scale: int, i: int) -> int:
    op, args, _ = graph.nodes[i]
    if op is Op.MUL:
        known, rest = args if graph.number(args[0]) is not None else args[::-1]
        product = (graph.number(scale) or 0) * (graph.number(known) or 0)
        return graph.add(Op.MUL, graph.constant(product), rest)
    return graph.add(op, *(_times(graph, scale, a) for a in args))
