"""The interface of a C function: how its arguments are passed, and how their scalars are accessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from codegen.review.diff.reading import SCALARS, Held, Linkage, ReadParameter, Signature
from codegen.review.diff.text.integers import integer_of, whole
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.source import Source
from codegen.review.diff.text.syntax import Refused, parsed, type_names

_MEMBERS = re.compile(r"(\w+) (\w+(?: \[ [1-9]\d{0,3} \])?(?: , \w+(?: \[ [1-9]\d{0,3} \])?)*) ;")
_MEMBER = re.compile(r"(\w+)(?: \[ ([1-9]\d{0,3}) \])?")
_STRUCT = re.compile(rf"typedef struct (?:\w+ )?\{{ ((?:{_MEMBERS.pattern} )+)\}} (?P<name>\w+) ;")


def signature_of(declared: Any, path: str, source: Source) -> Signature:
    """The signature that pycparser's declaration in a file declares."""
    from pycparser import c_ast

    kind = declared.type
    if not isinstance(kind, c_ast.FuncDecl) or not isinstance(kind.type, c_ast.TypeDecl):
        raise Refused(declared, "its type is not that of a plain function")
    if set(declared.funcspec) - {"inline"}:
        raise Refused(declared, f"it is {' '.join(declared.funcspec)}")
    if declared.storage not in ([], ["static"], ["extern"]):
        raise Refused(declared, f"it is {' '.join(declared.storage)}")
    returns = " ".join([*kind.type.quals, *type_names(kind.type)])
    if returns not in ("void", "int") and not is_status(returns, source):
        raise Refused(declared, f"it returns {returns}")
    listed = kind.args.params if kind.args else []
    if len(listed) == 1 and isinstance(listed[0], c_ast.Typename) and type_names(listed[0].type) == ["void"]:
        listed = []
    stated = _stated_extents(declared.name, len(listed), source)
    parameters = (_parameter(p, source, stated.get(k)) for k, p in enumerate(listed))
    return Signature(returns, tuple(parameters), _linkage(declared, path))


def _stated_extents(name: str, count: int, source: Source) -> dict[int, int]:
    """The sizes that prototypes state of arrays among the parameters of a function, by place.

    A definition may name a pointer there, which is the same to C; it has so many elements, too.
    """
    found = dict[int, set[int]]()
    for item in source.prototypes.get(name, ()):
        kind = parsed(item, source).type if "[" in item.tokens else None
        listed = kind.args.params if kind is not None and kind.args else []
        for k, p in enumerate(listed if len(listed) == count else []):
            number = whole(p.type.dim) if getattr(p.type, "dim", None) is not None else None
            if number is not None and 0 < number <= _MOST_ELEMENTS:
                found.setdefault(k, set()).add(number)
    return {k: numbers.pop() for k, numbers in found.items() if len(numbers) == 1}


_MOST_ELEMENTS = 4096


def _linkage(declared: Any, path: str) -> Linkage:
    if "static" in declared.storage:
        return Linkage.STATIC if path.endswith(".c") else Linkage.IN_HEADER
    inline = "inline" in declared.funcspec and "extern" not in declared.storage
    return Linkage.INLINE if inline else Linkage.EXTERNAL


def is_status(name: str, source: Source) -> bool:
    """Whether a name is the status type of the tree."""
    declared = [named_words(i.tokens, source) for i in source.types.get(name, ())]
    return name.endswith("status") and declared in [
        [["typedef", *kind, name, ";"]] for kind in (["unsigned", "int"], ["uint32_t"])
    ]


def plain_words(tokens: Sequence[str]) -> list[str]:
    """The tokens of a declared type, with `unsigned int` in place of `unsigned` and of `int unsigned`."""
    words = list(tokens)
    if words[:2] == ["typedef", "unsigned"] and len(words) == 4:
        words.insert(2, "int")
    elif words[:3] == ["typedef", "int", "unsigned"] and len(words) == 5:
        words[1:3] = ["unsigned", "int"]
    return words


def named_words(tokens: Sequence[str], source: Source, depth: int = 0) -> list[str]:
    """The tokens of a declared type; where it only names another one that does, with what that names."""
    words = plain_words(tokens)
    below = source.types.get(words[1], []) if len(words) == 4 and depth < _DEEPEST else []
    if len(below) != 1 or not all(map(str.isidentifier, below[0].tokens[:-1])):
        return words
    return [*named_words(below[0].tokens, source, depth + 1)[:-2], *words[2:]]


_DEEPEST = 8
"""Limit on types that name types."""


def meant(name: str, source: Source) -> str:
    """The type for which another name is declared: `typedef float real;`."""
    declared = [" ".join(named_words(i.tokens, source)) for i in source.types.get(name, ())]
    meant = {kind for kind in SCALARS if declared == [f"typedef {kind} {name} ;"]}
    return meant.pop() if meant else name


def _parameter(declared: Any, source: Source, stated: int | None = None) -> ReadParameter:
    """A parameter; a pointer to scalars is an array of the size that is `stated` elsewhere, if any is."""
    from pycparser import c_ast

    is_named = isinstance(declared, c_ast.Decl)
    if not is_named and not isinstance(declared, c_ast.Typename):
        raise Refused(declared, "a parameter that is no plain one")
    if declared.align or (is_named and (declared.storage not in ([], ["register"]) or declared.funcspec)):
        raise Refused(declared, f"the declaration of the parameter {declared.name}")
    kind, extent, outer, own = declared.type, None, "", getattr(declared.type, "quals", [])
    is_unsized = isinstance(kind, c_ast.ArrayDecl) and kind.dim is None and not kind.dim_quals
    if isinstance(kind, c_ast.PtrDecl) or is_unsized:
        quals = [q for q in own if q != "const"]  # of the parameter itself, which callers do not see
        extent = stated if " ".join(type_names(kind.type)) in SCALARS else None
        outer = f" [{' '.join([*quals, str(extent)])}]" if extent else " *" + " ".join(quals)
        kind = kind.type
    elif isinstance(kind, c_ast.ArrayDecl):
        extent = _extent(kind)
        outer, kind = f" [{' '.join([*kind.dim_quals, str(extent)])}]", kind.type
    if not isinstance(kind, c_ast.TypeDecl):
        raise Refused(declared, f"the type of the parameter {declared.name}")
    name, quals = " ".join(type_names(kind)), list(kind.quals)
    if set(quals) - {"const"} or not name:
        raise Refused(declared, f"the type of the parameter {declared.name}")
    text = " ".join([*quals, name]) + outer
    if not outer:
        return ReadParameter(declared.name, name, _scalar(declared, name), None, False, bool(quals))
    held, places = layout(declared, name, source)
    if extent is not None:
        if places != [""]:
            raise Refused(declared, f"an array of {name}")
        places = [f"[{i}]" for i in range(extent)]
    return ReadParameter(declared.name, text, held, tuple(places), "const" not in quals, "const" in own)


def _extent(kind: Any) -> int:
    number = whole(kind.dim) if kind.dim is not None and kind.dim_quals in ([], ["restrict"]) else None
    if number is None or not 0 < number <= _MOST_ELEMENTS:
        raise Refused(kind, "an array without a constant size")
    return number


def _scalar(where: Any, name: str) -> Held:
    if name not in SCALARS or name == "int":
        raise Refused(where, f"a parameter of the type {name}")
    return SCALARS[name]


def members(tokens: Sequence[str], source: Source) -> list[tuple[str, str, str]] | None:
    """Type, name and extent of each member of a struct that a typedef declares; None for other types.

    A tag, and several members in one declaration, mean nothing, nor does how an extent is calculated.
    """
    found = _STRUCT.fullmatch(" ".join(with_extents(tokens, source)))
    if found is None or found["name"] != tokens[-2]:
        return None
    return [
        (kind, member, extent)
        for kind, listed in _MEMBERS.findall(found[1])
        for member, extent in _MEMBER.findall(listed)
    ]


def with_extents(tokens: Sequence[str], source: Source) -> list[str]:
    """The tokens with the number of elements in place of a calculation of constants: [9] for [3 * 3].

    Macros for which a build may define another number stay as they are.
    """
    if "[" not in tokens:
        return list(tokens)
    fixed = {
        n: given
        for n, given in source.macros.expansions.items()
        if n in tokens and source.changing.isdisjoint((n, *source.macros.below([n])))
    }
    words, at = list[str](), 0
    while at < len(tokens):
        end = tokens.index("]", at) if tokens[at] == "[" and "]" in tokens[at:] else at
        inside = [word for token in tokens[at + 1 : end] for word in fixed.get(token, (token,))]
        number = integer_of(" ".join(inside)) if inside else None
        words += tokens[at : end + 1] if number is None else ["[", str(number.value), "]"]
        at = end + 1
    return words


def type_meaning(tokens: Sequence[str], source: Source) -> str:
    """What a declared type is, in one form for all ways of writing it."""
    found = members(tokens, source)
    if found is None:
        return " ".join(named_words(tokens, source))
    return " ".join(
        f"{meant(kind, source)} {name}{f'[{extent}]' * bool(extent)};" for kind, name, extent in found
    )


def layout(where: Any, name: str, source: Source, depth: int = 0) -> tuple[Held, list[str]]:
    """The C type of a type's scalars, and the C that accesses each of them."""
    name = meant(name, source)
    if name in SCALARS:
        return SCALARS[name], [""]
    items = source.types.get(name, [])
    found = members(items[0].tokens, source) if len(items) == 1 else None
    if found is None or depth > _DEEPEST:
        raise Refused(where, f"the type {name}")
    kinds, places = set[Held](), list[str]()
    for kind, member, extent in found:
        held, below = layout(where, kind, source, depth + 1)
        if extent and below != [""]:
            raise Refused(where, f"the type {name}")
        kinds.add(held)
        steps = [f"[{i}]" for i in range(int(extent))] if extent else below
        places += [f".{member}{step}" for step in steps]
    if len(kinds) != 1 or len(places) > 4096 or len(set(places)) < len(places):
        raise Refused(where, f"the type {name}")
    return kinds.pop(), places


def check_declarations(where: Any, declared: Any, definition: Item, path: str, source: Source) -> None:
    """Refuse a call, from a file, of a function that is declared otherwise than it is defined."""
    seen = {*source.reached(path), *source.reached(definition.path)}
    for item in source.prototypes.get(declared.name, ()):
        if item.path in seen and called_as(parsed(item, source)) != called_as(declared):
            said = f"a call of {declared.name}, which is declared otherwise than it is defined"
            raise Refused(where, said)


def called_as(declared: Any) -> tuple[object, ...]:
    """The type that a declaration of a function returns, then those of its parameters."""
    kind = declared.type
    listed = kind.args.params if kind.args else []
    return tuple(_as_type(each) for each in (kind, *listed))


def _as_type(kind: Any) -> tuple[object, ...]:
    """A type as callers see it: an array parameter is a pointer, and const on a value means nothing."""
    from pycparser import c_ast

    if isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl):
        target = kind.type
        return "*", "const" in getattr(target, "quals", ()), *_as_type(target)
    below = getattr(kind, "type", None)
    return _as_type(below) if isinstance(below, c_ast.Node) else tuple(getattr(kind, "names", ()))
