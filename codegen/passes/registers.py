"""registers: orders the operations so that few values spill from the registers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from codegen.ir.operations import LEAVES, Op
from codegen.ir.program import Program
from codegen.ir.rewriting import arrange

READ_FIRST = 16
"""Up to this number of inputs, all are read before the computation, and all results are stored after it.

With more inputs, each is read where the order places it, and each result is stored as soon as it is computed
and all inputs are read.
"""

_REGISTERS = 28
"""Live values that fit into a Cortex-M4F's 32 registers beside the operands of the current operation."""

_LARGEST = 2000
"""Limit on the operations of a Program that is reordered; the time is quadratic in their number."""


def registers(program: Program) -> Program:
    """Order the nodes by the number of live values after each, where that reduces spills."""
    if len(program.nodes) > _LARGEST or not _excess(program):
        return program
    orders = [_frugal(program, [])]
    if _stores_early(program):
        orders.append(_frugal(program, _inputs(program)))
    return min([program, *(arrange(program, order) for order in orders)], key=_excess)


def _inputs(program: Program) -> list[int]:
    return [i for i, node in enumerate(program.nodes) if node.op is Op.INPUT]


def _stores_early(program: Program) -> bool:
    return len(_inputs(program)) > READ_FIRST


def _excess(program: Program) -> int:
    """The number of values that do not fit into the registers, summed over all operations."""
    end = len(program.nodes)
    last = {arg: i for i, node in enumerate(program.nodes) for arg in node.args}
    if _stores_early(program):
        read = _inputs(program)[-1]
        last.update({r: max(r, read, last.get(r, 0)) for r in program.results})
        last.update(dict.fromkeys((n for n, _ in program.status), end))
    else:
        last.update(dict.fromkeys(program.roots, end))
    dying = Counter(i for arg, i in last.items() if program.nodes[arg].op is not Op.CONSTANT)
    alive = excess = 0
    for i, node in enumerate(program.nodes):
        alive += (node.op is not Op.CONSTANT) - dying[i]
        excess += max(0, alive - _REGISTERS)
    return excess


def _frugal(program: Program, first: Sequence[int]) -> Iterator[int]:
    """Greedy order: after the nodes `first`, the next node is the one that leaves the fewest values alive.

    Ties go to the node that the earliest result needs; an input precedes the first operation that uses it.
    """
    nodes, uses, serves = program.nodes, program.uses(), _serves(program)
    if _stores_early(program):
        for result in program.results:
            uses[result] -= 1
    users: list[list[int]] = [[] for _ in nodes]
    for i, node in enumerate(nodes):
        for arg in set(node.args):
            users[arg].append(i)
    waiting = [sum(nodes[a].op not in LEAVES for a in set(node.args)) for node in nodes]
    ready = {i for i, node in enumerate(nodes) if node.args and not waiting[i]}
    done = set(first)

    def left_alive(i: int) -> int:
        counts = Counter(a for a in nodes[i].args if nodes[a].op is not Op.CONSTANT)
        return sum((a not in done) - (uses[a] == n) for a, n in counts.items()) + (uses[i] > 0)

    yield from first
    while ready:
        best = min(ready, key=lambda i: (left_alive(i), serves[i], i))
        ready.remove(best)
        for arg in nodes[best].args:
            uses[arg] -= 1
        yield from (a for a in dict.fromkeys(nodes[best].args) if a not in done)
        yield best
        done.update((best, *nodes[best].args))
        for user in users[best]:
            waiting[user] -= 1
            if not waiting[user]:
                ready.add(user)
    yield from (root for root in dict.fromkeys(program.roots) if root not in done)


def _serves(program: Program) -> list[int]:
    """The number of the first root that needs each node."""
    found = [len(program.roots)] * len(program.nodes)
    for k, root in reversed(list(enumerate(program.roots))):
        found[root] = k
    for i in range(len(program.nodes) - 1, -1, -1):
        for arg in program.nodes[i].args:
            found[arg] = min(found[arg], found[i])
    return found
