"""Reads C expressions: their values, conversions, and the flags of a status."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from codegen.ir.operations import LIBM, Op
from codegen.review.diff.arrays import Lookups
from codegen.review.diff.integers import Integer, constant
from codegen.review.diff.literals import exact_literal
from codegen.review.diff.reading import SCALARS, WIDTH, Held, rounded
from codegen.review.diff.syntax import Refused, kind_of, type_names
from codegen.review.diff.terms import Term

_LIBRARY = {op.label: op for op in (*LIBM, Op.SQRT)} | {"fabs": Op.ABS}
_ARITHMETIC = {"+": Op.ADD, "-": Op.SUB, "*": Op.MUL, "/": Op.DIV}

MOST_FLAGS = 1_000
"""Limit on the requirements of a function's status, and on the choices between integers."""

Flags = tuple[tuple[int, int], ...]
"""The flags of a status, each with the node that must hold for it not to be raised."""


class Expressions(Lookups):
    """The values of a function's expressions."""

    # Expressions

    def _expression(self, expr: Any) -> Term:
        """The value of a C expression."""
        number = constant(expr)
        if number is not None:
            return self._whole(expr, number)
        read = _EXPRESSIONS.get(type(expr).__name__)
        if read is None:
            raise Refused(expr, kind_of(expr))
        return read(self, expr)

    def _whole(self, expr: Any, number: Integer) -> Term:
        """A constant integer: flags if it is unsigned."""
        if number.unsigned:
            return Term(-1, Held.INT, self._always(expr, number.value))
        return self.graph.constant(Fraction(number.value), Held.INT)

    def _name(self, expr: Any) -> Term:
        local = self.locals.get(expr.name)
        if local is not None and local.value is None:
            raise Refused(expr, f"{expr.name} is used before it has a value")
        if local is not None and local.value is not None:
            return local.value
        parameter = self.parameters.get(expr.name)
        if parameter is not None and parameter.places is None:
            return self._loaded(expr.name, "")
        raise Refused(expr, f"the name {expr.name}")

    def _memory(self, expr: Any) -> Term:
        if type(expr).__name__ == "ArrayRef" and self._is_array(expr.name):
            return self._entry(expr)
        return self._loaded(*self._place(expr))

    def _constant(self, expr: Any) -> Term:
        text = expr.value
        exact, is_float = exact_literal(text)
        if exact is None:
            raise Refused(expr, f"the constant {text[:40]}")
        held = Held.FLOAT if is_float else Held.DOUBLE
        self.spelled.add(held)
        return self.graph.constant(rounded(exact, held), held)

    def _unary(self, expr: Any) -> Term:
        if expr.op == "*":
            return self._memory(expr)
        operand = self._expression(expr.expr)
        if expr.op == "!":
            return self._not(self._truth(expr, operand))
        if expr.op == "+":
            return operand
        if expr.op != "-" or operand.held is Held.TRUTH or operand.flags is not None:
            raise Refused(expr, f"the operator {expr.op}")
        number = self.graph.number(operand)
        if number:  # -0.0 is not 0.0
            return self.graph.constant(-number, operand.held)
        if operand.held is Held.INT:
            raise Refused(expr, "integer arithmetic")
        return self.graph.add(operand.held, Op.NEG, operand.node)

    def _not(self, truth: Term) -> Term:
        op, args, value = self.graph.nodes[truth.node]
        if op is Op.NOT:
            return Term(args[0], Held.TRUTH)
        if op is Op.TRUTH:
            return self.graph.add(Held.TRUTH, Op.TRUTH, value=not value)
        return self.graph.add(Held.TRUTH, Op.NOT, truth.node)

    def _binary(self, expr: Any) -> Term:
        return self._flat(expr) or self._operation(
            expr, expr.op, self._expression(expr.left), self._expression(expr.right)
        )

    def _operation(self, where: Any, op: str, a: Term, b: Term) -> Term:
        """The value of `a op b`."""
        if op in ("&&", "||"):
            connective = Op.AND if op == "&&" else Op.OR
            return self.graph.add(
                Held.TRUTH, connective, self._truth(where, a).node, self._truth(where, b).node
            )
        if op == "|":
            return self._all_flags(where, (*self._as_flags(where, a), *self._as_flags(where, b)))
        if op in ("==", "!=") and self._is_truth(a) and self._is_truth(b):
            return self._compared_truths(op, self._truth(where, a), self._truth(where, b))
        a, b = self._common(where, a, b)
        if a.held is Held.INT or a.held is Held.TRUTH:
            raise Refused(where, "integer arithmetic")
        if op in _ARITHMETIC:
            return self.graph.add(a.held, _ARITHMETIC[op], a.node, b.node)
        if op in _COMPARISONS:
            return _COMPARISONS[op](self, a, b)
        raise Refused(where, f"the operator {op}")

    def _compared_truths(self, op: str, a: Term, b: Term) -> Term:
        """Whether two truth values are the same, or not."""
        same = self._chosen_truth(a, b, self._not(b))
        return same if op == "==" else self._not(same)

    def _less(self, a: Term, b: Term) -> Term:
        return self.graph.add(Held.TRUTH, Op.LT, a.node, b.node)

    def _at_most(self, a: Term, b: Term) -> Term:
        return self.graph.add(Held.TRUTH, Op.LE, a.node, b.node)

    def _equal(self, a: Term, b: Term) -> Term:
        return self.graph.add(Held.TRUTH, Op.AND, self._at_most(a, b).node, self._at_most(b, a).node)

    def _select(self, expr: Any) -> Term:
        stepped = self._step(expr)
        if stepped is not None:
            return stepped
        condition = self._truth(expr, self._expression(expr.cond))
        return self._chosen(expr, condition, self._expression(expr.iftrue), self._expression(expr.iffalse))

    def _chosen(self, where: Any, condition: Term, a: Term, b: Term) -> Term:
        """`condition ? a : b`."""
        if a == b:
            return a
        if a.flags is not None or b.flags is not None:
            return self._chosen_flags(where, condition, self._as_flags(where, a), self._as_flags(where, b))
        if Held.TRUTH in (a.held, b.held) and self._is_truth(a) and self._is_truth(b):
            return self._chosen_truth(condition, self._truth(where, a), self._truth(where, b))
        if a.held is b.held is Held.INT and (self._is_index(a) or self._is_index(b)):
            raise Refused(where, "a choice of an index")
        a, b = self._common(where, a, b)
        return self.graph.add(a.held, Op.SELECT, condition.node, a.node, b.node)

    def _is_truth(self, term: Term) -> bool:
        """Whether a value is a truth or one of the integers 0 and 1."""
        if term.flags is not None:
            return False
        return term.held is Held.TRUTH or (term.held is Held.INT and self.graph.number(term) in (0, 1))

    def _chosen_flags(self, where: Any, condition: Term, a: Flags, b: Flags) -> Term:
        """What both raise anyway, then what either does."""
        common = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
        ways = (condition, a[common:]), (self._not(condition), b[common:])
        under = [f for way, flags in ways for f in self._under(way, flags)]
        return self._all_flags(where, (*a[:common], *under))

    def _chosen_truth(self, condition: Term, a: Term, b: Term) -> Term:
        """c ? a : b of truth values is (c && a) || (!c && b)."""
        left = self._connected(Op.AND, condition, a)
        right = self._connected(Op.AND, self._not(condition), b)
        a_known, b_known = (self._known(x) for x in (a, b))
        if a_known:
            return self._connected(Op.OR, condition, b)
        if b_known:
            return self._connected(Op.OR, self._not(condition), a)
        return self._connected(Op.OR, left, right)

    def _known(self, truth: Term) -> bool | None:
        """The value of a truth that does not depend on anything."""
        op, _, value = self.graph.nodes[truth.node]
        return bool(value) if op is Op.TRUTH else None

    def _connected(self, op: Op, a: Term, b: Term) -> Term:
        """a && b or a || b, shorter where one of them is known."""
        for known, other in ((self._known(a), b), (self._known(b), a)):
            if known is not None:
                return other if known == (op is Op.AND) else self.graph.add(Held.TRUTH, Op.TRUTH, value=known)
        return self.graph.add(Held.TRUTH, op, a.node, b.node)

    def _call(self, expr: Any) -> Term:
        from pycparser import c_ast

        name = expr.name.name if isinstance(expr.name, c_ast.ID) else "something"
        bare = name.removesuffix("f")
        known = not any(
            name in own for own in (self.source.functions, self.locals, self.parameters, self.counters)
        )
        op = _LIBRARY.get(bare) or _LIBRARY.get(name)
        given = list(expr.args.exprs) if expr.args else []
        if name in ("atan", "atanf") and len(given) == 1:
            op = Op.ATAN2
            given.append(c_ast.Constant("double", "1.0" if name == "atan" else "1.0f"))
        found = self._cell(expr, given) if name in self.source.functions else None
        if found is not None:
            return found
        if op is None or not known or len(given) != len(op.arguments):
            raise Refused(expr, f"a call of {name}")
        held = Held.DOUBLE if name in _LIBRARY or name == "atan" else Held.FLOAT
        arguments = [self._as(expr, self._expression(g), held).node for g in given]
        return self.graph.add(held, op, *arguments)

    def _cast(self, expr: Any) -> Term:
        name = " ".join(type_names(expr.to_type.type))
        if name not in SCALARS or getattr(expr.to_type, "quals", None):
            raise Refused(expr, "a cast")
        value = self._expression(expr.expr)
        if value.held is Held.TRUTH and name == "int":
            return value
        return self._as(expr, value, SCALARS[name])

    # Conversions

    def _as(self, where: Any, term: Term, held: Held) -> Term:
        """The value, converted to a C type."""
        if term.flags is not None:
            raise Refused(where, "flags used as a number")
        if term.held is Held.TRUTH:
            one, zero = (self.graph.constant(Fraction(n), held) for n in (1, 0))
            return self.graph.add(held, Op.SELECT, term.node, one.node, zero.node)
        if self._is_index(term) and held is not Held.INT:
            return self.graph.add(held, Op.REAL, term.node)
        if held is Held.INT and term.held is not Held.INT:
            raise Refused(where, "a real number made an integer")
        return self.graph.converted(term, held)

    def _common(self, where: Any, a: Term, b: Term) -> tuple[Term, Term]:
        """Both values in the wider of their types."""
        held = max(a.held, b.held, Held.INT, key=lambda h: WIDTH[h])
        return self._as(where, a, held), self._as(where, b, held)

    def _truth(self, where: Any, term: Term) -> Term:
        """The value as a condition."""
        number = self.graph.number(term) if term.flags is None else None
        if term.held is Held.INT and number is not None:
            return self.graph.add(Held.TRUTH, Op.TRUTH, value=bool(number))
        if term.held is Held.INT and term.flags is None and self.graph.nodes[term.node].op is Op.SELECT:
            self._count_choice(where)
            condition, *sides = self.graph.nodes[term.node].args
            a, b = (self._truth(where, Term(side, self.graph.held[side])) for side in sides)
            return self._chosen_truth(Term(condition, Held.TRUTH), a, b)
        if term.held is not Held.TRUTH or term.flags is not None:
            raise Refused(where, "a number used as a condition")
        return term

    # Status

    def _flags(self, expr: Any) -> Flags:
        return self._as_flags(expr, self._expression(expr))

    def _as_flags(self, where: Any, term: Term) -> Flags:
        """A status as flags, each with the node that must hold for it not to be raised."""
        if term.flags is not None:
            return term.flags
        if term.held is Held.TRUTH:
            return ((self._not(term).node, 1),)
        if term.held is not Held.INT:
            raise Refused(where, "a status that is not a combination of flags")
        return tuple(self._leaves(where, term, None))

    def _always(self, where: Any, flags: int) -> Flags:
        """A constant as flags: what is raised whatever holds."""
        never = self.graph.add(Held.TRUTH, Op.TRUTH, value=False).node
        return tuple((never, flag) for flag in _bits(where, flags))

    def _under(self, condition: Term, flags: Iterable[tuple[int, int]]) -> Flags:
        """The flags, raised only where the condition holds."""
        averts = self._not(condition).node
        return tuple((self._either(averts, met), flag) for met, flag in flags)

    def _either(self, averts: int, met: int) -> int:
        op, _, value = self.graph.nodes[met]
        if op is Op.TRUTH:
            return met if value else averts
        return self.graph.add(Held.TRUTH, Op.OR, averts, met).node

    def _all_flags(self, where: Any, flags: Iterable[tuple[int, int]]) -> Term:
        """A status with these flags, each once."""
        once = tuple(dict.fromkeys(flags))
        if len(once) > MOST_FLAGS:
            raise Refused(where, f"a status of more than {MOST_FLAGS} flags")
        return Term(-1, Held.INT, once)

    def _count_choice(self, where: Any) -> None:
        """Refuse what has too many choices to follow them all."""
        self.leaves += 1
        if self.leaves > MOST_FLAGS:
            raise Refused(where, f"a status of more than {MOST_FLAGS} choices")

    def _leaves(self, where: Any, term: Term, reached: Term | None) -> Iterable[tuple[int, int]]:
        """The flags in a tree of selects; `reached` is the condition under which this part of it counts."""
        self._count_choice(where)
        op, args, value = self.graph.nodes[term.node]
        if op is Op.CONSTANT:
            never = self.graph.add(Held.TRUTH, Op.TRUTH, value=False)
            for flag in _bits(where, int(Fraction(value or 0))):
                yield (never if reached is None else self._not(reached)).node, flag
        elif op is Op.SELECT:
            condition = Term(args[0], Held.TRUTH)
            for way, below in ((condition, args[1]), (self._not(condition), args[2])):
                both = way if reached is None else self.graph.add(Held.TRUTH, Op.AND, reached.node, way.node)
                yield from self._leaves(where, Term(below, Held.INT), both)
        else:
            raise Refused(where, "a status that is not a combination of flags")


def _bits(where: Any, flags: int) -> list[int]:
    """The single flags of a constant."""
    if not 0 <= flags < 2**31:
        raise Refused(where, f"the status {flags}")
    return [1 << i for i in range(flags.bit_length()) if flags >> i & 1]


_COMPARISONS: Mapping[str, Callable[[Expressions, Term, Term], Term]] = {
    "<": Expressions._less,
    "<=": Expressions._at_most,
    ">": lambda reader, a, b: reader._less(b, a),
    ">=": lambda reader, a, b: reader._at_most(b, a),
    "==": Expressions._equal,
    "!=": lambda reader, a, b: reader._not(reader._equal(a, b)),
}

_EXPRESSIONS: Mapping[str, Callable[[Expressions, Any], Term]] = {
    "ID": Expressions._name,
    "Constant": Expressions._constant,
    "UnaryOp": Expressions._unary,
    "BinaryOp": Expressions._binary,
    "TernaryOp": Expressions._select,
    "FuncCall": Expressions._call,
    "Cast": Expressions._cast,
    "StructRef": Expressions._memory,
    "ArrayRef": Expressions._memory,
}
