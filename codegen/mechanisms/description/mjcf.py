"""Reads the bodies and joints of an MJCF file, MuJoCo's format; errors have their line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from codegen.errors import FeatherError
from codegen.mechanisms.description.free import free_joints
from codegen.mechanisms.description.geoms import SIZES, Lump, lump, principal, together, volume
from codegen.mechanisms.description.joints import Joint
from codegen.mechanisms.description.mechanism import MOST_BODIES, STANDARD_GRAVITY, Body, Mechanism, some
from codegen.mechanisms.description.orientation import (
    about,
    along,
    decimals,
    from_axes,
    matrix,
    product,
    radians,
    rpy,
    unit_quaternion,
    vector,
)
from codegen.mechanisms.description.written import Number, exact
from codegen.modeling.types.algebra import Mat3, SymMat3, Vec3
from codegen.modeling.xml import Element, of_file, read_xml

_COMPILE = ("include", "frame", "replicate", "attach", "composite", "flexcomp")
"""Elements that MuJoCo expands; a file that it has saved has none of them."""

_KINDS = {"hinge": "revolute", "slide": "prismatic", "ball": "spherical"}

_UNMODELLED = ("actuator", "tendon", "contact", "deformable")
"""Sections of a file whose forces are not modelled."""

_ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")

_WHOLE = "settotalmass", "boundmass", "boundinertia"
"""Options of <compiler> that change masses."""

_FLUID = "density", "viscosity"
"""What <option> says of the medium, whose forces are not modelled."""

_WORDS = {
    "angle": ("degree", "radian"),
    **dict.fromkeys(("limited", "actuatorfrclimited"), ("auto", "true", "false")),
}
"""The words that an attribute may have."""


def read_mjcf(path: Path, gravity: Number | None, name: str) -> Mechanism:
    """The mechanism of an MJCF file; FeatherError names the line, the body or joint, and what is wrong.

    Gravity is that of the file where None. One body of the world with a free joint is a floating base.
    """
    root = read_xml(path)
    if root.tag != "mujoco":
        raise FeatherError(
            f"{path}:{root.line}: the root element is <{root.tag}>, but that of an MJCF file is <mujoco>"
        )
    reader = _Reader(path, root)
    reader.read()
    called = name or root.attributes.get("model", "") or path.stem
    notes = [*(b.doubt for b in reader.bodies if b.doubt), *reader.notes()]
    own = reader.gravity() if gravity is None else gravity
    there = root.all("worldbody")
    parts = {
        "link": [part for world in there for tag in ("body", "site") for part in world.below(tag)],
        "joint": [part for world in there for part in world.below("joint")],
    }
    with of_file(path, parts):
        return Mechanism(called, reader.bodies, reader.joints, reader.floating, own, notes)


@dataclass
class _Reader:
    """Reads one file: the bodies and joints that it has found so far."""

    path: Path
    root: Element
    bodies: list[Body] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    floating: bool = False
    sprung: list[str] = field(default_factory=list)
    coupled: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    lifted: list[str] = field(default_factory=list)
    unfelt: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    free: list[str] = field(default_factory=list)

    def read(self) -> None:
        """Read the bodies of the world."""
        for tag in _COMPILE:
            for element in self.root.below(tag):
                with self._at(element, f"<{tag}>"):
                    raise FeatherError(
                        "MuJoCo expands this element: load the file there and save it (mj_saveLastXML)"
                    )
        self._check_compiler()
        worlds = self.root.all("worldbody")
        top = [body for world in worlds for body in world.all("body")]
        if len(top) == 1 and _is_free(top[0]):
            self.floating = True
            self._release(top[0])
            self._body(top[0], None, None)
        else:
            self.bodies.append(Body("world"))
            for body in top:
                self._body(body, "world", None)
        self._couple()

    def _release(self, body: Element) -> None:
        """Note the losses and the rotors of a free joint, which a class may give it."""
        for joint in body.all("joint"):
            with self._at(joint, "joint"):
                given = self._attributes(joint, body.attributes.get("childclass"))
                losses = ("damping", "armature", "frictionloss")
                self.unfelt += [n for n in losses if given.get("type") == "free" and _number(given, n)]

    def _couple(self) -> None:
        """Let joints follow others where an equality says so, or hold them at zero."""
        for element in (e for section in self.root.all("equality") for e in section.children):
            with self._at(element, "equality"):
                given = self._attributes(element, None)
                if given.get("active", "true") == "true" and not self._follow(element.tag, given):
                    self.ignored.append(element.tag)

    def _follow(self, tag: str, given: Mapping[str, str]) -> bool:
        """Whether an equality lets a joint follow another by a factor, or holds it at its zero."""
        if tag != "joint":
            return False
        stated = [exact(x) for x in given.get("polycoef", "").split()]
        start, factor, *curved = [*stated, *map(Fraction, (0, 1, 0, 0, 0)[len(stated) :])]
        known = {j.name: k for k, j in enumerate(self.joints)}
        if "joint1" not in given:
            raise FeatherError("it names no joint1")
        ends = [given[n] for n in ("joint1", "joint2") if n in given]
        for name in ends:
            if name not in known:
                raise FeatherError(f"there is no joint {name}")
        joint, *leader = (self.joints[known[name]] for name in ends)
        if leader and factor and not any(curved):
            offset = start + factor * exact(leader[0].offset)
            made = replace(joint, mimic=leader[0].name, multiplier=factor, offset=offset, limits=None)
        elif not leader and not start:
            made = replace(joint, kind="fixed", offset=0, limits=None)
        else:
            return False
        self.joints[known[joint.name]] = made
        self.coupled.append(joint.name)
        return True

    def _check_compiler(self) -> None:
        for compiler in self.root.all("compiler"):
            with self._at(compiler, "<compiler>"):
                for option in _WHOLE:
                    if _number(compiler.attributes, option) > 0:
                        raise FeatherError(f"{option} changes masses: save the model from MuJoCo first")
                given = compiler.attributes
                for option, plain in (("inertiagrouprange", None), ("balanceinertia", "false")):
                    if given.get(option, plain) != plain:
                        raise FeatherError(f"{option} changes inertias: save the model from MuJoCo first")
                _check_word(given, "angle")
                if compiler.attributes.get("coordinate", "local") != "local":
                    raise FeatherError("coordinates other than local are not read")

    def _option(self, name: str, default: str) -> str:
        """An option of <compiler>: the last one counts."""
        given = [c.attributes[name] for c in self.root.all("compiler") if name in c.attributes]
        return given[-1].strip() if given else default

    def gravity(self) -> Fraction:
        """The magnitude of gravity, which has to be along -z; FeatherError when it is not."""
        options = self.root.all("option")
        flags = [flag.attributes.get("gravity", "enable") for o in options for flag in o.all("flag")]
        if "disable" in flags[-1:]:
            return Fraction(0)
        for option in reversed(options):
            if "gravity" in option.attributes:
                with self._at(option, "<option>"):
                    x, y, z = _numbers(option.attributes, "gravity", 3)
                    if x or y or z > 0:
                        raise FeatherError("gravity is not along -z: state its magnitude with --gravity")
                    return -z
        return STANDARD_GRAVITY

    def notes(self) -> Iterator[str]:
        """What the file states that is not modelled."""
        if self.sprung:
            yield f"not modelled: stiffness of joint {some(self.sprung)}"
        if self.unread:
            yield f"no limit here: {some(self.unread)}"
        if self.lifted:
            yield f"not modelled: gravcomp of body {some(self.lifted)}"
        if self.unfelt:
            yield f"not modelled: {', '.join(self.unfelt)} of the free joint"
        if any(_number(o.attributes, n) for o in self.root.all("option") for n in _FLUID):
            yield "not modelled: forces of the medium"
        if self.free:
            yield f"on slides and a spherical joint, as it moves freely: body {some(self.free)}"
        if self.coupled:
            yield f"equality of joint {some(self.coupled)}: it holds exactly, which it does softly in MuJoCo"
        if self.ignored:
            kinds = ", ".join(f"<{tag}>" for tag in dict.fromkeys(self.ignored))
            yield f"not modelled: equality of kind {kinds}"
        found = [tag for tag in _UNMODELLED if any(e.children for e in self.root.all(tag))]
        if found:
            yield f"not modelled: {', '.join(f'<{tag}>' for tag in found)}"

    @contextmanager
    def _at(self, element: Element, what: str) -> Iterator[None]:
        """Put the file, the line and the element before an error's message."""
        name = element.attributes.get("name", "")
        try:
            yield
        except FeatherError as error:
            called = f"{what} {name}".strip()
            if str(error).startswith(str(self.path)):
                raise
            message = str(error).removeprefix(f"{called}: ").removeprefix(f"link {name}: ")
            raise FeatherError(f"{self.path}:{element.line}: {called}: {message}") from None

    # Attributes

    def _attributes(self, element: Element, inherited: str | None) -> dict[str, str]:
        """The attributes of an element, and those that its class gives it."""
        wanted = element.attributes.get("class", inherited or "main")
        classes = self._classes(element.tag)
        if wanted not in classes and wanted != "main":
            raise FeatherError(f"there is no default class {wanted!r}")
        return {**classes.get(wanted, {}), **element.attributes}

    def _classes(self, tag: str) -> dict[str, dict[str, str]]:
        """What each default class says of elements with this tag."""
        found: dict[str, dict[str, str]] = {}

        def visit(default: Element, above: Mapping[str, str]) -> None:
            own = dict(above)
            for element in default.all(tag):
                own |= element.attributes
            found[default.attributes.get("class", "main")] = own
            for child in default.all("default"):
                visit(child, own)

        for default in self.root.all("default"):
            visit(default, {})
        return found

    def _angle(self, x: Fraction) -> Fraction:
        """An angle of the file in radians."""
        return x if self._option("angle", "degree") == "radian" else radians(x)

    def _rotation(self, given: Mapping[str, str]) -> Mat3 | None:
        """The orientation of a frame; None where it is that of its parent."""
        stated = [n for n in _ORIENTATIONS if n in given]
        if len(stated) > 1:
            raise FeatherError(f"it has two orientations, {stated[0]} and {stated[1]}")
        match stated:
            case ["quat"]:
                return matrix(unit_quaternion(_numbers(given, "quat", 4)))
            case ["axisangle"]:
                *axis, angle = _numbers(given, "axisangle", 4)
                return matrix(about(axis, self._angle(angle)))
            case ["zaxis"]:
                return matrix(along(vector(_numbers(given, "zaxis", 3))))
            case ["euler"]:
                return self._euler(_numbers(given, "euler", 3))
            case ["xyaxes"]:
                numbers = _numbers(given, "xyaxes", 6)
                return from_axes(vector(numbers[:3]), vector(numbers[3:]))
        return None

    def _euler(self, angles: Sequence[Fraction]) -> Mat3:
        """Turns about the axes that `eulerseq` names: small letters are axes that turn, others are fixed."""
        sequence = self._option("eulerseq", "xyz")
        if len(sequence) != 3 or set(sequence.lower()) - set("xyz"):
            raise FeatherError(f"eulerseq={sequence[:10]!r} is not three of the letters x, y, z, X, Y, Z")
        whole = unit_quaternion([Fraction(x) for x in (1, 0, 0, 0)])
        for letter, angle in zip(sequence, angles, strict=True):
            turn = about([Fraction(int(letter.lower() == x)) for x in "xyz"], self._angle(angle))
            whole = product(whole, turn) if letter.islower() else product(turn, whole)
        return matrix(whole)

    def _placed(self, given: Mapping[str, str]) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Position, and roll, pitch and yaw, of a frame."""
        R = self._rotation(given)
        zero = (Fraction(0),) * 3
        return _numbers(given, "pos", 3) if "pos" in given else zero, zero if R is None else rpy(R)

    # Bodies

    def _body(self, element: Element, parent: str | None, inherited: str | None) -> None:
        """A body with its joints, sites and children; the root, where it floats, has no parent."""
        if len(self.bodies) >= MOST_BODIES:
            raise FeatherError(f"{self.path}: it has more than {MOST_BODIES} bodies")
        name = element.attributes.get("name", f"body{len(self.bodies)}")
        inherited = element.attributes.get("childclass", inherited)
        with self._at(element, "body"):
            if parent is not None:
                self._arrive(element, parent, name, inherited)
            self.bodies.append(Body(name, *self._inertial(element, inherited)))
            if _number(element.attributes, "gravcomp"):
                self.lifted.append(name)
            for k, site in enumerate(element.all("site")):
                if "name" in site.attributes:
                    called = site.attributes["name"]
                    self.bodies.append(Body(called))
                    place = self._placed(self._attributes(site, inherited))
                    self.joints.append(Joint(f"{name}.site{k}", "fixed", name, called, *place))
        for child in element.all("body"):
            self._body(child, name, inherited)

    def _arrive(self, element: Element, parent: str, name: str, inherited: str | None) -> None:
        """The joints from the parent to a body: each turns it about an anchor in the body's frame."""
        if _is_free(element):
            self._fly(element, parent, name)
            return
        given = self._placed(element.attributes)
        joints = element.all("joint") + element.all("freejoint")
        before, at, turned = parent, given[0], given[1]
        offset = Vec3(Fraction(0), Fraction(0), Fraction(0))
        for k, joint in enumerate(joints):
            with self._at(joint, "joint"):
                stated = self._attributes(joint, inherited)
                anchor = Vec3(*(_numbers(stated, "pos", 3) if "pos" in stated else (Fraction(0),) * 3))
                last = k + 1 == len(joints) and not any(anchor.scalars())
                child = name if last else f"{name}.{k}"
                shift = anchor - offset
                xyz = decimals(vector(at) + _turned(turned, shift)) if any(turned) else _sum(at, shift)
                self.joints.append(self._joint(joint, stated, f"{name}_{k}", before, child, (xyz, turned)))
                if not last:
                    self.bodies.append(Body(child))
                before, at, turned, offset = child, (Fraction(0),) * 3, (Fraction(0),) * 3, anchor
        if before != name:
            xyz = _sum(at, Vec3.zero() - offset) if joints else at
            self.joints.append(Joint(f"{name}.frame", "fixed", before, name, xyz, turned))

    def _fly(self, element: Element, parent: str, name: str) -> None:
        """The joints to a body that moves freely beside others, from the origin of the world."""
        joint, *others = element.all("joint") + element.all("freejoint")
        with self._at(joint, "joint"):
            if parent != "world":
                raise FeatherError("only a body of the world can move freely")
            if others:
                raise FeatherError("a body that moves freely has no other joint")
        self._release(element)
        bodies, joints = free_joints(joint.attributes.get("name", f"{name}_free"), parent, name)
        self.bodies += bodies
        self.joints += joints
        self.free.append(name)

    def _joint(
        self,
        element: Element,
        given: Mapping[str, str],
        unnamed: str,
        parent: str,
        child: str,
        place: tuple[Sequence[Number], Sequence[Number]],
    ) -> Joint:
        kind = "free" if element.tag == "freejoint" else given.get("type", "hinge")
        if kind not in _KINDS:
            raise FeatherError(f"joints of type {kind} cannot be generated; known are {', '.join(_KINDS)}")
        name, turns = element.attributes.get("name", unnamed), kind == "hinge"

        def angular(x: Fraction) -> Fraction:
            return self._angle(x) if turns else x

        if given.get("stiffness", "0").strip(" 0."):
            self.sprung.append(name)
        if kind == "ball" and "range" in given and self._limited(given, "limited"):
            self.unread.append(f"range of the ball joint {name}")
        limits = None
        if kind != "ball" and "range" in given and self._limited(given, "limited"):
            limits = tuple(map(angular, _numbers(given, "range", 2)))
        axis = _numbers(given, "axis", 3) if "axis" in given else (0, 0, 1)
        return Joint(
            name, _KINDS[kind], parent, child, *place, axis, limits,  # type: ignore[arg-type]
            effort=self._effort(name, given), damping=_number(given, "damping"),
            armature=_number(given, "armature"), friction=_number(given, "frictionloss"),
            offset=-angular(_number(given, "ref")) if kind != "ball" else 0,
        )  # fmt: skip

    def _effort(self, name: str, given: Mapping[str, str]) -> Fraction | None:
        """The largest magnitude of what the actuators of a joint exert; None where none is stated."""
        if "actuatorfrcrange" not in given or not self._limited(given, "actuatorfrclimited"):
            return None
        low, high = _numbers(given, "actuatorfrcrange", 2)
        if low == -high:
            return high
        self.unread.append(f"actuatorfrcrange of joint {name}, whose ends differ in magnitude")
        return None

    def _limited(self, given: Mapping[str, str], word: str) -> bool:
        """Whether a range takes effect: the attribute of this name says so, or leaves it to a range."""
        _check_word(given, word)
        stated = given.get(word, "auto")
        return stated == "true" or (stated == "auto" and self._option("autolimits", "true") == "true")

    # Masses

    def _inertial(
        self, element: Element, inherited: str | None
    ) -> tuple[Fraction, Sequence[Fraction], Sequence[Fraction], Sequence[Fraction]]:
        """Mass, centre, inertia about the centre, and the angles of its axes."""
        inertial, geoms = element.one("inertial"), element.all("geom")
        source, zero = self._option("inertiafromgeom", "auto"), (Fraction(0),) * 3
        if inertial is not None and source != "true":
            given = inertial.attributes
            pos, angles = self._placed(given)
            if "mass" not in given:
                raise FeatherError("its <inertial> has no mass")
            return _number(given, "mass"), pos, _moments(given), angles
        lumps = [] if source == "false" else list(self._lumps(geoms, inherited))
        if not lumps:
            return Fraction(0), zero, (Fraction(0),) * 6, zero
        return *together(lumps), zero

    def _lumps(self, geoms: Iterable[Element], inherited: str | None) -> Iterator[Lump]:
        """The masses of geoms; FeatherError for a shape whose mass is not known."""
        for geom in geoms:
            with self._at(geom, "geom"):
                given = self._attributes(geom, inherited)
                kind = "mesh" if "mesh" in given else given.get("type", "sphere")
                mass = _number(given, "mass") if "mass" in given else None
                if mass == 0 or (mass is None and _number(given, "density", "1000") == 0) or kind == "plane":
                    continue
                if kind not in SIZES or given.get("shellinertia", "false") == "true":
                    raise FeatherError(
                        f"the inertia of a geom of type {kind} is not computed: give its body an <inertial>"
                    )
                size, p, R = self._shape(kind, given)
                m = volume(kind, size) * _number(given, "density", "1000") if mass is None else mass
                a, b, c = principal(kind, size, m)
                yield lump(m, SymMat3(a, Fraction(0), Fraction(0), b, Fraction(0), c), p, R)

    def _shape(self, kind: str, given: Mapping[str, str]) -> tuple[Sequence[Fraction], Vec3, Mat3]:
        """The sizes, place and orientation of a geom."""
        sizes = _words(given, "size")
        none = unit_quaternion([Fraction(x) for x in (1, 0, 0, 0)])
        if "fromto" not in given:
            if len(sizes) < SIZES[kind]:
                raise FeatherError(f"a {kind} has {SIZES[kind]} sizes")
            R = self._rotation(given)
            p = _numbers(given, "pos", 3) if "pos" in given else (Fraction(0),) * 3
            return sizes[: SIZES[kind]], vector(p), matrix(none) if R is None else R
        if kind == "sphere" or not sizes:
            raise FeatherError(f"fromto states no {kind} here")
        ends = _numbers(given, "fromto", 6)
        a, b = vector(ends[:3]), vector(ends[3:])
        length = decimals(Vec3((b - a).norm / 2, a.x * 0, a.x * 0))[0]
        whole = (sizes[0], length) if SIZES[kind] == 2 else (sizes[0], sizes[min(1, len(sizes) - 1)], length)
        return whole, (a + b) / 2, matrix(along(a - b))


def _is_free(body: Element) -> bool:
    return bool(body.all("freejoint")) or any(j.attributes.get("type") == "free" for j in body.all("joint"))


def _turned(angles: Sequence[Fraction], v: Vec3) -> Vec3:
    """A vector of a frame with these roll, pitch and yaw in its parent, in multiple precision."""
    roll, pitch, yaw = (
        about([Fraction(int(k == j)) for j in range(3)], angle) for k, angle in enumerate(angles)
    )
    return matrix(product(yaw, product(pitch, roll))) @ vector(v.scalars())


def _sum(a: Sequence[Fraction], b: Vec3) -> tuple[Fraction, ...]:
    return tuple(x + y for x, y in zip(a, b.scalars(), strict=True))


def _moments(given: Mapping[str, str]) -> tuple[Fraction, ...]:
    """[xx, xy, xz, yy, yz, zz] of <inertial>."""
    if "fullinertia" in given:
        if "diaginertia" in given:
            raise FeatherError("its <inertial> has both diaginertia and fullinertia")
        xx, yy, zz, xy, xz, yz = _numbers(given, "fullinertia", 6)
        return xx, xy, xz, yy, yz, zz
    if "diaginertia" not in given:
        raise FeatherError("its <inertial> has neither diaginertia nor fullinertia")
    a, b, c = _numbers(given, "diaginertia", 3)
    zero = Fraction(0)
    return a, zero, zero, b, zero, c


def _check_word(given: Mapping[str, str], name: str) -> None:
    """FeatherError unless an attribute, where it is given, has a word that it may have."""
    if given.get(name, _WORDS[name][0]).strip() not in _WORDS[name]:
        raise FeatherError(f"{name}={given[name][:20]!r} is none of {', '.join(_WORDS[name])}")


def _words(given: Mapping[str, str], name: str) -> list[Fraction]:
    try:
        return [exact(word) for word in given.get(name, "").split()]
    except FeatherError as error:
        raise FeatherError(f"{name}: {error}") from None


def _numbers(given: Mapping[str, str], name: str, count: int) -> tuple[Fraction, ...]:
    found = _words(given, name)
    if len(found) != count:
        raise FeatherError(f"{name}={given.get(name, '')[:40]!r} is not {count} numbers")
    return tuple(found)


def _number(given: Mapping[str, str], name: str, default: str = "0") -> Fraction:
    found = _words({name: default, **given}, name)
    if len(found) != 1:
        raise FeatherError(f"{name}={given[name][:40]!r} is not a number")
    return found[0]
