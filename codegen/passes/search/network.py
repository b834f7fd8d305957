"""Network: converts a Program's arithmetic into polynomials that refer to each other, and back.

The result of any operation other than a sum, product or negation (a root, a quotient, a select, an input)
is a variable. So is every operand of a comparison, whose formula stays as its author wrote it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from codegen.ir.operations import Op
from codegen.ir.program import Node, Program
from codegen.ir.rewriting import Builder, depth_first, replayed
from codegen.passes.search.polynomials import (
    Monomial,
    Number,
    Polynomial,
    accumulate,
    constant,
    operations,
    substituted,
    times,
    variable,
)

ARITHMETIC = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.NEG})


@dataclass(frozen=True)
class Network:
    """Polynomials by the variable that they define.

    Variables below len(program.nodes) stand for nodes of the Program; `fixed` are those that it needs.
    """

    program: Program
    definitions: dict[int, Polynomial]
    fixed: frozenset[int]

    @property
    def operations(self) -> int:
        """Multiplications and additions."""
        return sum(map(operations, self.definitions.values()))

    @property
    def terms(self) -> int:
        """Terms of all polynomials."""
        return sum(map(len, self.definitions.values()))


def expanded(program: Program, keep: Callable[[int], bool], most: int) -> Network:
    """The Program's polynomials, multiplied out down to the nodes that are kept.

    A sum or product that would have more than `most` terms makes variables of its arguments.
    """
    expansion = _Expansion(program, most)
    for i, node in enumerate(program.nodes):
        expansion.add(node, named=keep(i))
    return Network(program, expansion.definitions, frozenset(expansion.fixed))


class _Expansion:
    """The polynomial of each node so far."""

    def __init__(self, program: Program, most: int) -> None:
        self.most = most
        self.uses = program.uses()
        self.deciding = _deciding(program)
        self.fixed = _needed(program, self.deciding)
        self.values: list[Polynomial] = []
        self.definitions: dict[int, Polynomial] = {}

    def add(self, node: Node, named: bool) -> None:
        """Compute the next node's polynomial, and give it a variable of its own if it is worth one."""
        i = len(self.values)
        self.values.append(self._value(i, node))
        worth = named and operations(self.values[i]) > 0
        if i in self.fixed or worth:
            self.definitions[i] = self.values[i]
        if worth:
            self.values[i] = variable(i)

    def _value(self, i: int, node: Node) -> Polynomial:
        op, args, number = node
        if op is Op.CONSTANT:
            return constant(Fraction(number or 0))
        if op not in ARITHMETIC or i in self.deciding:
            return variable(i)
        sizes = [len(self.values[a]) for a in args]
        if (math.prod(sizes) if op is Op.MUL else sum(sizes)) > self.most:
            for a in args:
                self._name(a)
        if op is Op.MUL:
            return times(*(self.values[a] for a in args))
        if op is Op.NEG:
            return {m: -c for m, c in self.values[args[0]].items()}
        return self._sum(op, *args)

    def _name(self, i: int) -> None:
        if len(self.values[i]) > 1:
            self.definitions[i] = self.values[i]
            self.values[i] = variable(i)

    def _sum(self, op: Op, left: int, right: int) -> Polynomial:
        own = self.uses[left] == 1 and left not in self.fixed  # it has no other use and may change
        total = self.values[left] if own else dict(self.values[left])
        accumulate(total, self.values[right].items(), 1 if op is Op.ADD else -1)
        return total


_DECIDING = (Op.LT, Op.LE, Op.CELL, Op.STEP, Op.FLOOR)


def _deciding(program: Program) -> set[int]:
    """The operands of comparisons and all values below them, whose last bit may decide a comparison."""
    found: set[int] = set()
    for i in range(len(program.nodes) - 1, -1, -1):
        op, args, _ = program.nodes[i]
        if i in found or op in _DECIDING:
            found.update(args)
    return found


def _needed(program: Program, deciding: set[int]) -> set[int]:
    """The arithmetic whose value the rest of the Program or its caller uses."""
    used = set(program.roots)
    used.update(a for node in program.nodes if node.op not in ARITHMETIC for a in node.args)
    return {i for i in used - deciding if program.nodes[i].op in ARITHMETIC}


def rebuilt(network: Network) -> Program:
    """The Program that computes the network, each sum with a positive term first where it has one."""
    program, graph = network.program, Builder()
    place: dict[int, int] = {}
    for v in depth_first(program.roots, partial(_below, network)):
        if v in network.definitions:
            place[v] = _sum(graph, place, network.definitions[v])
        else:
            op, args, value = program.nodes[v]
            place[v] = graph.add(op, *(place[a] for a in args), value=value)
    return replayed(program, graph, place)


def _below(network: Network, v: int) -> Sequence[int]:
    """The variables in the polynomial of a variable."""
    if v in network.definitions:
        return _variables(network.definitions[v])
    return network.program.nodes[v].args


def _sum(graph: Builder, place: dict[int, int], p: Polynomial) -> int:
    total: int | None = None
    for monomial, coefficient in sorted(p.items(), key=lambda item: item[1] < 0):
        magnitude = coefficient if coefficient > 0 else -coefficient
        term = _product(graph, place, monomial, magnitude)
        if total is not None:
            total = graph.add(Op.ADD if coefficient > 0 else Op.SUB, total, term)
        else:
            total = term if coefficient > 0 else graph.add(Op.NEG, term)
    return graph.constant(0) if total is None else total


def _product(graph: Builder, place: dict[int, int], monomial: Monomial, coefficient: Number) -> int:
    factors = [place[v] for v in monomial]
    if coefficient != 1 or not factors:
        factors.insert(0, graph.constant(coefficient))
    product = factors[0]
    for factor in factors[1:]:
        product = graph.add(Op.MUL, product, factor)
    return product


def collapsed(network: Network, worth: int) -> Network:
    """The network without the variables that save at most this many operations, later ones first."""
    definitions = dict(network.definitions)
    users: dict[int, dict[int, None]] = {}
    for owner, p in definitions.items():
        for v in _variables(p):
            users.setdefault(v, {})[owner] = None
    work = {owner: operations(p) for owner, p in definitions.items()}
    for v in sorted(definitions, reverse=True):
        if v in network.fixed:
            continue
        owners = [o for o in users.get(v, ()) if o in definitions]  # one may have lost v, as terms cancelled
        if sum(len(definitions[o]) for o in owners) * len(definitions[v]) > _LARGEST:
            continue
        inlined = {o: substituted(definitions[o], v, definitions[v]) for o in owners}
        changed = {o: operations(p) for o, p in inlined.items()}
        saved = sum(count - work[o] for o, count in changed.items())
        if saved - work[v] <= worth:
            for below in _variables(definitions.pop(v)):
                users[below].pop(v, None)
                users[below].update(dict.fromkeys(owners))
            definitions.update(inlined)
            work.update(changed)
    return replace(network, definitions=definitions)


_LARGEST = 4000
"""Limit on the terms that the substitution of a variable's polynomial may visit."""


def _variables(p: Polynomial) -> list[int]:
    return list(dict.fromkeys(v for m in p for v in m))
