"""Modified Rodrigues parameters (Schaub and Junkins)."""

# Of q and -q, that with w >= 0 is projected.

mrp_from_quat = "s_AB = b / (1 + a); [a, b] = {-q_AB if q_w < 0, q_AB otherwise}"

quat_from_mrp = "q_AB = [1 - s.s, 2 s] / (1 + s.s)"

dcm_from_mrp = "R_AB = 1 + (8 s~ s~ + 4 (1 - s.s) s~) / (1 + s.s)^2"

mrp_kinematics = "ds = ((1 - s.s) 1 + 2 s~ + 2 s s^T) w_B / 4"

mrp_kinematics_inverse = "w_B = 4 ((1 - s.s) 1 + 2 s~ + 2 s s^T)^-1 ds; s = s_AB"

mrp_shadow = "s_short = {-s / (s.s) if s.s > 1, s otherwise}"
