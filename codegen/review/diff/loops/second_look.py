"""Reads routines a second time, where their first readings differ, with what takes longer or needs both.

Loops of a few turns are read turn by turn, and static functions of the file where they are called. Local
arrays and structs have their names in place of their order. The unsigned numbers of the new version are those
of mathematics where these may be beyond an int: with an int, as the old version has it, they must not.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from copy import copy
from typing import Any, NamedTuple

from codegen.review.diff.functions.definitions import without_typedefs
from codegen.review.diff.functions.signature import check_declarations
from codegen.review.diff.loops.choices import RANKS, WHOLE, Value
from codegen.review.diff.loops.routine_loops import Ways, assigned
from codegen.review.diff.loops.routine_values import Name, Place, Variable, Walker
from codegen.review.diff.loops.routines import RoutineReader
from codegen.review.diff.text.integers import MOST_INT, as_int, constant
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.sequences import ORDERS, STEPS
from codegen.review.diff.text.syntax import Refused, parsed, type_names
from codegen.review.diff.text.trees import kinds_of, nodes_of

_FEW = 4
"""Limit on the turns of a loop that is read turn by turn."""

RESULT = "the result of a call"
"""The name of what a function returned, which no C has."""


class Call(NamedTuple):
    """A call that a statement makes first, and the statement with its result in the place of the call."""

    expr: Any
    then: Any


class _Function(NamedTuple):
    """A static function that is read where it is called."""

    item: Item
    tree: Any


class ByName(RoutineReader):
    """Reads a version whose local objects have the names of those of the other one."""

    def _object(self, declared: Any) -> Hashable:
        super()._object(declared)
        return declared.name, self.objects.count(declared.name)

    def _otherwise(self, first: Any, rest: Sequence[Any], ways: Ways) -> int | None:
        if (turns := _turns(first)) is not None:
            return self._turn_by_turn(first, turns, rest, ways)
        call = called_first(first, self.addressed)
        function = self._own_function(call.expr) if call else None
        return self._in_line(call, function, rest, ways) if call and function else None

    def _asked_of(self, _: Collection[int]) -> set[int]:
        """Of what a test may leave undefined, that of which it matters in what stands for the test.

        It is nothing in the old version: where this is undefined, nothing is asked of the new one.
        """
        return set()

    # Loops

    def _turn_by_turn(self, loop: Any, turns: int, rest: Sequence[Any], ways: Ways) -> int:
        """A loop of a known number of turns, one after the other."""
        from pycparser import c_ast

        before = self.state.names.keys()
        init = loop.init.decls if isinstance(loop.init, c_ast.DeclList) else [loop.init]
        for part in init:
            self._simple(part)
        counter = self.state.names.get(_sum_of(loop.cond.left)[0])
        if not isinstance(counter, Variable) or counter.type not in WHOLE:
            raise Refused(loop, "a loop that counts with what is no whole number")

        def end() -> int:
            self._leave(loop, before)
            return self._run(rest, ways)

        body = [c_ast.Compound([loop.stmt], loop.coord), loop.next]
        return self._run(body * turns, Ways(end, None, None, ways.returns))

    # Calls

    def _own_function(self, call: Any) -> _Function | None:
        """The static function of the file that a call means, if it returns at its end alone."""
        name = getattr(call.name, "name", "")
        items = self.source.called(name, self.item.path) if name in self.source.functions else []
        is_own = len(items) == 1 and items[0].is_static and items[0].path == self.item.path
        if (
            not is_own
            or items[0].nonnull
            or items[0].others
            or name in self.state.names
            or items[0] is self.item
            or self._formula(name)
        ):
            return None
        tree = parsed(items[0], self.source, self.kept)
        without_typedefs(tree, self.source)
        *first, last = tree.body.block_items or [None]
        returns = [*map(_may_return, first), last is not None and _may_return(last) and not _is_return(last)]
        return None if any(returns) or name in _calls(tree.body) else _Function(items[0], tree)

    def _in_line(self, call: Call, function: _Function, rest: Sequence[Any], ways: Ways) -> int:
        """A function where it is called, and what follows."""
        declared = function.tree.decl
        if declared.storage != ["static"] or {*declared.funcspec} - {"inline"}:
            raise Refused(call.expr, f"the declaration of {declared.name}")
        check_declarations(call.expr, declared, function.item, self.item.path, self.source)
        names = self._arguments(call.expr, function)
        outside = self.item, self.moved, self.kind, self.state.names
        self.item, self.moved = function.item, assigned(function.tree)
        kind = " ".join(type_names(declared.type.type))
        self.kind = kind if kind == "void" else self._type(declared.type.type)

        def back(value: Value | None) -> int:
            self.item, self.moved, self.kind, known = outside
            result = {} if value is None else {RESULT: Variable(value.type, True, value.node)}
            self.state = type(self.state)({**known, **result}, self.state.memory)
            if value is None and call.then is not None:
                raise Refused(call.expr, "a call of a function that returns nothing")
            return self._run(rest if call.then is None else [call.then, *rest], ways)

        def end() -> int:
            if self.kind != "void":
                raise Refused(call.expr, "a function that does not return a value on every way")
            return back(None)

        self.state = type(self.state)(names, self.state.memory)
        return self._run(function.tree.body.block_items or [], Ways(end, None, None, back))

    def _arguments(self, call: Any, function: _Function) -> dict[str, Name]:
        """What the parameters of a function mean where it is called."""
        from pycparser import c_ast

        listed = function.tree.decl.type.args.params if function.tree.decl.type.args else []
        given = list(call.args.exprs) if call.args else []
        is_empty = len(listed) == 1 and isinstance(listed[0], c_ast.Typename)
        listed = [] if is_empty else listed
        if len(given) != len(listed) or not all(isinstance(p, c_ast.Decl) for p in listed):
            raise Refused(call, "a call with other arguments")
        found = dict[str, Name]()
        for parameter, expr in zip(listed, given, strict=True):
            name, kind = parameter.name, parameter.type
            is_known = name in found or name in self.kept or name in function.item.addressed
            if is_known or not promises_nothing(parameter):
                raise Refused(parameter, f"the parameter {name}")
            if isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl):
                found[name] = self._pointed_to(parameter, kind.type, expr, name in assigned(function.tree))
                continue
            of = self._scalar_type(kind)
            if of not in RANKS:
                raise Refused(parameter, f"the type of the parameter {name}")
            value = self._in_type(expr, self._value(expr), of)
            found[name] = Variable(of, "const" in kind.quals, value.node)
        return found

    def _pointed_to(self, parameter: Any, target: Any, expr: Any, is_moved: bool) -> Name:
        """What a parameter that is a pointer means, whose argument is an expression."""
        place, is_const = self._pointer(expr), "const" in getattr(target, "quals", ())
        if place.type != self._type(target) or (place.is_const and not is_const):
            raise Refused(parameter, f"{parameter.name} points to what has another type")
        base, index = self._apart(place)
        if is_moved:
            return Walker(place.type, is_const, base, index)
        return Place(place.node, place.type, is_const, True)


class WithinInt(ByName):
    """Reads a new version whose unsigned numbers are of interest as far as an int holds them.

    That an int does is a doubt as it is with an int: the old version must have it, too.
    """

    def _asked_of(self, doubts: Collection[int]) -> set[int]:
        return {*doubts}

    def _wrapped(self, op: str, a: Value, b: Value, exact: Value | None) -> Value:
        if exact is None or not self._is_never_negative(self.choices.polynomial(exact.node)):
            return super()._wrapped(op, a, b, exact)
        self._note("beyond int", exact.node)
        return exact


def promises_nothing(parameter: Any) -> bool:
    """Whether a parameter says nothing of its argument but its type, as `restrict` and `static 4` do."""
    kind, target = parameter.type, getattr(parameter.type, "type", None)
    words = [*getattr(kind, "quals", ()), *(getattr(kind, "dim_quals", None) or ())]
    words += [*getattr(target, "quals", ()), *parameter.storage, *parameter.funcspec]
    return not {*words} - {"const"}


def _turns(loop: Any) -> int | None:
    """The turns of `for (i = 0; i < 2; i++)`, also with <=, i + 1 or i += 2, which nothing leaves before."""
    from pycparser import c_ast

    test = loop.cond if isinstance(loop, c_ast.For) else None
    if not isinstance(test, c_ast.BinaryOp) or test.op not in ("<", "<="):
        return None
    begun, step, (name, added) = _begun(loop.init), _counts_up(loop.next), _sum_of(test.left)
    if begun is None or step is None or {begun[0], step[0]} != {name} or name in assigned(loop.stmt):
        return None
    first, last = as_int(constant(begun[1])), as_int(constant(test.right))
    # below 0, an unsigned counter is compared with what that is as an unsigned number
    if first is None or last is None or last.value < 0 or _leaves(loop.stmt):
        return None
    turns = -(-(last.value + (test.op == "<=") - added - first.value) // step[1])
    ends = first.value + added + max(turns, 0) * step[1]
    return turns if first.value >= 0 and 0 <= turns <= _FEW and ends <= MOST_INT else None


def _counts_up(step: Any) -> tuple[str, int] | None:
    """The variable that a step counts, and by how much above 0; None for other steps."""
    from pycparser import c_ast

    if isinstance(step, c_ast.UnaryOp) and STEPS.get(step.op) == "+" and isinstance(step.expr, c_ast.ID):
        return step.expr.name, 1
    is_sum = isinstance(step, c_ast.Assignment) and step.op == "+=" and isinstance(step.lvalue, c_ast.ID)
    number = as_int(constant(step.rvalue)) if is_sum else None
    return (step.lvalue.name, number.value) if number is not None and number.value > 0 else None


def _sum_of(expr: Any) -> tuple[str, int]:
    """The i and the 1 of `i + 1`; no name for others."""
    from pycparser import c_ast

    if isinstance(expr, c_ast.BinaryOp) and expr.op == "+" and isinstance(expr.left, c_ast.ID):
        number = as_int(constant(expr.right))
        return (expr.left.name, number.value) if number is not None and number.value >= 0 else ("", 0)
    return (expr.name, 0) if isinstance(expr, c_ast.ID) else ("", 0)


def _begun(init: Any) -> tuple[str, Any] | None:
    """The name of the only variable to which the head of a loop gives a value, and the value."""
    from pycparser import c_ast

    if isinstance(init, c_ast.DeclList) and len(init.decls) == 1 and init.decls[0].init is not None:
        return init.decls[0].name, init.decls[0].init
    is_plain = isinstance(init, c_ast.Assignment) and init.op == "=" and isinstance(init.lvalue, c_ast.ID)
    return (init.lvalue.name, init.rvalue) if is_plain else None


def _leaves(statement: Any) -> bool:
    """Whether a statement has a way out of it, or out of a loop in it, but its end."""
    return not kinds_of(statement).isdisjoint(("Break", "Continue", "Return", "Goto", "Label"))


def _may_return(statement: Any) -> bool:
    return "Return" in kinds_of(statement)


def _is_return(statement: Any) -> bool:
    return type(statement).__name__ == "Return"


def _calls(tree: Any) -> set[str]:
    """The names of the functions that are called in a tree."""
    calls = (node for node in nodes_of(tree) if type(node).__name__ == "FuncCall")
    return {call.name.name for call in calls if hasattr(call.name, "name")}


def called_first(statement: Any, addressed: Collection[str]) -> Call | None:
    """The call of which a statement makes use, if it does nothing before.

    `s += f(&s)` may read s before the call or after it (C99, 6.5.16). So may each variable whose address is
    taken, as the `addressed` are.
    """
    from pycparser import c_ast

    if isinstance(statement, c_ast.FuncCall):
        return Call(statement, None)
    if isinstance(statement, c_ast.Cast) and type_names(statement.to_type.type) == ["void"]:
        return Call(statement.expr, None) if isinstance(statement.expr, c_ast.FuncCall) else None
    if isinstance(statement, c_ast.If):
        return _called_in_test(statement)
    is_named = isinstance(statement, c_ast.Assignment) and isinstance(statement.lvalue, c_ast.ID)
    if is_named and statement.op != "=" and statement.lvalue.name in addressed:
        return None
    place = {"Decl": "init", "Return": "expr"}.get(type(statement).__name__, "rvalue" if is_named else "")
    value = getattr(statement, place, None) if place else None
    if not isinstance(value, c_ast.FuncCall) or getattr(statement, "storage", None):
        return None
    then = copy(statement)
    setattr(then, place, c_ast.ID(RESULT, statement.coord))
    return Call(value, then)


def _called_in_test(choice: Any) -> Call | None:
    """The call that a condition is, or whose result it compares with a constant, also as its opposite."""
    from pycparser import c_ast

    then, part, place = copy(choice), choice.cond, "cond"
    whole = then
    while isinstance(part, c_ast.UnaryOp) and part.op == "!":
        inner = copy(part)
        setattr(whole, place, inner)
        whole, part, place = inner, part.expr, "expr"
    if isinstance(part, c_ast.BinaryOp) and part.op in ORDERS:
        sides = [name for name in ("left", "right") if constant(getattr(part, name)) is None]
        if len(sides) != 1:
            return None
        inner = copy(part)
        setattr(whole, place, inner)
        whole, part, place = inner, getattr(part, sides[0]), sides[0]
    if not isinstance(part, c_ast.FuncCall):
        return None
    setattr(whole, place, c_ast.ID(RESULT, part.coord))
    return Call(part, then)
