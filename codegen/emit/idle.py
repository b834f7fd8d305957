"""The inputs of models on which no result depends: forgotten in a formula, or times a number that is 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegen.ir.domain import taken_apart
from codegen.ir.operations import Op
from codegen.ir.rewriting import needed
from codegen.modeling.kernel import Kernel
from codegen.notation.prose import listed
from codegen.passes.pipeline import optimised


def idle_inputs(kernels: Iterable[Kernel], checks: bool) -> Iterator[str]:
    """For each kernel or block with inputs that its results do not need: which.

    Derivatives, and what is made for a vehicle, lack inputs by design, and so do functions that featherc
    derives from those of a model. A state whose rate is a result, p beside dp, is an input by design, and a
    state that a step only writes is one for its readers.
    """
    together: dict[str, list[Kernel]] = {}
    for kernel in kernels:
        if _is_written(kernel):
            together.setdefault(kernel.block.name if kernel.block else kernel.name, []).append(kernel)
    for name, parts in together.items():
        of_kernels = [(path, is_read) for kernel in parts for path, is_read in _paths(kernel, checks)]
        read = {path for path, is_read in of_kernels if is_read}
        read |= {a.name.removeprefix("d") for kernel in parts for a in kernel.outputs}
        idle = [path for path in dict.fromkeys(path for path, _ in of_kernels) if path not in read]
        if idle:
            yield f"{name}: no result depends on {listed(idle)}"


def _is_written(kernel: Kernel) -> bool:
    """Whether its inputs are those of a formula of a model as it is written."""
    derived = getattr(kernel.formula, "__module__", "").startswith("codegen.") and not kernel.block
    return not (derived or kernel.of or kernel.vehicle or kernel.robot)


def _paths(kernel: Kernel, checks: bool) -> Iterator[tuple[str, bool]]:
    """Each input, of records each member, and whether the C reads it; without the states of a block."""
    program = optimised(kernel, checks)
    nodes = (program.nodes[i] for i in needed(program))
    numbers = {node.value for node in nodes if node.op is Op.INPUT}
    first = 0
    for path, part in taken_apart(kernel.inputs):
        scalars = range(first, first + part.size)
        first += part.size
        if not (kernel.block and path.startswith("state.")):
            yield path, not numbers.isdisjoint(scalars)
