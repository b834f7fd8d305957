"""Quaternions, rotation matrices and roll-pitch-yaw angles."""
