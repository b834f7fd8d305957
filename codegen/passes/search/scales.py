"""scales: chooses the scale of each variable of a network so that few terms are multiplied by a constant.

-2 x (p y + q z - r x / 2) is x (r x - 2 (p y + q z)), with one multiplication less. The terms of a quadratic
form have the coefficients 1 and 2, and the divisor that is taken out first decides which of them are scaled.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from codegen.passes.search.network import Network
from codegen.passes.search.polynomials import Monomial, Number, Polynomial, exact, operations, scales

_LARGEST = 400
"""Limit on the terms that a scale may change, so that the time stays linear."""


def rescaled(network: Network) -> Network:
    """The network with each variable scaled for the fewest multiplications.

    The values of the Program itself, which may have names, keep their scale. Terms of a sum with the same
    coefficient become a sum of their own, which is multiplied once.
    """
    definitions = dict(network.definitions)
    users = _users(definitions)
    for v in [v for v in definitions if v >= len(network.program.nodes)]:
        owners = users.get(v, [])
        if sum(len(definitions[o]) for o in owners) > _LARGEST:
            continue
        for scale in _candidates(v, definitions, owners):
            changed = _scaled(v, definitions, owners, scale)
            if _work(changed.values()) < _work(definitions[o] for o in changed):
                definitions |= changed
    fresh = 1 + max([len(network.program.nodes), *definitions])
    return replace(network, definitions=_gathered(definitions, fresh))


def _users(definitions: dict[int, Polynomial]) -> dict[int, list[int]]:
    """The polynomials in which each variable occurs."""
    users: dict[int, dict[int, None]] = {}
    for owner, p in definitions.items():
        for v in (v for monomial in p for v in monomial):
            users.setdefault(v, {})[owner] = None
    return {v: list(owners) for v, owners in users.items()}


def _candidates(v: int, definitions: dict[int, Polynomial], owners: Iterable[int]) -> list[Number]:
    """The scales that make the coefficient of a term 1: in the variable's polynomial, or where it occurs."""
    own = [1 / abs(Fraction(c)) for c in definitions[v].values()]
    outer = [abs(Fraction(c)) for o in owners for m, c in definitions[o].items() if m.count(v) == 1]
    return [exact(scale) for scale in dict.fromkeys((*own, *outer)) if scale != 1]


def _scaled(
    v: int, definitions: dict[int, Polynomial], owners: Iterable[int], scale: Number
) -> dict[int, Polynomial]:
    """The polynomials that change where a variable is multiplied by a scale."""
    changed = {v: {m: exact(Fraction(c) * scale) for m, c in definitions[v].items()}}
    for owner in owners:
        changed[owner] = {m: exact(c / Fraction(scale) ** m.count(v)) for m, c in definitions[owner].items()}
    return changed


def _work(polynomials: Iterable[Polynomial]) -> int:
    """The operations of the polynomials where each group of terms takes its factor once."""
    return sum(operations(p) - sum(len(group) - 1 for group in _groups(p).values()) for p in polynomials)


def _groups(p: Polynomial) -> dict[Number, list[Monomial]]:
    """The terms that are multiplied by a constant, by its magnitude."""
    groups: dict[Number, list[Monomial]] = {}
    for monomial, coefficient in p.items():
        if monomial and scales(coefficient):
            groups.setdefault(exact(abs(Fraction(coefficient))), []).append(monomial)
    return groups


def _gathered(definitions: dict[int, Polynomial], fresh: int) -> dict[int, Polynomial]:
    """The definitions with a new variable for each group of some, but not all terms of a polynomial."""
    found = dict(definitions)
    for owner, p in definitions.items():
        for magnitude, group in _groups(p).items():
            if 1 < len(group) < len(p):
                found[fresh] = {m: exact(Fraction(p[m]) / magnitude) for m in group}
                rest = {m: c for m, c in found[owner].items() if m not in group}
                found[owner] = {**rest, (fresh,): magnitude}
                fresh += 1
    return found
