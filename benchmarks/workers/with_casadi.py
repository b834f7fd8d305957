"""CasADi: SX functions with cse, its own C."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import casadi

from benchmarks.workers.graph import SCALARS, Problem, answer, arithmetic, evaluate, split, symbol

NAMES = ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan2", "exp", "log")
TABLE = arithmetic({name: getattr(casadi, name) for name in NAMES})


def results(problem: Problem) -> list[Any]:
    """The results as SX; the inputs go with them."""
    inputs = [casadi.SX.sym(name, size) for name, size in problem["inputs"]]
    scalars = [scalar for vector in inputs for scalar in casadi.vertsplit(vector)]
    values = evaluate(problem, scalars, TABLE, lambda c: casadi.SX(c.numerator) / c.denominator)
    if problem["ranges"]:
        stacked, values = casadi.vertcat(*values), []
        for ranges in problem["ranges"]:
            by = casadi.vertcat(*(s for first, last in ranges for s in scalars[first:last]))
            values += casadi.vertsplit(casadi.vec(casadi.densify(casadi.jacobian(stacked, by)).T))
    return [inputs, values]


def generate(problem: Problem, found: list[Any]) -> dict[str, str]:
    """The C of a Function, once for float and once for double."""
    inputs, values = found
    outputs = [casadi.densify(casadi.vertcat(*part)) for part in split(problem, values)]
    code = {}
    for precision, real in SCALARS.items():
        name = symbol(problem, "casadi", precision)
        source = casadi.CodeGenerator(name, {"casadi_real": real, "with_header": False})
        source.add(casadi.Function(name, inputs, outputs, {"cse": True}))
        code[precision] = source.dump()
    return code


answer(results, generate, version("casadi"))
