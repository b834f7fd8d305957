"""`make bench-dynamics`: the dynamics of robots beside Pinocchio's, in one run; writes dynamics.md.

    python -m benchmarks.dynamics [ROUNDS [ROBOT ...]]

Each function is compared with Pinocchio's C++ on a model of the same robot, and with the C that CasADi writes
of Pinocchio's algorithm on its graphs. The least time of so many rounds counts.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import angles
from benchmarks.calls import objects, plain, pointers
from benchmarks.candidates import OPTIONS, Candidate
from benchmarks.executing import execute
from benchmarks.measure import Measured, counted
from benchmarks.peers import HERE, PEERS, environment
from benchmarks.pinocchio import compiler_flags
from benchmarks.problems import Problem
from benchmarks.robots import descriptions, robots
from benchmarks.spherical import SPHERICAL, in_pinocchio
from benchmarks.timing import run
from codegen.ir.cost import cost
from codegen.ir.systems import PRECISIONS
from codegen.mechanisms import Mechanism
from codegen.mechanisms.kernels.functions import kernels_of
from codegen.mechanisms.kernels.layouts import AUTO, Layouts
from codegen.mechanisms.kernels.robot import Robot
from codegen.modeling.kernel import Kernel
from codegen.passes.pipeline import optimised
from codegen.tree.write import generate
from codegen.verify.native import run_compiler

ROUNDS = 300
LEVEL = {"O3 native": ["-O3", "-march=native"]}
FUNCTIONS = ("rnea", "crba", "forward_dynamics", "rnea_derivatives")
"""As pinocchio_robots.cpp numbers them."""

TITLES = ("inverse dynamics", "mass matrix", "forward dynamics", "derivatives")
BASE = "rnea_base_derivatives"
SOURCE = HERE / "pinocchio_robots.cpp"
CASADI = next(peer for peer in PEERS if peer.name == "casadi")


_INCLUDE, _OF_FLOAT = "#include <math.h>", "#define sin sinf\n#define cos cosf\n"
"""CasADi's C calls the functions of double in float, too."""


class Described(NamedTuple):
    """A robot of example-robot-data: part of its path, its locked joints, whether its base floats."""

    path: str
    locked: tuple[str, ...]
    floating: bool


ROBOTS = {
    "ur5": Described("ur_description/urdf/ur5_robot.urdf", (), False),
    "panda": Described("urdf/panda.urdf", ("panda_finger_joint1", "panda_finger_joint2"), False),
    "go1": Described("go1_description", (), True),
    "anymal": Described("anymal_c_simple_description", (), True),
    "talos": Described("talos_reduced.urdf", (), True),
}


class Compared(NamedTuple):
    """A robot with its functions, and the file that describes it to Pinocchio."""

    name: str
    kernels: list[Kernel]
    file: Path


def main(rounds: int, names: Sequence[str]) -> None:
    """Measure and write; exit code 1 when a candidate computes something else."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        found = [_described(name, place) for name in names]
        problems = {k.name: Problem(k) for robot in found for k in robot.kernels}
        alone = [angles.problem_of(kernel) for _, kernel, _ in _numbered(found)]
        candidates = [
            *_ours(found, problems, place), *_graphs(found, problems, place),
            *_library(found, problems, place), *(angles.candidate(p, place) for p in alone),
        ]  # fmt: skip
        measured = counted(candidates)
        execute(measured, place)
        wrong = run([*problems.values(), *alone], measured, place, rounds, LEVEL)
    text = _table(found, measured)
    (HERE / "dynamics.md").write_text(text)
    print(text)
    if wrong:
        sys.exit("\n".join(wrong))


def _described(name: str, place: Path) -> Compared:
    """A robot; its functions have the layouts that featherc chooses."""
    mechanism, model = _built(name) if name in SPHERICAL else _read(name)
    robot, floating = Robot(mechanism), mechanism.floating
    functions = (*FUNCTIONS, BASE) if floating else FUNCTIONS
    kernels = kernels_of(robot, functions, layouts=Layouts.of(AUTO))
    file = place / f"{name}.txt"
    file.write_text(_for_pinocchio(model, robot.mechanism))
    return Compared(name, kernels, file)


def _built(name: str) -> tuple[Mechanism, Any]:
    """A robot with spherical joints, and Pinocchio's model of it."""
    mechanism = SPHERICAL[name]()
    return mechanism, in_pinocchio(mechanism)


def _read(name: str) -> tuple[Mechanism, Any]:
    """A robot of example-robot-data, and Pinocchio's model of it."""
    import pinocchio

    part, locked, floating = ROBOTS[name]
    (path,) = descriptions(robots(), [part])
    mechanism = Mechanism.from_urdf(path, floating=floating, name=name)
    base = (pinocchio.JointModelFreeFlyer(),) if floating else ()
    whole = pinocchio.buildModelFromUrdf(str(path), *base)
    if not locked:
        return mechanism, whole
    held = [whole.getJointId(joint) for joint in locked]
    return mechanism.locked(*locked), pinocchio.buildReducedModel(whole, held, pinocchio.neutral(whole))


def _for_pinocchio(model: Any, mechanism: Mechanism) -> str:
    """The robot as pinocchio_robots.cpp reads it, with the joints in our order."""
    import numpy as np

    order = [1] * mechanism.floating + [model.getJointId(j.name) for j in mechanism.moving]
    lines = [f"{len(order)} {int(mechanism.floating)}"]
    for i in order:
        parent = 0 if not model.parents[i] else 1 + order.index(model.parents[i])
        kind, axis = _kind(model.joints[i])
        at, body = model.jointPlacements[i], model.inertias[i]
        numbers = (axis, at.rotation.ravel(), at.translation, [body.mass], body.lever, body.inertia.ravel())
        written = " ".join(f"{x:.17g}" for x in np.concatenate(numbers))
        lines.append(f"{kind} {parent} {written}")
    return "\n".join(lines)


def _kind(joint: Any) -> tuple[int, Sequence[float]]:
    """What a joint does, 0 free, 1 turns, 2 slides, 3 spherical, and its axis."""
    name = joint.shortname()
    if name in ("JointModelFreeFlyer", "JointModelSpherical"):
        return 3 * (name == "JointModelSpherical"), (0, 0, 0)
    kind = 2 if "P" in name.removeprefix("JointModel") else 1
    if "Unaligned" in name:
        return kind, joint.extract().axis
    return kind, tuple(float(name[-1] == letter) for letter in "XYZ")


def _ours(found: Iterable[Compared], problems: dict[str, Problem], place: Path) -> Iterator[Candidate]:
    for robot in found:
        tree = place / f"ours_{robot.name}"
        generate(robot.kernels, OPTIONS, tree)
        for kernel in robot.kernels:
            sources = {p: tree / f"fc_{robot.name}_{p}.c" for p in PRECISIONS}
            symbols = {p: f"fc_{kernel.name}_{p}" for p in PRECISIONS}
            yield Candidate(problems[kernel.name], "featherc", "expert", sources, symbols, plain)


def _graphs(found: Iterable[Compared], problems: dict[str, Problem], place: Path) -> Iterator[Candidate]:
    """The C of Pinocchio's algorithms on CasADi's graphs."""
    casadi = next(
        environment(CASADI.name, CASADI.requirements).parent.parent.glob("lib/*/site-packages/casadi")
    )
    library = next(casadi.glob("libcasadi.so.*"))
    flags = [f"-isystem{casadi / 'include'}", f"-L{casadi}", f"-l:{library.name}", f"-Wl,-rpath,{casadi}"]
    program = place / "graph"
    run_compiler(["g++", "-O1", "-DGRAPH", *compiler_flags(), str(SOURCE), *flags, "-o", str(program)])
    for robot, kernel, number in _numbered(found):
        symbols = {p: f"casadi_{kernel.name}_{p}" for p in PRECISIONS}
        sources = {p: place / f"{symbol}.c" for p, symbol in symbols.items()}
        for p, source in sources.items():
            sizes = [str(a.size) for a in kernel.inputs]
            command = [str(program), str(robot.file), str(number), symbols[p], PRECISIONS[p].ctype, *sizes]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            source.write_text(_INCLUDE + "\n" + _OF_FLOAT * (p == "f32") + done.stdout.replace(_INCLUDE, ""))
        yield Candidate(problems[kernel.name], "casadi", "expert", sources, symbols, pointers)


def _library(found: Sequence[Compared], problems: dict[str, Problem], place: Path) -> Iterator[Candidate]:
    """Pinocchio's own functions."""
    sources = {p: place / f"pinocchio_robots_{p}.cpp" for p in PRECISIONS}
    for p, source in sources.items():
        benches = [_bench(robot, kernel, p) for robot, kernel, _ in _numbered(found)]
        source.write_text(f"#define REAL {PRECISIONS[p].ctype}\n{SOURCE.read_text()}\n" + "\n".join(benches))
    for _, kernel, _ in _numbered(found):
        symbols = {p: f"pin_{kernel.name}_{p}" for p in PRECISIONS}
        yield Candidate(
            problems[kernel.name], "pin", "expert", sources, symbols, objects, flags=compiler_flags()
        )


def _bench(robot: Compared, kernel: Kernel, precision: str) -> str:
    """The C++ functions of a kernel."""
    symbol, function = f"pin_{kernel.name}_{precision}", kernel.name.removeprefix(f"{robot.name}_").upper()
    given = [f"x{k}" for k in range(len(kernel.inputs))]
    found = [f"y{k}" for k in range(len(kernel.outputs))]
    inputs = ", ".join(f"const REAL *{x}" for x in given)
    outputs = ", ".join(f"REAL *{y}" for y in found)
    return (
        f'static Bench {symbol}_bench("{robot.file}", {function});\n'
        f'extern "C" void {symbol}_given({inputs}, int n)\n'
        f"{{ const REAL *x[] = {{{', '.join(given)}}}; {symbol}_bench.take(x, n); }}\n"
        f'extern "C" void {symbol}(int i) {{ {symbol}_bench.compute(i); }}\n'
        f'extern "C" void {symbol}_found({outputs})\n'
        f"{{ REAL *y[] = {{{', '.join(found)}}}; {symbol}_bench.show(y); }}\n"
    )


def _numbered(found: Iterable[Compared]) -> Iterator[tuple[Compared, Kernel, int]]:
    """The functions that Pinocchio has as well, with their numbers."""
    for robot in found:
        for kernel in robot.kernels:
            name = kernel.name.removeprefix(f"{robot.name}_")
            if name in FUNCTIONS:
                yield robot, kernel, FUNCTIONS.index(name)


def _table(found: Iterable[Compared], measured: Sequence[Measured]) -> str:
    """The figures of each function, and their ratios."""
    known = {(m.candidate.problem.kernel.name, m.candidate.engine): m for m in measured}
    lines = [_HEAD, ""]
    head = (
        "robot", "function", "operations", "CasADi", "ratio", "executed M4F", "CasADi", "ratio", "angles",
        *(f"{what}{real}" for real in (" f64", " f32") for what in _TIMED),
    )  # fmt: skip
    lines += [_row(head), _row(["---", "---", *["---:"] * (len(head) - 2)])]
    for robot in found:
        for name, title in zip(FUNCTIONS, TITLES, strict=True):
            own, graph, library = (known[f"{robot.name}_{name}", e] for e in ("featherc", "casadi", "pin"))
            alone = known[angles.name_of(f"{robot.name}_{name}"), "featherc"]
            base = known.get((f"{robot.name}_{BASE}", "featherc"))
            more = base if base is not None and name == "rnea_derivatives" else None
            lines.append(_row([robot.name, title, *_figures(own, graph, library, alone, more)]))
    return "\n".join(lines) + "\n"


_TIMED = ("ns", "CasADi", "ratio", "Pinocchio", "ratio", "angles")
_HEAD = """# Dynamics of robots beside Pinocchio

`make bench-dynamics` writes this file. Operations are multiplications, additions and divisions in
the C, sines and cosines apart; the instructions are those that a call executes on a Cortex-M4F in
float, libm included. Times are nanoseconds of a call on x86-64, compiled with -O3 -march=native,
the least of many rounds in which all candidates take turns. *CasADi* is the C that CasADi writes of
Pinocchio's algorithm on its graphs, with `sinf` and `cosf` in float, *Pinocchio* the C++ of its
templates. Our functions take the sine and the cosine of an angle from a generated function
(`--sincos pairs`), the others from the C library. *Angles* is what this takes of our function alone:
no arithmetic that is saved brings it below that. Robots whose names begin with *ball* have spherical joints
(`spherical.py`). The derivatives of a robot on a floating base are those by its joints, as CasADi's
C has them; Pinocchio's C++ always computes those by the base as well, so that its time is compared
with the sum of our two functions, `rnea_derivatives` and `rnea_base_derivatives`."""


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _figures(
    own: Measured, graph: Measured, library: Measured, alone: Measured, more: Measured | None
) -> Iterator[str]:
    """Figures of ours, those of the others, and the ratios; of the angles `alone`.

    `more` is what the library computes besides.
    """
    unrolled = cost(optimised(own.candidate.problem.kernel, OPTIONS.checks))
    theirs = sum(graph.operations.get(kind, 0) for kind in ("mul", "add", "div"))
    yield from _compared_with(unrolled.mul + unrolled.add + unrolled.div, theirs)
    yield from _compared_with(own.executed, graph.executed)
    yield "-" if alone.executed is None else str(alone.executed)
    for precision in ("f64", "f32"):
        key = f"{precision} O3 native"
        ours, library_ = own.times[key], library.times[key]
        whole = ours + (more.times[key] if more is not None else 0)
        yield from _compared_with(ours, graph.times[key])
        yield from (f"{library_:.0f}", f"{whole / library_:.2f}", f"{alone.times[key]:.0f}")


def _compared_with(ours: float | None, theirs: float | None) -> tuple[str, str, str]:
    if ours is None or theirs is None:
        return "-", "-", "-"
    return f"{ours:.0f}", f"{theirs:.0f}", f"{ours / theirs:.2f}"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS, sys.argv[2:] or [*ROBOTS, *SPHERICAL])
