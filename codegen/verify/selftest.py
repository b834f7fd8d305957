"""The tables of selftest.c: inputs, expected results and tolerances of every function, and its call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from codegen.emit.body import Statement
from codegen.emit.c99 import emit, held_literal, literal
from codegen.emit.function import Function, calls_math
from codegen.emit.layout import Parameter
from codegen.emit.options import Options
from codegen.emit.routine import RoutineFunction
from codegen.ir.accepted import further
from codegen.ir.domain import Case, cases, turned
from codegen.ir.program import Arg, Program
from codegen.ir.systems import Precision, exact_of
from codegen.ir.types import Array, is_angular
from codegen.parallel import mapped
from codegen.passes import simplified
from codegen.passes.specialise import specialise
from codegen.verify.leftout import LeftOut, in_short, in_words, leave_out, shown
from codegen.verify.oracle import Oracle, Unknown, invariants_program
from codegen.verify.routine_selftest import routine_test
from codegen.verify.statuses import statuses

VECTORS = 3
_TURNED = 5
_LEEWAY = 4
"""The factor on verify's tolerance: another compiler may fuse multiply-adds, another libm be an ulp off."""

_LOCAL = "arg_"
"""The prefix of variables that hold whole numbers; no other name has it."""


def selftest_context(functions: Sequence[Function | RoutineFunction], options: Options) -> dict[str, Any]:
    """The values for the template: tests of straight-line functions by precision, and those of routines."""
    tests = list(mapped(lambda f: _test(f, options), [f for f in functions if isinstance(f, Function)]))
    return {
        "macro": options.prefix.upper(),
        "status": f"{options.prefix}status",
        "math": any(t["math"] for t in tests),
        "precisions": [_precision(p, tests) for p in options.formats],
        "left_out": [line for t in tests for line in t["left_out"]],
        "routines": [routine_test(f) for f in functions if isinstance(f, RoutineFunction)],
    }


def _precision(precision: Precision, all_tests: Sequence[dict[str, Any]]) -> dict[str, Any]:
    tests = [t for t in all_tests if t["precision"] == precision.name and t["rows"]]
    most = max([1, *(t["results"] for t in tests)])
    return {"name": precision.name, "scalar": precision.ctype, "tests": tests, "most": most}


def _test(f: Function, options: Options) -> dict[str, Any]:
    """The table of a function, and the body of the function that calls it with the arrays of a row."""
    left_out: list[LeftOut] = []
    rows = list(_rows(f, options.checks, left_out))
    invariants = invariants_program(f.kernel)
    return {
        "symbol": f.symbol,
        "left_out": list(_left_out_in_words(f, left_out, tested=bool(rows))),
        "precision": f.precision.name,
        "rows": rows,
        "inputs": sum(a.size for a in f.kernel.inputs),
        "results": sum(a.size for a in Oracle(f.kernel, f.precision, options.checks).compared),
        "body": list(_calling(f, options)),
        "math": invariants is not None and calls_math(invariants),
    }


def _calling(f: Function, options: Options) -> Iterator[Statement]:
    """Call the function on the arrays `in` and `out`; every type is contiguous scalars of its precision."""
    inputs = [p for p in f.parameters if p.direction == "in"]
    outputs = [p for p in f.parameters if p.direction == "out"]
    invariants = invariants_program(f.kernel)
    results = "out" if invariants is None else "results"
    yield from (Statement("", "", f"(void){name}") for name, p in (("in", inputs), ("out", outputs)) if not p)
    if invariants is not None:
        yield Statement("", "", f"{f.precision.ctype} results[{sum(p.arg.size for p in outputs)}]")
    wholes = [(p, place) for p, place in _places(outputs) if p.type == "int"]
    yield from (Statement("", "", f"int {_LOCAL}{p.arg.name}{_extent(p)}") for p, _ in wholes)
    passed = [_passed(p, place, "in") for p, place in _places(inputs)]
    passed += [_passed(p, place, results) for p, place in _places(outputs)]
    call = f"{f.symbol}({', '.join(passed)})"
    if any(p.arg.optional for p in outputs):  # a second call without them must return the same otherwise
        yield Statement("", "", f"(void){call}" if f.returns_status else call)
        kept = zip([*inputs, *outputs], passed, strict=True)
        call = f"{f.symbol}({', '.join('0' if p.arg.optional else text for p, text in kept)})"
    if f.returns_status and not wholes and invariants is None:
        yield Statement("", "", f"return {call}")
        return
    status = f"const {options.prefix}status status" if f.returns_status else ""
    yield Statement("", status, call)
    for p, place in wholes:
        yield from _converted(p, place, results, f.precision)
    if invariants is not None:
        yield from _observed(invariants, f)
    yield Statement("", "", "return status" if status else f"return {options.prefix.upper()}OK")


def _places(parameters: Sequence[Parameter]) -> Iterator[tuple[Parameter, int]]:
    """Each parameter with the index of its first scalar among those of all parameters."""
    place = 0
    for p in parameters:
        yield p, place
        place += p.arg.size


def _extent(p: Parameter) -> str:
    return f"[{p.arg.size}]" if p.shape else ""


def _passed(p: Parameter, place: int, array: str) -> str:
    """The C argument for a parameter whose scalars begin at an index of an array."""
    if p.type == "int":
        return _LOCAL + p.arg.name if p.shape else f"&{_LOCAL}{p.arg.name}"
    if p.passed == "value":
        return f"{array}[{place}]"
    start = f"&{array}[{place}]" if place else array
    const = "const " if p.direction == "in" else ""
    return start if p.type in ("float", "double") else f"({const}{p.type} *){start}"


def _converted(p: Parameter, place: int, array: str, precision: Precision) -> Iterator[Statement]:
    """Convert whole numbers into an array of the precision."""
    for k in range(p.arg.size):
        element = f"{_LOCAL}{p.arg.name}" + (f"[{k}]" if p.shape else "")
        yield Statement("", f"{array}[{place + k}]", f"({precision.ctype}){element}")


def _observed(invariants: Program, f: Function) -> Sequence[Statement]:
    """The statements that compute the invariants from `in` and `results` into `out`."""
    given, found = sum(a.size for a in f.kernel.inputs), sum(a.size for a in f.kernel.outputs)
    program = simplified(specialise(invariants, f.precision))
    count = len(program.results)
    arrays = [Arg(name, Array((n,)), "", "") for name, n in (("in", given), ("results", found)) if n]
    program = replace(program, inputs=tuple(arrays), outputs=(Arg("out", Array((count,)), "", ""),))
    sources = [f"in[{i}]" for i in range(given)] + [f"results[{i}]" for i in range(found)]
    return emit(program, f.precision, sources, [f"out[{i}]" for i in range(count)]).statements


def _rows(f: Function, checks: bool, left_out: list[LeftOut]) -> Iterator[list[str]]:
    """A row for each case: status, inputs, expected results, tolerances."""
    for vector in _vectors(f, checks, left_out):
        status = literal(Fraction(vector["status"]), f.precision)
        yield [status, *vector["inputs"], *vector["expected"], *vector["tolerance"]]


def _left_out_in_words(f: Function, left_out: Sequence[LeftOut], tested: bool) -> Iterator[str]:
    for x in left_out:
        count = f"{x.count} inputs are" if x.count > 1 else "an input is"
        yield f"{f.symbol}: {count} left out: {x.example}."
    if not tested:
        yield f"{f.symbol} is not tested here: no input is left."


def _trials(f: Function) -> list[Case]:
    """Calls with inputs of the domain; some return no flag, also where the first ones all return one."""
    kernel, seed = f.kernel, f"selftest {f.kernel.name}"
    found = list(cases(kernel.inputs, VECTORS, seed))
    near = turned(kernel.inputs, _most(f) - VECTORS, seed)
    return [*further(kernel.inputs, kernel.program(True), found[:VECTORS], 1, VECTORS, seed), *near, *found]


def _most(f: Function) -> int:
    """How many test vectors a function has, apart from those for its flags.

    One with sines and cosines in pairs has more, with angles of two turns to either side.
    """
    return VECTORS + _TURNED if f.cost.sincos else VECTORS


def _vectors(f: Function, checks: bool, left_out: list[LeftOut]) -> Iterator[dict[str, Any]]:
    """The test vectors of a function; trials without an expected result are added to `left_out`."""
    oracle = Oracle(f.kernel, f.precision, checks)
    found, most = 0, _most(f)
    statuses: set[int] = set()
    for case, returned in _with_status(f, iter(_trials(f))):
        if found >= most and not f.returns_status:
            break
        if found >= most and returned in (0, *statuses):  # saves most calls of the oracle
            continue
        expected = oracle.expected(f.program, case)
        if isinstance(expected, Unknown):
            inputs = in_short(f, oracle.rounded(case), expected.node)
            leave_out(left_out, expected.reason.value, in_words(f, expected, inputs))
            continue
        if _near_wrap(oracle.compared, expected.values):
            example = f"an angle of the result is next to half a turn at {shown(oracle.rounded(case))}"
            leave_out(left_out, "half turn", example)
            continue
        if found >= most and (expected.status == 0 or expected.status in statuses):
            continue
        found += 1
        statuses.add(expected.status)
        yield {
            "inputs": _literals(case, f.precision),
            "expected": [_printed(x, f.precision) for x in expected.values],
            "tolerance": [_above(t, f.precision) for t in expected.tolerances],
            "status": expected.status,
        }


def _with_status(f: Function, trials: Iterator[Case]) -> Iterable[tuple[Case, int]]:
    """Each case with the status that the function returns in its own arithmetic."""
    if not f.returns_status:
        return ((case, 0) for case in trials)
    drawn = list(trials)
    return zip(drawn, statuses(f.program, f.precision, drawn), strict=True)


def _near_wrap(compared: Sequence[Arg], values: Sequence[Any]) -> bool:
    """Whether an angle is so near to half a turn that rounding may change its sign."""
    kinds = [a.type for a in compared for _ in range(a.size)]
    return any(is_angular(k) and abs(x) > 3 for k, x in zip(kinds, values, strict=True))


def _above(tolerance: Any, precision: Precision) -> str:
    """A round number not below the tolerance; the largest one if no number is above it."""
    size = float(_LEEWAY * tolerance)
    generous = Fraction(f"{size:.2g}") * Fraction(21, 20) if size < precision.max else precision.max
    bounded = min(max(precision.min, generous), precision.max) if generous else generous
    return literal(bounded, precision)


def _printed(x: Any, precision: Precision) -> str:
    return "".join(_literals([exact_of(x)], precision))


def _literals(numbers: Sequence[Fraction], precision: Precision) -> list[str]:
    return [held_literal(precision.rounded(x), precision) for x in numbers]
