"""Equations with an index: w_i = w_p + u_i stands for one equation for each body i.

A setting says which values an index takes, and which other index belongs to each of them, as the body p
before body i. `sum_i(a_i)` is a sum over all values, `sum_c(a_c)` over those c that belong to i, and
`stack_k(A_k)` the matrix of blocks below each other. What is evaluated is the equations with numbers in place
of indices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from codegen.errors import FeatherError
from codegen.notation.blocks import Block, Scalar
from codegen.notation.syntax import Equation, Kind, Node

Values: TypeAlias = Callable[[Mapping[str, Block]], Mapping[str, Block]]
"""What names stand for, from the arguments that are given."""

Function: TypeAlias = Callable[..., Scalar]
"""A function of scalars."""

Numbers: TypeAlias = Mapping[str, int]
"""The number that each index stands for."""


@dataclass(frozen=True, eq=False)
class Setting:
    """What equations are about besides the arguments of a kernel.

    `values` gives what names such as I_1 stand for, from the arguments that are given. `ranges` are the
    numbers that an index takes, `fixed` the number of one that takes no other. In `related`,
    {"p": ("i", {2: 1})} says that p is 1 where i is 2, and `inverse` names the index of those to which a
    number is related: {"c": "p"}. Where `hidden`, equations know no arguments but through `values`. A proof
    needs equations that are `required`; others may be without values. `told` gives values that names which
    equations define must have: a result may have the same value with another one, as an energy with all
    velocities turned round. `functions` gives those that equations call besides the ones of the notation.
    """

    values: Values
    ranges: Mapping[str, Sequence[int]] = field(default_factory=dict)
    fixed: Numbers = field(default_factory=dict)
    related: Mapping[str, tuple[str, Mapping[int, int]]] = field(default_factory=dict)
    inverse: Mapping[str, str] = field(default_factory=dict)
    hidden: bool = False
    required: bool = True
    told: Values = lambda given: {}
    functions: Callable[[Mapping[str, Block]], Mapping[str, Function]] = lambda given: {}

    def known(self, given: Mapping[str, Block]) -> dict[str, Block]:
        """All that names stand for."""
        return {**({} if self.hidden else given), **self.values(given)}

    def expanded(self, equations: Sequence[Equation]) -> list[Equation]:
        """The equations with numbers in place of indices, what an equation needs before it where possible."""
        return _in_order([e for equation in equations for e, _ in self._each(equation)])

    def instances(self, equations: Sequence[Equation]) -> Iterator[tuple[Node, Node]]:
        """Each expression with what it stands for, where that is one expression."""
        for equation in equations:
            for _, numbers in self._each(equation):
                for side in equation.sides:
                    yield from self._parts(side, numbers)

    def _parts(self, node: Node, numbers: Numbers) -> Iterator[tuple[Node, Node]]:
        yield node, self._numbered(node, numbers)
        for inner in self._turns(_index_of(node), numbers)[:1] if _index_of(node) else [numbers]:
            for a in node.args:
                yield from self._parts(a, inner)

    def _each(self, equation: Equation) -> Iterator[tuple[Equation, Numbers]]:
        """The equation for each number of its index; not where it needs the body before one that has none."""
        used = {index for side in equation.sides for index in self._free(side)}
        owners = {self.related[u][0] if u in self.related else u for u in used} & {*self.ranges}
        if len(owners) > 1:
            raise FeatherError(f"an equation has one index, not {' and '.join(sorted(owners))}")
        turns = self._turns(owners.pop(), {}) if owners else [{}]
        for turn in turns:
            numbers = {**self.fixed, **turn}
            if all(u in numbers or u in self.inverse for u in used):
                yield Equation(tuple(self._numbered(side, numbers) for side in equation.sides)), numbers

    def _free(self, node: Node) -> Iterator[str]:
        """The indices of an expression, but for those of sums in it."""
        own = _suffix(node)
        if own in self.ranges or own in self.related:
            yield own
        bound = _index_of(node)
        for a in node.args:
            yield from (index for index in self._free(a) if not self._is_bound(index, bound))

    def _is_bound(self, index: str, bound: str) -> bool:
        return bool(bound) and (index == bound or self.related.get(index, ("",))[0] == bound)

    def _turns(self, index: str, numbers: Numbers) -> list[Numbers]:
        """The numbers of an index and of those related to it, beside those that are known."""
        if index in self.inverse:
            owner, related = self.related[self.inverse[index]]
            return [{**numbers, index: k} for k, at in related.items() if at == numbers.get(owner)]
        if index not in self.ranges:
            raise FeatherError(f"{index} is no index here")
        return [
            {
                **numbers,
                index: k,
                **{u: to[k] for u, (of, to) in self.related.items() if of == index and k in to},
            }
            for k in self.ranges[index]
        ]

    def _numbered(self, node: Node, numbers: Numbers) -> Node:
        """An expression with numbers in place of indices."""
        if node.kind is Kind.NAME:
            own = _suffix(node)
            return (
                replace(node, value=f"{node.name.removesuffix(own)}{numbers[own]}")
                if own in numbers
                else node
            )
        index = _index_of(node)
        if not index:
            return replace(node, args=tuple(self._numbered(a, numbers) for a in node.args))
        if len(node.args) != 1:
            raise FeatherError(f"{node.name} is of one expression")
        terms = [self._numbered(node.args[0], turn) for turn in self._turns(index, numbers)]
        if node.name.startswith("stack_"):
            return Node(Kind.BLOCKS, tuple(terms), 1)
        return Node(Kind.SUM, tuple(terms)) if terms else Node(Kind.NUMBER, (), 0)


def _suffix(node: Node) -> str:
    return node.name.rpartition("_")[2] if node.kind is Kind.NAME and "_" in node.name else ""


def _index_of(node: Node) -> str:
    """The index over which an expression is a sum or stack; empty for any other."""
    what, _, index = node.name.partition("_") if node.kind is Kind.CALL else ("", "", "")
    return index if what in ("sum", "stack") else ""


def _in_order(equations: Sequence[Equation]) -> list[Equation]:
    """The equations, each after those that define what it needs."""
    defining = {e.sides[0].name: e for e in equations if e.sides[0].kind is Kind.NAME}
    done: dict[int, Equation] = {}
    for equation in equations:
        pending = [(equation, _needs(equation))]
        while pending:
            current, needs = pending[-1]
            if id(current) in done:
                pending.pop()
                continue
            name = next(needs, None)
            if name is None:
                done[id(current)] = current
            elif name in defining and all(defining[name] is not e for e, _ in pending):
                pending.append((defining[name], _needs(defining[name])))
    return list(done.values())


def _needs(equation: Equation) -> Iterator[str]:
    return (n.name for side in equation.sides for n in side.nodes() if n.kind is Kind.NAME)
