"""Checks of a derivation: each step gives the same values as the one before it.

Explicit steps are compared like the forms of a kernel, at random points of the constraint set modulo random
primes; conditions on the results are evaluated on 60 digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.exploration import Way
from codegen.ir.program import Program
from codegen.ir.status import Status
from codegen.ir.systems import NumberSystem
from codegen.modeling.equations.textbook import (
    check_patterns,
    equation_condition,
    equation_program,
    has_conditions,
    is_notation,
)
from codegen.modeling.equations.unread import idle_equations, unread_in
from codegen.modeling.kernel import Kernel
from codegen.modeling.steps import Form, Step
from codegen.notation.prose import listed
from codegen.passes.fold import fold
from codegen.proof.claims import check_claims
from codegen.proof.derivation import FORMULA, TESTS, as_published, derivation, machine_made
from codegen.proof.equivalence import Driven, compare
from codegen.proof.needed import unneeded_inequalities
from codegen.proof.others import other_results
from codegen.proof.proof import (
    closed_form,
    derivation_program,
    residual,
    residual_program,
    stated_program,
    where_valid,
)
from codegen.proof.series import check_series
from codegen.proof.told import check_told

Link = tuple[str, Way]
"""The title of a step, and the form that computes its values."""


def check_steps(kernel: Kernel) -> list[str]:
    """The steps of the kernel's derivation that do not follow from the steps before them, one line each."""
    published = as_published(kernel)
    problems = [*_machine_made(published), *_bound(kernel), *_passes(kernel)]
    return [*check_equations(kernel), *(f"{kernel.name}: {problem}" for problem in problems)]


def check_equations(kernel: Kernel) -> list[str]:
    """The definition and hand-written steps that do not follow from each other or lead to the formula."""
    published, steps = as_published(kernel), derivation(kernel)
    problems = (
        *_missing(steps),
        *_misplaced(published, steps),
        *_stated(published, steps),
        *_unneeded(published, steps),
        *_idle(published, steps),
        *_open(published, steps),
        *check_series(published),
        *check_told(published),
        *check_claims(published),
    )
    return [f"{kernel.name}: {problem}" for problem in problems]


def _missing(steps: Sequence[Step]) -> Iterator[str]:
    """Hand-written steps without a form, which cannot be checked."""
    for s in steps:
        if s.kind in ("definition", "step") and s.form is None:
            yield f"{s.title}: it has no form to check"


def _misplaced(kernel: Kernel, steps: Sequence[Step]) -> Iterator[str]:
    """Steps whose matrices have their structural non-zeros elsewhere than the kernel's pattern says."""
    for s in steps:
        if isinstance(s.form, str) and not s.implicit:
            try:
                check_patterns(kernel, s.form)
            except FeatherError as error:
                yield f"{s.title}: {error}"


def _unneeded(kernel: Kernel, steps: Sequence[Step]) -> Iterator[str]:
    """What steps define although no result depends on it: no comparison would find an error in that."""
    texts = ((s, s.form) for s in steps if isinstance(s.form, str) and is_notation(s.form))
    for s, text in texts if kernel.setting is None else ():
        if names := unread_in(text, kernel):
            yield f"{s.title}: it defines {listed(names)}, on which no result depends"


def _idle(kernel: Kernel, steps: Sequence[Step]) -> Iterator[str]:
    """The equations and inequalities of steps, and of the formula's, that say nothing."""
    texts = [(s.title, s.form) for s in steps if isinstance(s.form, str)]
    for title, text in dict.fromkeys([*texts, (FORMULA, kernel.equation)]):
        for number in idle_equations(text) if is_notation(text) else ():
            yield f"{title}: equation {number} says nothing: it is stated before, or two of its sides are one"
        for number in unneeded_inequalities(kernel, text):
            yield f"{title}: inequality {number} holds of all results of which the others hold"


def _open(kernel: Kernel, steps: Sequence[Step]) -> Iterator[str]:
    """The conditions that are to define the results, but that others meet, too."""
    texts = [(s.title, s.form) for s in steps if s.form and s.implicit and s.kind == "definition"]
    if equation_program(kernel) is None and equation_condition(kernel) is not None:
        texts.append((FORMULA, kernel.equation))
    for title, form in texts:
        if others := other_results(kernel, form):
            yield f"{title}: other results meet it, too: {others}"


def _stated(kernel: Kernel, steps: Sequence[Step]) -> list[str]:
    """What is wrong with the equations of steps: those that have no value, or those that do not follow."""
    try:
        return [*_algebra(kernel, steps), *_implicit(kernel, steps)]
    except FeatherError:
        return [problem for s in steps if s.form for problem in _unevaluated(kernel, s, s.form)]


def _unevaluated(kernel: Kernel, step: Step, form: Form) -> Iterator[str]:
    """Why the equations of a step have no value, so that nothing is compared with them."""
    try:
        if not step.implicit:
            stated_program(kernel, form)
        if step.implicit or _has_conditions(kernel, form):
            residual_program(kernel, form)
    except FeatherError as error:
        yield f"{step.title}: it cannot be compared: {error}"


def _algebra(kernel: Kernel, steps: Sequence[Step]) -> Iterator[str]:
    """Compare definition, hand-written forms, the formula in closed form, and CasADi's derivation."""
    derived = derivation_program(kernel)
    forms = [(s.title, s.form) for s in steps if s.form and not s.implicit]
    chain = [(title, stated_program(kernel, form)) for title, form in forms]
    chain += [(FORMULA, closed_form(kernel))] + ([("CasADi's derivation", derived)] if derived else [])
    yield from _driven(kernel, chain)


def _machine_made(kernel: Kernel) -> Iterator[str]:
    """Compare the formula with the guarded one and with what the passes make of that, where it is valid."""
    if kernel.outputs:
        guarded, passed = (where_valid(p) for p in (kernel.program(True), machine_made(kernel)[-1][1]))
        chain = [(FORMULA, kernel.program(False)), (TESTS, guarded), ("All passes", passed)]
        yield from _driven(kernel, chain)


def _driven(kernel: Kernel, chain: Sequence[tuple[str, Program]]) -> Iterator[str]:
    """Compare Programs, with every select driven to both sides."""
    yield from _compared(kernel, [(title, Driven(program)) for title, program in chain])


def _implicit(kernel: Kernel, steps: Sequence[Step]) -> Iterator[str]:
    """Check the property and all conditions, together first, because the results are the main cost."""
    forms = [(s.title, s.form) for s in steps if s.form and (s.implicit or _has_conditions(kernel, s.form))]
    if forms and not _holds(kernel, *(form for _, form in forms)):
        yield from (f"{title}: it does not hold" for title, form in forms if not _holds(kernel, form))


def _has_conditions(kernel: Kernel, form: Form) -> bool:
    """Whether equations for the results state conditions as well, which their values do not show."""
    return isinstance(form, str) and has_conditions(form, kernel.inputs, kernel.outputs)


def _holds(kernel: Kernel, *forms: Form) -> bool:
    """Whether conditions are zero on 60 digits, wherever no requirement of the kernel fails."""
    return residual(kernel, *forms).holds


def _bound(kernel: Kernel) -> Iterator[str]:
    """Compare the Program with bound values with the published one at these values."""
    published = as_published(kernel)
    if published is not kernel:
        flags = _flags(published)
        given = _at_values(kernel, Driven(published.program(True), flags))
        bound = Driven(kernel.program(True), flags)
        yield from _compared(kernel, [("Formula", given), ("Bind values", bound)])


def _passes(kernel: Kernel) -> Iterator[str]:
    """Compare the Programs after each pass: with their requirements, and where no requirement fails.

    Numbers modulo a prime have no order: bound values are folded before the comparison.
    """
    flags, program = _flags(kernel), kernel.program(True)
    made = [("Formula", fold(program) if kernel.bound else program)]
    made += [(s.title, after) for s, after in machine_made(kernel) if s.kind == "passes"]
    yield from _compared(kernel, [(title, Driven(program, flags)) for title, program in made])
    if flags:
        yield from _compared(kernel, [(title, Driven(where_valid(program))) for title, program in made])


def _flags(kernel: Kernel) -> list[Status]:
    return sorted({flag for _, flag in kernel.program(True).status})


def _compared(kernel: Kernel, chain: Sequence[Link]) -> Iterator[str]:
    """The first step of a chain whose values differ from those of the steps before it."""
    if len(chain) < 2:
        return
    ways = {f"step {i} ({title})": way for i, (title, way) in enumerate(chain)}
    verdict = compare(kernel.inputs, ways, kernel.name)
    if not verdict.agreed or not (verdict.proven or verdict.sampled):
        yield verdict.shortcoming


def _at_values(kernel: Kernel, way: Way) -> Way:
    """The form of the unbound kernel, at the bound values."""

    def at_values(system: NumberSystem, inputs: Sequence[Any]) -> list[Any]:
        remaining = iter(inputs)
        scalars: list[Any] = []
        for a in kernel.signature:
            if a.name in kernel.bound:
                scalars += map(system.constant, kernel.bound[a.name])
            else:
                scalars += [next(remaining) for _ in range(a.size)]
        return way(system, scalars)

    return at_values
