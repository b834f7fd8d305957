"""Matrices of a robot without the elements that are zero between its branches, in compressed sparse rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from codegen.errors import FeatherError
from codegen.frontends.define import nonzeros
from codegen.frontends.formula import lower
from codegen.frontends.sparsity import pick, stored
from codegen.ir.patterns import is_matrix
from codegen.ir.program import Arg, Program
from codegen.ir.types import Array
from codegen.mechanisms.definition import reference as by_definition
from codegen.mechanisms.kernels.base_parameters import BaseParameters
from codegen.mechanisms.kernels.dynamics import Dynamics
from codegen.mechanisms.kernels.forward_slopes import ForwardDerivatives
from codegen.mechanisms.kernels.regressor import Regressors
from codegen.mechanisms.kernels.slopes import Derivatives
from codegen.modeling.equations.textbook import block
from codegen.modeling.kernel import Kernel
from codegen.notation.blocks import Block
from codegen.notation.families import Setting


@dataclass(frozen=True)
class Nonzeros:
    """The kernels of one robot, of the kernels of its dense matrices."""

    dynamics: Dynamics
    derivatives: Derivatives
    forward: ForwardDerivatives
    regressors: Regressors
    base: BaseParameters

    def crba_nonzeros(self) -> Kernel:
        """The upper triangle of the mass matrix."""
        return _nonzeros(dense := self.dynamics.crba(), _unpacked(dense, self.dynamics.robot.mechanism.rows))

    def rnea_derivatives_nonzeros(self) -> Kernel:
        """The derivatives of inverse dynamics."""
        return _nonzeros(dense := self.derivatives.rnea_derivatives(), dense)

    def forward_dynamics_derivatives_nonzeros(self) -> Kernel:
        """The accelerations, their derivatives, and the upper triangle of the inverse mass matrix."""
        dense = self.forward.forward_dynamics_derivatives()
        return _nonzeros(dense, _unpacked(dense, self.dynamics.robot.mechanism.rows))

    def regressor_nonzeros(self) -> Kernel:
        """The regressor."""
        return _nonzeros(dense := self.regressors.regressor(), dense)

    def base_regressor_nonzeros(self) -> Kernel:
        """The regressor by base parameters."""
        return _nonzeros(dense := self.base.base_regressor(), dense)


def _unpacked(packed: Kernel, n: int) -> Kernel:
    """The kernel with its last result, an upper triangle, as a matrix with zeros below the diagonal."""
    *before, last = packed.outputs
    matrix = replace(last, type=Array((n, n)), doc=last.doc.removesuffix(", row by row"))
    outputs = (*before, matrix)

    def formula(*values: Any) -> Any:
        *others, found = packed(*values)
        elements = iter(found)
        return (*others, [next(elements) if i <= j else 0 for i in range(n) for j in range(n)])

    def lowered(checks: bool) -> Program:
        return lower(packed.inputs, outputs, formula, checks)

    return replace(packed, outputs=outputs, lower=lowered, formula=formula)


def _nonzeros(dense: Kernel, matrices: Kernel) -> Kernel:
    """The kernel of the structural non-zeros; `matrices` is the dense one with matrices as its outputs.

    Matrices without any are left out, as those by the positions of a robot whose joints only slide.
    """
    kept, name = stored(dense.program(True), matrices.outputs), f"{dense.name}_nonzeros"
    if not any(places for a, places in zip(matrices.outputs, kept, strict=True) if is_matrix(a)):
        zero = " and ".join(a.name for a in dense.outputs)
        raise FeatherError(
            f"function {name}: all elements of {zero} are zero, so that there is none to return"
        )

    def reference(*values: Any, **limits: Any) -> Any:
        assert dense.reference is not None
        found = dense.reference(*values, **limits).outputs
        zeros = sum(_others(x, places) for x, places in zip(found, kept, strict=True))
        rows = [[x[k] for k in places] for x, places in zip(found, kept, strict=True) if places]
        rows[0][0] = rows[0][0] + zeros
        return by_definition.result(*rows)

    made = nonzeros(_without_zeros(matrices, kept), name)
    left_out = [
        f"{a.name} is left out, as all its elements are zero for all inputs."
        for a, places in zip(dense.outputs, kept, strict=True)
        if not places
    ]
    details = "\n\n".join((made.details, *left_out, dense.details))
    return replace(
        made,
        reference=reference,
        details=details,
        setting=_setting(dense, kept),
        invariants=_invariants(dense, kept),
    )


def _invariants(dense: Kernel, kept: Sequence[Sequence[int]]) -> Callable[..., Any] | None:
    """What the dense kernel's results are compared by, of the elements at these places and zeros."""
    whole = dense.invariants
    if whole is None:
        return None

    def invariants(*values: Any) -> Any:
        count = len(dense.inputs)
        given, found = values[:count], iter(values[count:])
        results = []
        for a, places in zip(dense.outputs, kept, strict=True):
            results.append(_spread(a, places, next(found) if places else ()))
        return whole(*given, *results)

    return invariants


def _without_zeros(matrices: Kernel, kept: Sequence[Sequence[int]]) -> Kernel:
    """The kernel without the matrices of which no element is kept."""
    if all(kept):
        return matrices
    own = matrices.formula
    assert own is not None
    outputs = tuple(a for a, places in zip(matrices.outputs, kept, strict=True) if places)
    whole = [range(a.size if places else 0) for a, places in zip(matrices.outputs, kept, strict=True)]

    def lowered(checks: bool) -> Program:
        return pick(matrices.program(checks), outputs, whole)

    def formula(*values: Any) -> Any:
        return [x for x, places in zip(own(*values), kept, strict=True) if places]

    return replace(matrices, outputs=outputs, lower=lowered, formula=formula)


def _setting(dense: Kernel, kept: Sequence[Sequence[int]]) -> Setting:
    """What the equations are about: also the matrices that have their elements at these places, and zeros."""
    assert dense.setting is not None
    about = dense.setting

    def values(given: Mapping[str, Block]) -> Mapping[str, Block]:
        found = dict(about.values(given))
        for matrix, places in zip(dense.outputs, kept, strict=True):
            elements = given.get(f"{matrix.name}_nonzeros")
            if elements is not None or not places:
                whole = _spread(matrix, places, elements.column if elements else ())
                found[matrix.name] = block(matrix.type, whole, {})
        return found

    return replace(about, values=values)


def _spread(matrix: Arg, places: Sequence[int], elements: Sequence[Any]) -> list[Any]:
    """All elements of a matrix that has these at some places, and zeros."""
    own = dict(zip(places, elements, strict=True))
    return [own.get(k, 0) for k in range(matrix.size)]


def _others(elements: Sequence[Any], kept: Sequence[int]) -> Any:
    """The sum of multiples of the elements that are not kept: zero, where these are."""
    chosen = {*kept}
    return sum(x * (k + 2) for k, x in enumerate(elements) if k not in chosen)
