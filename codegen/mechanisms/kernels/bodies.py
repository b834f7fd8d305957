"""What the letters of a robot's equations stand for: its bodies, joints, frames and points of contact."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from codegen.ir.expression import Expr
from codegen.ir.operations import Op
from codegen.ir.program import Arg
from codegen.ir.types import Scalar, value_of
from codegen.library.rotation.kernels import quat_to_dcm_unit
from codegen.mechanisms.description.exact import IDENTITY, ORIGIN
from codegen.mechanisms.recursions.acting import Acting, under
from codegen.mechanisms.recursions.kinematics import frame_pose, local_jacobian
from codegen.mechanisms.trees.coordinates import of_links
from codegen.mechanisms.trees.tree import Link, Moments, Place, Tree
from codegen.mechanisms.trees.turns import number
from codegen.modeling.types.algebra import Inertia, Mat3, Vec3
from codegen.modeling.types.scalar import cos, sin
from codegen.notation.blocks import Block, column, multiplied, scalar
from codegen.notation.families import Setting

Told: TypeAlias = Callable[[Mapping[str, Any], Mapping[str, Block]], Mapping[str, Block]]
"""What names in equations must stand for: from what inputs are, by coordinate, and from their blocks."""


@dataclass(frozen=True)
class Bodies:
    """The moving bodies of a tree as its equations count them.

    The base is 0, floating or not. The three links of a spherical joint are one body, the last of them.
    """

    tree: Tree

    def setting(
        self,
        inputs: Sequence[Arg],
        read: Callable[[Sequence[str], Sequence[Any]], Mapping[str, Any]],
        frame: str = "",
        points: Sequence[str] = (),
        identified: Sequence[str] = (),
        grouping: Block | None = None,
        told: Told | None = None,
    ) -> Setting:
        """What the equations of a function are about: a frame, points of contact, or links to identify.

        `grouping` is the matrix K that takes their parameters to base parameters. `told` gives values that
        names in the equations must have. `read` gives positions by coordinate, and what acts on the robot,
        from the names and values of inputs.
        """

        def described(given: Mapping[str, Block]) -> Mapping[str, Any]:
            typed = [value_of(a.type, list(given[a.name].scalars)) for a in inputs]
            return read([a.name for a in inputs], typed)

        def values(given: Mapping[str, Block]) -> Mapping[str, Block]:
            found = described(given)
            tree = under(self.tree, found.get("acting"))
            named = {"S_0": _zeros(6, tree.count), **self._placed(frame, points)}
            if identified:
                parameters, tree = _unknown(tree, identified)
                named["theta"] = parameters
            if grouping is not None:
                named["K"] = grouping
            return {**named, **_losses(tree), **self._of_bodies(tree, found.get("q", ()))}

        at = [self._number(self.tree.frames[name].body) for name in points]
        related: dict[str, tuple[str, Mapping[int, int]]] = {"p": ("i", self._parents)}
        if points:
            related["b"] = ("k", dict(enumerate(at, 1)))
        return Setting(
            values,
            ranges={
                "i": self._members,
                "k": range(1, len(points) + 1),
                "l": [i for i in _rubbing(self.tree) if self.tree.links[i].creep],
                "j": [i for i in _rubbing(self.tree) if not self.tree.links[i].creep],
            },
            fixed={"b": self._number(self.tree.frames[frame].body)} if frame else {},
            related=related,
            inverse={"c": "p"},
            told=(lambda given: told(described(given), given)) if told else (lambda given: {}),
        )

    def motions(self, letter: str) -> Told:
        """What tells the twist V of each body, its derivative J by the velocities, or the body's place o.

        Results that are quadratic in V or J are the same with another sign of them, where the base stands
        still, and the energy of weight is that of places in the same height.
        """

        def told(found: Mapping[str, Any], given: Mapping[str, Block]) -> dict[str, Block]:
            q, named = of_links(self.tree, found["q"]), {}
            for i in self._last:
                place = Place(i, IDENTITY, ORIGIN)
                if letter == "o":
                    own = column(list(frame_pose(self.tree, place, q).p.scalars()))
                elif not self.tree.floating:
                    rows = iter(local_jacobian(self.tree, place, q))
                    J = Block(tuple(zip(*[rows] * self.tree.count, strict=True)))
                    own = J if letter == "J" else multiplied(J, given["v"])
                else:
                    continue
                named[f"{letter}_{self._number(i)}"] = own
            return named

        return told

    def _number(self, link: int) -> int:
        return link if self.tree.floating else link + 1

    @cached_property
    def _last(self) -> list[int]:
        """The links that carry a body."""
        return [i for i, link in enumerate(self.tree.links) if link.ball in (None, 2)]

    @property
    def _with_balls(self) -> bool:
        """Whether joints have quaternions, so that equations do not say how all of them turn."""
        return any(link.ball is not None for link in self.tree.links)

    @property
    def _members(self) -> list[int]:
        return list(map(self._number, self._last))

    @property
    def _parents(self) -> Mapping[int, int]:
        first = {i: self.tree.links[i - 2 if self.tree.links[i].ball == 2 else i] for i in self._last}
        return {self._number(i): self._number(link.parent) for i, link in first.items() if not link.free}

    def _placed(self, frame: str, points: Sequence[str]) -> dict[str, Block]:
        """The attitude and place of a frame, and the places of points, in their bodies."""
        found: dict[str, Block] = {}
        if frame:
            place = self.tree.frames[frame]
            found |= {"R_f": _matrix(place.R), "p_f": _vector(place.p)}
        return found | {f"s_{k}": _vector(self.tree.frames[name].p) for k, name in enumerate(points, 1)}

    def _of_bodies(self, tree: Tree, positions: Sequence[Any]) -> dict[str, Block]:
        """The inertia of each body, the wrench on it, and its joint."""
        found: dict[str, Block] = {}
        for i in self._last:
            link = tree.links[i]
            wrench = tree.pushes.get(i)
            own = _of_body(link.moments.plus(tree.extra[i]) if i in tree.extra else link.moments)
            own["W"] = column(list(map(_plain, wrench.scalars())) if wrench else [0] * 6)
            if link.ball == 2:
                own |= _ball(tree, i, positions)
            elif not link.free:
                own |= _joint(tree, link)
                if self._with_balls:
                    own |= _displaced(link, positions[link.place])
            found |= {f"{name}_{self._number(i)}": block for name, block in own.items()}
        return found


def _joint(tree: Tree, link: Link) -> dict[str, Block]:
    """The motion, attitude and place of a joint with one freedom."""
    S = [[0] * tree.count for _ in range(6)]
    S[5 if link.slides else 2][link.place] = _plain(link.sign * link.ratio)
    return {"R": _matrix(_at_zero(link)), "p": _vector(link.p), "S": _block(S)}


def _at_zero(link: Link) -> Mat3:
    """The attitude of a body where the position of its joint is zero."""
    c, s = link.phase
    return link.R @ Mat3((c, -s, Fraction(0), s, c, Fraction(0), Fraction(0), Fraction(0), Fraction(1)))


def _displaced(link: Link, position: Scalar) -> dict[str, Block]:
    """The attitude and place of the body after a joint with one freedom."""
    R = _at_zero(link)
    moved = position * number(link.sign * link.ratio)
    if link.slides:
        return {"E": _matrix(R.transpose), "r": _vector(link.p + R.column(2) * moved)}
    turned = Mat3((cos(moved), -sin(moved), 0, sin(moved), cos(moved), 0, 0, 0, 1))
    return {"E": _matrix(turned.transpose @ R.transpose), "r": _vector(link.p)}


def _ball(tree: Tree, last: int, positions: Sequence[Any]) -> dict[str, Block]:
    """A spherical joint: its quaternion turns first, and the last of its three frames is the body's."""
    first, second, third = tree.links[last - 2 : last + 1]
    inner = third.R.transpose @ second.R.transpose
    quaternion = next(
        positions[link.place] for link in (first, second, third) if positions[link.place] is not None
    )
    turned = quat_to_dcm_unit(quaternion)
    axes = {
        first.place: inner.column(2),
        second.place: third.R.transpose.column(2),
        third.place: Vec3(0, 0, 1),
    }
    rows = [
        [_plain(axes[k].scalars()[row]) if k in axes else 0 for k in range(tree.count)] for row in range(3)
    ]
    E = inner @ turned.transpose @ first.R.transpose
    return {"E": _matrix(E), "r": _vector(first.p), "S": _block([*rows, *_zeros(3, tree.count).rows])}


def _of_body(own: Moments) -> dict[str, Block]:
    """The mass, first moment, and spatial inertia of a body: [[J, h~], [-h~, m 1]] with J = tr(S) 1 - S."""
    m, (x, y, z) = _plain(own.m), map(_plain, own.h.scalars())
    xx, xy, xz, yy, yz, zz = map(_plain, own.S.scalars())
    inertia = [
        [yy + zz, -xy, -xz, 0, -z, y], [-xy, xx + zz, -yz, z, 0, -x], [-xz, -yz, xx + yy, -y, x, 0],
        [0, z, -y, m, 0, 0], [-z, 0, x, 0, m, 0], [y, -x, 0, 0, 0, m],
    ]  # fmt: skip
    return {"m": scalar(m), "h": column([x, y, z]), "I": _block(inertia)}


def _losses(tree: Tree) -> dict[str, Block]:
    """Damping and armature of the coordinates, and what friction of joints needs."""
    links = [tree.links[i] for i in tree.jointed]
    found = {}
    for name, what in (("D", "damping"), ("B", "armature")):
        total = [sum(getattr(x, what) * x.ratio**2 for x in links if x.place == k) for k in range(tree.count)]
        found[name] = _block(
            [[_plain(t) if j == k else 0 for j in range(len(total))] for k, t in enumerate(total)]
        )
    for i in _rubbing(tree):
        link = tree.links[i]
        per = [_plain(link.sign * link.ratio) if k == link.place else 0 for k in range(tree.count)]
        found |= {f"n_{i}": column(per), f"mu_{i}": scalar(_plain(link.friction))}
        found[f"creep_{i}"] = scalar(_plain(link.creep))
    return found


def _rubbing(tree: Tree) -> list[int]:
    """The links whose joints have friction."""
    return [i for i in tree.jointed if tree.links[i].friction]


_FREE = 10**6
"""The first index of scalars that are no input: what is linear in them has derivatives without them."""


def _unknown(tree: Tree, links: Sequence[str]) -> tuple[Block, Tree]:
    """Parameters m, h and J of each link, and the tree with these inertias in place of its own."""
    free = [Expr(Op.INPUT, (), _FREE + k) for k in range(10 * len(links))]
    inertias = [(name, value_of(Inertia, free[10 * k : 10 * k + 10])) for k, name in enumerate(links)]
    empty = tuple(replace(link, moments=Moments()) for link in tree.links)
    extra = under(replace(tree, links=empty), Acting(tree.pull, (), inertias)).extra
    return column(free), replace(tree, links=empty, extra=extra)


def _zeros(rows: int, columns: int) -> Block:
    return _block([[0] * columns for _ in range(rows)])


def _block(rows: Sequence[Sequence[Scalar]]) -> Block:
    return Block(tuple(map(tuple, rows)))


def _matrix(R: Mat3) -> Block:
    return _block([[_plain(x) for x in row.scalars()] for row in R.rows])


def _vector(v: Vec3) -> Block:
    return column(list(map(_plain, v.scalars())))


def _plain(x: Scalar) -> Scalar:
    """A number that the equations leave out where it is zero."""
    if isinstance(x, Expr) and x.op is Op.CONSTANT:
        x = x.value
    return int(x) if isinstance(x, Fraction) and x.denominator == 1 else x
