"""Whether the formulas in a kernel's documentation, which its header prints among the words, hold.

A formula there is an equation or an inequality about arguments, results and what the equations on the page
define. It is evaluated on 60 digits, as conditions on results are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegen.errors import FeatherError
from codegen.ir.expression import as_expr
from codegen.ir.program import Arg, Program, input_scalars, program_of
from codegen.ir.types import Array
from codegen.modeling.equations.textbook import is_notation, traced_claim
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.notation.prose import pieces
from codegen.notation.reader import read_formulas
from codegen.notation.syntax import Equation, Kind
from codegen.proof.derivation import stated
from codegen.proof.proof import largest_residual

_CONDITIONS = (Kind.RELATION, Kind.AND, Kind.OR, Kind.NOT)


def check_claims(kernel: Kernel) -> Iterator[str]:
    """What is wrong with the formulas in a kernel's documentation: those that say nothing, or do not hold."""
    for formula in formulas(kernel):
        if not claims(formula):
            yield (
                f"the formula {formula} in its documentation states nothing that can be compared: write an "
                "equation or an inequality, or words"
            )
    for formula in _formulas([kernel.requires]):
        yield f"the formula {formula} in its preconditions is compared with nothing: write words"
    yield from untrue_claims(kernel)


def untrue_claims(kernel: Kernel) -> Iterator[str]:
    """The equations and inequalities in a kernel's documentation that have no value, or do not hold."""
    for formula in formulas(kernel):
        for claim in claims(formula):
            if problem := _problem(kernel, claim):
                yield f"the formula {formula} in its documentation {problem}"


def _problem(kernel: Kernel, claim: Equation) -> str:
    """What is wrong with a claim; empty where it holds."""
    try:
        found = largest_residual(kernel, _zeros(kernel, claim))
    except FeatherError as error:
        return f"cannot be compared: {error}"
    if not found.cases:
        return "cannot be compared: it has no value at any point"
    return "" if found.holds else "does not hold"


def formulas(kernel: Kernel | Routine) -> list[str]:
    """The formulas in what the header says of a kernel in words; names, and lists of names, are none.

    Conditions of status flags are compared by themselves; preconditions are assumed, not claimed.
    """
    return _formulas([kernel.title, kernel.details, *(a.doc for a in (*kernel.inputs, *kernel.outputs))])


def _formulas(texts: Iterable[str]) -> list[str]:
    marked = (" ".join(p.text.split()) for text in texts for p in pieces(text) if p.is_formula)
    return [text for text in dict.fromkeys(marked) if not _is_names(text)]


def _is_names(text: str) -> bool:
    return all(name.strip().rstrip("'").isidentifier() for name in text.split(","))


def claims(formula: str) -> tuple[Equation, ...]:
    """The equations and inequalities of a formula; none where a part is an expression, or no notation."""
    try:
        found = read_formulas(formula)
    except FeatherError:
        return ()
    are_claims = (len(e.sides) > 1 or e.sides[0].kind in _CONDITIONS for e in found)
    return found if all(are_claims) else ()


def _zeros(kernel: Kernel, claim: Equation) -> Program:
    """The Program of what is zero where a claim holds.

    The first of the equations on the kernel's page with which it has a value say what its names are.
    """
    texts = (text for text in (kernel.equation, *(s.equation for s in stated(kernel))) if is_notation(text))
    refused = None
    for text in (*texts, ""):
        arguments = [*kernel.inputs, *kernel.outputs]
        try:
            zeros = [*map(as_expr, traced_claim(kernel, text, claim, input_scalars(arguments)))]
        except FeatherError as error:
            refused = refused or error
        else:
            whole = Arg("residual", Array((len(zeros),)), "1", "zero where the claim holds")
            return program_of(arguments, [whole], zeros)
    assert refused is not None
    raise refused
