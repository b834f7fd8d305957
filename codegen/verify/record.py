"""The record of a verification, which `featherc verify --json` prints: reading it again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from codegen.errors import FeatherError
from codegen.ir.program import Program


class Recorded(NamedTuple):
    """What a verification found of a function: the verdict on its mathematics, and the errors of its C.

    `chance` is the bound of error of the proof, as a logarithm to base 2; 0 where nothing is proven. `scaled`
    is the worst error in units of eps times the condition, `limit` the largest that is accepted. `program` is
    the digest of the Program that was verified, empty for a loop.
    """

    kernel: str
    precision: str
    verdict: str
    chance: float
    trials: int
    left_out: int
    scaled: float
    limit: int
    ok: bool
    program: str


def digest(program: Program) -> str:
    """A digest of what a Program computes; names and documentation do not enter it."""
    computed = (program.nodes, program.results, program.status)
    return hashlib.sha256(repr(computed).encode()).hexdigest()[:16]


def read_record(path: Path) -> dict[str, Recorded]:
    """The functions of a record, by symbol; FeatherError when the file holds none."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {row["symbol"]: _recorded(row) for row in rows}
    except OSError as error:
        raise FeatherError(f"{path}: {error.strerror or error}") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise FeatherError(f"{path} is no record of `featherc verify --json`") from None


def _recorded(row: Mapping[str, Any]) -> Recorded:
    return Recorded(
        str(row["kernel"]),
        str(row["precision"]),
        str(row["proof"]),
        float(row["chance"]),
        int(row["cases"]),
        sum(int(reason["count"]) for reason in row["left_out"]),
        float(row["worst_scaled"]),
        int(row["tolerance"]),
        bool(row["ok"]),
        str(row["program"]),
    )
