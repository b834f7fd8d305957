"""The classical Runge-Kutta method (Hairer et al.) on Newton's and Euler's equations, in body axes."""

from __future__ import annotations

from codegen.library.rigid_body.definitions import CLASSICAL

_ACCELERATIONS = "F_B / m - w~ v, J_B^-1 (M_B - w~ J_B w)"

# Each rate is about its own axis (Stevens and Lewis).

rigid_body_step_rk4_rpy = f"""Y = [p_N, rpy, v_B, w_B]; {CLASSICAL};
p_N' = z[0:3]; rpy' = z[3:6]; v_B' = z[6:9]; w_B' = z[9:12]; f(y) = g(y[3:6], y[6:9], y[9:12]);
g(a, v, w) = [Rz(a[2]) Ry(a[1]) Rx(a[0]) v, E(a)^-1 w, {_ACCELERATIONS}];
E(a) = cols(e_x, Rx(a[0])^T e_y, Rx(a[0])^T Ry(a[1])^T e_z);
k_1[0:3] = R_NB v_B; R_NB = Rz(psi) Ry(theta) Rx(phi); rpy = [phi, theta, psi]"""

# Poisson's equation by columns, written out; then Gram and Schmidt's first two axes, and their cross product.

rigid_body_step_rk4_dcm = f"""Y = [p_N, R_NB e_x, R_NB e_y, R_NB e_z, v_B, w_B]; {CLASSICAL};
p_N' = z[0:3]; v_B' = z[12:15]; w_B' = z[15:18]; f(y) = g(cols(y[3:6], y[6:9], y[9:12]), y[12:15], y[15:18]);
g(R, v, w) = [R v, R (w[2] e_y - w[1] e_z), R (w[0] e_z - w[2] e_x),
  R (w[1] e_x - w[0] e_y), {_ACCELERATIONS}];
R_NB' = cols(b_0, b_1, b_0 x b_1); b_0 = c_0 / |c_0|; b_1 = d / |d|; d = c_1 - (b_0.c_1) b_0;
c_0 = z[3:6]; c_1 = z[6:9]"""

# Schaub and Junkins, transposed: R_NB, not R_BN.

rigid_body_step_rk4_mrp = f"""Y = [p_N, s_NB, v_B, w_B]; {CLASSICAL};
p_N' = z[0:3]; v_B' = z[6:9]; w_B' = z[9:12]; s_NB' = {{-a / (a.a) if a.a > 1, a otherwise}}; a = z[3:6];
f(y) = g(y[3:6], y[6:9], y[9:12]);
g(s, v, w) = [R(s) v, ((1 - s.s) 1 + 2 s~ + 2 s s^T) w / 4, {_ACCELERATIONS}];
R(s) = 1 + (8 s~ s~ + 4 (1 - s.s) s~) / (1 + s.s)^2"""
