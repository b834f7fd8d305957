"""Proofs that the forms of a kernel are mathematically equal, and checks of its derivation."""
