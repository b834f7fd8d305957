"""Counts the trials that a verification leaves out, by reason, with an example of each."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from codegen.emit.function import Function
from codegen.ir import domain
from codegen.ir.domain import Case
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program
from codegen.ir.types import component_names
from codegen.modeling.types.algebra import Rotation, UnitQuaternion
from codegen.verify.oracle import Reason, Unknown

_MOST_NAMED = 6
"""The largest number of scalars that are shown by name; beyond it all are shown, argument by argument."""


@dataclass
class LeftOut:
    """The number of trials of a function that are left out for one reason, and the first one as text."""

    reason: str
    count: int
    example: str


def leave_out(left_out: list[LeftOut], reason: str, example: str) -> None:
    """Count a trial; the first one of each reason is kept as its example."""
    for known in left_out:
        if known.reason == reason:
            known.count += 1
            return
    left_out.append(LeftOut(reason, 1, example))


def is_finding(f: Function, unknown: Unknown) -> bool:
    """Whether the trial is a failure: the function has no result for inputs inside their declared ranges.

    That is so where all inputs that the operation depends on have a range. A kernel that states a
    precondition may be undefined inside its ranges, but must not overflow or underflow there.
    """
    if unknown.reason in (Reason.OVERFLOW, Reason.UNDERFLOW):
        return _declared(f, unknown.node)
    excused = f.kernel.requires or (f.kernel.failures and not f.returns_status)
    return unknown.reason is Reason.NO_VALUE and not excused and _declared(f, unknown.node)


def _declared(f: Function, node: int | None) -> bool:
    arguments = [a for a in f.kernel.inputs for _ in range(a.size)]
    return all(arguments[i].ends or _bounded(arguments[i]) for i in _inputs_of(f, node))


def _bounded(argument: Arg) -> bool:
    """Whether the type itself bounds the values."""
    kind = argument.type
    return isinstance(kind, type) and issubclass(kind, (Rotation, UnitQuaternion))


def in_words(f: Function, unknown: Unknown, inputs: str) -> str:
    """The reason in words: the C statement, where there is one, and the inputs as they are shown."""
    what = _WORDS[unknown.reason].format(ctype=f.precision.ctype)
    subject = "" if unknown.node is None else f"{statement_of(f, unknown.node)} "
    return f"{subject or _SUBJECTS[unknown.reason]}{what} at {inputs}"


_WORDS = {
    Reason.PRECONDITION: "does not hold",
    Reason.NO_VALUE: "has no real value",
    Reason.OVERFLOW: "leaves the range of {ctype}",
    Reason.UNDERFLOW: "is too close to zero for {ctype}",
    Reason.ROUNDING: "may lose every digit to rounding",
    Reason.CELL: "is decided by rounding, and a result jumps with it,",
    Reason.STATUS: "fails or holds by rounding alone",
}
_SUBJECTS = {
    Reason.PRECONDITION: "the precondition ",
    Reason.NO_VALUE: "the mathematics ",
    Reason.OVERFLOW: "a value ",
    Reason.UNDERFLOW: "a value ",
    Reason.ROUNDING: "a result ",
    Reason.CELL: "a result ",
    Reason.STATUS: "a condition of the status ",
}


def shown(case: Sequence[object]) -> str:
    """All numbers of an input."""
    return "(" + ", ".join(f"{float(x):.9g}" for x in case) + ")"  # type: ignore[arg-type]


def remedy(unknown: Unknown) -> str:
    """What to do where a value leaves the range, as the end of a sentence."""
    if unknown.reason is Reason.UNDERFLOW:
        return ": write it in a form that does not need it, or narrow the range"
    if unknown.reason is not Reason.OVERFLOW:
        return ""
    instead = "such as (1 + tanh(x / 2)) / 2 for 1 / (1 + exp(-x))"
    return f": write it in a form that stays in it, {instead}, or narrow the range"


def inputs_in_words(f: Function, case: Case, node: int | None = None) -> str:
    """The inputs that a node depends on, or all, by name; whole arguments in one where they are many."""
    needed = _inputs_of(f, node)
    if len(needed) <= _MOST_NAMED:
        return domain.in_words(f.kernel.inputs, case, needed)
    return ", ".join(_by_argument(f.kernel.inputs, case, frozenset(needed)))


def in_short(f: Function, case: Case, node: int | None) -> str:
    """The inputs that a node depends on, or all, by name; all numbers in order where they are many."""
    needed = _inputs_of(f, node)
    return shown(case) if len(needed) > _MOST_NAMED else domain.in_words(f.kernel.inputs, case, needed)


def _by_argument(arguments: Sequence[Arg], case: Case, needed: Container[int]) -> Iterator[str]:
    """The needed numbers of each argument, or member of a structure: `state.v_B = (1, 0, 2)`, `P_0_1 = 2`."""
    first = 0
    for place, a in domain.taken_apart(arguments):
        numbers = case[first : first + a.size]
        named = [k for k in range(a.size) if first + k in needed]
        if len(named) == a.size:
            yield f"{place} = {shown(numbers) if a.size > 1 else f'{float(numbers[0]):.9g}'}"
        else:
            suffixes = component_names(a.type)
            yield from (f"{place}{suffixes[k]} = {float(numbers[k]):.9g}" for k in named)
        first += a.size


def _inputs_of(f: Function, node: int | None) -> list[int]:
    """The scalars of the inputs that a node depends on; all of them if there is no node."""
    if node is None:
        return list(range(sum(a.size for a in f.kernel.inputs)))
    below = _below(f.program, node, frozenset())
    return sorted({int(n.value or 0) for i in below if (n := f.program.nodes[i]).op is Op.INPUT})


def statement_of(f: Function, node: int) -> str:
    """The C in which a node is computed, as `name = expression`."""
    named = frozenset(s.node for s in f.body.named if s.node is not None)
    for s in f.body.statements:
        if s.node is not None and node in _below(f.program, s.node, named - {s.node}):
            return f"{s.name} = {s.expression}"
    return f"{f.symbol}'s status"


def _below(program: Program, root: int, stops: frozenset[int]) -> set[int]:
    """The nodes that a node depends on, itself included, without `stops` and the nodes below them."""
    found: set[int] = set()
    stack = [root]
    while stack:
        i = stack.pop()
        if i not in found and i not in stops:
            found.add(i)
            stack += program.nodes[i].args
    return found
