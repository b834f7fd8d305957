"""inspect: one kernel at one stage of its way to C, as text or LaTeX."""

from __future__ import annotations

import inspect as introspection
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from codegen.c99 import cost
from codegen.describe import Kernel
from codegen.errors import FeatherError
from codegen.function import function, optimised
from codegen.operations import LEAVES, Op
from codegen.options import Options
from codegen.program import Arg, Program, evaluate
from codegen.render import cost_text, environment, function_context, routine_context
from codegen.routine import Routine, RoutineFunction
from codegen.systems import PRECISIONS, sympy_system

STAGES = ("definition", "formula", "program", "c")
FORMS = ("text", "latex")


def inspect(kernel: Kernel | Routine, stage: str, form: str, options: Options) -> str:
    """The kernel at a stage (definition, formula, program, c), as text or latex.

    FeatherError when the kernel has nothing to show at that stage.
    """
    if isinstance(kernel, Routine):
        if stage != "c":
            raise FeatherError(f"{kernel.name} is a loop over {', '.join(kernel.calls)}; try --stage c")
        context = routine_context(RoutineFunction(kernel, options.formats[0], options))
        return environment().get_template("inspect.c.j2").render(f=context)
    heading = "" if stage == "c" else _signature(kernel, form)
    return heading + _STAGES[stage](kernel, form, options) + "\n"


def _signature(kernel: Kernel, form: str) -> str:
    inputs, outputs = (", ".join(a.name for a in side) for side in (kernel.inputs, kernel.outputs))
    comment = "%" if form == "latex" else "#"
    lines = [f"{kernel.name}: {inputs} -> {outputs}", kernel.equation, kernel.source]
    return "".join(f"{comment} {line}\n" for line in lines if line)


def _definition(kernel: Kernel, form: str, options: Options) -> str:
    from codegen import definitions
    from codegen.frontends.from_sympy import symbols_for
    from codegen.proof import definition_of, in_library

    define = definition_of(kernel)
    if define is not None:
        results = list(define(*_flat_arguments(kernel.inputs)))
        return _equations(_names(kernel.outputs), results, form)
    property_ = definitions.defining_property(kernel.name) if in_library(kernel) else None
    if property_ is not None and not kernel.bound:
        residuals = list(property_(*_flat_arguments([*kernel.inputs, *kernel.outputs])))
        return _equations(["0"] * len(residuals), residuals, form)
    if kernel.formula is None:
        results = evaluate(kernel.program(False), sympy_system(), symbols_for(kernel.inputs)).results
        return _equations(_names(kernel.outputs), results, form)
    raise FeatherError(f"kernel {kernel.name} has a formula but no separate definition; try --stage formula")


def _flat_arguments(arguments: Sequence[Arg]) -> list[Any]:
    """SymPy symbols, argument by argument; those of a scalar argument without a list."""
    from codegen.frontends.from_sympy import symbols_for

    symbols = symbols_for(arguments)
    parts, first = [], 0
    for a in arguments:
        part = symbols[first : first + a.size]
        parts.append(part[0] if a.size == 1 else part)
        first += a.size
    return parts


def _names(arguments: Sequence[Arg]) -> list[str]:
    return [name for a in arguments for name in a.scalar_names]


def _equations(names: Sequence[str], expressions: Sequence[Any], form: str) -> str:
    if form == "text":
        return "\n".join(f"{name} = {e}" for name, e in zip(names, expressions, strict=True))
    import sympy

    rows = [f"{_latex_name(name)} &= {sympy.latex(e)}" for name, e in zip(names, expressions, strict=True)]
    return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"


def _latex_name(name: str) -> str:
    head, _, below = name.partition("_")
    subscript = below.replace("_", "\\,")
    return f"{head}_{{{subscript}}}" if below else head


def _formula(kernel: Kernel, form: str, options: Options) -> str:
    if kernel.formula is not None and form == "text":
        return introspection.getsource(kernel.formula).rstrip()
    from codegen.frontends.from_sympy import symbols_for

    program = kernel.program(False)
    results = evaluate(program, sympy_system(), symbols_for(kernel.inputs)).results
    return _equations(_names(kernel.outputs), results, form)


def _program(kernel: Kernel, form: str, options: Options) -> str:
    program = optimised(kernel, options.checks)
    rows = list(_rows(program))
    if form == "text":
        listing = "\n".join(f"{name:12} = {text}" for name, text in rows)
        return f"{listing}\n# {cost_text(cost(program))}"
    return (
        "\\begin{align*}\n"
        + " \\\\\n".join(f"{_latex_name(n)} &= \\mathtt{{{_escaped(t)}}}" for n, t in rows)
        + "\n\\end{align*}"
    )


def _rows(program: Program) -> list[tuple[str, str]]:
    """Each computed node and each result, as (name, operation on names)."""
    inputs = _names(program.inputs)
    names: list[str] = []
    rows = []
    for i, (op, args, value) in enumerate(program.nodes):
        if op is Op.INPUT:
            names.append(inputs[int(value or 0)])
        elif op in LEAVES:
            names.append(str(value))
        else:
            names.append(program.labels.get(i, f"n{i}"))
            rows.append((names[i], f"{op.label}({', '.join(names[a] for a in args)})"))
    rows += [(n, names[r]) for n, r in zip(_names(program.outputs), program.results, strict=True)]
    return rows + [("requires", f"{names[n]} or {flag.name}") for n, flag in program.status]


def _c(kernel: Kernel, form: str, options: Options) -> str:
    listings = [
        environment()
        .get_template("inspect.c.j2")
        .render(f=function_context(function(kernel, PRECISIONS[p], options), options))
        .strip()
        for p in options.precisions
    ]
    text = "\n\n".join(listings)
    return text if form == "text" else f"\\begin{{verbatim}}\n{text}\n\\end{{verbatim}}"


def _escaped(text: str) -> str:
    return text.replace("_", "\\_")


_STAGES: Mapping[str, Callable[[Kernel, str, Options], str]] = {
    "definition": _definition,
    "formula": _formula,
    "program": _program,
    "c": _c,
}
