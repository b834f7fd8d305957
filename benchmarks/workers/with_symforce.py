"""SymForce: the terms of its C++ back end, in C."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import Any

import symforce

symforce.set_epsilon_to_number(0.0)

import symforce.symbolic as sf  # noqa: E402  (epsilon must be set first)
from symforce.codegen import CppConfig, codegen_util  # noqa: E402
from symforce.values import Values  # noqa: E402

from benchmarks.workers.graph import (  # noqa: E402
    SCALARS,
    Problem,
    accessors,
    answer,
    arithmetic,
    evaluate,
    from_cpp,
    function,
    split,
)

NAMES = ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan2", "exp", "log")
TABLE = arithmetic({name: getattr(sf, name) for name in NAMES})


def results(problem: Problem) -> list[Any]:
    """The results as SymForce expressions; the symbols go with them."""
    symbols = [sf.Symbol(name) for name in accessors(problem["inputs"])]
    values = evaluate(problem, symbols, TABLE, lambda c: sf.Rational(c.numerator, c.denominator))
    if problem["ranges"]:
        column, values = sf.Matrix(values), []
        for ranges in problem["ranges"]:
            by = sf.Matrix([s for first, last in ranges for s in symbols[first:last]])
            derivative = column.jacobian(by)
            values += [derivative[i, j] for i in range(derivative.rows) for j in range(derivative.cols)]
    return [symbols, values]


def generate(problem: Problem, found: list[Any]) -> dict[str, str]:
    """The C of its intermediate and output terms."""
    symbols, values = found
    inputs = Values()
    first = 0
    for name, size in problem["inputs"]:
        part = symbols[first : first + size]
        inputs[name] = sf.Matrix(size, 1, part) if size > 1 else part[0]
        first += size
    outputs = Values()
    for (name, size), part in zip(problem["outputs"], split(problem, values), strict=True):
        outputs[name] = sf.Matrix(size, 1, part)
    printed = codegen_util.print_code(inputs, outputs, {}, CppConfig())
    lines = [f"const Scalar {name} = {term};" for name, term in printed.intermediate_terms]
    lines += [f"{target} = {term};" for output in printed.dense_terms for target, term in output.terms]
    names = "|".join(name for name, size in (*problem["inputs"], *problem["outputs"]))
    indexed = [re.sub(rf"\b_?({names})\((\d+), 0\)", r"\1[\2]", line) for line in lines]
    return {
        precision: function(problem, "symforce", precision, [from_cpp(line, precision) for line in indexed])
        for precision in SCALARS
    }


answer(results, generate, version("symforce"))
