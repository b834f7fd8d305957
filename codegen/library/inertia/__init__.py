"""Spatial inertia about the frame's origin."""
