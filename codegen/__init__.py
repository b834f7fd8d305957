"""featherc: derives rigid-body equations of motion and emits verified, dependency-free C99.

A model file needs `kernel`, `Arg` and the types; a simulation needs `load`. Everything heavy is imported
when it is first used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codegen.algebra import (
        POSITIVE,
        REAL,
        Angles,
        Array,
        ArticulatedInertia,
        Force,
        Inertia,
        InertiaTensor,
        Mat3,
        Motion,
        Quaternion,
        Rotation,
        SymMat3,
        Transform,
        UnitQuaternion,
        Vec3,
    )
    from codegen.describe import Kernel, from_casadi, from_sympy, jacobian, kernel, nonzeros
    from codegen.native import load
    from codegen.program import Arg

__version__ = "0.1.0"

_HOME = {
    **dict.fromkeys(
        (
            "POSITIVE", "REAL", "Angles", "Array", "ArticulatedInertia", "Force", "Inertia",
            "InertiaTensor", "Mat3", "Motion", "Quaternion", "Rotation", "SymMat3", "Transform",
            "UnitQuaternion", "Vec3",
        ),
        "codegen.algebra",
    ),
    **dict.fromkeys(
        ("Kernel", "from_casadi", "from_sympy", "jacobian", "kernel", "nonzeros"), "codegen.describe"
    ),
    "load": "codegen.native",
    "Arg": "codegen.program",
}  # fmt: skip

__all__ = [
    "POSITIVE", "REAL", "Angles", "Arg", "Array", "ArticulatedInertia", "Force", "Inertia",
    "InertiaTensor", "Kernel", "Mat3", "Motion", "Quaternion", "Rotation", "SymMat3", "Transform",
    "UnitQuaternion", "Vec3", "from_casadi", "from_sympy", "jacobian", "kernel", "load", "nonzeros",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'codegen' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOME[name]), name)
