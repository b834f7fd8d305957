"""The kernels of a robot: formulas from recursions, with arguments, equations and definitions."""
