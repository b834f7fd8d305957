"""Forward dynamics with loops over limbs that are alike, by the elimination of joints.

A limb leaves what the base feels of it, its articulated inertia and the wrench that it needs. When the base's
acceleration is known, a second loop finds those of its joints from the numbers that the first has kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from codegen.frontends.formula import lower
from codegen.ir.loops import Looped, Part, Place
from codegen.ir.program import Arg
from codegen.ir.types import Scalar, flatten
from codegen.mechanisms.recursions.dynamics import in_free_fall, of_base
from codegen.mechanisms.recursions.elimination import Articulated, Eliminated, freely
from codegen.mechanisms.recursions.formulas import base_of
from codegen.mechanisms.recursions.limb_parts import (
    MOVEMENT,
    Placed,
    Split,
    array,
    mounted,
    movement_of,
    numbers_of,
    part,
    whole,
)
from codegen.mechanisms.recursions.limbs import Limbs
from codegen.mechanisms.trees.coordinates import of_links
from codegen.modeling.types.algebra import Force, Mat3, Motion, SymMat3
from codegen.passes import nearly_simplified
from codegen.passes.halves import halves

_BASE = array("base", MOVEMENT, "movement of the base in free fall")
_FALL = array("fall", 6, "spatial acceleration of the base in free fall")
_FELT = array("felt", 27, "what the base feels: articulated inertia, and the wrench that is needed")
_GAINED = array("gained", 6, "acceleration of the base over that of free fall")


class _Parts(NamedTuple):
    """The two parts of the trunk, or of a group of limbs, and the array in which the first keeps numbers."""

    first: Part
    second: Part
    kept: Arg


def accelerations_in_loops(split: Split) -> Looped:
    """Forward dynamics, with two loops for each group of limbs."""
    A, _ = split.outputs
    wrench = next(a for a in split.inputs if a.name == "F_B")
    trunk, limbs = _trunk(split), [_limbs(split, k) for k in range(len(split.groups))]
    solved = part(map(whole, (_FELT, _FALL, wrench)), map(whole, (_GAINED, A)), _solved)
    parts = (trunk.first, *(x.first for x in limbs), solved, trunk.second, *(x.second for x in limbs))
    held = (_BASE, _FALL, _FELT, _GAINED, *(x.kept for x in (trunk, *limbs)))
    return Looped(split.inputs, split.outputs, held, split.tables, parts)


def _trunk(split: Split) -> _Parts:
    """What is before the loops, and the accelerations of the trunk's own joints."""
    own = [_of_trunk(split, k) for k in split.places]
    found = lower(
        [*split.inputs, _GAINED],
        [_BASE, _FALL, _FELT, *(a for a, _ in own)],
        partial(_with_trunk, split),
        False,
    )
    cut = halves(nearly_simplified(found), 3, {_GAINED.name}, (), "kept_of_trunk")
    kept = cut.first.outputs[-1]
    given = tuple(Place(a.name) for a in cut.first.inputs)
    first = Part(cut.first, given, tuple(Place(a.name) for a in cut.first.outputs))
    second = Part(cut.second, (Place(kept.name), Place(_GAINED.name)), tuple(place for _, place in own))
    return _Parts(first, second, kept)


def _of_trunk(split: Split, k: int) -> Placed:
    """The acceleration of a joint of the trunk."""
    a = split.outputs[1]
    return array(f"{a.name}_{k}", 1, a.doc), Place(a.name, k)


def _with_trunk(split: Split, *values: Any) -> Any:
    """The movement of the base in free fall, what it feels of the trunk, and the trunk's accelerations."""
    *given, gained = values
    tree, known = split.trunk(given)
    base = base_of(known)
    assert base is not None
    fall = in_free_fall(tree, base)
    ground = of_base(fall, tree)
    found = Eliminated.of(tree, known["q"], known["v"], known["tau"], None, ground)
    accelerations = found.accelerations(Motion.of([*gained])) if split.places else []
    return numbers_of(ground), flatten(fall.A), _felt(found), *([x] for x in accelerations)


def _felt(found: Eliminated) -> list[Scalar]:
    """The numbers of what the base feels."""
    body, load = found.at_base
    return flatten([body.J, body.H, body.M, load])


def _limbs(split: Split, index: int) -> _Parts:
    """The two loops over a group of limbs."""
    limbs, table = split.groups[index], split.table(index)
    motion = [split.of_limb(index, a) for a in split.motion]
    acceleration, at = split.of_limb(index, split.outputs[1])
    inputs = [_BASE, _FELT, table, *(a for a, _ in motion), _GAINED]
    formula = partial(_limb, limbs, [a.name for a, _ in motion])
    found = nearly_simplified(lower(inputs, [_FELT, acceleration], formula, False))
    cut = halves(found, 1, {_GAINED.name}, {table.name}, f"kept_{index + 1}")
    turns, kept = len(limbs.rows), cut.first.outputs[-1]
    row, own = Place(table.name, 0, table.size), Place(kept.name, 0, kept.size)
    given = (Place(_BASE.name), Place(_FELT.name), row, *(place for _, place in motion))
    first = Part(cut.first, given, (Place(_FELT.name), own), turns)
    second = Part(cut.second, (own, row, Place(_GAINED.name)), (at,), turns)
    return _Parts(first, second, array(kept.name, turns * kept.size, kept.doc))


def _limb(
    limbs: Limbs,
    names: Sequence[str],
    base: Sequence[Scalar],
    felt: Sequence[Scalar],
    row: Sequence[Scalar],
    *values: Sequence[Scalar],
) -> Any:
    """What the base feels with one more limb, and the accelerations of the limb's joints."""
    *motion, gained = values
    tree = mounted(limbs.with_numbers(row))
    known = dict(zip(names, motion, strict=True))
    q, v = (of_links(tree, known[n]) for n in ("q", "v"))
    found = Eliminated.of(tree, q, v, known["tau"], None, movement_of(base))
    together = [x + y for x, y in zip(felt, _felt(found), strict=True)]
    return together, found.accelerations(Motion.of([*gained]))


def _solved(felt: Sequence[Scalar], fall: Sequence[Scalar], wrench: Force) -> Any:
    """The acceleration of the base over that of free fall, and altogether."""
    J, H, M = SymMat3(*felt[:6]), Mat3(tuple(felt[6:15])), SymMat3(*felt[15:21])
    gained = freely(Articulated(J, H, M), Force.of([*felt[21:]]), wrench)
    return gained.scalars(), gained + Motion.of([*fall])
