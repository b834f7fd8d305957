"""The release gate: the version bump that each change requires, and whether the declared one is enough."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codegen.errors import FeatherError
from codegen.review.comparison import Comparison
from codegen.review.diff.callers.headers import text_of
from codegen.review.diff.changes import Change, ChangeClass, SourceTree
from codegen.review.diff.compare import Both
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.source import MANIFEST, Source, is_selftest
from codegen.review.files import cmake, manifest, selftest
from codegen.review.release.versions import Version, bumped, declared_bump, scaled
from codegen.review.release.wording import contract_rule
from codegen.review.rules import RULES, Bump, Rule, rule_of
from codegen.review.waivers import Waiver, Waivers


@dataclass(frozen=True)
class Requirement:
    """What one change requires: the rule of each of its classes that is not waived, and the largest bump."""

    change: Change
    place: str
    rules: Mapping[ChangeClass, Rule]
    bump: Bump
    waived: Mapping[ChangeClass, Waiver]


@dataclass(frozen=True)
class Declared:
    """The versions of the baseline and of the tree; None where none is stated."""

    old: Version | None
    new: Version | None

    @property
    def bump(self) -> Bump | None:
        """The bump that the versions declare; None where one of them is missing."""
        return declared_bump(self.old, self.new) if self.old and self.new else None

    def enough(self, bump: Bump) -> bool:
        """Whether the declared bump, if there is one, is at least this one."""
        return self.old is None or self.bump is None or self.bump >= scaled(bump, self.old)

    def smallest(self, bump: Bump) -> Version | None:
        """The smallest version that a bump admits."""
        return bumped(self.old, scaled(bump, self.old)) if self.old else None


@dataclass(frozen=True)
class Verdict:
    """The requirements of all changes, the first file that differs, and the declared versions."""

    compared: Comparison
    requirements: Sequence[Requirement]
    differing: str
    bumps: Mapping[str, Bump]
    declared: Declared
    remarks: Sequence[str]

    @property
    def required(self) -> Bump:
        """The bump that the changes require; some bump wherever a file differs."""
        files = self.bumps["files"] if self.differing else Bump.NONE
        return max((r.bump for r in self.requirements), default=Bump.NONE) or files

    @property
    def passes(self) -> bool:
        """Whether the declared version is high enough."""
        return self.declared.enough(self.required)


def parse_bumps(given: Any) -> dict[str, Bump]:
    """The bump of each rule: that of the table `bump`, else its default; FeatherError for a wrong one."""
    names = {str(bump): bump for bump in Bump}
    for rule, bump in given.items():
        if rule not in RULES:
            raise FeatherError(f"[release] bump: {rule!r} is no rule; known are {', '.join(RULES)}")
        if not isinstance(bump, str) or bump not in names:
            raise FeatherError(f"[release] bump: {rule} must be one of {', '.join(names)}, not {bump!r}")
    return {name: names[given[name]] if name in given else rule.bump for name, rule in RULES.items()}


def judge(compared: Comparison, bumps: Mapping[str, Bump], waivers: Waivers, declared: Declared) -> Verdict:
    """The verdict on a comparison with the baseline; FeatherError when that has no C."""
    if compared.warning:
        raise FeatherError(f"{compared.old} holds no C: name the generated tree of the last release")

    def requirement(change: Change) -> Requirement:
        waived = waivers.excused(change, compared)
        rules = {k: _rule(k, change, compared) for k in ChangeClass if k in change.kinds - waived.keys()}
        bump = max((bumps[rule.name] for rule in rules.values()), default=Bump.NONE)
        return Requirement(change, compared.place(change), rules, bump, waived)

    differing = _first_difference(compared)
    required = [requirement(change) for change in compared.changes]
    return Verdict(compared, required, differing, bumps, declared, list(waivers.remarks(compared)))


_OF_CALLERS = frozenset({ChangeClass.ADDED, ChangeClass.REMOVED, ChangeClass.INTERFACE, ChangeClass.CONTRACT})
"""What concerns those who can call a function."""


def _rule(kind: ChangeClass, change: Change, compared: Comparison) -> Rule:
    """The rule for one class of a change."""
    trees = compared.trees
    if kind in _OF_CALLERS and change.symbol != change.path and _is_internal(change.symbol, trees):
        return RULES["internal"]
    if kind is ChangeClass.CONTRACT:
        return contract_rule(change, trees)
    if kind is ChangeClass.UNREADABLE and _has_the_same_head(change.symbol, trees):
        return RULES["unread body"]
    both = change.path in trees.old and change.path in trees.new
    if kind is ChangeClass.BUILD and both and is_selftest(change.path, trees.new):
        return RULES["self-test"] if _concerns_tests_only(change.path, trees) else rule_of(kind)
    if kind is ChangeClass.BUILD and both and posixpath.basename(change.path) == cmake.FILE:
        return RULES["option"] if _adds_options_only(change.path, trees) else rule_of(kind)
    return rule_of(kind)


def _adds_options_only(path: str, trees: Both) -> bool:
    return cmake.adds_options_only(*_texts(path, trees), _prefix(path, trees.old))


def _concerns_tests_only(path: str, trees: Both) -> bool:
    return selftest.only_for_tests(_texts(path, trees), _prefix(path, trees.new))


def _texts(path: str, trees: Both) -> tuple[str, str]:
    return text_of(trees.old[path]), text_of(trees.new[path])


def _prefix(path: str, tree: SourceTree) -> str:
    """The prefix of the names of a tree, as the manifest beside a file says."""
    return manifest.prefix(tree.get(posixpath.join(posixpath.dirname(path), MANIFEST), ""))


def _has_the_same_head(symbol: str, trees: Both) -> bool:
    """Whether a function of both trees is declared alike in them, and its declaration means the same."""
    old, new = trees.sources
    if symbol not in old.functions or symbol not in new.functions:
        return False
    heads = [sorted(_head(item) for item in source.written(symbol)) for source in trees.sources]
    before, after = old.environment(symbol), new.environment(symbol)
    names = (before.keys() & after.keys()).union(*heads[1])  # others are those of the bodies
    return heads[0] == heads[1] and all(before.get(name) == after.get(name) for name in names)


def _head(item: Item) -> tuple[str, ...]:
    tokens = tuple(item.tokens)
    return (item.path, *tokens[: tokens.index("{")]) if "{" in tokens else (item.path, *tokens)


def _is_internal(symbol: str, trees: Both) -> bool:
    """Whether no other file can call a function in either tree, as it is static in a source file."""
    return all(
        item.path.endswith(".c") and "static" in item.tokens and not _is_included(item.path, source)
        for source in trees.sources
        if symbol in source.functions
        for item in source.written(symbol)
    )


def _is_included(path: str, source: Source) -> bool:
    """Whether a file includes one of this name, wherever it is."""
    name = posixpath.basename(path)
    return any(
        posixpath.basename(i.strip('"<>')) == name for names in source.includes.values() for i in names
    )


def _first_difference(compared: Comparison) -> str:
    """The path of the first file that differs, or was not read in one of the trees; empty where none does."""
    sides = [{**tree.files, **tree.skipped} for tree in (compared.before, compared.after)]
    paths = sorted(sides[0].keys() | sides[1].keys())
    return next((path for path in paths if sides[0].get(path) != sides[1].get(path)), "")
