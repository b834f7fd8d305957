"""How long generating the core library in both precisions takes, imports apart.

It only prints: the figure is the machine's as much as ours.
"""

import time

import casadi  # noqa: F401  (imports are not part of the measurement)
import sympy  # noqa: F401

from codegen.kernels import library
from codegen.options import Options
from codegen.render import render_tree

TARGET = 5.0
"""Seconds, on two cores of a current machine."""


def main() -> None:
    """Print the time of one cold generation."""
    kernels = list(library().values())
    start = time.perf_counter()
    tree = render_tree(kernels, Options())
    seconds = time.perf_counter() - start
    lines = sum(text.count("\n") for text in tree.values())
    print(f"{len(kernels)} kernels, both precisions, {lines} lines: {seconds:.2f} s (target {TARGET:.0f} s)")


if __name__ == "__main__":
    main()
