"""featherc: derives rigid-body equations of motion and emits verified, dependency-free C99.

A model file needs `kernel`, `Arg` and the types; a simulation needs `load`. Everything heavy is imported
when it is first used.
"""

from typing import TYPE_CHECKING, Any

from codegen.displayed import draw_with

if TYPE_CHECKING:
    from codegen.aircraft.daveml_kernel import model_from_daveml
    from codegen.aircraft.kernels import aerodynamics_from_jsbsim
    from codegen.frontends.define import from_casadi, from_sympy, jacobian, kernel, nonzeros
    from codegen.frontends.from_symforce import from_symforce
    from codegen.ir.program import Arg
    from codegen.ir.status import Status
    from codegen.ir.types import POSITIVE, REAL, Array, Scalar
    from codegen.modeling.failures import Failure
    from codegen.modeling.kernel import Kernel
    from codegen.modeling.quantities.frames import in_frame
    from codegen.modeling.tables.files import table_from_csv, tables_from_toml
    from codegen.modeling.tables.jsbsim import tables_from_jsbsim
    from codegen.modeling.tables.table import AT_RUN_TIME, Axis, Table
    from codegen.modeling.types.algebra import (
        Angles,
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
    from codegen.modeling.types.loops import collect, for_each, repeat
    from codegen.modeling.types.matrices import MatrixValue, SymmetricValue, VectorValue
    from codegen.modeling.types.matrix_types import Matrix, Symmetric, Vector
    from codegen.modeling.types.records import record
    from codegen.modeling.types.scalar import (
        EPS,
        PI,
        absolute,
        acos,
        acosh,
        asin,
        asinh,
        atan,
        atan2,
        atanh,
        bare,
        ceil,
        clip,
        copysign,
        cos,
        cosh,
        equal,
        exp,
        expm1,
        finite,
        floor,
        fmod,
        hypot,
        let,
        log,
        log1p,
        maximum,
        minimum,
        modulo,
        remainder,
        require,
        select,
        sign,
        sin,
        sinh,
        sqrt,
        tan,
        tanh,
        wrap,
    )
    from codegen.systems.blocks import Block, State, block
    from codegen.systems.filters import Filter
    from codegen.verify.libraries import load

__version__ = "0.1.0"

_HOME = {
    **dict.fromkeys(
        (
            "POSITIVE", "REAL", "Angles", "Array", "ArticulatedInertia", "Force", "Inertia",
            "InertiaTensor", "Mat3", "Motion", "Quaternion", "Rotation", "SymMat3", "Transform",
            "UnitQuaternion", "Vec3",
        ),
        "codegen.modeling.types.algebra",
    ),
    **dict.fromkeys(("Matrix", "Symmetric", "Vector"), "codegen.modeling.types.matrix_types"),
    **dict.fromkeys(("MatrixValue", "SymmetricValue", "VectorValue"), "codegen.modeling.types.matrices"),
    **dict.fromkeys(
        ("from_casadi", "from_sympy", "jacobian", "kernel", "nonzeros"), "codegen.frontends.define"
    ),
    "from_symforce": "codegen.frontends.from_symforce",
    **dict.fromkeys(("AT_RUN_TIME", "Axis", "Table"), "codegen.modeling.tables.table"),
    "tables_from_jsbsim": "codegen.modeling.tables.jsbsim",
    "aerodynamics_from_jsbsim": "codegen.aircraft.kernels",
    "model_from_daveml": "codegen.aircraft.daveml_kernel",
    **dict.fromkeys(("table_from_csv", "tables_from_toml"), "codegen.modeling.tables.files"),
    "Kernel": "codegen.modeling.kernel",
    "record": "codegen.modeling.types.records",
    **dict.fromkeys(("collect", "for_each", "repeat"), "codegen.modeling.types.loops"),
    **dict.fromkeys(("Block", "State", "block"), "codegen.systems.blocks"),
    "Filter": "codegen.systems.filters",
    "Scalar": "codegen.ir.types",
    "Failure": "codegen.modeling.failures",
    "in_frame": "codegen.modeling.quantities.frames",
    "Status": "codegen.ir.status",
    "load": "codegen.verify.libraries",
    "Arg": "codegen.ir.program",
    **dict.fromkeys(
        (
            "EPS", "PI", "absolute", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "bare",
            "ceil", "clip", "copysign", "cos", "cosh", "equal", "exp", "expm1",
            "finite", "floor", "fmod", "hypot", "let", "log", "log1p",
            "maximum", "minimum", "modulo", "remainder", "require", "select", "sign", "sin", "sinh", "sqrt",
            "tan", "tanh", "wrap",
        ),
        "codegen.modeling.types.scalar",
    ),
}  # fmt: skip

__all__ = [
    "AT_RUN_TIME", "EPS", "PI", "POSITIVE", "REAL", "Angles", "Arg", "Array", "ArticulatedInertia", "Axis",
    "Block", "Failure", "Filter", "Force", "Inertia", "InertiaTensor", "Kernel", "Mat3", "Matrix",
    "MatrixValue", "Motion",
    "Quaternion", "Rotation", "Scalar", "State", "Status", "SymMat3", "Symmetric", "SymmetricValue", "Table",
    "Transform",
    "UnitQuaternion", "Vec3", "Vector", "VectorValue", "absolute", "acos", "acosh",
    "aerodynamics_from_jsbsim", "asin", "asinh", "atan", "atan2", "atanh", "bare",
    "block", "ceil", "clip", "collect", "copysign", "cos", "cosh", "equal", "exp", "expm1", "finite", "floor",
    "fmod", "for_each", "from_casadi", "from_symforce", "from_sympy", "hypot", "in_frame", "jacobian",
    "kernel", "let", "load", "log", "log1p", "maximum", "minimum",
    "model_from_daveml", "modulo", "nonzeros", "record", "remainder", "repeat", "require", "select", "sign",
    "sin", "sinh", "sqrt", "table_from_csv",
    "tables_from_jsbsim", "tables_from_toml", "tan", "tanh", "wrap",
]  # fmt: skip


def load_ipython_extension(shell: Any) -> None:
    """Add the cell magic `%%featherc` to an IPython shell (`%load_ext codegen`)."""
    _notebook().load(shell)


def _notebook() -> Any:
    """What draws for notebooks; by name, as it is above all that the rest of the package may import."""
    import importlib

    return importlib.import_module("codegen.explain.notebook")


draw_with(lambda what, form: _notebook().drawn(what, form))


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'codegen' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOME[name]), name)
