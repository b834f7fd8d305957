"""The policy of a comparison: what its items mean, what is said of wrong ones, and where its limits lie."""

from __future__ import annotations

import math
from typing import Any

import pytest

from codegen.errors import FeatherError
from codegen.ir.cost import Cost
from codegen.review.diff.changes import Change, ChangeClass, Witness
from codegen.review.footprint import COUNTED, MEASURED, Footprint, counted
from codegen.review.policy import CLASSES, breaches, parse_policy


def judged(
    items: str,
    before: dict[str, int] | None = None,
    after: dict[str, int] | None = None,
    kind: ChangeClass = ChangeClass.REASSOCIATED,
    symbol: str = "fc_f_f32",
    **budgets: dict[str, int],
) -> list[str]:
    """The breaches of one function."""
    change = Change(symbol, kind, "", "a.c", 1)
    footprint = Footprint(before or {}, after or {})
    return breaches(change, footprint, parse_policy(items.split(","), budgets))


@pytest.mark.parametrize("kind", ChangeClass)
@pytest.mark.parametrize("item", CLASSES)
def test_a_class_fails_functions_of_that_class_only(item: str, kind: ChangeClass) -> None:
    """What may return other values counts as changed, too."""
    covered = item == "changed" and kind in (ChangeClass.GUARDS, ChangeClass.UNREADABLE)
    assert bool(judged(item, kind=kind)) == (kind.value == item or covered)


def test_the_classes_are_those_that_the_reports_name() -> None:
    named = [
        "identical",
        "cosmetic",
        "re-associated",
        "guards changed",
        "unreadable",
        "changed",
        "interface",
        "contract",
        "build",
        "added",
        "removed",
    ]
    assert list(CLASSES) == named


def test_without_a_policy_nothing_fails() -> None:
    for kind in ChangeClass:
        assert judged("", {"cost": 1}, {"cost": 99}, kind=kind) == []


@pytest.mark.parametrize(
    ("item", "before", "after", "fails"),
    [
        ("cost>5%", 100, 105, False),
        ("cost>5%", 100, 106, True),
        ("cost>5%", 19, 20, True),
        ("cost>5.5%", 1000, 1055, False),
        ("cost>5.5%", 1000, 1056, True),
        ("cost>0%", 100, 100, False),
        ("cost>0%", 100, 101, True),
        ("cost > 5 %", 100, 106, True),
        ("cost>5%", 0, 0, False),
        ("cost>5%", 0, 1, True),
        ("cost>5%", 100, 1, False),
        ("stack>64", 100, 164, False),
        ("stack>64", 100, 165, True),
        ("stack>64", 200, 100, False),
        ("flash>0", 100, 101, True),
        ("instructions>10%", 10, 12, True),
        ("libm>0", 2, 3, True),
        ("div>0", 0, 1, True),
    ],
)
def test_a_limit_is_on_growth(item: str, before: int, after: int, fails: bool) -> None:
    quantity = item.split(">")[0].strip()
    found = judged(item, {quantity: before}, {quantity: after})
    assert bool(found) == fails
    if fails:
        assert f"from {before} to {after}" in found[0]


def apart(items: str, ulp: float | None, *also: ChangeClass) -> list[str]:
    """The breaches of a re-associated function whose results are so many ulp apart, if that is known."""
    witness = None if ulp is None else Witness({}, {}, {}, ulp)
    kinds = (ChangeClass.REASSOCIATED, *also)
    change = Change("fc_f_f32", kinds[-1], "", "a.c", 1, witness=witness, also=kinds[:-1])
    return breaches(change, Footprint(), parse_policy(items.split(","), {}))


@pytest.mark.parametrize(
    ("items", "ulp", "fails"),
    [
        ("ulp>16", 16.0, False),
        ("ulp>16", 16.5, True),
        ("ulp>0", 0.0, False),
        ("ulp>0.5", 0.6, True),
        ("ulp > 2", 3.0, True),
        ("ulp>16,ulp>2", 3.0, True),
        ("ulp>2,ulp>16", 3.0, True),
        ("ulp>999999999999", math.inf, True),
        ("ulp>16", math.nan, True),
        ("ulp>16", None, True),
    ],
)
def test_a_limit_on_ulp_is_on_the_measured_difference(items: str, ulp: float | None, fails: bool) -> None:
    assert bool(apart(items, ulp)) == fails
    assert bool(apart(items, ulp, ChangeClass.CONTRACT)) == fails, "also where another class comes first"
    assert not apart("changed,interface,cosmetic", ulp)


def test_a_limit_on_ulp_says_what_was_measured() -> None:
    assert apart("ulp>16", 40.0) == ["ulp>16: 40 ulp apart"]
    assert apart("ulp>16", None) == ["the difference is not known, so ulp>16 cannot be ruled out"]
    assert apart("re-associated,ulp>16", 40.0) == ["it is re-associated"]


@pytest.mark.parametrize("kind", [k for k in ChangeClass if k is not ChangeClass.REASSOCIATED])
def test_a_limit_on_ulp_is_on_re_associated_functions(kind: ChangeClass) -> None:
    change = Change("fc_f_f32", kind, "", "a.c", 1, witness=Witness({}, {}, {}, math.inf))
    assert breaches(change, Footprint(), parse_policy(["ulp>1"], {})) == []


def test_a_class_that_is_excused_does_not_fail() -> None:
    change = Change("fc_f_f32", ChangeClass.CHANGED, "", "a.c", 1, also=(ChangeClass.INTERFACE,))
    policy = parse_policy(["changed", "interface"], {})
    assert breaches(change, Footprint(), policy, {ChangeClass.CHANGED}) == ["its interface has changed"]
    assert breaches(change, Footprint(), policy, change.kinds) == []
    far = Change("fc_f_f32", ChangeClass.REASSOCIATED, "", "a.c", 1)
    assert breaches(far, Footprint(), parse_policy(["ulp>1"], {}), {ChangeClass.REASSOCIATED}) == []


@pytest.mark.parametrize(
    "kind", [ChangeClass.ADDED, ChangeClass.REMOVED, ChangeClass.IDENTICAL, ChangeClass.COSMETIC]
)
def test_growth_is_of_functions_whose_program_differs(kind: ChangeClass) -> None:
    assert judged("cost>5%,stack>0", {"cost": 1}, {"cost": 9}, kind=kind) == []


@pytest.mark.parametrize("kind", [ChangeClass.REASSOCIATED, ChangeClass.CHANGED, ChangeClass.INTERFACE])
def test_what_is_limited_and_not_known_fails(kind: ChangeClass) -> None:
    (reason,) = judged("stack>64", {"cost": 1}, {"cost": 1}, kind=kind)
    assert "stack is not known" in reason
    (reason,) = judged("cost>5%", {"cost": 1}, {}, kind=kind)
    assert "cost>5% cannot be ruled out" in reason


def test_a_budget_is_on_what_a_function_has_afterwards() -> None:
    budgets: dict[str, Any] = {"fc_*_f32": {"cost": 10, "stack": 64}, "fc_f_f32": {"cost": 20}}
    assert judged("", {}, {"cost": 20, "stack": 64}, **budgets) == []
    found = judged("", {"cost": 99}, {"cost": 21, "stack": 65}, kind=ChangeClass.IDENTICAL, **budgets)
    assert found == ["cost 21 is over its budget of 20", "stack 65 is over its budget of 64"]
    assert judged("", {}, {"cost": 11, "stack": 1}, symbol="fc_g_f32", **budgets)
    assert not judged("", {}, {"cost": 11, "stack": 99}, symbol="fc_f_f64", **budgets)
    assert "stack is not known" in judged("", {}, {"cost": 1}, **budgets)[0]
    assert judged("", {"cost": 99}, {}, kind=ChangeClass.REMOVED, **budgets) == []


@pytest.mark.parametrize(
    "item",
    ["chnaged", "cost", "cost>", "cost>x", "cost>-5", "cost>5%%", "cost<5", "time>5", "cost>\u0665",
     "stack>1e3", "cost>" + "9" * 99, "changed;interface", "*",
     "ulp>5%", "ulp>", "ulp", "ulp<5"],
)  # fmt: skip
def test_a_wrong_item_is_named(item: str) -> None:
    with pytest.raises(FeatherError) as caught:
        parse_policy(["changed", item, "interface"], {})
    assert repr(item) in str(caught.value)
    assert "cosmetic" in str(caught.value)
    assert "stack" in str(caught.value)


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (64, "the budget of fc_f must be a table"),
        ({}, "the budget of fc_f must be a table"),
        ({"stck": 64}, "the budget of fc_f limits 'stck', which is not a quantity; known are cost"),
        ({"stack": "64"}, "the budget of fc_f: stack must be a whole number, not '64'"),
        ({"stack": True}, "stack must be a whole number"),
        ({"stack": -1}, "stack must be a whole number"),
    ],
)
def test_a_wrong_budget_is_named(budget: Any, said: str) -> None:
    with pytest.raises(FeatherError, match=said):
        parse_policy([], {"fc_f": budget})


def test_the_compiler_is_needed_only_for_what_it_alone_can_tell() -> None:
    changed, same = (
        Change("fc_f_f32", k, "", "a.c", 1) for k in (ChangeClass.CHANGED, ChangeClass.IDENTICAL)
    )
    for quantity in (*COUNTED, *MEASURED):
        policy = parse_policy([f"{quantity}>1"], {})
        assert policy.needs_compiler(changed) == (quantity in MEASURED)
        assert not policy.needs_compiler(same)
        budget = parse_policy([], {"fc_f_*": {quantity: 1}, "fc_g_*": {"stack": 1}})
        assert budget.needs_compiler(same) == (quantity in MEASURED)


def test_the_cost_counts_divisions_roots_and_calls_tenfold() -> None:
    cost = Cost(mul=1, add=2, neg=3, div=4, sqrt=5, cmp=6, select=7, abs=8, libm={"sin": 2, "cos": 1})
    assert counted(cost)["cost"] == 1 + 2 + 3 + 40 + 50 + 6 + 7 + 8 + 30
    assert counted(cost)["libm"] == 3
    assert list(counted(cost)) == list(COUNTED)
    assert counted(None) == {}
