"""Vectors for selftest.c: inputs, expected results and tolerances of every function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from codegen.algebra import Angles
from codegen.c99 import literal
from codegen.domain import cases
from codegen.function import Function
from codegen.options import Options
from codegen.oracle import Oracle
from codegen.systems import Precision

VECTORS = 3
_LEEWAY = 4
"""Another compiler may contract multiply-adds, another libm be an ulp off: four times our own tolerance."""


def selftest_context(functions: Sequence[Function], options: Options) -> dict[str, Any]:
    """What the template needs of each function."""
    return {"tests": [_test(f, options) for f in functions]}


def _test(f: Function, options: Options) -> dict[str, Any]:
    inputs = [p for p in f.parameters if p.direction == "in"]
    outputs = [p for p in f.parameters if p.direction == "out"]
    vectors = list(_vectors(f, options.checks))
    return {
        "symbol": f.symbol,
        "scalar": f.precision.ctype,
        "suffix": "F" if f.precision.name == "f32" else "",
        "returns_status": f.returns_status,
        "vectors": vectors,
        "n_outputs": sum(p.arg.size for p in outputs),
        "locals": [_local(p) for p in f.parameters],
        "loads": [_in_local(s) for p in inputs for s in p.scalars],
        "results": [_in_local(s) for p in outputs for s in p.scalars],
        "call": ", ".join(
            p.arg.name if p.passed == "value" or p.shape else f"&{p.arg.name}" for p in f.parameters
        ),
    }


def _local(p: Any) -> str:
    """The declaration of a variable that holds the argument."""
    extent = f"[{p.arg.size}]" if p.shape else ""
    return f"{p.type} {p.arg.name}{extent}"


def _in_local(scalar: str) -> str:
    """The C of a scalar when the object is a variable, not behind a pointer."""
    return scalar.replace("->", ".").lstrip("*")


def _vectors(f: Function, checks: bool) -> Iterator[dict[str, Any]]:
    oracle = Oracle(f.kernel, f.precision, checks)
    found, statuses = 0, set()
    for case in cases(f.kernel.inputs, VECTORS, f"selftest {f.kernel.name}"):
        if found >= VECTORS and not f.returns_status:
            break
        rounded = [f.precision.rounded(x) for x in case]
        expected = oracle.expected(rounded)
        if expected is None or _near_wrap(f, expected.results):
            continue
        if found >= VECTORS and (expected.status == 0 or expected.status in statuses):
            continue
        tolerances = oracle.tolerances(f.program, rounded)
        if tolerances is None:
            continue
        found += 1
        statuses.add(expected.status)
        yield {
            "inputs": _literals(rounded, f.precision),
            "expected": [_printed(x, f.precision) for x in expected.results],
            "tolerance": [_above(t, f.precision) for t in tolerances],
            "status": expected.status,
        }


def _near_wrap(f: Function, results: Sequence[Any]) -> bool:
    """Whether an angle is so near to half a turn that rounding may turn its sign."""
    kinds = [p.arg.type for p in f.parameters if p.direction == "out" for _ in range(p.arg.size)]
    return any(k is Angles and abs(x) > 3 for k, x in zip(kinds, results, strict=True))


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
