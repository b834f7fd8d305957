"""Prints Programs as C: a table of the C for each operation, in each precision.

The output is a list of statements; templates only place them. Parentheses follow C's precedence and keep
the Program's own association, because floating-point sums are not associative.
"""

from __future__ import annotations

import ctypes
import decimal
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType

from codegen.emit.body import Body, Load, Pair, Read, Requirement, Statement, Store, by_kind, spun, woven
from codegen.emit.naming import made_name
from codegen.emit.optional import guarded
from codegen.emit.sines import angles, pair_name, pair_type
from codegen.errors import FeatherError
from codegen.ir.arrays import Constants
from codegen.ir.constants import constant_angle
from codegen.ir.operations import HYPERBOLIC, LEAVES, Op, Sort
from codegen.ir.program import Arg, Node, Program, entries_read, unloaded
from codegen.ir.systems import F32, F64, Precision, brief
from codegen.ir.types import is_integer, row_names
from codegen.modeling.names import RESERVED, check_name, fits
from codegen.passes.registers import READ_FIRST, calling

ATOM, UNARY, PRODUCT, SUM, RELATION, CONJUNCTION, DISJUNCTION, CHOICE = range(8, 0, -1)
"""Precedence levels of C, from names and calls down to the conditional operator."""

_LONGEST_CONDITION = 1000
"""The limit for a conjunction or disjunction, which is laid out line by line."""

_LONG_CONDITION = 60
"""A longer conjunction or disjunction gets a variable where the status is returned."""

_WIDEST = 110
"""An expression longer than this becomes a variable of its own when it is part of another."""


@dataclass(frozen=True)
class Text:
    """A C expression and the precedence of its outermost operator."""

    c: str
    binds: int

    def at_least(self, level: int) -> str:
        """The expression, in parentheses unless it binds at least this tightly."""
        return self.c if self.binds >= level else f"({self.c})"


def literal(number: Fraction, precision: Precision) -> str:
    """The shortest decimal that reads back as `number` rounded to the precision, with its C suffix."""
    try:
        rounded = precision.rounded(number)
    except OverflowError:
        raise FeatherError(f"the constant {brief(number)} is not finite in {precision.ctype}") from None
    if rounded == 0 and number != 0:
        raise FeatherError(f"the constant {brief(number)} vanishes in {precision.ctype}")
    return held_literal(rounded, precision)


def held_literal(rounded: Fraction, precision: Precision) -> str:
    """The shortest decimal that reads back as a number that the precision holds, with its C suffix."""
    text = repr(float(rounded)) if precision is F64 else _shortest_float(float(rounded))
    mantissa, exponent, power = text.partition("e")
    mantissa += "" if "." in mantissa else ".0"
    suffix = "F" if precision is F32 else ""
    return mantissa + exponent + power.replace("+0", "+").replace("-0", "-") + suffix


@cache
def _shortest_float(number: float) -> str:
    """The shortest decimal that C reads as this float."""
    # what is possible with some digits is possible with more: bisection
    found, few, many = f"{number:.9g}", 0, 9
    digits = 8  # most numbers that were computed need 8 or 9
    while few < digits < many:
        text = _decimal(number, digits)
        found, few, many = (found, digits, many) if text is None else (text, few, digits)
        digits = (few + many) // 2
    return found


def _decimal(number: float, digits: int) -> str | None:
    """A decimal of so many digits that C reads as this float, at a power of two not always the nearest."""
    for text in _candidates(number, digits):
        if ctypes.c_float(float(text)).value == number and F32.rounded(Fraction(text)) == number:
            return text
    return None


def _candidates(number: float, digits: int) -> Iterator[str]:
    """The nearest decimal of so many digits; of a power of two, whose neighbours differ in distance, the next
    ones as well."""
    yield f"{number:.{digits}g}"
    if abs(math.frexp(number)[0]) == 0.5:
        context = decimal.Context(prec=digits)
        nearest = context.create_decimal_from_float(number)
        for other in (nearest.next_plus(context), nearest.next_minus(context)):
            yield f"{float(other):.{digits}g}"


Printer = Callable[[Sequence[Text], str], Text]
"""(arguments, suffix of libm names) -> C."""


def _infix(symbol: str, level: int, right: int) -> Printer:
    def print_(args: Sequence[Text], _: str) -> Text:
        a, b = args
        return Text(f"{a.at_least(level)} {symbol} {b.at_least(right)}", level)

    return print_


def _prefix(symbol: str) -> Printer:
    return lambda args, _: Text(symbol + args[0].at_least(ATOM), UNARY)


def _call(name: str) -> Printer:
    return lambda args, suffix: Text(f"{name}{suffix}({', '.join(a.c for a in args)})", ATOM)


def _angle(args: Sequence[Text], suffix: str) -> Text:
    """atan2, or atan where the second number is 1."""
    y, x = args
    is_one = x.c.removesuffix("F") == "1.0"
    return _call("atan")([y], suffix) if is_one else _call("atan2")(args, suffix)


def _choice(symbol: str) -> Printer:
    """min and max: `a < b ? a : b`; a call of fmin costs a function call on small targets."""

    def print_(args: Sequence[Text], _: str) -> Text:
        a, b = (arg.at_least(UNARY) for arg in args)
        return Text(f"({a} {symbol} {b}) ? {a} : {b}", CHOICE)

    return print_


def _disjunction(args: Sequence[Text], _: str) -> Text:
    """`||`, with parentheses round each `&&`, which compilers ask for."""
    a, b = args
    left = a.c if a.binds == DISJUNCTION else a.at_least(RELATION)
    return Text(f"{left} || {b.at_least(RELATION)}", DISJUNCTION)


def _select(args: Sequence[Text], _: str) -> Text:
    condition, a, b = args
    return Text(f"{condition.at_least(ATOM)} ? {a.at_least(SUM)} : {b.at_least(SUM)}", CHOICE)


def _less(strict: bool) -> Printer:
    """A comparison, with the sides exchanged where the left one is a constant: `x > 0.0`."""

    def print_(args: Sequence[Text], _: str) -> Text:
        a, b = args
        turned = _is_literal(a) and not _is_literal(b)
        symbol = (">" if turned else "<") + ("" if strict else "=")
        left, right = (b, a) if turned else (a, b)
        return Text(f"{left.at_least(SUM)} {symbol} {right.at_least(SUM)}", RELATION)

    return print_


def _step(args: Sequence[Text], _: str) -> Text:
    """The whole part of a number up to a last index, which NaN gives: its conversion would be undefined."""
    x, last = args
    return Text(f"({x.c} < {last.c}) ? (int){x.c} : {last.c}", CHOICE)


def _flat(args: Sequence[Text], _: str) -> Text:
    i, stride, j = args
    if i.c.isdigit():
        return Text(f"{int(i.c) * int(stride.c)} + {j.at_least(PRODUCT)}", SUM)
    return Text(f"{stride.c} * {i.at_least(UNARY)} + {j.at_least(PRODUCT)}", SUM)


def _entry(args: Sequence[Text], _: str) -> Text:
    array, index, offset = args
    after = "" if offset.c == "0" else f" + {offset.c}"
    index_ = offset.c if index.c == "0" else f"{index.at_least(SUM)}{after}"
    return Text(f"{array.c}[{index_}]", ATOM)


def _is_literal(text: Text) -> bool:
    return text.c.lstrip("-")[:1].isdigit()


PRINTERS: Mapping[Op, Printer] = {
    Op.ADD: _infix("+", SUM, PRODUCT),
    Op.SUB: _infix("-", SUM, PRODUCT),
    Op.MUL: _infix("*", PRODUCT, UNARY),
    Op.DIV: _infix("/", PRODUCT, UNARY),
    Op.NEG: _prefix("-"),
    Op.SQRT: _call("sqrt"),
    Op.SIN: _call("sin"),
    Op.COS: _call("cos"),
    Op.TAN: _call("tan"),
    Op.ASIN: _call("asin"),
    Op.ACOS: _call("acos"),
    Op.ATAN2: _angle,
    Op.EXP: _call("exp"),
    Op.LOG: _call("log"),
    **{op: _call(op.label) for op in (*HYPERBOLIC, Op.LOG1P, Op.EXPM1, Op.FLOOR)},
    Op.ABS: _call("fabs"),
    Op.MIN: _choice("<"),
    Op.MAX: _choice(">"),
    Op.LT: _less(strict=True),
    Op.LE: _less(strict=False),
    Op.AND: _infix("&&", CONJUNCTION, RELATION),
    Op.OR: _disjunction,
    Op.NOT: _prefix("!"),
    Op.SELECT: _select,
    Op.STEP: _step,
    Op.FLAT: _flat,
    Op.ENTRY: _entry,
}
"""Every operation's C, but of those that need the precision or the file: see `_Emission`."""


def emit(
    program: Program,
    precision: Precision,
    sources: Sequence[str],
    targets: Sequence[str],
    hints: Mapping[int, str] = MappingProxyType({}),
    apart: bool = False,
    scope: str = "",
    taken: Collection[str] | None = None,
    paired: bool = False,
) -> Body:
    """The C of a specialised Program; `sources` and `targets` are the C of each input and output scalar.

    A value that needs a variable is called by its label, its output, its hint, or after its operation.

    Every input is loaded before any output is stored, so an output may be the same object as an input. Where
    all objects are `apart`, the results of functions with many inputs are stored as they come. The names of
    what the functions of a file share, arrays and the search in them, begin with `scope`. No variable has a
    name that is `taken`: by default those of the arguments. Sines and cosines of one angle are computed
    together where they are `paired`.
    """
    if taken is None:
        taken = [a.name for a in (*program.inputs, *program.outputs)]
    return _Emission(program, precision, sources, hints, scope, taken, paired).body(targets, apart)


def array_name(array: Constants, precision: Precision, scope: str) -> str:
    """The C name of an array of constants."""
    return f"{scope}{array.name}_{precision.name}"


def search_name(precision: Precision, scope: str) -> str:
    """The C name of the function that searches the cell of an axis."""
    return f"{scope}cell_{precision.name}"


_JOINED = (Op.AND, Op.OR)
"""The operations that combine conditions."""


class _Emission:
    """The state of printing one function: which nodes have a name, and the statements so far."""

    def __init__(
        self,
        program: Program,
        precision: Precision,
        sources: Sequence[str],
        hints: Mapping[int, str],
        scope: str,
        taken: Collection[str],
        paired: bool,
    ) -> None:
        self.scope = scope
        self.program = program
        self.precision = precision
        self.sources = sources
        self.uses = program.uses()
        self.unloaded, self.reads = unloaded(program), set(entries_read(program))
        self.integers = _integers(program)
        self.angles = angles(program) if paired else dict[int, list[int]]()
        self.is_optional = any(a.optional for a in program.outputs)  # statements are moved then
        self.angle = ""  # the variable of the last sine and cosine
        self.text: dict[int, Text] = {}
        self.wide: dict[int, Text] = {}  # as it is in double: a float's statements are the same ones
        self.statements: list[Statement] = []
        self.counters: Counter[str] = Counter()
        self.hints = hints
        self.formula = {*program.labels.values(), *hints.values()}  # names of the formula
        self.names = {*taken}
        self.locals = [
            source if source == name else self._fresh(name)
            for source, name in zip(sources, _scalar_names(program.inputs), strict=True)
        ]
        outputs = zip(program.results, _scalar_names(program.outputs), strict=True)
        whole = {*self.names, *(a.name for a in program.outputs)}
        self.outputs = {r: name for r, name in reversed(list(outputs)) if name not in whole}
        self.names.update(_scalar_names(program.outputs))

    def body(self, targets: Sequence[str], apart: bool) -> Body:
        known: list[int] = []  # statements before each node's value is known
        for i, node in enumerate(self.program.nodes):
            self.text[i] = self._leaf(i, node) if node.op in LEAVES else self._operation(i, node)
            self.wide[i] = self._in_double(i, node)
            if self._deserves_name(i, node) or i in self.reads:
                self._name(i)
            known.append(len(self.statements))
        for n, _ in self.program.status:
            if self.program.nodes[n].op in _JOINED and len(self.wide[n].c) > _LONG_CONDITION:
                self._name(n)
        status = tuple(self._requirements())
        stores = list(self._stores(targets))
        inputs = (i for i, node in enumerate(self.program.nodes) if node.op is Op.INPUT)
        if sum(i not in self.unloaded for i in inputs) <= READ_FIRST:
            calls = max((known[i] for i in calling(self.program)), default=0)
            groups = by_kind(self.statements, stores, self.sources, calls if apart else 0)
        else:
            weave, constants = (spun, 0) if apart else (woven, len(self.statements) + 1)
            is_constant = [self.program.nodes[s.node or 0].op is Op.CONSTANT for s in stores]
            after = [constants if c else known[s.node or 0] for s, c in zip(stores, is_constant, strict=True)]
            groups = weave(self.statements, stores, after)
        return Body(guarded(groups, self.program), status)

    def _requirements(self) -> Iterator[Requirement]:
        """Each flag that can be raised, once, with everything that must hold for it."""
        for flag, required in self.program.required.items():
            nodes = tuple(dict.fromkeys(required))
            texts = [self.text[n] for n in nodes]
            both = texts[0].at_least(ATOM) if len(texts) == 1 else None
            condition = both or f"({' && '.join(t.at_least(CONJUNCTION) for t in texts)})"
            yield Requirement(flag.name or "", condition, nodes)

    def _stores(self, targets: Sequence[str]) -> Iterator[Store]:
        outputs = [(a, row) for a in self.program.outputs for row in row_names(a.type, a.name)]
        for k, (target, (output, row)) in enumerate(zip(targets, outputs, strict=True)):
            yield self._store(k, target, output, row)

    def _store(self, k: int, target: str, output: Arg, row: str) -> Store:
        r = self.program.results[k]
        text = self._integer(r) if is_integer(output.type) else self.text[r]
        return Store("", target, text.c, r, k, row)

    def _integer(self, i: int) -> Text:
        """A node that holds a whole number, as an int."""
        node = self.program.nodes[i]
        if node.op is Op.CONSTANT:
            return Text(str(int(Fraction(node.value or 0))), ATOM)
        return self.text[i] if i in self.integers else Text(f"(int){self.text[i].at_least(ATOM)}", UNARY)

    def _leaf(self, i: int, node: Node) -> Text:
        if node.op is Op.INPUT:
            loaded = i not in self.unloaded
            return self._load(i, int(node.value or 0)) if loaded else Text("", ATOM)
        if isinstance(node.value, Constants):
            return Text(array_name(node.value, self.precision, self.scope), ATOM)
        if node.op is Op.WHOLE:
            return Text(str(node.value), ATOM)
        if node.op is Op.TRUTH:
            return Text("1" if node.value else "0", ATOM)
        number = Fraction(node.value or 0)
        return Text(literal(number, self.precision), UNARY if number < 0 else ATOM)

    def _load(self, i: int, scalar: int) -> Text:
        source, name = self.sources[scalar], self.locals[scalar]
        if name != source:
            self.statements.append(Load(self.precision.ctype, name, source, i))
        return Text(name, ATOM)

    def _operation(self, i: int, node: Node) -> Text:
        if self._is_paired(node):
            if i not in self.text:
                self._pair(i, node.args[0])
            return self.text[i]
        angle = constant_angle(self.program, i)
        if angle is not None:
            return Text(literal(angle, self.precision), UNARY if angle < 0 else ATOM)
        if node.op in (Op.MIN, Op.MAX, Op.STEP):  # whose operands are written twice
            for arg in node.args:
                self._name(arg)
        if i in self.integers:
            return self._chosen_integer(node)
        text = self._printed(node)
        limit = _WIDEST if node.op not in _JOINED else _LONGEST_CONDITION
        while len(self._in_double(i, node).c) > limit and (longest := self._longest(node.args)) is not None:
            self._name(longest)
            text = self._printed(node)
        return text

    def _in_double(self, i: int, node: Node) -> Text:
        """The text of a node as it is in double, whose literals are longer."""
        if self.precision is F64 and i in self.text:
            return self.text[i]
        angle = constant_angle(self.program, i)
        if node.op is Op.CONSTANT or angle is not None:
            number = Fraction(node.value or 0) if angle is None else angle
            return Text(literal(number, F64), UNARY if number < 0 else ATOM)
        if node.op not in PRINTERS or i in self.integers or self._is_paired(node):
            return self.text.get(i) or self._printed(node)
        return PRINTERS[node.op]([self.wide[a] for a in node.args], "")

    def _chosen_integer(self, node: Node) -> Text:
        condition, a, b = node.args
        return _select([self.text[condition], self._integer(a), self._integer(b)], "")

    def _printed(self, node: Node) -> Text:
        if node.op is Op.REAL:
            return Text(f"({self.precision.ctype}){self.text[node.args[0]].at_least(UNARY)}", UNARY)
        if node.op is Op.CELL:
            return self._search(*node.args)
        if node.op is Op.LIST:
            return Text(self._array(node), ATOM)
        suffix = "f" if self.precision is F32 else ""
        return PRINTERS[node.op]([self.text[a] for a in node.args], suffix)

    def _is_paired(self, node: Node) -> bool:
        return node.op in (Op.SIN, Op.COS) and node.args[0] in self.angles

    def _pair(self, i: int, angle: int) -> None:
        """Compute the sine and the cosine of an angle, of which node i is the first, as variables."""
        name = self._fresh("angle") if self.is_optional or not self.angle else self.angle
        kind = "" if name == self.angle else pair_type(self.precision, self.scope)
        self.angle = name
        call = f"{pair_name(self.precision, self.scope)}({self.text[angle].c})"
        both = self.angles[angle]
        self.statements.append(Pair(kind, name, call, i, both=tuple(both)))
        for j in both:
            self.text[j] = Text(f"{name}.{self.program.nodes[j].op.label}", ATOM)
            self._name(j)

    def _search(self, nodes: int, x: int) -> Text:
        """The call that searches the cell of an axis."""
        array = self.program.nodes[nodes].value
        assert isinstance(array, Constants)
        last = len(array.values) - 1
        name = search_name(self.precision, self.scope)
        return Text(f"{name}({self.text[nodes].c}, {last}, {self.text[x].c})", ATOM)

    def _array(self, node: Node) -> str:
        """The C of the input whose numbers an array has; FeatherError where it is made of others."""
        scalars = [self.program.nodes[a] for a in node.args[1:]]
        sources = [self.sources[int(n.value or 0)] if n.op is Op.INPUT else "" for n in scalars]
        base = sources[0].removesuffix("[0]")
        if sources != [f"{base}[{k}]" for k in range(len(sources))]:
            about = self.program.nodes[node.args[0]].value
            raise FeatherError(
                f"the numbers of table {about} are not an input as a whole: look it up in its argument"
            )
        return base

    def _longest(self, args: Sequence[int]) -> int | None:
        long = (a for a in args if len(self.wide[a].c) > _WIDEST // 2)
        candidates = [a for a in long if not self._is_named(a)]
        return max(candidates, key=lambda a: len(self.wide[a].c)) if candidates else None

    def _deserves_name(self, i: int, node: Node) -> bool:
        if node.op in LEAVES or node.op is Op.LIST or (self.uses[i] < 2 and i not in self.program.labels):
            return False
        trivial = node.op is Op.NEG and self.program.nodes[node.args[0]].op in LEAVES
        return not trivial

    def _name(self, i: int) -> None:
        """Give node i a variable of its own, unless it has one or is a literal."""
        if self._is_named(i):
            return
        node = self.program.nodes[i]
        name = self._chosen_name(i)
        whole = node.op.result is not Sort.REAL or i in self.integers
        kind = "int" if whole else self.precision.ctype
        statement = Read if i in self.reads else Statement
        self.statements.append(statement(kind, name, self.text[i].c, i))
        self.text[i] = self.wide[i] = Text(name, ATOM)

    def _is_named(self, i: int) -> bool:
        """Whether node i is a variable, an element of an argument or a literal."""
        text = self.text[i]
        return text.binds == ATOM and (text.c.isidentifier() or self.program.nodes[i].op in LEAVES)

    def _chosen_name(self, i: int) -> str:
        """The name of node i: its label, the output that it is, its hint, or one made from its operation."""
        label = self.program.labels.get(i)
        if label is not None:
            return self._fresh(label if label in RESERVED else check_name(label, "value"))
        output = self.outputs.pop(i, None)
        if output is not None and fits(output):
            return output
        if i in self.hints:
            return self._fresh(self.hints[i])
        made = made_name(self.program, i, self._word)
        return self._fresh("" if made in self.formula else made)

    def _word(self, i: int) -> str:
        """The variable that holds node i; empty if it has none."""
        text = self.text[i]
        return text.c if text.binds == ATOM and text.c.isidentifier() else ""

    def _fresh(self, label: str) -> str:
        """An unused name: the label, with a number if it is taken."""
        candidate = label
        while not candidate or candidate in self.names or candidate in RESERVED:
            self.counters[label] += 1
            number = self.counters[label] + bool(label)  # x, x_2, x_3
            candidate = f"{label}_{number}" if label else f"t{number}"
        self.names.add(candidate)
        return candidate


def _integers(program: Program) -> set[int]:
    """Selects among whole constants that only int outputs depend on."""
    kinds = [a.type for a in program.outputs for _ in range(a.size)]
    reals = {r for r, kind in zip(program.results, kinds, strict=True) if not is_integer(kind)}
    users: list[list[int]] = [[] for _ in program.nodes]
    whole: set[int] = set()
    for i, (op, args, value) in enumerate(program.nodes):
        if op is Op.CONSTANT and Fraction(value or 0).denominator == 1:
            whole.add(i)
        if op is Op.SELECT and whole.issuperset(args[1:]):
            whole.add(i)
        for arg in args:
            users[arg].append(i)
    found: set[int] = set()
    for i in reversed(range(len(program.nodes))):  # users first
        chosen = program.nodes[i].op is Op.SELECT and i in whole
        if chosen and i not in reals and found.issuperset(users[i]):
            found.add(i)
    return found


def _scalar_names(arguments: Iterable[Arg]) -> list[str]:
    return [name for a in arguments for name in a.scalar_names]
