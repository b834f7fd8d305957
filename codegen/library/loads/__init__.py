"""Forces and moments on a rigid body, and their transfer to other points."""
