"""Reads local structs, arrays and pointers, and what is copied into structs."""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Iterator, Mapping
from typing import Any

from codegen.review.diff.functions.expressions import Expressions
from codegen.review.diff.functions.memory import Block, Local, Object, Pointer, Shape, shapes_of
from codegen.review.diff.functions.places import Place
from codegen.review.diff.functions.signature import layout, meant, members
from codegen.review.diff.functions.terms import Term
from codegen.review.diff.reading import INFINITE, SCALARS, Held, rounded
from codegen.review.diff.text.integers import Integer, whole
from codegen.review.diff.text.syntax import Refused, type_names

_LARGEST = 4096
"""Limit on the elements of a local array."""


class Records(Expressions, ABC):
    """The local objects of a function, and stores of whole structs."""

    def _declare_object(self, declared: Any) -> None:
        """A local struct, array or pointer."""
        from pycparser import c_ast

        kind = declared.type
        if isinstance(kind, c_ast.PtrDecl):
            self._declare_pointer(declared)
            return
        element = kind
        while isinstance(element, c_ast.ArrayDecl):
            element = element.type
        name = " ".join(type_names(element))
        quals = set(getattr(element, "quals", ())) | set(declared.quals)
        if not isinstance(element, c_ast.TypeDecl) or quals - {"const"} or declared.storage == ["register"]:
            raise Refused(declared, f"the declaration of {declared.name}")
        if isinstance(element.type, c_ast.Struct):
            name, held, order = self._own_struct(declared, element.type)
        elif name in SCALARS or name in self.source.types:
            held, order = layout(declared, name, self.source)
        else:
            raise Refused(declared, f"the declaration of {declared.name}")
        if isinstance(kind, c_ast.ArrayDecl):
            order = self._elements(declared, order)
        key = f"{declared.name}#{len(self.objects)}"
        self.objects[key] = Object(held, shapes_of(order), type=name)
        self.names[declared.name] = Block(key, "const" in quals)
        if declared.init is not None:
            self._put(declared, Place(key, "", False), self._initial(declared.init, held, order, name))

    def _own_struct(self, declared: Any, struct: Any) -> tuple[str, Held, list[str]]:
        """The name, the C type and the places of the scalars of a struct without a name: `struct {...} x;`.

        Its members are scalars and arrays of these. Structs are of one type where they are declared at once.
        """
        from pycparser import c_ast

        kinds, order = set[str](), list[str]()
        for member in struct.decls or () if struct.name is None else ():
            kind = member.type
            extents = [""]
            if isinstance(kind, c_ast.ArrayDecl) and kind.dim is not None and not kind.dim_quals:
                extents = [f"[{i}]" for i in range(min(whole(kind.dim) or 0, _LARGEST))]
                kind = kind.type
            name = meant(" ".join(type_names(kind)), self.source)
            is_plain = isinstance(kind, c_ast.TypeDecl) and not (member.quals or member.bitsize or kind.align)
            if not is_plain or not extents or name not in SCALARS:
                raise Refused(declared, f"the declaration of {declared.name}")
            kinds.add(name)
            order += [f".{member.name}{extent}" for extent in extents]
        if len(kinds) != 1 or len(order) > _LARGEST or len(set(order)) < len(order):
            raise Refused(declared, f"the declaration of {declared.name}")
        return f"struct#{id(struct)}", SCALARS[kinds.pop()], order

    def _elements(self, declared: Any, element: list[str]) -> list[str]:
        """The places of the scalars in a local array of scalars, the last index fastest."""
        from pycparser import c_ast

        places, kind, init = [""], declared.type, declared.init
        while isinstance(kind, c_ast.ArrayDecl):
            size = None if kind.dim is None else whole(kind.dim, self._constant_of)
            if kind.dim is None and isinstance(init, c_ast.InitList) and not places[0]:
                lists = [isinstance(part, c_ast.InitList) for part in init.exprs]
                size = len(lists) if set(lists) == {isinstance(kind.type, c_ast.ArrayDecl)} else None
            if size is None or not 0 < size * len(places) <= _LARGEST or element != [""]:
                raise Refused(declared, f"the declaration of {declared.name}")
            places = [f"{place}[{i}]" for place in places for i in range(size)]
            kind = kind.type
        return places

    def _constant_of(self, expr: Any) -> Integer | None:
        """The number of an enumerator or of sizeof: a const variable is no constant in C."""
        name = self._named(expr)
        return self._integer(expr) if name is None or (isinstance(name, Local) and name.is_fixed) else None

    def _declare_in_memory(self, declared: Any, held: Held, init: Any) -> None:
        """A real variable to which pointers may point."""
        key = f"{declared.name}#{len(self.objects)}"
        self.objects[key] = Object(held, {"": Shape.SCALAR})
        self.names[declared.name] = Block(key, "const" in declared.quals)
        if init is not None:
            self._put(declared, Place(key, "", False), {"": self._expression(init)})

    def _declare_pointer(self, declared: Any) -> None:
        """A pointer, which must have a value from the start."""
        target = declared.type.type
        name = " ".join(type_names(target))
        quals, own = set(getattr(target, "quals", ())), set(declared.type.quals)
        if declared.init is None or declared.storage or (quals | own) - {"const"}:
            raise Refused(declared, f"the declaration of {declared.name}")
        if _mentions(declared.init, declared.name):  # the new pointer, which has no value yet
            raise Refused(declared, f"{declared.name} is used before it has a value")
        pointer = self._passed(declared, declared.init, name, "const" in quals)
        self.names[declared.name] = pointer._replace(is_fixed="const" in own)

    def _passed(self, where: Any, expr: Any, kind: str, is_const: bool) -> Pointer:
        """The value of a pointer to objects of a type."""
        pointer = self._pointer(expr)
        held, order = layout(where, kind, self.source)
        target = self._target_or_last(where, pointer)
        places = [place.removeprefix(target.path) for place in self._inside(target)]
        if places != order or held is not self.objects[target.object].held:
            raise Refused(where, f"a pointer to {kind} that points to another type")
        if pointer.is_const and not is_const:
            raise Refused(where, "a pointer to a constant that is none")
        return pointer._replace(is_const=is_const, is_fixed=False)

    # Stores

    def _store(self, where: Any, target: Any, source: Any) -> None:
        """An assignment to memory, of a scalar or of a struct."""
        place = self._place(target)
        if place.is_const:
            raise Refused(where, f"{place.object} is an input")
        parts = self._parts(place)
        if parts:
            held = self.objects[place.object].held
            self._put(where, place, self._record(source, parts, held, self._kind(place)))
        else:
            place = self._scalar(target)
            self._put(where, place, {"": self._expression(source)})

    def _put(self, where: Any, place: Place, values: Mapping[str, Term]) -> None:
        held = self.objects[place.object].held
        self._touch(place.object)
        for below, value in values.items():
            if self._is_index(value) and held is Held.INT:
                raise Refused(where, "an index that is a result")
            self.stored[place.object, place.path + below] = self._as(where, value, held)

    def _record(self, expr: Any, parts: frozenset[str], wanted: Held, kind: str) -> dict[str, Term]:
        """The scalars of a struct of a type, by what follows its name; they have the wanted type."""
        from pycparser import c_ast

        if isinstance(expr, c_ast.CompoundLiteral):
            if set(expr.type.quals) - {"const"}:
                raise Refused(expr, "the type of a compound literal")
            name = " ".join(type_names(expr.type.type))
            held, order = layout(expr, name, self.source)
            found = self._initial(expr.init, held, order, name)
        else:
            place = self._place(expr)
            name = self._kind(place)
            held = self.objects[place.object].held
            found = {p: self._loaded(place.object, place.path + p, expr) for p in sorted(self._parts(place))}
        if found.keys() != parts or held is not wanted or name != kind:
            raise Refused(expr, "a struct of another type")
        return found

    def _kind(self, place: Place) -> str:
        """The name of the type of a struct."""
        kind = self.objects[place.object].type
        for step in place.path.split(".")[1:]:
            if kind not in self.source.types:
                raise Refused(None, "a member of a struct without a name")
            declared = members(self.source.types[kind][0].tokens, self.source) or ()
            kind = next(of for of, member, _ in declared if member == step)
        return kind

    def _initial(self, init: Any, held: Held, order: list[str], kind: str = "") -> dict[str, Term]:
        """The scalars of an object with this initialiser; those that it does not name are zero."""
        from pycparser import c_ast

        if not isinstance(init, c_ast.InitList):
            return self._record(init, frozenset(order), held, kind)
        if not init.exprs:
            raise Refused(init, "braces with nothing between them, which C99 does not have")
        zero = self._expression(c_ast.Constant("int", "0"))
        found = {place: self._as(init, zero, held) for place in order}
        for at, part in _targets(init, order):
            expr = part.expr if isinstance(part, c_ast.NamedInitializer) else part
            if isinstance(expr, c_ast.InitList):
                below = [place.removeprefix(at) for place in order if _is_within(place, at)]
                found |= {at + place: term for place, term in self._initial(expr, held, below).items()}
            else:
                term = self._expression(expr)
                self._refuse_narrowing(init, term, held)
                found[at] = self._as(init, term, held)
        return found

    def _refuse_narrowing(self, where: Any, term: Term, held: Held) -> None:
        """Refuse a number in braces that C++ does not convert: only constants of real types are."""
        number = self.graph.number(term)
        is_held = number is not None and held is not Held.INT and abs(rounded(number, held)) != INFINITE
        if term.held is not held and self.item.path.endswith(".h") and not is_held:
            raise Refused(where, "a value in braces that becomes another type, which C++ does not allow")


def _targets(init: Any, order: list[str]) -> Iterator[tuple[str, Any]]:
    """The parts of an initialiser, each with the place that it initialises.

    A list in braces stands for a member, or for an element; where there is none, all scalars follow each
    other. Refused where names, lists and numbers are mixed.
    """
    from pycparser import c_ast

    marked = (c_ast.InitList, c_ast.NamedInitializer)
    kinds = {type(part) if isinstance(part, marked) else None for part in init.exprs}
    members = list(dict.fromkeys(_STEP.match(place)[0] for place in order))  # type: ignore[index]
    places = members if kinds == {c_ast.InitList} else order
    for i, part in enumerate(init.exprs):
        is_named = isinstance(part, c_ast.NamedInitializer)
        at = _named(part) if is_named else places[i] if i < len(places) else None
        is_list = isinstance(part.expr if is_named else part, c_ast.InitList)
        if len(kinds) > 1 or at is None or at not in (members if is_list else order):
            raise Refused(init, "an initialiser that is no plain list")
        yield at, part


_STEP = re.compile(r"(?:\.\w+|\[\d+\])?", re.ASCII)
"""The first step into an object."""


def _mentions(tree: Any, name: str) -> bool:
    """Whether an expression names an object; a member may have its name."""
    from pycparser import c_ast

    if isinstance(tree, c_ast.StructRef):
        return _mentions(tree.name, name)
    is_it = isinstance(tree, c_ast.ID) and tree.name == name
    return is_it or any(_mentions(part, name) for _, part in tree.children())


def _is_within(place: str, outer: str) -> bool:
    """Whether a place is, or is part of, another one."""
    return place == outer or place.startswith((f"{outer}.", f"{outer}["))


def _named(part: Any) -> str:
    """The place that an initialiser names: `.x = 1` or `[2] = 1`."""
    steps = [
        f".{step.name}" if type(step).__name__ == "ID" else f"[{whole(getattr(step, 'expr', step))}]"
        for step in part.name
    ]
    return "".join(steps)
