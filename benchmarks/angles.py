"""What the sines and cosines of a function take alone: the part of its time that arithmetic cannot save."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.calls import plain
from benchmarks.candidates import OPTIONS, Candidate
from benchmarks.problems import Problem
from codegen.emit.options import PAIRS
from codegen.frontends.define import formula_kernel
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import PRECISIONS, traced
from codegen.ir.types import Array, flatten
from codegen.modeling.kernel import Kernel
from codegen.passes.pipeline import optimised
from codegen.tree.write import generate


def name_of(function: str) -> str:
    """The name of the kernel of a function's angles."""
    return f"{function}_angles"


def problem_of(kernel: Kernel) -> Problem:
    """The sines and cosines that a kernel takes, as results of a function of the same arguments."""
    program = optimised(kernel, OPTIONS.checks)
    taken = [i for i, node in enumerate(program.nodes) if node.op in (Op.SIN, Op.COS)]
    return Problem(_of_angles(kernel, program, taken), other=kernel.name)


def _of_angles(kernel: Kernel, program: Program, taken: list[int]) -> Kernel:
    def formula(*arguments: Any) -> Any:
        values = evaluate(program, traced(), flatten(arguments)).values
        return [values[i] for i in taken]

    return formula_kernel(
        formula,
        module=kernel.name,
        name=name_of(kernel.name),
        inputs=kernel.inputs,
        outputs=(Arg("angles", Array((len(taken),)), "1", "sines and cosines"),),
        title="The sines and cosines of a function.",
        equation="",
        source="a benchmark",
    )


def candidate(problem: Problem, place: Path) -> Candidate:
    """Its C."""
    kernel = problem.kernel
    tree = place / kernel.name
    generate([kernel], replace(OPTIONS, sincos=PAIRS), tree)
    sources = {p: tree / f"fc_{kernel.module}_{p}.c" for p in PRECISIONS}
    symbols = {p: f"fc_{kernel.name}_{p}" for p in PRECISIONS}
    return Candidate(problem, "featherc", "expert", sources, symbols, plain)
