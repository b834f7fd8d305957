"""The measurements as tables, a row for each kernel and a column for each engine, and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict

from benchmarks.measure import Measured
from benchmarks.problems import Problem

OURS = "featherc"
Figure = Callable[[Measured], float | None]

TABLES: Mapping[str, Figure] = {
    "Operations": lambda m: m.total,
    "Operations, from the textbook form alone": lambda m: m.total if m.candidate.form == "textbook" else None,
    "Cortex-M4F, float: instructions": lambda m: (
        m.compiled["m4f"].instructions if "m4f" in m.compiled else None
    ),
    "Cortex-M7, float: instructions": lambda m: m.compiled["m7"].instructions if "m7" in m.compiled else None,
    "Cortex-M4F, float: bytes of stack": lambda m: m.compiled["m4f"].stack if "m4f" in m.compiled else None,
    "x86-64, double, -O2: ns a call": lambda m: m.times.get("f64 O2"),
    "x86-64, float, -O2: ns a call": lambda m: m.times.get("f32 O2"),
    "x86-64, double, -O3 -march=native: ns a call": lambda m: m.times.get("f64 O3 native"),
    "x86-64, float, -O3 -march=native: ns a call": lambda m: m.times.get("f32 O3 native"),
    "Generation of one function: ms": lambda m: m.candidate.seconds and 1e3 * m.candidate.seconds,
}
"""The tables; a cell is the least figure over the forms that an engine was given."""


def as_markdown(
    problems: Sequence[Problem],
    measured: Sequence[Measured],
    versions: Mapping[str, str],
    absent: Mapping[str, str],
) -> str:
    """All tables; README.md says how the figures come about."""
    engines = list(dict.fromkeys(m.candidate.engine for m in measured))
    lines = [
        "# Results",
        "",
        "How they come about: `README.md`. Ratio: ours over the best of the others.",
        "",
    ]
    lines += [f"Peers: {', '.join(f'{name} {version}' for name, version in versions.items())}.", ""]
    lines += [f"- {name} is not measured: {why}." for name, why in absent.items()]
    for title, figure in TABLES.items():
        lines += ["", f"## {title}", "", *_table(title, problems, measured, engines, figure)]
    return "\n".join(lines) + "\n"


def _table(
    title: str,
    problems: Sequence[Problem],
    measured: Sequence[Measured],
    engines: Sequence[str],
    figure: Figure,
) -> Iterator[str]:
    with_record = title == "Operations"
    columns = ["kernel", *engines, *(["best known"] if with_record else []), "ratio"]
    yield f"| {' | '.join(columns)} |"
    yield f"| {' | '.join(['---'] + ['---:'] * (len(columns) - 1))} |"
    ratios = []
    for problem in problems:
        cells = {engine: least(measured, problem, engine, figure) for engine in engines}
        record = {"best known": float(problem.best_known)} if with_record else {}
        ratio = _ratio(cells.pop(OURS), [*cells.values(), *record.values()])
        ratios.append(ratio)
        ours = least(measured, problem, OURS, figure)
        shown = [ours, *cells.values(), *record.values()]
        yield f"| {problem.kernel.name} | {' | '.join(map(_shown, shown))} | {_rounded(ratio)} |"
    known = [r for r in ratios if r]
    if known:
        mean = math.exp(sum(map(math.log, known)) / len(known))
        blanks = " | ".join("" for _ in range(len(columns) - 2))
        yield f"| geometric mean | {blanks} | {mean:.2f} |"


def least(measured: Sequence[Measured], problem: Problem, engine: str, figure: Figure) -> float | None:
    """The least figure of an engine over its forms of a problem; None when there is none."""
    mine = [m for m in measured if m.candidate.problem is problem and m.candidate.engine == engine]
    figures = [f for f in map(figure, mine) if f is not None]
    return min(figures) if figures else None


def _ratio(ours: float | None, others: Sequence[float | None]) -> float | None:
    best = min((x for x in others if x is not None), default=None)
    if ours is None or best is None or not best:
        return 1.0 if ours == best == 0 else None
    return ours / best


def _shown(number: float | None) -> str:
    return "" if number is None else str(number) if isinstance(number, int) else f"{number:.3g}"


def _rounded(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}"


def as_json(measured: Sequence[Measured], versions: Mapping[str, str], absent: Mapping[str, str]) -> str:
    """Every candidate with all of its figures."""
    content = {
        "peers": dict(versions),
        "absent": dict(absent),
        "candidates": [
            {
                "kernel": m.candidate.problem.kernel.name,
                "best_known": m.candidate.problem.best_known,
                "engine": m.candidate.engine,
                "form": m.candidate.form,
                "operations": m.operations,
                "total": m.total,
                "compiled": {target: asdict(s) for target, s in m.compiled.items()},
                "ns": m.times,
                "seconds": m.candidate.seconds,
            }
            for m in measured
        ],
    }
    return json.dumps(content, indent=1) + "\n"
