"""What functions cost: operations, and on each target instructions, flash, stack and cycles.

Operations are counted in the Program and need no tool; the rest is measured in what a compiler makes of C.
"""
