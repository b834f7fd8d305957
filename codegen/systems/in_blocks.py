"""Matrices of derivatives in blocks by states, written in the notation: what a filter's F, G and H are.

A block is 0, a multiple of the unit matrix, the matrix of its elements where these are short, or else the
derivative of one state's error by another's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from codegen.errors import FeatherError
from codegen.ir.program import Arg, Program
from codegen.modeling.equations.written import Writer
from codegen.modeling.types.scalar import closed_forms
from codegen.systems.stated import part_of
from codegen.systems.tangent import Linearised, error_places, error_size

_LARGEST = 12
"""Elements of more operations are not written; their block is a derivative."""

_LONGEST = 160
"""Longer matrices of elements are not written, either."""


def of_process(step: Linearised) -> str:
    """The equations of F and of each G_k, the derivatives of a process."""
    matrices, states = _Matrices(step), error_places(step.results)
    found = [matrices.equation("F", len(step.noise), states, "delta", states)]
    for k, noise in enumerate(step.noise):
        found.append(matrices.equation(f"G_{k + 1}", k, states, f"n_{k + 1}", [range(noise.size)]))
    return "; ".join(found)


def of_measurement(rows: Linearised, index: int, states: Sequence[Arg]) -> str:
    """The equation of H, the derivatives of one scalar of a measurement by the errors of all states."""
    matrices = _Matrices(rows)
    own = dict(zip((s.name for s in rows.states), error_places(rows.states), strict=True))
    blocks, size = [], sum(map(error_size, states))
    for state, places in zip(states, error_places(states), strict=True):
        if state.name in own:
            elements = matrices.elements(0, range(index, index + 1), own[state.name])
            blocks.append(matrices.block(elements, f"jacobian(h, {_part('delta', places, size)})"))
        else:
            blocks.append("0")
    return f"H = {_matrix([blocks], [1], [error_size(s) for s in states])}"


def _part(name: str, places: range, length: int) -> str:
    """The part of a column of this length at these places; the column if it is all of it."""
    return name if len(places) == length else part_of(name, places)


class _Matrices:
    """The matrices of a formula's derivatives: by each noise, then by the error of its states."""

    def __init__(self, of: Linearised) -> None:
        with closed_forms():
            self._program = replace(of.program, labels={})
        self._writer = Writer(of.kernel, self._program)
        self._widths = [*(n.size for n in of.noise), of.size]
        self._rows = of.rows
        self._operations = _operations(self._program)

    def equation(
        self, name: str, number: int, rows: Sequence[range], by: str, columns: Sequence[range]
    ) -> str:
        """The equation of a whole matrix, of the derivatives of xi."""
        width = self._widths[number]
        blocks = []
        for r in rows:
            after = _part("xi", r, self._rows)
            derivatives = [f"jacobian({after}, {_part(by, c, width)})" for c in columns]
            parts = zip(columns, derivatives, strict=True)
            blocks.append([self.block(self.elements(number, r, c), of) for c, of in parts])
        return f"{name} = {_matrix(blocks, list(map(len, rows)), list(map(len, columns)))}"

    def elements(self, number: int, rows: range, columns: range) -> list[list[int]]:
        """The nodes of a block of a matrix."""
        start, width = self._rows * sum(self._widths[:number]), self._widths[number]
        return [[self._program.results[start + i * width + j] for j in columns] for i in rows]

    def block(self, elements: Sequence[Sequence[int]], derivative: str) -> str:
        """A block in its shortest form: 0, a multiple of the unit matrix, its elements or the derivative."""
        if any(self._operations[i] > _LARGEST for row in elements for i in row):
            return derivative
        try:
            texts = [[self._writer.expression(i) for i in row] for row in elements]
        except FeatherError:  # such as a look-up, which the notation does not have
            return derivative
        if all(x == "0" for row in texts for x in row):
            return "0"
        if len(texts) == 1 and len(texts[0]) == 1:
            return texts[0][0]
        if _is_multiple_of_unit(texts):
            factor, unit = texts[0][0], f"identity({len(texts)})"
            return unit if factor == "1" else f"({factor}) {unit}" if " " in factor else f"{factor} {unit}"
        written = _rows(texts)
        return written if len(written) <= _LONGEST else derivative


def _operations(program: Program) -> list[int]:
    """The number of operations in the expression of each node, in which nothing is shared."""
    found: list[int] = []
    for _, args, _ in program.nodes:
        found.append(min(bool(args) + sum(found[a] for a in args), _LARGEST + 1))
    return found


def _is_multiple_of_unit(texts: Sequence[Sequence[str]]) -> bool:
    """Whether a square block has equal elements on its diagonal, and zeros beside it."""
    square = len(texts) == len(texts[0]) and texts[0][0] != "0"
    expected = ((texts[0][0] if i == j else "0") for i in range(len(texts)) for j in range(len(texts)))
    return square and all(x == y for x, y in zip(chain(*texts), expected, strict=True))


def _matrix(blocks: Sequence[Sequence[str]], heights: Sequence[int], widths: Sequence[int]) -> str:
    """A matrix of blocks; a zero tells its size where no other block of its row or column does."""
    if len(blocks) == 1 and len(blocks[0]) == 1 and blocks[0][0] != "0":
        return blocks[0][0]
    found = [list(row) for row in blocks]
    for i, height in enumerate(heights):
        if height > 1 and set(found[i]) == {"0"}:
            found[i][0] = f"zeros({height}, {widths[0]})"
    for j, width in enumerate(widths):
        if width > 1 and {row[j] for row in found} == {"0"}:
            found[0][j] = f"zeros({heights[0]}, {width})"
    return _rows(found)


def _rows(elements: Sequence[Sequence[str]]) -> str:
    rows = (f"[{', '.join(row)}]" for row in elements)
    return f"[{', '.join(rows)}]"
