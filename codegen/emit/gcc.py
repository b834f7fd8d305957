"""What the generated C asks of gcc on a host: no vectors where their elements would have to be gathered.

gcc turns adjacent stores into stores of vectors. Where a function moves or scales what lies side by side,
that pays; where each result is a formula of its own, gathering scalars takes up to twice the function's time
(benchmarks/README.md).
"""

from __future__ import annotations

from codegen.ir.cost import Cost
from codegen.ir.systems import F64, Precision

_LANES = 4
"""Fewer results fill no vector; a loss needs one of four floats, or of four doubles."""

_LEAST = 1.5
"""Operations a result from which on a function is more than moving and scaling."""


def gathers(cost: Cost, results: int) -> bool:
    """Whether a vector of the results would have to be gathered."""
    return results >= _LANES and cost.mul + cost.add + cost.neg >= _LEAST * results


def macro(prefix: str) -> str:
    """The name that stands before the functions that ask."""
    return f"{prefix.upper()}SCALAR"


def definition(name: str, precision: Precision) -> tuple[str, ...]:
    """The macro's definition; pairs of doubles, all that a host without AVX has, are gathered cheaply."""
    compiler = "defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)"
    wide = " && defined(__AVX__)" if precision is F64 else ""
    return (
        f"#if {compiler}{wide}",
        f'#define {name} __attribute__((optimize("no-tree-slp-vectorize")))',
        "#else",
        f"#define {name}",
        "#endif",
    )
