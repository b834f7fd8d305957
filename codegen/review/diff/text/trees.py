"""Walks the trees of pycparser."""

from __future__ import annotations

from typing import Any


def nodes_of(tree: Any) -> list[Any]:
    """All nodes of a tree, each before those below it."""
    found, open_ = list[Any](), [tree]
    while open_:
        found.append(open_.pop())
        open_ += [below for _, below in reversed(found[-1].children())]
    return found
