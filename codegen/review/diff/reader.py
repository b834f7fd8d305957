"""Reads C back into a Program: the straight-line functions that featherc generates, and edits of them.

The reader keeps the semantics of C: the type of each value (a constant without its F makes double arithmetic
in float code), the order of operations, and the content of an output before it is written. It rejects other C
with the reason, as `Unread`: most loops, calls, macros, pointer arithmetic, second assignments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from codegen.ir.operations import LIBM, Op
from codegen.ir.program import Arg, Program
from codegen.ir.rewriting import arrange, needed
from codegen.ir.status import Status
from codegen.ir.types import REAL, Array
from codegen.review.diff.changes import Unreadable
from codegen.review.diff.integers import Integer, constant, whole
from codegen.review.diff.items import Item
from codegen.review.diff.reading import (
    SCALARS,
    WIDTH,
    Held,
    Overlap,
    Reading,
    ReadParameter,
    Signature,
    rounded,
)
from codegen.review.diff.signature import is_status, signature_of
from codegen.review.diff.source import Source
from codegen.review.diff.syntax import Refused, counted, kind_of, parsed, type_names
from codegen.review.diff.terms import Term, TermGraph

LARGEST = 20_000
"""Limit on the operations of a function."""

MOST_FLAGS = 1_000
"""Limit on the requirements of a function's status, and on the choices between flags."""

MOST_OVERLAPS = 100
"""Limit on the pairs of an input and an output that may be one object: each pair is compared on its own."""


class Unread(Exception):
    """C that the reader rejects; its argument is an Unreadable."""


def read(item: Item, source: Source, same: Overlap | None = None) -> Reading:
    """The function as a Program; the two arguments of `same` are one object. Raises Unread."""
    try:
        return _Reader(item, source, same).reading()
    except RecursionError:
        raise Unread(Unreadable(item.path, item.line, "it is nested too deeply")) from None
    except Refused as refusal:
        line = item.line + max(refusal.line - 1, 0)
        raise Unread(Unreadable(item.path, line, refusal.reason)) from None


def read_signature(item: Item, source: Source) -> Signature:
    """The signature that a prototype declares; raises Unread with the reason."""
    try:
        return signature_of(parsed(item, source), item.path, source)
    except RecursionError:
        raise Unread(Unreadable(item.path, item.line, "it is nested too deeply")) from None
    except Refused as refusal:
        raise Unread(Unreadable(item.path, item.line, refusal.reason)) from None


_LIBRARY = {op.label: op for op in (*LIBM, Op.SQRT)} | {"fabs": Op.ABS}
_ARITHMETIC = {"+": Op.ADD, "-": Op.SUB, "*": Op.MUL, "/": Op.DIV}
_LITERAL = re.compile(r"(\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE]([+-]?\d{1,3}))?([fF]?)", re.ASCII)


def _is_assignment(statement: Any) -> bool:
    """Whether it is a plain one, with `=`."""
    from pycparser import c_ast

    return isinstance(statement, c_ast.Assignment) and statement.op == "="


class _Reader:
    """The state of reading one function."""

    def __init__(self, item: Item, source: Source, same: Overlap | None) -> None:
        self.item, self.source, self.same = item, source, same
        self.graph = TermGraph()
        self.parameters: dict[str, ReadParameter] = {}
        self.locals: dict[str, Term | Held] = {}
        self.stored: dict[tuple[str, str], Term] = {}
        self.overlaps: dict[Overlap, None] = {}
        self.inputs: dict[tuple[str, str], int] = {}
        self.leaves = 0  # of the choices between flags
        self.unrolled = 0  # assignments of loops
        self.statuses: set[str] = set()  # the variables that collect flags
        self.counters: dict[str, int] = {}  # of the loop that is being read
        self.spelled: set[Held] = set()  # the types of the constants

    def reading(self) -> Reading:
        """The whole function."""
        function = parsed(self.item, self.source)
        if type(function).__name__ != "FuncDef" or function.param_decls:
            raise Refused(function, "not a function definition with a prototype")
        signature = signature_of(function.decl, self.item.path, self.source)
        self.parameters = {p.name: p for p in signature.parameters}
        if len(self.parameters) < len(signature.parameters):
            raise Refused(function, "two parameters have the same name")
        self._number_inputs(signature)
        program = self._program(signature, self._body(function.body.block_items or [], signature.returns))
        used = sorted(needed(program))
        if len(used) > LARGEST:
            raise Refused(function, f"it has more than {LARGEST} operations")
        program, held = arrange(program, used), tuple(self.graph.held[i] for i in used)
        computed = {h for node, h in zip(program.nodes, held, strict=True) if node.op is not Op.CONSTANT}
        types = frozenset({*computed, *self.spelled} & {Held.FLOAT, Held.DOUBLE})
        return Reading(signature, program, held, types, tuple(self.overlaps))

    def _number_inputs(self, signature: Signature) -> None:
        """Number the scalars: those of the inputs first, then what the outputs hold before the call."""
        for p in sorted(signature.parameters, key=lambda p: p.written):
            for place in p.places or ("",):
                self.inputs[p.name, place] = len(self.inputs)

    # Statements

    def _body(self, statements: Sequence[Any], returns: str) -> tuple[tuple[int, int], ...]:
        """Read all statements; the requirements of the returned status."""
        from pycparser import c_ast

        for i, statement in enumerate(statements):
            if isinstance(statement, c_ast.Return):
                if i + 1 < len(statements):
                    raise Refused(statement, "statements after a return")
                if (statement.expr is None) != (returns == "void"):
                    raise Refused(statement, "a return that does not match the return type")
                return self._flags(statement.expr) if statement.expr is not None else ()
            self._statement(statement)
        if returns != "void":
            raise Refused(None, "it returns no status")
        return ()

    def _statement(self, statement: Any) -> None:
        from pycparser import c_ast

        if isinstance(statement, c_ast.Decl):
            self._declare(statement)
        elif _is_assignment(statement):
            self._assign(statement)
        elif isinstance(statement, c_ast.For):
            self._loop(statement)
        elif isinstance(statement, c_ast.If):
            self._raise_if(statement)
        elif isinstance(statement, c_ast.Assignment) and statement.op == "|=":
            self._raise(statement, None)
        elif isinstance(statement, c_ast.Cast) and type_names(statement.to_type.type) == ["void"]:
            name = statement.expr.name if isinstance(statement.expr, c_ast.ID) else None
            if name not in self.parameters and name not in self.locals:
                raise Refused(statement, "a cast to void of an expression that is not a name")
        elif not isinstance(statement, c_ast.EmptyStatement):
            raise Refused(statement, f"{kind_of(statement)}")

    def _declare(self, declared: Any) -> None:
        from pycparser import c_ast

        kind = declared.type
        plain = isinstance(kind, c_ast.TypeDecl) and not declared.storage and not declared.align
        name = " ".join(type_names(kind)) if plain else ""
        status = plain and is_status(name, self.source)
        if (name not in SCALARS and not status) or set(declared.quals) - {"const"}:
            raise Refused(declared, f"the declaration of {declared.name}")
        if declared.name in self.locals or declared.name in self.parameters:
            raise Refused(declared, f"{declared.name} is declared twice")
        value = declared.init
        if status:
            self._declare_status(declared)
            return
        held = SCALARS[name]
        self.locals[declared.name] = held if value is None else self._local(held, value)

    def _declare_status(self, declared: Any) -> None:
        """A variable of the status type, which holds flags; more may be or-ed unless it is const."""
        if declared.init is None:
            raise Refused(declared, f"{declared.name} has no value at first")
        self.locals[declared.name] = Term(-1, Held.INT, self._flags(declared.init))
        if "const" not in declared.quals:
            self.statuses.add(declared.name)

    def _raise_if(self, statement: Any) -> None:
        """`if (condition) { status |= FLAG; }`"""
        from pycparser import c_ast

        if statement.iffalse is not None:
            raise Refused(statement, "an else")
        condition = self._truth(statement, self._expression(statement.cond))
        body = statement.iftrue
        for inner in (body.block_items or []) if isinstance(body, c_ast.Compound) else [body]:
            if not isinstance(inner, c_ast.Assignment) or inner.op != "|=":
                raise Refused(inner, f"{kind_of(inner)} in an if")
            self._raise(inner, condition)

    def _raise(self, statement: Any, condition: Term | None) -> None:
        """`status |= flags`, where a condition holds or always."""
        name = getattr(statement.lvalue, "name", "")
        if not isinstance(name, str) or name not in self.statuses:
            raise Refused(statement, "an assignment in another form than `=`")
        flags = self._flags(statement.rvalue)
        if condition is not None:
            flags = self._under(condition, flags)
        known = self.locals[name]
        assert isinstance(known, Term)
        self.locals[name] = self._all_flags(statement, (*(known.flags or ()), *flags))

    def _assign(self, statement: Any) -> None:
        from pycparser import c_ast

        target = statement.lvalue
        if isinstance(target, c_ast.ID):
            held = self.locals.get(target.name)
            if not isinstance(held, Held):
                raise Refused(statement, f"a second assignment to {target.name}")
            self.locals[target.name] = self._local(held, statement.rvalue)
            return
        name, place = self._place(target)
        parameter = self.parameters[name]
        if not parameter.written:
            raise Refused(statement, f"{name} is an input")
        value = self._expression(statement.rvalue)
        self.stored[name, place] = self._as(statement, value, parameter.held)

    def _loop(self, loop: Any) -> None:
        """A loop of assignments over a counter, unrolled."""
        from pycparser import c_ast

        counter, values = counted(loop)
        if counter in self.locals or counter in self.parameters:
            raise Refused(loop, f"{counter} is declared twice")
        body = (loop.stmt.block_items or []) if isinstance(loop.stmt, c_ast.Compound) else [loop.stmt]
        self.unrolled += len(values) * len(body)
        if self.unrolled > LARGEST:
            raise Refused(loop, f"loops of more than {LARGEST} assignments")
        for value in values:
            self.counters = {counter: value}
            for statement in body:
                if not _is_assignment(statement) or isinstance(statement.lvalue, c_ast.ID):
                    raise Refused(statement, f"{kind_of(statement)} in a loop")
                self._assign(statement)
        self.counters = {}

    def _local(self, held: Held, init: Any) -> Term:
        """The value of a local variable: a truth value and flags stay what they are in an int."""
        value = self._expression(init)
        if held is Held.INT and (value.held is Held.TRUTH or value.flags is not None):
            return value
        return self._as(init, value, held)

    def _program(self, signature: Signature, status: Iterable[tuple[int, int]]) -> Program:
        inputs, outputs = list[Arg](), list[Arg]()
        results: list[int] = []
        for p in sorted(signature.parameters, key=lambda p: p.written):
            kind = REAL if p.places is None else Array((len(p.places),))
            argument = Arg(p.name, kind, "", "")
            inputs.append(argument)
            if p.written:
                outputs.append(argument)
                results += [self._loaded(p.name, place).node for place in p.places or ()]
        required = tuple((node, Status(flag)) for node, flag in status)
        return Program(tuple(inputs), tuple(outputs), tuple(self.graph.nodes), tuple(results), required)

    # Places in memory

    def _place(self, expr: Any) -> tuple[str, str]:
        """The parameter and the place in it that a C expression names."""
        name, steps = self._steps(expr)
        parameter = self.parameters.get(name)
        if parameter is None or parameter.places is None:
            raise Refused(expr, f"{name} is not a pointer parameter")
        if "[" not in parameter.declared:  # a pointer to one object: its first step reaches that
            if not steps or steps[0] not in ("*", "[0]"):
                raise Refused(expr, f"pointer arithmetic on {name}")
            steps = steps[1:]
        elif steps[:1] == ["*"]:
            steps = ["[0]", *steps[1:]]
        place = "".join(steps)
        if place not in parameter.places:
            raise Refused(expr, f"{name} has no {place or 'value'}")
        return name, place

    def _steps(self, expr: Any) -> tuple[str, list[str]]:
        from pycparser import c_ast

        if isinstance(expr, c_ast.ID):
            return str(expr.name), []
        if isinstance(expr, c_ast.StructRef):
            name, steps = self._steps(expr.name)
            return name, [*steps, *(["*"] if expr.type == "->" else []), f".{expr.field.name}"]
        if isinstance(expr, c_ast.ArrayRef):
            name, steps = self._steps(expr.name)
            index = whole(expr.subscript, self.counters)
            if index is None:
                raise Refused(expr, "an index that is not a plain number")
            return name, [*steps, f"[{index}]"]
        if isinstance(expr, c_ast.UnaryOp) and expr.op == "*":
            name, steps = self._steps(expr.expr)
            return name, [*steps, "*"]
        raise Refused(expr, f"{kind_of(expr)} where a variable is required")

    def _loaded(self, name: str, place: str) -> Term:
        """The current value of a place; an input may alias an output of its type."""
        parameter = self.parameters[name]
        if (name, place) in self.stored:
            return self.stored[name, place]
        if not parameter.written and parameter.places is not None:
            for overlap in self._overlapping(parameter, place):
                self.overlaps[overlap] = None
                if len(self.overlaps) > MOST_OVERLAPS:
                    raise Refused(None, f"more than {MOST_OVERLAPS} pairs of objects that may be one")
                if overlap == self.same:
                    return self.stored[overlap.output, place]
        return self.graph.add(parameter.held, Op.INPUT, value=self.inputs[name, place])

    def _overlapping(self, parameter: ReadParameter, place: str) -> list[Overlap]:
        """The outputs that may alias this input and have been written at this place."""
        declared = parameter.declared.removeprefix("const ")
        return [
            Overlap(parameter.name, p.name)
            for p in self.parameters.values()
            if p.declared == declared and "restrict" not in declared and (p.name, place) in self.stored
        ]

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
        known = self.locals.get(expr.name)
        if isinstance(known, Term):
            return known
        if isinstance(known, Held):
            raise Refused(expr, f"{expr.name} is used before it has a value")
        parameter = self.parameters.get(expr.name)
        if parameter is not None and parameter.places is None:
            return self._loaded(expr.name, "")
        raise Refused(expr, f"the name {expr.name}")

    def _memory(self, expr: Any) -> Term:
        return self._loaded(*self._place(expr))

    def _constant(self, expr: Any) -> Term:
        text = expr.value
        found = _LITERAL.fullmatch(text) if len(text) < 400 else None
        if found is None:
            raise Refused(expr, f"the constant {text[:40]}")
        held = Held.FLOAT if found[3] else Held.DOUBLE
        self.spelled.add(held)
        exact = Fraction(found[1]) * Fraction(10) ** int(found[2] or 0)
        return self.graph.constant(rounded(exact, held), held)

    def _unary(self, expr: Any) -> Term:
        if expr.op == "*":
            return self._memory(expr)
        operand = self._expression(expr.expr)
        if expr.op == "!":
            return self._not(self._truth(expr, operand))
        if expr.op not in ("-", "+") or operand.held is Held.TRUTH or operand.flags is not None:
            raise Refused(expr, f"the operator {expr.op}")
        if expr.op == "+":
            return operand
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
        a, b = self._expression(expr.left), self._expression(expr.right)
        if expr.op in ("&&", "||"):
            op = Op.AND if expr.op == "&&" else Op.OR
            return self.graph.add(Held.TRUTH, op, self._truth(expr, a).node, self._truth(expr, b).node)
        if expr.op == "|":
            return self._all_flags(expr, (*self._as_flags(expr, a), *self._as_flags(expr, b)))
        a, b = self._common(expr, a, b)
        if a.held is Held.INT or a.held is Held.TRUTH:
            raise Refused(expr, "integer arithmetic")
        if expr.op in _ARITHMETIC:
            return self.graph.add(a.held, _ARITHMETIC[expr.op], a.node, b.node)
        if expr.op in _COMPARISONS:
            return _COMPARISONS[expr.op](self, a, b)
        raise Refused(expr, f"the operator {expr.op}")

    def _less(self, a: Term, b: Term) -> Term:
        return self.graph.add(Held.TRUTH, Op.LT, a.node, b.node)

    def _at_most(self, a: Term, b: Term) -> Term:
        return self.graph.add(Held.TRUTH, Op.LE, a.node, b.node)

    def _equal(self, a: Term, b: Term) -> Term:
        return self.graph.add(Held.TRUTH, Op.AND, self._at_most(a, b).node, self._at_most(b, a).node)

    def _select(self, expr: Any) -> Term:
        condition = self._truth(expr, self._expression(expr.cond))
        a, b = self._expression(expr.iftrue), self._expression(expr.iffalse)
        if a.flags is not None or b.flags is not None:
            ways = (condition, self._as_flags(expr, a)), (self._not(condition), self._as_flags(expr, b))
            return self._all_flags(expr, [f for way, flags in ways for f in self._under(way, flags)])
        if Held.TRUTH in (a.held, b.held) and (a.flags, b.flags) == (None, None):
            return self._chosen_truth(expr, condition, a, b)
        a, b = self._common(expr, a, b)
        return self.graph.add(a.held, Op.SELECT, condition.node, a.node, b.node)

    def _chosen_truth(self, expr: Any, condition: Term, a: Term, b: Term) -> Term:
        """c ? a : b of truth values is (c && a) || (!c && b)."""
        a, b = self._truth(expr, a), self._truth(expr, b)
        left = self.graph.add(Held.TRUTH, Op.AND, condition.node, a.node)
        right = self.graph.add(Held.TRUTH, Op.AND, self._not(condition).node, b.node)
        return self.graph.add(Held.TRUTH, Op.OR, left.node, right.node)

    def _call(self, expr: Any) -> Term:
        from pycparser import c_ast

        name = expr.name.name if isinstance(expr.name, c_ast.ID) else "something"
        bare = name.removesuffix("f")
        known = name not in self.source.functions and name not in self.locals and name not in self.parameters
        op = _LIBRARY.get(bare) or _LIBRARY.get(name)
        given = expr.args.exprs if expr.args else []
        if op is None or not known or len(given) != len(op.arguments):
            raise Refused(expr, f"a call of {name}")
        held = Held.DOUBLE if name in _LIBRARY else Held.FLOAT
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
        if term.held is not Held.TRUTH or term.flags is not None:
            raise Refused(where, "a number used as a condition")
        return term

    # Status

    def _flags(self, expr: Any) -> tuple[tuple[int, int], ...]:
        return self._as_flags(expr, self._expression(expr))

    def _as_flags(self, where: Any, term: Term) -> tuple[tuple[int, int], ...]:
        """A status as flags, each with the node that must hold for it not to be raised."""
        if term.flags is not None:
            return term.flags
        if term.held is Held.TRUTH:
            return ((self._not(term).node, 1),)
        if term.held is not Held.INT:
            raise Refused(where, "a status that is not a combination of flags")
        return tuple(self._leaves(where, term, None))

    def _always(self, where: Any, flags: int) -> tuple[tuple[int, int], ...]:
        """A constant as flags: what is raised whatever holds."""
        never = self.graph.add(Held.TRUTH, Op.TRUTH, value=False).node
        return tuple((never, flag) for flag in _bits(where, flags))

    def _under(self, condition: Term, flags: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """The flags, raised only where the condition holds."""
        averts = self._not(condition).node
        return tuple((self._either(averts, met), flag) for met, flag in flags)

    def _either(self, averts: int, met: int) -> int:
        op, _, value = self.graph.nodes[met]
        if op is Op.TRUTH:
            return met if value else averts
        return self.graph.add(Held.TRUTH, Op.OR, averts, met).node

    def _all_flags(self, where: Any, flags: Sequence[tuple[int, int]]) -> Term:
        """A status with these flags, each once."""
        once = tuple(dict.fromkeys(flags))
        if len(once) > MOST_FLAGS:
            raise Refused(where, f"a status of more than {MOST_FLAGS} flags")
        return Term(-1, Held.INT, once)

    def _leaves(self, where: Any, term: Term, reached: Term | None) -> Iterable[tuple[int, int]]:
        """The flags in a tree of selects; `reached` is the condition under which this part of it counts."""
        self.leaves += 1
        if self.leaves > MOST_FLAGS:
            raise Refused(where, f"a status of more than {MOST_FLAGS} choices")
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


_COMPARISONS: Mapping[str, Callable[[_Reader, Term, Term], Term]] = {
    "<": _Reader._less,
    "<=": _Reader._at_most,
    ">": lambda reader, a, b: reader._less(b, a),
    ">=": lambda reader, a, b: reader._at_most(b, a),
    "==": _Reader._equal,
    "!=": lambda reader, a, b: reader._not(reader._equal(a, b)),
}

_EXPRESSIONS: Mapping[str, Callable[[_Reader, Any], Term]] = {
    "ID": _Reader._name,
    "Constant": _Reader._constant,
    "UnaryOp": _Reader._unary,
    "BinaryOp": _Reader._binary,
    "TernaryOp": _Reader._select,
    "FuncCall": _Reader._call,
    "Cast": _Reader._cast,
    "StructRef": _Reader._memory,
    "ArrayRef": _Reader._memory,
}
