"""Newton's and Euler's equations of one rigid body, B's origin at its centre of mass."""

from __future__ import annotations

_NEWTON_EULER = "dv_B = F_B / m - w_B~ v_B; dw_B = J_B^-1 (M_B - w_B~ J_B w_B)"
"""Both in body axes (Stevens and Lewis)."""

# R(q) = 1 + 2 w u~ + 2 u~ u~ also where q has drifted off the unit sphere.

rigid_body_dynamics_quat = f"""dp_N = (1 + 2 w u~ + 2 u~ u~) v_B; q_NB = [w, u];
dq = Q [0, w_B] / 2 - baumgarte (q.q - 1) q; Q = [[w, -u^T], [u, w 1 + u~]];
{_NEWTON_EULER}"""

# Each rate is about its own axis: w_B = E drpy (Stevens and Lewis).

rigid_body_dynamics_rpy = f"""dp_N = R_NB v_B; R_NB = Rz(psi) Ry(theta) Rx(phi);
drpy = E^-1 w_B; E = cols(e_x, Rx(phi)^T e_y, Rx(phi)^T Ry(theta)^T e_z); rpy = [phi, theta, psi];
{_NEWTON_EULER}"""

rigid_body_dynamics_dcm = f"dp_N = R_NB v_B; dR_NB = R_NB w_B~; {_NEWTON_EULER}"

# Schaub and Junkins, transposed: R_NB, not R_BN.

rigid_body_dynamics_mrp = f"""dp_N = (1 + (8 s~ s~ + 4 (1 - n) s~) / (1 + n)^2) v_B; n = s.s;
ds_NB = (1/4) ((1 - n) 1 + 2 s~ + 2 s s^T) w_B;
{_NEWTON_EULER}"""

# I dv = f - v x* I v (Featherstone 2008, section 2.14).

rigid_body_dynamics_spatial = """dR_NB = R_NB w~; dp_N = R_NB v_O; v = [w, v_O];
dv = I_B^-1 (f - [[w~, v_O~], [0, w~]] I_B v)"""

# The rate of the attitude is relative to the Earth; Coriolis and centrifugal terms are written as matrices.

rigid_body_dynamics_ecef = """dp_E = v_E; dv_E = F_E / m - 2 Omega_E~ v_E - Omega_E~ Omega_E~ p_E;
dq = Q [0, w_B - R^T Omega_E] / 2 - baumgarte (q.q - 1) q; q_EB = [w, u];
Q = [[w, -u^T], [u, w 1 + u~]]; R = ((w^2 - u.u) 1 + 2 u u^T + 2 w u~) / (q.q);
dw_B = J_B^-1 (M_B - w_B~ J_B w_B)"""


# The derivatives are SymPy's. The structural non-zeros are those of its results that are not 0.

rigid_body_dynamics_quat_jacobian = """A = jacobian(f, [p_N, q_NB, v_B, w_B]); B = jacobian(f, [F_B, M_B]);
f = [(1 + 2 w u~ + 2 u~ u~) v_B, Q [0, w_B] / 2 - baumgarte (q.q - 1) q, a, J_B^-1 (M_B - w_B~ J_B w_B)];
a = F_B / m - w_B~ v_B; Q = [[w, -u^T], [u, w 1 + u~]]; q_NB = [w, u]"""

rigid_body_dynamics_quat_jacobian_nonzeros = rigid_body_dynamics_quat_jacobian

# The classical Runge-Kutta method, then the quaternion is made a unit one (Hairer et al.).

CLASSICAL = """k_1 = f(Y); k_2 = f(Y + dt k_1 / 2); k_3 = f(Y + dt k_2 / 2); k_4 = f(Y + dt k_3);
z = Y + dt (k_1 + 2 k_2 + 2 k_3 + k_4) / 6"""

rigid_body_step_rk4_quat = f"""Y = [p_N, q_NB, v_B, w_B]; {CLASSICAL};
p_N' = z[0:3]; q_NB' = z[3:7] / |z[3:7]|; v_B' = z[7:10]; w_B' = z[10:13];
f(y) = g(y[3:7], y[7:10], y[10:13]);
g(q, v, w) = [R(q) v, q (x) [0, w] / 2, F_B / m - w~ v, J_B^-1 (M_B - w~ J_B w)];
R(q) = 1 + 2 q[0] q[1:4]~ + 2 q[1:4]~ q[1:4]~"""

# w by Euler's equations, the velocity in N by Newton's, then the exponential of the rotation of the step.

rigid_body_step_semi_implicit_quat = """w_B' = w_B + dt J_B^-1 (M_B - w_B~ J_B w_B);
u_N = R(q_NB) (v_B + dt F_B / m); p_N' = p_N + dt u_N; v_B' = R(q_NB')^T u_N;
q_NB' = q_NB (x) [cos(h), sin(h) r / (2 h)]; r = dt w_B'; h = sqrt(r.r) / 2;
R(q) = 1 + 2 q[0] q[1:4]~ + 2 q[1:4]~ q[1:4]~"""

# Goldstein, Classical Mechanics.

rigid_body_energy = "energy = m v_B^T v_B / 2 + w_B^T J_B w_B / 2"

rigid_body_momentum = """P_N = R v_B m; L_N = R J_B w_B; q_NB = [w, u];
R = (w^2 - u.u) 1 + 2 u u^T + 2 w u~"""
