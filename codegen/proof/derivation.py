"""The derivation of a kernel, from its definition to the Program that is printed, step by step.

A derivation begins with the definition, continues with the hand-written steps (`steps` of the kernel's
subject), the formula as traced, and the passes. The CasADi derivation is last, as a cross-check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

from codegen.emit.cases import cases_of
from codegen.ir.cost import cost, cost_text
from codegen.ir.program import Program
from codegen.ir.status import Status
from codegen.library import library
from codegen.modeling.equations.textbook import equation_condition, equation_program, is_notation
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.modeling.steps import Step
from codegen.modeling.types.scalar import replacements, tests
from codegen.passes.pipeline import passed
from codegen.proof.named_values import is_formula, named_values
from codegen.proof.proof import closed_form, definition_of, derivation_of, in_library, property_of, residual


def derivation(kernel: Kernel) -> list[Step]:
    """All derivation steps of a kernel, of the library or of a user's model, in order.

    The first is the definition, if there is one besides the formula. A kernel with bound values has the
    steps of the unbound kernel, then a step with those values.
    """
    made = [step for step, _ in machine_made(kernel)]
    formulas = [step for step in made if step.kind != "passes"]
    return [*stated(kernel), *formulas, *cross_check(as_published(kernel)), *made[len(formulas) :]]


def stated(kernel: Kernel) -> list[Step]:
    """The definition and the hand-written steps: those with a form."""
    published = as_published(kernel)
    return [*_definition(published), *hand_written(published)]


def equations(kernel: Kernel, shown: Step) -> list[tuple[str, Any]]:
    """A step's form on the kernel's symbols: each result's name (0 if implicit) and SymPy expression.

    The list is empty for a generated step.
    """
    from codegen.frontends.from_sympy import applied, residuals, symbols_for

    if shown.form is None:
        return []
    inputs = kernel.all_inputs
    if shown.implicit:
        arguments = [*inputs, *kernel.outputs]
        return [("0", zero) for zero in residuals(shown.form, inputs, kernel.outputs, symbols_for(arguments))]
    expressions = applied(shown.form, inputs, kernel.outputs, symbols_for(inputs))
    names = [name for a in kernel.outputs for name in a.scalar_names]
    return list(zip(names, expressions, strict=True))


def as_published(kernel: Kernel) -> Kernel:
    """The library's kernel without bound values; a kernel of a user's model as it is."""
    return library()[kernel.base_name] if in_library(kernel) else kernel


def hand_written(kernel: Kernel) -> tuple[Step, ...]:
    """The hand-written steps between definition and formula; none for a user's model.

    A kernel that returns only a status has its definition here, too.
    """
    if not in_library(kernel):
        return ()
    steps: Mapping[str, tuple[Step, ...]] = import_module(f"codegen.library.{kernel.module}.steps").STEPS
    return steps.get(kernel.base_name, ())


def _definition(kernel: Kernel) -> Iterator[Step]:
    """The property that defines the results, if there is one, then a form that gives them."""
    define, property_ = definition_of(kernel), property_of(kernel)
    if property_ is not None:
        text, by = _text(property_), "the results must satisfy it, whichever formula computes them"
        yield Step("Defining property", text, by, kernel.source, property_, "definition", implicit=True)
    if define is not None:
        title, origin = ("Definition", _origin(kernel, define)) if property_ is None else _SOLVED
        by = f"{origin}; the code is not made from it, but compared with it"
        yield Step(title, _defined(kernel, define), by, kernel.source, define, "definition")


_SOLVED = "Results that have this property", "the property, solved for the results"


def _defined(kernel: Kernel, define: Any) -> str:
    """The equations of a definition; where it is described in words, those of the user's model.

    Both are compared with the formula. The description is shown where the model states no equation either.
    """
    told = _text(define)
    return told if is_notation(told) or not is_notation(kernel.equation) else kernel.equation


def _origin(kernel: Kernel, define: Any) -> str:
    """What a definition is, in the words of its description if it has one."""
    told = _text(define).partition("\n\n")[0]
    if not told or is_notation(_text(define)):
        return "the form of textbooks" if in_library(kernel) else "an independent form"
    return " ".join(told.split()).removesuffix(".")


def _text(documented: Any) -> str:
    """Equations themselves, or the docstring of a function, of a member of a family or of a module."""
    import inspect

    if isinstance(documented, str):
        return documented
    return inspect.cleandoc(getattr(documented, "func", documented).__doc__ or "")


@cache
def machine_made(kernel: Kernel) -> tuple[tuple[Step, Program], ...]:
    """The formula and the generated steps after it, each with its Program."""
    return (*_formulas(kernel), *_passes(kernel))


def _formulas(kernel: Kernel) -> Iterator[tuple[Step, Program]]:
    published = as_published(kernel)
    closed, plain, checked = closed_form(published), published.program(False), published.program(True)
    yield _formula(published), closed
    if not in_library(kernel) and (written := named_values(kernel)):
        yield Step(NAMED_VALUES, written, _NAMED, kernel.source, kind="formula"), plain
    for step in kernel.steps:
        if is_formula(kernel, closed, step.equation) or _met(kernel, step.equation):
            yield step, plain
    if closed.nodes != plain.nodes:
        yield Step(SERIES, _series(published), _REMOVABLE, kind="formula"), plain
    if checked.nodes != plain.nodes:
        yield Step(TESTS, _requirements(published), _GUARDED, kind="formula"), checked
    if kernel.bound:
        yield Step("Bind values", _values(kernel), _EXACT, kind="formula"), kernel.program(True)


def _met(kernel: Kernel, text: str) -> bool:
    """Whether equations are conditions on the results of the formula that these, and none nearby, meet."""
    if equation_condition(replace(kernel, equation=text)) is None:
        return False
    found = residual(kernel, text)
    return found.holds and found.sufficient


FORMULA = "Formula of the code"
"""The title of the step with the equation of the formula that is traced."""

SERIES = "Replace the closed form where it is 0/0 or loses digits"
"""The title of the step with the limits and series of a formula."""

TESTS = "Test the arguments and the results"
"""The title of the step with the conditions at which a formula returns no flag."""

NAMED_VALUES = "Compute the values that the formula names, and the results from them"
"""The title of the step that a model has from its structure."""

_NAMED = "written from the formula, read back, and compared with it at random points, modulo random primes"
_REMOVABLE = (
    "the limit, or a value that is equal to within the rounding, stands for the closed form; where there is "
    "no limit, a value is chosen; verify measures the error on both sides of the threshold"
)
_GUARDED = "where all conditions hold, a guarded value equals what it stands for; else, a flag is returned"
_EXACT = "the constants are exact: they equal the bound numbers"


def _formula(kernel: Kernel) -> Step:
    """The step of the formula; its `by` states how it is compared with the definition, if there is one."""
    text = kernel.equation
    define = definition_of(kernel)
    if define is not None:
        title, by = (
            FORMULA,
            "compared with the definition modulo random primes, at random points that meet the conditions on "
            "the arguments",
        )
        if text == _defined(kernel, define):
            text = "The Python function that is printed below computes the results of the definition."
    elif equation_program(kernel) is not None:
        title, by = (
            FORMULA,
            "compared with the equation at random points, modulo random primes of 127 bits",
        )
    elif property_of(kernel) is not None or hand_written(kernel) or equation_condition(kernel) is not None:
        title, by = (
            "Conditions that the results meet",
            "the formula's results are compared with them on 60 digits, wherever no requirement fails",
        )
    else:
        title, by = "The model's formula", "stated by the model, without an independent form"
        text = text or "The formula that is printed below computes the results."
    return Step(title, text, by, kernel.source, kind="formula")


def _series(kernel: Kernel) -> str:
    """What stands for the closed forms of a formula, in prose, as the formula states it."""
    with replacements() as found:
        kernel.lower(False)
    return ";\n".join(f"where `{t.form}`, {t.by}" if t.form else t.by for t in found)


def _requirements(kernel: Kernel) -> str:
    """The conditions of all flags, and how they are tested, in prose."""
    flags = sorted({flag for _, flag in kernel.program(True).status})
    known = cases_of(kernel)
    with tests() as found:
        kernel.lower(True)
    told = (f"{t.by}: `{t.form}`" for t in found)
    return "\n".join([*(_required(f, known[f]) for f in flags if f in known), *told])


def _required(flag: Status, cases: Iterable[Failure]) -> str:
    """The conditions of a flag, in prose."""
    return f"{flag.name}: {'; '.join(case.condition for case in cases)}"


def _values(kernel: Kernel) -> str:
    rows = ((name, (f"{float(x):.10g}" for x in scalars)) for name, scalars in kernel.bound.items())
    return "\n".join(f"{name} = {', '.join(numbers)}" for name, numbers in rows)


def _passes(kernel: Kernel) -> Iterator[tuple[Step, Program]]:
    before = cost_text(cost(kernel.program(True)))
    for applied, after in passed(kernel, True):
        now = cost_text(cost(after))
        counts = now if now == before else f"{before} -> {now}"
        yield Step(applied.title, counts, applied.rule, kind="passes"), after
        before = now


def cross_check(kernel: Kernel) -> Iterator[Step]:
    """The independent derivation of a kernel with CasADi, if there is one."""
    derive = derivation_of(kernel)
    if derive is not None:
        title = "Derive the results independently with CasADi"
        by = "no form is shared with the definition; the values are equal modulo random primes of 127 bits"
        yield Step(title, _text(derive), by, kind="cross-check")
