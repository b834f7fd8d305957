"""Passes over the tree that keep the joint forces and lower the number of operations.

Frames: joints of parallel axes get parallel frames, others a frame turned about their axis so that the
constant rotation has the fewest elements; origins slide along the axes until offsets vanish. Both describe
the same bodies. Regrouping moves mass between bodies: what lies on a joint's axis belongs to either side of
it. Joint forces and the wrench on a floating base stay; forces across a joint do not, and a regrouped body
is no body of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction

from codegen.mechanisms.description.exact import IDENTITY, ORIGIN, root_of, sum_of, turn
from codegen.mechanisms.trees.tree import Link, Moments, Place, Tree
from codegen.modeling.types.algebra import Mat3, SymMat3, Vec3

_SWEEPS = 4


def framed(tree: Tree) -> Tree:
    """The tree in the frames of fewest numbers."""
    return slid(aligned(tree))


def framings(tree: Tree) -> list[Tree]:
    """The trees in frames of few numbers: origins of parallel joints slide together, or each by itself."""
    straight = aligned(tree)
    together, alone = slid(straight), slid(straight, together=False)
    return [together] if together == alone else [together, alone]


def for_limbs(tree: Tree) -> Tree:
    """The tree in frames for loops over limbs, whose first origins stay, as the base computes with them."""
    return slid(aligned(tree), kept=tree.children(0))


def for_masses(tree: Tree) -> Tree:
    """The framed tree with the bodies that take fewest operations in recursions of composite bodies."""
    return leaves_turned(regrouped(tree))


def for_forces(tree: Tree) -> Tree:
    """The framed tree with the bodies that take fewest operations in recursions of forces."""
    return leaves_turned(pointed(tree))


# Frames


def aligned(tree: Tree) -> Tree:
    """The tree with each frame turned about its joint's axis, so that constant rotations are simple."""
    for i in (i for i in tree.jointed if tree.links[i].ball is None):
        Q, flips = _simplest(tree.links[i].R)
        if Q != IDENTITY:
            tree = _reframed(tree, i, Q, ORIGIN, flips)
    return tree


def _simplest(R: Mat3) -> tuple[Mat3, bool]:
    """Q that simplifies R Q, about z or, with True, about z and then upside down."""
    x, y, z = R.row(2).scalars()
    if z in (1, -1):
        return R.transpose, z < 0
    if x == 0 or x * x + y * y != 1:
        return IDENTITY, False
    return turn("z", y, -x), False


def _reframed(tree: Tree, i: int, Q: Mat3, d: Vec3, flips: bool = False) -> Tree:
    """The tree with body i's frame moved to the pose (Q, d) in itself."""
    link, back = tree.links[i], Q.transpose
    offset = -(back @ d)
    own = replace(
        link,
        R=link.R @ Q,
        p=link.p + link.R @ d,
        moments=link.moments.seen(back, offset),
        sign=-link.sign if flips else link.sign,
    )
    links = list(tree.links)
    links[i] = own
    for k in tree.children(i):
        links[k] = replace(links[k], R=back @ links[k].R, p=back @ links[k].p + offset)
    frames = {
        name: Place(i, back @ place.R, back @ place.p + offset) if place.body == i else place
        for name, place in tree.frames.items()
    }
    return replace(tree, links=tuple(links), frames=frames)


def slid(tree: Tree, together: bool = True, kept: Collection[int] = ()) -> Tree:
    """The tree with origins moved along their axes to where the fewest numbers differ from zero.

    Those of parallel joints move `together`, too; those of the bodies in `kept` stay.
    """
    moving = [i for i in reversed(tree.jointed) if tree.links[i].ball is None and i not in kept]
    for _ in range(_SWEEPS):
        before = tree
        for i in moving:
            shifts = dict.fromkeys([Fraction(0), *_shifts(tree, i)])
            rows = ([i], _parallel(tree, i)) if together else ([i],)
            moved = [_shifted(tree, row, d) for d in shifts for row in rows]
            tree = min(moved, key=_numbers)
        if _numbers(tree) == _numbers(before):
            return before
    return tree


def _shifted(tree: Tree, bodies: Sequence[int], d: Fraction) -> Tree:
    """The tree with the origins of these bodies moved along their axes."""
    for i in bodies if d else ():
        tree = _reframed(tree, i, IDENTITY, Vec3(0, 0, d))
    return tree


def _parallel(tree: Tree, i: int) -> list[int]:
    """A body and those behind it whose axes are parallel to its own, one after another."""
    found = [i]
    for k in found:
        found += [c for c in tree.children(k) if tree.links[c].R == IDENTITY and tree.links[c].ball is None]
    return found


def _shifts(tree: Tree, i: int) -> Sequence[Fraction]:
    """Shifts along the axis of body i that make a number vanish.

    None is longer than the longest offset of the tree: about a far origin, moments lose their digits.
    """
    longest = max((abs(x) for link in tree.links for x in link.p.scalars()), default=Fraction(0))
    link = tree.links[i]
    found = [-(link.R.transpose @ link.p).z, *(tree.links[k].p.z for k in tree.children(i))]
    moments, along = link.moments, link.R.column(2)
    found += [s / h for s, h in ((moments.S.xz, moments.h.x), (moments.S.yz, moments.h.y)) if h]
    found += [-p / a for p, a in zip(link.p.scalars(), along.scalars(), strict=True) if a]
    return [d for d in found if abs(d) <= longest]


def _numbers(tree: Tree) -> int:
    """How many numbers differ from zero: offsets count more than moments, and most on a base that floats."""
    offsets = sum(
        (5 if tree.links[link.parent].free else 4) * sum(map(bool, link.p.scalars()))
        for link in tree.links
        if link.parent >= 0
    )
    return offsets + sum(bool(x) for link in tree.links for x in (link.moments.S.xz, link.moments.S.yz))


# Moments


def regrouped(tree: Tree) -> Tree:
    """The tree with all mass on a revolute joint's axis, and the second moments of a sliding body, moved on.

    They go to the parent; those of a body on the base that stands still do nothing.
    """
    for i in reversed(tree.jointed):
        tree = _passed_on(tree, i)
    return tree


def _passed_on(tree: Tree, i: int) -> Tree:
    """The tree with what lies on the axis of body i moved to its parent."""
    link = tree.links[i]
    shared = _shared(link)
    tree = tree.with_link(i, replace(link, moments=link.moments.minus(shared)))
    return _added(tree, link.parent, shared.seen(link.R, link.p)) if link.parent >= 0 else tree


def _added(tree: Tree, i: int, moments: Moments) -> Tree:
    """The tree with these moments added to body i."""
    link = tree.links[i]
    return tree.with_link(i, replace(link, moments=link.moments.plus(moments)))


def _shared(link: Link) -> Moments:
    """The moments that are the same in the parent's frame however the joint moves."""
    m, h, S = link.moments.m, link.moments.h, link.moments.S
    if link.slides:
        return Moments(Fraction(0), ORIGIN, S)
    if link.ball is not None:
        return Moments(m)
    return Moments(m, Vec3(0, 0, h.z), SymMat3(0, 0, 0, 0, 0, S.zz))


def pointed(tree: Tree) -> Tree:
    """The regrouped tree with masses at joints' origins where they make first moments of the parents vanish.

    A mass on a revolute joint's axis belongs to either side of it: at the child, whose acceleration is
    known, it costs less than an element of the parent's first moment. None is larger than all bodies
    together: at a tiny offset, forces would be differences of large ones.
    """
    most = sum((abs(link.moments.m) for link in tree.links), Fraction(0))
    for i in reversed(range(len(tree.links))):
        for k in tree.children(i):
            mass = _point(tree.links[i], tree.links[k], most)
            if mass:
                point, link = Moments(mass), tree.links[k]
                tree = _added(tree, k, point)
                tree = _added(tree, i, Moments().minus(point.seen(link.R, link.p)))
        if i in tree.jointed:
            tree = _passed_on(tree, i)
    return tree


def _point(link: Link, child: Link, most: Fraction) -> Fraction:
    """The mass at a child's joint, up to this one, without which the first moment has the fewest elements."""
    if child.slides:
        return Fraction(0)
    h, p = link.moments.h, child.p
    masses: list[Fraction] = [
        Fraction(0),
        *(a / b for a, b in zip(h.scalars(), p.scalars(), strict=True) if b),
    ]
    return min((m for m in masses if abs(m) <= most), key=lambda mass: _felt(link, h - p * mass))


def _felt(link: Link, h: Vec3) -> int:
    """How many elements of a first moment matter: on a revolute joint's axis none."""
    return sum(map(bool, h.scalars()[:2] if link.turns else h.scalars()))


def leaves_turned(tree: Tree) -> Tree:
    """The tree with the frames of leaves turned so that their first moment is along x.

    The joint's phase takes the turn. It is exact, so leaves whose first moment is at an angle whose sine is
    no fraction stay: `settled` moves centres of mass by less than their rounding so that none are.
    """
    for i in tree.jointed:
        x, y, _ = tree.links[i].moments.h.scalars()
        length = root_of(x * x + y * y)
        if tree.children(i) or not (tree.links[i].turns and tree.links[i].adds and x and y and length):
            continue
        before = tree.links[i]
        tree = _reframed(tree, i, turn("z", x / length, y / length), ORIGIN)
        phase = sum_of(before.phase, (x / length, y / length))
        tree = tree.with_link(i, replace(tree.links[i], R=before.R, phase=phase))
    return tree
