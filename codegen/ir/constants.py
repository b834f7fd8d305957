"""Checks for invalid constants: a division by 0, the logarithm of -1, a number out of a precision's range."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.arrays import Constants
from codegen.ir.operations import LEAVES, Op
from codegen.ir.program import Program
from codegen.ir.systems import F64, NumberSystem, Precision, brief, exact_of, fractions, multiprecision

_UNKNOWN: Any = None


def check_constants(program: Program) -> None:
    """FeatherError, with the output, where a computed operation has no value for any inputs.

    An operand that a select with a constant condition excludes is not computed.
    """
    values = _constants(program)

    def problem(i: int) -> str:
        op, args, _ = program.nodes[i]
        undefined = op in _PROBLEMS and _undefined(op, [values[a] for a in args])
        return f"{_PROBLEMS[op]} whatever the inputs are" if undefined else ""

    _raise_first(program, values, problem)


def constant_angle(program: Program, i: int) -> Fraction | None:
    """The value of a node that is the angle of a constant point, to sixty digits, else None.

    Printed as a literal, it costs nothing.
    """
    op, args, _ = program.nodes[i]
    if op is not Op.ATAN2 or any(program.nodes[a].op is not Op.CONSTANT for a in args):
        return None
    system = multiprecision(F64)
    y, x = (system.constant(Fraction(program.nodes[a].value or 0)) for a in args)
    return exact_of(system.table[op](y, x))


def check_literals(program: Program, precision: Precision) -> None:
    """FeatherError, with the output, where the precision makes a constant zero or infinite."""

    def problem(i: int) -> str:
        op, _, value = program.nodes[i]
        if op is not Op.CONSTANT or not value:
            return ""
        number = Fraction(value)
        wrong = _wrong_as_literal(number, precision)
        return wrong and f"needs the constant {brief(number)}, which {wrong} in {precision.ctype}; {remedy}"

    remedy = "use other units" + ("" if precision is F64 else ", or only double (--precision f64)")
    _raise_first(program, _constants(program), problem)


def check_axes(program: Program, precision: Precision) -> None:
    """FeatherError, with the output, where the precision makes two nodes of an axis equal."""

    def problem(i: int) -> str:
        op, args, _ = program.nodes[i]
        array = program.nodes[args[0]].value if op is Op.CELL else None
        if not isinstance(array, Constants):
            return ""
        close = next(
            (a for a, b in pairwise(array.values) if precision.rounded(a) >= precision.rounded(b)), None
        )
        return (
            ""
            if close is None
            else f"needs the axis {array}, of which two nodes at {brief(close)} are "
            f"equal in {precision.ctype}; remove one, or generate only double (--precision f64)"
        )

    _raise_first(program, _constants(program), problem)


def _wrong_as_literal(number: Fraction, precision: Precision) -> str:
    try:
        return "" if precision.rounded(number) else "vanishes"
    except OverflowError:
        return "is not finite"


def _raise_first(program: Program, values: list[Any], problem: Callable[[int], str]) -> None:
    """FeatherError with the first output that needs a node with a problem."""
    problems = {i: text for i in range(len(program.nodes)) if (text := problem(i))}
    for where, root in _roots(program) if problems else ():
        for i in _computed(program, root, values):
            if i in problems:
                raise FeatherError(f"{where} {problems[i]}")


def _roots(program: Program) -> list[tuple[str, int]]:
    names = [name for a in program.outputs for name in a.scalar_names]
    results = [(f"output {name}", root) for name, root in zip(names, program.results, strict=True)]
    return results + [(f"the requirement of {flag.name}", node) for node, flag in program.status]


_PROBLEMS: Mapping[Op, str] = {
    Op.DIV: "divides by zero",
    Op.SQRT: "takes the square root of a negative number",
    Op.LOG: "takes the logarithm of a number that is not positive",
    Op.LOG1P: "takes the logarithm of a number that is not positive",
    Op.ASIN: "takes the arc sine of a number outside [-1, 1]",
    Op.ACOS: "takes the arc cosine of a number outside [-1, 1]",
}


def _undefined(op: Op, args: list[Any]) -> bool:
    """Whether the operation has no value; a constant is the last argument."""
    x = args[-1]
    if x is _UNKNOWN:
        return False
    if op is Op.DIV:
        return bool(x == 0)
    if op in (Op.ASIN, Op.ACOS):
        return bool(abs(x) > 1)
    if op is Op.LOG1P:
        return bool(x <= -1)
    return bool(x < 0) or (op is Op.LOG and bool(x == 0))


def _constants(program: Program) -> list[Any]:
    """The value of each node that is a constant: exact, or on fifty digits; others are unknown."""
    fine = multiprecision(F64)
    values: list[Any] = []
    for op, args, value in program.nodes:
        known = [values[a] for a in args]
        if op is Op.CONSTANT or op is Op.TRUTH:
            values.append(value)
        elif op is Op.NAMED:
            values.append(fine.named(str(value)))
        elif op in LEAVES or any(x is _UNKNOWN for x in known):
            values.append(_chosen(op, known))
        else:
            values.append(_value(op, known, fine))
    return values


def _chosen(op: Op, args: list[Any]) -> Any:
    """The value of the operand that a select with a known condition chooses, if it is known."""
    if op is Op.SELECT and args[0] is not _UNKNOWN:
        return args[1] if args[0] else args[2]
    return _UNKNOWN


def _value(op: Op, args: list[Any], fine: NumberSystem) -> Any:
    exact = all(isinstance(x, (Fraction, bool)) for x in args)
    for system in ([fractions()] if exact else []) + [fine]:
        lifted = [system.constant(x) if isinstance(x, Fraction) else x for x in args]
        try:
            return system.table[op](*lifted)
        except (ArithmeticError, ValueError):  # not rational, then without a value
            continue
    return _UNKNOWN


def _computed(program: Program, root: int, values: list[Any]) -> list[int]:
    """The nodes that a root needs, without operands that its selects are known to exclude."""
    seen: set[int] = set()
    stack = [root]
    while stack:
        i = stack.pop()
        if i in seen:
            continue
        seen.add(i)
        op, args, _ = program.nodes[i]
        if op is Op.SELECT and values[args[0]] is not _UNKNOWN:
            args = (args[1] if values[args[0]] else args[2],)
        stack.extend(args)
    return sorted(seen)
