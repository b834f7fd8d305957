"""What the generated C asks of a compiler beyond the language."""

from __future__ import annotations

from codegen.systems import F64, Precision


def unvectorised(precision: Precision) -> tuple[str, ...]:
    """The lines by which gcc gathers no scalars into vectors of four or more, as it does for adjacent stores.

    On x86-64 that is a loss (benchmarks/README.md); pairs of doubles are gathered cheaply.
    """
    compiler = "defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)"
    wide = " && defined(__AVX__)" if precision is F64 else ""
    return (f"#if {compiler}{wide}", '#pragma GCC optimize("no-tree-slp-vectorize")', "#endif")
