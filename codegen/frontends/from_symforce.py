"""Kernels of annotated functions, as SymForce's code generator takes them: the signature tells the inputs."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, get_type_hints

from codegen.errors import FeatherError, naming
from codegen.frontends.define import from_sympy
from codegen.ir.program import Arg
from codegen.ir.types import REAL
from codegen.misuse import explained
from codegen.modeling.given import errors_of
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import UnitQuaternion
from codegen.modeling.types.matrix_types import Matrix, Symmetric, Vector


@explained
def from_symforce(
    function: Callable[..., Any],
    output_names: Sequence[str] = (),
    *,
    symmetric: Sequence[str] = (),
    name: str = "",
    equation: str = "",
    source: str = "",
) -> Kernel:
    """A kernel of an annotated function of SymForce, which is called once with symbols.

    Names and types of the inputs are those of its parameters: `sf.Scalar` or float is a scalar, a column is a
    Vector, another matrix is a Matrix, `sf.Rot3` is a unit quaternion, and any other type is a Vector of its
    storage. Keyword-only parameters keep their default values. Without `output_names` the results are `res`,
    or `res0`, `res1` and so on. No argument has a unit. The parameters and results that `symmetric` names
    become Symmetric: a covariance is passed as its upper triangle, and the elements below it are those above.
    FeatherError names a parameter or result that has no type.
    """
    own = name or getattr(function, "__name__", type(function).__name__)
    with naming(f"kernel {own}"):
        inputs = [
            _mirrored(a, value) if a.name in symmetric else (a, value) for a, value in _inputs(function)
        ]
        with errors_of(function):
            results = function(*(value for _, value in inputs))
        outputs = _outputs(results, output_names)
        outputs = [_mirrored(a, value) if a.name in symmetric else (a, value) for a, value in outputs]
        _check_names(symmetric, [a.name for a, _ in (*inputs, *outputs)])
    title = inspect.cleandoc(function.__doc__ or own).partition("\n")[0]
    return from_sympy(own, inputs, outputs, title=title, equation=equation, source=source)


def _inputs(function: Callable[..., Any]) -> list[tuple[Arg, Any]]:
    """The inputs with their symbols; of the methods of a class without `self`, which is bound already."""
    with errors_of(function):
        types = get_type_hints(function)
    found = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            continue
        with naming(f"parameter {parameter.name}"):
            if parameter.name not in types:
                raise FeatherError("it has no annotation: write its type, sf.Scalar or sf.V3")
            value = _symbolic(types[parameter.name], parameter.name)
            found.append(_argument(parameter.name, value))
    return found


def _symbolic(annotation: Any, name: str) -> Any:
    """A value of the type whose scalars are symbols."""
    if annotation is float:
        engine = sys.modules.get("symforce.symbolic") or import_module("sympy")
        return engine.Symbol(name)
    if not hasattr(annotation, "symbolic"):
        raise FeatherError(f"{annotation!r} is no type of SymForce, such as sf.Scalar, sf.V3 or sf.Rot3")
    return annotation.symbolic(name)


def _outputs(results: Any, names: Sequence[str]) -> list[tuple[Arg, Any]]:
    values = results if isinstance(results, tuple) else (results,)
    if not names:
        names = ["res"] if values is not results else [f"res{k}" for k in range(len(values))]
    if len(names) != len(values):
        raise FeatherError(f"it returns {len(values)} results, but there are {len(names)} output_names")
    found = []
    for output, value in zip(names, values, strict=True):
        with naming(f"result {output}"):
            found.append(_argument(output, value))
    return found


def _argument(name: str, value: Any) -> tuple[Arg, Any]:
    """The argument for a value, and what stands for its scalars."""
    if hasattr(value, "shape"):
        rows, columns = value.shape
        if columns == 1:
            return Arg(name, Vector(rows), "", f"vector of {rows}"), value
        return Arg(name, Matrix(rows, columns), "", f"matrix of {rows} x {columns}"), value
    if not hasattr(value, "to_storage"):
        if not hasattr(value, "_sympy_") and not hasattr(value, "free_symbols") and not _is_number(value):
            raise FeatherError(f"a {type(value).__name__} is neither an expression nor a type of SymForce")
        return Arg(name, REAL, "", "scalar"), value
    if hasattr(value, "q"):
        return Arg(name, UnitQuaternion, "", "Rot3, a rotation"), value
    size = len(list(value.to_storage()))
    return Arg(name, Vector(size), "", f"{type(value).__name__}, its scalars in the order of SymForce"), value


def _mirrored(argument: Arg, matrix: Any) -> tuple[Arg, Any]:
    """The argument as a Symmetric, and its square matrix with the elements above the diagonal also below."""
    rows, columns = getattr(matrix, "shape", (0, 1))
    if rows != columns:
        raise FeatherError(f"{argument.name} is no square matrix, and cannot be symmetric")
    for i in range(rows):
        for j in range(i):
            matrix[i, j] = matrix[j, i]
    return replace(argument, type=Symmetric(rows)), matrix


def _check_names(symmetric: Sequence[str], known: Sequence[str]) -> None:
    """FeatherError for a name in `symmetric` that no argument has."""
    unknown = [name for name in symmetric if name not in known]
    if unknown:
        raise FeatherError(f"symmetric names {unknown[0]}, but its arguments are {', '.join(known)}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
