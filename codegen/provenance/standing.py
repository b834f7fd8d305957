"""What the names of values stand for: what a text has of them, or else what the formula computes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from codegen.ir.operations import LEAVES, LIBM, Op
from codegen.ir.program import Program
from codegen.ir.systems import ARITHMETIC, Precision
from codegen.modeling.kernel import Kernel
from codegen.provenance.identities import computed_first
from codegen.provenance.matching import Match, matches
from codegen.provenance.points import Rows, at_points, points
from codegen.provenance.wording import Wording
from codegen.provenance.written import Place

_NAME = re.compile(r"\w+(?![\w(])")
"""A name that is not that of a function."""

_MOST_NAMES = 8
"""Names that are explained beside an expression."""

_FORMULAS = {*ARITHMETIC, Op.SQRT}
"""The operations of a formula whose letters may be those of its parts."""

_SHORT = 60
"""Characters of a formula that is short enough to be the name of a value."""

_LONGEST = 400
"""Characters of all explanations beside an expression."""


class Aside(NamedTuple):
    """What the names in an expression stand for, in words, and the places of a text at which these stand.

    `above` are the names that are not explained: those of values that other statements compute.
    """

    text: str = ""
    places: tuple[Place, ...] = ()
    above: tuple[str, ...] = ()


class _Side(NamedTuple):
    """A Program, the printed one or that of the formula, its words, and its values at the points."""

    program: Program
    words: Wording
    values: Rows


class _Spot(NamedTuple):
    """A value of one of both Programs; `opposite` where it stands for its negative."""

    side: _Side
    node: int
    opposite: bool = False

    @property
    def text(self) -> str:
        """The words for it: the expression or, of an opposite value, its name with a minus sign."""
        return f"-{self.name}" if self.opposite else self.side.words.value(self.node, top=True)

    @property
    def name(self) -> str:
        return self.side.words.name(self.node)

    @property
    def value(self) -> Rows:
        row: Rows = self.side.values[self.node]
        return row


class Standing:
    """What the names in a printed Program stand for; `values` are its values at the points of the kernel."""

    def __init__(
        self,
        kernel: Kernel,
        program: Program,
        words: Wording,
        values: Rows,
        precision: Precision,
        checks: bool,
    ) -> None:
        formula = kernel.program(checks)
        known = at_points(formula, points(kernel), precision)
        self._kernel = kernel
        self._printed = _Side(program, words, values)
        self._formula = _Side(formula, Wording(formula, formula.labels, {}), known)

    def definition(self, i: int) -> str:
        """The words for a value that has a name: by the formula if it has the name, or else as computed."""
        return self._defined(_Spot(self._printed, i)).text

    def beside(self, *nodes: int) -> Aside:
        """What the names stand for in the definitions of values and in conditions, except their own."""
        spots = [_Spot(self._printed, i) for i in nodes]
        return self._explained(spots, [self._defined(spot) for spot in spots])

    def beside_words(self, *nodes: int) -> Aside:
        """What the names stand for in the words for values as they are printed."""
        spots = [_Spot(self._printed, i) for i in nodes]
        return self._explained(spots, spots)

    def textbook(self, i: int) -> str:
        """A value in the letters of the texts; empty where it needs others, or is no short formula."""
        spot = self._defined(_Spot(self._printed, i))
        letters = self._letters(spot) if not spot.opposite else None
        if letters is None:
            return ""
        program = spot.side.program
        text = Wording(program, letters, {}).value(spot.node, top=True)
        return text if len(text) <= _SHORT and "..." not in text else ""

    def _letters(self, spot: _Spot) -> dict[int, str] | None:
        """What the texts call the values in a formula; None if a value has no name in them."""
        nodes, found = spot.side.program.nodes, dict[int, str]()
        waiting = list(nodes[spot.node].args)
        for a in waiting:
            if a in found or nodes[a].op in LEAVES - {Op.INPUT}:
                continue
            match, inverse = self._written(_Spot(spot.side, a))
            if match is not None:
                found[a] = _words(match, inverse)
            elif nodes[a].op in _FORMULAS:
                waiting += nodes[a].args
            elif nodes[a].op is not Op.INPUT:
                return None
        return found

    def _explained(self, spots: Sequence[_Spot], shown: Sequence[_Spot]) -> Aside:
        own = {spot.name for spot in spots}
        waiting = [inside for spot in shown for inside in self._inside(spot)]
        found: dict[str, str] = {}
        places: list[Place] = []
        above: dict[str, None] = {}
        for spot in waiting:
            if spot.name in own or spot.name in found or spot.name in above:
                continue
            match, inverse = self._written(spot)
            if match is not None:
                places.append(match.place)
                if match.name == spot.name:
                    continue
            defined = self._defined(spot)
            text = f"{_words(match, inverse)}{match.place.of_call}" if match else defined.text
            size = sum(map(len, (*found, *found.values())))
            if "..." in text or text == spot.name or len(found) >= _MOST_NAMES or size + len(text) > _LONGEST:
                above.setdefault(spot.name)
                continue
            found[spot.name] = text
            waiting += [] if match else self._inside(defined)
        rows = [f"{name} = {text}" for name, text in found.items()]
        return Aside(f", with {', '.join(rows)}" if rows else "", tuple(places), tuple(above))

    def _defined(self, spot: _Spot) -> _Spot:
        """The value of the formula that has the name of a value or, if it has none, is its negative."""
        if spot.side is self._formula or not spot.side.words.is_real(spot.node):
            return spot
        label = spot.side.program.labels.get(spot.node, "")
        for j, name in self._formula.program.labels.items():
            known: Rows = self._formula.values[j]
            if name == label and _equal(known, spot.value):
                return _Spot(self._formula, j)
            if not label and np.ptp(known) > 0 and _equal(known, -spot.value):
                return _Spot(self._formula, j, opposite=True)
        return spot

    def _inside(self, spot: _Spot) -> list[_Spot]:
        """The values that the words for a value call by their names."""
        if spot.opposite:
            return [_Spot(spot.side, spot.node)]
        words = spot.side.words
        return [_Spot(spot.side, a) for a in words.called(spot.node) if words.is_real(a)]

    def _written(self, spot: _Spot) -> tuple[Match | None, bool]:
        """What a text has of a value or, if there is nothing, of its reciprocal; whether it is that."""
        op = spot.side.program.nodes[spot.node].op
        found = matches(self._kernel, spot.value, function=op.label if op in LIBM else "")
        if op in ARITHMETIC:
            found = computed_first(self._kernel, found)
        for match in self._fitting(spot.name, found):
            return match, False
        inverse = matches(self._kernel, 1 / np.where(spot.value, spot.value, np.nan))
        for match in self._fitting(spot.name, inverse):
            return match, True
        return None, False

    def _fitting(self, name: str, found: Sequence[Match]) -> Iterator[Match]:
        """The best match of a value, unless it has the name with another meaning."""
        for match in found:
            if (
                not match.is_part
                and not match.place.implicit
                and (name == match.name or name not in _NAME.findall(match.name))
            ):
                yield match
                return


def _words(match: Match, inverse: bool) -> str:
    """What a text has of a value, or one divided by it."""
    if not inverse:
        return match.name
    return f"1 / ({match.name})" if " " in match.name else f"1 / {match.name}"


def _equal(a: Rows, b: Rows) -> bool:
    """Whether values are the same at all points, also where they are none."""
    with np.errstate(invalid="ignore"):
        if abs(a[0] - b[0]) > 1e-7 * abs(b[0]):  # as most are
            return False
        return bool(((np.abs(a - b) <= 1e-7 * np.abs(b)) | (a == b) | (np.isnan(a) & np.isnan(b))).all())
