"""Finds declarations outside of functions that only one of two trees has and that are not understood.

Functions are read with the types and constants that they use. What no function uses could still keep a file
from being compiled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from codegen.review.diff.changes import Unreadable
from codegen.review.diff.functions.reader import Unread, extent_of, read_constant
from codegen.review.diff.functions.signature import called_as, members
from codegen.review.diff.functions.types import INTEGERS
from codegen.review.diff.reading import SCALARS
from codegen.review.diff.text.integers import MOST_INT, Integer, calculated, constant
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.reserved import is_macro, is_reserved
from codegen.review.diff.text.source import Source
from codegen.review.diff.text.syntax import Refused, parsed, tree_of, type_names

MOST = 200_000
"""Limit on the characters of the new declarations of a tree that are read."""


def misunderstood(source: Source, other: Source) -> Iterator[Unreadable]:
    """What is wrong with the declarations of a tree that the other tree does not have."""
    left = MOST
    for table, others, check in (
        (source.data, other.data, _check_constant),
        (source.types, other.types, _check_type),
        (source.prototypes, other.prototypes, _check_prototype),
    ):
        for name, item in _only(table, others):
            left -= len(item.code)
            said = "more new declarations than are read" if left < 0 else _fault(check, name, item, source)
            if said:
                yield Unreadable(item.path, item.line, f"{name}: {said}")
            if left < 0:
                return


def _fault(check: Callable[[str, Item, Source], None], name: str, item: Item, source: Source) -> str:
    """Why a declaration is refused; empty where it is not."""
    try:
        check(name, item, source)
    except RecursionError:
        return "it is nested too deeply"
    except Refused as refusal:
        return refusal.reason
    except Exception as problem:  # whatever a hostile declaration brings about
        return f"{type(problem).__name__}: {problem}"[:200]
    return ""


_Table = Mapping[str, Sequence[Item]]


def _only(table: _Table, others: _Table) -> Iterator[tuple[str, Item]]:
    """The declarations of one table that the other does not have in the same words, each once."""
    for name, items in table.items():
        known = {tuple(i.tokens) for i in others.get(name, ())}
        for item in items:
            if (words := tuple(item.tokens)) not in known:
                known.add(words)
                yield name, item


def _check_constant(name: str, item: Item, source: Source) -> None:
    """Refuse a constant that the reader does not accept."""
    try:
        read_constant(name, item, source)
    except Unread as problem:
        raise Refused(None, problem.args[0].reason) from None


def _check_type(name: str, item: Item, source: Source) -> None:
    """Refuse a typedef that is none of a plain type, of an enumeration or of a struct of plain members."""
    from pycparser import c_ast

    if macro := next(filter(is_macro, item.tokens), None):
        raise Refused(None, f"{macro} is a macro of the library or of compilers")
    _check_words(item.tokens)
    if words := {*item.tokens[1:]} & {"static", "extern", "register", "inline", "auto", "typedef"}:
        raise Refused(None, f"it is {' '.join(sorted(words))}")
    found = members(item.tokens, source)
    if found is not None:
        _check_members(name, found, source)
        _check_names(tree_of(item, source))
        return
    is_tagged = item.tokens[1] in ("struct", "enum", "union") and item.tokens[2] == name
    if item.tokens.count(name) > 1 + is_tagged:
        raise Refused(None, "its own name stands in it")
    declared = parsed(item, source)
    if not isinstance(declared, c_ast.Typedef):
        raise Refused(declared, "it is no type")
    kind = declared.type.type if isinstance(declared.type, c_ast.TypeDecl) else None
    if isinstance(kind, c_ast.Enum) and kind.values is not None:
        _check_enumerators(kind.values.enumerators, source)
    elif isinstance(kind, c_ast.Struct | c_ast.Union):
        if kind.decls == []:
            raise Refused(declared, "a struct without members, which C does not have")
        _check_names(declared)
        for member in kind.decls or ():
            _check_kind(member.type, item, source)
            if getattr(member, "bitsize", None) is not None:
                _check_bits(member)
    else:
        _check_kind(declared.type, item, source)


def _check_words(tokens: Sequence[str]) -> None:
    """Refuse words that do not stand where C wants them."""
    if any(after == "restrict" and word not in ("*", "const", "[") for word, after in pairwise(tokens)):
        raise Refused(None, "restrict of what is no pointer")


def _check_members(name: str, found: Sequence[tuple[str, str, str]], source: Source) -> None:
    names = Counter(member for _, member, _ in found)
    if max(names.values()) > 1:
        raise Refused(None, "two members of one name")
    for kind, _, _ in found:
        if kind == name or not _is_known((kind,), source):
            raise Refused(None, f"the type {kind} is not declared")


def _check_bits(member: Any) -> None:
    """Refuse bits of another type than int, and more or fewer than it has."""
    bits = constant(member.bitsize)
    if " ".join(sorted(type_names(member.type))) not in ("int", "unsigned", "int unsigned", "int signed"):
        raise Refused(member, "bits of another type than int")
    if bits is None or not 0 < bits.value <= _BITS_OF_INT:
        raise Refused(member, "a number of bits that no int has")


_BITS_OF_INT = 32


def _check_names(declared: Any) -> None:
    """Refuse two members of one name, and one without a name, as a word of C is none: `double const;`."""
    listed = getattr(declared.type.type, "decls", None) or ()
    names = [getattr(member, "name", None) for member in listed]
    if None in names:
        raise Refused(listed[names.index(None)], "a member without a name")
    if len(set(names)) < len(names):
        raise Refused(declared, "two members of one name")


def _check_enumerators(enumerators: Sequence[Any], source: Source) -> None:
    """Refuse values that are not constant, and names that mean something else in the tree."""
    tables = (source.types, source.data, source.functions, source.prototypes)
    known = dict[str, Integer]()
    following: Integer | None = Integer(0, False)
    for one in enumerators:
        value = following if one.value is None else constant(one.value, lambda name: known.get(name.name))
        is_taken = is_reserved(one.name) or any(one.name in table for table in tables)
        is_int = value is not None and value.value <= MOST_INT
        if value is None or not is_int or one.name in known or is_taken:
            raise Refused(one, f"the enumerator {one.name}")
        known[one.name], following = value, calculated("+", value, Integer(1, False))


def _check_prototype(name: str, item: Item, source: Source) -> None:
    """Refuse a prototype of unknown types, and one that another one contradicts.

    The prototypes of functions that the tree defines are compared with their definitions.
    """
    from pycparser import c_ast

    _check_words(item.tokens)
    declared = parsed(item, source)
    kind = declared.type
    if not isinstance(kind, c_ast.FuncDecl):
        raise Refused(declared, "it is no function")
    if declared.storage not in ([], ["static"], ["extern"]):
        raise Refused(declared, f"it is {' '.join(declared.storage)}")
    _check_kind(kind.type, item, source, is_void=True)
    _check_returned(kind.type, source)
    listed = kind.args.params if kind.args else []
    if len(listed) == 1 and isinstance(listed[0], c_ast.Typename) and type_names(listed[0].type) == ["void"]:
        listed = []
    for i, parameter in enumerate(listed):
        if not isinstance(parameter, c_ast.EllipsisParam):
            _check_kind(parameter.type, item, source, is_parameter=True)
        elif i == 0:
            raise Refused(parameter, "... without a parameter before it")
        words = [*(getattr(parameter, "storage", None) or ()), *(getattr(parameter, "funcspec", None) or ())]
        if words not in ([], ["register"]):
            raise Refused(parameter, "the storage of a parameter")
    first = source.prototypes[name][0]
    if name not in source.functions and called_as(parsed(first, source)) != called_as(declared):
        raise Refused(declared, f"{first.path} declares it otherwise")


def _check_returned(kind: Any, source: Source) -> None:
    """Refuse a function that returns an array, also by the name of a type that stands for one."""
    open_, seen = [" ".join(type_names(kind))], set[str]()
    while open_:
        if (name := open_.pop()) not in seen:
            seen.add(name)
            for words in (i.tokens for i in source.types.get(name, ()) if "{" not in i.tokens):
                if "[" in words:
                    raise Refused(kind, f"it returns {name}, which is an array")
                open_ += words


def _check_kind(
    kind: Any, item: Item, source: Source, is_void: bool = False, is_parameter: bool = False
) -> None:
    """Refuse what is no scalar, no known type, and no pointer to or array of these."""
    from pycparser import c_ast

    if isinstance(kind, c_ast.PtrDecl):
        _check_kind(kind.type, item, source, is_void=True)
    elif isinstance(kind, c_ast.ArrayDecl):
        is_open = kind.dim is None and is_parameter
        if not is_open and not (kind.dim is not None and extent_of(kind.dim, item, source)):
            raise Refused(kind, "an array without a constant size")
        _check_kind(kind.type, item, source)
    else:
        words = type_names(kind) if isinstance(kind, c_ast.TypeDecl) else []
        if not (_is_known(words, source) or (is_void and words == ["void"])):
            raise Refused(kind, f"the type {' '.join(words) or 'of a part of it'} is not known")


def _is_known(words: Sequence[str], source: Source) -> bool:
    """Whether words are a scalar type of C, or name a type of the tree."""
    name = " ".join(sorted(words))
    return name in SCALARS or name in INTEGERS or name in source.types or name == "double long"
