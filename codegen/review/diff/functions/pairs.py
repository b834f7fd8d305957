"""Recognises the generated function that computes the sine and the cosine of an angle together."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import cache

from codegen.emit.render import environment
from codegen.emit.sincos import pair_context
from codegen.ir.systems import F32, F64
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.lexing import lines_of_tokens

_HEAD = re.compile(r"static (?:inline )?(\w+) (\w+) \( (float|double) x \)", re.ASCII)
PAIRED = "pairs"
"""Marks a sine or cosine of this function, as its last bit may differ from that of <math.h>."""

_FORMATS = {f.ctype: f for f in (F32, F64)}


def is_pair(item: Item, macros: Set[str]) -> bool:
    """Whether a function is that of a sine and a cosine as it is generated, of whatever name.

    Where one of its words is a macro, the same text may compute anything.
    """
    found = None if item.others else _HEAD.match(" ".join(item.tokens[:8]))
    if found is None or not macros.isdisjoint(item.tokens):
        return False
    return item.tokens == _generated(found[1], found[2], found[3], "inline" in item.tokens[:3])


@cache
def _generated(kind: str, name: str, real: str, inline: bool) -> list[str]:
    """The tokens of the function."""
    template = environment().from_string("{% import 'function.c.j2' as c with context %}{{ c.paired() }}")
    pair = {**pair_context(_FORMATS[real], ""), "type": kind, "name": name}
    text = template.render(arrays=[], search="", real=real, inline=inline, pair=pair)
    tokens = [token.text for line in lines_of_tokens("", text) for token in line]
    return tokens[tokens.index("static") :]
