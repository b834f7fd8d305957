"""What has changed in the robots that two trees were generated from, as their manifests record them."""

from __future__ import annotations

import json

from codegen.errors import FeatherError
from codegen.mechanisms.description.record import Record, changes, recorded
from codegen.tree.limits import Snapshot
from codegen.tree.write import MANIFEST

_MOST = 100
"""Changes of one robot that are listed."""


def robot_changes(before: Snapshot, after: Snapshot) -> list[str]:
    """One line for each value of a robot's description that differs: `robot arm: joint elbow: xyz: ...`.

    Robots that only one of the trees has, and damaged records, have no lines: the functions tell of those.
    """
    old, new = _robots(before), _robots(after)
    found: list[str] = []
    for name in old.keys() & new.keys():
        lines = changes(old[name], new[name])
        found += [f"robot {name}: {line}" for line in lines[:_MOST]]
        if len(lines) > _MOST:
            found.append(f"robot {name}: and {len(lines) - _MOST} more")
    return sorted(found)


def _robots(tree: Snapshot) -> dict[str, Record]:
    try:
        return {str(r["name"]): r for r in recorded(json.loads(tree.files.get(MANIFEST, "{}")))}
    except (FeatherError, ValueError, RecursionError, AttributeError):
        return {}
