"""Vectors for selftest.c: inputs, expected results and tolerances of every function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from codegen.emit.body import Statement
from codegen.emit.c99 import emit, literal
from codegen.emit.function import Function
from codegen.emit.layout import Parameter
from codegen.emit.options import Options
from codegen.emit.routine import RoutineFunction
from codegen.ir.domain import Case, cases
from codegen.ir.program import Arg, evaluate
from codegen.ir.systems import Precision, floating
from codegen.ir.types import is_angular
from codegen.parallel import mapped
from codegen.passes import simplified
from codegen.passes.specialise import specialise
from codegen.verify.leftout import LeftOut, in_words, leave_out, shown
from codegen.verify.oracle import Oracle, Unknown, invariants_program
from codegen.verify.routine_selftest import routine_test

VECTORS = 3
_LEEWAY = 4
"""Another compiler may contract multiply-adds, another libm be an ulp off: four times our own tolerance."""

_LOCAL = "arg_"
"""Begins the names of the variables that hold arguments, which may be called `error` or `found`."""


def selftest_context(functions: Sequence[Function | RoutineFunction], options: Options) -> dict[str, Any]:
    """What the template needs of each function."""
    tests = mapped(lambda f: _test(f, options), [f for f in functions if isinstance(f, Function)])
    return {
        "tests": [t for t in tests if t["vectors"]],
        "left_out": [line for t in tests for line in t["left_out"]],
        "routine_tests": [routine_test(f) for f in functions if isinstance(f, RoutineFunction)],
    }


def _test(f: Function, options: Options) -> dict[str, Any]:
    inputs = [p for p in f.parameters if p.direction == "in"]
    outputs = [p for p in f.parameters if p.direction == "out"]
    left_out: list[LeftOut] = []
    vectors = list(_vectors(f, options.checks, left_out))
    return {
        "symbol": f.symbol,
        "left_out": list(_left_out_in_words(f, left_out, tested=bool(vectors))),
        "scalar": f.precision.ctype,
        "suffix": "F" if f.precision.name == "f32" else "",
        "returns_status": f.returns_status,
        "vectors": vectors,
        "locals": [_local(p) for p in f.parameters],
        "loads": [_in_local(s) for p in inputs for s in p.scalars],
        "compared": sum(a.size for a in Oracle(f.kernel, f.precision, options.checks).compared),
        "observations": _observations(f, inputs, outputs),
        "call": ", ".join(
            _LOCAL + p.arg.name if p.passed == "value" or p.shape else f"&{_LOCAL}{p.arg.name}"
            for p in f.parameters
        ),
    }


def _local(p: Any) -> str:
    """The declaration of a variable that holds the argument."""
    extent = f"[{p.arg.size}]" if p.shape else ""
    return f"{p.type} {_LOCAL}{p.arg.name}{extent}"


def _observations(f: Function, inputs: Sequence[Parameter], outputs: Sequence[Parameter]) -> list[Statement]:
    """What puts the results, or their invariants, into `found`."""
    arguments = [_in_local(s) for p in inputs for s in p.scalars]
    results = [_as_real(p, f.precision) + _in_local(s) for p in outputs for s in p.scalars]
    invariants = invariants_program(f.kernel)
    if invariants is None:
        return [Statement("", f"found[{i}]", result) for i, result in enumerate(results)]
    program = simplified(specialise(invariants, f.precision))
    targets = [f"found[{i}]" for i in range(len(program.results))]
    body = emit(program, f.precision, [*arguments, *results], targets)
    return list(body.statements)


def _as_real(p: Any, precision: Precision) -> str:
    """The cast that makes an int output a floating-point number."""
    return f"({precision.ctype})" if p.type == "int" else ""


def _in_local(scalar: str) -> str:
    """The C of a scalar when the object is a variable, not behind a pointer."""
    return _LOCAL + scalar.replace("->", ".").lstrip("*")


def _left_out_in_words(f: Function, left_out: Sequence[LeftOut], tested: bool) -> Iterator[str]:
    for x in left_out:
        count = f"{x.count} inputs are" if x.count > 1 else "an input is"
        yield f"{f.symbol}: {count} left out: {x.example}."
    if not tested:
        yield f"{f.symbol} is not tested here: no input is left."


def _vectors(f: Function, checks: bool, left_out: list[LeftOut]) -> Iterator[dict[str, Any]]:
    """The vectors of a function's test; trials without a result that can be told go into `left_out`."""
    oracle = Oracle(f.kernel, f.precision, checks)
    found = 0
    statuses: set[int] = set()
    for case in cases(f.kernel.inputs, VECTORS, f"selftest {f.kernel.name}"):
        if found >= VECTORS and not f.returns_status:
            break
        if found >= VECTORS and _returned(f, case) in (0, *statuses):  # which spares the oracle most cases
            continue
        expected = oracle.expected(f.program, case)
        if isinstance(expected, Unknown):
            leave_out(left_out, expected.reason.value, in_words(f, expected, oracle.rounded(case)))
            continue
        if _near_wrap(oracle.compared, expected.values):
            example = f"an angle of the result is next to half a turn at {shown(oracle.rounded(case))}"
            leave_out(left_out, "half turn", example)
            continue
        if found >= VECTORS and (expected.status == 0 or expected.status in statuses):
            continue
        found += 1
        statuses.add(expected.status)
        yield {
            "inputs": _literals(case, f.precision),
            "expected": [_printed(x, f.precision) for x in expected.values],
            "tolerance": [_above(t, f.precision) for t in expected.tolerances],
            "status": expected.status,
        }


def _returned(f: Function, case: Case) -> int:
    """The status that the function returns in its own arithmetic."""
    import numpy as np

    system = floating(f.precision)
    with np.errstate(all="ignore"):
        met = evaluate(f.program, system, [system.constant(x) for x in case]).status
    return sum({flag for held, flag in met if not held})


def _near_wrap(compared: Sequence[Arg], values: Sequence[Any]) -> bool:
    """Whether an angle is so near to half a turn that rounding may turn its sign."""
    kinds = [a.type for a in compared for _ in range(a.size)]
    return any(is_angular(k) and abs(x) > 3 for k, x in zip(kinds, values, strict=True))


def _above(tolerance: Any, precision: Precision) -> str:
    """A round number not below the tolerance."""
    generous = Fraction(f"{float(_LEEWAY * tolerance):.2g}") * Fraction(21, 20)
    return literal(max(precision.min, generous), precision) if generous else literal(generous, precision)


def _printed(x: Any, precision: Precision) -> str:
    sign, mantissa, exponent, _ = x._mpf_
    exact = Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** int(exponent)
    return "".join(_literals([exact], precision))


def _literals(numbers: Sequence[Fraction], precision: Precision) -> list[str]:
    return [literal(precision.rounded(x), precision) for x in numbers]
