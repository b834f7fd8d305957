"""Reviews a change of generated C: measures what has changed and applies the policy."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from codegen.errors import FeatherError
from codegen.review.callers import NO_CALLS, Calls
from codegen.review.comparison import Comparison
from codegen.review.diff.changes import Change
from codegen.review.explanation import Explanation, explanations
from codegen.review.footprint import Footprint, can_measure, footprints
from codegen.review.policy import WITHOUT_OPERATIONS, Policy, breaches, failing_classes
from codegen.review.reports.report import Entry, Report
from codegen.review.waivers import Waivers


def review(compared: Comparison, policy: Policy, waivers: Waivers, calls: Calls = NO_CALLS) -> Report:
    """Measure what has changed and judge it by a policy, and by the waivers of changes that it fails.

    `calls` are those of other sources, which the report names.

    FeatherError when the policy limits a quantity that cannot be measured here, or has a budget of nothing.
    """
    changes = compared.changes
    _check_budgets(policy, changes)
    measured = footprints(changes, compared.trees.sources, _wanted(changes, policy))

    explained = explanations(changes, compared.trees, calls)

    def entry(change: Change, footprint: Footprint, explanation: Explanation) -> Entry:
        excused = waivers.excused(change, compared)
        reasons = breaches(change, footprint, policy, excused.keys())
        failing = failing_classes(change, policy, excused.keys())
        return Entry(
            change,
            footprint,
            compared.place(change),
            tuple(reasons),
            waived=tuple(excused.values()),
            offered=waivers.offered(change, failing, compared),
            explanation=explanation,
        )

    rows = [entry(*each) for each in zip(changes, measured, explained, strict=True)]
    warnings = [compared.warning, *waivers.remarks(compared)]
    return Report(
        compared.old,
        compared.new,
        rows,
        tuple(filter(None, warnings)),
        causes=tuple(compared.causes),
        has_policy=not policy.is_empty,
    )


def _check_budgets(policy: Policy, changes: Sequence[Change]) -> None:
    """FeatherError for a budget that bounds nothing, such as one with a misspelt name."""
    for pattern in policy.budgets:
        if not any(fnmatchcase(change.symbol, pattern) for change in changes):
            raise FeatherError(f"the budget of {pattern} matches no function of either tree: mend its name")


def _wanted(changes: Sequence[Change], policy: Policy) -> set[str]:
    """The functions to measure: those that differ, and those with a budget."""
    needed = {c.symbol for c in changes if policy.needs_compiler(c)}
    if needed and not can_measure():
        raise FeatherError(
            f"the policy limits instructions, flash or stack of {min(needed)}: "
            "install arm-none-eabi-gcc (Debian: gcc-arm-none-eabi) or remove the limit"
        )
    return {c.symbol for c in changes if not c.kinds <= WITHOUT_OPERATIONS or policy.budget(c.symbol)}
