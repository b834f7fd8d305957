"""Reads what the manifest of an untrusted tree declares of the arguments of functions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple


def declared_ranges(manifest: str | bytes) -> dict[str, dict[str, Any]]:
    """For each function, the ranges of its arguments by name, as the manifest writes them.

    A damaged manifest declares no range.
    """
    try:
        functions = json.loads(manifest)["functions"]
        return {
            str(f["symbol"]): {str(a["name"]): a["range"] for a in f["arguments"] if "range" in a}
            for f in functions
        }
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}


POSITIVE_NUMBER = "positive"
"""The kind of a scalar that must be positive."""


def declared_kinds(manifest: str | bytes) -> dict[str, dict[str, str]]:
    """For each function, the types of its arguments by name, such as UnitQuaternion, and of their members.

    A damaged manifest declares none.
    """
    try:
        functions = json.loads(manifest)["functions"]
        return {str(f["symbol"]): dict(_kinds(f["arguments"])) for f in functions}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _kinds(arguments: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for a in arguments:
        if "kind" in a:
            yield str(a["name"]), str(a["kind"])
        yield from ((f"{a['name']}.{member}", str(kind)) for member, kind in a.get("members", {}).items())
        yield from ((str(scalar), POSITIVE_NUMBER) for scalar in a.get("positive", ()))


class Quantity(NamedTuple):
    """What the manifest says of an argument: unit, frame, and the shape of an array of known extents."""

    unit: str
    frame: str
    shape: tuple[int, ...]


def declared_quantities(manifest: str | bytes) -> dict[str, dict[str, Quantity]]:
    """For each function, its arguments by name; a damaged manifest declares none."""
    try:
        functions = json.loads(manifest)["functions"]
        return {str(f["symbol"]): {str(a["name"]): _quantity(a) for a in f["arguments"]} for f in functions}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        return {}


def _quantity(argument: Mapping[str, Any]) -> Quantity:
    """The quantity of an argument; an extent that is an argument of a loop is a name."""
    extents = argument["shape"]
    known = not any(isinstance(extent, str) for extent in extents)
    return Quantity(str(argument["unit"]), str(argument["frame"]), tuple(map(int, extents)) if known else ())


def declared_contracts(manifest: str | bytes) -> dict[str, dict[str, str]]:
    """For each function, what its manifest tells callers: of each argument, and its equation.

    A damaged manifest tells nothing, and a damaged entry nothing of its function.
    """
    try:
        functions = json.loads(manifest)["functions"]
        return {str(f["symbol"]): _contract(f) for f in functions}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


_KIND, _POSITIVE, PRECONDITION = "the kind of ", "what must be positive in ", "the precondition"
_MEMBERS = "the kinds of the members of "


def is_kind(what: str) -> bool:
    """Whether a statement of a contract tells which values an argument can have by its type."""
    return what.startswith((_KIND, _POSITIVE, _MEMBERS))


def comparable(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """The new statements without those that the old manifest does not make as it is of an earlier version.

    A manifest of this version says of each argument what must be positive in it, and of each structure what
    its members are.
    """
    is_recent = any(what.startswith(_POSITIVE) for what in old)
    knows_members = any(what.startswith(_MEMBERS) for what in old)
    return {
        what: text
        for what, text in new.items()
        if what in old or not _is_recent(what) or (knows_members if what.startswith(_MEMBERS) else is_recent)
    }


def _is_recent(what: str) -> bool:
    return is_kind(what) or what == PRECONDITION


def _contract(function: dict[str, Any]) -> dict[str, str]:
    try:
        return _told(function)
    except (KeyError, TypeError, AttributeError):
        return {}


def _told(function: dict[str, Any]) -> dict[str, str]:
    arguments = {
        f"argument {a['name']}": f"{a['doc']}, {a['frame']} [{a['unit']}]" for a in function["arguments"]
    }
    kinds = {f"{_KIND}{a['name']}": str(a["kind"]) for a in function["arguments"] if "kind" in a}
    positive = {
        f"{_POSITIVE}{a['name']}": ", ".join(map(str, a["positive"])) or "none"
        for a in function["arguments"]
        if "positive" in a
    }
    members = {
        f"{_MEMBERS}{a['name']}": ", ".join(f"{m} {kind}" for m, kind in a["members"].items()) or "none"
        for a in function["arguments"]
        if "members" in a
    }
    requires = {PRECONDITION: str(function["requires"])} if "requires" in function else {}
    return {
        **arguments,
        **kinds,
        **positive,
        **members,
        **requires,
        "the equation": str(function["equation"]),
        "the reference": str(function["reference"]),
    }
