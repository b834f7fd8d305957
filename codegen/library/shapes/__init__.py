"""Inertias of simple solids and shells."""
