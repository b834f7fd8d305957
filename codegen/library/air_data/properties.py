"""Air data of a velocity: the property that defines them.

A property states equations between the arguments and the results, which hold where the results are right and
no status flag is raised.
"""

# The velocity of V, alpha and beta is v, and cos(beta) is not negative.

air_data_from_velocity = """
v_air_B = Ry(-alpha) Rz(beta) [V, 0, 0]
V cos(beta) = sqrt(v_x^2 + v_z^2), 0 <= V, [v_x, v_y, v_z] = v_air_B
"""
