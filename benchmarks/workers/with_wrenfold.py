"""wrenfold: the body of its C++ function, in C."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import Any

from wrenfold import sym, type_info
from wrenfold.code_generation import CppGenerator, FunctionDescription, transpile

from benchmarks.workers.graph import SCALARS, Problem, answer, arithmetic, evaluate, from_cpp, function, split

NAMES = ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan2", "exp", "log")
TABLE = arithmetic({name: getattr(sym, name) for name in NAMES if hasattr(sym, name)})


def results(problem: Problem) -> list[Any]:
    """The description of the function, with its outputs."""
    description = FunctionDescription(problem["name"])
    scalars: list[Any] = []
    for name, size in problem["inputs"]:
        if size > 1:
            vector = description.add_input_argument(name, type_info.MatrixType(size, 1))
            scalars += [vector[i] for i in range(size)]
        else:
            kind = type_info.ScalarType(type_info.NumericType.Float)
            scalars.append(description.add_input_argument(name, kind))
    values = evaluate(problem, scalars, TABLE, lambda c: sym.rational(c.numerator, c.denominator))
    if problem["ranges"]:
        column, values = values, []
        for ranges in problem["ranges"]:
            by = [s for first, last in ranges for s in scalars[first:last]]
            values += [value.diff(s) for value in column for s in by]
    for (name, _), part in zip(problem["outputs"], split(problem, values), strict=True):
        description.add_output_argument(name, False, sym.vector(*part))
    return [description]


def generate(problem: Problem, found: list[Any]) -> dict[str, str]:
    """The C of its statements; spans over contiguous scalars are arrays."""
    (description,) = found
    text = str(CppGenerator().generate(transpile(description)))
    body = text[text.index("{") + 1 : text.rindex("}")]
    body = re.sub(r"^\s*(?:auto .*;|//.*)$", "", body, flags=re.MULTILINE)
    body = re.sub(r"\b_(\w+)\((\d+), 0\)", r"\1[\2]", body)
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    return {
        precision: function(problem, "wrenfold", precision, [from_cpp(line, precision) for line in lines])
        for precision in SCALARS
    }


answer(results, generate, version("wrenfold"))
