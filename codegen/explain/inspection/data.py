"""The inspection of a kernel as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from codegen.characters import json_text
from codegen.emit.options import Options
from codegen.explain.inspection.content import (
    Block,
    Equations,
    Operations,
    failures,
    listing,
    operations,
    stage,
    type_name,
)
from codegen.explain.inspection.terminal import lines
from codegen.explain.symbols import symbols
from codegen.ir.cost import cost
from codegen.ir.program import Arg
from codegen.ir.ranges import pairs
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.notation.prose import plain
from codegen.notation.unicode import line
from codegen.passes.pipeline import optimised
from codegen.proof.derivation import derivation
from codegen.provenance.parts import parts
from codegen.provenance.shown import joined
from codegen.provenance.trace import STEP_KEYS


def document(kernel: Kernel | Routine, name: str, options: Options) -> str:
    """The kernel as a JSON object; with the name of a stage only that stage."""
    content = _stage(kernel, name, options) if name else _whole(kernel, options)
    return json_text(content)


def _whole(kernel: Kernel | Routine, options: Options) -> dict[str, Any]:
    facts = {
        "kernel": kernel.name,
        "module": kernel.module,
        "title": plain(kernel.title),
        "details": plain(kernel.details),
        "inputs": [_argument(a) for a in kernel.inputs],
        "outputs": [_argument(a) for a in kernel.outputs],
        "equation": list(parts(kernel)),
        "symbols": [
            {
                "names": s.names,
                "of": s.of,
                "meaning": joined(s.meaning, str, line),
                "unit": s.unit,
                "frame": s.frame,
            }
            for s in symbols(kernel)
        ],
        "source": plain(kernel.source),
        "requires": plain(kernel.requires),
        "failures": [{"flag": flag, **_failure(case)} for flag, case in failures(kernel, options)],
        "c": {p.name: listing(kernel, options, p) for p in options.formats},
    }
    if isinstance(kernel, Routine):
        return {**facts, "calls": list(kernel.calls), "cost": kernel.cost}
    program = optimised(kernel, options.checks)
    return {
        **facts,
        "steps": [{key: plain(getattr(step, key)) for key in STEP_KEYS} for step in derivation(kernel)],
        "program": [{"name": n, "operation": text} for n, text in operations(program)],
        "cost": asdict(cost(program)),
    }


def _failure(case: Failure) -> dict[str, Any]:
    texts = {key: plain(text) for key, text in asdict(case).items() if isinstance(text, str)}
    return {**texts, "certified": case.certified}


def _argument(a: Arg) -> dict[str, Any]:
    return {"name": a.name, "type": type_name(a.type), "unit": a.unit, "frame": a.frame, "doc": plain(a.doc),
            "scalars": a.scalar_names, **({"range": pairs(a.ends)} if a.ends else {}),
            **({"optional": True} if a.optional else {})}  # fmt: skip


def _stage(kernel: Kernel | Routine, name: str, options: Options) -> dict[str, Any]:
    return {
        "kernel": kernel.name,
        "stage": name,
        "content": [_block(b) for b in stage(kernel, name, options)],
    }


def _block(b: Block) -> Any:
    """Equations and operations as objects, other blocks as text."""
    if isinstance(b, (Equations, Operations)):
        return [{"name": left, "expression": str(right)} for left, right in b.rows]
    return "\n".join(lines(b))
