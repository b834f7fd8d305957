"""A robot as its tree's manifest records it: description, options and functions; it is made again from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from decimal import Decimal, InvalidOperation, localcontext
from fractions import Fraction
from typing import Any

from codegen.errors import FeatherError
from codegen.mechanisms.description.inputs import Inputs
from codegen.mechanisms.description.joints import Joint
from codegen.mechanisms.description.mechanism import Body, Mechanism
from codegen.mechanisms.description.written import Number, exact

Record = Mapping[str, Any]

_LEGIBLE = 9
"""Powers of ten below which a number is shown without an exponent."""

_BODY = ("mass", "centre", "inertia", "rpy")
_JOINT = (
    "xyz", "rpy", "axis", "limits", "velocity", "effort", "damping", "armature", "friction", "creep",
    "offset", "multiplier", "axis2", "pitch",
)  # fmt: skip


def record_of(
    mechanism: Mechanism, functions: Sequence[str], frames: Sequence[str], snap: Number, layout: str
) -> Record:
    """The record of a robot: JSON values, with numbers as their decimals.

    `layout` is that of its functions, empty where all have straight lines.
    """
    return {
        "name": mechanism.name,
        "floating": mechanism.floating,
        "gravity": number_text(mechanism.gravity),
        "locked": list(mechanism.held),
        "snap": number_text(snap),
        **_inputs(mechanism.inputs),
        "damping": any(j.damping for j in mechanism.joints),
        **_friction(mechanism),
        **({"layout": layout} if layout else {}),
        "functions": list(functions),
        "frames": list(frames),
        "bodies": [{"name": b.name, **_fields(b, _BODY)} for b in mechanism.bodies],
        "joints": [
            {
                "name": j.name,
                "kind": j.kind,
                "parent": j.parent,
                "child": j.child,
                **({"mimic": j.mimic} if j.mimic else {}),
                **_fields(j, _JOINT),
            }
            for j in mechanism.joints
        ],
    }


def _friction(mechanism: Mechanism) -> dict[str, str]:
    """The creep velocity that its friction has, if it has friction."""
    creeps = [number_text(j.creep) for j in mechanism.joints if j.friction]
    return {"friction": creeps[0]} if creeps else {}


def _inputs(inputs: Inputs) -> dict[str, Any]:
    """What its functions take at run time, if they take anything."""
    found = {n: x if isinstance(x, bool) else list(x) for n, x in asdict(inputs).items() if x}
    return {"inputs": found} if found else {}


def _inputs_of(record: Record) -> Inputs:
    found = record.get("inputs", {})
    links = {
        n: tuple(map(str, found[n])) for n in ("forces", "payloads", "inertias", "contacts") if n in found
    }
    return Inputs(gravity=bool(found.get("gravity", False)), **links)


def mechanism_of(record: Record) -> Mechanism:
    """The mechanism that a record describes; FeatherError when it is damaged."""
    try:
        bodies = [Body(str(b["name"]), **{n: _read(b[n]) for n in _BODY if n in b}) for b in record["bodies"]]
        joints = [
            Joint(str(j["name"]), str(j["kind"]), str(j["parent"]), str(j["child"]),
                  mimic=str(j.get("mimic", "")), **{n: _read(j[n]) for n in _JOINT if n in j})
            for j in record["joints"]
        ]  # fmt: skip
        made = Mechanism(
            str(record["name"]), bodies, joints, bool(record["floating"]), _read(record["gravity"])
        )
        return replace(made, held=tuple(map(str, record["locked"]))).with_inputs(_inputs_of(record))
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise FeatherError(f"the robot that it records is damaged ({error}): generate it again") from None


def number_text(number: Number) -> str:
    """A number as its decimal where it has one, else as a quotient."""
    x = exact(number)
    rest = x.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest > 1:
        return str(x)
    with localcontext() as context:
        context.prec = len(str(x.numerator)) + x.denominator.bit_length() + 1
        decimal = Decimal(x.numerator) / Decimal(x.denominator)
    return str(decimal.normalize() if x else 0)


def _fields(of: Any, names: Iterable[str]) -> dict[str, Any]:
    """The fields of these names that are not as in a body or joint without them."""
    own = {n: getattr(of, n) for n in names}
    plain = type(of).__dataclass_fields__
    return {n: _text(x) for n, x in own.items() if x is not None and not _same(x, plain[n].default)}


def _same(x: Any, default: Any) -> bool:
    return tuple(x) == tuple(default) if isinstance(x, tuple) and isinstance(default, tuple) else x == default


def _text(x: Any) -> Any:
    return [number_text(a) for a in x] if isinstance(x, tuple) else number_text(x)


def _read(x: Any) -> Any:
    if isinstance(x, list):
        return tuple(map(_read, x))
    text = str(x)
    return Fraction(text) if "/" in text else exact(text)


def changes(old: Record, new: Record) -> list[str]:
    """What has changed in the description of a robot, one line for each value: `joint elbow: xyz ...`."""
    found = _values("", old, new, ("gravity", "floating", "locked", "snap", "inputs", "layout", "frames"))
    for what, part in (("link", "bodies"), ("joint", "joints")):
        before, after = ({str(x["name"]): x for x in record[part]} for record in (old, new))
        for name in before.keys() | after.keys():
            called = f"{what} {name}"
            if name not in after or name not in before:
                found.append(f"{called} is {'new' if name in after else 'gone'}")
            else:
                names = list(dict.fromkeys([*before[name], *after[name]]))
                found += _values(f"{called}: ", before[name], after[name], names)
    return sorted(found)


def _values(where: str, old: Record, new: Record, names: Sequence[str]) -> list[str]:
    return [
        f"{where}{n}: {_shown(old.get(n))} -> {_shown(new.get(n))}" for n in names if old.get(n) != new.get(n)
    ]


def _shown(x: Any) -> str:
    if isinstance(x, list):
        return " ".join(map(_shown, x)) or "none"
    return "default" if x is None else _legible(str(x))


def _legible(text: str) -> str:
    """A text; of a number that is recorded as 6E+1 that of 60, where it is short."""
    with suppress(InvalidOperation):
        if "E+" in text and (number := Decimal(text)).adjusted() < _LEGIBLE:
            return f"{number:f}"
    return text


def recorded(manifest: Mapping[str, Any]) -> list[Record]:
    """The records of robots in a manifest; FeatherError when they are damaged."""
    records = manifest.get("robots", [])
    form = {"name": str, "floating": bool, "gravity": str, "locked": list, "snap": str, "damping": bool,
            "functions": list, "frames": list, "bodies": list, "joints": list}  # fmt: skip
    for record in records if isinstance(records, list) else [records]:
        if not isinstance(record, dict) or any(not isinstance(record.get(n), t) for n, t in form.items()):
            raise FeatherError("manifest.json: the robot that it records is damaged: generate it again")
        if not all(isinstance(x, str) for n in ("locked", "functions", "frames") for x in record[n]):
            raise FeatherError(
                "manifest.json: a name that it records of a robot is damaged: generate it again"
            )
        parts = [*record["bodies"], *record["joints"]]
        if not all(isinstance(p, dict) and isinstance(p.get("name"), str) for p in parts):
            raise FeatherError("manifest.json: a link or joint that it records is damaged: generate it again")
    return list(records)
