"""Compares two kernels side by side: arguments, costs, and the results on which they agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from codegen.characters import json_text
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.explain.inspection.content import Grid, Section, Words, equation_in_line, type_name
from codegen.explain.inspection.conversions import Agreement, Matching, agreements, matching
from codegen.explain.inspection.inspect import document
from codegen.ir.cost import cost, cost_text
from codegen.library import library
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.passes.pipeline import optimised
from codegen.provenance.shown import Prose, prose


def comparison(pair: Sequence[Kernel | Routine], form: str, options: Options) -> str:
    """Two kernels side by side, as text, latex, markdown, html or json.

    FeatherError when both names are the same, one is a routine, or a drawing is requested.
    """
    kernels = [k for k in pair if isinstance(k, Kernel)]
    if len(pair) != 2 or len(kernels) != 2:
        raise FeatherError("name two different kernels to compare, no routines (loops over kernels)")
    if form in ("dot", "svg"):
        raise FeatherError(f"a comparison has no {form}; choose text, latex, markdown, html or json")
    a, b = kernels
    found = matching(a, b)
    rows = [_from_left(r, found, a) for r in agreements(found)] if found else []
    if form == "json":
        return _data(a, b, rows, options)
    title = f"{a.name} and {b.name}"
    sections = [_facts(a, b, options), _agreement(a, b, rows), *_costs(found, options)]
    return document(title, form, sections)


def _from_left(row: Agreement, found: Matching, left: Kernel) -> Agreement:
    """The row with the result of the kernel that was named first on its left."""
    return row if found.source is left else row._replace(left=row.right, right=row.left)


def _facts(a: Kernel, b: Kernel, options: Options) -> Section:
    rows: list[tuple[str | Prose, ...]] = [("title", prose(a, a.title), prose(b, b.title))]
    rows += [("equation", equation_in_line(a), equation_in_line(b))]
    rows += [(way, _arguments(a, way), _arguments(b, way)) for way in ("inputs", "outputs")]
    rows += [("status", _flags(a), _flags(b)), ("cost", _cost(a, options), _cost(b, options))]
    rows += [("total", str(_total(a, options)), str(_total(b, options))), ("source", a.source, b.source)]
    about = Words("The total counts a division or a square root as 10; it does not include calls of libm.")
    return Section("Side by side", (Grid(("", a.name, b.name), tuple(rows)), about))


def _arguments(k: Kernel, way: str) -> str:
    return ", ".join(f"{a.name} ({type_name(a.type)})" for a in getattr(k, way))


def _flags(k: Kernel) -> str:
    return ", ".join(flag.name or "" for flag in k.failures) or "none"


def _cost(k: Kernel, options: Options) -> str:
    return cost_text(cost(optimised(k, options.checks)))


def _total(k: Kernel, options: Options) -> int:
    return cost(optimised(k, options.checks)).total


def _agreement(a: Kernel, b: Kernel, rows: Sequence[Agreement]) -> Section:
    if not rows:
        return Section("Agreement", (Words("The library has no conversion between their arguments."),))
    grid = Grid((a.name, b.name, "", "through"), tuple(_words(row) for row in rows))
    about = Words(
        "Proven: equal modulo random primes of 127 bits at random points of the constraint set, quaternions "
        "normalised. Points at which a requirement fails are not compared."
    )
    return Section("Agreement", (grid, about))


def _words(row: Agreement) -> tuple[str, str, str, str]:
    return row.left or "-", row.right or "-", row.found or "only here", row.through


def _costs(found: Matching | None, options: Options) -> Iterator[Section]:
    """The cost of the conversions between the arguments."""
    if found is None or not found.conversions:
        return
    rows = []
    for name, (origin, way) in found.routes.items():
        if way:
            price = "; ".join(f"{c}: {_cost(library()[c], options)}" for c in way)
            rows.append((f"{origin} of {found.source.name}", f"{name} of {found.target.name}", price))
    yield Section("Conversion", (Grid(("from", "to", "cost"), tuple(rows)),))


def _data(a: Kernel, b: Kernel, rows: Sequence[Agreement], options: Options) -> str:
    sides: list[dict[str, Any]] = [
        {"kernel": k.name, "equation": k.equation, "cost": asdict(cost(optimised(k, options.checks)))}
        for k in (a, b)
    ]
    content = {"kernels": sides, "agreement": [row._asdict() for row in rows]}
    return json_text(content)
