"""`make bench-px4`: the functions of PX4's EKF2 and yaw estimator, ours beside SymForce's; writes px4.md.

    python -m benchmarks.px4 CHECKOUT [SYMFORCE]

CHECKOUT is a checkout of PX4, whose derivations and generated headers are read; SYMFORCE is the version whose
expressions the derivations make, 0.12.0 if it is not given.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchmarks.executing import M4F, Run, instructions
from benchmarks.peers import HERE, environment
from benchmarks.px4.errors import Errors, caller, compared, draw, fitted, library
from benchmarks.px4.theirs import Function, functions
from codegen.measure.static import Static, assembly, static
from codegen.measure.targets import OPTIMISED
from tests.count import functions as counted
from tests.count import total

SYMFORCE = "0.12.0"
NEEDED = ("casadi", "click", "rich", "pycparser", "grandalf", "matplotlib", "markupsafe")
"""What featherc needs beside SymForce, which brings SymPy 1.11."""

AS_PX4 = ("-fno-math-errno",)
"""The flag of PX4's build that tells on the stack: no root needs a function that sets errno."""

OPTIONS = ["--no-alias", "--no-checks", "--interface", "array"]


@dataclass(frozen=True)
class Ours:
    """Our function of one of PX4's: its symbol, inputs and results of the manifest, and its C file."""

    symbol: str
    inputs: Sequence[Mapping[str, Any]]
    outputs: Sequence[Mapping[str, Any]]
    source: Path

    @property
    def wider(self) -> str:
        """The symbol of the function in double."""
        return self.symbol.removesuffix("f32") + "f64"

    @property
    def by_value(self) -> list[bool]:
        """Of each input, whether it is passed by value."""
        return [a["pass"] == "value" for a in self.inputs]

    @property
    def sizes(self) -> tuple[list[int], list[int]]:
        """The scalars of each input and result."""
        return [_size(a) for a in self.inputs], [_size(a) for a in self.outputs]


@dataclass(frozen=True)
class Figures:
    """What is measured of a function in float: weighted operations, executed instructions, code and stack.

    `stack_as_px4` is that under the flag of PX4.
    """

    operations: int
    executed: int
    compiled: Static
    stack_as_px4: int | None


@dataclass(frozen=True)
class Row:
    """A function: ours, SymForce's, the operations of ours with a state of parts, and the errors."""

    name: str
    ours: Figures
    theirs: Figures
    parts: int
    errors: Errors


def main(checkout: Path, symforce: str) -> None:
    """Measure and write the page."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        peers = functions(checkout / "src/modules/ekf2/EKF")
        ours = generated(checkout, symforce, place / "vector", "vector")
        parts = generated(checkout, symforce, place / "parts", "parts")
        text = page(list(rows(ours, parts, peers, place)), symforce)
    (HERE / "px4.md").write_text(text)
    print(text)


def generated(checkout: Path, symforce: str, tree: Path, state: str) -> dict[str, Ours]:
    """Our C of all functions by their names, with the state as a vector or as parts."""
    python = environment(f"px4-{symforce}", (f"symforce=={symforce}", *NEEDED))
    model = HERE / "px4/model.py"
    command = [str(python), "-m", "codegen", "generate", "--model", str(model), "-o", str(tree), *OPTIONS]
    subprocess.run(
        command, cwd=HERE.parent, env={**os.environ, "PX4": str(checkout), "STATE": state}, check=True
    )
    return {
        f["kernel"]: Ours(
            f["symbol"],
            [a for a in f["arguments"] if a["direction"] == "in"],
            [a for a in f["arguments"] if a["direction"] == "out"],
            tree / f["source"],
        )
        for f in json.loads((tree / "manifest.json").read_text())["functions"]
        if f["precision"] == "f32"
    }


def rows(
    ours: Mapping[str, Ours], parts: Mapping[str, Ours], peers: Mapping[str, Function], place: Path
) -> Iterator[Row]:
    """A row for each function that both have."""
    names = [name for name in ours if name in peers]
    sources = {name: _written(peers[name], "float", name, place) for name in names}
    tree = next(iter(ours.values())).source
    assembled = _assembled(tree, list(sources.values()), place, OPTIMISED)
    compiled = static(assembled, M4F)
    as_px4 = static(_assembled(tree, list(sources.values()), place / "px4", (*OPTIMISED, *AS_PX4)), M4F)
    runs = [run for name in names for run in _runs(name, ours[name], peers[name], sources[name])]
    executed = instructions(runs, assembled, place)
    operations = {**counted(tree.read_text(), tree.parent), **_counted(sources.values())}
    of_parts = counted(next(iter(parts.values())).source.read_text(), place / "parts")
    own = [library(wide, [f"-I{tree.parent}"]) for wide in (tree, _wider(tree))]

    def figures(symbol: str) -> Figures:
        return Figures(total(operations[symbol]), executed[symbol], compiled[symbol], as_px4[symbol].stack)

    for name in names:
        mine, peer = ours[name], peers[name]
        yield Row(
            name,
            figures(mine.symbol),
            figures(name),
            total(of_parts[parts[name].symbol]),
            compared(
                (
                    caller(own[0][mine.symbol], mine.by_value, mine.sizes[1], ctypes.c_float),
                    caller(own[1][mine.wider], mine.by_value, mine.sizes[1], ctypes.c_double),
                ),
                (
                    _peer(peer, "float", ctypes.c_float, place),
                    _peer(peer, "long double", ctypes.c_longdouble, place),
                ),
                peer,
                mine.sizes,
            ),
        )


def _assembled(ours: Path, theirs: Sequence[Path], place: Path, flags: Sequence[str]) -> list[Path]:
    own = assembly([ours], ours.parent, M4F, place / "ours", flags)
    return own + assembly(theirs, theirs[0].parent, M4F, place / "theirs", flags)


def _wider(source: Path) -> Path:
    """The file of the same functions in double."""
    return source.with_name(source.name.replace("_f32", "_f64"))


def _written(peer: Function, scalar: str, symbol: str, place: Path) -> Path:
    source = place / f"{symbol}.c"
    source.write_text(peer.c(scalar, symbol))
    return source


def _counted(sources: Any) -> dict[str, Any]:
    return {symbol: found for s in sources for symbol, found in counted(s.read_text()).items()}


def _peer(peer: Function, scalar: str, real: Any, place: Path) -> Any:
    symbol = f"{peer.name}_{scalar.replace(' ', '_')}"
    compiled = library(_written(peer, scalar, symbol, place))
    by_value = [a.scalar for a in peer.inputs]
    return caller(compiled[symbol], by_value, [a.rows * a.columns for a in peer.outputs], real)


def _runs(name: str, mine: Ours, peer: Function, source: Path) -> Iterator[Run]:
    """The calls of both functions with the same inputs."""
    inputs = draw(peer, 0)
    yield _run(mine.symbol, mine.by_value, fitted(inputs, mine.sizes[0]), mine.sizes[1])
    yield _run(name, [a.scalar for a in peer.inputs], inputs, [a.rows * a.columns for a in peer.outputs])


def _run(symbol: str, by_value: Sequence[bool], inputs: Sequence[Any], outputs: Sequence[int]) -> Run:
    kinds = ["real" if v else "const real *" for v in by_value] + ["real *"] * len(outputs)
    given = [f"x{k}[0]" if v else f"x{k}" for k, v in enumerate(by_value)]
    call = f"{symbol}({', '.join([*given, *(f'y{k}' for k in range(len(outputs)))])});"
    values = [[Fraction(float(x)) for x in v] for v in inputs]
    return Run(symbol, f"void {symbol}({', '.join(kinds)});", call, values, outputs)


def _size(argument: Mapping[str, Any]) -> int:
    size = 1
    for n in argument["shape"]:
        size *= n
    return size


COLUMNS = (
    "function", "operations", "state of parts", "executed", "static", "stack", "stack, no errno",
    "error: median", "p95", "single: p90", "of result", "above 1.3",
)  # fmt: skip


def page(found: Sequence[Row], symforce: str) -> str:
    """The table, ours before SymForce's in each column, with the sums."""
    lines = [
        "# PX4's EKF2 and yaw estimator",
        "",
        f"{len(found)} functions from PX4's own derivations, with expressions of SymForce {symforce}.",
        "Ours before PX4's; `README.md` says how the figures come about.",
        "",
        f"| {' | '.join(COLUMNS)} |",
        f"|---|{'---:|' * (len(COLUMNS) - 1)}",
    ]
    for r in found:
        e = r.errors
        cells = [
            r.name, f"{r.ours.operations} / {r.theirs.operations}", str(r.parts),
            f"{r.ours.executed} / {r.theirs.executed}",
            f"{r.ours.compiled.instructions} / {r.theirs.compiled.instructions}",
            f"{r.ours.compiled.stack} / {r.theirs.compiled.stack}",
            f"{r.ours.stack_as_px4} / {r.theirs.stack_as_px4}",
            f"{e.median:.2f}", f"{e.high:.2f}", f"{e.single:.2f}", str(e.worst), str(e.more),
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, _sums(found)]) + "\n"


def _sums(found: Sequence[Row]) -> str:
    both = [[r.ours for r in found], [r.theirs for r in found]]
    operations = [sum(f.operations for f in side) for side in both]
    executed = [sum(f.executed for f in side) for side in both]
    code = [sum(f.compiled.instructions for f in side) for side in both]
    cells = [" / ".join(map(str, pair)) for pair in (operations, executed, code)]
    ratios = [f"{own / other:.3f}" for own, other in (operations, executed, code)]
    parts = sum(r.parts for r in found)
    sums = f"| sum | {cells[0]} | {parts} | {cells[1]} | {cells[2]} |{' |' * 7}"
    return f"{sums}\n| ratio | {ratios[0]} | | {ratios[1]} | {ratios[2]} |{' |' * 7}"


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else SYMFORCE)
