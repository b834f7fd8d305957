"""Dimensional analysis: evaluates a formula on units instead of numbers.

A sum of a length and a mass is an error in the formula; so is the sine of a length, or feet added to metres.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from codegen.errors import FeatherError, naming
from codegen.frontends.formula import output_scalars, typed_values
from codegen.ir.arrays import Constants
from codegen.ir.composite import Composite
from codegen.ir.expression import power
from codegen.ir.numpy_operands import elementwise, is_array, python_number, ufunc
from codegen.ir.operations import LIBM, Op, Sort
from codegen.ir.program import Arg, Program, evaluate, leaf
from codegen.ir.systems import NumberSystem, apply
from codegen.modeling.kernel import Kernel
from codegen.modeling.quantities.units import PLAIN, UNCHECKED, Unit, parse, scalar_units
from codegen.modeling.types.scalar import checking

ConstantRule: TypeAlias = Callable[[Fraction], "Unit | Kind"]
"""The unit of a constant, or the kind of constant that has none."""


class Kind(Enum):
    """The kinds of values that have no unit of their own."""

    ANY = "it may have any unit"
    COEFFICIENT = "a number that has any unit as a summand, and none as a factor"
    TRUTH = "true or false"
    LOST = "it is computed from a sum of different units"


ANY, COEFFICIENT, TRUTH, LOST = Kind
_ATOM = 9
_LARGEST = 9


def of_model(constant: Fraction) -> Unit | Kind:
    """A constant in a model: 2, 1/2 or 4/3 are coefficients, 0 and 9.80665 are quantities of any unit."""
    small = max(abs(constant.numerator), constant.denominator) <= _LARGEST
    return COEFFICIENT if small and constant else ANY


def of_robot(constant: Fraction) -> Unit | Kind:
    """A constant in a function of a robot: a mass of 2 kg or a length of 1/2 m is no coefficient."""
    return ANY


def of_pure_formula(constant: Fraction) -> Unit | Kind:
    """A constant in a formula without quantities: a plain number, except for zero."""
    return PLAIN if constant else ANY


@dataclass(frozen=True)
class Measured:
    """The unit of a computed value, or its kind, and the text of its formula for messages."""

    unit: Unit | Kind
    text: str
    system: NumberSystem = field(repr=False, compare=False)
    binds: int = _ATOM  # how tightly the outermost operator of the text binds

    def number_system(self) -> NumberSystem:
        """The number system of units."""
        return self.system

    def without_unit(self) -> Measured:
        """The value in any unit (`scalar.bare`)."""
        return replace(self, unit=ANY)

    @property
    def is_measured(self) -> bool:
        """Whether it has a unit of its own."""
        return isinstance(self.unit, Unit)

    def in_unit(self, unit: Unit, place: str) -> Measured:
        """The value in the unit that `place` declares for it; Inconsistent where it has another one."""
        if isinstance(self.unit, Unit) and self.unit != unit:
            times = f"{float(self.unit.factor / unit.factor):.10g}"
            convert = f"multiply it by {times}" if self.unit.dimension == unit.dimension else "convert it"
            raise Inconsistent(
                f"{place} is declared as {_shown(unit)}, but is called with {self.text}, "
                f"{_shown(self.unit)}; {convert}, or exempt it with bare(...)"
            )
        return replace(self, unit=unit) if self.unit in (ANY, COEFFICIENT) else self

    def __array_ufunc__(self, function: Any, method: str, *operands: Any, **options: Any) -> Any:
        return ufunc(function, method, operands, options)

    def __add__(self, other: Any) -> Any:
        return _binary(Op.ADD, self, other)

    def __radd__(self, other: Any) -> Any:
        return _binary(Op.ADD, other, self)

    def __sub__(self, other: Any) -> Any:
        return _binary(Op.SUB, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _binary(Op.SUB, other, self)

    def __mul__(self, other: Any) -> Any:
        return _binary(Op.MUL, self, other)

    def __rmul__(self, other: Any) -> Any:
        return _binary(Op.MUL, other, self)

    def __truediv__(self, other: Any) -> Any:
        return _binary(Op.DIV, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _binary(Op.DIV, other, self)

    def __lt__(self, other: Any) -> Any:
        return _binary(Op.LT, self, other)

    def __le__(self, other: Any) -> Any:
        return _binary(Op.LE, self, other)

    def __gt__(self, other: Any) -> Any:
        return _binary(Op.LT, other, self)

    def __ge__(self, other: Any) -> Any:
        return _binary(Op.LE, other, self)

    def __and__(self, other: Any) -> Any:
        return _binary(Op.AND, self, other)

    def __rand__(self, other: Any) -> Any:
        return _binary(Op.AND, other, self)

    def __or__(self, other: Any) -> Any:
        return _binary(Op.OR, self, other)

    def __ror__(self, other: Any) -> Any:
        return _binary(Op.OR, other, self)

    def __pow__(self, exponent: Any) -> Any:
        return power(self, int(exponent))

    def __pos__(self) -> Any:
        return self

    def __neg__(self) -> Any:
        return apply(Op.NEG, self)

    def __abs__(self) -> Any:
        return apply(Op.ABS, self)

    def __invert__(self) -> Any:
        return apply(Op.NOT, self)


def _binary(op: Op, left: Any, right: Any) -> Any:
    for side in (left, right):
        if is_array(side):
            return elementwise(lambda a, b: _binary(op, a, b), (left, right))
        if isinstance(side, Composite):
            return NotImplemented  # a vector scales itself
    return apply(op, python_number(left), python_number(right))


class Inconsistent(FeatherError):
    """An operation on incompatible units: in a sum, a comparison or a function."""


def check_units(kernel: Kernel) -> None:
    """FeatherError unless the kernel's formula gives the declared units of its outputs.

    The wrong operation raises the error, so that the traceback ends at its line. Scalars whose unit is
    `mixed`, `any` or empty are not checked; a constant has whatever unit a sum needs (`of_model`), and in
    functions of robots a product, too.
    """
    if kernel.of is not None:
        return check_units(kernel.of)
    system = measures(rule_of(kernel))
    arguments = kernel.all_inputs
    with naming(f"kernel {kernel.name}"):
        if kernel.formula is not None:
            results = _by_formula(kernel.formula, arguments, kernel.outputs, system)
        else:
            results = evaluate(kernel.program(), system, _measured(kernel.inputs, system)).results
        _compare(kernel.outputs, results)


def check_program(program: Program, constants: ConstantRule) -> None:
    """FeatherError unless the Program gives the declared units of its outputs."""
    system = measures(constants)
    _compare(program.outputs, evaluate(program, system, _measured(program.inputs, system)).results)


def rule_of(kernel: Kernel) -> ConstantRule:
    """The rule for the constants in a kernel's formula."""
    return of_model if kernel.robot is None else of_robot


def units_of(program: Program, rule: ConstantRule) -> list[Unit | None]:
    """The unit of each node's value, None where it is not known; constants have those of a rule.

    What is computed from a sum of different units, such as the sum of all results that is tested for being
    finite, has none.
    """
    system = measures(rule)
    scalars = _measured(program.inputs, system)
    values: list[Any] = []
    for node in program.nodes:
        below = [values[a] for a in node.args]
        try:
            if any(isinstance(v, Measured) and v.unit is LOST for v in below):
                raise Inconsistent
            values.append(system.table[node.op](*below) if node.args else leaf(node, system, scalars))
        except Inconsistent:
            values.append(Measured(TRUTH if node.op.result is Sort.BOOLEAN else LOST, "", system))
    known = (v.unit if isinstance(v, Measured) else None for v in values)
    return [unit if isinstance(unit, Unit) else None for unit in known]


def _by_formula(
    formula: Callable[..., Any], inputs: Sequence[Arg], outputs: Sequence[Arg], system: NumberSystem
) -> list[Any]:
    """The results of a formula, whose frames are in the traceback of an error."""
    with checking():
        return output_scalars(outputs, formula(*typed_values(inputs, _measured(inputs, system))))


def _measured(arguments: Sequence[Arg], system: NumberSystem) -> list[Measured]:
    names = [name for a in arguments for name in a.scalar_names]
    units = [unit for a in arguments for unit in scalar_units(a)]
    return [Measured(unit or ANY, name, system) for unit, name in zip(units, names, strict=True)]


def _compare(outputs: Sequence[Arg], results: Sequence[Any]) -> None:
    names = [name for a in outputs for name in a.scalar_names]
    wanted = [unit for a in outputs for unit in scalar_units(a)]
    for name, unit, result in zip(names, wanted, results, strict=True):
        found = result.unit if isinstance(result, Measured) else ANY
        if unit is not None and isinstance(found, Unit) and found != unit:
            raise Inconsistent(f"output {name} comes out in {found}, but its unit is {unit}; {_REMEDY}")


_REMEDY = 'correct one of them, or give the unit "" to an argument that is not to be checked'


@cache
def measures(constants: ConstantRule) -> NumberSystem:
    """The number system of units, for a rule about constants."""

    def constant(number: Fraction) -> Measured:
        shown = str(number) if number.denominator == 1 else f"{float(number):.6g}"
        return Measured(constants(number), shown, system)

    def operation(op: Op) -> Callable[..., Measured]:
        unit_of = _UNIT_OF[op]

        def operate(*operands: Any) -> Measured:
            args = [a if isinstance(a, Measured) else _as_measured(a, system) for a in operands]
            text, binds = _text(op, args)
            try:
                unit = unit_of(*(a.unit for a in args))
            except Inconsistent as error:
                raise Inconsistent(f"{text} {error}; {_REMEDY}") from None
            shown = (text, binds) if len(text) <= _WIDEST else ("(...)", _ATOM)
            return Measured(unit, shown[0], system, shown[1])

        return operate

    def named(name: str) -> Measured:
        return Measured(constants(Fraction(1)), name, system)

    system = NumberSystem("units", {op: operation(op) for op in Op if op.arguments}, constant, named)
    return system


def _as_measured(operand: Any, system: NumberSystem) -> Measured:
    """An array with its unit; a truth value or an index."""
    if not isinstance(operand, Constants):
        return Measured(TRUTH, str(operand), system)
    return Measured(ANY if operand.unit in UNCHECKED else parse(operand.unit), str(operand), system)


_WIDEST = 60
"""Characters of a formula that a message repeats."""


def _text(op: Op, args: Sequence[Measured]) -> tuple[str, int]:
    """An operation as it is written, and how tightly its operator binds."""
    if op is Op.ENTRY:
        return f"{args[0].text}[{args[1].text}]", _ATOM
    if op not in _OPERATORS:
        return f"{op.label}({', '.join(a.text for a in args)})", _ATOM
    symbol, level = _OPERATORS[op]
    a, b = args
    left = a.text if a.binds >= level else f"({a.text})"
    return f"{left} {symbol} " + (b.text if b.binds > level else f"({b.text})"), level


_OPERATORS = {
    Op.OR: ("|", 1), Op.AND: ("&", 2), Op.LT: ("<", 3), Op.LE: ("<=", 3),
    Op.ADD: ("+", 4), Op.SUB: ("-", 4), Op.MUL: ("*", 5), Op.DIV: ("/", 5),
}  # fmt: skip


def _same(verb: str) -> Callable[[Any, Any], Any]:
    """The unit of operands that must have one and the same."""

    def same(a: Any, b: Any) -> Any:
        if isinstance(a, Unit) and isinstance(b, Unit):
            if a != b:
                raise Inconsistent(f"{verb} {_shown(a)} and {_shown(b)}")
            return a
        if isinstance(a, Unit) or isinstance(b, Unit):
            return a if isinstance(a, Unit) else b
        return COEFFICIENT if a is b is COEFFICIENT else ANY

    return same


def _shown(unit: Unit) -> str:
    return "a plain number (or radians)" if unit == PLAIN else str(unit)


def _product(invert: bool) -> Callable[[Any, Any], Any]:
    def product(a: Any, b: Any) -> Any:
        if a is ANY or b is ANY:
            return ANY
        if a is b is COEFFICIENT:
            return COEFFICIENT
        left, right = (PLAIN if x is COEFFICIENT else x for x in (a, b))
        return left * right ** (-1 if invert else 1)

    return product


def _root(a: Any) -> Any:
    return (a.root or ANY) if isinstance(a, Unit) else a


def _plain(*args: Any) -> Any:
    """The unit of a function that takes plain numbers, or angles in radians."""
    for a in args:
        if isinstance(a, Unit) and a != PLAIN:
            raise Inconsistent(f"is of {a}, but must be of a plain number or of radians")
    return COEFFICIENT if all(a is COEFFICIENT for a in args) else PLAIN


def _angle(y: Any, x: Any) -> Any:
    return COEFFICIENT if _same("compares")(y, x) is COEFFICIENT else PLAIN


def _located(nodes: Any, x: Any) -> Any:
    _same("looks up")(nodes, x)
    return TRUTH


def _listed(about: Any, *numbers: Any) -> Any:
    return _same("looks up")(about, numbers[0])


def _compared(a: Any, b: Any) -> Any:
    _same("compares")(a, b)
    return TRUTH


def _chosen(_: Any, a: Any, b: Any) -> Any:
    return _same("chooses between")(a, b)


_UNIT_OF: Mapping[Op, Callable[..., Any]] = {
    Op.ADD: _same("adds"),
    Op.SUB: _same("subtracts"),
    Op.MUL: _product(invert=False),
    Op.DIV: _product(invert=True),
    Op.NEG: lambda a: a,
    Op.ABS: lambda a: a,
    Op.SQRT: _root,
    **dict.fromkeys(LIBM, _plain),
    Op.ATAN2: _angle,
    **dict.fromkeys((Op.MIN, Op.MAX), _same("compares")),
    **dict.fromkeys((Op.LT, Op.LE), _compared),
    **dict.fromkeys((Op.AND, Op.OR), lambda a, b: TRUTH),
    Op.NOT: lambda a: TRUTH,
    Op.SELECT: _chosen,
    Op.CELL: _located,
    Op.STEP: lambda x, last: TRUTH,
    Op.FLAT: lambda i, stride, j: TRUTH,
    Op.LIST: _listed,
    Op.ENTRY: lambda array, i, offset: array,
    Op.REAL: lambda i: PLAIN,
}
