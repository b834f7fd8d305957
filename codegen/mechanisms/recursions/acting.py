"""What acts on a robot at run time: gravity, external wrenches, and inertias that are added to links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from codegen.ir.types import Draw, Scalar
from codegen.mechanisms.description.exact import IDENTITY
from codegen.mechanisms.recursions.dynamics import shifted_moments
from codegen.mechanisms.trees.tree import Moments, Place, Tree
from codegen.mechanisms.trees.turns import Constant, number
from codegen.modeling.types.algebra import Force, Inertia, Mat3, SymMat3, Vec3
from codegen.modeling.types.samples import point_mass


class Carried(Inertia):
    """The inertia of a link, or of what it carries: one that no link beside it makes negligible.

    Masses and radii of any ratio would make the accelerations of a robot ill-conditioned.
    """

    @classmethod
    def sample(cls, draw: Draw) -> list[Scalar]:
        """Point masses of about 1 kg, at most 1 m from the origin along each axis."""

        def within() -> Any:
            x = draw()
            return (x + x) / (1 + x * x)

        total: list[Any] = [0] * 10
        for _ in range(4):
            half, r = within(), [within() for _ in range(3)]
            m = half * half + Fraction(1, 4)
            parts = [m, *(m * x for x in r), *point_mass(m, r)]
            total = [a + b for a, b in zip(total, parts, strict=True)]
        return total

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """A ball."""
        return Inertia.edges()[2:3]


@dataclass(frozen=True)
class Acting:
    """Gravity in axes of the world, None where it is constant; wrenches and inertias with the link's name.

    They are about the origin of the link's frame, in its axes. Formulas have `Vec3`, `Force` and `Inertia`,
    definitions arrays of their scalars.
    """

    gravity: Any
    wrenches: Sequence[tuple[str, Any]]
    inertias: Sequence[tuple[str, Any]]

    @property
    def mass(self) -> Scalar:
        """The mass of the inertias together, kg."""
        return sum(inertia.m for _, inertia in self.inertias)

    def on(self, tree: Tree) -> Tree:
        """The tree that they act on."""
        pushes: dict[int, Force] = {}
        for name, wrench in self.wrenches:
            place = tree.frames[name]
            own = wrench_at(wrench, place)
            pushes[place.body] = pushes[place.body] + own if place.body in pushes else own
        extra: dict[int, Moments] = {}
        for name, inertia in self.inertias:
            place = tree.frames[name]
            extra[place.body] = extra.get(place.body, Moments()).plus(_seen_inertia(inertia, place))
        return replace(tree, pull=self.gravity, pushes=pushes, extra=extra)


def under(tree: Tree, acting: Acting | None) -> Tree:
    """The tree with what acts on it, if something does."""
    return tree if acting is None else acting.on(tree)


def wrench_at(wrench: Force, place: Place) -> Force:
    """A wrench about a frame's origin, about that of its body and in the body's axes."""
    R = place.R.map(number)
    n, f = R @ wrench.n, R @ wrench.f
    return Force(n + place.p.map(number).cross(f), f)


def _seen_inertia(inertia: Inertia, place: Place) -> Moments:
    """The moments, in a body's frame, of an inertia in a frame of the body."""
    S = SymMat3.isotropic(inertia.J.trace / 2) - inertia.J
    return moments_at(Moments(inertia.m, inertia.h, S), place.R, place.p)


def moments_at(body: Moments, R: Mat3, p: Vec3) -> Moments:
    """The moments of numbers of any kind in axes that see their frame at p, rotated by R."""
    S = body.S if R == IDENTITY else Constant.of(R).tensor(body.S)
    S, h = shifted_moments(S, R.map(number) @ body.h, body.m, p.map(number))
    return Moments(body.m, h, S)
