"""The contact solvers' arithmetic has no derivations: comparisons do not follow from an energy."""
