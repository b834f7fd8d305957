"""reciprocals: one division for all quotients with a common denominator, none for a constant one."""

from collections import Counter

from codegen.ir.operations import Op
from codegen.ir.program import Node, Program
from codegen.ir.rewriting import Builder, rebuild
from codegen.ir.systems import F32


def reciprocals(program: Program) -> Program:
    """Turn x/c into x * (1/c), and the divisions by one d into products with a shared 1/d.

    A constant whose reciprocal is subnormal or overflows in float stays a divisor.
    """
    denominators = Counter(n.args[1] for n in program.nodes if n.op is Op.DIV)
    inverses: dict[int, int] = {}

    def rule(graph: Builder, node: Node, old: int) -> int:
        op, args, value = node
        if op is not Op.DIV:
            return graph.add(op, *args, value=value)
        numerator, denominator = args
        number = graph.number(denominator)
        if number and F32.min <= abs(1 / number) <= F32.max:
            return graph.add(Op.MUL, numerator, graph.constant(1 / number))
        if number is not None or denominators[program.nodes[old].args[1]] < 2:
            return graph.add(op, *args)
        if denominator not in inverses:
            one = graph.constant(1)
            inverses[denominator] = graph.add(Op.DIV, one, denominator)
        return graph.add(Op.MUL, numerator, inverses[denominator])

    return rebuild(program, rule)
