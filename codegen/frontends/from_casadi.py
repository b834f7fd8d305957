"""Converts CasADi SX functions into Programs.

CasADi's truth values are numbers and its if_else is a sum of two products; both are turned back into
conditions and selects. Symbols that stand for exact constants (see `systems.casadi_system`) get their values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import casadi
import numpy as np

from codegen.errors import FeatherError
from codegen.frontends.interpolants import LINEAR, tables_of
from codegen.frontends.lookups import LOOKUP, looked_up, scalars_of
from codegen.frontends.symmetry import check_symmetric
from codegen.ir.expression import Expr, constant, digits
from codegen.ir.operations import HYPERBOLIC, LEAVES, NAMED_CONSTANTS, Op, Sort
from codegen.ir.program import Arg, Program, input_scalars, program_of
from codegen.ir.refusals import UNKNOWN
from codegen.ir.status import Status
from codegen.ir.types import Array
from codegen.modeling.types import scalar
from codegen.modeling.types.scalar import exp, log, select, sqrt

CONSTANT = "="
"""Begins the names of the symbols that stand for exact constants."""


def lower(
    inputs: Sequence[Arg],
    outputs: Sequence[Arg],
    function: Any,
    flags: Sequence[Status] = (),
) -> Program:
    """The Program of an SX Function.

    The function's arguments, taken together in their order and row by row, are the input scalars; likewise
    its results. Results after those of the outputs are requirements, one for each flag.
    """
    scalars = input_scalars(inputs)
    taken = _by_position(function, _as_matrices(function, inputs, scalars))
    produced = _interpret(function, taken)
    dense = [_row_major(function, k, produced) for k in range(function.n_out())]
    flat = [
        x
        for part in _triangles(function, inputs, outputs, dense[: function.n_out() - len(flags)])
        for x in part
    ]
    expected = sum(a.size for a in outputs)
    if len(flat) != expected:
        raise FeatherError(f"the CasADi function gives {len(flat)} scalars, but the outputs take {expected}")
    conditions = [_condition(part[0]) for part in dense[function.n_out() - len(flags) :]]
    return program_of(inputs, outputs, _accepted(outputs, flat), list(zip(conditions, flags, strict=True)))


def _as_matrices(function: Any, inputs: Sequence[Arg], scalars: Sequence[Expr]) -> list[Expr]:
    """The scalars as the function takes them: both triangles where it takes a Symmetric input as a matrix."""
    parts: list[Expr] = []
    first = 0
    for k, a in enumerate(inputs):
        own = list(scalars[first : first + a.size])
        rows = a.type.matrix(own) if isinstance(a.type, Array) else None
        whole = rows and function.n_in() == len(inputs) and function.size_in(k) == (len(rows), len(rows[0]))
        parts += [x for row in rows for x in row] if rows and whole else own
        first += a.size
    return parts


def _triangles(
    function: Any, inputs: Sequence[Arg], outputs: Sequence[Arg], results: Sequence[list[Any]]
) -> list[list[Any]]:
    """The results, of which those for Symmetric outputs may be whole matrices, as the outputs' scalars."""
    if len(results) != len(outputs):
        return list(results)
    found = []
    for k, (a, result) in enumerate(zip(outputs, results, strict=True)):
        table = np.fromiter(result, dtype=object).reshape(function.size_out(k))
        same = a.type.elements(table) if isinstance(a.type, Array) else None
        if same is not None:
            _check_mirrored(inputs, a, same)
        found.append(result if same is None else [s[0] for s in same])
    return found


def _check_mirrored(inputs: Sequence[Arg], output: Arg, same: Sequence[list[Any]]) -> None:
    pairs = [(n, s) for n, s in zip(output.scalar_names, same, strict=True) if len(s) > 1]
    if pairs:
        twice = Arg("twice", Array((2 * len(pairs),)), "", "")
        names = [name for name, _ in pairs]
        both = program_of(inputs, [twice], _accepted([twice], [e for _, s in pairs for e in s]))
        check_symmetric(both, names)


def function_of(name: str, arguments: Sequence[Any], results: Sequence[Any]) -> Any:
    """An SX Function of these arguments.

    The symbols of exact constants and of look-ups become further arguments, each after those it depends on.
    """
    free: dict[str, Any] = {}
    waiting = list(results)
    while waiting:
        for s in casadi.symvar(casadi.SX(waiting.pop())):
            if s.name()[0] in (CONSTANT, LOOKUP) and s.name() not in free:
                free[s.name()] = s
                waiting += scalars_of(s.name()) if s.name()[0] == LOOKUP else []
    last = sorted(free, key=lambda name: (name[0] == LOOKUP, name))
    return casadi.Function(name, [*arguments, *(free[name] for name in last)], results)


def rounds(function: Any) -> bool:
    """Whether a Function has a constant that CasADi may have rounded: one of more than 15 digits."""
    symbols = [s.name() for s in function.sx_in() if s.is_scalar() and s.is_symbolic()]
    at = [scalar for name in symbols if name.startswith(LOOKUP) for scalar in scalars_of(name)]
    parts = [function, casadi.Function("at", function.sx_in(), [casadi.vertcat(*map(casadi.SX, at))])]
    return any(
        part.instruction_id(k) == casadi.OP_CONST and digits(repr(part.instruction_constant(k))) > 15
        for part in parts
        for k in range(part.n_instructions())
    )


def _by_position(function: Any, scalars: Sequence[Expr]) -> dict[tuple[int, int], Expr]:
    """The expression for each non-zero of each argument."""
    taken: dict[tuple[int, int], Expr] = {}
    indices: dict[int, Expr] = {}
    stream = iter(scalars)
    for k in range(function.n_in()):
        name, sparsity = function.sx_in(k), function.sparsity_in(k)
        symbol = name.name() if name.is_scalar() and name.is_symbolic() else ""
        if symbol.startswith(LOOKUP):
            taken[k, 0] = looked_up(symbol, lambda scalar: _part(function, taken, scalar), indices)
            continue
        if symbol.startswith("=") or function.name_in(k).startswith("="):
            taken[k, 0] = exact_constant(symbol or function.name_in(k))
            continue
        rows, columns = sparsity.shape
        positions = {rc: n for n, rc in enumerate(zip(*sparsity.get_triplet(), strict=True))}
        for row in range(rows):
            for column in range(columns):
                scalar = next(stream, None)
                if scalar is None:
                    raise FeatherError(
                        f"the CasADi function takes more than the {len(scalars)} scalars of its arguments"
                    )
                if (row, column) in positions:
                    taken[k, positions[row, column]] = scalar
    if next(stream, None) is not None:
        raise FeatherError(
            f"the CasADi function takes fewer than the {len(scalars)} scalars of its arguments"
        )
    return taken


def _part(function: Any, taken: Mapping[tuple[int, int], Expr], scalar: Any) -> Expr:
    """The value of a scalar over the function's arguments, of which those before a look-up are known."""
    part = casadi.Function("part", function.sx_in(), [casadi.SX(scalar)])
    everything = {
        (k, n): taken.get((k, n), constant(0)) for k in range(part.n_in()) for n in range(part.nnz_in(k))
    }
    (value,) = _interpret(part, everything).values()
    if isinstance(value, Refused):
        raise FeatherError(value.why)
    return _real(value)


def exact_constant(symbol: str) -> Expr:
    """The constant that a symbol `=1/3` or `=eps` stands for."""
    name = symbol.removeprefix("=")
    return Expr(Op.NAMED, (), name) if name in NAMED_CONSTANTS else constant(Fraction(name))


def _row_major(function: Any, k: int, produced: Mapping[tuple[int, int], Any]) -> list[Any]:
    """Result k as dense scalars, row by row."""
    sparsity = function.sparsity_out(k)
    rows, columns = sparsity.shape
    positions = {rc: n for n, rc in enumerate(zip(*sparsity.get_triplet(), strict=True))}
    zero = constant(0)
    return [
        produced[k, positions[r, c]] if (r, c) in positions else zero
        for r in range(rows)
        for c in range(columns)
    ]


def _interpret(function: Any, taken: Mapping[tuple[int, int], Expr]) -> dict[tuple[int, int], Any]:
    """Run the function's instructions on expressions; each result is an expression or refused."""
    work: dict[int, Any] = {}
    produced: dict[tuple[int, int], Any] = {}
    for k in range(function.n_instructions()):
        code, i, o = (
            function.instruction_id(k), function.instruction_input(k), function.instruction_output(k),
        )  # fmt: skip
        if code == casadi.OP_INPUT:
            work[o[0]] = taken[i[0], i[1]]
        elif code == casadi.OP_OUTPUT:
            produced[o[0], o[1]] = work[i[0]]
        elif code == casadi.OP_CALL:
            called = function.instructions_sx()[k].which_function()
            work.update(zip(o, _called(called, [work[a] for a in i]), strict=True))
        else:
            refused = next((work[a] for a in i if isinstance(work[a], Refused)), None)
            work[o[0]] = refused or _operation(function, k, [work[a] for a in i])
    return produced


_REMEDIES = {
    "MXFunction": "leave out its option never_inline",
    "BSplineInterpolant": "make it 'linear', or call a codegen.Table, whose method 'cubic' is another spline",
}
_NO_FORMULA = (
    "C has no formula for it: write an expression in its place, as casadi.simpleRK does of an integrator, or "
    "make its result an argument"
)


def _called(function: Any, args: Sequence[Any]) -> list[Any]:
    """The results of a Function that another one calls, all non-zeros in a row, as its arguments are."""
    kind, name = function.class_name(), function.name()
    if kind == LINEAR:
        refused = [x for x in args if isinstance(x, Refused)]
        return refused[:1] * function.nnz_out() or [t(*map(_real, args)) for t in tables_of(function)]
    if kind != "SXFunction":
        remedy = _REMEDIES.get(kind, _NO_FORMULA)
        return [Refused(f"CasADi calls {name}, of the class {kind}: {remedy}")] * function.nnz_out()
    places = [(k, n) for k in range(function.n_in()) for n in range(function.nnz_in(k))]
    produced = _interpret(function, dict(zip(places, args, strict=True)))
    return [produced[k, n] for k in range(function.n_out()) for n in range(function.nnz_out(k))]


@dataclass(frozen=True)
class Refused:
    """A value that C cannot compute, and the reason; values computed from it are refused, too."""

    why: str


def _operation(function: Any, k: int, args: list[Any]) -> Expr | Refused:
    """The value of instruction k, which is neither an input nor an output."""
    code = function.instruction_id(k)
    if code == casadi.OP_CONST:
        double = function.instruction_constant(k)
        return constant(double) if math.isfinite(double) else Refused(f"{double} is not a finite constant")
    if code in _RULES:
        return _RULES[code](*args)
    names = {getattr(casadi, n): n for n in dir(casadi) if n.startswith("OP_")}
    return Refused(
        f"CasADi's {names[code]} is not an operation that C can be generated for: write it by others, "
        f"{UNKNOWN}"
    )


def _accepted(outputs: Sequence[Arg], results: Sequence[Expr | Refused]) -> list[Expr]:
    """The results; FeatherError with the output that holds a refused one."""
    accepted = []
    for name, x in zip((n for a in outputs for n in a.scalar_names), results, strict=True):
        if isinstance(x, Refused):
            raise FeatherError(f"output {name}: {x.why}")
        accepted.append(_real(x))
    return accepted


def _real(x: Expr) -> Expr:
    if x.op.result is Sort.BOOLEAN:
        return select(x, constant(1), constant(0))
    return x


def _condition(x: Expr) -> Expr:
    return x if x.op.result is Sort.BOOLEAN else (x < 0) | (x > 0)


def _gated(x: Expr) -> tuple[Expr, Expr] | None:
    """(condition, value) of an IF_ELSE_ZERO, which is kept as select(condition, value, 0).

    CasADi writes one of value 1 as the condition itself.
    """
    if x.op.result is Sort.BOOLEAN:
        return x, constant(1)
    if x.op is Op.SELECT and x.args[2].op is Op.CONSTANT and x.args[2].value == 0:
        return x.args[0], x.args[1]
    return None


def _add(a: Expr, b: Expr) -> Expr:
    """A sum, or the select that CasADi wrote as c*x + (not c)*y."""
    left, right = _gated(a), _gated(b)
    if left and right:
        (c, x), (d, y) = left, right
        if d.op is Op.NOT and _same(d.args[0], c):
            return _chosen(c, x, y)
        if c.op is Op.NOT and _same(c.args[0], d):
            return _chosen(d, y, x)
    return Expr(Op.ADD, (_real(a), _real(b)))


def _chosen(condition: Expr, a: Expr, b: Expr) -> Expr:
    """A select, or the absolute value that was written as one, as CasADi differentiates that as a select."""
    is_sign = condition.op is Op.LT and condition.args[1].value == 0
    if is_sign and condition.args[0] is b and a.op is Op.NEG and a.args[0] is b:
        return Expr(Op.ABS, (b,))
    return Expr(Op.SELECT, (condition, a, b))


def _same(a: Expr, b: Expr) -> bool:
    """Whether two conditions are the same expression of the same nodes."""
    if a is b:
        return True
    alike = a.op is b.op and a.value == b.value
    return alike and (a.op in LEAVES or a.op.result is Sort.BOOLEAN) and all(map(_same, a.args, b.args))


def _product(a: Expr, b: Expr) -> Expr:
    """A product; twice x is x + x, as some versions of CasADi write it and others do not."""
    for factor, other in ((a, b), (b, a)):
        if factor.op is Op.CONSTANT and factor.value == 2:
            return Expr(Op.ADD, (other, other))
    return Expr(Op.MUL, (a, b))


def _power(base: Expr, exponent: Expr) -> Expr:
    if exponent.op is Op.CONSTANT and isinstance(exponent.value, Fraction):
        whole = exponent.value
        if whole.denominator == 1:
            return base ** int(whole)
        if whole.denominator == 2:
            magnitude = abs(whole)
            root: Expr = sqrt(base) * base ** int(magnitude - Fraction(1, 2))
            return root if whole > 0 else Expr(Op.DIV, (constant(1), root))
    return exp(exponent * log(base))  # type: ignore[no-any-return]


def _on_reals(build: Callable[..., Expr]) -> Callable[..., Expr]:
    return lambda *args: build(*map(_real, args))


def _on_conditions(build: Callable[..., Expr]) -> Callable[..., Expr]:
    return lambda *args: build(*map(_condition, args))


def _op(op: Op) -> Callable[..., Expr]:
    return _on_reals(lambda *args: Expr(op, args))


_RULES: Mapping[int, Callable[..., Expr]] = {
    casadi.OP_ASSIGN: lambda a: a,
    casadi.OP_ADD: _add,
    casadi.OP_SUB: _op(Op.SUB),
    casadi.OP_MUL: _on_reals(_product),
    casadi.OP_DIV: _op(Op.DIV),
    casadi.OP_NEG: _op(Op.NEG),
    casadi.OP_SQ: _on_reals(lambda a: a * a),
    casadi.OP_TWICE: _on_reals(lambda a: a + a),
    casadi.OP_INV: _on_reals(lambda a: 1 / a),
    casadi.OP_POW: _on_reals(_power),
    casadi.OP_CONSTPOW: _on_reals(_power),
    casadi.OP_SQRT: _op(Op.SQRT),
    casadi.OP_SIN: _op(Op.SIN),
    casadi.OP_COS: _op(Op.COS),
    casadi.OP_TAN: _op(Op.TAN),
    casadi.OP_ASIN: _op(Op.ASIN),
    casadi.OP_ACOS: _op(Op.ACOS),
    casadi.OP_ATAN2: _op(Op.ATAN2),
    casadi.OP_ATAN: _on_reals(lambda a: Expr(Op.ATAN2, (a, constant(1)))),
    casadi.OP_EXP: _op(Op.EXP),
    casadi.OP_LOG: _op(Op.LOG),
    **{getattr(casadi, f"OP_{op.name}"): _op(op) for op in (*HYPERBOLIC, Op.LOG1P, Op.EXPM1, Op.FLOOR)},
    casadi.OP_ASINH: _on_reals(scalar.asinh),
    casadi.OP_ACOSH: _on_reals(scalar.acosh),
    casadi.OP_ATANH: _on_reals(scalar.atanh),
    casadi.OP_CEIL: _on_reals(scalar.ceil),
    casadi.OP_HYPOT: _on_reals(scalar.hypot),
    casadi.OP_FMOD: _on_reals(scalar.fmod),
    casadi.OP_REMAINDER: _on_reals(scalar.remainder),
    casadi.OP_COPYSIGN: _on_reals(scalar.copysign),
    casadi.OP_FABS: _op(Op.ABS),
    casadi.OP_FMIN: _op(Op.MIN),
    casadi.OP_FMAX: _op(Op.MAX),
    casadi.OP_SIGN: _on_reals(scalar.sign),
    casadi.OP_LT: _op(Op.LT),
    casadi.OP_LE: _op(Op.LE),
    casadi.OP_EQ: _on_reals(lambda a, b: (a <= b) & (b <= a)),
    casadi.OP_NE: _on_reals(lambda a, b: (a < b) | (b < a)),
    casadi.OP_NOT: _on_conditions(lambda a: ~a),
    casadi.OP_AND: _on_conditions(lambda a, b: a & b),
    casadi.OP_OR: _on_conditions(lambda a, b: a | b),
    casadi.OP_IF_ELSE_ZERO: lambda c, x: Expr(Op.SELECT, (_condition(c), _real(x), constant(0))),
}
