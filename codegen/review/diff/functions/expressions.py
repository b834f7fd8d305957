"""Reads C expressions: their values, and the places and functions that they name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from codegen.ir.operations import LIBM, Op
from codegen.review.diff.functions.memory import Block, Local, Pointer, Shape
from codegen.review.diff.functions.terms import Term
from codegen.review.diff.functions.types import Scalar, scalar_type
from codegen.review.diff.functions.values import Flags, Values
from codegen.review.diff.reading import Held, rounded
from codegen.review.diff.text.integers import Integer, constant
from codegen.review.diff.text.literals import exact_literal, limit
from codegen.review.diff.text.reserved import EXPECT
from codegen.review.diff.text.syntax import Refused, kind_of, type_names

_LIBRARY = {op.label: op for op in (*LIBM, Op.SQRT)} | {"fabs": Op.ABS}


class Expressions(Values, ABC):
    """The values of a function's expressions."""

    @abstractmethod
    def _inlined(self, expr: Any) -> Term:
        """The value of a call of a function of the tree."""

    @abstractmethod
    def _invoked(self, expr: Any) -> Term | None:
        """The effects of a call of a function of the tree, and what it returns."""

    def _expression(self, expr: Any) -> Term:
        """The value of a C expression."""
        number = constant(expr, self._integer)
        if number is not None:
            return self._constant_integer(expr, number)
        read = _EXPRESSIONS.get(type(expr).__name__)
        if read is None:
            raise Refused(expr, kind_of(expr))
        return read(self, expr)

    def _constant_integer(self, expr: Any, number: Integer) -> Term:
        """A constant integer: flags if it is unsigned."""
        if number.unsigned:
            return Term(-1, Held.INT, self._always(expr, number.value))
        return self.graph.constant(Fraction(number.value), Held.INT)

    def _last(self, expr: Any) -> Term:
        """`(a, b)`, where nothing has an effect."""
        for part in expr.exprs[:-1]:
            is_void = type(part).__name__ == "Cast" and type_names(part.to_type.type) == ["void"]
            self._unused(part.expr if is_void else part)
        return self._expression(expr.exprs[-1])

    def _unused(self, expr: Any) -> None:
        """An expression whose value is not used, or the name of anything."""
        if self._named(expr) is None:
            self._expression(expr)

    def _name(self, expr: Any) -> Term:
        local = self._named(expr)
        if local is None:
            return self._global(expr)
        if isinstance(local, Block) and Shape.SCALAR is self.objects[local.object].shapes[""]:
            return self._loaded(local.object, "", expr)
        if not isinstance(local, Local):
            raise Refused(expr, f"the name {expr.name}")
        if local.value is None:
            raise Refused(expr, f"{expr.name} is used before it has a value")
        return local.value

    def _global(self, expr: Any) -> Term:
        """The value of a constant of <float.h>, <math.h> or <stdbool.h>."""
        name = expr.name
        if name in ("true", "false"):
            return self.graph.constant(Fraction(name == "true"), Held.INT)
        found = limit(name)
        if found is None:
            raise Refused(expr, f"the name {name}")
        return self.graph.constant(*found)

    def _memory(self, expr: Any) -> Term:
        if type(expr).__name__ == "ArrayRef" and self._is_entry(expr):
            return self._entry(expr)
        place = self._scalar(expr)
        return self._loaded(place.object, place.path, expr)

    def _constant(self, expr: Any) -> Term:
        text = expr.value
        exact, is_float = exact_literal(text)
        if exact is None:
            raise Refused(expr, f"the constant {text[:40]}")
        held = Held.FLOAT if is_float else Held.DOUBLE
        return self.graph.constant(rounded(exact, held), held)

    def _unary(self, expr: Any) -> Term:
        if expr.op == "*":
            return self._memory(expr)
        if expr.op == "!":
            return self._not(self._condition(expr.expr))
        inner = getattr(expr.expr, "op", None) if type(expr.expr).__name__ == "UnaryOp" else None
        if expr.op == inner == "-":  # of flags, too, of which no opposite is known
            return self._expression(expr.expr.expr)
        operand = self._expression(expr.expr)
        if expr.op == "+":
            return operand
        bit = self._bit(operand) if expr.op == "-" and self.graph.number(operand) is None else None
        if bit is not None:
            return self._spread(expr, bit)
        if expr.op != "-" or operand.flags is not None:
            raise Refused(expr, f"the operator {expr.op}")
        number = self.graph.number(operand)
        if number:  # -0.0 is not 0.0
            return self.graph.constant(-number, operand.held)
        if operand.held is Held.INT:
            raise Refused(expr, "integer arithmetic")
        op, args, _ = self.graph.nodes[operand.node]
        if (
            op is Op.NEG
            and self.graph.held[args[0]] is operand.held
            and self.graph.nodes[args[0]].op is not Op.CONSTANT
        ):
            return Term(args[0], operand.held)
        return self.graph.add(operand.held, Op.NEG, operand.node)

    def _condition(self, expr: Any) -> Term:
        """Whether an expression is not zero."""
        from pycparser import c_ast

        if isinstance(expr, c_ast.FuncCall) and getattr(expr.name, "name", "") in _CLASSES:
            return self._classified(expr)
        if isinstance(expr, c_ast.FuncCall) and getattr(expr.name, "name", "") == EXPECT:
            return self._truth(expr, self._expected(expr))
        if isinstance(expr, c_ast.UnaryOp) and expr.op == "!":
            return self._not(self._condition(expr.expr))
        if isinstance(expr, c_ast.ID) and isinstance(pointer := self.names.get(expr.name), Pointer):
            return self._is_given(expr, pointer)
        return self._truth(expr, self._expression(expr))

    def _compared_with_null(self, expr: Any) -> tuple[Any, Pointer] | None:
        """The pointer, and its name, that `p != NULL` or `0 == p` compares; None for anything else."""
        sides = (expr.left, expr.right), (expr.right, expr.left)
        for side, other in sides if expr.op in ("==", "!=") else ():
            pointer = self._named(side)
            is_null = getattr(other, "name", None) == "NULL" or getattr(other, "value", None) == "0"
            if isinstance(pointer, Pointer) and is_null:
                return side, pointer
        return None

    def _is_given(self, expr: Any, pointer: Pointer) -> Term:
        """Whether a pointer to an argument is not null."""
        if self.objects[pointer.object].parameter is None or pointer.stem or pointer.element:
            raise Refused(expr, f"the pointer {expr.name} as a condition")
        self.optional[pointer.object] = None
        return self.graph.add(Held.TRUTH, Op.TRUTH, value=pointer.object not in self.skipped)

    def _classified(self, expr: Any) -> Term:
        """Whether a number is finite, infinite or NaN, as <math.h> tells."""
        name, given = expr.name.name, list(expr.args.exprs) if expr.args else []
        x = self._expression(given[0]) if len(given) == 1 else None
        if x is None or x.held not in (Held.FLOAT, Held.DOUBLE) or name in self.source.functions:
            raise Refused(expr, f"a call of {name}")
        if name == "isnan":
            return self._not(self._at_most(x, x))
        if name == "isfinite":
            return self._is_finite(x)
        size = self.graph.add(x.held, Op.ABS, x.node)
        return self._less(self._largest_of(x.held, 1), size)

    def _expected(self, expr: Any) -> Term:
        """The integer of which `__builtin_expect` says which value is likely: it is made a long."""
        given = list(expr.args.exprs) if expr.args else []
        found = self._expression(given[0]) if len(given) == 2 else None
        is_known = found is not None and constant(given[1], self._integer) is not None
        if found is None or not is_known or found.held not in (Held.TRUTH, Held.INT):
            raise Refused(expr, f"a call of {EXPECT}")
        return found

    def _ordered(self, expr: Any, name: str, given: Sequence[Any]) -> Term:
        """Whether two real numbers compare so, as <math.h> tells: as the operator, without an exception."""
        terms = [self._expression(g) for g in given]
        if len(terms) != 2 or any(t.held not in (Held.FLOAT, Held.DOUBLE) for t in terms):
            raise Refused(expr, f"a call of {name}")
        return self._operation(expr, _ORDERS[name], *terms)

    def _binary(self, expr: Any) -> Term:
        if expr.op in ("&&", "||"):
            left = self._condition(expr.left)
            with self._where(left, expr.op == "&&"):
                right = self._condition(expr.right)
            return self._operation(expr, expr.op, left, right)
        compared = self._compared_with_null(expr)
        if compared is not None:
            name, pointer = compared
            given = self._is_given(name, pointer)
            return given if expr.op == "!=" else self._not(given)
        if (holds := self._compared_pointers(expr)) is not None:
            return self.graph.add(Held.TRUTH, Op.TRUTH, value=holds)
        return self._operation(expr, expr.op, self._expression(expr.left), self._expression(expr.right))

    def _select(self, expr: Any) -> Term:
        condition = self._condition(expr.cond)
        with self._where(condition, True):
            a = self._expression(expr.iftrue)
        with self._where(condition, False):
            b = self._expression(expr.iffalse)
        return self._chosen(expr, condition, a, b)

    def _call(self, expr: Any) -> Term:
        from pycparser import c_ast

        name = expr.name.name if isinstance(expr.name, c_ast.ID) else "something"
        given = list(expr.args.exprs) if expr.args else []
        if name in self.names:
            raise Refused(expr, f"a call of {name}")
        if name == EXPECT and self._is_truth(found := self._expected(expr)):
            return found
        if name in _CLASSES:
            return self._nonzero(self._classified(expr))
        if name in _ORDERS and name not in self.source.functions:
            return self._ordered(expr, name, given)
        if name in self.source.functions:
            return self._cell(expr, given) or self._inlined(expr)
        if name in ("pow", "powf") and len(given) == 2:
            return self._squared(expr, *given)
        op = _LIBRARY.get(name.removesuffix("f")) or _LIBRARY.get(name)
        if name in ("atan", "atanf") and len(given) == 1:
            op = Op.ATAN2
            given.append(c_ast.Constant("double", "1.0" if name == "atan" else "1.0f"))
        if op is None or len(given) != len(op.arguments):
            raise Refused(expr, f"a call of {name}")
        held = Held.DOUBLE if name in _LIBRARY or name == "atan" else Held.FLOAT
        arguments = [self._as(expr, self._expression(g), held).node for g in given]
        return self.graph.add(held, op, *arguments)

    def _squared(self, call: Any, base: Any, exponent: Any) -> Term:
        """`pow(x, 2.0)`: x * x, in another operation, whose last place depends on the library."""
        if self.graph.number(self._expression(exponent)) != 2:
            raise Refused(call, f"a call of {call.name.name} with another exponent than 2")
        held = Held.FLOAT if call.name.name == "powf" else Held.DOUBLE
        x = self._as(call, self._expression(base), held)
        square, one = self.graph.add(held, Op.MUL, x.node, x.node), self.graph.constant(Fraction(1), held)
        return self.graph.add(held, Op.MUL, square.node, one.node)

    def _cast(self, expr: Any) -> Term:
        wanted = scalar_type(expr.to_type.type, self.source)
        if wanted is None or getattr(expr.to_type, "quals", None):
            raise Refused(expr, "a cast")
        if wanted.held is Held.TRUTH:
            return self._condition(expr.expr)
        return self._in_type(expr, self._expression(expr.expr), wanted)

    def _literal(self, expr: Any) -> Term:
        """`(float){x}`: the value of a scalar without a name."""
        from pycparser import c_ast

        given = expr.init.exprs
        if len(given) != 1 or isinstance(given[0], c_ast.InitList | c_ast.NamedInitializer):
            raise Refused(expr, "a compound literal that is no number")
        return self._cast(c_ast.Cast(expr.type, given[0], expr.coord))

    def _in_type(self, where: Any, value: Term, wanted: Scalar) -> Term:
        """The value, converted to a type; truth values and flags stay what they are in an int."""
        if wanted.held is Held.TRUTH:
            return self._truth(where, value)
        if wanted.most:
            value = self._small(where, value, wanted.most)
        if wanted.unsigned and self._is_index(value):
            return value
        if wanted.unsigned:
            return Term(-1, Held.INT, self._as_flags(where, value))
        if wanted.held is Held.INT and value.held in (Held.TRUTH, Held.INT):
            return value
        return self._as(where, value, wanted.held)

    def _small(self, where: Any, value: Term, most: int) -> Term:
        """A number that a type surely holds, as an int; flags that it holds, or a truth value."""
        number = self._constant_flags(where, value)
        if number is not None and number <= most:
            return self.graph.constant(Fraction(number), Held.INT)
        if self._is_index(value) and self._largest(value.node) <= most:
            return value
        if value.flags is not None and all(flag <= most for _, flag in value.flags):
            return value
        bit = self._bit(value)
        if bit is None:
            raise Refused(where, "an integer of another type than int, which may not hold this number")
        return bit

    def _flags(self, expr: Any) -> Flags:
        return self._as_flags(expr, self._expression(expr))


_CLASSES = ("isnan", "isinf", "isfinite")
_ORDERS = {"isgreater": ">", "isgreaterequal": ">=", "isless": "<", "islessequal": "<="}

_EXPRESSIONS: Mapping[str, Callable[[Expressions, Any], Term]] = {
    "ID": Expressions._name,
    "Constant": Expressions._constant,
    "ExprList": Expressions._last,
    "UnaryOp": Expressions._unary,
    "BinaryOp": Expressions._binary,
    "TernaryOp": Expressions._select,
    "FuncCall": Expressions._call,
    "Cast": Expressions._cast,
    "CompoundLiteral": Expressions._literal,
    "StructRef": Expressions._memory,
    "ArrayRef": Expressions._memory,
}
