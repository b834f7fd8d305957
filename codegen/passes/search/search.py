"""search: rewrites a Program's sums of products in the cheapest form that is as accurate as the original.

Each strategy writes the arithmetic as polynomials: of the values that are used more than once, or of the
inputs alone, with or without the identities of the inputs' types. It extracts the common divisors of the
polynomials; then, in rounds, it substitutes back those that save little and extracts again. Forms that leave
the range of the original's values are tried with their products in another order. Cancelling terms are
removed, sums become chains of fused multiply-adds. This repeats from the best form until the cost no longer
decreases, with the same rounds and with rounds that substitute back more; the cheaper form is taken.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from codegen.ir.constants import constant_angle
from codegen.ir.operations import LIBM, Op
from codegen.ir.program import Program
from codegen.passes.search.cancel import cancel
from codegen.passes.search.chains import chains, fusable
from codegen.passes.search.constraints import relations, rewritten, rules, shortened
from codegen.passes.search.directions import directed
from codegen.passes.search.divisors import extracted
from codegen.passes.search.growth import within_range
from codegen.passes.search.guard import trustworthy
from codegen.passes.search.labels import relabelled
from codegen.passes.search.network import ARITHMETIC, Network, collapsed, expanded, rebuilt
from codegen.passes.search.polynomials import Monomial, Number, Polynomial
from codegen.passes.search.products import moderated

PRICES: Mapping[Op, int] = {
    **dict.fromkeys((Op.ADD, Op.SUB, Op.MUL), 2),
    **dict.fromkeys((Op.NEG, Op.ABS), 1),
    **dict.fromkeys((Op.LT, Op.LE, Op.AND, Op.OR, Op.NOT, Op.SELECT), 2),
    **dict.fromkeys((Op.MIN, Op.MAX), 4),
    **dict.fromkeys((Op.DIV, Op.SQRT), 20),
    **dict.fromkeys((op for op in Op if op in LIBM), 60),
    **dict.fromkeys((Op.FLAT, Op.ENTRY, Op.REAL), 2),
    Op.STEP: 6,
    Op.CELL: 60,
}
"""The cost of operations, in half multiplications: about their time on a Cortex-M4F and on a desktop."""


class Effort(NamedTuple):
    """How a network is refined.

    In each round, how much a variable must save to stay, and whether doubled terms are split; and how many
    times the operations of the best form the first result may take for there to be any rounds.
    """

    rounds: tuple[tuple[int, bool], ...]
    promising: float


_USUAL = Effort(((2, True), (8, False), (20, False)), 1.1)

_DEEP = Effort(((20, False), (60, True), (200, True)), math.inf)
"""Rounds that dissolve what many terms share, to leave a form that no small change makes cheaper."""

_MOST = 900
"""Limit on the operations of a Program that is written as polynomials of its inputs, and on their terms."""

_DENSITY = 1.5
"""Limit on the terms of polynomials of the inputs, per operation of the Program."""

_SWELLING = 1.6
"""Limit on the growth of the number of terms in a round: of far more, extraction is slow and finds little."""

_LARGE = 3000
"""From this number of operations on, only one round is done."""

_REMEMBERED = 64
"""The number of Programs and of networks whose results are kept."""


class Price(NamedTuple):
    """The cost of a Program by PRICES; ties are decided by the instructions after fusing multiply-adds."""

    work: int
    instructions: int


def price(program: Program) -> Price:
    """The Program's cost."""
    counts = Counter(node.op for node in program.nodes)
    counts[Op.ATAN2] -= sum(constant_angle(program, i) is not None for i in range(len(program.nodes)))
    work = sum(PRICES.get(op, 0) * n for op, n in counts.items())
    return Price(work, sum(counts[op] for op in PRICES) - _fused(program))


def _fused(program: Program) -> int:
    """The number of products that fused multiply-adds absorb: of two in one sum, one remains."""
    products = fusable(program)
    for node in program.nodes:
        if node.op in (Op.ADD, Op.SUB) and products.issuperset(node.args):
            products.discard(node.args[0])
    return len(products)


@lru_cache(_REMEMBERED)  # a robot searches one Program to choose a method and to write its function
def search(program: Program, simplify: Callable[[Program], Program]) -> Program:
    """The cheapest form that the strategies find and the guard accepts, simplified; or the Program itself."""
    first = _improved(program, program, _networks(program), _USUAL, simplify)
    found = min((_descended(first, program, effort, simplify) for effort in (_USUAL, _DEEP)), key=price)
    return found if found is program else relabelled(found, program)


def _descended(
    best: Program, original: Program, effort: Effort, simplify: Callable[[Program], Program]
) -> Program:
    """The form that is reached from a form, by improving the best one until the cost no longer decreases."""
    before = original
    while best is not before and _operations(best) <= _LARGE:
        before = best
        best = _improved(best, original, [_of_shared_values(best)], effort, simplify)
    return best


def _improved(
    best: Program,
    original: Program,
    networks: Iterable[Network],
    effort: Effort,
    simplify: Callable[[Program], Program],
) -> Program:
    """The best so far, or what is better of the networks' Programs, without terms that cancel, as chains."""
    best = _best_of(networks, effort, best, original, simplify)
    for rewrite in (cancel, chains):
        changed = rewrite(best)
        if changed.nodes != best.nodes:
            best = _better(simplify(changed), best, original)
    return best


def _best_of(
    networks: Iterable[Network],
    effort: Effort,
    given: Program,
    original: Program,
    simplify: Callable[[Program], Program],
) -> Program:
    """The form that is given, or the best of the networks' Programs.

    If the guard accepts none, those whose values leave the range of the original's are tried with the factors
    of their products in another order.
    """
    best, tried = given, list[Program]()
    for network in networks:
        for found in _refined(network, effort, _operations(best)):
            if found.operations < _operations(best):
                tried.append(simplify(rebuilt(found)))
                best = _better(tried[-1], best, original)
    if best is given:
        for candidate in tried:
            if not within_range(candidate, original):
                best = _better(moderated(candidate), best, original)
    return best


def _better(candidate: Program, best: Program, original: Program) -> Program:
    """The candidate, where it is cheaper and the guard accepts it, else the best so far."""
    return candidate if price(candidate) < price(best) and trustworthy(candidate, original) else best


def _operations(program: Program) -> int:
    """Multiplications and additions, as a network counts them."""
    return sum(node.op in ARITHMETIC and node.op is not Op.NEG for node in program.nodes)


# The strategies


def _networks(program: Program) -> Iterator[Network]:
    """The Program's polynomials by each strategy that its size allows."""
    shared, operations = _of_shared_values(program), _operations(program)
    yield shared
    quotients = directed(shared)
    if quotients != shared:
        yield quotients
    if operations > _MOST:
        return
    flat = expanded(program, lambda i: False, _MOST)
    if flat.terms > 2 * _DENSITY * operations + 20:
        return
    zeros = relations(program)
    short = _rewritten(flat, lambda p: shortened(p, zeros)) if zeros else flat
    if short.terms > _DENSITY * operations + 20 or short == shared:
        return
    yield short
    if zeros:
        products = rules(program)
        yield _rewritten(short, lambda p: rewritten(p, products))


def _of_shared_values(program: Program) -> Network:
    uses = program.uses()
    return expanded(program, lambda i: uses[i] > 1, most=64)


def _rewritten(network: Network, rewrite: Callable[[Polynomial], Polynomial]) -> Network:
    return replace(network, definitions={v: rewrite(p) for v, p in network.definitions.items()})


def _refined(network: Network, effort: Effort, fewest: int) -> Iterator[Network]:
    """Results of the network, each with fewer operations than those before."""
    best = _extracted(network, split=True)
    yield best
    if best.operations > effort.promising * fewest or best.operations > _LARGE:
        return
    tried: list[tuple[Network, bool]] = []
    for worth, split in effort.rounds:
        coarse = collapsed(best, worth), split
        if coarse not in tried and coarse[0].terms <= _SWELLING * best.terms:
            tried.append(coarse)
            found = _extracted(*coarse)
            if found.operations < best.operations:
                best = found
                yield best


def _extracted(network: Network, split: bool) -> Network:
    fresh = 1 + max([len(network.program.nodes), *network.definitions])
    definitions = tuple((v, tuple(p.items())) for v, p in network.definitions.items())
    return replace(network, definitions=_extraction(definitions, fresh, split))


_Definitions: TypeAlias = tuple[tuple[int, tuple[tuple[Monomial, Number], ...]], ...]
"""The definitions of a network, as a key."""


@lru_cache(_REMEMBERED)  # both efforts begin with the same networks
def _extraction(definitions: _Definitions, fresh: int, split: bool) -> dict[int, Polynomial]:
    return extracted({v: dict(p) for v, p in definitions}, fresh, split)
