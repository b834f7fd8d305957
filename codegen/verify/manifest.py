"""The manifest of a generated tree, read and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from codegen.errors import FeatherError


def read_manifest(directory: Path) -> dict[str, Any]:
    """The manifest of a generated tree; FeatherError when there is none or it is damaged."""
    path = directory / "manifest.json"
    try:
        return parse_manifest(path.read_bytes(), path)
    except FileNotFoundError:
        raise FeatherError(
            f"{directory} holds no manifest.json: generate into it first (featherc generate -o)"
        ) from None
    except OSError as error:
        raise FeatherError(f"{path} cannot be read ({error}): generate the tree again") from None


def parse_manifest(text: bytes | str, path: object) -> dict[str, Any]:
    """The manifest that this text at `path` is; FeatherError when it is damaged."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FeatherError(f"{path} cannot be read ({error}): generate the tree again") from None
    if isinstance(content, dict) and content.get("incomplete"):
        raise FeatherError(f"{path} is incomplete, a run was interrupted: generate the tree again")
    problem = _unlike(content, _FORM, "the manifest")
    problem = problem or _unknown_extent(content["functions"])
    if problem or content["schema"] != 1:
        raise FeatherError(f"{path}: {problem or 'its schema is not 1'}; generate the tree again")
    return content  # type: ignore[no-any-return]


_FORM: Any = {
    "schema": int,
    "prefix": str,
    "layout": str,
    "interface": str,
    "checks": bool,
    "files": [{"path": str, "sha256": str}],
    "types": [{"name": str, "scalars": int}],
    "functions": [
        {
            "symbol": str,
            "kernel": str,
            "precision": str,
            "header": str,
            "source": str,
            "returns": str,
            "arguments": [{"name": str, "direction": str, "type": str, "pass": str, "shape": list}],
        }
    ],
}
"""The fields of a manifest that featherc reads."""


def base_name(function: Mapping[str, Any]) -> str:
    """The name of a described function's kernel, without that of the vehicle whose values are bound."""
    vehicle = function.get("vehicle")
    return str(function["kernel"]).removesuffix(f"_{vehicle}" if vehicle else "")


def undefined(function: Mapping[str, Any], prefix: str) -> FeatherError:
    """The error that no kernel of a described function is known: its header is named after its model file."""
    model = function["header"].removeprefix(prefix).removesuffix(f"_{function['precision']}.h")
    return FeatherError(
        f"the tree has functions of kernel {base_name(function)}, which neither the library nor a named "
        f"model defines: add --model {model}.py, with the path of that file, or generate the tree without it"
    )


def _unknown_extent(functions: Sequence[Mapping[str, Any]]) -> str:
    """A message if an array's extent is neither a number nor an int argument of the function, else empty."""
    for f in functions:
        counts = [a["name"] for a in f["arguments"] if a["type"] == "int"]
        extents = [extent for a in f["arguments"] for extent in a["shape"]]
        if any(type(extent) is not int and extent not in counts for extent in extents):
            return "'shape' is damaged"
    return ""


def _unlike(content: Any, form: Any, where: str) -> str:
    """A message for the first difference of JSON from a form (types, keys, lists), else empty."""
    kind: Any = form if isinstance(form, type) else type(form)
    if not isinstance(content, kind):
        return f"{where} is damaged"
    if isinstance(form, list):
        parts = [(item, form[0], where) for item in content]
    elif isinstance(form, dict):
        missing = [key for key in form if key not in content]
        if missing:
            return f"{where} lacks {missing[0]!r}"
        parts = [(content[key], below, repr(key)) for key, below in form.items()]
    else:
        parts = []
    return next(filter(None, (_unlike(*part) for part in parts)), "")
