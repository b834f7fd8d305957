"""registers: an order that keeps few values alive beyond what a machine's registers hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from codegen.ir.operations import LEAVES, Op
from codegen.ir.program import Program
from codegen.ir.rewriting import arrange

_REGISTERS = 28
"""Values that a Cortex-M4F's 32 registers hold beside what is under way."""

_LARGEST = 2000
"""Operations up to which an order is searched, in a time that grows with their square."""


def registers(program: Program) -> Program:
    """Order the nodes by what each leaves alive, where that keeps fewer values beyond the registers."""
    excess = _excess(program)
    if not excess or len(program.nodes) > _LARGEST:
        return program
    frugal = arrange(program, _frugal(program))
    return frugal if _excess(frugal) < excess else program


def _excess(program: Program) -> int:
    """Values beyond the registers, summed over all operations; results are stored after the last."""
    last = {arg: i for i, node in enumerate(program.nodes) for arg in node.args}
    last.update(dict.fromkeys(program.roots, len(program.nodes)))
    dying = Counter(i for arg, i in last.items() if program.nodes[arg].op is not Op.CONSTANT)
    alive = excess = 0
    for i, node in enumerate(program.nodes):
        alive += (node.op is not Op.CONSTANT) - dying[i]
        excess += max(0, alive - _REGISTERS)
    return excess


def _frugal(program: Program) -> Iterator[int]:
    """Always next what leaves the fewest values alive; of equals, what comes first in the Program."""
    nodes, uses = program.nodes, program.uses()
    users: list[list[int]] = [[] for _ in nodes]
    for i, node in enumerate(nodes):
        for arg in set(node.args):
            users[arg].append(i)
    waiting = [sum(nodes[a].op not in LEAVES for a in set(node.args)) for node in nodes]
    ready = {i for i, node in enumerate(nodes) if node.args and not waiting[i]}
    done: set[int] = set()

    def left_alive(i: int) -> int:
        counts = Counter(a for a in nodes[i].args if nodes[a].op is not Op.CONSTANT)
        return sum((a not in done) - (uses[a] == n) for a, n in counts.items())

    while ready:
        best = min(ready, key=lambda i: (left_alive(i), i))
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
