"""Writes the files of the book: completely or not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from codegen.emit.cases import cases_of
from codegen.emit.render import Tree, template_directory
from codegen.errors import FeatherError
from codegen.explain.book.calls import callers, calls, trees
from codegen.explain.book.evidence import Evidence, groups, verdicts
from codegen.explain.book.glossary import FORMULAS, GLOSSARY, KNOWN, LETTERS, MEANINGS
from codegen.explain.book.pages import Around, file_of, page, set_prose
from codegen.explain.book.places import Place, places
from codegen.explain.book.robots import robot_file, robot_page, robots_of
from codegen.explain.book.spans import ranges
from codegen.explain.graph_svg import STYLE
from codegen.explain.inspection.page import in_line
from codegen.ir.program import Arg
from codegen.library import library
from codegen.library.routines import routines
from codegen.modeling.equations.prose_formulas import laid_out_in_prose
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.notation.layout import GREEK
from codegen.notation.prose import pieces, plain
from codegen.notation.unicode import line
from codegen.parallel import in_processes
from codegen.proof.derivation import hand_written
from codegen.provenance.shown import rows
from codegen.tree.write import write_tree
from codegen.verify.record import Recorded, read_record

POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src 'self'; "
    "form-action 'self'; base-uri 'none'"
)
"""The content security policy: a page may load only files of the book."""

_FORMULAS = {"formulas": FORMULAS, "letters": LETTERS}

_PLAIN = ("book.css", "book.js")


def build(
    names: Sequence[str],
    models: Mapping[str, Kernel],
    directory: Path,
    record: Path | None = None,
    progress: Callable[[Sequence[str]], Iterable[str]] = iter,
) -> int:
    """Write the book of these kernels and routines into a directory; returns the number of functions.

    `models` are the kernels that are not in the library; `record` is the record of a verification.
    FeatherError, with the directory unchanged, when the record or the directory is invalid.
    """
    if not names:
        raise FeatherError("the book would be empty: name a kernel (featherc list shows them)")
    recorded = None if record is None else read_record(record)
    known: dict[str, Kernel | Routine] = {**library(), **routines(), **models}
    tree = _frame(names, known)
    maker = _Maker(known, callers(known), recorded, places([known[name] for name in names]), tuple(names))
    evidence = []
    for _, (files_of_page, of_page) in zip(progress(names), in_processes(maker.made, names), strict=True):
        tree |= files_of_page
        evidence.append(of_page)
    tree["evidence.html"] = _evidence(evidence, known, recorded is not None)
    files = [{"path": name} for name in sorted(tree)]
    tree["manifest.json"] = json.dumps({"schema": 1, "book": True, "files": files}, indent=1) + "\n"
    write_tree(tree, directory)
    return len(names)


@dataclass(frozen=True)
class _Maker:
    """What the pages of some kernels and routines are made from."""

    known: Mapping[str, Kernel | Routine]
    callers: Mapping[str, Sequence[str]]
    record: Mapping[str, Recorded] | None
    places: Mapping[str, Place]
    names: tuple[str, ...]

    def made(self, name: str) -> tuple[Tree, Evidence]:
        """The page of one kernel or routine with its pictures, and its evidence."""
        subject = self.known[name]
        around = Around(sorted(calls(subject)), self.callers[name], self.places, self.record)
        made = page(subject, around)
        pages = {n: file_of(n) for n in self.names}
        text = _render(made.template, pages=pages, **made.context)
        return {pages[name]: text, **made.pictures}, made.evidence


def _evidence(evidence: Sequence[Evidence], known: Mapping[str, Kernel | Routine], is_recorded: bool) -> str:
    """The page of what is proven, and what is not, of all functions."""
    return _render(
        "evidence.html.j2",
        evidence=evidence,
        is_recorded=is_recorded,
        groups=groups(evidence),
        verdicts=verdicts(evidence),
        trees=trees({e.name: sorted(calls(known[e.name])) for e in evidence}),
        pages={e.name: file_of(e.name) for e in evidence},
        found={e.name: e.verdict for e in evidence},
    )


def _frame(names: Sequence[str], known: Mapping[str, Kernel | Routine]) -> Tree:
    """The index, the pages that are the same in every book, style and script."""
    directory = template_directory() / "book"
    plain = {name: (directory / name).read_text(encoding="utf-8") for name in _PLAIN}
    return {
        **plain,
        "book.css": f"{plain['book.css']}\n/* Expression graphs, as featherc inspect draws them */{STYLE}",
        **_robots([known[n] for n in names]),
        "index.html": _render("index.html.j2", **_index([known[n] for n in names])),
        "conventions.html": _render(
            "conventions.html.j2", glossary=GLOSSARY, known=KNOWN, meanings=MEANINGS, **_FORMULAS
        ),
        "systems.html": _render("systems.html.j2", **_FORMULAS),
    }


def _robots(subjects: Sequence[Kernel | Routine]) -> Tree:
    """The pages of the robots whose functions these are, with their pictures."""
    tree: Tree = {}
    for module, kernels in robots_of(subjects).items():
        made = robot_page(kernels)
        pages = {k.name: file_of(k.name) for k in kernels}
        tree[robot_file(module)] = _render("robot.html.j2", pages=pages, **made.context)
        tree[robot_file(module, "svg")] = made.picture
    return tree


def _index(subjects: Sequence[Kernel | Routine]) -> dict[str, Any]:
    """The modules in their order, each with the page of its robot, if it is of one, and its entries.

    The words that the search looks in are listed once; an entry has their numbers.
    """
    modules: dict[str, list[dict[str, str]]] = {}
    words: dict[str, int] = {}
    robots = robots_of(subjects)
    for s in subjects:
        entry = {
            "name": s.name,
            "title": set_prose(s, s.title),
            "file": file_of(s.name),
            "words": ranges(sorted(words.setdefault(word, len(words)) for word in _searched(s).split())),
            "units": _units(s),
        }
        modules.setdefault(s.module, []).append(entry)
    listed = [
        (module.replace("_", " "), robot_file(module) if module in robots else "", entries)
        for module, entries in modules.items()
    ]
    return {"modules": listed, "words": list(words)}


def _searched(s: Kernel | Routine) -> str:
    """What the search looks in, beside name and title: arguments, units, flags, equation, steps, source."""
    arguments = [f"{a.name} {a.unit} {a.doc} {a.frame}" for a in (*s.inputs, *s.outputs)]
    printed = [line(row) for row in rows(s, s.equation)]  # with Greek letters
    flags = [f"FC_{flag.name}" for flag in cases_of(s)]
    said = plain(" ".join((s.title, s.module, *flags, s.equation, *arguments, s.source, *_of_steps(s))))
    seen = " ".join((s.name, *(piece.text for piece in pieces(s.title) if not piece.is_formula)))
    return _words(" ".join((said, *printed)).lower(), seen.lower())


def _of_steps(s: Kernel | Routine) -> Iterator[str]:
    """The words of the titles of steps, without short ones, and the Greek letters of their equations."""
    for step in hand_written(s) if isinstance(s, Kernel) else ():
        yield from (word for word in plain(step.title).split() if len(word) > 3)
        yield from sorted({name for name in re.findall("[a-zA-Z]+", step.equation) if name in GREEK})


def _units(s: Kernel | Routine) -> str:
    """The units of its arguments, between semicolons."""
    every = (unit for a in (*s.inputs, *s.outputs) for unit in a.unit.split("; "))
    return ";".join(dict.fromkeys(unit for unit in every if unit not in ("", "1", "mixed")))


def _words(text: str, beside: str) -> str:
    """The words of a text, without those that another one, or the text beside it, contains."""
    words = dict.fromkeys(word.strip(".,;:") for word in text.split() if any(map(str.isalnum, word)))
    kept = [beside]
    for word in sorted(words, key=len, reverse=True):
        if not any(word in other for other in kept):
            kept.append(word)
    return " ".join(word for word in words if word in kept)


def _render(template: str, **context: Any) -> str:
    return _environment().get_template(template).render(policy=POLICY, **context)


def _formula(text: str, known: Sequence[Arg] = ()) -> Markup:
    """A formula of a page that is the same in every book, about these arguments."""
    return Markup(in_line((laid_out_in_prose(text, (), known, ()),)))


@cache
def _environment() -> jinja2.Environment:
    """The environment of the book's templates: all text is escaped."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_directory() / "book"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=True,
    )
    made.filters |= {"notation": _formula, "prose": partial(set_prose, None), "ranges": ranges}
    return made
