"""Front ends: three ways into one Program (a traced formula, SymPy expressions, CasADi functions)."""
