"""Front ends: a Program from a traced formula, from SymPy expressions or from a CasADi function."""
