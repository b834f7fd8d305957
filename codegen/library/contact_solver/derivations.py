"""The derivations of the contact solvers' arithmetic: none; a comparison has no energy."""
