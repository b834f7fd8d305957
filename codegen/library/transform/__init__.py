"""Poses and the Plücker transforms of motions and forces."""
