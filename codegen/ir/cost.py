"""The cost model: counts of the operations of a Program, as the target executes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from codegen.ir.constants import constant_angle
from codegen.ir.operations import LIBM, Op
from codegen.ir.program import Node, Program


@dataclass(frozen=True)
class Cost:
    """Operations of a function, as C executes them; a minimum or maximum is a comparison and a select.

    So is a step to the cell of an axis.
    """

    mul: int
    add: int
    neg: int
    div: int
    sqrt: int
    cmp: int
    select: int
    abs: int
    libm: Mapping[str, int]
    search: int = 0  # of the cell of an axis whose nodes have unequal distances
    sincos: int = 0  # of sines and cosines that a generated function computes in pairs

    @property
    def total(self) -> int:
        """A weighted sum: a division or square root counts 10, sines and other functions are not included."""
        return self.mul + self.add + 10 * (self.div + self.sqrt)


_ONE = Node(Op.CONSTANT, (), Fraction(1))


def cost(program: Program) -> Cost:
    """The operations of a Program."""
    count = Counter(node.op for node in program.nodes)
    angles = [i for i, node in enumerate(program.nodes) if node.op is Op.ATAN2]
    computed = [i for i in angles if constant_angle(program, i) is None]
    plain = sum(program.nodes[program.nodes[i].args[1]] == _ONE for i in computed)
    count[Op.ATAN2] = len(computed) - plain
    choices = count[Op.MIN] + count[Op.MAX] + count[Op.STEP]
    return Cost(
        mul=count[Op.MUL],
        add=count[Op.ADD] + count[Op.SUB],
        neg=count[Op.NEG],
        div=count[Op.DIV],
        sqrt=count[Op.SQRT],
        cmp=count[Op.LT] + count[Op.LE] + choices,
        select=count[Op.SELECT] + choices,
        abs=count[Op.ABS],
        libm={
            **{op.label: count[op] for op in Op if op in LIBM and count[op]},
            **({"atan": plain} if plain else {}),
        },
        search=count[Op.CELL],
    )


def in_pairs(cost: Cost, count: int) -> Cost:
    """The cost where so many sines and cosines of one angle are computed together."""
    single = {name: n - count * (name in ("sin", "cos")) for name, n in cost.libm.items()}
    return replace(cost, libm={name: n for name, n in single.items() if n}, sincos=count)


_NAMES = ("mul", "add", "neg", "div", "sqrt", "abs", "cmp", "select")


def cost_text(cost: Cost) -> str:
    """The operations as text: `24 mul, 18 add, 1 div, sin`."""
    counts: Mapping[str, int] = {name: getattr(cost, name) for name in (*_NAMES, "search", "sincos")}
    parts = [f"{n} {name}" for name, n in {**counts, **cost.libm}.items() if n]
    return ", ".join(parts) or "copies only"
