"""Fourth-order steps of a rigid body whose attitude is roll-pitch-yaw, a matrix or Rodrigues parameters."""
