"""Transfer of forces, moments, velocities and accelerations between points of a body, as matrix products.

Spatial vectors are moved by X = [[1, 0], [p~, 1]] (motions) and X* = [[1, p~], [0, 1]] (forces), p the
position of the old reference point measured from the new one (Featherstone 2008, section 2.8).
"""

gravity_body = "[0, F_B] = q_NB^* (x) [0, m g_N] (x) q_NB"  # Stevens & Lewis

# The moments of the force transform from P to the centre of mass (Featherstone).

moment_transfer = "M_cm = [[1, p~]] [M_P, F], p = r_P - r_cm"

# The velocities of the motion transforms to the centre of mass and to the reference point (Goldstein).

cm_velocity = "v = v_0 + dr; v_0 = [[(-r)~, 1]] [w, v_ref]"

reference_velocity = "v_ref = [[r~, 1]] [w, v - dr]"

gyroscopic_moment = "M_eff = M - (dh_int + w~ h_int)"  # the rotors' rate is taken in N (Hughes 1986)

mass_flow_force = "F = dm u_rel"  # Plastino & Muzzio 1992

inertia_rate_moment = "M = -dJ w"  # Goldstein

lever_arm_acceleration = "a_P = a_O + (dw~ + w~ w~) r"  # Goldstein

# Newton's law.

gravitation_point = "g_E = -(mu / r^3) p_E; r = |p_E|"

# The gradient of the potential, in which the oblateness has Legendre's second polynomial of the sine of the
# latitude (Montenbruck and Gill, section 3.2).

gravitation_j2 = """g_E = jacobian(V, p_E)^T; V = (mu / r) (1 - J_2 (r_eq / r)^2 (3 z^2 / r^2 - 1) / 2)
z = e_z.p_E, r = |p_E|"""

# A particle at d from the centre of mass is attracted by `G d` more than one there, to first order, and has
# the moment d x (G d); the sum over all particles contains the sum P of their masses times d d^T (Hughes).

gravity_gradient_moment = """M_B = vee(G P - P G); G = -mu jacobian(p_B / |p_B|^3, p_B)
P = (tr(J_B) / 2) 1 - J_B"""
