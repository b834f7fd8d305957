"""Reads calls of functions of the tree: what they do is put in place of the call."""

from __future__ import annotations

from abc import ABC
from typing import Any

from codegen.review.diff.filescope import FileScope
from codegen.review.diff.memory import Local, Name
from codegen.review.diff.syntax import Refused, parsed, type_names
from codegen.review.diff.terms import Term
from codegen.review.diff.types import scalar_type

_DEEPEST = 8
"""Limit on calls within calls."""


class Calls(FileScope, ABC):
    """The effects and values of calls."""

    def _inlined(self, expr: Any) -> Term:
        """The value of a call in an expression, which may not write what others of its operands read."""
        before, known = dict(self.stored), set(self.objects)
        value = self._invoked(expr)
        if value is None:
            raise Refused(expr, f"a call of {expr.name.name}, which returns nothing")
        if any(held != before.get(key) for key, held in self.stored.items() if key[0] in known):
            raise Refused(expr, f"a call of {expr.name.name}, which writes")
        return value

    def _invoked(self, expr: Any) -> Term | None:
        """Read the body of the function that is called; what it returns."""
        name = expr.name.name
        items = self.source.functions[name]
        if (
            len(items) != 1
            or not self._is_declared(name)
            or len(self.active) > _DEEPEST
            or name in self.active
        ):
            raise Refused(expr, f"a call of {name}")
        try:
            function = parsed(items[0], self.source)
        except Refused as refusal:
            raise Refused(expr, f"a call of {name}: {refusal.reason}") from None
        declared = function.decl
        if (
            function.param_decls
            or declared.storage not in ([], ["static"])
            or set(declared.funcspec) - {"inline"}
        ):
            raise Refused(expr, f"a call of {name}")
        names = self._arguments(expr, declared.type)
        outside = self.names, self.item
        self.names, self.item = names, items[0]
        self.active.append(name)
        try:
            value = self._run(function.body.block_items or [])
            return self._returned(expr, declared.type.type, value)
        except Refused as refusal:
            raise Refused(expr, f"a call of {name}: {refusal.reason}") from None
        finally:
            self.names, self.item = outside
            self.active.pop()

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
        return names

    def _argument(self, declared: Any, expr: Any) -> Name:
        from pycparser import c_ast

        kind = declared.type
        if isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl):
            own = kind.quals if isinstance(kind, c_ast.PtrDecl) else kind.dim_quals
            quals = set(getattr(kind.type, "quals", ()))
            if (quals | set(own)) - {"const"} or declared.storage:
                raise Refused(expr, f"the type of the parameter {declared.name}")
            name = " ".join(type_names(kind.type))
            return self._passed(expr, expr, name, "const" in quals)  # type: ignore[no-any-return]
        wanted = scalar_type(kind, self.source) if isinstance(kind, c_ast.TypeDecl) else None
        if wanted is None or set(declared.quals) - {"const"} or declared.storage:
            raise Refused(expr, f"the type of the parameter {declared.name}")
        is_const = "const" in declared.quals
        local = Local(wanted.held, wanted.unsigned, is_const, None, wanted.is_narrow, wanted.is_size)
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
