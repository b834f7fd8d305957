"""A candidate is one C function: a problem in a form, as an engine or a person writes it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.peers import HERE, Peer, Unavailable, generated
from benchmarks.problems import Problem
from codegen.function import function
from codegen.generate import generate
from codegen.options import Options
from codegen.systems import F32, F64, PRECISIONS

OPTIONS = Options(checks=False, interface="array")


@dataclass(frozen=True)
class Candidate:
    """Who wrote what: the files and symbols by precision, and the seconds that generating one took."""

    problem: Problem
    engine: str
    form: str
    sources: dict[str, Path]
    symbols: dict[str, str]
    convention: str = "plain"
    seconds: float | None = None

    def prototype(self, precision: str) -> str:
        """The C declaration, over arrays of `real`."""
        symbol = self.symbols[precision]
        if self.convention == "casadi":
            return f"int {symbol}(const real **, real **, long long int *, real *, int)"
        kernel = self.problem.kernel
        inputs = ["const real *" if a.size > 1 else "real" for a in kernel.inputs]
        return f"void {symbol}({', '.join([*inputs, *('real *' for _ in kernel.outputs)])})"

    def call(self, precision: str) -> str:
        """The C of one call, on the i-th inputs."""
        symbol, kernel = self.symbols[precision], self.problem.kernel
        outputs = [f"y{k}" for k in range(len(kernel.outputs))]
        if self.convention == "casadi":
            inputs = [f"x{k} + {a.size} * i" for k, a in enumerate(kernel.inputs)]
            arrays = f"const real *arg[] = {{{', '.join(inputs)}}}; real *res[] = {{{', '.join(outputs)}}};"
            return f"{{ {arrays} {symbol}(arg, res, 0, 0, 0); }}"
        inputs = [f"x{k} + {a.size} * i" if a.size > 1 else f"x{k}[i]" for k, a in enumerate(kernel.inputs)]
        return f"{symbol}({', '.join([*inputs, *outputs])});"


def ours(problems: Sequence[Problem], place: Path) -> Iterator[Candidate]:
    """What this generator writes, for each problem in each form."""
    for problem in problems:
        for form, stated in problem.forms.items():
            kernel = replace(stated.ours, module=stated.ours.name)
            started = time.perf_counter()
            function(kernel, F64, OPTIONS)
            seconds = time.perf_counter() - started
            tree = place / kernel.name
            generate([kernel], OPTIONS, tree)
            sources = {p: tree / f"fc_{kernel.module}_{p}.c" for p in PRECISIONS}
            symbols = {p: f"fc_{kernel.name}_{p}" for p in PRECISIONS}
            yield Candidate(problem, "featherc", form, sources, symbols, seconds=seconds)


def by_hand(problems: Iterable[Problem], place: Path) -> Iterator[Candidate]:
    """What stands in hand.c, in each precision."""
    text = (HERE / "hand.c").read_text()
    sources = {}
    for precision in (F32, F64):
        libm = "name##f" if precision is F32 else "name"
        sources[precision.name] = place / f"hand_{precision.name}.c"
        sources[precision.name].write_text(
            f"#define REAL {precision.ctype}\n#define NAME(f) hand_##f##_{precision.name}\n"
            f"#define LIBM(name) {libm}\n{text}"
        )
    for problem in problems:
        symbols = {p: f"hand_{problem.kernel.name}_{p}" for p in PRECISIONS}
        yield Candidate(problem, "hand", "expert", sources, symbols)


def of_peer(peer: Peer, problems: Sequence[Problem], place: Path) -> tuple[str, list[Candidate]]:
    """A peer's version, and what it writes for each problem in each form; Unavailable when it cannot."""
    stated = [(problem, form) for problem in problems for form in problem.forms]
    found = generated(peer, [problem.as_json(form) for problem, form in stated])
    candidates = []
    for (problem, form), answer in zip(stated, found["answers"], strict=True):
        symbols = {p: f"{peer.name}_{problem.kernel.name}_{form}_{p}" for p in PRECISIONS}
        sources = {p: place / f"{symbol}.c" for p, symbol in symbols.items()}
        for precision, source in sources.items():
            source.write_text(answer["code"][precision])
        candidates.append(
            Candidate(problem, peer.name, form, sources, symbols, peer.convention, answer["seconds"])
        )
    return found["version"], candidates


__all__ = ["Candidate", "Unavailable", "by_hand", "of_peer", "ours"]
