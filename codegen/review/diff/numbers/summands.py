"""The numbers that are zero together where a sum of squares is."""

from __future__ import annotations

from codegen.ir.operations import Op
from codegen.review.diff.reading import Reading


def zero_with(reading: Reading, node: int) -> list[int]:
    """The numbers that are all zero where a number is: of y^2 + |z|, y and z; of any other, it alone."""
    nodes, found, open_ = reading.program.nodes, dict[int, None](), [node]
    seen = set[int]()
    while open_:
        here = open_.pop()
        if here in seen:
            continue
        seen.add(here)
        op, args, _ = nodes[here]
        if _is_size(reading, here) or (op is Op.ADD and all(_is_no_less(reading, a) for a in args)):
            open_ += reversed([*dict.fromkeys(args)])
        else:
            found[here] = None
    return list(found)


def _is_size(reading: Reading, node: int) -> bool:
    """Whether a number is a square, a root or without its sign: zero where its operand is, else positive."""
    op, args, _ = reading.program.nodes[node]
    return op in (Op.ABS, Op.SQRT) or (op is Op.MUL and args[0] == args[1])


def _is_no_less(reading: Reading, node: int) -> bool:
    """Whether a number is a sum of such ones and of positive constants, and so not less than zero."""
    nodes, open_, seen = reading.program.nodes, [node], set[int]()
    while open_:
        here = open_.pop()
        op, args, value = nodes[here]
        if here in seen or _is_size(reading, here):
            continue
        seen.add(here)
        if op is Op.ADD:
            open_ += args
        elif op is not Op.CONSTANT or not value or value < 0:
            return False
    return True
