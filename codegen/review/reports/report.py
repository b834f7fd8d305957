"""The content of a report: entries, their order and severity; `evidence` has the wording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from codegen.displayed import Displayed
from codegen.review.diff.changes import Change, ChangeClass
from codegen.review.explanation import Explanation
from codegen.review.footprint import Footprint
from codegen.review.policy import SAME
from codegen.review.waivers import Waiver
from codegen.show import printable

SHOWN = {"cost": "cost", "libm": "libm", "instructions": "instr", "flash": "flash", "stack": "stack"}
"""The quantities that tables show, with their column heads; the JSON has all quantities."""


@dataclass(frozen=True)
class Entry:
    """One function: its change, its cost, its file, and the reasons why it is outside the policy.

    `twin` is the same function in float, which shares the entry if `verdict_of` says the same of both.
    `waived` are the waivers that excuse classes of the change, `offered` those that would excuse the others
    that fail, once they have a reason.
    """

    change: Change
    footprint: Footprint
    place: str
    breaches: tuple[str, ...] = ()
    twin: Entry | None = None
    waived: tuple[Waiver, ...] = ()
    offered: tuple[Waiver, ...] = ()
    explanation: Explanation = field(default_factory=Explanation)

    @property
    def symbol(self) -> str:
        """The function's name, or that of the file that could not be read; safe to print."""
        return printable(self.change.symbol)

    @property
    def title(self) -> str:
        """The name of the function, or of the two that share the entry; safe to print."""
        return f"{self.symbol.removesuffix(_DOUBLE)}, float and double" if self.twin else self.symbol

    @property
    def both(self) -> tuple[Entry, ...]:
        """The entry, and its twin if it has one."""
        return (self, self.twin) if self.twin else (self,)

    @property
    def file(self) -> str:
        """The path of its file; safe to print."""
        return printable(self.place)

    @property
    def where(self) -> str:
        """File and line; safe to print."""
        return f"{self.file}:{self.change.line}"

    def figure(self, quantity: str) -> str:
        """`12`, or `12 -> 14` where it has changed; empty where it is not known.

        Of twins with other figures, those in float come first: `12 -> 14 / 30`.
        """
        return " / ".join(dict.fromkeys(e._own_figure(quantity) for e in reversed(self.both)))

    def _own_figure(self, quantity: str) -> str:
        before = self.footprint.before.get(quantity)
        after = self.footprint.after.get(quantity)
        if before is None or after is None or before == after:
            return str(after if before is None else before) if (before, after) != (None, None) else ""
        return f"{before} -> {after}"


@dataclass(frozen=True)
class Report(Displayed):
    """A comparison of two trees: what was compared, a row for each function, and the command that did it.

    `causes` are the values that have changed in the descriptions of robots. Without a policy nothing fails.
    """

    old: str
    new: str
    rows: Sequence[Entry]
    warnings: tuple[str, ...] = ()
    command: str = "featherc diff"
    causes: tuple[str, ...] = ()
    has_policy: bool = True

    @cached_property
    def notable(self) -> list[Entry]:
        """The rows of functions that are not identical: first what fails, then the worst class first.

        Twins share a row.
        """
        rows = [row for row in self.rows if row.change.kind is not ChangeClass.IDENTICAL or row.breaches]
        return sorted(with_twins(rows), key=lambda row: (not row.breaches, _ORDER.index(row.change.kind)))

    @property
    def differing(self) -> list[Entry]:
        """The notable rows with other operations or another interface, and those outside the policy."""
        return [row for row in self.notable if row.change.kind not in SAME or row.breaches]

    @property
    def outside(self) -> list[Entry]:
        """The rows outside the policy."""
        return [row for row in self.rows if row.breaches]

    @property
    def verdict(self) -> str:
        """What the policy says of the comparison."""
        if not self.has_policy:
            return "no policy is set, so nothing fails"
        return f"{len(self.outside)} outside the policy" if self.outside else "within the policy"

    @property
    def subjects(self) -> str:
        """The word for the subjects of the rows."""
        files = any(row.change.symbol == row.change.path for row in self.rows)
        return "functions and files" if files else "functions"

    @property
    def summary(self) -> str:
        """The number of functions and files in each class: `1 changed, 299 identical`."""
        count = Counter(row.change.kind for row in self.rows)
        parts = [f"{count[kind]} {kind.value}" for kind in _ORDER if count[kind]]
        return ", ".join(parts) or "no functions"

    def quantities(self) -> list[str]:
        """The quantities of SHOWN that are known for at least one notable row."""
        return [q for q in SHOWN if any(row.figure(q) for row in self.notable)]


_FLOAT, _DOUBLE = "_f32", "_f64"


def verdict_of(row: Entry) -> tuple[object, ...]:
    """What twins have in common: classes, whether they fail, what is waived, which statements differ."""
    kinds = {w.kind for w in row.waived}
    edits = [edit.in_any_precision for edit in row.explanation.edits]
    return row.change.kind, row.change.also, bool(row.breaches), kinds, edits


def with_twins(rows: Sequence[Entry], verdict: Callable[[Entry], object] = verdict_of) -> list[Entry]:
    """The rows, one for each function in float and in double that has the same verdict in both."""
    double = {row.symbol: row for row in rows if row.symbol.endswith(_DOUBLE)}
    pairs = {
        twin.symbol: row
        for row in rows
        if row.symbol.endswith(_FLOAT)
        and (twin := double.get(row.symbol.removesuffix(_FLOAT) + _DOUBLE))
        and verdict(row) == verdict(twin)
    }
    known = {row.symbol for row in pairs.values()}
    return [
        replace(row, twin=pairs.get(row.symbol)) if row.symbol in pairs else row
        for row in rows
        if row.symbol not in known
    ]


_ORDER = (
    ChangeClass.CHANGED,
    ChangeClass.GUARDS,
    ChangeClass.UNREADABLE,
    ChangeClass.INTERFACE,
    ChangeClass.BUILD,
    ChangeClass.CONTRACT,
    ChangeClass.REMOVED,
    ChangeClass.ADDED,
    ChangeClass.REASSOCIATED,
    ChangeClass.COSMETIC,
    ChangeClass.IDENTICAL,
)


def level(row: Entry, error: str, warning: str, note: str) -> str:
    """The severity of a row: error outside the policy, warning for a change of behaviour, else note."""
    return error if row.breaches else note if row.change.kind in (*SAME, ChangeClass.ADDED) else warning
