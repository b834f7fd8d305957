"""Joints as a person writes them: their kinds, places and losses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from codegen.errors import FeatherError, naming
from codegen.mechanisms.description.written import Number, check_legible, exact, exact_all

SINGLE = ("revolute", "continuous", "prismatic", "helical")
"""Kinds with one coordinate."""

FREEDOMS = {**dict.fromkeys(SINGLE, 1), "universal": 2, "planar": 3, "spherical": 3}
"""The degrees of freedom of each kind that moves."""

KINDS = (*FREEDOMS, "fixed")


@dataclass(frozen=True)
class Joint:
    """A joint from a parent body to a child.

    The child's frame is at `xyz` (m) in the parent's, turned by `rpy` = roll, pitch, yaw (rad,
    R = Rz(yaw) Ry(pitch) Rx(roll)). From there it moves by its kind:

    - revolute, continuous, prismatic: it turns about, or slides along, `axis`, which is in the child's frame
      and need not have length 1;
    - helical: it turns about the axis and slides along it by `pitch` (m/rad) times the angle;
    - universal: it turns about the axis, then about `axis2`, which turns with the first angle;
    - planar: it slides along the two axes of the frame that follow `axis`, which is x, y or z, in the order
      x, y, z, x, y, and then turns about it;
    - spherical: it turns about all axes: its position is a quaternion from the child's axes to those before
      the joint, and its velocity the angular velocity in the child's axes;
    - fixed: it stays.

    With one degree of freedom, the joint's position is `multiplier` times its coordinate plus `offset` (rad
    or m); the coordinate is its own, or that of the joint that it follows, `mimic`. `limits` are the lowest
    and highest coordinate (rad or m), those of a joint that follows another its lowest and highest position;
    `velocity` and `effort` are the largest magnitudes in each degree of freedom; None where there is none.
    The functions' header states the limits of coordinates, at which followers are within theirs, too, and of
    efforts, without those of followers, which are no forces of coordinates. The force in each degree of
    freedom has to overcome `damping` times its velocity (N m s/rad or N s/m), `armature` times its
    acceleration, the inertia of its rotor as the joint feels it (kg m^2 or kg), and Coulomb friction:
    `friction` (N m or N) times tanh(v / `creep`), or the sign of v where creep is 0.
    """

    name: str
    kind: str
    parent: str
    child: str
    xyz: Sequence[Number] = (0, 0, 0)
    rpy: Sequence[Number] = (0, 0, 0)
    axis: Sequence[Number] = (0, 0, 1)
    limits: tuple[Number, Number] | None = None
    velocity: Number | None = None
    effort: Number | None = None
    damping: Number = 0
    armature: Number = 0
    friction: Number = 0
    creep: Number = 0
    offset: Number = 0
    mimic: str = ""
    multiplier: Number = 1
    axis2: Sequence[Number] = (0, 1, 0)
    pitch: Number = 0

    def __post_init__(self) -> None:
        check_legible("joint", self.name)
        with naming(f"joint {self.name}"):
            if self.kind not in KINDS:
                raise FeatherError(f"there is no kind {self.kind!r} here; known are {', '.join(KINDS)}")
            for what in ("parent", "child"):
                check_legible(f"{what} link", getattr(self, what))
            for what in ("xyz", "rpy", "axis", "axis2"):
                object.__setattr__(self, what, exact_all(what, getattr(self, what), 3))
            for what in ("damping", "armature", "friction", "creep", "offset", "multiplier", "pitch"):
                with naming(what):
                    object.__setattr__(self, what, exact(getattr(self, what)))
            self._check_axes()
            self._check_losses()
            self._check_limits()
            if self.kind not in SINGLE and (self.mimic or self.offset or self.multiplier != 1 or self.limits):
                raise FeatherError(
                    f"a {self.kind} joint has no limits or offset, and follows no other: only "
                    f"{', '.join(SINGLE)} joints do"
                )
            if not self.mimic and self.multiplier != 1:
                raise FeatherError("it has a multiplier, but follows no joint: name it with mimic")

    def _check_axes(self) -> None:
        if self.moves and self.kind != "spherical" and not any(self.axis):
            raise FeatherError("its axis is zero")
        if self.kind == "planar" and sum(map(bool, self.axis)) != 1:
            raise FeatherError("the axis of a planar joint is x, y or z of its frame: turn the frame by rpy")
        if self.kind == "universal":
            (a, b, c), (x, y, z) = map(exact, self.axis), map(exact, self.axis2)
            if not any((b * z - c * y, c * x - a * z, a * y - b * x)):
                raise FeatherError("its two axes are parallel")

    def _check_losses(self) -> None:
        for what in ("damping", "armature", "friction", "creep"):
            if getattr(self, what) < 0:
                raise FeatherError(f"its {what} is negative ({float(getattr(self, what)):g})")
        for what in ("velocity", "effort"):
            most = getattr(self, what)
            if most is not None and exact(most) < 0:
                raise FeatherError(f"its largest {what} is negative ({float(exact(most)):g})")

    def _check_limits(self) -> None:
        if self.limits is not None:
            low, high = exact_all("limits", self.limits, 2)
            if low > high:
                raise FeatherError(f"its lower limit {float(low):g} is above the upper {float(high):g}")
            object.__setattr__(self, "limits", (low, high))

    @property
    def moves(self) -> bool:
        """Whether its child moves relative to its parent."""
        return self.kind in FREEDOMS

    @property
    def freedoms(self) -> int:
        """How many coordinates are its own: none if it is fixed or follows another."""
        return 0 if self.mimic else FREEDOMS.get(self.kind, 0)

    @property
    def slides(self) -> tuple[bool, ...]:
        """For each degree of freedom whether it slides; otherwise it turns."""
        if self.kind == "planar":
            return True, True, False
        return (self.kind == "prismatic",) * FREEDOMS.get(self.kind, 0)

    @property
    def placed(self) -> Fraction:
        """Its position where its coordinate, or that of the joint that it follows, is zero, rad or m."""
        return exact(self.offset)


def planar_axes(axis: Sequence[Number]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The directions x and y of a planar joint about this axis."""
    along = next(k for k in range(3) if axis[k])
    first, second = (tuple(int(k == (along + j) % 3) for k in range(3)) for j in (1, 2))
    return first, second
