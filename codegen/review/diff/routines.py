"""Reads routines with loops over arguments, as the operations on what is given that they return and store.

A loop is what it begins with and what one turn makes of what holds before it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from codegen.review.diff.assertions import surely_holds
from codegen.review.diff.choices import RANKS, Choices, Value
from codegen.review.diff.integers import constant
from codegen.review.diff.items import Item
from codegen.review.diff.routine_values import Place, RoutineValues, State, Variable
from codegen.review.diff.sequences import STEPS
from codegen.review.diff.signature import check_declarations
from codegen.review.diff.source import Source
from codegen.review.diff.switches import as_choices
from codegen.review.diff.syntax import Refused, kind_of, parsed, type_names
from codegen.review.diff.turns import as_choice


@dataclass(frozen=True)
class _Ways:
    """What follows a statement, on each of the ways that it may take."""

    end: Callable[[], int]
    breaks: Callable[[], int] | None
    continues: Callable[[], int] | None
    returns: Callable[[Value | None], int]


class Routine(NamedTuple):
    """A version of a routine: types and names of its parameters, what it does, what may be undefined.

    The latter by loop, outside of which it is that of node 0.
    """

    types: Sequence[str]
    names: Sequence[str]
    done: int
    doubts: Mapping[int, Mapping[int, int]]


class RoutineReader(RoutineValues):
    """Reads one version of a routine."""

    def __init__(self, item: Item, source: Source, choices: Choices, kept: Collection[str] = ()) -> None:
        super().__init__(item, source, choices, kept)
        self.objects = 0  # that were declared in memory
        self.depth = 0  # of loops
        self.within = dict[int, dict[int, int]]()  # what turns of each loop may leave undefined
        self.given = list[str]()  # the names of the parameters
        self.kind = ""  # of what is returned

    def read(self) -> Routine:
        """The whole function."""
        from pycparser import c_ast

        function = parsed(self.item, self.source, self.kept)
        if not isinstance(function, c_ast.FuncDef) or function.param_decls:
            raise Refused(function, "not a function definition with a prototype")
        declared, kind = function.decl, function.decl.type
        listed = kind.args.params if kind.args else []
        types = [self._parameter(k, p) for k, p in enumerate(listed)]
        if len(self.state.names) < len(listed):
            raise Refused(function, "two parameters have the same name")
        name = " ".join(type_names(kind.type))
        self.kind = name if name == "void" else self._type(kind.type)
        specifiers = [] if "static" in declared.storage else declared.funcspec
        head = " ".join([*declared.storage, *specifiers, *kind.type.quals, name])
        ways = _Ways(self._ended, None, None, self._returned)
        done = self._run(function.body.block_items or [], ways)
        return Routine((head, *types), tuple(self.given), done, {**self.within, 0: self.doubts})

    def _parameter(self, place: int, declared: Any) -> str:
        """Name a parameter; its type."""
        from pycparser import c_ast

        if not isinstance(declared, c_ast.Decl) or declared.storage or declared.funcspec or declared.align:
            raise Refused(declared, "a parameter of another form")
        kind, node, outer = declared.type, self.choices.node("parameter", place), ""
        self.given.append(declared.name)
        if isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl):
            quals = kind.quals if isinstance(kind, c_ast.PtrDecl) else kind.dim_quals
            outer = " ".join(["*", *(q for q in quals if q != "const"), *_extent(kind)])
            kind = kind.type
        if not isinstance(kind, c_ast.TypeDecl) or set(kind.quals) - {"const"}:
            raise Refused(declared, f"the type of the parameter {declared.name}")
        name, is_const = self._type(kind), "const" in kind.quals
        if outer:
            self._name_it(declared, Place(node, name, is_const, True))
            return " ".join([*kind.quals, name, outer])
        if name not in RANKS:
            raise Refused(declared, f"the type of the parameter {declared.name}")
        self._name_it(declared, Variable(name, is_const, node))
        return name

    def _name_it(self, declared: Any, what: Variable | Place) -> None:
        if declared.name in self.kept:
            raise Refused(declared, f"the macro {declared.name}")
        if declared.name in self.state.names:
            raise Refused(declared, f"{declared.name} is declared twice")
        self.state = self.state.named(declared.name, what)

    # Ways

    def _ended(self) -> int:
        if self.kind != "void":
            raise Refused(None, "it does not return a value on every way")
        return self._returned(None)

    def _returned(self, value: Value | None) -> int:
        if (value is None) != (self.kind == "void"):
            raise Refused(None, "a return that does not match the return type")
        node = self.choices.node("nothing") if value is None else value.node
        return self.choices.node("return", node, self.state.memory)

    def _run(self, statements: Sequence[Any], ways: _Ways) -> int:
        """What is done on all ways from the first of some statements on."""
        from pycparser import c_ast

        left = [*reversed(statements)]
        while left:
            first = left.pop()
            if isinstance(first, c_ast.Switch):
                left.append(self._choices_of(first))
            elif isinstance(first, c_ast.For | c_ast.While | c_ast.DoWhile) and (one := as_choice(first)):
                left.append(one)
            elif _is_block(first):
                left.append(c_ast.Compound([first.stmt], first.coord))
            elif isinstance(first, c_ast.If) and not _departs(first):
                self._if(first)
            elif isinstance(first, c_ast.If | c_ast.Compound | c_ast.For | c_ast.While | c_ast.DoWhile):
                rest = [*reversed(left)]
                return _WAYS[type(first).__name__](self, first, rest, ways)
            elif isinstance(first, c_ast.Return | c_ast.Break | c_ast.Continue):
                if left:
                    raise Refused(first, "statements that nothing reaches")
                return self._departed(first, ways)
            else:
                self._simple(first)
        return ways.end()

    def _departed(self, statement: Any, ways: _Ways) -> int:
        """What follows a return, break or continue."""
        from pycparser import c_ast

        if isinstance(statement, c_ast.Return):
            value = None if statement.expr is None else self._value(statement.expr)
            if value is not None and self.kind == "void":
                raise Refused(statement, "a return that does not match the return type")
            return ways.returns(value and self._in_type(statement, value, self.kind))
        way = ways.breaks if isinstance(statement, c_ast.Break) else ways.continues
        if way is None:
            raise Refused(statement, kind_of(statement))
        return way()

    def _block(self, block: Any, rest: Sequence[Any], ways: _Ways) -> int:
        before = self.state.names.keys()

        def end() -> int:
            self._leave(before)
            return self._run(rest, ways)

        return self._run(block.block_items or [], replace(ways, end=end))

    def _leave(self, names: Any) -> None:
        kept = {name: what for name, what in self.state.names.items() if name in names}
        self.state = replace(self.state, names=kept)

    def _choices_of(self, switch: Any) -> Any:
        over = self._value(switch.cond)
        if over.type not in ("int", "unsigned", "truth"):
            raise Refused(switch, "a switch over a number that is no integer")
        found = as_choices(switch, _label, over.type == "truth")
        if _breaks(found):
            raise Refused(switch, "a break before the end of a case")
        return found

    def _branches(self, choice: Any) -> list[tuple[bool, list[Any]]]:
        from pycparser import c_ast

        both = (True, choice.iftrue), (False, choice.iffalse)
        return [(h, [c_ast.Compound([b], b.coord)] if b is not None else []) for h, b in both]

    def _fork(self, choice: Any, rest: Sequence[Any], ways: _Ways) -> int:
        """An `if` with a way that does not lead to the next statement."""
        condition, before, ends = self._truth(choice.cond), self.state, list[int]()
        for holds, branch in self._branches(choice):
            self.state = before
            with self._under(condition, holds):
                ends.append(self._run([*branch, *rest], ways))
        return self.choices.chosen(condition.node, *ends)

    def _if(self, choice: Any) -> None:
        """An `if` after both ways of which the next statement follows."""
        condition, before, after = self._truth(choice.cond), self.state, list[State]()
        for holds, branch in self._branches(choice):
            self.state = before
            with self._under(condition, holds):
                self._run(branch, _Ways(lambda: 0, None, None, self._returned))
            after.append(self.state)
        a, b = after
        names = {name: self._merged(condition, a.names[name], b.names[name]) for name in before.names}
        self.state = State(names, self.choices.chosen(condition.node, a.memory, b.memory))

    def _merged(self, condition: Value, a: Variable | Place, b: Variable | Place) -> Variable | Place:
        if not isinstance(a, Variable) or not isinstance(b, Variable) or a.value == b.value:
            return a
        return a._replace(value=self.choices.chosen(condition.node, self._held(a), self._held(b)))

    def _held(self, variable: Variable) -> int:
        return self.choices.node("unset") if variable.value is None else variable.value

    # Loops

    def _loop(self, loop: Any, rest: Sequence[Any], ways: _Ways) -> int:
        """A loop as one value: what it begins with, and what a turn makes of that.

        One that stores nothing leaves memory as it is, so that what is loaded in it is what is loaded before.
        """
        before = self.state.names.keys()
        for part in _parts(getattr(loop, "init", None)):
            self._simple(part)
        changed = _assigned(loop)
        names = [n for n, w in self.state.names.items() if isinstance(w, Variable) and n in changed]
        names.sort(key=lambda n: self._values_of([n]))  # so that the order of declarations means nothing
        first = (*self._values_of(names), self.state.memory)
        outside = self.doubts, self.path, self.state
        self.doubts, self.path = {}, self.choices.truth(True).node
        returns = list[int]()
        is_quiet = not self._writes(loop)
        turn = self._turn(loop, names, returns, is_quiet)
        doubts = self.doubts
        self.doubts, self.path, self.state = outside
        found = self._note("loop", first, turn)
        known = self.within.setdefault(found, {})
        for what, where in doubts.items():  # the same loop may stand in two branches
            known[what] = self.choices.either(known.get(what, self.choices.truth(False).node), where)
        self._set(names, lambda k: self.choices.node("after", k, found))
        if not is_quiet:
            self.state = replace(self.state, memory=self.choices.node("after", "memory", found))
        self._leave(before)
        if not returns:
            return self._run(rest, ways)
        return self._after_return(found, rest, ways)

    def _after_return(self, loop: int, rest: Sequence[Any], ways: _Ways) -> int:
        """What follows a loop with a return in it."""
        test, before = Value(self.choices.node("returned", loop), "truth"), self.state
        value = None if self.kind == "void" else Value(self.choices.node("result", loop), self.kind)
        a = ways.returns(value)
        self.state = before
        with self._under(test, False):
            return self.choices.chosen(test.node, a, self._run(rest, ways))

    def _writes(self, statement: Any) -> bool:
        """Whether a statement may change memory: it does not if it only assigns to variables."""
        kind = type(statement).__name__
        target: Any = getattr(statement, "lvalue", None)
        if kind == "UnaryOp" and statement.op in STEPS:
            target = statement.expr
        is_named = type(target).__name__ == "ID" and target.name not in self.item.addressed
        if (target is not None and not is_named) or self._is_call(statement):
            return True
        if is_named and isinstance(self.state.names.get(target.name), Place):
            return True
        if kind == "Decl" and not self._is_scalar(statement):
            return True
        return any(self._writes(below) for _, below in statement.children())

    def _is_scalar(self, declared: Any) -> bool:
        """Whether a declaration is that of a pointer, or of a variable that is not in memory."""
        kind = declared.type
        if type(kind).__name__ != "TypeDecl":
            return type(kind).__name__ == "PtrDecl"
        return self._is_variable(declared, self._local_type(kind))

    def _is_variable(self, declared: Any, kind: str) -> bool:
        """Whether what is declared, of this type, is not in memory."""
        return kind in (*RANKS, "truth") and declared.name not in self.item.addressed

    def _local_type(self, kind: Any) -> str:
        """The type of a variable, or of the elements of an array."""
        return "truth" if type_names(kind) in (["_Bool"], ["bool"]) else self._type(kind)

    def _turn(self, loop: Any, names: Sequence[str], returns: list[int], is_quiet: bool) -> int:
        """What a turn makes of what holds before it; returns in it are noted."""
        from pycparser import c_ast

        self.depth += 1
        kinds = [self.state.names[n].type for n in names]
        self._set(names, lambda k: self.choices.node("before", self.depth, k, kinds[k]))
        if not is_quiet:
            self.state = replace(self.state, memory=self.choices.node("before", self.depth, "memory"))

        def leaf(kind: str) -> int:
            return self.choices.node(kind, *self._values_of(names), self.state.memory)

        def on() -> int:
            for part in _parts(getattr(loop, "next", None)):
                self._simple(part)
            return self._tested(loop, lambda: leaf("next"), lambda: leaf("exit")) if is_last else leaf("next")

        def returned(value: Value | None) -> int:
            returns.append(self._returned(value))
            return returns[-1]

        is_last = isinstance(loop, c_ast.DoWhile)
        ways = _Ways(on, lambda: leaf("exit"), on, returned)
        body = [c_ast.Compound([loop.stmt], loop.coord)]
        if is_last:
            found = self._run(body, ways)
        else:
            found = self._tested(loop, lambda: self._run(body, ways), lambda: leaf("exit"))
        self.depth -= 1
        return found

    def _tested(self, loop: Any, going: Callable[[], int], ended: Callable[[], int]) -> int:
        """What is done where the condition of a loop holds, and where it does not."""
        condition = self.choices.truth(True) if loop.cond is None else self._truth(loop.cond)
        before, ends = self.state, list[int]()
        for holds, way in ((True, going), (False, ended)):
            self.state = before
            with self._under(condition, holds):
                ends.append(way())
        return self.choices.chosen(condition.node, *ends)

    def _values_of(self, names: Sequence[str]) -> list[int]:
        whats = [self.state.names[n] for n in names]
        return [self._held(w) for w in whats if isinstance(w, Variable)]

    def _set(self, names: Sequence[str], value: Callable[[int], int]) -> None:
        """Give variables other values."""
        for k, name in enumerate(names):
            what = self.state.names[name]
            if isinstance(what, Variable):
                self.state = self.state.named(name, what._replace(value=value(k)))

    # Statements

    def _simple(self, statement: Any) -> None:
        """A statement that the next one follows."""
        from pycparser import c_ast

        if isinstance(statement, c_ast.Decl):
            self._declare(statement)
        elif isinstance(statement, c_ast.Assignment):
            self._assign(statement)
        elif isinstance(statement, c_ast.UnaryOp) and statement.op in STEPS:
            one = c_ast.Constant("int", "1")
            step = c_ast.Assignment(f"{STEPS[statement.op]}=", statement.expr, one, statement.coord)
            self._assign(step)
        elif isinstance(statement, c_ast.FuncCall):
            self._called(statement)
        elif isinstance(statement, c_ast.Cast) and type_names(statement.to_type.type) == ["void"]:
            if self._is_call(statement.expr):
                self._called(statement.expr)
            else:
                self._unused(statement.expr)
        elif isinstance(statement, c_ast.ExprList):
            for part in statement.exprs:
                self._simple(part)
        elif isinstance(statement, c_ast.StaticAssert):
            if not surely_holds(statement, self.source):
                raise Refused(statement, "a static assertion that is not known to hold")
        elif not isinstance(statement, c_ast.EmptyStatement):
            raise Refused(statement, kind_of(statement))

    def _declare(self, declared: Any) -> None:
        from pycparser import c_ast

        if isinstance(declared.type, c_ast.PtrDecl):
            self._point(declared)
            return
        if isinstance(declared.type, c_ast.Enum) and declared.name is None:
            for name, value in self._enumerated(declared.type).items():
                self._name_it(c_ast.ID(name), Variable("int", True, value.node))
            return
        kind, is_array = declared.type, isinstance(declared.type, c_ast.ArrayDecl)
        size: int | str = 0
        if is_array:
            size = 0 if kind.dim is None or kind.dim_quals else self._local_extent(kind.dim)
            kind = kind.type if size else None
        if declared.storage not in ([], ["auto"]) or declared.funcspec or declared.align:
            kind = None
        if not isinstance(kind, c_ast.TypeDecl) or {*declared.quals, *kind.quals} - {"const"}:
            raise Refused(declared, f"the declaration of {declared.name}")
        is_const = "const" in (*declared.quals, *kind.quals)
        name = self._local_type(kind)
        if name == "truth" and (is_array or declared.name in self.item.addressed):
            raise Refused(declared, f"the declaration of {declared.name}")
        if is_array or not self._is_variable(declared, name):
            if is_array and declared.init is not None:
                raise Refused(declared, f"the declaration of {declared.name}")
            self.objects += 1  # one that is declared in a loop is another one in each turn
            node = self.choices.node("local", self.objects, size, self.depth)
            self._name_it(declared, Place(node, name, is_const, is_array))
            if declared.init is not None:
                self._store(declared, Place(node, name, False), self._value(declared.init))
            return
        self._name_it(declared, Variable(name, is_const, None))
        init = declared.init
        if isinstance(init, c_ast.InitList) and len(init.exprs) == 1:
            init = init.exprs[0]
        if init is not None:
            value = self._in_type(declared, self._assigned_value(init), name)
            self.state = self.state.named(declared.name, Variable(name, is_const, value.node))

    def _local_extent(self, dim: Any) -> int | str:
        """The size of an array: a number above 0, or a macro for which a build may define another one."""
        if getattr(dim, "name", None) in self.kept:
            self._note("size", dim.name)
            return str(dim.name)
        extent = constant(dim)
        return extent.value if extent is not None and extent.value > 0 else 0

    def _point(self, declared: Any) -> None:
        """A local pointer, which has one value for good: it is another name of the place where it points."""
        from pycparser import c_ast

        kind = declared.type.type
        is_plain = isinstance(kind, c_ast.TypeDecl) and not {*kind.quals, *declared.type.quals} - {"const"}
        is_plain &= declared.storage in ([], ["auto"]) and not declared.funcspec and not declared.align
        if declared.init is None or not is_plain:
            raise Refused(declared, f"the declaration of {declared.name}")
        place, is_const = self._pointer(declared.init), "const" in kind.quals
        if place.type != self._type(kind) or (place.is_const and not is_const):
            raise Refused(declared, f"{declared.name} points to what has another type")
        self._name_it(declared, place._replace(is_const=is_const, is_array=True))

    def _assign(self, statement: Any) -> None:
        from pycparser import c_ast

        op = statement.op.removesuffix("=")
        if op and op not in ("+", "-", "*", "/", "%", "|", "&"):
            raise Refused(statement, kind_of(statement))
        target, source = statement.lvalue, statement.rvalue
        what = self.state.names.get(target.name) if isinstance(target, c_ast.ID) else None
        if not isinstance(what, Variable):
            place = self._place(target)
            value = self._value(source)
            if op:
                value = self._operation(statement, op, self._loaded(target), value)
            self._store(statement, place, value)
            return
        if what.is_const:
            raise Refused(statement, f"an assignment to {target.name}")
        value = self._assigned_value(source)
        if op:
            value = self._operation(statement, op, self._name(target), value)
        value = self._in_type(statement, value, what.type)
        self.state = self.state.named(target.name, what._replace(value=value.node))

    def _store(self, where: Any, place: Place, value: Value) -> None:
        if place.is_const or place.is_array:
            raise Refused(where, "a store where nothing may be written")
        value = self._in_type(where, value, place.type)
        memory = self._note("store", place.type, self.state.memory, place.node, value.node)
        self.state = replace(self.state, memory=memory)

    def _assigned_value(self, expr: Any) -> Value:
        """The value of an expression that may be a call which writes, or such a call and a variable."""
        from pycparser import c_ast

        if self._is_call(expr):
            value = self._called(expr)
            if value is None:
                raise Refused(expr, "a call of a function that returns nothing")
            return value
        sides = (expr.left, expr.right) if isinstance(expr, c_ast.BinaryOp) else ()
        named = [s for s in sides if isinstance(self.state.names.get(getattr(s, "name", "")), Variable)]
        if named and any(map(self._is_call, sides)):
            a, b = map(self._assigned_value, sides)
            return self._operation(expr, expr.op, a, b)
        return self._value(expr)

    def _is_call(self, expr: Any) -> bool:
        """Whether an expression calls a function of the tree that may write."""
        name = getattr(expr.name, "name", "") if type(expr).__name__ == "FuncCall" else ""
        return name in self.source.functions and self._formula(name) is None

    def _called(self, expr: Any) -> Value | None:
        """A call of a function of the tree, which may write to everything; what it returns."""
        from pycparser import c_ast

        name = getattr(expr.name, "name", "")
        items = self.source.called(name, self.item.path)
        if name in self.state.names or len(items) != 1:
            raise Refused(expr, f"a call of {name or 'something'}")
        declared = parsed(items[0], self.source).decl
        check_declarations(expr, declared, items[0], self.item.path, self.source)
        kind = declared.type
        listed = kind.args.params if kind.args else []
        given = list(expr.args.exprs) if expr.args else []
        if len(given) != len(listed) or not all(isinstance(p, c_ast.Decl) for p in listed):
            raise Refused(expr, f"a call of {name}")
        nodes = [self._argument(p.type, g) for p, g in zip(listed, given, strict=True)]
        call = self._note("called", name, self.state.memory, *nodes)
        self.state = replace(self.state, memory=self.choices.node("after", "memory", call))
        if type_names(kind.type) == ["void"]:
            return None
        return Value(self.choices.node("result", call), self._type(kind.type))

    def _argument(self, kind: Any, expr: Any) -> int:
        from pycparser import c_ast

        if not isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl):
            return self._in_type(expr, self._value(expr), self._type(kind)).node
        place = self._pointer(expr)
        if place.type != self._type(kind.type) or (place.is_const and "const" not in kind.type.quals):
            raise Refused(expr, "an argument of another type")
        return place.node


def _extent(kind: Any) -> list[str]:
    """The number of elements that an array among the parameters states, if it is one that states any."""
    if (dim := getattr(kind, "dim", None)) is None:
        return []
    number = constant(dim)
    if number is None or number.value <= 0:
        raise Refused(kind, "an array without a constant size")
    return [str(number.value)]


def _label(expr: Any) -> int | None:
    number = constant(expr)
    return None if number is None else number.value % 2**32


def _is_block(statement: Any) -> bool:
    """Whether a statement is `do { ... } while (0)` without a way out of its turn."""
    number = constant(statement.cond) if type(statement).__name__ == "DoWhile" else None
    return number is not None and number.value == 0 and not _departs(statement.stmt)


def _parts(statements: Any) -> list[Any]:
    """The statements before a loop, or at the end of its turns."""
    found = getattr(statements, "decls", None) or getattr(statements, "exprs", None)
    return [] if statements is None else list(found or [statements])


def _departs(statement: Any, in_loop: bool = False, in_switch: bool = False) -> bool:
    """Whether a statement has a way to another place than the next statement."""
    name = type(statement).__name__
    if name == "Return" or (name == "Continue" and not in_loop):
        return True
    if name == "Break" and not in_loop and not in_switch:
        return True
    in_loop = in_loop or name in ("For", "While", "DoWhile")
    in_switch = in_switch or name == "Switch"
    return any(_departs(below, in_loop, in_switch) for _, below in statement.children())


def _breaks(statement: Any) -> bool:
    """Whether a statement has a break that is not that of a loop or switch in it."""
    name = type(statement).__name__
    inner = name in ("For", "While", "DoWhile", "Switch")
    return name == "Break" or (not inner and any(_breaks(below) for _, below in statement.children()))


def _assigned(statement: Any) -> set[str]:
    """The names of variables to which a statement assigns."""
    target: Any = getattr(statement, "lvalue", None)
    if type(statement).__name__ == "UnaryOp" and statement.op in STEPS:
        target = statement.expr
    own = {target.name} if type(target).__name__ == "ID" else set[str]()
    return own.union(*(_assigned(below) for _, below in statement.children()))


_WAYS: Mapping[str, Callable[[RoutineReader, Any, Sequence[Any], _Ways], int]] = {
    "Compound": RoutineReader._block,
    "DoWhile": RoutineReader._loop,
    "For": RoutineReader._loop,
    "If": RoutineReader._fork,
    "While": RoutineReader._loop,
}
