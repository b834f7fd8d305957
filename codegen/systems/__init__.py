"""Models that are systems: blocks with states, their integrators, and filters; all of them are kernels."""
