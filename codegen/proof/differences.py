"""Where the forms of a kernel differ, in words: a counterexample."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain

from codegen.ir.domain import Case, in_words
from codegen.ir.program import evaluate
from codegen.modeling.kernel import Kernel
from codegen.proof.confirmation import without_noise
from codegen.proof.domains import Counterexample, counterexamples
from codegen.proof.proof import ways_of


def difference_in_words(kernel: Kernel) -> str:
    """An input at which forms of a kernel differ, with both results; empty where none is found.

    One where all requirements hold, if there is any: where one fails, the function returns other results than
    the formula.
    """
    names = [name for a in kernel.outputs for name in a.scalar_names]
    for ways in ways_of(kernel) if kernel.outputs else ():
        found = (c for c in counterexamples(kernel.inputs, ways, kernel.name) if c.output < len(names))
        first = next(found, None)
        if first is not None:
            proper = next((c for c in chain([first], found) if _is_free_of_failures(kernel, c.case)), None)
            shown = proper or first
            said = f"at {in_words(kernel.inputs, shown.case)}, {names[shown.output]} is {_both(shown)}"
            return said if proper else f"{said}; {_AS_IF}"
    return ""


def _both(found: Counterexample) -> str:
    """What the forms give; where only the last digits differ, by how much, and what that means."""
    (first, value), (other, larger) = found.values.items()
    shown, beside = f"{value:.9g}", f"{larger:.9g}"
    if shown != beside:
        return f"{shown} ({first}) but {beside} ({other})"
    sign = "-" if found.more < 0 else "+"
    return f"{shown} ({first}) but {shown} {sign} {abs(found.more):.2g} ({other}); {_CONSTANTS}"


_CONSTANTS = (
    "so small a difference is one of constants: Python rounds what it computes of floats before the formula "
    "has it, as in 3.14159265 * 0.9 * 15.2; write PI, or Fraction('15.2')"
)

_AS_IF = (
    "one of its requirements fails there, but the forms are compared as if all held: state the results of a "
    "failure in failures=, not in the equation"
)


def _is_free_of_failures(kernel: Kernel, case: Case) -> bool:
    """Whether all requirements of a kernel hold at a point."""
    system = without_noise()
    try:
        met = evaluate(kernel.program(True), system, [system.constant(Fraction(x)) for x in case]).status
    except (ArithmeticError, ValueError):
        return False
    return all(bool(condition) for condition, _ in met)
