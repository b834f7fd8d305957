"""Limbs of a floating base that are alike: one tree for all, and a table of the numbers in which they differ.

The trunk is what is left without them. A limb takes the movement of the base, and returns its wrench on the
base and the forces of its joints.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from codegen.ir.types import Scalar
from codegen.mechanisms.recursions.dynamics import Movement, along_joints, movements_of, passed_on, totals_of
from codegen.mechanisms.recursions.slots import Slot, numbers_of_body, slot_of
from codegen.mechanisms.trees.carriage import carriages, late_for_forces
from codegen.mechanisms.trees.tree import Link, Moments, Tree
from codegen.mechanisms.trees.turns import number
from codegen.modeling.types.algebra import Force, SymMat3, Vec3


@dataclass(frozen=True)
class Limbs:
    """Limbs that are alike: the bodies of each, and the tree of one, mounted on the base.

    `rows` has a row of numbers for each limb. For each body, `slots` says which of them are its offset, mass,
    first and second moments; None for a number that all limbs share.
    """

    bodies: tuple[tuple[int, ...], ...]
    tree: Tree
    rows: tuple[tuple[Fraction, ...], ...]
    slots: tuple[tuple[Slot | None, ...], ...]
    first: int
    stride: int

    def with_numbers(self, row: Sequence[Scalar]) -> Tree:
        """The tree of the limb with these numbers."""
        arms, extra = {}, {}
        for i, (link, slots) in enumerate(zip(self.tree.links, self.slots, strict=True)):
            x = [row[slot.column] * slot.sign if slot else 0 for slot in slots]
            if any(slots[:3]):
                p = zip(slots[:3], x[:3], link.p.scalars(), strict=True)
                arms[i] = Vec3(*(own if slot else number(shared) for slot, own, shared in p))
            if any(slots[3:]):
                extra[i] = Moments(x[3], Vec3(*x[4:7]), SymMat3(*x[7:]))  # type: ignore[arg-type]
        return replace(self.tree, arms=arms, extra=extra)


def alike(tree: Tree, alone: Collection[int] = ()) -> list[Limbs]:
    """The groups of limbs that are alike, but for those with bodies that stay `alone`."""
    groups: dict[Any, list[list[int]]] = {}
    for root in tree.children(0) if tree.floating else ():
        bodies = _with_all_behind(tree, root)
        if _is_plain(tree, bodies) and not {*alone} & {*bodies}:
            groups.setdefault(_form(tree, bodies), []).append(bodies)
    found = [_limbs(tree, group) for group in groups.values() if len(group) > 1]
    return [limbs for limbs in found if limbs is not None]


def trunk_of(tree: Tree, groups: Sequence[Limbs]) -> tuple[Tree, list[int]]:
    """The tree without these limbs, and the places of its coordinates in those of the robot."""
    gone = {i for limbs in groups for bodies in limbs.bodies for i in bodies}
    left = [i for i in range(len(tree.links)) if i not in gone]
    new = {i: k for k, i in enumerate(left)} | {-1: -1}
    places = sorted({tree.links[i].place for i in left if i in tree.jointed})
    links = [replace(tree.links[i], parent=new[tree.links[i].parent]) for i in left]
    links = [link if link.free else replace(link, place=places.index(link.place)) for link in links]
    frames = {name: p._replace(body=new[p.body]) for name, p in tree.frames.items() if p.body in new}
    late = frozenset(new[i] for i in late_for_forces(tree) if i in new)
    return replace(tree, links=tuple(links), frames=frames, late=late), places


def limb_forces(
    tree: Tree, base: Movement, q: Sequence[Scalar], v: Sequence[Scalar], a: Sequence[Scalar]
) -> tuple[Force, list[Scalar]]:
    """The wrench of a limb on the base, about the base's origin, and the forces of the limb's joints.

    The acceleration in `base` is that of the point of the base where the limb starts.
    """
    ways = carriages(tree, q, late_for_forces(tree))
    at_start = [replace(ways[0], arm=Vec3.zero()), *ways[1:]]
    movements = movements_of(tree, at_start, q, v, a, None, base)
    totals = totals_of(tree, ways, q, movements)
    own = passed_on(tree, ways[0], 0, q, totals[0])
    wrench = Force(own.n + ways[0].arm.cross(own.f), own.f)
    return wrench, along_joints(tree, ways, movements, totals)


def _with_all_behind(tree: Tree, root: int) -> list[int]:
    found = [root]
    for i in range(root + 1, len(tree.links)):
        if tree.links[i].parent in found:
            found.append(i)
    return found


def _is_plain(tree: Tree, bodies: Sequence[int]) -> bool:
    """Whether a limb's coordinates follow each other, and move nothing else."""
    links = [tree.links[i] for i in bodies]
    others = {tree.links[i].place for i in tree.jointed if i not in bodies}
    places = [link.place for link in links]
    in_order = places == [*range(places[0], places[0] + len(places))]
    return in_order and not others & {*places} and all(x.ratio == 1 and x.ball is None for x in links)


def _form(tree: Tree, bodies: Sequence[int]) -> Any:
    """What limbs that are alike share: everything but offsets and moments."""
    new, late = {i: k for k, i in enumerate(bodies)}, late_for_forces(tree)
    links = [tree.links[i] for i in bodies]
    points = [(link.parent, link.p) for link in links]
    return tuple(
        (new.get(link.parent, -1), points.index(point), link.R, link.slides, link.sign, link.phase,
         link.damping, link.armature, link.friction, link.creep, i in late)
        for i, link, point in zip(bodies, links, points, strict=True)
    )  # fmt: skip


def _limbs(tree: Tree, group: Sequence[Sequence[int]]) -> Limbs | None:
    """The limbs of a group; None where their places are not evenly spaced, or no number differs."""
    firsts = [tree.links[bodies[0]].place for bodies in group]
    stride = firsts[1] - firsts[0]
    columns: list[tuple[Fraction, ...]] = []
    slots: list[tuple[Slot | None, ...]] = []
    links: list[Link] = []
    new, late = {i: k for k, i in enumerate(group[0])}, late_for_forces(tree)
    for same in zip(*group, strict=True):
        link = tree.links[same[0]]
        values = zip(*(_numbers(tree.links[i]) for i in same), strict=True)
        slots.append(tuple([slot_of(columns, row) for row in values]))
        shared = replace(link, parent=new.get(link.parent, -1), place=len(links))
        links.append(_without(shared, slots[-1]))
    if not columns or firsts != [firsts[0] + k * stride for k in range(len(group))]:
        return None
    one = Tree(tuple(links), {}, tree.gravity, frozenset(new[i] for i in group[0] if i in late))
    rows = tuple(zip(*columns, strict=True))
    return Limbs(tuple(map(tuple, group)), one, rows, tuple(slots), firsts[0], stride)


def _numbers(link: Link) -> list[Fraction]:
    """The offset, the mass and the moments of a link."""
    return [*link.p.scalars(), *numbers_of_body(link)]


def _without(link: Link, slots: Sequence[Slot | None]) -> Link:
    """The link without the moments that are in the table. Its offset stays that of the first limb."""
    x = [Fraction(0) if slot else own for slot, own in zip(slots, _numbers(link), strict=True)]
    return replace(link, moments=Moments(x[3], Vec3(*x[4:7]), SymMat3(*x[7:])))
