"""SymPy: cse, and its C99 printer for each statement."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy
from sympy.codegen.ast import float32, float64, real

from benchmarks.workers.graph import SCALARS, Problem, accessors, answer, arithmetic, evaluate, function

NAMES = ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan2", "exp", "log")
TABLE = arithmetic({name: getattr(sympy, name) for name in NAMES})


def _rational(number: Fraction) -> Any:
    return sympy.Rational(number.numerator, number.denominator)


def results(problem: Problem) -> list[Any]:
    """The results as SymPy expressions of symbols that are named like the C of the inputs."""
    symbols = [sympy.Symbol(name, real=True) for name in accessors(problem["inputs"])]
    values: list[Any] = evaluate(problem, symbols, TABLE, _rational)
    if problem["ranges"]:
        column, values = sympy.Matrix(values), []
        for ranges in problem["ranges"]:
            by = [s for first, last in ranges for s in symbols[first:last]]
            values += list(column.jacobian(by))
    return values


def generate(problem: Problem, values: list[Any]) -> dict[str, str]:
    """The C of the common subexpressions and of the results."""
    targets = [f"{name}[{i}]" for name, size in problem["outputs"] for i in range(size)]
    shared, reduced = sympy.cse(values, sympy.numbered_symbols("t"))
    code = {}
    for precision, scalar in SCALARS.items():
        aliases = {real: float32 if precision == "f32" else float64}
        lines = [
            f"const {scalar} {s} = {sympy.ccode(e, standard='C99', type_aliases=aliases)};" for s, e in shared
        ]
        lines += [
            f"{target} = {sympy.ccode(e, standard='C99', type_aliases=aliases)};"
            for target, e in zip(targets, reduced, strict=True)
        ]
        code[precision] = function(problem, "sympy", precision, lines)
    return code


answer(results, generate, sympy.__version__)
