"""The content of an inspection as sections of blocks, independent of the output format."""

from __future__ import annotations

import inspect as introspection
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from codegen.emit.cases import cases_of
from codegen.emit.function import Function, function
from codegen.emit.options import Options
from codegen.emit.render import environment, function_context, routine_context
from codegen.emit.routine import RoutineFunction
from codegen.emit.untested import not_tested
from codegen.errors import FeatherError
from codegen.explain.symbols import COUNTED, counts_elements, symbols
from codegen.ir.cost import cost, cost_text
from codegen.ir.operations import LEAVES, Op
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import Precision, number_text, sympy_system
from codegen.ir.types import REAL, Array, Real
from codegen.modeling.equations.textbook import equation_condition
from codegen.modeling.equations.uncompared import uncompared
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.modeling.steps import Step
from codegen.notation.layout import Row
from codegen.notation.prose import listed, plain
from codegen.passes.pipeline import optimised
from codegen.proof.derivation import derivation, equations, stated
from codegen.provenance.flow import scalar_names
from codegen.provenance.shown import Prose, prose, prose_of_step, rows


@dataclass(frozen=True)
class Words:
    """Prose."""

    text: str


@dataclass(frozen=True)
class Sentence:
    """Words with formulas."""

    parts: Prose


@dataclass(frozen=True)
class Formulas:
    """Equations as they are printed, a row for each."""

    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Equations:
    """Names with their SymPy expressions."""

    rows: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Operations:
    """The values of a Program by name, each with its operation on other names."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Listing:
    """Source code in a programming language."""

    language: str
    text: str


@dataclass(frozen=True)
class Grid:
    """A table; `columns` are its column heads."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | Prose, ...], ...]


Block: TypeAlias = Words | Sentence | Formulas | Equations | Operations | Listing | Grid


@dataclass(frozen=True)
class Section:
    """A section: a title and its blocks."""

    title: str
    blocks: tuple[Block, ...]


def whole(kernel: Kernel | Routine, options: Options) -> list[Section]:
    """Everything about a kernel or routine, section by section."""
    facts = [_signature(kernel), _equation(kernel), *_symbols(kernel), _domain(kernel, options)]
    if isinstance(kernel, Routine):
        calls = Section("Calls", (Words(", ".join(kernel.calls)),))
        return [*facts, calls, _section("C", _c(kernel, options)), Section("Cost", (Words(kernel.cost),))]
    formula = [_section("Formula", _formula(kernel, options))] if kernel.formula else []
    return [
        *facts,
        *(
            Section(f"Step {i}: {plain(s.title)}", _step(kernel, s))
            for i, s in enumerate(derivation(kernel), 1)
        ),
        *formula,
        Section("Program", (Operations(tuple(operations(optimised(kernel, options.checks)))),)),
        _section("C", _c(kernel, options)),
        Section("Cost", (Words(cost_text(cost(optimised(kernel, options.checks)))),)),
    ]


def _section(title: str, blocks: Iterable[Block]) -> Section:
    return Section(title, tuple(blocks))


def stage(kernel: Kernel | Routine, name: str, options: Options) -> list[Block]:
    """One stage of a kernel on its way to C; FeatherError when the kernel does not have this stage."""
    if isinstance(kernel, Routine) and name != "c":
        raise FeatherError(f"{kernel.name} is a loop over {', '.join(kernel.calls)}; try --stage c")
    return list(_STAGES[name](kernel, options))


def _signature(kernel: Kernel | Routine) -> Section:
    """The arguments, with their ranges where any has one."""
    ways = [("in", a) for a in kernel.inputs] + [("out", a) for a in kernel.outputs]
    ranges = any(a.ends for _, a in ways)

    def cells(way: str, a: Arg) -> tuple[str | Prose, ...]:
        within = [a.range_in_words] if ranges else []
        return way, a.name, type_name(a.type), a.unit, *within, a.frame, prose(kernel, a.meaning)

    columns = ("", "name", "type", "unit", *(["range"] if ranges else []), "frame", "meaning")
    grid = Grid(columns, tuple(cells(way, a) for way, a in ways))
    details = [Sentence(prose(kernel, kernel.details))] if kernel.details else []
    counted = [Words(COUNTED)] if counts_elements(kernel) else []
    return Section("Signature", (*details, grid, *counted))


def type_name(component: Any) -> str:
    """The name of a type: Vec3, real, 3 x 3 array, int."""
    if isinstance(component, Array):
        return component.described
    if isinstance(component, Real):
        return "int" if component.integer else "real"
    return component.__name__  # type: ignore[no-any-return]


def _equation(kernel: Kernel | Routine) -> Section:
    source = [_source(kernel, kernel.source)] if kernel.source else []
    compared = uncompared(kernel) or _compared(kernel)
    said = [Words(compared)] if compared else []
    return Section("Equation", (_shown(kernel, kernel.equation), *said, *source))


def _symbols(kernel: Kernel | Routine) -> list[Section]:
    """What the symbols of the equations are that are no arguments."""
    rows = [(_comma_separated(s.printed), s.plain, s.unit, s.frame) for s in symbols(kernel)]
    return [Section("Symbols", (Grid(("symbol", "meaning", "unit", "frame"), tuple(rows)),))] if rows else []


def _comma_separated(printed: Sequence[Row]) -> Prose:
    return tuple(part for row in printed for part in (", ", row))[1:]


def _compared(kernel: Kernel | Routine) -> str:
    """How the equation takes part in the proof."""
    if isinstance(kernel, Routine) or not kernel.equation or not kernel.outputs:
        return ""
    if equation_condition(kernel) is not None:
        return "featherc verify checks that the results of the formula meet it."
    return "featherc verify compares it with the formula."


def _shown(kernel: Kernel | Routine, text: str) -> Sentence | Formulas:
    """Equations, as formulas where they are in the notation; any other text as words."""
    found = rows(kernel, text)
    return Formulas(found) if found else Sentence(prose(kernel, text))


def _source(kernel: Kernel | Routine, text: str) -> Sentence:
    return Sentence(prose(kernel, f"Source: {text}."))


def equation_in_line(kernel: Kernel) -> Prose:
    """The equation of a kernel as one line."""
    found = rows(kernel, kernel.equation)
    return tuple(part for row in found for part in ("; ", row))[1:] or prose(kernel, kernel.equation)


def _domain(kernel: Kernel | Routine, options: Options) -> Section:
    """The preconditions, and the status flags outside of them."""
    required = [Sentence(prose(kernel, f"Requires: {kernel.requires}."))] if kernel.requires else []
    rows = [
        (name, prose(kernel, case.condition), prose(kernel, case.outcome))
        for name, case in failures(kernel, options)
    ]
    if not rows:
        return Section("Singularities", (*required, Words(_without_status(kernel, options))))
    grid = Grid(("status", "condition", "results"), tuple(rows))
    said = not_tested(kernel, "OK")
    return Section("Singularities", (*required, grid, *([Words(said)] if said else [])))


_PARTIAL = {
    Op.DIV: "a division by 0",
    Op.SQRT: "the root of a negative number",
    Op.LOG: "the logarithm of a number that is not positive",
    Op.LOG1P: "the logarithm of a number that is not positive",
    Op.ASIN: "the arc sine of a number beyond 1",
    Op.ACOS: "the arc cosine of a number beyond 1",
}
"""What operations have no value for."""


def _without_status(kernel: Kernel | Routine, options: Options) -> str:
    """What is said of singularities where no flag tells of them."""
    nodes = kernel.program(options.checks).nodes if isinstance(kernel, Kernel) else ()
    found = [n.op for n in nodes if n.op in _PARTIAL and nodes[n.args[-1]].op is not Op.CONSTANT]
    if not found:
        return "None: it returns no status."
    cases = listed(list(dict.fromkeys(_PARTIAL[op] for op in found)), "or")
    return f"The function returns no status: no flag reports {cases}."


def failures(kernel: Kernel | Routine, options: Options) -> list[tuple[str, Failure]]:
    """Each status flag with each of its cases."""
    known = cases_of(kernel)
    if isinstance(kernel, Routine):
        flags = sorted(known) if options.checks else []
    else:
        flags = sorted({flag for _, flag in kernel.program(options.checks).status})
    return [(flag.name or "", case) for flag in flags for case in known.get(flag, ())]


def _step(kernel: Kernel, step: Step) -> tuple[Block, ...]:
    reason = [Sentence(prose_of_step(kernel, step, f"By: {step.by}."))] if step.by else []
    source = [_source(kernel, step.source)] if step.source else []
    return (*_stated(kernel, step), *reason, *source)


def _stated(kernel: Kernel, step: Step) -> tuple[Block, ...]:
    """What a step states: equations, or lines in words, such as the conditions of the flags."""
    if step.kind == "passes":
        return (Words(step.equation),)
    found = _shown(kernel, step.equation)
    lines = step.equation.split("\n") if isinstance(found, Sentence) else []
    return tuple(Sentence(prose(kernel, line)) for line in lines) or (found,)


def _definition(kernel: Kernel, options: Options) -> Iterable[Block]:
    defined = [s for s in stated(kernel) if s.kind == "definition"]
    if defined:
        rows = equations(kernel, defined[0])
        return [_written(kernel, [row for row in rows if row != ("0", 0)])]  # a property may say 0 = 0
    if kernel.formula is None:
        return [expressions(kernel)]
    raise FeatherError(f"kernel {kernel.name} has no definition apart from its formula; try --stage formula")


def expressions(kernel: Kernel) -> Equations | Operations:
    """The kernel's formula as SymPy expressions, or as a list of operations where these are too large."""
    from codegen.frontends.from_sympy import symbols_for

    program = kernel.program(False)
    if _written_out(program) > _LARGEST:
        return Operations(tuple(operations(program)))
    results = evaluate(program, sympy_system(), symbols_for(kernel.inputs)).results
    return Equations(tuple(zip(scalar_names(kernel.outputs), results, strict=True)))


def _written_out(program: Program) -> int:
    """The number of operations of a Program's results when no value is shared."""
    sizes: list[int] = []
    for node in program.nodes:
        sizes.append(1 + sum(sizes[a] for a in node.args))
    return sum(sizes[r] for r in program.results)


_LARGEST = 1_000
"""Limit on the operations of expressions that are written out; larger ones name their shared parts."""


def _written(kernel: Kernel, rows: Sequence[tuple[str, Any]]) -> Equations | Operations:
    if sum(_size(e, {}) for _, e in rows) <= _LARGEST:
        return Equations(tuple(rows))
    from codegen.frontends.from_sympy import lower, symbols_for

    arguments = [*kernel.all_inputs, *kernel.outputs]
    results = [Arg(name, REAL, "", "") for name, _ in rows]
    program = lower(arguments, results, symbols_for(arguments), [e for _, e in rows])
    return Operations(tuple(operations(program)))


def _size(expression: Any, known: dict[Any, int]) -> int:
    """The number of operations of a SymPy expression when it is written out, repeated parts included."""
    if expression not in known:
        known[expression] = 1 + sum(_size(part, known) for part in getattr(expression, "args", ()))
    return known[expression]


def _formula(kernel: Kernel, options: Options) -> Iterable[Block]:
    if kernel.formula is None:
        return [expressions(kernel)]
    return [Listing("python", introspection.getsource(kernel.formula).rstrip())]


def _program(kernel: Kernel, options: Options) -> Iterable[Block]:
    program = optimised(kernel, options.checks)
    return [Operations(tuple(operations(program))), Words(cost_text(cost(program)))]


def operations(program: Program) -> list[tuple[str, str]]:
    """Each computed value and each result, with its operation on other names."""
    inputs = scalar_names(program.inputs)
    names: list[str] = []
    rows = []
    for i, (op, args, value) in enumerate(program.nodes):
        if op is Op.INPUT:
            names.append(inputs[int(value or 0)])
        elif op in LEAVES:
            names.append(number_text(value))
        else:
            names.append(program.labels.get(i, f"n{i}"))
            rows.append((names[i], f"{op.label}({', '.join(names[a] for a in args)})"))
    rows += [(n, names[r]) for n, r in zip(scalar_names(program.outputs), program.results, strict=True)]
    return rows + [("requires", f"{names[n]} or {flag.name}") for n, flag in program.status]


def _c(kernel: Kernel | Routine, options: Options) -> Iterable[Block]:
    return [Listing("c", listing(kernel, options, precision)) for precision in options.formats]


@cache
def _function(kernel: Kernel, precision: Precision, options: Options) -> Function:
    return function(kernel, precision, options)


def listing(kernel: Kernel | Routine, options: Options, precision: Precision) -> str:
    """The C of a kernel or routine at one precision, with its comment."""
    if isinstance(kernel, Routine):
        context = routine_context(RoutineFunction(kernel, precision, options))
    else:
        context = function_context(_function(kernel, precision, options), options)
    return environment().get_template("inspect.c.j2").render(f=context).strip()


_STAGES: Mapping[str, Callable[[Any, Options], Iterable[Block]]] = {
    "definition": _definition,
    "formula": _formula,
    "program": _program,
    "c": _c,
}
STAGES = tuple(_STAGES)
"""The stages of a kernel on its way to C."""
