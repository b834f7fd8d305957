"""Where the requirements of a formula come from: kernels that it calls, and matrices that it solves with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from codegen.frontends.formula import typed_values
from codegen.frontends.locals import local_variables
from codegen.ir.composite import Composite
from codegen.ir.program import input_scalars
from codegen.ir.status import Status
from codegen.modeling.kernel import Call, Kernel
from codegen.modeling.types.elimination import Rows, Solved
from codegen.modeling.types.loops import Recorder, recording
from codegen.modeling.types.matrices import MatrixValue, linear
from codegen.modeling.types.records import Record, members_of
from codegen.modeling.types.scalar import checking


class Origin(NamedTuple):
    """Where a requirement comes from: the call of a kernel, or a matrix that the formula solves with.

    Of the requirements of its flag in that call, it has this `number`, from 0, `among` so many.
    """

    flag: Status
    called: Kernel | None = None
    matrix: str = ""
    number: int = 0
    among: int = 0


def origins(kernel: Kernel) -> list[Origin]:
    """The origin of each requirement of a kernel's formula, in their order; none without a formula."""
    while kernel.formula is None and kernel.of is not None:
        kernel = kernel.of
    if kernel.formula is None:
        return []
    symbols = input_scalars(kernel.all_inputs)
    values = typed_values(kernel.all_inputs, symbols)
    with (
        checking() as stated,
        recording(Recorder(len(symbols))),
        local_variables(kernel.formula) as variables,
    ):
        kernel.formula(*values)
    given = zip((a.name for a in kernel.all_inputs), values, strict=True)
    named = [*(part for name, value in given for part in _members(name, value)), *variables]
    asked = [(flag, of) for (_, flag), of in zip(stated.requirements, stated.origins, strict=True)]
    return [_origin(asked, place, named) for place in range(len(asked))]


def _origin(asked: Sequence[tuple[Status, Any]], place: int, named: Sequence[tuple[str, Any]]) -> Origin:
    """The origin of a requirement, of all the flags that are asked for, each with the call or matrix."""
    flag, of = asked[place]
    if isinstance(of, Call):
        alike = [i for i, other in enumerate(asked) if other == (flag, of)]
        return Origin(flag, of.kernel, "", alike.index(place), len(alike))
    return Origin(flag, matrix=_matrix(of, named) if isinstance(of, Solved) else "")


def _matrix(solved: Solved, named: Iterable[tuple[str, Any]]) -> str:
    """A matrix in words, under the name that the formula has for it."""
    n = len(solved.rows)
    name = next((f" `{name}`" for name, value in named if _is(value, solved.rows)), "")
    return f"the {n} x {n} matrix{name or ' that the formula solves with'} is {solved.fault}"


def _members(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A value with its name, or the members of a record with theirs."""
    if isinstance(value, Record):
        yield from ((a.name, member) for a, member in zip(value.members, members_of(value), strict=True))
    else:
        yield name, value


def _is(value: Any, rows: Rows) -> bool:
    """Whether a value is the matrix with these very elements at the ends of its rows."""
    if not isinstance(value, Composite):
        return False
    found = linear(value)
    if not isinstance(found, MatrixValue) or len(found.rows) != len(rows):
        return False
    pairs = ((row[-len(end) :], end) for row, end in zip(found.rows, rows, strict=True))
    return all(a is b for row, end in pairs for a, b in zip(row, end, strict=True))
