"""Frictionless contact of spheres and bodies at velocity level."""
