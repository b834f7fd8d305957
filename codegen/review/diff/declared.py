"""Reads what the manifest of an untrusted tree declares of the arguments of functions."""

from __future__ import annotations

import json
from collections.abc import Mapping
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


def declared_kinds(manifest: str | bytes) -> dict[str, dict[str, str]]:
    """For each function, the types of its arguments by name, such as UnitQuaternion.

    A damaged manifest declares none.
    """
    try:
        functions = json.loads(manifest)["functions"]
        return {
            str(f["symbol"]): {str(a["name"]): str(a["kind"]) for a in f["arguments"] if "kind" in a}
            for f in functions
        }
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}


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


def is_kind(what: str) -> bool:
    """Whether a statement of a contract tells which values an argument can have by its type."""
    return what.startswith((_KIND, _POSITIVE))


def comparable(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """The new statements without those that the old manifest does not make as it is of an earlier version.

    A manifest of this version says of each argument what must be positive in it.
    """
    is_recent = any(what.startswith(_POSITIVE) for what in old)
    return {what: text for what, text in new.items() if is_recent or what in old or not _is_recent(what)}


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
    requires = {PRECONDITION: str(function["requires"])} if "requires" in function else {}
    return {
        **arguments,
        **kinds,
        **positive,
        **requires,
        "the equation": str(function["equation"]),
        "the reference": str(function["reference"]),
    }
