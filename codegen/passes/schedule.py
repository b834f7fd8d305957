"""schedule: orders the nodes so that values are computed close to their use."""

from codegen.ir.program import Program
from codegen.ir.rewriting import arrange, depth_first


def schedule(program: Program) -> Program:
    """Order the nodes depth first from the results, in their order; drop dead nodes."""
    return arrange(program, depth_first(program.roots, lambda i: program.nodes[i].args))
