"""specialise: partial evaluation for a precision: named constants become numbers and are folded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from codegen.errors import FeatherError
from codegen.ir.operations import Op
from codegen.ir.program import Node, Program
from codegen.ir.rewriting import Builder, rebuild
from codegen.ir.systems import NumberSystem, Precision, exact_of, fractions, multiprecision
from codegen.passes.fold import fold


def specialise(program: Program, precision: Precision) -> Program:
    """The Program with eps, min, max and pi as numbers, and all values that depend only on them folded."""

    def rule(graph: Builder, node: Node, _: int) -> int:
        op, args, value = node
        if op is Op.NAMED:
            return graph.constant(precision.named(str(value)))
        return graph.add(op, *args, value=value)

    return fold(rebuild(program, rule), _constants(precision))


def _constants(precision: Precision) -> NumberSystem:
    """Arithmetic for the constants of a Program: exact, or with sixty digits where a value is irrational."""
    exact, fine = fractions(precision), multiprecision(precision, 60)

    def either(op: Op) -> Callable[..., object]:
        def operate(*args: Fraction) -> object:
            try:
                return exact.table[op](*args)
            except ArithmeticError:
                lifted = [fine.constant(a) if isinstance(a, Fraction) else a for a in args]
                return _fraction(fine.table[op](*lifted))

        return operate

    return replace(exact, table={op: either(op) for op in exact.table})


_LARGEST = 2**14
"""Limit on the exponents of constants that are kept as fractions, far beyond those of a double."""


def _fraction(number: object) -> Fraction:
    _, _, exponent, bits = number._mpf_  # type: ignore[attr-defined]
    if abs(exponent + bits) > _LARGEST:
        raise FeatherError(f"a constant is about 2^{exponent + bits}, which no floating-point format holds")
    return exact_of(number)
