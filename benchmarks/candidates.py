"""Candidates: the C functions that are compared, one for each problem, form and engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.calls import Call, Convention, plain
from benchmarks.peers import HERE, Peer, generated
from benchmarks.problems import Problem
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.ir.systems import F32, F64, PRECISIONS
from codegen.tree.write import generate
from codegen.verify.native import run_compiler

OPTIONS = Options(checks=False, interface="array")
STRICT = ["-std=gnu99", "-fsyntax-only", "-Werror=implicit-function-declaration"]


@dataclass(frozen=True)
class Candidate:
    """Who wrote what: the files and symbols by precision, and the seconds that generating one took.

    `checked` is the same function with its status checks, where it has any; `flags` are for the compiler.
    """

    problem: Problem
    engine: str
    form: str
    sources: dict[str, Path]
    symbols: dict[str, str]
    convention: Convention = plain
    seconds: float | None = None
    checked: Path | None = None
    flags: tuple[str, ...] = ()

    @property
    def is_c(self) -> bool:
        """Whether its operations can be counted in C, and its instructions in C for a microcontroller."""
        return all(source.suffix == ".c" for source in self.sources.values())

    def around(self, precision: str) -> Call:
        """The C of its call."""
        return self.convention(self.problem.kernel, self.symbols[precision])


@dataclass
class Found:
    """What a peer of some version contributes, and of what it could not write, why."""

    version: str
    candidates: list[Candidate] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)


Find: TypeAlias = Callable[[Sequence[Problem], Path], Found]
"""(problems, place for files) -> what a peer contributes; Unavailable when it cannot be run at all."""


def ours(problems: Sequence[Problem], place: Path) -> Iterator[Candidate]:
    """What this generator writes, for each problem in each form."""
    for problem in problems:
        for form, stated in problem.forms.items():
            kernel = replace(stated.ours, module=stated.ours.name)
            started = time.perf_counter()
            function(kernel, F64, OPTIONS)
            seconds = time.perf_counter() - started
            tree, checked = place / kernel.name, place / f"{kernel.name}_checked"
            generate([kernel], OPTIONS, tree)
            generate([kernel], replace(OPTIONS, checks=True), checked)
            yield Candidate(
                problem,
                "featherc",
                form,
                {p: tree / f"fc_{kernel.module}_{p}.c" for p in PRECISIONS},
                {p: f"fc_{kernel.name}_{p}" for p in PRECISIONS},
                seconds=seconds,
                checked=checked / f"fc_{kernel.module}_f32.c",
            )


def by_hand(problems: Iterable[Problem], place: Path) -> Iterator[Candidate]:
    """What stands in hand.c, in each precision."""
    text = (HERE / "hand.c").read_text()
    sources = {p: place / f"hand_{p}.c" for p in PRECISIONS}
    for precision in (F32, F64):
        libm = "name##f" if precision is F32 else "name"
        sources[precision.name].write_text(
            f"#define REAL {precision.ctype}\n#define NAME(f) hand_##f##_{precision.name}\n"
            f"#define LIBM(name) {libm}\n{text}"
        )
    for problem in problems:
        if f"NAME({problem.kernel.name})" in text:
            symbols = {p: f"hand_{problem.kernel.name}_{p}" for p in PRECISIONS}
            yield Candidate(problem, "hand", "expert", sources, symbols)


def of_peer(peer: Peer, problems: Sequence[Problem], place: Path) -> Found:
    """What a generator writes for each problem in each form."""
    stated = [(problem, form) for problem in problems for form in problem.forms]
    given = generated(peer, [problem.as_json(form) for problem, form in stated])
    found = Found(given["version"])
    for (problem, form), answer in zip(stated, given["answers"], strict=True):
        try:
            found.candidates.append(_written(peer, problem, form, answer, place))
        except FeatherError as error:
            why = str(error).replace(f"{place}/", "")
            found.failures[f"{peer.name} on {problem.kernel.name} in its {form} form"] = why
    return found


def _written(peer: Peer, problem: Problem, form: str, answer: Any, place: Path) -> Candidate:
    """A peer's answer as files that compile; FeatherError where it is none."""
    if "error" in answer:
        raise FeatherError(answer["error"])
    symbols = {p: f"{peer.name}_{problem.kernel.name}_{form}_{p}" for p in PRECISIONS}
    sources = {p: place / f"{symbol}.c" for p, symbol in symbols.items()}
    for precision, source in sources.items():
        source.write_text(answer["code"][precision])
        run_compiler(["gcc", *STRICT, str(source)])
    return Candidate(problem, peer.name, form, sources, symbols, peer.convention, answer["seconds"])
