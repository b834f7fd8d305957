"""The cases of status flags that a model does not state, as its formula has them.

A model's flags may come from what it calls, such as a division or a solution of equations. Their conditions,
and the results where these do not hold, then are written from the Program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from codegen.emit.function import GENERAL
from codegen.errors import FeatherError
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program
from codegen.ir.rewriting import Builder, rebuild
from codegen.modeling.failures import Failure, Failures
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.passes.fold import fold
from codegen.proof.named_values import Writer, stated_block


def cases_of(subject: Kernel | Routine) -> Failures:
    """The cases of each flag: as they are stated or, where none is stated, as the formula has them."""
    return subject.failures if isinstance(subject, Routine) else _cases(subject)


@cache
def _cases(kernel: Kernel) -> Failures:
    program = kernel.program(True)
    found = dict(kernel.failures)
    for place, (_, flag) in enumerate(program.status):
        if flag not in kernel.failures:
            found[flag] = (*found.get(flag, ()), _case(kernel, program, place))
    return {flag: tuple(dict.fromkeys(found[flag])) for flag in sorted(found)}


def _case(kernel: Kernel, program: Program, place: int) -> Failure:
    """The case of one requirement, where all others hold."""
    required = program.status[place][0]
    others = {node: True for node, _ in program.status if node != required}
    tested = _assuming(replace(program, status=(program.status[place],)), others)
    valid, failed = (_assuming(program, {**others, required: holds}) for holds in (True, False))
    unless, words = _condition(kernel, tested)
    results = [] if kernel.loops() else list(_results(kernel.outputs, valid, failed))
    changed = [f"`{r.argument.name}`" for r in results if r.is_changed and not r.constants]
    return Failure(
        unless,
        ", ".join(stated_block(r.argument, r.constants) for r in results if r.is_changed and r.constants),
        words,
        f"{' and '.join(changed)} with constants in place of what fails" if changed else "",
    )


_LONGEST = 320
"""Longer conditions are said in words; of what a condition names, so many characters are stated."""


def _condition(kernel: Kernel, program: Program) -> tuple[str, str]:
    """The condition of the only requirement in the notation of equations, and words about it."""
    with suppress(FeatherError):
        text, is_whole = Writer(kernel, program).requirement(_LONGEST)
        if len(text) <= _LONGEST:
            return text, "" if is_whole else "the other names are those of the formula"
    ((_, flag),) = program.status
    return "", GENERAL[flag]


def _assuming(program: Program, known: Mapping[int, bool]) -> Program:
    """The Program where these conditions are known to hold, or not to."""

    def rule(graph: Builder, node: Node, i: int) -> int:
        return graph.truth(known[i]) if i in known else graph.keep(node)

    return fold(rebuild(program, rule))


class _Result(NamedTuple):
    """A result where a requirement fails: its scalars, if all are constants, and whether it is changed."""

    argument: Arg
    constants: tuple[Fraction, ...]
    is_changed: bool


def _results(outputs: Sequence[Arg], valid: Program, failed: Program) -> Iterator[_Result]:
    known: dict[Any, int] = {}
    before, after = _expressions(valid, known), _expressions(failed, known)
    first = 0
    for a in outputs:
        own = range(first, first + a.size)
        numbers = [failed.nodes[failed.results[k]].value for k in own]
        is_constant = all(failed.nodes[failed.results[k]].op is Op.CONSTANT for k in own)
        yield _Result(
            a,
            tuple(Fraction(x or 0) for x in numbers) if is_constant else (),
            any(before[k] != after[k] for k in own),
        )
        first += a.size


def _expressions(program: Program, known: dict[Any, int]) -> list[int]:
    """A number for each result, equal for equal expressions in all Programs with these `known` ones."""
    found: list[int] = []
    for op, args, value in program.nodes:
        found.append(known.setdefault((op, tuple(found[a] for a in args), value), len(known)))
    return [found[r] for r in program.results]
