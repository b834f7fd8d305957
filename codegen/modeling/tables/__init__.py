"""Tables of data over axes, which formulas look up, and the files that they are read from."""
