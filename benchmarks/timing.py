"""Times the candidates, all of one precision and level in one program, and compares their results."""

from __future__ import annotations

import array
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import jinja2
import numpy as np
from numpy.typing import NDArray

from benchmarks.candidates import Candidate
from benchmarks.measure import Measured, by_source
from benchmarks.peers import HERE
from benchmarks.problems import Problem
from codegen.ir.domain import cases
from codegen.ir.systems import PRECISIONS
from codegen.verify.native import run_compiler

CALLS, SHOWN = 1024, 32
_PLACED = ["-falign-functions=64", "-falign-loops=64"]
"""So that what an engine's function takes does not depend on what is linked before it."""

LEVELS = {"O2": ["-O2"], "O3 native": ["-O3", "-march=native"]}
TOLERANCES = {"f32": 1e-3, "f64": 1e-9}
"""Of the largest component of an output, for differences in rounding; a wrong formula is far beyond."""


def run(
    problems: Sequence[Problem],
    measured: Sequence[Measured],
    place: Path,
    rounds: int,
    levels: Mapping[str, list[str]] = LEVELS,
) -> list[str]:
    """Time the candidates; returns what computes otherwise."""
    numbers = place / "numbers.bin"
    numbers.write_bytes(_inputs(problems).tobytes())
    results: dict[str, NDArray[np.float64]] = {}
    for precision in PRECISIONS:
        for level, flags in levels.items():
            program = _program(problems, measured, place, precision, flags)
            command = [str(program), str(numbers), str(rounds)]
            printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            lines = {line.split()[0]: np.array(line.split()[1:], float) for line in printed.splitlines()}
            for m in measured:
                time, *values = lines[m.candidate.symbols[precision]]
                m.times[f"{precision} {level}"] = float(time)
                results[m.candidate.symbols[precision]] = np.array(values)
    return list(_wrong(measured, results))


def _inputs(problems: Sequence[Problem]) -> NDArray[np.float64]:
    """The inputs of all problems, argument by argument, each for every call."""
    numbers = array.array("d")
    for problem in problems:
        drawn = cases(problem.kernel.inputs, CALLS, problem.seed)
        table = np.array([[float(x) for x in case] for _, case in zip(range(CALLS), drawn, strict=False)])
        first = 0
        for a in problem.kernel.inputs:
            numbers.extend(table[:, first : first + a.size].ravel())
            first += a.size
    return np.array(numbers)


def _program(
    problems: Sequence[Problem],
    measured: Sequence[Measured],
    place: Path,
    precision: str,
    flags: Sequence[str],
) -> Path:
    """The program that times all candidates, each compiled in a file of its own."""
    driver, program = place / "timing.c", place / "timing"
    driver.write_text(_driver(problems, measured, precision))
    options = ["-ffp-contract=fast", *_PLACED, *flags]
    linked = [_object(driver, ["-std=gnu99", *options])]
    for source, (m, *_) in sorted(by_source(measured, precision).items()):
        linked.append(_object(source, [*(m.candidate.flags or ["-std=gnu99"]), *options]))
    libraries = ["-lm"] if all(m.candidate.is_c for m in measured) else ["-lstdc++", "-lm"]
    run_compiler(["gcc", *map(str, linked), "-o", str(program), *libraries])
    return program


def _object(source: Path, flags: Sequence[str]) -> Path:
    compiled = source.with_suffix(".o")
    compiler = "gcc" if source.suffix == ".c" else "g++"
    run_compiler([compiler, *flags, "-c", str(source), "-o", str(compiled)])
    return compiled


def _driver(problems: Sequence[Problem], measured: Sequence[Measured], precision: str) -> str:
    """The C of the program."""
    template = jinja2.Template((HERE / "timing.c.j2").read_text(), trim_blocks=True, lstrip_blocks=True)
    described = [
        {
            "name": problem.kernel.name,
            "inputs": [a.size for a in problem.kernel.inputs],
            "outputs": [a.size for a in problem.kernel.outputs],
            "candidates": [
                {"symbol": m.candidate.symbols[precision], "around": m.candidate.around(precision)}
                for m in measured
                if m.candidate.problem is problem
            ],
        }
        for problem in problems
    ]
    real = PRECISIONS[precision].ctype
    text: str = template.render(problems=described, real=real, calls=CALLS, shown=SHOWN)
    return text


def _wrong(measured: Sequence[Measured], results: Mapping[str, NDArray[np.float64]]) -> Iterable[str]:
    """A line for each candidate whose results differ from ours in double."""
    truth = {
        m.candidate.problem.kernel.name: results[m.candidate.symbols["f64"]]
        for m in measured
        if (m.candidate.engine, m.candidate.form) == ("featherc", "expert")
    }
    for m in measured:
        for precision, symbol in m.candidate.symbols.items():
            worst = _error(m.candidate, truth[m.candidate.problem.kernel.name], results[symbol])
            if not worst <= TOLERANCES[precision]:
                yield f"{symbol} is off by {worst:.2g} of its largest component"


def _error(candidate: Candidate, truth: NDArray[np.float64], found: NDArray[np.float64]) -> float:
    """The largest difference in any output of any call, as a part of that output's largest component."""
    sizes = [a.size for a in candidate.problem.kernel.outputs] * SHOWN
    parts = zip(*(np.split(x, np.cumsum(sizes)[:-1]) for x in (truth, found)), strict=True)
    return float(max(abs(a - b).max() / abs(a).max() for a, b in parts))
