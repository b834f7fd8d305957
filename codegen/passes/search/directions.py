"""directions: keeps the components of normalised vectors, and other quotients, as variables.

Multiplied out, a quadratic form of v/|v| is one of v times 1/|v|^2, whose values leave the range of floats
before those of v/|v| do: the guard rejects it, although it has fewer operations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from codegen.ir.operations import Op
from codegen.passes.search.network import Network
from codegen.passes.search.polynomials import Monomial, Polynomial, accumulate, merged, quotient

Pair = tuple[int, int]
"""The variables of a reciprocal and of a factor beside it."""


def directed(network: Network) -> Network:
    """The network with a variable for each product with a reciprocal that occurs more than once."""
    nodes, definitions = network.program.nodes, dict(network.definitions)
    inverses = {i for i, node in enumerate(nodes) if node.op is Op.DIV}
    fresh, fixed = 1 + max([len(nodes), *definitions]), set(network.fixed)
    while pair := _commonest(definitions, inverses):
        replaced = {owner: _replaced(p, pair, fresh) for owner, p in definitions.items()}
        definitions = {**replaced, fresh: {merged(pair[:1], pair[1:]): 1}}
        fixed.add(fresh)
        fresh += 1
    return replace(network, definitions=definitions, fixed=frozenset(fixed))


def _commonest(definitions: dict[int, Polynomial], inverses: set[int]) -> Pair | None:
    """The product with a reciprocal that occurs most often, if it occurs again beside other factors."""
    found: Counter[Pair] = Counter()
    for p in definitions.values():
        if len(p) > 1 or any(len(m) > 2 for m in p):
            for monomial in p:
                found.update(_pairs(monomial, inverses))
    best = max(found, key=lambda pair: (found[pair], -pair[0], -pair[1]), default=None)
    return best if best is not None and found[best] > 1 else None


def _pairs(monomial: Monomial, inverses: set[int]) -> Iterator[Pair]:
    for t in set(inverses.intersection(monomial)):
        yield from ((t, v) for v in set(monomial) - inverses)


def _replaced(p: Polynomial, pair: Pair, new: int) -> Polynomial:
    """p with the variable in place of the product."""
    product, total = merged(pair[:1], pair[1:]), Polynomial()
    for monomial, coefficient in p.items():
        count = 0
        while (rest := quotient(monomial, product)) is not None:
            monomial, count = rest, count + 1
        accumulate(total, [(merged(monomial, (new,) * count), coefficient)])
    return total
