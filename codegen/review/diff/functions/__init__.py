"""C functions read as Programs: statements, values, memory, and the calls of other functions."""
