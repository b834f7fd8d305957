"""What a file gives to those who include it: types, macros, a guard, and the linkage of C++."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, dropwhile

from codegen.review.diff.functions.signature import is_status, plain_words, type_meaning, with_extents
from codegen.review.diff.text.directives import Macro, Role
from codegen.review.diff.text.expansion import NotExpanded, expanded
from codegen.review.diff.text.integers import integer_of
from codegen.review.diff.text.items import Item, Kind, tags_of
from codegen.review.diff.text.literals import exact_literal
from codegen.review.diff.text.source import Source


@dataclass(frozen=True)
class Surface:
    """A file as those see it who include it.

    `names` are the types, constants and macros that it declares, with their meaning. `tags` are those of its
    types, such as `struct fc_pair`, and `promised` the functions that it declares and no file of the tree
    defines. `guards` are the guards of types that have one of their own: what two trees declare under the
    same guard takes effect once. `linked` are the functions that it declares for C++ with the linkage of C.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    promised: Mapping[str, str] = field(default_factory=dict)
    guards: Mapping[str, str] = field(default_factory=dict)
    guarded: bool = False
    linked: frozenset[str] = frozenset()


def surface(path: str, source: Source) -> Surface:
    """The surface of a file of a tree."""
    items = source.declared_in(path)
    own = items.get(Kind.TYPE, [])
    constants = {name: _constant(i, source) for name, i in items.get(Kind.DATA, ())}
    names = {**dict(_macros(path, source)), **constants}
    names |= {name: type_meaning(i.tokens, source) for name, i in own}
    tags = frozenset(f"{kind} {tag}" for _, i in own for kind, tag, after in tags_of(i) if after == "{")
    declared = items.get(Kind.PROTOTYPE, ())
    promised = {name: _head(i) for name, i in declared if name not in source.functions}
    guards = dict(_guards(path, own, source))
    linked = frozenset(_linked(path, source))
    return Surface(names, tags, promised, guards, path in source.guarded, linked)


def _constant(item: Item, source: Source) -> str:
    """A declaration of a constant with a normal form of its numbers, and of its extent and last comma."""
    words = with_extents(_without_last_commas(plain_words(item.tokens)), source)
    return " ".join(map(_number, _with_counted_extent(words, source)))


def _without_last_commas(words: Sequence[str]) -> list[str]:
    """Words without the commas before the ends of lists of values."""
    after = (*words[1:], "")
    return [word for word, following in zip(words, after, strict=True) if (word, following) != (",", "}")]


def _with_counted_extent(words: Sequence[str], source: Source) -> list[str]:
    """`x[3] = { 1, 2, 3 };` for `x[] = { 1, 2, 3 };` of numbers that are simply counted.

    Other lists stay as they are: of lists, with designators, or with macros, which may stand for several.
    """
    whole, begins = [*words], ["[", "]", "=", "{"]
    at = whole.index("[") if "[" in whole else len(whole)
    if not _OF_NUMBERS.issuperset(whole[: max(at - 1, 0)]):
        return whole
    values = whole[at + len(begins) : -2]
    if whole[at : at + len(begins)] != begins or whole[-2:] != ["}", ";"] or not values:
        return whole
    if not {*"{}[]()"}.isdisjoint(values) or not source.macros.definitions.keys().isdisjoint(values):
        return whole
    return [*whole[: at + 1], str(values.count(",") + 1), *whole[at + 1 :]]


_OF_NUMBERS = frozenset(
    ["static", "extern", "const", "float", "double", "int", "unsigned", "signed", "short", "long"]
)
"""The words before the name of an array each of whose values is one element."""


def _number(word: str) -> str:
    """A floating-point number in one form for all ways of writing it; other words as they are."""
    exact, is_float = exact_literal(word)
    is_known = exact is not None and exact < _HUGE
    return f"{float(exact or 0)}{'F' * is_float}" if is_known else word


_HUGE = 10**300  # beyond, it may be no double


def _head(item: Item) -> str:
    return " ".join(w for w in item.tokens if w != "extern")


def _guards(path: str, types: Sequence[tuple[str, Item]], source: Source) -> Iterator[tuple[str, str]]:
    """The guard directly around each type, unless it is that of the whole file."""
    guards = [m for m in source.macros.guards() if m.path == path]
    is_of_file = len(guards) == 1 and is_named_like_file(guards[0])
    for guard in [] if is_of_file else sorted(guards, key=lambda m: len(m.body), reverse=True):
        inside = " ".join(guard.body)
        yield from ((name, guard.name) for name, item in types if _is_inside(name, item, inside))


def _is_inside(name: str, item: Item, inside: str) -> bool:
    """Whether a guard holds a type, or gives it its name."""
    return " ".join(item.tokens) in inside or f"typedef struct {item.tokens[2]} {name} ;" in inside


def is_named_like_file(guard: Macro) -> bool:
    """Whether a guard has the name of its file."""
    return has_word(guard, re.sub(r"\W", "_", posixpath.basename(guard.path)))


def has_word(guard: Macro, name: str) -> bool:
    """Whether a guard's name contains another one, in capitals."""
    return re.search(rf"(?:^|_){re.escape(name.upper())}(?:_|$)", guard.name) is not None


def _macros(path: str, source: Source) -> Iterator[tuple[str, str]]:
    """The macros that are no guards, with a normal form of what they stand for.

    A file with nothing in its guard looks like one with a default of nothing, and is taken for the former.
    """
    head = source.files[path].head
    defaults = head.defaults if head else set[str]()
    if head and not head.tokens and [m.body for m in head.macros] == [()]:
        return
    for name, definitions in source.macros.definitions.items():
        for macro in definitions:
            if macro.path == path and macro.role is not Role.GUARD:
                yield name, _value(macro, source) + " unless a build defines it" * (name in defaults)


def _value(macro: Macro, source: Source) -> str:
    """What programs get of a macro, with a whole number for all that calculates it.

    With a cast, it cannot stand in the condition of a directive.
    """
    is_list = macro.body[:1] == ("{",) and not macro.has_parameters
    text = " ".join(_without_last_commas(macro.body) if is_list else macro.body) or "nothing"
    if macro.has_parameters:
        return f"a macro with parameters: {text}"
    whole = _without_macros(text, source).split()
    plain = ["unsigned int" if is_status(word, source) else word for word in whole]
    number = integer_of(" ".join(plain)) if _is_closed(plain) else None
    has_cast = any(word[0].isalpha() for word in whole)
    cast = " with a cast, which cannot stand in #if" * has_cast
    return text if number is None else f"{number.value}{'u' * number.unsigned}{'l' * number.is_size}{cast}"


def _without_macros(text: str, source: Source) -> str:
    """The text with what its macros stand for; as it is where a build may define them otherwise."""
    macros = source.macros
    try:
        whole = text if macros.definitions.keys().isdisjoint(text.split()) else expanded(text, macros)
    except NotExpanded:
        return text
    named = {*text.split()} & macros.definitions.keys() if whole != text else set[str]()
    return whole if source.changing.isdisjoint(named | macros.below(named)) else text


def _is_closed(body: Sequence[str]) -> bool:
    """Whether a macro is one operand wherever it stands: `1u << 3` is not, which is cut up by `~`."""
    inner = list(dropwhile(_SIGNS.__contains__, body))
    if len(inner) < 2:
        return bool(inner)
    depths = list(accumulate((word == "(") - (word == ")") for word in inner))
    return depths[-1] == 0 and all(depths[:-1])


_SIGNS = frozenset("+-~!")


def _linked(path: str, source: Source) -> Iterator[str]:
    """The functions declared between the braces of `extern "C"`."""
    lines = source.c_linkage.get(path, ())
    for kind in (Kind.PROTOTYPE, Kind.FUNCTION) if lines else ():
        own = source.declared_in(path).get(kind, [])
        outside = {name for name, i in own if not any(i.line in part for part in lines)}
        yield from (name for name, _ in own if name not in outside)
