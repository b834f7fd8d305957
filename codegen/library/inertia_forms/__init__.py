"""Other forms of a spatial inertia: central, unit, pseudo-inertia, linear-first."""
