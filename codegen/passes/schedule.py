"""schedule: an order in which values are computed close to where they are used."""

from codegen.ir.program import Program
from codegen.ir.rewriting import arrange, depth_first


def schedule(program: Program) -> Program:
    """Order the nodes depth first from the results, in their order; what nothing needs is dropped."""
    return arrange(program, depth_first(program.roots, lambda i: program.nodes[i].args))
