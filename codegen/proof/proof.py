"""The proof of a kernel: its definition, formula, engines and reference are mathematically equal.

These forms of a kernel are compared (the code calls each a way to its values): the formula as traced, the
Program after the passes (without checks, and with them where no requirement fails), the formula through
CasADi SX, the definition, the CasADi derivation, the NumPy reference, and the equation that is shown. Where
a formula uses a limit or series in place of its closed form, the closed form is compared with the
independent forms; the series is measured by `verify`. A kernel that inverts another function has a defining
property instead, which is checked on 60 digits: it is certified numerically, not proven.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from codegen.errors import FeatherError, naming
from codegen.frontends.references import limits_for, outcome_of, reference_input
from codegen.ir.domain import Case, cases, edge_cases
from codegen.ir.exploration import Way
from codegen.ir.expression import as_expr
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program, evaluate, input_scalars, program_of
from codegen.ir.rewriting import Builder, rebuild
from codegen.ir.sizes import exact_input, sizes
from codegen.ir.systems import F64, NumberSystem, casadi_system, multiprecision
from codegen.ir.types import Array, Real, is_integer
from codegen.library import library
from codegen.modeling.bind import substituted
from codegen.modeling.equations.partly import partly_stated
from codegen.modeling.equations.tables import setting_of
from codegen.modeling.equations.textbook import (
    equation_condition,
    equation_program,
    has_conditions,
    traced_residuals,
)
from codegen.modeling.equations.uncompared import why_uncompared
from codegen.modeling.given import errors_of
from codegen.modeling.kernel import Kernel, OnNumbers
from codegen.modeling.steps import Form
from codegen.modeling.types.scalar import closed_forms
from codegen.notation.prose import listed
from codegen.passes.fold import fold
from codegen.passes.pipeline import optimised
from codegen.passes.share import share
from codegen.proof.determined import determines
from codegen.proof.domains import compare_where_used
from codegen.proof.equivalence import Driven, Verdict
from codegen.proof.guards import compare_conditions
from codegen.proof.ondemand import OnDemand
from codegen.proof.outcomes import compare_outcomes
from codegen.proof.thresholds import DIGITS, Thresholds, compare_thresholds

NEARLY_ZERO = 1e-40
"""A residual on 60 digits that is below this, in proportion to terms above 1, is due to rounding."""


_CASES, _CHOOSING = 24, 96
"""The numbers of random cases: more where equations choose, so that each part of a choice decides one.

As many edge cases then follow, of which some are where a choice changes.
"""


class Residual(NamedTuple):
    """The largest residual of conditions on results, and the number of cases at which they were evaluated.

    Cases where a requirement of the kernel fails are left out, because the results are undefined there, and
    those where a result or a condition has no value, or an input that makes sense only if positive is not.
    At one of the cases at least, the conditions are `sufficient` if no other results nearby satisfy them.
    """

    worst: Any
    cases: int
    left_out: int
    sufficient: bool = False

    @property
    def holds(self) -> bool:
        """Whether the conditions hold on 60 digits, and at least one case was evaluated."""
        return self.cases > 0 and bool(self.worst < NEARLY_ZERO)


@dataclass(frozen=True)
class Proof:
    """The proof of a kernel: the forms compared, the verdict, and the residuals of conditions on its results.

    These are those of its defining property, and those of the conditions in the equation that is shown and in
    a model's own definition, if that is in equations. The
    stated conditions of its status flags have a verdict of their own, so have those that are certified on 60
    digits, and so have the results that are stated where they are returned; None if there are none as
    formulas. `uncompared` is why the equation of the
    library, a robot or a filter takes no part in the proof; that of a user's own formula may be in words.
    `omitted` are the results that the equation does not give, where it is the only independent form.
    """

    kernel: str
    ways: tuple[str, ...]
    verdict: Verdict
    property_residual: Residual | None = None
    equation_residual: Residual | None = None
    definition_residual: Residual | None = None
    flags: Verdict | None = None
    thresholds: Thresholds | None = None
    outcomes: Verdict | None = None
    uncompared: str = ""
    omitted: tuple[str, ...] = ()

    @property
    def certified(self) -> bool:
        """Whether a defining property holds on 60 digits at every case."""
        return self.property_residual is not None and self.property_residual.holds

    @property
    def status(self) -> str:
        """`proven`, `certified numerically`, `tested at n points: reason` or `failed: reason`.

        The number of points of a property is stated if some points are left out; `proven in part` names the
        results that have only their own formula.
        """
        if self.verdict.difference:
            return f"failed: {self.verdict.difference}"
        residual = self.property_residual
        if residual is not None and not residual.holds:
            return "failed: its property does not hold"
        if self.equation_residual is not None and not self.equation_residual.holds:
            return "failed: the equation in its documentation does not hold"
        if self.definition_residual is not None and not self.definition_residual.holds:
            return "failed: its definition states more than the results, which does not hold"
        if self.uncompared:
            return f"failed: the equation in its documentation cannot be compared: {self.uncompared}"
        of_failures = {"conditions of status flags": self.flags, "results in a failure": self.outcomes}
        for what, verdict in of_failures.items():
            if verdict is not None and not verdict.proven:
                outcome = "failed" if verdict.difference else verdict.tested
                of_flag = f", {verdict.difference}" if verdict.difference else ""
                return f"{outcome}: the formula has other {what} than its documentation{of_flag}"
        if self.thresholds is not None and self.thresholds.difference:
            return f"failed: a condition of a status flag is not certified, {self.thresholds.difference}"
        if not self.verdict.proven and not (self.certified and self.verdict.agreed):
            return self.verdict.shortcoming
        independent = {"definition", "derivation", "reference", "equation"}.intersection(self.ways)
        if independent and self.verdict.proven:
            alone = f"{listed(self.omitted)} {'have' if self.omitted[1:] else 'has'}" if self.omitted else ""
            return f"proven in part: {alone} the own formula only" if alone else "proven"
        if residual is None and self.equation_residual is not None and self.equation_residual.sufficient:
            residual = self.equation_residual
        if residual is None:
            return "own formula only"
        of_all = f" at {residual.cases} of {residual.cases + residual.left_out} points"
        return "certified numerically" + (of_all if residual.left_out else "")


def definition_of(kernel: Kernel) -> Form | None:
    """The textbook definition, as equations or in SymPy: the kernel's own, or the library's by name.

    It takes all inputs of the signature, bound ones included; the library's has none with bound values.
    """
    from codegen.library import forms

    if kernel.bound:
        return kernel.definition
    return kernel.definition or (forms.definition(kernel.base_name) if in_library(kernel) else None)


def property_of(kernel: Kernel) -> Form | None:
    """The defining property of a library kernel that has one: arguments, results -> residuals."""
    from codegen.library import forms

    known = in_library(kernel) and not kernel.bound
    return forms.defining_property(kernel.base_name) if known else None


def derivation_of(kernel: Kernel) -> Callable[..., Any] | None:
    """The CasADi derivation of a library kernel that has one."""
    from codegen.library import forms

    known = in_library(kernel) and not kernel.bound
    return forms.derivation(kernel.base_name) if known else None


def reference_of(kernel: Kernel) -> Callable[..., Any] | None:
    """The NumPy reference: the kernel's own, or the library's by name."""
    from codegen.library.forms import reference

    return kernel.reference or (reference(kernel.base_name) if in_library(kernel) else None)


_OF_NUMPY = "; the numbers have 50 digits: take functions such as sqrt and sin from codegen, not from NumPy"
"""What is to be done where a reference calls a function of NumPy, which has none of such numbers."""


def referred(
    kernel: Kernel, arguments: Sequence[Any], expected: Sequence[type[Exception]] = (), **limits: Any
) -> tuple[list[Any], int | None]:
    """The flat scalars of the results of the kernel's NumPy reference, and its status, if it gives one.

    ArithmeticError, ValueError and the other expected errors pass: the reference has no value for such
    numbers. FeatherError names the kernel if the reference of a model fails otherwise.
    """
    reference = reference_of(kernel)
    assert reference is not None
    with naming(f"kernel {kernel.name}: reference"):
        try:
            with errors_of(reference, ArithmeticError, ValueError, *expected):
                returned = reference(*arguments, **limits_for(reference, limits))
        except FeatherError as error:
            raise FeatherError(f"{error}{_OF_NUMPY}" if "ufunc" in str(error) else str(error)) from error
        outcome = outcome_of(returned, len(kernel.outputs))
        scalars, size = reference_results(kernel, outcome.outputs), sum(a.size for a in kernel.outputs)
        if len(scalars) != size:
            raise FeatherError(f"it returns {len(scalars)} numbers for {size} output scalars")
    return scalars, None if outcome.status is None else int(outcome.status)


def in_library(kernel: Kernel) -> bool:
    """Whether the kernel is one of the library, possibly with bound inputs."""
    known = library().get(kernel.base_name)
    return known is not None and known.formula is kernel.formula


def definition_program(kernel: Kernel) -> Program | None:
    """The definition as a Program."""
    define = definition_of(kernel)
    return None if define is None else stated_program(kernel, define)


def stated_program(kernel: Kernel, form: Form) -> Program:
    """The Program of a form of a kernel, at the values that are bound."""
    with naming(f"kernel {kernel.name}: definition"):
        program = form_program(kernel.all_inputs, kernel.outputs, form)
    return fold(substituted(program, kernel.inputs, kernel.bound)) if kernel.bound else program


@cache
def form_program(inputs: tuple[Arg, ...], outputs: tuple[Arg, ...], form: Form) -> Program:
    """The Program of a form of a kernel (`from_sympy.applied`)."""
    from codegen.frontends import from_sympy

    symbols = from_sympy.symbols_for(inputs)
    return from_sympy.lower(inputs, outputs, symbols, from_sympy.applied(form, inputs, outputs, symbols))


def derivation_program(kernel: Kernel) -> Program | None:
    """The CasADi derivation as a Program."""
    derive = derivation_of(kernel)
    if derive is None:
        return None
    import casadi

    from codegen.frontends import from_casadi

    columns = [casadi.SX.sym(a.name, a.size) for a in kernel.inputs]
    function = from_casadi.function_of(kernel.name, columns, [casadi.densify(derive(*columns))])
    return from_casadi.lower(kernel.inputs, kernel.outputs, function)


def casadi_program(kernel: Kernel) -> Program:
    """The formula, run on CasADi SX and lowered again; FeatherError names the kernel."""
    import casadi

    from codegen.frontends import from_casadi

    names = [name for a in kernel.inputs for name in a.scalar_names]
    symbols = [casadi.SX.sym(name) for name in names]

    def made(results: Sequence[Any]) -> Any:
        column = casadi.vertcat(*map(casadi.SX, results))
        return from_casadi.function_of(kernel.name, symbols, [casadi.densify(column)])

    try:
        function = made(run_formula(kernel, symbols, casadi_system()))
    except Exception as error:  # an operator that SX lacks: & between conditions, a Fraction, a NumPy array
        if not isinstance(error, TypeError) and type(error) is not Exception:  # what CasADi 3.6 raises itself
            raise
        function = None
    if function is None or from_casadi.rounds(function):
        function = made(evaluate(kernel.program(False), casadi_system(), symbols).results)
    with naming(f"kernel {kernel.name}: its formula in CasADi"):
        return from_casadi.lower(kernel.inputs, kernel.outputs, function)


def run_formula(kernel: Kernel, scalars: Sequence[Any], system: NumberSystem) -> list[Any]:
    """The formula itself on scalars of some number system, with its requirements assumed to hold."""
    from codegen.frontends.formula import output_scalars, typed_values

    if kernel.formula is None or kernel.bound:
        return evaluate(kernel.program(False), system, scalars).results
    results = kernel.formula(*typed_values(kernel.inputs, scalars))
    return [system.lift(s) for s in output_scalars(kernel.outputs, results)]


def own_ways(kernel: Kernel) -> dict[str, Way]:
    """The forms that are derived from the formula, where no requirement fails."""
    return {
        "formula": Driven(kernel.program(False)),
        "passes": Driven(optimised(kernel, checks=False)),
        "checked": Driven(where_valid(optimised(kernel, checks=True))),
        "casadi": Driven(casadi_program(kernel)),
    }


def _equation_way(kernel: Kernel) -> dict[str, Way]:
    """The equation in the kernel's documentation, if it gives the results, or some of them."""
    stated, partly = equation_program(kernel), partly_stated(kernel)
    if stated is None and partly is not None:
        stated = partly.completed(closed_form(kernel))
    return {} if stated is None or only_property(kernel) else {"equation": Driven(stated)}


def _equation_condition(kernel: Kernel) -> str | None:
    """The equation, where conditions on the results are to be evaluated: all of it under a property."""
    explicit = only_property(kernel) and equation_program(kernel) is not None
    partly = partly_stated(kernel)
    more = kernel.equation if partly is not None and partly.has_conditions else None
    return kernel.equation if explicit else equation_condition(kernel) or more


def _definition_condition(kernel: Kernel) -> str | None:
    """A model's own definition, if it is in equations that state more than the values of the results.

    The library's are compared as steps of its derivations.
    """
    form = kernel.definition
    if not isinstance(form, str) or not kernel.outputs:
        return None
    states_more = has_conditions(form, kernel.all_inputs, kernel.outputs, setting_of(kernel))
    return form if states_more else None


def independent_ways(kernel: Kernel) -> dict[str, Way]:
    """The forms that are independent of the formula."""
    programs = {"definition": definition_program(kernel), "derivation": derivation_program(kernel)}
    found: dict[str, Way] = {name: Driven(p) for name, p in programs.items() if p is not None}
    reference = reference_of(kernel)
    anywhere = reference is not None and not isinstance(reference, OnNumbers)
    stated = not kernel.bound or kernel.reference is not None
    if reference is not None and anywhere and stated and not only_property(kernel):
        found["reference"] = _reference_way(kernel)
    return found


def independent_forms(kernel: Kernel) -> list[str]:
    """The names of what the formula is compared with: the independent ways of its proof, and a property."""
    numbers = isinstance(reference_of(kernel), OnNumbers) or (kernel.bound and kernel.reference is None)
    implicit = only_property(kernel)
    found = {
        "definition": definition_of(kernel) is not None,
        "derivation": derivation_of(kernel) is not None,
        "reference": reference_of(kernel) is not None and not numbers and not implicit,
        "equation": not implicit and (equation_program(kernel) or partly_stated(kernel)) is not None,
        "property": property_of(kernel) is not None,
    }
    return [name for name, there in found.items() if there and kernel.outputs]


def closed_form(kernel: Kernel) -> Program:
    """The formula's Program with its closed forms in place of limits and series."""
    with closed_forms():
        return kernel.lower(False)


def where_valid(program: Program) -> Program:
    """The Program where no requirement fails: the guards are true, and their selects are removed.

    A function with loops may compute a guard again in another of its parts.
    """
    program = share(program)
    requirements = {node for node, _ in program.status}

    def rule(graph: Builder, node: Node, old: int) -> int:
        return graph.truth(True) if old in requirements else graph.add(node.op, *node.args, value=node.value)

    return fold(rebuild(program, rule))


def only_property(kernel: Kernel) -> bool:
    """Whether only a property defines the kernel, so that no other form computes its results."""
    return property_of(kernel) is not None and definition_of(kernel) is None


def _reference_way(kernel: Kernel) -> Way:
    def way(system: NumberSystem, inputs: Sequence[Any]) -> list[Any]:
        stream = iter(inputs)
        arguments = [
            reference_input(
                a,
                [system.constant(x) for x in kernel.bound[a.name]]
                if a.name in kernel.bound
                else [next(stream) for _ in range(a.size)],
            )
            for a in kernel.all_inputs
        ]
        scalars, _ = referred(kernel, arguments, (AttributeError,))
        return [system.lift(_plain(x)) for x in scalars]

    return way


def reference_results(kernel: Kernel, outputs: Sequence[Any]) -> list[Any]:
    """The flat scalars of a NumPy reference's outputs.

    They may be whole matrices where there is one for each output; otherwise they are flat arrays.
    """
    if len(outputs) != len(kernel.outputs):
        return [x for output in outputs for x in output]
    pairs = zip(kernel.outputs, outputs, strict=True)
    return [x for argument, output in pairs for x in _reference_scalars(argument, output)]


def _reference_scalars(argument: Arg, output: Any) -> list[Any]:
    same = argument.type.elements(output) if isinstance(argument.type, Array) else None
    if same is None:
        return list(output) if hasattr(output, "__len__") else [output]
    return [s[0] for s in same]


def _plain(x: Any) -> Any:
    return int(x) if type(x).__module__ == "numpy" else x


def prove(kernel: Kernel) -> Proof:
    """Compare all forms of a kernel, and check its defining property if it has one."""
    if not kernel.outputs:
        return _prove_status(kernel)
    compared = ways_of(kernel)
    verdict = _least(compare_where_used(kernel.inputs, ways, kernel.name) for ways in compared)
    return Proof(
        kernel.name,
        tuple(name for ways in compared for name in ways if name != _CLOSED),
        verdict,
        _residual_of(kernel, property_of(kernel)),
        _residual_of(kernel, _equation_condition(kernel)),
        _residual_of(kernel, _definition_condition(kernel)),
        compare_conditions(kernel),
        compare_thresholds(kernel),
        compare_outcomes(kernel),
        _uncompared(kernel),
        omitted(kernel),
    )


def _least(verdicts: Iterator[Verdict]) -> Verdict:
    """The verdict of comparisons in turn: the first difference, or else the first that is no proof."""
    found = next(verdicts)
    for verdict in verdicts if not found.difference else ():
        if verdict.difference or found.proven:
            found = verdict
    return found


_CLOSED = "closed form"


def ways_of(kernel: Kernel) -> list[dict[str, Way]]:
    """The ways that are compared with each other; in a second step, with the closed form of a series."""
    own, independent = own_ways(kernel), {**independent_ways(kernel), **_equation_way(kernel)}
    closed = closed_form(kernel)
    if closed.nodes == kernel.program(False).nodes:
        return [{**own, **independent}]
    return [own, {_CLOSED: Driven(closed), **independent}]


def _uncompared(kernel: Kernel) -> str:
    """Why an equation that is not a user's is not compared; empty where it is."""
    required = kernel.setting.required if kernel.setting else in_library(kernel)
    return why_uncompared(kernel) if required else ""


def omitted(kernel: Kernel) -> tuple[str, ...]:
    """The results that the equation of a kernel does not give; none where another form gives them all."""
    partly = partly_stated(kernel)
    return () if partly is None or independent_ways(kernel) else tuple(partly.reasons)


def _prove_status(kernel: Kernel) -> Proof:
    """Prove that the passes keep the status of a kernel that returns nothing else; verify measures it."""
    flags = sorted({flag for _, flag in kernel.program(True).status})
    found: dict[str, Way] = {
        name: Driven(program, flags)
        for name, program in (("formula", kernel.program(True)), ("passes", optimised(kernel, checks=True)))
    }
    verdict = compare_where_used(kernel.inputs, found, kernel.name)
    return Proof(
        kernel.name,
        tuple(found),
        verdict,
        Residual(0, 1, 0),
        flags=compare_conditions(kernel),
        thresholds=compare_thresholds(kernel),
    )


def _residual_of(kernel: Kernel, conditions: Form | None) -> Residual | None:
    """The residual of conditions on the results, None if there are none."""
    return None if conditions is None else residual(kernel, conditions)


def residual(kernel: Kernel, *conditions: Form) -> Residual:
    """The largest residual of conditions on arguments and results at random and edge cases, on 60 digits.

    The first case at which they do not hold is the last one that is evaluated.
    """
    found = residual_program(kernel, *conditions)
    if found is None:
        return Residual(0, 1, 0)  # the equations state the results and nothing more
    return largest_residual(kernel, found)


def largest_residual(kernel: Kernel, found: Program) -> Residual:
    """The largest of what is zero where conditions hold, of arguments and results on 60 digits."""
    program = optimised(kernel, checks=True)
    system = multiprecision(F64, DIGITS)
    worst, judged, left_out, sufficient = system.constant(Fraction(0)), 0, 0, False
    continuous = [k for k, whole in enumerate(_are_whole(kernel.outputs)) if not whole]
    for case in _cases_of(kernel, found):
        inputs = [system.constant(x) for x in case]
        if not _makes_sense(kernel.inputs, case):
            left_out += 1
            continue
        try:
            evaluation = evaluate(program, system, inputs)
            zeros_found = _values(found, system, [*inputs, *evaluation.results])
        except (ValueError, ZeroDivisionError):  # no value here, such as 0/0 for a limit
            left_out += 1
            continue
        if not all(met for met, _ in evaluation.status):
            left_out += 1
            continue
        judged += 1
        sufficient = sufficient or _suffices(
            found, system, inputs, evaluation.results, zeros_found, continuous
        )
        worst = max(worst, _largest(found, system, [*inputs, *evaluation.results], zeros_found))
        if worst >= NEARLY_ZERO:
            break
    return Residual(worst, judged, left_out, sufficient)


def _cases_of(kernel: Kernel, conditions: Program) -> Iterator[Case]:
    """The cases at which conditions are evaluated; where they choose, edges of all inputs at once, too."""
    chooses, seed = any(node.op is Op.SELECT for node in conditions.nodes), f"property {kernel.name}"
    yield from cases(kernel.inputs, _CHOOSING if chooses else _CASES, seed)
    if chooses:
        yield from edge_cases(kernel.inputs, _CHOOSING, seed)


def _values(program: Program, system: NumberSystem, inputs: Sequence[Any]) -> list[Any]:
    """The results of a Program; what is not chosen may have no value."""
    run = OnDemand(program, system, inputs)
    return [run.value(node) for node in program.results]


def _are_whole(outputs: Sequence[Arg]) -> list[bool]:
    """For each scalar, whether it is a whole number, which has no others nearby."""
    return [is_integer(a.type) for a in outputs for _ in range(a.size)]


def _suffices(program: Program, system: NumberSystem, *values: Sequence[Any]) -> bool:
    """Whether conditions determine the results at a case (`determines`)."""
    try:
        return determines(program, system, *values)
    except (ValueError, ZeroDivisionError):  # no value beside the results
        return False


def _largest(program: Program, system: NumberSystem, inputs: Sequence[Any], residuals: Sequence[Any]) -> Any:
    """The largest residual; where numbers are large, in proportion to the terms whose difference it is."""
    largest = max(map(abs, residuals))
    if largest < NEARLY_ZERO:
        return largest
    sized = _values(program, sizes(system), [exact_input(x) for x in inputs])
    return max(abs(x) / max(1, of.size) for x, of in zip(residuals, sized, strict=True))


def residual_program(kernel: Kernel, *conditions: Form) -> Program | None:
    """The Program of what is zero where conditions hold; None where they say nothing of the results."""
    traced = setting_of(kernel) or kernel.bound
    return _traced(kernel, conditions) if traced else _symbolic(kernel, conditions)


def _symbolic(kernel: Kernel, conditions: Sequence[Form]) -> Program | None:
    """The residuals of conditions in SymPy; None where there are none."""
    from codegen.frontends import from_sympy

    arguments = [*kernel.inputs, *kernel.outputs]
    symbols = from_sympy.symbols_for(arguments)
    zeros = [
        zero for c in conditions for zero in from_sympy.residuals(c, kernel.inputs, kernel.outputs, symbols)
    ]
    return from_sympy.lower(arguments, [_zero(zeros)], symbols, zeros) if zeros else None


def _traced(kernel: Kernel, conditions: Sequence[Form]) -> Program | None:
    """The residuals of equations about many bodies, which SymPy would take long to expand, or of a block."""
    arguments = [*kernel.inputs, *kernel.outputs]
    scalars = input_scalars(arguments)
    zeros = [zero for c in conditions for zero in traced_residuals(kernel, str(c), scalars)]
    return program_of(arguments, [_zero(zeros)], list(map(as_expr, zeros))) if zeros else None


def _zero(zeros: Sequence[Any]) -> Arg:
    return Arg("residual", Array((len(zeros),)), "1", "zero where the property holds")


def _makes_sense(inputs: Sequence[Arg], case: Case) -> bool:
    """Whether the inputs are positive that only make sense so."""
    positive = [isinstance(a.type, Real) and a.type.positive for a in inputs for _ in range(a.size)]
    return all(x > 0 for x, wanted in zip(case, positive, strict=True) if wanted)
