"""The policy of `featherc diff`: classes of change that fail, limits on growth, budgets of functions.

    changed,interface,cost>5%,stack>64,ulp>16

A limit bounds the growth of a quantity, in percent of its old value or in operations, instructions or bytes.
The limit on ulp bounds how far the results of a re-associated function are apart, in units of the last place.
A budget bounds the new value of a quantity, whether or not the function has changed. A function that differs
is outside the policy when a quantity that is limited for it is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import Any

from codegen.errors import FeatherError
from codegen.review.diff.changes import Change, ChangeClass
from codegen.review.footprint import COUNTED, MEASURED, Footprint

CLASSES = {kind.value: kind for kind in ChangeClass}
QUANTITIES = (*COUNTED, *MEASURED)
ULP = "ulp"
_LIMIT = re.compile(r"(\w+)\s*>\s*(\d{1,12}(?:\.\d{1,6})?)\s*(%?)", re.ASCII)
SAME = (ChangeClass.IDENTICAL, ChangeClass.COSMETIC)
"""The classes of functions that do the same operations in the same order."""

Budgets = Mapping[str, Mapping[str, int]]
"""Pattern of function names -> quantity -> its upper limit."""


@dataclass(frozen=True)
class Limit:
    """The most that a quantity of a function may grow, in percent or in its own unit."""

    quantity: str
    most: Decimal
    percent: bool

    def exceeded(self, before: int, after: int) -> bool:
        """Whether the growth is beyond the limit; from zero, any growth exceeds every percentage."""
        return after - before > (self.most * before / 100 if self.percent else self.most)

    def __str__(self) -> str:
        return f"{self.quantity}>{self.most}{'%' if self.percent else ''}"


@dataclass(frozen=True)
class Policy:
    """Classes that fail, limits on growth, budgets of single functions, and a limit on round-off in ulp."""

    kinds: frozenset[ChangeClass] = frozenset()
    limits: tuple[Limit, ...] = ()
    ulp: Decimal | None = None
    budgets: Budgets = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing can fail it."""
        return self == Policy()

    def budget(self, symbol: str) -> dict[str, int]:
        """The upper limit of each quantity for a function; a later pattern overrides an earlier one."""
        found: dict[str, int] = {}
        for pattern, most in self.budgets.items():
            if fnmatchcase(symbol, pattern):
                found |= most
        return found

    def needs_compiler(self, change: Change) -> bool:
        """Whether the verdict on a function depends on a quantity that only a compiler can measure."""
        limited = {limit.quantity for limit in self.limits} if _may_grow(change) else set()
        return not limited.union(self.budget(change.symbol)).isdisjoint(MEASURED)


def parse_policy(items: Iterable[str], budgets: Mapping[str, Any]) -> Policy:
    """Parse a list of classes and limits, and a table of budgets; FeatherError names an invalid item.

    Empty items are ignored, so that an empty string gives an empty policy.
    """
    kinds, limits, apart = set[ChangeClass](), list[Limit](), list[Decimal]()
    for item in filter(None, (text.strip() for text in items)):
        limit = _LIMIT.fullmatch(item)
        if item in CLASSES:
            kinds.add(CLASSES[item])
        elif limit and limit[1] in QUANTITIES:
            limits.append(Limit(limit[1], Decimal(limit[2]), bool(limit[3])))
        elif limit and limit[1] == ULP and not limit[3]:
            apart.append(Decimal(limit[2]))
        else:
            raise FeatherError(
                f"fail-on: {item!r} is neither a class ({', '.join(CLASSES)}) nor a limit on "
                f"{', '.join(QUANTITIES)} or {ULP}, such as cost>5%, stack>64 or ulp>16"
            )
    for pattern, budget in budgets.items():
        _check_budget(pattern, budget)
    return Policy(frozenset(kinds), tuple(limits), min(apart, default=None), budgets)


def _check_budget(pattern: str, budget: Any) -> None:
    if not isinstance(budget, dict) or not budget:
        raise FeatherError(f"the budget of {pattern} must be a table such as {{ stack = 64 }}")
    for quantity, most in budget.items():
        if quantity not in QUANTITIES:
            raise FeatherError(
                f"the budget of {pattern} limits {quantity!r}, which is not a quantity; "
                f"known are {', '.join(QUANTITIES)}"
            )
        if type(most) is not int or most < 0:
            raise FeatherError(f"the budget of {pattern}: {quantity} must be a whole number, not {most!r}")


def breaches(
    change: Change, footprint: Footprint, policy: Policy, excused: Collection[ChangeClass] = ()
) -> list[str]:
    """The reasons why a function is outside the policy; empty when it is within.

    The classes in `excused` do not fail; limits on growth and budgets hold for all.
    """
    failing = failing_classes(change, policy, excused)
    found = [_reason(kind, change, policy) for kind in ChangeClass if kind in failing]
    if _may_grow(change):
        found += _growth(footprint, policy.limits)
    if change.kind is not ChangeClass.REMOVED:
        found += _spending(change, footprint, policy.budget(change.symbol))
    return found


def failing_classes(
    change: Change, policy: Policy, excused: Collection[ChangeClass] = ()
) -> frozenset[ChangeClass]:
    """The classes of a change that the policy fails, except those in `excused`."""
    listed = policy.kinds.union(_COVERED if ChangeClass.CHANGED in policy.kinds else ())
    far = {ChangeClass.REASSOCIATED} if policy.ulp is not None and _far_apart(change, policy.ulp) else set()
    return (change.kinds & (listed | far)) - set(excused)


def _far_apart(change: Change, most: Decimal) -> bool:
    """Whether the results of a re-associated function may be further apart than so many ulp."""
    if ChangeClass.REASSOCIATED not in change.kinds:
        return False
    return change.witness is None or not change.witness.ulp <= float(most)


def _reason(kind: ChangeClass, change: Change, policy: Policy) -> str:
    if kind is not ChangeClass.REASSOCIATED or kind in policy.kinds:
        return _VERDICT[kind]
    if change.witness is None:
        return f"the difference is not known, so {ULP}>{policy.ulp} cannot be ruled out"
    return f"{ULP}>{policy.ulp}: {change.witness.ulp:.3g} ulp apart"


WITHOUT_OPERATIONS = frozenset({*SAME, ChangeClass.CONTRACT, ChangeClass.BUILD})
"""The classes of changes that leave the operations of functions as they are."""


def _may_grow(change: Change) -> bool:
    """Whether a function of both trees may have other operations; a file has none."""
    of_file = change.symbol == change.path and change.kind is ChangeClass.INTERFACE
    one_sided = change.kind in (ChangeClass.ADDED, ChangeClass.REMOVED)
    return not (of_file or one_sided or change.kinds <= WITHOUT_OPERATIONS)


_VERDICT = {kind: f"it is {kind.value}" for kind in ChangeClass} | {
    ChangeClass.INTERFACE: "its interface has changed",
    ChangeClass.CONTRACT: "its documentation tells callers something else",
    ChangeClass.BUILD: "it changes what is built or checked",
    ChangeClass.GUARDS: "its guards have changed",
}
_COVERED = (ChangeClass.GUARDS, ChangeClass.UNREADABLE)
"""What may return other values: it fails where changed is listed, too."""


def _growth(footprint: Footprint, limits: Iterable[Limit]) -> Iterator[str]:
    for limit in limits:
        before = footprint.before.get(limit.quantity)
        after = footprint.after.get(limit.quantity)
        if before is None or after is None:
            yield f"{limit.quantity} is not known, so {limit} cannot be ruled out"
        elif limit.exceeded(before, after):
            yield f"{limit}: from {before} to {after}"


def _spending(change: Change, footprint: Footprint, budget: Mapping[str, int]) -> Iterator[str]:
    for quantity, most in budget.items():
        after = footprint.after.get(quantity)
        if after is None and change.kind is not ChangeClass.IDENTICAL:
            yield f"{quantity} is not known, but its budget is {most}"
        elif after is not None and after > most:
            yield f"{quantity} {after} is over its budget of {most}"
