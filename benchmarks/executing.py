"""What candidates execute on a Cortex-M4F in float: instructions of one call, libm included, in QEMU."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import jinja2

from benchmarks.measure import Measured, by_source
from benchmarks.peers import HERE
from codegen.emit.c99 import literal
from codegen.ir.systems import F32
from codegen.measure.emulation import counted, link
from codegen.measure.inputs import usual
from codegen.measure.static import assembly
from codegen.measure.targets import TARGETS, emulated

M4F = TARGETS["m4f"]
_STANDARD = ["-std=gnu2x", "-O2"]
"""In which a function need not name the parameters that it does not use."""


def execute(measured: Sequence[Measured], place: Path) -> None:
    """Put the instructions into what is measured of each candidate in C; nothing where QEMU is missing."""
    if not emulated(M4F):
        return
    candidates = [m for m in measured if m.candidate.is_c]
    assembled = [
        path
        for source in by_source(candidates, "f32")
        for path in assembly([source], source.parent, M4F, place / "executed" / source.parent.name)
    ]
    found = instructions([_run(m) for m in candidates], assembled, place)
    for m in candidates:
        m.executed = found[m.candidate.symbols["f32"]]


def instructions(runs: Sequence[Run], assembled: Sequence[Path], place: Path) -> dict[str, int]:
    """What each function of the assembly files executes in its run, return included."""
    driver = place / "executed.c"
    template = jinja2.Template((HERE / "executed.c.j2").read_text(), trim_blocks=True, lstrip_blocks=True)
    driver.write_text(template.render(candidates=[_described(run) for run in runs]))
    found = counted(M4F, link(M4F, [driver, *assembled], place / "executed.elf", _STANDARD))
    return {run.symbol: found[run.symbol] + (2 if run.returns_int else 1) for run in runs}


@dataclass(frozen=True)
class Run:
    """A function, the C of its call with the inputs in x0, x1, ..., these inputs, the sizes of results."""

    symbol: str
    declaration: str
    call: str
    inputs: Sequence[Sequence[Fraction]]
    outputs: Sequence[int]

    @property
    def returns_int(self) -> bool:
        """Whether the empty function, whose call is subtracted, has a value to return."""
        return self.declaration.startswith("int")


def _run(m: Measured) -> Run:
    """A candidate's call at one generic input."""
    kernel, around = m.candidate.problem.kernel, m.candidate.around("f32")
    (declaration,) = around.declarations
    numbers = iter(usual(kernel.inputs, m.candidate.problem.seed))
    inputs = [[next(numbers) for _ in range(a.size)] for a in kernel.inputs]
    outputs = [a.size for a in kernel.outputs]
    return Run(m.candidate.symbols["f32"], declaration, around.call, inputs, outputs)


def _described(run: Run) -> dict[str, Any]:
    """The call, by a pointer to the function or to an empty one, in C."""
    body = "{ return 0; }" if run.returns_int else "{ }"
    head = re.sub(rf"\b{run.symbol}\b", f"empty_{run.symbol}", run.declaration).removesuffix(";")
    return {
        "symbol": run.symbol,
        "declaration": run.declaration,
        "empty": f"static {head} {body}",
        "call": re.sub(rf"\b{run.symbol}\b", "called", run.call),
        "inputs": [[literal(F32.rounded(x), F32) for x in values] for values in run.inputs],
        "outputs": run.outputs,
    }
