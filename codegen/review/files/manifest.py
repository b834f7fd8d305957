"""What a change of manifest.json means for the programs that bind to the library by it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from codegen.emit.manifest import stated_cost
from codegen.emit.options import Options
from codegen.emit.render import cmake_lists
from codegen.errors import FeatherError
from codegen.ir.cost import Cost
from codegen.review.diff.callers.headers import listed, text_of
from codegen.review.diff.changes import SourceTree
from codegen.review.diff.text.source import digest

_GENERAL = ("schema", "prefix", "layout", "interface", "checks", "no_alias", "sincos", "license", "status")
_ELSEWHERE = ("equation", "reference", "requires")
"""What a comparison of functions tells."""

_OF_CALLERS = ("unit", "frame", "doc", "range", "kind", "positive", "members")


def effects(
    content: tuple[str | bytes, str | bytes],
    same: Collection[str],
    defined: Collection[str],
    files: SourceTree,
    costs: Mapping[str, Cost],
) -> Iterator[str]:
    """What the change of a manifest means, apart from functions that have changed.

    `same` are the functions whose interface has not changed, `defined` those of the new tree, `files` the
    files beside the manifest, `costs` those of functions in the new tree where they are known.
    """
    old, new = map(_parsed, content)
    if new is None:
        if old is not None:
            yield "is damaged: programs that bind to the library by it cannot read it"
        return
    old = old or {}
    for key in _GENERAL:
        stated = key in old or key != "license"  # which manifests of earlier versions do not state
        if key == "status" and _gains_flags(old, new, files):
            continue
        if stated and old.get(key) != new.get(key):
            yield _otherwise(key, old, new)
    for key, name in (("types", "name"), ("functions", "symbol"), ("files", "path")):
        if len(_by(new, key, name)) < _length(new, key) and _length(old, key) == len(_by(old, key, name)):
            yield f"has {key} of the same name or without one"
    yield from _named("type", _by(old, "types", "name"), _by(new, "types", "name"))
    forgotten = sorted(_by(old, "types", "name").keys() & (_used(new) - _by(new, "types", "name").keys()))
    if forgotten:
        yield f"no longer describes {listed(forgotten)}"
    before, after = _by(old, "functions", "symbol"), _by(new, "functions", "symbol")
    lost = sorted((before.keys() - after.keys()) & set(defined))
    if lost:
        yield f"no longer lists {listed(lost)}"
    unknown = sorted(s for s in after.keys() - set(defined) if before.get(s) != after[s])
    if unknown:
        yield f"lists {listed(unknown)}, which no C of the tree defines"
    for symbol in sorted(before.keys() & after.keys() & set(same)):
        told = _of_function(before[symbol], after[symbol], costs.get(symbol))
        yield from (f"{symbol}: {text}" for text in told)
    yield from _of_indices(old.get("indices"), new.get("indices"))
    limits = _by(old, "limits", "name"), _by(new, "limits", "name")
    yield from _named("limits", *limits)
    if gone := sorted(limits[0].keys() - limits[1].keys()):
        yield f"no longer describes the limits {listed(gone)}"
    yield from _of_robots(old, new, same)
    yield from _of_files(_by(old, "files", "path"), _by(new, "files", "path"), files)


def _of_indices(old: Any, new: Any) -> Iterator[str]:
    """The places in arrays that the new manifest states otherwise, or no longer."""
    before, after = (indices if isinstance(indices, dict) else {} for indices in (old, new))
    changed = sorted(name for name in before.keys() & after.keys() if before[name] != after[name])
    yield from (f"{name} is {_shown(after[name])} instead of {_shown(before[name])}" for name in changed)
    if lost := sorted(before.keys() - after.keys()):
        yield f"no longer states {listed(lost)}"


def _used(manifest: Mapping[str, Any]) -> set[str]:
    """The types of arguments and members that a manifest names."""
    functions, types = _by(manifest, "functions", "symbol"), _by(manifest, "types", "name")
    arguments = (f.get("arguments") for f in functions.values())
    members = (t.get("fields") for t in types.values())
    parts = (part for listed in (*arguments, *members) if isinstance(listed, list) for part in listed)
    return {str(part.get("type")) for part in parts if isinstance(part, dict)}


def _gains_flags(old: Mapping[str, Any], new: Mapping[str, Any], files: SourceTree) -> bool:
    """Whether the only other flags are new ones, which a header beside the manifest defines like this."""
    before, after = old.get("status"), new.get("status")
    if not isinstance(before, dict) or not isinstance(after, dict) or not before.items() < after.items():
        return False
    start = str(new.get("prefix")).upper()
    headers = [text_of(content) for path, content in files.items() if path.endswith("types.h")]
    defined = {
        (name, int(value))
        for text in headers
        for name, value in re.findall(rf"^#define {re.escape(start)}(\w+) (\d{{1,9}})u$", text, re.MULTILINE)
    }
    return all((name, after[name]) in defined for name in after.keys() - before.keys())


def _of_robots(old: Mapping[str, Any], new: Mapping[str, Any], same: Collection[str]) -> Iterator[str]:
    """The robots that the manifest describes otherwise, or no longer, though their functions are the same."""
    before, after = _by(old, "robots", "name"), _by(new, "robots", "name")
    functions = _by(new, "functions", "symbol").items()
    for name in sorted(before):
        own = {symbol for symbol, f in functions if str(f.get("kernel")).startswith(f"{name}_")}
        if before[name] != after.get(name) and own and own <= set(same):
            described = (
                "describes the robot {} otherwise" if name in after else "no longer describes the robot {}"
            )
            yield f"{described.format(name)}, though its functions are the same"


def prefix(content: str | bytes) -> str:
    """The prefix of a tree's names; empty where the manifest does not say."""
    found = (_parsed(content) or {}).get("prefix")
    return found if isinstance(found, str) and re.fullmatch(r"[a-zA-Z]\w{0,63}", found, re.ASCII) else ""


def build_file(content: str | bytes, places: Mapping[str, str]) -> str:
    """The CMakeLists.txt that featherc generates for the files of a manifest; empty where it does not say.

    `places` are the files of the functions by their paths from the manifest: one that names a function in
    another file, or a file by no plain name, generates nothing.
    """
    own, start = _parsed(content) or {}, prefix(content)
    functions = list(_by(own, "functions", "symbol").items())
    if not all(_is_placed(entry, places.get(symbol)) for symbol, entry in functions):
        return ""
    ordered = sorted((f for _, f in functions), key=lambda f: str(f.get("precision")), reverse=True)
    headers, sources = (list(dict.fromkeys(f[key] for f in ordered)) for key in ("header", "source"))
    try:
        options = Options(prefix=start, license=str(own.get("license")))
    except FeatherError:
        return ""
    return cmake_lists([f"{start}types.h", *headers], [s for s in sources if s.endswith(".c")], options)


_PLAIN = re.compile(r"([A-Za-z0-9_]{1,200})\.[ch]", re.ASCII)


def _is_placed(function: Mapping[str, Any], place: str | None) -> bool:
    """Whether a function is in the file that the manifest says, and its header has the same name."""
    named = [_PLAIN.fullmatch(str(function.get(key))) for key in ("source", "header")]
    stems = {found[1] for found in named if found}
    return all(named) and len(stems) == 1 and function["source"] == place


def _parsed(content: str | bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(content, object_pairs_hook=_once, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _refused(word: str) -> None:
    """NaN and Infinity, which Python reads and JSON does not have."""
    raise ValueError(word)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; ValueError for a key that stands twice, of which readers take either value."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _by(manifest: Mapping[str, Any], key: str, name: str) -> dict[str, Mapping[str, Any]]:
    """The entries of a list by their name; entries of another form are left out."""
    listed = manifest.get(key)
    entries = [e for e in listed if isinstance(e, dict)] if isinstance(listed, list) else []
    return {e[name]: e for e in entries if isinstance(e.get(name), str)}


def _length(manifest: Mapping[str, Any], key: str) -> int:
    listed = manifest.get(key)
    return len(listed) if isinstance(listed, list) else 0


def _named(what: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(old.keys() & new.keys()):
        if old[name] != new[name]:
            yield f"describes the {what} {name} otherwise"


def _of_function(old: Mapping[str, Any], new: Mapping[str, Any], cost: Cost | None) -> Iterator[str]:
    for key in sorted(old.keys() | new.keys()):
        if key == "cost" and (key not in old or (cost is not None and new.get(key) == stated_cost(cost))):
            continue  # earlier manifests state none; the same operations may be written in another form
        if key == "arguments":
            if _passed(old.get(key)) != _passed(new.get(key)):
                yield "describes its arguments otherwise"
        elif key not in _ELSEWHERE and old.get(key) != new.get(key):
            yield _otherwise(key, old, new)


def _passed(arguments: Any) -> Any:
    """How arguments are passed, without what callers are told of them."""
    listed = arguments if isinstance(arguments, list) else [arguments]
    return [
        {k: v for k, v in a.items() if k not in _OF_CALLERS} if isinstance(a, dict) else a for a in listed
    ]


def _of_files(old: Mapping[str, Any], new: Mapping[str, Any], files: SourceTree) -> Iterator[str]:
    for path in sorted(old.keys() | new.keys()):
        if path in files and path not in new:
            yield f"no longer lists {path}"
        elif path in files and old.get(path) != new[path] and new[path].get("sha256") != digest(files[path]):
            yield f"has another hash than that of {path}"


def _otherwise(key: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """What a manifest states of a key that another one states otherwise, or does not have."""
    if key not in new:
        return f"no longer states {key}, which was {_shown(old[key])}"
    if key not in old:
        return f"states that {key} is {_shown(new[key])}, which was not stated"
    return f"{key} is {_shown(new[key])} instead of {_shown(old[key])}"


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
