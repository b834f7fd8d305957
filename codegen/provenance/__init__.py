"""Provenance of generated C: the equation, derivation step and inputs of each statement."""
