"""Recursions over the tree of bodies: kinematics, dynamics, their derivatives, contact and the regressor."""
