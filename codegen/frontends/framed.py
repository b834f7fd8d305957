"""The check of frames: evaluates a formula on values that know their frames.

It is an error to add a vector in B to one in N, to turn it by the rotation of another frame, to call a kernel
with frames that do not fit together, or to return a result in another frame than its output declares.
"""

from __future__ import annotations

from codegen.errors import naming
from codegen.frontends.formula import output_scalars, typed_values
from codegen.ir.program import input_scalars
from codegen.ir.types import Array, Component, Real, size
from codegen.modeling.kernel import Kernel
from codegen.modeling.quantities.called_frames import seen
from codegen.modeling.quantities.frames import following
from codegen.modeling.types.records import Record
from codegen.modeling.types.scalar import checking


def check_frames(kernel: Kernel) -> None:
    """FeatherError where the kernel's formula, or that which it differentiates, mixes frames.

    The wrong operation raises the error, so that the traceback ends at its line. Expressions of SymPy and
    CasADi have no vectors, and are not checked.
    """
    if kernel.of is not None:
        return check_frames(kernel.of)
    if kernel.formula is None:
        return None
    arguments = kernel.all_inputs
    oriented = [x for a in arguments for x in _are_oriented(a.type)]
    symbols = (k for k, is_oriented in enumerate(oriented) if is_oriented)
    with naming(f"kernel {kernel.name}"), following(symbols), checking():
        values = typed_values(arguments, input_scalars(arguments))
        output_scalars(kernel.outputs, kernel.formula(*map(seen, arguments, values)))


def _are_oriented(component: Component) -> list[bool]:
    """For each scalar of a type, whether it is one of a vector, matrix or rotation, and no plain number."""
    if isinstance(component, type) and issubclass(component, Record):
        return [x for part in component.layout.values() for x in _are_oriented(part)]
    is_list = isinstance(component, Array) and not component.algebraic
    return [not (is_list or isinstance(component, Real))] * size(component)
