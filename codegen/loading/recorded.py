"""The kernels of robots that the manifest of a generated tree records: no file beside the tree is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codegen.errors import naming
from codegen.mechanisms.description.mechanism import Mechanism
from codegen.mechanisms.description.record import Record, mechanism_of, recorded
from codegen.mechanisms.kernels.functions import robot_kernels
from codegen.mechanisms.kernels.layouts import STRAIGHT
from codegen.modeling.kernel import Kernel


def recorded_robots(manifest: Mapping[str, Any]) -> dict[str, Kernel]:
    """The kernels of the robots that a manifest records, by name; FeatherError when a record is damaged."""
    found: dict[str, Kernel] = {}
    for record in recorded(manifest):
        with naming("manifest.json"):
            found |= {k.name: k for k in recorded_kernels(mechanism_of(record), record)}
    return found


def recorded_kernels(mechanism: Mechanism, record: Record) -> list[Kernel]:
    """The kernels of a mechanism with the functions and frames of a record."""
    layout = str(record.get("layout", STRAIGHT))
    return robot_kernels(mechanism, record["functions"], record["frames"], record["snap"], layout)
