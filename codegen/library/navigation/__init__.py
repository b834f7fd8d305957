"""Navigation on the WGS 84 ellipsoid, normal gravity, and adapters to other conventions."""
