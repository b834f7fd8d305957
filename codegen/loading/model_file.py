"""Model files of both kinds: Python files with kernels, and URDF files, whose kernels are those of the
robot.
"""

from __future__ import annotations

from pathlib import Path

from codegen.errors import FeatherError
from codegen.loading.python_file import load_model
from codegen.mechanisms.description import Mechanism
from codegen.mechanisms.kernels import robot_kernels
from codegen.modeling.kernel import Kernel

SUFFIXES = (".urdf", ".xml")


def load_kernels(path: Path) -> dict[str, Kernel]:
    """The kernels of a model file by name; of a URDF all functions of the robot on a base that stands still.

    A Python file is a program and is run: only load one that you trust. FeatherError, with the line, when the
    file cannot be read or defines no kernel.
    """
    if path.suffix.lower() not in SUFFIXES:
        return load_model(path)
    if not path.is_file():
        raise FeatherError(f"there is no model file {path}")
    return {k.name: k for k in robot_kernels(Mechanism.from_urdf(path))}
