"""Collects the content of a kernel's or routine's page. All text is plain; only MathML and SVG are markup."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from markupsafe import Markup

from codegen.emit.cases import cases_of
from codegen.emit.render import declaration, routine_context
from codegen.emit.routine import RoutineFunction
from codegen.emit.untested import not_tested
from codegen.explain.book import plots
from codegen.explain.book.accuracy import panels, rounds
from codegen.explain.book.evidence import FORMS, GAPS, Evidence, of_kernel, of_routine
from codegen.explain.book.figures.picture import picture
from codegen.explain.book.figures.sketch import caption, sketch
from codegen.explain.book.functions import OPTIONS
from codegen.explain.book.inputs import DRAWS
from codegen.explain.book.listing import Listing, listing
from codegen.explain.book.places import Place
from codegen.explain.book.sweeps import POINTS
from codegen.explain.inspection.page import in_line, words
from codegen.explain.symbols import COUNTED, Symbol, counts_elements, introduced, symbols
from codegen.ir.program import Arg
from codegen.ir.systems import F32, F64
from codegen.ir.types import Real, is_integer
from codegen.modeling.equations.textbook import is_notation
from codegen.modeling.equations.uncompared import uncompared
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.modeling.steps import Step
from codegen.notation.layout import Row
from codegen.notation.mathml import markup
from codegen.notation.prose import pieces, plain
from codegen.proof.derivation import derivation
from codegen.provenance.parts import parts
from codegen.provenance.rewritings import rewritings
from codegen.provenance.shown import prose, prose_of_step, rows, rows_of_parts
from codegen.verify.record import Recorded


@dataclass(frozen=True)
class Around:
    """What a page shows of the rest of the book, of the generated files, and of a verification.

    `record` is the record of a verification by symbols, None if there is none.
    """

    calls: Sequence[str]
    callers: Sequence[str]
    places: Mapping[str, Place]
    record: Mapping[str, Recorded] | None = None


@dataclass(frozen=True)
class Page:
    """The context of a page's template, the pictures beside it by their file names, and its evidence."""

    template: str
    context: dict[str, Any]
    pictures: dict[str, str]
    evidence: Evidence


def file_of(name: str) -> str:
    """The file name of a kernel's or routine's page; its prefix is used by no other page."""
    return f"kernel-{name}.html"


def page(subject: Kernel | Routine, around: Around) -> Page:
    """The page of a kernel or routine; FeatherError when the record is of another version of the kernel."""
    common = {
        "subject": subject,
        "title": set_prose(subject, subject.title),
        "source": set_prose(subject, subject.source),
        "module": subject.module.replace("_", " "),
        "arguments": [_argument(subject, a) for a in _arguments(subject)],
        "counted": COUNTED if counts_elements(subject) else "",
        "failures": [
            (flag.name, [set_prose(subject, str(case)) for case in cases])
            for flag, cases in sorted(cases_of(subject).items())
        ],
        "untested": not_tested(subject, "OK"),
        "requires": set_prose(subject, subject.requires),
        "details": _paragraphs(subject, subject.details),
        "gaps": GAPS,
        "forms": FORMS,
        "calls": around.calls,
        "callers": around.callers,
        "places": around.places,
    }
    if isinstance(subject, Routine):
        routine = _routine(subject)
        loop = of_routine(subject, [symbol for symbol, *_ in routine["codes"]], around.record)
        where = list(map(_where, symbols(subject)))
        return Page("routine.html.j2", {**common, **routine, "where": where, "evidence": loop}, {}, loop)
    pictures: dict[str, str] = {}
    found = listing(subject)
    evidence = of_kernel(subject, found.hows, found.functions, around.record)
    context = {
        **common,
        "listing": found,
        "row_keys": {r.key for r in found.rows},
        "equations": _equations(subject, found),
        "uncompared": uncompared(subject),
        "steps": _steps(subject, found),
        "rewritings": rewritings(found.functions[0]),
        "costs": [(f.symbol, f.cost) for f in found.functions],
        "scene": _scene(subject, pictures),
        "accuracy": _accuracy(subject, pictures),
        "points": POINTS,
        "draws": DRAWS,
        "evidence": evidence,
    }
    return Page("kernel.html.j2", context, pictures, evidence)


def _equations(subject: Kernel, found: Listing) -> list[tuple[str, Markup, Sequence[str]]]:
    """The parts of the equation, each with its formulas and the keys of the statements that compute it."""
    pairs = zip(found.equations, rows_of_parts(subject), strict=True)
    return [(part, _formulas(rows) or set_prose(subject, part), keys) for (part, keys), rows in pairs]


def set_prose(subject: Kernel | Routine | None, text: str) -> Markup:
    """Words, escaped, and formulas."""
    return Markup(in_line(prose(subject, text)))


def _marked(text: str) -> Markup:
    """Words, escaped, and names of code, which stand between backticks."""
    parts = (Markup("<code>{}</code>" if p.is_formula else "{}").format(p.text) for p in pieces(text))
    return Markup("").join(parts)


def _paragraphs(subject: Kernel | Routine, text: str) -> Markup:
    """A docstring, whose lines are wrapped: a line for each paragraph."""
    parts = (" ".join(part.split()) for part in text.split("\n\n"))
    return Markup("<br>").join(set_prose(subject, part) for part in parts)


def _formulas(rows: Sequence[Row]) -> Markup:
    return Markup("<br>").join(Markup(markup(row)) for row in rows)


def _arguments(subject: Kernel | Routine) -> list[Arg]:
    return list(dict.fromkeys([*subject.inputs, *subject.outputs]))


def _argument(subject: Kernel | Routine, arg: Arg) -> dict[str, Any]:
    ways = [way for way, side in (("in", subject.inputs), ("out", subject.outputs)) if arg in side]
    return {
        "name": arg.name, "direction": ", ".join(ways), "type": _type(arg),
        "unit": Markup(words(arg.unit)), "range": range_in_signs(arg), "frame": arg.frame,
        "doc": set_prose(subject, arg.meaning),
    }  # fmt: skip


def _where(s: Symbol) -> dict[str, Any]:
    return {
        "printed": Markup(", ").join(Markup(in_line((row,))) for row in s.printed),
        "meaning": Markup(in_line(s.meaning)), "of": s.of, "is_part": s.is_part,
        "unit": Markup(words(s.unit)), "frame": s.frame,
    }  # fmt: skip


def range_in_signs(arg: Arg) -> str:
    """Its declared range, with mathematical signs."""
    signs = {"pi": "\N{GREEK SMALL LETTER PI}", "-": "\N{MINUS SIGN}"}
    return re.sub(r"\bpi\b|(?<!\w)-", lambda sign: signs[sign[0]], arg.range_in_words)


def _type(arg: Arg) -> str:
    """The name of its type: the C struct's name without prefix and precision, or the array's extents."""
    if isinstance(arg.type, type):
        return Markup("<code>{}</code>").format(arg.type.c_name)
    scalar = "int" if is_integer(arg.type) else "real"
    if isinstance(arg.type, Real):
        return scalar
    return f"{scalar} " + " \N{MULTIPLICATION SIGN} ".join(map(str, arg.type.shape))


def _routine(routine: Routine) -> dict[str, Any]:
    return {
        "equations": [
            _formulas(found) or set_prose(routine, part)
            for part, found in zip(parts(routine), rows_of_parts(routine), strict=True)
        ],
        "uncompared": uncompared(routine),
        "codes": [_loop(RoutineFunction(routine, p, OPTIONS)) for p in (F64, F32)],
        "cost": Markup(words(routine.cost)),
    }


def _loop(f: RoutineFunction) -> tuple[str, str, str, str]:
    """The symbol, scalar type, head and body of a routine."""
    context = routine_context(f)
    return f.symbol, f.precision.ctype, declaration(context["prototype"], ""), context["body"]


def _steps(kernel: Kernel, found: Listing) -> list[dict[str, Any]]:
    new = introduced(kernel)
    steps = zip(derivation(kernel), found.steps, strict=True)
    return [_step(kernel, step, keys, new.pop(step.equation, ())) for step, keys in steps]


def _step(kernel: Kernel, step: Step, keys: Sequence[str], new: Sequence[Symbol]) -> dict[str, Any]:
    if step.kind == "passes":
        text = Markup.escape(step.equation.replace("->", "\N{RIGHTWARDS ARROW}"))
    elif step.kind == "formula":
        lines = step.equation.splitlines()
        text = _formulas(rows(kernel, step.equation)) or Markup("<br>").join(
            set_prose(kernel, x) for x in lines
        )
    else:
        text = _formulas(rows(kernel, step.equation)) or _paragraphs(kernel, step.equation)
    title, by = (Markup(in_line(prose_of_step(kernel, step, said))) for said in (step.title, step.by))
    return {
        "title": title, "kind": step.kind, "equation": text,
        "notation": step.equation if is_notation(step.equation) else "",
        "by": by,
        "source": set_prose(kernel, step.source), "ids": keys, "where": list(map(_where, new)),
    }  # fmt: skip


def _scene(kernel: Kernel, pictures: dict[str, str]) -> dict[str, str] | None:
    """The file, description and caption of the figure of frames; kernels with equal ones share a file."""
    shown = sketch(kernel)
    if shown is None:
        return None
    text = caption(shown)
    drawn = picture(shown, plain(text))
    name = f"frames-{sha256(drawn.encode()).hexdigest()[:12]}.svg"
    pictures[name] = drawn
    return {"file": name, "text": plain(text), "caption": _marked(text)}


def _accuracy(kernel: Kernel, pictures: dict[str, str]) -> list[tuple[str, str, str]] | None:
    """The files of the accuracy plots, their descriptions and what they leave out; None for a kernel that
    is exact.
    """
    if not rounds(kernel):
        return None
    found = []
    for i, panel in enumerate(panels(kernel)):
        name = f"accuracy-{kernel.name}-{i}.svg"
        pictures[name] = plots.accuracy_plot(panel)
        found.append((name, plots.description(panel), plots.left_out(panel)))
    return found
