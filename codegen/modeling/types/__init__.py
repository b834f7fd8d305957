"""The types of arguments and values: vectors, rotations, matrices, records, and the functions on them."""
