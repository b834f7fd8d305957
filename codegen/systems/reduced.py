"""Processes with fewer results: those of the states that a filter keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from codegen.frontends.define import formula_kernel
from codegen.modeling.kernel import Kernel


def with_results(kernel: Kernel, kept: Sequence[int]) -> Kernel:
    """The kernel of some of the results of a formula, by their places."""

    def formula(*values: Any) -> Any:
        returned = kernel.formula(*values)  # type: ignore[misc]  # a filter needs a formula
        found = returned if len(kernel.outputs) > 1 else (returned,)
        chosen = tuple(found[k] for k in kept)
        return chosen if len(chosen) > 1 else chosen[0]

    formula.__wrapped__ = kernel.formula  # type: ignore[attr-defined]  # the source that is shown
    return formula_kernel(
        formula,
        module=kernel.module,
        name=kernel.name,
        title=kernel.title,
        equation=kernel.equation,
        source=kernel.source,
        inputs=kernel.inputs,
        outputs=tuple(kernel.outputs[k] for k in kept),
    )
