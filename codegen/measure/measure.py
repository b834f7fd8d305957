"""The cost of functions: operations counted in their Programs, and quantities of their compiled code."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from codegen.emit.function import Function, functions
from codegen.emit.options import Options
from codegen.emit.routine import RoutineFunction
from codegen.ir.cost import Cost
from codegen.library.routines import with_calls
from codegen.measure.cycles import cycles
from codegen.measure.emulation import executed
from codegen.measure.static import Static, assembly, static
from codegen.measure.targets import Target, compilable, emulated, scheduled
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.tree.write import generate


@dataclass(frozen=True)
class Measured:
    """The measurements of a function on a target; None for those that are not possible there."""

    compiled: Static
    executed: int | None
    cycles: int | None


@dataclass
class Measurement:
    """The cost of one function: its operations, None for a routine, and the measurements by target."""

    symbol: str
    kernel: str
    precision: str
    cost: Cost | None
    measured: dict[str, Measured] = field(default_factory=dict)


def measure(
    wanted: Sequence[Kernel | Routine], options: Options, targets: Sequence[Target], run: bool
) -> list[Measurement]:
    """A row for each function, with what the installed tools can measure on the targets.

    With `run` the functions are executed in QEMU, each once, at a generic input.
    """
    kernels, routines = with_calls(wanted)
    made = functions(kernels, options)
    loops = [RoutineFunction(r, p, options) for p in options.formats for r in routines]
    rows = [Measurement(f.symbol, f.kernel.name, f.precision.name, f.cost) for f in made]
    rows += [Measurement(f.symbol, f.routine.name, f.precision.name, None) for f in loops]
    usable = [t for t in targets if compilable(t)]
    if usable:
        with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor() as pool:
            tree = Path(scratch) / "tree"
            generate(wanted, options, tree)
            jobs = [pool.submit(_on, t, made, options, tree, run) for t in usable]
            for target, job in zip(usable, jobs, strict=True):
                found = job.result()
                for row in rows:
                    row.measured |= {target.name: found[row.symbol]} if row.symbol in found else {}
    return rows


def _on(
    target: Target, functions: Sequence[Function], options: Options, tree: Path, run: bool
) -> Mapping[str, Measured]:
    """The measurements on one target, by symbol."""
    sources = sorted(path for path in tree.glob("*.c") if path.name != "selftest.c")
    assembled = assembly(sources, tree, target, tree.parent / target.name)
    runs = run and emulated(target)
    ran = executed(functions, options, assembled, tree, target) if runs else {}
    estimated = cycles(assembled, target) if scheduled(target) else {}
    return {
        symbol: Measured(compiled, ran.get(symbol), estimated.get(symbol))
        for symbol, compiled in static(assembled, target).items()
    }
