"""How long generating the core library in both precisions takes, imports apart; fails above the limit."""

import sys
import time

import casadi  # noqa: F401  (imports are not part of the measurement)
import sympy  # noqa: F401

from codegen.kernels import library
from codegen.options import Options
from codegen.render import render_tree

LIMIT = 5.0


def main() -> int:
    """Print the time of one cold generation."""
    kernels = list(library().values())
    start = time.perf_counter()
    tree = render_tree(kernels, Options())
    seconds = time.perf_counter() - start
    lines = sum(text.count("\n") for text in tree.values())
    print(f"{len(kernels)} kernels, both precisions, {lines} lines: {seconds:.2f} s (limit {LIMIT:.0f} s)")
    return int(seconds > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
