"""Inspection of a kernel as mathematics, Program and C; provenance of a line; comparison of two kernels."""
