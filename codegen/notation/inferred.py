"""The shapes of names that no equation defines, from the operations in which they stand: `c` in `w x c`.

The operands of a cross product are vectors, the terms of a sum have one shape, and so do the sides of an
equation. A factor beside numbers only is a vector where their product is one, as `a` in `v + a t`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codegen.notation.layout import Shape
from codegen.notation.syntax import Equation, Kind, Node

_SCALAR, _VECTOR = (1, 1), (3, 1)

_OFTEN_SCALARS = frozenset(("t", "dt", "m", "pi", "eps", "min", "max"))
"""Names that stand for scalars beside an unknown factor."""


def inferred(formulas: Sequence[Equation], shapes: Mapping[Node, Shape]) -> dict[Node, Shape]:
    """The shapes of names in formulas, given those of some expressions."""
    found = _Inference(shapes)
    before = -1
    while len(found.names) > before:
        before = len(found.names)
        for formula in formulas:
            found.agree(formula.sides)
            for side in formula.sides:
                for node in side.nodes():
                    found.visit(node)
    return found.names


class _Inference:
    """Shapes that are known, and those of names that were found."""

    def __init__(self, known: Mapping[Node, Shape]) -> None:
        self._known = known
        self.names: dict[Node, Shape] = {}

    def visit(self, node: Node) -> None:
        """Find the names among the operands of an operation."""
        if node.kind in (Kind.CROSS, Kind.SKEW):
            for a in node.args:
                self._has(a, _VECTOR)
        elif node.kind in (Kind.SUM, Kind.DOT):
            self.agree(node.args)
        elif node.kind is Kind.PRODUCT and node.args[-1].kind is Kind.TRANSPOSE:
            self._outer_product(*node.args[-2:])

    def agree(self, nodes: Sequence[Node]) -> None:
        """Give all expressions the shape of the first one that is no scalar."""
        shape = next((s for n in nodes if (s := self.of(n)) not in (None, _SCALAR)), None)
        for n in nodes if shape else ():
            self._has(n, shape or _SCALAR)

    def _outer_product(self, left: Node, right: Node) -> None:
        """The column and the row of a product such as `a b^T`, of which nothing is known."""
        (column,) = right.args
        if all(n.kind is Kind.NAME and self.of(n) in (None, _VECTOR) for n in (left, column)):
            self._has(left, _VECTOR)
            self._has(column, _VECTOR)

    def of(self, node: Node) -> Shape | None:
        """The shape of an expression, None where it depends on names that are not known."""
        if node in self._known:
            return self._known[node]
        if node.kind is Kind.NAME:
            return self.names.get(node)
        if node.kind in (Kind.SUM, Kind.PRODUCT):
            return self._of_several(node)
        if node.kind in (Kind.NEGATIVE, Kind.QUOTIENT, Kind.INVERSE, Kind.POWER):
            return self.of(node.args[0])
        if node.kind is Kind.TRANSPOSE:
            shape = self.of(node.args[0])
            return shape and (shape[1], shape[0])
        fixed = {Kind.CROSS: _VECTOR, Kind.SKEW: (3, 3)}
        return fixed.get(node.kind, _SCALAR if node.kind in _SCALARS else None)

    def _of_several(self, node: Node) -> Shape | None:
        shapes = [self.of(a) for a in node.args]
        large = [s for s in shapes if s is not None and s != _SCALAR]
        if not large:
            return None if None in shapes else _SCALAR
        return large[0] if node.kind is Kind.SUM else (large[0][0], large[-1][1])

    def _has(self, node: Node, shape: Shape) -> None:
        """Give the names in an expression of this shape theirs."""
        if shape == _SCALAR or node in self._known:
            return
        if node.kind is Kind.NAME and node.name not in _OFTEN_SCALARS:
            self.names.setdefault(node, shape)
        elif node.kind is Kind.SUM:
            for a in node.args:
                self._has(a, shape)
        elif node.kind in (Kind.NEGATIVE, Kind.QUOTIENT):
            self._has(node.args[0], shape)
        elif node.kind is Kind.TRANSPOSE:
            self._has(node.args[0], (shape[1], shape[0]))
        elif node.kind is Kind.PRODUCT:
            self._factor_has(node, shape)

    def _factor_has(self, product: Node, shape: Shape) -> None:
        """Where all other factors are scalars, the one that is left has the shape of the product.

        With 1 as its last factor, a product is a multiple of the unit matrix.
        """
        if product.args[-1].kind is Kind.NUMBER:
            return
        open_ = [a for a in product.args if self.of(a) is None and a.name not in _OFTEN_SCALARS]
        large = [a for a in product.args if self.of(a) not in (None, _SCALAR)]
        if len(open_) == 1 and not large:
            self._has(open_[0], shape)
        elif len(large) == 1 and not open_:
            self._has(large[0], shape)


_SCALARS = frozenset((Kind.NUMBER, Kind.DOT, Kind.NORM, Kind.ENTRY))
