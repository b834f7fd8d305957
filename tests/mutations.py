"""Mutation testing: each mutant of `mutants.py` is made in a copy of the package, generated and checked.

    python tests/mutations.py [NUMBER...]

runs all mutants, or those with these numbers, and says which checks catch each: `proof` (definition,
derivation, reference, property), `verify` (compiled C against the reference), and `test` for the few that
only a test written for them sees. The exit code is 1 when a mutant survives. Each runs in a process of its
own, which is forked, so that SymPy and CasADi are loaded once.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tests.mutants import EQUIVALENT, MUTANTS, Mutant  # noqa: E402

NETS = ("proof", "verify", "test")


class Outcome(NamedTuple):
    """The findings of the checks for a mutant; empty where they found nothing."""

    mutant: Mutant
    proof: str
    verify: str
    test: str

    @property
    def caught_by(self) -> list[str]:
        """The checks that caught it."""
        return [net for net in NETS if getattr(self, net)]

    def __str__(self) -> str:
        nets = " + ".join(self.caught_by) or "SURVIVES"
        change = f"{self.mutant.old!r} -> {self.mutant.new!r} ({self.mutant.why})"
        return f"{nets:15}  {self.mutant.kernel}: {change}"


def mutated(source: str, mutant: Mutant) -> str:
    """The source with the change."""
    if source.count(mutant.old) != 1:
        raise ValueError(f"{mutant.path} has {mutant.old!r} {source.count(mutant.old)} times, not once")
    return source.replace(mutant.old, mutant.new)


def outcomes(mutants: Iterable[Mutant], processes: int = 2) -> Iterator[Outcome]:
    """The outcome of each mutant, in order."""
    for module in ("sympy", "casadi", "mpmath", "numpy"):
        importlib.import_module(module)
    context = multiprocessing.get_context("fork")
    with context.Pool(processes, maxtasksperchild=1) as pool:
        yield from pool.imap(outcome, mutants, chunksize=1)


def outcome(mutant: Mutant) -> Outcome:
    """Make the mutant in a copy of the package and check the kernel."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch)
        for part in ("codegen", "templates", "tests"):
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        file = copy / "codegen" / mutant.path
        file.write_text(mutated(file.read_text(encoding="utf-8"), mutant), encoding="utf-8")
        _take_package_from(copy)
        proof, verify = _proof(mutant.kernel), _verify(mutant.kernel, copy / "generated")
        test = _test(mutant.test, copy) if mutant.test else ""
        return Outcome(mutant, proof, verify, test)


def _take_package_from(directory: Path) -> None:
    """Unload the package, so that the copy is imported from now on."""
    for name in [m for m in sys.modules if m.partition(".")[0] == "codegen"]:
        del sys.modules[name]
    sys.path.insert(0, str(directory))
    sys.dont_write_bytecode = True
    package = importlib.import_module("codegen")
    if not str(package.__file__).startswith(str(directory)):
        raise RuntimeError(f"{package.__file__} is not the mutated package")


def _proof(name: str) -> str:
    from codegen.library import library
    from codegen.verify.verify import proof_status

    try:
        status = proof_status(library()[name])
    except (ArithmeticError, ValueError) as error:
        return f"failed: {error!r}"
    return status if status.startswith("failed") else ""


def _verify(name: str, directory: Path) -> str:
    import codegen
    from codegen.emit.function import function
    from codegen.emit.options import Options
    from codegen.library import library
    from codegen.tree.write import generate
    from codegen.verify import verify

    verify._mathematics = lambda kernel: ("", "", 0.0)  # type: ignore[assignment]  # the other net
    kernel, options = library()[name], Options()
    generate([kernel], options, directory)
    compiled = codegen.load(directory)
    made = [function(kernel, precision, options) for precision in options.formats]
    rows = [verify.check(f, compiled[f.symbol], options.checks, count=40) for f in made]
    return "; ".join(problem for row in rows for problem in row.problems[:1])


def _test(name: str, directory: Path) -> str:
    """The failure of a test that runs in the mutated copy, on the library generated from it."""
    generate = [sys.executable, "-m", "codegen", "generate", "-o", "generated"]
    subprocess.run(generate, cwd=directory, capture_output=True, check=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "", f"tests/{name}"]
    # a session of its own: a worker of another one would share the library that was compiled there
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(command, cwd=directory, env=own, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 1 else ""


def main(numbers: list[int]) -> int:
    """Run mutants and print what catches each; 1 where one survives, or an equivalent one differs."""
    chosen = [MUTANTS[n] for n in numbers] or list(MUTANTS)
    counts: dict[str, int] = {}
    for n, found in zip(numbers or range(len(MUTANTS)), outcomes(chosen, os.cpu_count() or 1), strict=True):
        print(f"{n:3} {found}", flush=True)
        nets = " + ".join(found.caught_by) or "survive"
        counts[nets] = counts.get(nets, 0) + 1
    print(", ".join(f"{count} {nets}" for nets, count in counts.items()))
    wrong = [found for found in outcomes([] if numbers else EQUIVALENT) if found.caught_by]
    for found in wrong:
        print(f"not equivalent after all: {found}")
    return 1 if wrong or "survive" in counts else 0


if __name__ == "__main__":
    sys.exit(main([int(argument) for argument in sys.argv[1:]]))
