"""Measures the cost of functions: operations, and on each target instructions, flash, stack and cycles.

Operations are counted in the Program and need no tool; all other quantities are measured on compiled code.
"""
