"""results: the order of a large Program's results in which few values are live between them."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from codegen.ir.operations import Op
from codegen.ir.program import Program
from codegen.ir.rewriting import depth_first

_WIDER = 4
"""The factor by which the limit rises where every result that is left needs more values."""

_FEW = 2
"""A result that leaves at most so many uses of a value is priced again when one of them is computed."""

_FAR = float("inf")
"""The price of a result that needs more values than the limit."""


def by_growth(program: Program, first: Sequence[int], near: int) -> list[int]:
    """The results and requirements in an order; the next one is that which adds the fewest live values.

    The growth is divided by the number of values that have to be computed, and a result that needs more than
    `near` of them waits: so the results of a robot's limb come one after the other, before those of the next
    limb. The nodes `first` are computed before.
    """
    computed = _Computed(program, first)
    places = {root: k for k, root in enumerate(dict.fromkeys(program.roots))}
    waiting, prices = dict.fromkeys(places), dict.fromkeys(places, _FAR)
    heap: list[tuple[float, int, int]] = []
    found: list[int] = []

    def price(roots: Iterable[int], limit: int) -> None:
        for root in roots:
            prices[root] = computed.price(root, limit)
            if prices[root] < _FAR:
                heapq.heappush(heap, (prices[root], places[root], root))

    def is_stale(entry: tuple[float, int, int]) -> bool:
        return entry[2] not in waiting or prices[entry[2]] != entry[0]

    price(waiting, near)
    while waiting:
        limit = near
        while heap and is_stale(heap[0]):
            heapq.heappop(heap)
        while not heap:
            limit *= _WIDER
            price(waiting, limit)
        root = heapq.heappop(heap)[2]
        del waiting[root]
        found.append(root)
        changed = computed.add(root)
        price(sorted(changed & waiting.keys(), key=places.__getitem__), near)
    return found


class _Computed:
    """What is computed so far, the uses left of each value, and the results in whose prices it is."""

    def __init__(self, program: Program, first: Sequence[int]) -> None:
        nodes = program.nodes
        constant = [node.op is Op.CONSTANT for node in nodes]
        self.args = [[a for a in dict.fromkeys(node.args) if not constant[a]] for node in nodes]
        self.uses = [0] * len(nodes)
        for args in self.args:
            for arg in args:
                self.uses[arg] += 1
        self.done = constant
        self.watched: list[set[int]] = [set() for _ in nodes]
        for node in first:
            self.add(node)

    def price(self, root: int, limit: int) -> float:
        """By how much a result raises the number of live values, for each value that it still needs."""
        uses, done, args = self.uses, self.done, self.args
        waiting = [] if done[root] else [root]
        cone, taken = set(waiting), dict[int, int]()
        while waiting and len(cone) <= limit:
            for arg in args[waiting.pop()]:
                taken[arg] = taken.get(arg, 0) + 1
                if not done[arg] and arg not in cone:
                    cone.add(arg)
                    waiting.append(arg)
        for node in cone:
            self.watched[node].add(root)
        if waiting:
            return _FAR
        growth = sum(uses[node] > taken.get(node, 0) for node in cone)
        for arg, n in taken.items():
            if uses[arg] <= n + _FEW and arg not in cone:
                self.watched[arg].add(root)
                growth -= uses[arg] == n
        return growth / (len(cone) + 1) if growth > 0 else growth

    def add(self, root: int) -> set[int]:
        """Compute a result; returns the results whose prices may change."""
        changed = set[int]()
        for node in depth_first([root], lambda i: [a for a in self.args[i] if not self.done[a]]):
            if self.done[node]:
                continue
            self.done[node] = True
            changed |= self.watched[node]
            self.watched[node] = set()
            for arg in self.args[node]:
                self.uses[arg] -= 1
                if self.uses[arg] <= _FEW:
                    changed |= self.watched[arg]
        return changed
