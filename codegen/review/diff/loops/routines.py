"""Reads routines with loops over arguments, as the operations on what is given that they return and store.

A loop is what it begins with and what one turn makes of what holds before it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from codegen.review.diff.functions.assertions import surely_holds
from codegen.review.diff.functions.definitions import without_typedefs
from codegen.review.diff.functions.signature import check_declarations, members
from codegen.review.diff.functions.switches import as_choices
from codegen.review.diff.functions.turns import as_choice
from codegen.review.diff.functions.types import narrow_range
from codegen.review.diff.loops.choices import RANKS, WHOLE, Choices, Value
from codegen.review.diff.loops.clearing import as_loop, clearing, measures, names_in_order
from codegen.review.diff.loops.memory_chains import (
    are_different_objects,
    is_own_member,
    stored,
    without_locals,
)
from codegen.review.diff.loops.routine_loops import RoutineLoops, Ways, assigned
from codegen.review.diff.loops.routine_values import Name, Place, State, Variable, Walker
from codegen.review.diff.loops.whole_numbers import added, is_never_negative
from codegen.review.diff.text.integers import constant
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.sequences import ORDERS, STEPS
from codegen.review.diff.text.source import Source
from codegen.review.diff.text.syntax import Refused, kind_of, parsed, type_names
from codegen.review.diff.text.trees import breaks


class Routine(NamedTuple):
    """A version of a routine: types and names of its parameters, what it does, what may be undefined.

    The latter by loop and where it stands, outside of which it is that of node 0; `settled` is what a loop
    leaves undefined only where its first turn does, which is noted outside of it, too.
    """

    types: Sequence[str]
    names: Sequence[str]
    done: int
    doubts: Mapping[int, Mapping[int, int]]
    settled: Collection[tuple[int, int]]
    visited: Sequence[int]  # the loops that were read, in their order, by where they stand


def read_routine(
    item: Item,
    source: Source,
    choices: Choices,
    kept: Collection[str] = (),
    reader: Reader | None = None,
    most: Mapping[int, int] | None = None,
) -> Routine:
    """A version of a routine, of whose nodes some are known to be at most as large; raises Refused.

    Variables with whose values no turn of a loop begins are none of its own, unless what follows uses them.
    """
    live = set[tuple[int, str]]()
    while True:
        version = (reader or RoutineReader)(item, source, choices, kept, live)
        version.most = most or {}
        found = version.read()
        nodes = [
            found.done,
            *(n for doubts in found.doubts.values() for pair in doubts.items() for n in pair),
        ]
        used = {lost for lost in choices.lost_in(nodes) if lost not in live}
        if not used:
            return found
        live |= used


_LARGEST_ARRAY = 65_536
"""Limit on the elements of a local array, so that it fits on a stack."""


class RoutineReader(RoutineLoops):
    """Reads one version of a routine."""

    def __init__(
        self,
        item: Item,
        source: Source,
        choices: Choices,
        kept: Collection[str],
        live: Collection[tuple[int, str]],
    ) -> None:
        super().__init__(item, source, choices, kept)
        self.live = live
        self.given = list[str]()  # the names of the parameters
        self.own = dict[str, int]()  # the nodes of variables in memory, by their names

    def read(self) -> Routine:
        """The whole function."""
        from pycparser import c_ast

        function = self._tree()
        self.moved = assigned(function)
        if not isinstance(function, c_ast.FuncDef) or function.param_decls:
            raise Refused(function, "not a function definition with a prototype")
        declared, kind = function.decl, function.decl.type
        listed = kind.args.params if kind.args else []
        types = [self._parameter(k, p) for k, p in enumerate(listed)]
        if len(self.state.names) < len(listed):
            raise Refused(function, "two parameters have the same name")
        name = " ".join(type_names(kind.type))
        self.kind = name if name == "void" else self._type(kind.type)
        is_static = "static" in declared.storage
        specifiers = [word for word in declared.funcspec if not (is_static and word == "inline")]
        head = " ".join([*declared.storage, *specifiers, *kind.type.quals, name])
        ways = Ways(self._ended, None, None, self._returned)
        done = self._run(function.body.block_items or [], ways)
        settled = {known for known, is_first in self.settled.items() if is_first}
        doubts = {**self.within, 0: self.doubts}
        return Routine((head, *types), tuple(self.given), done, doubts, settled, tuple(self.visited))

    def _tree(self) -> Any:
        """The tree of the function, in which no type has a name of its own."""
        function = parsed(self.item, self.source, self.kept)
        without_typedefs(function, self.source)
        return function

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
            is_moved = declared.name in self.moved and declared.name not in self.addressed
            at_start = Walker(name, is_const, node, self.choices.whole({}))
            self._name_it(declared, at_start if is_moved else Place(node, name, is_const, True))
            return " ".join([*kind.quals, name, outer])
        if name not in RANKS:
            raise Refused(declared, f"the type of the parameter {declared.name}")
        self._name_it(declared, Variable(name, is_const, node))
        return name

    def _name_it(self, declared: Any, what: Name) -> None:
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
        memory = without_locals(self.choices, self.state.memory, 0)
        return self.choices.node("return", node, memory)

    def _run(self, statements: Sequence[Any], ways: Ways) -> int:
        """What is done on all ways from the first of some statements on."""
        from pycparser import c_ast

        left = [*reversed(statements)]
        while left:
            first = left.pop()
            if (found := self._otherwise(first, [*reversed(left)], ways)) is not None:
                return found
            if isinstance(first, c_ast.Switch):
                left.append(self._choices_of(first))
            elif isinstance(first, c_ast.For | c_ast.While | c_ast.DoWhile) and (one := as_choice(first)):
                left.append(one)
            elif (loop := _guarded(first)) is not None or (loop := self._clearing(first)) is not None:
                left.append(loop)
            elif _is_block(first):
                left.append(c_ast.Compound([first.stmt], first.coord))
            elif isinstance(first, c_ast.If) and not departs(first):
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

    def _otherwise(self, _first: Any, _rest: Sequence[Any], _ways: Ways) -> int | None:
        """What a statement and those after it do, where a reader has a way of its own to read it."""
        return None

    def _clearing(self, statement: Any) -> Any | None:
        """A loop in place of a call of memset or memcpy for at least one element; else None."""
        known = {*self.source.functions, *self.state.names}
        if (found := clearing(statement)) is None or found.name in known:
            return None
        named = {n for expr in (found.array, found.count, found.source) if expr for n in names_in_order(expr)}
        whats = {n: self.state.names[n] for n in named & self.state.names.keys()}
        if any(isinstance(what, Place) and not what.is_array for what in whats.values()):
            return None  # what is cleared may be that number
        count, place = self._value(found.count), self._pointer(found.array)
        sizes = [measures(found.size, array, place.type) for array in (found.array, found.source) if array]
        if count.type != "int" or not place.is_array or not any(sizes):
            return None
        if found.source is not None:
            source = self._pointer(found.source)
            is_alike = source.is_array and source.type == place.type
            if not is_alike or not are_different_objects(self.choices, place.node, source.node):
                raise Refused(statement, "a call of memcpy for what may be one object")
        more = added(self.choices.polynomial(count.node), {(): 1}, -1)
        if not is_never_negative(more, self._facts(), self.counts):
            raise Refused(
                statement, f"a call of {found.name} for a number of elements that may not be above 0"
            )
        return as_loop(found, place.type, statement)

    def _departed(self, statement: Any, ways: Ways) -> int:
        """What follows a return, break or continue."""
        from pycparser import c_ast

        if isinstance(statement, c_ast.Return):
            value = None if statement.expr is None else self._assigned_value(statement.expr)
            if value is not None and self.kind == "void":
                raise Refused(statement, "a return that does not match the return type")
            return ways.returns(value and self._in_type(statement, value, self.kind))
        way = ways.breaks if isinstance(statement, c_ast.Break) else ways.continues
        if way is None:
            raise Refused(statement, kind_of(statement))
        return way()

    def _block(self, block: Any, rest: Sequence[Any], ways: Ways) -> int:
        before = self.state.names.keys()

        def end() -> int:
            self._leave(block, before)
            return self._run(rest, ways)

        return self._run(block.block_items or [], replace(ways, end=end))

    def _leave(self, block: Any, names: Any) -> None:
        """The end of a block, which declares all but these names; no pointer to their objects outlives it."""
        kept = {name: what for name, what in self.state.names.items() if name in names}
        gone = {self.own[name] for name in self.state.names if name not in kept and name in self.own}
        for name, what in kept.items() if gone else ():
            node = what.base if isinstance(what, Walker) else getattr(what, "node", None)
            if node is not None and not gone.isdisjoint(self.choices.all_parts([node], 0)):
                raise Refused(block, f"{name} points to a variable whose block has ended")
        self.state = replace(self.state, names=kept)

    def _choices_of(self, switch: Any) -> Any:
        over = self._value(switch.cond)
        if over.type not in ("int", "unsigned", "truth"):
            raise Refused(switch, "a switch over a number that is no integer")
        found = as_choices(switch, _label, over.type == "truth")
        if breaks(found):
            raise Refused(switch, "a break before the end of a case")
        return found

    def _branches(self, choice: Any) -> list[tuple[bool, list[Any]]]:
        from pycparser import c_ast

        both = (True, choice.iftrue), (False, choice.iffalse)
        return [(h, [c_ast.Compound([b], b.coord)] if b is not None else []) for h, b in both]

    def _condition(self, choice: Any) -> Value:
        """The condition of an `if`, without the tests that what led to it decides."""
        return Value(self._decided(self._tested_first(choice.cond).node), "truth")

    def _tested_first(self, condition: Any) -> Value:
        """A condition that may be a call which writes, its opposite, or a comparison of its result."""
        from pycparser import c_ast

        if isinstance(condition, c_ast.UnaryOp) and condition.op == "!":
            return self.choices.negated(self._tested_first(condition.expr))
        if self._is_call(condition):
            return self._truth_of(condition, self._assigned_value(condition))
        if isinstance(condition, c_ast.BinaryOp) and condition.op in ORDERS:
            sides = (condition.left, condition.right)
            if any(map(self._is_call, sides)) and any(constant(side) is not None for side in sides):
                a, b = map(self._assigned_value, sides)
                return self._truth_of(condition, self._operation(condition, condition.op, a, b))
        return self._truth(condition)

    def _fork(self, choice: Any, rest: Sequence[Any], ways: Ways) -> int:
        """An `if` with a way that does not lead to the next statement."""
        condition, before, ends = self._condition(choice), self.state, list[int]()
        for holds, branch in self._branches(choice):
            self.state = self._where(before, condition, holds)
            with self._under(condition, holds):
                ends.append(self._run([*branch, *rest], ways))
        return self.choices.chosen(condition.node, *ends)

    def _if(self, choice: Any) -> None:
        """An `if` after both ways of which the next statement follows."""
        condition, before, after = self._condition(choice), self.state, list[State]()
        for holds, branch in self._branches(choice):
            self.state = self._where(before, condition, holds)
            with self._under(condition, holds):
                self._run(branch, Ways(lambda: 0, None, None, self._returned))
            after.append(self.state)
        a, b = after
        names = {name: self._merged(condition, a.names[name], b.names[name]) for name in before.names}
        self.state = State(names, self.choices.chosen(condition.node, a.memory, b.memory))

    def _merged(self, condition: Value, a: Name, b: Name) -> Name:
        if isinstance(a, Place) or isinstance(b, Place) or a == b:
            return a
        if isinstance(a, Walker) and isinstance(b, Walker) and a.base != b.base:
            raise Refused(None, "a pointer that points into another array on each way")
        return a._replace(value=self.choices.chosen(condition.node, self._held(a), self._held(b)))

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
        is_addressed = is_array or declared.name in self.addressed
        storages = ([], ["auto"], *([["register"]] if not is_addressed else []))
        if declared.storage not in storages or declared.funcspec or declared.align:
            kind = None
        if not isinstance(kind, c_ast.TypeDecl) or {*declared.quals, *kind.quals} - {"const"}:
            raise Refused(declared, f"the declaration of {declared.name}")
        is_const = "const" in (*declared.quals, *kind.quals)
        name = self._local_type(kind)
        if name == "truth" and (is_array or declared.name in self.addressed):
            raise Refused(declared, f"the declaration of {declared.name}")
        if (name in ("long", "size") or narrow_range(name)) and (
            is_array or not self._is_variable(declared, name)
        ):
            raise Refused(declared, f"the declaration of {declared.name}")
        if is_array or not self._is_variable(declared, name):
            if is_array and declared.init is not None:
                raise Refused(declared, f"the declaration of {declared.name}")
            node = self.choices.node("local", self._object(declared), size, self.depth)
            self._name_it(declared, Place(node, name, is_const, is_array))
            self.own[declared.name] = node
            if declared.init is not None:
                self._fill(declared, Place(node, name, False), declared.init)
            return
        self._name_it(declared, Variable(name, is_const, None))
        init = declared.init
        if isinstance(init, c_ast.InitList) and len(init.exprs) == 1:
            init = init.exprs[0]
        if init is not None:
            value = self._in_type(declared, self._assigned_value(init), name)
            self.state = self.state.named(declared.name, Variable(name, is_const, value.node))

    def _object(self, declared: Any) -> Hashable:
        """What tells an object in memory from others; one of a loop is another one in each turn."""
        self.objects = (*self.objects, declared.name)
        return len(self.objects)

    def _fill(self, where: Any, place: Place, source: Any) -> None:
        """`place = source;`, of a struct member by member, unless it has arrays."""
        from pycparser import c_ast

        is_whole = place.is_const or place.is_array or self._has_arrays(place.type)
        scalars = [place] if is_whole else list(self._scalars(place))
        if scalars == [place]:
            self._store(where, place, self._value(source))
            return
        if isinstance(source, c_ast.InitList):
            values = [self._value(e) for e in source.exprs]
            if len(values) != len(scalars):
                raise Refused(where, "a list of values of another length than what it fills")
        elif type(source).__name__ not in ("ID", "ArrayRef", "StructRef", "UnaryOp"):
            raise Refused(where, kind_of(source))
        else:
            given = self._place(source)
            if given.type != place.type or given.is_array:
                raise Refused(where, f"a value of the type {given.type} for one of the type {place.type}")
            values = [self._held_at(scalar) for scalar in self._scalars(given)]
        for scalar, value in zip(scalars, values, strict=True):
            self._store(where, scalar, value)

    def _has_arrays(self, kind: str) -> bool:
        """Whether a type is a struct with an array anywhere in it."""
        return any(extent or self._has_arrays(of) for of, _, extent in self._members(kind))

    def _scalars(self, place: Place) -> Iterator[Place]:
        """The scalars of a struct, which has no arrays, in their order; a place of another type itself."""
        found = self._members(place.type)
        if not found:
            yield place
        for of, name, _ in found:
            yield from self._scalars(Place(self.choices.node("member", name, place.node), of, place.is_const))

    def _members(self, kind: str) -> list[tuple[str, str, str]]:
        """Type, name and extent of the members of a struct; none of another type."""
        items = self.source.types.get(kind, [])
        return (members(items[0].tokens, self.source) or []) if len(items) == 1 else []

    def _local_extent(self, dim: Any) -> int | str:
        """The size of an array: a number above 0, or a macro for which a build may define another one.

        It is 0 where the array is too large.
        """
        if getattr(dim, "name", None) in self.kept:
            self._note("size", dim.name)
            return str(dim.name)
        extent = constant(dim)
        return extent.value if extent is not None and 0 < extent.value <= _LARGEST_ARRAY else 0

    def _point(self, declared: Any) -> None:
        """A local pointer; with one value for good, it is another name of the place where it points."""
        from pycparser import c_ast

        kind = declared.type.type
        is_plain = isinstance(kind, c_ast.TypeDecl) and not {*kind.quals, *declared.type.quals} - {"const"}
        is_plain &= declared.storage in ([], ["auto"]) and not declared.funcspec and not declared.align
        is_moved = declared.name in self.moved and declared.name not in self.addressed
        if not is_plain or (is_moved and "const" in declared.type.quals) or not (declared.init or is_moved):
            raise Refused(declared, f"the declaration of {declared.name}")
        nowhere = Walker(self._type(kind), "const" in kind.quals, self.choices.node("nothing"), None)
        if declared.init is None:
            self._name_it(declared, nowhere)
            return
        place = self._pointed(declared, nowhere, declared.init)
        base, index = self._apart(place)
        at = nowhere._replace(base=base, value=index)
        self._name_it(declared, at if is_moved else place)

    def _pointed(self, where: Any, pointer: Walker, target: Any) -> Place:
        """The place where a pointer of this type may point."""
        place = self._pointer(target)
        if place.type != pointer.type or (place.is_const and not pointer.is_const):
            raise Refused(where, f"{where.name} points to what has another type")
        return place._replace(is_const=pointer.is_const, is_array=True)

    def _move(self, statement: Any, pointer: Walker, op: str) -> None:
        """`p = a + 2;`, `p += 2;` or `p++;`"""
        name = statement.lvalue.name
        if not op:
            base, index = self._apart(self._pointed(statement.lvalue, pointer, statement.rvalue))
            if pointer.value is not None and base != pointer.base:
                raise Refused(statement, f"{name} points into another array")
            self.state = self.state.named(name, pointer._replace(base=base, value=index))
            return
        by, at = self._value(statement.rvalue), pointer.value
        if op not in "+-" or by.type not in WHOLE or at is None:
            raise Refused(statement, f"an assignment to {name}")
        value = self.choices.arithmetic(op, Value(at, "long"), Value(by.node, "long"))
        self.state = self.state.named(name, pointer._replace(value=value.node))

    def _assign(self, statement: Any) -> None:
        from pycparser import c_ast

        op = statement.op.removesuffix("=")
        if op and op not in ("+", "-", "*", "/", "%", "|", "&"):
            raise Refused(statement, kind_of(statement))
        target, source = statement.lvalue, statement.rvalue
        what = self.state.names.get(target.name) if isinstance(target, c_ast.ID) else None
        if isinstance(what, Walker):
            self._move(statement, what, op)
            return
        if not isinstance(what, Variable):
            place = self._place(target)
            if not op:
                self._fill(statement, place, source)
                return
            value = self._value(source)
            self._store(statement, place, self._operation(statement, op, self._loaded(target), value))
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
        if not is_own_member(self.choices, place.node):
            self._note("written", place.type, place.node)
        memory = stored(self.choices, self.state.memory, place.type, place.node, value.node)
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


Reader = Callable[[Item, Source, Choices, Collection[str], Collection[tuple[int, str]]], RoutineReader]
"""What makes a reader of a version."""


def _extent(kind: Any) -> list[str]:
    """The number of elements that an array among the parameters states, if it is one that states any."""
    if (dim := getattr(kind, "dim", None)) is None:
        return []
    number = constant(dim)
    if number is None or number.value <= 0:
        raise Refused(kind, "an array without a constant size")
    return [str(number.value)]


def _guarded(choice: Any) -> Any | None:
    """`if (c) { do { ... } while (c); }` as `while (c) { ... }`; None for others."""
    from pycparser import c_ast

    body = choice.iftrue if isinstance(choice, c_ast.If) and choice.iffalse is None else None
    if isinstance(body, c_ast.Compound) and len(body.block_items or ()) == 1:
        body = body.block_items[0]
    if not isinstance(body, c_ast.DoWhile) or _spelled(body.cond) != _spelled(choice.cond):
        return None
    return c_ast.While(body.cond, body.stmt, choice.coord)


def _spelled(expr: Any) -> str:
    from pycparser import c_generator

    return str(c_generator.CGenerator().visit(expr))


def _label(expr: Any) -> int | None:
    number = constant(expr)
    return None if number is None else number.value % 2**32


def _is_block(statement: Any) -> bool:
    """Whether a statement is `do { ... } while (0)` without a way out of its turn."""
    number = constant(statement.cond) if type(statement).__name__ == "DoWhile" else None
    return number is not None and number.value == 0 and not departs(statement.stmt)


def departs(statement: Any, in_loop: bool = False, in_switch: bool = False) -> bool:
    """Whether a statement has a way to another place than the next statement."""
    name = type(statement).__name__
    if name == "Return" or (name == "Continue" and not in_loop):
        return True
    if name == "Break" and not in_loop and not in_switch:
        return True
    in_loop = in_loop or name in ("For", "While", "DoWhile")
    in_switch = in_switch or name == "Switch"
    return any(departs(below, in_loop, in_switch) for _, below in statement.children())


_WAYS: Mapping[str, Callable[[RoutineReader, Any, Sequence[Any], Ways], int]] = {
    "Compound": RoutineReader._block,
    "DoWhile": RoutineReader._loop,
    "For": RoutineReader._loop,
    "If": RoutineReader._fork,
    "While": RoutineReader._loop,
}
