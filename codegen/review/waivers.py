"""Waivers: a change that fails is accepted for a reason and until a day, if it is exactly this change.

    [[waiver]]
    function = "fc_drag_f32"
    class = "changed"
    reason = "the sign of the drag is corrected; flight-tested in report 12"
    expires = 2027-03-31
    digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

The digest is one of everything that decides what the change means, old and new. A waiver therefore excuses no
other change, and one that is left over excuses nothing. Limits and budgets are not waived: they are raised.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from codegen.errors import FeatherError
from codegen.review.comparison import Comparison
from codegen.review.diff.changes import Change, ChangeClass, SourceTree
from codegen.review.diff.text.source import Source, digest
from codegen.show import printable

DAYS = 90
"""How long a waiver runs that is offered."""

_KEYS = ("function", "class", "reason", "expires", "digest")
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Waiver:
    """The acceptance of one class of change of one function, or of a file by its path."""

    function: str
    kind: ChangeClass
    reason: str
    expires: date
    digest: str

    def __str__(self) -> str:
        return f"the waiver of {printable(self.function)} for {self.kind.value}"


@dataclass(frozen=True)
class Waivers:
    """The waivers that are given, and the day on which they are to hold."""

    given: Sequence[Waiver] = ()
    today: date = field(default_factory=date.today)

    def excused(self, change: Change, compared: Comparison) -> dict[ChangeClass, Waiver]:
        """The classes of a change that are waived today."""
        named = [w for w in self.given if w.function == change.symbol and w.kind in change.kinds]
        valid = [w for w in named if w.expires >= self.today]
        known = digest_of(change, compared) if valid else ""
        return {w.kind: w for w in valid if w.digest == known}

    def offered(
        self, change: Change, kinds: Collection[ChangeClass], compared: Comparison
    ) -> tuple[Waiver, ...]:
        """Waivers, without a reason yet, that would excuse these classes of a change."""
        known = digest_of(change, compared) if kinds else ""
        expires = self.today + min(timedelta(DAYS), date.max - self.today)
        ordered = (kind for kind in ChangeClass if kind in kinds)
        return tuple(Waiver(change.symbol, kind, "", expires, known) for kind in ordered if known)

    def remarks(self, compared: Comparison) -> Iterator[str]:
        """Why waivers do not apply, one line for each that does not."""
        for waiver in self.given:
            found = [c for c in compared.changes if c.symbol == waiver.function and waiver.kind in c.kinds]
            if not found:
                yield f"{waiver} is not used: there is no such change; remove it"
            elif all(digest_of(c, compared) != waiver.digest for c in found):
                yield f"{waiver} is for another change: its digest differs"
            elif waiver.expires < self.today:
                yield f"{waiver} expired on {waiver.expires}"


def parse_waivers(given: Any) -> list[Waiver]:
    """The waivers of a featherc.toml; FeatherError names an invalid one."""
    if not isinstance(given, list) or not all(isinstance(entry, dict) for entry in given):
        raise FeatherError("waiver must be an array of tables: write [[waiver]]")
    found = [_parsed(f"waiver {i}", entry) for i, entry in enumerate(given, 1)]
    keys = [(w.function, w.kind, w.digest) for w in found]
    for i, key in enumerate(keys):
        if key in keys[:i]:
            raise FeatherError(f"waiver {i + 1}: {found[i]} is there twice; remove one")
    return found


def _parsed(name: str, entry: Mapping[str, Any]) -> Waiver:
    for key in entry:
        if key not in _KEYS:
            raise FeatherError(f"{name}: unknown key {key!r}; known are {', '.join(_KEYS)}")
    for key in _KEYS:
        if key not in entry:
            raise FeatherError(f"{name}: {key} is missing")
        if key != "expires" and not isinstance(entry[key], str):
            raise FeatherError(f"{name}: {key} must be a string")
    kinds = {kind.value: kind for kind in ChangeClass}
    if entry["class"] not in kinds:
        raise FeatherError(f"{name}: {entry['class']!r} is no class of change; known are {', '.join(kinds)}")
    if not entry["reason"].strip():
        raise FeatherError(
            f"{name}: the reason is empty: say why the change of {entry['function']} is accepted"
        )
    if type(entry["expires"]) is not date:
        raise FeatherError(f"{name}: expires must be a date such as 2027-03-31, without quotation marks")
    if not _DIGEST.fullmatch(entry["digest"]):
        raise FeatherError(f"{name}: the digest must be 64 hexadecimal digits: --format waivers prints it")
    return Waiver(
        entry["function"], kinds[entry["class"]], entry["reason"], entry["expires"], entry["digest"]
    )


# The digest of a change


def digest_of(change: Change, compared: Comparison) -> str:
    """A digest of all that decides what a change means; empty where a file of it was not read.

    It is empty, too, where the name of a file is no text, which a waiver cannot state.

    Of a function: its text and declarations, the types and macros that it uses, the functions that it calls,
    and what the manifest says of all of these. Of a file: its content.
    """
    trees = compared.trees
    if change.path in compared.unread or not _is_text(change.symbol):
        return ""
    if change.symbol == change.path:
        sides: list[Any] = [_of_file(change.path, tree) for tree in (trees.old, trees.new)]
    else:
        sides = [_of_function(change.symbol, source) for source in trees.sources]
    kinds = sorted(kind.value for kind in change.kinds)
    return hashlib.sha256(json.dumps([change.symbol, kinds, sides], sort_keys=True).encode()).hexdigest()


def _is_text(name: str) -> bool:
    return not any("\ud800" <= c <= "\udfff" for c in name)


def _of_file(path: str, tree: SourceTree) -> str:
    return digest(tree[path]) if path in tree else ""


def _of_function(symbol: str, source: Source) -> list[Any]:
    reached, open_ = set[str](), [symbol] if symbol in source.functions else []
    while open_:
        name = open_.pop()
        if name not in reached:
            reached.add(name)
            open_ += source.calls(name)
    return [
        [name, [[i.path, i.text] for i in source.written(name)], source.environment(name),
         source.told.get(name), source.ranges.get(name)]
        for name in sorted(reached)
    ]  # fmt: skip


# As text


def as_toml(waivers: Iterable[Waiver]) -> str:
    """Entries of featherc.toml, in which the reasons have to be filled in."""
    return "\n".join(map(_entry, waivers))


def _entry(waiver: Waiver) -> str:
    return (
        f"[[waiver]]\nfunction = {_string(waiver.function)}\nclass = {_string(waiver.kind.value)}\n"
        f'reason = "" # say why it is accepted\nexpires = {waiver.expires}\ndigest = "{waiver.digest}"\n'
    )


def _string(text: str) -> str:
    """A string of TOML on one line, of which no part is a command to a machine that logs it."""
    plain = (c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in text)
    return f'"{"".join(plain)}"'.replace("##", r"#\u0023")
