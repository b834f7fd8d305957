"""Benchmarks of the generated code against other generators and hand-written code."""
