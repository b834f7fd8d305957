"""Measures a candidate: operations, instructions, stack, time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.candidates import Candidate
from codegen.measure.static import Static, assembly, static
from codegen.measure.targets import TARGETS, compilable
from tests.count import functions, total

BODY = "_f0"
"""The end of the name of what CasADi's function calls, where the compiler leaves it a function of its own."""


@dataclass
class Measured:
    """The figures of one candidate; times are nanoseconds a call, by precision and level.

    `executed` are instructions of a call on a Cortex-M4F in float. `checks` are the comparisons and selects
    that it has more with its status checks. What is not C has no operations.
    """

    candidate: Candidate
    operations: dict[str, int] = field(default_factory=dict)
    total: int | None = None
    checks: dict[str, int] | None = None
    compiled: dict[str, Static] = field(default_factory=dict)
    executed: int | None = None
    times: dict[str, float] = field(default_factory=dict)


def counted(candidates: Iterable[Candidate]) -> list[Measured]:
    """Each candidate with its operations, counted in the text of its float version."""
    return [_counted(c) if c.is_c else Measured(c) for c in candidates]


def _counted(candidate: Candidate) -> Measured:
    found = _operations(candidate, candidate.sources["f32"])
    checks = None
    if candidate.checked:
        guarded = _operations(candidate, candidate.checked)
        checks = {kind: guarded[kind] - found[kind] for kind in ("cmp", "select")}
    return Measured(candidate, dict(+found), total(found), checks)


def _operations(candidate: Candidate, source: Path) -> Counter[str]:
    return functions(source.read_text(), source.parent)[candidate.symbols["f32"]]


def compile_for_targets(measured: Sequence[Measured], place: Path) -> None:
    """The instructions, flash and stack of the float versions on the microcontrollers."""
    for target in (TARGETS["m4f"], TARGETS["m7"]):
        if compilable(target):
            for source, members in by_source((m for m in measured if m.candidate.is_c), "f32").items():
                found = static(assembly([source], source.parent, target, place / target.name), target)
                for m in members:
                    m.compiled[target.name] = _whole(found, m.candidate.symbols["f32"])


def _whole(found: Mapping[str, Static], symbol: str) -> Static:
    """The function together with its body."""
    outer, body = found[symbol], found.get(symbol + BODY, Static(0, 0, 0))
    known = outer.stack is not None and body.stack is not None
    stack = (outer.stack or 0) + (body.stack or 0) if known else None
    return Static(outer.instructions + body.instructions, outer.flash + body.flash, stack)


def by_source(measured: Iterable[Measured], precision: str) -> dict[Path, list[Measured]]:
    """The candidates of each file."""
    found: dict[Path, list[Measured]] = {}
    for m in measured:
        found.setdefault(m.candidate.sources[precision], []).append(m)
    return found
