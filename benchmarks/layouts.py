"""`make bench-layouts`: functions of robots in straight lines and in loops; writes layouts.md.

    python -m benchmarks.layouts [ROUNDS [ROBOT ...]]

Both forms are in one run, and have to compute the same. The least time of so many rounds counts.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from benchmarks.calls import plain
from benchmarks.candidates import OPTIONS, Candidate
from benchmarks.executing import execute
from benchmarks.measure import Measured, compile_for_targets, counted
from benchmarks.peers import HERE
from benchmarks.problems import Problem
from benchmarks.robots import descriptions, robots
from benchmarks.timing import run
from codegen.ir.cost import cost
from codegen.ir.systems import PRECISIONS
from codegen.mechanisms import Mechanism, robot_kernels
from codegen.mechanisms.kernels.layouts import AUTO, IN_LOOPS, JOINTS, LIMBS, STRAIGHT
from codegen.modeling.kernel import Kernel
from codegen.passes.pipeline import optimised
from codegen.tree.write import generate

ROUNDS = 300
LEVEL = {"O3 native": ["-O3", "-march=native"]}


class Described(NamedTuple):
    """A description, whether its base floats, and the layout that is compared with straight lines."""

    file: str
    floating: bool
    layout: str


ROBOTS = {
    "go1": Described("go1_description", True, LIMBS),
    "anymal": Described("anymal_c_simple_description", True, LIMBS),
    "hyq": Described("hyq_no_sensors.urdf", True, LIMBS),
    "ur5": Described("ur5_robot.urdf", False, JOINTS),
    "panda": Described("panda.urdf", False, JOINTS),
}
LOOPS = "loops"
ENGINES = {STRAIGHT: "featherc", LOOPS: LOOPS}
"""What is compared with what: straight lines are the truth."""

HEAD = """# Layouts: straight lines beside loops over limbs that are alike, or over joints in a row

`make bench-layouts` writes this file. Each pair is straight lines, then loops. Operations are
multiplications, additions and divisions of all turns, sines and cosines apart; flash, in bytes,
includes tables; stack is in bytes; instructions are those that a call executes on a Cortex-M4F in
float, libm included. Times are nanoseconds of a call on x86-64, compiled with -O3 -march=native, the
least of many rounds in which all take turns. The last column is what `--layout auto` chooses, which
counts operations and estimates flash before the search; loops over joints are for `--flash`."""
COLUMNS = ("operations", "M4F flash", "M4F stack", "executed M4F", "ns f64", "ns f32", "auto")


def main(rounds: int, names: Sequence[str]) -> None:
    """Measure and write; exit code 1 when the forms differ."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        found = {name: _forms(name) for name in names}
        problems = {k.name: Problem(k) for forms in found.values() for k in forms[STRAIGHT]}
        measured = counted(_candidates(found, problems, place))
        compile_for_targets(measured, place)
        execute(measured, place)
        wrong = run(list(problems.values()), measured, place, rounds, LEVEL)
        text = "\n".join(_table(found, measured)) + "\n"
    (HERE / "layouts.md").write_text(text)
    print(text)
    if wrong:
        sys.exit("\n".join(wrong))


def _forms(name: str) -> dict[str, list[Kernel]]:
    """The functions of a robot in straight lines, in loops, and as featherc chooses."""
    known = ROBOTS[name]
    (path,) = descriptions(robots(), [known.file])
    mechanism = Mechanism.from_urdf(path, floating=known.floating, name=name)
    layouts = {STRAIGHT: STRAIGHT, LOOPS: known.layout, AUTO: AUTO}
    functions = IN_LOOPS[known.layout]
    return {form: robot_kernels(mechanism, functions, layout=layout) for form, layout in layouts.items()}


def _candidates(
    found: Mapping[str, Mapping[str, list[Kernel]]], problems: Mapping[str, Problem], place: Path
) -> Iterator[Candidate]:
    for robot, forms in found.items():
        for layout, engine in ENGINES.items():
            tree = place / f"{robot}_{layout}"
            generate(forms[layout], replace(OPTIONS, prefix=f"{layout}_"), tree)
            for kernel in forms[layout]:
                sources = {p: tree / f"{layout}_{robot}_{p}.c" for p in PRECISIONS}
                symbols = {p: f"{layout}_{kernel.name}_{p}" for p in PRECISIONS}
                yield Candidate(problems[kernel.name], engine, "expert", sources, symbols, plain)


def _table(found: Mapping[str, Mapping[str, list[Kernel]]], measured: Sequence[Measured]) -> Iterator[str]:
    """The figures of each function."""
    known = {(m.candidate.problem.kernel.name, m.candidate.engine): m for m in measured}
    yield from (
        HEAD,
        "",
        _row(["robot", "function", *COLUMNS]),
        _row(["---", "---", *["---:"] * len(COLUMNS)]),
    )
    for robot, forms in found.items():
        for straight, loops, auto in zip(*forms.values(), strict=True):
            both = [_figures(k, known[k.name, e]) for k, e in ((straight, "featherc"), (loops, LOOPS))]
            chosen = ROBOTS[robot].layout if auto.details == loops.details else STRAIGHT
            pairs = (", ".join(pair) for pair in zip(*both, strict=True))
            yield _row([robot, straight.name.removeprefix(f"{robot}_"), *pairs, chosen])


def _figures(kernel: Kernel, m: Measured) -> Iterator[str]:
    """The figures of a function in one layout."""
    unrolled, compiled = cost(optimised(kernel, OPTIONS.checks)), m.compiled.get("m4f")
    yield str(unrolled.mul + unrolled.add + unrolled.div)
    yield "-" if compiled is None else str(compiled.flash)
    yield "-" if compiled is None or compiled.stack is None else str(compiled.stack)
    yield "-" if m.executed is None else str(m.executed)
    yield from (f"{m.times[f'{precision} O3 native']:.0f}" for precision in ("f64", "f32"))


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS, sys.argv[2:] or [*ROBOTS])
