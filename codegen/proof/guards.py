"""Whether the condition that is stated of each status flag is the one that the Program tests.

A requirement is compared where the other requirements hold: where they do not, their guards have replaced
arguments of it. Several cases of one flag are stated in the order of their requirements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from codegen.errors import naming
from codegen.ir.program import Program, input_scalars, program_of
from codegen.ir.rewriting import Builder
from codegen.ir.status import Status
from codegen.modeling.equations.textbook import arguments, is_notation, traced_table
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.scalar import closed_forms
from codegen.notation.meaning import Meaning
from codegen.notation.reader import read
from codegen.passes.fold import fold
from codegen.proof.domains import compare_where_used
from codegen.proof.equivalence import Driven, Verdict


def stated_flags(kernel: Kernel) -> list[Status]:
    """The flags of a kernel whose conditions are stated as formulas, not in words only."""
    cases = kernel.failures.items()
    return sorted(flag for flag, stated in cases if stated and all(c.unless for c in stated))


def proven_flags(kernel: Kernel) -> list[Status]:
    """Those whose conditions are compared modulo primes, not on 60 digits."""
    return [flag for flag in stated_flags(kernel) if not any(c.certified for c in kernel.failures[flag])]


def with_formula(kernel: Kernel) -> Kernel:
    """The kernel with the formula of the one that it is of, such as that of a matrix for its nonzeros."""
    while kernel.formula is None and kernel.of is not None:
        kernel = replace(kernel.of, failures=kernel.failures)
    return kernel


class Tested(NamedTuple):
    """The tests of a kernel's formula and the conditions that are stated of them, as requirements.

    Each case of a flag that has as many requirements as cases is a flag of its own.
    """

    formula: Program
    stated: Program
    flags: list[Status]

    def ways(self) -> dict[str, Driven]:
        """Both as ways to compare."""
        return {"formula": Driven(self.formula, self.flags), "stated": Driven(self.stated, self.flags)}


def compare_conditions(kernel: Kernel) -> Verdict | None:
    """Compare the stated conditions with the tests of the formula, modulo primes; None where there are none.

    Limits and series are compared by their closed forms, as in the proof of the results.
    """
    kernel = with_formula(kernel)
    if kernel.bound or not proven_flags(kernel):
        return None
    tests = tests_of(kernel, proven_flags(kernel))
    verdict = compare_where_used(kernel.inputs, tests.ways(), kernel.name)
    if verdict.difference and verdict.output >= 0:
        verdict.difference = f"see {unnumbered(tests.flags[verdict.output]).name}"
    return verdict


def tests_of(kernel: Kernel, flags: Sequence[Status]) -> Tested:
    """What the formula tests for some flags, and what is stated of them."""
    with closed_forms():
        program = kernel.lower(True)
        required = program.required
        apart = [f for f, cases in kernel.failures.items() if len(cases) == len(required.get(f, ()))]
        ways = guards(_by_case(program, apart)), stated_guards(kernel, flags, apart)
    numbered = [
        _numbered(flag, i)
        for flag in flags
        for i in range(len(kernel.failures[flag]) if flag in apart else 1)
    ]
    return Tested(*ways, numbered)


def _numbered(flag: Status, case: int) -> Status:
    """A case of a flag, as a flag of its own."""
    return Status(flag | case << 16)


def unnumbered(numbered: Status) -> Status:
    """The flag of a case."""
    return Status(numbered & 0xFFFF)


def _by_case(program: Program, apart: Collection[Status]) -> Program:
    """The Program with a flag for each of the requirements of some flags."""
    seen: Counter[Status] = Counter()
    status = []
    for node, flag in program.status:
        status.append((node, _numbered(flag, seen[flag]) if flag in apart else flag))
        seen[flag] += 1
    return replace(program, status=tuple(status))


def guards(program: Program) -> Program:
    """The requirements of a Program, each where the others hold."""
    required = {node for node, _ in program.status}
    graph = Builder()
    true = graph.truth(True)
    moved: list[int] = []
    for op, args, value in program.nodes:
        moved.append(graph.add(op, *(true if a in required else moved[a] for a in args), value=value))
    status = tuple((moved[node], flag) for node, flag in program.status)
    return fold(replace(program, outputs=(), results=(), nodes=tuple(graph.nodes), status=status, labels={}))


def stated_guards(kernel: Kernel, flags: Sequence[Status], apart: Collection[Status] = ()) -> Program:
    """The conditions that a kernel's documentation states of some flags, as requirements.

    Each case of the flags that are told apart has a flag of its own.
    """
    scalars = input_scalars(kernel.inputs)
    known = arguments(
        [*kernel.inputs, *kernel.outputs], [*scalars, *_results(kernel, scalars)], traced_table()
    )
    requirements = []
    for flag in flags:
        with naming(f"kernel {kernel.name}: the condition of {flag.name}"):
            for i, case in enumerate(kernel.failures[flag]):
                own = _numbered(flag, i) if flag in apart else flag
                requirements += [(condition, own) for condition in _conditions(kernel, case, known)]
    return fold(program_of(kernel.inputs, (), [], requirements))


def _conditions(kernel: Kernel, case: Failure, known: Any) -> list[Any]:
    equations = read(kernel.equation) if is_notation(kernel.equation) else ()
    meaning = Meaning(
        (*equations, *read(case.unless)), known, traced_table(), [a.name for a in kernel.outputs]
    )
    return [meaning.holds(condition) for condition in case.conditions]


def _results(kernel: Kernel, scalars: Sequence[Any]) -> list[Any]:
    """The results of the formula without checks, as expressions of the inputs."""
    from codegen.frontends.formula import output_scalars, typed_values

    assert kernel.formula is not None
    return output_scalars(kernel.outputs, kernel.formula(*typed_values(kernel.inputs, scalars)))
