"""Between the coordinates of a robot and the links of its tree: one may move several links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from codegen.ir.types import Scalar
from codegen.mechanisms.trees.tree import Link, Tree
from codegen.mechanisms.trees.turns import number


def of_links(tree: Tree, values: Sequence[Any]) -> list[Any]:
    """The value of each link's joint, of those of the coordinates: of a spherical joint its quaternion."""
    return [_scaled(tree.links[i], values[tree.links[i].place]) for i in tree.jointed]


def of_coordinates(tree: Tree, forces: Sequence[Scalar]) -> list[Scalar]:
    """The generalised force of each coordinate, of the forces of the links' joints."""
    total: dict[int, Scalar] = {}
    for i, force in zip(tree.jointed, forces, strict=True):
        at, own = tree.links[i].place, _scaled(tree.links[i], force)
        total[at] = total[at] + own if at in total else own
    return [total[k] for k in range(tree.count)]


def in_coordinates(tree: Tree, elements: Mapping[tuple[int, int], Scalar]) -> dict[tuple[int, int], Scalar]:
    """The elements (i, j), i <= j, of the mass matrix of the coordinates, from that of the links' joints."""
    if tree.plain:
        return dict(elements)
    links, found = [tree.links[i] for i in tree.jointed], dict[tuple[int, int], Scalar]()
    for (i, j), x in elements.items():
        a, b = links[i], links[j]
        scaled = _scaled(a, _scaled(b, x))
        both = scaled + scaled if i != j and a.place == b.place else scaled
        at = min(a.place, b.place), max(a.place, b.place)
        found[at] = found[at] + both if at in found else both
    return found


def ancestors_of(elements: Mapping[tuple[int, int], Scalar], count: int) -> list[int]:
    """For each row of a symmetric matrix the last one before it that its elimination changes, or -1."""
    before = [{i for i, j in elements if j == k and i < k} for k in range(count)]
    parents = [-1] * count
    for k in reversed(range(count)):
        if before[k]:
            parents[k] = max(before[k])
            before[parents[k]] |= before[k] - {parents[k]}
    return parents


def _scaled(link: Link, value: Any) -> Any:
    return value if link.ratio == 1 else value * number(link.ratio)
