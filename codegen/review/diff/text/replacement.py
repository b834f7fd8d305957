"""Finds what is wrong with what a macro stands for: compilers refuse it even where nothing uses the macro."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def fault_of(words: Sequence[str], has_parameters: bool) -> str:
    """What C does not allow in the words behind a macro's name; empty where they are right (C99 6.10.3)."""
    body, parameters = list(words), list[str]()
    if has_parameters:
        if ")" not in body:
            return "its parameters have no end"
        end = body.index(")")
        parameters, body = body[1:end], body[end + 1 :]
        names, commas = parameters[::2], parameters[1::2]
        is_list = len(names) == len(commas) + bool(names) and {*commas} <= {","}
        if not is_list or not all(n.isidentifier() for n in names[:-1]):
            return "its parameters are no list of names"
        if len(set(names)) < len(names) or not (not names or names[-1].isidentifier() or names[-1] == "..."):
            return "its parameters are no list of different names"
    if "##" in (*body[:1], *body[-1:]):
        return "## without an operand"
    known = {*parameters, "__VA_ARGS__"}
    if has_parameters and any(a == "#" and b not in known for a, b in pairwise((*body, ""))):
        return "# before what is no parameter"
    return ""
