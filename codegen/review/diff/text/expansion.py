"""Puts what macros stand for in place of them, as the preprocessor does with macros without # and ##."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from codegen.review.diff.text.directives import Macro, Role
from codegen.review.diff.text.macros import Macros

_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*", re.ASCII)
_LARGEST = 400_000
"""Limit on the characters of an expanded function."""


_LONGEST = 20_000
"""Limit on the characters of what a macro without parameters stands for."""
_DEEPEST = 20
"""Limit on macros that name macros."""


class NotExpanded(Exception):
    """A macro that is not understood; its argument is the name."""


class _Template(NamedTuple):
    """A macro with parameters."""

    parameters: tuple[str, ...]
    body: str


def expanded(code: str, macros: Macros) -> str:
    """The code with what all its macros stand for: numbers, types, and expressions, also of parameters.

    Raises NotExpanded for other macros.
    """
    return _expanded(code, macros, ())


def _expanded(code: str, macros: Macros, inside: tuple[str, ...]) -> str:
    """The code without macros; `inside` are those whose expansion it comes from."""
    parts, at = list[str](), 0
    while found := _NAME.search(code, at):
        name = found[0]
        parts.append(code[at : found.start()])
        at = found.end()
        if name not in macros:
            parts.append(name)
        elif plain := macros.expansions.get(name) or macros.types.get(name):
            parts.append(f" {' '.join(plain)} ")
        else:
            text, at = _applied(name, code, at, macros, inside)
            parts.append(f" {text} ")
        if sum(map(len, parts[-2:])) > _LARGEST:
            raise NotExpanded(name)
    whole = "".join([*parts, code[at:]])
    if len(whole) > _LARGEST:
        raise NotExpanded("that fills the function")
    return whole


def _applied(name: str, code: str, at: int, macros: Macros, inside: tuple[str, ...]) -> tuple[str, int]:
    """The expansion of a macro with the arguments that follow its name, and the place behind them."""
    if body := _body(macros.definitions[name]):
        if name in inside or len(inside) > _DEEPEST:
            raise NotExpanded(name)
        if name not in macros.texts:
            macros.texts[name] = ""  # where it cannot be expanded, this is not tried again
            macros.texts[name] = _expanded(body, macros, (*inside, name))
        if not 0 < len(macros.texts[name]) <= _LONGEST:
            raise NotExpanded(name)
        return macros.texts[name], at
    template = _template(macros.definitions[name])
    given, end = _arguments(code, at)
    if template is None or name in inside or len(given) != len(template.parameters) or not all(given):
        raise NotExpanded(name)
    values = {p: _expanded(g, macros, inside) for p, g in zip(template.parameters, given, strict=True)}
    body = _NAME.sub(lambda found: values.get(found[0], found[0]), template.body)
    named = {w for w in _NAME.findall(template.body) if w in macros and w not in values}
    if named - macros.expansions.keys() and any(w in macros for g in given for w in _NAME.findall(g)):
        raise NotExpanded(name)  # its arguments would be scanned again
    return _expanded(body, macros, (*inside, name)) if named else body, end


def _body(definitions: Sequence[Macro]) -> str:
    """What a macro without parameters stands for, which is defined alike; empty for others."""
    first = definitions[0]
    is_plain = first.role is Role.PLAIN and not first.has_parameters and not _is_odd(first.body)
    return " ".join(first.body) if is_plain and len({m[3:] for m in definitions}) == 1 else ""


def _is_odd(body: Sequence[str]) -> bool:
    """Whether the preprocessor does more with a body than to put its tokens in place of a name."""
    return not {"#", "##", '"', "'"}.isdisjoint(w[0] for w in body)


def _template(definitions: Sequence[Macro]) -> _Template | None:
    """A macro with parameters that is defined once and alike, and is made of plain tokens."""
    first = definitions[0]
    if len({m[3:] for m in definitions}) > 1 or first.role is not Role.PLAIN or not first.has_parameters:
        return None
    end = first.body.index(")") if ")" in first.body else 0
    parameters, body = first.body[1:end:2], first.body[end + 1 :]
    plain = all(p.isidentifier() for p in parameters) and {*first.body[2:end:2]} <= {","}
    if not parameters or not plain or len(set(parameters)) < len(parameters) or _is_odd(body):
        return None
    return _Template(parameters, " ".join(body))


def _arguments(code: str, at: int) -> tuple[list[str], int]:
    """The arguments in brackets at a place, and the place behind these; none where there are none.

    A comma between other brackets ends an argument, too.
    """
    opened = len(code) - len(code[at:].lstrip())
    if code[opened : opened + 1] != "(":
        return [], at
    depth, start, found = 0, opened + 1, list[str]()
    for i in range(opened, len(code)):
        mark = code[i]
        depth += (mark == "(") - (mark == ")")
        if mark in "\"'":
            break
        if (mark == "," and depth == 1) or depth == 0:
            found.append(code[start:i].strip())
            start = i + 1
        if depth == 0:
            return found, i + 1
    return [], at
