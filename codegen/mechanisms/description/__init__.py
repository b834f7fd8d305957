"""What a person writes of a robot, by hand, in a URDF or in an MJCF file: bodies, joints, numbers."""
