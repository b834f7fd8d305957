"""fold: exact constant folding, neutral and absorbing elements, selects with known conditions."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from codegen.ir.operations import LEAVES, Op, Sort
from codegen.ir.program import Node, Program
from codegen.ir.rewriting import Builder, rebuild
from codegen.ir.systems import Irrational, NumberSystem, fractions

Local = Callable[[Builder, tuple[int, ...]], int | None]


def fold(program: Program, system: NumberSystem | None = None) -> Program:
    """Replace values that do not depend on inputs; `system` evaluates constants, by default exactly."""
    arithmetic = system or fractions()

    def rule(graph: Builder, node: Node, _: int) -> int:
        op, args, _ = node
        if op in LEAVES:
            return graph.keep(node)
        known = _evaluated(graph, node, arithmetic)
        if known is None and op in _LOCAL:
            known = _LOCAL[op](graph, args)
        return graph.keep(node) if known is None else known

    return rebuild(program, rule)


_KNOWN = (Op.CONSTANT, Op.TRUTH, Op.ARRAY, Op.WHOLE)


def _evaluated(graph: Builder, node: Node, system: NumberSystem) -> int | None:
    """The result of an operation on constants."""
    for a in node.args:
        if graph.nodes[a].op not in _KNOWN:
            return None
    values = [graph.nodes[a].value for a in node.args]
    try:
        result = system.table[node.op](*values)
    except (Irrational, ZeroDivisionError, ValueError):  # left to C, which makes it infinite or NaN
        return None
    if node.op.result is Sort.ARRAY:
        return graph.add(Op.ARRAY, value=result.constants())
    if node.op.result is Sort.INDEX:
        return graph.add(Op.WHOLE, value=result)
    return graph.truth(result) if isinstance(result, bool) else graph.constant(result)


def _add(graph: Builder, args: tuple[int, ...]) -> int | None:
    a, b = args
    if graph.number(a) == 0:
        return b
    return a if graph.number(b) == 0 else None


def _sub(graph: Builder, args: tuple[int, ...]) -> int | None:
    a, b = args
    if graph.number(b) == 0:
        return a
    if a == b:
        return graph.constant(0)
    return graph.add(Op.NEG, b) if graph.number(a) == 0 else None


def _mul(graph: Builder, args: tuple[int, ...]) -> int | None:
    for a, b in (args, args[::-1]):
        number = graph.number(a)
        if number == 0:
            return a
        if number == 1:
            return b
        if number == -1:
            return graph.add(Op.NEG, b)
        if number is not None and (undone := _undone(graph, number, b)) is not None:
            return undone
    return None


def _undone(graph: Builder, number: Fraction, product: int) -> int | None:
    """x, if `product` is x / number: what 0.5 (2 x) is, also where other terms need 2 x."""
    factors = graph.operands(product, Op.MUL)
    for a, b in (factors, factors[::-1]) if factors else ():
        inner = graph.number(a)
        if inner is not None and inner * number == 1:
            return b
    return None


def _div(graph: Builder, args: tuple[int, ...]) -> int | None:
    a, b = args
    divisor = graph.number(b)
    if divisor in (1, -1):
        return a if divisor == 1 else graph.add(Op.NEG, a)
    return a if graph.number(a) == 0 and divisor != 0 else None


def _neg(graph: Builder, args: tuple[int, ...]) -> int | None:
    inner = graph.operands(args[0], Op.NEG)
    return inner[0] if inner else None


def _abs(graph: Builder, args: tuple[int, ...]) -> int | None:
    inner = graph.operands(args[0], Op.NEG)
    if inner:
        return graph.add(Op.ABS, inner[0])
    return args[0] if graph.operands(args[0], Op.ABS) else None


def _same(graph: Builder, args: tuple[int, ...]) -> int | None:
    return args[0] if args[0] == args[1] else None


def _and(graph: Builder, args: tuple[int, ...]) -> int | None:
    return _junction(graph, args, neutral=True)


def _or(graph: Builder, args: tuple[int, ...]) -> int | None:
    return _junction(graph, args, neutral=False)


def _junction(graph: Builder, args: tuple[int, ...], neutral: bool) -> int | None:
    for a, b in (args, args[::-1]):
        if graph.nodes[a].op is Op.TRUTH:
            return b if graph.nodes[a].value is neutral else a
    return _same(graph, args)


def _not(graph: Builder, args: tuple[int, ...]) -> int | None:
    inner = graph.operands(args[0], Op.NOT)
    return inner[0] if inner else None


def _select(graph: Builder, args: tuple[int, ...]) -> int | None:
    condition, a, b = args
    if graph.nodes[condition].op is Op.TRUTH:
        return a if graph.nodes[condition].value else b
    if a == b or (graph.number(a) is not None and graph.number(a) == graph.number(b)):
        return a
    inverted = graph.operands(condition, Op.NOT)
    if inverted:
        return graph.add(Op.SELECT, inverted[0], b, a)
    taken, left = _arm(graph, condition, a, 1), _arm(graph, condition, b, 2)
    return graph.add(Op.SELECT, condition, taken, left) if (taken, left) != (a, b) else None


def _arm(graph: Builder, condition: int, arm: int, which: int) -> int:
    """An arm of a select; of another select by the same condition, the arm that this one leaves."""
    inner = graph.operands(arm, Op.SELECT)
    return inner[which] if inner and inner[0] == condition else arm


def _flat(graph: Builder, args: tuple[int, ...]) -> int | None:
    return args[2] if graph.nodes[args[0]] == Node(Op.WHOLE, (), 0) else None


def _entry(graph: Builder, args: tuple[int, ...]) -> int | None:
    """The number at a known index of an array that is known at run time only."""
    numbers = graph.operands(args[0], Op.LIST)
    index, offset = (graph.nodes[a].value for a in args[1:])
    return numbers[1 + index + offset] if numbers and index is not None else None


_LOCAL: Mapping[Op, Local] = {
    Op.ADD: _add,
    Op.SUB: _sub,
    Op.MUL: _mul,
    Op.DIV: _div,
    Op.NEG: _neg,
    Op.ABS: _abs,
    Op.MIN: _same,
    Op.MAX: _same,
    Op.AND: _and,
    Op.OR: _or,
    Op.NOT: _not,
    Op.SELECT: _select,
    Op.FLAT: _flat,
    Op.ENTRY: _entry,
}
