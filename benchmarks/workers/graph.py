"""What every worker does: read a problem as a graph of operations, hand it to the peer, answer with its C.

A problem is JSON: names and sizes of inputs and outputs, nodes (operation, arguments, value) with arguments
before their uses, the nodes of the results, and for derivatives the ranges of inputs of each matrix.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

SCALARS = {"f32": "float", "f64": "double"}

Problem = Mapping[str, Any]
Generate = Callable[[Problem, list[Any]], dict[str, str]]
"""(problem, its results as the peer's expressions) -> C text by precision."""


def accessors(arguments: Sequence[tuple[str, int]]) -> list[str]:
    """The C of each scalar of the arguments: `R[4]`, or `m` for one that is passed by value."""
    return [f"{name}[{i}]" if size > 1 else name for name, size in arguments for i in range(size)]


def evaluate(
    problem: Problem,
    inputs: Sequence[Any],
    table: Mapping[str, Callable[..., Any]],
    constant: Callable[[Fraction], Any],
) -> list[Any]:
    """The results as expressions of a peer: `table` has its operations, `constant` makes its numbers."""
    values: list[Any] = []
    for op, arguments, value in problem["nodes"]:
        if op == "input":
            values.append(inputs[value])
        elif op == "constant":
            values.append(constant(Fraction(value)))
        else:
            values.append(table[op](*(values[a] for a in arguments)))
    return [values[r] for r in problem["results"]]


def arithmetic(functions: Mapping[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """The table of operations of a peer whose expressions have operators."""
    return {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": lambda a, b: a / b,
        "neg": lambda a: -a,
        **functions,
    }


def split(problem: Problem, results: Sequence[Any]) -> list[list[Any]]:
    """The results, a list for each output."""
    parts, first = [], 0
    for _, size in problem["outputs"]:
        parts.append(list(results[first : first + size]))
        first += size
    return parts


def symbol(problem: Problem, peer: str, precision: str) -> str:
    """The C name of the function."""
    return f"{peer}_{problem['name']}_{problem['form']}_{precision}"


def function(problem: Problem, peer: str, precision: str, statements: Sequence[str]) -> str:
    """A C function with these statements; scalars come by value, everything else by pointer."""
    real = SCALARS[precision]
    inputs = [f"const {real} {n}[{s}]" if s > 1 else f"{real} {n}" for n, s in problem["inputs"]]
    outputs = [f"{real} {n}[{s}]" for n, s in problem["outputs"]]
    head = f"void {symbol(problem, peer, precision)}({', '.join(inputs + outputs)})"
    body = "".join(f"    {s}\n" for s in statements)
    return f"#include <math.h>\n\n{head};\n\n{head}\n{{\n{body}}}\n"


def from_cpp(text: str, precision: str) -> str:
    """C++ on `Scalar` and the standard library's functions as the same C."""
    suffix = "f" if precision == "f32" else ""
    text = re.sub(r"std::(\w+)", rf"\1{suffix}", text)
    text = re.sub(r"static_cast<Scalar>\(", "(Scalar)(", text)
    text = re.sub(r"(?<![\w(])Scalar\(|(?<=\()Scalar\(", "(Scalar)(", text)
    return text.replace("Scalar", SCALARS[precision])


def answer(results: Callable[[Problem], list[Any]], generate: Generate, version: str) -> None:
    """Read problems from standard input, print for each its C and the seconds that it took."""
    answers = []
    for problem in json.load(sys.stdin):
        started = time.perf_counter()
        code = generate(problem, results(problem))
        seconds = (time.perf_counter() - started) / len(code)
        answers.append({"code": code, "seconds": seconds})
    print(json.dumps({"version": version, "answers": answers}))
