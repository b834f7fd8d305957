"""Logarithms of rotations: the properties that define them.

A property states equations between the arguments and the results, which hold where the results are right and
no status flag is raised.
"""

# The rotation matrix of [cos(h), sin(h) n] is that of q = [w, u], and h is from 0 to pi/2: its cosine is then
# |w| / |q|, its sine |u| / |q|.

_TURN = """
image(p, n) = vec(p (x) [0, n] (x) p^*), turn = [cos(h), sin(h) n]
(q.q) image(turn, [1, 0, 0]) = image(q, [1, 0, 0])
(q.q) image(turn, [0, 1, 0]) = image(q, [0, 1, 0])
(q.q) image(turn, [0, 0, 1]) = image(q, [0, 0, 1])
cos(h) |q| = |w|, sin(h) |q| = |u|, atan2(sin(h), cos(h)) = h, [w, u] = q
"""

# Where r = 0, q is a multiple of 1.

rotvec_from_quat = f"h = |r| / 2, n = r / (|r| + {{0 if |r| > 0, 1 otherwise}}); {_TURN}"

axis_angle_from_quat = f"|axis| = 1, h = angle / 2, n = axis; {_TURN}"

# The property of rotvec_from_quat for the product.

quat_error = f"""
q = q_NB^* (x) q_ND, h = |e_B| / 2, n = e_B / (|e_B| + {{0 if |e_B| > 0, 1 otherwise}})
{_TURN}
"""
