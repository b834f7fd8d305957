"""Whether the results that are stated of each failure are those of the Program where it occurs.

A failure is compared where its requirement fails and all others hold. Several cases of one flag are stated
in the order of their requirements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from codegen.errors import FeatherError, naming
from codegen.ir.expression import as_expr
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program, evaluate, input_scalars, program_of, value_numbers
from codegen.ir.rewriting import Builder, rebuild
from codegen.ir.systems import F64, traced
from codegen.ir.types import Array
from codegen.modeling.equations.textbook import arguments, is_notation, spellings, traced_table
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.scalar import closed_forms
from codegen.notation.blocks import Block
from codegen.notation.meaning import Meaning
from codegen.notation.reader import read
from codegen.notation.syntax import Equation, Kind
from codegen.passes.fold import fold
from codegen.passes.specialise import specialise
from codegen.proof.domains import compare_where_used
from codegen.proof.equivalence import Driven, Verdict
from codegen.proof.guards import stated_flags, stated_guards, with_formula


def check_failures(kernel: Kernel) -> None:
    """FeatherError names a kernel and its flag whose stated conditions or results cannot be evaluated."""
    kernel = with_formula(kernel)
    if kernel.bound or not kernel.failures:
        return
    with closed_forms():
        stated_guards(kernel, stated_flags(kernel))
        program = kernel.lower(False)
    for flag, case in ((flag, case) for flag, cases in kernel.failures.items() for case in cases):
        with naming(f"kernel {kernel.name}: the results of {flag.name}"):
            _sides(kernel, case, program)


class _Sides(NamedTuple):
    """What a case states, side by side: the values of the Program, and those that they are said to have."""

    found: list[Any]
    stated: list[Any]


def compare_outcomes(kernel: Kernel) -> Verdict | None:
    """Compare the results that are stated of failures with those of the Program; None where none are stated.

    A flag that has several cases, but not as many requirements, is left out, and the verdict says so.
    FeatherError names a flag whose stated results make no sense.
    """
    kernel = with_formula(kernel)
    if kernel.bound or not any(case.results for cases in kernel.failures.values() for case in cases):
        return None
    with closed_forms():
        program = kernel.lower(True)
    found, stated, flags, left_out = [], [], [], []
    for flag, cases in sorted(kernel.failures.items()):
        nodes = [node for node, raised in program.status if raised == flag]
        if len(cases) not in (1, len(nodes)):
            left_out.append(f"{flag.name} has {len(cases)} cases, but the formula requires {len(nodes)}")
            continue
        for case, node in zip(list(cases) * (len(nodes) // len(cases)), nodes, strict=True):
            with naming(f"the results of {flag.name}"):
                sides = _sides(kernel, case, _where_only(program, node))
            found += sides.found
            stated += sides.stated
            flags += [flag.name] * len(sides.found)
    verdict = _compared(kernel, found, stated) if found else Verdict()
    if verdict.difference and verdict.output >= 0:
        verdict.difference = f"see {flags[verdict.output]}"
    verdict.undriven = [*verdict.undriven, *left_out]
    return verdict


def _compared(kernel: Kernel, found: Sequence[Any], stated: Sequence[Any]) -> Verdict:
    whole = [Arg("stated", Array((len(found),)), "any", "results in the cases of failure")]
    ways = {
        name: Driven(fold(program_of(kernel.inputs, whole, [*map(as_expr, values)])))
        for name, values in (("formula", found), ("stated", stated))
    }
    return compare_where_used(kernel.inputs, ways, f"failures of {kernel.name}")


def _where_only(program: Program, failing: int) -> Program:
    """The Program where one requirement fails, and the others hold that can hold then."""
    failed = _replaced(program, dict.fromkeys((failing, *_failing_with(program, failing)), False))
    possible = [node for node, flag in failed.status if _can_hold(replace(failed, status=((node, flag),)))]
    return replace(_replaced(failed, dict.fromkeys(possible, True)), status=())


def _can_hold(program: Program) -> bool:
    """Whether the requirement of a Program is not known to fail whatever the inputs are."""
    known = specialise(program, F64)
    return all(known.nodes[node] != Node(Op.TRUTH, (), False) for node, _ in known.status)


def _failing_with(program: Program, failing: int) -> Iterator[int]:
    """The conditions that cannot hold where another one fails: a < b where a <= b fails."""
    numbers = value_numbers(program, {})
    op, args, _ = program.nodes[failing]
    for i, node in enumerate(program.nodes):
        if op is Op.LE and node.op is Op.LT and [numbers[a] for a in node.args] == [numbers[a] for a in args]:
            yield i


def _replaced(program: Program, truths: Mapping[int, bool]) -> Program:
    """The Program with the truth of some of its conditions."""

    def rule(graph: Builder, node: Node, old: int) -> int:
        return graph.truth(truths[old]) if old in truths else graph.keep(node)

    return fold(rebuild(program, rule))


def _sides(kernel: Kernel, case: Failure, program: Program) -> _Sides:
    scalars = input_scalars(kernel.inputs)
    results = evaluate(program, traced(), scalars).results
    known = arguments([*kernel.inputs, *kernel.outputs], [*scalars, *results], traced_table())
    equations = read(kernel.equation) if is_notation(kernel.equation) else ()
    meaning = Meaning(equations, known, traced_table(), [a.name for a in kernel.outputs])
    own = dict(_of_results(kernel, equations, known))
    sides = _Sides([], [])
    for equation in read(case.results) if case.results else ():
        if len(equation.sides) != 2:
            raise FeatherError(f"each of {case.results!r} is to have two sides, as a = 0 has")
        if equation.sides[0] == equation.sides[1]:
            raise FeatherError(f"{case.results!r} states nothing of a result: both sides are the same")
        left, right = (meaning.evaluate(side, own) for side in equation.sides)
        none = right.unit and right.scalar == 0
        sides.found.extend(left.numbers if none else left.flat())
        sides.stated.extend([0] * len(left.numbers) if none else right.fitted(*left.shape).flat())
    return sides


def _of_results(
    kernel: Kernel, equations: Sequence[Equation], known: Mapping[str, Block]
) -> Iterator[tuple[str, Block]]:
    """The results by the names of the equation: p_N', and the components of rpy = [phi, theta, psi]."""
    results = {name: known[a.name] for a in kernel.outputs for name in spellings(a.name)}
    yield from results.items()
    for equation in equations:
        name, column = equation.sides[0].name, equation.sides[-1]
        if name in results and column.kind is Kind.COLUMN:
            elements = results[name].flat()
            if len(elements) == len(column.args):
                pairs = zip(column.args, elements, strict=True)
                yield from ((part.name, Block(((x,),))) for part, x in pairs if part.kind is Kind.NAME)
