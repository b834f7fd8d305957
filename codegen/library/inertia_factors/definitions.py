"""Properties of an inertia by its 6x6 matrix; factors and principal axes are defined in `properties`."""

# From h = m c (Featherstone 2008, section 2.13).

inertia_com = "c = h / m"

# The inverse of the whole matrix (Featherstone 2008, section 2.15).

inertia_solve = "a = I_O^-1 f"

# The moments are those of three sets of particles, each along one axis (Golub and Van Loan, section 8.1).

inertia_from_principal = """I_com = moments[0] a a^T + moments[1] b b^T + moments[2] c c^T;
cols(a, b, c) = R_BP"""
