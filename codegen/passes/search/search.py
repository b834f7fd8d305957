"""search: rewrites a Program's sums of products in the cheapest form that is as accurate as the original.

Each strategy writes the arithmetic as polynomials: of the values that are used more than once, or of the
inputs alone, with or without the identities of the inputs' types. It extracts the common divisors of the
polynomials; then, in rounds, it substitutes back those that save little and extracts again. Forms that leave
the range of the original's values are tried with their products in another order. Cancelling terms are
removed, sums become chains of fused multiply-adds. This repeats from the best form until the cost no longer
decreases, with the same rounds and with rounds that substitute back more; the cheaper form is taken, and
improved by rounds in which the variables are scaled anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from codegen.ir.constants import constant_angle
from codegen.ir.operations import LIBM, Op
from codegen.ir.program import Program
from codegen.passes.registers import spilled
from codegen.passes.search.cancel import cancel
from codegen.passes.search.chains import chains, fusable
from codegen.passes.search.constraints import relations, rewritten, rules, shortened
from codegen.passes.search.directions import directed
from codegen.passes.search.growth import within_range
from codegen.passes.search.guard import trustworthy
from codegen.passes.search.labels import relabelled
from codegen.passes.search.network import ARITHMETIC, Network, expanded, rebuilt
from codegen.passes.search.polynomials import Polynomial
from codegen.passes.search.products import moderated
from codegen.passes.search.rounds import DEEP, LARGE, SCALED, USUAL, Effort, refined

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


_MOST = 900
"""Limit on the operations of a Program that is written as polynomials of its inputs, and on their terms."""

_DENSITY = 1.5
"""Limit on the terms of polynomials of the inputs, per operation of the Program."""

_WORTH = 1 + Fraction(1, 64)
"""The least factor by which other scales have to lower the operations where more values spill with them."""

_REMEMBERED = 64
"""The number of Programs whose results are kept."""


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
    first = _improved(program, program, _networks(program), USUAL, simplify)
    found = min((_descended(first, program, effort, simplify) for effort in (USUAL, DEEP)), key=price)
    scaled = _descended(found, program, SCALED, simplify)
    found = scaled if _is_worth(scaled, found) else found
    return found if found is program else relabelled(found, program)


def _is_worth(scaled: Program, found: Program) -> bool:
    """Whether the form with other scales, which is cheaper, saves much, or as few values spill with it."""
    saves_much = _operations(scaled) * _WORTH <= _operations(found)
    return scaled is not found and (saves_much or spilled(scaled) <= spilled(found))


def _descended(
    best: Program, original: Program, effort: Effort, simplify: Callable[[Program], Program]
) -> Program:
    """The form that is reached from a form, by improving the best one until the cost no longer decreases."""
    before = original
    while best is not before and _operations(best) <= LARGE:
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
        for found in refined(network, effort, _operations(best)):
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
