"""misuse: says what to write where a call that declares something does not fit the parameters."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from difflib import get_close_matches
from functools import cache, wraps
from numbers import Integral
from pathlib import Path
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from codegen.errors import CallError, FeatherError

_Made = TypeVar("_Made", bound=Callable[..., Any])

_SHOWN = 60
"""Limit on the characters of a wrong value in a message."""

_UNIONS = (Union, types.UnionType)

_LISTS = (Sequence, Collection, Iterable, list, tuple)

_WORDS: Mapping[Any, str] = {
    str: "a string",
    int: "a whole number",
    bool: "True or False",
    Path: "a path",
    Callable: "a function",
    Mapping: "a dict",
    **dict.fromkeys(_LISTS, "a list"),
}

_PLURALS: Mapping[Any, str] = {str: "strings", int: "whole numbers", Any: "values"}


def explained(made: _Made) -> _Made:
    """The function or class; where Python refuses a call for a wrong argument, `misuse` says what to write.

    So it does where a call has made a decorator. Other mistakes are passed on.
    """
    is_class, function = isinstance(made, type), _function(made)

    @wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        given = args[1:] if is_class else args
        with _explaining(made, given, named):
            result = function(*args, **named)
        return _decorator(result, made, given, named) if inspect.isfunction(result) else result

    if is_class:
        cast(Any, made).__init__ = call
    return made if is_class else cast(_Made, call)


def _decorator(
    function: Callable[..., Any], made: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any]
) -> Callable[..., Any]:
    """The function that a call has made, which needs the arguments of that call."""

    @wraps(function)
    def call(formula: Callable[..., Any]) -> Any:
        with _explaining(made, args, named):
            return function(formula)

    return call


@contextmanager
def _explaining(made: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any]) -> Iterator[None]:
    """CallError where what Python refuses inside is due to a wrong argument of a call."""
    try:
        yield
    except FeatherError:
        raise
    except (TypeError, AttributeError, ValueError):
        wrong = misuse(made, args, named)
        if wrong is None:
            raise
        raise CallError(wrong) from None


def misuse(made: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any]) -> str | None:
    """What is wrong with the arguments of a call, and what to write; None where nothing is.

    An argument is missing, unknown, or of another type than is annotated.
    """
    call = _Call(made, args, named)
    wrong = next(call.mistakes(), None)
    return f"{call.title} {wrong}" if wrong else None


@dataclass(frozen=True)
class _Call:
    """A call of what is made by a function or class, with its arguments."""

    made: Callable[..., Any]
    args: Sequence[Any]
    named: Mapping[str, Any]

    @property
    def title(self) -> str:
        """The call, with the name that it gives: `Arg("q")`."""
        name = dict(self._arguments()).get("name")
        return f'{self.made.__name__}("{name}")' if isinstance(name, str) else f"{self.made.__name__}()"

    def mistakes(self) -> Iterator[str]:
        """What is wrong, the plainest first."""
        yield from self._unknown()
        known, places = _parameters(self.made), _places(self.made)
        if len(self.args) > len(places):
            yield f"takes {len(places)} values without their names, not {len(self.args)}; write {self._form}"
        given = places[: len(self.args)]
        twice = [name for name in self.named if name in given]
        if twice:
            yield f"has two values for {twice[0]}; write {self._form}"
        missing = [n for n in known if _is_needed(known[n]) and n not in given and n not in self.named]
        if missing:
            yield f"lacks {', '.join(missing)}; write {self._form}"
        hints = _hints(self.made)
        for name, value in self._arguments():
            if not _fits(value, hints.get(name, Any)):
                yield f"has {name} = {_shown(value)}, but that must be {_in_words(hints[name])}"

    def _arguments(self) -> Iterator[tuple[str, Any]]:
        """The values with the names of their parameters."""
        yield from zip(_places(self.made), self.args, strict=False)
        yield from self.named.items()

    def _unknown(self) -> Iterator[str]:
        known = _parameters(self.made)
        all_names = ", ".join(known)
        for name in self.named:
            if name not in known:
                near = get_close_matches(name, known, n=1)
                yield f"has no {name}; {f'did you mean {near[0]}?' if near else f'it takes {all_names}'}"

    @property
    def _form(self) -> str:
        """How to write it, with what it needs: `Arg(name, type, unit, doc)`."""
        needed = [p for p in _parameters(self.made).values() if _is_needed(p)]
        parts = [f"{p.name}=..." if p.kind is p.KEYWORD_ONLY else p.name for p in needed]
        return f"{self.made.__name__}({', '.join(parts)})"


def _function(made: Any) -> Callable[..., Any]:
    """The function that takes the arguments."""
    return cast("Callable[..., Any]", cast(Any, made).__init__ if isinstance(made, type) else made)


def _is_needed(parameter: inspect.Parameter) -> bool:
    return parameter.default is parameter.empty


@cache
def _parameters(made: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    own = inspect.signature(_function(made)).parameters
    return dict(list(own.items())[1:]) if isinstance(made, type) else own  # of a class, without self


@cache
def _places(made: Callable[..., Any]) -> Sequence[str]:
    """The parameters whose values may stand without their names."""
    return [p.name for p in _parameters(made).values() if p.kind is not p.KEYWORD_ONLY]


@cache
def _hints(made: Callable[..., Any]) -> Mapping[str, Any]:
    """The annotations of the parameters; none where one is imported for type checkers alone."""
    try:
        return get_type_hints(made if is_dataclass(made) else _function(made))
    except NameError:
        return {}


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is of an annotated type, as far as classes tell."""
    if hint is Any or type(value) is hint:
        return True
    kind, parts = get_origin(hint) or hint, get_args(hint)
    if kind in _UNIONS:
        return any(_fits(value, part) for part in parts)
    if kind is type:
        return isinstance(value, type)
    if not isinstance(kind, type):
        return True
    if not isinstance(value, Integral if kind is int else kind):
        return kind is tuple and isinstance(value, list)
    if isinstance(value, str):
        return not parts or _fits("", parts[0])  # a list of strings may be one: what takes it says so
    if isinstance(value, Mapping) and parts:
        return all(_fits(k, parts[0]) and _fits(v, parts[1]) for k, v in value.items())
    if kind in _LISTS and isinstance(value, (list, tuple)):
        return _hold(value, [part for part in parts if part is not ...])
    return True


def _hold(values: Sequence[Any], parts: Sequence[Any]) -> bool:
    """Whether the values are of a type, or, if there are several, each of its own."""
    if len(parts) == 1:
        return all(_fits(v, parts[0]) for v in values)
    return len(values) == len(parts) and all(map(_fits, values, parts))


def _shown(value: Any) -> str:
    """A wrong value, on one line and cut where it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _in_words(hint: Any) -> str:
    """An annotated type: `a list of Arg`."""
    kind, parts = get_origin(hint) or hint, [p for p in get_args(hint) if p is not ...]
    if kind in _UNIONS:
        return " or ".join(dict.fromkeys(_in_words(p) for p in parts if p is not types.NoneType))
    if kind in _LISTS and len(parts) == 1:
        return f"a list of {_several(parts[0])}"
    return _WORDS.get(kind) or f"a {kind.__name__}"


def _several(hint: Any) -> str:
    """Values of a type, in a list of them: `pairs (Arg, value)`."""
    if get_origin(hint) is tuple:
        return f"pairs ({', '.join('value' if p is Any else p.__name__ for p in get_args(hint))})"
    if get_origin(hint) in _LISTS:
        return "lists"
    return hint.__name__ if isinstance(hint, type) and hint not in _PLURALS else _PLURALS.get(hint, "values")
