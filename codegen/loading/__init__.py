"""Model files: Python files with kernels, and descriptions of robots."""
