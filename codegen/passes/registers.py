"""registers: orders the operations so that few values spill from the registers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from codegen.ir.operations import LEAVES, LIBM, Op
from codegen.ir.program import Program, entries_read, unloaded
from codegen.ir.rewriting import arrange, depth_first
from codegen.passes.results import by_growth

READ_FIRST = 16
"""Up to this number of inputs, all are read before the computation, and all results are stored after it.

With more inputs, each is read where the order places it, and each result is stored as soon as it is computed
and all inputs are read.
"""

_REGISTERS = 28
"""Live values that fit into a Cortex-M4F's 32 registers beside the operands of the current operation."""

_SAVED = 16
"""Of these, the values that a call of libm leaves in their registers."""

_CALLED = LIBM | {Op.SQRT}
"""Operations that call a function: gcc's square root is an instruction, but sqrt is called to set errno."""

_SUMS = frozenset({Op.INPUT, Op.CONSTANT, Op.ADD, Op.SUB})
"""What a call that comes first may need: more would be computed long before its other uses."""

_LARGEST = 2000
"""Limit on the operations of a Program that is ordered one by one; the time is quadratic in their number.

Larger ones are ordered by their results.
"""

_NEAR = (128, 512)
"""Of a larger Program, how many values the next result may need: with few, limbs are finished one by one,
as suits a mass matrix; with many, what all limbs add to is computed where it is cheap.
"""

_GAIN = 2
"""The least factor by which an order by results has to lower the sum of values beyond the registers.

Covariances of filters, where it is below, have as many instructions in one order as in the other.
"""

_LARGEST_STREAMED = 5000
"""The limit where each result is stored directly after its value, which saves more spills."""


def registers(program: Program) -> Program:
    """Order the nodes by the number of live values after each, where that reduces spills."""
    inputs = _inputs(program) if _stores_early(program) else []
    if len(program.nodes) > _LARGEST:
        return _by_results(program, inputs, lambda p: _excess(p, _stored(p)).total)
    firsts = [[], inputs] if inputs else [[]]
    return _cheapest(program, firsts, lambda p: _excess(p, _stored(p)).total)


def streamed(program: Program) -> Program:
    """As `registers`, for results that are stored when they are computed, also before an input is read.

    Orders are compared by the most values that spill at once: gcc avoids most of the spills in between.
    With few inputs, calls and what they need come first, where another input can be read after them:
    it then need not be kept during the calls.
    """
    if not _stores_early(program):
        return _read_after_calls(program)
    if len(program.nodes) <= _LARGEST_STREAMED:
        program = _cheapest(program, [[]], lambda p: _excess(p, 0).most)
    if len(program.nodes) > _LARGEST:
        program = _by_results(program, [], lambda p: _excess(p, 0).total)
    return program


def spilled(program: Program) -> int:
    """The sum over all operations of the values beyond the registers, in the order of `registers`."""
    ordered = registers(program)
    return _excess(ordered, _stored(ordered)).total


def _read_after_calls(program: Program) -> Program:
    """All calls before what they do not need, where that is an input; else the program as it is."""
    calls = calling(program)
    needed = {*depth_first(calls, lambda i: program.nodes[i].args)}
    if not calls or needed.issuperset(_inputs(program)):
        return program
    return arrange(program, depth_first([*calls, *program.roots], lambda i: program.nodes[i].args))


def calling(program: Program) -> list[int]:
    """The values whose statements call a function: a call, or what its only use is computed for."""
    uses, labels = program.uses(), program.labels
    user = {arg: i for i, node in enumerate(program.nodes) for arg in node.args}
    found = []
    for i, node in enumerate(program.nodes):
        if node.op in _CALLED:
            while uses[i] == 1 and i in user and i not in labels:
                i = user[i]
            found.append(i)
    return found


def _cheapest(program: Program, firsts: Sequence[Sequence[int]], price: Callable[[Program], int]) -> Program:
    """The program or, if it has a price, its best order that begins with some nodes."""
    if not price(program):
        return program
    frugal = [_frugal(program, first) for first in firsts]
    orders = [program, *(arrange(program, order) for order in (_calls_first(program), *frugal))]
    return min([*orders, *map(_results_called_last, orders)], key=price)


def _by_results(program: Program, first: Sequence[int], price: Callable[[Program], int]) -> Program:
    """The program or, if it is far cheaper, an order by results: depth first, after some nodes."""
    orders = ([*first, *by_growth(program, first, near)] for near in _NEAR)
    found = [arrange(program, depth_first(order, lambda i: program.nodes[i].args)) for order in orders]
    best = min(found, key=price)
    return best if _GAIN * price(best) <= price(program) else program


def _inputs(program: Program) -> list[int]:
    """The inputs that are loaded into variables."""
    free = unloaded(program)
    return [i for i, node in enumerate(program.nodes) if node.op is Op.INPUT and i not in free]


def _calls(program: Program) -> list[int]:
    """The calls of libm that need no more than sums of inputs, such as the sines of a robot's angles."""
    sums: set[int] = set()
    for i, node in enumerate(program.nodes):
        if node.op in _SUMS and sums.issuperset(node.args):
            sums.add(i)
    return [i for i, node in enumerate(program.nodes) if node.op in LIBM and sums.issuperset(node.args)]


def _calls_first(program: Program) -> Iterator[int]:
    """These calls, with what they need, and then the others as they are: fewer values outlive a call."""
    roots = [*_calls(program), *range(len(program.nodes))]
    return depth_first(roots, lambda i: program.nodes[i].args)


def _results_called_last(program: Program) -> Program:
    """The program with results that are calls after all others, so that few values outlive their calls."""
    called = dict.fromkeys(r for r in program.results if program.nodes[r].op in LIBM)
    others = (i for i in range(len(program.nodes)) if i not in called)
    return arrange(program, depth_first([*others, *called], lambda i: program.nodes[i].args))


def _stores_early(program: Program) -> bool:
    return len(_inputs(program)) > READ_FIRST


def _stored(program: Program) -> int:
    """The node from which on results are stored, where an output may be the same object as an input."""
    if not _stores_early(program):
        return len(program.nodes)
    return max(_inputs(program)[-1], *entries_read(program), 0)


class _Excess(NamedTuple):
    """Values beyond the registers: the most at once, as a frame has to hold them, and the sum over time."""

    most: int
    total: int


def _excess(program: Program, stored: int) -> _Excess:
    """Values beyond the registers during all operations; results are stored from node `stored` on."""
    last = {arg: i for i, node in enumerate(program.nodes) for arg in node.args}
    last.update({r: max(r, stored, last.get(r, 0)) for r in program.results})
    last.update(dict.fromkeys((n for n, _ in program.status), len(program.nodes)))
    free = _free(program)
    dying = Counter(i for arg, i in last.items() if arg not in free)
    alive, beyond = 0, []
    for i, node in enumerate(program.nodes):
        alive += (i not in free) - dying[i]
        beyond.append(max(0, alive - (_SAVED if node.op in LIBM else _REGISTERS)))
    return _Excess(max(beyond, default=0), sum(beyond))


def _free(program: Program) -> set[int]:
    """The nodes that take no register: constants, and what stays in the array of an input."""
    return unloaded(program) | {i for i, node in enumerate(program.nodes) if node.op is Op.CONSTANT}


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

    free = _free(program)
    operands = [Counter(a for a in n.args if a not in free).items() for n in nodes]

    def left_alive(i: int) -> int:
        kept = uses[i] > 0 and i not in free
        return sum((a not in done) - (uses[a] == n) for a, n in operands[i]) + kept

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
