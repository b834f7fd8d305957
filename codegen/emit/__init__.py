"""Emission of C from Programs: expressions, statements, functions, headers and manifest."""
