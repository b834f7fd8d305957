"""Mistakes in formulas are caught: a sample by `make test`, all of them by `make test-all`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from codegen.library import MODULES, library
from tests.mutants import EQUIVALENT, MUTANTS, Mutant
from tests.mutations import mutated

ROOT = Path(__file__).parent.parent
SAMPLE = 4


def test_there_are_mutants_of_every_module() -> None:
    assert len(MUTANTS) >= 80
    made_of_others = {"euler"}  # its formulas are those of angles
    assert {m.module for m in MUTANTS} - {"algebra", "angles", "stepping"} == set(MODULES) - made_of_others


@pytest.mark.parametrize("mutant", [*MUTANTS, *EQUIVALENT], ids=lambda m: f"{m.module}-{m.kernel}")
def test_a_mutant_changes_one_place_of_a_kernel(mutant: Mutant) -> None:
    source = (ROOT / "codegen" / mutant.path).read_text(encoding="utf-8")
    compile(mutated(source, mutant), mutant.path, "exec")
    assert mutant.kernel in library()
    assert mutant.old != mutant.new
    assert mutant.why


def each(step: int) -> range:
    """The number of one mutant in so many."""
    return range(0, len(MUTANTS), step)


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.parametrize("chosen", [each(len(MUTANTS) // SAMPLE), each(SAMPLE)], ids=["few", "many"])
def test_the_checks_catch_mutants(chosen: Sequence[int]) -> None:
    """`make mutations` makes all of them, and the equivalent ones, too."""
    command = [sys.executable, "tests/mutations.py", *map(str, chosen)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "SURVIVES" not in done.stdout
