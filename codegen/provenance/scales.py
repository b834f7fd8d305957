"""Scales: named reciprocals by which a formula multiplies its arguments, to a power in what it computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from codegen.ir.operations import Op
from codegen.ir.program import Node
from codegen.modeling.kernel import Kernel
from codegen.notation.unicode import power
from codegen.provenance.matching import Match, matches
from codegen.provenance.points import Rows

_POWERS = (1, 2, 3, 4, 6, -1, -2, -3, -4, -6)
"""The powers of a scale of arguments with which a value may be multiplied."""


@dataclass(frozen=True)
class Scaled:
    """A value that is what is written times a power of a scale: the product, the match, the scale's node."""

    name: str
    match: Match
    scale: int


class Scales:
    """The scales of a printed Program, with the values of its nodes."""

    def __init__(
        self, kernel: Kernel, nodes: Sequence[Node], labels: Mapping[int, str], values: Rows
    ) -> None:
        self._kernel, self._labels, self._values = kernel, labels, values
        self._below: list[tuple[int, ...]] = []
        for i, (op, args, _) in enumerate(nodes):
            is_scale = op is Op.DIV and nodes[args[0]].op is Op.CONSTANT and labels.get(i)
            below = dict.fromkeys(s for a in args for s in self._below[a])
            self._below.append((i,) if is_scale else tuple(below))

    def of(self, i: int, values: Rows) -> Scaled | None:
        """What these values, computed for a node, are but for a scale from which the node is computed."""
        for scale in (s for s in self._below[i] if s != i):
            for exponent in _POWERS:
                unscaled = values / self._values[scale] ** exponent
                whole = [m for m in matches(self._kernel, unscaled) if not m.is_part]
                if whole:
                    return Scaled(self._product(whole[0].name, scale, exponent), whole[0], scale)
        return None

    def _product(self, name: str, scale: int, exponent: int) -> str:
        label = self._labels[scale]
        written = f"({name})" if " + " in name or " - " in name else name
        return f"{written} {label}{power(exponent) if exponent != 1 else ''}"
