"""Reads calls of functions of the tree: what they do is put in place of the call."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import Any

from codegen.ir.operations import Op
from codegen.review.diff.functions.definitions import definition
from codegen.review.diff.functions.memory import Block, Local, Name, Object, Pointer, shapes_of
from codegen.review.diff.functions.pairs import PAIRED, is_pair
from codegen.review.diff.functions.places import Place
from codegen.review.diff.functions.signature import check_declarations, layout
from codegen.review.diff.functions.terms import Term
from codegen.review.diff.functions.types import scalar_type
from codegen.review.diff.functions.ways import Ways
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.syntax import Refused, kind_of, type_names

_DEEPEST = 8
"""Limit on calls within calls."""


class Calls(Ways, ABC):
    """The effects and values of calls."""

    def _inlined(self, expr: Any) -> Term:
        """The value of a call in an expression, which may not write what others of its operands read."""
        before, known = dict(self.stored), set(self.objects)
        value = self._invoked(expr)
        if value is None:
            raise Refused(expr, f"a call of {expr.name.name}, which returns nothing")
        self._refuse_writes(expr, before, known)
        return value

    def _refuse_writes(self, expr: Any, before: Mapping[tuple[str, str], Term], known: set[str]) -> None:
        """Refuse a call within an expression that has written to objects of before."""
        if any(held != before.get(key) for key, held in self.stored.items() if key[0] in known):
            raise Refused(expr, f"a call of {expr.name.name}, which writes")

    def _place(self, expr: Any) -> Place:
        """The place that an expression names, also that of a struct which a function returns."""
        if type(expr).__name__ != "FuncCall":
            return super()._place(expr)
        name = getattr(expr.name, "name", "")
        if name in self.names or name not in self.source.functions:
            raise Refused(expr, kind_of(expr))
        before, known = dict(self.stored), set(self.objects)
        found = self._read_call(expr)
        if not isinstance(found, Place):
            raise Refused(expr, f"a call of {name}, which returns no struct")
        self._refuse_writes(expr, before, known)
        return found

    def _invoked(self, expr: Any) -> Term | None:
        """Read the body of the function that is called; the number that it returns."""
        found = self._read_call(expr)
        return None if isinstance(found, Place) else found

    def _read_call(self, expr: Any) -> Term | Place | None:
        """Read the body of the function that is called; what it returns, a struct by its place."""
        name = expr.name.name
        items = self.source.called(name, self.item.path)
        if (
            len(items) != 1
            or not self._is_declared(name)
            or len(self.active) > _DEEPEST
            or name in self.active
        ):
            raise Refused(expr, f"a call of {name}")
        if is_pair(items[0], self.source.macros.definitions.keys()):
            return self._sine_and_cosine(expr, items[0])
        if items[0].others:
            raise Refused(expr, f"a call of {name}, whose statements depend on a macro")
        try:
            function = definition(items[0], self.source)
        except Refused as refusal:
            raise Refused(expr, f"a call of {name}: {refusal.reason}") from None
        declared = function.decl
        if (
            function.param_decls
            or declared.storage not in ([], ["static"])
            or set(declared.funcspec) - ({"inline"} if declared.storage else set())
        ):
            raise Refused(expr, f"a call of {name}")
        check_declarations(expr, declared, items[0], self.item.path, self.source)
        names = self._arguments(expr, declared.type)
        outside = self.names, self.item, self.result
        self.names, self.item, self.result = names, items[0], self._room(expr, declared.type.type)
        self.active.append(name)
        try:
            value = self._run(function.body.block_items or [])
            return self.result or self._returned(expr, declared.type.type, value)
        except Refused as refusal:
            raise Refused(expr, f"a call of {name}: {refusal.reason}") from None
        finally:
            self.names, self.item, self.result = outside
            self.active.pop()

    def _sine_and_cosine(self, expr: Any, item: Item) -> Place:
        """The struct that the generated function for a sine and a cosine returns."""
        given = list(expr.args.exprs) if expr.args else []
        kind = item.tokens[item.tokens.index("(") - 2]
        held, order = layout(expr, kind, self.source)
        if len(given) != 1 or [*order] != [".sin", ".cos"]:
            raise Refused(expr, f"a call of {expr.name.name}, whose type {kind} is not the generated one")
        x = self._expression(given[0])
        if x.held is not held:
            raise Refused(expr, f"a call of {expr.name.name} with another type")
        values = {f".{op.label}": self.graph.add(held, op, x.node, value=PAIRED) for op in (Op.SIN, Op.COS)}
        return self._struct(expr, "result", kind, values)

    def _room(self, where: Any, kind: Any) -> Place | None:
        """The place of the struct that a function of this type returns; None for other types."""
        name = " ".join(type_names(kind))
        if name == "void" or scalar_type(kind, self.source) is not None:
            return None
        return self._struct(where, "result", name, {})

    def _struct(self, where: Any, name: str, kind: str, values: Mapping[str, Term]) -> Place:
        """A new struct of a type, with these values of its scalars."""
        held, order = layout(where, kind, self.source)
        if order == [""]:
            raise Refused(where, f"the type {kind}")
        place = Place(f"{name}#{len(self.objects)}", "", False)
        self.objects[place.object] = Object(held, shapes_of(order), type=kind)
        self._put(where, place, values)
        return place

    def _is_declared(self, name: str) -> bool:
        """Whether a function is declared in this file or one that it includes."""
        seen = self.source.reached(self.item.path)
        return any(item.path in seen for item in self.source.written(name))

    def _arguments(self, expr: Any, kind: Any) -> dict[str, Name]:
        """The names of the parameters, with the values that are passed."""
        from pycparser import c_ast

        listed = kind.args.params if kind.args else []
        if len(listed) == 1 and isinstance(listed[0], c_ast.Typename):
            listed = []
        given = list(expr.args.exprs) if expr.args else []
        if len(given) != len(listed) or any(not isinstance(p, c_ast.Decl) for p in listed):
            raise Refused(expr, f"a call of {expr.name.name}")
        names = {p.name: self._argument(p, value) for p, value in zip(listed, given, strict=True)}
        if len(names) < len(listed):
            raise Refused(expr, "two parameters have the same name")
        self._check_restricted(expr, listed, names)
        return names

    def _check_restricted(self, expr: Any, listed: Sequence[Any], names: Mapping[str, Name]) -> None:
        """Refuse restrict where the pointers might be to one object: C leaves open what is done then."""
        pointed = [(p, name) for p in listed if isinstance(name := names[p.name], Pointer)]
        every = [name.object for _, name in pointed]
        for parameter, pointer in pointed:
            outer = self.objects[pointer.object].parameter
            is_apart = outer is None or "restrict" in outer.declared
            if "restrict" in _quals(parameter.type) and not (is_apart and every.count(pointer.object) == 1):
                raise Refused(expr, f"the restrict of the parameter {parameter.name}")

    def _argument(self, declared: Any, expr: Any) -> Name:
        from pycparser import c_ast

        kind = declared.type
        if isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl):
            own = _quals(kind)
            quals = set(getattr(kind.type, "quals", ()))
            if quals - {"const"} or own - {"const", "restrict"} or declared.storage:
                raise Refused(expr, f"the type of the parameter {declared.name}")
            name = " ".join(type_names(kind.type))
            return self._passed(expr, expr, name, "const" in quals)._replace(is_fixed="const" in own)
        if not isinstance(kind, c_ast.TypeDecl) or set(declared.quals) - {"const"} or declared.storage:
            raise Refused(expr, f"the type of the parameter {declared.name}")
        wanted, is_const = scalar_type(kind, self.source), "const" in declared.quals
        if wanted is None:
            name = " ".join(type_names(kind))
            held, order = layout(expr, name, self.source)
            values = self._record(expr, frozenset(order), held, name)
            return Block(self._struct(expr, declared.name, name, values).object, is_const)
        local = Local(wanted.held, wanted.unsigned, is_const, None, wanted.most, wanted.is_size)
        return self._with_value(expr, local, self._value(expr, wanted))

    def _returned(self, expr: Any, kind: Any, value: Term | None) -> Term | None:
        """The value of the call in the type that the function returns."""
        if type_names(kind) == ["void"]:
            if value is not None:
                raise Refused(expr, "a function that returns nothing returns a value")
            return None
        wanted = scalar_type(kind, self.source)
        if wanted is None or value is None:
            raise Refused(expr, "a call whose result is not read")
        return self._in_type(expr, value, wanted)


def _quals(kind: Any) -> set[str]:
    """The qualifiers of a parameter that is a pointer, itself; of others, none."""
    name = {"PtrDecl": "quals", "ArrayDecl": "dim_quals"}.get(type(kind).__name__, "")
    return set(getattr(kind, name, ()))
