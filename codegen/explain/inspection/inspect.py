"""`featherc inspect`: a kernel, or one of its stages on the way to C, in the requested format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.explain.inspection import content
from codegen.explain.inspection.content import Section, Words
from codegen.explain.inspection.terminal import lines, text
from codegen.ir.program import Program
from codegen.ir.systems import PRECISIONS
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.notation.prose import plain
from codegen.provenance.parts import parts
from codegen.show import printable

if TYPE_CHECKING:
    from codegen.explain.graph import Graph

FORMS = ("text", "latex", "markdown", "html", "json", "dot", "svg")


def inspect(kernel: Kernel | Routine, stage: str, form: str, options: Options) -> str:
    """The kernel at a stage, or all of it where the stage is empty, in one of FORMS.

    FeatherError when the kernel does not have this stage or format.
    """
    if form in ("dot", "svg"):
        return _graph(kernel, stage, form, options)
    if form == "json":
        from codegen.explain.inspection import data

        return data.document(kernel, stage, options)
    if form == "text" and stage:
        return _plain(kernel, stage, options)
    sections = _sections(kernel, stage, form, options)
    drawing = ""
    if form == "html" and isinstance(kernel, Kernel) and any(s.title == "Program" for s in sections):
        drawing = _drawing(kernel, options)
    return document(f"{kernel.name}: {plain(kernel.title)}", form, sections, drawing)


def named_by(symbol: str, known: Iterable[str]) -> tuple[str, str]:
    """The kernel and the precision of a C function, whatever its prefix; FeatherError when there is none."""
    stem, _, precision = symbol.rpartition("_")
    found = [name for name in known if stem == name or stem.endswith(f"_{name}")]
    if precision not in PRECISIONS or not found:
        raise FeatherError(
            f"{symbol} is not a function of a known kernel: its name must end in KERNEL_f64 or KERNEL_f32"
        )
    return max(found, key=len), precision


def _sections(kernel: Kernel | Routine, stage: str, form: str, options: Options) -> list[Section]:
    """All sections, or those of one stage; LaTeX shows a formula as mathematics, not as source code."""
    if not stage:
        return content.whole(kernel, options)
    blocks = content.stage(kernel, stage, options)
    if stage == "formula" and form == "latex" and isinstance(kernel, Kernel):
        blocks = [content.expressions(kernel)]
    return [Section(stage.capitalize(), tuple(blocks))]


def _plain(kernel: Kernel | Routine, stage: str, options: Options) -> str:
    """One stage as plain text that other programs can parse; explanations are comments."""
    about = [f"{kernel.name}: {_flow(kernel)}", *parts(kernel), kernel.source] if stage != "c" else []
    found = [f"# {line}" for line in about if line]
    for block in content.stage(kernel, stage, options):
        mark = "# " if isinstance(block, Words) else ""
        found += [*([""] if found and stage == "c" else []), *(mark + line for line in lines(block))]
    return "".join(printable(line) + "\n" for line in found)


def _flow(kernel: Kernel | Routine) -> str:
    return " -> ".join(", ".join(a.name for a in side) for side in (kernel.inputs, kernel.outputs))


def document(title: str, form: str, sections: Sequence[Section], drawing: str = "") -> str:
    """Sections as text, latex, markdown or html; the html contains the drawing, too."""
    if form == "latex":
        from codegen.explain.inspection import latex

        return _printable(latex.document(title, sections))
    if form == "markdown":
        from codegen.explain.inspection import markdown

        return _printable(markdown.document(title, sections))
    if form == "html":
        from codegen.explain.inspection import page

        return _printable(page.document(title, sections, drawing))
    return text(title, sections)  # which has the colours of a terminal


_BLANKS = re.compile("([\N{THIN SPACE}\N{NO-BREAK SPACE}])")
"""Blanks of formulas, which Python does not count as printable."""


def _printable(document: str) -> str:
    """The document without unprintable characters, except for the blanks of formulas."""
    return "".join("".join(map(_shown, _BLANKS.split(line))) + "\n" for line in document.splitlines())


def _shown(part: str) -> str:
    return part if _BLANKS.fullmatch(part) else printable(part)


def _drawing(kernel: Kernel, options: Options) -> str:
    """The graph in a page: where it is large, with a node for each named value; or why there is none."""
    from codegen.explain.graph_svg import svg
    from codegen.explain.graph_values import readable

    every, program = _every_operation(kernel, options)
    drawn = readable(every, program)
    told = "" if drawn is every else "<p>Each node is an argument, a result or a named value.</p>\n"
    try:
        return told + svg(replace(drawn, title=kernel.name))
    except FeatherError as error:
        return f"<p>{error}.</p>"


def _graph(kernel: Kernel | Routine, stage: str, form: str, options: Options) -> str:
    """The expression graph of the kernel's Program."""
    from codegen.explain.graph import dot
    from codegen.explain.graph_svg import svg

    if isinstance(kernel, Routine):
        raise FeatherError(f"{kernel.name} is a loop over {', '.join(kernel.calls)}; name one of these")
    if stage not in ("", "program"):
        raise FeatherError(f"--as {form} draws the program; remove --stage {stage}")
    every, _ = _every_operation(kernel, options)
    drawn = replace(every, title=kernel.name)
    return dot(drawn) if form == "dot" else svg(drawn)


def _every_operation(kernel: Kernel, options: Options) -> tuple[Graph, Program]:
    """The graph with every operation of the Program that is printed, and that Program."""
    from codegen.explain.graph import graph

    program = function(kernel, options.formats[0], options).program
    return graph(program), program
