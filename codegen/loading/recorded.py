"""The kernels of robots that the manifest of a generated tree records: no file beside the tree is read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from codegen.errors import naming
from codegen.loading.model_file import SUFFIXES, load_kernels
from codegen.mechanisms.description import Mechanism
from codegen.mechanisms.kernels import robot_kernels
from codegen.mechanisms.record import Record, mechanism_of, recorded
from codegen.modeling.kernel import Kernel


def recorded_robots(manifest: Mapping[str, Any]) -> dict[str, Kernel]:
    """The kernels of the robots that a manifest records, by name; FeatherError when a record is damaged."""
    found: dict[str, Kernel] = {}
    for record in recorded(manifest):
        with naming("manifest.json"):
            found |= {k.name: k for k in _kernels(mechanism_of(record), record)}
    return found


def robot_like(path: Path, manifest: Mapping[str, Any]) -> dict[str, Kernel]:
    """The kernels of a model file; a URDF is generated with the options that the manifest records."""
    records = {str(r["name"]): r for r in recorded(manifest)}
    if path.suffix.lower() not in SUFFIXES or not records:
        return load_kernels(path)
    called = Mechanism.from_urdf(path).name
    record = records.get(called) or next(iter(records.values()))
    options = mechanism_of(record)
    robot = Mechanism.from_urdf(
        path,
        floating=options.floating,
        gravity=options.gravity,
        name=options.name,
        damping=record["damping"],
        friction=record.get("friction"),
    ).locked(*options.held)
    armatures = {j.name: j.armature for j in options.joints if j.armature}
    robot = robot.with_armature(**armatures)
    return {k.name: k for k in _kernels(robot, record)}


def _kernels(mechanism: Mechanism, record: Record) -> list[Kernel]:
    return robot_kernels(mechanism, record["functions"], record["frames"], record["snap"])
