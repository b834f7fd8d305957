"""Notebooks: how they display kernels, Programs, steps and reports; `%%featherc` for a model in a cell."""

from __future__ import annotations

import html
import sys
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache, singledispatch
from itertools import count
from pathlib import Path
from typing import Any

from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.explain.inspection import content, page
from codegen.explain.inspection.content import Block, Formulas, Operations, Section, Sentence, Words
from codegen.explain.typeset import typeset
from codegen.ir.cost import cost, cost_text
from codegen.ir.program import Program
from codegen.loading.python_file import load_model
from codegen.modeling.equations.textbook import laid_out
from codegen.modeling.kernel import Kernel
from codegen.modeling.steps import Step
from codegen.notation.latex import latex
from codegen.notation.layout import Row
from codegen.notation.prose import plain
from codegen.provenance.shown import prose, rows
from codegen.review.reports import markdown
from codegen.review.reports.html import render
from codegen.review.reports.report import Report

_OPTIONS = Options(precisions=("f32",))


def drawn(what: Any, form: str) -> str | None:
    """What a notebook displays, as `html`, `latex`, `markdown` or `plain` text; None where it has none."""
    if form == "html":
        return _html(what)
    if form == "latex":
        return _latex(what)
    return _markdown(what) if form == "markdown" else _plain(what)


@singledispatch
def _html(what: Any) -> str | None:
    return None


@_html.register
def _(kernel: Kernel) -> str:
    """Signature, equation and singularities, the derivation on demand, the C in float, and the cost."""
    sections = content.whole(kernel, _OPTIONS)
    steps = [s for s in sections if s.title.startswith("Step ")]
    shown = [s for s in sections if s.title in ("Signature", "Equation", "Singularities", "C", "Cost")]
    before, after = shown[:3], shown[3:]
    derived = f"<details><summary>Derivation: {len(steps)} steps</summary>{_sections(steps)}</details>"
    title = f"<h3>{html.escape(f'{kernel.name}: {plain(kernel.title)}')}</h3>"
    return f"<div>{title}{_sections(before)}{derived}{_sections(after)}</div>"


@_html.register
def _(program: Program) -> str:
    blocks: Sequence[Block] = (
        Operations(tuple(content.operations(program))),
        Words(cost_text(cost(program))),
    )
    return f"<div>{''.join(map(page.block, blocks))}</div>"


@_html.register
def _(step: Step) -> str:
    found = _rows(step)
    blocks: list[Block] = [Formulas(tuple(found)) if found else _sentence(step.equation)]
    reasons = (("By", step.by), ("Source", step.source))
    blocks += [_sentence(f"{name}: {text}") for name, text in reasons if text]
    return _sections([Section(plain(step.title), tuple(blocks))])


def _sentence(text: str) -> Sentence:
    return Sentence(prose(None, text))


@_html.register
def _(report: Report) -> str:
    """The report as a page of its own, whose styles do not touch the notebook's."""
    inside = html.escape(render(report), quote=True)
    return f'<iframe srcdoc="{inside}" style="width:100%;height:32rem;border:0" sandbox></iframe>'


def _sections(sections: Iterable[Section]) -> str:
    return "".join(f"<h4>{html.escape(s.title)}</h4>{''.join(map(page.block, s.blocks))}" for s in sections)


@singledispatch
def _latex(what: Any) -> str | None:
    return None


@_latex.register
def _(kernel: Kernel) -> str | None:
    return _gathered(rows(kernel, kernel.equation))


@_latex.register
def _(step: Step) -> str | None:
    return _gathered(_rows(step))


@_latex.register
def _(program: Program) -> str | None:
    return typeset(program)


@singledispatch
def _markdown(what: Any) -> str | None:
    return None


@_markdown.register
def _(report: Report) -> str:
    return markdown.render(report)


@singledispatch
def _plain(what: Any) -> str:
    return repr(what)


@_plain.register
def _(report: Report) -> str:
    """The report as Markdown, which reads well as text; its repr would be all that was compared."""
    return markdown.render(report)


def _gathered(found: Sequence[Row]) -> str | None:
    lines = r" \\ ".join(map(latex, found))
    return rf"$$\begin{{gathered}} {lines} \end{{gathered}}$$" if found else None


def _rows(step: Step) -> list[Row]:
    """The equations of a step by itself, whose vectors are not known as such."""
    try:
        return laid_out(step.equation, (), ())
    except FeatherError:
        return []


# The magic


def load(shell: Any) -> None:
    """Add the cell magic `%%featherc` to an IPython shell."""

    def featherc(_: str, cell: str) -> None:
        """Make the kernels of a model file that is the cell, and display each of them."""
        from IPython.display import display

        try:
            made = kernels_of(cell)
        except FeatherError as error:
            print(f"featherc: {error}", file=sys.stderr)
            return
        shell.push(made)
        for kernel in made.values():
            display(kernel)

    shell.register_magic_function(featherc, magic_kind="cell", magic_name="featherc")


def kernels_of(cell: str) -> dict[str, Kernel]:
    """The kernels of a cell, by name; FeatherError with the line of the cell where the model is wrong.

    The cell is a model file of its own: it sees no variables of the notebook.
    """
    path = Path(_directory().name) / f"cell_{next(_NUMBERS)}.py"
    path.write_text(cell, encoding="utf-8")
    return load_model(path)


_NUMBERS = count(1)


@cache
def _directory() -> tempfile.TemporaryDirectory[str]:
    """Where the cells are written, so that errors and listings show their lines; removed at the end."""
    return tempfile.TemporaryDirectory(prefix="featherc")
