"""Reads C back into a Program: the straight-line functions that featherc generates, and edits of them.

The reader keeps the semantics of C: the type of each value (a constant without its F makes double arithmetic
in float code), the order of operations, and the content of an output before it is written. It rejects other C
with the reason, as `Unread`: most loops, calls, macros, pointer arithmetic, early returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program
from codegen.ir.rewriting import arrange, needed
from codegen.ir.status import Status
from codegen.ir.types import REAL, Array
from codegen.review.diff.changes import Unreadable
from codegen.review.diff.expressions import Expressions
from codegen.review.diff.items import Item
from codegen.review.diff.memory import Local
from codegen.review.diff.reading import SCALARS, Held, Overlap, Reading, Signature
from codegen.review.diff.signature import is_status, signature_of
from codegen.review.diff.source import Source
from codegen.review.diff.syntax import Refused, counted, is_constant, kind_of, parsed, type_names
from codegen.review.diff.terms import Term

LARGEST = 20_000
"""Limit on the operations of a function."""


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


_ASSIGNMENTS = ("=", "+=", "-=", "*=", "/=", "|=")
_UNSIGNED = ("unsigned", "unsigned int")


class _Reader(Expressions):
    """Reads the statements of one function."""

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
        elif isinstance(statement, c_ast.Assignment) and statement.op in _ASSIGNMENTS:
            self._assign(statement)
        elif isinstance(statement, c_ast.For):
            self._loop(statement)
        elif isinstance(statement, c_ast.If):
            self._if(statement)
        elif isinstance(statement, c_ast.Compound):
            self._block(statement)
        elif isinstance(statement, c_ast.Cast) and type_names(statement.to_type.type) == ["void"]:
            name = statement.expr.name if isinstance(statement.expr, c_ast.ID) else None
            if name not in self.parameters and name not in self.locals:
                raise Refused(statement, "a cast to void of an expression that is not a name")
        elif not isinstance(statement, c_ast.EmptyStatement):
            raise Refused(statement, f"{kind_of(statement)}")

    def _block(self, block: Any) -> None:
        """The statements of a block, or one without braces; what they declare ends with them."""
        from pycparser import c_ast

        known = set(self.locals)
        for statement in (block.block_items or []) if isinstance(block, c_ast.Compound) else [block]:
            self._statement(statement)
        self.locals = {name: local for name, local in self.locals.items() if name in known}

    def _declare(self, declared: Any) -> None:
        from pycparser import c_ast

        kind = declared.type
        is_const = "const" in declared.quals
        storages = ([], ["register"], *([["static"]] if is_const and declared.init is not None else []))
        plain = isinstance(kind, c_ast.TypeDecl) and declared.storage in storages
        plain = plain and not declared.align and not declared.funcspec
        name = " ".join(type_names(kind)) if plain else ""
        unsigned = plain and (name in _UNSIGNED or is_status(name, self.source))
        if (name not in SCALARS and not unsigned) or set(declared.quals) - {"const"}:
            raise Refused(declared, f"the declaration of {declared.name}")
        if declared.name in self.locals or declared.name in self.parameters:
            raise Refused(declared, f"{declared.name} is declared twice")
        local = Local(SCALARS.get(name, Held.INT), unsigned, is_const)
        self.locals[declared.name] = local  # its initialiser already sees it
        if declared.init is not None:
            if "static" in declared.storage and not is_constant(declared.init):
                raise Refused(declared, f"the initialiser of the static {declared.name} is not constant")
            self.locals[declared.name] = self._with_value(
                declared.init, local, self._expression(declared.init)
            )

    def _with_value(self, where: Any, local: Local, value: Term) -> Local:
        """A local variable with another value: truth values and flags stay what they are in an int."""
        if local.unsigned:
            value = Term(-1, Held.INT, self._as_flags(where, value))
        elif local.held is not Held.INT or (value.held is not Held.TRUTH and value.flags is None):
            value = self._as(where, value, local.held)
        return local._replace(value=value)

    def _assign(self, statement: Any) -> None:
        """An assignment, with an operation or without."""
        from pycparser import c_ast

        target, op = statement.lvalue, statement.op.removesuffix("=")
        if isinstance(target, c_ast.ID):
            local = self.locals.get(target.name)
            if local is None or local.is_const:
                raise Refused(statement, f"an assignment to {target.name}")
            value = self._operated(statement, op, target) if op else self._expression(statement.rvalue)
            self.locals[target.name] = self._with_value(statement, local, value)
            return
        name, place = self._place(target)
        parameter = self.parameters[name]
        if not parameter.written:
            raise Refused(statement, f"{name} is an input")
        value = self._operated(statement, op, target) if op else self._expression(statement.rvalue)
        if self._is_index(value) and parameter.held is Held.INT:
            raise Refused(statement, "an index that is a result")
        self.stored[name, place] = self._as(statement, value, parameter.held)

    def _operated(self, statement: Any, op: str, target: Any) -> Term:
        """What `x op= e` assigns."""
        return self._operation(statement, op, self._expression(target), self._expression(statement.rvalue))

    def _if(self, statement: Any) -> None:
        """A choice of what variables and memory hold afterwards."""
        condition = self._truth(statement, self._expression(statement.cond))
        before = self.locals, self.stored
        after = []
        for branch in (statement.iftrue, statement.iffalse):
            self.locals, self.stored = dict(before[0]), dict(before[1])
            if branch is not None:
                self._block(branch)
            after.append((self.locals, self.stored))
        self.locals, self.stored = before
        (locals_, stored), (other_locals, other_stored) = after
        written = {key: self._loaded(*key) for key in (*stored, *other_stored)}
        merged = dict[str, Local]()
        for name, local in self.locals.items():
            a, b = locals_[name].value, other_locals[name].value
            value = None if a is None or b is None else self._chosen(statement, condition, a, b)
            merged[name] = local._replace(value=value)
        self.locals = merged
        self.stored = {
            key: self._chosen(statement, condition, stored.get(key, held), other_stored.get(key, held))
            for key, held in written.items()
        }

    def _loop(self, loop: Any) -> None:
        """A loop of assignments to memory over a counter, unrolled."""
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
                if not isinstance(statement, c_ast.Assignment) or isinstance(statement.lvalue, c_ast.ID):
                    raise Refused(statement, f"{kind_of(statement)} in a loop")
                self._statement(statement)
        self.counters = {}

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
