"""Articulated-body inertia and the elimination of a joint."""
