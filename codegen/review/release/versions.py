"""Versions as in Semantic Versioning: `1.2.3`, `v1.2`, `1.3.0-rc1`, and the bump from one to another."""

from __future__ import annotations

import re
from typing import NamedTuple

from codegen.errors import FeatherError
from codegen.review.rules import Bump

_NUMBER = r"(0|[1-9]\d{0,8})"
_VERSION = re.compile(
    rf"v?{_NUMBER}(?:\.{_NUMBER})?(?:\.{_NUMBER})?(-[0-9A-Za-z.-]{{1,100}})?(?:\+[0-9A-Za-z.-]{{1,100}})?",
    re.ASCII,
)


class Version(NamedTuple):
    """Major, minor and patch, and whether it is a pre-release of these."""

    major: int
    minor: int
    patch: int
    early: bool = False

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    @property
    def numbers(self) -> tuple[int, int, int]:
        """The three numbers."""
        return self.major, self.minor, self.patch


def parse_version(text: str) -> Version | None:
    """The version that a text is, with 0 for numbers that are left out; None for any other text."""
    found = _VERSION.fullmatch(text)
    if found is None:
        return None
    return Version(int(found[1]), int(found[2] or 0), int(found[3] or 0), bool(found[4]))


def version(text: str) -> Version:
    """As `parse_version`; FeatherError for any other text."""
    found = parse_version(text)
    if found is None:
        raise FeatherError(f"{text!r} is not a version such as 1.2.3, v1.2 or 1.3.0-rc1")
    return found


def tagged(tree: str) -> str:
    """The version in the name of a tree, `v1.2:generated` or `refs/tags/v1.2:generated`; else empty.

    A name of digits alone is no version, as it may be the short name of a commit.
    """
    tag, colon, _ = tree.partition(":")
    tag = tag.removeprefix("refs/tags/")
    return tag if colon and not tag.isdigit() and parse_version(tag) else ""


def version_of(tree: str, given: str | None, option: str) -> Version | None:
    """The version of a tree: the one given by an option, else that of its tag; None where there is neither.

    FeatherError when both are there and differ.
    """
    tag = tagged(tree)
    if given is None:
        return version(tag) if tag else None
    found = version(given)
    if tag and found != version(tag):
        raise FeatherError(f"{tree} is version {tag}, not {given}: omit {option}")
    return found


def baseline_version(tree: str, given: str | None) -> Version | None:
    """The version of the baseline, as `version_of`; FeatherError when it is a pre-release."""
    found = version_of(tree, given, "--baseline-version")
    if found and found.early:
        raise FeatherError(
            f"the baseline {given or tree} is a pre-release, which promises nothing: name the last release"
        )
    return found


def scaled(bump: Bump, old: Version) -> Bump:
    """The bump that a version requires in place of one from 1.0.0 on.

    Below 1.0.0 the first number that is not 0 stands for the major one, as Cargo has it.
    """
    if old.major or bump is Bump.NONE:
        return bump
    return Bump(max(bump - (1 if old.minor else 2), Bump.PATCH))


def bumped(old: Version, bump: Bump) -> Version:
    """The smallest version with this bump."""
    if bump is Bump.MAJOR:
        return Version(old.major + 1, 0, 0)
    if bump is Bump.MINOR:
        return Version(old.major, old.minor + 1, 0)
    return Version(old.major, old.minor, old.patch + (bump is Bump.PATCH))


def declared_bump(old: Version, new: Version) -> Bump:
    """The largest part that differs; FeatherError when the new version is lower.

    A pre-release is lower than its version and, as the baseline is none, declares the same bump otherwise.
    """
    if new.numbers < old.numbers or (new.early and new.numbers == old.numbers):
        raise FeatherError(
            f"the version {new}{'-...' if new.early else ''} is lower than the baseline's {old}"
        )
    if new.numbers == old.numbers:
        return Bump.NONE
    if new.major != old.major:
        return Bump.MAJOR
    return Bump.MINOR if new.minor != old.minor else Bump.PATCH
