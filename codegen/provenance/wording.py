"""Words for the values of a printed Program: expressions on names, and conditions as they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from codegen.ir.operations import LEAVES, NAMED_CONSTANTS, Op, Sort
from codegen.ir.program import Arg, Program
from codegen.ir.rewriting import arrange, needed
from codegen.ir.systems import Precision
from codegen.ir.types import REAL
from codegen.passes.specialise import specialise

_LONGEST = 90
"""Longer expressions of values without a name are left out, and longer conditions of a choice."""

_LONGEST_INLINE = 400
"""Longer expressions of values that are no variables, so that they have no other name, are left out."""

_SUM, _PRODUCT, _ATOM = range(3)

SYMBOLS = {"eps": "\N{GREEK SMALL LETTER EPSILON}", "pi": "\N{GREEK SMALL LETTER PI}"}
_ROOT = "\N{SQUARE ROOT}"
_RELATIONS = {Op.LT: "<", Op.LE: "\N{LESS-THAN OR EQUAL TO}"}
_FAILED = {Op.LT: "\N{GREATER-THAN OR EQUAL TO}", Op.LE: ">"}
_TURNED = {"<": ">", ">": "<", _RELATIONS[Op.LE]: _FAILED[Op.LT], _FAILED[Op.LT]: _RELATIONS[Op.LE]}

_LONG = 1000
"""From this denominator on, a number is not written as a fraction."""


class Wording:
    """The words for a Program's values: `names` are those of nodes, `limits` those of constants with eps.

    `variables` are the names of values in the C, which stand for expressions that are too long.
    """

    def __init__(
        self,
        program: Program,
        names: Mapping[int, str],
        limits: Mapping[Fraction, str],
        variables: Mapping[int, str] | None = None,
        longest: int = _LONGEST,
    ) -> None:
        self._longest = longest
        self._nodes = program.nodes
        self._results, self._given_outputs = program.results, program.outputs
        self._names = names
        self._variables = variables or {}
        self._limits = limits
        self._scalars = [name for a in program.inputs for name in a.scalar_names]
        self._operations: dict[int, tuple[str, int]] = {}

    def called(self, i: int) -> list[int]:
        """The values that the words for a value, or a condition, call by their names, inputs not included."""
        found: dict[int, None] = {}
        seen = set[int]()  # values without a name share others, so that there are far more ways than values
        waiting = list(self._nodes[i].args)
        while waiting:
            a = waiting.pop(0)
            if a in seen or self._nodes[a].op in LEAVES:
                continue
            seen.add(a)
            if self._is_called(a):
                found[a] = None
            else:
                waiting = [*self._nodes[a].args, *waiting]
        return list(found)

    def _is_called(self, i: int) -> bool:
        """Whether a value is called by its name, which it is also where its expression is long."""
        if not self.is_real(i):
            return False
        if i in self._names or i not in self._variables:
            return i in self._names
        text = self._operation(i)[0]
        return len(text) > self._longest or "..." in text

    def is_real(self, i: int) -> bool:
        """Whether a value is a number, not a condition."""
        return self._nodes[i].op.result is Sort.REAL

    def name(self, i: int) -> str:
        """The name by which a value is called."""
        return self._names.get(i) or self._variables.get(i) or ""

    def value(self, i: int, top: bool = False) -> str:
        """The expression of a real value; a value that has a name is called by it unless it is `top`."""
        return self._value(i, _SUM, top)

    def _value(self, i: int, at_least: int, top: bool = False) -> str:
        op, _, value = self._nodes[i]
        if i in self._names and not top:
            return self._names[i] if at_least == _SUM else _as_factor(self._names[i])
        if op in LEAVES:
            return self._leaf(op, value)
        if i not in self._operations:  # many values may need one that has no name
            self._operations[i] = self._operation(i)
        text, binds = self._operations[i]
        longest = self._longest if i in self._variables else max(self._longest, _LONGEST_INLINE)
        if (len(text) > longest or "..." in text) and not top:
            return self._variables.get(i, "...")
        return f"({text})" if binds < at_least else text

    def _leaf(self, op: Op, value: object) -> str:
        if op is Op.INPUT:
            return self._scalars[int(value or 0)]  # type: ignore[call-overload]
        if not isinstance(value, Fraction):
            return SYMBOLS.get(str(value), str(value))
        return self._limits.get(value) or _number(value)

    def _operation(self, i: int) -> tuple[str, int]:
        op, args, _ = self._nodes[i]
        if op in (Op.ADD, Op.SUB):
            return self._sum(op, *args)
        if op is Op.MUL:
            return self._product(*self._number_first(*args))
        if op is Op.DIV:
            return f"{self._value(args[0], _PRODUCT)} / {self._value(args[1], _ATOM)}", _PRODUCT
        if op is Op.NEG and self._nodes[args[0]].op is Op.NEG and args[0] not in self._names:
            return self._bound(self._nodes[args[0]].args[0])
        if op is Op.NEG:
            return _opposite_of(self._value(args[0], _PRODUCT))
        if op is Op.ABS:
            return f"|{self._value(args[0], _SUM)}|", _ATOM
        if op is Op.SELECT:
            condition, chosen, other = self.case(args[0]), *(self._value(a, _PRODUCT) for a in args[1:])
            if chosen == other:
                return chosen, _PRODUCT
            return f"{chosen} if {condition}, else {other}", -1
        name = _ROOT if op is Op.SQRT else op.label
        return f"{name}({', '.join(self._value(a, _SUM) for a in args)})", _ATOM

    def _bound(self, i: int) -> tuple[str, int]:
        """The words for a value, and how tightly its outermost operation binds."""
        text = self._value(i, _SUM)
        if text == self._operations.get(i, ("", 0))[0] and i not in self._names:
            return self._operations[i]
        return text, _ATOM

    def _sum(self, op: Op, a: int, b: int) -> tuple[str, int]:
        """A sum or difference without zeros, with the sign of its second term in front of that."""
        if op is Op.ADD and self._nodes[b].op is Op.NEG and b not in self._names:
            op, b = Op.SUB, self._nodes[b].args[0]
        left, right = self._value(a, _SUM), self._value(b, _SUM if op is Op.ADD else _PRODUCT)
        if right == "0":
            return self._bound(a)
        if left == "0":
            return self._bound(b) if op is Op.ADD else _opposite_of(right)
        sign = "+" if op is Op.ADD else "-"
        if right.startswith("-"):
            sign, right = "-" if op is Op.ADD else "+", right[1:]
        return f"{left} {sign} {right}", _SUM

    def _product(self, a: int, b: int) -> tuple[str, int]:
        """A product without factors of one, and with an integer divisor instead of its reciprocal."""
        left, right = self._value(a, _PRODUCT), self._value(b, _PRODUCT)
        if "0" in (left, right):
            return "0", _ATOM
        if "1" in (left, right):
            return self._bound(b if left == "1" else a)
        if left == "-1":
            return _opposite_of(right)
        number = self._nodes[a].value
        if isinstance(number, Fraction) and number.denominator >= _LONG and left.startswith("1/"):
            return f"{right} / {number.denominator}", _PRODUCT
        return f"{left} {right}", _PRODUCT

    def case(self, i: int) -> str:
        """The condition of a choice, by its name where it is long."""
        text = self.condition(i)
        if len(text) <= _LONGEST:
            return text
        return f"{self.name(i)} is true" if self.name(i) else "..."

    def _number_first(self, a: int, b: int) -> tuple[int, int]:
        """The factors of a product: 1/2 m, not m 1/2."""
        is_number = self._nodes[b].op is Op.CONSTANT and self._nodes[a].op is not Op.CONSTANT
        return (b, a) if is_number and b not in self._names else (a, b)

    # Conditions

    def condition(self, i: int) -> str:
        """A condition as it is read: `Jxx is a normal number`."""
        op, args, value = self._nodes[i]
        if op is Op.TRUTH:
            return "always" if value else "never"
        if op in (Op.AND, Op.OR):
            word = " and " if op is Op.AND else " or "
            return word.join(dict.fromkeys(self._grouped(a, op) for a in self._joined(i, op)))
        if op is Op.NOT:
            return self._opposite(args[0])
        if op is Op.SELECT:
            return f"{self.condition(args[1])} if {self.condition(args[0])}, else {self.condition(args[2])}"
        return self._compared(op, args, False)

    def _grouped(self, i: int, within: Op) -> str:
        either = self._nodes[i].op in (Op.AND, Op.OR) and self._nodes[i].op is not within
        return f"({self.condition(i)})" if either else self.condition(i)

    def _joined(self, i: int, op: Op) -> Sequence[int]:
        if self._nodes[i].op is not op:
            return [i]
        return [part for a in self._nodes[i].args for part in self._joined(a, op)]

    def _opposite(self, i: int) -> str:
        op, args, _ = self._nodes[i]
        if op in (Op.LT, Op.LE):
            return self._compared(op, args, True)
        return f"not ({self.condition(i)})"

    def _compared(self, op: Op, args: Sequence[int], failed: bool) -> str:
        """A comparison, or its failure; that with the limits of numbers in words."""
        a, b = args
        high = self._limit(b)
        verb = "is not" if failed else "is"
        if high == "max" and op is Op.LE and self._nodes[a].op is Op.ABS:
            inside = self._nodes[a].args[0]
            text = self._value(inside, _SUM)
            is_long = len(text) > _LONGEST or "..." in text or self._nodes[inside].op is Op.SELECT
            return f"{self._in_full(inside) if is_long else text} {verb} finite"
        if high == "max" and op is Op.LE and self._is_sum_of_squares(a):
            return f"{self._value(a, _SUM)} {verb} finite"
        left, right, sign = (
            self._value(a, _SUM),
            self._value(b, _SUM),
            (_FAILED if failed else _RELATIONS)[op],
        )
        if _is_threshold(left) and not _is_threshold(right):
            return f"{right} {_TURNED[sign]} {left}"
        return f"{left} {sign} {right}"

    def _is_sum_of_squares(self, i: int) -> bool:
        """Whether a value cannot be negative, as a sum of squares."""
        op, args, _ = self._nodes[i]
        if op is Op.ADD:
            return all(map(self._is_sum_of_squares, args))
        return op is Op.MUL and args[0] == args[1]

    def _in_full(self, i: int) -> str:
        """A long expression: the sum of all numbers of some results, or all of it."""
        text = self._value(i, _SUM, top=True)
        return self._sum_of_results(i) or (f"({text})" if self._nodes[i].op is Op.SELECT else text)

    def _sum_of_results(self, i: int) -> str:
        """The sum of all numbers of some results, whatever is stored in their place; empty if it is none."""
        terms = set(self._terms(i))
        named = []
        for name, whole in self._outputs.items():
            if whole <= terms:
                terms -= whole
                named.append(name)
        return f"sum({', '.join(named)})" if named and not terms else ""

    def _terms(self, i: int) -> Iterator[int]:
        """The terms of a sum without their signs, also of one that is taken where a condition holds."""
        op, args, _ = self._nodes[i]
        if op in (Op.ADD, Op.SUB):
            for a in args:
                yield from self._terms(a)
        elif op is Op.SELECT and self._nodes[args[2]].op is Op.CONSTANT:
            yield from self._terms(args[1])
        else:
            yield self._nodes[i].args[0] if op is Op.NEG else i

    @cached_property
    def _outputs(self) -> Mapping[str, set[int]]:
        """The numbers of each result, without their signs and constants."""
        found, rest = {}, list(self._results)
        for output in self._given_outputs:
            own, rest = rest[: output.size], rest[output.size :]
            terms = {t for r in own for t in self._terms(r)}
            found[output.name] = {t for t in terms if self._nodes[t].op is not Op.CONSTANT}
        return found

    def _limit(self, i: int) -> str:
        value = self._nodes[i].value
        if self._nodes[i].op is Op.NAMED:
            return str(value)
        return self._limits.get(value, "") if isinstance(value, Fraction) else ""


def _opposite_of(text: str) -> tuple[str, int]:
    """The negative of a product, and how tightly it binds."""
    if text == "0":
        return text, _ATOM
    return (text[1:], _PRODUCT) if text.startswith("-") else (f"-{text}", _SUM)


def _as_factor(text: str) -> str:
    """An expression that may be a factor of a product: with brackets where it has terms or factors."""
    if " " not in text:
        return text
    depths = [text[: k + 1].count("(") - text[: k + 1].count(")") for k in range(len(text))]
    is_whole = all(depth > 0 for depth, letter in zip(depths, text, strict=True) if letter == " ")
    return text if is_whole else f"({text})"


def _number(value: Fraction) -> str:
    """A number as a person writes it: an integer, a fraction, a decimal, or all digits that a double has.

    Decimals are preferred to the fractions of which they are no common ones.
    """
    decimal = repr(float(value))
    if value.denominator == 1:
        return str(value.numerator) if abs(value) < 10**15 else decimal
    if value.denominator <= _COMMON or (value.denominator < _LONG and Fraction(decimal) != value):
        return str(value)
    return f"1/{value.denominator}" if value.numerator == 1 and Fraction(decimal) != value else decimal


_COMMON = 16
"""Decimals with at most this denominator are written as fractions."""


def _is_threshold(text: str) -> bool:
    """Whether the words are those of a number, or of a multiple of eps."""
    eps = SYMBOLS["eps"]
    limits_alone = (eps, "min", "max", SYMBOLS["pi"])
    return text[:1].isdigit() or text in limits_alone or text.startswith((f"{eps} ", f"{_ROOT}({eps}"))


def limits(before: Program, precision: Precision) -> dict[Fraction, str]:
    """The constants of a precision, as numbers, with their expressions in eps, min, max and pi.

    `before` is the Program before the precision's numbers are put in.
    """
    found = {precision.named(n): SYMBOLS.get(n, n) for n in NAMED_CONSTANTS}
    plain = Wording(before, {}, {})
    return {value: plain.value(i, top=True) for value, i in limit_nodes(before, precision).items()} | found


def limit_nodes(before: Program, precision: Precision) -> dict[Fraction, int]:
    """The constants of a precision that are computed from eps, min, max and pi, and the nodes that do so."""
    found: dict[Fraction, int] = {}
    constant: set[int] = set()
    for i, (op, args, _) in enumerate(before.nodes):
        if op is Op.NAMED or (args and all(a in constant or before.nodes[a].op is Op.CONSTANT for a in args)):
            constant.add(i)
    for i in sorted(constant):
        if before.nodes[i].op.result is not Sort.REAL:
            continue
        alone = specialise(_alone(before, i), precision)
        value = alone.nodes[alone.results[0]].value
        if isinstance(value, Fraction):
            found.setdefault(value, i)
    return found


def _alone(program: Program, i: int) -> Program:
    """The Program of one value."""
    single = replace(program, outputs=(Arg("value", REAL, "", ""),), results=(i,), status=(), labels={})
    return arrange(single, sorted(needed(single)))
