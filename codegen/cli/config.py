"""The configuration file featherc.toml: options of `featherc generate` and policy of `featherc diff`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codegen.errors import FeatherError
from codegen.modeling.vehicle import read_toml

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
    "license": str,
    "gitattributes": bool,
    "trace": bool,
}
_DIFF: dict[str, type] = {"fail-on": list, "budget": dict}
_KIND_NAMES = {str: "a string", list: "a list of strings", bool: "true or false", dict: "a table"}


@dataclass(frozen=True)
class Config:
    """The tables [generate] and [diff] of a featherc.toml; paths in it are relative to the file."""

    directory: Path = Path()
    generate: dict[str, Any] = field(default_factory=dict)
    diff: dict[str, Any] = field(default_factory=dict)

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
    for section, table in content.items():
        if section not in ("generate", "diff"):
            raise FeatherError(f"{path}: unknown table [{section}]; known are [generate] and [diff]")
        if not isinstance(table, dict):
            raise FeatherError(f"{path}: {section} must be a table")
    generate, diff = content.get("generate", {}), content.get("diff", {})
    _check(path, generate, _GENERATE)
    _check(path, diff, _DIFF)
    return Config(path.parent, generate, diff)


def _check(path: Path, table: Mapping[str, Any], kinds: Mapping[str, type]) -> None:
    """FeatherError when a table has an unknown key or a value of the wrong type."""
    for key, value in table.items():
        if key not in kinds:
            raise FeatherError(f"{path}: unknown key {key!r}; known are {', '.join(kinds)}")
        strings = not isinstance(value, list) or all(isinstance(item, str) for item in value)
        if not isinstance(value, kinds[key]) or not strings:
            raise FeatherError(f"{path}: {key} must be {_KIND_NAMES[kinds[key]]}")
