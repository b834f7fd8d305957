"""Euler angles of the 12 sequences, extrinsic and intrinsic."""
