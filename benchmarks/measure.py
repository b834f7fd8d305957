"""What is measured of a candidate: operations, instructions, stack, time; and that it computes the same."""

from __future__ import annotations

import array
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import jinja2
import numpy as np
from numpy.typing import NDArray

from benchmarks.candidates import Candidate
from benchmarks.peers import HERE
from benchmarks.problems import Problem
from codegen.cost.static import Static, assemble, static
from codegen.cost.targets import TARGETS, compilable
from codegen.domain import cases
from codegen.native import run_compiler
from codegen.systems import PRECISIONS
from tests.count import functions, total

CALLS, SHOWN = 1024, 32
LEVELS = {"O2": ["-O2"], "O3 native": ["-O3", "-march=native"]}
TOLERANCES = {"f32": 1e-3, "f64": 1e-9}
"""Of the largest component of an output, for differences in rounding; a wrong formula is far beyond."""


@dataclass
class Measured:
    """The figures of one candidate; times are nanoseconds a call, by precision and level."""

    candidate: Candidate
    operations: dict[str, int]
    total: int
    compiled: dict[str, Static] = field(default_factory=dict)
    times: dict[str, float] = field(default_factory=dict)


def counted(candidates: Iterable[Candidate]) -> list[Measured]:
    """Each candidate with its operations, counted in the text of its float version."""
    found = []
    for candidate in candidates:
        source = candidate.sources["f32"]
        count = functions(source.read_text(), source.parent)[candidate.symbols["f32"]]
        found.append(Measured(candidate, dict(+count), total(count)))
    return found


def compile_for_targets(measured: Sequence[Measured], place: Path) -> None:
    """The instructions, flash and stack of the float versions on the microcontrollers."""
    for target in (TARGETS["m4f"], TARGETS["m7"]):
        if compilable(target):
            for source, members in _by_source(measured, "f32").items():
                found = static(assemble([source], source.parent, target, place / target.name), target)
                for m in members:
                    m.compiled[target.name] = found[m.candidate.symbols["f32"]]


def _by_source(measured: Iterable[Measured], precision: str) -> dict[Path, list[Measured]]:
    found: dict[Path, list[Measured]] = {}
    for m in measured:
        found.setdefault(m.candidate.sources[precision], []).append(m)
    return found


def run(
    problems: Sequence[Problem],
    measured: Sequence[Measured],
    place: Path,
    rounds: int,
    levels: Mapping[str, list[str]] = LEVELS,
) -> list[str]:
    """Time the candidates, all of one precision and level in one program; returns what computes otherwise."""
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
        drawn = cases(problem.kernel.inputs, CALLS, f"bench {problem.kernel.name}")
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
    template = jinja2.Template((HERE / "timing.c.j2").read_text(), trim_blocks=True, lstrip_blocks=True)
    driver = place / "timing.c"
    described = [
        {
            "name": problem.kernel.name,
            "inputs": [a.size for a in problem.kernel.inputs],
            "outputs": [a.size for a in problem.kernel.outputs],
            "candidates": [
                _described(m.candidate, precision) for m in measured if m.candidate.problem is problem
            ],
        }
        for problem in problems
    ]
    real = PRECISIONS[precision].ctype
    driver.write_text(template.render(problems=described, real=real, calls=CALLS, shown=SHOWN))
    sources = sorted(map(str, _by_source(measured, precision)))
    program = place / "timing"
    options = ["-std=gnu99", *flags, "-ffp-contract=fast"]
    run_compiler(["gcc", *options, str(driver), *sources, "-o", str(program), "-lm"])
    return program


def _described(candidate: Candidate, precision: str) -> dict[str, str]:
    return {
        "symbol": candidate.symbols[precision],
        "prototype": candidate.prototype(precision),
        "call": candidate.call(precision),
    }


def _wrong(measured: Sequence[Measured], results: dict[str, NDArray[np.float64]]) -> Iterable[str]:
    """A line for each candidate whose results differ from ours in double."""
    truth = {
        m.candidate.problem.kernel.name: results[m.candidate.symbols["f64"]]
        for m in measured
        if (m.candidate.engine, m.candidate.form) == ("featherc", "expert")
    }
    for m in measured:
        for precision, symbol in m.candidate.symbols.items():
            sizes = [a.size for a in m.candidate.problem.kernel.outputs] * SHOWN
            edges = np.cumsum(sizes)[:-1]
            expected = np.split(truth[m.candidate.problem.kernel.name], edges)
            found = np.split(results[symbol], edges)
            worst = max(abs(a - b).max() / abs(a).max() for a, b in zip(expected, found, strict=True))
            if not worst <= TOLERANCES[precision]:
                yield f"{symbol} is off by {worst:.2g} of its largest component"
