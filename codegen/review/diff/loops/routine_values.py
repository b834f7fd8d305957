"""Reads the expressions of routines with loops over arguments: values, and the places in memory they are in.

Memory is one value, which every store and call of a function changes: a load is equal to another one if its
place and what happened before are. What C may leave undefined is noted with the tests that lead to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from codegen.ir.operations import LIBM
from codegen.review.diff.functions.signature import check_declarations, is_status, members
from codegen.review.diff.functions.types import INTEGERS, narrow_range, scalar_type
from codegen.review.diff.loops.choices import RANKS, REALS, SIGNED, UNSIGNED, WHOLE, Choices, Value
from codegen.review.diff.loops.formulas import formula_called
from codegen.review.diff.loops.memory_chains import held_at
from codegen.review.diff.loops.ranges import Ranges
from codegen.review.diff.loops.whole_numbers import (
    Polynomial,
    added,
    constant_of,
    is_between,
    is_made_of_naturals,
    is_never_negative,
)
from codegen.review.diff.reading import Held, rounded
from codegen.review.diff.text.integers import MOST_INT, Integer, as_int, constant, operand_of
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.literals import exact_literal, limit
from codegen.review.diff.text.reserved import EXPECT
from codegen.review.diff.text.sequences import ORDERS
from codegen.review.diff.text.source import Source
from codegen.review.diff.text.syntax import Refused, is_constant, kind_of, parsed, type_names

PURE = {name for op in LIBM for name in (op.label, f"{op.label}f")} | {"sqrt", "sqrtf", "fabs", "fabsf"}
"""The functions of <math.h> that a routine may call."""

_WIDE = INTEGERS["long"]
_CLASSES = {
    "isfinite": (1, ""),
    "isnan": (1, "!="),
    "isgreater": (2, ">"),
    "isgreaterequal": (2, ">="),
    "isless": (2, "<"),
    "islessequal": (2, "<="),
}
"""Macros of <math.h> that tell of numbers: how many they take, and the comparison that says the same."""

_FIXED = {"int32_t": "int", "uint32_t": "unsigned"}


class Place(NamedTuple):
    """A place in memory: its address, the type of what is there, and whether it may not be written.

    An array of places of this type begins there if `is_array`.
    """

    node: int
    type: str
    is_const: bool
    is_array: bool = False


class Variable(NamedTuple):
    """A variable that is not in memory; its value is None before it has one."""

    type: str
    is_const: bool
    value: int | None


class Walker(NamedTuple):
    """A pointer that may be given another value: the array in which it points, and to which element.

    The type is that of the elements; the element is None before it points anywhere.
    """

    type: str
    is_const: bool
    base: int
    value: int | None


Name = Variable | Place | Walker
"""What a name means."""


@dataclass(frozen=True)
class State:
    """What names mean, what memory holds, and how many objects were declared in memory."""

    names: Mapping[str, Name]
    memory: int

    def named(self, name: str, what: Name) -> State:
        """The state with another meaning of a name."""
        return replace(self, names={**self.names, name: what})


class RoutineValues:
    """The values of the expressions of a routine."""

    def __init__(self, item: Item, source: Source, choices: Choices, kept: Collection[str] = ()) -> None:
        self.item, self.source, self.choices = item, source, choices
        self.kept = kept  # the macros that are any whole number, as a build may define another one
        self.doubts: dict[int, int] = {}  # what C may leave undefined, and the condition of each
        self.path = choices.truth(True).node  # the condition of what is being read
        self.state = State({}, choices.node("memory"))
        self.outer: tuple[int, ...] = ()  # the conditions of the loops around it
        self.counts = set[int]()  # the nodes that count the turns of loops
        self.ints = dict[int, Polynomial]()  # numbers that an int holds, as they were met
        self.most: Mapping[int, int] = {}  # numbers below which nodes are wherever the old version is defined
        self.narrow = dict[int, tuple[int, int]]()  # what types narrower than int hold, and their ranges
        self.formulas = dict[str, tuple[Any, Item] | None]()  # by name, those that have been looked for

    # Undefined behaviour

    def _note(self, *key: Hashable) -> int:
        """The node of something that C may leave undefined."""
        node = self.choices.node(*key)
        self.doubts[node] = self.choices.either(
            self.doubts.get(node, self.choices.truth(False).node), self.path
        )
        return node

    @contextmanager
    def _under(self, truth: Value, holds: bool) -> Iterator[None]:
        """Reads what is only done where something holds, or does not."""
        outside = self.path
        self.path = self.choices.both(outside, (truth if holds else self.choices.negated(truth)).node)
        try:
            yield
        finally:
            self.path = outside

    # Values

    def _value(self, expr: Any) -> Value:
        number = constant(expr, self._constant_of)
        if number is not None:
            return self.choices.constant(*_as_constant(expr, number))
        read = _VALUES.get(type(expr).__name__)
        if read is None:
            raise Refused(expr, kind_of(expr))
        value = read(self, expr)
        if value.type == "int" and self.choices.keys[value.node][0] != "sum":
            self.ints[value.node] = self.choices.polynomial(value.node)
        return value

    def _constant_of(self, _: Any) -> Integer | None:
        return None

    def _in_type(self, where: Any, value: Value, kind: str) -> Value:
        """A value in the type of what it is assigned to."""
        if value.type == kind:
            return value
        if kind == "truth" and value.type in RANKS:
            return self.choices.holds(value)
        if (held := narrow_range(kind)) is not None and value.type in (*WHOLE, "truth"):
            return self._narrowed(value, kind, held)
        if kind not in RANKS or value.type not in (*RANKS, "truth"):
            raise Refused(where, f"a value of the type {value.type} for one of the type {kind}")
        if value.type in REALS and kind not in REALS:
            # beyond the range of the type, the result is undefined
            return Value(self._note("to", kind, value.type, value.node), kind)
        found = self._converted(value, kind)
        if (value.type, kind) == ("long", "int"):
            self._hold_as_int(found)
        return found

    def _converted(self, value: Value, kind: str) -> Value:
        """A value in another type; a whole number is the same one where the other type surely holds it."""
        if value.type == kind or value.type not in WHOLE or kind not in WHOLE:
            return self.choices.converted(value, kind)
        number = self.choices.polynomial(value.node)
        is_low = value.type in UNSIGNED or kind in SIGNED or self._is_never_negative(number)
        is_high = value.type == "int" or (value.type, kind) == ("unsigned", "size")
        if is_low and (is_high or self._is_within(number)):
            return Value(value.node, kind)
        found = self.choices.converted(value, kind)
        if kind in UNSIGNED:
            self.counts.add(found.node)
        return found

    def _narrowed(self, value: Value, kind: str, held: tuple[int, int]) -> Value:
        """A whole number in a type narrower than int: the same one where the type surely holds it."""
        of = self.choices.converted(value, "int") if value.type == "truth" else value
        limits: list[Polynomial] = [{(): held[0]}, {(): held[1]}]
        if is_between(self.choices.polynomial(of.node), limits, self._facts(), self.counts):
            return Value(of.node, kind)
        node = self.choices.node("to", kind, "int" if of.type in SIGNED else of.type, of.node)
        self.narrow[node] = held
        return Value(node, kind)

    def _is_never_negative(self, number: Polynomial) -> bool:
        facts = self._facts()
        is_sum = is_made_of_naturals(number, facts, self.counts)
        return is_sum or is_never_negative(number, facts, self.counts)

    def _is_within(self, number: Polynomial, *held: Polynomial) -> bool:
        """Whether a number surely lies between some that are held, and those that an int holds."""
        known: list[Polynomial] = [*held, *self.ints.values(), {}, {(): MOST_INT}]
        return is_between(number, known, self._facts(), self.counts)

    def _name(self, expr: Any) -> Value:
        what = self.state.names.get(expr.name)
        if isinstance(what, Place):
            return self._loaded(expr)
        if isinstance(what, Walker):
            raise Refused(expr, f"the pointer {expr.name} as a value")
        if what is not None:
            if what.value is None:
                raise Refused(expr, f"{expr.name} is used before it has a value")
            with self._under(Value(self.choices.unset(what.value), "truth"), True):
                if self.path != self.choices.truth(False).node:
                    self._note("unset variable")
            return Value(what.value, "int" if narrow_range(what.type) else what.type)
        if expr.name in self.kept:
            return self._adjusted(expr)
        if expr.name in self.source.data:
            return self._of_file(expr)
        found = limit(expr.name)
        if found is None:
            raise Refused(expr, f"the name {expr.name}")
        return self.choices.constant(found[0], found[1].value)

    def _adjusted(self, expr: Any) -> Value:
        """The number of a macro for which a build may define another one, if its default is an int."""
        default = operand_of(" ".join(self.source.macros.expansions.get(expr.name, ())))
        if default is None or default.unsigned or default.is_size:
            raise Refused(expr, f"the macro {expr.name}, whose default is no number of the type int")
        return Value(self.choices.node("macro", expr.name), "int")

    def _of_file(self, expr: Any) -> Value:
        """The number that the file of the function, or one that it includes, declares under this name."""
        items = [i for i in self.source.data[expr.name] if i.path in self.source.reached(self.item.path)]
        declared: Any = parsed(items[0], self.source, self.kept) if len(items) == 1 else None
        if type(getattr(declared, "type", None)).__name__ == "Enum":
            return self._enumerated(declared.type)[expr.name]
        kind, init = getattr(declared, "type", None), getattr(declared, "init", None)
        names = type_names(kind) if type(kind).__name__ == "TypeDecl" else []
        is_number = init is not None and "const" in declared.quals and is_constant(init)
        if not is_number or " ".join(names) not in RANKS:
            raise Refused(expr, f"the name {expr.name}")
        return self._in_type(expr, self._value(init), " ".join(names))

    def _enumerated(self, kind: Any) -> dict[str, Value]:
        """The numbers of the enumerators of `enum { TRIALS = 60 }`."""
        found = dict[str, Value]()
        for one in kind.values.enumerators if kind.values else []:
            number = None if one.value is None else as_int(constant(one.value))
            if number is None or one.name in found:
                raise Refused(one, f"the enumerator {one.name}")
            found[one.name] = self.choices.constant(Fraction(number.value), "int")
        return found

    def _literal(self, expr: Any) -> Value:
        exact, is_float = exact_literal(expr.value)
        if exact is None:
            raise Refused(expr, f"the constant {expr.value[:40]}")
        held = Held.FLOAT if is_float else Held.DOUBLE
        return self.choices.constant(rounded(exact, held), held.value)

    def _loaded(self, expr: Any) -> Value:
        place = self._place(expr)
        if place.is_array:
            raise Refused(expr, "an array as a value")
        return self._held_at(place)

    def _held_at(self, place: Place) -> Value:
        """What memory holds at a place, or at that of two which a test chooses."""
        key = self.choices.keys[place.node]
        if key[0] == "choice":
            test, sides = Value(key[1], "truth"), list[int]()  # type: ignore[arg-type]
            for holds, side in ((True, key[2]), (False, key[3])):
                with self._under(test, holds):
                    sides.append(self._held_at(place._replace(node=side)).node)  # type: ignore[arg-type]
            return Value(self.choices.chosen(test.node, *sides), place.type)
        memory, held = held_at(self.choices, self.state.memory, place.type, place.node)
        if held is not None:
            return Value(held, place.type)
        return Value(self._note("load", place.type, memory, place.node), place.type)

    def _unary(self, expr: Any) -> Value:
        if expr.op == "*":
            return self._loaded(expr)
        if expr.op == "!":
            return self.choices.negated(self._truth(expr.expr))
        value = self._value(expr.expr)
        if expr.op not in "+-" or value.type not in (*RANKS, "truth"):
            raise Refused(expr, f"the operator {expr.op}")
        value = self.choices.converted(value, "int") if value.type == "truth" else value
        if expr.op == "+":
            return value
        if value.type in REALS:
            return self.choices.minus(value)
        if value.type in SIGNED:
            return self._operation(expr, "-", self.choices.constant(Fraction(0), value.type), value)
        return Value(self.choices.node("-x", value.type, value.node), value.type)

    def _truth(self, expr: Any) -> Value:
        return self._truth_of(expr, self._value(expr))

    def _truth_of(self, expr: Any, value: Value) -> Value:
        """Whether the value of an expression is not zero."""
        if value.type not in (*RANKS, "truth"):
            raise Refused(expr, f"a value of the type {value.type} as a condition")
        return self.choices.holds(value)

    def _binary(self, expr: Any) -> Value:
        if expr.op in ("&&", "||"):
            return self._joined(expr)
        if (order := self._compared_pointers(expr)) is not None:
            return order
        return self._operation(expr, expr.op, self._value(expr.left), self._value(expr.right))

    def _operation(self, where: Any, op: str, a: Value, b: Value) -> Value:
        """The value of `a op b`."""
        if op in ("&", "|", "*", "==", "!=") and a.type == b.type == "truth":
            return self._of_truths(op, a, b)
        if {a.type, b.type} - {*RANKS, "truth"}:
            raise Refused(where, f"the operator {op}")
        kind = _common(a, b)
        if "long" in (a.type, b.type) and {a.type, b.type} & {*UNSIGNED}:
            raise Refused(where, "a long beside an unsigned number")
        a, b = (self._converted(x, kind) for x in (a, b))
        if op in ORDERS:
            return self._compared(op, a, b)
        if kind in UNSIGNED and op in "+-*":
            return self._of_unsigned(op, a, b)
        if op not in "+-*/%|&" or (op in "%|&" and kind in REALS):
            raise Refused(where, f"the operator {op}")
        found = self.choices.arithmetic(op, a, b)
        if kind in SIGNED and op in "+-*":
            self._hold(found, a, b)
        key = self.choices.keys[found.node]
        if kind in WHOLE and op in "/%" and found not in (a, b) and key[0] == op:
            self._note(*key)
        return found

    def _of_unsigned(self, op: str, a: Value, b: Value) -> Value:
        """The result of + - * on unsigned numbers: that of mathematics where it surely is no other one."""
        found = self.choices.of_whole_numbers(op, a, b)
        if found is None:
            return self._wrapped(op, a, b, None)
        number, *held = (self.choices.polynomial(x.node) for x in (found, a, b))
        is_exact = self._is_never_negative(number) and self._is_within(number, *held)
        return found if is_exact else self._wrapped(op, a, b, found)

    def _wrapped(self, op: str, a: Value, b: Value, _: Value | None) -> Value:
        """The result of + - * on unsigned numbers that may be beyond their type: it begins at 0 again."""
        found = self.choices.arithmetic(op, a, b)
        self.counts.add(found.node)
        return found

    def _hold(self, value: Value, *held: Value) -> None:
        """Note that a whole number may be beyond its type, unless it lies between some that this holds.

        These are what is `held` already, 0, and numbers that were met.
        """
        polynomial = self.choices.polynomial(value.node)
        number = constant_of(polynomial)
        is_plain = self.choices.keys[value.node][0] != "sum"  # it is calculated from no other, or a constant
        if is_plain and (number is None or abs(number) < 2**31):
            return
        known = [*(self.choices.polynomial(x.node) for x in held), *self.ints.values(), {}]
        if not is_between(polynomial, known, self._facts(), self.counts) and not self._is_small(polynomial):
            self._note(f"beyond {value.type}", value.node)

    def _hold_as_int(self, value: Value) -> None:
        """The same for a long that is made an int, which each compiler defines in its own way."""
        polynomial = self.choices.polynomial(value.node)
        held: list[Polynomial] = [*self.ints.values(), {}]
        if not is_between(polynomial, held, self._facts(), self.counts) and not self._is_small(polynomial):
            self._note("made an int", value.node)

    def _is_small(self, number: Polynomial) -> bool:
        """Whether a number surely is an int where the old version is defined."""
        if not self.most:
            return False
        low, high = Ranges(self._facts(), self.most, self.counts).of(number)
        return low >= -MOST_INT - 1 and high <= MOST_INT

    def _facts(self) -> list[Polynomial]:
        """The whole numbers that are not negative on the way to what is being read."""
        facts = [fact for path in (self.path, *self.outer) for fact in self.choices.facts(path)]
        for node, (low, high) in self.narrow.items():
            facts += [added({(node,): 1}, {(): -low}), added({(): high}, {(node,): 1}, -1)]
        return facts

    def _of_truths(self, op: str, a: Value, b: Value) -> Value:
        holds, fails = self.choices.truth(True).node, self.choices.truth(False).node
        sides = {
            "&": (b.node, fails),
            "*": (b.node, fails),
            "|": (holds, b.node),
            "==": (b.node, self.choices.negated(b).node),
            "!=": (self.choices.negated(b).node, b.node),
        }[op]
        return Value(self.choices.chosen(a.node, *sides), "truth")

    def _compared(self, op: str, a: Value, b: Value) -> Value:
        if op in ("==", "!="):
            same = self.choices.equal(a, b)
            return same if op == "==" else self.choices.negated(same)
        low, high = (a, b) if op[0] == "<" else (b, a)
        return (self.choices.at_most if op[1:] else self.choices.less)(low, high)

    def _joined(self, expr: Any) -> Value:
        """`a && b`: what its second operand leaves undefined is behind the first one."""
        is_and = expr.op == "&&"
        a = self._truth(expr.left)
        with self._under(a, is_and):
            b = self._truth(expr.right)
        end = self.choices.truth(not is_and).node
        return Value(self.choices.chosen(a.node, *((b.node, end) if is_and else (end, b.node))), "truth")

    def _select(self, expr: Any) -> Value:
        condition = self._truth(expr.cond)
        with self._under(condition, True):
            a = self._value(expr.iftrue)
        with self._under(condition, False):
            b = self._value(expr.iffalse)
        if a.type != b.type:
            a, b = (self._in_type(expr, x, _common(a, b)) for x in (a, b))
        return Value(self.choices.chosen(condition.node, a.node, b.node), a.type)

    def _last(self, expr: Any) -> Value:
        """`(a, b)`, where nothing has an effect."""
        for part in expr.exprs[:-1]:
            is_void = type(part).__name__ == "Cast" and type_names(part.to_type.type) == ["void"]
            self._unused(part.expr if is_void else part)
        return self._value(expr.exprs[-1])

    def _unused(self, expr: Any) -> None:
        """An expression whose value is not used, or the name of anything."""
        if getattr(expr, "name", None) not in self.state.names:
            self._value(expr)

    def _cast(self, expr: Any) -> Value:
        kind = self._scalar_type(expr.to_type.type)
        if kind not in RANKS and not narrow_range(kind):
            raise Refused(expr, "a cast")
        value = self._in_type(expr, self._value(expr.expr), kind)
        return value if kind in RANKS else Value(value.node, "int")

    def _call(self, expr: Any) -> Value:
        """A call of a function of <math.h>, which writes nothing, or of a formula of the tree."""
        name, given = getattr(expr.name, "name", ""), list(expr.args.exprs) if expr.args else []
        if found := self._formula(name):
            return self._in_place(expr, found, given)
        if name in _CLASSES and name not in {**self.state.names, **self.source.functions}:
            return self._classified(expr, name, [self._value(g) for g in given])
        if name == EXPECT and len(given) == 2 and constant(given[1]) is not None:
            value = self._value(given[0])  # it is made a long, which shows nothing of other types
            if value.type == "truth":
                return value
        if name not in PURE or name in self.state.names or name in self.source.functions:
            raise Refused(expr, f"a call of {name or 'something'} within an expression")
        kind = "float" if name.endswith("f") else "double"
        nodes = [self._in_type(g, self._value(g), kind).node for g in given]
        return Value(self.choices.node("call", name, *nodes), kind)

    def _formula(self, name: str) -> tuple[Any, Item] | None:
        """The formula of the tree that a call in this function means; None for other functions."""
        if name in self.state.names:
            return None
        if name not in self.formulas:
            self.formulas[name] = formula_called(name, self.item.path, self.source)
        return self.formulas[name]

    def _in_place(self, expr: Any, found: tuple[Any, Item], given: Sequence[Any]) -> Value:
        """The value of a formula where it is called."""
        declared = found[0].decl
        check_declarations(expr, declared, found[1], self.item.path, self.source)
        listed = declared.type.args.params if declared.type.args else []
        if len(given) != len(listed) or len({p.name for p in listed}) < len(listed):
            raise Refused(expr, f"a call of {declared.name}")
        names = dict[str, Name]()
        for parameter, argument in zip(listed, given, strict=True):
            kind = " ".join(type_names(parameter.type))
            value = self._in_type(argument, self._value(argument), kind)
            names[parameter.name] = Variable(kind, True, value.node)
        outside, self.state = self.state, replace(self.state, names=names)
        try:
            value = self._value(found[0].body.block_items[0].expr)
        except Refused as refusal:
            raise Refused(expr, f"a call of {declared.name}: {refusal.reason}") from None
        finally:
            self.state = outside
        return self._in_type(expr, value, " ".join(type_names(declared.type.type)))

    def _classified(self, where: Any, name: str, given: Sequence[Value]) -> Value:
        """`isfinite(x)`: |x| is at most the largest number; `isnan(x)`: x is not x; `isless(x, y)`: x < y."""
        count, op = _CLASSES[name]
        if len(given) != count or any(value.type not in REALS for value in given):
            raise Refused(where, f"{name} of what is no floating-point number")
        kind = max((value.type for value in given), key=RANKS.index)
        a, b = self._converted(given[0], kind), self._converted(given[-1], kind)
        if name != "isfinite":
            return self._compared(op, a, b)
        largest, _ = limit("FLT_MAX" if kind == "float" else "DBL_MAX") or (Fraction(0), None)
        return self.choices.within(a, self.choices.constant(largest, kind))

    # Places

    def _place(self, expr: Any) -> Place:
        """The place that an expression names."""
        from pycparser import c_ast

        if isinstance(expr, c_ast.ID):
            what = self.state.names.get(expr.name)
            if isinstance(what, Place) and not what.is_array:
                return what
        if isinstance(expr, c_ast.UnaryOp) and expr.op == "*":
            return self._first(expr, self._pointer(expr.expr))
        if isinstance(expr, c_ast.ArrayRef):
            sides = (expr.name, expr.subscript)
            array, index = sides if not self._is_pointer(expr.subscript) else sides[::-1]
            return self._element(expr, self._pointer(array), self._value(index))
        if isinstance(expr, c_ast.StructRef):
            outer = (
                self._place(expr.name) if expr.type == "." else self._first(expr, self._pointer(expr.name))
            )
            kind, is_array = self._member(expr, outer.type, expr.field.name)
            node = self.choices.node("member", expr.field.name, outer.node)
            return Place(node, kind, outer.is_const, is_array)
        raise Refused(expr, f"{kind_of(expr)} where a variable is required")

    def _pointer(self, expr: Any) -> Place:
        """The array, or the only object, to whose first element an expression points."""
        from pycparser import c_ast

        if isinstance(expr, c_ast.ID):
            what = self.state.names.get(expr.name)
            if isinstance(what, Place) and what.is_array:
                return what
            if isinstance(what, Walker):
                return self._walked(expr, what)
        if isinstance(expr, c_ast.UnaryOp) and expr.op == "&":
            return self._place(expr.expr)._replace(is_array=True)
        if isinstance(expr, c_ast.TernaryOp):
            return self._one_of(expr)
        if isinstance(expr, c_ast.BinaryOp) and expr.op == "+":
            return self._element(expr, self._pointer(expr.left), self._value(expr.right))._replace(
                is_array=True
            )
        if isinstance(expr, c_ast.StructRef) and (place := self._place(expr)).is_array:
            return place
        raise Refused(expr, f"{kind_of(expr)} where a pointer is required")

    def _is_pointer(self, expr: Any) -> bool:
        """Whether an expression is the name of a pointer or of an array."""
        what = self.state.names.get(getattr(expr, "name", "")) if type(expr).__name__ == "ID" else None
        return isinstance(what, Walker) or (isinstance(what, Place) and what.is_array)

    def _walked(self, where: Any, pointer: Walker) -> Place:
        """Where a pointer points that may be given another value."""
        if pointer.value is None:
            raise Refused(where, "a pointer that points nowhere yet")
        node = self._element_of(pointer.base, Value(pointer.value, "long"))
        return Place(node, pointer.type, pointer.is_const, True)

    def _apart(self, place: Place) -> tuple[int, int]:
        """The array in which a place is, and its index there."""
        key = self.choices.keys[place.node]
        return key[1:] if key[0] == "element" else (place.node, self.choices.whole({}))  # type: ignore[return-value]

    def _compared_pointers(self, expr: Any) -> Value | None:
        """Which of two pointers into one array is further on; None for other operands."""
        named = [self.state.names.get(getattr(side, "name", "")) for side in (expr.left, expr.right)]
        if expr.op not in ORDERS or not any(isinstance(what, Walker) for what in named):
            return None
        (one, i), (other, j) = (self._apart(self._pointer(side)) for side in (expr.left, expr.right))
        if one != other:
            raise Refused(expr, "pointers into different arrays")
        return self._compared(expr.op, Value(i, "long"), Value(j, "long"))

    def _one_of(self, expr: Any) -> Place:
        """`condition ? a : b` of pointers to the same type."""
        condition = self._truth(expr.cond)
        with self._under(condition, True):
            a = self._pointer(expr.iftrue)
        with self._under(condition, False):
            b = self._pointer(expr.iffalse)
        if a.type != b.type:
            raise Refused(expr, "a choice of pointers to different types")
        node = self.choices.chosen(condition.node, a.node, b.node)
        return Place(node, a.type, a.is_const or b.is_const, True)

    def _first(self, where: Any, pointer: Place) -> Place:
        return self._element(where, pointer, self.choices.constant(Fraction(0), "int"))

    def _element(self, where: Any, array: Place, index: Value) -> Place:
        """An element; whether there is one is a matter of what is loaded or stored there."""
        if index.type not in WHOLE:
            raise Refused(where, "an index that is no whole number")
        return Place(self._element_of(array.node, index), array.type, array.is_const)

    def _element_of(self, array: int, index: Value) -> int:
        """The place of an element, counted from the start of the outermost array."""
        key = self.choices.keys[array]
        if self.choices.number(index) == 0:
            return array
        if key[0] == "choice":
            sides = (self._element_of(side, index) for side in key[2:])  # type: ignore[arg-type]
            return self.choices.chosen(key[1], *sides)  # type: ignore[arg-type]
        if key[0] == "element":
            outer: int = key[1]  # type: ignore[assignment]
            return self._element_of(outer, self.choices.arithmetic("+", Value(key[2], "long"), index))  # type: ignore[arg-type]
        return self.choices.node("element", array, index.node)

    def _member(self, where: Any, kind: str, name: str) -> tuple[str, bool]:
        """The type of a member of a struct, and whether it is an array."""
        items = self.source.types.get(kind, [])
        found = members(items[0].tokens, self.source) if len(items) == 1 else None
        for of, member, extent in found or ():
            if member == name:
                return of, bool(extent)
        raise Refused(where, f"the member {name}")

    def _scalar_type(self, kind: Any) -> str:
        """The type of a local variable, or in which a value is wanted."""
        wide = scalar_type(kind, self.source) if type(kind).__name__ == "TypeDecl" else None
        if type_names(kind) == ["size_t"] and wide == INTEGERS["size_t"]:
            return "size"
        words = " ".join(sorted(type_names(kind)))
        if wide is not None and wide == INTEGERS.get(words) and narrow_range(words):
            return words
        return "long" if wide == _WIDE else self._type(kind)

    def _type(self, kind: Any) -> str:
        """The type of a scalar or a struct, as it is declared."""
        name = " ".join(type_names(kind))
        items = self.source.types.get(name, [])
        if is_status(name, self.source) or name in ("unsigned int", "unsigned"):
            return "unsigned"
        if name in _FIXED and not items:
            return _FIXED[name]
        if name not in RANKS and not (len(items) == 1 and members(items[0].tokens, self.source)):
            raise Refused(kind, f"the type {name}")
        return name


def _as_constant(where: Any, number: Integer) -> tuple[Fraction, str]:
    is_size = type(where).__name__ == "Cast" and type_names(where.to_type.type) == ["size_t"]
    if number.is_size and not (is_size and 0 <= number.value <= MOST_INT):
        raise Refused(where, "a number of a type that is wider than int")
    if is_size:
        return Fraction(number.value), "size"
    return Fraction(number.value), "unsigned" if number.unsigned else "int"


def _common(a: Value, b: Value) -> str:
    """The type in which C calculates with both."""
    return max(("int", *(x.type for x in (a, b) if x.type in RANKS)), key=RANKS.index)


_VALUES: Mapping[str, Callable[[RoutineValues, Any], Value]] = {
    "ID": RoutineValues._name,
    "Constant": RoutineValues._literal,
    "UnaryOp": RoutineValues._unary,
    "BinaryOp": RoutineValues._binary,
    "TernaryOp": RoutineValues._select,
    "FuncCall": RoutineValues._call,
    "Cast": RoutineValues._cast,
    "ExprList": RoutineValues._last,
    "StructRef": RoutineValues._loaded,
    "ArrayRef": RoutineValues._loaded,
}
