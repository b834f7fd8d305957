"""Properties of an inertia: centre of mass, validity, solution, factors, principal axes."""
