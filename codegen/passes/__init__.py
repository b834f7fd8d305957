"""Optimisation passes: rewritings of a Program that keep its value and lower its cost."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from codegen.ir.program import Program, validate
from codegen.passes.factor import factor
from codegen.passes.fold import fold
from codegen.passes.negations import negations
from codegen.passes.reciprocals import reciprocals
from codegen.passes.registers import registers
from codegen.passes.schedule import schedule
from codegen.passes.share import share


def _searched(program: Program) -> Program:
    from codegen.passes.search.search import search  # NumPy starts slowly, and only the search needs it

    return search(program, simplified)


class Pass(NamedTuple):
    """A pass: its name, its title and rule for derivations, and its function."""

    name: str
    title: str
    rule: str
    apply: Callable[[Program], Program]


FOLD = Pass(
    "fold",
    "Constant folding: exact arithmetic, neutral and absorbing elements, selects with known conditions",
    "Replace values that do not depend on the inputs; constants are evaluated exactly",
    fold,
)
SHARE = Pass(
    "share",
    "Common subexpressions are computed once (hash-consing; `a + b` is `b + a`)",
    "Merge nodes that compute the same value",
    share,
)
RECIPROCALS = Pass(
    "reciprocals",
    "One division for all quotients with the same denominator, none for a constant denominator",
    "Turn `x/c` into `x (1/c)`, and the divisions by one `d` into products with a shared `1/d`",
    reciprocals,
)
FACTOR = Pass(
    "factor",
    "Factor common factors out of sums, merge the constants of products",
    "Turn `a b + a c` into `a (b + c)`, `c_1 (c_2 x)` into `(c_1 c_2) x`, and `c (c_1 x + c_2 y)` into "
    "`c c_1 x + c c_2 y`",
    factor,
)
NEGATIONS = Pass(
    "negations",
    "Negations move up through products into subtractions",
    "Turn `a + (-b)` into `a - b`, `c + (-a) b` into `c - a b`, and so on; "
    "a sign that stays is computed once",
    negations,
)
SCHEDULE = Pass(
    "schedule",
    "Values are computed close to their use",
    "Order the nodes depth first from the results, in their order; drop what no result needs",
    schedule,
)
SEARCH = Pass(
    "search",
    "Sums of products are rewritten in the cheapest form found that is as accurate",
    "Identities of polynomials, and those of orthonormal matrices and unit quaternions",
    _searched,
)
REGISTERS = Pass(
    "registers",
    "Operations are ordered so that few values spill from the registers",
    "Order the nodes by the number of live values after each, where that reduces spills",
    registers,
)

SMALL_PASSES = (FOLD, SHARE, RECIPROCALS, FACTOR, NEGATIONS, SHARE, SCHEDULE)
"""The small passes, in this order; the sequence repeats until nothing changes."""

_ROUNDS = 8


def simplified(program: Program) -> Program:
    """The Program after the small passes, which keep its form."""
    for _, after in _simplification(program):
        program = after
    return program


def nearly_simplified(program: Program) -> Program:
    """The Program after one round of the small passes, which suffices to compare two forms by price."""
    for small in SMALL_PASSES:
        program = small.apply(program)
    return program


def optimise(program: Program, as_written: bool = False) -> Program:
    """The Program after all passes, in the cheapest form that is found (`stages`)."""
    for _, after in stages(program, as_written):
        program = after
    return program


def stages(program: Program, as_written: bool = False) -> Iterator[tuple[Pass, Program]]:
    """Each pass that changes the Program, and the Program after it, verified.

    A Program whose sums are to round `as_written` is not searched for another form.
    """
    for applied, after in _simplification(program):
        yield applied, after
        program = after
    for last in (REGISTERS,) if as_written else (SEARCH, REGISTERS):
        after = last.apply(program)
        if after != program:
            validate(after)
            yield last, after
            program = after


def _simplification(program: Program) -> Iterator[tuple[Pass, Program]]:
    unchanged: dict[Pass, Program] = {}  # the last Program that each pass left as it was
    for _ in range(_ROUNDS):
        before = program
        for small in SMALL_PASSES:
            if unchanged.get(small) is program:
                continue
            after = small.apply(program)
            if after == program:
                unchanged[small] = program
                continue
            validate(after)
            yield small, after
            program = after
        if program.nodes == before.nodes:
            break


PARTS = Pass(
    "parts",
    "What is repeated is one loop",
    "All other passes are applied to what is in a loop, and to what is before and after it",
    optimise,
)
"""The pass of a function with loops."""
