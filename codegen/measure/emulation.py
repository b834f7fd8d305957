"""Counts executed instructions: it runs programs that call every function in QEMU."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from codegen.emit.c99 import literal
from codegen.emit.function import Function
from codegen.emit.options import Options
from codegen.emit.render import environment, template_directory
from codegen.errors import CheckFailed
from codegen.ir.domain import Case, cases
from codegen.measure.inputs import usual
from codegen.measure.targets import EMULATOR, OPTIMISED, Target
from codegen.verify.native import run_compiler

_BOARD = template_directory() / "target"
_SECONDS = 300
_NANOSECONDS, _MEGAHERTZ = 1024, 25
"""The time of an instruction under `-icount shift=10`, and the system timer of Arm's MPS2 boards."""


def run(target: Target, program: Path) -> str:
    """The output of a program on the target; CheckFailed when it does not end with success."""
    command = [EMULATOR, "-M", target.board, "-kernel", str(program), "-icount", "shift=10", "-nographic"]
    command += ["-monitor", "none", "-serial", "none", "-semihosting-config", "enable=on,target=native"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise CheckFailed(f"{program.name} does not end on the {target.meaning} in {_SECONDS} s") from None
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip().splitlines()
        why = said[0] if said else f"exit code {done.returncode}"
        raise CheckFailed(f"{program.name} fails on the {target.meaning}: {why}")
    return done.stdout


def link(target: Target, objects: Sequence[Path], program: Path, flags: Sequence[str]) -> Path:
    """Compile and link sources, assembly or objects into a program for the target's board."""
    board = ["-nostartfiles", "-T", str(_BOARD / "link.ld"), "--specs=rdimon.specs"] if target.board else []
    start = [str(_BOARD / "start.c")] if target.board else []
    sources = [str(path) for path in objects]
    run_compiler(
        [target.compiler, *target.flags, *flags, *board, *start, *sources, "-o", str(program), "-lm"]
    )
    return program


def bits_program(functions: Sequence[Function], options: Options, vectors: int) -> str:
    """C that prints the bits of every result of the functions, each called with this number of inputs."""

    def drawn(f: Function) -> Iterable[Case]:
        return islice(cases(f.kernel.inputs, vectors, _seed(f)), vectors)

    return _program("bits.c.j2", functions, options, drawn)


def executed(
    functions: Sequence[Function], options: Options, assembled: Sequence[Path], include: Path, target: Target
) -> dict[str, int]:
    """The number of instructions that each function executes, return included, at one generic input."""
    place = assembled[0].parent
    source = place / "executed.c"
    source.write_text(
        _program("executed.c.j2", functions, options, lambda f: [usual(f.kernel.inputs, _seed(f))])
    )
    program = link(target, [source, *assembled], place / "executed.elf", [*OPTIMISED, f"-I{include}"])
    found = counted(target, program)
    return {f.symbol: found[f.symbol] + _empty(f) for f in functions}


def counted(target: Target, program: Path) -> dict[str, int]:
    """The executed instructions by function, from a program's output: names and ticks of the timer."""
    ticks = dict(line.split() for line in run(target, program).splitlines())
    return {name: round(int(n) * 1000 / _MEGAHERTZ / _NANOSECONDS) for name, n in ticks.items()}


def _empty(f: Function) -> int:
    """The instructions of the empty function whose call was subtracted: a return, and its status."""
    return 2 if f.returns_status else 1


def _seed(f: Function) -> str:
    return f"cost {f.kernel.name}"


def _program(
    template: str,
    functions: Sequence[Function],
    options: Options,
    drawn: Callable[[Function], Iterable[Case]],
) -> str:
    context = [_call(f, options, drawn(f)) for f in functions]
    header = f"{options.name}.h"
    return environment().get_template(f"target/{template}").render(functions=context, header=header)


def _call(f: Function, options: Options, vectors: Iterable[Case]) -> dict[str, Any]:
    """A function's inputs as numbers, and its call: structures are contiguous scalars, so arrays stand in."""
    passed, first = [], 0
    for p in (p for p in f.parameters if p.direction == "in"):
        value = p.passed == "value"
        passed.append(f"x[i][{first}]" if value else f"(const void *)&x[i][{first}]")
        first += p.arg.size
    outputs = [p for p in f.parameters if p.direction == "out"]
    passed += [f"(void *)y{k}" for k in range(len(outputs))]
    return {
        "symbol": f.symbol,
        "scalar": f.precision.ctype,
        "returns": f"{options.prefix}status" if f.returns_status else "void",
        "declarations": [p.declaration for p in f.parameters],
        "names": [p.arg.name for p in f.parameters],
        "call": ", ".join(passed),
        "inputs": first,
        "outputs": [{"type": _element(p, f), "size": p.arg.size} for p in outputs],
        "vectors": [[literal(f.precision.rounded(x), f.precision) for x in case] for case in vectors],
    }


def _element(p: Any, f: Function) -> str:
    return "int" if p.type == "int" else f.precision.ctype
