"""Solvers of the contact problem: loops over contacts, and the arithmetic of one contact."""
