"""Whether each inequality that is shown says something: some results meet all others, and not this one.

A property that holds of a formula's results holds of them, too, where it is weakened: `a <= c <= c` instead
of `a <= b <= c`. Inequalities are therefore evaluated at arbitrary results, those of the formula or others.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

from codegen.errors import FeatherError
from codegen.ir.domain import cases
from codegen.ir.expression import as_expr
from codegen.ir.program import Arg, Program, evaluate, input_scalars, program_of
from codegen.ir.systems import F64, multiprecision
from codegen.ir.types import Array
from codegen.modeling.equations.textbook import is_notation, traced_inequalities
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.scalar import select

_RESULTS = 40
"""The number of arbitrary results at each case of the inputs."""


def unneeded_inequalities(kernel: Kernel, text: str) -> list[int]:
    """The numbers, from 1, of the inequalities that fail at no results at which all others hold."""
    program = _program(kernel, text) if is_notation(text) and kernel.outputs else None
    if program is None:
        return []
    left, system = set(range(1, len(program.results) + 1)), multiprecision(F64, 20)
    for values in _arbitrary(kernel):
        try:
            broken = evaluate(program, system, [*map(system.constant, values)]).results
        except (ArithmeticError, ValueError):  # no value here
            continue
        if sum(broken) == 1:
            left.discard(broken.index(1) + 1)
        if not left:
            break
    return sorted(left)


def _program(kernel: Kernel, text: str) -> Program | None:
    """The Program of what is 1 where an inequality fails, else 0; None where there are no inequalities."""
    known = [*kernel.inputs, *kernel.outputs]
    try:
        found = traced_inequalities(kernel, text, input_scalars(known))
    except FeatherError:  # the equations have no value, which is said elsewhere
        return None
    if not found:
        return None
    whole = Arg("broken", Array((len(found),)), "1", "1 where an inequality fails")
    return program_of(known, [whole], [as_expr(select(c, 0, 1)) for c in found])


def _arbitrary(kernel: Kernel) -> Iterator[Sequence[Fraction]]:
    """Inputs, and results of any size and sign that need not be theirs."""
    source, size = random.Random(kernel.name), sum(a.size for a in kernel.outputs)
    for case in cases(kernel.inputs, 24, f"inequalities of {kernel.name}"):
        for _ in range(_RESULTS):
            sizes = (source.choice((-1, 1)) * 2 ** source.uniform(-6, 6) for _ in range(size))
            yield [*case, *map(Fraction, sizes)]
