"""Defines kernels: from formulas, SymPy, CasADi, or as derivatives of other kernels.

A kernel is made from a formula over the project's types (the decorator `kernel`), from SymPy expressions
(`from_sympy`), from a CasADi function (`from_casadi`), or by differentiating another one (`jacobian`).
All of them produce Programs; no later stage depends on how a kernel was defined.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from codegen.errors import FeatherError, naming
from codegen.ir.loops import Looped
from codegen.ir.program import Arg, Program, evaluate, starts
from codegen.ir.systems import TRACED
from codegen.ir.types import Array
from codegen.misuse import explained
from codegen.modeling.failures import Failure, Stated, failures_of
from codegen.modeling.kernel import Kernel, check_kernel
from codegen.modeling.steps import Form
from codegen.modeling.tables.table import Table
from codegen.modeling.types.records import as_result
from codegen.notation.blocks import Block, column
from codegen.notation.families import Setting

_MOST_DERIVED = 20_000
"""Limit on the operations of a kernel times its inputs, for equations of its derivatives to be evaluated."""


@explained
def kernel(
    *,
    inputs: Sequence[Arg],
    outputs: Sequence[Arg],
    equation: str | None = None,
    source: str | None = None,
    name: str = "",
    requires: str = "",
    failures: Stated | None = None,
    tolerance: int = 4,
    definition: Form | None = None,
    reference: Callable[..., Any] | None = None,
    invariants: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Kernel]:
    """Make a kernel of a formula: a function over the project's types, one parameter for each input.

    The formula's name is the kernel's unless another is given, its docstring the C comment.
    """

    def decorate(formula: Callable[..., Any]) -> Kernel:
        own = name or formula.__name__
        if equation is None or source is None:
            raise FeatherError(
                f"kernel {own}: it lacks its {'source' if source is None else 'equation'}; write "
                'equation="y = ...", which is compared with the formula, and source="where it is from"'
            )
        _check_parameters(own, formula, inputs)
        with naming(f"kernel {own}"):
            cases = failures_of(failures)
        title, _, details = inspect.cleandoc(formula.__doc__ or own).partition("\n")
        return formula_kernel(
            formula,
            name=own,
            module=formula.__module__ or "model",
            inputs=tuple(inputs),
            outputs=tuple(outputs),
            title=title,
            details=details.strip(),
            equation=equation,
            source=source,
            requires=requires,
            failures=cases,
            tolerance=tolerance,
            definition=definition,
            reference=reference,
            invariants=invariants,
        )

    return decorate


def formula_kernel(
    formula: Callable[..., Any],
    *,
    module: str,
    inputs: tuple[Arg, ...],
    outputs: tuple[Arg, ...],
    **fields: Any,
) -> Kernel:
    """The kernel of a formula over the project's types, with other fields of a Kernel as they are."""
    outputs = tuple(map(as_result, outputs))
    return Kernel(
        module=_subject(module),
        inputs=inputs,
        outputs=outputs,
        formula=formula,
        naming=cache(partial(_named, inputs, outputs, formula)),
        lower=partial(_lowered, inputs, outputs, formula),
        looped=partial(_looped, inputs, outputs, formula),
        naming_loops=partial(_named_loops, inputs, outputs, formula),
        **fields,
    )


def _check_parameters(name: str, formula: Callable[..., Any], inputs: Sequence[Arg]) -> None:
    """FeatherError unless the formula has a name, and its parameters are the inputs in their order."""
    if name == "<lambda>":
        raise FeatherError("a lambda has no name: define the formula with def, or give kernel(name=...)")
    parameters = list(inspect.signature(formula).parameters)
    declared = [a.name if isinstance(a, Arg) else repr(a) for a in inputs]
    if parameters != declared:
        raise FeatherError(
            f"kernel {name} takes {', '.join(parameters) or 'no parameters'}, "
            f"but its inputs are {', '.join(declared) or 'none'}; give them the same names in one order"
        )


def _lowered(
    inputs: Sequence[Arg], outputs: Sequence[Arg], formula: Callable[..., Any], checks: bool
) -> Program:
    """The Program of a formula, with or without its requirements."""
    from codegen.frontends.formula import lower

    return lower(inputs, outputs, formula, checks)


def _looped(
    inputs: Sequence[Arg], outputs: Sequence[Arg], formula: Callable[..., Any], checks: bool
) -> Looped | None:
    """The parts of a formula with loops; None where it has none."""
    from codegen.frontends.formula import lower_loops

    return lower_loops(inputs, outputs, formula, checks)


def _named_loops(
    inputs: Sequence[Arg], outputs: Sequence[Arg], formula: Callable[..., Any], checks: bool
) -> Looped | None:
    """The parts of a formula with loops, their values under the names of the formula's local variables."""
    from codegen.frontends.locals import named_loops

    return named_loops(inputs, outputs, formula, checks)


def _named(inputs: Sequence[Arg], outputs: Sequence[Arg], formula: Callable[..., Any]) -> Program:
    """The Program of a formula, its values under the names of the formula's local variables."""
    from codegen.frontends.locals import named

    return named(inputs, outputs, formula)


def _subject(module: str) -> str:
    """The subject of a library module, codegen.library.SUBJECT.kernels; elsewhere the module's own name."""
    package, _, name = module.rpartition(".")
    return package.rpartition(".")[2] if package.startswith("codegen.library.") else name


def _described(name: str, title: str, **rest: Any) -> dict[str, Any]:
    """The fields that a kernel made without a formula shares with the others."""
    return {"name": name, "module": "model", "title": title or name, **rest}


@explained
def from_sympy(
    name: str,
    inputs: Sequence[tuple[Arg, Any]],
    outputs: Sequence[tuple[Arg, Any]],
    *,
    title: str = "",
    equation: str = "",
    source: str = "",
    requires: str = "",
) -> Kernel:
    """A kernel of SymPy expressions: each input with its symbol or Matrix of symbols, each output with its
    expression or Matrix. Matrices are read row by row. For a Symmetric(n), the Matrix is n x n and symmetric,
    or a list of the upper triangle.
    """

    def lower(checks: bool) -> Program:
        from codegen.frontends import from_sympy as frontend

        return frontend.lower_matrices(inputs, outputs)

    return Kernel(
        **_described(name, title, equation=equation, source=source, requires=requires),
        inputs=tuple(a for a, _ in inputs),
        outputs=tuple(as_result(a) for a, _ in outputs),
        lower=lower,
    )


@explained
def from_casadi(
    function: Any,
    inputs: Sequence[Arg],
    outputs: Sequence[Arg],
    *,
    name: str = "",
    title: str = "",
    equation: str = "",
    source: str = "",
    requires: str = "",
) -> Kernel:
    """A kernel of a CasADi Function; one over MX is expanded. Arguments and results are read row by row.

    An n x n argument of the function that is a Symmetric(n) gets both triangles; an n x n result must be
    symmetric, and its upper triangle is returned. Linear interpolants that it calls become tables.
    """
    scalar = _expanded(function, name)

    def lower(checks: bool) -> Program:
        from codegen.frontends import from_casadi as frontend

        return frontend.lower(inputs, outputs, scalar)

    return Kernel(
        **_described(name or function.name(), title, equation=equation, source=source, requires=requires),
        inputs=tuple(inputs),
        outputs=tuple(map(as_result, outputs)),
        lower=lower,
    )


def _expanded(function: Any, name: str) -> Any:
    """The CasADi Function over SX; FeatherError for other objects, and where CasADi has no scalars."""
    if not hasattr(function, "expand"):
        raise FeatherError(
            f"{name or 'the model'} needs a casadi.Function, not the {type(function).__name__} itself: write "
            "casadi.Function(name, inputs, outputs)"
        )
    try:
        return function if function.class_name() == "SXFunction" else function.expand()
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1].rpartition(": ")[2]
        raise FeatherError(
            f"CasADi cannot write {function.name()} with scalars, as {reason}: define it over casadi.SX, "
            'or solve linear equations of MX with casadi.solve(A, b, "symbolicqr")'
        ) from None


@explained
def jacobian(
    of: Kernel | Table,
    name: str,
    outputs: Sequence[str],
    inputs: Mapping[str, Sequence[str]],
    *,
    optional: Collection[str] = (),
) -> Kernel:
    """A kernel of the derivatives of another kernel's outputs, or of a table's number, by CasADi.

    For each entry of `inputs`, result name -> names of the inputs to differentiate by, the kernel returns
    one matrix, row-major: a row for each scalar of the outputs, a column for each scalar of the inputs. The
    header defines where the rows of each output and the columns of each input begin. A null pointer skips a
    matrix that is named in `optional`.
    """
    if isinstance(of, Table):
        from codegen.frontends.table_kernel import table_kernel

        of = table_kernel(of)
    check_kernel(of, "a jacobian")
    arguments = {a.name: a for a in of.inputs}
    results = {a.name: a for a in of.outputs}
    _refuse_unknown(of, name, outputs, inputs, optional)
    by = {matrix: [arguments[n] for n in names] for matrix, names in inputs.items()}
    matrices = tuple(_matrices([results[o] for o in outputs], by, optional))

    def lower(checks: bool) -> Program:
        from codegen.frontends.differentiate import jacobian_program

        return jacobian_program(of.program(checks), matrices, outputs, list(inputs.values()))

    return replace(
        of,
        name=name,
        title=f"Jacobians of {of.name}.",
        details="Derivatives by algorithmic differentiation. In a matrix M, whose rows are M_STRIDE scalars "
        "apart, output y begins at row ROW_y, and input x at column M_COLUMN_x; these are macros.",
        outputs=matrices,
        equation="; ".join(
            f"{matrix} = jacobian({_stacked(outputs)}, {_stacked(names)})" for matrix, names in inputs.items()
        ),
        lower=lower,
        looped=None,
        naming_loops=None,
        setting=_of_derivatives(of, sum(a.size for columns in by.values() for a in columns)),
        constants={},
        indices=_places(name, [results[o] for o in outputs], by),
        limits={},
        steps=(),
        failures={flag: tuple(map(_without_results, cases)) for flag, cases in of.failures.items()},
        formula=None,
        definition=None,
        reference=None,
        invariants=None,
        of=of,
    )


def _matrices(
    outputs: Sequence[Arg], by: Mapping[str, Sequence[Arg]], optional: Collection[str]
) -> Iterator[Arg]:
    """The matrices of derivatives of these outputs, each by the inputs under its name."""
    rows = sum(a.size for a in outputs)
    for name, inputs in by.items():
        shown = (", ".join(a.name for a in arguments) for arguments in (outputs, inputs))
        doc = "d({}) / d({}), row-major".format(*shown)
        kind = Array((rows, sum(a.size for a in inputs)))
        yield Arg(name, kind, "mixed", doc, optional=name in optional)


def _without_results(case: Failure) -> Failure:
    """The case without the results that another kernel returns in it."""
    return replace(case, results="", note="")


def _stacked(names: Sequence[str]) -> str:
    """Names as the argument of a Jacobian in the notation."""
    return f"[{', '.join(names)}]" if len(names) > 1 else "".join(names)


def _of_derivatives(of: Kernel, count: int) -> Setting:
    """What the equations of a kernel's Jacobians are about: its inputs and results as columns of scalars.

    `count` is the number of scalars that they are differentiated by.
    """

    def values(given: Mapping[str, Block]) -> dict[str, Block]:
        program = of.program(False)
        if len(program.nodes) * count > _MOST_DERIVED:
            raise FeatherError(
                f"{len(program.nodes)} operations by {count} inputs are too many to differentiate"
            )
        inputs = {a.name: list(given[a.name].scalars) for a in of.inputs}
        found = evaluate(program, TRACED, [x for scalars in inputs.values() for x in scalars])
        results = iter(found.results)
        outputs = {a.name: [next(results) for _ in range(a.size)] for a in of.outputs}
        return {name: column(scalars) for name, scalars in {**inputs, **outputs}.items()}

    return Setting(values, required=False)


def _refuse_unknown(
    of: Kernel,
    name: str,
    outputs: Sequence[str],
    inputs: Mapping[str, Sequence[str]],
    optional: Collection[str],
) -> None:
    """FeatherError for what is no output or input of the kernel, or none of the Jacobian's results."""
    lone = next((names for names in (outputs, *inputs.values()) if isinstance(names, str)), None)
    if lone is not None:
        raise FeatherError(f"kernel {name}: names stand in a list, [{lone!r}]")
    known, given = {a.name for a in of.outputs}, {a.name for a in of.inputs}
    unknown = [n for n in outputs if n not in known]
    unknown += [n for names in inputs.values() for n in names if n not in given]
    if unknown:
        raise FeatherError(
            f"kernel {of.name} has no output or input {unknown[0]} to differentiate so: its outputs are "
            f"{', '.join(a.name for a in of.outputs)}, its inputs {', '.join(a.name for a in of.inputs)}"
        )
    empty = next((matrix for matrix, names in inputs.items() if not names), None)
    if empty or not outputs:
        raise FeatherError(
            f"kernel {name}: {empty or 'it'} has nothing to differentiate: name outputs and inputs"
        )
    strange = sorted(set(optional) - set(inputs))
    if strange:
        raise FeatherError(f"kernel {name} has no result {strange[0]} that could be optional")


def _places(name: str, rows: Sequence[Arg], columns: Mapping[str, Sequence[Arg]]) -> dict[str, int]:
    """The first row and column of each argument in the matrices of derivatives, and the columns of these.

    As macros have capital letters, arguments whose names differ in nothing else have none.
    """
    groups = {f"{name}_ROW": rows, **{f"{name}_{m}_COLUMN": args for m, args in columns.items()}}
    found = {f"{name}_{m}_STRIDE": sum(a.size for a in args) for m, args in columns.items()}
    for group, args in groups.items():
        spelled = Counter(a.name.upper() for a in args)
        found |= {f"{group}_{n}": k for n, k in starts(args).items() if spelled[n.upper()] == 1}
    return found


@explained
def nonzeros(of: Kernel, name: str) -> Kernel:
    """A kernel that returns only the structural non-zeros of another one's matrices, row by row.

    In place of a matrix M it returns the array M_nonzeros. Row i of M is M_nonzeros[k] in column
    M_COLUMNS[k], k from M_ROW_STARTS[i] up to M_ROW_STARTS[i + 1]; these two lists are its constants. A
    structural zero is an element that is 0 whatever the inputs are, as far as the formula shows. Results
    that are no matrices stay as they are.
    """
    from codegen.frontends.sparsity import pick, stored
    from codegen.ir.patterns import is_matrix, row_pattern

    if not any(map(is_matrix, of.outputs)):
        raise FeatherError(f"kernel {name}: {of.name} returns no matrix of which non-zeros can be taken")
    kept = stored(of.program(True), of.outputs)
    arrays: list[Arg] = []
    constants: dict[str, tuple[int, ...]] = {}
    for matrix, filled in zip(of.outputs, kept, strict=True):
        if not is_matrix(matrix):
            arrays.append(matrix)
            continue
        if not filled:
            raise FeatherError(f"kernel {name}: every element of {matrix.name} is zero; leave it out")
        doc = f"structural non-zeros of {matrix.name} = {matrix.doc.removesuffix(', row-major')}, row by row"
        arrays.append(replace(matrix, name=f"{matrix.name}_nonzeros", type=Array((len(filled),)), doc=doc))
        starts, columns = row_pattern(matrix, filled)
        constants |= {f"{matrix.name}_ROW_STARTS": starts, f"{matrix.name}_COLUMNS": columns}

    def lower(checks: bool) -> Program:
        return pick(of.program(checks), arrays, kept)

    return replace(
        of,
        name=name,
        title=f"{of.title.removesuffix('.')}, structural non-zeros only.",
        details="Compressed sparse rows: row i of a matrix M is M_nonzeros[k] in column M_COLUMNS[k], for k "
        "from M_ROW_STARTS[i] up to M_ROW_STARTS[i + 1], that not included.",
        outputs=tuple(arrays),
        lower=lower,
        looped=None,
        naming_loops=None,
        constants=constants,
        formula=None,
        definition=None,
        reference=None,
        invariants=None,
        of=of,
    )
