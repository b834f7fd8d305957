"""share: common-subexpression elimination by hash-consing; a + b equals b + a."""

from codegen.ir.operations import COMMUTATIVE, Op
from codegen.ir.program import Node, Program
from codegen.ir.rewriting import Builder, rebuild


def share(program: Program) -> Program:
    """Merge nodes that compute the same value; the form of the first one stays."""
    known: dict[Node, int] = {}

    def rule(graph: Builder, node: Node, _: int) -> int:
        op, args, value = node
        key = Node(op, tuple(sorted(args)), value) if op in COMMUTATIVE else node
        if key not in known:
            mirrored = known.get(Node(Op.SUB, args[::-1])) if op is Op.SUB else None
            known[key] = graph.keep(node) if mirrored is None else graph.add(Op.NEG, mirrored)
        return known[key]

    return rebuild(program, rule)
