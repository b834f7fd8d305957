"""Rotation vectors: exponential, logarithm and the functions built on them."""
