"""The cases of status flags that a model does not state, as its formula has them.

A model's flags may come from what it calls, such as a division or a solution of equations. Their conditions,
and the results where these do not hold, then are written from the Program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from codegen.emit.together import assuming, with_others
from codegen.errors import FeatherError
from codegen.frontends.origins import Origin, origins
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program, value_numbers
from codegen.ir.status import Status
from codegen.ir.systems import F32, F64
from codegen.modeling.equations.written import Writer, stated_block
from codegen.modeling.failures import Failure, Failures
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.notation.prose import listed
from codegen.passes.specialise import specialise

GENERAL = {
    Status.NOT_FINITE: "a value is not finite",
    Status.MASS: "a mass is not positive",
    Status.SINGULAR: "a matrix has no inverse",
    Status.NOT_PHYSICAL: "no body has this inertia",
    Status.GIMBAL_LOCK: "the attitude is at gimbal lock",
    Status.ZERO_NORM: "a quaternion or vector has no direction",
    Status.DEGENERATE: "the geometry does not determine a direction",
    Status.NOT_CONVERGED: "the iteration did not converge",
    Status.OUTSIDE: "an input is outside of the nodes of a table: the value at their end",
}
"""What a flag means where its condition is not stated, and is too long to be written."""

_MOST = 64
"""Of more requirements, as loops may have, the conditions are only said in words."""


def cases_of(subject: Kernel | Routine) -> Failures:
    """The cases of each flag: as they are stated or, where none is stated, as the formula has them.

    A flag whose requirements always hold has none.
    """
    return subject.failures if isinstance(subject, Routine) else _cases(subject)


@cache
def _cases(kernel: Kernel) -> Failures:
    program = kernel.program(True)
    places = [i for i, (_, flag) in enumerate(program.status) if flag not in kernel.failures]
    found: dict[Status, list[Failure]] = {}
    for place, origin in zip(places, _origins(kernel, program, places), strict=True):
        is_short = len(places) <= _MOST
        own = _cases_at(kernel, program, place, origin) if is_short else [_in_words(origin)]
        found.setdefault(program.status[place][1], []).extend(own)
    written = {flag: tuple(_merged(cases)) for flag, cases in sorted(found.items()) if cases}
    known = {**kernel.failures, **written}
    if len(program.status) > _MOST:
        return known
    return {flag: tuple(with_others(kernel, flag, cases)) for flag, cases in known.items()}


def _merged(cases: Iterable[Failure]) -> Iterator[Failure]:
    """Each condition once, with the results in all of its cases, as a formula may be evaluated repeatedly."""
    by_condition: dict[tuple[str, str], list[Failure]] = {}
    for case in cases:
        by_condition.setdefault((case.unless, case.words), []).append(case)
    for (unless, words), alike in by_condition.items():
        results, notes = (dict.fromkeys(c.results for c in alike), dict.fromkeys(c.note for c in alike))
        yield Failure(unless, ", ".join(filter(None, results)), words, "; ".join(filter(None, notes)))


def _origins(kernel: Kernel, program: Program, places: Sequence[int]) -> list[Origin]:
    """The origin of each of these requirements; where loops repeat them, if all of a flag have the same."""
    found = origins(kernel) if places else []
    if [origin.flag for origin in found] == [flag for _, flag in program.status]:
        return [found[place] for place in places]
    flags = [program.status[place][1] for place in places]
    of_flag = {flag: {origin for origin in found if origin.flag == flag} for flag in flags}
    return [next(iter(of_flag[flag])) if len(of_flag[flag]) == 1 else Origin(flag) for flag in flags]


def _cases_at(kernel: Kernel, program: Program, place: int, origin: Origin) -> Iterator[Failure]:
    """The case of one requirement, where all others hold; none if it always does."""
    required = program.status[place][0]
    others = {node: True for node, _ in program.status if node != required}
    tested = assuming(replace(program, status=(program.status[place],)), others)
    if _always_holds(tested):
        return
    valid, failed = (assuming(program, {**others, required: holds}) for holds in (True, False))
    results = [] if kernel.loops() else list(_results(kernel.outputs, valid, failed))
    changed = [f"`{r.argument.name}`" for r in results if r.is_changed and not r.constants]
    verb = "are" if len(changed) > 1 else "is"
    yield replace(
        _condition(kernel, tested, origin),
        results=", ".join(
            stated_block(r.argument, r.constants) for r in results if r.is_changed and r.constants
        ),
        note=f"{listed(changed)} {verb} computed with a constant in place of each value that fails"
        if changed
        else "",
    )


def _always_holds(tested: Program) -> bool:
    """Whether the only requirement of a Program holds whatever the inputs are, so that it is left out."""
    return not any(specialise(tested, precision).status for precision in (F32, F64))


_LONGEST = 320
"""Longer conditions are said in words; of what a condition names, so many characters are stated."""

_LONGEST_OF_CALLED = 120
"""A longer condition of a kernel that is called is the one that this kernel states, with its names."""


def _condition(kernel: Kernel, program: Program, origin: Origin) -> Failure:
    """The condition of the only requirement in the notation of equations, or in words."""
    if origin.matrix:
        return _in_words(origin)
    longest = _LONGEST_OF_CALLED if origin.called else _LONGEST
    with suppress(FeatherError):
        text, is_whole = Writer(kernel, program).requirement(longest)
        if len(text) <= longest and origin.called and is_whole:
            return Failure(text, words=f"in {origin.called.name}")
        if len(text) <= longest and not origin.called:
            return Failure(text, words="" if is_whole else "the other names are those of the formula")
    return _in_words(origin)


def _in_words(origin: Origin) -> Failure:
    """The condition of a requirement by its origin: as a kernel that is called states it, or in words."""
    if origin.matrix:
        return Failure(words=f"{origin.matrix}, or rounding cannot tell")
    if origin.called is None:
        return Failure(words=GENERAL[origin.flag])
    name, cases = origin.called.name, cases_of(origin.called).get(origin.flag, ())
    if not cases:
        return Failure(words=f"{GENERAL[origin.flag]}, in {name}")
    if len(cases) != origin.among:
        return Failure(words=f"{name} returns this flag: {'; '.join(case.condition for case in cases)}")
    case = cases[origin.number]
    if not case.unless:
        return Failure(words=f"{case.words}, in {name}")
    return Failure(case.unless, words=f"in the names of {name}{': ' * bool(case.words)}{case.words}")


class _Result(NamedTuple):
    """A result where a requirement fails: its scalars, if all are constants, and whether it is changed."""

    argument: Arg
    constants: tuple[Fraction, ...]
    is_changed: bool


def _results(outputs: Sequence[Arg], valid: Program, failed: Program) -> Iterator[_Result]:
    known: dict[object, int] = {}
    before, after = _of_results(valid, known), _of_results(failed, known)
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


def _of_results(program: Program, known: dict[object, int]) -> list[int]:
    """The number of each result's value."""
    numbers = value_numbers(program, known)
    return [numbers[r] for r in program.results]
