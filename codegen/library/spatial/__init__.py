"""Spatial cross products and power."""
