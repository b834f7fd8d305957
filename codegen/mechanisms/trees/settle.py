"""Centres of mass moved by less than the rounding of a double, so that frames can be turned exactly."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from codegen.ir.systems import F64, exact_of, multiprecision
from codegen.mechanisms.description.exact import Angles
from codegen.mechanisms.description.mechanism import Mechanism
from codegen.mechanisms.description.written import exact
from codegen.mechanisms.trees.tree import Tree, tree_of
from codegen.modeling.types.algebra import Vec3


def settled(mechanism: Mechanism, angles: Angles) -> Mechanism:
    """The mechanism with the first moments of its leaves at angles whose cosine and sine are fractions.

    The definition and the recursions both take these bodies: each centre of mass is moved by less than 2^-60
    of the first moment over the mass.
    """
    tree = tree_of(mechanism, angles)
    moved: dict[str, Vec3] = {}
    for i in tree.jointed:
        if not tree.children(i) and tree.links[i].turns:
            moved |= _moved(mechanism, tree, i)
    bodies = [
        replace(b, centre=(Vec3(*b.centre) + moved[b.name]).scalars()) if b.name in moved else b
        for b in mechanism.bodies
    ]
    return replace(mechanism, bodies=tuple(bodies))


def _moved(mechanism: Mechanism, tree: Tree, i: int) -> dict[str, Vec3]:
    """By how much the centre of the heaviest body of a leaf moves, in that body's frame."""
    h = tree.links[i].moments.h
    bodies = [b for b in mechanism.bodies if tree.frames[b.name].body == i and b.m]
    if not (h.x and h.y and bodies):
        return {}
    body = max(bodies, key=lambda b: b.m)
    system = multiprecision(F64)
    x, y = (system.constant(a) for a in (h.x, h.y))
    c, s = Angles(Fraction(0)).point(exact_of(x.context.atan2(y, x)))
    across = c * h.y - s * h.x
    change = Vec3(s * across, -c * across, 0) * (1 / exact(body.mass))
    return {body.name: tree.frames[body.name].R.transpose @ change}
