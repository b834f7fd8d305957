"""Models of all kinds: Python files with kernels, descriptions of robots, and trees that record robots."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from codegen.errors import FeatherError, naming
from codegen.loading.python_file import load_model
from codegen.loading.recorded import recorded_kernels, recorded_robots
from codegen.mechanisms.description.reading import read_robot
from codegen.mechanisms.description.record import mechanism_of, recorded
from codegen.mechanisms.kernels.functions import robot_kernels
from codegen.modeling.files import read_bytes
from codegen.modeling.kernel import Kernel

SUFFIXES = (".urdf", ".xml")

_LARGEST = 32 * 2**20
"""Limit on the bytes of a manifest."""


def load_kernels(path: Path, names: Collection[str] = ()) -> dict[str, Kernel]:
    """The kernels of a model by name: of a robot's description all functions, of a tree its robots'.

    Those of `names` are tried, without names all (see `load_model`). A Python file is a program and is run:
    only load one that you trust. FeatherError, with the line, when the file cannot be read or defines no
    kernel.
    """
    if path.is_dir():
        return of_tree(path)
    if path.suffix.lower() not in SUFFIXES:
        return load_model(path, names)
    if not path.is_file():
        raise FeatherError(f"there is no model file {path}")
    return {k.name: k for k in robot_kernels(read_robot(path))}


def of_tree(directory: Path) -> dict[str, Kernel]:
    """The kernels of the robots that a generated tree records; FeatherError when it records none."""
    robots = recorded_in(directory)
    if not robots:
        raise FeatherError(
            f"{directory} is no model file, and records no robot: name the file that defines the kernels"
        )
    return robots


def recorded_in(directory: Path) -> dict[str, Kernel]:
    """The kernels of the robots that the manifest in a directory records; none where there is no manifest."""
    manifest = directory / "manifest.json"
    if not manifest.is_file():
        return {}
    try:
        found = json.loads(read_bytes(manifest, _LARGEST))
    except (ValueError, RecursionError):
        raise FeatherError(f"{manifest} is damaged: generate the tree again") from None
    return recorded_robots(found) if isinstance(found, dict) else {}


def robot_like(path: Path, manifest: Mapping[str, Any], names: Collection[str] = ()) -> dict[str, Kernel]:
    """The kernels of a model; a robot's description is generated with the options of the manifest."""
    records = {str(r["name"]): r for r in recorded(manifest)}
    if path.suffix.lower() not in SUFFIXES or path.is_dir() or not records:
        return load_kernels(path, names)
    record = records.get(read_robot(path).name) or next(iter(records.values()))
    with naming("manifest.json"):
        options = mechanism_of(record)
    robot = read_robot(
        path,
        floating=options.floating,
        gravity=options.gravity,
        name=options.name,
        damping=record["damping"],
        friction=record.get("friction"),
    ).locked(*options.held)
    robot = robot.with_inputs(options.inputs)
    armatures = {j.name: j.armature for j in options.joints if j.armature}
    return {k.name: k for k in recorded_kernels(robot.with_armature(**armatures), record)}
