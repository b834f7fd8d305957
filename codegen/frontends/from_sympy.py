"""Converts SymPy expressions into Programs.

SymPy orders sums and products by rules that change between versions, so the terms are put into an order
that depends only on the inputs that they contain: the same mathematics gives the same Program everywhere.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, reduce
from typing import Any, TypeAlias

import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from codegen.errors import FeatherError, naming
from codegen.frontends.parts_of_sums import Parts
from codegen.frontends.symmetry import check_symmetric
from codegen.ir.expression import PI, Expr, as_boolean, constant, power
from codegen.ir.opaque import array_of, sympy_functions
from codegen.ir.operations import HYPERBOLIC, Op, Sort
from codegen.ir.program import Arg, Program, input_scalars, program_of
from codegen.ir.refusals import UNKNOWN
from codegen.ir.types import Array
from codegen.modeling.equations import textbook
from codegen.modeling.given import errors_of
from codegen.modeling.types import scalar
from codegen.modeling.types.algebra import Quaternion
from codegen.modeling.types.scalar import exp, log, select, sqrt
from codegen.notation.functions import OF_SCALARS, Table

Key: TypeAlias = tuple[tuple[int, ...], str]


def lower(
    inputs: Sequence[Arg],
    outputs: Sequence[Arg],
    symbols: Sequence[Any],
    expressions: Sequence[Any],
) -> Program:
    """The Program of SymPy expressions, one for each output scalar, in symbols, one for each input scalar."""
    scalars = input_scalars(inputs)
    if len(scalars) != len(symbols):
        raise FeatherError(f"{len(symbols)} symbols were given for {len(scalars)} input scalars")
    by_symbol = dict(zip(symbols, scalars, strict=True))
    if len(by_symbol) < len(symbols):
        raise FeatherError("one symbol stands for two input scalars; give each a symbol of its own")
    names = _names(outputs)
    formulas = []
    for name, e in zip(names, expressions, strict=True):
        with naming(f"output {name}"):
            formulas.append(_sympified(e))
    lowering = _Lowering(by_symbol, formulas)
    results = []
    for name, e in zip(names, formulas, strict=True):
        with naming(f"output {name}"):
            results.append(lowering.real(e))
    return program_of(inputs, outputs, results)


def lower_matrices(inputs: Sequence[tuple[Arg, Any]], outputs: Sequence[tuple[Arg, Any]]) -> Program:
    """The Program of SymPy expressions and matrices, in symbols and matrices of symbols.

    Where a Symmetric input has a matrix of n^2 different symbols, two of them stand for each element beside
    its diagonal. A Symmetric result must be a symmetric matrix.
    """
    arguments, results = [a for a, _ in inputs], [a for a, _ in outputs]
    symbols = [[_sympified(x) for x in same] for arg, s in inputs for same in elements(arg, s)]
    alias = {other: first for first, *others in symbols for other in others if other != first}
    expressions = [same for arg, e in outputs for same in elements(arg, e)]
    mirrored = [[_sympified(e).xreplace(alias) if alias else e for e in same] for same in expressions]
    found = lower(arguments, results, [s[0] for s in symbols], [e[0] for e in mirrored])
    pairs = [(n, same) for n, same in zip(_names(results), mirrored, strict=True) if len(set(same)) > 1]
    if pairs:
        twice = [Arg("twice", Array((2 * len(pairs),)), "", "")]
        both = lower(arguments, twice, [s[0] for s in symbols], [e for _, same in pairs for e in same])
        check_symmetric(both, [name for name, _ in pairs])
    return found


def elements(arg: Arg, expression: Any) -> list[list[Any]]:
    """For each scalar of an argument, the SymPy expressions that stand for it: two beside a diagonal."""
    explicit = expression.as_explicit() if hasattr(expression, "as_explicit") else _stored(arg, expression)
    found = arg.type.elements(explicit) if isinstance(arg.type, Array) else None
    if found is not None:
        return found
    flat = list(explicit) if hasattr(explicit, "__len__") else [explicit]
    if len(flat) != arg.size:
        raise FeatherError(f"{arg.name} has {arg.size} scalars, but {len(flat)} expressions")
    return [[e] for e in flat]


def _stored(arg: Arg, expression: Any) -> Any:
    """The scalars of a SymForce object in its order, those of a quaternion in the order of the type."""
    if hasattr(expression, "shape") or not hasattr(expression, "to_storage"):
        return expression
    quaternion = getattr(expression, "q", expression)
    if isinstance(arg.type, type) and issubclass(arg.type, Quaternion) and hasattr(quaternion, "xyz"):
        return [quaternion.w, *quaternion.xyz]
    return expression.to_storage()


def _names(arguments: Sequence[Arg]) -> list[str]:
    return [name for a in arguments for name in a.scalar_names]


def applied(
    form: Callable[..., Any] | str, arguments: Sequence[Arg], outputs: Sequence[Arg], symbols: Sequence[Any]
) -> list[Any]:
    """The results of a form of a kernel, as one flat list: of its equations, or of its function in SymPy.

    The function gets a list of symbols for each argument, a Matrix where that is a matrix or vector, and the
    symbol itself for a single scalar. It returns one flat list, or a Matrix or list for each output.
    """
    if isinstance(form, str):
        return textbook.results(form, arguments, outputs, symbols, notation_table())
    with errors_of(form):
        returned = form(*_given(arguments, symbols))
    if not isinstance(returned, Iterable) and not hasattr(returned, "tolist"):  # as a Matrix of SymPy
        found = type(returned).__name__
        raise FeatherError(f"it returns {found}, but must return a list with an expression for each output")
    results = [returned] if hasattr(returned, "tolist") and len(outputs) == 1 else list(returned)
    if len(results) == len(outputs) and any(hasattr(r, "tolist") for r in results):
        pairs = zip(outputs, results, strict=True)
        return [same[0] for output, result in pairs for same in elements(output, result)]
    scalars = sum(a.size for a in outputs)
    if len(results) != scalars:
        raise FeatherError(f"it returns {len(results)} expressions for {scalars} output scalars")
    return results


def residuals(
    conditions: Callable[..., Any] | str,
    inputs: Sequence[Arg],
    outputs: Sequence[Arg],
    symbols: Sequence[Any],
) -> list[Any]:
    """What is zero where conditions on arguments and results hold."""
    if isinstance(conditions, str):
        return textbook.residuals(conditions, inputs, outputs, symbols, notation_table())
    return list(conditions(*_given([*inputs, *outputs], symbols)))


def _given(arguments: Sequence[Arg], symbols: Sequence[Any]) -> list[Any]:
    """The symbols of each argument, as a SymPy form takes them."""
    given, first = [], 0
    for a in arguments:
        part = list(symbols[first : first + a.size])
        rows = a.type.matrix(part) if isinstance(a.type, Array) else None
        given.append(sympy.Matrix(rows) if rows else part[0] if a.size == 1 else part)
        first += a.size
    return given


@cache
def notation_table() -> Table:
    """The functions of the notation on SymPy's expressions."""
    special = {"abs": sympy.Abs, "min": _unsimplified(sympy.Min), "max": _unsimplified(sympy.Max)}
    table: dict[str, Callable[..., Any]] = {n: special.get(n) or getattr(sympy, n) for n in OF_SCALARS}
    table["number"] = lambda value: sympy.Rational(value.numerator, value.denominator)
    table["constant"] = _constant
    table["variable"] = lambda name: sympy.Symbol(f"{name} of an integral", real=True)
    table["integral"] = _integral
    table["derivatives"] = lambda of, x: [_derivative(f, x) for f in of]
    table["select"] = _select
    return table


def _select(condition: Any, a: Any, b: Any) -> Any:
    """A choice as it is written: SymPy walks through all that its condition holds, as often as it is used."""
    return sympy.Piecewise((a, condition), (b, True), evaluate=False)


def _unsimplified(extreme: Any) -> Callable[..., Any]:
    """Min or Max as it is written: SymPy factors each pair of its arguments to find one that it may drop."""
    return lambda *arguments: extreme(*arguments, evaluate=False)


def _integral(f: Any, x: Any, a: Any, b: Any) -> Any:
    """The integral of f over x from a to b; of polynomials without SymPy's search for a method."""
    f = sympy.expand(f)
    if not f.is_polynomial(x):
        return sympy.integrate(f, (x, a, b))
    terms = sympy.Poly(f, x).terms()
    return sympy.Add(*(c * (b ** (n + 1) - a ** (n + 1)) / (n + 1) for (n,), c in terms))


def _derivative(f: Any, x: Any) -> Any:
    if not isinstance(x, sympy.Symbol):
        raise FeatherError(f"a derivative is by an argument, not by {x}")
    return sympy.diff(f, x)


def _constant(name: str) -> Any:
    if name != "pi":
        raise FeatherError(
            f"{name} is a constant of the precision, which only conditions of status flags have"
        )
    return sympy.pi


def _sympified(expression: Any) -> Any:
    try:
        found = sympy.sympify(expression, strict=True)
    except sympy.SympifyError:
        found = None
    if not isinstance(found, sympy.Basic):
        raise FeatherError(f"{type(expression).__name__} is not a SymPy expression")
    return found


def symbols_for(inputs: Sequence[Arg]) -> list[Any]:
    """A real SymPy symbol for each input scalar, by its name."""
    return [sympy.Symbol(name, real=True) for a in inputs for name in a.scalar_names]


class _Lowering:
    """Translates expressions bottom up; equal subexpressions are translated once."""

    def __init__(self, inputs: Mapping[Any, Expr], formulas: Sequence[Any]) -> None:
        self.inputs = inputs
        self.position = {symbol: i for i, symbol in enumerate(inputs)}
        self.done: dict[Any, Expr] = {}
        self.keys: dict[Any, Key] = {}
        self.parts = Parts(formulas, self._key)

    def real(self, e: Any) -> Expr:
        """The expression of a real SymPy expression."""
        if e not in self.done:
            self.done[e] = self._translate(e)
        return self.done[e]

    def _translate(self, e: Any) -> Expr:
        if e in self.inputs:
            return self.inputs[e]
        if e.is_Symbol:
            raise FeatherError(
                f"the symbol {e} is not among the arguments: make it one, or replace it with subs"
            )
        if e.is_Rational:
            return constant(Fraction(int(e.p), int(e.q)))
        if e.is_Float:
            return _float(e)
        if e is sympy.pi:
            return PI
        if e is sympy.E:
            return exp(constant(1))  # type: ignore[no-any-return]
        if e.is_Add:
            return self._sum(e)
        if e.is_Mul:
            return self._product(e)
        if e.is_Pow:
            return self._power(e.base, e.exp)
        if isinstance(e, sympy.Piecewise):
            return self._piecewise(e)
        return self._function(e)

    def _function(self, e: Any) -> Expr:
        if e in (sympy.oo, -sympy.oo, sympy.zoo, sympy.nan):
            raise FeatherError(f"{e} is not a finite constant")
        if type(e) in _LOOKUPS:
            return self._lookup(e)
        if isinstance(e, (sympy.Derivative, ExprWithLimits)) and not e.atoms(AppliedUndef):
            raise FeatherError(f"{e} is not evaluated: write .doit() behind it, or replace it with subs")
        of_time = isinstance(e, AppliedUndef) and not e.free_symbols <= self.inputs.keys()
        if of_time or isinstance(e, sympy.Derivative):
            raise FeatherError(f"{e} is not among the arguments: make it one, or replace it with subs")
        args = [self.real(a) for a in self._ordered(e)]
        if isinstance(e, sympy.atan):
            return Expr(Op.ATAN2, (args[0], constant(1)))
        if type(e).__name__ in _COMPOSED:
            return _COMPOSED[type(e).__name__](*args)
        op = _FUNCTIONS.get(type(e).__name__)
        if op is None:
            raise FeatherError(_without_c(type(e).__name__, e))
        return reduce(lambda a, b: Expr(op, (a, b)), args) if len(args) > 1 else Expr(op, (args[0],))

    def _lookup(self, e: Any) -> Expr:
        """A look-up in a table, with its array, indices and number."""
        op = _LOOKUPS[type(e)]
        lowered = {Sort.REAL: self.real, Sort.INDEX: self._index, Sort.ARRAY: self._array}
        sorts = op.sorts(len(e.args))
        return Expr(op, tuple(lowered[sort](a) for a, sort in zip(e.args, sorts, strict=True)))

    def _array(self, e: Any) -> Expr:
        return self.real(e) if e.args else Expr(Op.ARRAY, (), array_of(e.name))

    def _index(self, e: Any) -> Expr:
        return Expr(Op.WHOLE, (), int(e)) if e.is_Integer else self.real(e)

    def _sum(self, e: Any) -> Expr:
        terms = self._ordered(e)
        part = self.parts.largest(e)
        if part is not None:
            terms = [t for t in terms if t not in part.terms]
        plus = [self.real(t) for t in terms if not _negative(t)]
        minus = [self.real(-t) for t in terms if _negative(t)]
        if part is not None:
            (minus if part.negated else plus).insert(0, self.real(part.whole))
        if not plus:
            return -reduce(lambda a, b: a + b, minus)
        return reduce(lambda a, b: a - b, minus, reduce(lambda a, b: a + b, plus))

    def _product(self, e: Any) -> Expr:
        coefficient, rest = e.as_coeff_Mul()
        if coefficient.is_negative:
            return -self.real(-e)
        factors = self._ordered(rest) if rest.is_Mul else [rest]
        above = [f for f in factors if not _divides(f)]
        below = [1 / f for f in factors if _divides(f)]
        if coefficient != 1:
            above.insert(0, coefficient)
        numerator = self._times(above)
        return numerator / self._times(below) if below else numerator

    def _times(self, factors: list[Any]) -> Expr:
        return reduce(lambda a, b: a * b, map(self.real, factors)) if factors else constant(1)

    def _power(self, base: Any, exponent: Any) -> Expr:
        if exponent.is_Float:  # x**2.0 has a value for negative x, too
            exponent = _exact(exponent)
        if exponent.is_negative:
            return constant(1) / self.real(base ** (-exponent))  # type: ignore[no-any-return]
        if base is sympy.E:
            return exp(self.real(exponent))  # type: ignore[no-any-return]
        b = self.real(base)
        if exponent.is_Integer:
            return power(b, int(exponent))  # type: ignore[no-any-return]
        if exponent.is_Rational and exponent.q == 2:
            root, whole = sqrt(b), int(exponent.p) // 2
            return power(b, whole) * root if whole else root  # type: ignore[no-any-return]
        return exp(self.real(exponent) * log(b))  # type: ignore[no-any-return]

    def _piecewise(self, e: Any) -> Expr:
        *cases, (last, condition) = e.args
        if condition != True:  # noqa: E712  (SymPy's true is not Python's)
            raise FeatherError("a Piecewise needs a last case (value, True), or it has no value")
        return reduce(
            lambda rest, case: select(self.boolean(case[1]), self.real(case[0]), rest),
            reversed(cases),
            self.real(last),
        )

    def boolean(self, e: Any) -> Expr:
        """The expression of a SymPy condition."""
        if e in (sympy.true, sympy.false):
            return as_boolean(bool(e))
        if isinstance(e, (sympy.And, sympy.Or)):
            op = Op.AND if isinstance(e, sympy.And) else Op.OR
            parts = [self.boolean(a) for a in self._ordered(e)]
            return reduce(lambda a, b: Expr(op, (a, b)), parts)
        if isinstance(e, sympy.ITE):
            condition, then, otherwise = map(self.boolean, e.args)
            return (condition & then) | (~condition & otherwise)
        if isinstance(e, sympy.Xor):
            parts = [self.boolean(a) for a in e.args]
            return reduce(lambda a, b: (a & ~b) | (~a & b), parts)
        if isinstance(e, sympy.Not):
            return ~self.boolean(e.args[0])
        build = _RELATIONS.get(type(e).__name__)
        if build is None:
            raise FeatherError(f"{e} is not a condition that C can be generated for")
        return build(self.real(e.lhs), self.real(e.rhs))

    def _ordered(self, e: Any) -> list[Any]:
        commutes = e.is_Add or e.is_Mul or type(e).__name__ in ("Min", "Max", "And", "Or")
        return sorted(e.args, key=self._key) if commutes else list(e.args)

    def _key(self, e: Any) -> Key:
        """Sorts by the inputs inside, first ones first; a digest without names of inputs decides ties."""
        if e not in self.keys:
            if e in self.position:  # q(t) and M[0, 0] have arguments, too
                self.keys[e] = ((self.position[e],), f"input {self.position[e]}")
            elif not e.args:
                self.keys[e] = ((), f"{type(e).__name__}:{e}")
            else:
                below = [self._key(a) for a in self._ordered(e)]
                inside = tuple(sorted({i for indices, _ in below for i in indices}))
                text = type(e).__name__ + "".join(digest for _, digest in below)
                self.keys[e] = (inside, hashlib.sha256(text.encode()).hexdigest())
        return self.keys[e]


def _float(e: Any) -> Expr:
    """A Float that is a double means the decimal number that Python prints for it, any other means itself."""
    exact, double = sympy.Rational(e), float(e)
    if math.isfinite(double) and sympy.Rational(double) == exact:
        return constant(double)
    return constant(Fraction(int(exact.p), int(exact.q)))


def _exact(e: Any) -> Any:
    """The rational number that a Float means."""
    value = _float(e).value
    assert isinstance(value, Fraction)
    return sympy.Rational(value.numerator, value.denominator)


def _negative(term: Any) -> bool:
    return bool(term.as_coeff_Mul()[0].is_negative)


def _divides(factor: Any) -> bool:
    return bool(factor.is_Pow and factor.exp.is_negative)


def _sinc(x: Expr) -> Expr:
    """sin(x)/x, and 1 where x is 0."""
    is_zero = (x <= 0) & (x >= 0)
    return select(is_zero, constant(1), scalar.sin(x) / select(is_zero, constant(1), x))


_LOOKUPS = {function: op for op, function in sympy_functions().items()}

_FUNCTIONS = {
    "sin": Op.SIN, "cos": Op.COS, "tan": Op.TAN, "asin": Op.ASIN, "acos": Op.ACOS,
    **{op.label: op for op in (*HYPERBOLIC, Op.LOG1P, Op.EXPM1, Op.FLOOR)},
    "atan2": Op.ATAN2, "exp": Op.EXP, "log": Op.LOG, "Abs": Op.ABS, "Min": Op.MIN, "Max": Op.MAX,
}  # fmt: skip

_COMPOSED: Mapping[str, Callable[..., Expr]] = {
    "asinh": scalar.asinh,
    "acosh": scalar.acosh,
    "atanh": scalar.atanh,
    "sec": lambda x: 1 / scalar.cos(x),
    "csc": lambda x: 1 / scalar.sin(x),
    "cot": lambda x: scalar.cos(x) / scalar.sin(x),
    "acot": lambda x: select(x < 0, -scalar.atan2(1, -x), scalar.atan2(1, x)),
    "asec": lambda x: scalar.acos(1 / x),
    "acsc": lambda x: scalar.asin(1 / x),
    "sinc": _sinc,
    "sech": lambda x: 1 / scalar.cosh(x),
    "csch": lambda x: 1 / scalar.sinh(x),
    "coth": lambda x: 1 / scalar.tanh(x),
    "asech": lambda x: scalar.acosh(1 / x),
    "acsch": lambda x: scalar.asinh(1 / x),
    "acoth": lambda x: scalar.atanh(1 / x),
    "frac": lambda x: x - scalar.floor(x),
    "ceiling": scalar.ceil,
    "sign": scalar.sign,
    "Heaviside": lambda x, half: select(x > 0, constant(1), select(x < 0, constant(0), half)),
    "Mod": scalar.modulo,
    "SignNoZero": lambda x: select(x < 0, constant(-1), constant(1)),
    "CopysignNoZero": scalar.copysign,
    "hypot": scalar.hypot,
}
"""Functions that are made of others."""


def _without_c(name: str, e: Any) -> str:
    """Why there is no C for an expression, and what can be written in its place."""
    if isinstance(e, sympy.Equality):
        return "an equation is no value: return its side, e.rhs, or the difference e.lhs - e.rhs"
    if isinstance(e, Boolean):
        return f"the condition {e} is no number: write Piecewise((1, {e}), (0, True))"
    remedy = f"write it by others, as with .rewrite(), {UNKNOWN}"
    if name in _OF_COMPLEX:
        remedy = (
            "it is of complex numbers: declare the symbols with real=True, as in symbols('x y', real=True)"
        )
    return f"{name} is not a function that C can be generated for: {remedy}"


_OF_COMPLEX = ("re", "im", "arg", "conjugate", "ImaginaryUnit", "adjoint", "transpose")

_RELATIONS: Mapping[str, Callable[[Expr, Expr], Expr]] = {
    "StrictLessThan": lambda a, b: a < b,
    "LessThan": lambda a, b: a <= b,
    "StrictGreaterThan": lambda a, b: a > b,
    "GreaterThan": lambda a, b: a >= b,
    "Equality": lambda a, b: (a <= b) & (a >= b),
    "Unequality": lambda a, b: (a < b) | (a > b),
}
