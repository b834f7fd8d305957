"""The conditions of flags as a kernel states them, for the requirements of its printed Program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from codegen.ir.program import Program
from codegen.ir.status import Status
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.notation.reader import read
from codegen.notation.unicode import line
from codegen.provenance.written import CONDITIONS, Text, texts


@dataclass(frozen=True)
class Conditions:
    """What is stated of requirements, by their nodes, and of all requirements of a flag, by its name."""

    of_requirements: Mapping[int, str]
    of_flags: Mapping[str, str]


def stated_conditions(kernel: Kernel, program: Program) -> Conditions:
    """The conditions that a kernel states as formulas; what they name is defined where the flag is told."""
    written = next((text for text, _ in texts(kernel) if text.rank == CONDITIONS), None)
    if written is None:
        return Conditions({}, {})
    stated = {flag: [_text(case, written) for case in cases] for flag, cases in kernel.failures.items()}
    return Conditions(
        dict(_by_requirement(program, stated)),
        {flag.name or "": " and ".join(found) for flag, found in stated.items() if all(found)},
    )


def _by_requirement(program: Program, stated: Mapping[Status, list[str]]) -> Iterator[tuple[int, str]]:
    """Cases are in the order of the requirements of their flag, if these are as many."""
    for flag, nodes in program.required.items():
        cases = stated.get(flag, [])
        if len(cases) == len(nodes):
            yield from ((node, text) for node, text in zip(nodes, cases, strict=True) if text)


def _text(case: Failure, written: Text) -> str:
    conditions = (e for e in read(case.unless) if len(e.sides) == 1) if case.unless else ()
    return " and ".join(line(written.layout.equation(e)) for e in conditions)
