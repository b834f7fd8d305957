"""Results that a caller need not take: a null pointer skips them and what only they need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from codegen.emit.body import Groups, Line, Load, Pair, Read, Statement, Store, row_by_row
from codegen.ir.program import Arg, Program, entries_read
from codegen.ir.types import row_names


def guarded(groups: Groups, program: Program) -> Groups:
    """The statements of a body, those of each optional result last, in a block under its pointer.

    A value that only this result needs is computed in the block. All that is read of an input that an output
    may share is read before.
    """
    wanted = [k for k, a in enumerate(program.outputs) if a.optional]
    if not wanted:
        return groups
    serving = _serving(program)
    owners = _owners(program)

    def block(s: Statement) -> int | None:
        """The number of the optional output to which alone a statement belongs."""
        if isinstance(s, Store):
            return owners[s.result] if owners[s.result] in wanted else None
        if isinstance(s, (Load, Read, Line)) or s.node is None:
            return None
        nodes = s.both if isinstance(s, Pair) else (s.node,)
        only = set[int]().union(*(serving[node] for node in nodes))
        return only.pop() if len(only) == 1 and only <= {*wanted} else None

    common = (tuple(s for s in group if block(s) is None) for group in groups)
    blocks = (
        _block(program.outputs[k], [s for group in groups for s in group if block(s) == k]) for k in wanted
    )
    return tuple(group for group in (*common, *blocks) if group)


def _block(output: Arg, statements: Sequence[Statement]) -> tuple[Statement, ...]:
    rows = row_names(output.type, output.name)
    first = min(s.result for s in statements if isinstance(s, Store))
    named = (replace(s, row=rows[s.result - first]) if isinstance(s, Store) else s for s in statements)
    inside = (replace(s, depth=s.depth + 1) for s in row_by_row(named))
    return (Line("", output.name, f"if ({output.name}) {{"), *inside, Line("", output.name, "}"))


def _owners(program: Program) -> list[int]:
    """The number of the output that each result belongs to."""
    return [k for k, a in enumerate(program.outputs) for _ in range(a.size)]


_COMMON = -1
"""Stands for the status, and for what is read of an input before anything is stored."""


def _serving(program: Program) -> list[set[int]]:
    """The numbers of the outputs that need each node, with that of what all calls need."""
    found: list[set[int]] = [set() for _ in program.nodes]
    for root, owner in _roots(program):
        found[root].add(owner)
    for i in reversed(range(len(program.nodes))):
        for arg in program.nodes[i].args:
            found[arg] |= found[i]
    return found


def _roots(program: Program) -> Iterator[tuple[int, int]]:
    yield from zip(program.results, _owners(program), strict=True)
    yield from ((node, _COMMON) for node in (*entries_read(program), *(n for n, _ in program.status)))
