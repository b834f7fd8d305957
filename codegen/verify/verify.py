"""Verifies compiled C against the oracle at random, adversarial and edge inputs, in both precisions."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from itertools import chain
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from codegen.emit.function import Function, function
from codegen.emit.manifest import recorded_options
from codegen.emit.options import Options
from codegen.emit.routine import RoutineFunction
from codegen.errors import CheckFailed, FeatherError
from codegen.ir.accepted import further, returns_no_flag
from codegen.ir.cost import Cost
from codegen.ir.domain import Case, cases
from codegen.ir.program import evaluate
from codegen.ir.systems import floating
from codegen.library.forms import trials
from codegen.library.routines import routines
from codegen.modeling.bind import bind
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.modeling.vehicle import of_vehicle
from codegen.parallel import apart, mapped
from codegen.proof.differences import difference_in_words
from codegen.proof.proof import prove
from codegen.verify.compiled import Compiled
from codegen.verify.hazards import first_infinite
from codegen.verify.leftout import (
    LeftOut,
    in_words,
    inputs_in_words,
    is_finding,
    leave_out,
    remedy,
    statement_of,
)
from codegen.verify.libraries import Library
from codegen.verify.manifest import base_name, read_manifest, undefined
from codegen.verify.native import STRICT, build, compilers
from codegen.verify.oracle import Expected, Oracle, Reason, Unknown, differences, parts
from codegen.verify.record import digest
from codegen.verify.sequences import sequences


@dataclass
class Verification:
    """The verdict on one function: its worst error in ulp and in units of eps times the condition.

    `cases` are the trials that were judged; those of `left_out` could not be. `program` is a digest of the
    Program that was verified, empty for a loop.
    """

    symbol: str
    kernel: str
    precision: str
    tolerance: int
    cost: Cost | None  # None where it grows with the arguments
    proof: str
    evidence: str = ""  # points, primes, bound of error and seed of the proof
    chance: float = 0.0  # the bound of error of the proof, as a logarithm to base 2
    cases: int = 0
    worst_ulp: float = 0.0
    worst_scaled: float = 0.0
    problems: list[str] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    program: str = ""
    unreached: bool = False  # no trial was found that returns no flag
    difference: str = ""  # an input at which forms of a kernel that is not proven differ, with both results

    @property
    def ok(self) -> bool:
        """Whether every case was within tolerance, with the right status."""
        return self.cases > 0 and not self.problems and not self.proof.startswith("failed")

    @property
    def verdict(self) -> str:
        """The verdict on the mathematics in a few words, without its reason."""
        return re.split(r":| inside|(?<=numerically) at", self.proof)[0]

    @property
    def failure(self) -> str:
        """The first problem, as text."""
        if self.problems:
            return self.problems[0]
        if self.proof.startswith("failed"):
            return f"{self.proof}; {self.difference}" if self.difference else self.proof
        return "no trial could be judged" + "".join(f"; {x.example}" for x in self.left_out)

    @property
    def hint(self) -> str:
        """What to do where the formula may need more than the limit; empty where that is not likely."""
        is_likely = self.tolerance < self.worst_scaled < _LIKELY * self.tolerance
        if not is_likely or self.proof.startswith("failed"):
            return ""
        return (
            f"{self.symbol}: the scaled error is {self.worst_scaled:.3g}, the limit {self.tolerance}. "
            "A power multiplies the error of a computed value: if the formula has a high one, state "
            f"tolerance={ceil(1.5 * self.worst_scaled)} in @kernel"
        )

    @property
    def trials_left_out(self) -> int:
        """The number of trials that are left out, because no result of them is known."""
        return sum(x.count for x in self.left_out)


_LIKELY = 8
"""Errors of so many times the limit are not likely to be those of a good formula."""


def verify(
    directory: Path,
    kernels: Mapping[str, Kernel],
    count: int = 40,
    progress: Callable[[Sequence[str]], Any] = lambda symbols: symbols,
    names: Collection[str] | None = None,
) -> Iterator[Verification]:
    """Compile a generated tree strictly and compare each function with the oracle; a Row for each.

    With `names`, only functions of these kernels are compared. The rows come one by one, kernel by kernel in
    the order of the manifest. CheckFailed when a compiler warns; FeatherError when the tree holds a kernel
    that is not among `kernels`.
    """
    manifest = read_manifest(directory)
    described: dict[str, list[Mapping[str, Any]]] = {}
    for description in _named(manifest, names, directory):
        described.setdefault(description["kernel"], []).append(description)
    prefix = manifest["prefix"]
    subjects = {name: _subject(group[0], kernels, prefix) for name, group in described.items()}
    return _compared(directory, manifest, described, subjects, count, progress)


def _compared(
    directory: Path,
    manifest: Mapping[str, Any],
    described: Mapping[str, Sequence[Mapping[str, Any]]],
    subjects: Mapping[str, Kernel | Routine],
    count: int,
    progress: Callable[[Sequence[str]], Any],
) -> Iterator[Verification]:
    """The verdicts on the described functions of each kernel, one by one."""
    options = recorded_options(manifest)
    strict_compile(directory, manifest)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        compiled = Library(directory, manifest, build(directory, manifest, Path(scratch) / "library.so"))

    def rows(name: str) -> list[Verification]:
        return [_row(subjects[name], d, options, compiled[d["symbol"]], count) for d in described[name]]

    found = chain.from_iterable(mapped(rows, list(described)))
    symbols = [description["symbol"] for group in described.values() for description in group]
    for _, row in zip(progress(symbols), found, strict=True):
        yield row


def _named(
    manifest: Mapping[str, Any], names: Collection[str] | None, directory: Path
) -> list[Mapping[str, Any]]:
    """The described functions of the named kernels, of every vehicle; FeatherError for one that has none."""
    every: list[Mapping[str, Any]] = list(manifest["functions"])
    if names is None:
        return every
    missing = sorted(set(names) - {base_name(description) for description in every})
    if missing:
        raise FeatherError(f"{directory} holds no function of kernel {missing[0]}: generate it there first")
    return [description for description in every if base_name(description) in names]


def reasons_in_words(rows: Sequence[Verification]) -> Iterator[str]:
    """For each kernel that is not proven, and did not fail, the reason."""
    reasons = {
        row.kernel: row.proof
        for row in rows
        if row.proof != row.verdict and not row.proof.startswith("failed")
    }
    yield from (f"{kernel}: {reason}" for kernel, reason in reasons.items())


def mathematics_in_words(rows: Sequence[Verification]) -> Iterator[str]:
    """The number of functions of each verdict, and the largest bound of error of a proof."""
    count = Counter(row.proof.partition(":")[0] for row in rows)
    yield f"{len(rows)} functions: {', '.join(f'{n} {verdict}' for verdict, n in count.most_common())}"
    proven = [row for row in rows if row.proof == "proven"]
    if proven:
        worst = max(proven, key=lambda row: row.chance)
        yield (
            f"proven: a difference goes unnoticed with a chance below 2^{worst.chance:.0f} "
            f"({worst.kernel}); --json states points, bound and seed of each function"
        )


def left_out_in_words(rows: Sequence[Verification]) -> Iterator[str]:
    """For each function and reason, the number of trials left out, with an example; then a remedy.

    Functions whose requirements hold at no trial are named, too.
    """
    for row in rows:
        for x in row.left_out:
            yield f"{row.symbol}: {x.count} of {row.cases + row.trials_left_out} trials left out: {x.example}"
    for row in rows:
        if row.unreached:
            yield (
                f"{row.symbol}: no input was found at which it returns no flag, so that its results there "
                "are not measured: declare the ranges of inputs in which its requirements hold"
            )
    of_size = (Reason.OVERFLOW.value, Reason.UNDERFLOW.value)
    if any(x.reason in of_size for row in rows for x in row.left_out):
        yield "A range, as in Arg(..., range=(-3.2, 3.2)), keeps trials to the values that an input can have."


def strict_compile(directory: Path, manifest: Mapping[str, Any]) -> None:
    """Compile with every warning an error, with each installed compiler; CheckFailed on the first warning."""
    import tempfile

    def compile_with(compiler: str) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            try:
                build(directory, manifest, Path(scratch) / "strict.so", compiler, [*STRICT, "-O2"])
            except FeatherError as error:
                raise CheckFailed(str(error)) from None

    with ThreadPoolExecutor() as pool:
        list(pool.map(compile_with, compilers()))


def _subject(description: Mapping[str, Any], kernels: Mapping[str, Kernel], prefix: str) -> Kernel | Routine:
    """The kernel of a described function with the bound values, or its routine."""
    name = base_name(description)
    if name in kernels:
        values = {k: tuple(map(Fraction, v)) for k, v in description.get("bound", {}).items()}
        bound = bind(kernels[name], values)
        return of_vehicle(bound, description["vehicle"]) if "vehicle" in description else bound
    if name in routines():
        return routines()[name]
    raise undefined(description, prefix)


def _row(
    subject: Kernel | Routine,
    description: Mapping[str, Any],
    options: Options,
    compiled: Compiled,
    count: int,
) -> Verification:
    """The verdict on one described function."""
    precision = {p.name: p for p in options.formats}[description["precision"]]
    if isinstance(subject, Routine):
        return try_routine(RoutineFunction(subject, precision, options), compiled)
    return check(function(subject, precision, options), compiled, options.checks, count)


def check(f: Function, compiled: Compiled, checks: bool, count: int) -> Verification:
    """Compare one compiled function with the oracle."""
    row = Verification(
        f.symbol, f.kernel.name, f.precision.name, f.kernel.tolerance, f.cost, *_mathematics(f.kernel),
        program=digest(f.program), difference=_difference(f.kernel),
    )  # fmt: skip
    oracle = Oracle(f.kernel, f.precision, checks)
    trials = list(cases(f.kernel.inputs, count, f"verify {f.kernel.name}"))
    further = _accepted(f.kernel, trials, count)
    row.unreached = further is None
    for case in [*trials, *(further or ())]:
        _compare(row, f, compiled, oracle, case)
    row.problems += _skipped(f, compiled, oracle)
    for case in sequences(f, lambda case: _found(f, compiled, oracle.rounded(case))[0], count):
        _compare(row, f, compiled, oracle, case)
    return row


def _accepted(kernel: Kernel, trials: Sequence[Case], count: int) -> Sequence[Case] | None:
    """Further trials that return no flag, where few of the trials do; None where none is found."""
    program = kernel.program(True)
    found = further(kernel.inputs, program, trials, count // 4, count // 2, f"verify {kernel.name}")
    is_reached = found or not program.status or any(returns_no_flag(program, trials))
    return found if is_reached else None


_SKIPPING = 4
"""Random trials in which optional results are skipped, beside those at edges."""


def _skipped(f: Function, compiled: Compiled, oracle: Oracle) -> list[str]:
    """Skip each optional result, and all of them: the problems, also where the function writes to NULL."""
    optional = [a.name for a in f.kernel.outputs if a.optional]
    if not optional:
        return []
    given = cases(f.kernel.inputs, _SKIPPING, f"skip results of {f.kernel.name}")
    trials = [oracle.rounded(case) for case in given]
    found: list[str] = []
    for skipped in dict.fromkeys([*((name,) for name in optional), tuple(optional)]):
        differing = apart(partial(_differing, f, compiled, trials, skipped))
        crashed = [f"it crashes where {' and '.join(skipped)} is NULL"]
        found += crashed if differing is None else differing
    return found


def _differing(f: Function, compiled: Compiled, trials: Sequence[Case], skipped: Sequence[str]) -> list[str]:
    """The results, and the status, that change by a bit where others are skipped."""
    found: list[str] = []
    for case in trials:
        arguments = _arguments(f, compiled, case)
        whole, part = compiled(*arguments), compiled.without(skipped, *arguments)
        for name, x, y in zip(whole._fields, whole, part, strict=True):
            if y is not None and np.asarray(x).tobytes() != np.asarray(y).tobytes():
                left_out = " and ".join(skipped)
                found.append(f"{name} differs where {left_out} is NULL, at {inputs_in_words(f, case)}")
    return found


def _found(f: Function, compiled: Compiled, case: Case) -> tuple[list[float], int]:
    """The scalars that a compiled function returns, and its status."""
    outputs = call(f, compiled, case)
    status = int(outputs.pop()) if f.returns_status else 0
    return [float(x) for out in outputs for x in np.ravel(out)], status


def try_routine(f: RoutineFunction, compiled: Compiled) -> Verification:
    """Compare one compiled routine with the answers of its trials."""
    row = Verification(f.symbol, f.routine.name, f.precision.name, 1, None, "loops over proven kernels")
    for trial in trials(f.routine.name)(f.precision):
        outputs = list(compiled(*trial.inputs))
        status = int(outputs.pop()) if f.returns_status else trial.status
        if status != trial.status:
            row.problems.append(f"status {status} instead of {trial.status} in trial {row.cases}")
        for found, expected, tolerance in zip(outputs, trial.expected, trial.tolerances, strict=True):
            _compare_output(row, np.ravel(found), expected, tolerance)
        row.cases += 1
    return row


def _compare_output(row: Verification, found: Any, expected: Any, tolerance: Any) -> None:
    """Compare an output of a routine; one that is not determined need only be finite."""
    if not np.all(np.isfinite(found)):
        row.problems.append(f"a result is not finite in trial {row.cases}")
    if expected is None:
        return
    error, accepted = abs(found - np.ravel(expected)), np.ravel(tolerance)
    if not np.all(error <= accepted):
        row.problems.append(f"an error of {error.max():.3g} in trial {row.cases}")
    share = error[accepted > 0] / accepted[accepted > 0]
    row.worst_scaled = max(row.worst_scaled, *share, 0.0)


@cache
def _difference(kernel: Kernel) -> str:
    return difference_in_words(kernel) if _mathematics(kernel)[0].startswith("failed") else ""


def proof_status(kernel: Kernel) -> str:
    """The verdict on the kernel's mathematics."""
    return _mathematics(kernel)[0]


@cache
def _mathematics(kernel: Kernel) -> tuple[str, str, float]:
    """The verdict on the kernel's mathematics, its evidence, and the bound of error (log2)."""
    proof = prove(kernel)
    return proof.status, str(proof.verdict), proof.verdict.chance


def _compare(row: Verification, f: Function, compiled: Compiled, oracle: Oracle, exact: Case) -> None:
    expected, case = oracle.expected(f.program, exact), oracle.rounded(exact)
    if isinstance(expected, Unknown):
        _without_expectation(row, f, expected, case)
        return
    found, status = _found(f, compiled, case)
    mismatch = _mismatch(f, expected, found, status)
    errors = [] if mismatch else _errors(oracle, expected, found, case)
    if mismatch or any(e > t for e, t in zip(errors, expected.tolerances, strict=True)):
        underflow = None if f.returns_status else oracle.underflow(f.program, case)
        if underflow is not None:
            _without_expectation(row, f, Unknown(Reason.UNDERFLOW, underflow), case)
            return
    row.cases += 1
    if mismatch:
        infinite = _infinite(f, case) if status == expected.status else ""
        row.problems.append(f"{mismatch} at {inputs_in_words(f, case)}{infinite}")
        return
    names = [name for a in oracle.compared for name in a.scalar_names]
    units = [u for p in parts(oracle.compared, expected.values) for u in [_ulp(p, f)] * len(p)]
    for name, error, tolerance, unit in zip(names, errors, expected.tolerances, units, strict=True):
        row.worst_ulp = max(row.worst_ulp, float(error / unit))
        if error:  # where none is tolerated, it counts in ulp
            scaled = float(error / (tolerance or unit)) * f.kernel.tolerance
            row.worst_scaled = max(row.worst_scaled, scaled)
        if error > tolerance:
            row.problems.append(f"an error of {float(error):.3g} in {name} at {inputs_in_words(f, case)}")


def _mismatch(f: Function, expected: Expected, found: Sequence[float], status: int) -> str:
    """What is wrong with a call besides rounding: its status, or a result that is not finite."""
    if status != expected.status:
        return f"status {status} instead of {expected.status}"
    names = [name for a in f.kernel.outputs for name in a.scalar_names]
    wrong = [f"{name} is {x:g}" for name, x in zip(names, found, strict=True) if not np.isfinite(x)]
    return wrong[0] if wrong else ""


def _infinite(f: Function, case: Case) -> str:
    """The statement that is not finite, and what to do, as the end of a message; empty if there is none."""
    system = floating(f.precision)
    with np.errstate(all="ignore"):
        values = evaluate(f.program, system, [system.constant(x) for x in case]).values
    node = first_infinite(f.program, values)
    return (
        "" if node is None else f": {statement_of(f, node)} is {float(values[node]):g} there{_ROUNDED_AWAY}"
    )


_ROUNDED_AWAY = (
    ", although the formula has a value: write another form, as atan2(v, hypot(u, w)) for asin(v / V), or "
    "declare a range that leaves such inputs out"
)


def _errors(oracle: Oracle, expected: Expected, found: Sequence[float], case: Case) -> list[Any]:
    """The error of each scalar that is compared."""
    values = oracle.values(case, [oracle.system.constant(Fraction(x)) for x in found])
    return differences(oracle.compared, expected.values, values)


def _without_expectation(row: Verification, f: Function, unknown: Unknown, case: Case) -> None:
    """A trial without an expected result is a failure inside declared ranges, else it is left out."""
    words = in_words(f, unknown, inputs_in_words(f, case, unknown.node))
    if is_finding(f, unknown):
        row.cases += 1
        row.problems.append(f"{words}, inside the declared range{remedy(unknown)}")
    else:
        leave_out(row.left_out, unknown.reason.value, words)


def call(f: Function, compiled: Compiled, case: Case) -> list[Any]:
    """The outputs of a compiled function, for flattened inputs."""
    return list(compiled(*_arguments(f, compiled, case)))


def _arguments(f: Function, compiled: Compiled, case: Case) -> list[Any]:
    """The arguments of a call for flattened inputs."""
    arguments, first = list[Any](), 0
    for a in f.kernel.inputs:
        values = [float(x) for x in case[first : first + a.size]]
        arguments.append(values[0] if compiled_by_value(compiled, a.name) else values)
        first += a.size
    return arguments


def compiled_by_value(compiled: Compiled, name: str) -> bool:
    """Whether the argument is passed by value."""
    return any(a.label == name and a.by_value for a in compiled.arguments)


def _ulp(values: Sequence[Any], f: Function) -> Any:
    """The unit in the last place of the largest of an output's components."""
    context = values[0].context
    size = max(*map(abs, values), context.mpf(2) ** (3 - f.precision.exponent))
    _, exponent = context.frexp(size)
    return context.mpf(2) ** (int(exponent) - f.precision.digits)
