"""Normal form of Programs by value numbering: nodes that must have the same value have the same number.

It ignores names, the order of statements, the order of the operands of + * && ||, the negation of the
condition of a select, whether a number is divided by a power of two or multiplied by its inverse, and
whether a constant is written out or calculated: 1.0F / 3.0F is the float that it gives. It reads the
squares of -x and of |x| as that of x, and atan2(-y, x) as -atan2(y, x), also where y is a zero. Of two
conditions of which one holds at most, x > 1 and x < 0, it takes either one first.
These change no bit where the compiler does not contract to fused multiply-add.
"""

from __future__ import annotations

import operator
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from codegen.ir.expression import LeafValue
from codegen.ir.operations import COMMUTATIVE, Op
from codegen.ir.program import Node, Program, conjuncts
from codegen.ir.rewriting import arrange, needed
from codegen.review.diff.reading import INFINITE, Held, Reading, rounded

_LARGEST_POWER = 2**126
"""A float holds it and its inverse without loss."""


class _Limit(NamedTuple):
    """A condition on the number `x`: that it is above a limit, or else below it, and not equal if strict."""

    x: int
    is_above: bool
    limit: Fraction
    is_strict: bool

    def excludes(self, other: _Limit) -> bool:
        """Whether it says that x is above what the other says that it is below, so that one holds at most."""
        if self.x != other.x or not self.is_above or other.is_above:
            return False
        is_strict = self.is_strict or other.is_strict
        return self.limit > other.limit or (self.limit == other.limit and is_strict)


@dataclass
class Normal:
    """Numbers for the values of several Programs."""

    known: dict[Hashable, int] = field(default_factory=dict)
    signs: dict[int, tuple[Op, int]] = field(default_factory=dict)  # what -x and |x| are, and their x
    limits: dict[int, _Limit] = field(default_factory=dict)  # of conditions that have one
    choices: dict[int, tuple[int, int, int, Held]] = field(default_factory=dict)  # condition, both sides

    def numbers(self, program: Program, held: Sequence[Held]) -> list[int]:
        """A number for each node: equal ones for the same operation, in the same type, on the same values."""
        found: list[int] = []
        constants = _constants(program, held)
        for i, ((op, args, value), kind) in enumerate(zip(program.nodes, held, strict=True)):
            if i in constants:
                found.append(self._number(Op.CONSTANT, [], constants[i], kind))
                continue
            below = [found[a] for a in args]
            if op in COMMUTATIVE:
                below.sort()
            if op is Op.SELECT and program.nodes[args[0]].op is Op.NOT:  # !c ? a : b is c ? b : a
                below = [found[program.nodes[args[0]].args[0]], below[2], below[1]]
            if op in (Op.MIN, Op.MAX):  # in C, a comparison and a select
                order = below if op is Op.MIN else below[::-1]
                below = [self._number(Op.LT, order, None, Held.TRUTH), *below]
                op = Op.SELECT
            if op is Op.DIV and (inverse := _inverse(program.nodes[args[1]])) and held[args[1]] is kind:
                op, below = Op.MUL, sorted([below[0], self._number(Op.CONSTANT, [], inverse, kind)])
            exact = rounded(value, kind) if isinstance(value, Fraction) else value
            if op is Op.SELECT:
                condition, a, b = below
                found.append(self._chosen(condition, a, b, kind))
            else:
                is_alike = all(held[a] is kind for a in args)
                found.append(self._of_signs(op, below, exact, kind, is_alike))
            if op in (Op.LT, Op.LE):
                self._note_limit(found[i], op, below, [constants.get(a) for a in args])
        return found

    def _chosen(self, condition: int, a: int, b: int, held: Held) -> int:
        """The number of `condition ? a : b`; of conditions that exclude each other, one has to come first."""
        test, first, last, kind = self.choices.get(b, (-1, -1, -1, held))
        own, other = self.limits.get(condition), self.limits.get(test)
        if own and other and own.excludes(other) and kind is held:
            condition, a, b = test, first, self._chosen(condition, a, last, held)
        number = self._number(Op.SELECT, [condition, a, b], None, held)
        self.choices[number] = condition, a, b, held
        return number

    def _note_limit(
        self, condition: int, op: Op, below: Sequence[int], numbers: Sequence[Fraction | None]
    ) -> None:
        low, high = numbers
        if low is not None:
            self.limits[condition] = _Limit(below[1], True, low, op is Op.LT)
        elif high is not None:
            self.limits[condition] = _Limit(below[0], False, high, op is Op.LT)

    def _of_signs(self, op: Op, below: list[int], value: LeafValue, held: Held, is_alike: bool) -> int:
        """The number of an operation, which may not depend on signs; `is_alike` if nothing is converted."""
        if op is Op.MUL and below[0] == below[1]:
            while below[0] in self.signs:
                below = [self.signs[below[0]][1]] * 2
        sign, x = self.signs.get(below[0], (None, -1)) if is_alike and below else (None, -1)
        if op is Op.NEG and sign is Op.NEG:
            return x
        if op is Op.ATAN2 and sign is Op.NEG:
            return self._of_signs(Op.NEG, [self._number(op, [x, below[1]], value, held)], None, held, True)
        number = self._number(op, below, value, held)
        if op in (Op.NEG, Op.ABS) and is_alike:
            self.signs[number] = op, below[0]
        return number

    def _number(self, op: Op, below: Sequence[int], value: LeafValue, held: Held) -> int:
        return self.known.setdefault((op, *below, value, held), len(self.known))

    def of(self, reading: Reading) -> Hashable:
        """The normal form of a reading: equal for two readings of the same computation."""
        program = reading.program
        numbers = self.numbers(program, reading.held)
        status = frozenset((numbers[i], flag) for n, flag in program.status for i in conjuncts(program, n))
        return tuple(numbers[r] for r in program.results), status


def _constants(program: Program, held: Sequence[Held]) -> dict[int, Fraction]:
    """The values of constants, and of operations on constants of one real type, rounded as C does.

    An operation that gives zero, of which the sign counts, or that is beyond its type is left out.
    """
    found = dict[int, Fraction]()
    for i, ((op, args, value), kind) in enumerate(zip(program.nodes, held, strict=True)):
        if op is Op.CONSTANT and isinstance(value, Fraction):
            found[i] = rounded(value, kind)
        elif op in _CALCULATED and {kind, held[args[0]]} <= _REAL and held[args[0]] is held[args[1]]:
            a, b = (found.get(x, INFINITE) for x in args)
            if INFINITE in (abs(a), abs(b)) or (op is Op.DIV and b == 0):
                continue
            near = rounded(rounded(_CALCULATED[op](a, b), held[args[0]]), kind)
            if near and abs(near) != INFINITE:
                found[i] = near
    return found


_REAL = {Held.FLOAT, Held.DOUBLE}
_CALCULATED = {Op.ADD: operator.add, Op.SUB: operator.sub, Op.MUL: operator.mul, Op.DIV: operator.truediv}


def _inverse(node: Node) -> Fraction | None:
    """The inverse of a constant power of two, which every real type holds; None for other nodes."""
    number = abs(node.value) if node.op is Op.CONSTANT and isinstance(node.value, Fraction) else Fraction(0)
    up, down = number.numerator, number.denominator
    is_power = up.bit_count() == down.bit_count() == 1
    return 1 / node.value if is_power and max(up, down) <= _LARGEST_POWER else None


def same_computation(a: Reading, b: Reading) -> bool:
    """Whether both do the same operations on the same values, in the same types."""
    normal = Normal()
    return normal.of(a) == normal.of(b)


def plain(reading: Reading) -> Program:
    """The Program without conversions between types, for its cost."""
    program = reading.program
    first: dict[Node, int] = {}
    moved: list[int] = []
    for i, (op, args, value) in enumerate(program.nodes):
        moved.append(first.setdefault(Node(op, tuple(moved[a] for a in args), value), i))
    return _moved(program, moved)


def _moved(program: Program, moved: Sequence[int]) -> Program:
    nodes = tuple(Node(op, tuple(moved[a] for a in args), value) for op, args, value in program.nodes)
    results = tuple(moved[r] for r in program.results)
    status = tuple((moved[n], flag) for n, flag in program.status)
    merged = Program(program.inputs, program.outputs, nodes, results, status)
    return arrange(merged, sorted(needed(merged)))
