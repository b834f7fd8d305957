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

# The components as printed by Vallado and by Hughes.

gravitation_point = "g_E = -(mu / r^3) p_E; r = |p_E|"

gravitation_j2 = """g_E = -(mu / r^3) [c x, c y, (c + 2 k) z]; p_E = [x, y, z]
c = 1 - k (5 z^2 / r^2 - 1), k = (3 / 2) J_2 r_eq^2 / r^2, r = |p_E|"""

gravity_gradient_moment = "M_B = (3 mu / r^5) p_B~ J_B p_B; r = |p_B|"
