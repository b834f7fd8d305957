"""Joints: the pose of the successor in the predecessor, and the subspace of its motions."""
