"""rounds: extracts the divisors of a network, substitutes back those that save little, and extracts again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from codegen.passes.search.divisors import extracted
from codegen.passes.search.network import Network, collapsed
from codegen.passes.search.polynomials import Monomial, Number, Polynomial
from codegen.passes.search.scales import rescaled

LARGE = 3000
"""From this number of operations on, only one round is done."""

_SWELLING = 1.6
"""Limit on the growth of the number of terms in a round: of far more, extraction is slow and finds little."""

_REMEMBERED = 64
"""The number of networks whose results are kept."""


def halved(network: Network) -> Network:
    """The network with its divisors taken out, where 2 x y counts as x y + x y first."""
    return _extracted(network, split=True)


def whole(network: Network) -> Network:
    """The network with its divisors taken out, each term as a whole."""
    return _extracted(network, split=False)


def scaled(network: Network) -> Network:
    """The network with its divisors taken out, and scaled so that few terms have a factor."""
    return rescaled(whole(network))


class Round(NamedTuple):
    """How much a variable must save to stay, and how divisors are taken out then."""

    worth: int
    extraction: Callable[[Network], Network]


class Effort(NamedTuple):
    """How a network is refined.

    The rounds, and how many times the operations of the best form the first result may take for there to be
    any rounds.
    """

    rounds: tuple[Round, ...]
    promising: float


USUAL = Effort((Round(2, halved), Round(8, whole), Round(20, whole)), 1.1)

DEEP = Effort((Round(20, whole), Round(60, halved), Round(200, halved)), math.inf)
"""Rounds that dissolve what many terms share, to leave a form that no small change makes cheaper."""

SCALED = Effort((Round(20, scaled), Round(2, scaled)), math.inf)
"""Rounds for quadratic forms, whose coefficients are 1 and 2."""


def refined(network: Network, effort: Effort, fewest: int) -> Iterator[Network]:
    """Results of the network, each with fewer operations than those before."""
    best = halved(network)
    yield best
    if best.operations > effort.promising * fewest or best.operations > LARGE:
        return
    tried: list[tuple[Network, Callable[[Network], Network]]] = []
    for worth, extraction in effort.rounds:
        coarse = collapsed(best, worth), extraction
        if coarse not in tried and coarse[0].terms <= _SWELLING * best.terms:
            tried.append(coarse)
            found = extraction(coarse[0])
            if found.operations < best.operations:
                best = found
                yield best


def _extracted(network: Network, split: bool) -> Network:
    fresh = 1 + max([len(network.program.nodes), *network.definitions])
    definitions = tuple((v, tuple(p.items())) for v, p in network.definitions.items())
    return replace(network, definitions=_extraction(definitions, fresh, split))


_Definitions: TypeAlias = tuple[tuple[int, tuple[tuple[Monomial, Number], ...]], ...]
"""The definitions of a network, as a key."""


@lru_cache(_REMEMBERED)  # several efforts begin with the same networks
def _extraction(definitions: _Definitions, fresh: int, split: bool) -> dict[int, Polynomial]:
    return extracted({v: dict(p) for v, p in definitions}, fresh, split)
