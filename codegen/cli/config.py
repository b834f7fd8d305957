"""The configuration file featherc.toml: options of `generate`, policies of `diff` and `release`, waivers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codegen.errors import FeatherError
from codegen.modeling.files import read_toml

FILE = "featherc.toml"

_GENERATE: dict[str, type] = {
    "output": str,
    "kernels": list,
    "model": list,
    "bind": list,
    "precision": list,
    "prefix": str,
    "layout": str,
    "interface": str,
    "checks": bool,
    "no-alias": bool,
    "sincos": str,
    "license": str,
    "gitattributes": bool,
    "trace": bool,
}
_DIFF: dict[str, type] = {"fail-on": list, "budget": dict}
_RELEASE: dict[str, type] = {"bump": dict}
_TABLES = {"generate": _GENERATE, "diff": _DIFF, "release": _RELEASE}
_KNOWN = ", ".join(f"[{section}]" for section in _TABLES)
_KIND_NAMES = {str: "a string", list: "a list of strings", bool: "true or false", dict: "a table"}


@dataclass(frozen=True)
class Config:
    """The tables of a featherc.toml and its waivers as they are written; paths are relative to the file."""

    directory: Path = Path()
    generate: dict[str, Any] = field(default_factory=dict)
    diff: dict[str, Any] = field(default_factory=dict)
    release: dict[str, Any] = field(default_factory=dict)
    waivers: list[Any] = field(default_factory=list)

    def path(self, key: str) -> Path | None:
        """A path of the table [generate], if it is given."""
        return self.directory / self.generate[key] if key in self.generate else None

    def is_output(self, directory: Path) -> bool:
        """Whether a directory is the output that the table [generate] names."""
        output = self.path("output")
        return output is not None and os.path.realpath(output) == os.path.realpath(directory)

    def paths(self, key: str) -> list[Path]:
        """The paths of a list in the table [generate]."""
        return [self.directory / name for name in self.generate.get(key, [])]


def read_config(path: Path | None) -> Config:
    """The configuration at `path`, or that of the current directory if there is one.

    FeatherError when it cannot be read, has an unknown table or key, or a value of the wrong type.
    """
    if path is None:
        path = Path(FILE)
        if not os.path.lexists(path):
            return Config()
    content = read_toml(path)
    waivers = content.pop("waiver", [])
    if not isinstance(waivers, list):
        raise FeatherError(f"{path}: waiver must be an array of tables: write [[waiver]]")
    for section, table in content.items():
        if section not in _TABLES:
            raise FeatherError(f"{path}: unknown table [{section}]; known are {_KNOWN} and [[waiver]]")
        if not isinstance(table, dict):
            raise FeatherError(f"{path}: {section} must be a table")
        _check(path, table, _TABLES[section])
    generate, diff, release = (content.get(section, {}) for section in _TABLES)
    return Config(path.parent, generate, diff, release, waivers)


def _check(path: Path, table: Mapping[str, Any], kinds: Mapping[str, type]) -> None:
    """FeatherError when a table has an unknown key or a value of the wrong type."""
    for key, value in table.items():
        if key not in kinds:
            raise FeatherError(f"{path}: unknown key {key!r}; known are {', '.join(kinds)}")
        strings = not isinstance(value, list) or all(isinstance(item, str) for item in value)
        if not isinstance(value, kinds[key]) or not strings:
            raise FeatherError(f"{path}: {key} must be {_KIND_NAMES[kinds[key]]}")
