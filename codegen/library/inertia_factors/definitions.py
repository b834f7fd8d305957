"""Properties of an inertia by its 6x6 matrix; factors and principal axes are defined in `properties`."""

# From h = m c (Featherstone 2008, section 2.13).

inertia_com = "c = h / m"

# The inverse of the whole matrix (Featherstone 2008, section 2.15).

inertia_solve = "a = I_O^-1 f"
