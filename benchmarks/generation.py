"""Times the generation of the whole library in both precisions, and of one Program of 50 000 operations.

The times are only printed, not recorded, as they depend on the machine.
"""

import subprocess
import sys
import tempfile
import time

from codegen.ir.expression import Expr
from codegen.ir.program import Arg, Program, input_scalars, program_of
from codegen.ir.types import Array
from codegen.passes import optimise

LIBRARY, LARGE = 10.0, 60.0
"""Seconds, on two cores of a current machine."""


def main() -> None:
    """Print both times."""
    with tempfile.TemporaryDirectory() as place:
        start = time.perf_counter()
        command = [sys.executable, "-m", "codegen", "generate", "--output", f"{place}/c"]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        seconds = time.perf_counter() - start
    print(f"{said.strip().rpartition(': ')[2]}, imports included: {seconds:.2f} s (target {LIBRARY:.0f} s)")
    program = congruence(26)
    start = time.perf_counter()
    optimise(program)
    seconds = time.perf_counter() - start
    print(f"optimising a Program of {len(program.nodes)} nodes: {seconds:.2f} s (target {LARGE:.0f} s)")


def congruence(n: int) -> Program:
    """A P A^T of dense matrices, P symmetric, its upper triangle: about 3 n^3 operations."""
    inputs = [
        Arg("A", Array((n, n)), "1", "a matrix"),
        Arg("P", Array((n * (n + 1) // 2,)), "1", "a triangle"),
    ]
    scalars = iter(input_scalars(inputs))
    A = [[next(scalars) for _ in range(n)] for _ in range(n)]
    P = {(i, j): next(scalars) for i in range(n) for j in range(i, n)}
    full = [[P[min(i, j), max(i, j)] for j in range(n)] for i in range(n)]
    AP = [[_dot(row, column) for column in full] for row in A]
    results = [_dot(AP[i], A[j]) for i in range(n) for j in range(i, n)]
    return program_of(inputs, [Arg("Q", Array((len(results),)), "1", "a triangle")], results)


def _dot(a: list[Expr], b: list[Expr]) -> Expr:
    total: Expr = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + x * y
    return total


if __name__ == "__main__":
    main()
