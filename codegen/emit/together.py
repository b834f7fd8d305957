"""What becomes of a flag's condition where another flag is returned.

A guard replaces a value that fails, so that nothing divides by zero: at m = 0, where MASS is returned,
m J_xx > min is tested of another mass. Conditions are stated, and proven, where all others hold; what becomes
of them elsewhere is found here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Literal, TypeAlias

from codegen.ir.operations import Op
from codegen.ir.program import Node, Program, evaluate
from codegen.ir.rewriting import Builder, needed, rebuild
from codegen.ir.status import Status
from codegen.ir.systems import F64, floating
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.notation.prose import listed
from codegen.passes.fold import fold

Fate: TypeAlias = Literal["", "fails", "holds", "replaced"]
"""What becomes of a condition where another one fails: nothing, it fails as well, it holds, or it is tested
with values that guards have put in place of those that failed."""


def assuming(program: Program, known: Mapping[int, bool]) -> Program:
    """The Program where these conditions are known to hold, or not to."""

    def rule(graph: Builder, node: Node, i: int) -> int:
        return graph.truth(known[i]) if i in known else graph.keep(node)

    return fold(rebuild(program, rule))


def with_others(kernel: Kernel, flag: Status, cases: Sequence[Failure]) -> Iterator[Failure]:
    """The cases of a flag, each with what becomes of its condition where other flags are returned."""
    for case, found in zip(cases, fates(kernel, flag, len(cases)), strict=True):
        yield replace(case, beside="; ".join(_said(found)))


def fates(kernel: Kernel, flag: Status, cases: int) -> Iterator[Mapping[Status, Fate]]:
    """What becomes of the condition of each of a flag's cases where each other flag is returned."""
    program = kernel.program(True)
    required = program.required
    own = required.pop(flag, [])
    for tested in [[node] for node in own] if len(own) == cases else repeat(own, cases):
        yield {other: _fate(program, tested, flag, nodes) for other, nodes in sorted(required.items())}


_WORDS: Mapping[Fate, str] = {
    "fails": "also returned with {}",
    "holds": "not returned with {}",
    "replaced": "where {} is returned, tested on substitute values",
}


def _said(fates: Mapping[Status, Fate]) -> Iterator[str]:
    for fate, words in _WORDS.items():
        flags = [flag.name or "" for flag, found in fates.items() if found == fate]
        if flags:
            yield words.format(listed(flags, "or"))


def _fate(program: Program, nodes: Sequence[int], flag: Status, failing: Sequence[int]) -> Fate:
    """What becomes of the conditions of a flag where any of those of another one fails."""
    alone = replace(program, outputs=(), results=(), status=tuple((node, flag) for node in nodes), labels={})
    alive = needed(alone)
    found = [_with_failed(alone, node) for node in failing if node in alive]
    if not found:
        return ""
    if len(set(found)) == 1 and len(found) == len(failing):
        return found[0]
    return "replaced"


def _with_failed(program: Program, node: int) -> Fate:
    """What becomes of the conditions of a Program where one of its conditions fails."""
    rest = assuming(program, {node: False})
    if any(n.op is Op.INPUT for n in rest.nodes):
        return "replaced"
    values = evaluate(rest, floating(F64), []).values
    return "holds" if all(values[n] for n, _ in rest.status) else "fails"
