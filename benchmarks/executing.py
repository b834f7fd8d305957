"""What candidates execute on a Cortex-M4F in float: instructions of one call, libm included, in QEMU."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2

from benchmarks.measure import Measured, by_source
from benchmarks.peers import HERE
from codegen.emit.c99 import literal
from codegen.ir.domain import cases
from codegen.ir.systems import F32
from codegen.measure.emulation import counted, link
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
    driver = place / "executed.c"
    template = jinja2.Template((HERE / "executed.c.j2").read_text(), trim_blocks=True, lstrip_blocks=True)
    driver.write_text(template.render(candidates=[_described(m) for m in candidates]))
    found = counted(M4F, link(M4F, [driver, *assembled], place / "executed.elf", _STANDARD))
    for m in candidates:
        symbol = m.candidate.symbols["f32"]
        m.executed = found[symbol] + (2 if _described(m)["declaration"].startswith("int") else 1)


def _described(m: Measured) -> dict[str, Any]:
    """A candidate's call, and that of an empty function instead, at one generic input."""
    kernel, symbol = m.candidate.problem.kernel, m.candidate.symbols["f32"]
    around = m.candidate.around("f32")
    (declaration,) = around.declarations
    numbers = iter(next(cases(kernel.inputs, 1, f"bench {kernel.name}")))
    body = "{ return 0; }" if declaration.startswith("int") else "{ }"
    head = re.sub(rf"\b{symbol}\b", f"empty_{symbol}", declaration).removesuffix(";")
    return {
        "symbol": symbol,
        "declaration": declaration,
        "empty": f"__attribute__((noipa)) static {head} {body}",
        "calls": [around.call, re.sub(rf"\b{symbol}\b", f"empty_{symbol}", around.call)],
        "inputs": [[literal(F32.rounded(next(numbers)), F32) for _ in range(a.size)] for a in kernel.inputs],
        "outputs": [a.size for a in kernel.outputs],
    }
