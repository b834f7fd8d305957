"""Reads C statements: what they store, which way they take, and what they return."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping
from typing import Any

from codegen.review.diff.functions.assertions import surely_holds
from codegen.review.diff.functions.copies import Copies
from codegen.review.diff.functions.memory import Block, Local, Name, Pointer, State
from codegen.review.diff.functions.switches import as_choices
from codegen.review.diff.functions.terms import Term
from codegen.review.diff.functions.turns import as_choice, with_condition
from codegen.review.diff.functions.types import Scalar, scalar_type
from codegen.review.diff.reading import Held
from codegen.review.diff.text.integers import as_int, constant
from codegen.review.diff.text.sequences import STEPS
from codegen.review.diff.text.syntax import Refused, is_constant, kind_of, type_names

LARGEST = 20_000
"""Limit on the operations of a function, and on its statements."""

_TURNS = 2_000
"""Limit on the turns of all loops."""

_ASSIGNMENTS = ("=", "+=", "-=", "*=", "/=", "|=", "&=", "^=")


class Statements(Copies, ABC):
    """The effects of a function's statements."""

    # Statements

    def _leave(self, block: Any, names: set[str]) -> None:
        """The end of a block, in which all but these names are declared; no pointer to them outlives it."""
        kept = {name: what for name, what in self.names.items() if name in names}
        gone = {
            what.object for name, what in self.names.items() if name not in names and isinstance(what, Block)
        }
        for name, what in kept.items():
            if isinstance(what, Pointer) and what.object in gone:
                raise Refused(block, f"{name} points to {what.object}, whose block has ended")
        self.names = kept

    def _take_step(self, statement: Any) -> None:
        self.steps += 1
        if self.steps > LARGEST:
            raise Refused(statement, f"more than {LARGEST} statements")

    def _statement(self, statement: Any) -> None:
        self._take_step(statement)
        self.read[id(statement)] = statement
        read = _STATEMENTS.get(type(statement).__name__)
        if read is None:
            raise Refused(statement, kind_of(statement))
        read(self, statement)

    def _block(self, block: Any) -> None:
        """The statements of a block, or one without braces; what they declare ends with them."""
        from pycparser import c_ast

        known = set(self.names)
        for statement in (block.block_items or []) if isinstance(block, c_ast.Compound) else [block]:
            self._statement(statement)
        self._leave(block, known)

    def _nothing(self, statement: Any) -> None:
        """An empty statement."""

    def _void(self, statement: Any) -> None:
        """`(void)name;` and `(void)call();`"""
        if type_names(statement.to_type.type) != ["void"]:
            raise Refused(statement, kind_of(statement))
        if type(statement.expr).__name__ == "FuncCall":
            self._called(statement.expr)
        else:
            self._unused(statement.expr)

    def _each(self, statement: Any) -> None:
        """`a = 1, b = 2;`"""
        for part in statement.exprs:
            self._statement(part)

    def _called(self, statement: Any) -> None:
        """A call whose result, if it has one, is not used."""
        name = getattr(statement.name, "name", "")
        if self._is_copy(name):
            self._copied(statement)
            return
        if name == "assert" and name not in self.names:
            self._asserted(statement)
            return
        if name in self.names or name not in self.source.functions:
            raise Refused(statement, kind_of(statement))
        self._invoked(statement)

    def _asserted(self, call: Any) -> None:
        """`assert(p);` or `assert(p != NULL);` of a pointer that is used anyway."""
        from pycparser import c_ast

        test = call.args.exprs[0] if call.args and len(call.args.exprs) == 1 else None
        if isinstance(test, c_ast.BinaryOp) and test.op == "!=":
            found = self._compared_with_null(test)
            test = None if found is None else found[0]
        pointer = None if test is None else self._named(test)
        if not isinstance(pointer, Pointer) or pointer.object in self.skipped:
            raise Refused(call, "an assertion that is not about a null pointer")

    def _checked(self, assertion: Any) -> None:
        """`_Static_assert(sizeof(float) == 4, "");`"""
        if not surely_holds(assertion, self.source):
            raise Refused(assertion, "a static assertion that is not known to hold")

    # Declarations and assignments

    def _declare(self, declared: Any) -> None:
        from pycparser import c_ast

        if isinstance(declared.type, c_ast.Enum) and declared.name is None:
            self._enumerate(declared.type)
            return
        constant_init = declared.init is not None and is_fixed(declared.init)
        storages = ([], ["register"], ["auto"], *([["static"]] if "const" in declared.quals else []))
        if declared.storage == ["static"] and declared.storage not in storages:
            raise Refused(declared, f"{declared.name} is static: calls at the same time share it")
        if declared.storage not in storages or declared.align or declared.funcspec:
            raise Refused(declared, f"the declaration of {declared.name}")
        if declared.storage == ["static"] and not constant_init:
            raise Refused(declared, f"the initialiser of the static {declared.name} is not constant")
        if declared.name in self.names:
            raise Refused(declared, f"{declared.name} is declared twice")
        kind = scalar_type(declared.type, self.source) if isinstance(declared.type, c_ast.TypeDecl) else None
        if kind is None:
            self._declare_object(declared)
        elif set(declared.quals) - {"const", "volatile"} or self._is_seen_by_others(declared):
            raise Refused(declared, f"the declaration of {declared.name}")
        else:
            self._declare_scalar(declared, kind)

    def _is_seen_by_others(self, declared: Any) -> bool:
        """Whether a volatile variable may hold another number than the function stored in it."""
        is_own = declared.storage in ([], ["auto"]) and declared.name not in self.item.addressed
        return "volatile" in declared.quals and not is_own

    def _enumerate(self, kind: Any) -> None:
        """`enum { ROWS = 3 };`: each name stands for a number."""
        for one in kind.values.enumerators if kind.values else []:
            number = None if one.value is None else as_int(constant(one.value, self._constant_of))
            if number is None or one.name in self.names:
                raise Refused(one, f"the enumerator {one.name}")
            value = self._constant_integer(one, number)
            self.names[one.name] = Local(value.held, False, True, value, is_fixed=True)

    def _declare_scalar(self, declared: Any, kind: Scalar) -> None:
        from pycparser import c_ast

        init = declared.init
        if isinstance(init, c_ast.InitList) and len(init.exprs) == 1:
            init = init.exprs[0]
        is_addressed = declared.name in self.item.addressed
        if is_addressed and declared.storage == ["register"]:
            raise Refused(declared, f"the address of {declared.name}, which is in a register")
        if is_addressed and kind.held in (Held.FLOAT, Held.DOUBLE):
            self._declare_in_memory(declared, kind.held, init)
            return
        local = Local(kind.held, kind.unsigned, "const" in declared.quals, None, kind.most, kind.is_size)
        self.names[declared.name] = local  # its initialiser already sees it
        if init is not None:
            self.names[declared.name] = self._with_value(init, local, self._value(init, kind))

    def _value(self, expr: Any, kind: Scalar) -> Term:
        """The value of an expression, which is only whether it is zero where a truth value is wanted."""
        return self._condition(expr) if kind.held is Held.TRUTH else self._expression(expr)

    def _with_value(self, where: Any, local: Local, value: Term) -> Local:
        """A local variable with another value."""
        return local._replace(value=self._in_type(where, value, local.kind))

    def _increment(self, statement: Any) -> None:
        """`k++;`, or another operator whose result is not used."""
        from pycparser import c_ast

        op = STEPS.get(statement.op)
        if op is None:
            self._unused(statement)
            return
        one = c_ast.Constant("int", "1")
        self._assign(c_ast.Assignment(f"{op}=", statement.expr, one, statement.coord))

    def _assign(self, statement: Any) -> None:
        """An assignment, with an operation or without."""
        from pycparser import c_ast

        if statement.op not in _ASSIGNMENTS:
            raise Refused(statement, kind_of(statement))
        source = statement.rvalue
        if isinstance(source, c_ast.Assignment):
            self._statement(source)
            source = source.lvalue
        op = statement.op.removesuffix("=")
        if op:
            source = c_ast.BinaryOp(op, statement.lvalue, source, statement.coord)
        if isinstance(statement.lvalue, c_ast.ID):
            name = self.names.get(statement.lvalue.name)
            if isinstance(name, Local):
                self._assign_scalar(statement, name, source)
                return
            if isinstance(name, Pointer):
                self._move(statement, name, source)
                return
            if not isinstance(name, Block):
                raise Refused(statement, f"an assignment to {statement.lvalue.name}")
        self._store(statement, statement.lvalue, source)

    def _assign_scalar(self, statement: Any, local: Local, source: Any) -> None:
        if local.is_const:
            raise Refused(statement, f"an assignment to {statement.lvalue.name}")
        value = self._value(source, local.kind)
        self.names[statement.lvalue.name] = self._with_value(statement, local, value)

    def _move(self, statement: Any, pointer: Pointer, source: Any) -> None:
        """Another element of the array to which a pointer points."""
        found = self._pointer(source)
        is_alike = found.element is not None and (found.object, found.stem) == (pointer.object, pointer.stem)
        if pointer.is_fixed or not is_alike or (found.is_const and not pointer.is_const):
            raise Refused(statement, f"an assignment to {statement.lvalue.name}")
        self.names[statement.lvalue.name] = pointer._replace(element=found.element)

    # Choices and loops

    def _if(self, statement: Any) -> None:
        """A choice of what variables and memory hold afterwards."""
        condition = self._condition(statement.cond)
        before, after = State(self.names, self.stored), list[State]()
        for branch in (statement.iftrue, statement.iffalse):
            self.names, self.stored = dict(before.names), dict(before.stored)
            if branch is not None:
                with self._where(condition, branch is statement.iftrue):
                    self._block(branch)
            after.append(State(self.names, self.stored))
        self.names, self.stored = before
        stored = self._merged_stores(statement, condition, *after)
        self.names = self._merged_names(statement, condition, *after)
        self.stored = stored

    def _merged_names(self, where: Any, condition: Term, a: State, b: State) -> dict[str, Name]:
        merged = dict(self.names)
        for name, local in self.names.items():
            one, other = a.names[name], b.names[name]
            if isinstance(local, Local) and isinstance(one, Local) and isinstance(other, Local):
                x, y = one.value, other.value
                value = None if x is None or y is None else self._either_way(where, condition, x, y)
                merged[name] = local._replace(value=value)
            elif one != other:
                raise Refused(where, f"{name}, which points to another place on each way")
            else:
                merged[name] = one
        return merged

    def _merged_stores(self, where: Any, condition: Term, a: State, b: State) -> dict[tuple[str, str], Term]:
        """What memory holds after a choice; a place without a value on one way has none."""
        merged = dict[tuple[str, str], Term]()
        for key in (*a.stored, *b.stored):
            x, y = self._held_before(key, a.stored), self._held_before(key, b.stored)
            if x is not None and y is not None and key not in merged:
                merged[key] = self._either_way(where, condition, x, y)
        return merged

    def _either_way(self, where: Any, condition: Term, a: Term, b: Term) -> Term:
        """The value on one of two ways; a condition that is constant leaves one."""
        known = self._known(condition)
        return self._chosen(where, condition, a, b) if known is None else (a if known else b)

    def _switch(self, statement: Any) -> None:
        self._statement(self._choices(statement))

    def _choices(self, statement: Any) -> Any:
        """The choices that a switch over an integer is."""
        over = self._expression(statement.cond)
        if over.held not in (Held.INT, Held.TRUTH):
            raise Refused(statement, "a switch over a number that is no integer")
        return as_choices(statement, self._label, over.flags is None and over.held is Held.TRUTH)

    def _label(self, expr: Any) -> int | None:
        """The number of a case, as an unsigned one; None where it is not constant."""
        number = constant(expr, self._constant_of)
        return None if number is None else number.value % 2**32

    def _loop(self, loop: Any) -> None:
        """A loop whose condition does not depend on arguments, turn by turn."""
        from pycparser import c_ast

        if (choice := as_choice(loop)) is not None:
            self._statement(choice)
            return
        loop = with_condition(loop)
        known = set(self.names)
        parts = {name: getattr(loop, name, None) for name in ("init", "next")}
        init = parts["init"]
        for part in init.decls if isinstance(init, c_ast.DeclList) else [init] if init else []:
            if getattr(part, "storage", None) == ["static"]:
                raise Refused(part, f"the declaration of {part.name}")
            self._statement(part)
        if not isinstance(loop, c_ast.DoWhile) and not self._goes_on(loop):
            self._unreached(loop.stmt, parts["next"])
        else:
            self._turns(loop, parts["next"])
        self._leave(loop, known)

    def _turns(self, loop: Any, after: Any) -> None:
        going = True
        while going:
            self.turns += 1
            if self.turns > _TURNS:
                raise Refused(loop, f"loops of more than {_TURNS} turns")
            self._block(loop.stmt)
            if after is not None:
                self._statement(after)
            going = self._goes_on(loop)

    def _goes_on(self, loop: Any) -> bool:
        from pycparser import c_ast

        *first, last = loop.cond.exprs if isinstance(loop.cond, c_ast.ExprList) else [loop.cond]
        for part in first:
            self._statement(part)
        number = None if last is None else constant(last, self._integer)
        goes_on = self._compared_pointers(last) if number is None else number.value != 0
        if goes_on is None:
            raise Refused(loop, "a loop whose turns are not known")
        return goes_on

    def _unreached(self, block: Any, after: Any) -> None:
        """Statements that compilers check though none is ever done."""
        before = State(self.names, self.stored)
        self.names, self.stored = dict(before.names), dict(before.stored)
        self._block(block)
        if after is not None:
            self._statement(after)
        self.names, self.stored = before


def is_fixed(init: Any) -> bool:
    """Whether an initialiser consists of numbers and operators alone."""
    listed = getattr(init, "exprs", None)
    if type(init).__name__ == "NamedInitializer":
        return is_fixed(init.expr)
    return all(map(is_fixed, listed)) if listed is not None else is_constant(init)


_STATEMENTS: Mapping[str, Callable[[Statements, Any], None]] = {
    "ArrayRef": Statements._unused,
    "Assignment": Statements._assign,
    "BinaryOp": Statements._unused,
    "Cast": Statements._void,
    "Compound": Statements._block,
    "Constant": Statements._unused,
    "Decl": Statements._declare,
    "DoWhile": Statements._loop,
    "EmptyStatement": Statements._nothing,
    "ExprList": Statements._each,
    "For": Statements._loop,
    "FuncCall": Statements._called,
    "ID": Statements._unused,
    "If": Statements._if,
    "StaticAssert": Statements._checked,
    "StructRef": Statements._unused,
    "Switch": Statements._switch,
    "TernaryOp": Statements._unused,
    "UnaryOp": Statements._increment,
    "While": Statements._loop,
}
