"""featherc.toml: the options of `featherc generate`, kept beside the project that uses them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codegen.errors import FeatherError
from codegen.vehicle import read_toml

FILE = "featherc.toml"

_KINDS: dict[str, type] = {
    "output": str,
    "kernels": list,
    "model": list,
    "bind": list,
    "precision": list,
    "prefix": str,
    "layout": str,
    "interface": str,
    "checks": bool,
    "license": str,
}
_KIND_NAMES = {str: "a string", list: "a list of strings", bool: "true or false"}


@dataclass(frozen=True)
class Config:
    """The table [generate] of a featherc.toml; paths in it are relative to the file."""

    directory: Path = Path()
    generate: dict[str, Any] = field(default_factory=dict)

    def path(self, key: str) -> Path | None:
        """A path of the table, if it is given."""
        return self.directory / self.generate[key] if key in self.generate else None

    def paths(self, key: str) -> list[Path]:
        """The paths of a list in the table."""
        return [self.directory / name for name in self.generate.get(key, [])]


def read_config(path: Path | None) -> Config:
    """The configuration at `path`, or that of the current directory if there is one.

    FeatherError when it is unreadable, or has a key or a kind of value that it cannot have.
    """
    if path is None:
        path = Path(FILE)
        if not path.exists():
            return Config()
    content = read_toml(path)
    for section in content:
        if section != "generate":
            raise FeatherError(f"{path}: unknown table [{section}]; there is [generate]")
    table = content.get("generate", {})
    if not isinstance(table, dict):
        raise FeatherError(f"{path}: generate must be a table")
    for key, value in table.items():
        if key not in _KINDS:
            raise FeatherError(f"{path}: unknown key {key!r}; there are {', '.join(_KINDS)}")
        strings = not isinstance(value, list) or all(isinstance(item, str) for item in value)
        if not isinstance(value, _KINDS[key]) or not strings:
            raise FeatherError(f"{path}: {key} must be {_KIND_NAMES[_KINDS[key]]}")
    return Config(path.parent, table)
