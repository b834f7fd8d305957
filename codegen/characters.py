"""Characters that a reader does not see, such as those that reverse the direction of text, made visible.

In a comment or a table, the order that is seen would be another one than what is there.
"""

from __future__ import annotations

import json
from typing import Any
from unicodedata import category

_BLANKS = frozenset("\n\t")


def visible(text: str) -> str:
    r"""The text with its invisible characters written as Python does: `\u202e`; blanks and line ends stay."""
    if text.isprintable():
        return text
    return "".join(c if _is_seen(c) else escape(c) for c in text)


def json_text(content: Any) -> str:
    r"""Content as JSON that can be read, its invisible characters escaped: `\u202e`."""
    text = json.dumps(content, indent=1, ensure_ascii=False)
    return "".join(c if _is_seen(c) else json.dumps(c)[1:-1] for c in text) + "\n"


def escape(character: str) -> str:
    r"""A character as Python writes it in ASCII: `\u202e`."""
    return character.encode("unicode_escape").decode()


def _is_seen(character: str) -> bool:
    return character.isprintable() or character in _BLANKS or category(character) == "Zs"
