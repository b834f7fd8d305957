"""schedule: an order in which values are computed close to where they are used."""

from collections.abc import Iterator

from codegen.passes.rewriting import arrange
from codegen.program import Program


def schedule(program: Program) -> Program:
    """Order the nodes depth first from the results, in their order; what nothing needs is dropped."""
    return arrange(program, _depth_first(program))


def _depth_first(program: Program) -> Iterator[int]:
    done: set[int] = set()
    for root in program.roots:
        stack = [(root, False)]
        while stack:
            i, ready = stack.pop()
            if ready:
                yield i
            elif i not in done:
                done.add(i)
                stack.append((i, True))
                stack.extend((a, False) for a in reversed(program.nodes[i].args))
