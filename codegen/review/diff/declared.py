"""Reads the ranges of arguments that the manifest of an untrusted tree declares."""

from __future__ import annotations

import json
from typing import Any


def declared_ranges(manifest: str | bytes) -> dict[str, dict[str, Any]]:
    """For each function, the ranges of its arguments by name, as the manifest writes them.

    A damaged manifest declares no range.
    """
    try:
        functions = json.loads(manifest)["functions"]
        return {
            str(f["symbol"]): {str(a["name"]): a["range"] for a in f["arguments"] if "range" in a}
            for f in functions
        }
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
