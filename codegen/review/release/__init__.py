"""The release gate: the version bump that the changes of a tree require, and the declared one."""
