"""The regressor of inverse dynamics: joint forces are linear in the inertias of the links."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from codegen.ir.types import Scalar
from codegen.mechanisms.description.exact import Z
from codegen.mechanisms.recursions.acting import wrench_at
from codegen.mechanisms.recursions.dynamics import Base, Movement, inertial, movements_of
from codegen.mechanisms.trees.carriage import Carriage, carriages, position_of, signed
from codegen.mechanisms.trees.coordinates import of_coordinates
from codegen.mechanisms.trees.tree import Moments, Place, Tree
from codegen.mechanisms.trees.turns import number
from codegen.modeling.types.algebra import Force, SymMat3, Vec3


def regressor(
    tree: Tree,
    bodies: Sequence[tuple[Place, Sequence[Moments]]],
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    acceleration: Sequence[Scalar],
    base: Base | None,
) -> tuple[list[Force], list[list[Scalar]]]:
    """For each of these moments the wrench on the base, and the force of each coordinate.

    They are in frames that have places on bodies.
    """
    ways = carriages(tree, q, ())
    movements = movements_of(tree, ways, q, v, acceleration, base)
    wrenches, forces = [], []
    for place, moments in bodies:
        seen = _at(movements[place.body], place)
        for body in moments:
            wrench, of_links = _passed(tree, ways, q, place.body, wrench_at(inertial(seen, body), place))
            wrenches.append(wrench)
            forces.append(of_coordinates(tree, of_links))
    return wrenches, forces


def of_parameters(m: Any, x: Any, y: Any, z: Any, *J: Any) -> Moments:
    """The moments of m, h and J: second moments are S = tr(J)/2 1 - J."""
    half = (J[0] + J[3] + J[5]) / 2
    return Moments(m, Vec3(x, y, z), SymMat3(half - J[0], -J[1], -J[2], half - J[3], -J[4], half - J[5]))


def lifted(body: Moments) -> Moments:
    """Moments of exact numbers, for formulas."""
    return Moments(number(body.m), body.h.map(number), body.S.map(number))


def units() -> list[Moments]:
    """The moments of each of the ten parameters m, h and J alone."""
    rows = ([Fraction(int(i == k)) for i in range(10)] for k in range(10))
    return [lifted(of_parameters(*row)) for row in rows]


def _at(movement: Movement, place: Place) -> Movement:
    """The movement of a body, seen in a frame on it."""
    R, p = place.R.map(number), place.p.map(number)
    back = R.transpose
    U = back @ (movement.U @ R)
    return Movement(back @ movement.w, back @ movement.dw, back @ (movement.a + movement.U @ p), U)


def _passed(
    tree: Tree, ways: Sequence[Carriage], q: Sequence[Scalar], body: int, wrench: Force
) -> tuple[Force, list[Scalar]]:
    """A wrench that a body needs, as it is passed on to the base, and the forces of the joints of links."""
    forces: list[Scalar] = [0] * len(tree.jointed)
    while body >= 0 and not ways[body].link.free:
        way, n, f = ways[body], wrench.n, wrench.f
        forces[body - tree.jointed.start] = signed(f.z if way.link.slides else n.z, way.link)
        if way.link.slides:
            n = n + Z.cross(f) * position_of(tree, body, q)
        f = way.ahead(f)
        wrench, body = Force(way.ahead(n) + way.arm.cross(f), f), way.link.parent
    return wrench, forces
