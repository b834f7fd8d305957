"""What a person writes: bodies and joints with decimal numbers, and the mechanism that they form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

from codegen.errors import FeatherError, naming
from codegen.ir.expression import decimal_of
from codegen.modeling.physical import check_moments

Number: TypeAlias = int | float | str | Fraction
"""A number as it is written: a float or a string stands for its decimal, exactly."""

MOVING = ("revolute", "continuous", "prismatic")
KINDS = (*MOVING, "fixed")
STANDARD_GRAVITY = Fraction("9.81")

_DECADES = 100
"""Numbers outside 1e-100 to 1e100 are refused."""


def exact(number: Number) -> Fraction:
    """The fraction that a written number stands for; FeatherError when it is none, or not finite."""
    if isinstance(number, (bool, str)) or not isinstance(number, (int, float, Fraction)):
        decimal = _decimal(str(number).strip())
        if not decimal.is_finite() or (decimal and abs(decimal.adjusted()) > _DECADES):
            raise FeatherError(f"{str(number)[:40]!r} is not a finite number that C can hold")
        return Fraction(decimal)
    return decimal_of(number) if isinstance(number, float) else Fraction(number)


def _decimal(text: str) -> Decimal:
    """The number that a text states in ASCII digits, as C reads it: Python's Decimal admits others."""
    if text.isascii() and "_" not in text:
        with suppress(InvalidOperation):
            return Decimal(text)
    raise FeatherError(f"{text[:40]!r} is not a number")


def _numbers(what: str, values: Sequence[Number], count: int) -> tuple[Fraction, ...]:
    if isinstance(values, str) or len(values) != count:
        raise FeatherError(f"{what} takes {count} numbers")
    with naming(what):
        return tuple(map(exact, values))


@dataclass(frozen=True)
class Body:
    """A rigid body: a link.

    `mass` in kg; `centre` of mass in the body's frame, m; `inertia` about the centre of mass, kg m^2, as
    matrix elements [xx, xy, xz, yy, yz, zz] in axes that are those of the body, turned by `rpy` (rad).
    Massless bodies carry frames. FeatherError for a negative mass; `doubt` says that no body has the inertia.
    """

    name: str
    mass: Number = 0
    centre: Sequence[Number] = (0, 0, 0)
    inertia: Sequence[Number] = (0, 0, 0, 0, 0, 0)
    rpy: Sequence[Number] = (0, 0, 0)

    def __post_init__(self) -> None:
        with naming(f"link {self.name}"):
            with naming("mass"):
                object.__setattr__(self, "mass", exact(self.mass))
            for what, count in (("centre", 3), ("inertia", 6), ("rpy", 3)):
                object.__setattr__(self, what, _numbers(what, getattr(self, what), count))
            if self.m < 0:
                raise FeatherError(f"its mass is negative ({float(self.m):g} kg)")

    @property
    def m(self) -> Fraction:
        """The mass, kg."""
        return exact(self.mass)

    @property
    def J(self) -> tuple[Fraction, ...]:
        """The inertia about the centre of mass, [xx, xy, xz, yy, yz, zz]."""
        return tuple(exact(x) for x in self.inertia)

    @property
    def doubt(self) -> str:
        """Why no body has this inertia; empty if one has."""
        try:
            check_moments(f"the inertia of link {self.name}", self.J)
        except FeatherError as error:
            return str(error)
        return ""


@dataclass(frozen=True)
class Joint:
    """A joint from a parent body to a child.

    `kind` is revolute, continuous, prismatic or fixed. The child's frame is at `xyz` (m) in the parent's,
    turned by `rpy` = roll, pitch, yaw (rad, R = Rz(yaw) Ry(pitch) Rx(roll)); it turns about, or slides along,
    `axis`, which is in the child's frame and need not have length 1. `limits` are the lowest and highest
    position (rad or m), `velocity` and `effort` the largest magnitudes; None where there is none. Its force
    has to overcome `damping` times its velocity (N m s/rad or N s/m) and `armature` times its acceleration,
    the inertia of its rotor as the joint feels it (kg m^2 or kg).
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

    def __post_init__(self) -> None:
        with naming(f"joint {self.name}"):
            if self.kind not in KINDS:
                raise FeatherError(f"there is no kind {self.kind!r} here; known are {', '.join(KINDS)}")
            for what in ("xyz", "rpy", "axis"):
                object.__setattr__(self, what, _numbers(what, getattr(self, what), 3))
            if self.kind in MOVING and not any(self.axis):
                raise FeatherError("its axis is zero")
            if self.limits is not None:
                low, high = _numbers("limits", self.limits, 2)
                if low > high:
                    raise FeatherError(f"its lower limit {float(low):g} is above the upper {float(high):g}")
                object.__setattr__(self, "limits", (low, high))
            for what in ("damping", "armature"):
                with naming(what):
                    object.__setattr__(self, what, exact(getattr(self, what)))
                if getattr(self, what) < 0:
                    raise FeatherError(f"its {what} is negative ({float(getattr(self, what)):g})")
            for what in ("velocity", "effort"):
                most = getattr(self, what)
                if most is not None and exact(most) < 0:
                    raise FeatherError(f"its largest {what} is negative ({float(exact(most)):g})")

    @property
    def moves(self) -> bool:
        """Whether it has a degree of freedom."""
        return self.kind in MOVING


@dataclass(frozen=True)
class Mechanism:
    """Bodies, and the joints that make a tree of them.

    The root is the only body that is no joint's child. It stands still, unless `floating`: then it moves
    freely. Moving joints are numbered in the order of the tree, depth first, siblings in the order of
    `joints`. `gravity` is its magnitude in m/s^2, along -z of the root, or of the world where the root
    floats. `held` are the joints that were locked. FeatherError unless the joints form one tree.
    """

    name: str
    bodies: Sequence[Body]
    joints: Sequence[Joint]
    floating: bool = False
    gravity: Number = STANDARD_GRAVITY
    notes: Sequence[str] = field(default=(), compare=False)
    held: Sequence[str] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        for what in ("bodies", "joints", "notes", "held"):
            object.__setattr__(self, what, tuple(getattr(self, what)))
        with naming("gravity"):
            object.__setattr__(self, "gravity", exact(self.gravity))
        with naming(f"mechanism {self.name}"):
            _check_tree(self.bodies, self.joints)
            if not self.moving:
                raise FeatherError("it has no joint that moves")

    @classmethod
    def from_urdf(
        cls,
        path: str | Path,
        *,
        floating: bool = False,
        gravity: Number = STANDARD_GRAVITY,
        name: str = "",
        damping: bool = False,
    ) -> Mechanism:
        """The mechanism of a URDF file; FeatherError names the line, the link or joint, and what is wrong.

        Joints are without damping unless `damping`.
        """
        from codegen.mechanisms.urdf import read_urdf

        made = read_urdf(Path(path), floating, gravity, name)
        return made if damping else made.undamped()

    def undamped(self) -> Mechanism:
        """The mechanism without the damping of its joints, which its notes then name."""
        damped = [j.name for j in self.moving if j.damping]
        joints = tuple(replace(j, damping=0) for j in self.joints)
        note = f"not modelled without --damping: damping of joint {some(damped)}" if damped else ""
        return replace(self, joints=joints, notes=(*self.notes, *filter(None, [note])))

    def with_armature(self, **armatures: Number) -> Mechanism:
        """The mechanism with these rotor inertias of joints, by their names."""
        self._check_moving(armatures)
        return replace(
            self,
            joints=tuple(
                replace(j, armature=armatures[j.name]) if j.name in armatures else j for j in self.joints
            ),
        )

    def _check_moving(self, names: Iterable[str]) -> None:
        moving = {j.name for j in self.moving}
        for name in names:
            if name not in moving:
                raise FeatherError(
                    f"mechanism {self.name}: there is no moving joint {name!r}; there are "
                    f"{', '.join(j.name for j in self.moving)}"
                )

    def locked(self, *names: str) -> Mechanism:
        """The mechanism with these joints fixed at zero; FeatherError when one of them does not move."""
        self._check_moving(names)
        joints = [replace(j, kind="fixed", limits=None) if j.name in names else j for j in self.joints]
        return replace(self, joints=tuple(joints), held=(*self.held, *names))

    @property
    def root(self) -> str:
        """The name of the body that is no joint's child."""
        children = {j.child for j in self.joints}
        return next(b.name for b in self.bodies if b.name not in children)

    @property
    def ordered(self) -> tuple[Joint, ...]:
        """All joints, each after that of its parent, depth first."""
        below: dict[str, list[Joint]] = {}
        for joint in self.joints:
            below.setdefault(joint.parent, []).append(joint)
        found, stack = [], list(reversed(below.get(self.root, [])))
        while stack:
            joint = stack.pop()
            found.append(joint)
            stack += reversed(below.get(joint.child, []))
        return tuple(found)

    @property
    def moving(self) -> tuple[Joint, ...]:
        """The joints that have a degree of freedom, in the order of q."""
        return tuple(j for j in self.ordered if j.moves)

    @property
    def leaves(self) -> tuple[str, ...]:
        """The bodies that no joint starts from."""
        parents = {j.parent for j in self.joints}
        return tuple(b.name for b in self.bodies if b.name not in parents)

    def body(self, name: str) -> Body:
        """A body by its name; FeatherError when there is none."""
        return _by_name(name, {b.name: b for b in self.bodies})


def some(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    return names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "")


def _by_name(name: str, bodies: Mapping[str, Body]) -> Body:
    import difflib

    if name not in bodies:
        near = difflib.get_close_matches(name, bodies, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise FeatherError(f"there is no link {name!r}{hint}")
    return bodies[name]


def _check_tree(bodies: Iterable[Body], joints: Iterable[Joint]) -> None:
    """FeatherError unless names are unique, joints know their bodies, and all hang from one root."""
    names = [b.name for b in bodies]
    _check_unique("link", names)
    _check_unique("joint", [j.name for j in joints])
    parent: dict[str, str] = {}
    for joint in joints:
        for end in (joint.parent, joint.child):
            if end not in names:
                raise FeatherError(f"joint {joint.name}: there is no link {end!r}")
        if joint.child in parent:
            raise FeatherError(f"joint {joint.name}: link {joint.child} is the child of another joint, too")
        parent[joint.child] = joint.parent
    roots = [n for n in names if n not in parent]
    if not names:
        raise FeatherError("it has no link")
    if len(roots) > 1:
        raise FeatherError(f"links {roots[0]} and {roots[1]} hang from no joint: a mechanism has one root")
    for name in names:
        _check_hangs(name, parent)


def _check_hangs(name: str, parent: Mapping[str, str]) -> None:
    seen = {name}
    while name in parent:
        name = parent[name]
        if name in seen:
            raise FeatherError(f"link {name} is its own ancestor: the joints form a loop")
        seen.add(name)


def _check_unique(what: str, names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise FeatherError(f"two {what}s are called {name}")
        seen.add(name)
