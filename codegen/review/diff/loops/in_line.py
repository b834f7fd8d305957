"""Writes functions of the tree where they are called, before a routine is read: as a colleague does by hand.

`f(x, &t);` becomes `{ float y = x; ... t = y * y; }` where f stores through its pointer to the variable t
alone. Functions that return out of a loop stay calls, as do those of other files that mean anything by their
names that the caller's file does not.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from copy import copy, deepcopy
from typing import Any, NamedTuple

from codegen.review.diff.functions.definitions import without_typedefs
from codegen.review.diff.functions.signature import check_declarations
from codegen.review.diff.loops.choices import RANKS
from codegen.review.diff.loops.collected import Collected
from codegen.review.diff.loops.early_returns import ended_once
from codegen.review.diff.loops.neighbours import names_of
from codegen.review.diff.loops.routine_loops import assigned
from codegen.review.diff.loops.second_look import RESULT, Call, WithinInt, called_first, promises_nothing
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.source import Source
from codegen.review.diff.text.syntax import Refused, parsed, type_names
from codegen.review.diff.text.trees import nodes_of, with_parts

_DEEPEST = 4
"""Limit on functions that are called in functions that are written in line."""


class _Callee(NamedTuple):
    """A function that is written in line: its tree, its parameters, and all its names."""

    tree: Any
    parameters: Sequence[Any]
    own: frozenset[str]


class InLine:
    """Writes some functions of a tree into one that calls them."""

    def __init__(self, item: Item, source: Source, names: Collection[str], kept: Collection[str]) -> None:
        self.item, self.source, self.names, self.kept = item, source, names, kept
        self.declared = frozenset[str]()  # the names of the caller
        self.addressed = {*item.addressed}  # the names to whose variables pointers may point
        self.numbers = dict[str, list[str]]()  # its variables that are numbers, with the words of their types
        self.written = 0  # how many calls have been written in line

    def write(self, function: Any) -> None:
        """Write the calls in a function in line where that can be done."""
        declared = [n for n in nodes_of(function) if type(n).__name__ == "Decl" and n is not function.decl]
        names = [d.name for d in declared]
        self.declared = frozenset(names)
        self.numbers = {d.name: _words(d) for d in declared if _is_number(d) and names.count(d.name) == 1}
        self._below(function.body, _DEEPEST)

    def _below(self, statement: Any, depth: int) -> None:
        """Write the calls below a statement in line."""
        from pycparser import c_ast

        for name in ("iftrue", "iffalse", "stmt"):
            below = getattr(statement, name, None)
            if isinstance(below, c_ast.Node):
                found = self._statements(below, depth)
                setattr(statement, name, found[0] if len(found) == 1 else c_ast.Compound(found, below.coord))
        if isinstance(statement, c_ast.Compound) and statement.block_items:
            parts = [self._statements(part, depth) for part in statement.block_items]
            statement.block_items = [one for part in parts for one in part]

    def _statements(self, statement: Any, depth: int) -> list[Any]:
        """The statements that do what one does."""
        self._below(statement, depth)
        call = called_first(statement, self.addressed) or self._stored(statement)
        if call is None or depth == 0 or getattr(call.expr.name, "name", "") not in self.names:
            return [statement]
        try:
            return self._written(call.expr, call.then, depth)
        except Refused:
            return [statement]

    def _stored(self, statement: Any) -> Call | None:
        """`x[i] = f(y);` or `*x = f(y);`, where the call cannot change which element that is."""
        from pycparser import c_ast

        target, value = getattr(statement, "lvalue", None), getattr(statement, "rvalue", None)
        if isinstance(target, c_ast.UnaryOp) and target.op == "*":
            array, parts = target.expr, list[Any]()
        elif isinstance(target, c_ast.ArrayRef):
            array, parts = target.name, nodes_of(target.subscript)
        else:
            return None
        if not isinstance(array, c_ast.ID) or statement.op != "=" or not isinstance(value, c_ast.FuncCall):
            return None
        is_plain = all(isinstance(part, c_ast.ID | c_ast.Constant | c_ast.BinaryOp) for part in parts)
        if not is_plain or any(n not in self.declared or n in self.addressed for n in names_of(target)):
            return None
        return Call(value, c_ast.Assignment("=", target, c_ast.ID(RESULT, value.coord), statement.coord))

    def _written(self, call: Any, then: Any, depth: int) -> list[Any]:
        """A call as the statements of the function, and what then is done with its result."""
        from pycparser import c_ast

        callee = self._callee(call)
        self.written += 1
        where, number = call.coord, self.written
        names = {name: f"{name} {number}" for name in callee.own}
        begins, aliases = list[Any](), dict[str, Any]()
        for parameter, expr in zip(callee.parameters, call.args.exprs if call.args else (), strict=True):
            if self._is_variable(parameter, expr, callee.tree):
                aliases[parameter.name] = expr.expr
            else:
                begins.append(_begun(parameter, expr, names[parameter.name]))
        result = c_ast.ID(f"the result {number}", where)
        kind = callee.tree.decl.type.type
        is_void = type_names(kind) == ["void"]
        body = _renamed(callee.tree.body, names, aliases)
        body.block_items = ended_once(body.block_items or [], None if is_void else result)
        declared = [] if is_void else [_received(kind, result)]
        if then is not None and not declared:
            raise Refused(call, "a call of a function that returns nothing")
        own = [d for d in (*begins, *nodes_of(body)) if type(d).__name__ == "Decl"]
        self.numbers |= {d.name: _words(d) for d in own if _is_number(d)}
        self.addressed |= _addressed_in(body)
        self._below(body, depth - 1)
        inside = [*begins, *(body.block_items or [])]  # in no block: its names are none of the caller's
        return [*declared, *inside, *([] if then is None else [_with_result(then, result.name)])]

    def _is_variable(self, parameter: Any, expr: Any, function: Any) -> bool:
        """Whether a pointer among the parameters always points to a variable of its type, a number."""
        is_address = type(expr).__name__ == "UnaryOp" and expr.op == "&" and type(expr.expr).__name__ == "ID"
        kind = getattr(parameter.type, "type", None)
        if not is_address or type(kind).__name__ != "TypeDecl" or parameter.name in assigned(function.body):
            return False
        return self.numbers.get(expr.expr.name) == type_names(kind)

    def _callee(self, call: Any) -> _Callee:
        """The function that a call means; raises Refused where it is not written in line."""
        from pycparser import c_ast

        name, given = call.name.name, list(call.args.exprs) if call.args else []
        items = self.source.called(name, self.item.path)
        if len(items) != 1 or items[0].others or items[0].nonnull or items[0] is self.item:
            raise Refused(call, f"a call of {name}")
        item, is_adjusted = items[0], not self.source.adjustable(name) <= {*self.kept}
        is_elsewhere = item.path != self.item.path and self.source.environment(name).get(item.path)
        tree = parsed(item, self.source, self.kept)
        without_typedefs(tree, self.source)
        check_declarations(call, tree.decl, item, self.item.path, self.source)
        kind = tree.decl.type
        listed = kind.args.params if kind.args else []
        is_plain = all(isinstance(p, c_ast.Decl) and promises_nothing(p) for p in listed)
        if is_adjusted or is_elsewhere or name in self.declared or not is_plain or not _is_plain(tree):
            raise Refused(call, f"a call of {name}")
        calls = [n for e in given for n in nodes_of(e) if type(n).__name__ == "FuncCall"]
        if len(given) != len(listed) or calls:
            raise Refused(call, "a call with other arguments")
        own = frozenset(d.name for d in (*listed, *_declarations(tree.body)))
        for free in names_of(tree.body) - own - _fields(tree.body):
            self._check_meaning(call, free, item)
        return _Callee(tree, listed, own)

    def _check_meaning(self, where: Any, name: str, item: Item) -> None:
        """Refuse a name of a function that may mean anything else where it is called."""
        means = [self.source.called(name, path) for path in (item.path, self.item.path)]
        is_open = name in self.source.data or name in self.kept or means[0] != means[1]
        if name in self.declared or (is_open and item.path != self.item.path):
            raise Refused(where, f"the name {name}")


def _words(declared: Any) -> list[str]:
    return list(type_names(declared.type))


def _is_number(declared: Any) -> bool:
    """Whether a declaration is that of a variable which is a number."""
    is_plain = type(declared.type).__name__ == "TypeDecl" and not declared.storage and not declared.align
    return is_plain and " ".join(type_names(declared.type)) in RANKS


def _declarations(tree: Any) -> list[Any]:
    return [node for node in nodes_of(tree) if type(node).__name__ == "Decl"]


def _fields(tree: Any) -> set[str]:
    """The names of members in a tree."""
    return {node.field.name for node in nodes_of(tree) if type(node).__name__ == "StructRef"}


def _is_plain(function: Any) -> bool:
    """Whether a function has nothing that must stand in it."""
    declared, nodes = function.decl, nodes_of(function.body)
    is_inline_only = "inline" in declared.funcspec and "static" not in declared.storage
    is_plain = {*declared.storage} <= {"static"} and {*declared.funcspec} <= {"inline"}
    has_parts = all(d.name is not None and not d.storage for d in _declarations(function.body))
    is_known = _REFUSED.isdisjoint(type(node).__name__ for node in nodes)
    return is_plain and not is_inline_only and has_parts and is_known


_REFUSED = frozenset(["Goto", "Label", "Typedef", "Enum", "Struct", "Union", "FuncDecl", "NamedInitializer"])


def _begun(parameter: Any, expr: Any, name: str) -> Any:
    """A declaration that gives a parameter its value; an array is a pointer."""
    from pycparser import c_ast

    kind = deepcopy(parameter.type)
    if isinstance(kind, c_ast.ArrayDecl):
        kind = c_ast.PtrDecl([], kind.type, kind.coord)
    inner = kind.type if isinstance(kind, c_ast.PtrDecl) else kind
    if not isinstance(inner, c_ast.TypeDecl):
        raise Refused(parameter, f"the type of the parameter {parameter.name}")
    inner.declname = name
    return c_ast.Decl(name, parameter.quals, [], [], [], kind, expr, None, expr.coord)


def _received(kind: Any, result: Any) -> Any:
    """The declaration of the result of a call."""
    from pycparser import c_ast

    of = c_ast.TypeDecl(result.name, [], None, deepcopy(kind.type), result.coord)
    return c_ast.Decl(result.name, [], [], [], [], of, None, None, result.coord)


def _renamed(tree: Any, names: Mapping[str, str], aliases: Mapping[str, Any]) -> Any:
    """A tree, which is changed, with other names, and variables in place of pointers to them."""
    from pycparser import c_ast

    if isinstance(tree, c_ast.ID):
        if tree.name in aliases:
            return c_ast.UnaryOp("&", deepcopy(aliases[tree.name]), tree.coord)
        return c_ast.ID(names.get(tree.name, tree.name), tree.coord)
    pointed = _pointed(tree)
    if pointed is not None and pointed.name in aliases:
        return deepcopy(aliases[pointed.name])
    if isinstance(tree, c_ast.StructRef):
        tree.name = _renamed(tree.name, names, aliases)
        return tree
    if isinstance(tree, c_ast.Decl | c_ast.TypeDecl):
        slot = "name" if isinstance(tree, c_ast.Decl) else "declname"
        setattr(tree, slot, names.get(getattr(tree, slot), getattr(tree, slot)))
    return with_parts(tree, lambda part: _renamed(part, names, aliases))


def _pointed(tree: Any) -> Any:
    """The x of `*x` and `x[0]`; None for others."""
    kind = type(tree).__name__
    if kind == "UnaryOp" and tree.op == "*":
        found = tree.expr
    elif kind == "ArrayRef" and getattr(tree.subscript, "value", "") == "0":
        found = tree.name
    else:
        return None
    return found if type(found).__name__ == "ID" else None


def _taken(place: Any) -> set[str]:
    """The names of what has its address taken with a place: of `x[i]` and `x.y` that of x."""
    while type(place).__name__ in ("ArrayRef", "StructRef"):
        place = place.name
    return names_of(place)


def _addressed_in(tree: Any) -> set[str]:
    """The names to whose variables a tree takes pointers."""
    takers = [n for n in nodes_of(tree) if type(n).__name__ == "UnaryOp" and n.op == "&"]
    return set[str]().union(*(_taken(taker.expr) for taker in takers))


def _with_result(then: Any, name: str) -> Any:
    """A statement with the name of a result in the place of that of a call."""
    for node in nodes_of(then):
        if type(node).__name__ == "ID" and node.name == RESULT:
            node.name = name
    return then


class Written(Collected):
    """Reads a version in which some functions are written where they are called."""

    def __init__(self, in_line: Collection[str], *given: Any) -> None:
        super().__init__(*given)
        self.in_line, self.whole = in_line, self.item
        self.taken = frozenset(self.item.addressed)  # the names to whose variables pointers may point

    @property
    def addressed(self) -> Collection[str]:
        """The same, as far as calls are not written in line."""
        return self.taken if self.item is self.whole else self.item.addressed

    def _tree(self) -> Any:
        tree = super()._tree()
        InLine(self.item, self.source, self.in_line, self.kept).write(tree)
        self.taken = frozenset(_addressed_in(tree))
        return tree

    def _object(self, declared: Any) -> Hashable:
        """The same for what a function declares that is written in line, under the name that it has there."""
        plain = copy(declared)
        plain.name = declared.name.partition(" ")[0]
        return super()._object(plain)


class WrittenWithinInt(Written, WithinInt):
    """Reads a new version in this way."""
