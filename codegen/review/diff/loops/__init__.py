"""Routines with loops over arguments: what their turns do, and whether two versions do the same."""
