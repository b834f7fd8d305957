"""Renders the generated files from functions and templates, in a fixed order."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import jinja2

import codegen
from codegen.emit.arrays import arrays_context
from codegen.emit.body import Statement, ending
from codegen.emit.c99 import literal
from codegen.emit.cases import cases_of
from codegen.emit.function import Function
from codegen.emit.layout import Struct, guard, meaning, ranges_of_members, struct_of, structs
from codegen.emit.macros import index_macros, limit_arrays, limits_comment
from codegen.emit.options import Options
from codegen.emit.routine import RoutineFunction
from codegen.emit.sincos import pair_context
from codegen.emit.sines import pair_name, pair_type
from codegen.emit.untested import not_tested
from codegen.errors import FeatherError
from codegen.ir.cost import cost_text
from codegen.ir.domain import taken_apart
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.systems import Precision
from codegen.modeling.equations.uncompared import uncompared
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.modeling.types.algebra import ContactTwist
from codegen.notation.prose import plain
from codegen.notation.reader import apart

WIDTH = 100

Tree = dict[str, str]
"""Relative path -> text of a generated file."""


def template_directory() -> Path:
    """The directory of the templates: inside the installed package, or beside it in a checkout."""
    package = Path(codegen.__file__).parent
    for candidate in (package / "templates", package.parent / "templates"):
        if (candidate / "module.h.j2").is_file():
            return candidate
    raise FeatherError("the templates are missing: reinstall featherc")


@cache
def environment() -> jinja2.Environment:
    """The template environment: layout filters; an undefined name is an error."""
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_directory()),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    env.filters.update(
        paragraph=paragraph,
        paragraphs=paragraphs,
        equation=equation,
        remark=remark,
        member_comment=member_comment,
        declaration=declaration,
        statement=statement,
        initialiser=initialiser,
    )
    return env


def paragraph(text: str, margin: str, hanging: str = "") -> str:
    """One paragraph as comment lines, wrapped."""
    safe = plain(text).replace("*/", "* /").replace("/*", "/ *")
    lines = textwrap.wrap(
        safe,
        WIDTH - len(margin),
        subsequent_indent=hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join((margin + line).rstrip() for line in lines or [""])


def paragraphs(text: str, margin: str) -> str:
    """Paragraphs separated by blank lines, as comment lines."""
    blocks = [" ".join(block.split()) for block in text.split("\n\n")]
    return f"\n{margin.rstrip()}\n".join(paragraph(block, margin) for block in blocks)


def equation(text: str, margin: str) -> str:
    """An equation, a line for each of its parts."""
    return "\n".join(paragraph(part, margin, "    ") for part in apart(text))


def remark(text: str) -> str:
    """A separate comment, on one line if it fits."""
    safe = text.replace("*/", "* /").replace("/*", "/ *")
    lines = textwrap.wrap(safe, WIDTH - len("/*  */ "), break_long_words=False, break_on_hyphens=False)
    return "/* " + "\n   ".join(lines) + " */"


def member_comment(text: str) -> str:
    """The comment above a member of a struct."""
    margin = " " * len("    /** ")
    return "    /** " + paragraph(text, margin).removeprefix(margin) + " */"


def declaration(prototype: tuple[str, Sequence[str]], storage: str) -> str:
    """A function's head, its parameters wrapped under the first one, or after a long name, under the head."""
    head, parameters = prototype
    start = f"{storage}{head}("
    one_line = start + ", ".join(parameters) + ")"
    if len(one_line) < WIDTH:
        return one_line
    room = WIDTH - max(map(len, parameters), default=0) - 1
    lines, indent = [start], " " * (len(start) if len(start) < room else 8)
    for i, text in enumerate(parameters):
        item = text + (")" if i == len(parameters) - 1 else ",")
        separator = "" if lines[-1] == start else " "
        if len(lines[-1] + separator + item) < WIDTH:
            lines[-1] += separator + item
        else:
            lines.append(indent + item)
    return "\n".join(lines)


def statement(s: Statement, margin: str) -> str:
    """A C statement, broken before operators where it is longer than a line."""
    margin += "    " * s.depth
    return "\n".join(_broken(margin + line, margin) for line in s.lines)


def _broken(text: str, margin: str) -> str:
    if len(text) < WIDTH:
        return text
    lines: list[str] = []
    while len(text) >= WIDTH and (at := _break_before(text)) is not None:
        lines.append(text[:at])
        text = margin + "    " + text[at:].lstrip()
    return "\n".join([*lines, text])


def initialiser(macro: str, numbers: Sequence[int | str]) -> str:
    """The definition of a macro that initialises an array of numbers, continued over lines."""
    text = f"#define {macro} {{{', '.join(map(str, numbers))}}}"
    lines = textwrap.wrap(
        text, WIDTH - 2, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
    return " \\\n".join(lines)


_BREAKS = (" ? ", " : ", " || ", " && ", " + ", " - ", " * ", " / ")
"""Operators in the order in which a line is best broken before them."""


def _break_before(text: str) -> int | None:
    """The position of a line break: before the last of the outermost, loosest operators, or after a comma."""
    depth, best, rank = 0, None, (99, 99)
    for i, char in enumerate(text[: WIDTH - 2]):
        depth += (char == "(") - (char == ")")
        if char == " " and i > 40:
            found = (k // 2 for k, op in enumerate(_BREAKS) if text.startswith(op, i))
            looseness = -1 if text[i - 1] == "," else next(found, 99)
            if looseness < 99 and (depth, looseness) <= rank:
                best, rank = i, (depth, looseness)
    return best


def library_files(made: Sequence[Function | RoutineFunction], options: Options) -> Tree:
    """The C files of the library and the build file for CMake."""
    _check_pairs(made, options)
    types = f"{options.prefix}types.h"
    tree: Tree = {types: _types(struct_types(made, options), options)}
    headers, sources = [types], []
    for module, precision, members in _modules(made):
        stem = f"{options.prefix}{module}_{precision.name}"
        context = _module_context(stem, module, precision, members, options)
        headers.append(f"{stem}.h")
        tree[f"{stem}.h"] = render("module.h.j2", **context)
        if options.layout == "library":
            sources.append(f"{stem}.c")
            tree[f"{stem}.c"] = render("module.c.j2", **context)
    umbrella = f"{options.name}.h"
    tree[umbrella] = render(
        "all.h.j2",
        license=options.license,
        banner=f"Includes every header of the library.\n\n{_assumptions(options)}",
        guard=guard(umbrella, map(_prototype, made)),
        headers=headers,
    )
    tree["CMakeLists.txt"] = cmake_lists(headers, sources, options)
    return tree


def cmake_lists(headers: Sequence[str], sources: Sequence[str], options: Options) -> str:
    """The build file for CMake of a library with these files, and the header that includes all."""
    return render(
        "CMakeLists.txt.j2",
        license=options.license,
        name=options.name,
        macro=options.prefix.upper(),
        headers=[*headers, f"{options.name}.h"],
        sources=sources,
    )


_OWNER = (
    "Generated by featherc; do not edit: change the kernel and generate again. This file belongs to "
    "whoever generated it."
)

_SHARED = (
    "Several generated trees can be part of one program: their identical declarations take effect once. With "
    "the same prefix they share types and status codes, and each kernel may be in only one of them."
)

_ASSUMPTIONS = (
    "Assumes IEEE 754 arithmetic. Under -ffast-math the tests for NaN are void. Fused multiply-add "
    "(-ffp-contract=fast) is welcome: it changes last bits only.\n\n"
    "Conventions: R_AB and q_AB take coordinates from B to A (v_A = R_AB v_B); quaternions are Hamilton, "
    "[w, x, y, z]; spatial vectors are angular first; p_AB_A is the position of B's origin from A's in A's "
    "axes; matrices are row-major; SI units."
)
_ALIASES = (
    "An output may be the same object as an input. Outputs must not overlap inputs in any other way, "
    "nor each other."
)
_NO_ALIASES = "Outputs must overlap neither inputs nor each other: they are written while inputs are read."


def _assumptions(options: Options) -> str:
    return f"{_ASSUMPTIONS} {_NO_ALIASES if options.no_alias else _ALIASES}"


def _modules(
    functions: Iterable[Function | RoutineFunction],
) -> list[tuple[str, Precision, list[Function | RoutineFunction]]]:
    """Functions by precision and module, in the order of the kernels."""
    found: dict[tuple[str, Precision], list[Function | RoutineFunction]] = {}
    for f in functions:
        found.setdefault((f.subject.module, f.precision), []).append(f)
    ordered = sorted(found.items(), key=lambda item: item[0][1].name, reverse=True)
    return [(module, precision, members) for (module, precision), members in ordered]


def _module_context(
    stem: str,
    module: str,
    precision: Precision,
    members: Sequence[Function | RoutineFunction],
    options: Options,
) -> dict[str, Any]:
    routines = [f for f in members if isinstance(f, RoutineFunction)]
    called = [m for f in routines for m in f.called_modules if m != module]
    return {
        "license": options.license,
        "banner": f"{stem}: {module.replace('_', ' ')}, in {precision.ctype}.\n\n{_OWNER}",
        "guard": guard(f"{stem}.h", map(_prototype, members)),
        "header": f"{stem}.h",
        "included": [
            f"{options.prefix}types.h",
            *(f"{options.prefix}{m}_{precision.name}.h" for m in dict.fromkeys(called)),
        ],
        "inline": options.layout == "header-only",
        "includes_math": any(f.includes_math for f in members),
        "capacities": {
            options.prefix.upper() + k: v for f in routines for k, v in f.routine.capacities.items()
        },
        "constants": {
            _macro(f, name, options): values
            for f in members
            if isinstance(f, Function)
            for name, values in f.kernel.constants.items()
        },
        "indices": index_macros(members, options),
        "limits": limit_arrays(members, options),
        "limits_comment": limits_comment(precision),
        **arrays_context(
            [f for f in members if isinstance(f, Function)], f"{options.prefix}{module}_", precision
        ),
        **_paired(members, f"{options.prefix}{module}_", precision),
        "functions": [
            routine_context(f) if isinstance(f, RoutineFunction) else function_context(f, options)
            for f in members
        ],
    }


def _paired(
    members: Sequence[Function | RoutineFunction], scope: str, precision: Precision
) -> dict[str, Any]:
    """The function for sines and cosines in pairs where others of the file call it."""
    calling = any(isinstance(f, Function) and f.cost.sincos for f in members)
    return {"pair": pair_context(precision, scope) if calling else None}


def _check_pairs(made: Sequence[Function | RoutineFunction], options: Options) -> None:
    """FeatherError where a function has the name of what computes sines and cosines in pairs."""
    paired = {(f.kernel.module, f.precision) for f in made if isinstance(f, Function) and f.cost.sincos}
    taken = {f.symbol for f in made}
    for module, precision in sorted(paired, key=lambda key: (key[0], key[1].name)):
        scope = f"{options.prefix}{module}_"
        for name in sorted(taken & {pair_name(precision, scope), pair_type(precision, scope)}):
            raise FeatherError(
                f"a kernel is called {name} in C, as is what computes sines and cosines: rename it"
            )


def struct_types(made: Sequence[Function | RoutineFunction], options: Options) -> list[Struct]:
    """The struct types of all arguments, in every precision."""
    arguments = [a for f in made for a in (*f.subject.inputs, *f.subject.outputs)]
    components = structs(arguments) if options.interface == "struct" else []
    return [struct_of(c, options.prefix, p) for p in options.formats for c in components]


def _types(described: Sequence[Struct], options: Options) -> str:
    return render(
        "types.h.j2",
        license=options.license,
        banner=f"{options.prefix}types: the types and status codes of the library.\n\n{_OWNER}"
        f"\n\n{_SHARED}\n\n{_assumptions(options)}",
        restrict=options.restrict,
        macro=options.prefix.upper(),
        status_type=f"{options.prefix}status",
        status=[(flag.name, flag.value) for flag in Status],
        structs=described,
    )


def _prototype(f: Function | RoutineFunction) -> str:
    """A function's declaration on one line."""
    returns = "status" if f.returns_status else "void"
    return f"{returns} {f.symbol}({', '.join(p.declaration for p in f.parameters)})"


def render(template: str, **context: Any) -> str:
    """A template's text for a context."""
    return environment().get_template(template).render(**context)


@cache
def _with_comments() -> jinja2.Environment:
    """The template environment in which the comments of templates are text."""
    return environment().overlay(comment_start_string="{##", comment_end_string="##}")


def function_context(f: Function, options: Options) -> dict[str, Any]:
    """The values for a function's template: its documentation, prototype and body."""
    returns = f"{options.prefix}status" if f.returns_status else "void"
    return {
        "symbol": f.symbol,
        "title": f.kernel.title,
        "details": f.kernel.details,
        "equation": f.kernel.equation,
        "uncompared": uncompared(f.kernel),
        "arguments": [_argument_text(p.direction, p.arg) for p in f.parameters],
        "remarks": _remarks(f, options),
        "prototype": (f"{returns} {f.symbol}", [p.declaration for p in f.parameters]),
        "body": render("body.c.j2", unused=f.unused, groups=statement_groups(f, options)),
    }


def statement_groups(f: Function, options: Options) -> list[Sequence[Statement]]:
    """A function's statements in the groups that blank lines separate."""
    return [*f.body.groups, *ending(f.body.status, options.prefix)]


def routine_context(f: RoutineFunction) -> dict[str, Any]:
    """The values for a routine's template; its body is a separate template."""
    options, routine = f.options, f.routine
    macro = options.prefix.upper()
    body = _routine_body(f, environment())
    remarks = preconditions(routine, options)
    if f.returns_status:
        remarks.append(f"@return {macro}OK, or these flags or-ed:")
        remarks += [_flag(f"{macro}{flag.name}", cases) for flag, cases in routine.failures.items()]
    remarks += [f"Calls: {', '.join(map(f.symbol_of, routine.calls))}."]
    remarks += [f"Cost: {routine.cost}.", f"Source: {routine.source}."]
    returns = f"{options.prefix}status" if f.returns_status else "void"
    return {
        "symbol": f.symbol,
        "title": routine.title,
        "details": routine.details,
        "equation": routine.equation,
        "uncompared": uncompared(routine),
        "arguments": [_argument_text(p.direction, p.arg, p.shape) for p in f.parameters],
        "remarks": remarks,
        "prototype": (f"{returns} {f.symbol}", [p.declaration for p in f.parameters]),
        "body": body,
    }


def _routine_body(f: RoutineFunction, env: jinja2.Environment) -> str:
    numbers: dict[str, int | Fraction] = {"zero": 0, "one": 1, "two": 2, "relax": Fraction(9, 10)}
    numbers |= {"least": f.precision.min, "most": f.precision.max, "unit": f.precision.eps}
    return env.get_template(f"routines/{f.routine.name}.c.j2").render(
        f=f,
        real=f.precision.ctype,
        macro=f.options.prefix.upper(),
        status_type=f"{f.options.prefix}status",
        ContactTwist=ContactTwist,
        **{name: literal(Fraction(x), f.precision) for name, x in numbers.items()},
    )


def routine_remarks(f: RoutineFunction) -> list[str]:
    """For each line of a routine's body, the comment of the template that says what it is for.

    A comment stands on a line before what it is about: the statements up to the next one or the end of the
    block, with the blocks in them.
    """
    found, open_ = list[str](), [""]
    for line in _routine_body(f, _with_comments()).splitlines():
        text = line.partition("/*")[0].strip()
        if text.startswith("{#"):
            open_[-1] = text[2:-2].strip()
            continue
        if text.startswith("}"):
            open_.pop()
        found.append(open_[-1])
        if text.endswith("{"):
            open_.append(open_[-1])
    return found


def _argument_text(direction: str, arg: Any, shape: Sequence[Any] = ()) -> str:
    ways = "in,out" if direction == "inout" else direction
    skipped = "; may be NULL, which skips it" if arg.optional else ""
    ranges = ranges_of_members(arg) if direction == "in" else ""
    return f"@param[{ways}] {arg.name} {meaning(arg, shape)}{ranges}{skipped}"


def preconditions(subject: Kernel | Routine, options: Options) -> list[str]:
    """The preconditions that callers must ensure: requirements that are not checked."""
    stated = [f"@pre {subject.requires}."] if subject.requires else []
    if not options.checks:
        stated += [f"@pre {_held(case)}, which this function does not check." for case in _distinct(subject)]
    return stated


def _distinct(subject: Kernel | Routine) -> Sequence[Failure]:
    """The cases of all flags, each condition once."""
    cases = (case for stated in cases_of(subject).values() for case in stated)
    return list({case.condition: case for case in cases}.values())


def _held(case: Failure) -> str:
    """What holds where a flag is not returned."""
    meant = f" ({case.words})" if case.unless and case.words else ""
    return f"{case.unless}{meant}" if case.unless else f"It is not the case that {case.words}"


def _flag(name: str, cases: Sequence[Failure]) -> str:
    """A flag with its cases, as a line of a comment."""
    return f"  {name}{' ' if cases[0].unless else ': '}{'; '.join(_told(cases))}."


def _told(cases: Sequence[Failure]) -> Iterator[str]:
    """The cases in turn; words on the results stand once for all cases that they are about."""
    for outcome, found in groupby(cases, key=lambda case: case.outcome):
        alike = list(found)
        if len(alike) > 1 and alike[0].note:
            yield f"{'; '.join(case.condition for case in alike)}: in each of these cases, {outcome}"
        else:
            yield from map(str, alike)


def _macro(f: Function, constant: str, options: Options) -> str:
    """The C name of a kernel's constant."""
    return f"{options.prefix}{f.kernel.name}_{constant}".upper()


def _remarks(f: Function, options: Options) -> list[str]:
    """Preconditions, failures, cost and source, one line each."""
    lines = [f"Vehicle: {f.kernel.vehicle}."] if f.kernel.vehicle else []
    if f.kernel.bound:
        given = {a.name: a for a in f.kernel.all_inputs}
        fixed = [part for name, x in f.kernel.bound.items() for part in _fixed(given[name], x)]
        lines.append(f"Fixed when generated (SI units): {', '.join(fixed)}.")
    lines += preconditions(f.kernel, options)
    if options.no_alias:
        lines.append("@pre Outputs must not overlap inputs.")
    if f.returns_status:
        macro = options.prefix.upper()
        lines.append(f"@return {macro}OK, or these flags or-ed:")
        lines += [_flag(f"{macro}{flag.name}", cases) for flag, cases in f.flags]
        lines += filter(None, [not_tested(f.kernel, f"{macro}OK")])
    if f.kernel.constants:
        names = ", ".join(_macro(f, name, options) for name in f.kernel.constants)
        lines.append(f"Constants, as initialisers of arrays: {names}.")
    if f.tables and f.tables != [f.kernel.name]:
        lines.append(f"Looks up the tables {', '.join(f.tables)}.")
    turns = [f"{count} turns of {cost_text(one)}" for count, one in f.turns]
    in_loops = f", with {', and '.join(turns)}" if turns else ""
    lines.append(f"Cost: {cost_text(f.cost)}{in_loops}.")
    if f.kernel.source:
        lines.append(f"Source: {f.kernel.source}.")
    return lines


def _fixed(argument: Arg, values: Sequence[Fraction]) -> Iterator[str]:
    """The value of a bound argument, or that of each member of a record: `parameters.k_p = 2`."""
    stream = iter(values)
    for place, part in taken_apart([argument]):
        yield f"{place} = {' '.join(_decimal(next(stream)) for _ in range(part.size))}"


def _decimal(number: Any) -> str:
    return f"{float(number):.10g}"
