"""Reads the aerodynamics of a JSBSim aircraft: the functions of its axes, in terms of inputs.

The metrics of the file are constants, and so are properties to which <aerodynamics> gives a value. Properties
that JSBSim derives from others, such as b/(2V), are formulas of these. All others are inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from codegen.aircraft.functions import Functions
from codegen.aircraft.tree import Node, Number, Operation, checked, product
from codegen.errors import FeatherError, naming
from codegen.modeling.files import exact_decimal
from codegen.modeling.xml import Element, read_xml

ALPHA, BETA = "aero/alpha-rad", "aero/beta-rad"

_FRAMES = {"": "", "BODY": "body", "WIND": "wind", "STABILITY": "stability"}

_PLACES = {
    "DRAG": (0, "wind"), "SIDE": (1, ""), "LIFT": (2, "wind"),
    "AXIAL": (0, "axial"), "NORMAL": (2, "axial"),
    "X": (0, "body"), "Y": (1, "body"), "Z": (2, "body"),
    "ROLL": (3, "body"), "PITCH": (4, "body"), "YAW": (5, "body"),
}  # fmt: skip
"""The place of each axis among forces and moments, and the frame that its name implies."""


@dataclass(frozen=True)
class Part:
    """A function of an axis: its place among forces and moments, its name and formula.

    A force that is applied `at_cg` makes no moment about the centre of mass.
    """

    place: int
    name: str
    formula: Node
    at_cg: bool


@dataclass(frozen=True)
class Aerodynamics:
    """Forces and moments of an aircraft: the parts of each axis, their frames, and the inputs by property.

    `shift` is the displacement of the reference point aft, in feet.
    """

    parts: tuple[Part, ...]
    force_frame: str
    moment_frame: str
    shift: Node | None
    inputs: Mapping[str, str]
    units: Mapping[str, str]


def read_aerodynamics(path: Path, units: Mapping[str, str]) -> Aerodynamics:
    """The aerodynamics of a JSBSim file; FeatherError names the file, the line and what is wrong."""
    root = read_xml(path)
    section = _section(root, path)
    defined = {f.attributes.get("name", ""): f for f in section.below("function")}
    known = {**_derived(), **_constants(section.all("property"), path), **_metrics(root.one("metrics"), path)}
    functions = Functions(str(path), defined, known, units)
    functions.property(ALPHA), functions.property(BETA)
    parts, frames = [], {"force": "", "moment": ""}
    for axis in section.all("axis"):
        with naming(f"{path}:{axis.line}"):
            place, frame = _axis(axis)
            kind = "moment" if place > 2 else "force"
            if frame and frames[kind] not in ("", frame):
                raise FeatherError(f"its {kind}s are in axes of {frames[kind]} and of {frame}; one is needed")
        frames[kind] = frame or frames[kind]
        parts += [_part(functions, place, f) for f in axis.all("function")]
    if not parts:
        raise FeatherError(f"{path}: its <aerodynamics> has no <axis> with a <function>")
    shift = _shift(functions, section.one("aero_ref_pt_shift_x"))
    return Aerodynamics(
        tuple(parts), frames["force"] or "wind", frames["moment"], shift, dict(functions.inputs), dict(units)
    )


def _section(root: Element, path: Path) -> Element:
    section = root if root.tag == "aerodynamics" else root.one("aerodynamics")
    if section is None:
        raise FeatherError(f"{path} has no <aerodynamics>: it is no aircraft of JSBSim")
    if "file" in section.attributes:
        raise FeatherError(f"{path}: its aerodynamics are in {section.attributes['file']}: name that file")
    return section


def _axis(axis: Element) -> tuple[int, str]:
    """The place and frame of an <axis>."""
    name, frame = axis.attribute("name"), axis.attributes.get("frame", "")
    if name not in _PLACES or frame not in _FRAMES:
        raise FeatherError(f"axis {name} {frame} is unknown".replace("  ", " "))
    place, own = _PLACES[name]
    return place, _FRAMES[frame] or own


def _part(functions: Functions, place: int, element: Element) -> Part:
    name = element.attributes.get("name", "")
    formula = functions.property(name) if name in functions.defined else functions.of(element)
    return Part(place, name.rpartition("/")[2], formula, element.attributes.get("apply_at_cg") == "true")


def _shift(functions: Functions, element: Element | None) -> Node | None:
    """The shift of the reference point aft, in feet: the file has it in chords."""
    if element is None:
        return None
    function = element.one("function")
    if function is None:
        raise FeatherError(f"{functions.path}:{element.line}: <aero_ref_pt_shift_x> has no <function>")
    return product(functions.of(function), functions.property("metrics/cbarw-ft"))


_Known = dict[str, Callable[[Functions], Node]]


def _derived() -> _Known:
    """The properties that JSBSim derives from others."""
    two = Number(Fraction(2))

    def of(operation: str, *properties: str) -> Callable[[Functions], Node]:
        return lambda f: checked(operation, [f.property(p) for p in properties])

    def over_twice_the_speed(length: str) -> Callable[[Functions], Node]:
        return lambda f: Operation(
            "quotient", (f.property(length), product(two, f.property("velocities/vt-fps")))
        )

    return {
        "aero/alpha-deg": of("todegrees", ALPHA),
        "aero/beta-deg": of("todegrees", BETA),
        "aero/mag-beta-rad": of("abs", BETA),
        "aero/mag-beta-deg": of("abs", "aero/beta-deg"),
        "aero/qbar-area": of("product", "aero/qbar-psf", "metrics/Sw-sqft"),
        "aero/alpha-wing-rad": of("sum", ALPHA, "metrics/iw-rad"),
        "aero/bi2vel": over_twice_the_speed("metrics/bw-ft"),
        "aero/ci2vel": over_twice_the_speed("metrics/cbarw-ft"),
    }


def _number(value: Fraction) -> Callable[[Functions], Node]:
    node = Number(value)
    return lambda _: node


def _constants(properties: list[Element], path: Path) -> _Known:
    """The properties to which <aerodynamics> gives a value."""
    found: _Known = {}
    for element in properties:
        if "value" in element.attributes:
            with naming(f"{path}:{element.line}"):
                found[element.text.strip()] = _number(exact_decimal(element.attributes["value"]))
    return found


_METRICS = {
    "wingarea": ("metrics/Sw-sqft", "FT2"), "wingspan": ("metrics/bw-ft", "FT"),
    "chord": ("metrics/cbarw-ft", "FT"), "htailarea": ("metrics/Sh-sqft", "FT2"),
    "htailarm": ("metrics/lh-ft", "FT"), "vtailarea": ("metrics/Sv-sqft", "FT2"),
    "vtailarm": ("metrics/lv-ft", "FT"), "wing_incidence": ("metrics/iw-rad", "RAD"),
}  # fmt: skip
"""The property and unit of each number among the metrics."""

_LENGTHS = {"FT": Fraction(1), "IN": Fraction(1, 12), "M": 1 / Fraction("0.3048")}


def _metrics(element: Element | None, path: Path) -> _Known:
    """The metrics of the wing and tail, in feet; those that are missing are inputs."""
    found: _Known = {}
    for child in element.children if element else []:
        if child.tag in _METRICS:
            name, unit = _METRICS[child.tag]
            with naming(f"{path}:{child.line}"):
                number = exact_decimal(child.text.strip())
                found[name] = _in_feet(number, child.attributes.get("unit", unit), unit)
    if element is not None:
        found.setdefault("metrics/iw-rad", _number(Fraction(0)))
    return found


def _in_feet(number: Fraction, given: str, unit: str) -> Callable[[Functions], Node]:
    """A number in feet, square feet or radians."""
    if unit == "RAD" and given == "DEG":
        return lambda _: checked("toradians", [Number(number)])
    factors = {f"{n}2": x**2 for n, x in _LENGTHS.items()} if unit == "FT2" else _LENGTHS
    if unit == "RAD":
        factors = {"RAD": Fraction(1)}
    if given not in factors:
        raise FeatherError(f"its unit is {given}, but can be {', '.join(factors)}")
    return _number(number * factors[given])
