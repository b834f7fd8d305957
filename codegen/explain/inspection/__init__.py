"""Inspection: a kernel as mathematics, Program and C; a line of C led back to its equation; two kernels."""
