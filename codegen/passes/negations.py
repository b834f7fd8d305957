"""negations: moves negations up through products and merges them into additions and subtractions."""

from codegen.ir.operations import Op
from codegen.ir.program import Node, Program
from codegen.ir.rewriting import Builder, rebuild


def negations(program: Program) -> Program:
    """Turn a + (-b) into a - b, (-a) b into -(a b), and so on; a remaining negation is computed once."""
    uses, absorbed = program.uses(), _absorbed(program)

    def rule(graph: Builder, node: Node, old: int) -> int:
        op, args, _ = node
        if op in (Op.ADD, Op.SUB):
            return _sum(graph, op, *args)
        if op in (Op.MUL, Op.DIV):
            return _product(graph, op, *args)
        if op is Op.NEG and uses[program.nodes[old].args[0]] == 1:
            inner = graph.operands(args[0], Op.SUB)
            if inner:
                return graph.add(Op.SUB, *reversed(inner))
        if op is Op.SELECT:
            signs = [_without_sign(graph, a) for a in args[1:]]
            zeros = old in absorbed and _is_negative_or_zero(graph, args[1:])
            if zeros or all(negative for negative, _ in signs):
                positive = graph.add(Op.SELECT, args[0], *(arm for _, arm in signs))
                return graph.add(Op.NEG, positive)
        if op in (Op.SIN, Op.TAN, Op.ASIN, Op.COS):
            negative, argument = _without_sign(graph, args[0])
            result = graph.add(op, argument)
            return graph.add(Op.NEG, result) if negative and op is not Op.COS else result
        return graph.keep(node)

    return rebuild(program, rule)


def _absorbed(program: Program) -> set[int]:
    """The nodes that only sums and their products use: a sum takes a sign, also that of a zero."""
    outside = set(program.roots)
    for i in range(len(program.nodes) - 1, -1, -1):
        op, args, _ = program.nodes[i]
        if op not in (Op.ADD, Op.SUB) and not (op is Op.MUL and i not in outside):
            outside.update(args)
    return set(range(len(program.nodes))) - outside


def _is_negative_or_zero(graph: Builder, arms: tuple[int, ...]) -> bool:
    """Whether one of two nodes is a negation, and the other one is 0."""
    return any(graph.operands(a, Op.NEG) and graph.number(b) == 0 for a, b in (arms, arms[::-1]))


def _without_sign(graph: Builder, i: int) -> tuple[bool, int]:
    """Whether node i is written as a negative, and its positive."""
    inner = graph.operands(i, Op.NEG)
    if inner:
        return True, inner[0]
    number = graph.number(i)
    if number is not None and number < 0:
        return True, graph.constant(-number)
    return False, i


def _sum(graph: Builder, op: Op, a: int, b: int) -> int:
    first, left = _without_sign(graph, a)
    second, right = _without_sign(graph, b)
    second ^= op is Op.SUB
    if first and second:
        return graph.add(Op.NEG, graph.add(Op.ADD, left, right))
    if first:
        return graph.add(Op.SUB, right, left)
    return graph.add(Op.SUB if second else Op.ADD, left, right)


def _product(graph: Builder, op: Op, a: int, b: int) -> int:
    first, left = _without_sign(graph, a)
    second, right = _without_sign(graph, b)
    product = graph.add(op, left, right)
    return graph.add(Op.NEG, product) if first ^ second else product
