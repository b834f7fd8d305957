"""Mistakes in formulas are caught: a sample of them by `make test-all`, all by `make mutations`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codegen.library import MODULES, library
from tests.mutants import EQUIVALENT, MUTANTS, Mutant
from tests.mutations import mutated

ROOT = Path(__file__).parent.parent
EVERY = 8


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


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_the_checks_catch_mutants() -> None:
    """`make mutations` makes all of them, and the equivalent ones, too."""
    command = [sys.executable, "tests/mutations.py", *map(str, range(0, len(MUTANTS), EVERY))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "SURVIVES" not in done.stdout
