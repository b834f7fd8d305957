"""The six-degree-of-freedom equations of a rigid body."""
