"""Formats the measurements as tables, with a row per kernel and a column per engine, and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from benchmarks.measure import Measured
from benchmarks.problems import Problem

OURS = "featherc"
Figure = Callable[[Measured], float | None]
Record = Callable[[Problem], float | None]


@dataclass(frozen=True)
class Table:
    """What a cell shows: the least figure over the forms that an engine was given; and a record beside it."""

    title: str
    figure: Figure
    record: Record | None = None


def compiled(target: str, what: str) -> Figure:
    """A figure of the compiled function."""
    return lambda m: getattr(m.compiled[target], what) if target in m.compiled else None


def textbook(m: Measured) -> float | None:
    """The operations from the textbook form alone."""
    return m.total if m.candidate.form == "textbook" else None


OPERATIONS = Table("Operations", lambda m: m.total, lambda p: p.best_known)

TABLES = (
    OPERATIONS,
    Table("Operations, from the textbook form alone", textbook),
    Table("Cortex-M4F, float: instructions executed, libm included", lambda m: m.executed),
    Table("Cortex-M4F, float: static instructions", compiled("m4f", "instructions"), lambda p: p.best_m4f),
    Table("Cortex-M7, float: static instructions", compiled("m7", "instructions")),
    Table("Cortex-M4F, float: bytes of stack", compiled("m4f", "stack")),
    Table("x86-64, double, -O2: ns a call", lambda m: m.times.get("f64 O2")),
    Table("x86-64, float, -O2: ns a call", lambda m: m.times.get("f32 O2")),
    Table("x86-64, double, -O3 -march=native: ns a call", lambda m: m.times.get("f64 O3 native")),
    Table("x86-64, float, -O3 -march=native: ns a call", lambda m: m.times.get("f32 O3 native")),
    Table("Generation of one function: ms", lambda m: m.candidate.seconds and 1e3 * m.candidate.seconds),
)


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
        "How they come about: `README.md`. Ratio: ours over the best of all others, best known included.",
        "",
    ]
    lines += [f"Peers: {', '.join(f'{name} {version}' for name, version in versions.items())}."]
    lines += [""] if absent else []
    lines += [f"- {name} is not measured: {why}." for name, why in absent.items()]
    lines += ["", "## Operations in short", "", *_summary(problems, measured, engines)]
    for table in TABLES:
        lines += ["", f"## {table.title}", "", *_table(table, problems, measured, engines)]
    return "\n".join(lines) + "\n"


SHORT = (
    "kernel", OURS, "checks: comparisons", "selects", "best of the others", "by", "ratio",
    "best known", "ratio", "textbook form", "best of the others", "by", "ratio",
)  # fmt: skip


def _summary(
    problems: Sequence[Problem], measured: Sequence[Measured], engines: Sequence[str]
) -> Iterator[str]:
    """Our operations beside the best measured here, the best known, and both from the textbook form alone."""
    yield from _head(SHORT)
    ratios: list[tuple[float | None, ...]] = []
    for problem in problems:
        cells = _cells(OPERATIONS.figure, problem, measured, engines)
        plain = _cells(textbook, problem, measured, engines)
        ours, stated = cells.pop(OURS), plain.pop(OURS)
        (best, by), (best_stated, stated_by) = _best(cells), _best(plain)
        known = float(problem.best_known)
        row = (_ratio(ours, [best]), _ratio(ours, [known]), _ratio(stated, [best_stated]))
        ratios.append(row)
        shown = [_shown(ours), *_checks(measured, problem), _shown(best), by, _rounded(row[0]), _shown(known)]
        shown += [_rounded(row[1]), _shown(stated), _shown(best_stated), stated_by, _rounded(row[2])]
        yield _line([problem.kernel.name, *shown])
    others, record, stated_mean = (_rounded(_mean(column)) for column in zip(*ratios, strict=True))
    yield _line(["geometric mean", *[""] * 5, others, "", record, *[""] * 3, stated_mean])


def _checks(measured: Sequence[Measured], problem: Problem) -> list[str]:
    """The comparisons and selects that the status checks of our expert form add."""
    (checks,) = (
        m.checks or {}
        for m in measured
        if m.candidate.problem is problem and (m.candidate.engine, m.candidate.form) == (OURS, "expert")
    )
    return [_shown(checks.get(kind)) for kind in ("cmp", "select")]


def _best(cells: Mapping[str, float | None]) -> tuple[float | None, str]:
    """The least figure, and whose it is: `all` where several have the same and no other has another."""
    figures = {engine: figure for engine, figure in cells.items() if figure is not None}
    if not figures:
        return None, "-"
    best = min(figures.values())
    by = [engine for engine, figure in figures.items() if figure == best]
    return best, "all" if 1 < len(by) == len(figures) else ", ".join(by)


def _table(
    table: Table, problems: Sequence[Problem], measured: Sequence[Measured], engines: Sequence[str]
) -> Iterator[str]:
    """An engine that has no figure for any kernel has no column."""
    rows = {p.kernel.name: _cells(table.figure, p, measured, engines) for p in problems}
    shown = [e for e in engines if e == OURS or any(row[e] is not None for row in rows.values())]
    yield from _head(["kernel", *shown, *(["best known"] if table.record else []), "ratio"])
    ratios = []
    for problem in problems:
        cells = rows[problem.kernel.name]
        record = [table.record(problem)] if table.record else []
        others = [figure for engine, figure in cells.items() if engine != OURS]
        ratios.append(_ratio(cells[OURS], [*others, *record]))
        figures = [*(cells[e] for e in shown), *record]
        yield _line([problem.kernel.name, *map(_shown, figures), _rounded(ratios[-1])])
    mean = _mean(ratios)
    if mean is not None:
        yield _line(["geometric mean", *[""] * (len(shown) + bool(table.record)), _rounded(mean)])


def _cells(
    figure: Figure, problem: Problem, measured: Sequence[Measured], engines: Sequence[str]
) -> dict[str, float | None]:
    return {engine: least(measured, problem, engine, figure) for engine in engines}


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


def _mean(ratios: Sequence[float | None]) -> float | None:
    """The geometric mean of those that there are."""
    known = [r for r in ratios if r]
    return math.exp(sum(map(math.log, known)) / len(known)) if known else None


def _head(columns: Sequence[str]) -> Iterator[str]:
    yield _line(columns)
    yield _line(["---" if c in ("kernel", "by") else "---:" for c in columns])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _shown(number: float | None) -> str:
    if number is None:
        return "-"
    return str(int(number)) if isinstance(number, int) or number >= 1000 else f"{number:.3g}"


def _rounded(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.3f}"


def as_json(measured: Sequence[Measured], versions: Mapping[str, str], absent: Mapping[str, str]) -> str:
    """Every candidate with all of its figures."""
    content = {
        "peers": dict(versions),
        "absent": dict(absent),
        "candidates": [
            {
                "kernel": m.candidate.problem.kernel.name,
                "best_known": m.candidate.problem.best_known,
                "best_known_m4f": m.candidate.problem.best_m4f,
                "engine": m.candidate.engine,
                "form": m.candidate.form,
                "operations": m.operations,
                "total": m.total,
                "checks": m.checks,
                "executed_m4f": m.executed,
                "compiled": {target: asdict(s) for target, s in m.compiled.items()},
                "ns": m.times,
                "seconds": m.candidate.seconds,
            }
            for m in measured
        ],
    }
    return json.dumps(content, indent=1) + "\n"
