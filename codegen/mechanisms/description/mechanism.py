"""What a person writes: bodies and joints with decimal numbers, and the mechanism that they form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from codegen.errors import FeatherError, PartError, naming
from codegen.mechanisms.description.inputs import Inputs
from codegen.mechanisms.description.joints import SINGLE, Joint
from codegen.mechanisms.description.written import Number, check_legible, exact, exact_all
from codegen.modeling.types.physical import check_moments

STANDARD_GRAVITY = Fraction("9.81")

MOST_BODIES = 500
"""Bodies of a description that is read from a file."""


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
        check_legible("link", self.name)
        with naming(f"link {self.name}"):
            with naming("mass"):
                object.__setattr__(self, "mass", exact(self.mass))
            for what, count in (("centre", 3), ("inertia", 6), ("rpy", 3)):
                object.__setattr__(self, what, exact_all(what, getattr(self, what), count))
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
class Mechanism:
    """Bodies, and the joints that make a tree of them.

    The root is the only body that is no joint's child. It stands still, unless `floating`: then it moves
    freely. Coordinates are numbered in the order of the tree, depth first, siblings in the order of `joints`;
    joints that follow another have none of their own. `gravity` is its magnitude in m/s^2, along -z of the
    root, or of the world where the root floats. `held` are the joints that were locked, `inputs` what the
    functions take at run time. FeatherError unless the joints form one tree.
    """

    name: str
    bodies: Sequence[Body]
    joints: Sequence[Joint]
    floating: bool = False
    gravity: Number = STANDARD_GRAVITY
    notes: Sequence[str] = field(default=(), compare=False)
    held: Sequence[str] = field(default=(), compare=False)
    inputs: Inputs = field(default_factory=Inputs)

    def __post_init__(self) -> None:
        for what in ("bodies", "joints", "notes", "held"):
            object.__setattr__(self, what, tuple(getattr(self, what)))
        check_legible("robot", self.name)
        with naming("gravity"):
            object.__setattr__(self, "gravity", exact(self.gravity))
        with naming(f"mechanism {self.name}"):
            _check_tree(self.bodies, self.joints)
            _check_followers(self.joints)
            if not self.moving:
                raise FeatherError(
                    "it has no joint that moves; the library's module rigid_body has the dynamics of one body"
                )

    @classmethod
    def from_urdf(
        cls,
        path: str | Path,
        *,
        floating: bool = False,
        gravity: Number = STANDARD_GRAVITY,
        name: str = "",
        damping: bool = False,
        friction: Number | None = None,
    ) -> Mechanism:
        """The mechanism of a URDF file; FeatherError names the line, the link or joint, and what is wrong.

        Joints are without damping unless `damping`, and without Coulomb friction unless `friction` states its
        `creep` velocity.
        """
        from codegen.mechanisms.description.urdf import read_urdf

        made = read_urdf(Path(path), floating, gravity, name)
        return made.with_losses(damping, friction)

    @classmethod
    def from_mjcf(
        cls,
        path: str | Path,
        *,
        gravity: Number | None = None,
        name: str = "",
        damping: bool = False,
        friction: Number | None = None,
    ) -> Mechanism:
        """The mechanism of an MJCF file of MuJoCo; FeatherError names the line, the body or joint.

        Read are bodies with joints of type hinge, slide and ball, inertias (of bodies without <inertial>
        those of their primitive geoms), named sites as links, default classes and compiler options. A single
        body of the world with a free joint is a floating base. `gravity` is that of the file where None.
        Damping and friction (`frictionloss`) are as in `from_urdf`; the notes name what is not modelled.
        """
        from codegen.mechanisms.description.mjcf import read_mjcf

        return read_mjcf(Path(path), gravity, name).with_losses(damping, friction)

    def with_losses(self, damping: bool, friction: Number | None) -> Mechanism:
        """The mechanism with the damping of its joints and friction of this `creep`, or without them."""
        made = self if damping else self.undamped()
        return made.frictionless() if friction is None else made.with_creep(friction)

    def frictionless(self) -> Mechanism:
        """The mechanism without the friction of its joints, which its notes then name."""
        rubbing = [j.name for j in self.joints if j.friction]
        joints = tuple(replace(j, friction=0, creep=0) for j in self.joints)
        note = f"not modelled without --friction: friction of joint {some(rubbing)}" if rubbing else ""
        return replace(self, joints=joints, notes=(*self.notes, *filter(None, [note])))

    def with_creep(self, creep: Number) -> Mechanism:
        """The mechanism whose joints have friction times tanh(v / creep), or times sign(v) where it is 0.

        FeatherError for a creep velocity that is negative or no number.
        """
        with naming("the creep velocity of friction"):
            if exact(creep) < 0:
                raise FeatherError(f"it is negative ({float(exact(creep)):g})")
        return replace(self, joints=tuple(replace(j, creep=creep) if j.friction else j for j in self.joints))

    def undamped(self) -> Mechanism:
        """The mechanism without the damping of its joints, which its notes then name."""
        damped = [j.name for j in self.joints if j.damping]
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
        moving = {j.name for j in self.joints if j.moves}
        for name in names:
            if name not in moving:
                raise FeatherError(
                    f"mechanism {self.name}: there is no moving joint {name!r}; there are "
                    f"{', '.join(j.name for j in self.ordered if j.moves)}"
                )

    def locked(self, *names: str) -> Mechanism:
        """The mechanism with these joints, and those that follow them, fixed at zero.

        FeatherError when one of them does not move, or is not at its zero position there.
        """
        self._check_moving(names)
        held = [j for j in self.joints if j.name in names or j.mimic in names]
        for joint in held:
            if joint.offset:
                raise FeatherError(
                    f"mechanism {self.name}: joint {joint.name} cannot be locked, as it has an offset: turn "
                    "its frame by rpy instead"
                )
        joints = [
            replace(j, kind="fixed", limits=None, mimic="", multiplier=1) if j in held else j
            for j in self.joints
        ]
        return replace(self, joints=tuple(joints), held=(*self.held, *names))

    def with_inputs(self, inputs: Inputs) -> Mechanism:
        """The mechanism whose functions take these quantities at run time.

        Links whose inertia is an argument lose their own. FeatherError for a link that there is not, or that
        does not move.
        """
        with naming(f"mechanism {self.name}"):
            for name in inputs.links:
                if self.body(name).name in self.still:
                    raise FeatherError(f"link {name} does not move, so that nothing that acts on it matters")
        own = [
            replace(b, mass=0, centre=(0, 0, 0), inertia=(0,) * 6) if b.name in inputs.inertias else b
            for b in self.bodies
        ]
        return replace(self, bodies=tuple(own), inputs=inputs)

    @property
    def still(self) -> frozenset[str]:
        """The bodies that do not move: the root, unless it floats, and what is fixed to it."""
        found = set() if self.floating else {self.root}
        for joint in self.ordered:
            if joint.parent in found and not joint.moves:
                found.add(joint.child)
        return frozenset(found)

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
        """The joints with coordinates of their own, in their order."""
        return tuple(j for j in self.ordered if j.freedoms)

    @property
    def followers(self) -> tuple[Joint, ...]:
        """The joints that follow another, in their order."""
        return tuple(j for j in self.ordered if j.mimic)

    @property
    def balls(self) -> tuple[Joint, ...]:
        """The spherical joints, whose positions are quaternions."""
        return tuple(j for j in self.moving if j.kind == "spherical")

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The first place in v of each joint that moves: a joint that follows has that of the other."""
        found, count = dict[str, int](), 0
        for joint in self.moving:
            found[joint.name] = count
            count += joint.freedoms
        return found | {j.name: found[j.mimic] for j in self.joints if j.mimic}

    @property
    def count(self) -> int:
        """The number of velocities."""
        return sum(j.freedoms for j in self.moving)

    @property
    def rows(self) -> int:
        """The rows of the mass matrix: those of a base that floats, then the joints'."""
        return self.count + 6 * self.floating

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
                raise PartError.of("joint", joint.name, f"joint {joint.name}: there is no link {end!r}")
        if joint.child in parent:
            what = f"joint {joint.name}: link {joint.child} is the child of another joint, too"
            raise PartError.of("joint", joint.name, what)
        parent[joint.child] = joint.parent
    roots = [n for n in names if n not in parent]
    if not names:
        raise FeatherError("it has no link")
    if len(roots) > 1:
        what = f"links {roots[0]} and {roots[1]} hang from no joint: a mechanism has one root"
        raise PartError.of("link", roots[1], what)
    for name in names:
        _check_hangs(name, parent)


def _check_followers(joints: Sequence[Joint]) -> None:
    """FeatherError unless each joint that follows another follows one with a coordinate of its own."""
    known = {j.name: j for j in joints}
    for joint in joints:
        if not joint.mimic:
            continue
        if joint.mimic not in known:
            what = f"joint {joint.name} follows {joint.mimic}, but there is no such joint"
            raise PartError.of("joint", joint.name, what)
        other = known[joint.mimic]
        if other.mimic or other.kind not in SINGLE:
            what = f"follows {other.mimic} itself" if other.mimic else f"is {other.kind}"
            raise PartError.of(
                "joint",
                joint.name,
                f"joint {joint.name} follows {other.name}, which {what}: name a joint that has one "
                "coordinate of its own",
            )


def _check_hangs(name: str, parent: Mapping[str, str]) -> None:
    seen = {name}
    while name in parent:
        name = parent[name]
        if name in seen:
            raise PartError.of("link", name, f"link {name} is its own ancestor: the joints form a loop")
        seen.add(name)


def _check_unique(what: str, names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise PartError.of(what, name, f"two {what}s are called {name}: rename one")
        seen.add(name)
